#include "input/input.h"

#include "base/base_hash.h"
#include "base/base_math.h"

#include <string.h>

const char* const input_function_words[INPUT_FUNCTION_COUNT + 1] = {
    "swing", "boom", "stick", "bucket",   "track_left", "track_right", "blade", "tilt",
    "angle", "body", "steer", "throttle", "brake",      "offset",      NULL,
};

const char* const input_pattern_words[INPUT_PATTERN_COUNT + 1] = {"iso", "sae", "dozer", "truck",
                                                                  NULL};
const char* const input_response_words[INPUT_RESPONSE_COUNT + 1] = {"normal", "soft", "active",
                                                                    NULL};
const char* const input_switch_words[INPUT_SWITCH_COUNT + 1] = {
    "lock", "horn", "auto_idle", "boost", "slow", "lights", "reverse", "unplugged", NULL,
};
const char* const input_trainer_words[INPUT_TRAINER_COUNT + 1] = {
    "pause", "camera", "home", "pattern", "show", "times", "full", "picture", NULL,
};
const char* const input_button_words[INPUT_BUTTON_COUNT + 1] = {"continue", "retry", "help", NULL};

int input_find_word(const char* const* words, const char* word)
{
    for (int i = 0; words[i]; ++i)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

bool input_is_pedal(InputFunction function)
{
    return function == INPUT_THROTTLE || function == INPUT_BRAKE;
}

int16_t input_quantise(float value, InputFaults* faults)
{
    InputFaults unused;
    if (!faults)
        faults = memset(&unused, 0, sizeof unused);
    if (!base_finite(value)) {
        ++faults->not_a_number;
        return 0;
    }
    if (value < -1.0f || value > 1.0f)
        ++faults->out_of_range;
    float scaled = base_clampf(value, -1.0f, 1.0f) * (float)INPUT_FULL;
    return (int16_t)(scaled < 0.0f ? scaled - 0.5f : scaled + 0.5f);
}

float input_lever(const InputFrame* frame, InputFunction function)
{
    return base_clampf((float)frame->lever[function] / (float)INPUT_FULL, -1.0f, 1.0f);
}

// A value of an enumeration or a dial that is out of its range becomes 0.
static int repair_byte(uint8_t* value, int last)
{
    bool bad = *value > last;
    *value = bad ? 0 : *value;
    return bad;
}

int input_frame_repair(InputFrame* frame, InputFaults* faults)
{
    int bad = 0;
    for (int i = 0; i < INPUT_FUNCTION_COUNT; ++i) {
        // pedals have one direction; -32768 has no positive twin
        int low = input_is_pedal((InputFunction)i) ? 0 : -INPUT_FULL;
        bad += frame->lever[i] < low;
        frame->lever[i] = (int16_t)base_maxi(frame->lever[i], low);
    }
    uint16_t switches = frame->switches & ((1u << INPUT_SWITCH_COUNT) - 1u);
    uint8_t buttons = frame->buttons & ((1u << INPUT_BUTTON_COUNT) - 1u);
    bad += switches != frame->switches;
    bad += buttons != frame->buttons;
    frame->switches = switches;
    frame->buttons = buttons;
    bad += repair_byte(&frame->pattern, INPUT_PATTERN_COUNT - 1);
    bad += repair_byte(&frame->response, INPUT_RESPONSE_COUNT - 1);
    bad += repair_byte(&frame->dial, 10);
    for (int i = 0; i < (int)sizeof frame->spare; ++i)
        bad += repair_byte(&frame->spare[i], 0);
    if (faults)
        faults->out_of_range += (uint32_t)bad;
    return bad;
}

uint64_t input_frame_hash(const InputFrame* frame, uint64_t seed)
{
    return base_hash(frame, sizeof *frame, seed);
}
