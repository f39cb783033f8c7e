// app_studio - window, renderer and one frame together: what every picture needs.
#ifndef APP_STUDIO_H
#define APP_STUDIO_H

#include "app/app_stage.h"
#include "platform/platform_window.h"
#include "render/render.h"
#include "view/view_frame.h"

#define APP_GRAINS 20000 // in one picture
#define APP_POSES  2048  // of all machines in one picture

typedef struct AppStudio {
    PlatformWindow* window;
    Render* render;
    ViewState state;
    ViewFrame frame;
    ViewFont font;
    ViewDraw draw;
} AppStudio;

// Window, renderer, text and a frame, without anything to show yet. An exit code of the program,
// after a sentence on stderr when it is not 0.
int app_studio_begin(AppStudio* studio, const PlatformWindowDef* window);
// An exit code of the program, after a sentence on stderr when it is not 0.
int app_studio_open(AppStudio* studio, const PlatformWindowDef* window, const AppStage* stage);
void app_studio_close(AppStudio* studio);
// Another world's machines and ground.
void app_studio_world(AppStudio* studio, const ViewWorld* view);

typedef struct AppTake {
    ViewCamera camera; // lifted out of the ground where it is in it
    Vec3 focus;        // m, where shadows are sharp
    bool readings;     // what the operator reads lies over the picture
    int width, height;
} AppTake;

// A picture of a state as PNG; false when it could not be written, after a sentence on stderr.
bool app_studio_take(AppStudio* studio, const ViewState* state, const AppTake* take,
                     const char* path);

#endif
