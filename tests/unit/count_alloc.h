// count_alloc - counts calls to the heap and to mmap, on every thread, for tests of "no allocation" (I10).
//
// A plain build puts its own malloc and friends before those of glibc. A sanitizer has done so
// already, so there its hooks count instead. To be included by one file of a test program.
#ifndef COUNT_ALLOC_H
#define COUNT_ALLOC_H

#include "jobs/jobs.h"

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

static void watch(void)
{
    atomic_store(&calls, 0);
    atomic_store(&watching, true);
}

// Calls since watch().
static int watched(void)
{
    atomic_store(&watching, false);
    return atomic_load(&calls);
}

// The counter itself works; otherwise the rest proves nothing.
static void counting_counts(void)
{
    watch();
    void* volatile p = malloc(100);
    free(p);
    TEST_ASSERT_EQUAL_INT(2, watched());
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
__attribute__((unused)) static void call_the_roll(Jobs* jobs)
{
    Roll roll = {.workers = jobs_workers(jobs)};
    jobs_for(jobs, roll.workers, 1, answer, &roll);
}

#endif
