// Life of a terrain, and what changes its columns by hand: laying, digging, depositing, pressing.
#include "terrain/terrain.h"

#include "base/base_assert.h"
#include "base/base_trig.h"
#include "terrain/terrain_internal.h"

#include <stdlib.h>

extern const JobsFn terrain_flow_tiles_sse2, terrain_flow_tiles_avx2;
extern const JobsFn terrain_commit_tiles_sse2, terrain_commit_tiles_avx2;

static const TerrainSimd terrain_simd[] = {
    {"sse2", &terrain_flow_tiles_sse2, &terrain_commit_tiles_sse2},
    {"avx2", &terrain_flow_tiles_avx2, &terrain_commit_tiles_avx2},
};

// Disturbed soil keeps a twentieth of its cohesion; a slope of this height must stand on it before
// it moves. At least two degrees more than repose, since grains at rest interlock; at most ten.
#define TERRAIN_RESIDUAL       0.05f
#define TERRAIN_RESIDUAL_SLOPE 1.0 // m
#define TERRAIN_START_LEAST    2   // degrees
#define TERRAIN_START_MOST     10

// Half of the way from loose to bank density is gone at this pressure; the effect reaches so deep.
#define TERRAIN_COMPACT_HALF  100000.0f // Pa
#define TERRAIN_COMPACT_DEPTH 0.4f      // m

TerrainMaterial terrain_material(float density_bank, float density_loose, float friction,
                                 float cohesion, float repose)
{
    TerrainMaterial m = {density_bank, density_loose, friction, cohesion, repose, repose};
    TerrainDef def = {.gravity = 9.81f, .material_count = 1};
    def.material[0] = m;
    def.material[0].density_bank = density_loose;
    def.material[0].friction = repose;
    def.material[0].cohesion = TERRAIN_RESIDUAL * cohesion;
    float degree = (float)BASE_DEG;
    m.start = repose + TERRAIN_START_LEAST * degree;
    for (int d = TERRAIN_START_LEAST + 1; d <= TERRAIN_START_MOST; ++d) {
        float beta = repose + (float)d * degree;
        if ((double)terrain_face_height(&def, 0, beta) >= TERRAIN_RESIDUAL_SLOPE) {
            m.start = beta;
        }
    }
    return m;
}

TerrainDef terrain_def(int nx, int nz)
{
    return (TerrainDef){.nx = nx, .nz = nz, .cell = 0.1f, .gravity = 9.81f};
}

static void check_def(const TerrainDef* def)
{
    BASE_ASSERT(def->nx >= 1 && def->nx <= TERRAIN_SIDE_MAX);
    BASE_ASSERT(def->nz >= 1 && def->nz <= TERRAIN_SIDE_MAX);
    BASE_ASSERT(def->cell > 0.0f && def->cell <= TERRAIN_CELL_MAX && def->gravity > 0.0f);
    BASE_ASSERT(def->material_count >= 1 && def->material_count <= TERRAIN_MATERIALS_MAX);
    for (int m = 0; m < def->material_count; ++m) {
        const TerrainMaterial* a = &def->material[m];
        BASE_ASSERT(a->density_loose > 0.0f && a->density_bank >= a->density_loose);
        BASE_ASSERT(a->friction >= 0.0f && a->cohesion >= 0.0f);
        BASE_ASSERT(a->repose > 0.0f && a->start >= a->repose && a->start < 1.5f);
    }
}

static void derive(Terrain* t)
{
    const TerrainDef* def = &t->def;
    double area = (double)def->cell * (double)def->cell;
    t->area = (float)area;
    for (int m = 0; m < def->material_count; ++m) {
        const TerrainMaterial* a = &def->material[m];
        double loose = 1e6 * (double)a->density_loose * area,
               bank = 1e6 * (double)a->density_bank * area;
        t->loose_m[m] = (float)(1.0 / loose);
        t->bank_m[m] = (float)(1.0 / bank);
        t->squeeze_m[m] = (float)(1.0 / loose - 1.0 / bank);
        t->loose_mg[m] = (float)loose;
        t->bank_mg[m] = bank;
        t->tan_stop[m] = base_sinf(a->repose) / base_cosf(a->repose);
        t->tan_start[m] = base_sinf(a->start) / base_cosf(a->start);
        t->sin_friction[m] = base_sinf(a->friction);
        t->cos_friction[m] = base_cosf(a->friction);
        t->tan_friction[m] = t->sin_friction[m] / t->cos_friction[m];
    }
}

void terrain_weather(Terrain* t, int material, float friction, float cohesion, float repose)
{
    BASE_ASSERT(material >= 0 && material < t->def.material_count);
    TerrainMaterial* a = &t->def.material[material];
    *a = terrain_material(a->density_bank, a->density_loose, friction, cohesion, repose);
    check_def(&t->def);
    derive(t);
}

static size_t memory_size(const Terrain* t)
{
    size_t planes = 4 * TERRAIN_STRATA_MAX + 2 + 4 * (size_t)t->def.material_count + 4 + 2 + 1 + 8;
    size_t bytes = t->columns * planes;
    bytes += (size_t)t->tiles * (1 + 1 + 2 + 1 + sizeof(TerrainCount));
    return bytes + (size_t)t->slot_max * sizeof(TerrainSlot) + 32 * BASE_ARENA_ALIGN;
}

static void carve(Terrain* t)
{
    BaseArena* arena = &t->arena;
    TerrainState* s = &t->state;
    size_t n = t->columns;
    for (int k = 0; k < TERRAIN_STRATA_MAX; ++k) {
        s->bank[k] = base_arena_alloc(arena, n * sizeof(uint32_t));
    }
    for (int m = 0; m < t->def.material_count; ++m) {
        s->loose[m] = base_arena_alloc(arena, n * sizeof(uint32_t));
    }
    s->soil = base_arena_alloc(arena, n * sizeof(uint16_t));
    s->base = base_arena_alloc(arena, n * sizeof(float));
    s->compaction = base_arena_alloc(arena, n * sizeof(uint16_t));
    s->moving = base_arena_alloc(arena, n);
    s->tile = base_arena_alloc(arena, (size_t)t->tiles);
    t->bank_top = base_arena_alloc(arena, n * sizeof(float));
    t->surface = base_arena_alloc(arena, n * sizeof(float));
    t->soils = base_arena_alloc(arena, (size_t)t->tiles);
    t->slot = base_arena_alloc(arena, (size_t)t->slot_max * sizeof(TerrainSlot));
    t->slot_of = base_arena_alloc(arena, (size_t)t->tiles * sizeof(int16_t));
    t->counted = base_arena_alloc(arena, (size_t)t->tiles * sizeof(TerrainCount));
    t->touched = base_arena_alloc(arena, (size_t)t->tiles);
}

Terrain* terrain_create(const TerrainDef* def)
{
    check_def(def);
    Terrain* t = calloc(1, sizeof *t);
    if (!t) {
        return NULL;
    }
    t->def = *def;
    t->columns = (size_t)def->nx * (size_t)def->nz;
    t->tiles_x = (def->nx + TERRAIN_TILE - 1) / TERRAIN_TILE;
    t->tiles_z = (def->nz + TERRAIN_TILE - 1) / TERRAIN_TILE;
    t->tiles = t->tiles_x * t->tiles_z;
    t->slot_max = base_mini(t->tiles, TERRAIN_SLOTS);
    if (!base_arena_init(&t->arena, memory_size(t)) || !base_arena_touch(&t->arena)) {
        base_arena_free(&t->arena);
        free(t);
        return NULL;
    }
    derive(t);
    carve(t);
    for (int k = 0; k < t->tiles; ++k) {
        t->slot_of[k] = -1;
    }
    for (size_t c = 0; c < t->columns; ++c) {
        t->state.base[c] = t->bank_top[c] = t->surface[c] = def->origin.y;
    }
    t->simd = &terrain_simd[__builtin_cpu_supports("avx2") ? 1 : 0];
    return t;
}

void terrain_destroy(Terrain* terrain)
{
    if (terrain) {
        base_arena_free(&terrain->arena);
        free(terrain);
    }
}

const TerrainDef* terrain_definition(const Terrain* terrain)
{
    return &terrain->def;
}

const TerrainState* terrain_state(const Terrain* terrain)
{
    return &terrain->state;
}

const TerrainStats* terrain_stats(const Terrain* terrain)
{
    return &terrain->stats;
}

size_t terrain_bytes(const Terrain* terrain)
{
    return terrain->arena.used + sizeof *terrain;
}

bool terrain_use_isa(Terrain* terrain, const char* name)
{
    for (size_t k = 0; k < sizeof terrain_simd / sizeof *terrain_simd; ++k) {
        if (strcmp(name, terrain_simd[k].name) == 0 && (k == 0 || __builtin_cpu_supports("avx2"))) {
            terrain->simd = &terrain_simd[k];
            return true;
        }
    }
    return false;
}

// --- what is derived -----------------------------------------------------------------------------

void terrain_refresh_surface(Terrain* t, int cell)
{
    float full = 0.0f, squeeze = 0.0f;
    for (int m = 0; m < t->def.material_count; ++m) {
        float mg = (float)t->state.loose[m][cell];
        full += mg * t->loose_m[m];
        squeeze += mg * t->squeeze_m[m];
    }
    t->surface[cell] =
        t->bank_top[cell] + terrain_thickness(full, squeeze, t->state.compaction[cell]);
    t->touched[terrain_tile_of(t, cell % t->def.nx, cell / t->def.nx)] = 1;
}

void terrain_refresh_column(Terrain* t, int cell)
{
    float top = t->state.base[cell];
    for (int k = 0; k < TERRAIN_STRATA_MAX; ++k) {
        top += (float)t->state.bank[k][cell] * t->bank_m[terrain_stratum_soil(t, cell, k)];
    }
    t->bank_top[cell] = top;
    terrain_refresh_surface(t, cell);
}

void terrain_refresh(Terrain* t)
{
    memset(t->soils, 0, (size_t)t->tiles);
    t->awake = 0;
    for (int j = 0; j < t->def.nz; ++j) {
        for (int i = 0; i < t->def.nx; ++i) {
            int cell = j * t->def.nx + i;
            terrain_refresh_column(t, cell);
            for (int m = 0; m < t->def.material_count; ++m) {
                t->soils[terrain_tile_of(t, i, j)] |=
                    (uint8_t)((t->state.loose[m][cell] != 0) << m);
            }
        }
    }
    for (int k = 0; k < t->tiles; ++k) {
        t->awake += (t->state.tile[k] & TERRAIN_AWAKE) != 0;
    }
}

void terrain_mark(Terrain* t, int cell, uint8_t bits)
{
    int i = cell % t->def.nx, j = cell / t->def.nx;
    int i0 = base_maxi(i - 1, 0) / TERRAIN_TILE,
        i1 = base_mini(i + 1, t->def.nx - 1) / TERRAIN_TILE;
    int j0 = base_maxi(j - 1, 0) / TERRAIN_TILE,
        j1 = base_mini(j + 1, t->def.nz - 1) / TERRAIN_TILE;
    for (int b = j0; b <= j1; ++b) {
        for (int a = i0; a <= i1; ++a) {
            uint8_t* tile = &t->state.tile[b * t->tiles_x + a];
            t->awake += (bits & TERRAIN_AWAKE) && !(*tile & TERRAIN_AWAKE);
            *tile |= bits;
        }
    }
}

void terrain_wake(Terrain* terrain, int cell)
{
    terrain_mark(terrain, cell, TERRAIN_AWAKE);
}

// --- laying --------------------------------------------------------------------------------------

void terrain_set_base(Terrain* t, int cell, float height)
{
    BASE_ASSERT(base_finite(height));
    t->state.base[cell] = height;
    terrain_refresh_column(t, cell);
    terrain_mark(t, cell, TERRAIN_AWAKE | TERRAIN_FACE);
}

// Strata in use, counted from below.
static int strata(const Terrain* t, int cell)
{
    int n = TERRAIN_STRATA_MAX;
    while (n > 0 && t->state.bank[n - 1][cell] == 0) {
        --n;
    }
    return n;
}

bool terrain_lay(Terrain* t, int cell, int material, uint32_t mg)
{
    BASE_ASSERT(material >= 0 && material < t->def.material_count);
    TerrainState* s = &t->state;
    int n = strata(t, cell);
    if (n > 0 && terrain_stratum_soil(t, cell, n - 1) == material &&
        s->bank[n - 1][cell] <= TERRAIN_LAYER_MAX - mg) {
        --n;
    }
    if (n == TERRAIN_STRATA_MAX || terrain_loose_mass(t, cell) > 0) {
        return false;
    }
    s->bank[n][cell] += mg;
    s->soil[cell] = (uint16_t)((s->soil[cell] & ~(15u << (4 * n))) | (unsigned)material << (4 * n));
    s->ledger.bank.of[material] += mg;
    s->ledger.added.of[material] += mg;
    ++s->ledger.transfers;
    terrain_refresh_column(t, cell);
    terrain_mark(t, cell, TERRAIN_AWAKE | TERRAIN_FACE);
    return true;
}

bool terrain_lay_depth(Terrain* t, int cell, int material, float depth)
{
    double mg = (double)depth * t->bank_mg[material] + 0.5;
    return mg >= 0.0 && mg <= (double)TERRAIN_LAYER_MAX &&
           terrain_lay(t, cell, material, (uint32_t)mg);
}

// --- digging -------------------------------------------------------------------------------------

// Takes `part` of `whole` of the loose layer, every material by its share; all of it when equal.
static void take_loose(Terrain* t, int cell, uint64_t part, uint64_t whole, TerrainDug* dug)
{
    TerrainState* s = &t->state;
    for (int m = 0; m < t->def.material_count; ++m) {
        uint64_t have = s->loose[m][cell];
        uint64_t mg = part >= whole ? have : have * part / whole;
        s->loose[m][cell] -= (uint32_t)mg;
        s->ledger.loose.of[m] -= mg;
        dug->loose.of[m] += mg;
        dug->total += mg;
    }
}

static void take_bank(Terrain* t, int cell, int k, uint32_t mg, TerrainDug* dug)
{
    TerrainState* s = &t->state;
    int m = terrain_stratum_soil(t, cell, k);
    s->bank[k][cell] -= mg;
    s->ledger.bank.of[m] -= mg;
    dug->bank.of[m] += mg;
    dug->total += mg;
}

// What is dug leaves the columns' accounts; `refresh` after the last taking.
static void taken(Terrain* t, int cell, const TerrainDug* dug)
{
    if (terrain_loose_mass(t, cell) == 0) {
        t->state.compaction[cell] = 0;
    }
    terrain_refresh_column(t, cell);
    if (dug->total > 0) {
        ++t->state.ledger.transfers;
        terrain_mark(t, cell, TERRAIN_AWAKE | TERRAIN_FACE);
    }
}

static void give(Terrain* t, const TerrainDug* dug)
{
    for (int m = 0; m < t->def.material_count; ++m) {
        t->state.ledger.given.of[m] += dug->loose.of[m] + dug->bank.of[m];
    }
}

// The bank above `height`, stratum by stratum from the top, at most `most` mg.
static void cut_bank(Terrain* t, int cell, float height, uint64_t most, TerrainDug* dug)
{
    for (int k = strata(t, cell) - 1; k >= 0; --k) {
        terrain_refresh_column(t, cell);
        double over = (double)t->bank_top[cell] - (double)height;
        uint32_t have = t->state.bank[k][cell];
        double mg = over * t->bank_mg[terrain_stratum_soil(t, cell, k)] + 0.5;
        if (!(mg >= 1.0) || most == 0) {
            return;
        }
        uint32_t part = mg >= (double)have ? have : (uint32_t)mg;
        part = part < most ? part : (uint32_t)most;
        take_bank(t, cell, k, part, dug);
        most -= part;
    }
}

TerrainDug terrain_dig(Terrain* t, int cell, float height)
{
    TerrainDug dug = {0};
    float top = t->surface[cell], bank = t->bank_top[cell];
    if (!(height < top)) {
        return dug;
    }
    if (height > bank) {
        const uint64_t whole = 1u << 24;
        take_loose(t, cell, (uint64_t)((double)(top - height) / (double)(top - bank) * whole),
                   whole, &dug);
    } else {
        take_loose(t, cell, 1, 1, &dug);
        cut_bank(t, cell, height, UINT64_MAX, &dug);
    }
    give(t, &dug);
    taken(t, cell, &dug);
    return dug;
}

// Loose soil to the milligram: shares rounded down, and the rest from the first that has it.
static void take_loose_mass(Terrain* t, int cell, uint64_t mg, TerrainDug* dug)
{
    uint64_t whole = terrain_loose_mass(t, cell);
    if (whole == 0) {
        return;
    }
    take_loose(t, cell, mg, whole, dug);
    uint64_t rest = mg > whole ? 0 : mg - dug->total;
    for (int m = 0; m < t->def.material_count && rest > 0; ++m) {
        uint32_t more = (uint32_t)(rest < t->state.loose[m][cell] ? rest : t->state.loose[m][cell]);
        t->state.loose[m][cell] -= more;
        t->state.ledger.loose.of[m] -= more;
        dug->loose.of[m] += more;
        dug->total += more;
        rest -= more;
    }
}

TerrainDug terrain_dig_mass(Terrain* t, int cell, uint64_t mg)
{
    TerrainDug dug = {0};
    take_loose_mass(t, cell, mg, &dug);
    for (int k = TERRAIN_STRATA_MAX - 1; k >= 0 && dug.total < mg; --k) {
        uint32_t have = t->state.bank[k][cell];
        uint64_t want = mg - dug.total;
        take_bank(t, cell, k, want < have ? (uint32_t)want : have, &dug);
    }
    give(t, &dug);
    taken(t, cell, &dug);
    return dug;
}

// --- depositing ----------------------------------------------------------------------------------

// Fresh soil is not compacted: the layer keeps the mean.
static void loosen_mean(Terrain* t, int cell, uint64_t before, uint64_t after)
{
    uint64_t k = t->state.compaction[cell];
    t->state.compaction[cell] = (uint16_t)(after > 0 ? k * before / after : 0);
}

static void put_loose(Terrain* t, int cell, int m, uint32_t mg)
{
    uint64_t before = terrain_loose_mass(t, cell);
    t->state.loose[m][cell] += mg;
    loosen_mean(t, cell, before, before + mg);
    t->state.ledger.loose.of[m] += mg;
    ++t->state.ledger.transfers;
    t->state.moving[cell] = TERRAIN_RESTLESS;
    t->soils[terrain_tile_of(t, cell % t->def.nx, cell / t->def.nx)] |= (uint8_t)(1u << m);
}

static bool has_room(const Terrain* t, int cell, uint64_t mg)
{
    return terrain_loose_mass(t, cell) + mg <= TERRAIN_LAYER_MAX;
}

static bool drop(Terrain* t, int cell, int material, uint32_t mg, TerrainMass* account)
{
    BASE_ASSERT(material >= 0 && material < t->def.material_count);
    if (!has_room(t, cell, mg)) {
        return false;
    }
    put_loose(t, cell, material, mg);
    account->of[material] += mg;
    terrain_refresh_surface(t, cell);
    terrain_wake(t, cell);
    return true;
}

bool terrain_deposit(Terrain* t, int cell, int material, uint32_t mg)
{
    return drop(t, cell, material, mg, &t->state.ledger.received);
}

bool terrain_add_loose(Terrain* t, int cell, int material, uint32_t mg)
{
    return drop(t, cell, material, mg, &t->state.ledger.added);
}

void terrain_discard(Terrain* t, int material, uint64_t mg)
{
    t->state.ledger.received.of[material] += mg;
    t->state.ledger.off_site.of[material] += mg;
    ++t->state.ledger.transfers;
}

// Weight of a column in a patch: a dome that ends at the radius. Never zero in the middle.
static uint32_t dome(float dx, float dz, float radius)
{
    float w = 1.0f - (dx * dx + dz * dz) / (radius * radius);
    return w > 0.0f ? (uint32_t)(w * 65535.0f) : 0;
}

// Column of a patch: -1 off the site, but what would fall behind a wall falls before it.
static int patch_cell(const Terrain* t, int i, int j)
{
    if (t->def.walled) {
        i = base_maxi(0, base_mini(i, t->def.nx - 1));
        j = base_maxi(0, base_mini(j, t->def.nz - 1));
    }
    return terrain_cell(t, i, j);
}

uint32_t terrain_deposit_around(Terrain* t, float x, float z, float radius, int material,
                                uint32_t mg)
{
    const TerrainDef* def = &t->def;
    BASE_ASSERT(base_finite(x) && base_finite(z) && material >= 0 &&
                material < def->material_count);
    float u = (x - def->origin.x) / def->cell, v = (z - def->origin.z) / def->cell;
    float far = (float)(2 * TERRAIN_SIDE_MAX);
    u = base_clampf(u, -far, far), v = base_clampf(v, -far, far);
    float r = base_clampf(radius / def->cell, 0.75f, 64.0f); // 0.75: always meets a column's middle
    int i0 = (int)(u - r) - 1, i1 = (int)(u + r) + 1, j0 = (int)(v - r) - 1, j1 = (int)(v + r) + 1;

    uint64_t weight = 0;
    for (int j = j0; j <= j1; ++j) {
        for (int i = i0; i <= i1; ++i) {
            weight += dome((float)i + 0.5f - u, (float)j + 0.5f - v, r);
        }
    }

    // shares of a running sum: they add up to mg whatever was rounded
    uint64_t sum = 0, done = 0;
    uint32_t refused = 0;
    for (int j = j0; j <= j1; ++j) {
        for (int i = i0; i <= i1; ++i) {
            sum += dome((float)i + 0.5f - u, (float)j + 0.5f - v, r);
            uint32_t share = (uint32_t)((uint64_t)mg * sum / weight - done);
            int cell = patch_cell(t, i, j);
            done += share;
            if (share > 0 && cell < 0) {
                terrain_discard(t, material, share);
            } else if (share > 0 && !terrain_deposit(t, cell, material, share)) {
                refused += share;
            }
        }
    }
    return refused;
}

uint64_t terrain_loosen(Terrain* t, int cell, float height)
{
    TerrainDug dug = {0};
    if (!(height < t->bank_top[cell])) {
        return 0;
    }
    cut_bank(t, cell, height, TERRAIN_LAYER_MAX - terrain_loose_mass(t, cell), &dug);
    for (int m = 0; m < t->def.material_count; ++m) {
        if (dug.bank.of[m] > 0) {
            put_loose(t, cell, m, (uint32_t)dug.bank.of[m]);
        }
    }
    taken(t, cell, &dug);
    return dug.total;
}

// --- pressing ------------------------------------------------------------------------------------

float terrain_compaction(float pressure)
{
    float p = base_maxf(pressure, 0.0f);
    return p / (p + TERRAIN_COMPACT_HALF);
}

void terrain_compact(Terrain* t, int cell, float pressure)
{
    BASE_ASSERT(base_finite(pressure));
    float depth = t->surface[cell] - t->bank_top[cell];
    if (!(depth > 0.0f)) {
        return;
    }
    // thick layers feel it in their upper part only
    float share = base_minf(1.0f, TERRAIN_COMPACT_DEPTH / depth);
    uint16_t k = (uint16_t)(terrain_compaction(pressure) * share * (float)TERRAIN_COMPACT_MAX);
    if (k > t->state.compaction[cell]) {
        t->state.compaction[cell] = k;
        ++t->state.ledger.transfers;
        terrain_refresh_surface(t, cell);
        terrain_mark(t, cell, TERRAIN_AWAKE);
    }
}
