// wall - a slab leans on a wall; the wall is taken away, and the slope that stays must be the
// material's repose angle, and stay.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define WALL_GRAINS 6000 // of 50 mm; of other sizes as many as make a slab of the same height
#define WALL_FEWEST 1500
#define WALL_MOST   100000
#define WALL_HEAPS  3    // per material
#define WALL_SEED   1000 // heaps that the calibration has not seen
#define WALL_FILL   15.0 // s: at rest after three, and pushed apart where it fell hard
#define WALL_QUICK  9.0  // s, instead, when time is short
#define WALL_SLIDE  20.0 // s: the slope is there after two, the last stray has stopped at fourteen
#define WALL_DRIFT  60.0 // s
#define WALL_LIMIT  2.0  // degrees
#define WALL_CREEP  0.5  // degrees
// A quick run has one heap per material, hardly settled: it may miss by what single heaps scatter.
#define WALL_LIMIT_ONE 4.0 // degrees
#define WALL_CREEP_ONE 1.5 // degrees

int lab_wall_grains(const LabRun* run)
{
    // what sticks stands steeper the lower it is, so a slab keeps its height whatever the grains
    double radius = (double)lab_setup(run, SOIL_KERNEL_SPLIT, 1, 1).radius;
    double ratio = (double)LAB_SCENE_RADIUS / radius;
    return base_maxi(WALL_FEWEST, base_mini((int)(WALL_GRAINS * ratio * ratio + 0.5), WALL_MOST));
}

static LabSlope wedge(const Soil* soil, const LabSetup* setup, LabProfile* profile)
{
    return lab_measure_wedge(soil_state(soil), setup->radius, lab_scene_slab_size(setup).width,
                             profile);
}

static Soil* one_heap(LabRun* run, const LabSetup* setup, LabSlope* slope)
{
    Soil* soil = lab_scene_slab(setup, 0.0, run->jobs);
    if (!lab_made(run, soil))
        return NULL;
    lab_scene_run(soil, run->jobs, run->options->quick ? WALL_QUICK : WALL_FILL);
    lab_scene_open(soil, LAB_SLAB_WALL);
    lab_scene_run(soil, run->jobs, WALL_SLIDE);
    LabProfile profile;
    *slope = wedge(soil, setup, &profile);
    return soil;
}

Soil* lab_wall_remove(LabRun* run, const LabSetup* setup, int heaps, double drift_seconds,
                      LabWall* out)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    Soil* first = NULL;
    *out = (LabWall){0};
    for (int i = 0; i < heaps; ++i) {
        LabSetup other = *setup;
        LabSlope slope;
        other.seed += (uint64_t)i;
        Soil* soil = one_heap(run, &other, &slope);
        if (!soil) {
            soil_destroy(first);
            return NULL;
        }
        out->degrees += slope.degrees / heaps;
        low = fmin(low, slope.degrees), high = fmax(high, slope.degrees);
        if (i == 0)
            first = soil, out->slope = slope;
        else
            lab_finish(run, soil);
    }
    out->spread = high - low;
    lab_scene_run(first, run->jobs, drift_seconds);
    LabProfile profile;
    wedge(first, setup, &profile);
    out->drift = lab_measure_again(&profile, &out->slope) - out->slope.degrees;
    return first;
}

static void draw(LabRun* run, PlotRect area, int index, const Material* material, const Soil* soil,
                 const LabSetup* setup, const LabWall* wall)
{
    char title[96];
    snprintf(title, sizeof title, "%s, set point %.0f°", material->name,
             (double)material->repose / BASE_DEG);
    PlotRect view_area = plot_chart_heading(run->picture, area, NULL, title);
    view_area.h -= 44.0;
    LabSlab slab = lab_scene_slab_size(setup);
    LabLook look = {.lo = {0.0, 0.0},
                    .hi = {1.75 * (double)slab.length, 1.15 * (double)slab.height},
                    .material = index};
    PlotView view = lab_picture_soil(run, view_area, soil, look);
    plot_view_floor(run->picture, &view, look.lo[0], look.hi[0], 0.0);
    plot_view_wall(run->picture, &view, 0.0, 0.0, 0.0, look.hi[1]);
    lab_picture_slope(run, &view, &wall->slope, 0.0, 1.0);
    plot_view_ruler(run->picture, &view);
}

static void judge(LabReport* report, bool quick, const Material* material, const LabSetup* setup,
                  const LabWall* wall)
{
    char name[LAB_NAME_MAX];
    double repose = (double)material->repose / BASE_DEG;
    snprintf(name, sizeof name, "%s.slope", material->name);
    lab_report_near(report, name, "deg", wall->degrees, repose,
                    quick ? WALL_LIMIT_ONE : WALL_LIMIT);
    snprintf(name, sizeof name, "%s.spread", material->name);
    lab_report_value(report, name, "deg", wall->spread);
    snprintf(name, sizeof name, "%s.drift", material->name);
    lab_report_most(report, name, "deg", fabs(wall->drift), quick ? WALL_CREEP_ONE : WALL_CREEP);
    lab_table_row(&report->table, (double[]){(double)setup->friction, (double)setup->adhesion,
                                             repose, wall->degrees, wall->spread, wall->drift});
}

void lab_wall_run(LabRun* run)
{
    LabSoils soils;
    if (!lab_load_calibrated(run, &soils))
        return;
    int rows = (soils.set.count + 1) / 2, grains = lab_wall_grains(run);
    PlotRect area = {0};
    if (lab_picture_wanted(run, 1700, 130 + 330 * rows))
        area = lab_picture_heading(run, "The slope that stays when the wall is taken away",
                                   "grains calibrated per material");
    lab_table_columns(&run->report->table,
                      "friction,adhesion_pa,set_deg,slope_deg,spread_deg,drift_deg");

    for (int i = 0; i < soils.set.count; ++i) {
        const Material* material = &soils.set.materials[i];
        lab_part(run, 1.0 / soils.set.count);
        LabSetup setup = lab_setup(run, SOIL_KERNEL_SPLIT, grains, grains);
        LabWall wall;
        if (!lab_use_material(run, &soils, material->name, &setup))
            break;
        setup.seed += WALL_SEED;
        double drift = run->options->quick ? 10.0 : WALL_DRIFT;
        Soil* soil =
            lab_wall_remove(run, &setup, run->options->quick ? 1 : WALL_HEAPS, drift, &wall);
        if (!soil)
            break;
        judge(run->report, run->options->quick, material, &setup, &wall);
        if (run->picture)
            draw(run, lab_picture_tile(area, 2, rows, i % 2, i / 2), i, material, soil, &setup,
                 &wall);
        lab_finish(run, soil);
    }
    lab_free_soils(&soils);
}
