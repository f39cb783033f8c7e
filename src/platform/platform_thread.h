// platform_thread - one thread with a name, a lock, and the clock that all threads share.
//
// Does:     start, wait for the end, sleep, tell the time; a lock for those who share a desk.
// Does not: lock the simulation: it meets the others in mailboxes (app_mail, ViewExchange).
#ifndef PLATFORM_THREAD_H
#define PLATFORM_THREAD_H

#include <stdbool.h>

typedef struct PlatformThread PlatformThread;
typedef void (*PlatformThreadFn)(void* context);

// NULL when the system refuses.
PlatformThread* platform_thread_start(const char* name, PlatformThreadFn fn, void* context);
void platform_thread_join(PlatformThread* thread); // waits; NULL is fine

typedef struct PlatformLock PlatformLock;

PlatformLock* platform_lock_create(void); // NULL when the system refuses
void platform_lock_destroy(PlatformLock* lock);
void platform_lock(PlatformLock* lock); // waits
void platform_unlock(PlatformLock* lock);

double platform_now(void); // s since some moment, never set back
void platform_sleep(double seconds);

#endif
