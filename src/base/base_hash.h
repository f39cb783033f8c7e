// base_hash - the 64-bit hash of a state, a file or a recording.
//
// Method:   XXH3-64 with seed; the same bits on every x86-64 CPU. Hash bytes whose layout is fixed:
//           no padding, no pointers.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// To hash several pieces as one, pass the hash of the pieces before as the seed.
uint64_t base_hash(const void* data, size_t bytes, uint64_t seed);

#endif
