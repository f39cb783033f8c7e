#include "base/base_json.h"

#include "base/base_assert.h"
#include "base/base_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2 // spaces per level

void base_json_init(BaseJson* json)
{
    *json = (BaseJson){0};
}

void base_json_free(BaseJson* json)
{
    free(json->text);
    *json = (BaseJson){0};
}

// Room for more bytes and the closing NUL.
static bool reserve(BaseJson* json, size_t more)
{
    size_t need = json->length + more + 1;
    if (json->failed || need <= json->capacity) {
        return !json->failed;
    }
    size_t capacity = need < 512 ? 1024 : 2 * need;
    char* text = realloc(json->text, capacity);
    if (text == NULL) {
        json->failed = true;
        return false;
    }
    json->text = text;
    json->capacity = capacity;
    return true;
}

static void put(BaseJson* json, const char* text, size_t length)
{
    if (reserve(json, length)) {
        memcpy(json->text + json->length, text, length);
        json->length += length;
        json->text[json->length] = '\0';
    }
}

static void put_text(BaseJson* json, const char* text)
{
    put(json, text, strlen(text));
}

static void put_quoted(BaseJson* json, const char* text)
{
    put_text(json, "\"");
    for (const char* p = text; *p != '\0'; ++p) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') {
            put(json, (char[]){'\\', *p}, 2);
        } else if (c < 0x20) {
            char escape[8];
            put(json, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", c));
        } else {
            put(json, p, 1);
        }
    }
    put_text(json, "\"");
}

static void new_line(BaseJson* json)
{
    put_text(json, "\n");
    for (int i = 0; i < INDENT * json->depth; ++i) {
        put_text(json, " ");
    }
}

// Comma, line break and key of the next value. Plain values of an array share a line; members of
// objects, and objects and arrays in arrays, get lines of their own.
static void begin_value(BaseJson* json, const char* key, bool container)
{
    if (json->depth == 0) {
        BASE_ASSERT(key == NULL && json->length == 0);
        return;
    }
    int top = json->depth - 1;
    bool object = json->level[top].close == '}';
    BASE_ASSERT(object == (key != NULL));

    if (json->level[top].any) {
        put_text(json, ",");
    }
    if (object || container) {
        new_line(json);
    } else if (json->level[top].any) {
        put_text(json, " ");
    }
    json->level[top].any = true;
    json->level[top].lines = object || container;
    if (object) {
        put_quoted(json, key);
        put_text(json, ": ");
    }
}

static void begin_container(BaseJson* json, const char* key, const char* open, char close)
{
    begin_value(json, key, true);
    put_text(json, open);
    BASE_ASSERT(json->depth < BASE_JSON_DEPTH);
    json->level[json->depth].close = close;
    json->level[json->depth].any = false;
    json->level[json->depth].lines = false;
    ++json->depth;
}

void base_json_begin_object(BaseJson* json, const char* key)
{
    begin_container(json, key, "{", '}');
}

void base_json_begin_array(BaseJson* json, const char* key)
{
    begin_container(json, key, "[", ']');
}

void base_json_end(BaseJson* json)
{
    BASE_ASSERT(json->depth > 0);
    --json->depth;
    if (json->level[json->depth].lines) {
        new_line(json);
    }
    put(json, &json->level[json->depth].close, 1);
}

void base_json_string(BaseJson* json, const char* key, const char* value)
{
    if (value == NULL) {
        base_json_null(json, key);
        return;
    }
    begin_value(json, key, false);
    put_quoted(json, value);
}

void base_json_int(BaseJson* json, const char* key, int64_t value)
{
    char text[BASE_TEXT_NUMBER];
    snprintf(text, sizeof text, "%" PRId64, value);
    begin_value(json, key, false);
    put_text(json, text);
}

void base_json_double(BaseJson* json, const char* key, double value)
{
    char text[BASE_TEXT_NUMBER];
    begin_value(json, key, false);
    put_text(json, value - value == 0.0 ? base_text_from_double(text, value) : "null");
}

void base_json_float(BaseJson* json, const char* key, float value)
{
    char text[BASE_TEXT_NUMBER];
    begin_value(json, key, false);
    put_text(json, value - value == 0.0f ? base_text_from_float(text, value) : "null");
}

void base_json_bool(BaseJson* json, const char* key, bool value)
{
    begin_value(json, key, false);
    put_text(json, value ? "true" : "false");
}

void base_json_null(BaseJson* json, const char* key)
{
    begin_value(json, key, false);
    put_text(json, "null");
}

void base_json_hex(BaseJson* json, const char* key, uint64_t value)
{
    char text[BASE_TEXT_NUMBER];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    base_json_string(json, key, text);
}

const char* base_json_text(const BaseJson* json)
{
    BASE_ASSERT(json->depth == 0);
    return json->failed ? NULL : json->text;
}

bool base_json_write(const BaseJson* json, FILE* file)
{
    const char* text = base_json_text(json);
    return text != NULL && fputs(text, file) >= 0 && fputc('\n', file) != EOF && fflush(file) == 0;
}
