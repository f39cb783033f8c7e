#include "sim/sim_stats.h"

#include "base/base_trig.h"

#define STATS_LEAST 1e-7                // s
#define STATS_STEP  0.00995033085316808 // log 1.01

void sim_times_add(SimTimes* times, double seconds)
{
    double at = seconds > STATS_LEAST ? base_log_d(seconds / STATS_LEAST) / STATS_STEP : 0.0;
    int bucket = at < (double)(SIM_BUCKETS - 1) ? (int)at : SIM_BUCKETS - 1;
    ++times->count[bucket];
    ++times->total;
    times->sum += seconds;
    times->max = seconds > times->max ? seconds : times->max;
}

double sim_times_quantile(const SimTimes* times, double share)
{
    uint64_t want = (uint64_t)(share * (double)times->total), seen = 0;
    for (int k = 0; k < SIM_BUCKETS; ++k) {
        seen += times->count[k];
        if (seen > want) {
            double top = STATS_LEAST * base_exp(((double)k + 0.5) * STATS_STEP);
            return top < times->max ? top : times->max;
        }
    }
    return times->max;
}

int sim_series_place(SimSeries* series, int capacity, int* thin)
{
    *thin = 0;
    if (series->stride == 0) {
        series->stride = 1;
    }
    uint32_t step = series->step++;
    if (step % series->stride != 0) {
        return -1;
    }
    if (series->count == capacity) {
        *thin = 1;
        series->count = capacity / 2;
        series->stride *= 2;
        if (step % series->stride != 0) {
            return -1;
        }
    }
    return series->count++;
}
