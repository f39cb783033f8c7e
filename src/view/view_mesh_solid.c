// Solids from outlines: extruded, as a rim, turned, swept along a path.
#include "view/view_mesh_maker.h"

#include "base/base_trig.h"

#include <math.h>
#include <stdlib.h>

#define FIRST_ROOM 4096

// --- collecting ----------------------------------------------------------------------------------

static bool room_for(void** items, int* room, int count, size_t size)
{
    if (count < *room)
        return true;
    int wanted = *room > 0 ? *room * 2 : FIRST_ROOM;
    void* grown = realloc(*items, (size_t)wanted * size);
    if (!grown)
        return false;
    *items = grown;
    *room = wanted;
    return true;
}

// Turned, mirrored, moved.
static Vec3 placed(const ViewMeshMaker* m, Vec3 v, bool point)
{
    Vec3 out = {v.x * m->cos_turn - v.y * m->sin_turn, v.x * m->sin_turn + v.y * m->cos_turn, v.z};
    if (point)
        out = vec3_add(out, m->move);
    if (m->mirrored)
        out.z = -out.z;
    return out;
}

ViewMeshPlace view_mesh_place(ViewMeshMaker* m, Vec3 at, float angle)
{
    ViewMeshPlace old = {m->cos_turn, m->sin_turn, m->move};
    float c = base_cosf(angle), s = base_sinf(angle);
    m->move = vec3_add(m->move, vec3(at.x * old.cos_turn - at.y * old.sin_turn,
                                     at.x * old.sin_turn + at.y * old.cos_turn, at.z));
    m->cos_turn = old.cos_turn * c - old.sin_turn * s;
    m->sin_turn = old.sin_turn * c + old.cos_turn * s;
    return old;
}

void view_mesh_place_back(ViewMeshMaker* m, ViewMeshPlace place)
{
    m->cos_turn = place.cos_turn;
    m->sin_turn = place.sin_turn;
    m->move = place.move;
}

uint32_t view_mesh_vertex(ViewMeshMaker* m, Vec3 position, Vec3 normal)
{
    if (!room_for((void**)&m->vertices, &m->vertex_room, m->vertex_count, sizeof *m->vertices)) {
        m->full = true;
        return 0;
    }
    Vec3 p = placed(m, position, true), n = placed(m, vec3_unit(normal), false);
    m->vertices[m->vertex_count] = (ViewMeshVertex){
        {p.x, p.y, p.z}, {n.x, n.y, n.z}, (uint16_t)m->material, (uint16_t)m->part};
    return (uint32_t)m->vertex_count++;
}

static Vec3 vec_of(const float v[3])
{
    return vec3(v[0], v[1], v[2]);
}

// Turns the triangle to the side that its normals show; a triangle without area is left out.
void view_mesh_triangle(ViewMeshMaker* m, uint32_t a, uint32_t b, uint32_t c)
{
    if (m->full ||
        !room_for((void**)&m->indices, &m->index_room, m->index_count + 2, sizeof *m->indices)) {
        m->full = true;
        return;
    }
    const ViewMeshVertex *p = &m->vertices[a], *q = &m->vertices[b], *r = &m->vertices[c];
    Vec3 face = vec3_cross(vec3_sub(vec_of(q->position), vec_of(p->position)),
                           vec3_sub(vec_of(r->position), vec_of(p->position)));
    Vec3 wanted = vec3_add(vec_of(p->normal), vec3_add(vec_of(q->normal), vec_of(r->normal)));
    if (vec3_dot(face, face) < 1e-14f)
        return;
    bool turned = vec3_dot(face, wanted) < 0.0f;
    m->indices[m->index_count++] = a;
    m->indices[m->index_count++] = turned ? c : b;
    m->indices[m->index_count++] = turned ? b : c;
}

void view_mesh_quad(ViewMeshMaker* m, const Vec3 p[4], const Vec3 n[4])
{
    uint32_t v[4];
    for (int i = 0; i < 4; ++i)
        v[i] = view_mesh_vertex(m, p[i], n[i]);
    view_mesh_triangle(m, v[0], v[1], v[2]);
    view_mesh_triangle(m, v[0], v[2], v[3]);
}

// --- faces ---------------------------------------------------------------------------------------

static Vec3 on_axis(MachineLookAxis axis, float u, float v, float w)
{
    switch (axis) {
    case MACHINE_LOOK_AXIS_X: return vec3(w, v, u);
    case MACHINE_LOOK_AXIS_Y: return vec3(u, w, v);
    default: return vec3(u, v, w);
    }
}

static float cross2(const float* a, const float* b, const float* c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Corner b of the remaining polygon is an ear when it is convex and holds no other corner.
static bool is_ear(const ViewMeshPoly* poly, const int* left, int count, int k)
{
    const float* a = poly->corner[left[(k + count - 1) % count]].p;
    const float* b = poly->corner[left[k]].p;
    const float* c = poly->corner[left[(k + 1) % count]].p;
    if (cross2(a, b, c) <= 0.0f)
        return false;
    for (int i = 0; i < count; ++i) {
        const float* p = poly->corner[left[i]].p;
        if (p == a || p == b || p == c)
            continue;
        if (cross2(a, b, p) >= 0.0f && cross2(b, c, p) >= 0.0f && cross2(c, a, p) >= 0.0f)
            return false;
    }
    return true;
}

// A flat face at height w, by cutting ears.
static void face(ViewMeshMaker* m, const ViewMeshPoly* poly, const ViewMeshSweep* sweep, float w,
                 const float lean[2], float side)
{
    int left[VIEW_MESH_POLY_MAX], count = poly->count;
    uint32_t vertex[VIEW_MESH_POLY_MAX];
    for (int i = 0; i < count; ++i) {
        const float* p = poly->corner[i].p;
        left[i] = i;
        vertex[i] = view_mesh_vertex(m, on_axis(sweep->axis, p[0] + lean[0], p[1] + lean[1], w),
                                     on_axis(sweep->axis, 0.0f, 0.0f, side));
    }
    while (count > 2) {
        int ear = 0;
        while (ear < count && !is_ear(poly, left, count, ear))
            ++ear;
        if (ear == count)
            ear = 0; // an outline that crosses itself: cut anyway, so that this ends
        view_mesh_triangle(m, vertex[left[(ear + count - 1) % count]], vertex[left[ear]],
                           vertex[left[(ear + 1) % count]]);
        for (int i = ear; i < count - 1; ++i)
            left[i] = left[i + 1];
        --count;
    }
}

// --- walls ---------------------------------------------------------------------------------------

// One closed line of a sweep: an outline at a height, with how its normals lean.
typedef struct Level {
    ViewMeshPoly poly;
    float w, lean[2];
    float flat; // 0: normals stand out; 1: they look along the axis (the inner edge of a bevel)
    float side; // -1, 1: which way along it
} Level;

static Vec3 level_point(const Level* level, MachineLookAxis axis, int i)
{
    const float* p = level->poly.corner[i].p;
    return on_axis(axis, p[0] + level->lean[0], p[1] + level->lean[1], level->w);
}

static Vec3 level_normal(const Level* level, MachineLookAxis axis, const float n[2], float slope,
                         float sign)
{
    float out = 1.0f - level->flat;
    return on_axis(axis, n[0] * out * sign, n[1] * out * sign,
                   level->flat * level->side + slope * out);
}

// The strip between two levels; sign -1 turns it inside out, as in a hole.
static void strip(ViewMeshMaker* m, MachineLookAxis axis, const Level* a, const Level* b,
                  float slope, float sign)
{
    int n = a->poly.count;
    for (int i = 0; i < (a->poly.closed ? n : n - 1); ++i) {
        int j = (i + 1) % n;
        const float *from = a->poly.corner[i].behind, *to = a->poly.corner[j].before;
        Vec3 p[4] = {level_point(a, axis, i), level_point(a, axis, j), level_point(b, axis, j),
                     level_point(b, axis, i)};
        Vec3 normal[4] = {
            level_normal(a, axis, from, slope, sign), level_normal(a, axis, to, slope, sign),
            level_normal(b, axis, to, slope, sign), level_normal(b, axis, from, slope, sign)};
        view_mesh_quad(m, p, normal);
    }
}

typedef struct Levels {
    Level cap0, wall0, wall1, cap1;
    float bevel, slope;
} Levels;

static void set_level(Level* level, const ViewMeshPoly* poly, const ViewMeshSweep* sweep, float w,
                      float inset, float flat, float side)
{
    float t = (w - sweep->span[0]) / (sweep->span[1] - sweep->span[0]);
    view_mesh_poly_inset(&level->poly, poly,
                         inset + sweep->taper[0] + t * (sweep->taper[1] - sweep->taper[0]));
    level->w = w;
    level->lean[0] = sweep->lean[0] * t;
    level->lean[1] = sweep->lean[1] * t;
    level->flat = flat;
    level->side = side;
}

// `by` is +1 for an outer wall, -1 for the wall of a hole, where bevels widen.
static void set_levels(Levels* l, const ViewMeshMaker* m, const ViewMeshPoly* poly,
                       const ViewMeshSweep* sweep, float by)
{
    float length = sweep->span[1] - sweep->span[0];
    l->bevel = view_mesh_near(m) ? fminf(sweep->bevel, 0.45f * length) : 0.0f;
    l->slope = (sweep->taper[1] - sweep->taper[0]) / length;
    set_level(&l->cap0, poly, sweep, sweep->span[0], by * l->bevel, 1.0f, -1.0f);
    set_level(&l->wall0, poly, sweep, sweep->span[0] + l->bevel, 0.0f, 0.0f, -1.0f);
    set_level(&l->wall1, poly, sweep, sweep->span[1] - l->bevel, 0.0f, 0.0f, 1.0f);
    set_level(&l->cap1, poly, sweep, sweep->span[1], by * l->bevel, 1.0f, 1.0f);
}

static void walls(ViewMeshMaker* m, MachineLookAxis axis, const Levels* l, float sign)
{
    strip(m, axis, &l->wall0, &l->wall1, l->slope * sign, sign);
    if (l->bevel <= 0.0f)
        return;
    strip(m, axis, &l->cap0, &l->wall0, 0.0f, sign);
    strip(m, axis, &l->wall1, &l->cap1, 0.0f, sign);
}

void view_mesh_extrude(ViewMeshMaker* m, const ViewMeshPoly* poly, const ViewMeshSweep* sweep)
{
    Levels l;
    set_levels(&l, m, poly, sweep, 1.0f);
    walls(m, sweep->axis, &l, 1.0f);
    face(m, &l.cap0.poly, sweep, l.cap0.w, l.cap0.lean, -1.0f);
    face(m, &l.cap1.poly, sweep, l.cap1.w, l.cap1.lean, 1.0f);
}

// The flat face between the outer and the inner line of a rim.
static void rim_face(ViewMeshMaker* m, MachineLookAxis axis, const Level* outer, const Level* inner)
{
    int n = outer->poly.count;
    Vec3 up = on_axis(axis, 0.0f, 0.0f, outer->side);
    Vec3 normal[4] = {up, up, up, up};
    for (int i = 0; i < n; ++i) {
        int j = (i + 1) % n;
        Vec3 p[4] = {level_point(outer, axis, i), level_point(outer, axis, j),
                     level_point(inner, axis, j), level_point(inner, axis, i)};
        view_mesh_quad(m, p, normal);
    }
}

void view_mesh_ring(ViewMeshMaker* m, const ViewMeshPoly* poly, float rim,
                    const ViewMeshSweep* sweep)
{
    Levels outer, inner;
    ViewMeshPoly hole;
    view_mesh_poly_inset(&hole, poly, rim);
    set_levels(&outer, m, poly, sweep, 1.0f);
    set_levels(&inner, m, &hole, sweep, -1.0f);
    walls(m, sweep->axis, &outer, 1.0f);
    walls(m, sweep->axis, &inner, -1.0f);
    rim_face(m, sweep->axis, &outer.cap0, &inner.cap0);
    rim_face(m, sweep->axis, &outer.cap1, &inner.cap1);
}

// --- turned and swept ----------------------------------------------------------------------------

// Point or normal of a profile (along, out) at an angle about the axis.
static Vec3 turned(MachineLookAxis axis, float along, float out, float angle)
{
    return on_axis(axis, out * base_cosf(angle), out * base_sinf(angle), along);
}

void view_mesh_lathe(ViewMeshMaker* m, const ViewMeshPoly* profile, Vec3 center,
                     MachineLookAxis axis, int sides)
{
    int n = profile->count;
    // the right of a line that runs along the axis looks at the axis: turn it out
    float sign = profile->corner[n - 1].p[0] >= profile->corner[0].p[0] ? -1.0f : 1.0f;
    if (profile->closed)
        sign = 1.0f;
    for (int k = 0; k < sides; ++k) {
        float a = 6.2831853f * (float)k / (float)sides,
              b = 6.2831853f * (float)(k + 1) / (float)sides;
        for (int i = 0; i < (profile->closed ? n : n - 1); ++i) {
            const ViewMeshCorner *c = &profile->corner[i], *d = &profile->corner[(i + 1) % n];
            const float *u = c->behind, *v = d->before;
            Vec3 p[4] = {turned(axis, c->p[0], c->p[1], a), turned(axis, d->p[0], d->p[1], a),
                         turned(axis, d->p[0], d->p[1], b), turned(axis, c->p[0], c->p[1], b)};
            Vec3 normal[4] = {turned(axis, u[0] * sign, u[1] * sign, a),
                              turned(axis, v[0] * sign, v[1] * sign, a),
                              turned(axis, v[0] * sign, v[1] * sign, b),
                              turned(axis, u[0] * sign, u[1] * sign, b)};
            for (int q = 0; q < 4; ++q)
                p[q] = vec3_add(p[q], center);
            view_mesh_quad(m, p, normal);
        }
    }
}

// Appends points of a path whose bends are arcs (by a quadratic curve between the bend's ends).
static int bend_path(const float* path, int floats, float bend, bool fine, Vec3* out, int room)
{
    int count = floats / 3, n = 0, steps = fine ? 3 : 1;
    for (int i = 0; i < count && n < room; ++i) {
        Vec3 b = vec_of(path + 3 * i);
        if (i == 0 || i == count - 1 || bend <= 0.0f) {
            out[n++] = b;
            continue;
        }
        Vec3 to_a = vec3_sub(vec_of(path + 3 * (i - 1)), b);
        Vec3 to_c = vec3_sub(vec_of(path + 3 * (i + 1)), b);
        float reach = fminf(bend, 0.49f * fminf(vec3_length(to_a), vec3_length(to_c)));
        Vec3 a = vec3_mad(b, vec3_unit(to_a), reach), c = vec3_mad(b, vec3_unit(to_c), reach);
        for (int k = 0; k <= steps && n < room; ++k) {
            float t = (float)k / (float)steps, s = 1.0f - t;
            out[n++] = vec3_add(vec3_mul(a, s * s),
                                vec3_add(vec3_mul(b, 2.0f * s * t), vec3_mul(c, t * t)));
        }
    }
    return n;
}

static Vec3 any_across(Vec3 d)
{
    Vec3 other = fabsf(d.y) < 0.8f ? vec3(0, 1, 0) : vec3(1, 0, 0);
    return vec3_unit(vec3_cross(d, other));
}

static void tube_end(ViewMeshMaker* m, Vec3 middle, Vec3 u, Vec3 v, Vec3 out, float radius,
                     int sides)
{
    uint32_t hub = view_mesh_vertex(m, middle, out), last = 0;
    for (int k = 0; k <= sides; ++k) {
        float a = 6.2831853f * (float)k / (float)sides;
        Vec3 n = vec3_add(vec3_mul(u, base_cosf(a)), vec3_mul(v, base_sinf(a)));
        uint32_t now = view_mesh_vertex(m, vec3_mad(middle, n, radius), out);
        if (k > 0)
            view_mesh_triangle(m, hub, last, now);
        last = now;
    }
}

void view_mesh_tube(ViewMeshMaker* m, const float* path, int floats, float radius, float bend)
{
    Vec3 p[VIEW_MESH_POLY_MAX];
    bool fine = view_mesh_near(m);
    int n = bend_path(path, floats, bend, fine, p, VIEW_MESH_POLY_MAX);
    int sides = !fine ? 3 : radius < 0.013f ? 4 : radius < 0.03f ? 6 : radius < 0.06f ? 8 : 12;
    Vec3 along = vec3_unit(vec3_sub(p[1], p[0])), u = any_across(along);
    Vec3 last_u = u, last_v = vec3_cross(along, u);

    for (int i = 0; i < n; ++i) {
        Vec3 before = vec3_unit(vec3_sub(p[i], p[i > 0 ? i - 1 : 0]));
        Vec3 behind = vec3_unit(vec3_sub(p[i < n - 1 ? i + 1 : i], p[i]));
        Vec3 tangent = vec3_unit(vec3_add(before, behind));
        // carry the frame along without turning it about the tube
        u = vec3_unit(vec3_sub(last_u, vec3_mul(tangent, vec3_dot(last_u, tangent))));
        Vec3 v = vec3_cross(tangent, u);
        if (i == 0 || i == n - 1)
            tube_end(m, p[i], u, v, vec3_mul(tangent, i == 0 ? -1.0f : 1.0f), radius, sides);
        for (int k = 0; i > 0 && k < sides; ++k) {
            Vec3 q[4], normal[4];
            for (int c = 0; c < 4; ++c) {
                float a = 6.2831853f * (float)(k + (c == 1 || c == 2)) / (float)sides;
                bool here = c >= 2;
                normal[c] = vec3_add(vec3_mul(here ? u : last_u, base_cosf(a)),
                                     vec3_mul(here ? v : last_v, base_sinf(a)));
                q[c] = vec3_mad(p[here ? i : i - 1], normal[c], radius);
            }
            view_mesh_quad(m, q, normal);
        }
        last_u = u;
        last_v = v;
    }
}
