// jobs - one loop, many cores.
//
// Does:     split 0..count into blocks of a fixed size and run them on a pool of threads. A block
//           is the same set of items for every worker count, so a loop whose blocks write only
//           their own items (or their own slot of a per-block array) gives the same bits on
//           1 worker and on 64 (I9).
// Does not: promise an order of blocks, nest, allocate after creation, or burn a core while idle.
// Threads:  one caller at a time; jobs_for() returns when every block is done.
#ifndef JOBS_H
#define JOBS_H

#include <stdbool.h>

#define JOBS_WORKERS_MAX 64

typedef struct Jobs Jobs;

// Items [begin, end) of block number `block`.
typedef void (*JobsFn)(void* context, int block, int begin, int end);

// workers counts the calling thread. Threads that the system refuses are done without; see
// jobs_workers(). NULL only when out of memory.
Jobs* jobs_create(int workers);
void jobs_destroy(Jobs* jobs);
int jobs_workers(const Jobs* jobs);

// Cores this process may run on, at least 1.
int jobs_cores(void);

void jobs_for(Jobs* jobs, int count, int block_size, JobsFn fn, void* context);

// For a jobs_for() whose blocks are already known: ceil(count / block_size).
static inline int jobs_blocks(int count, int block_size)
{
    return (count + block_size - 1) / block_size;
}

#endif
