// settle - five thousand grains are dumped on flat ground. All of them must become ground within
// five seconds, the heap must have the volume of their loose mass, and it must not creep after.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"
#include "lab/lab_world.h"

#include <math.h>

#define SETTLE_GRAINS  5000
#define SETTLE_QUICK   1500
#define SETTLE_SIDE    81   // columns
#define SETTLE_DEPTH   0.5f // m of bank under the heap
#define SETTLE_HALF    0.9f // m, half the side of what falls
#define SETTLE_LATEST  5.0  // s
#define SETTLE_GIVE_UP 30.0 // s
#define SETTLE_VOLUME  0.01 // of the volume
#define SETTLE_DRIFT   0.5  // degrees
#define SETTLE_LATER   60.0 // s
#define SETTLE_SHOTS   4

static const double shots[SETTLE_SHOTS] = {0.0, 0.5, 1.5, 5.0}; // s

typedef struct Settle {
    double gone;                    // s, when the last grain became ground
    double slope, low, high, later; // degrees
    double volume, wanted;          // m3
    double imbalance;               // mg
    double buried;                  // most of the living grains that were below the ground
    int grains;
} Settle;

static void draw(LabRun* run, const LabWorld* w, int shot)
{
    if (!lab_picture_wanted(run, 1500, 860))
        return;
    if (shot == 0)
        lab_picture_heading(run, "A dump becomes ground",
                            "cut through the middle; pale: loose ground, spheres: grains");
    PlotRect area = {LAB_PICTURE_EDGE, 120.0, 1500.0 - 2.0 * LAB_PICTURE_EDGE, 700.0};
    char text[32];
    double mid = 0.5 * SETTLE_SIDE * (double)terrain_definition(w->terrain)->cell;
    LabSection section = {
        .lo = {mid - 3.2, 0.2}, .hi = {mid + 3.2, 3.0}, .row = SETTLE_SIDE / 2, .deep = 0.25};
    PlotView v = lab_world_draw(run, lab_picture_tile(area, 2, 2, shot % 2, shot / 2), w, section);
    snprintf(text, sizeof text, "%.1f s", shots[shot]);
    plot_view_label(run->picture, &v, section.lo[0] + 0.1, 2.7, PLOT_ALIGN_LEFT, text);
}

static void fall(LabRun* run, LabWorld* w, bool pictured, Settle* out)
{
    int frame = 0, shot = 0;
    out->gone = -1.0, out->buried = 0.0;
    for (double time = 0.0; time < SETTLE_GIVE_UP; time = ++frame * lab_world_dt(w)) {
        if (pictured && shot < SETTLE_SHOTS && time >= shots[shot] - 1e-6)
            draw(run, w, shot++);
        if (out->gone < 0.0 && lab_world_grains(w) == 0)
            out->gone = time;
        if (out->gone >= 0.0 && lab_world_still(w) && time > SETTLE_LATEST + 0.1)
            break;
        lab_world_step(w);
        out->buried = fmax(out->buried, lab_world_buried(w));
        if (frame % 10 == 0) {
            if (pictured)
                lab_table_row(&run->report->table,
                              (double[]){time, lab_world_grains(w), lab_world_volume(w)});
            lab_progress(run, fmin(0.6, time / 10.0));
        }
    }
    if (out->gone < 0.0)
        out->gone = SETTLE_GIVE_UP;
}

static bool settle_material(LabRun* run, int material, int grains, bool pictured, Settle* out)
{
    LabWorld w;
    if (!lab_world_make(run, &w, SETTLE_SIDE, SETTLE_SIDE, grains + 100, LAB_SCENE_RADIUS))
        return false;
    lab_world_lay(&w, material, SETTLE_DEPTH);
    double before = lab_world_volume(&w);
    float mid = 0.5f * SETTLE_SIDE * terrain_definition(w.terrain)->cell;
    out->grains = lab_world_drop(&w, vec3(mid, SETTLE_DEPTH + 0.3f, mid), SETTLE_HALF, SETTLE_HALF,
                                 grains, material, (uint64_t)run->options->seed);
    fall(run, &w, pictured, out);
    uint64_t mg = coupling_ledger(w.coupling)->poured.of[material];
    out->wanted = (double)mg / terrain_loose_mg(w.terrain, material, 1.0);
    out->volume = lab_world_volume(&w) - before;
    out->slope = lab_world_slope(&w, mid, mid, SETTLE_DEPTH, &out->low, &out->high);
    for (double t = 0.0; t < SETTLE_LATER; t += lab_world_dt(&w))
        lab_world_step(&w);
    out->later = lab_world_slope(&w, mid, mid, SETTLE_DEPTH, NULL, NULL);
    out->imbalance = lab_world_imbalance(&w);
    lab_world_finish(run, &w);
    return true;
}

static void report(LabRun* run, const Material* m, const Settle* s)
{
    char key[LAB_NAME_MAX];
    LabReport* r = run->report;
    snprintf(key, sizeof key, "%s.all_ground_after", m->name);
    lab_report_most(r, key, "s", s->gone, SETTLE_LATEST);
    snprintf(key, sizeof key, "%s.volume_over_loose_mass", m->name);
    lab_report_near(r, key, "", s->volume / s->wanted, 1.0, SETTLE_VOLUME);
    snprintf(key, sizeof key, "%s.slope", m->name);
    lab_report_value(r, key, "deg", s->slope);
    snprintf(key, sizeof key, "%s.steepest_over_repose", m->name);
    lab_report_most(r, key, "deg", s->high - (double)m->repose / BASE_DEG, 2.1);
    snprintf(key, sizeof key, "%s.drift", m->name);
    lab_report_near(r, key, "deg", s->later - s->slope, 0.0, SETTLE_DRIFT);
    snprintf(key, sizeof key, "%s.most_below_ground", m->name);
    lab_report_most(r, key, "", s->buried, LAB_WORLD_BURIED);
    snprintf(key, sizeof key, "%s.imbalance", m->name);
    lab_report_most(r, key, "mg", s->imbalance, 0.0);
}

void lab_settle_run(LabRun* run)
{
    LabSoils soils;
    const LabOptions* o = run->options;
    int grains = o->grains > 0 ? o->grains : o->quick ? SETTLE_QUICK : SETTLE_GRAINS;
    if (!lab_load_calibrated(run, &soils))
        return;
    lab_table_columns(&run->report->table, "time_s,grains,volume_m3");
    int count = base_mini(soils.set.count, TERRAIN_MATERIALS_MAX);
    for (int m = 0; m < count; ++m) {
        Settle s;
        lab_part(run, 1.0 / count);
        if (!settle_material(run, m, grains, m == 0, &s))
            break;
        report(run, &soils.set.materials[m], &s);
    }
    lab_free_soils(&soils);
}
