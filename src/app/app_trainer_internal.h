// app_trainer_internal - what the files of the trainer share; nobody else includes it.
#ifndef APP_TRAINER_INTERNAL_H
#define APP_TRAINER_INTERNAL_H

#include "app/app_camera.h"
#include "app/app_controls.h"
#include "app/app_menu.h"
#include "app/app_settings.h"
#include "app/app_trainer.h"
#include "app/app_viewer.h"
#include "platform/platform_audio.h"
#include "platform/platform_thread.h"

#define TRAINER_SITES   64
#define TRAINER_LAG_MAX 16

typedef enum TrainerPage {
    PAGE_NONE, // at the levers
    PAGE_MAIN,
    PAGE_SITES,
    PAGE_LESSONS,
    PAGE_BRIEF,  // what a lesson asks for, before it begins
    PAGE_RESULT, // what came of it
    PAGE_PAUSE,
    PAGE_DEVICES,
    PAGE_DEVICE, // of one device: calibration
    PAGE_GRAPHICS,
    PAGE_SOUND,
    PAGE_REPLAYS,
    PAGE_HELP,
    PAGE_BROKEN,  // a lesson that a crash has ended
    PAGE_TAKEN,   // a recording is in somebody's hands now
    PAGE_TRAINEE, // who is here
    PAGE_AWAY,    // a device was pulled out
    PAGE_ASSIGN,  // all functions: who moves them
    PAGE_LEVER,   // one of them
} TrainerPage;

// A shipped site or vehicle.
typedef struct TrainerFile {
    char name[65], title[96], path[512], text[320], last[64];
} TrainerFile;

enum { LEARN_NONE, LEARN_LEVER, LEARN_WORK, LEARN_FLIP };

// Somebody is to move or press what he wants.
typedef struct TrainerLearn {
    int kind, way;                                      // way: 1 or -1 of the lever
    int work, which;                                    // button's work; device and axis
    float rest[PLATFORM_DEVICES_MAX][INPUT_ANALOG_MAX]; // where axes were at first
    int met_device, met_source;                         // in use, named; again: it is taken
    char met_key[32];
    bool let_go;  // axes go back first
    double until; // s
} TrainerLearn;

// From a lever to the picture that obeys it, counted: [n] movements took n steps, n pictures.
#define TRAINER_TOOK_MAX 1000

typedef struct TrainerLag {
    int steps[TRAINER_LAG_MAX], pictures[TRAINER_LAG_MAX], count;
    double sum, most; // s
} TrainerLag;

// Two threads share it: the main one, with everything but pictures, and the one that draws. Who
// looks at it has the desk.
typedef struct Trainer {
    const AppTrainerDef* def;
    PlatformLock* desk;
    AppStudio studio;
    PlatformInput* input;
    PlatformAudio* audio; // NULL: none
    AppControls controls;
    AppSettings settings;
    AppSession* session;
    AppNews news;

    AppViewer viewer;
    AppMenu menu;
    TrainerPage page;
    int device; // that a page is about
    TrainerLearn learn;
    int lever;                 // InputAxis that a page is about
    int away;                  // device that was pulled out; -1: none
    double stick_moved;        // s: when a stick last moved the menu
    bool stick_wait;           // none moves it before all were let go
    bool wish[INPUT_KEYS_MAX]; // keys that ask for something and are down
    bool wiggle;               // the next axis that moves tells its device
    bool calibrating;          // sticks move no menu
    TrainerFile site[TRAINER_SITES], vehicle[TRAINER_SITES], lesson[TRAINER_SITES];
    int sites, vehicles, lessons;
    char lesson_now[TRAINER_PATH]; // file; empty: a site
    bool judged;                   // the result was shown
    char site_now[TRAINER_PATH], vehicle_now[TRAINER_PATH];
    int program;

    bool playing; // false: the built-in operator works behind the menu
    bool show, leave, unplugged, shot;
    char notice[200];
    double notice_until; // s

    AppCamera camera;
    InputRaw raw;    // what the devices said last
    uint64_t moved;  // how often they said something new
    double moved_at; // s
    uint64_t moved_done;
    double begun, last, filled; // s: the trainer, this turn, rows of the page
    uint64_t turns;

    // the thread that draws
    PlatformThread* painter;
    bool rest, resting, no_more;  // it shall rest; it does; it shall end
    bool new_site;                // models and ground are to be made anew
    int quality_wish;             // RenderQuality; -1: as it is
    RenderQuality quality;        // in use
    char card[128];               // what GL calls itself
    bool hidden;                  // nobody sees the window
    int width, height;            // pixels
    double picture;               // s one takes on average
    int took[TRAINER_TOOK_MAX];   // pictures by whole ms
    float scale;                  // that the font is painted for
    uint64_t pictures, lag_shown; // lag_shown: number of the movement
    int draw_calls;               // at most
    TrainerLag lag;
} Trainer;

// One after the other; app_trainer_run() is all of them. An exit code of the program.
int app_trainer_begin(Trainer* t, const AppTrainerDef* def);
bool app_trainer_turn(Trainer* t); // polls, orders; false when it is time to leave
void app_trainer_end(Trainer* t);

bool app_trainer_paint(Trainer* t); // starts the thread that draws
void app_trainer_paint_end(Trainer* t);
// With the desk in hand: waits until it touches neither session nor renderer, or lets it go on.
void app_trainer_paint_rest(Trainer* t, bool rest);
int app_trainer_lag(const int count[TRAINER_LAG_MAX]); // the middle one

void app_trainer_say(Trainer* t, const char* text); // for some seconds
int app_trainer_session_open(Trainer* t);           // in place of the one before; an exit code

void app_trainer_put_away(Trainer* t); // ends the session; a lesson leaves its record and report
void app_trainer_papers(Trainer* t, const char* reason); // the same while its thread rests
void app_trainer_session_fresh(Trainer* t);              // forgets what was known of the one before
// For records: who, with which pattern, at what. NULL: nobody.
const char* app_trainer_trainee(const Trainer* t);
const char* app_trainer_pattern_word(const Trainer* t);
const char* app_trainer_device_word(const Trainer* t);

// A recording on the screen.
bool app_viewer_open(Trainer* t, const char* path);            // false: viewer.trouble tells why
void app_viewer_begin_at(Trainer* t, double seconds);          // pauses there
void app_viewer_close(Trainer* t);                             // back to the list
void app_viewer_turn(Trainer* t, float h);                     // h: s since the last one
void app_viewer_orders(Trainer* t, AppOrders* out);            // what it wants from the session
bool app_viewer_event(Trainer* t, const PlatformEvent* event); // true: it was for the viewer
float app_viewer_bar(int width, int height);                   // pixels that it takes at the bottom
void app_viewer_draw(Trainer* t, ViewDraw* draw, int width, int height);
// Its pages.
bool app_viewer_look_for_broken(Trainer* t);
void app_viewer_list(Trainer* t); // reads the folder
bool app_viewer_page_fill(Trainer* t);
bool app_viewer_take(Trainer* t, int action, int argument);
bool app_viewer_type(Trainer* t, const PlatformEvent* event);
void app_viewer_row_trainee(Trainer* t);
void app_viewer_next_trainee(Trainer* t, int by);
void app_viewer_open_report(Trainer* t);

// Pages of the menu.
void app_trainer_files(Trainer* t);  // looks what is shipped
void app_trainer_result(Trainer* t); // remembers the last result of the lesson
void app_trainer_page(Trainer* t, TrainerPage page);
void app_trainer_page_fill(Trainer* t);
void app_trainer_page_event(Trainer* t, const PlatformEvent* event);
void app_trainer_page_sticks(Trainer* t); // axes that move the menu, and wiggling
void app_trainer_page_draw(Trainer* t, ViewDraw* draw, int width, int height, float scale);

#endif
