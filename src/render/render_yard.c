// render_yard - what stands about a site where the way in leaves it: fence, huts, pipes, barriers.
//
// All of it stands beyond the site's border, where no machine can come: nothing here is solid.
#include "render/render_internal.h"

#define FENCE_OUT  15.0f // m from the border
#define FENCE_LONG 3.5f  // m, of a panel
#define FENCE_GATE 4.4f  // m from the middle of the way in
#define LEVEL      0.35f // m that the land may rise below a thing

static ViewMeshMaterial paint[18] = {
    {"zinc", {0.42f, 0.44f, 0.46f}, 0.45f, 0.6f, 1, 0},  // 0 galvanised
    {"concrete", {0.42f, 0.41f, 0.38f}, 0.92f, 0, 1, 0}, // 1 concrete
    {"white", {0.70f, 0.71f, 0.70f}, 0.55f, 0, 1, 0},    // 2 hut
    {"blue", {0.035f, 0.13f, 0.34f}, 0.5f, 0, 1, 0},     // 3 blue
    {"pane", {0.018f, 0.026f, 0.034f}, 0.08f, 0, 1, 0},  // 4 windows
    {"rust", {0.27f, 0.055f, 0.025f}, 0.6f, 0, 1, 0},    // 5 container
    {"dark", {0.035f, 0.037f, 0.04f}, 0.8f, 0, 1, 0},    // 6 shade, rubber
    {"wood", {0.38f, 0.26f, 0.14f}, 0.95f, 0, 1, 0},     // 7 timber
    {"red", {0.62f, 0.03f, 0.02f}, 0.5f, 0, 1, 0},       // 8 barrier
    {"pale", {0.78f, 0.78f, 0.76f}, 0.5f, 0, 1, 0},      // 9 barrier
    {"yellow", {0.78f, 0.50f, 0.02f}, 0.5f, 0, 1, 0},    // 10 sign
    {"soil", {0.095f, 0.068f, 0.042f}, 0.97f, 0, 1, 0},  // 11 heap
    {"net", {0.30f, 0.33f, 0.36f}, 0.8f, 0, 0.16f, 0},   // 12 wires from afar
    {"lamp", {0.85f, 0.85f, 0.80f}, 0.2f, 0, 1, 0.15f},  // 13 lamps
    {"van", {0.62f, 0.63f, 0.64f}, 0.32f, 0.1f, 1, 0},   // 14 van
    {"green", {0.03f, 0.11f, 0.055f}, 0.85f, 0, 1, 0},   // 15 sheet on the fence
    {"orange", {0.75f, 0.16f, 0.015f}, 0.5f, 0, 1, 0},   // 16 orange
    {"step", {0.16f, 0.17f, 0.18f}, 0.6f, 0.5f, 1, 0},   // 17 steps
};
enum {
    ZINC,
    CONCRETE,
    WHITE,
    BLUE,
    PANE,
    RUST,
    DARK,
    WOOD,
    RED,
    PALE,
    YELLOW,
    SOIL,
    NET,
    LAMP,
    VAN,
    GREEN,
    ORANGE,
    STEP
};

static RenderSolidMesh mesh;

static void box(float x0, float y0, float z0, float x1, float y1, float z1, uint16_t material)
{
    render_solid_box(&mesh, vec3(x0, y0, z0), vec3(x1, y1, z1), material);
}

static void turn(const float* profile, int rings, int sides, int axis, Vec3 at, uint16_t material)
{
    render_solid_turn(&mesh, &(RenderTurn){.profile = profile,
                                           .rings = rings,
                                           .sides = sides,
                                           .axis = axis,
                                           .at = at,
                                           .material = material});
}

// --- things: x along the fence, +z towards the site ------------------------------------------------

// A panel between two posts on feet of concrete; x from 0 to its length.
static void make_fence(void)
{
    float l = FENCE_LONG, t = 0.022f;
    box(-0.35f, 0, -0.12f, 0.35f, 0.14f, 0.12f, CONCRETE);
    for (int k = 0; k < 2; ++k) {
        float x = k == 0 ? 0.04f : l - 0.04f;
        box(x - t, 0.05f, -t, x + t, 2.05f, t, ZINC);
    }
    box(0.04f, 2.0f, -t, l - 0.04f, 2.05f, t, ZINC);
    box(0.04f, 0.18f, -t, l - 0.04f, 0.22f, t, ZINC);
    box(0.04f, 1.1f, -0.6f * t, l - 0.04f, 1.13f, 0.6f * t, ZINC);
}

// The same for a weak machine: a post and a rail.
static void make_rail(void)
{
    float t = 0.03f;
    box(-t, 0, -t, t, 2.05f, t, ZINC);
    box(0, 1.98f, -t, FENCE_LONG, 2.05f, t, ZINC);
}

static void make_net(void)
{
    box(0.05f, 0.2f, -0.002f, FENCE_LONG - 0.05f, 2.02f, 0.002f, NET);
}

static void window(float x0, float y0, float x1, float y1, float z)
{
    box(x0 - 0.06f, y0 - 0.06f, z, x1 + 0.06f, y1 + 0.06f, z + 0.03f, DARK);
    box(x0, y0, z, x1, y1, z + 0.04f, PANE);
    box(0.5f * (x0 + x1) - 0.02f, y0, z, 0.5f * (x0 + x1) + 0.02f, y1, z + 0.05f, WHITE);
}

// A site office: ribs, a blue band, two windows, a door with steps.
static void make_hut(void)
{
    box(-3.0f, 0.22f, -1.2f, 3.0f, 2.78f, 1.2f, WHITE);
    box(-3.04f, 0.15f, -1.24f, 3.04f, 0.34f, 1.24f, BLUE);
    box(-3.04f, 2.62f, -1.24f, 3.04f, 2.84f, 1.24f, BLUE);
    for (int k = 0; k < 13; ++k) {
        float x = -2.88f + 0.48f * (float)k;
        box(x - 0.05f, 0.34f, -1.235f, x + 0.05f, 2.62f, 1.225f, WHITE);
    }
    for (int k = 0; k < 4; ++k)
        box(k % 2 ? 2.7f : -3.0f, 0, k < 2 ? -1.2f : 0.9f, k % 2 ? 3.0f : -2.7f, 0.2f,
            k < 2 ? -0.9f : 1.2f, CONCRETE);
    window(-2.4f, 1.25f, -1.2f, 2.2f, 1.225f);
    window(-0.5f, 1.25f, 0.7f, 2.2f, 1.225f);
    box(1.35f, 0.34f, 1.22f, 2.35f, 2.42f, 1.25f, DARK);
    box(1.41f, 0.36f, 1.23f, 2.29f, 2.36f, 1.275f, BLUE);
    box(2.16f, 1.28f, 1.27f, 2.24f, 1.34f, 1.33f, ZINC);
    box(1.3f, 0.1f, 1.25f, 2.4f, 0.2f, 1.85f, STEP);
    box(1.3f, 0, 1.5f, 1.36f, 0.1f, 1.85f, STEP);
    box(2.34f, 0, 1.5f, 2.4f, 0.1f, 1.85f, STEP);
    box(-2.9f, 1.75f, 1.225f, -2.62f, 2.15f, 1.26f, YELLOW); // a notice
    box(2.5f, 2.84f, -0.9f, 2.9f, 3.05f, -0.4f, ZINC);       // air
}

static void make_container(void)
{
    box(-3.0f, 0.12f, -1.17f, 3.0f, 2.55f, 1.17f, RUST);
    for (int k = 0; k < 19; ++k) {
        float x = -2.70f + 0.3f * (float)k;
        box(x - 0.08f, 0.3f, -1.21f, x + 0.08f, 2.42f, 1.21f, RUST);
    }
    for (int k = 0; k < 4; ++k) {
        float x = k % 2 ? 2.94f : -2.94f, z = k < 2 ? -1.15f : 1.15f;
        box(x - 0.09f, 0, z - 0.08f, x + 0.09f, 2.6f, z + 0.08f, RUST);
    }
    box(-3.02f, 2.46f, -1.22f, 3.02f, 2.6f, 1.22f, RUST);
    box(-3.02f, 0.1f, -1.22f, 3.02f, 0.28f, 1.22f, RUST);
    // doors at the end
    for (int k = 0; k < 4; ++k) {
        float z = -0.9f + 0.6f * (float)k;
        box(3.0f, 0.25f, z - 0.02f, 3.06f, 2.45f, z + 0.02f, ZINC);
    }
    box(-1.2f, 1.5f, 1.212f, 0.9f, 2.05f, 1.222f, PALE); // whose it is
    box(-1.1f, 1.62f, 1.222f, 0.2f, 1.9f, 1.226f, BLUE);
}

static void make_toilet(void)
{
    box(-0.58f, 0, -0.58f, 0.58f, 0.12f, 0.58f, DARK);
    box(-0.55f, 0.12f, -0.55f, 0.55f, 2.12f, 0.55f, BLUE);
    box(-0.42f, 0.2f, 0.55f, 0.42f, 2.02f, 0.58f, WHITE);
    box(0.3f, 1.0f, 0.58f, 0.36f, 1.16f, 0.62f, DARK);
    const float roof[8] = {2.12f, 0.86f, 2.2f, 0.84f, 2.36f, 0.42f, 2.4f, 0.01f};
    turn(roof, 4, 8, 0, vec3(0, 0, 0), PALE);
    const float vent[6] = {2.2f, 0.05f, 2.7f, 0.05f, 2.71f, 0.001f};
    turn(vent, 3, 6, 0, vec3(-0.35f, 0, -0.35f), DARK);
}

// Three pipes on each other along x, in cradles; 2.5 m long.
static void make_pipes(void)
{
    const float shell[16] = {-1.25f, 0.30f, -1.25f, 0.38f, -1.25f, 0.40f, 1.05f, 0.40f,
                             1.05f,  0.40f, 1.05f,  0.46f, 1.25f,  0.46f, 1.25f, 0.30f};
    const float bore[4] = {1.25f, 0.30f, -1.25f, 0.30f};
    const Vec3 at[6] = {vec3(0, 0.52f, -0.88f), vec3(0, 0.52f, 0),     vec3(0, 0.52f, 0.88f),
                        vec3(0, 1.26f, -0.44f), vec3(0, 1.26f, 0.44f), vec3(0, 2.0f, 0)};
    for (int k = 0; k < 6; ++k) {
        turn(shell, 8, 14, 1, at[k], CONCRETE);
        turn(bore, 2, 14, 1, at[k], DARK);
    }
    for (int k = -1; k <= 1; k += 2)
        box(0.8f * (float)k - 0.06f, 0, -1.4f, 0.8f * (float)k + 0.06f, 0.11f, 1.4f, WOOD);
}

static void make_timber(void)
{
    for (int k = 0; k < 3; ++k)
        box(-1.5f + 1.4f * (float)k, 0, -0.6f, -1.4f + 1.4f * (float)k, 0.1f, 0.6f, WOOD);
    for (int row = 0; row < 4; ++row)
        for (int k = 0; k < 5; ++k) {
            float z = -0.6f + 0.24f * (float)k, y = 0.1f + 0.17f * (float)row;
            float off = 0.12f * (render_solid_chance(row, k, 5) - 0.5f);
            box(-2.0f + off, y, z, 2.0f + off, y + 0.15f, z + 0.22f, WOOD);
        }
    box(-0.9f, 0.1f, -0.62f, -0.86f, 0.785f, 0.62f, ORANGE);
    box(0.9f, 0.1f, -0.62f, 0.94f, 0.785f, 0.62f, ORANGE);
}

static void make_mound(void)
{
    const float side[14] = {-0.3f, 4.6f,  0.15f, 3.9f,  0.75f, 3.0f, 1.35f,
                            2.1f,  1.85f, 1.2f,  2.15f, 0.5f,  2.2f, 0.02f};
    render_solid_turn(
        &mesh,
        &(RenderTurn){
            .profile = side, .rings = 7, .sides = 22, .dent = 0.28f, .material = SOIL, .seed = 91});
}

static void make_barrier(void)
{
    for (int k = 0; k < 2; ++k) {
        float x = -1.0f + 1.0f * (float)k;
        uint16_t coat = k ? PALE : RED;
        box(x, 0, -0.24f, x + 0.98f, 0.28f, 0.24f, coat);
        box(x, 0.28f, -0.14f, x + 0.98f, 0.5f, 0.14f, coat);
        box(x, 0.5f, -0.09f, x + 0.98f, 0.85f, 0.09f, coat);
    }
}

// What is built here, and that one wears a helmet.
static void make_sign(void)
{
    box(-1.05f, 0, -0.06f, -0.95f, 2.7f, 0.04f, WOOD);
    box(0.95f, 0, -0.06f, 1.05f, 2.7f, 0.04f, WOOD);
    box(-1.25f, 1.0f, 0.04f, 1.25f, 2.65f, 0.08f, PALE);
    box(-1.25f, 2.3f, 0.08f, 1.25f, 2.65f, 0.085f, YELLOW);
    for (int k = 0; k < 3; ++k) {
        float w = 0.8f - 0.2f * (float)k;
        box(-0.2f, 2.05f - 0.18f * (float)k, 0.08f, -0.2f + w + 0.5f, 2.12f - 0.18f * (float)k,
            0.085f, DARK);
    }
    const float disc[6] = {0, 0.26f, 0.01f, 0.26f, 0.011f, 0.001f};
    turn(disc, 3, 18, 2, vec3(-0.75f, 1.85f, 0.08f), BLUE);
    turn(disc, 3, 18, 2, vec3(-0.75f, 1.3f, 0.08f), RED);
    turn((const float[6]){0, 0.18f, 0.004f, 0.18f, 0.005f, 0.001f}, 3, 18, 2,
         vec3(-0.75f, 1.3f, 0.09f), PALE);
    box(-0.2f, 1.12f, 0.08f, 1.1f, 1.45f, 0.085f, ORANGE);
}

// A trailer with lamps on a mast.
static void make_mast(void)
{
    const float pole[6] = {0.6f, 0.075f, 3.6f, 0.06f, 3.6f, 0.001f},
                top[6] = {3.5f, 0.045f, 7.4f, 0.04f, 7.4f, 0.001f};
    const float wheel[6] = {-0.1f, 0.26f, 0.1f, 0.26f, 0.1f, 0.001f};
    box(-1.1f, 0.42f, -0.5f, 1.0f, 1.25f, 0.5f, YELLOW);
    box(-1.0f, 0.6f, 0.5f, -0.2f, 1.1f, 0.52f, DARK);
    box(-1.9f, 0.42f, -0.05f, -1.1f, 0.5f, 0.05f, DARK);
    turn(wheel, 3, 14, 2, vec3(0, 0.27f, 0.6f), DARK);
    turn(wheel, 3, 14, 2, vec3(0, 0.27f, -0.6f), DARK);
    turn(pole, 3, 8, 0, vec3(0.6f, 0, 0), ZINC);
    turn(top, 3, 8, 0, vec3(0.6f, 0, 0), ZINC);
    box(0.55f, 7.2f, -0.9f, 0.65f, 7.3f, 0.9f, DARK);
    for (int k = 0; k < 4; ++k) {
        float z = -0.75f + 0.5f * (float)k;
        box(0.62f, 7.05f, z - 0.17f, 0.75f, 7.4f, z + 0.17f, DARK);
        box(0.75f, 7.08f, z - 0.15f, 0.77f, 7.37f, z + 0.15f, LAMP);
    }
}

// A crew's pick-up.
static void make_van(void)
{
    const float wheel[10] = {-0.12f, 0.25f, -0.12f, 0.36f, 0.12f,
                             0.36f,  0.12f, 0.2f,   0.10f, 0.001f};
    box(-2.5f, 0.45f, -0.9f, 2.4f, 0.95f, 0.9f, VAN);
    box(1.2f, 0.95f, -0.82f, 2.35f, 1.1f, 0.82f, VAN);  // bonnet
    box(-0.55f, 0.95f, -0.84f, 1.2f, 1.8f, 0.84f, VAN); // cabin
    box(-0.45f, 1.18f, -0.85f, 1.05f, 1.66f, 0.85f, PANE);
    box(0.35f, 1.1f, -0.86f, 0.43f, 1.7f, 0.86f, VAN);
    box(1.2f, 1.15f, -0.76f, 1.215f, 1.66f, 0.76f, PANE);
    box(-0.565f, 1.18f, -0.72f, -0.55f, 1.62f, 0.72f, PANE);
    box(-2.5f, 0.95f, -0.9f, -0.6f, 1.2f, -0.82f, VAN);
    box(-2.5f, 0.95f, 0.82f, -0.6f, 1.2f, 0.9f, VAN);
    box(-2.5f, 0.95f, -0.9f, -2.42f, 1.2f, 0.9f, VAN);
    box(-2.5f, 0.55f, -0.92f, 2.4f, 0.68f, 0.92f, ORANGE);
    box(2.4f, 0.68f, -0.8f, 2.42f, 0.88f, 0.8f, DARK);
    box(-0.2f, 1.8f, -0.5f, 0.1f, 1.9f, 0.5f, ORANGE);
    for (int k = 0; k < 4; ++k)
        turn(wheel, 5, 14, 2, vec3(k % 2 ? 1.55f : -1.5f, 0.36f, k < 2 ? -0.8f : 0.8f), DARK);
}

// --- where they stand ------------------------------------------------------------------------------

typedef struct Place {
    RenderYard* yard;
    const RenderLand* land;
} Place;

static void put(const Place* p, RenderThing thing, float x, float z, float cx, float cz, float rise)
{
    RenderYard* y = p->yard;
    if (y->count == RENDER_YARD_MAX)
        return;
    y->thing[y->count] = (uint8_t)thing;
    y->pose[y->count++] = (ViewPose){{{cx, 0, -cz, x},
                                      {rise, 1, 0, render_scenery_height(p->land, x, z) - 0.03f},
                                      {cz, 0, cx, z}}};
}

// `along` the border from the gate and `out` of it; turned by a little chance. Not where it would hang in the air.
static void stand(const Place* p, RenderThing thing, float along, float out, float round)
{
    const ViewRoad* r = &p->land->ground->road;
    float tx = -r->way[1], tz = r->way[0];
    float x = r->gate[0] + tx * along + r->way[0] * out;
    float z = r->gate[1] + tz * along + r->way[1] * out;
    float low = 1e9f, high = -1e9f;
    for (int k = 0; k < 4; ++k) {
        float h =
            render_scenery_height(p->land, x + (k % 2 ? 2.5f : -2.5f), z + (k < 2 ? 2.5f : -2.5f));
        low = base_minf(low, h), high = base_maxf(high, h);
    }
    if (high - low > LEVEL)
        return;
    float c = cosf(round), s = sinf(round);
    put(p, thing, x, z, tx * c - tz * s, tz * c + tx * s, 0.0f);
}

// Panels from a to b, but for the gap where the way in goes through.
static void fence(const Place* p, float ax, float az, float bx, float bz)
{
    float length = hypotf(bx - ax, bz - az), dx = (bx - ax) / length, dz = (bz - az) / length;
    int panels = base_maxi((int)(length / FENCE_LONG), 1);
    float wide = length / (float)panels; // as they stand: drawn out a little, so that corners close
    const ViewGround* g = p->land->ground;
    for (int k = 0; k < panels; ++k) {
        float x = ax + dx * wide * (float)k, z = az + dz * wide * (float)k;
        float ex = x + dx * wide, ez = z + dz * wide, drawn = wide / FENCE_LONG;
        if (render_scenery_off_road(g, x, z) < FENCE_GATE ||
            render_scenery_off_road(g, ex, ez) < FENCE_GATE)
            continue;
        float rise = render_scenery_height(p->land, ex, ez) - render_scenery_height(p->land, x, z);
        put(p, THING_FENCE, x, z, dx * drawn, dz * drawn, rise / FENCE_LONG);
        put(p, THING_RAIL, x, z, dx * drawn, dz * drawn, rise / FENCE_LONG);
        put(p, THING_NET, x, z, dx * drawn, dz * drawn, rise / FENCE_LONG);
    }
}

static void fence_round(const Place* p)
{
    const RenderLand* l = p->land;
    float x0 = l->x0 - FENCE_OUT, z0 = l->z0 - FENCE_OUT, x1 = l->x1 + FENCE_OUT,
          z1 = l->z1 + FENCE_OUT;
    fence(p, x0, z0, x1, z0);
    fence(p, x1, z0, x1, z1);
    fence(p, x1, z1, x0, z1);
    fence(p, x0, z1, x0, z0);
}

static void set_out(const Place* p)
{
    static const struct {
        RenderThing thing;
        float along, out, round;
    } what[] = {
        {THING_HUT, -11.5f, 9.5f, 0.0f},        {THING_HUT, -18.4f, 9.7f, 0.03f},
        {THING_TOILET, -23.3f, 9.0f, 0.1f},     {THING_VAN, -8.6f, 4.6f, 0.5f},
        {THING_CONTAINER, 11.5f, 9.0f, -0.05f}, {THING_CONTAINER, 12.2f, 5.6f, 0.04f},
        {THING_PIPE, 19.0f, 6.0f, 1.62f},       {THING_TIMBER, 23.5f, 6.5f, 0.3f},
        {THING_MAST, 6.6f, 4.2f, 2.0f},         {THING_SIGN, 5.2f, 10.5f, -0.35f},
        {THING_BARRIER, 3.6f, 1.6f, 1.571f},    {THING_BARRIER, 3.6f, 3.7f, 1.571f},
        {THING_BARRIER, -3.6f, 1.6f, 1.571f},   {THING_BARRIER, -3.6f, 3.7f, 1.571f},
    };
    for (size_t k = 0; k < sizeof what / sizeof what[0]; ++k)
        stand(p, what[k].thing, what[k].along, what[k].out, what[k].round);
    // soil that was stripped lies at the other sides
    const RenderLand* l = p->land;
    const ViewRoad* r = &l->ground->road;
    float cx = 0.5f * (l->x0 + l->x1), cz = 0.5f * (l->z0 + l->z1);
    for (int side = -1; side <= 1; side += 2) {
        float ox = -r->way[1] * (float)side, oz = r->way[0] * (float)side;
        float reach = 0.5f * (fabsf(ox) * (l->x1 - l->x0) + fabsf(oz) * (l->z1 - l->z0)) + 8.0f;
        for (int k = 0; k < 3; ++k) {
            float at = -8.0f + 5.5f * (float)k + 4.0f * (float)side;
            float x = cx + ox * reach + r->way[0] * at, z = cz + oz * reach + r->way[1] * at;
            float big = 0.75f + 0.35f * render_solid_chance(k, side, 17), turned = 2.1f * (float)k;
            put(p, THING_MOUND, x, z, big * cosf(turned), big * sinf(turned), 0.0f);
        }
    }
}

void render_yard_make(Render* r, const RenderLand* land)
{
    static void (*const make[THING_COUNT])(void) = {
        make_fence,  make_rail,  make_net,     make_hut,  make_container, make_toilet, make_pipes,
        make_timber, make_mound, make_barrier, make_sign, make_mast,      make_van};
    RenderYard* y = &r->scenery.yard;
    const Place place = {y, land};
    if (land->ground->road.width <= 0.0f)
        return;
    for (int k = 0; k < THING_COUNT; ++k) {
        render_solid_begin(&mesh);
        make[k]();
        render_solid_end(&mesh, paint, (int)(sizeof paint / sizeof paint[0]), &y->model[k]);
    }
    y->model[THING_MOUND].leafy = -1.0f;
    fence_round(&place);
    set_out(&place);
}

void render_yard_free(Render* r)
{
    RenderYard* y = &r->scenery.yard;
    for (int k = 0; k < THING_COUNT; ++k)
        render_mesh_free(&y->model[k]);
    y->count = 0;
}

// --- drawing ---------------------------------------------------------------------------------------

static int seen(const RenderYard* y, const ViewFrustum* frustum, RenderThing thing, ViewPose* out)
{
    int count = 0;
    for (int k = 0; k < y->count; ++k) {
        const ViewPose* p = &y->pose[k];
        Vec3 at = {p->row[0][3], p->row[1][3] + 1.5f, p->row[2][3]};
        if (y->thing[k] == thing &&
            view_camera_sees_ball(frustum, at, thing == THING_MAST ? 8.0f : 5.0f))
            out[count++] = *p;
    }
    return count;
}

void render_yard_draw(Render* r, RenderWhich which)
{
    static ViewPose pose[RENDER_YARD_MAX];
    const RenderYard* y = &r->scenery.yard;
    bool weak = r->level.shader == 0;
    // a weak machine's map of the sun does not reach so far, and its fence has no wires
    if (y->count == 0 || (weak && which != RENDER_SOLID))
        return;
    for (int k = 0; k < THING_COUNT; ++k) {
        if ((k == THING_NET) != (which == RENDER_GLASS) || k == (weak ? THING_FENCE : THING_RAIL))
            continue;
        int count = seen(y, which == RENDER_SHADOW ? &r->lit : &r->seen, (RenderThing)k, pose);
        render_mesh_instances(r, &y->model[k], pose, count, 0.8f, which);
    }
}
