#include "base/base_text.h"

#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 64 // longer words are no typing errors

// glibc keeps the C locale ready: this neither allocates nor fails
static locale_t c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static const char* skip_digits(const char* p)
{
    while (*p >= '0' && *p <= '9') {
        ++p;
    }
    return p;
}

// -? digits (. digits)? ([eE] [+-]? digits)?
static bool is_number(const char* p)
{
    p += *p == '-';
    const char* digits = p;
    p = skip_digits(p);
    if (p == digits) {
        return false;
    }
    if (*p == '.') {
        digits = ++p;
        p = skip_digits(p);
        if (p == digits) {
            return false;
        }
    }
    if (*p == 'e' || *p == 'E') {
        ++p;
        p += *p == '-' || *p == '+';
        digits = p;
        p = skip_digits(p);
        if (p == digits) {
            return false;
        }
    }
    return *p == '\0';
}

bool base_text_double(const char* text, double* out)
{
    if (!is_number(text)) {
        return false;
    }
    double value = strtod_l(text, NULL, c_locale());
    if (value - value != 0.0) {
        return false; // overflowed to infinity
    }
    *out = value;
    return true;
}

bool base_text_int(const char* text, int* out)
{
    const char* p = text + (*text == '-');
    const char* end = skip_digits(p);
    if (end == p || *end != '\0' || end - p > 10) {
        return false;
    }
    long long value = strtoll(text, NULL, 10);
    if (value < INT_MIN || value > INT_MAX) {
        return false;
    }
    *out = (int)value;
    return true;
}

// Prints with ever more digits until the text reads back as value.
static const char* print_shortest(char* buffer, double value, int digits, int digits_max,
                                  bool single)
{
    locale_t old = uselocale(c_locale());
    for (; digits <= digits_max; ++digits) {
        snprintf(buffer, BASE_TEXT_NUMBER, "%.*g", digits, value);
        double back = single ? (double)strtof(buffer, NULL) : strtod(buffer, NULL);
        if (back == value) {
            break;
        }
    }
    uselocale(old);
    return buffer;
}

const char* base_text_from_double(char buffer[BASE_TEXT_NUMBER], double value)
{
    if (value - value != 0.0) {
        return strcpy(buffer, value > 0.0 ? "inf" : value < 0.0 ? "-inf" : "nan");
    }
    return print_shortest(buffer, value, 15, 17, false);
}

const char* base_text_from_float(char buffer[BASE_TEXT_NUMBER], float value)
{
    if (value - value != 0.0f) {
        return base_text_from_double(buffer, (double)value);
    }
    return print_shortest(buffer, (double)value, 6, 9, true);
}

// Levenshtein distance: the fewest letters to insert, remove or replace.
static int edit_distance(const char* a, const char* b)
{
    int row[WORD_MAX + 1];
    int length = (int)strlen(b);
    for (int j = 0; j <= length; ++j) {
        row[j] = j;
    }
    for (int i = 1; a[i - 1] != '\0'; ++i) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; ++j) {
            int replace = diagonal + (a[i - 1] != b[j - 1]);
            int insert = row[j - 1] + 1;
            int remove = row[j] + 1;
            diagonal = row[j];
            row[j] = replace < insert ? replace : insert;
            row[j] = row[j] < remove ? row[j] : remove;
        }
    }
    return row[length];
}

const char* base_text_nearest(const char* word, const char* const* words)
{
    size_t length = strlen(word);
    if (length > WORD_MAX) {
        return NULL;
    }

    // one slip in a short word, two in a long one
    const char* nearest = NULL;
    int best = length <= 4 ? 1 : 2;
    for (; *words != NULL; ++words) {
        int distance = strlen(*words) <= WORD_MAX ? edit_distance(word, *words) : best + 1;
        if (distance < best || (distance == best && nearest == NULL)) {
            best = distance;
            nearest = *words;
        }
    }
    return nearest;
}
