// bench_report - puts a run on paper: a table for people, JSON or CSV for programs.
//
// Does:     print all variants and the ratios between them, beside the goals they have.
// Does not: fail a run for a missed goal; a busy machine may miss one.
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench/bench_soil.h"

// False when stdout refused.
bool bench_report(const BenchRun* run, const BenchOptions* options, bool same_bits);

#endif
