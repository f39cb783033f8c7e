// Numbers go bad in the middle of a dig: grains by the dozen, a rig, levers. The world goes on with
// numbers, its books balance, and every repair is counted.
#include "base/base_path.h"
#include "base/base_random.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#define STEPS 240

static char path[4][4096];
static World* world;

static void find(int n, const char* name)
{
    TEST_ASSERT_TRUE_MESSAGE(base_path_find(name, path[n], sizeof path[n]), name);
}

void setUp(void)
{
    find(0, "config/sites/flat.yaml");
    find(1, "config/materials.yaml");
    find(2, "config/calibration.yaml");
    find(3, "vehicles/excavator_22t.yaml");
    WorldDef def = {.site = path[0],
                    .materials = path[1],
                    .calibration = path[2],
                    .radius = 0.05f,
                    .pool = 3000,
                    .births = 600,
                    .machine = {{.vehicle = path[3]}},
                    .machine_count = 1};
    BaseYamlError error;
    world = world_create(&def, 2, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(world, error.text);
}

void tearDown(void)
{
    world_destroy(world);
}

// The arm digs in, then lifts.
static InputFrame hands(int step)
{
    InputFrame frame = {0};
    bool down = step < 100;
    frame.lever[INPUT_BOOM] = input_quantise(down ? -0.9f : step < 150 ? 0.1f : 0.8f, NULL);
    frame.lever[INPUT_STICK] = input_quantise(down ? -0.2f : 0.8f, NULL);
    frame.lever[INPUT_BUCKET] = input_quantise(down ? -0.3f : 0.7f, NULL);
    return frame;
}

static bool machine_is_finite(void)
{
    const MachineState* s = machine_state(world_machine(world, 0));
    for (int k = 0; k < 3; ++k)
        if (!isfinite(s->position[k]) || fabs(s->position[k]) > 1e4)
            return false;
    for (int k = 0; k < MACHINE_BODIES_MAX; ++k)
        if (!isfinite(s->joint[k]))
            return false;
    for (int k = 0; k < MACHINE_DOFS_MAX; ++k)
        if (!isfinite(s->velocity[k]))
            return false;
    return true;
}

static void is_sound(void)
{
    TEST_ASSERT_EQUAL_INT(-1, soil_find_bad(world_soil(world)));
    TEST_ASSERT_TRUE(machine_is_finite());
    TEST_ASSERT_TRUE(world_imbalance(world) == 0);
    TEST_ASSERT_TRUE(world_audit(world));
}

static const float bad_values[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e9f, 3e38f};

static void grains_that_go_bad_all_the_time(void)
{
    BaseRandom random = base_random(5);
    int broken = 0;
    for (int step = 0; step < STEPS; ++step) {
        SoilState* s = soil_edit(world_soil(world));
        for (int k = 0; s->count > 0 && k < 5; ++k, ++broken) {
            float* part[6] = {s->px, s->py, s->pz, s->vx, s->vy, s->vz};
            uint32_t grain = base_random_u32(&random) % (uint32_t)s->count;
            part[base_random_u32(&random) % 6][grain] = bad_values[base_random_u32(&random) % 6];
        }
        soil_touch(world_soil(world));
        InputFrame frame = hands(step);
        world_step(world, &frame);
        is_sound();
    }
    TEST_ASSERT_TRUE(broken > 100);
    TEST_ASSERT_TRUE(world_faults(world)->bad_grains > 100);
}

// A force that is no number reaches the rig through its public door.
static void a_rig_with_bad_forces_undoes_its_step(void)
{
    for (int step = 0; step < STEPS; ++step) {
        Machine* m = world_machine(world, 0);
        if (step % 10 == 5) {
            float bad = bad_values[step / 10 % 6];
            machine_add_force(m, 2, vec3(0, 3, 0), vec3(bad, 0, bad));
        }
        InputFrame frame = hands(step);
        world_step(world, &frame);
        is_sound();
    }
    TEST_ASSERT_TRUE(world_faults(world)->machine_resets > 0);
}

// A state that holds a bad number is refused as a whole.
static void a_bad_state_is_refused(void)
{
    Machine* m = world_machine(world, 0);
    MachineState good = *machine_state(m), bad = good;
    uint64_t hash = machine_hash(m);
    bad.joint[3] = NAN;
    TEST_ASSERT_FALSE(machine_set_state(m, &bad));
    bad = good, bad.velocity[1] = INFINITY;
    TEST_ASSERT_FALSE(machine_set_state(m, &bad));
    bad = good, bad.position[0] = 1e12;
    TEST_ASSERT_FALSE(machine_set_state(m, &bad));
    TEST_ASSERT_EQUAL_HEX64(hash, machine_hash(m));
    TEST_ASSERT_TRUE(machine_set_state(m, &good));
}

// Any bytes as a frame of levers, as a damaged record may hold them.
static void frames_of_random_bytes(void)
{
    BaseRandom random = base_random(11);
    for (int step = 0; step < STEPS; ++step) {
        InputFrame frame;
        unsigned char* byte = (unsigned char*)&frame;
        for (size_t k = 0; k < sizeof frame; ++k)
            byte[k] = (unsigned char)base_random_u32(&random);
        world_step(world, &frame);
        is_sound();
    }
    TEST_ASSERT_TRUE(world_faults(world)->input > 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(grains_that_go_bad_all_the_time);
    RUN_TEST(a_rig_with_bad_forces_undoes_its_step);
    RUN_TEST(a_bad_state_is_refused);
    RUN_TEST(frames_of_random_bytes);
    return UNITY_END();
}
