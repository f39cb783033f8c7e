// Where goals want the ground to be, where soil counts as what, and how far the ground is from it.
#include "scenario/scenario_internal.h"

#include "base/base_trig.h"

#include <math.h>
#include <string.h>

#define RIM       1.0f // m around goals where digging is digging too much
#define WALL_STEP 0.5f // m over which the slope of a wall is measured

Vec3 scenario_world(const TerrainDef* site, Vec3 from_corner)
{
    return vec3_add(site->origin, from_corner);
}

Vec3 scenario_from_corner(const TerrainDef* site, Vec3 world)
{
    return vec3_sub(world, site->origin);
}

float scenario_world_angle(float angle)
{
    return -angle;
}

bool scenario_in_outline(const float* p, int count, float x, float z)
{
    bool inside = false;
    for (int k = 0, last = count - 2; k + 1 < count; last = k, k += 2) {
        bool crosses = (p[k + 1] > z) != (p[last + 1] > z);
        if (crosses && x < (p[last] - p[k]) * (z - p[k + 1]) / (p[last + 1] - p[k + 1]) + p[k]) {
            inside = !inside;
        }
    }
    return inside;
}

bool scenario_in_zone(const ScenarioZone* zone, float x, float z)
{
    if (zone->radius > 0.0f) {
        float dx = x - zone->center[0], dz = z - zone->center[1];
        return dx * dx + dz * dz <= zone->radius * zone->radius;
    }
    return scenario_in_outline(zone->outline, zone->outline_count, x, z);
}

bool scenario_is_surface(const ScenarioGoal* g)
{
    return g->pit || g->trench || g->slope || g->pad || g->fill;
}

// --- targets -------------------------------------------------------------------------------------

// Along and beside a line from a to b: m from a, m to the left of it (+) and to the right (-).
typedef struct Along {
    float at, beside, length;
} Along;

static Along along(const float a[2], const float b[2], float x, float z)
{
    float dx = b[0] - a[0], dz = b[1] - a[1];
    float length = __builtin_sqrtf(dx * dx + dz * dz);
    float ux = dx / length, uz = dz / length;
    // left of +x is -z: y is up, and x cross y = z
    return (Along){(x - a[0]) * ux + (z - a[1]) * uz, (x - a[0]) * uz - (z - a[1]) * ux, length};
}

// How far outside an interval; 0 inside.
static float outside(float x, float lo, float hi)
{
    return x < lo ? lo - x : x > hi ? x - hi : 0.0f;
}

// Rise of sides per metre; vertical ones rise at once.
static float side_rise(float sides)
{
    double c = base_cos((double)sides);
    return c < 1e-4 ? 1e9f : (float)(base_sin((double)sides) / c);
}

static bool cut_target(float floor, float out, float sides, float ground, float* height)
{
    *height = floor + (out > 0.0f ? out * side_rise(sides) : 0.0f);
    return *height < ground;
}

static bool pit_target(const ScenarioPit* p, float ground, float x, float z, float* height)
{
    float ox = outside(x, p->from[0], p->to[0]), oz = outside(z, p->from[1], p->to[1]);
    return cut_target(ground - p->depth, base_maxf(ox, oz), p->sides, ground, height);
}

static bool trench_target(const ScenarioTrench* t, float ground, float x, float z, float* height)
{
    Along a = along(t->from, t->to, x, z);
    float end = outside(a.at, 0.0f, a.length);
    float side = outside(a.beside, -0.5f * t->width, 0.5f * t->width);
    float fall = base_clampf(a.at, 0.0f, a.length) * t->grade;
    float floor = ground - t->depth - fall;
    return cut_target(floor, base_maxf(end, side), t->sides, ground, height);
}

static bool slope_target(const ScenarioSlope* s, float x, float z, float* height)
{
    Along a = along(s->from, s->to, x, z);
    *height = s->toe + a.beside * side_rise(s->angle);
    return a.at >= 0.0f && a.at <= a.length && a.beside >= 0.0f && a.beside <= s->length;
}

static bool fill_target(const ScenarioFill* f, float x, float z, float* height)
{
    Along a = along(f->from, f->to, x, z);
    *height = f->height;
    return a.at >= 0.0f && a.at <= a.length && fabsf(a.beside) <= 0.5f * f->width;
}

bool scenario_target(const Scenario* s, const ScenarioFloors* floors, int goal, float x, float z,
                     float* height)
{
    const ScenarioGoal* g = &s->goals[goal];
    if (g->pit) {
        return pit_target(g->pit, floors->level[goal], x, z, height);
    }
    if (g->trench) {
        return trench_target(g->trench, floors->level[goal], x, z, height);
    }
    if (g->slope) {
        return slope_target(g->slope, x, z, height);
    }
    if (g->fill) {
        return fill_target(g->fill, x, z, height);
    }
    if (g->pad) {
        *height = g->pad->height;
        return scenario_in_outline(g->pad->outline, g->pad->outline_count, x, z);
    }
    return false;
}

bool scenario_target_at(const Scenario* s, const ScenarioFloors* floors, float x, float z,
                        float* height)
{
    for (int g = s->goal_count - 1; g >= 0; --g) {
        if (scenario_target(s, floors, g, x, z, height)) {
            return true;
        }
    }
    return false;
}

void scenario_place_goals(const Scenario* s, const Terrain* start, ScenarioFloors* out)
{
    const TerrainDef* site = terrain_definition(start);
    memset(out, 0, sizeof *out);
    for (int k = 0; k < s->goal_count; ++k) {
        const ScenarioGoal* g = &s->goals[k];
        Vec3 at = {0};
        if (g->pit) {
            at = vec3(0.5f * (g->pit->from[0] + g->pit->to[0]), 0.0f,
                      0.5f * (g->pit->from[1] + g->pit->to[1]));
        } else if (g->trench) {
            at = vec3(g->trench->from[0], 0.0f, g->trench->from[1]);
        } else {
            continue;
        }
        Vec3 world = scenario_world(site, at);
        out->level[k] = terrain_height(start, world.x, world.z) - site->origin.y;
    }
}

// --- places --------------------------------------------------------------------------------------

static ScorePlace zone_place(int kind)
{
    switch (kind) {
    case SCENARIO_ZONE_DIG: return SCORE_PLACE_DIG;
    case SCENARIO_ZONE_DUMP:
    case SCENARIO_ZONE_SPOIL: return SCORE_PLACE_DUMP;
    case SCENARIO_ZONE_HAUL: return SCORE_PLACE_HAUL;
    default: return SCORE_PLACE_KEEP_OUT;
    }
}

// Zones win over goals, later zones over earlier ones; a swing zone is about people, not soil. Filling
// is dumping.
ScorePlace scenario_place(const Scenario* s, const ScenarioFloors* floors, float x, float z)
{
    float height;
    for (int k = s->zone_count - 1; k >= 0; --k) {
        bool soil = s->zones[k].kind != SCENARIO_ZONE_SWING;
        if (soil && scenario_in_zone(&s->zones[k], x, z)) {
            return zone_place(s->zones[k].kind);
        }
    }
    for (int k = s->goal_count - 1; k >= 0; --k) {
        if (scenario_target(s, floors, k, x, z, &height)) {
            return s->goals[k].fill ? SCORE_PLACE_DUMP : SCORE_PLACE_DIG;
        }
    }
    return SCORE_PLACE_ELSEWHERE;
}

void scenario_place_map(const Scenario* s, const ScenarioFloors* floors, const TerrainDef* site,
                        uint8_t* out)
{
    for (int j = 0; j < site->nz; ++j) {
        for (int i = 0; i < site->nx; ++i) {
            float x = ((float)i + 0.5f) * site->cell, z = ((float)j + 0.5f) * site->cell;
            out[j * site->nx + i] = (uint8_t)scenario_place(s, floors, x, z);
        }
    }
}

static uint64_t column_mass(const Terrain* t, int cell)
{
    return terrain_bank_mass(t, cell) + terrain_loose_mass(t, cell);
}

void scenario_places(const uint8_t* map, const Terrain* now, int64_t out[SCORE_PLACE_COUNT])
{
    const TerrainDef* site = terrain_definition(now);
    memset(out, 0, SCORE_PLACE_COUNT * sizeof *out);
    for (int cell = 0; cell < site->nx * site->nz; ++cell) {
        out[map[cell]] += (int64_t)column_mass(now, cell);
    }
}

void scenario_zone_masses(const Scenario* s, const Terrain* now, double out[SCENARIO_ZONES_MAX])
{
    const TerrainDef* site = terrain_definition(now);
    memset(out, 0, SCENARIO_ZONES_MAX * sizeof *out);
    for (int j = 0; j < site->nz; ++j) {
        for (int i = 0; i < site->nx; ++i) {
            float x = ((float)i + 0.5f) * site->cell, z = ((float)j + 0.5f) * site->cell;
            for (int k = 0; k < s->zone_count; ++k) {
                if (scenario_in_zone(&s->zones[k], x, z)) {
                    out[k] += 1e-6 * (double)column_mass(now, terrain_cell(now, i, j));
                }
            }
        }
    }
}

// --- survey --------------------------------------------------------------------------------------

// Columns that a goal can concern; others are not looked at.
typedef struct Box {
    int i0, i1, j0, j1; // first and behind the last
} Box;

static Box box_of(const TerrainDef* site, float x0, float x1, float z0, float z1)
{
    float cell = site->cell;
    Box b = {(int)(x0 / cell) - 1, (int)(x1 / cell) + 2, (int)(z0 / cell) - 1,
             (int)(z1 / cell) + 2};
    b.i0 = base_maxi(b.i0, 0);
    b.j0 = base_maxi(b.j0, 0);
    b.i1 = base_mini(b.i1, site->nx);
    b.j1 = base_mini(b.j1, site->nz);
    return b;
}

static Box around(const TerrainDef* site, const float a[2], const float b[2], float by)
{
    return box_of(site, base_minf(a[0], b[0]) - by, base_maxf(a[0], b[0]) + by,
                  base_minf(a[1], b[1]) - by, base_maxf(a[1], b[1]) + by);
}

static Box goal_box(const TerrainDef* site, const ScenarioGoal* g)
{
    if (g->pit) {
        return around(site, g->pit->from, g->pit->to,
                      g->pit->depth / side_rise(g->pit->sides) + RIM);
    }
    if (g->trench) {
        const ScenarioTrench* t = g->trench;
        Along a = along(t->from, t->to, t->to[0], t->to[1]);
        float deepest = t->depth + base_maxf(0.0f, a.length * t->grade);
        return around(site, t->from, t->to, 0.5f * t->width + deepest / side_rise(t->sides) + RIM);
    }
    if (g->slope) {
        return around(site, g->slope->from, g->slope->to, g->slope->length + RIM);
    }
    if (g->fill) {
        return around(site, g->fill->from, g->fill->to, 0.5f * g->fill->width + RIM);
    }
    float lo[2] = {1e9f, 1e9f}, hi[2] = {-1e9f, -1e9f};
    for (int k = 0; k < g->pad->outline_count; ++k) {
        lo[k % 2] = base_minf(lo[k % 2], g->pad->outline[k]);
        hi[k % 2] = base_maxf(hi[k % 2], g->pad->outline[k]);
    }
    return box_of(site, lo[0] - RIM, hi[0] + RIM, lo[1] - RIM, hi[1] + RIM);
}

typedef struct Sums {
    double over, under, at_start; // m3; what there was to do
    double over_depth, under_depth;
    double wall; // tangent
    int columns, fine;
    double compact, compact_mass;
} Sums;

// A column of the goal itself. `refilled`: how deep its undisturbed soil was dug below the target, whatever lies there
// now: what was dug too deep does not come back by pushing soil in.
static void sum_inside(Sums* sum, float error, float begun, float refilled, float tolerance,
                       double area)
{
    sum->columns += 1;
    sum->fine += fabsf(error) <= tolerance;
    sum->at_start += fabs((double)begun) * area;
    float deep = refilled > tolerance ? fmaxf(refilled, -error) : -error;
    if (deep > 0.0f) {
        sum->over += (double)deep * area;
        sum->over_depth = fmax(sum->over_depth, (double)deep);
    }
    if (error > 0.0f) {
        sum->under += (double)error * area;
        sum->under_depth = fmax(sum->under_depth, (double)error);
    }
}

// A column beside it: dug into, though nobody asked. What falls there is spoil, not under-dig. Where a wall
// stands a few centimetres off, its own column is dug as deep as the goal: volume, not depth.
static void sum_rim(Sums* sum, float now, float begun, float tolerance, double area, bool wall)
{
    float error = now - begun;
    if (error < -tolerance) {
        sum->over -= (double)error * area;
        sum->over_depth = wall ? sum->over_depth : fmax(sum->over_depth, -(double)error);
    }
}

static bool beside_goal(const Scenario* s, const ScenarioFloors* floors, float x, float z,
                        float cell)
{
    float height;
    return scenario_target_at(s, floors, x - cell, z, &height) ||
           scenario_target_at(s, floors, x + cell, z, &height) ||
           scenario_target_at(s, floors, x, z - cell, &height) ||
           scenario_target_at(s, floors, x, z + cell, &height);
}

static void sum_wall(Sums* sum, const Terrain* t, int i, int j)
{
    const TerrainDef* site = terrain_definition(t);
    int step = base_maxi(1, (int)(WALL_STEP / site->cell + 0.5f));
    float run = (float)step * site->cell;
    const int di[] = {step, 0}, dj[] = {0, step};
    for (int k = 0; k < 2; ++k) {
        int other = terrain_cell(t, i + di[k], j + dj[k]);
        if (other >= 0) {
            float rise = terrain_surface(t, other) - terrain_surface(t, terrain_cell(t, i, j));
            sum->wall = fmax(sum->wall, fabs((double)rise / (double)run));
        }
    }
}

static void sum_compaction(Sums* sum, const Terrain* t, int cell)
{
    double mass = (double)terrain_loose_mass(t, cell);
    sum->compact += mass * (double)terrain_state(t)->compaction[cell] / 65535.0;
    sum->compact_mass += mass;
}

static void sum_column(const Scenario* s, const ScenarioFloors* floors, int goal,
                       const Terrain* now, const float* start, const float* bank, int i, int j,
                       Sums* sum)
{
    const TerrainDef* site = terrain_definition(now);
    const ScenarioGoal* g = &s->goals[goal];
    int cell = terrain_cell(now, i, j);
    double area = (double)site->cell * (double)site->cell;
    float x = ((float)i + 0.5f) * site->cell, z = ((float)j + 0.5f) * site->cell, target;
    float height = terrain_surface(now, cell) - site->origin.y;
    float begun = start[cell] - site->origin.y;
    if (scenario_target(s, floors, goal, x, z, &target)) {
        float was = base_minf(bank[cell] - site->origin.y, target);
        float refilled = g->fill ? 0.0f : was - (terrain_bank_top(now, cell) - site->origin.y);
        sum_inside(sum, height - target, begun - target, refilled, g->tolerance, area);
        if (g->fill) {
            sum_compaction(sum, now, cell);
        }
    } else if (!g->fill && !scenario_target_at(s, floors, x, z, &target)) {
        bool wall = begun - height > g->tolerance && beside_goal(s, floors, x, z, site->cell);
        sum_rim(sum, height, begun, g->tolerance, area, wall);
    }
    sum_wall(sum, now, i, j);
}

static Sums survey_goal(const Scenario* s, const ScenarioFloors* floors, int goal,
                        const Terrain* now, const float* start, const float* bank)
{
    Sums sum = {0};
    Box b = goal_box(terrain_definition(now), &s->goals[goal]);
    for (int j = b.j0; j < b.j1; ++j) {
        for (int i = b.i0; i < b.i1; ++i) {
            sum_column(s, floors, goal, now, start, bank, i, j, &sum);
        }
    }
    return sum;
}

// Done is what is no longer missing, as a part of what was; all of it counts when the tolerance is met.
static float surface_progress(const ScenarioGoal* g, const Sums* sum, float in_tolerance)
{
    double left = g->fill ? sum->over : sum->under;
    float progress = sum->at_start > 0.0 ? (float)(1.0 - left / sum->at_start) : 1.0f;
    progress = base_clampf(progress, 0.0f, 0.99f);
    bool compact = !g->fill || g->fill->compaction <= 0.0f ||
                   (sum->compact_mass > 0.0 &&
                    sum->compact / sum->compact_mass >= (double)g->fill->compaction);
    return in_tolerance >= g->done && compact ? 1.0f : progress;
}

void scenario_survey(const Scenario* s, const ScenarioFloors* floors, const Terrain* now,
                     const float* start, const float* bank, ScenarioSurvey* out)
{
    Sums all = {0};
    memset(out, 0, sizeof *out);
    for (int k = 0; k < s->goal_count; ++k) {
        if (!scenario_is_surface(&s->goals[k])) {
            continue;
        }
        Sums sum = survey_goal(s, floors, k, now, start, bank);
        out->in_tolerance[k] = sum.columns > 0 ? (float)sum.fine / (float)sum.columns : 1.0f;
        out->progress[k] = surface_progress(&s->goals[k], &sum, out->in_tolerance[k]);
        all.over += sum.over;
        all.under += sum.under;
        all.over_depth = fmax(all.over_depth, sum.over_depth);
        all.under_depth = fmax(all.under_depth, sum.under_depth);
        all.wall = fmax(all.wall, sum.wall);
        all.columns += sum.columns;
        all.fine += sum.fine;
        all.compact += sum.compact;
        all.compact_mass += sum.compact_mass;
        out->score.any = true;
    }
    out->score.over = all.over;
    out->score.under = all.under;
    out->score.over_depth = all.over_depth;
    out->score.under_depth = all.under_depth;
    out->score.in_tolerance = all.columns > 0 ? (double)all.fine / all.columns : 0.0;
    out->score.wall_slope = base_atan(all.wall);
    out->score.compaction = all.compact_mass > 0.0 ? all.compact / all.compact_mass : -1.0;
}

void scenario_error_map(const Scenario* s, const ScenarioFloors* floors, const Terrain* now,
                        float* out)
{
    const TerrainDef* site = terrain_definition(now);
    for (int j = 0; j < site->nz; ++j) {
        for (int i = 0; i < site->nx; ++i) {
            int cell = terrain_cell(now, i, j);
            float x = ((float)i + 0.5f) * site->cell, z = ((float)j + 0.5f) * site->cell, target;
            out[cell] = scenario_target_at(s, floors, x, z, &target)
                            ? terrain_surface(now, cell) - site->origin.y - target
                            : SCENARIO_ABSENT;
        }
    }
}
