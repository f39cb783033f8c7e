// Whatever happens on a site, in whatever order: mass, bits and memory stay what they should be.
#include "scenes/scenes_works.h"
#include "unit/count_alloc.h"

#include <stdio.h>

static ScenesWorks* works;
static Jobs* jobs;

void setUp(void)
{
    jobs = jobs_create(2);
}

void tearDown(void)
{
    scenes_works_destroy(works);
    jobs_destroy(jobs);
    works = NULL;
}

static void make(int nx, int nz, int pool, uint64_t seed)
{
    works = scenes_works_create(nx, nz, pool, seed);
    TEST_ASSERT_NOT_NULL(works);
}

static uint64_t run(int steps, int changes)
{
    for (int k = 0; k < steps; ++k) {
        scenes_works_step(works, changes, jobs);
    }
    return coupling_hash(works->coupling);
}

static uint64_t sum(const TerrainMass* mass)
{
    uint64_t total = 0;
    for (int m = 0; m < TERRAIN_MATERIALS_MAX; ++m) {
        total += mass->of[m];
    }
    return total;
}

// Sites of any shape, down to one column, with pools of any size, down to ten grains.
static void nothing_is_lost_on_any_site(void)
{
    static const int size[][3] = {{1, 1, 10},   {4, 5, 10},    {5, 4, 200},  {1, 30, 50},
                                  {17, 16, 64}, {31, 33, 400}, {16, 3, 1000}};
    uint64_t off_site = 0, refused = 0, evicted = 0, hauled = 0, frozen = 0;
    for (size_t n = 0; n < sizeof size / sizeof *size; ++n) {
        make(size[n][0], size[n][1], size[n][2], 40 + n);
        for (int k = 0; k < 200; ++k) {
            scenes_works_step(works, 8, jobs);
            TEST_ASSERT_TRUE(coupling_balanced(works->coupling));
            if (k % 20 == 0) {
                TEST_ASSERT_TRUE(coupling_audit(works->coupling));
                TEST_ASSERT_EQUAL_INT(-1, soil_find_bad(works->soil));
            }
        }
        const CouplingLedger* l = coupling_ledger(works->coupling);
        const TerrainLedger* g = &terrain_state(works->terrain)->ledger;
        for (int m = 0; m < 3; ++m) {
            TEST_ASSERT_EQUAL_INT64(0, coupling_imbalance(works->coupling, m));
        }
        off_site += sum(&g->off_site), refused += l->refused, evicted += l->evictions;
        hauled += sum(&l->hauled), frozen += l->freezes;
        scenes_works_destroy(works);
        works = NULL;
    }
    // all of it has happened
    TEST_ASSERT_TRUE(off_site > 0 && refused > 0 && evicted > 0 && hauled > 0 && frozen > 0);
}

// Left alone, everything comes to rest, and no slope is steeper than it may be.
static void it_comes_to_rest(void)
{
    make(24, 21, 200, 3);
    run(200, 4);
    scenes_works_body(works, true)->velocity = vec3(0, 0, 0);
    scenes_works_body(works, true)->spin = vec3(0, 0, 0);
    scenes_works_body(works, false)->velocity = vec3(0, 0, 0);
    scenes_works_body(works, false)->spin = vec3(0, 0, 0);
    run(1200, 0);
    TEST_ASSERT_EQUAL_INT(0, soil_state(works->soil)->count - soil_state(works->soil)->dead);
    TEST_ASSERT_TRUE(terrain_still(works->terrain));
    TEST_ASSERT_EQUAL_INT(-1, terrain_find_steep(works->terrain));
    TEST_ASSERT_TRUE(coupling_audit(works->coupling));
}

// What is poured beside the site is off-site to the milligram.
static void grains_beside_the_site_are_off_site(void)
{
    make(4, 5, 100, 1);
    run(300, 0); // what could not stand at its edges is gone
    uint64_t before = terrain_state(works->terrain)->ledger.off_site.of[1];
    const TerrainDef* g = terrain_definition(works->terrain);
    for (int k = 0; k < 8; ++k) {
        Vec3 at = vec3(g->origin.x - 1.5f - 0.15f * (float)k, g->origin.y + 2.0f, g->origin.z);
        TEST_ASSERT_TRUE(coupling_pour(works->coupling, at, vec3(0, 0, 0), 1));
    }
    run(300, 0);
    uint64_t after = terrain_state(works->terrain)->ledger.off_site.of[1];
    TEST_ASSERT_EQUAL_UINT64(8ull * coupling_grain_mass(works->coupling, 1), after - before);
    TEST_ASSERT_TRUE(coupling_audit(works->coupling));
}

static void every_corner_can_be_dug_to_the_rock(void)
{
    make(4, 5, 500, 1);
    CouplingCut cut[20];
    for (int cell = 0; cell < 20; ++cell) {
        cut[cell] = (CouplingCut){cell, -100.0f};
    }
    coupling_dig(works->coupling, cut, 20, vec3(0, 0, 0));
    TEST_ASSERT_EQUAL_UINT64(0, sum(&terrain_state(works->terrain)->ledger.bank));
    for (int cell = 0; cell < 20; ++cell) {
        TEST_ASSERT_EQUAL_FLOAT(terrain_state(works->terrain)->base[cell],
                                terrain_surface(works->terrain, cell));
    }
    TEST_ASSERT_TRUE(coupling_audit(works->coupling));
    run(300, 0);
    TEST_ASSERT_TRUE(coupling_audit(works->coupling));
}

static void workers_do_not_matter(void)
{
    static const int workers[] = {1, 2, 3, 8};
    uint64_t hash[4];
    for (int n = 0; n < 4; ++n) {
        jobs_destroy(jobs);
        jobs = jobs_create(workers[n]);
        make(31, 33, 400, 5);
        hash[n] = run(80, 8);
        TEST_ASSERT_EQUAL_HEX64(hash[0], hash[n]);
        scenes_works_destroy(works);
        works = NULL;
    }
}

// In the middle of it all, five times over.
static void steps_after_a_restore_repeat(void)
{
    make(31, 33, 400, 6);
    run(120, 6);
    size_t size = coupling_snapshot_size(works->coupling);
    void* bytes = malloc(size);
    coupling_snapshot_save(works->coupling, bytes);
    BaseRandom chance = works->random;
    uint64_t here = coupling_hash(works->coupling), there = run(20, 6);
    for (int k = 0; k < 5; ++k) {
        TEST_ASSERT_TRUE(coupling_snapshot_load(works->coupling, bytes, size));
        TEST_ASSERT_EQUAL_HEX64(here, coupling_hash(works->coupling));
        TEST_ASSERT_TRUE(coupling_audit(works->coupling));
        works->random = chance;
        TEST_ASSERT_EQUAL_HEX64(there, run(20, 6));
    }
    free(bytes);
}

// Short, altered, of another site or with other bins: refused, and nothing has changed.
static void a_bad_snapshot_is_refused(void)
{
    make(17, 16, 100, 7);
    run(60, 6);
    size_t size = coupling_snapshot_size(works->coupling);
    unsigned char* bytes = malloc(size);
    coupling_snapshot_save(works->coupling, bytes);
    ScenesWorks* other = scenes_works_create(16, 17, 100, 8); // as many columns
    uint64_t strange = coupling_hash(other->coupling), here = coupling_hash(works->coupling);
    TEST_ASSERT_FALSE(coupling_snapshot_load(other->coupling, bytes, size));
    TEST_ASSERT_EQUAL_HEX64(strange, coupling_hash(other->coupling));
    scenes_works_destroy(other);
    CouplingBinDef bin = {.length = 1.0f, .width = 0.8f, .wall = 0.4f, .steel = 0.4f, .cell = 0.1f};
    other = scenes_works_create(17, 16, 100, 8);
    coupling_add_bin(other->coupling, &bin, vec3(0, 5, 0));
    strange = coupling_hash(other->coupling);
    TEST_ASSERT_FALSE(coupling_snapshot_load(other->coupling, bytes, size));
    TEST_ASSERT_EQUAL_HEX64(strange, coupling_hash(other->coupling));
    scenes_works_destroy(other);
    TEST_ASSERT_FALSE(coupling_snapshot_load(works->coupling, bytes, 10));
    TEST_ASSERT_FALSE(coupling_snapshot_load(works->coupling, bytes, size - 1));
    for (size_t at = 0; at < size; at += size / 37) {
        bytes[at] ^= 16;
        TEST_ASSERT_FALSE(coupling_snapshot_load(works->coupling, bytes, size));
        bytes[at] ^= 16;
    }
    TEST_ASSERT_EQUAL_HEX64(here, coupling_hash(works->coupling));
    TEST_ASSERT_TRUE(coupling_snapshot_load(works->coupling, bytes, size));
    free(bytes);
}

static void a_step_allocates_nothing(void)
{
    for (int workers = 1; workers <= 3; workers += 2) {
        jobs_destroy(jobs);
        jobs = jobs_create(workers);
        make(31, 33, 300, 9);
        run(20, 6);
        call_the_roll(jobs);
        watch();
        run(60, 6);
        TEST_ASSERT_EQUAL_INT(0, watched());
        scenes_works_destroy(works);
        works = NULL;
    }
}

int main(void)
{
    start_counting();
    UNITY_BEGIN();
    RUN_TEST(counting_counts);
    RUN_TEST(nothing_is_lost_on_any_site);
    RUN_TEST(it_comes_to_rest);
    RUN_TEST(grains_beside_the_site_are_off_site);
    RUN_TEST(every_corner_can_be_dug_to_the_rock);
    RUN_TEST(workers_do_not_matter);
    RUN_TEST(steps_after_a_restore_repeat);
    RUN_TEST(a_bad_snapshot_is_refused);
    RUN_TEST(a_step_allocates_nothing);
    return UNITY_END();
}
