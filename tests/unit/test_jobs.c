// Unit tests of jobs: every item once, for every worker count, and quiet when idle.
#include "jobs/jobs.h"

#include "unity.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#define ITEMS 1003 // no multiple of any block size below

void setUp(void) {}
void tearDown(void) {}

typedef struct Visits {
    atomic_int count[ITEMS];
    atomic_int bad_block;
    int block_size;
} Visits;

static void visit(void* context, int block, int begin, int end)
{
    Visits* v = context;
    if (begin != block * v->block_size || end <= begin || end - begin > v->block_size) {
        atomic_fetch_add(&v->bad_block, 1);
    }
    for (int i = begin; i < end; ++i) {
        atomic_fetch_add(&v->count[i], 1);
    }
}

// Every item is visited exactly once, whatever the workers and the block size.
static void every_item_is_visited_once(void)
{
    static Visits v;
    const int workers[] = {1, 2, 3, 5, 8, 16, 64}, blocks[] = {1, 7, 64, 5000};
    for (size_t w = 0; w < sizeof workers / sizeof *workers; ++w) {
        Jobs* jobs = jobs_create(workers[w]);
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; ++b) {
            memset(&v, 0, sizeof v);
            v.block_size = blocks[b];
            jobs_for(jobs, ITEMS, blocks[b], visit, &v);
            TEST_ASSERT_EQUAL_INT(0, atomic_load(&v.bad_block));
            for (int i = 0; i < ITEMS; ++i) {
                TEST_ASSERT_EQUAL_INT(1, atomic_load(&v.count[i]));
            }
        }
        jobs_destroy(jobs);
    }
}

typedef struct Sums {
    uint64_t block[ITEMS];
} Sums;

static void sum_block(void* context, int block, int begin, int end)
{
    Sums* s = context;
    s->block[block] = 0;
    for (int i = begin; i < end; ++i) {
        s->block[block] = s->block[block] * 31u + (uint64_t)i;
    }
}

// Thousands of short loops in a row: no block is lost or run under the next loop's name.
static void short_loops_in_a_row_do_not_mix(void)
{
    static Sums mine, theirs;
    Jobs* alone = jobs_create(1);
    Jobs* crowd = jobs_create(5);
    for (int round = 0; round < 4000; ++round) {
        int count = 1 + round % ITEMS, size = 1 + round % 13;
        jobs_for(alone, count, size, sum_block, &mine);
        jobs_for(crowd, count, size, sum_block, &theirs);
        size_t bytes = (size_t)jobs_blocks(count, size) * sizeof *mine.block;
        TEST_ASSERT_EQUAL_INT(0, memcmp(mine.block, theirs.block, bytes));
    }
    jobs_destroy(crowd);
    jobs_destroy(alone);
}

// No items, no calls.
static void an_empty_loop_does_nothing(void)
{
    Jobs* jobs = jobs_create(3);
    jobs_for(jobs, 0, 8, visit, NULL);
    jobs_destroy(jobs);
}

// Absurd worker counts are brought into range.
static void worker_counts_are_clamped(void)
{
    Jobs* none = jobs_create(-4);
    TEST_ASSERT_EQUAL_INT(1, jobs_workers(none));
    jobs_destroy(none);
    Jobs* many = jobs_create(1000);
    TEST_ASSERT_TRUE(jobs_workers(many) <= JOBS_WORKERS_MAX && jobs_workers(many) >= 1);
    jobs_destroy(many);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// An idle pool sleeps: 0.2 s of doing nothing costs all its workers together less than a tenth of
// that in CPU time (it is process time that is read, so a busy machine does not matter).
static void idle_workers_sleep(void)
{
    static Visits v;
    v.block_size = 7;
    Jobs* jobs = jobs_create(4);
    jobs_for(jobs, ITEMS, 7, visit, &v);
    double before = cpu_seconds();
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    TEST_ASSERT_TRUE(cpu_seconds() - before < 0.02);
    jobs_destroy(jobs);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_item_is_visited_once);
    RUN_TEST(short_loops_in_a_row_do_not_mix);
    RUN_TEST(an_empty_loop_does_nothing);
    RUN_TEST(worker_counts_are_clamped);
    RUN_TEST(idle_workers_sleep);
    return UNITY_END();
}
