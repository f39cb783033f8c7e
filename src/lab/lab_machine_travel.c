// travel: straight on, turning on the spot, up a slope, and where grip ends.
#include "lab/lab_experiments.h"
#include "lab/lab_machine.h"

#include <math.h>

#define TRAVEL_SPEED  (5.7 / 3.6) // m/s, sheet
#define TRAVEL_CLIMB  30.0        // deg
#define TRAVEL_SLIP   0.35        // friction of the slippery slope
#define TRAVEL_CREEP  0.2         // m/s, of the hook
#define TRAVEL_SETTLE 3.0         // s

typedef struct Travel {
    LabMachine lab;
    int train[2]; // left, right
} Travel;

static void tell(Travel* t, double left, double right)
{
    lab_machine_tell(&t->lab, t->train[0], left);
    lab_machine_tell(&t->lab, t->train[1], right);
}

static void stand_on(Travel* t, double degrees, float friction)
{
    t->lab.plane = (LabPlane){(float)(degrees * BASE_DEG), friction, 2e7f, 1e6f, 0.0f};
    lab_machine_stand(&t->lab);
    lab_machine_wait(&t->lab, TRAVEL_SETTLE);
}

static Vec3 place(const Travel* t)
{
    return machine_pose(t->lab.machine, 0).position;
}

static double forward_speed(Travel* t, double seconds)
{
    Vec3 start = place(t);
    lab_machine_wait(&t->lab, seconds);
    Vec3 way = vec3_sub(place(t), start);
    return (double)vec3_length(way) * (way.x < 0.0f ? -1.0 : 1.0) / seconds;
}

// Three seconds from standing still, as curves.
static void record_start(LabRun* run, Travel* t)
{
    lab_table_columns(&run->report->table, "time_s,sole_km/h,ground_km/h,pull_kN");
    for (int i = 0; i < 3 * LAB_MACHINE_RATE; ++i) {
        lab_machine_step(&t->lab);
        MachineFeedback left = machine_feedback(t->lab.machine, t->train[0]);
        MachineFeedback right = machine_feedback(t->lab.machine, t->train[1]);
        double ground = (double)vec3_length(machine_velocity(t->lab.machine, 0));
        if (i % 6 == 0)
            lab_table_row(&run->report->table,
                          (double[]){(double)i / LAB_MACHINE_RATE, 3.6 * left.speed, 3.6 * ground,
                                     1e-3 * (left.effort + right.effort)});
    }
}

static void straight(LabRun* run, Travel* t)
{
    stand_on(t, 0.0, 0.6f);
    tell(t, TRAVEL_SPEED, TRAVEL_SPEED);
    record_start(run, t);
    Vec3 start = place(t);
    double speed = forward_speed(t, 6.0);
    lab_report_near(run->report, "speed", "km/h", 3.6 * speed, 3.6 * TRAVEL_SPEED, 0.1);
    lab_report_most(run->report, "astray", "mm", 1e3 * fabs((double)(place(t).z - start.z)), 20.0);
    tell(t, 0.0, 0.0);
    start = place(t);
    lab_machine_wait(&t->lab, 3.0);
    lab_report_most(run->report, "stopping_way", "m",
                    (double)vec3_length(vec3_sub(place(t), start)), 0.5);
}

// Both tracks at half speed against each other; skid steer turns slower than its tracks would say.
static void counter_rotate(LabRun* run, Travel* t)
{
    stand_on(t, 0.0, 0.6f);
    Vec3 start = place(t);
    double half = 0.5 * TRAVEL_SPEED, angle = 0.0, least = 1e9;
    tell(t, half, -half);
    for (int i = 0; i < 10 * LAB_MACHINE_RATE; ++i) {
        lab_machine_step(&t->lab);
        double spin = -(double)machine_spin(t->lab.machine, 0).y;
        angle += spin / LAB_MACHINE_RATE;
        if (i > 3 * LAB_MACHINE_RATE)
            least = fmin(least, spin);
    }
    double wide = 2.0 * fabs((double)t->lab.def.runners[0].center.z);
    lab_report_value(run->report, "turned", "deg", angle / BASE_DEG);
    lab_report_most(run->report, "turn_rate", "deg/s", angle / 10.0 / BASE_DEG,
                    2.0 * half / wide / BASE_DEG);
    lab_report_least(run->report, "slowest_turn", "deg/s", least / BASE_DEG,
                     0.5 * 2.0 * half / wide / BASE_DEG);
    lab_report_most(run->report, "turn_wandered", "m",
                    (double)vec3_length(vec3_sub(place(t), start)), 1.0);
}

static void climb(LabRun* run, Travel* t)
{
    stand_on(t, TRAVEL_CLIMB, 0.6f);
    Vec3 start = place(t);
    lab_machine_wait(&t->lab, 10.0);
    lab_report_most(run->report, "parked_creep", "mm",
                    1e3 * (double)vec3_length(vec3_sub(place(t), start)), 1.0);
    tell(t, 0.5 * TRAVEL_SPEED, 0.5 * TRAVEL_SPEED);
    lab_machine_wait(&t->lab, 2.0);
    double speed = forward_speed(t, 4.0);
    lab_report_near(run->report, "climb_speed", "km/h", 3.6 * speed, 1.8 * TRAVEL_SPEED, 0.1);
    double pull = 0.0;
    for (int i = 0; i < 2; ++i)
        pull += machine_feedback(t->lab.machine, t->train[i]).effort;
    double mass = machine_balance(t->lab.machine).mass, angle = TRAVEL_CLIMB * BASE_DEG;
    double rolling = (double)t->lab.def.runners[0].rolling;
    double needed = mass * 9.81 * (sin(angle) + rolling * cos(angle));
    lab_report_near(run->report, "climb_pull", "kN", 1e-3 * pull, 1e-3 * needed, 0.02e-3 * needed);
}

// Tracks locked, too little grip for the slope: it slides as a block would.
static void slide(LabRun* run, Travel* t)
{
    double angle = TRAVEL_CLIMB * BASE_DEG;
    double grip = TRAVEL_SLIP * (double)t->lab.def.runners[0].along;
    t->lab.plane = (LabPlane){(float)angle, (float)TRAVEL_SLIP, 2e7f, 1e6f, 0.0f};
    lab_machine_stand(&t->lab);
    lab_machine_wait(&t->lab, 2.0);
    Vec3 before = machine_velocity(t->lab.machine, 0);
    lab_machine_wait(&t->lab, 1.0);
    Vec3 after = machine_velocity(t->lab.machine, 0);
    double gained = (double)(vec3_length(after) - vec3_length(before));
    double expected = 9.81 * (sin(angle) - grip * cos(angle));
    lab_report_near(run->report, "slide", "m/s2", gained, expected, 0.02 * expected);
    double slip = machine_slip(t->lab.machine, 0);
    lab_report_least(run->report, "slide_slip", "", fabs(slip), 0.99);
}

// A hook that gives way slowly: it feels what engine and grip have left over.
static void pull(LabRun* run, Travel* t)
{
    stand_on(t, 0.0, 0.6f);
    Machine* m = t->lab.machine;
    double most = 0.0;
    tell(t, TRAVEL_SPEED, TRAVEL_SPEED);
    for (int i = 0; i < 4 * LAB_MACHINE_RATE; ++i) {
        Vec3 hook = machine_to_world(m, 0, vec3(-2.0f, 0.6f, 0.0f));
        MachineRow row = {.body = 0,
                          .point = hook,
                          .direction = {-1.0f, 0.0f, 0.0f},
                          .speed = -TRAVEL_CREEP,
                          .lo = 0.0,
                          .hi = 1e9,
                          .limiter = -1};
        int id = machine_add_row(m, &row);
        lab_machine_step(&t->lab);
        most = machine_row_impulse(m, id) * LAB_MACHINE_RATE;
    }
    double weight = machine_balance(m).mass * 9.81, force = 0.0;
    for (int i = 0; i < 2; ++i)
        force += (double)t->lab.def.trains[i].force;
    double grip = 0.6 * (double)t->lab.def.runners[0].along * weight;
    double rolling = (double)t->lab.def.runners[0].rolling * weight;
    lab_report_near(run->report, "drawbar", "kN", 1e-3 * most, 1e-3 * fmin(force - rolling, grip),
                    0.02e-3 * force);
}

void lab_machine_travel_run(LabRun* run)
{
    Travel t = {0};
    static void (*const part[])(LabRun*, Travel*) = {straight, counter_rotate, climb, slide, pull};
    const int parts = (int)(sizeof part / sizeof *part);
    if (!lab_machine_load(run, &t.lab))
        return;
    if (lab_machine_actuator(run, &t.lab, "left", &t.train[0]) &&
        lab_machine_actuator(run, &t.lab, "right", &t.train[1])) {
        for (int i = 0; i < parts; ++i) {
            lab_part(run, 1.0 / parts);
            part[i](run, &t);
        }
        const LabMachineChart chart[] = {
            {"Setting off", "all the tracks can pull", "km/h", 1, 2, {0.0, 6.5}, false},
            {"Pull of both tracks", NULL, "kN", 3, 3, {0.0, 0.0}, false},
        };
        lab_machine_draw(run, chart, 2);
        lab_report_most(run->report, "bad_steps", "", (double)machine_state(t.lab.machine)->resets,
                        0.0);
    }
    lab_machine_finish(run, &t.lab);
}
