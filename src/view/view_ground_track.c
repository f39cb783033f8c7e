// view_ground_track - keeps the picture's ground in step with the simulated one.
#include "view/view_ground.h"

#include <math.h>
#include <stdlib.h>

#define TRACK_ROUND      8      // steps in which every sleeping tile is looked at
#define TRACK_DRY        6      // looks until fresh soil is one of 255 drier: dry after 200 s
#define TRACK_CUT        0.004f // m of bank that must go before it counts as a fresh cut
#define TRACK_GRASS_DEEP 0.03f  // m of loose soil that buries grass for good
#define WEAR_RAGGED      3.8f   // m by which the rim of worn grass wanders
#define WEAR_RIM         3.2f   // m beyond which nothing is worn
#define TRACK_LOOSE_FULL 0.08f  // m of loose soil that hide what is below

struct ViewGroundTrack {
    ViewGround ground;
    float* surface;     // [columns] m, as last seen in the terrain
    float* bank;        // [columns] m
    float* lower;       // [columns] m, for grains that fade; 0 between steps
    ViewLayers* layers; // [columns]
    uint8_t* mark;      // [tiles] 1: has fading grains now, 2: had some in the step before
    uint32_t look;      // of the round over the sleeping tiles
    CouplingFade fade[COUPLING_FADES_MAX];
};

// --- layers --------------------------------------------------------------------------------------

static uint16_t layer_number(float height, float low)
{
    return (uint16_t)base_clampf((height - low) / VIEW_LAYER_STEP + 0.5f, 0.0f, 65534.0f);
}

static ViewLayers layers_of(const Terrain* terrain, int cell, float low)
{
    const TerrainState* s = terrain_state(terrain);
    float side = terrain_definition(terrain)->cell, top = s->base[cell];
    ViewLayers out = {{65535, 65535, 65535}, 0};
    int kind = VIEW_ROCK, last = -1;
    for (int k = 0; k < TERRAIN_STRATA_MAX; ++k) {
        if (s->bank[k][cell] > 0) {
            kind = s->soil[cell] >> 4 * k & 15, last = k;
            top += (float)((double)s->bank[k][cell] / terrain_bank_mg(terrain, kind, 1.0)) /
                   (side * side);
        }
        out.kind = (uint16_t)(out.kind | kind << 4 * k);
        if (k < 3)
            out.top[k] = layer_number(top, low);
    }
    // the uppermost goes on for ever
    for (int k = base_maxi(last, 0); k < 3; ++k)
        out.top[k] = 65535;
    return out;
}

static void find_layers(ViewGroundTrack* t, const Terrain* terrain, int columns)
{
    const float* base = terrain_state(terrain)->base;
    float low = base[0];
    for (int c = 1; c < columns; ++c)
        low = base_minf(low, base[c]);
    for (int c = 0; c < columns; ++c)
        t->layers[c] = layers_of(terrain, c, low);
    t->ground.layers = t->layers, t->ground.layer_low = low;
}

ViewGroundTrack* view_ground_track(const Terrain* terrain, const ViewSoil* soil)
{
    const TerrainDef* def = terrain_definition(terrain);
    size_t columns = (size_t)def->nx * (size_t)def->nz;
    ViewGroundTrack* t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    bool fine = view_ground_init(&t->ground, def->nx, def->nz, def->cell, def->origin);
    t->surface = calloc(columns, sizeof *t->surface);
    t->bank = calloc(columns, sizeof *t->bank);
    t->lower = calloc(columns, sizeof *t->lower);
    t->layers = calloc(columns, sizeof *t->layers);
    t->mark = fine ? calloc((size_t)(t->ground.tiles_x * t->ground.tiles_z), 1) : NULL;
    if (!fine || !t->surface || !t->bank || !t->lower || !t->layers || !t->mark) {
        view_ground_untrack(t);
        return NULL;
    }
    memcpy(t->ground.soil, soil, (size_t)def->material_count * sizeof *soil);
    t->ground.soil[VIEW_ROCK] = view_soil_rock();
    for (int c = 0; c < (int)columns; ++c) {
        int top = terrain_top_material(terrain, c);
        t->surface[c] = terrain_surface(terrain, c), t->bank[c] = terrain_bank_top(terrain, c);
        bool grows = top >= 0 && soil[top].grass > 0.5f && t->surface[c] - t->bank[c] < 1e-4f;
        t->ground.column[c].grass = grows ? 255 : 0;
    }
    find_layers(t, terrain, (int)columns);
    view_ground_follow_all(t, terrain);
    return t;
}

void view_ground_untrack(ViewGroundTrack* t)
{
    if (!t)
        return;
    view_ground_free(&t->ground);
    free(t->surface), free(t->bank), free(t->lower), free(t->layers), free(t->mark);
    free(t);
}

const ViewGround* view_ground_of(const ViewGroundTrack* t)
{
    return &t->ground;
}

// --- one column ----------------------------------------------------------------------------------

static uint8_t drier(uint8_t fresh, bool dry)
{
    return (uint8_t)(dry && fresh > 0 ? fresh - 1 : fresh);
}

// True when something of it is to be drawn anew.
static bool follow_column(ViewGroundTrack* t, const Terrain* terrain, int c, bool dry)
{
    ViewGround* g = &t->ground;
    ViewColumn was = g->column[c], now = was;
    float surface = terrain_surface(terrain, c), bank = terrain_bank_top(terrain, c);
    float height = surface - t->lower[c], loose = surface - bank;
    int top = terrain_top_material(terrain, c);
    uint8_t kind = (uint8_t)(top < 0 ? VIEW_ROCK : top);

    now.fresh = drier(was.fresh, dry);
    if (t->bank[c] - bank > TRACK_CUT)
        now.fresh = 255, now.grass = 0, now.press = 0, t->bank[c] = bank;
    if (surface - t->surface[c] > TRACK_CUT || t->surface[c] - surface > TRACK_CUT) {
        now.fresh = (uint8_t)base_maxi(now.fresh, 170);
        now.press = (uint8_t)((now.press >> 1 & 0xf0) | (now.press & 15));
        t->surface[c] = surface;
    }
    if (loose > TRACK_GRASS_DEEP)
        now.grass = 0;
    now.loose = (uint8_t)(255.0f * base_clampf(loose / TRACK_LOOSE_FULL, 0.0f, 1.0f));

    if (height == g->height[c] && kind == g->kind[c] && memcmp(&now, &was, sizeof now) == 0)
        return false;
    g->height[c] = height, g->kind[c] = kind, g->column[c] = now;
    return true;
}

static void follow_tile(ViewGroundTrack* t, const Terrain* terrain, int tile, bool dry)
{
    ViewGround* g = &t->ground;
    int i0 = tile % g->tiles_x * VIEW_TILE, j0 = tile / g->tiles_x * VIEW_TILE;
    bool changed = false;
    for (int j = j0; j < base_mini(j0 + VIEW_TILE, g->nz); ++j)
        for (int i = i0; i < base_mini(i0 + VIEW_TILE, g->nx); ++i)
            changed = follow_column(t, terrain, j * g->nx + i, dry) || changed;
    if (changed)
        view_ground_touched(g, tile);
}

// --- grains that fade ----------------------------------------------------------------------------

// Lowers (sign 1) or puts back (sign 0) the ground round a grain, and marks its tiles.
static void fade_around(ViewGroundTrack* t, const Coupling* c, const CouplingFade* f, bool on)
{
    ViewGround* g = &t->ground;
    float u = (f->position.x - g->origin.x) / g->cell, v = (f->position.z - g->origin.z) / g->cell;
    for (int j = (int)v - 2; j <= (int)v + 2; ++j) {
        for (int i = (int)u - 2; i <= (int)u + 2; ++i) {
            if (i < 0 || j < 0 || i >= g->nx || j >= g->nz)
                continue;
            float dx = ((float)i + 0.5f - u) * g->cell, dz = ((float)j + 0.5f - v) * g->cell;
            float* lower = &t->lower[j * g->nx + i];
            *lower = on ? *lower + coupling_fade_rise(c, f, dx, dz) : 0.0f;
            t->mark[j / VIEW_TILE * g->tiles_x + i / VIEW_TILE] |= 1;
        }
    }
}

// --- steps ---------------------------------------------------------------------------------------

void view_ground_follow(ViewGroundTrack* t, const Terrain* terrain, const Coupling* coupling)
{
    const TerrainState* state = terrain_state(terrain);
    int tiles = t->ground.tiles_x * t->ground.tiles_z, fades = 0;
    if (coupling)
        fades = coupling_fades(coupling, t->fade, COUPLING_FADES_MAX);
    for (int k = 0; k < fades; ++k)
        fade_around(t, coupling, &t->fade[k], true);

    bool dry = t->look / TRACK_ROUND % TRACK_DRY == 0;
    for (int tile = 0; tile < tiles; ++tile) {
        bool turn = (uint32_t)tile % TRACK_ROUND == t->look % TRACK_ROUND;
        if (turn || state->tile[tile] || t->mark[tile])
            follow_tile(t, terrain, tile, turn && dry);
        t->mark[tile] = (uint8_t)(t->mark[tile] << 1 & 2);
    }
    t->look += 1;

    for (int k = 0; k < fades; ++k)
        fade_around(t, coupling, &t->fade[k], false);
}

void view_ground_follow_all(ViewGroundTrack* t, const Terrain* terrain)
{
    for (int tile = 0; tile < t->ground.tiles_x * t->ground.tiles_z; ++tile) {
        follow_tile(t, terrain, tile, false);
        // once more by hand: the first look must number every tile
        if (t->ground.stamp[tile] == 0)
            view_ground_touched(&t->ground, tile);
    }
}

void view_ground_press(ViewGroundTrack* t, float x, float z, float heading, float length,
                       float width, float amount)
{
    ViewGround* g = &t->ground;
    int flat = (int)(15.0f * base_clampf(amount, 0.0f, 1.0f) + 0.5f);
    int way = (int)lrintf(heading * (float)(16.0 / BASE_PI)) & 15;
    float c = cosf(heading), s = sinf(heading), reach = 0.5f * (length + width);
    int i0 = (int)((x - reach - g->origin.x) / g->cell), i1 = i0 + (int)(2 * reach / g->cell) + 1;
    int j0 = (int)((z - reach - g->origin.z) / g->cell), j1 = j0 + (int)(2 * reach / g->cell) + 1;
    for (int j = base_maxi(j0, 0); j <= base_mini(j1, g->nz - 1); ++j) {
        for (int i = base_maxi(i0, 0); i <= base_mini(i1, g->nx - 1); ++i) {
            float dx = g->origin.x + ((float)i + 0.5f) * g->cell - x;
            float dz = g->origin.z + ((float)j + 0.5f) * g->cell - z;
            if (fabsf(dx * c + dz * s) > 0.5f * length || fabsf(dz * c - dx * s) > 0.5f * width)
                continue;
            ViewColumn* column = &g->column[j * g->nx + i];
            if (flat < column->press >> 4)
                continue;
            column->press = (uint8_t)(flat << 4 | way);
            column->grass = (uint8_t)base_mini(column->grass, 255 - 9 * flat);
            t->mark[j / VIEW_TILE * g->tiles_x + i / VIEW_TILE] |= 1;
            g->stamp[j / VIEW_TILE * g->tiles_x + i / VIEW_TILE] += 1;
            g->changes += 1;
        }
    }
}

// --- before the work began -----------------------------------------------------------------------

static float distance_to_line(float x, float z, const float a[2], const float b[2])
{
    float wx = b[0] - a[0], wz = b[1] - a[1], square = wx * wx + wz * wz;
    float t = square > 0.0f ? ((x - a[0]) * wx + (z - a[1]) * wz) / square : 0.0f;
    t = base_clampf(t, 0.0f, 1.0f);
    return hypotf(x - a[0] - t * wx, z - a[1] - t * wz);
}

void view_ground_wear(ViewGroundTrack* t, const float a[2], const float b[2], float reach)
{
    ViewGround* g = &t->ground;
    for (int tile = 0; tile < g->tiles_x * g->tiles_z; ++tile) {
        int i0 = tile % g->tiles_x * VIEW_TILE, j0 = tile / g->tiles_x * VIEW_TILE;
        bool changed = false;
        for (int j = j0; j < base_mini(j0 + VIEW_TILE, g->nz); ++j) {
            for (int i = i0; i < base_mini(i0 + VIEW_TILE, g->nx); ++i) {
                float x = g->origin.x + ((float)i + 0.5f) * g->cell;
                float z = g->origin.z + ((float)j + 0.5f) * g->cell;
                float far = distance_to_line(x, z, a, b);
                if (far > reach + WEAR_RIM)
                    continue;
                float ragged = WEAR_RAGGED * (0.68f * view_ground_noise(x, z, 3.1f, 51) +
                                              0.32f * view_ground_noise(x, z, 0.9f, 52));
                float out = far + ragged - 0.5f * WEAR_RAGGED - reach;
                float left = base_clampf(0.4f * out + 0.5f, 0.0f, 1.0f);
                uint8_t grass = (uint8_t)(255.0f * left * left * (3.0f - 2.0f * left));
                ViewColumn* column = &g->column[j * g->nx + i];
                changed = changed || grass < column->grass;
                column->grass = grass < column->grass ? grass : column->grass;
            }
        }
        if (changed)
            view_ground_touched(g, tile);
    }
}

void view_ground_lead_in(ViewGroundTrack* t, const ViewRoad* road)
{
    t->ground.road = *road;
}
