// coupling - where ground, grains and bins meet, under one ledger.
//
// Does:     turn ground into grains (a tool's cut, a failing face) and resting grains into ground;
//           fill and empty bins, small grounds that ride on a moving body; give the grains the
//           ground as a boundary; keep the books over all of them.
// Does not: decide where a tool cuts, know machines, or own the soil and the terrain it joins.
// Units:    SI, +y up; masses in milligrams. Material m is the same soil in terrain, bins and grains.
// Threads:  coupling_step() looks at grains through jobs and changes things on the calling thread.
// Promise:  poured + given by grounds = received by grounds + grains + frozen + crumbs +
//           hauled, per material, always.
//
//     soil_step(soil, jobs);            // grains move
//     coupling_step(coupling, jobs);    // ground <-> grains <-> bins
//     terrain_settle(terrain, jobs);    // slopes slide
#ifndef COUPLING_H
#define COUPLING_H

#include "soil/soil.h"
#include "terrain/terrain.h"

#define COUPLING_BINS_MAX     4
#define COUPLING_CARRIERS_MAX 4
#define COUPLING_FADES_MAX    1024 // grains that became ground a moment ago, for the picture

typedef struct CouplingDef {
    float radius;   // m, of newborn grains: the quality setting, 0.03 to 0.06
    float packing;  // part of its bulk volume that a heap of grains fills
    float slow;     // m/s, slower grains count as resting
    int patience;   // frames at rest until a grain may become ground, at most 40; two thirds of it
                    // when the pool is 60 % full, a third when it is 80 % full
    int reserve;    // free places in the pool; with fewer, the oldest resting grains return
    int births_max; // grains born from failing faces and tipping bins in one step
    int fade;       // frames in which a grain that became ground fades from the picture
} CouplingDef;

typedef struct CouplingLedger {
    TerrainMass poured;                  // put into the world as grains
    TerrainMass grains;                  // flying, rolling, lying
    TerrainMass frozen;                  // riding on carriers
    TerrainMass crumbs;                  // dug, less than a grain
    TerrainMass hauled;                  // carried off the site
    uint64_t refused;                    // mg that stayed loose ground because the pool was full
    uint64_t births, returns, evictions; // of grains: out of ground, into it, before their time
    uint64_t freezes, thaws;             // of grains: onto a carrier, and off it
} CouplingLedger;

// Counted in the last step.
typedef struct CouplingStats {
    int births, returns, evictions;
    int slips;   // columns whose face failed
    int resting; // grains that count as resting
    int buried;  // grains whose centre is below the ground
    int haste;   // 0, 1, 2: how crowded the pool is, and how early grains become ground
} CouplingStats;

// Everything of a column above a height.
typedef struct CouplingCut {
    int cell;
    float height; // m
} CouplingCut;

// What the picture still shows of a grain that became ground: draw it `left` opaque, and the ground
// lower by coupling_fade_rise().
typedef struct CouplingFade {
    Vec3 position; // m
    float radius;  // m
    float left;    // 1 just now .. 0
    int material;
} CouplingFade;

// A body that can hold soil: inside, a floor of length x width with walls around. It lies in the
// body's frame, its middle at the origin, +y out of the open top.
typedef struct CouplingBinDef {
    float length, width; // m, along the body's x and z, inside
    float wall;          // m, height of the walls
    float steel;         // friction of floor and walls
    float cell;          // m, of its ground
} CouplingBinDef;

typedef struct Coupling Coupling;

// Defaults for a grain size.
CouplingDef coupling_def(float radius);

// Adds the ground to the soil's boundaries. NULL when out of memory or no boundary is free. Both
// must outlive the coupling, and have as many materials.
Coupling* coupling_create(const CouplingDef* def, Soil* soil, Terrain* terrain);
void coupling_destroy(Coupling* coupling);
const CouplingDef* coupling_definition(const Coupling* coupling);
const CouplingStats* coupling_stats(const Coupling* coupling);
const CouplingLedger* coupling_ledger(const Coupling* coupling);
int coupling_ground(const Coupling* coupling); // number of the ground among the soil's boundaries

// mg of a newborn grain: it takes as much room in a heap as its mass of loose soil.
uint32_t coupling_grain_mass(const Coupling* coupling, int material);

// A new grain out of nowhere, entered as poured. False when the pool is full.
bool coupling_pour(Coupling* coupling, Vec3 position, Vec3 velocity, int material);

// Turns what lies above the cuts into grains with this velocity; less than a grain waits for the
// next cut. With a full pool it becomes loose soil where it lies. Returns the grains born.
int coupling_dig(Coupling* coupling, const CouplingCut* cuts, int count, Vec3 velocity);

// Takes what lies above a height out of a column and off the site, as if carried away: it leaves
// through the books, entered as hauled. Returns mg.
uint64_t coupling_haul(Coupling* coupling, int cell, float height);

void coupling_step(Coupling* coupling, Jobs* jobs);

// --- bins ----------------------------------------------------------------------------------------

// -1 when there are too many, or out of memory.
int coupling_add_bin(Coupling* coupling, const CouplingBinDef* def, Vec3 position);
int coupling_bins(const Coupling* coupling); // how many there are
// Its boundary: set velocity and spin there, soil_step() moves it. The grains look at it anew.
SoilBoundary* coupling_bin_body(Coupling* coupling, int bin);
// Its owner moves it by soil_drive() from now on, as a driven boundary.
void coupling_bin_drive(Coupling* coupling, int bin);
int coupling_bin_boundary(const Coupling* coupling, int bin);             // its number in the soil
const SoilBoundary* coupling_bin_pose(const Coupling* coupling, int bin); // only to look at
// The soil that lies in it.
Terrain* coupling_bin_ground(Coupling* coupling, int bin);
// Opens or closes the wall at the body's -x end.
void coupling_bin_gate(Coupling* coupling, int bin, bool open);
double coupling_bin_mass(const Coupling* coupling, int bin); // kg, lying in it
// Takes all that lies in it off the site, entered as hauled. Returns mg.
uint64_t coupling_bin_haul(Coupling* coupling, int bin);
// Middle of the mass of the soil that lies in it, in the body's frame, m.
Vec3 coupling_bin_center(const Coupling* coupling, int bin);

// --- carriers ------------------------------------------------------------------------------------

// A body that grains ride on, such as a bucket: when all that lies in a box of its frame has come to
// rest against it, the grains leave the solver and move with the body. They come back when the
// direction or strength in which things fall changes, or when anything touches them.
typedef struct CouplingCarrierDef {
    int boundary;   // of the soil
    Vec3 low, high; // m, corners of the box
} CouplingCarrierDef;

// -1 when there are too many, or out of memory.
int coupling_add_carrier(Coupling* coupling, const CouplingCarrierDef* def);
int coupling_carrier_grains(const Coupling* coupling, int carrier);  // frozen
double coupling_carrier_mass(const Coupling* coupling, int carrier); // kg, frozen
// Middle of that mass in the body's frame, m.
Vec3 coupling_carrier_center(const Coupling* coupling, int carrier);
// One of them, for the picture: where it is in the world.
typedef struct CouplingRider {
    Vec3 position; // m
    float radius;  // m
    int material;
} CouplingRider;
CouplingRider coupling_carrier_rider(const Coupling* coupling, int carrier, int index);
// About that middle, of the grains as points: xx yy zz xy xz yz, kg m2.
void coupling_carrier_inertia(const Coupling* coupling, int carrier, float out[6]);
// Adds its masses (mg) to those in `out`, per material.
void coupling_carrier_masses(const Coupling* coupling, int carrier, uint64_t* out);
void coupling_carrier_thaw(Coupling* coupling, int carrier);

// --- books, picture, records ---------------------------------------------------------------------

// I1: true when that promise holds by the books. The audit counts every grain and column, the recount
// every grain and the columns in which something changed (terrain_recount).
bool coupling_balanced(const Coupling* coupling);
bool coupling_audit(const Coupling* coupling);
bool coupling_recount(Coupling* coupling);
// Excess of what is there over what was added, per material, mg: 0 unless we have a bug.
int64_t coupling_imbalance(const Coupling* coupling, int material);

// Newest first; returns how many.
int coupling_fades(const Coupling* coupling, CouplingFade* out, int max);
// How much too high the ground is for the picture at this distance from a fading grain, m.
float coupling_fade_rise(const Coupling* coupling, const CouplingFade* fade, float dx, float dz);

// Of soil, ground, bins and books together.
uint64_t coupling_hash(const Coupling* coupling);
size_t coupling_snapshot_size(const Coupling* coupling);
void coupling_snapshot_save(const Coupling* coupling, void* out);
// False when the snapshot is strange, short or altered; nothing has changed then.
bool coupling_snapshot_load(Coupling* coupling, const void* in, size_t size);

#endif
