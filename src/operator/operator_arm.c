#include "operator/operator_arm.h"

#include "base/base_trig.h"

#include <string.h>

#define ARM_BISECT  18    // halvings to find a lever behind the valve's curve
#define ARM_STRETCH 0.995 // share of the arm's length that it reaches for
#define ARM_END     0.003 // of a stroke, that it stays away from its ends
#define ARM_LEAST   0.02  // m, moment arm of a cylinder that counts

static const char* const arm_names[OPERATOR_JOINTS] = {"house", "boom", "stick", "bucket"};
static const InputFunction arm_levers[OPERATOR_JOINTS] = {INPUT_SWING, INPUT_BOOM, INPUT_STICK,
                                                          INPUT_BUCKET};

// --- finding -------------------------------------------------------------------------------------

static bool arm_function(const MachineDef* def, int joint, OperatorArm* out)
{
    const MachineHydraulicsDef* h = &def->drive->hydraulics;
    for (int n = 0; n < h->function_count; ++n) {
        const MachineFunction* f = &h->functions[n];
        if (f->lever != (int)arm_levers[joint]) {
            continue;
        }
        out->actuator[joint] = f->actuator;
        out->lever[joint] = arm_levers[joint];
        out->way[joint] = f->positive ? -1.0 : 1.0;
        out->flow[joint][0] = (double)f->extend.flow;
        out->flow[joint][1] = (double)f->retract.flow;
        if (f->turn) {
            out->turn = (double)f->turn->speed;
        }
        return true;
    }
    return false;
}

static void arm_limits(const MachineDef* def, int joint, OperatorArm* out)
{
    const MachineBody* b = &def->bodies[out->body[joint]];
    out->low[joint] = b->limited ? (double)b->lower : -1e3;
    out->high[joint] = b->limited ? (double)b->upper : 1e3;
    if (out->actuator[joint] >= def->cylinder_count) {
        return;
    }
    const MachineCylinder* c = &def->cylinders[out->actuator[joint]];
    double in, far, end = ARM_END * (double)c->stroke;
    if (machine_joint_at(def, out->actuator[joint], (double)c->closed + end, &in) &&
        machine_joint_at(def, out->actuator[joint], (double)(c->closed + c->stroke) - end, &far)) {
        double low = in < far ? in : far, high = in < far ? far : in;
        out->low[joint] = low > out->low[joint] ? low : out->low[joint];
        out->high[joint] = high < out->high[joint] ? high : out->high[joint];
    }
}

static void arm_polar(double x, double y, double out[2])
{
    out[0] = __builtin_sqrt(x * x + y * y);
    out[1] = base_atan2(y, x);
}

static void arm_measure(const MachineDef* def, OperatorArm* out)
{
    const MachineBody *boom = &def->bodies[out->body[OPERATOR_BOOM]],
                      *stick = &def->bodies[out->body[OPERATOR_STICK]],
                      *bucket = &def->bodies[out->body[OPERATOR_BUCKET]];
    const MachineTool* tool = &def->tools[out->tool];
    out->root[0] = (double)boom->pin.x, out->root[1] = (double)boom->pin.y;
    arm_polar((double)stick->pin.x, (double)stick->pin.y, out->boom);
    arm_polar((double)bucket->pin.x, (double)bucket->pin.y, out->stick);

    // the teeth go on from the edge, square to its normal, away from the pin
    Vec3 edge = vec3_mul(vec3_add(tool->edge_a, tool->edge_b), 0.5f);
    Vec3 floor = {tool->edge_normal.y, -tool->edge_normal.x, 0.0f};
    if (vec3_dot(floor, edge) < 0.0f) {
        floor = vec3_mul(floor, -1.0f);
    }
    Vec3 tip = vec3_mad(edge, floor, tool->tooth_length);
    arm_polar((double)tip.x, (double)tip.y, out->bucket);
    out->floor = base_atan2((double)floor.y, (double)floor.x);
    out->width = (double)vec3_length(vec3_sub(tool->edge_b, tool->edge_a));
    out->capacity = (double)tool->heaped;
}

bool operator_arm_find(const MachineDef* def, OperatorArm* out, const char** missing)
{
    memset(out, 0, sizeof *out);
    out->tool = -1;
    for (int n = def->tool_count - 1; n >= 0; --n) {
        if (def->tools[n].kind == MACHINE_BUCKET) {
            out->tool = n;
        }
    }
    *missing = !def->drive ? "section drive" : out->tool < 0 ? "bucket among its tools" : NULL;
    for (int j = 0; j < OPERATOR_JOINTS && !*missing; ++j) {
        out->body[j] = machine_find_body(def, arm_names[j]);
        if (out->body[j] < 0 || !arm_function(def, j, out)) {
            *missing = arm_names[j];
            break;
        }
        arm_limits(def, j, out);
    }
    if (*missing) {
        return false;
    }
    out->shape = def->drive->hydraulics.shape;
    arm_measure(def, out);
    return true;
}

// --- looking -------------------------------------------------------------------------------------

OperatorPose operator_arm_look(const OperatorArm* arm, const Machine* machine)
{
    OperatorPose pose;
    for (int j = 0; j < OPERATOR_JOINTS; ++j) {
        pose.joint[j] = machine_joint(machine, arm->body[j]);
        pose.speed[j] = machine_joint_speed(machine, arm->body[j]);
    }
    return pose;
}

OperatorPose operator_arm_expect(const OperatorPose* now, double seconds)
{
    OperatorPose pose = *now;
    for (int j = 0; j < OPERATOR_JOINTS; ++j) {
        pose.joint[j] += seconds * pose.speed[j];
    }
    return pose;
}

// --- kinematics ----------------------------------------------------------------------------------

void operator_arm_pin(const OperatorArm* arm, const double joint[OPERATOR_JOINTS], double* r,
                      double* y)
{
    double a = joint[OPERATOR_BOOM] + arm->boom[1];
    double b = joint[OPERATOR_BOOM] + joint[OPERATOR_STICK] + arm->stick[1];
    *r = arm->root[0] + arm->boom[0] * base_cos(a) + arm->stick[0] * base_cos(b);
    *y = arm->root[1] + arm->boom[0] * base_sin(a) + arm->stick[0] * base_sin(b);
}

OperatorTip operator_arm_tip(const OperatorArm* arm, const double joint[OPERATOR_JOINTS])
{
    OperatorTip tip;
    operator_arm_pin(arm, joint, &tip.r, &tip.y);
    tip.alpha =
        joint[OPERATOR_BOOM] + joint[OPERATOR_STICK] + joint[OPERATOR_BUCKET] + arm->bucket[1];
    tip.r += arm->bucket[0] * base_cos(tip.alpha);
    tip.y += arm->bucket[0] * base_sin(tip.alpha);
    return tip;
}

static double arm_clamp(double x, double low, double high, bool* fine)
{
    *fine = *fine && x >= low && x <= high;
    return x < low ? low : x > high ? high : x;
}

bool operator_arm_reach(const OperatorArm* arm, double r, double y, double* boom, double* stick)
{
    bool fine = true;
    double a = arm->boom[0], b = arm->stick[0], dx = r - arm->root[0], dy = y - arm->root[1];
    double d = __builtin_sqrt(dx * dx + dy * dy);
    double shortest = (a > b ? a - b : b - a) * 1.001 + 0.01;
    d = arm_clamp(d, shortest, ARM_STRETCH * (a + b), &fine);
    double cosine = (a * a + d * d - b * b) / (2.0 * a * d);
    double up = base_atan2(dy, dx) + base_acos(arm_clamp(cosine, -1.0, 1.0, &fine));
    *boom = arm_clamp(up - arm->boom[1], arm->low[OPERATOR_BOOM], arm->high[OPERATOR_BOOM], &fine);
    double bend = base_acos((a * a + b * b - d * d) / (2.0 * a * b)) - 3.14159265358979;
    *stick = arm_clamp(bend + arm->boom[1] - arm->stick[1], arm->low[OPERATOR_STICK],
                       arm->high[OPERATOR_STICK], &fine);
    return fine;
}

bool operator_arm_solve(const OperatorArm* arm, OperatorTip tip, double joint[OPERATOR_JOINTS])
{
    double r = tip.r - arm->bucket[0] * base_cos(tip.alpha);
    double y = tip.y - arm->bucket[0] * base_sin(tip.alpha);
    bool fine = operator_arm_reach(arm, r, y, &joint[OPERATOR_BOOM], &joint[OPERATOR_STICK]);
    joint[OPERATOR_BUCKET] =
        arm_clamp(tip.alpha - arm->bucket[1] - joint[OPERATOR_BOOM] - joint[OPERATOR_STICK],
                  arm->low[OPERATOR_BUCKET], arm->high[OPERATOR_BUCKET], &fine);
    return fine;
}

bool operator_arm_speeds(const OperatorArm* arm, const double joint[OPERATOR_JOINTS], double vr,
                         double vy, double turn, double out[OPERATOR_JOINTS])
{
    // the bucket's pin is where the teeth are, less the bucket
    OperatorTip tip = operator_arm_tip(arm, joint);
    double pr = vr + turn * arm->bucket[0] * base_sin(tip.alpha);
    double py = vy - turn * arm->bucket[0] * base_cos(tip.alpha);
    double a = joint[OPERATOR_BOOM] + arm->boom[1];
    double b = joint[OPERATOR_BOOM] + joint[OPERATOR_STICK] + arm->stick[1];
    double ax = -arm->boom[0] * base_sin(a), ay = arm->boom[0] * base_cos(a);
    double bx = -arm->stick[0] * base_sin(b), by = arm->stick[0] * base_cos(b);
    double det = ax * by - ay * bx;
    if (__builtin_fabs(det) < 0.05 * arm->boom[0] * arm->stick[0]) {
        return false;
    }
    // of the whole directions of boom and stick, then of their joints
    double wa = (pr * by - py * bx) / det, wb = (ax * py - ay * pr) / det;
    out[OPERATOR_BOOM] = wa;
    out[OPERATOR_STICK] = wb - wa;
    out[OPERATOR_BUCKET] = turn - wb;
    return true;
}

// --- levers --------------------------------------------------------------------------------------

double operator_arm_full(const OperatorArm* arm, const Machine* machine, OperatorJoint joint,
                         double sign)
{
    if (joint == OPERATOR_SWING) {
        return arm->turn;
    }
    double ratio = machine_arm(machine, arm->actuator[joint]);
    bool extends = ratio * sign > 0.0;
    MachineFeedback now = machine_feedback(machine, arm->actuator[joint]);
    double size = __builtin_fabs(ratio);
    size = size > ARM_LEAST ? size : ARM_LEAST;
    return arm->flow[joint][extends ? 0 : 1] / ((extends ? now.area_push : now.area_pull) * size);
}

double operator_arm_lever(const OperatorArm* arm, const Machine* machine, OperatorJoint joint,
                          double share)
{
    double size = __builtin_fabs(share), low = 0.0, high = 1.0;
    if (size < 0.004) {
        return 0.0;
    }
    for (int n = 0; n < ARM_BISECT && size < 1.0; ++n) {
        double middle = 0.5 * (low + high);
        bool more = (double)input_shape((float)middle, arm->shape) < size;
        low = more ? middle : low, high = more ? high : middle;
    }
    double ratio = joint == OPERATOR_SWING ? 1.0 : machine_arm(machine, arm->actuator[joint]);
    return (share * ratio > 0.0 ? high : -high) * arm->way[joint];
}
