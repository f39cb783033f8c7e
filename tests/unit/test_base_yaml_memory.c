// base_yaml when memory runs out: every single allocation of the parser fails once.
//
// The YAML library calls its own exported yaml_malloc family; a program that defines these names
// takes them over.
#include "base/base_yaml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

static int allocations; // since the last reset
static int failing;     // number of the allocation that fails; 0: none
static int living;      // blocks not yet freed

void* yaml_malloc(size_t size);
void* yaml_realloc(void* block, size_t size);
void yaml_free(void* block);
unsigned char* yaml_strdup(const unsigned char* text);

static bool refuse(void)
{
    return ++allocations == failing;
}

void* yaml_malloc(size_t size)
{
    void* block = refuse() ? NULL : malloc(size > 0 ? size : 1);
    living += block != NULL;
    return block;
}

void* yaml_realloc(void* block, size_t size)
{
    void* grown = refuse() ? NULL : realloc(block, size > 0 ? size : 1);
    living += block == NULL && grown != NULL;
    return grown;
}

void yaml_free(void* block)
{
    living -= block != NULL;
    free(block);
}

unsigned char* yaml_strdup(const unsigned char* text)
{
    if (text == NULL) {
        return NULL;
    }
    size_t bytes = strlen((const char*)text) + 1;
    unsigned char* copy = yaml_malloc(bytes);
    return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}

typedef struct Row {
    const char* name;
    float* values;
    int count;
} Row;

typedef struct Table {
    Row* rows;
    int row_count;
} Table;

static const BaseYamlField row_fields[] = {{BASE_YAML_FLOAT_LIST(Row, values, count)}};
static const BaseYamlSchema row_schema = BASE_YAML_SCHEMA(Row, row_fields);
static const BaseYamlField table_fields[] = {
    {BASE_YAML_MAP(Table, rows, row_count, row_schema, Row, name)}};
static const BaseYamlSchema table_schema = BASE_YAML_SCHEMA(Table, table_fields);

static const char text[] =
    "rows:\n  a: {values: [1, 2, 3]}\n  b:\n    values:\n      - 4\n      - 5\n";
static BaseArena arena;

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, 1 << 16));
    allocations = 0;
    failing = 0;
    living = 0;
}

void tearDown(void)
{
    base_arena_free(&arena);
}

static void every_allocation_may_fail(void)
{
    Table table = {0};
    BaseYamlError error;
    TEST_ASSERT_TRUE(
        base_yaml_read("t", text, strlen(text), &table_schema, &arena, &table, &error));
    TEST_ASSERT_EQUAL_INT(0, living);
    int all = allocations;
    TEST_ASSERT_GREATER_THAN_INT(20, all);

    for (int i = 1; i <= all; ++i) {
        Table untouched = table;
        size_t used = arena.used;
        allocations = 0;
        failing = i;
        TEST_ASSERT_FALSE(
            base_yaml_read("t", text, strlen(text), &table_schema, &arena, &table, &error));
        TEST_ASSERT_EQUAL_STRING("t: out of memory", error.text);
        TEST_ASSERT_EQUAL_INT(0, living);
        TEST_ASSERT_EQUAL_MEMORY(&untouched, &table, sizeof table);
        TEST_ASSERT_TRUE(arena.used == used);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_allocation_may_fail);
    return UNITY_END();
}
