// render_grain - thousands of lumps in three draw calls.
#include "render/render_internal.h"

#include <stdlib.h>

#define GRAIN_MANY  1500
#define GRAIN_CROWD 5.0f  // radii, the side of a cell in which neighbours are counted
#define GRAIN_DENSE 9.0f  // neighbours in a cell, of a grain in the middle of a heap's surface
#define GRAIN_NEAR  22.0f // m, within which crumbs are drawn beside a grain

static bool make_room(Render* r, int count)
{
    if (count <= r->grain_room)
        return true;
    RenderGrain* grown = realloc(r->grain, (size_t)count * sizeof *grown);
    if (!grown)
        return false;
    r->grain = grown, r->grain_room = count;
    return true;
}

// --- how many lie around -------------------------------------------------------------------------

static uint32_t crowd_slot(int x, int y, int z)
{
    uint32_t h = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u;
    return (h ^ h >> 15) & (RENDER_CROWD - 1);
}

static void crowd_count(Render* r, const ViewFrame* f, float cell)
{
    memset(r->crowd, 0, RENDER_CROWD * sizeof *r->crowd);
    for (int i = 0; i < f->grain_count; ++i) {
        Vec3 p = vec3_mul(f->grain[i].at, 1.0f / cell);
        r->crowd[crowd_slot((int)floorf(p.x), (int)floorf(p.y), (int)floorf(p.z))]++;
    }
}

// Between the middles of eight cells, so that nothing jumps while a grain moves.
static void crowd_at(const Render* r, Vec3 at, float cell, int8_t out[4])
{
    Vec3 p = vec3_mad(vec3(-0.5f, -0.5f, -0.5f), at, 1.0f / cell), rise = {0};
    int x = (int)floorf(p.x), y = (int)floorf(p.y), z = (int)floorf(p.z);
    float u = p.x - (float)x, v = p.y - (float)y, w = p.z - (float)z, sum = 0.0f;
    for (int k = 0; k < 8; ++k) {
        int a = k & 1, b = k >> 1 & 1, c = k >> 2;
        float many = (float)r->crowd[crowd_slot(x + a, y + b, z + c)];
        float i = a ? u : 1 - u, j = b ? v : 1 - v, l = c ? w : 1 - w;
        sum += i * j * l * many;
        rise.x += (a ? many : -many) * j * l;
        rise.y += (b ? many : -many) * i * l;
        rise.z += (c ? many : -many) * i * j;
    }
    // where neighbours are fewest is outside
    float steep = base_maxf(vec3_length(rise), 0.3f * GRAIN_DENSE);
    out[0] = (int8_t)(-127.0f * rise.x / steep);
    out[1] = (int8_t)(-127.0f * rise.y / steep);
    out[2] = (int8_t)(-127.0f * rise.z / steep);
    out[3] = (int8_t)base_minf(127.0f * sum / GRAIN_DENSE, 127.0f);
}

// --- upload --------------------------------------------------------------------------------------

static RenderGrain packed(const ViewGrain* g)
{
    uint32_t seed = g->id * 2654435761u >> 16;
    return (RenderGrain){{g->at.x, g->at.y, g->at.z, g->radius},
                         {g->material, g->left, (uint8_t)seed, (uint8_t)(seed >> 8)},
                         {0, 127, 0, 0}};
}

static void swap(RenderGrain* a, RenderGrain* b)
{
    RenderGrain c = *a;
    *a = *b, *b = c;
}

// Sorts into near and seen | seen | in the light alone; what is neither seen nor lit is dropped.
bool render_grain_upload(Render* r, const ViewFrame* f)
{
    RenderGrain* out = NULL;
    int near = 0, seen = 0, all = 0;
    if (!make_room(r, base_maxi(f->grain_count, 1)))
        return false;
    out = r->grain;
    float cell = f->grain_count > 0 ? GRAIN_CROWD * f->grain[0].radius : 1.0f;
    if (r->level.crumbs > 0 && !r->crowd)
        r->crowd = malloc(RENDER_CROWD * sizeof *r->crowd);
    bool crowds = r->level.crumbs > 0 && r->crowd;
    if (crowds)
        crowd_count(r, f, cell);
    for (int i = 0; i < f->grain_count; ++i) {
        const ViewGrain* g = &f->grain[i];
        bool visible = view_camera_sees_ball(&r->seen, g->at, 2.0f * g->radius);
        if (!visible && !view_camera_sees_ball(&r->lit, g->at, g->radius))
            continue;
        out[all] = packed(g);
        if (visible) {
            Vec3 way = vec3_sub(g->at, f->camera.eye);
            swap(&out[all], &out[seen]);
            if (vec3_dot(way, way) < GRAIN_NEAR * GRAIN_NEAR) {
                if (crowds)
                    crowd_at(r, g->at, cell, out[seen].crowd);
                swap(&out[seen], &out[near]);
                ++near;
            }
            ++seen;
        }
        ++all;
    }
    r->grain_near = near, r->grain_seen = seen, r->grain_all = all;
    r->stats.grains = seen;
    glBindBuffer(GL_ARRAY_BUFFER, r->grain_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)all * sizeof *out), out, GL_STREAM_DRAW);
    return true;
}

// Every `pace`th grain from `first` on.
static void point_at(int first, int pace, int crumbs)
{
    const char* base = NULL;
    GLsizei stride = pace * (GLsizei)sizeof(RenderGrain);
    base += (size_t)first * sizeof(RenderGrain);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, base);
    glVertexAttribIPointer(1, 4, GL_UNSIGNED_BYTE, stride, base + offsetof(RenderGrain, look));
    glVertexAttribPointer(2, 4, GL_BYTE, GL_TRUE, stride, base + offsetof(RenderGrain, crowd));
    glVertexAttribDivisor(0, (GLuint)(1 + crumbs));
    glVertexAttribDivisor(1, (GLuint)(1 + crumbs));
    glVertexAttribDivisor(2, (GLuint)(1 + crumbs));
}

static void draw_range(Render* r, RenderShader shader, int first, int count, int crumbs)
{
    if (count <= 0)
        return;
    point_at(first, 1, crumbs);
    render_gl_int(r, shader, "crumbs", crumbs);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count * (1 + crumbs));
    render_gl_drawn(r, 2 * count * (1 + crumbs));
}

// Of a large heap half of the grains, a little larger, throw the same shadow.
static void draw_shadows(Render* r, RenderShader shader)
{
    int pace = r->level.fine_shadows || r->grain_all < GRAIN_MANY ? 1 : 2;
    int count = (r->grain_all + pace - 1) / pace;
    if (count == 0)
        return;
    point_at(0, pace, 0);
    render_gl_int(r, shader, "crumbs", 0);
    render_gl_float(r, shader, "grown", pace == 1 ? 1.0f : 1.3f);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
    render_gl_drawn(r, 2 * count);
}

void render_grain_draw(Render* r, bool shadow)
{
    RenderShader shader = shadow ? SHADER_GRAIN_SHADOW : SHADER_GRAIN;
    glBindVertexArray(r->grain_vao);
    glBindBuffer(GL_ARRAY_BUFFER, r->grain_buffer);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glEnableVertexAttribArray(2);
    render_gl_use(r, shader);
    render_gl_int(r, shader, "shadow_pass", shadow);
    if (shadow) {
        draw_shadows(r, shader);
        return;
    }
    int crumbs = r->flat[SHADER_GRAIN] ? 0 : r->level.crumbs;
    draw_range(r, shader, 0, r->grain_near, crumbs);
    draw_range(r, shader, r->grain_near, r->grain_seen - r->grain_near, 0);
}
