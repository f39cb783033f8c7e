// operator_internal - what the operator's files share; nobody else includes it.
#ifndef OPERATOR_INTERNAL_H
#define OPERATOR_INTERNAL_H

#include "operator/operator.h"

// What the operator sees in one frame.
typedef struct OperatorSight {
    World* world;
    Machine* machine;
    Terrain* ground;
    OperatorPose now, soon; // joints; and when levers moved now begin to act
    OperatorTip tip, tip_soon;
    double pin[2];  // m, of the bucket now
    double payload; // kg
    double volume;  // m3 that it takes loose
    double tilt;    // rad, of the undercarriage
} OperatorSight;

OperatorSight operator_see(const Operator* op, World* world);

// Ground in the plane that the arm has at a yaw: m above the house's origin.
Vec3 operator_world(const OperatorSight* sight, const Operator* op, double yaw, double r, double y);
double operator_ground(const OperatorSight* sight, const Operator* op, double yaw, double r,
                       double across);
bool operator_inside(const OperatorTask* task, float x, float z);
double operator_floor(const OperatorTask* task, float x, float z);

// Hands: a joint by a share of its speed; the house to a yaw, and the bucket's pin to a place with the
// bucket at a pitch. Both return the miss.
void operator_put(const Operator* op, const OperatorSight* sight, OperatorJoint joint, double share,
                  InputFrame* out);
double operator_turn_to(const Operator* op, const OperatorSight* sight, double yaw,
                        InputFrame* out);
double operator_pin_to(const Operator* op, const OperatorSight* sight, double r, double y,
                       double alpha, InputFrame* out);
double operator_wrap(double angle);
// m that the teeth of a bucket which still opens hang lower than they will at this pitch.
double operator_hangs(const Operator* op, const OperatorSight* sight, double pitch);

// Height that the task wants at a place; false where it wants nothing.
bool operator_target(const OperatorTask* task, float x, float z, float* height);
// Of a direction, among those that it remembers.
int operator_bin(double yaw);
// The next pass of a task that leaves a shape; false when nothing is left that is worth one.
bool operator_plan_shape(Operator* op, const OperatorSight* sight);
double operator_path_length(const OperatorState* s); // m
// Teeth along the planned path; true when the pass is over.
bool operator_follow_shape(Operator* op, const OperatorSight* sight, InputFrame* out);
// Tracks along the task's axis; true when it has gone far enough.
bool operator_travel(Operator* op, const OperatorSight* sight, InputFrame* out);

// Where to dig next; false when nothing in reach stands above the floor.
bool operator_plan_dig(Operator* op, const OperatorSight* sight);
// Where the bucket is emptied.
void operator_plan_dump(Operator* op, const OperatorSight* sight);
// Highest ground or wall within the swing from one yaw to another, m in the plane.
double operator_obstacle(const Operator* op, const OperatorSight* sight, double from, double to,
                         double r);

#endif
