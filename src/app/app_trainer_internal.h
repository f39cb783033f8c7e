// app_trainer_internal - what the files of the trainer share; nobody else includes it.
#ifndef APP_TRAINER_INTERNAL_H
#define APP_TRAINER_INTERNAL_H

#include "app/app_controls.h"
#include "app/app_menu.h"
#include "app/app_settings.h"
#include "app/app_trainer.h"
#include "platform/platform_audio.h"

#define TRAINER_SITES 64

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
    PAGE_KEYS,
    PAGE_GRAPHICS,
    PAGE_SOUND,
    PAGE_REPLAYS,
    PAGE_HELP,
} TrainerPage;

// A shipped site or vehicle.
typedef struct TrainerFile {
    char name[65], title[96], path[512], text[320], last[64];
} TrainerFile;

typedef struct Trainer {
    const AppTrainerDef* def;
    AppStudio studio;
    PlatformInput* input;
    PlatformAudio* audio; // NULL: none
    AppControls controls;
    AppSettings settings;
    AppSession* session;
    AppNews news;

    AppMenu menu;
    TrainerPage page;
    int device; // that a page is about
    int bind;   // key that waits for another; -1: none
    char bind_name[32];
    double stick_moved; // s: when a stick last moved the menu
    bool wiggle;        // the next axis that moves tells its device
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

    ViewCameraKind camera;
    float zoom;                 // factor on the distance
    Vec3 free_eye;              // m
    float free_yaw, free_pitch; // rad
    double last, picture;       // s: when this picture began; what one takes on average
    float scale;                // that the font is painted for
    uint64_t pictures;
    double latency_sum, latency_max; // s, from the poll to the picture that shows its step
    uint64_t latency_count;
    double shown;
} Trainer;

void app_trainer_say(Trainer* t, const char* text); // for some seconds
int app_trainer_session_open(Trainer* t);           // in place of the one before; an exit code

// Pages of the menu.
void app_trainer_files(Trainer* t);  // looks what is shipped
void app_trainer_result(Trainer* t); // remembers the last result of the lesson
void app_trainer_page(Trainer* t, TrainerPage page);
void app_trainer_page_fill(Trainer* t);
void app_trainer_page_event(Trainer* t, const PlatformEvent* event);
void app_trainer_page_sticks(Trainer* t); // axes that move the menu, and wiggling
void app_trainer_page_draw(Trainer* t, ViewDraw* draw, int width, int height, float scale);

#endif
