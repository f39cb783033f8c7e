// machine - one vehicle: bodies on joints, moved by cylinders, motors, tracks or wheels.
//
// Does:     step a tree of bodies on any ground; hold, stall, coast, slide and tip; tell poses,
//           forces and pressures.
// Does not: know ground, grains or other machines: they come in as a callback, forces and rows.
// Units:    SI, +y up; see machine_def.h for frames.
// Method:   reduced coordinates with a floating base, composite rigid bodies, recursive
//           Newton-Euler; one projected solve over bounded velocity rows per step (docs/machine.md).
// Threads:  a machine belongs to one thread at a time; machines may step side by side.
//
//     machine_drive(m, &input, 1.0 / 60.0);          // once a frame
//     for (int i = 0; i < 4; ++i) {
//         machine_add_force(m, bucket, tip, force);  // what ground and grains do to it
//         machine_step(m, &ground, 1.0 / 240.0);
//     }
#ifndef MACHINE_H
#define MACHINE_H

#include "base/base_math.h"
#include "input/input.h"
#include "machine/machine_def.h"

#include <stddef.h>
#include <stdint.h>

#define MACHINE_ROWS_MAX 32 // external rows in one step

typedef struct Machine Machine;

// --- the ground below it -------------------------------------------------------------------------

typedef struct MachineContact {
    Vec3 normal;     // unit, out of the ground
    float depth;     // m, of the point below the surface along the normal; negative above it
    float friction;  // coefficient of steel on this ground; a shoe's own factors multiply it
    float stiffness; // Pa/m, pressure per sinkage
    float capacity;  // Pa, beyond which it yields
    int material;
} MachineContact;

typedef struct MachineGround {
    const void* context;
    // The ground near a point; false when there is none within reach above or below it.
    bool (*contact)(const void* context, Vec3 point, float reach, MachineContact* out);
    // A roller or a body pressed on it during the step; may be NULL.
    void (*press)(void* press_context, Vec3 point, Vec3 normal, float force, float area);
    void* press_context;
    bool tools; // the rig also presses cutting tools on it; false when the caller does, by rows
} MachineGround;

// --- life ----------------------------------------------------------------------------------------

// def must outlive it. NULL when out of memory. Stands at the origin, joints at their start.
Machine* machine_create(const MachineDef* def);
void machine_destroy(Machine* machine);
const MachineDef* machine_definition(const Machine* machine);

// At rest, root's origin at a position, turned by heading (rad about +y; 0 looks along +x).
// Joints, valves and loads as when created.
void machine_place(Machine* machine, Vec3 position, float heading);
void machine_set_joint(Machine* machine, int body, double value); // at rest, within limits
// Joint value at which a cylinder has this length; false when it never has.
bool machine_joint_at(const MachineDef* def, int cylinder, double length, double* out);

// --- a frame -------------------------------------------------------------------------------------

// Levers to valves, once per frame of dt seconds.
void machine_drive(Machine* machine, const InputFrame* input, double dt);
// Past the hydraulics: what an actuator shall do until told otherwise. Experiments, and vehicles
// without a drive section.
void machine_command(Machine* machine, int actuator, MachineCommand command);
void machine_release(Machine* machine); // back to the hydraulics, all of them
void machine_step(Machine* machine, const MachineGround* ground, double h); // ground may be NULL

// --- what others do to it; forces and rows hold for the next step only ---------------------------

// World, N at a point (m); N m.
void machine_add_force(Machine* machine, int body, Vec3 point, Vec3 force);
void machine_add_torque(Machine* machine, int body, Vec3 torque);
// N m or N, on a body's joint.
void machine_add_effort(Machine* machine, int body, double effort);

// Keeps the speed of a body's point along a direction at `speed`, with an impulse within lo..hi.
typedef struct MachineRow {
    int body;
    Vec3 point;      // m, world
    Vec3 direction;  // unit, world
    double speed;    // m/s, wanted
    double lo, hi;   // N s, of the impulse along the direction
    double softness; // m/s of miss per N s; 0: stiff
    int limiter;     // -1; or a row added before: lo and hi are then -+ friction x its impulse
    double friction; // coefficient, with a limiter
} MachineRow;

// Returns its number, or -1 when there are too many (counted).
int machine_add_row(Machine* machine, const MachineRow* row);
double machine_row_impulse(const Machine* machine, int row); // N s, of the last step

// Soil carried, a payload, a filled bin: rides on the body until changed. com in the body's frame,
// inertia about it like MachineBody's. mass 0 takes it away.
void machine_set_load(Machine* machine, int body, double mass, Vec3 com, const float inertia[6]);

// --- state ---------------------------------------------------------------------------------------

// All that must be saved, plain data without holes: memcpy saves and restores exactly.
typedef struct MachineState {
    uint64_t steps;
    double position[3];               // m, of the root's origin
    double rotation[4];               // x y z w, unit
    double joint[MACHINE_BODIES_MAX]; // rad or m; [0] unused
    double
        velocity[MACHINE_DOFS_MAX]; // root's origin (world), root's spin (world), joints, runners
    double travel[MACHINE_RUNNERS_MAX];   // m, way of each track or tyre
    double pressed[MACHINE_ROLLERS_MAX];  // N, of each roller in the last step
    double effort[MACHINE_ACTUATORS_MAX]; // N or N m, in the last step
    struct {
        double mass, com[3], inertia[6];
    } load[MACHINE_BODIES_MAX];
    MachineCommand told[MACHINE_ACTUATORS_MAX]; // by machine_command()
    uint64_t commanded;                         // bits of actuators that were told
    uint64_t refused_rows;                      // more than MACHINE_ROWS_MAX
    uint64_t resets;                            // steps undone because a number went bad
    MachineDriveState drive;
} MachineState;

_Static_assert(sizeof(MachineState) < 4096, "a snapshot of a machine stays below 4 KiB");

const MachineState* machine_state(const Machine* machine);
// False when something in it is not finite or out of bounds; nothing has changed then.
bool machine_set_state(Machine* machine, const MachineState* state);
uint64_t machine_hash(const Machine* machine);

// --- questions -----------------------------------------------------------------------------------

typedef struct MachinePose {
    Vec3 position; // m, of the body's origin
    Quat rotation; // body to world
} MachinePose;

MachinePose machine_pose(const Machine* machine, int body);
Vec3 machine_velocity(const Machine* machine, int body); // m/s, of its origin
Vec3 machine_spin(const Machine* machine, int body);     // rad/s
Vec3 machine_point_velocity(const Machine* machine, int body, Vec3 point);
Vec3 machine_to_world(const Machine* machine, int body, Vec3 local);
Vec3 machine_to_body(const Machine* machine, int body, Vec3 world);

double machine_joint(const Machine* machine, int body);       // rad or m
double machine_joint_speed(const Machine* machine, int body); // rad/s or m/s
MachineFeedback machine_feedback(const Machine* machine, int actuator);
// Moment arm, m (hinge) or ratio (slide): speed of a cylinder per speed of its joint.
double machine_arm(const Machine* machine, int cylinder);
Vec3 machine_knee(const Machine* machine, int cylinder); // m, world, of its linkage or pin

typedef struct MachineRoller {
    Vec3 point;     // m, world, where it presses
    Vec3 normal;    // of the ground there
    float force;    // N, 0 in the air
    float pressure; // Pa
    float sinkage;  // m
    int material;   // -1 in the air
} MachineRoller;

int machine_rollers(const Machine* machine, MachineRoller out[MACHINE_ROLLERS_MAX]);
// Of a track or wheel: 1 - ground speed / sole speed when driving, -1..1.
double machine_slip(const Machine* machine, int runner);

typedef struct MachineBalance {
    Vec3 com;     // m, world, of machine and loads
    double mass;  // kg
    float margin; // m, horizontally from com to the nearest edge of the ground's support; negative
                  // when it stands on less than three places or tips
    float angle;  // rad, it could lean towards that edge before it tips
} MachineBalance;

// Of the last step's solve.
typedef struct MachineStats {
    int rows;       // bounded velocity rows
    int iterations; // Newton steps
} MachineStats;

MachineStats machine_stats(const Machine* machine);

MachineBalance machine_balance(const Machine* machine);
double machine_energy(const Machine* machine); // J, kinetic + potential above y = 0

// --- steel against steel -------------------------------------------------------------------------

typedef struct MachineTouch {
    int body_a, body_b;
    Vec3 point;  // m
    Vec3 normal; // from b to a
    float depth; // m, negative before they touch
    float friction;
} MachineTouch;

// Where the steel of two machines meets, deepest first, nearer than reach; returns how many.
int machine_touches(const Machine* a, const Machine* b, float reach, MachineTouch* out, int max);

#endif
