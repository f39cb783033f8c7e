// machine_drive_internal - the parts of the drive that are tested by themselves.
#ifndef MACHINE_DRIVE_INTERNAL_H
#define MACHINE_DRIVE_INTERNAL_H

#include "machine/machine_drive.h"

// What one function wants of the pumps.
typedef struct MachineDemand {
    double flow;     // m3/s
    double pressure; // Pa at the pump
    int pumps;       // bits
    double share;    // 0..1 of the flow: the answer
} MachineDemand;

typedef struct MachineSupply {
    double flow[MACHINE_PUMPS_MAX];     // m3/s they can give; then what they give
    double pressure[MACHINE_PUMPS_MAX]; // Pa, the answer
    double power;                       // W that may go into the oil
    double scale;                       // the answer: 0..1 that this power allows of it
    bool is_short;                      // the answer: flow is
} MachineSupply;

// Shares the pumps' flow: everyone who needs a short pump gets the same share of what he wants.
void machine_drive_share(MachineDemand* demand, int count, MachineSupply* supply);
// Scales all down.
void machine_drive_scale(MachineDemand* demand, int count, MachineSupply* supply, double scale);

// Most torque at a speed, N m.
double machine_engine_limit(const MachineEngineDef* engine, double speed);
// Fuel at a speed and torque, m3/s.
double machine_engine_fuel(const MachineEngineDef* engine, double speed, double torque);
// Turns the engine for h seconds against a load of `watts`.
void machine_engine_step(const MachineEngineDef* engine, MachineDriveState* state, double watts,
                         double h);
// Power that may go into the oil at the engine's present speed, W.
double machine_engine_spare(const MachineDriveDef* drive, const MachineDriveState* state);

#endif
