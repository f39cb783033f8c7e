#include "sim/sim_lesson.h"

#include "base/base_hash.h"
#include "base/base_log.h"
#include "base/base_memory.h"
#include "sim/sim_lesson_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LESSON_ARENA ((size_t)64 << 20) // bytes of address space
#define LESSON_GRAIN 512                // bytes that a grain may add to a snapshot

// --- files ---------------------------------------------------------------------------------------

static bool lesson_fail(BaseYamlError* error, const char* what, const char* path)
{
    *error = (BaseYamlError){0};
    snprintf(error->text, sizeof error->text, "%s was not found, last looked for as %.300s", what,
             path);
    return false;
}

static bool lesson_find(const SimLesson* l, const char* name, char path[LESSON_PATH],
                        BaseYamlError* error)
{
    return l->def.find(name, path, LESSON_PATH) || lesson_fail(error, name, path);
}

// A path, or the name of a shipped lesson.
static void lesson_find_self(SimLesson* l)
{
    char shipped[300], path[LESSON_PATH];
    const char* name = l->def.name;
    snprintf(l->path, sizeof l->path, "%s", name);
    if (access(name, F_OK) == 0 || strchr(name, '/') || strlen(name) > 64) {
        return;
    }
    snprintf(shipped, sizeof shipped, "config/scenarios/%s.yaml", name);
    if (l->def.find(shipped, path, sizeof path)) {
        snprintf(l->path, sizeof l->path, "%s", path);
    }
}

// Whether two paths are one file.
static bool lesson_same_file(const char* a, const char* b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

// What is shipped is known by its name wherever the program lies: a recording travels. Anything else by the
// path that was given.
static void lesson_name(const SimLesson* l, char out[RECORD_NAME])
{
    char shipped[300], path[LESSON_PATH];
    const char* slash = strrchr(l->path, '/');
    const char* base = slash ? slash + 1 : l->path;
    int stem = (int)strcspn(base, ".");
    snprintf(shipped, sizeof shipped, "config/scenarios/%.*s.yaml", stem < 64 ? stem : 64, base);
    bool known = l->def.find(shipped, path, sizeof path) && lesson_same_file(path, l->path);
    snprintf(out, RECORD_NAME, "%.*s", known ? stem : RECORD_NAME - 1, known ? base : l->def.name);
}

static void lesson_note_file(RecordFile* out, const char* name, const char* path)
{
    char part[4096];
    size_t got;
    if (name) {
        snprintf(out->name, sizeof out->name, "%.90s", name);
    }
    FILE* file = fopen(path, "rb");
    while (file && (got = fread(part, 1, sizeof part, file)) > 0) {
        out->hash = base_hash(part, got, out->hash);
    }
    if (file) {
        fclose(file);
    }
}

static bool lesson_read(SimLesson* l, BaseYamlError* error)
{
    static const char* const name[3] = {"config/materials.yaml", "config/calibration.yaml",
                                        "config/weather.yaml"};
    char path[3][LESSON_PATH], site[LESSON_PATH], shipped[300];
    if (!scenario_load(l->path, l->def.find, &l->arena, &l->scenario, error)) {
        return false;
    }
    lesson_name(l, l->file[0].name);
    lesson_note_file(&l->file[0], NULL, l->path);
    for (int k = 0; k < 3; ++k) {
        if (!lesson_find(l, name[k], path[k], error)) {
            return false;
        }
        lesson_note_file(&l->file[3], k == 0 ? "materials" : NULL, path[k]);
    }
    const char* own = l->scenario.site;
    snprintf(l->file[1].name, sizeof l->file[1].name, "%.90s", own ? own : "its own");
    l->file[1].hash = l->file[0].hash;
    snprintf(shipped, sizeof shipped, "config/sites/%.200s.yaml", own ? own : "");
    if (own && l->def.find(shipped, site, sizeof site)) {
        l->file[1].hash = 0;
        lesson_note_file(&l->file[1], NULL, site);
    }
    return material_load(path[0], &l->arena, &l->materials, error) &&
           material_load_calibration(path[1], &l->arena, &l->calibration, error) &&
           scenario_weather_load(path[2], &l->arena, &l->weathers, error);
}

// The expert's values are no part of the lesson: a bad file is told, and the lesson goes on without it.
static void lesson_yardstick(SimLesson* l)
{
    char path[LESSON_PATH];
    BaseYamlError error;
    if (!scenario_yardstick_path(l->path, path, sizeof path) || access(path, F_OK) != 0) {
        return;
    }
    l->measured = scenario_yardstick_load(path, &l->arena, &l->yardstick, &error);
    if (!l->measured) {
        base_error("%s", error.text);
    }
}

// --- ground and machines -------------------------------------------------------------------------

static Terrain* lesson_ground(SimLesson* l, BaseYamlError* error)
{
    size_t bytes = (size_t)l->materials.count * sizeof *l->moist.materials;
    l->moist = l->materials;
    l->moist.materials = base_arena_alloc(&l->arena, bytes);
    memcpy(l->moist.materials, l->materials.materials, bytes);
    scenario_weather_apply(scenario_weather(&l->weathers, l->scenario.weather), &l->materials,
                           &l->calibration);
    l->weather = l->scenario.weather;
    return scenario_build_site(&l->scenario, l->path, l->def.find, &l->materials, &l->arena,
                               &l->site, error);
}

static const char* lesson_vehicle(SimLesson* l, const char* name, bool first, BaseYamlError* error)
{
    char shipped[300], path[LESSON_PATH];
    snprintf(shipped, sizeof shipped, "vehicles/%.200s.yaml", name);
    if (!lesson_find(l, shipped, path, error)) {
        return NULL;
    }
    lesson_note_file(&l->file[2], first ? name : NULL, path);
    char* copy = base_arena_alloc(&l->arena, strlen(path) + 1);
    memcpy(copy, path, strlen(path) + 1);
    return copy;
}

static bool lesson_trucks_make(SimLesson* l, WorldDef* world, BaseYamlError* error)
{
    char key[128];
    for (int k = 0; k < l->scenario.object_count; ++k) {
        const ScenarioTruck* t = l->scenario.objects[k].truck;
        if (!t) {
            continue;
        }
        if (l->trucks == SIM_LESSON_TRUCKS) {
            return base_yaml_fault(l->path, "objects", error, "too many trucks; allowed are %d",
                                   SIM_LESSON_TRUCKS);
        }
        WorldPlace* place = &world->machine[world->machine_count++];
        MachineDef def;
        place->vehicle = lesson_vehicle(l, t->vehicle, false, error);
        if (!place->vehicle || !machine_load(place->vehicle, &l->arena, &def, error)) {
            return false;
        }
        if (!sim_lesson_truck_place(l, t, &def, place)) {
            snprintf(key, sizeof key, "objects.%.64s.truck.vehicle", l->scenario.objects[k].name);
            return base_yaml_fault(l->path, key, error,
                                   "%s has no bin to be loaded; allowed is a truck, as truck_24t",
                                   t->vehicle);
        }
        l->state.truck[l->trucks++].object = k;
    }
    return true;
}

// Joints as the lesson wants them; the rest as the vehicle starts.
static void lesson_pose(SimLesson* l)
{
    const ScenarioMachine* m = &l->scenario.machine;
    const float want[OPERATOR_JOINTS] = {scenario_world_angle(m->swing), m->boom, m->stick,
                                         m->bucket};
    Machine* machine = world_machine(l->world, 0);
    for (int k = 0; k < OPERATOR_JOINTS; ++k) {
        if (!scenario_absent(want[k]) && !(k == OPERATOR_SWING && want[k] == 0.0f)) {
            double angle = (double)want[k];
            angle = angle < l->arm.low[k] ? l->arm.low[k] : angle;
            angle = angle > l->arm.high[k] ? l->arm.high[k] : angle;
            machine_set_joint(machine, l->arm.body[k], angle);
        }
    }
    coupling_fleet_lead(world_fleet(l->world));
}

static void lesson_measure(SimLesson* l, const MachineDef* def)
{
    for (int n = 0; n < def->shape_count; ++n) {
        const MachineShape* s = &def->shapes[n];
        if (s->body == l->arm.body[OPERATOR_SWING] && s->kind == MACHINE_BOX && s->steel) {
            float back = s->half.x - s->center.x, side = __builtin_fabsf(s->center.z) + s->half.z;
            float far = back > 0.0f ? __builtin_sqrtf(back * back + side * side) : 0.0f;
            l->tail = base_maxf(l->tail, base_minf(far, back + 0.3f));
        }
    }
    for (int n = 0; n < def->runner_count; ++n) {
        const MachineRunner* r = &def->runners[n];
        l->under[0] = base_maxf(l->under[0], __builtin_fabsf(r->center.x) + 0.5f * r->length);
        l->under[1] = base_maxf(l->under[1], __builtin_fabsf(r->center.z) + 0.5f * r->width);
    }
    const MachineDriveDef* drive = def->drive;
    for (int n = 0; n < drive->hydraulics.pump_count; ++n) {
        l->drive.pump[n] = drive->hydraulics.pumps[n];
    }
    for (int n = 0; n < drive->engine.torque_count; ++n) {
        l->drive.torque[n] = drive->engine.torque[n];
    }
    for (int n = 0; n < drive->hydraulics.function_count; ++n) {
        const MachineFunction* f = &drive->hydraulics.functions[n];
        if (f->lever == INPUT_BOOM) {
            l->drive.boom[0] = f->extend.relief, l->drive.boom[1] = f->retract.relief;
        }
    }
    l->drive.power = drive->engine.power;
    l->drive.relief = drive->hydraulics.relief;
}

static bool lesson_world(SimLesson* l, BaseYamlError* error)
{
    const ScenarioMachine* m = &l->scenario.machine;
    WorldGround ground = {.terrain = lesson_ground(l, error), .calibration = &l->calibration};
    if (!ground.terrain) {
        return false;
    }
    ground.site = l->site;
    l->ground = terrain_definition(ground.terrain);
    Vec3 at = scenario_world(l->ground, vec3(m->at[0], 0.0f, m->at[1]));
    WorldDef world = {.ground = &ground,
                      .radius = SIM_LESSON_RADIUS,
                      .pool = SIM_LESSON_POOL,
                      .births = SIM_LESSON_BIRTHS,
                      .machine_count = 1};
    world.machine[0] = (WorldPlace){lesson_vehicle(l, m->vehicle, true, error), at.x, at.z,
                                    scenario_world_angle(m->heading)};
    if (!world.machine[0].vehicle || !lesson_trucks_make(l, &world, error)) {
        terrain_destroy(ground.terrain);
        return false;
    }
    l->world = world_create(&world, l->def.threads, error);
    const char* missing;
    if (!l->world) {
        return false;
    }
    l->ground = terrain_definition(world_terrain(l->world));
    if (!operator_arm_find(world_machine_def(l->world, 0), &l->arm, &missing)) {
        return base_yaml_fault(l->path, "machine.vehicle", error,
                               "%s lacks %s; allowed is an excavator, as excavator_22t", m->vehicle,
                               missing);
    }
    lesson_pose(l);
    lesson_measure(l, world_machine_def(l->world, 0));
    return true;
}

// --- beginning -----------------------------------------------------------------------------------

static void lesson_score(SimLesson* l)
{
    const MachineTool* tool = &world_machine_def(l->world, 0)->tools[l->arm.tool];
    ScoreSetup setup = {.rate = WORLD_RATE,
                        .bucket_volume = (double)tool->heaped,
                        .reach = l->arm.boom[0] + l->arm.stick[0] + l->arm.bucket[0],
                        .materials = l->site.material_count};
    for (int m = 0; m < l->site.material_count && m < SCORE_MATERIALS; ++m) {
        setup.density_bank[m] = (double)l->site.material[m]->density_bank;
        setup.density_loose[m] = (double)l->site.material[m]->density_loose;
    }
    score_init(&l->state.score, &setup);
}

static bool lesson_begin(SimLesson* l)
{
    const Terrain* ground = world_terrain(l->world);
    size_t columns = (size_t)l->ground->nx * (size_t)l->ground->nz;
    l->start = base_memory(columns, sizeof *l->start);
    l->bank = base_memory(columns, sizeof *l->bank);
    l->map = base_memory(columns, 1);
    l->base_bytes = world_snapshot_size(l->world);
    l->save_size = l->base_bytes + (size_t)SIM_LESSON_POOL * LESSON_GRAIN;
    if (!l->start || !l->bank || !l->map) {
        return false;
    }
    for (size_t cell = 0; cell < columns; ++cell) {
        l->start[cell] = terrain_surface(ground, (int)cell);
        l->bank[cell] = terrain_bank_top(ground, (int)cell);
    }
    scenario_place_goals(&l->scenario, ground, &l->floors);
    scenario_place_map(&l->scenario, &l->floors, l->ground, l->map);
    sim_lesson_trucks_begin(l);
    sim_lesson_books(l, l->place_start);
    scenario_zone_masses(&l->scenario, ground, l->zone_start);
    scenario_begin(&l->scenario, &l->state.scenario);
    scenario_survey(&l->scenario, &l->floors, ground, l->start, l->bank, &l->state.survey);
    lesson_score(l);
    l->save = base_memory(l->save_size, 1);
    l->base = base_memory(world_snapshot_size(l->world), 1);
    if (!l->save || !l->base) {
        return false;
    }
    l->base_bytes = world_snapshot_size(l->world);
    world_snapshot_save(l->world, l->base);
    l->base_state = l->state;
    return true;
}

SimLesson* sim_lesson_create(const SimLessonDef* def, BaseYamlError* error)
{
    *error = (BaseYamlError){0};
    SimLesson* l = calloc(1, sizeof *l);
    if (!l || !base_arena_init(&l->arena, LESSON_ARENA)) {
        free(l);
        return NULL;
    }
    l->def = *def;
    lesson_find_self(l);
    if (!lesson_read(l, error) || !lesson_world(l, error) || !lesson_begin(l) ||
        !sim_lesson_check(l, error)) {
        sim_lesson_destroy(l);
        return NULL;
    }
    lesson_yardstick(l);
    return l;
}

void sim_lesson_destroy(SimLesson* l)
{
    if (!l) {
        return;
    }
    if (l->writer) {
        record_abandon(l->writer);
    }
    world_destroy(l->world);
    free(l->start);
    free(l->bank);
    free(l->map);
    free(l->save);
    free(l->base);
    base_arena_free(&l->arena);
    free(l);
}

// --- faults and weather --------------------------------------------------------------------------

// The machine's file as the fault leaves it.
static void lesson_fault(SimLesson* l, int fault)
{
    MachineDriveDef* d = world_machine_def(l->world, 0)->drive;
    float flow = fault == SCENARIO_FAULT_SLOW_PUMP ? 0.5f : 1.0f;
    float power = fault == SCENARIO_FAULT_ENGINE_HOT ? 0.5f : 1.0f;
    for (int n = 0; n < d->hydraulics.pump_count; ++n) {
        d->hydraulics.pumps[n].flow = flow * l->drive.pump[n].flow;
    }
    for (int n = 0; n < d->engine.torque_count; ++n) {
        d->engine.torque[n].torque = power * l->drive.torque[n].torque;
    }
    d->engine.power = power * l->drive.power;
    for (int n = 0; n < d->hydraulics.function_count; ++n) {
        MachineFunction* f = &d->hydraulics.functions[n];
        if (f->lever != INPUT_BOOM) {
            continue;
        }
        MachinePort* port[2] = {&f->extend, &f->retract};
        for (int k = 0; k < 2; ++k) {
            float whole = l->drive.boom[k] > 0.0f ? l->drive.boom[k] : l->drive.relief;
            port[k]->relief =
                fault == SCENARIO_FAULT_WEAK_BOOM ? 2.0f / 3.0f * whole : l->drive.boom[k];
        }
    }
    l->fault = fault;
}

// Weather changes how strong soil is, how steep it stands, and how it holds to steel; what lies there keeps its
// mass and volume, and grains in motion their friction.
static void lesson_weather(SimLesson* l, int weather)
{
    const ScenarioWeather* w = scenario_weather(&l->weathers, weather);
    for (int k = 0; k < l->materials.count; ++k) {
        Material* m = &l->materials.materials[k];
        const Material* moist = &l->moist.materials[k];
        m->friction = moist->friction * w->friction;
        m->cohesion = moist->cohesion * w->cohesion;
        m->steel_friction = moist->steel_friction * w->steel_friction;
        m->steel_adhesion = moist->steel_adhesion * w->steel_adhesion;
    }
    Terrain* ground = world_terrain(l->world);
    for (int m = 0; m < l->site.material_count; ++m) {
        const Material* now = l->site.material[m];
        float repose = l->moist.materials[now - l->materials.materials].repose * w->repose;
        terrain_weather(ground, m, now->friction, now->cohesion, repose);
    }
    coupling_fleet_weather(world_fleet(l->world), l->site.material);
    l->weather = weather;
}

// All slopes are looked at again: what stood while it was moist may not stand in the rain.
static void lesson_rain(SimLesson* l)
{
    Terrain* ground = world_terrain(l->world);
    lesson_weather(l, l->state.scenario.weather);
    for (int z = 0; z < l->ground->nz; z += TERRAIN_TILE) {
        for (int x = 0; x < l->ground->nx; x += TERRAIN_TILE) {
            terrain_wake(ground, z * l->ground->nx + x);
        }
    }
}

// --- a step --------------------------------------------------------------------------------------

uint64_t sim_lesson_steps(const SimLesson* l)
{
    return world_steps(l->world);
}

void sim_lesson_event(SimLesson* l, SimEventKind kind, double a, double b, const char* text)
{
    SimLessonEvent* e = &l->state.event[l->state.events++ % SIM_LESSON_EVENTS];
    memset(e, 0, sizeof *e);
    e->time = world_time(l->world);
    e->kind = kind;
    strncpy(e->text, text, sizeof e->text - 1);
    if (l->writer) {
        record_event(l->writer, (uint16_t)kind, a, b, text);
    }
}

static void lesson_survey(SimLesson* l)
{
    const Terrain* ground = world_terrain(l->world);
    SimLessonState* s = &l->state;
    scenario_survey(&l->scenario, &l->floors, ground, l->start, l->bank, &s->survey);
    score_set_survey(&s->score, &s->survey.score);
    scenario_zone_masses(&l->scenario, ground, s->zone_mass);
    for (int k = 0; k < l->scenario.zone_count; ++k) {
        s->zone_mass[k] -= l->zone_start[k];
    }
    sim_lesson_books(l, s->gained);
    for (int k = 0; k < SCORE_PLACE_COUNT; ++k) {
        s->gained[k] -= l->place_start[k];
        // what comes to rest by itself is nobody's spill
        s->slid[k] = s->score.worked ? s->slid[k] : s->gained[k];
        s->gained[k] -= s->slid[k];
    }
}

static void lesson_goals(SimLesson* l)
{
    SimLessonState* s = &l->state;
    bool done[SCENARIO_GOALS_MAX];
    int fired[SCENARIO_EVENTS_MAX];
    ScenarioNow now = {0};
    memcpy(done, s->scenario.done, sizeof done);
    sim_lesson_look(l, &now);
    int count = scenario_step(&l->scenario, &s->scenario, &now, fired);
    for (int k = 0; k < count; ++k) {
        const ScenarioEvent* e = &l->scenario.events[fired[k]];
        sim_lesson_event(l, SIM_EVENT_SCENARIO, fired[k], 0.0, e->say ? e->say : e->name);
        if (e->does == SCENARIO_CHANGE_WEATHER) {
            lesson_rain(l);
        }
        for (int n = 0; e->object && n < l->scenario.object_count; ++n) {
            if (strcmp(l->scenario.objects[n].name, e->object) == 0) {
                s->appeared[n] = now.time;
            }
        }
    }
    for (int k = 0; k < l->scenario.goal_count; ++k) {
        if (done[k] != s->scenario.done[k]) {
            char text[RECORD_TEXT + 1];
            snprintf(text, sizeof text, "%s: %s",
                     s->scenario.done[k] ? "goal reached" : "goal no longer reached",
                     l->scenario.goals[k].name);
            sim_lesson_event(l, SIM_EVENT_GOAL, k, s->scenario.done[k], text);
        }
    }
}

static void lesson_record_step(SimLesson* l, const InputFrame* frame)
{
    uint64_t steps = sim_lesson_steps(l);
    if (!l->writer) {
        return;
    }
    record_step(l->writer, (uint32_t)(steps - 1), frame);
    if (steps % WORLD_RATE != 0) {
        return;
    }
    uint64_t hashes[SIM_LESSON_MODULES + 1];
    sim_lesson_hashes(l, hashes);
    record_second(l->writer, hashes);
    if (record_key_wanted(l->writer) && world_snapshot_size(l->world) <= l->save_size) {
        RecordSection section[SIM_LESSON_SECTIONS];
        sim_lesson_save(l, section);
        record_key(l->writer, section, SIM_LESSON_SECTIONS);
    }
}

void sim_lesson_step(SimLesson* l, const InputFrame* frame)
{
    InputFrame input[WORLD_MACHINES_MAX];
    memset(input, 0, sizeof input);
    input[0] = *frame;
    input_frame_repair(&input[0], NULL);
    sim_lesson_trucks_drive(l, input);
    if (l->fault != l->state.scenario.fault) {
        lesson_fault(l, l->state.scenario.fault);
    }
    if (l->weather != l->state.scenario.weather) {
        lesson_weather(l, l->state.scenario.weather);
    }
    const WorldFaults known = *world_faults(l->world);
    world_step(l->world, input);
    sim_lesson_mend(l, &known);
    uint64_t steps = sim_lesson_steps(l);
    if (steps % WORLD_RATE == 0) {
        lesson_survey(l);
    }
    sim_lesson_trucks_follow(l, &input[0]);
    lesson_goals(l);
    ScoreSample sample;
    memset(&sample, 0, sizeof sample);
    sim_lesson_sample(l, &input[0], &sample);
    score_step(&l->state.score, &sample);
    lesson_record_step(l, &input[0]);
}

const char* sim_lesson_over(const SimLesson* l)
{
    const char* given_up = sim_lesson_given_up(l);
    return given_up                      ? given_up
           : l->state.scenario.finished  ? "all goals are reached"
           : l->state.scenario.timed_out ? "the time is up"
                                         : NULL;
}

void sim_lesson_judge(const SimLesson* l, const ScoreRules* rules, ScoreResult* out)
{
    ScoreValue value[SCORE_MEASURE_COUNT];
    score_values(&l->state.score, value);
    score_judge(rules ? rules : &l->scenario.rules, value, out);
    out->passed = out->passed && sim_lesson_over(l);
    out->expert = l->measured ? l->yardstick.value : NULL;
}

const ScenarioYardstick* sim_lesson_yardstick(const SimLesson* l, bool* same)
{
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)l->file[0].hash);
    *same = l->measured && strcmp(hash, l->yardstick.scenario) == 0;
    return l->measured ? &l->yardstick : NULL;
}

bool sim_lesson_yardstick_write(const SimLesson* l, const char* path)
{
    ScoreResult result;
    char name[65], hash[20];
    const char* slash = strrchr(l->path, '/');
    const char* base = slash ? slash + 1 : l->path;
    sim_lesson_judge(l, NULL, &result);
    snprintf(name, sizeof name, "%.*s", (int)base_mini((int)strcspn(base, "."), 64), base);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)l->file[0].hash);
    ScenarioYardstick y = {
        .lesson = name, .program = MATTOCK_VERSION, .scenario = hash, .points = result.total};
    memcpy(y.value, result.value, sizeof y.value);
    return scenario_yardstick_write(path, &y);
}

// --- questions -----------------------------------------------------------------------------------

World* sim_lesson_world(SimLesson* l)
{
    return l->world;
}

const Scenario* sim_lesson_scenario(const SimLesson* l)
{
    return &l->scenario;
}

const SimLessonState* sim_lesson_state(const SimLesson* l)
{
    return &l->state;
}

const ScenarioFloors* sim_lesson_floors(const SimLesson* l)
{
    return &l->floors;
}

const float* sim_lesson_start(const SimLesson* l)
{
    return l->start;
}

const OperatorArm* sim_lesson_arm(const SimLesson* l)
{
    return &l->arm;
}

const char* sim_lesson_path(const SimLesson* l)
{
    return l->path;
}

bool sim_lesson_person(const SimLesson* l, int object, Vec3* out)
{
    const ScenarioSpot* p = l->scenario.objects[object].person;
    if (!p || !l->state.scenario.present[object]) {
        return false;
    }
    float x = p->at[0], z = p->at[1];
    if (!scenario_absent(p->walks_to[0])) {
        float dx = p->walks_to[0] - x, dz = p->walks_to[1] - z;
        float way = __builtin_sqrtf(dx * dx + dz * dz);
        float gone = p->speed * (float)(world_time(l->world) - l->state.appeared[object]);
        float share = way > 0.0f ? base_minf(gone / way, 1.0f) : 0.0f;
        x += share * dx, z += share * dz;
    }
    Vec3 at = scenario_world(l->ground, vec3(x, 0.0f, z));
    *out = vec3(at.x, terrain_height(world_terrain(l->world), at.x, at.z), at.z);
    return true;
}
