// The functions of base_trig against libm in extended precision, and at the edges of their ranges.
#include "base/base_random.h"
#include "base/base_trig.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unity.h>

#define SAMPLES 40009 // odd on purpose: a prime shares no pattern with the ranges

void setUp(void) {}
void tearDown(void) {}

typedef double (*Function)(double);
typedef long double (*Exact)(long double);

// Distance from the exact value in units of the last place of a double near it.
static double ulps(double got, long double exact)
{
    if (got == (double)exact) {
        return fabsl(got - exact) == 0 ? 0 : 0.5;
    }
    int exponent;
    frexpl(exact, &exponent);
    if (exponent < -1021) {
        exponent = -1021;
    }
    return (double)(fabsl((long double)got - exact) / ldexpl(1.0L, exponent - 53));
}

static double uniform(BaseRandom* random, double lo, double hi)
{
    uint64_t high = base_random_u32(random);
    double u = (double)(high << 21 | base_random_u32(random) >> 11) * 0x1p-53;
    return lo + (hi - lo) * u;
}

static double worst(Function function, Exact exact, double lo, double hi, uint64_t seed)
{
    BaseRandom random = base_random(seed);
    double most = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        double x = uniform(&random, lo, hi);
        most = fmax(most, ulps(function(x), exact(x)));
    }
    return most;
}

#define CLOSE(limit, function, exact, lo, hi) \
    TEST_ASSERT_TRUE_MESSAGE(worst(function, exact, lo, hi, __LINE__) <= (limit), #function)

// Sine and cosine hold to 1 ulp from the first turn to the millionth radian.
static void sine_and_cosine_match_over_their_range(void)
{
    CLOSE(1.0, base_sin, sinl, -0.8, 0.8);
    CLOSE(1.0, base_sin, sinl, -7.0, 7.0);
    CLOSE(1.0, base_sin, sinl, -BASE_TRIG_ANGLE_MAX, BASE_TRIG_ANGLE_MAX);
    CLOSE(1.0, base_cos, cosl, -0.8, 0.8);
    CLOSE(1.0, base_cos, cosl, -7.0, 7.0);
    CLOSE(1.0, base_cos, cosl, -BASE_TRIG_ANGLE_MAX, BASE_TRIG_ANGLE_MAX);
}

// Near multiples of pi/2 the result is tiny and comes from the last bits of the argument alone.
static void reduction_survives_cancellation(void)
{
    for (int n = 1; n < 600000; n += n / 7 + 1) {
        double x = n * (M_PI / 2);
        TEST_ASSERT_TRUE(ulps(base_sin(x), sinl(x)) <= 1.0);
        TEST_ASSERT_TRUE(ulps(base_cos(x), cosl(x)) <= 1.0);
    }
}

static void sine_and_cosine_at_the_edges(void)
{
    TEST_ASSERT_TRUE(base_sin(0.0) == 0.0 && !signbit(base_sin(0.0)));
    TEST_ASSERT_TRUE(signbit(base_sin(-0.0)));
    TEST_ASSERT_TRUE(base_cos(0.0) == 1.0);
    TEST_ASSERT_TRUE(base_sin(DBL_TRUE_MIN) == DBL_TRUE_MIN);
    TEST_ASSERT_TRUE(base_sin(1e-9) == 1e-9);
    TEST_ASSERT_TRUE(isnan(base_sin(INFINITY)) && isnan(base_cos(-INFINITY)));
    TEST_ASSERT_TRUE(isnan(base_sin(NAN)) && isnan(base_cos(NAN)));
    TEST_ASSERT_TRUE(isnan(base_sin(1.1e6)) && isnan(base_cos(-1e300)));
    TEST_ASSERT_TRUE(base_sin(-2.5) == -base_sin(2.5) && base_cos(-2.5) == base_cos(2.5));
}

static void arctangent_matches(void)
{
    CLOSE(1.0, base_atan, atanl, -0.07, 0.07);
    CLOSE(1.0, base_atan, atanl, -1.1, 1.1);
    CLOSE(1.0, base_atan, atanl, -40.0, 40.0);
    CLOSE(1.0, base_atan, atanl, -1e9, 1e9);
}

static void atan2_matches_in_all_quadrants_and_scales(void)
{
    BaseRandom random = base_random(7);
    double most = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        double size = ldexp(1.0, (int)(base_random_u32(&random) % 1900) - 950);
        double y = uniform(&random, -3, 3) * size;
        double x = uniform(&random, -5, 5) * size;
        most = fmax(most, ulps(base_atan2(y, x), atan2l(y, x)));
    }
    TEST_ASSERT_TRUE(most <= 1.5);
}

// Every pair of special values answers as C's atan2 does, to the sign of zero.
static void atan2_at_the_edges(void)
{
    const double values[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, DBL_TRUE_MIN, -DBL_MAX};
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) {
            double got = base_atan2(values[i], values[j]);
            double expected = atan2(values[i], values[j]);
            TEST_ASSERT_TRUE(got == expected && signbit(got) == signbit(expected));
        }
        TEST_ASSERT_TRUE(isnan(base_atan2(values[i], NAN)) && isnan(base_atan2(NAN, values[i])));
    }
}

static void asin_and_acos_match(void)
{
    CLOSE(2.0, base_asin, asinl, -1.0, 1.0);
    CLOSE(2.0, base_acos, acosl, -1.0, 1.0);
    CLOSE(2.0, base_acos, acosl, 0.999, 1.0);
    TEST_ASSERT_TRUE(base_asin(1.0) == M_PI / 2 && base_acos(-1.0) == M_PI);
    TEST_ASSERT_TRUE(base_acos(1.0) == 0.0 && isnan(base_asin(1.0000001)) && isnan(base_acos(-2)));
}

static void exponential_matches(void)
{
    CLOSE(1.0, base_exp, expl, -1.0, 1.0);
    CLOSE(1.0, base_exp, expl, -30.0, 30.0);
    CLOSE(1.0, base_exp, expl, -708.0, 709.7);
    CLOSE(1.5, base_exp, expl, -745.0, -708.0); // subnormal results round a second time
}

static void exponential_at_the_edges(void)
{
    TEST_ASSERT_TRUE(base_exp(0.0) == 1.0 && base_exp(-0.0) == 1.0);
    TEST_ASSERT_TRUE(isinf(base_exp(709.79)) && isinf(base_exp(INFINITY)));
    TEST_ASSERT_TRUE(isfinite(base_exp(709.78)));
    TEST_ASSERT_TRUE(base_exp(-745.14) == 0.0 && base_exp(-INFINITY) == 0.0);
    TEST_ASSERT_TRUE(base_exp(-745.13) == DBL_TRUE_MIN);
    TEST_ASSERT_TRUE(isnan(base_exp(NAN)));
}

static void logarithm_matches(void)
{
    CLOSE(1.0, base_log_d, logl, 0.5, 2.0);
    CLOSE(1.0, base_log_d, logl, 0.99, 1.01);
    CLOSE(1.0, base_log_d, logl, 0.0, 1e-3);
    CLOSE(1.0, base_log_d, logl, 1.0, 1e18);
    CLOSE(1.0, base_log_d, logl, DBL_TRUE_MIN, DBL_MIN);
}

static void logarithm_at_the_edges(void)
{
    TEST_ASSERT_TRUE(base_log_d(1.0) == 0.0);
    TEST_ASSERT_TRUE(base_log_d(0.0) == -INFINITY && base_log_d(-0.0) == -INFINITY);
    TEST_ASSERT_TRUE(base_log_d(INFINITY) == INFINITY && isnan(base_log_d(-1e-9)));
    TEST_ASSERT_TRUE(isnan(base_log_d(NAN)));
    TEST_ASSERT_TRUE(base_log_d(DBL_TRUE_MIN) == log(DBL_TRUE_MIN));
}

// The error of a power grows with its logarithm, as the header says and no faster.
static void power_keeps_its_promise(void)
{
    BaseRandom random = base_random(11);
    for (int i = 0; i < SAMPLES; ++i) {
        double x = uniform(&random, 0.0, 20.0);
        double y = uniform(&random, -15.0, 15.0);
        long double exact = powl(x, y);
        double allowed = (1.0 + fabs(y * log(x))) * 2.5e-16;
        TEST_ASSERT_TRUE(fabsl(base_pow(x, y) - exact) <= allowed * fabsl(exact));
    }
    TEST_ASSERT_TRUE(base_pow(0.0, 2.0) == 0.0 && base_pow(0.0, -2.0) == INFINITY);
    TEST_ASSERT_TRUE(base_pow(0.0, 0.0) == 1.0 && base_pow(3.0, 0.0) == 1.0);
    TEST_ASSERT_TRUE(isnan(base_pow(-2.0, 0.5)));
}

// The float functions are the exact value rounded once, but for a few ties nobody can see.
static void float_functions_round_once(void)
{
    BaseRandom random = base_random(13);
    int off = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        float x = base_random_range(&random, -20.0f, 20.0f);
        float y = base_random_range(&random, -20.0f, 20.0f);
        float u = x / 20.0f;
        off += base_sinf(x) != (float)sinl(x);
        off += base_cosf(x) != (float)cosl(x);
        off += base_atanf(x) != (float)atanl(x);
        off += base_atan2f(y, x) != (float)atan2l(y, x);
        off += base_asinf(u) != (float)asinl(u);
        off += base_acosf(u) != (float)acosl(u);
        off += base_expf(x) != (float)expl(x);
        off += base_logf(fabsf(x)) != (float)logl(fabsf(x));
        off += base_powf(fabsf(x), u) != (float)powl(fabsf(x), u);
    }
    TEST_ASSERT_EQUAL_INT(0, off);
}

// Fixed bits for fixed arguments: the promise the whole simulation stands on.
static void bits_are_fixed(void)
{
    const double values[] = {base_sin(0.7), base_cos(12345.6), base_atan2(-3, -4),
                             base_exp(1.0), base_log_d(10.0),  base_pow(2.5, 0.3)};
    const uint64_t expected[] = {0x3fe49d6e694619b8, 0x3fe4e62cef481db3, 0xc003fc176b7a8560,
                                 0x4005bf0a8b14576a, 0x40026bb1bbb55516, 0x3ff50fe6c94a6e58};
    uint64_t got[6];
    memcpy(got, values, sizeof got);
    for (int i = 0; i < 6; ++i) {
        TEST_ASSERT_EQUAL_HEX64(expected[i], got[i]);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(sine_and_cosine_match_over_their_range);
    RUN_TEST(reduction_survives_cancellation);
    RUN_TEST(sine_and_cosine_at_the_edges);
    RUN_TEST(arctangent_matches);
    RUN_TEST(atan2_matches_in_all_quadrants_and_scales);
    RUN_TEST(atan2_at_the_edges);
    RUN_TEST(asin_and_acos_match);
    RUN_TEST(exponential_matches);
    RUN_TEST(exponential_at_the_edges);
    RUN_TEST(logarithm_matches);
    RUN_TEST(logarithm_at_the_edges);
    RUN_TEST(power_keeps_its_promise);
    RUN_TEST(float_functions_round_once);
    RUN_TEST(bits_are_fixed);
    return UNITY_END();
}
