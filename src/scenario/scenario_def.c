// The keys of a lesson file. docs/scenarios.md is this table in words.
#include "scenario/scenario_internal.h"

#include <math.h>

#define PLACE      .unit = "m", .min = -1000, .max = 1000
#define SPAN       .unit = "m", .min = 0.05, .max = 1000
#define ANGLE      .unit = "deg", .min = -360, .max = 360
#define OPTIONAL   .number = (double)SCENARIO_ABSENT
#define DEGREES(x) ((float)((x)*BASE_PI / 180.0))

static bool same_point(const float a[2], const float b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

#define SAME_POINT "must not be the same point as from"

// Angles that may be left out have no range in their field; it is checked here.
static const char* check_angles(const float* angle, const char* const* names, int count,
                                const char** key)
{
    for (int k = 0; k < count; ++k) {
        if (!scenario_absent(angle[k]) && fabsf(angle[k]) > DEGREES(360.0) * 1.0001f) {
            *key = names[k];
            return "out of range; allowed is a number in deg from -360 to 360";
        }
    }
    return NULL;
}

// --- machine and objects -------------------------------------------------------------------------

static const char* check_machine(const void* item, const char** key)
{
    const ScenarioMachine* m = item;
    const float angle[] = {m->boom, m->stick, m->bucket};
    const char* const names[] = {"boom", "stick", "bucket"};
    return check_angles(angle, names, 3, key);
}

static const char* const pattern_words[] = {"any", "iso", "sae", NULL};
static const BaseYamlField machine_fields[] = {
    {BASE_YAML_NAME(ScenarioMachine, vehicle), .required = true},
    {BASE_YAML_VECTOR(ScenarioMachine, at), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioMachine, heading), ANGLE},
    {BASE_YAML_FLOAT(ScenarioMachine, swing), ANGLE},
    {BASE_YAML_FLOAT(ScenarioMachine, boom), .unit = "deg", OPTIONAL},
    {BASE_YAML_FLOAT(ScenarioMachine, stick), .unit = "deg", OPTIONAL},
    {BASE_YAML_FLOAT(ScenarioMachine, bucket), .unit = "deg", OPTIONAL},
    {BASE_YAML_ENUM(ScenarioMachine, pattern, pattern_words), .text = "any"},
};
static const BaseYamlSchema machine_schema =
    BASE_YAML_SCHEMA(ScenarioMachine, machine_fields, .check = check_machine);

static const char* check_pipe(const void* item, const char** key)
{
    const ScenarioPipe* p = item;
    *key = "to";
    return same_point(p->from, p->to) ? SAME_POINT : NULL;
}

static const BaseYamlField pipe_fields[] = {
    {BASE_YAML_VECTOR(ScenarioPipe, from), PLACE, .required = true},
    {BASE_YAML_VECTOR(ScenarioPipe, to), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioPipe, depth), .unit = "m", .min = 0, .max = 20, .required = true},
    {BASE_YAML_FLOAT(ScenarioPipe, diameter), .unit = "mm", .min = 5, .max = 3000,
     .required = true},
    {BASE_YAML_BOOL(ScenarioPipe, marked), .number = 1},
};
static const BaseYamlSchema pipe_schema =
    BASE_YAML_SCHEMA(ScenarioPipe, pipe_fields, .check = check_pipe);

static const char* check_line(const void* item, const char** key)
{
    const ScenarioLine* l = item;
    *key = "to";
    return same_point(l->from, l->to) ? SAME_POINT : NULL;
}

static const BaseYamlField line_fields[] = {
    {BASE_YAML_VECTOR(ScenarioLine, from), PLACE, .required = true},
    {BASE_YAML_VECTOR(ScenarioLine, to), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioLine, height), .unit = "m", .min = 1, .max = 60, .required = true},
    {BASE_YAML_FLOAT(ScenarioLine, clearance), .unit = "m", .min = 0.1, .max = 20, .number = 3},
};
static const BaseYamlSchema line_schema =
    BASE_YAML_SCHEMA(ScenarioLine, line_fields, .check = check_line);

static const BaseYamlField cone_fields[] = {
    {BASE_YAML_VECTOR(ScenarioSpot, at), PLACE, .required = true},
};
static const BaseYamlSchema cone_schema = BASE_YAML_SCHEMA(ScenarioSpot, cone_fields);

static const char* check_person(const void* item, const char** key)
{
    const ScenarioSpot* s = item;
    *key = "speed";
    return scenario_absent(s->walks_to[0]) || s->speed > 0.0f
               ? NULL
               : "must be above 0 for a person who walks";
}

static const BaseYamlField person_fields[] = {
    {BASE_YAML_VECTOR(ScenarioSpot, at), PLACE, .required = true},
    {BASE_YAML_VECTOR(ScenarioSpot, walks_to), PLACE, OPTIONAL},
    {BASE_YAML_FLOAT(ScenarioSpot, speed), .unit = "m/s", .min = 0, .max = 5, .number = 1.2},
};
static const BaseYamlSchema person_schema =
    BASE_YAML_SCHEMA(ScenarioSpot, person_fields, .check = check_person);

static const char* check_wall(const void* item, const char** key)
{
    const ScenarioWall* w = item;
    *key = "to";
    return same_point(w->from, w->to) ? SAME_POINT : NULL;
}

static const BaseYamlField wall_fields[] = {
    {BASE_YAML_VECTOR(ScenarioWall, from), PLACE, .required = true},
    {BASE_YAML_VECTOR(ScenarioWall, to), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioWall, height), .unit = "m", .min = 0.1, .max = 30, .number = 2},
    {BASE_YAML_FLOAT(ScenarioWall, thickness), .unit = "m", .min = 0.05, .max = 5, .number = 0.3},
};
static const BaseYamlSchema wall_schema =
    BASE_YAML_SCHEMA(ScenarioWall, wall_fields, .check = check_wall);

static const char* check_truck(const void* item, const char** key)
{
    const ScenarioTruck* t = item;
    *key = "trips";
    return scenario_absent(t->from[0]) && t->trips > 1
               ? "a truck that comes more than once needs a from"
               : NULL;
}

static const BaseYamlField truck_fields[] = {
    {BASE_YAML_NAME(ScenarioTruck, vehicle), .required = true},
    {BASE_YAML_VECTOR(ScenarioTruck, at), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioTruck, heading), ANGLE},
    {BASE_YAML_FLOAT(ScenarioTruck, load), .unit = "t", .min = 0.1, .max = 400, .required = true},
    {BASE_YAML_VECTOR(ScenarioTruck, from), PLACE, OPTIONAL},
    {BASE_YAML_FLOAT(ScenarioTruck, speed), .unit = "km/h", .min = 1, .max = 40, .number = 10},
    {BASE_YAML_INT(ScenarioTruck, trips), .min = 1, .max = 50, .number = 1},
    {BASE_YAML_FLOAT(ScenarioTruck, pause), .unit = "s", .min = 0, .max = 600, .number = 20},
    {BASE_YAML_FLOAT(ScenarioTruck, payload), .unit = "t", .min = 0, .max = 400},
};
static const BaseYamlSchema truck_schema =
    BASE_YAML_SCHEMA(ScenarioTruck, truck_fields, .check = check_truck);

static const char* check_object(const void* item, const char** key)
{
    const ScenarioObject* o = item;
    int given = !!o->pipe + !!o->cable + !!o->line + !!o->cone + !!o->stake + !!o->person +
                !!o->wall + !!o->truck;
    *key = NULL;
    return given == 1 ? NULL
                      : "must have exactly one kind; allowed is one of pipe, cable, line, cone, "
                        "stake, person, wall, truck";
}

static const BaseYamlField object_fields[] = {
    {BASE_YAML_POINTER(ScenarioObject, pipe, pipe_schema)},
    {BASE_YAML_POINTER(ScenarioObject, cable, pipe_schema)},
    {BASE_YAML_POINTER(ScenarioObject, line, line_schema)},
    {BASE_YAML_POINTER(ScenarioObject, cone, cone_schema)},
    {BASE_YAML_POINTER(ScenarioObject, stake, cone_schema)},
    {BASE_YAML_POINTER(ScenarioObject, person, person_schema)},
    {BASE_YAML_POINTER(ScenarioObject, wall, wall_schema)},
    {BASE_YAML_POINTER(ScenarioObject, truck, truck_schema)},
    {BASE_YAML_BOOL(ScenarioObject, hidden)},
};
static const BaseYamlSchema object_schema =
    BASE_YAML_SCHEMA(ScenarioObject, object_fields, .check = check_object);

// --- goals ---------------------------------------------------------------------------------------

static const char* check_pit(const void* item, const char** key)
{
    const ScenarioPit* p = item;
    *key = "to";
    return p->to[0] <= p->from[0] || p->to[1] <= p->from[1]
               ? "must be larger than from, in x and in z"
               : NULL;
}

static const BaseYamlField pit_fields[] = {
    {BASE_YAML_VECTOR(ScenarioPit, from), PLACE, .required = true},
    {BASE_YAML_VECTOR(ScenarioPit, to), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioPit, depth), .unit = "m", .min = 0.05, .max = 30, .required = true},
    {BASE_YAML_FLOAT(ScenarioPit, sides), .unit = "deg", .min = 15, .max = 90, .number = 90},
};
static const BaseYamlSchema pit_schema =
    BASE_YAML_SCHEMA(ScenarioPit, pit_fields, .check = check_pit);

static const char* check_trench(const void* item, const char** key)
{
    const ScenarioTrench* t = item;
    *key = "to";
    return same_point(t->from, t->to) ? SAME_POINT : NULL;
}

static const BaseYamlField trench_fields[] = {
    {BASE_YAML_VECTOR(ScenarioTrench, from), PLACE, .required = true},
    {BASE_YAML_VECTOR(ScenarioTrench, to), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioTrench, width), SPAN, .required = true},
    {BASE_YAML_FLOAT(ScenarioTrench, depth), .unit = "m", .min = 0.05, .max = 30, .required = true},
    {BASE_YAML_FLOAT(ScenarioTrench, grade), .unit = "%", .min = -30, .max = 30},
    {BASE_YAML_FLOAT(ScenarioTrench, sides), .unit = "deg", .min = 15, .max = 90, .number = 90},
};
static const BaseYamlSchema trench_schema =
    BASE_YAML_SCHEMA(ScenarioTrench, trench_fields, .check = check_trench);

static const char* check_slope(const void* item, const char** key)
{
    const ScenarioSlope* s = item;
    *key = "to";
    return same_point(s->from, s->to) ? SAME_POINT : NULL;
}

static const BaseYamlField slope_fields[] = {
    {BASE_YAML_VECTOR(ScenarioSlope, from), PLACE, .required = true},
    {BASE_YAML_VECTOR(ScenarioSlope, to), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioSlope, toe), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioSlope, angle), .unit = "deg", .min = 1, .max = 75, .required = true},
    {BASE_YAML_FLOAT(ScenarioSlope, length), SPAN, .required = true},
};
static const BaseYamlSchema slope_schema =
    BASE_YAML_SCHEMA(ScenarioSlope, slope_fields, .check = check_slope);

static double outline_area(const float* p, int count)
{
    double sum = 0.0;
    for (int k = 0; k + 1 < count; k += 2) {
        int next = (k + 2) % count;
        sum += (double)p[k] * (double)p[next + 1] - (double)p[next] * (double)p[k + 1];
    }
    return fabs(sum) / 2.0;
}

static const char* check_numbers(const float* p, int count)
{
    for (int k = 0; k < count; ++k) {
        if (!(fabsf(p[k]) <= 1000.0f)) {
            return "has a coordinate out of range; allowed are -1000 to 1000 m";
        }
    }
    return NULL;
}

// Twice the area of a triangle, with the sign of its turn.
static double turn(const float* a, const float* b, const float* c)
{
    return ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
           ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]);
}

// Whether two of its sides that do not meet in a corner cross each other.
static bool outline_crosses(const float* p, int corners)
{
    for (int k = 0; k < corners; ++k) {
        const float *a = &p[2 * k], *b = &p[2 * ((k + 1) % corners)];
        for (int n = k + 2; n < corners; ++n) {
            const float *c = &p[2 * n], *d = &p[2 * ((n + 1) % corners)];
            if (d != a && turn(a, b, c) * turn(a, b, d) < 0.0 &&
                turn(c, d, a) * turn(c, d, b) < 0.0) {
                return true;
            }
        }
    }
    return false;
}

static const char* check_outline(const float* p, int count)
{
    if (count % 2 != 0) {
        return "has an odd number of values; they are x, z, x, z, ...";
    }
    const char* what = check_numbers(p, count);
    if (what) {
        return what;
    }
    if (outline_crosses(p, count / 2)) {
        return "crosses itself; go round the area, corner by corner, in one direction";
    }
    return outline_area(p, count) < 0.01 ? "encloses no area" : NULL;
}

#define OUTLINE .unit = "m", .min = 6, .max = 2 * SCENARIO_POINTS_MAX

static const char* check_pad(const void* item, const char** key)
{
    const ScenarioPad* p = item;
    *key = "outline";
    return check_outline(p->outline, p->outline_count);
}

static const BaseYamlField pad_fields[] = {
    {BASE_YAML_FLOAT_LIST(ScenarioPad, outline, outline_count), OUTLINE, .required = true},
    {BASE_YAML_FLOAT(ScenarioPad, height), PLACE, .required = true},
};
static const BaseYamlSchema pad_schema =
    BASE_YAML_SCHEMA(ScenarioPad, pad_fields, .check = check_pad);

static const char* check_fill(const void* item, const char** key)
{
    const ScenarioFill* f = item;
    *key = "to";
    return same_point(f->from, f->to) ? SAME_POINT : NULL;
}

static const BaseYamlField fill_fields[] = {
    {BASE_YAML_VECTOR(ScenarioFill, from), PLACE, .required = true},
    {BASE_YAML_VECTOR(ScenarioFill, to), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioFill, width), SPAN, .required = true},
    {BASE_YAML_FLOAT(ScenarioFill, height), PLACE, .required = true},
    {BASE_YAML_FLOAT(ScenarioFill, compaction), .unit = "%", .min = 0, .max = 100},
    {BASE_YAML_FLOAT(ScenarioFill, lift), .unit = "m", .min = 0.05, .max = 2, .number = 0.3},
};
static const BaseYamlSchema fill_schema =
    BASE_YAML_SCHEMA(ScenarioFill, fill_fields, .check = check_fill);

static const char* check_pose(const void* item, const char** key)
{
    const ScenarioPose* p = item;
    const float angle[] = {p->swing, p->boom, p->stick, p->bucket};
    const char* const names[] = {"swing", "boom", "stick", "bucket"};
    *key = NULL;
    if (scenario_absent(angle[0]) && scenario_absent(angle[1]) && scenario_absent(angle[2]) &&
        scenario_absent(angle[3])) {
        return "asks for nothing; give at least one of swing, boom, stick, bucket";
    }
    return check_angles(angle, names, 4, key);
}

static const BaseYamlField pose_fields[] = {
    {BASE_YAML_FLOAT(ScenarioPose, swing), .unit = "deg", OPTIONAL},
    {BASE_YAML_FLOAT(ScenarioPose, boom), .unit = "deg", OPTIONAL},
    {BASE_YAML_FLOAT(ScenarioPose, stick), .unit = "deg", OPTIONAL},
    {BASE_YAML_FLOAT(ScenarioPose, bucket), .unit = "deg", OPTIONAL},
    {BASE_YAML_FLOAT(ScenarioPose, tolerance), .unit = "deg", .min = 0.5, .max = 45, .number = 4},
    {BASE_YAML_FLOAT(ScenarioPose, hold), .unit = "s", .min = 0, .max = 60, .number = 1},
};
static const BaseYamlSchema pose_schema =
    BASE_YAML_SCHEMA(ScenarioPose, pose_fields, .check = check_pose);

static const char* check_points(const float* p, int count, int of)
{
    if (count % of != 0) {
        return of == 3 ? "has a wrong number of values; they are x, y, z, x, y, z, ..."
                       : "has an odd number of values; they are x, z, x, z, ...";
    }
    return check_numbers(p, count);
}

static const char* check_reach(const void* item, const char** key)
{
    const ScenarioReach* r = item;
    *key = "points";
    return check_points(r->points, r->points_count, 3);
}

static const BaseYamlField reach_fields[] = {
    {BASE_YAML_FLOAT_LIST(ScenarioReach, points, points_count), .unit = "m", .min = 3,
     .max = 3 * SCENARIO_POINTS_MAX, .required = true},
    {BASE_YAML_FLOAT(ScenarioReach, radius), .unit = "m", .min = 0.02, .max = 5, .number = 0.3},
    {BASE_YAML_FLOAT(ScenarioReach, hold), .unit = "s", .min = 0, .max = 60, .number = 0.5},
};
static const BaseYamlSchema reach_schema =
    BASE_YAML_SCHEMA(ScenarioReach, reach_fields, .check = check_reach);

static const char* check_trace(const void* item, const char** key)
{
    const ScenarioTrace* t = item;
    *key = "points";
    const char* what = check_points(t->points, t->points_count, 3);
    if (what) {
        return what;
    }
    const char* const names[] = {"level"};
    return check_angles(&t->level, names, 1, key);
}

static const BaseYamlField trace_fields[] = {
    {BASE_YAML_FLOAT_LIST(ScenarioTrace, points, points_count), .unit = "m", .min = 6,
     .max = 3 * SCENARIO_POINTS_MAX, .required = true},
    {BASE_YAML_FLOAT(ScenarioTrace, radius), .unit = "m", .min = 0.02, .max = 5, .number = 0.3},
    {BASE_YAML_FLOAT(ScenarioTrace, level), .unit = "deg", OPTIONAL},
};
static const BaseYamlSchema trace_schema =
    BASE_YAML_SCHEMA(ScenarioTrace, trace_fields, .check = check_trace);

static const char* check_drive(const void* item, const char** key)
{
    const ScenarioDrive* d = item;
    *key = "points";
    return check_points(d->points, d->points_count, 2);
}

static const BaseYamlField drive_fields[] = {
    {BASE_YAML_FLOAT_LIST(ScenarioDrive, points, points_count), .unit = "m", .min = 2,
     .max = 2 * SCENARIO_POINTS_MAX, .required = true},
    {BASE_YAML_FLOAT(ScenarioDrive, radius), .unit = "m", .min = 0.2, .max = 20, .number = 1},
};
static const BaseYamlSchema drive_schema =
    BASE_YAML_SCHEMA(ScenarioDrive, drive_fields, .check = check_drive);

static const BaseYamlField load_fields[] = {
    {BASE_YAML_INT(ScenarioLoad, trucks), .min = 1, .max = 50, .number = 1},
};
static const BaseYamlSchema load_schema = BASE_YAML_SCHEMA(ScenarioLoad, load_fields);

static const BaseYamlField pile_fields[] = {
    {BASE_YAML_NAME(ScenarioPile, zone), .required = true},
    {BASE_YAML_FLOAT(ScenarioPile, mass), .unit = "t", .min = 0.05, .max = 5000, .required = true},
};
static const BaseYamlSchema pile_schema = BASE_YAML_SCHEMA(ScenarioPile, pile_fields);

static const char* check_goal(const void* item, const char** key)
{
    const ScenarioGoal* g = item;
    int given = !!g->pit + !!g->trench + !!g->slope + !!g->pad + !!g->fill + !!g->pose +
                !!g->reach + !!g->trace + !!g->drive + !!g->load + !!g->pile;
    *key = NULL;
    return given == 1 ? NULL
                      : "must have exactly one kind; allowed is one of pit, trench, slope, pad, "
                        "fill, pose, reach, trace, drive, load, pile";
}

static const BaseYamlField goal_fields[] = {
    {BASE_YAML_STRING(ScenarioGoal, hint), .min = 1, .max = 200},
    {BASE_YAML_FLOAT(ScenarioGoal, tolerance), .unit = "m", .min = 0.01, .max = 2, .number = 0.1},
    {BASE_YAML_FLOAT(ScenarioGoal, done), .unit = "%", .min = 1, .max = 100, .number = 90},
    {BASE_YAML_POINTER(ScenarioGoal, pit, pit_schema)},
    {BASE_YAML_POINTER(ScenarioGoal, trench, trench_schema)},
    {BASE_YAML_POINTER(ScenarioGoal, slope, slope_schema)},
    {BASE_YAML_POINTER(ScenarioGoal, pad, pad_schema)},
    {BASE_YAML_POINTER(ScenarioGoal, fill, fill_schema)},
    {BASE_YAML_POINTER(ScenarioGoal, pose, pose_schema)},
    {BASE_YAML_POINTER(ScenarioGoal, reach, reach_schema)},
    {BASE_YAML_POINTER(ScenarioGoal, trace, trace_schema)},
    {BASE_YAML_POINTER(ScenarioGoal, drive, drive_schema)},
    {BASE_YAML_POINTER(ScenarioGoal, load, load_schema)},
    {BASE_YAML_POINTER(ScenarioGoal, pile, pile_schema)},
};
static const BaseYamlSchema goal_schema =
    BASE_YAML_SCHEMA(ScenarioGoal, goal_fields, .check = check_goal);

// --- zones, events, criteria ---------------------------------------------------------------------

static const char* check_zone(const void* item, const char** key)
{
    const ScenarioZone* z = item;
    bool circle = z->radius > 0.0f;
    *key = circle ? "radius" : "outline";
    if (circle == (z->outline_count > 0)) {
        return "a zone has either an outline or a center and a radius above 0";
    }
    if (circle) {
        *key = "center";
        return scenario_absent(z->center[0]) ? "missing; a circle has its center and a radius"
                                             : NULL;
    }
    return check_outline(z->outline, z->outline_count);
}

static const char* const zone_words[] = {"dig", "dump", "spoil", "haul", "keep_out", "swing", NULL};
static const BaseYamlField zone_fields[] = {
    {BASE_YAML_ENUM(ScenarioZone, kind, zone_words), .required = true},
    {BASE_YAML_FLOAT_LIST(ScenarioZone, outline, outline_count), OUTLINE},
    {BASE_YAML_VECTOR(ScenarioZone, center), PLACE, OPTIONAL},
    {BASE_YAML_FLOAT(ScenarioZone, radius), .unit = "m", .min = 0, .max = 500},
};
static const BaseYamlSchema zone_schema =
    BASE_YAML_SCHEMA(ScenarioZone, zone_fields, .check = check_zone);

static const char* check_event(const void* item, const char** key)
{
    const ScenarioEvent* e = item;
    bool time = !scenario_absent(e->time), progress = !scenario_absent(e->progress);
    *key = "time";
    if (time == progress) {
        return "an event has either a time or a progress";
    }
    if (time && (e->time < 0.0f || e->time > 14400.0f)) {
        return "out of range; allowed is a number in s from 0 to 14400";
    }
    *key = "progress";
    if (progress && (e->progress < 0.0f || e->progress > 1.0f)) {
        return "out of range; allowed is a number in % from 0 to 100";
    }
    *key = "goal";
    if (time && e->goal) {
        return "belongs to progress: of which goal";
    }
    *key = "object";
    bool moves = e->does == SCENARIO_APPEAR || e->does == SCENARIO_LEAVE;
    if (moves != (e->object != NULL)) {
        return moves ? "missing; appear and leave name an object"
                     : "only appear and leave name an object";
    }
    *key = "say";
    if (e->does == SCENARIO_SAY && !e->say) {
        return "missing; this event has nothing else to do";
    }
    *key = "fault";
    if ((e->does == SCENARIO_FAULT) != (e->fault != SCENARIO_FAULT_NONE)) {
        return e->does == SCENARIO_FAULT ? "missing; which fault?" : "belongs to does: fault";
    }
    return NULL;
}

static const char* const event_words[] = {"say",     "alarm", "appear", "leave",
                                          "weather", "fault", NULL};
static const char* const weather_words[] = {"dry", "moist", "wet", NULL};
static const char* const fault_words[] = {"none", "slow_pump", "weak_boom", "engine_hot", NULL};
static const BaseYamlField event_fields[] = {
    {BASE_YAML_ENUM(ScenarioEvent, does, event_words), .required = true},
    {BASE_YAML_FLOAT(ScenarioEvent, time), .unit = "s", OPTIONAL},
    {BASE_YAML_FLOAT(ScenarioEvent, progress), .unit = "%", OPTIONAL},
    {BASE_YAML_NAME(ScenarioEvent, goal)},
    {BASE_YAML_FLOAT(ScenarioEvent, duration), .unit = "s", .min = 0, .max = 3600, .number = 8},
    {BASE_YAML_STRING(ScenarioEvent, say), .min = 1, .max = 200},
    {BASE_YAML_NAME(ScenarioEvent, object)},
    {BASE_YAML_ENUM(ScenarioEvent, weather, weather_words), .text = "wet"},
    {BASE_YAML_ENUM(ScenarioEvent, fault, fault_words), .text = "none"},
};
static const BaseYamlSchema event_schema =
    BASE_YAML_SCHEMA(ScenarioEvent, event_fields, .check = check_event);

static const char* check_criterion(const void* item, const char** key)
{
    const ScenarioCriterion* c = item;
    bool low = c->at_least > -1e29f, high = c->at_most < 1e29f;
    *key = "at_most";
    if (!low && !high) {
        return "missing; a criterion has at_least, at_most or both";
    }
    return low && high && c->at_least > c->at_most ? "must not be below at_least" : NULL;
}

static const char* const pillar_words[] = {"safety", "quality", "economy", NULL};
static const char* const severity_words[] = {"minor", "major", "critical", NULL};
static const BaseYamlField criterion_fields[] = {
    {BASE_YAML_NAME(ScenarioCriterion, measure), .required = true},
    {BASE_YAML_FLOAT(ScenarioCriterion, at_least), .number = -SCORE_UNBOUNDED},
    {BASE_YAML_FLOAT(ScenarioCriterion, at_most), .number = SCORE_UNBOUNDED},
    {BASE_YAML_FLOAT(ScenarioCriterion, margin), .min = 0, .max = 1e6},
    {BASE_YAML_FLOAT(ScenarioCriterion, weight), .min = 0, .max = 100, .number = 1},
    {BASE_YAML_ENUM(ScenarioCriterion, pillar, pillar_words), .required = true},
    {BASE_YAML_ENUM(ScenarioCriterion, severity, severity_words), .text = "minor"},
};
static const BaseYamlSchema criterion_schema =
    BASE_YAML_SCHEMA(ScenarioCriterion, criterion_fields, .check = check_criterion);

static const char* check_pillars(const void* item, const char** key)
{
    const ScenarioPillars* p = item;
    *key = "safety";
    return p->safety + p->quality + p->economy > 0.0f ? NULL : "the three must not all be 0";
}

static const BaseYamlField pillar_fields[] = {
    {BASE_YAML_FLOAT(ScenarioPillars, safety), .min = 0, .max = 100, .number = 40},
    {BASE_YAML_FLOAT(ScenarioPillars, quality), .min = 0, .max = 100, .number = 35},
    {BASE_YAML_FLOAT(ScenarioPillars, economy), .min = 0, .max = 100, .number = 25},
};
static const BaseYamlSchema pillar_schema =
    BASE_YAML_SCHEMA(ScenarioPillars, pillar_fields, .check = check_pillars);

static const char* const program_words[] = {"idle",     "pit",    "trench", "load", "stockpile",
                                            "backfill", "follow", "slope",  NULL};
static const BaseYamlField operator_fields[] = {
    {BASE_YAML_ENUM(ScenarioOperator, program, program_words), .text = "idle"},
    {BASE_YAML_NAME(ScenarioOperator, goal)},
    {BASE_YAML_NAME(ScenarioOperator, dump)},
    {BASE_YAML_NAME(ScenarioOperator, truck)},
    {BASE_YAML_FLOAT(ScenarioOperator, cut), .unit = "m", .min = 0, .max = 2},
};
static const BaseYamlSchema operator_schema = BASE_YAML_SCHEMA(ScenarioOperator, operator_fields);

// --- the lesson ----------------------------------------------------------------------------------

static const char* check_scenario(const void* item, const char** key)
{
    const Scenario* s = item;
    *key = "site";
    if ((s->site != NULL) == (s->own_site != NULL)) {
        return s->site ? "only one of site and own_site can be given"
                       : "missing; a lesson has a site or an own_site";
    }
    *key = "time_limit";
    if (!s->free && s->time_limit <= 0.0f) {
        return "missing; only free practice goes without a time limit above 0 min";
    }
    *key = "criteria";
    if (!s->free && s->criterion_count == 0) {
        return "missing; only free practice goes without criteria";
    }
    *key = "goals";
    return !s->free && s->goal_count == 0 ? "missing; only free practice goes without goals" : NULL;
}

static const char* const level_words[] = {"first", "basic", "advanced", NULL};
static const BaseYamlField scenario_fields[] = {
    {BASE_YAML_STRING(Scenario, title), .min = 1, .max = 60, .required = true},
    {BASE_YAML_STRING(Scenario, description), .text = "", .min = 0, .max = 300},
    {BASE_YAML_STRING(Scenario, instructions), .text = "", .min = 0, .max = 3000},
    {BASE_YAML_ENUM(Scenario, level, level_words), .text = "basic"},
    {BASE_YAML_FLOAT(Scenario, time_limit), .unit = "min", .min = 0, .max = 240},
    {BASE_YAML_BOOL(Scenario, free)},
    {BASE_YAML_STRING(Scenario, site), .min = 1, .max = 255},
    {BASE_YAML_POINTER(Scenario, own_site, site_def_schema)},
    {BASE_YAML_ENUM(Scenario, weather, weather_words), .text = "moist"},
    {BASE_YAML_INT(Scenario, seed), .min = 0, .max = 2147483647, .number = 1},
    {BASE_YAML_OBJECT(Scenario, machine, machine_schema), .required = true},
    {BASE_YAML_MAP(Scenario, objects, object_count, object_schema, ScenarioObject, name), .min = 0,
     .max = SCENARIO_OBJECTS_MAX},
    {BASE_YAML_MAP(Scenario, goals, goal_count, goal_schema, ScenarioGoal, name), .min = 0,
     .max = SCENARIO_GOALS_MAX},
    {BASE_YAML_MAP(Scenario, zones, zone_count, zone_schema, ScenarioZone, name), .min = 0,
     .max = SCENARIO_ZONES_MAX},
    {BASE_YAML_MAP(Scenario, events, event_count, event_schema, ScenarioEvent, name), .min = 0,
     .max = SCENARIO_EVENTS_MAX},
    {BASE_YAML_LIST(Scenario, criteria, criterion_count, criterion_schema), .min = 0,
     .max = SCORE_CRITERIA_MAX},
    {BASE_YAML_OBJECT(Scenario, pillars, pillar_schema)},
    {BASE_YAML_FLOAT(Scenario, pass), .min = 0, .max = 100, .number = 60},
    {BASE_YAML_OBJECT(Scenario, operator, operator_schema)},
};
const BaseYamlSchema scenario_schema =
    BASE_YAML_SCHEMA(Scenario, scenario_fields, .check = check_scenario);
