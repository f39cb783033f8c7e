// base_json: what is written is JSON, and wrong nesting stops us.
#include "base/base_json.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unity.h>

static BaseJson json;

void setUp(void)
{
    base_json_init(&json);
}

void tearDown(void)
{
    base_json_free(&json);
}

static void report_reads_well(void)
{
    base_json_begin_object(&json, NULL);
    base_json_string(&json, "experiment", "bed");
    base_json_int(&json, "seed", -9223372036854775807 - 1);
    base_json_bool(&json, "pass", true);
    base_json_null(&json, "note");
    base_json_hex(&json, "hash", 0xabc);
    base_json_begin_array(&json, "values");
    base_json_float(&json, NULL, 0.1f);
    base_json_double(&json, NULL, 1e300);
    base_json_end(&json);
    base_json_begin_array(&json, "rows");
    base_json_begin_object(&json, NULL);
    base_json_int(&json, "n", 1);
    base_json_end(&json);
    base_json_begin_object(&json, NULL);
    base_json_end(&json);
    base_json_end(&json);
    base_json_begin_array(&json, "none");
    base_json_end(&json);
    base_json_end(&json);
    TEST_ASSERT_EQUAL_STRING("{\n"
                             "  \"experiment\": \"bed\",\n"
                             "  \"seed\": -9223372036854775808,\n"
                             "  \"pass\": true,\n"
                             "  \"note\": null,\n"
                             "  \"hash\": \"0000000000000abc\",\n"
                             "  \"values\": [0.1, 1e+300],\n"
                             "  \"rows\": [\n"
                             "    {\n"
                             "      \"n\": 1\n"
                             "    },\n"
                             "    {}\n"
                             "  ],\n"
                             "  \"none\": []\n"
                             "}",
                             base_json_text(&json));
}

static void strings_are_escaped(void)
{
    base_json_string(&json, NULL, "a\"b\\c\n\t\x01 \xc3\xbc/");
    TEST_ASSERT_EQUAL_STRING("\"a\\\"b\\\\c\\u000a\\u0009\\u0001 \xc3\xbc/\"",
                             base_json_text(&json));
}

// JSON has no word for them; a reader must not choke on a failed experiment.
static void not_a_number_becomes_null(void)
{
    base_json_begin_array(&json, NULL);
    base_json_double(&json, NULL, (double)NAN);
    base_json_double(&json, NULL, (double)INFINITY);
    base_json_float(&json, NULL, -INFINITY);
    base_json_string(&json, NULL, NULL);
    base_json_end(&json);
    TEST_ASSERT_EQUAL_STRING("[null, null, null, null]", base_json_text(&json));
}

// The buffer grows through many sizes without losing a byte.
static void long_text_is_whole(void)
{
    base_json_begin_array(&json, NULL);
    for (int i = 0; i < 30011; ++i) {
        base_json_int(&json, NULL, i % 10);
    }
    base_json_end(&json);
    TEST_ASSERT_EQUAL_UINT64(2 + 30011 + 2 * 30010, strlen(base_json_text(&json)));
    TEST_ASSERT_EQUAL_UINT64(json.length, strlen(base_json_text(&json)));
}

static void full_disk_is_noticed(void)
{
    FILE* full = fopen("/dev/full", "w");
    TEST_ASSERT_NOT_NULL(full);
    base_json_int(&json, NULL, 5);
    bool written = base_json_write(&json, full);
    fclose(full);
    TEST_ASSERT_FALSE(written);
}

// Runs the mistake in a child process; our bug must stop the program.
static void expect_abort(void (*mistake)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        mistake();
        _exit(0);
    }
    int status = 0;
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    TEST_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void end_without_begin(void)
{
    base_json_end(&json);
}

static void member_without_key(void)
{
    base_json_begin_object(&json, NULL);
    base_json_int(&json, NULL, 1);
}

static void element_with_key(void)
{
    base_json_begin_array(&json, NULL);
    base_json_int(&json, "key", 1);
}

static void two_top_values(void)
{
    base_json_int(&json, NULL, 1);
    base_json_int(&json, NULL, 2);
}

static void unfinished_text(void)
{
    base_json_begin_object(&json, NULL);
    base_json_text(&json);
}

static void too_deep(void)
{
    for (int i = 0; i <= BASE_JSON_DEPTH; ++i) {
        base_json_begin_array(&json, NULL);
    }
}

static void wrong_nesting_aborts(void)
{
    expect_abort(end_without_begin);
    expect_abort(member_without_key);
    expect_abort(element_with_key);
    expect_abort(two_top_values);
    expect_abort(unfinished_text);
    expect_abort(too_deep);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(report_reads_well);
    RUN_TEST(strings_are_escaped);
    RUN_TEST(not_a_number_becomes_null);
    RUN_TEST(long_text_is_whole);
    RUN_TEST(full_disk_is_noticed);
    RUN_TEST(wrong_nesting_aborts);
    return UNITY_END();
}
