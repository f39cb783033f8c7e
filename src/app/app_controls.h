// app_controls - whose hand is on what: the controls in use, changed live and remembered.
//
// Does:     read the user's own file, else the shipped one; take new devices in with a likely
//           profile; rebind keys; take over calibrated ends; save without ever losing the old file.
// Does not: change what a session holds: every change makes new controls, the old ones live on.
// Threads:  the main thread.
#ifndef APP_CONTROLS_H
#define APP_CONTROLS_H

#include "platform/platform_input.h"

typedef struct AppControls {
    BaseArena arena;
    const InputControls* now;
    char path[4096]; // of the user's own file; empty when there is no folder for it
} AppControls;

bool app_controls_init(AppControls* controls, BaseYamlError* error);
void app_controls_free(AppControls* controls);

// A device that no profile fits gets one: a pad's sticks, or the first axes of any other stick.
// Says in `text` what it is for; false when there is no room.
bool app_controls_take(AppControls* controls, const PlatformInput* input, int device,
                       char text[160]);
// Moves key `number` to another key. False, with the reason in `text`, when that one is in use:
// nothing has changed then, unless `swap`: both change places.
bool app_controls_bind(AppControls* controls, int number, const char* name, bool swap,
                       char text[160]);
// Device `n` of the controls: the ends that its axes have met, its present place as the middle.
void app_controls_calibrate(AppControls* controls, int n, const PlatformDevice* device);
void app_controls_invert(AppControls* controls, int n, int axis);
void app_controls_reset(AppControls* controls); // back to what is shipped
// What a key does, in words: "left stick forward".
void app_controls_does(const InputKey* key, char text[80]);
bool app_controls_save(const AppControls* controls);

#endif
