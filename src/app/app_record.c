#include "app/app_record.h"

#include "base/base_hash.h"
#include "base/base_log.h"
#include "platform/platform_thread.h"
#include "record/record.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef MATTOCK_VERSION
#define MATTOCK_VERSION "unknown"
#endif

#define RECORD_NAP 0.25 // s between two writes

struct AppRecord {
    RecordWriter* writer;
    PlatformThread* thread;
    _Atomic bool leave;
    uint32_t step;
    char path[1024];
};

static void pump(void* context)
{
    AppRecord* r = context;
    while (!atomic_load(&r->leave)) {
        record_pump(r->writer);
        platform_sleep(RECORD_NAP);
    }
}

static void name_file(RecordFile* out, const char* path)
{
    const char* slash = strrchr(path, '/');
    snprintf(out->name, sizeof out->name, "%.90s", slash ? slash + 1 : path);
    FILE* file = fopen(path, "rb");
    char part[4096];
    size_t got;
    while (file && (got = fread(part, 1, sizeof part, file)) > 0)
        out->hash = base_hash(part, got, out->hash);
    if (file)
        fclose(file);
}

AppRecord* app_record_begin(const char* path, const char* name, const SimDef* def,
                            BaseYamlError* error)
{
    AppRecord* r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    RecordHead head = {.seed = def->seed,
                       .started = (int64_t)time(NULL),
                       .rate = WORLD_RATE,
                       .input_bytes = sizeof(InputFrame),
                       .module_count = 4,
                       .module = {"soil", "terrain", "coupling", "machines"}};
    snprintf(head.program, sizeof head.program, "%s", MATTOCK_VERSION);
    snprintf(head.scenario.name, sizeof head.scenario.name, "%.90s", name);
    name_file(&head.site, def->site);
    name_file(&head.vehicle, def->vehicle);
    name_file(&head.materials, def->materials);
    snprintf(head.driver, sizeof head.driver, "hand");
    snprintf(r->path, sizeof r->path, "%s", path);
    r->writer = record_begin(path, &head, 0, error);
    r->thread = r->writer ? platform_thread_start("record", pump, r) : NULL;
    if (r->thread)
        return r;
    if (r->writer)
        record_abandon(r->writer);
    free(r);
    return NULL;
}

void app_record_step(AppRecord* r, const InputFrame* frame)
{
    if (r)
        record_step(r->writer, r->step++, frame);
}

void app_record_stepped(AppRecord* r, const World* world)
{
    if (!r || r->step % WORLD_RATE)
        return;
    WorldHash hash = world_hash(world);
    const uint64_t all[5] = {hash.soil, hash.terrain, hash.coupling, hash.machines, hash.total};
    record_second(r->writer, all);
}

void app_record_news(AppRecord* r, char out[160])
{
    const char* news = r ? record_news(r->writer) : NULL;
    if (news)
        snprintf(out, 160, "%s", news);
}

void app_record_end(AppRecord* r, const char* reason)
{
    if (!r)
        return;
    BaseYamlError error;
    uint64_t hash;
    atomic_store(&r->leave, true);
    platform_thread_join(r->thread);
    if (record_finish(r->writer, reason, &hash, &error))
        fprintf(stderr, "record: %s, %u steps, hash %016llx\n", r->path, r->step,
                (unsigned long long)hash);
    else
        base_error("%s", error.text);
    free(r);
}
