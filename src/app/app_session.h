// app_session - a world that lives on a thread of its own, at 60 steps a second.
//
// Does:     load it; step it by the newest orders; hand every state to the picture; show how it is
//           done by the built-in operator; keep the record.
// Does not: draw or poll devices.
// Threads:  app_session_order() and _news() belong to the window's thread, _picture(), _states() and
//           _shown() to the one that draws, the rest of the life of the world to its own; they meet
//           in mailboxes, and nobody waits for another.
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/app_mail.h"
#include "app/app_scene.h"
#include "input/input_hand.h"
#include "platform/platform_thread.h"
#include "sim/sim.h"
#include "sim/sim_guide.h"
#include "sim/sim_player.h"

#define APP_CATCH_UP 4   // steps that are made up for when a step was late
#define APP_SUSPEND  1.0 // s without a step, after which it waits for its pupil

typedef struct AppSessionDef {
    SimDef sim;
    const char* record; // file, NULL: none
    const char* name;   // of site or lesson
    const char* lesson; // file or name; NULL: a site without a lesson, as in sim
    const char *trainee, *pattern, *device; // of the record; NULL: unknown
    const char* replay; // a recording to look at, in place of a site or lesson; NULL: none
} AppSessionDef;

// What somebody who looks at a recording wants.
typedef enum AppWish {
    WISH_NOTHING,
    WISH_PLAY,      // value: 1 or 0
    WISH_SPEED,     // of sim_player_speeds
    WISH_SEEK,      // step
    WISH_MARK,      // 1 or -1
    WISH_TAKE_OVER, // the session goes on with `record` from here
} AppWish;

#define APP_WISHES 16 // that may wait

typedef struct AppWishes {
    struct {
        int kind; // AppWish
        double value;
    } wish[APP_WISHES]; // ring
    uint32_t count;     // all that were ever wished
    char record[1024];  // where what is taken over is recorded
} AppWishes;

// What the window wants.
typedef struct AppOrders {
    InputRaw raw;
    const InputControls* controls; // must live as long as the session
    int pattern;                   // InputPattern
    bool pause, show;              // show: the built-in operator works
    double polled;                 // s, when raw was true
    uint64_t moved;                // how often a lever or key moved so far
    uint64_t moved_done;           // app_session_done() when the last of these was noticed
    double moved_at;               // s
    AppWishes wishes;
} AppOrders;

// How it stands.
typedef struct AppNews {
    double step_time;     // s, of the last step
    uint64_t step;        // done so far
    uint64_t skipped;     // steps that were given up because the computer was late
    SimPlayerNews player; // of a recording that is looked at
    uint32_t wishes;      // that were obeyed
    bool taken;           // it was taken over: a lesson goes on now
    char trouble[256];    // why it could not be
    double polled;        // of the orders that the last step obeyed
    double stepped;       // s, when it was done
    bool suspended;       // the computer slept: paused until told otherwise
    bool unplugged;       // a device is gone
    bool centered;        // no lever is away from neutral
    int busy_device;      // by number in the controls, that is not; -1: keys
    int busy_axis;        // of it
    bool show;            // the operator works
    uint32_t bad;         // faults that were put right
    bool balanced;        // not a milligram is missing
    InputFrame frame;     // levers of the last step
    char record[160];     // a sentence about the record, or empty
    double score;         // 0..100 so far; < 0: none
    const char* over;     // why the lesson is over; NULL: it goes on
    struct {
        float rpm, load, pump; // 1/min, 0..1, 0..1 of relief
        float swing, travel;   // rad/s, m/s
        float soil, bin;       // kg/s of soil moving at the tool, into bins
    } sound;
} AppNews;

typedef struct AppSession AppSession;

// NULL after filling in error->text; an error without text means that memory is short.
AppSession* app_session_create(const AppSessionDef* def, BaseYamlError* error);
bool app_session_start(AppSession* session);   // its thread
void app_session_destroy(AppSession* session); // ends the thread and closes the record
AppScene* app_session_scene(AppSession* session);
void app_session_order(AppSession* session, const AppOrders* orders);
const AppNews* app_session_news(AppSession* session);
uint64_t app_session_done(const AppSession* session); // steps so far, from any thread
// A picture begins: the next states are for it. Returns its number, from 1 on.
uint64_t app_session_picture(AppSession* session);
void app_session_shown(AppSession* session, uint64_t movement); // of ViewLag
// False before the first step.
bool app_session_states(AppSession* session, const ViewState** a, const ViewState** b);

// Without a thread, for pictures: one step with these levers, or the operator's when NULL.
void app_session_step(AppSession* session, const InputFrame* frame);
// What is worth a look in the recording that is looked at, as far as is known; NULL without one.
const SimMarks* app_session_marks(AppSession* session);
// The head and the rest of what the recording is, while it is looked at.
const RecordInfo* app_session_info(AppSession* session);
const char* app_session_path(const AppSession* session); // of its own record; empty: none
void app_session_stop(AppSession* session); // ends its thread; the rest can still be looked at
// While the thread rests or does not run: the record is closed and gets its name. Where it then lies, or NULL
// when nothing was recorded, or it was closed before.
bool app_session_finishing(const AppSession* session); // there is something to finish
const char* app_session_finish(AppSession* session, const char* reason);
Sim* app_session_sim(AppSession* session);          // NULL in a lesson
SimLesson* app_session_lesson(AppSession* session); // NULL without; when its thread pauses
World* app_session_world(AppSession* session);
// The thread rests now and will not touch the world before it is told to go on.
bool app_session_rests(AppSession* session);

#endif
