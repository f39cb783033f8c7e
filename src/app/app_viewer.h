// app_viewer - a recording on the screen: timeline, buttons, keys and sticks, and the way in.
//
// Does:     turn what hands do into wishes for the session that looks at a recording; draw its timeline with
//           marks, proof and buttons; the list of all records; the offer to go on after a crash; who is here.
// Does not: simulate (app_player.c, on the session's thread) or draw the site.
// Threads:  as app_trainer.
#ifndef APP_VIEWER_H
#define APP_VIEWER_H

#include "app/app_session.h"
#include "app/app_shelf.h"

#include "view/view_draw.h"

#define VIEWER_RUNS  150 // of the list
#define VIEWER_AREAS 16

// A place on the screen that obeys the mouse.
typedef struct ViewerArea {
    float x, y, w, h; // pixels
    int kind;         // ViewerDo
} ViewerArea;

typedef struct AppViewer {
    bool on;
    char path[APP_SHELF_PATH];
    char title[96], who[160], what[RECORD_NAME]; // lesson's or site's name as recorded
    char trouble[BASE_YAML_MESSAGE_MAX];         // why the last one could not be opened
    AppWishes wishes;
    const SimMarks* marks;
    double want;              // step, while it is dragged or pushed along
    bool drag, resume, reach; // by the mouse; it played before; somebody asked to take over
    float x, y;               // mouse
    double pushed;            // s: when a stick last changed the speed
    bool pushing;
    float line[4]; // of the timeline, pixels
    ViewerArea area[VIEWER_AREAS];
    int areas;

    AppRun* run; // [VIEWER_RUNS], the list
    int runs;
    AppRun broken;     // that is offered
    char report[4096]; // of the lesson that ended last; empty: none
    char typed[64];
    char people[32][64]; // known by their folders
    int person_count;
} AppViewer;

#endif
