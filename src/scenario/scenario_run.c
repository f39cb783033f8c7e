// Goals as they are reached, and events when their time has come.
#include "scenario/scenario_internal.h"

#include <math.h>
#include <string.h>

void scenario_begin(const Scenario* s, ScenarioState* out)
{
    memset(out, 0, sizeof *out);
    out->weather = s->weather;
    out->alarm_until = out->fault_until = -1.0;
    for (int k = 0; k < SCENARIO_EVENTS_MAX; ++k) {
        out->fired[k] = -1.0;
    }
    for (int k = 0; k < s->object_count; ++k) {
        out->present[k] = !s->objects[k].hidden;
    }
}

// --- goals that are gestures: worked one after the other -----------------------------------------

static bool is_gesture(const ScenarioGoal* g)
{
    return g->pose || g->reach || g->trace || g->drive;
}

// Counts up while `there`, starts again when not; true when it was long enough.
static bool hold(ScenarioState* state, int goal, bool there, float seconds, double h)
{
    state->hold[goal] = there ? state->hold[goal] + (float)h : 0.0f;
    return there && state->hold[goal] >= seconds;
}

static bool near_angle(float want, float have, float tolerance)
{
    if (scenario_absent(want)) {
        return true;
    }
    // the house may have turned round more than once
    float turn = (float)(2.0 * BASE_PI), off = want - have;
    off -= turn * floorf(off / turn + 0.5f);
    return fabsf(off) <= tolerance;
}

static void step_pose(const ScenarioGoal* g, ScenarioState* state, int k, const ScenarioNow* now)
{
    const ScenarioPose* p = g->pose;
    bool there = near_angle(p->swing, now->joint[0], p->tolerance) &&
                 near_angle(p->boom, now->joint[1], p->tolerance) &&
                 near_angle(p->stick, now->joint[2], p->tolerance) &&
                 near_angle(p->bucket, now->joint[3], p->tolerance);
    state->progress[k] = hold(state, k, there, p->hold, now->h) ? 1.0f : 0.0f;
}

static float distance(Vec3 a, Vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

static Vec3 point3(const float* p, int index)
{
    return vec3(p[3 * index], p[3 * index + 1], p[3 * index + 2]);
}

static void step_reach(const ScenarioGoal* g, ScenarioState* state, int k, const ScenarioNow* now)
{
    const ScenarioReach* r = g->reach;
    int count = r->points_count / 3;
    bool there = distance(now->edge, point3(r->points, state->point[k])) <= r->radius;
    if (hold(state, k, there, r->hold, now->h)) {
        state->point[k] += 1;
        state->hold[k] = 0.0f;
    }
    state->progress[k] = (float)state->point[k] / (float)count;
}

static void step_drive(const ScenarioGoal* g, ScenarioState* state, int k, const ScenarioNow* now)
{
    const ScenarioDrive* d = g->drive;
    int count = d->points_count / 2, at = state->point[k];
    float dx = now->base.x - d->points[2 * at], dz = now->base.z - d->points[2 * at + 1];
    state->point[k] += dx * dx + dz * dz <= d->radius * d->radius;
    state->progress[k] = (float)state->point[k] / (float)count;
}

// Nearest place of a piece of the line, as a part of it.
static float on_piece(Vec3 a, Vec3 b, Vec3 p, float* off)
{
    Vec3 d = vec3_sub(b, a);
    float length2 = vec3_dot(d, d);
    float t = length2 > 0.0f ? vec3_dot(vec3_sub(p, a), d) / length2 : 1.0f;
    t = base_clampf(t, 0.0f, 1.0f);
    *off = distance(p, vec3_mad(a, d, t));
    return t;
}

// point is 0 before the line is begun, then the number of the piece in work, from 1. It is begun within half
// the radius; who leaves the line by more than the radius begins again.
static void step_trace(const ScenarioGoal* g, ScenarioState* state, int k, const ScenarioNow* now)
{
    const ScenarioTrace* t = g->trace;
    int pieces = t->points_count / 3 - 1;
    if (state->point[k] == 0) {
        bool there = distance(now->edge, point3(t->points, 0)) <= 0.5f * t->radius;
        state->point[k] = hold(state, k, there, 0.5f, now->h) ? 1 : 0;
        state->progress[k] = 0.0f;
        return;
    }
    int piece = state->point[k];
    float off, before = 1e9f;
    float part = on_piece(point3(t->points, piece - 1), point3(t->points, piece), now->edge, &off);
    if (piece > 1) {
        // who is still coming round the corner is on the line
        on_piece(point3(t->points, piece - 2), point3(t->points, piece - 1), now->edge, &before);
        off = base_minf(off, before);
    }
    state->tracing = true;
    state->trace_error = off;
    state->trace_level = scenario_absent(t->level) ? 0.0f : now->edge_angle - t->level;
    if (off > t->radius) {
        state->point[k] = 0;
        state->hold[k] = 0.0f;
        state->tracing = false;
    } else if (distance(now->edge, point3(t->points, piece)) <= 0.5f * t->radius) {
        state->point[k] += 1;
        part = 0.0f;
    }
    float done = state->point[k] > 0 ? (float)(state->point[k] - 1) + part : 0.0f;
    state->progress[k] = base_clampf(done / (float)pieces, 0.0f, 1.0f);
    state->progress[k] = state->point[k] > pieces ? 1.0f : base_minf(state->progress[k], 0.99f);
}

static void step_gesture(const ScenarioGoal* g, ScenarioState* state, int k, const ScenarioNow* now)
{
    if (g->pose) {
        step_pose(g, state, k, now);
    } else if (g->reach) {
        step_reach(g, state, k, now);
    } else if (g->trace) {
        step_trace(g, state, k, now);
    } else {
        step_drive(g, state, k, now);
    }
    state->done[k] = state->progress[k] >= 1.0f;
}

// --- goals that are work: all at once ------------------------------------------------------------

static int zone_index(const Scenario* s, const char* name)
{
    for (int k = 0; k < s->zone_count; ++k) {
        if (strcmp(s->zones[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static void step_work(const Scenario* s, ScenarioState* state, int k, const ScenarioNow* now)
{
    const ScenarioGoal* g = &s->goals[k];
    float progress = state->progress[k];
    if (g->load) {
        progress = ((float)now->trucks_full + now->trucks_part) / (float)g->load->trucks;
        progress = now->trucks_full >= g->load->trucks ? 1.0f : base_minf(progress, 0.99f);
    } else if (g->pile && now->zone_mass) {
        progress = (float)now->zone_mass[zone_index(s, g->pile->zone)] / g->pile->mass;
    } else if (scenario_is_surface(g) && now->survey) {
        progress = now->survey->progress[k];
    }
    state->progress[k] = base_clampf(progress, 0.0f, 1.0f);
    state->done[k] = state->progress[k] >= 1.0f; // a wall that falls in undoes it again
}

static void step_goals(const Scenario* s, ScenarioState* state, const ScenarioNow* now)
{
    bool waiting = false; // an earlier gesture is not done yet
    float sum = 0.0f;
    state->tracing = false;
    state->next = -1;
    for (int k = 0; k < s->goal_count; ++k) {
        if (!is_gesture(&s->goals[k])) {
            step_work(s, state, k, now);
        } else if (!state->done[k] && !waiting) {
            step_gesture(&s->goals[k], state, k, now);
        }
        waiting = waiting || (is_gesture(&s->goals[k]) && !state->done[k]);
        state->next = state->next < 0 && !state->done[k] ? k : state->next;
        sum += state->progress[k];
    }
    state->total = s->goal_count > 0 ? sum / (float)s->goal_count : 0.0f;
    state->finished = s->goal_count > 0 && state->next < 0;
}

// --- events --------------------------------------------------------------------------------------

static int name_index(const void* items, int count, size_t size, const char* name)
{
    for (int k = 0; k < count; ++k) {
        const char* other;
        memcpy(&other, (const char*)items + (size_t)k * size, sizeof other);
        if (strcmp(other, name) == 0) {
            return k;
        }
    }
    return -1;
}

static bool is_due(const Scenario* s, const ScenarioState* state, const ScenarioEvent* e,
                   double time)
{
    if (!scenario_absent(e->time)) {
        return time >= (double)e->time;
    }
    int goal = e->goal ? name_index(s->goals, s->goal_count, sizeof *s->goals, e->goal) : -1;
    return (goal >= 0 ? state->progress[goal] : state->total) >= e->progress;
}

static void fire(const Scenario* s, ScenarioState* state, const ScenarioEvent* e, double time)
{
    int object =
        e->object ? name_index(s->objects, s->object_count, sizeof *s->objects, e->object) : -1;
    switch ((ScenarioEventKind)e->does) {
    case SCENARIO_ALARM: state->alarm_until = time + (double)e->duration; break;
    case SCENARIO_APPEAR: state->present[object] = true; break;
    case SCENARIO_LEAVE: state->present[object] = false; break;
    case SCENARIO_CHANGE_WEATHER: state->weather = e->weather; break;
    case SCENARIO_FAULT:
        state->fault = e->fault;
        state->fault_until = time + (double)e->duration;
        break;
    case SCENARIO_SAY: break; // the caller shows its words
    }
}

int scenario_step(const Scenario* s, ScenarioState* state, const ScenarioNow* now, int* fired)
{
    int count = 0;
    step_goals(s, state, now);
    for (int k = 0; k < s->event_count; ++k) {
        if (state->fired[k] < 0.0 && is_due(s, state, &s->events[k], now->time)) {
            state->fired[k] = now->time;
            fire(s, state, &s->events[k], now->time);
            fired[count++] = k;
        }
    }
    if (now->time >= state->fault_until) {
        state->fault = SCENARIO_FAULT_NONE;
    }
    state->timed_out = !s->free && now->time >= (double)s->time_limit;
    return count;
}
