// Targets, places, surveys against ground of known shape; goals and events as they come true.
#include "scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#define SIDE  0.1f
#define DEPTH 3.0f

static BaseArena arena;
static Scenario lesson;
static ScenarioFloors floors;
static ScenarioState state;
static Terrain* ground;
static float start[120 * 90], bank[120 * 90];

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, 16u << 20));
}

void tearDown(void)
{
    terrain_destroy(ground);
    ground = NULL;
    base_arena_free(&arena);
}

static void read_lesson(const char* parts)
{
    char text[4096];
    BaseYamlError error;
    snprintf(text, sizeof text,
             "title: T\nfree: true\nsite: flat\nmachine: {vehicle: x, at: [1 m, 1 m]}\n%s", parts);
    TEST_ASSERT_TRUE_MESSAGE(scenario_read("t", text, strlen(text), &arena, &lesson, &error),
                             error.text);
}

// 12 x 9 m of level clay whose surface is at the site's height 0, the corner somewhere in the world.
static void make_ground(void)
{
    TerrainDef def = terrain_def(120, 90);
    def.cell = SIDE;
    def.origin = vec3(-20.0f, 5.0f, 3.0f);
    def.material_count = 1;
    def.material[0] = terrain_material(1900.0f, 1500.0f, 0.3f, 40000.0f, 0.6f);
    ground = terrain_create(&def);
    TEST_ASSERT_NOT_NULL(ground);
    for (int cell = 0; cell < 120 * 90; ++cell) {
        terrain_set_base(ground, cell, def.origin.y - DEPTH);
        TEST_ASSERT_TRUE(terrain_lay_depth(ground, cell, 0, DEPTH));
        start[cell] = terrain_surface(ground, cell);
        bank[cell] = terrain_bank_top(ground, cell);
    }
    scenario_place_goals(&lesson, ground, &floors);
}

static void dig_to(float x0, float z0, float x1, float z1, float height)
{
    for (int j = (int)(z0 / SIDE + 0.5f); j < (int)(z1 / SIDE + 0.5f); ++j) {
        for (int i = (int)(x0 / SIDE + 0.5f); i < (int)(x1 / SIDE + 0.5f); ++i) {
            terrain_dig(ground, terrain_cell(ground, i, j), 5.0f + height);
        }
    }
}

static void expect_target(float x, float z, float want)
{
    float have = 99.0f;
    bool any = scenario_target_at(&lesson, &floors, x, z, &have);
    char text[100];
    snprintf(text, sizeof text, "at %g, %g: %g instead of %g", (double)x, (double)z,
             any ? (double)have : NAN, (double)want);
    TEST_ASSERT_TRUE_MESSAGE(want < -90.0f ? !any : any && fabsf(have - want) < 1e-4f, text);
}

#define NOTHING -99.0f

// --- targets -------------------------------------------------------------------------------------

static void a_pit_has_floor_and_sides(void)
{
    read_lesson(
        "goals: {pit: {pit: {from: [4 m, 3 m], to: [8 m, 6 m], depth: 1 m, sides: 45 deg}}}");
    make_ground();
    expect_target(6.0f, 4.5f, -1.0f);
    expect_target(8.4f, 4.5f, -0.6f);
    expect_target(6.0f, 2.75f, -0.75f);
    expect_target(8.3f, 6.6f, -0.4f); // in the corner the larger distance counts
    expect_target(9.1f, 4.5f, NOTHING);
    read_lesson("goals: {pit: {pit: {from: [4 m, 3 m], to: [8 m, 6 m], depth: 1 m}}}");
    expect_target(8.001f, 4.5f, NOTHING);
}

static void a_trench_falls_along_its_line(void)
{
    read_lesson("goals: {t: {trench: {from: [2 m, 4 m], to: [10 m, 4 m], width: 1 m, depth: 1 m, "
                "grade: 5 %}}}");
    make_ground();
    expect_target(2.0f, 4.0f, -1.0f);
    expect_target(10.0f, 4.4f, -1.4f);
    expect_target(6.0f, 3.6f, -1.2f);
    expect_target(6.0f, 4.6f, NOTHING);
    expect_target(10.1f, 4.0f, NOTHING);
}

// From +x to -x the left side is +z: y is up, z is to the right of x.
static void a_slope_rises_to_the_left(void)
{
    read_lesson("goals: {s: {slope: {from: [10 m, 4 m], to: [2 m, 4 m], toe: 0.5 m, angle: 45 deg, "
                "length: 2 m}}}");
    make_ground();
    expect_target(5.0f, 4.0f, 0.5f);
    expect_target(5.0f, 5.5f, 2.0f);
    expect_target(5.0f, 3.9f, NOTHING);
    expect_target(5.0f, 6.1f, NOTHING);
    expect_target(1.9f, 5.0f, NOTHING);
}

static void pads_and_fills_are_level(void)
{
    read_lesson("goals:\n"
                "  pad: {pad: {outline: [1 m, 1 m, 5 m, 1 m, 1 m, 5 m], height: -0.2 m}}\n"
                "  fill: {fill: {from: [6 m, 6 m], to: [10 m, 6 m], width: 1 m, height: 0.1 m}}\n");
    make_ground();
    expect_target(2.0f, 2.0f, -0.2f);
    expect_target(4.0f, 4.0f, NOTHING);
    expect_target(8.0f, 6.4f, 0.1f);
    expect_target(8.0f, 6.6f, NOTHING);
}

// --- places --------------------------------------------------------------------------------------

static void zones_win_over_goals_and_later_over_earlier(void)
{
    uint8_t map[120 * 90];
    read_lesson("goals: {pit: {pit: {from: [4 m, 3 m], to: [8 m, 6 m], depth: 1 m}}}\n"
                "zones:\n"
                "  spoil: {kind: spoil, outline: [0 m, 0 m, 3 m, 0 m, 3 m, 9 m, 0 m, 9 m]}\n"
                "  road: {kind: haul, center: [2 m, 2 m], radius: 1 m}\n"
                "  people: {kind: swing, center: [7 m, 4 m], radius: 0.5 m}\n"
                "  pipe: {kind: keep_out, center: [10 m, 1 m], radius: 0.5 m}\n");
    make_ground();
    TEST_ASSERT_EQUAL_INT(SCORE_PLACE_DIG, scenario_place(&lesson, &floors, 5.0f, 4.0f));
    TEST_ASSERT_EQUAL_INT(SCORE_PLACE_DUMP, scenario_place(&lesson, &floors, 1.0f, 8.0f));
    TEST_ASSERT_EQUAL_INT(SCORE_PLACE_HAUL, scenario_place(&lesson, &floors, 2.0f, 2.5f));
    TEST_ASSERT_EQUAL_INT(SCORE_PLACE_KEEP_OUT, scenario_place(&lesson, &floors, 10.0f, 1.2f));
    TEST_ASSERT_EQUAL_INT(SCORE_PLACE_DIG, scenario_place(&lesson, &floors, 7.0f, 4.2f));
    TEST_ASSERT_EQUAL_INT(SCORE_PLACE_ELSEWHERE, scenario_place(&lesson, &floors, 11.0f, 8.0f));
    scenario_place_map(&lesson, &floors, terrain_definition(ground), map);
    int dig = 0;
    for (int k = 0; k < 120 * 90; ++k) {
        dig += map[k] == SCORE_PLACE_DIG;
    }
    TEST_ASSERT_EQUAL_INT(40 * 30, dig);
}

// Not a milligram of the ground is at no place, and what is moved is found where it went.
static void soil_is_counted_by_place(void)
{
    static uint8_t map[120 * 90];
    int64_t before[SCORE_PLACE_COUNT], after[SCORE_PLACE_COUNT], sum = 0;
    double kg[SCENARIO_ZONES_MAX];
    read_lesson("goals: {pit: {pit: {from: [4 m, 3 m], to: [8 m, 6 m], depth: 1 m}}}\n"
                "zones: {heap: {kind: dump, center: [2 m, 7 m], radius: 1 m}}\n");
    make_ground();
    scenario_place_map(&lesson, &floors, terrain_definition(ground), map);
    scenario_places(map, ground, before);
    for (int p = 0; p < SCORE_PLACE_COUNT; ++p) {
        sum += before[p];
    }
    const TerrainLedger* ledger = &terrain_state(ground)->ledger;
    TEST_ASSERT_TRUE(sum == (int64_t)(ledger->bank.of[0] + ledger->loose.of[0]));
    scenario_zone_masses(&lesson, ground, kg);
    double begun = kg[0];

    TerrainDug dug = terrain_dig(ground, terrain_cell(ground, 50, 40), 4.5f);
    TEST_ASSERT_TRUE(terrain_deposit(ground, terrain_cell(ground, 20, 70), 0, (uint32_t)dug.total));
    scenario_places(map, ground, after);
    TEST_ASSERT_TRUE(after[SCORE_PLACE_DIG] - before[SCORE_PLACE_DIG] == -(int64_t)dug.total);
    TEST_ASSERT_TRUE(after[SCORE_PLACE_DUMP] - before[SCORE_PLACE_DUMP] == (int64_t)dug.total);
    TEST_ASSERT_TRUE(after[SCORE_PLACE_ELSEWHERE] == before[SCORE_PLACE_ELSEWHERE]);
    scenario_zone_masses(&lesson, ground, kg);
    TEST_ASSERT_TRUE(fabs(kg[0] - begun - 1e-6 * (double)dug.total) < 1e-6 && dug.total > 0);
}

// --- survey --------------------------------------------------------------------------------------

static ScenarioSurvey survey(void)
{
    ScenarioSurvey out;
    scenario_survey(&lesson, &floors, ground, start, bank, &out);
    return out;
}

// 4 x 3 m, 1 m deep: untouched, half done, a hole too deep, a bite beside it, done.
static void a_pit_is_surveyed(void)
{
    read_lesson("goals: {pit: {tolerance: 0.05 m, done: 90 %, pit: {from: [4 m, 3 m], to: [8 m, 6 "
                "m], depth: 1 m}}}");
    make_ground();
    ScenarioSurvey s = survey();
    TEST_ASSERT_TRUE(s.score.any && fabs(s.score.under - 12.0) < 1e-3 && s.score.over < 1e-6);
    TEST_ASSERT_TRUE(s.progress[0] < 1e-4f && s.score.in_tolerance < 1e-6);
    TEST_ASSERT_TRUE(s.score.compaction < 0.0 || s.score.compaction == 0.0);

    dig_to(4.0f, 3.0f, 6.0f, 6.0f, -1.0f);
    s = survey();
    TEST_ASSERT_TRUE(fabs(s.score.under - 6.0) < 1e-3 && fabs(s.score.in_tolerance - 0.5) < 1e-6);
    TEST_ASSERT_TRUE(fabsf(s.progress[0] - 0.5f) < 1e-3f);
    TEST_ASSERT_TRUE(fabs(s.score.under_depth - 1.0) < 1e-3);

    dig_to(6.0f, 3.0f, 8.0f, 6.0f, -1.0f);
    TEST_ASSERT_TRUE(survey().progress[0] == 1.0f);
    dig_to(4.0f, 3.0f, 5.0f, 4.0f, -1.5f); // too deep: 0.5 m3
    dig_to(3.5f, 5.0f, 4.0f, 6.0f, -0.4f); // beside it: 0.2 m3
    s = survey();
    TEST_ASSERT_TRUE(fabs(s.score.over - 0.7) < 1e-3 && fabs(s.score.over_depth - 0.5) < 1e-3);
    TEST_ASSERT_TRUE(fabs(s.score.in_tolerance - 11.0 / 12.0) < 1e-6);
    TEST_ASSERT_TRUE(fabs(s.score.wall_slope - atan(1.5 / 0.5)) < 1e-3);

    dig_to(3.9f, 3.0f, 4.0f, 4.0f, -1.0f); // its wall stands a column off: 0.1 m3, no depth
    s = survey();
    TEST_ASSERT_TRUE(fabs(s.score.over - 0.8) < 1e-3 && fabs(s.score.over_depth - 0.5) < 1e-3);
    dig_to(3.8f, 3.0f, 3.9f, 4.0f, -1.0f); // one more is too deep
    s = survey();
    TEST_ASSERT_TRUE(fabs(s.score.over - 0.9) < 1e-3 && fabs(s.score.over_depth - 1.0) < 1e-3);

    static float error[120 * 90];
    scenario_error_map(&lesson, &floors, ground, error);
    TEST_ASSERT_TRUE(fabsf(error[terrain_cell(ground, 45, 35)] + 0.5f) < 1e-3f);
    TEST_ASSERT_TRUE(fabsf(error[terrain_cell(ground, 70, 50)]) < 1e-3f);
    TEST_ASSERT_TRUE(error[terrain_cell(ground, 5, 5)] == SCENARIO_ABSENT);
}

// Dug half a metre too deep and filled up to the floor again with loose soil: right to look at, and over-dig all the same.
// A few centimetres of teeth under the crumbs of the last pass are none.
static void what_is_pushed_back_was_dug_all_the_same(void)
{
    read_lesson("goals: {pit: {tolerance: 0.05 m, done: 90 %, pit: {from: [4 m, 3 m], to: [8 m, 6 "
                "m], depth: 1 m}}}");
    make_ground();
    dig_to(4.0f, 3.0f, 8.0f, 6.0f, -1.0f);
    dig_to(4.0f, 3.0f, 6.0f, 4.0f, -1.5f); // 2 m2
    dig_to(6.0f, 4.0f, 8.0f, 6.0f, -1.04f);
    for (int j = 30; j < 60; ++j) {
        for (int i = 40; i < 80; ++i) {
            int cell = terrain_cell(ground, i, j);
            double deep = 4.0 - (double)terrain_surface(ground, cell);
            if (deep > 0.001) {
                uint32_t mg = (uint32_t)terrain_loose_mg(ground, 0, deep * 0.01);
                TEST_ASSERT_TRUE(terrain_deposit(ground, cell, 0, mg));
            }
        }
    }
    ScenarioSurvey s = survey();
    TEST_ASSERT_TRUE(s.progress[0] == 1.0f && fabs(s.score.in_tolerance - 1.0) < 1e-6);
    TEST_ASSERT_TRUE(fabs(s.score.over - 1.0) < 1e-2 && fabs(s.score.over_depth - 0.5) < 1e-3);
}

// A trench is filled with loose soil: what is missing is too low ground, and it must be pressed.
static void a_fill_wants_soil_and_pressure(void)
{
    read_lesson("goals: {f: {tolerance: 0.05 m, done: 90 %, fill: {from: [4 m, 4 m], to: [8 m, 4 "
                "m], width: 1 m, height: 0 m, compaction: 50 %}}}");
    make_ground();
    dig_to(4.0f, 3.5f, 8.0f, 4.5f, -1.0f);
    for (int cell = 0; cell < 120 * 90; ++cell) {
        start[cell] = terrain_surface(ground, cell);
    }
    ScenarioSurvey s = survey();
    TEST_ASSERT_TRUE(fabs(s.score.over - 4.0) < 1e-2 && s.progress[0] < 0.01f);
    for (int j = 35; j < 45; ++j) {
        for (int i = 40; i < 80; ++i) {
            uint32_t mg = (uint32_t)terrain_loose_mg(ground, 0, 0.01);
            TEST_ASSERT_TRUE(terrain_deposit(ground, terrain_cell(ground, i, j), 0, mg));
        }
    }
    s = survey();
    TEST_ASSERT_TRUE(fabs(s.score.over) < 1e-2 && fabs(s.score.in_tolerance - 1.0) < 1e-6);
    TEST_ASSERT_TRUE(s.progress[0] < 1.0f && s.score.compaction < 0.01); // loose
}

// --- goals ---------------------------------------------------------------------------------------

static int run(ScenarioNow now, double seconds, int* fired)
{
    static double clock;
    int count = 0;
    if (now.time == 0.0) {
        clock = 0.0;
    }
    for (int k = 0; k < (int)(seconds * 60.0 + 0.5); ++k) {
        clock += 1.0 / 60.0;
        now.time = clock;
        now.h = 1.0 / 60.0;
        int some[SCENARIO_EVENTS_MAX];
        int n = scenario_step(&lesson, &state, &now, some);
        if (n > 0 && fired) {
            *fired = some[0];
        }
        count += n;
    }
    return count;
}

// One gesture after the other, each held; the house may have turned round.
static void poses_are_held_in_order(void)
{
    read_lesson("goals:\n"
                "  one: {pose: {swing: 90 deg, tolerance: 5 deg, hold: 1 s}}\n"
                "  two: {pose: {boom: 20 deg, hold: 0.5 s}}\n");
    scenario_begin(&lesson, &state);
    ScenarioNow now = {.time = -1.0};
    now.joint[1] = (float)(20 * BASE_DEG);
    run(now, 2.0, NULL);
    TEST_ASSERT_TRUE(!state.done[0] && !state.done[1] && state.next == 0);
    now.joint[0] = (float)(-268 * BASE_DEG);
    run(now, 0.9, NULL);
    TEST_ASSERT_FALSE(state.done[0]);
    now.joint[0] = 0.0f;
    run(now, 0.1, NULL); // let go: it counts from the beginning again
    now.joint[0] = (float)(93 * BASE_DEG);
    run(now, 0.9, NULL);
    TEST_ASSERT_FALSE(state.done[0]);
    run(now, 0.2, NULL);
    TEST_ASSERT_TRUE(state.done[0] && state.next == 1 && state.total == 0.5f);
    now.joint[0] = 0.0f; // stays done
    run(now, 0.6, NULL);
    TEST_ASSERT_TRUE(state.finished && state.total == 1.0f);
}

static void points_are_reached_in_order(void)
{
    read_lesson(
        "goals:\n"
        "  edge: {reach: {points: [5 m, 1 m, 5 m, 7 m, 1 m, 5 m], radius: 0.2 m, hold: 0.2 s}}\n"
        "  tracks: {drive: {points: [3 m, 3 m, 6 m, 3 m], radius: 1 m}}\n");
    scenario_begin(&lesson, &state);
    ScenarioNow now = {.time = -1.0, .edge = {7.0f, 1.0f, 5.0f}};
    run(now, 1.0, NULL);
    TEST_ASSERT_TRUE(state.progress[0] == 0.0f);
    now.edge = vec3(5.1f, 1.1f, 5.0f);
    run(now, 0.5, NULL);
    TEST_ASSERT_TRUE(state.progress[0] == 0.5f);
    now.edge = vec3(7.0f, 0.9f, 5.1f);
    run(now, 0.5, NULL);
    TEST_ASSERT_TRUE(state.done[0]);
    now.base = vec3(3.5f, 0.0f, 3.5f);
    run(now, 0.1, NULL);
    now.base = vec3(6.0f, 0.0f, 2.5f);
    run(now, 0.1, NULL);
    TEST_ASSERT_TRUE(state.finished);
}

static void a_line_is_followed_and_left(void)
{
    read_lesson("goals: {line: {trace: {points: [2 m, 1 m, 4 m, 4 m, 1 m, 4 m, 4 m, 1 m, 6 m], "
                "radius: 0.4 m, level: 10 deg}}}");
    scenario_begin(&lesson, &state);
    ScenarioNow now = {.time = -1.0, .edge = {3.0f, 1.0f, 4.0f}};
    run(now, 1.0, NULL);
    TEST_ASSERT_FALSE(state.tracing); // it begins at its beginning
    now.edge = vec3(2.0f, 1.0f, 4.1f);
    run(now, 0.6, NULL);
    now.edge = vec3(3.0f, 1.3f, 4.0f);
    now.edge_angle = (float)(12 * BASE_DEG);
    run(now, 0.1, NULL);
    TEST_ASSERT_TRUE(state.tracing && fabsf(state.trace_error - 0.3f) < 1e-5f);
    TEST_ASSERT_TRUE(fabsf(state.trace_level - (float)(2 * BASE_DEG)) < 1e-5f);
    TEST_ASSERT_TRUE(fabsf(state.progress[0] - 0.25f) < 1e-5f);
    now.edge = vec3(3.0f, 1.5f, 4.0f); // 0.5 m off: begun again
    run(now, 0.1, NULL);
    TEST_ASSERT_TRUE(!state.tracing && state.progress[0] == 0.0f);
    for (int k = 0; k <= 20; ++k) {
        now.edge = vec3(2.0f + 0.1f * (float)k, 1.0f, 4.0f);
        run(now, k == 0 ? 0.6 : 0.1, NULL);
    }
    for (int k = 0; k <= 20; ++k) {
        now.edge = vec3(4.0f, 1.0f, 4.0f + 0.1f * (float)k);
        run(now, 0.1, NULL);
    }
    TEST_ASSERT_TRUE(state.finished && !state.tracing);
}

// Work is done in any order, and can be undone: a wall that falls in opens the pit's goal again.
static void work_can_be_undone(void)
{
    read_lesson("objects: {t: {truck: {vehicle: x, at: [1 m, 1 m], load: 5 t, from: [2 m, 2 m], "
                "trips: 2}}}\n"
                "zones: {heap: {kind: dump, center: [3 m, 3 m], radius: 1 m}}\n"
                "goals:\n"
                "  pit: {pit: {from: [4 m, 3 m], to: [8 m, 6 m], depth: 1 m}}\n"
                "  trucks: {load: {trucks: 2}}\n"
                "  heap: {pile: {zone: heap, mass: 4 t}}\n");
    scenario_begin(&lesson, &state);
    ScenarioSurvey s = {.progress = {1.0f}};
    double mass[] = {1000.0};
    ScenarioNow now = {.time = -1.0, .survey = &s, .zone_mass = mass, .trucks_full = 1};
    run(now, 0.1, NULL);
    TEST_ASSERT_TRUE(state.done[0] && state.progress[1] == 0.5f && state.progress[2] == 0.25f);
    // what lies on a truck that stands there is a part of the work, but no loaded truck
    now.trucks_part = 0.6f;
    run(now, 0.1, NULL);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.8f, state.progress[1]);
    now.trucks_part = 1.2f;
    run(now, 0.1, NULL);
    TEST_ASSERT_TRUE(!state.done[1] && state.progress[1] == 0.99f);
    mass[0] = 4100.0;
    now.trucks_part = 0.0f;
    now.trucks_full = 2;
    run(now, 0.1, NULL);
    TEST_ASSERT_TRUE(state.finished);
    s.progress[0] = 0.8f;
    run(now, 0.1, NULL);
    TEST_ASSERT_TRUE(!state.finished && !state.done[0] && state.next == 0);
}

// --- events --------------------------------------------------------------------------------------

static void events_fire_once(void)
{
    read_lesson("objects: {anna: {person: {at: [1 m, 1 m]}, hidden: true}, cone: {cone: {at: [2 m, "
                "2 m]}}}\n"
                "zones: {heap: {kind: dump, center: [3 m, 3 m], radius: 1 m}}\n"
                "goals: {heap: {pile: {zone: heap, mass: 4 t}}}\n"
                "events:\n"
                "  come: {does: appear, time: 2 s, object: anna}\n"
                "  go: {does: leave, time: 3 s, object: cone}\n"
                "  stop: {does: alarm, progress: 50 %, duration: 5 s}\n"
                "  rain: {does: weather, progress: 60 %, goal: heap, weather: wet}\n"
                "  pump: {does: fault, time: 4 s, fault: slow_pump, duration: 2 s}\n");
    scenario_begin(&lesson, &state);
    double mass[] = {0.0};
    int fired = -1;
    ScenarioNow now = {.time = 0.0, .zone_mass = mass};
    TEST_ASSERT_FALSE(state.present[0]);
    TEST_ASSERT_TRUE(state.present[1]);
    TEST_ASSERT_EQUAL_INT(0, run(now, 1.9, &fired));
    now.time = 1.0;
    TEST_ASSERT_EQUAL_INT(1, run(now, 0.5, &fired));
    TEST_ASSERT_TRUE(fired == 0 && state.present[0] && fabs(state.fired[0] - 2.0) < 0.02);
    TEST_ASSERT_EQUAL_INT(1, run(now, 1.0, &fired));
    TEST_ASSERT_FALSE(state.present[1]);
    TEST_ASSERT_EQUAL_INT(1, run(now, 1.0, &fired));
    TEST_ASSERT_EQUAL_INT(SCENARIO_FAULT_SLOW_PUMP, state.fault);
    mass[0] = 2100.0;
    TEST_ASSERT_EQUAL_INT(1, run(now, 0.5, &fired));
    TEST_ASSERT_TRUE(fired == 2 && state.alarm_until > 9.0);
    mass[0] = 3000.0;
    TEST_ASSERT_EQUAL_INT(1, run(now, 3.0, &fired));
    TEST_ASSERT_TRUE(state.weather == SCENARIO_WET && state.fault == SCENARIO_FAULT_NONE);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_pit_has_floor_and_sides);
    RUN_TEST(a_trench_falls_along_its_line);
    RUN_TEST(a_slope_rises_to_the_left);
    RUN_TEST(pads_and_fills_are_level);
    RUN_TEST(zones_win_over_goals_and_later_over_earlier);
    RUN_TEST(soil_is_counted_by_place);
    RUN_TEST(a_pit_is_surveyed);
    RUN_TEST(what_is_pushed_back_was_dug_all_the_same);
    RUN_TEST(a_fill_wants_soil_and_pressure);
    RUN_TEST(poses_are_held_in_order);
    RUN_TEST(points_are_reached_in_order);
    RUN_TEST(a_line_is_followed_and_left);
    RUN_TEST(work_can_be_undone);
    RUN_TEST(events_fire_once);
    return UNITY_END();
}
