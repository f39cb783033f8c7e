#include "app/app_stop.h"

#include "base/base_clock.h"

#include <signal.h>
#include <time.h>

#define STOP_CATCH_UP 0.1 // s that a run at real speed may fall behind before it forgets them
#define STOP_AHEAD    1.0 // s that it may wait: a clock that was set back is not waited for

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

void app_stop_on_signals(void)
{
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
}

bool app_stopped(void)
{
    return stopped != 0;
}

double app_now(void)
{
    return base_seconds();
}

int64_t app_date(void)
{
    return (int64_t)time(NULL);
}

void app_keep_pace(double time, double* begun)
{
    double ahead = *begun + time - app_now();
    if (ahead < -STOP_CATCH_UP || ahead > STOP_AHEAD) {
        *begun -= ahead;
    } else if (ahead > 0.0) {
        struct timespec t = {(time_t)ahead, (long)(1e9 * (ahead - (double)(time_t)ahead))};
        nanosleep(&t, NULL);
    }
}
