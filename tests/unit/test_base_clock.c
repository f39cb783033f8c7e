// Measured times: clocks go forward, medians and quantiles are those of the values.
#include "base/base_clock.h"

#include "unity.h"

void setUp(void) {}

void tearDown(void) {}

static void clocks_go_forward(void)
{
    double wall = base_seconds(), process = base_seconds_process(), thread = base_seconds_thread();
    volatile double work = 0.0;
    while (base_seconds() - wall < 0.01) {
        work += 1.0;
    }
    TEST_ASSERT_TRUE(base_seconds() - wall >= 0.01);
    TEST_ASSERT_TRUE(base_seconds_process() - process > 0.0);
    TEST_ASSERT_TRUE(base_seconds_thread() - thread > 0.0);
}

// Nearest rank: always one of the values, the ends included.
static void quantiles_are_values(void)
{
    double v[5] = {7.0, -2.0, 30.0, 0.5, 4.0};
    TEST_ASSERT_EQUAL_DOUBLE(4.0, base_median(v, 5));
    TEST_ASSERT_EQUAL_DOUBLE(-2.0, v[0]);
    TEST_ASSERT_EQUAL_DOUBLE(30.0, v[4]);
    TEST_ASSERT_EQUAL_DOUBLE(-2.0, base_quantile(v, 5, 0.0));
    TEST_ASSERT_EQUAL_DOUBLE(-2.0, base_quantile(v, 5, 0.2));
    TEST_ASSERT_EQUAL_DOUBLE(0.5, base_quantile(v, 5, 0.21));
    TEST_ASSERT_EQUAL_DOUBLE(30.0, base_quantile(v, 5, 0.99));
    TEST_ASSERT_EQUAL_DOUBLE(30.0, base_quantile(v, 5, 1.0));
    double even[4] = {4.0, 3.0, 2.0, 1.0}, alone = 9.0;
    TEST_ASSERT_EQUAL_DOUBLE(2.0, base_median(even, 4));
    TEST_ASSERT_EQUAL_DOUBLE(9.0, base_median(&alone, 1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(clocks_go_forward);
    RUN_TEST(quantiles_are_values);
    return UNITY_END();
}
