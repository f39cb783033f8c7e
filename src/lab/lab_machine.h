// lab_machine - what the experiments with machines have in common: a vehicle on a plane.
#ifndef LAB_MACHINE_H
#define LAB_MACHINE_H

#include "lab/lab.h"
#include "machine/machine.h"

#define LAB_MACHINE_RATE 240 // steps per second

// A plane through the origin that falls towards -x.
typedef struct LabPlane {
    float slope;     // rad
    float friction;  // of steel on it
    float stiffness; // Pa/m
    float capacity;  // Pa
    float edge;      // m, beyond this x there is a pit; 0: none
} LabPlane;

typedef struct LabMachine {
    BaseArena arena;
    MachineDef def;
    Machine* machine;
    LabPlane plane;
    MachineGround ground;
} LabMachine;

// --vehicle, or the 22 t excavator beside the program, on firm level ground. False after lab_fail().
// It must stay where it is until lab_machine_finish(): the ground points into it.
bool lab_machine_load(LabRun* run, LabMachine* lab);
void lab_machine_finish(LabRun* run, LabMachine* lab); // takes its hash into the report

// Stands at rest on the plane, looking uphill, joints as in the file; actuators hold.
void lab_machine_stand(LabMachine* lab);
// Bodies and actuators by name; false after lab_fail() when the vehicle has none.
bool lab_machine_body(LabRun* run, const LabMachine* lab, const char* name, int* out);
bool lab_machine_actuator(LabRun* run, const LabMachine* lab, const char* name, int* out);

// The command that holds an actuator with what its ports bear.
MachineCommand lab_machine_hold(const LabMachine* lab, int actuator);
// The same, moving at a speed.
void lab_machine_tell(LabMachine* lab, int actuator, double speed);
void lab_machine_hold_all(LabMachine* lab);

// When a picture is wanted: charts side by side of the report's table, columns first..last of it over
// column 0.
typedef struct LabMachineChart {
    const char *title, *subtitle, *y_label;
    int first, last;
    double y_range[2]; // equal: from the data
    bool markers;      // points, not curves
} LabMachineChart;
void lab_machine_draw(LabRun* run, const LabMachineChart* charts, int count);

void lab_machine_step(LabMachine* lab);
void lab_machine_wait(LabMachine* lab, double seconds);

#endif
