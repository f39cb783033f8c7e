// Lesson files: the shipped ones are fine, more than two hundred broken ones are told what is wrong.
#include "scenario/scenario.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#define LESSONS   "config/scenarios"
#define CORPUS    "tests/unit/corpus/scenario"
#define MARK      "# expect: "
#define ARENA_MAX (64u << 20)

static BaseArena arena;
static BaseYamlError error;
static Scenario lesson;

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, ARENA_MAX));
    memset(&lesson, 0, sizeof lesson);
}

void tearDown(void)
{
    base_arena_free(&arena);
}

// Shipped files, as they lie in the repository.
static bool find(const char* name, char* path, size_t size)
{
    snprintf(path, size, "%s", name);
    return access(path, R_OK) == 0;
}

// Reads the lesson, builds its ground with the soils of its weather.
static bool load_all(const char* path)
{
    ScenarioWeathers weathers;
    MaterialSet materials;
    SiteInfo info;
    if (!scenario_load(path, find, &arena, &lesson, &error)) {
        return false;
    }
    TEST_ASSERT_TRUE(scenario_weather_load("config/weather.yaml", &arena, &weathers, &error));
    TEST_ASSERT_TRUE(material_load("config/materials.yaml", &arena, &materials, &error));
    scenario_weather_apply(scenario_weather(&weathers, lesson.weather), &materials, NULL);
    Terrain* terrain = scenario_build_site(&lesson, path, find, &materials, &arena, &info, &error);
    terrain_destroy(terrain);
    return terrain != NULL;
}

static int for_each(const char* folder, void (*what)(const char* path))
{
    int files = 0;
    DIR* dir = opendir(folder);
    TEST_ASSERT_NOT_NULL_MESSAGE(dir, "run from the root of the repository");
    for (struct dirent* entry; (entry = readdir(dir)) != NULL;) {
        const char* end = strrchr(entry->d_name, '.');
        if (end && strcmp(end, ".yaml") == 0) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            base_arena_rewind(&arena, 0);
            what(path);
            ++files;
        }
    }
    closedir(dir);
    return files;
}

// --- what is shipped -----------------------------------------------------------------------------

static void expect_lesson(const char* path)
{
    TEST_ASSERT_TRUE_MESSAGE(load_all(path), error.text);
    TEST_ASSERT_TRUE_MESSAGE(scenario_recognise(path), path);
    TEST_ASSERT_GREATER_THAN_INT(2, lesson.criterion_count);
    TEST_ASSERT_GREATER_THAN_UINT64(60, strlen(lesson.instructions));
    TEST_ASSERT_GREATER_THAN_UINT64(20, strlen(lesson.description));
    // every goal says what to do, and all three pillars are judged
    bool judged[SCORE_PILLARS] = {false};
    for (int k = 0; k < lesson.goal_count; ++k) {
        TEST_ASSERT_NOT_NULL_MESSAGE(lesson.goals[k].hint, path);
    }
    for (int k = 0; k < lesson.rules.count; ++k) {
        judged[lesson.rules.criterion[k].pillar] = true;
    }
    TEST_ASSERT_TRUE_MESSAGE(judged[0] && judged[1] && judged[2], path);
}

static void every_shipped_lesson_is_fine(void)
{
    TEST_ASSERT_GREATER_OR_EQUAL_INT(14, for_each(LESSONS, expect_lesson));
    TEST_ASSERT_FALSE(scenario_recognise("config/sites/quarry.yaml"));
    TEST_ASSERT_FALSE(scenario_recognise("config/materials.yaml"));
    TEST_ASSERT_FALSE(scenario_recognise("/"));
}

// What the file leaves out, and what it says, arrives in SI.
static void a_lesson_arrives_in_si(void)
{
    TEST_ASSERT_TRUE_MESSAGE(load_all(LESSONS "/trench.yaml"), error.text);
    TEST_ASSERT_TRUE(lesson.time_limit == 1500.0f);
    const ScenarioGoal* g = &lesson.goals[0];
    TEST_ASSERT_TRUE(g->trench && g->tolerance == 0.08f && g->done == 0.75f);
    TEST_ASSERT_TRUE(g->trench->grade == 0.02f);
    TEST_ASSERT_TRUE(lesson.machine.heading == (float)BASE_PI);
    TEST_ASSERT_TRUE(lesson.machine.boom < -1e20f);
    TEST_ASSERT_EQUAL_INT(SCENARIO_DIG_TRENCH, lesson.operator.program);
    TEST_ASSERT_EQUAL_STRING("spoil", lesson.operator.dump);
    const ScoreCriterion* c = &lesson.rules.criterion[0];
    TEST_ASSERT_EQUAL_INT(SCORE_IN_TOLERANCE, c->measure);
    TEST_ASSERT_TRUE(c->at_least == 75.0 && c->at_most == SCORE_UNBOUNDED && c->margin == 45.0);
}

// A site may be a file beside the lesson.
static void a_site_may_lie_beside(void)
{
    const char* text = "title: Own\nfree: true\nsite: ../sites/quarry.yaml\n"
                       "machine: {vehicle: excavator_22t, at: [30 m, 20 m]}\n";
    char path[] = LESSONS "/.test_scenario.tmp";
    FILE* file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL(file);
    fputs(text, file);
    fclose(file);
    bool fine = load_all(path);
    remove(path);
    TEST_ASSERT_TRUE_MESSAGE(fine, error.text);
}

// --- bad files -----------------------------------------------------------------------------------

static void expect_refused(const char* path)
{
    char expected[1024], full[1200];
    FILE* file = fopen(path, "r");
    TEST_ASSERT_TRUE_MESSAGE(file && fgets(expected, sizeof expected, file), path);
    fclose(file);
    TEST_ASSERT_TRUE_MESSAGE(strncmp(expected, MARK, strlen(MARK)) == 0, path);
    expected[strcspn(expected, "\n")] = '\0';
    size_t used = arena.used;
    TEST_ASSERT_FALSE_MESSAGE(load_all(path), path);
    snprintf(full, sizeof full, "%s:%s", path, expected + strlen(MARK));
    // "..." at its end stands for a list of shipped files, which grows
    char *open = strstr(full, "..."), said[sizeof error.text];
    snprintf(said, sizeof said, "%s", error.text);
    if (open && strlen(said) > (size_t)(open - full))
        said[open - full] = *open = '\0';
    TEST_ASSERT_EQUAL_STRING(full, said);
    (void)used;
}

// Each is answered with exactly the sentence in its first line: the place, what, and what is allowed.
static void the_corpus_is_refused_file_by_file(void)
{
    TEST_ASSERT_GREATER_OR_EQUAL_INT(200, for_each(CORPUS, expect_refused));
}

// A refused lesson leaves the one that was there, and the arena, as they were.
static void nothing_is_half_loaded(void)
{
    TEST_ASSERT_TRUE(scenario_load(LESSONS "/pit.yaml", find, &arena, &lesson, &error));
    Scenario before = lesson;
    size_t used = arena.used;
    const char* const bad[] = {"measure-unknown", "operator-goal", "vehicle-unknown", "quote-open"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        char path[256];
        snprintf(path, sizeof path, CORPUS "/%s.yaml", bad[k]);
        TEST_ASSERT_FALSE(scenario_load(path, find, &arena, &lesson, &error));
        TEST_ASSERT_EQUAL_MEMORY(&before, &lesson, sizeof before);
        TEST_ASSERT_EQUAL_UINT64(used, arena.used);
    }
}

// Cut anywhere, or with any byte altered: answered, never a crash, never half a lesson.
static void every_cut_and_flip_is_survived(void)
{
    static char text[8192], copy[8192];
    FILE* file = fopen(LESSONS "/utilities.yaml", "r");
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    const char bytes[] = {'\0', '\n', ':', '-', '{', ']', '9', '\xff'};
    for (size_t cut = 0; cut < length; cut += 7) {
        scenario_read("cut", text, cut, &arena, &lesson, &error);
        base_arena_rewind(&arena, 0);
    }
    for (size_t at = 0; at < length; at += 3) {
        memcpy(copy, text, length);
        copy[at] = bytes[at / 3 % sizeof bytes];
        scenario_read("flip", copy, length, &arena, &lesson, &error);
        base_arena_rewind(&arena, 0);
    }
}

// --- weather -------------------------------------------------------------------------------------

static void weather_changes_the_soils(void)
{
    ScenarioWeathers w;
    MaterialSet dry, wet;
    MaterialCalibration calibration;
    TEST_ASSERT_TRUE(scenario_weather_load("config/weather.yaml", &arena, &w, &error));
    TEST_ASSERT_TRUE(material_load("config/materials.yaml", &arena, &dry, &error));
    TEST_ASSERT_TRUE(material_load("config/materials.yaml", &arena, &wet, &error));
    TEST_ASSERT_TRUE(
        material_load_calibration("config/calibration.yaml", &arena, &calibration, &error));
    MaterialGrain grain = *material_find_grain(&calibration, "clay");
    Material clay = *material_find(&wet, "clay");
    scenario_weather_apply(scenario_weather(&w, SCENARIO_WET), &wet, &calibration);
    scenario_weather_apply(scenario_weather(&w, SCENARIO_DRY), &dry, NULL);
    const Material* after = material_find(&wet, "clay");
    TEST_ASSERT_TRUE(after->cohesion == clay.cohesion * 0.6f);
    TEST_ASSERT_TRUE(after->steel_adhesion == clay.steel_adhesion * 1.6f);
    TEST_ASSERT_TRUE(after->density_bank == clay.density_bank * 1.08f);
    TEST_ASSERT_TRUE(material_find(&dry, "clay")->steel_adhesion < clay.steel_adhesion);
    const MaterialGrain* moved = material_find_grain(&calibration, "clay");
    TEST_ASSERT_TRUE(moved->slope < grain.slope && moved->friction < grain.friction &&
                     moved->friction > 0.0f);
    // moist is what the file states
    Material same = *material_find(&dry, "loam"), kept = same;
    MaterialSet one = {&same, 1};
    scenario_weather_apply(scenario_weather(&w, SCENARIO_MOIST), &one, NULL);
    TEST_ASSERT_EQUAL_MEMORY(&kept, &same, sizeof same);
}

// With an argument: prints the message for one file, for those who write a new corpus file.
int main(int argc, char** argv)
{
    if (argc == 2) {
        setUp();
        puts(load_all(argv[1]) ? "accepted" : error.text);
        return 0;
    }
    UNITY_BEGIN();
    RUN_TEST(every_shipped_lesson_is_fine);
    RUN_TEST(a_lesson_arrives_in_si);
    RUN_TEST(a_site_may_lie_beside);
    RUN_TEST(the_corpus_is_refused_file_by_file);
    RUN_TEST(nothing_is_half_loaded);
    RUN_TEST(every_cut_and_flip_is_survived);
    RUN_TEST(weather_changes_the_soils);
    return UNITY_END();
}
