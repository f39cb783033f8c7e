// Cameras in the user's hand: turned, panned, flown.
#include "app/app_camera.h"

#include "base/base_math.h"
#include "unity.h"

static const ViewAnchor anchor = {.middle = {3, 1, -2},
                                  .heading = {1, 0, 0},
                                  .size = 5.0f,
                                  .tool = {9, 0.5f, -2},
                                  .seat = {3, 3, -2.5f},
                                  .seat_view = {0.9f, -0.43589f, 0}};

void setUp(void) {}

void tearDown(void) {}

static float far_from(Vec3 a, Vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

// Left alone, every camera is the one of the pictures.
static void untouched_they_are_the_named_ones(void)
{
    for (int k = 0; k < VIEW_CAMERA_FREE; ++k) {
        AppCamera c = app_camera((ViewCameraKind)k);
        ViewCamera a = app_camera_place(&c, &anchor),
                   b = view_camera_place((ViewCameraKind)k, &anchor);
        TEST_ASSERT_FLOAT_WITHIN(2e-3f, 0.0f, far_from(a.eye, b.eye));
        TEST_ASSERT_FLOAT_WITHIN(2e-3f, 0.0f, far_from(a.forward, b.forward));
    }
}

// Dragging goes round the machine at the same distance, still looking at it; the wheel comes nearer.
static void chase_goes_round(void)
{
    AppCamera c = app_camera(VIEW_CAMERA_CHASE);
    ViewCamera a = app_camera_place(&c, &anchor);
    app_camera_drag(&c, 0.4f, 0.1f);
    ViewCamera b = app_camera_place(&c, &anchor);
    float r = far_from(a.eye, anchor.middle);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f * r, r, far_from(b.eye, anchor.middle));
    TEST_ASSERT_TRUE(far_from(a.eye, b.eye) > 0.5f * r);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 1.0f,
                             vec3_dot(b.forward, vec3_unit(vec3_sub(anchor.middle, b.eye))));
    app_camera_wheel(&c, -1.0f);
    TEST_ASSERT_TRUE(far_from(app_camera_place(&c, &anchor).eye, anchor.middle) < 0.95f * r);
    app_camera_home(&c);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.0f, far_from(app_camera_place(&c, &anchor).eye, a.eye));
}

// Never over the head, however far one drags.
static void the_cab_looks_round(void)
{
    AppCamera c = app_camera(VIEW_CAMERA_CAB);
    app_camera_drag(&c, 0.5f, 0.0f);
    ViewCamera right = app_camera_place(&c, &anchor);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.0f, far_from(right.eye, anchor.seat));
    TEST_ASSERT_TRUE(right.forward.z > 0.5f); // +z is to the right of +x
    for (int k = 0; k < 50; ++k)
        app_camera_drag(&c, 0.0f, -0.5f);
    ViewCamera up = app_camera_place(&c, &anchor);
    TEST_ASSERT_TRUE(up.forward.y > 0.9f && up.forward.y < 0.999f);
    TEST_ASSERT_TRUE(up.forward.z > 0.0f); // still to the right
}

// The ground follows the pointer: dragging to the right shows what lies to the left.
static void the_plan_is_panned(void)
{
    AppCamera c = app_camera(VIEW_CAMERA_PLAN);
    ViewCamera a = app_camera_place(&c, &anchor);
    app_camera_drag(&c, 0.1f, 0.0f);
    ViewCamera b = app_camera_place(&c, &anchor);
    Vec3 side = vec3_unit(vec3_cross(a.forward, a.up)), way = vec3_sub(b.eye, a.eye);
    TEST_ASSERT_TRUE(vec3_dot(way, side) < -0.2f);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.0f, vec3_dot(way, a.up));
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, a.eye.y, b.eye.y);
    app_camera_wheel(&c, 1.0f);
    TEST_ASSERT_TRUE(app_camera_place(&c, &anchor).eye.y > a.eye.y + 0.5f);
}

// The free one takes off where the last one was, and goes where it looks at its own speed.
static void the_free_one_flies(void)
{
    AppCamera c = app_camera(VIEW_CAMERA_CHASE);
    ViewCamera a = app_camera_place(&c, &anchor);
    app_camera_pick(&c, VIEW_CAMERA_FREE);
    ViewCamera b = app_camera_place(&c, &anchor);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.0f, far_from(a.eye, b.eye));
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.0f, far_from(a.forward, b.forward));
    const AppCameraWay ahead = {.ahead = 1.0f}, right = {.right = 1.0f, .turn = 1.0f};
    app_camera_go(&c, &ahead, 0.5f);
    ViewCamera d = app_camera_place(&c, &anchor);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.0f,
                             far_from(d.eye, vec3_mad(b.eye, b.forward, 0.5f * c.speed)));
    app_camera_go(&c, &right, 0.25f);
    TEST_ASSERT_TRUE(vec3_dot(vec3_sub(app_camera_place(&c, &anchor).eye, d.eye),
                              vec3_cross(d.forward, vec3(0, 1, 0))) > 0.5f);
    // the machine drives off: it stays
    ViewAnchor gone = anchor;
    gone.middle.x += 20.0f;
    Vec3 eye = app_camera_place(&c, &anchor).eye;
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.0f, far_from(app_camera_place(&c, &gone).eye, eye));
    float speed = c.speed;
    app_camera_wheel(&c, -1.0f);
    TEST_ASSERT_TRUE(c.speed > speed);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(untouched_they_are_the_named_ones);
    RUN_TEST(chase_goes_round);
    RUN_TEST(the_cab_looks_round);
    RUN_TEST(the_plan_is_panned);
    RUN_TEST(the_free_one_flies);
    return UNITY_END();
}
