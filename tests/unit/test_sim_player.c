// A recording in the hands of somebody who looks: where it goes, how fast, what it proves, and the way in.
#include "sim/sim_guide.h"
#include "sim/sim_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#define SECONDS 24 // with key frames

static char folder[64];
static char lesson_path[96], site_path[96], other[96];
static SimReplay* replay;
static SimPlayer player;

static bool find(const char* name, char* path, size_t size)
{
    snprintf(path, size, "%s", name); // tests start in the root of the sources
    return access(path, F_OK) == 0;
}

static SimReplay* opened(const char* path)
{
    BaseYamlError error;
    const SimReplayDef def = {path, find, 1, false};
    SimReplay* r = sim_replay_open(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(r, error.text);
    return r;
}

static void open_player(const char* path)
{
    replay = opened(path);
    TEST_ASSERT_TRUE(sim_player_init(&player, replay));
}

void setUp(void)
{
    replay = NULL;
}

void tearDown(void)
{
    if (replay) {
        sim_player_free(&player);
        sim_replay_close(replay);
    }
}

// --- what is looked at ---------------------------------------------------------------------------

static void write_lesson(void)
{
    BaseYamlError error;
    const SimLessonDef def = {"controls", find, 1};
    SimLesson* lesson = sim_lesson_create(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
    const SimLessonWho who = {.driver = "expert", .trainee = "heron"};
    SimGuide guide;
    TEST_ASSERT_TRUE(sim_guide_begin(&guide, lesson, OPERATOR_EXPERT, &error));
    TEST_ASSERT_TRUE(sim_lesson_record(lesson, lesson_path, &who, &error));
    for (int k = 0; k < SECONDS * WORLD_RATE; ++k) {
        InputFrame frame;
        sim_guide_step(&guide, &frame);
        sim_lesson_step(lesson, &frame);
        sim_lesson_pump(lesson);
    }
    uint64_t hash;
    TEST_ASSERT_TRUE_MESSAGE(sim_lesson_finish(lesson, "test", &hash, &error), error.text);
    sim_lesson_destroy(lesson);
}

// Free digging, with a truck and a place that is nobody's default.
static SimDef site_def(void)
{
    return (SimDef){.site = "config/sites/loam.yaml",
                    .materials = "config/materials.yaml",
                    .calibration = "config/calibration.yaml",
                    .vehicle = "vehicles/excavator_22t.yaml",
                    .truck = "vehicles/truck_24t.yaml",
                    .kind = OPERATOR_EXPERT,
                    .program = OPERATOR_TRUCK,
                    .depth = 1.3f,
                    .place = {-3.7f, 0.45f, 0.1f},
                    .radius = 0.0593f,
                    .pool = 3000,
                    .births = 200,
                    .threads = 1,
                    .seconds = 1e9,
                    .seed = 7};
}

static void write_site(void)
{
    BaseYamlError error;
    const SimDef def = site_def();
    Sim* sim = sim_create(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(sim, error.text);
    const SimLessonWho who = {.driver = "hand"};
    TEST_ASSERT_TRUE_MESSAGE(sim_record(sim, site_path, &who, &error), error.text);
    // a bucket of soil, then calm: flying grains are many bytes
    for (int k = 0; k < 19 * WORLD_RATE; ++k) {
        InputFrame frame = {0};
        if (k < 4 * WORLD_RATE) {
            sim_hands_step(sim, &frame);
        }
        sim_drive(sim, &frame);
        sim_record_pump(sim);
    }
    uint64_t hash;
    TEST_ASSERT_TRUE_MESSAGE(sim_record_finish(sim, "test", &hash, &error), error.text);
    sim_destroy(sim);
}

// Until nothing is left to do; how often.
static int work(void)
{
    int count = 0;
    while (sim_player_work(&player)) {
        TEST_ASSERT_TRUE_MESSAGE(++count < 100000, "it never arrives");
    }
    return count;
}

static void there(uint32_t step)
{
    work();
    TEST_ASSERT_EQUAL_UINT32(step, sim_replay_steps(replay));
    TEST_ASSERT_TRUE(sim_player_there(&player));
    TEST_ASSERT_EQUAL_UINT32(step,
                             (uint32_t)(world_time(sim_replay_world(replay)) * WORLD_RATE + 0.5));
}

static void same_as_recorded(uint32_t second)
{
    uint64_t hashes[SIM_LESSON_MODULES + 1];
    int modules = sim_replay_hashes(replay, hashes);
    const uint64_t* kept = record_hashes(sim_replay_reader(replay), second - 1);
    TEST_ASSERT_NOT_NULL(kept);
    TEST_ASSERT_EQUAL_MEMORY(kept, hashes, (size_t)(modules + 1) * sizeof *kept);
}

// --- claims --------------------------------------------------------------------------------------

// First it looks ahead for marks, then it stands at the beginning.
static void it_looks_ahead_and_returns(void)
{
    open_player(lesson_path);
    TEST_ASSERT_TRUE(player.looking);
    there(0);
    TEST_ASSERT_FALSE(player.looking);
    TEST_ASSERT_TRUE(player.marked);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, SECONDS, player.marks->known);
    TEST_ASSERT_TRUE(player.marks->total >= 0.0);
    for (int k = 1; k < player.marks->count; ++k) {
        TEST_ASSERT_TRUE(player.marks->mark[k].time >= player.marks->mark[k - 1].time);
    }
}

// Who wants something at once gets it: nothing is waited for.
static void a_wish_ends_the_look(void)
{
    open_player(lesson_path);
    TEST_ASSERT_TRUE(sim_player_work(&player));
    sim_player_seek(&player, 301.0);
    TEST_ASSERT_FALSE(player.looking);
    TEST_ASSERT_TRUE(player.marks->known >= 10.0); // of the last key frame at least
    there(301);
}

// Playing goes by the clock; twice as fast is twice as far; at the end it stops.
static void it_plays_at_any_speed(void)
{
    open_player(lesson_path);
    there(0);
    sim_player_play(&player, true);
    for (int k = 0; k < 50; ++k) {
        sim_player_advance(&player, 0.02);
        work();
    }
    TEST_ASSERT_UINT32_WITHIN(1, 60, sim_replay_steps(replay));
    sim_player_set_speed(&player, SIM_PLAYER_NORMAL + 2);
    TEST_ASSERT_EQUAL_DOUBLE(4.0, sim_player_speeds[player.speed]);
    for (int k = 0; k < 50; ++k) {
        sim_player_advance(&player, 0.02);
        work();
    }
    TEST_ASSERT_UINT32_WITHIN(2, 300, sim_replay_steps(replay));
    sim_player_set_speed(&player, 99);
    for (int k = 0; k < 1000 && player.playing; ++k) {
        sim_player_advance(&player, 0.1);
        work();
    }
    TEST_ASSERT_FALSE(player.playing);
    there(SECONDS * WORLD_RATE);
    // and from the end it plays from the beginning
    sim_player_play(&player, true);
    there(0);
}

// A computer that is too slow plays slower: no step is left out, so all of it is proved.
static void slow_is_not_skipped(void)
{
    SimPlayerNews news;
    open_player(lesson_path);
    there(0);
    sim_player_set_speed(&player, SIM_PLAYER_SPEEDS - 1);
    sim_player_play(&player, true);
    for (int k = 0; k < 100000 && player.playing; ++k) {
        sim_player_advance(&player, 0.05); // 48 steps are due
        for (int n = 0; n < 7; ++n) {
            sim_player_work(&player);
        }
        TEST_ASSERT_TRUE(player.at - sim_replay_steps(replay) < 40.0);
    }
    work();
    sim_player_news(&player, &news);
    TEST_ASSERT_EQUAL_UINT32(SECONDS, news.proved);
    TEST_ASSERT_EQUAL_UINT32(UINT32_MAX, news.different);
}

// Far away it is a key frame and a few steps, not all the way; and the state is the recorded one.
static void scrubbing_goes_by_key_frames(void)
{
    SimPlayerNews news;
    open_player(lesson_path);
    there(0);
    TEST_ASSERT_TRUE(record_info(sim_replay_reader(replay))->keys >= 2);
    uint32_t key = record_key_step(sim_replay_reader(replay), 1);
    sim_player_seek(&player, key + 2 * WORLD_RATE);
    TEST_ASSERT_TRUE(sim_player_work(&player));
    TEST_ASSERT_EQUAL_UINT32(key, sim_replay_steps(replay)); // at once
    TEST_ASSERT_TRUE(player.jumped);
    TEST_ASSERT_EQUAL_INT(2 * WORLD_RATE, work() + 1);
    same_as_recorded(key / WORLD_RATE + 2);
    // what was jumped over is not proved, what was simulated is
    sim_player_news(&player, &news);
    TEST_ASSERT_EQUAL_UINT32(0, news.proved);
    TEST_ASSERT_TRUE(news.checked >= 2);
    sim_player_seek(&player, WORLD_RATE); // back, before every key frame
    there(WORLD_RATE);
    same_as_recorded(1);
    sim_player_seek(&player, 1e12);
    there(SECONDS * WORLD_RATE);
    sim_player_seek(&player, -5.0);
    there(0);
}

// Backwards the picture goes from key frame to key frame, and is exact where it stops.
static void backwards_by_key_frames(void)
{
    open_player(lesson_path);
    sim_player_seek(&player, SECONDS * WORLD_RATE);
    work();
    sim_player_play(&player, true);
    sim_player_seek(&player, SECONDS * WORLD_RATE - 30);
    sim_player_set_speed(&player, SIM_PLAYER_BACK);
    uint32_t last = UINT32_MAX;
    for (int k = 0; k < 20; ++k) {
        sim_player_advance(&player, 0.02);
        TEST_ASSERT_FALSE(sim_player_work(&player)); // never a step
        uint32_t now = sim_replay_steps(replay);
        TEST_ASSERT_TRUE(now <= last && now <= (uint32_t)player.at);
        last = now;
    }
    sim_player_play(&player, false);
    TEST_ASSERT_EQUAL_INT(SIM_PLAYER_NORMAL, player.speed);
    there((uint32_t)player.at);
    TEST_ASSERT_UINT32_WITHIN(2, SECONDS * WORLD_RATE - 30 - 96, sim_replay_steps(replay));
}

// Marks are gone to one after the other, a second before they happen, and back again.
static void marks_are_stations(void)
{
    open_player(lesson_path);
    there(0);
    SimMarks* m = player.marks;
    m->count = 2;
    m->mark[0] = (SimMark){.time = 5.0}, m->mark[1] = (SimMark){.time = 9.0};
    sim_player_to_mark(&player, 1);
    TEST_ASSERT_EQUAL_DOUBLE(240.0, player.at);
    sim_player_to_mark(&player, 1);
    TEST_ASSERT_EQUAL_DOUBLE(480.0, player.at);
    sim_player_to_mark(&player, -1);
    TEST_ASSERT_EQUAL_DOUBLE(240.0, player.at);
    sim_player_to_mark(&player, -1);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, player.at);
    sim_player_to_mark(&player, 1), sim_player_to_mark(&player, 1), sim_player_to_mark(&player, 1);
    TEST_ASSERT_EQUAL_DOUBLE((double)SECONDS * WORLD_RATE, player.at);
}

// Levers are those of the step that is shown.
static void levers_are_as_recorded(void)
{
    InputFrame shown, kept;
    open_player(lesson_path);
    sim_player_seek(&player, 777.0);
    work();
    sim_player_frame(&player, &shown);
    TEST_ASSERT_TRUE(record_input(sim_replay_reader(replay), 776, &kept));
    TEST_ASSERT_EQUAL_MEMORY(&kept, &shown, sizeof kept);
}

// --- the way in ----------------------------------------------------------------------------------

// Hashes of two recordings at the end of this second are equal.
static void equal_at(const char* a, const char* b, uint32_t second)
{
    BaseYamlError error;
    RecordReader *x = record_open(a, &error), *y = record_open(b, &error);
    const uint64_t *p = record_hashes(x, second - 1), *q = record_hashes(y, second - 1);
    TEST_ASSERT_NOT_NULL(p);
    TEST_ASSERT_NOT_NULL(q);
    TEST_ASSERT_EQUAL_MEMORY(p, q, (record_info(x)->head.module_count + 1) * sizeof *p);
    record_close(x), record_close(y);
}

static void all_proved(const char* path)
{
    SimReplay* again = opened(path);
    while (sim_replay_step(again)) {
    }
    TEST_ASSERT_EQUAL_INT_MESSAGE(RECORD_SAME, sim_replay_difference(again)->kind,
                                  sim_replay_difference(again)->text);
    sim_replay_close(again);
}

// Scrubbed to 0:14, by a key frame, and gone on from there with other hands: the new recording begins with the
// parent's seconds, names it, and every second of it comes out again from the beginning.
static void a_lesson_is_taken_over(void)
{
    BaseYamlError error;
    uint64_t hash;
    const InputFrame idle = {0};
    const SimLessonWho who = {.driver = "hand", .trainee = "wren", .parent = "lesson.mrec"};
    open_player(lesson_path);
    sim_player_seek(&player, 14 * WORLD_RATE);
    work();
    SimLesson* lesson = sim_replay_lesson(replay);
    TEST_ASSERT_TRUE(sim_lesson_record_on(lesson, sim_replay_reader(replay), other, &who, &error));
    sim_replay_leave(replay);
    for (int k = 0; k < 3 * WORLD_RATE; ++k) {
        sim_lesson_step(lesson, &idle);
        sim_lesson_pump(lesson);
    }
    TEST_ASSERT_TRUE_MESSAGE(sim_lesson_finish(lesson, "test", &hash, &error), error.text);
    sim_lesson_destroy(lesson);
    equal_at(lesson_path, other, 14);
    RecordReader* reader = record_open(other, &error);
    const RecordInfo* info = record_info(reader);
    TEST_ASSERT_EQUAL_STRING("lesson.mrec", info->head.parent);
    TEST_ASSERT_EQUAL_UINT32(14 * WORLD_RATE, info->head.parent_step);
    TEST_ASSERT_EQUAL_STRING("wren", info->head.trainee);
    TEST_ASSERT_EQUAL_UINT32(17 * WORLD_RATE, info->steps);
    record_close(reader);
    all_proved(other);
}

// Free digging is entered as a lesson is, and set up as it was: truck, place, grains.
static void free_digging_is_taken_over(void)
{
    BaseYamlError error;
    uint64_t hash;
    const InputFrame idle = {0};
    const SimLessonWho who = {.driver = "hand", .parent = "site.mrec"};
    open_player(site_path);
    TEST_ASSERT_TRUE(record_info(sim_replay_reader(replay))->keys >= 1);
    sim_player_seek(&player, 18 * WORLD_RATE);
    TEST_ASSERT_TRUE(work() < 9 * WORLD_RATE);
    same_as_recorded(18);
    Sim* sim = sim_replay_site(replay);
    TEST_ASSERT_TRUE_MESSAGE(sim_record_on(sim, sim_replay_reader(replay), other, &who, &error),
                             error.text);
    sim_replay_leave_site(replay);
    for (int k = 0; k < WORLD_RATE; ++k) {
        sim_drive(sim, &idle);
        sim_record_pump(sim);
    }
    TEST_ASSERT_TRUE_MESSAGE(sim_record_finish(sim, "test", &hash, &error), error.text);
    sim_destroy(sim);
    equal_at(site_path, other, 18);
    all_proved(other);
    SimSetup setup;
    RecordReader* reader = record_open(other, &error);
    TEST_ASSERT_TRUE_MESSAGE(sim_record_setup(reader, find, &setup, &error), error.text);
    record_close(reader);
    const SimDef was = site_def();
    TEST_ASSERT_EQUAL_MEMORY(was.place, setup.def.place, sizeof was.place);
    TEST_ASSERT_TRUE(was.radius == setup.def.radius && was.depth == setup.def.depth);
    TEST_ASSERT_EQUAL_INT(was.pool, setup.def.pool);
    TEST_ASSERT_EQUAL_STRING("vehicles/truck_24t.yaml", setup.truck);
}

// --- trouble -------------------------------------------------------------------------------------

// A key frame that is another state than the recorded one is named and not used, and everything is still there.
static void a_false_key_frame_is_not_believed(void)
{
    BaseYamlError error;
    uint64_t hash;
    RecordReader* reader = record_open(lesson_path, &error);
    const SimLessonDef def = {"controls", find, 1};
    SimLesson* lesson = sim_lesson_create(&def, &error);
    RecordSection base[SIM_LESSON_SECTIONS], now[SIM_LESSON_SECTIONS];
    sim_lesson_base(lesson, base);
    RecordWriter* w = record_begin(other, &record_info(reader)->head, 64u << 20, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(w, error.text);
    record_key_base(w, base, SIM_LESSON_SECTIONS);
    for (uint32_t k = 0; k < SECONDS * WORLD_RATE; ++k) {
        InputFrame frame;
        TEST_ASSERT_TRUE(record_input(reader, k, &frame));
        record_step(w, k, &frame);
        if ((k + 1) % WORLD_RATE == 0) {
            record_second(w, record_hashes(reader, k / WORLD_RATE));
        }
        if (record_key_wanted(w)) {
            sim_lesson_save(lesson, now); // of the beginning, all the time
            record_key(w, now, SIM_LESSON_SECTIONS);
        }
        record_pump(w);
    }
    TEST_ASSERT_TRUE(record_finish(w, "test", &hash, &error));
    record_close(reader);
    sim_lesson_destroy(lesson);

    SimPlayerNews news;
    open_player(other);
    sim_player_seek(&player, 15 * WORLD_RATE);
    work();
    TEST_ASSERT_EQUAL_UINT32(15 * WORLD_RATE, sim_replay_steps(replay));
    same_as_recorded(15);
    sim_player_news(&player, &news);
    TEST_ASSERT_NOT_NULL(strstr(news.trouble, "key frame at 0:1"));
    TEST_ASSERT_EQUAL_UINT32(15, news.proved);
}

// Cut off in the middle: the good part plays to its end, and the bad chunk is named.
static void a_damaged_recording_plays_its_good_part(void)
{
    SimPlayerNews news;
    FILE* in = fopen(lesson_path, "rb");
    fseek(in, 0, SEEK_END);
    long size = ftell(in) * 2 / 3;
    rewind(in);
    unsigned char* data = malloc((size_t)size);
    TEST_ASSERT_TRUE((size_t)size == fread(data, 1, (size_t)size, in));
    fclose(in);
    FILE* out = fopen(other, "wb");
    fwrite(data, 1, (size_t)size, out);
    fclose(out);
    free(data);
    open_player(other);
    sim_player_seek(&player, 1e9);
    work();
    sim_player_news(&player, &news);
    TEST_ASSERT_TRUE(news.steps > 0 && news.steps < SECONDS * WORLD_RATE);
    TEST_ASSERT_EQUAL_UINT32(news.steps, news.now);
    TEST_ASSERT_NOT_NULL(strstr(news.trouble, "chunk"));
    TEST_ASSERT_FALSE(news.complete);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/test_sim_player_XXXXXX");
    if (!mkdtemp(folder)) {
        return 1;
    }
    snprintf(lesson_path, sizeof lesson_path, "%s/lesson.mrec", folder);
    snprintf(site_path, sizeof site_path, "%s/site.mrec", folder);
    snprintf(other, sizeof other, "%s/other.mrec", folder);
    UNITY_BEGIN();
    write_lesson();
    write_site();
    RUN_TEST(it_looks_ahead_and_returns);
    RUN_TEST(a_wish_ends_the_look);
    RUN_TEST(it_plays_at_any_speed);
    RUN_TEST(slow_is_not_skipped);
    RUN_TEST(scrubbing_goes_by_key_frames);
    RUN_TEST(backwards_by_key_frames);
    RUN_TEST(marks_are_stations);
    RUN_TEST(levers_are_as_recorded);
    RUN_TEST(a_lesson_is_taken_over);
    RUN_TEST(free_digging_is_taken_over);
    RUN_TEST(a_false_key_frame_is_not_believed);
    RUN_TEST(a_damaged_recording_plays_its_good_part);
    unlink(lesson_path), unlink(site_path), unlink(other), rmdir(folder);
    return UNITY_END();
}
