// hopper - dry sand flows through square holes. The rate must not depend on time, and must grow as
// (D - 1.4 d)^2.5 (Beverloo et al., Chem. Eng. Sci. 15, 1961).
//
// Fit: least squares of log W against log(D - 1.4 d) over the holes, W the mean rate after the
// start. Variation: standard deviation of the means of windows over the mean of all. A window lasts
// two seconds and at least until a thousand grains have fallen: a count of n grains scatters by
// 1 / sqrt(n) although nothing changes, 5 % for the 400 that pass a hole of 5 d in two seconds.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define HOPPER_GRAINS  14000
#define HOPPER_WIDTH   25.0f // d, 2.5 times the widest hole
#define HOPPER_QUICK   5000  // in a narrower box
#define HOPPER_NARROW  20.0f // d
#define HOPPER_HOLES   5
#define HOPPER_START   2.0  // s until the flow is developed
#define HOPPER_WINDOW  2.0  // s at least
#define HOPPER_COUNT   1000 // grains at least in a window
#define HOPPER_LIMIT   20.0 // s at most: a hole that has jammed
#define HOPPER_WINDOWS 6
#define HOPPER_K       1.4 // grains do not pass at the rim: D - k d

// A quick run takes every second hole.
static const float holes[HOPPER_HOLES] = {5.0f, 6.0f, 7.0f, 8.5f, 10.0f}; // d

typedef struct HopperResult {
    double rate;      // kg/s
    double variation; // standard deviation over the mean
} HopperResult;

// Lets at least so many grains fall, for at least so many seconds; returns kg/s and the time taken.
static double rate_over(LabRun* run, Soil* soil, LabHopper* hopper, int count, double least_seconds,
                        double* seconds)
{
    double dt = (double)soil_definition(soil)->dt;
    int least = (int)(least_seconds / dt + 0.5), most = (int)(HOPPER_LIMIT / dt);
    int frames = 0, fallen = 0;
    for (; frames < least || (fallen < count && frames < most); ++frames)
        fallen += lab_scene_hopper_step(soil, hopper, run->jobs);
    *seconds = frames * dt;
    return fallen * (lab_scene_mass((float)soil_definition(soil)->radius_max) * 1e-6) / *seconds;
}

static HopperResult flow(LabRun* run, Soil* soil, LabHopper* hopper)
{
    const int windows = HOPPER_WINDOWS;
    double rates[HOPPER_WINDOWS], time, seconds;
    double hole_d = (double)(hopper->orifice / (2.0f * soil_definition(soil)->radius_max));
    HopperResult result = {0};
    lab_scene_open(soil, LAB_HOPPER_LID);
    rate_over(run, soil, hopper, 0, HOPPER_START, &time);
    for (int i = 0; i < windows; ++i) {
        rates[i] = rate_over(run, soil, hopper, HOPPER_COUNT, HOPPER_WINDOW, &seconds);
        time += seconds;
        result.rate += rates[i] / windows;
        lab_table_row(&run->report->table, (double[]){hole_d, time, rates[i]});
        lab_progress(run, 0.2 + 0.8 * (i + 1) / windows);
    }
    double squares = 0.0;
    for (int i = 0; i < windows; ++i)
        squares += (rates[i] - result.rate) * (rates[i] - result.rate);
    result.variation = sqrt(squares / (windows - 1)) / result.rate;
    return result;
}

static void draw_soil(LabRun* run, PlotRect area, const Soil* soil, const LabHopper* hopper)
{
    double half = 0.5 * (double)hopper->width, hole = 0.5 * (double)hopper->orifice;
    LabLook look = {.lo = {-half, -0.75}, .hi = {half, (double)hopper->top}, .speed = 1.5};
    // the front half is cut away, so that the stream is seen
    look.near_z = 0.05;
    area.h -= 40.0;
    PlotView view = lab_picture_soil(run, area, soil, look);
    plot_view_wall(run->picture, &view, -half, 0.0, -half, look.hi[1]);
    plot_view_wall(run->picture, &view, half, 0.0, half, look.hi[1]);
    plot_view_wall(run->picture, &view, -half, 0.0, -hole, 0.0);
    plot_view_wall(run->picture, &view, hole, 0.0, half, 0.0);
    plot_view_ruler(run->picture, &view);
}

static void draw_rates(LabRun* run, PlotRect area, const double* free, const double* rate,
                       int count, double offset, double exponent)
{
    double law[HOPPER_HOLES];
    for (int i = 0; i < count; ++i)
        law[i] = exp(offset + exponent * log(free[i]));
    char fitted[64];
    snprintf(fitted, sizeof fitted, "fit, exponent %.2f", exponent);
    PlotChart chart = {.x_label = "D − 1.4 d (m)",
                       .y_label = "rate (kg/s)",
                       .x_log = true,
                       .y_log = true,
                       .x_range = {0.3, 1.0},
                       .count = 2};
    chart.series[0] = lab_picture_series("measured", 0, free, rate, count);
    chart.series[0].line = false;
    chart.series[1] = lab_picture_series(fitted, 1, free, law, count);
    chart.series[1].marker = PLOT_MARKER_NONE;
    plot_chart_draw(run->picture, area, &chart);
}

// Judges the exponent and draws the fit.
static void fit(LabRun* run, PlotRect area, const double* free, const double* rate, int count)
{
    double x[HOPPER_HOLES], y[HOPPER_HOLES], offset = 0.0, exponent = 0.0;
    for (int i = 0; i < count; ++i)
        x[i] = log(free[i]), y[i] = log(rate[i]);
    lab_measure_line(x, y, count, &offset, &exponent);
    lab_report_near(run->report, "exponent", "", exponent, 2.5, 0.15);
    if (run->picture)
        draw_rates(run, lab_picture_tile(area, 2, 1, 1, 0), free, rate, count, offset, exponent);
}

static bool run_hole(LabRun* run, const LabSetup* setup, PlotRect area, int i, double* rate)
{
    LabHopper hopper;
    float d = 2.0f * setup->radius;
    lab_part(run, (run->options->quick ? 2.0 : 1.0) / HOPPER_HOLES);
    float width = (run->options->quick ? HOPPER_NARROW : HOPPER_WIDTH) * d;
    Soil* soil = lab_scene_hopper(setup, &hopper, width, holes[i] * d, run->jobs);
    if (!lab_made(run, soil))
        return false;
    HopperResult result = flow(run, soil, &hopper);
    char name[LAB_NAME_MAX];
    snprintf(name, sizeof name, "rate_%gd", (double)holes[i]);
    lab_report_value(run->report, name, "kg/s", result.rate);
    snprintf(name, sizeof name, "variation_%gd", (double)holes[i]);
    lab_report_most(run->report, name, "", result.variation, 0.05);
    if (run->picture && i == HOPPER_HOLES - 1)
        draw_soil(run, lab_picture_tile(area, 2, 1, 0, 0), soil, &hopper);
    *rate = result.rate;
    lab_finish(run, soil);
    return true;
}

void lab_hopper_run(LabRun* run)
{
    LabSoils soils;
    if (!lab_load_calibrated(run, &soils))
        return;
    LabSetup setup = lab_setup(run, SOIL_KERNEL_SPLIT, HOPPER_GRAINS, HOPPER_QUICK);
    bool fine = lab_use_material(run, &soils, "dry_sand", &setup);
    double free[HOPPER_HOLES], rate[HOPPER_HOLES], d = 2.0 * (double)setup.radius;
    PlotRect area = {0};
    if (fine && lab_picture_wanted(run, 1500, 760))
        area = lab_picture_heading(run, "Dry sand runs out of a square hole",
                                   "left: a cut through the middle, bright is fast (1.5 m/s)");
    lab_table_columns(&run->report->table, "hole_d,time_s,rate_kg_s");
    int count = 0;
    for (int i = 0; i < HOPPER_HOLES && fine; i += run->options->quick ? 2 : 1, ++count) {
        free[count] = (double)holes[i] * d - HOPPER_K * d;
        fine = run_hole(run, &setup, area, i, &rate[count]);
    }
    if (fine)
        fit(run, area, free, rate, count);
    lab_free_soils(&soils);
}
