// `mattock vehicle FILE`: what a vehicle is made of, and how it looks, without a display.
#include "app/app.h"

#include "app/app_stage.h"
#include "app/app_vehicle.h"
#include "base/base_log.h"
#include "base/base_path.h"
#include "base/base_text.h"
#include "lab/lab_args.h"
#include "machine/machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define VEHICLE_ARENA (64u << 20) // bytes
#define VEHICLE_PATH  4096

static void print_bodies(const MachineDef* def)
{
    static const char* const joints[] = {"stands free", "hinge", "slide"};
    printf("%-16s %10s  %s\n", "body", "kg", "joint");
    for (int i = 0; i < def->body_count; ++i) {
        const MachineBody* b = &def->bodies[i];
        bool slide = b->joint == MACHINE_SLIDE;
        double unit = slide ? 1.0 : BASE_DEG;
        printf("%-16s %10.0f  %s", b->name, b->mass, joints[b->joint]);
        if (b->parent >= 0)
            printf(" on %s", def->bodies[b->parent].name);
        if (b->limited)
            printf(", %.4g to %.4g %s", (double)b->lower / unit, (double)b->upper / unit,
                   slide ? "m" : "deg");
        printf("\n");
    }
    printf("%-16s %10.0f\n\n", "together", def->mass);
}

static void print_parts(const MachineDef* def)
{
    for (int i = 0; i < def->cylinder_count; ++i) {
        const MachineCylinder* c = &def->cylinders[i];
        printf("cylinder %-12s %d x bore %.0f, rod %.0f, %.0f + %.0f mm, %s to %s%s\n", c->name,
               c->count, 1e3 * (double)c->bore, 1e3 * (double)c->rod, 1e3 * (double)c->closed,
               1e3 * (double)c->stroke, c->from_name, c->to_name,
               c->linkage ? " by a linkage" : "");
    }
    for (int i = 0; i < def->runner_count; ++i) {
        const MachineRunner* r = &def->runners[i];
        printf("%-8s %-12s %.2f m wide, on %s\n", r->radius > 0.0f ? "wheel" : "track", r->name,
               (double)r->width, r->body_name);
    }
    for (int i = 0; i < def->tool_count; ++i)
        printf("tool     %-12s %.2f m3 struck, %.2f heaped, %d teeth\n", def->tools[i].name,
               (double)def->tools[i].struck, (double)def->tools[i].heaped, def->tools[i].teeth);
    for (int i = 0; i < def->bin_count; ++i)
        printf("bin      %-12s %.2f x %.2f x %.2f m\n", def->bins[i].name,
               (double)def->bins[i].length, (double)def->bins[i].width, (double)def->bins[i].wall);
}

static int show(BaseArena* arena, const MachineDef* def, const char* path,
                const AppVehicleOptions* options)
{
    printf("%s: %s\n\n", path, def->title);
    print_bodies(def);
    print_parts(def);
    if (!options->png)
        return LAB_EXIT_FINE;
    return app_vehicle_picture(arena, def, path, options);
}

static int run(const char* name, const AppVehicleOptions* options)
{
    char path[VEHICLE_PATH];
    BaseArena arena;
    BaseYamlError error;
    MachineDef def;
    if (!base_arena_init(&arena, VEHICLE_ARENA)) {
        base_error("not enough memory for a vehicle");
        return LAB_EXIT_MEMORY;
    }
    app_stage_find("vehicles", name, path);
    int code = LAB_EXIT_FILE;
    if (machine_load(path, &arena, &def, &error))
        code = show(&arena, &def, path, options);
    else
        fprintf(stderr, "%s\n", error.text);
    base_arena_free(&arena);
    return code;
}

static int help(const LabArg* args)
{
    printf("usage: mattock vehicle FILE [OPTIONS]\n\n"
           "Tells what a vehicle file holds and draws the machine without a display. FILE is a\n"
           "path or the name of a shipped vehicle: excavator_22t, excavator_2t, dozer_20t,\n"
           "truck_24t. docs/vehicles.md tells how such files are written.\n\n");
    lab_args_help(args);
    printf("\nExit code 0: fine, 5: a file is bad.\n");
    return LAB_EXIT_FINE;
}

int app_vehicle(int argc, char** argv)
{
    static const char* const cameras[] = {"three-quarter", "side",  "front", "rear", "left",
                                          "top",           "close", "low",   NULL};
    static const char* const lods[] = {"near", "far", NULL};
    AppVehicleOptions options = {.width = 1600, .height = 1000, .zoom = 100};
    bool wants_help = false;
    const LabArg args[] = {
        {"--png", LAB_ARG_TEXT, &options.png, .help = "a picture of it"},
        {"--camera", LAB_ARG_WORD, &options.camera, .words = cameras,
         .help = "where it is seen from"},
        {"--pose", LAB_ARG_TEXT, &options.pose,
         .help = "joints in deg or m, as in boom=20,stick=-90", .what = "POSE"},
        {"--roll", LAB_ARG_INT, &options.roll, -100000, 100000,
         .help = "mm that tracks or wheels have gone"},
        {"--lod", LAB_ARG_WORD, &options.lod, .words = lods,
         .help = "the mesh for near or for far"},
        {"--lines", LAB_ARG_FLAG, &options.lines, .help = "the triangles' edges, too"},
        {"--width", LAB_ARG_INT, &options.width, 64, 4000, .help = "pixels, 1600"},
        {"--height", LAB_ARG_INT, &options.height, 64, 4000, .help = "pixels, 1000"},
        {"--zoom", LAB_ARG_INT, &options.zoom, 20, 2000, .help = "percent, 100"},
        {"--help", LAB_ARG_FLAG, &wants_help, .help = "this text"},
        {0},
    };
    const char* name = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    if (!lab_args_parse(args, argc - (name ? 2 : 1), argv + (name ? 2 : 1)))
        return LAB_EXIT_USAGE;
    if (wants_help)
        return help(args);
    if (!name) {
        fprintf(stderr, "mattock: vehicle needs a file, as in `mattock vehicle excavator_22t`\n");
        return LAB_EXIT_USAGE;
    }
    return run(name, &options);
}
