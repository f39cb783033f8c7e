// base_hash: the published XXH3 values, and sensitivity to every byte.
#include "base/base_hash.h"

#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

// Fixed forever: recordings carry these values.
static void values_are_fixed(void)
{
    TEST_ASSERT_EQUAL_HEX64(0x2d06800538d394c2, base_hash("", 0, 0));
    TEST_ASSERT_EQUAL_HEX64(0x78af5f94892f3950, base_hash("abc", 3, 0));
}

// Any single flipped bit, any seed and any length gives another hash; all size classes of XXH3.
static void every_bit_counts(void)
{
    unsigned char data[1033] = {0};
    for (size_t length = 1; length <= sizeof data; length = length * 2 + 1) {
        uint64_t before = base_hash(data, length, 5);
        for (size_t i = 0; i < length; i += length / 9 + 1) {
            data[i] ^= 0x10;
            TEST_ASSERT_TRUE(base_hash(data, length, 5) != before);
            data[i] ^= 0x10;
        }
        TEST_ASSERT_TRUE(base_hash(data, length, 6) != before);
        TEST_ASSERT_TRUE(base_hash(data, length - 1, 5) != before);
        TEST_ASSERT_EQUAL_HEX64(before, base_hash(data, length, 5));
    }
}

// The address does not matter, only the bytes.
static void alignment_does_not_matter(void)
{
    unsigned char a[301], b[309];
    for (int i = 0; i < 301; ++i) {
        a[i] = (unsigned char)(i * 7);
    }
    memcpy(b + 3, a, sizeof a);
    TEST_ASSERT_EQUAL_HEX64(base_hash(a, sizeof a, 1), base_hash(b + 3, sizeof a, 1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(values_are_fixed);
    RUN_TEST(every_bit_counts);
    RUN_TEST(alignment_does_not_matter);
    return UNITY_END();
}
