// qualify: a miss lowers the level and stays on the page; the master comes back as it was frozen.
#include "qualify/qualify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

static QualifyRun run;
static BaseArena arena;
static char path[64];

static int index_of(const char* experiment)
{
    for (int i = 0; qualify_specs[i].experiment; ++i)
        if (strcmp(qualify_specs[i].experiment, experiment) == 0)
            return i;
    TEST_FAIL_MESSAGE(experiment);
    return -1;
}

void setUp(void)
{
    run = (QualifyRun){.quick = true, .threads = 1};
    TEST_ASSERT_TRUE(base_arena_init(&arena, 16u << 20));
    snprintf(path, sizeof path, "/tmp/test_qualify.%d", rand());
}

void tearDown(void)
{
    for (int i = 0; qualify_specs[i].experiment; ++i)
        lab_report_free(&run.result[i].report);
    base_arena_free(&arena);
    remove(path);
}

// Soil and machine is A, a missed soil test leaves B, a missed machine test C, missed controls nothing;
// what could not run, is not built, or was left out counts like a miss.
static void every_kind_of_miss_lowers_the_level(void)
{
    TEST_ASSERT_EQUAL_STRING("A", qualify_level(&run));
    for (QualifyVerdict v = QUALIFY_MISSED; v <= QUALIFY_LEFT; ++v) {
        run.result[index_of("bed")].verdict = v;
        TEST_ASSERT_EQUAL_STRING("B", qualify_level(&run));
        run.result[index_of("swing")].verdict = v;
        TEST_ASSERT_EQUAL_STRING("C", qualify_level(&run));
        run.result[index_of("controls")].verdict = v;
        TEST_ASSERT_EQUAL_STRING("none", qualify_level(&run));
        run.result[index_of("bed")].verdict = QUALIFY_PASSED;
        TEST_ASSERT_EQUAL_STRING("none", qualify_level(&run));
        run.result[index_of("swing")].verdict = run.result[index_of("controls")].verdict =
            QUALIFY_PASSED;
        TEST_ASSERT_EQUAL_STRING("A", qualify_level(&run));
    }
}

// Numbers are unique: each is a link on the page.
static void every_test_has_a_number_of_its_own(void)
{
    int count = 0;
    for (int i = 0; qualify_specs[i].experiment; ++i, ++count)
        for (int j = 0; j < i; ++j)
            TEST_ASSERT_TRUE(strcmp(qualify_specs[i].number, qualify_specs[j].number) != 0);
    TEST_ASSERT_TRUE(count < QUALIFY_TESTS_MAX);
}

// No experiment is left out of the guide, and none is asked for that is not there. `calibrate` is a tool:
// what it finds is judged by `wall`.
static void the_guide_holds_every_experiment(void)
{
    for (int i = 0; lab_experiments[i].name; ++i)
        if (strcmp(lab_experiments[i].name, "calibrate") != 0)
            index_of(lab_experiments[i].name); // fails by itself
    for (int i = 0; qualify_specs[i].experiment; ++i) {
        const QualifySpec* s = &qualify_specs[i];
        TEST_ASSERT_NOT_NULL_MESSAGE(lab_find(s->experiment), s->experiment);
        TEST_ASSERT_TRUE_MESSAGE(s->procedure[0] && s->source[0], s->experiment);
    }
}

// Each course that the guide draws is a column of the experiment's table; five that take no time.
static void charts_draw_columns_that_exist(void)
{
    static const char* const quick[] = {"fee", "incline", "strata", "swing", "stall"};
    LabOptions options = lab_options();
    options.quick = true;
    for (size_t k = 0; k < sizeof quick / sizeof quick[0]; ++k) {
        const QualifyChart* chart = &qualify_specs[index_of(quick[k])].chart;
        LabReport report;
        lab_run(lab_find(quick[k]), &options, &report);
        TEST_ASSERT_TRUE_MESSAGE(report.table.rows >= 2, quick[k]);
        TEST_ASSERT_TRUE_MESSAGE(qualify_column(&report.table, chart->x) >= 0, quick[k]);
        for (int c = 0; c < QUALIFY_CURVES && chart->y[c]; ++c)
            TEST_ASSERT_TRUE_MESSAGE(qualify_column(&report.table, chart->y[c]) >= 0, quick[k]);
        lab_report_free(&report);
    }
}

static void fill(LabReport* report)
{
    *report = (LabReport){.experiment = "lift", .hash = 0x1234, .kernel = "split", .grains = 7};
    lab_report_near(report, "p.near", "kN", 1.0 / 3.0, 0.3, 0.1);
    lab_report_most(report, "most", "", -0.0, 0.0);
    lab_report_least(report, "<least>", "deg", NAN, 4.0);
    lab_table_columns(&report->table, "reach_m,load_kN,moments_kN");
    for (int i = 0; i < 5; ++i)
        lab_table_row(&report->table, (double[]){i, 0.1 * i, i == 4 ? NAN : 0.2 * i});
}

static void a_master_comes_back_as_it_was_frozen(void)
{
    QualifyMaster master;
    BaseYamlError error;
    fill(&run.result[index_of("lift")].report);
    run.result[index_of("lift")].verdict = QUALIFY_MISSED;
    snprintf(run.identity.date, sizeof run.identity.date, "2026-11-18 20:00 UTC");
    TEST_ASSERT_TRUE(qualify_master_save(&run, path, &error));
    TEST_ASSERT_TRUE_MESSAGE(qualify_master_load(path, &arena, &master, &error), error.text);
    TEST_ASSERT_EQUAL_STRING("quick", master.scale);
    TEST_ASSERT_EQUAL_INT(1, master.test_count);
    const QualifyFrozen* frozen = qualify_frozen(&master, "lift");
    TEST_ASSERT_NOT_NULL(frozen);
    TEST_ASSERT_NULL(qualify_frozen(&master, "bed"));
    TEST_ASSERT_EQUAL_STRING("0000000000001234", frozen->hash);
    // to the last bit; what is no number is not kept
    TEST_ASSERT_TRUE(qualify_frozen_number(frozen, "p.near")->value == 1.0 / 3.0);
    TEST_ASSERT_NULL(qualify_frozen_number(frozen, "<least>"));
    TEST_ASSERT_EQUAL_INT(5, qualify_frozen_curve(frozen, "load_kN")->count);
    TEST_ASSERT_EQUAL_FLOAT(0.4f, qualify_frozen_curve(frozen, "load_kN")->points[4]);
    TEST_ASSERT_NULL(qualify_frozen_curve(frozen, "moments_kN"));
}

static char* page(void)
{
    static char text[1 << 20];
    BaseYamlError error;
    TEST_ASSERT_TRUE_MESSAGE(qualify_page(&run, path, &error), error.text);
    FILE* file = fopen(path, "r");
    TEST_ASSERT_NOT_NULL(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void the_page_shows_misses_and_what_is_not_there(void)
{
    fill(&run.result[index_of("lift")].report);
    run.result[index_of("lift")].verdict = QUALIFY_MISSED;
    run.result[index_of("bed")].verdict = QUALIFY_ABSENT;
    const char* text = page();
    TEST_ASSERT_NOT_NULL(strstr(text, "Machine: not qualified"));
    TEST_ASSERT_NOT_NULL(strstr(text, "class=\"bad\">outside"));
    TEST_ASSERT_NOT_NULL(strstr(text, "&lt;least&gt;"));
    TEST_ASSERT_NULL(strstr(text, "<least>"));
    TEST_ASSERT_NOT_NULL(strstr(text, "It counts as not passed"));
    TEST_ASSERT_NOT_NULL(strstr(text, "not in the master"));
    TEST_ASSERT_NULL(strstr(text, "http")); // self-contained
    TEST_ASSERT_NOT_NULL(strstr(text, "</html>"));
}

// A curve's points never become "nan" in the drawing.
static void holes_in_a_curve_leave_a_gap(void)
{
    fill(&run.result[index_of("lift")].report);
    run.result[index_of("lift")].verdict = QUALIFY_MISSED;
    const char* svg = strstr(page(), "<svg class=\"chart\"");
    TEST_ASSERT_NOT_NULL(svg);
    TEST_ASSERT_NULL(strstr(svg, "nan"));
}

static void a_page_that_cannot_be_written_says_so(void)
{
    BaseYamlError error;
    TEST_ASSERT_FALSE(qualify_page(&run, "/nowhere/at/all.html", &error));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "/nowhere/at/all.html"));
    TEST_ASSERT_FALSE(qualify_master_save(&run, "/dev/full/x.yaml", &error));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_kind_of_miss_lowers_the_level);
    RUN_TEST(every_test_has_a_number_of_its_own);
    RUN_TEST(the_guide_holds_every_experiment);
    RUN_TEST(charts_draw_columns_that_exist);
    RUN_TEST(a_master_comes_back_as_it_was_frozen);
    RUN_TEST(the_page_shows_misses_and_what_is_not_there);
    RUN_TEST(holes_in_a_curve_leave_a_gap);
    RUN_TEST(a_page_that_cannot_be_written_says_so);
    return UNITY_END();
}
