// platform_input - keyboard, mouse, gamepads, sticks and pedals.
//
// Does:     keep a table of all devices, plugged in or gone; write down what keys, buttons and axes
//           say at this moment (InputRaw); hand single presses to menus.
// Does not: make levers: dead zones, ramps and patterns are input_hand's.
// Names:    keys as SDL calls them; "button 3" of a device counts from 0; a hat's four directions
//           count as buttons behind the real ones: up, right, down, left.
// Threads:  the main thread.
#ifndef PLATFORM_INPUT_H
#define PLATFORM_INPUT_H

#include "input/input_hand.h"

#define PLATFORM_DEVICES_MAX 16
#define PLATFORM_BUTTONS_MAX 64

// Buttons that every gamepad has, wherever it keeps them.
typedef enum PlatformPad {
    PLATFORM_PAD_A,
    PLATFORM_PAD_B,
    PLATFORM_PAD_X,
    PLATFORM_PAD_Y,
    PLATFORM_PAD_BACK,
    PLATFORM_PAD_START,
    PLATFORM_PAD_LEFT_SHOULDER,
    PLATFORM_PAD_RIGHT_SHOULDER,
    PLATFORM_PAD_LEFT_STICK,
    PLATFORM_PAD_RIGHT_STICK,
    PLATFORM_PAD_UP,
    PLATFORM_PAD_RIGHT,
    PLATFORM_PAD_DOWN,
    PLATFORM_PAD_LEFT,
    PLATFORM_PAD_BUTTONS,
} PlatformPad;

// The mouse as a lever: a device as others are, while it is wanted as one.
#define PLATFORM_MOUSE "mouse" // its GUID

typedef struct PlatformDevice {
    char name[64], guid[40], path[160];
    int id; // of the system, while plugged in
    bool plugged, pad;
    int axes, buttons;
    float axis[INPUT_ANALOG_MAX];                        // -1..1
    float low[INPUT_ANALOG_MAX], high[INPUT_ANALOG_MAX]; // met so far
    bool button[PLATFORM_BUTTONS_MAX];
    int pad_axis[6]; // axes that are left x, y, right x, y, left and right trigger; -1: none
    int pad_button[PLATFORM_PAD_BUTTONS]; // numbers; -1: none
    int hat;                              // number of the first hat's "up"; -1: none
} PlatformDevice;

typedef enum PlatformEventKind {
    PLATFORM_KEY,     // pressed; `name`
    PLATFORM_BUTTON,  // pressed; `device`, `number`
    PLATFORM_MOVE,    // mouse, x and y
    PLATFORM_CLICK,   // left button, x and y
    PLATFORM_RELEASE, // the same, let go
    PLATFORM_WHEEL,   // y
    PLATFORM_DRAG,    // the mouse moved by x, y with the right button held
    PLATFORM_PLUGGED, // `device`
    PLATFORM_GONE,
} PlatformEventKind;

typedef struct PlatformEvent {
    PlatformEventKind kind;
    char name[32]; // of the key
    bool repeat;   // held, not pressed anew
    int device, number;
    float x, y; // pixels
} PlatformEvent;

typedef struct PlatformInput PlatformInput;

// NULL when memory is short. Without any device it still serves the keyboard.
PlatformInput* platform_input_create(void);
void platform_input_destroy(PlatformInput* input);
// Takes all events of devices out of the queue.
void platform_input_poll(PlatformInput* input);
// The next one; false when there is none left.
bool platform_input_event(PlatformInput* input, PlatformEvent* out);

int platform_input_devices(const PlatformInput* input); // that were ever seen
const PlatformDevice* platform_input_device(const PlatformInput* input, int device);
void platform_input_watch_ends(PlatformInput* input, int device); // low and high begin anew
// Which device serves as controls->devices[n]; -1 while it is not there.
int platform_input_find(const PlatformInput* input, const InputControls* controls, int n);
bool platform_input_held(const PlatformInput* input, const char* key); // of the keyboard
bool platform_input_dragging(const PlatformInput* input);              // the right button is held
// The pointer is hidden and never meets the window's edge while somebody drags.
void platform_input_mouse(PlatformInput* input, bool lever); // see PLATFORM_MOUSE
void platform_input_grab(PlatformInput* input, bool grab);
void platform_input_raw(PlatformInput* input, const InputControls* controls, InputRaw* out);
// Two equal sticks that are not there, for pictures of pages and tries without one; false when SDL
// has none.
bool platform_input_pretend(PlatformInput* input);

#endif
