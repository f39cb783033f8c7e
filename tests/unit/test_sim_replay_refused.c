// Recordings that this program must not play: of another version, of other files, of nothing it knows, and
// states that lead out of its arrays. Each is refused in one sentence that names both sides.
#include "sim/sim_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

static char folder[64], path[96];
static BaseYamlError error;

void setUp(void)
{
    error = (BaseYamlError){0};
}

void tearDown(void)
{
    unlink(path);
}

static bool find(const char* name, char* out, size_t size)
{
    snprintf(out, size, "%s", name); // tests start in the root of the sources
    return access(out, F_OK) == 0;
}

// A second of idle levers under this head.
static void write_under(const RecordHead* head)
{
    const InputFrame idle = {0};
    RecordWriter* w = record_begin(path, head, 0, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(w, error.text);
    for (uint32_t step = 0; step < WORLD_RATE; ++step) {
        record_step(w, step, &idle);
    }
    TEST_ASSERT_TRUE_MESSAGE(record_finish(w, "test", NULL, &error), error.text);
}

static RecordHead lesson_head(const char* name)
{
    RecordHead head;
    const SimLessonWho who = {.driver = "hand"};
    const SimLessonDef def = {name, find, 1};
    SimLesson* lesson = sim_lesson_create(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
    sim_lesson_head(lesson, &who, &head);
    sim_lesson_destroy(lesson);
    return head;
}

static void expect_played(bool edited)
{
    const SimReplayDef def = {path, find, 1, edited};
    SimReplay* replay = sim_replay_open(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(replay, error.text);
    TEST_ASSERT_TRUE(sim_replay_step(replay));
    sim_replay_close(replay);
}

// Refused with its own name and these words in the sentence.
static void expect_refused(bool edited, const char* first, const char* second)
{
    const SimReplayDef def = {path, find, 1, edited};
    error = (BaseYamlError){0};
    TEST_ASSERT_NULL(sim_replay_open(&def, &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, path), error.text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, first), error.text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, second), error.text);
}

static void another_version_is_refused_and_both_are_named(void)
{
    RecordHead head = lesson_head("controls");
    write_under(&head);
    expect_played(false);
    snprintf(head.program, sizeof head.program, "0.0.9");
    write_under(&head);
    expect_refused(false, "by version 0.0.9", "this is " MATTOCK_VERSION);
    expect_refused(true, "by version 0.0.9", "this is " MATTOCK_VERSION);
}

// Whichever of its four files is another one now: told which, with the hash it had and the hash it has.
static void other_files_are_refused_and_both_are_named(void)
{
    static const char* const words[] = {"the lesson controls", "the site", "the vehicle",
                                        "the soils materials"};
    const RecordHead good = lesson_head("controls");
    for (int k = 0; k < 4; ++k) {
        char was[40], is[40];
        RecordHead head = good;
        RecordFile* file[] = {&head.scenario, &head.site, &head.vehicle, &head.materials};
        snprintf(is, sizeof is, "has %016llx", (unsigned long long)file[k]->hash);
        file[k]->hash ^= 0x100;
        snprintf(was, sizeof was, "of hash %016llx", (unsigned long long)file[k]->hash);
        write_under(&head);
        expect_refused(false, was, is);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, words[k]), error.text);
    }
}

// Its criteria are no part of the simulation: a lesson that was edited since may judge the recording; but
// not one on another machine.
static void an_edited_lesson_may_judge_but_not_on_another_machine(void)
{
    RecordHead head = lesson_head("controls");
    head.scenario.hash ^= 1;
    write_under(&head);
    expect_refused(false, "the lesson", "has");
    expect_played(true);
    head.vehicle.hash ^= 1;
    write_under(&head);
    expect_refused(true, "the vehicle", "has");
}

static void what_is_neither_lesson_nor_site_is_refused(void)
{
    RecordHead head = lesson_head("controls");
    head.rate = 50;
    write_under(&head);
    expect_refused(false, "is no recording of a lesson or of free digging", "replay needs");
    head = lesson_head("controls");
    snprintf(head.module[SIM_LESSON_MODULES - 1], sizeof head.module[0], "weather");
    write_under(&head);
    expect_refused(false, "is no recording of a lesson or of free digging", "replay needs");
}

static void a_lesson_that_is_not_here_is_named(void)
{
    RecordHead head = lesson_head("controls");
    snprintf(head.scenario.name, sizeof head.scenario.name, "no_such_lesson");
    write_under(&head);
    const SimReplayDef def = {path, find, 1, false};
    TEST_ASSERT_NULL(sim_replay_open(&def, &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "no_such_lesson"), error.text);
    unlink(path);
    TEST_ASSERT_NULL(sim_replay_open(&def, &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "cannot be opened"), error.text);
    sim_replay_close(NULL); // as everybody's who has nothing
}

// --- free digging --------------------------------------------------------------------------------

// The setup of a site as the program writes it, with event `index` altered to these.
typedef struct Setup {
    double a, b;
    const char* text;
} Setup;

static const Setup setup_good[] = {{-3.5, 0.5, "0 "},        {0.1, 1.3, "1 "}, {0.05, 200, "2 "},
                                   {3000, 0, "3 "},          {1, 0, "4 "},     {0, 0, "5 "},
                                   {0, 0, "6 excavator_2t"}, {0, 0, "7 flat"}};
#define SETUPS ((int)(sizeof setup_good / sizeof setup_good[0]))

static RecordHead site_head(void)
{
    static const char* const module[] = {"soil", "terrain", "coupling", "machines"};
    RecordHead head = {.program = MATTOCK_VERSION,
                       .site = {"flat", 1},
                       .rate = WORLD_RATE,
                       .input_bytes = sizeof(InputFrame),
                       .module_count = SIM_MODULES};
    for (int k = 0; k < SIM_MODULES; ++k) {
        snprintf(head.module[k], sizeof head.module[k], "%s", module[k]);
    }
    return head;
}

static const RecordHead* setup_head; // NULL: site_head()

static bool setup_taken(int index, const Setup* other)
{
    static SimSetup setup;
    const RecordHead head = setup_head ? *setup_head : site_head();
    const InputFrame idle = {0};
    RecordWriter* w = record_begin(path, &head, 0, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(w, error.text);
    for (int k = 0; k < SETUPS; ++k) {
        const Setup* s = k == index ? other : &setup_good[k];
        if (s) {
            record_event(w, SIM_EVENT_SETUP, s->a, s->b, s->text);
        }
    }
    for (uint32_t step = 0; step < WORLD_RATE; ++step) {
        record_step(w, step, &idle);
    }
    TEST_ASSERT_TRUE_MESSAGE(record_finish(w, "test", NULL, &error), error.text);
    RecordReader* reader = record_open(path, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(reader, error.text);
    error = (BaseYamlError){0};
    bool taken = sim_record_setup(reader, find, &setup, &error);
    record_close(reader);
    return taken;
}

// Only what the program itself would have written is obeyed: nothing left out, nothing out of range.
static void a_setup_out_of_range_is_refused(void)
{
    TEST_ASSERT_TRUE_MESSAGE(setup_taken(-1, NULL), error.text);
    for (int k = 0; k < SETUPS; ++k) {
        TEST_ASSERT_FALSE(setup_taken(k, NULL));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "does not tell how the site was set up"),
                                     error.text);
    }
    static const struct {
        int index;
        Setup other;
    } bad[] = {
        {0, {-1.1e4, 0, "0 "}}, {0, {0, 2e4, "0 "}},   {1, {1e9, 1, "1 "}},
        {1, {0, -0.1, "1 "}},   {1, {0, 10.5, "1 "}},  {2, {0.001, 200, "2 "}},
        {2, {5, 200, "2 "}},    {2, {0.05, -1, "2 "}}, {2, {0.05, 20000, "2 "}},
        {3, {9, 0, "3 "}},      {3, {3e5, 0, "3 "}},   {3, {3000, -1, "3 "}},
        {3, {3000, 99, "3 "}},  {4, {-1, 0, "4 "}},    {4, {99, 0, "4 "}},
        {5, {0, 0, "77 "}},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        TEST_ASSERT_FALSE_MESSAGE(setup_taken(bad[k].index, &bad[k].other), bad[k].other.text);
    }
}

// A shipped file is looked for by its name; one that is gone is told by the place it was looked for.
static void a_file_of_the_setup_that_is_gone_is_named(void)
{
    TEST_ASSERT_FALSE(setup_taken(6, &(Setup){0, 0, "6 no_such_machine"}));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "vehicles/no_such_machine.yaml"), error.text);
    TEST_ASSERT_FALSE(setup_taken(7, &(Setup){0, 0, "7 no_such_site"}));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "config/sites/no_such_site.yaml"), error.text);
    TEST_ASSERT_TRUE_MESSAGE(setup_taken(7, &(Setup){0, 0, "7 /somebody/s/site.yaml"}), error.text);
}

// Dug without a truck is entered again as well; on other files it is refused like a lesson.
static void free_digging_without_a_truck_comes_out_again(void)
{
    const SimDef def = {.site = "config/sites/flat.yaml",
                        .materials = "config/materials.yaml",
                        .calibration = "config/calibration.yaml",
                        .vehicle = "vehicles/excavator_2t.yaml",
                        .kind = OPERATOR_RANDOM,
                        .program = OPERATOR_PIT,
                        .depth = 1.0f,
                        .radius = 0.05f,
                        .pool = 500,
                        .births = 100,
                        .threads = 1,
                        .seconds = 1e9};
    const SimLessonWho who = {.driver = "random"};
    RecordHead head;
    Sim* sim = sim_create(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(sim, error.text);
    TEST_ASSERT_TRUE_MESSAGE(sim_record(sim, path, &who, &error), error.text);
    for (int k = 0; k < 2 * WORLD_RATE; ++k) {
        sim_step(sim);
        sim_record_pump(sim);
    }
    TEST_ASSERT_NULL(sim_record_news(sim));
    TEST_ASSERT_TRUE_MESSAGE(sim_record_finish(sim, "test", NULL, &error), error.text);
    sim_record_head(sim, &who, &head);
    sim_destroy(sim);
    const SimReplayDef replay_def = {path, find, 1, false};
    SimReplay* replay = sim_replay_open(&replay_def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(replay, error.text);
    while (sim_replay_step(replay)) {
    }
    TEST_ASSERT_EQUAL_INT(RECORD_SAME, sim_replay_difference(replay)->kind);
    TEST_ASSERT_EQUAL_INT(1, sim_replay_proved(replay, 1));
    sim_replay_close(replay);
    head.site.hash ^= 1;
    setup_head = &head;
    TEST_ASSERT_TRUE(setup_taken(-1, NULL));  // understood,
    expect_refused(false, "the site", "has"); // but not played
    setup_head = NULL;
}

// --- states --------------------------------------------------------------------------------------

static SimLesson* lesson;
static RecordSnapshot snapshot;

// The lesson's part of the snapshot, altered by one of these.
static void bad_phase(SimLessonState* s)
{
    s->score.phase = 99;
}
static void bad_cycles(SimLessonState* s)
{
    s->score.cycles = -1;
}
static void bad_seconds(SimLessonState* s)
{
    s->score.seconds = SCORE_TRACE_MAX + 1;
}
static void bad_events(SimLessonState* s)
{
    s->events = -5;
}
static void bad_next(SimLessonState* s)
{
    s->scenario.next = 1000;
}
static void bad_fault(SimLessonState* s)
{
    s->scenario.fault = 77;
}
static void bad_weather(SimLessonState* s)
{
    s->scenario.weather = -1;
}
static void bad_point(SimLessonState* s)
{
    s->scenario.point[0] = 4000;
}
static void bad_truck(SimLessonState* s)
{
    s->truck[0].phase = 9;
}
static void bad_object(SimLessonState* s)
{
    s->truck[0].object += 1;
}
static void bad_text(SimLessonState* s)
{
    memset(s->event[3].text, 'x', sizeof s->event[3].text);
}

static void bad_incident(SimLessonState* s)
{
    s->score.incidents = 1;
    s->score.incident[0] = (ScoreIncident){.measure = 12345};
}

static void bad_trace(SimLessonState* s)
{
    s->score.seconds = 1;
    s->score.second[0].phase = -3;
}

static void (*const bad_state[])(SimLessonState*) = {
    bad_phase, bad_cycles, bad_seconds, bad_events, bad_next,     bad_fault, bad_weather,
    bad_point, bad_truck,  bad_object,  bad_text,   bad_incident, bad_trace};

// A key frame comes from a file. One number in it that would lead out of an array: it is not loaded, and the
// lesson stands as it stood.
static void a_state_out_of_range_is_not_loaded(void)
{
    const SimLessonDef def = {"load_truck", find, 1};
    const InputFrame idle = {0};
    RecordSection now[SIM_LESSON_SECTIONS];
    uint64_t before[SIM_LESSON_MODULES + 1], after[SIM_LESSON_MODULES + 1];
    lesson = sim_lesson_create(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
    sim_lesson_step(lesson, &idle);
    sim_lesson_save(lesson, now);
    TEST_ASSERT_TRUE(record_snapshot_init(&snapshot, now, SIM_LESSON_SECTIONS));
    unsigned char* at = snapshot.data + snapshot.section[0];
    static SimLessonState good, bad;
    memcpy(&good, at, sizeof good);
    sim_lesson_step(lesson, &idle);
    sim_lesson_hashes(lesson, before);
    for (size_t k = 0; k < sizeof bad_state / sizeof bad_state[0]; ++k) {
        char text[32];
        bad = good;
        bad_state[k](&bad);
        memcpy(at, &bad, sizeof bad);
        snprintf(text, sizeof text, "alteration %zu", k);
        TEST_ASSERT_FALSE_MESSAGE(sim_lesson_load(lesson, &snapshot), text);
        sim_lesson_hashes(lesson, after);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(before, after, sizeof before, text);
    }
    memcpy(at, &good, sizeof good);
    --snapshot.section[1]; // another size is another program's
    TEST_ASSERT_FALSE(sim_lesson_load(lesson, &snapshot));
    ++snapshot.section[1];
    memset(snapshot.data, 0xee, 64); // the world's own part
    TEST_ASSERT_FALSE(sim_lesson_load(lesson, &snapshot));
    sim_lesson_hashes(lesson, after);
    TEST_ASSERT_EQUAL_MEMORY(before, after, sizeof before);
    record_snapshot_free(&snapshot);
    sim_lesson_destroy(lesson);
}

// Key frames that belong to something else: looking elsewhere goes on from the beginning, and what comes out
// is what was recorded.
static void key_frames_of_something_else_cost_only_time(void)
{
    const InputFrame idle = {0};
    static unsigned char field[5000];
    const RecordSection section = {field, sizeof field};
    const SimLessonDef lesson_def = {"controls", find, 1};
    const SimLessonWho who = {.driver = "hand"};
    RecordHead head;
    lesson = sim_lesson_create(&lesson_def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
    sim_lesson_head(lesson, &who, &head);
    RecordWriter* w = record_begin(path, &head, 1u << 20, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(w, error.text);
    record_key_base(w, &section, 1);
    for (uint32_t step = 0; step < 12 * WORLD_RATE; ++step) {
        uint64_t hashes[SIM_LESSON_MODULES + 1];
        sim_lesson_step(lesson, &idle);
        record_step(w, step, &idle);
        if ((step + 1) % WORLD_RATE == 0) {
            sim_lesson_hashes(lesson, hashes);
            record_second(w, hashes);
        }
        if (record_key_wanted(w)) {
            ++field[7];
            record_key(w, &section, 1);
        }
        record_pump(w);
    }
    TEST_ASSERT_TRUE_MESSAGE(record_finish(w, "test", NULL, &error), error.text);
    sim_lesson_destroy(lesson);
    const SimReplayDef def = {path, find, 1, false};
    SimReplay* replay = sim_replay_open(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(replay, error.text);
    TEST_ASSERT_TRUE(record_info(sim_replay_reader(replay))->keys > 0);
    uint32_t at = 11 * WORLD_RATE + 7;
    TEST_ASSERT_TRUE_MESSAGE(sim_replay_seek(replay, at, &error), error.text);
    TEST_ASSERT_EQUAL_UINT32(at, sim_replay_steps(replay));
    TEST_ASSERT_EQUAL_UINT64(at, world_steps(sim_replay_world(replay)));
    TEST_ASSERT_EQUAL_INT(RECORD_SAME, sim_replay_difference(replay)->kind);
    TEST_ASSERT_EQUAL_INT(1, sim_replay_proved(replay, 10));
    sim_replay_close(replay);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/test_sim_refused_XXXXXX");
    if (!mkdtemp(folder)) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/a.mrec", folder);
    UNITY_BEGIN();
    RUN_TEST(another_version_is_refused_and_both_are_named);
    RUN_TEST(other_files_are_refused_and_both_are_named);
    RUN_TEST(an_edited_lesson_may_judge_but_not_on_another_machine);
    RUN_TEST(what_is_neither_lesson_nor_site_is_refused);
    RUN_TEST(a_lesson_that_is_not_here_is_named);
    RUN_TEST(a_setup_out_of_range_is_refused);
    RUN_TEST(a_file_of_the_setup_that_is_gone_is_named);
    RUN_TEST(free_digging_without_a_truck_comes_out_again);
    RUN_TEST(a_state_out_of_range_is_not_loaded);
    RUN_TEST(key_frames_of_something_else_cost_only_time);
    rmdir(folder);
    return UNITY_END();
}
