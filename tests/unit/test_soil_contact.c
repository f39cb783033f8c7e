// Unit tests of single contacts, for every kernel: closed forms and conservation.
#include "base/base_random.h"
#include "soil/soil_internal.h"

#include "unity.h"

#include <math.h>

#define RADIUS  0.05f
#define GRAVITY 9.81f

void setUp(void) {}
void tearDown(void) {}

static Jobs* jobs;

static Soil* make(SoilKernel kernel, Vec3 gravity, SoilMaterial material)
{
    SoilDef def = soil_def(kernel, 64, RADIUS);
    def.gravity = gravity;
    if (material.stiffness > 0.0f) {
        def.material[0] = material;
    } else {
        def.material[0].friction_static = material.friction_static;
        def.material[0].friction_kinetic = material.friction_kinetic;
        def.material[0].adhesion = material.adhesion;
    }
    return soil_create(&def);
}

static void run(Soil* soil, int frames)
{
    for (int f = 0; f < frames; ++f) {
        soil_step(soil, jobs);
    }
}

// One grain rests on a plane: the plane carries its weight, at the grain's foot.
static void a_resting_grain_weighs_what_it_weighs(void)
{
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        Soil* soil =
            make((SoilKernel)k, vec3(0, -GRAVITY, 0), (SoilMaterial){.friction_static = 0.3f});
        SoilBoundary floor = soil_plane(vec3(1, 0, 2), vec3(0, 1, 0), 0.3f);
        soil_add_boundary(soil, &floor);
        soil_spawn(soil, vec3(0.25f, RADIUS, 0.5f), vec3(0, 0, 0), RADIUS, 1300000, 0);
        run(soil, 120);
        const SoilReaction* r = soil_reaction(soil, 0);
        TEST_ASSERT_FLOAT_WITHIN(1e-3f, -1.3f * GRAVITY, (float)r->force[1]);
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, 0.25f, (float)r->point[0]);
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, 0.5f, (float)r->point[2]);
        // torque about the plane's position: r x F with r = (-0.75, ., -1.5)
        TEST_ASSERT_FLOAT_WITHIN(2e-2f, -1.5f * 1.3f * GRAVITY, (float)r->torque[0]);
        TEST_ASSERT_FLOAT_WITHIN(2e-2f, 0.75f * 1.3f * GRAVITY, (float)r->torque[2]);
        TEST_ASSERT_EQUAL_INT(1, r->contacts);
        soil_destroy(soil);
    }
}

// Split: the overlap at rest is weight over stiffness, for grain on plane and grain on grain.
static void overlap_at_rest_is_load_over_stiffness(void)
{
    SoilMaterial m = {
        .stiffness = 2.0e4f, .damping = 40.0f, .friction_static = 0.5f, .friction_kinetic = 0.5f};
    Soil* soil = make(SOIL_KERNEL_SPLIT, vec3(0, -GRAVITY, 0), m);
    SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.5f);
    soil_add_boundary(soil, &floor);
    soil_spawn(soil, vec3(0, RADIUS, 0), vec3(0, 0, 0), RADIUS, 1000000, 0);
    soil_spawn(soil, vec3(0, 3 * RADIUS, 0), vec3(0, 0, 0), RADIUS, 1000000, 0);
    run(soil, 240);
    const SoilState* s = soil_state(soil);
    float low = fminf(s->py[0], s->py[1]), high = fmaxf(s->py[0], s->py[1]);
    TEST_ASSERT_FLOAT_WITHIN(2e-6f, RADIUS - 2.0f * GRAVITY / m.stiffness, low);
    TEST_ASSERT_FLOAT_WITHIN(2e-6f, 2 * RADIUS - GRAVITY / m.stiffness, high - low);
    soil_destroy(soil);
}

// Split: a grain that was squeezed between two walls, one of which gives way by a few millimetres, does not
// fly out faster than the wall came. Walls out of touch that take turns were each taken for the only one, and
// threw it to and fro at golden ratio per substep, up to 100 m/s.
static void a_slot_that_opens_does_not_throw_its_grain(void)
{
    const float room[4] = {0.003f, 0.006f, 0.012f, 0.03f}; // m: more than a near miss
    for (int k = 0; k < 4; ++k) {
        for (float speed = 0.02f; speed < 3.0f; speed *= 1.5f) {
            Soil* soil =
                make(SOIL_KERNEL_SPLIT, vec3(0, 0, 0), (SoilMaterial){.friction_static = 0.3f});
            SoilBoundary left = soil_plane(vec3(0, 0, 0), vec3(1, 0, 0), 0.3f);
            SoilBoundary right = soil_plane(vec3(2 * RADIUS, 0, 0), vec3(-1, 0, 0), 0.3f);
            right.velocity = vec3(-speed, 0, 0);
            soil_add_boundary(soil, &left);
            soil_add_boundary(soil, &right);
            soil_spawn(soil, vec3(RADIUS, 0, 0), vec3(0, 0, 0), RADIUS, 1000000, 0);
            run(soil, 2);
            soil_boundary(soil, 1)->velocity = vec3(0, 0, 0);
            soil_boundary(soil, 1)->position = vec3(2 * RADIUS + room[k], 0, 0);
            const SoilState* s = soil_state(soil);
            for (int f = 0; f < 30; ++f) {
                run(soil, 1);
                TEST_ASSERT_TRUE(fabsf(s->vx[0]) < 6.0f * speed);
            }
            TEST_ASSERT_TRUE(fabsf(s->vx[0]) < 1.5f * speed);
            soil_destroy(soil);
        }
    }
}

// A loaded contact creeps to its overlap with the time constant c / k.
static void overlap_creeps_with_c_over_k(void)
{
    SoilMaterial m = {
        .stiffness = 2.0e4f, .damping = 4000.0f, .friction_static = 0.5f, .friction_kinetic = 0.5f};
    Soil* soil = make(SOIL_KERNEL_SPLIT, vec3(0, -GRAVITY, 0), m);
    SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.5f);
    soil_add_boundary(soil, &floor);
    soil_spawn(soil, vec3(0, RADIUS, 0), vec3(0, 0, 0), RADIUS, 1000000, 0);
    run(soil, 24); // 0.4 s = 2 c / k
    float full = GRAVITY / m.stiffness, sunk = RADIUS - soil_state(soil)->py[0];
    TEST_ASSERT_FLOAT_WITHIN(0.02f, 1.0f - expf(-2.0f), sunk / full);
    soil_destroy(soil);
}

// Sliding on a plane slows down by mu g; a grain below the cone does not move at all.
static void friction_is_coulombs(void)
{
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        SoilMaterial m = {.friction_static = 0.4f, .friction_kinetic = 0.4f};
        Soil* soil = make((SoilKernel)k, vec3(0, -GRAVITY, 0), m);
        SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.4f);
        soil_add_boundary(soil, &floor);
        soil_spawn(soil, vec3(0, RADIUS, 0), vec3(0, 0, 0), RADIUS, 1000000, 0);
        run(soil, 60);
        soil_edit(soil)->vx[0] = 3.0f;
        run(soil, 30);
        TEST_ASSERT_FLOAT_WITHIN(0.05f, 3.0f - 0.4f * GRAVITY * 0.5f, soil_state(soil)->vx[0]);
        run(soil, 90);
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, 0.0f, soil_state(soil)->vx[0]);
        soil_destroy(soil);
    }
}

// Static above kinetic friction: a grain that stands on a slope between the two slides on once set
// in motion.
static void static_friction_exceeds_kinetic(void)
{
    float slope = 0.45f; // tan, between 0.3 and 0.6
    Vec3 g =
        vec3(GRAVITY * slope / sqrtf(1 + slope * slope), -GRAVITY / sqrtf(1 + slope * slope), 0);
    Soil* soil = make(SOIL_KERNEL_SPLIT, g, (SoilMaterial){.friction_static = 0.3f});
    SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.0f);
    floor.friction_static = 0.6f, floor.friction_kinetic = 0.3f;
    soil_add_boundary(soil, &floor);
    soil_spawn(soil, vec3(0, RADIUS, 0), vec3(0, 0, 0), RADIUS, 1000000, 0);
    run(soil, 120);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.0f, soil_state(soil)->px[0]);
    soil_edit(soil)->vx[0] = 0.5f;
    run(soil, 60);
    TEST_ASSERT_TRUE(soil_state(soil)->vx[0] > 1.0f);
    soil_destroy(soil);
}

// Adhesion holds a grain under a ceiling up to a A, and no further.
static void adhesion_holds_what_it_can(void)
{
    float area = soil_area_factor(SOIL_ADHESION_OVERLAP) * RADIUS * RADIUS;
    for (int heavy = 0; heavy < 2; ++heavy) {
        Soil* soil =
            make(SOIL_KERNEL_SPLIT, vec3(0, -GRAVITY, 0), (SoilMaterial){.friction_static = 0.3f});
        SoilBoundary ceiling = soil_plane(vec3(0, 1, 0), vec3(0, -1, 0), 0.3f);
        ceiling.adhesion = GRAVITY / area * (heavy ? 0.9f : 1.1f); // for a grain of 1 kg
        soil_add_boundary(soil, &ceiling);
        soil_spawn(soil, vec3(0, 1 - RADIUS, 0), vec3(0, 0, 0), RADIUS, 1000000, 0);
        run(soil, 60);
        bool holds = soil_state(soil)->py[0] > 1 - 1.1f * RADIUS;
        TEST_ASSERT_EQUAL(!heavy, holds);
        soil_destroy(soil);
    }
}

// Two grains of unequal mass collide in the air: momentum stays to some millionths, energy falls.
static void collisions_conserve_momentum(void)
{
    const SoilKernel exact[] = {SOIL_KERNEL_SPLIT, SOIL_KERNEL_GS};
    BaseRandom r = base_random(99);
    for (int trial = 0; trial < 40; ++trial) {
        Soil* soil = make(exact[trial % 2], vec3(0, 0, 0),
                          (SoilMaterial){.friction_static = 0.5f, .friction_kinetic = 0.4f});
        double p0[3] = {0}, e0 = 0, p1[3] = {0}, e1 = 0;
        for (int i = 0; i < 2; ++i) {
            float sign = i ? 1.0f : -1.0f;
            Vec3 x = vec3(sign * 0.1f, base_random_range(&r, -0.02f, 0.02f),
                          base_random_range(&r, -0.02f, 0.02f));
            Vec3 v = vec3(-sign * base_random_range(&r, 0.2f, 3.0f),
                          base_random_range(&r, -0.3f, 0.3f), 0.1f);
            uint32_t mass = 200000u + base_random_u32(&r) % 3000000u;
            soil_spawn(soil, x, v, base_random_range(&r, 0.6f, 1.0f) * RADIUS, mass, 0);
        }
        for (int after = 0; after < 2; ++after) {
            const SoilState* s = soil_state(soil);
            double *p = after ? p1 : p0, *e = after ? &e1 : &e0;
            for (int i = 0; i < 2; ++i) {
                double m = s->mass[i] * 1e-6;
                p[0] += m * (double)s->vx[i], p[1] += m * (double)s->vy[i],
                    p[2] += m * (double)s->vz[i];
                *e += 0.5 * m *
                      (double)(s->vx[i] * s->vx[i] + s->vy[i] * s->vy[i] + s->vz[i] * s->vz[i]);
            }
            if (!after) {
                run(soil, 30);
            }
        }
        for (int a = 0; a < 3; ++a) {
            TEST_ASSERT_FLOAT_WITHIN(3e-5f, (float)p0[a], (float)p1[a]); // of up to 10 kg m/s
        }
        TEST_ASSERT_TRUE(e1 <= e0 * (1 + 1e-6));
        soil_destroy(soil);
    }
}

// A grain at 12 m/s meets another at rest: it does not pass through.
static void fast_grains_do_not_tunnel(void)
{
    for (int phase = 0; phase < 16; ++phase) {
        Soil* soil =
            make(SOIL_KERNEL_SPLIT, vec3(0, 0, 0), (SoilMaterial){.friction_static = 0.3f});
        soil_spawn(soil, vec3(-0.5f - 0.0125f * (float)phase, 0, 0), vec3(12, 0, 0), RADIUS,
                   1000000, 0);
        soil_spawn(soil, vec3(0, 0.01f, 0), vec3(0, 0, 0), RADIUS, 1000000, 0);
        run(soil, 12);
        const SoilState* s = soil_state(soil);
        int fast = s->id[0] == 0 ? 0 : 1;
        TEST_ASSERT_TRUE(s->px[fast] < s->px[1 - fast]);
        TEST_ASSERT_TRUE(s->vx[1 - fast] > 5.0f);
        soil_destroy(soil);
    }
}

// A moving box carries what lies on it by friction; a moving wall pushes with what it needs.
static void boundaries_that_move_take_grains_along(void)
{
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        Soil* soil =
            make((SoilKernel)k, vec3(0, -GRAVITY, 0), (SoilMaterial){.friction_static = 0.3f});
        SoilBoundary box = soil_box(vec3(0, -0.5f, 0), vec3(2, 0.5f, 1), 0.5f);
        box.velocity = vec3(0.3f, 0.1f, 0);
        soil_add_boundary(soil, &box);
        soil_spawn(soil, vec3(0, RADIUS, 0), vec3(0, 0, 0), RADIUS, 1000000, 0);
        run(soil, 120);
        const SoilState* s = soil_state(soil);
        TEST_ASSERT_FLOAT_WITHIN(2e-3f, 0.3f, s->vx[0]);
        TEST_ASSERT_FLOAT_WITHIN(2e-3f, 0.1f, s->vy[0]);
        TEST_ASSERT_FLOAT_WITHIN(2e-3f, RADIUS + 0.2f, s->py[0]);
        soil_destroy(soil);
    }
}

// A box pushes out through its nearest face, and holds a grain on its edge by the right normal.
static void boxes_have_faces_edges_and_insides(void)
{
    Soil* soil = make(SOIL_KERNEL_SPLIT, vec3(0, 0, 0), (SoilMaterial){.friction_static = 0.0f});
    SoilBoundary box = soil_box(vec3(0, 0, 0), vec3(0.3f, 0.2f, 0.4f), 0.0f);
    soil_add_boundary(soil, &box);
    soil_spawn(soil, vec3(0.05f, 0.17f, 0.02f), vec3(0, 0, 0), RADIUS, 1000000,
               0); // inside, near the top
    soil_spawn(soil, vec3(0.32f, 0.22f, 0), vec3(0, 0, 0), RADIUS, 1000000, 0); // overlaps the edge
    run(soil, 30);
    const SoilState* s = soil_state(soil);
    for (int i = 0; i < 2; ++i) {
        if (s->id[i] == 0) {
            TEST_ASSERT_TRUE(s->py[i] > 0.2f && fabsf(s->px[i] - 0.05f) < 1e-4f);
        } else {
            float dx = s->px[i] - 0.3f, dy = s->py[i] - 0.2f;
            TEST_ASSERT_FLOAT_WITHIN(1e-4f, dx, dy);
            TEST_ASSERT_FLOAT_WITHIN(2e-3f, RADIUS, sqrtf(dx * dx + dy * dy));
        }
    }
    soil_destroy(soil);
}

// Eqs. 21 and 28: n iterations with the primed factors equal one with the plain ones.
static void factors_do_not_depend_on_the_iterations(void)
{
    for (int n = 1; n <= 40; ++n) {
        float k1, c1, k, c;
        soil_factors(1000.0f, 100.0f, 1.0f, 1.0f / 60.0f, 1, &k1, &c1);
        soil_factors(1000.0f, 100.0f, 1.0f, 1.0f / 60.0f, n, &k, &c);
        double p = -0.02, x = 0.013, want = p - (double)k1 * p - (double)c1 * (p - x);
        for (int i = 0; i < n; ++i) {
            p = p - (double)k * p - (double)c * (p - x);
        }
        TEST_ASSERT_FLOAT_WITHIN(2e-9f, (float)want, (float)p);
    }
}

// A heap of so many metres has more layers of small grains, and needs more sweeps.
static void small_grains_get_more_substeps(void)
{
    const float radius[] = {0.005f, 0.03f, 0.04f, 0.05f, 0.06f, 1.0f};
    const int substeps[] = {16, 13, 10, 8, 8, 8};
    for (int i = 0; i < 6; ++i) {
        TEST_ASSERT_EQUAL(substeps[i], soil_def(SOIL_KERNEL_SPLIT, 1, radius[i]).substeps);
        TEST_ASSERT_EQUAL(1, soil_def(SOIL_KERNEL_P2, 1, radius[i]).substeps);
    }
}

int main(void)
{
    jobs = jobs_create(2);
    UNITY_BEGIN();
    RUN_TEST(a_resting_grain_weighs_what_it_weighs);
    RUN_TEST(overlap_at_rest_is_load_over_stiffness);
    RUN_TEST(a_slot_that_opens_does_not_throw_its_grain);
    RUN_TEST(overlap_creeps_with_c_over_k);
    RUN_TEST(friction_is_coulombs);
    RUN_TEST(static_friction_exceeds_kinetic);
    RUN_TEST(adhesion_holds_what_it_can);
    RUN_TEST(collisions_conserve_momentum);
    RUN_TEST(fast_grains_do_not_tunnel);
    RUN_TEST(boundaries_that_move_take_grains_along);
    RUN_TEST(boxes_have_faces_edges_and_insides);
    RUN_TEST(factors_do_not_depend_on_the_iterations);
    RUN_TEST(small_grains_get_more_substeps);
    int failures = UNITY_END();
    jobs_destroy(jobs);
    return failures;
}
