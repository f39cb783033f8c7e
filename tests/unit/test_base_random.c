// base_random: the published sequence, fair, bounded, and different for different seeds.
#include "base/base_random.h"

#include <math.h>
#include <unity.h>

#define SAMPLES 100003

void setUp(void) {}
void tearDown(void) {}

// The first numbers of the author's demo program (state 42, stream 54).
static void sequence_is_pcg32(void)
{
    const uint32_t expected[] = {0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                 0x83d2f293, 0xbfa4784b, 0xcbed606e};
    BaseRandom random = {.state = 0, .inc = 54u << 1 | 1};
    base_random_u32(&random);
    random.state += 42;
    base_random_u32(&random);
    for (int i = 0; i < 6; ++i) {
        TEST_ASSERT_EQUAL_HEX32(expected[i], base_random_u32(&random));
    }
}

// Recordings and scenes depend on it: a seed means the same numbers forever.
static void seed_is_fixed(void)
{
    BaseRandom random = base_random(1);
    BaseRandom again = base_random(1);
    for (int i = 0; i < 5; ++i) {
        TEST_ASSERT_EQUAL_HEX32(base_random_u32(&again), base_random_u32(&random));
    }
    TEST_ASSERT_EQUAL_HEX64(0x910a2dec89025cc1, base_random(1).state);
}

static void floats_are_fair_and_below_one(void)
{
    BaseRandom random = base_random(3);
    double sum = 0, squares = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        float x = base_random_float(&random);
        TEST_ASSERT_TRUE(x >= 0.0f && x < 1.0f && x * 0x1p24f == floorf(x * 0x1p24f));
        sum += x;
        squares += x * x;
    }
    // four standard errors of the mean and of the mean square
    TEST_ASSERT_DOUBLE_WITHIN(4 * 0.2887 / sqrt(SAMPLES), 0.5, sum / SAMPLES);
    TEST_ASSERT_DOUBLE_WITHIN(4 * 0.2981 / sqrt(SAMPLES), 1.0 / 3, squares / SAMPLES);
}

static void range_keeps_its_ends(void)
{
    BaseRandom random = base_random(4);
    for (int i = 0; i < 1009; ++i) {
        float wide = base_random_range(&random, -3.5f, 7.25f);
        float narrow = base_random_range(&random, 1.0f, 1.0f + 0x1p-23f);
        TEST_ASSERT_TRUE(wide >= -3.5f && wide <= 7.25f);
        TEST_ASSERT_TRUE(narrow >= 1.0f && narrow <= 1.0f + 0x1p-23f);
        TEST_ASSERT_TRUE(base_random_range(&random, 2.0f, 2.0f) == 2.0f);
    }
}

// Seeds 0, 1, 2, ... share no numbers at the same place.
static void neighbouring_seeds_are_unrelated(void)
{
    double product = 0;
    for (uint64_t seed = 0; seed < 20011; ++seed) {
        BaseRandom a = base_random(seed);
        BaseRandom b = base_random(seed + 1);
        product += (base_random_float(&a) - 0.5) * (base_random_float(&b) - 0.5);
    }
    TEST_ASSERT_DOUBLE_WITHIN(4 * (1.0 / 12) / sqrt(20011), 0.0, product / 20011);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(sequence_is_pcg32);
    RUN_TEST(seed_is_fixed);
    RUN_TEST(floats_are_fair_and_below_one);
    RUN_TEST(range_keeps_its_ends);
    RUN_TEST(neighbouring_seeds_are_unrelated);
    return UNITY_END();
}
