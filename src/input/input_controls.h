// input_controls - which key, button and axis moves what: config/controls/*.yaml in memory.
//
// Does:     read and check the file. Sources are words ("A", "button 3") that the window's side
//           looks up in its own tables; nothing here knows devices.
// Does not: poll anything; input_hand makes frames out of what is pressed.
#ifndef INPUT_CONTROLS_H
#define INPUT_CONTROLS_H

#include "base/base_yaml.h"
#include "input/input_pattern.h"
#include "input/input_shape.h"

#define INPUT_KEYS_MAX    128
#define INPUT_DEVICES_MAX 8
#define INPUT_ANALOG_MAX  16 // axes of one device

// How one lever answers.
typedef struct InputFeel {
    const char* name; // word of the axis
    int axis;         // InputAxis
    InputRamp ramp;   // 1/s, of keys
    InputShape shape; // of devices
    float quick;      // 1/s, the fastest a hand moves a device; beyond it is a jump
} InputFeel;

typedef enum InputKeyDoes {
    INPUT_KEY_AXIS,     // InputAxis, pushed to `value` while held
    INPUT_KEY_HOLD,     // InputSwitch, on while held
    INPUT_KEY_TOGGLE,   // InputSwitch, changes at each press
    INPUT_KEY_BUTTON,   // InputButton
    INPUT_KEY_RESPONSE, // InputResponse, from the press on
    INPUT_KEY_DIAL,     // engine speed, up or down by `value` notches a press
    INPUT_KEY_TRAINER,  // InputTrainer
    INPUT_KEY_DOES_COUNT,
} InputKeyDoes;

// A key of the keyboard, or a button of a device.
typedef struct InputKey {
    const char* key;                        // "A", "Left Shift", "button 3"
    const char* device_name;                // NULL: the keyboard
    int device;                             // index into devices, -1: the keyboard
    const char* word[INPUT_KEY_DOES_COUNT]; // as in the file, all but one NULL
    int does;                               // InputKeyDoes
    int index;                              // what of it: axis, or bit number of switch or button
    float value;                            // -1..1 of an axis, -1 or 1 notch of the dial
} InputKey;

// One axis of a stick, wheel or pedal, in the device's own numbers.
typedef struct InputAnalog {
    int source; // 0, 1, ... of the device
    const char* to;
    int axis;                // InputAxis
    float low, center, high; // -1..1; a pedal rests at low: center = low
    bool invert;
    const char* flip; // "button 4" of the same device: the other way while it is held; NULL: none
} InputAnalog;

// A stick, told apart from its twin by the port it is plugged into.
typedef struct InputDevice {
    const char* name;
    const char* guid; // NULL: any
    const char* path; // NULL: any
    InputAnalog* axes;
    int axis_count;
} InputDevice;

typedef struct InputControls {
    const char* title;
    int pattern;      // InputPattern
    InputFeel levers; // what is not said of a single one
    InputFeel* feel;  // by name
    InputKey* keys;
    InputDevice* devices;
    int feel_count, key_count, device_count;
    InputFeel of[INPUT_AXIS_COUNT]; // every axis, made after reading
} InputControls;

// False, with a message, when the file is bad; the arena is then as before.
bool input_controls_load(const char* path, BaseArena* arena, InputControls* out,
                         BaseYamlError* error);

#endif
