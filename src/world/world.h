// world - a site, its soil and its machines, one sixtieth of a second after the other.
//
// Does:     make all of it from files; step it; keep the books; hash it, save it and bring it back;
//           tell what every phase costs; survive numbers that went bad.
// Does not: know lessons, scores, records or windows.
// Units:    SI, +y up; mass in milligrams in the books.
// Threads:  one calling thread; inside, loops fan out through jobs.
#ifndef WORLD_H
#define WORLD_H

#include "coupling/coupling_fleet.h"
#include "input/input.h"
#include "site/site.h"

#define WORLD_RATE 60 // steps in a second
#define WORLD_DT   (1.0 / WORLD_RATE)
// Parts of a step, at least: the rig runs at 240 Hz or finer, in turns with the grains.
#define WORLD_PARTS        4
#define WORLD_MACHINES_MAX COUPLING_FLEET_MAX
#define WORLD_RADIUS_MIN   0.03f // m, of grains
#define WORLD_RADIUS_MAX   0.06f

typedef struct WorldPlace {
    const char* vehicle; // a file
    float x, z;          // m
    float heading;       // rad about +y, 0 looks along +x
} WorldPlace;

// A ground that somebody has made already, such as a lesson's.
typedef struct WorldGround {
    Terrain* terrain; // the world's from now on, also when the world cannot be made
    SiteInfo site;    // its texts and materials must outlive the world
    const MaterialCalibration* calibration;
} WorldGround;

typedef struct WorldDef {
    const WorldGround* ground; // NULL: it is read from
    const char* site;          // files
    const char* materials;     //
    const char* calibration;   //
    float radius;              // m, of grains: the quality setting
    int pool;                  // grains that may live at once
    int births;                // grains that may be born from faces and bins in one step
    WorldPlace machine[WORLD_MACHINES_MAX];
    int machine_count;
} WorldDef;

typedef enum WorldPhase {
    WORLD_PHASE_DRIVE,  // levers to valves
    WORLD_PHASE_CUT,    // ground -> grains at the tools, resistance ahead of them
    WORLD_PHASE_LOOK,   // neighbours and surfaces
    WORLD_PHASE_GRAINS, // contacts
    WORLD_PHASE_RIG,    // machines, with what pushes them
    WORLD_PHASE_GROUND, // grains -> ground, faces, bins, payloads
    WORLD_PHASE_SLOPES, // loose ground slides
    WORLD_PHASE_CHECK,  // books and bad numbers
    WORLD_PHASE_COUNT,
} WorldPhase;

// Of the last step; nothing here feeds back into the simulation.
typedef struct WorldProfile {
    double seconds[WORLD_PHASE_COUNT];
    double total; // s
    int grains, frozen, contacts;
    int births, returns;
    int tiles; // of ground, awake
    int haste; // 0..2: how much earlier than usual grains become ground
} WorldProfile;

// Counted since the world began: what went wrong and was put right.
typedef struct WorldFaults {
    uint32_t bad_grains;     // positions or speeds that were no numbers, or absurd
    uint32_t machine_resets; // steps of a rig that were undone
    uint32_t input;          // lever values that no lever can have
    uint32_t pool_full;      // steps in which soil had to stay loose ground
    uint32_t hasty;          // steps in which grains became ground earlier than usual, to stay few
    uint32_t lost;           // steps after which the books were wrong: 0, unless we have a bug
    uint32_t crowded; // steps in which a grain had more neighbours than its list has room for
} WorldFaults;

typedef struct World World;

// NULL after filling in error->text; an error without text means that memory is short.
World* world_create(const WorldDef* def, int threads, BaseYamlError* error);
void world_destroy(World* world);

// One input for each machine. Never allocates (I10); same inputs, same bits for every number of threads (I9).
void world_step(World* world, const InputFrame* input);

const WorldDef* world_definition(const World* world);
uint64_t world_steps(const World* world);
double world_time(const World* world); // s
const WorldProfile* world_profile(const World* world);
const WorldFaults* world_faults(const World* world);
const char* world_phase_name(WorldPhase phase);

// Its parts, to look at.
Terrain* world_terrain(World* world);
Soil* world_soil(World* world);
Coupling* world_coupling(World* world);
CouplingFleet* world_fleet(World* world);
Machine* world_machine(World* world, int machine);
const MachineDef* world_machine_def(const World* world, int machine);
const SiteInfo* world_site(const World* world);
int world_threads(const World* world);

// Excess over all materials, mg: 0 unless we have a bug. The audit counts every grain and column.
int64_t world_imbalance(const World* world);
bool world_audit(const World* world);

// Everything that the next steps depend on.
typedef struct WorldHash {
    uint64_t total, soil, terrain, coupling, machines;
} WorldHash;
WorldHash world_hash(const World* world);
size_t world_snapshot_size(const World* world);
void world_snapshot_save(const World* world, void* out);
// False when it is of another world, short or altered; the world is then as it was.
bool world_snapshot_load(World* world, const void* in, size_t size);

#endif
