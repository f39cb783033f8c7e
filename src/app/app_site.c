// `mattock site FILE`: what a site holds, and how it looks.
#include "app/app.h"

#include "app/app_site.h"
#include "app/app_stage.h"
#include "base/base_json.h"
#include "base/base_log.h"
#include "base/base_path.h"
#include "lab/lab_args.h"

#include <stdio.h>
#include <string.h>

#define SITE_ARENA (16u << 20) // bytes
#define SITE_PATH  4096

typedef struct SiteOptions {
    const char *png, *materials, *save, *restore;
    bool json, help;
} SiteOptions;

static double tonnes(uint64_t mg)
{
    return (double)mg * 1e-9;
}

static void print_text(const Terrain* t, const SiteInfo* info, const char* path)
{
    const TerrainDef* def = terrain_definition(t);
    const TerrainLedger* l = &terrain_state(t)->ledger;
    printf("%s%s%s\n\n", path, info->title[0] ? ": " : "", info->title);
    printf("size     %g x %g m, %d x %d columns of %g m, %.1f MB\n", (double)def->cell * def->nx,
           (double)def->cell * def->nz, def->nx, def->nz, (double)def->cell,
           (double)terrain_bytes(t) * 1e-6);
    printf("corner   x %g, y %g, z %g m\n\n", (double)def->origin.x, (double)def->origin.y,
           (double)def->origin.z);
    printf("%-16s %12s %12s %12s %12s\n", "", "bank, t", "m3", "loose, t", "m3");
    for (int m = 0; m < info->material_count; ++m)
        printf("%-16s %12.3f %12.3f %12.3f %12.3f\n", info->material[m]->name,
               tonnes(l->bank.of[m]),
               1e3 * tonnes(l->bank.of[m]) / (double)def->material[m].density_bank,
               tonnes(l->loose.of[m]),
               1e3 * tonnes(l->loose.of[m]) / (double)def->material[m].density_loose);
    printf("\nledger   %s\n", terrain_audit(t) ? "balanced, 0 mg missing" : "DOES NOT BALANCE");
    printf("hash     %016llx\n", (unsigned long long)terrain_hash(t));
}

static bool print_json(const Terrain* t, const SiteInfo* info, const char* path)
{
    const TerrainDef* def = terrain_definition(t);
    const TerrainLedger* l = &terrain_state(t)->ledger;
    BaseJson json;
    base_json_init(&json);
    base_json_begin_object(&json, NULL);
    base_json_string(&json, "site", path);
    base_json_string(&json, "title", info->title);
    base_json_int(&json, "columns_x", def->nx);
    base_json_int(&json, "columns_z", def->nz);
    base_json_float(&json, "cell_m", def->cell);
    base_json_int(&json, "bytes", (int64_t)terrain_bytes(t));
    base_json_begin_array(&json, "materials");
    for (int m = 0; m < info->material_count; ++m) {
        base_json_begin_object(&json, NULL);
        base_json_string(&json, "name", info->material[m]->name);
        base_json_int(&json, "bank_mg", (int64_t)l->bank.of[m]);
        base_json_int(&json, "loose_mg", (int64_t)l->loose.of[m]);
        base_json_int(&json, "added_mg", (int64_t)l->added.of[m]);
        base_json_end(&json);
    }
    base_json_end(&json);
    base_json_bool(&json, "balanced", terrain_audit(t));
    base_json_hex(&json, "hash", terrain_hash(t));
    base_json_end(&json);
    bool fine = base_json_write(&json, stdout);
    base_json_free(&json);
    return fine;
}

// Everything behind the loading; an exit code.
static int show(Terrain* t, const SiteInfo* info, const MaterialSet* set, const char* path,
                const SiteOptions* options)
{
    BaseYamlError error;
    if ((options->restore && !site_restore(t, options->restore, &error)) ||
        (options->save && !site_save(t, options->save, &error))) {
        fprintf(stderr, "%s\n", error.text);
        return LAB_EXIT_FILE;
    }
    if (!options->json)
        print_text(t, info, path);
    else if (!print_json(t, info, path))
        return LAB_EXIT_FILE;
    if (options->png && !app_site_picture(t, info, set, path, options->png))
        return LAB_EXIT_FILE;
    return terrain_audit(t) ? LAB_EXIT_FINE : LAB_EXIT_FAILED;
}

static int run(BaseArena* arena, const char* name, const SiteOptions* options)
{
    char path[SITE_PATH];
    BaseYamlError error;
    MaterialSet set;
    SiteInfo info;
    if (!app_load_materials(options->materials, arena, &set, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return LAB_EXIT_FILE;
    }
    app_stage_find("config/sites", name, path);
    Terrain* terrain = site_load(path, &set, arena, &info, &error);
    if (!terrain) {
        fprintf(stderr, "%s\n", error.text);
        return LAB_EXIT_FILE;
    }
    int code = show(terrain, &info, &set, path, options);
    terrain_destroy(terrain);
    return code;
}

bool app_load_materials(const char* path, BaseArena* arena, MaterialSet* out, BaseYamlError* error)
{
    char found[SITE_PATH];
    if (!path && !base_path_find("config/materials.yaml", found, sizeof found)) {
        *error = (BaseYamlError){0};
        snprintf(error->text, sizeof error->text,
                 "config/materials.yaml was not found, last looked for as %.300s", found);
        return false;
    }
    return material_load(path ? path : found, arena, out, error);
}

static int help(const LabArg* args)
{
    printf("usage: mattock site FILE [OPTIONS]\n\n"
           "Builds the ground that a site file describes and tells its size and what it is made\n"
           "of. FILE is a path or the name of a shipped site: flat, quarry, trench.\n"
           "docs/sites.md tells how such files are written.\n\n");
    lab_args_help(args);
    printf("\nExit code 0: fine, 1: the ledger does not balance, 5: a file is bad.\n");
    return LAB_EXIT_FINE;
}

int app_site(int argc, char** argv)
{
    SiteOptions options = {0};
    const LabArg args[] = {
        {"--png", LAB_ARG_TEXT, &options.png, .help = "draw a plan and a section"},
        {"--json", LAB_ARG_FLAG, &options.json, .help = "masses and hash as JSON on stdout"},
        {"--save", LAB_ARG_TEXT, &options.save, .help = "keep the state of the ground in a file"},
        {"--restore", LAB_ARG_TEXT, &options.restore, .help = "bring such a state back first"},
        {"--materials", LAB_ARG_TEXT, &options.materials,
         .help = "instead of config/materials.yaml"},
        {"--help", LAB_ARG_FLAG, &options.help, .help = "this text"},
        {NULL, LAB_ARG_FLAG, NULL, .help = NULL},
    };
    if (argc >= 2 && strcmp(argv[1], "--help") == 0)
        return help(args);
    if (argc < 2 || argv[1][0] == '-' || argv[1][0] == '\0') {
        fprintf(stderr, "mattock: site needs a file first, as in `mattock site quarry`\n");
        return LAB_EXIT_USAGE;
    }
    if (!lab_args_parse(args, argc - 2, argv + 2))
        return LAB_EXIT_USAGE;
    if (options.help)
        return help(args);
    BaseArena arena;
    if (!base_arena_init(&arena, SITE_ARENA)) {
        base_error("not enough memory to read files");
        return LAB_EXIT_MEMORY;
    }
    int code = run(&arena, argv[1], &options);
    base_arena_free(&arena);
    return code;
}
