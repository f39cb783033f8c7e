// Measures against hand-made runs whose answers are known.
#include "count_alloc.h"
#include "score_hand.h"

void setUp(void)
{
    hand_start();
}

void tearDown(void) {}

// Dig 6 s, swing 90 degrees in 3 s, dump 2 s, swing back in 4 s.
static void cycle(double kg, double left)
{
    hand_dig(6.0, kg);
    hand_swing(3.0, 90.0);
    hand_dump(2.0, kg - left);
    hand_go(1.0 + 1.0 / HAND_RATE); // until the dump counts as over
    hand_swing(4.0, -90.0);
    fill_rate = 0.0;
    carried = 0.0; // the rest falls into the cut
    hand.bucket[0] = 0;
}

// --- the whole and the cycle ---------------------------------------------------------------------

static void nothing_done_is_nothing_known(void)
{
    const int unknown[] = {
        SCORE_CYCLE_TIME,      SCORE_FILL,          SCORE_PAYLOAD,     SCORE_SPILL_SHARE,
        SCORE_TRUCK_CLEARANCE, SCORE_TRAVEL_HEIGHT, SCORE_REACTION,    SCORE_TRACE_ERROR,
        SCORE_OVER_DIG,        SCORE_COMPACTION,    SCORE_TRUCK_ERROR, SCORE_FUEL_PER_M3,
        SCORE_CYCLE_SPREAD,    SCORE_TWO_AXES};
    hand_go(2.0);
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; ++k) {
        hand_unknown(unknown[k]);
    }
    hand_expect(SCORE_TIME, 2.0, 1e-9);
    hand_expect(SCORE_CYCLES, 0.0, 0.0);
    hand_expect(SCORE_SPILL, 0.0, 0.0);
    hand.progress = 0.25f;
    hand_go(0.1);
    hand_expect(SCORE_COMPLETION, 25.0, 1e-9);
}

static void a_cycle_has_four_parts(void)
{
    for (int k = 0; k < 3; ++k) {
        cycle(1440.0, 100.0);
    }
    hand_dig(1.0, 100.0);
    hand_expect(SCORE_CYCLES, 3.0, 0.0);
    // the pass ends when the bucket has left the ground, the dump when it is empty or nothing falls
    hand_expect(SCORE_DIG_TIME, 6.0, 0.05);
    hand_expect(SCORE_SWING_LOADED_TIME, 3.0 + 0.32, 0.1); // until 15 % are gone
    hand_expect(SCORE_DUMP_TIME, 2.0 + 1.0 - 0.32, 0.1);
    hand_expect(SCORE_SWING_EMPTY_TIME, 4.0, 0.1);
    hand_expect(SCORE_CYCLE_TIME, 16.0 + 1.0 / 60.0, 0.001);
    hand_expect(SCORE_CYCLE_SPREAD, 0.0, 0.01);
    hand_expect(SCORE_PAYLOAD, 1440.0, 0.01);
    hand_expect(SCORE_FILL, 100.0, 0.01);
    hand_expect(SCORE_CARRY_BACK, 100.0, 0.01);
    hand_expect(SCORE_SWING_ANGLE, 90.0, 0.01);
    hand_expect(SCORE_SWING_OVERSHOOT, 0.0, 0.01);
    hand_expect(SCORE_MOVED, 3 * 1.34, 0.001);
    hand_expect(SCORE_BANK_RATE, 3 * 1.34 / 1.8 / (score.time / 3600.0), 0.01);
    hand_expect(SCORE_LOOSE_RATE, 3 * 1.34 / 1.44 / (score.time / 3600.0), 0.01);
}

// 12 s and 20 s: mean 16, deviation 4, hence 25 %; fills of 60 % and 100 %: 80 and 25 %.
static void spread_is_the_deviation_over_the_mean(void)
{
    hand_dig(2.0, 864.0);
    hand_swing(3.0, 90.0);
    hand_dump(2.0, 864.0);
    hand_swing(5.0, -90.0);
    hand_dig(8.0, 1440.0);
    hand_swing(3.0, 90.0);
    hand_dump(2.0, 1440.0);
    hand_swing(7.0, -90.0);
    hand_dig(1.0, 10.0);
    hand_expect(SCORE_CYCLE_TIME, 16.0, 0.02);
    hand_expect(SCORE_CYCLE_SPREAD, 25.0, 0.1);
    hand_expect(SCORE_FILL, 80.0, 0.01);
    hand_expect(SCORE_FILL_SPREAD, 25.0, 0.01);
}

// Past the truck to 98 degrees and back to 90.
static void coming_back_is_overshoot(void)
{
    hand_dig(4.0, 1000.0);
    hand_swing(3.0, 98.0);
    hand_swing(1.0, -8.0);
    hand_dump(2.0, 1000.0);
    hand_go(1.0);
    hand_expect(SCORE_SWING_OVERSHOOT, 8.0, 0.01);
    hand_expect(SCORE_SWING_ANGLE, 90.0, 0.01);
}

// A scoop that is let go in the cut, and a second pass before leaving, are one cycle.
static void two_passes_are_one_cycle(void)
{
    hand_dig(3.0, 200.0);
    hand_go(0.5); // 14 %: still digging
    hand_dig(3.0, 1000.0);
    hand_swing(0.5, 5.0);
    hand_dig(1.0, 100.0); // back in with most of it
    hand_swing(3.0, 85.0);
    hand_dump(2.0, 1300.0);
    hand_go(1.0);
    hand_expect(SCORE_CYCLES, 1.0, 0.0);
    hand_expect(SCORE_PAYLOAD, 1300.0, 0.01);
}

// --- soil ----------------------------------------------------------------------------------------

// Spill is what the ledger finds in wrong places, wherever it fell from.
static void spill_is_told_by_place(void)
{
    hand_dig(4.0, 1000.0);
    hand_place = SCORE_PLACE_HAUL;
    spill_rate = 20.0;
    hand_swing(3.0, 90.0);
    hand_place = SCORE_PLACE_OFF_SITE;
    spill_rate = 10.0;
    hand_go(1.0);
    spill_rate = 0.0;
    hand_dump(2.0, 930.0);
    hand_go(1.0);
    hand_expect(SCORE_SPILL_HAUL, 60.0, 1e-3);
    hand_expect(SCORE_SPILL_OFF_SITE, 10.0, 1e-3);
    hand_expect(SCORE_SPILL_ELSEWHERE, 0.0, 0.0);
    hand_expect(SCORE_SPILL_KEEP_OUT, 0.0, 0.0);
    hand_expect(SCORE_SPILL, 70.0, 1e-3);
    hand_expect(SCORE_SPILL_SHARE, 7.0, 0.01);

    // swept up again, it is no spill any more; and a loss somewhere never pays for a gain elsewhere
    hand.gained[SCORE_PLACE_HAUL] = -5000000;
    hand_go(0.1);
    hand_expect(SCORE_SPILL, 10.0, 1e-3);
}

// t on a truck of 20 t that stands at this place; number 0: none.
static void stand(int place, int number, double t)
{
    hand.truck[place] = (ScoreTruck){number, (uint64_t)(t * 1e9), number ? 20000000000 : 0};
    hand_go(1.0);
}

static void trucks_count_when_they_leave(void)
{
    stand(0, 1, 19.0);
    hand_expect(SCORE_TRUCKS, 1.0, 0.0); // it has its load
    hand_expect(SCORE_TRUCK_ERROR, 5.0, 1e-9);
    stand(0, 2, 1.0);
    hand_expect(SCORE_TRUCKS, 1.0, 0.0);
    stand(0, 2, 23.0);
    stand(0, 0, 0.0);
    hand_expect(SCORE_TRUCKS, 2.0, 0.0);
    hand_expect(SCORE_TRUCK_ERROR, 10.0, 1e-9); // 5 % and 15 %
}

// Sent away half full, it was not loaded, and its load is off; one that leaves empty was never ours.
static void half_a_load_is_no_loaded_truck(void)
{
    stand(0, 1, 10.0);
    stand(0, 0, 0.0);
    hand_expect(SCORE_TRUCKS, 0.0, 0.0);
    hand_expect(SCORE_TRUCK_ERROR, 50.0, 1e-9);
    stand(0, 1, 1.0);
    stand(0, 0, 0.0);
    hand_expect(SCORE_TRUCK_ERROR, 50.0, 1e-9);
    stand(0, 1, 18.0);
    hand_expect(SCORE_TRUCKS, 1.0, 0.0);
    hand_expect(SCORE_TRUCK_ERROR, 30.0, 1e-9); // 50 % and 10 %
}

// Two that stand side by side are two, whichever comes, is loaded and leaves first; none is counted twice.
static void two_trucks_at_once_are_two(void)
{
    stand(0, 1, 19.0);
    stand(1, 4, 5.0);
    hand_expect(SCORE_TRUCKS, 1.0, 0.0);
    stand(1, 4, 20.0);
    hand_expect(SCORE_TRUCKS, 2.0, 0.0);
    stand(1, 0, 0.0);
    hand_expect(SCORE_TRUCKS, 2.0, 0.0);
    stand(0, 0, 0.0);
    hand_go(5.0);
    hand_expect(SCORE_TRUCKS, 2.0, 0.0);
    hand_expect(SCORE_TRUCK_ERROR, 2.5, 1e-9);
}

// A hole in the road does not pay for a hole in the yard, nor for soil that fell on another place; filled in
// again it is none.
static void digging_elsewhere_is_told(void)
{
    hand.gained[SCORE_PLACE_HAUL] = -400000000;
    hand.gained[SCORE_PLACE_ELSEWHERE] = -100000000;
    hand.gained[SCORE_PLACE_DIG] = -900000000; // as asked
    hand.gained[SCORE_PLACE_KEEP_OUT] = 50000000;
    hand_go(2.0);
    hand_expect(SCORE_DUG_OUTSIDE, 500.0, 1e-9);
    hand_expect(SCORE_SPILL, 50.0, 1e-9);
    bool told = false;
    for (int k = 0; k < score_kept_incidents(&score); ++k) {
        told = told ||
               (score.incident[k].measure == SCORE_DUG_OUTSIDE && score.incident[k].value == 500.0);
    }
    TEST_ASSERT_TRUE(told);
    hand.gained[SCORE_PLACE_HAUL] = 0;
    hand.gained[SCORE_PLACE_ELSEWHERE] = 0;
    hand_go(1.0);
    hand_expect(SCORE_DUG_OUTSIDE, 0.0, 0.0);
}

static void the_survey_is_shown_in_its_units(void)
{
    ScoreSurvey survey = {.any = true,
                          .over = 0.5,
                          .under = 1.5,
                          .over_depth = 0.1,
                          .under_depth = 0.2,
                          .in_tolerance = 0.9,
                          .wall_slope = 60 * BASE_DEG,
                          .compaction = 0.93};
    hand_go(0.1);
    score_set_survey(&score, &survey);
    hand_expect(SCORE_OVER_DIG, 0.5, 0.0);
    hand_expect(SCORE_UNDER_DIG, 1.5, 0.0);
    hand_expect(SCORE_OVER_DEPTH, 0.1, 0.0);
    hand_expect(SCORE_UNDER_DEPTH, 0.2, 0.0);
    hand_expect(SCORE_IN_TOLERANCE, 90.0, 1e-9);
    hand_expect(SCORE_WALL_SLOPE, 60.0, 1e-9);
    hand_expect(SCORE_COMPACTION, 93.0, 1e-9);
}

static void fuel_is_shared_among_the_soil(void)
{
    hand.fuel = 2.5;
    cycle(1800.0, 0.0);
    hand_expect(SCORE_FUEL, 2.5, 0.0);
    hand_expect(SCORE_FUEL_PER_M3, 2.5, 0.001);
}

// --- the hand ------------------------------------------------------------------------------------

// One axis 4 s, two 3 s, three 2 s, four 1 s.
static void axes_together_are_counted(void)
{
    for (int a = 0; a < 4; ++a) {
        hand_lever(a, 0.5f);
        fall[a] = 0.2;
        hand_go(4.0 - a);
    }
    memset(fall, 0, sizeof fall);
    memset(hand.lever, 0, sizeof hand.lever);
    hand_go(30.0); // pauses do not count
    hand_expect(SCORE_TWO_AXES, 60.0, 0.01);
    hand_expect(SCORE_THREE_AXES, 30.0, 0.01);
    hand_expect(SCORE_FOUR_AXES, 10.0, 0.01);
    hand_expect(SCORE_IDLE, 100.0 * 30.0 / 40.0, 0.1);
}

// Short pauses are thinking; with the engine off there is no idling.
static void idling_begins_after_three_seconds(void)
{
    for (int k = 0; k < 5; ++k) {
        hand_go(2.5);
        hand_swing(2.5, 10.0);
    }
    hand_expect(SCORE_IDLE, 0.0, 0.0);
    hand.engine = false;
    hand_go(25.0);
    hand_expect(SCORE_IDLE, 0.0, 0.0);
    hand.engine = true;
    hand_go(50.0);
    hand_expect(SCORE_IDLE, 50.0, 0.1);
}

// Who rests while no truck is there to be loaded has not idled, and the cycle is not longer; who works, works.
static void waiting_for_a_truck_is_nobodys_time(void)
{
    cycle(1000.0, 0.0);
    hand_dig(6.0, 1000.0);
    hand.waiting = true;
    hand_go(20.0);
    hand_swing(3.0, 90.0);
    hand.waiting = false;
    hand_dump(2.0, 1000.0);
    hand_go(1.0 + 1.0 / HAND_RATE);
    hand_swing(4.0, -90.0);
    hand_dig(1.0, 10.0);
    hand_expect(SCORE_CYCLES, 2.0, 0.0);
    hand_expect(SCORE_CYCLE_TIME, 16.0, 0.2);
    hand_expect(SCORE_CYCLE_SPREAD, 0.0, 3.0);
    hand_expect(SCORE_IDLE, 0.0, 0.0);
    hand_go(20.0); // with the truck there it is idling
    hand_expect(SCORE_IDLE, 100.0 * 20.0 / score.time, 0.3);
}

// Who does what an alarm asks for, or lets somebody pass, has not idled, and the cycle is not longer.
static void standing_still_for_safety_is_nobodys_time(void)
{
    cycle(1000.0, 0.0);
    hand_dig(6.0, 1000.0);
    hand.alarm = true;
    hand_go(15.0);
    hand.alarm = false;
    hand.person = true;
    hand_go(10.0);
    hand.person = false;
    hand_swing(3.0, 90.0);
    hand_dump(2.0, 1000.0);
    hand_go(1.0 + 1.0 / HAND_RATE);
    hand_swing(4.0, -90.0);
    hand_dig(1.0, 10.0);
    hand_expect(SCORE_CYCLES, 2.0, 0.0);
    hand_expect(SCORE_CYCLE_TIME, 16.0, 0.2);
    hand_expect(SCORE_IDLE, 0.0, 0.0);
    hand_expect(SCORE_REACTION, 0.0, 0.0); // it stood already
}

// A finger on a lever from which nothing comes is a pause like any other; pushing against relief, or creeping along
// a line, is none.
static void a_finger_on_the_lever_is_no_work(void)
{
    hand_lever(SCORE_BUCKET, 0.08f);
    hand_go(20.0);
    hand_expect(SCORE_IDLE, 100.0, 0.1);
    hand.relief = 1 << SCORE_BUCKET;
    hand_go(20.0);
    hand_expect(SCORE_IDLE, 50.0, 0.1);
    hand.relief = 0;
    fall[SCORE_STICK] = 0.01;
    hand_go(40.0);
    hand_expect(SCORE_IDLE, 25.0, 0.1);
}

// What the built-in operator shows is not the trainee's: to the step.
static void help_is_counted(void)
{
    hand_go(3.0);
    hand.helped = true;
    hand_go(2.5);
    hand.helped = false;
    hand_go(1.0);
    hand_expect(SCORE_HELPED, 2.5, 1e-6);
}

// Speed a t^2 / 2 has the constant third derivative a of the angle; one joint of four has it.
static void jerk_is_the_third_derivative(void)
{
    hand_lever(SCORE_SWING, 0.5f);
    for (int k = 0; k < 300; ++k) {
        double t = k / HAND_RATE;
        fall[SCORE_SWING] = 0.5 * 0.08 * t * t;
        hand_go(1.0 / HAND_RATE);
    }
    hand_expect(SCORE_JERK, 0.08 / 2.0, 1e-4);
}

static void the_line_is_judged_while_it_is_followed(void)
{
    hand.trace_error = 5.0f;
    hand_go(1.0);
    hand_unknown(SCORE_TRACE_ERROR);
    hand.tracing = true;
    hand.trace_error = 0.03f;
    hand.trace_level = (float)(3.0 * BASE_DEG);
    hand_go(1.0);
    hand.trace_error = 0.04f;
    hand.trace_level = (float)(4.0 * BASE_DEG);
    hand_go(1.0);
    hand_expect(SCORE_TRACE_ERROR, 1000.0 * sqrt(0.5 * (0.0009 + 0.0016)), 0.01);
    hand_expect(SCORE_TRACE_WORST, 40.0, 0.01);
    hand_expect(SCORE_LEVEL_ERROR, sqrt(12.5), 0.01);
}

static void reaction_lasts_until_all_stands_still(void)
{
    hand_swing(1.0, 20.0);
    hand.alarm = true;
    hand_swing(0.7, 10.0);
    fall[SCORE_SWING] = 0.2; // hands off, the house coasts on
    hand_go(0.5);
    fall[SCORE_SWING] = 0.0;
    hand_go(5.0);
    hand_expect(SCORE_REACTION, 1.2, 0.001);
    hand.alarm = false;
    hand_go(1.0);
    hand.alarm = true; // ignored to its end
    hand_swing(3.0, 20.0);
    hand.alarm = false;
    hand_swing(3.0, 20.0);
    hand_expect(SCORE_REACTION, 3.0, 0.02);
}

// Who stops for a moment and goes on has not stopped: the reaction lasts until the hands are off for good.
static void going_on_during_an_alarm_is_no_reaction(void)
{
    hand_swing(1.0, 20.0);
    hand.alarm = true;
    hand_swing(0.5, 5.0);
    hand_go(2.0);
    hand_expect(SCORE_REACTION, 0.5, 0.02);
    hand_swing(1.5, 20.0);
    hand_go(3.0);
    hand.alarm = false;
    hand_swing(3.0, 20.0);
    hand_expect(SCORE_REACTION, 4.0, 0.02);
}

// --- the machine ---------------------------------------------------------------------------------

// A boom cylinder that comes to its end so fast; then it goes away again.
static void come_to_the_end(float speed)
{
    fall[SCORE_BOOM] = 0.3;
    hand.cylinder_speed[SCORE_BOOM] = speed;
    hand_go(1.0);
    fall[SCORE_BOOM] = 0.0;
    hand.cylinder_speed[SCORE_BOOM] = 0.0f;
    hand.stop = 1 << SCORE_BOOM;
    hand_go(1.0);
    hand.stop = 0;
}

// A light touch is an end stop; a slam is steel on steel at more than a tenth of a metre a second.
static void end_stops_and_slams(void)
{
    come_to_the_end(0.03f);
    come_to_the_end(0.09f);
    hand_expect(SCORE_END_STOPS, 2.0, 0.0);
    hand_expect(SCORE_SLAMS, 0.0, 0.0);
    come_to_the_end(0.11f);
    come_to_the_end(0.30f);
    hand_expect(SCORE_END_STOPS, 4.0, 0.0);
    hand_expect(SCORE_SLAMS, 2.0, 0.0);
}

// A cylinder that the lesson puts at its end has not been driven there.
static void the_pose_of_the_start_is_nobodys_doing(void)
{
    hand.stop = 1 << SCORE_BUCKET;
    hand_go(1.0);
    hand_expect(SCORE_END_STOPS, 0.0, 0.0);
    hand.stop = 0;
    hand_go(1.0);
    hand.stop = 1 << SCORE_BUCKET;
    hand_go(1.0);
    hand_expect(SCORE_END_STOPS, 1.0, 0.0);
}

// Stalled: lever far out, relief open, nothing moves, for more than half a second.
static void stalls_are_long_reliefs(void)
{
    hand.relief = 1 << SCORE_STICK;
    hand_lever(SCORE_STICK, 0.9f);
    hand_go(0.4);
    fall[SCORE_STICK] = 0.1;
    hand_go(1.0);
    fall[SCORE_STICK] = 0.0;
    hand_go(2.0);
    hand.relief = 0;
    hand_go(1.0);
    hand_expect(SCORE_STALLS, 1.0, 0.0);
    hand_expect(SCORE_STALL_TIME, 2.0, 0.02);
    hand_expect(SCORE_RELIEF_TIME, 3.4, 0.001);
}

static void the_stance_is_watched(void)
{
    hand.track_lift = 0.5f; // it comes to rest
    hand.tip_margin = 0.01f;
    hand.roll = 0.5f;
    hand_go(2.0);
    hand_expect(SCORE_TRACK_LIFT, 0.0, 0.0);
    hand_expect(SCORE_TIP_MARGIN, 100.0, 0.0);
    hand.track_lift = 0.3f;
    hand.tip_margin = 0.12f;
    hand.pitch = (float)(3.0 * BASE_DEG);
    hand.roll = (float)(4.0 * BASE_DEG);
    hand_go(2.0);
    hand.track_lift = 0.04f;
    hand.tip_margin = 0.5f;
    hand.pitch = 0.0f;
    hand_go(2.0);
    hand_expect(SCORE_TRACK_LIFT, 0.3, 1e-6);
    hand_expect(SCORE_LIFT_TIME, 2.0, 0.001);
    hand_expect(SCORE_TIP_MARGIN, 12.0, 1e-5);
    hand_expect(SCORE_TILT, 5.0, 1e-5);
}

static void side_loading_is_swinging_in_the_ground(void)
{
    hand.in_ground = true;
    fall[SCORE_SWING] = 0.1;
    hand_go(1.5);
    fall[SCORE_SWING] = 0.04;
    hand_go(1.0);
    hand.in_ground = false;
    fall[SCORE_SWING] = 0.3;
    hand_go(1.0);
    hand_expect(SCORE_SIDE_LOADING, 1.5, 0.001);
}

static void heights_over_truck_and_road(void)
{
    hand.over_truck = true;
    hand.truck_clearance = 0.1f;
    hand_go(1.0); // empty: nothing to judge
    hand_unknown(SCORE_TRUCK_CLEARANCE);
    hand.over_truck = false;
    hand_dig(4.0, 1000.0);
    hand.over_truck = true;
    hand.truck_clearance = 0.6f;
    hand_swing(3.0, 90.0);
    hand.truck_clearance = 0.45f;
    hand_go(1.0);
    hand_expect(SCORE_TRUCK_CLEARANCE, 0.45, 1e-6);
    hand.clearance = 3.0f;
    hand_go(1.0);
    hand_unknown(SCORE_TRAVEL_HEIGHT);
    hand.speed = 0.9f;
    hand.clearance = 1.2f;
    hand_go(1.0);
    hand_expect(SCORE_TRAVEL_HEIGHT, 1.2, 1e-6);
}

static void hits_and_entries_are_counted(void)
{
    hand.hit[SCORE_HIT_STEEL] = 2;
    hand.hit[SCORE_HIT_TRUCK] = 1;
    hand.hit[SCORE_HIT_PIPE] = 1;
    hand.hit[SCORE_HIT_LINE] = 1;
    hand.hit[SCORE_HIT_PERSON] = 1;
    hand_go(1.0);
    hand.danger = true;
    hand.zone = 5;
    hand_go(1.0);
    hand.zone = 1;
    hand_go(2.0);
    hand.zone = 5;
    hand.danger = false;
    hand_go(1.0);
    hand_expect(SCORE_COLLISIONS, 2.0, 0.0);
    hand_expect(SCORE_TRUCK_HITS, 1.0, 0.0);
    hand_expect(SCORE_STRIKES, 1.0, 0.0);
    hand_expect(SCORE_LINE_ENTRIES, 1.0, 0.0);
    hand_expect(SCORE_PEOPLE, 2.0, 0.0);
    hand_expect(SCORE_ZONE_ENTRIES, 3.0, 0.0);
}

// Trembling at an edge is one contact; staying is not cheaper than coming again: each ten seconds count once more.
static void contacts_neither_tremble_nor_last_for_free(void)
{
    hand.zone = 2; // there it begins
    hand_go(25.0);
    hand.zone = 0;
    hand_go(2.0);
    hand_expect(SCORE_ZONE_ENTRIES, 0.0, 0.0);
    for (int k = 0; k < 8; ++k) {
        hand.zone = 1, hand.danger = true;
        hand_go(0.2);
        hand.zone = 0, hand.danger = false;
        hand_go(0.5);
    }
    hand_expect(SCORE_ZONE_ENTRIES, 1.0, 0.0);
    hand_expect(SCORE_PEOPLE, 1.0, 0.0);
    hand_go(2.0);
    hand.zone = 1, hand.danger = true; // parked there, and works on
    hand_go(35.0);
    hand_expect(SCORE_ZONE_ENTRIES, 1.0 + 4.0, 0.0);
    hand_expect(SCORE_PEOPLE, 1.0 + 4.0, 0.0);
}

// --- limits --------------------------------------------------------------------------------------

// Every measure has a row, a name that is found again, and a nearest one for a slip of the pen.
static void measures_are_found_by_name(void)
{
    const char* near = NULL;
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        TEST_ASSERT_EQUAL_INT(m, score_measure_find(score_measure((ScoreMeasure)m)->name, &near));
    }
    TEST_ASSERT_EQUAL_INT(-1, score_measure_find("cycle_tme", &near));
    TEST_ASSERT_EQUAL_STRING("cycle_time", near);
}

// The last test: no measure without a run whose answer is known.
static void every_measure_had_its_run(void)
{
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        TEST_ASSERT_TRUE_MESSAGE(hand_asked[m], score_measure((ScoreMeasure)m)->name);
    }
}

// docs/measures.md has a line for each, with its unit and which way is better, and no other.
static void every_measure_is_in_the_docs(void)
{
    static char page[65536];
    static const char* const better[] = {"less", "more", "in its band"};
    FILE* file = fopen("docs/measures.md", "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, "run from the root of the repository");
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        const ScoreMeasureInfo* info = score_measure((ScoreMeasure)m);
        char row[200];
        snprintf(row, sizeof row, "\n| `%s` | %s | %s | ", info->name,
                 info->unit[0] ? info->unit : "count", better[info->better]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(page, row), row + 1);
    }
    int rows = 0;
    for (const char* at = page; (at = strstr(at, "\n| `")) != NULL; ++at) {
        rows += strstr(at + 1, "` | ") < strchr(at + 1, '\n');
    }
    TEST_ASSERT_EQUAL_INT(SCORE_MEASURE_COUNT + 3, rows); // and the three severities
}

// The strip charts know when the machine was under way, and when a relief valve was open.
static void seconds_know_travel_and_relief(void)
{
    hand_go(2.0);
    hand.lever[SCORE_AXES] = 0.5f;
    hand_go(2.0);
    hand.lever[SCORE_AXES] = 0.0f;
    hand_go(1.0);
    hand.speed = 0.4f;
    hand.relief = 1;
    hand_go(1.0);
    const int want[] = {0,
                        0,
                        SCORE_SECOND_TRAVEL,
                        SCORE_SECOND_TRAVEL,
                        0,
                        SCORE_SECOND_TRAVEL | SCORE_SECOND_RELIEF};
    for (int k = 0; k < 6; ++k) {
        TEST_ASSERT_EQUAL_INT(want[k], score.second[k].flags);
    }
}

// More cycles, incidents and seconds than are kept: counted on, nothing overrun, nothing allocated.
static void a_long_lesson_fits(void)
{
    watch();
    for (int k = 0; k < 600; ++k) {
        hand_dig(1.0, 500.0);
        hand_swing(1.0, 30.0);
        hand_dump(1.0, 500.0);
        hand.hit[SCORE_HIT_STEEL] = (uint8_t)(1 + k % 3);
        hand_swing(10.0, -30.0);
    }
    int calls_made = watched();
    TEST_ASSERT_EQUAL_INT(0, calls_made);
    hand_expect(SCORE_CYCLES, SCORE_CYCLES_MAX, 0.0);
    hand_expect(SCORE_COLLISIONS, 1200.0, 0.0);
    hand_expect(SCORE_MOVED, 300.0, 0.01);
    TEST_ASSERT_EQUAL_INT(SCORE_TRACE_MAX, score.seconds);
    TEST_ASSERT_EQUAL_INT(SCORE_INCIDENTS_MAX, score_kept_incidents(&score));
}

// A copy in the middle goes on like the original: nothing is kept outside the struct.
static void a_score_can_be_copied(void)
{
    static Score copy;
    cycle(1200.0, 50.0);
    hand_dig(2.0, 400.0);
    copy = score;
    ScoreSample at = hand;
    double had = carried;
    hand_swing(3.0, 70.0);
    double first = hand_value(SCORE_JERK);
    score = copy;
    hand = at;
    carried = had;
    hand_swing(3.0, 70.0);
    TEST_ASSERT_TRUE(first == hand_value(SCORE_JERK));
}

int main(void)
{
    start_counting();
    UNITY_BEGIN();
    RUN_TEST(counting_counts);
    RUN_TEST(nothing_done_is_nothing_known);
    RUN_TEST(a_cycle_has_four_parts);
    RUN_TEST(spread_is_the_deviation_over_the_mean);
    RUN_TEST(coming_back_is_overshoot);
    RUN_TEST(two_passes_are_one_cycle);
    RUN_TEST(spill_is_told_by_place);
    RUN_TEST(trucks_count_when_they_leave);
    RUN_TEST(half_a_load_is_no_loaded_truck);
    RUN_TEST(two_trucks_at_once_are_two);
    RUN_TEST(digging_elsewhere_is_told);
    RUN_TEST(the_survey_is_shown_in_its_units);
    RUN_TEST(fuel_is_shared_among_the_soil);
    RUN_TEST(axes_together_are_counted);
    RUN_TEST(idling_begins_after_three_seconds);
    RUN_TEST(waiting_for_a_truck_is_nobodys_time);
    RUN_TEST(standing_still_for_safety_is_nobodys_time);
    RUN_TEST(a_finger_on_the_lever_is_no_work);
    RUN_TEST(help_is_counted);
    RUN_TEST(jerk_is_the_third_derivative);
    RUN_TEST(the_line_is_judged_while_it_is_followed);
    RUN_TEST(reaction_lasts_until_all_stands_still);
    RUN_TEST(going_on_during_an_alarm_is_no_reaction);
    RUN_TEST(end_stops_and_slams);
    RUN_TEST(the_pose_of_the_start_is_nobodys_doing);
    RUN_TEST(stalls_are_long_reliefs);
    RUN_TEST(the_stance_is_watched);
    RUN_TEST(side_loading_is_swinging_in_the_ground);
    RUN_TEST(heights_over_truck_and_road);
    RUN_TEST(hits_and_entries_are_counted);
    RUN_TEST(contacts_neither_tremble_nor_last_for_free);
    RUN_TEST(measures_are_found_by_name);
    RUN_TEST(a_long_lesson_fits);
    RUN_TEST(a_score_can_be_copied);
    RUN_TEST(seconds_know_travel_and_relief);
    RUN_TEST(every_measure_is_in_the_docs);
    RUN_TEST(every_measure_had_its_run);
    return UNITY_END();
}
