// lab_stand - a test stand: a body held by rows, driven through soil, and the force that takes.
//
// Does:     put a vehicle file of class object into a lab world; lead its root along a straight way
//           without turning; measure what the stand must push.
// Units:    SI.
#ifndef LAB_STAND_H
#define LAB_STAND_H

#include "coupling/coupling_fleet.h"
#include "lab/lab_world.h"

#define LAB_STAND_PARTS 4 // of a frame

typedef struct LabStand {
    LabWorld* world;
    BaseArena arena;
    MachineDef def;
    Machine* machine;
    CouplingFleet* fleet;
    Vec3 velocity;   // m/s, wanted
    double force[3]; // N, of the stand on the body in the last frame
    bool free;       // nothing holds it
    int parts;       // of a frame, at least; more for light bodies
    double softness; // m/s per N s, of what holds it: the softer, the finer its force reads
    void (*look)(void* context,
                 bool last); // after every part of a frame, and once all is in its place
    void* context;
} LabStand;

// `file` is beside the program. False after lab_fail(); the world is the caller's.
bool lab_stand_make(LabRun* run, LabStand* out, LabWorld* world, const char* file, Vec3 position);
void lab_stand_step(LabStand* stand);
void lab_stand_destroy(LabStand* stand);

#endif
