// input_pattern - two sticks and some pedals become functions of the machine.
//
// Does:     the patterns by which operators learn: ISO (SAE J1177 calls it "excavator"), SAE
//           ("backhoe"), and the layouts of a dozer and a truck.
// Units:    stick axes -1..1, + right and + forward; functions as in InputFunction.
#ifndef INPUT_PATTERN_H
#define INPUT_PATTERN_H

#include "input/input.h"

// Where a hand or a foot can act: the two sticks, whose meaning the pattern gives, then every
// function by itself, for pedals, track levers and wheels.
typedef enum InputAxis {
    INPUT_LEFT_X,  // + right
    INPUT_LEFT_Y,  // + forward
    INPUT_RIGHT_X, // + right
    INPUT_RIGHT_Y, // + forward
    INPUT_STICK_AXES,
    INPUT_AXIS_COUNT = INPUT_STICK_AXES + INPUT_FUNCTION_COUNT,
} InputAxis;

// "left_x" .. "right_y", then input_function_words. Ends with NULL.
extern const char* const input_axis_words[INPUT_AXIS_COUNT + 1];

// The value of every function, -1..1; pedals 0..1. What a stick and a pedal both move is added.
void input_pattern_apply(InputPattern pattern, const float axis[INPUT_AXIS_COUNT],
                         float function[INPUT_FUNCTION_COUNT]);

#endif
