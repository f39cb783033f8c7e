// Bank faces stand up to Culmann's height and fail above it.
#include "base/base_trig.h"
#include "scenes/scenes_ground.h"

#include <unity.h>

#define TOPSOIL 2 // 5 kPa, 30 degrees, 1400 kg/m3

void setUp(void) {}
void tearDown(void) {}

// A step of `height` metres at the column nx / 3, for all rows.
static Terrain* step_of(int material, float height, bool mirrored)
{
    TerrainDef def = scenes_ground_def(60, 5);
    Terrain* t = terrain_create(&def);
    for (int cell = 0; cell < 300; ++cell) {
        int i = mirrored ? 59 - cell % 60 : cell % 60;
        terrain_lay_depth(t, cell, material, i < 20 ? 0.2f : 0.2f + height);
    }
    return t;
}

static uint64_t falls(int material, float height, bool mirrored)
{
    Terrain* t = step_of(material, height, mirrored);
    uint64_t mg = terrain_collapse(t);
    TEST_ASSERT_TRUE(terrain_audit(t));
    terrain_destroy(t);
    return mg;
}

// 4 c / gamma tan(45 + phi / 2) for a vertical face.
static void the_formula_is_culmanns(void)
{
    TerrainDef def = scenes_ground_def(1, 1);
    double angle = 60.0 * BASE_DEG;
    double want = 4.0 * 5000.0 / (1400.0 * 9.81) * base_sin(angle) / base_cos(angle);
    TEST_ASSERT_FLOAT_WITHIN(0.001f, (float)want,
                             terrain_face_height(&def, TOPSOIL, (float)(90 * BASE_DEG)));
    TEST_ASSERT_TRUE(terrain_face_height(&def, TOPSOIL, (float)(60 * BASE_DEG)) > (float)want);
    TEST_ASSERT_FALSE(base_finite(terrain_face_height(&def, TOPSOIL, (float)(29 * BASE_DEG))));
    TEST_ASSERT_EQUAL_FLOAT(0.0f, terrain_face_height(&def, 0, (float)(90 * BASE_DEG)));
}

static void a_face_stands_up_to_its_height(void)
{
    TerrainDef def = scenes_ground_def(1, 1);
    for (int m = 1; m < 3; ++m) {
        float h = terrain_face_height(&def, m, (float)(90 * BASE_DEG));
        for (int mirrored = 0; mirrored < 2; ++mirrored) {
            TEST_ASSERT_EQUAL_UINT64(0, falls(m, h - 0.1f, mirrored));
            TEST_ASSERT_TRUE(falls(m, h + 0.1f, mirrored) > 0);
            TEST_ASSERT_EQUAL_UINT64(falls(m, h + 0.3f, 0), falls(m, h + 0.3f, mirrored));
        }
    }
}

// Sand without cohesion stands at its friction angle: no stair of it falls below, any above.
static void sand_needs_a_slope(void)
{
    for (int k = 0; k < 2; ++k) {
        TerrainDef def = scenes_ground_def(30, 4);
        Terrain* t = terrain_create(&def);
        float slope = k == 0 ? 0.62f : 0.75f; // tan 34 degrees is 0.67
        for (int cell = 0; cell < 120; ++cell) {
            terrain_lay_depth(t, cell, 0, 0.1f + 0.1f * slope * (float)(cell % 30));
        }
        TEST_ASSERT_EQUAL_INT(k == 1, terrain_collapse(t) > 0);
        terrain_destroy(t);
    }
}

// The same when it dips across the grid: along either axis such a slope looks flatter.
static void a_slope_across_the_grid_is_judged_as_steep_as_it_is(void)
{
    for (int k = 0; k < 2; ++k) {
        TerrainDef def = scenes_ground_def(31, 29);
        Terrain* t = terrain_create(&def);
        float slope = k == 0 ? 0.62f : 0.75f; // tan 34 degrees is 0.67
        for (int cell = 0; cell < 31 * 29; ++cell) {
            float along = 0.70710678f * (float)(cell % 31 + cell / 31);
            terrain_lay_depth(t, cell, 0, 0.1f + 0.1f * slope * along);
        }
        TEST_ASSERT_EQUAL_INT(k == 1, terrain_collapse(t) > 0);
        terrain_destroy(t);
    }
}

// A face that stands, until a heap is laid on its crest: the wall of a trench beside its spoil.
static void a_heap_on_the_crest_makes_a_face_fall(void)
{
    TerrainDef def = scenes_ground_def(1, 1);
    float height = terrain_face_height(&def, TOPSOIL, (float)(90 * BASE_DEG));
    Terrain* t = step_of(TOPSOIL, height - 0.1f, false);
    Jobs* jobs = jobs_create(1);
    TEST_ASSERT_EQUAL_UINT64(0, terrain_collapse(t));
    for (int j = 0; j < 5; ++j) { // 0.6 m high, 0.4 m from the edge
        for (int i = 24; i < 40; ++i) {
            TEST_ASSERT_TRUE(terrain_add_loose(t, terrain_cell(t, i, j), TOPSOIL,
                                               (uint32_t)terrain_loose_mg(t, TOPSOIL, 0.006)));
        }
    }
    uint64_t fallen = 0;
    for (int k = 0; k < 2000 && fallen == 0; ++k) {
        terrain_settle(t, jobs);
        fallen = terrain_collapse(t);
    }
    TEST_ASSERT_TRUE(fallen > 0);
    TEST_ASSERT_TRUE(terrain_audit(t));
    jobs_destroy(jobs);
    terrain_destroy(t);
}

// What fell lies at repose in front; what is left stands.
static void after_a_collapse_everything_stands(void)
{
    Terrain* t = step_of(TOPSOIL, 3.0f, false);
    Jobs* jobs = jobs_create(1);
    int k = 0;
    for (; k < 5000; ++k) {
        terrain_settle(t, jobs);
        if (terrain_collapse(t) == 0 && terrain_still(t)) {
            break;
        }
    }
    TEST_ASSERT_TRUE(k < 5000);
    TEST_ASSERT_EQUAL_INT(-1, terrain_find_steep(t));
    TEST_ASSERT_TRUE(terrain_state(t)->ledger.loose.of[TOPSOIL] > 0);
    TEST_ASSERT_TRUE(terrain_audit(t));
    jobs_destroy(jobs);
    terrain_destroy(t);
}

// A caller with grains gets the pieces itself, few at a time if it likes, and digs them.
static void the_pieces_can_be_dug_instead(void)
{
    Terrain* t = step_of(TOPSOIL, 3.0f, false);
    TerrainSlip slip[7];
    uint64_t mg = 0;
    int rounds = 0;
    for (int n; rounds < 1000 && (n = terrain_slips(t, slip, 7)) > 0; ++rounds) {
        for (int k = 0; k < n; ++k) {
            mg += terrain_dig(t, slip[k].cell, slip[k].height).total;
        }
    }
    TEST_ASSERT_TRUE(rounds > 1 && rounds < 1000);
    TEST_ASSERT_EQUAL_UINT64(mg, terrain_state(t)->ledger.given.of[TOPSOIL]);
    TEST_ASSERT_TRUE(terrain_audit(t));
    terrain_destroy(t);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(the_formula_is_culmanns);
    RUN_TEST(a_face_stands_up_to_its_height);
    RUN_TEST(sand_needs_a_slope);
    RUN_TEST(a_slope_across_the_grid_is_judged_as_steep_as_it_is);
    RUN_TEST(a_heap_on_the_crest_makes_a_face_fall);
    RUN_TEST(after_a_collapse_everything_stands);
    RUN_TEST(the_pieces_can_be_dug_instead);
    return UNITY_END();
}
