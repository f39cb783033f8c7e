// calibrate - which grains stand like this soil? Grains without rotation need less friction than
// tan(phi), so it is found by experiment: the slope that stays when a wall is taken away.
//
//   no cohesion:   friction such that the slope is the repose angle
//   cohesion:      friction such that the slope without adhesion is the smaller of phi and repose;
//                  then adhesion lifts the slope to the repose angle
//
// Undisturbed cohesion is far stronger than that of dumped soil, which is what grains are.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include "base/base_log.h"

#include <math.h>
#include <time.h>

#define CALIBRATE_GRAINS 6000
#define CALIBRATE_QUICK  1500
#define CALIBRATE_CURVE  9
#define CALIBRATE_STEPS  6       // bisections
#define CALIBRATE_NEAR   0.5     // degrees: near enough to stop
#define CALIBRATE_SEEDS  2       // slopes are means over as many heaps
#define CALIBRATE_MOST   20000.0 // Pa, adhesion searched up to

static const float frictions[CALIBRATE_CURVE] = {0.05f, 0.1f, 0.15f, 0.2f, 0.25f,
                                                 0.3f,  0.4f, 0.5f,  0.6f};

typedef struct Calibration {
    LabRun* run;
    LabSetup setup;
    MaterialPoint curve[CALIBRATE_CURVE];
    MaterialGrain grains[MATERIAL_MAX];
    int count;
} Calibration;

// Degrees, mean over the seeds; NaN when it could not run.
static double slope_of(Calibration* c, double friction, double adhesion)
{
    double sum = 0.0;
    for (int i = 0; i < CALIBRATE_SEEDS; ++i) {
        LabSetup setup = c->setup;
        LabWall wall;
        setup.friction = (float)friction;
        setup.adhesion = (float)adhesion;
        setup.seed += (uint64_t)i;
        Soil* soil = lab_wall_remove(c->run, &setup, 0.0, &wall);
        if (!soil)
            return (double)NAN;
        lab_finish(c->run, soil);
        sum += wall.slope.degrees / CALIBRATE_SEEDS;
    }
    lab_table_row(&c->run->report->table, (double[]){friction, adhesion, sum});
    return sum;
}

// Bisection of a slope that grows with x; returns x and leaves the slope there.
static double search(Calibration* c, double low, double high, bool adhesion, double fixed,
                     double wanted, double* slope)
{
    double x = 0.5 * (low + high);
    for (int i = 0; i < CALIBRATE_STEPS && !c->run->report->failed; ++i) {
        x = 0.5 * (low + high);
        *slope = adhesion ? slope_of(c, fixed, x) : slope_of(c, x, fixed);
        if (fabs(*slope - wanted) <= CALIBRATE_NEAR)
            break;
        if (*slope < wanted)
            low = x;
        else
            high = x;
    }
    return x;
}

static void make_curve(Calibration* c)
{
    for (int i = 0; i < CALIBRATE_CURVE && !c->run->report->failed; ++i) {
        double slope = slope_of(c, (double)frictions[i], 0.0);
        c->curve[i] = (MaterialPoint){frictions[i], (float)(slope * BASE_DEG)};
        lab_progress(c->run, (i + 1.0) / CALIBRATE_CURVE);
    }
}

// Friction whose slope without adhesion is `wanted` degrees, searched where the curve crosses it.
static double find_friction(Calibration* c, double wanted, double* slope)
{
    int i = 1;
    while (i < CALIBRATE_CURVE - 1 && (double)c->curve[i].slope / BASE_DEG < wanted)
        ++i;
    return search(c, (double)frictions[i - 1], (double)frictions[i], false, 0.0, wanted, slope);
}

static MaterialGrain find_grain(Calibration* c, const Material* m)
{
    double repose = (double)m->repose / BASE_DEG, phi = (double)m->friction / BASE_DEG, slope = 0.0;
    bool sticky = m->cohesion > 0.0f && phi < repose - CALIBRATE_NEAR;
    double friction = find_friction(c, sticky ? phi : repose, &slope), adhesion = 0.0;
    if (sticky)
        adhesion = search(c, 0.0, CALIBRATE_MOST, true, friction, repose, &slope);
    return (MaterialGrain){m->name, (float)friction, (float)adhesion, (float)(slope * BASE_DEG)};
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
                       .x_label = "friction of the grains  μ",
                       .y_label = "slope  degrees",
                       .x_range = {0.0, 0.65},
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
                     .setup = lab_setup(run, SOIL_KERNEL_SPLIT, CALIBRATE_GRAINS, CALIBRATE_QUICK)};
    lab_table_columns(&run->report->table, "friction,adhesion_pa,slope_deg");
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
