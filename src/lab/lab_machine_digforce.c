// digforce: what the teeth pull with, measured against a dynamometer as ISO 6015 wants it, and which
// limit ends it.
//
// The weight of the moving parts is no digging force: each attitude lets the centre of what the
// cylinder turns hang below its pin, where weight has no moment.
#include "lab/lab_arm.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define DIG_BUCKET  140.5 // kN, sheet (L)
#define DIG_STICK   106.7
#define DIG_SHARE   0.03 // of them
#define DIG_PUSH    3.0  // s with the lever full over
#define DIG_LOOKS   200  // lengths at which the arm is looked at
#define DIG_MOVED   0.05 // m/s of the undercarriage: it is being pulled along
#define DIG_CURVE   400
#define DIG_BLOCKED 1e9 // N, what a blocked cylinder holds

typedef enum DigLimit {
    DIG_NO_LIMIT,
    DIG_RELIEF,      // of the cylinder that digs
    DIG_STICK_HOLDS, // the stick's closed valve gives way
    DIG_BOOM_HOLDS,
    DIG_BUCKET_HOLDS,
    DIG_SLIDES, // the tracks slip
    DIG_TIPS,
} DigLimit;

static const char* const limit_names[] = {"no limit",     "relief of its own circuit",
                                          "stick holds",  "boom holds",
                                          "bucket holds", "machine slides",
                                          "machine tips"};

typedef struct Dig {
    LabArm arm;
    int count;
    double time[DIG_CURVE], force[2][DIG_CURVE]; // s, kN
} Dig;

// Joint angle (deg) where a cylinder has its longest arm, and that arm: way of the cylinder over way
// of the joint.
static double longest_arm(const Dig* dig, LabJoint joint, double* arm)
{
    const MachineDef* def = &dig->arm.lab.def;
    int cylinder = dig->arm.actuator[joint];
    const MachineCylinder* c = &def->cylinders[cylinder];
    double best = 0.0, last = 0.0, step = (double)c->stroke / DIG_LOOKS;
    *arm = 0.0;
    bool known = machine_joint_at(def, cylinder, (double)c->closed, &last);
    for (int i = 1; i <= DIG_LOOKS; ++i) {
        double now = 0.0;
        bool there = machine_joint_at(def, cylinder, (double)c->closed + i * step, &now);
        if (known && there && step > *arm * fabs(now - last)) {
            *arm = step / fabs(now - last);
            best = 0.5 * (now + last) / BASE_DEG;
        }
        known = there, last = now;
    }
    return best;
}

// Where the centre of stick and bucket, or of the bucket alone, lies: deg from the part's own axis.
static double hang(const Dig* dig, LabJoint joint, double bucket)
{
    const MachineBody* s = &dig->arm.lab.def.bodies[dig->arm.body[LAB_STICK]];
    const MachineBody* b = &dig->arm.lab.def.bodies[dig->arm.body[LAB_BUCKET]];
    if (joint == LAB_BUCKET)
        return atan2((double)b->com.y, (double)b->com.x) / BASE_DEG;
    double c = cos(bucket * BASE_DEG), n = sin(bucket * BASE_DEG);
    double x = (double)b->pin.x + c * (double)b->com.x - n * (double)b->com.y;
    double y = (double)b->pin.y + n * (double)b->com.x + c * (double)b->com.y;
    return atan2(s->mass * (double)s->com.y + b->mass * y,
                 s->mass * (double)s->com.x + b->mass * x) /
           BASE_DEG;
}

// The direction in which the teeth go when a joint curls in: square to the line from its pin.
static void grip(Dig* dig, LabJoint joint)
{
    LabArm* arm = &dig->arm;
    Machine* m = arm->lab.machine;
    Vec3 pin = machine_pose(m, arm->body[joint]).position;
    Vec3 from = machine_to_body(m, arm->body[LAB_BUCKET], pin);
    Vec3 line = vec3_unit(vec3_sub(arm->tip, from));
    arm->grip = vec3(line.y, -line.x, 0.0f); // clockwise: in
    arm->gripped = true;
}

static DigLimit limit_of(const Dig* dig, LabJoint digs)
{
    static const DigLimit holds[LAB_JOINTS] = {DIG_BOOM_HOLDS, DIG_STICK_HOLDS, DIG_BUCKET_HOLDS};
    const LabArm* arm = &dig->arm;
    const MachineState* s = machine_state(arm->lab.machine);
    for (int j = 0; j < LAB_JOINTS; ++j) {
        int a = arm->actuator[j];
        const MachineCommand* c = &s->drive.command[a];
        double most = s->effort[a] > 0.0 ? c->push : c->pull;
        if (j != (int)digs && fabs(s->effort[a]) > 0.98 * most)
            return holds[j];
    }
    Vec3 v = machine_velocity(arm->lab.machine, 0);
    if ((double)vec3_length(v) > DIG_MOVED)
        return DIG_SLIDES;
    if (s->drive.relieved >> arm->actuator[digs] & 1)
        return DIG_RELIEF;
    return machine_balance(arm->lab.machine).margin < 0.0f ? DIG_TIPS : DIG_NO_LIMIT;
}

// Lever over against the dynamometer; the greatest force that lasts, kN.
static double pull(LabRun* run, Dig* dig, LabJoint joint, int curve, DigLimit* limit)
{
    LabArm* arm = &dig->arm;
    double start = lab_arm_time(arm), sum = 0.0;
    int last = 0;
    grip(dig, joint);
    dig->count = 0;
    *limit = DIG_NO_LIMIT;
    lab_arm_lever(arm, arm->lever[joint], 1.0);
    for (int i = 0; i < (int)(DIG_PUSH * INPUT_RATE); ++i) {
        lab_arm_frame(arm);
        if (dig->count < DIG_CURVE) {
            dig->time[dig->count] = lab_arm_time(arm) - start;
            dig->force[curve][dig->count++] = 1e-3 * arm->pull;
        }
        if (*limit == DIG_NO_LIMIT)
            *limit = limit_of(dig, joint);
        // the last half second counts
        if (i >= (int)((DIG_PUSH - 0.5) * INPUT_RATE))
            sum += 1e-3 * arm->pull, ++last;
        lab_table_row(&run->report->table,
                      (double[]){joint, lab_arm_time(arm) - start, 1e-3 * arm->pull});
    }
    lab_arm_neutral(arm);
    arm->gripped = false;
    return sum / last;
}

// As a stand does: pins through boom and stick, so that only the bucket's own circuit can give way.
static void block(Dig* dig, LabJoint joint)
{
    for (int j = 0; j < LAB_JOINTS; ++j)
        if (j != (int)joint)
            machine_command(dig->arm.lab.machine, dig->arm.actuator[j],
                            (MachineCommand){0.0, DIG_BLOCKED, DIG_BLOCKED});
}

static void report(LabRun* run, const char* name, double force, double sheet, DigLimit limit)
{
    char key[LAB_NAME_MAX];
    snprintf(key, sizeof key, "%s.limit", name);
    if (sheet > 0.0) {
        lab_report_near(run->report, name, "kN", force, sheet, DIG_SHARE * sheet);
        lab_report_near(run->report, key, limit_names[limit], limit, DIG_RELIEF, 0.0);
    } else {
        lab_report_value(run->report, name, "kN", force);
        lab_report_value(run->report, key, limit_names[limit], limit);
    }
}

// Hydrostatics alone: pressure x area x arm / distance of the teeth.
static double by_hand(const Dig* dig, LabJoint joint, double arm, double bucket)
{
    const MachineDef* def = &dig->arm.lab.def;
    double force =
        (double)def->drive->hydraulics.relief * def->cylinders[dig->arm.actuator[joint]].area_push;
    const MachineBody* b = &def->bodies[dig->arm.body[LAB_BUCKET]];
    double r = (double)vec3_length(dig->arm.tip), l = (double)b->pin.x;
    double far =
        joint == LAB_BUCKET ? r : sqrt(l * l + r * r + 2.0 * l * r * cos(bucket * BASE_DEG));
    return 1e-3 * force * arm / far;
}

static void draw(LabRun* run, Dig* dig)
{
    if (!lab_picture_wanted(run, 1000, 720))
        return;
    static const char* const legend[2] = {"bucket (boom and stick blocked)", "stick"};
    PlotChart chart = {.title = "Digging forces against a dynamometer",
                       .subtitle = "sheet: bucket 140.5 kN, stick 106.7 kN at 35 MPa",
                       .x_label = "time with the lever full over (s)",
                       .y_label = "force at the teeth (kN)",
                       .count = 2};
    for (int k = 0; k < 2; ++k) {
        chart.series[k] = lab_picture_series(legend[k], k, dig->time, dig->force[k], dig->count);
        chart.series[k].marker = PLOT_MARKER_NONE;
    }
    plot_chart_draw(run->picture, lab_picture_heading(run, NULL, NULL), &chart);
}

void lab_machine_digforce_run(LabRun* run)
{
    static Dig dig;
    DigLimit limit;
    double bucket_arm, stick_arm;
    dig = (Dig){0};
    lab_part(run, 1.0);
    if (!lab_arm_load(run, &dig.arm))
        return;
    lab_table_columns(&run->report->table, "joint,time_s,force_kN");
    double bucket = longest_arm(&dig, LAB_BUCKET, &bucket_arm);
    double stick = longest_arm(&dig, LAB_STICK, &stick_arm);

    // the bucket hangs by its centre: boom + stick + bucket + hang = -90 degrees
    double boom = -90.0 - hang(&dig, LAB_BUCKET, bucket) - bucket - stick;
    lab_arm_pose(&dig.arm, (double[]){boom, stick, bucket});
    double freely = pull(run, &dig, LAB_BUCKET, 0, &limit);
    report(run, "bucket_force_free", freely, 0.0, limit);
    lab_progress(run, 0.4);
    lab_arm_pose(&dig.arm, (double[]){boom, stick, bucket});
    block(&dig, LAB_BUCKET);
    double force = pull(run, &dig, LAB_BUCKET, 0, &limit);
    machine_release(dig.arm.lab.machine);
    report(run, "bucket_force", force, DIG_BUCKET, limit);
    lab_report_near(run->report, "bucket_force.by_hand", "kN",
                    by_hand(&dig, LAB_BUCKET, bucket_arm, bucket), force, 0.01 * force);
    lab_progress(run, 0.7);

    boom = -90.0 - hang(&dig, LAB_STICK, bucket) - stick;
    lab_arm_pose(&dig.arm, (double[]){boom, stick, bucket});
    force = pull(run, &dig, LAB_STICK, 1, &limit);
    report(run, "stick_force", force, DIG_STICK, limit);
    lab_report_near(run->report, "stick_force.by_hand", "kN",
                    by_hand(&dig, LAB_STICK, stick_arm, bucket), force, 0.01 * force);
    lab_report_value(run->report, "bucket_arm", "m", bucket_arm);
    lab_report_value(run->report, "stick_arm", "m", stick_arm);
    lab_report_value(run->report, "bucket_angle", "deg", bucket);
    lab_report_value(run->report, "stick_angle", "deg", stick);
    draw(run, &dig);
    lab_arm_finish(run, &dig.arm);
}
