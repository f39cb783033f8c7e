// sim_replay - a recording that is simulated again, and held against what it says.
//
// Does:     open a recording with the lesson, or the site, it belongs to; step it by its inputs; compare
//           every second's hashes; go to any step by key frames; let somebody else go on from there.
// Does not: draw. Same recording, same states, for every number of threads.
// Threads:  one calling thread.
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include "sim/sim_lesson.h"
#include "sim/sim_record.h"

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
SimLesson* sim_replay_lesson(SimReplay* replay); // NULL: free digging
Sim* sim_replay_site(SimReplay* replay);         // NULL: a lesson
World* sim_replay_world(SimReplay* replay);
uint32_t sim_replay_steps(const SimReplay* replay); // done
// The hashes of the modules as they are now, then the total; how many modules.
int sim_replay_hashes(const SimReplay* replay, uint64_t out[SIM_LESSON_MODULES + 1]);

// The next recorded step; false at the end. Where a second is complete its hashes are compared.
bool sim_replay_step(SimReplay* replay);
// The first second that came out differently; kind RECORD_SAME: none so far.
const RecordDifference* sim_replay_difference(const SimReplay* replay);
// So that `step` steps are done, from the nearest key frame on. False with the reason in error: the
// recording ends before, or cannot be read there.
bool sim_replay_seek(SimReplay* replay, uint32_t step, BaseYamlError* error);
// To key frame `key`, -1: to the beginning. False, with the state unchanged or back at the beginning, when
// it cannot be read or is not the state whose hash is recorded there.
bool sim_replay_jump(SimReplay* replay, int key);
// Whether a second was simulated again from its beginning: 0 no, 1 equal, 2 different.
int sim_replay_proved(const SimReplay* replay, uint32_t second);
// Hands lesson or site over: the caller's from now on; the replay can only be closed.
SimLesson* sim_replay_leave(SimReplay* replay);
Sim* sim_replay_leave_site(SimReplay* replay);

#endif
