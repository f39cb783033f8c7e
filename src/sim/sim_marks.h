// sim_marks - what is worth a look in a recording, with its time: for a timeline, or a list.
//
// Does:     gather cycles and incidents from the lesson's score, goals and events from the recording, and
//           the things to fix first from the advice.
// Does not: draw, or simulate: it tells what the state in hand knows.
// Threads:  the simulation's.
#ifndef SIM_MARKS_H
#define SIM_MARKS_H

#include "sim/sim_replay.h"

#define SIM_MARKS_MAX 700

typedef enum SimMarkKind {
    SIM_MARK_CYCLE,  // from `time` until `until`
    SIM_MARK_EVENT,  // of the lesson: a fault, rain, a truck
    SIM_MARK_GOAL,   // reached
    SIM_MARK_SLAM,   // into an end stop
    SIM_MARK_HIT,    // machine against something
    SIM_MARK_STRIKE, // pipe or cable
    SIM_MARK_DANGER, // people, zones, overhead lines
    SIM_MARK_OTHER,  // stalls, spill ...
    SIM_MARK_FIX,    // one of the things to fix first; `number` from 1
    SIM_MARK_KINDS,
} SimMarkKind;

typedef struct SimMark {
    double time, until; // s
    int kind;           // SimMarkKind
    int number;         // of cycles and of things to fix, from 1
    char text[200];
} SimMark;

typedef struct SimMarks {
    int count;
    SimMark mark[SIM_MARKS_MAX]; // by time
    double known;                // s: incidents are known up to here
    double total;                // points then; < 0: not judged
    bool passed;
} SimMarks;

void sim_marks_gather(SimReplay* replay, SimMarks* out);
// What an incident of this measure is called, and its SimMarkKind; NULL: it is none.
const char* sim_mark_incident(int measure, int* kind);

#endif
