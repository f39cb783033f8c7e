// The reader of YAML with a schema of every type: never a crash, never half a struct.
#include "base/base_yaml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct Leaf {
    const char* name;
    float x;
    float list[2];
} Leaf;

typedef struct Root {
    const char *text, *name;
    int number, word;
    bool flag;
    double mass;
    float vector[3];
    float* floats;
    int float_count;
    const char** names;
    int name_count;
    Leaf leaf;
    Leaf* pointer;
    Leaf* leaves;
    int leaf_count;
    Leaf* map;
    int map_count;
} Root;

static const BaseYamlField leaf_fields[] = {
    {BASE_YAML_FLOAT(Leaf, x), .unit = "deg", .min = -90, .max = 90},
    {BASE_YAML_VECTOR(Leaf, list), .unit = "m"},
};
static const BaseYamlSchema leaf_schema = BASE_YAML_SCHEMA(Leaf, leaf_fields);
static const char* const words[] = {"one", "two", "three", NULL};
static const BaseYamlField root_fields[] = {
    {BASE_YAML_STRING(Root, text), .text = "", .min = 0, .max = 20},
    {BASE_YAML_NAME(Root, name)},
    {BASE_YAML_INT(Root, number), .min = -5, .max = 1000},
    {BASE_YAML_ENUM(Root, word, words)},
    {BASE_YAML_BOOL(Root, flag)},
    {BASE_YAML_DOUBLE(Root, mass), .unit = "t"},
    {BASE_YAML_VECTOR(Root, vector), .unit = "m"},
    {BASE_YAML_FLOAT_LIST(Root, floats, float_count), .min = 0, .max = 8},
    {BASE_YAML_NAME_LIST(Root, names, name_count)},
    {BASE_YAML_OBJECT(Root, leaf, leaf_schema)},
    {BASE_YAML_POINTER(Root, pointer, leaf_schema)},
    {BASE_YAML_LIST(Root, leaves, leaf_count, leaf_schema), .max = 5},
    {BASE_YAML_MAP(Root, map, map_count, leaf_schema, Leaf, name), .max = 5},
};
static const BaseYamlSchema root_schema = BASE_YAML_SCHEMA(Root, root_fields);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static BaseArena arena;
    BaseYamlError error = {.text = ""};
    Root root, before;
    if (!arena.base && !base_arena_init(&arena, 8u << 20)) {
        abort();
    }
    memset(&root, 0x5a, sizeof root);
    before = root;
    bool fine = base_yaml_read("f", (const char*)data, size, &root_schema, &arena, &root, &error);
    if (!fine &&
        (error.text[0] == '\0' || arena.used != 0 || memcmp(&root, &before, sizeof root) != 0)) {
        abort();
    }
    base_arena_rewind(&arena, 0);
    return 0;
}
