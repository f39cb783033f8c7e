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
// Device `n` of the controls: the ends that its axes have met, its present place as the middle.
void app_controls_calibrate(AppControls* controls, int n, const PlatformDevice* device);
void app_controls_invert(AppControls* controls, int n, int axis);

// Device `n` of the controls moves a lever as `wanted` says. False, with the reason in `text`, when
// its axis moves another one: nothing has changed then, unless `take`.
bool app_controls_assign(AppControls* controls, int n, const InputAnalog* wanted, bool take,
                         char text[160]);
int app_controls_way(const InputAnalog* analog);               // of a pedal: 1 or -1
void app_controls_free_lever(AppControls* controls, int axis); // of all devices and keys
void app_controls_feel(AppControls* controls, int axis, float dead, float curve); // 0..0.5, 0..1
// The button that turns axis `a` of device `n` round while it is held; -1: none.
void app_controls_flip(AppControls* controls, int n, int a, int button);
// A key (device -1) or button gets the work of `work`. False as above.
bool app_controls_press(AppControls* controls, int device, const char* name, const InputKey* work,
                        bool take, char text[160]);
void app_controls_mouse(AppControls* controls, int stick); // 0: no lever, 1: left, 2: right stick
int app_controls_mouse_stick(const InputControls* controls);
// The same controls as new ones: a hand that takes them has met no device yet.
void app_controls_again(AppControls* controls);
void app_controls_reset(AppControls* controls); // back to what is shipped
// What a key does, in words: "left stick forward".
void app_controls_does(const InputKey* key, char text[80]);
bool app_controls_save(const AppControls* controls);

#endif
