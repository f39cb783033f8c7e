// Tracks: along the line that is worked at, the bucket clear of the ground.
#include "operator/operator_internal.h"

#include "base/base_trig.h"

#define MOVE_CARRY  -3.23 // rad, pitch of the bucket on the way
#define MOVE_LEVER  0.6f  // of the levers
#define MOVE_STEER  1.5   // of a lever per rad of heading
#define MOVE_BACK   0.25  // rad per m beside the line
#define MOVE_FRAMES 1200
#define MOVE_SLOW   0.35 // m before the end where it slows down

// True when it goes against its tracks. Along a trench it goes away from what is dug, however it stands.
static bool move_back(const Operator* op, const OperatorSight* sight)
{
    const OperatorTask* task = &op->task;
    if (task->program != OPERATOR_TRENCH || (task->axis[0] == 0.0f && task->axis[1] == 0.0f)) {
        return task->step < 0.0f;
    }
    Quat turned = machine_pose(sight->machine, 0).rotation;
    Vec3 ahead = quat_rotate(turned, vec3(1.0f, 0.0f, 0.0f));
    return ahead.x * task->axis[0] + ahead.z * task->axis[1] < 0.0f;
}

// How far the machine is beside the axis (to the right of where its tracks point), and turned from it.
static void move_off(const Operator* op, const OperatorSight* sight, double* beside, double* turned)
{
    const float* axis = op->task.axis;
    MachinePose pose = machine_pose(sight->machine, 0);
    Vec3 ahead = quat_rotate(pose.rotation, vec3(1.0f, 0.0f, 0.0f));
    double along = (double)(ahead.x * axis[0] + ahead.z * axis[1]);
    double sign = along < 0.0 ? -1.0 : 1.0, ax = sign * (double)axis[0],
           az = sign * (double)axis[1];
    double dx = (double)(pose.position.x - op->task.rail[0]);
    double dz = (double)(pose.position.z - op->task.rail[1]);
    *beside = -dx * az + dz * ax;
    *turned = base_atan2(-(double)ahead.x * az + (double)ahead.z * ax,
                         (double)ahead.x * ax + (double)ahead.z * az);
}

bool operator_travel(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    OperatorState* s = &op->state;
    double yaw = op->task.way[0] != 0.0f || op->task.way[1] != 0.0f ? s->yaw : 0.0;
    double r = 0.5 * (op->closest + op->farthest);
    double y = operator_ground(sight, op, yaw, r, 0.0) + 2.0 * op->arm.bucket[0];
    double off = operator_wrap(sight->now.joint[OPERATOR_SWING] - s->dump_yaw);
    if (s->cycles > 0 && off < s->gate && off > -s->gate && y < s->dump_y) {
        y = s->dump_y; // what a bucket takes along from the heap would fall where all is done
    }
    double left = operator_pin_to(op, sight, r, y, MOVE_CARRY, out);
    double turn = operator_turn_to(op, sight, yaw, out);
    Vec3 at = machine_pose(sight->machine, 0).position;
    double dx = (double)at.x - s->moved[0], dz = (double)at.z - s->moved[2];
    double gone = __builtin_sqrt(dx * dx + dz * dz);
    double go = (double)(op->task.step < 0.0f ? -op->task.step : op->task.step);
    if (left < 0.6 && turn < 0.1 && turn > -0.1) {
        double beside = 0.0, turned = 0.0;
        if (op->task.axis[0] != 0.0f || op->task.axis[1] != 0.0f) {
            move_off(op, sight, &beside, &turned);
        }
        float lever = MOVE_LEVER * base_clampf((float)((go - gone) / MOVE_SLOW), 0.45f, 1.0f);
        bool back = move_back(op, sight);
        lever = back ? -lever : lever;
        // to the line first, then along it; backwards it is steered the other way round
        double aim = MOVE_BACK * beside * (back ? -1.0 : 1.0);
        aim = aim > 0.15 ? 0.15 : aim < -0.15 ? -0.15 : aim;
        float steer = base_clampf((float)(MOVE_STEER * (turned + aim)), -0.3f, 0.3f);
        out->lever[INPUT_TRACK_LEFT] =
            input_quantise(base_clampf(lever - steer, -1.0f, 1.0f), NULL);
        out->lever[INPUT_TRACK_RIGHT] =
            input_quantise(base_clampf(lever + steer, -1.0f, 1.0f), NULL);
    }
    return gone >= go || s->frames > MOVE_FRAMES;
}
