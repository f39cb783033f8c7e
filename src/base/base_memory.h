// base_memory - memory that is there when it is needed.
//
// Does:     zeroed memory whose pages are backed at once, so that no step waits for one and a program does
//           not grow while it works.
// Does not: align beyond what malloc does, or take part in a step (allocate before, not during).
// Threads:  any.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

// NULL when the system has not as much; free() gives it back. Nothing is asked for: something small.
void* base_memory(size_t count, size_t size);

#endif
