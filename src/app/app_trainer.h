// app_trainer - the trainer one sits down at: a window, hands on the levers, a world behind it.
//
// Does:     hold together window, devices, session, cameras and menus; the loop of pictures.
// Does not: simulate (app_session, on its own thread).
// Threads:  the main thread.
#ifndef APP_TRAINER_H
#define APP_TRAINER_H

#include "app/app_session.h"
#include "app/app_studio.h"
#include "platform/platform_input.h"

#define TRAINER_PATH 4096

typedef struct AppTrainerDef {
    const char* site;    // file; NULL: begin with the menu
    const char* vehicle; // file
    const char* lesson;  // file; in place of a site
    const char* record;  // file; NULL: into the data folder
    const char* replay;  // a recording to look at, in place of a site
    const char* trainee; // pseudonym; NULL: as remembered
    double at;           // s, where the recording is looked at first
    int program;         // OperatorProgram
    int pattern;         // InputPattern; -1: as remembered
    int threads;
    int quality;      // RenderQuality; -1: measure
    const char* shot; // file: the last picture before leaving; NULL: none
    int page;         // TrainerPage to begin with, for pictures of menus; 0: the usual one
    bool pretend;     // two sticks that are not there, for pictures of menus
    int seconds;      // leave after so many; 0: when told to
    bool show;        // the built-in operator works
    bool offscreen;
    bool full;
    int width, height; // of the window; 0: 1280 x 720
} AppTrainerDef;

// An exit code of the program.
int app_trainer_run(const AppTrainerDef* def);

#endif
