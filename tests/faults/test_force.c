// Machines and grains where, and as fast as, no operator would bring them: set down in a bank, slammed into the
// ground, born below it. They come out, come to rest, and not a milligram is missing.
#include "base/base_path.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#define BOOM   1   // dof behind the six of the root
#define BUCKET 4   // body
#define REST   300 // steps in which everything comes to rest

static char path[4][4096];
static World* world;
static int threads = 2;

void setUp(void) {}

void tearDown(void)
{
    world_destroy(world);
    world = NULL;
}

static void find(int n, const char* name)
{
    TEST_ASSERT_TRUE_MESSAGE(base_path_find(name, path[n], sizeof path[n]), name);
}

static void make(const char* site, float x, float z)
{
    find(0, site);
    find(1, "config/materials.yaml");
    find(2, "config/calibration.yaml");
    find(3, "vehicles/excavator_22t.yaml");
    const WorldDef def = {.site = path[0],
                          .materials = path[1],
                          .calibration = path[2],
                          .radius = 0.05f,
                          .pool = 6000,
                          .births = 600,
                          .machine = {{.vehicle = path[3], .x = x, .z = z}},
                          .machine_count = 1};
    BaseYamlError error;
    world = world_create(&def, threads, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(world, error.text);
}

// The fastest of the machine's bodies, joints and tracks, m/s or rad/s.
static double speed(void)
{
    const MachineState* s = machine_state(world_machine(world, 0));
    double most = 0.0;
    for (int k = 0; k < MACHINE_DOFS_MAX; ++k) {
        TEST_ASSERT_TRUE(isfinite(s->velocity[k]));
        most = fmax(most, fabs(s->velocity[k]));
    }
    return most;
}

// A step in which nobody touches a lever; the books balance and every number is one.
static void idle(void)
{
    const InputFrame frame = {0};
    world_step(world, &frame);
    TEST_ASSERT_EQUAL_INT64(0, world_imbalance(world));
    TEST_ASSERT_EQUAL_INT(-1, soil_find_bad(world_soil(world)));
}

static void comes_to_rest(void)
{
    const MachineState* s = machine_state(world_machine(world, 0));
    for (int k = 0; k < REST; ++k) {
        idle();
    }
    TEST_ASSERT_TRUE(speed() < 0.2);
    TEST_ASSERT_EQUAL_UINT32(0, world_faults(world)->machine_resets);
    TEST_ASSERT_TRUE(world_audit(world));
    // on the ground, no deeper than it sinks in
    float ground =
        terrain_height(world_terrain(world), (float)s->position[0], (float)s->position[2]);
    TEST_ASSERT_TRUE(s->position[1] > (double)ground - 0.3);
}

// Set down with its tracks and its bucket in the faces of a pit, up to 2 m deep: the ground lifts it out, or
// tips it over, but does not fling it.
static void a_machine_that_starts_in_the_ground_comes_out(void)
{
    static const float at[][2] = {{9, 0}, {12, 0}, {14, 0}, {-2, 8}};
    for (size_t k = 0; k < sizeof at / sizeof at[0]; ++k) {
        make("config/sites/quarry.yaml", at[k][0], at[k][1]);
        const MachineState* s = machine_state(world_machine(world, 0));
        double fastest = 0.0, highest = -1e9, from = s->position[1];
        for (int step = 0; step < 120; ++step) {
            idle();
            fastest = fmax(fastest, speed());
            highest = fmax(highest, s->position[1]);
        }
        TEST_ASSERT_TRUE(fastest < 10.0 && highest < from + 2.5);
        comes_to_rest();
        tearDown();
    }
}

// The boom comes down with 8.6 rad/s, its bucket with 50 m/s.
static void a_bucket_is_forced_through_the_ground(void)
{
    make("config/sites/flat.yaml", 1, -2);
    Machine* m = world_machine(world, 0);
    MachineState state = *machine_state(m);
    state.velocity[6 + BOOM] = -8.6;
    TEST_ASSERT_TRUE(machine_set_state(m, &state));
    Vec3 tip = machine_point_velocity(m, BUCKET, machine_to_world(m, BUCKET, vec3(1.2f, 0, 0)));
    TEST_ASSERT_TRUE(vec3_length(tip) > 50.0f);
    for (int k = 0; k < 5; ++k) {
        idle();
    }
    TEST_ASSERT_TRUE(soil_state(world_soil(world))->count > 300); // what it broke out
    comes_to_rest();
}

// The whole machine falls with 50 m/s: a dent, and no hole to the rock.
static void a_machine_is_slammed_onto_the_ground(void)
{
    make("config/sites/flat.yaml", 1, -2);
    Machine* m = world_machine(world, 0);
    MachineState state = *machine_state(m);
    state.velocity[1] = -50.0;
    TEST_ASSERT_TRUE(machine_set_state(m, &state));
    for (int k = 0; k < 120; ++k) {
        idle();
        TEST_ASSERT_TRUE(machine_state(m)->position[1] > -2.0);
    }
    comes_to_rest();
}

// Grains that are born in the ground are put onto it.
static void grains_born_in_the_ground_come_out(void)
{
    make("config/sites/flat.yaml", -15, -15);
    Coupling* coupling = world_coupling(world);
    int born = 0;
    for (int k = 0; k < 60; ++k) {
        float x = 5.0f + 0.11f * (float)(k % 10), z = 3.0f + 0.11f * (float)(k / 10);
        born +=
            coupling_pour(coupling, vec3(x, -0.05f - 0.02f * (float)(k % 7), z), vec3(0, -3, 0), 0);
    }
    TEST_ASSERT_TRUE(born > 50);
    for (int k = 0; k < REST; ++k) {
        idle();
    }
    const SoilState* s = soil_state(world_soil(world));
    int below = 0;
    for (int i = 0; i < s->count; ++i) {
        below += s->py[i] < terrain_height(world_terrain(world), s->px[i], s->pz[i]);
    }
    TEST_ASSERT_EQUAL_INT(0, below);
    TEST_ASSERT_TRUE(world_audit(world));
}

// A hundred grains in one spot have more neighbours than their lists hold: which ones are left out is no matter
// of who works, it is counted, and they come apart.
static void a_crowd_is_counted_and_the_same_for_all_threads(void)
{
    static const int workers[] = {1, 2, 5};
    WorldHash first = {0};
    for (size_t k = 0; k < sizeof workers / sizeof workers[0]; ++k) {
        threads = workers[k];
        make("config/sites/flat.yaml", -15, -15);
        for (int n = 0; n < 100; ++n) {
            float x = 5.0f + 0.01f * (float)(n % 5), y = 0.3f + 0.01f * (float)(n / 25);
            Vec3 at = vec3(x, y, 3.0f + 0.01f * (float)(n / 5 % 5));
            TEST_ASSERT_TRUE(coupling_pour(world_coupling(world), at, vec3(0, -1, 0), 0));
        }
        idle();
        TEST_ASSERT_TRUE(soil_stats(world_soil(world))->refused > 100);
        for (int step = 0; step < 120; ++step) {
            idle();
        }
        TEST_ASSERT_TRUE(world_faults(world)->crowded > 0 && world_faults(world)->crowded < 60);
        WorldHash hash = world_hash(world);
        first = k == 0 ? hash : first;
        TEST_ASSERT_EQUAL_HEX64(first.total, hash.total);
        tearDown();
    }
    threads = 2;
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_machine_that_starts_in_the_ground_comes_out);
    RUN_TEST(a_bucket_is_forced_through_the_ground);
    RUN_TEST(a_machine_is_slammed_onto_the_ground);
    RUN_TEST(a_crowd_is_counted_and_the_same_for_all_threads);
    RUN_TEST(grains_born_in_the_ground_come_out);
    return UNITY_END();
}
