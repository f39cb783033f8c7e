// A snapshot is the whole truth: stepping on from it gives the same bits as often as one likes.
#include "scenes/scenes_churn.h"

#include "base/base_hash.h"
#include "base/base_random.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#define BEFORE  40 // frames until the plough is in the thick of it
#define AFTER   4  // frames after the snapshot
#define REPEATS 50

static Jobs* jobs;

void setUp(void)
{
    jobs = jobs_create(2);
}

void tearDown(void)
{
    jobs_destroy(jobs);
}

static void steps(Soil* soil, int count)
{
    for (int i = 0; i < count; ++i) {
        scenes_churn_step(soil, jobs);
    }
}

static void* snapshot_of(const Soil* soil, size_t* size)
{
    *size = soil_snapshot_size(soil);
    void* snapshot = malloc(*size);
    TEST_ASSERT_NOT_NULL(snapshot);
    soil_snapshot_save(soil, snapshot);
    return snapshot;
}

static void restep(SoilKernel kernel)
{
    Soil* soil = scenes_churn_create(kernel);
    steps(soil, BEFORE);
    size_t size;
    void* snapshot = snapshot_of(soil, &size);
    uint64_t start = soil_hash(soil);
    steps(soil, AFTER);
    uint64_t end = soil_hash(soil);
    TEST_ASSERT_TRUE(start != end);

    for (int i = 0; i < REPEATS; ++i) {
        TEST_ASSERT_TRUE(soil_snapshot_load(soil, snapshot, size));
        TEST_ASSERT_EQUAL_HEX64(start, soil_hash(soil));
        steps(soil, AFTER);
        TEST_ASSERT_EQUAL_HEX64(end, soil_hash(soil));
    }
    free(snapshot);
    soil_destroy(soil);
}

// Fifty times from the middle of the churn, at two workers: fifty times the same bits.
static void restepping_repeats_split(void)
{
    restep(SOIL_KERNEL_SPLIT);
}

static void restepping_repeats_p2(void)
{
    restep(SOIL_KERNEL_P2);
}

static void restepping_repeats_gs(void)
{
    restep(SOIL_KERNEL_GS);
}

// Another soil of the same definition, one that has lived already, goes on as the first did.
static void another_soil_takes_it_over(void)
{
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        Soil* soil = scenes_churn_create((SoilKernel)k);
        Soil* other = scenes_churn_create((SoilKernel)k);
        steps(soil, BEFORE);
        steps(other, 7);
        size_t size;
        void* snapshot = snapshot_of(soil, &size);
        TEST_ASSERT_TRUE(soil_snapshot_load(other, snapshot, size));
        TEST_ASSERT_EQUAL_HEX64(soil_hash(soil), soil_hash(other));
        steps(soil, AFTER);
        steps(other, AFTER);
        TEST_ASSERT_EQUAL_HEX64(soil_hash(soil), soil_hash(other));
        TEST_ASSERT_EQUAL_UINT64(soil_state(soil)->mass_mg, soil_state(other)->mass_mg);
        free(snapshot);
        soil_destroy(other);
        soil_destroy(soil);
    }
}

// Saving looks and does not touch.
static void saving_changes_nothing(void)
{
    Soil* soil = scenes_churn_create(SOIL_KERNEL_SPLIT);
    Soil* other = scenes_churn_create(SOIL_KERNEL_SPLIT);
    size_t size;
    for (int i = 0; i < 10; ++i) {
        free(snapshot_of(soil, &size));
        steps(soil, 1);
        steps(other, 1);
    }
    TEST_ASSERT_EQUAL_HEX64(soil_hash(other), soil_hash(soil));
    soil_destroy(other);
    soil_destroy(soil);
}

// A snapshot of another kernel, a short one and an empty one are refused, and nothing changes.
static void strangers_are_refused(void)
{
    Soil* soil = scenes_churn_create(SOIL_KERNEL_SPLIT);
    Soil* stranger = scenes_churn_create(SOIL_KERNEL_P2);
    steps(soil, 5);
    steps(stranger, 5);
    size_t size, strange_size;
    void* snapshot = snapshot_of(soil, &size);
    void* strange = snapshot_of(stranger, &strange_size);
    steps(soil, 1);
    uint64_t hash = soil_hash(soil);
    TEST_ASSERT_FALSE(soil_snapshot_load(soil, strange, strange_size));
    TEST_ASSERT_FALSE(soil_snapshot_load(soil, snapshot, size - 1));
    TEST_ASSERT_FALSE(soil_snapshot_load(soil, snapshot, 3));
    TEST_ASSERT_FALSE(soil_snapshot_load(soil, snapshot, 0));
    TEST_ASSERT_EQUAL_HEX64(hash, soil_hash(soil));
    free(strange);
    free(snapshot);
    soil_destroy(stranger);
    soil_destroy(soil);
}

// Right hashes, a number that nobody saves: refused with nobody left, or it goes on; but nothing is read or
// written where it must not be, which the sanitizers see.
static void forged_numbers_lead_nowhere(void)
{
    static const uint32_t mad[] = {0xffffffffu, 0x7fffffffu, 0x80000000u, 70000u, 0x7f800000u, 0u};
    for (int kernel = 0; kernel < SOIL_KERNEL_COUNT; ++kernel) {
        Soil* soil = scenes_churn_create((SoilKernel)kernel);
        BaseRandom random = base_random(5);
        int refused = 0;
        size_t size;
        steps(soil, 20);
        void* snapshot = snapshot_of(soil, &size);
        unsigned char* forged = malloc(size);
        TEST_ASSERT_NOT_NULL(forged);
        for (int n = 0; n < 300; ++n) {
            // the counts at the beginning one after the other, then anywhere
            size_t word =
                n < 60 ? 8 + (size_t)n / 2 : 8 + base_random_u32(&random) % (size / 4 - 8);
            memcpy(forged, snapshot, size);
            memcpy(forged + 4 * word, &mad[n % 6], 4);
            uint64_t content = base_hash(forged + 32, size - 32, 0);
            memcpy(forged + 24, &content, sizeof content);
            if (!soil_snapshot_load(soil, forged, size)) {
                TEST_ASSERT_EQUAL_INT(0, soil_state(soil)->count);
                ++refused;
            }
            soil_step(soil, jobs);
        }
        TEST_ASSERT_TRUE(refused > 20);
        TEST_ASSERT_TRUE(soil_snapshot_load(soil, snapshot, size));
        soil_step(soil, jobs);
        free(forged);
        free(snapshot);
        soil_destroy(soil);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(restepping_repeats_split);
    RUN_TEST(restepping_repeats_p2);
    RUN_TEST(restepping_repeats_gs);
    RUN_TEST(another_soil_takes_it_over);
    RUN_TEST(saving_changes_nothing);
    RUN_TEST(strangers_are_refused);
    RUN_TEST(forged_numbers_lead_nowhere);
    return UNITY_END();
}
