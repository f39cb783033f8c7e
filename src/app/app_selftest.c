// `mattock selftest`: is this computer, as it stands now, fit for today's lessons?
#include "app/app.h"

#include "app/app_folder.h"
#include "base/base_clock.h"
#include "base/base_file.h"
#include "base/base_hash.h"
#include "base/base_json.h"
#include "base/base_path.h"
#include "bench/bench_bed.h"
#include "platform/platform_probe.h"
#include "platform/platform_window.h"
#include "qualify/qualify.h"
#include "render/render.h"
#include "world/world.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

#define SELFTEST_PATH     4096
#define SELFTEST_CHECKS   16
#define SELFTEST_ARENA    ((size_t)16 << 20) // bytes of address space for the master
#define SELFTEST_STEPS    300                // of a world at work
#define SELFTEST_BYTES    (4 << 20)          // written and read back
#define SELFTEST_ROOM     (1ull << 30)       // bytes free below which it warns
#define SELFTEST_SMALL    1000               // grains of the two timed beds
#define SELFTEST_LARGE    4000
#define SELFTEST_FRAMES   60
#define SELFTEST_SHARE    0.6   // of a frame that the grains may have; the rest is for the picture
#define SELFTEST_NAP      0.050 // s, to compare clocks over
#define SELFTEST_DRIFT    0.005 // s
#define SELFTEST_EARLIEST 1767225600 // s since 1970: 2026 began; an earlier clock is wrong

typedef enum Verdict { FINE, REMARK, FAULT } Verdict;

typedef struct Check {
    const char* name;
    Verdict verdict;
    char text[320];
} Check;

typedef struct Selftest {
    Check check[SELFTEST_CHECKS];
    int count;
    int grains; // at 60 Hz
    const char* speed_class;
    bool json, help, no_display;
} Selftest;

static void tell(Selftest* t, const char* name, Verdict verdict, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

static void tell(Selftest* t, const char* name, Verdict verdict, const char* format, ...)
{
    static const char* const word[] = {"fine", "remark", "FAULT"};
    Check* c = &t->check[t->count++];
    va_list args;
    c->name = name, c->verdict = verdict;
    va_start(args, format);
    vsnprintf(c->text, sizeof c->text, format, args);
    va_end(args);
    fprintf(stderr, "%-10s %-7s %s\n", c->name, word[verdict], c->text);
}

static double date_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// --- results -------------------------------------------------------------------------------------

// Small experiments on grains, ground and machine must end in the very bits that were frozen.
static void check_bits(Selftest* t)
{
    static const char* const names[] = {"chain", "incline", "slope", "strata", "digforce", "swing"};
    char path[SELFTEST_PATH], differing[160] = "";
    BaseArena arena;
    QualifyMaster master;
    BaseYamlError error;
    if (!base_path_find("config/qualify/quick.yaml", path, sizeof path)) {
        tell(t, "results", FAULT, "config/qualify/quick.yaml was not found: install again");
        return;
    }
    if (!base_arena_init(&arena, SELFTEST_ARENA)) {
        tell(t, "results", FAULT, "not enough memory to read the expected results");
        return;
    }
    if (!qualify_master_load(path, &arena, &master, &error)) {
        tell(t, "results", FAULT, "%.300s", error.text);
        base_arena_free(&arena);
        return;
    }
    int count = (int)(sizeof names / sizeof names[0]);
    for (int i = 0; i < count; ++i) {
        const QualifyFrozen* frozen = qualify_frozen(&master, names[i]);
        LabOptions options = lab_options();
        LabReport report;
        char hash[32];
        options.quick = true;
        lab_run(lab_find(names[i]), &options, &report);
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)report.hash);
        if (report.failed || !frozen || strcmp(hash, frozen->hash) != 0) {
            size_t used = strlen(differing);
            snprintf(differing + used, sizeof differing - used, " %s", names[i]);
        }
        lab_report_free(&report);
    }
    if (differing[0])
        tell(t, "results", FAULT, "not the expected bits in:%s; do not trust scores of this copy",
             differing);
    else
        tell(t, "results", FINE, "%d experiments end in the expected bits", count);
    base_arena_free(&arena);
}

// Levers in turn: the boom down, the stick in, the bucket curled, up and round.
static InputFrame hands(int step)
{
    static const InputFunction order[] = {INPUT_BOOM, INPUT_STICK, INPUT_BUCKET, INPUT_BOOM,
                                          INPUT_SWING};
    static const int way[] = {-1, 1, 1, 1, 1};
    InputFrame frame = {0};
    int phase = step / (SELFTEST_STEPS / 5);
    frame.lever[order[phase]] = (int16_t)(way[phase] * INPUT_FULL);
    return frame;
}

typedef struct Work {
    uint64_t hash;
    int64_t imbalance; // mg
    bool sound;        // audit and no undone step
    double frame;      // s, median step without what its grains cost
} Work;

static bool work(const WorldDef* def, int threads, Work* out, BaseYamlError* error)
{
    World* world = world_create(def, threads, error);
    if (!world)
        return false;
    static double step[SELFTEST_STEPS];
    for (int i = 0; i < SELFTEST_STEPS; ++i) {
        InputFrame frame = hands(i);
        world_step(world, &frame);
        const WorldProfile* p = world_profile(world);
        step[i] = p->total - p->seconds[WORLD_PHASE_LOOK] - p->seconds[WORLD_PHASE_GRAINS];
    }
    out->frame = base_median(step, SELFTEST_STEPS);
    out->hash = world_hash(world).total;
    out->imbalance = world_imbalance(world);
    out->sound = world_audit(world) && world_faults(world)->machine_resets == 0 &&
                 world_faults(world)->bad_grains == 0;
    world_destroy(world);
    return true;
}

// A machine digs for some seconds, with one core and with all: one result, nothing lost. Returns the
// seconds that a step took.
static double check_world(Selftest* t)
{
    static char site[SELFTEST_PATH], materials[SELFTEST_PATH], calibration[SELFTEST_PATH],
        vehicle[SELFTEST_PATH];
    BaseYamlError error;
    Work one = {0}, all = {0};
    if (!base_path_find("config/sites/flat.yaml", site, sizeof site) ||
        !base_path_find("config/materials.yaml", materials, sizeof materials) ||
        !base_path_find("config/calibration.yaml", calibration, sizeof calibration) ||
        !base_path_find("vehicles/excavator_22t.yaml", vehicle, sizeof vehicle)) {
        tell(t, "ledger", FAULT, "files that come with the program are missing: install again");
        return 0.0;
    }
    const WorldDef def = {.site = site,
                          .materials = materials,
                          .calibration = calibration,
                          .radius = 0.04f,
                          .pool = 8000,
                          .births = 600,
                          .machine = {{.vehicle = vehicle}},
                          .machine_count = 1};
    if (!work(&def, 1, &one, &error) || !work(&def, jobs_cores(), &all, &error)) {
        tell(t, "ledger", FAULT, "%.300s", error.text[0] ? error.text : "not enough memory");
        return 0.0;
    }
    bool fine = one.imbalance == 0 && all.imbalance == 0 && one.sound && all.sound;
    tell(t, "ledger", fine ? FINE : FAULT, "%d steps of digging: %lld mg missing%s", SELFTEST_STEPS,
         (long long)(one.imbalance + all.imbalance), fine ? "" : "; do not use this copy");
    tell(t, "workers", one.hash == all.hash ? FINE : FAULT, "1 and %d workers: %016llx and %016llx",
         jobs_cores(), (unsigned long long)one.hash, (unsigned long long)all.hash);
    return all.frame;
}

// --- the computer --------------------------------------------------------------------------------

static bool read_back(const char* path, const unsigned char* data, size_t bytes)
{
    unsigned char* got = malloc(bytes);
    FILE* file = fopen(path, "rb");
    bool same = got && file && fread(got, 1, bytes, file) == bytes && memcmp(got, data, bytes) == 0;
    if (file)
        fclose(file);
    free(got);
    return same;
}

static void check_disk(Selftest* t, const char* folder)
{
    char path[SELFTEST_PATH + 32];
    struct statvfs disk;
    unsigned char* data = malloc(SELFTEST_BYTES);
    BaseRandom random = base_random(7);
    snprintf(path, sizeof path, "%s/selftest.tmp", folder);
    if (!data) {
        tell(t, "disk", FAULT, "not enough memory to try it");
        return;
    }
    for (int i = 0; i < SELFTEST_BYTES; ++i)
        data[i] = (unsigned char)base_random_u32(&random);
    double begun = base_seconds();
    bool written = base_file_replace(path, data, SELFTEST_BYTES);
    int reason = errno;
    double took = base_seconds() - begun;
    if (!written)
        tell(t, "disk", FAULT, "%.200s cannot be written: %s; no record would be kept", folder,
             strerror(reason));
    else if (!read_back(path, data, SELFTEST_BYTES))
        tell(t, "disk", FAULT, "%.200s: what was written is not what is read", folder);
    else if (statvfs(folder, &disk) == 0 && disk.f_bavail * disk.f_frsize < SELFTEST_ROOM)
        tell(t, "disk", REMARK, "%.200s: only %llu MiB are free", folder,
             (unsigned long long)(disk.f_bavail * disk.f_frsize >> 20));
    else
        tell(t, "disk", FINE, "%.200s takes records, %.0f MB/s", folder,
             1e-6 * SELFTEST_BYTES / took);
    remove(path);
    free(data);
}

static void check_clock(Selftest* t)
{
    double wall = date_seconds(), steady = base_seconds();
    struct timespec nap = {0, (long)(1e9 * SELFTEST_NAP)};
    nanosleep(&nap, NULL);
    double passed = base_seconds() - steady;
    double drift = date_seconds() - wall - passed;
    if (wall < SELFTEST_EARLIEST)
        tell(t, "clock", FAULT, "the date is before 2026: set it, or records carry wrong dates");
    else if (passed < SELFTEST_NAP)
        tell(t, "clock", FAULT, "the steady clock ran %.1f ms in %.0f", 1e3 * passed,
             1e3 * SELFTEST_NAP);
    else if (drift > SELFTEST_DRIFT || drift < -SELFTEST_DRIFT)
        tell(t, "clock", REMARK, "the time of day was set while it was looked at (%.1f ms)",
             1e3 * drift);
    else
        tell(t, "clock", FINE, "a nap of %.0f ms took %.1f; the date is plausible",
             1e3 * SELFTEST_NAP, 1e3 * passed);
}

static void check_devices(Selftest* t)
{
    PlatformProbe probe;
    char names[240] = "";
    platform_probe(&probe);
    for (int i = 0; i < probe.sticks && i < PLATFORM_PROBE_DEVICES; ++i) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", probe.stick[i]);
    }
    if (probe.sticks > 0)
        tell(t, "devices", FINE, "%d: %s", probe.sticks, names);
    else
        tell(t, "devices", REMARK, "no stick, pad or pedal: lessons are driven by the keyboard");
    if (probe.display)
        tell(t, "display", FINE, "%s", probe.screen);
    else
        tell(t, "display", REMARK, "none (%s): lessons need one, runs without a window do not",
             probe.screen);
    tell(t, "sound", probe.speakers > 0 ? FINE : REMARK,
         probe.speakers > 0 ? "%d outputs" : "none (%d outputs): lessons are silent",
         probe.speakers);
}

static void check_gl(Selftest* t)
{
    char why[PLATFORM_WHY];
    const PlatformWindowDef def = {
        .title = "self-test", .width = 64, .height = 48, .offscreen = true};
    PlatformWindow* window = platform_window_create(&def, why);
    Render* render = window ? render_create(base_path_find, why) : NULL;
    if (render)
        tell(t, "opengl", FINE, "%.200s", render_card(render));
    else
        tell(t, "opengl", REMARK, "%s: no pictures; runs without a window still work", why);
    render_destroy(render);
    platform_window_destroy(window);
}

// --- speed ---------------------------------------------------------------------------------------

// Seconds of a frame in which all neighbours are looked for anew, as in a digging bucket: the median.
static double bed_frame(int grains, Jobs* jobs, int* count)
{
    double frame[SELFTEST_FRAMES];
    Soil* bed = bench_bed_pour(grains, 0, jobs);
    if (!bed)
        return -1.0;
    *count = soil_state(bed)->count;
    for (int i = 0; i < SELFTEST_FRAMES; ++i) {
        soil_touch(bed);
        double begun = base_seconds();
        soil_step(bed, jobs);
        frame[i] = base_seconds() - begun;
    }
    soil_destroy(bed);
    return base_median(frame, SELFTEST_FRAMES);
}

// What the time of two beds says of all sizes; a step of the world without grains comes off first.
static void check_speed(Selftest* t, double empty)
{
    int few = 0, many = 0;
    Jobs* jobs = jobs_create(jobs_cores());
    double small = jobs ? bed_frame(SELFTEST_SMALL, jobs, &few) : -1.0;
    double large = small > 0.0 ? bed_frame(SELFTEST_LARGE, jobs, &many) : -1.0;
    jobs_destroy(jobs);
    if (large < 0.0) {
        tell(t, "speed", FAULT, "not enough memory for %d grains", SELFTEST_LARGE);
        return;
    }
    double each = (large - small) / (double)(many - few);
    each = each > 0.0 ? each : large / (double)many; // a disturbed measurement: the careful answer
    double room = SELFTEST_SHARE * WORLD_DT - empty - (large - each * (double)many);
    double grains = room > 0.0 ? room / each : 0.0;
    t->grains = grains > 200000.0 ? 200000 : 100 * (int)(grains / 100.0);
    t->speed_class = t->grains >= 16000  ? "roomy: every lesson, finest grains"
                     : t->grains >= 8000 ? "good: every lesson"
                     : t->grains >= 4000 ? "fair: every lesson with coarse grains"
                     : t->grains >= 1500 ? "slow: digging lessons will slow down when soil piles up"
                                         : "too slow: only lessons without digging keep 60 Hz";
    tell(t, "speed",
         t->grains >= 4000   ? FINE
         : t->grains >= 1500 ? REMARK
                             : FAULT,
         "%s; holds about %d grains in motion at 60 Hz on %d cores (%d take %.2f ms, the machine "
         "and ground %.2f ms)",
         t->speed_class, t->grains, jobs_cores(), many, 1e3 * large, 1e3 * empty);
}

// --- all -----------------------------------------------------------------------------------------

static void write_json(const Selftest* t, BaseJson* json, double seconds)
{
    static const char* const word[] = {"fine", "remark", "fault"};
    QualifyIdentity id;
    qualify_identify(&id);
    base_json_begin_object(json, NULL);
    base_json_string(json, "date", id.date);
    base_json_string(json, "program", id.program);
    base_json_string(json, "system", id.system);
    base_json_string(json, "processor", id.processor);
    base_json_int(json, "cores", id.cores);
    base_json_string(json, "memory", id.memory);
    base_json_double(json, "seconds", seconds);
    base_json_int(json, "grains_at_60_hz", t->grains);
    base_json_string(json, "speed_class", t->speed_class);
    base_json_begin_object(json, "checks");
    for (int i = 0; i < t->count; ++i) {
        base_json_begin_object(json, t->check[i].name);
        base_json_string(json, "verdict", word[t->check[i].verdict]);
        base_json_string(json, "text", t->check[i].text);
        base_json_end(json);
    }
    base_json_end(json);
    base_json_end(json);
}

// One file per day and time, beside the records. False after a sentence.
static bool keep(const char* folder, const BaseJson* json)
{
    char path[SELFTEST_PATH + 64], stamp[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
    snprintf(path, sizeof path, "%s/selftest-%s.json", folder, stamp);
    const char* text = base_json_text(json);
    if (!text || !base_file_replace(path, text, strlen(text))) {
        fprintf(stderr, "mattock: %s: cannot be written: %s\n", path,
                text ? strerror(errno) : "not enough memory");
        return false;
    }
    fprintf(stderr, "kept as %s\n", path);
    return true;
}

static int run(Selftest* t)
{
    char folder[SELFTEST_PATH];
    double begun = base_seconds();
    bool kept = app_folder_data("selftest", folder, sizeof folder);
    check_bits(t);
    double empty = check_world(t);
    if (kept)
        check_disk(t, folder);
    else
        tell(t, "disk", FAULT, "%.200s cannot be made: no record would be kept", folder);
    check_clock(t);
    if (!t->no_display) {
        check_devices(t);
        check_gl(t);
    }
    check_speed(t, empty);

    double seconds = base_seconds() - begun;
    Verdict worst = FINE;
    for (int i = 0; i < t->count; ++i)
        worst = t->check[i].verdict > worst ? t->check[i].verdict : worst;
    fprintf(stderr, "%s (%.0f s)\n",
            worst == FINE     ? "Ready for lessons."
            : worst == REMARK ? "Ready, with the remarks above."
                              : "Not ready: see the faults above.",
            seconds);
    BaseJson json;
    base_json_init(&json);
    write_json(t, &json, seconds);
    kept = kept && keep(folder, &json);
    bool told = !t->json || base_json_write(&json, stdout);
    base_json_free(&json);
    return worst == FAULT ? LAB_EXIT_FAILED : kept && told ? LAB_EXIT_FINE : LAB_EXIT_FILE;
}

int app_selftest(int argc, char** argv)
{
    static Selftest t;
    const LabArg args[] = {
        {"--json", LAB_ARG_FLAG, &t.json, .help = "the result on stdout, too"},
        {"--no-display", LAB_ARG_FLAG, &t.no_display, .help = "leave screen and devices alone"},
        {"--help", LAB_ARG_FLAG, &t.help, .help = "this text"},
        {NULL, LAB_ARG_FLAG, NULL, .help = NULL},
    };
    if (!lab_args_parse(args, argc - 1, argv + 1))
        return LAB_EXIT_USAGE;
    if (t.help) {
        printf(
            "usage: mattock selftest [OPTIONS]\n\n"
            "Before the day's first lesson, in less than a minute: are results right, is nothing\n"
            "lost, can records be written, which display and devices are there, and how many\n"
            "grains does this computer hold at 60 Hz. The result is kept with the records.\n\n");
        lab_args_help(args);
        printf("\nExit code 0: ready, 1: a fault, 5: the result could not be kept.\n");
        return LAB_EXIT_FINE;
    }
    return run(&t);
}
