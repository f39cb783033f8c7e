#include "app/app_settings.h"

#include "app/app_folder.h"
#include "base/base_file.h"
#include "base/base_log.h"
#include "base/base_yaml.h"

#include <stdio.h>
#include <unistd.h>

static const char* const patterns[] = {"iso", "sae", NULL};
static const char* const qualities[] = {"measured", "software", "low", "medium", "high", NULL};
static const char* const cameras[] = {"chase", "cab", "bucket", "side", "plan", "free", NULL};

static const BaseYamlField fields[] = {
    {BASE_YAML_ENUM(AppSettings, pattern, patterns), .text = "iso"},
    {BASE_YAML_ENUM(AppSettings, quality, qualities), .text = "measured"},
    {BASE_YAML_INT(AppSettings, volume), .min = 0, .max = 100, .number = 70},
    {BASE_YAML_ENUM(AppSettings, camera, cameras), .text = "cab"},
    {BASE_YAML_INT(AppSettings, text), .min = 60, .max = 200, .number = 100},
    {BASE_YAML_BOOL(AppSettings, full)},
    {BASE_YAML_BOOL(AppSettings, timings)},
    {BASE_YAML_NAME(AppSettings, vehicle), .text = "excavator_22t"},
    {BASE_YAML_NAME(AppSettings, trainee), .text = "nobody"},
};
static const BaseYamlSchema schema = BASE_YAML_SCHEMA(AppSettings, fields);

static bool find(char path[4200])
{
    char folder[4096];
    if (!app_folder_config(folder, sizeof folder))
        return false;
    snprintf(path, 4200, "%s/settings.yaml", folder);
    return true;
}

bool app_settings_load(AppSettings* s)
{
    char path[4200];
    BaseArena arena;
    BaseYamlError error;
    if (!base_arena_init(&arena, 1 << 20))
        return false;
    bool fine = base_yaml_read("settings", "volume: 70\n", 11, &schema, &arena, s, &error);
    if (fine && find(path) && access(path, F_OK) == 0) {
        AppSettings read;
        if (base_yaml_load(path, &schema, &arena, &read, &error))
            *s = read;
        else
            base_warn("%s; the usual settings are used", error.text);
    }
    if (fine) {
        snprintf(s->name, sizeof s->name, "%s", s->vehicle);
        snprintf(s->who, sizeof s->who, "%s", s->trainee);
        s->vehicle = s->name, s->trainee = s->who;
    }
    base_arena_free(&arena);
    return fine;
}

bool app_settings_save(const AppSettings* s)
{
    char path[4200], text[512];
    int n = snprintf(text, sizeof text,
                     "# Written by the trainer.\npattern: %s\nquality: %s\nvolume: %d\ncamera: %s\n"
                     "text: %d\nfull: %s\ntimings: %s\nvehicle: %s\ntrainee: %s\n",
                     patterns[s->pattern], qualities[s->quality], s->volume, cameras[s->camera],
                     s->text, s->full ? "true" : "false", s->timings ? "true" : "false", s->vehicle,
                     s->trainee);
    if (find(path) && base_file_replace(path, text, (size_t)n))
        return true;
    base_warn("the settings could not be saved");
    return false;
}
