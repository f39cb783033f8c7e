// pile - 2000 grains poured to a heap: little friction, much friction, little friction with
// adhesion (P2 Fig. 3).
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include "base/base_trig.h"

#include <math.h>

#define PILE_GRAINS     2000
#define PILE_QUICK      1000
#define PILE_ITERATIONS 10
#define PILE_EPSILON    0.5f
#define PILE_SLEEP      0.0003f // m
#define PILE_SETTLE     4.0     // s
#define PILE_CASES      3
#define PILE_APART      1.0 // degrees between neighbours in the order

typedef struct PileCase {
    const char* name;
    const char* title;
    double friction; // degrees
    float adhesion;  // Pa
} PileCase;

static const PileCase cases[PILE_CASES] = {
    {"I", "I   friction 5°", 5.0, 0.0f},
    {"II", "II   friction 30°", 30.0, 0.0f},
    {"III", "III   friction 5°, adhesion 1000 Pa", 5.0, 1000.0f},
};

Soil* lab_pile_pour(LabRun* run, const LabSetup* setup, const SoilDef* def, LabSlope* slope)
{
    LabProfile profile;
    Soil* soil = lab_scene_cone(setup, def, PILE_SETTLE, run->jobs);
    if (!lab_made(run, soil))
        return NULL;
    *slope = lab_measure_cone(soil_state(soil), setup->radius, &profile);
    return soil;
}

static void draw(LabRun* run, PlotRect area, const PileCase* pile, const Soil* soil,
                 const LabSlope* slope)
{
    PlotRect view_area = plot_chart_heading(run->picture, area, NULL, pile->title);
    view_area.h -= 44.0;
    double reach = 2.2, cx = slope->center_x;
    LabLook look = {.lo = {cx - reach, 0.0}, .hi = {cx + reach, 1.1}};
    PlotView view = lab_picture_soil(run, view_area, soil, look);
    plot_view_floor(run->picture, &view, look.lo[0], look.hi[0], 0.0);
    lab_picture_slope(run, &view, slope, cx, 1.0);
    plot_view_ruler(run->picture, &view);
}

void lab_pile_run(LabRun* run)
{
    double slopes[PILE_CASES];
    PlotRect area = {0};
    if (lab_picture_wanted(run, 1800, 430)) {
        char subtitle[96];
        snprintf(subtitle, sizeof subtitle,
                 "%d grains poured; P² with 10 iterations, ε = 0.5 and sleeping",
                 lab_setup(run, SOIL_KERNEL_P2, PILE_GRAINS, PILE_QUICK).grains);
        area = lab_picture_heading(run, "Friction and adhesion shape a heap", subtitle);
    }
    lab_table_columns(&run->report->table, "friction_deg,adhesion_pa,slope_deg,height_m");

    for (int i = 0; i < PILE_CASES; ++i) {
        lab_part(run, 1.0 / PILE_CASES);
        LabSetup setup = lab_setup(run, SOIL_KERNEL_P2, PILE_GRAINS, PILE_QUICK);
        double angle = cases[i].friction * BASE_DEG;
        setup.friction = (float)(base_sin(angle) / base_cos(angle));
        setup.adhesion = cases[i].adhesion;
        if (setup.iterations == 0)
            setup.iterations = PILE_ITERATIONS;
        SoilDef def = lab_scene_def(&setup);
        def.error_reduction = PILE_EPSILON;
        def.sleep_distance = PILE_SLEEP;

        LabSlope slope;
        Soil* soil = lab_pile_pour(run, &setup, &def, &slope);
        if (!soil)
            return;
        char name[LAB_NAME_MAX];
        snprintf(name, sizeof name, "slope_%s", cases[i].name);
        lab_report_value(run->report, name, "deg", slope.degrees);
        lab_table_row(&run->report->table, (double[]){cases[i].friction, (double)cases[i].adhesion,
                                                      slope.degrees, slope.height});
        if (run->picture)
            draw(run, lab_picture_tile(area, PILE_CASES, 1, i, 0), &cases[i], soil, &slope);
        slopes[i] = slope.degrees;
        lab_finish(run, soil);
    }
    lab_report_least(run->report, "slope_III_above_I", "deg", slopes[2] - slopes[0], PILE_APART);
    lab_report_least(run->report, "slope_II_above_III", "deg", slopes[1] - slopes[2], PILE_APART);
}
