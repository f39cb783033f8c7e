// Steel that nothing passes, by random ways against a second, slower calculation.
#include "coupling/coupling_hold.h"

#include "base/base_random.h"
#include "unity.h"

#include <math.h>

void setUp(void) {}
void tearDown(void) {}

#define RADIUS 0.04f
#define WAYS   20000

// A bucket of four pieces with cheeks, a box as of a stick and a capsule as of a cylinder.
static float outline[10] = {1.4f, 0.1f, 1.1f, 0.8f, 0.5f, 0.9f, 0.0f, 0.6f, -0.05f, 0.2f};

static void make(CouplingSteel* steel, MachineShape shapes[5])
{
    memset(shapes, 0, 5 * sizeof *shapes);
    for (int n = 0; n < 3; ++n) {
        shapes[n].grains = true;
        shapes[n].outline = outline;
        shapes[n].outline_count = 10;
        shapes[n].thickness = n == 0 ? 0.02f : 0.03f;
    }
    shapes[0].kind = MACHINE_SHELL, shapes[0].half_width = 0.5f;
    shapes[1].kind = shapes[2].kind = MACHINE_CHEEK;
    shapes[1].z = -0.515f, shapes[2].z = 0.515f;
    shapes[3] = (MachineShape){.kind = MACHINE_BOX, .grains = true, .turn = 0.4f};
    shapes[3].center = vec3(0.2f, 1.4f, 0.1f), shapes[3].half = vec3(0.3f, 0.05f, 0.2f);
    shapes[4] = (MachineShape){.kind = MACHINE_CAPSULE, .grains = true, .radius = 0.06f};
    shapes[4].a = vec3(-0.4f, 1.2f, -0.3f), shapes[4].b = vec3(-0.2f, 0.4f, 0.3f);
    int slots = 0;
    TEST_ASSERT_TRUE(coupling_steel_make(steel, shapes, 5, 0, &slots));
}

// Does the straight way lead through the middle of a plate or into a solid? In small steps.
static bool inside_solid(const CouplingSteel* steel, Vec3 at)
{
    for (int n = 0; n < steel->solid_count; ++n) {
        const MachineShape* s = steel->solid[n].shape;
        double x = (double)(at.x - s->center.x), y = (double)(at.y - s->center.y);
        double c = cos((double)s->turn), si = sin((double)s->turn);
        if (s->kind == MACHINE_BOX && fabs(x * c + y * si) < (double)s->half.x - 1e-3 &&
            fabs(y * c - x * si) < (double)s->half.y - 1e-3 &&
            fabs((double)(at.z - s->center.z)) < (double)s->half.z - 1e-3) {
            return true;
        }
        Vec3 axis = vec3_sub(s->b, s->a);
        float t = base_clampf(vec3_dot(vec3_sub(at, s->a), axis) / vec3_dot(axis, axis), 0, 1);
        if (s->kind == MACHINE_CAPSULE &&
            vec3_length(vec3_sub(at, vec3_mad(s->a, axis, t))) < s->radius - 1e-3f) {
            return true;
        }
    }
    return false;
}

static bool crosses_plate(const CouplingSteel* steel, Vec3 from, Vec3 to)
{
    for (int n = 0; n < steel->plate_count; ++n) {
        const CouplingPlate* p = &steel->plate[n];
        double a, b, half = 0.5 * (double)p->shape->thickness;
        if (p->shape->kind == MACHINE_CHEEK) {
            a = (double)(from.z - p->shape->z), b = (double)(to.z - p->shape->z);
        } else {
            double nx = -(double)p->ty, ny = (double)p->tx;
            a = (double)(from.x - p->ax) * nx + (double)(from.y - p->ay) * ny + half;
            b = (double)(to.x - p->ax) * nx + (double)(to.y - p->ay) * ny + half;
        }
        if ((a >= 0.0) == (b >= 0.0)) {
            continue;
        }
        double t = a / (a - b);
        float x = from.x + (float)t * (to.x - from.x), y = from.y + (float)t * (to.y - from.y);
        float z = from.z + (float)t * (to.z - from.z), nx, ny;
        if (p->shape->kind == MACHINE_CHEEK) {
            if (coupling_steel_outline(p->shape, x, y, &nx, &ny)) {
                return true;
            }
        } else {
            float along = (x - p->ax) * p->tx + (y - p->ay) * p->ty;
            if (along > 1e-4f && along < p->length - 1e-4f && fabsf(z) < p->shape->half_width) {
                return true;
            }
        }
    }
    return false;
}

static bool bad_way(const CouplingSteel* steel, Vec3 from, Vec3 to)
{
    bool bad = crosses_plate(steel, from, to);
    for (int k = 0; k <= 200 && !bad; ++k) {
        bad = inside_solid(steel, vec3_mad(from, vec3_sub(to, from), (float)k / 200.0f));
    }
    return bad;
}

static Vec3 somewhere(BaseRandom* random)
{
    return vec3(base_random_range(random, -0.6f, 1.8f), base_random_range(random, -0.2f, 1.8f),
                base_random_range(random, -0.9f, 0.9f));
}

// Whatever way a grain is thrown, where it is put it got without passing steel; and a way that leads
// through nothing is left alone.
static void no_way_leads_through_steel(void)
{
    static CouplingSteel steel;
    MachineShape shapes[5];
    make(&steel, shapes);
    BaseRandom random = base_random(11);
    int barred = 0, freed = 0, needless = 0;
    for (int n = 0; n < WAYS; ++n) {
        Vec3 from = somewhere(&random), to = somewhere(&random), held = to;
        if (n % 2 == 0) { // a short step
            to = vec3_mad(from, vec3_sub(to, from), 0.05f), held = to;
        }
        if (inside_solid(&steel, from)) {
            continue;
        }
        bool wrong = bad_way(&steel, from, to);
        bool stopped = coupling_hold_steel(&steel, from, to, RADIUS, &held);
        TEST_ASSERT_TRUE(stopped || !wrong);
        TEST_ASSERT_FALSE(bad_way(&steel, from, held));
        barred += stopped, freed += !stopped, needless += stopped && !wrong;
    }
    TEST_ASSERT_GREATER_THAN(WAYS / 20, barred);
    TEST_ASSERT_GREATER_THAN(WAYS / 5, freed);
    TEST_ASSERT_LESS_THAN(barred / 20, needless); // at rims and joints
}

// A walk of a hundred thousand steps with its end always where the last one began: one that starts
// inside the bucket with its mouth shut never leaves it.
static void a_walk_in_a_closed_box_stays_there(void)
{
    static CouplingSteel steel;
    MachineShape shapes[5];
    make(&steel, shapes);
    BaseRandom random = base_random(3);
    Vec3 at = vec3(0.6f, 0.5f, 0.0f);
    for (int n = 0; n < 100000; ++n) {
        Vec3 held, to = vec3(at.x + base_random_range(&random, -0.3f, 0.3f),
                             at.y + base_random_range(&random, -0.3f, 0.3f),
                             at.z + base_random_range(&random, -0.3f, 0.3f));
        if (to.y < 0.25f - 0.1f * to.x) {
            continue; // the mouth is shut
        }
        bool stopped = coupling_hold_steel(&steel, at, to, RADIUS * (float)(n % 3), &held);
        held = stopped ? held : to;
        at = held.y < 0.25f - 0.1f * held.x ? at : held;
        float x, y;
        TEST_ASSERT_TRUE(fabsf(at.z) < 0.515f);
        if (!coupling_steel_outline(&shapes[1], at.x, at.y, &x, &y)) {
            TEST_ASSERT_TRUE(hypotf(at.x - x, at.y - y) < 0.011f); // in the inner half of the shell
        }
    }
}

// A wall of a box is left through the face of entry, and a start inside is not the hold's business.
static void a_box_is_left_where_it_was_entered(void)
{
    Vec3 half = vec3(0.04f, 0.5f, 1.0f), to = vec3(-0.03f, 0.1f, 0.2f);
    TEST_ASSERT_TRUE(coupling_hold_box(half, vec3(0.3f, 0.0f, 0.1f), &to, RADIUS));
    TEST_ASSERT_EQUAL_FLOAT(0.08f, to.x);
    TEST_ASSERT_EQUAL_FLOAT(0.1f, to.y);
    to = vec3(-0.3f, 0.0f, 0.1f); // all the way through
    TEST_ASSERT_TRUE(coupling_hold_box(half, vec3(0.3f, 0.0f, 0.1f), &to, RADIUS));
    TEST_ASSERT_EQUAL_FLOAT(0.08f, to.x);
    to = vec3(-0.3f, 0.0f, 0.1f);
    TEST_ASSERT_FALSE(coupling_hold_box(half, vec3(0.01f, 0.0f, 0.1f), &to, RADIUS));
    to = vec3(-0.3f, 1.0f, 0.1f); // over it
    TEST_ASSERT_FALSE(coupling_hold_box(half, vec3(0.3f, 0.9f, 0.1f), &to, RADIUS));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(no_way_leads_through_steel);
    RUN_TEST(a_walk_in_a_closed_box_stays_there);
    RUN_TEST(a_box_is_left_where_it_was_entered);
    return UNITY_END();
}
