#include "sim/sim_guide.h"

#include "base/base_trig.h"
#include "sim/sim_guide_internal.h"

#include <stdio.h>
#include <string.h>

#define GUIDE_TURN    0.05f // rad between two places that are looked at for a heap
#define GUIDE_NEAREST 0.52f // of the arm's length, of a heap from the swing axis
#define GUIDE_STEPS   18    // radii that are looked at
#define GUIDE_RADIUS  0.02f // of the arm's length between them
#define GUIDE_ROOM    1.0f  // m of the zone around a heap's middle
#define GUIDE_FOOT    2.4f  // m, of a pile that is the work itself, so that its foot stays inside
#define GUIDE_LONG    3.5f  // m, length of a heap at most
#define GUIDE_FACE    2.0f  // m below the machine to which a face is dug
#define GUIDE_HORN    0.4   // of a bucket, that is not worth another one: the truck may go
#define GUIDE_STEEP   1.22f // rad, sides that stand of themselves
#define GUIDE_TRAVEL  2.4f  // m that a trench is worked on from one place
#define GUIDE_STRIP   0.85f // m from one strip of a slope to the next
#define GUIDE_APRON   1.0f  // m before the toe of a slope that is kept clean
#define GUIDE_ABOVE   0.05f // m above the ground that a heap is cleared to
#define GUIDE_LOOKS   5     // along and across a place of a fill
#define GUIDE_PLACE   1.0f  // m of a fill that one bucket is meant for
#define GUIDE_BRIM    0.03f // m that the lowest place may lack when a fill is levelled
#define GUIDE_BESIDE  0.4f  // m beside a fill that are levelled with it
#define GUIDE_LEVELS  4     // times that it is filled up and levelled

// --- places --------------------------------------------------------------------------------------

static const ScenarioZone* guide_zone(const Scenario* s, const char* name, int kind, int other)
{
    for (int k = 0; k < s->zone_count; ++k) {
        const ScenarioZone* z = &s->zones[k];
        if (name ? strcmp(z->name, name) == 0 : z->kind == kind || z->kind == other) {
            return z;
        }
    }
    return NULL;
}

static const TerrainDef* guide_site(const SimGuide* g)
{
    return terrain_definition(world_terrain(sim_lesson_world(g->lesson)));
}

static void guide_corner(const SimGuide* g, OperatorTask* task, float x, float z)
{
    Vec3 at = scenario_world(guide_site(g), vec3(x, 0.0f, z));
    if (task->corners < OPERATOR_CORNERS) {
        task->corner[task->corners][0] = at.x;
        task->corner[task->corners++][1] = at.z;
    }
}

// The area of a zone: its outline, or a ring of places.
static void guide_area(const SimGuide* g, const ScenarioZone* zone, OperatorTask* task)
{
    task->corners = 0;
    for (int k = 0; zone->radius <= 0.0f && k < zone->outline_count / 2; ++k) {
        guide_corner(g, task, zone->outline[2 * k], zone->outline[2 * k + 1]);
    }
    for (int k = 0; zone->radius > 0.0f && k < OPERATOR_CORNERS; ++k) {
        float turn = 2.0f * (float)BASE_PI * (float)k / (float)OPERATOR_CORNERS;
        guide_corner(g, task, zone->center[0] + zone->radius * base_cosf(turn),
                     zone->center[1] + zone->radius * base_sinf(turn));
    }
}

// A strip along a line, so wide to its left and right.
static void guide_strip(const SimGuide* g, const float a[2], const float b[2], float left,
                        float right, OperatorTask* task)
{
    float dx = b[0] - a[0], dz = b[1] - a[1], length = __builtin_sqrtf(dx * dx + dz * dz);
    float nx = dz / length, nz = -dx / length; // to the left of a -> b, seen from above
    task->corners = 0;
    guide_corner(g, task, a[0] + left * nx, a[1] + left * nz);
    guide_corner(g, task, b[0] + left * nx, b[1] + left * nz);
    guide_corner(g, task, b[0] - right * nx, b[1] - right * nz);
    guide_corner(g, task, a[0] - right * nx, a[1] - right * nz);
}

static void guide_from(const SimGuide* g, OperatorTask* task, const float at[2], float level)
{
    Vec3 world = scenario_world(guide_site(g), vec3(at[0], level, at[1]));
    task->from[0] = world.x, task->from[1] = world.z, task->floor = world.y;
}

// --- where soil goes -----------------------------------------------------------------------------

static bool guide_fits(const SimGuide* g, const ScenarioZone* zone, Vec3 at, float room)
{
    for (int k = 0; k < 4; ++k) {
        float dx = k < 2 ? room * (float)(2 * k - 1) : 0.0f;
        float dz = k < 2 ? 0.0f : room * (float)(2 * k - 5);
        Vec3 p = scenario_from_corner(guide_site(g), vec3(at.x + dx, 0.0f, at.z + dz));
        if (!scenario_in_zone(zone, p.x, p.z)) {
            return false;
        }
    }
    return true;
}

// A line in the zone, within reach from where the machine stands now, as near to the digging as it goes, with so
// much room around it. False when there is none: what was planned before stays.
static bool guide_heap_zone(SimGuide* g, const ScenarioZone* zone, float room)
{
    OperatorTask* task = &g->hands.task;
    const OperatorArm* arm = sim_lesson_arm(g->lesson);
    float length = (float)(arm->boom[0] + arm->stick[0] + arm->bucket[0]), best = 1e9f;
    Machine* m = world_machine(sim_lesson_world(g->lesson), 0);
    Vec3 axis = machine_pose(m, arm->body[OPERATOR_SWING]).position, dig = {0};
    for (int k = 0; k < task->corners; ++k) {
        dig.x += task->corner[k][0] / (float)task->corners;
        dig.z += task->corner[k][1] / (float)task->corners;
    }
    float front = (float)base_atan2((double)(dig.z - axis.z), (double)(dig.x - axis.x));
    Vec3 first = {0};
    float radius = 0.0f, turn = 0.0f;
    for (int n = 0; n < GUIDE_STEPS; ++n) {
        float r = length * (GUIDE_NEAREST + 0.1f +
                            GUIDE_RADIUS * (float)((n + 1) / 2) * (n % 2 ? -1.0f : 1.0f));
        for (float t = -3.1f; t < 3.1f; t += GUIDE_TURN) {
            Vec3 at =
                vec3(axis.x + r * base_cosf(front + t), 0.0f, axis.z + r * base_sinf(front + t));
            float worth = __builtin_fabsf(t) + 0.08f * (float)n;
            if (__builtin_fabsf(t) > 0.6f && worth < best && guide_fits(g, zone, at, room)) {
                best = worth, first = at, radius = r, turn = t;
            }
        }
    }
    if (best > 1e8f) {
        return false;
    }
    Vec3 last = first;
    float way = turn < 0.0f ? -GUIDE_TURN : GUIDE_TURN;
    for (int k = 1; radius * GUIDE_TURN * (float)k < GUIDE_LONG; ++k) {
        float t = front + turn + way * (float)k;
        Vec3 at = vec3(axis.x + radius * base_cosf(t), 0.0f, axis.z + radius * base_sinf(t));
        if (!guide_fits(g, zone, at, room)) {
            break;
        }
        last = at;
    }
    task->heap[0][0] = first.x, task->heap[0][1] = first.z;
    task->heap[1][0] = last.x, task->heap[1][1] = last.z;
    return true;
}

// Mean height of the fill at a place along its middle line, over so much of it, less what is wanted. m
static float guide_fill_over(const SimGuide* g, const ScenarioFill* f, float at, float length)
{
    const Terrain* ground = world_terrain(sim_lesson_world(g->lesson));
    float dx = f->to[0] - f->from[0], dz = f->to[1] - f->from[1];
    float whole = __builtin_sqrtf(dx * dx + dz * dz), sum = 0.0f;
    dx /= whole, dz /= whole;
    for (int k = 0; k < GUIDE_LOOKS * GUIDE_LOOKS; ++k) {
        float along = at + length * ((float)(k % GUIDE_LOOKS) / (GUIDE_LOOKS - 1) - 0.5f);
        float across = 0.9f * f->width * ((float)(k / GUIDE_LOOKS) / (GUIDE_LOOKS - 1) - 0.5f);
        Vec3 p =
            scenario_world(guide_site(g), vec3(f->from[0] + along * dx + across * dz, f->height,
                                               f->from[1] + along * dz - across * dx));
        sum += terrain_height(ground, p.x, p.z) - p.y;
    }
    return sum / (GUIDE_LOOKS * GUIDE_LOOKS);
}

// The lowest place of a fill gets the next bucket. Returns how high it is above what is wanted, m.
static float guide_heap_fill(SimGuide* g, const ScenarioFill* f)
{
    float dx = f->to[0] - f->from[0], dz = f->to[1] - f->from[1];
    float whole = __builtin_sqrtf(dx * dx + dz * dz), low = 1e9f, best = 0.0f;
    for (float at = 0.5f * GUIDE_PLACE; at <= whole - 0.5f * GUIDE_PLACE + 1e-3f; at += 0.25f) {
        float over = guide_fill_over(g, f, at, GUIDE_PLACE);
        if (over < low) {
            low = over, best = at;
        }
    }
    float t = best / whole;
    Vec3 at = scenario_world(guide_site(g), vec3(f->from[0] + t * dx, 0.0f, f->from[1] + t * dz));
    for (int k = 0; k < 2; ++k) {
        g->hands.task.heap[k][0] = at.x, g->hands.task.heap[k][1] = at.z;
    }
    return low;
}

static void guide_heap(SimGuide* g)
{
    const Scenario* s = sim_lesson_scenario(g->lesson);
    const ScenarioGoal* goal = g->goal >= 0 ? &s->goals[g->goal] : NULL;
    if (goal && goal->fill && guide_heap_fill(g, goal->fill) < 0.0f) {
        return;
    }
    const char* name =
        s->operator.dump ? s->operator.dump : goal && goal->pile ? goal->pile->zone : NULL;
    const ScenarioZone* zone = guide_zone(s, name, SCENARIO_ZONE_SPOIL, SCENARIO_ZONE_DUMP);
    // what a fill has too much goes back to where it came from
    zone = goal && goal->fill && !zone ? guide_zone(s, NULL, SCENARIO_ZONE_DIG, SCENARIO_ZONE_DIG)
                                       : zone;
    bool pile = goal && goal->pile;
    if (zone && !(pile && guide_heap_zone(g, zone, GUIDE_FOOT))) {
        guide_heap_zone(g, zone, GUIDE_ROOM);
    }
}

// --- tasks ---------------------------------------------------------------------------------------

// Rise of sides per metre; upright ones have none.
static float guide_sides(float angle)
{
    float c = base_cosf(angle);
    return c < 1e-3f ? 0.0f : base_sinf(angle) / c;
}

// Flat sides are part of the shape. A novice digs straight down where they are, and sees what comes.
static void guide_pit(const SimGuide* g, const ScenarioPit* p, OperatorTask* task)
{
    float middle = 0.5f * (p->from[1] + p->to[1]), half = 0.5f * (p->to[1] - p->from[1]);
    const float a[2] = {p->from[0], middle}, b[2] = {p->to[0], middle};
    guide_strip(g, a, b, half, half, task);
    guide_from(g, task, a, sim_lesson_floors(g->lesson)->level[g->goal] - p->depth);
    task->sides = guide_sides(p->sides);
    bool shapes = p->sides > GUIDE_STEEP || g->kind == OPERATOR_EXPERT;
    task->tolerance = shapes ? sim_lesson_scenario(g->lesson)->goals[g->goal].tolerance : 0.0f;
}

static void guide_trench(const SimGuide* g, const ScenarioTrench* t, OperatorTask* task)
{
    float dx = t->to[0] - t->from[0], dz = t->to[1] - t->from[1];
    float length = __builtin_sqrtf(dx * dx + dz * dz), half = 0.5f * t->width;
    guide_strip(g, t->from, t->to, half, half, task);
    guide_from(g, task, t->from, sim_lesson_floors(g->lesson)->level[g->goal] - t->depth);
    task->rise_x = -t->grade * dx / length, task->rise_z = -t->grade * dz / length;
    task->program = OPERATOR_TRENCH;
    task->sides = guide_sides(t->sides);
    task->axis[0] = task->way[0] = dx / length;
    task->axis[1] = task->way[1] = dz / length;
    task->rail[0] = task->from[0], task->rail[1] = task->from[1];
    task->step = -GUIDE_TRAVEL;
}

// Down the face in strips, the machine beside its toe and travelling along it.
static void guide_slope(const SimGuide* g, const ScenarioSlope* s, OperatorTask* task)
{
    float dx = s->to[0] - s->from[0], dz = s->to[1] - s->from[1];
    float length = __builtin_sqrtf(dx * dx + dz * dz);
    float rise = base_sinf(s->angle) / base_cosf(s->angle);
    guide_strip(g, s->from, s->to, s->length, GUIDE_APRON, task);
    guide_from(g, task, s->from, s->toe);
    task->rise_x = rise * dz / length, task->rise_z = -rise * dx / length;
    task->way[0] = -dz / length, task->way[1] = dx / length;
    task->axis[0] = dx / length, task->axis[1] = dz / length;
    const Machine* m = world_machine(sim_lesson_world(g->lesson), 0);
    Vec3 ahead = quat_rotate(machine_pose(m, 0).rotation, vec3(1.0f, 0.0f, 0.0f));
    Vec3 stand = machine_pose(m, 0).position, at = scenario_from_corner(guide_site(g), stand);
    task->footed = true, task->foot = task->floor;
    task->rail[0] = stand.x, task->rail[1] = stand.z;
    float along = (at.x - s->from[0]) * dx + (at.z - s->from[1]) * dz;
    bool forth = along < 0.5f * length * length; // to the far end
    bool same = ahead.x * dx + ahead.z * dz > 0.0f;
    task->step = forth == same ? GUIDE_STRIP : -GUIDE_STRIP;
}

// A zone to be dug, down to a height.
static bool guide_dig_zone(const SimGuide* g, OperatorTask* task, float below)
{
    const ScenarioZone* zone =
        guide_zone(sim_lesson_scenario(g->lesson), NULL, SCENARIO_ZONE_DIG, SCENARIO_ZONE_DIG);
    if (!zone) {
        return false;
    }
    guide_area(g, zone, task);
    Vec3 stand = machine_pose(world_machine(sim_lesson_world(g->lesson), 0), 0).position;
    task->from[0] = stand.x, task->from[1] = stand.z;
    task->floor = stand.y - below;
    return true;
}

static bool guide_task(SimGuide* g, OperatorTask* task)
{
    const Scenario* s = sim_lesson_scenario(g->lesson);
    const ScenarioGoal* goal = &s->goals[g->goal];
    *task = (OperatorTask){.program = OPERATOR_PIT, .truck = -1};
    if (goal->pit) {
        guide_pit(g, goal->pit, task);
    } else if (goal->trench) {
        guide_trench(g, goal->trench, task);
        task->tolerance = goal->tolerance;
    } else if (goal->slope) {
        guide_slope(g, goal->slope, task);
        task->tolerance = goal->tolerance;
    } else if (goal->load) {
        task->program = OPERATOR_TRUCK;
        for (int k = 0; k < s->object_count; ++k) {
            bool meant = !s->operator.truck || strcmp(s->objects[k].name, s->operator.truck) == 0;
            task->truck =
                meant && s->objects[k].truck ? sim_lesson_truck(g->lesson, k) : task->truck;
        }
        return task->truck >= 0 && guide_dig_zone(g, task, GUIDE_FACE);
    } else if (goal->fill && g->levels) {
        const ScenarioFill* f = goal->fill;
        guide_strip(g, f->from, f->to, 0.5f * f->width + GUIDE_BESIDE,
                    0.5f * f->width + GUIDE_BESIDE, task);
        guide_from(g, task, f->from, f->height);
        task->tolerance = goal->tolerance;
    } else if (goal->pile || goal->fill) {
        bool heap = goal->fill || s->operator.program != SCENARIO_STOCKPILE;
        task->program = OPERATOR_STOCKPILE;
        // what lies on the ground is cleared; when there is nothing, the ground itself is dug
        bool lies = heap || sim_guide_is_heap(g);
        return guide_dig_zone(g, task, lies ? -GUIDE_ABOVE : GUIDE_FACE);
    } else {
        return false;
    }
    return true;
}

// True when soil stands well above the machine's feet where it may be dug.
bool sim_guide_is_heap(const SimGuide* g)
{
    OperatorTask task = {0};
    float top = -1e9f;
    if (!guide_dig_zone(g, &task, 0.0f)) {
        return false;
    }
    for (int k = 0; k < task.corners; ++k) {
        for (int n = 1; n <= 4; ++n) {
            int other = (k + task.corners / 2) % task.corners;
            float t = 0.25f * (float)n;
            float x = task.corner[k][0] + t * (task.corner[other][0] - task.corner[k][0]);
            float z = task.corner[k][1] + t * (task.corner[other][1] - task.corner[k][1]);
            top = base_maxf(top, terrain_height(world_terrain(sim_lesson_world(g->lesson)), x, z));
        }
    }
    return top > task.floor + 0.6f;
}

static int guide_wanted(const Scenario* s)
{
    for (int k = 0; s->operator.goal && k<s->goal_count; ++k) {
        if (strcmp(s->goals[k].name, s->operator.goal) == 0) {
            return k;
        }
    }
    return -1;
}

// The next goal that is not reached and that it can work at, from this one on.
static void guide_next(SimGuide* g, int from)
{
    const Scenario* s = sim_lesson_scenario(g->lesson);
    int wanted = guide_wanted(s);
    g->working = g->drives = false;
    for (int k = from; k < s->goal_count; ++k) {
        OperatorTask task;
        const char* missing;
        g->goal = k;
        if ((wanted >= 0 && k != wanted) || sim_lesson_state(g->lesson)->scenario.done[k]) {
            continue;
        }
        task = (OperatorTask){.truck = -1};
        g->drives = s->goals[k].drive != NULL;
        if (!g->drives && !guide_task(g, &task)) {
            continue;
        }
        g->working = operator_init(&g->hands, (OperatorKind)g->kind, sim_lesson_world(g->lesson), 0,
                                   &task, g->seed + (uint64_t)k, &missing);
        guide_heap(g);
        return;
    }
    g->done = true;
}

// A fill is filled up, levelled, and filled up again where it lacks; true when there is more to do.
static bool guide_levels(SimGuide* g)
{
    bool fill = sim_lesson_scenario(g->lesson)->goals[g->goal].fill != NULL;
    if (!fill || sim_lesson_state(g->lesson)->scenario.done[g->goal]) {
        return false;
    }
    g->rounds += g->levels;
    g->levels = !g->levels;
    return g->rounds < GUIDE_LEVELS;
}

bool sim_guide_begin(SimGuide* g, SimLesson* lesson, OperatorKind kind, BaseYamlError* error)
{
    const Scenario* s = sim_lesson_scenario(lesson);
    *error = (BaseYamlError){0};
    memset(g, 0, sizeof *g);
    g->lesson = lesson;
    g->kind = (int)kind;
    g->seed = (uint64_t)s->seed;
    g->goal = -1;
    const char* missing;
    OperatorTask none = {.truck = -1};
    if (kind == OPERATOR_RANDOM || kind == OPERATOR_IDLE) {
        return g->working = operator_init(&g->hands, kind, sim_lesson_world(lesson), 0, &none,
                                          g->seed, &missing);
    }
    if (s->operator.program == SCENARIO_IDLE) {
        g->done = true;
    } else if (s->operator.program == SCENARIO_FOLLOW) {
        g->working =
            operator_init(&g->hands, kind, sim_lesson_world(lesson), 0, &none, g->seed, &missing);
    } else {
        guide_next(g, 0);
    }
    if (g->done && s->operator.program != SCENARIO_IDLE) {
        snprintf(error->text, sizeof error->text,
                 "%.300s: operator: the built-in operator finds nothing in this lesson that it can "
                 "work at",
                 sim_lesson_path(lesson));
        return false;
    }
    return true;
}

// --- a step --------------------------------------------------------------------------------------

// What is missing on the truck is not worth another bucket.
static bool guide_horn(const SimGuide* g)
{
    const Scenario* s = sim_lesson_scenario(g->lesson);
    const SimLessonState* state = sim_lesson_state(g->lesson);
    const SimTruck* truck = &state->truck[g->hands.task.truck - 1];
    double missing =
        (double)s->objects[truck->object].truck->load -
        coupling_fleet_load(world_fleet(sim_lesson_world(g->lesson)), g->hands.task.truck);
    return truck->phase == SIM_TRUCK_STANDING && g->hands.state.last.payload > 0.0 &&
           missing < GUIDE_HORN * g->hands.state.last.payload;
}

void sim_guide_step(SimGuide* g, InputFrame* out)
{
    memset(out, 0, sizeof *out);
    const Scenario* s = sim_lesson_scenario(g->lesson);
    bool chance = g->kind == OPERATOR_RANDOM || g->kind == OPERATOR_IDLE;
    if (g->done || sim_lesson_state(g->lesson)->scenario.alarm_until >
                       world_time(sim_lesson_world(g->lesson))) {
        return;
    }
    if (!chance && s->operator.program == SCENARIO_FOLLOW) {
        sim_guide_follow(g, sim_lesson_state(g->lesson)->scenario.next, out);
        return;
    }
    if (!chance && g->drives) {
        if (sim_lesson_state(g->lesson)->scenario.done[g->goal]) {
            guide_next(g, g->goal + 1);
        } else {
            sim_guide_follow(g, g->goal, out);
        }
        return;
    }
    int truck = g->hands.task.truck;
    bool loads = !chance && truck >= 0;
    if (loads && guide_horn(g)) {
        out->switches |= INPUT_SWITCH_HORN;
    }
    // with a full bucket in the ground it waits for the next truck
    if (loads && g->hands.state.phase == OPERATOR_CURL &&
        ((out->switches & INPUT_SWITCH_HORN) || !sim_lesson_truck_ready(g->lesson, truck))) {
        return;
    }
    if (!chance && truck < 0 && g->hands.state.phase == OPERATOR_WAIT) {
        guide_heap(g);
        const ScenarioFill* fill = s->goals[g->goal].fill;
        if (fill && !g->levels && guide_heap_fill(g, fill) > -GUIDE_BRIM) {
            g->hands.state.phase = OPERATOR_DONE; // full: it is levelled
        }
    }
    uint16_t horn = out->switches;
    operator_step(&g->hands, sim_lesson_world(g->lesson), out);
    out->switches |= horn;
    if (!chance && operator_done(&g->hands)) {
        bool again = guide_levels(g);
        g->levels = again && g->levels;
        g->rounds = again ? g->rounds : 0;
        guide_next(g, again ? g->goal : g->goal + 1);
    }
}
