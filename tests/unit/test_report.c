// Reports: whole pages, harmless texts, the right numbers, and no old file lost.
#include "report/report_text.h"
#include "report_scene.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[64];
static char* page;

static const char* in_folder(const char* name)
{
    static char path[4][128];
    static int turn;
    char* out = path[turn++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

void setUp(void)
{
    strcpy(folder, "/tmp/mattock-report-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
}

void tearDown(void)
{
    char command[128];
    free(page);
    page = NULL;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    TEST_ASSERT_EQUAL_INT(0, system(command));
}

static void read_page(const char* path)
{
    FILE* file = fopen(path, "rb");
    TEST_ASSERT_NOT_NULL(file);
    free(page);
    page = calloc(1, 1 << 21);
    TEST_ASSERT_NOT_NULL(page);
    size_t length = fread(page, 1, (1 << 21) - 1, file);
    fclose(file);
    TEST_ASSERT_TRUE(length > 0 && strlen(page) == length);
}

static void make_page(const ReportData* d)
{
    BaseYamlError error = {.text = ""};
    TEST_ASSERT_TRUE_MESSAGE(report_html(d, in_folder("r.html"), &error), error.text);
    read_page(in_folder("r.html"));
}

static void expect_text(const char* text)
{
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(page, text), text);
}

static void expect_no_text(const char* text)
{
    TEST_ASSERT_NULL_MESSAGE(strstr(page, text), text);
}

// Elements that must be closed are, in the right order.
static void expect_nested(void)
{
    char open[64][12];
    int depth = 0;
    for (const char* at = strchr(page, '<'); at; at = strchr(at + 1, '<')) {
        const char* end = strchr(at, '>');
        TEST_ASSERT_NOT_NULL(end);
        bool closing = at[1] == '/', alone = end[-1] == '/';
        char name[12] = "";
        sscanf(at + 1 + closing, "%11[a-z0-9]", name);
        if (strcmp(name, "meta") == 0 || at[1] == '!' || alone) {
            continue;
        }
        if (closing) {
            TEST_ASSERT_TRUE(depth > 0);
            TEST_ASSERT_EQUAL_STRING(open[--depth], name);
        } else {
            TEST_ASSERT_TRUE(depth < 64);
            strcpy(open[depth++], name);
        }
    }
    TEST_ASSERT_EQUAL_INT(0, depth);
}

// --- the page ------------------------------------------------------------------------------------

// One file that needs no other, holds no senseless number, and says what was reached.
static void a_page_is_whole(void)
{
    ReportData d = scene_report();
    make_page(&d);
    expect_nested();
    const char* const foreign[] = {"http:",  "https:",  "src=", "@import",
                                   "url(\"", "<script", "<link"};
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; ++k) {
        expect_no_text(foreign[k]);
    }
    // no number can have come out of nothing
    expect_no_text("nan");
    expect_no_text("\"inf");
    expect_no_text(" inf");
    char total[64], advice[64];
    snprintf(total, sizeof total, "<div class=\"n\">%.0f</div>", scene_result.total);
    expect_text(total);
    expect_text("Not passed");
    expect_text("Three things to fix first");
    snprintf(advice, sizeof advice, "costs %.0f points", scene_advice[0].lost);
    expect_text(advice);
    expect_text("5a5a1234cafe4321");
    expect_text("Verified: played again");
    expect_text("2024-03-04");
    expect_text("Instructor's note</h2>");
    TEST_ASSERT_LESS_THAN_UINT64(400000, strlen(page));
}

// Every measure that is known stands on the page with its value.
static void every_measure_is_shown(void)
{
    ReportData d = scene_report();
    make_page(&d);
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        char row[200], text[64];
        snprintf(row, sizeof row, "<tr><td>%s</td><td class=\"r\"><b>%s</b></td>",
                 score_measure((ScoreMeasure)m)->title, report_value(text, m, value[m]));
        if (value[m].known) {
            expect_text(row);
        }
    }
}

// What people and files are called cannot break the page.
static void strange_texts_are_harmless(void)
{
    ReportData d = scene_report();
    const ReportEvent events[] = {{5.0, "</p><script>alert(1)</script>", false, 1}};
    d.trainee = "<img src=x onerror=alert('1')>";
    d.title = "a & b \"c\" <d>";
    d.note = "line\nline <b>";
    d.device = "Stick\x01\x1b[31m";
    d.recording = "../../x'y\".mrec";
    d.events = events;
    d.event_count = 1;
    make_page(&d);
    expect_nested();
    expect_no_text("<script");
    expect_no_text("<img");
    expect_no_text("\x1b");
    expect_text("a &amp; b &quot;c&quot; &lt;d&gt;");
    expect_text("&lt;img src=x onerror=alert(&#39;1&#39;)&gt;");
}

// Times in the advice lead to their flags; what happened is told by letters, mishaps more than once by count.
static void moments_are_marked_and_linked(void)
{
    ReportData d = scene_report();
    char link[64], flag[64], clock[16];
    make_page(&d);
    for (int k = 0; k < d.advices; ++k) {
        for (int n = 0; n < d.advice[k].times; ++n) {
            snprintf(link, sizeof link, "<a href=\"#fix%d-%d\">%s</a>", k + 1, n + 1,
                     score_clock(clock, d.advice[k].time[n]));
            snprintf(flag, sizeof flag, "<g id=\"fix%d-%d\"", k + 1, n + 1);
            expect_text(link);
            expect_text(flag);
        }
    }
    TEST_ASSERT_GREATER_THAN_INT(0, d.advice[0].times);
    expect_text("<b class=\"fail\">B</b> 2:48 hit against a truck, 2 times</li>");
    expect_text("<b class=\"soft\">E</b> 5:48 a truck stands to be loaded</li>");
}

// A hundred events on one second: those that have a letter are shown, none out of the picture.
static void many_events_fit(void)
{
    static ReportEvent events[100];
    ReportData d = scene_report();
    for (int k = 0; k < 100; ++k) {
        events[k] = (ReportEvent){60.0 + 0.01 * k, "x", k % 2 == 0, 1};
    }
    d.events = events;
    d.event_count = 100;
    make_page(&d);
    expect_nested();
    expect_text("<b class=\"soft\">z</b> 1:00 x</li>");
}

// A run that the simulation had to mend, or that does not come out again, says so before its points are read.
static void doubt_stands_above_everything(void)
{
    ReportData d = scene_report();
    make_page(&d);
    expect_no_text("class=\"warn\"");
    d.proof = REPORT_MARKED;
    d.proof_text = "one grain was put back";
    make_page(&d);
    expect_text("This run is marked");
    TEST_ASSERT_TRUE(strstr(page, "one grain was put back") <
                     strstr(page, "<div class=\"pillars\""));
    d.proof = REPORT_DIFFERS;
    make_page(&d);
    expect_text("This result is not genuine");
}

// Whose the first part of the run was is said before its points are read, and to programs.
static void a_run_that_was_taken_over_says_so(void)
{
    ReportData d = scene_report();
    BaseYamlError error;
    make_page(&d);
    expect_no_text("Taken over at");
    d.parent_hash = 0x77;
    d.parent_time = 300.0;
    d.parent = "2026-heron<.mrec";
    make_page(&d);
    expect_text("<b>Taken over at 5:00.</b> Until then it is the run 2026-heron&lt;.mrec, and all");
    TEST_ASSERT_TRUE(strstr(page, "Taken over at") < strstr(page, "<div class=\"pillars\""));
    TEST_ASSERT_TRUE(report_json(&d, in_folder("r.json"), &error));
    read_page(in_folder("r.json"));
    expect_text("\"at_s\": 300");
    expect_text("\"hash\": \"0000000000000077\"");
}

// Each printed sheet says whose it is; a title cannot leave the style sheet.
static void sheets_are_named(void)
{
    ReportData d = scene_report();
    d.title = "a\"}b</style>\\";
    make_page(&d);
    expect_text("@bottom-left");
    expect_text("content:\"a\\000022\\00007db\\00003c\\00002fstyle\\00003e\\00005c");
    expect_text("recording 5a5a1234cafe4321\"}");
    TEST_ASSERT_TRUE(strstr(page, "</style>") > strstr(page, "counter(pages)"));
}

// A lesson in which nothing happened, without expert, plan, past, files or criteria.
static void an_empty_lesson_has_a_page(void)
{
    hand_start();
    scene_score = score;
    ScoreRules none = {.pillar_weight = {1, 1, 1}};
    score_values(&score, value);
    score_judge(&none, value, &scene_result);
    ReportData d = {.title = "14. Free practice",
                    .score = &scene_score,
                    .rules = &none,
                    .result = &scene_result,
                    .expert_total = -1.0};
    make_page(&d);
    expect_nested();
    expect_text("Practice");
    expect_text("Nothing is judged in this lesson.");
    // what there is nothing of takes no room
    expect_no_text("Working cycles</h2>");
    expect_no_text("Trend</h2>");
    expect_no_text("up to 0.0 t");
    expect_no_text("nan");
}

// A fault that ends everything is said first.
static void a_critical_fault_is_said_first(void)
{
    ReportData d = scene_report();
    scene_rules.criterion[3].severity = SCORE_CRITICAL;
    score_judge(&scene_rules, value, &scene_result);
    d.proof = REPORT_DIFFERS;
    d.proof_text = "differs from second 0:07 on";
    make_page(&d);
    expect_text("Failed by one critical fault: Hits against a truck.");
    expect_text("Does NOT verify");
    expect_text("differs from second 0:07 on");
    scene_rules.criterion[3].severity = SCORE_MAJOR;
}

// Two hours with hundreds of cycles: still a page that a browser opens at once.
static void a_long_lesson_has_a_small_page(void)
{
    ReportData d = scene_report();
    scene_drive(0.3, 500);
    scene_judge();
    scene_score = score;
    make_page(&d);
    expect_nested();
    TEST_ASSERT_LESS_THAN_UINT64(700000, strlen(page));
}

// --- for programs --------------------------------------------------------------------------------

static int count_lines(void)
{
    int lines = 0;
    for (const char* at = page; *at; ++at) {
        lines += *at == '\n';
    }
    return lines;
}

static void tables_have_a_line_each(void)
{
    ReportData d = scene_report();
    BaseYamlError error;
    TEST_ASSERT_TRUE(report_csv(&d, in_folder("r.csv"), &error));
    read_page(in_folder("r.csv"));
    TEST_ASSERT_EQUAL_INT(1 + SCORE_MEASURE_COUNT + SCORE_PILLARS + 1, count_lines());
    expect_text("measure,unit,value,expert,points\n");
    expect_text("\ntruck_hits,,1,0,0\n");
    TEST_ASSERT_TRUE(report_cycles_csv(&d, in_folder("c.csv"), &error));
    read_page(in_folder("c.csv"));
    TEST_ASSERT_EQUAL_INT(1 + scene_score.cycles, count_lines());
}

static void json_holds_the_result(void)
{
    ReportData d = scene_report();
    BaseYamlError error;
    TEST_ASSERT_TRUE(report_json(&d, in_folder("r.json"), &error));
    read_page(in_folder("r.json"));
    expect_text("\"format\": \"mattock report 1\"");
    expect_text("\"passed\": false");
    expect_text("\"recording_hash\": \"5a5a1234cafe4321\"");
    expect_text("\"proof\": \"verified\"");
    expect_text("\"truck_hits\": 1");
    expect_text("\"reaction_time\": null");
    expect_text("\"fix_first\"");
    expect_text("\"severity\": \"");
    expect_no_text("\"taken_over\"");
}

// What stands behind `key` in a text, up to the next comma or line's end.
static void cut(const char* text, const char* key, char out[64])
{
    const char* at = strstr(text, key);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, key);
    snprintf(out, 64, "%.*s", (int)strcspn(at + strlen(key), ",\n"), at + strlen(key));
}

// JSON and CSV say the same about everything, to the last digit; what is unknown is null in one, empty in the other.
static void json_and_csv_agree(void)
{
    static char json[1 << 20];
    ReportData d = scene_report();
    BaseYamlError error;
    char key[80], a[64], b[64];
    TEST_ASSERT_TRUE(report_json(&d, in_folder("r.json"), &error));
    read_page(in_folder("r.json"));
    TEST_ASSERT_TRUE(strlen(page) < sizeof json);
    strcpy(json, page);
    TEST_ASSERT_TRUE(report_csv(&d, in_folder("r.csv"), &error));
    read_page(in_folder("r.csv"));
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        const ScoreMeasureInfo* info = score_measure((ScoreMeasure)m);
        snprintf(key, sizeof key, "\"%s\": ", info->name);
        cut(strstr(json, "\"measures\""), key, a);
        snprintf(key, sizeof key, "\n%s,%s,", info->name, info->unit);
        cut(page, key, b);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(strcmp(a, "null") == 0 ? "" : a, b, key);
    }
    const char* const whole[] = {"safety", "quality", "economy", "total"};
    for (int k = 0; k < 4; ++k) {
        snprintf(key, sizeof key, "\"%s\": ", whole[k]);
        cut(json, key, a);
        snprintf(key, sizeof key, "\n%s,points,", whole[k]);
        cut(page, key, b);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(a, b, key);
    }
}

// --- the disk ------------------------------------------------------------------------------------

static void a_bad_place_is_told_and_the_old_stays(void)
{
    ReportData d = scene_report();
    BaseYamlError error;
    TEST_ASSERT_FALSE(report_html(&d, "/none/such/r.html", &error));
    TEST_ASSERT_EQUAL_STRING("/none/such/r.html: cannot be written: No such file or directory",
                             error.text);
    make_page(&d);
    size_t before = strlen(page);
    d.title = NULL;
    TEST_ASSERT_FALSE(report_html(&d, in_folder("none/r.html"), &error));
    read_page(in_folder("r.html"));
    TEST_ASSERT_EQUAL_UINT64(before, strlen(page));
}

// With an argument: writes the scene's report into that folder, to be looked at.
int main(int argc, char** argv)
{
    if (argc == 2) {
        BaseYamlError error;
        ReportData d = scene_report();
        strcpy(folder, "");
        char path[256];
        snprintf(path, sizeof path, "%.200s/report.html", argv[1]);
        return report_html(&d, path, &error) ? 0 : 1;
    }
    UNITY_BEGIN();
    RUN_TEST(a_page_is_whole);
    RUN_TEST(every_measure_is_shown);
    RUN_TEST(strange_texts_are_harmless);
    RUN_TEST(moments_are_marked_and_linked);
    RUN_TEST(many_events_fit);
    RUN_TEST(doubt_stands_above_everything);
    RUN_TEST(a_run_that_was_taken_over_says_so);
    RUN_TEST(sheets_are_named);
    RUN_TEST(an_empty_lesson_has_a_page);
    RUN_TEST(a_critical_fault_is_said_first);
    RUN_TEST(a_long_lesson_has_a_small_page);
    RUN_TEST(tables_have_a_line_each);
    RUN_TEST(json_holds_the_result);
    RUN_TEST(json_and_csv_agree);
    RUN_TEST(a_bad_place_is_told_and_the_old_stays);
    return UNITY_END();
}
