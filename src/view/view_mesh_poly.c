// Outlines: rounded corners, insets, thick lines.
#include "view/view_mesh_maker.h"

#include "base/base_trig.h"

#include <math.h>

#define ARC_STEP_FINE  0.55f // rad between points of a rounded corner
#define ARC_STEP_PLAIN 0.9f
#define ROUND_SEEN     0.15f // m, smaller corners are sharp from afar

static void set2(float out[2], float x, float y)
{
    out[0] = x;
    out[1] = y;
}

// Unit vector from a to b.
static void direction(const float* a, const float* b, float out[2])
{
    float x = b[0] - a[0], y = b[1] - a[1];
    float length = sqrtf(x * x + y * y);
    float scale = length > 0.0f ? 1.0f / length : 0.0f;
    set2(out, x * scale, y * scale);
}

static float area2(const float* points, int count)
{
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) {
        const float *a = points + 2 * i, *b = points + 2 * ((i + 1) % count);
        sum += a[0] * b[1] - a[1] * b[0];
    }
    return sum;
}

static void add(ViewMeshPoly* poly, float x, float y, const float before[2], const float behind[2])
{
    if (poly->count == VIEW_MESH_POLY_MAX)
        return;
    ViewMeshCorner* c = &poly->corner[poly->count++];
    set2(c->p, x, y);
    set2(c->before, before[0], before[1]);
    set2(c->behind, behind[0], behind[1]);
}

// The corner b between a and c: itself, or an arc whose ends lie at most half a side away.
static void add_corner(ViewMeshPoly* poly, const float* a, const float* b, const float* c,
                       float round, float step)
{
    float in[2], out[2];
    direction(a, b, in);
    direction(b, c, out);
    float before[2] = {in[1], -in[0]}, behind[2] = {out[1], -out[0]};
    float turn = base_atan2f(in[0] * out[1] - in[1] * out[0], in[0] * out[0] + in[1] * out[1]);
    float size = fabsf(turn);
    if (round <= 0.0f || size < 0.02f || size > 3.1f) {
        add(poly, b[0], b[1], before, behind);
        return;
    }

    float half = base_sinf(size * 0.5f) / base_cosf(size * 0.5f);
    float sides = fminf(hypotf(b[0] - a[0], b[1] - a[1]), hypotf(c[0] - b[0], c[1] - b[1]));
    float back = fminf(round * half, sides * 0.499f);
    float radius = back / half * (turn > 0.0f ? 1.0f : -1.0f);
    float middle[2] = {b[0] - in[0] * back - before[0] * radius,
                       b[1] - in[1] * back - before[1] * radius};
    int steps = base_maxi(1, (int)(size / step + 0.9f));
    for (int i = 0; i <= steps; ++i) {
        float angle = turn * (float)i / (float)steps;
        float s = base_sinf(angle), k = base_cosf(angle);
        float n[2] = {before[0] * k - before[1] * s, before[0] * s + before[1] * k};
        add(poly, middle[0] + n[0] * radius, middle[1] + n[1] * radius, n, n);
    }
}

void view_mesh_poly(ViewMeshPoly* poly, const float* points, int floats, float round,
                    const float* rounds, bool closed, bool fine)
{
    int count = floats / 2;
    bool flip = closed && area2(points, count) < 0.0f;
    *poly = (ViewMeshPoly){.closed = closed};
    for (int i = 0; i < count; ++i) {
        int at = flip ? count - 1 - i : i, step = flip ? -1 : 1;
        const float* a = points + 2 * ((at - step + count) % count);
        const float* b = points + 2 * at;
        const float* c = points + 2 * ((at + step + count) % count);
        // the ends of an open line go straight on
        float on[2];
        if (!closed && i == 0) {
            set2(on, 2.0f * b[0] - c[0], 2.0f * b[1] - c[1]);
            a = on;
        } else if (!closed && i == count - 1) {
            set2(on, 2.0f * b[0] - a[0], 2.0f * b[1] - a[1]);
            c = on;
        }
        float radius = rounds ? rounds[at] : round;
        add_corner(poly, a, b, c, fine || radius > ROUND_SEEN ? radius : 0.0f,
                   fine ? ARC_STEP_FINE : ARC_STEP_PLAIN);
    }
}

// How far a corner moves when both its sides move by 1 along their normals.
static void mitre(const ViewMeshCorner* c, float out[2])
{
    float dot = c->before[0] * c->behind[0] + c->before[1] * c->behind[1];
    float scale = 1.0f / fmaxf(1.0f + dot, 0.25f);
    set2(out, (c->before[0] + c->behind[0]) * scale, (c->before[1] + c->behind[1]) * scale);
}

void view_mesh_poly_inset(ViewMeshPoly* out, const ViewMeshPoly* poly, float by)
{
    out->count = poly->count;
    out->closed = poly->closed;
    for (int i = 0; i < poly->count; ++i) {
        float m[2];
        out->corner[i] = poly->corner[i];
        mitre(&poly->corner[i], m);
        out->corner[i].p[0] -= m[0] * by;
        out->corner[i].p[1] -= m[1] * by;
    }
}

void view_mesh_poly_thick(ViewMeshPoly* out, const ViewMeshPoly* line, float thickness)
{
    // the line's own normals point to its right; walk so that they stay outside
    float side = thickness > 0.0f ? 1.0f : -1.0f;
    int n = base_mini(line->count, VIEW_MESH_POLY_MAX / 2);
    *out = (ViewMeshPoly){.closed = true};
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < n; ++k) {
            int i = (pass == 0) == (thickness > 0.0f) ? k : n - 1 - k;
            const ViewMeshCorner* c = &line->corner[i];
            bool own = pass == 0;
            float sign = own ? side : -side, m[2];
            mitre(c, m);
            float shift = own ? 0.0f : fabsf(thickness) * side;
            float a[2] = {c->before[0] * sign, c->before[1] * sign};
            float b[2] = {c->behind[0] * sign, c->behind[1] * sign};
            bool forward = i == k;
            add(out, c->p[0] - m[0] * shift, c->p[1] - m[1] * shift, forward ? a : b,
                forward ? b : a);
        }
    }
    // the ends are square
    for (int end = 0; end < 2; ++end) {
        int first = end == 0 ? n - 1 : 2 * n - 1, second = (first + 1) % (2 * n);
        ViewMeshCorner *p = &out->corner[first], *q = &out->corner[second];
        float d[2], normal[2];
        direction(p->p, q->p, d);
        set2(normal, d[1], -d[0]);
        set2(p->behind, normal[0], normal[1]);
        set2(q->before, normal[0], normal[1]);
    }
}
