// jack: the boom pushes the bucket down until the tracks leave the ground.
#include "lab/lab_experiments.h"
#include "lab/lab_machine.h"

#include <math.h>

#define JACK_SPEED  0.08 // m/s of the boom cylinders
#define JACK_TIME   8.0  // s, at most, until the front is up
#define JACK_PITCH  6.0  // deg, then it holds
#define JACK_HOLD   10.0 // s
#define JACK_SETTLE 4.0

typedef struct Jack {
    LabMachine lab;
    int boom, bucket, cylinder;
} Jack;

static double pitch(const Jack* jack)
{
    Vec3 forward = quat_rotate(machine_pose(jack->lab.machine, 0).rotation, vec3(1, 0, 0));
    return asin((double)forward.y) / BASE_DEG;
}

// Stick hanging down, bucket curled flat: its floor, not its teeth, comes down first.
static void pose(Jack* jack, int stick)
{
    machine_set_joint(jack->lab.machine, jack->boom, 20.0 * BASE_DEG);
    machine_set_joint(jack->lab.machine, stick, -110.0 * BASE_DEG);
    machine_set_joint(jack->lab.machine, jack->bucket, -80.0 * BASE_DEG);
}

// What the bucket must carry when only the last rollers of the tracks stand: moments about them.
typedef struct Balance {
    double carried;  // N, weight that the rollers do not carry
    double expected; // N, by moments
    double lift;     // m, of the first rollers
} Balance;

static Balance balance(const Jack* jack, double tool_x)
{
    MachineRoller roller[MACHINE_ROLLERS_MAX];
    int count = machine_rollers(jack->lab.machine, roller);
    MachineBalance b = machine_balance(jack->lab.machine);
    double weight = b.mass * 9.81, on_tracks = 0.0, moment = 0.0, first = 1e9, along = -1e9;
    for (int i = 0; i < count; ++i) {
        on_tracks += (double)roller[i].force;
        moment += (double)roller[i].force * (double)roller[i].point.x;
        if ((double)roller[i].point.x > along)
            along = (double)roller[i].point.x, first = (double)roller[i].point.y;
    }
    double heel = moment / on_tracks; // where the tracks press
    return (Balance){.carried = weight - on_tracks,
                     .expected = weight * ((double)b.com.x - heel) / (tool_x - heel),
                     .lift = first};
}

// Where the bucket presses: the lowest point of its outline.
static double lowest(const Jack* jack)
{
    const MachineDef* def = &jack->lab.def;
    double x = 0.0, y = 1e9;
    for (int i = 0; i < def->shape_count; ++i) {
        const MachineShape* s = &def->shapes[i];
        for (int k = 0; s->body == jack->bucket && k < s->outline_count / 2; ++k) {
            Vec3 p = machine_to_world(jack->lab.machine, s->body,
                                      vec3(s->outline[2 * k], s->outline[2 * k + 1], 0.0f));
            if ((double)p.y < y)
                y = (double)p.y, x = (double)p.x;
        }
    }
    return x;
}

static void push(LabRun* run, Jack* jack)
{
    lab_table_columns(&run->report->table, "time_s,pitch_deg,boom_kN");
    for (int i = 0; i < (int)(JACK_TIME * LAB_MACHINE_RATE); ++i) {
        lab_machine_tell(&jack->lab, jack->cylinder, pitch(jack) < JACK_PITCH ? -JACK_SPEED : 0.0);
        lab_machine_step(&jack->lab);
        if (i % 24 == 0)
            lab_table_row(
                &run->report->table,
                (double[]){(double)i / LAB_MACHINE_RATE, pitch(jack),
                           1e-3 * machine_feedback(jack->lab.machine, jack->cylinder).effort});
        lab_progress(run, 0.5 * i / (JACK_TIME * LAB_MACHINE_RATE));
    }
}

void lab_machine_jack_run(LabRun* run)
{
    Jack jack = {0};
    int stick;
    lab_part(run, 1.0);
    if (!lab_machine_load(run, &jack.lab))
        return;
    if (lab_machine_body(run, &jack.lab, "boom", &jack.boom) &&
        lab_machine_body(run, &jack.lab, "stick", &stick) &&
        lab_machine_body(run, &jack.lab, "bucket", &jack.bucket) &&
        lab_machine_actuator(run, &jack.lab, "boom", &jack.cylinder)) {
        Machine* m = jack.lab.machine;
        pose(&jack, stick);
        lab_machine_wait(&jack.lab, JACK_SETTLE);
        double level = pitch(&jack);
        push(run, &jack);
        lab_machine_tell(&jack.lab, jack.cylinder, 0.0);
        lab_machine_wait(&jack.lab, JACK_SETTLE);

        double up = pitch(&jack), length = machine_feedback(m, jack.cylinder).length;
        Vec3 place = machine_pose(m, 0).position;
        Balance b = balance(&jack, lowest(&jack));
        lab_machine_wait(&jack.lab, JACK_HOLD);
        double drift = (double)vec3_length(vec3_sub(machine_pose(m, 0).position, place));

        LabReport* report = run->report;
        lab_report_value(report, "pitch_before", "deg", level);
        lab_report_near(report, "pitch_lifted", "deg", up, JACK_PITCH, 0.5);
        lab_report_least(report, "front_lifted", "mm", 1e3 * b.lift, 100.0);
        lab_report_near(report, "bucket_carries", "kN", 1e-3 * b.carried, 1e-3 * b.expected,
                        0.02e-3 * b.expected);
        lab_report_most(report, "cylinder_creep", "mm",
                        1e3 * fabs(machine_feedback(m, jack.cylinder).length - length), 1.0);
        lab_report_most(report, "machine_creep", "mm", 1e3 * drift, 1.0);
        const LabMachineChart chart[] = {
            {"Pitch: the front comes up", NULL, "degrees", 1, 1, {0.0, 0.0}, false},
            {"Boom cylinders", "below 0 they push the bucket down", "kN", 2, 2, {0.0, 0.0}, false},
        };
        lab_machine_draw(run, chart, 2);
        lab_report_most(report, "bad_steps", "", (double)machine_state(m)->resets, 0.0);
    }
    lab_machine_finish(run, &jack.lab);
}
