// bench_bed - the bed of grains that all timings share.
//
// Does:     pour and settle one bed per grain count with the default kernel, and put a copy of it
//           under any other kernel, so that all of them start from the same places.
// Does not: own a scene of its own: the bed is the one of lab_scene.
#ifndef BENCH_BED_H
#define BENCH_BED_H

#include "bench/bench_options.h"

// Walls with friction; `layers` diameters deep, or about as deep as wide when 0. NULL when out of
// memory.
Soil* bench_bed_pour(int grains, int layers, Jobs* jobs);

// The same grains and walls under another kernel, at its own rest. NULL when out of memory.
Soil* bench_bed_under(Soil* bed, BenchKernel kernel, Jobs* jobs);

// The same state, bit for bit, in a soil of its own, one frame later. NULL when out of memory.
// `bytes` is the memory that the soil and its first step touched.
Soil* bench_bed_clone(Soil* bed, Jobs* jobs, size_t* bytes);

// Down-force on floor and walls in the last frame over the grains' weight.
double bench_bed_force_over_weight(Soil* bed);

// Text for other engines: "side radius", then "x y z vx vy vz" per grain, the box's corner at 0.
bool bench_bed_save(Soil* bed, const char* path);

#endif
