// What a run is measured by.
#include "base/base_trig.h"
#include "sim/sim_internal.h"

#define MEASURE_BUDGET (1.0 / 60.0) // s, of a step
#define MEASURE_REST   90           // steps until what was dumped lies still
#define MEASURE_ABOVE  3.0f         // m over the bed in which grains count as landed

// Grains over the bed count as well: most of them become its ground later.
static double measure_truck(Sim* sim)
{
    World* world = sim->world;
    const MachineBin* bin = &world_machine_def(world, sim->truck)->bins[0];
    MachinePose pose = machine_pose(world_machine(world, sim->truck), bin->body);
    const SoilState* s = soil_state(world_soil(world));
    double kg = coupling_fleet_load(world_fleet(world), sim->truck);
    for (int i = 0; i < s->count; ++i) {
        Vec3 at = vec3(s->px[i] - pose.position.x, s->py[i] - pose.position.y,
                       s->pz[i] - pose.position.z);
        Vec3 p = vec3_sub(quat_unrotate(pose.rotation, at), bin->center);
        if (__builtin_fabsf(p.x) < 0.5f * bin->length && __builtin_fabsf(p.z) < 0.5f * bin->width &&
            p.y > -0.1f && p.y < MEASURE_ABOVE) {
            kg += 1e-6 * (double)s->mass[i];
        }
    }
    return kg;
}

static double measure_zone(Sim* sim)
{
    const Terrain* ground = world_terrain(sim->world);
    const TerrainDef* def = terrain_definition(ground);
    const SoilState* s = soil_state(world_soil(sim->world));
    const float* z = sim->zone;
    double mg = 0.0;
    for (int j = 0; j < def->nz; ++j) {
        for (int i = 0; i < def->nx; ++i) {
            float x = def->origin.x + ((float)i + 0.5f) * def->cell;
            float y = def->origin.z + ((float)j + 0.5f) * def->cell;
            if (x > z[0] && x < z[2] && y > z[1] && y < z[3]) {
                int cell = terrain_cell(ground, i, j);
                mg += (double)terrain_loose_mass(ground, cell);
                mg += (double)terrain_bank_mass(ground, cell);
            }
        }
    }
    for (int i = 0; i < s->count; ++i) {
        if (s->px[i] > z[0] && s->px[i] < z[2] && s->pz[i] > z[1] && s->pz[i] < z[3]) {
            mg += (double)s->mass[i];
        }
    }
    return 1e-6 * mg;
}

double sim_target(Sim* sim)
{
    return sim->truck >= 0 ? measure_truck(sim) : measure_zone(sim);
}

static double measure_payload(Sim* sim)
{
    double kg = 0.0;
    for (int n = 0; n < world_machine_def(sim->world, 0)->tool_count; ++n) {
        kg += coupling_fleet_tool(world_fleet(sim->world), 0, n)->payload;
    }
    return kg;
}

// A cycle has ended: note it; weigh what landed when it has come to rest.
static void measure_cycles(Sim* sim)
{
    const OperatorState* hands = &sim->hands.state;
    if (sim->cycles < hands->cycles && sim->cycles < SIM_CYCLES) {
        sim->cycle[sim->cycles++] = (SimCycle){.part = hands->last, .at = world_time(sim->world)};
        sim->wait = MEASURE_REST;
    }
    if (sim->settled < sim->cycles && sim->wait-- <= 0.0) {
        SimCycle* c = &sim->cycle[sim->settled++];
        double kg = sim_target(sim);
        // what fell off late has landed, too: only what still sticks is left
        c->part.left = (double)base_minf((float)c->part.left, (float)measure_payload(sim));
        c->landed = kg - sim->target_kg;
        c->spill = c->part.payload - c->part.left - c->landed;
        sim->target_kg = kg;
        sim->lifted += c->part.payload - c->part.left;
        sim->landed += c->landed;
        sim->spill += c->spill;
    }
}

static void measure_sample(Sim* sim, double payload, double resistance, double pump)
{
    const WorldProfile* p = world_profile(sim->world);
    int thin, place = sim_series_place(&sim->series, SIM_SERIES, &thin);
    for (int k = 0; thin && k < SIM_SERIES / 2; ++k) {
        sim->sample[k] = sim->sample[2 * k];
    }
    if (place >= 0) {
        sim->sample[place] = (SimSample){.time = world_time(sim->world),
                                         .grains = p->grains,
                                         .frozen = p->frozen,
                                         .contacts = p->contacts,
                                         .payload = payload,
                                         .resistance = resistance,
                                         .pump = pump};
    }
}

static void measure_machine(Sim* sim)
{
    Machine* machine = world_machine(sim->world, 0);
    const MachineDef* def = world_machine_def(sim->world, 0);
    const MachineState* state = machine_state(machine);
    double payload = 0.0, resistance = 0.0, grains = 0.0;
    for (int n = 0; n < def->tool_count; ++n) {
        const CouplingToolState* tool = coupling_fleet_tool(world_fleet(sim->world), 0, n);
        payload += tool->payload;
        resistance += (double)tool->resistance;
        grains += (double)tool->grains;
    }
    double pump = state->drive.pump_pressure[0] > state->drive.pump_pressure[1]
                      ? state->drive.pump_pressure[0]
                      : state->drive.pump_pressure[1];
    sim->resistance_max = resistance > sim->resistance_max ? resistance : sim->resistance_max;
    sim->force_max = grains > sim->force_max ? grains : sim->force_max;
    sim->pressure_max = pump > sim->pressure_max ? pump : sim->pressure_max;
    sim->stalled += state->drive.relieved != 0;
    Vec3 up = quat_rotate(machine_pose(machine, 0).rotation, vec3(0.0f, 1.0f, 0.0f));
    double tilt = (double)base_acosf(base_clampf(up.y, -1.0f, 1.0f));
    sim->tilt_max = tilt > sim->tilt_max ? tilt : sim->tilt_max;
    measure_sample(sim, payload, resistance, pump);
}

void sim_measure(Sim* sim)
{
    const WorldProfile* p = world_profile(sim->world);
    for (int k = 0; k < WORLD_PHASE_COUNT; ++k) {
        sim_times_add(&sim->phase[k], p->seconds[k]);
    }
    sim_times_add(&sim->step, p->total);
    sim->misses += p->total > MEASURE_BUDGET;
    sim->grains_max = base_maxi(sim->grains_max, p->grains);
    measure_machine(sim);
    measure_cycles(sim);
}
