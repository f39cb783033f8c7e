// What a lesson asks for, as marks on the site and words over the picture.
#include "app/app_scene.h"

#include <math.h>
#include <stdio.h>

#define LESSON_CIRCLE 48    // corners of a round zone
#define LESSON_WIRE   0.02f // m, radius of an overhead line
#define LESSON_POLE   0.11f // m

static ViewMarker* mark(ViewState* state, ViewMarkerKind kind, Vec3 at, const float color[4])
{
    ViewMarker* m = view_state_mark(state, kind, at);
    if (m)
        memcpy(m->color, color, sizeof m->color);
    return m;
}

static Vec3 place(const AppScene* s, const float at[2])
{
    Terrain* ground = world_terrain(s->world);
    Vec3 p = scenario_world(terrain_definition(ground), vec3(at[0], 0.0f, at[1]));
    return vec3(p.x, terrain_height(ground, p.x, p.z), p.z);
}

// --- surfaces ------------------------------------------------------------------------------------

// A grid over a rectangle along from -> to, `left` and `right` m to its sides, of the goal's heights.
static void surface(AppScene* s, BaseArena* arena, const Scenario* scenario,
                    const ScenarioFloors* floors, int goal, const float from[2], const float to[2],
                    float left, float right)
{
    const TerrainDef* site = terrain_definition(world_terrain(s->world));
    float dx = to[0] - from[0], dz = to[1] - from[1], length = sqrtf(dx * dx + dz * dz);
    if (length < 0.1f || s->goals == SCENE_GOALS_MAX)
        return;
    dx /= length, dz /= length;
    // the right hand of somebody who walks along it, seen from above with x right and z down
    float rx = -dz, rz = dx, width = left + right;
    AppSceneGoal* g = &s->goal[s->goals];
    g->nx = base_maxi(base_mini((int)(length / 0.5f), 48), 2) + 1;
    g->nz = base_maxi(base_mini((int)(width / 0.5f), 48), 2) + 1;
    g->height = base_arena_alloc(arena, sizeof *g->height * (size_t)(g->nx * g->nz));
    float last = 0.0f;
    bool any = false;
    for (int j = 0; j < g->nz; ++j)
        for (int i = 0; i < g->nx; ++i) {
            // a hair inside, so that the rim belongs to it
            float u = length * (0.002f + 0.996f * (float)i / (float)(g->nx - 1));
            float v = width * (0.002f + 0.996f * (float)j / (float)(g->nz - 1)) - left;
            float h;
            if (scenario_target(scenario, floors, goal, from[0] + dx * u + rx * v,
                                from[1] + dz * u + rz * v, &h))
                last = scenario_world(site, vec3(0, h, 0)).y, any = true;
            g->height[j * g->nx + i] = last;
        }
    Vec3 corner = scenario_world(site, vec3(from[0] - rx * left, 0.0f, from[1] - rz * left));
    g->from = vec3(corner.x, 0.0f, corner.z);
    g->size = vec3(length, 0.0f, width);
    g->heading = atan2f(dz, dx);
    g->number = goal;
    g->tolerance = scenario->goals[goal].tolerance;
    s->goals += any;
}

// Corners in the world of what zones enclose.
static void outline(AppScene* s, BaseArena* arena, const ScenarioZone* z, int number)
{
    const TerrainDef* site = terrain_definition(world_terrain(s->world));
    bool round = z->radius > 0.0f;
    int count = round ? 2 * LESSON_CIRCLE : z->outline_count;
    float* out = base_arena_alloc(arena, sizeof *out * (size_t)base_maxi(count, 1));
    for (int n = 0; out && n < count; n += 2) {
        float turn = 6.2831853f * (float)n / (float)count;
        float x = round ? z->center[0] + z->radius * cosf(turn) : z->outline[n];
        float y = round ? z->center[1] + z->radius * sinf(turn) : z->outline[n + 1];
        Vec3 p = scenario_world(site, vec3(x, 0.0f, y));
        out[n] = p.x, out[n + 1] = p.z;
    }
    s->outline[number] = out, s->outline_count[number] = out ? count : 0;
}

// Services lie where they were laid, however the ground above them changes.
static void services(AppScene* s, const Scenario* scenario)
{
    for (int k = 0; k < scenario->object_count; ++k) {
        const ScenarioObject* o = &scenario->objects[k];
        const ScenarioPipe* pipe = o->pipe ? o->pipe : o->cable;
        if (pipe)
            s->service[k][0] = place(s, pipe->from), s->service[k][1] = place(s, pipe->to);
        if (o->line)
            s->service[k][0] = place(s, o->line->from), s->service[k][1] = place(s, o->line->to);
    }
}

void app_scene_lesson(AppScene* s, BaseArena* arena, SimLesson* lesson)
{
    const Scenario* scenario = sim_lesson_scenario(lesson);
    const ScenarioFloors* floors = sim_lesson_floors(lesson);
    s->lesson = lesson;
    services(s, scenario);
    for (int k = 0; k < scenario->zone_count; ++k)
        outline(s, arena, &scenario->zones[k], k);
    for (int k = 0; k < scenario->goal_count; ++k) {
        const ScenarioGoal* g = &scenario->goals[k];
        if (g->pit) {
            const float *a = g->pit->from, *b = g->pit->to;
            const float from[2] = {fminf(a[0], b[0]), fminf(a[1], b[1])};
            const float to[2] = {fmaxf(a[0], b[0]), from[1]};
            surface(s, arena, scenario, floors, k, from, to, 0.0f, fabsf(a[1] - b[1]));
        } else if (g->trench) {
            float half = 0.5f * g->trench->width;
            surface(s, arena, scenario, floors, k, g->trench->from, g->trench->to, half, half);
        } else if (g->slope) {
            surface(s, arena, scenario, floors, k, g->slope->from, g->slope->to, g->slope->length,
                    0);
        } else if (g->fill) {
            float half = 0.5f * g->fill->width;
            surface(s, arena, scenario, floors, k, g->fill->from, g->fill->to, half, half);
        } else if (g->pad) {
            float low[2] = {1e9f, 1e9f}, high[2] = {-1e9f, -1e9f};
            for (int n = 0; n < g->pad->outline_count; ++n) {
                low[n % 2] = fminf(low[n % 2], g->pad->outline[n]);
                high[n % 2] = fmaxf(high[n % 2], g->pad->outline[n]);
            }
            const float to[2] = {high[0], low[1]};
            surface(s, arena, scenario, floors, k, low, to, 0.0f, high[1] - low[1]);
        }
    }
}

// --- things --------------------------------------------------------------------------------------

// A pipe is there whether or not it is marked; who digs to it sees it.
static void mark_pipe(const AppScene* s, ViewState* state, int number)
{
    static const float yellow[4] = {0.93f, 0.75f, 0.10f, 0.95f},
                       red[4] = {0.80f, 0.10f, 0.08f, 0.95f};
    const ScenarioObject* o = &sim_lesson_scenario(s->lesson)->objects[number];
    const ScenarioPipe* pipe = o->pipe ? o->pipe : o->cable;
    const float* color = o->pipe ? yellow : red;
    float down = pipe->depth + 0.5f * pipe->diameter;
    Vec3 a = s->service[number][0], b = s->service[number][1];
    ViewMarker* m = mark(state, VIEW_MARKER_PIPE, vec3(a.x, a.y - down, a.z), color);
    if (m)
        m->to = vec3(b.x, b.y - down, b.z), m->size.x = 0.5f * pipe->diameter;
    m = pipe->marked ? mark(state, VIEW_MARKER_LINE, a, color) : NULL;
    if (m) {
        m->to = b, m->size.x = 0.14f;
        m->weave = o->pipe ? VIEW_WEAVE_DASHES : VIEW_WEAVE_DOTS;
    }
}

static void mark_line(const AppScene* s, ViewState* state, int number)
{
    static const float dark[4] = {0.1f, 0.1f, 0.12f, 1.0f}, wood[4] = {0.42f, 0.33f, 0.25f, 1.0f};
    const ScenarioLine* line = sim_lesson_scenario(s->lesson)->objects[number].line;
    Vec3 foot[2] = {s->service[number][0], s->service[number][1]}, top[2];
    ViewMarker* m;
    for (int k = 0; k < 2; ++k) {
        top[k] = vec3(foot[k].x, foot[k].y + line->height, foot[k].z);
        m = mark(state, VIEW_MARKER_PIPE, vec3(foot[k].x, foot[k].y - 0.5f, foot[k].z), wood);
        if (m)
            m->to = vec3(top[k].x, top[k].y + 0.3f, top[k].z), m->size.x = LESSON_POLE;
    }
    m = mark(state, VIEW_MARKER_CABLE, top[0], dark);
    if (m)
        m->to = top[1], m->size.x = LESSON_WIRE, m->size.y = 0.4f;
}

static void mark_object(const AppScene* s, ViewState* state, int number)
{
    static const float orange[4] = {1.0f, 0.45f, 0.1f, 1.0f};
    static const float grey[4] = {0.6f, 0.6f, 0.58f, 1.0f};
    const ScenarioObject* o = &sim_lesson_scenario(s->lesson)->objects[number];
    ViewMarker* m;
    Vec3 at;
    if (o->cone)
        mark(state, VIEW_MARKER_CONE, place(s, o->cone->at), orange);
    if (o->stake)
        mark(state, VIEW_MARKER_STAKE, place(s, o->stake->at), orange);
    if (o->person && sim_lesson_person(s->lesson, number, &at))
        mark(state, VIEW_MARKER_PERSON, at, orange);
    if (o->pipe || o->cable)
        mark_pipe(s, state, number);
    if (o->line)
        mark_line(s, state, number);
    if (o->wall) {
        Vec3 a = place(s, o->wall->from), b = place(s, o->wall->to);
        m = mark(state, VIEW_MARKER_WALL, vec3_mul(vec3_add(a, b), 0.5f), grey);
        if (m) {
            m->size = vec3(vec3_length(vec3_sub(b, a)), o->wall->height, o->wall->thickness);
            m->heading = atan2f(b.z - a.z, b.x - a.x);
        }
    }
}

static void mark_zone(const AppScene* s, ViewState* state, int number)
{
    static const struct {
        float color[4];
        ViewWeave weave;
        float height; // m
    } look[] = {
        [SCENARIO_ZONE_DUMP] = {{0.3f, 0.6f, 1.0f, 0.45f}, VIEW_WEAVE_STRIPES, 0.7f},
        [SCENARIO_ZONE_SPOIL] = {{0.3f, 0.6f, 1.0f, 0.45f}, VIEW_WEAVE_STRIPES, 0.7f},
        [SCENARIO_ZONE_HAUL] = {{0.8f, 0.8f, 0.8f, 0.30f}, VIEW_WEAVE_DASHES, 0.4f},
        [SCENARIO_ZONE_KEEP_OUT] = {{1.0f, 0.2f, 0.15f, 0.60f}, VIEW_WEAVE_CROSSES, 1.1f},
        [SCENARIO_ZONE_SWING] = {{1.0f, 0.6f, 0.1f, 0.40f}, VIEW_WEAVE_DASHES, 0.35f},
    };
    int kind = sim_lesson_scenario(s->lesson)->zones[number].kind;
    // where one digs is told by the grid
    if (kind == SCENARIO_ZONE_DIG || s->outline_count[number] < 6)
        return;
    const float* p = s->outline[number];
    ViewMarker* m = mark(state, VIEW_MARKER_ZONE, vec3(p[0], 0.0f, p[1]), look[kind].color);
    if (m) {
        m->outline = p, m->outline_count = s->outline_count[number];
        m->weave = look[kind].weave, m->size.y = look[kind].height;
    }
}

// The next points of what is to be reached, traced or driven.
static void mark_way(const AppScene* s, ViewState* state, int goal)
{
    static const float amber[4] = {1.0f, 0.75f, 0.2f, 0.9f};
    const TerrainDef* site = terrain_definition(world_terrain(s->world));
    const ScenarioGoal* g = &sim_lesson_scenario(s->lesson)->goals[goal];
    int next = sim_lesson_state(s->lesson)->scenario.point[goal];
    const float* p = g->reach ? g->reach->points : g->trace ? g->trace->points : NULL;
    int count = g->reach ? g->reach->points_count / 3 : g->trace ? g->trace->points_count / 3 : 0;
    for (int k = next; k < count && k < next + 12; ++k) {
        Vec3 at = scenario_world(site, vec3(p[3 * k], p[3 * k + 1], p[3 * k + 2]));
        Vec3 to = k + 1 < count
                      ? scenario_world(site, vec3(p[3 * k + 3], p[3 * k + 4], p[3 * k + 5]))
                      : vec3(at.x, at.y + 0.1f, at.z);
        ViewMarker* m = mark(state, VIEW_MARKER_PIPE, at, amber);
        if (m)
            m->to = g->trace ? to : vec3(at.x, at.y + 0.12f, at.z),
            m->size.x = k == next ? 0.07f : 0.03f;
    }
    for (int k = next; g->drive && k < g->drive->points_count / 2; ++k) {
        ViewMarker* m = mark(state, VIEW_MARKER_RING, place(s, &g->drive->points[2 * k]), amber);
        if (m)
            m->size.x = k == next ? g->drive->radius : 0.5f * g->drive->radius;
    }
}

// --- words ---------------------------------------------------------------------------------------

static void words(const AppScene* s, ViewHud* hud)
{
    const Scenario* scenario = sim_lesson_scenario(s->lesson);
    const SimLessonState* state = sim_lesson_state(s->lesson);
    hud->time_limit = scenario->free ? 0.0f : scenario->time_limit;
    int next = state->scenario.next;
    if (next >= 0 && scenario->goals[next].hint)
        snprintf(hud->hint, sizeof hud->hint, "%.120s  (%.0f %%)", scenario->goals[next].hint,
                 100.0 * (double)state->scenario.total);
    // what was said last stays for a while
    for (int k = state->events - 1; k >= 0 && k > state->events - SIM_LESSON_EVENTS; --k) {
        const SimLessonEvent* e = &state->event[k % SIM_LESSON_EVENTS];
        if (world_time(s->world) - e->time > 6.0)
            break;
        if (e->kind == SIM_EVENT_MENDED)
            snprintf(hud->warning, sizeof hud->warning, "%s", e->text);
        if (e->kind == SIM_EVENT_SCENARIO) {
            snprintf(hud->hint, sizeof hud->hint, "%.150s", e->text);
            break;
        }
    }
    if (world_time(s->world) < state->scenario.alarm_until)
        snprintf(hud->warning, sizeof hud->warning, "Alarm: stop everything.");
}

void app_scene_lesson_fill(AppScene* s, ViewState* state)
{
    const Scenario* scenario = sim_lesson_scenario(s->lesson);
    const SimLessonState* now = sim_lesson_state(s->lesson);
    for (int k = 0; k < scenario->object_count; ++k)
        if (now->scenario.present[k])
            mark_object(s, state, k);
    for (int k = 0; k < scenario->zone_count; ++k)
        mark_zone(s, state, k);
    if (now->scenario.next >= 0)
        mark_way(s, state, now->scenario.next);
    words(s, &state->hud);
}

bool app_scene_lesson_target(const AppScene* s, float x, float z, float* height)
{
    const TerrainDef* site = terrain_definition(world_terrain(s->world));
    Vec3 p = scenario_from_corner(site, vec3(x, 0.0f, z));
    float h;
    if (!scenario_target_at(sim_lesson_scenario(s->lesson), sim_lesson_floors(s->lesson), p.x, p.z,
                            &h))
        return false;
    *height = scenario_world(site, vec3(0.0f, h, 0.0f)).y;
    return true;
}
