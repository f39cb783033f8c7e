// hold: a load comes and goes, the machine stays.
#include "lab/lab_experiments.h"
#include "lab/lab_machine.h"

#include <math.h>

#define HOLD_LOAD    (100e3 / 22e3) // N per kg of the machine, down at the tool's edge
#define HOLD_SECONDS 20.0
#define HOLD_SWITCH  2.5 // s on, s off
#define HOLD_CREEP   1.0 // mm
#define HOLD_SETTLE  6.0 // s before, and after the load has gone

typedef struct Hold {
    LabMachine lab;
    int bucket, cylinders;
    double start[MACHINE_ACTUATORS_MAX]; // m
    double creep[MACHINE_ACTUATORS_MAX]; // m, most while loaded or not
    double peak;                         // N, most in a cylinder
} Hold;

static Vec3 edge(const Hold* hold)
{
    const MachineTool* tool = &hold->lab.def.tools[0];
    Vec3 middle = vec3_mul(vec3_add(tool->edge_a, tool->edge_b), 0.5f);
    return machine_to_world(hold->lab.machine, tool->body, middle);
}

// A bent arm, close enough in that neither reliefs open nor the machine tips.
static void pose(Hold* hold, int boom, int stick)
{
    machine_set_joint(hold->lab.machine, boom, 56.0 * BASE_DEG);
    machine_set_joint(hold->lab.machine, stick, -146.0 * BASE_DEG);
    machine_set_joint(hold->lab.machine, hold->bucket, -20.0 * BASE_DEG);
}

static void watch(Hold* hold, LabTable* table, int step, double load)
{
    double row[3] = {(double)step / LAB_MACHINE_RATE, load / 1e3, 0.0};
    for (int i = 0; i < hold->cylinders; ++i) {
        MachineFeedback f = machine_feedback(hold->lab.machine, i);
        hold->creep[i] = fmax(hold->creep[i], fabs(f.length - hold->start[i]));
        hold->peak = fmax(hold->peak, fabs(f.effort));
        row[2] = fmax(row[2], 1e3 * fabs(f.length - hold->start[i]));
    }
    if (step % 24 == 0)
        lab_table_row(table, row);
}

// Levers neutral: valves hold it, where the vehicle has valves.
static void step(Hold* hold, int i)
{
    InputFrame neutral = {0};
    if (hold->lab.def.drive && i % (LAB_MACHINE_RATE / INPUT_RATE) == 0) {
        machine_release(hold->lab.machine);
        machine_drive(hold->lab.machine, &neutral, 1.0 / INPUT_RATE);
    }
    lab_machine_step(&hold->lab);
}

static void rest(Hold* hold)
{
    for (int i = 0; i < (int)(HOLD_SETTLE * LAB_MACHINE_RATE); ++i)
        step(hold, i);
}

static void switch_load(LabRun* run, Hold* hold)
{
    double load = HOLD_LOAD * hold->lab.def.mass;
    lab_table_columns(&run->report->table, "time_s,load_kN,drift_mm");
    for (int i = 0; i < (int)(HOLD_SECONDS * LAB_MACHINE_RATE); ++i) {
        bool on = fmod((double)i / LAB_MACHINE_RATE, 2.0 * HOLD_SWITCH) < HOLD_SWITCH;
        if (on)
            machine_add_force(hold->lab.machine, hold->bucket, edge(hold),
                              vec3(0.0f, -(float)load, 0.0f));
        step(hold, i);
        watch(hold, &run->report->table, i, on ? load : 0.0);
        lab_progress(run, (double)i / (HOLD_SECONDS * LAB_MACHINE_RATE));
    }
}

void lab_machine_hold_run(LabRun* run)
{
    Hold hold = {0};
    int boom, stick;
    lab_part(run, 1.0);
    if (!lab_machine_load(run, &hold.lab))
        return;
    Machine* m = hold.lab.machine;
    if (lab_machine_body(run, &hold.lab, "boom", &boom) &&
        lab_machine_body(run, &hold.lab, "stick", &stick) &&
        lab_machine_body(run, &hold.lab, "bucket", &hold.bucket)) {
        pose(&hold, boom, stick);
        rest(&hold);
        hold.cylinders = hold.lab.def.cylinder_count;
        for (int i = 0; i < hold.cylinders; ++i)
            hold.start[i] = machine_feedback(m, i).length;
        Vec3 tip = edge(&hold), foot = machine_pose(m, 0).position;
        double energy = machine_energy(m);
        switch_load(run, &hold);
        rest(&hold);

        LabReport* report = run->report;
        lab_report_value(report, "load", "kN", 1e-3 * HOLD_LOAD * hold.lab.def.mass);
        for (int i = 0; i < hold.cylinders; ++i) {
            char name[LAB_NAME_MAX];
            snprintf(name, sizeof name, "creep_%s", hold.lab.def.cylinders[i].name);
            lab_report_most(report, name, "mm", 1e3 * hold.creep[i], HOLD_CREEP);
        }
        double moved = (double)vec3_length(vec3_sub(machine_pose(m, 0).position, foot));
        double dropped = (double)vec3_length(vec3_sub(edge(&hold), tip));
        lab_report_most(report, "tracks_moved", "mm", 1e3 * moved, HOLD_CREEP);
        lab_report_most(report, "edge_moved", "mm", 1e3 * dropped, HOLD_CREEP);
        lab_report_most(report, "energy_gained", "J", machine_energy(m) - energy, 0.1);
        lab_report_value(report, "most_cylinder_force", "kN", 1e-3 * hold.peak);
        lab_report_most(report, "bad_steps", "", (double)machine_state(m)->resets, 0.0);
        const LabMachineChart chart[] = {
            {"Load on the edge", NULL, "kN", 1, 1, {0.0, 0.0}, false},
            {"Drift of the cylinder that drifts most",
             "allowed: 1 mm",
             "mm",
             2,
             2,
             {0.0, 0.002},
             false},
        };
        lab_machine_draw(run, chart, 2);
    }
    lab_machine_finish(run, &hold.lab);
}
