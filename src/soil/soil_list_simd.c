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
    uint32_t row[SOIL_FOUND_MAX + SOIL_LANES];
} SoilSearch;

SIMD_INLINE F8 soil_search_dist2(F8 x, F8 y, F8 z)
{
    return f8_add(f8_add(f8_mul(x, x), f8_mul(y, y)), f8_mul(z, z));
}

// Grains first..last-1 are contiguous in memory. `moving` looks at now and then; without it the
// two are so close that the expected position speaks for both.
SIMD_INLINE void soil_search_range(SoilSearch* s, int first, int last, bool moving)
{
    const SoilArrays* a = s->a;
    int found = s->found;
    for (int j = first; j < last; j += SOIL_LANES) {
        F8 near2 = soil_search_dist2(f8_sub(f8_loadu(a->qx + j), s->qx), f8_sub(f8_loadu(a->qy + j), s->qy),
                                     f8_sub(f8_loadu(a->qz + j), s->qz));
        if (moving) {
            F8 now2 = soil_search_dist2(f8_sub(f8_loadu(a->px + j), s->px), f8_sub(f8_loadu(a->py + j), s->py),
                                        f8_sub(f8_loadu(a->pz + j), s->pz));
            near2 = f8_min(near2, now2);
        }
        F8 limit = f8_add(f8_add(f8_loadu(a->radius + j), s->radius), s->margin);
        unsigned hits = (unsigned)f8_mask(f8_lt(near2, f8_mul(limit, limit)));
        int left = last - j, own = s->self - j;
        hits &= left < SOIL_LANES ? (1u << left) - 1u : 0xffu;
        hits &= own >= 0 && own < SOIL_LANES ? ~(1u << own) : ~0u;
        found = base_mini(found + i8_pack_lanes(s->row + found, j, hits), SOIL_FOUND_MAX);
    }
    s->found = found;
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
        soil_search_range(s, (int)s->soil->cell[cell], (int)s->soil->cell[cell + 1], true);
    }
}

SIMD_INLINE void soil_search(SoilSearch* s, int i, bool moving)
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
            soil_search_range(s, (int)s->soil->cell[row + x0], (int)s->soil->cell[row + x1 + 1], moving);
        }
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
static float soil_search_cut(const SoilSearch* s)
{
    float kept[SOIL_CONTACTS_MAX + 1]; // the smallest so far, ascending
    int count = 0;
    for (int n = 0; n < s->found; ++n) {
        float d2 = soil_search_pair2(s->a, s->self, s->row[n]);
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

static int soil_search_refuse(SoilSearch* s)
{
    const float* cut2 = s->soil->cut2;
    int kept = 0;
    for (int n = 0; n < s->found; ++n) {
        float d2 = soil_search_pair2(s->a, s->self, s->row[n]);
        if (d2 < base_minf(cut2[s->self], cut2[s->row[n]])) {
            s->row[kept++] = s->row[n];
        }
    }
    int refused = s->found - kept;
    s->found = kept;
    return refused;
}

// Where among the found is `row`? -1 when it left the neighbourhood.
SIMD_INLINE int soil_search_place(const SoilSearch* s, uint32_t row)
{
    I8 wanted = i8_set((int)row);
    for (int n = 0; n < s->found; n += SOIL_LANES) {
        int hits = f8_mask(f8_bits(i8_eq(i8_loadu(s->row + n), wanted)));
        if (hits != 0) {
            int place = n + __builtin_ctz((unsigned)hits);
            return place < s->found ? place : -1;
        }
    }
    return -1;
}

// Bring over the impulses that this grain's contacts held in the old list, wherever both grains
// have gone in memory. Impulses that are lost here would let a bed sink.
static void soil_list_carry(Soil* soil, SoilList* list, const SoilSearch* s, size_t start, int lane)
{
    const SoilList* old = &soil->list[1 - soil->list_current];
    uint32_t old_row = soil->order[s->self];
    if ((int)old_row >= old->count) {
        return; // born since
    }
    uint32_t slice = old_row / SOIL_LANES, old_lane = old_row % SOIL_LANES;
    const uint32_t* neighbour = old->neighbour + (size_t)old->start[slice] * SOIL_LANES + old_lane;
    const float* from = old->impulse + (size_t)old->start[slice] * 3 * SOIL_LANES + old_lane;
    for (int k = 0; k < old->length[slice]; ++k, neighbour += SOIL_LANES, from += 3 * SOIL_LANES) {
        uint32_t any = base_float_bits(from[0]) | base_float_bits(from[8]) | base_float_bits(from[16]);
        if (any << 1 == 0) {
            continue; // unloaded, or no contact at all
        }
        int place = soil_search_place(s, soil->place[*neighbour / SIMD_ROW]);
        if (place >= 0) {
            float* to = list->impulse + (start + (size_t)place) * 3 * SOIL_LANES + lane;
            to[0] = from[0], to[8] = from[8], to[16] = from[16];
        }
    }
}

static void soil_list_slice(Soil* soil, SoilList* list, SoilSearch lane[SOIL_LANES], size_t start, int length)
{
    // rows, with the dummy where a lane has no more neighbours
    uint32_t* neighbour = list->neighbour + start * SOIL_LANES;
    for (int k = 0; k < SOIL_LANES; ++k) {
        for (int n = lane[k].found; n < length; ++n) {
            lane[k].row[n] = (uint32_t)soil->rows;
        }
        for (int n = 0; n < length; ++n) {
            neighbour[n * SOIL_LANES + k] = lane[k].row[n] * SIMD_ROW;
        }
    }
    if (soil->def.kernel != SOIL_KERNEL_SPLIT) {
        return;
    }
    memset(list->impulse + start * 3 * SOIL_LANES, 0, (size_t)length * 3 * SOIL_LANES * sizeof(float));
    for (int k = 0; k < SOIL_LANES; ++k) {
        if (lane[k].found > 0) {
            soil_list_carry(soil, list, &lane[k], start, k);
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
            if (soil->moving) {
                soil_search(s, first + k, true);
            } else {
                soil_search(s, first + k, false);
            }
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
        soil_list_slice(soil, list, lane, slot, length);
        slot += (size_t)length;
        work->lanes += (int64_t)length * SOIL_LANES;
    }
    work->crowded = crowded;
}

extern const JobsFn SIMD_NAME(soil_list_find);
const JobsFn SIMD_NAME(soil_list_find) = soil_list_block;
