// Verdicts, tables and JSON of experiments.
#include "lab/lab_report.h"

#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static LabReport report;

void setUp(void)
{
    report =
        (LabReport){.experiment = "bed", .kernel = "split", .grains = 5, .threads = 2, .seed = 7};
}

void tearDown(void)
{
    lab_report_free(&report);
}

// A value passes inside its tolerance, fails outside, and never passes as NaN.
static void verdicts_follow_targets(void)
{
    lab_report_near(&report, "near", "deg", 30.4, 30.0, 0.5);
    lab_report_most(&report, "most", "", 0.2, 0.2);
    lab_report_least(&report, "least", "", 3.0, 2.0);
    lab_report_value(&report, "told", "", NAN);
    TEST_ASSERT_TRUE(lab_report_pass(&report));
    lab_report_most(&report, "nan", "", NAN, 1.0);
    TEST_ASSERT_FALSE(lab_report_find(&report, "nan")->pass);
    TEST_ASSERT_FALSE(lab_report_pass(&report));
}

// A report that could not be made does not pass.
static void failure_is_no_pass(void)
{
    report.failed = true;
    TEST_ASSERT_FALSE(lab_report_pass(&report));
}

static char* printed(bool json)
{
    char* text = NULL;
    size_t size = 0;
    FILE* file = open_memstream(&text, &size);
    if (json)
        lab_report_json(&report, file);
    else
        lab_report_print(&report, file);
    fclose(file);
    return text;
}

// JSON has every key that scripts rely on.
static void json_is_complete(void)
{
    static const char* const keys[] = {"experiment", "kernel",  "grains", "threads", "seed",
                                       "results",    "targets", "pass",   "hash"};
    lab_report_near(&report, "slope", "deg", 26.0, 25.0, 2.0);
    report.hash = 0xabcdefull;
    char* text = printed(true);
    for (int i = 0; i < 9; ++i) {
        char key[32];
        snprintf(key, sizeof key, "\"%s\"", keys[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, key), keys[i]);
    }
    TEST_ASSERT_NOT_NULL(strstr(text, "0000000000abcdef"));
    free(text);
}

// The table for people says what was missed.
static void table_names_the_miss(void)
{
    lab_report_near(&report, "slope", "deg", 20.0, 25.0, 2.0);
    char* text = printed(false);
    TEST_ASSERT_NOT_NULL(strstr(text, "MISSED"));
    TEST_ASSERT_NOT_NULL(strstr(text, "25 ± 2"));
    free(text);
}

// Rows come out as CSV in the order of the columns.
static void csv_has_rows(void)
{
    char path[] = "/tmp/mattock_csv_XXXXXX", line[64];
    close(mkstemp(path));
    lab_table_columns(&report.table, "time_s,height_m");
    for (int i = 0; i < 600; ++i)
        lab_table_row(&report.table, (double[]){i, 0.5 * i});
    TEST_ASSERT_TRUE(lab_report_csv(&report, path));
    FILE* file = fopen(path, "r");
    TEST_ASSERT_NOT_NULL(fgets(line, sizeof line, file));
    TEST_ASSERT_EQUAL_STRING("time_s,height_m\n", line);
    TEST_ASSERT_NOT_NULL(fgets(line, sizeof line, file));
    TEST_ASSERT_NOT_NULL(fgets(line, sizeof line, file));
    TEST_ASSERT_EQUAL_STRING("1,0.5\n", line);
    fclose(file);
    remove(path);
    TEST_ASSERT_FALSE(lab_report_csv(&report, "/nowhere/at/all.csv"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(verdicts_follow_targets);
    RUN_TEST(failure_is_no_pass);
    RUN_TEST(json_is_complete);
    RUN_TEST(table_names_the_miss);
    RUN_TEST(csv_has_rows);
    return UNITY_END();
}
