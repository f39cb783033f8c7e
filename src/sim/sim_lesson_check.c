// What only the built lesson shows: joints that do not go so far, a machine that stands in a wall or half off
// the site, goals in the rock. Told like any other mistake in the file.
#include "sim/sim_lesson_internal.h"

#include "base/base_trig.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define KEY_MAX     128
#define CHECK_SLACK 0.01 // rad beyond a stop that nobody minds

__attribute__((format(printf, 4, 5))) static bool fault(const SimLesson* l, const char* key,
                                                        BaseYamlError* error, const char* format,
                                                        ...)
{
    char what[BASE_YAML_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return base_yaml_fault(l->path, key, error, "%s", what);
}

// --- joints --------------------------------------------------------------------------------------

static const char* const joint_word[] = {"swing", "boom", "stick", "bucket"};

// Angles under a key that this machine's cylinders do not reach.
static bool check_joints(const SimLesson* l, const char* group, const float angle[OPERATOR_JOINTS],
                         BaseYamlError* error)
{
    const double deg = 180.0 / BASE_PI;
    char key[KEY_MAX];
    for (int k = OPERATOR_BOOM; k < OPERATOR_JOINTS; ++k) {
        double a = (double)angle[k], low = l->arm.low[k], high = l->arm.high[k];
        if (!scenario_absent(angle[k]) && (a < low - CHECK_SLACK || a > high + CHECK_SLACK)) {
            snprintf(key, sizeof key, "%s.%s", group, joint_word[k]);
            return fault(l, key, error,
                         "%.0f deg is beyond what this machine's cylinder reaches; allowed is a "
                         "number in deg from %.0f to %.0f",
                         a * deg, ceil(low * deg), floor(high * deg));
        }
    }
    return true;
}

static bool check_poses(const SimLesson* l, BaseYamlError* error)
{
    const ScenarioMachine* m = &l->scenario.machine;
    const float start[OPERATOR_JOINTS] = {0.0f, m->boom, m->stick, m->bucket};
    char group[KEY_MAX];
    if (!check_joints(l, "machine", start, error)) {
        return false;
    }
    for (int k = 0; k < l->scenario.goal_count; ++k) {
        const ScenarioPose* p = l->scenario.goals[k].pose;
        if (!p) {
            continue;
        }
        const float want[OPERATOR_JOINTS] = {p->swing, p->boom, p->stick, p->bucket};
        snprintf(group, sizeof group, "goals.%.64s.pose", l->scenario.goals[k].name);
        if (!check_joints(l, group, want, error)) {
            return false;
        }
    }
    return true;
}

// --- where the machine stands --------------------------------------------------------------------

// A place in the frame of the undercarriage: ahead, and to its right.
static void to_tracks(const SimLesson* l, const float at[2], float out[2])
{
    const ScenarioMachine* m = &l->scenario.machine;
    float dx = at[0] - m->at[0], dz = at[1] - m->at[1];
    float c = base_cosf(m->heading), s = base_sinf(m->heading);
    out[0] = dx * c + dz * s;
    out[1] = dz * c - dx * s;
}

static bool check_corners(const SimLesson* l, BaseYamlError* error)
{
    const ScenarioMachine* m = &l->scenario.machine;
    double wide = (double)l->ground->nx * (double)l->ground->cell;
    double deep = (double)l->ground->nz * (double)l->ground->cell;
    float c = base_cosf(m->heading), s = base_sinf(m->heading);
    for (int k = 0; k < 4; ++k) {
        float a = k & 1 ? l->under[0] : -l->under[0], b = k & 2 ? l->under[1] : -l->under[1];
        double x = (double)(m->at[0] + a * c - b * s), z = (double)(m->at[1] + a * s + b * c);
        if (x < 0.0 || z < 0.0 || x > wide || z > deep) {
            return fault(l, "machine.at", error,
                         "a track stands off the site, at [%.1f, %.1f]; the site is [0, 0] to [%g, "
                         "%g] m, and the tracks are %.1f m long and %.1f m wide over all",
                         x, z, wide, deep, 2.0 * (double)l->under[0], 2.0 * (double)l->under[1]);
        }
    }
    return true;
}

// Whether the way from a to b comes into the box [-half, half]: clipped side by side.
static bool crosses(const float a[2], const float b[2], const float half[2])
{
    float from = 0.0f, to = 1.0f;
    for (int k = 0; k < 2; ++k) {
        float d = b[k] - a[k];
        if (d == 0.0f) {
            if (fabsf(a[k]) > half[k]) {
                return false;
            }
            continue;
        }
        float t0 = (-half[k] - a[k]) / d, t1 = (half[k] - a[k]) / d;
        from = fmaxf(from, fminf(t0, t1));
        to = fminf(to, fmaxf(t0, t1));
    }
    return from <= to;
}

static bool check_objects(const SimLesson* l, BaseYamlError* error)
{
    char key[KEY_MAX];
    for (int k = 0; k < l->scenario.object_count; ++k) {
        const ScenarioObject* o = &l->scenario.objects[k];
        const ScenarioSpot* spot = o->cone ? o->cone : o->stake ? o->stake : o->person;
        const bool waits = o->hidden || (o->truck && !scenario_absent(o->truck->from[0]));
        const float* from = o->wall    ? o->wall->from
                            : spot     ? spot->at
                            : o->truck ? o->truck->at
                                       : NULL;
        const float* to = o->wall ? o->wall->to : from;
        if (!from || waits) {
            continue;
        }
        float a[2], b[2];
        float room = o->wall ? 0.5f * o->wall->thickness : o->truck ? 1.0f : 0.2f;
        const float half[2] = {l->under[0] + room, l->under[1] + room};
        to_tracks(l, from, a);
        to_tracks(l, to, b);
        if (crosses(a, b, half)) {
            snprintf(key, sizeof key, "objects.%.64s", o->name);
            return fault(l, key, error,
                         "stands where the machine's tracks are; move it, or machine.at [%g, %g]",
                         (double)l->scenario.machine.at[0], (double)l->scenario.machine.at[1]);
        }
    }
    return true;
}

// --- goals ---------------------------------------------------------------------------------------

static const char* depth_key(const ScenarioGoal* g)
{
    return g->pit      ? "pit.depth"
           : g->trench ? "trench.depth"
           : g->slope  ? "slope.toe"
           : g->pad    ? "pad.height"
                       : "fill.height";
}

// How far a goal reaches below the rock, and in how many columns it asks for anything.
static int look_below(const SimLesson* l, int goal, float* deepest)
{
    const TerrainState* state = terrain_state(world_terrain(l->world));
    int columns = 0;
    *deepest = 0.0f;
    for (int z = 0; z < l->ground->nz; ++z) {
        for (int x = 0; x < l->ground->nx; ++x) {
            float want,
                at[2] = {((float)x + 0.5f) * l->ground->cell, ((float)z + 0.5f) * l->ground->cell};
            if (scenario_target(&l->scenario, &l->floors, goal, at[0], at[1], &want)) {
                float rock = state->base[z * l->ground->nx + x] - l->ground->origin.y;
                *deepest = fmaxf(*deepest, rock - want);
                ++columns;
            }
        }
    }
    return columns;
}

static bool check_goals(const SimLesson* l, BaseYamlError* error)
{
    char key[KEY_MAX];
    for (int k = 0; k < l->scenario.goal_count; ++k) {
        const ScenarioGoal* g = &l->scenario.goals[k];
        float deepest;
        if (!scenario_is_surface(g)) {
            continue;
        }
        snprintf(key, sizeof key, "goals.%.64s.%s", g->name, depth_key(g));
        if (look_below(l, k, &deepest) == 0) {
            return fault(l, key, error,
                         "the goal covers no column of the ground; make it larger than %g m",
                         (double)l->ground->cell);
        }
        if (deepest > g->tolerance) {
            return fault(l, key, error,
                         "the goal reaches %.2f m into the rock, where nobody digs; raise it, or "
                         "give the site a deeper bedrock",
                         (double)deepest);
        }
        if (!l->scenario.free && l->state.survey.progress[k] >= 1.0f) {
            snprintf(key, sizeof key, "goals.%.64s", g->name);
            return fault(l, key, error,
                         "is reached before anybody has dug; ask for more, or make tolerance or "
                         "done stricter");
        }
    }
    return true;
}

bool sim_lesson_check(const SimLesson* l, BaseYamlError* error)
{
    return check_poses(l, error) && check_corners(l, error) && check_objects(l, error) &&
           check_goals(l, error);
}
