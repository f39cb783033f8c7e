// base_memory: zero, and backed at once.
#include "base/base_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unity.h>

#define BYTES ((size_t)8 << 20)

void setUp(void) {}

void tearDown(void) {}

// Pages of `bytes` that lie in memory now, whole ones only.
static size_t backed(const unsigned char* memory, size_t bytes, size_t* whole)
{
    static unsigned char is[BYTES / 4096 + 2];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), count = 0;
    uintptr_t first = ((uintptr_t)memory + page - 1) / page * page;
    *whole = ((uintptr_t)memory + bytes - first) / page;
    TEST_ASSERT_EQUAL_INT(0, mincore((void*)first, *whole * page, is));
    for (size_t k = 0; k < *whole; ++k)
        count += is[k] & 1;
    return count;
}

// What calloc hands out lies nowhere until a step writes to it; this does.
static void pages_are_backed_before_they_are_used(void)
{
    size_t whole;
    unsigned char* lazy = calloc(BYTES, 1);
    unsigned char* ready = base_memory(BYTES / 8, 8);
    TEST_ASSERT_NOT_NULL(ready);
    TEST_ASSERT_EQUAL_UINT64(0, ready[0] | ready[BYTES / 2] | ready[BYTES - 1]);
    TEST_ASSERT_NOT_NULL(lazy);
    TEST_ASSERT_LESS_THAN_UINT64(backed(ready, BYTES, &whole), backed(lazy, BYTES, &whole));
    TEST_ASSERT_EQUAL_UINT64(whole, backed(ready, BYTES, &whole));
    free(lazy);
    free(ready);
}

static void nothing_is_something_small(void)
{
    void* nothing = base_memory(0, 4);
    TEST_ASSERT_NOT_NULL(nothing);
    free(nothing);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(pages_are_backed_before_they_are_used);
    RUN_TEST(nothing_is_something_small);
    return UNITY_END();
}
