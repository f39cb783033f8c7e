#include "sim/sim_marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How one incident of a measure is called, and what it counts as; what is not here is no moment.
static const struct {
    int measure, kind;
    const char* text;
    const char* unit; // NULL: its value is not told
} mark_incidents[] = {
    {SCORE_SLAMS, SIM_MARK_SLAM, "slam into an end stop", NULL},
    {SCORE_END_STOPS, SIM_MARK_SLAM, "end stop reached", NULL},
    {SCORE_COLLISIONS, SIM_MARK_HIT, "collision", NULL},
    {SCORE_TRUCK_HITS, SIM_MARK_HIT, "hit against a truck", NULL},
    {SCORE_STRIKES, SIM_MARK_STRIKE, "pipe or cable struck", NULL},
    {SCORE_LINE_ENTRIES, SIM_MARK_DANGER, "too close to an overhead line", NULL},
    {SCORE_PEOPLE, SIM_MARK_DANGER, "a person endangered", NULL},
    {SCORE_ZONE_ENTRIES, SIM_MARK_DANGER, "keep-out zone entered", NULL},
    {SCORE_STALLS, SIM_MARK_OTHER, "stalled at the relief valve", NULL},
    {SCORE_SIDE_LOADING, SIM_MARK_OTHER, "swung with the bucket in the ground", NULL},
    {SCORE_SPILL, SIM_MARK_OTHER, "spilled", "kg"},
};

const char* sim_mark_incident(int measure, int* kind)
{
    for (size_t k = 0; k < sizeof mark_incidents / sizeof mark_incidents[0]; ++k) {
        if (mark_incidents[k].measure == measure) {
            *kind = mark_incidents[k].kind;
            return mark_incidents[k].text;
        }
    }
    return NULL;
}

static SimMark* mark_add(SimMarks* m, SimMarkKind kind, double time, double until)
{
    if (m->count == SIM_MARKS_MAX) {
        return NULL;
    }
    SimMark* mark = &m->mark[m->count++];
    *mark = (SimMark){.time = time, .until = until, .kind = kind};
    return mark;
}

static void mark_cycles(const Score* score, SimMarks* out)
{
    int cycles = score->cycles < SCORE_CYCLES_MAX ? score->cycles : SCORE_CYCLES_MAX;
    for (int k = 0; k < cycles; ++k) {
        const ScoreCycle* c = &score->cycle[k];
        double until = c->start;
        for (int phase = 0; phase < SCORE_PHASE_COUNT; ++phase) {
            until += c->time[phase];
        }
        until = c->complete ? until : score->time;
        SimMark* mark = mark_add(out, SIM_MARK_CYCLE, c->start, until);
        if (!mark) {
            return;
        }
        mark->number = k + 1;
        int n = snprintf(mark->text, sizeof mark->text, "cycle %d: %.1f s, %.0f kg", k + 1,
                         until - c->start, c->payload);
        if (c->dumped) {
            snprintf(mark->text + n, sizeof mark->text - (size_t)n,
                     ", %.0f %% full, %.0f kg spilled", 100.0 * c->fill,
                     c->spill > 0.0 ? c->spill : 0.0);
        }
    }
}

static void mark_incident(const ScoreIncident* i, SimMarks* out)
{
    size_t k = 0, rows = sizeof mark_incidents / sizeof mark_incidents[0];
    while (k < rows && mark_incidents[k].measure != i->measure) {
        ++k;
    }
    SimMark* mark =
        k < rows ? mark_add(out, (SimMarkKind)mark_incidents[k].kind, i->time, i->until) : NULL;
    if (!mark) {
        return;
    }
    char value[48] = "";
    if (mark_incidents[k].unit) {
        snprintf(value, sizeof value, "%.0f %s ", i->value, mark_incidents[k].unit);
    }
    int n = snprintf(mark->text, sizeof mark->text, "%s%s", value, mark_incidents[k].text);
    if (i->phase != SCORE_PHASE_NONE && i->cycle >= 0) {
        snprintf(mark->text + n, sizeof mark->text - (size_t)n, " (cycle %d, %s)", i->cycle + 1,
                 score_phase_name(i->phase));
    }
}

// Trucks coming and going are many and no news.
static void mark_events(RecordReader* reader, SimMarks* out)
{
    const RecordInfo* info = record_info(reader);
    const RecordEvent* e;
    for (uint32_t s = 0; s < info->seconds; ++s) {
        for (int k = 0, count = record_events(reader, s, &e); k < count; ++k) {
            bool goal = e[k].kind == SIM_EVENT_GOAL && e[k].value[1] > 0.5;
            SimMark* mark = goal || e[k].kind == SIM_EVENT_SCENARIO
                                ? mark_add(out, goal ? SIM_MARK_GOAL : SIM_MARK_EVENT,
                                           (double)e[k].step / WORLD_RATE, 0.0)
                                : NULL;
            if (mark) {
                snprintf(mark->text, sizeof mark->text, "%s", e[k].text);
            }
        }
    }
}

static void mark_advice(SimLesson* lesson, SimMarks* out)
{
    static _Thread_local ScoreResult result;
    static _Thread_local ScoreAdvice advice[SCORE_ADVICE_MAX];
    const Scenario* s = sim_lesson_scenario(lesson);
    sim_lesson_judge(lesson, NULL, &result);
    if (s->free) {
        return;
    }
    out->total = result.total, out->passed = result.passed;
    int count = score_advise(&sim_lesson_state(lesson)->score, &s->rules, &result, advice);
    for (int k = 0; k < count; ++k) {
        for (int n = 0; n < advice[k].times; ++n) {
            SimMark* mark = mark_add(out, SIM_MARK_FIX, advice[k].time[n], 0.0);
            if (mark) {
                mark->number = k + 1;
                // what and how much; when and why are what one has come to see
                const char* end = strstr(advice[k].text, ". ");
                int length = end ? (int)(end - advice[k].text) : (int)strlen(advice[k].text);
                snprintf(mark->text, sizeof mark->text, "to fix first, %d: %.*s", k + 1,
                         length < 170 ? length : 170, advice[k].text);
            }
        }
    }
}

static int mark_by_time(const void* a, const void* b)
{
    const SimMark *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
                              : (x->kind > y->kind) - (x->kind < y->kind);
}

void sim_marks_gather(SimReplay* replay, SimMarks* out)
{
    SimLesson* lesson = sim_replay_lesson(replay);
    out->count = 0;
    out->total = -1.0;
    out->passed = false;
    out->known = (double)sim_replay_steps(replay) / WORLD_RATE;
    if (lesson) {
        const Score* score = &sim_lesson_state(lesson)->score;
        mark_advice(lesson, out);
        mark_events(sim_replay_reader(replay), out);
        for (int k = 0; k < score_kept_incidents(score); ++k) {
            mark_incident(&score->incident[k], out);
        }
        mark_cycles(score, out);
    }
    qsort(out->mark, (size_t)out->count, sizeof *out->mark, mark_by_time);
}
