// `mattock records`: whose lessons are kept here; a list, a trend, a copy for elsewhere, and erasing.
#include "app/app.h"
#include "app/app_folder.h"
#include "app/app_papers.h"
#include "app/app_shelf.h"

#include "base/base_file.h"
#include "lab/lab_args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORDS_MAX  4096
#define RECORDS_PATH 4096

typedef struct RecordsOptions {
    const char *folder, *trainee, *lesson, *export, *erase;
    bool help;
} RecordsOptions;

static bool wanted(const RecordsOptions* o, const RecordHead* head)
{
    const char* trainee = o->erase ? o->erase : o->trainee;
    return (!trainee || strcmp(trainee, head->trainee) == 0) &&
           (!o->lesson || strcmp(o->lesson, head->scenario.name) == 0);
}

static int find(const RecordsOptions* o, AppRun* list)
{
    int count = 0, all = app_shelf_list(o->folder, list, RECORDS_MAX);
    for (int k = 0; k < all; ++k)
        if (wanted(o, &list[k].info.head))
            list[count++] = list[k];
    return count;
}

// The first run of this lesson by this trainee before it, to tell the change.
static const AppRun* before(const AppRun* list, int k)
{
    for (int n = k - 1; n >= 0; --n)
        if (list[n].total >= 0.0 &&
            strcmp(list[n].info.head.trainee, list[k].info.head.trainee) == 0 &&
            strcmp(list[n].info.head.scenario.name, list[k].info.head.scenario.name) == 0)
            return &list[n];
    return NULL;
}

static void print_list(const AppRun* list, int count)
{
    printf("%-16s  %-14s  %-18s %6s  %6s  %-10s  %s\n", "date (UTC)", "trainee", "lesson", "length",
           "points", "trend", "file");
    for (int k = 0; k < count; ++k) {
        const AppRun* e = &list[k];
        const RecordHead* h = &e->info.head;
        const AppRun* last = before(list, k);
        char day[24], points[16] = "-", change[16] = "";
        app_shelf_day(e->info.head.started, day);
        if (e->total >= 0.0)
            snprintf(points, sizeof points, "%.1f%s", e->total, e->passed ? "" : "*");
        if (last && e->total >= 0.0)
            snprintf(change, sizeof change, "%+.1f", e->total - last->total);
        uint32_t s = e->info.steps / h->rate;
        printf("%-16s  %-14.14s  %-18.18s %3u:%02u  %6s  %-10s  %s%s\n", day,
               h->trainee[0] ? h->trainee : h->driver, h->scenario.name, s / 60, s % 60, points,
               change, e->path, e->info.complete && !e->broken ? "" : "  (broken off)");
    }
    printf("%d recordings; * not passed\n", count);
}

// CSV for elsewhere: texts in quotes, quotes doubled.
static void csv_text(FILE* file, const char* text)
{
    fputc('"', file);
    for (const char* c = text; *c; ++c)
        fputs(*c == '"' ? "\"\"" : (char[2]){*c, 0}, file);
    fputs("\",", file);
}

static int export_csv(const AppRun* list, int count, const char* path)
{
    char* text = NULL;
    size_t bytes = 0;
    FILE* file = open_memstream(&text, &bytes);
    if (!file)
        return LAB_EXIT_MEMORY;
    fprintf(file, "date,trainee,lesson,seconds,points,passed,hash,file\n");
    for (int k = 0; k < count; ++k) {
        char day[24];
        const AppRun* e = &list[k];
        app_shelf_day(e->info.head.started, day);
        csv_text(file, day), csv_text(file, e->info.head.trainee);
        csv_text(file, e->info.head.scenario.name);
        fprintf(file, "%u,", e->info.steps / e->info.head.rate);
        if (e->total >= 0.0)
            fprintf(file, "%.1f,%d,", e->total, e->passed);
        else
            fprintf(file, ",,");
        fprintf(file, "%016llx,", (unsigned long long)e->info.hash);
        csv_text(file, e->path);
        fputc('\n', file);
    }
    bool whole = !ferror(file);
    whole = fclose(file) == 0 && whole;
    bool fine = whole && base_file_replace(path, text, bytes);
    free(text);
    if (!whole)
        return LAB_EXIT_MEMORY;
    if (!fine)
        fprintf(stderr, "%s: cannot be written; is the folder there, and the disk not full?\n",
                path);
    return fine ? LAB_EXIT_FINE : LAB_EXIT_FILE;
}

static bool erase_file(const char* path)
{
    if (unlink(path) == 0 || errno == ENOENT)
        return true;
    fprintf(stderr, "%s: cannot be erased: %s\n", path, strerror(errno));
    return false;
}

// Reports have the name in them as well: they go with their recording.
static bool erase_run(const char* path)
{
    char stem[APP_SHELF_PATH], paper[2 * APP_SHELF_PATH];
    const char* slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    app_shelf_stem(path, stem, sizeof stem);
    bool fine = true, reported = strstr(path + folder, ".mrec") != NULL;
    for (int k = 0; reported && app_papers_ends[k]; ++k) {
        snprintf(paper, sizeof paper, "%.*s%s%s", folder, path, stem, app_papers_ends[k]);
        fine = erase_file(paper) && fine;
    }
    return erase_file(path) && fine;
}

static int erase(const AppRun* list, int count)
{
    int gone = 0;
    for (int k = 0; k < count; ++k)
        gone += erase_run(list[k].path);
    printf("%d recordings erased, with their reports\n", gone);
    return gone == count ? LAB_EXIT_FINE : LAB_EXIT_FILE;
}

int app_records(int argc, char** argv)
{
    static char folder[RECORDS_PATH];
    RecordsOptions o = {0};
    const LabArg args[] = {
        {"--folder", LAB_ARG_TEXT, &o.folder, .help = "another one than the trainer's own",
         .what = "FOLDER"},
        {"--trainee", LAB_ARG_TEXT, &o.trainee, .help = "only this pseudonym's", .what = "NAME"},
        {"--lesson", LAB_ARG_TEXT, &o.lesson, .help = "only of this lesson", .what = "NAME"},
        {"--export", LAB_ARG_TEXT, &o.export, .help = "the list as CSV goes here"},
        {"--erase", LAB_ARG_TEXT, &o.erase,
         .help = "all recordings and reports of this pseudonym, for good", .what = "NAME"},
        {"--help", LAB_ARG_FLAG, &o.help, .help = "this text"},
        {0},
    };
    if (!lab_args_parse(args, argc - 1, argv + 1))
        return LAB_EXIT_USAGE;
    if (o.help) {
        printf("usage: mattock records [OPTIONS]\n\nLists the recordings that are kept here.\n\n");
        lab_args_help(args);
        return LAB_EXIT_FINE;
    }
    if (!o.folder && !app_folder_data("records", folder, sizeof folder)) {
        fprintf(stderr, "%s: cannot be made\n", folder);
        return LAB_EXIT_FILE;
    }
    o.folder = o.folder ? o.folder : folder;
    AppRun* list = calloc(RECORDS_MAX, sizeof *list);
    if (!list)
        return LAB_EXIT_MEMORY;
    int count = find(&o, list), code = LAB_EXIT_FINE;
    if (o.erase)
        code = erase(list, count);
    else if (o.export)
        code = export_csv(list, count, o.export);
    else
        print_list(list, count);
    free(list);
    return code;
}
