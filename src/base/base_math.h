// base_math - small vectors and rotations for simulation code.
//
// Does:     plain float vectors, quaternions, 3x3 products, clamps; all inline.
// Does not: call libm, allocate, or depend on the rounding mode of anything but + - * / sqrt.
// Units:    whatever the caller uses; +y is up by convention.
#ifndef BASE_MATH_H
#define BASE_MATH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define BASE_PI  3.14159265358979323846
#define BASE_DEG (BASE_PI / 180.0) // radians in a degree

typedef struct Vec3 {
    float x, y, z;
} Vec3;

typedef struct Quat {
    float x, y, z, w; // unit length, w is the scalar part
} Quat;

static inline Vec3 vec3(float x, float y, float z)
{
    return (Vec3){x, y, z};
}

static inline Vec3 vec3_add(Vec3 a, Vec3 b)
{
    return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec3 vec3_sub(Vec3 a, Vec3 b)
{
    return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vec3 vec3_mul(Vec3 a, float s)
{
    return (Vec3){a.x * s, a.y * s, a.z * s};
}

// a + b s
static inline Vec3 vec3_mad(Vec3 a, Vec3 b, float s)
{
    return (Vec3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

static inline float vec3_dot(Vec3 a, Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec3 vec3_cross(Vec3 a, Vec3 b)
{
    return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec3_length(Vec3 a)
{
    return __builtin_sqrtf(vec3_dot(a, a));
}

// The zero vector stays zero, so that callers need not ask first.
static inline Vec3 vec3_unit(Vec3 a)
{
    float length = vec3_length(a);
    return length > 0.0f ? vec3_mul(a, 1.0f / length) : a;
}

static inline float base_minf(float a, float b)
{
    return a < b ? a : b;
}

static inline float base_maxf(float a, float b)
{
    return a > b ? a : b;
}

static inline float base_clampf(float x, float lo, float hi)
{
    return base_minf(base_maxf(x, lo), hi);
}

static inline int base_mini(int a, int b)
{
    return a < b ? a : b;
}

static inline int base_maxi(int a, int b)
{
    return a > b ? a : b;
}

// Rotate v by q: v + 2 q.w (q x v) + 2 q x (q x v).
static inline Vec3 quat_rotate(Quat q, Vec3 v)
{
    Vec3 axis = {q.x, q.y, q.z};
    Vec3 t = vec3_mul(vec3_cross(axis, v), 2.0f);
    return vec3_add(vec3_mad(v, t, q.w), vec3_cross(axis, t));
}

static inline Vec3 quat_unrotate(Quat q, Vec3 v)
{
    return quat_rotate((Quat){-q.x, -q.y, -q.z, q.w}, v);
}

// q after turning with `spin` (rad/s, world) for dt: first order, then back to unit length. Exact enough
// for a frame, and no libm.
static inline Quat quat_turn(Quat q, Vec3 spin, float dt)
{
    Vec3 w = vec3_mul(spin, 0.5f * dt);
    Quat r = {q.x + w.x * q.w + w.y * q.z - w.z * q.y, q.y + w.y * q.w + w.z * q.x - w.x * q.z,
              q.z + w.z * q.w + w.x * q.y - w.y * q.x, q.w - w.x * q.x - w.y * q.y - w.z * q.z};
    float inverse = 1.0f / __builtin_sqrtf(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
    return (Quat){r.x * inverse, r.y * inverse, r.z * inverse, r.w * inverse};
}

// The bits of a float, for tests that no compiler flag can optimise away.
static inline uint32_t base_float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// False for infinities and every NaN. Looks at the exponent bits: isnan() may be folded to false.
static inline bool base_finite(float x)
{
    return (base_float_bits(x) & 0x7f800000u) != 0x7f800000u;
}

#endif
