// Counting what lies in the ground, against its ledger.
//
// Each change marks its tile. A recount takes the marked tiles and a few others in turn, so that what
// would change a column without going through the functions of terrain is found as well, some seconds
// later. It costs what has moved, not what the site measures.
#include "terrain/terrain_internal.h"

#include <string.h>

#define RECOUNT_TURN 16 // tiles that nothing happened to, in each recount

bool terrain_balanced(const Terrain* t)
{
    const TerrainLedger* l = &t->state.ledger;
    bool fine = true;
    for (int m = 0; m < t->def.material_count; ++m) {
        fine = fine && l->bank.of[m] + l->loose.of[m] + l->off_site.of[m] + l->given.of[m] ==
                           l->added.of[m] + l->received.of[m];
    }
    return fine;
}

static TerrainCount count_row(const Terrain* t, int first, int columns, TerrainCount sum)
{
    for (int c = first; c < first + columns; ++c) {
        for (int k = 0; k < TERRAIN_STRATA_MAX; ++k) {
            sum.bank.of[terrain_stratum_soil(t, c, k)] += t->state.bank[k][c];
        }
    }
    for (int m = 0; m < t->def.material_count; ++m) {
        for (int c = first; c < first + columns; ++c) {
            sum.loose.of[m] += t->state.loose[m][c];
        }
    }
    return sum;
}

static TerrainCount count_tile(const Terrain* t, int tile)
{
    int i = tile % t->tiles_x * TERRAIN_TILE, j = tile / t->tiles_x * TERRAIN_TILE;
    int columns = base_mini(TERRAIN_TILE, t->def.nx - i);
    int end = base_mini(j + TERRAIN_TILE, t->def.nz);
    TerrainCount sum = {0};
    for (; j < end; ++j) {
        sum = count_row(t, j * t->def.nx + i, columns, sum);
    }
    return sum;
}

static bool agrees(const Terrain* t, const TerrainCount* all)
{
    const TerrainLedger* l = &t->state.ledger;
    bool same = terrain_balanced(t);
    for (int m = 0; m < t->def.material_count; ++m) {
        same = same && all->bank.of[m] == l->bank.of[m] && all->loose.of[m] == l->loose.of[m];
    }
    return same;
}

bool terrain_audit(const Terrain* t)
{
    TerrainCount all = {0};
    for (int j = 0; j < t->def.nz; ++j) {
        all = count_row(t, j * t->def.nx, t->def.nx, all);
    }
    return agrees(t, &all);
}

// Unsigned sums wrap round: taking away the old count and adding the new one is exact.
static void recount_tile(Terrain* t, int tile)
{
    TerrainCount now = count_tile(t, tile), *old = &t->counted[tile];
    for (int m = 0; m < TERRAIN_MATERIALS_MAX; ++m) {
        t->all.bank.of[m] += now.bank.of[m] - old->bank.of[m];
        t->all.loose.of[m] += now.loose.of[m] - old->loose.of[m];
    }
    *old = now;
}

bool terrain_recount(Terrain* t)
{
    for (int tile = 0; tile < t->tiles; ++tile) {
        if (t->touched[tile]) {
            recount_tile(t, tile);
        }
    }
    memset(t->touched, 0, (size_t)t->tiles);
    for (int k = 0; k < base_mini(RECOUNT_TURN, t->tiles); ++k) {
        recount_tile(t, t->turn);
        t->turn = (t->turn + 1) % t->tiles;
    }
    return agrees(t, &t->all);
}
