// sim_stats - times of many steps in little room: how many were how long.
//
// Method:   buckets 1 % apart from 0.1 us to 100 s, so that a quantile is known to 1 %; the largest
//           is kept exactly.
#ifndef SIM_STATS_H
#define SIM_STATS_H

#include <stdint.h>

#define SIM_BUCKETS 2090

typedef struct SimTimes {
    uint64_t count[SIM_BUCKETS];
    uint64_t total;
    double max, sum; // s
} SimTimes;

void sim_times_add(SimTimes* times, double seconds);
// s; 0 when nothing was added.
double sim_times_quantile(const SimTimes* times, double share);

// A curve in at most `SIM_SERIES` samples: when it is full, every other one goes.
typedef struct SimSeries {
    uint32_t stride, step; // steps between samples; steps seen
    int count;
} SimSeries;

// The place for this step's sample, or -1 when it is not kept. `thin` tells that all places before
// must first be halved: sample k takes the value of sample 2k.
int sim_series_place(SimSeries* series, int capacity, int* thin);

#endif
