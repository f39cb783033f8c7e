// Pictures, drawn offscreen and looked at: things are where the frame says and have its colours.
#include "base/base_path.h"
#include "platform/platform_window.h"
#include "render/render.h"
#include "view/view_world.h"
#include "world/world.h"

#include "unity.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define W    320
#define H    200
#define SIDE 120 // columns

static PlatformWindow* window;
static Render* render;
static ViewState state;
static ViewFrame frame;
static uint8_t before[H][W][3], after[H][W][3];

static const ViewSoil sand = {{0.60f, 0.47f, 0.30f}, {0.68f, 0.55f, 0.37f}, 0, 0.3f, 0, 0};
static const ViewSoil clay = {{0.30f, 0.21f, 0.14f}, {0.35f, 0.26f, 0.18f}, 0, 1.0f, 0, 0};

// 12 x 12 m: sand where x < 0, clay where x > 0, level at y = 0.
static void make_ground(ViewGround* g)
{
    TEST_ASSERT_TRUE(view_ground_init(g, SIDE, SIDE, 0.1f, vec3(-6, 0, -6)));
    for (int c = 0; c < SIDE * SIDE; ++c)
        g->kind[c] = c % SIDE < SIDE / 2 ? 0 : 1;
    for (int k = 0; k < VIEW_SOILS; ++k)
        g->soil[k] = k == 0 ? sand : clay;
    for (int tile = 0; tile < g->tiles_x * g->tiles_z; ++tile)
        view_ground_touched(g, tile);
}

static void open_render(RenderFindFn find)
{
    char why[RENDER_WHY] = "";
    render = render_create(find, why);
    TEST_ASSERT_NOT_NULL_MESSAGE(render, why);
}

// One window and one renderer serve all tests: what a test leaves behind must not matter.
void setUp(void)
{
    char why[RENDER_WHY] = "";
    ViewGround ground;
    const PlatformWindowDef def = {.title = "test", .width = W, .height = H, .offscreen = true};
    if (!window) {
        window = platform_window_create(&def, why);
        TEST_ASSERT_NOT_NULL_MESSAGE(window, why);
    }
    if (!render)
        open_render(base_path_find);
    render_set_quality(render, RENDER_SOFTWARE);
    make_ground(&ground);
    TEST_ASSERT_TRUE(view_state_init(&state, &ground, 64, 16));
    view_ground_free(&ground);
    state.anchor.heading = state.anchor.seat_view = vec3(1, 0, 0);
    TEST_ASSERT_TRUE(view_frame_init(&frame, 64, 16));
    frame.camera = view_camera_look(vec3(0, 6, 7), vec3(0, 0, 0), 0.8f);
    frame.sun = view_sun(2.3f, 0.9f);
    render_new_site(render);
}

void tearDown(void)
{
    view_frame_free(&frame);
    view_state_free(&state);
    render_drop_models(render);
}

static void shoot(uint8_t out[H][W][3])
{
    view_frame_between(&frame, &state, &state, 1.0f);
    render_draw(render, &frame, W, H);
    render_read(render, W, H, out[0][0]);
}

// Mean of a square round the pixel of a point.
static void color_at(uint8_t picture[H][W][3], Vec3 point, int half, float out[3])
{
    Vec3 p;
    TEST_ASSERT_TRUE(view_camera_pixel(&frame.camera, W, H, point, &p));
    int x = (int)p.x, y = (int)p.y, count = 0;
    TEST_ASSERT_TRUE(x >= half && y >= half && x < W - half && y < H - half);
    out[0] = out[1] = out[2] = 0;
    for (int j = y - half; j <= y + half; ++j) {
        for (int i = x - half; i <= x + half; ++i, ++count)
            for (int k = 0; k < 3; ++k)
                out[k] += (float)picture[j][i][k];
    }
    for (int k = 0; k < 3; ++k)
        out[k] /= (float)count;
}

static float difference(Vec3 point, int half)
{
    float a[3], b[3], sum = 0;
    color_at(before, point, half, a);
    color_at(after, point, half, b);
    for (int k = 0; k < 3; ++k)
        sum += fabsf(a[k] - b[k]);
    return sum;
}

// Sand is brighter than clay, each has the tint of its soil, and the border is where it should be.
static void soils_have_their_colours(void)
{
    float left[3], right[3];
    shoot(before);
    color_at(before, vec3(-2, 0, 0), 8, left);
    color_at(before, vec3(2, 0, 0), 8, right);
    for (int k = 0; k < 3; ++k) {
        TEST_ASSERT_TRUE(left[k] > right[k] + 25);
        // between half and twice the soil's own shade, before light and exposure
        TEST_ASSERT_FLOAT_WITHIN(60, 255 * sand.bank[k] * 1.05f, left[k]);
        TEST_ASSERT_FLOAT_WITHIN(60, 255 * clay.bank[k] * 1.25f, right[k]);
    }
    TEST_ASSERT_TRUE(left[0] > left[1] && left[1] > left[2]);
    for (int side = -1; side <= 1; side += 2) {
        float near[3];
        color_at(before, vec3(0.4f * (float)side, 0, 0.5f), 2, near);
        const float *same = side < 0 ? left : right, *other = side < 0 ? right : left;
        TEST_ASSERT_TRUE(fabsf(near[0] - same[0]) < fabsf(near[0] - other[0]));
    }
}

// Above the horizon is sky: bluish, and brighter than clay.
static void the_sky_is_above(void)
{
    frame.camera = view_camera_look(vec3(0, 2, 5), vec3(0, 2.6f, 0), 0.8f);
    shoot(before);
    const uint8_t *top = before[6][W / 2], *low = before[H - 6][W - 20];
    TEST_ASSERT_TRUE(top[2] > top[0] && top[2] > 110);
    TEST_ASSERT_TRUE(low[0] > low[2]);
}

// A grain is seen where the frame says, in all qualities, and nowhere else but for its shadow.
static void a_grain_is_where_the_frame_says(void)
{
    for (int q = 0; q < RENDER_QUALITIES; ++q) {
        render_set_quality(render, (RenderQuality)q);
        for (int k = 0; k < 3; ++k) {
            Vec3 at = {-2.5f + 0.7f * (float)k, 0.25f, -1.5f + 1.2f * (float)k};
            state.grain_count = 0;
            shoot(before);
            state.grain[state.grain_count++] =
                (ViewGrain){.at = at, .radius = 0.3f, .id = 77, .material = 1, .left = 255};
            shoot(after);
            TEST_ASSERT_TRUE(difference(at, 1) > 40);
            TEST_ASSERT_TRUE(difference(vec3(at.x - 1.0f, 0, at.z + 1.0f), 1) < 12);
            TEST_ASSERT_TRUE(difference(vec3(3, 0, 1), 1) < 3);
            TEST_ASSERT_EQUAL_INT(1, render_stats(render)->grains);
        }
    }
}

// A faded grain is gone.
static void a_faded_grain_is_gone(void)
{
    Vec3 at = {-2, 0.25f, 0};
    shoot(before);
    state.grain[state.grain_count++] =
        (ViewGrain){.at = at, .radius = 0.3f, .id = 77, .material = 1, .left = 0};
    shoot(after);
    TEST_ASSERT_EQUAL_MEMORY(before, after, sizeof before);
}

// Where it was dug the picture changes, elsewhere it does not; only tiles near are sent.
static void dug_cells_change(void)
{
    shoot(before);
    TEST_ASSERT_TRUE(render_stats(render)->tiles == 64);
    ViewGround* g = &state.ground;
    for (int j = 60; j < 70; ++j) {
        for (int i = 35; i < 45; ++i) {
            int c = j * SIDE + i;
            g->height[c] -= 0.6f, g->kind[c] = 1;
            g->column[c] = (ViewColumn){.fresh = 255};
        }
    }
    for (int tile = 0; tile < g->tiles_x * g->tiles_z; ++tile)
        if (tile % g->tiles_x == 2 && (tile / g->tiles_x == 3 || tile / g->tiles_x == 4))
            view_ground_touched(g, tile);
    shoot(after);
    TEST_ASSERT_TRUE(difference(vec3(-2, -0.6f, 0.3f), 2) > 60);
    TEST_ASSERT_TRUE(difference(vec3(2, 0, 0), 3) < 3);
    TEST_ASSERT_EQUAL_INT(12, render_stats(render)->tiles);
    shoot(before);
    TEST_ASSERT_EQUAL_INT(0, render_stats(render)->tiles);
    TEST_ASSERT_EQUAL_MEMORY(after, before, sizeof before);
}

// Loose soil is told from the same soil in the bank.
static void loose_is_told_from_bank(void)
{
    float bank[3], loose[3];
    shoot(before);
    color_at(before, vec3(-2, 0, 0), 8, bank);
    for (int c = 0; c < SIDE * SIDE; ++c)
        state.ground.column[c].loose = 255;
    for (int tile = 0; tile < 64; ++tile)
        view_ground_touched(&state.ground, tile);
    shoot(after);
    color_at(after, vec3(-2, 0, 0), 8, loose);
    TEST_ASSERT_TRUE(loose[0] > bank[0] + 6);
}

// --- models --------------------------------------------------------------------------------------

static int add_plate(void)
{
    static ViewMeshVertex v[4] = {{{-1, 0, -1}, {0, 1, 0}, 0, 0},
                                  {{1, 0, -1}, {0, 1, 0}, 0, 0},
                                  {{1, 0, 1}, {0, 1, 0}, 0, 0},
                                  {{-1, 0, 1}, {0, 1, 0}, 0, 0}};
    static uint32_t index[6] = {0, 2, 1, 0, 3, 2};
    ViewMeshPart part = {.index_count = 6, .pose_count = 1};
    ViewMeshMaterial blue = {"blue", {0.02f, 0.05f, 0.6f}, 0.8f, 0, 1, 0};
    const ViewMeshSet set = {v, 4, index, 6, &part, 1, 1, &blue, 1, NULL, 0, 2};
    return render_add_model(render, &set);
}

// A model stands where its pose says, is blue as its paint says, and throws a shadow.
static void a_model_is_where_its_pose_says(void)
{
    int model = add_plate();
    for (int k = 0; k < 3; ++k) {
        float plate[3];
        state.use_count = state.pose_count = 0;
        shoot(before);
        Vec3 at = {-1.5f + 1.5f * (float)k, 1.2f, 0.5f * (float)k};
        view_state_use(&state, model, 1)[0] = view_pose(at, (Quat){0, 0, 0, 1});
        shoot(after);
        color_at(after, at, 3, plate);
        TEST_ASSERT_TRUE(plate[2] > 1.5f * plate[0] && plate[2] > 90);
        Vec3 down = vec3_mul(frame.sun.direction, -at.y / frame.sun.direction.y);
        Vec3 shadow = vec3_add(at, down);
        TEST_ASSERT_TRUE(difference(shadow, 1) > 40);
        TEST_ASSERT_TRUE(difference(vec3(4.2f, 0, -1), 1) < 3);
    }
}

// Soil in a bin lies where the bin is, and rides along.
static void soil_in_a_bin_rides_along(void)
{
    shoot(before);
    for (int k = 0; k < 2; ++k) {
        ViewBin* b = &state.bin[0];
        Vec3 at = {-3.0f + 4.5f * (float)k, 0.8f, -0.5f};
        *b = (ViewBin){.nx = 12, .nz = 9, .cell = 0.15f, .origin = {-0.9f, 0, -0.675f}};
        b->pose = view_pose(at, (Quat){0, 0, 0, 1});
        for (int c = 0; c < b->nx * b->nz; ++c)
            b->height[c] = 0.4f, b->kind[c] = (uint8_t)(1 - k);
        state.bin_count = 1;
        shoot(after);
        // clay over sand, then sand over clay
        TEST_ASSERT_TRUE(difference(vec3(at.x, 1.2f, at.z), 3) > 30);
        TEST_ASSERT_TRUE(difference(vec3(at.x + 1.8f, 0, 1.5f), 3) < 3);
    }
}

// With time to spare the best quality is chosen, without any the plainest.
static void quality_fits_the_time_allowed(void)
{
    shoot(before);
    TEST_ASSERT_EQUAL_INT(RENDER_HIGH, render_choose_quality(render, &frame, W, H, 1e6));
    TEST_ASSERT_EQUAL_INT(RENDER_HIGH, render_quality(render));
    TEST_ASSERT_EQUAL_INT(RENDER_SOFTWARE, render_choose_quality(render, &frame, W, H, 1e-9));
}

// A goal under the ground shines through it.
static void a_goal_shines_through(void)
{
    shoot(before);
    ViewMarker* m = view_state_mark(&state, VIEW_MARKER_GOAL, vec3(-3, -0.5f, -1));
    m->size = vec3(2, 0, 2);
    const float green[4] = {0.1f, 0.9f, 0.3f, 0.8f};
    memcpy(m->color, green, sizeof green);
    shoot(after);
    TEST_ASSERT_TRUE(difference(vec3(-2, -0.5f, 0), 4) > 15);
    TEST_ASSERT_TRUE(difference(vec3(2, 0, 1), 3) < 3);
}

// How the ground stands to a goal is told by signs: a plus has two arms, a minus one, a goal reached
// none; and by colours of their own.
static void a_goal_tells_what_is_left(void)
{
    static float floor_[9];
    float color[3][3], arm[3], middle[3];
    frame.camera = view_camera_look(vec3(-2.75f, 2.4f, 0.30f), vec3(-2.75f, 0, 0.25f), 0.5f);
    for (int k = 0; k < 3; ++k) {
        // too much, too little, done
        const float height[3] = {-0.5f, 0.5f, 0.02f};
        state.marker_count = 0;
        shoot(before);
        ViewMarker* m = view_state_mark(&state, VIEW_MARKER_GOAL, vec3(-3, height[k], 0));
        const float green[4] = {0.1f, 0.9f, 0.3f, 0.8f};
        memcpy(m->color, green, sizeof green);
        m->size = vec3(1, 0, 1), m->height = floor_, m->nx = m->nz = 3, m->tolerance = 0.1f;
        shoot(after);
        color_at(after, vec3(-2.75f, height[k], 0.25f), 0, color[k]);
        // along x and along z in the cell, against where neither arm reaches
        float bare = difference(vec3(-2.66f, height[k], 0.34f), 0);
        arm[k] = difference(vec3(-2.75f, height[k], 0.33f), 0) - bare;
        middle[k] = difference(vec3(-2.67f, height[k], 0.25f), 0) - bare;
    }
    TEST_ASSERT_TRUE_MESSAGE(arm[0] > 12 && middle[0] > 12, "a plus has both arms");
    TEST_ASSERT_TRUE_MESSAGE(fabsf(arm[1]) < 10 && middle[1] > 20, "a minus lies");
    TEST_ASSERT_TRUE_MESSAGE(fabsf(arm[2]) < 10 && fabsf(middle[2]) < 10, "done has no sign");
    TEST_ASSERT_TRUE(color[2][1] > color[2][0]); // green
    TEST_ASSERT_TRUE(color[0][0] > color[0][2] + 30 && color[1][2] > color[0][2] + 30);
}

// What a machine or soil in the air hides does not shine through it.
static void a_goal_does_not_shine_through_things(void)
{
    int model = add_plate();
    view_state_use(&state, model, 1)[0] = view_pose(vec3(-2, 1, 0), (Quat){0, 0, 0, 1});
    state.grain[state.grain_count++] =
        (ViewGrain){.at = {2.5f, 0.5f, 0}, .radius = 0.4f, .id = 77, .material = 1, .left = 255};
    for (int q = 0; q < RENDER_QUALITIES; ++q) {
        render_set_quality(render, (RenderQuality)q);
        state.marker_count = 0;
        shoot(before);
        for (int k = 0; k < 2; ++k) {
            const float x[2] = {-4, 1};
            view_state_mark(&state, VIEW_MARKER_GOAL, vec3(x[k], -0.5f, -3))->size = vec3(3, 0, 6);
        }
        shoot(after);
        TEST_ASSERT_TRUE(difference(vec3(-2, 1, 0), 4) < 1);
        TEST_ASSERT_TRUE(difference(vec3(2.5f, 0.5f, 0), 2) < 1);
        TEST_ASSERT_TRUE(difference(vec3(-3.5f, 0, 1.8f), 4) > 15);
    }
}

// On a weak machine the sun's map serves two pictures at 20 a second, and is never older.
static void a_shadow_follows_within_two_pictures(void)
{
    int model = add_plate();
    Vec3 at = {-0.5f, 2.4f, 0}, down = vec3_mul(frame.sun.direction, -at.y / frame.sun.direction.y);
    shoot(before);
    view_state_use(&state, model, 1)[0] = view_pose(at, (Quat){0, 0, 0, 1});
    state.time = 0.05;
    shoot(after);
    TEST_ASSERT_TRUE(difference(at, 1) > 40);
    TEST_ASSERT_TRUE(difference(vec3_add(at, down), 1) < 3);
    int fewer = render_stats(render)->draw_calls;
    state.time = 0.10;
    shoot(after);
    TEST_ASSERT_TRUE(difference(vec3_add(at, down), 1) > 40);
    TEST_ASSERT_TRUE(render_stats(render)->draw_calls > fewer);
}

// A zone stands along its outline, whatever its shape: a triangle has no fourth corner.
static void a_zone_has_its_own_shape(void)
{
    static const float corner[6] = {-3, -2, 3, -2, -3, 3};
    shoot(before);
    ViewMarker* m = view_state_mark(&state, VIEW_MARKER_ZONE, vec3(0, 0, 0));
    m->outline = corner, m->outline_count = 6, m->size.y = 0.5f;
    shoot(after);
    TEST_ASSERT_TRUE(difference(vec3(-3, 0.15f, 0.5f), 2) > 25);
    TEST_ASSERT_TRUE(difference(vec3(0, 0.15f, 0.5f), 2) > 25); // the long side
    TEST_ASSERT_TRUE(difference(vec3(1.5f, 0.15f, 1.5f), 2) < 3);
}

// Where a way leads in the land beside the site is bare along it, a fence stands round all, and nothing of it
// stands in the site or on the way.
static void a_way_in_brings_its_yard(void)
{
    for (int q = 0; q < RENDER_QUALITIES; ++q) {
        render_set_quality(render, (RenderQuality)q);
        state.ground.road = (ViewRoad){.width = 0};
        frame.camera = view_camera_look(vec3(0, 16, 26), vec3(0, 0, -14), 1.0f);
        render_new_site(render);
        shoot(before);
        int plain = render_stats(render)->triangles;
        state.ground.road = (ViewRoad){{0, -6}, {0, -1}, 4.6f};
        render_new_site(render);
        shoot(after);
        float way[3], meadow[3];
        color_at(after, vec3(0, 0, -18), 2, way);
        color_at(before, vec3(0, 0, -18), 2, meadow);
        TEST_ASSERT_TRUE(difference(vec3(0, 0, -18), 2) > 25); // meadow no more
        TEST_ASSERT_TRUE(way[0] > way[1] && meadow[1] > meadow[0]);
        TEST_ASSERT_TRUE(difference(vec3(0, 0.2f, -2), 2) < 6);           // in the site as it was
        TEST_ASSERT_TRUE(difference(vec3(-11.5f, 1.5f, -15.5f), 2) > 25); // a hut
        TEST_ASSERT_TRUE(render_stats(render)->triangles > plain + 1000);
        TEST_ASSERT_TRUE(render_stats(render)->draw_calls < 300);
    }
}

// A wall shows the soils of the column behind it, each at its height, in all qualities.
static void a_wall_shows_its_layers(void)
{
    static ViewLayers layers[SIDE * SIDE];
    ViewGround* g = &state.ground;
    for (int c = 0; c < SIDE * SIDE; ++c) {
        // clay up to 0.75 m, sand from there on; what is low lies in the clay
        layers[c] = (ViewLayers){{75, 65535, 65535}, 0x0001};
        g->height[c] = c % SIDE < SIDE / 2 ? 1.5f : 0.0f;
    }
    g->layers = layers, g->layer_low = 0.0f;
    for (int tile = 0; tile < g->tiles_x * g->tiles_z; ++tile)
        view_ground_touched(g, tile);
    frame.camera = view_camera_look(vec3(3.5f, 1.2f, 0.4f), vec3(0, 0.7f, 0), 0.6f);
    frame.sun = view_sun(0.1f, 0.5f);
    for (int q = 0; q < RENDER_QUALITIES; ++q) {
        float sandy[3], clayey[3];
        render_set_quality(render, (RenderQuality)q);
        render_new_site(render);
        shoot(after);
        color_at(after, vec3(0, 1.10f, 0), 6, sandy);
        color_at(after, vec3(0, 0.40f, 0), 6, clayey);
        TEST_ASSERT_TRUE(sandy[0] > 1.35f * clayey[0]);
    }
}

// --- a real machine ------------------------------------------------------------------------------

// The bucket is drawn where its edge is, wherever the arm is; where it was it is no more.
static void the_bucket_is_where_the_machine_says(void)
{
    BaseArena arena;
    BaseYamlError error = {0};
    char site[4096], vehicle[4096], materials[4096], calibration[4096];
    TEST_ASSERT_TRUE(base_arena_init(&arena, (size_t)256 << 20));
    base_path_shipped("config/sites", "flat", site, sizeof site);
    base_path_shipped("vehicles", "excavator_22t", vehicle, sizeof vehicle);
    base_path_find("config/materials.yaml", materials, sizeof materials);
    base_path_find("config/calibration.yaml", calibration, sizeof calibration);
    const WorldDef def = {.site = site,
                          .materials = materials,
                          .calibration = calibration,
                          .radius = 0.045f,
                          .pool = 100,
                          .births = 100,
                          .machine = {{vehicle, 0, 0, 0}},
                          .machine_count = 1};
    World* world = world_create(&def, 1, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(world, error.text);
    ViewWorld* view = view_world_create(world, &arena);
    TEST_ASSERT_NOT_NULL(view);
    for (int k = 0; k < view_world_models(view); ++k)
        render_add_model(render, view_world_model(view, k));
    ViewState seen;
    ViewFrame picture;
    TEST_ASSERT_TRUE(view_state_init(&seen, view_world_ground(view), 100, view_world_poses(view)));
    TEST_ASSERT_TRUE(view_frame_init(&picture, 100, view_world_poses(view)));
    picture.sun = view_sun(2.3f, 0.9f);
    const MachineDef* m = world_machine_def(world, 0);
    const MachineTool* tool = &m->tools[0];
    int house = machine_find_body(m, "house"), boom = machine_find_body(m, "boom"),
        stick = machine_find_body(m, "stick");
    Vec3 last = {0};
    for (int k = 0; k < 3; ++k) {
        static const double angle[3][3] = {{0, 26, -70}, {50, 40, -100}, {-40, 30, -60}};
        machine_set_joint(world_machine(world, 0), house, BASE_DEG * angle[k][0]);
        machine_set_joint(world_machine(world, 0), boom, BASE_DEG * angle[k][1]);
        machine_set_joint(world_machine(world, 0), stick, BASE_DEG * angle[k][2]);
        view_world_fill(view, world, 0, &seen);
        view_frame_between(&picture, &seen, &seen, 1.0f);
        picture.camera = frame.camera = view_camera_look(vec3(6, 5, 14), vec3(5, 2, 0), 0.8f);
        picture.focus = vec3(4, 0, 0);
        // a hand's breadth behind the middle of the cutting edge is steel
        Vec3 edge = view_lerp(tool->edge_a, tool->edge_b, 0.5f);
        Vec3 steel = machine_to_world(world_machine(world, 0), tool->body, edge);
        Vec3 hinge = machine_pose(world_machine(world, 0), tool->body).position;
        steel = view_lerp(steel, hinge, 0.12f);
        int uses = picture.use_count;
        render_draw(render, &picture, W, H);
        render_read(render, W, H, after[0][0]);
        picture.use_count = 0;
        render_draw(render, &picture, W, H);
        render_read(render, W, H, before[0][0]);
        picture.use_count = uses;
        TEST_ASSERT_TRUE_MESSAGE(difference(steel, 1) > 45, "no steel at the edge");
        if (k > 0) {
            TEST_ASSERT_TRUE_MESSAGE(difference(last, 0) < 30, "steel where the edge was");
        }
        // the next pose must leave this place free
        last = steel;
    }
    view_frame_free(&picture);
    view_state_free(&seen);
    view_world_destroy(view);
    world_destroy(world);
    base_arena_free(&arena);
}

// --- over the picture, and everything together ---------------------------------------------------

// A panel has its exact pixels and colour.
static void panels_lie_over_the_picture(void)
{
    ViewFont font;
    ViewDraw draw;
    TEST_ASSERT_TRUE(view_font_load(&font, "assets/fonts/DejaVuSans.ttf"));
    TEST_ASSERT_TRUE(view_draw_init(&draw, &font, 1000));
    view_draw_rect(&draw, 10, 20, 30, 15, 0xff8000ff);
    shoot(before);
    frame.draw = &draw;
    shoot(after);
    for (int y = 0; y < H; y += 3) {
        for (int x = 0; x < W; x += 3) {
            bool in = x >= 10 && x < 40 && y >= 20 && y < 35;
            const uint8_t orange[3] = {255, 128, 0};
            TEST_ASSERT_EQUAL_MEMORY(in ? orange : before[y][x], after[y][x], 3);
        }
    }
    view_draw_free(&draw);
    view_font_free(&font);
}

static float mean(uint8_t picture[H][W][3])
{
    double sum = 0;
    for (int y = 0; y < H; ++y)
        for (int k = 0; k < W * 3; ++k)
            sum += picture[y][k / 3][k % 3];
    return (float)(sum / (W * H * 3));
}

// All qualities show the same place; few draw calls suffice.
static void qualities_agree(void)
{
    float low = 0;
    for (int q = 0; q < RENDER_QUALITIES; ++q) {
        render_set_quality(render, (RenderQuality)q);
        shoot(before);
        if (q == 0)
            low = mean(before);
        TEST_ASSERT_FLOAT_WITHIN(14, low, mean(before));
        TEST_ASSERT_TRUE(render_stats(render)->draw_calls < 300);
    }
}

// Without a card slow pictures are drawn with fewer pixels, text with as many as ever; with time to spare they come
// back. A card is never asked to.
static void slow_pictures_are_smaller(void)
{
    float sand_small[3], sand_full[3];
    render_set_quality(render, RENDER_SOFTWARE);
    float full = render_scale(render);
    shoot(before);
    for (int k = 0; k < 200; ++k)
        render_keep_pace(render, 0.060);
    TEST_ASSERT_FLOAT_WITHIN(0.01f, 0.75f * full, render_scale(render));
    shoot(after);
    color_at(before, vec3(-2, 0, 0), 8, sand_full);
    color_at(after, vec3(-2, 0, 0), 8, sand_small);
    TEST_ASSERT_FLOAT_WITHIN(6, sand_full[0], sand_small[0]);
    for (int k = 0; k < 400; ++k)
        render_keep_pace(render, 0.040); // neither slow nor fast: it stays
    TEST_ASSERT_FLOAT_WITHIN(0.01f, 0.75f * full, render_scale(render));
    render_keep_pace(render, 3.0); // one hiccup is no reason
    for (int k = 0; k < 400; ++k)
        render_keep_pace(render, 0.020);
    TEST_ASSERT_EQUAL_FLOAT(full, render_scale(render));
    shoot(after);
    TEST_ASSERT_EQUAL_MEMORY(before, after, sizeof before);
    render_set_quality(render, RENDER_MEDIUM);
    full = render_scale(render);
    for (int k = 0; k < 200; ++k)
        render_keep_pace(render, 0.060);
    TEST_ASSERT_EQUAL_FLOAT(full, render_scale(render));
}

// Windows of any size, none included, and back again.
static void odd_sizes_do_no_harm(void)
{
    shoot(before);
    render_draw(render, &frame, 0, 0);
    render_draw(render, &frame, 0, 100);
    render_draw(render, &frame, 1, 1);
    render_draw(render, &frame, 37, 211);
    shoot(after);
    TEST_ASSERT_EQUAL_MEMORY(before, after, sizeof before);
}

// --- missing shaders -----------------------------------------------------------------------------

static const char* hidden;

static bool find_but_one(const char* name, char* path, size_t size)
{
    return strcmp(name, hidden) != 0 && base_path_find(name, path, size);
}

// Draws without a file; what stderr got in the meantime goes to text.
static void shoot_without(const char* name, char text[2000])
{
    char path[] = "/tmp/mattock_render_XXXXXX";
    int file = mkstemp(path), old = dup(2);
    hidden = name;
    dup2(file, 2);
    render_destroy(render);
    open_render(find_but_one);
    for (int q = RENDER_MEDIUM; q >= 0; --q) {
        render_set_quality(render, (RenderQuality)q);
        shoot(after);
    }
    dup2(old, 2);
    close(old);
    ssize_t length = pread(file, text, 1999, 0);
    text[length > 0 ? length : 0] = '\0';
    close(file);
    unlink(path);
}

// The same picture with a file and without it, at the quality that uses it.
static void shoot_with_and_without(const char* name, RenderQuality quality)
{
    for (int with = 0; with < 2; ++with) {
        int old = dup(2), nowhere = open("/dev/null", O_WRONLY);
        hidden = with ? "" : name;
        dup2(nowhere, 2);
        render_destroy(render);
        open_render(find_but_one);
        render_set_quality(render, quality);
        if (state.use_count > 0)
            add_plate();
        shoot(with ? after : before);
        dup2(old, 2);
        close(old);
        close(nowhere);
    }
}

// Beside and under what stands close to the ground it is darker; open ground and the thing's top are not.
static void corners_are_dark(void)
{
    float open[3], shut[3];
    view_state_use(&state, 0, 1)[0] = view_pose(vec3(0, 0.25f, 0), (Quat){0, 0, 0, 1});
    shoot_with_and_without("shaders/corner.frag", RENDER_MEDIUM);
    color_at(before, vec3(0, 0, 1.12f), 1, open);
    color_at(after, vec3(0, 0, 1.12f), 1, shut);
    TEST_ASSERT_TRUE(shut[0] < 0.96f * open[0]);
    TEST_ASSERT_TRUE(difference(vec3(-3.5f, 0, 1.5f), 3) < 4);
    TEST_ASSERT_TRUE(difference(vec3(0, 0.25f, 0), 3) < 4);
}

// Tufts stand where grass grows and nowhere else.
static void grass_stands_where_it_grows(void)
{
    int grown = 0, bare = 0;
    for (int c = 0; c < SIDE * SIDE; ++c)
        state.ground.column[c].grass = c % SIDE < SIDE / 2 ? 255 : 0;
    for (int tile = 0; tile < 64; ++tile)
        view_ground_touched(&state.ground, tile);
    frame.camera = view_camera_look(vec3(0, 2.5f, 5), vec3(0, 0, 0), 0.8f);
    shoot_with_and_without("shaders/blade.vert", RENDER_MEDIUM);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            if (abs(after[y][x][1] - before[y][x][1]) > 8)
                *(x < W / 2 - 8 ? &grown : x > W / 2 + 8 ? &bare : &(int){0}) += 1;
    TEST_ASSERT_TRUE(grown > 500);
    TEST_ASSERT_EQUAL_INT(0, bare);
}

// Between grains that lie together there is soil, not a hole; a grain alone is no larger for it.
static void gaps_between_grains_hold_soil(void)
{
    const float r = 0.12f;
    float gap[3];
    render_set_quality(render, RENDER_HIGH);
    frame.camera = view_camera_look(vec3(2, 5, 0.1f), vec3(2, 0, 0), 0.5f);
    shoot(before);
    for (int k = 0; k < 48; ++k) {
        Vec3 at = {2.0f + 2.1f * r * (float)(k % 4 - 2), r + 2.1f * r * (float)(k / 16),
                   2.1f * r * (float)(k / 4 % 4 - 2)};
        state.grain[state.grain_count++] =
            (ViewGrain){.at = at, .radius = r, .id = 5 * k + 3, .material = 0, .left = 255};
    }
    shoot(after);
    // right in the middle between four grains of the uppermost layer, sand over clay
    Vec3 middle = {2.0f - 1.05f * r, 5.2f * r, -1.05f * r};
    color_at(after, middle, 1, gap);
    TEST_ASSERT_TRUE(gap[0] > 38); // 18 when it is a hole
    state.grain_count = 1;
    shoot(after);
    Vec3 alone = state.grain[0].at;
    TEST_ASSERT_EQUAL_INT(1, render_stats(render)->grains);
    // on the side of the sun, where it throws no shadow
    Vec3 sunny =
        vec3_mul(vec3_unit(vec3(frame.sun.direction.x, 0, frame.sun.direction.z)), 1.6f * r);
    TEST_ASSERT_TRUE(difference(vec3_add(alone, sunny), 0) < 55);
}

// Every shader file may be missing: the pass is drawn flat, and the file is named once.
static void missing_shaders_cost_beauty_only(void)
{
    static const char* const files[] = {"shaders/terrain.vert", "shaders/grain.frag",
                                        "shaders/mesh.vert",    "shaders/common/light.glsl",
                                        "shaders/corner.vert",  "shaders/corner_lay.frag",
                                        "shaders/blade.frag"};
    for (int k = 0; k < (int)(sizeof files / sizeof files[0]); ++k) {
        char text[2000];
        Vec3 at = {-2, 0.25f, 0};
        state.grain_count = 0;
        shoot_without(files[k], text);
        const char* first = strstr(text, files[k]);
        TEST_ASSERT_NOT_NULL_MESSAGE(first, files[k]);
        TEST_ASSERT_NULL_MESSAGE(strstr(first + 1, files[k]), "named twice");
        TEST_ASSERT_NULL_MESSAGE(strstr(text, "compile"), text);
        TEST_ASSERT_TRUE(mean(after) > 40);
        memcpy(before, after, sizeof before);
        state.grain[state.grain_count++] =
            (ViewGrain){.at = at, .radius = 0.3f, .id = 77, .material = 1, .left = 255};
        shoot(after);
        TEST_ASSERT_TRUE(difference(at, 1) > 25);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(soils_have_their_colours);
    RUN_TEST(the_sky_is_above);
    RUN_TEST(a_grain_is_where_the_frame_says);
    RUN_TEST(a_faded_grain_is_gone);
    RUN_TEST(dug_cells_change);
    RUN_TEST(loose_is_told_from_bank);
    RUN_TEST(a_model_is_where_its_pose_says);
    RUN_TEST(a_shadow_follows_within_two_pictures);
    RUN_TEST(soil_in_a_bin_rides_along);
    RUN_TEST(quality_fits_the_time_allowed);
    RUN_TEST(a_goal_shines_through);
    RUN_TEST(a_goal_tells_what_is_left);
    RUN_TEST(a_goal_does_not_shine_through_things);
    RUN_TEST(a_zone_has_its_own_shape);
    RUN_TEST(a_way_in_brings_its_yard);
    RUN_TEST(a_wall_shows_its_layers);
    RUN_TEST(the_bucket_is_where_the_machine_says);
    RUN_TEST(panels_lie_over_the_picture);
    RUN_TEST(qualities_agree);
    RUN_TEST(slow_pictures_are_smaller);
    RUN_TEST(odd_sizes_do_no_harm);
    RUN_TEST(corners_are_dark);
    RUN_TEST(grass_stands_where_it_grows);
    RUN_TEST(gaps_between_grains_hold_soil);
    RUN_TEST(missing_shaders_cost_beauty_only);
    render_destroy(render);
    platform_window_destroy(window);
    return UNITY_END();
}
