// scenes_works - a site on which ground, grains, a bin and a bucket change places all the time.
//
// Random digs, pours over the site and beside it, loads hauled away, tracks, and two bodies that
// are filled, driven, jerked and tipped; for tests of mass and bits.
#ifndef SCENES_WORKS_H
#define SCENES_WORKS_H

#include "base/base_random.h"
#include "scenes/scenes_bucket.h"
#include "scenes/scenes_ground.h"

#include <stdlib.h>

#define SCENES_WORKS_RADIUS 0.05f // m

typedef struct ScenesWorks {
    Soil* soil;
    Terrain* terrain;
    Coupling* coupling;
    ScenesBucket bucket;
    int bin, carrier;
    BaseRandom random;
} ScenesWorks;

static inline void scenes_works_destroy(ScenesWorks* w)
{
    if (w) {
        coupling_destroy(w->coupling);
        soil_destroy(w->soil);
        terrain_destroy(w->terrain);
        free(w);
    }
}

// nx x nz columns and a pool of so many grains. NULL when out of memory.
static inline ScenesWorks* scenes_works_create(int nx, int nz, int pool, uint64_t seed)
{
    ScenesWorks* w = calloc(1, sizeof *w);
    if (!w) {
        return NULL;
    }
    SoilDef grains = soil_def(SOIL_KERNEL_SPLIT, pool, SCENES_WORKS_RADIUS);
    grains.material_count = 3;
    grains.material[1] = grains.material[2] = grains.material[0];
    grains.material[2].adhesion = 500.0f;
    CouplingDef def = coupling_def(SCENES_WORKS_RADIUS);
    def.reserve = base_mini(def.reserve, pool / 8);
    w->random = base_random(seed);
    w->terrain = scenes_ground_create(nx, nz);
    w->soil = soil_create(&grains);
    w->coupling = w->terrain && w->soil ? coupling_create(&def, w->soil, w->terrain) : NULL;
    if (w->coupling) {
        // scenes_ground_create() digs a trench by hand: take that soil off the books
        const TerrainLedger* ledger = &terrain_state(w->terrain)->ledger;
        for (int m = 0; m < 3; ++m) {
            terrain_discard(w->terrain, m, ledger->given.of[m]);
        }
        const TerrainDef* g = terrain_definition(w->terrain);
        Vec3 mid = vec3(g->origin.x + 0.5f * (float)nx * g->cell, g->origin.y + 3.5f,
                        g->origin.z + 0.5f * (float)nz * g->cell);
        CouplingBinDef bin = {
            .length = 1.0f, .width = 0.8f, .wall = 0.4f, .steel = 0.4f, .cell = 0.1f};
        w->bin = coupling_add_bin(w->coupling, &bin, vec3(mid.x - 0.8f, mid.y, mid.z));
        bool made = scenes_bucket_make(&w->bucket, w->soil, vec3(mid.x + 0.8f, mid.y, mid.z),
                                       vec3(0.4f, 0.2f, 0.4f));
        CouplingCarrierDef box = scenes_bucket_carrier(&w->bucket);
        w->carrier = made ? coupling_add_carrier(w->coupling, &box) : -1;
    }
    if (!w->coupling || w->bin < 0 || w->carrier < 0) {
        scenes_works_destroy(w);
        return NULL;
    }
    return w;
}

static inline float scenes_works_some(ScenesWorks* w, float low, float high)
{
    return base_random_range(&w->random, low, high);
}

// A chance per line: compilers differ in the order in which they evaluate arguments.
static inline Vec3 scenes_works_place(ScenesWorks* w, Vec3 low, Vec3 high)
{
    float x = scenes_works_some(w, low.x, high.x);
    float y = scenes_works_some(w, low.y, high.y);
    float z = scenes_works_some(w, low.z, high.z);
    return vec3(x, y, z);
}

static inline SoilBoundary* scenes_works_body(ScenesWorks* w, bool bin)
{
    return bin ? coupling_bin_body(w->coupling, w->bin)
               : soil_boundary(w->soil, w->bucket.boundary);
}

static inline void scenes_works_dig(ScenesWorks* w, int cell)
{
    CouplingCut cut[3];
    int columns = terrain_definition(w->terrain)->nx * terrain_definition(w->terrain)->nz;
    for (int k = 0; k < 3; ++k) {
        cut[k].cell = (cell + k) % columns;
        cut[k].height =
            terrain_surface(w->terrain, cut[k].cell) - scenes_works_some(w, -0.1f, 0.4f);
    }
    Vec3 velocity = scenes_works_place(w, vec3(-1, 0, -1), vec3(1, 1, 1));
    coupling_dig(w->coupling, cut, 3, velocity);
}

// Over the site, up to a metre beside it, or into one of the bodies.
static inline void scenes_works_pour(ScenesWorks* w)
{
    const TerrainDef* g = terrain_definition(w->terrain);
    float wide = (float)g->nx * g->cell, deep = (float)g->nz * g->cell;
    float where = scenes_works_some(w, 0.0f, 3.0f);
    Vec3 at = scenes_works_place(w, vec3(-1, 2, -1), vec3(wide + 1, 3, deep + 1));
    at = vec3_add(at, g->origin);
    if (where > 1.0f) {
        Vec3 off = scenes_works_place(w, vec3(-0.3f, 0.1f, -0.3f), vec3(0.3f, 0.3f, 0.3f));
        at = vec3_add(scenes_works_body(w, where > 2.0f)->position, off);
    }
    coupling_pour(w->coupling, at, vec3(0.0f, -1.0f, 0.0f), (int)where);
}

// A body goes off, turns, stops or is set upright; never far from where it began.
static inline void scenes_works_move(ScenesWorks* w)
{
    const TerrainDef* g = terrain_definition(w->terrain);
    bool bin = base_random_u32(&w->random) % 2;
    SoilBoundary* b = scenes_works_body(w, bin);
    uint32_t what = base_random_u32(&w->random) % 4;
    float high = b->position.y - g->origin.y;
    b->velocity = b->spin = vec3(0.0f, 0.0f, 0.0f);
    if (what == 0) {
        b->velocity = scenes_works_place(w, vec3(-1, -1, 0), vec3(1, 1, 0));
        b->velocity.y = high < 2.5f ? 0.5f : high > 4.0f ? -0.5f : b->velocity.y;
    } else if (what == 1) {
        b->spin = scenes_works_place(w, vec3(-1, 0, -1), vec3(1, 0, 1));
    } else if (what == 2) {
        b->rotation = (Quat){0.0f, 0.0f, 0.0f, 1.0f};
    }
    coupling_bin_gate(w->coupling, w->bin, base_random_u32(&w->random) % 2);
}

static inline void scenes_works_change(ScenesWorks* w)
{
    int columns = terrain_definition(w->terrain)->nx * terrain_definition(w->terrain)->nz;
    int cell = (int)(base_random_u32(&w->random) % (uint32_t)columns);
    uint32_t what = base_random_u32(&w->random) % 16;
    float top = terrain_surface(w->terrain, cell);
    if (what < 4) {
        scenes_works_dig(w, cell);
    } else if (what < 12) {
        scenes_works_pour(w);
    } else if (what == 12) {
        terrain_compact(w->terrain, cell, scenes_works_some(w, 0.0f, 80000.0f));
    } else if (what == 13) {
        coupling_haul(w->coupling, cell, top - scenes_works_some(w, 0.0f, 0.2f));
    } else if (what == 14) {
        terrain_loosen(w->terrain, cell, top - scenes_works_some(w, 0.0f, 0.2f));
    } else {
        scenes_works_move(w);
    }
}

static inline void scenes_works_step(ScenesWorks* w, int changes, Jobs* jobs)
{
    for (int k = 0; k < changes; ++k) {
        scenes_works_change(w);
    }
    soil_step(w->soil, jobs);
    coupling_step(w->coupling, jobs);
    terrain_settle(w->terrain, jobs);
}

#endif
