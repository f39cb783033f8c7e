// Rules that look across a lesson: names that refer to each other, criteria, places on the site.
#include "scenario/scenario_internal.h"

#include "base/base_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define KEY_MAX 160

typedef struct Checker {
    const char* path;
    const Scenario* s;
    BaseYamlError* error;
    const TerrainDef* site; // NULL until it is built
} Checker;

__attribute__((format(printf, 3, 4))) static bool fault(const Checker* c, const char* key,
                                                        const char* format, ...)
{
    char what[BASE_YAML_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return base_yaml_fault(c->path, key, c->error, "%s", what);
}

// --- names ---------------------------------------------------------------------------------------

// The names of goals, zones or objects: each begins with its const char* name.
static int list_names(const void* items, int count, size_t size, const char* names[])
{
    for (int k = 0; k < count; ++k) {
        memcpy(&names[k], (const char*)items + (size_t)k * size, sizeof names[k]);
    }
    names[count] = NULL;
    return count;
}

static bool known_name(const Checker* c, const char* key, const char* name, const char* what,
                       const void* items, int count, size_t size)
{
    const char* names[SCENARIO_OBJECTS_MAX + 1];
    list_names(items, count, size, names);
    for (int k = 0; name && k < count; ++k) {
        if (strcmp(names[k], name) == 0) {
            return true;
        }
    }
    if (!name) {
        return true;
    }
    char list[200] = "none: this lesson has no such thing";
    size_t used = 0;
    for (int k = 0; k < count && used < sizeof list; ++k) {
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", names[k]);
    }
    const char* near = base_text_nearest(name, names);
    return fault(c, key, "%.40s is no %s of this lesson; %s%s%sallowed is %s%s", name, what,
                 near ? "did you mean " : "", near ? near : "", near ? "? " : "",
                 count > 1 ? "one of " : "", list);
}

static bool known_goal(const Checker* c, const char* key, const char* name)
{
    return known_name(c, key, name, "goal", c->s->goals, c->s->goal_count, sizeof *c->s->goals);
}

static bool known_zone(const Checker* c, const char* key, const char* name)
{
    return known_name(c, key, name, "zone", c->s->zones, c->s->zone_count, sizeof *c->s->zones);
}

static bool known_object(const Checker* c, const char* key, const char* name)
{
    return known_name(c, key, name, "object", c->s->objects, c->s->object_count,
                      sizeof *c->s->objects);
}

// --- the parts -----------------------------------------------------------------------------------

static int truck_trips(const Scenario* s)
{
    int trips = 0;
    for (int k = 0; k < s->object_count; ++k) {
        trips += s->objects[k].truck ? s->objects[k].truck->trips : 0;
    }
    return trips;
}

static bool check_goals(const Checker* c)
{
    char key[KEY_MAX];
    for (int k = 0; k < c->s->goal_count; ++k) {
        const ScenarioGoal* g = &c->s->goals[k];
        snprintf(key, sizeof key, "goals.%.64s.pile.zone", g->name);
        if (g->pile && !known_zone(c, key, g->pile->zone)) {
            return false;
        }
        snprintf(key, sizeof key, "goals.%.64s.load.trucks", g->name);
        if (g->load && g->load->trucks > truck_trips(c->s)) {
            return fault(c, key,
                         "%d trucks are asked for, but only %d come; give a truck more trips",
                         g->load->trucks, truck_trips(c->s));
        }
    }
    return true;
}

// What is hidden needs an event that shows it; what is there from the start none.
static bool check_hidden(const Checker* c)
{
    char key[KEY_MAX];
    for (int k = 0; k < c->s->object_count; ++k) {
        const ScenarioObject* o = &c->s->objects[k];
        int shown = -1;
        for (int n = 0; n < c->s->event_count; ++n) {
            const ScenarioEvent* e = &c->s->events[n];
            shown = e->does == SCENARIO_APPEAR && strcmp(e->object, o->name) == 0 ? n : shown;
        }
        if (o->hidden && shown < 0) {
            snprintf(key, sizeof key, "objects.%.64s.hidden", o->name);
            return fault(c, key, "no event lets it appear; add one, or leave hidden out");
        }
        if (!o->hidden && shown >= 0) {
            snprintf(key, sizeof key, "events.%.64s.object", c->s->events[shown].name);
            return fault(c, key, "%.40s is there from the start; give it hidden: true", o->name);
        }
    }
    return true;
}

static bool check_events(const Checker* c)
{
    char key[KEY_MAX];
    for (int k = 0; k < c->s->event_count; ++k) {
        const ScenarioEvent* e = &c->s->events[k];
        snprintf(key, sizeof key, "events.%.64s.goal", e->name);
        if (!known_goal(c, key, e->goal)) {
            return false;
        }
        snprintf(key, sizeof key, "events.%.64s.object", e->name);
        if (!known_object(c, key, e->object)) {
            return false;
        }
        snprintf(key, sizeof key, "events.%.64s.time", e->name);
        if (!c->s->free && !scenario_absent(e->time) && e->time > c->s->time_limit) {
            return fault(c, key, "%g s is after the end of the lesson; allowed is up to %g s",
                         (double)e->time, (double)c->s->time_limit);
        }
    }
    return true;
}

// Whether a program of the built-in operator works at such a goal.
static bool works_at(int program, const ScenarioGoal* g)
{
    switch (program) {
    case SCENARIO_DIG_PIT: return g->pit != NULL;
    case SCENARIO_DIG_TRENCH: return g->trench != NULL;
    case SCENARIO_FINISH_SLOPE: return g->slope != NULL;
    case SCENARIO_LOAD_TRUCKS: return g->load != NULL;
    case SCENARIO_STOCKPILE: return g->pile != NULL;
    case SCENARIO_BACKFILL: return g->fill != NULL;
    case SCENARIO_FOLLOW: return g->pose || g->reach || g->trace || g->drive;
    default: return true;
    }
}

static bool check_program(const Checker* c)
{
    static const char* const needs[] = {
        [SCENARIO_DIG_PIT] = "pit",       [SCENARIO_DIG_TRENCH] = "trench",
        [SCENARIO_LOAD_TRUCKS] = "load",  [SCENARIO_STOCKPILE] = "pile",
        [SCENARIO_BACKFILL] = "fill",     [SCENARIO_FOLLOW] = "pose, reach, trace or drive",
        [SCENARIO_FINISH_SLOPE] = "slope"};
    const ScenarioOperator* o = &c->s->operator;
    for (int k = 0; k < c->s->goal_count; ++k) {
        const ScenarioGoal* g = &c->s->goals[k];
        if ((!o->goal || strcmp(o->goal, g->name) == 0) && works_at(o->program, g)) {
            return true;
        }
    }
    return o->program == SCENARIO_IDLE ||
           fault(c, "operator.program", "it needs a goal of kind %s%s%.64s", needs[o->program],
                 o->goal ? ", which is not " : "", o->goal ? o->goal : "");
}

static bool check_operator(const Checker* c)
{
    const ScenarioOperator* o = &c->s->operator;
    if (!known_goal(c, "operator.goal", o->goal) || !known_zone(c, "operator.dump", o->dump) ||
        !known_object(c, "operator.truck", o->truck)) {
        return false;
    }
    bool needs_truck = o->program == SCENARIO_LOAD_TRUCKS, has_truck = truck_trips(c->s) > 0;
    if (needs_truck && !has_truck) {
        return fault(c, "operator.program", "load needs a truck among the objects");
    }
    return check_program(c);
}

static bool same_criterion(const ScenarioCriterion* a, const ScenarioCriterion* b)
{
    return strcmp(a->measure, b->measure) == 0 && a->pillar == b->pillar &&
           a->at_least == b->at_least && a->at_most == b->at_most;
}

static bool check_twice(const Checker* c)
{
    char key[KEY_MAX];
    for (int k = 0; k < c->s->criterion_count; ++k) {
        for (int n = 0; n < k; ++n) {
            if (same_criterion(&c->s->criteria[k], &c->s->criteria[n])) {
                snprintf(key, sizeof key, "criteria[%d].measure", k);
                return fault(c, key,
                             "asks the same as criteria[%d]; leave one out, or give the other a "
                             "larger weight",
                             n);
            }
        }
    }
    return true;
}

// Shares that end at 100 %.
static bool is_whole_share(int measure)
{
    switch (measure) {
    case SCORE_COMPLETION:
    case SCORE_IN_TOLERANCE:
    case SCORE_COMPACTION:
    case SCORE_TWO_AXES:
    case SCORE_THREE_AXES:
    case SCORE_FOUR_AXES:
    case SCORE_IDLE:
    case SCORE_TIP_MARGIN: return true;
    default: return false;
    }
}

// Bands that read well and cannot be meant: who does better would fail, or nobody can reach them.
static bool check_band(const Checker* c, int k, const ScoreCriterion* one)
{
    char key[KEY_MAX];
    const ScoreMeasureInfo* info = score_measure((ScoreMeasure)one->measure);
    bool low = one->at_least > -SCORE_UNBOUNDED, high = one->at_most < SCORE_UNBOUNDED;
    if (info->better == SCORE_LESS && !high) {
        snprintf(key, sizeof key, "criteria[%d].at_least", k);
        return fault(c, key,
                     "of %s less is better, so this alone fails who does well; give at_most",
                     info->name);
    }
    if (info->better == SCORE_MORE && !low) {
        snprintf(key, sizeof key, "criteria[%d].at_most", k);
        return fault(c, key,
                     "of %s more is better, so this alone fails who does well; give at_least",
                     info->name);
    }
    if (low && is_whole_share(one->measure) && one->at_least > 100.0) {
        snprintf(key, sizeof key, "criteria[%d].at_least", k);
        return fault(c, key, "%g %% can never be reached; allowed is a number up to 100",
                     one->at_least);
    }
    if (low && is_whole_share(one->measure) && one->at_least > 0.0 && one->at_least <= 1.0) {
        snprintf(key, sizeof key, "criteria[%d].at_least", k);
        return fault(c, key, "%g is in %%, and next to nothing; did you mean %g?", one->at_least,
                     100.0 * one->at_least);
    }
    return true;
}

static bool check_criteria(const Checker* c, ScoreRules* rules)
{
    char key[KEY_MAX];
    double weight = 0.0;
    *rules = (ScoreRules){
        .count = c->s->criterion_count, .pass = (double)c->s->pass, .goals = c->s->goal_count > 0};
    rules->pillar_weight[SCORE_SAFETY] = (double)c->s->pillars.safety;
    rules->pillar_weight[SCORE_QUALITY] = (double)c->s->pillars.quality;
    rules->pillar_weight[SCORE_ECONOMY] = (double)c->s->pillars.economy;
    for (int k = 0; k < c->s->criterion_count; ++k) {
        const ScenarioCriterion* from = &c->s->criteria[k];
        const char* near = NULL;
        int measure = score_measure_find(from->measure, &near);
        if (measure < 0) {
            snprintf(key, sizeof key, "criteria[%d].measure", k);
            return fault(c, key, "%.40s is no measure; %s%s%sall are listed in docs/measures.md",
                         from->measure, near ? "did you mean " : "", near ? near : "",
                         near ? "? " : "");
        }
        rules->criterion[k] = (ScoreCriterion){
            .measure = measure,
            .at_least = from->at_least > -1e29f ? (double)from->at_least : -SCORE_UNBOUNDED,
            .at_most = from->at_most < 1e29f ? (double)from->at_most : SCORE_UNBOUNDED,
            .margin = (double)from->margin,
            .weight = (double)from->weight,
            .pillar = from->pillar,
            .severity = from->severity};
        if (!check_band(c, k, &rules->criterion[k])) {
            return false;
        }
        weight += (double)from->weight * rules->pillar_weight[from->pillar];
    }
    return c->s->free || weight > 0.0 ||
           fault(c, "criteria", "none of them has a weight in a pillar that counts");
}

bool scenario_check(const char* path, Scenario* scenario, BaseYamlError* error)
{
    Checker c = {path, scenario, error, NULL};
    return check_goals(&c) && check_events(&c) && check_hidden(&c) && check_operator(&c) &&
           check_criteria(&c, &scenario->rules) && check_twice(&c);
}

// --- places --------------------------------------------------------------------------------------

static bool place(const Checker* c, const char* key, const float at[2])
{
    double wide = (double)c->site->nx * (double)c->site->cell;
    double deep = (double)c->site->nz * (double)c->site->cell;
    double x = (double)at[0], z = (double)at[1];
    return (x >= 0.0 && x <= wide && z >= 0.0 && z <= deep) ||
           fault(c, key, "[%g, %g] is not on the site; allowed is [0, 0] to [%g, %g] m", x, z, wide,
                 deep);
}

static bool both(const Checker* c, const char* group, const char* name, const char* kind,
                 const float from[2], const float to[2])
{
    char key[KEY_MAX];
    snprintf(key, sizeof key, "%s.%.64s.%s.from", group, name, kind);
    if (!place(c, key, from)) {
        return false;
    }
    snprintf(key, sizeof key, "%s.%.64s.%s.to", group, name, kind);
    return place(c, key, to);
}

// Points along the ground; of three numbers the one in the middle is a height.
static bool points(const Checker* c, const char* group, const char* name, const char* kind,
                   const float* p, int count, int of)
{
    char key[KEY_MAX];
    for (int k = 0; k < count; ++k) {
        const float at[2] = {p[k * of], p[k * of + of - 1]};
        snprintf(key, sizeof key, "%s.%.64s%s%s[%d]", group, name, kind[0] ? "." : "", kind,
                 k * of);
        if (!place(c, key, at)) {
            return false;
        }
    }
    return true;
}

static bool place_goal(const Checker* c, const ScenarioGoal* g)
{
    if (g->pit) {
        return both(c, "goals", g->name, "pit", g->pit->from, g->pit->to);
    }
    if (g->trench) {
        return both(c, "goals", g->name, "trench", g->trench->from, g->trench->to);
    }
    if (g->slope) {
        return both(c, "goals", g->name, "slope", g->slope->from, g->slope->to);
    }
    if (g->fill) {
        return both(c, "goals", g->name, "fill", g->fill->from, g->fill->to);
    }
    if (g->pad) {
        return points(c, "goals", g->name, "pad.outline", g->pad->outline,
                      g->pad->outline_count / 2, 2);
    }
    if (g->reach) {
        return points(c, "goals", g->name, "reach.points", g->reach->points,
                      g->reach->points_count / 3, 3);
    }
    if (g->trace) {
        return points(c, "goals", g->name, "trace.points", g->trace->points,
                      g->trace->points_count / 3, 3);
    }
    if (g->drive) {
        return points(c, "goals", g->name, "drive.points", g->drive->points,
                      g->drive->points_count / 2, 2);
    }
    return true;
}

static bool place_spot(const Checker* c, const char* name, const char* kind,
                       const ScenarioSpot* spot)
{
    char key[KEY_MAX];
    snprintf(key, sizeof key, "objects.%.64s.%s.at", name, kind);
    if (!place(c, key, spot->at)) {
        return false;
    }
    snprintf(key, sizeof key, "objects.%.64s.%s.walks_to", name, kind);
    return strcmp(kind, "person") != 0 || scenario_absent(spot->walks_to[0]) ||
           place(c, key, spot->walks_to);
}

static bool place_object(const Checker* c, const ScenarioObject* o)
{
    char key[KEY_MAX];
    if (o->pipe || o->cable) {
        const ScenarioPipe* p = o->pipe ? o->pipe : o->cable;
        return both(c, "objects", o->name, o->pipe ? "pipe" : "cable", p->from, p->to);
    }
    if (o->line) {
        return both(c, "objects", o->name, "line", o->line->from, o->line->to);
    }
    if (o->wall) {
        return both(c, "objects", o->name, "wall", o->wall->from, o->wall->to);
    }
    if (o->truck) {
        snprintf(key, sizeof key, "objects.%.64s.truck.at", o->name);
        if (!place(c, key, o->truck->at)) {
            return false;
        }
        snprintf(key, sizeof key, "objects.%.64s.truck.from", o->name);
        return scenario_absent(o->truck->from[0]) || place(c, key, o->truck->from);
    }
    const ScenarioSpot* spot = o->cone ? o->cone : o->stake ? o->stake : o->person;
    return place_spot(c, o->name, o->cone ? "cone" : o->stake ? "stake" : "person", spot);
}

static bool place_zone(const Checker* c, const ScenarioZone* z)
{
    char key[KEY_MAX];
    if (z->radius > 0.0f) {
        snprintf(key, sizeof key, "zones.%.64s.center", z->name);
        return place(c, key, z->center);
    }
    return points(c, "zones", z->name, "outline", z->outline, z->outline_count / 2, 2);
}

bool scenario_check_places(const char* path, const Scenario* s, const TerrainDef* site,
                           BaseYamlError* error)
{
    Checker c = {path, s, error, site};
    bool fine = place(&c, "machine.at", s->machine.at);
    for (int k = 0; fine && k < s->object_count; ++k) {
        fine = place_object(&c, &s->objects[k]);
    }
    for (int k = 0; fine && k < s->goal_count; ++k) {
        fine = place_goal(&c, &s->goals[k]);
    }
    for (int k = 0; fine && k < s->zone_count; ++k) {
        fine = place_zone(&c, &s->zones[k]);
    }
    return fine;
}
