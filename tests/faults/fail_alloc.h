// fail_alloc - memory that runs out at a chosen call, and counts what was not given back.
//
// Puts its own malloc and friends, and mmap, before those of glibc. To be included by one file of a
// test program, which is built without sanitizers.
#ifndef FAIL_ALLOC_H
#define FAIL_ALLOC_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_bool fail_watching;
static atomic_int fail_calls;  // since fail_at()
static atomic_int fail_number; // of the call that fails, from 1; 0: none
static atomic_bool fail_after; // and all behind it
static atomic_int fail_living; // blocks and mappings made less those given back

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t items, size_t size);
void* __libc_realloc(void* p, size_t size);
void* __libc_memalign(size_t align, size_t size);
void __libc_free(void* p);

static bool fail_now(void)
{
    if (!atomic_load(&fail_watching))
        return false;
    int call = atomic_fetch_add(&fail_calls, 1) + 1, number = atomic_load(&fail_number);
    bool fails = number > 0 && (call == number || (call > number && atomic_load(&fail_after)));
    if (fails)
        errno = ENOMEM;
    return fails;
}

static void* fail_made(void* p)
{
    if (p && atomic_load(&fail_watching))
        atomic_fetch_add(&fail_living, 1);
    return p;
}

void* malloc(size_t size)
{
    return fail_now() ? NULL : fail_made(__libc_malloc(size));
}

void* calloc(size_t items, size_t size)
{
    return fail_now() ? NULL : fail_made(__libc_calloc(items, size));
}

void* realloc(void* p, size_t size)
{
    if (fail_now())
        return NULL;
    void* q = __libc_realloc(p, size);
    return p ? q : fail_made(q);
}

void* aligned_alloc(size_t align, size_t size)
{
    return fail_now() ? NULL : fail_made(__libc_memalign(align, size));
}

int posix_memalign(void** out, size_t align, size_t size)
{
    *out = fail_now() ? NULL : fail_made(__libc_memalign(align, size));
    return *out ? 0 : ENOMEM;
}

void free(void* p)
{
    if (p && atomic_load(&fail_watching))
        atomic_fetch_sub(&fail_living, 1);
    __libc_free(p);
}

void* mmap(void* address, size_t length, int protection, int flags, int file, off_t offset)
{
    if (fail_now())
        return MAP_FAILED;
    void* p = (void*)syscall(SYS_mmap, address, length, protection, flags, file, offset);
    if (p != MAP_FAILED)
        fail_made(p);
    return p;
}

int munmap(void* address, size_t length)
{
    if (atomic_load(&fail_watching))
        atomic_fetch_sub(&fail_living, 1);
    return (int)syscall(SYS_munmap, address, length);
}

// From here on call `number` fails (0: none), with `after` every later one, too.
static void fail_at(int number, bool after)
{
    atomic_store(&fail_calls, 0);
    atomic_store(&fail_living, 0);
    atomic_store(&fail_number, number);
    atomic_store(&fail_after, after);
    atomic_store(&fail_watching, true);
}

// Ends it. Returns how many calls there were.
static int fail_end(void)
{
    atomic_store(&fail_watching, false);
    return atomic_load(&fail_calls);
}

#endif
