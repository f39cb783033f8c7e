// A lesson and its recording.
#include "sim/sim_lesson_internal.h"

#include "base/base_hash.h"

#include <stdio.h>
#include <string.h>

static const char* const lesson_modules[SIM_LESSON_MODULES] = {"soil", "terrain", "coupling",
                                                               "machines", "lesson"};

// What the lesson itself decides: goals, events and trucks. Measures follow from the rest.
static uint64_t lesson_hash(const SimLesson* l)
{
    const ScenarioState* s = &l->state.scenario;
    uint64_t hash = base_hash(s->progress, sizeof s->progress, 0);
    hash = base_hash(s->hold, sizeof s->hold, hash);
    hash = base_hash(s->point, sizeof s->point, hash);
    hash = base_hash(s->fired, sizeof s->fired, hash);
    for (int n = 0; n < l->trucks; ++n) {
        const SimTruck* t = &l->state.truck[n];
        const uint64_t part[4] = {(uint64_t)t->phase, (uint64_t)t->trips, t->since, t->calm};
        hash = base_hash(part, sizeof part, hash);
    }
    return hash;
}

void sim_lesson_hashes(const SimLesson* l, uint64_t out[SIM_LESSON_MODULES + 1])
{
    WorldHash w = world_hash(l->world);
    const uint64_t module[SIM_LESSON_MODULES] = {w.soil, w.terrain, w.coupling, w.machines,
                                                 lesson_hash(l)};
    memcpy(out, module, sizeof module);
    const uint64_t both[2] = {w.total, module[SIM_LESSON_MODULES - 1]};
    out[SIM_LESSON_MODULES] = base_hash(both, sizeof both, 0);
}

static void lesson_text(char* out, size_t size, const char* text)
{
    snprintf(out, size, "%.60s", text ? text : "");
}

void sim_lesson_head(const SimLesson* l, const SimLessonWho* who, RecordHead* out)
{
    memset(out, 0, sizeof *out);
    snprintf(out->program, sizeof out->program, "%s", MATTOCK_VERSION);
    out->scenario = l->file[0], out->site = l->file[1];
    out->vehicle = l->file[2], out->materials = l->file[3];
    lesson_text(out->trainee, sizeof out->trainee, who->trainee);
    lesson_text(out->driver, sizeof out->driver, who->driver);
    snprintf(out->pattern, sizeof out->pattern, "%.15s", who->pattern ? who->pattern : "");
    lesson_text(out->device, sizeof out->device, who->device);
    out->seed = (uint64_t)l->scenario.seed;
    out->started = who->started;
    out->rate = WORLD_RATE;
    out->input_bytes = sizeof(InputFrame);
    out->module_count = SIM_LESSON_MODULES;
    for (int k = 0; k < SIM_LESSON_MODULES; ++k) {
        snprintf(out->module[k], sizeof out->module[k], "%s", lesson_modules[k]);
    }
}

static size_t lesson_key_bytes(const SimLesson* l)
{
    return l->save_size + sizeof(SimLessonState);
}

bool sim_lesson_record(SimLesson* l, const char* path, const SimLessonWho* who,
                       BaseYamlError* error)
{
    RecordHead head;
    RecordSection base[SIM_LESSON_SECTIONS];
    sim_lesson_head(l, who, &head);
    l->writer = record_begin(path, &head, lesson_key_bytes(l), error);
    if (l->writer) {
        sim_lesson_base(l, base);
        record_key_base(l->writer, base, SIM_LESSON_SECTIONS);
    }
    return l->writer != NULL;
}

bool sim_lesson_record_on(SimLesson* l, RecordReader* parent, const char* path,
                          const SimLessonWho* who, BaseYamlError* error)
{
    RecordHead head;
    RecordSection base[SIM_LESSON_SECTIONS];
    sim_lesson_head(l, who, &head);
    snprintf(head.parent, sizeof head.parent, "%.90s", who->parent ? who->parent : "unknown");
    sim_lesson_base(l, base);
    l->writer = record_take_over(parent, (uint32_t)sim_lesson_steps(l), path, &head, base,
                                 SIM_LESSON_SECTIONS, lesson_key_bytes(l), error);
    return l->writer != NULL;
}

void sim_lesson_pump(SimLesson* l)
{
    if (l->writer) {
        record_pump(l->writer);
    }
}

const char* sim_lesson_news(SimLesson* l)
{
    return l->writer ? record_news(l->writer) : NULL;
}

bool sim_lesson_finish(SimLesson* l, const char* reason, uint64_t* hash, BaseYamlError* error)
{
    RecordWriter* writer = l->writer;
    if (writer) {
        ScoreResult result;
        sim_lesson_judge(l, NULL, &result);
        char economy[32];
        snprintf(economy, sizeof economy, "%.1f", result.pillar[SCORE_ECONOMY]);
        record_event(writer, SIM_EVENT_PILLARS, result.pillar[SCORE_SAFETY],
                     result.pillar[SCORE_QUALITY], economy);
        record_event(writer, SIM_EVENT_RESULT, result.total, result.passed, reason);
    }
    l->writer = NULL;
    return !writer || record_finish(writer, reason, hash, error);
}

void sim_lesson_base(SimLesson* l, RecordSection out[SIM_LESSON_SECTIONS])
{
    out[0] = (RecordSection){l->base, l->base_bytes};
    out[1] = (RecordSection){&l->base_state, sizeof l->base_state};
}

void sim_lesson_save(SimLesson* l, RecordSection out[SIM_LESSON_SECTIONS])
{
    world_snapshot_save(l->world, l->save);
    out[0] = (RecordSection){l->save, world_snapshot_size(l->world)};
    out[1] = (RecordSection){&l->state, sizeof l->state};
}

// --- coming back ---------------------------------------------------------------------------------

static bool lesson_within(int64_t value, int64_t low, int64_t high)
{
    return value >= low && value <= high;
}

static bool lesson_sane_score(const Score* s)
{
    bool fine = lesson_within(s->phase, 0, SCORE_PHASE_COUNT - 1) &&
                lesson_within(s->cycles, 0, 1 << 24) && lesson_within(s->incidents, 0, 1 << 24) &&
                lesson_within(s->seconds, 0, SCORE_TRACE_MAX) &&
                lesson_within(s->window_steps, 0, 1 << 24) && lesson_within(s->windows, 0, 1 << 24);
    for (int k = 0; fine && k < score_kept_incidents(s); ++k) {
        const ScoreIncident* i = &s->incident[k];
        fine = lesson_within(i->measure, 0, SCORE_MEASURE_COUNT - 1) &&
               lesson_within(i->phase, 0, SCORE_PHASE_COUNT - 1) &&
               lesson_within(i->cycle, -1, SCORE_CYCLES_MAX - 1);
    }
    for (int k = 0; fine && k < s->seconds; ++k) {
        fine = lesson_within(s->second[k].phase, 0, SCORE_PHASE_COUNT - 1);
    }
    return fine;
}

// The highest number of the point that is next; a goal that is reached stands one behind.
static int lesson_points(const ScenarioGoal* g, bool done)
{
    int count = g->reach   ? g->reach->points_count / 3
                : g->trace ? g->trace->points_count / 3
                : g->drive ? g->drive->points_count / 2
                           : 1;
    return done ? count : count - 1;
}

// A key frame comes from a file: no number in it may lead out of an array.
static bool lesson_sane(const SimLesson* l, const SimLessonState* s)
{
    const Scenario* c = &l->scenario;
    bool fine = lesson_sane_score(&s->score) && lesson_within(s->events, 0, 1 << 24) &&
                lesson_within(s->scenario.next, -1, c->goal_count - 1) &&
                lesson_within(s->scenario.fault, 0, SCENARIO_FAULT_ENGINE_HOT) &&
                lesson_within(s->scenario.weather, 0, SCENARIO_WEATHERS - 1);
    for (int k = 0; fine && k < c->goal_count; ++k) {
        fine = s->scenario.point[k] >= 0 &&
               s->scenario.point[k] <= lesson_points(&c->goals[k], s->scenario.done[k]);
    }
    for (int k = 0; fine && k < l->trucks; ++k) {
        fine = lesson_within(s->truck[k].phase, SIM_TRUCK_COMING, SIM_TRUCK_GONE) &&
               s->truck[k].object == l->base_state.truck[k].object;
    }
    for (int k = 0; fine && k < SIM_LESSON_EVENTS; ++k) {
        fine = memchr(s->event[k].text, '\0', sizeof s->event[k].text) != NULL;
    }
    return fine;
}

bool sim_lesson_load(SimLesson* l, const RecordSnapshot* snapshot)
{
    static _Thread_local SimLessonState state;
    if (snapshot->sections != SIM_LESSON_SECTIONS || snapshot->section[1] != sizeof state) {
        return false;
    }
    memcpy(&state, snapshot->data + snapshot->section[0], sizeof state);
    state.score.setup = l->base_state.score.setup;
    if (!lesson_sane(l, &state) ||
        !world_snapshot_load(l->world, snapshot->data, snapshot->section[0])) {
        return false;
    }
    l->state = state;
    return true;
}
