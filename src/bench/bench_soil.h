// bench_soil - times the grain solver: every kernel x grains x threads x regime, in turns.
//
// Does:     run the variants round robin in short chunks of frames, so that a swing of the machine
//           meets all of them, and keep every frame's times.
// Does not: print; see bench_report.
#ifndef BENCH_SOIL_H
#define BENCH_SOIL_H

#include "bench/bench_options.h"

typedef enum BenchRegime {
    BENCH_REGIME_REST,    // the neighbour list may be kept
    BENCH_REGIME_REBUILT, // a new list in every frame
    BENCH_REGIME_COUNT,
} BenchRegime;

// One of the columns of times: a phase of the frame, or the whole frame.
#define BENCH_TOTAL   SOIL_PHASE_COUNT
#define BENCH_COLUMNS (SOIL_PHASE_COUNT + 1)

typedef struct BenchTimes {
    double median[BENCH_COLUMNS]; // s
    double p99[BENCH_COLUMNS];    // s
} BenchTimes;

typedef struct BenchVariant {
    BenchKernel kernel;
    int grains;
    int threads;
    BenchRegime regime;
    Soil* soil;
    Jobs* jobs;                     // shared by the variants with as many threads
    int frames;                     // timed so far
    double* seconds[BENCH_COLUMNS]; // [frames of the run] s
    double* chunk;                  // [chunks of the run] s, median of each
    int chunks;

    // sums over the timed frames, turned into means by the end of the run
    double force_over_weight;
    double list_builds;
    double evaluations;

    // found at the end of the run
    BenchTimes times;
    size_t bytes;        // memory that the soil touches
    SoilOverlap overlap; // after the last frame
    uint64_t hash;
} BenchVariant;

typedef struct BenchRun {
    BenchVariant* variant; // [count]
    int count;
    Jobs* pool[BENCH_LIST_MAX]; // one per thread count of the options
    const char* isa;            // what ran
} BenchRun;

// False when out of memory, after a sentence; the run must be freed either way.
bool bench_soil_run(BenchRun* run, const BenchOptions* options);
void bench_soil_free(BenchRun* run);

// False when two thread counts of one kernel, grain count and regime ended in different bits.
bool bench_soil_same_bits(const BenchRun* run);

// NULL when the run has no such variant. substeps 0: any settings.
const BenchVariant* bench_soil_find(const BenchRun* run, BenchKernel kernel, int grains,
                                    int threads, BenchRegime regime);

// Time of a over time of b: the median over the chunks that ran side by side.
double bench_soil_ratio(const BenchVariant* a, const BenchVariant* b);

const char* bench_soil_regime_name(BenchRegime regime);

#endif
