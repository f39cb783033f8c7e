// blade - a straight blade is pushed through the full model: ground that is cut, grains that pile up
// before it, rows that hold it. Its draft must be that of the equation of earthmoving, for the depth
// and the surcharge that lie there.
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"
#include "lab/lab_stand.h"

#include "base/base_math.h"
#include "coupling/coupling_fee.h"

#include <stdio.h>

#define BLADE_FILE   "config/lab/blade.yaml"
#define BLADE_NX     40 // columns
#define BLADE_NZ     24
#define BLADE_GROUND 1.2f // m
#define BLADE_POOL   4000
#define BLADE_RADIUS 0.03f
#define BLADE_SPEED  0.2f // m/s
#define BLADE_DEPTHS 5
#define BLADE_LIMIT  0.15
#define BLADE_FROM   0.15 // m of way, from which on the draft is averaged
#define BLADE_TO     0.45
#define BLADE_RAMP   20   // frames in which it slows down
#define BLADE_JUMP   0.25 // of the draft: our own limit
#define BLADE_WINDOW 6    // frames: a tenth of a second
#define BLADE_FELT   0.25 // the same limit for what is felt
#define BLADE_STILL \
    0.5 // of the draft that is left when it hardly moves: our own limit; heaps slump
#define BLADE_RAKE 60.0 // deg

static const float depths[BLADE_DEPTHS] = {0.1f, 0.15f, 0.2f, 0.25f, 0.3f};
static const char* const soils[] = {"dry_sand", "loam", "clay"};

typedef struct Push {
    double draft;    // kN, mean of the stand's push
    double equation; // kN
    double slow;     // kN, at a hundredth of the speed
    double jump;     // largest change from frame to frame while it slows down, over the draft
    double felt;     // the same of the mean over a tenth of a second
    double heap;     // kg before the blade at the end
} Push;

static void lower(LabStand* s, float depth)
{
    // where it starts the ground is open, so that nothing is born behind the blade
    LabWorld* w = s->world;
    const TerrainDef* def = terrain_definition(w->terrain);
    for (int cell = 0; cell < def->nx * def->nz; ++cell)
        if (terrain_center(w->terrain, cell).x < 1.0f)
            coupling_haul(w->coupling, cell, BLADE_GROUND - depth - 0.1f);
    machine_place(s->machine, vec3(1.0f, BLADE_GROUND - depth, 0.1f * BLADE_NZ / 2), 0.0f);
}

// Pa: soil above the old surface, as far ahead as the wedge reaches.
static float surcharge(const LabWorld* w, float edge, float reach)
{
    const SoilState* g = soil_state(w->soil);
    const TerrainDef* def = terrain_definition(w->terrain);
    float middle = 0.1f * BLADE_NZ / 2;
    double kg = 0.0;
    for (int i = 0; i < g->count; ++i) {
        float x = g->px[i] - edge, z = g->pz[i] - middle;
        if (x > 0.0f && x < reach && z > -0.5f && z < 0.5f && g->py[i] > BLADE_GROUND)
            kg += 1e-6 * (double)g->mass[i];
    }
    for (int cell = 0; cell < def->nx * def->nz; ++cell) {
        Vec3 top = terrain_center(w->terrain, cell);
        if (top.x > edge && top.x < edge + reach && top.z > middle - 0.5f && top.z < middle + 0.5f)
            kg += 1e-6 * (double)terrain_loose_mass(w->terrain, cell);
    }
    return (float)(kg * 9.81) / reach;
}

// kN that the equation asks for, with what lies on the wedge now.
static double equation(const LabWorld* w, const CouplingFeeTable* table, CouplingFeeCut cut,
                       float edge)
{
    cut.surcharge = surcharge(w, edge, coupling_fee_force(table, &cut).reach);
    return (double)coupling_fee_force(table, &cut).draft / 1000.0;
}

typedef struct Mean {
    double draft, equation; // kN
} Mean;

static Mean mean_draft(LabStand* s, const CouplingFeeTable* table, CouplingFeeCut cut, double from,
                       double to)
{
    double start = (double)machine_pose(s->machine, 0).position.x;
    Mean mean = {0.0, 0.0};
    int count = 0;
    for (;;) {
        lab_stand_step(s);
        double way = (double)machine_pose(s->machine, 0).position.x - start;
        if (way > to)
            break;
        if (way >= from) {
            mean.draft += s->force[0] / 1000.0;
            mean.equation += equation(s->world, table, cut, (float)(start + way));
            ++count;
        }
    }
    return (Mean){mean.draft / count, mean.equation / count}; // not a number where nothing counted
}

// Slows down to a hundredth in a third of a second: the largest change of the force from frame to
// frame, over the force; and of its mean over a tenth of a second, which is what a machine on its tracks
// and an operator's hands can follow.
static void slow_down(LabStand* s, double draft, Push* out)
{
    double window[BLADE_WINDOW], last = s->force[0], worst = 0.0, felt = 0.0;
    for (int k = 0; k < BLADE_WINDOW; ++k) {
        lab_stand_step(s);
        window[k] = last = s->force[0];
    }
    for (int k = 1; k <= BLADE_RAMP; ++k) {
        float left = 1.0f - 0.99f * (float)k / (float)BLADE_RAMP;
        s->velocity = vec3(left * BLADE_SPEED, 0.0f, 0.0f);
        lab_stand_step(s);
        double change = s->force[0] > last ? s->force[0] - last : last - s->force[0];
        worst = change > worst ? change : worst;
        last = s->force[0];
        double step = (last - window[k % BLADE_WINDOW]) / BLADE_WINDOW;
        window[k % BLADE_WINDOW] = last;
        felt = step > felt ? step : -step > felt ? -step : felt;
    }
    out->jump = worst / 1000.0 / draft, out->felt = felt / 1000.0 / draft;
}

static bool push(LabRun* run, int material, float depth, Push* out)
{
    LabWorld w;
    LabStand s;
    if (!lab_world_make(run, &w, BLADE_NX, BLADE_NZ, BLADE_POOL, BLADE_RADIUS))
        return false;
    lab_world_lay(&w, material, BLADE_GROUND);
    if (!lab_stand_make(run, &s, &w, BLADE_FILE, vec3(1.0f, 3.0f, 1.2f))) {
        lab_world_destroy(&w);
        return false;
    }
    lower(&s, depth);
    s.velocity = vec3(BLADE_SPEED, 0.0f, 0.0f);
    const Material* m = &w.soils.set.materials[material];
    CouplingFeeSoil soil = {m->friction, m->steel_friction, m->steel_adhesion};
    CouplingFeeTable table;
    coupling_fee_table(&soil, &table);
    CouplingFeeCut cut = {
        (float)(BLADE_RAKE * BASE_DEG), depth, m->density_bank, m->cohesion, 0.0f, 9.81f};
    Mean mean = mean_draft(&s, &table, cut, BLADE_FROM, BLADE_TO);
    out->draft = mean.draft, out->equation = mean.equation;
    out->heap = coupling_fleet_tool(s.fleet, 0, 0)->payload;
    slow_down(&s, mean.draft, out);
    out->slow = mean_draft(&s, &table, cut, 0.0, 0.001).draft;
    lab_stand_destroy(&s);
    lab_world_finish(run, &w);
    return true;
}

void lab_blade_run(LabRun* run)
{
    int materials = (int)(sizeof soils / sizeof soils[0]);
    lab_table_columns(&run->report->table, "material,depth,draft,equation,slow,heap");
    for (int m = 0; m < materials; ++m) {
        double last = 0.0, least_step = 1e9;
        LabSoils found;
        if (!lab_load_materials(run, &found))
            return;
        const Material* material = material_find(&found.set, soils[m]);
        int number = material ? (int)(material - found.set.materials) : -1;
        lab_free_soils(&found);
        if (number < 0) {
            lab_fail(run, LAB_EXIT_FILE, "the experiment needs dry_sand, loam and clay");
            return;
        }
        for (int d = 0; d < BLADE_DEPTHS; ++d) {
            if (run->options->quick && d % 2 == 1)
                continue;
            Push p;
            char key[LAB_NAME_MAX];
            if (!push(run, number, depths[d], &p))
                return;
            int cm = (int)(100.0f * depths[d] + 0.5f);
            snprintf(key, sizeof key, "%s.%d_cm.draft_over_equation", soils[m], cm);
            lab_report_near(run->report, key, "", p.draft / p.equation, 1.0, BLADE_LIMIT);
            snprintf(key, sizeof key, "%s.%d_cm.slow_over_draft", soils[m], cm);
            lab_report_least(run->report, key, "", p.slow / p.draft, BLADE_STILL);
            snprintf(key, sizeof key, "%s.%d_cm.jump", soils[m], cm);
            lab_report_most(run->report, key, "", p.jump, BLADE_JUMP);
            snprintf(key, sizeof key, "%s.%d_cm.felt_jump", soils[m], cm);
            lab_report_most(run->report, key, "", p.felt, BLADE_FELT);
            snprintf(key, sizeof key, "%s.%d_cm.draft", soils[m], cm);
            lab_report_value(run->report, key, "kN", p.draft);
            least_step = p.draft - last < least_step ? p.draft - last : least_step;
            last = p.draft;
            const double row[6] = {m, (double)depths[d], p.draft, p.equation, p.slow, p.heap};
            lab_table_row(&run->report->table, row);
            lab_progress(run, (m * BLADE_DEPTHS + d + 1.0) / (materials * BLADE_DEPTHS));
        }
        char key[LAB_NAME_MAX];
        snprintf(key, sizeof key, "%s.least_rise_with_depth", soils[m]);
        lab_report_least(run->report, key, "kN", least_step, 0.0);
    }
}
