// input_shape - what lies between a lever's position and what it asks for.
//
// Does:     dead zone, curve, rate limit, and the ramps that make a lever out of a key. Hands and
//           valves use the same functions.
// Does not: keep state; the caller owns the lever's last value.
// Units:    levers -1..1, rates 1/s, time s.
#ifndef INPUT_SHAPE_H
#define INPUT_SHAPE_H

// The way back through neutral is taken at `fall`; away from it at `rise`.
typedef struct InputRamp {
    float rise; // 1/s, > 0
    float fall; // 1/s, > 0
} InputRamp;

typedef struct InputShape {
    float dead;  // 0..0.5 of the way does nothing; the rest is stretched over the full range
    float curve; // 0: straight, 1: a cubic, fine near the middle
} InputShape;

// Odd in x, monotonous, 0 at 0, and 1 at 1. x must be finite; it is clamped.
float input_shape(float x, InputShape shape);

// One step of h seconds towards the target, never faster than the ramp allows, never past it.
float input_follow(float from, float target, InputRamp ramp, float h);

#endif
