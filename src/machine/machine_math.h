// machine_math - vectors, matrices and spatial vectors in double, for the rig.
//
// Spatial vectors hold their angular half in `a` and their linear half in `l`, both in world axes,
// taken at the rig's point of reference: the root's origin.
#ifndef MACHINE_MATH_H
#define MACHINE_MATH_H

#include "base/base_math.h"
#include "base/base_trig.h"

typedef struct D3 {
    double x, y, z;
} D3;

typedef struct M3 {
    D3 x, y, z; // columns: where the axes of the body point
} M3;

typedef struct D4 {
    double x, y, z, w;
} D4;

typedef struct S6 {
    D3 a, l;
} S6;

static inline D3 d3(double x, double y, double z)
{
    return (D3){x, y, z};
}

static inline D3 d3_from(Vec3 v)
{
    return (D3){(double)v.x, (double)v.y, (double)v.z};
}

static inline Vec3 d3_to(D3 v)
{
    return (Vec3){(float)v.x, (float)v.y, (float)v.z};
}

static inline D3 d3_add(D3 a, D3 b)
{
    return (D3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline D3 d3_sub(D3 a, D3 b)
{
    return (D3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline D3 d3_mul(D3 a, double s)
{
    return (D3){a.x * s, a.y * s, a.z * s};
}

static inline D3 d3_mad(D3 a, D3 b, double s)
{
    return (D3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

static inline double d3_dot(D3 a, D3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline D3 d3_cross(D3 a, D3 b)
{
    return (D3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double d3_length(D3 a)
{
    return __builtin_sqrt(d3_dot(a, a));
}

static inline D3 d3_unit(D3 a)
{
    double length = d3_length(a);
    return length > 0.0 ? d3_mul(a, 1.0 / length) : a;
}

static inline D3 m3_mul(const M3* m, D3 v)
{
    return d3_mad(d3_mad(d3_mul(m->x, v.x), m->y, v.y), m->z, v.z);
}

// by the transpose
static inline D3 m3_tmul(const M3* m, D3 v)
{
    return (D3){d3_dot(m->x, v), d3_dot(m->y, v), d3_dot(m->z, v)};
}

static inline M3 m3_of(D4 q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (M3){{1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy)},
                {2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx)},
                {2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy)}};
}

// first q, then p
static inline D4 d4_mul(D4 p, D4 q)
{
    return (D4){p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
                p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
}

static inline D4 d4_unit(D4 q)
{
    double s = 1.0 / __builtin_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (D4){q.x * s, q.y * s, q.z * s, q.w * s};
}

// about a unit axis
static inline D4 d4_about(D3 axis, double angle)
{
    double s = base_sin(0.5 * angle);
    return (D4){axis.x * s, axis.y * s, axis.z * s, base_cos(0.5 * angle)};
}

static inline S6 s6_mad(S6 a, S6 b, double s)
{
    return (S6){d3_mad(a.a, b.a, s), d3_mad(a.l, b.l, s)};
}

static inline S6 s6_add(S6 a, S6 b)
{
    return (S6){d3_add(a.a, b.a), d3_add(a.l, b.l)};
}

static inline double s6_dot(S6 a, S6 b)
{
    return d3_dot(a.a, b.a) + d3_dot(a.l, b.l);
}

// Change of motion m as seen from something that moves with v.
static inline S6 s6_cross(S6 v, S6 m)
{
    return (S6){d3_cross(v.a, m.a), d3_add(d3_cross(v.a, m.l), d3_cross(v.l, m.a))};
}

// The same of a force or momentum f.
static inline S6 s6_cross_force(S6 v, S6 f)
{
    return (S6){d3_add(d3_cross(v.a, f.a), d3_cross(v.l, f.l)), d3_cross(v.a, f.l)};
}

// A rigid body's mass as the rig adds it up: all at the point of reference, in world axes.
typedef struct MachineInertia {
    double mass;                   // kg
    D3 first;                      // kg m, mass x centre
    double xx, yy, zz, xy, xz, yz; // kg m2
} MachineInertia;

static inline S6 inertia_mul(const MachineInertia* i, S6 v)
{
    D3 spin = {i->xx * v.a.x + i->xy * v.a.y + i->xz * v.a.z,
               i->xy * v.a.x + i->yy * v.a.y + i->yz * v.a.z,
               i->xz * v.a.x + i->yz * v.a.y + i->zz * v.a.z};
    return (S6){d3_add(spin, d3_cross(i->first, v.l)),
                d3_add(d3_mul(v.l, i->mass), d3_cross(v.a, i->first))};
}

#endif
