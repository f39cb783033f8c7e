// Life of the soil and its grains; the step itself is in soil_step.c.
#include "soil/soil.h"

#include "base/base_assert.h"
#include "soil/soil_internal.h"

#include <stdlib.h>

extern const JobsFn soil_list_find_sse2, soil_split_sweep_sse2, soil_split_start_sse2,
    soil_p2_sweep_sse2;
extern const JobsFn soil_list_find_avx2, soil_split_sweep_avx2, soil_split_start_avx2,
    soil_p2_sweep_avx2;

static const SoilSimd soil_simd[] = {
    {"sse2", &soil_list_find_sse2, &soil_split_start_sse2, &soil_split_sweep_sse2,
     &soil_p2_sweep_sse2},
    {"avx2", &soil_list_find_avx2, &soil_split_start_avx2, &soil_split_sweep_avx2,
     &soil_p2_sweep_avx2},
};

static const char* const soil_kernel_names[SOIL_KERNEL_COUNT] = {"split", "p2", "gs"};
static const char* const soil_phase_names[SOIL_PHASE_COUNT] = {"predict", "sort",  "list",
                                                               "collide", "solve", "finish"};

const char* soil_kernel_name(SoilKernel kernel)
{
    return soil_kernel_names[kernel];
}

bool soil_kernel_from_name(const char* name, SoilKernel* kernel)
{
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        if (strcmp(name, soil_kernel_names[k]) == 0) {
            *kernel = (SoilKernel)k;
            return true;
        }
    }
    return false;
}

const char* soil_phase_name(SoilPhase phase)
{
    return soil_phase_names[phase];
}

// Impulses travel one contact per sweep, so a heap of so many metres needs more of them the smaller
// its grains are: 8 per frame at 50 mm and beyond, 13 at 30 mm, never more than 16.
static int soil_substeps(float radius)
{
    return (int)base_clampf(0.4f / radius + 0.5f, 8.0f, 16.0f);
}

SoilDef soil_def(SoilKernel kernel, int capacity, float radius_max)
{
    // k grows with the radius as a block of the same stuff would: 20 MN/m2 times the radius keeps
    // 30 layers of 1.4 kg grains within a hundredth of a diameter; c lets an overlap creep within
    // a fifth of a millisecond. The position-based kernels get a spring as stiff as a projection can be:
    // anything softer only sinks deeper in their few iterations.
    float k = 2.0e7f * radius_max;
    float c = 2.0e-4f * k;
    if (kernel != SOIL_KERNEL_SPLIT) {
        k = 1.0e12f, c = 0.0f;
    }
    return (SoilDef){
        .capacity = capacity,
        .radius_max = radius_max,
        .gravity = {0.0f, -9.81f, 0.0f},
        .dt = 1.0f / 60.0f,
        .kernel = kernel,
        .substeps = kernel == SOIL_KERNEL_SPLIT ? soil_substeps(radius_max) : 1,
        .iterations = kernel == SOIL_KERNEL_SPLIT ? 1
                      : kernel == SOIL_KERNEL_P2  ? 10
                                                  : 40,
        .stride = SOIL_STRIDE,
        .material_count = 1,
        .material = {{k, c, 0.3f, 0.3f, 0.0f}},
    };
}

static void soil_carve_arrays(BaseArena* arena, SoilArrays* a, int rows)
{
    // eight more than the rows: the search reads whole vectors past the last grain
    size_t floats = (size_t)(rows + SOIL_LANES) * sizeof(float);
    float** const field[] = {&a->px, &a->py, &a->pz, &a->vx, &a->vy,
                             &a->vz, &a->qx, &a->qy, &a->qz, &a->radius};
    for (size_t f = 0; f < sizeof field / sizeof *field; ++f) {
        *field[f] = base_arena_alloc(arena, floats);
    }
    a->mass = base_arena_alloc(arena, floats);
    a->id = base_arena_alloc(arena, floats);
    a->material = base_arena_alloc(arena, (size_t)rows + SOIL_LANES);
    a->contacts = base_arena_alloc(arena, (size_t)rows + SOIL_LANES);
    a->rest = base_arena_alloc(arena, (size_t)rows + SOIL_LANES);
    a->memory = base_arena_alloc(arena, (size_t)(rows + SOIL_LANES) * sizeof(uint64_t));
}

static void soil_carve_list(BaseArena* arena, SoilList* list, SoilWalls* walls, int rows)
{
    size_t slices = (size_t)rows / SOIL_LANES;
    list->neighbour =
        base_arena_alloc(arena, soil_slot_count(rows) * SOIL_LANES * sizeof(uint32_t));
    list->impulse = base_arena_alloc(arena, soil_slot_count(rows) * 3 * SOIL_LANES * sizeof(float));
    list->start = base_arena_alloc(arena, slices * sizeof(uint32_t));
    list->length = base_arena_alloc(arena, slices);
    list->member = base_arena_alloc(arena, (size_t)rows * sizeof(uint32_t));
    list->lane = base_arena_alloc(arena, (size_t)rows * sizeof(uint32_t));
    walls->wall = base_arena_alloc(arena, soil_wall_count(rows) * sizeof(SoilWall));
    walls->start = base_arena_alloc(arena, slices * sizeof(uint32_t));
    walls->length = base_arena_alloc(arena, slices);
}

// Addresses for everything, most of them never touched: the OS backs only what is used.
static size_t soil_memory_size(int rows, int cells)
{
    size_t grains = (size_t)rows + SOIL_LANES;
    size_t bytes = 2 * grains * (12 * sizeof(float) + sizeof(uint64_t) + 3);
    bytes += 2 * (soil_slot_count(rows) * (SOIL_LANES * 4 + 3 * SOIL_LANES * 4) + grains * 10);
    bytes += 2 * (soil_wall_count(rows) * sizeof(SoilWall) + grains * 2);
    bytes +=
        grains * (16 * sizeof(float)) + 2 * (grains + SOIL_LANES) * SOIL_RECORD * sizeof(float);
    bytes += (size_t)(cells + 1) * sizeof(uint32_t);
    bytes += (size_t)(rows / SOIL_BLOCK) *
             (sizeof(SoilBlockWork) + SOIL_BOUNDARIES_MAX * sizeof(SoilPush));
    return bytes + 64 * 64;
}

static void soil_carve(Soil* soil)
{
    BaseArena* arena = &soil->arena;
    size_t floats = ((size_t)soil->rows + SOIL_LANES) * sizeof(float);
    size_t blocks = (size_t)(soil->rows / SOIL_BLOCK);
    for (int k = 0; k < 2; ++k) {
        soil_carve_arrays(arena, &soil->arrays[k], soil->rows);
        soil_carve_list(arena, &soil->list[k], &soil->walls[k], soil->rows);
        soil->record[k] = base_arena_alloc(arena, floats * SOIL_RECORD);
    }
    soil->w = base_arena_alloc(arena, floats);
    soil->lane_w = base_arena_alloc(arena, floats);
    for (int a = 0; a < 3; ++a) {
        soil->carried[a] = base_arena_alloc(arena, floats);
        soil->shifted[a] = base_arena_alloc(arena, floats);
        soil->seen[a] = base_arena_alloc(arena, floats);
    }
    soil->order = base_arena_alloc(arena, floats);
    soil->place = base_arena_alloc(arena, floats);
    soil->key = base_arena_alloc(arena, floats);
    soil->touched = base_arena_alloc(arena, floats);
    soil->cut2 = base_arena_alloc(arena, floats);
    soil->cell = base_arena_alloc(arena, (size_t)(soil->cells_max + 1) * sizeof(uint32_t));
    soil->block = base_arena_alloc(arena, blocks * sizeof *soil->block);
    soil->push = base_arena_alloc(arena, blocks * SOIL_BOUNDARIES_MAX * sizeof *soil->push);
}

static void soil_set_law(Soil* soil)
{
    soil->cohesive = soil_law_cohesive(soil);
    for (int m = 0; m < soil->def.material_count; ++m) {
        const SoilMaterial* x = &soil->def.material[m];
        soil->law.stiffness[m] = __builtin_sqrtf(x->stiffness);
        soil->law.damping[m] = __builtin_sqrtf(x->damping);
        soil->law.mu_s[m] = __builtin_sqrtf(x->friction_static);
        soil->law.mu_k[m] = __builtin_sqrtf(x->friction_kinetic);
        soil->law.adhesion[m] = __builtin_sqrtf(x->adhesion);
    }
}

void soil_bind_state(Soil* soil)
{
    const SoilArrays* a = soil_arrays(soil);
    SoilState* s = &soil->state;
    s->px = a->px, s->py = a->py, s->pz = a->pz;
    s->vx = a->vx, s->vy = a->vy, s->vz = a->vz;
    s->radius = a->radius, s->mass = a->mass, s->id = a->id;
    s->material = a->material, s->contacts = a->contacts, s->rest = a->rest;
    s->memory = a->memory;
}

// Equal grains let the position-based kernels use constants.
bool soil_grains_uniform(Soil* soil)
{
    const SoilArrays* a = soil_arrays(soil);
    for (int i = 1; i < soil->state.count; ++i) {
        if (a->mass[i] != a->mass[0] || a->material[i] != a->material[0]) {
            return false;
        }
    }
    return true;
}

bool soil_law_cohesive(const Soil* soil)
{
    for (int m = 0; m < soil->def.material_count; ++m) {
        if (soil->def.material[m].adhesion > 0.0f) {
            return true;
        }
    }
    return false;
}

Soil* soil_create(const SoilDef* def)
{
    BASE_ASSERT(def->capacity > 0 && def->radius_max > 0.0f && def->dt > 0.0f);
    BASE_ASSERT(def->substeps > 0 && def->iterations > 0);
    BASE_ASSERT(def->material_count > 0 && def->material_count <= SOIL_MATERIALS_MAX);
    Soil* soil = calloc(1, sizeof *soil);
    if (!soil) {
        return NULL;
    }
    soil->def = *def;
    soil->rows = (def->capacity + SOIL_BLOCK - 1) / SOIL_BLOCK * SOIL_BLOCK;
    soil->cells_max = base_maxi(4 * soil->rows, 4096);
    if (!base_arena_init(&soil->arena, soil_memory_size(soil->rows, soil->cells_max)) ||
        !base_arena_touch(&soil->arena)) {
        base_arena_free(&soil->arena);
        free(soil);
        return NULL;
    }
    soil_carve(soil);
    soil_bind_state(soil);
    soil_set_law(soil);
    soil->simd = &soil_simd[__builtin_cpu_supports("avx2") ? 1 : 0];

    // the dummy grain that padding lanes point to
    for (int k = 0; k < 2; ++k) {
        float* dummy = soil->record[k] + (size_t)soil->rows * SOIL_RECORD;
        dummy[0] = dummy[1] = dummy[2] = SOIL_FAR;
        dummy[7] = soil_pack(1.0f, 1, 0);
    }
    return soil;
}

void soil_destroy(Soil* soil)
{
    if (soil) {
        base_arena_free(&soil->arena);
        free(soil);
    }
}

const SoilDef* soil_definition(const Soil* soil)
{
    return &soil->def;
}

const SoilState* soil_state(const Soil* soil)
{
    return &soil->state;
}

const SoilStats* soil_stats(const Soil* soil)
{
    return &soil->stats;
}

SoilState* soil_edit(Soil* soil)
{
    return &soil->state;
}

void soil_touch(Soil* soil)
{
    soil->list_valid = false;
}

bool soil_use_isa(Soil* soil, const char* name)
{
    for (size_t k = 0; k < sizeof soil_simd / sizeof *soil_simd; ++k) {
        if (strcmp(name, soil_simd[k].name) == 0 && (k == 0 || __builtin_cpu_supports("avx2"))) {
            soil->simd = &soil_simd[k];
            return true;
        }
    }
    return false;
}

const char* soil_isa(const Soil* soil)
{
    return soil->simd->name;
}

bool soil_spawn(Soil* soil, Vec3 pos, Vec3 vel, float radius, uint32_t mass_mg, int material)
{
    BASE_ASSERT(mass_mg > 0 && mass_mg <= SOIL_GRAIN_MASS_MAX);
    BASE_ASSERT(material >= 0 && material < soil->def.material_count);
    SoilState* s = &soil->state;
    if (s->count >= soil->def.capacity || radius > soil->def.radius_max || radius <= 0.0f) {
        return false;
    }
    int i = s->count++;
    s->px[i] = pos.x, s->py[i] = pos.y, s->pz[i] = pos.z;
    SoilArrays* a = soil_arrays(soil); // not what lay there before: it is hashed
    a->qx[i] = pos.x, a->qy[i] = pos.y, a->qz[i] = pos.z;
    s->vx[i] = vel.x, s->vy[i] = vel.y, s->vz[i] = vel.z;
    s->radius[i] = radius;
    s->mass[i] = mass_mg;
    s->material[i] = (uint8_t)material;
    s->contacts[i] = 1;
    s->rest[i] = 0;
    s->memory[i] = 0;
    s->id[i] = s->next_id++;
    s->mass_mg += mass_mg;
    soil->list_valid = false;
    return true;
}

void soil_set_recall(Soil* soil, SoilRecallFn recall, const void* context)
{
    soil->recall = recall, soil->recall_context = context;
}

int soil_impulses(const Soil* soil, int index, SoilImpulse* out)
{
    const SoilList* list = &soil->list[soil->list_current];
    const SoilWalls* walls = &soil->walls[soil->walls_current];
    int count = 0;
    if (soil->def.kernel != SOIL_KERNEL_SPLIT || index >= list->count || index >= walls->count) {
        return 0; // born since
    }
    int slice = (int)(list->lane[index] / SOIL_LANES), lane = (int)(list->lane[index] % SOIL_LANES);
    for (size_t n = list->start[slice]; n < list->start[slice] + (size_t)list->length[slice]; ++n) {
        const float* l = list->impulse + n * 3 * SOIL_LANES + lane;
        Vec3 impulse = vec3(l[0], l[8], l[16]);
        if (vec3_dot(impulse, impulse) > 0.0f) {
            out[count++] = (SoilImpulse){soil_neighbour(list, n, lane), 0, impulse};
        }
    }
    for (int n = 0; n < walls->length[slice]; ++n) {
        const SoilWall* wall = &walls->wall[walls->start[slice] + (uint32_t)n];
        Vec3 impulse = vec3(wall->lx[lane], wall->ly[lane], wall->lz[lane]);
        if (wall->key[lane] != SOIL_NO_KEY && vec3_dot(impulse, impulse) > 0.0f) {
            out[count++] = (SoilImpulse){-1, wall->key[lane], impulse};
        }
    }
    return count;
}

uint32_t soil_remove(Soil* soil, int index)
{
    SoilState* s = &soil->state;
    BASE_ASSERT(index >= 0 && index < s->count);
    uint32_t mass = s->mass[index];
    if (mass != 0) {
        s->mass[index] = 0;
        s->mass_mg -= mass;
        s->dead++;
    }
    return mass;
}

int soil_add_boundary(Soil* soil, const SoilBoundary* boundary)
{
    if (soil->boundary_count == SOIL_BOUNDARIES_MAX) {
        return -1;
    }
    soil->boundary[soil->boundary_count] = *boundary;
    soil->list_valid = false;
    return soil->boundary_count++;
}

// A caller that asks for it may change it: look for surfaces anew.
SoilBoundary* soil_boundary(Soil* soil, int index)
{
    BASE_ASSERT(index >= 0 && index < soil->boundary_count);
    soil->list_valid = false;
    return &soil->boundary[index];
}

// No list is spoiled by it: what was found is led along (soil_surface_follow).
void soil_drive(Soil* soil, int index, Vec3 position, Quat rotation, Vec3 velocity, Vec3 spin)
{
    BASE_ASSERT(index >= 0 && index < soil->boundary_count && soil->boundary[index].driven);
    SoilBoundary* b = &soil->boundary[index];
    b->position = position, b->rotation = rotation;
    b->velocity = velocity, b->spin = spin;
}

const SoilBoundary* soil_pose(const Soil* soil, int index)
{
    BASE_ASSERT(index >= 0 && index < soil->boundary_count);
    return &soil->boundary[index];
}

const SoilReaction* soil_part_reaction(const Soil* soil, int index)
{
    BASE_ASSERT(index >= 0 && index < soil->boundary_count);
    return &soil->part_reaction[index];
}

const SoilReaction* soil_reaction(const Soil* soil, int index)
{
    BASE_ASSERT(index >= 0 && index < soil->boundary_count);
    return &soil->reaction[index];
}

SoilBoundary soil_plane(Vec3 point, Vec3 normal, float friction)
{
    // the shortest turn that takes +y to the normal: half-way vector as a quaternion
    Quat q = {normal.z, 0.0f, -normal.x, 1.0f + normal.y};
    float length = __builtin_sqrtf(q.x * q.x + q.z * q.z + q.w * q.w);
    if (length < 1.0e-6f) {
        q = (Quat){1.0f, 0.0f, 0.0f, 0.0f};
        length = 1.0f;
    }
    return (SoilBoundary){
        .shape = SOIL_SHAPE_PLANE,
        .position = point,
        .rotation = {q.x / length, 0.0f, q.z / length, q.w / length},
        .friction_static = friction,
        .friction_kinetic = friction,
    };
}

SoilBoundary soil_box(Vec3 center, Vec3 half, float friction)
{
    return (SoilBoundary){
        .shape = SOIL_SHAPE_BOX,
        .position = center,
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
        .half = half,
        .friction_static = friction,
        .friction_kinetic = friction,
    };
}

int soil_find_bad(const Soil* soil)
{
    const SoilState* s = &soil->state;
    for (int i = 0; i < s->count; ++i) {
        const float x[6] = {s->px[i], s->py[i], s->pz[i], s->vx[i], s->vy[i], s->vz[i]};
        for (int k = 0; k < 6; ++k) {
            float limit = k < 3 ? 1.0e4f : 50.0f;
            if (!base_finite(x[k]) || __builtin_fabsf(x[k]) >= limit) {
                return i;
            }
        }
    }
    return -1;
}

typedef struct SoilOverlapSum {
    int64_t contacts;
    double sum, max;
} SoilOverlapSum;

static SoilOverlapSum soil_overlap_grain(Soil* soil, int i)
{
    const SoilArrays* a = soil_arrays(soil);
    const SoilList* list = soil_list(soil);
    int slice = (int)list->lane[i] / SOIL_LANES, lane = (int)list->lane[i] % SOIL_LANES;
    SoilOverlapSum out = {0};
    for (int n = 0; n < list->length[slice]; ++n) {
        int j = soil_neighbour(list, list->start[slice] + (size_t)n, lane);
        if (j <= i || j >= soil->state.count) {
            continue;
        }
        Vec3 x = vec3_sub(vec3(a->px[i], a->py[i], a->pz[i]), vec3(a->px[j], a->py[j], a->pz[j]));
        float reach = a->radius[i] + a->radius[j];
        double overlap = (double)(reach - vec3_length(x)) / (double)reach;
        if (overlap > 0.0) {
            out.contacts++;
            out.sum += overlap;
            out.max = overlap > out.max ? overlap : out.max;
        }
    }
    return out;
}

SoilOverlap soil_overlap(Soil* soil, Jobs* jobs)
{
    (void)jobs; // a measurement outside the step; one thread keeps its sum in order
    SoilOverlapSum all = {0};
    for (int i = 0; i < soil_list(soil)->count && i < soil->state.count; ++i) {
        SoilOverlapSum one = soil_overlap_grain(soil, i);
        all.contacts += one.contacts;
        all.sum += one.sum;
        all.max = one.max > all.max ? one.max : all.max;
    }
    double count = all.contacts > 0 ? (double)all.contacts : 1.0;
    return (SoilOverlap){all.contacts, all.sum / count, all.max};
}
