#include "world/world.h"

#include "base/base_arena.h"
#include "base/base_assert.h"
#include "base/base_clock.h"
#include "base/base_hash.h"
#include "base/base_memory.h"

#include <stdio.h>
#include <stdlib.h>

#define WORLD_ARENA ((size_t)64 << 20) // bytes of address space for what files say
#define WORLD_AUDIT WORLD_RATE         // steps between two full counts
// A grain that falls 3 m onto a heap dips into it by a diameter before it is noticed, and is put back
// without a bounce: not worth three more looks for everybody.
#define WORLD_STRIDE      1.0f
#define WORLD_RADIUS_ROOM 1.01f // largest grain over the nominal one

struct World {
    WorldDef def;
    BaseArena arena;
    MaterialSet materials;
    MaterialCalibration calibration;
    SiteInfo site;
    Terrain* terrain;
    Soil* soil;
    Coupling* coupling;
    CouplingFleet* fleet;
    MachineDef vehicle[WORLD_MACHINES_MAX];
    Machine* machine[WORLD_MACHINES_MAX];
    int machine_count;
    Jobs* jobs;
    uint64_t steps;
    uint64_t refused; // mg that found no room in the pool, until the last step
    WorldFaults faults;
    WorldProfile profile;
    bool audited; // the last count agreed with the books
    // where every grain was after the last step, for those that get lost
    uint32_t* last_id;
    Vec3* last_at;
    int last_count;
};

// --- making --------------------------------------------------------------------------------------

// The grains of the site's soils, out of the calibration.
static bool world_grains(World* w, SoilDef* def, BaseYamlError* error)
{
    def->material_count = w->site.material_count;
    for (int m = 0; m < w->site.material_count; ++m) {
        const MaterialGrain* grain =
            material_find_grain(&w->calibration, w->site.material[m]->name);
        if (!grain) {
            *error = (BaseYamlError){0};
            snprintf(error->text, sizeof error->text,
                     "%s: has no material \"%s\"; `mattock lab calibrate` finds its grains",
                     w->def.calibration ? w->def.calibration : "calibration",
                     w->site.material[m]->name);
            return false;
        }
        def->material[m] = def->material[0];
        def->material[m].friction_static = def->material[m].friction_kinetic = grain->friction;
        def->material[m].adhesion = grain->adhesion;
    }
    return true;
}

static bool world_soil_make(World* w, BaseYamlError* error)
{
    float largest = WORLD_RADIUS_ROOM * w->def.radius;
    SoilDef def = soil_def(SOIL_KERNEL_SPLIT, w->def.pool, largest);
    def.stride = WORLD_STRIDE;
    if (!world_grains(w, &def, error)) {
        return false;
    }
    CouplingDef coupling = coupling_def(w->def.radius);
    coupling.births_max = w->def.births;
    coupling.reserve = base_mini(coupling.reserve, w->def.pool / 8);
    w->soil = soil_create(&def);
    w->coupling = w->soil ? coupling_create(&coupling, w->soil, w->terrain) : NULL;
    w->fleet = w->coupling ? coupling_fleet_create(w->coupling, w->site.material) : NULL;
    w->last_id = base_memory((size_t)w->def.pool, sizeof *w->last_id);
    w->last_at = base_memory((size_t)w->def.pool, sizeof *w->last_at);
    return w->fleet && w->last_id && w->last_at;
}

// On the ground below its middle; tracks find their own way onto slopes within a second.
static bool world_machine_make(World* w, int n, BaseYamlError* error)
{
    const WorldPlace* place = &w->def.machine[n];
    if (!machine_load(place->vehicle, &w->arena, &w->vehicle[n], error)) {
        return false;
    }
    w->machine[n] = machine_create(&w->vehicle[n]);
    if (!w->machine[n]) {
        return false;
    }
    float y = terrain_height(w->terrain, place->x, place->z);
    machine_place(w->machine[n], vec3(place->x, y, place->z), place->heading);
    w->machine_count = n + 1;
    if (coupling_fleet_add(w->fleet, w->machine[n]) < 0) {
        snprintf(error->text, sizeof error->text,
                 "%s: too much steel for one site: at most %d plates and %d bodies in all",
                 place->vehicle, 32, SOIL_BOUNDARIES_MAX);
        return false;
    }
    return true;
}

static bool world_ground(World* w, BaseYamlError* error)
{
    if (!material_load(w->def.materials, &w->arena, &w->materials, error) ||
        !material_load_calibration(w->def.calibration, &w->arena, &w->calibration, error)) {
        return false;
    }
    w->terrain = site_load(w->def.site, &w->materials, &w->arena, &w->site, error);
    return w->terrain != NULL;
}

static bool world_load(World* w, BaseYamlError* error)
{
    if ((!w->terrain && !world_ground(w, error)) || !world_soil_make(w, error)) {
        return false;
    }
    for (int n = 0; n < w->def.machine_count; ++n) {
        if (!world_machine_make(w, n, error)) {
            return false;
        }
    }
    return true;
}

static const char* world_keep(World* w, const char* text)
{
    if (!text) {
        return NULL;
    }
    size_t size = strlen(text) + 1;
    char* copy = base_arena_alloc(&w->arena, size);
    memcpy(copy, text, size);
    return copy;
}

World* world_create(const WorldDef* def, int threads, BaseYamlError* error)
{
    BASE_ASSERT(def->machine_count >= 0 && def->machine_count <= WORLD_MACHINES_MAX);
    BASE_ASSERT(def->radius >= WORLD_RADIUS_MIN && def->radius <= WORLD_RADIUS_MAX);
    BASE_ASSERT(def->pool > 0);
    *error = (BaseYamlError){0};
    World* w = calloc(1, sizeof *w);
    if (!w || !base_arena_init(&w->arena, WORLD_ARENA)) {
        if (def->ground) {
            terrain_destroy(def->ground->terrain);
        }
        free(w);
        return NULL;
    }
    w->def = *def;
    w->def.ground = NULL;
    if (def->ground) {
        w->terrain = def->ground->terrain;
        w->site = def->ground->site;
        w->calibration = *def->ground->calibration;
    }
    w->def.site = world_keep(w, def->site);
    w->def.materials = world_keep(w, def->materials);
    w->def.calibration = world_keep(w, def->calibration);
    for (int n = 0; n < def->machine_count; ++n) {
        w->def.machine[n].vehicle = world_keep(w, def->machine[n].vehicle);
    }
    w->audited = true;
    w->jobs = jobs_create(threads);
    if (!w->jobs || !world_load(w, error)) {
        world_destroy(w);
        return NULL;
    }
    return w;
}

void world_destroy(World* w)
{
    if (!w) {
        return;
    }
    coupling_fleet_destroy(w->fleet);
    coupling_destroy(w->coupling);
    for (int n = 0; n < WORLD_MACHINES_MAX; ++n) {
        machine_destroy(w->machine[n]);
    }
    soil_destroy(w->soil);
    terrain_destroy(w->terrain);
    jobs_destroy(w->jobs);
    free(w->last_id);
    free(w->last_at);
    base_arena_free(&w->arena);
    free(w);
}

// --- a step --------------------------------------------------------------------------------------

// Charges the time since the last call to a phase. Information only.
static void world_clock(World* w, WorldPhase phase, double* mark)
{
    double now = base_seconds();
    w->profile.seconds[phase] += now - *mark;
    *mark = now;
}

static void world_drive(World* w, const InputFrame* input)
{
    for (int n = 0; n < w->machine_count; ++n) {
        InputFrame frame = input[n];
        w->faults.input += (uint32_t)input_frame_repair(&frame, NULL);
        machine_drive(w->machine[n], &frame, WORLD_DT);
    }
}

// A grain whose numbers went bad goes back to where it was, at rest: its soil is not lost, and time
// does not jump. One that was born in this very step has no such place and goes to the site's first column.
static void world_rescue(World* w, int grain)
{
    SoilState* s = soil_edit(w->soil);
    Vec3 at = terrain_center(w->terrain, 0);
    for (int n = 0; n < w->last_count; ++n) {
        if (w->last_id[n] == s->id[grain]) {
            at = w->last_at[n];
        }
    }
    s->px[grain] = at.x, s->py[grain] = at.y, s->pz[grain] = at.z;
    s->vx[grain] = s->vy[grain] = s->vz[grain] = 0.0f;
    s->rest[grain] = 0;
    soil_touch(w->soil);
    w->faults.bad_grains++;
}

static void world_check(World* w)
{
    // I2
    for (int bad = soil_find_bad(w->soil); bad >= 0; bad = soil_find_bad(w->soil)) {
        world_rescue(w, bad);
    }
    const SoilState* s = soil_state(w->soil);
    for (int i = 0; i < s->count; ++i) {
        w->last_id[i] = s->id[i];
        w->last_at[i] = vec3(s->px[i], s->py[i], s->pz[i]);
    }
    w->last_count = s->count;
    uint64_t refused = coupling_ledger(w->coupling)->refused;
    w->faults.pool_full += refused != w->refused;
    w->refused = refused;
    w->faults.hasty += coupling_stats(w->coupling)->haste > 0;
    w->faults.crowded += soil_stats(w->soil)->refused > 0;
    w->faults.machine_resets = 0;
    for (int n = 0; n < w->machine_count; ++n) {
        w->faults.machine_resets += (uint32_t)machine_state(w->machine[n])->resets;
    }
    if (w->steps % WORLD_AUDIT == 0) {
        w->audited = coupling_recount(w->coupling);
    }
    // I1: a trainer goes on to its next step, where it is told, frozen and marked; whoever debugs wants to be here
    bool right = coupling_balanced(w->coupling) && w->audited;
    w->faults.lost += !right;
    BASE_DEBUG_ASSERT(right);
}

static void world_count(World* w, double begun)
{
    WorldProfile* p = &w->profile;
    const SoilStats* grains = soil_stats(w->soil);
    const CouplingStats* coupling = coupling_stats(w->coupling);
    double look = grains->seconds[SOIL_PHASE_SORT] + grains->seconds[SOIL_PHASE_LIST] +
                  grains->seconds[SOIL_PHASE_COLLIDE] + grains->seconds[SOIL_PHASE_PREDICT];
    p->seconds[WORLD_PHASE_LOOK] = look;
    p->seconds[WORLD_PHASE_GRAINS] -= look;
    p->total = base_seconds() - begun;
    p->grains = soil_state(w->soil)->count;
    p->contacts = (int)(grains->slots / 2);
    p->births = coupling->births, p->returns = coupling->returns;
    p->tiles = terrain_stats(w->terrain)->tiles;
    p->haste = coupling->haste;
}

void world_step(World* w, const InputFrame* input)
{
    double begun = base_seconds(), mark = begun;
    int parts = soil_parts(w->soil, WORLD_PARTS);
    memset(w->profile.seconds, 0, sizeof w->profile.seconds);

    // levers open valves
    world_drive(w, input);
    world_clock(w, WORLD_PHASE_DRIVE, &mark);

    // tools take ground in, and learn what holds against them
    coupling_fleet_cut(w->fleet);
    world_clock(w, WORLD_PHASE_CUT, &mark);

    // grains and machines push each other
    soil_begin(w->soil, w->jobs, parts);
    for (int part = 0; part < parts; ++part) {
        double h = soil_part_seconds(w->soil);
        coupling_fleet_lead(w->fleet);
        soil_part(w->soil, w->jobs);
        world_clock(w, WORLD_PHASE_GRAINS, &mark);
        coupling_fleet_react(w->fleet, h);
        for (int n = 0; n < w->machine_count; ++n) {
            machine_step(w->machine[n], coupling_fleet_ground(w->fleet), h);
        }
        coupling_fleet_feel(w->fleet, h);
        world_clock(w, WORLD_PHASE_RIG, &mark);
    }
    coupling_fleet_lead(w->fleet);
    soil_end(w->soil);

    // what rests becomes ground, what stands too steep becomes grains
    coupling_fleet_settle(w->fleet);
    coupling_step(w->coupling, w->jobs);
    world_clock(w, WORLD_PHASE_GROUND, &mark);
    terrain_settle(w->terrain, w->jobs);
    world_clock(w, WORLD_PHASE_SLOPES, &mark);

    // nothing was lost, nothing went bad
    w->steps++;
    world_check(w);
    world_clock(w, WORLD_PHASE_CHECK, &mark);
    world_count(w, begun);
}

// --- questions -----------------------------------------------------------------------------------

const WorldDef* world_definition(const World* w)
{
    return &w->def;
}

uint64_t world_steps(const World* w)
{
    return w->steps;
}

double world_time(const World* w)
{
    return (double)w->steps / (double)WORLD_RATE;
}

const WorldProfile* world_profile(const World* w)
{
    return &w->profile;
}

const WorldFaults* world_faults(const World* w)
{
    return &w->faults;
}

const char* world_phase_name(WorldPhase phase)
{
    static const char* const name[WORLD_PHASE_COUNT] = {"drive", "cut",    "look",   "grains",
                                                        "rig",   "ground", "slopes", "check"};
    return name[phase];
}

Terrain* world_terrain(World* w)
{
    return w->terrain;
}

Soil* world_soil(World* w)
{
    return w->soil;
}

Coupling* world_coupling(World* w)
{
    return w->coupling;
}

CouplingFleet* world_fleet(World* w)
{
    return w->fleet;
}

Machine* world_machine(World* w, int machine)
{
    BASE_ASSERT(machine >= 0 && machine < w->machine_count);
    return w->machine[machine];
}

const MachineDef* world_machine_def(const World* w, int machine)
{
    BASE_ASSERT(machine >= 0 && machine < w->machine_count);
    return &w->vehicle[machine];
}

const SiteInfo* world_site(const World* w)
{
    return &w->site;
}

int world_threads(const World* w)
{
    return jobs_workers(w->jobs);
}

int64_t world_imbalance(const World* w)
{
    int64_t sum = 0;
    for (int m = 0; m < w->site.material_count; ++m) {
        int64_t excess = coupling_imbalance(w->coupling, m);
        sum += excess < 0 ? -excess : excess;
    }
    return sum;
}

bool world_audit(const World* w)
{
    return coupling_audit(w->coupling);
}

// --- records -------------------------------------------------------------------------------------

#define WORLD_MAGIC 0x31304c524f57544dull // "MTWORL01"

WorldHash world_hash(const World* w)
{
    WorldHash hash = {
        .soil = soil_hash(w->soil),
        .terrain = terrain_hash(w->terrain),
        .coupling = coupling_hash(w->coupling),
        .machines = coupling_fleet_hash(w->fleet),
    };
    for (int n = 0; n < w->machine_count; ++n) {
        uint64_t machine = machine_hash(w->machine[n]);
        hash.machines = base_hash(&machine, sizeof machine, hash.machines);
    }
    const uint64_t part[3] = {w->steps, hash.coupling, hash.machines};
    hash.total = base_hash(part, sizeof part, WORLD_MAGIC);
    return hash;
}

typedef struct WorldHead {
    uint64_t magic, size, hash; // of everything behind
    uint64_t steps, machines;
    uint64_t fleet, coupling; // bytes
} WorldHead;

static WorldHead world_head(const World* w)
{
    WorldHead head;
    memset(&head, 0, sizeof head);
    head.magic = WORLD_MAGIC, head.steps = w->steps, head.machines = (uint64_t)w->machine_count;
    head.fleet = coupling_fleet_snapshot_size(w->fleet);
    head.coupling = coupling_snapshot_size(w->coupling);
    head.size = sizeof head + head.machines * sizeof(MachineState) + head.fleet + head.coupling;
    return head;
}

size_t world_snapshot_size(const World* w)
{
    return (size_t)world_head(w).size;
}

void world_snapshot_save(const World* w, void* out)
{
    WorldHead head = world_head(w);
    unsigned char* at = (unsigned char*)out + sizeof head;
    for (int n = 0; n < w->machine_count; ++n, at += sizeof(MachineState)) {
        memcpy(at, machine_state(w->machine[n]), sizeof(MachineState));
    }
    coupling_fleet_snapshot_save(w->fleet, at), at += head.fleet;
    coupling_snapshot_save(w->coupling, at);
    head.hash = base_hash((unsigned char*)out + sizeof head, head.size - sizeof head, 0);
    memcpy(out, &head, sizeof head);
}

bool world_snapshot_load(World* w, const void* in, size_t size)
{
    WorldHead head;
    if (size < sizeof head) {
        return false;
    }
    memcpy(&head, in, sizeof head);
    const unsigned char* at = (const unsigned char*)in + sizeof head;
    if (head.magic != WORLD_MAGIC || head.size != size ||
        head.machines != (uint64_t)w->machine_count ||
        head.fleet != coupling_fleet_snapshot_size(w->fleet) || head.coupling > size ||
        size != sizeof head + head.machines * sizeof(MachineState) + head.fleet + head.coupling ||
        base_hash(at, size - sizeof head, 0) != head.hash) {
        return false;
    }
    // the largest part checks itself before it changes anything
    const unsigned char* machines = at;
    const unsigned char* fleet = at + head.machines * sizeof(MachineState);
    if (!coupling_snapshot_load(w->coupling, fleet + head.fleet, head.coupling) ||
        !coupling_fleet_snapshot_load(w->fleet, fleet, head.fleet)) {
        return false;
    }
    for (int n = 0; n < w->machine_count; ++n) {
        MachineState state;
        memcpy(&state, machines + (size_t)n * sizeof state, sizeof state);
        if (!machine_set_state(w->machine[n], &state)) {
            return false;
        }
    }
    w->steps = head.steps;
    coupling_fleet_lead(w->fleet);
    coupling_fleet_recount(w->fleet);
    const SoilState* s = soil_state(w->soil);
    for (int i = 0; i < s->count; ++i) {
        w->last_id[i] = s->id[i];
        w->last_at[i] = vec3(s->px[i], s->py[i], s->pz[i]);
    }
    w->last_count = s->count;
    return true;
}
