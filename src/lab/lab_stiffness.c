// stiffness - the slope of a poured heap by solver and iterations, and what error reduction brings
// (P2 Fig. 5). Without sleeping: the slope is what the solver itself can hold.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define STIFFNESS_GRAINS   2000
#define STIFFNESS_QUICK    700
#define STIFFNESS_FRICTION 0.5f
#define STIFFNESS_EPSILON  0.5f
#define STIFFNESS_COUNTS   4
#define STIFFNESS_NEAR     5.0 // degrees between "close to" each other
#define STIFFNESS_SLACK    1.0 // degrees by which Gauss-Seidel may be worse at equal iterations

static const int counts[STIFFNESS_COUNTS] = {5, 10, 20, 40};

static double slope_of(LabRun* run, SoilKernel kernel, int iterations, float epsilon)
{
    LabSetup setup = lab_setup(run, kernel, STIFFNESS_GRAINS, STIFFNESS_QUICK);
    setup.kernel = kernel;
    setup.iterations = iterations;
    setup.friction = STIFFNESS_FRICTION;
    SoilDef def = lab_scene_def(&setup);
    def.error_reduction = epsilon;
    LabSlope slope;
    Soil* soil = lab_pile_pour(run, &setup, &def, &slope);
    if (!soil)
        return (double)NAN;
    lab_finish(run, soil);
    lab_table_row(&run->report->table,
                  (double[]){kernel, iterations, (double)epsilon, slope.degrees});
    return slope.degrees;
}

static void report_slope(LabReport* report, const char* what, int iterations, double degrees)
{
    char name[LAB_NAME_MAX];
    snprintf(name, sizeof name, "slope_%s_%d", what, iterations);
    lab_report_value(report, name, "deg", degrees);
}

static void draw(LabRun* run, const double* p2, const double* gs, double reduced)
{
    if (!lab_picture_wanted(run, 1000, 720))
        return;
    double x[STIFFNESS_COUNTS], one[1] = {10.0};
    for (int i = 0; i < STIFFNESS_COUNTS; ++i)
        x[i] = counts[i];
    PlotChart chart = {.title = "Slope of a heap by solver and iterations",
                       .subtitle = "poured, μ = 0.5, no sleeping (P² Fig. 5)",
                       .x_label = "iterations per frame",
                       .y_label = "slope (degrees)",
                       .x_range = {0.0, 42.0},
                       .y_range = {0.0, 45.0},
                       .count = 3};
    chart.series[0] = lab_picture_series("Gauss-Seidel", 0, x, gs, STIFFNESS_COUNTS);
    chart.series[1] = lab_picture_series("P²", 1, x, p2, STIFFNESS_COUNTS);
    chart.series[2] = lab_picture_series("P², error reduction ε = 0.5", 3, one, &reduced, 1);
    chart.series[2].line = false;
    plot_chart_draw(run->picture, lab_picture_heading(run, NULL, NULL), &chart);
}

void lab_stiffness_run(LabRun* run)
{
    double p2[STIFFNESS_COUNTS], gs[STIFFNESS_COUNTS], worst = HUGE_VAL;
    lab_table_columns(&run->report->table, "kernel,iterations,epsilon,slope_deg");
    for (int i = 0; i < STIFFNESS_COUNTS && !run->report->failed; ++i) {
        lab_part(run, 0.02 * counts[i] / 5.0);
        p2[i] = slope_of(run, SOIL_KERNEL_P2, counts[i], 0.0f);
        report_slope(run->report, "p2", counts[i], p2[i]);
        lab_part(run, 0.04 * counts[i] / 5.0);
        gs[i] = slope_of(run, SOIL_KERNEL_GS, counts[i], 0.0f);
        report_slope(run->report, "gs", counts[i], gs[i]);
        worst = fmin(worst, gs[i] - p2[i]);
    }
    if (run->report->failed)
        return;
    lab_part(run, 0.04);
    double reduced = slope_of(run, SOIL_KERNEL_P2, 10, STIFFNESS_EPSILON);
    lab_report_near(run->report, "slope_p2_reduced_10", "deg", reduced, gs[STIFFNESS_COUNTS - 1],
                    STIFFNESS_NEAR);
    lab_report_least(run->report, "slope_gs_above_p2", "deg", worst, -STIFFNESS_SLACK);
    run->report->kernel = soil_kernel_name(SOIL_KERNEL_P2);
    draw(run, p2, gs, reduced);
}
