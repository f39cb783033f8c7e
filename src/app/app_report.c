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

static char names[REPORT_FILES][256]; // of the pages written so far

// What a page is called: as its recording, with a number when another folder's has the same name.
static void name_page(const char* path, int number)
{
    char stem[240];
    app_shelf_stem(path, stem, sizeof stem);
    snprintf(names[number], sizeof names[0], "%s", stem);
    for (int k = 0, copy = 2; k < number; ++k)
        if (strcmp(names[k], names[number]) == 0) {
            snprintf(names[number], sizeof names[0], "%s-%d", stem, copy++);
            k = -1;
        }
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
    char folder[REPORT_PATH];
    BaseYamlError error;
    SimReplay* replay = simulate(path, o->threads, &error);
    if (!replay)
        return refuse(&error);
    const RecordInfo* info = record_info(sim_replay_reader(replay));
    int code = LAB_EXIT_MEMORY;
    const char* slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    name_page(path, number);
    if (app_stopped()) {
        fprintf(stderr, "%s: stopped before its end; no report is written\n", path);
        code = LAB_EXIT_FAILED;
    } else if (sim_lesson_report(sim_replay_lesson(replay), NULL, info, slash ? slash + 1 : path,
                                 &r)) {
        prove(replay, &r.data);
        r.data.past_count = app_shelf_past(folder, &info->head, path, before);
        r.data.past = before;
        if (expert->known && strcmp(expert->lesson, info->head.scenario.name) == 0) {
            r.data.expert = expert->value;
            r.data.expert_same = true;
            r.data.expert_total = expert->total;
        }
        bool fine = write_all(&r.data, o->out, names[number], &error);
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
        {"--out", LAB_ARG_TEXT, &o.out, .help = "folder for HTML, JSON and CSV", .what = "FOLDER"},
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
        printf(
            "usage: mattock report FILE... --out DIR [OPTIONS]\n\n"
            "Simulates recorded lessons again and writes a page about each. Earlier runs of the\n"
            "lesson by the same trainee are looked for beside the recording.\n\n");
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
