#include "input/input_pattern.h"

#include "base/base_math.h"

#define PATTERN_LINKS 6

// Sticks that move one function in one direction.
typedef struct PatternLink {
    InputAxis axis;
    InputFunction function;
    float sign;
} PatternLink;

static const struct {
    int count;
    PatternLink link[PATTERN_LINKS];
} patterns[INPUT_PATTERN_COUNT] = {
    [INPUT_PATTERN_ISO] = {4,
                           {{INPUT_LEFT_X, INPUT_SWING, 1.0f},
                            {INPUT_LEFT_Y, INPUT_STICK, -1.0f},
                            {INPUT_RIGHT_X, INPUT_BUCKET, -1.0f},
                            {INPUT_RIGHT_Y, INPUT_BOOM, -1.0f}}},
    [INPUT_PATTERN_SAE] = {4,
                           {{INPUT_LEFT_X, INPUT_SWING, 1.0f},
                            {INPUT_LEFT_Y, INPUT_BOOM, -1.0f},
                            {INPUT_RIGHT_X, INPUT_BUCKET, -1.0f},
                            {INPUT_RIGHT_Y, INPUT_STICK, -1.0f}}},
    // left stick drives and steers by its tracks, right stick lowers and tilts the blade
    [INPUT_PATTERN_DOZER] = {6,
                             {{INPUT_LEFT_Y, INPUT_TRACK_LEFT, 1.0f},
                              {INPUT_LEFT_Y, INPUT_TRACK_RIGHT, 1.0f},
                              {INPUT_LEFT_X, INPUT_TRACK_LEFT, 1.0f},
                              {INPUT_LEFT_X, INPUT_TRACK_RIGHT, -1.0f},
                              {INPUT_RIGHT_Y, INPUT_BLADE, -1.0f},
                              {INPUT_RIGHT_X, INPUT_BLADE_TILT, 1.0f}}},
    // left stick steers, gives gas and brakes; right stick back tips the body
    [INPUT_PATTERN_TRUCK] = {4,
                             {{INPUT_LEFT_X, INPUT_STEER, 1.0f},
                              {INPUT_LEFT_Y, INPUT_THROTTLE, 1.0f},
                              {INPUT_LEFT_Y, INPUT_BRAKE, -1.0f},
                              {INPUT_RIGHT_Y, INPUT_BODY, -1.0f}}},
};

const char* const input_axis_words[INPUT_AXIS_COUNT + 1] = {
    "left_x", "left_y",     "right_x",     "right_y", "swing", "boom",  "stick",
    "bucket", "track_left", "track_right", "blade",   "tilt",  "angle", "body",
    "steer",  "throttle",   "brake",       "offset",  NULL,
};

void input_pattern_apply(InputPattern pattern, const float axis[INPUT_AXIS_COUNT],
                         float function[INPUT_FUNCTION_COUNT])
{
    for (int i = 0; i < INPUT_FUNCTION_COUNT; ++i)
        function[i] = axis[INPUT_STICK_AXES + i];
    for (int i = 0; i < patterns[pattern].count; ++i) {
        PatternLink link = patterns[pattern].link[i];
        function[link.function] += link.sign * axis[link.axis];
    }
    for (int i = 0; i < INPUT_FUNCTION_COUNT; ++i) {
        float low = input_is_pedal((InputFunction)i) ? 0.0f : -1.0f;
        function[i] = base_clampf(function[i], low, 1.0f);
    }
}
