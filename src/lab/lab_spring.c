// spring - one grain falls on a plane; P2 with n iterations must equal implicit Euler (Fig. 2).
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define SPRING_RADIUS 0.05f    // m
#define SPRING_MASS   1000000u // mg
#define SPRING_START  0.15f    // m, height of the centre
#define SPRING_FRAMES 120
#define SPRING_SWEEPS 40 // n = 1..40
#define SPRING_LIMIT  1e-6

typedef struct SpringCase {
    const char* name;
    const char* title;
    float stiffness; // N/m
    float damping;   // N s/m
} SpringCase;

static const SpringCase cases[2] = {
    {"damped", "k = 1000 N/m, c = 100 N s/m", 1000.0f, 100.0f},
    {"elastic", "k = 100 N/m, c = 0", 100.0f, 0.0f},
};

static SoilDef spring_def(SoilKernel kernel, const SpringCase* c, int iterations)
{
    SoilDef def = soil_def(kernel, 1, SPRING_RADIUS);
    def.substeps = 1;
    def.iterations = iterations;
    def.material[0].stiffness = c->stiffness;
    def.material[0].damping = c->damping;
    def.material[0].adhesion = 0.0f;
    return def;
}

// Implicit Euler in double. The contact acts while the predicted position penetrates, as in P2:
//   v1 = v0 + h (g - (c v1 + k (y1 - r)) / m),  y1 = y0 + h v1
static void reference(const SoilDef* def, double* height)
{
    double h = (double)def->dt, g = (double)def->gravity.y, m = SPRING_MASS * 1e-6;
    double k = (double)def->material[0].stiffness, c = (double)def->material[0].damping;
    double y = (double)SPRING_START, v = 0.0, r = (double)SPRING_RADIUS;
    for (int i = 0; i < SPRING_FRAMES; ++i) {
        double free = v + h * g;
        bool touching = y + h * free - r <= 0.0;
        v = touching ? (free - h * k / m * (y - r)) / (1.0 + h * c / m + h * h * k / m) : free;
        y += h * v;
        height[i] = y;
    }
}

static bool simulate(LabRun* run, const SoilDef* def, double* height)
{
    Soil* soil = soil_create(def);
    if (!lab_made(run, soil))
        return false;
    SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.0f);
    soil_add_boundary(soil, &floor);
    soil_spawn(soil, vec3(0, SPRING_START, 0), vec3(0, 0, 0), SPRING_RADIUS, SPRING_MASS, 0);
    for (int i = 0; i < SPRING_FRAMES; ++i) {
        soil_step(soil, run->jobs);
        height[i] = (double)soil_state(soil)->py[0];
    }
    lab_finish(run, soil);
    return true;
}

// Largest difference over the height of the whole motion.
static double worst_error(const double* a, const double* b)
{
    double low = b[0], high = (double)SPRING_START, worst = 0.0;
    for (int i = 0; i < SPRING_FRAMES; ++i) {
        low = fmin(low, b[i]);
        worst = fmax(worst, fabs(a[i] - b[i]));
    }
    return worst / (high - low);
}

static void draw_case(LabRun* run, PlotRect area, int which, const double* time,
                      const double* exact, const double* five)
{
    PlotChart chart = {.title = cases[which].title,
                       .x_label = "time (s)",
                       .y_label = "height of the centre (m)",
                       .x_range = {0.0, SPRING_FRAMES / 60.0},
                       .count = 2};
    chart.series[0] =
        lab_picture_series("implicit Euler, double precision", 0, time, exact, SPRING_FRAMES);
    chart.series[0].marker = PLOT_MARKER_NONE;
    chart.series[1] = lab_picture_series("P², 5 iterations", 1, time, five, SPRING_FRAMES);
    chart.series[1].line = false;
    chart.series[1].marker = PLOT_MARKER_RING;
    plot_chart_draw(run->picture, area, &chart);
}

static void run_case(LabRun* run, SoilKernel kernel, int which, PlotRect area)
{
    double exact[SPRING_FRAMES], height[SPRING_FRAMES], five[SPRING_FRAMES] = {0};
    double time[SPRING_FRAMES], worst = 0.0;
    int worst_n = 1;
    for (int n = 1; n <= SPRING_SWEEPS; ++n) {
        SoilDef def = spring_def(kernel, &cases[which], n);
        reference(&def, exact);
        if (!simulate(run, &def, height))
            return;
        double error = worst_error(height, exact);
        if (!(error <= worst))
            worst = error, worst_n = n;
        for (int i = 0; i < SPRING_FRAMES && n == 5; ++i)
            five[i] = height[i];
    }
    for (int i = 0; i < SPRING_FRAMES; ++i) {
        time[i] = (i + 1) / 60.0;
        lab_table_row(&run->report->table, (double[]){which + 1.0, time[i], exact[i], five[i]});
    }

    char name[LAB_NAME_MAX];
    snprintf(name, sizeof name, "error_%s", cases[which].name);
    lab_report_most(run->report, name, "", worst, SPRING_LIMIT);
    snprintf(name, sizeof name, "worst_iterations_%s", cases[which].name);
    lab_report_value(run->report, name, "", worst_n);
    if (run->picture)
        draw_case(run, area, which, time, exact, five);
}

void lab_spring_run(LabRun* run)
{
    LabSetup setup = lab_setup(run, SOIL_KERNEL_P2, 1, 1);
    lab_table_columns(&run->report->table, "case,time_s,implicit_euler_m,iterations_5_m");
    PlotRect area = {0};
    if (lab_picture_wanted(run, 1500, 780))
        area = lab_picture_heading(run, "One grain on a spring and a damper",
                                   "radius 0.05 m, 1 kg, 60 Hz; the floor is at 0 (P² Fig. 2)");
    for (int i = 0; i < 2 && !run->report->failed; ++i)
        run_case(run, setup.kernel, i, lab_picture_tile(area, 2, 1, i, 0));
}
