// Neighbour lists: every grain looks through the 27 cells around it, eight candidates at a time.
//
// A pair is listed when it is closer than its radii plus the margin, either now or where both are
// expected at the interval's end. The test is symmetric to the last bit, so each pair stands in
// both lists or in neither; the same holds for refusals when a list is full.
#include "base/base_simd.h"
#include "soil/soil_internal.h"

#include <float.h>

// Candidates of one cell; real packings have about forty. Those beyond are not seen.
#define SOIL_NEAR_MAX 1024

typedef struct SoilSearch {
    int self;
    int found;
    uint32_t row[SOIL_NEAR_MAX];
} SoilSearch;

// What the grains of a block found, before they are dealt to lanes.
typedef struct SoilFound {
    uint8_t count[SOIL_BLOCK];
    uint32_t row[SOIL_BLOCK][SOIL_CONTACTS_MAX];
} SoilFound;

// All grains in the 27 cells around one, packed side by side: its own grains look through this
// instead of through nine stretches of memory that fill a vector by half.
typedef struct SoilNear {
    int count;
    int own; // how many come before the cell's own grains, less the row of the first of these
    float qx[SOIL_NEAR_MAX + SOIL_LANES], qy[SOIL_NEAR_MAX + SOIL_LANES];
    float qz[SOIL_NEAR_MAX + SOIL_LANES], radius[SOIL_NEAR_MAX + SOIL_LANES];
    float px[SOIL_NEAR_MAX + SOIL_LANES], py[SOIL_NEAR_MAX + SOIL_LANES];
    float pz[SOIL_NEAR_MAX + SOIL_LANES];
    uint32_t row[SOIL_NEAR_MAX + SOIL_LANES];
} SoilNear;

// One grain's view of the others; lives in registers.
typedef struct SoilView {
    F8 px, py, pz, qx, qy, qz;
    F8 radius, margin; // m
} SoilView;

SIMD_INLINE F8 soil_search_dist2(F8 x, F8 y, F8 z)
{
    return f8_add(f8_add(f8_mul(x, x), f8_mul(y, y)), f8_mul(z, z));
}

// Which of the eight candidates from n on are near? `moving` looks at now and then; without it the
// two are so close that the expected position speaks for both. (The sum of the radii comes first:
// it is the same from both sides.)
SIMD_INLINE unsigned soil_search_eight(const SoilNear* near, const SoilView* v, int n, bool moving)
{
    F8 near2 = soil_search_dist2(f8_sub(f8_loadu(near->qx + n), v->qx),
                                 f8_sub(f8_loadu(near->qy + n), v->qy),
                                 f8_sub(f8_loadu(near->qz + n), v->qz));
    if (moving) {
        F8 now2 = soil_search_dist2(f8_sub(f8_loadu(near->px + n), v->px),
                                    f8_sub(f8_loadu(near->py + n), v->py),
                                    f8_sub(f8_loadu(near->pz + n), v->pz));
        near2 = f8_min(near2, now2);
    }
    F8 limit = f8_add(f8_add(f8_loadu(near->radius + n), v->radius), v->margin);
    return (unsigned)f8_mask(f8_lt(near2, f8_mul(limit, limit)));
}

SIMD_INLINE void soil_near_copy(const SoilArrays* a, int j, int n, bool moving, SoilNear* near)
{
    f8_storeu(near->qx + n, f8_loadu(a->qx + j));
    f8_storeu(near->qy + n, f8_loadu(a->qy + j));
    f8_storeu(near->qz + n, f8_loadu(a->qz + j));
    f8_storeu(near->radius + n, f8_loadu(a->radius + j));
    if (moving) {
        f8_storeu(near->px + n, f8_loadu(a->px + j));
        f8_storeu(near->py + n, f8_loadu(a->py + j));
        f8_storeu(near->pz + n, f8_loadu(a->pz + j));
    }
    i8_storeu(near->row + n, i8_add(i8_ascending(), i8_set(j)));
}

// Grains first..last-1 join the candidates. Whole vectors are copied; what is too much is
// overwritten by the next stretch or lies past the count. One vector is nearly always enough.
SIMD_INLINE void soil_near_add(const SoilArrays* a, int first, int last, bool moving,
                               SoilNear* near)
{
    last = base_mini(last, first + SOIL_NEAR_MAX - near->count);
    soil_near_copy(a, first, near->count, moving, near);
    for (int done = SOIL_LANES; done < last - first; done += SOIL_LANES) {
        soil_near_copy(a, first + done, near->count + done, moving, near);
    }
    near->count += last - first;
}

// far cells share indices: step through the 27 one by one, wrapping around
static void soil_near_folded(const Soil* soil, const SoilArrays* a, const int c[3], SoilNear* near)
{
    const SoilGrid* grid = &soil->grid;
    for (int k = 0; k < 27; ++k) {
        int x = (c[0] + k % 3 - 1 + grid->dim[0]) % grid->dim[0];
        int y = (c[1] + k / 3 % 3 - 1 + grid->dim[1]) % grid->dim[1];
        int z = (c[2] + k / 9 - 1 + grid->dim[2]) % grid->dim[2];
        int cell = (z * grid->dim[1] + y) * grid->dim[0] + x;
        near->own = k == 13 ? near->count - (int)soil->cell[cell] : near->own;
        soil_near_add(a, (int)soil->cell[cell], (int)soil->cell[cell + 1], true, near);
    }
}

// nine rows of three cells, each one contiguous stretch of grains
SIMD_INLINE void soil_near_rows(const Soil* soil, const SoilArrays* a, const int c[3], bool moving,
                                SoilNear* near)
{
    const int nx = soil->grid.dim[0], ny = soil->grid.dim[1], nz = soil->grid.dim[2];
    int x0 = base_maxi(c[0] - 1, 0), x1 = base_mini(c[0] + 1, nx - 1) + 1;
    int y0 = base_maxi(c[1] - 1, 0), y1 = base_mini(c[1] + 1, ny - 1);
    for (int z = base_maxi(c[2] - 1, 0); z <= base_mini(c[2] + 1, nz - 1); ++z) {
        for (int y = y0; y <= y1; ++y) {
            const uint32_t* start = soil->cell + (z * ny + y) * nx;
            if (z == c[2] && y == c[1]) {
                near->own = near->count - (int)start[x0];
            }
            soil_near_add(a, (int)start[x0], (int)start[x1], moving, near);
        }
    }
}

// The candidates of the cell that grain i is in; returns the first grain of the next cell.
static int soil_near_fill(const Soil* soil, const SoilArrays* a, int i, SoilNear* near)
{
    int c[3];
    soil_grid_cell(&soil->grid, (const float[]){a->qx[i], a->qy[i], a->qz[i]}, c);
    near->count = near->own = 0;
    if (soil->grid.folded) {
        soil_near_folded(soil, a, c, near);
    } else if (soil->moving) {
        soil_near_rows(soil, a, c, true, near);
    } else {
        soil_near_rows(soil, a, c, false, near);
    }
    return (int)soil->cell[(c[2] * soil->grid.dim[1] + c[1]) * soil->grid.dim[0] + c[0] + 1];
}

// Eight vectors of candidates make a word of hits, whose bits become rows one after the other.
SIMD_INLINE void soil_search_near(const SoilNear* near, const SoilView* v, bool moving,
                                  SoilSearch* s)
{
    for (int begin = 0; begin < near->count; begin += 64) {
        uint64_t hits = 0;
        int count = base_mini(near->count - begin, 64);
        for (int n = 0; n < count; n += SOIL_LANES) {
            hits |= (uint64_t)soil_search_eight(near, v, begin + n, moving) << n;
        }
        hits &= ~(uint64_t)0 >> (64 - count);
        unsigned self = (unsigned)(near->own + s->self - begin);
        hits &= ~((uint64_t)(self < 64) << (self & 63));
        for (; hits != 0; hits &= hits - 1) {
            s->row[s->found++] = near->row[begin + __builtin_ctzll(hits)];
        }
    }
}

static void soil_search(const Soil* soil, const SoilArrays* a, const SoilNear* near, int i,
                        SoilSearch* s)
{
    SoilView v = {f8_set(a->px[i]),     f8_set(a->py[i]),         f8_set(a->pz[i]),
                  f8_set(a->qx[i]),     f8_set(a->qy[i]),         f8_set(a->qz[i]),
                  f8_set(a->radius[i]), f8_set(soil_margin(soil))};
    s->self = i;
    s->found = 0;
    if (soil->moving || soil->grid.folded) {
        soil_search_near(near, &v, true, s);
    } else {
        soil_search_near(near, &v, false, s);
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
        float cut = base_minf(cut2[s->self], cut2[s->row[n]]);
        if (cut == FLT_MAX || soil_search_pair2(a, s->self, s->row[n]) < cut) {
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
    for (int n = 0; n < count; n += 2 * SOIL_LANES) {
        unsigned low = (unsigned)f8_mask(f8_bits(i8_eq(i8_loadu(found + n), wanted)));
        unsigned high = (unsigned)f8_mask(f8_bits(i8_eq(i8_loadu(found + n + SOIL_LANES), wanted)));
        unsigned hits = low | high << SOIL_LANES;
        if (hits != 0) {
            int place = n + __builtin_ctz(hits);
            return place < count ? place : -1;
        }
    }
    return -1;
}

// Newborn grains that knew each other before, frozen on a machine, push each other as they did.
static void soil_list_recall(const Soil* soil, int grain, const uint32_t* found, int count,
                             float* to)
{
    const uint32_t* id = soil->arrays[soil->current].id;
    int old_count = soil->list[1 - soil->list_current].count;
    for (int n = 0; n < count && soil->recall; ++n) {
        Vec3 l;
        if ((int)soil->order[found[n]] >= old_count &&
            soil->recall(soil->recall_context, id[grain], id[found[n]], false, &l)) {
            float* slot = to + (size_t)n * 3 * SOIL_LANES;
            slot[0] = l.x, slot[8] = l.y, slot[16] = l.z;
        }
    }
}

// Bring over the impulses that a grain's contacts held in the old list, wherever both grains have
// gone in memory. Impulses that are lost here would let a bed sink. `to` is the lane's first slot.
// First the loaded contacts are gathered without a branch, for which they are is anyone's guess.
static void soil_list_carry(const Soil* soil, int grain, const uint32_t* found, int count,
                            float* to)
{
    const SoilList* old = &soil->list[1 - soil->list_current];
    uint32_t old_row = soil->order[grain];
    if ((int)old_row >= old->count) {
        soil_list_recall(soil, grain, found, count, to); // born since
        return;
    }
    uint32_t slice = old->lane[old_row] / SOIL_LANES, lane = old->lane[old_row] % SOIL_LANES;
    const uint32_t* neighbour = old->neighbour + (size_t)old->start[slice] * SOIL_LANES + lane;
    const float* from = old->impulse + (size_t)old->start[slice] * 3 * SOIL_LANES + lane;
    int loaded[SOIL_CONTACTS_MAX], length = old->length[slice], n = 0;
    for (int k = 0; k < length; ++k) {
        const float* l = from + (size_t)k * 3 * SOIL_LANES;
        uint32_t any = base_float_bits(l[0]) | base_float_bits(l[8]) | base_float_bits(l[16]);
        loaded[n] = k;
        n += any << 1 != 0; // zero, of whatever sign: unloaded, or no contact at all
    }
    for (int m = 0; m < n; ++m) {
        uint32_t other = neighbour[(size_t)loaded[m] * SOIL_LANES] / SIMD_ROW;
        int place = soil_found_place(found, count, soil->place[other]);
        if (place >= 0) {
            const float* l = from + (size_t)loaded[m] * 3 * SOIL_LANES;
            float* slot = to + (size_t)place * 3 * SOIL_LANES;
            slot[0] = l[0], slot[8] = l[8], slot[16] = l[16];
        }
    }
}

// Look around for the grains begin..end-1. False when one of them was crowded.
static bool soil_list_look(Soil* soil, SoilBlockWork* work, int begin, int end, SoilFound* found)
{
    const SoilArrays* a = soil_arrays(soil);
    SoilSearch s;
    SoilNear near;
    bool roomy = true;
    for (int i = begin, next = begin; i < end; ++i) {
        if (i == next) {
            next = soil_near_fill(soil, a, i, &near);
        }
        soil_search(soil, a, &near, i, &s);
        if (soil->refusing) {
            work->refused += soil_search_refuse(a, soil->cut2, &s);
            s.found = base_mini(s.found, SOIL_CONTACTS_MAX); // a cut that is no number cuts nothing
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
// Not so in the sequential kernel, where the order of rows is the order of corrections.
static void soil_list_deal(Soil* soil, SoilList* list, int begin, int end, const SoilFound* found)
{
    int at[SOIL_CONTACTS_MAX + 2] = {0}; // where the next grain with so many neighbours goes
    bool keep = soil->def.kernel == SOIL_KERNEL_GS;
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
    for (int n = 0; n < length; ++n) {
        i8_storeu(neighbour + n * SOIL_LANES, i8_set(soil->rows * SIMD_ROW)); // nobody
    }
    bool remembers = soil->def.kernel == SOIL_KERNEL_SPLIT;
    if (remembers) {
        memset(impulse, 0, (size_t)length * 3 * SOIL_LANES * sizeof *impulse);
    }
    for (int k = 0; k < SOIL_LANES; ++k) {
        int grain = soil_member(list, first + k);
        int count = first + k < end ? found->count[grain - begin] : 0;
        const uint32_t* row = count > 0 ? found->row[grain - begin] : NULL;
        for (int n = 0; n < count; ++n) {
            neighbour[n * SOIL_LANES + k] = row[n] * SIMD_ROW;
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
