// strata - a pit is dug through three layers, lift by lift, and dumped beside it. The heap must hold
// the three soils in the masses that lay in the pit, and not a milligram may be lost on the way.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"
#include "lab/lab_world.h"

#include <math.h>

#define STRATA_NX    90   // columns
#define STRATA_NZ    41   // columns
#define STRATA_PIT   10   // columns, 1 m to either side
#define STRATA_PIT_X 14   // column where the pit begins
#define STRATA_LIFTS 10   // of 0.1 m
#define STRATA_CARRY 4.0f // m along x from the pit to the heap
#define STRATA_DROP  0.8f // m above the site
#define STRATA_POOL  2000
#define STRATA_PAUSE 1.0  // s from lift to lift
#define STRATA_LAST  20.0 // s after the last
#define STRATA_PLACE 1e-4 // of the mass, by which layers may differ from their drawing
#define STRATA_SHOTS 4

static const char* const names[3] = {"clay", "loam", "topsoil"}; // from below
static const float depth[3] = {0.6f, 0.25f, 0.15f};              // m
static const int shots[STRATA_SHOTS] = {0, 2, 6, STRATA_LIFTS};  // lifts

static float strata_top(void)
{
    return depth[0] + depth[1] + depth[2];
}

static void draw(LabRun* run, const LabWorld* w, int shot)
{
    if (!lab_picture_wanted(run, 1500, 690))
        return;
    if (shot == 0)
        lab_picture_heading(run, "A pit through topsoil, loam and clay, and its heap",
                            "cut through the middle; pale: loose ground, with the shares of its "
                            "soils stacked");
    PlotRect area = {LAB_PICTURE_EDGE, 90.0, 1500.0 - 2.0 * LAB_PICTURE_EDGE, 540.0};
    LabSection section = {.lo = {0.4, 0.0}, .hi = {8.6, 2.1}, .row = STRATA_NZ / 2, .deep = 0.3};
    PlotView v = lab_world_draw(run, lab_picture_tile(area, 2, 2, shot % 2, shot / 2), w, section);
    char text[48];
    snprintf(text, sizeof text, shot == 0 ? "before" : "%.1f m deep", 0.1 * shots[shot]);
    plot_view_label(run->picture, &v, section.lo[0] + 0.1, 1.9, PLOT_ALIGN_LEFT, text);
}

// One lift becomes grains, and those are carried over as a bucket would.
static void dig_lift(LabWorld* w, int lift)
{
    CouplingCut cut[STRATA_PIT * STRATA_PIT];
    int from = (STRATA_NZ - STRATA_PIT) / 2;
    float height = strata_top() - 0.1f * (float)(lift + 1);
    for (int k = 0; k < STRATA_PIT * STRATA_PIT; ++k) {
        int cell = terrain_cell(w->terrain, STRATA_PIT_X + k % STRATA_PIT, from + k / STRATA_PIT);
        cut[k] = (CouplingCut){cell, base_maxf(height, 0.0f)};
    }
    uint32_t first = soil_state(w->soil)->next_id;
    coupling_dig(w->coupling, cut, STRATA_PIT * STRATA_PIT, vec3(0.0f, 0.0f, 0.0f));
    SoilState* s = soil_edit(w->soil);
    for (int i = 0; i < s->count; ++i) {
        if (s->id[i] >= first) {
            s->px[i] += STRATA_CARRY;
            s->py[i] += STRATA_DROP + strata_top() - height;
        }
    }
    soil_touch(w->soil);
}

// mg of loose soil outside the pit.
static double heap_mass(const LabWorld* w, int material)
{
    const TerrainState* s = terrain_state(w->terrain);
    double mg = 0.0;
    for (int cell = 0; cell < STRATA_NX * STRATA_NZ; ++cell)
        if (cell % STRATA_NX >= STRATA_PIT_X + STRATA_PIT)
            mg += (double)s->loose[material][cell];
    return mg;
}

static void report(LabRun* run, const LabWorld* w, const int* material)
{
    char key[LAB_NAME_MAX];
    double side = STRATA_PIT * 0.1;
    LabReport* r = run->report;
    for (int k = 0; k < 3; ++k) {
        int m = material[k];
        double want = terrain_bank_mg(w->terrain, m, side * side * (double)depth[k]);
        double grain = (double)coupling_grain_mass(w->coupling, m); // less than one falls back
        snprintf(key, sizeof key, "%s.in_the_heap", names[k]);
        lab_report_near(r, key, "kg", 1e-6 * heap_mass(w, m), 1e-6 * want,
                        1e-6 * (grain + STRATA_PLACE * want));
    }
    lab_report_value(r, "grains.born", "", (double)coupling_ledger(w->coupling)->births);
    lab_report_most(r, "grains.left", "", lab_world_grains(w), 0.0);
    lab_report_most(r, "imbalance", "mg", lab_world_imbalance(w), 0.0);
}

void lab_strata_run(LabRun* run)
{
    LabWorld w;
    if (!lab_world_make(run, &w, STRATA_NX, STRATA_NZ, STRATA_POOL, LAB_SCENE_RADIUS))
        return;
    int material[3] = {0};
    bool fine = true;
    for (int k = 0; k < 3 && fine; ++k)
        fine = (material[k] = lab_world_material(run, &w, names[k])) >= 0;
    if (!fine) {
        lab_world_destroy(&w);
        return;
    }
    for (int k = 0; k < 3; ++k)
        lab_world_lay(&w, material[k], depth[k]);
    lab_part(run, 1.0);
    lab_table_columns(&run->report->table, "lift,topsoil_kg,loam_kg,clay_kg");
    for (int lift = 0, shot = 0; lift <= STRATA_LIFTS; ++lift) {
        lab_world_settle(&w, lift < STRATA_LIFTS ? STRATA_PAUSE : STRATA_LAST);
        if (lift == shots[shot])
            draw(run, &w, shot++);
        lab_table_row(&run->report->table, (double[]){lift, 1e-6 * heap_mass(&w, material[2]),
                                                      1e-6 * heap_mass(&w, material[1]),
                                                      1e-6 * heap_mass(&w, material[0])});
        if (lift < STRATA_LIFTS)
            dig_lift(&w, lift);
        lab_progress(run, (double)lift / STRATA_LIFTS);
    }
    report(run, &w, material);
    lab_world_finish(run, &w);
}
