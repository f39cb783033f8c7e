// sim - a headless run: a world, hands that work in it, and what came of it as JSON.
//
// Does:     put machines on a site by a task or as told; step world and hands; measure time per
//           phase, cycles, payload, spill, forces and fuel; write the report.
// Does not: open windows, parse a command line, or end itself: the caller asks sim_step() until it
//           says that nothing is left to do.
// Units:    SI.
// Threads:  one calling thread.
#ifndef SIM_H
#define SIM_H

#include "base/base_json.h"
#include "input/input_script.h"
#include "operator/operator.h"
#include "world/world.h"

#define SIM_SERIES 512 // samples over time that a report keeps, at most
#define SIM_CYCLES 512 // cycles that it lists, at most

typedef struct SimDef {
    const char* site;        // files
    const char* materials;   //
    const char* calibration; //
    const char* vehicle;     //
    const char* truck;       // NULL: none
    const char* script;      // NULL: the operator works
    int kind;                // OperatorKind
    int program;             // OperatorProgram
    float depth;             // m, of pit or trench
    float place[3];          // m, m, rad: where the machine stands
    float radius;            // m, of grains
    int pool, births, threads;
    int cycles; // 0: no limit
    double seconds;
    uint64_t seed;
} SimDef;

typedef struct Sim Sim;

// NULL after filling in error->text; an error without text means that memory is short.
Sim* sim_create(const SimDef* def, BaseYamlError* error);
void sim_destroy(Sim* sim);

// One sixtieth of a second. False when seconds or work are over; nothing was done then.
bool sim_step(Sim* sim);
// The same with the levers of somebody else: a person's. Other machines stand with their brakes on.
void sim_drive(Sim* sim, const InputFrame* frame);
// What the operator would do now.
void sim_hands_step(Sim* sim, InputFrame* out);
World* sim_world(Sim* sim);
const Operator* sim_operator(const Sim* sim);

// How it stands, for people, on one line.
void sim_line(const Sim* sim, double wall, char* out, size_t size);
// `wall`: seconds that it took. False when it ended before its work was done.
void sim_report(Sim* sim, double wall, bool interrupted, BaseJson* out);
// True when not a milligram is missing and no step was undone.
bool sim_sound(const Sim* sim);

#endif
