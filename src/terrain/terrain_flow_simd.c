// One sweep of sliding over one tile: how much crosses each face, and what remains in each column.
//
// A face lies between a column a and its neighbour b. With d the drop from a to b and t the slope
// along the face (limited, so that a cliff beside it does not count), the ground there falls by
// g = sqrt(d2 + t2) per column, in whatever direction. Above the limit L, the part d (1 - L / g) of
// the drop is too much, and a share of it crosses: direction of the heap and of the grid do not
// matter, and the flow is smooth. + - * / sqrt alone, so that both instruction sets give the same
// bits.
#include "base/base_simd.h"
#include "terrain/terrain_internal.h"

#define W (TERRAIN_TILE + 4) // side of the window
#define N (W * W)

// Shares of the excess that may cross one face in a sweep. A column has four faces, and a quarter
// can never overshoot; near the limit only the two faces up and down the slope carry anything, so
// more is safe there.
#define FLOW_SHARE      0.25f
#define FLOW_SHARE_NEAR 0.15f // on top of it at the limit itself

#define FLOW_HAIR 0.9999998f

typedef struct FlowWindow {
    uint32_t loose[TERRAIN_MATERIALS_MAX][N]; // mg
    uint32_t total[N];
    float height[N];  // m
    float stop[N];    // m per column: limit of moving soil
    float start[N];   // m per column: limit of resting soil
    float density[N]; // mg per m of height
    float moving[N];  // > 0: slid lately
    float most[N];    // mg that a face may take from the column
    float room[N];    // mg that a face may bring
} FlowWindow;

// mg from a column to the next in +x and +z; aligned for whole vectors.
typedef struct FlowFaces {
    int32_t fx[N] __attribute__((aligned(64)));
    int32_t fz[N] __attribute__((aligned(64)));
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
    memset(w->moving, 0, sizeof w->moving);
    int low = base_maxi(0, -p->x), high = base_mini(W, nx - p->x);
    for (int r = 1; r < W - 1; ++r) {
        int z = p->z + r;
        if (z < 0 || z >= nz) {
            continue;
        }
        const uint8_t* from = t->state.moving + (size_t)z * (size_t)nx;
        for (int c = low; c < high; ++c) {
            w->moving[r * W + c] = (float)from[p->x + c];
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
    for (int c = 0; c < N; ++c) {
        uint32_t total = w->total[c];
        float part = 1.0f / (float)(total + (total == 0));
        w->stop[c] *= part * cell;
        w->start[c] *= part * cell;
        w->density[c] *= part;
        // a quarter each, and a hair less, since a float may round up
        w->most[c] = (float)(total >> 2) * FLOW_HAIR;
        w->room[c] = (float)((TERRAIN_LAYER_MAX - total) >> 2) * FLOW_HAIR;
    }
}

// The smaller of two slopes, 0 when they differ in sign.
SIMD_INLINE F8 minmod(F8 a, F8 b)
{
    F8 small = f8_select(f8_lt(f8_abs(a), f8_abs(b)), a, b);
    return f8_and(f8_lt(f8_zero(), f8_mul(a, b)), small);
}

SIMD_INLINE F8 along(const float* h, int side)
{
    F8 here = f8_loadu(h);
    return minmod(f8_sub(f8_loadu(h + side), here), f8_sub(here, f8_loadu(h - side)));
}

// Eight faces, between the columns from a on and those from b on; `side` leads along the face.
SIMD_INLINE F8 flow_faces(const FlowWindow* w, int a, int b, int side)
{
    F8 one = f8_set(1.0f);
    F8 d = f8_sub(f8_loadu(w->height + a), f8_loadu(w->height + b));
    F8 t = f8_mul(f8_set(0.5f), f8_add(along(w->height + a, side), along(w->height + b, side)));
    F8 g = f8_sqrt(f8_add(f8_add(f8_mul(d, d), f8_mul(t, t)), f8_set(1e-20f)));

    // the upper column gives, by its own limits
    F8 down = f8_lt(f8_zero(), d);
    F8 stop = f8_select(down, f8_loadu(w->stop + a), f8_loadu(w->stop + b));
    F8 start = f8_select(down, f8_loadu(w->start + a), f8_loadu(w->start + b));
    F8 density = f8_select(down, f8_loadu(w->density + a), f8_loadu(w->density + b));
    F8 most = f8_select(down, f8_loadu(w->most + a), f8_loadu(w->most + b));
    F8 room = f8_select(down, f8_loadu(w->room + b), f8_loadu(w->room + a));
    F8 slid = f8_lt(f8_zero(), f8_add(f8_loadu(w->moving + a), f8_loadu(w->moving + b)));
    F8 limit = f8_select(slid, stop, start);

    // a share of the excess, as far as there is soil and room
    F8 near = f8_div(limit, g);
    F8 share = f8_add(f8_set(FLOW_SHARE), f8_mul(f8_set(FLOW_SHARE_NEAR), f8_mul(near, near)));
    F8 mg = f8_mul(f8_mul(share, density), f8_mul(f8_abs(d), f8_sub(one, near)));
    mg = f8_and(f8_lt(f8_mul(limit, f8_set(TERRAIN_SLACK)), g), mg);
    mg = f8_min(mg, f8_min(most, room));
    return f8_select(down, mg, f8_sub(f8_zero(), mg));
}

// In whole vectors through the rows; what they find beyond the tile's own faces is not used.
static void flow_all_faces(const FlowWindow* w, FlowFaces* f)
{
    for (int a = 2 * W; a < (W - 2) * W; a += SIMD_WIDTH) {
        f8_store((float*)(f->fx + a), f8_bits(i8_truncate(flow_faces(w, a, a + 1, W))));
    }
    for (int a = W - 4; a < (W - 2) * W; a += SIMD_WIDTH) {
        f8_store((float*)(f->fz + a), f8_bits(i8_truncate(flow_faces(w, a, a + W, 1))));
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

SIMD_INLINE uint64_t positive(int32_t f)
{
    return f > 0 ? (uint64_t)f : 0;
}

// What arrives is loose, so the layer keeps the mean of its compaction.
static uint16_t mix(const FlowWindow* w, const FlowFaces* f, int a, uint16_t compaction)
{
    int32_t west = f->fx[a - 1], east = f->fx[a], south = f->fz[a - W], north = f->fz[a];
    uint64_t in = positive(west) + positive(-east) + positive(south) + positive(-north);
    uint64_t out = positive(-west) + positive(east) + positive(-south) + positive(north);
    uint64_t stay = w->total[a] - out;
    return (uint16_t)(stay + in > 0 ? compaction * stay / (stay + in) : 0);
}

// Who slid stays restless for a while.
static void gather_rest(const Terrain* t, const FlowPlace* p, const FlowWindow* w,
                        const FlowFaces* f, TerrainSlot* slot)
{
    int faces = 0, restless = 0;
    for (int r = 0; r < p->rows; ++r) {
        int at = r * TERRAIN_TILE, first = (r + 2) * W + 2;
        int cell = (p->z + r + 2) * t->def.nx + p->x + 2;
        for (int c = 0; c < p->columns; ++c) {
            int a = first + c;
            int32_t any = f->fx[a - 1] | f->fx[a] | f->fz[a - W] | f->fz[a];
            int calm = (int)w->moving[a];
            calm -= calm > 0;
            int moving = any != 0 ? TERRAIN_RESTLESS : calm;
            slot->moving[at + c] = (uint8_t)moving;
            restless |= moving;
            faces += (f->fx[a] != 0) + (f->fz[a] != 0);
        }
        for (int c = 0; c < p->columns; ++c) {
            uint16_t k = t->state.compaction[cell + c];
            slot->compaction[at + c] = k > 0 ? mix(w, f, first + c, k) : 0;
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

    flow_all_faces(&w, &f);
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
