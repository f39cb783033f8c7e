// column - a cylinder of dry sand is let go and spreads. Lube et al., J. Fluid Mech. 508 (2004):
// run-out (r - r0) / r0 = 1.24 a for a < 1.7, 1.6 sqrt(a) above; height 0.74 r0 for a > 0.74, else
// the middle stays as high as it was.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define COLUMN_RADIUS 12.5f // d
#define COLUMN_CASES  3
#define COLUMN_HEAPS  3    // figures are means: single columns scatter by 2 % of the height
#define COLUMN_REST   8.0  // s at most
#define COLUMN_RUNOUT 0.20 // of Lube's law
#define COLUMN_HEIGHT 0.15

static const float aspects[COLUMN_CASES] = {0.5f, 1.0f, 2.0f};

static double lube_runout(double aspect)
{
    return aspect < 1.7 ? 1.24 * aspect : 1.6 * sqrt(aspect);
}

static double lube_height(double aspect)
{
    return aspect < 0.74 ? aspect : 0.74;
}

typedef struct ColumnResult {
    double runout, height; // in units of r0
} ColumnResult;

static void draw(LabRun* run, PlotRect area, const Soil* soil, double r0, double aspect,
                 ColumnResult result)
{
    char title[96];
    snprintf(title, sizeof title, "a = %g:  run-out %.2f r0 (Lube %.2f),  height %.2f r0 (%.2f)",
             aspect, result.runout, lube_runout(aspect), result.height, lube_height(aspect));
    PlotRect view_area = plot_chart_heading(run->picture, area, NULL, title);
    view_area.h -= 40.0;
    double reach = 3.9 * r0, front = (1.0 + lube_runout(aspect)) * r0, top = aspect * r0;
    LabLook look = {.lo = {-reach, 0.0}, .hi = {reach, 2.05 * r0}};
    PlotView view = plot_view_fit(view_area, look.lo, look.hi, false);
    PlotColor before = plot_chart_faint(), law = plot_chart_color(0);
    for (int side = -1; side <= 1; side += 2)
        plot_view_line(run->picture, &view, side * r0, 0.0, side * r0, top, PLOT_DASH_SHORT,
                       before);
    plot_view_line(run->picture, &view, -r0, top, r0, top, PLOT_DASH_SHORT, before);
    lab_picture_soil(run, view_area, soil, look);
    plot_view_floor(run->picture, &view, -reach, reach, 0.0);
    for (int side = -1; side <= 1; side += 2)
        plot_view_line(run->picture, &view, side * front, 0.0, side * front, 0.3 * r0,
                       PLOT_DASH_SOLID, law);
    plot_view_ruler(run->picture, &view);
}

static void judge(LabReport* report, double aspect, ColumnResult result)
{
    char name[LAB_NAME_MAX];
    snprintf(name, sizeof name, "runout_over_lube_a%g", aspect);
    lab_report_near(report, name, "", result.runout / lube_runout(aspect), 1.0, COLUMN_RUNOUT);
    snprintf(name, sizeof name, "height_over_lube_a%g", aspect);
    lab_report_near(report, name, "", result.height / lube_height(aspect), 1.0, COLUMN_HEIGHT);
    lab_table_row(&report->table, (double[]){aspect, result.runout, lube_runout(aspect),
                                             result.height, lube_height(aspect)});
}

// The first of several columns, collapsed, or NULL after lab_fail(); `result` is the mean of all.
static Soil* collapse(LabRun* run, const LabSetup* setup, const LabColumn* column,
                      ColumnResult* result)
{
    Soil* first = NULL;
    double r0 = (double)column->radius;
    *result = (ColumnResult){0};
    for (int i = 0; i < COLUMN_HEAPS; ++i) {
        LabSetup other = *setup;
        other.seed += (uint64_t)i;
        Soil* soil = lab_scene_column(&other, column, run->jobs);
        if (!lab_made(run, soil)) {
            soil_destroy(first);
            return NULL;
        }
        lab_scene_open(soil, LAB_COLUMN_WALL);
        lab_scene_settle(soil, run->jobs, COLUMN_REST);
        double front = lab_measure_front(soil_state(soil), setup->radius) / r0 - 1.0;
        double summit = lab_measure_summit(soil_state(soil), setup->radius) / r0;
        result->runout += front / COLUMN_HEAPS, result->height += summit / COLUMN_HEAPS;
        lab_progress(run, (i + 1.0) / COLUMN_HEAPS);
        if (i == 0)
            first = soil;
        else
            lab_finish(run, soil);
    }
    return first;
}

void lab_column_run(LabRun* run)
{
    LabSoils soils;
    if (!lab_load_calibrated(run, &soils))
        return;
    LabSetup setup = lab_setup(run, SOIL_KERNEL_SPLIT, 0, 0);
    bool known = lab_use_material(run, &soils, "dry_sand", &setup);
    LabColumn column = {.radius = COLUMN_RADIUS * 2.0f * setup.radius};
    PlotRect area = {0};
    if (known && lab_picture_wanted(run, 1200, 1500))
        area = lab_picture_heading(run, "Columns of dry sand, let go",
                                   "dashed: the column before; blue: front after Lube et al. 2004");
    lab_table_columns(&run->report->table,
                      "aspect,runout_r0,lube_runout_r0,height_r0,lube_height_r0");

    for (int i = 0; i < COLUMN_CASES && known; ++i) {
        lab_part(run, i == 0 ? 0.15 : i == 1 ? 0.28 : 0.57);
        column.aspect = aspects[i];
        ColumnResult result;
        Soil* soil = collapse(run, &setup, &column, &result);
        if (!soil)
            break;
        judge(run->report, (double)column.aspect, result);
        if (run->picture)
            draw(run, lab_picture_tile(area, 1, COLUMN_CASES, 0, i), soil, (double)column.radius,
                 (double)column.aspect, result);
        lab_finish(run, soil);
    }
    lab_free_soils(&soils);
}
