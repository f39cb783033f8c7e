// Between two states: grains are found again by their number, nothing jumps, nothing waits.
#include "view/view_frame.h"

#include "unity.h"

#include <pthread.h>

static ViewGround ground;
static ViewState a, b;
static ViewFrame f;

void setUp(void)
{
    TEST_ASSERT_TRUE(view_ground_init(&ground, 20, 35, 0.1f, vec3(0, 0, 0)));
    TEST_ASSERT_TRUE(view_state_init(&a, &ground, 500, 8));
    TEST_ASSERT_TRUE(view_state_init(&b, &ground, 500, 8));
    TEST_ASSERT_TRUE(view_frame_init(&f, 500, 8));
    a.step = 1, a.time = 1.0, b.step = 2, b.time = 2.0;
    a.anchor.heading = b.anchor.heading = vec3(1, 0, 0);
    a.anchor.seat_view = b.anchor.seat_view = vec3(1, 0, 0);
}

void tearDown(void)
{
    view_frame_free(&f);
    view_state_free(&a);
    view_state_free(&b);
    view_ground_free(&ground);
}

static void put(ViewState* s, uint32_t id, Vec3 at)
{
    s->grain[s->grain_count++] =
        (ViewGrain){.at = at, .radius = 0.05f, .id = id, .material = 1, .left = 255};
}

// A grain stands where its two states say, although the order of all grains has changed.
static void grains_are_found_by_number(void)
{
    for (uint32_t k = 0; k < 400; ++k)
        put(&a, 7 * k, vec3((float)k, 0, 0));
    for (uint32_t k = 400; k-- > 0;)
        put(&b, 7 * k, vec3((float)k, 2, 4));
    view_frame_between(&f, &a, &b, 0.25f);
    TEST_ASSERT_EQUAL_INT(400, f.grain_count);
    for (int i = 0; i < 400; ++i) {
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, (float)(f.grain[i].id / 7), f.grain[i].at.x);
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.5f, f.grain[i].at.y);
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, 1.0f, f.grain[i].at.z);
    }
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1.25f, (float)f.time);
}

// One that was born since stands where it was born; one that died is gone.
static void births_and_deaths(void)
{
    put(&a, 1, vec3(0, 0, 0));
    put(&a, 2, vec3(5, 0, 0));
    put(&b, 3, vec3(9, 9, 9));
    put(&b, 1, vec3(1, 0, 0));
    view_frame_between(&f, &a, &b, 0.5f);
    TEST_ASSERT_EQUAL_INT(2, f.grain_count);
    TEST_ASSERT_EQUAL_FLOAT(9.0f, f.grain[0].at.x);
    TEST_ASSERT_EQUAL_FLOAT(0.5f, f.grain[1].at.x);
}

// The ends are the states themselves, and parts beyond them are held.
static void the_ends_are_exact(void)
{
    put(&a, 1, vec3(0.1f, 0, 0));
    put(&b, 1, vec3(0.7f, 0, 0));
    view_frame_between(&f, &a, &b, 1.0f);
    TEST_ASSERT_FLOAT_WITHIN(1e-7f, 0.7f, f.grain[0].at.x);
    view_frame_between(&f, &a, &b, -3.0f);
    TEST_ASSERT_EQUAL_FLOAT(0.1f, f.grain[0].at.x);
    view_frame_between(&f, &b, &b, 0.3f);
    TEST_ASSERT_EQUAL_FLOAT(0.7f, f.grain[0].at.x);
}

// Poses turn with the blend; a shoe that went round its track does not fly across.
static void poses_blend_unless_they_jump(void)
{
    Quat half = {0, sinf(0.05f), 0, cosf(0.05f)};
    view_state_use(&a, 0, 2)[0] = view_pose(vec3(0, 0, 0), (Quat){0, 0, 0, 1});
    a.pose[1] = view_pose(vec3(0, 0, 0), (Quat){0, 0, 0, 1});
    view_state_use(&b, 0, 2)[0] = view_pose(vec3(0.2f, 0, 0), half);
    b.pose[1] = view_pose(vec3(4, 0, 0), (Quat){0, 0, 0, 1});
    view_frame_between(&f, &a, &b, 0.5f);
    Vec3 p = view_pose_point(&f.pose[0], vec3(1, 0, 0));
    TEST_ASSERT_FLOAT_WITHIN(2e-3f, 0.1f + cosf(0.05f), p.x);
    TEST_ASSERT_FLOAT_WITHIN(2e-3f, -sinf(0.05f), p.z);
    TEST_ASSERT_EQUAL_FLOAT(4.0f, f.pose[1].row[0][3]);
}

// --- the way from thread to thread ---------------------------------------------------------------

#define ROUNDS 20000

static void* simulate(void* context)
{
    ViewExchange* x = context;
    for (uint32_t step = 1; step <= ROUNDS; ++step) {
        ViewState* s = view_exchange_begin(x);
        s->step = step, s->time = (double)step;
        s->grain_count = 0;
        for (uint32_t k = 0; k < 40; ++k)
            put(s, k, vec3((float)step, (float)k, 0));
        view_exchange_publish(x);
    }
    return NULL;
}

// The picture always holds two whole states, the newer one after the older, and never an old one.
static void states_pass_between_threads(void)
{
    ViewExchange* x = view_exchange_create(&ground, 40, 1);
    TEST_ASSERT_NOT_NULL(x);
    const ViewState *old = NULL, *new = NULL;
    TEST_ASSERT_FALSE(view_exchange_take(x, &old, &new));
    pthread_t thread;
    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, simulate, x));
    uint64_t last = 0;
    while (last < ROUNDS) {
        if (!view_exchange_take(x, &old, &new))
            continue;
        TEST_ASSERT_TRUE(new->step >= last && old->step <= new->step);
        for (int k = 0; k < 40; ++k) {
            TEST_ASSERT_EQUAL_FLOAT((float)new->step, new->grain[k].at.x);
            TEST_ASSERT_EQUAL_FLOAT((float)old->step, old->grain[k].at.x);
        }
        last = new->step;
    }
    pthread_join(thread, NULL);
    view_exchange_destroy(x);
}

// --- cameras -------------------------------------------------------------------------------------

// The ray through a point's pixel leads back to the point.
static void pixel_and_ray_agree(void)
{
    ViewCamera c = view_camera_look(vec3(1, 5, -3), vec3(4, 1, 9), 0.9f);
    const Vec3 points[4] = {{4, 1, 9}, {2, 2, 6}, {6, 0, 12}, {3, 3.5f, 8}};
    for (int k = 0; k < 4; ++k) {
        Vec3 pixel;
        TEST_ASSERT_TRUE(view_camera_pixel(&c, 640, 401, points[k], &pixel));
        Vec3 ray = view_camera_ray(&c, 640, 401, pixel.x, pixel.y);
        Vec3 way = vec3_unit(vec3_sub(points[k], c.eye));
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, 1.0f, vec3_dot(ray, way));
    }
    Vec3 behind;
    TEST_ASSERT_FALSE(view_camera_pixel(&c, 640, 401, vec3(1, 5, -9), &behind));
}

// Every named camera sees what it follows, and knows its own name.
static void named_cameras_see_their_work(void)
{
    const ViewAnchor anchor = {.middle = {3, 1, 2},
                               .heading = {0, 0, 1},
                               .size = 6,
                               .tool = {3, 0, 7},
                               .seat = {3, 3, 2},
                               .seat_view = {0, -0.5f, 0.86f}};
    for (int k = 0; k < VIEW_CAMERA_COUNT; ++k) {
        ViewCameraKind kind;
        Vec3 pixel;
        ViewCamera c = view_camera_place((ViewCameraKind)k, &anchor);
        TEST_ASSERT_TRUE(view_camera_pixel(&c, 1280, 720, anchor.tool, &pixel));
        TEST_ASSERT_TRUE(pixel.x > 0 && pixel.x < 1280 && pixel.y > 0 && pixel.y < 720);
        TEST_ASSERT_TRUE(view_camera_from_name(view_camera_name((ViewCameraKind)k), &kind));
        TEST_ASSERT_EQUAL_INT(k, kind);
    }
    ViewCameraKind kind;
    TEST_ASSERT_FALSE(view_camera_from_name("mirror", &kind));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(grains_are_found_by_number);
    RUN_TEST(births_and_deaths);
    RUN_TEST(the_ends_are_exact);
    RUN_TEST(poses_blend_unless_they_jump);
    RUN_TEST(states_pass_between_threads);
    RUN_TEST(pixel_and_ray_agree);
    RUN_TEST(named_cameras_see_their_work);
    return UNITY_END();
}
