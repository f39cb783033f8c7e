// coupling_steel - the shapes of a body as grains feel them: thin plates that never leak.
//
// Does:     answer the soil's question "which surfaces are near this grain" for shells, cheeks, boxes
//           and capsules; decide the side of a plate in the body's frame from where the grain was.
// Does not: move bodies or solve contacts.
// Units:    SI; the frame is the body's.
// Memory:   a plate is as thin as a grain's radius or thinner, so a grain pressed deep into it may
//           be beyond its middle. Two bits of the grain's memory per plate remember from which side
//           it came, for as long as it is near:  00 not near, 01 inner (or +z), 10 outer (or -z).
// Holding:  contacts may be too weak under a pile; what they let through, coupling_hold stops.
#ifndef COUPLING_STEEL_H
#define COUPLING_STEEL_H

#include "machine/machine_def.h"
#include "soil/soil.h"

#define COUPLING_PLATES_MAX 32 // in a world: two bits each
#define COUPLING_SOLIDS_MAX 16 // on one body
#define COUPLING_PLATE_BOX  64 // features of boxes and capsules follow those of plates

// Steel against one kind of soil.
typedef struct CouplingGrip {
    float friction;
    float adhesion; // Pa, in the measure of soil_split_simd: see coupling_steel_grip()
} CouplingGrip;

typedef struct CouplingPlate {
    const MachineShape* shape;
    int slot;                 // bits 2 slot and 2 slot + 1
    float ax, ay;             // m, start of a shell's segment on its inner line
    float tx, ty;             // unit, along it; the inner normal is (-ty, tx)
    float length;             // m
    float middle_a, middle_b; // m along it, where its middle meets its neighbours'
    bool joined_a, joined_b;  // another segment begins or ends there
    bool last;
} CouplingPlate;

typedef struct CouplingSolid {
    const MachineShape* shape;
    float c, s; // cosine and sine of a box's turn
} CouplingSolid;

typedef struct CouplingSteel {
    const SoilBoundary* body;
    CouplingSolid solid[COUPLING_SOLIDS_MAX]; // boxes and capsules
    int solid_count;
    CouplingPlate plate[COUPLING_PLATES_MAX];
    int plate_count;
    uint64_t mask; // of all its plates' bits
    float rim;    // m, so much wider plates hold, that middles which meet at a corner leave no slit
    Vec3 middle;  // m, of a ball around all of it, in the body's frame
    float ball;   // m, its radius
    float extent; // m, farthest point from the body's origin
    Vec3 at;      // m, the middle in the world, as of coupling_steel_move()
    CouplingGrip grip[SOIL_MATERIALS_MAX];
} CouplingSteel;

// From macroscopic friction angle (rad) and adhesion (Pa) between soil and steel.
CouplingGrip coupling_steel_grip(float friction, float adhesion);

// Takes over the shapes of `body` that meet grains. False when they are too many: solids, or plates
// in all; `slots` counts the plates in use.
bool coupling_steel_make(CouplingSteel* out, const MachineShape* shapes, int count, int body,
                         int* slots);

// The body has moved; before grains ask again.
void coupling_steel_move(CouplingSteel* steel);

// A SoilSurfaceFn; context: CouplingSteel*.
int coupling_steel_surface(const void* context, const SoilGrain* grain, float reach,
                           SoilSurface* out, int max);

// Is the point inside of a cheek's outline? And the nearest point of the outline.
bool coupling_steel_outline(const MachineShape* shape, float x, float y, float* nx, float* ny);

#endif
