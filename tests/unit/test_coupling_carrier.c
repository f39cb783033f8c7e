// Grains that ride along freeze, weigh what they weighed, and thaw when anything stirs them.
#include "scenes/scenes_bucket.h"
#include "unity.h"

#include <math.h>
#include <stdlib.h>

#define RADIUS 0.05f
#define GRAINS 120

static Jobs* jobs;
static Soil* soil;
static Terrain* terrain;
static Coupling* coupling;
static ScenesBucket bucket;
static int carrier;

static SoilBoundary* body(void)
{
    return soil_boundary(soil, bucket.boundary);
}

static void make(int capacity)
{
    float degree = (float)BASE_DEG;
    TerrainDef ground = terrain_def(40, 50);
    ground.material_count = 2;
    ground.material[0] = terrain_material(1800, 1600, 34 * degree, 0, 30 * degree);
    ground.material[1] = terrain_material(1950, 1560, 15 * degree, 40000, 35 * degree);
    terrain = terrain_create(&ground);
    SoilDef grains = soil_def(SOIL_KERNEL_SPLIT, capacity, RADIUS);
    grains.material_count = 2;
    grains.material[1] = grains.material[0];
    soil = soil_create(&grains);
    CouplingDef def = coupling_def(RADIUS);
    def.reserve = 4;
    coupling = coupling_create(&def, soil, terrain);
    TEST_ASSERT_NOT_NULL(coupling);
    for (int cell = 0; cell < 40 * 50; ++cell) {
        TEST_ASSERT_TRUE(terrain_lay_depth(terrain, cell, 1, 0.3f));
    }
    bool made = scenes_bucket_make(&bucket, soil, vec3(2.0f, 1.0f, 2.5f), vec3(0.4f, 0.3f, 0.5f));
    TEST_ASSERT_TRUE(made);
    CouplingCarrierDef box = scenes_bucket_carrier(&bucket);
    carrier = coupling_add_carrier(coupling, &box);
    TEST_ASSERT_EQUAL_INT(0, carrier);
}

static void step(int count)
{
    for (int k = 0; k < count; ++k) {
        soil_step(soil, jobs);
        coupling_step(coupling, jobs);
        terrain_settle(terrain, jobs);
        TEST_ASSERT_TRUE(coupling_balanced(coupling));
    }
}

static int living(void)
{
    return soil_state(soil)->count - soil_state(soil)->dead;
}

static int frozen(void)
{
    return coupling_carrier_grains(coupling, carrier);
}

// Two soils, poured and left until they rest.
static void fill(int count)
{
    Vec3 p = body()->position;
    for (int k = 0; k < count; ++k) {
        Vec3 at = vec3(p.x + 0.12f * (float)(k % 5 - 2) + 0.01f * (float)(k * 7 % 5 - 2),
                       p.y + 0.08f + 0.12f * (float)(k / 35),
                       p.z + 0.12f * (float)(k / 5 % 7 - 3) + 0.01f * (float)(k * 3 % 5 - 2));
        TEST_ASSERT_TRUE(coupling_pour(coupling, at, vec3(0, 0, 0), k % 3 == 0));
    }
    step(90);
}

static void move(float vx, float vy, int frames)
{
    body()->velocity = vec3(vx, vy, 0.0f);
    step(frames);
}

// Filled, and lifted until all of it is frozen.
static void lift(int count)
{
    make(1000);
    fill(count);
    for (int k = 1; k <= 10; ++k) {
        move(0.0f, 0.03f * (float)k, 1);
    }
    step(60);
    TEST_ASSERT_EQUAL_INT(count, frozen());
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

// Where a bucket stands in a heap, soil lies on the ground and not in the bucket.
static void what_lies_on_the_ground_does_not_freeze(void)
{
    make(1000);
    bucket.half.y = 0.0f; // walls and floor away
    body()->position = vec3(2.0f, -1.0f, 2.5f);
    Vec3 p = vec3(2.0f, 0.3f + RADIUS, 2.5f);
    // again, with a box that reaches into the ground; the soil keeps a boundary that nobody answers for
    soil_boundary(soil, coupling_ground(coupling))->shape = SOIL_SHAPE_NONE;
    coupling_destroy(coupling);
    CouplingDef def = coupling_def(RADIUS);
    coupling = coupling_create(&def, soil, terrain);
    CouplingCarrierDef box = {bucket.boundary, vec3(-1, 0, -1), vec3(1, 3, 1)};
    carrier = coupling_add_carrier(coupling, &box);
    for (int k = 0; k < 9; ++k) {
        Vec3 at = vec3(p.x + 0.15f * (float)(k % 3 - 1), p.y, p.z + 0.15f * (float)(k / 3 - 1));
        TEST_ASSERT_TRUE(coupling_pour(coupling, at, vec3(0, 0, 0), 0));
    }
    step(120);
    TEST_ASSERT_EQUAL_UINT64(0, coupling_ledger(coupling)->freezes);
    TEST_ASSERT_EQUAL_INT(0, living());
    TEST_ASSERT_EQUAL_UINT64(9, coupling_ledger(coupling)->returns);
}

static void what_rides_along_freezes_and_keeps_its_weight(void)
{
    lift(GRAINS);
    TEST_ASSERT_EQUAL_INT(0, living());
    uint64_t clay = 40ull * coupling_grain_mass(coupling, 1),
             sand = 80ull * coupling_grain_mass(coupling, 0);
    TEST_ASSERT_EQUAL_UINT64(clay, coupling_ledger(coupling)->frozen.of[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1e-6 * (double)(clay + sand),
                              coupling_carrier_mass(coupling, carrier));
    TEST_ASSERT_TRUE(coupling_audit(coupling));
    Vec3 middle = coupling_carrier_center(coupling, carrier);
    TEST_ASSERT_FLOAT_WITHIN(0.06f, 0.0f, middle.x);
    TEST_ASSERT_FLOAT_WITHIN(0.06f, 0.0f, middle.z);
    TEST_ASSERT_TRUE(middle.y > 0.05f && middle.y < 0.3f);
}

// The picture finds every grain in the bucket, wherever that has gone.
static void frozen_grains_follow_the_body(void)
{
    lift(GRAINS);
    Vec3 before[GRAINS], from = body()->position;
    for (int k = 0; k < GRAINS; ++k) {
        before[k] = coupling_carrier_rider(coupling, carrier, k).position;
    }
    step(30);
    Vec3 way = vec3_sub(body()->position, from);
    TEST_ASSERT_TRUE(way.y > 0.1f);
    for (int k = 0; k < GRAINS; ++k) {
        CouplingRider rider = coupling_carrier_rider(coupling, carrier, k);
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, before[k].y + way.y, rider.position.y);
        TEST_ASSERT_EQUAL_FLOAT(RADIUS, rider.radius);
    }
}

static void a_tilt_thaws_and_empties(void)
{
    lift(GRAINS);
    body()->velocity = vec3(0, 0, 0);
    body()->spin = vec3(0.0f, 0.0f, 0.9f);
    step(20); // 17 degrees
    TEST_ASSERT_EQUAL_INT(0, frozen());
    TEST_ASSERT_EQUAL_INT(GRAINS, living());
    step(150);
    body()->spin = vec3(0, 0, 0);
    step(400);
    TEST_ASSERT_EQUAL_INT(0, frozen());
    TEST_ASSERT_EQUAL_INT(0, living()); // all on the ground, and part of it
    TEST_ASSERT_TRUE(coupling_audit(coupling));
}

static void a_jerk_thaws(void)
{
    lift(GRAINS);
    move(0.0f, -0.9f, 3); // 70 m/s2 downwards: the load is left behind
    TEST_ASSERT_EQUAL_INT(0, frozen());
    TEST_ASSERT_EQUAL_INT(GRAINS, living());
    TEST_ASSERT_TRUE(coupling_audit(coupling));
}

// A steady ride stirs nothing, a soft start neither.
static void a_gentle_drive_keeps_it(void)
{
    lift(GRAINS);
    uint64_t thaws = coupling_ledger(coupling)->thaws;
    for (int k = 1; k <= 60; ++k) {
        move(0.01f * (float)k, 0.3f, 1); // 0.6 m/s2
    }
    step(30);
    TEST_ASSERT_EQUAL_INT(GRAINS, frozen());
    TEST_ASSERT_EQUAL_UINT64(thaws, coupling_ledger(coupling)->thaws);
}

// N on the bucket by its grains over their weight, in the last frame.
static double weight(void)
{
    double kg = 1e-6 * (double)soil_state(soil)->mass_mg;
    return -soil_reaction(soil, bucket.boundary)->force[1] / (9.81 * kg);
}

// What held the load up is remembered over the ride: it does not fall when it wakes, and rings no
// more than it did in the last frames before it froze.
static void a_thawed_load_weighs_what_it_did(void)
{
    make(1000);
    fill(GRAINS);
    for (int k = 1; k <= 10; ++k) {
        move(0.0f, 0.03f * (float)k, 1);
    }
    double rang[16] = {0.0}, most = 0.0;
    for (int k = 0; frozen() == 0; ++k) {
        TEST_ASSERT_LESS_THAN(100, k);
        step(1);
        rang[k % 16] = frozen() == 0 ? fabs(weight() - 1.0) : 0.0;
    }
    for (int k = 0; k < 16; ++k) {
        most = rang[k] > most ? rang[k] : most;
    }
    step(7);
    coupling_carrier_thaw(coupling, carrier);
    for (int k = 0; k < 20; ++k) {
        step(1);
        TEST_ASSERT_EQUAL_INT(0, frozen());
        TEST_ASSERT_DOUBLE_WITHIN(most + 0.02, 1.0, weight());
    }
}

// A world saved while a load rides, or in the moment after it thawed, goes on as if nothing had been.
static void a_restored_load_remembers(void)
{
    lift(GRAINS);
    for (int woken = 0; woken < 2; ++woken) {
        if (woken) {
            coupling_carrier_thaw(coupling, carrier);
        }
        size_t size = coupling_snapshot_size(coupling);
        void* saved = malloc(size);
        TEST_ASSERT_NOT_NULL(saved);
        coupling_snapshot_save(coupling, saved);
        uint64_t hash[2];
        for (int k = 0; k < 2; ++k) {
            step(woken ? 3 : 2);
            if (!woken) {
                coupling_carrier_thaw(coupling, carrier);
                step(4);
            }
            hash[k] = coupling_hash(coupling);
            TEST_ASSERT_TRUE(coupling_snapshot_load(coupling, saved, size));
        }
        TEST_ASSERT_EQUAL_HEX64(hash[0], hash[1]);
        free(saved);
    }
}

// Whoever falls onto the load thaws it; then all freeze again, together.
static void more_can_be_poured_on_top(void)
{
    lift(GRAINS);
    move(0.0f, 0.0f, 120);
    uint64_t thaws = coupling_ledger(coupling)->thaws;
    Vec3 p = body()->position;
    for (int k = 0; k < 8; ++k) {
        Vec3 at = vec3(p.x + 0.12f * (float)(k % 3 - 1), p.y + 0.55f, p.z + 0.12f * (float)(k / 3));
        TEST_ASSERT_TRUE(coupling_pour(coupling, at, vec3(0, 0, 0), 0));
    }
    step(15);
    TEST_ASSERT_EQUAL_INT(GRAINS + 8, living());
    step(150);
    TEST_ASSERT_EQUAL_INT(GRAINS + 8, frozen());
    TEST_ASSERT_EQUAL_UINT64(thaws + GRAINS, coupling_ledger(coupling)->thaws);
}

// The ground scrapes it off.
static void what_is_pushed_into_the_ground_thaws(void)
{
    lift(GRAINS);
    Vec3 p = body()->position;
    for (int j = 0; j < 50; ++j) {
        for (int i = 0; i < 40; ++i) {
            Vec3 at = terrain_center(terrain, terrain_cell(terrain, i, j));
            uint32_t mg = (uint32_t)terrain_loose_mg(terrain, 0, 0.01 * 0.2);
            for (int k = 0; k < 7 && __builtin_fabsf(at.x - p.x) < 0.2f; ++k) {
                terrain_add_loose(terrain, terrain_cell(terrain, i, j), 0, mg);
            }
        }
    }
    soil_step(soil, jobs);
    coupling_step(coupling, jobs);
    TEST_ASSERT_EQUAL_INT(0, frozen());
    TEST_ASSERT_TRUE(coupling_audit(coupling));
}

// The pool keeps places for the frozen: whoever pours meanwhile is refused, and nothing is lost.
static void a_full_pool_keeps_places_for_the_frozen(void)
{
    lift(GRAINS);
    move(0.0f, 0.0f, 5);
    int poured = 0;
    for (int k = 0; k < 1000; ++k) {
        Vec3 at = vec3(0.4f + 0.11f * (float)(k % 12), 1.5f + 0.11f * (float)(k / 120),
                       0.4f + 0.11f * (float)(k / 12 % 10));
        poured += coupling_pour(coupling, at, vec3(0.0f, 0.0f, 0.0f), 0);
    }
    TEST_ASSERT_EQUAL_INT(1000 - GRAINS, poured);
    coupling_carrier_thaw(coupling, carrier);
    TEST_ASSERT_EQUAL_INT(0, frozen());
    TEST_ASSERT_EQUAL_INT(1000, living());
    TEST_ASSERT_TRUE(coupling_audit(coupling));
    step(600);
    TEST_ASSERT_EQUAL_INT(GRAINS, frozen());
    TEST_ASSERT_EQUAL_INT(0, living());
}

// Thawed before the soil has cleared the places of those that froze: the rest thaws a step later.
static void thawing_waits_for_room(void)
{
    make(GRAINS);
    fill(GRAINS);
    move(0.0f, 0.1f, 1);
    for (int k = 0; k < 200 && frozen() == 0; ++k) {
        step(1);
    }
    TEST_ASSERT_EQUAL_INT(GRAINS, frozen());
    coupling_carrier_thaw(coupling, carrier);
    TEST_ASSERT_EQUAL_INT(GRAINS, frozen() + living());
    TEST_ASSERT_TRUE(coupling_audit(coupling));
    step(1);
    coupling_carrier_thaw(coupling, carrier);
    TEST_ASSERT_EQUAL_INT(GRAINS, living());
    TEST_ASSERT_TRUE(coupling_audit(coupling));
}

// A nearly full pool sends the oldest resting grains to the ground, but none through the steel.
static void the_bucket_is_not_emptied_by_a_full_pool(void)
{
    make(GRAINS);
    fill(GRAINS);
    step(120);
    TEST_ASSERT_EQUAL_INT(GRAINS, frozen() + living());
    TEST_ASSERT_EQUAL_UINT64(0, coupling_ledger(coupling)->evictions);
}

static void too_many_carriers_are_refused(void)
{
    make(100);
    CouplingCarrierDef box = scenes_bucket_carrier(&bucket);
    for (int k = 1; k < COUPLING_CARRIERS_MAX; ++k) {
        TEST_ASSERT_EQUAL_INT(k, coupling_add_carrier(coupling, &box));
    }
    TEST_ASSERT_EQUAL_INT(-1, coupling_add_carrier(coupling, &box));
}

// A snapshot of a bucket in motion gives the very same future, for one worker and for three.
static void a_snapshot_holds_the_load(void)
{
    lift(GRAINS);
    move(0.0f, 0.25f, 30);
    size_t size = coupling_snapshot_size(coupling);
    void* bytes = malloc(size);
    coupling_snapshot_save(coupling, bytes);
    int count = frozen();
    TEST_ASSERT_TRUE(count > 0);
    uint64_t here = coupling_hash(coupling);
    move(1.0f, 0.25f, 20);
    TEST_ASSERT_TRUE(coupling_ledger(coupling)->thaws > 0);
    uint64_t there = coupling_hash(coupling);
    for (int workers = 1; workers <= 3; workers += 2) {
        Jobs* other = jobs_create(workers);
        TEST_ASSERT_TRUE(coupling_snapshot_load(coupling, bytes, size));
        TEST_ASSERT_EQUAL_INT(count, frozen());
        TEST_ASSERT_TRUE(coupling_audit(coupling));
        TEST_ASSERT_EQUAL_HEX64(here, coupling_hash(coupling));
        body()->velocity = vec3(1.0f, 0.25f, 0.0f);
        for (int k = 0; k < 20; ++k) {
            soil_step(soil, other);
            coupling_step(coupling, other);
            terrain_settle(terrain, other);
        }
        TEST_ASSERT_EQUAL_HEX64(there, coupling_hash(coupling));
        jobs_destroy(other);
    }
    ((unsigned char*)bytes)[size - 3] ^= 1;
    TEST_ASSERT_FALSE(coupling_snapshot_load(coupling, bytes, size));
    TEST_ASSERT_EQUAL_HEX64(there, coupling_hash(coupling));
    free(bytes);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(what_lies_on_the_ground_does_not_freeze);
    RUN_TEST(what_rides_along_freezes_and_keeps_its_weight);
    RUN_TEST(frozen_grains_follow_the_body);
    RUN_TEST(a_thawed_load_weighs_what_it_did);
    RUN_TEST(a_restored_load_remembers);
    RUN_TEST(a_tilt_thaws_and_empties);
    RUN_TEST(a_jerk_thaws);
    RUN_TEST(a_gentle_drive_keeps_it);
    RUN_TEST(more_can_be_poured_on_top);
    RUN_TEST(what_is_pushed_into_the_ground_thaws);
    RUN_TEST(a_full_pool_keeps_places_for_the_frozen);
    RUN_TEST(thawing_waits_for_room);
    RUN_TEST(the_bucket_is_not_emptied_by_a_full_pool);
    RUN_TEST(too_many_carriers_are_refused);
    RUN_TEST(a_snapshot_holds_the_load);
    return UNITY_END();
}
