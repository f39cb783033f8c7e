// Neighbour lists: every grain looks through the 27 cells around it, eight candidates at a time.
//
// A pair is listed when it is closer than its radii plus the margin, either now or where both are
// expected at the interval's end. The test is symmetric to the last bit, so each pair stands in
// both lists or in neither; the same holds for refusals when a list is full.
#include "base/base_simd.h"
#include "soil/soil_internal.h"

#include <float.h>

// Candidates one grain may look at before the nearest are chosen; real packings stay below 40.
#define SOIL_FOUND_MAX 256

typedef struct SoilSearch {
    int self;
    int found;
    uint32_t row[SOIL_FOUND_MAX + SOIL_LANES];
} SoilSearch;

// What the grains of a block found, before they are dealt to lanes.
typedef struct SoilFound {
    uint8_t count[SOIL_BLOCK];
    uint32_t row[SOIL_BLOCK][SOIL_CONTACTS_MAX];
} SoilFound;

// One grain's view of the others; lives in registers.
typedef struct SoilView {
    F8 px, py, pz, qx, qy, qz;
    F8 reach; // m, radius plus the margin
} SoilView;

SIMD_INLINE F8 soil_search_dist2(F8 x, F8 y, F8 z)
{
    return f8_add(f8_add(f8_mul(x, x), f8_mul(y, y)), f8_mul(z, z));
}

// Which of the eight grains from j on are near? `moving` looks at now and then; without it the two
// are so close that the expected position speaks for both.
SIMD_INLINE unsigned soil_search_eight(const SoilArrays* a, const SoilView* v, int j, bool moving)
{
    F8 near2 =
        soil_search_dist2(f8_sub(f8_loadu(a->qx + j), v->qx), f8_sub(f8_loadu(a->qy + j), v->qy),
                          f8_sub(f8_loadu(a->qz + j), v->qz));
    if (moving) {
        F8 now2 = soil_search_dist2(f8_sub(f8_loadu(a->px + j), v->px),
                                    f8_sub(f8_loadu(a->py + j), v->py),
                                    f8_sub(f8_loadu(a->pz + j), v->pz));
        near2 = f8_min(near2, now2);
    }
    F8 limit = f8_add(f8_loadu(a->radius + j), v->reach);
    return (unsigned)f8_mask(f8_lt(near2, f8_mul(limit, limit)));
}

// Grains first..last-1 are contiguous in memory. The grain itself is left out.
SIMD_INLINE void soil_search_range(const SoilArrays* a, const SoilView* v, int first, int last,
                                   bool moving, SoilSearch* s)
{
    for (int j = first; j < last; j += SOIL_LANES) {
        unsigned hits = soil_search_eight(a, v, j, moving);
        unsigned self = (unsigned)(s->self - j);
        hits &= 0xffu >> base_maxi(SOIL_LANES - (last - j), 0);
        hits &= ~(self < SOIL_LANES ? 1u << self : 0u);
        s->found += i8_pack_lanes(s->row + s->found, j, hits);
        s->found = base_mini(s->found, SOIL_FOUND_MAX);
    }
}

static int soil_search_cell(float q, float origin, float inverse, int dim)
{
    return base_mini((int)base_clampf((q - origin) * inverse, 0.0f, 1.0e6f), dim - 1);
}

// far cells share indices: step through the 27 one by one, wrapping around
static void soil_search_folded(const Soil* soil, const SoilArrays* a, const SoilView* v,
                               const float q[3], SoilSearch* s)
{
    const SoilGrid* grid = &soil->grid;
    int c[3];
    for (int axis = 0; axis < 3; ++axis) {
        float f = base_clampf((q[axis] - grid->origin[axis]) * grid->inverse_cell, 0.0f, 1.0e6f);
        c[axis] = (int)f % grid->dim[axis];
    }
    for (int k = 0; k < 27; ++k) {
        int x = (c[0] + k % 3 - 1 + grid->dim[0]) % grid->dim[0];
        int y = (c[1] + k / 3 % 3 - 1 + grid->dim[1]) % grid->dim[1];
        int z = (c[2] + k / 9 - 1 + grid->dim[2]) % grid->dim[2];
        int cell = (z * grid->dim[1] + y) * grid->dim[0] + x;
        soil_search_range(a, v, (int)soil->cell[cell], (int)soil->cell[cell + 1], true, s);
    }
}

// nine rows of three cells, each one contiguous stretch of grains
SIMD_INLINE void soil_search_rows(const Soil* soil, const SoilArrays* a, const SoilView* v,
                                  const float q[3], bool moving, SoilSearch* s)
{
    const SoilGrid* grid = &soil->grid;
    const uint32_t* cell = soil->cell;
    const int nx = grid->dim[0], ny = grid->dim[1], nz = grid->dim[2];
    int cx = soil_search_cell(q[0], grid->origin[0], grid->inverse_cell, nx);
    int cy = soil_search_cell(q[1], grid->origin[1], grid->inverse_cell, ny);
    int cz = soil_search_cell(q[2], grid->origin[2], grid->inverse_cell, nz);
    int x0 = base_maxi(cx - 1, 0), x1 = base_mini(cx + 1, nx - 1) + 1;
    int y0 = base_maxi(cy - 1, 0), y1 = base_mini(cy + 1, ny - 1);
    for (int z = base_maxi(cz - 1, 0); z <= base_mini(cz + 1, nz - 1); ++z) {
        for (int y = y0; y <= y1; ++y) {
            const uint32_t* start = cell + (z * ny + y) * nx;
            soil_search_range(a, v, (int)start[x0], (int)start[x1], moving, s);
        }
    }
}

static void soil_search(const Soil* soil, const SoilArrays* a, SoilSearch* s, int i)
{
    SoilView v = {f8_set(a->px[i]),
                  f8_set(a->py[i]),
                  f8_set(a->pz[i]),
                  f8_set(a->qx[i]),
                  f8_set(a->qy[i]),
                  f8_set(a->qz[i]),
                  f8_set(a->radius[i] + soil_margin(soil))};
    const float q[3] = {a->qx[i], a->qy[i], a->qz[i]};
    s->self = i;
    s->found = 0;
    if (soil->grid.folded) {
        soil_search_folded(soil, a, &v, q, s);
    } else if (soil->moving) {
        soil_search_rows(soil, a, &v, q, true, s);
    } else {
        soil_search_rows(soil, a, &v, q, false, s);
    }
}

// Squared distance of a listed pair, now or then: the same bits from both sides.
static float soil_search_pair2(const SoilArrays* a, int i, uint32_t j)
{
    Vec3 now = vec3(a->px[j] - a->px[i], a->py[j] - a->py[i], a->pz[j] - a->pz[i]);
    Vec3 then = vec3(a->qx[j] - a->qx[i], a->qy[j] - a->qy[i], a->qz[j] - a->qz[i]);
    return base_minf(vec3_dot(now, now), vec3_dot(then, then));
}

// The distance below which a crowded grain keeps its nearest SOIL_CONTACTS_MAX (fewer when several
// are equally far). A contact must satisfy both grains' cuts, hence refusal is symmetric.
static float soil_search_cut(const SoilArrays* a, const SoilSearch* s)
{
    float kept[SOIL_CONTACTS_MAX + 1]; // the smallest so far, ascending
    int count = 0;
    for (int n = 0; n < s->found; ++n) {
        float d2 = soil_search_pair2(a, s->self, s->row[n]);
        if (count == SOIL_CONTACTS_MAX + 1 && d2 >= kept[SOIL_CONTACTS_MAX]) {
            continue;
        }
        int k = count <= SOIL_CONTACTS_MAX ? count++ : SOIL_CONTACTS_MAX;
        for (; k > 0 && kept[k - 1] > d2; --k) {
            kept[k] = kept[k - 1];
        }
        kept[k] = d2;
    }
    return kept[SOIL_CONTACTS_MAX];
}

static int soil_search_refuse(const SoilArrays* a, const float* cut2, SoilSearch* s)
{
    int kept = 0;
    for (int n = 0; n < s->found; ++n) {
        float d2 = soil_search_pair2(a, s->self, s->row[n]);
        if (d2 < base_minf(cut2[s->self], cut2[s->row[n]])) {
            s->row[kept++] = s->row[n];
        }
    }
    int refused = s->found - kept;
    s->found = kept;
    return refused;
}

// Where among the found is `row`? -1 when it left the neighbourhood.
SIMD_INLINE int soil_found_place(const uint32_t* found, int count, uint32_t row)
{
    I8 wanted = i8_set((int)row);
    for (int n = 0; n < count; n += SOIL_LANES) {
        int hits = f8_mask(f8_bits(i8_eq(i8_loadu(found + n), wanted)));
        if (hits != 0) {
            int place = n + __builtin_ctz((unsigned)hits);
            return place < count ? place : -1;
        }
    }
    return -1;
}

// Bring over the impulses that a grain's contacts held in the old list, wherever both grains have
// gone in memory. Impulses that are lost here would let a bed sink. `to` is the lane's first slot.
static void soil_list_carry(const Soil* soil, int grain, const uint32_t* found, int count,
                            float* to)
{
    const SoilList* old = &soil->list[1 - soil->list_current];
    uint32_t old_row = soil->order[grain];
    if ((int)old_row >= old->count) {
        return; // born since
    }
    uint32_t slice = old->lane[old_row] / SOIL_LANES, lane = old->lane[old_row] % SOIL_LANES;
    const uint32_t* neighbour = old->neighbour + (size_t)old->start[slice] * SOIL_LANES + lane;
    const float* from = old->impulse + (size_t)old->start[slice] * 3 * SOIL_LANES + lane;
    for (int k = 0; k < old->length[slice]; ++k, neighbour += SOIL_LANES, from += 3 * SOIL_LANES) {
        uint32_t any =
            base_float_bits(from[0]) | base_float_bits(from[8]) | base_float_bits(from[16]);
        if (any << 1 == 0) {
            continue; // unloaded, or no contact at all
        }
        int place = soil_found_place(found, count, soil->place[*neighbour / SIMD_ROW]);
        if (place >= 0) {
            float* slot = to + (size_t)place * 3 * SOIL_LANES;
            slot[0] = from[0], slot[8] = from[8], slot[16] = from[16];
        }
    }
}

// Look around for the grains begin..end-1. False when one of them was crowded.
static bool soil_list_look(Soil* soil, SoilBlockWork* work, int begin, int end, SoilFound* found)
{
    const SoilArrays* a = soil_arrays(soil);
    SoilSearch s;
    bool roomy = true;
    for (int i = begin; i < end; ++i) {
        soil_search(soil, a, &s, i);
        if (soil->refusing) {
            work->refused += soil_search_refuse(a, soil->cut2, &s);
        } else if (s.found > SOIL_CONTACTS_MAX) {
            soil->cut2[i] = soil_search_cut(a, &s);
            roomy = false;
            s.found = SOIL_CONTACTS_MAX;
        } else {
            soil->cut2[i] = FLT_MAX;
        }
        found->count[i - begin] = (uint8_t)s.found;
        memcpy(found->row[i - begin], s.row, (size_t)s.found * sizeof *s.row);
        work->slots += s.found;
    }
    return roomy;
}

// Deal the grains to lanes, those with most neighbours first and in order of rows among equals.
// Not so in the sequential kernel, where the order of rows is the order of corrections, and not
// when records overflow the second cache: there a slice of grains that lie side by side, whose
// neighbours do too, gains more than its padding costs.
static void soil_list_deal(Soil* soil, SoilList* list, int begin, int end, const SoilFound* found)
{
    int at[SOIL_CONTACTS_MAX + 2] = {0}; // where the next grain with so many neighbours goes
    bool keep = soil->def.kernel == SOIL_KERNEL_GS || soil->state.count > SOIL_DEAL_MAX;
    for (int i = begin; i < end; ++i) {
        at[SOIL_CONTACTS_MAX - (keep ? 0 : found->count[i - begin]) + 1]++;
    }
    for (int n = 0; n <= SOIL_CONTACTS_MAX; ++n) {
        at[n + 1] += at[n];
    }
    for (int i = begin; i < end; ++i) {
        int lane = begin + at[SOIL_CONTACTS_MAX - (keep ? 0 : found->count[i - begin])]++;
        list->member[lane] = (uint32_t)i * SIMD_ROW;
        list->lane[i] = (uint32_t)lane;
        soil->lane_w[lane] = soil->w[i];
    }
    for (int i = end; i < soil_slices(end) * SOIL_LANES; ++i) {
        list->member[i] = (uint32_t)i * SIMD_ROW;
        list->lane[i] = (uint32_t)i;
        soil->lane_w[i] = 1.0f;
    }
}

// Write the slots of the slice that begins at lane `first`; returns its length.
static int soil_list_slice(Soil* soil, SoilList* list, size_t start, int begin, int first, int end,
                           const SoilFound* found)
{
    int length = 0;
    for (int l = first; l < end && l < first + SOIL_LANES; ++l) {
        length = base_maxi(length, found->count[soil_member(list, l) - begin]);
    }
    uint32_t* neighbour = list->neighbour + start * SOIL_LANES;
    float* impulse = list->impulse + start * 3 * SOIL_LANES;
    bool remembers = soil->def.kernel == SOIL_KERNEL_SPLIT;
    if (remembers) {
        memset(impulse, 0, (size_t)length * 3 * SOIL_LANES * sizeof *impulse);
    }
    for (int k = 0; k < SOIL_LANES; ++k) {
        int grain = soil_member(list, first + k);
        int count = first + k < end ? found->count[grain - begin] : 0;
        const uint32_t* row = count > 0 ? found->row[grain - begin] : NULL;
        for (int n = 0; n < length; ++n) {
            uint32_t other = n < count ? row[n] : (uint32_t)soil->rows;
            neighbour[n * SOIL_LANES + k] = other * SIMD_ROW;
        }
        if (remembers && count > 0) {
            soil_list_carry(soil, grain, row, count, impulse + k);
        }
    }
    return length;
}

static void soil_list_block(void* context, int block, int begin, int end)
{
    Soil* soil = context;
    SoilList* list = soil_list(soil);
    SoilBlockWork* work = &soil->block[block];
    SoilFound found;
    work->slots = work->lanes = work->refused = 0;
    work->crowded = !soil_list_look(soil, work, begin, end, &found);
    soil_list_deal(soil, list, begin, end, &found);

    size_t slot = (size_t)block * SOIL_BLOCK * SOIL_CONTACTS_MAX / SOIL_LANES;
    for (int first = begin; first < end; first += SOIL_LANES) {
        int length = soil_list_slice(soil, list, slot, begin, first, end, &found);
        list->start[first / SOIL_LANES] = (uint32_t)slot;
        list->length[first / SOIL_LANES] = (uint8_t)length;
        slot += (size_t)length;
        work->lanes += (int64_t)length * SOIL_LANES;
    }
}

extern const JobsFn SIMD_NAME(soil_list_find);
const JobsFn SIMD_NAME(soil_list_find) = soil_list_block;
