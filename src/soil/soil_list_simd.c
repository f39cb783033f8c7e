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
    const Soil* soil;
    const SoilArrays* a;
    int self;
    F8 px, py, pz, qx, qy, qz, radius, margin;
    int found;
    uint32_t row[SOIL_FOUND_MAX];
    float dist2[SOIL_FOUND_MAX]; // m2, the smaller of now and expected
} SoilSearch;

SIMD_INLINE F8 soil_search_dist2(F8 x, F8 y, F8 z)
{
    return f8_add(f8_add(f8_mul(x, x), f8_mul(y, y)), f8_mul(z, z));
}

// grains first..last-1 are contiguous in memory
SIMD_INLINE void soil_search_range(SoilSearch* s, int first, int last)
{
    const SoilArrays* a = s->a;
    for (int j = first; j < last; j += SOIL_LANES) {
        F8 now2 = soil_search_dist2(f8_sub(f8_loadu(a->px + j), s->px), f8_sub(f8_loadu(a->py + j), s->py),
                                    f8_sub(f8_loadu(a->pz + j), s->pz));
        F8 then2 = soil_search_dist2(f8_sub(f8_loadu(a->qx + j), s->qx), f8_sub(f8_loadu(a->qy + j), s->qy),
                                     f8_sub(f8_loadu(a->qz + j), s->qz));
        F8 near2 = f8_min(now2, then2);
        F8 limit = f8_add(f8_add(f8_loadu(a->radius + j), s->radius), s->margin);
        unsigned hits = (unsigned)f8_mask(f8_lt(near2, f8_mul(limit, limit)));
        int left = last - j;
        hits &= left < SOIL_LANES ? (1u << left) - 1u : 0xffu;
        if (hits == 0) {
            continue;
        }
        float d2[8] __attribute__((aligned(32)));
        f8_store(d2, near2);
        for (; hits != 0; hits &= hits - 1) {
            int bit = __builtin_ctz(hits);
            if (j + bit != s->self && s->found < SOIL_FOUND_MAX) {
                s->row[s->found] = (uint32_t)(j + bit);
                s->dist2[s->found++] = d2[bit];
            }
        }
    }
}

static int soil_search_cell(float q, float origin, float inverse, int dim)
{
    return base_mini((int)base_clampf((q - origin) * inverse, 0.0f, 1.0e6f), dim - 1);
}

// far cells share indices: step through the 27 one by one, wrapping around
static void soil_search_folded(SoilSearch* s, const float q[3])
{
    const SoilGrid* grid = &s->soil->grid;
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
        soil_search_range(s, (int)s->soil->cell[cell], (int)s->soil->cell[cell + 1]);
    }
}

static void soil_search(SoilSearch* s, int i)
{
    const SoilGrid* grid = &s->soil->grid;
    const SoilArrays* a = s->a;
    s->self = i;
    s->found = 0;
    s->px = f8_set(a->px[i]), s->py = f8_set(a->py[i]), s->pz = f8_set(a->pz[i]);
    s->qx = f8_set(a->qx[i]), s->qy = f8_set(a->qy[i]), s->qz = f8_set(a->qz[i]);
    s->radius = f8_set(a->radius[i]);
    const float q[3] = {a->qx[i], a->qy[i], a->qz[i]};
    if (grid->folded) {
        soil_search_folded(s, q);
        return;
    }

    // nine rows of three cells, each one contiguous stretch of grains
    int cx = soil_search_cell(q[0], grid->origin[0], grid->inverse_cell, grid->dim[0]);
    int cy = soil_search_cell(q[1], grid->origin[1], grid->inverse_cell, grid->dim[1]);
    int cz = soil_search_cell(q[2], grid->origin[2], grid->inverse_cell, grid->dim[2]);
    int x0 = base_maxi(cx - 1, 0), x1 = base_mini(cx + 1, grid->dim[0] - 1);
    for (int z = base_maxi(cz - 1, 0); z <= base_mini(cz + 1, grid->dim[2] - 1); ++z) {
        for (int y = base_maxi(cy - 1, 0); y <= base_mini(cy + 1, grid->dim[1] - 1); ++y) {
            int row = (z * grid->dim[1] + y) * grid->dim[0];
            soil_search_range(s, (int)s->soil->cell[row + x0], (int)s->soil->cell[row + x1 + 1]);
        }
    }
}

// The distance below which a crowded grain keeps exactly its nearest SOIL_CONTACTS_MAX (fewer when
// several are equally far). A contact must satisfy both grains' cuts, hence refusal is symmetric.
static float soil_search_cut(const SoilSearch* s)
{
    float kept[SOIL_CONTACTS_MAX + 1];
    int count = 0;
    for (int n = 0; n < s->found; ++n) {
        float d = s->dist2[n];
        int k = count < SOIL_CONTACTS_MAX + 1 ? count++ : SOIL_CONTACTS_MAX;
        if (k == SOIL_CONTACTS_MAX && count == SOIL_CONTACTS_MAX + 1 && n > SOIL_CONTACTS_MAX && d >= kept[k]) {
            continue;
        }
        for (; k > 0 && kept[k - 1] > d; --k) {
            kept[k] = kept[k - 1];
        }
        kept[k] = d;
    }
    return count > SOIL_CONTACTS_MAX ? kept[SOIL_CONTACTS_MAX] : FLT_MAX;
}

static int soil_search_refuse(SoilSearch* s)
{
    const float* cut2 = s->soil->cut2;
    int kept = 0;
    for (int n = 0; n < s->found; ++n) {
        if (s->dist2[n] < base_minf(cut2[s->self], cut2[s->row[n]])) {
            s->row[kept] = s->row[n];
            s->dist2[kept++] = s->dist2[n];
        }
    }
    int refused = s->found - kept;
    s->found = kept;
    return refused;
}

// The impulses that grain `old_row` of the last list still carries, by id of the other grain.
typedef struct SoilMemory {
    int count;
    uint32_t id[SOIL_CONTACTS_MAX] __attribute__((aligned(32)));
    uint32_t at[SOIL_CONTACTS_MAX]; // float index of the impulse's x in the old list
} SoilMemory;

static void soil_memory_read(SoilMemory* memory, const SoilList* old, const uint32_t* old_id, uint32_t old_row)
{
    memory->count = 0;
    if ((int)old_row >= old->count) {
        return; // born since
    }
    uint32_t slice = old_row / SOIL_LANES, lane = old_row % SOIL_LANES;
    for (uint32_t k = 0; k < old->length[slice]; ++k) {
        size_t slot = old->start[slice] + k;
        size_t at = slot * 3 * SOIL_LANES + lane;
        const float* l = old->impulse + at;
        uint32_t row = old->neighbour[slot * SOIL_LANES + lane];
        if ((int)row < old->count && (l[0] != 0.0f || l[8] != 0.0f || l[16] != 0.0f)) {
            memory->id[memory->count] = old_id[row];
            memory->at[memory->count++] = (uint32_t)at;
        }
    }
}

SIMD_INLINE int soil_memory_find(const SoilMemory* memory, uint32_t id)
{
    I8 wanted = i8_set((int)id);
    for (int n = 0; n < memory->count; n += 8) {
        int hits = f8_mask(f8_bits(i8_eq(i8_loadu(memory->id + n), wanted)));
        if (hits != 0 && n + __builtin_ctz((unsigned)hits) < memory->count) {
            return n + __builtin_ctz((unsigned)hits);
        }
    }
    return -1;
}

// Write one grain's lane of its slice, `length` slots long.
static void soil_list_lane(Soil* soil, SoilList* list, const SoilSearch* s, size_t start, int lane, int length)
{
    const SoilList* old = &soil->list[1 - soil->list_current];
    const uint32_t* old_id = soil->arrays[1 - soil->current].id;
    bool remembers = soil->def.kernel == SOIL_KERNEL_SPLIT && s->found > 0;
    SoilMemory memory = {0};
    if (remembers) {
        soil_memory_read(&memory, old, old_id, soil->order[s->self]);
    }
    for (int k = 0; k < length; ++k) {
        size_t slot = start + (size_t)k;
        float* l = list->impulse + slot * 3 * SOIL_LANES + lane;
        l[0] = l[8] = l[16] = 0.0f;
        if (k >= s->found) {
            list->neighbour[slot * SOIL_LANES + (size_t)lane] = (uint32_t)soil->rows;
            continue;
        }
        list->neighbour[slot * SOIL_LANES + (size_t)lane] = s->row[k];
        int found = memory.count > 0 ? soil_memory_find(&memory, s->a->id[s->row[k]]) : -1;
        if (found >= 0) {
            const float* from = old->impulse + memory.at[found];
            l[0] = from[0], l[8] = from[8], l[16] = from[16];
        }
    }
}

static void soil_list_block(void* context, int block, int begin, int end)
{
    Soil* soil = context;
    SoilList* list = soil_list(soil);
    SoilBlockWork* work = &soil->block[block];
    bool refusing = soil->refusing; // the second look, when somebody was crowded in the first
    SoilSearch lane[SOIL_LANES];
    size_t slot = (size_t)block * SOIL_BLOCK * SOIL_CONTACTS_MAX / SOIL_LANES;
    work->slots = work->lanes = work->refused = 0;
    bool crowded = false;

    for (int first = begin; first < end; first += SOIL_LANES) {
        // look around
        int length = 0;
        for (int k = 0; k < SOIL_LANES; ++k) {
            SoilSearch* s = &lane[k];
            s->soil = soil;
            s->a = soil_arrays(soil);
            s->margin = f8_set(soil_margin(soil));
            s->found = 0;
            if (first + k >= end) {
                continue;
            }
            soil_search(s, first + k);
            if (refusing) {
                work->refused += soil_search_refuse(s);
            } else if (s->found > SOIL_CONTACTS_MAX) {
                soil->cut2[first + k] = soil_search_cut(s);
                crowded = true;
                s->found = SOIL_CONTACTS_MAX;
            } else {
                soil->cut2[first + k] = FLT_MAX;
            }
            length = base_maxi(length, s->found);
            work->slots += s->found;
        }

        // write the slice
        int slice = first / SOIL_LANES;
        list->start[slice] = (uint32_t)slot;
        list->length[slice] = (uint8_t)length;
        for (int k = 0; k < SOIL_LANES; ++k) {
            soil_list_lane(soil, list, &lane[k], slot, k, length);
        }
        slot += (size_t)length;
        work->lanes += (int64_t)length * SOIL_LANES;
    }
    work->crowded = crowded;
}

extern const JobsFn SIMD_NAME(soil_list_find);
const JobsFn SIMD_NAME(soil_list_find) = soil_list_block;
