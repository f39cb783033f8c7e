#include "lab/lab.h"

#include "base/base_hash.h"
#include "base/base_log.h"
#include "base/base_path.h"
#include "lab/lab_experiments.h"
#include "lab/lab_mjcf.h"

#include <stdio.h>
#include <string.h>

#define LAB_ARENA (16u << 20) // bytes reserved for material files

const LabExperiment lab_experiments[] = {
    {"spring", "one grain on spring and damper against implicit Euler (P2 Fig. 2)", lab_spring_run},
    {"chain", "ten grains on top of each other: the springs carry the weight", lab_chain_run},
    {"incline", "a block of grains slides above the friction angle, not below", lab_incline_run},
    {"bed", "a deep bed weighs what it weighs, and grains hardly overlap", lab_bed_run},
    {"pile", "heaps by friction and adhesion (P2 Fig. 3)", lab_pile_run},
    {"stiffness", "slope of a heap by solver and iterations (P2 Fig. 5)", lab_stiffness_run},
    {"wall", "the slope that stays when a wall is taken away, per material", lab_wall_run},
    {"packing", "how much room a bed of every material's grains takes", lab_packing_run},
    {"column", "a column collapses as far as Lube et al. measured", lab_column_run},
    {"hopper", "flow through a hole is steady and follows Beverloo", lab_hopper_run},
    {"calibrate", "find grain friction and adhesion for every material", lab_calibrate_run},
    {"slope", "a heap of ground stands at its angle, whatever the direction", lab_slope_run},
    {"ledger", "millions of digs, deposits and slides lose not a milligram", lab_ledger_run},
    {"face", "faces of cohesive soil stand as high as Culmann says", lab_face_run},
    {"strata", "a pit through three layers yields three soils in the right masses", lab_strata_run},
    {"swell", "bank soil, dug and dumped, takes more room by its swell", lab_swell_run},
    {"settle", "dumped grains become ground, all of them, and the heap stays", lab_settle_run},
    {"avalanche", "an undercut bank breaks, runs out and comes to rest", lab_avalanche_run},
    {"bin", "a truck body keeps its load on the road and loses it when tipped", lab_bin_run},
    {"fee", "the equation of earthmoving against its table", lab_fee_run},
    {"blade", "a blade pushed through soil takes the force of that equation", lab_blade_run},
    {"leak", "bucket and truck body swept through grains at up to 50 m/s let none through",
     lab_leak_run},
    {"payload", "a bucket dug full weighs the same by cylinders, contacts and books",
     lab_payload_run},
    {"stall", "too deep a cut in clay: it stands at the relief, and nothing explodes",
     lab_stall_run},
    {"clay", "clay stays in a tilted bucket and leaves on a jerk (P2 Fig. 6)", lab_clay_run},
    {"ridge", "a dozer's blade leaves a ridge on both sides (P2 Fig. 7)", lab_ridge_run},
    {"plank", "a heap tilts a plank on a hinge (P2 Fig. 4), momentum balanced", lab_plank_run},
    {"wheel", "falling grains turn a paddle wheel (P2 Fig. 4), momentum balanced", lab_wheel_run},
    {"fill", "how full an expert's buckets come out of four soils", lab_fill_run},
    {"hold", "a machine holds 100 kN that come and go, without creep", lab_machine_hold_run},
    {"jack", "the boom pushes down until the tracks leave the ground", lab_machine_jack_run},
    {"lift", "the load that tips a machine, at three reaches", lab_machine_lift_run},
    {"travel", "tracks: speed, turning, slopes, and where grip ends", lab_machine_travel_run},
    {"reach", "how far an excavator's teeth come, by levers, against the sheet",
     lab_machine_reach_run},
    {"strokes", "cylinders from end to end, alone and together", lab_machine_strokes_run},
    {"swing", "quarter and half turns, empty and loaded, and how far it runs on",
     lab_machine_swing_run},
    {"digforce", "digging forces at the teeth as ISO 6015 measures them", lab_machine_digforce_run},
    {"pump", "functions share the pumps; at the relief the engine limits", lab_machine_pump_run},
    {"controls", "hands to levers, levers to motion: patterns, faults, delay", lab_controls_run},
    {NULL, NULL, NULL},
};

#define LAB_EXPERIMENT_COUNT ((int)(sizeof lab_experiments / sizeof lab_experiments[0]) - 1)

const LabExperiment* lab_find(const char* name)
{
    for (int i = 0; i < LAB_EXPERIMENT_COUNT; ++i)
        if (strcmp(lab_experiments[i].name, name) == 0)
            return &lab_experiments[i];
    return NULL;
}

LabOptions lab_options(void)
{
    return (LabOptions){.kernel = LAB_KERNEL_ANY, .threads = jobs_cores(), .seed = 1};
}

// --- for the experiments -------------------------------------------------------------------------

LabSetup lab_setup(const LabRun* run, SoilKernel kernel, int grains, int quick_grains)
{
    const LabOptions* o = run->options;
    int count = o->grains > 0 ? o->grains : o->quick ? quick_grains : grains;
    LabSetup setup = lab_scene_setup(o->kernel < 0 ? kernel : (SoilKernel)o->kernel, count);
    if (o->radius_mm > 0)
        setup.radius = 0.001f * (float)o->radius_mm;
    setup.substeps = o->substeps;
    setup.iterations = o->iterations;
    setup.seed = (uint64_t)o->seed;
    run->report->kernel = soil_kernel_name(setup.kernel);
    return setup;
}

void lab_progress(LabRun* run, double fraction)
{
    base_progress(run->report->experiment, run->done + fraction * run->share);
}

void lab_part(LabRun* run, double share)
{
    run->done += run->share;
    run->share = share;
    lab_progress(run, 0.0);
}

void lab_mark(LabRun* run, const Soil* soil)
{
    uint64_t hash = soil_hash(soil);
    run->report->hash = base_hash(&hash, sizeof hash, run->report->hash);
    run->report->grains = base_maxi(run->report->grains, soil_state(soil)->count);
}

void lab_finish(LabRun* run, Soil* soil)
{
    lab_mark(run, soil);
    soil_destroy(soil);
}

void lab_fail(LabRun* run, int exit, const char* why)
{
    base_progress_end();
    if (why)
        base_error("%s", why);
    run->report->failed = true;
    run->report->exit = exit;
}

bool lab_made(LabRun* run, const Soil* soil)
{
    if (!soil)
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for so many grains; try fewer");
    return soil != NULL;
}

static bool find_file(LabRun* run, const char* given, const char* name, char* path, size_t size)
{
    if (given) {
        snprintf(path, size, "%s", given);
        return true;
    }
    if (base_path_find(name, path, size))
        return true;
    char why[256];
    snprintf(why, sizeof why, "%s was not found beside the program; name one with --%s", name,
             strstr(name, "calibration") ? "calibration (made by `mattock lab calibrate`)"
                                         : "materials");
    lab_fail(run, LAB_EXIT_FILE, why);
    return false;
}

bool lab_load_materials(LabRun* run, LabSoils* soils)
{
    char path[4096];
    BaseYamlError error;
    *soils = (LabSoils){0};
    if (!find_file(run, run->options->materials, "config/materials.yaml", path, sizeof path))
        return false;
    if (!base_arena_init(&soils->arena, LAB_ARENA)) {
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the material files");
        return false;
    }
    if (!material_load(path, &soils->arena, &soils->set, &error)) {
        lab_fail(run, LAB_EXIT_FILE, error.text);
        lab_free_soils(soils);
        return false;
    }
    return true;
}

bool lab_load_calibrated(LabRun* run, LabSoils* soils)
{
    char path[4096];
    BaseYamlError error;
    if (!lab_load_materials(run, soils))
        return false;
    bool found =
        find_file(run, run->options->calibration, "config/calibration.yaml", path, sizeof path);
    if (found && material_load_calibration(path, &soils->arena, &soils->calibration, &error))
        return true;
    if (found)
        lab_fail(run, LAB_EXIT_FILE, error.text);
    lab_free_soils(soils);
    return false;
}

void lab_free_soils(LabSoils* soils)
{
    base_arena_free(&soils->arena);
}

bool lab_use_material(LabRun* run, const LabSoils* soils, const char* name, LabSetup* setup)
{
    const MaterialGrain* grain = material_find_grain(&soils->calibration, name);
    if (!grain) {
        char why[160];
        snprintf(why, sizeof why,
                 "the calibration has no material \"%s\"; run `mattock lab calibrate`", name);
        lab_fail(run, LAB_EXIT_FILE, why);
        return false;
    }
    setup->friction = grain->friction;
    setup->adhesion = grain->adhesion;
    return true;
}

// --- running -------------------------------------------------------------------------------------

static void save_picture(LabRun* run)
{
    if (!run->picture)
        return;
    if (!run->report->failed && !plot_canvas_save(run->picture, run->options->png))
        lab_fail(run, LAB_EXIT_FILE, NULL);
    plot_canvas_destroy(run->picture);
}

int lab_run(const LabExperiment* experiment, const LabOptions* options, LabReport* report)
{
    *report =
        (LabReport){.experiment = experiment->name, .kernel = "", .seed = (uint64_t)options->seed};
    LabRun run = {.options = options, .report = report};
    run.jobs = jobs_create(options->threads);
    if (!run.jobs) {
        lab_fail(&run, LAB_EXIT_MEMORY, "not enough memory for the worker threads");
        return report->exit;
    }
    report->threads = jobs_workers(run.jobs);
    experiment->run(&run);
    base_progress_end();
    jobs_destroy(run.jobs);
    save_picture(&run);
    if (report->failed)
        return report->exit;
    return lab_report_pass(report) ? LAB_EXIT_FINE : LAB_EXIT_FAILED;
}

static int list(void)
{
    printf("experiments for `mattock lab NAME`:\n\n");
    for (int i = 0; i < LAB_EXPERIMENT_COUNT; ++i)
        printf("  %-10s %s\n", lab_experiments[i].name, lab_experiments[i].summary);
    return LAB_EXIT_FINE;
}

static int help(const LabArg* args)
{
    printf("usage: mattock lab list\n"
           "       mattock lab NAME [options]\n"
           "       mattock lab mjcf VEHICLE > FILE   a vehicle in MuJoCo's format\n\n"
           "Runs a physics experiment and compares it with its targets. Exit code 0: within the\n"
           "targets, 1: not.\n\n");
    lab_args_help(args);
    printf("\n");
    return list();
}

static int unknown_experiment(const char* word)
{
    const char* names[LAB_EXPERIMENT_COUNT + 2];
    for (int i = 0; i < LAB_EXPERIMENT_COUNT; ++i)
        names[i] = lab_experiments[i].name;
    names[LAB_EXPERIMENT_COUNT] = "list";
    names[LAB_EXPERIMENT_COUNT + 1] = NULL;
    lab_args_unknown("experiment", word, names);
    return LAB_EXIT_USAGE;
}

static int run_and_print(const LabExperiment* experiment, const LabOptions* options)
{
    LabReport report;
    int code = lab_run(experiment, options, &report);
    if (!report.failed) {
        if (options->json && !lab_report_json(&report, stdout))
            code = LAB_EXIT_FILE;
        if (!options->json)
            lab_report_print(&report, stdout);
        if (options->csv && !lab_report_csv(&report, options->csv))
            code = LAB_EXIT_FILE;
    }
    lab_report_free(&report);
    return code;
}

int lab_main(int argc, char** argv)
{
    static const char* kernels[SOIL_KERNEL_COUNT + 1];
    for (int i = 0; i < SOIL_KERNEL_COUNT; ++i)
        kernels[i] = soil_kernel_name((SoilKernel)i);
    LabOptions options = lab_options();
    const LabArg args[] = {
        {"--json", LAB_ARG_FLAG, &options.json, .help = "one JSON object on stdout"},
        {"--csv", LAB_ARG_TEXT, &options.csv, .help = "write the curves as a table"},
        {"--png", LAB_ARG_TEXT, &options.png, .help = "draw the result"},
        {"--kernel", LAB_ARG_WORD, &options.kernel, .words = kernels, .help = "contact solver"},
        {"--grains", LAB_ARG_INT, &options.grains, 10, LAB_GRAINS_MAX, .help = "size of the scene"},
        {"--threads", LAB_ARG_INT, &options.threads, 1, JOBS_WORKERS_MAX,
         .help = "workers; the result does not depend on them"},
        {"--seed", LAB_ARG_INT, &options.seed, 0, 2000000000, .help = "of the initial jitter"},
        {"--radius", LAB_ARG_INT, &options.radius_mm, 5, 200, .help = "of the grains, in mm"},
        {"--substeps", LAB_ARG_INT, &options.substeps, 1, 1000, .help = "per frame of 1/60 s"},
        {"--iterations", LAB_ARG_INT, &options.iterations, 1, 1000, .help = "sweeps per substep"},
        {"--ops", LAB_ARG_INT, &options.ops, 1000, 2000000000, .help = "ledger: random operations"},
        {"--quick", LAB_ARG_FLAG, &options.quick, .help = "a smaller scene"},
        {"--materials", LAB_ARG_TEXT, &options.materials,
         .help = "instead of config/materials.yaml"},
        {"--calibration", LAB_ARG_TEXT, &options.calibration,
         .help = "instead of config/calibration.yaml"},
        {"--vehicle", LAB_ARG_TEXT, &options.vehicle,
         .help = "instead of vehicles/excavator_22t.yaml"},
        {"--out", LAB_ARG_TEXT, &options.out, .help = "calibrate: write the calibration"},
        {"--help", LAB_ARG_FLAG, &options.help, .help = "this text"},
        {NULL, LAB_ARG_FLAG, NULL, .help = NULL},
    };

    if (argc < 2) {
        fprintf(stderr, "mattock: lab needs the name of an experiment; see `mattock lab list`\n");
        return LAB_EXIT_USAGE;
    }
    if (strcmp(argv[1], "mjcf") == 0)
        return lab_mjcf_main(argc - 1, argv + 1);
    bool only_help = strcmp(argv[1], "--help") == 0;
    bool only_list = strcmp(argv[1], "list") == 0;
    const LabExperiment* experiment = lab_find(argv[1]);
    if (!experiment && !only_help && !only_list)
        return unknown_experiment(argv[1]);
    if (!lab_args_parse(args, argc - 2, argv + 2))
        return LAB_EXIT_USAGE;
    if (only_help || options.help)
        return help(args);
    return only_list ? list() : run_and_print(experiment, &options);
}
