// avalanche - a bank of moist sand stands at a slope that it can bear; then its foot is dug away.
// The face above is now too high: a wedge breaks off, becomes grains, runs out and comes to rest.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"
#include "lab/lab_world.h"

#include <math.h>

#define BANK_NX     110   // columns
#define BANK_NZ     30    // columns, 3 m of face
#define BANK_FLOOR  0.3f  // m of soil below the foot
#define BANK_HEIGHT 1.8f  // m above the foot
#define BANK_FOOT   5.0f  // m, where the slope begins; it rises towards -x
#define BANK_ANGLE  36.0  // degrees: below the friction angle, so any height stands
#define BANK_CUT    1.3f  // m, how far the foot is dug back
#define BANK_POOL   12000 // grains
#define BANK_WAIT   2.0   // s before the cut, in which nothing may move
#define BANK_LATEST 15.0  // s after the cut, until all must rest
#define BANK_SHOTS  4

static const double shots[BANK_SHOTS] = {0.0, 0.5, 1.2, 15.0}; // s after the cut

typedef struct Avalanche {
    int born, most;       // grains: in all, at once
    double early;         // grains born before the cut
    double run;           // m beyond the old foot that soil came to lie
    double fastest;       // m/s
    double rest;          // s after the cut
    double buried;        // most of the living grains that had their middle below the ground
    double slope, repose; // degrees, of the steepest debris over any metre
    double cut, fallen;   // kg dug at the foot, kg that fell by itself
} Avalanche;

static float bank_height(float x)
{
    float rise = (BANK_FOOT - x) * (float)tan(BANK_ANGLE * BASE_DEG);
    return BANK_FLOOR + base_clampf(rise, 0.0f, BANK_HEIGHT);
}

static void build(LabWorld* w, int material)
{
    for (int cell = 0; cell < BANK_NX * BANK_NZ; ++cell)
        terrain_lay_depth(w->terrain, cell, material,
                          bank_height(terrain_center(w->terrain, cell).x));
}

// The foot is carried away by hand, as if a bucket had taken it: off the site's books at once.
static double undercut(LabWorld* w)
{
    double kg = 0.0;
    for (int cell = 0; cell < BANK_NX * BANK_NZ; ++cell) {
        float x = terrain_center(w->terrain, cell).x;
        if (x > BANK_FOOT - BANK_CUT && x < BANK_FOOT)
            kg += 1e-6 * (double)coupling_haul(w->coupling, cell, BANK_FLOOR);
    }
    return kg;
}

static double fastest(const LabWorld* w)
{
    const SoilState* s = soil_state(w->soil);
    double most = 0.0;
    for (int i = 0; i < s->count; ++i)
        most = fmax(most, (double)vec3_length(vec3(s->vx[i], s->vy[i], s->vz[i])));
    return most;
}

static double thick(const LabWorld* w, int cell)
{
    return (double)(terrain_surface(w->terrain, cell) - terrain_bank_top(w->terrain, cell));
}

// Steepest rise over a metre of debris along x, in rows that are not beside the edge.
static double steepest(const LabWorld* w)
{
    double most = 0.0;
    for (int j = 5; j < BANK_NZ - 5; ++j) {
        for (int i = 0; i + 10 < BANK_NX; ++i) {
            int a = terrain_cell(w->terrain, i, j), b = terrain_cell(w->terrain, i + 10, j);
            bool debris = thick(w, a) > 0.1 && thick(w, b) > 0.1;
            double rise = (double)(terrain_surface(w->terrain, a) - terrain_surface(w->terrain, b));
            most = debris ? fmax(most, rise) : most;
        }
    }
    return atan(most) / BASE_DEG;
}

// Soil lies at least a finger deep up to here.
static double front(const LabWorld* w)
{
    double most = 0.0;
    for (int cell = 0; cell < BANK_NX * BANK_NZ; ++cell) {
        if ((double)(terrain_surface(w->terrain, cell) - BANK_FLOOR) > 0.02)
            most = fmax(most, (double)terrain_center(w->terrain, cell).x);
    }
    return most - (double)(BANK_FOOT - BANK_CUT);
}

static void draw(LabRun* run, const LabWorld* w, int shot)
{
    if (!lab_picture_wanted(run, 1500, 780))
        return;
    if (shot == 0)
        lab_picture_heading(run, "An undercut bank of moist sand",
                            "cut through the middle; dark: bank, pale: loose ground, spheres: "
                            "grains");
    PlotRect area = {LAB_PICTURE_EDGE, 90.0, 1500.0 - 2.0 * LAB_PICTURE_EDGE, 640.0};
    char text[48];
    LabSection section = {.lo = {0.6, 0.0}, .hi = {8.2, 2.6}, .row = BANK_NZ / 2, .deep = 0.4};
    PlotView v = lab_world_draw(run, lab_picture_tile(area, 2, 2, shot % 2, shot / 2), w, section);
    snprintf(text, sizeof text, shot == 0 ? "just cut" : "%.1f s", shots[shot]);
    plot_view_label(run->picture, &v, 5.4, 2.2, PLOT_ALIGN_LEFT, text);
}

static void fall(LabRun* run, LabWorld* w, Avalanche* out)
{
    int frame = 0, shot = 0;
    for (double time = 0.0; time < BANK_LATEST + 1.0; time = ++frame * lab_world_dt(w)) {
        if (shot < BANK_SHOTS && time >= shots[shot] - 1e-6)
            draw(run, w, shot++);
        lab_world_step(w);
        bool still = lab_world_still(w);
        out->rest = still ? out->rest : time + lab_world_dt(w);
        out->most = base_maxi(out->most, lab_world_grains(w));
        out->fastest = fmax(out->fastest, fastest(w));
        out->buried = fmax(out->buried, lab_world_buried(w));
        if (frame % 6 == 0)
            lab_table_row(&run->report->table,
                          (double[]){time, lab_world_grains(w), fastest(w), fmax(0.0, front(w))});
        lab_progress(run, time / BANK_LATEST);
    }
}

static void report(LabRun* run, const LabWorld* w, const Avalanche* a, double imbalance)
{
    LabReport* r = run->report;
    const CouplingLedger* l = coupling_ledger(w->coupling);
    lab_report_most(r, "born_before_the_cut", "", a->early, 0.0);
    lab_report_value(r, "dug_at_the_foot", "kg", a->cut);
    lab_report_least(r, "grains_born", "", (double)l->births, 100.0);
    lab_report_value(r, "grains_at_once", "", a->most);
    lab_report_least(r, "fastest_grain", "m/s", a->fastest, 1.0);
    lab_report_least(r, "run_out_from_the_face", "m", a->run, (double)BANK_CUT * 0.5);
    lab_report_most(r, "at_rest_after", "s", a->rest, BANK_LATEST);
    lab_report_most(r, "grains_left", "", lab_world_grains(w), 0.0);
    lab_report_most(r, "most_below_ground", "", a->buried, LAB_WORLD_BURIED);
    lab_report_most(r, "steepest_debris", "deg", a->slope, a->repose + 2.1);
    lab_report_value(r, "refused_by_the_pool", "kg", 1e-6 * (double)l->refused);
    lab_report_most(r, "imbalance", "mg", imbalance, 0.0);
}

void lab_avalanche_run(LabRun* run)
{
    LabWorld w;
    Avalanche a = {0};
    if (!lab_world_make(run, &w, BANK_NX, BANK_NZ, BANK_POOL, LAB_SCENE_RADIUS))
        return;
    int sand = lab_world_material(run, &w, "moist_sand");
    if (sand < 0) {
        lab_world_destroy(&w);
        return;
    }
    lab_part(run, 1.0);
    lab_table_columns(&run->report->table, "time_s,grains,fastest_m_s,front_m");
    build(&w, sand);
    for (double t = 0.0; t < BANK_WAIT; t += lab_world_dt(&w))
        lab_world_step(&w);
    a.early = (double)coupling_ledger(w.coupling)->births;
    a.cut = undercut(&w);
    fall(run, &w, &a);
    a.repose = (double)w.soils.set.materials[sand].repose / BASE_DEG;
    a.slope = steepest(&w);
    a.run = front(&w);
    report(run, &w, &a, lab_world_imbalance(&w));
    lab_world_finish(run, &w);
}
