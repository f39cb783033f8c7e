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

#endif
