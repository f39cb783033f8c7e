// Counting again where something changed agrees with counting all of it, and nothing can hide.
#include "scenes/scenes_ground.h"

#include <stdlib.h>
#include <unity.h>

#define WIDE  83 // columns: six tiles, the last one narrow
#define DEEP  37 // three tiles
#define TILES 18
#define TURN  16 // tiles that a recount takes in turn

static Terrain* t;
static Jobs* jobs;

void setUp(void)
{
    t = scenes_ground_create(WIDE, DEEP);
    jobs = jobs_create(2);
    TEST_ASSERT_NOT_NULL(t);
}

void tearDown(void)
{
    jobs_destroy(jobs);
    terrain_destroy(t);
}

// Digs, deposits, throws, tracks, collapses: after every step both counts agree with the books.
static void a_recount_follows_whatever_happens(void)
{
    ScenesGround chance = scenes_ground_chance(3);
    TEST_ASSERT_TRUE(terrain_recount(t));
    for (int k = 0; k < 200; ++k) {
        scenes_ground_step(t, &chance, jobs);
        TEST_ASSERT_TRUE(terrain_recount(t));
        TEST_ASSERT_TRUE(terrain_audit(t));
    }
}

// A restored ground is another ground: all of it is counted anew.
static void a_recount_follows_a_restore(void)
{
    ScenesGround chance = scenes_ground_chance(4);
    size_t size = terrain_snapshot_size(t);
    void* bytes = malloc(size);
    TEST_ASSERT_NOT_NULL(bytes);
    terrain_snapshot_save(t, bytes);
    for (int k = 0; k < 20; ++k) {
        scenes_ground_step(t, &chance, jobs);
    }
    TEST_ASSERT_TRUE(terrain_recount(t));
    TEST_ASSERT_TRUE(terrain_snapshot_load(t, bytes, size));
    TEST_ASSERT_TRUE(terrain_recount(t));
    free(bytes);
}

// One milligram that comes or goes behind the terrain's back is found, wherever it is, within as many
// recounts as the site has turns.
static void what_changes_behind_its_back_is_found(void)
{
    const int turns = (TILES + TURN - 1) / TURN;
    TEST_ASSERT_TRUE(terrain_recount(t));
    for (int cell = 0; cell < WIDE * DEEP; cell += 97) {
        // the state is const for everybody but terrain itself
        TerrainState* state = (TerrainState*)(uintptr_t)terrain_state(t);
        ++state->loose[1][cell];
        TEST_ASSERT_FALSE(terrain_audit(t));
        bool found = false;
        for (int k = 0; k < turns; ++k) {
            found = !terrain_recount(t) || found;
        }
        TEST_ASSERT_TRUE(found);
        --state->loose[1][cell];
        for (int k = 0; k < turns; ++k) {
            (void)terrain_recount(t);
        }
        TEST_ASSERT_TRUE(terrain_recount(t));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_recount_follows_whatever_happens);
    RUN_TEST(a_recount_follows_a_restore);
    RUN_TEST(what_changes_behind_its_back_is_found);
    return UNITY_END();
}
