// base_log: one line each on stderr, and progress only for work that lasts.
#include "base/base_log.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <unity.h>

static int real_stderr;
static FILE* capture;
static char said[2048];

void setUp(void)
{
    fflush(stderr);
    real_stderr = dup(STDERR_FILENO);
    capture = tmpfile();
    TEST_ASSERT_NOT_NULL(capture);
    dup2(fileno(capture), STDERR_FILENO);
}

// Ends the capture and leaves what was said in `said`.
static void listen(void)
{
    fflush(stderr);
    dup2(real_stderr, STDERR_FILENO);
    rewind(capture);
    said[fread(said, 1, sizeof said - 1, capture)] = '\0';
}

void tearDown(void)
{
    dup2(real_stderr, STDERR_FILENO);
    close(real_stderr);
    fclose(capture);
}

static void levels_are_told_apart(void)
{
    base_info("%d grains", 5);
    base_warn("pool %s", "full");
    base_error("no such file");
    listen();
    TEST_ASSERT_EQUAL_STRING("5 grains\nwarning: pool full\nerror: no such file\n", said);
}

// A message longer than any screen is cut, not run over.
static void endless_message_is_cut(void)
{
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    base_info("%s", text);
    listen();
    TEST_ASSERT_EQUAL_UINT64(1024, strlen(said));
    TEST_ASSERT_EQUAL_INT('\n', said[1023]);
}

static void short_work_has_no_progress(void)
{
    for (int i = 0; i < 1000; ++i) {
        base_progress("quick", i / 1000.0);
    }
    base_progress_end();
    listen();
    TEST_ASSERT_EQUAL_STRING("", said);
}

// Into a file, long work says a plain line at once after its first second, then every 5 s.
static void long_work_tells_its_progress(void)
{
    base_progress("pour", 0.0);
    nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 20000000}, NULL);
    base_progress("pour", 0.42);
    base_progress("pour", 0.43);
    base_progress_end();
    base_progress("next", 0.5);
    base_progress_end();
    listen();
    TEST_ASSERT_EQUAL_STRING("pour: 42 %\n", said);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(levels_are_told_apart);
    RUN_TEST(endless_message_is_cut);
    RUN_TEST(short_work_has_no_progress);
    RUN_TEST(long_work_tells_its_progress);
    return UNITY_END();
}
