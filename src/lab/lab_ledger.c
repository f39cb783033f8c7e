// ledger - random work on a small site with every material of the file: dig by height and by mass,
// deposit on columns and in patches over the edge, loosen, press, let faces fall and slopes slide.
// Nothing may be lost: per material, to the milligram, by the running books and by counting.
#include "base/base_random.h"
#include "lab/lab_experiments.h"
#include "lab/lab_ground.h"

#include <math.h>

#define LEDGER_OPS   10000000
#define LEDGER_QUICK 200000
#define LEDGER_SWEEP 64    // operations between two sweeps
#define LEDGER_FALL  512   // and between two looks for failing faces
#define LEDGER_AUDIT 50000 // and between two full counts
#define LEDGER_NX    45
#define LEDGER_NZ    34

typedef struct Ledger {
    Terrain* terrain;
    BaseRandom random;
    int materials;
    uint64_t hand[TERRAIN_MATERIALS_MAX]; // mg: dug and not yet put back
    uint64_t audits, wrong;
} Ledger;

static void ledger_build(Ledger* l)
{
    Terrain* t = l->terrain;
    for (int cell = 0; cell < LEDGER_NX * LEDGER_NZ; ++cell)
        for (int k = 0; k < TERRAIN_STRATA_MAX; ++k)
            terrain_lay_depth(t, cell, (cell / 7 + k) % l->materials, 0.3f + 0.1f * (float)k);
}

static void ledger_take(Ledger* l, TerrainDug dug)
{
    for (int m = 0; m < l->materials; ++m)
        l->hand[m] += dug.loose.of[m] + dug.bank.of[m];
}

static void ledger_put(Ledger* l, int cell, uint32_t most)
{
    Terrain* t = l->terrain;
    int m = (int)(base_random_u32(&l->random) % (uint32_t)l->materials);
    // soil that went over the edge is made up for by deliveries
    if (l->hand[m] < most) {
        terrain_add_loose(t, cell, m, most);
        return;
    }
    uint32_t mg = most;
    Vec3 at = terrain_center(t, cell);
    if (base_random_u32(&l->random) % 4 == 0) {
        float r = base_random_range(&l->random, 0.0f, 0.4f);
        l->hand[m] -= mg - terrain_deposit_around(t, at.x, at.z, r, m, mg);
    } else if (terrain_deposit(t, cell, m, mg)) {
        l->hand[m] -= mg;
    }
}

static void ledger_operate(Ledger* l)
{
    Terrain* t = l->terrain;
    uint32_t what = base_random_u32(&l->random) % 16;
    int cell = (int)(base_random_u32(&l->random) % (LEDGER_NX * LEDGER_NZ));
    uint32_t mg = base_random_u32(&l->random) % 8000000;
    float depth = base_random_range(&l->random, 0.0f, 0.4f);
    if (what < 4)
        ledger_take(l, terrain_dig(t, cell, terrain_surface(t, cell) - depth));
    else if (what < 6)
        ledger_take(l, terrain_dig_mass(t, cell, mg));
    else if (what < 13)
        ledger_put(l, cell, mg);
    else if (what < 15)
        terrain_compact(t, cell, depth * 200000.0f);
    else
        terrain_loosen(t, cell, terrain_surface(t, cell) - depth);
}

// What is in hand must be what the ground gave and did not get back.
static uint64_t ledger_imbalance(const Ledger* l)
{
    const TerrainLedger* b = &terrain_state(l->terrain)->ledger;
    uint64_t wrong = 0;
    for (int m = 0; m < l->materials; ++m) {
        uint64_t have = b->bank.of[m] + b->loose.of[m] + b->off_site.of[m] + l->hand[m];
        wrong += have > b->added.of[m] ? have - b->added.of[m] : b->added.of[m] - have;
    }
    return wrong;
}

static void ledger_audit(Ledger* l)
{
    ++l->audits;
    l->wrong += !terrain_audit(l->terrain) || ledger_imbalance(l) != 0;
}

static uint64_t sum(const TerrainMass* mass)
{
    uint64_t total = 0;
    for (int m = 0; m < TERRAIN_MATERIALS_MAX; ++m)
        total += mass->of[m];
    return total;
}

static void ledger_report(LabRun* run, const Ledger* l, int ops)
{
    LabReport* report = run->report;
    const TerrainLedger* b = &terrain_state(l->terrain)->ledger;
    lab_report_value(report, "operations", "", ops);
    lab_report_value(report, "transfers", "", (double)b->transfers);
    lab_report_value(report, "materials", "", l->materials);
    lab_report_value(report, "added", "kg", 1e-6 * (double)sum(&b->added));
    lab_report_value(report, "dug", "kg", 1e-6 * (double)sum(&b->given));
    lab_report_value(report, "deposited", "kg", 1e-6 * (double)sum(&b->received));
    lab_report_value(report, "off_site", "kg", 1e-6 * (double)sum(&b->off_site));
    lab_report_value(report, "full_counts", "", (double)l->audits);
    lab_report_most(report, "counts_that_disagree", "", (double)l->wrong, 0.0);
    lab_report_most(report, "imbalance", "mg", (double)ledger_imbalance(l), 0.0);
    lab_report_most(report, "steep_columns_at_rest", "", terrain_find_steep(l->terrain) >= 0, 0.0);
}

void lab_ledger_run(LabRun* run)
{
    const LabOptions* o = run->options;
    int ops = o->ops > 0 ? o->ops : o->quick ? LEDGER_QUICK : LEDGER_OPS;
    LabSoils soils;
    if (!lab_load_materials(run, &soils))
        return;
    TerrainDef def = lab_ground_def(&soils.set, LEDGER_NX, LEDGER_NZ);
    Ledger l = {.terrain = terrain_create(&def),
                .random = base_random((uint64_t)o->seed),
                .materials = def.material_count};
    lab_free_soils(&soils);
    if (!lab_ground_made(run, l.terrain))
        return;
    lab_part(run, 1.0);
    ledger_build(&l);
    for (int k = 1; k <= ops; ++k) {
        ledger_operate(&l);
        if (k % LEDGER_FALL == 0)
            terrain_collapse(l.terrain);
        if (k % LEDGER_SWEEP == 0)
            terrain_sweep(l.terrain, run->jobs);
        if (k % LEDGER_AUDIT == 0 || k == ops) {
            ledger_audit(&l);
            lab_progress(run, (double)k / ops);
        }
    }
    ledger_report(run, &l, ops);
    lab_ground_finish(run, l.terrain);
}
