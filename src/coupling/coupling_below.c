// The terrain as machines feel it: what a point of steel or a roller stands on, and what it leaves.
#include "base/base_assert.h"
#include "base/base_trig.h"
#include "coupling/coupling_fleet_internal.h"

#define BELOW_LOOSE_COHESION 0.1f  // of the bank's, left in disturbed soil
#define BELOW_WIDTH          0.5f  // m, of a footing, in Terzaghi's third term
#define BELOW_YIELD          0.04f // m, sinkage at which bank soil gives way
#define BELOW_YIELD_LOOSE    0.10f // m
#define BELOW_LOOSE_WEAKER   0.35f // bearing capacity of loose soil against bank without cohesion
#define BELOW_REACH          0.6f  // m, how far above a point ground is looked for

// Terzaghi's strip footing on the surface: c N_c + gamma B N_gamma / 2, N_gamma after Vesic.
static float below_bears(const CouplingFeeTable* fee, float density, float cohesion, float gravity)
{
    float phi = fee->soil.friction, tan_phi = base_sinf(phi) / base_cosf(phi);
    float n_gamma = 2.0f * (fee->point_depth + 1.0f) * tan_phi;
    return cohesion * fee->point_cohesion + 0.5f * density * gravity * BELOW_WIDTH * n_gamma;
}

void coupling_below_materials(CouplingFleet* f, const Material* const* materials)
{
    const TerrainDef* def = terrain_definition(f->coupling->terrain);
    f->material_count = def->material_count;
    for (int m = 0; m < def->material_count; ++m) {
        const Material* material = materials[m];
        CouplingSoilGround* g = &f->ground[m];
        CouplingFeeSoil soil = {material->friction, material->steel_friction,
                                material->steel_adhesion};
        coupling_fee_table(&soil, &g->fee);
        g->cohesion = material->cohesion;
        g->friction = base_sinf(material->friction) / base_cosf(material->friction);
        g->bears_bank =
            below_bears(&g->fee, material->density_bank, material->cohesion, def->gravity);
        g->bears_loose = BELOW_LOOSE_WEAKER * below_bears(&g->fee, material->density_loose,
                                                          BELOW_LOOSE_COHESION * material->cohesion,
                                                          def->gravity);
        g->stiff_bank = g->bears_bank / BELOW_YIELD;
        g->stiff_loose = g->bears_loose / BELOW_YIELD_LOOSE;
        f->steel_friction[m] =
            base_sinf(material->steel_friction) / base_cosf(material->steel_friction);
    }
}

// Loose soil counts by its share of the first tenth of a metre, and is firmer the more it was pressed.
static float below_loose_share(const Terrain* t, int cell)
{
    float loose = terrain_surface(t, cell) - terrain_bank_top(t, cell);
    float pressed = (float)terrain_state(t)->compaction[cell] * (1.0f / 65535.0f);
    return base_clampf(loose * 10.0f, 0.0f, 1.0f) * (1.0f - pressed);
}

bool coupling_below_contact(const void* context, Vec3 point, float reach, MachineContact* out)
{
    const CouplingFleet* f = context;
    const Terrain* t = f->coupling->terrain;
    TerrainContact contact;
    if (!terrain_contact(t, point, reach, &contact)) {
        return false;
    }
    float depth = vec3_dot(vec3_sub(contact.point, point), contact.normal);
    int m = contact.material;
    *out = (MachineContact){.normal = contact.normal, .depth = depth, .material = m};
    if (m < 0) { // bare rock
        out->friction = COUPLING_ROCK, out->stiffness = 1e8f, out->capacity = 1e9f;
        return true;
    }
    const CouplingSoilGround* g = &f->ground[m];
    float loose = contact.cell >= 0 ? below_loose_share(t, contact.cell) : 0.0f;
    out->friction = g->friction;
    out->stiffness = g->stiff_bank + loose * (g->stiff_loose - g->stiff_bank);
    out->capacity = g->bears_bank + loose * (g->bears_loose - g->bears_bank);
    return true;
}

// Kept until the frame's end: a step changes no ground while machines look at it.
void coupling_below_press(void* context, Vec3 point, Vec3 normal, float force, float area)
{
    CouplingFleet* f = context;
    (void)normal;
    int cell = terrain_cell_at(f->coupling->terrain, point.x, point.z);
    if (cell >= 0 && area > 0.0f && f->press_count < COUPLING_PRESSES) {
        f->press[f->press_count++] = (CouplingPress){cell, force / area};
    }
}

// A roller presses its whole sole: the columns around the point, half a track wide.
#define BELOW_SOLE 2 // columns to each side

void coupling_below_settle(CouplingFleet* f)
{
    Terrain* t = f->coupling->terrain;
    const TerrainDef* def = terrain_definition(t);
    for (int n = 0; n < f->press_count; ++n) {
        int i = f->press[n].cell % def->nx, j = f->press[n].cell / def->nx;
        for (int dj = -BELOW_SOLE; dj <= BELOW_SOLE; ++dj) {
            for (int di = -BELOW_SOLE; di <= BELOW_SOLE; ++di) {
                int cell = terrain_cell(t, i + di, j + dj);
                if (cell >= 0 && terrain_loose_mass(t, cell) > 0) {
                    terrain_compact(t, cell, f->press[n].pressure);
                }
            }
        }
    }
    f->press_count = 0;
}

CouplingMix coupling_below_mix(const CouplingFleet* f, int cell, float low)
{
    const Terrain* t = f->coupling->terrain;
    const TerrainState* s = terrain_state(t);
    const TerrainDef* def = terrain_definition(t);
    float top = terrain_surface(t, cell), bank = terrain_bank_top(t, cell);
    float height = base_maxf(top - low, 1e-3f), loose = base_clampf((top - bank) / height, 0, 1);
    int material = terrain_top_material(t, cell);
    // the stratum in the middle of what is cut
    float reach = bank - 0.5f * (bank + base_minf(low, bank));
    for (int k = TERRAIN_STRATA_MAX - 1; k >= 0 && loose < 0.5f; --k) {
        if (s->bank[k][cell] == 0) {
            continue;
        }
        material = s->soil[cell] >> 4 * k & 15;
        float thick = (float)s->bank[k][cell] * 1e-6f /
                      (def->material[material].density_bank * def->cell * def->cell);
        if (reach <= thick) {
            break;
        }
        reach -= thick;
    }
    if (material < 0) {
        return (CouplingMix){.material = 0, .density = 2500.0f, .cohesion = 1e6f, .bears = 1e9f};
    }
    const TerrainMaterial* x = &def->material[material];
    const CouplingSoilGround* g = &f->ground[material];
    return (CouplingMix){
        .material = material,
        .density = x->density_bank + loose * (x->density_loose - x->density_bank),
        .cohesion = g->cohesion * (1.0f - loose * (1.0f - BELOW_LOOSE_COHESION)),
        .bears = g->bears_bank + loose * (g->bears_loose - g->bears_bank),
    };
}
