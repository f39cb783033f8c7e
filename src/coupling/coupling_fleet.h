// coupling_fleet - machines among ground and grains.
//
// Does:     give every body of a machine to the grains as steel, and what they push back to the
//           machine, several times a frame; let tools cut: what a tool takes in becomes grains, what
//           lies ahead of its edge resists by the equation of earthmoving; carry the ground under
//           tracks, tools and bellies, and press it; let payloads weigh.
// Does not: move machines (machine_step) or grains (soil_part); decide what an operator wants.
// Units:    SI, +y up; mass in kg where a machine feels it, in mg in the books.
// Threads:  the simulation thread; grains ask the steel from several.
//
//     coupling_fleet_cut(fleet);                     // once a frame: loads, ground -> grains, resistance
//     soil_begin(soil, jobs, parts);
//     for (int part = 0; part < parts; ++part) {
//         coupling_fleet_lead(fleet);                // steel takes its place among the grains
//         soil_part(soil, jobs);
//         coupling_fleet_react(fleet, h);            // grains and ground push the machines
//         for each machine: machine_step(machine, coupling_fleet_ground(fleet), h);
//         coupling_fleet_feel(fleet, h);             // what the cut has cost
//     }
//     soil_end(soil);
//     coupling_fleet_settle(fleet);                  // squeezed grains, ruts, what tools hold
#ifndef COUPLING_FLEET_H
#define COUPLING_FLEET_H

#include "coupling/coupling.h"
#include "machine/machine.h"
#include "material/material.h"

#define COUPLING_FLEET_MAX 6 // machines

typedef struct CouplingFleet CouplingFleet;

// What a tool did and felt; of the last frame where nothing else stands.
typedef struct CouplingToolState {
    float depth;      // m, of the edge below the ground ahead, on average over its width
    float rake;       // rad, floor plate from the ground's line
    float limit;      // N, at which the wedge ahead fails
    float resistance; // N, what ground (not grains) held against the tool
    float support;    // N, what ground under its shell carried
    float grains;     // N, what grains did to the tool's body
    double payload;   // kg in the box where soil counts as carried
    double payload_of[TERRAIN_MATERIALS_MAX]; // kg
    double dug;                               // kg, taken out of the ground since the world began
    int frozen;                               // grains of the payload that ride
} CouplingToolState;

// NULL when out of memory. `materials` by the terrain's numbers; they must outlive it.
CouplingFleet* coupling_fleet_create(Coupling* coupling, const Material* const* materials);
// The same materials with other values: how tools and tracks meet the ground from now on.
void coupling_fleet_weather(CouplingFleet* fleet, const Material* const* materials);
void coupling_fleet_destroy(CouplingFleet* fleet);

// Number of the machine in the fleet; -1 when there is no room for its steel. It must outlive the
// fleet, and stand where it shall be.
int coupling_fleet_add(CouplingFleet* fleet, Machine* machine);
const MachineGround* coupling_fleet_ground(const CouplingFleet* fleet);
const CouplingToolState* coupling_fleet_tool(const CouplingFleet* fleet, int machine, int tool);
int coupling_fleet_bin(const CouplingFleet* fleet, int machine, int bin); // its number in coupling
// Of a body's steel among the soil's boundaries; -1: grains do not meet it.
int coupling_fleet_boundary(const CouplingFleet* fleet, int machine, int body);
double coupling_fleet_load(const CouplingFleet* fleet, int machine); // kg in all its bins

void coupling_fleet_cut(CouplingFleet* fleet);
void coupling_fleet_lead(CouplingFleet* fleet);
void coupling_fleet_react(CouplingFleet* fleet, double h);
void coupling_fleet_feel(CouplingFleet* fleet, double h);
void coupling_fleet_settle(CouplingFleet* fleet);
// After a restore, when machines and grains are where they belong: what an operator reads off tools
// before the next step.
void coupling_fleet_recount(CouplingFleet* fleet);

// Counted since the world began.
typedef struct CouplingFleetStats {
    uint64_t squeezed;     // grains pressed into the ground
    uint64_t put_back;     // grains that were pressed through a plate
    uint64_t refused_rows; // contacts of steel and ground beyond MACHINE_ROWS_MAX
    uint64_t cuts;         // columns cut
} CouplingFleetStats;
const CouplingFleetStats* coupling_fleet_stats(const CouplingFleet* fleet);

// What the next steps depend on besides machines, grains and ground.
uint64_t coupling_fleet_hash(const CouplingFleet* fleet);
size_t coupling_fleet_snapshot_size(const CouplingFleet* fleet);
void coupling_fleet_snapshot_save(const CouplingFleet* fleet, void* out);
bool coupling_fleet_snapshot_load(CouplingFleet* fleet, const void* in, size_t size);

#endif
