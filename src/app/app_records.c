// `mattock records`: whose lessons are kept here; a list, a trend, a copy for elsewhere, and erasing.
#include "app/app.h"
#include "app/app_folder.h"
#include "app/app_papers.h"
#include "app/app_shelf.h"

#include "base/base_file.h"
#include "base/base_text.h"
#include "lab/lab_args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORDS_MAX  4096
#define RECORDS_PATH 4096

typedef struct RecordsOptions {
    const char *folder, *trainee, *lesson, *export, *erase;
    bool help;
} RecordsOptions;

// As the list shows it: without a trainee, who drove.
static const char* name_of(const RecordHead* head)
{
    return head->trainee[0] ? head->trainee : head->driver;
}

static const char* lesson_of(const RecordHead* head)
{
    return head->scenario.name;
}

static bool wanted(const RecordsOptions* o, const RecordHead* head)
{
    return (!o->erase || strcmp(o->erase, head->trainee) == 0) &&
           (!o->trainee || strcmp(o->trainee, name_of(head)) == 0) &&
           (!o->lesson || strcmp(o->lesson, lesson_of(head)) == 0);
}

// Those that are wanted come first, in their order; `*all`: how many there are.
static int find(const RecordsOptions* o, AppRun* list, int* all)
{
    int count = 0;
    *all = app_shelf_list(o->folder, list, RECORDS_MAX);
    if (*all == RECORDS_MAX)
        fprintf(stderr, "only the newest %d recordings are looked at\n", RECORDS_MAX);
    for (int k = 0; k < *all; ++k) {
        if (!wanted(o, &list[k].info.head))
            continue;
        AppRun other = list[count];
        list[count++] = list[k];
        list[k] = other;
    }
    return count;
}

// Names of which there are recordings, each once; returns how many.
static int names(const AppRun* list, int all, const char* (*of)(const RecordHead*),
                 const char* out[RECORDS_MAX + 1])
{
    int count = 0;
    for (int k = 0; k < all; ++k) {
        bool known = false;
        for (int n = 0; n < count; ++n)
            known = known || strcmp(out[n], of(&list[k].info.head)) == 0;
        if (!known)
            out[count++] = of(&list[k].info.head);
    }
    out[count] = NULL;
    return count;
}

// Of this name there is nothing: which there are.
static void tell_names(const char* what, const char* name, const AppRun* list, int all,
                       const char* (*of)(const RecordHead*))
{
    static const char* have[RECORDS_MAX + 1];
    int count = names(list, all, of, have);
    const char* near = base_text_nearest(name, have);
    fprintf(stderr, "no recording of the %s %s is kept here", what, name);
    if (near && strcmp(near, name) != 0)
        fprintf(stderr, "; did you mean %s?", near);
    else
        fprintf(stderr, count > 0 ? "." : ", nor any other.");
    fprintf(stderr, count > 0 ? " There are:" : "");
    for (int k = 0; k < count && k < 12; ++k)
        fprintf(stderr, " %s", have[k]);
    fprintf(stderr, count > 12 ? " and %d more\n" : "\n", count - 12);
}

static void tell_nothing(const RecordsOptions* o, const AppRun* list, int all)
{
    static const char* have[RECORDS_MAX + 1];
    const char* trainee = o->erase ? o->erase : o->trainee;
    bool person = !trainee;
    names(list, all, name_of, have);
    for (int k = 0; trainee && have[k]; ++k)
        person = person || strcmp(have[k], trainee) == 0;
    if (!person)
        tell_names("trainee", trainee, list, all, name_of);
    else if (o->lesson)
        tell_names("lesson", o->lesson, list, all, lesson_of);
}

// The first run of this lesson by this trainee before it, to tell the change.
static const AppRun* before(const AppRun* list, int k)
{
    for (int n = k - 1; n >= 0; --n)
        if (list[n].total >= 0.0 &&
            strcmp(name_of(&list[n].info.head), name_of(&list[k].info.head)) == 0 &&
            strcmp(lesson_of(&list[n].info.head), lesson_of(&list[k].info.head)) == 0)
            return &list[n];
    return NULL;
}

static void print_list(const AppRun* list, int count)
{
    printf("%-16s  %-14s  %-18s %6s  %6s  %-6s  %s\n", "date", "trainee", "lesson", "length",
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
        printf("%-16s  %-14.14s  %-18.18s %3u:%02u  %6s  %-6s  %s%s\n", day, name_of(h),
               lesson_of(h), s / 60, s % 60, points, change, e->path,
               e->info.complete && !e->broken ? "" : "  (broken off)");
    }
    printf("%d recording%s; * not passed; trend: against the run before\n", count,
           count == 1 ? "" : "s");
}

// CSV for elsewhere: texts in quotes, quotes doubled.
static void csv_text(FILE* file, const char* text, const char* end)
{
    fputc('"', file);
    for (const char* c = text; *c; ++c)
        fputs(*c == '"' ? "\"\"" : (char[2]){*c, 0}, file);
    fprintf(file, "\"%s", end);
}

static void csv_run(FILE* file, const AppRun* e)
{
    char day[24];
    app_shelf_day(e->info.head.started, day);
    csv_text(file, day, ","), csv_text(file, name_of(&e->info.head), ",");
    csv_text(file, lesson_of(&e->info.head), ",");
    fprintf(file, "%u,", e->info.steps / e->info.head.rate);
    if (e->total >= 0.0)
        fprintf(file, "%.1f,%d,", e->total, e->passed);
    else
        fprintf(file, ",,");
    for (int p = 0; p < SCORE_PILLARS; ++p)
        if (e->pillar[p] >= 0.0)
            fprintf(file, "%.1f,", e->pillar[p]);
        else
            fputc(',', file);
    fprintf(file, "%016llx,", (unsigned long long)e->info.hash);
    csv_text(file, e->path, "\n");
}

// Whole, or not at all: an older list stays.
static int export_csv(const AppRun* list, int count, const char* path)
{
    char* text = NULL;
    size_t bytes = 0;
    FILE* file = open_memstream(&text, &bytes);
    if (file)
        fprintf(file,
                "date,trainee,lesson,seconds,points,passed,safety,quality,economy,hash,file\n");
    for (int k = 0; file && k < count; ++k)
        csv_run(file, &list[k]);
    if (!file || fclose(file) != 0) {
        free(text);
        return LAB_EXIT_MEMORY;
    }
    bool fine = base_file_replace(path, text, bytes);
    if (fine)
        printf("%d recording%s listed in %s\n", count, count == 1 ? "" : "s", path);
    else
        fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
    free(text);
    return fine ? LAB_EXIT_FINE : LAB_EXIT_FILE;
}

// --- erasing -------------------------------------------------------------------------------------

// What was written beside it at the end of the lesson, the name of its trainee in it; `*gone` more files. False,
// told, when one stays.
static bool erase_papers(const char* recording, int* gone)
{
    char stem[APP_SHELF_PATH], path[2 * APP_SHELF_PATH];
    const char* slash = strrchr(recording, '/');
    int folder = slash ? (int)(slash + 1 - recording) : 0;
    app_shelf_stem(recording, stem, sizeof stem);
    bool reported = strstr(recording + folder, ".mrec") != NULL, fine = true;
    for (int k = 0; reported && app_papers_ends[k]; ++k) {
        snprintf(path, sizeof path, "%.*s%s%s", folder, recording, stem, app_papers_ends[k]);
        if (unlink(path) == 0) {
            ++*gone;
        } else if (errno != ENOENT) {
            fprintf(stderr, "%s: cannot be erased: %s\n", path, strerror(errno));
            fine = false;
        }
    }
    return fine;
}

// Asked only of people: a slip of the pen costs a year of records.
static bool agreed(const RecordsOptions* o, int count)
{
    char answer[16] = "";
    if (!isatty(STDIN_FILENO))
        return true;
    printf("Erase %d recording%s of %s and the reports beside, for good? Type yes: ", count,
           count == 1 ? "" : "s", o->erase);
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && strcmp(answer, "yes\n") == 0;
}

static int erase(const RecordsOptions* o, const AppRun* list, int count)
{
    int gone = 0, papers = 0;
    bool fine = true;
    char own[RECORDS_PATH + 80];
    if (!agreed(o, count)) {
        printf("nothing was erased\n");
        return LAB_EXIT_FINE;
    }
    for (int k = 0; k < count; ++k) {
        fine = erase_papers(list[k].path, &papers) && fine;
        if (unlink(list[k].path) == 0)
            ++gone;
        else
            fprintf(stderr, "%s: cannot be erased: %s\n", list[k].path, strerror(errno));
    }
    snprintf(own, sizeof own, "%s/%s", o->folder, o->erase);
    rmdir(own); // when nothing is left in it
    printf(
        "%d recording%s and %d files of reports erased; what was exported, or written elsewhere by "
        "mattock report, is not\n",
        gone, gone == 1 ? "" : "s", papers);
    return fine && gone == count ? LAB_EXIT_FINE : LAB_EXIT_FILE;
}

// --- the command ---------------------------------------------------------------------------------

static bool sensible(const RecordsOptions* o)
{
    struct stat status;
    if (o->erase && (o->export || o->trainee)) {
        fprintf(stderr, "--erase names whose recordings go; it does not go together with --%s\n",
                o->export ? "export" : "trainee");
        return false;
    }
    if (o->erase && !app_shelf_is_name(o->erase)) {
        fprintf(
            stderr,
            "--erase: \"%s\" is no pseudonym; allowed are a to z, 0 to 9, _ and -, at most 60\n",
            o->erase);
        return false;
    }
    if (stat(o->folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
        fprintf(stderr, "--folder: %s is no folder\n", o->folder);
        return false;
    }
    return true;
}

static int work(const RecordsOptions* o)
{
    AppRun* list = calloc(RECORDS_MAX, sizeof *list);
    if (!list)
        return LAB_EXIT_MEMORY;
    int all = 0, count = find(o, list, &all), code = LAB_EXIT_FINE;
    if (count == 0 && (o->erase || o->trainee || o->lesson)) {
        tell_nothing(o, list, all);
        code = LAB_EXIT_FAILED;
    } else if (o->erase)
        code = erase(o, list, count);
    else if (o->export)
        code = export_csv(list, count, o->export);
    else
        print_list(list, count);
    free(list);
    return code;
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
         .help = "this pseudonym's recordings and reports, for good", .what = "NAME"},
        {"--help", LAB_ARG_FLAG, &o.help, .help = "this text"},
        {0},
    };
    if (!lab_args_parse(args, argc - 1, argv + 1))
        return LAB_EXIT_USAGE;
    if (o.help) {
        printf("usage: mattock records [OPTIONS]\n\nLists the recordings that are kept here.\n\n");
        lab_args_help(args);
        printf("\nExit code 0: fine, 1: there is no such recording, 2: wrong usage, 4: out of "
               "memory,\n"
               "5: a file cannot be written or erased.\n");
        return LAB_EXIT_FINE;
    }
    if (!o.folder && !app_folder_data("records", folder, sizeof folder)) {
        fprintf(stderr, "%s: cannot be made\n", folder);
        return LAB_EXIT_FILE;
    }
    o.folder = o.folder ? o.folder : folder;
    return sensible(&o) ? work(&o) : LAB_EXIT_USAGE;
}
