// incline - a block of grains that stick together lies on a plane without adhesion. It stays below
// the plane's friction angle and slides above. Gravity is tilted instead of the plane.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include "base/base_trig.h"

#include <math.h>
#include <stdlib.h>

#define INCLINE_GRAINS   150
#define INCLINE_LAYERS   3
#define INCLINE_ADHESION 100000.0f // Pa: a contact holds ten grains
#define INCLINE_SEARCH   3.0       // degrees either side of the expected angle
#define INCLINE_STEPS    7         // bisections: 6 degrees / 2^7 = 0.05 degrees
#define INCLINE_SLID     0.005     // m in the second second; 0.1 degrees too steep gives 26 mm
#define INCLINE_LIMIT    0.5       // degrees
#define INCLINE_CASES    3

static const float frictions[INCLINE_CASES] = {0.2f, 0.35f, 0.5f};

// The block, settled on level ground, as the source of positions.
static Soil* block(LabRun* run, const LabSetup* setup)
{
    Soil* soil = lab_scene_bed(setup, INCLINE_LAYERS, 5.0, run->jobs);
    lab_made(run, soil);
    return soil;
}

static double mean_x(const Soil* soil)
{
    const SoilState* s = soil_state(soil);
    double sum = 0.0;
    for (int i = 0; i < s->count; ++i)
        sum += (double)s->px[i] / s->count;
    return sum;
}

static Soil* tilted(LabRun* run, const LabSetup* setup, const Soil* from, float friction,
                    double degrees)
{
    LabSetup sticky = *setup;
    sticky.friction = 1.0f;
    sticky.adhesion = INCLINE_ADHESION;
    SoilDef def = lab_scene_def(&sticky);
    double g = (double)vec3_length(def.gravity), angle = degrees * BASE_DEG;
    def.gravity = vec3((float)(g * base_sin(angle)), (float)(-g * base_cos(angle)), 0);
    Soil* soil = soil_create(&def);
    if (!lab_made(run, soil))
        return NULL;
    SoilBoundary plane = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), friction);
    soil_add_boundary(soil, &plane);
    const SoilState* s = soil_state(from);
    for (int i = 0; i < s->count; ++i)
        soil_spawn(soil, vec3(s->px[i], s->py[i], s->pz[i]), vec3(0, 0, 0), s->radius[i],
                   s->mass[i], 0);
    return soil;
}

// Metres moved in the second second; NaN when it could not run.
static double slide(LabRun* run, const LabSetup* setup, const Soil* from, float friction,
                    double degrees)
{
    Soil* soil = tilted(run, setup, from, friction, degrees);
    if (!soil)
        return (double)NAN;
    lab_scene_run(soil, run->jobs, 1.0);
    double start = mean_x(soil);
    lab_scene_run(soil, run->jobs, 1.0);
    double moved = mean_x(soil) - start;
    lab_finish(run, soil);
    return moved;
}

typedef struct InclineCurve {
    int count;
    double degrees[INCLINE_STEPS + 2]; // from the expected angle
    double moved[INCLINE_STEPS + 2];   // mm
} InclineCurve;

static void note(LabRun* run, InclineCurve* curve, float friction, double expected, double degrees,
                 double moved)
{
    int i = curve->count++;
    for (; i > 0 && curve->degrees[i - 1] > degrees - expected; --i) {
        curve->degrees[i] = curve->degrees[i - 1];
        curve->moved[i] = curve->moved[i - 1];
    }
    curve->degrees[i] = degrees - expected;
    curve->moved[i] = 1e3 * moved;
    lab_table_row(&run->report->table, (double[]){(double)friction, degrees, moved});
}

// The angle between staying and sliding, by bisection.
static double critical(LabRun* run, const LabSetup* setup, const Soil* from, float friction,
                       double expected, InclineCurve* curve)
{
    double low = expected - INCLINE_SEARCH, high = expected + INCLINE_SEARCH;
    note(run, curve, friction, expected, low, slide(run, setup, from, friction, low));
    note(run, curve, friction, expected, high, slide(run, setup, from, friction, high));
    for (int i = 0; i < INCLINE_STEPS && !run->report->failed; ++i) {
        double middle = 0.5 * (low + high);
        double moved = slide(run, setup, from, friction, middle);
        note(run, curve, friction, expected, middle, moved);
        if (moved > INCLINE_SLID)
            high = middle;
        else
            low = middle;
        lab_progress(run, (i + 1.0) / INCLINE_STEPS);
    }
    return 0.5 * (low + high);
}

static void draw(LabRun* run, const InclineCurve* curve)
{
    if (!lab_picture_wanted(run, 1000, 720))
        return;
    static const char* const names[INCLINE_CASES] = {"μ = 0.20", "μ = 0.35", "μ = 0.50"};
    PlotChart chart = {.title = "A block of grains on a tilted plane",
                       .subtitle = "way in one second, against the tilt beyond atan μ",
                       .x_label = "tilt − atan μ (degrees)",
                       .y_label = "way (mm)",
                       .count = INCLINE_CASES};
    for (int i = 0; i < INCLINE_CASES; ++i)
        chart.series[i] =
            lab_picture_series(names[i], i, curve[i].degrees, curve[i].moved, curve[i].count);
    plot_chart_draw(run->picture, lab_picture_heading(run, NULL, NULL), &chart);
}

void lab_incline_run(LabRun* run)
{
    LabSetup setup = lab_setup(run, SOIL_KERNEL_SPLIT, INCLINE_GRAINS, INCLINE_GRAINS);
    InclineCurve curve[INCLINE_CASES] = {{0}};
    lab_table_columns(&run->report->table, "friction,tilt_deg,moved_m");
    Soil* from = block(run, &setup);
    for (int i = 0; i < INCLINE_CASES && !run->report->failed; ++i) {
        lab_part(run, 1.0 / INCLINE_CASES);
        double expected = base_atan((double)frictions[i]) / BASE_DEG;
        double angle = critical(run, &setup, from, frictions[i], expected, &curve[i]);
        char name[LAB_NAME_MAX];
        snprintf(name, sizeof name, "slides_at_mu_%.2f", (double)frictions[i]);
        lab_report_near(run->report, name, "deg", angle, expected, INCLINE_LIMIT);
    }
    soil_destroy(from);
    draw(run, curve);
}
