// platform_thread - one thread with a name, and the clock that all threads share.
//
// Does:     start, wait for the end, sleep, tell the time.
// Does not: lock anything: threads of the program meet in mailboxes (app_mail, ViewExchange).
#ifndef PLATFORM_THREAD_H
#define PLATFORM_THREAD_H

#include <stdbool.h>

typedef struct PlatformThread PlatformThread;
typedef void (*PlatformThreadFn)(void* context);

// NULL when the system refuses.
PlatformThread* platform_thread_start(const char* name, PlatformThreadFn fn, void* context);
void platform_thread_join(PlatformThread* thread); // waits; NULL is fine

double platform_now(void); // s since some moment, never set back
void platform_sleep(double seconds);

#endif
