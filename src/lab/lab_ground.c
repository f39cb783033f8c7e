#include "lab/lab_ground.h"

#include "base/base_hash.h"

#define LAB_GROUND_RATE 60.0 // steps per second

TerrainMaterial lab_ground_material(const Material* m)
{
    return terrain_material(m->density_bank, m->density_loose, m->friction, m->cohesion, m->repose);
}

TerrainDef lab_ground_def(const MaterialSet* set, int nx, int nz)
{
    TerrainDef def = terrain_def(nx, nz);
    def.material_count = base_mini(set->count, TERRAIN_MATERIALS_MAX);
    for (int m = 0; m < def.material_count; ++m)
        def.material[m] = lab_ground_material(&set->materials[m]);
    return def;
}

bool lab_ground_made(LabRun* run, const Terrain* terrain)
{
    if (!terrain)
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the ground");
    return terrain != NULL;
}

void lab_ground_finish(LabRun* run, Terrain* terrain)
{
    const TerrainDef* def = terrain_definition(terrain);
    uint64_t hash = terrain_hash(terrain);
    run->report->hash = base_hash(&hash, sizeof hash, run->report->hash);
    run->report->columns = base_maxi(run->report->columns, def->nx * def->nz);
    if (!terrain_audit(terrain))
        lab_fail(run, LAB_EXIT_FAILED, "the ledger of the ground does not balance");
    terrain_destroy(terrain);
}

double lab_ground_settle(Terrain* terrain, Jobs* jobs, double seconds)
{
    int step = 0;
    for (bool moves = true; moves && step < seconds * LAB_GROUND_RATE; ++step) {
        terrain_settle(terrain, jobs);
        moves = terrain_collapse(terrain) > 0 || !terrain_still(terrain);
    }
    return step / LAB_GROUND_RATE;
}
