// Numbers that went bad and were put right (I2), soil that is missing (I1): told at once, kept in the record,
// and a lesson to which it keeps happening is given up rather than scored.
#include "sim/sim_lesson_internal.h"

#include <string.h>

void sim_lesson_mend(SimLesson* l, const WorldFaults* known)
{
    SimLessonState* s = &l->state;
    const WorldFaults* now = world_faults(l->world);
    uint32_t grains = now->bad_grains - known->bad_grains;
    uint32_t machines = now->machine_resets - known->machine_resets;
    if (!s->lost && now->lost > known->lost) {
        s->lost = 1;
        sim_lesson_event(l, SIM_EVENT_MENDED, 0.0, 0.0, "Soil is missing: the program is wrong.");
    }
    if (grains == 0 && machines == 0) {
        return;
    }
    memmove(&s->mended[1], &s->mended[0], (SIM_LESSON_MENDS - 1) * sizeof *s->mended);
    s->mended[0] = world_time(l->world);
    ++s->mends;
    sim_lesson_event(l, SIM_EVENT_MENDED, grains, machines,
                     machines ? "A machine's numbers went bad; its last step was undone."
                              : "A grain's numbers went bad; it was put back.");
}

const char* sim_lesson_given_up(const SimLesson* l)
{
    const SimLessonState* s = &l->state;
    const double* last = s->mended;
    return s->lost ? "soil is missing: the program is wrong"
           : s->mends >= SIM_LESSON_MENDS &&
                   last[0] - last[SIM_LESSON_MENDS - 1] < SIM_LESSON_MENDED
               ? "numbers kept going bad: the program is wrong"
               : NULL;
}
