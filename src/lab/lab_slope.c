// slope - a heap of loose soil set to 30 degrees is poured on flat ground; its angle is taken in
// sixteen directions, since a rule on a square grid likes some directions better than others.
#include "lab/lab_experiments.h"
#include "lab/lab_ground.h"
#include "lab/lab_picture.h"

#include <math.h>

#define SLOPE_SET        30.0 // degrees
#define SLOPE_LOW        0.5  // degrees that may be missing
#define SLOPE_HIGH       2.1  // degrees that may be too many
#define SLOPE_DIRECTIONS 16
#define SLOPE_POURS      200  // one per step
#define SLOPE_DRIFT      60.0 // s
#define SLOPE_POINTS     200

typedef struct Slope {
    double degrees[SLOPE_DIRECTIONS];
    double low, high, mean;
} Slope;

static Terrain* slope_pour(LabRun* run, int side, double kg, double* seconds)
{
    TerrainDef def = terrain_def(side, side);
    def.material_count = 1;
    def.material[0] = terrain_material(1800.0f, 1600.0f, (float)(34.0 * BASE_DEG), 0.0f,
                                       (float)(SLOPE_SET * BASE_DEG));
    Terrain* t = terrain_create(&def);
    if (!lab_ground_made(run, t))
        return NULL;
    Vec3 mid = terrain_center(t, terrain_cell(t, side / 2, side / 2));
    for (int k = 0; k < SLOPE_POURS; ++k) {
        terrain_deposit_around(t, mid.x, mid.z, 0.6f, 0, (uint32_t)(kg * 1e6 / SLOPE_POURS));
        terrain_settle(t, run->jobs);
        lab_progress(run, 0.5 * k / SLOPE_POURS);
    }
    *seconds = lab_ground_settle(t, run->jobs, 600.0);
    return t;
}

// Least squares between 20 and 80 % of the height, along a ray from the top.
static Slope slope_measure(const Terrain* t, double summit)
{
    int side = terrain_definition(t)->nx;
    Vec3 mid = terrain_center(t, terrain_cell(t, side / 2, side / 2));
    double reach = 0.5 * side * (double)terrain_definition(t)->cell;
    Slope s = {.low = 90.0};
    for (int k = 0; k < SLOPE_DIRECTIONS; ++k) {
        double a = 2.0 * BASE_PI * k / SLOPE_DIRECTIONS, x[SLOPE_POINTS], y[SLOPE_POINTS];
        int count = 0;
        for (int p = 0; p < SLOPE_POINTS; ++p) {
            double r = reach * p / SLOPE_POINTS;
            double h =
                (double)terrain_height(t, mid.x + (float)(r * cos(a)), mid.z + (float)(r * sin(a)));
            if (h >= 0.2 * summit && h <= 0.8 * summit)
                x[count] = r, y[count++] = h;
        }
        double offset, slope = 0.0;
        lab_measure_line(x, y, count, &offset, &slope);
        s.degrees[k] = atan(-slope) / BASE_DEG;
        s.low = fmin(s.low, s.degrees[k]), s.high = fmax(s.high, s.degrees[k]);
        s.mean += s.degrees[k] / SLOPE_DIRECTIONS;
    }
    return s;
}

// Plan view: one tint per tenth of the height, so that the contours can be seen to be round.
static void draw_plan(LabRun* run, PlotRect area, const Terrain* t, double summit)
{
    int side = terrain_definition(t)->nx;
    double size = area.w < area.h ? area.w : area.h, px = size / side;
    for (int cell = 0; cell < side * side; ++cell) {
        double h = (double)terrain_surface(t, cell) / summit;
        double band = floor(h * 10.0) / 10.0;
        PlotColor color = h > 0.0 ? plot_view_ramp(0.15 + 0.8 * band) : plot_color(0xe8e2d6);
        plot_rect(
            run->picture,
            (PlotRect){area.x + cell % side * px, area.y + cell / side * px, px + 0.5, px + 0.5},
            color, 1.0);
    }
}

static void draw(LabRun* run, const Terrain* t, const Slope* s, double summit)
{
    if (!lab_picture_wanted(run, 1500, 760))
        return;
    PlotRect area = lab_picture_heading(run, "A heap set to 30 degrees",
                                        "left: contours from above; right: its angle by direction");
    draw_plan(run, lab_picture_tile(area, 2, 1, 0, 0), t, summit);
    double x[SLOPE_DIRECTIONS], set[2] = {SLOPE_SET, SLOPE_SET}, span[2] = {0.0, 360.0};
    for (int k = 0; k < SLOPE_DIRECTIONS; ++k)
        x[k] = 360.0 * k / SLOPE_DIRECTIONS;
    PlotChart chart = {.title = "Angle of the slope",
                       .x_label = "direction (degrees)",
                       .y_label = "angle (degrees)",
                       .x_range = {0.0, 360.0},
                       .y_range = {SLOPE_SET - 1.0, SLOPE_SET + 2.5},
                       .count = 2};
    chart.series[0] = lab_picture_series("measured", 0, x, s->degrees, SLOPE_DIRECTIONS);
    chart.series[1] = lab_picture_series("set", 4, span, set, 2);
    chart.series[1].marker = PLOT_MARKER_NONE;
    plot_chart_draw(run->picture, lab_picture_tile(area, 2, 1, 1, 0), &chart);
}

void lab_slope_run(LabRun* run)
{
    double kg = run->options->quick ? 5000.0 : 60000.0, seconds = 0.0;
    lab_part(run, 1.0);
    Terrain* t = slope_pour(run, run->options->quick ? 61 : 131, kg, &seconds);
    if (!t)
        return;
    int side = terrain_definition(t)->nx;
    double summit = (double)terrain_surface(t, terrain_cell(t, side / 2, side / 2));
    Slope s = slope_measure(t, summit);
    lab_ground_settle(t, run->jobs, SLOPE_DRIFT);
    Slope later = slope_measure(t, summit);

    LabReport* report = run->report;
    lab_report_value(report, "mass", "kg", kg);
    lab_report_value(report, "height", "m", summit);
    lab_report_least(report, "lowest_angle", "deg", s.low, SLOPE_SET - SLOPE_LOW);
    lab_report_most(report, "highest_angle", "deg", s.high, SLOPE_SET + SLOPE_HIGH);
    lab_report_value(report, "mean_angle", "deg", s.mean);
    lab_report_near(report, "drift", "deg", later.mean - s.mean, 0.0, 0.0);
    lab_report_value(report, "settled_after", "s", seconds);
    lab_report_most(report, "steep_columns_at_rest", "", terrain_find_steep(t) >= 0, 0.0);
    lab_table_columns(&report->table, "direction_deg,angle_deg");
    for (int k = 0; k < SLOPE_DIRECTIONS; ++k)
        lab_table_row(&report->table, (double[]){360.0 * k / SLOPE_DIRECTIONS, s.degrees[k]});
    draw(run, t, &s, summit);
    lab_ground_finish(run, t);
}
