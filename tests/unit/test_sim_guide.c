// The built-in operator in lessons: good hands and bad ones are told apart by the measures that are about
// hands; a fill gets its soil where it is lowest; between two works the machine is driven.
#include "base/base_path.h"
#include "sim/sim_guide.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TRACE_SECONDS 45.0 // the expert needs 33

static char path[64];
static SimLesson* lesson;
static SimGuide guide;
static ScoreResult result;

void setUp(void) {}

void tearDown(void)
{
    sim_lesson_destroy(lesson);
    lesson = NULL;
    unlink(path);
}

static void begin(const char* name, OperatorKind kind)
{
    BaseYamlError error;
    SimLessonDef def = {name, base_path_find, 1};
    lesson = sim_lesson_create(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
    TEST_ASSERT_TRUE_MESSAGE(sim_guide_begin(&guide, lesson, kind, &error), error.text);
}

static void step(void)
{
    InputFrame levers;
    sim_guide_step(&guide, &levers);
    sim_lesson_step(lesson, &levers);
}

static double now(void)
{
    return world_time(sim_lesson_world(lesson));
}

// --- good hands and bad ones ---------------------------------------------------------------------

static void work(const char* name, OperatorKind kind, double seconds)
{
    begin(name, kind);
    while (!sim_lesson_over(lesson) && now() < seconds) {
        step();
    }
    sim_lesson_judge(lesson, NULL, &result);
    sim_lesson_destroy(lesson);
    lesson = NULL;
}

static double measured(ScoreMeasure measure)
{
    TEST_ASSERT_TRUE(result.value[measure].known);
    return result.value[measure].value;
}

// A line is followed by both: late hands are off it, jerk, move one lever after the other, and are not done.
static void a_novice_scores_lower_where_hands_count(void)
{
    work("config/scenarios/trace.yaml", OPERATOR_EXPERT, TRACE_SECONDS);
    double points = result.total, off = measured(SCORE_TRACE_ERROR), jerk = measured(SCORE_JERK);
    double done = measured(SCORE_COMPLETION), three = measured(SCORE_THREE_AXES);
    TEST_ASSERT_TRUE(result.passed);
    work("config/scenarios/trace.yaml", OPERATOR_NOVICE, TRACE_SECONDS);
    char text[160];
    snprintf(text, sizeof text,
             "points %.1f, %.1f; off %.0f, %.0f mm; jerk %.1f, %.1f; done %.0f, %.0f %%; three "
             "axes %.0f, %.0f %%",
             points, result.total, off, measured(SCORE_TRACE_ERROR), jerk, measured(SCORE_JERK),
             done, measured(SCORE_COMPLETION), three, measured(SCORE_THREE_AXES));
    TEST_ASSERT_FALSE_MESSAGE(result.passed, text);
    TEST_ASSERT_TRUE_MESSAGE(result.total < points - 20.0, text);
    TEST_ASSERT_TRUE_MESSAGE(measured(SCORE_TRACE_ERROR) > 2.0 * off, text);
    TEST_ASSERT_TRUE_MESSAGE(measured(SCORE_JERK) > 1.3 * jerk, text);
    TEST_ASSERT_TRUE_MESSAGE(measured(SCORE_COMPLETION) < done, text);
    TEST_ASSERT_TRUE_MESSAGE(measured(SCORE_THREE_AXES) < 0.5 * three, text);
}

// --- works of a lesson ---------------------------------------------------------------------------

#define BEGIN                                                                    \
    "title: T\ntime_limit: 5 min\nown_site:\n  title: S\n  size: [40 m, 30 m]\n" \
    "  bedrock: 4 m\n  ground:\n    - {material: loam}\n"
#define CRITERIA "criteria:\n  - {measure: time, at_most: 100, pillar: economy}\n"

static void make(const char* rest)
{
    snprintf(path, sizeof path, "/tmp/mattock_guide_%d.yaml", (int)getpid());
    FILE* file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL(file);
    fprintf(file, BEGIN "%s" CRITERIA, rest);
    fclose(file);
    begin(path, OPERATOR_EXPERT);
}

// The second half of the trench is deeper: the first bucket goes there, into its middle.
static void a_fill_gets_its_soil_where_it_is_lowest(void)
{
    make("  shapes:\n    - trench: {from: [10 m, 15 m], to: [14 m, 15 m], width: 1.4 m, depth: 0.4 "
         "m}\n"
         "    - trench: {from: [14 m, 15 m], to: [18 m, 15 m], width: 1.4 m, depth: 1 m}\n"
         "machine: {vehicle: excavator_22t, at: [14 m, 11 m], heading: 90 deg}\n"
         "goals:\n  fill: {fill: {from: [10 m, 15 m], to: [18 m, 15 m], width: 1.4 m, height: 0 "
         "m}}\n"
         "zones:\n  berm: {kind: dig, outline: [8 m, 17 m, 20 m, 17 m, 20 m, 22 m, 8 m, 22 m]}\n"
         "operator: {program: backfill, goal: fill}\n");
    step();
    const OperatorTask* task = &guide.hands.task;
    const TerrainDef* site = terrain_definition(world_terrain(sim_lesson_world(lesson)));
    Vec3 at = scenario_from_corner(site, vec3(task->heap[0][0], 0.0f, task->heap[0][1]));
    TEST_ASSERT_TRUE(at.x > 14.4f && at.x < 18.0f);
    TEST_ASSERT_FLOAT_WITHIN(0.01f, 15.0f, at.z);
    TEST_ASSERT_FALSE(guide.levels);
}

// A heap lies in it, and nowhere anything is missing: it is levelled at once, and what is too much goes back.
static void a_full_fill_is_levelled(void)
{
    make(
        "  shapes:\n    - berm: {from: [13 m, 15 m], to: [15 m, 15 m], width: 1.4 m, height: 0.4 "
        "m, "
        "material: loam, soil: loose}\n"
        "machine: {vehicle: excavator_22t, at: [14 m, 11 m], heading: 90 deg}\n"
        "goals:\n  fill: {fill: {from: [13 m, 15 m], to: [15 m, 15 m], width: 1.4 m, height: 0 "
        "m}}\n"
        "zones:\n  berm: {kind: dig, outline: [8 m, 15.8 m, 20 m, 15.8 m, 20 m, 22 m, 8 m, 22 m]}\n"
        "operator: {program: backfill, goal: fill}\n");
    while (!guide.levels && now() < 3.0) {
        step();
    }
    TEST_ASSERT_TRUE(guide.levels);
    TEST_ASSERT_TRUE(guide.hands.task.tolerance > 0.0f);
    const TerrainDef* site = terrain_definition(world_terrain(sim_lesson_world(lesson)));
    Vec3 at = scenario_from_corner(
        site, vec3(guide.hands.task.heap[0][0], 0.0f, guide.hands.task.heap[0][1]));
    TEST_ASSERT_TRUE(at.z > 16.5f);
}

// The way to the next work is a goal of its own; with the bucket drawn in, then it digs there.
static void between_two_works_it_drives(void)
{
    make("machine: {vehicle: excavator_22t, at: [12 m, 12 m]}\n"
         "goals:\n  way: {drive: {points: [15 m, 12 m], radius: 0.5 m}}\n"
         "  ditch: {trench: {from: [22 m, 12 m], to: [18 m, 12 m], width: 1.2 m, depth: 0.5 m}}\n"
         "operator: {program: trench}\n");
    TEST_ASSERT_TRUE(guide.drives);
    while (guide.drives && now() < 40.0) {
        step();
    }
    TEST_ASSERT_FALSE(guide.drives);
    TEST_ASSERT_EQUAL_INT(1, guide.goal);
    TEST_ASSERT_TRUE(guide.hands.task.program == OPERATOR_TRENCH);
    const World* world = sim_lesson_world(lesson);
    const Machine* m = world_machine(sim_lesson_world(lesson), 0);
    Vec3 at = scenario_from_corner(terrain_definition(world_terrain((World*)world)),
                                   machine_pose(m, 0).position);
    TEST_ASSERT_TRUE(fabsf(at.x - 15.0f) < 0.6f && fabsf(at.z - 12.0f) < 0.6f);
    const OperatorArm* arm = sim_lesson_arm(lesson);
    TEST_ASSERT_TRUE(machine_joint(m, arm->body[OPERATOR_STICK]) < -1.9);
}

// Which end of its tracks a machine has before it, is no matter: it goes away from the trench it digs.
static void it_travels_away_from_a_trench_however_it_stands(void)
{
    for (int turned = 0; turned < 2; ++turned) {
        char rest[512];
        snprintf(
            rest, sizeof rest,
            "machine: {vehicle: excavator_22t, at: [20 m, 12 m], heading: %d deg, swing: %d deg}\n"
            "goals:\n  ditch: {trench: {from: [13 m, 12 m], to: [15 m, 12 m], width: 1.2 m, "
            "depth: 0.5 m}}\noperator: {program: trench}\n",
            turned ? 0 : 180, turned ? 180 : 0);
        make(rest);
        World* world = sim_lesson_world(lesson);
        guide.hands.task.tolerance = 9.0f; // nothing is worth a pass
        float from = machine_pose(world_machine(world, 0), 0).position.x;
        while (now() < 8.0) {
            step();
        }
        TEST_ASSERT_TRUE(machine_pose(world_machine(world, 0), 0).position.x > from + 0.5f);
        sim_lesson_destroy(lesson);
        lesson = NULL;
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_novice_scores_lower_where_hands_count);
    RUN_TEST(a_fill_gets_its_soil_where_it_is_lowest);
    RUN_TEST(a_full_fill_is_levelled);
    RUN_TEST(between_two_works_it_drives);
    RUN_TEST(it_travels_away_from_a_trench_however_it_stands);
    return UNITY_END();
}
