// docs/scenarios.md against the table the program reads lessons by: every key with its unit, default and range,
// none that is no longer there; and the example in it is a lesson.
#include "scenario/scenario_internal.h"
#include "site/site_def.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#define PAGE     "docs/scenarios.md"
#define ROWS_MAX 256
#define CELL     256

// A key in a table of the page.
typedef struct Row {
    char section[64], kind[64], key[64], unit[64], standard[CELL], allowed[CELL];
    bool met; // by a field of the schema
} Row;

static Row rows[ROWS_MAX];
static int row_count;

void setUp(void) {}
void tearDown(void) {}

// --- the page ------------------------------------------------------------------------------------

// Cells of "| a | b |" without the spaces around them.
static int split(char* line, char* cell[8])
{
    int count = 0;
    for (char* at = strchr(line, '|'); at && count < 8;) {
        char* next = strchr(at + 1, '|');
        if (!next) {
            break;
        }
        *next = '\0';
        for (++at; *at == ' '; ++at) {
        }
        for (char* end = next; end > at && end[-1] == ' ';) {
            *--end = '\0';
        }
        cell[count++] = at;
        at = next;
    }
    return count;
}

// The n-th of the parts between commas when there are as many as keys, else all of it.
static void part(const char* text, int n, int keys, char* out, size_t size)
{
    int parts = 1;
    for (const char* c = text; *c; ++c) {
        parts += *c == ',';
    }
    const char* from = text;
    for (int k = 0; parts == keys && k < n; ++k) {
        from = strchr(from, ',') + 1;
    }
    size_t length = parts == keys ? strcspn(from, ",") : strlen(from);
    for (; *from == ' '; ++from, --length) {
    }
    snprintf(out, size, "%.*s", (int)length, from);
}

static void words_of(const char* text, char word[8][64], int* count)
{
    *count = 0;
    for (const char* at = strchr(text, '`'); at && *count < 8;) {
        const char* end = strchr(at + 1, '`');
        snprintf(word[(*count)++], 64, "%.*s", (int)(end - at - 1), at + 1);
        at = strchr(end + 1, '`');
    }
}

static void read_row(const char* section, char* cell[8], int cells, char kind[64])
{
    char word[8][64];
    int keys, first = cells == 6;
    if (first && cell[0][0]) {
        snprintf(kind, 64, "%s", cell[0]);
    }
    words_of(cell[first], word, &keys);
    for (int k = 0; k < keys; ++k) {
        TEST_ASSERT_LESS_THAN_INT(ROWS_MAX, row_count);
        Row* r = &rows[row_count++];
        snprintf(r->section, sizeof r->section, "%s", section);
        snprintf(r->kind, sizeof r->kind, "%s", first ? kind : "");
        snprintf(r->key, sizeof r->key, "%s", word[k]);
        part(cell[first + 1], k, keys, r->unit, sizeof r->unit);
        part(cell[first + 2], k, keys, r->standard, sizeof r->standard);
        part(cell[first + 3], k, keys, r->allowed, sizeof r->allowed);
    }
}

static void read_page(void)
{
    char line[1024], section[64] = "", kind[64] = "", *cell[8];
    FILE* file = fopen(PAGE, "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, "run from the root of the repository");
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "## ", 3) == 0) {
            snprintf(section, sizeof section, "%.*s", (int)strcspn(line + 3, "\n"), line + 3);
            kind[0] = '\0';
        }
        int cells = line[0] == '|' ? split(line, cell) : 0;
        bool keys = cells >= 5 && strstr(cell[cells == 6], "`");
        if (keys) {
            read_row(section, cell, cells, kind);
        }
    }
    fclose(file);
}

// --- against the schema --------------------------------------------------------------------------

static char message[320];

static const char* about(const char* section, const char* kind, const char* key, const char* what)
{
    snprintf(message, sizeof message, PAGE ": %.60s: %.60s %.60s: %.60s", section, kind, key, what);
    return message;
}

static Row* find_row(const char* section, const char* kind, const char* key)
{
    char quoted[70];
    snprintf(quoted, sizeof quoted, "`%s`", kind);
    for (int k = 0; k < row_count; ++k) {
        Row* r = &rows[k];
        bool here = kind[0] == '\0' ? r->kind[0] == '\0' || strcmp(r->kind, "any") == 0
                                    : strstr(r->kind, quoted) != NULL;
        if (here && strcmp(r->section, section) == 0 && strcmp(r->key, key) == 0) {
            return r;
        }
    }
    return NULL;
}

static bool has_range(const char* text, double low, double high)
{
    char want[64];
    snprintf(want, sizeof want, "%.10g to %.10g", low, high);
    const char* at = strstr(text, want);
    size_t length = strlen(want);
    // not the end of a longer number, nor its beginning
    return at && !isdigit((unsigned char)at[length]) &&
           (at == text || (!isdigit((unsigned char)at[-1]) && at[-1] != '.' && at[-1] != '-'));
}

static bool has_most(const char* text, double high)
{
    char want[64];
    snprintf(want, sizeof want, "up to %.10g", high);
    const char* at = strstr(text, want);
    return at && !isdigit((unsigned char)at[strlen(want)]);
}

static bool range_is_told(const BaseYamlField* f, const char* text)
{
    bool points = f->type == BASE_YAML_TYPE_FLOAT_LIST;
    bool place = f->unit && strcmp(f->unit, "m") == 0 && f->min == -1000 && f->max == 1000;
    if (f->type == BASE_YAML_TYPE_ENUM) {
        for (const char* const* word = f->words; *word; ++word) {
            char quoted[70];
            snprintf(quoted, sizeof quoted, "`%s`", *word);
            if (!strstr(text, quoted)) {
                return false;
            }
        }
        return true;
    }
    if (f->min == 0 && f->max == 0) {
        return text[0] != '\0'; // checked in words of its own
    }
    return has_range(text, f->min, f->max) || (f->min == 0 && has_most(text, f->max)) ||
           (place && strstr(text, "on the site")) ||
           (points &&
            (has_range(text, f->min / 2, f->max / 2) || has_range(text, f->min / 3, f->max / 3)));
}

static bool default_is_told(const BaseYamlField* f, const char* text)
{
    bool number = f->type == BASE_YAML_TYPE_FLOAT || f->type == BASE_YAML_TYPE_INT;
    if (f->required || strcmp(text, "required") == 0) {
        return f->required && strcmp(text, "required") == 0;
    }
    if (f->type == BASE_YAML_TYPE_BOOL) {
        return strcmp(text, f->number != 0.0 ? "true" : "false") == 0;
    }
    if (f->type == BASE_YAML_TYPE_ENUM) {
        return strstr(text, f->text) != NULL;
    }
    bool open = f->number < -1e29 || f->number > 1e29;
    if (number && !open) {
        char* end;
        return strtod(text, &end) == f->number && end != text && *end == '\0';
    }
    return text[0] != '\0' && !isdigit((unsigned char)text[0]);
}

static void expect_field(const BaseYamlField* f, const char* section, const char* kind)
{
    Row* row = find_row(section, kind, f->key);
    TEST_ASSERT_NOT_NULL_MESSAGE(row, about(section, kind, f->key, "is not on the page"));
    row->met = true;
    TEST_ASSERT_EQUAL_STRING_MESSAGE(f->unit ? f->unit : "", row->unit,
                                     about(section, kind, f->key, "unit"));
    bool group = f->schema != NULL;
    TEST_ASSERT_TRUE_MESSAGE(group || default_is_told(f, row->standard),
                             about(section, kind, f->key, "default"));
    TEST_ASSERT_TRUE_MESSAGE(range_is_told(f, row->allowed),
                             about(section, kind, f->key, "what is allowed"));
}

// All fields of a mapping; pointers in it are kinds, with keys of their own in the same section.
static void expect_schema(const BaseYamlSchema* schema, const char* section, const char* kind)
{
    for (int k = 0; k < schema->count; ++k) {
        const BaseYamlField* f = &schema->fields[k];
        bool is_kind = f->type == BASE_YAML_TYPE_POINTER && f->schema != &site_def_schema;
        if (is_kind) {
            expect_schema(f->schema, section, f->key);
        } else {
            expect_field(f, section, kind);
        }
    }
}

static void every_key_is_on_the_page(void)
{
    read_page();
    expect_schema(&scenario_schema, "The file", "");
    for (int k = 0; k < scenario_schema.count; ++k) {
        const BaseYamlField* f = &scenario_schema.fields[k];
        if (f->schema && f->schema != &site_def_schema) {
            char section[64];
            snprintf(section, sizeof section, "%c%s", toupper((unsigned char)f->key[0]),
                     f->key + 1);
            expect_schema(f->schema, section, "");
        }
    }
}

static void no_key_on_the_page_is_gone(void)
{
    for (int k = 0; k < row_count; ++k) {
        const Row* r = &rows[k];
        TEST_ASSERT_TRUE_MESSAGE(r->met, about(r->section, r->kind, r->key, "is no key"));
    }
    TEST_ASSERT_GREATER_THAN_INT(100, row_count);
}

// --- the example ---------------------------------------------------------------------------------

static bool find(const char* name, char* path, size_t size)
{
    snprintf(path, size, "%s", name);
    return access(path, R_OK) == 0;
}

static void the_example_is_a_lesson(void)
{
    char line[1024], path[] = "/tmp/mattock-example-XXXXXX";
    bool inside = false;
    int fd = mkstemp(path);
    FILE *from = fopen(PAGE, "r"), *to = fdopen(fd, "w");
    while (fgets(line, sizeof line, from)) {
        if (strncmp(line, "```", 3) == 0) {
            inside = strcmp(line, "```yaml\n") == 0;
        } else if (inside) {
            fputs(line, to);
        }
    }
    fclose(from);
    fclose(to);
    BaseArena arena;
    BaseYamlError error;
    Scenario lesson;
    TEST_ASSERT_TRUE(base_arena_init(&arena, 16u << 20));
    bool fine = scenario_load(path, find, &arena, &lesson, &error);
    remove(path);
    TEST_ASSERT_TRUE_MESSAGE(fine, error.text);
    TEST_ASSERT_TRUE(lesson.goal_count > 0 && lesson.event_count > 0 && lesson.zone_count > 0);
    base_arena_free(&arena);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_key_is_on_the_page);
    RUN_TEST(no_key_on_the_page_is_gone);
    RUN_TEST(the_example_is_a_lesson);
    return UNITY_END();
}
