// Valves, pumps and engine against what a pencil gives, on the shipped excavator's own figures.
#include "machine/machine.h"
#include "machine/machine_drive_internal.h"

#include "base/base_math.h"
#include "base/base_trig.h"

#include "unity.h"

#include <math.h>
#include <string.h>

#define FRAME (1.0 / 60.0)
#define STEP  (1.0 / 240.0)
#define LPM   (1.0 / 60000.0) // m3/s in a L/min
#define MPA   1e6

// bore 120 and rod 85 of two cylinders, m2
#define BOOM_PUSH 0.0226195
#define BOOM_PULL 0.0112704

static BaseArena arena;
static MachineDef def;
static MachineDriveState state;
static MachineFeedback feedback[MACHINE_ACTUATORS_MAX];
static InputFrame frame;
static int boom, stick, bucket, swing, left, right;

void setUp(void)
{
    BaseYamlError error;
    TEST_ASSERT_TRUE(base_arena_init(&arena, 16u << 20));
    TEST_ASSERT_TRUE_MESSAGE(machine_load("vehicles/excavator_22t.yaml", &arena, &def, &error),
                             error.text);
    boom = machine_find_actuator(&def, "boom");
    stick = machine_find_actuator(&def, "stick");
    bucket = machine_find_actuator(&def, "bucket");
    swing = machine_find_actuator(&def, "swing");
    left = machine_find_actuator(&def, "left");
    right = machine_find_actuator(&def, "right");
    machine_drive_reset(&def, &state);
    memset(feedback, 0, sizeof feedback);
    memset(&frame, 0, sizeof frame);
    for (int i = 0; i < def.cylinder_count; ++i) {
        feedback[i].area_push = def.cylinders[i].area_push;
        feedback[i].area_pull = def.cylinders[i].area_pull;
        feedback[i].length =
            (double)def.cylinders[i].closed + 0.5 * (double)def.cylinders[i].stroke;
    }
}

void tearDown(void)
{
    base_arena_free(&arena);
}

static void push(InputFunction function, double value)
{
    frame.lever[function] = input_quantise((float)value, NULL);
}

// The actuators follow their commands at once; the efforts are what the test has set.
static void run(double seconds)
{
    for (int i = 0; i < (int)(seconds / FRAME + 0.5); ++i) {
        machine_drive_input(&def, &state, &frame, FRAME);
        for (int k = 0; k < 4; ++k) {
            for (int a = 0; a < def.actuator_count; ++a)
                feedback[a].speed = state.command[a].speed;
            machine_drive_step(&def, &state, feedback, STEP);
        }
    }
}

// --- sharing -------------------------------------------------------------------------------------

// Three users of two pumps of 214.5: all get the same 0.4 of 1072.5.
static void three_share_two_pumps(void)
{
    MachineDemand d[] = {{429, 1, 3, 0}, {429, 1, 3, 0}, {214.5, 1, 1, 0}};
    MachineSupply s = {.flow = {214.5, 214.5}, .power = 1e9};
    machine_drive_share(d, 3, &s);
    for (int i = 0; i < 3; ++i)
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.4, d[i].share);
    TEST_ASSERT_TRUE(s.is_short && s.scale == 1.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 429.0, s.flow[0] + s.flow[1]);
}

// Two on the first pump get half of it; who may use both takes the second and gets all he wants.
static void a_crowded_pump_is_left_to_its_own(void)
{
    MachineDemand d[] = {{214.5, 1, 1, 0}, {214.5, 1, 1, 0}, {100, 1, 3, 0}, {80, 1, 2, 0}};
    MachineSupply s = {.flow = {214.5, 214.5}, .power = 1e9};
    machine_drive_share(d, 4, &s);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5, d[0].share);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, d[2].share);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, d[3].share);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 180.0, s.flow[1]);
    // the mirror image
    for (int i = 0; i < 4; ++i)
        d[i].pumps = d[i].pumps == 3 ? 3 : 3 - d[i].pumps;
    s = (MachineSupply){.flow = {214.5, 214.5}, .power = 1e9};
    machine_drive_share(d, 4, &s);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5, d[0].share);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, d[2].share);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 180.0, s.flow[0]);
}

// Each pump works against its heaviest user; the power of both is what is limited.
static void power_scales_all(void)
{
    MachineDemand d[] = {{100, 20, 1, 0}, {50, 10, 1, 0}, {100, 5, 2, 0}};
    MachineSupply s = {.flow = {200, 200}, .power = 1750, .pressure = {2}};
    machine_drive_share(d, 3, &s); // 150 x 20 + 100 x 5 = 3500
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5, s.scale);
    machine_drive_scale(d, 3, &s, s.scale);
    for (int i = 0; i < 3; ++i)
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5, d[i].share);
    TEST_ASSERT_FALSE(s.is_short);
    TEST_ASSERT_EQUAL_DOUBLE(20.0, s.pressure[0]);
    TEST_ASSERT_EQUAL_DOUBLE(5.0, s.pressure[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 75.0, s.flow[0]);
}

// --- cylinders -----------------------------------------------------------------------------------

// v = Q / A: both pumps on the boom, 429 L/min over 226 cm2, and the rod side for the way back.
static void speed_is_flow_over_area(void)
{
    push(INPUT_BOOM, 1.0);
    run(2.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 429 * LPM / BOOM_PUSH, state.command[boom].speed);
    TEST_ASSERT_DOUBLE_WITHIN(5.0, 35 * MPA * BOOM_PUSH, state.command[boom].push);
    push(INPUT_BOOM, -1.0);
    run(2.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, -300 * LPM / BOOM_PULL, state.command[boom].speed);
}

// Half a lever: dead 5 %, curve 40 %: way 0.47368, hence 0.6 x 0.47368 + 0.4 x 0.47368^3.
static void half_a_lever_is_less_than_half(void)
{
    push(INPUT_BUCKET, 0.5);
    run(2.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.32672, state.spool[bucket]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, 0.32672 * 214.5, state.flow[bucket] / LPM);
}

// At its relief the boom gets what 109.1 kW can push at 35 MPa: 187 L/min; the rest of the oil that
// finds no room goes over the valve.
static void the_engine_limits_at_the_relief(void)
{
    push(INPUT_BOOM, 1.0);
    feedback[boom].effort = 35 * MPA * BOOM_PUSH;
    run(2.0);
    TEST_ASSERT_DOUBLE_WITHIN(1.0, 187.0, state.flow[boom] / LPM);
    TEST_ASSERT_TRUE(state.relieved >> boom & 1);
    TEST_ASSERT_TRUE(state.flags & MACHINE_DRIVE_LIMITED);
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * MPA, 35 * MPA, state.pump_pressure[0]);
    TEST_ASSERT_TRUE(state.engine_load > 0.9);
}

// A load that helps the boom down lets 90 % of the rod side's oil come from the base side: the
// pump gives 30 of 300 L/min and the way is as fast.
static void regeneration_spares_the_pump(void)
{
    push(INPUT_BOOM, -1.0);
    feedback[boom].effort = 200e3; // holds the arm up
    run(2.0);
    TEST_ASSERT_DOUBLE_WITHIN(0.5, 30.0, state.flow[boom] / LPM);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, -300 * LPM / BOOM_PULL, state.command[boom].speed);
    // against a load there is nothing to reuse
    feedback[boom].effort = -100e3;
    run(1.0);
    TEST_ASSERT_DOUBLE_WITHIN(0.5, 214.5, state.flow[boom] / LPM);
}

// Neutral holds with 38 MPa on either side, and a lever does not open the way for a load that is
// heavier than the pump: the check valve stays shut.
static void loads_are_held(void)
{
    run(0.1);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, state.command[boom].speed);
    TEST_ASSERT_DOUBLE_WITHIN(20.0, 38 * MPA * BOOM_PUSH, state.command[boom].push);
    push(INPUT_BOOM, 1.0);
    feedback[boom].effort = 36 * MPA * BOOM_PUSH;
    for (int i = 0; i < 120; ++i) {
        machine_drive_input(&def, &state, &frame, FRAME);
        feedback[boom].speed = -0.03; // sinks as soon as it may
        machine_drive_step(&def, &state, feedback, STEP);
    }
    TEST_ASSERT_TRUE(state.held >> boom & 1);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, state.command[boom].speed);
    TEST_ASSERT_DOUBLE_WITHIN(20.0, 38 * MPA * BOOM_PUSH, state.command[boom].push);
}

// Boost raises the relief to 38 MPa for 8 s, not longer, and is there again after letting go.
static void boost_lasts_eight_seconds(void)
{
    push(INPUT_STICK, 1.0);
    frame.switches = INPUT_SWITCH_BOOST;
    double area = def.cylinders[stick].area_push;
    run(7.8);
    TEST_ASSERT_DOUBLE_WITHIN(20.0, 38 * MPA * area, state.command[stick].push);
    run(0.4);
    TEST_ASSERT_DOUBLE_WITHIN(20.0, 35 * MPA * area, state.command[stick].push);
    frame.switches = 0;
    run(FRAME);
    frame.switches = INPUT_SWITCH_BOOST;
    run(0.2);
    TEST_ASSERT_DOUBLE_WITHIN(20.0, 38 * MPA * area, state.command[stick].push);
}

// The last 30 mm: at the lever's full speed a cylinder 7.5 mm before its end may have half of it.
static void cushions_brake_evenly(void)
{
    const MachineCylinder* c = &def.cylinders[boom];
    double full = 429 * LPM / BOOM_PUSH;
    push(INPUT_BOOM, 1.0);
    feedback[boom].length = (double)c->closed + (double)c->stroke - 0.031;
    run(2.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, full, state.command[boom].speed);
    feedback[boom].length = (double)c->closed + (double)c->stroke - 0.0075;
    run(FRAME);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.5 * full, state.command[boom].speed);
    push(INPUT_BOOM, -1.0); // and away from it without a brake
    run(2.0);
    TEST_ASSERT_TRUE(state.command[boom].speed < -0.25);
}

// --- swing and travel ----------------------------------------------------------------------------

// To the right is against the joint, 11.3 rpm, 74 kN m.
static void swing_turns_right(void)
{
    push(INPUT_SWING, 1.0);
    run(2.0);
    TEST_ASSERT_DOUBLE_WITHIN(2e-3, -11.3 * BASE_PI / 30.0, state.command[swing].speed);
    TEST_ASSERT_DOUBLE_WITHIN(100.0, 74e3, state.command[swing].pull);
    TEST_ASSERT_DOUBLE_WITHIN(100.0, 0.7 * 88e3, state.command[swing].push);
    push(INPUT_SWING, 0.0);
    run(3.0);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, state.command[swing].speed);
}

// A heavy track shifts to the larger displacement: slower and stronger; and back when light.
static void travel_shifts_by_load(void)
{
    push(INPUT_TRACK_LEFT, 1.0);
    push(INPUT_TRACK_RIGHT, 1.0);
    run(2.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 5.7 / 3.6, state.command[left].speed);
    TEST_ASSERT_DOUBLE_WITHIN(0.5e3, 69.7e3, state.command[left].push); // 2.258e-3 x 34.3 MPa x 0.9
    feedback[left].effort = feedback[right].effort = 69e3;
    run(1.0);
    TEST_ASSERT_EQUAL_UINT(1u << left | 1u << right, state.slow_range);
    TEST_ASSERT_DOUBLE_WITHIN(1.0, 102.5e3, state.command[left].push);
    feedback[left].effort = feedback[right].effort = 20e3;
    run(1.0);
    TEST_ASSERT_EQUAL_UINT(0, state.slow_range);
    frame.switches = INPUT_SWITCH_SLOW;
    run(0.5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, 214.5 * LPM / 3.3203e-3, state.command[left].speed);
}

// With the bucket on the first pump the left track would lag; both get the same instead.
static void travel_stays_straight(void)
{
    push(INPUT_TRACK_LEFT, 1.0);
    push(INPUT_TRACK_RIGHT, 1.0);
    push(INPUT_BUCKET, 1.0);
    run(2.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, state.command[right].speed, state.command[left].speed);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 2.0 / 3.0 * 5.7 / 3.6, state.command[left].speed);
}

// --- levers --------------------------------------------------------------------------------------

// Nothing moves for 80 ms; then it does.
static void valves_answer_late(void)
{
    push(INPUT_BOOM, 1.0);
    run(4 * FRAME); // 67 ms
    TEST_ASSERT_EQUAL_DOUBLE(0.0, state.spool[boom]);
    run(2 * FRAME);
    TEST_ASSERT_TRUE(state.spool[boom] > 0.0);
}

static double time_to(double opening, InputResponse response)
{
    machine_drive_reset(&def, &state);
    frame.response = (uint8_t)response;
    push(INPUT_BUCKET, 1.0);
    double time = 0.0;
    for (; state.spool[bucket] < opening && time < 5.0; time += FRAME)
        run(FRAME);
    return time;
}

// 80 ms late, then a ramp of rate r behind a lag of 60 ms: r (t - 0.06 (1 - exp(-t / 0.06))), and
// from the ramp's end on the rest shrinks by e every 60 ms. 90 % are reached after 0.64, 0.38 and
// 0.29 s; a frame is 0.017 s.
static void response_settings_differ(void)
{
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 0.64, time_to(0.9, INPUT_RESPONSE_SOFT));
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 0.38, time_to(0.9, INPUT_RESPONSE_NORMAL));
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 0.29, time_to(0.9, INPUT_RESPONSE_ACTIVE));
}

// Levers that jump from stop to stop, with frames no hand could make: the spool never moves faster
// than the rate limit, and every damaged frame is counted.
static void mad_levers_do_not_jerk(void)
{
    double last = 0.0;
    for (int i = 0; i < 600; ++i) {
        int16_t bad[] = {32767, -32767, -32768, 0};
        frame.lever[INPUT_BOOM] = bad[i % 4];
        frame.lever[INPUT_BRAKE] = i % 2 ? -5 : 0;
        machine_drive_input(&def, &state, &frame, FRAME);
        for (int k = 0; k < 4; ++k) {
            machine_drive_step(&def, &state, feedback, STEP);
            // 6 1/s of fall, then 4 1/s of rise, behind a lag: never more than the faster of both
            TEST_ASSERT_DOUBLE_WITHIN(6.0 * FRAME, last, state.spool[boom]);
            TEST_ASSERT_TRUE(isfinite(state.command[boom].speed));
            last = state.spool[boom];
        }
    }
    TEST_ASSERT_EQUAL_UINT64(150 + 300, state.faults);
}

// The lock-out lever shuts everything, also what is under way.
static void locked_is_locked(void)
{
    push(INPUT_BOOM, 1.0);
    push(INPUT_SWING, 1.0);
    run(1.0);
    frame.switches = INPUT_SWITCH_LOCK;
    run(3.0);
    for (int i = 0; i < def.actuator_count; ++i)
        TEST_ASSERT_EQUAL_DOUBLE(0.0, state.command[i].speed);
}

// Same levers, same bits; and a snapshot in the middle goes on as if nothing had been.
static void snapshots_go_on(void)
{
    push(INPUT_BOOM, 0.7);
    push(INPUT_SWING, -0.4);
    feedback[boom].effort = 3e5;
    run(0.3);
    MachineDriveState copy = state;
    run(0.5);
    MachineDriveState first = state;
    state = copy;
    run(0.5);
    TEST_ASSERT_EQUAL_MEMORY(&first, &state, sizeof state);
}

// --- engine --------------------------------------------------------------------------------------

// Between two points of the curve, a straight line; outside, the last point.
static void torque_by_hand(void)
{
    const MachineEngineDef* e = &def.drive->engine;
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 775.0, machine_engine_limit(e, 1300 * BASE_PI / 30));
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 560.0, machine_engine_limit(e, 300 * BASE_PI / 30));
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 560.0, machine_engine_limit(e, 3000 * BASE_PI / 30));
}

// 75 % of 642 N m at 1800 rpm are 90.8 kW, at 219 g/kWh and 835 g/L: 23.80 L/h. Idling: 2 L/h.
static void fuel_by_hand(void)
{
    const MachineEngineDef* e = &def.drive->engine;
    double speed = 1800 * BASE_PI / 30;
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 23.80, 3.6e6 * machine_engine_fuel(e, speed, 0.75 * 642.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2.0, 3.6e6 * machine_engine_fuel(e, 900 * BASE_PI / 30, 0.0));
    // more power never costs less
    for (double t = 0.0, last = 0.0; t <= 642.0; t += 6.42) {
        double now = machine_engine_fuel(e, speed, t);
        TEST_ASSERT_TRUE(now > last);
        last = now;
    }
}

// Without load it turns 5 % faster; under a sudden full load it droops, the pumps give way, and it
// comes back to rated speed.
static void the_engine_bogs_and_recovers(void)
{
    double rated = 1800 * BASE_PI / 30, lowest = 1e9;
    run(1.0);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * rated, 1.05 * rated, state.engine_speed);
    push(INPUT_BOOM, 1.0);
    push(INPUT_STICK, 1.0);
    push(INPUT_BUCKET, 1.0);
    feedback[boom].effort = 35 * MPA * BOOM_PUSH;
    feedback[stick].effort = 35 * MPA * def.cylinders[stick].area_push;
    feedback[bucket].effort = 35 * MPA * def.cylinders[bucket].area_push;
    for (int i = 0; i < 180; ++i) {
        run(FRAME);
        lowest = state.engine_speed < lowest ? state.engine_speed : lowest;
    }
    TEST_ASSERT_TRUE(lowest > 0.90 * rated && lowest < 1.03 * rated);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * rated, rated, state.engine_speed);
    TEST_ASSERT_TRUE(state.engine_load > 0.9 && state.engine_load <= 1.0);
}

// Auto-idle after 4 s without a lever, back within a second after one.
static void auto_idle_comes_and_goes(void)
{
    frame.switches = INPUT_SWITCH_AUTO_IDLE;
    run(3.9);
    TEST_ASSERT_TRUE(state.engine_speed > 1800 * BASE_PI / 30);
    run(6.0);
    TEST_ASSERT_DOUBLE_WITHIN(10.0, 1100 * BASE_PI / 30 + 0.05 * 1800 * BASE_PI / 30,
                              state.engine_speed);
    TEST_ASSERT_TRUE(state.flags & MACHINE_DRIVE_IDLING);
    push(INPUT_BUCKET, 1.0);
    run(1.5);
    TEST_ASSERT_TRUE(state.engine_speed > 0.98 * 1800 * BASE_PI / 30);
    TEST_ASSERT_FALSE(state.flags & MACHINE_DRIVE_IDLING);
}

// --- files ---------------------------------------------------------------------------------------

// The state is whole: no bytes that nobody writes, so that its hash means something.
static void state_has_no_holes(void)
{
    TEST_ASSERT_EQUAL_UINT(0, sizeof(MachineDriveState) % 8);
    MachineDriveState a, b;
    memset(&a, 0x00, sizeof a);
    memset(&b, 0xff, sizeof b);
    machine_drive_reset(&def, &a);
    machine_drive_reset(&def, &b);
    TEST_ASSERT_EQUAL_MEMORY(&a, &b, sizeof a);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(three_share_two_pumps);
    RUN_TEST(a_crowded_pump_is_left_to_its_own);
    RUN_TEST(power_scales_all);
    RUN_TEST(speed_is_flow_over_area);
    RUN_TEST(half_a_lever_is_less_than_half);
    RUN_TEST(the_engine_limits_at_the_relief);
    RUN_TEST(regeneration_spares_the_pump);
    RUN_TEST(loads_are_held);
    RUN_TEST(boost_lasts_eight_seconds);
    RUN_TEST(cushions_brake_evenly);
    RUN_TEST(swing_turns_right);
    RUN_TEST(travel_shifts_by_load);
    RUN_TEST(travel_stays_straight);
    RUN_TEST(valves_answer_late);
    RUN_TEST(response_settings_differ);
    RUN_TEST(mad_levers_do_not_jerk);
    RUN_TEST(locked_is_locked);
    RUN_TEST(snapshots_go_on);
    RUN_TEST(torque_by_hand);
    RUN_TEST(fuel_by_hand);
    RUN_TEST(the_engine_bogs_and_recovers);
    RUN_TEST(auto_idle_comes_and_goes);
    RUN_TEST(state_has_no_holes);
    return UNITY_END();
}
