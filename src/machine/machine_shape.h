// machine_shape - the solids of a body that grains, ground and other steel can touch.
//
// Does:     describe them, in the frame of the body that carries them. Plates keep their outline, so
//           that a bucket is open where a bucket is open.
// Units:    m; friction is a coefficient.
#ifndef MACHINE_SHAPE_H
#define MACHINE_SHAPE_H

#include "base/base_math.h"

#include <stdbool.h>

#define MACHINE_OUTLINE_MAX 32 // points of an outline

typedef enum MachineShapeKind {
    MACHINE_SHELL,   // an open line of the body's x-y plane, drawn out over z: bucket back, blade
    MACHINE_CHEEK,   // a plate with a closed outline in a plane z = const: side plates
    MACHINE_BOX,     // turned about z by `turn`
    MACHINE_CAPSULE, // from `a` to `b`
} MachineShapeKind;

typedef struct MachineShape {
    const char* name;
    const char* body_name;
    int kind; // MachineShapeKind
    int body; // index, from body_name
    float friction;
    bool grains, ground, steel; // which of them it meets

    // shell and cheek: x0, y0, x1, y1, ... A shell's inner side, where soil lies, is on the left of
    // the direction of travel; a cheek goes round anticlockwise seen from +z.
    float* outline;    // [outline_count]
    int outline_count; // numbers, two per point
    float half_width;  // m, shell: z from -half_width to half_width
    float z;           // m, cheek: middle of its plate
    float thickness;   // m, shell: outwards from the line; cheek: half to each side

    Vec3 center; // box, m
    Vec3 half;   // box, m
    float turn;  // box, rad about z
    Vec3 a, b;   // capsule ends, m
    float radius;
} MachineShape;

#endif
