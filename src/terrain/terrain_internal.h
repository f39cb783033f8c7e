// terrain_internal - what the files of src/terrain share; nobody else includes it.
//
// A sweep works on tiles of 16 x 16 columns that are awake. Each reads a window around itself from
// the planes and writes its outcome into a slot of its own; when all are done, the slots are copied
// back. So no tile sees half of another's work, and the order of the work cannot matter:
//
//     planes --- flow (all tiles) --> slots --- commit (all tiles) --> planes
//
//   window of a tile:   . . . . . . . .        16 x 16 columns, and two more on each side: a face
//                       . + + + + + + .        between columns needs the heights of both, and the
//                       . + # # # # + .        slope across it those beside both
//                       . + # # # # + .
//                       . + + + + + + .        #  the tile    +  donors and takers    .  heights
//                       . . . . . . . .
#ifndef TERRAIN_INTERNAL_H
#define TERRAIN_INTERNAL_H

#include "base/base_arena.h"
#include "terrain/terrain.h"

#define TERRAIN_TILE_COLUMNS (TERRAIN_TILE * TERRAIN_TILE)
#define TERRAIN_SLOTS        256 // tiles in one sweep: 65,536 columns; more wait for the next
#define TERRAIN_BLOCK        4   // tiles per job, some 10 us of work

// bits of state.tile[]
#define TERRAIN_AWAKE 1u
#define TERRAIN_FACE  2u // its bank or what lies on it changed: look for failing faces

// A column that slid is held to the repose angle for so many more sweeps, then to its start angle.
#define TERRAIN_RESTLESS 16

#define TERRAIN_COMPACT_MAX 65535u

// Slopes are at rest when within this part of their limit: half a percent of 30 degrees is 0.12.
#define TERRAIN_SLACK 1.005f

// Less than this does not cross a face, in mg: of a mixed soil too little would be left of each part
// to be moved at all, and it is a few micrometres of height. Up to four times as much may lie on a
// slope as dust.
#define TERRAIN_LEAST 64.0f

// What lies in a tile, or in all of them, mg.
typedef struct TerrainCount {
    TerrainMass bank, loose;
} TerrainCount;

// Outcome of one tile's sweep.
typedef struct TerrainSlot {
    uint32_t loose[TERRAIN_MATERIALS_MAX][TERRAIN_TILE_COLUMNS];
    uint16_t compaction[TERRAIN_TILE_COLUMNS];
    uint8_t moving[TERRAIN_TILE_COLUMNS];
    uint64_t off_site[TERRAIN_MATERIALS_MAX]; // mg
    int tile;
    int faces;     // across which soil moved
    uint8_t soils; // bit m: material m is in the loose layer, here or beside
    uint8_t wake;  // bits 0..3: the sleeping tile at -x, +x, -z, +z is about to be flooded
    bool busy;     // stays awake
} TerrainSlot;

typedef struct TerrainSimd {
    const char* name;
    const JobsFn *flow, *commit; // over the slots
} TerrainSimd;

struct Terrain {
    TerrainDef def;
    TerrainState state;
    TerrainStats stats;
    BaseArena arena;
    size_t columns;
    int tiles_x, tiles_z, tiles;

    // derived from the definition
    float area;                             // m2 of a column
    float loose_m[TERRAIN_MATERIALS_MAX];   // m of height per mg, uncompacted
    float squeeze_m[TERRAIN_MATERIALS_MAX]; // m per mg that full compaction takes away
    float bank_m[TERRAIN_MATERIALS_MAX];    // m per mg
    float loose_mg[TERRAIN_MATERIALS_MAX];  // mg per m of height
    double bank_mg[TERRAIN_MATERIALS_MAX];  // mg per m of height
    float tan_stop[TERRAIN_MATERIALS_MAX];  // tangents of repose, start and friction
    float tan_start[TERRAIN_MATERIALS_MAX];
    float tan_friction[TERRAIN_MATERIALS_MAX];
    float sin_friction[TERRAIN_MATERIALS_MAX], cos_friction[TERRAIN_MATERIALS_MAX];

    // derived from the state, always up to date
    float* bank_top; // [columns] m
    float* surface;  // [columns] m
    uint8_t* soils;  // [tiles] bit m: material m may be in a loose layer of the tile
    int awake;       // tiles

    // the books, tile by tile (terrain_audit.c)
    TerrainCount* counted; // [tiles] when it was last counted
    TerrainCount all;      // sum of them
    uint8_t* touched;      // [tiles] something changed since then
    int turn;              // next tile that is counted though nothing changed

    // work of a sweep
    TerrainSlot* slot; // [slot_max]
    int slot_max, slot_count;
    int16_t* slot_of; // [tiles] -1: not in this sweep
    const TerrainSimd* simd;
};

static inline int terrain_tile_of(const Terrain* t, int i, int j)
{
    return j / TERRAIN_TILE * t->tiles_x + i / TERRAIN_TILE;
}

// Height of the loose layer of a column from two sums over its materials.
static inline float terrain_thickness(float full, float squeeze, uint16_t compaction)
{
    return full - squeeze * ((float)compaction * (1.0f / (float)TERRAIN_COMPACT_MAX));
}

// Soil of the k-th stratum of a column.
static inline int terrain_stratum_soil(const Terrain* t, int cell, int k)
{
    return t->state.soil[cell] >> (4 * k) & 15;
}

void terrain_refresh_column(Terrain* terrain, int cell);     // bank_top and surface from the masses
void terrain_refresh_surface(Terrain* terrain, int cell);    // surface alone
void terrain_refresh(Terrain* terrain);                      // all that is derived from the state
void terrain_mark(Terrain* terrain, int cell, uint8_t bits); // on the tiles of the 3 x 3 around it

#endif
