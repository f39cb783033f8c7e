// bench_ratio - the ratios that the project promises, from one interleaved run.
#ifndef BENCH_RATIO_H
#define BENCH_RATIO_H

#include "bench/bench_soil.h"

#define BENCH_RATIOS_MAX 128

typedef struct BenchRatio {
    char name[96];
    double value;
    double goal;
    bool at_least; // the goal is a lower bound, else an upper one
} BenchRatio;

// All that the run's variants allow, at most BENCH_RATIOS_MAX; returns how many.
int bench_ratio_all(const BenchRun* run, const BenchOptions* options, BenchRatio* out);
bool bench_ratio_met(const BenchRatio* ratio);

#endif
