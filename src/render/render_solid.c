// render_solid - small solids made of rings and boxes: trees, cones, people.
#include "render/render_internal.h"

float render_solid_chance(int x, int z, uint32_t seed)
{
    uint32_t h = (uint32_t)x * 374761393u + (uint32_t)z * 668265263u + seed * 2246822519u;
    h = (h ^ h >> 13) * 1274126177u;
    return (float)((h ^ h >> 16) & 0xffffffu) * (1.0f / 16777216.0f);
}

void render_solid_begin(RenderSolidMesh* m)
{
    m->vertices = m->indices = 0;
}

static bool room(const RenderSolidMesh* m, int vertices, int indices)
{
    return m->vertices + vertices <= RENDER_SOLID_VERTICES &&
           m->indices + indices <= 6 * RENDER_SOLID_VERTICES;
}

static void put(RenderSolidMesh* m, Vec3 p, Vec3 n, uint16_t material)
{
    m->vertex[m->vertices++] = (ViewMeshVertex){{p.x, p.y, p.z}, {n.x, n.y, n.z}, material, 0};
}

// What stands up about y, about another axis.
static Vec3 about(int axis, Vec3 v)
{
    return axis == 1 ? vec3(v.y, v.z, v.x) : axis == 2 ? vec3(v.z, v.x, v.y) : v;
}

// One corner of a ring. It looks up where the profile narrows.
static void put_turned(RenderSolidMesh* m, const RenderTurn* t, int k, int side)
{
    float a = 6.2831853f * ((float)side + 0.5f * (float)(k % 2)) / (float)t->sides;
    float bend = render_solid_chance(side, k, t->seed) - 0.5f;
    float r = t->profile[2 * k + 1] * (1.0f + t->dent * bend);
    float y = t->profile[2 * k] +
              0.1f * t->dent * r * (render_solid_chance(side + 20, k, t->seed) - 0.5f);
    int up = base_mini(k + 1, t->rings - 1), down = base_maxi(k - 1, 0);
    float dr = t->profile[2 * down + 1] - t->profile[2 * up + 1];
    float dy = t->profile[2 * up] - t->profile[2 * down] + 1e-3f;
    Vec3 p = about(t->axis, vec3(r * cosf(a), y, r * sinf(a)));
    Vec3 n = about(t->axis, vec3(cosf(a) * dy, dr, sinf(a) * dy));
    put(m, vec3_add(t->at, p), vec3_unit(n), t->material);
}

void render_solid_turn(RenderSolidMesh* m, const RenderTurn* t)
{
    uint32_t first = (uint32_t)m->vertices, n = (uint32_t)t->sides;
    if (!room(m, t->rings * t->sides, 6 * (t->rings - 1) * t->sides))
        return;
    for (int k = 0; k < t->rings; ++k)
        for (int s = 0; s < t->sides; ++s)
            put_turned(m, t, k, s);
    for (uint32_t k = 0; k + 1 < (uint32_t)t->rings; ++k) {
        for (uint32_t s = 0; s < n; ++s) {
            uint32_t a = first + k * n + s, b = first + k * n + (s + 1) % n, c = a + n, d = b + n;
            const uint32_t quad[6] = {a, c, b, b, c, d};
            memcpy(m->index + m->indices, quad, sizeof quad);
            m->indices += 6;
        }
    }
}

void render_solid_box(RenderSolidMesh* m, Vec3 low, Vec3 high, uint16_t material)
{
    const float end[2][3] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    if (!room(m, 24, 36))
        return;
    for (int face = 0; face < 6; ++face) {
        int axis = face / 2, side = face % 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        uint32_t first = (uint32_t)m->vertices;
        float normal[3] = {0, 0, 0};
        normal[axis] = side ? 1.0f : -1.0f;
        for (int k = 0; k < 4; ++k) {
            float p[3];
            p[axis] = end[side][axis];
            p[u] = end[k == 1 || k == 2][u], p[v] = end[k >= 2][v];
            put(m, vec3(p[0], p[1], p[2]), vec3(normal[0], normal[1], normal[2]), material);
        }
        const uint32_t out[6] = {0, 1, 2, 0, 2, 3}, in[6] = {0, 2, 1, 0, 3, 2};
        for (int k = 0; k < 6; ++k)
            m->index[m->indices++] = first + (side ? out[k] : in[k]);
    }
}

bool render_solid_end(RenderSolidMesh* m, ViewMeshMaterial* paint, int paints, RenderModel* out)
{
    ViewMeshPart part = {.index_count = m->indices, .pose_count = 1};
    const ViewMeshSet set = {.vertices = m->vertex,
                             .vertex_count = m->vertices,
                             .indices = m->index,
                             .index_count = m->indices,
                             .parts = &part,
                             .part_count = 1,
                             .pose_count = 1,
                             .materials = paint,
                             .material_count = paints};
    return render_mesh_make(out, &set);
}
