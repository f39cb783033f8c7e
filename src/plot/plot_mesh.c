#include "plot/plot_mesh.h"

#include "base/base_math.h"
#include "plot/plot_canvas_pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES     2    // per pixel, each way
#define SHADOW_SIDE 2048 // texels
#define NEAR        0.05f
#define GROUND      255 // material of samples that show the ground
#define SKY         254
#define FAR         1e9f
#define PANE        0.004f // m, nearer than this it is the same pane

// What a sample of the picture shows.
typedef struct Sample {
    float depth; // m from the eye, along the view
    float normal[3];
    uint8_t material;
    const PlotMeshMaterial* pane; // the last glass drawn over it, and where
    float pane_depth;
} Sample;

typedef struct Frame {
    const PlotMesh* mesh;
    int width, height; // samples
    Sample* samples;   // [width * height]
    float* color;      // [width * height * 3] linear
    Vec3 eye, right, up, ahead;
    float focus; // samples per unit of slope

    float* shadow; // [SHADOW_SIDE^2] depth seen from the sun
    Vec3 sun, sun_right, sun_up, middle;
    float sun_scale; // texels per metre
} Frame;

static Vec3 vec_of(const float v[3])
{
    return vec3(v[0], v[1], v[2]);
}

// --- rasterising -----------------------------------------------------------------------------------

// A corner on the picture: x, y in samples and 1/depth, which is linear there.
typedef struct Corner {
    float x, y, w;
    Vec3 normal;
} Corner;

static bool project(const Frame* f, const PlotMeshVertex* v, Corner* out)
{
    Vec3 d = vec3_sub(vec_of(v->position), f->eye);
    float depth = vec3_dot(d, f->ahead);
    if (depth < NEAR)
        return false;
    out->w = 1.0f / depth;
    out->x = 0.5f * (float)f->width + f->focus * vec3_dot(d, f->right) * out->w;
    out->y = 0.5f * (float)f->height - f->focus * vec3_dot(d, f->up) * out->w;
    out->normal = vec_of(v->normal);
    return true;
}

typedef struct Box {
    int x0, x1, y0, y1;
} Box;

static Box box_of(const Corner c[3], int width, int height)
{
    float x0 = fminf(c[0].x, fminf(c[1].x, c[2].x)), x1 = fmaxf(c[0].x, fmaxf(c[1].x, c[2].x));
    float y0 = fminf(c[0].y, fminf(c[1].y, c[2].y)), y1 = fmaxf(c[0].y, fmaxf(c[1].y, c[2].y));
    x0 = base_clampf(x0, 0.0f, (float)width);
    x1 = base_clampf(x1, -1.0f, (float)(width - 1));
    y0 = base_clampf(y0, 0.0f, (float)height);
    y1 = base_clampf(y1, -1.0f, (float)(height - 1));
    return (Box){(int)x0, (int)ceilf(x1), (int)y0, (int)ceilf(y1)};
}

// Weights of the corners at a place; false outside.
static bool weights(const Corner c[3], float area, float x, float y, float out[3])
{
    for (int i = 0; i < 3; ++i) {
        const Corner *a = &c[(i + 1) % 3], *b = &c[(i + 2) % 3];
        out[i] = ((b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x)) / area;
        if (out[i] < 0.0f)
            return false;
    }
    return true;
}

static float area_of(const Corner c[3])
{
    return (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[1].y - c[0].y) * (c[2].x - c[0].x);
}

static bool corners_of(const Frame* f, int triangle, Corner c[3])
{
    const PlotMeshTriangle* t = &f->mesh->triangles[triangle];
    for (int i = 0; i < 3; ++i)
        if (!project(f, &f->mesh->vertices[t->vertex[i]], &c[i]))
            return false;
    return fabsf(area_of(c)) > 1e-9f;
}

static bool is_glass(const Frame* f, int triangle)
{
    return f->mesh->materials[f->mesh->triangles[triangle].material].opacity < 0.999f;
}

static Vec3 mixed_normal(const Corner c[3], const float k[3], float w)
{
    Vec3 n = vec3_mul(c[0].normal, k[0] * c[0].w / w);
    n = vec3_mad(n, c[1].normal, k[1] * c[1].w / w);
    return vec3_unit(vec3_mad(n, c[2].normal, k[2] * c[2].w / w));
}

static void draw_solid(Frame* f, int triangle)
{
    Corner c[3];
    if (!corners_of(f, triangle, c))
        return;
    float area = area_of(c), k[3];
    Box box = box_of(c, f->width, f->height);
    for (int y = box.y0; y <= box.y1 && y < f->height; ++y)
        for (int x = box.x0; x <= box.x1 && x < f->width; ++x) {
            if (!weights(c, area, (float)x + 0.5f, (float)y + 0.5f, k))
                continue;
            float w = k[0] * c[0].w + k[1] * c[1].w + k[2] * c[2].w;
            Sample* s = &f->samples[(size_t)y * (size_t)f->width + (size_t)x];
            if (1.0f / w >= s->depth)
                continue;
            Vec3 n = mixed_normal(c, k, w);
            *s = (Sample){.depth = 1.0f / w,
                          .normal = {n.x, n.y, n.z},
                          .material = (uint8_t)f->mesh->triangles[triangle].material};
        }
}

static Vec3 ray(const Frame* f, int x, int y)
{
    float u = ((float)x + 0.5f - 0.5f * (float)f->width) / f->focus;
    float v = (0.5f * (float)f->height - (float)y - 0.5f) / f->focus;
    return vec3_add(f->ahead, vec3_add(vec3_mul(f->right, u), vec3_mul(f->up, v)));
}

// Ground or sky in every sample.
static void draw_ground(Frame* f)
{
    for (int y = 0; y < f->height; ++y)
        for (int x = 0; x < f->width; ++x) {
            Vec3 d = ray(f, x, y);
            float depth = d.y < -1e-5f ? (f->mesh->ground - f->eye.y) / d.y : FAR;
            bool ground = depth > 0.0f && depth < 400.0f;
            f->samples[(size_t)y * (size_t)f->width + (size_t)x] =
                (Sample){.depth = ground ? depth : FAR,
                         .normal = {0, 1, 0},
                         .material = ground ? GROUND : SKY};
        }
}

// --- shadows ---------------------------------------------------------------------------------------

static void sun_place(const Frame* f, Vec3 p, float out[3])
{
    Vec3 d = vec3_sub(p, f->middle);
    out[0] = 0.5f * SHADOW_SIDE + f->sun_scale * vec3_dot(d, f->sun_right);
    out[1] = 0.5f * SHADOW_SIDE + f->sun_scale * vec3_dot(d, f->sun_up);
    out[2] = -vec3_dot(d, f->sun);
}

static void draw_shadow(Frame* f, int triangle)
{
    Corner c[3];
    for (int i = 0; i < 3; ++i) {
        float p[3];
        sun_place(f, vec_of(f->mesh->vertices[f->mesh->triangles[triangle].vertex[i]].position), p);
        c[i] = (Corner){.x = p[0], .y = p[1], .w = p[2]};
    }
    float area = area_of(c), k[3];
    if (fabsf(area) < 1e-9f)
        return;
    Box box = box_of(c, SHADOW_SIDE, SHADOW_SIDE);
    for (int y = box.y0; y <= box.y1 && y < SHADOW_SIDE; ++y)
        for (int x = box.x0; x <= box.x1 && x < SHADOW_SIDE; ++x)
            if (weights(c, area, (float)x + 0.5f, (float)y + 0.5f, k)) {
                float depth = k[0] * c[0].w + k[1] * c[1].w + k[2] * c[2].w;
                float* at = &f->shadow[y * SHADOW_SIDE + x];
                *at = fminf(*at, depth);
            }
}

// 0 in full shadow .. 1 in the sun.
static float sunlit(const Frame* f, Vec3 p, Vec3 normal)
{
    float at[3], sum = 0.0f;
    sun_place(f, vec3_mad(p, normal, 0.02f), at);
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            int x = (int)floorf(at[0] + (float)i), y = (int)floorf(at[1] + (float)j);
            bool inside = x >= 0 && y >= 0 && x < SHADOW_SIDE && y < SHADOW_SIDE;
            sum += !inside || f->shadow[y * SHADOW_SIDE + x] > at[2] - 0.015f ? 1.0f : 0.0f;
        }
    return sum / 9.0f;
}

// --- light -----------------------------------------------------------------------------------------

static Vec3 sky(Vec3 d, float roughness)
{
    float t = base_clampf(0.5f + d.y / (0.25f + 1.2f * roughness), 0.0f, 1.0f);
    t = t * t * (3.0f - 2.0f * t);
    Vec3 low = vec3(0.13f, 0.12f, 0.105f), high = vec3(0.62f, 0.72f, 0.88f);
    return vec3_add(vec3_mul(low, 1.0f - t), vec3_mul(high, t));
}

// How open the surroundings are: compares depths on rings round the sample.
static float openness(const Frame* f, int x, int y, const Sample* s, Vec3 p)
{
    static const float ring[3] = {0.05f, 0.16f, 0.4f}; // m
    float shut = 0.0f, count = 0.0f;
    Vec3 n = vec_of(s->normal);
    unsigned seed = (unsigned)(x * 7919 + y * 104729);
    float spin = (float)((seed ^ seed >> 7) % 64u) * 0.0981748f;
    for (int r = 0; r < 3; ++r) {
        float reach = ring[r] * f->focus / s->depth;
        for (int k = 0; k < 6; ++k) {
            float a = spin + 1.0471976f * (float)k + 0.4f * (float)r;
            int i = x + (int)(reach * cosf(a)), j = y + (int)(reach * sinf(a));
            if (i < 0 || j < 0 || i >= f->width || j >= f->height)
                continue;
            const Sample* o = &f->samples[(size_t)j * (size_t)f->width + (size_t)i];
            count += 1.0f;
            if (o->material == SKY)
                continue;
            Vec3 q = vec3_mad(f->eye, ray(f, i, j), o->depth);
            Vec3 d = vec3_sub(q, p);
            float away = vec3_length(d), rise = vec3_dot(d, n) / fmaxf(away, 1e-4f);
            if (away < 1.6f * ring[r] + 0.05f)
                shut += base_clampf(rise - 0.08f, 0.0f, 0.8f);
        }
    }
    return base_clampf(1.0f - 1.5f * shut / fmaxf(count, 1.0f), 0.15f, 1.0f);
}

static Vec3 ground_color(const Frame* f, Vec3 p, float depth)
{
    float fine = 1.5f * depth / f->focus; // m across a sample
    float gx = fabsf(p.x - roundf(p.x)), gz = fabsf(p.z - roundf(p.z));
    float line = fmaxf(0.012f, fine), on = gx < line || gz < line ? 1.0f : 0.0f;
    float fade = base_clampf(1.0f - fine * 12.0f, 0.0f, 1.0f);
    float v = 0.34f - 0.07f * on * fade;
    return vec3(v, v * 0.96f, v * 0.88f);
}

static Vec3 times(Vec3 a, Vec3 b)
{
    return vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

// One material at a place: sun, sky, and what it mirrors (Schlick's Fresnel, GGX for the sun).
static Vec3 lit(const Frame* f, const PlotMeshMaterial* m, Vec3 color, Vec3 n, Vec3 view, float sun,
                float open)
{
    float nv = fmaxf(vec3_dot(n, view), 0.0f), nl = fmaxf(vec3_dot(n, f->sun), 0.0f);
    Vec3 half = vec3_unit(vec3_add(view, f->sun));
    float nh = fmaxf(vec3_dot(n, half), 0.0f), a = m->roughness * m->roughness, a2 = a * a + 1e-4f;
    float d = nh * nh * (a2 - 1.0f) + 1.0f, gloss = fminf(a2 / (3.1416f * d * d), 20.0f);
    float edge = powf(1.0f - nv, 5.0f) * (1.0f - 0.8f * m->roughness);
    Vec3 base =
        vec3_add(vec3_mul(vec3(0.04f, 0.04f, 0.04f), 1.0f - m->metal), vec3_mul(color, m->metal));
    Vec3 mirror = vec3_add(base, vec3_mul(vec3_sub(vec3(1, 1, 1), base), edge));
    Vec3 back = vec3_sub(vec3_mul(n, 2.0f * vec3_dot(n, view)), view);

    Vec3 light =
        vec3_add(vec3_mul(vec3(2.3f, 2.15f, 1.9f), nl * sun), vec3_mul(sky(n, 1.0f), 0.85f * open));
    Vec3 out = times(vec3_mul(color, 1.0f - m->metal), light);
    out = vec3_add(out, vec3_mul(times(mirror, sky(back, m->roughness)), open));
    out = vec3_add(out, vec3_mul(mirror, gloss * nl * sun));
    return vec3_mad(out, color, 3.0f * m->glow);
}

static Vec3 shade(const Frame* f, int x, int y)
{
    const Sample* s = &f->samples[(size_t)y * (size_t)f->width + (size_t)x];
    Vec3 d = ray(f, x, y), view = vec3_unit(vec3_mul(d, -1.0f));
    Vec3 haze = vec3(0.80f, 0.86f, 0.93f);
    if (s->material == SKY)
        return vec3_mad(haze, vec3(-0.35f, -0.28f, -0.14f), fmaxf(0.0f, -view.y));
    Vec3 p = vec3_mad(f->eye, d, s->depth), n = vec_of(s->normal);
    if (vec3_dot(n, view) < 0.0f && s->material != GROUND)
        n = vec3_mul(n, -1.0f);
    float open = openness(f, x, y, s, p), sun = sunlit(f, p, n);
    if (s->material != GROUND) {
        const PlotMeshMaterial* m = &f->mesh->materials[s->material];
        return lit(f, m, vec_of(m->color), n, view, sun, open);
    }
    static const PlotMeshMaterial soil = {.roughness = 1.0f};
    Vec3 color = lit(f, &soil, ground_color(f, p, s->depth), n, view, sun, open);
    float far = base_clampf((s->depth - 30.0f) / 90.0f, 0.0f, 1.0f);
    return vec3_add(vec3_mul(color, 1.0f - far), vec3_mul(haze, far));
}

static void draw_glass(Frame* f, int triangle)
{
    Corner c[3];
    if (!corners_of(f, triangle, c))
        return;
    const PlotMeshMaterial* m = &f->mesh->materials[f->mesh->triangles[triangle].material];
    float area = area_of(c), k[3];
    Box box = box_of(c, f->width, f->height);
    for (int y = box.y0; y <= box.y1 && y < f->height; ++y)
        for (int x = box.x0; x <= box.x1 && x < f->width; ++x) {
            if (!weights(c, area, (float)x + 0.5f, (float)y + 0.5f, k))
                continue;
            float w = k[0] * c[0].w + k[1] * c[1].w + k[2] * c[2].w;
            size_t at = (size_t)y * (size_t)f->width + (size_t)x;
            Vec3 n = mixed_normal(c, k, w), view = vec3_unit(vec3_mul(ray(f, x, y), -1.0f));
            Sample* s = &f->samples[at];
            if (1.0f / w >= s->depth || vec3_dot(n, view) <= 0.0f)
                continue;
            // where two triangles of a pane meet both may have this sample: only one paints it
            if (s->pane == m && fabsf(s->pane_depth - 1.0f / w) < PANE)
                continue;
            s->pane = m;
            s->pane_depth = 1.0f / w;
            Vec3 p = vec3_mad(f->eye, ray(f, x, y), 1.0f / w);
            Vec3 over = lit(f, m, vec_of(m->color), n, view, sunlit(f, p, n), 1.0f);
            float cover =
                m->opacity + (1.0f - m->opacity) * 0.6f * powf(1.0f - vec3_dot(n, view), 4.0f);
            float* to = f->color + 3 * at;
            to[0] += (over.x - to[0]) * cover;
            to[1] += (over.y - to[1]) * cover;
            to[2] += (over.z - to[2]) * cover;
        }
}

// --- the picture -----------------------------------------------------------------------------------

static float shown(float linear)
{
    float v = linear * (1.0f + linear * 0.12f) / (1.0f + linear * 0.55f); // soft shoulder
    v = base_clampf(v, 0.0f, 1.0f);
    return v <= 0.0031308f ? 12.92f * v : 1.055f * powf(v, 1.0f / 2.4f) - 0.055f;
}

static void develop(const Frame* f, PlotCanvas* canvas)
{
    for (int y = 0; y < canvas->height; ++y)
        for (int x = 0; x < canvas->width; ++x) {
            float sum[3] = {0, 0, 0};
            for (int j = 0; j < SAMPLES; ++j)
                for (int i = 0; i < SAMPLES; ++i) {
                    size_t at =
                        (size_t)(y * SAMPLES + j) * (size_t)f->width + (size_t)(x * SAMPLES + i);
                    for (int k = 0; k < 3; ++k)
                        sum[k] += shown(f->color[3 * at + (size_t)k]);
                }
            const float share = 1.0f / (SAMPLES * SAMPLES);
            canvas->rgb[(size_t)y * (size_t)canvas->width + (size_t)x] =
                (PlotColor){sum[0] * share, sum[1] * share, sum[2] * share};
        }
}

static void draw_lines(const Frame* f, PlotCanvas* canvas)
{
    for (int t = 0; t < f->mesh->triangle_count; ++t) {
        Corner c[3];
        if (!corners_of(f, t, c) || area_of(c) > 0.0f)
            continue;
        for (int i = 0; i < 3; ++i) {
            const Corner *a = &c[i], *b = &c[(i + 1) % 3];
            plot_line(canvas, (double)a->x / SAMPLES, (double)a->y / SAMPLES,
                      (double)b->x / SAMPLES, (double)b->y / SAMPLES, 0.5, plot_color(0x203040));
        }
    }
}

static void bounds(const PlotMesh* mesh, Vec3* middle, float* radius)
{
    Vec3 lo = vec3(FAR, FAR, FAR), hi = vec3(-FAR, -FAR, -FAR);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        Vec3 p = vec_of(mesh->vertices[i].position);
        lo = vec3(fminf(lo.x, p.x), fminf(lo.y, p.y), fminf(lo.z, p.z));
        hi = vec3(fmaxf(hi.x, p.x), fmaxf(hi.y, p.y), fmaxf(hi.z, p.z));
    }
    *middle = vec3_mul(vec3_add(lo, hi), 0.5f);
    *radius = fmaxf(0.1f, 0.5f * vec3_length(vec3_sub(hi, lo)));
}

static void aim(Frame* f, const PlotMeshCamera* camera)
{
    f->eye = vec_of(camera->eye);
    f->ahead = vec3_unit(vec3_sub(vec_of(camera->target), f->eye));
    Vec3 up = fabsf(f->ahead.y) > 0.999f ? vec3(1, 0, 0) : vec3(0, 1, 0);
    f->right = vec3_unit(vec3_cross(f->ahead, up));
    f->up = vec3_cross(f->right, f->ahead);
    f->focus = 0.5f * (float)f->height / tanf(0.5f * camera->field);
}

PlotMeshCamera plot_mesh_fit(const PlotMesh* mesh, const PlotCanvas* canvas, float around,
                             float above, float field, float zoom)
{
    Vec3 middle;
    float radius;
    bounds(mesh, &middle, &radius);
    Vec3 toward = vec3(cosf(around) * cosf(above), sinf(above), sinf(around) * cosf(above));
    Frame f = {.width = canvas->width, .height = canvas->height};
    PlotMeshCamera camera = {.field = field};
    float slope_y = tanf(0.5f * field) * 0.92f;
    float slope_x = slope_y * (float)canvas->width / (float)canvas->height;

    // twice: centre what is seen, then as near as everything allows
    float away = 4.0f * radius / slope_y;
    for (int pass = 0; pass < 4; ++pass) {
        Vec3 eye = vec3_mad(middle, toward, away);
        camera = (PlotMeshCamera){{eye.x, eye.y, eye.z}, {middle.x, middle.y, middle.z}, field};
        aim(&f, &camera);
        float lo[2] = {FAR, FAR}, hi[2] = {-FAR, -FAR}, need = 0.0f;
        for (int i = 0; i < mesh->vertex_count; ++i) {
            Vec3 d = vec3_sub(vec_of(mesh->vertices[i].position), middle);
            float x = vec3_dot(d, f.right), y = vec3_dot(d, f.up), z = vec3_dot(d, toward);
            need = fmaxf(need, z + fmaxf(fabsf(x) / slope_x, fabsf(y) / slope_y));
            float depth = fmaxf(away - z, 0.1f);
            lo[0] = fminf(lo[0], x / depth), hi[0] = fmaxf(hi[0], x / depth);
            lo[1] = fminf(lo[1], y / depth), hi[1] = fmaxf(hi[1], y / depth);
        }
        if (pass == 3)
            break;
        middle = vec3_mad(middle, f.right, 0.5f * (lo[0] + hi[0]) * away);
        middle = vec3_mad(middle, f.up, 0.5f * (lo[1] + hi[1]) * away);
        away = need / zoom;
    }
    return camera;
}

static bool prepare(Frame* f, const PlotCanvas* canvas, const PlotMeshCamera* camera)
{
    f->width = canvas->width * SAMPLES;
    f->height = canvas->height * SAMPLES;
    size_t count = (size_t)f->width * (size_t)f->height;
    f->samples = malloc(count * sizeof *f->samples);
    f->color = malloc(count * 3 * sizeof *f->color);
    f->shadow = malloc(sizeof(float) * SHADOW_SIDE * SHADOW_SIDE);
    if (!f->samples || !f->color || !f->shadow)
        return false;
    for (int i = 0; i < SHADOW_SIDE * SHADOW_SIDE; ++i)
        f->shadow[i] = FAR;

    float radius;
    aim(f, camera);
    bounds(f->mesh, &f->middle, &radius);
    // the sun stands behind the viewer's left shoulder
    Vec3 side = vec3_mul(f->right, -0.75f), back = vec3(-f->ahead.x, 0, -f->ahead.z);
    f->sun =
        vec3_unit(vec3_add(vec3_add(side, vec3_mul(vec3_unit(back), 0.55f)), vec3(0, 1.0f, 0)));
    f->sun_right = vec3_unit(vec3_cross(f->sun, vec3(0, 1, 0)));
    f->sun_up = vec3_cross(f->sun_right, f->sun);
    f->sun_scale = 0.48f * SHADOW_SIDE / radius;
    return true;
}

static void finish(Frame* f)
{
    free(f->samples);
    free(f->color);
    free(f->shadow);
}

bool plot_mesh_draw(PlotCanvas* canvas, const PlotMesh* mesh, const PlotMeshCamera* camera)
{
    Frame f = {.mesh = mesh};
    if (!prepare(&f, canvas, camera)) {
        finish(&f);
        return false;
    }
    draw_ground(&f);
    for (int t = 0; t < mesh->triangle_count; ++t)
        if (!is_glass(&f, t)) {
            draw_shadow(&f, t);
            draw_solid(&f, t);
        }
    for (int y = 0; y < f.height; ++y)
        for (int x = 0; x < f.width; ++x) {
            Vec3 c = shade(&f, x, y);
            memcpy(f.color + 3 * ((size_t)y * (size_t)f.width + (size_t)x), &c, sizeof c);
        }
    for (int t = 0; t < mesh->triangle_count; ++t)
        if (is_glass(&f, t))
            draw_glass(&f, t);
    develop(&f, canvas);
    if (mesh->lines)
        draw_lines(&f, canvas);
    finish(&f);
    return true;
}
