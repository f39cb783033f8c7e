// machine_def - a vehicle file in memory: const after loading.
//
// Frames:   world and vehicle +x forward, +y up, +z right. A body's frame has its origin in the pin
//           of the joint that carries it and its axes parallel to its parent's at joint value 0. The
//           root's origin lies on the ground below its middle (an excavator's swing axis).
//           Excavator arms lie in the x-y plane; + about z lifts, or curls out.
// Units:    SI here; degrees, mm, t, MPa in files.
// Order:    of bodies as in the file, parents first, body 0 is the root.
#ifndef MACHINE_DEF_H
#define MACHINE_DEF_H

#include "base/base_arena.h"
#include "base/base_yaml.h"
#include "machine/machine_drive.h"
#include "machine/machine_look.h"
#include "machine/machine_shape.h"

#define MACHINE_BODIES_MAX  12
#define MACHINE_RUNNERS_MAX 8  // tracks and wheels
#define MACHINE_ROLLERS_MAX 24 // places where tracks and wheels press on the ground
#define MACHINE_DOFS_MAX    (6 + MACHINE_BODIES_MAX - 1 + MACHINE_RUNNERS_MAX)
#define MACHINE_SHAPES_MAX  64
#define MACHINE_TOOLS_MAX   4

typedef enum MachineJoint {
    MACHINE_FREE,  // the root
    MACHINE_HINGE, // about `axis` through `pin`
    MACHINE_SLIDE, // along `axis`
} MachineJoint;

typedef struct MachineBody {
    const char* name;
    const char* parent_name; // NULL for the root
    int parent;              // index, -1 for the root
    int joint;               // MachineJoint
    Vec3 pin;                // m, origin of this body at joint value 0, in the parent's frame
    Vec3 axis;               // unit, of hinge or slide, in the parent's frame
    bool limited;            // has end stops of its own, besides those of its cylinders
    float lower, upper;      // rad or m, those end stops
    float start;             // rad or m, where it stands when placed
    float damping;           // N m s/rad or N s/m, of the joint
    double mass;             // kg
    Vec3 com;                // m, in the body's frame
    float inertia[6];        // kg m2 about com: xx yy zz, and products xy xz yz as they stand in
                             // the matrix: -sum of m x y
    float angle[2], start_angle;   // rad, as in the file of a hinge; above in one form for both
    float travel[2], start_travel; // m, of a slide
} MachineBody;

// Idler and link between a cylinder and a bucket: the cylinder ends at the knee, which hangs on the
// idler (on the cylinder's own body) and, by the link, on the driven body.
typedef struct MachineLinkage {
    Vec3 idler_pin; // m, on the cylinder's first body
    Vec3 link_pin;  // m, on the driven body
    float idler;    // m, idler pin to knee
    float link;     // m, knee to link pin
    int side;       // 0: knee on the left of idler pin -> link pin seen from +z, 1: on the right
} MachineLinkage;

// From a pin on a body to a pin on its child (or the knee of a linkage); moves that child's joint.
typedef struct MachineCylinder {
    const char* name;
    const char *from_name, *to_name;
    int from, to;            // bodies; from is the parent of to
    Vec3 from_pin, to_pin;   // m, each in its body's frame; to_pin unused with a linkage
    float bore, rod;         // m, diameters
    float closed, stroke;    // m, pin to pin when drawn in; way to fully out
    float relief;            // Pa, of its ports: what it holds
    int count;               // equal cylinders side by side
    MachineLinkage* linkage; // or NULL
    double area_push;        // m2, of all: what pushes the rod out
    double area_pull;        // m2
} MachineCylinder;

// Turns a hinge or moves a slide directly: swing.
typedef struct MachineMotor {
    const char* name;
    const char* body_name;
    int body;      // whose joint it drives
    float torque;  // N m or N, most it can hold
    float inertia; // kg m2 or kg, of motor and gear, at the joint
} MachineMotor;

// One engine branch that drives tracks or wheels; wheels of one drive share it as over open
// differentials.
typedef struct MachineTrain {
    const char* name;
    float force; // N, most that all of it together can pull or brake
} MachineTrain;

// A track or a wheel.
typedef struct MachineRunner {
    const char* name;
    const char* body_name;
    const char* train_name; // NULL: rolls freely
    int body, train;        // indices, train -1 when free
    int rollers;            // places of contact, spread over `length`; 1 for a wheel
    Vec3 center;            // m, in the body's frame: middle of a track's sole, hub of a wheel
    float length;           // m, first to last roller; 0 for a wheel
    float rise;             // m, how much the outer rollers stand higher (rounded ends)
    float radius;           // m, of a wheel; 0 for a track
    float width;            // m, of shoe or tyre
    float stiffness;        // N/m of a tyre or roller suspension, in series with the ground
    float damping;          // N s/m
    float along, across;    // friction of shoe or tyre on ground, scaled by the ground's
    float mass;             // kg that must be brought to speed with the sole: track, gear, motor
    float rolling;          // resistance to rolling per load
    int first_roller;       // in the machine's numbering
} MachineRunner;

typedef enum MachineToolKind { MACHINE_BUCKET, MACHINE_BLADE } MachineToolKind;

// What cuts. The edge runs from edge_a to edge_b in the body's frame.
typedef struct MachineTool {
    const char* name;
    const char* body_name;
    int kind, body;
    Vec3 edge_a, edge_b; // m, left and right end of the cutting edge
    Vec3 edge_normal;    // unit, up out of the floor plate at the edge: into the bucket
    float thickness;     // m, of the edge
    int teeth;
    float tooth_width, tooth_length; // m
    float struck, heaped;            // m3
    Vec3 hold_min, hold_max; // m, soil inside this box of the body's frame counts as carried
} MachineTool;

// A body that hauls: see CouplingBinDef. Its floor's middle is at `center`.
typedef struct MachineBin {
    const char* name;
    const char* body_name;
    int body;
    Vec3 center;          // m, in the body's frame
    float turn;           // rad about z, floor against the body's x
    float length, width;  // m, inside
    float wall;           // m
    float steel;          // friction
    float struck, heaped; // m3
} MachineBin;

typedef struct MachineCamera {
    const char* name;
    const char* body_name;
    int body;
    Vec3 eye, target; // m, in the body's frame
    float field;      // rad, vertical
} MachineCamera;

typedef struct MachineLight {
    const char* name;
    const char* body_name;
    int body;
    Vec3 position, direction; // m; unit, in the body's frame
    float angle;              // rad, full cone
    float power;              // W
} MachineLight;

typedef struct MachineSound {
    const char* name; // engine, pump, swing, travel, alarm, horn
    float base;       // Hz at rated speed or load
    float volume;     // 0..1
} MachineSound;

typedef enum MachineClass {
    MACHINE_EXCAVATOR,
    MACHINE_DOZER,
    MACHINE_TRUCK,
    MACHINE_OBJECT
} MachineClass;

typedef struct MachineDef {
    const char* title;
    int kind; // MachineClass
    MachineBody* bodies;
    MachineCylinder* cylinders;
    MachineMotor* motors;
    MachineTrain* trains;
    MachineRunner* runners; // tracks first, then wheels
    MachineShape* shapes;
    MachineTool* tools;
    MachineBin* bins;
    MachineCamera* cameras;
    MachineLight* lights;
    MachineSound* sounds;
    int body_count, cylinder_count, motor_count, train_count, runner_count, shape_count;
    int tool_count, bin_count, camera_count, light_count, sound_count;

    MachineDriveDef* drive; // NULL: actuators hold, or do what machine_command() says
    MachineLookDef* look;   // NULL: plain

    int dof_count;      // 6 + joints + runners
    int actuator_count; // cylinders, motors, trains
    int roller_count;   // over all runners
    double mass;        // kg, all bodies
} MachineDef;

// False, with a message, when the file is bad; the arena is then as before.
bool machine_load(const char* path, BaseArena* arena, MachineDef* out, BaseYamlError* error);

// True when the file has the keys of a vehicle.
bool machine_recognise(const char* path);

// -1 when there is none of this name.
int machine_find_body(const MachineDef* def, const char* name);
int machine_find_actuator(const MachineDef* def, const char* name);
int machine_find_tool(const MachineDef* def, const char* name);
const char* machine_actuator_name(const MachineDef* def, int actuator);

#endif
