#include "base/base_trig.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define NOT_A_NUMBER (__builtin_nan(""))
#define INFINITE     (__builtin_inf())

// Adding and subtracting this rounds a double below 2^51 to the nearest whole number.
#define ROUNDER 0x1.8p52

// pi/2 and log 2 in pieces. The leading pieces have so many zero bits at the end that their
// products with the whole numbers below (at most 2^20 and 2^11) are exact.
static const double HALF_PI_1 = 0x1.921fb54400000p+0;  // 33 bits
static const double HALF_PI_2 = 0x1.0b4611a600000p-34; // the next 33 bits
static const double HALF_PI_3 = 0x1.3198a2e037073p-69; // the rest
static const double TWO_BY_PI = 0x1.45f306dc9c883p-1;
static const double LOG2_HI = 0x1.62e42fee00000p-1; // 32 bits
static const double LOG2_LO = 0x1.a39ef35793c76p-33;
static const double ONE_BY_LOG2 = 0x1.71547652b82fep+0;

// as double and remainder
static const double PI_HI = 0x1.921fb54442d18p+1, PI_LO = 0x1.1a62633145c07p-53;
static const double HALF_PI_HI = 0x1.921fb54442d18p+0, HALF_PI_LO = 0x1.1a62633145c07p-54;

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool is_negative(double x)
{
    return bits_of(x) >> 63 != 0;
}

static double absolute(double x)
{
    return from_bits(bits_of(x) & ~(UINT64_C(1) << 63));
}

static double with_sign_of(double magnitude, double sign)
{
    return is_negative(sign) ? -magnitude : magnitude;
}

// --- sine and cosine -----------------------------------------------------------------------

// An angle as quadrant * pi/2 + hi + lo, |hi| <= pi/4
typedef struct Reduced {
    int quadrant; // 0..3
    double hi, lo;
} Reduced;

static Reduced reduce_angle(double x)
{
    double n = (x * TWO_BY_PI + ROUNDER) - ROUNDER;

    // a - b exactly as difference + error (Knuth's two-sum), for b with 53 significant bits
    double a = x - n * HALF_PI_1;
    double b = n * HALF_PI_2;
    double difference = a - b;
    double b_seen = a - difference;
    double error = (a - (difference + b_seen)) + (b_seen - b);

    double rest = error - n * HALF_PI_3;
    double hi = difference + rest;
    double lo = (difference - hi) + rest;
    return (Reduced){.quadrant = (int)((int64_t)n & 3), .hi = hi, .lo = lo};
}

// sin(x + tail) for |x| <= pi/4; the x^17 term is the last above 2^-54
static double sin_series(double x, double tail)
{
    double z = x * x;
    double p = 1.0 / 355687428096000.0;
    p = p * z - 1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;

    // x - x^3/6 + x^5 p + tail cos x, small terms first
    return x + ((x * z) * (z * p - 1.0 / 6.0) + tail * (1.0 - 0.5 * z));
}

// cos(x + tail) for |x| <= pi/4
static double cos_series(double x, double tail)
{
    double z = x * x;
    double p = -1.0 / 6402373705728000.0;
    p = p * z + 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;

    // 1 - z/2 loses bits when rounded: carry what it lost
    double half = 0.5 * z;
    double main = 1.0 - half;
    double lost = (1.0 - main) - half;
    return main + (lost + (z * z * p - x * tail));
}

static double sin_quadrant(double x, int shift)
{
    Reduced r = reduce_angle(x);
    int quadrant = (r.quadrant + shift) & 3;
    double value = quadrant & 1 ? cos_series(r.hi, r.lo) : sin_series(r.hi, r.lo);
    return quadrant & 2 ? -value : value;
}

double base_sin(double x)
{
    // tiny: sin x rounds to x, and -0 stays -0
    if (absolute(x) < 0x1p-27) {
        return x;
    }
    return absolute(x) <= BASE_TRIG_ANGLE_MAX ? sin_quadrant(x, 0) : NOT_A_NUMBER;
}

double base_cos(double x)
{
    return absolute(x) <= BASE_TRIG_ANGLE_MAX ? sin_quadrant(x, 1) : NOT_A_NUMBER;
}

// --- arctangent ----------------------------------------------------------------------------

// atan(k/8) = hi + lo
static const struct {
    double hi, lo;
} atan_eighths[9] = {
    {0.0, 0.0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

// An angle as hi + lo, |lo| below an ulp of hi or so
typedef struct Angle {
    double hi, lo;
} Angle;

// atan(num/den) for 0 <= num <= den, by atan(t) = atan(c) + atan((t - c) / (1 + t c)), c = k/8.
static Angle atan_ratio(double num, double den)
{
    double ratio = num / den;
    int k = ratio < 0.125 ? 0 : (int)(8.0 * ratio + 0.5);
    double c = 0.125 * k;
    double t = k == 0 ? ratio : (num - c * den) / (den + c * num);

    // |t| <= 1/8: eight terms reach 2^-57
    double z = t * t;
    double p = 1.0 / 17.0;
    p = 1.0 / 15.0 - z * p;
    p = 1.0 / 13.0 - z * p;
    p = 1.0 / 11.0 - z * p;
    p = 1.0 / 9.0 - z * p;
    p = 1.0 / 7.0 - z * p;
    p = 1.0 / 5.0 - z * p;
    p = 1.0 / 3.0 - z * p;
    double bend = t * z * p;
    if (k == 0) {
        return (Angle){t, -bend};
    }
    return (Angle){atan_eighths[k].hi, t + (atan_eighths[k].lo - bend)};
}

// minuend - angle, without the rounding of a single double
static Angle angle_from(double hi, double lo, Angle angle)
{
    return (Angle){hi - angle.hi, ((hi - (hi - angle.hi)) - angle.hi) + (lo - angle.lo)};
}

// atan2 in the first quadrant, for finite values that are not both 0
static Angle atan_quadrant(double y, double x)
{
    // keep products and quotients away from overflow and from subnormal rounding
    double larger = y > x ? y : x;
    if (larger > 0x1p1000) {
        y *= 0x1p-60;
        x *= 0x1p-60;
    } else if (larger < 0x1p-900) {
        y *= 0x1p120;
        x *= 0x1p120;
    }
    if (y > x) {
        return angle_from(HALF_PI_HI, HALF_PI_LO, atan_ratio(x, y));
    }
    return atan_ratio(y, x);
}

double base_atan(double x)
{
    return base_atan2(x, 1.0);
}

double base_atan2(double y, double x)
{
    if (x != x || y != y) {
        return NOT_A_NUMBER;
    }
    double ay = absolute(y);
    double ax = absolute(x);

    // infinities become a ratio of 0, 1 or infinity; so does 0/0, which C defines as the angle 0
    if (ay == INFINITE || ax == INFINITE) {
        ay = ay == INFINITE;
        ax = ax == INFINITE;
    } else if (ay == 0.0 && ax == 0.0) {
        ax = 1.0;
    }
    Angle angle = atan_quadrant(ay, ax);
    if (is_negative(x)) {
        angle = angle_from(PI_HI, PI_LO, angle);
    }
    return with_sign_of(angle.hi + angle.lo, y);
}

double base_asin(double x)
{
    return absolute(x) <= 1.0 ? base_atan2(x, __builtin_sqrt((1.0 - x) * (1.0 + x))) : NOT_A_NUMBER;
}

double base_acos(double x)
{
    return absolute(x) <= 1.0 ? base_atan2(__builtin_sqrt((1.0 - x) * (1.0 + x)), x) : NOT_A_NUMBER;
}

// --- exponential and logarithm -------------------------------------------------------------

// x * 2^n for n in -2044..2046; in two steps, since 2^n alone may not be a double
static double scale(double x, int n)
{
    int half = n / 2;
    x *= from_bits((uint64_t)(half + 1023) << 52);
    return x * from_bits((uint64_t)(n - half + 1023) << 52);
}

double base_exp(double x)
{
    if (x != x) {
        return x;
    }
    if (x > 709.8) {
        return INFINITE;
    }
    if (x < -745.2) {
        return 0.0;
    }

    // x = n log 2 + r, |r| <= 0.35, r = hi - lo
    double n = (x * ONE_BY_LOG2 + ROUNDER) - ROUNDER;
    double hi = x - n * LOG2_HI;
    double lo = n * LOG2_LO;
    double r = hi - lo;
    double tail = (hi - r) - lo;

    // 1 + r + r^2 p with the r^13 term as the last above 2^-56
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    return scale(1.0 + (r + (r * r * p + tail)), (int)n);
}

double base_log_d(double x)
{
    if (!(x > 0.0) || x == INFINITE) {
        return x == 0.0 ? -INFINITE : x == INFINITE ? x : NOT_A_NUMBER;
    }
    int exponent = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        exponent = -54;
    }

    // x = m 2^exponent with m in sqrt(1/2)..sqrt(2)
    uint64_t bits = bits_of(x);
    exponent += (int)(bits >> 52) - 1023;
    double m = from_bits((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        ++exponent;
    }

    // log(1 + f) = f - f^2/2 + s (f^2/2 + series), s = f / (2 + f), |s| <= 0.1716
    double f = m - 1.0;
    double s = f / (2.0 + f);
    double z = s * s;
    double p = 2.0 / 23.0;
    p = p * z + 2.0 / 21.0;
    p = p * z + 2.0 / 19.0;
    p = p * z + 2.0 / 17.0;
    p = p * z + 2.0 / 15.0;
    p = p * z + 2.0 / 13.0;
    p = p * z + 2.0 / 11.0;
    p = p * z + 2.0 / 9.0;
    p = p * z + 2.0 / 7.0;
    p = p * z + 2.0 / 5.0;
    p = p * z + 2.0 / 3.0;
    double half = 0.5 * f * f;
    double curved = s * (half + z * p);
    double n = exponent;
    return n * LOG2_HI - ((half - (curved + n * LOG2_LO)) - f);
}

double base_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0) {
        return 1.0;
    }
    return base_exp(y * base_log_d(x));
}

// --- float ---------------------------------------------------------------------------------

float base_sinf(float x)
{
    return (float)base_sin((double)x);
}

float base_cosf(float x)
{
    return (float)base_cos((double)x);
}

float base_atanf(float x)
{
    return (float)base_atan((double)x);
}

float base_atan2f(float y, float x)
{
    return (float)base_atan2((double)y, (double)x);
}

float base_asinf(float x)
{
    return (float)base_asin((double)x);
}

float base_acosf(float x)
{
    return (float)base_acos((double)x);
}

float base_expf(float x)
{
    return (float)base_exp((double)x);
}

float base_logf(float x)
{
    return (float)base_log_d((double)x);
}

float base_powf(float x, float y)
{
    return (float)base_pow((double)x, (double)y);
}
