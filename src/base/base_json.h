// base_json - writes JSON into a growing buffer.
//
// Does:     escape, indent, print numbers shortest and locale-free; NaN and infinity become null.
// Does not: read JSON. Wrong nesting, or a key where none belongs, is our bug: asserts.
//
//     BaseJson json;
//     base_json_init(&json);
//     base_json_begin_object(&json, NULL);
//     base_json_string(&json, "experiment", "bed");
//     base_json_begin_array(&json, "overlap");
//     base_json_float(&json, NULL, 0.01f);
//     base_json_end(&json);
//     base_json_end(&json);
//     bool fine = base_json_write(&json, stdout);
//     base_json_free(&json);
//
// Inside an object every value has a key; in an array, and at the top, the key is NULL.
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BASE_JSON_DEPTH 32

typedef struct BaseJson {
    char* text;      // [capacity], ends with NUL
    size_t length;   // bytes without the NUL
    size_t capacity; // bytes
    int depth;       // open objects and arrays
    bool failed;     // out of memory; everything after is ignored
    struct {
        char close; // '}' or ']'
        bool any;   // has a value already
        bool lines; // its last value stands on a line of its own
    } level[BASE_JSON_DEPTH];
} BaseJson;

void base_json_init(BaseJson* json);
void base_json_free(BaseJson* json);

void base_json_begin_object(BaseJson* json, const char* key);
void base_json_begin_array(BaseJson* json, const char* key);
void base_json_end(BaseJson* json);

void base_json_string(BaseJson* json, const char* key, const char* value); // NULL becomes null
void base_json_int(BaseJson* json, const char* key, int64_t value);
void base_json_double(BaseJson* json, const char* key, double value);
void base_json_float(BaseJson* json, const char* key, float value);
void base_json_bool(BaseJson* json, const char* key, bool value);
void base_json_null(BaseJson* json, const char* key);
void base_json_hex(BaseJson* json, const char* key, uint64_t value); // "0123456789abcdef", hashes

// The finished text, owned by json; NULL when memory ran out on the way.
const char* base_json_text(const BaseJson* json);

// Writes the finished text and a newline. False when memory ran out or the file refused; a full
// disk may show only when the file is closed, so check fclose() too.
bool base_json_write(const BaseJson* json, FILE* file);

#endif
