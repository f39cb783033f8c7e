// Ground becomes grains.
//
// What is dug from a row of columns is one stream of soil: whenever a grain's mass of a material
// has come together, a grain is born over the column where that happened. So a shallow cut through
// many columns gives grains too, and less than one grain per material is ever on the way.
#include "coupling/coupling_internal.h"

// Fraction of a turn after n turns of the golden ratio's relatives: places in a column that never
// come close to each other (Roberts' R2 sequence), in integers so that all machines agree.
static float coupling_scatter(uint64_t n, uint32_t step)
{
    uint32_t turn = (uint32_t)n * step;
    return (float)(turn >> 8) * (1.0f / 16777216.0f);
}

float coupling_layer(const Coupling* c, const Terrain* field)
{
    float r = c->def.radius, cell = terrain_definition(field)->cell;
    return 4.18879f * r * r * r / c->def.packing / (cell * cell);
}

// The k-th grain that is born over a column, in the world, m.
static Vec3 coupling_birthplace(Coupling* c, const Terrain* field, const CouplingPlace* place,
                                CouplingCut cut, int k)
{
    float cell = terrain_definition(field)->cell;
    uint64_t n = c->births++;
    Vec3 at = terrain_center(field, cut.cell);
    at.x += (coupling_scatter(n, 3242174889u) - 0.5f) * cell;
    at.z += (coupling_scatter(n, 2447445413u) - 0.5f) * cell;
    at.y = cut.height + c->def.radius + (float)k * place->layer;
    at = vec3_add(at, place->shift);
    const SoilBoundary* body = place->body;
    if (body) {
        // a bin may be emptied where its edge is in the ground
        at = vec3_add(body->position, quat_rotate(body->rotation, at));
        float floor = terrain_height(c->terrain, at.x, at.z) + c->def.radius;
        at.y = base_maxf(at.y, floor);
    }
    return place->fit ? place->fit(place->fit_context, at) : at;
}

// Spawns one grain of the crumbs. When the pool is full the crumbs go back to the column.
static bool coupling_hatch(Coupling* c, Terrain* field, const CouplingPlace* place, CouplingCut cut,
                           int material, int k)
{
    uint32_t mg = c->grain_mass[material];
    Vec3 at = coupling_birthplace(c, field, place, cut, k);
    if (coupling_free(c) > 0 &&
        soil_spawn(c->soil, at, place->velocity, c->def.radius, mg, material)) {
        c->ledger.crumbs.of[material] -= mg;
        c->ledger.grains.of[material] += mg;
        c->ledger.births++;
        c->stats.births++;
        return true;
    }
    if (terrain_deposit(field, cut.cell, material, mg)) {
        c->ledger.crumbs.of[material] -= mg;
        c->ledger.refused += mg;
    }
    return false;
}

// Crumbs fall where the last of them came from.
static void coupling_note_crumbs(Coupling* c, const Terrain* field, const CouplingPlace* place,
                                 CouplingCut cut)
{
    int cell = cut.cell;
    if (place->body) {
        Vec3 at = vec3_add(terrain_center(field, cut.cell), place->shift);
        at = vec3_add(place->body->position, quat_rotate(place->body->rotation, at));
        cell = terrain_cell_at(c->terrain, at.x, at.z);
    }
    if (cell >= 0) {
        c->crumbs_cell = cell, c->crumbs_age = 0;
    }
}

int coupling_birth(Coupling* c, Terrain* field, const CouplingPlace* place, const CouplingCut* cuts,
                   int count)
{
    int materials = terrain_definition(field)->material_count, born = 0;
    for (int n = 0; n < count; ++n) {
        CouplingCut cut = cuts[n];
        if (coupling_free(c) <= 0) {
            // digging goes on: the soil is broken, and lies where it is
            c->ledger.refused += terrain_loosen(field, cut.cell, cut.height);
            continue;
        }
        TerrainDug dug = terrain_dig(field, cut.cell, cut.height);
        int k = 0;
        for (int m = 0; m < materials; ++m) {
            c->ledger.crumbs.of[m] += dug.loose.of[m] + dug.bank.of[m];
            while (c->ledger.crumbs.of[m] >= c->grain_mass[m]) {
                if (!coupling_hatch(c, field, place, cut, m, k)) {
                    break;
                }
                ++k;
            }
        }
        born += k;
        if (dug.total > 0) {
            coupling_note_crumbs(c, field, place, cut);
        }
    }
    return born;
}

int coupling_dig(Coupling* c, const CouplingCut* cuts, int count, Vec3 velocity)
{
    CouplingPlace place = {.layer = coupling_layer(c, c->terrain), .velocity = velocity};
    int born = coupling_birth(c, c->terrain, &place, cuts, count);
    soil_touch(c->soil); // the ground is another one
    return born;
}

static uint64_t coupling_haul_from(Coupling* c, Terrain* ground, int cell, float height)
{
    TerrainDug dug = terrain_dig(ground, cell, height);
    for (int m = 0; m < terrain_definition(ground)->material_count; ++m) {
        c->ledger.hauled.of[m] += dug.loose.of[m] + dug.bank.of[m];
    }
    return dug.total;
}

uint64_t coupling_haul(Coupling* c, int cell, float height)
{
    uint64_t mg = coupling_haul_from(c, c->terrain, cell, height);
    soil_touch(c->soil);
    return mg;
}

uint64_t coupling_bin_haul(Coupling* c, int bin)
{
    Terrain* ground = c->bin[bin].ground;
    const TerrainDef* def = terrain_definition(ground);
    uint64_t mg = 0;
    for (int cell = 0; cell < def->nx * def->nz; ++cell) {
        mg += coupling_haul_from(c, ground, cell, def->origin.y);
    }
    soil_touch(c->soil);
    return mg;
}
