// scenes_ground - a small site on which everything happens at once, for tests of mass and bits.
//
// Three soils in strata over a tilted bedrock, with a trench that is too deep to stand; random
// digs, deposits, thrown soil, tracks and collapses in every step.
#ifndef SCENES_GROUND_H
#define SCENES_GROUND_H

#include "base/base_random.h"
#include "terrain/terrain.h"

static inline TerrainDef scenes_ground_def(int nx, int nz)
{
    TerrainDef def = terrain_def(nx, nz);
    float degree = (float)BASE_DEG;
    def.origin = vec3(-1.5f, -2.0f, 3.25f);
    def.material_count = 3;
    def.material[0] = terrain_material(1800, 1600, 34 * degree, 0, 30 * degree);
    def.material[1] = terrain_material(1950, 1750, 34 * degree, 1000, 38 * degree);
    def.material[2] = terrain_material(1400, 970, 30 * degree, 5000, 34 * degree);
    return def;
}

static inline Terrain* scenes_ground_create(int nx, int nz)
{
    TerrainDef def = scenes_ground_def(nx, nz);
    Terrain* t = terrain_create(&def);
    for (int cell = 0; t && cell < nx * nz; ++cell) {
        int i = cell % nx, j = cell / nx;
        terrain_set_base(t, cell, def.origin.y + 0.01f * (float)i);
        terrain_lay_depth(t, cell, 1, 0.8f + 0.02f * (float)(j % 7));
        terrain_lay_depth(t, cell, 0, i > nx / 2 ? 0.4f : 0.2f);
        terrain_lay_depth(t, cell, 2, 0.3f);
        if (i == nx / 3) {
            terrain_dig(t, cell, def.origin.y + 0.1f);
        }
    }
    return t;
}

typedef struct ScenesGround {
    BaseRandom random;
    uint64_t hand[3]; // mg per material that was dug and not yet put back
} ScenesGround;

static inline ScenesGround scenes_ground_chance(uint64_t seed)
{
    return (ScenesGround){.random = base_random(seed)};
}

// Puts down up to `most` of what is in the hand.
static inline void scenes_ground_drop(Terrain* t, ScenesGround* g, int cell, uint32_t most)
{
    int m = (int)(base_random_u32(&g->random) % 3);
    uint32_t mg = (uint32_t)(g->hand[m] < most ? g->hand[m] : most);
    Vec3 at = terrain_center(t, cell);
    bool patch = base_random_u32(&g->random) % 2;
    if (patch) {
        float r = base_random_range(&g->random, 0.0f, 0.6f);
        g->hand[m] -= mg - terrain_deposit_around(t, at.x, at.z, r, m, mg);
    } else if (terrain_deposit(t, cell, m, mg)) {
        g->hand[m] -= mg;
    }
}

static inline void scenes_ground_take(ScenesGround* g, TerrainDug dug)
{
    for (int m = 0; m < 3; ++m) {
        g->hand[m] += dug.loose.of[m] + dug.bank.of[m];
    }
}

// One random change.
static inline void scenes_ground_change(Terrain* t, ScenesGround* g)
{
    const TerrainDef* def = terrain_definition(t);
    uint32_t what = base_random_u32(&g->random) % 8;
    int cell = (int)(base_random_u32(&g->random) % (uint32_t)(def->nx * def->nz));
    uint32_t mg = base_random_u32(&g->random) % 20000000;
    float depth = base_random_range(&g->random, 0.0f, 0.7f);
    switch (what) {
    case 0:
    case 1: scenes_ground_take(g, terrain_dig(t, cell, terrain_surface(t, cell) - depth)); break;
    case 2: scenes_ground_take(g, terrain_dig_mass(t, cell, mg)); break;
    case 3:
    case 4:
    case 5: scenes_ground_drop(t, g, cell, mg); break;
    case 6: terrain_compact(t, cell, depth * 100000.0f); break;
    default: terrain_loosen(t, cell, terrain_surface(t, cell) - 0.5f * depth); break;
    }
}

// One step: some changes, now and then a collapse, then sliding.
static inline void scenes_ground_step(Terrain* t, ScenesGround* g, Jobs* jobs)
{
    for (int k = 0; k < 6; ++k) {
        scenes_ground_change(t, g);
    }
    if (terrain_state(t)->step % 4 == 0) {
        terrain_collapse(t);
    }
    terrain_settle(t, jobs);
}

#endif
