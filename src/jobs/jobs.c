// Each worker owns a contiguous range of blocks and, when it has finished that, helps the others:
//
//   blocks   0 1 2 3 4 5 6 7 8 9
//   worker   0 0 0 0|1 1 1|2 2 2      next[w] is an atomic cursor into w's own range
//
// Ranges keep a worker on the same grains sweep after sweep (its caches stay warm); stealing evens
// out what the ranges got wrong. A loop is announced by raising `epoch`. Workers spin for a short
// while after their last loop, because the next one of the same frame is usually microseconds
// away, then sleep on a futex-backed condition until the next frame.
//
// A worker enters a loop through the gate, which the caller shuts once every block is taken. The
// caller waits only for those inside: a worker that sleeps, or that the system has put aside on a
// busy machine, delays nobody.
#define _GNU_SOURCE // sched_getaffinity
#include "jobs/jobs.h"

#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

// About 60 us of pause instructions: longer than the serial gaps inside a frame (waking a parked
// thread costs 20 us), short against the 16.7 ms between frames.
#define JOBS_SPINS 2000
#define JOBS_OPEN  0x80000000u // bit of the gate; the rest counts the workers inside

typedef struct JobsWorker {
    _Alignas(64) atomic_int next; // first block of its range that nobody has taken
    int end;
    Jobs* jobs;
    int index;
    pthread_t thread;
} JobsWorker;

struct Jobs {
    int workers;
    bool may_spin; // false when there are more workers than cores: spinning would starve them

    // the loop that runs now
    JobsFn fn;
    void* context;
    int count;
    int block_size;

    _Alignas(64) atomic_uint epoch; // raised once for each loop
    _Alignas(64) atomic_uint gate;  // JOBS_OPEN | workers inside
    _Alignas(64) atomic_int sleepers;
    atomic_bool quit;
    pthread_mutex_t mutex;
    pthread_cond_t wake;

    JobsWorker worker[JOBS_WORKERS_MAX];
};

int jobs_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    int cores = CPU_COUNT(&set);
    return cores > 0 ? cores : 1;
}

int jobs_workers(const Jobs* jobs)
{
    return jobs->workers;
}

static void jobs_run_range(Jobs* jobs, JobsWorker* owner)
{
    for (;;) {
        int block = atomic_fetch_add_explicit(&owner->next, 1, memory_order_relaxed);
        if (block >= owner->end) {
            return;
        }
        int begin = block * jobs->block_size;
        int end = begin + jobs->block_size;
        jobs->fn(jobs->context, block, begin, end < jobs->count ? end : jobs->count);
    }
}

// own range first, then everyone else's, nearest neighbour first
static void jobs_work(Jobs* jobs, int index)
{
    for (int k = 0; k < jobs->workers; ++k) {
        int victim = index + k < jobs->workers ? index + k : index + k - jobs->workers;
        JobsWorker* owner = &jobs->worker[victim];
        if (atomic_load_explicit(&owner->next, memory_order_relaxed) < owner->end) {
            jobs_run_range(jobs, owner);
        }
    }
}

// Wait until the epoch moves on from `seen`; returns the new one.
static unsigned jobs_await(Jobs* jobs, unsigned seen)
{
    // spin, in the hope that the next loop of this frame is near
    for (int spin = 0; jobs->may_spin && spin < JOBS_SPINS; ++spin) {
        unsigned epoch = atomic_load_explicit(&jobs->epoch, memory_order_acquire);
        if (epoch != seen) {
            return epoch;
        }
        _mm_pause();
    }

    // sleep; `sleepers` is raised under the mutex, so the announcer cannot miss us
    pthread_mutex_lock(&jobs->mutex);
    atomic_fetch_add(&jobs->sleepers, 1);
    unsigned epoch;
    while ((epoch = atomic_load(&jobs->epoch)) == seen) {
        pthread_cond_wait(&jobs->wake, &jobs->mutex);
    }
    atomic_fetch_sub(&jobs->sleepers, 1);
    pthread_mutex_unlock(&jobs->mutex);
    return epoch;
}

// False when the loop is already over.
static bool jobs_enter(Jobs* jobs)
{
    unsigned gate = atomic_load_explicit(&jobs->gate, memory_order_relaxed);
    while (gate & JOBS_OPEN) {
        if (atomic_compare_exchange_weak_explicit(&jobs->gate, &gate, gate + 1,
                                                  memory_order_acquire, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

static void* jobs_main(void* argument)
{
    JobsWorker* self = argument;
    Jobs* jobs = self->jobs;
    unsigned seen = 0;
    for (;;) {
        seen = jobs_await(jobs, seen);
        if (atomic_load(&jobs->quit)) {
            return NULL;
        }
        if (jobs_enter(jobs)) {
            jobs_work(jobs, self->index);
            atomic_fetch_sub_explicit(&jobs->gate, 1, memory_order_release);
        }
    }
}

static void jobs_announce(Jobs* jobs)
{
    atomic_fetch_add(&jobs->epoch, 1);
    if (atomic_load(&jobs->sleepers) > 0) {
        pthread_mutex_lock(&jobs->mutex);
        pthread_cond_broadcast(&jobs->wake);
        pthread_mutex_unlock(&jobs->mutex);
    }
}

void jobs_for(Jobs* jobs, int count, int block_size, JobsFn fn, void* context)
{
    if (count <= 0) {
        return;
    }
    int blocks = jobs_blocks(count, block_size);

    // alone, or not worth waking anyone
    if (jobs->workers == 1 || blocks == 1) {
        for (int block = 0, begin = 0; block < blocks; ++block, begin += block_size) {
            int end = begin + block_size;
            fn(context, block, begin, end < count ? end : count);
        }
        return;
    }

    // deal the blocks out in contiguous ranges
    jobs->fn = fn;
    jobs->context = context;
    jobs->count = count;
    jobs->block_size = block_size;
    for (int w = 0; w < jobs->workers; ++w) {
        jobs->worker[w].end = (int)((int64_t)blocks * (w + 1) / jobs->workers);
        atomic_store_explicit(&jobs->worker[w].next, (int)((int64_t)blocks * w / jobs->workers),
                              memory_order_relaxed);
    }
    atomic_store_explicit(&jobs->gate, JOBS_OPEN, memory_order_release);
    jobs_announce(jobs);

    // do our share; when nothing is left to take, shut the gate and wait for those inside
    jobs_work(jobs, 0);
    atomic_fetch_and_explicit(&jobs->gate, ~JOBS_OPEN, memory_order_acquire);
    for (int spin = 0; atomic_load_explicit(&jobs->gate, memory_order_acquire) != 0; ++spin) {
        if (jobs->may_spin && spin < JOBS_SPINS * 8) {
            _mm_pause();
        } else {
            sched_yield();
        }
    }
}

Jobs* jobs_create(int workers)
{
    if (workers < 1) {
        workers = 1;
    }
    if (workers > JOBS_WORKERS_MAX) {
        workers = JOBS_WORKERS_MAX;
    }
    Jobs* jobs = aligned_alloc(64, (sizeof *jobs + 63) / 64 * 64);
    if (!jobs) {
        return NULL;
    }
    *jobs = (Jobs){.workers = 1, .may_spin = workers <= jobs_cores()};
    pthread_mutex_init(&jobs->mutex, NULL);
    pthread_cond_init(&jobs->wake, NULL);

    // a refused thread is no failure: the blocks, and so the bits, are the same with fewer
    for (int w = 0; w < workers; ++w) {
        jobs->worker[w].jobs = jobs;
        jobs->worker[w].index = w;
    }
    while (jobs->workers < workers) {
        JobsWorker* worker = &jobs->worker[jobs->workers];
        if (pthread_create(&worker->thread, NULL, jobs_main, worker) != 0) {
            break;
        }
        jobs->workers++;
    }
    return jobs;
}

void jobs_destroy(Jobs* jobs)
{
    if (!jobs) {
        return;
    }
    atomic_store(&jobs->quit, true);
    jobs_announce(jobs);
    for (int w = 1; w < jobs->workers; ++w) {
        pthread_join(jobs->worker[w].thread, NULL);
    }
    pthread_cond_destroy(&jobs->wake);
    pthread_mutex_destroy(&jobs->mutex);
    free(jobs);
}
