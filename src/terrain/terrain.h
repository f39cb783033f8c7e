// terrain - the ground while it lies still or slides: columns of soil on a square grid.
//
// Does:     keep bank soil in strata and loose soil on top of it, per material and in integer
//           milligrams; dig, deposit, compact; let loose slopes slide to their angle of repose and
//           tell which bank faces are too high to stand; answer height, contact and ray queries.
// Does not: know grains, machines or files. What is dug is handed out as masses, and the caller
//           makes of it what it wants.
// Units:    SI, +y up, angles in radians; masses in milligrams. Column (i, j) covers
//           x in origin.x + [i, i + 1] cell and z in origin.z + [j, j + 1] cell, number j nx + i.
// Threads:  terrain_settle() fans out through jobs; queries only read, so many threads may ask at
//           once; everything else belongs to the simulation thread.
// Method:   docs/terrain.md.
#ifndef TERRAIN_H
#define TERRAIN_H

#include "base/base_math.h"
#include "jobs/jobs.h"

#include <stddef.h>
#include <stdint.h>

#define TERRAIN_MATERIALS_MAX 8
#define TERRAIN_STRATA_MAX    4           // of bank soil in one column
#define TERRAIN_LAYER_MAX     4294967295u // mg in one stratum, and in the loose layer of a column
#define TERRAIN_TILE          16          // columns; what wakes and sleeps together
#define TERRAIN_SIDE_MAX      8192        // columns along one side of a site
#define TERRAIN_CELL_MAX      0.5f        // m; wider columns could outgrow TERRAIN_LAYER_MAX

// Filled in by terrain_material(), then free to be changed.
typedef struct TerrainMaterial {
    float density_bank, density_loose; // kg/m3
    float friction;                    // rad, internal, of bank soil
    float cohesion;                    // Pa, of bank soil
    float repose;                      // rad, where a moving slope stops
    float start;                       // rad, >= repose, where a resting slope begins to move
} TerrainMaterial;

typedef struct TerrainDef {
    int nx, nz;    // columns along x and z
    float cell;    // m, side of a column
    Vec3 origin;   // m, corner of column (0, 0); y is where columns begin
    bool walled;   // nothing leaves over the edge: a bin, not a site
    float gravity; // m/s2, > 0
    int material_count;
    TerrainMaterial material[TERRAIN_MATERIALS_MAX];
} TerrainDef;

// Masses of one kind of soil after another, mg.
typedef struct TerrainMass {
    uint64_t of[TERRAIN_MATERIALS_MAX];
} TerrainMass;

// Where every milligram is: bank + loose + off_site + given = added + received, per material.
typedef struct TerrainLedger {
    TerrainMass bank, loose; // in the columns
    TerrainMass off_site;    // slid or was thrown over the edge
    TerrainMass given;       // dug, and handed to the caller
    TerrainMass added;       // laid or put there when the site was made
    TerrainMass received;    // deposited by the caller
    uint64_t transfers;      // moves of mass between two accounts or two columns so far
} TerrainLedger;

// All that must be saved. Planes are [nz][nx].
typedef struct TerrainState {
    uint64_t step;
    uint32_t* bank[TERRAIN_STRATA_MAX];     // mg, stratum 0 is the lowest; empty ones are 0
    uint16_t* soil;                         // material of stratum k in bits 4k .. 4k + 3
    uint32_t* loose[TERRAIN_MATERIALS_MAX]; // mg, [material_count] planes
    float* base;                            // m, bedrock: where the lowest stratum begins
    uint16_t* compaction;                   // of the loose layer, 0 loose .. 65535 bank density
    uint8_t* moving;                        // sweeps until a column that slid counts as resting
    uint8_t* tile;                          // [tiles] what sleeps is 0
    int cursor;                             // tile where the next sweep begins its round
    TerrainLedger ledger;
} TerrainState;

// Counted in the last terrain_settle(); nothing here feeds back into the simulation.
typedef struct TerrainStats {
    int tiles;       // awake at the end
    int sweeps;      // made
    int64_t columns; // times sweeps: what was worked through
    int64_t faces;   // between columns, across which soil moved
    int waiting;     // awake tiles that had to wait for a later sweep
} TerrainStats;

typedef struct Terrain Terrain;

// A material with start angle as found from its residual cohesion; see docs/terrain.md.
TerrainMaterial terrain_material(float density_bank, float density_loose, float friction,
                                 float cohesion, float repose);
// An empty definition of nx x nz columns of 0.1 m.
TerrainDef terrain_def(int nx, int nz);

// NULL when out of memory. The definition is copied; a senseless one is our bug: asserts.
Terrain* terrain_create(const TerrainDef* def);
void terrain_destroy(Terrain* terrain);
const TerrainDef* terrain_definition(const Terrain* terrain);
const TerrainState* terrain_state(const Terrain* terrain);
const TerrainStats* terrain_stats(const Terrain* terrain);
size_t terrain_bytes(const Terrain* terrain); // memory that it holds, working memory included

// --- columns -------------------------------------------------------------------------------------

// -1 outside the site.
int terrain_cell(const Terrain* terrain, int i, int j);
int terrain_cell_at(const Terrain* terrain, float x, float z);
Vec3 terrain_center(const Terrain* terrain, int cell); // m, on the surface

float terrain_surface(const Terrain* terrain, int cell);  // m, top of the column
float terrain_bank_top(const Terrain* terrain, int cell); // m, top of its bank soil
uint64_t terrain_loose_mass(const Terrain* terrain, int cell);
uint64_t terrain_bank_mass(const Terrain* terrain, int cell);
int terrain_top_material(const Terrain* terrain, int cell); // -1 on bare rock
// mg of loose (or bank) soil of this material in so many cubic metres.
double terrain_loose_mg(const Terrain* terrain, int material, double volume);
double terrain_bank_mg(const Terrain* terrain, int material, double volume);

// --- making and changing the ground --------------------------------------------------------------

void terrain_set_base(Terrain* terrain, int cell, float height); // before anything is laid
// Bank soil on top of the strata that are there; same material as the top one thickens it. False,
// and nothing is laid, when the column has no room for it or carries loose soil.
bool terrain_lay(Terrain* terrain, int cell, int material, uint32_t mg);
// The same by thickness, m.
bool terrain_lay_depth(Terrain* terrain, int cell, int material, float depth);

typedef struct TerrainDug {
    TerrainMass loose, bank; // mg
    uint64_t total;          // mg
} TerrainDug;

// Takes what lies above `height` out of a column, loose soil first, then the strata from the top,
// and hands it to the caller. Never below bedrock.
TerrainDug terrain_dig(Terrain* terrain, int cell, float height);
// The same for at most `mg` of mass.
TerrainDug terrain_dig_mass(Terrain* terrain, int cell, uint64_t mg);
// Bank soil above `height` becomes loose where it is, and swells. Returns its mass.
uint64_t terrain_loosen(Terrain* terrain, int cell, float height);

// Loose soil onto a column: `received` from the caller, or `added` to the site. False when the
// column has no room; nothing happened then.
bool terrain_deposit(Terrain* terrain, int cell, int material, uint32_t mg);
bool terrain_add_loose(Terrain* terrain, int cell, int material, uint32_t mg);
// Spread over a round patch, heavier in the middle; what falls outside goes off-site, unless there is
// a wall. To the milligram. Returns what found no room in its columns; the caller keeps that.
uint32_t terrain_deposit_around(Terrain* terrain, float x, float z, float radius, int material,
                                uint32_t mg);
// Soil that left the site in the caller's hands: received, and off-site at once.
void terrain_discard(Terrain* terrain, int material, uint64_t mg);

// Presses the loose layer: its density follows the largest pressure (Pa) it has seen.
void terrain_compact(Terrain* terrain, int cell, float pressure);
// Fraction of the way from loose to bank density that a pressure leaves behind, 0..1.
float terrain_compaction(float pressure);

// Looks at a column and its neighbours again in the next step.
void terrain_wake(Terrain* terrain, int cell);
// A material is as strong as this from now on, as after rain; its mass and volume stay. What stands too
// steep by it moves when something wakes it.
void terrain_weather(Terrain* terrain, int material, float friction, float cohesion, float repose);

// --- time ----------------------------------------------------------------------------------------

// One step: some sweeps over what is awake, fewer the more there is.
void terrain_settle(Terrain* terrain, Jobs* jobs);
// The same on a floor that leans: the ground of a bin (walled, base at the origin's height) slides as
// if every column stood higher by rise_x x + rise_z z. With `wake`, all of it is looked at.
void terrain_settle_leaning(Terrain* terrain, Jobs* jobs, float rise_x, float rise_z, bool wake);
// One sweep, for experiments.
void terrain_sweep(Terrain* terrain, Jobs* jobs);
bool terrain_still(const Terrain* terrain);

// A piece of a bank face that fails: everything of `cell` above `height`.
typedef struct TerrainSlip {
    int cell;
    float height; // m
} TerrainSlip;

// Height up to which a face of inclination beta (rad) stands in this material, m; Culmann.
// Infinite for slopes flatter than the friction angle.
float terrain_face_height(const TerrainDef* def, int material, float beta);
// The failing pieces among the columns whose bank changed since they were looked at last, at most
// `max`; returns how many. What did not fit is found again by the next call. Columns may occur
// more than once, with different heights.
int terrain_slips(Terrain* terrain, TerrainSlip* out, int max);
// For callers without grains: the failing pieces become loose soil where they are. Returns mg.
uint64_t terrain_collapse(Terrain* terrain);

// --- queries -------------------------------------------------------------------------------------

float terrain_height(const Terrain* terrain, float x, float z); // bilinear, m
Vec3 terrain_normal(const Terrain* terrain, float x, float z);  // unit, upwards

typedef struct TerrainContact {
    Vec3 point;  // m, on the surface
    Vec3 normal; // unit
    float friction;
    int material; // -1 on bare rock
    int cell;
} TerrainContact;

// The ground nearest to a point, when within `reach` of it or above it. Outside the site the
// ground goes on as at its edge.
bool terrain_contact(const Terrain* terrain, Vec3 point, float reach, TerrainContact* out);
// First hit of a ray with a unit direction within `length`; false when there is none.
bool terrain_raycast(const Terrain* terrain, Vec3 from, Vec3 direction, float length,
                     TerrainContact* out);

// --- books and records ---------------------------------------------------------------------------

// I1: true when the incremental ledger balances. The audit also counts every column. The recount counts
// only where something changed since the last one, and a few tiles more in turn: for every second.
bool terrain_balanced(const Terrain* terrain);
bool terrain_audit(const Terrain* terrain);
bool terrain_recount(Terrain* terrain);
// Column that breaks I4: a slope steeper than its limit where nothing is awake; -1 when all is well.
int terrain_find_steep(const Terrain* terrain);

// Everything that the next steps depend on, and nothing else.
uint64_t terrain_hash(const Terrain* terrain);
size_t terrain_snapshot_size(const Terrain* terrain);
void terrain_snapshot_save(const Terrain* terrain, void* out);
// False when the snapshot is of another definition or version, short or altered; the terrain is
// then unchanged.
bool terrain_snapshot_load(Terrain* terrain, const void* in, size_t size);

// Choose the instruction set by hand ("sse2", "avx2"), for tests of equal bits; false when this
// CPU cannot. The default is the best there is.
bool terrain_use_isa(Terrain* terrain, const char* name);

#endif
