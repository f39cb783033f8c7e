// What the trainer keeps between two evenings: settings, recordings on their shelf, reports beside them.
#include "app/app.h"
#include "app/app_folder.h"
#include "app/app_papers.h"
#include "app/app_settings.h"
#include "app/app_shelf.h"

#include "lab/lab_args.h"
#include "shell.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unity.h>

static char home[64], records[128];

void setUp(void)
{
    strcpy(home, "/tmp/test_app_kept_XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(home));
    setenv("HOME", home, 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_DATA_HOME");
    snprintf(records, sizeof records, "%s/records", home);
}

void tearDown(void)
{
    shell("chmod -R u+w %s && rm -rf %s", home, home);
}

static bool there(const char* path)
{
    return access(path, F_OK) == 0;
}

// Reads a whole file; "" when there is none.
static const char* text_of(const char* path)
{
    static char text[1 << 16];
    FILE* file = fopen(path, "r");
    size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[got] = '\0';
    if (file) {
        fclose(file);
    }
    return text;
}

static void write_text(const char* path, const char* text)
{
    FILE* file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    fputs(text, file);
    fclose(file);
}

// --- settings ------------------------------------------------------------------------------------

static void settings_come_back_as_they_were_left(void)
{
    AppSettings s, back;
    TEST_ASSERT_TRUE(app_settings_load(&s)); // a first evening: the usual ones
    TEST_ASSERT_EQUAL_INT(70, s.volume);
    TEST_ASSERT_EQUAL_STRING("excavator_22t", s.vehicle);
    TEST_ASSERT_EQUAL_STRING("nobody", s.trainee);
    s.pattern = 1, s.quality = 3, s.volume = 0, s.camera = 5, s.text = 200;
    s.full = s.timings = true;
    s.vehicle = "excavator_2t", s.trainee = "heron_7-b";
    TEST_ASSERT_TRUE(app_settings_save(&s));
    TEST_ASSERT_TRUE(app_settings_load(&back));
    TEST_ASSERT_EQUAL_INT(1, back.pattern);
    TEST_ASSERT_EQUAL_INT(3, back.quality);
    TEST_ASSERT_EQUAL_INT(0, back.volume);
    TEST_ASSERT_EQUAL_INT(5, back.camera);
    TEST_ASSERT_EQUAL_INT(200, back.text);
    TEST_ASSERT_TRUE(back.full && back.timings);
    TEST_ASSERT_EQUAL_STRING("excavator_2t", back.vehicle);
    TEST_ASSERT_EQUAL_STRING("heron_7-b", back.trainee);
}

// Nothing of a bad file is used, not even its good lines.
static void bad_settings_are_ignored_as_a_whole(void)
{
    static const char* const bad[] = {"volume: 20\ncamera: telescope\n",
                                      "volume: 20\nvolume: 30\n",
                                      "volume: 20\ntext: 1e9\n",
                                      "volume: 20\nnonsense: 1\n",
                                      "volume: 20\ntrainee: \"../../etc\"\n",
                                      "\x01\xff{[",
                                      ""};
    char path[200];
    AppSettings s;
    TEST_ASSERT_TRUE(app_settings_load(&s)); // makes the folder
    snprintf(path, sizeof path, "%s/.config/mattock/settings.yaml", home);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        write_text(path, bad[k]);
        TEST_ASSERT_TRUE(app_settings_load(&s));
        TEST_ASSERT_EQUAL_INT_MESSAGE(70, s.volume, bad[k]);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("nobody", s.trainee, bad[k]);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(bad[k], text_of(path), "it was altered");
    }
}

// Where nothing can be kept the trainer runs all the same, and says that nothing is kept.
static void without_a_folder_there_are_the_usual_settings(void)
{
    AppSettings s;
    char path[4096];
    setenv("XDG_CONFIG_HOME", "/proc/none", 1);
    TEST_ASSERT_TRUE(app_settings_load(&s));
    TEST_ASSERT_EQUAL_INT(100, s.text);
    TEST_ASSERT_FALSE(app_settings_save(&s));
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    TEST_ASSERT_TRUE(app_settings_load(&s));
    TEST_ASSERT_FALSE(app_settings_save(&s));
    TEST_ASSERT_FALSE(app_folder_data("records", path, sizeof path));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(path, "neither XDG_DATA_HOME nor HOME"), path);
    setenv("HOME", "not/absolute", 1);
    TEST_ASSERT_FALSE(app_folder_config(path, sizeof path));
    setenv("HOME", home, 1);
    TEST_ASSERT_TRUE(app_folder_data("records", path, sizeof path));
    TEST_ASSERT_TRUE(there(path));
    setenv("XDG_DATA_HOME", home, 1); // which goes first
    TEST_ASSERT_TRUE(app_folder_data("a", path, sizeof path));
    TEST_ASSERT_EQUAL_INT(0, strncmp(path, home, strlen(home)));
    TEST_ASSERT_EQUAL_STRING("/mattock/a", path + strlen(home));
}

// --- the shelf -----------------------------------------------------------------------------------

typedef struct Kept {
    const char *trainee, *lesson;
    int64_t started; // s
    double points;   // < 0: no result
    bool broken;     // left by a crash
    int seconds;
} Kept;

static void keep(const char* path, const Kept* k)
{
    BaseYamlError error;
    unsigned char input[4] = {1, 2, 3, 4};
    RecordHead head = {.program = "0", .rate = 60, .input_bytes = 4, .module_count = 1};
    snprintf(head.trainee, sizeof head.trainee, "%s", k->trainee);
    snprintf(head.driver, sizeof head.driver, "hand");
    snprintf(head.scenario.name, sizeof head.scenario.name, "%s", k->lesson);
    head.started = k->started;
    RecordWriter* w = record_begin(path, &head, 0, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(w, error.text);
    for (uint32_t step = 0; step < 60u * (uint32_t)k->seconds; ++step) {
        record_step(w, step, input);
    }
    if (k->points >= 0.0) {
        record_event(w, SIM_EVENT_PILLARS, 81.0, 62.0, "43.5");
        record_event(w, SIM_EVENT_RESULT, k->points, k->points >= 60.0, "done");
    }
    record_pump(w);
    if (k->broken) {
        record_abandon(w);
    } else {
        TEST_ASSERT_TRUE_MESSAGE(record_finish(w, "done", NULL, &error), error.text);
    }
}

// Five runs of two trainees and one that nobody finished, in folders of their own; returns where one lies.
static const char* fill(const char* name)
{
    static const struct {
        const char* file;
        Kept kept;
    } runs[] = {
        {"heron/1.mrec", {"heron", "pit", 1000, 40.0, false, 2}},
        {"heron/2.mrec", {"heron", "pit", 2000, 66.0, false, 3}},
        {"heron/3.mrec", {"heron", "trench", 3000, -1.0, false, 2}},
        {"wren/4.mrec", {"wren", "pit", 4000, 75.0, false, 2}},
        {"5.mrec", {"", "pit", 5000, 90.0, false, 2}},
        {"wren/6.mrec", {"wren", "pit", 6000, -1.0, true, 4}},
        {"7.mrec", {"", "pit", 7000, -1.0, true, 0}}}; // not a second long: nothing to offer
    static char path[200];
    shell("mkdir -p %s/heron %s/wren %s/.hidden %s/a/b", records, records, records, records);
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; ++k) {
        snprintf(path, sizeof path, "%s/%s", records, runs[k].file);
        keep(path, &runs[k].kept);
    }
    // what is none, is hidden, or lies deeper is not ours
    shell("echo no > %s/none.mrec; cp %s/5.mrec %s/.hidden/; cp %s/5.mrec %s/a/b/; ln -s / %s/root",
          records, records, records, records, records, records);
    snprintf(path, sizeof path, "%s/%s", records, name);
    return path;
}

static void the_shelf_lists_what_was_claimed(void)
{
    static AppRun run[20];
    fill("");
    TEST_ASSERT_EQUAL_INT(6, app_shelf_list(records, run, 20));
    for (int k = 0; k < 6; ++k) {
        TEST_ASSERT_EQUAL_INT64(1000 * (k + 1), run[k].info.head.started);
        TEST_ASSERT_EQUAL(k == 5, run[k].broken);
    }
    TEST_ASSERT_TRUE(run[1].total == 66.0 && run[1].passed && !run[0].passed);
    TEST_ASSERT_TRUE(run[1].pillar[SCORE_SAFETY] == 81.0 && run[1].pillar[SCORE_QUALITY] == 62.0 &&
                     run[1].pillar[SCORE_ECONOMY] == 43.5);
    TEST_ASSERT_TRUE(run[2].total == -1.0 && run[2].pillar[SCORE_SAFETY] == -1.0);
    TEST_ASSERT_TRUE(app_shelf_list(records, run, 3) <= 3);
    TEST_ASSERT_EQUAL_INT(0, app_shelf_list("/none", run, 3));

    AppRun broken;
    TEST_ASSERT_TRUE(app_shelf_broken(records, &broken));
    TEST_ASSERT_NOT_NULL(strstr(broken.path, "wren/6.mrec.part"));
    TEST_ASSERT_EQUAL_UINT32(180, broken.info.steps); // all but the last second
    TEST_ASSERT_FALSE(app_shelf_broken("/none", &broken));
}

// A trend is of one trainee in one lesson, before this run, and without this run itself.
static void a_trend_is_of_one_trainee_in_one_lesson(void)
{
    ReportPast past[REPORT_PAST_MAX];
    RecordHead head = {.trainee = "heron", .scenario = {.name = "pit"}, .started = 9000};
    const char* second = fill("heron/2.mrec");
    TEST_ASSERT_EQUAL_INT(2, app_shelf_past(records, &head, NULL, past));
    TEST_ASSERT_TRUE(past[0].total == 40.0 && past[1].total == 66.0 && past[1].passed);
    head.started = 1500;
    TEST_ASSERT_EQUAL_INT(1, app_shelf_past(records, &head, NULL, past));
    head.started = 9000;
    TEST_ASSERT_EQUAL_INT(1, app_shelf_past(records, &head, second, past));
    TEST_ASSERT_TRUE(past[0].total == 40.0);
    strcpy(head.trainee, ""); // without a name: by whose hands
    TEST_ASSERT_EQUAL_INT(0, app_shelf_past(records, &head, NULL, past));
    strcpy(head.driver, "hand");
    TEST_ASSERT_EQUAL_INT(1, app_shelf_past(records, &head, NULL, past));
}

// Sixteen programs that begin in the same second: sixteen names.
static void no_two_programs_get_the_same_name(void)
{
    enum { PROGRAMS = 16 };
    int ends[2];
    char name[PROGRAMS][APP_SHELF_PATH];
    TEST_ASSERT_EQUAL_INT(0, pipe(ends));
    for (int k = 0; k < PROGRAMS; ++k) {
        if (fork() == 0) {
            char path[APP_SHELF_PATH] = "";
            bool fine = app_shelf_name(records, "heron", "config/scenarios/pit.yaml", path);
            _exit(fine && write(ends[1], path, sizeof path) == sizeof path ? 0 : 1);
        }
    }
    close(ends[1]);
    for (int k = 0; k < PROGRAMS; ++k) {
        size_t got = 0;
        while (got < sizeof name[k]) {
            ssize_t n = read(ends[0], name[k] + got, sizeof name[k] - got);
            TEST_ASSERT_TRUE(n > 0);
            got += (size_t)n;
        }
        for (int other = 0; other < k; ++other) {
            TEST_ASSERT_TRUE_MESSAGE(strcmp(name[other], name[k]) != 0, name[k]);
        }
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(name[k], "/heron/"), name[k]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(name[k], "-pit"), name[k]);
    }
    close(ends[0]);
    while (wait(NULL) > 0) {
    }
}

// A name that was kept is recorded under; given back it leaves nothing, and never a recording.
static void a_kept_name_is_for_one_recording(void)
{
    char path[APP_SHELF_PATH], part[APP_SHELF_PATH + 8];
    BaseYamlError error;
    const Kept kept = {"", "pit", 1, 50.0, false, 1};
    const RecordHead head = {.program = "0", .rate = 60, .input_bytes = 4, .module_count = 1};
    TEST_ASSERT_TRUE(app_shelf_name(records, NULL, "pit", path));
    snprintf(part, sizeof part, "%s.part", path);
    TEST_ASSERT_TRUE(there(part));
    app_shelf_unname(path);
    TEST_ASSERT_FALSE(there(part));
    TEST_ASSERT_TRUE(app_shelf_name(records, NULL, "pit", path));
    snprintf(part, sizeof part, "%s.part", path);
    RecordWriter* w = record_begin(path, &head, 0, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(w, error.text);
    TEST_ASSERT_NULL(record_begin(path, &head, 0, &error)); // taken
    app_shelf_unname(path);
    TEST_ASSERT_TRUE(there(part));
    record_abandon(w);
    TEST_ASSERT_NULL(
        record_begin(path, &head, 0, &error)); // a crash has left it: nobody writes over it
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "File exists"), error.text);
    shell("rm %s && ln -s /dev/null %s", part, part);
    TEST_ASSERT_NULL(record_begin(path, &head, 0, &error)); // nor follows where it leads
    unlink(part);
    keep(path, &kept);
    TEST_ASSERT_TRUE(there(path));
}

static void bad_names_make_no_folders(void)
{
    char path[APP_SHELF_PATH];
    static const char* const bad[] = {"", "..", "a/b", "Heron", "a b", "\xc3\xa4", "x.y"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        TEST_ASSERT_FALSE(app_shelf_is_name(bad[k]));
        TEST_ASSERT_TRUE(app_shelf_name(records, bad[k], "pit", path));
        path[strlen(records)] = '\0';
        TEST_ASSERT_EQUAL_STRING(records, path); // in the folder itself
    }
    TEST_ASSERT_TRUE(app_shelf_is_name("heron_2-b"));
    char longest[62];
    memset(longest, 'a', 61), longest[61] = '\0';
    TEST_ASSERT_FALSE(app_shelf_is_name(longest));
    TEST_ASSERT_TRUE(app_shelf_is_name(longest + 1));
    TEST_ASSERT_FALSE(app_shelf_name("/proc/none", NULL, "pit", path));
    TEST_ASSERT_FALSE(app_shelf_name("/proc", NULL, "pit", path)); // a folder that takes no files
}

static void dates_and_stems(void)
{
    char out[64], day[24];
    app_shelf_stem("/a/b/20260101-pit.mrec.part", out, sizeof out);
    TEST_ASSERT_EQUAL_STRING("20260101-pit", out);
    app_shelf_stem("plain", out, sizeof out);
    TEST_ASSERT_EQUAL_STRING("plain", out);
    app_shelf_stem(".mrec", out, sizeof out);
    TEST_ASSERT_EQUAL_STRING(".mrec", out);
    setenv("TZ", "UTC", 1);
    app_shelf_day(1700000000, day);
    TEST_ASSERT_EQUAL_STRING("2023-11-14 22:13", day);
    app_shelf_day(0, day);
    TEST_ASSERT_EQUAL_STRING("unknown", day);
}

// --- mattock records -----------------------------------------------------------------------------

// Its exit code; what it printed is text_of(said).
static char said[160];

static int command(const char* a, const char* b, const char* c)
{
    char* argv[] = {(char*)"records", (char*)"--folder", records, (char*)a, (char*)b, (char*)c};
    int argc = 3 + (a != NULL) + (b != NULL) + (c != NULL);
    snprintf(said, sizeof said, "%s/said", home);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen(said, "w", stdout) || !freopen("/dev/null", "w", stderr) ||
            !freopen("/dev/null", "r", stdin)) {
            _exit(99);
        }
        exit(app_records(argc, argv));
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void records_are_listed_with_their_trend(void)
{
    fill("");
    TEST_ASSERT_EQUAL_INT(LAB_EXIT_FINE, command(NULL, NULL, NULL));
    const char* text = text_of(said);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "40.0*"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "+26.0"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "(broken off)"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "6 recordings"), text);
    TEST_ASSERT_EQUAL_INT(LAB_EXIT_FINE, command("--lesson", "trench", NULL));
    TEST_ASSERT_NOT_NULL(strstr(text_of(said), "1 recording;"));
    TEST_ASSERT_EQUAL_INT(LAB_EXIT_USAGE, command("--nonsense", NULL, NULL));
    TEST_ASSERT_EQUAL_INT(LAB_EXIT_FINE, command("--help", NULL, NULL));
}

// The list for elsewhere is whole or is not there: an older one stays when it cannot be written.
static void an_export_is_whole_or_not_there(void)
{
    char list[160];
    fill("");
    snprintf(list, sizeof list, "%s/list.csv", home);
    TEST_ASSERT_EQUAL_INT(LAB_EXIT_FINE, command("--export", list, NULL));
    const char* text = text_of(list);
    const char* head =
        "date,trainee,lesson,seconds,points,passed,safety,quality,economy,hash,file\n";
    TEST_ASSERT_EQUAL_INT(0, strncmp(text, head, strlen(head)));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"heron\",\"pit\",3,66.0,1,81.0,62.0,43.5,"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"heron\",\"trench\",2,,,,,,"), text);
    TEST_ASSERT_EQUAL_INT(LAB_EXIT_FILE, command("--export", "/none/list.csv", NULL));
    TEST_ASSERT_EQUAL_INT(LAB_EXIT_FILE, command("--export", "/dev/full", NULL));
}

// All of one pseudonym goes: recordings, what a crash left, and reports, which have the name in them. Nobody
// else's does, nor what merely lies beside.
static void erasing_takes_the_reports_along(void)
{
    fill("");
    shell("cd %s/heron && touch 1.html 1.json 1.csv 1-cycles.csv 1.notes 2.html", records);
    shell("cd %s/wren && touch 4.html", records);
    TEST_ASSERT_EQUAL_INT(LAB_EXIT_FINE, command("--erase", "heron", NULL));
    TEST_ASSERT_NOT_NULL(strstr(text_of(said), "3 recordings and 5 files of reports erased"));
    shell("test \"$(ls %s/heron)\" = 1.notes && test -f %s/wren/4.html && test -f %s/wren/4.mrec",
          records, records, records);
    // what cannot be erased is told by the exit code, and the rest goes all the same
    shell("mkdir %s/wren/4.json", records);
    TEST_ASSERT_EQUAL_INT(LAB_EXIT_FILE, command("--erase", "wren", NULL));
    TEST_ASSERT_NOT_NULL(strstr(text_of(said), "2 recordings and 1 files of reports erased"));
    shell("test \"$(ls %s/wren)\" = 4.json", records);
    TEST_ASSERT_EQUAL_INT(LAB_EXIT_FAILED, command("--erase", "wren", NULL)); // nobody of that name
}

// --- reports -------------------------------------------------------------------------------------

static bool find(const char* name, char* out, size_t size)
{
    snprintf(out, size, "%s", name); // tests start in the root of the sources
    return access(out, F_OK) == 0;
}

static void a_report_lies_beside_its_recording(void)
{
    BaseYamlError error;
    char path[200], html[4096], other[300];
    const InputFrame idle = {0};
    const SimLessonDef def = {"controls", find, 1};
    const SimLessonWho who = {.trainee = "heron", .driver = "hand", .started = 1700000000};
    SimLesson* lesson = sim_lesson_create(&def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
    shell("mkdir -p %s", records);
    snprintf(path, sizeof path, "%s/now.mrec", records);
    TEST_ASSERT_TRUE(sim_lesson_record(lesson, path, &who, &error));
    for (int k = 0; k < 2 * WORLD_RATE; ++k) {
        sim_lesson_step(lesson, &idle);
        sim_lesson_pump(lesson);
    }
    TEST_ASSERT_NULL(sim_lesson_news(lesson));
    TEST_ASSERT_TRUE_MESSAGE(sim_lesson_finish(lesson, "test", NULL, &error), error.text);
    TEST_ASSERT_TRUE_MESSAGE(app_papers_of(lesson, path, html, &error), error.text);
    for (int k = 0; app_papers_ends[k]; ++k) {
        snprintf(other, sizeof other, "%s/now%s", records, app_papers_ends[k]);
        TEST_ASSERT_TRUE_MESSAGE(text_of(other)[0] != '\0', other);
    }
    snprintf(other, sizeof other, "%s/now.html", records);
    TEST_ASSERT_EQUAL_STRING(other, html);
    TEST_ASSERT_NOT_NULL(strstr(text_of(html), "heron"));
    // without its recording there is no report, and one that cannot be written is named
    snprintf(other, sizeof other, "%s/none.mrec", records);
    TEST_ASSERT_FALSE(app_papers_of(lesson, other, html, &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "none.mrec"), error.text);
    shell("rm %s/now.json && mkdir %s/now.json", records, records);
    TEST_ASSERT_FALSE(app_papers_of(lesson, path, html, &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "now.json"), error.text);
    sim_lesson_destroy(lesson);
}

static void a_page_is_opened_by_the_desktop_s_own_program(void)
{
    char path[200];
    snprintf(path, sizeof path, "%s/bin", home);
    setenv("PATH", path, 1);
    TEST_ASSERT_FALSE(app_papers_open("/a page.html")); // there is none
    setenv("PATH", "/usr/bin:/bin", 1);
    shell("mkdir %s && printf '#!/bin/sh\\nprintf %%s \"$1\" > %s/opened\\n' > %s/xdg-open && "
          "chmod +x %s/xdg-open",
          path, home, path, path);
    char with[300];
    snprintf(with, sizeof with, "/none::%s:/usr/bin:/bin", path);
    setenv("PATH", with, 1);
    snprintf(path, sizeof path, "%s/opened", home);
    TEST_ASSERT_TRUE(app_papers_open("/a page.html"));
    for (int k = 0; k < 500 && !text_of(path)[0]; ++k) {
        usleep(10000);
    }
    TEST_ASSERT_EQUAL_STRING("/a page.html", text_of(path));
    signal(SIGCHLD, SIG_DFL);
    setenv("PATH", "/usr/bin:/bin", 1);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(settings_come_back_as_they_were_left);
    RUN_TEST(bad_settings_are_ignored_as_a_whole);
    RUN_TEST(without_a_folder_there_are_the_usual_settings);
    RUN_TEST(the_shelf_lists_what_was_claimed);
    RUN_TEST(a_trend_is_of_one_trainee_in_one_lesson);
    RUN_TEST(no_two_programs_get_the_same_name);
    RUN_TEST(a_kept_name_is_for_one_recording);
    RUN_TEST(bad_names_make_no_folders);
    RUN_TEST(dates_and_stems);
    RUN_TEST(records_are_listed_with_their_trend);
    RUN_TEST(an_export_is_whole_or_not_there);
    RUN_TEST(erasing_takes_the_reports_along);
    RUN_TEST(a_report_lies_beside_its_recording);
    RUN_TEST(a_page_is_opened_by_the_desktop_s_own_program);
    return UNITY_END();
}
