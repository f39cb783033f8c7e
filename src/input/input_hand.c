#include "input/input_hand.h"

#include "base/base_math.h"

#include <string.h>

void input_hand_init(InputHand* hand, const InputControls* controls)
{
    *hand = (InputHand){.pattern = (InputPattern)controls->pattern};
    hand->frame.pattern = (uint8_t)hand->pattern;
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

// A device's word, made finite, shaped, and followed no faster than a hand can move.
static void push_axis(InputHand* hand, const InputFeel* feel, float value, float h)
{
    int axis = feel->axis;
    if (!base_finite(value)) {
        ++hand->faults.not_a_number;
        value = 0.0f;
    }
    // a hair too much is the calibration's, not a fault
    if (value < -1.05f || value > 1.05f)
        ++hand->faults.out_of_range;
    float target = input_shape(value, feel->shape);
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
    for (int d = 0; d < controls->device_count; ++d) {
        const InputDevice* device = &controls->devices[d];
        hand->seen[d] = hand->seen[d] || raw->plugged[d];
        gone = gone || (hand->seen[d] && !raw->plugged[d]);
        for (int i = 0; i < device->axis_count && raw->plugged[d]; ++i) {
            const InputAnalog* analog = &device->axes[i];
            moved[analog->axis] = true;
            push_axis(hand, &controls->of[analog->axis],
                      input_analog_value(analog, raw->analog[d][i]), h);
        }
    }
    for (int i = 0; i < INPUT_AXIS_COUNT; ++i)
        hand->pushed[i] = moved[i] ? hand->pushed[i] : 0.0f;
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
