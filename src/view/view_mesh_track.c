// Tracks and wheels: the line of a chain, its shoes, what it runs round; tyres.
#include "view/view_mesh_maker.h"

#include "base/base_trig.h"

#include <math.h>

#define TURN         6.2831853f
#define HULL_SIDES   48 // points of each circle
#define HULL_CIRCLES 26 // sprocket, idler, rollers
#define HULL_MAX     (HULL_SIDES * HULL_CIRCLES)
#define SAG_STEPS    8    // pieces of a span that hangs
#define SPAN_LEAST   0.3f // m, of a straight run that hangs

typedef float Point[2];

// --- the line of the chain -------------------------------------------------------------------------

static bool before(const Point a, const Point b)
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

static void sort_points(Point* p, int count)
{
    for (int i = 1; i < count; ++i) {
        Point now = {p[i][0], p[i][1]};
        int k = i;
        for (; k > 0 && before(now, p[k - 1]); --k) {
            p[k][0] = p[k - 1][0];
            p[k][1] = p[k - 1][1];
        }
        p[k][0] = now[0];
        p[k][1] = now[1];
    }
}

static float cross2(const Point a, const Point b, const Point c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Convex hull, anticlockwise from the leftmost point (Andrew's monotone chain).
static int hull_of(const Point* p, int count, Point* out)
{
    int n = 0;
    for (int pass = 0; pass < 2; ++pass) {
        int floor = n;
        for (int k = 0; k < count; ++k) {
            const float* q = p[pass == 0 ? k : count - 1 - k];
            while (n >= floor + 2 && cross2(out[n - 2], out[n - 1], q) <= 1e-7f)
                --n;
            out[n][0] = q[0];
            out[n][1] = q[1];
            ++n;
        }
        --n; // the last is the first of the other half
    }
    return n;
}

static int circle_points(const MachineLookRound* circle, float more, Point* out)
{
    for (int i = 0; i < HULL_SIDES; ++i) {
        float a = TURN * (float)i / HULL_SIDES;
        out[i][0] = circle->center[0] + (circle->radius + more) * base_cosf(a);
        out[i][1] = circle->center[1] + (circle->radius + more) * base_sinf(a);
    }
    return HULL_SIDES;
}

// Appends b's way from a, hanging where it is an upper run.
static int add_span(const Point a, const Point b, float sag, float (*out)[2], int n)
{
    float dx = b[0] - a[0], dy = b[1] - a[1], length = hypotf(dx, dy);
    bool upper = dx < 0.0f && length > SPAN_LEAST && fabsf(dy) < 0.7f * length;
    int steps = upper && sag > 0.0f ? SAG_STEPS : 1;
    for (int i = 1; i <= steps; ++i) {
        float t = (float)i / (float)steps;
        out[n][0] = a[0] + dx * t;
        out[n][1] = a[1] + dy * t - (steps > 1 ? sag * 4.0f * t * (1.0f - t) : 0.0f);
        ++n;
    }
    return n;
}

bool view_mesh_track_line(const MachineLookTrack* look, BaseArena* arena, ViewMeshTrack* out)
{
    static _Thread_local Point points[HULL_MAX], hull[HULL_MAX + 1];
    int count = circle_points(&look->sprocket, look->chain, points);
    count += circle_points(&look->idler, look->chain, points + count);
    for (int i = 0; i < look->roller_count && count + HULL_SIDES <= HULL_MAX; ++i)
        count += circle_points(&look->rollers[i], look->chain, points + count);
    sort_points(points, count);
    int corners = hull_of((const Point*)points, count, hull);

    size_t most = (size_t)(corners * SAG_STEPS + 1);
    out->point = base_arena_try_alloc(arena, most * sizeof *out->point);
    out->at = base_arena_try_alloc(arena, most * sizeof *out->at);
    if (!out->point || !out->at)
        return false;
    out->point[0][0] = hull[0][0];
    out->point[0][1] = hull[0][1];
    out->count = 1;
    for (int i = 0; i < corners; ++i)
        out->count = add_span(hull[i], hull[(i + 1) % corners], look->sag, out->point, out->count);
    for (int i = 1; i < out->count; ++i)
        out->at[i] = out->at[i - 1] + hypotf(out->point[i][0] - out->point[i - 1][0],
                                             out->point[i][1] - out->point[i - 1][1]);
    out->length = out->at[out->count - 1];
    out->shoe_count = base_maxi(4, (int)(out->length / look->pitch + 0.5f));
    out->pitch = out->length / (float)out->shoe_count;
    out->center[0] = look->sprocket.center[0];
    out->center[1] = look->sprocket.center[1];
    out->sprocket = look->sprocket.radius;
    return true;
}

void view_mesh_track_at(const ViewMeshTrack* track, float way, float point[2])
{
    way -= track->length * floorf(way / track->length);
    int lo = 0, hi = track->count - 1;
    while (hi - lo > 1) {
        int middle = (lo + hi) / 2;
        if (track->at[middle] <= way)
            lo = middle;
        else
            hi = middle;
    }
    float piece = track->at[hi] - track->at[lo];
    float t = piece > 0.0f ? (way - track->at[lo]) / piece : 0.0f;
    for (int k = 0; k < 2; ++k)
        point[k] = track->point[lo][k] + (track->point[hi][k] - track->point[lo][k]) * t;
}

// --- what runs -------------------------------------------------------------------------------------

// What is seen of a plate from afar: its back lies on the chain.
static void slab(ViewMeshMaker* m, float reach, float top, float half)
{
    Vec3 a = vec3(-reach, 0, -half), b = vec3(reach, 0, -half), c = vec3(reach, 0, half);
    Vec3 d = vec3(-reach, 0, half), up = vec3(0, top, 0);
    Vec3 base[4] = {a, b, c, d}, high[4];
    for (int i = 0; i < 4; ++i)
        high[i] = vec3_add(base[i], up);
    Vec3 out = vec3(0, -1, 0);
    view_mesh_quad(m, high, (Vec3[4]){out, out, out, out});
    static const float sides[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    for (int i = 0; i < 4; ++i) {
        int j = (i + 1) % 4;
        Vec3 n = vec3(sides[i][0], 0, sides[i][1]);
        view_mesh_quad(m, (Vec3[4]){base[i], base[j], high[j], high[i]}, (Vec3[4]){n, n, n, n});
    }
}

// x along the chain, y inwards.
void view_mesh_shoe(ViewMeshMaker* m, const MachineLookTrack* look, int steel)
{
    float outline[256], half = 0.5f * look->width;
    int floats = base_mini(look->shoe_count, 256);
    int material = m->material;
    for (int i = 0; i < floats; i += 2) {
        outline[i] = look->shoe[i];
        outline[i + 1] = -look->shoe[i + 1];
    }
    if (!view_mesh_near(m)) {
        float top = 0.0f;
        for (int i = 1; i < floats; i += 2)
            top = fminf(top, outline[i]);
        slab(m, 0.48f * look->pitch, 0.7f * top, half);
        return;
    }
    ViewMeshPoly poly;
    view_mesh_poly(&poly, outline, floats, 0.0f, NULL, true, false);
    view_mesh_extrude(m, &poly, &(ViewMeshSweep){.span = {-half, half}});
    if (look->chain <= 0.0f)
        return;
    // the links of both sides as one block: what is between them is never seen
    float reach = 0.62f * look->pitch, low = 0.02f * look->chain, high = 0.85f * look->chain;
    float half_link = 0.16f * look->width + 0.18f * look->chain + 0.015f;
    float link[] = {-reach, low, reach, low, reach, high, -reach, high};
    m->material = steel;
    view_mesh_poly(&poly, link, 8, 0.0f, NULL, true, false);
    view_mesh_extrude(m, &poly, &(ViewMeshSweep){.span = {-half_link, half_link}});
    m->material = material;
}

static void disc(ViewMeshMaker* m, const float center[2], float z, const float* profile, int floats,
                 float radius)
{
    ViewMeshPoly line;
    int sides = !view_mesh_near(m) ? 6 : radius > 0.2f ? 20 : 9;
    view_mesh_poly(&line, profile, floats, 0.0f, NULL, false, false);
    view_mesh_lathe(m, &line, vec3(center[0], center[1], z), MACHINE_LOOK_AXIS_Z, sides);
}

// About the origin, which is its middle; the outside of the right track is +z.
void view_mesh_sprocket(ViewMeshMaker* m, const MachineLookTrack* look)
{
    float r = look->sprocket.radius, w = 0.11f * look->width, z0 = -w, z1 = w;
    static const float middle[2] = {0.0f, 0.0f};
    int teeth = look->teeth;
    if (view_mesh_near(m)) {
        float outline[8 * 60];
        for (int i = 0; i < 4 * teeth; ++i) {
            static const float share[4] = {-0.30f, -0.14f, 0.14f, 0.30f};
            float a = TURN * ((float)(i / 4) + share[i % 4]) / (float)teeth;
            float radius =
                i % 4 == 1 || i % 4 == 2 ? r + 0.5f * look->chain : r - 0.12f * look->chain;
            outline[2 * i] = radius * base_cosf(a);
            outline[2 * i + 1] = radius * base_sinf(a);
        }
        ViewMeshPoly poly;
        view_mesh_poly(&poly, outline, 8 * teeth, 0.0f, NULL, true, false);
        view_mesh_extrude(m, &poly, &(ViewMeshSweep){.span = {z0, z1}});
    }
    float out = 0.30f * look->width;
    float hub[] = {z0,       0,           z0,        0.86f * r, 0.4f * w, 0.86f * r, 0.4f * w,
                   0.6f * r, out - 0.03f, 0.56f * r, out,       0.5f * r, out,       0};
    disc(m, middle, 0.0f, hub, 14, r);
    for (int i = 0; view_mesh_near(m) && i < 9; ++i) {
        float a = TURN * (float)i / 9.0f;
        float bolt[2] = {0.73f * r * base_cosf(a), 0.73f * r * base_sinf(a)};
        ViewMeshPoly line;
        float head[] = {0.4f * w,   0.035f * r,           0.4f * w + 0.03f * r,
                        0.035f * r, 0.4f * w + 0.03f * r, 0};
        view_mesh_poly(&line, head, 6, 0.0f, NULL, false, false);
        view_mesh_lathe(m, &line, vec3(bolt[0], bolt[1], 0.0f), MACHINE_LOOK_AXIS_Z, 5);
    }
}

// Idler and rollers of one side, in the body's frame.
void view_mesh_rollers(ViewMeshMaker* m, const MachineLookTrack* look)
{
    float w = 0.16f * look->width, r = look->idler.radius, lip = fminf(0.025f, 0.1f * r);
    float idler[] = {-1.15f * w, 0,        -1.15f * w, 0.42f * r, -0.5f * w, 0.5f * r,   -0.55f * w,
                     0.8f * r,   -w,       0.86f * r,  -w,        r - lip,   -0.45f * w, r,
                     0.45f * w,  r,        w,          r - lip,   w,         0.86f * r,  0.55f * w,
                     0.8f * r,   0.5f * w, 0.5f * r,   1.15f * w, 0.42f * r, 1.15f * w,  0};
    disc(m, look->idler.center, look->z, idler, 28, r);
    for (int i = 0; view_mesh_near(m) && i < look->roller_count; ++i) {
        const MachineLookRound* s = &look->rollers[i];
        float q = s->radius;
        float near[] = {-1.5f * w, 0.5f * q, -1.3f * w, 1.12f * q, -1.15f * w, q,        1.15f * w,
                        q,         1.3f * w, 1.12f * q, 1.5f * w,  0.5f * q,   1.5f * w, 0};
        disc(m, s->center, look->z, near, 14, 0.05f);
    }
}

// --- wheels ----------------------------------------------------------------------------------------

static void lugs(ViewMeshMaker* m, const MachineLookWheel* look)
{
    float half = 0.5f * look->width, base = look->radius - 1.6f * look->lug;
    for (int i = 0; i < 2 * look->lugs; ++i) {
        float angle = TURN * ((float)i * 0.5f) / (float)look->lugs;
        float side = i % 2 == 0 ? 1.0f : -1.0f;
        float thick = 0.26f * TURN * look->radius / (float)look->lugs;
        ViewMeshPlace place = view_mesh_place(m, vec3(0, 0, 0), angle);
        // in the plane of the tread: a bar that leans back towards the shoulder
        float z0 = -0.06f * half * side, z1 = 0.93f * half * side, back = 0.9f * thick;
        float outline[8] = {-0.5f * thick,       z0, 0.5f * thick,         z0,
                            0.5f * thick - back, z1, -0.5f * thick - back, z1};
        // outline [y, z], drawn out along x: kept as x-axis sweep with [z, y] pairs
        float pairs[8];
        for (int k = 0; k < 4; ++k) {
            pairs[2 * k] = outline[2 * k + 1];
            pairs[2 * k + 1] = outline[2 * k];
        }
        ViewMeshPoly poly;
        view_mesh_poly(&poly, pairs, 8, 0.0f, NULL, true, false);
        view_mesh_extrude(m, &poly,
                          &(ViewMeshSweep){.axis = MACHINE_LOOK_AXIS_X,
                                           .span = {base, look->radius},
                                           .taper = {0.0f, 0.1f * thick}});
        view_mesh_place_back(m, place);
    }
}

// About the hub; the outside is +z.
void view_mesh_wheel(ViewMeshMaker* m, const MachineLookWheel* look, int steel)
{
    float h = 0.5f * look->width, r = look->rim, tread = look->radius - look->lug;
    int material = m->material;
    ViewMeshPoly line;
    float tyre[] = {-0.84f * h, r,
                    -h,         r + 0.35f * (tread - r),
                    -h,         r + 0.8f * (tread - r),
                    -0.92f * h, tread,
                    0.92f * h,  tread,
                    h,          r + 0.8f * (tread - r),
                    h,          r + 0.35f * (tread - r),
                    0.84f * h,  r};
    view_mesh_poly(&line, tyre, 16, 0.06f * look->radius, NULL, false, view_mesh_near(m));
    view_mesh_lathe(m, &line, vec3(0, 0, 0), MACHINE_LOOK_AXIS_Z, view_mesh_near(m) ? 36 : 14);
    if (view_mesh_near(m))
        lugs(m, look);

    m->material = steel;
    float rim[] = {-0.8f * h, 0,         -0.8f * h, r,         -0.86f * h, r,         -0.86f * h,
                   1.03f * r, -0.8f * h, 1.03f * r, 0.8f * h,  1.03f * r,  0.86f * h, 1.03f * r,
                   0.86f * h, 0.97f * r, 0.75f * h, 0.92f * r, 0.25f * h,  0.86f * r, 0.2f * h,
                   0.5f * r,  0.55f * h, 0.42f * r, 0.6f * h,  0.36f * r,  0.6f * h,  0};
    view_mesh_poly(&line, rim, 28, 0.0f, NULL, false, false);
    view_mesh_lathe(m, &line, vec3(0, 0, 0), MACHINE_LOOK_AXIS_Z, view_mesh_near(m) ? 28 : 10);
    for (int i = 0; view_mesh_near(m) && i < 10; ++i) {
        float a = TURN * (float)i / 10.0f;
        float nut[] = {0.2f * h, 0.04f * r, 0.2f * h + 0.05f * r, 0.04f * r, 0.2f * h + 0.05f * r,
                       0};
        view_mesh_poly(&line, nut, 6, 0.0f, NULL, false, false);
        view_mesh_lathe(m, &line, vec3(0.62f * r * base_cosf(a), 0.62f * r * base_sinf(a), 0),
                        MACHINE_LOOK_AXIS_Z, 6);
    }
    m->material = material;
}
