// The scene library: what falls stays inside, nothing overlaps at birth, walls can be opened.
#include "lab/lab_scene.h"

#include "unity.h"

#include <math.h>

static Jobs* jobs;

void setUp(void)
{
    jobs = jobs_create(2);
}

void tearDown(void)
{
    jobs_destroy(jobs);
}

// Random layers hold all grains, inside the box, and none overlaps another.
static void drop_does_not_overlap(void)
{
    LabSetup setup = lab_scene_setup(SOIL_KERNEL_SPLIT, 333);
    SoilDef def = lab_scene_def(&setup);
    Soil* soil = soil_create(&def);
    Vec3 low = {-0.4f, 0.0f, -0.5f}, high = {0.5f, 0.0f, 0.7f};
    TEST_ASSERT_TRUE(lab_scene_drop(soil, &setup, low, high, false));
    TEST_ASSERT_EQUAL_INT(333, soil_state(soil)->count);
    TEST_ASSERT_EQUAL_INT64(0, soil_overlap(soil, jobs).contacts);
    const SoilState* s = soil_state(soil);
    for (int i = 0; i < s->count; ++i)
        TEST_ASSERT_TRUE(s->px[i] >= low.x + 0.049f && s->pz[i] <= high.z - 0.049f);
    soil_destroy(soil);
}

// A round drop keeps to its cylinder.
static void drop_can_be_round(void)
{
    LabSetup setup = lab_scene_setup(SOIL_KERNEL_SPLIT, 200);
    SoilDef def = lab_scene_def(&setup);
    Soil* soil = soil_create(&def);
    lab_scene_drop(soil, &setup, vec3(-0.5f, 0, -0.5f), vec3(0.5f, 0, 0.5f), true);
    const SoilState* s = soil_state(soil);
    for (int i = 0; i < s->count; ++i)
        TEST_ASSERT_TRUE(hypotf(s->px[i], s->pz[i]) <= 0.4501f);
    soil_destroy(soil);
}

// Another seed, another heap; the same seed, the same heap.
static void seeds_decide(void)
{
    uint64_t hash[3];
    for (int i = 0; i < 3; ++i) {
        LabSetup setup = lab_scene_setup(SOIL_KERNEL_SPLIT, 150);
        setup.seed = i == 2 ? 9 : 4;
        Soil* soil = lab_scene_bed(&setup, 4, 0.5, jobs);
        hash[i] = soil_hash(soil);
        soil_destroy(soil);
    }
    TEST_ASSERT_EQUAL_HEX64(hash[0], hash[1]);
    TEST_ASSERT_NOT_EQUAL(hash[0], hash[2]);
}

// A bed comes to rest before its time is over, and no grain is lost on the way.
static void bed_comes_to_rest(void)
{
    LabSetup setup = lab_scene_setup(SOIL_KERNEL_SPLIT, 400);
    Soil* soil = lab_scene_bed(&setup, 5, 10.0, jobs);
    TEST_ASSERT_TRUE(lab_scene_kinetic(soil) < LAB_SCENE_REST);
    TEST_ASSERT_TRUE(soil_state(soil)->frame < 600);
    TEST_ASSERT_EQUAL_UINT64(400ull * lab_scene_mass(setup.radius), soil_state(soil)->mass_mg);
    TEST_ASSERT_EQUAL_INT(-1, soil_find_bad(soil));
    soil_destroy(soil);
}

// An opened wall lets the slab out.
static void opened_wall_lets_out(void)
{
    LabSetup setup = lab_scene_setup(SOIL_KERNEL_SPLIT, 500);
    Soil* soil = lab_scene_slab(&setup, 3.0, jobs);
    float length = lab_scene_slab_size(&setup).length, furthest = 0.0f;
    const SoilState* s = soil_state(soil);
    for (int i = 0; i < s->count; ++i)
        TEST_ASSERT_TRUE(s->px[i] < length);
    lab_scene_open(soil, LAB_SLAB_WALL);
    lab_scene_run(soil, jobs, 1.0);
    for (int i = 0; i < s->count; ++i)
        furthest = fmaxf(furthest, s->px[i]);
    TEST_ASSERT_TRUE(furthest > length + setup.radius);
    soil_destroy(soil);
}

// A column is levelled at its height and stands inside its cylinder.
static void column_is_level(void)
{
    LabSetup setup = lab_scene_setup(SOIL_KERNEL_SPLIT, 1);
    LabColumn column = {.radius = 0.5f, .aspect = 1.0f};
    Soil* soil = lab_scene_column(&setup, &column, jobs);
    const SoilState* s = soil_state(soil);
    float top = 0.0f;
    for (int i = 0; i < s->count; ++i) {
        top = fmaxf(top, s->py[i] + s->radius[i]);
        TEST_ASSERT_TRUE(hypotf(s->px[i], s->pz[i]) < 0.5f);
    }
    TEST_ASSERT_FLOAT_WITHIN(0.08f, 0.5f, top);
    soil_destroy(soil);
}

// What falls out of a hopper comes in again on top; its mass never changes.
static void hopper_keeps_its_grains(void)
{
    LabSetup setup = lab_scene_setup(SOIL_KERNEL_SPLIT, 900);
    LabHopper hopper;
    Soil* soil = lab_scene_hopper(&setup, &hopper, 1.2f, 0.5f, jobs);
    uint64_t mass = soil_state(soil)->mass_mg;
    lab_scene_open(soil, LAB_HOPPER_LID);
    int fallen = 0;
    for (int i = 0; i < 120; ++i)
        fallen += lab_scene_hopper_step(soil, &hopper, jobs);
    TEST_ASSERT_TRUE(fallen > 50);
    TEST_ASSERT_EQUAL_UINT64(mass, soil_state(soil)->mass_mg);
    TEST_ASSERT_EQUAL_INT(900, soil_state(soil)->count);
    soil_destroy(soil);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(drop_does_not_overlap);
    RUN_TEST(drop_can_be_round);
    RUN_TEST(seeds_decide);
    RUN_TEST(bed_comes_to_rest);
    RUN_TEST(opened_wall_lets_out);
    RUN_TEST(column_is_level);
    RUN_TEST(hopper_keeps_its_grains);
    return UNITY_END();
}
