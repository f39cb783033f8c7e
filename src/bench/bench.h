// bench - timings of the simulation, per phase, tied to the quality at the same settings.
//
// Does:     `mattock bench ...`: settle a bed of equal spheres, time every kernel, grain count and
//           thread count on it in turns, and print a table, JSON or CSV.
// Does not: judge physics (see lab) or compare with other engines (see tests/bench/peers).
// Units:    seconds inside, milliseconds on paper.
// Threads:  the calling thread, which owns one pool of jobs per thread count.
#ifndef BENCH_H
#define BENCH_H

// argv[0] is the word "bench". 0 fine, 1 thread counts disagree about the bits, 2 wrong usage,
// 4 out of memory, 5 a file cannot be written.
int bench_main(int argc, char** argv);

#endif
