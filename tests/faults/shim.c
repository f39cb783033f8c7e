// shim - put before the C library with LD_PRELOAD: clocks that jump and threads that are refused.
//
//   SHIM_CLOCK=forward|back   from the 2000th look on, the clocks stand 1000 s ahead, or behind
//   SHIM_THREADS=N            only N threads are made, then the system says "try again"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOOKS 2000
#define JUMP  1000 // s

static atomic_int looks, threads;

int clock_gettime(clockid_t clock, struct timespec* out)
{
    static int (*real)(clockid_t, struct timespec*);
    const char* way = getenv("SHIM_CLOCK");
    if (!real)
        real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, out);
    if (way && atomic_fetch_add(&looks, 1) > LOOKS)
        out->tv_sec += strcmp(way, "back") == 0 ? -JUMP : JUMP;
    return status;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* context)
{
    static int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    const char* most = getenv("SHIM_THREADS");
    if (!real)
        real = (int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))dlsym(
            RTLD_NEXT, "pthread_create");
    if (most && atomic_fetch_add(&threads, 1) >= atoi(most))
        return EAGAIN;
    return real(thread, attributes, start, context);
}
