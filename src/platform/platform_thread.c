#include "platform/platform_thread.h"

#include "base/base_clock.h"

#include <SDL2/SDL.h>
#include <stdlib.h>
#include <time.h>

struct PlatformThread {
    SDL_Thread* thread;
    PlatformThreadFn fn;
    void* context;
};

static int enter(void* context)
{
    PlatformThread* t = context;
    t->fn(t->context);
    return 0;
}

PlatformThread* platform_thread_start(const char* name, PlatformThreadFn fn, void* context)
{
    PlatformThread* t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->fn = fn, t->context = context;
    t->thread = SDL_CreateThread(enter, name, t);
    if (!t->thread) {
        free(t);
        return NULL;
    }
    return t;
}

void platform_thread_join(PlatformThread* t)
{
    if (!t)
        return;
    SDL_WaitThread(t->thread, NULL);
    free(t);
}

PlatformLock* platform_lock_create(void)
{
    return (PlatformLock*)SDL_CreateMutex();
}

void platform_lock_destroy(PlatformLock* lock)
{
    SDL_DestroyMutex((SDL_mutex*)lock);
}

void platform_lock(PlatformLock* lock)
{
    SDL_LockMutex((SDL_mutex*)lock);
}

void platform_unlock(PlatformLock* lock)
{
    SDL_UnlockMutex((SDL_mutex*)lock);
}

double platform_now(void)
{
    return base_seconds();
}

void platform_sleep(double seconds)
{
    if (seconds <= 0.0)
        return;
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}
