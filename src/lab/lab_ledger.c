// ledger - random work on a small site with every material of the file: dig by height and by mass,
// deposit on columns and in patches over the edge, loosen, press, let faces fall and slopes slide.
// Then the same with grains and two bins, and a pool that is always too small: soil is dug into
// grains, hauled away, poured, refused, evicted, laid down, loaded, tipped and spilled.
// Nothing may be lost: per material, to the milligram, by the running books and by counting.
#include "base/base_random.h"
#include "lab/lab_experiments.h"
#include "lab/lab_ground.h"
#include "lab/lab_world.h"

#include <math.h>

#define LEDGER_OPS   10000000
#define LEDGER_QUICK 200000
#define LEDGER_SWEEP 64    // operations between two sweeps
#define LEDGER_FALL  512   // and between two looks for failing faces
#define LEDGER_AUDIT 50000 // and between two full counts
#define LEDGER_POOL  64    // grains
#define LEDGER_FRAME 20    // operations between two steps of the world with grains
#define LEDGER_SHARE 10    // one operation in so many is made in the world with grains
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

// --- with grains and bins ------------------------------------------------------------------------

typedef struct Grains {
    LabWorld w;
    BaseRandom random;
    int bin[2];
    uint64_t audits, wrong;
} Grains;

static float some(Grains* g, float low, float high)
{
    return base_random_range(&g->random, low, high);
}

// A chance per line: compilers differ in the order in which they evaluate arguments.
static Vec3 somewhere(Grains* g, Vec3 low, Vec3 high)
{
    float x = some(g, low.x, high.x);
    float y = some(g, low.y, high.y);
    float z = some(g, low.z, high.z);
    return vec3(x, y, z);
}

static int one_of(Grains* g, int count)
{
    return (int)(base_random_u32(&g->random) % (uint32_t)count);
}

static void grains_dig(Grains* g)
{
    CouplingCut cut[4];
    int count = 1 + one_of(g, 4);
    int first = one_of(g, LEDGER_NX * LEDGER_NZ - 4);
    for (int k = 0; k < count; ++k) {
        float top = terrain_surface(g->w.terrain, first + k);
        cut[k] = (CouplingCut){first + k, top - some(g, 0.0f, 0.4f)};
    }
    coupling_dig(g->w.coupling, cut, count, somewhere(g, vec3(-1, 0, -1), vec3(1, 1, 1)));
}

// Over the site, its edge, or a bin.
static void grains_pour(Grains* g, bool into_bin)
{
    Vec3 at = somewhere(g, vec3(-0.2f, 2.5f, -0.2f), vec3(4.7f, 2.5f, 3.6f));
    if (into_bin) {
        const SoilBoundary* body = coupling_bin_pose(g->w.coupling, g->bin[one_of(g, 2)]);
        Vec3 off = somewhere(g, vec3(-0.4f, 0.3f, -0.3f), vec3(0.4f, 0.3f, 0.3f));
        at = vec3_add(body->position, off);
    }
    coupling_pour(g->w.coupling, at, vec3(0.0f, -1.0f, 0.0f), one_of(g, g->w.materials));
}

// Tips on, tips back, is overturned, opens and closes.
static void grains_tip(Grains* g)
{
    int bin = g->bin[one_of(g, 2)];
    SoilBoundary* body = coupling_bin_body(g->w.coupling, bin);
    body->spin = somewhere(g, vec3(-0.5f, 0.0f, -1.0f), vec3(0.5f, 0.0f, 1.0f));
    if (one_of(g, 2) == 0) {
        body->spin = vec3(0.0f, 0.0f, 0.0f);
        body->rotation = (Quat){0.0f, 0.0f, 0.0f, 1.0f};
    }
    coupling_bin_gate(g->w.coupling, bin, one_of(g, 2) == 0);
}

static void grains_operate(Grains* g)
{
    int what = one_of(g, 1000), cell = one_of(g, LEDGER_NX * LEDGER_NZ);
    float top = terrain_surface(g->w.terrain, cell);
    if (what < 350)
        grains_dig(g);
    else if (what < 800)
        grains_pour(g, what < 600);
    else if (what < 860)
        terrain_compact(g->w.terrain, cell, some(g, 0.0f, 80000.0f));
    else if (what < 920)
        terrain_loosen(g->w.terrain, cell, top - some(g, 0.0f, 0.3f));
    else if (what < 995)
        coupling_haul(g->w.coupling, cell, top - some(g, 0.0f, 0.2f));
    else
        grains_tip(g);
}

static bool grains_make(LabRun* run, Grains* g)
{
    CouplingBinDef def = {.length = 1.2f, .width = 0.8f, .wall = 0.4f, .steel = 0.4f, .cell = 0.1f};
    if (!lab_world_make(run, &g->w, LEDGER_NX, LEDGER_NZ, LEDGER_POOL, LAB_SCENE_RADIUS))
        return false;
    for (int cell = 0; cell < LEDGER_NX * LEDGER_NZ; ++cell)
        for (int k = 0; k < TERRAIN_STRATA_MAX; ++k)
            terrain_lay_depth(g->w.terrain, cell, (cell / 7 + k) % g->w.materials, 0.2f);
    for (int b = 0; b < 2; ++b)
        g->bin[b] = coupling_add_bin(g->w.coupling, &def, vec3(1.2f + 2.0f * (float)b, 1.6f, 1.7f));
    if (g->bin[0] < 0 || g->bin[1] < 0) {
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the bins");
        lab_world_destroy(&g->w);
        return false;
    }
    return true;
}

static void grains_report(LabRun* run, const Grains* g, int ops)
{
    LabReport* report = run->report;
    const CouplingLedger* l = coupling_ledger(g->w.coupling);
    uint64_t transfers = terrain_state(g->w.terrain)->ledger.transfers + l->births + l->returns;
    uint64_t loaded = 0;
    for (int b = 0; b < 2; ++b) {
        const TerrainLedger* bin =
            &terrain_state(coupling_bin_ground(g->w.coupling, g->bin[b]))->ledger;
        transfers += bin->transfers;
        loaded += sum(&bin->received);
    }
    lab_report_value(report, "grains.operations", "", ops);
    lab_report_value(report, "grains.transfers", "", (double)transfers);
    lab_report_least(report, "grains.born", "", (double)l->births, 1.0);
    lab_report_least(report, "grains.laid_down", "", (double)l->returns, 1.0);
    lab_report_least(report, "grains.evicted", "", (double)l->evictions, 1.0);
    lab_report_least(report, "grains.refused", "kg", 1e-6 * (double)l->refused, 1.0);
    lab_report_least(report, "grains.into_bins", "kg", 1e-6 * (double)loaded, 1.0);
    lab_report_value(report, "grains.poured", "kg", 1e-6 * (double)sum(&l->poured));
    lab_report_value(report, "grains.hauled", "kg", 1e-6 * (double)sum(&l->hauled));
    lab_report_most(report, "grains.counts_that_disagree", "", (double)g->wrong, 0.0);
    lab_report_most(report, "grains.imbalance", "mg", lab_world_imbalance(&g->w), 0.0);
}

static void ledger_with_grains(LabRun* run, int ops)
{
    Grains g = {.random = base_random((uint64_t)run->options->seed)};
    if (!grains_make(run, &g))
        return;
    for (int k = 1; k <= ops; ++k) {
        grains_operate(&g);
        if (k % LEDGER_FRAME == 0)
            lab_world_step(&g.w);
        if (k % (LEDGER_AUDIT / LEDGER_SHARE) == 0 || k == ops) {
            ++g.audits;
            g.wrong += lab_world_imbalance(&g.w) != 0.0;
            lab_progress(run, (double)k / ops);
        }
    }
    grains_report(run, &g, ops);
    lab_world_finish(run, &g.w);
}

// --- all of it -----------------------------------------------------------------------------------

static void ledger_of_ground(LabRun* run, int ops)
{
    LabSoils soils;
    if (!lab_load_materials(run, &soils))
        return;
    TerrainDef def = lab_ground_def(&soils.set, LEDGER_NX, LEDGER_NZ);
    Ledger l = {.terrain = terrain_create(&def),
                .random = base_random((uint64_t)run->options->seed),
                .materials = def.material_count};
    lab_free_soils(&soils);
    if (!lab_ground_made(run, l.terrain))
        return;
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

void lab_ledger_run(LabRun* run)
{
    const LabOptions* o = run->options;
    int ops = o->ops > 0 ? o->ops : o->quick ? LEDGER_QUICK : LEDGER_OPS;
    lab_part(run, 0.5);
    ledger_of_ground(run, ops - ops / LEDGER_SHARE);
    lab_part(run, 0.5);
    if (!run->report->failed)
        ledger_with_grains(run, ops / LEDGER_SHARE);
}
