// bench_options - the command line of `mattock bench`.
//
// Does:     read it strictly; a wrong word ends with one sentence and what is allowed instead.
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "soil/soil.h"

#define BENCH_LIST_MAX   8      // entries of one list option
#define BENCH_GRAINS_MIN 64     // fewer make no bed
#define BENCH_GRAINS_MAX 400000 // more than any frame can hold, and still a few hundred MB
#define BENCH_LAYERS_MAX 100
#define BENCH_FRAMES_MAX 100000

typedef enum BenchFormat { BENCH_FORMAT_TABLE, BENCH_FORMAT_JSON, BENCH_FORMAT_CSV } BenchFormat;

// A kernel with the settings it is timed at.
typedef struct BenchKernel {
    SoilKernel kernel;
    int substeps;
    int iterations;
    bool first_only; // timed with the first grain count alone: the yardstick is slow
} BenchKernel;

typedef struct BenchOptions {
    int grains[BENCH_LIST_MAX];
    int grains_count;
    int threads[BENCH_LIST_MAX];
    int threads_count;
    BenchKernel kernels[BENCH_LIST_MAX];
    int kernels_count;
    int layers;           // depth of the bed in diameters, 0: as deep as wide
    int frames;           // timed, per variant
    const char* isa;      // NULL: the best this CPU has
    const char* save_bed; // NULL, or a file for the settled bed of the first grain count
    BenchFormat format;
    bool help;
} BenchOptions;

// False after one sentence on stderr. `argv` are the words after "bench".
bool bench_options_parse(BenchOptions* options, int argc, char** argv);
const char* bench_options_usage(void);

#endif
