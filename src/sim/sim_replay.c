#include "sim/sim_replay.h"

#include "base/base_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct SimReplay {
    SimLesson* lesson;
    RecordReader* reader;
    RecordSnapshot snapshot;
    RecordDifference difference;
    uint32_t step; // done
    bool snapped;  // snapshot is ready
};

static bool replay_same(const char* path, const char* what, const RecordFile* was,
                        const RecordFile* is, BaseYamlError* error)
{
    if (was->hash == is->hash) {
        return true;
    }
    snprintf(error->text, sizeof error->text,
             "%.160s: was recorded with %s %.90s of hash %016llx, but here %.90s has %016llx", path,
             what, was->name, (unsigned long long)was->hash, is->name,
             (unsigned long long)is->hash);
    return false;
}

static bool replay_fits(const SimReplayDef* def, const RecordInfo* info, const SimLesson* lesson,
                        BaseYamlError* error)
{
    RecordHead now;
    SimLessonWho nobody = {0};
    sim_lesson_head(lesson, &nobody, &now);
    const RecordHead* was = &info->head;
    if (strcmp(was->program, now.program) != 0) {
        snprintf(error->text, sizeof error->text,
                 "%.160s: was recorded by version %s, this is %s; another version simulates "
                 "differently",
                 def->path, was->program, now.program);
        return false;
    }
    bool own = was->site.hash == was->scenario.hash; // its site is written into the lesson
    return (def->edited ||
            replay_same(def->path, "the lesson", &was->scenario, &now.scenario, error)) &&
           ((own && def->edited) ||
            replay_same(def->path, "the site", &was->site, &now.site, error)) &&
           replay_same(def->path, "the vehicle", &was->vehicle, &now.vehicle, error) &&
           replay_same(def->path, "the soils", &was->materials, &now.materials, error);
}

static bool replay_is_lesson(const char* path, const RecordHead* head, BaseYamlError* error)
{
    if (head->rate == WORLD_RATE && head->input_bytes == sizeof(InputFrame) &&
        head->module_count == SIM_LESSON_MODULES &&
        strcmp(head->module[SIM_LESSON_MODULES - 1], "lesson") == 0) {
        return true;
    }
    snprintf(
        error->text, sizeof error->text,
        "%.300s: is no recording of a lesson; replay needs one of `mattock run LESSON --record`",
        path);
    return false;
}

SimReplay* sim_replay_open(const SimReplayDef* def, BaseYamlError* error)
{
    *error = (BaseYamlError){0};
    SimReplay* r = calloc(1, sizeof *r);
    if (!r) {
        return NULL;
    }
    r->reader = record_open(def->path, error);
    if (!r->reader || !replay_is_lesson(def->path, &record_info(r->reader)->head, error)) {
        sim_replay_close(r);
        return NULL;
    }
    const RecordInfo* info = record_info(r->reader);
    SimLessonDef lesson = {info->head.scenario.name, def->find, def->threads};
    r->lesson = sim_lesson_create(&lesson, error);
    if (!r->lesson || !replay_fits(def, info, r->lesson, error)) {
        sim_replay_close(r);
        return NULL;
    }
    return r;
}

void sim_replay_close(SimReplay* r)
{
    if (!r) {
        return;
    }
    if (r->snapped) {
        record_snapshot_free(&r->snapshot);
    }
    sim_lesson_destroy(r->lesson);
    if (r->reader) {
        record_close(r->reader);
    }
    free(r);
}

RecordReader* sim_replay_reader(SimReplay* r)
{
    return r->reader;
}

SimLesson* sim_replay_lesson(SimReplay* r)
{
    return r->lesson;
}

const RecordDifference* sim_replay_difference(const SimReplay* r)
{
    return &r->difference;
}

static void replay_compare(SimReplay* r)
{
    uint32_t second = r->step / WORLD_RATE - 1;
    uint64_t hashes[SIM_LESSON_MODULES + 1];
    if (r->difference.kind != RECORD_SAME || !record_hashes(r->reader, second)) {
        return;
    }
    sim_lesson_hashes(r->lesson, hashes);
    r->difference = record_verify_second(r->reader, second, hashes);
}

bool sim_replay_step(SimReplay* r)
{
    InputFrame frame;
    if (!record_input(r->reader, r->step, &frame)) {
        return false;
    }
    sim_lesson_step(r->lesson, &frame);
    if (++r->step % WORLD_RATE == 0) {
        replay_compare(r);
    }
    return true;
}

// To the key frame before `step`, when that saves steps; `from_base`: to the very beginning.
static bool replay_jump(SimReplay* r, uint32_t step, bool from_base)
{
    int key = from_base ? -1 : record_key_before(r->reader, step);
    uint32_t at = key >= 0 ? record_key_step(r->reader, key) : 0;
    if (!from_base && step >= r->step && at <= r->step) {
        return true; // nearer from here
    }
    if (r->snapped && r->snapshot.key > key) {
        record_snapshot_free(&r->snapshot);
        r->snapped = false;
    }
    if (!r->snapped) {
        RecordSection base[SIM_LESSON_SECTIONS];
        sim_lesson_base(r->lesson, base);
        r->snapped = record_snapshot_init(&r->snapshot, base, SIM_LESSON_SECTIONS);
    }
    if (!r->snapped || (key >= 0 && !record_restore(r->reader, key, &r->snapshot)) ||
        !sim_lesson_load(r->lesson, &r->snapshot)) {
        return false;
    }
    r->step = at;
    return true;
}

bool sim_replay_seek(SimReplay* r, uint32_t step, BaseYamlError* error)
{
    *error = (BaseYamlError){0};
    const RecordInfo* info = record_info(r->reader);
    if (step > info->steps) {
        snprintf(error->text, sizeof error->text, "the recording ends at %u:%02u",
                 info->steps / WORLD_RATE / 60, info->steps / WORLD_RATE % 60);
        return false;
    }
    bool proved = r->difference.kind == RECORD_SAME;
    // a state out of a key frame that does not go on as recorded is worth nothing: from the beginning then
    for (int attempt = 0; attempt < 2; ++attempt) {
        if (!replay_jump(r, step, attempt == 1)) {
            snprintf(error->text, sizeof error->text,
                     "the recording's key frames do not fit this lesson, or memory is short");
            return false;
        }
        while (r->step < step && sim_replay_step(r)) {
        }
        if (!proved || r->difference.kind == RECORD_SAME) {
            break;
        }
        if (attempt == 0) {
            r->difference = (RecordDifference){.kind = RECORD_SAME};
        }
    }
    return r->step == step;
}

SimLesson* sim_replay_leave(SimReplay* r)
{
    SimLesson* lesson = r->lesson;
    r->lesson = NULL;
    return lesson;
}
