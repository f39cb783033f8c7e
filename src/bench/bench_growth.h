// bench_growth - what more soil in motion and a larger site cost.
//
// Does:     step worlds that differ in one thing only, in turns, and compare their processor time and
//           work: the standard dig on its site and on one four times as large; grains poured beside a
//           machine, and twice as many as deep.
// Does not: judge by the clock of the wall: the ratios are of processor time of one run, and
//           tests/bench/growth.sh has them in instructions.
// Threads:  one worker per world.
#ifndef BENCH_GROWTH_H
#define BENCH_GROWTH_H

#include "sim/sim.h"

#define BENCH_GROWTH_GRAINS      4000 // poured, and twice as many
#define BENCH_GROWTH_GRAINS_GOAL 2.2  // times the cost of half as many, at most
#define BENCH_GROWTH_SITE_GOAL   1.02 // times the cost of the site, at most: nothing but noise

// The first seconds of the standard dig. NULL after one sentence on stderr.
Sim* bench_growth_dig(bool wide);

// Level loam with a machine on it and so many grains in the air beside it. NULL after one sentence
// on stderr.
World* bench_growth_pour(int grains);

// argv[0] is the word "growth".
int bench_growth_main(int argc, char** argv);

#endif
