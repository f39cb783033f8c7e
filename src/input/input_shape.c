#include "input/input_shape.h"

#include "base/base_math.h"

#include <stdbool.h>

float input_shape(float x, InputShape shape)
{
    x = base_clampf(x, -1.0f, 1.0f);
    float size = x < 0.0f ? -x : x;
    if (size <= shape.dead)
        return 0.0f;
    float way = (size - shape.dead) / (1.0f - shape.dead);
    way = (1.0f - shape.curve) * way + shape.curve * way * way * way;
    return x < 0.0f ? -way : way;
}

float input_follow(float from, float target, InputRamp ramp, float h)
{
    // through neutral in two parts: first back, then away with the time that is left
    if (from * target < 0.0f) {
        float back = ramp.fall * h, size = from < 0.0f ? -from : from;
        if (back < size)
            return from < 0.0f ? from + back : from - back;
        h -= size / ramp.fall;
        from = 0.0f;
    }
    float change = target - from;
    bool away = target * target > from * from;
    float most = (away ? ramp.rise : ramp.fall) * h;
    return change > most ? from + most : change < -most ? from - most : target;
}
