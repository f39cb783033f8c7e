// `mattock report FILE...`: recorded lessons simulated again, and a page about each.
#include "app/app.h"
#include "app/app_folder.h"
#include "app/app_papers.h"
#include "app/app_shelf.h"
#include "app/app_stop.h"

#include "base/base_path.h"
#include "jobs/jobs.h"
#include "lab/lab_args.h"
#include "sim/sim_lesson_report.h"
#include "sim/sim_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_FILES 256
#define REPORT_PATH  1400

typedef struct ReportOptions {
    const char *out, *expert;
    int threads;
    bool help;
} ReportOptions;

typedef struct Expert {
    ScoreValue value[SCORE_MEASURE_COUNT];
    double total;
    char lesson[RECORD_NAME];
    bool known;
} Expert;

static ReportPast past[REPORT_FILES];
static char past_of[REPORT_FILES][2 * RECORD_NAME]; // lesson and trainee

static int refuse(const BaseYamlError* error)
{
    fprintf(stderr, "%s\n", error->text[0] ? error->text : "mattock: not enough memory");
    return error->text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
}

static SimReplay* simulate(const char* path, int threads, BaseYamlError* error)
{
    const SimReplayDef def = {path, base_path_find, threads, true};
    SimReplay* replay = sim_replay_open(&def, error);
    if (replay && !sim_replay_lesson(replay)) {
        snprintf(error->text, sizeof error->text,
                 "%.300s: is a recording of free digging; reports are of lessons", path);
        sim_replay_close(replay);
        return NULL;
    }
    while (replay && !app_stopped() && sim_replay_step(replay)) {
    }
    return replay;
}

static void prove(SimReplay* replay, ReportData* d)
{
    const RecordInfo* info = record_info(sim_replay_reader(replay));
    const RecordDifference* difference = sim_replay_difference(replay);
    if (difference->kind != RECORD_SAME || info->damage[0]) {
        d->proof = REPORT_DIFFERS;
        d->proof_text = difference->kind != RECORD_SAME ? difference->text : info->damage;
    } else if (d->proof == REPORT_UNVERIFIED && info->hashed > 0) {
        d->proof = REPORT_VERIFIED;
    }
}

// Earlier runs of the same lesson by the same trainee among those before this one.
static int trend(const SimLessonReport* r, const RecordHead* head, int number, ReportPast* out)
{
    int count = 0;
    snprintf(past_of[number], sizeof past_of[0], "%s\n%s", head->scenario.name, head->trainee);
    past[number] = (ReportPast){.total = r->result.total, .passed = r->result.passed};
    snprintf(past[number].date, sizeof past[0].date, "%.10s", r->date);
    memcpy(past[number].pillar, r->result.pillar, sizeof past[0].pillar);
    for (int k = number - 1; k >= 0 && count < REPORT_PAST_MAX; --k)
        count += strcmp(past_of[k], past_of[number]) == 0;
    for (int k = number - 1, n = count; k >= 0 && n > 0; --k)
        if (strcmp(past_of[k], past_of[number]) == 0)
            out[--n] = past[k];
    return count;
}

// The folder of a file, and its name without what comes behind the first dot.
static void parts_of(const char* path, char folder[REPORT_PATH], char stem[REPORT_PATH])
{
    const char* slash = strrchr(path, '/');
    const char* base = slash ? slash + 1 : path;
    snprintf(stem, REPORT_PATH, "%.*s", (int)strcspn(base, "."), base);
    snprintf(folder, REPORT_PATH, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
}

static bool write_all(const ReportData* d, const char* out, const char* name, BaseYamlError* error)
{
    static const char* const ends[] = {".html", ".json", ".csv", "-cycles.csv"};
    char stem[3 * REPORT_PATH];
    snprintf(stem, sizeof stem, "%s/%s", out, name);
    if (!app_papers_write(d, stem, error))
        return false;
    for (int k = 0; k < 4; ++k)
        printf("%s%s\n", stem, ends[k]);
    return true;
}

static int one(const char* path, int number, const ReportOptions* o, const Expert* expert)
{
    static SimLessonReport r;
    static ReportPast before[REPORT_PAST_MAX];
    char folder[REPORT_PATH], name[REPORT_PATH];
    BaseYamlError error;
    SimReplay* replay = simulate(path, o->threads, &error);
    if (!replay)
        return refuse(&error);
    const RecordInfo* info = record_info(sim_replay_reader(replay));
    int code = LAB_EXIT_MEMORY;
    parts_of(path, folder, name);
    const char* slash = strrchr(path, '/');
    if (app_stopped()) {
        fprintf(stderr, "%s: stopped before its end; no report is written\n", path);
        code = LAB_EXIT_FAILED;
    } else if (sim_lesson_report(sim_replay_lesson(replay), NULL, info, slash ? slash + 1 : path,
                                 &r)) {
        prove(replay, &r.data);
        r.data.past_count = trend(&r, &info->head, number, before);
        if (r.data.past_count == 0) // none were handed in: those that lie beside it
            r.data.past_count = app_shelf_past(folder, &info->head, path, before);
        r.data.past = before;
        if (expert->known && strcmp(expert->lesson, info->head.scenario.name) == 0) {
            r.data.expert = expert->value;
            r.data.expert_same = true;
            r.data.expert_total = expert->total;
        }
        bool fine = write_all(&r.data, o->out, name, &error);
        code = !fine                            ? refuse(&error)
               : r.data.proof == REPORT_DIFFERS ? LAB_EXIT_FAILED
                                                : LAB_EXIT_FINE;
    }
    sim_lesson_report_free(&r);
    sim_replay_close(replay);
    return code;
}

static int learn(const char* path, int threads, Expert* out)
{
    BaseYamlError error;
    ScoreResult result;
    SimReplay* replay = simulate(path, threads, &error);
    if (!replay)
        return refuse(&error);
    sim_lesson_judge(sim_replay_lesson(replay), NULL, &result);
    memcpy(out->value, result.value, sizeof out->value);
    out->total = result.total;
    snprintf(out->lesson, sizeof out->lesson, "%s",
             record_info(sim_replay_reader(replay))->head.scenario.name);
    out->known = true;
    sim_replay_close(replay);
    return LAB_EXIT_FINE;
}

int app_report(int argc, char** argv)
{
    static Expert expert;
    ReportOptions o = {.threads = 2};
    const LabArg args[] = {
        {"--out", LAB_ARG_TEXT, &o.out, .help = "folder for HTML, JSON and CSV"},
        {"--expert", LAB_ARG_TEXT, &o.expert, .help = "a recording to be held beside them"},
        {"--threads", LAB_ARG_INT, &o.threads, 1, JOBS_WORKERS_MAX, .help = "cores to use"},
        {"--help", LAB_ARG_FLAG, &o.help, .help = "this text"},
        {0},
    };
    int files = 0;
    while (files + 1 < argc && argv[files + 1][0] != '-')
        ++files;
    if (!lab_args_parse(args, argc - 1 - files, argv + 1 + files))
        return LAB_EXIT_USAGE;
    if (o.help) {
        printf("usage: mattock report FILE... --out DIR [OPTIONS]\n\n"
               "Simulates recorded lessons again, the oldest first, and writes a page about "
               "each.\n\n");
        lab_args_help(args);
        return LAB_EXIT_FINE;
    }
    if (files == 0 || files > REPORT_FILES || !o.out) {
        fprintf(stderr, "mattock: report needs 1 to %d recordings, then --out DIR\n", REPORT_FILES);
        return LAB_EXIT_USAGE;
    }
    if (!app_folder_make(o.out)) {
        fprintf(stderr, "%s: cannot be made\n", o.out);
        return LAB_EXIT_FILE;
    }
    app_stop_on_signals();
    int code = o.expert ? learn(o.expert, o.threads, &expert) : LAB_EXIT_FINE;
    for (int k = 0; k < files && code != LAB_EXIT_MEMORY && !app_stopped(); ++k) {
        int now = one(argv[1 + k], k, &o, &expert);
        code = now > code ? now : code;
    }
    return code;
}
