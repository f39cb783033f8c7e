// Numbers of a machine go bad in the middle of a lesson: it goes on from a good state, says so, and its record
// and report are marked. Three times within ten seconds, and it is given up instead of scored.
#include "base/base_path.h"
#include "sim/sim_guide.h"
#include "sim/sim_lesson_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

static SimLesson* lesson;
static char folder[] = "/tmp/mattock-lesson-XXXXXX", path[64];

void setUp(void)
{
    BaseYamlError error;
    const SimLessonDef def = {"controls", base_path_find, 2};
    lesson = sim_lesson_create(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
}

void tearDown(void)
{
    sim_lesson_destroy(lesson);
}

static void go_on(double seconds)
{
    InputFrame frame;
    memset(&frame, 0, sizeof frame);
    for (int k = 0; k < (int)(seconds * WORLD_RATE); ++k) {
        sim_lesson_step(lesson, &frame);
        sim_lesson_pump(lesson);
    }
}

// A speed that is no number, as a broken memory would leave it, and the step that meets it.
static void spoil(void)
{
    MachineState* m = (MachineState*)machine_state(world_machine(sim_lesson_world(lesson), 0));
    m->velocity[7] = NAN;
    go_on(1.5 / WORLD_RATE);
}

static int mended(void)
{
    const SimLessonState* s = sim_lesson_state(lesson);
    int count = 0;
    for (int k = 0; k < s->events && k < SIM_LESSON_EVENTS; ++k)
        count += s->event[k].kind == SIM_EVENT_MENDED;
    return count;
}

static void one_bad_number_is_told_and_the_lesson_goes_on(void)
{
    go_on(1.0);
    TEST_ASSERT_EQUAL_INT(0, mended());
    spoil();
    TEST_ASSERT_EQUAL_INT(1, mended());
    TEST_ASSERT_NULL(sim_lesson_over(lesson));
    const MachineState* m = machine_state(world_machine(sim_lesson_world(lesson), 0));
    for (int k = 0; k < 3; ++k)
        TEST_ASSERT_TRUE(isfinite(m->position[k]) && fabs(m->position[k]) < 100.0);
    go_on(1.0);
    TEST_ASSERT_EQUAL_INT(1, mended());
}

static void three_within_ten_seconds_end_it(void)
{
    for (int k = 0; k < SIM_LESSON_MENDS; ++k) {
        TEST_ASSERT_NULL(sim_lesson_over(lesson));
        spoil();
        go_on(3.0);
    }
    TEST_ASSERT_NOT_NULL(sim_lesson_over(lesson));
    TEST_ASSERT_NOT_NULL(strstr(sim_lesson_over(lesson), "numbers"));
}

static void three_in_a_long_time_do_not(void)
{
    for (int k = 0; k < SIM_LESSON_MENDS + 1; ++k) {
        spoil();
        go_on(SIM_LESSON_MENDED / (SIM_LESSON_MENDS - 1) + 0.1);
    }
    TEST_ASSERT_EQUAL_INT(SIM_LESSON_MENDS + 1, mended());
    TEST_ASSERT_NULL(sim_lesson_over(lesson));
}

// Soil that disappears behind the books' back (I1). A trainer does not go down with it: the lesson ends, and says
// why; record and report are marked. Builds for debugging stop right there instead.
static void missing_soil_ends_it(void)
{
#ifndef MATTOCK_DEBUG
    World* world = sim_lesson_world(lesson);
    TEST_ASSERT_TRUE(coupling_pour(world_coupling(world), vec3(20, 3, 20), vec3(0, 0, 0), 0));
    go_on(0.1);
    TEST_ASSERT_EQUAL_UINT32(0, world_faults(world)->lost);
    TEST_ASSERT_NULL(sim_lesson_over(lesson));
    TEST_ASSERT_TRUE(soil_state(world_soil(world))->count > 0);
    uint32_t gone = soil_remove(world_soil(world), 0);
    TEST_ASSERT_TRUE(gone > 0);
    go_on(1.1); // the audit of every second finds it at the latest
    TEST_ASSERT_TRUE(world_faults(world)->lost > 0);
    TEST_ASSERT_EQUAL_INT(1, mended());
    TEST_ASSERT_NOT_NULL(sim_lesson_over(lesson));
    TEST_ASSERT_EQUAL_STRING("soil is missing: the program is wrong", sim_lesson_over(lesson));
    static SimLessonReport report;
    TEST_ASSERT_TRUE(sim_lesson_report(lesson, NULL, NULL, path, &report));
    TEST_ASSERT_EQUAL_INT(REPORT_MARKED, report.data.proof);
    TEST_ASSERT_NOT_NULL(strstr(report.data.proof_text, "soil was missing"));
    sim_lesson_report_free(&report);
    ScoreResult result;
    sim_lesson_judge(lesson, NULL, &result);
    TEST_ASSERT_FALSE(result.passed);
#endif
}

static void record_and_report_are_marked(void)
{
    BaseYamlError error;
    const SimLessonWho who = {.driver = "test"};
    uint64_t hash;
    TEST_ASSERT_TRUE_MESSAGE(sim_lesson_record(lesson, path, &who, &error), error.text);
    go_on(1.0);
    spoil();
    go_on(1.0);
    TEST_ASSERT_TRUE_MESSAGE(sim_lesson_finish(lesson, "test", &hash, &error), error.text);

    static SimLessonReport report;
    TEST_ASSERT_TRUE(sim_lesson_report(lesson, NULL, NULL, path, &report));
    TEST_ASSERT_EQUAL_INT(REPORT_MARKED, report.data.proof);
    sim_lesson_report_free(&report);

    RecordReader* r = record_open(path, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(r, error.text);
    int told = 0;
    for (uint32_t second = 0; second < record_info(r)->seconds; ++second) {
        const RecordEvent* event;
        for (int k = record_events(r, second, &event); k > 0; --k)
            told += event[k - 1].kind == SIM_EVENT_MENDED;
    }
    record_close(r);
    TEST_ASSERT_EQUAL_INT(1, told);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/marked.mrec", folder);
    UNITY_BEGIN();
    RUN_TEST(one_bad_number_is_told_and_the_lesson_goes_on);
    RUN_TEST(three_within_ten_seconds_end_it);
    RUN_TEST(three_in_a_long_time_do_not);
    RUN_TEST(missing_soil_ends_it);
    RUN_TEST(record_and_report_are_marked);
    remove(path);
    rmdir(folder);
    return UNITY_END();
}
