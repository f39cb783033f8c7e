// sim_replay - a recording that is simulated again, and held against what it says.
//
// Does:     open a recording with the lesson it belongs to; step it by its inputs; compare every second's
//           hashes; go to any step by key frames; let somebody else go on from there.
// Does not: draw. Same recording, same states, for every number of threads.
// Threads:  one calling thread.
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include "sim/sim_lesson.h"

typedef struct SimReplayDef {
    const char* path;
    ScenarioFind* find; // base_path_find()
    int threads;
    bool
        edited; // the lesson's file may have changed since: its criteria are not part of the simulation
} SimReplayDef;

typedef struct SimReplay SimReplay;

// Refuses recordings of another version or of other files, and names both. NULL with the reason in error.
SimReplay* sim_replay_open(const SimReplayDef* def, BaseYamlError* error);
void sim_replay_close(SimReplay* replay);
RecordReader* sim_replay_reader(SimReplay* replay);
SimLesson* sim_replay_lesson(SimReplay* replay);

// The next recorded step; false at the end. Where a second is complete its hashes are compared.
bool sim_replay_step(SimReplay* replay);
// The first second that came out differently; kind RECORD_SAME: none so far.
const RecordDifference* sim_replay_difference(const SimReplay* replay);
// So that `step` steps are done, from the nearest key frame on. False with the reason in error: the
// recording ends before, or cannot be read there.
bool sim_replay_seek(SimReplay* replay, uint32_t step, BaseYamlError* error);
// Hands the lesson over: the caller's from now on; the replay can only be closed.
SimLesson* sim_replay_leave(SimReplay* replay);

#endif
