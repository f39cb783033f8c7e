#include "input/input_hand.h"

#include "base/base_math.h"

#include <string.h>

void input_hand_init(InputHand* hand, const InputControls* controls)
{
    *hand = (InputHand){.pattern = (InputPattern)controls->pattern};
    hand->frame.pattern = (uint8_t)hand->pattern;
}

void input_hand_take(InputHand* hand, const InputControls* controls, const InputRaw* raw)
{
    InputFrame last = hand->frame;
    InputFaults faults = hand->faults;
    input_hand_init(hand, controls);
    hand->faults = faults;
    hand->frame.switches = last.switches & (uint16_t)~INPUT_SWITCH_UNPLUGGED;
    hand->frame.dial = last.dial, hand->frame.response = last.response;
    // a key that is down already is not pressed anew
    memcpy(hand->down, raw->key, sizeof hand->down);
    memset(hand->waits, 1, sizeof hand->waits);
}

bool input_hand_busy(const InputHand* hand, const InputControls* controls, int* device, int* axis)
{
    *device = *axis = -1;
    for (int d = 0; d < controls->device_count; ++d)
        for (int i = 0; i < controls->devices[d].axis_count && hand->there[d]; ++i)
            if (hand->waits[d][i] || hand->pushed[controls->devices[d].axes[i].axis] != 0.0f) {
                *device = d, *axis = i;
                return true;
            }
    for (int k = 0; k < INPUT_FUNCTION_COUNT; ++k)
        if (hand->frame.lever[k] != 0)
            return true;
    return false;
}

float input_analog_value(const InputAnalog* analog, float raw)
{
    float way = raw - analog->center;
    float span = way < 0.0f ? analog->center - analog->low : analog->high - analog->center;
    float value = span > 0.0f ? way / span : 0.0f;
    return analog->invert ? -value : value;
}

// --- keys ----------------------------------------------------------------------------------------

static void press_axes(InputHand* hand, const InputControls* controls, const InputRaw* raw, float h)
{
    // two keys against each other are neutral
    float target[INPUT_AXIS_COUNT] = {0};
    for (int i = 0; i < controls->key_count; ++i) {
        const InputKey* key = &controls->keys[i];
        if (key->does == INPUT_KEY_AXIS && raw->key[i])
            target[key->index] += key->value;
    }
    for (int i = 0; i < INPUT_AXIS_COUNT; ++i)
        hand->pressed[i] = input_follow(hand->pressed[i], base_clampf(target[i], -1.0f, 1.0f),
                                        controls->of[i].ramp, h);
}

static void press_switches(InputHand* hand, const InputControls* controls, const InputRaw* raw)
{
    InputFrame* frame = &hand->frame;
    uint16_t held = 0, holds = 0;
    frame->buttons = 0;
    for (int i = 0; i < controls->key_count; ++i) {
        const InputKey* key = &controls->keys[i];
        bool down = raw->key[i], fresh = down && !hand->down[i];
        unsigned bit = 1u << (key->index & 15);
        hand->down[i] = down;
        switch ((InputKeyDoes)key->does) {
        case INPUT_KEY_HOLD:
            holds |= (uint16_t)bit;
            held |= (uint16_t)(down ? bit : 0);
            break;
        case INPUT_KEY_TOGGLE: frame->switches ^= (uint16_t)(fresh ? bit : 0); break;
        case INPUT_KEY_BUTTON: frame->buttons |= (uint8_t)(fresh ? bit : 0); break;
        case INPUT_KEY_RESPONSE:
            frame->response = fresh ? (uint8_t)key->index : frame->response;
            break;
        case INPUT_KEY_DIAL:
            if (fresh) {
                int dial = (frame->dial ? frame->dial : 10) + (key->index ? 1 : -1);
                frame->dial = (uint8_t)base_mini(base_maxi(dial, 1), 10);
            }
            break;
        default: break;
        }
    }
    frame->switches = (uint16_t)((frame->switches & ~holds) | held);
}

// --- devices -------------------------------------------------------------------------------------

// A device's word, made finite.
static float heard(InputHand* hand, float value)
{
    if (!base_finite(value)) {
        ++hand->faults.not_a_number;
        return 0.0f;
    }
    // a hair too much is the calibration's, not a fault
    if (value < -1.05f || value > 1.05f)
        ++hand->faults.out_of_range;
    return base_clampf(value, -1.0f, 1.0f);
}

// What one axis asks for; nothing as long as it waits.
static float ask(InputHand* hand, const InputControls* controls, const InputRaw* raw, int d, int i)
{
    const InputAnalog* analog = &controls->devices[d].axes[i];
    float way = input_analog_value(analog, raw->analog[d][i]);
    bool known = base_finite(way);
    float value =
        input_shape(heard(hand, raw->flip[d][i] ? -way : way), controls->of[analog->axis].shape);
    if (known && value == 0.0f)
        hand->waits[d][i] = false;
    return hand->waits[d][i] ? 0.0f : value;
}

// Followed no faster than a hand can move.
static void push_axis(InputHand* hand, const InputFeel* feel, float target, float h)
{
    int axis = feel->axis;
    float next = input_follow(hand->pushed[axis], target, (InputRamp){feel->quick, feel->quick}, h);
    bool jumping = next != target;
    hand->faults.jumps += jumping && !hand->jumping[axis];
    hand->jumping[axis] = jumping;
    hand->pushed[axis] = next;
}

// True when a device that was there is gone.
static bool push_axes(InputHand* hand, const InputControls* controls, const InputRaw* raw, float h)
{
    bool gone = false, moved[INPUT_AXIS_COUNT] = {false};
    float target[INPUT_AXIS_COUNT] = {0};
    for (int d = 0; d < controls->device_count; ++d) {
        const InputDevice* device = &controls->devices[d];
        bool back = raw->plugged[d] && !hand->there[d] && hand->seen[d];
        hand->there[d] = raw->plugged[d];
        hand->seen[d] = hand->seen[d] || raw->plugged[d];
        gone = gone || (hand->seen[d] && !raw->plugged[d]);
        if (back)
            memset(hand->waits[d], 1, sizeof hand->waits[d]);
        for (int i = 0; i < device->axis_count && raw->plugged[d]; ++i) {
            moved[device->axes[i].axis] = true;
            target[device->axes[i].axis] += ask(hand, controls, raw, d, i);
        }
    }
    // two pedals for one lever are added, one of them backwards
    for (int i = 0; i < INPUT_AXIS_COUNT; ++i) {
        if (moved[i])
            push_axis(hand, &controls->of[i], base_clampf(target[i], -1.0f, 1.0f), h);
        else
            hand->pushed[i] = 0.0f;
    }
    return gone;
}

InputFrame input_hand_step(InputHand* hand, const InputControls* controls, const InputRaw* raw,
                           float h)
{
    float axis[INPUT_AXIS_COUNT], function[INPUT_FUNCTION_COUNT];
    InputFrame* frame = &hand->frame;
    press_axes(hand, controls, raw, h);
    press_switches(hand, controls, raw);
    bool gone = push_axes(hand, controls, raw, h);

    // hands off at once: the valves still close at their own rate
    if (gone) {
        memset(hand->pressed, 0, sizeof hand->pressed);
        memset(hand->pushed, 0, sizeof hand->pushed);
    }
    frame->switches &= (uint16_t)~INPUT_SWITCH_UNPLUGGED;
    frame->switches |= gone ? INPUT_SWITCH_UNPLUGGED : 0;

    for (int i = 0; i < INPUT_AXIS_COUNT; ++i)
        axis[i] = base_clampf(hand->pressed[i] + hand->pushed[i], -1.0f, 1.0f);
    input_pattern_apply(hand->pattern, axis, function);
    for (int i = 0; i < INPUT_FUNCTION_COUNT; ++i)
        frame->lever[i] = input_quantise(function[i], &hand->faults);
    frame->pattern = (uint8_t)hand->pattern;
    return *frame;
}
