// bench_machine - timings of a machine's step: at rest, at work with every kind of row, and four of
// them on one site.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

// argv[0] is the word "machine".
int bench_machine_main(int argc, char** argv);

#endif
