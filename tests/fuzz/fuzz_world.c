// Levers at random in a small world; the invariants are what may not break: the books (I1), finite
// numbers (I2), slopes at rest (I4), nothing put right, and a world brought back goes on the same (I9).
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POOL      300 // grains
#define HOLD_MAX  30  // steps that an order holds
#define STEPS_MAX 90  // of one input
#define LOWER     75  // steps after which the bucket is in the ground
#define ORDER     6   // bytes, see order()
#define BRING     255 // in the last byte: save the world and bring it back, now

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static World* world;
static unsigned char* fresh; // the world as every input finds it: digging
static size_t fresh_size;
static WorldFaults known; // counted in earlier inputs: a snapshot does not take them back

static void claim(bool holds, const char* what)
{
    if (!holds) {
        fprintf(stderr, "fuzz_world: %s, at step %llu\n", what,
                (unsigned long long)world_steps(world));
        abort();
    }
}

static void make(void)
{
    const WorldDef def = {.site = "tests/fuzz/world.yaml",
                          .materials = "config/materials.yaml",
                          .calibration = "config/calibration.yaml",
                          .radius = 0.06f,
                          .pool = POOL,
                          .births = 100,
                          .machine = {{.vehicle = "vehicles/excavator_2t.yaml"}},
                          .machine_count = 1};
    BaseYamlError error;
    world = world_create(&def, 1, &error);
    if (!world) {
        fprintf(stderr, "fuzz_world: %s\n", error.text);
        exit(1);
    }
    InputFrame down;
    memset(&down, 0, sizeof down);
    down.lever[INPUT_BOOM] = -INPUT_FULL, down.lever[INPUT_STICK] = INPUT_FULL / 2;
    for (int k = 0; k < LOWER; ++k) {
        world_step(world, &down);
    }
    claim(world_profile(world)->grains > 0, "the bucket does not reach the ground");
    fresh_size = world_snapshot_size(world);
    fresh = malloc(fresh_size);
    world_snapshot_save(world, fresh);
}

// Any function to anything, all four of the arm to something, now and then switches and engine speed;
// the rest stays as it was. Returns for how many steps.
static int order(const uint8_t* at, InputFrame* frame)
{
    static const InputFunction arm[4] = {INPUT_BOOM, INPUT_STICK, INPUT_BUCKET, INPUT_SWING};
    for (int k = 0; k < 4; ++k) {
        frame->lever[arm[k]] = (int16_t)((int8_t)at[1 + k] * INPUT_FULL / 127);
    }
    frame->lever[at[0] % INPUT_FUNCTION_COUNT] = (int16_t)((at[0] - 128) * 256);
    frame->switches = (at[5] & 7) == 7 ? at[0] : 0;
    frame->dial = at[5] % 11;
    return 1 + at[5] % HOLD_MAX;
}

static void look(void)
{
    const MachineState* m = machine_state(world_machine(world, 0));
    const WorldFaults* faults = world_faults(world);
    claim(world_imbalance(world) == 0, "I1: soil is missing");
    claim(soil_find_bad(world_soil(world)) < 0, "I2: a grain is nowhere");
    for (int k = 0; k < 3; ++k) {
        claim(m->position[k] > -1e4 && m->position[k] < 1e4, "I2: the machine is nowhere");
    }
    claim(faults->bad_grains == known.bad_grains, "I2: a grain went bad and was put right");
    claim(faults->machine_resets == 0, "I2: a step of the rig was undone");
}

static void bring_back(void)
{
    size_t size = world_snapshot_size(world);
    unsigned char* now = malloc(size);
    uint64_t hash = world_hash(world).total;
    world_snapshot_save(world, now);
    claim(world_snapshot_load(world, now, size), "its own snapshot is refused");
    claim(world_hash(world).total == hash, "a snapshot is not what was saved");
    free(now);
}

// All orders from the beginning; the hash of where it ends.
static uint64_t run(const uint8_t* data, size_t orders, bool bringing)
{
    InputFrame frame;
    int left = STEPS_MAX;
    memset(&frame, 0, sizeof frame);
    claim(world_snapshot_load(world, fresh, fresh_size), "the first snapshot is refused");
    for (size_t n = 0; n < orders && left > 0; ++n) {
        const uint8_t* at = data + n * ORDER;
        if (bringing && at[5] == BRING) {
            bring_back();
        }
        for (int hold = order(at, &frame); hold > 0 && left > 0; --hold, --left) {
            world_step(world, &frame); // which repairs what no lever can do
            look();
        }
    }
    claim(world_audit(world), "I1: the audit misses soil");
    claim(terrain_stats(world_terrain(world))->tiles > 0 ||
              terrain_find_steep(world_terrain(world)) < 0,
          "I4: a slope at rest is too steep");
    return world_hash(world).total;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (!world) {
        make();
    }
    size_t orders = size / ORDER;
    bool brings = false;
    for (size_t n = 0; n < orders; ++n) {
        brings |= data[n * ORDER + 5] == BRING;
    }
    known = *world_faults(world);
    uint64_t hash = run(data, orders, true);
    claim(!brings || run(data, orders, false) == hash, "I9: brought back, it goes on differently");
    return 0;
}
