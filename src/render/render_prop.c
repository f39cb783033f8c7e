// render_prop - people, cones, stakes, blocks and pipes: marks that are solid things.
#include "render/render_internal.h"

#define CABLE_PIECES 12

static ViewMeshMaterial paint[10] = {
    {"orange", {0.85f, 0.17f, 0.02f}, 0.55f, 0, 1, 0},   // 0 orange of cones and vests
    {"white", {0.80f, 0.80f, 0.78f}, 0.50f, 0, 1, 0},    // 1 white bands
    {"dark", {0.030f, 0.034f, 0.045f}, 0.90f, 0, 1, 0},  // 2 dark trousers, rubber
    {"skin", {0.50f, 0.30f, 0.21f}, 0.80f, 0, 1, 0},     // 3 skin
    {"helmet", {0.80f, 0.62f, 0.03f}, 0.40f, 0, 1, 0},   // 4 yellow helmet
    {"wood", {0.36f, 0.24f, 0.13f}, 0.95f, 0, 1, 0},     // 5 wood
    {"concrete", {0.55f, 0.54f, 0.51f}, 0.90f, 0, 1, 0}, // 6 concrete
    {"gas", {0.75f, 0.50f, 0.02f}, 0.60f, 0, 1, 0},      // 7 gas pipe
    {"red", {0.70f, 0.03f, 0.03f}, 0.60f, 0, 1, 0},      // 8 red
    {"cable", {0.04f, 0.04f, 0.04f}, 0.60f, 0, 1, 0},    // 9 cable
};

static void turn(RenderSolidMesh* m, const float* profile, int rings, int sides, Vec3 at,
                 uint16_t material)
{
    render_solid_turn(
        m, &(RenderTurn){
               .profile = profile, .rings = rings, .sides = sides, .at = at, .material = material});
}

// 0.75 m high, with a reflecting band.
static void make_cone(RenderSolidMesh* m)
{
    const float foot[10] = {0, 0.19f, 0.03f, 0.19f, 0.035f, 0.14f, 0.30f, 0.10f, 0.30f, 0.10f};
    const float band[4] = {0.30f, 0.102f, 0.48f, 0.072f};
    const float tip[6] = {0.48f, 0.070f, 0.74f, 0.028f, 0.75f, 0.001f};
    turn(m, foot, 5, 14, vec3(0, 0, 0), 0);
    turn(m, band, 2, 14, vec3(0, 0, 0), 1);
    turn(m, tip, 3, 14, vec3(0, 0, 0), 0);
}

// 1.78 m with the helmet; looks along +x.
static void make_person(RenderSolidMesh* m)
{
    const float leg[8] = {0.0f, 0.06f, 0.08f, 0.075f, 0.5f, 0.075f, 0.86f, 0.10f};
    const float chest[12] = {0.82f, 0.15f, 0.95f, 0.18f, 1.15f, 0.18f,
                             1.34f, 0.20f, 1.44f, 0.14f, 1.47f, 0.05f};
    const float band[4] = {1.02f, 0.184f, 1.08f, 0.184f};
    const float arm[8] = {0.78f, 0.045f, 1.05f, 0.05f, 1.36f, 0.065f, 1.42f, 0.03f};
    const float head[10] = {1.44f, 0.05f, 1.50f, 0.085f, 1.58f, 0.10f, 1.66f, 0.095f, 1.70f, 0.06f};
    const float helmet[10] = {1.635f, 0.145f, 1.645f, 0.118f, 1.70f,
                              0.112f, 1.755f, 0.08f,  1.78f,  0.01f};
    for (int side = -1; side <= 1; side += 2) {
        turn(m, leg, 4, 8, vec3(0, 0, 0.10f * (float)side), 2);
        turn(m, arm, 4, 7, vec3(0, 0, 0.222f * (float)side), 0);
    }
    turn(m, chest, 6, 10, vec3(0, 0, 0), 0);
    turn(m, band, 2, 10, vec3(0, 0, 0), 1);
    turn(m, head, 5, 9, vec3(0.01f, 0, 0), 3);
    turn(m, helmet, 5, 10, vec3(0, 0, 0), 4);
}

static void make_stake(RenderSolidMesh* m)
{
    render_solid_box(m, vec3(-0.02f, -0.2f, -0.02f), vec3(0.02f, 1.1f, 0.02f), 5);
    render_solid_box(m, vec3(-0.021f, 0.98f, -0.021f), vec3(0.021f, 1.101f, 0.021f), 8);
    render_solid_box(m, vec3(0.02f, 0.85f, -0.002f), vec3(0.22f, 0.98f, 0.002f), 0);
}

// 1 high: gaiter, rod and grip.
static void make_lever(RenderSolidMesh* m)
{
    const float gaiter[14] = {0,     0.22f, 0.06f, 0.22f, 0.10f, 0.17f, 0.16f,
                              0.18f, 0.22f, 0.12f, 0.28f, 0.12f, 0.33f, 0.05f};
    const float rod[4] = {0.30f, 0.045f, 0.62f, 0.045f};
    const float grip[14] = {0.58f, 0.06f, 0.62f, 0.095f, 0.72f, 0.10f, 0.84f,
                            0.09f, 0.93f, 0.12f, 0.99f,  0.11f, 1.0f,  0.01f};
    const float button[4] = {0.99f, 0.045f, 1.03f, 0.04f};
    turn(m, gaiter, 7, 10, vec3(0, 0, 0), 2);
    turn(m, rod, 2, 7, vec3(0, 0, 0), 6);
    turn(m, grip, 7, 9, vec3(0, 0, 0), 2);
    turn(m, button, 2, 7, vec3(0.03f, 0, 0), 8);
}

void render_prop_make(Render* r)
{
    static RenderSolidMesh m;
    const float pipe[4] = {0, 1, 1, 1};
    for (int k = 0; k < PROP_COUNT; ++k) {
        render_solid_begin(&m);
        if (k == PROP_CONE)
            make_cone(&m);
        else if (k == PROP_PERSON)
            make_person(&m);
        else if (k == PROP_STAKE)
            make_stake(&m);
        else if (k == PROP_LEVER)
            make_lever(&m);
        else if (k == PROP_BLOCK)
            render_solid_box(&m, vec3(-0.5f, 0, -0.5f), vec3(0.5f, 1, 0.5f), 6);
        else
            turn(&m, pipe, 2, 12, vec3(0, 0, 0), 7);
        render_solid_end(&m, paint, 10, &r->prop[k]);
    }
}

void render_prop_free(Render* r)
{
    for (int k = 0; k < PROP_COUNT; ++k)
        render_mesh_free(&r->prop[k]);
}

// --- where they stand ----------------------------------------------------------------------------

static ViewPose upright(const ViewMarker* m, Vec3 scale)
{
    float c = cosf(m->heading), s = sinf(m->heading);
    return (ViewPose){{{c * scale.x, 0, -s * scale.z, m->at.x},
                       {0, scale.y, 0, m->at.y},
                       {s * scale.x, 0, c * scale.z, m->at.z}}};
}

// A unit pipe along y, laid from a to b.
static ViewPose laid(Vec3 a, Vec3 b, float radius)
{
    Vec3 way = vec3_sub(b, a), y = vec3_unit(way);
    Vec3 x = vec3_unit(vec3_cross(fabsf(y.y) > 0.9f ? vec3(1, 0, 0) : vec3(0, 1, 0), y));
    Vec3 z = vec3_cross(x, y);
    x = vec3_mul(x, radius), z = vec3_mul(z, radius);
    return (ViewPose){{{x.x, way.x, z.x, a.x}, {x.y, way.y, z.y, a.y}, {x.z, way.z, z.z, a.z}}};
}

static Vec3 on_cable(const ViewMarker* m, int piece)
{
    float t = (float)piece / CABLE_PIECES;
    Vec3 p = view_lerp(m->at, m->to, t);
    p.y -= 4.0f * m->size.y * t * (1.0f - t);
    return p;
}

static int poses_of(const ViewMarker* m, RenderProp prop, ViewPose* out)
{
    static const ViewMarkerKind kind[PROP_COUNT] = {VIEW_MARKER_CONE,  VIEW_MARKER_PERSON,
                                                    VIEW_MARKER_STAKE, VIEW_MARKER_WALL,
                                                    VIEW_MARKER_LEVER, VIEW_MARKER_PIPE};
    if (prop == PROP_PIPE && m->kind == VIEW_MARKER_CABLE) {
        for (int k = 0; k < CABLE_PIECES; ++k)
            out[k] = laid(on_cable(m, k), on_cable(m, k + 1), m->size.x);
        return CABLE_PIECES;
    }
    if (m->kind != kind[prop])
        return 0;
    // as wide as it is high
    if (prop == PROP_LEVER)
        out[0] = laid(m->at, m->to, vec3_length(vec3_sub(m->to, m->at)));
    else
        out[0] = prop == PROP_PIPE    ? laid(m->at, m->to, m->size.x)
                 : prop == PROP_BLOCK ? upright(m, m->size)
                                      : upright(m, vec3(1, 1, 1));
    return 1;
}

// Pipes and cables have colours of their own.
static void draw_pipes(Render* r, const ViewFrame* f, bool shadow)
{
    ViewPose pose[CABLE_PIECES];
    RenderModel* pipe = &r->prop[PROP_PIPE];
    for (int k = 0; k < f->marker_count; ++k) {
        int count = poses_of(&f->marker[k], PROP_PIPE, pose);
        if (count == 0)
            continue;
        render_frame_linear(f->marker[k].color, pipe->material[7]);
        render_mesh_instances(r, pipe, pose, count, 0.85f, shadow ? RENDER_SHADOW : RENDER_SOLID);
    }
}

void render_prop_draw(Render* r, const ViewFrame* f, bool shadow)
{
    static ViewPose pose[VIEW_MARKERS_MAX];
    draw_pipes(r, f, shadow);
    for (int prop = 0; prop < PROP_PIPE; ++prop) {
        int count = 0;
        for (int k = 0; k < f->marker_count; ++k)
            count += poses_of(&f->marker[k], (RenderProp)prop, pose + count);
        render_mesh_instances(r, &r->prop[prop], pose, count, 0.85f,
                              shadow ? RENDER_SHADOW : RENDER_SOLID);
    }
}
