// view_math - 4 x 4 matrices of the picture.
//
// Does:     perspective, parallel projection, looking, products; column by column as GL wants them.
// Does not: take part in a simulation step: libm is welcome here.
// Units:    metres, radians; clip space runs from -1 to 1 on all axes.
#ifndef VIEW_MATH_H
#define VIEW_MATH_H

#include "base/base_math.h"

#include <math.h>

typedef struct ViewMat {
    float m[16]; // column c, row r at 4c + r
} ViewMat;

// Three rows of four: rotation (and scale) with the translation in the last column.
typedef struct ViewPose {
    float row[3][4];
} ViewPose;

static inline ViewMat view_mat_identity(void)
{
    return (ViewMat){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

static inline ViewMat view_mat_mul(const ViewMat* a, const ViewMat* b)
{
    ViewMat out;
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 4; ++r)
            out.m[4 * c + r] = a->m[r] * b->m[4 * c] + a->m[4 + r] * b->m[4 * c + 1] +
                               a->m[8 + r] * b->m[4 * c + 2] + a->m[12 + r] * b->m[4 * c + 3];
    return out;
}

static inline ViewMat view_mat_perspective(float fov_y, float aspect, float near, float far)
{
    float f = 1.0f / tanf(0.5f * fov_y);
    ViewMat out = {{0}};
    out.m[0] = f / aspect, out.m[5] = f;
    out.m[10] = (far + near) / (near - far), out.m[11] = -1.0f;
    out.m[14] = 2.0f * far * near / (near - far);
    return out;
}

static inline ViewMat view_mat_parallel(float half_x, float half_y, float near, float far)
{
    ViewMat out = {{0}};
    out.m[0] = 1.0f / half_x, out.m[5] = 1.0f / half_y;
    out.m[10] = -2.0f / (far - near), out.m[14] = -(far + near) / (far - near);
    out.m[15] = 1.0f;
    return out;
}

// `forward` is a unit vector; `up` need not be square to it.
static inline ViewMat view_mat_look(Vec3 eye, Vec3 forward, Vec3 up)
{
    Vec3 right = vec3_unit(vec3_cross(forward, up)), over = vec3_cross(right, forward);
    ViewMat out = {{right.x, over.x, -forward.x, 0, right.y, over.y, -forward.y, 0, right.z, over.z,
                    -forward.z, 0, -vec3_dot(right, eye), -vec3_dot(over, eye),
                    vec3_dot(forward, eye), 1}};
    return out;
}

// Clip coordinates of a point.
static inline void view_mat_point(const ViewMat* a, Vec3 p, float out[4])
{
    for (int r = 0; r < 4; ++r)
        out[r] = a->m[r] * p.x + a->m[4 + r] * p.y + a->m[8 + r] * p.z + a->m[12 + r];
}

static inline ViewPose view_pose(Vec3 position, Quat rotation)
{
    Vec3 x = quat_rotate(rotation, vec3(1, 0, 0)), y = quat_rotate(rotation, vec3(0, 1, 0));
    Vec3 z = quat_rotate(rotation, vec3(0, 0, 1));
    return (ViewPose){
        {{x.x, y.x, z.x, position.x}, {x.y, y.y, z.y, position.y}, {x.z, y.z, z.z, position.z}}};
}

static inline Vec3 view_pose_point(const ViewPose* a, Vec3 p)
{
    float out[3];
    for (int r = 0; r < 3; ++r)
        out[r] = a->row[r][0] * p.x + a->row[r][1] * p.y + a->row[r][2] * p.z + a->row[r][3];
    return vec3(out[0], out[1], out[2]);
}

static inline Vec3 view_lerp(Vec3 a, Vec3 b, float t)
{
    return vec3_mad(a, vec3_sub(b, a), t);
}

// The short way round; equal rotations give themselves.
static inline Quat view_nlerp(Quat a, Quat b, float t)
{
    float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0f ? -1.0f : 1.0f;
    Quat q = {a.x + (sign * b.x - a.x) * t, a.y + (sign * b.y - a.y) * t,
              a.z + (sign * b.z - a.z) * t, a.w + (sign * b.w - a.w) * t};
    float n = 1.0f / __builtin_sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (Quat){q.x * n, q.y * n, q.z * n, q.w * n};
}

#endif
