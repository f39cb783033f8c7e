#include "machine/machine_check.h"

#include "machine/machine_internal.h"

#include <stdio.h>

#define SLACK   0.005 // m, a cylinder at the joint's limit may miss its stroke by this
#define LOOKS   180   // joint values looked at between the limits
#define ARM_MIN 0.01  // of the longest arm: below it the cylinder is at a dead centre

typedef struct Place {
    char key[160];
} Place;

static Place place(const char* map, const char* name, const char* key)
{
    Place p;
    snprintf(p.key, sizeof p.key, "%s.%s.%s", map, name, key);
    return p;
}

// --- names -----------------------------------------------------------------------------------------

static bool find(const char* path, const MachineDef* def, const char* map, const char* item,
                 const char* key, const char* wanted, int* out, BaseYamlError* error)
{
    *out = machine_find_body(def, wanted);
    return *out >= 0 ||
           base_yaml_fault(path, place(map, item, key).key, error,
                           "there is no body %s; allowed are the names of bodies", wanted);
}

static bool name_bodies(const char* path, MachineDef* def, BaseYamlError* error)
{
    for (int i = 0; i < def->body_count; ++i) {
        MachineBody* body = &def->bodies[i];
        body->parent = -1;
        if (i == 0 && body->parent_name)
            return base_yaml_fault(path, place("bodies", body->name, "parent").key, error,
                                   "belongs to no first body: it is the root");
        if (i == 0)
            continue;
        if (!body->parent_name)
            return base_yaml_fault(path, place("bodies", body->name, "parent").key, error,
                                   "is missing; only the first body has none");
        if (!find(path, def, "bodies", body->name, "parent", body->parent_name, &body->parent,
                  error))
            return false;
        if (body->parent >= i)
            return base_yaml_fault(path, place("bodies", body->name, "parent").key, error,
                                   "must come before it; %s comes later", body->parent_name);
    }
    return true;
}

static bool name_cylinders(const char* path, MachineDef* def, BaseYamlError* error)
{
    for (int i = 0; i < def->cylinder_count; ++i) {
        MachineCylinder* c = &def->cylinders[i];
        if (!find(path, def, "cylinders", c->name, "from", c->from_name, &c->from, error) ||
            !find(path, def, "cylinders", c->name, "to", c->to_name, &c->to, error))
            return false;
        if (def->bodies[c->to].parent != c->from)
            return base_yaml_fault(path, place("cylinders", c->name, "to").key, error,
                                   "must be a body carried by %s: a cylinder spans one joint",
                                   c->from_name);
    }
    return true;
}

static int find_train(const MachineDef* def, const char* name)
{
    for (int i = 0; name && i < def->train_count; ++i)
        if (strcmp(def->trains[i].name, name) == 0)
            return i;
    return -1;
}

static bool name_runners(const char* path, MachineDef* def, BaseYamlError* error)
{
    for (int i = 0; i < def->runner_count; ++i) {
        MachineRunner* r = &def->runners[i];
        if (!find(path, def, "runners", r->name, "body", r->body_name, &r->body, error))
            return false;
        r->train = find_train(def, r->train_name);
        if (r->train_name && r->train < 0)
            return base_yaml_fault(path, place("runners", r->name, "train").key, error,
                                   "there is no train %s; allowed are the names of trains",
                                   r->train_name);
    }
    for (int t = 0; t < def->train_count; ++t) {
        bool used = false;
        for (int i = 0; i < def->runner_count; ++i)
            used = used || def->runners[i].train == t;
        if (!used)
            return base_yaml_fault(path, place("trains", def->trains[t].name, "force").key, error,
                                   "moves nothing: no runner names this train");
    }
    return true;
}

#define NAME_ALL(map, items, count)                                                                \
    for (int i = 0; i < (count); ++i)                                                              \
        if (!find(path, def, map, (items)[i].name, "body", (items)[i].body_name, &(items)[i].body, \
                  error))                                                                          \
            return false;

bool machine_check_names(const char* path, MachineDef* def, BaseYamlError* error)
{
    if (!name_bodies(path, def, error) || !name_cylinders(path, def, error) ||
        !name_runners(path, def, error))
        return false;
    NAME_ALL("motors", def->motors, def->motor_count)
    NAME_ALL("shapes", def->shapes, def->shape_count)
    NAME_ALL("tools", def->tools, def->tool_count)
    NAME_ALL("bins", def->bins, def->bin_count)
    NAME_ALL("cameras", def->cameras, def->camera_count)
    NAME_ALL("lights", def->lights, def->light_count)
    for (int i = 0; i < def->motor_count; ++i)
        if (def->motors[i].body == 0)
            return base_yaml_fault(path, place("motors", def->motors[i].name, "body").key, error,
                                   "must have a joint; %s is the root", def->motors[i].body_name);
    return true;
}

// --- cylinders against joints ----------------------------------------------------------------------

static double shown(const MachineBody* body, double joint)
{
    return body->joint == MACHINE_SLIDE ? joint : joint / BASE_DEG;
}

static const char* unit_of(const MachineBody* body)
{
    return body->joint == MACHINE_SLIDE ? "m" : "deg";
}

// At one joint value: the linkage closes, and the length is within the stroke.
static bool fits_at(const char* path, const MachineDef* def, int i, double joint, bool limit,
                    BaseYamlError* error)
{
    const MachineCylinder* c = &def->cylinders[i];
    const MachineBody* body = &def->bodies[c->to];
    MachineReach r = machine_reach(def, i, joint);
    double closed = (double)c->closed, open = closed + (double)c->stroke;
    const char* unit = unit_of(body);
    if (!r.closes)
        return base_yaml_fault(path, place("cylinders", c->name, "linkage").key, error,
                               "cannot close: idler and link do not meet with %s at %.1f %s",
                               body->name, shown(body, joint), unit);
    if (r.length >= closed - SLACK && r.length <= open + SLACK)
        return true;
    if (limit)
        return base_yaml_fault(
            path,
            place("bodies", body->name, body->joint == MACHINE_SLIDE ? "travel" : "angle").key,
            error,
            "%.1f %s is out of reach of the cylinder %s: it would be %.0f mm long; allowed is %.0f "
            "to %.0f mm",
            shown(body, joint), unit, c->name, 1000.0 * r.length, 1000.0 * closed, 1000.0 * open);
    return base_yaml_fault(path, place("cylinders", c->name, "closed").key, error,
                           "the pins are out of reach with %s at %.1f %s: they are %.0f mm apart, "
                           "the cylinder spans %.0f to %.0f mm",
                           body->name, shown(body, joint), unit, 1000.0 * r.length, 1000.0 * closed,
                           1000.0 * open);
}

// No dead centre between the ends of its way: there it could not move the joint, or would move it
// either way.
static bool pulls_all_way(const char* path, const MachineDef* def, int i, double lo, double hi,
                          BaseYamlError* error)
{
    const MachineCylinder* c = &def->cylinders[i];
    const MachineBody* body = &def->bodies[c->to];
    double most = 0.0, least = 1e9, where = lo;
    bool plus = false, minus = false;
    for (int k = 0; k <= LOOKS; ++k) {
        double joint = lo + (hi - lo) * k / LOOKS;
        MachineReach r = machine_reach(def, i, joint);
        double arm = r.arm < 0.0 ? -r.arm : r.arm;
        plus = plus || r.arm > 0.0;
        minus = minus || r.arm < 0.0;
        most = arm > most ? arm : most;
        if (arm < least)
            least = arm, where = joint;
    }
    if (least > ARM_MIN * most && !(plus && minus))
        return true;
    return base_yaml_fault(
        path, place("cylinders", c->name, c->linkage ? "linkage" : "to_pin").key, error,
        "has a dead centre with %s at %.1f %s: the cylinder cannot turn it there", body->name,
        shown(body, where), unit_of(body));
}

static bool check_fit(const char* path, const MachineDef* def, int i, BaseYamlError* error)
{
    const MachineBody* body = &def->bodies[def->cylinders[i].to];
    if (!fits_at(path, def, i, (double)body->start, false, error))
        return false;
    double lo = (double)body->lower, hi = (double)body->upper;
    if (body->limited) {
        for (int k = 0; k <= LOOKS; ++k)
            if (!fits_at(path, def, i, lo + (hi - lo) * k / LOOKS, true, error))
                return false;
    } else {
        double range = body->joint == MACHINE_SLIDE ? 20.0 : BASE_PI;
        lo = (double)body->start - range;
        hi = (double)body->start + range;
        if (!machine_reach_range(def, i, &lo, &hi))
            return base_yaml_fault(path, place("cylinders", def->cylinders[i].name, "closed").key,
                                   error, "the stroke leaves %s no way to move", body->name);
    }
    return pulls_all_way(path, def, i, lo, hi, error);
}

// --- does it stand? --------------------------------------------------------------------------------

static bool count_parts(const char* path, const MachineDef* def, BaseYamlError* error)
{
    if (def->roller_count > MACHINE_ROLLERS_MAX)
        return base_yaml_fault(path, "runners", error, "have %d rollers together; allowed are %d",
                               def->roller_count, MACHINE_ROLLERS_MAX);
    if (def->actuator_count > MACHINE_ACTUATORS_MAX)
        return base_yaml_fault(path, "cylinders", error,
                               "with motors and trains are %d; allowed are %d together",
                               def->actuator_count, MACHINE_ACTUATORS_MAX);
    int probes = 0;
    for (int i = 0; i < def->shape_count; ++i) {
        const MachineShape* s = &def->shapes[i];
        probes += s->kind == MACHINE_SHELL   ? 3 * (s->outline_count / 2)
                  : s->kind == MACHINE_CHEEK ? s->outline_count / 2
                  : s->kind == MACHINE_BOX   ? 8
                                             : 3;
    }
    return probes <= MACHINE_PROBES_MAX ||
           base_yaml_fault(path, "shapes", error, "have %d points together; allowed are %d", probes,
                           MACHINE_PROBES_MAX);
}

// Over the rectangle of its rollers, with joints at their start.
static bool check_stand(const char* path, const MachineDef* def, BaseYamlError* error)
{
    if (def->runner_count == 0)
        return true;
    Machine* machine = machine_create(def);
    if (!machine)
        return base_yaml_fault(path, "bodies", error, "need more memory than there is");
    Vec3 com = machine_balance(machine).com;
    float lo[2] = {1e9f, 1e9f}, hi[2] = {-1e9f, -1e9f};
    for (int i = 0; i < def->runner_count; ++i) {
        const MachineRunner* r = &def->runners[i];
        Vec3 at = machine_to_world(machine, r->body, r->center);
        lo[0] = base_minf(lo[0], at.x - 0.5f * r->length);
        hi[0] = base_maxf(hi[0], at.x + 0.5f * r->length);
        lo[1] = base_minf(lo[1], at.z - 0.5f * r->width);
        hi[1] = base_maxf(hi[1], at.z + 0.5f * r->width);
    }
    machine_destroy(machine);
    if (com.x > lo[0] && com.x < hi[0] && com.z > lo[1] && com.z < hi[1])
        return true;
    return base_yaml_fault(path, place("runners", def->runners[0].name, "center").key, error,
                           "it would fall over: its centre of mass is at x %.2f, z %.2f m, its "
                           "tracks or wheels reach from %.2f to %.2f and %.2f to %.2f m",
                           (double)com.x, (double)com.z, (double)lo[0], (double)hi[0],
                           (double)lo[1], (double)hi[1]);
}

static bool check_look(const char* path, const MachineDef* def, BaseYamlError* error)
{
    const char* bodies[MACHINE_BODIES_MAX + 1] = {NULL};
    const char* cylinders[MACHINE_ACTUATORS_MAX + 1] = {NULL};
    const char* wheels[MACHINE_RUNNERS_MAX + 1] = {NULL};
    for (int i = 0; i < def->body_count; ++i)
        bodies[i] = def->bodies[i].name;
    for (int i = 0; i < def->cylinder_count; ++i)
        cylinders[i] = def->cylinders[i].name;
    for (int i = 0; i < def->runner_count; ++i)
        wheels[i] = def->runners[i].name;
    MachineLookFault fault;
    if (!def->look || machine_look_names(def->look, bodies, cylinders, wheels, &fault))
        return true;
    return base_yaml_fault(path, fault.key, error, "%s is no %s%s%s", fault.word, fault.what,
                           fault.near ? "; did you mean " : "", fault.near ? fault.near : "");
}

bool machine_check_build(const char* path, const MachineDef* def, BaseYamlError* error)
{
    if (!count_parts(path, def, error))
        return false;
    for (int i = 0; i < def->cylinder_count; ++i)
        if (!check_fit(path, def, i, error))
            return false;
    return check_look(path, def, error) && check_stand(path, def, error);
}
