#include "sim/sim_lesson_report.h"

#include "sim/sim_marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REPORT_MARGIN 1.5f // m of ground shown before and behind a goal
#define REPORT_AGAIN  5.0  // s, in which a mishap is the same one
#define REPORT_STEP   0.1f // m between points of a section

// --- the ground ----------------------------------------------------------------------------------

static const ScenarioGoal* report_goal(const Scenario* s, int* number)
{
    for (int k = 0; k < s->goal_count; ++k) {
        if (scenario_is_surface(&s->goals[k])) {
            *number = k;
            return &s->goals[k];
        }
    }
    return NULL;
}

// The line along which a goal is cut; false when it has none.
static bool report_line(const ScenarioGoal* g, float a[2], float b[2])
{
    if (g->trench || g->fill) {
        memcpy(a, g->trench ? g->trench->from : g->fill->from, 2 * sizeof *a);
        memcpy(b, g->trench ? g->trench->to : g->fill->to, 2 * sizeof *b);
    } else if (g->pit) {
        a[0] = g->pit->from[0], b[0] = g->pit->to[0];
        a[1] = b[1] = 0.5f * (g->pit->from[1] + g->pit->to[1]);
    } else if (g->slope) {
        const ScenarioSlope* s = g->slope;
        float dx = s->to[0] - s->from[0], dz = s->to[1] - s->from[1];
        float length = __builtin_sqrtf(dx * dx + dz * dz);
        a[0] = 0.5f * (s->from[0] + s->to[0]), a[1] = 0.5f * (s->from[1] + s->to[1]);
        b[0] = a[0] + s->length * dz / length, b[1] = a[1] - s->length * dx / length;
    } else {
        return false;
    }
    return true;
}

static void report_section(SimLesson* l, SimLessonReport* out)
{
    const Scenario* s = sim_lesson_scenario(l);
    const Terrain* ground = world_terrain(sim_lesson_world(l));
    const TerrainDef* site = terrain_definition(ground);
    int number = 0;
    const ScenarioGoal* g = report_goal(s, &number);
    float a[2], b[2];
    if (!g || !report_line(g, a, b)) {
        return;
    }
    float dx = b[0] - a[0], dz = b[1] - a[1], length = __builtin_sqrtf(dx * dx + dz * dz);
    ReportSection* section = &out->data.section;
    float whole = length + 2.0f * REPORT_MARGIN;
    section->step = base_maxf(REPORT_STEP, whole / (float)(SIM_REPORT_POINTS - 1));
    section->title = g->name;
    section->start = out->start, section->target = out->target, section->now = out->now;
    for (int k = 0; k < SIM_REPORT_POINTS && (float)k * section->step <= whole; ++k) {
        float t = ((float)k * section->step - REPORT_MARGIN) / length;
        float x = a[0] + t * dx, z = a[1] + t * dz, height;
        Vec3 at = scenario_world(site, vec3(x, 0.0f, z));
        int cell = terrain_cell_at(ground, at.x, at.z);
        if (cell < 0) {
            continue;
        }
        int n = section->count++;
        out->start[n] = sim_lesson_start(l)[cell] - site->origin.y;
        out->now[n] = terrain_surface(ground, cell) - site->origin.y;
        out->target[n] = scenario_target(s, sim_lesson_floors(l), number, x, z, &height)
                             ? height
                             : REPORT_NOTHING;
    }
}

static bool report_plan(SimLesson* l, SimLessonReport* out)
{
    const Terrain* ground = world_terrain(sim_lesson_world(l));
    const TerrainDef* site = terrain_definition(ground);
    int number;
    const ScenarioGoal* g = report_goal(sim_lesson_scenario(l), &number);
    if (!g) {
        return true;
    }
    out->error = calloc((size_t)site->nx * (size_t)site->nz, sizeof *out->error);
    if (!out->error) {
        return false;
    }
    scenario_error_map(sim_lesson_scenario(l), sim_lesson_floors(l), ground, out->error);
    out->data.plan = (ReportPlan){site->nx, site->nz, site->cell, out->error, (float)g->tolerance};
    return true;
}

// --- the rest ------------------------------------------------------------------------------------

static void report_texts(SimLesson* l, const RecordInfo* info, SimLessonReport* out)
{
    static const char* const weather[SCENARIO_WEATHERS] = {"dry", "moist", "wet"};
    const Scenario* s = sim_lesson_scenario(l);
    const SiteInfo* site = world_site(sim_lesson_world(l));
    ReportData* d = &out->data;
    d->title = s->title, d->description = s->description;
    d->site = site->title;
    d->weather = weather[s->weather];
    d->vehicle = world_machine_def(sim_lesson_world(l), 0)->title;
    d->time_limit = s->free ? 0.0 : (double)s->time_limit;
    for (int m = 0; m < site->material_count; ++m) {
        size_t length = strlen(out->soil);
        snprintf(out->soil + length, sizeof out->soil - length, "%s%s", m ? ", " : "",
                 site->material[m]->name);
    }
    for (char* c = out->soil; *c; ++c) {
        *c = *c == '_' ? ' ' : *c;
    }
    d->soil = out->soil;
    d->program = MATTOCK_VERSION;
    d->reason = sim_lesson_over(l);
    d->unfinished = !d->reason;
    if (!info) {
        return;
    }
    const RecordHead* head = &info->head;
    time_t then = (time_t)head->started;
    struct tm day;
    if (head->started > 0 && localtime_r(&then, &day)) {
        strftime(out->date, sizeof out->date, "%Y-%m-%d %H:%M", &day);
        d->date = out->date;
    }
    d->trainee = head->trainee[0] ? head->trainee : NULL;
    d->driver = head->driver[0] ? head->driver : NULL;
    d->pattern = head->pattern[0] ? head->pattern : NULL;
    d->device = head->device[0] ? head->device : NULL;
    d->program = head->program;
    d->reason = d->reason ? d->reason : info->reason[0] ? info->reason : "it broke off";
    d->recording_hash = info->hash;
    d->parent_hash = head->parent_hash;
    d->parent = head->parent;
    d->parent_time = (double)head->parent_step / (double)head->rate;
}

static void report_files(SimLesson* l, SimLessonReport* out)
{
    static const char* const what[4] = {"scenario", "site", "vehicle", "materials"};
    RecordHead head;
    SimLessonWho nobody = {0};
    static RecordFile file[4];
    sim_lesson_head(l, &nobody, &head);
    const RecordFile all[4] = {head.scenario, head.site, head.vehicle, head.materials};
    memcpy(file, all, sizeof file);
    for (int k = 0; k < 4; ++k) {
        out->file[k] = (ReportFile){what[k], file[k].name, file[k].hash};
    }
    out->data.files = out->file;
    out->data.file_count = 4;
}

static int event_by_time(const void* a, const void* b)
{
    const ReportEvent *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

// The same mishap again and again within a few seconds is told once.
static void merge_events(ReportData* d, ReportEvent* event)
{
    int kept = 0;
    for (int n = 0; n < d->event_count; ++n) {
        ReportEvent* last = NULL;
        for (int k = kept - 1; k >= 0 && event[n].time - event[k].time < REPORT_AGAIN; --k) {
            bool same = event[k].mishap && strcmp(event[k].text, event[n].text) == 0;
            last = same && event[n].mishap ? &event[k] : last;
        }
        if (last) {
            last->times += 1;
        } else {
            event[kept] = event[n];
            event[kept++].times = 1;
        }
    }
    d->event_count = kept;
}

// What the lesson told, and hits, strikes and dangers among the incidents.
static void report_events(SimLesson* l, SimLessonReport* out)
{
    const SimLessonState* s = sim_lesson_state(l);
    int first = s->events > SIM_LESSON_EVENTS ? s->events - SIM_LESSON_EVENTS : 0, mishaps = 0;
    ReportData* d = &out->data;
    for (int n = first; n < s->events; ++n) {
        const SimLessonEvent* e = &s->event[n % SIM_LESSON_EVENTS];
        bool mishap = e->kind == SIM_EVENT_MENDED;
        out->event[d->event_count++] = (ReportEvent){e->time, e->text, mishap, 1};
    }
    for (int n = 0; n < score_kept_incidents(&s->score) && mishaps < SIM_REPORT_MISHAPS; ++n) {
        const ScoreIncident* i = &s->score.incident[n];
        int kind = SIM_MARK_OTHER;
        const char* text = sim_mark_incident(i->measure, &kind);
        if (text && (kind == SIM_MARK_HIT || kind == SIM_MARK_STRIKE || kind == SIM_MARK_DANGER)) {
            out->event[d->event_count++] = (ReportEvent){i->time, text, true, 1};
            ++mishaps;
        }
    }
    qsort(out->event, (size_t)d->event_count, sizeof *out->event, event_by_time);
    merge_events(d, out->event);
    d->events = out->event;
}

bool sim_lesson_report(SimLesson* l, const ScoreRules* rules, const RecordInfo* info,
                       const char* recording, SimLessonReport* out)
{
    const Score* score = &sim_lesson_state(l)->score;
    const WorldFaults* faults = world_faults(sim_lesson_world(l));
    ReportData* d = &out->data;
    memset(out, 0, sizeof *out);
    report_texts(l, info, out);
    out->rules = rules ? *rules : sim_lesson_scenario(l)->rules;
    sim_lesson_judge(l, &out->rules, &out->result);
    d->score = score, d->rules = &out->rules, d->result = &out->result;
    d->expert_total = -1.0;
    const ScenarioYardstick* yardstick = sim_lesson_yardstick(l, &d->expert_same);
    if (yardstick) {
        d->expert = out->result.expert = yardstick->value;
        d->expert_total = yardstick->points;
    }
    d->advices = score_advise(score, &out->rules, &out->result, out->advice);
    d->advice = out->advice;
    d->recording = recording;
    report_section(l, out);
    report_files(l, out);
    report_events(l, out);
    d->imbalance_mg = world_imbalance(sim_lesson_world(l));
    if (faults->lost) {
        d->proof = REPORT_MARKED;
        d->proof_text = "soil was missing during the lesson: the program is wrong";
    } else if (faults->bad_grains || faults->machine_resets) {
        d->proof = REPORT_MARKED;
        d->proof_text = "numbers of the simulation went bad during the lesson and were put right";
    }
    return report_plan(l, out);
}

void sim_lesson_report_free(SimLessonReport* report)
{
    free(report->error);
    report->error = NULL;
}
