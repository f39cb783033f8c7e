// lift: the load on the bucket's pin that tips the machine, against the balance of moments.
#include "lab/lab_experiments.h"
#include "lab/lab_machine.h"

#include <math.h>

#define LIFT_REACHES   3
#define LIFT_SETTLE    3.0  // s
#define LIFT_TRY       14.0 // s, a load that has not tipped it by then does not
#define LIFT_RAMP      10.0 // s, in which the load is brought on
#define LIFT_TIPPED    4.0  // deg of pitch more than before
#define LIFT_HALVES    9
#define LIFT_TOLERANCE 0.02 // of the load

typedef struct Lift {
    LabMachine lab;
    int boom, stick, bucket;
} Lift;

static const double lift_boom[LIFT_REACHES] = {45.0, 30.0, 25.0}; // deg
static const double lift_stick[LIFT_REACHES] = {-100.0, -75.0, -50.0};

static double pitch(const Lift* lift)
{
    Vec3 forward = quat_rotate(machine_pose(lift->lab.machine, 0).rotation, vec3(1, 0, 0));
    return asin((double)forward.y) / BASE_DEG;
}

// Cylinders that never yield: what is asked here is only when it tips.
static void stand(Lift* lift, int k)
{
    LabMachine* lab = &lift->lab;
    lab_machine_stand(lab);
    machine_set_joint(lab->machine, lift->boom, lift_boom[k] * BASE_DEG);
    machine_set_joint(lab->machine, lift->stick, lift_stick[k] * BASE_DEG);
    machine_set_joint(lab->machine, lift->bucket, -60.0 * BASE_DEG);
    for (int i = 0; i < lab->def.cylinder_count; ++i)
        machine_command(lab->machine, i, (MachineCommand){0.0, 1e8, 1e8});
    lab_machine_wait(lab, LIFT_SETTLE);
}

static bool tips(Lift* lift, const MachineState* start, double load)
{
    Machine* m = lift->lab.machine;
    if (!machine_set_state(m, start))
        return false;
    double level = pitch(lift);
    int steps = (int)(LIFT_TRY * LAB_MACHINE_RATE);
    for (int i = 0; i < steps; ++i) {
        double part = fmin(1.0, (double)i / (LIFT_RAMP * LAB_MACHINE_RATE));
        Vec3 pin = machine_pose(m, lift->bucket).position;
        machine_add_force(m, lift->bucket, pin, vec3(0.0f, -(float)(part * load), 0.0f));
        lab_machine_step(&lift->lab);
        if (pitch(lift) < level - LIFT_TIPPED)
            return true;
    }
    return false;
}

// Moments about the foremost rollers, as it stands: leaning on springs it reaches further.
static double by_moments(const Lift* lift, double* reach)
{
    MachineRoller roller[MACHINE_ROLLERS_MAX];
    int count = machine_rollers(lift->lab.machine, roller);
    MachineBalance b = machine_balance(lift->lab.machine);
    double toe = -1e9, pin = (double)machine_pose(lift->lab.machine, lift->bucket).position.x;
    for (int i = 0; i < count; ++i)
        toe = fmax(toe, (double)roller[i].point.x);
    *reach = pin;
    return b.mass * 9.81 * (toe - (double)b.com.x) / (pin - toe);
}

// Between a load that it bore, with the balance of that moment, and one that it did not.
static double tipping_load(LabRun* run, Lift* lift, int k, double* expected, double* reach)
{
    MachineState start = *machine_state(lift->lab.machine);
    double lo = 0.0, hi = 2.0 * by_moments(lift, reach);
    for (int i = 0; i < LIFT_HALVES; ++i) {
        double load = 0.5 * (lo + hi);
        if (tips(lift, &start, load))
            hi = load;
        else
            lo = load, *expected = by_moments(lift, reach);
        lab_progress(run, (k * LIFT_HALVES + i + 1.0) / (LIFT_REACHES * LIFT_HALVES));
    }
    return 0.5 * (lo + hi);
}

void lab_machine_lift_run(LabRun* run)
{
    Lift lift = {0};
    lab_part(run, 1.0);
    if (!lab_machine_load(run, &lift.lab))
        return;
    lift.lab.ground.tools = false;
    lift.lab.plane = (LabPlane){0.0f, 0.6f, 1e9f, 1e8f, 0.0f}; // concrete
    if (lab_machine_body(run, &lift.lab, "boom", &lift.boom) &&
        lab_machine_body(run, &lift.lab, "stick", &lift.stick) &&
        lab_machine_body(run, &lift.lab, "bucket", &lift.bucket)) {
        lab_table_columns(&run->report->table, "reach_m,load_kN,moments_kN");
        for (int k = 0; k < LIFT_REACHES; ++k) {
            char name[LAB_NAME_MAX];
            double reach = 0.0, expected = 0.0;
            stand(&lift, k);
            double load = tipping_load(run, &lift, k, &expected, &reach);
            snprintf(name, sizeof name, "tipping_load_at_%.1f_m", reach);
            lab_report_near(run->report, name, "kN", 1e-3 * load, 1e-3 * expected,
                            1e-3 * LIFT_TOLERANCE * expected);
            lab_table_row(&run->report->table, (double[]){reach, 1e-3 * load, 1e-3 * expected});
        }
        const LabMachineChart chart = {
            "Load that tips it", "found by halving; by moments", "kN", 1, 2, {0.0, 100.0}, true};
        lab_machine_draw(run, &chart, 1);
        lab_report_most(run->report, "bad_steps", "",
                        (double)machine_state(lift.lab.machine)->resets, 0.0);
    }
    lab_machine_finish(run, &lift.lab);
}
