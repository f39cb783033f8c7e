#include "base/base_clock.h"

#include "base/base_assert.h"
#include "base/base_math.h"

#include <stdlib.h>
#include <time.h>

static double clock_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double base_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double base_seconds_process(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double base_seconds_thread(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

static int ascending(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

void base_sort(double* values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
}

double base_quantile(const double* sorted, int count, double q)
{
    BASE_ASSERT(count > 0);
    // just under 1: a product that misses a whole number by rounding is still that number
    int rank = (int)(q * (double)count + 0.999999);
    return sorted[base_maxi(0, base_mini(rank, count) - 1)];
}

double base_median(double* values, int count)
{
    base_sort(values, count);
    return base_quantile(values, count, 0.5);
}
