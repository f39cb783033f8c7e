// sim_player - a recording in the hands of somebody who looks: play, pause, any speed, scrub, go on from here.
//
// Does:     keep the moment that is wanted beside the one that is simulated; decide what to do next to bring
//           them together: one step, or a jump to a key frame; tell how far the recording is proved.
// Does not: know clocks, threads, windows or drawing. The caller says how much time has passed and how often
//           to work, so the same calls give the same states everywhere.
// Units:    steps of 1/60 s, unless told otherwise.
// Threads:  one calling thread.
//
//     sim_player_advance(p, 1.0 / 60.0);          // the wanted moment moves, when it plays
//     while (sim_player_work(p) && !late()) {     // the simulated one follows
//     }
//     if (p->jumped) ...                          // everything that remembers the step before is stale
#ifndef SIM_PLAYER_H
#define SIM_PLAYER_H

#include "sim/sim_marks.h"

// Times real time. Backwards it goes by key frames, and is exact again when it stops.
#define SIM_PLAYER_SPEEDS 12
extern const double sim_player_speeds[SIM_PLAYER_SPEEDS];
#define SIM_PLAYER_NORMAL 7 // real time
#define SIM_PLAYER_BACK   2 // backwards, as one looks for something

#define SIM_PLAYER_LOOK \
    (45 * WORLD_RATE) // steps behind the last key frame that are looked at beforehand

#define SIM_PLAYER_PARTS 160

typedef struct SimPlayer {
    SimReplay* replay;
    SimMarks* marks;
    double at;      // wanted
    int speed;      // of sim_player_speeds
    bool playing;   //
    bool looking;   // at the end, for marks; whoever wants anything ends it
    bool look_back; // and returns to the beginning then
    bool jumped;    // since the caller cleared it
    bool marked;    // the same: marks are new
    int bad_key;    // a key frame that is not what it claims; -1: none
} SimPlayer;

// How it stands, to be shown.
typedef struct SimPlayerNews {
    bool on;             // there is a player
    uint32_t now, at;    // simulated, wanted
    uint32_t steps, key; // of the recording; of the key frame before `at`
    int speed;
    bool playing, looking, complete, site;
    uint32_t proved;    // s from the beginning that came out equal
    uint32_t checked;   // s anywhere that did
    uint32_t seconds;   // that could be
    uint32_t different; // first second that did not; UINT32_MAX: none
    uint8_t part
        [SIM_PLAYER_PARTS]; // the recording in so many parts: 0 not simulated, 1 equal, 2 different
    char trouble[256];      // what differs, or which chunk is bad; empty: nothing
} SimPlayerNews;

// False when memory is short. The replay must outlive it.
bool sim_player_init(SimPlayer* player, SimReplay* replay);
void sim_player_free(SimPlayer* player);

void sim_player_play(SimPlayer* player, bool on); // at the end: from the beginning
void sim_player_set_speed(SimPlayer* player, int speed);
void sim_player_seek(SimPlayer* player, double step); // clamped; ends a look
// To the next mark (by = 1) or the one before (-1).
void sim_player_to_mark(SimPlayer* player, int by);

void sim_player_advance(SimPlayer* player, double seconds);
bool sim_player_work(SimPlayer* player);        // false when nothing is left to do
bool sim_player_there(const SimPlayer* player); // the wanted moment is simulated
// Levers as they were in the last step.
void sim_player_frame(SimPlayer* player, InputFrame* out);
void sim_player_news(const SimPlayer* player, SimPlayerNews* out);

#endif
