// A cabin: two sides with rims, bands across along the edges of its outline, panes in between.
#include "view/view_mesh_maker.h"

#include <math.h>
#include <string.h>

#define WALL  0.05f  // m, thickness of posts and sheets
#define GLASS 0.006f // m
#define SAME  1e-3f  // m, nearer points are one
#define SEAL  0.022f // m, width of the rubber round a pane

// Appends a point unless it is where the last one is.
static int add_point(float* out, int n, float x, float y)
{
    bool same = n >= 2 && fabsf(out[n - 2] - x) + fabsf(out[n - 1] - y) < SAME;
    if (same || n + 2 > 2 * VIEW_MESH_POLY_MAX)
        return n;
    out[n] = x;
    out[n + 1] = y;
    return n + 2;
}

// The part of an outline above (sign 1) or below (sign -1) a height; returns how many floats.
static int clip(const ViewMeshPoly* poly, float height, float sign, float* out)
{
    int n = 0;
    for (int i = 0; i < poly->count; ++i) {
        const float *a = poly->corner[i].p, *b = poly->corner[(i + 1) % poly->count].p;
        float da = (a[1] - height) * sign, db = (b[1] - height) * sign;
        if (da >= 0.0f)
            n = add_point(out, n, a[0], a[1]);
        if ((da > 0.0f && db < 0.0f) || (da < 0.0f && db > 0.0f))
            n = add_point(out, n, a[0] + (b[0] - a[0]) * da / (da - db), height);
    }
    if (n >= 4 && fabsf(out[n - 2] - out[0]) + fabsf(out[n - 1] - out[1]) < SAME)
        n -= 2;
    return n;
}

static void outline_of(const ViewMeshMaker* m, const MachineLookCab* cab, ViewMeshPoly* poly)
{
    view_mesh_poly(poly, cab->outline, cab->outline_count, view_mesh_near(m) ? cab->round : 0.0f,
                   NULL, true, view_mesh_near(m));
}

// An outline cut at the belt, as a poly; false when nothing is left.
static bool cut_side(const ViewMeshMaker* m, const MachineLookCab* cab, float inset, float height,
                     float sign, float round, ViewMeshPoly* out)
{
    ViewMeshPoly poly, inner;
    float points[2 * VIEW_MESH_POLY_MAX];
    outline_of(m, cab, &poly);
    view_mesh_poly_inset(&inner, &poly, inset);
    int floats = clip(&inner, height, sign, points);
    if (floats < 6)
        return false;
    view_mesh_poly(out, points, floats, round, NULL, true, view_mesh_near(m));
    return true;
}

// A straight piece across the cabin from a to b in the side's plane, with its inside.
static void band(ViewMeshMaker* m, const float a[2], const float b[2], const float na[2],
                 const float nb[2], const float span[2])
{
    Vec3 out_a = vec3(na[0], na[1], 0), out_b = vec3(nb[0], nb[1], 0);
    Vec3 a0 = vec3(a[0], a[1], span[0]), a1 = vec3(a[0], a[1], span[1]);
    Vec3 b0 = vec3(b[0], b[1], span[0]), b1 = vec3(b[0], b[1], span[1]);
    view_mesh_quad(m, (Vec3[4]){a0, b0, b1, a1}, (Vec3[4]){out_a, out_b, out_b, out_a});
    Vec3 c0 = vec3_mad(a0, out_a, -WALL), c1 = vec3_mad(a1, out_a, -WALL);
    Vec3 d0 = vec3_mad(b0, out_b, -WALL), d1 = vec3_mad(b1, out_b, -WALL);
    Vec3 in_a = vec3_mul(out_a, -1.0f), in_b = vec3_mul(out_b, -1.0f);
    view_mesh_quad(m, (Vec3[4]){c0, d0, d1, c1}, (Vec3[4]){in_a, in_b, in_b, in_a});
    Vec3 along = vec3_unit(vec3_sub(b0, a0)), back = vec3_mul(along, -1.0f);
    view_mesh_quad(m, (Vec3[4]){a0, a1, c1, c0}, (Vec3[4]){back, back, back, back});
    view_mesh_quad(m, (Vec3[4]){b0, b1, d1, d0}, (Vec3[4]){along, along, along, along});
}

static void toward(const float a[2], const float b[2], float way, float out[2])
{
    float length = hypotf(b[0] - a[0], b[1] - a[1]);
    out[0] = a[0] + (b[0] - a[0]) * way / length;
    out[1] = a[1] + (b[1] - a[1]) * way / length;
}

// Calls for every edge across the cabin; the straight pieces of the outline are its edges in order.
typedef void EdgeFunction(ViewMeshMaker* m, const MachineLookCab* cab, const ViewMeshCorner* a,
                          const ViewMeshCorner* b, const char* pane);

static void each_edge(ViewMeshMaker* m, const MachineLookCab* cab, EdgeFunction* call)
{
    ViewMeshPoly poly;
    outline_of(m, cab, &poly);
    int edge = 0;
    for (int i = 0; i < poly.count; ++i) {
        const ViewMeshCorner *a = &poly.corner[i], *b = &poly.corner[(i + 1) % poly.count];
        float same = a->behind[0] * b->before[0] + a->behind[1] * b->before[1];
        bool straight = same > 0.99999f;
        call(m, cab, a, b, straight && edge < cab->pane_count ? cab->panes[edge] : "sheet");
        edge += straight;
    }
}

static void edge_frame(ViewMeshMaker* m, const MachineLookCab* cab, const ViewMeshCorner* a,
                       const ViewMeshCorner* b, const char* pane)
{
    float inner[2] = {cab->span[0] + 0.4f * WALL, cab->span[1] - 0.4f * WALL};
    if (strcmp(pane, "sheet") == 0) {
        band(m, a->p, b->p, a->behind, b->before, inner);
        return;
    }
    float c[2], d[2];
    toward(a->p, b->p, 0.6f * cab->post, c);
    toward(b->p, a->p, 0.6f * cab->post, d);
    band(m, a->p, c, a->behind, a->behind, inner);
    band(m, d, b->p, b->before, b->before, inner);
}

static void edge_glass(ViewMeshMaker* m, const MachineLookCab* cab, const ViewMeshCorner* a,
                       const ViewMeshCorner* b, const char* pane)
{
    if (strcmp(pane, "glass") != 0)
        return;
    float z0 = cab->span[0] + 0.5f * WALL, z1 = cab->span[1] - 0.5f * WALL;
    Vec3 n = vec3(a->behind[0], a->behind[1], 0), back = vec3_mul(n, -1.0f);
    Vec3 p[4] = {vec3(a->p[0], a->p[1], z0), vec3(b->p[0], b->p[1], z0), vec3(b->p[0], b->p[1], z1),
                 vec3(a->p[0], a->p[1], z1)};
    Vec3 q[4];
    for (int i = 0; i < 4; ++i) {
        p[i] = vec3_mad(p[i], n, -0.3f * WALL);
        q[i] = vec3_mad(p[i], n, -GLASS);
    }
    view_mesh_quad(m, p, (Vec3[4]){n, n, n, n});
    view_mesh_quad(m, q, (Vec3[4]){back, back, back, back});
}

// From the outer face of a side inwards, `from` and `to` metres deep.
static ViewMeshSweep side_sweep(const MachineLookCab* cab, int side, float from, float to,
                                float bevel)
{
    ViewMeshSweep sweep = {.bevel = bevel};
    sweep.span[0] = side == 0 ? cab->span[0] + from : cab->span[1] - to;
    sweep.span[1] = side == 0 ? cab->span[0] + to : cab->span[1] - from;
    return sweep;
}

void view_mesh_cab_frame(ViewMeshMaker* m, const MachineLookCab* cab, int seal)
{
    ViewMeshPoly poly, low, pane;
    int material = m->material;
    outline_of(m, cab, &poly);
    bool belted =
        cut_side(m, cab, 0.5f * cab->post, cab->belt + 0.5f * cab->post, -1.0f, 0.0f, &low);
    bool glazed = cut_side(m, cab, cab->post - 0.002f, cab->belt + 0.5f * cab->post, 1.0f,
                           0.5f * cab->round, &pane);
    for (int side = 0; side < 2; ++side) {
        ViewMeshSweep rim = side_sweep(cab, side, 0.0f, WALL, 0.012f);
        view_mesh_ring(m, &poly, cab->post, &rim);
        ViewMeshSweep sheet = side_sweep(cab, side, 0.15f * WALL, 0.9f * WALL, 0.0f);
        if (belted)
            view_mesh_extrude(m, &low, &sheet);
        ViewMeshSweep rubber = side_sweep(cab, side, 0.1f * WALL, 0.7f * WALL, 0.0f);
        m->material = seal;
        if (glazed && view_mesh_near(m))
            view_mesh_ring(m, &pane, SEAL, &rubber);
        m->material = material;
    }
    each_edge(m, cab, edge_frame);
}

void view_mesh_cab_glass(ViewMeshMaker* m, const MachineLookCab* cab)
{
    ViewMeshPoly pane;
    for (int side = 0; side < 2; ++side) {
        ViewMeshSweep sheet = side_sweep(cab, side, 0.4f * WALL, 0.4f * WALL + GLASS, 0.0f);
        if (cut_side(m, cab, cab->post, cab->belt + 0.5f * cab->post, 1.0f, 0.5f * cab->round,
                     &pane))
            view_mesh_extrude(m, &pane, &sheet);
    }
    each_edge(m, cab, edge_glass);
}
