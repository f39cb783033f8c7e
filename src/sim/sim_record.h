// sim_record - the recording of free digging: a site without a lesson, kept so that it can be entered again.
//
// Does:     write down how a Sim was set up, its inputs, hashes and key frames; set up the same again.
// Does not: write files inside a step; sim_record_pump() does.
// Threads:  sim_record_pump() may be another one's; the rest is the simulation's.
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include "sim/sim.h"
#include "sim/sim_lesson.h"

#define SIM_MODULES 4 // soil, terrain, coupling, machines; then the total

// A Sim's setup as a recording holds it, with room for the names of its files.
typedef struct SimSetup {
    SimDef def;
    char site[4096], vehicle[4096], truck[4096], materials[4096], calibration[4096];
} SimSetup;

// Before the first step. False with the reason in error.
bool sim_record(Sim* sim, const char* path, const SimLessonWho* who, BaseYamlError* error);
// The Sim stands where `parent` was after so many steps: the new record begins with those.
bool sim_record_on(Sim* sim, RecordReader* parent, const char* path, const SimLessonWho* who,
                   BaseYamlError* error);
void sim_record_pump(Sim* sim);
const char* sim_record_news(Sim* sim); // NULL: nothing new
bool sim_record_finish(Sim* sim, const char* reason, uint64_t* hash, BaseYamlError* error);

// True when the head is that of free digging, not of a lesson.
bool sim_record_is_site(const RecordHead* head);
void sim_record_head(const Sim* sim, const SimLessonWho* who, RecordHead* out);
// How the recorded Sim was set up. False with the reason in error.
bool sim_record_setup(RecordReader* reader, ScenarioFind* find, SimSetup* out,
                      BaseYamlError* error);

// The state as a section; it holds until the next call. False when memory is short.
bool sim_record_keep(Sim* sim); // makes room, and remembers this state as the base
void sim_record_base(Sim* sim, RecordSection* out);
bool sim_record_load(Sim* sim, const RecordSnapshot* snapshot);
void sim_record_hashes(const Sim* sim, uint64_t out[SIM_MODULES + 1]);

#endif
