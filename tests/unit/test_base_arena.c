// base_arena: aligned, zero, bounded.
#include "base/base_arena.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unity.h>

static BaseArena arena;

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, 1000));
}

void tearDown(void)
{
    base_arena_free(&arena);
}

static bool is_zero(const unsigned char* bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

// Pieces of odd sizes are aligned, zero and apart.
static void pieces_are_aligned_zero_and_apart(void)
{
    unsigned char* last_end = arena.base;
    for (size_t bytes = 1; bytes <= 129; bytes += 32) {
        unsigned char* piece = base_arena_alloc(&arena, bytes);
        TEST_ASSERT_EQUAL_UINT64(0, (uintptr_t)piece % BASE_ARENA_ALIGN);
        TEST_ASSERT_TRUE(piece >= last_end && is_zero(piece, bytes));
        memset(piece, 0xff, bytes);
        last_end = piece + bytes;
    }
}

// The last byte can be used, the one behind it cannot be had.
static void arena_ends_where_it_says(void)
{
    TEST_ASSERT_EQUAL_UINT64(1024, arena.size);
    TEST_ASSERT_NULL(base_arena_try_alloc(&arena, 1025));
    TEST_ASSERT_NULL(base_arena_try_alloc(&arena, SIZE_MAX));
    unsigned char* all = base_arena_try_alloc(&arena, 1024);
    TEST_ASSERT_NOT_NULL(all);
    all[1023] = 1;
    TEST_ASSERT_NULL(base_arena_try_alloc(&arena, 1));
}

// Rewound memory is handed out again, zero.
static void rewind_gives_back_zero(void)
{
    base_arena_alloc(&arena, 65);
    size_t mark = arena.used;
    unsigned char* first = base_arena_alloc(&arena, 77);
    memset(first, 0xff, 77);
    base_arena_rewind(&arena, mark);
    unsigned char* second = base_arena_alloc(&arena, 77);
    TEST_ASSERT_EQUAL_PTR(first, second);
    TEST_ASSERT_TRUE(is_zero(second, 77));
}

// A reservation far above this machine's use costs nothing until it is touched.
static void large_arena_is_backed_lazily(void)
{
    BaseArena large;
    TEST_ASSERT_TRUE(base_arena_init(&large, (size_t)1 << 36));
    unsigned char* all = base_arena_alloc(&large, (size_t)1 << 36);
    all[((size_t)1 << 36) - 1] = 7;
    TEST_ASSERT_EQUAL_UINT8(0, all[(size_t)1 << 35]);
    base_arena_free(&large);
}

static void impossible_size_is_refused(void)
{
    BaseArena none;
    TEST_ASSERT_FALSE(base_arena_init(&none, SIZE_MAX));
    TEST_ASSERT_FALSE(base_arena_init(&none, (size_t)1 << 60));
    TEST_ASSERT_NULL(none.base);
    base_arena_free(&none);
}

// Overflow is our bug and stops the program; seen from a child process.
static void overflow_aborts(void)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        base_arena_alloc(&arena, 2000);
        _exit(0);
    }
    int status = 0;
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    TEST_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(pieces_are_aligned_zero_and_apart);
    RUN_TEST(arena_ends_where_it_says);
    RUN_TEST(rewind_gives_back_zero);
    RUN_TEST(large_arena_is_backed_lazily);
    RUN_TEST(impossible_size_is_refused);
    RUN_TEST(overflow_aborts);
    return UNITY_END();
}
