// base_random - chance from a seed, the same on every machine.
//
// Method:   PCG32 (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
//           Algorithms for Random Number Generation", 2014).
// Does not: serve secrets.
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

typedef struct BaseRandom {
    uint64_t state;
    uint64_t inc; // odd; picks one of 2^63 streams
} BaseRandom;

// Neighbouring seeds give unrelated streams.
BaseRandom base_random(uint64_t seed);

uint32_t base_random_u32(BaseRandom* random);

// One of the 2^24 equally spaced floats of [0, 1).
float base_random_float(BaseRandom* random);

// lo <= result <= hi; rounding may yield hi itself.
float base_random_range(BaseRandom* random, float lo, float hi);

#endif
