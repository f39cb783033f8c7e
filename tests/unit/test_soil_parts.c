// Frames in parts: the same soil, and bodies that answer within the frame.
#include "scenes/scenes_churn.h"

#include "unity.h"

#include <stdlib.h>

#define RADIUS 0.05f
#define PARTS  8

void setUp(void) {}
void tearDown(void) {}

static Jobs* jobs;

static void frame(Soil* soil, int parts)
{
    soil_begin(soil, jobs, parts);
    for (int part = 0; part < parts; ++part) {
        soil_part(soil, jobs);
    }
    soil_end(soil);
}

// Where nobody changes his mind between the parts, grains fare to the last bit as in whole frames.
static void parts_make_the_frame(void)
{
    uint64_t hash[3];
    const int parts[3] = {1, 4, 8};
    for (int k = 0; k < 3; ++k) {
        SoilDef def = scenes_churn_def(SOIL_KERNEL_SPLIT);
        Soil* soil = soil_create(&def);
        SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.5f);
        soil_add_boundary(soil, &floor);
        BaseRandom random = base_random(7);
        for (int i = 0; i < 90; ++i) {
            Vec3 at =
                vec3(base_random_range(&random, 0.0f, 0.5f), base_random_range(&random, 0.1f, 1.5f),
                     base_random_range(&random, 0.0f, 0.4f));
            float r = scenes_churn_radius(i);
            soil_spawn(soil, at, vec3(0, 0, 0), r, scenes_churn_mass(r), i % 2);
        }
        for (int f = 0; f < 90; ++f) {
            frame(soil, parts[k]);
        }
        hash[k] = soil_hash(soil);
        soil_destroy(soil);
    }
    TEST_ASSERT_EQUAL_HEX64(hash[0], hash[1]);
    TEST_ASSERT_EQUAL_HEX64(hash[0], hash[2]);
}

static int plate_surface(const void* context, const SoilGrain* grain, float reach, SoilSurface* out,
                         int max)
{
    const Soil* const* soil = context;
    const SoilBoundary* b = soil_pose(*soil, 0);
    Vec3 center = grain->center;
    float radius = grain->radius;
    Vec3 normal = quat_rotate(b->rotation, vec3(0.0f, 1.0f, 0.0f));
    float height = vec3_dot(normal, vec3_sub(center, b->position));
    if (max < 1 || height > radius + reach) {
        return 0;
    }
    out[0] = (SoilSurface){.point = vec3_mad(center, normal, -height), .normal = normal};
    Vec3 arm = vec3_sub(out[0].point, b->position);
    out[0].velocity = vec3_add(b->velocity, vec3_cross(b->spin, arm));
    return 1;
}

// A plate of 40 kg falls on twenty grains that lie on a floor, and is carried by them: what the
// parts report is what holds it, and their sum is what the frame reports.
static void a_driven_plate_is_carried_by_what_the_parts_report(void)
{
    SoilDef def = soil_def(SOIL_KERNEL_SPLIT, 64, RADIUS);
    Soil* soil = soil_create(&def);
    SoilBoundary plate = {.shape = SOIL_SHAPE_FUNCTION,
                          .position = {0.0f, 0.25f, 0.0f},
                          .rotation = {1.0f, 0.0f, 0.0f, 0.0f}, // facing down
                          .driven = true,
                          .extent = 1.0f,
                          .surface = plate_surface,
                          .context = &soil};
    soil_add_boundary(soil, &plate);
    SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.5f);
    soil_add_boundary(soil, &floor);
    for (int i = 0; i < 20; ++i) {
        Vec3 at = vec3(0.12f * (float)(i % 5) - 0.24f, RADIUS, 0.12f * (float)(i / 5) - 0.18f);
        soil_spawn(soil, at, vec3(0, 0, 0), RADIUS, 1000000, 0);
    }
    const float mass = 40.0f, h = def.dt / PARTS;
    float y = plate.position.y, v = 0.0f;
    double carried = 0.0;
    float then = 0.0f; // m, its height when it has come to rest
    for (int f = 0; f < 240; ++f) {
        double frame_impulse = 0.0;
        soil_begin(soil, jobs, PARTS);
        for (int part = 0; part < PARTS; ++part) {
            soil_drive(soil, 0, vec3(0.0f, y, 0.0f), plate.rotation, vec3(0.0f, v, 0.0f),
                       vec3(0.0f, 0.0f, 0.0f));
            soil_part(soil, jobs);
            double force = soil_part_reaction(soil, 0)->force[1];
            frame_impulse += force * (double)h;
            y += v * h;
            v += h * ((float)force / mass - 9.81f);
        }
        soil_end(soil);
        double told = soil_reaction(soil, 0)->force[1] * (double)def.dt;
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, (float)frame_impulse, (float)told);
        carried += f >= 180 ? frame_impulse : 0.0;
        then = f == 180 ? y : then;
    }
    TEST_ASSERT_FLOAT_WITHIN(0.01f, 1.0f, (float)(carried / (40.0 * 9.81)));
    // the fall of 1.7 m/s squeezed the grains, for a plate is not moved by overlaps; then all is still
    TEST_ASSERT_FLOAT_WITHIN(0.005f, 2.0f * RADIUS, y);
    TEST_ASSERT_FLOAT_WITHIN(2e-5f, then, y);
    TEST_ASSERT_FLOAT_WITHIN(0.01f, 0.0f, v);
    soil_destroy(soil);
}

// A wall that turns as it goes drives grains before it, and none comes behind it.
static void a_turning_plate_keeps_grains_on_their_side(void)
{
    SoilDef def = soil_def(SOIL_KERNEL_SPLIT, 64, RADIUS);
    Soil* soil = soil_create(&def);
    SoilBoundary plate = {.shape = SOIL_SHAPE_FUNCTION,
                          .rotation = {0.0f, 0.0f, -0.70710678f, 0.70710678f}, // facing +x
                          .driven = true,
                          .extent = 1.0f,
                          .surface = plate_surface,
                          .context = &soil};
    soil_add_boundary(soil, &plate);
    SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.2f);
    soil_add_boundary(soil, &floor);
    for (int i = 0; i < 30; ++i) {
        Vec3 at = vec3(0.11f * (float)(i % 6) + 0.1f, RADIUS, 0.11f * (float)(i / 6) - 0.3f);
        soil_spawn(soil, at, vec3(0, 0, 0), RADIUS, 1000000, 0);
    }
    Vec3 at = {0.0f, 0.0f, 0.0f};
    Quat q = plate.rotation;
    for (int f = 0; f < 120; ++f) {
        soil_begin(soil, jobs, PARTS);
        for (int part = 0; part < PARTS; ++part) {
            // quickly to and fro, and always turning
            Vec3 v = vec3((f / 15) % 2 == 0 ? 1.5f : -0.5f, 0.0f, 0.0f);
            soil_drive(soil, 0, at, q, v, vec3(0.0f, 0.4f, 0.0f));
            soil_part(soil, jobs);
            at = soil_pose(soil, 0)->position;
            q = soil_pose(soil, 0)->rotation;
        }
        soil_end(soil);
    }
    const SoilState* s = soil_state(soil);
    Vec3 normal = quat_rotate(q, vec3(0.0f, 1.0f, 0.0f));
    for (int i = 0; i < s->count; ++i) {
        Vec3 arm = vec3_sub(vec3(s->px[i], s->py[i], s->pz[i]), at);
        TEST_ASSERT_TRUE(vec3_dot(arm, normal) > 0.8f * RADIUS);
    }
    soil_destroy(soil);
}

// Ten substeps in at least four parts: five of two, so that none is longer than a quarter; thirteen
// do not divide, and the lengths of their parts say so.
static void parts_tell_how_long_they_are(void)
{
    const int substeps[3] = {8, 10, 13}, parts[3] = {4, 5, 5};
    for (int k = 0; k < 3; ++k) {
        SoilDef def = soil_def(SOIL_KERNEL_SPLIT, 16, RADIUS);
        def.substeps = substeps[k];
        Soil* soil = soil_create(&def);
        TEST_ASSERT_EQUAL_INT(parts[k], soil_parts(soil, 4));
        double sum = 0.0;
        soil_begin(soil, jobs, parts[k]);
        for (int part = 0; part < parts[k]; ++part) {
            double seconds = soil_part_seconds(soil);
            TEST_ASSERT_TRUE(seconds <= 0.2501 * (double)def.dt);
            sum += seconds;
            soil_part(soil, jobs);
        }
        soil_end(soil);
        TEST_ASSERT_FLOAT_WITHIN(1e-7f, def.dt, (float)sum);
        soil_destroy(soil);
    }
}

int main(void)
{
    jobs = jobs_create(2);
    UNITY_BEGIN();
    RUN_TEST(parts_make_the_frame);
    RUN_TEST(a_driven_plate_is_carried_by_what_the_parts_report);
    RUN_TEST(a_turning_plate_keeps_grains_on_their_side);
    RUN_TEST(parts_tell_how_long_they_are);
    jobs_destroy(jobs);
    return UNITY_END();
}
