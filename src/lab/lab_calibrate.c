// calibrate - which grains stand like this soil? Grains without rotation need less friction than
// tan(phi), so it is found by experiment: the slope that stays when a wall is taken away.
//
//   adhesion: a tenth of the cohesion, which is that of undisturbed soil; grains are dumped soil.
//             More than 2 kPa would let the slab of the experiment stand upright.
//   friction: such that the slope is the repose angle, with that adhesion
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include "base/base_log.h"

#include <math.h>
#include <time.h>

#define CALIBRATE_QUICK 1500
#define CALIBRATE_CURVE 8
#define CALIBRATE_KEPT  0.1    // of the cohesion stays in dumped soil
#define CALIBRATE_MOST  2000.0 // Pa
#define CALIBRATE_HEAPS 4      // slopes are means over as many heaps
#define CALIBRATE_NEAR  0.5    // degrees: near enough
#define CALIBRATE_TRIES 4

static const float frictions[CALIBRATE_CURVE] = {0.05f, 0.1f, 0.15f, 0.2f,
                                                 0.25f, 0.3f, 0.35f, 0.4f};

typedef struct Calibration {
    LabRun* run;
    LabSetup setup;
    MaterialPoint curve[CALIBRATE_CURVE];
    MaterialGrain grains[MATERIAL_MAX];
    int count;
} Calibration;

// Degrees, mean over the heaps; NaN when it could not run.
static double slope_of(Calibration* c, double friction, double adhesion)
{
    LabSetup setup = c->setup;
    LabWall wall;
    setup.friction = (float)friction;
    setup.adhesion = (float)adhesion;
    Soil* soil = lab_wall_remove(c->run, &setup, CALIBRATE_HEAPS, 0.0, &wall);
    if (!soil)
        return (double)NAN;
    lab_finish(c->run, soil);
    lab_table_row(&c->run->report->table,
                  (double[]){friction, adhesion, wall.degrees, wall.spread});
    return wall.degrees;
}

static void make_curve(Calibration* c)
{
    for (int i = 0; i < CALIBRATE_CURVE && !c->run->report->failed; ++i) {
        double slope = slope_of(c, (double)frictions[i], 0.0);
        c->curve[i] = (MaterialPoint){frictions[i], (float)(slope * BASE_DEG)};
        lab_progress(c->run, (i + 1.0) / CALIBRATE_CURVE);
    }
}

static double between(double x0, double y0, double x1, double y1, double y)
{
    return y1 > y0 ? x0 + (x1 - x0) * (y - y0) / (y1 - y0) : x1;
}

// Friction whose slope without adhesion is `wanted` degrees: the curve, read backwards.
static double curve_friction(const Calibration* c, double wanted)
{
    int i = 1;
    while (i < CALIBRATE_CURVE - 1 && (double)c->curve[i].slope / BASE_DEG < wanted)
        ++i;
    double friction = between((double)frictions[i - 1], (double)c->curve[i - 1].slope / BASE_DEG,
                              (double)frictions[i], (double)c->curve[i].slope / BASE_DEG, wanted);
    return fmax(friction, 0.0);
}

// Reads the curve, tries, and shifts the curve by what was wrong, until it fits.
static MaterialGrain find_grain(Calibration* c, const Material* m)
{
    double wanted = (double)m->repose / BASE_DEG, shift = 0.0, best = HUGE_VAL;
    double adhesion = fmin(CALIBRATE_KEPT * (double)m->cohesion, CALIBRATE_MOST);
    MaterialGrain grain = {.name = m->name, .adhesion = (float)adhesion};
    for (int i = 0; i < CALIBRATE_TRIES && best > CALIBRATE_NEAR && !c->run->report->failed; ++i) {
        double friction = curve_friction(c, wanted - shift);
        double slope = slope_of(c, friction, adhesion);
        lab_progress(c->run, (i + 1.0) / CALIBRATE_TRIES);
        if (fabs(slope - wanted) < best) {
            best = fabs(slope - wanted);
            grain.friction = (float)friction;
            grain.slope = (float)(slope * BASE_DEG);
        }
        shift += slope - wanted;
    }
    return grain;
}

static void judge(Calibration* c, const Material* m, const MaterialGrain* grain)
{
    char name[LAB_NAME_MAX];
    snprintf(name, sizeof name, "%s.friction", m->name);
    lab_report_value(c->run->report, name, "", (double)grain->friction);
    snprintf(name, sizeof name, "%s.adhesion", m->name);
    lab_report_value(c->run->report, name, "Pa", (double)grain->adhesion);
    snprintf(name, sizeof name, "%s.slope", m->name);
    lab_report_near(c->run->report, name, "deg", (double)grain->slope / BASE_DEG,
                    (double)m->repose / BASE_DEG, 1.0);
}

static void save(Calibration* c, const char* path)
{
    char date[16];
    time_t now = time(NULL);
    struct tm day;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &day));
    SoilDef def = lab_scene_def(&c->setup);
    MaterialCalibration calibration = {.kernel = soil_kernel_name(def.kernel),
                                       .substeps = def.substeps,
                                       .iterations = def.iterations,
                                       .date = date,
                                       .seed = (int)c->setup.seed,
                                       .grains = c->setup.grains,
                                       .radius = c->setup.radius,
                                       .curve = c->curve,
                                       .curve_count = CALIBRATE_CURVE,
                                       .materials = c->grains,
                                       .count = c->count};
    FILE* file = fopen(path, "w");
    bool fine = file && material_save_calibration(&calibration, file);
    if (file && fclose(file) != 0)
        fine = false;
    if (!fine) {
        base_error("%s: the calibration could not be written; does the folder exist?", path);
        lab_fail(c->run, LAB_EXIT_FILE, NULL);
    }
}

static void draw(Calibration* c)
{
    if (!lab_picture_wanted(c->run, 1000, 720))
        return;
    double x[CALIBRATE_CURVE], y[CALIBRATE_CURVE], mx[MATERIAL_MAX], my[MATERIAL_MAX];
    for (int i = 0; i < CALIBRATE_CURVE; ++i)
        x[i] = (double)c->curve[i].friction, y[i] = (double)c->curve[i].slope / BASE_DEG;
    for (int i = 0; i < c->count; ++i)
        mx[i] = (double)c->grains[i].friction, my[i] = (double)c->grains[i].slope / BASE_DEG;
    PlotChart chart = {.title = "From grain friction to slope",
                       .subtitle = "the slope that stays when a wall is taken away",
                       .x_label = "friction μ of the grains",
                       .y_label = "slope (degrees)",
                       .x_range = {0.0, 0.45},
                       .count = 2};
    chart.series[0] = lab_picture_series("no adhesion", 0, x, y, CALIBRATE_CURVE);
    chart.series[1] = lab_picture_series("materials, with their adhesion", 1, mx, my, c->count);
    chart.series[1].line = false;
    plot_chart_draw(c->run->picture, lab_picture_heading(c->run, NULL, NULL), &chart);
}

void lab_calibrate_run(LabRun* run)
{
    LabSoils soils;
    if (!lab_load_materials(run, &soils))
        return;
    Calibration c = {.run = run,
                     .setup =
                         lab_setup(run, SOIL_KERNEL_SPLIT, lab_wall_grains(run), CALIBRATE_QUICK)};
    lab_table_columns(&run->report->table, "friction,adhesion_pa,slope_deg,spread_deg");
    lab_part(run, 0.3);
    make_curve(&c);
    for (int i = 0; i < soils.set.count && !run->report->failed; ++i) {
        lab_part(run, 0.7 / soils.set.count);
        c.grains[c.count++] = find_grain(&c, &soils.set.materials[i]);
        judge(&c, &soils.set.materials[i], &c.grains[i]);
    }
    if (!run->report->failed && run->options->out)
        save(&c, run->options->out);
    draw(&c);
    lab_free_soils(&soils);
}
