// app_pages_internal - what the files of the menu's pages share; nobody else includes it.
#ifndef APP_PAGES_INTERNAL_H
#define APP_PAGES_INTERNAL_H

#include "app/app_trainer_internal.h"

// What a row does when it is taken.
typedef enum Action {
    DO_NOTHING,
    DO_PAGE, // argument: which
    DO_GO_ON,
    DO_RESTART,
    DO_LEAVE_SITE,
    DO_QUIT,
    DO_SITE,
    DO_LESSON,
    DO_VEHICLE,
    DO_PATTERN,
    DO_PROGRAM,
    DO_SHOW,
    DO_QUALITY,
    DO_TEXT,
    DO_FULL,
    DO_TIMINGS,
    DO_CAMERA,
    DO_VOLUME,
    DO_DEVICE,
    DO_WIGGLE,
    DO_CALIBRATE,
    DO_TAKE_ENDS,
    DO_INVERT,
    DO_RESET_KEYS,
    DO_RECORD, // argument: of the list
    DO_REPORT,
    DO_LAST, // the lesson that has just ended, as a recording
    DO_BROKEN_GO_ON,
    DO_BROKEN_WATCH,
    DO_BROKEN_KEEP,
    DO_TRAINEE,
    DO_TRAINEE_TYPED,
    DO_TRAINEE_KNOWN,
    DO_MOUSE,
    DO_LEVER, // argument: InputAxis
    DO_LEARN, // argument: way
    DO_FLIP,  // argument: device * INPUT_ANALOG_MAX + axis, as DO_INVERT
    DO_WORK,  // argument: of the list of buttons
    DO_DEAD,
    DO_CURVE,
    DO_FREE_LEVER,
    DO_KEYBOARD, // go on without the device that is away
} Action;

// Rows of the page that is being filled.
MenuRow* app_pages_choice(Trainer* t, int action, int argument, const char* label,
                          const char* value, const char* help);
// One that left and right change.
void app_pages_turn(Trainer* t, int action, const char* label, const char* value, const char* help);

typedef struct LeverName {
    const char *name, *plus, *minus; // minus NULL: it goes one way only
} LeverName;

// Pages of functions.
LeverName app_pages_lever_name(const Trainer* t, int axis); // InputAxis, in the pattern in use
void app_pages_assign(Trainer* t);
void app_pages_lever(Trainer* t);
void app_pages_learn(Trainer* t, int kind, int way, int what);
void app_pages_learn_axes(Trainer* t);
void app_pages_learn_press(Trainer* t, int device, int number, const char* name);
void app_pages_lever_side(const Trainer* t, ViewDraw* draw, float scale);
// From the device's way to what the lever does, with the present place on it.
void app_pages_curve(const Trainer* t, ViewDraw* draw, const InputAnalog* analog, float raw,
                     float left, float top, float size, float scale);

// Pages of devices.
void app_pages_away(Trainer* t);
void app_pages_devices(Trainer* t);
void app_pages_device(Trainer* t);
void app_pages_device_side(const Trainer* t, ViewDraw* draw, float scale); // its live graphs
// Of what a lesson came to, and its drawing at the right.
void app_pages_result(Trainer* t);
void app_pages_result_side(const Trainer* t, ViewDraw* draw, float scale);
// The number of this device among the controls; -1 when it has no profile.
int app_pages_profile(const Trainer* t, int device);

void app_trainer_lessons(Trainer* t);          // with their last results
int app_trainer_vehicle_now(const Trainer* t); // number of the chosen one

#endif
