// machine_internal - what the files of the rig share. Nobody else includes it.
#ifndef MACHINE_INTERNAL_H
#define MACHINE_INTERNAL_H

#include "machine/machine.h"
#include "machine/machine_linkage.h"
#include "machine/machine_math.h"

#define MACHINE_GRAVITY      9.81 // m/s2
#define MACHINE_PROBES_MAX   320  // points of shapes that feel for ground and steel
#define MACHINE_TOUCHES_MAX  8    // own steel on own steel, deepest first
#define MACHINE_GROUNDED_MAX 16   // probes on the ground, deepest first
#define MACHINE_SOLVE_ROWS                                                                     \
    (MACHINE_ACTUATORS_MAX * 2 + MACHINE_BODIES_MAX + MACHINE_RUNNERS_MAX + MACHINE_ROWS_MAX + \
     3 * (MACHINE_ROLLERS_MAX + MACHINE_TOUCHES_MAX + MACHINE_GROUNDED_MAX))

// One bounded velocity row: speed = J v, wanted `target`; the impulse is (target - speed) / soft,
// kept within lo..hi. Two friction rows in turn form a pair whose bounds are an ellipse.
typedef enum MachineRowKind {
    MACHINE_ROW_BOX,  // bounds lo, hi
    MACHINE_ROW_PAIR, // first of two: half axes hi of this and of the next
    MACHINE_ROW_MATE, // second
} MachineRowKind;

typedef struct MachineSolveRow {
    int kind;
    int count;    // entries of J
    int limiter;  // row whose impulse x friction sets the bounds, or -1
    int limiters; // rows from limiter on that count together, at least 1
    unsigned char dof[MACHINE_DOFS_MAX];
    double jacobian[MACHINE_DOFS_MAX];
    double target, soft, lo, hi;
    double friction;
    double impulse; // result
} MachineSolveRow;

typedef struct MachineProbe {
    int body, shape;
    Vec3 local;   // m
    float radius; // m, 0 for the corner of a plate or box
    float area;   // m2, that it stands for
    bool tool;    // belongs to what cuts
} MachineProbe;

// A body in the world of this step, relative to the root's origin.
typedef struct MachineFrame {
    M3 turn;
    D3 origin;
    D3 axis;                // of its joint
    S6 motion;              // per joint speed
    S6 speed;               // of the body
    S6 force;               // from outside
    MachineInertia inertia; // own and load
    MachineInertia tree;    // with everything it carries
} MachineFrame;

// Where a roller or a probe is on the ground.
typedef struct MachineGrip {
    D3 point; // m, relative to the root's origin
    MachineContact contact;
    int row; // of its normal, -1 when not touching
    float area;
    int probe;
} MachineGrip;

typedef struct MachineOwnTouch {
    int body_a, body_b;
    D3 point, normal; // relative to the root's origin; from b to a
    double depth, friction;
} MachineOwnTouch;

typedef struct MachineWork {
    MachineFrame frame[MACHINE_BODIES_MAX];
    double mass[MACHINE_DOFS_MAX][MACHINE_DOFS_MAX];   // lower half
    double factor[MACHINE_DOFS_MAX][MACHINE_DOFS_MAX]; // lower half, Cholesky
    double bias[MACHINE_DOFS_MAX];
    double input[MACHINE_DOFS_MAX]; // generalised forces of experiments
    double drift[MACHINE_DOFS_MAX]; // M v + h (forces): where v would go without rows

    MachineSolveRow row[MACHINE_SOLVE_ROWS];
    int row_count;
    int actuator_row[MACHINE_ACTUATORS_MAX]; // -1: free
    MachineGrip roller[MACHINE_ROLLERS_MAX];
    MachineGrip grounded[MACHINE_GROUNDED_MAX];
    int grounded_count;
    MachineOwnTouch touch[MACHINE_TOUCHES_MAX];
    int touch_count;
    MachineReach reach[MACHINE_ACTUATORS_MAX];
    int iterations; // of the solve, last step
} MachineWork;

struct Machine {
    const MachineDef* def;
    MachineState state;
    MachineWork* work;

    MachineProbe probe[MACHINE_PROBES_MAX];
    int probe_count;
    int first_probe[MACHINE_BODIES_MAX + 1]; // probes are sorted by body
    Vec3 ball[MACHINE_BODIES_MAX];           // m, middle of a body's probes
    float ball_radius[MACHINE_BODIES_MAX];   // m, around all of them

    // consumed by the next step
    MachineRow external[MACHINE_ROWS_MAX];
    int external_count;
    double external_impulse[MACHINE_ROWS_MAX];
    S6 push[MACHINE_BODIES_MAX]; // force and torque about the world's origin
};

// machine_rig.c: from state to frames, mass matrix and bias.
void machine_rig_place(Machine* machine);
void machine_rig_speeds(Machine* machine);
void machine_rig_mass(Machine* machine);
void machine_rig_bias(Machine* machine);
// The speed along a direction of a body's point (relative to the root's origin), as entries added to
// a row: scale x J. Entries of the same dof are merged.
void machine_rig_jacobian(const Machine* machine, int body, D3 point, D3 direction, double scale,
                          MachineSolveRow* row);
D3 machine_rig_velocity(const Machine* machine, int body, D3 point);
static inline D3 machine_rig_to_world(const MachineFrame* f, Vec3 local)
{
    return d3_add(f->origin, m3_mul(&f->turn, d3_from(local)));
}

// machine_rows.c
void machine_rows_collect(Machine* machine, const MachineGround* ground, double h);
MachineSolveRow* machine_rows_add(Machine* machine);

// machine_contact.c: rollers, probes and own steel.
void machine_contact_rows(Machine* machine, const MachineGround* ground, double h);
void machine_contact_press(Machine* machine, const MachineGround* ground, double h);

// machine_shape.c
bool machine_shape_probes(Machine* machine); // false when there are too many
// Depth of a ball in a solid of a body (positive inside) and the way out, in world axes. False for
// shapes without an inside.
bool machine_shape_depth(const MachineShape* shape, const MachineFrame* frame, D3 point,
                         double radius, double* depth, D3* out);

// machine_solve.c: the projected solve; velocity in place.
void machine_solve(Machine* machine, double* velocity);

#endif
