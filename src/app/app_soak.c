// `mattock soak`: every shipped lesson in turn, worked by chance for hours, in one process.
#include "app/app.h"

#include "app/app_lesson.h"
#include "app/app_stop.h"
#include "base/base_hash.h"
#include "base/base_path.h"
#include "lab/lab_args.h"
#include "sim/sim_guide.h"

#include <dirent.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SOAK_PATH    4096
#define SOAK_LESSONS 64
#define SOAK_NAME    64
#define SOAK_WARM    60  // s, at most, of an attempt, before its memory is looked at
#define SOAK_GROWTH  1.0 // %, is too much

typedef struct SoakOptions {
    const char *only, *log, *record;
    int seconds, threads, seed;
    bool help;
} SoakOptions;

// What came of one lesson, over all its attempts.
typedef struct SoakResult {
    uint64_t steps, hash;
    int attempts, broken; // steps after which the books did not balance
    bool audit;
    WorldFaults faults;
    int grains; // at most
    long warm, most,
        rest;      // kB resident: after warming up, afterwards at most, when it was put away
    double growth; // %, of the worst attempt
    double kept;   // % of `warm`: at rest, more than after the first lesson
    double wall;   // s
} SoakResult;

// kB of this process in memory; 0 where the system does not tell.
static long resident(void)
{
    long all, here = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &all, &here) != 2)
        here = 0;
    if (file)
        fclose(file);
    return here * (sysconf(_SC_PAGESIZE) / 1024);
}

static int by_name(const void* a, const void* b)
{
    return strcmp(a, b);
}

// Names of the shipped lessons, in the order of the alphabet.
static int lessons(char name[SOAK_LESSONS][SOAK_NAME])
{
    char path[SOAK_PATH];
    int count = 0;
    base_path_find("config/scenarios/pit.yaml", path, sizeof path);
    *strrchr(path, '/') = '\0';
    DIR* folder = opendir(path);
    for (struct dirent* e; folder && count < SOAK_LESSONS && (e = readdir(folder));) {
        size_t length = strlen(e->d_name);
        if (length > 5 && length < SOAK_NAME && strcmp(e->d_name + length - 5, ".yaml") == 0)
            snprintf(name[count++], SOAK_NAME, "%.*s", (int)length - 5, e->d_name);
    }
    if (folder)
        closedir(folder);
    qsort(name, (size_t)count, SOAK_NAME, by_name);
    return count;
}

static void add_faults(WorldFaults* sum, const WorldFaults* one)
{
    sum->bad_grains += one->bad_grains;
    sum->machine_resets += one->machine_resets;
    sum->input += one->input;
    sum->pool_full += one->pool_full;
    sum->hasty += one->hasty;
    sum->crowded += one->crowded;
}

static void note_end(SimLesson* lesson, SoakResult* r)
{
    uint64_t hashes[SIM_LESSON_MODULES + 1];
    sim_lesson_hashes(lesson, hashes);
    r->hash = base_hash(hashes, sizeof hashes, r->hash);
    r->audit &= world_audit(sim_lesson_world(lesson));
    add_faults(&r->faults, world_faults(sim_lesson_world(lesson)));
    ++r->attempts;
}

// One attempt, until it is over or `steps` are done; how many were.
static uint64_t attempt(SimLesson* lesson, SimGuide* hands, uint64_t steps, SoakResult* r)
{
    World* world = sim_lesson_world(lesson);
    uint64_t warm = steps / 2 < SOAK_WARM * WORLD_RATE ? steps / 2 : SOAK_WARM * WORLD_RATE;
    long first = 0, most = 0;
    uint64_t done = 0;
    for (; done < steps && !sim_lesson_over(lesson) && !app_stopped(); ++done) {
        InputFrame frame;
        sim_guide_step(hands, &frame);
        sim_lesson_step(lesson, &frame);
        sim_lesson_pump(lesson);
        r->broken += world_faults(world)->lost > 0;
        r->grains =
            world_profile(world)->grains > r->grains ? world_profile(world)->grains : r->grains;
        if (done == warm)
            first = resident();
        else if (done > warm && done % WORLD_RATE == 0 && (most = resident()) > r->most)
            r->most = most;
        double growth = first > 0 ? 100.0 * (double)(most - first) / (double)first : 0.0;
        if (growth > r->growth)
            r->growth = growth, r->warm = first;
    }
    r->warm = r->warm ? r->warm : first;
    note_end(lesson, r);
    return done;
}

static int begin(SimLesson** lesson, SimGuide* hands, const char* name, uint64_t seed,
                 const SoakOptions* o)
{
    BaseYamlError error;
    const SimLessonDef def = {name, base_path_find, o->threads};
    const SimLessonWho who = {.driver = "random", .device = "built-in operator", .pattern = "iso"};
    *lesson = sim_lesson_create(&def, &error);
    if (o->record)
        remove(o->record);
    if (*lesson && sim_guide_begin(hands, *lesson, OPERATOR_RANDOM, &error) &&
        (!o->record || sim_lesson_record(*lesson, o->record, &who, &error))) {
        hands->hands.state.random = base_random(seed);
        return LAB_EXIT_FINE;
    }
    fprintf(stderr, "%s\n", error.text[0] ? error.text : "mattock: not enough memory");
    sim_lesson_destroy(*lesson);
    return error.text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
}

// A lesson again and again until its share of the time is over.
static int soak_lesson(const char* name, uint64_t steps, const SoakOptions* o, SoakResult* r)
{
    static SimGuide hands;
    double begun = app_now();
    *r = (SoakResult){.audit = true};
    while (r->steps < steps && !app_stopped()) {
        SimLesson* lesson;
        BaseYamlError error;
        uint64_t hash;
        int code = begin(&lesson, &hands, name, (uint64_t)(o->seed + r->attempts), o);
        if (code != LAB_EXIT_FINE)
            return code;
        r->steps += attempt(lesson, &hands, steps - r->steps, r);
        const char* news = sim_lesson_news(lesson);
        if (o->record && (!sim_lesson_finish(lesson, "the time is up", &hash, &error) || news)) {
            fprintf(stderr, "%s\n", news ? news : error.text);
            code = LAB_EXIT_FILE;
        }
        sim_lesson_destroy(lesson);
        if (code != LAB_EXIT_FINE)
            return code;
    }
    malloc_trim(0); // what the heap keeps for later is no leak
    r->rest = resident();
    r->wall = app_now() - begun;
    return LAB_EXIT_FINE;
}

static bool sound(const SoakResult* r)
{
    return r->broken == 0 && r->audit && r->faults.bad_grains == 0 &&
           r->faults.machine_resets == 0 && r->faults.input == 0 && r->growth < SOAK_GROWTH &&
           r->kept < SOAK_GROWTH;
}

static void tell(FILE* out, const char* name, const SoakOptions* o, const SoakResult* r)
{
    fprintf(out,
            "%s %s: hash %016llx, %.0f s in %d attempts, %d unbalanced steps, audit %s, "
            "%u bad grains, %u undone steps, %u repaired levers, pool full in %u steps, "
            "hasty in %u, crowded in %u, %d grains at most, %ld kB after warm-up, grew by %.2f %%, "
            "%ld kB at "
            "rest (%+.2f %%), %.1f x real time with %d threads, version " MATTOCK_VERSION
            ", seed %d\n",
            sound(r) ? "ok" : "not ok", name, (unsigned long long)r->hash,
            (double)r->steps / WORLD_RATE, r->attempts, r->broken, r->audit ? "fine" : "FAILED",
            r->faults.bad_grains, r->faults.machine_resets, r->faults.input, r->faults.pool_full,
            r->faults.hasty, r->faults.crowded, r->grains, r->warm, r->growth, r->rest, r->kept,
            (double)r->steps / WORLD_RATE / (r->wall > 0.0 ? r->wall : 1.0), o->threads, o->seed);
    fflush(out);
}

// True when the log tells of this lesson already.
static bool in_log(const char* path, const char* name)
{
    char line[1024], fine[SOAK_NAME + 8], bad[SOAK_NAME + 8];
    bool found = false;
    FILE* log = path ? fopen(path, "r") : NULL;
    int a = snprintf(fine, sizeof fine, "ok %s: ", name);
    int b = snprintf(bad, sizeof bad, "not ok %s: ", name);
    while (log && !found && fgets(line, sizeof line, log))
        found = strncmp(line, fine, (size_t)a) == 0 || strncmp(line, bad, (size_t)b) == 0;
    if (log)
        fclose(log);
    return found;
}

static bool wanted(const char* only, const char* name)
{
    size_t length = strlen(name);
    for (const char* at = only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return !only;
}

static int soak(const SoakOptions* o)
{
    static char name[SOAK_LESSONS][SOAK_NAME];
    int count = lessons(name), code = LAB_EXIT_FINE;
    long rest = 0;
    if (count == 0) {
        fprintf(stderr, "config/scenarios has no lessons\n");
        return LAB_EXIT_FILE;
    }
    signal(SIGXFSZ, SIG_IGN);
    app_stop_on_signals();
    for (int k = 0; k < count && !app_stopped(); ++k) {
        SoakResult r;
        if (!wanted(o->only, name[k]) || in_log(o->log, name[k]))
            continue;
        uint64_t steps = (uint64_t)o->seconds * WORLD_RATE / (uint64_t)count;
        int one = soak_lesson(name[k], steps > 2 ? steps : 2, o, &r);
        if (one != LAB_EXIT_FINE)
            return one;
        if (app_stopped())
            break; // a lesson counts when its time is full
        rest = rest ? rest : r.rest;
        r.kept = 100.0 * (double)(r.rest - rest) / (double)(r.warm > 0 ? r.warm : 1);
        code = sound(&r) ? code : LAB_EXIT_FAILED;
        tell(stdout, name[k], o, &r);
        FILE* log = o->log ? fopen(o->log, "a") : NULL;
        if (log) {
            tell(log, name[k], o, &r);
            fclose(log);
        }
    }
    return code;
}

int app_soak(int argc, char** argv)
{
    SoakOptions o = {.seconds = 28800, .threads = 2, .seed = 1};
    const LabArg args[] = {
        {"--seconds", LAB_ARG_INT, &o.seconds, 1, 1000000,
         .help = "simulated, shared by all lessons; default 28800, eight hours"},
        {"--only", LAB_ARG_TEXT, &o.only, .help = "these lessons: pit,trench", .what = "LIST"},
        {"--threads", LAB_ARG_INT, &o.threads, 1, JOBS_WORKERS_MAX, .help = "cores to use"},
        {"--seed", LAB_ARG_INT, &o.seed, 0, 1000000000, .help = "of the hands"},
        {"--record", LAB_ARG_TEXT, &o.record,
         .help = "record each attempt here, over the last one"},
        {"--log", LAB_ARG_TEXT, &o.log, .help = "add results here; lessons it has are left out"},
        {"--help", LAB_ARG_FLAG, &o.help, .help = "this text"},
        {0},
    };
    if (!lab_args_parse(args, argc - 1, argv + 1))
        return LAB_EXIT_USAGE;
    if (o.help) {
        printf(
            "usage: mattock soak [OPTIONS]\n\n"
            "Works every shipped lesson in turn with levers moved by chance, in one process: no\n"
            "soil may be lost, no number go bad, no memory grow by 1 %%. A line per lesson; its\n"
            "hash is the same for every --threads. A night of it proves a computer.\n\n");
        lab_args_help(args);
        printf(
            "\nA run that was stopped goes on with the same --log. Exit code 0: fine, 1: a claim "
            "failed.\n");
        return LAB_EXIT_FINE;
    }
    return soak(&o);
}
