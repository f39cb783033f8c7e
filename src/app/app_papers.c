#include "app/app_papers.h"

#include "app/app_shelf.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAPERS_PATH 4096

extern char** environ;

const char* const app_papers_ends[] = {".html", ".json", ".csv", "-cycles.csv", NULL};

bool app_papers_write(const ReportData* d, const char* stem, BaseYamlError* error)
{
    static bool (*const write[])(const ReportData*, const char*, BaseYamlError*) = {
        report_html, report_json, report_csv, report_cycles_csv};
    for (int k = 0; app_papers_ends[k]; ++k) {
        char name[PAPERS_PATH];
        snprintf(name, sizeof name, "%.4000s%s", stem, app_papers_ends[k]);
        if (!write[k](d, name, error))
            return false;
    }
    return true;
}

bool app_papers_of(SimLesson* lesson, const char* recording, char html[4096], BaseYamlError* error)
{
    static SimLessonReport r;
    static ReportPast past[REPORT_PAST_MAX];
    char stem[PAPERS_PATH - 16], folder[PAPERS_PATH - 16], own[256];
    *error = (BaseYamlError){0};
    RecordReader* reader = record_open(recording, error);
    if (!reader)
        return false;
    const RecordInfo info = *record_info(reader);
    record_close(reader);
    const char* slash = strrchr(recording, '/');
    const char* name = slash ? slash + 1 : recording;
    app_shelf_stem(recording, own, sizeof own);
    snprintf(stem, sizeof stem, "%.*s%s", (int)(name - recording), recording, own);
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - recording) : 1,
             slash ? recording : ".");
    bool fine = sim_lesson_report(lesson, NULL, &info, name, &r);
    if (fine) {
        r.data.past_count = app_shelf_past(folder, &info.head, recording, past);
        r.data.past = past;
        fine = app_papers_write(&r.data, stem, error);
    }
    sim_lesson_report_free(&r);
    snprintf(html, PAPERS_PATH, "%s.html", stem);
    return fine;
}

static bool in_path(const char* program)
{
    const char* path = getenv("PATH");
    char file[PAPERS_PATH];
    for (const char* at = path ? path : ""; *at;) {
        size_t length = strcspn(at, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)(length < 4000 ? length : 4000), at, program);
        if (length > 0 && access(file, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

bool app_papers_open(const char* html)
{
    pid_t child;
    char* const argv[] = {(char*)"xdg-open", (char*)html, NULL};
    if (!in_path("xdg-open"))
        return false;
    signal(SIGCHLD, SIG_IGN); // nobody waits for it
    return posix_spawnp(&child, "xdg-open", NULL, NULL, argv, environ) == 0;
}
