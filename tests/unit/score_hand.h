// score_hand - lessons made by hand: a machine of numbers that a test can steer.
#ifndef SCORE_HAND_H
#define SCORE_HAND_H

#include "score/score.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#define HAND_RATE 60.0

static Score score;
static ScoreSample hand;
static double fall[SCORE_AXES]; // rad/s: what the axes do
static double fill_rate;        // kg/s into the bucket
static ScoreValue value[SCORE_MEASURE_COUNT];
static double spill_rate; // kg/s from the bucket onto hand_place
static int hand_place;
static double carried; // kg

static void hand_start(void)
{
    ScoreSetup setup = {.rate = HAND_RATE,
                        .bucket_volume = 1.0,
                        .materials = 1,
                        .density_bank = {1800.0},
                        .density_loose = {1440.0}};
    memset(&hand, 0, sizeof hand);
    memset(fall, 0, sizeof fall);
    fill_rate = spill_rate = carried = 0.0;
    hand_place = SCORE_PLACE_ELSEWHERE;
    hand.engine = true;
    hand.tip_margin = 0.8f;
    hand.clearance = 1.0f;
    score_init(&score, &setup);
}

// Lets everything go on as it is.
static void hand_go(double seconds)
{
    int steps = (int)(seconds * HAND_RATE + 0.5);
    for (int k = 0; k < steps; ++k) {
        double h = 1.0 / HAND_RATE, spilt = spill_rate * h;
        hand.time = (double)(score.steps + 1) * h;
        for (int a = 0; a < SCORE_AXES; ++a) {
            hand.joint[a] += fall[a] * h;
            hand.joint_speed[a] = fall[a];
        }
        carried += fill_rate * h - spilt;
        carried = carried > 0.0 ? carried : 0.0;
        hand.bucket[0] = (uint64_t)(carried * 1e6 + 0.5);
        hand.gained[hand_place] += (int64_t)(spilt * 1e6 + 0.5);
        score_step(&score, &hand);
        memset(hand.hit, 0, sizeof hand.hit);
    }
}

static void hand_lever(int axis, float lever)
{
    hand.lever[axis] = lever;
}

static void hand_dig(double seconds, double kg)
{
    hand.in_ground = true;
    hand.clearance = -0.2f;
    fill_rate = kg / seconds;
    hand_lever(SCORE_STICK, 0.7f);
    fall[SCORE_STICK] = 0.3;
    hand_go(seconds);
    hand.in_ground = false;
    hand.clearance = 1.0f;
    fill_rate = fall[SCORE_STICK] = 0.0;
    hand_lever(SCORE_STICK, 0.0f);
}

static void hand_swing(double seconds, double degrees)
{
    hand_lever(SCORE_SWING, degrees > 0.0 ? 0.9f : -0.9f);
    fall[SCORE_SWING] = degrees * BASE_DEG / seconds;
    hand_go(seconds);
    fall[SCORE_SWING] = 0.0;
    hand_lever(SCORE_SWING, 0.0f);
}

static void hand_dump(double seconds, double kg)
{
    hand_lever(SCORE_BUCKET, -0.8f);
    fall[SCORE_BUCKET] = -0.5;
    fill_rate = -kg / seconds;
    hand_go(seconds);
    fill_rate = fall[SCORE_BUCKET] = 0.0;
    hand_lever(SCORE_BUCKET, 0.0f);
}

static bool hand_asked[SCORE_MEASURE_COUNT]; // measures that a run with a known answer was made for

static double hand_value(int measure)
{
    hand_asked[measure] = true;
    score_values(&score, value);
    TEST_ASSERT_TRUE_MESSAGE(value[measure].known, score_measure((ScoreMeasure)measure)->name);
    return value[measure].value;
}

__attribute__((unused)) static void hand_expect(int measure, double want, double within)
{
    char text[120];
    double have = hand_value(measure);
    snprintf(text, sizeof text, "%s is %g instead of %g",
             score_measure((ScoreMeasure)measure)->name, have, want);
    TEST_ASSERT_TRUE_MESSAGE(fabs(have - want) <= within, text);
}

__attribute__((unused)) static void hand_unknown(int measure)
{
    score_values(&score, value);
    TEST_ASSERT_FALSE_MESSAGE(value[measure].known, score_measure((ScoreMeasure)measure)->name);
}

#endif
