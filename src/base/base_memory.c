#include "base/base_memory.h"

#include <stdlib.h>

#define MEMORY_PAGE 4096 // bytes; where pages are larger, one is written to more than once

void* base_memory(size_t count, size_t size)
{
    unsigned char* memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    size_t bytes = count * size; // calloc has refused what does not fit
    for (size_t at = 0; memory && at < bytes; at += MEMORY_PAGE) {
        // a plain write of zero could be left out: it is zero already
        volatile unsigned char* byte = memory + at;
        *byte = 0;
    }
    return memory;
}
