#include "app/app_scenario.h"

#include "app/app.h"
#include "base/base_path.h"
#include "record/record.h"

#include <stdio.h>

static bool load_weathers(BaseArena* arena, ScenarioWeathers* out, BaseYamlError* error)
{
    char path[4096];
    if (!base_path_find("config/weather.yaml", path, sizeof path)) {
        *error = (BaseYamlError){0};
        snprintf(error->text, sizeof error->text,
                 "config/weather.yaml was not found, last looked for as %.300s", path);
        return false;
    }
    return scenario_weather_load(path, arena, out, error);
}

bool app_check_scenario(BaseArena* arena, const char* path, BaseYamlError* error)
{
    Scenario scenario;
    ScenarioWeathers weathers;
    MaterialSet materials;
    SiteInfo info;
    if (!scenario_load(path, base_path_find, arena, &scenario, error) ||
        !load_weathers(arena, &weathers, error) ||
        !app_load_materials(NULL, arena, &materials, error))
        return false;
    scenario_weather_apply(scenario_weather(&weathers, scenario.weather), &materials, NULL);
    Terrain* terrain =
        scenario_build_site(&scenario, path, base_path_find, &materials, arena, &info, error);
    terrain_destroy(terrain);
    return terrain != NULL;
}

static void print_recording(const RecordInfo* info)
{
    uint32_t seconds = info->steps / info->head.rate;
    printf("  %s, driven by %s (%s, %s), version %s\n", info->head.scenario.name, info->head.driver,
           info->head.pattern, info->head.device, info->head.program);
    printf("  %u:%02u in %u steps, %u key frames, %u events, %llu bytes, %s\n", seconds / 60,
           seconds % 60, info->steps, info->keys, info->events, (unsigned long long)info->bytes,
           info->complete ? info->reason : "not finished");
    if (info->head.parent[0])
        printf("  taken over from %s at %u:%02u\n", info->head.parent,
               info->head.parent_step / info->head.rate / 60,
               info->head.parent_step / info->head.rate % 60);
    printf("  hash %016llx\n", (unsigned long long)info->hash);
}

bool app_check_recording(const char* path, BaseYamlError* error)
{
    RecordReader* reader = record_open(path, error);
    if (!reader)
        return false;
    const RecordInfo* info = record_info(reader);
    print_recording(info);
    bool fine = info->damage[0] == '\0';
    if (!fine) {
        *error = (BaseYamlError){0};
        snprintf(error->text, sizeof error->text, "%.160s: %s", path, info->damage);
    }
    record_close(reader);
    return fine;
}
