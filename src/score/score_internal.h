// score_internal - shared by the files of score.
#ifndef SCORE_INTERNAL_H
#define SCORE_INTERNAL_H

#include "score/score.h"

#define SCORE_KG(mg)  ((double)(mg)*1e-6)
#define SCORE_NEUTRAL 0.05f // of a lever's way
#define SCORE_MOVES   0.03  // rad/s: an axis that counts as moving

// A pause in which nothing can be done but wait for a truck: nobody's time.
bool score_waits(const ScoreSample* sample);
int64_t score_spill_mg(const ScoreSample* sample);
void score_cycle_step(Score* score, const ScoreSample* sample);

typedef enum ScoreMerge { SCORE_SUM, SCORE_LARGEST, SCORE_SMALLEST } ScoreMerge;
// Within `within` seconds of the last one of this measure it is the same incident.
void score_incident(Score* score, int measure, double value, double within, ScoreMerge merge);

#endif
