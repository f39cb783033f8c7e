// Snapshots and hashes: everything that the next steps depend on, in a fixed order.
//
// One walk serves to count, to write, to read and to hash. Heights are not part of it: they are
// found again from the masses, by the same code. A snapshot names its definition, its size and the
// hash of its content, so that a strange, short or altered one is refused before it is touched.
#include "base/base_hash.h"
#include "terrain/terrain_internal.h"

#define TERRAIN_SNAPSHOT_MAGIC 0x3130444e5247544dull // "MTGRND01" read as a little-endian number

typedef enum TerrainWalkKind {
    TERRAIN_WALK_SIZE,
    TERRAIN_WALK_SAVE,
    TERRAIN_WALK_LOAD,
    TERRAIN_WALK_HASH
} TerrainWalkKind;

typedef struct TerrainWalk {
    TerrainWalkKind kind;
    unsigned char* bytes;
    size_t at;
    uint64_t hash;
} TerrainWalk;

static void walk_bytes(TerrainWalk* walk, void* data, size_t size)
{
    switch (walk->kind) {
    case TERRAIN_WALK_SAVE: memcpy(walk->bytes + walk->at, data, size); break;
    case TERRAIN_WALK_LOAD: memcpy(data, walk->bytes + walk->at, size); break;
    case TERRAIN_WALK_HASH: walk->hash = base_hash(data, size, walk->hash); break;
    case TERRAIN_WALK_SIZE: break;
    }
    walk->at += size;
}

static void walk_all(TerrainWalk* walk, Terrain* t)
{
    TerrainState* s = &t->state;
    walk_bytes(walk, &s->step, sizeof s->step);
    walk_bytes(walk, &s->cursor, sizeof s->cursor);
    walk_bytes(walk, &s->ledger, sizeof s->ledger);
    for (int k = 0; k < TERRAIN_STRATA_MAX; ++k) {
        walk_bytes(walk, s->bank[k], t->columns * sizeof(uint32_t));
    }
    for (int m = 0; m < t->def.material_count; ++m) {
        walk_bytes(walk, s->loose[m], t->columns * sizeof(uint32_t));
    }
    walk_bytes(walk, s->soil, t->columns * sizeof(uint16_t));
    walk_bytes(walk, s->base, t->columns * sizeof(float));
    walk_bytes(walk, s->compaction, t->columns * sizeof(uint16_t));
    walk_bytes(walk, s->moving, t->columns);
    walk_bytes(walk, s->tile, (size_t)t->tiles);
}

// The numbers of the definition, without the padding between them.
static uint64_t def_hash(const TerrainDef* def)
{
    const int32_t whole[] = {def->nx, def->nz, def->walled, def->material_count};
    const float real[] = {def->cell, def->origin.x, def->origin.y, def->origin.z, def->gravity};
    uint64_t hash = base_hash(whole, sizeof whole, TERRAIN_SNAPSHOT_MAGIC);
    hash = base_hash(real, sizeof real, hash);
    return base_hash(def->material, (size_t)def->material_count * sizeof *def->material, hash);
}

typedef struct TerrainSnapshotHead {
    uint64_t magic;
    uint64_t def;     // hash of the definition
    uint64_t size;    // bytes, this head included
    uint64_t content; // hash of the bytes behind the head
} TerrainSnapshotHead;

// The walk only reads when it hashes, saves or counts.
static TerrainWalk walk_const(const Terrain* terrain, TerrainWalkKind kind, void* out)
{
    TerrainWalk walk = {.kind = kind, .bytes = out, .hash = def_hash(&terrain->def)};
    walk_all(&walk, (Terrain*)(uintptr_t)terrain);
    return walk;
}

uint64_t terrain_hash(const Terrain* terrain)
{
    return walk_const(terrain, TERRAIN_WALK_HASH, NULL).hash;
}

size_t terrain_snapshot_size(const Terrain* terrain)
{
    return sizeof(TerrainSnapshotHead) + walk_const(terrain, TERRAIN_WALK_SIZE, NULL).at;
}

void terrain_snapshot_save(const Terrain* terrain, void* out)
{
    unsigned char* content = (unsigned char*)out + sizeof(TerrainSnapshotHead);
    size_t size = walk_const(terrain, TERRAIN_WALK_SAVE, content).at;
    TerrainSnapshotHead head = {TERRAIN_SNAPSHOT_MAGIC, def_hash(&terrain->def), sizeof head + size,
                                base_hash(content, size, 0)};
    memcpy(out, &head, sizeof head);
}

bool terrain_snapshot_load(Terrain* terrain, const void* in, size_t size)
{
    TerrainSnapshotHead head;
    if (size < sizeof head) {
        return false;
    }
    memcpy(&head, in, sizeof head);
    const unsigned char* content = (const unsigned char*)in + sizeof head;
    if (head.magic != TERRAIN_SNAPSHOT_MAGIC || head.def != def_hash(&terrain->def) ||
        head.size != size || size != terrain_snapshot_size(terrain) ||
        head.content != base_hash(content, size - sizeof head, 0)) {
        return false;
    }
    TerrainWalk walk = {.kind = TERRAIN_WALK_LOAD, .bytes = (unsigned char*)(uintptr_t)content};
    walk_all(&walk, terrain);
    terrain_refresh(terrain);
    return true;
}
