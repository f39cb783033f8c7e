// Sticks that are not there drive a machine that is: from SDL's queue to the bucket.
#include "base/base_path.h"
#include "machine/machine.h"
#include "platform/platform_input.h"

#include "unity.h"

#include <SDL2/SDL.h>

#define STEPS 90

static PlatformInput* input;
static SDL_Joystick* handle[2];
static int attached[2];
static BaseArena arena;
static MachineDef vehicle;
static Machine* machine;
static InputHand hand;

static InputAnalog axes[2] = {
    {.source = 0, .to = "right_x", .axis = INPUT_RIGHT_X, .low = -1, .center = 0, .high = 1},
    {.source = 1, .to = "left_x", .axis = INPUT_LEFT_X, .low = -1, .center = 0, .high = 1},
};
static InputDevice devices[2];
static InputControls controls;

// Keys do not exist here: only what a stick needs is filled in.
static void make_controls(int count)
{
    controls = (InputControls){.devices = devices, .device_count = count};
    for (int k = 0; k < INPUT_AXIS_COUNT; ++k)
        controls.of[k] = (InputFeel){.name = input_axis_words[k],
                                     .axis = k,
                                     .ramp = {2.5f, 6.0f},
                                     .shape = {0.06f, 0.35f},
                                     .quick = 20.0f};
    for (int n = 0; n < 2; ++n)
        devices[n] =
            (InputDevice){.name = n ? "second" : "first", .axes = &axes[n], .axis_count = 1};
    input_hand_init(&hand, &controls);
}

static void attach(int n)
{
    const SDL_VirtualJoystickDesc def = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                         .type = SDL_JOYSTICK_TYPE_FLIGHT_STICK,
                                         .naxes = 2,
                                         .nbuttons = 4,
                                         .name = "twin"};
    attached[n] = SDL_JoystickAttachVirtualEx(&def);
    TEST_ASSERT_TRUE_MESSAGE(attached[n] >= 0, SDL_GetError());
    handle[n] = SDL_JoystickOpen(attached[n]);
    platform_input_poll(input);
}

static void push(int n, int axis, double part)
{
    SDL_JoystickSetVirtualAxis(handle[n], axis, (Sint16)(32767.0 * part));
    SDL_JoystickUpdate();
    platform_input_poll(input);
}

static InputFrame frame_now(void)
{
    InputRaw raw;
    platform_input_raw(input, &controls, &raw);
    return input_hand_step(&hand, &controls, &raw, 1.0f / INPUT_RATE);
}

static void drive(int steps)
{
    for (int k = 0; k < steps; ++k) {
        InputFrame f = frame_now();
        machine_drive(machine, &f, 1.0 / INPUT_RATE);
        for (int part = 0; part < 4; ++part)
            machine_step(machine, NULL, 0.25 / INPUT_RATE);
    }
}

void setUp(void)
{
    char path[4096];
    BaseYamlError error;
    TEST_ASSERT_TRUE(base_path_find("vehicles/excavator_22t.yaml", path, sizeof path));
    TEST_ASSERT_TRUE(base_arena_init(&arena, 64u << 20));
    TEST_ASSERT_TRUE_MESSAGE(machine_load(path, &arena, &vehicle, &error), error.text);
    machine = machine_create(&vehicle);
    machine_place(machine, vec3(0, 0, 0), 0.0f);
    input = platform_input_create();
    TEST_ASSERT_NOT_NULL(input);
}

void tearDown(void)
{
    for (int n = 0; n < 2; ++n)
        if (handle[n]) {
            SDL_JoystickClose(handle[n]);
            SDL_JoystickDetachVirtual(n ? attached[n] : 0);
            handle[n] = NULL;
        }
    platform_input_destroy(input);
    machine_destroy(machine);
    base_arena_free(&arena);
}

// A push to the right opens the bucket, as ISO says.
static void a_stick_moves_the_bucket(void)
{
    int bucket = machine_find_body(&vehicle, "bucket");
    make_controls(1);
    attach(0);
    drive(10);
    double before = machine_joint(machine, bucket);
    push(0, 0, 1.0);
    drive(STEPS);
    double far = machine_joint(machine, bucket) - before;
    push(0, 0, 0.0);
    drive(30);
    TEST_ASSERT_TRUE_MESSAGE(far > 0.2 || far < -0.2, "the bucket stood still");
    TEST_ASSERT_EQUAL_INT(0, hand.frame.lever[INPUT_BUCKET]);
}

// In the very step after a stick was pulled out, every lever is neutral, and the frame says why.
static void unplugged_in_motion_is_neutral_at_once(void)
{
    make_controls(1);
    attach(0);
    push(0, 0, -1.0);
    drive(30);
    TEST_ASSERT_TRUE(hand.frame.lever[INPUT_BUCKET] > 20000);
    SDL_JoystickClose(handle[0]);
    handle[0] = NULL;
    SDL_JoystickDetachVirtual(0);
    SDL_JoystickUpdate();
    platform_input_poll(input);
    InputFrame f = frame_now();
    for (int k = 0; k < INPUT_FUNCTION_COUNT; ++k)
        TEST_ASSERT_EQUAL_INT(0, f.lever[k]);
    TEST_ASSERT_TRUE(f.switches & INPUT_SWITCH_UNPLUGGED);
    PlatformEvent e;
    bool told = false;
    while (platform_input_event(input, &e))
        told = told || e.kind == PLATFORM_GONE;
    TEST_ASSERT_TRUE_MESSAGE(told, "nobody was told");
    // it comes back to its place
    attach(0);
    TEST_ASSERT_EQUAL_INT(1, platform_input_devices(input));
    TEST_ASSERT_FALSE(frame_now().switches & INPUT_SWITCH_UNPLUGGED);
}

// Two equal sticks share one GUID; each keeps its own hand.
static void twins_are_told_apart(void)
{
    make_controls(2);
    attach(0);
    attach(1);
    TEST_ASSERT_EQUAL_INT(2, platform_input_devices(input));
    TEST_ASSERT_EQUAL_STRING(platform_input_device(input, 0)->guid,
                             platform_input_device(input, 1)->guid);
    TEST_ASSERT_EQUAL_INT(0, platform_input_find(input, &controls, 0));
    TEST_ASSERT_EQUAL_INT(1, platform_input_find(input, &controls, 1));
    push(1, 1, 1.0);
    drive(30);
    TEST_ASSERT_EQUAL_INT(0, hand.frame.lever[INPUT_BUCKET]);
    TEST_ASSERT_TRUE(hand.frame.lever[INPUT_SWING] > 20000);
    // wiggling tells which it is
    TEST_ASSERT_TRUE(platform_input_device(input, 1)->high[1] > 0.9f);
    TEST_ASSERT_TRUE(platform_input_device(input, 0)->high[1] < 0.1f);
}

int main(void)
{
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    SDL_InitSubSystem(SDL_INIT_VIDEO);
    UNITY_BEGIN();
    RUN_TEST(a_stick_moves_the_bucket);
    RUN_TEST(unplugged_in_motion_is_neutral_at_once);
    RUN_TEST(twins_are_told_apart);
    return UNITY_END();
}
