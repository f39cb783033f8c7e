#include "coupling/coupling_hold.h"

// m: nearer to a plate's middle counts as crossed, for places are known to a hundredth of that
#define HOLD_NEAR 1e-4f
// Ways that were bent so often and are barred still end where they began, seen from the steel.
#define HOLD_BENDS 4

// A wall across a grain's way: it may not come below `offset` along `normal`.
typedef struct HoldWall {
    float t; // 0..1 of the way, where it is met
    Vec3 normal;
    float offset; // m, of the steel's face
} HoldWall;

static void hold_meets(HoldWall* first, float t, Vec3 normal, float offset)
{
    if (t < first->t) {
        *first = (HoldWall){t, normal, offset};
    }
}

// Is the middle crossed on a way between these heights over it, and where? `side` is that of the start.
static bool hold_crosses(float from, float to, float* side, float* t)
{
    *side = from >= 0.0f ? 1.0f : -1.0f;
    if (*side * to >= HOLD_NEAR) {
        return false;
    }
    float fall = from - to;
    *t = fall != 0.0f ? base_clampf(from / fall, 0.0f, 1.0f) : 1.0f;
    return true;
}

static void hold_shell(const CouplingPlate* p, float rim, Vec3 from, Vec3 to, HoldWall* first)
{
    float half = 0.5f * p->shape->thickness, side, t;
    float a = (from.y - p->ay) * p->tx - (from.x - p->ax) * p->ty + half;
    float b = (to.y - p->ay) * p->tx - (to.x - p->ax) * p->ty + half;
    if (!hold_crosses(a, b, &side, &t)) {
        return;
    }
    Vec3 at = vec3_mad(from, vec3_sub(to, from), t);
    float along = (at.x - p->ax) * p->tx + (at.y - p->ay) * p->ty;
    if (along >= p->middle_a && along <= p->middle_b &&
        __builtin_fabsf(at.z) <= p->shape->half_width + rim) {
        Vec3 normal = vec3(-p->ty * side, p->tx * side, 0.0f);
        float inner = p->ay * p->tx - p->ax * p->ty;
        hold_meets(first, t, normal, side > 0.0f ? inner : 2.0f * half - inner);
    }
}

static void hold_cheek(const MachineShape* shape, float rim, Vec3 from, Vec3 to, HoldWall* first)
{
    float side, t, x, y;
    if (!hold_crosses(from.z - shape->z, to.z - shape->z, &side, &t)) {
        return;
    }
    Vec3 at = vec3_mad(from, vec3_sub(to, from), t);
    if (coupling_steel_outline(shape, at.x, at.y, &x, &y) ||
        (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y) < rim * rim) {
        hold_meets(first, t, vec3(0.0f, 0.0f, side), side * shape->z + 0.5f * shape->thickness);
    }
}

// Through which face does the way lead into a box? `t` where; false when it misses, or began inside.
static bool hold_enters(Vec3 half, Vec3 from, Vec3 to, int* face, float* t)
{
    const float p[3] = {from.x, from.y, from.z}, q[3] = {to.x, to.y, to.z};
    const float h[3] = {half.x, half.y, half.z};
    float in = -1.0f, out = 1.0f;
    for (int k = 0; k < 3; ++k) {
        float way = q[k] - p[k], sign = p[k] >= 0.0f ? 1.0f : -1.0f;
        if (sign * p[k] > h[k]) {
            if (sign * q[k] > h[k]) {
                return false;
            }
            float here = (sign * h[k] - p[k]) / way; // 0..1: it comes through this face's plane
            if (here > in) {
                in = here, *face = k;
            }
        }
        if (__builtin_fabsf(q[k]) > h[k]) {
            float end = q[k] >= 0.0f ? 1.0f : -1.0f;
            out = base_minf(out, (end * h[k] - p[k]) / way);
        }
    }
    *t = in;
    return in >= 0.0f && in <= out;
}

bool coupling_hold_box(Vec3 half, Vec3 from, Vec3* to, float radius)
{
    int face;
    float t;
    if (!hold_enters(half, from, *to, &face, &t)) {
        return false;
    }
    switch (face) {
    case 0: to->x = from.x >= 0.0f ? half.x + radius : -half.x - radius; break;
    case 1: to->y = from.y >= 0.0f ? half.y + radius : -half.y - radius; break;
    default: to->z = from.z >= 0.0f ? half.z + radius : -half.z - radius; break;
    }
    return true;
}

static void hold_solid_box(const CouplingSolid* solid, Vec3 from, Vec3 to, HoldWall* first)
{
    const MachineShape* shape = solid->shape;
    float c = solid->c, s = solid->s, t;
    Vec3 a = vec3_sub(from, shape->center), b = vec3_sub(to, shape->center);
    Vec3 p = vec3(a.x * c + a.y * s, a.y * c - a.x * s, a.z);
    Vec3 q = vec3(b.x * c + b.y * s, b.y * c - b.x * s, b.z);
    int face;
    if (!hold_enters(shape->half, p, q, &face, &t)) {
        return;
    }
    float sign, half;
    Vec3 normal;
    switch (face) {
    case 0: sign = p.x, half = shape->half.x, normal = vec3(c, s, 0.0f); break;
    case 1: sign = p.y, half = shape->half.y, normal = vec3(-s, c, 0.0f); break;
    default: sign = p.z, half = shape->half.z, normal = vec3(0.0f, 0.0f, 1.0f); break;
    }
    normal = vec3_mul(normal, sign >= 0.0f ? 1.0f : -1.0f);
    hold_meets(first, t, normal, vec3_dot(normal, shape->center) + half);
}

// Nearest point of a capsule's axis.
static Vec3 hold_axis(const MachineShape* shape, Vec3 at)
{
    Vec3 axis = vec3_sub(shape->b, shape->a);
    float length2 = vec3_dot(axis, axis);
    float t = length2 > 0.0f ? vec3_dot(vec3_sub(at, shape->a), axis) / length2 : 0.0f;
    return vec3_mad(shape->a, axis, base_clampf(t, 0.0f, 1.0f));
}

// Squared distance of a way and an axis, neither a point: where both lines are nearest, or at an end.
static float hold_apart2(const MachineShape* shape, Vec3 from, Vec3 way)
{
    Vec3 axis = vec3_sub(shape->b, shape->a), off = vec3_sub(from, shape->a);
    float a = vec3_dot(way, way), e = vec3_dot(axis, axis), b = vec3_dot(way, axis);
    float c = vec3_dot(way, off), f = vec3_dot(axis, off), det = a * e - b * b;
    float s = det > 1e-6f * a * e ? base_clampf((b * f - c * e) / det, 0.0f, 1.0f) : 0.0f;
    float t = e > 0.0f ? (b * s + f) / e : 0.0f;
    if (t < 0.0f || t > 1.0f || e == 0.0f) {
        t = base_clampf(t, 0.0f, 1.0f);
        s = base_clampf((b * t - c) / a, 0.0f, 1.0f);
    }
    Vec3 apart = vec3_sub(vec3_mad(from, way, s), vec3_mad(shape->a, axis, t));
    return vec3_dot(apart, apart);
}

// The capsule lies behind the plane that touches it where it is nearest to the start; a way that ends
// before that plane is free.
static void hold_capsule(const MachineShape* shape, Vec3 from, Vec3 to, HoldWall* first)
{
    Vec3 nearest = hold_axis(shape, from), away = vec3_sub(from, nearest), way = vec3_sub(to, from);
    float far = vec3_length(away), r = shape->radius;
    if (far < r || far < 1e-6f) {
        return; // began inside
    }
    Vec3 normal = vec3_mul(away, 1.0f / far);
    float fall = -vec3_dot(normal, way);
    if (far - fall < r && hold_apart2(shape, from, way) < r * r) {
        hold_meets(first, (far - r) / fall, normal, vec3_dot(normal, nearest) + r);
    }
}

static HoldWall hold_first(const CouplingSteel* steel, Vec3 from, Vec3 to)
{
    HoldWall first = {.t = 2.0f};
    for (int n = 0; n < steel->plate_count; ++n) {
        const CouplingPlate* p = &steel->plate[n];
        if (p->shape->kind == MACHINE_SHELL) {
            hold_shell(p, steel->rim, from, to, &first);
        } else {
            hold_cheek(p->shape, steel->rim, from, to, &first);
        }
    }
    for (int n = 0; n < steel->solid_count; ++n) {
        const CouplingSolid* solid = &steel->solid[n];
        if (solid->shape->kind == MACHINE_BOX) {
            hold_solid_box(solid, from, to, &first);
        } else {
            hold_capsule(solid->shape, from, to, &first);
        }
    }
    return first;
}

bool coupling_hold_steel(const void* context, Vec3 from, Vec3 to, float radius, Vec3* held)
{
    const CouplingSteel* steel = context;
    HoldWall wall = hold_first(steel, from, to);
    if (wall.t > 1.0f) {
        return false;
    }
    *held = to;
    for (int n = 0; n < HOLD_BENDS && wall.t <= 1.0f; ++n) {
        float short_of = wall.offset + radius - vec3_dot(wall.normal, *held);
        *held = vec3_mad(*held, wall.normal, short_of);
        wall = hold_first(steel, from, *held);
    }
    if (wall.t <= 1.0f) {
        *held = from;
    }
    return true;
}
