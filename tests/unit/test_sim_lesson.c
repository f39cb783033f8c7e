// What happens in a lesson while it runs: faults, rain, people, alarms, trucks; and that no step allocates.
#include "count_alloc.h"

#include "sim/sim_guide.h"
#include "sim/sim_lesson_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[48], path[64];
static SimLesson* lesson;
static InputFrame frame;

static bool find(const char* name, char* out, size_t size)
{
    snprintf(out, size, "%s", name); // tests start in the root of the sources
    return access(out, F_OK) == 0;
}

void setUp(void)
{
    memset(&frame, 0, sizeof frame);
}

void tearDown(void)
{
    sim_lesson_destroy(lesson);
    lesson = NULL;
}

#define BEGIN                                                                             \
    "title: T\nfree: true\nown_site:\n  title: S\n  size: [36 m, 30 m]\n  bedrock: 4 m\n" \
    "  ground:\n    - {material: moist_sand}\n"
#define MACHINE "machine: {vehicle: excavator_22t, at: [12 m, 15 m]}\n"

static void make(const char* rest)
{
    BaseYamlError error;
    FILE* file = fopen(path, "w");
    fprintf(file, BEGIN "%s", rest);
    fclose(file);
    SimLessonDef def = {path, find, 1};
    lesson = sim_lesson_create(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
}

static void run_until(double time)
{
    while (world_time(sim_lesson_world(lesson)) < time - 1e-9) {
        sim_lesson_step(lesson, &frame);
    }
}

static double joint(OperatorJoint k)
{
    return machine_joint(world_machine(sim_lesson_world(lesson), 0),
                         sim_lesson_arm(lesson)->body[k]);
}

// m of its cylinder.
static double reached(OperatorJoint k)
{
    const OperatorArm* arm = sim_lesson_arm(lesson);
    return machine_feedback(world_machine(sim_lesson_world(lesson), 0), arm->actuator[k]).length;
}

// How far a function's cylinder moves in a second at this lever, from `time` on.
static double moved(OperatorJoint k, float lever, double time)
{
    bool turns = k == OPERATOR_SWING;
    run_until(time);
    double from = turns ? joint(k) : reached(k);
    frame.lever[sim_lesson_arm(lesson)->lever[k]] = input_quantise(lever, NULL);
    run_until(time + 1.0);
    frame.lever[sim_lesson_arm(lesson)->lever[k]] = 0;
    double way = fabs((turns ? joint(k) : reached(k)) - from);
    run_until(time + 2.0);
    return way;
}

// --- faults --------------------------------------------------------------------------------------

// Half the flow: both pumps together give the stick less than it takes at a full lever; afterwards all is as
// before.
static void a_slow_pump_is_slow_for_its_time(void)
{
    make(MACHINE "events:\n  f: {does: fault, time: 5 s, fault: slow_pump, duration: 4 s}\n");
    double whole = moved(OPERATOR_STICK, 1.0f, 1.0);
    moved(OPERATOR_STICK, -1.0f, 3.0);
    double half = moved(OPERATOR_STICK, 1.0f, 5.5);
    TEST_ASSERT_EQUAL_INT(SCENARIO_FAULT_SLOW_PUMP, sim_lesson_state(lesson)->scenario.fault);
    run_until(9.5);
    moved(OPERATOR_STICK, -1.0f, 10.0);
    moved(OPERATOR_STICK, -1.0f, 12.0);
    TEST_ASSERT_EQUAL_INT(SCENARIO_FAULT_NONE, sim_lesson_state(lesson)->scenario.fault);
    double again = moved(OPERATOR_STICK, 1.0f, 14.5);
    char text[96];
    snprintf(text, sizeof text, "%.3f m, slow %.3f m, again %.3f m", whole, half, again);
    TEST_ASSERT_TRUE_MESSAGE(half < 0.8 * whole && half > 0.4 * whole, text);
    TEST_ASSERT_TRUE_MESSAGE(fabs(again - whole) < 0.1 * whole, text);
}

static float boom_relief(void)
{
    const MachineDriveDef* d = world_machine_def(sim_lesson_world(lesson), 0)->drive;
    for (int n = 0; n < d->hydraulics.function_count; ++n) {
        const MachineFunction* f = &d->hydraulics.functions[n];
        if (f->lever == INPUT_BOOM) {
            return f->extend.relief > 0.0f ? f->extend.relief : d->hydraulics.relief;
        }
    }
    return 0.0f;
}

static void a_weak_boom_and_a_hot_engine_change_the_machine_and_leave_it(void)
{
    make(MACHINE "events:\n  a: {does: fault, time: 1 s, fault: weak_boom, duration: 1 s}\n"
                 "  b: {does: fault, time: 3 s, fault: engine_hot, duration: 1 s}\n");
    float whole = boom_relief();
    float power = world_machine_def(sim_lesson_world(lesson), 0)->drive->engine.power;
    run_until(1.5);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f * whole, 2.0f / 3.0f * whole, boom_relief());
    run_until(2.5);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f * whole, whole, boom_relief());
    run_until(3.5);
    TEST_ASSERT_FLOAT_WITHIN(1.0f, 0.5f * power,
                             world_machine_def(sim_lesson_world(lesson), 0)->drive->engine.power);
    run_until(4.5);
    TEST_ASSERT_FLOAT_WITHIN(1.0f, power,
                             world_machine_def(sim_lesson_world(lesson), 0)->drive->engine.power);
}

// --- rain ----------------------------------------------------------------------------------------

// A heap at the repose of moist sand does not stand in the rain; its mass stays.
static void rain_changes_the_soil_that_lies_there(void)
{
    make("  shapes:\n    - pile: {center: [26 m, 15 m], volume: 12 m3, material: "
         "moist_sand}\n" MACHINE
         "events:\n  rain: {does: weather, time: 2 s, weather: wet, say: It rains.}\n");
    World* world = sim_lesson_world(lesson);
    run_until(1.9);
    const Material* sand = world_site(world)->material[0];
    float cohesion = sand->cohesion, adhesion = sand->steel_adhesion;
    Vec3 at = scenario_world(terrain_definition(world_terrain(world)), vec3(26.0f, 0.0f, 15.0f));
    float top = terrain_height(world_terrain(world), at.x, at.z);
    TEST_ASSERT_TRUE(terrain_still(world_terrain(world)));
    run_until(12.0);
    TEST_ASSERT_TRUE_MESSAGE(fabsf(sand->cohesion - 0.6f * cohesion) < 1e-3f * cohesion,
                             "cohesion");
    TEST_ASSERT_TRUE(fabsf(sand->steel_adhesion - 1.6f * adhesion) <= 1e-3f * adhesion);
    float wet = terrain_height(world_terrain(world), at.x, at.z);
    char text[64];
    snprintf(text, sizeof text, "the heap is %.2f m high, %.2f m in the rain", (double)top,
             (double)wet);
    TEST_ASSERT_TRUE_MESSAGE(wet < top - 0.1f, text);
    TEST_ASSERT_TRUE(world_imbalance(world) == 0 && world_audit(world));
    TEST_ASSERT_EQUAL_STRING("It rains.", sim_lesson_state(lesson)->event[0].text);
}

// --- people, alarms, trucks ----------------------------------------------------------------------

// Somebody sets out when the event says so, is where walking brings them, and is danger while the machine moves.
static void people_walk_and_are_in_danger(void)
{
    Vec3 at;
    make("zones:\n  swing: {kind: swing, center: [12 m, 15 m], radius: 8 m}\n"
         "objects:\n  anna: {person: {at: [30 m, 15 m], walks_to: [18 m, 15 m], speed: 2 m/s}, "
         "hidden: true}\n" MACHINE "events:\n  come: {does: appear, time: 2 s, object: anna}\n"
         "  stop: {does: alarm, time: 7 s, duration: 3 s}\n");
    run_until(1.5);
    TEST_ASSERT_FALSE(sim_lesson_person(lesson, 0, &at));
    run_until(4.0);
    TEST_ASSERT_TRUE(sim_lesson_person(lesson, 0, &at));
    Vec3 corner =
        scenario_from_corner(terrain_definition(world_terrain(sim_lesson_world(lesson))), at);
    TEST_ASSERT_FLOAT_WITHIN(0.1f, 26.0f, corner.x);
    // turning while nobody is in the zone, then while somebody is
    moved(OPERATOR_SWING, 0.6f, 4.0);
    run_until(6.5);
    TEST_ASSERT_EQUAL_INT(0, sim_lesson_state(lesson)->score.people);
    frame.lever[sim_lesson_arm(lesson)->lever[OPERATOR_SWING]] = input_quantise(0.6f, NULL);
    run_until(8.0);
    TEST_ASSERT_EQUAL_INT(1, sim_lesson_state(lesson)->score.people);
    TEST_ASSERT_TRUE(sim_lesson_state(lesson)->score.last.alarm);
    frame.lever[sim_lesson_arm(lesson)->lever[OPERATOR_SWING]] = 0;
    run_until(11.0);
    TEST_ASSERT_FALSE(sim_lesson_state(lesson)->score.last.alarm);
    double reaction = sim_lesson_state(lesson)->score.reaction_worst;
    TEST_ASSERT_TRUE_MESSAGE(reaction > 1.0 && reaction < 3.1, "reaction");
}

static void a_truck_comes_to_its_place(void)
{
    make("objects:\n  t: {truck: {vehicle: truck_24t, at: [20 m, 24 m], heading: 0 deg, load: 8 t, "
         "from: [9 m, 24 m], trips: 2}}\n" MACHINE);
    run_until(0.5);
    TEST_ASSERT_EQUAL_INT(SIM_TRUCK_COMING, sim_lesson_state(lesson)->truck[0].phase);
    TEST_ASSERT_TRUE(sim_lesson_state(lesson)->score.last.waiting);
    for (double t = 1.0; t < 40.0 && sim_lesson_state(lesson)->truck[0].phase == SIM_TRUCK_COMING;
         t += 1.0) {
        run_until(t);
    }
    TEST_ASSERT_EQUAL_INT(SIM_TRUCK_STANDING, sim_lesson_state(lesson)->truck[0].phase);
    TEST_ASSERT_TRUE(sim_lesson_truck_ready(lesson, 1));
    run_until(world_time(sim_lesson_world(lesson)) + 0.1);
    TEST_ASSERT_FALSE(sim_lesson_state(lesson)->score.last.waiting);
    World* world = sim_lesson_world(lesson);
    const MachineBin* bin = &world_machine_def(world, 1)->bins[0];
    Vec3 bed = machine_to_world(world_machine(world, 1), bin->body, bin->center);
    Vec3 at = scenario_from_corner(terrain_definition(world_terrain(world)), bed);
    TEST_ASSERT_FLOAT_WITHIN(1.5f, 20.0f, at.x);
    TEST_ASSERT_FLOAT_WITHIN(1.0f, 24.0f, at.z);
}

// Let go by the horn with 7 of 12 t it counts for nothing and comes again, empty; with 11 t it has its load. On the
// way to it, what lies on the bed is a part of the goal, but for what lay there from the start.
static void a_truck_sent_away_half_full_comes_again(void)
{
    static const char* const lorry = "goals:\n  t: {load: {trucks: 1}}\nobjects:\n  t: {truck: "
                                     "{vehicle: truck_24t, at: [20 m, 24 m], "
                                     "heading: 0 deg, load: 12 t, from: [14 m, 24 m], trips: 1, "
                                     "pause: 1 s, payload: %d t}}\n" MACHINE;
    char text[400];
    for (int half = 0; half < 2; ++half) {
        snprintf(text, sizeof text, lorry, half ? 7 : 11);
        make(text);
        const SimTruck* truck = &sim_lesson_state(lesson)->truck[0];
        while (truck->phase == SIM_TRUCK_COMING) {
            run_until(world_time(sim_lesson_world(lesson)) + 0.5);
        }
        run_until(world_time(sim_lesson_world(lesson)) + 2.0);
        TEST_ASSERT_FLOAT_WITHIN(0.01f, 0.0f, sim_lesson_state(lesson)->scenario.progress[0]);
        frame.switches = INPUT_SWITCH_HORN;
        run_until(world_time(sim_lesson_world(lesson)) + 2.0);
        frame.switches = 0;
        TEST_ASSERT_EQUAL_INT(SIM_TRUCK_LEAVING, truck->phase);
        TEST_ASSERT_EQUAL_INT(!half, truck->trips);
        const SimLessonState* state = sim_lesson_state(lesson);
        TEST_ASSERT_EQUAL_STRING(half ? "a truck leaves with too little, and comes again"
                                      : "a truck leaves",
                                 state->event[half ? state->events - 1 : state->events - 2].text);
        TEST_ASSERT_EQUAL_INT(!half, sim_lesson_state(lesson)->scenario.done[0]);
        double gone = world_time(sim_lesson_world(lesson));
        while (half && truck->phase != SIM_TRUCK_STANDING &&
               world_time(sim_lesson_world(lesson)) < gone + 60.0) {
            run_until(world_time(sim_lesson_world(lesson)) + 0.5);
        }
        TEST_ASSERT_EQUAL_INT(half ? SIM_TRUCK_STANDING : SIM_TRUCK_LEAVING, truck->phase);
        tearDown();
    }
}

// A cable of 6 mm just below the ground, which the edge goes through at 20 mm and more in a step.
static void a_thin_cable_is_not_jumped_over(void)
{
    make("objects:\n  c: {cable: {from: [14 m, 12 m], to: [24 m, 18 m], depth: 0.02 m, diameter: 6 "
         "mm}}\n" MACHINE);
    frame.lever[sim_lesson_arm(lesson)->lever[OPERATOR_BOOM]] = input_quantise(-1.0f, NULL);
    run_until(3.0);
    TEST_ASSERT_EQUAL_INT(1, sim_lesson_state(lesson)->score.strikes);
}

// Where the edge is, from the corner of the site, as far as its plan goes.
static Vec3 edge_now(void)
{
    const Terrain* ground = world_terrain(sim_lesson_world(lesson));
    return scenario_from_corner(terrain_definition(ground),
                                sim_lesson_state(lesson)->score.last.edge);
}

// A point on the circle of the edge about the machine, so far to the right of where it looks.
static void on_circle(float radius, float degrees, float out[2])
{
    out[0] = 12.0f + radius * cosf(degrees * BASE_DEG);
    out[1] = 15.0f + radius * sinf(degrees * BASE_DEG);
}

// A wall, a marked area and a line stand on the way of the arm: passing counts each once, and the way back once more;
// what stands aside is left alone.
static void what_the_arm_passes_is_counted(void)
{
    char text[900];
    float wall[4], line[4], zone[2];
    make(MACHINE);
    run_until(0.5);
    Vec3 edge = edge_now();
    float r = sqrtf((edge.x - 12.0f) * (edge.x - 12.0f) + (edge.z - 15.0f) * (edge.z - 15.0f));
    tearDown();
    on_circle(0.9f * r, 40.0f, wall), on_circle(r + 0.5f, 40.0f, wall + 2);
    on_circle(0.8f * r, 80.0f, line), on_circle(r + 2.0f, 80.0f, line + 2);
    on_circle(r, 60.0f, zone);
    snprintf(
        text, sizeof text,
        "objects:\n  w: {wall: {from: [%.2f m, %.2f m], to: [%.2f m, %.2f m], height: 8 m}}\n"
        "  l: {line: {from: [%.2f m, %.2f m], to: [%.2f m, %.2f m], height: 5 m, clearance: 1 m}}\n"
        "  aside: {cone: {at: [2 m, 2 m]}}\n"
        "zones:\n  z: {kind: keep_out, center: [%.2f m, %.2f m], radius: 0.6 m}\n"
        "  far: {kind: keep_out, center: [30 m, 3 m], radius: 1 m}\n" MACHINE,
        (double)wall[0], (double)wall[1], (double)wall[2], (double)wall[3], (double)line[0],
        (double)line[1], (double)line[2], (double)line[3], (double)zone[0], (double)zone[1]);
    make(text);
    for (int way = 0; way < 2; ++way) {
        frame.lever[sim_lesson_arm(lesson)->lever[OPERATOR_SWING]] =
            input_quantise(way ? -0.5f : 0.5f, NULL);
        double until = world_time(sim_lesson_world(lesson)) + 30.0;
        float yaw = 0.0f;
        do {
            run_until(world_time(sim_lesson_world(lesson)) + 0.1);
            yaw = (float)sim_lesson_state(lesson)->score.last.joint[SCORE_SWING] / BASE_DEG;
        } while ((way ? yaw > 5.0f : yaw < 115.0f) && world_time(sim_lesson_world(lesson)) < until);
        const Score* s = &sim_lesson_state(lesson)->score;
        TEST_ASSERT_EQUAL_INT(1 + way, s->collisions);
        TEST_ASSERT_EQUAL_INT(1 + way, s->zone_entries);
        TEST_ASSERT_EQUAL_INT(1 + way, s->line_hits);
        TEST_ASSERT_TRUE(s->strikes == 0 && s->people == 0 && s->truck_hits == 0);
    }
}

// Driving with the bucket up: its height above level ground is what it was measured as, standing.
static void the_bucket_is_as_high_as_it_is_carried(void)
{
    make(MACHINE);
    run_until(2.5);
    double high = (double)sim_lesson_state(lesson)->score.last.clearance;
    TEST_ASSERT_FALSE(sim_lesson_state(lesson)->score.travelled);
    frame.lever[INPUT_TRACK_LEFT] = frame.lever[INPUT_TRACK_RIGHT] = input_quantise(0.6f, NULL);
    run_until(6.0);
    frame.lever[INPUT_TRACK_LEFT] = frame.lever[INPUT_TRACK_RIGHT] = 0;
    const Score* s = &sim_lesson_state(lesson)->score;
    char text[64];
    snprintf(text, sizeof text, "%.3f m standing, %.3f m at most", high, s->travel_height);
    TEST_ASSERT_TRUE(s->travelled);
    TEST_ASSERT_TRUE_MESSAGE(fabs(s->travel_height - high) < 0.15, text);
}

// --- doing nothing ---------------------------------------------------------------------------------

// In no lesson that is shipped: no points, no pass, no work, and nothing to be blamed for, whatever the ground does by
// itself.
static void who_does_nothing_has_done_nothing(void)
{
    static const char* const shipped[] = {
        "controls",   "travel",    "trace",    "pit",      "trench",    "footing", "slope",
        "load_truck", "stockpile", "backfill", "collapse", "utilities", "clay",    "free"};
    static const int none[] = {
        SCORE_MOVED,      SCORE_CYCLES,       SCORE_SPILL,        SCORE_DUG_OUTSIDE,
        SCORE_SLAMS,      SCORE_END_STOPS,    SCORE_STALLS,       SCORE_LIFT_TIME,
        SCORE_COLLISIONS, SCORE_TRUCK_HITS,   SCORE_STRIKES,      SCORE_LINE_ENTRIES,
        SCORE_PEOPLE,     SCORE_ZONE_ENTRIES, SCORE_SIDE_LOADING, SCORE_TRUCKS};
    BaseYamlError error;
    ScoreResult result;
    char text[96];
    for (size_t k = 0; k < sizeof shipped / sizeof *shipped; ++k) {
        SimLessonDef def = {shipped[k], find, 1};
        lesson = sim_lesson_create(&def, &error);
        TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
        run_until(4.0);
        sim_lesson_judge(lesson, NULL, &result);
        for (size_t m = 0; m < sizeof none / sizeof *none; ++m) {
            snprintf(text, sizeof text, "%s: %s is %g", shipped[k],
                     score_measure((ScoreMeasure)none[m])->name, result.value[none[m]].value);
            TEST_ASSERT_TRUE_MESSAGE(result.value[none[m]].value == 0.0, text);
        }
        bool practice = sim_lesson_scenario(lesson)->free;
        TEST_ASSERT_TRUE_MESSAGE(practice || (result.total == 0.0 && !result.passed), shipped[k]);
        tearDown();
    }
}

// --- one score for all -----------------------------------------------------------------------------

#define JUDGED                                                                          \
    MACHINE "goals:\n  up: {pose: {boom: 50 deg}}\n  far: {pose: {swing: 170 deg}}\n"   \
            "criteria:\n  - {measure: time, at_most: 1, margin: 60, pillar: economy}\n" \
            "  - {measure: jerk, at_most: 1, margin: 90, pillar: quality}\n"            \
            "operator: {program: follow}\n"

static void drive(int steps)
{
    static SimGuide guide;
    BaseYamlError error;
    TEST_ASSERT_TRUE(sim_guide_begin(&guide, lesson, OPERATOR_EXPERT, &error));
    for (int k = 0; k < steps; ++k) {
        sim_guide_step(&guide, &frame);
        sim_lesson_step(lesson, &frame);
    }
}

// The points on the screen are those of the report, at any moment; half of the goals is half of the points.
static void screen_and_report_agree(void)
{
    static SimLessonReport report;
    ScoreResult live;
    make(JUDGED);
    drive(5 * WORLD_RATE);
    sim_lesson_judge(lesson, NULL, &live);
    TEST_ASSERT_TRUE(sim_lesson_report(lesson, NULL, NULL, NULL, &report));
    TEST_ASSERT_TRUE(live.total == report.result.total && live.reached == 0.5);
    double way = (25.0 * live.pillar[SCORE_ECONOMY] + 35.0 * live.pillar[SCORE_QUALITY]) / 60.0;
    TEST_ASSERT_TRUE(way > 80.0 && fabs(live.total - 0.5 * way) < 1e-9);
    TEST_ASSERT_FALSE(live.passed || report.result.passed);
    sim_lesson_report_free(&report);
}

// What was measured once stands beside the next run, and says so when the lesson has changed since.
static void the_yardstick_is_found_beside_the_lesson(void)
{
    static SimLessonReport report;
    char beside[96];
    bool same;
    make(JUDGED);
    TEST_ASSERT_NULL(sim_lesson_yardstick(lesson, &same));
    drive(3 * WORLD_RATE);
    TEST_ASSERT_TRUE(scenario_yardstick_path(path, beside, sizeof beside));
    beside[strlen(beside) - strlen("/own.yaml")] = '\0';
    TEST_ASSERT_EQUAL_INT(0, mkdir(beside, 0700));
    strcat(beside, "/own.yaml");
    TEST_ASSERT_TRUE(sim_lesson_yardstick_write(lesson, beside));
    double time = sim_lesson_state(lesson)->score.time;
    tearDown();
    make(JUDGED);
    const ScenarioYardstick* y = sim_lesson_yardstick(lesson, &same);
    TEST_ASSERT_TRUE(y && same && y->value[SCORE_TIME].known);
    TEST_ASSERT_TRUE(fabs(y->value[SCORE_TIME].value - time) < 0.01);
    TEST_ASSERT_TRUE(sim_lesson_report(lesson, NULL, NULL, NULL, &report));
    TEST_ASSERT_TRUE(report.data.expert == y->value && report.data.expert_same);
    sim_lesson_report_free(&report);
    tearDown();
    make(JUDGED "# changed\n");
    TEST_ASSERT_TRUE(sim_lesson_yardstick(lesson, &same) && !same);
    unlink(beside);
    beside[strlen(beside) - strlen("/own.yaml")] = '\0';
    rmdir(beside);
}

// --- the heap ------------------------------------------------------------------------------------

// Digging, events, survey, samples, score: nothing of it asks for memory.
static void no_step_allocates(void)
{
    static SimGuide guide;
    BaseYamlError error;
    make("zones:\n  spoil: {kind: spoil, outline: [8 m, 20 m, 22 m, 20 m, 22 m, 28 m, 8 m, 28 m]}\n"
         "goals:\n  pit: {pit: {from: [16.5 m, 13 m], to: [20 m, 17 m], depth: 1 m}}\n" MACHINE
         "events:\n  rain: {does: weather, time: 3 s, weather: wet}\n"
         "  f: {does: fault, time: 4 s, fault: slow_pump, duration: 1 s}\n"
         "operator: {program: pit, goal: pit, dump: spoil}\n");
    TEST_ASSERT_TRUE(sim_guide_begin(&guide, lesson, OPERATOR_EXPERT, &error));
    for (int k = 0; k < 2 * WORLD_RATE; ++k) {
        sim_guide_step(&guide, &frame);
        sim_lesson_step(lesson, &frame);
    }
    watch();
    for (int k = 0; k < 8 * WORLD_RATE; ++k) {
        sim_guide_step(&guide, &frame);
        sim_lesson_step(lesson, &frame);
    }
    int made = watched();
    TEST_ASSERT_EQUAL_INT(0, made);
    TEST_ASSERT_TRUE(world_profile(sim_lesson_world(lesson))->grains > 100);
}

int main(void)
{
    start_counting();
    snprintf(folder, sizeof folder, "/tmp/test_sim_lesson_XXXXXX");
    if (!mkdtemp(folder)) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/own.yaml", folder);
    UNITY_BEGIN();
    RUN_TEST(counting_counts);
    RUN_TEST(a_slow_pump_is_slow_for_its_time);
    RUN_TEST(a_weak_boom_and_a_hot_engine_change_the_machine_and_leave_it);
    RUN_TEST(rain_changes_the_soil_that_lies_there);
    RUN_TEST(people_walk_and_are_in_danger);
    RUN_TEST(a_truck_comes_to_its_place);
    RUN_TEST(a_truck_sent_away_half_full_comes_again);
    RUN_TEST(a_thin_cable_is_not_jumped_over);
    RUN_TEST(what_the_arm_passes_is_counted);
    RUN_TEST(the_bucket_is_as_high_as_it_is_carried);
    RUN_TEST(who_does_nothing_has_done_nothing);
    RUN_TEST(screen_and_report_agree);
    RUN_TEST(the_yardstick_is_found_beside_the_lesson);
    RUN_TEST(no_step_allocates);
    unlink(path), rmdir(folder);
    return UNITY_END();
}
