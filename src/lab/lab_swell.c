// swell - a cubic metre of bank is cut, becomes grains, falls and becomes ground again. The loose
// soil must take as much more room as the material's swell says.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"
#include "lab/lab_world.h"

#include <math.h>

#define SWELL_SIDE   50    // columns
#define SWELL_CUT    20    // columns, 2 m
#define SWELL_DEPTH  0.25f // m: 2 x 2 x 0.25 = 1 m3
#define SWELL_BANK   0.6f  // m
#define SWELL_POOL   2500
#define SWELL_LATEST 20.0 // s
#define SWELL_LIMIT  0.03 // of the swell

typedef struct Swell {
    double set, measured; // loose over bank
    double bank, loose;   // m3
} Swell;

// m3 of bank soil, and of loose soil on top of it.
static void volumes(const LabWorld* w, double* bank, double* loose)
{
    const TerrainDef* def = terrain_definition(w->terrain);
    double area = (double)def->cell * (double)def->cell;
    *bank = *loose = 0.0;
    for (int cell = 0; cell < def->nx * def->nz; ++cell) {
        double top = (double)terrain_bank_top(w->terrain, cell);
        *bank += area * (top - (double)def->origin.y);
        *loose += area * ((double)terrain_surface(w->terrain, cell) - top);
    }
}

static void cut_block(LabWorld* w)
{
    CouplingCut cut[SWELL_CUT * SWELL_CUT];
    int from = (SWELL_SIDE - SWELL_CUT) / 2;
    for (int k = 0; k < SWELL_CUT * SWELL_CUT; ++k) {
        int cell = terrain_cell(w->terrain, from + k % SWELL_CUT, from + k / SWELL_CUT);
        cut[k] = (CouplingCut){cell, SWELL_BANK - SWELL_DEPTH};
    }
    coupling_dig(w->coupling, cut, SWELL_CUT * SWELL_CUT, vec3(0.0f, 0.5f, 0.0f));
}

static bool swell_material(LabRun* run, int material, Swell* out)
{
    LabWorld w;
    if (!lab_world_make(run, &w, SWELL_SIDE, SWELL_SIDE, SWELL_POOL, LAB_SCENE_RADIUS))
        return false;
    const Material* m = &w.soils.set.materials[material];
    char key[LAB_NAME_MAX];
    double before, cut, loose;
    lab_world_lay(&w, material, SWELL_BANK);
    volumes(&w, &before, &loose);
    cut_block(&w);
    volumes(&w, &cut, &loose);
    lab_world_settle(&w, SWELL_LATEST);
    volumes(&w, &out->bank, &out->loose);
    cut = before - cut, out->bank = before - out->bank;
    out->set = (double)m->swell, out->measured = out->loose / out->bank;
    snprintf(key, sizeof key, "%s.bank_dug", m->name);
    lab_report_near(run->report, key, "m3", cut, 1.0, 0.001);
    // soil without cohesion slumps from the edges of the cut: that swells too
    snprintf(key, sizeof key, "%s.slumped", m->name);
    lab_report_value(run->report, key, "m3", out->bank - cut);
    snprintf(key, sizeof key, "%s.loose_over_bank", m->name);
    lab_report_near(run->report, key, "", out->measured, out->set, SWELL_LIMIT * out->set);
    snprintf(key, sizeof key, "%s.grains_left", m->name);
    lab_report_most(run->report, key, "", lab_world_grains(&w), 0.0);
    snprintf(key, sizeof key, "%s.imbalance", m->name);
    lab_report_most(run->report, key, "mg", lab_world_imbalance(&w), 0.0);
    lab_world_finish(run, &w);
    return true;
}

// Blocks of a height that is their volume: bank, and what it became.
static void draw(LabRun* run, const LabSoils* soils, const Swell* s, int count)
{
    if (!lab_picture_wanted(run, 1500, 440))
        return;
    PlotRect area = lab_picture_heading(run, "One cubic metre of bank, dug and dumped",
                                        "dark: in the bank, pale: loose; the dashed line is the "
                                        "swell of the material file");
    const double lo[2] = {0.0, 0.0}, hi[2] = {1.6 * count, 2.0};
    PlotView v = plot_view_fit(area, lo, hi, false);
    for (int k = 0; k < count; ++k) {
        double x = 1.6 * k + 0.1, high[2] = {s[k].bank, s[k].loose};
        PlotColor bank = plot_view_material(k);
        for (int n = 0; n < 2; ++n) {
            double left = plot_view_x(&v, x + 0.7 * n), top = plot_view_y(&v, high[n]);
            PlotColor color = n == 0 ? bank : plot_color_mix(bank, plot_color(0xffffff), 0.32);
            plot_rect(run->picture,
                      (PlotRect){left, top, plot_view_x(&v, x + 0.7 * n + 0.6) - left,
                                 plot_view_y(&v, 0.0) - top},
                      color, 1.0);
        }
        plot_view_line(run->picture, &v, x + 0.65, s[k].bank * s[k].set, x + 1.35,
                       s[k].bank * s[k].set, PLOT_DASH_LONG, plot_chart_ink());
        char text[64];
        snprintf(text, sizeof text, "%s: %.3f (%.2f)", soils->set.materials[k].name, s[k].measured,
                 s[k].set);
        plot_view_label(run->picture, &v, x, 1.75, PLOT_ALIGN_LEFT, text);
    }
}

void lab_swell_run(LabRun* run)
{
    LabSoils soils;
    Swell s[TERRAIN_MATERIALS_MAX] = {0};
    if (!lab_load_calibrated(run, &soils))
        return;
    int count = base_mini(soils.set.count, TERRAIN_MATERIALS_MAX);
    lab_table_columns(&run->report->table, "material,bank_m3,loose_m3");
    for (int m = 0; m < count; ++m) {
        lab_part(run, 1.0 / count);
        if (!swell_material(run, m, &s[m])) {
            lab_free_soils(&soils);
            return;
        }
        lab_table_row(&run->report->table, (double[]){m, s[m].bank, s[m].loose});
    }
    draw(run, &soils, s, count);
    lab_free_soils(&soils);
}
