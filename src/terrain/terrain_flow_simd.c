// One sweep of sliding over one tile: how much crosses each face, and what remains in each column.
//
// A face lies between a column a and its neighbour b. With d the drop from a to b and t the slope
// along the face (limited, so that a cliff beside it does not count), the ground there falls by
// g = sqrt(d2 + t2) per column, in whatever direction. Above the limit L, the part d (1 - L / g) of
// the drop is too much, and a share of it crosses: direction of the heap and of the grid do not
// matter, and the flow is smooth. It is written in plain loops over rows, which the compiler turns
// into vectors; + - * / sqrt alone, so that both instruction sets give the same bits.
#include "base/base_simd.h"
#include "terrain/terrain_internal.h"

#define W (TERRAIN_TILE + 4) // side of the window
#define N (W * W)

// Shares of the excess that may cross one face in a sweep. A column has four faces, and a quarter
// can never overshoot; near the limit only the two faces up and down the slope carry anything, so
// more is safe there.
#define FLOW_SHARE      0.25f
#define FLOW_SHARE_NEAR 0.15f // on top of it at the limit itself

#define FLOW_MOST 1.0e9f // mg across a face in a sweep, so that it fits 32 bits with room to spare

typedef struct FlowWindow {
    uint32_t loose[TERRAIN_MATERIALS_MAX][N]; // mg
    uint32_t total[N];
    float height[N];  // m
    float stop[N];    // m per column: limit of moving soil
    float start[N];   // m per column: limit of resting soil
    float density[N]; // mg per m of height
    float moving[N];  // > 0: slid lately
    int32_t most[N];  // mg that a face may take from the column
    int32_t room[N];  // mg that a face may bring
} FlowWindow;

// mg from a column to the next in +x and +z
typedef struct FlowFaces {
    int32_t fx[N], fz[N];
} FlowFaces;

typedef struct FlowPlace {
    int x, z;          // column of the site at window (0, 0)
    int columns, rows; // of the tile, fewer at the far edges
    uint8_t soils;
} FlowPlace;

static int clampi(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

// Outside, the ground lies as high as the bank of the edge: a heap may spill, nothing comes back.
// Behind a wall it mirrors the surface: nothing moves.
static void load_heights(const Terrain* t, const FlowPlace* p, FlowWindow* w)
{
    const int nx = t->def.nx, nz = t->def.nz;
    const float* outside = t->def.walled ? t->surface : t->bank_top;
    for (int r = 0; r < W; ++r) {
        int z = p->z + r, row = clampi(z, nz) * nx;
        if (z == clampi(z, nz) && p->x >= 0 && p->x + W <= nx) {
            memcpy(w->height + r * W, t->surface + row + p->x, W * sizeof(float));
            continue;
        }
        for (int c = 0; c < W; ++c) {
            int x = p->x + c;
            bool inside = x >= 0 && x < nx && z >= 0 && z < nz;
            w->height[r * W + c] = (inside ? t->surface : outside)[row + clampi(x, nx)];
        }
    }
}

// A piece of a plane, zero outside the site.
static void load_plane(const Terrain* t, const FlowPlace* p, const uint32_t* plane, uint32_t* out)
{
    const int nx = t->def.nx, nz = t->def.nz;
    for (int r = 1; r < W - 1; ++r) {
        int z = p->z + r;
        uint32_t* to = out + r * W;
        if (z < 0 || z >= nz) {
            memset(to, 0, W * sizeof *to);
        } else if (p->x >= 0 && p->x + W <= nx) {
            memcpy(to, plane + (size_t)z * (size_t)nx + p->x, W * sizeof *to);
        } else {
            for (int c = 0; c < W; ++c) {
                int x = p->x + c;
                to[c] = x >= 0 && x < nx ? plane[z * nx + x] : 0;
            }
        }
    }
}

static void load_moving(const Terrain* t, const FlowPlace* p, FlowWindow* w)
{
    const int nx = t->def.nx, nz = t->def.nz;
    for (int r = 1; r < W - 1; ++r) {
        int z = p->z + r;
        for (int c = 0; c < W; ++c) {
            int x = p->x + c;
            bool inside = x >= 0 && x < nx && z >= 0 && z < nz;
            w->moving[r * W + c] = inside ? (float)t->state.moving[z * nx + x] : 0.0f;
        }
    }
}

// Limits and density of mixed soil are those of its parts, by mass.
static void load_soils(const Terrain* t, const FlowPlace* p, FlowWindow* w)
{
    memset(w->total, 0, sizeof w->total);
    memset(w->stop, 0, sizeof w->stop);
    memset(w->start, 0, sizeof w->start);
    memset(w->density, 0, sizeof w->density);
    for (int m = 0; m < t->def.material_count; ++m) {
        if (!(p->soils >> m & 1)) {
            continue;
        }
        load_plane(t, p, t->state.loose[m], w->loose[m]);
        float stop = t->tan_stop[m], start = t->tan_start[m], density = t->loose_mg[m];
        const uint32_t* loose = w->loose[m];
        for (int c = W; c < N - W; ++c) {
            float mg = (float)loose[c];
            w->total[c] += loose[c];
            w->stop[c] += mg * stop;
            w->start[c] += mg * start;
            w->density[c] += mg * density;
        }
    }
    float cell = t->def.cell;
    for (int c = W; c < N - W; ++c) {
        uint32_t total = w->total[c];
        float part = 1.0f / ((float)total > 1.0f ? (float)total : 1.0f);
        w->stop[c] *= part * cell;
        w->start[c] *= part * cell;
        w->density[c] *= part;
        w->most[c] = (int32_t)(total >> 2);
        w->room[c] = (int32_t)((TERRAIN_LAYER_MAX - total) >> 2);
    }
}

SIMD_INLINE float minmod(float a, float b)
{
    float small = __builtin_fabsf(a) < __builtin_fabsf(b) ? a : b;
    return a * b > 0.0f ? small : 0.0f;
}

// `count` faces between column a = from + k and b = a + step; `side` leads along the face.
SIMD_INLINE void flow_faces(const FlowWindow* w, int from, int count, int step, int side,
                            int32_t* restrict out)
{
    const float* h = w->height;
    for (int k = 0; k < count; ++k) {
        int a = from + k, b = a + step;
        float d = h[a] - h[b];
        float ta = minmod(h[a + side] - h[a], h[a] - h[a - side]);
        float tb = minmod(h[b + side] - h[b], h[b] - h[b - side]);
        float t = 0.5f * (ta + tb);
        float g = __builtin_sqrtf(d * d + t * t + 1e-20f);

        // the upper column gives, by its own limits
        bool down = d > 0.0f;
        float stop = down ? w->stop[a] : w->stop[b], start = down ? w->start[a] : w->start[b];
        float density = down ? w->density[a] : w->density[b];
        int32_t most = down ? w->most[a] : w->most[b], room = down ? w->room[b] : w->room[a];
        float limit = w->moving[a] + w->moving[b] > 0.0f ? stop : start;

        float near = limit / g;
        float share = FLOW_SHARE + FLOW_SHARE_NEAR * near * near;
        float mg = share * density * __builtin_fabsf(d) * (1.0f - near);
        mg = g > limit * TERRAIN_SLACK ? mg : 0.0f;
        mg = mg < FLOW_MOST ? mg : FLOW_MOST;
        int32_t q = (int32_t)mg;
        q = q < most ? q : most;
        q = q < room ? q : room;
        out[from + k] = down ? q : -q;
    }
}

// A tile whose neighbour sleeps sends nothing across, but has it woken for the next sweep.
static uint8_t close_side(int32_t* face, int first, int stride, int count)
{
    int32_t any = 0;
    for (int k = 0; k < count; ++k) {
        any |= face[first + k * stride];
        face[first + k * stride] = 0;
    }
    return any != 0;
}

static bool sleeping(const Terrain* t, int tx, int tz)
{
    bool exists = tx >= 0 && tx < t->tiles_x && tz >= 0 && tz < t->tiles_z;
    return exists && t->slot_of[tz * t->tiles_x + tx] < 0;
}

static uint8_t close_sides(const Terrain* t, const FlowPlace* p, int tile, FlowFaces* f)
{
    int tx = tile % t->tiles_x, tz = tile / t->tiles_x;
    int first = 2 * W + 2;
    uint8_t wake = 0;
    if (sleeping(t, tx - 1, tz)) {
        wake |= close_side(f->fx, first - 1, W, p->rows);
    }
    if (sleeping(t, tx + 1, tz)) {
        wake |= (uint8_t)(close_side(f->fx, first + p->columns - 1, W, p->rows) << 1);
    }
    if (sleeping(t, tx, tz - 1)) {
        wake |= (uint8_t)(close_side(f->fz, first - W, 1, p->columns) << 2);
    }
    if (sleeping(t, tx, tz + 1)) {
        wake |= (uint8_t)(close_side(f->fz, first + (p->rows - 1) * W, 1, p->columns) << 3);
    }
    return wake;
}

// What of q mg out of a column is material m; both ends of a face find the same number.
SIMD_INLINE uint32_t share_of(const FlowWindow* w, int donor, int m, uint32_t q)
{
    uint32_t mg = w->loose[m][donor], total = w->total[donor];
    return mg == total ? q : mg == 0 ? 0 : (uint32_t)((uint64_t)q * mg / total);
}

// The part of material m of the signed flow f from a to b, with its sign.
SIMD_INLINE int64_t part_of(const FlowWindow* w, int a, int b, int m, int32_t f)
{
    return f > 0   ? (int64_t)share_of(w, a, m, (uint32_t)f)
           : f < 0 ? -(int64_t)share_of(w, b, m, (uint32_t)-f)
                   : 0;
}

// One material: the flow is its own share.
static void gather_one(const FlowPlace* p, const FlowWindow* w, const FlowFaces* f, int m,
                       TerrainSlot* slot)
{
    for (int r = 0; r < p->rows; ++r) {
        const int at = (r + 2) * W + 2;
        for (int c = 0; c < p->columns; ++c) {
            int a = at + c;
            uint32_t net =
                (uint32_t)(f->fx[a - 1] - f->fx[a]) + (uint32_t)(f->fz[a - W] - f->fz[a]);
            slot->loose[m][r * TERRAIN_TILE + c] = w->loose[m][a] + net;
        }
    }
}

static void gather_mixed(const FlowPlace* p, const FlowWindow* w, const FlowFaces* f, int m,
                         TerrainSlot* slot)
{
    for (int r = 0; r < p->rows; ++r) {
        for (int c = 0; c < p->columns; ++c) {
            int a = (r + 2) * W + 2 + c;
            int64_t mg = (int64_t)w->loose[m][a];
            mg += part_of(w, a - 1, a, m, f->fx[a - 1]) - part_of(w, a, a + 1, m, f->fx[a]);
            mg += part_of(w, a - W, a, m, f->fz[a - W]) - part_of(w, a, a + W, m, f->fz[a]);
            slot->loose[m][r * TERRAIN_TILE + c] = (uint32_t)mg;
        }
    }
}

static void gather_off_site(const Terrain* t, const FlowPlace* p, const FlowWindow* w,
                            const FlowFaces* f, TerrainSlot* slot)
{
    int right = t->def.nx - 1 - p->x, far = t->def.nz - 1 - p->z; // window of the last columns
    for (int m = 0; m < t->def.material_count; ++m) {
        if (!(p->soils >> m & 1)) {
            continue;
        }
        int64_t off = 0;
        for (int r = 2; r < 2 + p->rows && p->x < 0; ++r) {
            off -= part_of(w, r * W + 1, r * W + 2, m, f->fx[r * W + 1]);
        }
        for (int r = 2; r < 2 + p->rows && right < 2 + TERRAIN_TILE; ++r) {
            off += part_of(w, r * W + right, r * W + right + 1, m, f->fx[r * W + right]);
        }
        for (int c = 2; c < 2 + p->columns && p->z < 0; ++c) {
            off -= part_of(w, W + c, 2 * W + c, m, f->fz[W + c]);
        }
        for (int c = 2; c < 2 + p->columns && far < 2 + TERRAIN_TILE; ++c) {
            off += part_of(w, far * W + c, (far + 1) * W + c, m, f->fz[far * W + c]);
        }
        slot->off_site[m] = (uint64_t)off;
    }
}

SIMD_INLINE int32_t positive(int32_t f)
{
    return f > 0 ? f : 0;
}

// Who slid stays restless; what arrives is loose, so the layer keeps the mean of its compaction.
static void gather_rest(const Terrain* t, const FlowPlace* p, const FlowWindow* w,
                        const FlowFaces* f, TerrainSlot* slot)
{
    int faces = 0;
    uint8_t restless = 0;
    for (int r = 0; r < p->rows; ++r) {
        for (int c = 0; c < p->columns; ++c) {
            int a = (r + 2) * W + 2 + c, at = r * TERRAIN_TILE + c;
            int cell = (p->z + r + 2) * t->def.nx + p->x + c + 2;
            int32_t west = f->fx[a - 1], east = f->fx[a], south = f->fz[a - W], north = f->fz[a];
            uint8_t moving = t->state.moving[cell];
            uint16_t compaction = t->state.compaction[cell];
            moving = west | east | south | north ? TERRAIN_RESTLESS : moving > 0 ? moving - 1 : 0;
            if (compaction > 0) {
                uint64_t in = (uint64_t)positive(west) + (uint64_t)positive(-east) +
                              (uint64_t)positive(south) + (uint64_t)positive(-north);
                uint64_t out = (uint64_t)positive(-west) + (uint64_t)positive(east) +
                               (uint64_t)positive(-south) + (uint64_t)positive(north);
                uint64_t stay = w->total[a] - out;
                compaction = (uint16_t)(stay + in > 0 ? compaction * stay / (stay + in) : 0);
            }
            slot->moving[at] = moving;
            slot->compaction[at] = compaction;
            restless |= moving;
            faces += (east != 0) + (north != 0);
        }
    }
    slot->faces = faces;
    slot->busy = restless != 0 || slot->wake != 0;
}

// The materials in the loose layers of a tile and of those around it.
static uint8_t soils_around(const Terrain* t, int tile)
{
    int tx = tile % t->tiles_x, tz = tile / t->tiles_x;
    uint8_t soils = 0;
    for (int z = base_maxi(tz - 1, 0); z <= base_mini(tz + 1, t->tiles_z - 1); ++z) {
        for (int x = base_maxi(tx - 1, 0); x <= base_mini(tx + 1, t->tiles_x - 1); ++x) {
            soils |= t->soils[z * t->tiles_x + x];
        }
    }
    return soils;
}

static void flow_tile(const Terrain* t, TerrainSlot* slot)
{
    FlowWindow w;
    FlowFaces f;
    int x0 = slot->tile % t->tiles_x * TERRAIN_TILE, z0 = slot->tile / t->tiles_x * TERRAIN_TILE;
    FlowPlace p = {x0 - 2, z0 - 2, base_mini(TERRAIN_TILE, t->def.nx - x0),
                   base_mini(TERRAIN_TILE, t->def.nz - z0), soils_around(t, slot->tile)};
    load_heights(t, &p, &w);
    load_moving(t, &p, &w);
    load_soils(t, &p, &w);

    // faces to +x from one column left of the tile on, to +z from one row before it
    for (int r = 2; r < 2 + TERRAIN_TILE; ++r) {
        flow_faces(&w, r * W + 1, TERRAIN_TILE + 1, 1, W, f.fx);
    }
    for (int r = 1; r < 2 + TERRAIN_TILE; ++r) {
        flow_faces(&w, r * W + 2, TERRAIN_TILE, W, 1, f.fz);
    }
    slot->wake = close_sides(t, &p, slot->tile, &f);
    slot->soils = p.soils;

    bool mixed = (p.soils & (p.soils - 1)) != 0;
    for (int m = 0; m < t->def.material_count; ++m) {
        slot->off_site[m] = 0;
        if (p.soils >> m & 1) {
            (mixed ? gather_mixed : gather_one)(&p, &w, &f, m, slot);
        }
    }
    if (p.x < 0 || p.z < 0 || p.x + W > t->def.nx || p.z + W > t->def.nz) {
        gather_off_site(t, &p, &w, &f, slot);
    }
    gather_rest(t, &p, &w, &f, slot);
}

static void flow_tiles(void* context, int block, int begin, int end)
{
    (void)block;
    Terrain* t = context;
    for (int s = begin; s < end; ++s) {
        flow_tile(t, &t->slot[s]);
    }
}

extern const JobsFn SIMD_NAME(terrain_flow_tiles);
const JobsFn SIMD_NAME(terrain_flow_tiles) = flow_tiles;
