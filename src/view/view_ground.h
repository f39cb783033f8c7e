// view_ground - the ground as the picture needs it: heights and looks of all columns.
//
// Does:     follow a terrain, tile by tile, and number every change of a tile, so that a copy of
//           any age can be brought up to date; remember what was cut lately, where grass was hurt
//           and where something heavy stood; lower the ground under grains that fade into it.
// Does not: draw, or change anything in the simulation.
// Units:    m; looks are 0..255.
// Threads:  one owner per ViewGround; view_ground_copy() is how it gets to another thread.
#ifndef VIEW_GROUND_H
#define VIEW_GROUND_H

#include "coupling/coupling.h"
#include "view/view_soil.h"

#include <stddef.h>

#define VIEW_TILE         TERRAIN_TILE // columns
#define VIEW_TILE_COLUMNS (VIEW_TILE * VIEW_TILE)

// What is to be seen of a column besides its height.
typedef struct ViewColumn {
    uint8_t loose; // 0 bank .. 255: at least a hand's breadth of loose soil
    uint8_t fresh; // 255 just cut or dumped, dark and moist .. 0 dry
    uint8_t grass; // 255 meadow .. 0 bare
    uint8_t press; // upper half: 15 flattened by tracks .. 0; lower half: their way, 16ths of pi
} ViewColumn;

#define VIEW_LAYER_STEP 0.01f // m

// Bank soils of a column from the bottom up, as the site was made: what a cut lays bare.
typedef struct ViewLayers {
    uint16_t top[3]; // of the lower three, VIEW_LAYER_STEP above the ground's layer_low
    uint16_t kind;   // of four, the lowest in bits 0..3
} ViewLayers;

// The way in: it leaves the site at a gate in its border. Width 0: there is none.
typedef struct ViewRoad {
    float gate[2], way[2]; // x, z: m; unit, outwards
    float width;           // m
} ViewRoad;

typedef struct ViewGround {
    int nx, nz;           // columns
    int tiles_x, tiles_z; // of VIEW_TILE columns
    float cell;           // m
    Vec3 origin;          // m, corner of column (0, 0)
    float* height;        // [nz][nx] m
    uint8_t* kind;        // [nz][nx] material on top, VIEW_ROCK for bare rock
    ViewColumn* column;   // [nz][nx]
    float *low, *high;    // [tiles] m
    uint32_t* stamp;      // [tiles] another number after every change
    uint32_t changes;     // all tiles together
    ViewSoil soil[VIEW_SOILS];
    const ViewLayers* layers; // [nz][nx], the track's, which outlives all copies; NULL: not known
    float layer_low;          // m
    ViewRoad road;
} ViewGround;

// False when out of memory; the ground is then empty and safe to free.
bool view_ground_init(ViewGround* ground, int nx, int nz, float cell, Vec3 origin);
void view_ground_free(ViewGround* ground);
// Brings `to`, of the same size, up to date; returns how many tiles were copied.
int view_ground_copy(ViewGround* to, const ViewGround* from);
// A tile was written by hand: new limits of height, new stamp.
void view_ground_touched(ViewGround* ground, int tile);

float view_ground_height(const ViewGround* ground, float x, float z); // bilinear, m
// Normal (x, z as 128 + 127 n), openness to the sky (0..255) and roughness of all columns of a tile.
void view_ground_shape(const ViewGround* ground, int tile, uint8_t out[VIEW_TILE_COLUMNS][4]);

// Value noise 0..1 with waves of about `wave` m; the same place has always the same.
float view_ground_noise(float x, float z, float wave, uint32_t seed);

// What keeps a ViewGround in step with a terrain.
typedef struct ViewGroundTrack ViewGroundTrack;
// soil[] are the looks of the terrain's materials. NULL when out of memory.
ViewGroundTrack* view_ground_track(const Terrain* terrain, const ViewSoil* soil);
void view_ground_untrack(ViewGroundTrack* track);
const ViewGround* view_ground_of(const ViewGroundTrack* track);
// After every step of the simulation: tiles that are awake at once, the others within 8 steps.
// coupling may be NULL.
void view_ground_follow(ViewGroundTrack* track, const Terrain* terrain, const Coupling* coupling);
// All tiles, after a jump in time.
void view_ground_follow_all(ViewGroundTrack* track, const Terrain* terrain);
// Something heavy stood on a patch of length x width m around (x, z), turned by heading (rad).
void view_ground_press(ViewGroundTrack* track, float x, float z, float heading, float length,
                       float width, float amount);
// Before the work began somebody walked and drove here: within `reach` of the line from a to b (x, z; m) grass
// is worn off, with a ragged rim.
void view_ground_wear(ViewGroundTrack* track, const float a[2], const float b[2], float reach);
void view_ground_lead_in(ViewGroundTrack* track, const ViewRoad* road);

#endif
