// soil - loose material as spheres without rotation, solved with position-based contacts.
//
// Does:     own the grains, find neighbours, solve contacts among grains and against boundaries
//           (spring-damper, Coulomb friction, adhesion), report the force on every boundary.
// Does not: know terrain cells, the machine, scoring or drawing; a boundary is a surface, no more.
// Units:    SI, +y up; mass is kept in integer milligrams.
// Threads:  soil_step() fans out through jobs; everything else belongs to the simulation thread.
// Method:   Holz, "Parallel Particles (P^2)", 2014, and mass splitting after Tonge et al., 2012,
//           with impulses that are remembered from substep to substep; see docs/solver.md.
#ifndef SOIL_H
#define SOIL_H

#include "base/base_math.h"
#include "jobs/jobs.h"

#include <stddef.h>

#define SOIL_MATERIALS_MAX  8  // in one scene: a table of them fits one AVX2 register
#define SOIL_BOUNDARIES_MAX 32 // planes, boxes and functions in one scene
#define SOIL_CONTACTS_MAX   32 // neighbours of one grain; further ones are refused on both sides
#define SOIL_SURFACES_MAX   6  // boundary contacts of one grain
#define SOIL_GRAIN_MASS_MAX 4000000000u // mg, so that a mass fits 32 bits

typedef enum SoilKernel {
    SOIL_KERNEL_SPLIT, // mass splitting with stored impulses: the trainer's default
    SOIL_KERNEL_P2,    // the paper to the letter: averaged Jacobi projections
    SOIL_KERNEL_GS,    // sequential Gauss-Seidel projections, the paper's yardstick
    SOIL_KERNEL_COUNT,
} SoilKernel;

// Contact law of one material against itself. Contacts between two materials take the geometric
// mean of each value; against a boundary, k and c are the grain's and the rest the surface's.
typedef struct SoilMaterial {
    float stiffness;        // k, N/m, > 0
    float damping;          // c, N s/m, >= 0
    float friction_static;  // mu_s
    float friction_kinetic; // mu_k, <= mu_s
    float adhesion;         // a, Pa
} SoilMaterial;

// Loaded or filled in once, const afterwards.
typedef struct SoilDef {
    int capacity;     // grains
    float radius_max; // m, sets the width of a grid cell
    Vec3 gravity;     // m/s2
    float dt;         // s, one frame
    SoilKernel kernel;
    int substeps;          // per frame, >= 1
    int iterations;        // sweeps per substep, >= 1
    float error_reduction; // epsilon of Eq. 37, 0..1; p2 only
    float stride;          // largest diameters that a grain may move between two looks, split only
    float sleep_distance;  // m per substep below which a grain is held; p2 and gs only, 0 = off
    int material_count;
    SoilMaterial material[SOIL_MATERIALS_MAX];
} SoilDef;

// What a boundary answers when a grain asks.
typedef struct SoilSurface {
    Vec3 point;    // m, on the surface
    Vec3 normal;   // unit, out of the solid
    Vec3 velocity; // m/s, of the surface at that point
    float friction_static;
    float friction_kinetic;
    float adhesion;   // Pa
    uint32_t feature; // tells this contact from the boundary's other contacts with the same grain
} SoilSurface;

// The grain that asks. Its memory, 64 bits, is 0 at birth and travels with it; who uses which of the
// bits is for the boundaries' functions to agree on.
typedef struct SoilGrain {
    Vec3 center;  // m
    float radius; // m
    int material;
    uint64_t* memory;
    Vec3 velocity; // m/s
    float until;   // s, to the next look
} SoilGrain;

// Surfaces within `reach` (m) of a grain's skin, at most `max`; returns how many. Called from
// several threads at once, so it must only read, but for the grain's own memory.
typedef int (*SoilSurfaceFn)(const void* context, const SoilGrain* grain, float reach,
                             SoilSurface* out, int max);

// A grain of `radius` went straight from `from` to `to`, both as seen from the boundary, since the last
// look. False when its way was free; else `held` is where it is put: the boundary's function must then
// find the way from `from` to there free. Called from several threads at once.
typedef bool (*SoilHoldFn)(const void* context, Vec3 from, Vec3 to, float radius, Vec3* held);

typedef enum SoilShape {
    SOIL_SHAPE_NONE,
    SOIL_SHAPE_PLANE,    // half space below `position` with outward normal = rotated +y
    SOIL_SHAPE_BOX,      // solid box around `position` with `half` extents
    SOIL_SHAPE_FUNCTION, // height field, steel shell: whatever `surface` says
} SoilShape;

// A boundary moves as told (position and velocities are prescribed) and weighs infinitely much. One
// that is driven may be told anew with soil_drive() before each part of a frame.
typedef struct SoilBoundary {
    SoilShape shape;
    Vec3 position; // m; moved by soil_step() with velocity and spin
    Quat rotation;
    Vec3 half;     // m, box only
    Vec3 velocity; // m/s
    Vec3 spin;     // rad/s
    float friction_static;
    float friction_kinetic;
    float adhesion; // Pa
    bool driven;
    float extent; // m, driven or holding: no point of it is further from its position
    SoilSurfaceFn surface;
    SoilHoldFn hold; // NULL: contacts alone keep grains out; else `extent` counts
    const void* context;
} SoilBoundary;

// What the soil did to a boundary in the last frame, averaged over the frame.
typedef struct SoilReaction {
    double force[3];  // N
    double torque[3]; // N m, about the boundary's position
    double point[3];  // m, centre of pressure; the boundary's position where nothing touches
    int contacts;     // loaded contacts at the last substep
} SoilReaction;

// All that must be saved. Grains are sorted by (cell, id) whenever the neighbour list is rebuilt.
typedef struct SoilState {
    int count;           // grains in the arrays, dead ones (mass 0) included until the next step
    int dead;            // removed since the last step
    uint32_t next_id;    // never used before
    uint64_t frame;      // frames since creation
    uint64_t mass_mg;    // sum over living grains, exact
    float *px, *py, *pz; // [capacity] m
    float *vx, *vy, *vz; // [capacity] m/s
    float* radius;       // [capacity] m
    uint32_t* mass;      // [capacity] mg, 0 = removed
    uint32_t* id;        // [capacity] fixed for life, breaks ties
    uint8_t* material;   // [capacity] index into def.material
    uint8_t* contacts;   // [capacity] contacts counted in the last sweep (split)
    uint64_t* memory;    // [capacity] of the boundaries' functions
    uint8_t* rest; // [capacity] the caller's own, 0 at birth: travels with the grain, is saved,
                   // and is no part of soil_hash(), for no step depends on it
} SoilState;

typedef enum SoilPhase {
    SOIL_PHASE_PREDICT,
    SOIL_PHASE_SORT,
    SOIL_PHASE_LIST,
    SOIL_PHASE_COLLIDE,
    SOIL_PHASE_SOLVE,
    SOIL_PHASE_FINISH,
    SOIL_PHASE_COUNT,
} SoilPhase;

// Counted in the last frame; nothing here feeds back into the simulation.
typedef struct SoilStats {
    double seconds[SOIL_PHASE_COUNT]; // wall time
    int list_builds;                  // 0 when the list of an earlier frame still held
    int64_t slots;                    // directed neighbour slots in the list, padding excluded
    int64_t lanes;                    // the same with padding: what the kernels work through
    int64_t evaluations;              // slots times sweeps, summed over the frame
    int64_t surface_slots;            // boundary contacts in the list
    int64_t refused;                  // directed slots refused because a grain's list was full
    int64_t held;                     // grains put back whose way went through a boundary
} SoilStats;

typedef struct Soil Soil;

const char* soil_kernel_name(SoilKernel kernel);
bool soil_kernel_from_name(const char* name, SoilKernel* kernel);
const char* soil_phase_name(SoilPhase phase);

// Defaults of the trainer for one kernel: 60 Hz, its recommended substeps (more for small grains)
// and iterations, gravity, one material. The caller changes what it wants, then creates.
SoilDef soil_def(SoilKernel kernel, int capacity, float radius_max);

// NULL when out of memory. The definition is copied.
Soil* soil_create(const SoilDef* def);
void soil_destroy(Soil* soil);

const SoilDef* soil_definition(const Soil* soil);
const SoilState* soil_state(const Soil* soil);
const SoilStats* soil_stats(const Soil* soil);

// The arrays may be edited between steps (positions, velocities) through this; tell the solver
// with soil_touch() so that it looks for neighbours anew.
SoilState* soil_edit(Soil* soil);
void soil_touch(Soil* soil);

// False when the pool is full or the radius exceeds radius_max: the caller keeps the mass.
bool soil_spawn(Soil* soil, Vec3 pos, Vec3 vel, float radius, uint32_t mass_mg, int material);

// Takes grain `index` out and returns its mass in mg. Indices stay valid until the next step.
uint32_t soil_remove(Soil* soil, int index);

// What a contact of a grain pushes with, as the split kernel stores it; only loaded ones.
typedef struct SoilImpulse {
    int other;    // index of the other grain; -1: a boundary's surface
    uint32_t key; // of the surface: boundary << 24 | feature
    Vec3 impulse; // kg m/s, on the grain
} SoilImpulse;
#define SOIL_IMPULSES_MAX (SOIL_CONTACTS_MAX + SOIL_SURFACES_MAX)

// After a step: those of one grain, at most SOIL_IMPULSES_MAX; returns how many.
int soil_impulses(const Soil* soil, int index, SoilImpulse* out);

// Grains that come back into the soil may bring impulses along: when a newborn grain meets another one
// (`other` is its id) or a surface (`other` is its key) for the first time, this is asked. It must give
// opposite answers to both grains of a pair. Called from several threads at once.
typedef bool (*SoilRecallFn)(const void* context, uint32_t id, uint32_t other, bool surface,
                             Vec3* impulse);
void soil_set_recall(Soil* soil, SoilRecallFn recall, const void* context);

// -1 when the table is full. Boundaries are numbered from 0 in order of their creation.
int soil_add_boundary(Soil* soil, const SoilBoundary* boundary);
SoilBoundary* soil_boundary(Soil* soil, int index);
const SoilBoundary* soil_pose(const Soil* soil, int index); // only to look at
const SoilReaction* soil_reaction(const Soil* soil, int index);

// A plane through `point` with unit `normal`, and a box, with friction mu and no adhesion.
SoilBoundary soil_plane(Vec3 point, Vec3 normal, float friction);
SoilBoundary soil_box(Vec3 center, Vec3 half, float friction);

// One frame of def.dt seconds.
void soil_step(Soil* soil, Jobs* jobs);

// Grains that driven boundaries press with more than `force` (N) after a step, in order of their
// index; at most `max`. Returns how many.
int soil_pressed(const Soil* soil, float force, int* out, int max);

// The same in parts of a few substeps each, so that bodies which the grains push can answer within
// the frame. Only the split kernel can be stopped on its way; the others do all in the first part.
//
//     soil_begin(soil, jobs, parts);
//     for (int part = 0; part < parts; ++part) {
//         soil_drive(soil, bucket, position, rotation, velocity, spin);
//         soil_part(soil, jobs);
//         ... soil_part_reaction(soil, bucket) ...
//     }
//     soil_end(soil);
void soil_begin(Soil* soil, Jobs* jobs, int parts);
// The fewest parts of which none is longer than dt / least: a part is a whole number of substeps.
int soil_parts(const Soil* soil, int least);
double soil_part_seconds(const Soil* soil); // s, of the part to come
void soil_part(Soil* soil, Jobs* jobs);
void soil_end(Soil* soil);
// Between parts: are the grains' places those of now? In the midst of an interval they are of its start.
bool soil_placed(const Soil* soil);

// Where a driven boundary is now and how it will move until it is told anew.
void soil_drive(Soil* soil, int boundary, Vec3 position, Quat rotation, Vec3 velocity, Vec3 spin);
// What the soil did to a boundary in the last part, averaged over it; torque about where the
// boundary was at the part's start.
const SoilReaction* soil_part_reaction(const Soil* soil, int boundary);

// I2: grain with a position or speed that is not finite or absurd (|x| >= 1e4 m, |v| >= 50 m/s), or
// -1. Looks at bits, so that no compiler flag can hide a NaN.
int soil_find_bad(const Soil* soil);

// Everything that the next steps depend on, and nothing else.
uint64_t soil_hash(const Soil* soil);
size_t soil_snapshot_size(const Soil* soil);
void soil_snapshot_save(const Soil* soil, void* out);
// False when the snapshot is of another definition or version, short or altered; the soil is then
// unchanged. False, too, when it was forged, with right hashes and numbers that nobody saves; then no
// grain is left.
bool soil_snapshot_load(Soil* soil, const void* in, size_t size);

// Overlap between grains now, over all touching pairs, in units of the pair's mean diameter.
typedef struct SoilOverlap {
    int64_t contacts;
    double mean_d;
    double max_d;
} SoilOverlap;
SoilOverlap soil_overlap(Soil* soil, Jobs* jobs);

// Choose the instruction set by hand ("sse2", "avx2"), for tests of equal bits; false when this
// CPU cannot. The default is the best there is.
bool soil_use_isa(Soil* soil, const char* name);
const char* soil_isa(const Soil* soil);

#endif
