// The command line of `mattock bench`: what it means, and that a wrong word is never half obeyed.
#include "bench/bench.h"
#include "bench/bench_options.h"

#include <unity.h>

#define WORDS_MAX 12

void setUp(void) {}
void tearDown(void) {}

// Splits at spaces.
static bool parse(BenchOptions* options, const char* line)
{
    char text[256];
    char* words[WORDS_MAX];
    int count = 0;
    strncpy(text, line, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (char* word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    return bench_options_parse(options, count, words);
}

// Without a word everything is timed, at the settings of the goals.
static void defaults_are_those_of_the_goals(void)
{
    BenchOptions o;
    TEST_ASSERT_TRUE(parse(&o, "soil"));
    TEST_ASSERT_EQUAL_INT(3, o.grains_count);
    TEST_ASSERT_EQUAL_INT(50000, o.grains[2]);
    TEST_ASSERT_EQUAL_INT(2, o.threads_count);
    TEST_ASSERT_EQUAL_INT(SOIL_KERNEL_COUNT, o.kernels_count);
    TEST_ASSERT_EQUAL_INT(10, o.kernels[SOIL_KERNEL_P2].iterations);
    TEST_ASSERT_EQUAL_INT(40, o.kernels[SOIL_KERNEL_GS].iterations);
    TEST_ASSERT_EQUAL_INT(BENCH_FORMAT_TABLE, o.format);
}

static void lists_and_settings_are_read(void)
{
    BenchOptions o;
    TEST_ASSERT_TRUE(parse(&o, "soil --grains 2000,777 --threads 3 --kernels p2:2x7,gs --csv"));
    TEST_ASSERT_EQUAL_INT(2, o.grains_count);
    TEST_ASSERT_EQUAL_INT(777, o.grains[1]);
    TEST_ASSERT_EQUAL_INT(3, o.threads[0]);
    TEST_ASSERT_EQUAL_INT(SOIL_KERNEL_P2, o.kernels[0].kernel);
    TEST_ASSERT_EQUAL_INT(2, o.kernels[0].substeps);
    TEST_ASSERT_EQUAL_INT(7, o.kernels[0].iterations);
    TEST_ASSERT_EQUAL_INT(SOIL_KERNEL_GS, o.kernels[1].kernel);
    TEST_ASSERT_EQUAL_INT(BENCH_FORMAT_CSV, o.format);
}

// --iterations holds for kernels that are named after it, too.
static void overrides_hold_wherever_they_stand(void)
{
    BenchOptions o;
    TEST_ASSERT_TRUE(parse(&o, "soil --iterations 5 --kernels p2,split --substeps 4"));
    for (int k = 0; k < 2; ++k) {
        TEST_ASSERT_EQUAL_INT(5, o.kernels[k].iterations);
        TEST_ASSERT_EQUAL_INT(4, o.kernels[k].substeps);
    }
}

static void compare_is_a_short_form(void)
{
    BenchOptions o;
    TEST_ASSERT_TRUE(parse(&o, "--compare p2,gs,split --json"));
    TEST_ASSERT_EQUAL_INT(3, o.kernels_count);
    TEST_ASSERT_EQUAL_INT(SOIL_KERNEL_SPLIT, o.kernels[2].kernel);
    TEST_ASSERT_EQUAL_INT(2, o.grains_count);
    TEST_ASSERT_EQUAL_INT(BENCH_FORMAT_JSON, o.format);
}

static void wrong_words_are_refused(void)
{
    static const char* const wrong[] = {
        "water",
        "soil sand",
        "soil --grain 2000",
        "soil --grains",
        "soil --grains 2000,",
        "soil --grains ,2000",
        "soil --grains 63",
        "soil --grains 400001",
        "soil --grains 2e3",
        "soil --grains -2000",
        "soil --grains 99999999999999999999",
        "soil --grains 100,100,100,100,100,100,100,100,100",
        "soil --threads 0",
        "soil --threads 65",
        "soil --threads 1;2",
        "soil --kernels p3",
        "soil --kernels p2,,gs",
        "soil --kernels p2:",
        "soil --kernels p2:10",
        "soil --kernels p2:1x",
        "soil --kernels p2:0x10",
        "soil --kernels p2:1x10x2",
        "soil --iterations 0",
        "soil --substeps 101",
        "soil --frames 0",
        "soil --isa avx512",
        "--compare",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        BenchOptions o;
        TEST_ASSERT_FALSE_MESSAGE(parse(&o, wrong[i]), wrong[i]);
    }
}

// A small run from end to end; two thread counts agree on the bits.
static void a_small_run_ends_well(void)
{
    char* words[] = {"bench",    "soil", "--grains",  "100",         "--threads", "1,2",
                     "--frames", "9",    "--kernels", "split,p2,gs", "--json"};
    TEST_ASSERT_EQUAL_INT(0, bench_main(sizeof words / sizeof *words, words));
}

static void wrong_usage_ends_with_two(void)
{
    char* words[] = {"bench", "soil", "--kernels", "p3"};
    TEST_ASSERT_EQUAL_INT(2, bench_main(4, words));
    char* unwritable[] = {"bench", "soil", "--grains", "64", "--save-bed", "/nonexistent/bed"};
    TEST_ASSERT_EQUAL_INT(5, bench_main(6, unwritable));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(defaults_are_those_of_the_goals);
    RUN_TEST(lists_and_settings_are_read);
    RUN_TEST(overrides_hold_wherever_they_stand);
    RUN_TEST(compare_is_a_short_form);
    RUN_TEST(wrong_words_are_refused);
    RUN_TEST(a_small_run_ends_well);
    RUN_TEST(wrong_usage_ends_with_two);
    return UNITY_END();
}
