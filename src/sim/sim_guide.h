// sim_guide - the built-in operator in a lesson: "show me", and the yardstick for everybody else.
//
// Does:     turn what a lesson asks for into tasks for the operator, one goal after the other; wait for
//           trucks; follow poses, points, lines and ways by itself.
// Does not: touch the lesson: it writes an InputFrame and nothing else. Its state is no part of a record.
// Threads:  the simulation's.
#ifndef SIM_GUIDE_H
#define SIM_GUIDE_H

#include "operator/operator.h"
#include "sim/sim_lesson.h"

typedef struct SimGuide {
    SimLesson* lesson;
    Operator hands;
    int kind;   // OperatorKind
    int goal;   // in work; -1: none
    int rounds; // of filling and levelling that are done
    uint64_t seed;
    float lever[OPERATOR_JOINTS]; // of gestures, as they were a step ago
    Vec3 aim;                     // -1..1: where a novice's eyes are wrong
    bool working;                 // hands have a task
    bool levels;                  // a fill is levelled, not filled
    bool drives;                  // the goal is a way to the next work
    bool done;                    // nothing is left that it could do
} SimGuide;

// At any moment of a lesson. False with the reason in error when the machine cannot be worked.
bool sim_guide_begin(SimGuide* guide, SimLesson* lesson, OperatorKind kind, BaseYamlError* error);
void sim_guide_step(SimGuide* guide, InputFrame* out); // before sim_lesson_step()

#endif
