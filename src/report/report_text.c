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
