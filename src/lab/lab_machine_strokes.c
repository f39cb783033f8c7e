// strokes: how long the cylinders take from end to end, alone and together.
#include "lab/lab_arm.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define STROKES_TIME   20.0  // s, at most
#define STROKES_BEGAN  0.002 // of the stroke: it moves
#define STROKES_ENDED  0.998
#define STROKES_WITHIN 0.2  // s, or
#define STROKES_SHARE  0.05 // of the time
#define STROKES_CURVE  1300

static const char* const names[LAB_JOINTS] = {"boom_up", "stick_in", "bucket_curl"};
static const double sheet[LAB_JOINTS] = {4.0, 3.2, 3.5}; // s (D)

typedef struct Strokes {
    LabArm arm;
    double began[LAB_JOINTS], ended[LAB_JOINTS]; // s after the levers moved
    int count;
    double time[STROKES_CURVE], stroke[LAB_JOINTS][STROKES_CURVE];
} Strokes;

// From the lower end of those in `mask`, levers full until each is at its end, which it then lets
// go; the others stay drawn in, which is light.
static void measure(Strokes* s, unsigned mask)
{
    LabArm* arm = &s->arm;
    s->count = 0;
    for (int j = 0; j < LAB_JOINTS; ++j) {
        s->began[j] = s->ended[j] = (double)NAN;
        lab_arm_lever(arm, arm->lever[j], mask >> j & 1 ? 1.0 : 0.0);
    }
    double start = lab_arm_time(arm);
    for (int i = 0; i < (int)(STROKES_TIME * INPUT_RATE); ++i) {
        bool busy = false;
        lab_arm_frame(arm);
        for (int j = 0; j < LAB_JOINTS; ++j) {
            double now = lab_arm_time(arm) - start, stroke = lab_arm_stroke(arm, (LabJoint)j);
            if (s->count < STROKES_CURVE)
                s->stroke[j][s->count] = 100.0 * stroke;
            if (!(mask >> j & 1))
                continue;
            s->began[j] = isnan(s->began[j]) && stroke > STROKES_BEGAN ? now : s->began[j];
            if (isnan(s->ended[j]) && stroke > STROKES_ENDED) {
                s->ended[j] = now;
                lab_arm_lever(arm, arm->lever[j], 0.0);
            }
            busy = busy || isnan(s->ended[j]);
        }
        if (s->count < STROKES_CURVE)
            s->time[s->count++] = lab_arm_time(arm) - start;
        if (!busy)
            break;
    }
    lab_arm_neutral(arm);
}

static double within(double seconds)
{
    return fmax(STROKES_WITHIN, STROKES_SHARE * seconds);
}

// Each alone; the others where they weigh least on it.
static void alone(LabRun* run, Strokes* s, LabJoint joint)
{
    // boom down with the arm drawn in; stick out, boom raised; bucket out, stick half
    static const double pose[LAB_JOINTS][LAB_JOINTS] = {
        {-40, -145, -120}, {40, -45, -60}, {30, -90, 20}};
    double levers[LAB_JOINTS] = {0};
    char name[LAB_NAME_MAX];
    levers[joint] = -1.0;
    lab_arm_pose(&s->arm, pose[joint]);
    lab_arm_to_stop(&s->arm, levers, STROKES_TIME);
    measure(s, 1u << joint);
    double time = s->ended[joint] - s->began[joint];
    lab_report_near(run->report, names[joint], "s", time, sheet[joint], within(sheet[joint]));
    snprintf(name, sizeof name, "%s.from_lever", names[joint]);
    lab_report_value(run->report, name, "s", s->ended[joint]);
}

// All oil that the three need over all that the pumps give: no time is lost as long as everyone who
// still moves can use what the others leave.
static double oil_time(const LabArm* arm)
{
    const MachineHydraulicsDef* h = &arm->lab.def.drive->hydraulics;
    double volume = 0.0, flow = 0.0;
    for (int j = 0; j < LAB_JOINTS; ++j) {
        const MachineCylinder* c = &arm->lab.def.cylinders[arm->actuator[j]];
        volume += c->area_push * (double)c->stroke;
    }
    for (int k = 0; k < h->pump_count; ++k)
        flow += (double)h->pumps[k].flow;
    return volume / flow;
}

static void together(LabRun* run, Strokes* s)
{
    lab_arm_pose(&s->arm, (double[]){-40, -45, 20});
    lab_arm_to_stop(&s->arm, (double[]){-1, -1, -1}, STROKES_TIME);
    measure(s, 7u);
    double began = fmin(s->began[0], fmin(s->began[1], s->began[2]));
    double last = fmax(s->ended[0], fmax(s->ended[1], s->ended[2]));
    double target = oil_time(&s->arm);
    lab_report_near(run->report, "all_three", "s", last - began, target, within(target));
    for (int j = 0; j < LAB_JOINTS; ++j) {
        char name[LAB_NAME_MAX];
        snprintf(name, sizeof name, "%s.in_all_three", names[j]);
        lab_report_value(run->report, name, "s", s->ended[j] - began);
    }
}

static void draw(LabRun* run, Strokes* s)
{
    if (!lab_picture_wanted(run, 1000, 720))
        return;
    static const char* const legend[LAB_JOINTS] = {"boom up", "stick in", "bucket curl"};
    PlotChart chart = {.title = "Three cylinders share two pumps",
                       .subtitle = "all levers full over; each is let go at the end of its stroke",
                       .x_label = "time (s)",
                       .y_label = "stroke (%)",
                       .count = LAB_JOINTS};
    for (int j = 0; j < LAB_JOINTS; ++j) {
        chart.series[j] = lab_picture_series(legend[j], j, s->time, s->stroke[j], s->count);
        chart.series[j].marker = PLOT_MARKER_NONE;
    }
    plot_chart_draw(run->picture, lab_picture_heading(run, NULL, NULL), &chart);
}

void lab_machine_strokes_run(LabRun* run)
{
    static Strokes s;
    s = (Strokes){0};
    if (!lab_arm_load(run, &s.arm))
        return;
    for (int j = 0; j < LAB_JOINTS; ++j) {
        lab_part(run, 0.25);
        alone(run, &s, (LabJoint)j);
    }
    lab_part(run, 0.25);
    together(run, &s);
    lab_table_columns(&run->report->table, "time_s,boom_pct,stick_pct,bucket_pct");
    for (int i = 0; i < s.count; ++i)
        lab_table_row(&run->report->table,
                      (double[]){s.time[i], s.stroke[0][i], s.stroke[1][i], s.stroke[2][i]});
    draw(run, &s);
    lab_arm_finish(run, &s.arm);
}
