// render_grain - thousands of lumps in three draw calls.
#include "render/render_internal.h"

#include <stdlib.h>

#define GRAIN_MANY 1500
#define GRAIN_NEAR 22.0f // m, within which crumbs are drawn beside a grain

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

static RenderGrain packed(const ViewGrain* g)
{
    uint32_t seed = g->id * 2654435761u >> 16;
    return (RenderGrain){{g->at.x, g->at.y, g->at.z, g->radius},
                         {g->material, g->left, (uint8_t)seed, (uint8_t)(seed >> 8)}};
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
    glVertexAttribDivisor(0, (GLuint)(1 + crumbs));
    glVertexAttribDivisor(1, (GLuint)(1 + crumbs));
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
