// Snapshots and hashes: everything that the next steps depend on, in a fixed order.
//
// One walk serves four purposes: to count bytes, to write, to read, and to hash. The neighbour list
// is part of it, because impulses live there and because the order of neighbours is the order of
// sums. A snapshot names its definition, its size and the hash of its content, so that a strange,
// short or altered one is refused before anything is touched. Whoever writes files can make hashes, too:
// nothing is read beyond a snapshot's end, and no number in it may lead out of an array.
#include "base/base_hash.h"
#include "soil/soil_internal.h"

#define SOIL_SNAPSHOT_MAGIC 0x33304c494f53544dull // "MTSOIL03" read as a little-endian number
#define SOIL_DEF_SEED       0x31304c494f53544dull // of hashes: a new file format moves no state

typedef enum SoilWalkKind {
    SOIL_WALK_SIZE,
    SOIL_WALK_SAVE,
    SOIL_WALK_LOAD,
    SOIL_WALK_HASH
} SoilWalkKind;

typedef struct SoilWalk {
    SoilWalkKind kind;
    unsigned char* bytes;
    size_t at;
    size_t end; // of the bytes that are loaded
    uint64_t hash;
    bool strange; // what was loaded cannot have been saved by anybody; nothing more is
} SoilWalk;

static void soil_walk(SoilWalk* walk, void* data, size_t size)
{
    switch (walk->kind) {
    case SOIL_WALK_SAVE: memcpy(walk->bytes + walk->at, data, size); break;
    case SOIL_WALK_LOAD:
        walk->strange = walk->strange || size > walk->end - walk->at;
        if (walk->strange) {
            return;
        }
        memcpy(data, walk->bytes + walk->at, size);
        break;
    case SOIL_WALK_HASH: walk->hash = base_hash(data, size, walk->hash); break;
    case SOIL_WALK_SIZE: break;
    }
    walk->at += size;
}

// What is loaded has to be so; our own state is.
static bool soil_walk_sane(SoilWalk* walk, bool sane)
{
    walk->strange = walk->strange || (walk->kind == SOIL_WALK_LOAD && !sane);
    return !walk->strange;
}

static bool soil_below(const uint8_t* number, size_t count, unsigned limit)
{
    unsigned most = 0;
    for (size_t i = 0; i < count; ++i) {
        most = number[i] > most ? number[i] : most;
    }
    return count == 0 || most < limit;
}

// Rows as the lists hold them: times SIMD_ROW.
static bool soil_rows_below(const uint32_t* row, size_t count, int limit)
{
    bool sane = true;
    for (size_t i = 0; i < count; ++i) {
        sane = sane && row[i] % SIMD_ROW == 0 && row[i] / SIMD_ROW < (uint32_t)limit;
    }
    return sane;
}

static bool soil_keys_known(const SoilWall* wall, size_t count, int boundaries)
{
    bool sane = true;
    for (size_t n = 0; n < count; ++n) {
        for (int l = 0; l < SOIL_LANES; ++l) {
            uint32_t key = wall[n].key[l];
            sane = sane && (key == SOIL_NO_KEY || key >> 24 < (uint32_t)boundaries);
        }
    }
    return sane;
}

static void soil_walk_arrays(SoilWalk* walk, SoilArrays* a, int count, bool driven)
{
    float* const field[] = {a->px, a->py, a->pz, a->vx, a->vy,
                            a->vz, a->qx, a->qy, a->qz, a->radius};
    for (size_t f = 0; f < sizeof field / sizeof *field; ++f) {
        soil_walk(walk, field[f], (size_t)count * sizeof(float));
    }
    soil_walk(walk, a->mass, (size_t)count * sizeof(uint32_t));
    soil_walk(walk, a->id, (size_t)count * sizeof(uint32_t));
    soil_walk(walk, a->material, (size_t)count);
    soil_walk(walk, a->contacts, (size_t)count);
    // what only callers with driven boundaries depend on does not enter the hash of the others
    if (walk->kind != SOIL_WALK_HASH || driven) {
        soil_walk(walk, a->memory, (size_t)count * sizeof(uint64_t));
    }
    if (walk->kind != SOIL_WALK_HASH) {
        soil_walk(walk, a->rest, (size_t)count);
    }
}

// What a boundary does next depends on these numbers; its function and context are the caller's.
static void soil_walk_boundary(SoilWalk* walk, SoilBoundary* b)
{
    int32_t shape = (int32_t)b->shape;
    soil_walk(walk, &shape, sizeof shape);
    soil_walk(walk, &b->position, sizeof b->position);
    soil_walk(walk, &b->rotation, sizeof b->rotation);
    soil_walk(walk, &b->half, sizeof b->half);
    soil_walk(walk, &b->velocity, sizeof b->velocity);
    soil_walk(walk, &b->spin, sizeof b->spin);
    soil_walk(walk, &b->friction_static, sizeof b->friction_static);
    soil_walk(walk, &b->friction_kinetic, sizeof b->friction_kinetic);
    soil_walk(walk, &b->adhesion, sizeof b->adhesion);
    if (soil_walk_sane(walk, shape >= SOIL_SHAPE_NONE && shape <= SOIL_SHAPE_FUNCTION &&
                                 (shape != SOIL_SHAPE_FUNCTION || b->surface))) {
        b->shape = (SoilShape)shape;
    }
}

// Do the slots of these slices lie within so many?
static bool soil_slots_within(const uint32_t* start, const uint8_t* length, size_t slices,
                              size_t slots)
{
    bool sane = true;
    for (size_t s = 0; s < slices; ++s) {
        sane = sane && start[s] <= slots && length[s] <= slots - start[s];
    }
    return sane;
}

static bool soil_list_sane(const Soil* soil, const SoilList* list, const SoilWalls* walls,
                           size_t slices)
{
    bool sane =
        soil_slots_within(list->start, list->length, slices, soil_slot_count(soil->rows)) &&
        soil_slots_within(walls->start, walls->length, slices, soil_wall_count(soil->rows)) &&
        walls->count >= 0 && walls->count <= soil->def.capacity;
    size_t lanes = slices * SOIL_LANES;
    for (size_t i = 0; i < lanes; ++i) {
        sane = sane && list->lane[i] < lanes;
    }
    return sane && soil_rows_below(list->member, lanes, soil->rows);
}

static void soil_walk_list(SoilWalk* walk, Soil* soil)
{
    SoilList* list = soil_list(soil);
    SoilWalls* walls = soil_walls(soil);
    soil_walk(walk, &list->count, sizeof list->count);
    soil_walk(walk, &walls->count, sizeof walls->count);
    if (!soil_walk_sane(walk, list->count >= 0 && list->count <= soil->def.capacity)) {
        return;
    }
    size_t slices = (size_t)soil_slices(list->count), lanes = slices * SOIL_LANES;
    soil_walk(walk, list->start, slices * sizeof *list->start);
    soil_walk(walk, list->length, slices);
    soil_walk(walk, list->member, lanes * sizeof *list->member);
    soil_walk(walk, list->lane, lanes * sizeof *list->lane);
    soil_walk(walk, walls->start, slices * sizeof *walls->start);
    soil_walk(walk, walls->length, slices);
    if (!soil_walk_sane(walk, walk->kind != SOIL_WALK_LOAD ||
                                  soil_list_sane(soil, list, walls, slices))) {
        return;
    }
    for (size_t s = 0; s < slices; ++s) {
        size_t at = list->start[s], n = list->length[s];
        uint32_t* neighbour = list->neighbour + at * SOIL_LANES;
        SoilWall* wall = walls->wall + walls->start[s];
        soil_walk(walk, neighbour, n * SOIL_LANES * sizeof *neighbour);
        soil_walk(walk, list->impulse + at * 3 * SOIL_LANES, n * 3 * SOIL_LANES * sizeof(float));
        soil_walk(walk, wall, walls->length[s] * sizeof *wall);
        soil_walk_sane(walk, walk->kind != SOIL_WALK_LOAD ||
                                 (soil_rows_below(neighbour, n * SOIL_LANES, soil->rows + 1) &&
                                  soil_keys_known(wall, walls->length[s], soil->boundary_count)));
    }
}

static void soil_walk_all(SoilWalk* walk, Soil* soil)
{
    SoilState* s = &soil->state;
    int32_t valid = soil->list_valid;
    soil_walk(walk, &s->count, sizeof s->count);
    soil_walk(walk, &s->dead, sizeof s->dead);
    soil_walk(walk, &s->next_id, sizeof s->next_id);
    soil_walk(walk, &s->frame, sizeof s->frame);
    soil_walk(walk, &s->mass_mg, sizeof s->mass_mg);
    soil_walk(walk, &valid, sizeof valid);
    soil->list_valid = valid != 0;
    soil_walk(walk, &soil->boundary_count, sizeof soil->boundary_count);
    if (!soil_walk_sane(walk, s->count >= 0 && s->count <= soil->def.capacity && s->dead >= 0 &&
                                  s->dead <= s->count && soil->boundary_count >= 0 &&
                                  soil->boundary_count <= SOIL_BOUNDARIES_MAX)) {
        return;
    }
    for (int b = 0; b < soil->boundary_count; ++b) {
        soil_walk_boundary(walk, &soil->boundary[b]);
    }
    SoilArrays* a = soil_arrays(soil);
    soil_walk_arrays(walk, a, s->count, soil_surface_driven(soil));
    soil_walk_sane(
        walk, walk->kind != SOIL_WALK_LOAD ||
                  (soil_below(a->material, (size_t)s->count, (unsigned)soil->def.material_count) &&
                   soil_below(a->contacts, (size_t)s->count, SOIL_PACK_COUNT + 1)));
    soil_walk_list(walk, soil);
}

// The numbers of the definition, without the padding between them.
static uint64_t soil_def_hash(const SoilDef* def)
{
    const int32_t whole[] = {def->capacity, (int32_t)def->kernel, def->substeps, def->iterations,
                             def->material_count};
    const float real[] = {def->radius_max, def->gravity.x,       def->gravity.y,     def->gravity.z,
                          def->dt,         def->error_reduction, def->sleep_distance};
    uint64_t hash = base_hash(whole, sizeof whole, SOIL_DEF_SEED);
    hash = base_hash(real, sizeof real, hash);
    if (def->stride != SOIL_STRIDE) { // the default moved no hash when it became a setting
        hash = base_hash(&def->stride, sizeof def->stride, hash);
    }
    return base_hash(def->material, (size_t)def->material_count * sizeof *def->material, hash);
}

typedef struct SoilSnapshotHead {
    uint64_t magic;
    uint64_t def;     // hash of the definition
    uint64_t size;    // bytes, this head included
    uint64_t content; // hash of the bytes behind the head
} SoilSnapshotHead;

// The walk only reads when it hashes, saves or counts.
static SoilWalk soil_walk_const(const Soil* soil, SoilWalkKind kind, void* out)
{
    SoilWalk walk = {.kind = kind, .bytes = out, .hash = soil_def_hash(&soil->def)};
    soil_walk_all(&walk, (Soil*)(uintptr_t)soil);
    return walk;
}

uint64_t soil_hash(const Soil* soil)
{
    return soil_walk_const(soil, SOIL_WALK_HASH, NULL).hash;
}

size_t soil_snapshot_size(const Soil* soil)
{
    return sizeof(SoilSnapshotHead) + soil_walk_const(soil, SOIL_WALK_SIZE, NULL).at;
}

void soil_snapshot_save(const Soil* soil, void* out)
{
    unsigned char* content = (unsigned char*)out + sizeof(SoilSnapshotHead);
    size_t size = soil_walk_const(soil, SOIL_WALK_SAVE, content).at;
    SoilSnapshotHead head = {SOIL_SNAPSHOT_MAGIC, soil_def_hash(&soil->def), sizeof head + size,
                             base_hash(content, size, 0)};
    memcpy(out, &head, sizeof head);
}

static void soil_restore_work(Soil* soil)
{
    const SoilArrays* a = soil_arrays(soil);
    for (int i = 0; i < soil->state.count; ++i) {
        soil->w[i] = a->mass[i] != 0 ? (float)(1.0e6 / a->mass[i]) : 1.0f;
    }
    soil_grid_pad(soil);
    const SoilList* list = soil_list(soil);
    for (int l = 0; l < soil_slices(list->count) * SOIL_LANES; ++l) {
        soil->lane_w[l] = soil->w[soil_member(list, l)];
    }
    soil->uniform = soil_grains_uniform(soil);
    soil->cohesive = soil_law_cohesive(soil);
}

// Nobody is there: of a soil that was half loaded nothing can be believed.
static void soil_forget(Soil* soil)
{
    soil->state.count = soil->state.dead = 0;
    soil->state.mass_mg = 0;
    soil->list_valid = false;
    soil_list(soil)->count = soil_walls(soil)->count = 0;
}

bool soil_snapshot_load(Soil* soil, const void* in, size_t size)
{
    SoilSnapshotHead head;
    if (size < sizeof head) {
        return false;
    }
    memcpy(&head, in, sizeof head);
    const unsigned char* content = (const unsigned char*)in + sizeof head;
    if (head.magic != SOIL_SNAPSHOT_MAGIC || head.def != soil_def_hash(&soil->def) ||
        head.size != size || head.content != base_hash(content, size - sizeof head, 0)) {
        return false;
    }
    SoilBoundary boundary[SOIL_BOUNDARIES_MAX];
    int boundaries = soil->boundary_count;
    memcpy(boundary, soil->boundary, sizeof boundary);
    SoilWalk walk = {.kind = SOIL_WALK_LOAD,
                     .bytes = (unsigned char*)(uintptr_t)content,
                     .end = size - sizeof head};
    soil_walk_all(&walk, soil);
    if (walk.strange || walk.at != walk.end) {
        memcpy(soil->boundary, boundary, sizeof boundary);
        soil->boundary_count = boundaries;
        soil_forget(soil);
    }
    soil_restore_work(soil);
    return !walk.strange && walk.at == walk.end;
}
