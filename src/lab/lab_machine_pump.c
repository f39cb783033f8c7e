// pump: three levers at once share two pumps; at the relief the engine limits; what it costs.
#include "lab/lab_arm.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>
#include <string.h>

#define PUMP_LPM     60000.0 // L/min in a m3/s
#define PUMP_FLOW    429.0   // L/min, both (L)
#define PUMP_LIMITED 187.0   // L/min at 35 MPa (D)
#define PUMP_WITHIN  0.03
#define PUMP_READY   1.5 // s until levers, spools and engine are steady
#define PUMP_TIME    2.0 // s that is measured
#define PUMP_CURVE   600

typedef struct Pump {
    LabArm arm;
    int count;
    double time[PUMP_CURVE], flow[PUMP_CURVE], pressure[PUMP_CURVE], rpm[PUMP_CURVE];
} Pump;

// Means over the measured time.
typedef struct PumpMean {
    double flow, pressure, kw, rpm, load, fuel; // L/min, MPa, kW, L/h
    double speed[LAB_JOINTS];                   // m/s of the cylinders
} PumpMean;

static void note(Pump* p, double start)
{
    const MachineDriveState* s = &machine_state(p->arm.lab.machine)->drive;
    if (p->count == PUMP_CURVE)
        return;
    p->time[p->count] = lab_arm_time(&p->arm) - start;
    p->flow[p->count] = PUMP_LPM * (s->pump_flow[0] + s->pump_flow[1]);
    p->pressure[p->count] = 1e-6 * fmax(s->pump_pressure[0], s->pump_pressure[1]);
    p->rpm[p->count++] = s->engine_speed * 30.0 / BASE_PI;
}

static PumpMean measure(LabRun* run, Pump* p, const double levers[LAB_JOINTS], double wait,
                        double seconds)
{
    LabArm* arm = &p->arm;
    PumpMean mean = {0};
    double start = lab_arm_time(arm);
    int frames = (int)(seconds * INPUT_RATE);
    p->count = 0;
    for (int j = 0; j < LAB_JOINTS; ++j)
        lab_arm_lever(arm, arm->lever[j], levers[j]);
    for (int i = 0; i < (int)(wait * INPUT_RATE); ++i) {
        lab_arm_frame(arm);
        note(p, start);
    }
    for (int i = 0; i < frames; ++i) {
        lab_arm_frame(arm);
        note(p, start);
        const MachineDriveState* s = &machine_state(arm->lab.machine)->drive;
        for (int k = 0; k < MACHINE_PUMPS_MAX; ++k) {
            mean.flow += PUMP_LPM * s->pump_flow[k] / frames;
            mean.kw += 1e-3 * s->pump_flow[k] * s->pump_pressure[k] / frames;
        }
        mean.pressure += 1e-6 * fmax(s->pump_pressure[0], s->pump_pressure[1]) / frames;
        mean.rpm += s->engine_speed * 30.0 / BASE_PI / frames;
        mean.load += s->engine_load / frames;
        mean.fuel += 3.6e6 * s->fuel_rate / frames;
        for (int j = 0; j < LAB_JOINTS; ++j)
            mean.speed[j] += machine_feedback(arm->lab.machine, arm->actuator[j]).speed / frames;
    }
    for (int i = 0; i < p->count; ++i)
        lab_table_row(&run->report->table,
                      (double[]){p->time[i], p->flow[i], p->pressure[i], p->rpm[i]});
    lab_arm_neutral(arm);
    return mean;
}

// Stick in with its weight: what leaves the rod's side goes to the other, and the pumps are spared.
static void regeneration(LabRun* run, Pump* p)
{
    lab_arm_pose(&p->arm, (double[]){40, -45, -60});
    PumpMean falls = measure(run, p, (double[]){0, 1, 0}, 0.6, 0.6);
    const MachineCylinder* c = &p->arm.lab.def.cylinders[p->arm.actuator[LAB_STICK]];
    double oil = PUMP_LPM * falls.speed[LAB_STICK] * c->area_push;
    // 60 % of the rod side's oil: 1 - 0.6 x 75.4 cm2 / 153.9 cm2
    lab_report_near(run->report, "stick_falling.pumps_give", "%", 100.0 * falls.flow / oil, 70.6,
                    2.0);
}

// Free movement in the air: alone a cylinder is as fast as its flow over its area; with three, all
// get the same share, and the oil is what the pumps give.
static void sharing(LabRun* run, Pump* p)
{
    // the stick goes out: against its weight, so that no oil is used twice
    static const double pose[LAB_JOINTS] = {0, -130, 0}, way[LAB_JOINTS] = {1, -1, 1};
    static const char* const names[LAB_JOINTS] = {"boom", "stick", "bucket"};
    double alone[LAB_JOINTS];
    for (int j = 0; j < LAB_JOINTS; ++j) {
        double levers[LAB_JOINTS] = {0};
        levers[j] = way[j];
        lab_arm_pose(&p->arm, pose);
        alone[j] = measure(run, p, levers, 0.7, 0.6).speed[j];
    }
    lab_arm_pose(&p->arm, pose);
    PumpMean all = measure(run, p, way, 1.0, 1.5);
    double total = 0.0;
    for (int j = 0; j < LAB_JOINTS; ++j) {
        const MachineCylinder* c = &p->arm.lab.def.cylinders[p->arm.actuator[j]];
        char key[LAB_NAME_MAX];
        total += PUMP_LPM * fabs(all.speed[j]) * (way[j] > 0.0 ? c->area_push : c->area_pull);
        snprintf(key, sizeof key, "%s.share_of_alone", names[j]);
        // 429, 270 and 214.5 are wanted, 429 L/min are there
        lab_report_near(run->report, key, "%", 100.0 * all.speed[j] / alone[j],
                        100.0 * 429.0 / 913.5, 1.5);
    }
    lab_report_near(run->report, "three.flow_of_pumps", "L/min", all.flow, PUMP_FLOW,
                    PUMP_WITHIN * PUMP_FLOW);
    lab_report_near(run->report, "three.oil_in_cylinders", "L/min", total, all.flow,
                    PUMP_WITHIN * all.flow);
    lab_report_value(run->report, "three.pressure", "MPa", all.pressure);
    lab_report_value(run->report, "three.engine", "rpm", all.rpm);
    lab_report_value(run->report, "three.fuel", "L/h", all.fuel);
}

// The stick, fully in, keeps pushing: everything goes over the relief.
static void relief(LabRun* run, Pump* p)
{
    const MachineEngineDef* e = &p->arm.lab.def.drive->engine;
    lab_arm_pose(&p->arm, (double[]){30, -60, -60});
    lab_arm_to_stop(&p->arm, (double[]){0, 1, 0}, 10.0);
    double before = machine_state(p->arm.lab.machine)->drive.relief_heat;
    double start = lab_arm_time(&p->arm);
    PumpMean stall = measure(run, p, (double[]){0, 1, 0}, PUMP_READY, PUMP_TIME);
    double seconds = lab_arm_time(&p->arm) - start;
    double heat = machine_state(p->arm.lab.machine)->drive.relief_heat - before;
    double rated = (double)e->rated * 30.0 / BASE_PI;
    lab_report_near(run->report, "relief.pressure", "MPa", stall.pressure, 35.0, 0.35);
    lab_report_near(run->report, "relief.flow", "L/min", stall.flow, PUMP_LIMITED,
                    PUMP_WITHIN * PUMP_LIMITED);
    lab_report_near(run->report, "relief.power", "kW", stall.kw, 109.1, PUMP_WITHIN * 109.1);
    lab_report_near(run->report, "relief.heat", "kW", 1e-3 * heat / seconds, stall.kw,
                    0.15 * stall.kw); // the time until the pressure is up counts, too
    lab_report_least(run->report, "relief.engine_load", "%", 100.0 * stall.load, 90.0);
    lab_report_near(run->report, "relief.engine", "rpm", stall.rpm, rated, 0.05 * rated);
    lab_report_value(run->report, "relief.fuel", "L/h", stall.fuel);
}

static void draw(LabRun* run, const Pump* p)
{
    if (!lab_picture_wanted(run, 1000, 900))
        return;
    PlotRect all = lab_picture_heading(run, "The stick pushes against its stop",
                                       "35 MPa, and no more oil than the engine can push");
    PlotChart flow = {
        .title = "Flow of both pumps", .x_label = "time (s)", .y_label = "L/min", .count = 1};
    PlotChart pressure = {.title = "Pressure",
                          .x_label = "time (s)",
                          .y_label = "MPa",
                          .y_range = {0, 40},
                          .count = 1};
    PlotChart rpm = {.title = "Engine",
                     .x_label = "time (s)",
                     .y_label = "rpm",
                     .y_range = {1500, 2000},
                     .count = 1};
    flow.series[0] = lab_picture_series(NULL, 0, p->time, p->flow, p->count);
    pressure.series[0] = lab_picture_series(NULL, 1, p->time, p->pressure, p->count);
    rpm.series[0] = lab_picture_series(NULL, 2, p->time, p->rpm, p->count);
    flow.series[0].marker = pressure.series[0].marker = rpm.series[0].marker = PLOT_MARKER_NONE;
    plot_chart_draw(run->picture, lab_picture_tile(all, 1, 3, 0, 0), &flow);
    plot_chart_draw(run->picture, lab_picture_tile(all, 1, 3, 0, 1), &pressure);
    plot_chart_draw(run->picture, lab_picture_tile(all, 1, 3, 0, 2), &rpm);
}

// Nobody touches a lever.
static void idle(LabRun* run, Pump* p)
{
    lab_arm_pose(&p->arm, (double[]){30, -60, -60});
    PumpMean still = measure(run, p, (double[]){0, 0, 0}, 1.0, 2.0);
    p->arm.frame.switches = INPUT_SWITCH_AUTO_IDLE;
    PumpMean slow = measure(run, p, (double[]){0, 0, 0}, 10.0, 2.0);
    p->arm.frame.switches = 0;
    lab_report_value(run->report, "neutral.engine", "rpm", still.rpm);
    lab_report_value(run->report, "neutral.fuel", "L/h", still.fuel);
    lab_report_value(run->report, "auto_idle.engine", "rpm", slow.rpm);
    lab_report_most(run->report, "auto_idle.fuel", "L/h", slow.fuel, 0.75 * still.fuel);
}

void lab_machine_pump_run(LabRun* run)
{
    static Pump p;
    p = (Pump){0};
    if (!lab_arm_load(run, &p.arm))
        return;
    lab_table_columns(&run->report->table, "time_s,flow_lpm,pressure_MPa,engine_rpm");
    lab_part(run, 0.4);
    sharing(run, &p);
    regeneration(run, &p);
    lab_part(run, 0.3);
    idle(run, &p);
    lab_part(run, 0.3);
    relief(run, &p);
    draw(run, &p);
    lab_arm_finish(run, &p.arm);
}
