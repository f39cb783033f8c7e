// Columns: laying, digging, depositing, pressing; every milligram accounted for.
#include "scenes/scenes_ground.h"

#include <math.h>
#include <unity.h>

static Terrain* ground; // 4 x 5 columns of 0.1 m

void setUp(void)
{
    TerrainDef def = scenes_ground_def(4, 5);
    ground = terrain_create(&def);
    TEST_ASSERT_NOT_NULL(ground);
}

void tearDown(void)
{
    TEST_ASSERT_TRUE(terrain_audit(ground));
    terrain_destroy(ground);
}

static float top_over_rock(int cell)
{
    return terrain_surface(ground, cell) - terrain_definition(ground)->origin.y;
}

// 0.1 m x 0.1 m x 1 m of bank at 1800 kg/m3 weighs 18 kg and stands 1 m high.
static void height_is_mass_over_density(void)
{
    TEST_ASSERT_TRUE(terrain_lay(ground, 7, 0, 18000000));
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 1.0f, top_over_rock(7));
    TEST_ASSERT_TRUE(terrain_deposit(ground, 7, 0, 16000000));
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 2.0f, top_over_rock(7));
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 1.0f,
                             terrain_bank_top(ground, 7) - terrain_definition(ground)->origin.y);
}

// One material on itself is one stratum; a fifth stratum has no place, and is refused whole.
static void four_strata_and_no_more(void)
{
    for (int k = 0; k < 6; ++k) {
        TEST_ASSERT_TRUE(terrain_lay(ground, 3, 0, 1000));
    }
    TEST_ASSERT_TRUE(terrain_lay(ground, 3, 1, 1000));
    TEST_ASSERT_TRUE(terrain_lay(ground, 3, 2, 1000));
    TEST_ASSERT_TRUE(terrain_lay(ground, 3, 0, 1000));
    TEST_ASSERT_FALSE(terrain_lay(ground, 3, 1, 1000));
    TEST_ASSERT_EQUAL_UINT64(9000, terrain_bank_mass(ground, 3));
}

// A column holds more than four tonnes of bank: as many strata as it needs.
static void a_column_may_be_heavy(void)
{
    TEST_ASSERT_TRUE(terrain_lay(ground, 3, 0, 4000000000u));
    TEST_ASSERT_TRUE(terrain_lay(ground, 3, 0, 4000000000u));
    TEST_ASSERT_EQUAL_UINT64(8000000000u, terrain_bank_mass(ground, 3));
    TEST_ASSERT_TRUE(terrain_deposit(ground, 3, 1, 4000000000u));
    TEST_ASSERT_FALSE(terrain_deposit(ground, 3, 2, 300000000u));
}

// Loose soil comes out first, then the strata from the top; bedrock stops everything.
static void digging_takes_the_top_first(void)
{
    terrain_lay_depth(ground, 9, 1, 1.0f);
    terrain_lay_depth(ground, 9, 2, 0.5f);
    terrain_deposit(ground, 9, 0, 1600000); // 0.1 m
    float rock = terrain_definition(ground)->origin.y;

    TerrainDug dug = terrain_dig(ground, 9, rock + 1.55f);
    TEST_ASSERT_UINT64_WITHIN(2000, 800000, dug.loose.of[0]);
    TEST_ASSERT_EQUAL_UINT64(0, dug.bank.of[2]);
    dug = terrain_dig(ground, 9, rock + 0.9f);
    TEST_ASSERT_UINT64_WITHIN(2000, 800000, dug.loose.of[0]);
    TEST_ASSERT_EQUAL_UINT64(7000000, dug.bank.of[2]); // 0.5 m at 1400 kg/m3
    TEST_ASSERT_UINT64_WITHIN(2000, 1950000, dug.bank.of[1]);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 0.9f, top_over_rock(9));
    dug = terrain_dig(ground, 9, rock - 10.0f);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.0f, top_over_rock(9));
    TEST_ASSERT_EQUAL_UINT64(0, terrain_dig(ground, 9, rock - 10.0f).total);
    TEST_ASSERT_EQUAL_INT(-1, terrain_top_material(ground, 9));
}

// Grains have integer masses: a dig by mass gives exactly that much while there is any.
static void digging_by_mass_is_exact(void)
{
    terrain_lay(ground, 0, 1, 5000000);
    terrain_deposit(ground, 0, 0, 1000001);
    terrain_deposit(ground, 0, 2, 333333);
    TEST_ASSERT_EQUAL_UINT64(777777, terrain_dig_mass(ground, 0, 777777).total);
    TEST_ASSERT_EQUAL_UINT64(1000000, terrain_dig_mass(ground, 0, 1000000).total);
    TEST_ASSERT_EQUAL_UINT64(6333334 - 1777777, terrain_dig_mass(ground, 0, 999999999).total);
}

// A patch at the corner of the site: what misses the columns is off-site, to the milligram.
static void a_patch_over_the_corner_loses_nothing(void)
{
    Vec3 o = terrain_definition(ground)->origin;
    TEST_ASSERT_EQUAL_UINT32(0, terrain_deposit_around(ground, o.x, o.z, 0.35f, 1, 12345679));
    const TerrainLedger* l = &terrain_state(ground)->ledger;
    TEST_ASSERT_EQUAL_UINT64(12345679, l->loose.of[1] + l->off_site.of[1]);
    TEST_ASSERT_TRUE(l->off_site.of[1] > l->loose.of[1]); // three quarters are outside
    terrain_deposit_around(ground, o.x - 50.0f, 1e9f, 0.2f, 1, 1000);
    TEST_ASSERT_EQUAL_UINT64(12346679, l->loose.of[1] + l->off_site.of[1]);
}

// The same within walls: all of it lies inside.
static void walls_keep_a_patch_inside(void)
{
    TerrainDef def = *terrain_definition(ground);
    def.walled = true;
    Terrain* bin = terrain_create(&def);
    Vec3 o = def.origin;
    TEST_ASSERT_EQUAL_UINT32(0, terrain_deposit_around(bin, o.x, o.z + 0.01f, 0.35f, 1, 12345679));
    TEST_ASSERT_EQUAL_UINT64(12345679, terrain_state(bin)->ledger.loose.of[1]);
    TEST_ASSERT_EQUAL_UINT64(0, terrain_state(bin)->ledger.off_site.of[1]);
    TEST_ASSERT_TRUE(terrain_audit(bin));
    terrain_destroy(bin);
}

// Loosened bank swells by the ratio of the densities, and no mass changes.
static void loosened_soil_swells(void)
{
    terrain_lay_depth(ground, 5, 2, 1.0f);
    terrain_loosen(ground, 5, terrain_definition(ground)->origin.y);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 1400.0f / 970.0f, top_over_rock(5));
    TEST_ASSERT_EQUAL_UINT64(0, terrain_bank_mass(ground, 5));
}

// Pressing lowers the layer towards bank density, never beyond; the largest pressure counts.
static void the_largest_pressure_counts(void)
{
    terrain_deposit(ground, 5, 2, 1940000); // 0.2 m
    terrain_compact(ground, 5, 35000.0f);
    float track = top_over_rock(5);
    TEST_ASSERT_TRUE(track < 0.199f && track > 0.15f);
    terrain_compact(ground, 5, 20000.0f);
    TEST_ASSERT_EQUAL_FLOAT(track, top_over_rock(5));
    terrain_compact(ground, 5, 1e9f);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 0.2f * 970.0f / 1400.0f, top_over_rock(5));
    // fresh soil on top is loose
    terrain_deposit(ground, 5, 2, 1940000);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.2f + 0.2f * 970.0f / 1400.0f, top_over_rock(5));
}

static void compaction_grows_with_pressure(void)
{
    float last = -1.0f;
    for (float p = 0.0f; p < 1e6f; p += 1e4f) {
        float k = terrain_compaction(p);
        TEST_ASSERT_TRUE(k > last && k < 1.0f);
        last = k;
    }
    TEST_ASSERT_EQUAL_FLOAT(0.0f, terrain_compaction(-5.0f));
}

static void memory_per_column_is_small(void)
{
    TerrainDef def = scenes_ground_def(500, 400);
    def.material_count = 6;
    for (int m = 3; m < 6; ++m) {
        def.material[m] = def.material[0];
    }
    Terrain* big = terrain_create(&def);
    TEST_ASSERT_NOT_NULL(big);
    size_t slots = 256 * 10240; // working memory does not grow with the site
    TEST_ASSERT_TRUE(terrain_bytes(big) < 64 * 500 * 400 + slots);
    terrain_destroy(big);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(height_is_mass_over_density);
    RUN_TEST(four_strata_and_no_more);
    RUN_TEST(a_column_may_be_heavy);
    RUN_TEST(digging_takes_the_top_first);
    RUN_TEST(digging_by_mass_is_exact);
    RUN_TEST(a_patch_over_the_corner_loses_nothing);
    RUN_TEST(walls_keep_a_patch_inside);
    RUN_TEST(loosened_soil_swells);
    RUN_TEST(the_largest_pressure_counts);
    RUN_TEST(compaction_grows_with_pressure);
    RUN_TEST(memory_per_column_is_small);
    return UNITY_END();
}
