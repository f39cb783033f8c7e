#include "report/report_text.h"

#include "base/base_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(ReportText* out, size_t more)
{
    size_t need = out->length + more + 1;
    if (need > out->capacity) {
        size_t capacity = need * 2 > 65536 ? need * 2 : 65536;
        char* text = realloc(out->text, capacity);
        if (!text) {
            out->failed = true;
            return false;
        }
        out->text = text;
        out->capacity = capacity;
    }
    return true;
}

void report_add(ReportText* out, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (out->failed || length < 0 || !reserve(out, (size_t)length)) {
        out->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf(out->text + out->length, (size_t)length + 1, format, args);
    va_end(args);
    out->length += (size_t)length;
}

static const char* entity(char c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void report_add_safe(ReportText* out, const char* text)
{
    for (; text && *text; ++text) {
        const char* harmless = entity(*text);
        if (harmless) {
            report_add(out, "%s", harmless);
        } else {
            report_add(out, "%c", (unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text);
        }
    }
}

const char* report_value(char buffer[64], int measure, ScoreValue value)
{
    const struct {
        const char *plain, *sign;
    } signs[] = {{" deg", "\xc2\xb0"}, {"m3", "m\xc2\xb3"}, {"/s3", "/s\xc2\xb3"}};
    char text[48];
    snprintf(buffer, 64, "%s", score_value_text(text, measure, value));
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; ++k) {
        char* at = strstr(buffer, signs[k].plain);
        if (at) {
            char rest[48];
            snprintf(rest, sizeof rest, "%s", at + strlen(signs[k].plain));
            snprintf(at, (size_t)(buffer + 64 - at), "%s%s", signs[k].sign, rest);
        }
    }
    return buffer;
}

int report_events(const ReportData* data)
{
    return base_mini(data->event_count, REPORT_EVENTS_MAX);
}

const char* report_letter(int number)
{
    static const char letters[][2] = {
        "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R",
        "S", "T", "U", "V", "W", "X", "Y", "Z", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
        "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z"};
    return letters[number % REPORT_EVENTS_MAX];
}

bool report_write(const ReportText* text, const char* path, BaseYamlError* error)
{
    *error = (BaseYamlError){0};
    if (text->failed) {
        snprintf(error->text, sizeof error->text, "%.200s: not enough memory to write it", path);
        return false;
    }
    if (!base_file_replace(path, text->text, text->length)) {
        snprintf(error->text, sizeof error->text, "%.200s: cannot be written: %s", path,
                 strerror(errno));
        return false;
    }
    return true;
}

void report_free(ReportText* text)
{
    free(text->text);
    *text = (ReportText){0};
}
