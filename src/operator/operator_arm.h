// operator_arm - an excavator's arm as its operator knows it: where the teeth are, which joints bring
// them somewhere, which lever gives which speed.
//
// Does:     find swing, boom, stick and bucket in a vehicle; direct and inverse kinematics in the
//           plane of the arm; levers for joint speeds, with the valves' dead zone and curve in mind.
// Does not: move anything: it fills in levers of an InputFrame.
// Units:    SI, rad. The plane: r forward from the swing axis, y up from the house's origin, both in
//           the house's frame. Pitch alpha: direction from the bucket's pin to its teeth.
// Threads:  const after operator_arm_find().
#ifndef OPERATOR_ARM_H
#define OPERATOR_ARM_H

#include "machine/machine.h"

typedef enum OperatorJoint {
    OPERATOR_SWING,
    OPERATOR_BOOM,
    OPERATOR_STICK,
    OPERATOR_BUCKET,
    OPERATOR_JOINTS,
} OperatorJoint;

typedef struct OperatorArm {
    int body[OPERATOR_JOINTS];
    int actuator[OPERATOR_JOINTS];
    InputFunction lever[OPERATOR_JOINTS];
    double way[OPERATOR_JOINTS];                        // +1: a positive lever extends the actuator
    double flow[OPERATOR_JOINTS][2];                    // m3/s at full lever: extends, retracts
    double low[OPERATOR_JOINTS], high[OPERATOR_JOINTS]; // rad, of the joints
    double turn;                                        // rad/s of the house at full lever
    int tool;                                           // of the vehicle
    double root[2];                                     // m, boom's pin in the house's plane
    double boom[2], stick[2]; // m and rad: length to the next pin, its angle in the body
    double bucket[2];         // the same to the tips of the teeth
    double floor;             // rad, direction of the floor plate in the bucket's frame
    double width;             // m, of the edge
    double capacity;          // m3, heaped
    InputShape shape;         // of the pilot valves
} OperatorArm;

// The tips of the teeth and what they look like.
typedef struct OperatorTip {
    double r, y;  // m
    double alpha; // rad
} OperatorTip;

typedef struct OperatorPose {
    double joint[OPERATOR_JOINTS]; // rad
    double speed[OPERATOR_JOINTS]; // rad/s
} OperatorPose;

// False when the vehicle has no such arm with valves: `missing` then names what it lacks.
bool operator_arm_find(const MachineDef* def, OperatorArm* out, const char** missing);

OperatorPose operator_arm_look(const OperatorArm* arm, const Machine* machine);
// Where the joints will be when a lever moved now begins to act.
OperatorPose operator_arm_expect(const OperatorPose* now, double seconds);

OperatorTip operator_arm_tip(const OperatorArm* arm, const double joint[OPERATOR_JOINTS]);
// The bucket's pin.
void operator_arm_pin(const OperatorArm* arm, const double joint[OPERATOR_JOINTS], double* r,
                      double* y);
// Boom and stick that bring the bucket's pin to a place, elbow up; as near as they get when it is
// out of reach or beyond the cylinders: then false.
bool operator_arm_reach(const OperatorArm* arm, double r, double y, double* boom, double* stick);
// The same for the teeth at a pitch.
bool operator_arm_solve(const OperatorArm* arm, OperatorTip tip, double joint[OPERATOR_JOINTS]);
// Joint speeds for a velocity of the teeth (m/s, m/s, rad/s); false near a stretched arm, where
// there are none.
bool operator_arm_speeds(const OperatorArm* arm, const double joint[OPERATOR_JOINTS], double vr,
                         double vy, double turn, double out[OPERATOR_JOINTS]);

// rad/s of a joint at full lever, in the direction of `sign`, when oil is not short.
double operator_arm_full(const OperatorArm* arm, const Machine* machine, OperatorJoint joint,
                         double sign);
// Lever -1..1 that asks for a share -1..1 of that; + moves the joint towards +.
double operator_arm_lever(const OperatorArm* arm, const Machine* machine, OperatorJoint joint,
                          double share);

#endif
