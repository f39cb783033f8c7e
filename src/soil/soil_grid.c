// Counting sort of the grains by (cell, id) of where they are expected at the interval's end.
//
// The order depends on positions and ids alone, never on history or on the worker count. Cells run
// x fastest, so the three cells of a row of neighbours are one contiguous range of grains.
#include "base/base_assert.h"
#include "soil/soil_internal.h"

#include <stdlib.h>

#define SOIL_CELL_BLOCK 2048 // cells per job when the grains of a cell are put in order of id

static void soil_grid_bounds(Soil* soil)
{
    SoilGrid* grid = &soil->grid;
    int blocks = jobs_blocks(soil->state.count, SOIL_BLOCK);
    float low[3], high[3];
    memcpy(low, soil->block[0].low, sizeof low);
    memcpy(high, soil->block[0].high, sizeof high);
    for (int b = 1; b < blocks; ++b) {
        for (int a = 0; a < 3; ++a) {
            low[a] = base_minf(low[a], soil->block[b].low[a]);
            high[a] = base_maxf(high[a], soil->block[b].high[a]);
        }
    }

    // a hair more than the listing distance, so that rounding cannot hide a neighbour
    float cell = (2.0f * soil->def.radius_max + soil_margin(soil)) * 1.0001f;
    grid->inverse_cell = 1.0f / cell;
    grid->folded = false;
    for (int a = 0; a < 3; ++a) {
        grid->origin[a] = low[a];
        float cells = base_clampf((high[a] - low[a]) * grid->inverse_cell, 0.0f, 1.0e6f);
        grid->dim[a] = (int)cells + 1;
    }

    // grains spread too wide for the table: let far cells share an index, distances sort it out.
    // Fewer than three cells along an axis, and a neighbour would be seen twice
    grid->folded = (int64_t)grid->dim[0] * grid->dim[1] * grid->dim[2] > soil->cells_max;
    for (int a = 0; grid->folded && a < 3; ++a) {
        grid->dim[a] = base_maxi(grid->dim[a], 3);
    }
    while ((int64_t)grid->dim[0] * grid->dim[1] * grid->dim[2] > soil->cells_max) {
        int widest = 0;
        for (int a = 1; a < 3; ++a) {
            widest = grid->dim[a] > grid->dim[widest] ? a : widest;
        }
        BASE_ASSERT(grid->dim[widest] > 3); // the table has room for 27
        grid->dim[widest] = base_maxi((grid->dim[widest] + 1) / 2, 3);
    }
}

static void soil_grid_keys(void* context, int block, int begin, int end)
{
    (void)block;
    Soil* soil = context;
    const SoilGrid* grid = &soil->grid;
    const SoilArrays* a = soil_arrays(soil);
    for (int i = begin; i < end; ++i) {
        int c[3];
        soil_grid_cell(grid, (const float[]){a->qx[i], a->qy[i], a->qz[i]}, c);
        soil->key[i] = (uint32_t)((c[2] * grid->dim[1] + c[1]) * grid->dim[0] + c[0]);
    }
}

static void soil_grid_count(Soil* soil)
{
    const SoilArrays* a = soil_arrays(soil);
    int cells = soil->grid.dim[0] * soil->grid.dim[1] * soil->grid.dim[2];
    uint32_t* cell = soil->cell;
    memset(cell, 0, (size_t)(cells + 1) * sizeof *cell);

    // how many, then where each cell starts, then who; the dead drop out here
    for (int i = 0; i < soil->state.count; ++i) {
        cell[soil->key[i]] += a->mass[i] != 0;
    }
    uint32_t sum = 0;
    for (int c = 0; c < cells; ++c) {
        uint32_t here = cell[c];
        cell[c] = sum;
        sum += here;
    }
    cell[cells] = sum;
    for (int i = 0; i < soil->state.count; ++i) {
        if (a->mass[i] != 0) {
            soil->order[cell[soil->key[i]]++] = (uint32_t)i;
        }
    }

    // the loop above left each start at its end: move them back by one cell
    for (int c = cells - 1; c > 0; --c) {
        cell[c] = cell[c - 1];
    }
    cell[0] = 0;
    soil->state.count = (int)sum;
    soil->state.dead = 0;
}

// insertion sort by id inside each cell: one to three grains, already in order more often than not
static void soil_grid_ids(void* context, int block, int begin, int end)
{
    (void)block;
    Soil* soil = context;
    const uint32_t* id = soil_arrays(soil)->id;
    uint32_t* order = soil->order;
    for (int c = begin; c < end; ++c) {
        uint32_t first = soil->cell[c], last = soil->cell[c + 1];
        for (uint32_t i = first + 1; i < last; ++i) {
            uint32_t grain = order[i];
            uint32_t j = i;
            for (; j > first && id[order[j - 1]] > id[grain]; --j) {
                order[j] = order[j - 1];
            }
            order[j] = grain;
        }
    }
}

#define SOIL_PERMUTE(field)                   \
    for (int i = begin; i < end; ++i) {       \
        to->field[i] = from->field[order[i]]; \
    }

static void soil_grid_permute(void* context, int block, int begin, int end)
{
    (void)block;
    Soil* soil = context;
    const SoilArrays* from = &soil->arrays[soil->current];
    SoilArrays* to = &soil->arrays[1 - soil->current];
    const uint32_t* order = soil->order;
    SOIL_PERMUTE(px)
    SOIL_PERMUTE(py)
    SOIL_PERMUTE(pz)
    SOIL_PERMUTE(vx)
    SOIL_PERMUTE(vy)
    SOIL_PERMUTE(vz)
    SOIL_PERMUTE(qx)
    SOIL_PERMUTE(qy)
    SOIL_PERMUTE(qz)
    SOIL_PERMUTE(radius)
    SOIL_PERMUTE(mass)
    SOIL_PERMUTE(id)
    SOIL_PERMUTE(material)
    SOIL_PERMUTE(contacts)
    SOIL_PERMUTE(rest)
    SOIL_PERMUTE(memory)
    for (int i = begin; i < end; ++i) {
        soil->w[i] = (float)(1.0e6 / to->mass[i]);
        soil->place[order[i]] = (uint32_t)i;
    }
}

// lanes past the last grain: far away from everything and from the dummy
void soil_grid_pad(Soil* soil)
{
    SoilArrays* a = soil_arrays(soil);
    for (int i = soil->state.count; i < soil_slices(soil->state.count) * SOIL_LANES; ++i) {
        a->px[i] = a->py[i] = a->pz[i] = a->qx[i] = a->qy[i] = a->qz[i] = -SOIL_FAR;
        a->vx[i] = a->vy[i] = a->vz[i] = 0.0f;
        a->radius[i] = 0.0f;
        a->mass[i] = 0;
        a->id[i] = SOIL_NO_KEY;
        a->material[i] = 0;
        a->contacts[i] = 1;
        soil->w[i] = 1.0f;
    }
}

void soil_grid_sort(Soil* soil, Jobs* jobs)
{
    soil_grid_bounds(soil);
    jobs_for(jobs, soil->state.count, SOIL_BLOCK * 8, soil_grid_keys, soil);
    memset(soil->place, 0xff,
           (size_t)soil->state.count * sizeof *soil->place); // the dead go nowhere
    soil_grid_count(soil);
    int cells = soil->grid.dim[0] * soil->grid.dim[1] * soil->grid.dim[2];
    jobs_for(jobs, cells, SOIL_CELL_BLOCK, soil_grid_ids, soil);
    jobs_for(jobs, soil->state.count, SOIL_BLOCK * 4, soil_grid_permute, soil);

    soil->current = 1 - soil->current;
    soil_bind_state(soil);
    soil_grid_pad(soil);
}
