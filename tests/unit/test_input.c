// Levers, patterns, keys, devices and scripts: what is asked for, and never more.
#include "input/input_hand.h"
#include "input/input_script.h"

#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define H (1.0f / INPUT_RATE)

static BaseArena arena;
static BaseYamlError error;

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, 16u << 20));
}

void tearDown(void)
{
    base_arena_free(&arena);
}

// --- frames --------------------------------------------------------------------------------------

// Stops and middle are exact, half a way rounds to the nearest, both sides alike.
static void levers_are_whole_numbers(void)
{
    InputFaults faults = {0};
    TEST_ASSERT_EQUAL_INT(INPUT_FULL, input_quantise(1.0f, &faults));
    TEST_ASSERT_EQUAL_INT(-INPUT_FULL, input_quantise(-1.0f, &faults));
    TEST_ASSERT_EQUAL_INT(0, input_quantise(0.0f, &faults));
    TEST_ASSERT_EQUAL_INT(8192, input_quantise(0.25f, &faults)); // 8191.75
    TEST_ASSERT_EQUAL_INT(-8192, input_quantise(-0.25f, &faults));
    TEST_ASSERT_EQUAL_INT(0, (int)(faults.out_of_range + faults.not_a_number));

    InputFrame frame = {0};
    frame.lever[INPUT_BOOM] = -INPUT_FULL;
    TEST_ASSERT_EQUAL_FLOAT(-1.0f, input_lever(&frame, INPUT_BOOM));
}

// NaN is neutral, infinity too; 1e9 is a lever at its stop. All are counted.
static void wrong_levers_are_put_right(void)
{
    InputFaults faults = {0};
    TEST_ASSERT_EQUAL_INT(0, input_quantise(NAN, &faults));
    TEST_ASSERT_EQUAL_INT(0, input_quantise(-INFINITY, &faults));
    TEST_ASSERT_EQUAL_INT(INPUT_FULL, input_quantise(1e9f, &faults));
    TEST_ASSERT_EQUAL_INT(-INPUT_FULL, input_quantise(-1.0001f, &faults));
    TEST_ASSERT_EQUAL_INT(2, (int)faults.not_a_number);
    TEST_ASSERT_EQUAL_INT(2, (int)faults.out_of_range);
}

// Every byte of a frame may be damaged; afterwards it is one that a hand could have made.
static void damaged_frames_are_repaired(void)
{
    InputFrame frame, again;
    InputFaults faults = {0};
    memset(&frame, 0x80, sizeof frame);
    TEST_ASSERT_GREATER_THAN_INT(0, input_frame_repair(&frame, &faults));
    TEST_ASSERT_EQUAL_INT(0, frame.lever[INPUT_BRAKE]);
    TEST_ASSERT_EQUAL_INT(0, frame.pattern);
    again = frame;
    TEST_ASSERT_EQUAL_INT(0, input_frame_repair(&again, &faults));
    TEST_ASSERT_EQUAL_MEMORY(&frame, &again, sizeof frame);
    TEST_ASSERT_TRUE(input_frame_hash(&frame, 1) == input_frame_hash(&again, 1));
    again.lever[INPUT_SWING] = 1;
    TEST_ASSERT_TRUE(input_frame_hash(&frame, 1) != input_frame_hash(&again, 1));
}

// --- shape and ramp ------------------------------------------------------------------------------

// Dead zone 10 %, half cubic: at 0.55 the way is 0.5, hence 0.5 x 0.5 + 0.5 x 0.125.
static void shape_by_hand(void)
{
    InputShape shape = {0.1f, 0.5f};
    TEST_ASSERT_EQUAL_FLOAT(0.0f, input_shape(0.1f, shape));
    TEST_ASSERT_FLOAT_WITHIN(1e-6, 0.3125f, input_shape(0.55f, shape));
    TEST_ASSERT_FLOAT_WITHIN(1e-6, -0.3125f, input_shape(-0.55f, shape));
    TEST_ASSERT_EQUAL_FLOAT(1.0f, input_shape(1.0f, shape));
    TEST_ASSERT_EQUAL_FLOAT(1.0f, input_shape(1e9f, shape));
}

// Away from neutral at 2/s, back at 8/s, and through neutral with both in one step.
static void ramp_by_hand(void)
{
    InputRamp ramp = {2.0f, 8.0f};
    TEST_ASSERT_FLOAT_WITHIN(1e-6, 0.2f, input_follow(0.0f, 1.0f, ramp, 0.1f));
    TEST_ASSERT_FLOAT_WITHIN(1e-6, 0.1f, input_follow(0.9f, 0.0f, ramp, 0.1f));
    // 0.4 takes 0.05 s back, 0.05 s remain
    TEST_ASSERT_FLOAT_WITHIN(1e-6, -0.1f, input_follow(0.4f, -1.0f, ramp, 0.1f));
    TEST_ASSERT_EQUAL_FLOAT(0.5f, input_follow(0.45f, 0.5f, ramp, 0.1f));
}

// --- patterns ------------------------------------------------------------------------------------

// The table of the patterns: both agree on swing and bucket and swap boom and stick.
static void patterns_are_the_standards(void)
{
    float axis[INPUT_AXIS_COUNT] = {0.5f, 0.6f, 0.7f, 0.8f}, iso[INPUT_FUNCTION_COUNT],
          sae[INPUT_FUNCTION_COUNT];
    input_pattern_apply(INPUT_PATTERN_ISO, axis, iso);
    input_pattern_apply(INPUT_PATTERN_SAE, axis, sae);
    TEST_ASSERT_EQUAL_FLOAT(0.5f, iso[INPUT_SWING]);   // right is right
    TEST_ASSERT_EQUAL_FLOAT(-0.6f, iso[INPUT_STICK]);  // left stick forward: stick out
    TEST_ASSERT_EQUAL_FLOAT(-0.7f, iso[INPUT_BUCKET]); // right stick right: dump
    TEST_ASSERT_EQUAL_FLOAT(-0.8f, iso[INPUT_BOOM]);   // right stick forward: boom down
    TEST_ASSERT_EQUAL_FLOAT(0.5f, sae[INPUT_SWING]);
    TEST_ASSERT_EQUAL_FLOAT(-0.6f, sae[INPUT_BOOM]);
    TEST_ASSERT_EQUAL_FLOAT(-0.7f, sae[INPUT_BUCKET]);
    TEST_ASSERT_EQUAL_FLOAT(-0.8f, sae[INPUT_STICK]);
}

// A dozer's stick to the right slows the right track; a truck's stick back brakes, never drives.
static void patterns_of_other_machines(void)
{
    float axis[INPUT_AXIS_COUNT] = {0.25f, 0.5f}, f[INPUT_FUNCTION_COUNT];
    input_pattern_apply(INPUT_PATTERN_DOZER, axis, f);
    TEST_ASSERT_EQUAL_FLOAT(0.75f, f[INPUT_TRACK_LEFT]);
    TEST_ASSERT_EQUAL_FLOAT(0.25f, f[INPUT_TRACK_RIGHT]);
    axis[INPUT_LEFT_Y] = -0.5f;
    input_pattern_apply(INPUT_PATTERN_TRUCK, axis, f);
    TEST_ASSERT_EQUAL_FLOAT(0.0f, f[INPUT_THROTTLE]);
    TEST_ASSERT_EQUAL_FLOAT(0.5f, f[INPUT_BRAKE]);
}

// --- hands ---------------------------------------------------------------------------------------

static InputControls load_text(const char* text)
{
    char path[] = "/tmp/mattock_controls_XXXXXX";
    InputControls controls = {0};
    FILE* file = fdopen(mkstemp(path), "w");
    fputs(text, file);
    fclose(file);
    bool fine = input_controls_load(path, &arena, &controls, &error);
    remove(path);
    TEST_ASSERT_TRUE_MESSAGE(fine, error.text);
    return controls;
}

static int key_of(const InputControls* controls, const char* name)
{
    for (int i = 0; i < controls->key_count; ++i)
        if (strcmp(controls->keys[i].key, name) == 0)
            return i;
    TEST_FAIL_MESSAGE(name);
    return 0;
}

// W for half a second with rise 2.5/s is the stop; both keys are neutral; letting go takes 1/6 s.
static void keys_are_ramps(void)
{
    InputControls controls;
    TEST_ASSERT_TRUE_MESSAGE(
        input_controls_load("config/controls/keyboard.yaml", &arena, &controls, &error),
        error.text);
    InputRaw raw = {0};
    InputHand hand;
    input_hand_init(&hand, &controls);
    raw.key[key_of(&controls, "W")] = true;
    for (int i = 0; i < 12; ++i)
        input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_FLOAT_WITHIN(1e-4, -0.5f, input_lever(&hand.frame, INPUT_STICK)); // 12/60 x 2.5
    for (int i = 0; i < 18; ++i)
        input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(-INPUT_FULL, hand.frame.lever[INPUT_STICK]);
    raw.key[key_of(&controls, "S")] = true;
    for (int i = 0; i < 5; ++i)
        input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_FLOAT_WITHIN(1e-4, -0.5f, input_lever(&hand.frame, INPUT_STICK)); // 5/60 x 6
    for (int i = 0; i < 5; ++i)
        input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(0, hand.frame.lever[INPUT_STICK]);
}

// A toggle changes once per press, a held switch goes with the key, a button lasts one frame.
static void switches_follow_keys(void)
{
    InputControls controls =
        load_text("keys:\n  - {key: X, toggle: lock}\n  - {key: Space, hold: horn}\n"
                  "  - {key: Return, button: continue}\n  - {key: PageDown, dial: down}\n"
                  "  - {key: '3', response: active}\n");
    InputRaw raw = {0};
    InputHand hand;
    input_hand_init(&hand, &controls);
    for (int i = 0; i < 5; ++i)
        raw.key[i] = true;
    InputFrame frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(INPUT_SWITCH_LOCK | INPUT_SWITCH_HORN, frame.switches);
    TEST_ASSERT_EQUAL_INT(INPUT_BUTTON_CONTINUE, frame.buttons);
    TEST_ASSERT_EQUAL_INT(9, frame.dial);
    TEST_ASSERT_EQUAL_INT(INPUT_RESPONSE_ACTIVE, frame.response);
    frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(INPUT_SWITCH_LOCK | INPUT_SWITCH_HORN, frame.switches);
    TEST_ASSERT_EQUAL_INT(0, frame.buttons);
    TEST_ASSERT_EQUAL_INT(9, frame.dial);
    memset(raw.key, 0, sizeof raw.key);
    frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(INPUT_SWITCH_LOCK, frame.switches);
    raw.key[0] = true;
    frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(0, frame.switches);
}

static const char stick_file[] =
    "levers: {dead: 0 %, curve: 0 %, quick: 12 1/s}\n"
    "devices:\n  joy:\n    axes:\n"
    "      - {source: 0, to: left_x, low: -0.8, center: 0.1, high: 0.9}\n"
    "      - {source: 3, to: boom, invert: true}\n";

// The profile's own end points are the stops, on both sides of a crooked middle.
static void profiles_straighten_devices(void)
{
    InputControls controls = load_text(stick_file);
    const InputAnalog* a = controls.devices[0].axes;
    TEST_ASSERT_FLOAT_WITHIN(1e-6, 1.0f, input_analog_value(&a[0], 0.9f));
    TEST_ASSERT_FLOAT_WITHIN(1e-6, -1.0f, input_analog_value(&a[0], -0.8f));
    TEST_ASSERT_FLOAT_WITHIN(1e-6, 0.5f, input_analog_value(&a[0], 0.5f));
    TEST_ASSERT_FLOAT_WITHIN(1e-6, -0.25f, input_analog_value(&a[1], 0.25f));
}

// NaN, 1e9 and a device that jumps from stop to stop every frame: the lever never moves faster than
// a hand can, and each fault is counted.
static void faulty_devices_never_jerk(void)
{
    static const float bad[] = {1e9f, -1e9f, NAN, 1.0f, -1.0f, INFINITY, -0.5f, 1.0f};
    InputControls controls = load_text(stick_file);
    InputRaw raw = {.plugged = {true}};
    InputHand hand;
    input_hand_init(&hand, &controls);
    float last = 0.0f;
    for (int i = 0; i < 800; ++i) {
        raw.analog[0][0] = bad[i % 8];
        raw.analog[0][1] = bad[(i + 3) % 8];
        InputFrame frame = input_hand_step(&hand, &controls, &raw, H);
        float now = input_lever(&frame, INPUT_SWING);
        TEST_ASSERT_FLOAT_WITHIN(12.0f * H + 1e-4f, last, now);
        last = now;
    }
    TEST_ASSERT_EQUAL_INT(2 * 2 * 100, (int)hand.faults.not_a_number);
    // of eight: 1e9, -1e9, 1 twice and -1 on the crooked axis, the first two on the other
    TEST_ASSERT_EQUAL_INT((5 + 2) * 100, (int)hand.faults.out_of_range);
    TEST_ASSERT_GREATER_THAN_INT(0, (int)hand.faults.jumps);
}

// A device that goes away lets go of everything in one step and says so; back, it counts from
// neutral on, and not before.
static void unplugged_means_neutral(void)
{
    InputControls controls = load_text(stick_file);
    InputRaw raw = {.plugged = {true}};
    InputHand hand;
    input_hand_init(&hand, &controls);
    raw.analog[0][0] = 0.9f;
    for (int i = 0; i < 10; ++i)
        input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(INPUT_FULL, hand.frame.lever[INPUT_SWING]);
    raw.plugged[0] = false;
    InputFrame frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(0, frame.lever[INPUT_SWING]);
    TEST_ASSERT_EQUAL_INT(INPUT_SWITCH_UNPLUGGED, frame.switches);
    raw.plugged[0] = true;
    frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(0, frame.switches);
    TEST_ASSERT_EQUAL_INT(0, frame.lever[INPUT_SWING]);
    int device, axis;
    TEST_ASSERT_TRUE(input_hand_busy(&hand, &controls, &device, &axis));
    TEST_ASSERT_EQUAL_INT(0, device);
    TEST_ASSERT_EQUAL_INT(0, axis);
    raw.analog[0][0] = 0.1f;
    input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_FALSE(input_hand_busy(&hand, &controls, &device, &axis));
    raw.analog[0][0] = 0.9f;
    frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_FLOAT_WITHIN(1e-3, 0.2f, input_lever(&frame, INPUT_SWING));
}

static const char pedals_file[] =
    "levers: {dead: 0 %, curve: 0 %, quick: 60 1/s}\n"
    "devices:\n  pad:\n    axes:\n"
    "      - {source: 4, to: track_left, center: -1, flip: button 9}\n"
    "      - {source: 1, to: boom, center: -1}\n"
    "      - {source: 2, to: boom, center: -1, invert: true}\n";

// A pedal goes one way, and the other while its button is held; two pedals on one lever are added.
static void pedals_go_both_ways(void)
{
    InputControls controls = load_text(pedals_file);
    InputRaw raw = {.plugged = {true}, .analog = {{-1.0f, -1.0f, -1.0f}}};
    InputHand hand;
    input_hand_init(&hand, &controls);
    input_hand_step(&hand, &controls, &raw, H);
    raw.analog[0][0] = 1.0f;
    InputFrame frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(INPUT_FULL, frame.lever[INPUT_TRACK_LEFT]);
    raw.flip[0][0] = true;
    for (int k = 0; k < 2; ++k)
        frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(-INPUT_FULL, frame.lever[INPUT_TRACK_LEFT]);
    raw.analog[0][1] = 0.0f;
    frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_FLOAT_WITHIN(1e-3, 0.5f, input_lever(&frame, INPUT_BOOM));
    raw.analog[0][2] = 1.0f;
    frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_FLOAT_WITHIN(1e-3, -0.5f, input_lever(&frame, INPUT_BOOM));
}

// Other controls in the same hand: what was switched on stays on, a key that is held is not pressed
// anew, and a stick that stands off neutral moves nothing.
static void other_controls_keep_switches_and_wait_for_neutral(void)
{
    InputControls controls = load_text("keys:\n  - {key: X, toggle: lock}\n"
                                       "devices:\n  joy:\n    axes:\n"
                                       "      - {source: 0, to: swing}\n");
    InputRaw raw = {.plugged = {true}, .key = {true}};
    InputHand hand;
    input_hand_init(&hand, &controls);
    TEST_ASSERT_EQUAL_INT(INPUT_SWITCH_LOCK, input_hand_step(&hand, &controls, &raw, H).switches);
    raw.analog[0][0] = 1.0f;
    input_hand_take(&hand, &controls, &raw);
    InputFrame frame = {0};
    for (int k = 0; k < 30; ++k)
        frame = input_hand_step(&hand, &controls, &raw, H);
    TEST_ASSERT_EQUAL_INT(INPUT_SWITCH_LOCK, frame.switches);
    TEST_ASSERT_EQUAL_INT(0, frame.lever[INPUT_SWING]);
}

static void refuses(const char* text, const char* place)
{
    char path[] = "/tmp/mattock_controls_XXXXXX";
    InputControls controls;
    FILE* file = fdopen(mkstemp(path), "w");
    fputs(text, file);
    fclose(file);
    bool fine = input_controls_load(path, &arena, &controls, &error);
    remove(path);
    TEST_ASSERT_FALSE_MESSAGE(fine, text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, place), error.text);
}

// Each mistake is named with its place and what was meant.
static void bad_controls_are_refused(void)
{
    refuses("keys:\n  - {key: A, axis: lefd_x}\n", ":2:20: keys[0].axis: lefd_x is unknown; did "
                                                   "you mean left_x?");
    refuses("keys:\n  - {key: A}\n", "must do exactly one thing");
    refuses("keys:\n  - {key: A, axis: boom, hold: horn}\n", "must do exactly one thing");
    refuses("keys:\n  - {key: A, hold: horm}\n", "keys[0].hold: horm is unknown; did you mean");
    refuses("keys:\n  - {key: A, hold: horn, device: joy}\n", "keys[0].device: joy is not among");
    refuses("feel:\n  boomy: {rise: 2}\n", ":2:10: feel.boomy");
    refuses("levers: {dead: 80 %}\n", "levers.dead: 80 % is too large");
    refuses("devices:\n  j:\n    axes: [{source: 0, to: bom}]\n", "did you mean boom");
    refuses("devices:\n  j:\n    axes: [{source: 0, to: boom, center: 0.5, high: 0.2}]\n",
            "must lie between low and high");
}

// --- scripts -------------------------------------------------------------------------------------

static InputScript script_of(const char* text)
{
    InputScript script = {0};
    bool fine = input_script_read("s.txt", text, strlen(text), &arena, &script, &error);
    TEST_ASSERT_TRUE_MESSAGE(fine, error.text);
    return script;
}

// Steps, ramps, relative times, switches and the end come in the frames they were written for.
static void scripts_play(void)
{
    InputScript script = script_of("# a dig\npattern sae\n0 boom 0.5 horn on\n"
                                   "0.5 boom -0.5 over 1 stick 1\n+1 left_y 0.25 response soft\n"
                                   "+0.5 press retry dial 4 # last\n2.5 end\n");
    InputScriptCursor cursor = input_script_start(&script);
    InputFrame frame[160];
    for (int i = 0; i < 160; ++i)
        frame[i] = input_script_step(&script, &cursor);
    TEST_ASSERT_TRUE(input_script_done(&script, &cursor));
    TEST_ASSERT_EQUAL_INT(INPUT_PATTERN_SAE, frame[0].pattern);
    TEST_ASSERT_FLOAT_WITHIN(1e-4, 0.5f, input_lever(&frame[0], INPUT_BOOM));
    TEST_ASSERT_EQUAL_INT(0, frame[29].lever[INPUT_STICK]);
    TEST_ASSERT_EQUAL_INT(INPUT_FULL, frame[30].lever[INPUT_STICK]);
    TEST_ASSERT_FLOAT_WITHIN(1e-4, 0.0f, input_lever(&frame[60], INPUT_BOOM)); // half the ramp
    TEST_ASSERT_FLOAT_WITHIN(1e-4, -0.5f, input_lever(&frame[89], INPUT_BOOM) - 1.0f / 60.0f);
    TEST_ASSERT_FLOAT_WITHIN(1e-4, -0.75f, input_lever(&frame[90], INPUT_BOOM)); // SAE: -left_y
    TEST_ASSERT_EQUAL_INT(INPUT_RESPONSE_SOFT, frame[90].response);
    TEST_ASSERT_EQUAL_INT(INPUT_BUTTON_RETRY, frame[120].buttons);
    TEST_ASSERT_EQUAL_INT(0, frame[121].buttons);
    TEST_ASSERT_EQUAL_INT(4, frame[121].dial);
    TEST_ASSERT_EQUAL_INT(INPUT_SWITCH_HORN, frame[150].switches);
    TEST_ASSERT_EQUAL_INT(INPUT_FULL, frame[149].lever[INPUT_STICK]);
    TEST_ASSERT_EQUAL_INT(0, frame[150].lever[INPUT_STICK]);
}

static void script_refuses(const char* text, const char* message)
{
    InputScript script;
    size_t used = arena.used;
    TEST_ASSERT_FALSE_MESSAGE(
        input_script_read("s.txt", text, strlen(text), &arena, &script, &error), text);
    TEST_ASSERT_EQUAL_STRING_LEN(message, error.text, strlen(message));
    TEST_ASSERT_EQUAL_UINT(used, arena.used);
}

static void bad_scripts_are_refused(void)
{
    script_refuses("1 boom 2\n", "s.txt:1:8: boom: 2 is too large; allowed is a number from -1 to");
    script_refuses("1 boom\n", "s.txt:1:7: boom: missing; allowed is a number from -1 to 1");
    script_refuses("1 boom x", "s.txt:1:8: boom: x is not a number");
    script_refuses("1 boom nan", "s.txt:1:8: boom: nan is not a number");
    script_refuses("\n  1 bom 1\n", "s.txt:2:5: what: bom is unknown; did you mean boom? allowed");
    script_refuses("2 boom 1\n1 boom 0", "s.txt:2:1: time: 1 lies before the line above");
    script_refuses("-1 boom 1", "s.txt:1:1: time: -1 is no time");
    script_refuses("1e9 boom 1", "s.txt:1:1: time: 1e9 is no time");
    script_refuses("1 throttle -0.5", "s.txt:1:12: throttle: -0.5 is too small");
    script_refuses("1 horn maybe", "s.txt:1:8: horn: maybe is unknown; allowed is one of off, on");
    script_refuses("1 boom 1 over", "s.txt:1:14: over: missing");
    script_refuses("1 end\n2 boom 1", "s.txt:2:1: 2: stands behind the end");
    script_refuses("0 boom 1\npattern iso", "s.txt:2:1: pattern: comes too late");
    script_refuses("1\n", "s.txt:1:2: what: missing");
    script_refuses("\x01\xff\xfe", "s.txt:1:1: time: ??? is no time");
}

// A thousand texts of random bytes: read or refused with a place, never more.
static void random_scripts_do_no_harm(void)
{
    static const char alphabet[] = "0123456789.+-e boomstick#\n overpress\x00\xff";
    char text[200];
    srand(7);
    for (int k = 0; k < 1000; ++k) {
        InputScript script;
        size_t length = (size_t)(rand() % 200);
        for (size_t i = 0; i < length; ++i)
            text[i] = alphabet[rand() % (int)(sizeof alphabet - 1)];
        if (!input_script_read("r", text, length, &arena, &script, &error))
            TEST_ASSERT_GREATER_THAN_INT(0, error.line);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(levers_are_whole_numbers);
    RUN_TEST(wrong_levers_are_put_right);
    RUN_TEST(damaged_frames_are_repaired);
    RUN_TEST(shape_by_hand);
    RUN_TEST(ramp_by_hand);
    RUN_TEST(patterns_are_the_standards);
    RUN_TEST(patterns_of_other_machines);
    RUN_TEST(keys_are_ramps);
    RUN_TEST(switches_follow_keys);
    RUN_TEST(profiles_straighten_devices);
    RUN_TEST(faulty_devices_never_jerk);
    RUN_TEST(unplugged_means_neutral);
    RUN_TEST(pedals_go_both_ways);
    RUN_TEST(other_controls_keep_switches_and_wait_for_neutral);
    RUN_TEST(bad_controls_are_refused);
    RUN_TEST(scripts_play);
    RUN_TEST(bad_scripts_are_refused);
    RUN_TEST(random_scripts_do_no_harm);
    return UNITY_END();
}
