// sim_lesson - a lesson being worked: its world, goals, events, trucks, score and record, in step.
//
// Does:     build the world that a lesson file describes; step all of it by the levers of one person;
//           follow goals and events; drive trucks in and out; take the measures; record; judge.
// Does not: open windows, read devices, or decide when to stop: it says why it could.
// Units:    SI. Positions of objects are the world's.
// Threads:  one calling thread; sim_lesson_pump() may be another one's.
// Promise:  sim_lesson_step() and sim_lesson_save() never allocate, wait, or touch a file. Same file, same
//           inputs: same bits, for every number of threads.
//
//     SimLesson* l = sim_lesson_create(&def, &error);
//     sim_lesson_record(l, path, &who, &error);              // when it shall be kept
//     while (!sim_lesson_over(l)) {
//         sim_lesson_step(l, &frame);                        // 60 times a second
//         sim_lesson_pump(l);                                // here, or on another thread
//     }
//     sim_lesson_judge(l, NULL, &result);
//     sim_lesson_finish(l, sim_lesson_over(l), &hash, &error);
#ifndef SIM_LESSON_H
#define SIM_LESSON_H

#include "input/input.h"
#include "operator/operator_arm.h"
#include "record/record.h"
#include "scenario/scenario.h"
#include "scenario/scenario_yardstick.h"
#include "score/score.h"
#include "world/world.h"

// A lesson is the same for everybody: its grains are not a matter of taste.
#define SIM_LESSON_RADIUS 0.04f // m, of grains
#define SIM_LESSON_POOL   16000 // grains
#define SIM_LESSON_BIRTHS 600   // grains in one step, from faces and bins
#define SIM_LESSON_TRUCKS (COUPLING_BINS_MAX)

typedef struct SimLessonDef {
    const char* name;   // as it is recorded: a path, or the name of a shipped lesson
    ScenarioFind* find; // base_path_find()
    int threads;
} SimLessonDef;

_Static_assert(SIM_LESSON_TRUCKS <= SCORE_TRUCKS_MAX && SCENARIO_ZONES_MAX <= SCORE_ZONES_MAX,
               "every truck and zone has its place in the measures");

typedef enum SimTruckPhase {
    SIM_TRUCK_COMING,
    SIM_TRUCK_STANDING, // to be loaded
    SIM_TRUCK_LEAVING,
    SIM_TRUCK_AWAY, // emptied somewhere else
    SIM_TRUCK_GONE, // all trips are done
} SimTruckPhase;

typedef struct SimTruck {
    int phase, trips; // SimTruckPhase; those that left with their load
    bool returns;     // it has been here before
    int object;       // of the scenario
    uint64_t since;   // step in which the phase began
    uint64_t calm;    // step since which the load has not changed
    double load;      // kg then
} SimTruck;

typedef enum SimEventKind { // RecordEvent.kind
    SIM_EVENT_SCENARIO = 1, // values: its number
    SIM_EVENT_TRUCK,        // values: truck, phase
    SIM_EVENT_GOAL,         // values: goal, 1 done or 0 undone
    SIM_EVENT_RESULT,       // values: points, 1 passed; text: why it ended. A claim, until verified
    SIM_EVENT_SETUP,        // of a site without a lesson, see sim_record.c
    SIM_EVENT_PILLARS,      // values: safety, quality; text: economy. The rest of the claim
    SIM_EVENT_MENDED, // numbers went bad and were put right. values: grains, steps of machines
} SimEventKind;

typedef struct SimLessonEvent {
    double time; // s
    int kind;    // SimEventKind
    char text[RECORD_TEXT + 1];
} SimLessonEvent;

#define SIM_LESSON_EVENTS 64   // kept, the last ones
#define SIM_LESSON_MENDS  3    // so often, and the lesson is given up,
#define SIM_LESSON_MENDED 10.0 // within so many s

// All that goes on in a lesson besides the world: plain data, saved as it is.
typedef struct SimLessonState {
    ScenarioState scenario;
    ScenarioSurvey survey;
    Score score;
    double zone_mass[SCENARIO_ZONES_MAX]; // kg more than at the start
    int64_t gained[SCORE_PLACE_COUNT];    // mg, once a second
    int64_t slid[SCORE_PLACE_COUNT];      // mg of that, by itself before anybody worked
    SimTruck truck[SIM_LESSON_TRUCKS];
    double appeared[SCENARIO_OBJECTS_MAX]; // s
    ScoreContact touch[SCENARIO_OBJECTS_MAX];
    ScoreContact touch_truck[SIM_LESSON_TRUCKS];
    double steady;                   // m, from the middle of the tracks to the nearest edge
    double margin;                   // 0..1, of that, smoothed
    double mended[SIM_LESSON_MENDS]; // s, when numbers were put right, the last one first
    int mends;                       // how often
    int lost;                        // soil is missing: never, unless we have a bug
    int events;
    SimLessonEvent event[SIM_LESSON_EVENTS]; // ring: number n lies in n % SIM_LESSON_EVENTS
} SimLessonState;

typedef struct SimLesson SimLesson;

// NULL after filling in error->text; an error without text means that memory is short.
SimLesson* sim_lesson_create(const SimLessonDef* def, BaseYamlError* error);
void sim_lesson_destroy(SimLesson* lesson); // a record that was not finished stays as after a crash

// One sixtieth of a second. What no lever can do is put right in a copy, and that is recorded.
void sim_lesson_step(SimLesson* lesson, const InputFrame* frame);
// Why it is over, such as "all goals are reached" or "the time is up"; NULL while it goes on. Steps may
// go on.
const char* sim_lesson_over(const SimLesson* lesson);
// `rules`: NULL for the lesson's own. What is not over is not passed.
void sim_lesson_judge(const SimLesson* lesson, const ScoreRules* rules, ScoreResult* out);

// To look at.
World* sim_lesson_world(SimLesson* lesson);
const Scenario* sim_lesson_scenario(const SimLesson* lesson);
const SimLessonState* sim_lesson_state(const SimLesson* lesson);
const ScenarioFloors* sim_lesson_floors(const SimLesson* lesson);
const float* sim_lesson_start(const SimLesson* lesson); // m, height per column when it began
const OperatorArm* sim_lesson_arm(const SimLesson* lesson);
const char* sim_lesson_path(const SimLesson* lesson); // of the scenario's file
// What the expert reaches here; NULL: nobody has measured it. `*same`: in this version of the lesson.
const ScenarioYardstick* sim_lesson_yardstick(const SimLesson* lesson, bool* same);
// Writes it, from how the lesson stands now.
bool sim_lesson_yardstick_write(const SimLesson* lesson, const char* path);
// Machine of the world that is this object's truck; -1: none.
int sim_lesson_truck(const SimLesson* lesson, int object);
// True when a truck stands to be loaded and is not full yet.
bool sim_lesson_truck_ready(const SimLesson* lesson, int machine);
// Where a person is now, world; false when there is none.
bool sim_lesson_person(const SimLesson* lesson, int object, Vec3* out);

// --- records -------------------------------------------------------------------------------------

#define SIM_LESSON_MODULES  5 // soil, terrain, coupling, machines, lesson; then the total
#define SIM_LESSON_SECTIONS 2 // of a snapshot: world, lesson

typedef struct SimLessonWho {
    const char *trainee, *driver, *pattern, *device; // NULL: unknown
    const char* parent;                              // recording that was taken over
    int64_t started;                                 // s since 1970
} SimLessonWho;

// Names and hashes of all that the lesson is made of.
void sim_lesson_head(const SimLesson* lesson, const SimLessonWho* who, RecordHead* out);
// Before the first step. False with the reason in error.
bool sim_lesson_record(SimLesson* lesson, const char* path, const SimLessonWho* who,
                       BaseYamlError* error);
// The lesson stands where `parent` was after so many steps: the new record begins with those.
bool sim_lesson_record_on(SimLesson* lesson, RecordReader* parent, const char* path,
                          const SimLessonWho* who, BaseYamlError* error);
void sim_lesson_pump(SimLesson* lesson);        // files: not inside a step
const char* sim_lesson_news(SimLesson* lesson); // of the record; NULL: nothing new
bool sim_lesson_finish(SimLesson* lesson, const char* reason, uint64_t* hash, BaseYamlError* error);

void sim_lesson_hashes(const SimLesson* lesson, uint64_t out[SIM_LESSON_MODULES + 1]);
// The state as sections; they hold until the next call.
void sim_lesson_save(SimLesson* lesson, RecordSection out[SIM_LESSON_SECTIONS]);
// False when it is of another lesson; it is then of no more use.
bool sim_lesson_load(SimLesson* lesson, const RecordSnapshot* snapshot);
// What a recording's base is compared with: the state when it was made.
void sim_lesson_base(SimLesson* lesson, RecordSection out[SIM_LESSON_SECTIONS]);

#endif
