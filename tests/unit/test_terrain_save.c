// A snapshot brings back the very same future; a bad one changes nothing.
#include "scenes/scenes_ground.h"

#include <stdlib.h>
#include <unity.h>

static Terrain* t;
static Jobs* jobs;
static unsigned char* bytes;
static size_t size;

void setUp(void)
{
    t = scenes_ground_create(37, 21);
    jobs = jobs_create(2);
    size = terrain_snapshot_size(t);
    bytes = malloc(size);
    TEST_ASSERT_NOT_NULL(bytes);
}

void tearDown(void)
{
    free(bytes);
    jobs_destroy(jobs);
    terrain_destroy(t);
}

static uint64_t run_on(ScenesGround g, int steps)
{
    for (int k = 0; k < steps; ++k) {
        scenes_ground_step(t, &g, jobs);
    }
    return terrain_hash(t);
}

// Mid-churn, twenty times over: the same steps give the same hash.
static void steps_after_a_restore_repeat(void)
{
    run_on(scenes_ground_chance(5), 20);
    terrain_snapshot_save(t, bytes);
    uint64_t here = terrain_hash(t), there = run_on(scenes_ground_chance(6), 10);
    for (int k = 0; k < 20; ++k) {
        TEST_ASSERT_TRUE(terrain_snapshot_load(t, bytes, size));
        TEST_ASSERT_EQUAL_HEX64(here, terrain_hash(t));
        TEST_ASSERT_TRUE(terrain_audit(t));
        TEST_ASSERT_EQUAL_HEX64(there, run_on(scenes_ground_chance(6), 10));
    }
}

// Into a fresh terrain of the same definition, heights included.
static void a_snapshot_moves_to_another_terrain(void)
{
    run_on(scenes_ground_chance(5), 20);
    terrain_snapshot_save(t, bytes);
    Terrain* other = scenes_ground_create(37, 21);
    TEST_ASSERT_TRUE(terrain_snapshot_load(other, bytes, size));
    for (int cell = 0; cell < 37 * 21; ++cell) {
        TEST_ASSERT_EQUAL_HEX32(base_float_bits(terrain_surface(t, cell)),
                                base_float_bits(terrain_surface(other, cell)));
    }
    TEST_ASSERT_EQUAL_HEX64(terrain_hash(t), terrain_hash(other));
    terrain_destroy(other);
}

static void a_bad_snapshot_is_refused(void)
{
    terrain_snapshot_save(t, bytes);
    run_on(scenes_ground_chance(5), 3);
    uint64_t here = terrain_hash(t);
    TEST_ASSERT_FALSE(terrain_snapshot_load(t, bytes, 5));
    TEST_ASSERT_FALSE(terrain_snapshot_load(t, bytes, size - 1));
    bytes[size / 2] ^= 1;
    TEST_ASSERT_FALSE(terrain_snapshot_load(t, bytes, size));
    bytes[size / 2] ^= 1;
    Terrain* other = scenes_ground_create(21, 37); // as many columns
    TEST_ASSERT_FALSE(terrain_snapshot_load(other, bytes, size));
    terrain_destroy(other);
    TEST_ASSERT_EQUAL_HEX64(here, terrain_hash(t));
    TEST_ASSERT_TRUE(terrain_snapshot_load(t, bytes, size));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(steps_after_a_restore_repeat);
    RUN_TEST(a_snapshot_moves_to_another_terrain);
    RUN_TEST(a_bad_snapshot_is_refused);
    return UNITY_END();
}
