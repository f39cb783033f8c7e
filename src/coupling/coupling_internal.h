// coupling_internal - what the files of src/coupling share; nobody else includes it.
#ifndef COUPLING_INTERNAL_H
#define COUPLING_INTERNAL_H

#include "coupling/coupling.h"

#define COUPLING_BLOCK 256 // grains per job

// A grain whose centre is closer to the ground than so many radii lies on it.
#define COUPLING_TOUCH 1.4f
// The same over a column where others became ground in this step: layers have gaps.
#define COUPLING_STACK 2.6f
// Layers of grains that become ground in one step.
#define COUPLING_LAYERS 40
// Times `slow`: up to this speed a grain merely rocks. A little more than two frames of falling, for
// a grain whose ground gives way by a hair does no more than that.
#define COUPLING_ROCKS 3.6f
// Grains that rest on a slope too steep for the ground wait longer, then the ground slides.
#define COUPLING_STUCK 3
// A deposited grain is spread over so many of its radii.
#define COUPLING_SPREAD 1.5f
// Percent of the pool from which on grains become ground earlier.
#define COUPLING_CROWDED 60
#define COUPLING_PACKED  80
// Frames until crumbs that nobody added to fall back.
#define COUPLING_CRUMBS_WAIT 30

// rad: slopes of ground rest up to 2 degrees above repose, and grains on them shall rest too.
#define COUPLING_STEEPER 0.05f
// Friction of grains on bare rock.
#define COUPLING_ROCK 0.6f

// Slopes whose normals have a larger cosine than that are one slope.
#define COUPLING_FLAT 0.98f
// Radii: a slope so much farther from a grain than the nearest has no say in how the ground leans.
#define COUPLING_BLEND 0.5f

#define COUPLING_MOVES  1u // something moves over this column
#define COUPLING_RAISED 2u // something over it became ground in this step

typedef struct CouplingBin {
    CouplingBinDef def;
    const Coupling* coupling; // whose grains it meets
    Terrain* ground;          // in the body's frame
    const SoilBoundary* body;
    int boundary;
    bool open;          // the wall at -x
    Vec3 velocity_then; // m/s, in the step before
    Vec3 rise;          // slope (x, z) with which its ground was last woken
    int spill_wait;     // frames until more may go over an edge
} CouplingBin;

#define COUPLING_RASTER 24 // cells along the longest side of a carrier's box

// What one frozen grain was pushed with, by another one or by a surface.
typedef struct CouplingImpulse {
    uint32_t other;   // number of the other grain on the carrier; the surface's key
    uint32_t surface; // 0 or 1
    Vec3 impulse;     // kg m/s; in the body's frame while frozen, in the world's when awake
} CouplingImpulse;

#define COUPLING_IMPULSES 10 // per place in the pool: loaded contacts of a frozen grain, on average

// The impulses of a load, kept over the ride: thawed without them it would fall until they have grown
// again, and bounce. After a thaw they are kept until the grains have met.
typedef struct CouplingMemory {
    int grains;             // 0: nothing is remembered
    int count;              // impulses
    bool awake;             // thawed in this step
    uint32_t first_id;      // then: of the first grain, the others follow
    uint32_t* begin;        // [capacity + 1] first impulse of a grain
    uint8_t* contacts;      // [capacity]
    CouplingImpulse* entry; // [COUPLING_IMPULSES * capacity]
} CouplingMemory;

typedef struct CouplingCarrier {
    CouplingCarrierDef def;
    const SoilBoundary* body;
    float reach2;       // m2, square of the box's farthest corner from the body's origin
    Vec3 velocity_then; // m/s, of the box's middle in the step before
    Vec3 falls;         // m/s2, smoothed, in the body's frame: gravity less acceleration
    Vec3 falls_frozen;  // when the load froze
    int calm;           // frames in which all that lies in the box rested
    int count;          // grains frozen
    Vec3* at;           // [capacity] m, in the body's frame
    float* radius;      // [capacity] m
    uint32_t* mass;     // [capacity] mg
    uint8_t* material;  // [capacity]
    CouplingMemory memory;
    // where grains are frozen, one cell wider to all sides than the box
    float cell; // m
    int nx, ny, nz;
    uint8_t* raster; // [nz][ny][nx]
} CouplingCarrier;

struct Coupling {
    CouplingDef def;
    CouplingStats stats;
    CouplingLedger ledger;
    Soil* soil;
    Terrain* terrain;
    int ground;                                   // boundary
    uint32_t grain_mass[TERRAIN_MATERIALS_MAX];   // mg
    float ground_friction[TERRAIN_MATERIALS_MAX]; // of grains on ground
    float cos_holds[TERRAIN_MATERIALS_MAX];       // of the slope on which they may become ground
    float tan_repose[TERRAIN_MATERIALS_MAX];
    uint64_t transfers; // of all grounds, when the grains last looked at them
    uint64_t frame;
    uint64_t births; // numbers the places in a column where grains are born
    int crumbs_cell; // where the last crumb came from
    int crumbs_age;  // frames
    int patience;    // frames, in this step
    CouplingBin bin[COUPLING_BINS_MAX];
    int bin_count;
    CouplingCarrier carrier[COUPLING_CARRIERS_MAX];
    int carrier_count;

    // work of a step
    int* waiting;     // [capacity] resting grains that the ground has not reached
    int* cell;        // [capacity] column of the site over which a grain is, -1 outside
    int* resting;     // [capacity] who could become ground in this step
    uint8_t* busy;    // [columns] COUPLING_MOVES, COUPLING_RAISED; all 0 between steps
    int* block_count; // [blocks][2] resting, buried
    TerrainSlip* slip;
    CouplingCut* cut; // [slip_max]
    int slip_max;

    // for the picture only
    CouplingFade fade[COUPLING_FADES_MAX];
    uint64_t fade_born[COUPLING_FADES_MAX]; // frame
    int fade_next;
};

// Where the grains of a cut come to life, in the frame of the ground they come from.
typedef struct CouplingPlace {
    const SoilBoundary* body; // NULL: the world's frame
    Vec3 shift;               // m, from the column
    float layer;              // m, from one grain to the next above it
    Vec3 velocity;            // m/s, in the world
    // NULL, or where a grain that would be born at this place of the world finds room
    Vec3 (*fit)(const void* context, Vec3 at);
    const void* fit_context;
} CouplingPlace;
int coupling_birth(Coupling* coupling, Terrain* field, const CouplingPlace* place,
                   const CouplingCut* cuts, int count);
// m of loose soil that a grain stands for in a column.
float coupling_layer(const Coupling* coupling, const Terrain* field);
// Takes a grain out of the soil and lays it onto `field` at x, z in that ground's frame.
void coupling_bury(Coupling* coupling, Terrain* field, int grain, float x, float z);

int coupling_ground_surface(const void* context, const SoilGrain* grain, float reach,
                            SoilSurface* out, int max);
// Grain within the bin's walls? Then `local` is where, and `velocity` how fast, in its frame.
bool coupling_bin_holds(const CouplingBin* bin, Vec3 position, Vec3 velocity, Vec3* local,
                        Vec3* relative);
// Direction in which things fall in the bin's frame, unit.
Vec3 coupling_bin_down(const Coupling* coupling, const CouplingBin* bin);
void coupling_bins_step(Coupling* coupling, Jobs* jobs);

// The carrier in whose box a grain is; -1 in none. `relative` is its velocity against the body.
int coupling_which_carrier(const Coupling* coupling, Vec3 position, Vec3 velocity, Vec3* local,
                           Vec3* relative);
// In a carrier's box, and held by its steel rather than by the ground.
bool coupling_rides(const Coupling* coupling, Vec3 position, float radius);
int coupling_frozen(const Coupling* coupling); // grains, on all carriers
int coupling_free(const Coupling* coupling);   // places in the pool, less those of frozen grains
void coupling_carriers_step(Coupling* coupling);
void coupling_carriers_free(Coupling* coupling);

// coupling_memory: impulses of frozen loads
bool coupling_memory_init(CouplingMemory* memory, int capacity);
void coupling_memory_free(CouplingMemory* memory);
// Of the grains in these rows of the soil, which freeze in this order; `number` is scratch, [capacity].
void coupling_memory_keep(CouplingMemory* memory, const Soil* soil, Quat body, const int* row,
                          int count, int* number);
void coupling_memory_wake(CouplingMemory* memory, Quat body, uint32_t first_id);
bool coupling_memory_recall(const void* coupling, uint32_t id, uint32_t other, bool surface,
                            Vec3* impulse);              // a SoilRecallFn
void coupling_carrier_refresh(CouplingCarrier* carrier); // what follows from its grains

#endif
