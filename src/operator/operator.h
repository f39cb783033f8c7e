// operator - the built-in operator: works a machine through its levers, closed loop, like a person.
//
// Does:     dig pits, trenches and heaps to a floor, load trucks, set spoil back; look at what a
//           person sees (joints, teeth, payload, ground, truck); adapt depth to what the ground bears.
// Does not: touch the simulation: it writes an InputFrame and nothing else.
// Units:    SI, +y up, rad.
// State:    OperatorState is plain data: copy it to save it. Same world, same state, same levers.
//
//     operator_step(&op, world, &input);   // once a frame, before world_step()
#ifndef OPERATOR_H
#define OPERATOR_H

#include "base/base_random.h"
#include "operator/operator_arm.h"
#include "world/world.h"

#define OPERATOR_CORNERS 12  // of an area
#define OPERATOR_DELAY   30  // frames that hands can be late
#define OPERATOR_PATH    96  // points of a pass
#define OPERATOR_BINS    128 // directions in which it remembers what did not work

typedef enum OperatorKind {
    OPERATOR_EXPERT,
    OPERATOR_NOVICE,
    OPERATOR_RANDOM, // levers by chance
    OPERATOR_IDLE,   // hands in the lap
    OPERATOR_KINDS,
} OperatorKind;

typedef enum OperatorProgram {
    OPERATOR_PIT,       // an area to a floor, soil set aside
    OPERATOR_TRENCH,    // a line to depth and grade, spoil along it; the machine travels back
    OPERATOR_TRUCK,     // an area to a floor, soil into a truck
    OPERATOR_STOCKPILE, // an area to a floor, soil onto a heap
    OPERATOR_PROGRAMS,
} OperatorProgram;

extern const char* const operator_kind_words[OPERATOR_KINDS + 1];
extern const char* const operator_program_words[OPERATOR_PROGRAMS + 1];

// What shall be done.
typedef struct OperatorTask {
    int program;
    float corner[OPERATOR_CORNERS][2]; // m, x and z: the area, convex or not
    int corners;
    float floor;          // m, height to dig to at `from`
    float rise_x, rise_z; // of the floor, m per m
    float from[2];        // m
    float sides;          // rise of the ground around the area, m per m; 0: it stands upright
    float tolerance;      // m, that the finished floor may be off; 0: the floor is not finished
    float way[2];         // passes along this only (x, z, towards the machine); 0, 0: any
    bool footed;          // the floor goes on level at `foot` instead of sinking below it
    float foot;           // m
    float step;           // m that the machine travels when all is dug here; - is back; 0: it stays
    float axis[2];        // x, z: where its tracks point when it travels; 0, 0: as it stands
    float rail[2];        // x, z: a place on the line that its middle keeps to
    int truck;            // machine that is loaded; -1: none
    float heap[2][2];     // m, x and z: soil goes onto the line between these
    float fill;           // share of the heaped bucket that shall leave the ground; 0: the usual
    int cycles;           // to do; 0: until the area is dug
} OperatorTask;

// A rectangle around a place, its length along `heading` (rad about +y).
void operator_task_box(OperatorTask* task, float x, float z, float heading, float length,
                       float width);

// How good the hands are.
typedef struct OperatorSkill {
    int delay;        // frames between seeing and moving
    double foresight; // s of motion that the hands allow for: less overshoots
    double gain;      // 1/s, joint speed for a miss
    double pace;      // share of full levers
    double path;      // 1/s, how firmly the teeth are kept on their line
    double scatter;   // m, of entry and depth
    double near;      // rad and m, what counts as arrived
    double brake;     // rad/s2 that the swing is trusted to slow down with
} OperatorSkill;

typedef enum OperatorPhase {
    OPERATOR_WAIT,
    OPERATOR_REACH, // swing back, teeth to the ground
    OPERATOR_DRAG,  // through the ground
    OPERATOR_SHAPE, // the same along a path that is what shall be left
    OPERATOR_CURL,
    OPERATOR_LIFT,
    OPERATOR_HAUL, // swing loaded
    OPERATOR_DUMP,
    OPERATOR_TAMP, // the bucket's floor onto one place after the other
    OPERATOR_MOVE, // tracks
    OPERATOR_DONE,
    OPERATOR_PHASES,
} OperatorPhase;

// The four parts of a cycle, s, and what it brought.
typedef struct OperatorCycle {
    double dig, haul, dump, back; // s; `back` is the way to this cycle's dig
    double payload;               // kg when it left the ground
    double left;                  // kg still in the bucket after dumping
    double fill;                  // share of the heaped bucket, loose
    double deepest;               // m below the ground where it was
    int stalls;                   // frames in which the cut stood
} OperatorCycle;

typedef struct OperatorState {
    BaseRandom random;
    int phase;
    int frames;       // in this phase
    int cycles;       // done
    int lanes_failed; // looks for work that found none
    OperatorCycle now, last;
    // the pass that is dug: in the plane of the arm, house's frame
    double yaw, entry, exit, line, slope, depth; // rad, m, m, m (line at r = 0), m/m, m
    double raise;                                // m, lifted because the cut stood
    double strain;                 // 0..1, how long the bucket has stood at its relief
    double want;                   // share of the heaped bucket that is dug before it curls
    double bite;                   // share of the usual depth that this ground allows
    double speed;                  // m/s of the teeth, smoothed
    double level;                  // m, ground where the teeth went in
    double pitch;                  // rad, of the bucket that goes in to follow a path
    double path[OPERATOR_PATH][2]; // m: radius, height in the world
    double path_at;                // m of it behind the teeth
    double wall;                   // m of it before it goes up a wall in front; 0: it does not
    int path_count;
    bool fine;                        // the pass leaves the finished floor
    double gain;                      // what it shall bring: m3, or columns
    uint8_t failed[2][OPERATOR_BINS]; // passes in a direction that brought nothing: rough, fine
    double dump_yaw, dump_r, dump_y;  // where the bucket's pin is emptied
    double gate;                      // rad, half the angle around dump_yaw that needs the height
    double carry;                     // m, height of the pin at which it is carried away
    double shaken;                    // payload kg when shaking began
    double moved[3];                  // m, where travel began
    double tilt;                      // rad, of the machine at rest
    double lever[4];                  // random: what is held
    int hold[4];                      // random: frames left
    int16_t late[OPERATOR_DELAY][INPUT_FUNCTION_COUNT];
    uint32_t slot, shakes;
} OperatorState;

typedef struct Operator {
    OperatorArm arm;
    OperatorSkill skill;
    OperatorTask task;
    int kind, machine;
    double closest, farthest; // m, radii at which this machine digs well
    OperatorState state;
} Operator;

// False when the machine has no arm for it: `missing` then names what it lacks. Idle and random hands
// need none.
bool operator_init(Operator* op, OperatorKind kind, const World* world, int machine,
                   const OperatorTask* task, uint64_t seed, const char** missing);
void operator_step(Operator* op, World* world, InputFrame* out);
// What was meant some frames ago is what these hands do now: for levers that somebody else sets.
void operator_late(Operator* op, InputFrame* out);
bool operator_done(const Operator* op);
const char* operator_phase_name(OperatorPhase phase);

#endif
