// render_marker - what is told by paint on the air: goals, zones, rings; soil in bins; dust.
#include "render/render_internal.h"

#include <stdlib.h>

#define BIN_THICK  0.03f // m, from which soil in a bin hides its floor for sure
#define BIN_SPAN   0.25f // m, of thickness in a byte; see shaders/terrain.frag
#define STREAM_MAX 60000 // vertices of all marks, or of one bin

typedef struct Mark {
    float position[3];
    uint8_t tint[4];
    float pattern[3];
} Mark;

static Mark mark[STREAM_MAX];
static int mark_count;

static void put(const ViewMarker* m, Vec3 p, float u, float v, float kind, float opacity)
{
    Mark* out = &mark[mark_count++];
    *out = (Mark){{p.x, p.y, p.z}, {0}, {u, v, kind}};
    for (int k = 0; k < 3; ++k)
        out->tint[k] = (uint8_t)(255.0f * base_clampf(m->color[k], 0, 1));
    out->tint[3] = (uint8_t)(255.0f * base_clampf(m->color[3] * opacity, 0, 1));
}

static void quad(const ViewMarker* m, const Vec3 p[4], const float uv[8], float kind,
                 const float opacity[4])
{
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    if (mark_count + 6 > STREAM_MAX)
        return;
    for (int k = 0; k < 6; ++k) {
        int c = order[k];
        put(m, p[c], uv[2 * c], uv[2 * c + 1], kind, opacity[c]);
    }
}

static Vec3 turned(const ViewMarker* m, float x, float y, float z)
{
    float c = cosf(m->heading), s = sinf(m->heading);
    return vec3(m->at.x + c * x - s * z, m->at.y + y, m->at.z + s * x + c * z);
}

static float goal_height(const ViewMarker* m, int i, int j)
{
    return m->height ? m->height[j * m->nx + i] : 0.0f;
}

// How the ground stands to a piece of the goal: by a sign and by a colour.
static ViewMarker judged(const ViewMarker* m, const ViewGround* g, const Vec3 p[4], float* weave)
{
    static const float high[3] = {1.0f, 0.66f, 0.12f}, low[3] = {0.95f, 0.25f, 0.75f};
    ViewMarker out = *m;
    Vec3 at = vec3_mul(vec3_add(p[0], p[2]), 0.5f);
    float over = view_ground_height(g, at.x, at.z) - at.y;
    *weave = VIEW_WEAVE_GRID;
    if (m->tolerance <= 0.0f || fabsf(over) <= m->tolerance)
        return out;
    *weave = over > 0.0f ? VIEW_WEAVE_PLUS : VIEW_WEAVE_MINUS;
    memcpy(out.color, over > 0.0f ? high : low, sizeof high);
    return out;
}

static void goal(const ViewMarker* m, const ViewGround* g)
{
    static const float full[4] = {1, 1, 1, 1};
    int nx = m->height ? m->nx - 1 : 1, nz = m->height ? m->nz - 1 : 1;
    for (int j = 0; j < nz; ++j) {
        for (int i = 0; i < nx; ++i) {
            Vec3 p[4];
            float uv[8], weave;
            for (int k = 0; k < 4; ++k) {
                int a = i + (k == 1 || k == 2), b = j + k / 2;
                float x = m->size.x * (float)a / (float)nx, z = m->size.z * (float)b / (float)nz;
                p[k] = turned(m, x, goal_height(m, a, b), z);
                // whole cells, so that each has one sign
                uv[2 * k] = m->height ? 0.5f * (float)a : x,
                       uv[2 * k + 1] = m->height ? 0.5f * (float)b : z;
            }
            const ViewMarker now = judged(m, g, p, &weave);
            quad(&now, p, uv, weave, full);
        }
    }
}

// --- zones and lines -----------------------------------------------------------------------------

static Vec3 grounded(const ViewGround* g, float x, float z, float up)
{
    return vec3(x, view_ground_height(g, x, z) + up, z);
}

// An upright band over the ground from a to b (x, z), in pieces of a metre; returns its length.
static float wall(const ViewMarker* m, const ViewGround* g, const float a[2], const float b[2],
                  float at)
{
    static const float fading[4] = {1, 1, 0.08f, 0.08f};
    float dx = b[0] - a[0], dz = b[1] - a[1], length = sqrtf(dx * dx + dz * dz);
    int pieces = base_mini(base_maxi((int)length, 1), 100);
    for (int k = 0; k < pieces; ++k) {
        float s = (float)k / (float)pieces, t = (float)(k + 1) / (float)pieces, h = m->size.y;
        float x0 = a[0] + dx * s, z0 = a[1] + dz * s, x1 = a[0] + dx * t, z1 = a[1] + dz * t;
        const Vec3 p[4] = {grounded(g, x0, z0, -0.05f), grounded(g, x1, z1, -0.05f),
                           grounded(g, x1, z1, h), grounded(g, x0, z0, h)};
        float u = at + length * s, v = at + length * t;
        const float uv[8] = {u, 0, v, 0, v, h, u, h};
        quad(m, p, uv, (float)m->weave, fading);
    }
    return length;
}

static void zone(const ViewMarker* m, const ViewGround* g)
{
    float hx = 0.5f * m->size.x, hz = 0.5f * m->size.z, at = 0.0f;
    if (m->outline) {
        for (int n = 0; n + 1 < m->outline_count; n += 2)
            at += wall(m, g, &m->outline[n], &m->outline[(n + 2) % m->outline_count], at);
        return;
    }
    const float corner[5][2] = {{-hx, -hz}, {hx, -hz}, {hx, hz}, {-hx, hz}, {-hx, -hz}};
    for (int k = 0; k < 4; ++k) {
        Vec3 a = turned(m, corner[k][0], 0, corner[k][1]);
        Vec3 b = turned(m, corner[k + 1][0], 0, corner[k + 1][1]);
        const float from[2] = {a.x, a.z}, to[2] = {b.x, b.z};
        at += wall(m, g, from, to, at);
    }
}

// Paint on the ground: what is dug away takes it along.
static void line(const ViewMarker* m, const ViewGround* g)
{
    static const float full[4] = {1, 1, 1, 1};
    Vec3 way = vec3_sub(m->to, m->at);
    way.y = 0.0f;
    float length = vec3_length(way), half = 0.5f * m->size.x;
    Vec3 along = vec3_unit(way), side = {-along.z * half, 0, along.x * half};
    int pieces = base_mini(base_maxi((int)(length / 0.4f), 1), 400);
    for (int k = 0; k < pieces; ++k) {
        float s = (float)k / (float)pieces, t = (float)(k + 1) / (float)pieces;
        Vec3 a = vec3_mad(m->at, way, s), b = vec3_mad(m->at, way, t);
        float up = view_ground_height(g, a.x, a.z), then = a.y + (m->to.y - m->at.y) * s;
        if (up < then - 0.06f)
            continue;
        const Vec3 p[4] = {grounded(g, a.x - side.x, a.z - side.z, 0.02f),
                           grounded(g, b.x - side.x, b.z - side.z, 0.02f),
                           grounded(g, b.x + side.x, b.z + side.z, 0.02f),
                           grounded(g, a.x + side.x, a.z + side.z, 0.02f)};
        float u = length * s, v = length * t;
        const float uv[8] = {u, -1, v, -1, v, 1, u, 1};
        quad(m, p, uv, (float)m->weave, full);
    }
}

// Lies on the ground, whatever its shape.
static void ring(const ViewMarker* m, const ViewGround* g)
{
    static const float full[4] = {1, 1, 1, 1};
    for (int k = 0; k < 32; ++k) {
        Vec3 p[4];
        for (int c = 0; c < 4; ++c) {
            float a = 6.2831853f * (float)(k + (c == 1 || c == 2)) / 32.0f;
            float r = m->size.x * (c < 2 ? 0.86f : 1.0f);
            p[c] = vec3(m->at.x + r * cosf(a), 0, m->at.z + r * sinf(a));
            p[c].y = view_ground_height(g, p[c].x, p[c].z) + 0.03f;
        }
        const float uv[8] = {0};
        quad(m, p, uv, 0.0f, full);
    }
}

static void make(Render* r)
{
    glGenVertexArrays(1, &r->stream_vao);
    glBindVertexArray(r->stream_vao);
    glGenBuffers(1, &r->stream);
    glBindBuffer(GL_ARRAY_BUFFER, r->stream);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Mark), (void*)offsetof(Mark, position));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Mark),
                          (void*)offsetof(Mark, tint));
    glEnableVertexAttribArray(2);
    glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, sizeof(Mark), (void*)offsetof(Mark, pattern));
}

static void send(Render* r)
{
    if (!r->stream_vao)
        make(r);
    glBindVertexArray(r->stream_vao);
    glBindBuffer(GL_ARRAY_BUFFER, r->stream);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)mark_count * sizeof *mark), mark,
                 GL_STREAM_DRAW);
}

static void collect(const ViewFrame* f, ViewMarkerKind kind)
{
    for (int k = 0; k < f->marker_count; ++k) {
        const ViewMarker* m = &f->marker[k];
        if (m->kind != kind)
            continue;
        switch (kind) {
        case VIEW_MARKER_GOAL: goal(m, f->ground); break;
        case VIEW_MARKER_ZONE: zone(m, f->ground); break;
        case VIEW_MARKER_LINE: line(m, f->ground); break;
        default: ring(m, f->ground); break;
        }
    }
}

static void draw_marks(Render* r, int count, float faint)
{
    if (count == 0)
        return;
    render_gl_float(r, SHADER_MARKER, "faint", faint);
    glDrawArrays(GL_TRIANGLES, 0, count);
    render_gl_drawn(r, count / 3);
}

static void begin_marks(Render* r)
{
    send(r);
    render_gl_use(r, SHADER_MARKER);
    glDisable(GL_CULL_FACE);
}

// A goal lies in the ground until it is dug: what the ground hides still shines through, fainter.
// Machines have marked their pixels, and soil in the air is drawn later: both hide it.
void render_marker_buried(Render* r, const ViewFrame* f)
{
    mark_count = 0;
    collect(f, VIEW_MARKER_GOAL);
    if (mark_count == 0)
        return;
    begin_marks(r);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 0, 1);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_GREATER);
    draw_marks(r, mark_count, 0.55f);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_BLEND);
}

void render_marker_draw(Render* r, const ViewFrame* f)
{
    mark_count = 0;
    collect(f, VIEW_MARKER_GOAL);
    collect(f, VIEW_MARKER_ZONE);
    collect(f, VIEW_MARKER_LINE);
    collect(f, VIEW_MARKER_RING);
    if (mark_count == 0)
        return;
    begin_marks(r);
    draw_marks(r, mark_count, 1.0f);
}

// --- soil in bins --------------------------------------------------------------------------------

static int main_kind(const ViewBin* b)
{
    int seen[VIEW_SOILS] = {0}, best = 0;
    for (int c = 0; c < b->nx * b->nz; ++c)
        seen[b->kind[c] % VIEW_SOILS] += b->height[c] > 0.01f;
    for (int k = 1; k < VIEW_SOILS; ++k)
        best = seen[k] > seen[best] ? k : best;
    return best;
}

static float bin_column(const ViewBin* b, int i, int j)
{
    i = base_mini(base_maxi(i, 0), b->nx - 1), j = base_mini(base_maxi(j, 0), b->nz - 1);
    return b->height[j * b->nx + i];
}

// Where little lies it lies unevenly: the foot of a heap is the mean of what is around.
static float bin_height(const ViewBin* b, int i, int j)
{
    float own = bin_column(b, i, j);
    if (own > BIN_THICK)
        return own;
    float sum = 2.0f * own;
    for (int k = 0; k < 4; ++k)
        sum +=
            base_minf(bin_column(b, i + (k == 0) - (k == 1), j + (k == 2) - (k == 3)), BIN_THICK);
    return sum / 6.0f;
}

// Corner and normal of a column's middle; the outermost reach to the walls.
static void put_bin(const ViewBin* b, int i, int j)
{
    // how thick it lies tells where the foot ends
    float thick = bin_height(b, i, j);
    const ViewMarker plain = {.color = {1, 1, 1, thick / BIN_SPAN}};
    float u = i == 0 ? 0.0f : i == b->nx - 1 ? (float)b->nx : (float)i + 0.5f;
    float v = j == 0 ? 0.0f : j == b->nz - 1 ? (float)b->nz : (float)j + 0.5f;
    Vec3 p = vec3(b->origin.x + u * b->cell, thick, b->origin.z + v * b->cell);
    Vec3 n = vec3(bin_height(b, i - 1, j) - bin_height(b, i + 1, j), 2.0f * b->cell,
                  bin_height(b, i, j - 1) - bin_height(b, i, j + 1));
    Vec3 tip = view_pose_point(&b->pose, vec3_add(p, vec3_unit(n)));
    p = view_pose_point(&b->pose, p);
    put(&plain, p, 0, 0, 0, 1);
    n = vec3_sub(tip, p);
    memcpy(mark[mark_count - 1].pattern, &n, sizeof n);
}

static void bin_triangles(const ViewBin* b)
{
    static const int order[6][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 1}};
    mark_count = 0;
    for (int j = 0; j + 1 < b->nz; ++j) {
        for (int i = 0; i + 1 < b->nx; ++i) {
            const float* h = b->height + j * b->nx + i;
            if (h[0] + h[1] + h[b->nx] + h[b->nx + 1] < 0.004f || mark_count + 6 > STREAM_MAX)
                continue;
            for (int k = 0; k < 6; ++k)
                put_bin(b, i + order[k][0], j + order[k][1]);
        }
    }
}

void render_marker_bins(Render* r, const ViewFrame* f, bool shadow)
{
    for (int k = 0; k < f->bin_count && !shadow; ++k) {
        bin_triangles(&f->bin[k]);
        if (mark_count == 0)
            continue;
        send(r);
        render_gl_use(r, SHADER_HEAP);
        render_gl_int(r, SHADER_HEAP, "heap", main_kind(&f->bin[k]));
        glDrawArrays(GL_TRIANGLES, 0, mark_count);
        render_gl_drawn(r, mark_count / 3);
    }
}

// --- dust ----------------------------------------------------------------------------------------

static int far_first(const void* a, const void* b)
{
    float x = ((const float*)a)[8], y = ((const float*)b)[8];
    return x < y ? 1 : x > y ? -1 : 0;
}

void render_marker_puffs(Render* r, const ViewFrame* f)
{
    static float puff[VIEW_PUFFS_MAX][9]; // ball, tint, distance
    int count = f->dust.count;
    if (count == 0)
        return;
    for (int k = 0; k < count; ++k) {
        const ViewPuff* p = &f->dust.puff[k];
        float life = base_clampf(p->age / p->life, 0.0f, 1.0f), color[3];
        render_frame_linear(p->color, color);
        const float out[9] = {p->at.x,
                              p->at.y,
                              p->at.z,
                              p->radius,
                              color[0],
                              color[1],
                              color[2],
                              p->opacity * (1 - life) * base_minf(8.0f * life, 1.0f),
                              vec3_length(vec3_sub(p->at, f->camera.eye))};
        memcpy(puff[k], out, sizeof out);
    }
    qsort(puff, (size_t)count, sizeof puff[0], far_first);
    glBindVertexArray(r->puff_vao);
    glBindBuffer(GL_ARRAY_BUFFER, r->puff_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * sizeof puff[0]), puff,
                 GL_STREAM_DRAW);
    const char* base = NULL;
    for (GLuint k = 0; k < 2; ++k) {
        glEnableVertexAttribArray(k);
        glVertexAttribPointer(k, 4, GL_FLOAT, GL_FALSE, sizeof puff[0], base + 16 * k);
        glVertexAttribDivisor(k, 1);
    }
    render_gl_use(r, SHADER_PUFF);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
    render_gl_drawn(r, 2 * count);
}
