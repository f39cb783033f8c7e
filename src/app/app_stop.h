// app_stop - what every run without a window needs: a clock, a pace, and Ctrl-C that ends it in order.
#ifndef APP_STOP_H
#define APP_STOP_H

#include <stdbool.h>
#include <stdint.h>

void app_stop_on_signals(void); // SIGINT and SIGTERM
bool app_stopped(void);
double app_now(void);   // s, since some moment
int64_t app_date(void); // s since 1970
// Waits until the clock has come to `time` s since *begun; what is too late stays late.
void app_keep_pace(double time, double* begun);

#endif
