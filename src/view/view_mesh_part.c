// The shapes of a look, made of outlines and solids.
#include "view/view_mesh_maker.h"

#include <math.h>

#define WELD       0.012f // m, of the bead between web and flange
#define EDGE_BEVEL 0.004f // m, of cut plate

void view_mesh_plate(ViewMeshMaker* m, const MachineLookPlate* s)
{
    ViewMeshPoly poly;
    ViewMeshSweep sweep = {.axis = s->axis,
                           .span = {s->span[0], s->span[1]},
                           .bevel = s->bevel,
                           .taper = {s->taper[0], s->taper[1]},
                           .lean = {s->lean[0], s->lean[1]}};
    view_mesh_poly(&poly, s->outline, s->outline_count, s->round,
                   s->round_count > 0 ? s->rounds : NULL, true, view_mesh_near(m));
    if (s->frame > 0.0f)
        view_mesh_ring(m, &poly, s->frame, &sweep);
    else
        view_mesh_extrude(m, &poly, &sweep);
}

// A bead of weld along the flange, on the web's face at z.
static void weld(ViewMeshMaker* m, const ViewMeshPoly* poly, float flange, float z, float side)
{
    ViewMeshPoly root, toe;
    view_mesh_poly_inset(&root, poly, flange);
    view_mesh_poly_inset(&toe, poly, flange + WELD);
    for (int i = 0; i < poly->count; ++i) {
        int j = (i + 1) % poly->count;
        const float *a = root.corner[i].p, *b = root.corner[j].p;
        const float *c = toe.corner[j].p, *d = toe.corner[i].p;
        const float* n = poly->corner[i].behind;
        Vec3 p[4] = {vec3(a[0], a[1], z + side * WELD), vec3(b[0], b[1], z + side * WELD),
                     vec3(c[0], c[1], z), vec3(d[0], d[1], z)};
        Vec3 in = vec3(-n[0], -n[1], 0.3f * side), out = vec3(-0.3f * n[0], -0.3f * n[1], side);
        view_mesh_quad(m, p, (Vec3[4]){in, in, out, out});
    }
}

void view_mesh_beam(ViewMeshMaker* m, const MachineLookBeam* s)
{
    ViewMeshPoly poly, web;
    float half = 0.5f * s->width, inner = half - s->lip;
    ViewMeshSweep whole = {.span = {-half, half}, .bevel = EDGE_BEVEL};
    view_mesh_poly(&poly, s->outline, s->outline_count, s->round,
                   s->round_count > 0 ? s->rounds : NULL, true, view_mesh_near(m));
    if (!view_mesh_near(m)) {
        view_mesh_extrude(m, &poly, &whole);
        return;
    }
    view_mesh_poly_inset(&web, &poly, s->flange);
    view_mesh_extrude(m, &web, &(ViewMeshSweep){.span = {-inner, inner}});
    view_mesh_ring(m, &poly, s->flange, &whole);
    weld(m, &poly, s->flange, inner, 1.0f);
    weld(m, &poly, s->flange, -inner, -1.0f);
}

void view_mesh_sheet(ViewMeshMaker* m, const MachineLookSheet* s)
{
    ViewMeshPoly line, poly;
    view_mesh_poly(&line, s->profile, s->profile_count, s->round, NULL, false, view_mesh_near(m));
    view_mesh_poly_thick(&poly, &line, s->thickness);
    view_mesh_extrude(
        m, &poly,
        &(ViewMeshSweep){.axis = s->axis, .span = {s->span[0], s->span[1]}, .bevel = s->bevel});
}

static void box(ViewMeshMaker* m, Vec3 center, Vec3 size, float round, float bevel,
                MachineLookAxis axis)
{
    Vec3 c = center, h = vec3_mul(size, 0.5f);
    float u = c.x, v = c.y, w = c.z, a = h.x, b = h.y, d = h.z;
    if (axis == MACHINE_LOOK_AXIS_X)
        u = c.z, w = c.x, a = h.z, d = h.x;
    if (axis == MACHINE_LOOK_AXIS_Y)
        v = c.z, w = c.y, b = h.z, d = h.y;
    float corners[8] = {u - a, v - b, u + a, v - b, u + a, v + b, u - a, v + b};
    ViewMeshPoly poly;
    view_mesh_poly(&poly, corners, 8, view_mesh_near(m) ? round : 0.0f, NULL, true, true);
    view_mesh_extrude(m, &poly,
                      &(ViewMeshSweep){.axis = axis, .span = {w - d, w + d}, .bevel = bevel});
}

void view_mesh_box(ViewMeshMaker* m, const MachineLookBox* s)
{
    box(m, s->center, s->size, s->round, s->bevel, s->axis);
}

static int sides_for(const ViewMeshMaker* m, float radius)
{
    if (!view_mesh_near(m))
        return radius > 0.25f ? 10 : 6;
    return radius < 0.04f ? 8 : radius < 0.12f ? 12 : radius < 0.3f ? 18 : 28;
}

static void turned(ViewMeshMaker* m, const float* profile, int floats, float round, Vec3 center,
                   MachineLookAxis axis)
{
    ViewMeshPoly line;
    float widest = 0.0f;
    for (int i = 1; i < floats; i += 2)
        widest = fmaxf(widest, profile[i]);
    view_mesh_poly(&line, profile, floats, round, NULL, false, view_mesh_near(m));
    view_mesh_lathe(m, &line, center, axis, sides_for(m, widest));
}

void view_mesh_turned(ViewMeshMaker* m, const MachineLookLathe* s)
{
    turned(m, s->profile, s->profile_count, s->round, s->center, s->axis);
}

// --- teeth ---------------------------------------------------------------------------------------

// A wedge along +x from the origin: root and point are rectangles.
static void wedge(ViewMeshMaker* m, float length, float width, float height, float width_end,
                  float height_end)
{
    float outline[8] = {0,      -0.5f * height,    length, -0.5f * height_end,
                        length, 0.5f * height_end, 0,      0.5f * height};
    ViewMeshPoly poly;
    view_mesh_poly(&poly, outline, 8, 0.0f, NULL, true, false);
    Vec3 p[2][4];
    for (int i = 0; i < 4; ++i) {
        const float* q = poly.corner[i].p;
        float half = 0.5f * (width + (width_end - width) * q[0] / length);
        p[0][i] = vec3(q[0], q[1], -half);
        p[1][i] = vec3(q[0], q[1], half);
    }
    float lean = 0.5f * (width - width_end) / length;
    Vec3 left = vec3(lean, 0, -1), right = vec3(lean, 0, 1);
    view_mesh_quad(m, p[0], (Vec3[4]){left, left, left, left});
    view_mesh_quad(m, p[1], (Vec3[4]){right, right, right, right});
    for (int i = 0; i < 4; ++i) {
        int j = (i + 1) % 4;
        const float* n = poly.corner[i].behind;
        Vec3 normal = vec3(n[0], n[1], 0);
        view_mesh_quad(m, (Vec3[4]){p[0][i], p[0][j], p[1][j], p[1][i]},
                       (Vec3[4]){normal, normal, normal, normal});
    }
}

void view_mesh_teeth(ViewMeshMaker* m, const MachineLookTeeth* s, int adapter)
{
    int material = m->material;
    for (int i = 0; i < s->count; ++i) {
        float t = s->count > 1 ? (float)i / (float)(s->count - 1) : 0.5f;
        Vec3 at = vec3_mad(s->from, vec3_sub(s->to, s->from), t);
        ViewMeshPlace place = view_mesh_place(m, at, s->direction);
        if (view_mesh_near(m)) {
            // the adapter clasps the lip, the point is pushed over its nose
            ViewMeshPlace before = view_mesh_place(m, vec3(-0.55f * s->length, 0, 0), 0.0f);
            m->material = adapter;
            wedge(m, 0.85f * s->length, s->width * 0.8f, s->height * 1.25f, s->width * 0.75f,
                  s->height * 1.05f);
            m->material = material;
            view_mesh_place_back(m, before);
            before = view_mesh_place(m, vec3(0.1f * s->length, 0, 0), 0.0f);
            wedge(m, 0.4f * s->length, s->width, s->height * 1.2f, s->width * 0.92f,
                  s->height * 0.85f);
            view_mesh_place_back(m, before);
            before = view_mesh_place(m, vec3(0.5f * s->length, 0, 0), 0.0f);
            wedge(m, 0.5f * s->length, s->width * 0.92f, s->height * 0.85f, s->width * 0.8f,
                  s->height * 0.16f);
            view_mesh_place_back(m, before);
        } else {
            wedge(m, s->length, s->width, s->height, s->width * 0.8f, s->height * 0.15f);
        }
        view_mesh_place_back(m, place);
    }
}

// --- cylinders and linkage -----------------------------------------------------------------------

// A boss across the pin at x.
static void boss(ViewMeshMaker* m, float x, float radius, float width)
{
    float half = 0.5f * width, edge = 0.08f * radius;
    if (!view_mesh_near(m)) {
        turned(m, (float[]){-half, 0, -half, radius, half, radius, half, 0}, 8, 0.0f, vec3(x, 0, 0),
               MACHINE_LOOK_AXIS_Z);
        return;
    }
    turned(m,
           (float[]){-half, 0, -half, radius - edge, -half + edge, radius, half - edge, radius,
                     half, radius - edge, half, 0},
           12, 0.0f, vec3(x, 0, 0), MACHINE_LOOK_AXIS_Z);
}

void view_mesh_barrel(ViewMeshMaker* m, float length, float radius, float eye)
{
    boss(m, 0.0f, eye, 1.5f * radius);
    if (!view_mesh_near(m)) {
        turned(m, (float[]){0, radius, length, radius, length, 0}, 6, 0.0f, vec3(0, 0, 0),
               MACHINE_LOOK_AXIS_X);
        return;
    }
    turned(m,
           (float[]){0.6f * eye, 0, 0.6f * eye, 0.75f * radius, eye, radius, length - 0.9f * radius,
                     radius, length - 0.9f * radius, 1.14f * radius, length - 0.1f * radius,
                     1.14f * radius, length, 1.0f * radius, length, 0},
           16, 0.0f, vec3(0, 0, 0), MACHINE_LOOK_AXIS_X);
    // the port block and its pipe to the head
    box(m, vec3(1.4f * eye, radius * 1.1f, 0), vec3(0.7f * radius, 0.5f * radius, 0.5f * radius),
        0.01f, 0.006f, MACHINE_LOOK_AXIS_Z);
    float top = radius * 1.28f, r = 0.16f * radius;
    view_mesh_tube(m,
                   (float[]){1.4f * eye, top, 0, length - 0.6f * radius, top, 0,
                             length - 0.5f * radius, radius, 0},
                   9, r, 0.05f);
}

void view_mesh_rod(ViewMeshMaker* m, float length, float radius, float eye)
{
    boss(m, 0.0f, eye, 2.2f * radius);
    ViewMeshPoly line; // rounder than its radius asks for: it shines
    view_mesh_poly(&line, (float[]){0.5f * eye, radius, length, radius}, 4, 0.0f, NULL, false,
                   false);
    view_mesh_lathe(m, &line, vec3(0, 0, 0), MACHINE_LOOK_AXIS_X, view_mesh_near(m) ? 14 : 5);
}

void view_mesh_bar(ViewMeshMaker* m, float length, float thickness, float height, float space)
{
    float h = 0.5f * height, w = 0.36f * height, edge = 0.5f * thickness;
    float outline[] = {-h,         -h, h,          -h, 0.5f * length, -w, length - h,    -h,
                       length + h, -h, length + h, h,  length - h,    h,  0.5f * length, w,
                       h,          h,  -h,         h};
    ViewMeshPoly poly;
    view_mesh_poly(&poly, outline, 20, 0.95f * h, NULL, true, view_mesh_near(m));
    for (int side = -1; side <= 1; side += 2) {
        float z = 0.5f * space * (float)side;
        view_mesh_extrude(m, &poly,
                          &(ViewMeshSweep){.span = {z - edge, z + edge}, .bevel = 0.008f});
    }
    boss(m, 0.0f, 0.55f * h, space + 2.2f * thickness);
    boss(m, length, 0.55f * h, space + 2.2f * thickness);
}
