#include "app/app_shelf.h"

#include "app/app_folder.h"
#include "sim/sim_lesson.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SHELF_FILES  8192 // that are looked at
#define SHELF_BROKEN 32

typedef struct ShelfFile {
    char path[APP_SHELF_PATH];
    int64_t changed; // s
} ShelfFile;

typedef struct Shelf {
    ShelfFile* file; // [SHELF_FILES]
    int count;
} Shelf;

// --- looking -------------------------------------------------------------------------------------

static bool ends_with(const char* name, const char* end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

// Recordings here, and, one folder down, those of each trainee.
static void walk(Shelf* shelf, const char* folder, int depth)
{
    DIR* dir = opendir(folder);
    for (struct dirent* e; dir && shelf->count < SHELF_FILES && (e = readdir(dir)) != NULL;) {
        struct stat status;
        ShelfFile* f = &shelf->file[shelf->count];
        if (e->d_name[0] == '.' || ends_with(e->d_name, ".part") ||
            snprintf(f->path, sizeof f->path, "%s/%s", folder, e->d_name) >= (int)sizeof f->path ||
            stat(f->path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode) && depth > 0) {
            char below[APP_SHELF_PATH];
            memcpy(below, f->path, sizeof below);
            walk(shelf, below, depth - 1);
        } else if (S_ISREG(status.st_mode) && record_recognise(f->path)) {
            f->changed = (int64_t)status.st_mtime;
            shelf->count++;
        }
    }
    if (dir)
        closedir(dir);
}

static int newest_first(const void* a, const void* b)
{
    const ShelfFile *x = a, *y = b;
    return x->changed != y->changed ? (x->changed < y->changed) - (x->changed > y->changed)
                                    : strcmp(y->path, x->path);
}

// What the lesson claimed at its end.
static void read_result(RecordReader* reader, AppRun* out)
{
    const RecordEvent* event;
    out->total = -1.0;
    for (int k = 0; k < SCORE_PILLARS; ++k)
        out->pillar[k] = -1.0;
    for (uint32_t s = out->info.seconds; s-- > 0 && out->info.seconds - s < 4;) {
        int count = record_events(reader, s, &event);
        for (int k = 0; k < count; ++k) {
            const RecordEvent* e = &event[k];
            if (e->kind == SIM_EVENT_RESULT)
                out->total = e->value[0], out->passed = e->value[1] > 0.5;
            if (e->kind == SIM_EVENT_PILLARS) {
                out->pillar[SCORE_SAFETY] = e->value[0];
                out->pillar[SCORE_QUALITY] = e->value[1];
                out->pillar[SCORE_ECONOMY] = strtod(e->text, NULL);
            }
        }
    }
}

static bool read_run(const char* path, AppRun* out)
{
    BaseYamlError error;
    RecordReader* reader = record_open(path, &error);
    if (!reader)
        return false;
    *out = (AppRun){.info = *record_info(reader)};
    snprintf(out->path, sizeof out->path, "%s", path);
    read_result(reader, out);
    record_close(reader);
    return true;
}

static int by_date(const void* a, const void* b)
{
    const AppRun *x = a, *y = b;
    int64_t d = x->info.head.started - y->info.head.started;
    return d != 0 ? (d > 0) - (d < 0) : strcmp(x->path, y->path);
}

// --- those that broke off ------------------------------------------------------------------------

static int broken_in(const char* folder, AppRun* out, int max)
{
    static RecordFound found[SHELF_BROKEN];
    int count = 0, all = record_interrupted(folder, found, SHELF_BROKEN);
    for (int k = 0; k < all && count < max; ++k) {
        if (found[k].info.steps < found[k].info.head.rate)
            continue;
        out[count] = (AppRun){.info = found[k].info, .total = -1.0, .broken = true};
        memcpy(out[count].path, found[k].path, sizeof found[k].path);
        count++;
    }
    return count;
}

static int broken_all(const char* folder, AppRun* out, int max)
{
    int count = broken_in(folder, out, max);
    DIR* dir = opendir(folder);
    for (struct dirent* e; dir && count < max && (e = readdir(dir)) != NULL;) {
        char below[APP_SHELF_PATH];
        if (app_shelf_is_name(e->d_name) &&
            snprintf(below, sizeof below, "%s/%s", folder, e->d_name) < (int)sizeof below)
            count += broken_in(below, out + count, max - count);
    }
    if (dir)
        closedir(dir);
    return count;
}

bool app_shelf_broken(const char* folder, AppRun* out)
{
    static AppRun list[SHELF_BROKEN];
    int count = broken_all(folder, list, SHELF_BROKEN);
    qsort(list, (size_t)count, sizeof *list, by_date);
    if (count > 0)
        *out = list[count - 1];
    return count > 0;
}

// --- lists ---------------------------------------------------------------------------------------

int app_shelf_list(const char* folder, AppRun* out, int max)
{
    Shelf shelf = {.file = calloc(SHELF_FILES, sizeof *shelf.file)};
    if (!shelf.file)
        return 0;
    walk(&shelf, folder, 1);
    qsort(shelf.file, (size_t)shelf.count, sizeof *shelf.file, newest_first);
    int count = broken_all(folder, out, max < SHELF_BROKEN ? max : SHELF_BROKEN);
    for (int k = 0; k < shelf.count && count < max; ++k)
        count += read_run(shelf.file[k].path, &out[count]);
    free(shelf.file);
    qsort(out, (size_t)count, sizeof *out, by_date);
    return count;
}

// Whether two paths are one file, however they are written.
static bool same_file(const char* a, const char* b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int app_shelf_past(const char* folder, const RecordHead* head, const char* except,
                   ReportPast out[REPORT_PAST_MAX])
{
    enum { MOST = 256 };
    AppRun* list = calloc(MOST, sizeof *list);
    int all = list ? app_shelf_list(folder, list, MOST) : 0, count = 0;
    // the last ones, then the oldest of them first
    for (int k = all - 1; k >= 0 && count < REPORT_PAST_MAX; --k) {
        const AppRun* r = &list[k];
        const RecordHead* h = &r->info.head;
        bool same = r->total >= 0.0 && h->started <= head->started &&
                    strcmp(h->trainee, head->trainee) == 0 &&
                    // without a name, the operator's runs are not a person's
                    (h->trainee[0] || strcmp(h->driver, head->driver) == 0) &&
                    strcmp(h->scenario.name, head->scenario.name) == 0 &&
                    !(except && same_file(r->path, except));
        if (!same)
            continue;
        ReportPast* p = &out[count++];
        *p = (ReportPast){.total = r->total, .passed = r->passed};
        memcpy(p->pillar, r->pillar, sizeof p->pillar);
        app_shelf_day(h->started, p->date);
    }
    for (int k = 0; k < count / 2; ++k) {
        ReportPast swap = out[k];
        out[k] = out[count - 1 - k], out[count - 1 - k] = swap;
    }
    free(list);
    return count;
}

// --- names ---------------------------------------------------------------------------------------

bool app_shelf_is_name(const char* trainee)
{
    size_t length = strlen(trainee);
    return length >= 1 && length <= 60 &&
           strspn(trainee, "abcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

bool app_shelf_name(const char* folder, const char* trainee, const char* what,
                    char path[APP_SHELF_PATH])
{
    char below[APP_SHELF_PATH], stamp[32], part[APP_SHELF_PATH + 8];
    const char* slash = strrchr(what, '/');
    what = slash ? slash + 1 : what;
    int stem = (int)strcspn(what, ".");
    time_t now = time(NULL);
    struct tm tm;
    bool named = trainee && trainee[0] && app_shelf_is_name(trainee);
    snprintf(below, sizeof below, "%.900s%s%s", folder, named ? "/" : "", named ? trainee : "");
    if (!app_folder_make(below) || !localtime_r(&now, &tm))
        return false;
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm);
    for (int n = 1; n < 100; ++n) {
        char again[8] = "";
        if (n > 1)
            snprintf(again, sizeof again, "-%d", n);
        snprintf(path, APP_SHELF_PATH, "%.960s/%s-%.*s%s.mrec", below, stamp, stem < 40 ? stem : 40,
                 what, again);
        if (access(path, F_OK) == 0)
            continue;
        // two programs that look at once both see a free name: whoever makes the file has it
        snprintf(part, sizeof part, "%s.part", path);
        int file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0)
            return close(file) == 0;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

void app_shelf_unname(const char* path)
{
    char part[APP_SHELF_PATH + 8];
    struct stat status;
    snprintf(part, sizeof part, "%.1020s.part", path);
    if (lstat(part, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0)
        unlink(part);
}

void app_shelf_stem(const char* path, char* out, size_t size)
{
    const char* slash = strrchr(path, '/');
    const char* base = slash ? slash + 1 : path;
    const char* end = strstr(base, ".mrec");
    end = end && end > base ? end : base + strlen(base);
    snprintf(out, size, "%.*s", (int)(end - base), base);
}

void app_shelf_day(int64_t started, char out[24])
{
    time_t then = (time_t)started;
    struct tm day;
    snprintf(out, 24, "unknown");
    if (started > 0 && localtime_r(&then, &day))
        strftime(out, 24, "%Y-%m-%d %H:%M", &day);
}
