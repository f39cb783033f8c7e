#include "sim/sim.h"

#include "base/base_arena.h"
#include "base/base_trig.h"
#include "sim/sim_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIM_ARENA  ((size_t)16 << 20) // bytes of address space
#define SIM_AREA   4.6f               // m, length of what is dug, times arm / 10
#define SIM_WIDTH  4.0f               // m
#define SIM_TRENCH 11.0f
#define SIM_ASIDE  1.5708f // rad from where it digs to where it dumps
#define SIM_TRUCK  5.8f    // m from the swing axis to the middle of the bed, times arm / 10
#define SIM_HEAP   6.3f    // m to the heap
#define SIM_ZONE   3.2f    // m around the heap where soil counts as landed

// --- where everything stands ---------------------------------------------------------------------

// Lengths above are those of an arm of 10 m.
static float sim_scale(const MachineDef* def)
{
    OperatorArm arm;
    const char* missing;
    if (!operator_arm_find(def, &arm, &missing)) {
        return 1.0f;
    }
    return (float)((arm.boom[0] + arm.stick[0] + arm.bucket[0]) / 10.1);
}

static void sim_along(const float place[3], float yaw, float r, float* x, float* z)
{
    *x = place[0] + r * base_cosf(place[2] + yaw);
    *z = place[1] - r * base_sinf(place[2] + yaw);
}

// Tail towards the digger, the middle of the bed where the bucket comes by.
static WorldPlace sim_park(const SimDef* def, const MachineDef* truck, float scale)
{
    WorldPlace place = {.vehicle = def->truck, .heading = def->place[2] + SIM_ASIDE};
    Machine* machine = machine_create(truck);
    float x, z, reach = SIM_TRUCK * scale;
    sim_along(def->place, SIM_ASIDE, reach, &x, &z);
    place.x = x, place.z = z;
    if (machine && truck->bin_count > 0) {
        // the bed lies somewhere on the truck
        machine_place(machine, vec3(0.0f, 0.0f, 0.0f), place.heading);
        Vec3 bed = machine_to_world(machine, truck->bins[0].body, truck->bins[0].center);
        place.x = x - bed.x, place.z = z - bed.z;
    }
    machine_destroy(machine);
    return place;
}

static OperatorTask sim_task(const Sim* sim, float scale)
{
    const SimDef* def = &sim->def;
    OperatorTask task = {.program = def->program, .truck = sim->truck, .cycles = def->cycles};
    bool trench = def->program == OPERATOR_TRENCH;
    float length = (trench ? SIM_TRENCH : SIM_AREA) * scale;
    float width = trench ? 1.30f * scale : SIM_WIDTH * scale;
    float front = 7.9f * scale, x, z;
    sim_along(def->place, 0.0f, front - 0.5f * length, &x, &z);
    operator_task_box(&task, x, z, def->place[2], length, width);
    task.from[0] = x, task.from[1] = z;
    task.floor = -def->depth; // below the ground there, see sim_hands()
    for (int k = 0; k < 2; ++k) {
        float along = (trench ? 2.0f : 0.5f) * (float)(2 * k - 1) * scale, hx, hz;
        sim_along(def->place, trench ? 0.85f : SIM_ASIDE, SIM_HEAP * scale, &hx, &hz);
        task.heap[k][0] = hx + along * base_cosf(def->place[2]);
        task.heap[k][1] = hz - along * base_sinf(def->place[2]);
    }
    return task;
}

bool sim_hands(Sim* sim, const char** missing)
{
    float scale = sim_scale(world_machine_def(sim->world, 0));
    OperatorTask task = sim_task(sim, scale);
    const Terrain* ground = world_terrain(sim->world);
    task.floor += terrain_height(ground, task.from[0], task.from[1]);
    for (int k = 0; k < 2; ++k) {
        float low = base_minf(task.heap[0][k], task.heap[1][k]);
        float high = base_maxf(task.heap[0][k], task.heap[1][k]);
        sim->zone[k] = low - SIM_ZONE * scale, sim->zone[2 + k] = high + SIM_ZONE * scale;
    }
    if (!operator_init(&sim->hands, (OperatorKind)sim->def.kind, sim->world, 0, &task,
                       sim->def.seed, missing)) {
        return false;
    }
    sim->target_kg = sim_target(sim);
    return true;
}

// --- life ----------------------------------------------------------------------------------------

static bool sim_load(Sim* sim, BaseYamlError* error)
{
    const SimDef* def = &sim->def;
    MachineDef vehicle, truck;
    if (!machine_load(def->vehicle, &sim->arena, &vehicle, error) ||
        (def->truck && !machine_load(def->truck, &sim->arena, &truck, error))) {
        return false;
    }
    if (def->truck && truck.bin_count == 0) {
        snprintf(error->text, sizeof error->text,
                 "%s: has no bin, so nothing can be loaded into it", def->truck);
        return false;
    }
    if (def->script && !input_script_load(def->script, &sim->arena, &sim->script, error)) {
        return false;
    }
    sim->scripted = def->script != NULL;
    sim->cursor = input_script_start(&sim->script);
    WorldDef world = {.site = def->site,
                      .materials = def->materials,
                      .calibration = def->calibration,
                      .radius = def->radius,
                      .pool = def->pool,
                      .births = def->births,
                      .machine_count = def->truck ? 2 : 1};
    world.machine[0] = (WorldPlace){def->vehicle, def->place[0], def->place[1], def->place[2]};
    if (def->truck) {
        world.machine[1] = sim_park(def, &truck, sim_scale(&vehicle));
        sim->truck = 1;
    }
    sim->world = world_create(&world, def->threads, error);
    const char* missing = NULL;
    if (sim->world && !sim_hands(sim, &missing)) {
        snprintf(error->text, sizeof error->text,
                 "%s: an operator cannot work it: it lacks %s; idle and random hands need nothing",
                 def->vehicle, missing);
        return false;
    }
    return sim->world != NULL;
}

Sim* sim_create(const SimDef* def, BaseYamlError* error)
{
    *error = (BaseYamlError){0};
    Sim* sim = calloc(1, sizeof *sim);
    if (!sim || !base_arena_init(&sim->arena, SIM_ARENA)) {
        free(sim);
        return NULL;
    }
    sim->def = *def;
    sim->truck = -1;
    if (!sim_load(sim, error)) {
        sim_destroy(sim);
        return NULL;
    }
    return sim;
}

void sim_destroy(Sim* sim)
{
    if (sim) {
        if (sim->writer) {
            record_abandon(sim->writer);
        }
        free(sim->save);
        free(sim->base);
        world_destroy(sim->world);
        base_arena_free(&sim->arena);
        free(sim);
    }
}

World* sim_world(Sim* sim)
{
    return sim->world;
}

const Operator* sim_operator(const Sim* sim)
{
    return &sim->hands;
}

// --- a step --------------------------------------------------------------------------------------

bool sim_step(Sim* sim)
{
    sim->finished = sim->scripted ? input_script_done(&sim->script, &sim->cursor)
                                  : operator_done(&sim->hands) && sim->settled == sim->cycles;
    if (sim->finished || world_time(sim->world) >= sim->def.seconds) {
        return false;
    }
    InputFrame frame = {0};
    if (sim->scripted) {
        frame = input_script_step(&sim->script, &sim->cursor);
    } else {
        sim_hands_step(sim, &frame);
    }
    sim_drive(sim, &frame);
    return true;
}

void sim_hands_step(Sim* sim, InputFrame* out)
{
    operator_step(&sim->hands, sim->world, out);
}

void sim_drive(Sim* sim, const InputFrame* frame)
{
    InputFrame input[WORLD_MACHINES_MAX];
    memset(input, 0, sizeof input);
    input[0] = *frame;
    if (sim->truck >= 0) {
        input[sim->truck].lever[INPUT_BRAKE] = INPUT_FULL;
    }
    world_step(sim->world, input);
    sim_measure(sim);
    sim_record_step(sim, frame);
}

bool sim_sound(const Sim* sim)
{
    return world_faults(sim->world)->lost == 0 && world_imbalance(sim->world) == 0 &&
           world_audit(sim->world);
}
