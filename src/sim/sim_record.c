#include "sim/sim_record.h"

#include "base/base_hash.h"
#include "base/base_memory.h"
#include "sim/sim_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_GRAIN 512 // bytes that a grain may add to a snapshot

static const char* const record_modules[SIM_MODULES] = {"soil", "terrain", "coupling", "machines"};

// --- what it was made of -------------------------------------------------------------------------

// The setup goes into the first second as events, each a name and two numbers, so that all is exact.
typedef enum RecordSetup {
    SETUP_PLACE,   // x, z
    SETUP_TURN,    // heading, depth
    SETUP_GRAINS,  // radius, births
    SETUP_WORK,    // pool, program
    SETUP_HANDS,   // kind, 1 with a truck
    SETUP_TRUCK,   // its file
    SETUP_VEHICLE, // files
    SETUP_SITE,
    SETUP_COUNT,
} RecordSetup;

// A file that is shipped is known by its name wherever the program lies; any other one by its path.
static void record_name(const char* folder, const char* path, char* out, size_t size)
{
    const char* slash = strrchr(path, '/');
    size_t length = strlen(folder), before = slash ? (size_t)(slash - path) : 0;
    bool shipped = slash && before >= length && memcmp(slash - length, folder, length) == 0 &&
                   (before == length || slash[-(ptrdiff_t)length - 1] == '/');
    snprintf(out, size, "%s", shipped ? slash + 1 : path);
    char* end = strstr(out, ".yaml");
    if (shipped && end) {
        *end = '\0';
    }
}

static bool record_find(ScenarioFind* find, const char* folder, const char* name, char path[4096],
                        const char* file, BaseYamlError* error)
{
    char shipped[300];
    snprintf(path, 4096, "%s", name);
    snprintf(shipped, sizeof shipped, "%s/%.150s.yaml", folder, name);
    if (strchr(name, '/') || strchr(name, '.') || find(shipped, path, 4096)) {
        return true;
    }
    snprintf(error->text, sizeof error->text, "%.200s: %.200s of the recording was not found", file,
             shipped);
    return false;
}

static uint64_t record_hash_file(const char* path, uint64_t hash)
{
    char part[4096];
    size_t got;
    FILE* file = path ? fopen(path, "rb") : NULL;
    while (file && (got = fread(part, 1, sizeof part, file)) > 0) {
        hash = base_hash(part, got, hash);
    }
    if (file) {
        fclose(file);
    }
    return hash;
}

static void record_put(RecordWriter* w, RecordSetup what, double a, double b, const char* text)
{
    char line[RECORD_TEXT + 1];
    snprintf(line, sizeof line, "%d %.100s", (int)what, text);
    record_event(w, SIM_EVENT_SETUP, a, b, line);
}

static void record_put_setup(const Sim* sim)
{
    const SimDef* d = &sim->def;
    RecordWriter* w = sim->writer;
    char name[RECORD_TEXT];
    record_put(w, SETUP_PLACE, (double)d->place[0], (double)d->place[1], "");
    record_put(w, SETUP_TURN, (double)d->place[2], (double)d->depth, "");
    record_put(w, SETUP_GRAINS, (double)d->radius, d->births, "");
    record_put(w, SETUP_WORK, d->pool, d->program, "");
    record_put(w, SETUP_HANDS, d->kind, d->truck != NULL, "");
    record_name("vehicles", d->truck ? d->truck : "", name, sizeof name);
    record_put(w, SETUP_TRUCK, 0.0, 0.0, name);
    record_name("vehicles", d->vehicle, name, sizeof name);
    record_put(w, SETUP_VEHICLE, 0.0, 0.0, name);
    record_name("config/sites", d->site, name, sizeof name);
    record_put(w, SETUP_SITE, 0.0, 0.0, name);
}

bool sim_record_is_site(const RecordHead* head)
{
    return head->rate == WORLD_RATE && head->input_bytes == sizeof(InputFrame) &&
           head->module_count == SIM_MODULES;
}

void sim_record_head(const Sim* sim, const SimLessonWho* who, RecordHead* out)
{
    const SimDef* d = &sim->def;
    memset(out, 0, sizeof *out);
    snprintf(out->program, sizeof out->program, "%s", MATTOCK_VERSION);
    record_name("config/sites", d->site, out->site.name, sizeof out->site.name);
    out->scenario = out->site; // names alone: there is no lesson
    record_name("vehicles", d->vehicle, out->vehicle.name, sizeof out->vehicle.name);
    snprintf(out->materials.name, sizeof out->materials.name, "materials");
    out->site.hash = record_hash_file(d->site, 0);
    out->vehicle.hash = record_hash_file(d->truck, record_hash_file(d->vehicle, 0));
    out->materials.hash = record_hash_file(d->calibration, record_hash_file(d->materials, 0));
    snprintf(out->trainee, sizeof out->trainee, "%.60s", who->trainee ? who->trainee : "");
    snprintf(out->driver, sizeof out->driver, "%.60s", who->driver ? who->driver : "");
    snprintf(out->pattern, sizeof out->pattern, "%.15s", who->pattern ? who->pattern : "");
    snprintf(out->device, sizeof out->device, "%.60s", who->device ? who->device : "");
    out->seed = d->seed;
    out->started = who->started;
    out->rate = WORLD_RATE;
    out->input_bytes = sizeof(InputFrame);
    out->module_count = SIM_MODULES;
    for (int k = 0; k < SIM_MODULES; ++k) {
        snprintf(out->module[k], sizeof out->module[k], "%s", record_modules[k]);
    }
}

// One event of the setup; a bit for each that was understood.
static uint32_t record_take(const RecordEvent* e, SimSetup* out, char name[3][RECORD_TEXT + 1])
{
    SimDef* d = &out->def;
    char* text;
    long what = strtol(e->text, &text, 10);
    text += *text == ' ';
    switch (what) {
    case SETUP_PLACE: d->place[0] = (float)e->value[0], d->place[1] = (float)e->value[1]; break;
    case SETUP_TURN: d->place[2] = (float)e->value[0], d->depth = (float)e->value[1]; break;
    case SETUP_GRAINS: d->radius = (float)e->value[0], d->births = (int)e->value[1]; break;
    case SETUP_WORK: d->pool = (int)e->value[0], d->program = (int)e->value[1]; break;
    case SETUP_HANDS:
        d->kind = (int)e->value[0];
        d->truck = e->value[1] > 0.5 ? out->truck : NULL;
        break;
    case SETUP_TRUCK:
    case SETUP_VEHICLE:
    case SETUP_SITE: snprintf(name[what - SETUP_TRUCK], RECORD_TEXT + 1, "%s", text); break;
    default: return 0;
    }
    return 1u << what;
}

// Numbers come from a file: only what the program itself would write is obeyed.
static bool record_sane(const SimDef* d)
{
    bool fine = d->radius >= WORLD_RADIUS_MIN && d->radius <= WORLD_RADIUS_MAX && d->pool >= 10 &&
                d->pool <= 200000 && d->births >= 0 && d->births <= 10000 && d->kind >= 0 &&
                d->kind < OPERATOR_KINDS && d->program >= 0 && d->program < OPERATOR_PROGRAMS &&
                d->depth >= 0.0f && d->depth <= 10.0f;
    for (int k = 0; k < 3; ++k) {
        fine = fine && d->place[k] >= -1e4f && d->place[k] <= 1e4f;
    }
    return fine;
}

bool sim_record_setup(RecordReader* reader, ScenarioFind* find, SimSetup* out, BaseYamlError* error)
{
    const RecordEvent* event;
    char name[3][RECORD_TEXT + 1] = {""};
    uint32_t seen = 0;
    const char* file = record_info(reader)->head.site.name;
    *out = (SimSetup){.def = {.seconds = 1e9, .seed = record_info(reader)->head.seed}};
    for (int k = 0, count = record_events(reader, 0, &event); k < count; ++k) {
        if (event[k].kind == SIM_EVENT_SETUP) {
            seen |= record_take(&event[k], out, name);
        }
    }
    if (seen != (1u << SETUP_COUNT) - 1 || !record_sane(&out->def)) {
        snprintf(error->text, sizeof error->text,
                 "%.200s: the recording does not tell how the site was set up", file);
        return false;
    }
    out->def.site = out->site, out->def.vehicle = out->vehicle;
    out->def.materials = out->materials, out->def.calibration = out->calibration;
    return (!out->def.truck || record_find(find, "vehicles", name[0], out->truck, file, error)) &&
           record_find(find, "vehicles", name[1], out->vehicle, file, error) &&
           record_find(find, "config/sites", name[2], out->site, file, error) &&
           record_find(find, "config", "materials", out->materials, file, error) &&
           record_find(find, "config", "calibration", out->calibration, file, error);
}

// --- states --------------------------------------------------------------------------------------

bool sim_record_keep(Sim* sim)
{
    if (sim->base) {
        return true;
    }
    sim->base_bytes = world_snapshot_size(sim->world);
    sim->save_size = sim->base_bytes + (size_t)sim->def.pool * RECORD_GRAIN;
    sim->base = base_memory(sim->base_bytes, 1);
    sim->save = base_memory(sim->save_size, 1);
    if (!sim->base || !sim->save) {
        return false;
    }
    world_snapshot_save(sim->world, sim->base);
    return true;
}

void sim_record_base(Sim* sim, RecordSection* out)
{
    *out = (RecordSection){sim->base, sim->base_bytes};
}

bool sim_record_load(Sim* sim, const RecordSnapshot* s)
{
    return s->sections == 1 && world_snapshot_load(sim->world, s->data, s->section[0]);
}

void sim_record_hashes(const Sim* sim, uint64_t out[SIM_MODULES + 1])
{
    WorldHash h = world_hash(sim->world);
    const uint64_t all[SIM_MODULES + 1] = {h.soil, h.terrain, h.coupling, h.machines, h.total};
    memcpy(out, all, sizeof all);
}

// --- writing -------------------------------------------------------------------------------------

static bool record_begun(Sim* sim, BaseYamlError* error)
{
    *error = (BaseYamlError){0};
    if (!sim_record_keep(sim)) {
        snprintf(error->text, sizeof error->text, "not enough memory for key frames");
        return false;
    }
    return true;
}

bool sim_record(Sim* sim, const char* path, const SimLessonWho* who, BaseYamlError* error)
{
    RecordHead head;
    RecordSection base;
    if (!record_begun(sim, error)) {
        return false;
    }
    sim_record_head(sim, who, &head);
    sim->writer = record_begin(path, &head, sim->save_size, error);
    if (sim->writer) {
        sim_record_base(sim, &base);
        record_key_base(sim->writer, &base, 1);
        record_put_setup(sim);
    }
    return sim->writer != NULL;
}

bool sim_record_on(Sim* sim, RecordReader* parent, const char* path, const SimLessonWho* who,
                   BaseYamlError* error)
{
    RecordHead head;
    RecordSection base;
    if (!record_begun(sim, error)) {
        return false;
    }
    sim_record_head(sim, who, &head);
    snprintf(head.parent, sizeof head.parent, "%.90s", who->parent ? who->parent : "unknown");
    sim_record_base(sim, &base);
    uint32_t steps = (uint32_t)world_steps(sim->world);
    sim->writer = record_take_over(parent, steps, path, &head, &base, 1, sim->save_size, error);
    // taken over within the first second, that second is written anew
    if (sim->writer && steps < WORLD_RATE) {
        record_put_setup(sim);
    }
    return sim->writer != NULL;
}

void sim_record_step(Sim* sim, const InputFrame* frame)
{
    if (!sim->writer) {
        return;
    }
    uint64_t steps = world_steps(sim->world);
    record_step(sim->writer, (uint32_t)(steps - 1), frame);
    if (world_faults(sim->world)->lost == 1) { // the first one
        record_event(sim->writer, SIM_EVENT_MENDED, 0.0, 0.0,
                     "Soil is missing: the program is wrong.");
    }
    if (steps % WORLD_RATE != 0) {
        return;
    }
    uint64_t hashes[SIM_MODULES + 1];
    sim_record_hashes(sim, hashes);
    record_second(sim->writer, hashes);
    size_t bytes = world_snapshot_size(sim->world);
    if (record_key_wanted(sim->writer) && bytes <= sim->save_size) {
        world_snapshot_save(sim->world, sim->save);
        const RecordSection section = {sim->save, bytes};
        record_key(sim->writer, &section, 1);
    }
}

void sim_record_pump(Sim* sim)
{
    if (sim->writer) {
        record_pump(sim->writer);
    }
}

const char* sim_record_news(Sim* sim)
{
    return sim->writer ? record_news(sim->writer) : NULL;
}

bool sim_record_finish(Sim* sim, const char* reason, uint64_t* hash, BaseYamlError* error)
{
    RecordWriter* writer = sim->writer;
    sim->writer = NULL;
    return !writer || record_finish(writer, reason, hash, error);
}
