// What the trainer can offer: shipped sites, vehicles and lessons, and the last result of each lesson.
#include "app/app_pages_internal.h"

#include "app/app_folder.h"
#include "app/app_stage.h"
#include "base/base_file.h"
#include "base/base_log.h"
#include "base/base_path.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int by_name(const void* a, const void* b)
{
    return strcmp(((const TrainerFile*)a)->name, ((const TrainerFile*)b)->name);
}

// The line "title: ..." of a file, without reading it as a whole.
static void title_of(TrainerFile* f)
{
    char line[256];
    FILE* file = fopen(f->path, "r");
    snprintf(f->title, sizeof f->title, "%.64s", f->name);
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' && f->text[0] == '\0')
            snprintf(f->text, sizeof f->text, "%.250s", line + 1 + (line[1] == ' '));
        if (strncmp(line, "title: ", 7) == 0)
            snprintf(f->title, sizeof f->title, "%.90s", line + 7);
        if (strncmp(line, "description: ", 13) == 0)
            snprintf(f->text, sizeof f->text, "%.300s", line + 13);
    }
    if (file)
        fclose(file);
}

static int list(const char* folder, const char* probe, TrainerFile* out)
{
    char path[TRAINER_PATH];
    int count = 0;
    if (!base_path_find(probe, path, sizeof path))
        return 0;
    *strrchr(path, '/') = '\0';
    DIR* dir = opendir(path);
    for (struct dirent* e; dir && count < TRAINER_SITES && (e = readdir(dir));) {
        size_t length = strlen(e->d_name);
        if (length < 6 || length > 64 || strcmp(e->d_name + length - 5, ".yaml") != 0)
            continue;
        TrainerFile* f = &out[count++];
        *f = (TrainerFile){0};
        snprintf(f->name, sizeof f->name, "%.*s", (int)length - 5, e->d_name);
        app_stage_find(folder, f->name, path);
        snprintf(f->path, sizeof f->path, "%.500s", path);
        title_of(f);
        *strrchr(path, '/') = '\0';
    }
    if (dir)
        closedir(dir);
    qsort(out, (size_t)count, sizeof *out, by_name);
    return count;
}

// The line of the last result, as app_trainer_result() left it.
static void last_of(TrainerFile* f)
{
    char folder[TRAINER_PATH - 128], path[TRAINER_PATH];
    f->last[0] = '\0';
    if (!app_folder_data("results", folder, sizeof folder))
        return;
    snprintf(path, sizeof path, "%s/%s", folder, f->name);
    FILE* file = fopen(path, "r");
    if (file && fgets(f->last, sizeof f->last, file))
        f->last[strcspn(f->last, "\n")] = '\0';
    if (file)
        fclose(file);
}

void app_trainer_lessons(Trainer* t)
{
    t->lessons = list("config/scenarios", "config/scenarios/pit.yaml", t->lesson);
    for (int k = 0; k < t->lessons; ++k)
        last_of(&t->lesson[k]);
    // by number: "2." before "10."
    for (int i = 1; i < t->lessons; ++i)
        for (int k = i; k > 0 && atoi(t->lesson[k].title) < atoi(t->lesson[k - 1].title); --k) {
            TrainerFile swap = t->lesson[k];
            t->lesson[k] = t->lesson[k - 1], t->lesson[k - 1] = swap;
        }
}

void app_trainer_files(Trainer* t)
{
    app_trainer_lessons(t);
    t->sites = list("config/sites", "config/sites/flat.yaml", t->site);
    t->vehicles = list("vehicles", "vehicles/excavator_22t.yaml", t->vehicle);
}

int app_trainer_vehicle_now(const Trainer* t)
{
    for (int k = 0; k < t->vehicles; ++k)
        if (strcmp(t->vehicle[k].name, t->settings.vehicle) == 0)
            return k;
    return 0;
}

void app_trainer_result(Trainer* t)
{
    char folder[TRAINER_PATH - 128], path[TRAINER_PATH], name[80], text[64];
    const char* slash = strrchr(t->lesson_now, '/');
    snprintf(name, sizeof name, "%.70s", slash ? slash + 1 : t->lesson_now);
    name[strcspn(name, ".")] = '\0';
    int n = snprintf(text, sizeof text, "%.0f points\n", t->news.score);
    if (t->news.score >= 0.0 && app_folder_data("results", folder, sizeof folder)) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (!base_file_replace(path, text, (size_t)n))
            base_warn("%s cannot be written; the points stand in the record", path);
    }
    app_trainer_lessons(t);
}
