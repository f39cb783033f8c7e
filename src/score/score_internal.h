// score_internal - shared by the files of score.
#ifndef SCORE_INTERNAL_H
#define SCORE_INTERNAL_H

#include "score/score.h"

#define SCORE_KG(mg)  ((double)(mg)*1e-6)
#define SCORE_NEUTRAL 0.05f // of a lever's way
#define SCORE_MOVES   0.03  // rad/s: an axis that counts as moving

// A pause in which nothing may be done but wait, for a truck, for the end of an alarm, or until somebody is out
// of reach: nobody's time.
bool score_waits(const ScoreSample* sample);
int64_t score_spill_mg(const ScoreSample* sample);
int64_t score_outside_mg(const ScoreSample* sample); // that is missing where nobody was to dig
bool score_truck_loaded(const ScoreTruck* truck);
bool score_truck_has(const ScoreTruck* truck, double share); // of its load, at least
double score_truck_error(const ScoreTruck* truck);           // 0..
void score_cycle_step(Score* score, const ScoreSample* sample);

typedef enum ScoreMerge { SCORE_SUM, SCORE_LARGEST, SCORE_SMALLEST } ScoreMerge;
// Within `within` seconds of the last one of this measure it is the same incident.
void score_incident(Score* score, int measure, double value, double within, ScoreMerge merge);
// The same, of another phase than the one that goes on.
void score_incident_in(Score* score, int measure, double value, double within, ScoreMerge merge,
                       int phase);

#endif
