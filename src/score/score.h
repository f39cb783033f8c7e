// score - how well a lesson was driven: measures, criteria, points, and what to fix first.
//
// Does:     take one plain ScoreSample per step, find the working cycles, keep all measures up to
//           date; judge them by criteria with bands, weights and pillars; name causes and times.
// Does not: know the world, files or drawing. Who has a sample can score: a lesson, a replay, a test.
// Units:    SI and radians in samples; a measure has the unit of its row in the table.
// Method:   docs/measures.md defines every measure and rule.
// Threads:  no shared state. score_step() never allocates; a Score is plain data and may be copied.
#ifndef SCORE_H
#define SCORE_H

#include "base/base_math.h"

#include <stdbool.h>
#include <stdint.h>

#define SCORE_AXES          4 // swing, boom, stick, bucket
#define SCORE_LEVERS        6 // the axes, then left and right track
#define SCORE_MATERIALS     8
#define SCORE_CYCLES_MAX    512
#define SCORE_INCIDENTS_MAX 256
#define SCORE_TRACE_MAX     7200 // s
#define SCORE_TRUCKS_MAX    4    // that can stand at once
#define SCORE_ZONES_MAX     32
#define SCORE_CRITERIA_MAX  64
#define SCORE_ADVICE_MAX    3
#define SCORE_UNBOUNDED     1e30 // a band without this side

typedef enum ScoreAxis { SCORE_SWING, SCORE_BOOM, SCORE_STICK, SCORE_BUCKET } ScoreAxis;

// Where soil can be; ScoreSample.gained counts it there.
typedef enum ScorePlace {
    SCORE_PLACE_DIG,       // inside the goals, and zones of kind dig
    SCORE_PLACE_DUMP,      // zones of kind dump and spoil
    SCORE_PLACE_TRUCK,     // on trucks, those that have left too
    SCORE_PLACE_BUCKET,    //
    SCORE_PLACE_HAUL,      // spill from here on: zones of kind haul
    SCORE_PLACE_KEEP_OUT,  // zones of kind keep_out
    SCORE_PLACE_ELSEWHERE, // the rest of the site
    SCORE_PLACE_OFF_SITE,  //
    SCORE_PLACE_COUNT,
} ScorePlace;
#define SCORE_PLACE_SPILL SCORE_PLACE_HAUL

// What happened since the last step, each counted.
typedef enum ScoreHit {
    SCORE_HIT_STEEL,  // machine against wall, cone or stake
    SCORE_HIT_TRUCK,  // machine against a truck
    SCORE_HIT_PIPE,   // a pipe or cable in the ground
    SCORE_HIT_LINE,   // within the clearance of an overhead line
    SCORE_HIT_PERSON, //
    SCORE_HIT_COUNT,
} ScoreHit;

// A truck that stands to be loaded.
typedef struct ScoreTruck {
    int number;           // of its visit; 0: none stands here
    uint64_t load, rated; // mg on it, mg it should get
} ScoreTruck;

// One step of a lesson. All zero is a machine that stands still with its engine off.
typedef struct ScoreSample {
    double time;                        // s since the start, grows
    double joint[SCORE_AXES];           // rad; boom, stick, bucket as the vehicle file counts them
    double joint_speed[SCORE_AXES];     // rad/s
    float lever[SCORE_LEVERS];          // -1..1
    uint8_t relief;                     // bit per axis: its relief valve is open
    uint8_t stop;                       // bit per axis: its cylinder is at an end
    float cylinder_speed[SCORE_AXES];   // m/s, >= 0, of its cylinder; the swing has none
    bool engine;                        // runs
    bool helped;                        // the built-in operator works in the trainee's place
    double fuel;                        // L since the start
    Vec3 edge, edge_velocity;           // m, m/s, middle of the cutting edge, world
    float edge_angle;                   // rad, bucket floor against level
    float clearance;                    // m, lowest point of the bucket above ground; < 0 inside it
    bool in_ground;                     // the edge is in soil and meets resistance
    bool over_truck;                    // the bucket is above a truck's bin
    float truck_clearance;              // m above its rim, when over_truck
    float speed;                        // m/s of the undercarriage, >= 0
    float pitch, roll;                  // rad, of the house
    float track_lift;                   // m, highest contact of a track above the ground
    float tip_margin;                   // 0 tips .. 1 carried in the middle between the tracks
    uint8_t hit[SCORE_HIT_COUNT];       // since the last step
    uint32_t zone;                      // bit per keep-out zone that any part of the machine is in
    bool person;                        // somebody is within reach
    bool danger;                        // and the machine moves
    bool alarm;                         // an event that asks for a stop goes on
    bool tracing;                       // a line is being followed
    float trace_error;                  // m, edge to line
    float trace_level;                  // rad, bucket floor to what was asked for
    uint64_t bucket[SCORE_MATERIALS];   // mg carried, per material
    ScoreTruck truck[SCORE_TRUCKS_MAX]; // by the place where each stands
    bool waiting;                       // a truck is to come, and none stands to be loaded
    int64_t gained[SCORE_PLACE_COUNT];  // mg more than at the start, by ledger; sums to 0
    float progress;                     // 0..1, of all goals
} ScoreSample;

// What goals look like in the ground now; made by scenario_survey(), seldom.
typedef struct ScoreSurvey {
    bool any;            // there is a target surface
    double over, under;  // m3 dug too much, left to dig
    double over_depth;   // m, worst
    double under_depth;  // m, worst
    double in_tolerance; // 0..1 of the area
    double wall_slope;   // rad, steepest over 0.5 m at the goals' rims
    double compaction;   // 0..1, mean of filled areas; < 0: nothing to compact
} ScoreSurvey;

// Known before the lesson begins.
typedef struct ScoreSetup {
    double rate;          // steps per second
    double bucket_volume; // m3, heaped
    double reach;         // m, for jerk in words; 0: unknown
    int materials;
    double density_bank[SCORE_MATERIALS];  // kg/m3
    double density_loose[SCORE_MATERIALS]; // kg/m3
} ScoreSetup;

// --- measures ------------------------------------------------------------------------------------

typedef enum ScoreMeasure {
#define SCORE_MEASURE(id, name, unit, digits, better, title) SCORE_##id,
#include "score/score_measures.h"
#undef SCORE_MEASURE
    SCORE_MEASURE_COUNT,
} ScoreMeasure;

typedef enum ScoreBetter { SCORE_LESS, SCORE_MORE, SCORE_NEITHER } ScoreBetter;

typedef struct ScoreMeasureInfo {
    const char* name; // as criteria call it
    const char* unit; // "" for counts
    int digits;       // behind the point
    ScoreBetter better;
    const char* title; // for people
} ScoreMeasureInfo;

const ScoreMeasureInfo* score_measure(ScoreMeasure measure);
// -1 when there is none of that name; *nearest then is the one that was probably meant, or NULL.
int score_measure_find(const char* name, const char** nearest);

typedef struct ScoreValue {
    double value;
    bool known; // false: nothing happened that could be measured
} ScoreValue;

// --- criteria ------------------------------------------------------------------------------------

typedef enum ScorePillar { SCORE_SAFETY, SCORE_QUALITY, SCORE_ECONOMY, SCORE_PILLARS } ScorePillar;
typedef enum ScoreSeverity { SCORE_MINOR, SCORE_MAJOR, SCORE_CRITICAL } ScoreSeverity;

// 100 points inside [at_least, at_most], falling to 0 at `margin` outside.
typedef struct ScoreCriterion {
    int measure;              // ScoreMeasure
    double at_least, at_most; // +-SCORE_UNBOUNDED: no such side
    double margin;            // 0: all or nothing
    double weight;            // within its pillar
    int pillar;               // ScorePillar
    int severity;             // ScoreSeverity
} ScoreCriterion;

typedef struct ScoreRules {
    int count;
    ScoreCriterion criterion[SCORE_CRITERIA_MAX];
    double pillar_weight[SCORE_PILLARS];
    double pass; // points
    bool goals;  // there are some: who does not reach them all has not passed
} ScoreRules;

typedef struct ScoreResult {
    ScoreValue value[SCORE_MEASURE_COUNT];
    double points[SCORE_CRITERIA_MAX]; // 0..100, of each criterion
    bool judged[SCORE_CRITERIA_MAX];   // false: left out, because nothing happened
    double pillar[SCORE_PILLARS];      // 0..100, how it was done; < 0: no criterion
    double total;                      // 0..100, the mean of the pillars times `reached`
    double reached;                    // 0..1, of the goals; 1 when there are none
    int failed;                        // the critical criterion that fails the lesson; -1: none
    bool passed;
    const ScoreValue* expert; // what the expert has of each measure, for advice; NULL: unknown
} ScoreResult;

double score_points(const ScoreCriterion* criterion, double value); // 0..100
void score_judge(const ScoreRules* rules, const ScoreValue value[SCORE_MEASURE_COUNT],
                 ScoreResult* out);

// --- contacts ------------------------------------------------------------------------------------

// Something that touches or is inside, and may tremble at the edge.
typedef struct ScoreContact {
    double last, counted; // s; 0: never
} ScoreContact;

// True when it counts: at its begin, and once more for every ten seconds that it lasts. Apart for less than a
// second it is the same contact; one with which the lesson begins counts only when it comes again.
bool score_contact(ScoreContact* contact, bool now, double time);

// --- a lesson ------------------------------------------------------------------------------------

typedef enum ScorePhase {
    SCORE_PHASE_NONE, // before the first bucket
    SCORE_PHASE_DIG,
    SCORE_PHASE_SWING_LOADED,
    SCORE_PHASE_DUMP,
    SCORE_PHASE_SWING_EMPTY,
    SCORE_PHASE_COUNT,
} ScorePhase;

typedef struct ScoreCycle {
    double start;                   // s
    double time[SCORE_PHASE_COUNT]; // s in each phase
    double payload;                 // kg, largest
    double left;                    // kg in the bucket after dumping
    double fill;                    // payload's loose volume over the heaped volume
    double swing;                   // rad, from dig to dump
    double overshoot;               // rad, the larger one of both swings
    double spill;                   // kg more on places of spill
    bool dumped;                    // payload, fill, swing and left are final
    bool complete;                  // the next one has begun: times are final
} ScoreCycle;

// Something worth a time stamp: belongs to a measure, with what the machine was doing then.
typedef struct ScoreIncident {
    double time;  // s, when it began
    double until; // s
    int measure;  // ScoreMeasure
    int phase;    // ScorePhase, in which most of it came
    int cycle;    // from 0; -1: before the first
    double value; // in the measure's unit
    double most;  // of that, at once
} ScoreIncident;

// What was so at some time of a second: bits.
typedef enum ScoreSecondFlag {
    SCORE_SECOND_RELIEF = 1, // a relief valve open
    SCORE_SECOND_ALARM = 2,
    SCORE_SECOND_ZONE = 4, // in a keep-out zone
    SCORE_SECOND_DANGER = 8,
    SCORE_SECOND_TRAVEL = 16, // a lever of the tracks out of neutral, or under way
} ScoreSecondFlag;

// A second of the strip charts.
typedef struct ScoreSecond {
    float payload;  // kg in the bucket
    float truck;    // kg on the truck
    uint8_t phase;  // ScorePhase
    uint8_t axes;   // most that moved together
    uint8_t moving; // bit per axis that moved
    uint8_t flags;  // ScoreSecondFlag
} ScoreSecond;

typedef struct Score {
    ScoreSetup setup;
    ScoreSample last;
    uint64_t steps;
    double time; // s of the last sample
    ScoreSurvey survey;

    // cycles
    int phase;
    int cycles; // begun
    ScoreCycle cycle[SCORE_CYCLES_MAX];
    double phase_start;                  // s
    double peak, peak_bank, peak_loose;  // kg, m3, m3: largest in this cycle
    double low, still_since;             // kg, s: since when the payload has not fallen
    double leave_yaw;                    // rad, where this swing began
    double yaw_far;                      // rad, farthest from there in it
    int64_t spill_at_start, spill_told;  // mg: of the cycle, of the second
    int64_t outside_told;                // mg
    double fell[SCORE_PHASE_COUNT], had; // kg that left the bucket lately, by phase; kg in it
    double moved;                        // kg, dumped by finished cycles
    double moved_bank, moved_loose;      // m3

    // sums
    double idle, idle_run;                // s
    double helped;                        // s
    double active;                        // s with a lever or an axis in motion
    double axes[SCORE_AXES + 1];          // s with exactly so many axes in motion
    double axis[SCORE_AXES];              // s each
    double stall[SCORE_AXES], stall_time; // s running, s in all
    double side_loading, lift_time;       // s
    double lift, travel_height, tilt;     // m, m, rad: largest
    double tip, truck_clearance;          // smallest
    bool truck_seen, travelled;
    int slams, end_stops, stalls, collisions, truck_hits, strikes, line_hits, people, zone_entries;
    double relief_time; // s
    double trace_sum, trace_worst, level_sum, trace_time;
    ScoreContact zone[SCORE_ZONES_MAX], danger;
    double alarm_start, reaction, reaction_worst; // s
    bool reacting;
    bool driven; // a lever was moved
    bool worked; // and soil was touched, or the machine travelled
    int alarms;
    int trucks, trucks_left; // that have left full; with some load
    double truck_error_sum;  // 0..1, of those with some load
    double jerk_sum;         // of squares
    uint64_t jerk_count;
    double window[SCORE_AXES];  // rad/s summed over this tenth of a second
    double mean[2][SCORE_AXES]; // of the two before
    int window_steps, windows;

    int incidents; // all; the array keeps the worst ones when there are more
    ScoreIncident incident[SCORE_INCIDENTS_MAX];
    int seconds;
    ScoreSecond second[SCORE_TRACE_MAX];
} Score;

void score_init(Score* score, const ScoreSetup* setup);
void score_step(Score* score, const ScoreSample* sample);
void score_set_survey(Score* score, const ScoreSurvey* survey);

// All measures as they stand now; cheap enough for every frame's HUD.
void score_values(const Score* score, ScoreValue out[SCORE_MEASURE_COUNT]);
int score_kept_incidents(const Score* score);

// --- what to fix first ---------------------------------------------------------------------------

typedef struct ScoreAdvice {
    int criterion;  // of the rules
    double lost;    // points of the total
    char text[512]; // what, how much, when, why, and what to do; whole sentences
    int times;      // stamps, worst first
    double time[4]; // s
} ScoreAdvice;

// At most SCORE_ADVICE_MAX, the costliest first; returns how many.
int score_advise(const Score* score, const ScoreRules* rules, const ScoreResult* result,
                 ScoreAdvice out[SCORE_ADVICE_MAX]);

const char* score_phase_name(int phase);
const char* score_pillar_name(int pillar);
// "3:07"
const char* score_clock(char buffer[16], double time);
// "12.5 s": as people read it; "none" when unknown
const char* score_value_text(char buffer[48], int measure, ScoreValue value);

#endif
