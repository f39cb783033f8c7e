// sim_internal - what the files of sim share; nobody else includes it.
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include "record/record.h"
#include "sim/sim.h"
#include "sim/sim_stats.h"

typedef struct SimSample {
    double time;
    int grains, frozen, contacts;
    double payload;    // kg
    double resistance; // N
    double pump;       // Pa
} SimSample;

typedef struct SimCycle {
    OperatorCycle part;
    double at;     // s, when it ended
    double landed; // kg, in the truck or on the heap because of it
    double spill;  // kg
} SimCycle;

struct Sim {
    SimDef def;
    BaseArena arena;
    World* world;
    Operator hands;
    InputScript script;
    InputScriptCursor cursor;
    bool scripted;
    int truck;     // machine, -1: none
    float zone[4]; // m, x0 z0 x1 z1: where soil may land when there is no truck
    bool finished; // the work is done

    SimTimes phase[WORLD_PHASE_COUNT], step;
    uint64_t misses;
    SimSample sample[SIM_SERIES];
    SimSeries series;
    int grains_max;

    SimCycle cycle[SIM_CYCLES];
    int cycles, settled;          // ended; whose soil has come to rest
    double target_kg;             // in truck or zone when the last cycle was settled
    double wait;                  // steps until what fell is weighed
    double lifted, landed, spill; // kg in all

    double force_max, resistance_max, pressure_max; // N, N, Pa
    double tilt_max;                                // rad
    uint64_t stalled;                               // steps at a relief

    RecordWriter* writer;       // NULL: not recorded
    unsigned char *save, *base; // snapshots of the world; NULL until somebody asks for them
    size_t save_size, base_bytes;
};

// A task for what def says, and hands for it. False when the vehicle lacks something.
bool sim_hands(Sim* sim, const char** missing);
double sim_target(Sim* sim);                             // kg in truck or zone
void sim_measure(Sim* sim);                              // after a step
void sim_record_step(Sim* sim, const InputFrame* frame); // the same

#endif
