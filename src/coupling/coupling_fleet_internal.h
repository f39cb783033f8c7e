// coupling_fleet_internal - what the files of the fleet share; nobody else includes it.
#ifndef COUPLING_FLEET_INTERNAL_H
#define COUPLING_FLEET_INTERNAL_H

#include "coupling/coupling_fee.h"
#include "coupling/coupling_fleet.h"
#include "coupling/coupling_internal.h"
#include "coupling/coupling_steel.h"

#define COUPLING_GROUPS      4  // of strips, each with a row of its own
#define COUPLING_STRIPS      12 // across an edge
#define COUPLING_PROFILE_MAX (MACHINE_OUTLINE_MAX + 4)
#define COUPLING_SUPPORTS    24 // places of a tool that may press on the ground
#define COUPLING_LOADS       64 // grains squeezed in one frame

// What a machine needs to know of one kind of ground.
typedef struct CouplingSoilGround {
    CouplingFeeTable fee;
    float friction;                // of steel sliding on it
    float cohesion;                // Pa, bank
    float stiff_bank, stiff_loose; // Pa/m, pressure per sinkage
    float bears_bank, bears_loose; // Pa
} CouplingSoilGround;

// A force that the ground may set against a tool until it gives way.
typedef struct CouplingResist {
    Vec3 local;     // m, where, in the body's frame
    Vec3 direction; // unit, world: of the force on the tool
    float bound;    // N
    float friction; // with a normal force: its Coulomb friction across; else 0
    bool support;   // ground below the shell, not a cut
    int row, slide; // of this part; -1: none
} CouplingResist;

typedef struct CouplingTool {
    const MachineTool* def;
    int body;
    Vec3 edge;          // m, middle of the edge (with teeth: between lip and tips)
    Vec3 floor, normal; // unit, along the floor plate outwards; up out of it
    float half;         // m, half its width
    float lead;         // m, how far ahead of the edge soil is loosened
    float thickness;    // m, of the shell
    float profile[2 * COUPLING_PROFILE_MAX]; // m, closed: what is inside is taken in
    int points;                              // of the profile
    int shell_points;                        // of which the first so many are the shell's
    bool turned;                            // the shell runs so that its inner side is on the right
    Vec3 support[COUPLING_SUPPORTS];        // m
    Vec3 support_normal[COUPLING_SUPPORTS]; // unit, into the tool
    float support_area[COUPLING_SUPPORTS];  // m2
    int support_count;
    float cheek;    // m, thickness of its side plates together; 0: none
    int carrier;    // -1: nothing rides on it
    int frozen;     // grains whose weight the machine was told of
    Vec3 cut_at[3]; // m, where its corners were when it last took ground in
    CouplingResist resist[MACHINE_ROWS_MAX / 2];
    int resist_count;
    double felt[2]; // N s in this frame: resistance, support
    double grains;  // N s
    Vec3 push;      // N s in this frame, of grains on the tool's body
    Vec3 pushed;    // N, the same as a force, smoothed over frames
    CouplingToolState state;
} CouplingTool;

typedef struct CouplingRig {
    Machine* machine;
    const MachineDef* def;
    int boundary[MACHINE_BODIES_MAX]; // of the soil; -1: grains do not meet this body
    CouplingSteel steel[MACHINE_BODIES_MAX];
    CouplingTool tool[MACHINE_TOOLS_MAX];
    int bin[COUPLING_BINS_MAX];                // number in coupling of each of the machine's bins
    uint64_t bin_transfers[COUPLING_BINS_MAX]; // when its weight was told
} CouplingRig;

typedef struct CouplingPress {
    int cell;
    float pressure; // Pa
} CouplingPress;

#define COUPLING_PRESSES 512

struct CouplingFleet {
    Coupling* coupling;
    CouplingSoilGround ground[TERRAIN_MATERIALS_MAX];
    float steel_friction[TERRAIN_MATERIALS_MAX];
    int material_count;
    MachineGround below;
    CouplingRig rig[COUPLING_FLEET_MAX];
    int rig_count;
    int plates; // slots of the grains' memory in use
    CouplingPress press[COUPLING_PRESSES];
    int press_count;
    int* squeezed; // [capacity]
    CouplingCut* cut;
    int cut_max;
    CouplingFleetStats stats;
};

// --- coupling_ground_below: the terrain as machines feel it --------------------------------------

void coupling_below_materials(CouplingFleet* fleet, const Material* const* materials);
bool coupling_below_contact(const void* context, Vec3 point, float reach, MachineContact* out);
void coupling_below_press(void* context, Vec3 point, Vec3 normal, float force, float area);
void coupling_below_settle(CouplingFleet* fleet);

// Soil of a column between two heights, as the equation sees it.
typedef struct CouplingMix {
    int material;   // of most of it
    float density;  // kg/m3
    float cohesion; // Pa
    float bears;    // Pa
} CouplingMix;
CouplingMix coupling_below_mix(const CouplingFleet* fleet, int cell, float low);

// --- coupling_tool -------------------------------------------------------------------------------

void coupling_tool_make(CouplingFleet* fleet, CouplingRig* rig, int tool);
// Takes in what is inside of it, and works out what the ground sets against it in this frame.
void coupling_tool_cut(CouplingFleet* fleet, CouplingRig* rig, CouplingTool* tool);
void coupling_tool_resist(CouplingFleet* fleet, CouplingRig* rig, CouplingTool* tool);

// --- a birthplace inside a tool ------------------------------------------------------------------

typedef struct CouplingToolFit {
    const CouplingTool* tool;
    Vec3 position; // m, of the body
    Quat rotation;
    float radius; // m
} CouplingToolFit;
Vec3 coupling_tool_fit(const void* context, Vec3 at);

#endif
