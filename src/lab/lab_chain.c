// chain - ten grains stand on each other; contact i carries i weights, so its spring is i m g / k
// shorter.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define CHAIN_GRAINS    10
#define CHAIN_STIFFNESS 50000.0f // N/m: a contact under all ten gives way by 2.7 % of d
#define CHAIN_DAMPING   500.0f   // N s/m, near critical for one grain
#define CHAIN_SECONDS   6.0
#define CHAIN_LIMIT     0.02 // of the compression

static Soil* chain_scene(LabRun* run, SoilKernel kernel)
{
    LabSetup setup = lab_setup(run, kernel, CHAIN_GRAINS, CHAIN_GRAINS);
    setup.grains = CHAIN_GRAINS;
    setup.kernel = kernel;
    SoilDef def = lab_scene_def(&setup);
    def.material[0].stiffness = CHAIN_STIFFNESS;
    def.material[0].damping = CHAIN_DAMPING;
    Soil* soil = soil_create(&def);
    if (!lab_made(run, soil))
        return NULL;
    SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), LAB_SCENE_ROUGH);
    soil_add_boundary(soil, &floor);
    float r = setup.radius;
    for (int i = 0; i < CHAIN_GRAINS; ++i)
        soil_spawn(soil, vec3(0, r * (float)(2 * i + 1), 0), vec3(0, 0, 0), r, lab_scene_mass(r),
                   0);
    lab_scene_run(soil, run->jobs, CHAIN_SECONDS);
    return soil;
}

// Heights from the bottom up; the solver may have sorted its grains.
static void heights(const Soil* soil, double* y)
{
    const SoilState* s = soil_state(soil);
    for (int i = 0; i < s->count; ++i) {
        int j = i;
        for (; j > 0 && y[j - 1] > (double)s->py[i]; --j)
            y[j] = y[j - 1];
        y[j] = (double)s->py[i];
    }
}

// overlap[i] belongs to the contact below grain i, m.
static double compression(const Soil* soil, double* overlap)
{
    double y[CHAIN_GRAINS], r = (double)LAB_SCENE_RADIUS;
    heights(soil, y);
    overlap[0] = r - y[0];
    for (int i = 1; i < CHAIN_GRAINS; ++i)
        overlap[i] = 2.0 * r - (y[i] - y[i - 1]);
    return r * (2 * CHAIN_GRAINS - 1) - y[CHAIN_GRAINS - 1];
}

static void draw(LabRun* run, const double* carried, const double* exact,
                 double overlap[SOIL_KERNEL_COUNT][CHAIN_GRAINS])
{
    if (!lab_picture_wanted(run, 1000, 760))
        return;
    PlotRect area = lab_picture_heading(run, NULL, NULL);
    PlotChart chart = {.title = "Ten grains on top of each other",
                       .subtitle = "how far each contact gives way; k = 50 kN/m, m = 1.36 kg",
                       .x_label = "weights that the contact carries",
                       .y_label = "overlap (mm)",
                       .x_range = {0.0, 10.5},
                       .count = 1 + SOIL_KERNEL_COUNT};
    chart.series[0] = lab_picture_series("i m g / k", 4, carried, exact, CHAIN_GRAINS);
    chart.series[0].dash = PLOT_DASH_SOLID;
    chart.series[0].marker = PLOT_MARKER_NONE;
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        chart.series[1 + k] = lab_picture_series(soil_kernel_name((SoilKernel)k), k, carried,
                                                 overlap[k], CHAIN_GRAINS);
        chart.series[1 + k].line = false;
    }
    plot_chart_draw(run->picture, area, &chart);
}

void lab_chain_run(LabRun* run)
{
    double overlap[SOIL_KERNEL_COUNT][CHAIN_GRAINS], carried[CHAIN_GRAINS], exact[CHAIN_GRAINS];
    int judged = run->options->kernel < 0 ? SOIL_KERNEL_SPLIT : run->options->kernel;
    double mg = lab_scene_mass(LAB_SCENE_RADIUS) * 1e-6 * 9.81, expected = 0.0;
    for (int i = 0; i < CHAIN_GRAINS; ++i) {
        carried[i] = CHAIN_GRAINS - i;
        exact[i] = 1e3 * carried[i] * mg / (double)CHAIN_STIFFNESS;
        expected += 1e-3 * exact[i];
    }

    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        Soil* soil = chain_scene(run, (SoilKernel)k);
        if (!soil)
            return;
        double ratio = compression(soil, overlap[k]) / expected;
        char name[LAB_NAME_MAX];
        if (k == judged)
            lab_report_near(run->report, "compression_over_analytic", "", ratio, 1.0, CHAIN_LIMIT);
        snprintf(name, sizeof name, "%s.compression_over_analytic",
                 soil_kernel_name((SoilKernel)k));
        if (k != judged)
            lab_report_value(run->report, name, "", ratio);
        for (int i = 0; i < CHAIN_GRAINS; ++i)
            overlap[k][i] *= 1e3;
        lab_finish(run, soil);
    }
    run->report->kernel = soil_kernel_name((SoilKernel)judged);

    lab_table_columns(&run->report->table, "weights_carried,analytic_mm,split_mm,p2_mm,gs_mm");
    for (int i = 0; i < CHAIN_GRAINS; ++i)
        lab_table_row(&run->report->table, (double[]){carried[i], exact[i], overlap[0][i],
                                                      overlap[1][i], overlap[2][i]});
    draw(run, carried, exact, overlap);
}
