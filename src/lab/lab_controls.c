// controls: hands to levers, levers to motion. Patterns against the standards' table, device faults,
// and what each lever of the excavator does, how soon, and how evenly.
#include "base/base_path.h"
#include "input/input_hand.h"
#include "lab/lab_arm.h"
#include "lab/lab_experiments.h"

#include <math.h>
#include <string.h>

#define CONTROLS_ARENA  (4u << 20) // bytes
#define CONTROLS_MOVED  0.02       // deg of a joint: it has begun to move
#define CONTROLS_LEVERS 10         // positions between neutral and full
#define CONTROLS_RUN    1.5        // s that each is held
#define CONTROLS_STEADY 0.7        // s of them until the speed is steady
#define CONTROLS_GONE   1.0        // s, longest wait for a motion

// Stick axes to functions as ISO 10968 (pattern A of SAE J1177) and SAE J1814 (backhoe) have them.
typedef struct ControlsRow {
    InputAxis axis;
    InputFunction function[2]; // by pattern, ISO and SAE
    float sign[2];
} ControlsRow;

static const ControlsRow table[] = {
    {INPUT_LEFT_X, {INPUT_SWING, INPUT_SWING}, {1, 1}},      // right: swing right
    {INPUT_LEFT_Y, {INPUT_STICK, INPUT_BOOM}, {-1, -1}},     // forward: stick out | boom down
    {INPUT_RIGHT_X, {INPUT_BUCKET, INPUT_BUCKET}, {-1, -1}}, // right: dump
    {INPUT_RIGHT_Y, {INPUT_BOOM, INPUT_STICK}, {-1, -1}},    // forward: boom down | stick out
};

// Functions that answer a stick wrongly: each axis, both ways, alone.
static int pattern_faults(InputPattern pattern)
{
    int wrong = 0;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        for (int way = -1; way <= 1; way += 2) {
            float axis[INPUT_AXIS_COUNT] = {0}, got[INPUT_FUNCTION_COUNT];
            axis[table[k].axis] = (float)way;
            input_pattern_apply(pattern, axis, got);
            for (int f = 0; f < INPUT_FUNCTION_COUNT; ++f) {
                bool meant = (InputFunction)f == table[k].function[pattern];
                float want = meant ? (float)way * table[k].sign[pattern] : 0.0f;
                wrong += got[f] != want;
            }
        }
    }
    return wrong;
}

// A stick at full speaks NaN, then is pulled out: frames until every lever is neutral.
static bool device_faults(LabRun* run)
{
    char path[4096];
    BaseArena arena;
    BaseYamlError error;
    static InputControls controls;
    static InputHand hand;
    static InputRaw raw;
    if (!base_path_find("config/controls/keyboard.yaml", path, sizeof path)) {
        lab_fail(run, LAB_EXIT_FILE, "config/controls/keyboard.yaml was not found");
        return false;
    }
    if (!base_arena_init(&arena, CONTROLS_ARENA)) {
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the controls");
        return false;
    }
    bool fine = input_controls_load(path, &arena, &controls, &error);
    if (fine) {
        InputAnalog analog = {.axis = INPUT_RIGHT_Y, .low = -1, .high = 1};
        InputDevice stick = {.name = "stick", .axes = &analog, .axis_count = 1};
        controls.devices = &stick, controls.device_count = 1;
        raw = (InputRaw){0};
        raw.plugged[0] = true, raw.analog[0][0] = 1.0f;
        input_hand_init(&hand, &controls);
        for (int i = 0; i < INPUT_RATE; ++i)
            input_hand_step(&hand, &controls, &raw, 1.0f / INPUT_RATE);
        lab_report_near(run->report, "stick_full", "", (double)hand.frame.lever[INPUT_BOOM],
                        -INPUT_FULL, 0.0);
        raw.analog[0][0] = NAN;
        uint32_t before = hand.faults.not_a_number;
        input_hand_step(&hand, &controls, &raw, 1.0f / INPUT_RATE);
        lab_report_near(run->report, "not_a_number.counted", "",
                        (double)(hand.faults.not_a_number - before), 1.0, 0.0);
        raw.analog[0][0] = 1.0f;
        for (int i = 0; i < INPUT_RATE; ++i)
            input_hand_step(&hand, &controls, &raw, 1.0f / INPUT_RATE);
        raw.plugged[0] = false;
        int frames = 0;
        do {
            input_hand_step(&hand, &controls, &raw, 1.0f / INPUT_RATE);
            frames++;
        } while (hand.frame.lever[INPUT_BOOM] != 0 && frames < INPUT_RATE);
        lab_report_most(run->report, "unplugged.frames_to_neutral", "", frames, 1.0);
        lab_report_near(run->report, "unplugged.told", "",
                        (hand.frame.switches & INPUT_SWITCH_UNPLUGGED) != 0, 1.0, 0.0);
    } else {
        lab_fail(run, LAB_EXIT_FILE, error.text);
    }
    base_arena_free(&arena);
    return fine;
}

// --- levers to motion ----------------------------------------------------------------------------

static double angle_of(const LabArm* arm, int lever)
{
    return lever < LAB_JOINTS ? lab_arm_angle(arm, (LabJoint)lever) * arm->sense[lever]
                              : (double)machine_joint(arm->lab.machine, arm->house) / BASE_DEG;
}

static const char* const names[] = {"boom", "stick", "bucket", "swing"};
static const InputFunction functions[] = {INPUT_BOOM, INPUT_STICK, INPUT_BUCKET, INPUT_SWING};

// A pose in the middle of all strokes.
static void middle(LabArm* arm)
{
    lab_arm_pose(arm, (double[]){15, -95, -50});
    arm->frame.switches = 0;
    lab_arm_neutral(arm);
}

// How long a lever is full over before its joint moves, and which way it goes then.
static void response(LabRun* run, LabArm* arm, int lever)
{
    char name[LAB_NAME_MAX];
    middle(arm);
    double start = lab_arm_time(arm), from = angle_of(arm, lever), moved = 0.0;
    lab_arm_lever(arm, functions[lever], 1.0);
    while (fabs(moved) < CONTROLS_MOVED && lab_arm_time(arm) - start < CONTROLS_GONE) {
        lab_arm_frame(arm);
        moved = angle_of(arm, lever) - from;
    }
    double took = 1000.0 * (lab_arm_time(arm) - start);
    snprintf(name, sizeof name, "%s.first_motion", names[lever]);
    // 60-150 ms is said of the valves, which a cylinder follows at once; the house has its inertia
    // first, and its time is judged with the quarter turn of `swing`
    if (lever < LAB_JOINTS)
        lab_report_near(run->report, name, "ms", took, 105.0, 45.0);
    else
        lab_report_value(run->report, name, "ms", took);
    // let go after half a second; what still moves two seconds later would be creep
    lab_arm_wait(arm, 0.5);
    snprintf(name, sizeof name, "%s.goes_the_lever's_way", names[lever]);
    bool right = lever < LAB_JOINTS; // the house turns about +y: to the right is negative
    lab_report_near(run->report, name, "", (angle_of(arm, lever) - from > 0.0) == right, 1.0, 0.0);
    lab_arm_neutral(arm);
    lab_arm_wait(arm, 4.0);
    double rest = angle_of(arm, lever);
    lab_arm_wait(arm, 2.0);
    snprintf(name, sizeof name, "%s.creep", names[lever]);
    lab_report_most(run->report, name, "deg", fabs(angle_of(arm, lever) - rest), 0.01);
}

// With the lock-out lever up nothing moves, whatever the hands do.
static void lock(LabRun* run, LabArm* arm)
{
    double from[4], most = 0.0;
    middle(arm);
    for (int k = 0; k < 4; ++k) {
        from[k] = angle_of(arm, k);
        lab_arm_lever(arm, functions[k], 1.0);
    }
    arm->frame.switches = INPUT_SWITCH_LOCK;
    lab_arm_wait(arm, 1.0);
    for (int k = 0; k < 4; ++k)
        most = fmax(most, fabs(angle_of(arm, k) - from[k]));
    lab_report_most(run->report, "locked.largest_motion", "deg", most, 0.01);
}

// Steady speed by lever position: never falling, and fine near neutral.
static void proportion(LabRun* run, LabArm* arm)
{
    double last[2] = {0}, drop = 0.0, half = 0.0;
    for (int k = 1; k <= CONTROLS_LEVERS; ++k) {
        double lever = (double)k / CONTROLS_LEVERS, speed[2];
        for (int j = 0; j < 2; ++j) {
            middle(arm);
            lab_arm_lever(arm, j == 0 ? INPUT_STICK : INPUT_BUCKET, -lever);
            lab_arm_wait(arm, CONTROLS_STEADY);
            double from = lab_arm_stroke(arm, j == 0 ? LAB_STICK : LAB_BUCKET);
            lab_arm_wait(arm, CONTROLS_RUN - CONTROLS_STEADY);
            double to = lab_arm_stroke(arm, j == 0 ? LAB_STICK : LAB_BUCKET);
            speed[j] = 100.0 * fabs(to - from) / (CONTROLS_RUN - CONTROLS_STEADY);
            drop = fmax(drop, last[j] - speed[j]);
            last[j] = speed[j];
        }
        half = 2 * k == CONTROLS_LEVERS ? speed[0] : half;
        lab_table_row(&run->report->table, (double[]){100.0 * lever, speed[0], speed[1]});
    }
    lab_report_most(run->report, "speed.largest_fall", "%/s", drop, 0.5);
    lab_report_near(run->report, "stick.half_lever_of_full", "", half / last[0], 0.4, 0.2);
}

void lab_controls_run(LabRun* run)
{
    static LabArm arm;
    lab_report_near(run->report, "pattern_iso.wrong", "", pattern_faults(INPUT_PATTERN_ISO), 0, 0);
    lab_report_near(run->report, "pattern_sae.wrong", "", pattern_faults(INPUT_PATTERN_SAE), 0, 0);
    if (!device_faults(run) || !lab_arm_load(run, &arm))
        return;
    for (int lever = 0; lever < 4; ++lever)
        response(run, &arm, lever);
    lock(run, &arm);
    lab_table_columns(&run->report->table, "lever_pct,stick_pct/s,bucket_pct/s");
    proportion(run, &arm);
    lab_arm_finish(run, &arm);
}
