// sim_guide_internal - what the files of sim_guide share; nobody else includes it.
#ifndef SIM_GUIDE_INTERNAL_H
#define SIM_GUIDE_INTERNAL_H

#include "sim/sim_guide.h"

bool sim_guide_is_heap(const SimGuide* guide);
// Poses, points, lines and ways: this goal; -1: none.
void sim_guide_follow(SimGuide* guide, int goal, InputFrame* out);

#endif
