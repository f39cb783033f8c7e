// stall - too deep a cut. The bucket stands in an open pit in clay, its teeth behind a face of a metre;
// the stick is pulled in with the lever at its stop. The clay holds more than the machine can pull.
//
//      ground ____________        ______      before: a pit is open, the face stands
//                         |  \   |            then: stick in, full lever, until long after it stands
//                   face  |<--u  |            at last: lever neutral, all must come to rest
#include "lab/lab_dig.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>
#include <stdlib.h>

#define STALL_DEEP   1.0f // m, of the teeth
#define STALL_PIT    1.3f // m, depth of the pit
#define STALL_FACE   6.9f // m, x where the pit begins
#define STALL_END    9.9f // m
#define STALL_SIDE   1.2f // m, to either side
#define STALL_TIP    7.7  // m, where the teeth begin
#define STALL_PITCH  -1.6 // rad, of the bucket
#define STALL_PULL   6.0  // s
#define STALL_LATE   2.0  // s at its end, in which it must stand
#define STALL_AFTER  2.0  // s with the lever neutral
#define STALL_COLUMN 9    // of the table

typedef struct Stall {
    LabDig dig;
    int stick;                  // actuator
    double relief, rated;       // Pa, rad/s
    double speed, late_speed;   // m/s, fastest point of the arm; of the teeth while it stands
    double at_relief, pressure; // share of the late frames; MPa
    double engine_low, engine_load;
    double resistance;   // kN, greatest
    double work, excess; // J: put in by actuators; machine's gain beyond it, greatest
    double rest;         // m/s of the teeth at the very end
    double slid;         // m
    int late;
} Stall;

static void open_pit(Stall* s, float* ground)
{
    Terrain* t = world_terrain(s->dig.world);
    const TerrainDef* def = terrain_definition(t);
    *ground = terrain_height(t, STALL_END, 0.0f);
    for (int cell = 0; cell < def->nx * def->nz; ++cell) {
        Vec3 c = terrain_center(t, cell);
        if (c.x > STALL_FACE && c.x < STALL_END && fabsf(c.z) < STALL_SIDE)
            coupling_haul(world_coupling(s->dig.world), cell, *ground - STALL_PIT);
    }
}

static bool place(LabRun* run, Stall* s, float ground)
{
    const OperatorArm* arm = &s->dig.hands.arm;
    Vec3 house = machine_pose(s->dig.machine, arm->body[OPERATOR_SWING]).position;
    OperatorTip tip = {STALL_TIP, (double)(ground - STALL_DEEP - house.y), STALL_PITCH};
    double joint[OPERATOR_JOINTS] = {0.0};
    if (!operator_arm_solve(arm, tip, joint)) {
        lab_fail(run, LAB_EXIT_FILE, "the vehicle's bucket does not reach into the pit");
        return false;
    }
    for (int j = OPERATOR_BOOM; j < OPERATOR_JOINTS; ++j)
        machine_set_joint(s->dig.machine, arm->body[j], joint[j]);
    return true;
}

static double tip_speed(const LabDig* dig)
{
    const MachineTool* t = &dig->def->tools[dig->hands.arm.tool];
    Vec3 at = machine_to_world(dig->machine, t->body, t->edge_a);
    return (double)vec3_length(machine_point_velocity(dig->machine, t->body, at));
}

static double power(const LabDig* dig)
{
    double sum = 0.0;
    int count = dig->def->actuator_count;
    for (int a = 0; a < count; ++a) {
        MachineFeedback f = machine_feedback(dig->machine, a);
        sum += f.effort * f.speed;
    }
    return sum;
}

static void frame(LabRun* run, Stall* s, double time, bool late)
{
    LabDig* dig = &s->dig;
    double before = power(dig), energy = machine_energy(dig->machine);
    lab_dig_step(dig);
    const MachineState* state = machine_state(dig->machine);
    const CouplingToolState* tool = coupling_fleet_tool(world_fleet(dig->world), 0, 0);
    MachineFeedback f = machine_feedback(dig->machine, s->stick);
    double push = f.effort / (f.effort > 0.0 ? f.area_push : f.area_pull);
    double work = 0.5 * (before + power(dig)) * WORLD_DT, speed = tip_speed(dig);
    double gain = machine_energy(dig->machine) - energy;
    s->work += work;
    s->excess = fmax(s->excess, gain - work);
    s->speed = fmax(s->speed, speed);
    s->engine_low = fmin(s->engine_low, state->drive.engine_speed / s->rated);
    s->engine_load = fmax(s->engine_load, state->drive.engine_load);
    s->resistance = fmax(s->resistance, 1e-3 * (double)tool->resistance);
    if (late) {
        ++s->late;
        s->late_speed += speed;
        s->at_relief += state->drive.relieved >> s->stick & 1u;
        s->pressure += 1e-6 * fabs(push);
    }
    s->rest = speed;
    Vec3 at = machine_pose(dig->machine, 0).position;
    const double row[STALL_COLUMN] = {time,
                                      speed,
                                      1e-6 * fabs(push),
                                      30.0 / BASE_PI * state->drive.engine_speed,
                                      state->drive.engine_load,
                                      1e-3 * (double)tool->resistance,
                                      (double)tool->depth,
                                      (double)at.x,
                                      1e-3 * machine_energy(dig->machine)};
    lab_table_row(&run->report->table, row);
}

// --- picture -------------------------------------------------------------------------------------

static void chart(LabRun* run, PlotRect area, const double* column, int k, const char* title,
                  const char* unit)
{
    int rows = run->report->table.rows;
    PlotChart c = {.title = title, .x_label = "time (s)", .y_label = unit, .count = 1};
    c.series[0] = lab_picture_series(NULL, 0, column, column + (size_t)k * (size_t)rows, rows);
    c.series[0].marker = PLOT_MARKER_NONE;
    plot_chart_draw(run->picture, area, &c);
}

static void draw(LabRun* run, const Stall* s)
{
    const LabTable* t = &run->report->table;
    double* column;
    if (!lab_picture_wanted(run, 1800, 900) ||
        !(column = malloc((size_t)(t->rows * t->columns) * sizeof *column)))
        return;
    for (int i = 0; i < t->rows * t->columns; ++i)
        column[i % t->columns * t->rows + i / t->columns] = t->cell[i];
    PlotRect area = lab_picture_heading(
        run, "Too deep a cut: the stick pulls, the clay holds",
        "22 t, teeth a metre deep behind a standing face of clay, lever at its stop for 6 s");
    LabSection section = {
        .lo = {-3.2, -2.0}, .hi = {10.4, 5.8}, .row = lab_dig_row(&s->dig, 0.0f), .deep = 0.6};
    PlotRect left = area, right = area;
    left.w = 0.52 * area.w, right.x += 0.55 * area.w, right.w = 0.45 * area.w;
    lab_dig_draw(run, left, &s->dig, section);
    chart(run, lab_picture_tile(right, 2, 2, 0, 0), column, 1, "Speed of the teeth", "m/s");
    chart(run, lab_picture_tile(right, 2, 2, 1, 0), column, 2, "Stick cylinder", "MPa");
    chart(run, lab_picture_tile(right, 2, 2, 0, 1), column, 5, "The ground holds", "kN");
    chart(run, lab_picture_tile(right, 2, 2, 1, 1), column, 3, "Engine", "rpm");
    free(column);
}

static void report(LabRun* run, const Stall* s)
{
    LabReport* r = run->report;
    double n = (double)s->late;
    lab_report_most(r, "teeth_while_it_stands", "m/s", s->late_speed / n, 0.02);
    lab_report_least(r, "stands_at_relief", "", s->at_relief / n, 0.95);
    lab_report_near(r, "pressure_over_relief", "", 1e6 * s->pressure / n / s->relief, 1.0, 0.03);
    lab_report_most(r, "engine_lowest_over_rated", "", s->engine_low, 0.97);
    lab_report_least(r, "engine_lowest_without_dying", "", s->engine_low, 0.5);
    lab_report_value(r, "engine_load", "", s->engine_load);
    lab_report_value(r, "ground_holds", "kN", s->resistance);
    lab_report_value(r, "dragged_forward", "m", s->slid);
    lab_report_most(r, "fastest", "m/s", s->speed, 3.0);
    lab_report_value(r, "work", "kJ", 1e-3 * s->work);
    lab_report_most(r, "energy_out_of_nothing", "J in a frame", s->excess, 50.0);
    lab_report_most(r, "teeth_after_release", "m/s", s->rest, 0.005);
    lab_report_most(r, "imbalance", "mg", (double)world_imbalance(s->dig.world), 0.0);
    lab_report_most(r, "bad_steps", "", (double)machine_state(s->dig.machine)->resets, 0.0);
}

void lab_stall_run(LabRun* run)
{
    const LabDigDef def = {.site = "config/lab/ground_clay.yaml",
                           .vehicle = "vehicles/excavator_22t.yaml",
                           .radius = 0.04f,
                           .pool = 8000};
    Stall s = {.engine_low = 10.0};
    float ground;
    if (!lab_dig_make(run, &s.dig, &def))
        return;
    lab_part(run, 1.0);
    lab_table_columns(
        &run->report->table,
        "time,teeth_m_s,stick_MPa,engine_rpm,engine_load,ground_kN,depth_m,x_m,energy_kJ");
    bool fine = lab_dig_hands(run, &s.dig, 1.0f);
    if (fine) {
        s.stick = s.dig.hands.arm.actuator[OPERATOR_STICK];
        s.relief = (double)s.dig.def->drive->hydraulics.relief;
        s.rated = (double)s.dig.def->drive->engine.rated;
        open_pit(&s, &ground);
        fine = place(run, &s, ground);
    }
    if (fine) {
        lab_dig_wait(&s.dig, 2.0);
        double from = (double)machine_pose(s.dig.machine, 0).position.x;
        int frames = (int)(STALL_PULL * WORLD_RATE), after = (int)(STALL_AFTER * WORLD_RATE);
        for (int k = 0; k < frames + after; ++k) {
            lab_dig_lever(&s.dig, s.dig.hands.arm.lever[OPERATOR_STICK], k < frames ? 1.0 : 0.0);
            bool late = k >= frames - (int)(STALL_LATE * WORLD_RATE) && k < frames;
            frame(run, &s, (double)k * WORLD_DT, late);
            lab_progress(run, (double)k / (frames + after));
            if (k == frames - 1)
                draw(run, &s);
        }
        s.slid = (double)machine_pose(s.dig.machine, 0).position.x - from;
        report(run, &s);
    }
    lab_dig_finish(run, &s.dig);
}
