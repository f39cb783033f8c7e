// swing: how long quarter and half turns take, empty and loaded, and how far it runs on.
#include "lab/lab_arm.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define SWING_EMPTY  2.9    // s for 90 degrees, sheet (L)
#define SWING_LOADED 3.5    // s
#define SWING_SHARE  0.05   // of them
#define SWING_LOAD   1.19   // m3 in the bucket (L) of
#define SWING_SOIL   1600.0 // kg/m3, loose earth
#define SWING_RPM    11.3   // sheet (L)
#define SWING_TIME   12.0   // s
#define SWING_CURVE  800

typedef struct Swing {
    LabArm arm;
    double inertia;       // kg m2 about the swing axis
    double quarter, half; // s from the lever to 90 and 180 degrees
    double top;           // rpm
    double overrun, stop; // deg and s after the lever was let go at 90 degrees
    int count;            // curve of the stop
    double time[SWING_CURVE], angle[SWING_CURVE];
} Swing;

// To the right is negative about +y.
static double turned(const LabArm* arm)
{
    return -machine_joint(arm->lab.machine, arm->house) / BASE_DEG;
}

static double turning(const LabArm* arm)
{
    return -machine_joint_speed(arm->lab.machine, arm->house);
}

// The arm as when it has come up over a truck: 6.5 m out, bucket curled.
static void prepare(Swing* s, double load)
{
    lab_arm_pose(&s->arm, (double[]){38.0, -80.0, -75.0});
    if (load > 0.0) {
        const MachineTool* tool = &s->arm.lab.def.tools[0];
        Vec3 middle = vec3_mul(vec3_add(tool->hold_min, tool->hold_max), 0.5f);
        machine_set_load(s->arm.lab.machine, s->arm.body[LAB_BUCKET], load, middle,
                         (float[6]){0.2f * (float)load, 0.2f * (float)load, 0.2f * (float)load});
        lab_arm_wait(&s->arm, 1.0);
    }
}

static void note(Swing* s, double start)
{
    if (s->count == SWING_CURVE)
        return;
    s->time[s->count] = lab_arm_time(&s->arm) - start;
    s->angle[s->count++] = turned(&s->arm);
}

// The lever stays over until 180 degrees are passed: the times count a machine that passes there.
static void through(Swing* s)
{
    LabArm* arm = &s->arm;
    double start = lab_arm_time(arm), last = 0.0;
    s->quarter = s->half = (double)NAN;
    s->top = 0.0;
    lab_arm_lever(arm, INPUT_SWING, 1.0);
    while (isnan(s->half) && lab_arm_time(arm) - start < SWING_TIME) {
        lab_arm_frame(arm);
        double now = turned(arm), time = lab_arm_time(arm) - start;
        double part = now > last ? 1.0 / (now - last) / INPUT_RATE : 0.0;
        if (last < 90.0 && now >= 90.0)
            s->quarter = time - (now - 90.0) * part;
        if (last < 180.0 && now >= 180.0)
            s->half = time - (now - 180.0) * part;
        s->top = fmax(s->top, turning(arm) * 30.0 / BASE_PI);
        last = now;
    }
    lab_arm_neutral(arm);
}

// Lever over until 90 degrees, then let go.
static void stopping(Swing* s)
{
    LabArm* arm = &s->arm;
    double start = lab_arm_time(arm);
    s->count = 0;
    lab_arm_lever(arm, INPUT_SWING, 1.0);
    while (turned(arm) < 90.0 && lab_arm_time(arm) - start < SWING_TIME) {
        lab_arm_frame(arm);
        note(s, start);
    }
    double released = turned(arm), time = lab_arm_time(arm);
    lab_arm_neutral(arm);
    while (turning(arm) > 0.002 && lab_arm_time(arm) - start < 2.0 * SWING_TIME) {
        lab_arm_frame(arm);
        note(s, start);
    }
    s->overrun = turned(arm) - released;
    s->stop = lab_arm_time(arm) - time;
    for (int i = 0; i < INPUT_RATE; ++i) {
        lab_arm_frame(arm);
        note(s, start);
    }
}

static void report(LabRun* run, const Swing* s, const char* name, double target)
{
    char key[LAB_NAME_MAX];
    snprintf(key, sizeof key, "%s.quarter_turn", name);
    lab_report_near(run->report, key, "s", s->quarter, target, SWING_SHARE * target);
    snprintf(key, sizeof key, "%s.half_turn", name);
    lab_report_value(run->report, key, "s", s->half);
    snprintf(key, sizeof key, "%s.fastest", name);
    lab_report_near(run->report, key, "rpm", s->top, SWING_RPM, 0.02 * SWING_RPM);
    snprintf(key, sizeof key, "%s.overrun", name);
    lab_report_value(run->report, key, "deg", s->overrun);
    snprintf(key, sizeof key, "%s.stop_takes", name);
    lab_report_value(run->report, key, "s", s->stop);
}

static void try_load(LabRun* run, Swing* s, const char* name, double load, double target)
{
    lab_part(run, 0.5);
    prepare(s, load);
    Vec3 tip = lab_arm_tip(&s->arm);
    through(s);
    prepare(s, load);
    stopping(s);
    report(run, s, name, target);
    if (load == 0.0)
        lab_report_value(run->report, "teeth_from_axis", "m", (double)tip.x);
    for (int i = 0; i < s->count; ++i)
        lab_table_row(&run->report->table, (double[]){load, s->time[i], s->angle[i]});
}

static void draw(LabRun* run, const Swing* empty, const Swing* loaded)
{
    if (!lab_picture_wanted(run, 1000, 720))
        return;
    PlotChart chart = {.title = "Swing: lever over, let go at 90 degrees",
                       .subtitle = "it runs on until the motor's relief has stopped it",
                       .x_label = "time (s)",
                       .y_label = "angle (degrees)",
                       .count = 2};
    chart.series[0] = lab_picture_series("empty", 0, empty->time, empty->angle, empty->count);
    chart.series[1] =
        lab_picture_series("1.9 t in the bucket", 1, loaded->time, loaded->angle, loaded->count);
    chart.series[0].marker = chart.series[1].marker = PLOT_MARKER_NONE;
    plot_chart_draw(run->picture, lab_picture_heading(run, NULL, NULL), &chart);
}

void lab_machine_swing_run(LabRun* run)
{
    static Swing empty, loaded;
    empty = loaded = (Swing){0};
    if (!lab_arm_load(run, &empty.arm))
        return;
    lab_table_columns(&run->report->table, "load_kg,time_s,angle_deg");
    try_load(run, &empty, "empty", 0.0, SWING_EMPTY);
    lab_arm_finish(run, &empty.arm);
    if (!lab_arm_load(run, &loaded.arm))
        return;
    try_load(run, &loaded, "loaded", SWING_LOAD * SWING_SOIL, SWING_LOADED);
    lab_arm_finish(run, &loaded.arm);
    draw(run, &empty, &loaded);
}
