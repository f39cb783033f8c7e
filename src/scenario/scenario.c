// Lesson files, the ground they name, and what the weather does to its soils.
#include "scenario/scenario.h"

#include "scenario/scenario_internal.h"

#include "base/base_text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_MAX_BYTES 4096

static bool finish(const char* path, size_t mark, BaseArena* arena, Scenario* copy, Scenario* out,
                   BaseYamlError* error)
{
    if (!scenario_check(path, copy, error)) {
        base_arena_rewind(arena, mark);
        return false;
    }
    *out = *copy;
    return true;
}

bool scenario_read(const char* name, const char* text, size_t length, BaseArena* arena,
                   Scenario* out, BaseYamlError* error)
{
    Scenario copy;
    size_t mark = arena->used;
    *error = (BaseYamlError){0};
    return base_yaml_read(name, text, length, &scenario_schema, arena, &copy, error) &&
           finish(name, mark, arena, &copy, out, error);
}

// --- files it names ------------------------------------------------------------------------------

#define NAMES_MAX   64
#define NAMES_BYTES 65

static int by_name(const void* a, const void* b)
{
    return strcmp(a, b);
}

// The names of the files in a shipped folder, sorted; returns how many.
static int shipped_names(ScenarioFind* find, const char* folder, char out[NAMES_MAX][NAMES_BYTES])
{
    char found[PATH_MAX_BYTES];
    int count = 0;
    DIR* dir = find(folder, found, sizeof found) ? opendir(found) : NULL;
    for (struct dirent* e; dir && count < NAMES_MAX && (e = readdir(dir)) != NULL;) {
        const char* end = strstr(e->d_name, ".yaml");
        int length = end ? (int)(end - e->d_name) : 0;
        if (length > 0 && length < NAMES_BYTES && end[5] == '\0') {
            snprintf(out[count++], NAMES_BYTES, "%.*s", length, e->d_name);
        }
    }
    if (dir) {
        closedir(dir);
    }
    qsort(out, (size_t)count, NAMES_BYTES, by_name);
    return count;
}

// "did you mean flat? allowed is one of ..."
static const char* shipped_hint(ScenarioFind* find, const char* folder, const char* name, char* out,
                                size_t size)
{
    char names[NAMES_MAX][NAMES_BYTES];
    const char* words[NAMES_MAX + 1];
    int count = shipped_names(find, folder, names);
    for (int k = 0; k < count; ++k) {
        words[k] = names[k];
    }
    words[count] = NULL;
    const char* near = base_text_nearest(name, words);
    size_t used = (size_t)snprintf(out, size, "%s%s%sallowed is one of",
                                   near ? "did you mean " : "", near ? near : "", near ? "? " : "");
    for (int k = 0; k < count && used + strlen(words[k]) + 2 < size; ++k) {
        used += (size_t)snprintf(out + used, size - used, "%s %s", k > 0 ? "," : "", words[k]);
    }
    return out;
}

static bool find_vehicle(const char* path, ScenarioFind* find, const char* key, const char* name,
                         BaseYamlError* error)
{
    char file[128], found[PATH_MAX_BYTES], hint[240];
    snprintf(file, sizeof file, "vehicles/%.64s.yaml", name);
    return find(file, found, sizeof found) ||
           base_yaml_fault(path, key, error, "there is no vehicle %.64s; %s", name,
                           shipped_hint(find, "vehicles", name, hint, sizeof hint));
}

static bool find_vehicles(const char* path, ScenarioFind* find, const Scenario* s,
                          BaseYamlError* error)
{
    char key[128];
    if (!find_vehicle(path, find, "machine.vehicle", s->machine.vehicle, error)) {
        return false;
    }
    for (int k = 0; k < s->object_count; ++k) {
        const ScenarioTruck* truck = s->objects[k].truck;
        snprintf(key, sizeof key, "objects.%.64s.truck.vehicle", s->objects[k].name);
        if (truck && !find_vehicle(path, find, key, truck->vehicle, error)) {
            return false;
        }
    }
    return true;
}

// A shipped site by its name, or a file beside the lesson.
static bool find_site(const char* path, ScenarioFind* find, const Scenario* s,
                      char out[PATH_MAX_BYTES], BaseYamlError* error)
{
    char file[300], hint[240];
    const char* slash = strrchr(path, '/');
    int folder = slash && s->site[0] != '/' ? (int)(slash - path) + 1 : 0;
    if (snprintf(out, PATH_MAX_BYTES, "%.*s%s", folder, path, s->site) < PATH_MAX_BYTES &&
        strchr(s->site, '.') && access(out, R_OK) == 0) {
        return true;
    }
    snprintf(file, sizeof file, "config/sites/%s.yaml", s->site);
    return (!strchr(s->site, '/') && find(file, out, PATH_MAX_BYTES)) ||
           base_yaml_fault(path, "site", error,
                           "%.100s is neither a shipped site nor a file beside this one; %s",
                           s->site, shipped_hint(find, "config/sites", s->site, hint, sizeof hint));
}

bool scenario_load(const char* path, ScenarioFind* find, BaseArena* arena, Scenario* out,
                   BaseYamlError* error)
{
    Scenario copy;
    char site[PATH_MAX_BYTES];
    size_t mark = arena->used;
    *error = (BaseYamlError){0};
    if (!base_yaml_load(path, &scenario_schema, arena, &copy, error)) {
        return false;
    }
    if (!find_vehicles(path, find, &copy, error) ||
        (copy.site && !find_site(path, find, &copy, site, error))) {
        base_arena_rewind(arena, mark);
        return false;
    }
    return finish(path, mark, arena, &copy, out, error);
}

Terrain* scenario_build_site(const Scenario* s, const char* path, ScenarioFind* find,
                             const MaterialSet* materials, BaseArena* arena, SiteInfo* info,
                             BaseYamlError* error)
{
    char site[PATH_MAX_BYTES];
    Terrain* terrain = NULL;
    *error = (BaseYamlError){0};
    if (s->own_site) {
        terrain = site_build(s->own_site, path, "own_site.", materials, info, error);
    } else if (find_site(path, find, s, site, error)) {
        terrain = site_load(site, materials, arena, info, error);
    }
    if (terrain && !scenario_check_places(path, s, terrain_definition(terrain), error)) {
        terrain_destroy(terrain);
        return NULL;
    }
    return terrain;
}

bool scenario_recognise(const char* path)
{
    const char* const keys[] = {"goals", "criteria", "instructions", "machine", "time_limit", NULL};
    return base_yaml_has_key(path, keys);
}
