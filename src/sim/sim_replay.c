#include "sim/sim_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct SimReplay {
    SimLesson* lesson; // one of these two
    Sim* sim;
    SimSetup setup; // of the latter
    RecordReader* reader;
    RecordSnapshot snapshot;
    RecordDifference difference;
    uint8_t* proved; // [seconds] as sim_replay_proved() tells
    uint32_t step;   // done
    bool snapped;    // snapshot is ready
    bool whole;      // this second was simulated from its beginning
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

static bool replay_version(const char* path, const RecordHead* was, BaseYamlError* error)
{
    if (strcmp(was->program, MATTOCK_VERSION) == 0) {
        return true;
    }
    snprintf(
        error->text, sizeof error->text,
        "%.160s: was recorded by version %s, this is %s; another version simulates differently",
        path, was->program, MATTOCK_VERSION);
    return false;
}

static bool replay_fits(const SimReplayDef* def, const RecordHead* was, const RecordHead* now,
                        BaseYamlError* error)
{
    bool own = was->site.hash == was->scenario.hash; // its site is written into the lesson
    return (def->edited ||
            replay_same(def->path, "the lesson", &was->scenario, &now->scenario, error)) &&
           ((own && def->edited) ||
            replay_same(def->path, "the site", &was->site, &now->site, error)) &&
           replay_same(def->path, "the vehicle", &was->vehicle, &now->vehicle, error) &&
           replay_same(def->path, "the soils", &was->materials, &now->materials, error);
}

static bool replay_is_lesson(const RecordHead* head)
{
    return head->rate == WORLD_RATE && head->input_bytes == sizeof(InputFrame) &&
           head->module_count == SIM_LESSON_MODULES &&
           strcmp(head->module[SIM_LESSON_MODULES - 1], "lesson") == 0;
}

static bool replay_open_lesson(SimReplay* r, const SimReplayDef* def, BaseYamlError* error)
{
    const RecordHead* was = &record_info(r->reader)->head;
    const SimLessonDef lesson = {was->scenario.name, def->find, def->threads};
    const SimLessonWho nobody = {0};
    RecordHead now;
    r->lesson = sim_lesson_create(&lesson, error);
    if (!r->lesson) {
        return false;
    }
    sim_lesson_head(r->lesson, &nobody, &now);
    return replay_fits(def, was, &now, error);
}

static bool replay_open_site(SimReplay* r, const SimReplayDef* def, BaseYamlError* error)
{
    const RecordHead* was = &record_info(r->reader)->head;
    const SimLessonWho nobody = {0};
    RecordHead now;
    if (!sim_record_setup(r->reader, def->find, &r->setup, error)) {
        return false;
    }
    r->setup.def.threads = def->threads;
    r->sim = sim_create(&r->setup.def, error);
    if (!r->sim || !sim_record_keep(r->sim)) {
        return false;
    }
    sim_record_head(r->sim, &nobody, &now);
    return replay_fits(def, was, &now, error);
}

static bool replay_open(SimReplay* r, const SimReplayDef* def, BaseYamlError* error)
{
    r->reader = record_open(def->path, error);
    if (!r->reader) {
        return false;
    }
    const RecordInfo* info = record_info(r->reader);
    bool site = sim_record_is_site(&info->head);
    if (!site && !replay_is_lesson(&info->head)) {
        snprintf(error->text, sizeof error->text,
                 "%.300s: is no recording of a lesson or of free digging; replay needs one of "
                 "`mattock run LESSON --record` or of the trainer",
                 def->path);
        return false;
    }
    r->whole = true;
    r->proved = calloc(info->seconds + 1, 1);
    return r->proved && replay_version(def->path, &info->head, error) &&
           (site ? replay_open_site(r, def, error) : replay_open_lesson(r, def, error));
}

SimReplay* sim_replay_open(const SimReplayDef* def, BaseYamlError* error)
{
    *error = (BaseYamlError){0};
    SimReplay* r = calloc(1, sizeof *r);
    if (r && replay_open(r, def, error)) {
        return r;
    }
    sim_replay_close(r);
    return NULL;
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
    if (r->sim) {
        sim_destroy(r->sim);
    }
    record_close(r->reader);
    free(r->proved);
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

Sim* sim_replay_site(SimReplay* r)
{
    return r->sim;
}

World* sim_replay_world(SimReplay* r)
{
    return r->sim ? sim_world(r->sim) : sim_lesson_world(r->lesson);
}

uint32_t sim_replay_steps(const SimReplay* r)
{
    return r->step;
}

const RecordDifference* sim_replay_difference(const SimReplay* r)
{
    return &r->difference;
}

int sim_replay_proved(const SimReplay* r, uint32_t second)
{
    return second < record_info(r->reader)->seconds ? r->proved[second] : 0;
}

int sim_replay_hashes(const SimReplay* r, uint64_t out[SIM_LESSON_MODULES + 1])
{
    if (r->sim) {
        sim_record_hashes(r->sim, out);
        return SIM_MODULES;
    }
    sim_lesson_hashes(r->lesson, out);
    return SIM_LESSON_MODULES;
}

// --- going on ------------------------------------------------------------------------------------

static void replay_compare(SimReplay* r)
{
    uint32_t second = r->step / WORLD_RATE - 1;
    uint64_t hashes[SIM_LESSON_MODULES + 1];
    bool whole = r->whole;
    r->whole = true;
    if (!whole || !record_hashes(r->reader, second)) {
        return;
    }
    sim_replay_hashes(r, hashes);
    RecordDifference d = record_verify_second(r->reader, second, hashes);
    r->proved[second] = d.kind == RECORD_SAME ? 1 : 2;
    // once it went wrong, what follows from it proves nothing new
    bool first = r->difference.kind == RECORD_SAME || second < r->difference.second;
    if (d.kind != RECORD_SAME && first) {
        r->difference = d;
    }
}

bool sim_replay_step(SimReplay* r)
{
    InputFrame frame;
    if (!record_input(r->reader, r->step, &frame)) {
        return false;
    }
    if (r->sim) {
        sim_drive(r->sim, &frame);
    } else {
        sim_lesson_step(r->lesson, &frame);
    }
    if (++r->step % WORLD_RATE == 0) {
        replay_compare(r);
    }
    return true;
}

// --- going elsewhere -----------------------------------------------------------------------------

static int replay_base(SimReplay* r, RecordSection out[SIM_LESSON_SECTIONS])
{
    if (r->sim) {
        sim_record_base(r->sim, out);
        return 1;
    }
    sim_lesson_base(r->lesson, out);
    return SIM_LESSON_SECTIONS;
}

static bool replay_load(SimReplay* r)
{
    return r->sim ? sim_record_load(r->sim, &r->snapshot)
                  : sim_lesson_load(r->lesson, &r->snapshot);
}

static bool replay_restore(SimReplay* r, int key)
{
    if (r->snapped && r->snapshot.key > key) {
        record_snapshot_free(&r->snapshot);
        r->snapped = false;
    }
    if (!r->snapped) {
        RecordSection base[SIM_LESSON_SECTIONS];
        int sections = replay_base(r, base);
        r->snapped = record_snapshot_init(&r->snapshot, base, sections);
    }
    bool fine =
        r->snapped && (key < 0 || record_restore(r->reader, key, &r->snapshot)) && replay_load(r);
    if (r->snapped && !fine) {
        record_snapshot_free(&r->snapshot);
        r->snapped = false;
    }
    return fine;
}

// A key frame is a claim like any other: it must be the state whose hash stands at its second.
static bool replay_as_recorded(const SimReplay* r, uint32_t step)
{
    uint64_t hashes[SIM_LESSON_MODULES + 1];
    const uint64_t* kept =
        step > 0 && step % WORLD_RATE == 0 ? record_hashes(r->reader, step / WORLD_RATE - 1) : NULL;
    if (!kept) {
        return true;
    }
    int modules = sim_replay_hashes(r, hashes);
    return memcmp(hashes, kept, (size_t)(modules + 1) * sizeof *kept) == 0;
}

bool sim_replay_jump(SimReplay* r, int key)
{
    uint32_t at = key >= 0 ? record_key_step(r->reader, key) : 0;
    bool fine = replay_restore(r, key);
    if (fine && replay_as_recorded(r, at)) {
        r->step = at;
        r->whole = at % WORLD_RATE == 0;
        return true;
    }
    if (key >= 0 && replay_restore(r, -1)) {
        r->step = 0;
        r->whole = true;
    }
    return false;
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
    const RecordDifference before = r->difference;
    // a state out of a key frame that does not go on as recorded is worth nothing: from the beginning then
    for (int attempt = 0; attempt < 2; ++attempt) {
        int key = attempt == 0 ? record_key_before(r->reader, step) : -1;
        uint32_t at = key >= 0 ? record_key_step(r->reader, key) : 0;
        bool near = attempt == 0 && step >= r->step && at <= r->step; // from here on
        if (!near && !sim_replay_jump(r, key) && (key < 0 || r->step != 0)) {
            snprintf(error->text, sizeof error->text,
                     "the recording's key frames do not fit this lesson, or memory is short");
            return false;
        }
        while (r->step < step && sim_replay_step(r)) {
        }
        if (before.kind != RECORD_SAME || r->difference.kind == RECORD_SAME) {
            break;
        }
        if (attempt == 0) {
            r->difference = before;
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

Sim* sim_replay_leave_site(SimReplay* r)
{
    Sim* sim = r->sim;
    r->sim = NULL;
    return sim;
}
