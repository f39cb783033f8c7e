// machine_drive - levers to valves to what the rig is asked to do: hydraulics, engine, responses.
//
// Does:     turn an InputFrame into one MachineCommand per actuator and step, from the pressures
//           that the last step left in the MachineFeedback.
// Does not: move bodies; the rig answers each command within its force limits.
// Units:    SI. An actuator is a cylinder (m, m/s, N), a motor (rad, rad/s, N m) or a train (m, m/s
//           of track or tyre, N); they are numbered cylinders first, then motors, then trains, in
//           the order of the file.
// Sign:     + extends a cylinder, turns a motor's joint forward, drives forward.
// Method:   quasi-static flow sharing (docs/hydraulics.md): lever, dead zone, curve, rate limit,
//           dead time, spool, flow demand; demands are scaled together when pumps or engine are
//           short; pressure follows the load and is clipped at the relief.
#ifndef MACHINE_DRIVE_H
#define MACHINE_DRIVE_H

#include "base/base_yaml.h"
#include "input/input.h"
#include "input/input_shape.h"

#include <stdbool.h>
#include <stdint.h>

#define MACHINE_ACTUATORS_MAX 16
#define MACHINE_PUMPS_MAX     2
#define MACHINE_DELAY_FRAMES  12 // 60 Hz frames that a valve can be late: 183 ms
#define MACHINE_TORQUE_POINTS 12
#define MACHINE_FUEL_POINTS   8

// What the valves ask of an actuator in the coming step.
typedef struct MachineCommand {
    double speed; // wanted: the rig reaches it unless that takes more than
    double push;  // greatest effort towards +, >= 0 (relief of the base side)
    double pull;  // greatest effort towards -, >= 0 (relief of the rod side)
} MachineCommand;

// What became of it in the last step.
typedef struct MachineFeedback {
    double length;               // now; of a drive the way it has gone
    double speed;                // now
    double effort;               // exerted on average over the step, + pushes
    double area_push, area_pull; // cylinder, all of its pistons, m2; else 0
} MachineFeedback;

// --- the section `drive` of a vehicle file -------------------------------------------------------

typedef struct MachineTorquePoint {
    float speed;  // rad/s
    float torque; // N m, most the engine gives there
} MachineTorquePoint;

typedef struct MachineFuelDef {
    float idle;                  // m3/s at idle speed without load
    float density;               // kg/m3
    float *speeds, *loads, *use; // rad/s; fraction of the torque there; kg/J, a row per speed
    int speed_count, load_count, use_count;
} MachineFuelDef;

typedef struct MachineEngineDef {
    float power;                // W, net at rated speed
    float idle, rated;          // rad/s
    float droop;                // share of rated speed by which it turns faster without load
    float auto_idle;            // rad/s, when no lever was moved for
    float auto_idle_after;      // s
    float inertia;              // kg m2, with pumps
    float drag;                 // share of its torque with which it brakes without fuel
    float accessories;          // W at rated speed: fan, charge pump, alternator
    MachineTorquePoint* torque; // by speed
    int torque_count;
    MachineFuelDef fuel;
} MachineEngineDef;

// One direction of a valve.
typedef struct MachinePort {
    float flow;         // m3/s at full lever
    int pumps;          // bits: 1 the first, 2 the second
    float relief;       // Pa, 0: that of the circuit
    float regeneration; // share of the oil pushed out that is used again while the load helps
} MachinePort;

// A hydraulic motor that turns a joint: swing.
typedef struct MachineTurn {
    float speed;  // rad/s at the ports' flow
    float torque; // N m at the relief
    float brake;  // N m that stops it with closed ports
    float coast;  // share of the brake that is felt while the lever is full over
} MachineTurn;

// Hydraulic motors of a track or a wheel; they change to a larger displacement when it gets heavy.
typedef struct MachineTravel {
    float speed;      // m/s at the port's flow, fast range
    float force;      // N at the relief, slow range
    float efficiency; // of motor and gear
    float hold;       // N of the parking brake
} MachineTravel;

// An engine that drives wheels through a converter: trucks.
typedef struct MachineGear {
    float speed, reverse; // m/s at rated engine speed
    float force;          // N, most it can pull
    float efficiency;
    float retard; // N of the engine brake
    float brake;  // N of the brakes
} MachineGear;

// One lever's valve and what it moves. Without turn, travel and gear it is a cylinder.
typedef struct MachineFunction {
    const char* name;
    const char* actuator_name;
    int actuator;  // index
    int lever;     // InputFunction
    int positive;  // what a positive lever does: 0 extends (turns, drives forward), 1 retracts
    float servo;   // 1/s; the lever asks for a place, not for a speed: steering. 0: off
    float lag;     // s, of its own spool or shockless valve; 0: as all
    float cushion; // m before the end of a cylinder where it is braked; 0: none
    MachinePort extend, retract;
    MachineTurn* turn;
    MachineTravel* travel;
    MachineGear* gear;
} MachineFunction;

typedef struct MachinePump {
    float flow; // m3/s at rated engine speed
} MachinePump;

typedef struct MachineHydraulicsDef {
    float relief, boost; // Pa, working and lifting
    float boost_time;    // s that the boost lasts
    float hold;          // Pa, what a closed valve holds
    float margin;        // Pa, pumps above the heaviest load
    float standby;       // Pa, pumps with all levers neutral
    float regeneration;  // Pa in the fed side above which the load no longer helps
    float power;         // W that pumps may give to the oil at rated speed
    float efficiency;    // of the pumps
    float dead_time;     // s
    float lag;           // s, of spools
    float pressure_lag;  // s, oil and hoses
    float pump_lag;      // s, until pumps have given way to the engine
    InputShape shape;    // of the pilot valves
    InputRamp response[INPUT_RESPONSE_COUNT];
    bool straight_travel; // both tracks get the same when other levers are used as well
    MachinePump* pumps;
    MachineFunction* functions;
    int pump_count, function_count;
} MachineHydraulicsDef;

typedef struct MachineDriveDef {
    MachineEngineDef engine;
    MachineHydraulicsDef hydraulics;
} MachineDriveDef;

extern const BaseYamlSchema machine_drive_schema;

// --- state ---------------------------------------------------------------------------------------

// Bits of MachineDriveState.flags.
#define MACHINE_DRIVE_LOCKED  1u  // hydraulic lock-out
#define MACHINE_DRIVE_IDLING  2u  // auto-idle has slowed the engine
#define MACHINE_DRIVE_BOOSTED 4u  // relief is raised
#define MACHINE_DRIVE_SHORT   8u  // pumps could not give what was asked
#define MACHINE_DRIVE_LIMITED 16u // the engine could not give what was asked
#define MACHINE_DRIVE_SLOW    32u // travel in the slow range only
#define MACHINE_DRIVE_REVERSE 64u // a truck's gear

// All that a snapshot holds of valves and engine; plain data, whole multiples of 8 bytes, no holes.
typedef struct MachineDriveState {
    MachineCommand command[MACHINE_ACTUATORS_MAX];                // in force
    double spool[MACHINE_ACTUATORS_MAX];                          // -1..1, + extends
    double pressure[MACHINE_ACTUATORS_MAX];                       // Pa in the fed side, smoothed
    double flow[MACHINE_ACTUATORS_MAX];                           // m3/s it gets from the pumps
    float lever[MACHINE_ACTUATORS_MAX];                           // after the rate limit
    int16_t history[MACHINE_ACTUATORS_MAX][MACHINE_DELAY_FRAMES]; // of levers
    uint64_t slot;                                                // of history, written last
    double pump_flow[MACHINE_PUMPS_MAX], pump_pressure[MACHINE_PUMPS_MAX]; // m3/s, Pa
    double pump_scale;      // 0..1 of what was asked, that the engine can bear
    double engine_speed;    // rad/s
    double engine_set;      // rad/s, what the governor keeps at full load
    double engine_torque;   // N m it gives
    double engine_load;     // 0..1 of what it could give at this speed
    double fuel;            // m3, burnt so far
    double fuel_rate;       // m3/s
    double relief_heat;     // J, lost over reliefs so far
    double idle_time;       // s since a lever was moved
    double boost_left;      // s
    double throttle, brake; // 0..1, pedals of trucks
    uint32_t relieved;      // bits by actuator: stands at its relief
    uint32_t slow_range;    // bits by actuator: travel motors in the slow range
    uint32_t held;          // bits by actuator: the load is too heavy, the check valve holds it
    uint32_t flags;         // MACHINE_DRIVE_*
    uint64_t faults;        // wrong values of levers that were put right
    uint64_t response;      // InputResponse
} MachineDriveState;

struct MachineDef;

// Resolves names in def->drive and checks what the schema cannot. Part of machine_load().
bool machine_drive_check(const char* path, struct MachineDef* def, BaseYamlError* error);

// Everything shut and held, engine at rated speed.
void machine_drive_reset(const struct MachineDef* def, MachineDriveState* state);

// Levers, once per frame of dt seconds. A frame that no hand could have made is put right, counted.
void machine_drive_input(const struct MachineDef* def, MachineDriveState* state,
                         const InputFrame* input, double dt);

// The valves' answer for a step of h seconds: writes state->command.
void machine_drive_step(const struct MachineDef* def, MachineDriveState* state,
                        const MachineFeedback* feedback, double h);

#endif
