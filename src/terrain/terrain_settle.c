// Slopes slide: which tiles take part, in which order, and how often per step.
#include "base/base_assert.h"
#include "terrain/terrain_internal.h"

// Columns that a step may work through, and sweeps that it may make over few of them. A heap
// settles the sooner the smaller it is; a landslide takes one sweep a step and more time.
#define TERRAIN_STEP_COLUMNS 40960
#define TERRAIN_STEP_SWEEPS  16

// The awake tiles from the cursor on, once around, as many as there are slots.
static void choose(Terrain* t)
{
    int at = t->state.cursor, left = t->awake;
    t->slot_count = 0;
    for (int k = 0; k < t->tiles && left > 0 && t->slot_count < t->slot_max; ++k) {
        if (t->state.tile[at] & TERRAIN_AWAKE) {
            t->slot[t->slot_count].tile = at;
            t->slot_of[at] = (int16_t)t->slot_count++;
            --left;
        }
        at = at + 1 < t->tiles ? at + 1 : 0;
    }
    // everyone had a turn: start at the front again, so that rounds are alike
    t->state.cursor = left > 0 ? at : 0;
    t->stats.waiting = left;
}

static void set_awake(Terrain* t, int tile, bool awake)
{
    bool before = t->state.tile[tile] & TERRAIN_AWAKE;
    t->awake += (int)awake - (int)before;
    t->state.tile[tile] =
        (uint8_t)((t->state.tile[tile] & ~TERRAIN_AWAKE) | (awake ? TERRAIN_AWAKE : 0));
}

// What came to rest may lie on a crest that cannot bear it: the faces around are looked at once.
static void look_around(Terrain* t, int tile)
{
    int tx = tile % t->tiles_x, tz = tile / t->tiles_x;
    for (int z = base_maxi(tz - 1, 0); z <= base_mini(tz + 1, t->tiles_z - 1); ++z) {
        for (int x = base_maxi(tx - 1, 0); x <= base_mini(tx + 1, t->tiles_x - 1); ++x) {
            t->state.tile[z * t->tiles_x + x] |= TERRAIN_FACE;
        }
    }
}

// In order of the slots, so that nothing depends on who finished first.
static void finish(Terrain* t)
{
    TerrainLedger* ledger = &t->state.ledger;
    for (int s = 0; s < t->slot_count; ++s) {
        set_awake(t, t->slot[s].tile, t->slot[s].busy);
        if (!t->slot[s].busy && t->slot[s].soils != 0) {
            look_around(t, t->slot[s].tile);
        }
    }
    const int step[4] = {-1, 1, -t->tiles_x, t->tiles_x};
    for (int s = 0; s < t->slot_count; ++s) {
        const TerrainSlot* slot = &t->slot[s];
        for (int k = 0; k < 4; ++k) {
            if (slot->wake >> k & 1) {
                set_awake(t, slot->tile + step[k], true);
            }
        }
        for (int m = 0; m < t->def.material_count; ++m) {
            ledger->loose.of[m] -= slot->off_site[m];
            ledger->off_site.of[m] += slot->off_site[m];
        }
        ledger->transfers += (uint64_t)slot->faces;
        t->stats.faces += slot->faces;
        t->slot_of[slot->tile] = -1;
        t->touched[slot->tile] = 1;
    }
}

void terrain_sweep(Terrain* t, Jobs* jobs)
{
    choose(t);
    if (t->slot_count == 0) {
        return;
    }
    jobs_for(jobs, t->slot_count, TERRAIN_BLOCK, *t->simd->flow, t);
    jobs_for(jobs, t->slot_count, TERRAIN_BLOCK, *t->simd->commit, t);
    finish(t);
    ++t->stats.sweeps;
    t->stats.columns += (int64_t)t->slot_count * TERRAIN_TILE_COLUMNS;
}

void terrain_settle(Terrain* t, Jobs* jobs)
{
    t->stats = (TerrainStats){0};
    int columns = t->awake * TERRAIN_TILE_COLUMNS;
    int sweeps = columns > 0 ? TERRAIN_STEP_COLUMNS / columns : 0;
    sweeps = base_maxi(1, base_mini(sweeps, TERRAIN_STEP_SWEEPS));
    for (int k = 0; k < sweeps && t->awake > 0; ++k) {
        terrain_sweep(t, jobs);
    }
    t->stats.tiles = t->awake;
    ++t->state.step;
}

void terrain_settle_leaning(Terrain* t, Jobs* jobs, float rise_x, float rise_z, bool wake)
{
    BASE_ASSERT(t->def.walled);
    for (int tile = 0; wake && tile < t->tiles; ++tile) {
        set_awake(t, tile, true);
    }
    if (t->awake == 0) {
        terrain_settle(t, jobs);
        return;
    }
    // lean, slide, stand up again: heights follow from the masses, so nothing is left of it
    for (int cell = 0; cell < t->def.nx * t->def.nz; ++cell) {
        Vec3 at = terrain_center(t, cell);
        t->state.base[cell] = t->def.origin.y + rise_x * at.x + rise_z * at.z;
        terrain_refresh_column(t, cell);
    }
    terrain_settle(t, jobs);
    for (int cell = 0; cell < t->def.nx * t->def.nz; ++cell) {
        t->state.base[cell] = t->def.origin.y;
        terrain_refresh_column(t, cell);
    }
}

bool terrain_still(const Terrain* t)
{
    return t->awake == 0;
}

// The rule of terrain_flow_simd.c for one face, without the share that would move.
static float minmod(float a, float b)
{
    float small = __builtin_fabsf(a) < __builtin_fabsf(b) ? a : b;
    return a * b > 0.0f ? small : 0.0f;
}

static float beside(const Terrain* t, int i, int j, int di, int dj)
{
    int low = terrain_cell(t, i - di, j - dj), at = terrain_cell(t, i, j),
        high = terrain_cell(t, i + di, j + dj);
    if (low < 0 || high < 0) {
        return 0.0f; // outside counts as flat: the edge may be steeper than we say, never flatter
    }
    return minmod(t->surface[high] - t->surface[at], t->surface[at] - t->surface[low]);
}

static float start_limit(const Terrain* t, int cell)
{
    float sum = 0.0f, total = 0.0f;
    for (int m = 0; m < t->def.material_count; ++m) {
        float mg = (float)t->state.loose[m][cell];
        total += mg;
        sum += mg * t->tan_start[m];
    }
    return t->def.cell * sum / base_maxf(total, 1.0f);
}

static bool steep(const Terrain* t, int i, int j, int di, int dj)
{
    int a = terrain_cell(t, i, j), b = terrain_cell(t, i + di, j + dj);
    if (b < 0 || t->state.tile[terrain_tile_of(t, i, j)] & TERRAIN_AWAKE ||
        t->state.tile[terrain_tile_of(t, i + di, j + dj)] & TERRAIN_AWAKE) {
        return false;
    }
    float d = t->surface[a] - t->surface[b];
    float s = 0.5f * (beside(t, i, j, dj, di) + beside(t, i + di, j + dj, dj, di));
    float g = __builtin_sqrtf(d * d + s * s);
    int donor = d > 0.0f ? a : b;
    float limit = start_limit(t, donor) * (TERRAIN_SLACK + 0.001f) + 1e-6f;
    float excess = __builtin_fabsf(d) * (1.0f - limit / base_maxf(g, limit));
    float least = 4.5f * TERRAIN_LEAST; // dust stays
    return g > limit && (float)terrain_loose_mass(t, donor) > least &&
           excess > least * t->loose_m[terrain_top_material(t, donor)] * 2.0f;
}

// I4
int terrain_find_steep(const Terrain* t)
{
    for (int j = 0; j < t->def.nz; ++j) {
        for (int i = 0; i < t->def.nx; ++i) {
            if (steep(t, i, j, 1, 0) || steep(t, i, j, 0, 1)) {
                return j * t->def.nx + i;
            }
        }
    }
    return -1;
}
