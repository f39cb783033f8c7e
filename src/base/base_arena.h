// base_arena - one block of memory, handed out from the front.
//
// Does:     reserve address space once; the system backs it page by page as it is touched.
// Does not: free single pieces, grow, or take part in a step (allocate before, not during).
// Promise:  every piece begins on a 64-byte boundary and is zero.
// Threads:  one owner.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#define BASE_ARENA_ALIGN 64 // a cache line, and the widest vector

typedef struct BaseArena {
    unsigned char* base; // [size]
    size_t size;         // bytes
    size_t used;         // bytes; everything behind is zero
} BaseArena;

// False when the system refuses; the arena is then empty and safe to free.
bool base_arena_init(BaseArena* arena, size_t bytes);
void base_arena_free(BaseArena* arena);

// Has all of it backed now, so that no step waits for a page and memory does not grow while it is used.
// False when the system has not as much.
bool base_arena_touch(BaseArena* arena);

// A full arena is our bug: asserts.
void* base_arena_alloc(BaseArena* arena, size_t bytes);

// For sizes that come out of files: NULL when the arena is full.
void* base_arena_try_alloc(BaseArena* arena, size_t bytes);

// Gives back everything handed out since `used` had this value.
void base_arena_rewind(BaseArena* arena, size_t used);

#endif
