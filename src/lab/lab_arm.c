#include "lab/lab_arm.h"

#include <math.h>
#include <string.h>

#define ARM_EDGE    2.6f  // m before the swing axis, where the pit begins
#define ARM_STEPS   4     // per frame
#define ARM_SAMPLE  12    // steps between samples of the path
#define ARM_GAIN    2.2   // lever per radian of miss
#define ARM_DEAD    0.05  // of the lever that the valves do not answer
#define ARM_NEAR    0.1   // deg
#define ARM_STILL   0.002 // rad/s
#define ARM_AT_STOP 0.002 // of the stroke
#define ARM_SETTLE  1.0   // s
#define ARM_GRIP    1e7   // N that the dynamometer bears

static const char* const names[LAB_JOINTS] = {"boom", "stick", "bucket"};
static const InputFunction levers[LAB_JOINTS] = {INPUT_BOOM, INPUT_STICK, INPUT_BUCKET};

// The teeth go on from the edge, square to the normal, on the side away from the pin.
static Vec3 tip_of(const MachineTool* tool)
{
    Vec3 edge = vec3_mul(vec3_add(tool->edge_a, tool->edge_b), 0.5f);
    Vec3 out = {tool->edge_normal.y, -tool->edge_normal.x, 0.0f};
    Vec3 a = vec3_mad(edge, out, tool->tooth_length);
    Vec3 b = vec3_mad(edge, out, -tool->tooth_length);
    return vec3_length(a) > vec3_length(b) ? a : b;
}

// Which way a joint goes when its lever is positive.
static bool find_senses(LabRun* run, LabArm* arm)
{
    const MachineDriveDef* drive = arm->lab.def.drive;
    for (int j = 0; j < LAB_JOINTS; ++j) {
        arm->lever[j] = levers[j];
        for (int i = 0; drive && i < drive->hydraulics.function_count; ++i) {
            const MachineFunction* f = &drive->hydraulics.functions[i];
            double way = f->positive ? -1.0 : 1.0;
            if (f->actuator == arm->actuator[j])
                arm->sense[j] = machine_arm(arm->lab.machine, f->actuator) > 0.0 ? way : -way;
        }
        if (arm->sense[j] == 0.0) {
            lab_fail(run, LAB_EXIT_FILE,
                     "the vehicle's boom, stick and bucket need valves: a "
                     "section drive with a function for each");
            return false;
        }
    }
    return true;
}

bool lab_arm_load(LabRun* run, LabArm* arm)
{
    *arm = (LabArm){0};
    if (!lab_machine_load(run, &arm->lab))
        return false;
    bool fine = lab_machine_actuator(run, &arm->lab, "swing", &arm->swing) &&
                lab_machine_body(run, &arm->lab, "house", &arm->house);
    for (int j = 0; fine && j < LAB_JOINTS; ++j)
        fine = lab_machine_body(run, &arm->lab, names[j], &arm->body[j]) &&
               lab_machine_actuator(run, &arm->lab, names[j], &arm->actuator[j]);
    int tool = fine ? machine_find_tool(&arm->lab.def, "bucket") : -1;
    if (fine && tool < 0) {
        lab_fail(run, LAB_EXIT_FILE, "the vehicle has no tool bucket");
        fine = false;
    }
    if (!fine || !find_senses(run, arm)) {
        lab_machine_finish(run, &arm->lab);
        return false;
    }
    arm->tip = tip_of(&arm->lab.def.tools[tool]);
    arm->lab.plane.edge = ARM_EDGE;
    arm->lab.ground.tools = false;
    return true;
}

void lab_arm_finish(LabRun* run, LabArm* arm)
{
    lab_machine_finish(run, &arm->lab);
}

void lab_arm_pose(LabArm* arm, const double degrees[LAB_JOINTS])
{
    machine_place(arm->lab.machine, vec3(0, 0, 0), 0.0f);
    machine_release(arm->lab.machine);
    for (int j = 0; j < LAB_JOINTS; ++j)
        machine_set_joint(arm->lab.machine, arm->body[j], degrees[j] * BASE_DEG);
    lab_arm_neutral(arm);
    lab_arm_wait(arm, ARM_SETTLE);
}

void lab_arm_lever(LabArm* arm, InputFunction function, double value)
{
    arm->frame.lever[function] = input_quantise((float)value, NULL);
}

void lab_arm_neutral(LabArm* arm)
{
    memset(arm->frame.lever, 0, sizeof arm->frame.lever);
}

static void note_path(LabArm* arm)
{
    if (arm->step % ARM_SAMPLE != 0 || arm->path_count == LAB_ARM_PATH)
        return;
    Vec3 tip = lab_arm_tip(arm);
    arm->path_x[arm->path_count] = (double)tip.x;
    arm->path_y[arm->path_count++] = (double)tip.y;
}

static void one_step(LabArm* arm)
{
    Machine* m = arm->lab.machine;
    double h = 1.0 / LAB_MACHINE_RATE;
    int row = -1;
    if (arm->gripped) {
        Vec3 way = quat_rotate(machine_pose(m, arm->body[LAB_BUCKET]).rotation, arm->grip);
        row = machine_add_row(m, &(MachineRow){.body = arm->body[LAB_BUCKET],
                                               .point = lab_arm_tip(arm),
                                               .direction = way,
                                               .lo = -ARM_GRIP * h,
                                               .hi = ARM_GRIP * h,
                                               .limiter = -1});
    }
    lab_machine_step(&arm->lab);
    if (row >= 0)
        arm->pull = -machine_row_impulse(m, row) / h;
    ++arm->step;
    note_path(arm);
}

void lab_arm_frame(LabArm* arm)
{
    machine_drive(arm->lab.machine, &arm->frame, 1.0 / INPUT_RATE);
    for (int i = 0; i < ARM_STEPS; ++i)
        one_step(arm);
}

void lab_arm_wait(LabArm* arm, double seconds)
{
    for (int i = 0; i < (int)(seconds * INPUT_RATE + 0.5); ++i)
        lab_arm_frame(arm);
}

double lab_arm_time(const LabArm* arm)
{
    return (double)arm->step / LAB_MACHINE_RATE;
}

double lab_arm_angle(const LabArm* arm, LabJoint joint)
{
    return machine_joint(arm->lab.machine, arm->body[joint]) / BASE_DEG;
}

double lab_arm_world(const LabArm* arm, LabJoint joint)
{
    Quat q = machine_pose(arm->lab.machine, arm->body[joint]).rotation;
    Vec3 along = quat_rotate(q, vec3(1, 0, 0));
    return atan2((double)along.y, (double)along.x) / BASE_DEG;
}

double lab_arm_stroke(const LabArm* arm, LabJoint joint)
{
    const MachineCylinder* c = &arm->lab.def.cylinders[arm->actuator[joint]];
    double length = machine_feedback(arm->lab.machine, arm->actuator[joint]).length;
    return (length - (double)c->closed) / (double)c->stroke;
}

Vec3 lab_arm_tip(const LabArm* arm)
{
    return machine_to_world(arm->lab.machine, arm->body[LAB_BUCKET], arm->tip);
}

// Levers extend when positive or not, as the file says; so which end a lever goes to is asked of
// the joint: sense over arm.
static bool at_stop(const LabArm* arm, LabJoint j, double lever)
{
    double arm_sign = machine_arm(arm->lab.machine, arm->actuator[j]) > 0.0 ? 1.0 : -1.0;
    double way = lever * arm->sense[j] * arm_sign, stroke = lab_arm_stroke(arm, j);
    return way == 0.0 || (way > 0.0 ? stroke > 1.0 - ARM_AT_STOP : stroke < ARM_AT_STOP);
}

bool lab_arm_to_stop(LabArm* arm, const double lever[LAB_JOINTS], double seconds)
{
    bool all = false;
    for (int j = 0; j < LAB_JOINTS; ++j)
        lab_arm_lever(arm, arm->lever[j], lever[j]);
    for (int i = 0; !all && i < (int)(seconds * INPUT_RATE); ++i) {
        lab_arm_frame(arm);
        all = true;
        for (int j = 0; j < LAB_JOINTS; ++j)
            all = at_stop(arm, (LabJoint)j, lever[j]) && all;
    }
    lab_arm_neutral(arm);
    lab_arm_wait(arm, ARM_SETTLE);
    return all;
}

void lab_arm_steer(LabArm* arm, LabJoint joint, double degrees)
{
    double miss = (degrees - lab_arm_angle(arm, joint)) * BASE_DEG;
    double lever = 0.0;
    if (fabs(miss) > 0.3 * ARM_NEAR * BASE_DEG)
        lever = ARM_GAIN * miss + copysign(ARM_DEAD, miss);
    lab_arm_lever(arm, arm->lever[joint], arm->sense[joint] * fmax(-1.0, fmin(1.0, lever)));
}

bool lab_arm_seek(LabArm* arm, const double degrees[LAB_JOINTS], double seconds)
{
    for (int i = 0; i < (int)(seconds * INPUT_RATE); ++i) {
        bool there = true;
        for (int j = 0; j < LAB_JOINTS; ++j) {
            if (isnan(degrees[j]))
                continue;
            lab_arm_steer(arm, (LabJoint)j, degrees[j]);
            there = there && fabs(degrees[j] - lab_arm_angle(arm, (LabJoint)j)) < ARM_NEAR &&
                    fabs(machine_joint_speed(arm->lab.machine, arm->body[j])) < ARM_STILL;
        }
        if (there) {
            lab_arm_neutral(arm);
            lab_arm_wait(arm, ARM_SETTLE);
            return true;
        }
        lab_arm_frame(arm);
    }
    lab_arm_neutral(arm);
    return false;
}
