// No step takes or gives memory, on any thread: the heap and mmap are counted while one runs.
//
// A plain build puts its own malloc and friends before those of glibc. A sanitizer has done so
// already, so there its hooks count instead.
#include "scenes/scenes_churn.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unity.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

#define FRAMES 40

static atomic_bool watching;
static atomic_int calls; // to the heap while watching

static void count(void)
{
    if (atomic_load(&watching)) {
        atomic_fetch_add(&calls, 1);
    }
}

#ifdef SANITIZED

// gcc ships the function without its header
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, size_t),
                                              void (*on_free)(const volatile void*));

static void on_malloc(const volatile void* p, size_t size)
{
    (void)p, (void)size;
    count();
}

static void on_free(const volatile void* p)
{
    (void)p;
    count();
}

static void start_counting(void)
{
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

#else

#include <sys/syscall.h>
#include <unistd.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t items, size_t size);
void* __libc_realloc(void* p, size_t size);
void* __libc_memalign(size_t align, size_t size);
void __libc_free(void* p);

void* malloc(size_t size)
{
    count();
    return __libc_malloc(size);
}

void* calloc(size_t items, size_t size)
{
    count();
    return __libc_calloc(items, size);
}

void* realloc(void* p, size_t size)
{
    count();
    return __libc_realloc(p, size);
}

void* aligned_alloc(size_t align, size_t size)
{
    count();
    return __libc_memalign(align, size);
}

int posix_memalign(void** out, size_t align, size_t size)
{
    count();
    *out = __libc_memalign(align, size);
    return *out ? 0 : 12; // ENOMEM
}

void free(void* p)
{
    count();
    __libc_free(p);
}

void* mmap(void* address, size_t length, int protection, int flags, int file, off_t offset)
{
    count();
    return (void*)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}

int munmap(void* address, size_t length)
{
    count();
    return (int)syscall(SYS_munmap, address, length);
}

static void start_counting(void) {}

#endif

void setUp(void) {}
void tearDown(void) {}

// The counter itself works; otherwise the rest proves nothing.
static void counting_counts(void)
{
    atomic_store(&calls, 0);
    atomic_store(&watching, true);
    void* volatile p = malloc(100);
    free(p);
    atomic_store(&watching, false);
    TEST_ASSERT_EQUAL_INT(2, atomic_load(&calls));
}

typedef struct Roll {
    atomic_int present;
    int workers;
} Roll;

static void answer(void* context, int block, int begin, int end)
{
    (void)block, (void)begin, (void)end;
    Roll* roll = context;
    atomic_fetch_add(&roll->present, 1);
    while (atomic_load(&roll->present) < roll->workers) {
        sched_yield();
    }
}

// A thread that is still being born allocates; wait until every worker has run something.
static void call_the_roll(Jobs* jobs)
{
    Roll roll = {.workers = jobs_workers(jobs)};
    jobs_for(jobs, roll.workers, 1, answer, &roll);
}

static void watch_steps(SoilKernel kernel, int workers)
{
    Soil* soil = scenes_churn_create(kernel);
    Jobs* jobs = jobs_create(workers);
    TEST_ASSERT_NOT_NULL(soil);
    TEST_ASSERT_NOT_NULL(jobs);

    call_the_roll(jobs);

    // from the very first step on, with births and deaths in between
    atomic_store(&calls, 0);
    atomic_store(&watching, true);
    for (int i = 0; i < FRAMES; ++i) {
        scenes_churn_step(soil, jobs);
    }
    (void)soil_hash(soil);
    atomic_store(&watching, false);
    TEST_ASSERT_EQUAL_INT(0, atomic_load(&calls));
    jobs_destroy(jobs);
    soil_destroy(soil);
}

static void a_step_allocates_nothing(void)
{
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        watch_steps((SoilKernel)k, 1);
        watch_steps((SoilKernel)k, 3);
    }
}

int main(void)
{
    start_counting();
    UNITY_BEGIN();
    RUN_TEST(counting_counts);
    RUN_TEST(a_step_allocates_nothing);
    return UNITY_END();
}
