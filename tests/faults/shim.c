// shim - put before the C library with LD_PRELOAD: clocks that jump and threads that are refused.
//
//   SHIM_CLOCK=forward|back   from the 2000th look on, the clocks stand 1000 s ahead, or behind
//   SHIM_THREADS=N            only N threads are made, then the system says "try again"
//   SHIM_DISK=fsync|rename    the disk says "input/output error" when a file is flushed, or moved to its place
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

static int refuse(const char* what)
{
    const char* disk = getenv("SHIM_DISK");
    if (!disk || strcmp(disk, what) != 0)
        return 0;
    errno = EIO;
    return -1;
}

int fsync(int file)
{
    return refuse("fsync") ? -1 : (int)syscall(SYS_fsync, file);
}

int rename(const char* from, const char* to)
{
    return refuse("rename") ? -1 : (int)syscall(SYS_rename, from, to);
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
