// base_trig - sine, arctangent, exponential and friends that give the same bits everywhere.
//
// Does:     compute from + - * / and sqrt alone, which IEEE 754 fixes to the last bit; libm's own
//           functions differ between versions and CPUs and are therefore unfit for a simulation.
// Does not: raise errno or promise floating-point exception flags.
// Units:    radians.
// Error:    at most 1 ulp for the double functions where no other figure stands, hence at most
//           0.501 ulp for the float ones, which compute in double and round once.
// Method:   Cody and Waite, "Software Manual for the Elementary Functions", 1980: reduce the
//           argument with constants split so that the products are exact, then a Taylor series
//           long enough for 53 bits.
#ifndef BASE_TRIG_H
#define BASE_TRIG_H

// Largest angle that is reduced exactly. Beyond it, at infinities and at NaN, the result is NaN:
// wrap angles, a million turns are a fault.
#define BASE_TRIG_ANGLE_MAX 1.0e6

double base_sin(double x);
double base_cos(double x);

// -pi/2..pi/2
double base_atan(double x);

// -pi..pi, with the signed zeros and infinities of C's atan2; 1.5 ulp.
double base_atan2(double y, double x);

// x in -1..1, else NaN; asin 2 ulp, acos 2 ulp.
double base_asin(double x);
double base_acos(double x);

// 0 below -745.2, infinity above 709.8.
double base_exp(double x);

// Natural logarithm; -infinity at 0, NaN below.
double base_log_d(double x);

// x^y as exp(y log x) for x >= 0, else NaN. Relative error at most (1 + |y log x|) 2.5e-16:
// fine for the laws of soil, poor where y log x is in the hundreds.
double base_pow(double x, double y);

float base_sinf(float x);
float base_cosf(float x);
float base_atanf(float x);
float base_atan2f(float y, float x);
float base_asinf(float x);
float base_acosf(float x);
float base_expf(float x);
float base_logf(float x);
float base_powf(float x, float y);

#endif
