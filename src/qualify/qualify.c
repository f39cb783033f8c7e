#include "qualify/qualify.h"

#include "base/base_clock.h"
#include "base/base_file.h"
#include "base/base_hash.h"
#include "base/base_json.h"
#include "base/base_path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifndef MATTOCK_VERSION
#define MATTOCK_VERSION "unknown"
#endif
#define QUALIFY_ARENA ((size_t)16 << 20) // bytes of address space for the master
#define QUALIFY_PATH  4096

// --- who and where -------------------------------------------------------------------------------

static uint64_t file_hash(const char* path)
{
    static unsigned char part[1 << 16];
    uint64_t hash = 0;
    size_t got;
    FILE* file = fopen(path, "rb");
    while (file && (got = fread(part, 1, sizeof part, file)) > 0)
        hash = base_hash(part, got, hash);
    if (file)
        fclose(file);
    return hash;
}

// The value behind "key" in a file of lines.
static void line_value(const char* path, const char* key, const char* separators, char* out,
                       size_t size)
{
    char line[512];
    FILE* file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        const char* at = line + strlen(key);
        at += strspn(at, separators);
        snprintf(out, size, "%.*s", (int)strcspn(at, "\"\n"), at);
        break;
    }
    if (file)
        fclose(file);
}

static void identify_files(QualifyIdentity* out)
{
    static const char* const names[] = {"config/materials.yaml", "config/calibration.yaml",
                                        "vehicles/excavator_22t.yaml"};
    char path[QUALIFY_PATH];
    size_t length = 0;
    out->files[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (base_path_find(names[i], path, sizeof path))
            length += (size_t)snprintf(out->files + length, sizeof out->files - length,
                                       "%s%s %016llx", length > 0 ? ", " : "", names[i],
                                       (unsigned long long)file_hash(path));
}

void qualify_identify(QualifyIdentity* out)
{
    *out = (QualifyIdentity){.cores = jobs_cores()};
    time_t now = time(NULL);
    struct tm utc;
    struct utsname kernel = {0};
    char name[80] = "unknown system", memory[32] = "0";
    gmtime_r(&now, &utc);
    strftime(out->date, sizeof out->date, "%Y-%m-%d %H:%M UTC", &utc);
    uname(&kernel);
    line_value("/etc/os-release", "PRETTY_NAME", "=\"", name, sizeof name);
    snprintf(out->system, sizeof out->system, "%s, %.30s %.40s", name, kernel.sysname,
             kernel.release);
    snprintf(out->processor, sizeof out->processor, "unknown processor");
    line_value("/proc/cpuinfo", "model name", "\t :", out->processor, sizeof out->processor);
    line_value("/proc/meminfo", "MemTotal", ": ", memory, sizeof memory);
    snprintf(out->memory, sizeof out->memory, "%.1f GiB", strtod(memory, NULL) / 1048576.0);
    snprintf(out->program, sizeof out->program, "%s %016llx", MATTOCK_VERSION,
             (unsigned long long)file_hash("/proc/self/exe"));
    snprintf(out->compiler, sizeof out->compiler, "%.60s", __VERSION__);
    identify_files(out);
}

// --- verdicts ------------------------------------------------------------------------------------

const char* qualify_verdict_word(QualifyVerdict verdict)
{
    static const char* const word[] = {"passed", "missed", "failed", "not built yet", "not run"};
    return word[verdict];
}

const char* qualify_group_word(QualifyGroup group)
{
    static const char* const word[] = {"Controls", "Machine", "Soil"};
    return word[group];
}

int qualify_count(const QualifyRun* run, QualifyGroup group, QualifyVerdict verdict)
{
    int count = 0;
    for (int i = 0; qualify_specs[i].experiment; ++i)
        count += qualify_specs[i].group == group && run->result[i].verdict == verdict;
    return count;
}

bool qualify_group_passed(const QualifyRun* run, QualifyGroup group)
{
    for (int i = 0; qualify_specs[i].experiment; ++i)
        if (qualify_specs[i].group == group && run->result[i].verdict != QUALIFY_PASSED)
            return false;
    return true;
}

const char* qualify_level(const QualifyRun* run)
{
    static const char* const level[] = {"none", "C", "B", "A"};
    int reached = 0;
    while (reached < QUALIFY_GROUPS && qualify_group_passed(run, (QualifyGroup)reached))
        reached++;
    return level[reached];
}

// --- running -------------------------------------------------------------------------------------

typedef struct QualifyOptions {
    bool quick, json, help;
    int threads, require;
    const char *out, *master, *freeze, *only;
} QualifyOptions;

static void run_test(const QualifyOptions* options, int index, QualifyResult* out)
{
    const QualifySpec* spec = &qualify_specs[index];
    const LabExperiment* experiment = lab_find(spec->experiment);
    *out = (QualifyResult){.verdict = QUALIFY_LEFT};
    if (options->only && strcmp(options->only, spec->experiment) != 0)
        return;
    out->verdict = QUALIFY_ABSENT;
    if (experiment) {
        LabOptions lab = lab_options();
        lab.quick = options->quick, lab.threads = options->threads;
        double begun = base_seconds();
        lab_run(experiment, &lab, &out->report);
        out->seconds = base_seconds() - begun;
        out->verdict = out->report.failed              ? QUALIFY_FAILED
                       : lab_report_pass(&out->report) ? QUALIFY_PASSED
                                                       : QUALIFY_MISSED;
    }
    fprintf(stderr, "%-6s %-10s %-14s %6.1f s  %s\n", spec->number, spec->experiment,
            qualify_verdict_word(out->verdict), out->seconds, spec->title);
}

// The result on stdout, for programs.
static bool tell_json(const QualifyRun* run)
{
    BaseJson json;
    base_json_init(&json);
    base_json_begin_object(&json, NULL);
    base_json_string(&json, "level", qualify_level(run));
    base_json_string(&json, "date", run->identity.date);
    base_json_string(&json, "program", run->identity.program);
    base_json_string(&json, "scale", run->quick ? "quick" : "full");
    base_json_begin_object(&json, "tests");
    for (int i = 0; qualify_specs[i].experiment; ++i) {
        const QualifyResult* r = &run->result[i];
        const QualifyFrozen* frozen = qualify_frozen(run->master, qualify_specs[i].experiment);
        char hash[32];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->report.hash);
        base_json_begin_object(&json, qualify_specs[i].experiment);
        base_json_string(&json, "number", qualify_specs[i].number);
        base_json_string(&json, "verdict", qualify_verdict_word(r->verdict));
        base_json_hex(&json, "hash", r->report.hash);
        if (frozen)
            base_json_bool(&json, "as_master", strcmp(hash, frozen->hash) == 0);
        base_json_end(&json);
    }
    base_json_end(&json);
    base_json_end(&json);
    bool fine = base_json_write(&json, stdout);
    base_json_free(&json);
    return fine;
}

static bool load_master(const QualifyOptions* o, BaseArena* arena, QualifyMaster* master,
                        const QualifyMaster** out, BaseYamlError* error)
{
    char path[QUALIFY_PATH];
    const char* name = o->quick ? "config/qualify/quick.yaml" : "config/qualify/full.yaml";
    *out = NULL;
    if (o->master)
        snprintf(path, sizeof path, "%s", o->master);
    else if (!base_path_find(name, path, sizeof path))
        return true; // the page says that there is none
    if (!qualify_master_load(path, arena, master, error))
        return false;
    *out = master;
    return true;
}

// Writes what was asked for. An exit code.
static int tell(const QualifyRun* run, const QualifyOptions* o)
{
    static const char levels[] = "abc";
    BaseYamlError error = {0};
    const char* level = qualify_level(run);
    if ((o->out && !qualify_page(run, o->out, &error)) ||
        (o->freeze && !qualify_master_save(run, o->freeze, &error))) {
        fprintf(stderr, "mattock: %s\n", error.text);
        return LAB_EXIT_FILE;
    }
    if (o->json && !tell_json(run))
        return LAB_EXIT_FILE;
    fprintf(stderr, "level: %s%s%s\n", level, o->out ? ", page: " : "", o->out ? o->out : "");
    if (o->only) { // a single test has no level
        for (int i = 0; qualify_specs[i].experiment; ++i)
            if (strcmp(o->only, qualify_specs[i].experiment) == 0)
                return run->result[i].verdict == QUALIFY_PASSED ? LAB_EXIT_FINE : LAB_EXIT_FAILED;
    }
    bool reached = level[1] == '\0' && level[0] - 'A' <= levels[o->require] - 'a';
    return reached ? LAB_EXIT_FINE : LAB_EXIT_FAILED;
}

static int work(const QualifyOptions* o)
{
    static QualifyRun run;
    BaseArena arena;
    QualifyMaster master;
    BaseYamlError error = {0};
    if (!base_arena_init(&arena, QUALIFY_ARENA)) {
        fprintf(stderr, "mattock: not enough memory to read the master\n");
        return LAB_EXIT_MEMORY;
    }
    run = (QualifyRun){.quick = o->quick, .threads = o->threads};
    if (!load_master(o, &arena, &master, &run.master, &error)) {
        fprintf(stderr, "%s\n", error.text);
        base_arena_free(&arena);
        return LAB_EXIT_FILE;
    }
    qualify_identify(&run.identity);
    for (int i = 0; qualify_specs[i].experiment; ++i)
        run_test(o, i, &run.result[i]);
    int code = tell(&run, o);
    for (int i = 0; qualify_specs[i].experiment; ++i)
        lab_report_free(&run.result[i].report);
    base_arena_free(&arena);
    return code;
}

static int help(const LabArg* args)
{
    printf(
        "usage: mattock qualify [--out FILE.html] [OPTIONS]\n\n"
        "Runs every experiment on controls, machine and soil, holds it against its target and a\n"
        "frozen master, and finds the level: A soil and machine, B machine, C controls. Takes\n"
        "some minutes with --quick, longer without.\n\n");
    lab_args_help(args);
    printf("\nExit code 0: the required level is reached, 1: it is not.\n");
    return LAB_EXIT_FINE;
}

int qualify_main(int argc, char** argv)
{
    static const char* const levels[] = {"a", "b", "c", NULL};
    QualifyOptions o = {.threads = jobs_cores()};
    const LabArg args[] = {
        {"--out", LAB_ARG_TEXT, &o.out, .help = "write the page"},
        {"--quick", LAB_ARG_FLAG, &o.quick, .help = "smaller scenes"},
        {"--require", LAB_ARG_WORD, &o.require, .words = levels, .help = "level asked for: a"},
        {"--only", LAB_ARG_TEXT, &o.only, .help = "one experiment"},
        {"--master", LAB_ARG_TEXT, &o.master, .help = "instead of config/qualify/*.yaml"},
        {"--freeze", LAB_ARG_TEXT, &o.freeze, .help = "write the results as a new master"},
        {"--threads", LAB_ARG_INT, &o.threads, 1, JOBS_WORKERS_MAX,
         .help = "workers; results do not depend on them"},
        {"--json", LAB_ARG_FLAG, &o.json, .help = "verdicts as JSON on stdout"},
        {"--help", LAB_ARG_FLAG, &o.help, .help = "this text"},
        {NULL, LAB_ARG_FLAG, NULL, .help = NULL},
    };
    if (!lab_args_parse(args, argc - 1, argv + 1))
        return LAB_EXIT_USAGE;
    if (o.help)
        return help(args);
    const char* names[QUALIFY_TESTS_MAX + 1] = {0};
    bool known = !o.only;
    for (int i = 0; qualify_specs[i].experiment; ++i) {
        names[i] = qualify_specs[i].experiment;
        known = known || strcmp(o.only, names[i]) == 0;
    }
    if (!known) {
        lab_args_unknown("experiment", o.only, names);
        return LAB_EXIT_USAGE;
    }
    return work(&o);
}
