// Trucks of a lesson: they come, stand to be loaded, leave when they are full, and come back empty.
//
// A truck is driven through its own levers, wheels and engine; only what it carries leaves the site by
// the books. It drives back the way it came, so that it needs no room to turn.
#include "sim/sim_lesson_internal.h"

#include "base/base_trig.h"

#include <stdio.h>

#define TRUCK_AHEAD  5.0  // m, of the line that the driver looks at
#define TRUCK_STEER  2.2  // of the wheel, per rad of miss
#define TRUCK_BRAKES 0.7  // m/s2 that the driver plans with
#define TRUCK_NEAR   0.15 // m to go that count as there
#define TRUCK_STILL  0.08 // m/s
#define TRUCK_GAIN   0.8  // of the throttle, per m/s of miss
#define TRUCK_CALM   90   // steps without a change of load until it counts
#define TRUCK_CHANGE 2.0  // kg
#define TRUCK_FULL   0.95 // of what it should get
#define TRUCK_SOME   0.5  // of that, with which it leaves when the horn asks for it
#define TRUCK_COUNTS 0.9  // of that; sent away with less it counts for nothing, and comes again
#define TRUCK_SENT   (SIM_TRUCK_GONE + 1) // leaving with too little: told in other words
#define TRUCK_CLEAR  0.5 // m of air between bucket and bin, sideways, before it moves

// --- where it stands -----------------------------------------------------------------------------

// `at` is the middle of the bed: there it is loaded.
static Vec3 truck_root(const SimLesson* l, const float at[2], const MachineDef* def, float heading)
{
    Vec3 world = scenario_world(l->ground, vec3(at[0], 0.0f, at[1]));
    Machine* machine = machine_create(def);
    if (machine) {
        machine_place(machine, vec3(0.0f, 0.0f, 0.0f), heading);
        Vec3 bed = machine_to_world(machine, def->bins[0].body, def->bins[0].center);
        world.x -= bed.x, world.z -= bed.z;
        machine_destroy(machine);
    }
    return world;
}

bool sim_lesson_truck_place(const SimLesson* l, const ScenarioTruck* t, const MachineDef* def,
                            WorldPlace* out)
{
    if (def->bin_count == 0) {
        return false;
    }
    bool comes = !scenario_absent(t->from[0]);
    out->heading = scenario_world_angle(t->heading);
    Vec3 at = truck_root(l, comes ? t->from : t->at, def, out->heading);
    out->x = at.x, out->z = at.z;
    return true;
}

static const ScenarioTruck* truck_of(const SimLesson* l, int n)
{
    return l->scenario.objects[l->state.truck[n].object].truck;
}

static void truck_enter(SimLesson* l, int n, int told)
{
    static const char* const text[] = {
        "a truck is coming",      "a truck stands to be loaded",
        "a truck leaves",         "a truck is away",
        "the last truck is gone", "a truck leaves with too little, and comes again"};
    SimTruck* truck = &l->state.truck[n];
    int phase = told == TRUCK_SENT ? SIM_TRUCK_LEAVING : told;
    truck->phase = phase;
    truck->since = truck->calm = sim_lesson_steps(l);
    sim_lesson_event(l, SIM_EVENT_TRUCK, n + 1, phase, text[told]);
}

// What is on it already is spread over its bed.
static void truck_lay(SimLesson* l, int n, float kg)
{
    CouplingFleet* fleet = world_fleet(l->world);
    Terrain* bed =
        coupling_bin_ground(world_coupling(l->world), coupling_fleet_bin(fleet, n + 1, 0));
    const TerrainDef* def = terrain_definition(bed);
    int columns = def->nx * def->nz;
    for (int cell = 0; cell < columns && kg > 0.0f; ++cell) {
        terrain_add_loose(bed, cell, 0, (uint32_t)(1e6 * (double)kg / columns));
    }
}

void sim_lesson_trucks_begin(SimLesson* l)
{
    for (int n = 0; n < l->trucks; ++n) {
        const ScenarioTruck* t = truck_of(l, n);
        SimTruck* truck = &l->state.truck[n];
        bool comes = !scenario_absent(t->from[0]);
        bool hidden = l->scenario.objects[truck->object].hidden;
        truck->phase = comes ? hidden ? SIM_TRUCK_AWAY : SIM_TRUCK_COMING : SIM_TRUCK_STANDING;
        truck_lay(l, n, t->payload);
    }
}

int sim_lesson_trucks_full(const SimLesson* l)
{
    int full = 0;
    for (int n = 0; n < l->trucks; ++n) {
        const ScenarioTruck* t = truck_of(l, n);
        bool now =
            l->state.truck[n].phase == SIM_TRUCK_STANDING && scenario_absent(t->from[0]) &&
            coupling_fleet_load(world_fleet(l->world), n + 1) >= TRUCK_FULL * (double)t->load;
        full += l->state.truck[n].trips + now;
    }
    return full;
}

// Of what it should get, without what lay on it from the start; less than one, because it has not left.
float sim_lesson_trucks_part(const SimLesson* l)
{
    double part = 0.0;
    for (int n = 0; n < l->trucks; ++n) {
        const ScenarioTruck* t = truck_of(l, n);
        const SimTruck* truck = &l->state.truck[n];
        double asked = (double)t->load, had = truck->phase == SIM_TRUCK_STANDING && !truck->returns
                                                  ? (double)t->payload
                                                  : 0.0;
        double load = coupling_fleet_load(world_fleet(l->world), n + 1);
        bool full = scenario_absent(t->from[0]) && load >= TRUCK_FULL * asked;
        if (truck->phase == SIM_TRUCK_STANDING && !full && asked > had && load > had) {
            part += __builtin_fmin((load - had) / (asked - had), 0.99);
        }
    }
    return (float)part;
}

bool sim_lesson_truck_ready(const SimLesson* l, int machine)
{
    int n = machine - 1;
    if (n < 0 || n >= l->trucks || l->state.truck[n].phase != SIM_TRUCK_STANDING) {
        return false;
    }
    return coupling_fleet_load(world_fleet(l->world), machine) <
           TRUCK_FULL * (double)truck_of(l, n)->load;
}

int sim_lesson_truck(const SimLesson* l, int object)
{
    for (int n = 0; n < l->trucks; ++n) {
        if (l->state.truck[n].object == object) {
            return n + 1;
        }
    }
    return -1;
}

// --- driving -------------------------------------------------------------------------------------

// m left to go, along the line; the driver looks at a point on it.
static double truck_drive(const SimLesson* l, int n, const float from[2], const float to[2],
                          InputFrame* out)
{
    const ScenarioTruck* t = truck_of(l, n);
    Machine* machine = world_machine(l->world, n + 1);
    const MachineBin* bin = &world_machine_def(l->world, n + 1)->bins[0];
    Vec3 a = scenario_world(l->ground, vec3(from[0], 0.0f, from[1]));
    Vec3 b = scenario_world(l->ground, vec3(to[0], 0.0f, to[1]));
    Vec3 bed = machine_to_world(machine, bin->body, bin->center);
    Vec3 way = vec3_sub(b, a);
    double length = (double)vec3_length(way);
    way = length > 0.0 ? vec3_mul(way, (float)(1.0 / length)) : vec3(1.0f, 0.0f, 0.0f);
    Quat q = machine_pose(machine, 0).rotation;
    Vec3 ahead = quat_rotate(q, vec3(1.0f, 0.0f, 0.0f));
    Vec3 right = quat_rotate(q, vec3(0.0f, 0.0f, 1.0f));
    bool back = vec3_dot(ahead, way) < 0.0f;
    double gone = (double)vec3_dot(vec3_sub(bed, a), way), left = length - gone;
    // the half that leads follows the line
    Vec3 nose = back ? bed : machine_pose(machine, 0).position;
    double along = (double)vec3_dot(vec3_sub(nose, a), way) + TRUCK_AHEAD;
    Vec3 look = vec3_sub(vec3_mad(a, way, (float)along), nose);
    double far = __builtin_sqrt((double)(look.x * look.x + look.z * look.z));
    double miss = far > 0.1 ? (double)vec3_dot(right, look) / far : 0.0;
    out->lever[INPUT_STEER] =
        input_quantise(base_clampf((float)(TRUCK_STEER * miss), -1.0f, 1.0f), NULL);
    double slow = left > 0.0 ? __builtin_sqrt(2.0 * TRUCK_BRAKES * left) : 0.0;
    double want = slow < (double)t->speed ? slow : (double)t->speed;
    double speed = (double)vec3_dot(machine_velocity(machine, 0), way);
    double push = TRUCK_GAIN * (want - speed);
    out->lever[INPUT_THROTTLE] = input_quantise(base_clampf((float)push + 0.15f, 0.0f, 1.0f), NULL);
    out->lever[INPUT_BRAKE] = input_quantise(base_clampf((float)-push, 0.0f, 1.0f), NULL);
    if (left <= TRUCK_NEAR) {
        out->lever[INPUT_THROTTLE] = 0, out->lever[INPUT_BRAKE] = INPUT_FULL;
    }
    out->switches = (uint16_t)(back ? INPUT_SWITCH_REVERSE : 0);
    return left;
}

void sim_lesson_trucks_drive(SimLesson* l, InputFrame* input)
{
    for (int n = 0; n < l->trucks; ++n) {
        const ScenarioTruck* t = truck_of(l, n);
        InputFrame* out = &input[n + 1];
        switch ((SimTruckPhase)l->state.truck[n].phase) {
        case SIM_TRUCK_COMING: truck_drive(l, n, t->from, t->at, out); break;
        case SIM_TRUCK_LEAVING: truck_drive(l, n, t->at, t->from, out); break;
        default: out->lever[INPUT_BRAKE] = INPUT_FULL; break;
        }
    }
}

// --- coming and going ----------------------------------------------------------------------------

static bool truck_arrived(const SimLesson* l, int n, const float from[2], const float to[2])
{
    InputFrame unused = {0};
    Vec3 v = machine_velocity(world_machine(l->world, n + 1), 0);
    return truck_drive(l, n, from, to, &unused) <= TRUCK_NEAR &&
           (double)vec3_length(v) < TRUCK_STILL;
}

static bool truck_bucket_clear(const SimLesson* l, int n)
{
    const MachineTool* tool = &world_machine_def(l->world, 0)->tools[l->arm.tool];
    const MachineBin* bin = &world_machine_def(l->world, n + 1)->bins[0];
    Vec3 edge = machine_to_world(world_machine(l->world, 0), tool->body,
                                 vec3_mul(vec3_add(tool->edge_a, tool->edge_b), 0.5f));
    Vec3 p =
        vec3_sub(machine_to_body(world_machine(l->world, n + 1), bin->body, edge), bin->center);
    return __builtin_fabsf(p.x) > 0.5f * bin->length + (float)TRUCK_CLEAR ||
           __builtin_fabsf(p.z) > 0.5f * bin->width + (float)TRUCK_CLEAR;
}

static void truck_stand(SimLesson* l, int n, bool horn)
{
    const ScenarioTruck* t = truck_of(l, n);
    SimTruck* truck = &l->state.truck[n];
    double load = coupling_fleet_load(world_fleet(l->world), n + 1);
    if (__builtin_fabs(load - truck->load) > TRUCK_CHANGE) {
        truck->load = load, truck->calm = sim_lesson_steps(l);
    }
    bool enough =
        load >= TRUCK_FULL * (double)t->load || (horn && load >= TRUCK_SOME * (double)t->load);
    bool calm = sim_lesson_steps(l) - truck->calm > TRUCK_CALM;
    if (!scenario_absent(t->from[0]) && enough && calm && truck_bucket_clear(l, n)) {
        bool counts = load >= TRUCK_COUNTS * (double)t->load;
        truck->trips += counts;
        truck_enter(l, n, counts ? SIM_TRUCK_LEAVING : TRUCK_SENT);
        truck->returns = true;
    }
}

static void truck_away(SimLesson* l, int n)
{
    const ScenarioTruck* t = truck_of(l, n);
    SimTruck* truck = &l->state.truck[n];
    if (truck->trips >= t->trips) {
        truck_enter(l, n, SIM_TRUCK_GONE);
    } else if (l->state.scenario.present[truck->object] &&
               (double)(sim_lesson_steps(l) - truck->since) >= WORLD_RATE * (double)t->pause) {
        truck_enter(l, n, SIM_TRUCK_COMING);
    }
}

void sim_lesson_trucks_follow(SimLesson* l, const InputFrame* frame)
{
    bool horn = (frame->switches & INPUT_SWITCH_HORN) != 0;
    for (int n = 0; n < l->trucks; ++n) {
        const ScenarioTruck* t = truck_of(l, n);
        switch ((SimTruckPhase)l->state.truck[n].phase) {
        case SIM_TRUCK_COMING:
            if (truck_arrived(l, n, t->from, t->at)) {
                truck_enter(l, n, SIM_TRUCK_STANDING);
            }
            break;
        case SIM_TRUCK_STANDING: truck_stand(l, n, horn); break;
        case SIM_TRUCK_LEAVING:
            if (truck_arrived(l, n, t->at, t->from)) {
                coupling_bin_haul(world_coupling(l->world),
                                  coupling_fleet_bin(world_fleet(l->world), n + 1, 0));
                truck_enter(l, n, SIM_TRUCK_AWAY);
            }
            break;
        case SIM_TRUCK_AWAY: truck_away(l, n); break;
        case SIM_TRUCK_GONE: break;
        }
    }
}
