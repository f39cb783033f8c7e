// A world and its picture: machines, ground and grains are copied as they are, after every step.
#include "view/view_frame.h"
#include "view/view_world.h"

#include "unity.h"

static BaseArena arena;
static World* world;
static ViewWorld* vw;
static ViewState state;

void setUp(void)
{
    BaseYamlError error;
    const WorldDef def = {.site = "config/sites/flat.yaml",
                          .materials = "config/materials.yaml",
                          .calibration = "config/calibration.yaml",
                          .radius = 0.05f,
                          .pool = 2000,
                          .births = 100,
                          .machine = {{"vehicles/excavator_22t.yaml", 1.0f, -2.0f, 0.4f}},
                          .machine_count = 1};
    TEST_ASSERT_TRUE(base_arena_init(&arena, 64u << 20));
    world = world_create(&def, 1, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(world, error.text);
    vw = view_world_create(world, &arena);
    TEST_ASSERT_NOT_NULL(vw);
    TEST_ASSERT_TRUE(view_state_init(&state, view_world_ground(vw), 2000, view_world_poses(vw)));
}

void tearDown(void)
{
    view_state_free(&state);
    view_world_destroy(vw);
    world_destroy(world);
    base_arena_free(&arena);
}

static void run(int steps, int function, int16_t lever)
{
    InputFrame input = {0};
    input.lever[function] = lever;
    for (int k = 0; k < steps; ++k) {
        world_step(world, &input);
        view_world_follow(vw, world);
    }
    view_world_fill(vw, world, 0, &state);
}

// Both models of the machine are there with all their poses, near the machine.
static void machines_are_in_the_state(void)
{
    run(2, 0, 0);
    TEST_ASSERT_EQUAL_INT(2, state.use_count);
    TEST_ASSERT_EQUAL_INT(view_world_poses(vw), state.pose_count);
    TEST_ASSERT_EQUAL_INT(VIEW_DETAIL_NEAR, state.use[0].detail);
    TEST_ASSERT_EQUAL_INT(VIEW_DETAIL_FAR, state.use[1].detail);
    for (int k = 0; k < state.pose_count; ++k) {
        Vec3 way = {state.pose[k].row[0][3] - 1.0f, state.pose[k].row[1][3],
                    state.pose[k].row[2][3] + 2.0f};
        TEST_ASSERT_TRUE(vec3_length(way) < 15.0f);
    }
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, (float)world_time(world), (float)state.time);
}

// The first state is a cut, later ones are not, and after a jump one is again.
static void jumps_are_told(void)
{
    run(1, 0, 0);
    TEST_ASSERT_TRUE(state.cut);
    run(1, 0, 0);
    TEST_ASSERT_FALSE(state.cut);
    view_world_jump(vw, world);
    run(1, 0, 0);
    TEST_ASSERT_TRUE(state.cut);
}

// A lever moves the arm: the cameras' anchor goes along with the bucket's edge.
static void the_anchor_follows_the_bucket(void)
{
    run(30, 0, 0);
    Vec3 before = state.anchor.tool;
    run(60, INPUT_BOOM, INPUT_FULL);
    TEST_ASSERT_TRUE(vec3_length(vec3_sub(state.anchor.tool, before)) > 0.3f);
    // it looks from the cab along the arm
    TEST_ASSERT_TRUE(vec3_dot(state.anchor.seat_view, state.anchor.heading) > 0.5f);
    TEST_ASSERT_TRUE(state.anchor.seat.y > 1.5f && state.anchor.seat.y < 4.5f);
}

// Under the tracks the meadow is pressed, beside the machine it is not.
static void tracks_press_the_meadow(void)
{
    int pressed = 0;
    run(60, 0, 0);
    for (int c = 0; c < state.ground.nx * state.ground.nz; ++c)
        pressed += state.ground.column[c].press >> 4 > 8;
    // two tracks of some 3.7 x 0.6 m in columns of 0.1 m
    TEST_ASSERT_TRUE(pressed > 250 && pressed < 700);
    TEST_ASSERT_EQUAL_HEX8(0, state.ground.column[5 * state.ground.nx + 5].press);
}

// Every living grain is in the state with its own number and place.
static void grains_are_in_the_state(void)
{
    for (int k = 0; k < 40; ++k)
        coupling_pour(world_coupling(world),
                      vec3(-8.0f + 0.2f * (float)(k % 7), 1.5f, 6.0f + 0.2f * (float)(k / 7)),
                      vec3(0, 0, 0), 0);
    run(3, 0, 0);
    const SoilState* s = soil_state(world_soil(world));
    TEST_ASSERT_EQUAL_INT(40, state.grain_count);
    for (int i = 0, k = 0; i < s->count; ++i) {
        if (s->mass[i] == 0)
            continue;
        TEST_ASSERT_EQUAL_UINT32(s->id[i], state.grain[k].id);
        TEST_ASSERT_EQUAL_FLOAT(s->py[i], state.grain[k++].at.y);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(machines_are_in_the_state);
    RUN_TEST(jumps_are_told);
    RUN_TEST(the_anchor_follows_the_bucket);
    RUN_TEST(tracks_press_the_meadow);
    RUN_TEST(grains_are_in_the_state);
    return UNITY_END();
}
