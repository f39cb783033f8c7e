// The expert's values: what is written is read again, bad files are refused, those shipped are in order.
#include "scenario/scenario_yardstick.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#define FOLDER "config/scenarios/expert"

static BaseArena arena;
static BaseYamlError error;
static ScenarioYardstick read_back;

void setUp(void)
{
    base_arena_init(&arena, (size_t)4 << 20);
}

void tearDown(void)
{
    base_arena_free(&arena);
}

static const char* scratch(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/yardstick-%d.yaml", (int)getpid());
    return path;
}

static void what_is_written_is_read(void)
{
    ScenarioYardstick y = {
        .lesson = "pit", .program = "0.1.0", .scenario = "0123456789abcdef", .points = 93.5};
    y.value[SCORE_CYCLE_TIME] = (ScoreValue){16.25, true};
    y.value[SCORE_SLAMS] = (ScoreValue){0.0, true};
    TEST_ASSERT_TRUE(scenario_yardstick_write(scratch(), &y));
    TEST_ASSERT_TRUE(scenario_yardstick_recognise(scratch()));
    TEST_ASSERT_TRUE_MESSAGE(scenario_yardstick_load(scratch(), &arena, &read_back, &error),
                             error.text);
    TEST_ASSERT_EQUAL_STRING("pit", read_back.lesson);
    TEST_ASSERT_EQUAL_STRING("0123456789abcdef", read_back.scenario);
    TEST_ASSERT_TRUE(fabs(read_back.points - 93.5) < 1e-9);
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        TEST_ASSERT_EQUAL(y.value[m].known, read_back.value[m].known);
        TEST_ASSERT_TRUE(fabs(y.value[m].value - read_back.value[m].value) < 1e-6);
    }
    unlink(scratch());
}

static void refuse(const char* text, const char* want)
{
    FILE* file = fopen(scratch(), "w");
    fputs(text, file);
    fclose(file);
    TEST_ASSERT_FALSE(scenario_yardstick_load(scratch(), &arena, &read_back, &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, want), error.text);
    unlink(scratch());
}

static void bad_files_are_refused(void)
{
#define HEAD "lesson: pit\nprogram: x\nscenario: 0123456789abcdef\npoints: 90\n"
    refuse(HEAD "measures: {cycle_tme: 3}\n", "did you mean cycle_time");
    refuse(HEAD "measures: {cycle_time: nan}\n", "cycle_time");
    refuse("lesson: pit\nprogram: x\nscenario: 12\npoints: 90\nmeasures: {time: 1}\n", "scenario");
    refuse(
        "lesson: pit\nprogram: x\nscenario: 0123456789abcdef\npoints: 101\nmeasures: {time: 1}\n",
        "points");
    refuse("lesson: pit\n", "program: missing");
}

static void it_lies_beside_the_lesson(void)
{
    char path[64];
    TEST_ASSERT_TRUE(scenario_yardstick_path("a/b/pit.yaml", path, sizeof path));
    TEST_ASSERT_EQUAL_STRING("a/b/expert/pit.yaml", path);
    TEST_ASSERT_TRUE(scenario_yardstick_path("pit.yaml", path, sizeof path));
    TEST_ASSERT_EQUAL_STRING("expert/pit.yaml", path);
    TEST_ASSERT_FALSE(scenario_yardstick_path("a/b/pit.yaml", path, 10));
}

// All that are shipped: of a lesson that is shipped, reached to its end, and passed.
static void the_shipped_ones_are_of_lessons_that_were_passed(void)
{
    DIR* folder = opendir(FOLDER);
    int count = 0;
    TEST_ASSERT_NOT_NULL(folder);
    for (struct dirent* entry; (entry = readdir(folder));) {
        char path[320], lesson[320];
        if (!strstr(entry->d_name, ".yaml")) {
            continue;
        }
        snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
        snprintf(lesson, sizeof lesson, "config/scenarios/%s", entry->d_name);
        TEST_ASSERT_TRUE_MESSAGE(scenario_yardstick_load(path, &arena, &read_back, &error),
                                 error.text);
        TEST_ASSERT_TRUE_MESSAGE(access(lesson, R_OK) == 0, lesson);
        TEST_ASSERT_TRUE_MESSAGE(
            strncmp(entry->d_name, read_back.lesson, strlen(read_back.lesson)) == 0, path);
        TEST_ASSERT_TRUE_MESSAGE(read_back.value[SCORE_COMPLETION].value > 99.9, path);
        TEST_ASSERT_TRUE_MESSAGE(read_back.points >= 60.0, path);
        ++count;
    }
    closedir(folder);
    TEST_ASSERT_TRUE(count >= 3);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(what_is_written_is_read);
    RUN_TEST(bad_files_are_refused);
    RUN_TEST(it_lies_beside_the_lesson);
    RUN_TEST(the_shipped_ones_are_of_lessons_that_were_passed);
    return UNITY_END();
}
