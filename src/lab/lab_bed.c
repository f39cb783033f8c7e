// bed - a deep bed at rest in a box: the walls must feel its weight, grains must not sink into each
// other, and contacts must not make momentum from nothing.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define BED_LAYERS     15
#define BED_BOUNDARIES 5
#define BED_FRAMES     60  // one second
#define BED_SETTLE     6.0 // s at most; the paper's solver never quite rests

typedef struct BedResult {
    double force[BED_FRAMES]; // upward force of floor and walls over the weight
    double mean, min, max;
    double residual; // I7: worst |sum m dv - M g dt - walls| / (M g dt)
    SoilOverlap overlap;
} BedResult;

static void momentum(const Soil* soil, double p[3])
{
    const SoilState* s = soil_state(soil);
    p[0] = p[1] = p[2] = 0.0;
    for (int i = 0; i < s->count; ++i) {
        double m = s->mass[i] * 1e-6;
        p[0] += m * (double)s->vx[i], p[1] += m * (double)s->vy[i], p[2] += m * (double)s->vz[i];
    }
}

static void wall_force(const Soil* soil, double f[3])
{
    f[0] = f[1] = f[2] = 0.0;
    for (int b = 0; b < BED_BOUNDARIES; ++b)
        for (int axis = 0; axis < 3; ++axis)
            f[axis] += soil_reaction(soil, b)->force[axis];
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// One frame: force over weight, and what is left of the balance of momentum.
static void observe(Soil* soil, Jobs* jobs, double* force, double* residual)
{
    const SoilDef* def = soil_definition(soil);
    double before[3], after[3], walls[3], left[3];
    momentum(soil, before);
    soil_step(soil, jobs);
    momentum(soil, after);
    wall_force(soil, walls);

    double g[3] = {(double)def->gravity.x, (double)def->gravity.y, (double)def->gravity.z};
    double mass = (double)soil_state(soil)->mass_mg * 1e-6, dt = (double)def->dt;
    double weight = mass * length(g);
    for (int axis = 0; axis < 3; ++axis)
        left[axis] = after[axis] - before[axis] - dt * (mass * g[axis] - walls[axis]);
    *force = -walls[1] / weight;
    *residual = length(left) / (weight * dt);
}

static void measure(LabRun* run, Soil* soil, BedResult* out)
{
    *out = (BedResult){.min = HUGE_VAL, .max = -HUGE_VAL};
    for (int i = 0; i < BED_FRAMES; ++i) {
        double residual;
        observe(soil, run->jobs, &out->force[i], &residual);
        out->mean += out->force[i] / BED_FRAMES;
        out->min = fmin(out->min, out->force[i]);
        out->max = fmax(out->max, out->force[i]);
        out->residual = fmax(out->residual, residual);
    }
    out->overlap = soil_overlap(soil, run->jobs);
}

static void judge(LabReport* report, const BedResult* bed)
{
    lab_report_near(report, "force_over_weight", "", bed->mean, 1.0, 0.01);
    lab_report_value(report, "force_over_weight_min", "", bed->min);
    lab_report_value(report, "force_over_weight_max", "", bed->max);
    lab_report_most(report, "momentum_residual", "", bed->residual, 1e-4);
    lab_report_most(report, "overlap_mean_d", "", bed->overlap.mean_d, 0.01);
    lab_report_most(report, "overlap_max_d", "", bed->overlap.max_d, 0.10);
}

static void mention(LabReport* report, const char* kernel, const BedResult* bed)
{
    const struct {
        const char* name;
        double value;
    } rows[] = {{"force_over_weight", bed->mean},
                {"momentum_residual", bed->residual},
                {"overlap_mean_d", bed->overlap.mean_d},
                {"overlap_max_d", bed->overlap.max_d}};
    for (int i = 0; i < 4; ++i) {
        char name[LAB_NAME_MAX];
        snprintf(name, sizeof name, "%s.%s", kernel, rows[i].name);
        lab_report_value(report, name, "", rows[i].value);
    }
}

static void draw_bed(LabRun* run, PlotRect area, const Soil* soil)
{
    double half = (double)soil_boundary((Soil*)soil, 2)->position.x;
    double top = BED_LAYERS * 2.2 * (double)LAB_SCENE_RADIUS;
    LabLook look = {.lo = {-half, 0.0}, .hi = {half, top}};
    area.h -= 40.0;
    PlotView view = lab_picture_soil(run, area, soil, look);
    plot_view_floor(run->picture, &view, -half, half, 0.0);
    plot_view_wall(run->picture, &view, -half, 0.0, -half, top);
    plot_view_wall(run->picture, &view, half, 0.0, half, top);
    plot_view_ruler(run->picture, &view);
}

static void draw_force(LabRun* run, PlotRect area, const BedResult* beds, const bool* ran)
{
    double time[BED_FRAMES];
    for (int i = 0; i < BED_FRAMES; ++i)
        time[i] = i / 60.0;
    PlotChart chart = {.x_label = "time (s)", .y_label = "force on floor and walls / weight"};
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        if (!ran[k])
            continue;
        chart.series[chart.count] =
            lab_picture_series(soil_kernel_name((SoilKernel)k), k, time, beds[k].force, BED_FRAMES);
        chart.series[chart.count++].marker = PLOT_MARKER_NONE;
    }
    plot_chart_draw(run->picture, area, &chart);
}

static void tabulate(LabTable* table, const BedResult* beds, const bool* ran)
{
    lab_table_columns(table, "time_s,split_force_over_weight,p2_force_over_weight,"
                             "gs_force_over_weight");
    for (int i = 0; i < BED_FRAMES; ++i) {
        double row[1 + SOIL_KERNEL_COUNT] = {i / 60.0};
        for (int k = 0; k < SOIL_KERNEL_COUNT; ++k)
            row[1 + k] = ran[k] ? beds[k].force[i] : (double)NAN;
        lab_table_row(table, row);
    }
}

void lab_bed_run(LabRun* run)
{
    BedResult beds[SOIL_KERNEL_COUNT] = {0};
    bool ran[SOIL_KERNEL_COUNT] = {false}, all = run->options->kernel < 0;
    int judged = all ? SOIL_KERNEL_SPLIT : run->options->kernel;
    PlotRect area = {0};
    if (lab_picture_wanted(run, 1500, 720))
        area = lab_picture_heading(run, "A bed at rest, fifteen grains deep",
                                   "the walls must feel exactly its weight");

    for (int k = 0; k < SOIL_KERNEL_COUNT && !run->report->failed; ++k) {
        if (!all && k != judged)
            continue;
        lab_part(run, all ? 1.0 / SOIL_KERNEL_COUNT : 1.0);
        LabSetup setup = lab_setup(run, (SoilKernel)k, 5000, 1500);
        setup.kernel = (SoilKernel)k;
        Soil* soil = lab_scene_bed(&setup, BED_LAYERS, BED_SETTLE, run->jobs);
        if (!lab_made(run, soil))
            return;
        measure(run, soil, &beds[k]);
        ran[k] = true;
        if (k == judged)
            judge(run->report, &beds[k]);
        else
            mention(run->report, soil_kernel_name((SoilKernel)k), &beds[k]);
        if (k == judged && run->picture)
            draw_bed(run, lab_picture_tile(area, 2, 1, 0, 0), soil);
        lab_finish(run, soil);
    }
    run->report->kernel = soil_kernel_name((SoilKernel)judged);
    tabulate(&run->report->table, beds, ran);
    if (run->picture)
        draw_force(run, lab_picture_tile(area, 2, 1, 1, 0), beds, ran);
}
