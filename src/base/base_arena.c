#include "base/base_arena.h"

#include "base/base_assert.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static size_t round_up(size_t bytes)
{
    return (bytes + BASE_ARENA_ALIGN - 1) & ~(size_t)(BASE_ARENA_ALIGN - 1);
}

bool base_arena_init(BaseArena* arena, size_t bytes)
{
    *arena = (BaseArena){0};
    if (bytes > SIZE_MAX / 2) {
        return false;
    }
    size_t size = bytes > 0 ? round_up(bytes) : BASE_ARENA_ALIGN;

    // fresh pages are zero, page-aligned, and cost nothing until touched
    void* base = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return false;
    }
    arena->base = base;
    arena->size = size;
    return true;
}

void base_arena_free(BaseArena* arena)
{
    if (arena->base != NULL) {
        munmap(arena->base, arena->size);
    }
    *arena = (BaseArena){0};
}

bool base_arena_touch(BaseArena* arena)
{
    const size_t page = 4096;
    if (madvise(arena->base, arena->size, MADV_POPULATE_WRITE) == 0) {
        return true;
    }
    if (errno != EINVAL) {
        return false;
    }
    // systems before Linux 5.14: write to every page what is there
    for (size_t at = 0; at < arena->size; at += page) {
        volatile unsigned char* byte = arena->base + at;
        *byte = *byte;
    }
    return true;
}

void* base_arena_try_alloc(BaseArena* arena, size_t bytes)
{
    if (bytes > arena->size - arena->used) {
        return NULL;
    }
    // size is a multiple of the alignment, so the rounded piece still fits
    void* piece = arena->base + arena->used;
    arena->used += round_up(bytes);
    return piece;
}

void* base_arena_alloc(BaseArena* arena, size_t bytes)
{
    void* piece = base_arena_try_alloc(arena, bytes);
    BASE_ASSERT(piece != NULL);
    return piece;
}

void base_arena_rewind(BaseArena* arena, size_t used)
{
    BASE_ASSERT(used <= arena->used && used % BASE_ARENA_ALIGN == 0);
    memset(arena->base + used, 0, arena->used - used);
    arena->used = used;
}
