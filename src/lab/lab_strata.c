// strata - a pit through three layers yields three soils in the masses that lay there; and
// swell - a cubic metre of bank, dug and dumped, takes 1 + s cubic metres.
#include "lab/lab_experiments.h"
#include "lab/lab_ground.h"

#include <math.h>

#define STRATA_SIDE 40 // columns
#define STRATA_PIT  10 // columns, 1 m
#define SWELL_LIMIT 0.03

// Everything of a square in the middle above `height`, in the caller's hand.
static TerrainMass dig_pit(Terrain* t, float height)
{
    TerrainMass hand = {0};
    int from = (STRATA_SIDE - STRATA_PIT) / 2;
    for (int j = from; j < from + STRATA_PIT; ++j) {
        for (int i = from; i < from + STRATA_PIT; ++i) {
            TerrainDug dug = terrain_dig(t, terrain_cell(t, i, j), height);
            for (int m = 0; m < TERRAIN_MATERIALS_MAX; ++m)
                hand.of[m] += dug.bank.of[m] + dug.loose.of[m];
        }
    }
    return hand;
}

// A heap of what is in the hand, layer by layer from the top of the pit down, 10 kg at a time.
static void dump(LabRun* run, Terrain* t, const TerrainMass* hand)
{
    Vec3 mid = terrain_center(t, terrain_cell(t, STRATA_SIDE / 2, STRATA_SIDE / 2));
    for (int m = 0; m < TERRAIN_MATERIALS_MAX; ++m) {
        for (uint64_t left = hand->of[m]; left > 0;) {
            uint32_t mg = left < 10000000 ? (uint32_t)left : 10000000u;
            left -= mg - terrain_deposit_around(t, mid.x, mid.z, 0.4f, m, mg);
            terrain_settle(t, run->jobs);
        }
    }
    lab_ground_settle(t, run->jobs, 120.0);
}

static double volume_above(const Terrain* t, float height)
{
    double volume = 0.0,
           area = (double)terrain_definition(t)->cell * (double)terrain_definition(t)->cell;
    for (int cell = 0; cell < STRATA_SIDE * STRATA_SIDE; ++cell)
        volume += area * (double)(terrain_surface(t, cell) - height);
    return volume;
}

void lab_strata_run(LabRun* run)
{
    static const double depth[3] = {0.6, 0.25, 0.15}; // m, from below
    LabSoils soils;
    if (!lab_load_materials(run, &soils))
        return;
    TerrainDef def = lab_ground_def(&soils.set, STRATA_SIDE, STRATA_SIDE);
    Terrain* t = terrain_create(&def);
    Terrain* heap = terrain_create(&def);
    bool enough = def.material_count >= 3;
    if (!enough)
        lab_fail(run, LAB_EXIT_FILE, "strata needs a file with at least three materials");
    if (enough && lab_ground_made(run, t) && lab_ground_made(run, heap)) {
        for (int cell = 0; cell < STRATA_SIDE * STRATA_SIDE; ++cell)
            for (int k = 0; k < 3; ++k)
                terrain_lay_depth(t, cell, k, (float)depth[k]);
        TerrainMass hand = dig_pit(t, -1.0f);
        dump(run, heap, &hand);
        for (int k = 0; k < 3; ++k) {
            char key[LAB_NAME_MAX];
            double side = STRATA_PIT * (double)def.cell;
            double want = 1e-6 * terrain_bank_mg(t, k, side * side * depth[k]);
            const TerrainLedger* l = &terrain_state(heap)->ledger;
            snprintf(key, sizeof key, "%s.in_the_heap", soils.set.materials[k].name);
            lab_report_near(run->report, key, "kg", 1e-6 * (double)l->loose.of[k], want,
                            1e-4 * want);
            snprintf(key, sizeof key, "%s.lost", soils.set.materials[k].name);
            lab_report_most(run->report, key, "mg",
                            fabs((double)hand.of[k] - (double)l->loose.of[k]), 0.0);
        }
        lab_ground_finish(run, t);
        lab_ground_finish(run, heap);
        t = heap = NULL;
    }
    terrain_destroy(t);
    terrain_destroy(heap);
    lab_free_soils(&soils);
}

void lab_swell_run(LabRun* run)
{
    LabSoils soils;
    if (!lab_load_materials(run, &soils))
        return;
    TerrainDef def = lab_ground_def(&soils.set, STRATA_SIDE, STRATA_SIDE);
    for (int m = 0; m < def.material_count && !run->report->failed; ++m) {
        Terrain* t = terrain_create(&def);
        Terrain* heap = terrain_create(&def);
        if (!lab_ground_made(run, t) || !lab_ground_made(run, heap)) {
            terrain_destroy(t);
            terrain_destroy(heap);
            break;
        }
        lab_part(run, 1.0 / def.material_count);
        for (int cell = 0; cell < STRATA_SIDE * STRATA_SIDE; ++cell)
            terrain_lay_depth(t, cell, m, 1.5f);
        TerrainMass hand = dig_pit(t, 0.5f);
        dump(run, heap, &hand);
        char key[LAB_NAME_MAX];
        snprintf(key, sizeof key, "%s.loose_over_bank", soils.set.materials[m].name);
        double swell = (double)soils.set.materials[m].swell;
        lab_report_near(run->report, key, "", volume_above(heap, 0.0f), swell, SWELL_LIMIT * swell);
        lab_ground_finish(run, t);
        lab_ground_finish(run, heap);
    }
    lab_free_soils(&soils);
}
