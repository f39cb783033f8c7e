// Slopes, fronts and heights on heaps that were built to measure.
#include "base/base_random.h"
#include "lab/lab_measure.h"

#include "unity.h"

#include <math.h>
#include <stdlib.h>

#define RADIUS 0.05f
#define MOST   60000

static float px[MOST], py[MOST], pz[MOST], radius[MOST];
static uint32_t mass[MOST];
static SoilState heap = {.px = px, .py = py, .pz = pz, .radius = radius, .mass = mass};
static LabProfile profile;

void setUp(void)
{
    heap.count = 0;
}

void tearDown(void) {}

static void put(float x, float y, float z)
{
    int i = heap.count++;
    TEST_ASSERT_TRUE(i < MOST);
    px[i] = x, py[i] = y, pz[i] = z, radius[i] = RADIUS, mass[i] = 1000;
}

// Random grains, as dense as a poured bed, everywhere below surface(x, z).
static void fill(float reach_x, float reach_z, float top, float (*surface)(float, float))
{
    BaseRandom random = base_random(7);
    double volume = 4.0 * (double)(reach_x * reach_z * top);
    int tries = (int)(0.56 * volume / (4.0 / 3.0 * 3.14159 * 0.05 * 0.05 * 0.05));
    for (int i = 0; i < tries; ++i) {
        float x = base_random_range(&random, -reach_x, reach_x);
        float y = base_random_range(&random, 0.0f, top);
        float z = base_random_range(&random, -reach_z, reach_z);
        if (y + RADIUS < surface(x, z))
            put(x, y, z);
    }
}

static double tangent;

static float cone(float x, float z)
{
    return 1.5f - (float)tangent * sqrtf(x * x + z * z);
}

static float wedge(float x, float z)
{
    (void)z;
    return x < 1.0f ? 1.5f : 1.5f - (float)tangent * (x - 1.0f);
}

static float slab(float x, float z)
{
    (void)z;
    return x < 2.0f ? 1.5f : 0.0f;
}

static float disc(float x, float z)
{
    return x * x + z * z < 4.0f ? 0.5f : 0.0f;
}

// A cone of known angle is measured to a degree.
static void cone_angle_is_found(void)
{
    for (double angle = 20.0; angle < 41.0; angle += 10.0) {
        setUp();
        tangent = tan(angle * BASE_DEG);
        fill(4.2f, 4.2f, 1.5f, cone);
        LabSlope slope = lab_measure_cone(&heap, RADIUS, &profile);
        TEST_ASSERT_DOUBLE_WITHIN(1.0, angle, slope.degrees);
    }
}

// The axis of a cone need not be the origin.
static void cone_is_found_off_the_origin(void)
{
    tangent = tan(30.0 * BASE_DEG);
    fill(2.7f, 2.7f, 1.5f, cone);
    for (int i = 0; i < heap.count; ++i)
        px[i] += 3.0f, pz[i] -= 1.0f;
    LabSlope slope = lab_measure_cone(&heap, RADIUS, &profile);
    TEST_ASSERT_DOUBLE_WITHIN(0.1, 3.0, slope.center_x);
    TEST_ASSERT_DOUBLE_WITHIN(0.1, -1.0, slope.center_z);
    TEST_ASSERT_DOUBLE_WITHIN(1.0, 30.0, slope.degrees);
}

// A wedge of known angle is measured to a degree, whatever stands behind it.
static void wedge_angle_is_found(void)
{
    for (double angle = 15.0; angle < 61.0; angle += 15.0) {
        setUp();
        tangent = tan(angle * BASE_DEG);
        fill(7.0f, 0.5f, 1.5f, wedge);
        LabSlope slope = lab_measure_wedge(&heap, RADIUS, 1.0f, &profile);
        TEST_ASSERT_DOUBLE_WITHIN(1.0, angle, slope.degrees);
    }
}

// A heap that has not moved has not turned; one that sank by a tenth is flatter by its tangent.
static void the_same_stretch_is_measured_again(void)
{
    tangent = tan(30.0 * BASE_DEG);
    fill(7.0f, 0.5f, 1.5f, wedge);
    LabSlope slope = lab_measure_wedge(&heap, RADIUS, 1.0f, &profile);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, slope.degrees, lab_measure_again(&profile, &slope));
    for (int i = 0; i < profile.count; ++i)
        profile.height[i] *= 0.9;
    double sunk = tan(lab_measure_again(&profile, &slope) * BASE_DEG);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.9 * tan(slope.degrees * BASE_DEG), sunk);
}

// An upright face reads as steep, not as level ground.
static void cliff_is_steep(void)
{
    fill(2.2f, 0.5f, 1.5f, slab);
    TEST_ASSERT_TRUE(lab_measure_wedge(&heap, RADIUS, 1.0f, &profile).degrees > 70.0);
}

// Removed grains and an empty state are no heap.
static void nothing_has_no_slope(void)
{
    TEST_ASSERT_EQUAL_DOUBLE(0.0, lab_measure_wedge(&heap, RADIUS, 1.0f, &profile).degrees);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, lab_measure_cone(&heap, RADIUS, &profile).degrees);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, lab_measure_front(&heap, RADIUS));
    fill(2.2f, 0.5f, 1.5f, slab);
    for (int i = 0; i < heap.count; ++i)
        mass[i] = 0;
    TEST_ASSERT_EQUAL_INT(0, lab_measure_wedge(&heap, RADIUS, 1.0f, &profile).points);
}

// The front is the edge of the deposit; a stray far away does not move it.
static void front_ignores_strays(void)
{
    fill(2.2f, 2.2f, 0.6f, disc);
    double front = lab_measure_front(&heap, RADIUS);
    TEST_ASSERT_DOUBLE_WITHIN(0.06, 2.0, front);
    put(9.0f, RADIUS, 0.0f);
    TEST_ASSERT_EQUAL_DOUBLE(front, lab_measure_front(&heap, RADIUS));
}

// The summit is the height over the axis, whatever lies around or below.
static void summit_is_the_middle(void)
{
    for (int i = 0; i < 400; ++i) {
        float x = 0.1f * (float)(i % 20 - 10) + 0.05f, z = 0.1f * (float)(i / 20 - 10) + 0.05f;
        bool middle = fabsf(x) < 0.2f && fabsf(z) < 0.2f;
        put(x, middle ? 0.4f : 0.7f, z);
        put(x, 0.1f, z);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.45, lab_measure_summit(&heap, RADIUS));
}

// A straight line is found exactly; one point has no slope.
static void lines_are_fitted(void)
{
    double x[4] = {0, 1, 2, 5}, y[4] = {3, 1, -1, -7}, offset, slope;
    TEST_ASSERT_TRUE(lab_measure_line(x, y, 4, &offset, &slope));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3.0, offset);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -2.0, slope);
    TEST_ASSERT_FALSE(lab_measure_line(x, y, 1, &offset, &slope));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(cone_angle_is_found);
    RUN_TEST(cone_is_found_off_the_origin);
    RUN_TEST(wedge_angle_is_found);
    RUN_TEST(the_same_stretch_is_measured_again);
    RUN_TEST(cliff_is_steep);
    RUN_TEST(nothing_has_no_slope);
    RUN_TEST(front_ignores_strays);
    RUN_TEST(summit_is_the_middle);
    RUN_TEST(lines_are_fitted);
    return UNITY_END();
}
