#include "view/view_lod.h"

#include <stdlib.h>

bool view_lod_init(ViewLod* lod, const ViewGround* g)
{
    *lod = (ViewLod){.capacity = g->tiles_x * g->tiles_z};
    lod->chunk = calloc((size_t)lod->capacity, sizeof *lod->chunk);
    lod->level = calloc((size_t)lod->capacity, 1);
    if (lod->chunk && lod->level)
        return true;
    view_lod_free(lod);
    return false;
}

void view_lod_free(ViewLod* lod)
{
    free(lod->chunk), free(lod->level);
    *lod = (ViewLod){0};
}

typedef struct Selection {
    ViewLod* lod;
    const ViewGround* ground;
    Vec3 eye;
    float detail;
    int finest;
} Selection;

// A square of tiles: [i, i + side) x [j, j + side), cut off at the site's edge.
typedef struct Square {
    int i, j, side;
} Square;

static void square_heights(const ViewGround* g, Square q, float* low, float* high)
{
    *low = 1e9f, *high = -1e9f;
    for (int j = q.j; j < base_mini(q.j + q.side, g->tiles_z); ++j) {
        for (int i = q.i; i < base_mini(q.i + q.side, g->tiles_x); ++i) {
            *low = base_minf(*low, g->low[j * g->tiles_x + i]);
            *high = base_maxf(*high, g->high[j * g->tiles_x + i]);
        }
    }
}

// Neighbouring vertices belong to the box too: hence one column more at the far ends.
static void square_box(const ViewGround* g, Square q, Vec3* low, Vec3* high)
{
    float y0, y1, wide = (float)VIEW_TILE * g->cell;
    square_heights(g, q, &y0, &y1);
    *low = vec3(g->origin.x + (float)q.i * wide, y0 - 1.0f, g->origin.z + (float)q.j * wide);
    *high = vec3(low->x + (float)q.side * wide + g->cell, y1 + 1.0f,
                 low->z + (float)q.side * wide + g->cell);
}

static float box_distance(Vec3 p, Vec3 low, Vec3 high)
{
    float dx = base_maxf(0.0f, base_maxf(low.x - p.x, p.x - high.x));
    float dy = base_maxf(0.0f, base_maxf(low.y - p.y, p.y - high.y));
    float dz = base_maxf(0.0f, base_maxf(low.z - p.z, p.z - high.z));
    return vec3_length(vec3(dx, dy, dz));
}

static void select_square(const Selection* s, Square q, int level)
{
    const ViewGround* g = s->ground;
    if (q.i >= g->tiles_x || q.j >= g->tiles_z)
        return;
    Vec3 low, high;
    square_box(g, q, &low, &high);
    float width = (float)(q.side * VIEW_TILE) * g->cell;
    if (level > s->finest && box_distance(s->eye, low, high) < s->detail * width) {
        int half = q.side / 2;
        for (int k = 0; k < 4; ++k)
            select_square(s, (Square){q.i + k % 2 * half, q.j + k / 2 * half, half}, level - 1);
        return;
    }
    for (int j = q.j; j < base_mini(q.j + q.side, g->tiles_z); ++j)
        for (int i = q.i; i < base_mini(q.i + q.side, g->tiles_x); ++i)
            s->lod->level[j * g->tiles_x + i] = (uint8_t)level;
}

static uint8_t level_beside(const ViewLod* lod, const ViewGround* g, int i, int j, int own)
{
    if (i < 0 || j < 0 || i >= g->tiles_x || j >= g->tiles_z)
        return (uint8_t)own;
    return (uint8_t)base_maxi(own, lod->level[j * g->tiles_x + i]);
}

static void emit_chunk(ViewLod* lod, const ViewGround* g, int i, int j, int level,
                       const ViewFrustum* frustum)
{
    int side = 1 << level;
    Vec3 low, high;
    square_box(g, (Square){i, j, side}, &low, &high);
    if (frustum && !view_camera_sees_box(frustum, low, high))
        return;
    lod->chunk[lod->count++] = (ViewChunk){
        .i = (int16_t)(i * VIEW_TILE),
        .j = (int16_t)(j * VIEW_TILE),
        .level = (int16_t)level,
        .edge = {level_beside(lod, g, i - 1, j, level), level_beside(lod, g, i + side, j, level),
                 level_beside(lod, g, i, j - 1, level), level_beside(lod, g, i, j + side, level)}};
}

void view_lod_select(ViewLod* lod, const ViewGround* g, Vec3 eye, float detail, int finest,
                     const ViewFrustum* frustum)
{
    int top = VIEW_LOD_LEVELS - 1, side = 1 << top;
    Selection s = {lod, g, eye, detail, base_mini(finest, top)};
    for (int j = 0; j < g->tiles_z; j += side)
        for (int i = 0; i < g->tiles_x; i += side)
            select_square(&s, (Square){i, j, side}, top);

    lod->count = 0;
    for (int j = 0; j < g->tiles_z; ++j) {
        for (int i = 0; i < g->tiles_x; ++i) {
            int level = lod->level[j * g->tiles_x + i], mask = (1 << level) - 1;
            if ((i & mask) == 0 && (j & mask) == 0)
                emit_chunk(lod, g, i, j, level, frustum);
        }
    }
}

// The nearest multiple of 1 << level.
static int round_to(int x, int level)
{
    return ((x + (1 << level >> 1)) >> level) << level;
}

// On the border to a coarser neighbour only that one's vertices count.
void view_lod_vertex(const ViewChunk* c, const ViewGround* g, int u, int v, int* i, int* j)
{
    int x = c->i + (u << c->level), z = c->j + (v << c->level);
    int along_z = u == 0 ? c->edge[0] : u == VIEW_LOD_SIDE ? c->edge[1] : c->level;
    int along_x = v == 0 ? c->edge[2] : v == VIEW_LOD_SIDE ? c->edge[3] : c->level;
    *i = base_mini(round_to(x, along_x), g->nx - 1);
    *j = base_mini(round_to(z, along_z), g->nz - 1);
}
