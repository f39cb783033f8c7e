// bench_exchange - how long ground takes to become grains, and grains to become ground.
#ifndef BENCH_EXCHANGE_H
#define BENCH_EXCHANGE_H

#include <stdbool.h>

#define BENCH_EXCHANGE_GOAL_MS 1.0

typedef struct BenchExchange {
    int grains;       // in one step, each way
    double dig_ms;    // median, coupling_dig() that gives birth to them
    double settle_ms; // median, coupling_step() that lays them down
    double still_us;  // median, coupling_step() on a still site of 1000 x 1000 columns, no grains
} BenchExchange;

// False when out of memory.
bool bench_exchange_time(BenchExchange* out, int rounds);

#endif
