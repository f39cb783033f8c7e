// render_scenery - what lies around a site: land that goes on to the horizon, and trees.
//
// Chance is seeded by place: the same site always has the same surroundings.
#include "render/render_internal.h"

#include <stdlib.h>

#define RINGS      22
#define STEP       1.0f // m along the site's border
#define TREES_MAX  900
#define TREE_ROAD  6.0f  // m from the middle of the way in
#define TREE_FIRST 22.0f // m from the border

// --- the shape of the land -----------------------------------------------------------------------

static float ramp(float from, float to, float x)
{
    float t = base_clampf((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

static RenderLand land_around(const ViewGround* g)
{
    float half = 0.5f * g->cell;
    RenderLand l = {g,
                    g->origin.x + half,
                    g->origin.z + half,
                    g->origin.x + (float)g->nx * g->cell - half,
                    g->origin.z + (float)g->nz * g->cell - half,
                    0.0f};
    for (int k = 0; k < 64; ++k) {
        float t = ((float)k + 0.5f) / 64.0f;
        l.mean += view_ground_height(g, l.x0 + (l.x1 - l.x0) * t, k % 2 ? l.z0 : l.z1) / 128.0f;
        l.mean += view_ground_height(g, k % 2 ? l.x0 : l.x1, l.z0 + (l.z1 - l.z0) * t) / 128.0f;
    }
    return l;
}

// The border's height goes over into hills that grow with the distance.
float render_scenery_height(const RenderLand* l, float x, float z)
{
    float bx = base_clampf(x, l->x0, l->x1), bz = base_clampf(z, l->z0, l->z1);
    float far = sqrtf((x - bx) * (x - bx) + (z - bz) * (z - bz));
    float border = view_ground_height(l->ground, bx, bz), keep = expf(-far / 30.0f);
    float h = l->mean + (border - l->mean) * keep;
    h += (view_ground_noise(x, z, 34.0f, 1) - 0.5f) * 3.0f * ramp(8.0f, 70.0f, far);
    h += (view_ground_noise(x, z, 160.0f, 2) - 0.45f) * 22.0f * ramp(30.0f, 260.0f, far);
    h += (view_ground_noise(x, z, 600.0f, 3) - 0.25f) * 95.0f * ramp(160.0f, 900.0f, far);
    return h;
}

// The way in bends far out; the same in shaders/terrain.frag.
float render_scenery_off_road(const ViewGround* g, float x, float z)
{
    const ViewRoad* road = &g->road;
    float dx = x - road->gate[0], dz = z - road->gate[1];
    float along = dx * road->way[0] + dz * road->way[1];
    float off = dz * road->way[0] - dx * road->way[1];
    if (road->width <= 0.0f || along < 0.0f)
        return 1e6f;
    return fabsf(off - 14.0f * (1.0f - cosf(along * 0.016f)));
}

// --- rings ---------------------------------------------------------------------------------------

// Where the border is after `at` metres, and outwards from there.
static void border(const RenderLand* l, float at, float* x, float* z, float* ox, float* oz)
{
    float w = l->x1 - l->x0, d = l->z1 - l->z0, cx = 0.5f * (l->x0 + l->x1);
    float cz = 0.5f * (l->z0 + l->z1);
    if (at < w)
        *x = l->x0 + at, *z = l->z0;
    else if (at < w + d)
        *x = l->x1, *z = l->z0 + at - w;
    else if (at < 2 * w + d)
        *x = l->x1 - (at - w - d), *z = l->z1;
    else
        *x = l->x0, *z = l->z1 - (at - 2 * w - d);
    // outwards is a mixture of "away from the middle" in both directions, so that rings become round
    *ox = (*x - cx) / (0.5f * w), *oz = (*z - cz) / (0.5f * d);
    float n = 1.0f / sqrtf(*ox * *ox + *oz * *oz);
    *ox *= n, *oz *= n;
}

static void fill_rings(const RenderLand* l, int around, float length, float (*v)[3])
{
    for (int ring = 0; ring <= RINGS; ++ring) {
        // the first ring lies below the site's edge, so that no gap shows
        float t = (float)(ring - 1) / (RINGS - 1), far = 0.6f * powf(3500.0f, t);
        far = ring == 0 ? -0.6f : ring == 1 ? 0.0f : far;
        for (int k = 0; k < around; ++k) {
            float x, z, ox, oz, at = length * (float)k / (float)around;
            border(l, at, &x, &z, &ox, &oz);
            float* p = v[ring * around + k];
            p[0] = x + ox * far, p[2] = z + oz * far;
            p[1] = render_scenery_height(l, p[0], p[2]) - (ring == 0 ? 0.5f : 0.02f);
        }
    }
}

static void fill_indices(int around, uint32_t* index)
{
    uint32_t n = (uint32_t)around;
    for (uint32_t ring = 0; ring < RINGS; ++ring) {
        for (uint32_t k = 0; k < n; ++k) {
            uint32_t a = ring * n + k, b = ring * n + (k + 1) % n, c = a + n, d = b + n;
            const uint32_t quad[6] = {a, b, c, b, d, c};
            memcpy(index, quad, sizeof quad);
            index += 6;
        }
    }
}

static void make_land(Render* r, const RenderLand* l)
{
    RenderScenery* s = &r->scenery;
    float length = 2 * (l->x1 - l->x0 + l->z1 - l->z0);
    int around = base_maxi((int)(length / STEP) / 4 * 4, 16);
    s->index_count = 6 * RINGS * around;
    float(*v)[3] = malloc((size_t)((RINGS + 1) * around) * sizeof *v);
    uint32_t* index = malloc((size_t)s->index_count * sizeof *index);
    if (v && index) {
        fill_rings(l, around, length, v);
        fill_indices(around, index);
        glGenVertexArrays(1, &s->vao);
        glBindVertexArray(s->vao);
        glGenBuffers(1, &s->vertices);
        glGenBuffers(1, &s->indices);
        glBindBuffer(GL_ARRAY_BUFFER, s->vertices);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)((RINGS + 1) * around) * sizeof *v), v,
                     GL_STATIC_DRAW);
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->indices);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)s->index_count * sizeof *index),
                     index, GL_STATIC_DRAW);
    } else {
        s->index_count = 0;
    }
    free(v), free(index);
}

// --- trees ---------------------------------------------------------------------------------------

static ViewMeshMaterial tree_paint[4] = {
    {"bark", {0.055f, 0.040f, 0.028f}, 0.95f, 0, 1, 0},   // bark
    {"spruce", {0.024f, 0.050f, 0.018f}, 0.95f, 0, 1, 0}, // spruce
    {"leaf", {0.052f, 0.088f, 0.022f}, 0.95f, 0, 1, 0},   // leaves
    {"light", {0.075f, 0.105f, 0.028f}, 0.95f, 0, 1, 0},  // leaves in the light
};

// Both are 1 m high; a pose makes them as tall as they are.
static void make_spruce(RenderModel* out)
{
    static RenderSolidMesh t;
    const float trunk[4] = {-0.05f, 0.020f, 0.5f, 0.012f};
    render_solid_begin(&t);
    render_solid_turn(&t, &(RenderTurn){.profile = trunk, .rings = 2, .sides = 5});
    for (int k = 0; k < 4; ++k) {
        float y = 0.12f + 0.20f * (float)k, w = 0.19f - 0.038f * (float)k;
        const float skirt[6] = {y, w, y + 0.09f, 0.62f * w, y + 0.30f, 0.004f};
        render_solid_turn(&t, &(RenderTurn){.profile = skirt,
                                            .rings = 3,
                                            .sides = 9,
                                            .dent = 0.3f,
                                            .material = 1,
                                            .seed = (uint32_t)k});
    }
    render_solid_end(&t, tree_paint, 4, out);
}

static void make_broadleaf(RenderModel* out)
{
    static RenderSolidMesh t;
    const float trunk[4] = {-0.05f, 0.020f, 0.5f, 0.012f};
    render_solid_begin(&t);
    render_solid_turn(&t, &(RenderTurn){.profile = trunk, .rings = 2, .sides = 5});
    for (int k = 0; k < 5; ++k) {
        float a = 2.4f * (float)k, w = k == 4 ? 0.20f : 0.16f, off = k == 4 ? 0.0f : 0.15f;
        const float crown[10] = {-0.9f * w, 0.10f * w, -0.55f * w, 0.80f * w, 0.1f * w,
                                 w,         0.65f * w, 0.72f * w,  w,         0.05f * w};
        render_solid_turn(
            &t, &(RenderTurn){.profile = crown,
                              .rings = 5,
                              .sides = 8,
                              .at = {off * cosf(a), 0.40f + 0.07f * (float)k, off * sinf(a)},
                              .dent = 0.45f,
                              .material = (uint16_t)(2 + k % 2),
                              .seed = 40u + (uint32_t)k});
    }
    render_solid_end(&t, tree_paint, 4, out);
}

static void plant(RenderScenery* s, const RenderLand* l, int species, float x, float z, int number)
{
    float tall = species == 0 ? 9.0f + 8.0f * render_solid_chance(number, 3, 9)
                              : 6.0f + 7.0f * render_solid_chance(number, 4, 9);
    float turn = 6.28f * render_solid_chance(number, 5, 9), c = tall * cosf(turn),
          d = tall * sinf(turn);
    float wide = 0.85f + 0.4f * render_solid_chance(number, 6, 9);
    s->species[s->count] = (uint8_t)species;
    s->pose[s->count++] = (ViewPose){{{c * wide, 0, d * wide, x},
                                      {0, tall, 0, render_scenery_height(l, x, z) - 0.1f},
                                      {-d * wide, 0, c * wide, z}}};
}

// Woods stand in groups, spruces and leaves apart, none close to the work.
static void plant_all(RenderScenery* s, const RenderLand* l)
{
    float cx = 0.5f * (l->x0 + l->x1), cz = 0.5f * (l->z0 + l->z1);
    for (int n = 0; n < 9000 && s->count < TREES_MAX; ++n) {
        float a = 6.2831853f * render_solid_chance(n, 1, 77),
              far = 30.0f + 420.0f * render_solid_chance(n, 2, 77);
        float x = cx + far * cosf(a), z = cz + far * sinf(a);
        float bx = base_clampf(x, l->x0, l->x1), bz = base_clampf(z, l->z0, l->z1);
        float out = sqrtf((x - bx) * (x - bx) + (z - bz) * (z - bz));
        float wood = view_ground_noise(x, z, 55.0f, 21);
        if (out < TREE_FIRST || render_scenery_off_road(l->ground, x, z) < TREE_ROAD ||
            wood < 0.58f - 0.10f * ramp(60.0f, 300.0f, out))
            continue;
        plant(s, l, view_ground_noise(x, z, 90.0f, 22) < 0.5f ? 0 : 1, x, z, n);
    }
}

static int by_species(const RenderScenery* s, int species, int most, ViewPose* out)
{
    int count = 0;
    for (int k = 0; k < s->count && count < most; ++k)
        if (s->species[k] == species)
            out[count++] = s->pose[k];
    return count;
}

void render_scenery_make(Render* r, const ViewGround* ground)
{
    RenderScenery* s = &r->scenery;
    RenderLand land = land_around(ground);
    render_scenery_free(r);
    make_land(r, &land);
    make_spruce(&s->tree[0]);
    make_broadleaf(&s->tree[1]);
    s->tree[0].leafy = 2.1f, s->tree[1].leafy = 1.4f;
    s->pose = malloc(TREES_MAX * sizeof *s->pose);
    s->species = malloc(TREES_MAX);
    if (s->pose && s->species)
        plant_all(s, &land);
    render_yard_make(r, &land);
}

void render_scenery_free(Render* r)
{
    RenderScenery* s = &r->scenery;
    const GLuint buffers[2] = {s->vertices, s->indices};
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &s->vao);
    render_mesh_free(&s->tree[0]);
    render_mesh_free(&s->tree[1]);
    free(s->pose), free(s->species);
    render_yard_free(r);
    *s = (RenderScenery){0};
}

void render_scenery_draw(Render* r)
{
    static ViewPose pose[TREES_MAX];
    RenderScenery* s = &r->scenery;
    if (s->index_count > 0) {
        render_gl_use(r, SHADER_OUTSIDE);
        render_gl_int(r, SHADER_OUTSIDE, "shadow_pass", 0);
        glBindVertexArray(s->vao);
        glDrawElements(GL_TRIANGLES, s->index_count, GL_UNSIGNED_INT, NULL);
        render_gl_drawn(r, s->index_count / 3);
    }
    for (int k = 0; k < 2 && s->pose; ++k) {
        int count = by_species(s, k, r->level.trees / 2, pose);
        render_mesh_instances(r, &s->tree[k], pose, count, 1.0f, RENDER_SOLID);
    }
}
