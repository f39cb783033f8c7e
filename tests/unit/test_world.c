// The world as a whole, with a machine that digs: the same bits, the same again after a restore,
// nothing lost, nothing allocated, and numbers that went bad put right.
#include "base/base_path.h"
#include "unit/count_alloc.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DIG_FROM  110 // step at which the bucket is in the ground
#define DIG_STEPS 170

void setUp(void) {}
void tearDown(void) {}

static char path[4][4096];

static void find(int n, const char* name)
{
    TEST_ASSERT_TRUE_MESSAGE(base_path_find(name, path[n], sizeof path[n]), name);
}

static World* make(int threads, int pool)
{
    find(0, "config/sites/flat.yaml");
    find(1, "config/materials.yaml");
    find(2, "config/calibration.yaml");
    find(3, "vehicles/excavator_22t.yaml");
    WorldDef def = {.site = path[0],
                    .materials = path[1],
                    .calibration = path[2],
                    .radius = 0.05f,
                    .pool = pool,
                    .births = 600,
                    .machine = {{.vehicle = path[3], .x = 1.0f, .z = -2.0f, .heading = 0.4f}},
                    .machine_count = 1};
    BaseYamlError error;
    World* world = world_create(&def, threads, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(world, error.text);
    return world;
}

// Boom down with an open bucket, then stick and bucket in, and a swing.
static InputFrame levers(uint64_t step)
{
    InputFrame input;
    memset(&input, 0, sizeof input);
    bool down = step < 95;
    input.lever[INPUT_BOOM] = input_quantise(down ? -0.9f : step < 140 ? 0.1f : 0.8f, NULL);
    input.lever[INPUT_STICK] = input_quantise(down ? -0.2f : 0.8f, NULL);
    input.lever[INPUT_BUCKET] = input_quantise(down ? -0.3f : 0.7f, NULL);
    input.lever[INPUT_SWING] = input_quantise(step > 150 ? 0.5f : 0.0f, NULL);
    return input;
}

static void run(World* world, uint64_t until)
{
    while (world_steps(world) < until) {
        InputFrame input = levers(world_steps(world));
        world_step(world, &input);
        TEST_ASSERT_EQUAL_INT64(0, world_imbalance(world));
    }
}

// One input, one hash, whoever works.
static void workers_do_not_matter(void)
{
    static const int threads[] = {1, 3};
    WorldHash first = {0};
    for (int k = 0; k < 2; ++k) {
        World* world = make(threads[k], 3000);
        run(world, DIG_STEPS);
        WorldHash hash = world_hash(world);
        TEST_ASSERT_GREATER_THAN_INT(50, soil_state(world_soil(world))->count);
        TEST_ASSERT_TRUE(world_audit(world));
        first = k == 0 ? hash : first;
        TEST_ASSERT_EQUAL_HEX64(first.total, hash.total);
        world_destroy(world);
    }
}

// From a snapshot taken while the bucket is in the ground, the rest comes out again, into the same
// world and into another; a damaged one changes nothing.
static void a_snapshot_goes_on_as_before(void)
{
    World *world = make(2, 3000), *other = make(3, 3000);
    run(world, DIG_FROM);
    size_t size = world_snapshot_size(world);
    unsigned char* snapshot = malloc(size);
    TEST_ASSERT_NOT_NULL(snapshot);
    world_snapshot_save(world, snapshot);
    run(world, DIG_STEPS);
    WorldHash after = world_hash(world);
    for (int again = 0; again < 3; ++again) {
        World* w = again < 2 ? world : other;
        TEST_ASSERT_TRUE(world_snapshot_load(w, snapshot, size));
        TEST_ASSERT_EQUAL_UINT64(DIG_FROM, world_steps(w));
        run(w, DIG_STEPS);
        TEST_ASSERT_EQUAL_HEX64(after.total, world_hash(w).total);
    }
    static const double places[] = {0.0, 0.001, 0.3, 0.7, 0.999};
    for (int k = 0; k < 5; ++k) {
        size_t at = (size_t)(places[k] * (double)size);
        snapshot[at] ^= 0x10;
        TEST_ASSERT_FALSE(world_snapshot_load(world, snapshot, size));
        snapshot[at] ^= 0x10;
        TEST_ASSERT_FALSE(world_snapshot_load(world, snapshot, at));
    }
    TEST_ASSERT_EQUAL_HEX64(after.total, world_hash(world).total);
    free(snapshot);
    world_destroy(world);
    world_destroy(other);
}

// A grain whose numbers go bad is put back where it was; its soil stays in the books.
static void bad_grains_are_put_back(void)
{
    World* world = make(2, 3000);
    run(world, DIG_FROM + 20);
    SoilState* s = soil_edit(world_soil(world));
    TEST_ASSERT_TRUE(s->count > 10);
    s->px[3] = NAN, s->vy[5] = INFINITY, s->vz[7] = 1e9f;
    soil_touch(world_soil(world));
    run(world, DIG_STEPS);
    TEST_ASSERT_TRUE(world_faults(world)->bad_grains >= 3);
    TEST_ASSERT_EQUAL_INT(-1, soil_find_bad(world_soil(world)));
    TEST_ASSERT_TRUE(world_audit(world));
    world_destroy(world);
}

// With room for ten grains digging goes on; what finds no room stays loose ground, and it is told.
static void a_tiny_pool_loses_nothing(void)
{
    World* world = make(1, 10);
    run(world, DIG_STEPS);
    TEST_ASSERT_TRUE(world_faults(world)->pool_full > 0);
    TEST_ASSERT_TRUE(world_faults(world)->hasty > 0);
    TEST_ASSERT_TRUE(world_audit(world));
    world_destroy(world);
}

static void a_step_allocates_nothing(void)
{
    World* world = make(3, 3000);
    run(world, DIG_FROM);
    watch();
    for (int k = 0; k < 40; ++k) {
        InputFrame input = levers(world_steps(world));
        world_step(world, &input);
    }
    TEST_ASSERT_EQUAL_INT(0, watched());
    world_destroy(world);
}

int main(void)
{
    start_counting();
    UNITY_BEGIN();
    RUN_TEST(counting_counts);
    RUN_TEST(workers_do_not_matter);
    RUN_TEST(a_snapshot_goes_on_as_before);
    RUN_TEST(bad_grains_are_put_back);
    RUN_TEST(a_tiny_pool_loses_nothing);
    RUN_TEST(a_step_allocates_nothing);
    return UNITY_END();
}
