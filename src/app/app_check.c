#include "app/app.h"
#include "app/app_scenario.h"

#include "base/base_log.h"
#include "input/input_controls.h"
#include "input/input_script.h"
#include "lab/lab_args.h"
#include "machine/machine.h"
#include "material/material.h"
#include "qualify/qualify.h"
#include "record/record.h"
#include "scenario/scenario.h"
#include "scenario/scenario_yardstick.h"
#include "site/site.h"

#include <stdio.h>
#include <string.h>

#define CHECK_ARENA (16u << 20) // bytes

static bool is_named(const char* path, const char* begin)
{
    const char* slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, begin, strlen(begin)) == 0;
}

// Builds the whole ground, as a lesson would.
static bool check_site(BaseArena* arena, const char* path, BaseYamlError* error)
{
    MaterialSet set;
    SiteInfo info;
    if (!app_load_materials(NULL, arena, &set, error))
        return false;
    Terrain* terrain = site_load(path, &set, arena, &info, error);
    terrain_destroy(terrain);
    return terrain != NULL;
}

static bool ends_with(const char* path, const char* end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

// A file below a folder named controls.
static bool is_controls(const char* path)
{
    return strncmp(path, "controls/", 9) == 0 || strstr(path, "/controls/");
}

// What people's hands do: controls by their folder, scripts by their ending.
static bool check_input(BaseArena* arena, const char* path, BaseYamlError* error)
{
    InputControls controls;
    InputScript script;
    return ends_with(path, ".levers") ? input_script_load(path, arena, &script, error)
                                      : input_controls_load(path, arena, &controls, error);
}

static bool check_master(BaseArena* arena, const char* path, BaseYamlError* error)
{
    QualifyMaster master;
    return qualify_master_load(path, arena, &master, error);
}

static bool check_machine(BaseArena* arena, const char* path, BaseYamlError* error)
{
    MachineDef machine;
    return machine_load(path, arena, &machine, error);
}

// calibration*.yaml, weather*.yaml, yardsticks; anything else holds materials.
static bool check_soils(BaseArena* arena, const char* path, BaseYamlError* error)
{
    MaterialSet set;
    MaterialCalibration calibration;
    ScenarioWeathers weathers;
    ScenarioYardstick yardstick;
    return scenario_yardstick_recognise(path)
               ? scenario_yardstick_load(path, arena, &yardstick, error)
           : is_named(path, "calibration")
               ? material_load_calibration(path, arena, &calibration, error)
           : is_named(path, "weather") ? scenario_weather_load(path, arena, &weathers, error)
                                       : material_load(path, arena, &set, error);
}

// Recordings by their first bytes, hands by folder and ending, the rest by their keys.
static bool check_file(BaseArena* arena, const char* path)
{
    BaseYamlError error;
    base_arena_rewind(arena, 0);
    bool input = ends_with(path, ".levers") || is_controls(path);
    bool fine = record_recognise(path)           ? app_check_recording(path, &error)
                : input                          ? check_input(arena, path, &error)
                : qualify_master_recognise(path) ? check_master(arena, path, &error)
                : scenario_recognise(path)       ? app_check_scenario(path, &error)
                : machine_recognise(path)        ? check_machine(arena, path, &error)
                : site_recognise(path)           ? check_site(arena, path, &error)
                                                 : check_soils(arena, path, &error);
    if (fine)
        printf("%s: fine\n", path);
    else
        fprintf(stderr, "%s\n", error.text);
    return fine;
}

static int help(void)
{
    printf(
        "usage: mattock check FILE...\n\n"
        "Reads lessons (with goals or criteria), vehicle files (with bodies), site files (with a\n"
        "ground, built with the shipped materials), material files (materials.yaml,\n"
        "calibration*.yaml, weather*.yaml), controls (below a folder controls), scripts of levers\n"
        "(*.levers) and recordings, and tells what is wrong with them.\n"
        "Exit code 0: all fine, 5: a file is bad.\n");
    return LAB_EXIT_FINE;
}

int app_check(int argc, char** argv)
{
    if (argc < 2) {
        fprintf(stderr, "mattock: check needs at least one file, as in "
                        "`mattock check config/materials.yaml`\n");
        return LAB_EXIT_USAGE;
    }
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0)
            return help();
        if (argv[i][0] == '-') {
            lab_args_unknown("option", argv[i], (const char* const[]){"--help", NULL});
            return LAB_EXIT_USAGE;
        }
    }

    BaseArena arena;
    if (!base_arena_init(&arena, CHECK_ARENA)) {
        base_error("not enough memory to read files");
        return LAB_EXIT_MEMORY;
    }
    int bad = 0;
    for (int i = 1; i < argc; ++i)
        bad += check_file(&arena, argv[i]) ? 0 : 1;
    base_arena_free(&arena);
    return bad > 0 ? LAB_EXIT_FILE : LAB_EXIT_FINE;
}
