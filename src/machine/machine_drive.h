// machine_drive - levers to valves to what the rig is asked to do: hydraulics, engine, responses.
//
// Does:     turn an InputFrame into one MachineCommand per actuator and step, from the pressures
//           that the last step left in the MachineFeedback.
// Does not: move bodies; the rig answers each command within its force limits.
// Units:    SI. An actuator is a cylinder (m, m/s, N), a motor (rad, rad/s, N m) or a drive (m, m/s
//           of track or tyre, N); they are numbered cylinders first, then motors, then drives, in
//           the order of the file.
// Sign:     + extends a cylinder, turns a motor's joint forward, drives forward.
#ifndef MACHINE_DRIVE_H
#define MACHINE_DRIVE_H

#include "base/base_yaml.h"

#include <stdbool.h>
#include <stdint.h>

#define MACHINE_ACTUATORS_MAX 16

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

// The section `drive` of a vehicle file.
typedef struct MachineDriveDef {
    double relief; // Pa, ports: what a cylinder holds
} MachineDriveDef;

extern const BaseYamlSchema machine_drive_schema;

// All that a snapshot holds of valves and engine; plain data, whole multiples of 8 bytes, no holes.
typedef struct MachineDriveState {
    MachineCommand command[MACHINE_ACTUATORS_MAX]; // in force
} MachineDriveState;

struct MachineDef;

// Everything shut and held, engine idling.
void machine_drive_reset(const struct MachineDef* def, MachineDriveState* state);

// The valves' answer for a step of h seconds: writes state->command.
void machine_drive_step(const struct MachineDef* def, MachineDriveState* state,
                        const MachineFeedback* feedback, double h);

#endif
