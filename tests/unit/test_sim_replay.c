// Lessons and their recordings: same bits again, forged inputs found, hand over in the middle.
#include "sim/sim_guide.h"
#include "sim/sim_replay.h"

#include "base/base_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#define SECONDS 3

static char folder[64];
static char good[96], forged[96];

void setUp(void) {}
void tearDown(void) {}

static bool find(const char* name, char* path, size_t size)
{
    snprintf(path, size, "%s", name); // tests start in the root of the sources
    return access(path, F_OK) == 0;
}

static void write_good(void)
{
    BaseYamlError error;
    SimLessonDef def = {"controls", find, 1};
    SimLesson* lesson = sim_lesson_create(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
    SimLessonWho who = {.driver = "expert"};
    SimGuide guide;
    TEST_ASSERT_TRUE(sim_guide_begin(&guide, lesson, OPERATOR_EXPERT, &error));
    TEST_ASSERT_TRUE(sim_lesson_record(lesson, good, &who, &error));
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

// All checksums right, hashes of the good one, one byte of input different.
static void write_forged(uint32_t at)
{
    BaseYamlError error;
    uint64_t hash;
    RecordReader* reader = record_open(good, &error);
    TEST_ASSERT_NOT_NULL(reader);
    RecordWriter* writer = record_begin(forged, &record_info(reader)->head, 0, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(writer, error.text);
    for (uint32_t k = 0; k < SECONDS * WORLD_RATE; ++k) {
        unsigned char frame[sizeof(InputFrame)];
        TEST_ASSERT_TRUE(record_input(reader, k, frame));
        frame[1] = (unsigned char)(frame[1] ^ (k == at ? 0x40 : 0));
        record_step(writer, k, frame);
        if ((k + 1) % WORLD_RATE == 0) {
            record_second(writer, record_hashes(reader, k / WORLD_RATE));
        }
        record_pump(writer);
    }
    TEST_ASSERT_TRUE(record_finish(writer, "test", &hash, &error));
    record_close(reader);
}

static RecordDifference replayed(const char* path, int threads)
{
    BaseYamlError error;
    SimReplayDef def = {path, find, threads, false};
    SimReplay* replay = sim_replay_open(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(replay, error.text);
    int steps = 0;
    while (sim_replay_step(replay)) {
        ++steps;
    }
    TEST_ASSERT_EQUAL_INT(SECONDS * WORLD_RATE, steps);
    TEST_ASSERT_TRUE(world_audit(sim_lesson_world(sim_replay_lesson(replay))));
    RecordDifference d = *sim_replay_difference(replay);
    sim_replay_close(replay);
    return d;
}

static void a_recording_comes_out_again(void)
{
    TEST_ASSERT_EQUAL_INT(RECORD_SAME, replayed(good, 1).kind);
    TEST_ASSERT_EQUAL_INT(RECORD_SAME, replayed(good, 2).kind);
}

static void a_forged_byte_of_input_is_found(void)
{
    write_forged(75);
    RecordDifference d = replayed(forged, 1);
    TEST_ASSERT_EQUAL_INT(RECORD_OTHER_STATE, d.kind);
    TEST_ASSERT_EQUAL_UINT32(1, d.second);
}

static void seeking_gives_the_state_of_playing(void)
{
    BaseYamlError error;
    uint64_t played[SIM_LESSON_MODULES + 1], sought[SIM_LESSON_MODULES + 1];
    SimReplayDef def = {good, find, 1, false};
    SimReplay* replay = sim_replay_open(&def, &error);
    TEST_ASSERT_NOT_NULL(replay);
    TEST_ASSERT_TRUE(sim_replay_seek(replay, 97, &error));
    sim_lesson_hashes(sim_replay_lesson(replay), played);
    TEST_ASSERT_TRUE(sim_replay_seek(replay, 150, &error));
    TEST_ASSERT_TRUE(sim_replay_seek(replay, 97, &error)); // back
    sim_lesson_hashes(sim_replay_lesson(replay), sought);
    TEST_ASSERT_EQUAL_MEMORY(played, sought, sizeof played);
    TEST_ASSERT_FALSE(sim_replay_seek(replay, 100000, &error));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "ends at 0:03"));
    sim_replay_close(replay);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/test_sim_replay_XXXXXX");
    if (!mkdtemp(folder)) {
        return 1;
    }
    snprintf(good, sizeof good, "%s/good.mrec", folder);
    snprintf(forged, sizeof forged, "%s/forged.mrec", folder);
    UNITY_BEGIN();
    write_good();
    RUN_TEST(a_recording_comes_out_again);
    RUN_TEST(a_forged_byte_of_input_is_found);
    RUN_TEST(seeking_gives_the_state_of_playing);
    unlink(good), unlink(forged), rmdir(folder);
    return UNITY_END();
}
