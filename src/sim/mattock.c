#include "sim/mattock.h"

#include "base/base_assert.h"
#include "base/base_hash.h"
#include "base/base_path.h"
#include "base/base_trig.h"
#include "sim/sim_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATTOCK_PATH   4096
#define MATTOCK_RADIUS 0.04f // m
#define MATTOCK_POOL   16000
#define MATTOCK_BIRTHS 600 // grains in one step, from faces and bins

_Static_assert((int)MATTOCK_LEVERS == (int)INPUT_FUNCTION_COUNT &&
                   (int)MATTOCK_BRAKE == (int)INPUT_BRAKE &&
                   (int)MATTOCK_TRACK_RIGHT == (int)INPUT_TRACK_RIGHT,
               "levers of the interface are those of input.h");

struct Mattock {
    Sim* sim;
    bool employed;
    char site[MATTOCK_PATH], vehicle[MATTOCK_PATH], truck[MATTOCK_PATH], materials[MATTOCK_PATH],
        calibration[MATTOCK_PATH];
};

// --- making --------------------------------------------------------------------------------------

static bool mattock_refuse(char* error, size_t size, const char* text)
{
    if (error && size > 0) {
        snprintf(error, size, "%s", text);
    }
    return false;
}

static bool mattock_files(Mattock* w, const MattockSetup* setup, char* error, size_t size)
{
    if (!setup->site) {
        return mattock_refuse(error, size, "a setup needs a site: a file, or loam, flat, quarry");
    }
    base_path_shipped("config/sites", setup->site, w->site, MATTOCK_PATH);
    base_path_shipped("vehicles", setup->vehicle ? setup->vehicle : "excavator_22t", w->vehicle,
                      MATTOCK_PATH);
    base_path_shipped("config", setup->materials ? setup->materials : "materials", w->materials,
                      MATTOCK_PATH);
    base_path_shipped("config", "calibration", w->calibration, MATTOCK_PATH);
    if (setup->truck) {
        base_path_shipped("vehicles", setup->truck, w->truck, MATTOCK_PATH);
    }
    return true;
}

static bool mattock_def(const Mattock* w, const MattockSetup* setup, SimDef* def, char* error,
                        size_t size)
{
    *def = (SimDef){.site = w->site,
                    .materials = w->materials,
                    .calibration = w->calibration,
                    .vehicle = w->vehicle,
                    .truck = setup->truck ? w->truck : NULL,
                    .kind = OPERATOR_IDLE,
                    .depth = 1.5f,
                    .place = {(float)setup->x, (float)setup->z, (float)setup->heading},
                    .radius = setup->radius == 0.0 ? MATTOCK_RADIUS : (float)setup->radius,
                    .pool = setup->pool == 0 ? MATTOCK_POOL : setup->pool,
                    .births = MATTOCK_BIRTHS,
                    .threads = setup->threads == 0 ? 1 : setup->threads,
                    .seconds = 1e9};
    bool finite = base_finite(def->place[0]) && base_finite(def->place[1]) &&
                  base_finite(def->place[2]) && base_finite(def->radius);
    if (!finite || __builtin_fabsf(def->place[0]) > 1e4f || __builtin_fabsf(def->place[1]) > 1e4f ||
        __builtin_fabsf(def->place[2]) > 100.0f) {
        return mattock_refuse(error, size,
                              "x, z and heading must be finite; at most 10 km, 100 rad");
    }
    if (def->radius < WORLD_RADIUS_MIN || def->radius > WORLD_RADIUS_MAX) {
        return mattock_refuse(error, size, "radius must be from 0.03 to 0.06 m");
    }
    if (def->pool < 10 || def->pool > 1000000 || def->threads < 1 ||
        def->threads > JOBS_WORKERS_MAX) {
        return mattock_refuse(error, size, "pool must be from 10 to 1000000, threads from 1 to 64");
    }
    return true;
}

Mattock* mattock_create(const MattockSetup* setup, char* error, size_t size)
{
    BaseYamlError why = {0};
    SimDef def;
    mattock_refuse(error, size, "");
    Mattock* w = calloc(1, sizeof *w);
    if (!w) {
        mattock_refuse(error, size, "not enough memory");
        return NULL;
    }
    if (!mattock_files(w, setup, error, size) || !mattock_def(w, setup, &def, error, size)) {
        free(w);
        return NULL;
    }
    w->sim = sim_create(&def, &why);
    if (!w->sim) {
        mattock_refuse(error, size, why.text[0] ? why.text : "not enough memory");
        free(w);
        return NULL;
    }
    return w;
}

void mattock_destroy(Mattock* w)
{
    if (w) {
        sim_destroy(w->sim);
        free(w);
    }
}

// --- stepping ------------------------------------------------------------------------------------

static void mattock_run(Mattock* w, const InputFrame* vehicle)
{
    InputFrame input[WORLD_MACHINES_MAX];
    memset(input, 0, sizeof input);
    input[0] = *vehicle;
    if (w->sim->truck >= 0) {
        input[w->sim->truck].lever[INPUT_BRAKE] = INPUT_FULL;
    }
    world_step(w->sim->world, input);
}

void mattock_step(Mattock* w, const double* levers)
{
    InputFrame frame;
    memset(&frame, 0, sizeof frame);
    for (int k = 0; k < MATTOCK_LEVERS; ++k) {
        frame.lever[k] = input_quantise((float)levers[k], NULL);
    }
    mattock_run(w, &frame);
}

int mattock_employ(Mattock* w, const char* program, double depth, int cycles, uint64_t seed)
{
    int number = -1;
    for (int k = 0; k < OPERATOR_PROGRAMS; ++k) {
        number = strcmp(program, operator_program_words[k]) == 0 ? k : number;
    }
    w->employed = false;
    if (number < 0 || !(depth > 0.0 && depth < 10.0) || cycles < 0 ||
        (number == OPERATOR_TRUCK && w->sim->truck < 0)) {
        return 0;
    }
    const char* missing;
    SimDef* def = &w->sim->def;
    def->kind = OPERATOR_EXPERT, def->program = number, def->depth = (float)depth;
    def->cycles = cycles, def->seed = seed;
    w->employed = sim_hands(w->sim, &missing);
    return w->employed;
}

int mattock_work(Mattock* w, double* levers)
{
    if (!w->employed || operator_done(&w->sim->hands)) {
        return 0;
    }
    InputFrame frame;
    operator_step(&w->sim->hands, w->sim->world, &frame);
    for (int k = 0; levers && k < MATTOCK_LEVERS; ++k) {
        levers[k] = (double)input_lever(&frame, (InputFunction)k);
    }
    mattock_run(w, &frame);
    return 1;
}

// --- looking -------------------------------------------------------------------------------------

double mattock_time(const Mattock* w)
{
    return world_time(w->sim->world);
}

uint64_t mattock_hash(const Mattock* w)
{
    return world_hash(w->sim->world).total;
}

int64_t mattock_imbalance(const Mattock* w)
{
    return world_imbalance(w->sim->world);
}

int mattock_machines(const Mattock* w)
{
    return world_definition(w->sim->world)->machine_count;
}

static bool mattock_has(const Mattock* w, int machine)
{
    return machine >= 0 && machine < mattock_machines(w);
}

int mattock_bodies(const Mattock* w, int machine)
{
    return mattock_has(w, machine) ? world_machine_def(w->sim->world, machine)->body_count : 0;
}

const char* mattock_body_name(const Mattock* w, int machine, int body)
{
    bool there = body >= 0 && body < mattock_bodies(w, machine);
    return there ? world_machine_def(w->sim->world, machine)->bodies[body].name : NULL;
}

int mattock_machine(const Mattock* w, int machine, MattockMachine* out)
{
    memset(out, 0, sizeof *out);
    if (!mattock_has(w, machine)) {
        return 0;
    }
    World* world = w->sim->world;
    const Machine* m = world_machine(world, machine);
    const MachineDef* def = world_machine_def(world, machine);
    const MachineDriveState* drive = &machine_state(m)->drive;
    out->engine_speed = drive->engine_speed, out->engine_load = drive->engine_load;
    out->pump_pressure[0] = drive->pump_pressure[0];
    out->pump_pressure[1] = drive->pump_pressure[1];
    out->fuel = 1e3 * drive->fuel;
    out->load = coupling_fleet_load(world_fleet(world), machine);
    for (int n = 0; n < def->tool_count; ++n) {
        const CouplingToolState* tool = coupling_fleet_tool(world_fleet(world), machine, n);
        out->payload += tool->payload;
        out->resistance += (double)tool->resistance;
        out->support += (double)tool->support;
        out->grains += (double)tool->grains;
        out->depth = (double)tool->depth > out->depth ? (double)tool->depth : out->depth;
    }
    Vec3 up = quat_rotate(machine_pose(m, 0).rotation, vec3(0.0f, 1.0f, 0.0f));
    out->tilt = (double)base_acosf(base_clampf(up.y, -1.0f, 1.0f));
    return 1;
}

int mattock_pose(const Mattock* w, int machine, int body, MattockPose* out)
{
    memset(out, 0, sizeof *out);
    if (body < 0 || body >= mattock_bodies(w, machine)) {
        return 0;
    }
    const Machine* m = world_machine(w->sim->world, machine);
    MachinePose pose = machine_pose(m, body);
    out->position[0] = (double)pose.position.x, out->position[1] = (double)pose.position.y;
    out->position[2] = (double)pose.position.z;
    out->rotation[0] = (double)pose.rotation.x, out->rotation[1] = (double)pose.rotation.y;
    out->rotation[2] = (double)pose.rotation.z, out->rotation[3] = (double)pose.rotation.w;
    if (body > 0) {
        out->joint = machine_joint(m, body), out->speed = machine_joint_speed(m, body);
    }
    return 1;
}

int mattock_actuator(const Mattock* w, int machine, const char* name, double* force, double* length)
{
    if (!mattock_has(w, machine)) {
        return 0;
    }
    int actuator = machine_find_actuator(world_machine_def(w->sim->world, machine), name);
    if (actuator < 0) {
        return 0;
    }
    MachineFeedback now = machine_feedback(world_machine(w->sim->world, machine), actuator);
    *force = now.effort, *length = now.length;
    return 1;
}

void mattock_heights(const Mattock* w, double x, double z, double spacing, int columns, int rows,
                     float* out)
{
    const Terrain* ground = world_terrain(w->sim->world);
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            out[(size_t)j * (size_t)columns + (size_t)i] =
                terrain_height(ground, (float)(x + i * spacing), (float)(z + j * spacing));
        }
    }
}

int mattock_grain_count(const Mattock* w)
{
    return soil_state(world_soil(w->sim->world))->count;
}

int mattock_grains(const Mattock* w, MattockGrain* out, int max)
{
    const SoilState* s = soil_state(world_soil(w->sim->world));
    int count = base_maxi(base_mini(s->count, max), 0);
    for (int i = 0; i < count; ++i) {
        out[i] = (MattockGrain){.position = {s->px[i], s->py[i], s->pz[i]},
                                .velocity = {s->vx[i], s->vy[i], s->vz[i]},
                                .radius = s->radius[i],
                                .mass = 1e-6f * (float)s->mass[i],
                                .material = s->material[i],
                                .id = s->id[i]};
    }
    return count;
}

// --- records -------------------------------------------------------------------------------------

#define MATTOCK_MAGIC 0x31495041544d0001ull

// Behind the world's own snapshot: the hands.
typedef struct MattockTail {
    uint64_t magic, hash; // of what follows
    Operator hands;
    int64_t employed;
} MattockTail;

static uint64_t mattock_tail_hash(const MattockTail* tail)
{
    uint64_t hash = base_hash(&tail->hands, sizeof tail->hands, MATTOCK_MAGIC);
    return base_hash(&tail->employed, sizeof tail->employed, hash);
}

size_t mattock_snapshot_size(const Mattock* w)
{
    return world_snapshot_size(w->sim->world) + sizeof(MattockTail);
}

void mattock_snapshot(const Mattock* w, void* out)
{
    MattockTail tail;
    memset(&tail, 0, sizeof tail);
    memcpy(&tail.hands, &w->sim->hands, sizeof tail.hands);
    tail.magic = MATTOCK_MAGIC, tail.employed = w->employed;
    tail.hash = mattock_tail_hash(&tail);
    world_snapshot_save(w->sim->world, out);
    memcpy((char*)out + world_snapshot_size(w->sim->world), &tail, sizeof tail);
}

int mattock_restore(Mattock* w, const void* in, size_t size)
{
    MattockTail tail;
    if (size <= sizeof tail) {
        return 0;
    }
    memcpy(&tail, (const char*)in + size - sizeof tail, sizeof tail);
    if (tail.magic != MATTOCK_MAGIC || tail.hash != mattock_tail_hash(&tail) ||
        !world_snapshot_load(w->sim->world, in, size - sizeof tail)) {
        return 0;
    }
    memcpy(&w->sim->hands, &tail.hands, sizeof tail.hands);
    w->employed = tail.employed != 0;
    return 1;
}
