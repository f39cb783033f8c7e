// lab_arm - an excavator worked by its levers, at the edge of a pit, with a dynamometer at the teeth.
//
// Does:     hold levers, bring joints to angles by levers, run frames; pull on the teeth.
// Does not: go past the hydraulics, except to block a cylinder as a test stand does.
#ifndef LAB_ARM_H
#define LAB_ARM_H

#include "input/input.h"
#include "lab/lab_machine.h"

#define LAB_ARM_PATH 4096 // samples of the teeth's way

typedef enum LabJoint { LAB_BOOM, LAB_STICK, LAB_BUCKET, LAB_JOINTS } LabJoint;

typedef struct LabArm {
    LabMachine lab;
    int body[LAB_JOINTS];     // boom, stick, bucket
    int actuator[LAB_JOINTS]; //
    InputFunction lever[LAB_JOINTS];
    double sense[LAB_JOINTS]; // of a joint's angle for a positive lever
    int swing, house;         // actuator, body
    Vec3 tip;                 // m, between the tips of the teeth, in the bucket's frame
    InputFrame frame;         // what the hands do
    int step;                 // since the start
    // a dynamometer that keeps the teeth from moving along a direction of the bucket's frame
    bool gripped;
    Vec3 grip;      // unit, in the bucket's frame, where the teeth want to go
    double pull;    // N, what it holds
    int path_count; // where the teeth were, 20 times a second
    double path_x[LAB_ARM_PATH], path_y[LAB_ARM_PATH];
} LabArm;

// At rest before a pit, so that the arm may go down. False after lab_fail().
bool lab_arm_load(LabRun* run, LabArm* arm);
void lab_arm_finish(LabRun* run, LabArm* arm);

// Joints where they are told to be (deg), everything at rest and settled; valves shut.
void lab_arm_pose(LabArm* arm, const double degrees[LAB_JOINTS]);

void lab_arm_lever(LabArm* arm, InputFunction function, double value);
void lab_arm_neutral(LabArm* arm);
void lab_arm_frame(LabArm* arm); // 1/60 s
void lab_arm_wait(LabArm* arm, double seconds);

double lab_arm_time(const LabArm* arm);                   // s
double lab_arm_angle(const LabArm* arm, LabJoint joint);  // deg, of the joint
double lab_arm_world(const LabArm* arm, LabJoint joint);  // deg above the horizon, of the part
double lab_arm_stroke(const LabArm* arm, LabJoint joint); // 0..1 of the cylinder's way
Vec3 lab_arm_tip(const LabArm* arm);                      // m, world
// Levers until the cylinder stands at its end in the lever's direction. False when it took longer.
bool lab_arm_to_stop(LabArm* arm, const double levers[LAB_JOINTS], double seconds);
// A lever that brings a joint nearer to an angle (deg); call it every frame.
void lab_arm_steer(LabArm* arm, LabJoint joint, double degrees);
// The same until all are within 0.1 degree and at rest; NaN: leaves it alone.
bool lab_arm_seek(LabArm* arm, const double degrees[LAB_JOINTS], double seconds);

#endif
