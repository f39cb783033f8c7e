// report_scene - a lesson driven by a novice made of numbers, with all that a report can show.
#ifndef REPORT_SCENE_H
#define REPORT_SCENE_H

#include "base/base_random.h"
#include "report/report.h"
#include "score_hand.h"

#define SCENE_NX 72
#define SCENE_NZ 40

static BaseRandom scene_random;
static float scene_error[SCENE_NX * SCENE_NZ];
static float scene_line[3][81];
static Score scene_score;
static ScoreRules scene_rules;
static ScoreResult scene_result;
static ScoreAdvice scene_advice[SCORE_ADVICE_MAX];
static ScoreValue scene_expert[SCORE_MEASURE_COUNT];

static double scene_between(double lo, double hi)
{
    return (double)base_random_range(&scene_random, (float)lo, (float)hi);
}

// Fast and even for skill 1, slow, uneven and spilling for skill 0.
static void scene_cycle(double skill)
{
    double slow = 1.0 + (1.0 - skill) * scene_between(0.3, 1.4);
    double kg = 1500.0 * (skill + (1.0 - skill) * scene_between(0.45, 0.95));
    hand_dig(6.0 * slow, kg);
    hand_place = SCORE_PLACE_HAUL;
    spill_rate = (1.0 - skill) * scene_between(0.0, 45.0);
    fall[SCORE_BOOM] = 0.2;
    hand_swing(1.6 * slow, 45.0);
    fall[SCORE_BOOM] = skill > 0.5 ? 0.2 : 0.0;
    hand.over_truck = true;
    hand.truck_clearance = (float)(0.7 - (1.0 - skill) * scene_between(0.0, 0.7));
    hand_swing(1.9 * slow, 45.0 + (1.0 - skill) * 12.0);
    hand_swing(0.4, -(1.0 - skill) * 12.0 - 0.01);
    spill_rate = 0.0;
    double had = carried;
    hand_dump(2.0 * slow, had * 0.99);
    hand.truck[0].load += (uint64_t)(had * 0.99e6);
    hand.over_truck = false;
    hand_go(0.4);
    fall[SCORE_BOOM] = -0.2;
    fall[SCORE_STICK] = skill > 0.5 ? -0.3 : 0.0;
    hand_swing(2.8 * slow, -90.0);
    fall[SCORE_BOOM] = fall[SCORE_STICK] = 0.0;
    carried = 0.0;
}

static void scene_drive(double skill, int cycles)
{
    hand_start();
    scene_random = base_random(7);
    hand.truck[0].number = 1;
    hand.truck[0].rated = 12000000000;
    hand_go(4.0);
    for (int k = 0; k < cycles; ++k) {
        scene_cycle(skill);
        hand.fuel += 0.09;
        if (skill < 0.5 && k % 5 == 3) {
            hand.relief = 1 << SCORE_STICK;
            hand.in_ground = true;
            hand_lever(SCORE_STICK, 1.0f);
            hand_go(1.4);
            hand.relief = 0;
            hand.in_ground = false;
            hand_lever(SCORE_STICK, 0.0f);
        }
        if (skill < 0.5 && k == 6) {
            hand.hit[SCORE_HIT_TRUCK] = 1;
        }
        if (hand.truck[0].load > 11400000000) {
            hand.truck[0].number += 1;
            hand.truck[0].load = 0;
            hand_go(skill > 0.5 ? 1.0 : 12.0);
        }
    }
    hand.progress = 1.0f;
    hand_dig(1.0, 10.0);
}

static void scene_ground(void)
{
    for (int j = 0; j < SCENE_NZ; ++j) {
        for (int i = 0; i < SCENE_NX; ++i) {
            bool inside = i >= 6 && i < 66 && j >= 8 && j < 32;
            double wave = sin(i * 0.21) * cos(j * 0.33) * 0.16 + (i > 52 && j < 16 ? 0.5 : 0.0) -
                          (i > 20 && i < 30 && j > 18 ? 0.35 : 0.0) + scene_between(-0.03, 0.03);
            scene_error[j * SCENE_NX + i] = inside ? (float)wave : REPORT_NOTHING;
        }
    }
    for (int k = 0; k <= 80; ++k) {
        scene_line[0][k] = (float)(0.04 * sin(k * 0.5));
        scene_line[1][k] = k >= 12 && k <= 68 ? -1.2f - 0.002f * (float)k : REPORT_NOTHING;
        scene_line[2][k] =
            k >= 11 && k <= 69 ? (float)(-1.2 + 0.1 * sin(k * 0.4) - 0.002 * k) : scene_line[0][k];
    }
}

static const ReportEvent scene_events[] = {
    {3.0, "a truck stands to be loaded", false, 1},
    {168.4, "hit against a truck", true, 2},
    {335.0, "a truck leaves", false, 1},
    {340.0, "a truck is coming", false, 1},
    {348.0, "a truck stands to be loaded", false, 1},
};
static const ReportPast scene_past[] = {
    {"2024-03-04 09:30", 31, {45, 20, 25}, false},
    {"2024-03-06 09:30", 42, {50, 41, 30}, false},
    {"2024-03-11 09:30", 40, {55, 30, 31}, false},
    {"2024-03-13 09:30", 55, {70, 50, 39}, false},
};
static const ReportFile scene_files[] = {
    {"scenario", "load_truck", 0x1122334455667788ull},
    {"site", "own_site", 0x99aabbccddeeff00ull},
    {"vehicle", "excavator_22t", 0x0123456789abcdefull},
    {"materials", "materials.yaml", 0xfedcba9876543210ull},
};

static void scene_judge(void)
{
    const ScoreCriterion c[] = {
        {SCORE_TRUCK_ERROR, -SCORE_UNBOUNDED, 5, 15, 2, SCORE_QUALITY, SCORE_MINOR},
        {SCORE_SPILL_HAUL, -SCORE_UNBOUNDED, 300, 1500, 2, SCORE_QUALITY, SCORE_MINOR},
        {SCORE_CYCLE_SPREAD, -SCORE_UNBOUNDED, 15, 30, 1, SCORE_QUALITY, SCORE_MINOR},
        {SCORE_TRUCK_HITS, -SCORE_UNBOUNDED, 0, 1, 3, SCORE_SAFETY, SCORE_MAJOR},
        {SCORE_TRUCK_CLEARANCE, 0.3, 1.5, 0.6, 1, SCORE_SAFETY, SCORE_MINOR},
        {SCORE_TRACK_LIFT, -SCORE_UNBOUNDED, 0.1, 0.4, 1, SCORE_SAFETY, SCORE_MINOR},
        {SCORE_CYCLE_TIME, -SCORE_UNBOUNDED, 18, 17, 3, SCORE_ECONOMY, SCORE_MINOR},
        {SCORE_FILL, 90, 125, 45, 2, SCORE_ECONOMY, SCORE_MINOR},
        {SCORE_SWING_OVERSHOOT, -SCORE_UNBOUNDED, 4, 12, 1, SCORE_ECONOMY, SCORE_MINOR},
        {SCORE_IDLE, -SCORE_UNBOUNDED, 10, 25, 1, SCORE_ECONOMY, SCORE_MINOR},
    };
    scene_rules = (ScoreRules){.count = 10, .pillar_weight = {40, 35, 25}, .pass = 60};
    memcpy(scene_rules.criterion, c, sizeof c);
    score_values(&score, value);
    score_judge(&scene_rules, value, &scene_result);
}

static ReportData scene_report(void)
{
    scene_drive(1.0, 24);
    score_values(&score, scene_expert);
    scene_drive(0.15, 19);
    scene_judge();
    scene_ground();
    scene_score = score;
    ReportData d = {
        .title = "7. Load a truck",
        .description = "Three trucks to 12 t each, from a bench two metres above them.",
        .date = "2024-03-14 09:41",
        .trainee = "heron",
        .driver = "hand",
        .site = "Gravel bench",
        .soil = "topsoil, moist sand, gravel",
        .weather = "moist",
        .vehicle = "Crawler excavator, 22 t",
        .pattern = "ISO",
        .device = "two joysticks",
        .program = "0.1.0",
        .reason = "all goals reached",
        .time_limit = 900,
        .score = &scene_score,
        .rules = &scene_rules,
        .result = &scene_result,
        .advice = scene_advice,
        .expert = scene_expert,
        .expert_total = 93,
        .plan = {SCENE_NX, SCENE_NZ, 0.2f, scene_error, 0.1f},
        .section = {"along the trench", 81, 0.2f, scene_line[0], scene_line[1], scene_line[2]},
        .events = scene_events,
        .event_count = 5,
        .past = scene_past,
        .past_count = 4,
        .files = scene_files,
        .file_count = 4,
        .recording = "heron-load_truck-0007.mrec",
        .recording_hash = 0x5a5a1234cafe4321ull,
        .proof = REPORT_VERIFIED,
    };
    d.advices = score_advise(&scene_score, &scene_rules, &scene_result, scene_advice);
    return d;
}

#endif
