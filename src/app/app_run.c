// `mattock run SITE --headless`: a machine at work without a window, and a report of it.
#include "app/app.h"

#include "app/app_folder.h"
#include "app/app_lesson.h"
#include "app/app_shelf.h"
#include "app/app_stage.h"
#include "app/app_stop.h"
#include "base/base_file.h"
#include "base/base_log.h"
#include "base/base_path.h"
#include "base/base_text.h"
#include "lab/lab_args.h"
#include "sim/sim_record.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RUN_PATH     4096
#define RUN_PROGRESS 1.0 // s between two lines of progress
#define RUN_SECONDS  600 // of a site, unless told otherwise; a lesson has its own time limit
#define RUN_BIRTHS   600 // grains in one step, from faces and bins

typedef struct RunOptions {
    const char *hands, *report, *record, *trainee, *yardstick, *vehicle, *truck, *depth, *at,
        *materials;
    int program, seconds, cycles, threads, radius, pool, seed, speed;
    bool headless, help, quiet, lesson;
} RunOptions;

static const char* const speeds[] = {"max", "real", NULL};

static int help(const LabArg* args)
{
    printf(
        "usage: mattock run SITE|LESSON --headless [OPTIONS]\n\n"
        "Puts an excavator on a site, lets an operator work it, and reports as JSON what came of\n"
        "it. SITE is a path or the name of a shipped site: flat, quarry, trench.\n"
        "docs/running.md tells the fields of the report.\n\n");
    lab_args_help(args);
    printf("\nCtrl-C ends the run with the report so far. Exit code 0: fine, 1: soil was lost, 2: "
           "wrong\n"
           "usage, 4: out of memory, 5: a file is bad.\n");
    return LAB_EXIT_FINE;
}

// --- what the words mean -------------------------------------------------------------------------

static bool hands_of(const char* text, SimDef* def)
{
    for (int k = 0; k < OPERATOR_KINDS; ++k) {
        if (strcmp(text, operator_kind_words[k]) == 0) {
            def->kind = k;
            return true;
        }
    }
    if (access(text, F_OK) == 0 || strpbrk(text, "./")) {
        def->script = text;
        def->kind = OPERATOR_IDLE;
        return true;
    }
    lab_args_unknown("operator", text, operator_kind_words);
    return false;
}

static bool number_of(const char* name, const char* text, double low, double high, double* out)
{
    if (base_text_double(text, out) && *out >= low && *out <= high) {
        return true;
    }
    fprintf(stderr, "mattock: %s cannot be \"%s\"; allowed: a number from %g to %g\n", name, text,
            low, high);
    return false;
}

static bool place_of(const char* text, float out[3])
{
    double part[3];
    const char* at = text;
    for (int k = 0; k < 3; ++k) {
        char word[64];
        size_t length = strcspn(at, ",");
        if (length >= sizeof word || (k < 2) != (at[length] == ',')) {
            break;
        }
        memcpy(word, at, length);
        word[length] = '\0';
        if (!base_text_double(word, &part[k]) || part[k] < -1e4 || part[k] > 1e4) {
            break;
        }
        out[k] = (float)part[k];
        at += length + 1;
        if (k == 2) {
            out[2] *= (float)BASE_DEG;
            return true;
        }
    }
    fprintf(stderr, "mattock: --at cannot be \"%s\"; allowed: X,Z,HEADING in m, m and degrees\n",
            text);
    return false;
}

static bool found(const char* name, char path[RUN_PATH])
{
    if (base_path_find(name, path, RUN_PATH)) {
        return true;
    }
    fprintf(stderr, "%s was not found, last looked for as %s\n", name, path);
    return false;
}

// --- running -------------------------------------------------------------------------------------

static void progress(const Sim* sim, double wall, bool last)
{
    char line[160];
    bool terminal = isatty(STDERR_FILENO);
    sim_line(sim, wall, line, sizeof line);
    fprintf(stderr, "%s%s%s", terminal ? "\r\033[K" : "", line, terminal && !last ? "" : "\n");
}

static bool write_report(Sim* sim, const char* path, double wall)
{
    BaseJson json;
    base_json_init(&json);
    sim_report(sim, wall, app_stopped(), &json);
    const char* text = base_json_text(&json);
    bool fine = strcmp(path, "-") == 0 ? base_json_write(&json, stdout) && fflush(stdout) == 0
                                       : text && base_file_replace(path, text, strlen(text));
    if (!fine) {
        fprintf(stderr, "%s: cannot be written; is the folder there, and the disk not full?\n",
                path);
    }
    base_json_free(&json);
    return fine;
}

// Where the run is recorded: as told, or, when it is somebody's, among the records of that trainee. NULL: not at
// all; false when it shall be but cannot.
static bool record_of(const RunOptions* o, const char* what, char path[APP_SHELF_PATH],
                      const char** out)
{
    char folder[RUN_PATH];
    *out = o->record;
    if (o->trainee && !app_shelf_is_name(o->trainee)) {
        fprintf(stderr,
                "mattock: --trainee cannot be \"%s\"; allowed: a pseudonym of a-z, 0-9, _ and -\n",
                o->trainee);
        return false;
    }
    if (o->record || !o->trainee)
        return true;
    if (!app_folder_data("records", folder, sizeof folder) ||
        !app_shelf_name(folder, o->trainee, what, path)) {
        fprintf(stderr, "mattock: no record can be made below %s\n", folder);
        return false;
    }
    *out = path;
    return true;
}

static bool begin_record(Sim* sim, const RunOptions* o, const char* path)
{
    BaseYamlError error;
    const SimLessonWho who = {.trainee = o->trainee,
                              .driver = o->hands,
                              .device = "built-in operator",
                              .pattern = "iso",
                              .started = app_date()};
    if (!path || sim_record(sim, path, &who, &error))
        return true;
    fprintf(stderr, "%s\n", error.text);
    return false;
}

static bool end_record(Sim* sim, const RunOptions* o, const char* path)
{
    BaseYamlError error;
    uint64_t hash;
    if (!path)
        return true;
    if (!sim_record_finish(sim, app_stopped() ? "stopped" : "done", &hash, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    if (!o->record)
        printf("%s\n", path);
    return true;
}

static int work(const SimDef* def, const RunOptions* options, const char* record)
{
    BaseYamlError error;
    Sim* sim = sim_create(def, &error);
    if (!sim) {
        fprintf(stderr, "%s\n",
                error.text[0] ? error.text : "mattock: not enough memory for this run");
        return error.text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
    }
    if (!begin_record(sim, options, record)) {
        sim_destroy(sim);
        return LAB_EXIT_FILE;
    }
    app_stop_on_signals();
    double begun = app_now(), told = begun, pace = begun;
    while (!app_stopped() && sim_step(sim)) {
        sim_record_pump(sim);
        if (options->speed) {
            app_keep_pace(world_time(sim_world(sim)), &pace);
        }
        if (!options->quiet && app_now() - told > RUN_PROGRESS) {
            told = app_now();
            progress(sim, told - begun, false);
        }
    }
    double wall = app_now() - begun;
    if (!options->quiet) {
        progress(sim, wall, true);
    }
    bool sound = sim_sound(sim);
    if (!sound) {
        fprintf(stderr, "mattock: the ledger does not balance\n");
    }
    bool written = end_record(sim, options, record);
    written = (!options->report || write_report(sim, options->report, wall)) && written;
    sim_destroy(sim);
    return !written ? LAB_EXIT_FILE : sound ? LAB_EXIT_FINE : LAB_EXIT_FAILED;
}

static int run(const char* name, const RunOptions* options, const char* record)
{
    static char site[RUN_PATH], vehicle[RUN_PATH], truck[RUN_PATH], materials[RUN_PATH],
        calibration[RUN_PATH];
    double depth = 1.5;
    SimDef def = {.place = {-4.0f, 0.0f, 0.0f}};
    if (!hands_of(options->hands, &def) || !place_of(options->at, def.place) ||
        !number_of("--depth", options->depth, 0.1, 6.0, &depth)) {
        return LAB_EXIT_USAGE;
    }
    if (!found("config/calibration.yaml", calibration) ||
        (!options->materials && !found("config/materials.yaml", materials))) {
        return LAB_EXIT_FILE;
    }
    app_stage_find("config/sites", name, site);
    app_stage_find("vehicles", options->vehicle, vehicle);
    def.program = options->program;
    if (options->truck || def.program == OPERATOR_TRUCK) {
        app_stage_find("vehicles", options->truck ? options->truck : "truck_24t", truck);
        def.truck = truck;
    }
    def.site = site, def.vehicle = vehicle, def.calibration = calibration;
    def.materials = options->materials ? options->materials : materials;
    def.depth = (float)depth;
    def.radius = base_minf(0.001f * (float)options->radius, WORLD_RADIUS_MAX);
    def.pool = options->pool, def.births = RUN_BIRTHS, def.threads = options->threads;
    def.cycles = options->cycles, def.seconds = options->seconds ? options->seconds : RUN_SECONDS,
    def.seed = (uint64_t)options->seed;
    return work(&def, options, record);
}

int app_run(int argc, char** argv)
{
    RunOptions o = {.hands = "expert",
                    .vehicle = "excavator_22t",
                    .depth = "1.5",
                    .at = "-4,0,0",
                    .program = OPERATOR_TRUCK,
                    .seconds = 0,
                    .threads = 2,
                    .radius = 40,
                    .pool = 16000,
                    .seed = 1};
    const LabArg args[] = {
        {"--headless", LAB_ARG_FLAG, &o.headless, .help = "no window"},
        {"--operator", LAB_ARG_TEXT, &o.hands,
         .help = "expert, novice, random, idle, or a file of levers", .what = "WHO"},
        {"--program", LAB_ARG_WORD, &o.program, .words = operator_program_words,
         .help = "what is dug"},
        {"--seconds", LAB_ARG_INT, &o.seconds, 1, 86400,
         .help = "at most so long; default 600, or as the lesson says"},
        {"--cycles", LAB_ARG_INT, &o.cycles, 0, 100000, .help = "end after so many; 0: no limit"},
        {"--depth", LAB_ARG_TEXT, &o.depth, .help = "m, of what is dug", .what = "M"},
        {"--at", LAB_ARG_TEXT, &o.at, .help = "X,Z,HEADING of the machine, m and degrees",
         .what = "X,Z,HEADING"},
        {"--vehicle", LAB_ARG_TEXT, &o.vehicle, .help = "a file, or the name of a shipped one",
         .what = "NAME"},
        {"--truck", LAB_ARG_TEXT, &o.truck, .help = "the same, loaded by the other",
         .what = "NAME"},
        {"--threads", LAB_ARG_INT, &o.threads, 1, JOBS_WORKERS_MAX, .help = "cores to use"},
        {"--radius", LAB_ARG_INT, &o.radius, 30, 60, .help = "mm, of grains"},
        {"--pool", LAB_ARG_INT, &o.pool, 10, 200000, .help = "grains that may live at once"},
        {"--seed", LAB_ARG_INT, &o.seed, 0, 1000000000, .help = "of all chance"},
        {"--speed", LAB_ARG_WORD, &o.speed, .words = speeds, .help = "as fast as it can, or real"},
        {"--materials", LAB_ARG_TEXT, &o.materials, .help = "another materials.yaml"},
        {"--lesson", LAB_ARG_FLAG, &o.lesson, .help = "a lesson, not the site of the same name"},
        {"--record", LAB_ARG_TEXT, &o.record, .help = "what was done goes here"},
        {"--trainee", LAB_ARG_TEXT, &o.trainee,
         .help = "whose run it is, a pseudonym; recorded in its folder", .what = "NAME"},
        {"--yardstick", LAB_ARG_TEXT, &o.yardstick,
         .help = "of a lesson: its values go here, to be shown beside those of others"},
        {"--report", LAB_ARG_TEXT, &o.report, .help = "JSON goes here; - is stdout"},
        {"--quiet", LAB_ARG_FLAG, &o.quiet, .help = "no progress on stderr"},
        {"--help", LAB_ARG_FLAG, &o.help, .help = "this text"},
        {0},
    };
    const char* name = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    if (!lab_args_parse(args, name ? argc - 2 : argc - 1, name ? argv + 2 : argv + 1)) {
        return LAB_EXIT_USAGE;
    }
    if (o.help) {
        return help(args);
    }
    if (!name) {
        fprintf(stderr, "mattock: run needs a site: a file, or flat, quarry, trench\n");
        return LAB_EXIT_USAGE;
    }
    if (!o.headless) {
        fprintf(stderr, "mattock: run has no window; say --headless, or `mattock play`\n");
        return LAB_EXIT_USAGE;
    }
    char path[APP_SHELF_PATH];
    const char* record;
    int code;
    if (!record_of(&o, name, path, &record))
        return o.trainee && !app_shelf_is_name(o.trainee) ? LAB_EXIT_USAGE : LAB_EXIT_FILE;
    if (app_lesson_recognise(name, o.lesson)) {
        const AppLessonOptions lesson = {.name = name,
                                         .hands = o.hands,
                                         .record = record,
                                         .papers = record != o.record,
                                         .report = o.report,
                                         .trainee = o.trainee,
                                         .yardstick = o.yardstick,
                                         .seconds = o.seconds ? o.seconds : 86400,
                                         .threads = o.threads,
                                         .real_time = o.speed != 0,
                                         .quiet = o.quiet};
        code = app_lesson_run(&lesson);
    } else {
        code = run(name, &o, record);
    }
    if (record && record != o.record)
        app_shelf_unname(record); // had it not come to a recording
    return code;
}
