#include "view/view_ground.h"

#include <math.h>
#include <stdlib.h>

// --- the map -------------------------------------------------------------------------------------

bool view_ground_init(ViewGround* g, int nx, int nz, float cell, Vec3 origin)
{
    size_t columns = (size_t)nx * (size_t)nz;
    *g = (ViewGround){.nx = nx, .nz = nz, .cell = cell, .origin = origin};
    g->tiles_x = (nx + VIEW_TILE - 1) / VIEW_TILE, g->tiles_z = (nz + VIEW_TILE - 1) / VIEW_TILE;
    size_t tiles = (size_t)g->tiles_x * (size_t)g->tiles_z;
    g->height = calloc(columns, sizeof *g->height);
    g->kind = calloc(columns, sizeof *g->kind);
    g->column = calloc(columns, sizeof *g->column);
    g->low = calloc(tiles, sizeof *g->low);
    g->high = calloc(tiles, sizeof *g->high);
    g->stamp = calloc(tiles, sizeof *g->stamp);
    if (g->height && g->kind && g->column && g->low && g->high && g->stamp)
        return true;
    view_ground_free(g);
    return false;
}

void view_ground_free(ViewGround* g)
{
    free(g->height), free(g->kind), free(g->column);
    free(g->low), free(g->high), free(g->stamp);
    *g = (ViewGround){0};
}

// Columns of a tile, cut off at the site's edge.
typedef struct TileSpan {
    int i0, j0, i1, j1;
} TileSpan;

static TileSpan tile_span(const ViewGround* g, int tile)
{
    int i = tile % g->tiles_x * VIEW_TILE, j = tile / g->tiles_x * VIEW_TILE;
    return (TileSpan){i, j, base_mini(i + VIEW_TILE, g->nx), base_mini(j + VIEW_TILE, g->nz)};
}

void view_ground_touched(ViewGround* g, int tile)
{
    TileSpan s = tile_span(g, tile);
    float low = g->height[s.j0 * g->nx + s.i0], high = low;
    for (int j = s.j0; j < s.j1; ++j) {
        for (int i = s.i0; i < s.i1; ++i) {
            low = base_minf(low, g->height[j * g->nx + i]);
            high = base_maxf(high, g->height[j * g->nx + i]);
        }
    }
    g->low[tile] = low, g->high[tile] = high;
    g->stamp[tile] += 1;
    g->changes += 1;
}

static void copy_tile(ViewGround* to, const ViewGround* from, int tile)
{
    TileSpan s = tile_span(from, tile);
    size_t width = (size_t)(s.i1 - s.i0);
    for (int j = s.j0; j < s.j1; ++j) {
        size_t at = (size_t)(j * from->nx + s.i0);
        memcpy(to->height + at, from->height + at, width * sizeof *to->height);
        memcpy(to->kind + at, from->kind + at, width * sizeof *to->kind);
        memcpy(to->column + at, from->column + at, width * sizeof *to->column);
    }
    to->low[tile] = from->low[tile], to->high[tile] = from->high[tile];
    to->stamp[tile] = from->stamp[tile];
}

int view_ground_copy(ViewGround* to, const ViewGround* from)
{
    int count = 0;
    to->layers = from->layers, to->layer_low = from->layer_low, to->road = from->road;
    if (to->changes == from->changes)
        return 0;
    for (int tile = 0; tile < from->tiles_x * from->tiles_z; ++tile) {
        if (to->stamp[tile] != from->stamp[tile]) {
            copy_tile(to, from, tile);
            ++count;
        }
    }
    to->changes = from->changes;
    memcpy(to->soil, from->soil, sizeof to->soil);
    return count;
}

static float height_at(const ViewGround* g, int i, int j)
{
    i = base_mini(base_maxi(i, 0), g->nx - 1), j = base_mini(base_maxi(j, 0), g->nz - 1);
    return g->height[j * g->nx + i];
}

float view_ground_height(const ViewGround* g, float x, float z)
{
    float u = (x - g->origin.x) / g->cell - 0.5f, v = (z - g->origin.z) / g->cell - 0.5f;
    u = base_clampf(u, 0.0f, (float)(g->nx - 1)), v = base_clampf(v, 0.0f, (float)(g->nz - 1));
    int i = (int)u, j = (int)v;
    float a = u - (float)i, b = v - (float)j;
    float near = height_at(g, i, j) * (1.0f - a) + height_at(g, i + 1, j) * a;
    float far = height_at(g, i, j + 1) * (1.0f - a) + height_at(g, i + 1, j + 1) * a;
    return near * (1.0f - b) + far * b;
}

static float chance(int x, int z, uint32_t seed)
{
    uint32_t h = (uint32_t)x * 374761393u + (uint32_t)z * 668265263u + seed * 2246822519u;
    h = (h ^ h >> 13) * 1274126177u;
    return (float)((h ^ h >> 16) & 0xffffffu) * (1.0f / 16777216.0f);
}

float view_ground_noise(float x, float z, float wave, uint32_t seed)
{
    float u = x / wave, v = z / wave;
    int i = (int)floorf(u), j = (int)floorf(v);
    float a = u - (float)i, b = v - (float)j;
    a = a * a * (3 - 2 * a), b = b * b * (3 - 2 * b);
    float near = chance(i, j, seed) * (1 - a) + chance(i + 1, j, seed) * a;
    float far = chance(i, j + 1, seed) * (1 - a) + chance(i + 1, j + 1, seed) * a;
    return near * (1 - b) + far * b;
}

// --- shape: normals and openness -----------------------------------------------------------------

#define SHAPE_WAYS  8
#define SHAPE_STEPS 4
static const int way_x[SHAPE_WAYS] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int way_z[SHAPE_WAYS] = {0, 1, 1, 1, 0, -1, -1, -1};
static const int way_far[SHAPE_STEPS] = {2, 5, 11, 23}; // columns

// Part of the sky's light that reaches a column: 1 on a plain, less at the foot of a wall.
static float openness(const ViewGround* g, int i, int j)
{
    float h = g->height[j * g->nx + i], shut = 0.0f;
    for (int w = 0; w < SHAPE_WAYS; ++w) {
        float steepest = 0.0f, pace = w % 2 ? 1.41421f : 1.0f;
        for (int s = 0; s < SHAPE_STEPS; ++s) {
            float far = (float)way_far[s] * pace * g->cell;
            float up = height_at(g, i + way_x[w] * way_far[s], j + way_z[w] * way_far[s]) - h;
            steepest = base_maxf(steepest, up / far);
        }
        shut += steepest * steepest / (1.0f + steepest * steepest);
    }
    return 1.0f - shut / SHAPE_WAYS;
}

static void shape_column(const ViewGround* g, int i, int j, uint8_t out[4])
{
    float dx = height_at(g, i - 1, j) - height_at(g, i + 1, j);
    float dz = height_at(g, i, j - 1) - height_at(g, i, j + 1);
    float scale = 1.0f / (2.0f * g->cell), h = height_at(g, i, j);
    Vec3 n = vec3_unit(vec3(dx * scale, 1.0f, dz * scale));
    // how much the column sticks out of its neighbours: edges are worn paler, grooves darker
    float mean = 0.25f * (height_at(g, i - 2, j) + height_at(g, i + 2, j) + height_at(g, i, j - 2) +
                          height_at(g, i, j + 2));
    float stands = base_clampf(0.5f + (h - mean) / (4.0f * g->cell), 0.0f, 1.0f);
    out[0] = (uint8_t)(128.5f + 127.0f * n.x);
    out[1] = (uint8_t)(128.5f + 127.0f * n.z);
    out[2] = (uint8_t)(255.0f * openness(g, i, j));
    out[3] = (uint8_t)(255.0f * stands);
}

void view_ground_shape(const ViewGround* g, int tile, uint8_t out[VIEW_TILE_COLUMNS][4])
{
    TileSpan s = tile_span(g, tile);
    for (int j = s.j0; j < s.j1; ++j)
        for (int i = s.i0; i < s.i1; ++i)
            shape_column(g, i, j, out[(j - s.j0) * VIEW_TILE + i - s.i0]);
}
