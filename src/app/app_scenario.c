#include "app/app_scenario.h"

#include "base/base_path.h"
#include "record/record.h"
#include "sim/sim_lesson.h"

#include <stdio.h>

bool app_check_scenario(const char* path, BaseYamlError* error)
{
    SimLessonDef def = {.name = path, .find = base_path_find, .threads = 1};
    SimLesson* lesson = sim_lesson_create(&def, error);
    if (!lesson && error->text[0] == '\0')
        snprintf(error->text, sizeof error->text, "%.300s: not enough memory to build it", path);
    bool fine = lesson != NULL;
    sim_lesson_destroy(lesson);
    return fine;
}

static void print_recording(const RecordInfo* info)
{
    uint32_t seconds = info->steps / info->head.rate;
    printf("  %s, driven by %s (%s, %s), version %s\n", info->head.scenario.name, info->head.driver,
           info->head.pattern, info->head.device, info->head.program);
    printf("  %u:%02u in %u steps, %u key frames, %u events, %llu bytes, %s\n", seconds / 60,
           seconds % 60, info->steps, info->keys, info->events, (unsigned long long)info->bytes,
           info->complete ? info->reason : "not finished");
    if (info->head.parent[0])
        printf("  taken over from %s at %u:%02u\n", info->head.parent,
               info->head.parent_step / info->head.rate / 60,
               info->head.parent_step / info->head.rate % 60);
    printf("  hash %016llx\n", (unsigned long long)info->hash);
}

bool app_check_recording(const char* path, BaseYamlError* error)
{
    RecordReader* reader = record_open(path, error);
    if (!reader)
        return false;
    const RecordInfo* info = record_info(reader);
    print_recording(info);
    bool fine = info->damage[0] == '\0';
    if (!fine) {
        *error = (BaseYamlError){0};
        snprintf(error->text, sizeof error->text, "%.160s: %s", path, info->damage);
    }
    record_close(reader);
    return fine;
}
