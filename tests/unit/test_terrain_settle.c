// Slopes slide until they stand at their angle; the same bits for every worker count.
#include "base/base_trig.h"
#include "scenes/scenes_ground.h"

#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static int settle_all(Terrain* t, Jobs* jobs)
{
    int steps = 0;
    for (; !terrain_still(t) && steps < 20000; ++steps) {
        terrain_settle(t, jobs);
    }
    return steps;
}

static uint64_t run(int nx, int nz, int steps, int workers, const char* isa)
{
    Terrain* t = scenes_ground_create(nx, nz);
    Jobs* jobs = jobs_create(workers);
    TEST_ASSERT_NOT_NULL(t);
    TEST_ASSERT_NOT_NULL(jobs);
    if (isa && !terrain_use_isa(t, isa)) {
        isa = "none";
    }
    ScenesGround g = scenes_ground_chance(11);
    for (int k = 0; k < steps; ++k) {
        scenes_ground_step(t, &g, jobs);
        if (k % 16 == 0) {
            TEST_ASSERT_TRUE(terrain_audit(t));
            TEST_ASSERT_EQUAL_INT(-1, terrain_find_steep(t));
        }
    }
    uint64_t hash = terrain_hash(t);
    if (nx * nz < 1000) { // small sites also come to rest
        settle_all(t, jobs);
        TEST_ASSERT_TRUE(terrain_still(t));
        TEST_ASSERT_TRUE(terrain_audit(t));
        TEST_ASSERT_EQUAL_INT(-1, terrain_find_steep(t));
    }
    jobs_destroy(jobs);
    terrain_destroy(t);
    return hash;
}

// Mass per material, standing slopes and bits, over random work on sites of odd sizes.
static void any_size_keeps_mass_and_slopes(void)
{
    static const int size[][2] = {{1, 1}, {1, 9}, {4, 5}, {16, 16}, {17, 15}, {33, 30}};
    for (size_t k = 0; k < sizeof size / sizeof *size; ++k) {
        run(size[k][0], size[k][1], 120, 1, NULL);
    }
}

static void workers_do_not_matter(void)
{
    uint64_t one = run(70, 39, 20, 1, NULL);
    static const int workers[] = {2, 3, 5, 8};
    for (size_t k = 0; k < sizeof workers / sizeof *workers; ++k) {
        TEST_ASSERT_EQUAL_HEX64(one, run(70, 39, 20, workers[k], NULL));
    }
}

static void instruction_sets_do_not_matter(void)
{
    TEST_ASSERT_EQUAL_HEX64(run(45, 50, 30, 1, "sse2"), run(45, 50, 30, 1, "avx2"));
}

static Terrain* sand(int nx, int nz, bool walled)
{
    TerrainDef def = scenes_ground_def(nx, nz);
    def.material_count = 1;
    def.walled = walled;
    return terrain_create(&def);
}

// A heap of 30 degrees falls by tan(30) per metre in every direction.
static void a_heap_stands_at_repose(void)
{
    Terrain* t = sand(49, 49, false);
    Jobs* jobs = jobs_create(2);
    Vec3 mid = terrain_center(t, terrain_cell(t, 24, 24));
    for (int k = 0; k < 20; ++k) {
        terrain_deposit_around(t, mid.x, mid.z, 0.4f, 0, 60000000);
        terrain_settle(t, jobs);
    }
    settle_all(t, jobs);
    for (int k = 0; k < 8; ++k) {
        float a = (float)k * (float)BASE_PI / 4.0f, dx = base_cosf(a), dz = base_sinf(a);
        float near = terrain_height(t, mid.x + 0.4f * dx, mid.z + 0.4f * dz);
        float far = terrain_height(t, mid.x + 1.0f * dx, mid.z + 1.0f * dz);
        float degrees = base_atanf((near - far) / 0.6f) / (float)BASE_DEG;
        TEST_ASSERT_FLOAT_WITHIN(1.0f, 30.3f, degrees);
    }
    jobs_destroy(jobs);
    terrain_destroy(t);
}

static float tangent(float degrees)
{
    return base_sinf(degrees * (float)BASE_DEG) / base_cosf(degrees * (float)BASE_DEG);
}

// Lowers the foot of a slope by `depth` and tells whether soil slid after it.
static bool undercut(Terrain* t, Jobs* jobs, float depth)
{
    for (int j = 0; j < 3; ++j) {
        int cell = terrain_cell(t, 8, j);
        terrain_dig(t, cell, terrain_surface(t, cell) - depth);
    }
    uint64_t before = terrain_state(t)->ledger.transfers;
    settle_all(t, jobs);
    return terrain_state(t)->ledger.transfers > before;
}

// Between repose and start a slope that rests stays; beyond, it goes.
static void a_resting_slope_waits_for_its_start_angle(void)
{
    TerrainDef def = scenes_ground_def(20, 3);
    def.material_count = 1, def.walled = true;
    def.material[0].repose = 28 * (float)BASE_DEG, def.material[0].start = 34 * (float)BASE_DEG;
    Terrain* t = terrain_create(&def);
    Jobs* jobs = jobs_create(1);
    for (int cell = 0; cell < 60; ++cell) {
        float height = 0.1f + 0.1f * (float)(cell % 20) * tangent(27.9f);
        terrain_add_loose(t, cell, 0, (uint32_t)(height * 16e6f));
    }
    settle_all(t, jobs);
    TEST_ASSERT_FALSE(undercut(t, jobs, 0.1f * (tangent(31) - tangent(27.9f))));
    TEST_ASSERT_TRUE(undercut(t, jobs, 0.02f));
    jobs_destroy(jobs);
    terrain_destroy(t);
}

// Loose soil at the edge spills, and the account knows how much.
static void soil_leaves_over_the_edge(void)
{
    Terrain* t = sand(4, 5, false);
    Jobs* jobs = jobs_create(1);
    for (int k = 0; k < 10; ++k) {
        terrain_deposit(t, terrain_cell(t, 0, 2), 0, 20000000);
        terrain_settle(t, jobs);
    }
    settle_all(t, jobs);
    const TerrainLedger* l = &terrain_state(t)->ledger;
    TEST_ASSERT_TRUE(l->off_site.of[0] > 100000000);
    TEST_ASSERT_EQUAL_UINT64(200000000, l->off_site.of[0] + l->loose.of[0]);
    TEST_ASSERT_TRUE(terrain_audit(t));
    terrain_destroy(t);
    jobs_destroy(jobs);
}

// Walls keep everything in, and the heap levels out against them.
static void a_bin_keeps_its_load(void)
{
    Terrain* t = sand(6, 9, true);
    Jobs* jobs = jobs_create(1);
    terrain_deposit(t, 0, 0, 400000000);
    settle_all(t, jobs);
    TEST_ASSERT_EQUAL_UINT64(0, terrain_state(t)->ledger.off_site.of[0]);
    TEST_ASSERT_TRUE(terrain_loose_mass(t, terrain_cell(t, 5, 8)) > 0);
    terrain_destroy(t);
    jobs_destroy(jobs);
}

// A still site is not worked on, and one grain of soil wakes one tile.
static void a_still_site_costs_nothing(void)
{
    Terrain* t = sand(200, 200, false);
    Jobs* jobs = jobs_create(1);
    settle_all(t, jobs);
    terrain_settle(t, jobs);
    TEST_ASSERT_EQUAL_INT64(0, terrain_stats(t)->columns);
    terrain_deposit(t, terrain_cell(t, 100, 100), 0, 1000);
    terrain_sweep(t, jobs);
    TEST_ASSERT_EQUAL_INT64(256, terrain_stats(t)->columns);
    terrain_destroy(t);
    jobs_destroy(jobs);
}

// More tiles awake than one sweep takes: the rest waits, nothing is lost, all come to rest.
static void an_overload_takes_turns(void)
{
    Terrain* t = sand(330, 330, false); // 441 tiles
    Jobs* jobs = jobs_create(2);
    for (int j = 3; j < 330; j += 6) {
        for (int i = 4; i < 330; i += 6) {
            terrain_deposit(t, terrain_cell(t, i, j), 0, 5000000);
        }
    }
    terrain_settle(t, jobs);
    TEST_ASSERT_EQUAL_INT(441 - 256, terrain_stats(t)->waiting);
    TEST_ASSERT_EQUAL_INT(-1, terrain_find_steep(t));
    settle_all(t, jobs);
    TEST_ASSERT_TRUE(terrain_still(t));
    TEST_ASSERT_EQUAL_INT(-1, terrain_find_steep(t));
    TEST_ASSERT_TRUE(terrain_audit(t));
    terrain_destroy(t);
    jobs_destroy(jobs);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(any_size_keeps_mass_and_slopes);
    RUN_TEST(workers_do_not_matter);
    RUN_TEST(instruction_sets_do_not_matter);
    RUN_TEST(a_heap_stands_at_repose);
    RUN_TEST(a_resting_slope_waits_for_its_start_angle);
    RUN_TEST(soil_leaves_over_the_edge);
    RUN_TEST(a_bin_keeps_its_load);
    RUN_TEST(a_still_site_costs_nothing);
    RUN_TEST(an_overload_takes_turns);
    return UNITY_END();
}
