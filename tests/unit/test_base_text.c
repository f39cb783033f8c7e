// base_text: strict numbers in, shortest numbers out, and the word that was meant.
#include "base/base_random.h"
#include "base/base_text.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static void plain_numbers_are_read(void)
{
    const struct {
        const char* text;
        double value;
    } good[] = {{"0", 0},       {"-12", -12},     {"0.5", 0.5},
                {"1e-3", 1e-3}, {"2.5E+4", 25e3}, {"007", 7},
                {"1e-400", 0},  {"-0", 0},        {"1.7976931348623157e308", DBL_MAX}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
        double value = -1;
        TEST_ASSERT_TRUE_MESSAGE(base_text_double(good[i].text, &value), good[i].text);
        TEST_ASSERT_TRUE(value == good[i].value);
    }
}

// Whatever C's strtod would also take is refused, and the output stays untouched.
static void anything_else_is_refused(void)
{
    const char* bad[] = {"",      " 1",     "1 ",    "+1",  ".5",    "5.",  "1e",
                         "1e+",   "0x10",   "nan",   "inf", "1,5",   "1_0", "--1",
                         "1e999", "-1e999", "1.2.3", "1f",  "1e5.5", "-"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        double value = -1;
        TEST_ASSERT_FALSE_MESSAGE(base_text_double(bad[i], &value), bad[i]);
        TEST_ASSERT_TRUE(value == -1);
    }
}

static void whole_numbers_keep_to_int(void)
{
    int value = 5;
    TEST_ASSERT_TRUE(base_text_int("2147483647", &value) && value == INT_MAX);
    TEST_ASSERT_TRUE(base_text_int("-2147483648", &value) && value == INT_MIN);
    TEST_ASSERT_TRUE(base_text_int("-0", &value) && value == 0);
    const char* bad[] = {"2147483648", "-2147483649", "99999999999999999999", "1.0", "1e3", "", "-",
                         "+1",         " 1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        TEST_ASSERT_FALSE_MESSAGE(base_text_int(bad[i], &value), bad[i]);
        TEST_ASSERT_EQUAL_INT(0, value);
    }
}

static void numbers_are_printed_short(void)
{
    char text[BASE_TEXT_NUMBER];
    TEST_ASSERT_EQUAL_STRING("0.1", base_text_from_double(text, 0.1));
    TEST_ASSERT_EQUAL_STRING("0.1", base_text_from_float(text, 0.1f));
    TEST_ASSERT_EQUAL_STRING("5", base_text_from_double(text, 5));
    TEST_ASSERT_EQUAL_STRING("-0", base_text_from_double(text, -0.0));
    TEST_ASSERT_EQUAL_STRING("0.3333333333333333", base_text_from_double(text, 1.0 / 3));
    TEST_ASSERT_EQUAL_STRING("-1.7976931348623157e+308", base_text_from_double(text, -DBL_MAX));
    TEST_ASSERT_EQUAL_STRING("nan", base_text_from_double(text, (double)NAN));
    TEST_ASSERT_EQUAL_STRING("-inf", base_text_from_float(text, -INFINITY));
}

// Any bits that are a number survive the way through text.
static void numbers_survive_the_round_trip(void)
{
    BaseRandom random = base_random(9);
    char text[BASE_TEXT_NUMBER];
    for (int i = 0; i < 20011; ++i) {
        uint64_t bits = (uint64_t)base_random_u32(&random) << 32 | base_random_u32(&random);
        uint32_t half = base_random_u32(&random);
        double wide;
        float narrow;
        memcpy(&wide, &bits, sizeof wide);
        memcpy(&narrow, &half, sizeof narrow);
        if (isfinite(wide)) {
            TEST_ASSERT_TRUE(strtod(base_text_from_double(text, wide), NULL) == wide);
        }
        if (isfinite(narrow)) {
            TEST_ASSERT_TRUE(strtof(base_text_from_float(text, narrow), NULL) == narrow);
        }
    }
}

// With a comma locale in force, where one is installed, nothing changes.
static void locale_does_not_matter(void)
{
    const char* commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < 4 && setlocale(LC_ALL, commas[i]) == NULL; ++i) {
    }
    char text[BASE_TEXT_NUMBER];
    double value = 0;
    bool read = base_text_double("1.5", &value);
    base_text_from_double(text, 2.5);
    setlocale(LC_ALL, "C");
    TEST_ASSERT_TRUE(read && value == 1.5);
    TEST_ASSERT_EQUAL_STRING("2.5", text);
}

static void nearest_word_is_found(void)
{
    const char* const words[] = {"spring", "chain", "incline", "bed", "pile", NULL};
    TEST_ASSERT_EQUAL_STRING("spring", base_text_nearest("sprnig", words));
    TEST_ASSERT_EQUAL_STRING("chain", base_text_nearest("chian", words));
    TEST_ASSERT_EQUAL_STRING("incline", base_text_nearest("inclines", words));
    TEST_ASSERT_EQUAL_STRING("bed", base_text_nearest("bad", words));
    TEST_ASSERT_EQUAL_STRING("pile", base_text_nearest("pile", words));
    TEST_ASSERT_NULL(base_text_nearest("hopper", words));
    TEST_ASSERT_NULL(base_text_nearest("x", words));
    TEST_ASSERT_NULL(base_text_nearest("", words));
    char endless[500];
    memset(endless, 'b', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    TEST_ASSERT_NULL(base_text_nearest(endless, words));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(plain_numbers_are_read);
    RUN_TEST(anything_else_is_refused);
    RUN_TEST(whole_numbers_keep_to_int);
    RUN_TEST(numbers_are_printed_short);
    RUN_TEST(numbers_survive_the_round_trip);
    RUN_TEST(locale_does_not_matter);
    RUN_TEST(nearest_word_is_found);
    return UNITY_END();
}
