// Bands, weights, pillars and severities; and what people are told to fix first.
#include "score_hand.h"

void setUp(void)
{
    hand_start();
}

void tearDown(void) {}

static ScoreRules rules_of(const ScoreCriterion* c, int count)
{
    ScoreRules rules = {.count = count, .pillar_weight = {40, 35, 25}, .pass = 60};
    memcpy(rules.criterion, c, (size_t)count * sizeof *c);
    return rules;
}

#define UP   SCORE_UNBOUNDED
#define DOWN -SCORE_UNBOUNDED

static void bands_have_one_or_two_sides(void)
{
    ScoreCriterion most = {SCORE_CYCLE_TIME, DOWN, 20, 10, 1, SCORE_ECONOMY, SCORE_MINOR};
    TEST_ASSERT_TRUE(score_points(&most, 3) == 100 && score_points(&most, 20) == 100);
    TEST_ASSERT_TRUE(score_points(&most, 25) == 50 && score_points(&most, 30) == 0);
    ScoreCriterion least = {SCORE_FILL, 90, UP, 40, 1, SCORE_ECONOMY, SCORE_MINOR};
    TEST_ASSERT_TRUE(score_points(&least, 130) == 100 && score_points(&least, 80) == 75);
    ScoreCriterion both = {SCORE_TRUCK_CLEARANCE, 0.5, 1.5, 0.5, 1, SCORE_SAFETY, SCORE_MINOR};
    TEST_ASSERT_TRUE(score_points(&both, 0.25) == 50 && score_points(&both, 1.0) == 100);
    TEST_ASSERT_TRUE(score_points(&both, 1.75) == 50 && score_points(&both, 9.0) == 0);
    ScoreCriterion hard = {SCORE_STRIKES, DOWN, 0, 0, 1, SCORE_SAFETY, SCORE_CRITICAL};
    TEST_ASSERT_TRUE(score_points(&hard, 0) == 100 && score_points(&hard, 1) == 0);
}

// Fast is good: with an upper bound alone nobody fails by being faster than the band.
static void the_fast_do_not_fail(void)
{
    ScoreCriterion c = {SCORE_CYCLE_TIME, DOWN, 20, 10, 1, SCORE_ECONOMY, SCORE_MINOR};
    for (double t = 20.0; t > 0.0; t -= 0.5) {
        TEST_ASSERT_TRUE(score_points(&c, t) == 100.0);
    }
}

static ScoreValue values[SCORE_MEASURE_COUNT];

static ScoreResult judge(const ScoreRules* rules)
{
    ScoreResult result;
    score_judge(rules, values, &result);
    return result;
}

static void know(int measure, double x)
{
    values[measure] = (ScoreValue){x, true};
}

// Within a pillar by weight, among pillars by theirs; a pillar without criteria does not count.
static void weights_are_means(void)
{
    const ScoreCriterion c[] = {
        {SCORE_COLLISIONS, DOWN, 0, 4, 3, SCORE_SAFETY, SCORE_MINOR},
        {SCORE_TRACK_LIFT, DOWN, 0, 1, 1, SCORE_SAFETY, SCORE_MINOR},
        {SCORE_FILL, 100, UP, 100, 1, SCORE_ECONOMY, SCORE_MINOR},
    };
    ScoreRules rules = rules_of(c, 3);
    memset(values, 0, sizeof values);
    know(SCORE_COLLISIONS, 1);   // 75
    know(SCORE_TRACK_LIFT, 0.5); // 50
    know(SCORE_FILL, 60);        // 60
    ScoreResult r = judge(&rules);
    TEST_ASSERT_TRUE(fabs(r.pillar[SCORE_SAFETY] - 68.75) < 1e-9);
    TEST_ASSERT_TRUE(r.pillar[SCORE_QUALITY] < 0.0);
    TEST_ASSERT_TRUE(fabs(r.total - (68.75 * 40 + 60 * 25) / 65) < 1e-9);
    TEST_ASSERT_TRUE(r.passed && r.failed == -1);
    rules.pass = 70;
    TEST_ASSERT_FALSE(judge(&rules).passed);
}

// Doing nothing is safe, but it is no work: no points, even where measures of nothing are fine.
static void nothing_done_earns_nothing(void)
{
    const ScoreCriterion c[] = {
        {SCORE_TRUCK_CLEARANCE, 0.3, UP, 0.1, 1, SCORE_SAFETY, SCORE_MINOR},
        {SCORE_COLLISIONS, DOWN, 0, 0, 1, SCORE_SAFETY, SCORE_MINOR},
        {SCORE_FILL, 90, UP, 40, 1, SCORE_QUALITY, SCORE_MINOR},
        {SCORE_CYCLE_TIME, DOWN, 20, 10, 1, SCORE_ECONOMY, SCORE_MINOR},
    };
    ScoreRules rules = rules_of(c, 4);
    memset(values, 0, sizeof values);
    know(SCORE_COLLISIONS, 0);
    ScoreResult r = judge(&rules);
    TEST_ASSERT_TRUE(!r.judged[0] && r.judged[1] && r.judged[2] && r.judged[3]);
    TEST_ASSERT_TRUE(r.pillar[0] == 100 && r.pillar[1] == 0 && r.pillar[2] == 0);
    TEST_ASSERT_TRUE(fabs(r.total - 40) < 1e-9 && !r.passed); // without goals: practice
    rules.goals = true;
    know(SCORE_COMPLETION, 0);
    know(SCORE_FILL, 100);
    r = judge(&rules);
    TEST_ASSERT_TRUE(r.pillar[0] == 100 && r.pillar[1] == 100 && r.total == 0 && !r.passed);
}

// Who stops early has a fine safety and a fast cycle, but not the lesson: half of the goals is half of the
// points, and no pass at any mark.
static void unreached_goals_are_not_passed(void)
{
    const ScoreCriterion c[] = {
        {SCORE_COLLISIONS, DOWN, 0, 0, 1, SCORE_SAFETY, SCORE_MINOR},
        {SCORE_FILL, 90, UP, 40, 1, SCORE_QUALITY, SCORE_MINOR},
        {SCORE_CYCLE_TIME, DOWN, 20, 10, 1, SCORE_ECONOMY, SCORE_MINOR},
    };
    ScoreRules rules = rules_of(c, 3);
    rules.goals = true;
    memset(values, 0, sizeof values);
    know(SCORE_COLLISIONS, 0);
    know(SCORE_FILL, 100);
    know(SCORE_CYCLE_TIME, 15);
    know(SCORE_COMPLETION, 50);
    ScoreResult r = judge(&rules);
    TEST_ASSERT_TRUE(r.pillar[0] == 100 && r.pillar[1] == 100 && r.pillar[2] == 100);
    TEST_ASSERT_TRUE(fabs(r.total - 50) < 1e-9 && r.reached == 0.5 && !r.passed);
    know(SCORE_COMPLETION, 99.5);
    TEST_ASSERT_FALSE(judge(&rules).passed);
    know(SCORE_COMPLETION, 100);
    TEST_ASSERT_TRUE(judge(&rules).passed && judge(&rules).total == 100);
    know(SCORE_HELPED, 0.5); // it was shown
    TEST_ASSERT_TRUE(!judge(&rules).passed && judge(&rules).total == 100);
    know(SCORE_HELPED, 0);
    rules.goals = false; // practice
    know(SCORE_COMPLETION, 0);
    TEST_ASSERT_TRUE(judge(&rules).passed && judge(&rules).reached == 1);
}

static void severity_caps_and_fails(void)
{
    ScoreCriterion c[] = {
        {SCORE_STRIKES, DOWN, 0, 0, 1, SCORE_SAFETY, SCORE_MINOR},
        {SCORE_COLLISIONS, DOWN, 0, 0, 9, SCORE_SAFETY, SCORE_MINOR},
    };
    memset(values, 0, sizeof values);
    know(SCORE_STRIKES, 1);
    know(SCORE_COLLISIONS, 0);
    ScoreRules rules = rules_of(c, 2);
    TEST_ASSERT_TRUE(fabs(judge(&rules).total - 90) < 1e-9);
    rules.criterion[0].severity = SCORE_MAJOR;
    TEST_ASSERT_TRUE(judge(&rules).total == 50 && !judge(&rules).passed);
    rules.pass = 40;
    TEST_ASSERT_TRUE(judge(&rules).passed);
    rules.criterion[0].severity = SCORE_CRITICAL;
    ScoreResult r = judge(&rules);
    TEST_ASSERT_TRUE(r.total == 0 && !r.passed && r.failed == 0);
    know(SCORE_STRIKES, 0);
    TEST_ASSERT_TRUE(judge(&rules).passed && judge(&rules).failed == -1);
}

// --- advice --------------------------------------------------------------------------------------

static void drive_badly(void)
{
    for (int k = 0; k < 4; ++k) {
        hand_dig(12.0, 700.0);
        spill_rate = k == 2 ? 80.0 : 15.0;
        hand_place = SCORE_PLACE_HAUL;
        hand_swing(4.0, 90.0);
        spill_rate = 0.0;
        hand_dump(2.0, 700.0);
        hand_swing(4.0, -90.0);
    }
    hand.hit[SCORE_HIT_TRUCK] = 1;
    hand_dig(1.0, 10.0);
}

// The costliest first, with value, band, times of the worst moments, cause and remedy.
static void advice_names_value_time_and_cause(void)
{
    const ScoreCriterion c[] = {
        {SCORE_SPILL, DOWN, 50, 100, 2, SCORE_QUALITY, SCORE_MINOR},
        {SCORE_CYCLE_TIME, DOWN, 15, 10, 1, SCORE_ECONOMY, SCORE_MINOR},
        {SCORE_TRUCK_HITS, DOWN, 0, 0, 1, SCORE_SAFETY, SCORE_CRITICAL},
        {SCORE_COLLISIONS, DOWN, 0, 2, 1, SCORE_SAFETY, SCORE_MINOR},
        {SCORE_FILL, 45, 120, 10, 0.1, SCORE_ECONOMY, SCORE_MINOR},
    };
    ScoreRules rules = rules_of(c, 5);
    ScoreResult r;
    ScoreAdvice advice[SCORE_ADVICE_MAX];
    drive_badly();
    score_values(&score, value);
    score_judge(&rules, value, &r);
    TEST_ASSERT_EQUAL_INT(3, score_advise(&score, &rules, &r, advice));

    TEST_ASSERT_EQUAL_INT(2, advice[0].criterion);
    TEST_ASSERT_EQUAL_STRING("Hits against a truck: 1; none is allowed. At 1:28. Lift first, then "
                             "swing; come in from behind the truck.",
                             advice[0].text);
    TEST_ASSERT_EQUAL_INT(0, advice[1].criterion);
    TEST_ASSERT_NOT_NULL(
        strstr(advice[1].text, "Spill: 500 kg; at most 50 kg is asked for. At 0:57"));
    TEST_ASSERT_NOT_NULL(strstr(advice[1].text, "Most fell while swinging loaded"));
    TEST_ASSERT_TRUE(fabs(advice[1].time[0] - 57.0) < 1.1);
    TEST_ASSERT_EQUAL_INT(1, advice[2].criterion);
    TEST_ASSERT_NOT_NULL(
        strstr(advice[2].text, "Cycle time: 22.0 s; at most 15.0 s is asked for."));
    TEST_ASSERT_NOT_NULL(
        strstr(advice[2].text, "Too much of the cycle is digging: 12.0 s of 22.0 s."));
}

// Two slams in one second are one moment to look at, and several things are asked for in the plural.
static void moments_are_named_once(void)
{
    const ScoreCriterion c = {SCORE_SLAMS, DOWN, 2, 1, 1, SCORE_SAFETY, SCORE_MINOR};
    ScoreRules rules = rules_of(&c, 1);
    ScoreResult r;
    ScoreAdvice advice[SCORE_ADVICE_MAX];
    hand_go(10.0);
    for (int k = 0; k < 3; ++k) {
        hand.stop = 0;
        hand.cylinder_speed[SCORE_BOOM] = hand.cylinder_speed[SCORE_STICK] = 0.3f;
        hand_go(0.1);
        hand.stop = k < 2 ? 1 << SCORE_BOOM | 1 << SCORE_STICK : 1 << SCORE_BOOM;
        hand_go(k == 1 ? 10.0 : 0.2);
    }
    score_values(&score, value);
    score_judge(&rules, value, &r);
    TEST_ASSERT_EQUAL_INT(1, score_advise(&score, &rules, &r, advice));
    TEST_ASSERT_EQUAL_STRING(
        "Slams into an end stop: 5; at most 2 are asked for. At 0:10, 0:20. Let the "
        "lever go before the cylinder reaches its end.",
        advice[0].text);
}

// The bucket is opened beside the truck: the first of it is gone before that counts as dumping, and the ledger tells
// the rest when the house has begun to swing back. It fell while dumping all the same.
static void soil_that_misses_the_truck_fell_while_dumping(void)
{
    const ScoreCriterion c = {SCORE_SPILL, DOWN, 50, 100, 1, SCORE_QUALITY, SCORE_MINOR};
    ScoreRules rules = rules_of(&c, 1);
    ScoreResult r;
    ScoreAdvice advice[SCORE_ADVICE_MAX];
    for (int k = 0; k < 4; ++k) {
        hand_dig(6.0, 1400.0);
        hand_swing(4.0, 90.0);
        hand_dump(0.9, 1400.0);
        hand_go(0.4);
        hand.gained[SCORE_PLACE_ELSEWHERE] += 700000000; // half of it
        hand_swing(3.0 + 0.3 * k, -90.0);
        carried = 0.0;
    }
    score_values(&score, value);
    score_judge(&rules, value, &r);
    TEST_ASSERT_EQUAL_INT(1, score_advise(&score, &rules, &r, advice));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(advice[0].text, "Most fell while dumping"), advice[0].text);
}

// Too few trucks: because what was moved fell beside them, because buckets were half empty, or because one part of
// the cycle is long; with the slowest buckets.
static void too_few_trucks_have_a_cause(void)
{
    const ScoreCriterion c = {SCORE_TRUCKS, 3, UP, 3, 1, SCORE_ECONOMY, SCORE_MINOR};
    const char* const cause[] = {"of 2.8 t that were moved 0.5 t fell", "were 49 % full",
                                 "of the cycle is digging: 12.0 s"};
    ScoreRules rules = rules_of(&c, 1);
    ScoreResult r;
    ScoreAdvice advice[SCORE_ADVICE_MAX];
    for (int n = 0; n < 3; ++n) {
        hand_start();
        for (int k = 0; k < 4; ++k) {
            hand_dig(12.0, n < 2 ? 700.0 : 1400.0);
            hand_swing(4.0, 90.0);
            hand_dump(2.0, n < 2 ? 700.0 : 1400.0);
            hand_swing(4.0, -90.0);
        }
        hand_dig(1.0, 10.0);
        hand.gained[SCORE_PLACE_HAUL] = n == 0 ? 500000000 : 0;
        hand_go(0.1);
        score_values(&score, value);
        score_judge(&rules, value, &r);
        TEST_ASSERT_EQUAL_INT(1, score_advise(&score, &rules, &r, advice));
        char lower[512];
        snprintf(lower, sizeof lower, "%s", advice[0].text);
        char* of = strstr(lower, " Of ");
        if (of)
            of[1] = 'o';
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(lower, cause[n]), advice[0].text);
        TEST_ASSERT_EQUAL_INT(3, advice[0].times);
    }
}

// Who does everything right is told nothing.
static void nothing_to_fix_is_no_advice(void)
{
    const ScoreCriterion c[] = {{SCORE_SPILL, DOWN, 900, 100, 2, SCORE_QUALITY, SCORE_MINOR}};
    ScoreRules rules = rules_of(c, 1);
    ScoreResult r;
    ScoreAdvice advice[SCORE_ADVICE_MAX];
    drive_badly();
    score_values(&score, value);
    score_judge(&rules, value, &r);
    TEST_ASSERT_EQUAL_INT(0, score_advise(&score, &rules, &r, advice));
}

// For every measure, above and below: whole sentences that fit.
static void every_measure_has_words(void)
{
    drive_badly();
    score_values(&score, value);
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        for (int side = 0; side < 2; ++side) {
            double x = value[m].value;
            ScoreCriterion c = {m, side ? x + 1 : DOWN, side ? UP : x - 1, 0.5,
                                1, SCORE_QUALITY,       SCORE_MINOR};
            ScoreRules rules = rules_of(&c, 1);
            ScoreResult r;
            ScoreAdvice advice[SCORE_ADVICE_MAX];
            score_judge(&rules, value, &r);
            TEST_ASSERT_EQUAL_INT(1, score_advise(&score, &rules, &r, advice));
            size_t length = strlen(advice[0].text);
            TEST_ASSERT_TRUE(length > 10 && length < sizeof advice[0].text - 1);
            TEST_ASSERT_EQUAL_INT('.', advice[0].text[length - 1]);
            // where less or more is better, somebody who does worse is told what to do
            ScoreBetter better = score_measure((ScoreMeasure)m)->better;
            if (value[m].known &&
                ((better == SCORE_LESS && !side) || (better == SCORE_MORE && side)) &&
                m != SCORE_CYCLES && m != SCORE_MOVED) {
                bool told =
                    strstr(advice[0].text, "asked for. ") || strstr(advice[0].text, "allowed. ");
                TEST_ASSERT_TRUE_MESSAGE(told, advice[0].text);
            }
        }
    }
}

// Who has done nothing is told what has to be done before it can be measured.
static void what_is_unknown_says_why(void)
{
    hand_start();
    hand_go(2.0);
    score_values(&score, value);
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        ScoreCriterion c = {m, DOWN, 1.0, 0.5, 1, SCORE_QUALITY, SCORE_MINOR};
        ScoreRules rules = rules_of(&c, 1);
        ScoreResult r;
        ScoreAdvice advice[SCORE_ADVICE_MAX];
        score_judge(&rules, value, &r);
        bool ground =
            m >= SCORE_OVER_DIG && m <= SCORE_WALL_SLOPE; // a goal with a surface has them
        if (!value[m].known && !ground) {
            TEST_ASSERT_EQUAL_INT(1, score_advise(&score, &rules, &r, advice));
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(advice[0].text, " asked for. "), advice[0].text);
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(bands_have_one_or_two_sides);
    RUN_TEST(the_fast_do_not_fail);
    RUN_TEST(weights_are_means);
    RUN_TEST(nothing_done_earns_nothing);
    RUN_TEST(unreached_goals_are_not_passed);
    RUN_TEST(severity_caps_and_fails);
    RUN_TEST(advice_names_value_time_and_cause);
    RUN_TEST(moments_are_named_once);
    RUN_TEST(soil_that_misses_the_truck_fell_while_dumping);
    RUN_TEST(too_few_trucks_have_a_cause);
    RUN_TEST(nothing_to_fix_is_no_advice);
    RUN_TEST(every_measure_has_words);
    RUN_TEST(what_is_unknown_says_why);
    return UNITY_END();
}
