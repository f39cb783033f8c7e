// base_yaml - files that people write, read straight into structs by a table.
//
// Does:     read a strict subset of YAML; check types, ranges, units and spelling; tell the place
//           and the remedy:
//           sand.yaml:4:13: friction: 95 is too large; allowed is a number in deg from 0 to 60
// Does not: load half a file. When anything is wrong the destination and the arena are as before.
// Subset:   one document, UTF-8, mappings with plain keys, lists, scalars. No anchors, aliases,
//           tags, directives, duplicate keys; limits below. Every file is taken as hostile.
// Units:    a number is written plainly or with the unit of its field ("34" or "34 deg") and stored
//           in SI. Any other unit is an error.
// Threads:  no shared state.
//
//     typedef struct Soil { const char* name; float friction; int layers; } Soil;
//     typedef struct Site { const char* title; Soil* soils; int soil_count; } Site;
//
//     static const BaseYamlField soil_fields[] = {
//         {BASE_YAML_FLOAT(Soil, friction), .unit = "deg", .min = 0, .max = 60, .required = true},
//         {BASE_YAML_INT(Soil, layers), .min = 1, .max = 8, .number = 3}, // 3 unless given
//     };
//     static const BaseYamlSchema soil_schema = BASE_YAML_SCHEMA(Soil, soil_fields);
//     static const BaseYamlField site_fields[] = {
//         {BASE_YAML_STRING(Site, title), .text = "unnamed"},
//         {BASE_YAML_MAP(Site, soils, soil_count, soil_schema, Soil, name), .max = 64},
//     };
//     static const BaseYamlSchema site_schema = BASE_YAML_SCHEMA(Site, site_fields);
//
//     if (!base_yaml_load("site.yaml", &site_schema, &arena, &site, &error))
//         base_error("%s", error.text);
#ifndef BASE_YAML_H
#define BASE_YAML_H

#include "base/base_arena.h"

#include <stdbool.h>
#include <stddef.h>

#define BASE_YAML_BYTES_MAX   (1 << 20) // size of a file
#define BASE_YAML_DEPTH_MAX   16        // nested mappings and lists
#define BASE_YAML_NODES_MAX   65536     // values in a file
#define BASE_YAML_KEYS_MAX    1024      // keys of one mapping
#define BASE_YAML_STRING_MAX  1024      // bytes of a string, where its field says nothing else
#define BASE_YAML_NAME_MAX    64        // bytes of a name
#define BASE_YAML_MESSAGE_MAX 512

typedef enum BaseYamlType {
    BASE_YAML_TYPE_FLOAT,      // float
    BASE_YAML_TYPE_DOUBLE,     // double
    BASE_YAML_TYPE_INT,        // int
    BASE_YAML_TYPE_BOOL,       // bool: true, false
    BASE_YAML_TYPE_STRING,     // const char*
    BASE_YAML_TYPE_NAME,       // const char*: [a-z0-9_-]{1,64}
    BASE_YAML_TYPE_ENUM,       // int or enum: index into words
    BASE_YAML_TYPE_VECTOR,     // float[length], written as a list
    BASE_YAML_TYPE_FLOAT_LIST, // float* and int count
    BASE_YAML_TYPE_NAME_LIST,  // const char** and int count
    BASE_YAML_TYPE_OBJECT,     // a struct inside the struct
    BASE_YAML_TYPE_POINTER,    // pointer to a struct, NULL when the key is absent
    BASE_YAML_TYPE_LIST,       // pointer to structs and int count
    BASE_YAML_TYPE_MAP,        // the same, written as name: object
} BaseYamlType;

typedef struct BaseYamlSchema BaseYamlSchema;

// One key of a mapping. Make the first members with the macros below, which check the member's
// type; the rest with designators. What is left out is 0.
typedef struct BaseYamlField {
    const char* key;
    BaseYamlType type;
    size_t offset;                // of the member
    size_t count_offset;          // lists and maps: of the int that counts
    size_t item_size;             // bytes of a list's element
    size_t name_offset;           // maps: of the const char* in the element that takes the name
    int length;                   // vectors: elements
    const char* const* words;     // enums: allowed words, ends with NULL
    const BaseYamlSchema* schema; // objects, pointers, lists, maps

    const char* unit; // as written in files, one of base_yaml.c's table; NULL for pure numbers
    double min, max;  // allowed values in that unit; of strings the bytes, of lists and maps the
                      // number of elements. When both are 0 only the limits above hold
    bool required;
    double number;    // value of an absent number (in the file's unit), int, bool; vectors: of all
    const char* text; // value of an absent string, name or enum; NULL stores NULL (enums: word 0)
} BaseYamlField;

struct BaseYamlSchema {
    size_t size; // of the struct
    int count;   // fields
    const BaseYamlField* fields;

    // Optional, for rules between fields. Returns NULL when all is well, else the sentence behind
    // the key ("must not exceed mu_static") and sets *key to the offending field's key.
    const char* (*check)(const void* item, const char** key);
};

typedef struct BaseYamlError {
    int line, column;                 // from 1; 0 when the file as a whole is at fault
    char text[BASE_YAML_MESSAGE_MAX]; // file:line:column: key: what is wrong; what is allowed
} BaseYamlError;

// Reads the file into *out, a struct described by schema. Strings and lists go into the arena; they
// need at most a few MiB (64 bytes per string, the structs' sizes), which cost nothing unless used.
bool base_yaml_load(const char* path, const BaseYamlSchema* schema, BaseArena* arena, void* out,
                    BaseYamlError* error);

// The same from memory; name stands for the path in messages.
bool base_yaml_read(const char* name, const char* text, size_t length, const BaseYamlSchema* schema,
                    BaseArena* arena, void* out, BaseYamlError* error);

// For rules that need more than the file, after it was read: fills in the error with the place of a
// key, written as messages name it ("shapes[2].pile.material"), by looking into the file once more.
// A key that is left out is placed at the mapping that should hold it. Returns false.
bool base_yaml_fault(const char* path, const char* key, BaseYamlError* error, const char* format,
                     ...) __attribute__((format(printf, 4, 5)));

// True when one of these keys (the list ends with NULL) stands at the beginning of a line: tells kinds
// of files apart. Says nothing about whether it is a good one.
bool base_yaml_has_key(const char* path, const char* const* keys);

// --- fields ----------------------------------------------------------------------------------

#define BASE_YAML_SCHEMA(Struct, field_array, ...)                                              \
    {                                                                                           \
        .size = sizeof(Struct), .count = (int)(sizeof(field_array) / sizeof((field_array)[0])), \
        .fields = (field_array), __VA_ARGS__                                                    \
    }

// The key is the member's name; a later .key = "..." overrides it. A member of the wrong type does
// not compile.
#define BASE_YAML_FLOAT(S, m) \
    .key = #m, .type = BASE_YAML_TYPE_FLOAT, .offset = _Generic(((S*)0)->m, float : offsetof(S, m))
#define BASE_YAML_DOUBLE(S, m)                \
    .key = #m, .type = BASE_YAML_TYPE_DOUBLE, \
    .offset = _Generic(((S*)0)->m, double     \
                       : offsetof(S, m))
#define BASE_YAML_INT(S, m) \
    .key = #m, .type = BASE_YAML_TYPE_INT, .offset = _Generic(((S*)0)->m, int : offsetof(S, m))
#define BASE_YAML_BOOL(S, m) \
    .key = #m, .type = BASE_YAML_TYPE_BOOL, .offset = _Generic(((S*)0)->m, bool : offsetof(S, m))
#define BASE_YAML_STRING(S, m) \
    .key = #m, .type = BASE_YAML_TYPE_STRING, .offset = BASE_YAML_TEXT_OFFSET(S, m)
#define BASE_YAML_NAME(S, m) \
    .key = #m, .type = BASE_YAML_TYPE_NAME, .offset = BASE_YAML_TEXT_OFFSET(S, m)
#define BASE_YAML_ENUM(S, m, word_array)                           \
    .key = #m, .type = BASE_YAML_TYPE_ENUM, .words = (word_array), \
    .offset = _Generic(((S*)0)->m, int                             \
                       : offsetof(S, m), unsigned                  \
                       : offsetof(S, m))
// m is float[N], or a struct of floats such as Vec3
#define BASE_YAML_VECTOR(S, m)                                          \
    .key = #m, .type = BASE_YAML_TYPE_VECTOR, .offset = offsetof(S, m), \
    .length = (int)(sizeof(((S*)0)->m) / sizeof(float))
#define BASE_YAML_FLOAT_LIST(S, m, n) \
    .key = #m, .type = BASE_YAML_TYPE_FLOAT_LIST, .item_size = sizeof(float),                      \
    .offset = _Generic(((S*)0)->m, float* : offsetof(S, m)),                                       \
    .count_offset = BASE_YAML_COUNT_OFFSET(S, n)
#define BASE_YAML_NAME_LIST(S, m, n) \
    .key = #m, .type = BASE_YAML_TYPE_NAME_LIST, .item_size = sizeof(char*),                       \
    .offset = _Generic(((S*)0)->m, const char** : offsetof(S, m)),                                 \
    .count_offset = BASE_YAML_COUNT_OFFSET(S, n)
#define BASE_YAML_OBJECT(S, m, child)                                                       \
    .key = #m, .type = BASE_YAML_TYPE_OBJECT, .offset = offsetof(S, m), .schema = &(child), \
    .item_size = sizeof(((S*)0)->m)
#define BASE_YAML_POINTER(S, m, child)                                                       \
    .key = #m, .type = BASE_YAML_TYPE_POINTER, .offset = offsetof(S, m), .schema = &(child), \
    .item_size = sizeof(*((S*)0)->m)
#define BASE_YAML_LIST(S, m, n, child)                                                    \
    .key = #m, .type = BASE_YAML_TYPE_LIST, .offset = offsetof(S, m), .schema = &(child), \
    .item_size = sizeof(*((S*)0)->m), .count_offset = BASE_YAML_COUNT_OFFSET(S, n)
#define BASE_YAML_MAP(S, m, n, child, Item, name)                                        \
    .key = #m, .type = BASE_YAML_TYPE_MAP, .offset = offsetof(S, m), .schema = &(child), \
    .item_size = sizeof(*((S*)0)->m), .count_offset = BASE_YAML_COUNT_OFFSET(S, n),      \
    .name_offset = BASE_YAML_TEXT_OFFSET(Item, name)

#define BASE_YAML_TEXT_OFFSET(S, m)  _Generic(((S*)0)->m, const char* : offsetof(S, m))
#define BASE_YAML_COUNT_OFFSET(S, n) _Generic(((S*)0)->n, int : offsetof(S, n))

#endif
