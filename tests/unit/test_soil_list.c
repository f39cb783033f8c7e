// Unit tests of the grid and the neighbour lists, against the definition by brute force.
#include "base/base_random.h"
#include "soil/soil_internal.h"

#include "unity.h"

#include <string.h>

#define RADIUS 0.05f

void setUp(void) {}
void tearDown(void) {}

// Grains of mixed size thrown into a lopsided box, with speeds up to `speed`.
static Soil* scatter(int count, Vec3 box, float speed, uint64_t seed)
{
    SoilDef def = soil_def(SOIL_KERNEL_SPLIT, count + 7, RADIUS);
    def.gravity = vec3(0, 0, 0);
    Soil* soil = soil_create(&def);
    BaseRandom r = base_random(seed);
    for (int i = 0; i < count; ++i) {
        Vec3 p = vec3(base_random_range(&r, 0, box.x), base_random_range(&r, 0, box.y),
                      base_random_range(&r, 0, box.z));
        Vec3 v = vec3(base_random_range(&r, -speed, speed), base_random_range(&r, -speed, speed),
                      base_random_range(&r, -speed, speed));
        soil_spawn(soil, p, v, base_random_range(&r, 0.5f * RADIUS, RADIUS), 1000000, 0);
    }
    return soil;
}

static bool lists(Soil* soil, int i, int j)
{
    const SoilList* list = soil_list(soil);
    int slice = (int)list->lane[i] / SOIL_LANES, lane = (int)list->lane[i] % SOIL_LANES;
    for (int n = 0; n < list->length[slice]; ++n) {
        if (soil_neighbour(list, list->start[slice] + (size_t)n, lane) == j) {
            return true;
        }
    }
    return false;
}

// now, or at the interval's end: closer than the radii and the margin
static bool should_list(Soil* soil, int i, int j)
{
    const SoilArrays* a = soil_arrays(soil);
    float x = a->qx[j] - a->qx[i], y = a->qy[j] - a->qy[i], z = a->qz[j] - a->qz[i];
    float limit = (a->radius[j] + a->radius[i]) + soil_margin(soil);
    return x * x + y * y + z * z < limit * limit;
}

static void check_against_brute_force(Soil* soil)
{
    for (int i = 0; i < soil->state.count; ++i) {
        for (int j = 0; j < soil->state.count; ++j) {
            if (i != j && should_list(soil, i, j)) {
                TEST_ASSERT_TRUE(lists(soil, i, j));
            }
            if (i != j && lists(soil, i, j)) {
                TEST_ASSERT_TRUE(lists(soil, j, i));
            }
        }
        TEST_ASSERT_FALSE(lists(soil, i, i));
    }
}

// Every pair that comes near is listed by both grains, on both instruction sets.
static void near_pairs_stand_in_both_lists(void)
{
    const char* const isa[] = {"sse2", "avx2"};
    for (int k = 0; k < 2; ++k) {
        Soil* soil = scatter(413, vec3(0.7f, 0.9f, 0.4f), 0.5f, 7);
        Jobs* jobs = jobs_create(2);
        if (soil_use_isa(soil, isa[k])) {
            soil_step(soil, jobs);
            check_against_brute_force(soil);
        }
        jobs_destroy(jobs);
        soil_destroy(soil);
    }
}

// A thin cloud over kilometres folds the grid; nobody near is missed.
static void a_wide_cloud_folds_and_misses_nobody(void)
{
    Soil* soil = scatter(300, vec3(3000.0f, 2.0f, 4000.0f), 0.0f, 3);
    Jobs* jobs = jobs_create(1);
    for (int i = 0; i < 100; ++i) { // pairs, far from each other
        const SoilState* s = soil_state(soil);
        soil_edit(soil)->px[2 * i + 1] = s->px[2 * i] + 0.03f;
        soil_edit(soil)->py[2 * i + 1] = s->py[2 * i];
        soil_edit(soil)->pz[2 * i + 1] = s->pz[2 * i];
    }
    soil_touch(soil);
    soil_step(soil, jobs);
    TEST_ASSERT_TRUE(soil->grid.folded);
    TEST_ASSERT_TRUE(soil_stats(soil)->slots >= 200);
    check_against_brute_force(soil);
    jobs_destroy(jobs);
    soil_destroy(soil);
}

// Sixty grains in one spot: lists fill up, refusals are symmetric and counted.
static void a_crowd_is_refused_on_both_sides(void)
{
    Soil* soil = scatter(60, vec3(0.05f, 0.05f, 0.05f), 0.0f, 5);
    Jobs* jobs = jobs_create(2);
    soil_step(soil, jobs);
    const SoilStats* stats = soil_stats(soil);
    TEST_ASSERT_TRUE(stats->refused > 0);
    TEST_ASSERT_EQUAL_INT64(60 * 59, stats->refused + stats->slots);
    for (int i = 0; i < soil->state.count; ++i) {
        for (int j = 0; j < soil->state.count; ++j) {
            TEST_ASSERT_EQUAL(lists(soil, i, j), lists(soil, j, i));
        }
    }
    jobs_destroy(jobs);
    soil_destroy(soil);
}

static uint32_t cell_of(Soil* soil, int i)
{
    const SoilArrays* a = soil_arrays(soil);
    const SoilGrid* g = &soil->grid;
    const float q[3] = {a->qx[i], a->qy[i], a->qz[i]};
    int c[3];
    for (int k = 0; k < 3; ++k) {
        c[k] = base_mini((int)((q[k] - g->origin[k]) * g->inverse_cell), g->dim[k] - 1);
    }
    return (uint32_t)((c[2] * g->dim[1] + c[1]) * g->dim[0] + c[0]);
}

// Memory order is (cell, id), whatever the order of birth.
static void grains_are_sorted_by_cell_then_id(void)
{
    Soil* soil = scatter(500, vec3(1.1f, 0.5f, 0.8f), 0.0f, 11);
    Jobs* jobs = jobs_create(3);
    soil_step(soil, jobs);
    for (int i = 1; i < soil->state.count; ++i) {
        uint32_t before = cell_of(soil, i - 1), here = cell_of(soil, i);
        TEST_ASSERT_TRUE(before < here ||
                         (before == here && soil->state.id[i - 1] < soil->state.id[i]));
    }
    jobs_destroy(jobs);
    soil_destroy(soil);
}

// The taken grains are gone, the others keep id, mass and order; the ledger agrees.
static void removal_keeps_the_rest_in_order(void)
{
    Soil* soil = scatter(200, vec3(1.0f, 0.7f, 0.6f), 0.0f, 13);
    Jobs* jobs = jobs_create(2);
    soil_step(soil, jobs);
    uint64_t before = soil_state(soil)->mass_mg, taken = 0;
    for (int i = 0; i < 200; i += 3) {
        taken += soil_remove(soil, i);
        TEST_ASSERT_EQUAL_UINT32(0, soil_remove(soil, i)); // only once
    }
    TEST_ASSERT_EQUAL_UINT64(before - taken, soil_state(soil)->mass_mg);
    soil_step(soil, jobs);
    TEST_ASSERT_EQUAL_INT(133, soil_state(soil)->count);
    uint64_t sum = 0;
    bool seen[200] = {false};
    for (int i = 0; i < soil_state(soil)->count; ++i) {
        sum += soil_state(soil)->mass[i];
        TEST_ASSERT_FALSE(seen[soil_state(soil)->id[i]]);
        seen[soil_state(soil)->id[i]] = true;
    }
    TEST_ASSERT_EQUAL_UINT64(before - taken, sum);
    jobs_destroy(jobs);
    soil_destroy(soil);
}

// A full pool refuses, says so, and leaves the living grains alone.
static void spawn_refuses_when_full(void)
{
    SoilDef def = soil_def(SOIL_KERNEL_SPLIT, 5, RADIUS);
    Soil* soil = soil_create(&def);
    for (int i = 0; i < 5; ++i) {
        TEST_ASSERT_TRUE(soil_spawn(soil, vec3((float)i, 0, 0), vec3(0, 0, 0), RADIUS, 10, 0));
    }
    TEST_ASSERT_FALSE(soil_spawn(soil, vec3(9, 0, 0), vec3(0, 0, 0), RADIUS, 10, 0));
    TEST_ASSERT_EQUAL_UINT64(50, soil_state(soil)->mass_mg);
    soil_remove(soil, 2);
    TEST_ASSERT_FALSE(soil_spawn(soil, vec3(9, 0, 0), vec3(0, 0, 0), 2 * RADIUS, 10, 0));
    soil_destroy(soil);
}

// A NaN is found by its bits, and does not take the step down.
static void a_bad_number_is_found(void)
{
    Soil* soil = scatter(50, vec3(1, 1, 1), 0.0f, 17);
    Jobs* jobs = jobs_create(1);
    soil_step(soil, jobs);
    TEST_ASSERT_EQUAL_INT(-1, soil_find_bad(soil));
    uint32_t bits = 0x7fc00000u;
    memcpy(&soil_edit(soil)->py[23], &bits, sizeof bits);
    TEST_ASSERT_EQUAL_INT(23, soil_find_bad(soil));
    soil_touch(soil);
    soil_step(soil, jobs);
    TEST_ASSERT_TRUE(soil_find_bad(soil) >= 0);
    jobs_destroy(jobs);
    soil_destroy(soil);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(near_pairs_stand_in_both_lists);
    RUN_TEST(a_wide_cloud_folds_and_misses_nobody);
    RUN_TEST(a_crowd_is_refused_on_both_sides);
    RUN_TEST(grains_are_sorted_by_cell_then_id);
    RUN_TEST(removal_keeps_the_rest_in_order);
    RUN_TEST(spawn_refuses_when_full);
    RUN_TEST(a_bad_number_is_found);
    return UNITY_END();
}
