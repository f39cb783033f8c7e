// input_hand - the operator's hands: what is pressed and pushed now becomes an InputFrame.
//
// Does:     ramps for keys, shape for devices, the pattern, switches; puts wrong values right and
//           counts them; lets go of everything when a device is gone.
// Does not: poll devices; the caller writes down what they say.
// Threads:  no shared state.
#ifndef INPUT_HAND_H
#define INPUT_HAND_H

#include "input/input_controls.h"

// What the devices say at this moment. Zero it, then fill in what there is.
typedef struct InputRaw {
    bool key[INPUT_KEYS_MAX];                          // by number in controls->keys: is down
    float analog[INPUT_DEVICES_MAX][INPUT_ANALOG_MAX]; // by number in device->axes, -1..1
    bool flip[INPUT_DEVICES_MAX][INPUT_ANALOG_MAX];    // its button for the other way is held
    bool plugged[INPUT_DEVICES_MAX];                   // once plugged, then not: that is a fault
} InputRaw;

typedef struct InputHand {
    float pressed[INPUT_AXIS_COUNT]; // -1..1, levers made of keys
    float pushed[INPUT_AXIS_COUNT];  // -1..1, levers of devices
    bool jumping[INPUT_AXIS_COUNT];  // is being slowed down; a jump is counted once
    bool down[INPUT_KEYS_MAX];       // keys in the last frame
    bool seen[INPUT_DEVICES_MAX];    // has been plugged in
    bool there[INPUT_DEVICES_MAX];   // was in the last frame
    // an axis that came back, or that nobody has looked at, counts only from neutral on
    bool waits[INPUT_DEVICES_MAX][INPUT_ANALOG_MAX];
    InputPattern pattern;
    InputFrame frame; // the last one
    InputFaults faults;
} InputHand;

// Everything in neutral, with the pattern of the controls.
void input_hand_init(InputHand* hand, const InputControls* controls);

// Other controls in the same hand: switches, dial and response stay, levers begin anew, and no axis
// counts before it was in neutral.
void input_hand_take(InputHand* hand, const InputControls* controls, const InputRaw* raw);
// True while an axis is waited for, or a lever is away from neutral; says which axis it is, where
// one is known (device and axis by number in the controls, else -1).
bool input_hand_busy(const InputHand* hand, const InputControls* controls, int* device, int* axis);

// A device's own number, by its profile, as -1..1 (pedals 0..1). NaN gives NaN.
float input_analog_value(const InputAnalog* analog, float raw);

// One frame of h seconds. The result is also kept in hand->frame.
InputFrame input_hand_step(InputHand* hand, const InputControls* controls, const InputRaw* raw,
                           float h);

#endif
