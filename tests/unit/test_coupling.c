// Ground, grains and bins exchange mass without losing a milligram.
#include "coupling/coupling.h"
#include "unity.h"

#include <stdlib.h>

#define MATERIALS 3

static Jobs* jobs;
static Soil* soil;
static Terrain* terrain;
static Coupling* coupling;

static void make(int nx, int nz, int capacity, float radius)
{
    TerrainDef ground = terrain_def(nx, nz);
    ground.material_count = MATERIALS;
    ground.material[0] = terrain_material(1800.0f, 1600.0f, 0.59f, 0.0f, 0.39f);
    ground.material[1] = terrain_material(1800.0f, 1440.0f, 0.49f, 10000.0f, 0.63f);
    ground.material[2] = terrain_material(1950.0f, 1560.0f, 0.26f, 40000.0f, 0.61f);
    terrain = terrain_create(&ground);
    SoilDef grains = soil_def(SOIL_KERNEL_SPLIT, capacity, radius);
    grains.material_count = MATERIALS;
    for (int m = 1; m < MATERIALS; ++m) {
        grains.material[m] = grains.material[0];
    }
    soil = soil_create(&grains);
    CouplingDef def = coupling_def(radius);
    coupling = coupling_create(&def, soil, terrain);
    TEST_ASSERT_NOT_NULL(coupling);
    for (int cell = 0; cell < nx * nz; ++cell) {
        TEST_ASSERT_TRUE(terrain_lay_depth(terrain, cell, 2, 0.5f));
        TEST_ASSERT_TRUE(terrain_lay_depth(terrain, cell, 1, 0.3f));
    }
}

static void step(void)
{
    soil_step(soil, jobs);
    coupling_step(coupling, jobs);
    terrain_settle(terrain, jobs);
}

static int living(void)
{
    return soil_state(soil)->count - soil_state(soil)->dead;
}

void setUp(void)
{
    jobs = jobs_create(2);
}

void tearDown(void)
{
    coupling_destroy(coupling);
    soil_destroy(soil);
    terrain_destroy(terrain);
    jobs_destroy(jobs);
    coupling = NULL, soil = NULL, terrain = NULL;
}

static void pour(int count, Vec3 middle, int material)
{
    for (int k = 0; k < count; ++k) {
        Vec3 at = vec3(middle.x + 0.11f * (float)(k % 5 - 2), middle.y + 0.11f * (float)(k / 25),
                       middle.z + 0.11f * (float)(k / 5 % 5 - 2));
        at.x += 0.012f * (float)(k * 7 % 11 - 5); // heaps, not towers
        at.z += 0.012f * (float)(k * 5 % 9 - 4);
        TEST_ASSERT_TRUE(coupling_pour(coupling, at, vec3(0, 0, 0), material));
    }
}

static void poured_grains_become_ground(void)
{
    make(60, 60, 2000, 0.05f);
    pour(500, vec3(3.0f, 1.2f, 3.0f), 0);
    int frames = 0;
    for (; frames < 600 && living() > 0; ++frames) {
        step();
        TEST_ASSERT_TRUE(coupling_balanced(coupling));
    }
    printf("gone after %d frames\n", frames);
    TEST_ASSERT_EQUAL_INT(0, living());
    TEST_ASSERT_TRUE(frames < 300);
    TEST_ASSERT_TRUE(coupling_audit(coupling));
    uint64_t loose = terrain_state(terrain)->ledger.loose.of[0];
    TEST_ASSERT_EQUAL_UINT64(500ull * coupling_grain_mass(coupling, 0), loose);
}

static void cuts_become_grains_and_keep_their_masses(void)
{
    make(40, 40, 4000, 0.05f);
    CouplingCut cut[100];
    for (int k = 0; k < 100; ++k) {
        cut[k] = (CouplingCut){terrain_cell(terrain, 15 + k % 10, 15 + k / 10), 0.35f};
    }
    int born = coupling_dig(coupling, cut, 100, vec3(0, 0, 0));
    // 0.3 m of loam and 0.15 m of clay over 1 m2
    double loam = 0.3 * 1800.0, clay = 0.15 * 1950.0;
    TEST_ASSERT_INT_WITHIN(2,
                           (int)(1e6 * loam / coupling_grain_mass(coupling, 1) +
                                 1e6 * clay / coupling_grain_mass(coupling, 2)),
                           born);
    TEST_ASSERT_TRUE(coupling_audit(coupling));
    for (int k = 0; k < 600; ++k) {
        step();
        TEST_ASSERT_TRUE(coupling_balanced(coupling));
    }
    TEST_ASSERT_EQUAL_INT(0, living());
    TEST_ASSERT_TRUE(coupling_audit(coupling));
}

static void a_full_pool_loses_nothing(void)
{
    make(40, 40, 100, 0.05f);
    CouplingCut cut[100];
    for (int k = 0; k < 100; ++k) {
        cut[k] = (CouplingCut){terrain_cell(terrain, 15 + k % 10, 15 + k / 10), 0.35f};
    }
    coupling_dig(coupling, cut, 100, vec3(0, 0, 0));
    TEST_ASSERT_TRUE(coupling_ledger(coupling)->refused > 0);
    TEST_ASSERT_TRUE(coupling_audit(coupling));
    for (int k = 0; k < 300; ++k) {
        step();
        TEST_ASSERT_TRUE(coupling_balanced(coupling));
    }
    TEST_ASSERT_TRUE(coupling_audit(coupling));
}

// On rough ground a grain lies on many slopes at once; it lands there and stays down.
static void grains_do_not_bounce_off_rough_ground(void)
{
    make(60, 60, 400, 0.05f);
    for (int cell = 0; cell < 60 * 60; ++cell) {
        float depth = 0.02f * (float)((cell * 7 + cell / 60 * 13) % 5);
        coupling_haul(coupling, cell, 0.8f - depth);
    }
    for (int k = 0; k < 400; ++k) {
        Vec3 at = vec3(0.7f + 0.23f * (float)(k % 20), 0.95f, 0.7f + 0.23f * (float)(k / 20));
        TEST_ASSERT_TRUE(coupling_pour(coupling, at, vec3(0.0f, -1.5f, 0.0f), 0));
    }
    float highest = 0.0f;
    for (int frame = 0; frame < 60; ++frame) {
        step();
        const SoilState* s = soil_state(soil);
        for (int i = 0; i < s->count; ++i) {
            highest = s->mass[i] > 0 ? base_maxf(highest, s->vy[i]) : highest;
        }
    }
    printf("fastest upwards %g m/s\n", (double)highest);
    TEST_ASSERT_TRUE(highest < 0.75f);
}

// The picture lowers the ground around a grain that was laid down by what the grain still fills.
static void a_grain_that_became_ground_fades(void)
{
    make(20, 20, 50, 0.05f);
    TEST_ASSERT_TRUE(coupling_pour(coupling, vec3(1.0f, 0.85f, 1.0f), vec3(0, 0, 0), 0));
    CouplingFade fade[4];
    int frames = 0;
    for (; living() > 0 && frames < 200; ++frames) {
        TEST_ASSERT_EQUAL_INT(0, coupling_fades(coupling, fade, 4));
        step();
    }
    TEST_ASSERT_EQUAL_INT(1, coupling_fades(coupling, fade, 4));
    TEST_ASSERT_FLOAT_WITHIN(0.02f, 1.0f, fade[0].position.x);
    TEST_ASSERT_TRUE(fade[0].left > 0.9f);

    // at first all of its volume is missing, and after `fade` frames nothing
    double missing = 0.0, side = 0.005;
    for (int k = 0; k < 10000; ++k) {
        float dx = ((float)(k % 100) - 49.5f) * (float)side,
              dz = ((float)(k / 100) - 49.5f) * (float)side;
        missing += side * side * (double)coupling_fade_rise(coupling, &fade[0], dx, dz);
    }
    double volume = coupling_grain_mass(coupling, 0) / terrain_loose_mg(terrain, 0, 1.0);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * volume, volume * (double)fade[0].left, missing);
    for (int k = 0; k < coupling_definition(coupling)->fade; ++k) {
        float before = fade[0].left;
        step();
        if (coupling_fades(coupling, fade, 4) == 1) {
            TEST_ASSERT_TRUE(fade[0].left < before);
        }
    }
    TEST_ASSERT_EQUAL_INT(0, coupling_fades(coupling, fade, 4));
}

// With a full pool those that were born first go first, wherever they lie.
static void the_oldest_resting_grains_return_first(void)
{
    make(40, 40, 120, 0.05f);
    // a tower of boxes keeps them off the ground: none would become ground by itself
    SoilBoundary shelf = soil_box(vec3(2.0f, 1.5f, 2.0f), vec3(1.5f, 0.1f, 1.5f), 0.5f);
    TEST_ASSERT_TRUE(soil_add_boundary(soil, &shelf) >= 0);
    for (int k = 0; k < 50; ++k) {
        Vec3 at = vec3(1.0f + 0.2f * (float)(k % 10), 1.66f, 1.0f + 0.2f * (float)(k / 10));
        TEST_ASSERT_TRUE(coupling_pour(coupling, at, vec3(0, 0, 0), 0));
    }
    for (int k = 0; k < 60; ++k) {
        step();
    }
    TEST_ASSERT_EQUAL_INT(50, living());
    for (int k = 50; k < 66; ++k) {
        Vec3 at = vec3(1.0f + 0.2f * (float)(k % 10), 1.66f, 1.0f + 0.2f * (float)(k / 10));
        TEST_ASSERT_TRUE(coupling_pour(coupling, at, vec3(0, 0, 0), 0));
    }
    step(); // 66 of 120, and 64 places shall be free: ten have to go
    TEST_ASSERT_EQUAL_INT(56, living());
    TEST_ASSERT_EQUAL_UINT64(10, coupling_ledger(coupling)->evictions);
    const SoilState* s = soil_state(soil);
    for (int i = 0; i < s->count; ++i) {
        TEST_ASSERT_TRUE(s->mass[i] == 0 || s->id[i] >= 10);
    }
    TEST_ASSERT_TRUE(coupling_audit(coupling));
}

static void a_bin_fills_rides_and_tips(void)
{
    make(80, 40, 2000, 0.05f);
    CouplingBinDef def = {.length = 2.0f, .width = 1.2f, .wall = 0.6f, .steel = 0.4f, .cell = 0.1f};
    int bin = coupling_add_bin(coupling, &def, vec3(4.0f, 1.2f, 2.0f));
    TEST_ASSERT_EQUAL_INT(0, bin);
    pour(200, vec3(4.0f, 1.6f, 2.0f), 0);
    for (int k = 0; k < 400; ++k) {
        step();
        TEST_ASSERT_TRUE(coupling_balanced(coupling));
    }
    double load = coupling_bin_mass(coupling, bin);
    printf("load %g kg, %d grains, off %d\n", load, living(), coupling_stats(coupling)->buried);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 200.0e-6 * coupling_grain_mass(coupling, 0), load);
    TEST_ASSERT_EQUAL_INT(0, living());

    // drive off gently, then tip about z
    coupling_bin_body(coupling, bin)->velocity = vec3(0.0f, 0.2f, 0.0f);
    for (int k = 0; k < 240; ++k) {
        step();
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.01, load, coupling_bin_mass(coupling, bin));
    coupling_bin_body(coupling, bin)->velocity = vec3(0.0f, 0.0f, 0.0f);
    coupling_bin_gate(coupling, bin, true);
    coupling_bin_body(coupling, bin)->spin = vec3(0.0f, 0.0f, 0.3f);
    for (int k = 0; k < 180; ++k) { // 0.9 rad
        step();
        TEST_ASSERT_TRUE(coupling_balanced(coupling));
    }
    coupling_bin_body(coupling, bin)->spin = vec3(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 600; ++k) {
        step();
    }
    printf("left %g kg, %d grains\n", coupling_bin_mass(coupling, bin), living());
    TEST_ASSERT_TRUE(coupling_audit(coupling));
    TEST_ASSERT_EQUAL_INT(0, living());
    TEST_ASSERT_TRUE(coupling_bin_mass(coupling, bin) < 0.02 * load);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(poured_grains_become_ground);
    RUN_TEST(cuts_become_grains_and_keep_their_masses);
    RUN_TEST(a_full_pool_loses_nothing);
    RUN_TEST(grains_do_not_bounce_off_rough_ground);
    RUN_TEST(a_grain_that_became_ground_fades);
    RUN_TEST(the_oldest_resting_grains_return_first);
    RUN_TEST(a_bin_fills_rides_and_tips);
    return UNITY_END();
}
