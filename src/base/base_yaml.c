#include "base/base_yaml.h"

#include "base/base_assert.h"
#include "base/base_math.h"
#include "base/base_text.h"
#include "base/base_yaml_tree.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_MAX_BYTES 160  // of a dotted key in a message; longer ones are cut
#define EXCERPT_BYTES  40   // of a wrong value in a message
#define PEEK_LINES     4096 // that are looked at for keys

// One unit a line, whatever their number.
// clang-format off
// SI = value * times / by. Two numbers, because 1/1000 is no double but x / 1000 is exact to 1/2 ulp.
static const struct Unit {
    const char* name;
    double times, by;
} units[] = {
    {"m", 1, 1},
    {"mm", 1, 1000},
    {"cm", 1, 100},
    {"km", 1000, 1},
    {"m2", 1, 1},
    {"cm2", 1, 10000},
    {"m3", 1, 1},
    {"L", 1, 1000},
    {"s", 1, 1},
    {"ms", 1, 1000},
    {"min", 60, 1},
    {"Hz", 1, 1},
    {"1/s", 1, 1},
    {"m/s", 1, 1},
    {"km/h", 1, 3.6},
    {"m/s2", 1, 1},
    {"L/min", 1, 60000},
    {"deg", BASE_PI, 180},
    {"rad", 1, 1},
    {"deg/s", BASE_PI, 180},
    {"rpm", BASE_PI, 30},
    {"kg", 1, 1},
    {"g", 1, 1000},
    {"t", 1000, 1},
    {"kg/m3", 1, 1},
    {"N", 1, 1},
    {"kN", 1000, 1},
    {"N/m", 1, 1},
    {"Nm", 1, 1},
    {"kNm", 1000, 1},
    {"Pa", 1, 1},
    {"kPa", 1000, 1},
    {"MPa", 1000000, 1},
    {"bar", 100000, 1},
    {"W", 1, 1},
    {"kW", 1000, 1},
    {"%", 1, 100},
    {"L/h", 1, 3600000},
    {"g/kWh", 1, 3600000000.0},
    {"kgm2", 1, 1},
};
// clang-format on

typedef struct Binder {
    const char* name; // of the file, for messages
    BaseYamlError* error;
    BaseArena* arena; // strings and lists
    char path[PATH_MAX_BYTES];
} Binder;

static const struct Unit* find_unit(const char* name)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
        if (strcmp(units[i].name, name) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

static double to_si(const BaseYamlField* field, double value)
{
    if (field->unit == NULL) {
        return value;
    }
    const struct Unit* unit = find_unit(field->unit);
    BASE_ASSERT(unit != NULL);
    return value * unit->times / unit->by;
}

static bool has_range(const BaseYamlField* field)
{
    return field->min != 0.0 || field->max != 0.0;
}

static bool in_range(const BaseYamlField* field, double value)
{
    return !has_range(field) || (value >= field->min && value <= field->max);
}

// --- the key's path, for messages ----------------------------------------------------------

// Appends ".key" or "[index]" and returns the old length for leave_path().
static size_t enter_path(Binder* binder, const char* key, int index)
{
    size_t length = strlen(binder->path);
    char* end = binder->path + length;
    if (key != NULL) {
        snprintf(end, sizeof binder->path - length, "%s%s", length > 0 ? "." : "", key);
    } else {
        snprintf(end, sizeof binder->path - length, "[%d]", index);
    }
    return length;
}

static void leave_path(Binder* binder, size_t length)
{
    binder->path[length] = '\0';
}

// --- messages ------------------------------------------------------------------------------

static void describe_range(const BaseYamlField* field, char* out, size_t size)
{
    char lo[BASE_TEXT_NUMBER], hi[BASE_TEXT_NUMBER];
    int used = field->unit != NULL ? snprintf(out, size, " in %s", field->unit) : 0;
    if (has_range(field)) {
        snprintf(out + used, size - (size_t)used, " from %s to %s",
                 base_text_from_double(lo, field->min), base_text_from_double(hi, field->max));
    }
}

static void describe_words(const char* const* words, char* out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "one of");
    for (int i = 0; words[i] != NULL && used < size; ++i) {
        used += (size_t)snprintf(out + used, size - used, "%s %s", i > 0 ? "," : "", words[i]);
    }
}

static size_t string_limit(const BaseYamlField* field)
{
    return has_range(field) ? (size_t)field->max : BASE_YAML_STRING_MAX;
}

static void describe_list(const BaseYamlField* field, const char* of, char* out, size_t size)
{
    if (field->min > 0.0) {
        snprintf(out, size, "%s, %.0f to %.0f of them", of, field->min, field->max);
    } else if (field->max > 0.0) {
        snprintf(out, size, "%s, at most %.0f of them", of, field->max);
    } else {
        snprintf(out, size, "%s", of);
    }
}

// The keys of a mapping, as many as there is room for.
static void describe_keys(const BaseYamlSchema* schema, char* out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "a mapping of keys to values");
    for (int k = 0; schema != NULL && k < schema->count; ++k) {
        const char* key = schema->fields[k].key;
        bool room = used + strlen(key) + sizeof ", ..." < size;
        used += (size_t)snprintf(out + used, size - used, "%s%s", k == 0 ? ": " : ", ",
                                 room ? key : "...");
        if (!room) {
            return;
        }
    }
}

// What the field takes, as it stands behind "allowed is".
static void describe(const BaseYamlField* field, char* out, size_t size)
{
    char range[96] = "";
    switch (field->type) {
    case BASE_YAML_TYPE_FLOAT:
    case BASE_YAML_TYPE_DOUBLE:
        describe_range(field, range, sizeof range);
        snprintf(out, size, "a number%s", range);
        break;
    case BASE_YAML_TYPE_INT:
        describe_range(field, range, sizeof range);
        snprintf(out, size, "a whole number%s", range);
        break;
    case BASE_YAML_TYPE_VECTOR:
        describe_range(field, range, sizeof range);
        snprintf(out, size, "a list of %d numbers%s", field->length, range);
        break;
    case BASE_YAML_TYPE_BOOL: snprintf(out, size, "true or false"); break;
    case BASE_YAML_TYPE_STRING:
        snprintf(out, size, "a text of %.0f to %zu bytes", field->min, string_limit(field));
        break;
    case BASE_YAML_TYPE_NAME:
        snprintf(out, size, "a name of 1 to 64 characters a-z, 0-9, _ and -");
        break;
    case BASE_YAML_TYPE_ENUM: describe_words(field->words, out, size); break;
    case BASE_YAML_TYPE_FLOAT_LIST: describe_list(field, "a list of numbers", out, size); break;
    case BASE_YAML_TYPE_NAME_LIST: describe_list(field, "a list of names", out, size); break;
    case BASE_YAML_TYPE_OBJECT:
    case BASE_YAML_TYPE_POINTER: describe_keys(field->schema, out, size); break;
    case BASE_YAML_TYPE_LIST: describe_list(field, "a list of mappings", out, size); break;
    case BASE_YAML_TYPE_MAP:
        describe_list(field, "a mapping of names to mappings", out, size);
        break;
    }
}

// "did you mean split? " or nothing
static const char* hint(char out[BASE_YAML_NAME_MAX + 20], const char* word,
                        const char* const* words)
{
    const char* nearest = base_text_nearest(word, words);
    snprintf(out, BASE_YAML_NAME_MAX + 20, nearest != NULL ? "did you mean %.64s? " : "%s",
             nearest != NULL ? nearest : "");
    return out;
}

// The beginning of a wrong value, on one line, cut between characters.
static const char* excerpt(char out[EXCERPT_BYTES + 4], const char* text)
{
    size_t length = strlen(text);
    bool cut = length > EXCERPT_BYTES;
    if (cut) {
        length = EXCERPT_BYTES;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
            --length;
        }
    }
    for (size_t i = 0; i < length; ++i) {
        out[i] = text[i];
        if (text[i] == '\n' || text[i] == '\t') {
            out[i] = ' ';
        }
    }
    strcpy(out + length, cut ? "..." : "");
    return out;
}

static bool fail_value(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                       const char* what)
{
    char allowed[256];
    describe(field, allowed, sizeof allowed);
    return base_yaml_fail(binder->error, binder->name, node->line, node->column, binder->path,
                          "%s; allowed is %s", what, allowed);
}

// "VALUE PROBLEM; allowed is ..."
static bool fail_text(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                      const char* problem)
{
    char shown[EXCERPT_BYTES + 4];
    char what[192];
    if (node->kind == BASE_YAML_SCALAR && node->text[0] == '\0' && !node->quoted) {
        return fail_value(binder, node, field, "has no value");
    }
    const char* value = node->kind == BASE_YAML_SEQUENCE  ? "a list"
                        : node->kind == BASE_YAML_MAPPING ? "a mapping"
                        : node->text[0] == '\0'           ? "\"\""
                                                          : excerpt(shown, node->text);
    snprintf(what, sizeof what, "%s %s", value, problem);
    return fail_value(binder, node, field, what);
}

static bool fail_memory(Binder* binder)
{
    return base_yaml_fail(binder->error, binder->name, 0, 0, NULL, "out of memory");
}

// A key that was a value in the writer's mind: "margin 45" without its colon, "0,6", a list without brackets.
static const char* hint_key(char out[2 * BASE_YAML_NAME_MAX + 40], const char* key,
                            const char* const* keys)
{
    for (int k = 0; keys[k] != NULL; ++k) {
        size_t length = strlen(keys[k]);
        if (strncmp(key, keys[k], length) == 0 && key[length] == ' ') {
            snprintf(out, 2 * BASE_YAML_NAME_MAX + 40, "did you mean %s: %.64s? ", keys[k],
                     key + length + 1);
            return out;
        }
    }
    if (key[0] != '\0' && strchr("0123456789.-+", key[0])) {
        return strcpy(out, "a decimal has a point, as 0.6, and a list stands in [ ]; ");
    }
    return hint(out, key, keys);
}

static bool fail_key(Binder* binder, const BaseYamlNode* child, const BaseYamlSchema* schema)
{
    const char* keys[BASE_YAML_KEYS_MAX + 1] = {NULL};
    BASE_ASSERT(schema->count <= BASE_YAML_KEYS_MAX);
    for (int i = 0; i < schema->count; ++i) {
        keys[i] = schema->fields[i].key;
    }
    char shown[EXCERPT_BYTES + 4];
    char meant[2 * BASE_YAML_NAME_MAX + 40];
    char allowed[320];
    describe_words(keys, allowed, sizeof allowed);
    enter_path(binder, excerpt(shown, child->key), 0);
    return base_yaml_fail(binder->error, binder->name, child->key_line, child->key_column,
                          binder->path, "unknown key; %sallowed is %s",
                          hint_key(meant, child->key, keys), allowed);
}

// --- single values -------------------------------------------------------------------------

// Splits "34 deg" into number and unit and refuses a unit that is not the field's.
static bool split_number(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                         char number[BASE_YAML_NAME_MAX])
{
    if (node->kind != BASE_YAML_SCALAR) {
        return fail_text(binder, node, field, "where a number belongs");
    }
    size_t length = strcspn(node->text, " ");
    if (node->quoted || length >= BASE_YAML_NAME_MAX) {
        return fail_text(binder, node, field, node->quoted ? "in quotes is a text" : "is too long");
    }
    memcpy(number, node->text, length);
    number[length] = '\0';

    double value;
    const char* unit = node->text + length + strspn(node->text + length, " ");
    if (unit[0] != '\0' && base_text_double(number, &value) &&
        (field->unit == NULL || strcmp(unit, field->unit) != 0)) {
        return fail_text(binder, node, field,
                         field->unit == NULL ? "has a unit, where none belongs"
                                             : "has the wrong unit");
    }
    return true;
}

static bool read_number(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                        double* out)
{
    char number[BASE_YAML_NAME_MAX];
    double value;
    if (!split_number(binder, node, field, number)) {
        return false;
    }
    if (!base_text_double(number, &value)) {
        return fail_text(binder, node, field, "is not a number");
    }
    if (!in_range(field, value)) {
        return fail_text(binder, node, field, value < field->min ? "is too small" : "is too large");
    }
    *out = to_si(field, value);
    return true;
}

static bool read_float(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                       float* out)
{
    double value = 0.0;
    if (!read_number(binder, node, field, &value)) {
        return false;
    }
    *out = (float)value;
    return base_finite(*out) || fail_text(binder, node, field, "is too large");
}

static bool read_int(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field, int* out)
{
    char number[BASE_YAML_NAME_MAX];
    int value;
    if (!split_number(binder, node, field, number)) {
        return false;
    }
    if (!base_text_int(number, &value)) {
        bool digits = number[strspn(number, "-0123456789")] == '\0' && number[0] != '\0';
        return fail_text(binder, node, field, digits ? "is out of range" : "is not a whole number");
    }
    if (!in_range(field, value)) {
        return fail_text(binder, node, field, value < field->min ? "is too small" : "is too large");
    }
    *out = value;
    return true;
}

static bool read_bool(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                      bool* out)
{
    bool scalar = node->kind == BASE_YAML_SCALAR && !node->quoted;
    if (scalar && strcmp(node->text, "true") == 0) {
        *out = true;
        return true;
    }
    if (scalar && strcmp(node->text, "false") == 0) {
        *out = false;
        return true;
    }
    return fail_text(binder, node, field, "is no truth value");
}

static bool keep_text(Binder* binder, const char* text, const char** out)
{
    size_t bytes = strlen(text) + 1;
    char* copy = base_arena_try_alloc(binder->arena, bytes);
    if (copy == NULL) {
        return fail_memory(binder);
    }
    *out = memcpy(copy, text, bytes);
    return true;
}

static bool read_string(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                        const char** out)
{
    if (node->kind != BASE_YAML_SCALAR) {
        return fail_text(binder, node, field, "where a text belongs");
    }
    if (node->text[0] == '\0' && !node->quoted) {
        return fail_text(binder, node, field, "");
    }
    size_t length = strlen(node->text);
    if (length > string_limit(field) || (has_range(field) && (double)length < field->min)) {
        return fail_text(binder, node, field, "has the wrong length");
    }
    return keep_text(binder, node->text, out);
}

static bool is_name(const char* text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length > 0 && length <= BASE_YAML_NAME_MAX && text[length] == '\0';
}

static bool read_name(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                      const char** out)
{
    if (node->kind != BASE_YAML_SCALAR || !is_name(node->text)) {
        return fail_text(binder, node, field, "is not a name");
    }
    return keep_text(binder, node->text, out);
}

static int find_word(const char* const* words, const char* text)
{
    for (int i = 0; words[i] != NULL; ++i) {
        if (strcmp(words[i], text) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_enum(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                      int* out)
{
    int word = node->kind == BASE_YAML_SCALAR ? find_word(field->words, node->text) : -1;
    if (word >= 0) {
        *out = word;
        return true;
    }
    if (node->kind != BASE_YAML_SCALAR || node->text[0] == '\0') {
        return fail_text(binder, node, field, "where a word belongs");
    }
    char shown[EXCERPT_BYTES + 4];
    char meant[BASE_YAML_NAME_MAX + 20];
    char allowed[256];
    describe_words(field->words, allowed, sizeof allowed);
    return base_yaml_fail(binder->error, binder->name, node->line, node->column, binder->path,
                          "%s is unknown; %sallowed is %s", excerpt(shown, node->text),
                          hint(meant, node->text, field->words), allowed);
}

static bool read_vector(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                        float* out)
{
    if (node->kind != BASE_YAML_SEQUENCE) {
        return fail_text(binder, node, field, "where a list belongs");
    }
    if (node->count != field->length) {
        return fail_value(binder, node, field, "has the wrong number of elements");
    }
    for (const BaseYamlNode* item = node->child; item != NULL; item = item->next) {
        if (!read_float(binder, item, field, out++)) {
            return false;
        }
    }
    return true;
}

// --- mappings and lists --------------------------------------------------------------------

static bool read_object(Binder* binder, const BaseYamlNode* node, const BaseYamlSchema* schema,
                        unsigned char* out);

// One element of a list or map; for plain lists the field describes the elements too.
static bool read_item(Binder* binder, const BaseYamlNode* item, const BaseYamlField* field,
                      unsigned char* out)
{
    switch (field->type) {
    case BASE_YAML_TYPE_FLOAT_LIST: {
        BaseYamlField element = {.type = BASE_YAML_TYPE_FLOAT, .unit = field->unit};
        return read_float(binder, item, &element, (float*)out);
    }
    case BASE_YAML_TYPE_NAME_LIST: {
        BaseYamlField element = {.type = BASE_YAML_TYPE_NAME};
        return read_name(binder, item, &element, (const char**)out);
    }
    case BASE_YAML_TYPE_MAP:
        if (!is_name(item->key)) {
            BaseYamlField name = {.type = BASE_YAML_TYPE_NAME};
            BaseYamlNode place = {.line = item->key_line, .column = item->key_column};
            return fail_value(binder, &place, &name, "not a name");
        }
        if (!keep_text(binder, item->key, (const char**)(out + field->name_offset))) {
            return false;
        }
        break;
    default: break;
    }
    if (item->kind != BASE_YAML_MAPPING) {
        BaseYamlField object = {.type = BASE_YAML_TYPE_OBJECT};
        return fail_text(binder, item, &object, "where a mapping belongs");
    }
    return read_object(binder, item, field->schema, out);
}

static bool read_list(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                      unsigned char* out)
{
    BaseYamlKind kind = field->type == BASE_YAML_TYPE_MAP ? BASE_YAML_MAPPING : BASE_YAML_SEQUENCE;
    BASE_ASSERT(field->schema == NULL || field->schema->size == field->item_size);
    if (node->kind != kind) {
        return fail_text(binder, node, field,
                         kind == BASE_YAML_MAPPING ? "where a mapping belongs"
                                                   : "where a list belongs");
    }
    if (field->type == BASE_YAML_TYPE_FLOAT_LIST && node->child != NULL &&
        node->child->kind == BASE_YAML_SEQUENCE) {
        return fail_value(binder, node, field,
                          "holds lists; write the numbers one behind the other");
    }
    if (!in_range(field, node->count)) {
        return fail_value(binder, node, field, "has the wrong number of elements");
    }

    // one block for all elements, then each in turn
    unsigned char* items =
        base_arena_try_alloc(binder->arena, (size_t)node->count * field->item_size);
    if (items == NULL) {
        return fail_memory(binder);
    }
    int index = 0;
    for (const BaseYamlNode* item = node->child; item != NULL; item = item->next, ++index) {
        size_t mark = enter_path(binder, item->key, index);
        if (!read_item(binder, item, field, items + (size_t)index * field->item_size)) {
            return false;
        }
        leave_path(binder, mark);
    }
    memcpy(out + field->offset, &items, sizeof items);
    memcpy(out + field->count_offset, &node->count, sizeof node->count);
    return true;
}

static bool read_pointer(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                         unsigned char* out)
{
    BASE_ASSERT(field->schema->size == field->item_size);
    if (node->kind != BASE_YAML_MAPPING) {
        return fail_text(binder, node, field, "where a mapping belongs");
    }
    unsigned char* item = base_arena_try_alloc(binder->arena, field->item_size);
    if (item == NULL) {
        return fail_memory(binder);
    }
    memcpy(out + field->offset, &item, sizeof item);
    return read_object(binder, node, field->schema, item);
}

static bool read_value(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                       unsigned char* out)
{
    void* member = out + field->offset;
    switch (field->type) {
    case BASE_YAML_TYPE_FLOAT: return read_float(binder, node, field, member);
    case BASE_YAML_TYPE_DOUBLE: return read_number(binder, node, field, member);
    case BASE_YAML_TYPE_INT: return read_int(binder, node, field, member);
    case BASE_YAML_TYPE_BOOL: return read_bool(binder, node, field, member);
    case BASE_YAML_TYPE_STRING: return read_string(binder, node, field, member);
    case BASE_YAML_TYPE_NAME: return read_name(binder, node, field, member);
    case BASE_YAML_TYPE_ENUM: return read_enum(binder, node, field, member);
    case BASE_YAML_TYPE_VECTOR: return read_vector(binder, node, field, member);
    case BASE_YAML_TYPE_FLOAT_LIST:
    case BASE_YAML_TYPE_NAME_LIST:
    case BASE_YAML_TYPE_LIST:
    case BASE_YAML_TYPE_MAP: return read_list(binder, node, field, out);
    case BASE_YAML_TYPE_POINTER: return read_pointer(binder, node, field, out);
    case BASE_YAML_TYPE_OBJECT:
        BASE_ASSERT(field->schema->size == field->item_size);
        if (node->kind != BASE_YAML_MAPPING) {
            return fail_text(binder, node, field, "where a mapping belongs");
        }
        return read_object(binder, node, field->schema, member);
    }
    return false;
}

// The value of a key that the file leaves out; parent tells where, should something be missing.
static bool set_default(Binder* binder, const BaseYamlNode* parent, const BaseYamlField* field,
                        unsigned char* out)
{
    void* member = out + field->offset;
    double number = to_si(field, field->number);
    switch (field->type) {
    case BASE_YAML_TYPE_FLOAT:
        BASE_ASSERT(in_range(field, field->number));
        *(float*)member = (float)number;
        return true;
    case BASE_YAML_TYPE_DOUBLE:
        BASE_ASSERT(in_range(field, field->number));
        *(double*)member = number;
        return true;
    case BASE_YAML_TYPE_INT:
        BASE_ASSERT(in_range(field, field->number));
        *(int*)member = (int)number;
        return true;
    case BASE_YAML_TYPE_BOOL: *(bool*)member = number != 0.0; return true;
    case BASE_YAML_TYPE_STRING:
    case BASE_YAML_TYPE_NAME: *(const char**)member = field->text; return true;
    case BASE_YAML_TYPE_ENUM:
        *(int*)member = field->text != NULL ? find_word(field->words, field->text) : 0;
        BASE_ASSERT(*(int*)member >= 0);
        return true;
    case BASE_YAML_TYPE_VECTOR:
        for (int i = 0; i < field->length; ++i) {
            ((float*)member)[i] = (float)number;
        }
        return true;
    case BASE_YAML_TYPE_OBJECT: {
        BaseYamlNode empty = {
            .kind = BASE_YAML_MAPPING, .line = parent->line, .column = parent->column};
        return read_object(binder, &empty, field->schema, member);
    }
    default: return true; // absent lists are empty, pointers NULL: *out is zero already
    }
}

static bool read_field(Binder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                       unsigned char* out)
{
    const BaseYamlNode* child = node->child;
    while (child != NULL && strcmp(child->key, field->key) != 0) {
        child = child->next;
    }
    size_t mark = enter_path(binder, field->key, 0);
    if (child == NULL && field->required) {
        return fail_value(binder, node, field, "missing");
    }
    bool fine = child != NULL ? read_value(binder, child, field, out)
                              : set_default(binder, node, field, out);
    if (fine) {
        leave_path(binder, mark);
    }
    return fine;
}

static const BaseYamlField* find_field(const BaseYamlSchema* schema, const char* key)
{
    for (int i = 0; i < schema->count; ++i) {
        if (strcmp(schema->fields[i].key, key) == 0) {
            return &schema->fields[i];
        }
    }
    return NULL;
}

static bool run_check(Binder* binder, const BaseYamlNode* node, const BaseYamlSchema* schema,
                      const unsigned char* out)
{
    const char* key = NULL;
    const char* what = schema->check != NULL ? schema->check(out, &key) : NULL;
    if (what == NULL) {
        return true;
    }
    // point at the key's value; at the mapping when the value is a default
    const BaseYamlNode* place = node;
    for (const BaseYamlNode* child = node->child; child != NULL && key != NULL;
         child = child->next) {
        place = strcmp(child->key, key) == 0 ? child : place;
    }
    if (key != NULL) {
        enter_path(binder, key, 0);
    }
    return base_yaml_fail(binder->error, binder->name, place->line, place->column, binder->path,
                          "%s", what);
}

static bool read_object(Binder* binder, const BaseYamlNode* node, const BaseYamlSchema* schema,
                        unsigned char* out)
{
    // misspelt keys first: they explain the missing ones
    for (const BaseYamlNode* child = node->child; child != NULL; child = child->next) {
        if (find_field(schema, child->key) == NULL) {
            return fail_key(binder, child, schema);
        }
    }
    for (int i = 0; i < schema->count; ++i) {
        if (!read_field(binder, node, &schema->fields[i], out)) {
            return false;
        }
    }
    return run_check(binder, node, schema, out);
}

// --- files ---------------------------------------------------------------------------------

bool base_yaml_read(const char* name, const char* text, size_t length, const BaseYamlSchema* schema,
                    BaseArena* arena, void* out, BaseYamlError* error)
{
    BaseArena scratch;
    size_t before = arena->used;
    if (!base_arena_init(&scratch,
                         base_yaml_tree_bytes(length) + schema->size + BASE_ARENA_ALIGN)) {
        return base_yaml_fail(error, name, 0, 0, NULL, "out of memory");
    }

    // into a copy; the caller's struct changes only when all went well
    Binder binder = {.name = name, .error = error, .arena = arena};
    void* copy = base_arena_alloc(&scratch, schema->size);
    const BaseYamlNode* root = base_yaml_tree(name, text, length, &scratch, error);
    bool fine = root != NULL && read_object(&binder, root, schema, copy);
    if (fine) {
        memcpy(out, copy, schema->size);
    } else {
        base_arena_rewind(arena, before);
    }
    base_arena_free(&scratch);
    return fine;
}

// Reads at most one byte more than is allowed, so that base_yaml_read() notices.
static bool read_file(const char* path, char* text, size_t* length, BaseYamlError* error)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return base_yaml_fail(error, path, 0, 0, NULL, "not a file");
    }
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        return base_yaml_fail(error, path, 0, 0, NULL, "cannot be opened: %s", strerror(errno));
    }
    *length = fread(text, 1, BASE_YAML_BYTES_MAX + 1, file);
    bool failed = ferror(file) != 0;
    fclose(file);
    return !failed || base_yaml_fail(error, path, 0, 0, NULL, "cannot be read");
}

bool base_yaml_load(const char* path, const BaseYamlSchema* schema, BaseArena* arena, void* out,
                    BaseYamlError* error)
{
    BaseArena file;
    if (!base_arena_init(&file, BASE_YAML_BYTES_MAX + 1)) {
        return base_yaml_fail(error, path, 0, 0, NULL, "out of memory");
    }
    char* text = base_arena_alloc(&file, BASE_YAML_BYTES_MAX + 1);
    size_t length = 0;
    bool fine = read_file(path, text, &length, error) &&
                base_yaml_read(path, text, length, schema, arena, out, error);
    base_arena_free(&file);
    return fine;
}

// One step of a path such as "shapes[2].pile"; NULL when the mapping or list has no such child.
static const BaseYamlNode* step_down(const BaseYamlNode* node, const char** path)
{
    const char* at = *path + (**path == '.' || **path == '[');
    size_t length = strcspn(at, ".[]");
    const BaseYamlNode* child = node->child;
    if (**path == '[') {
        for (long index = strtol(at, NULL, 10); child != NULL && index > 0; --index) {
            child = child->next;
        }
    } else {
        while (child != NULL && (child->key == NULL || strlen(child->key) != length ||
                                 memcmp(child->key, at, length) != 0)) {
            child = child->next;
        }
    }
    *path = at + length + (at[length] == ']');
    return child;
}

// The place of a key, or of the last thing on the way to it that the file holds.
static void find_place(const char* file, const char* key, int* line, int* column)
{
    BaseArena scratch;
    BaseYamlError ignored;
    size_t length = 0;
    if (!base_arena_init(&scratch, BASE_YAML_BYTES_MAX + 1 + BASE_ARENA_ALIGN +
                                       base_yaml_tree_bytes(BASE_YAML_BYTES_MAX))) {
        return;
    }
    char* text = base_arena_alloc(&scratch, BASE_YAML_BYTES_MAX + 1);
    const BaseYamlNode* node = NULL;
    if (read_file(file, text, &length, &ignored)) {
        node = base_yaml_tree(file, text, length, &scratch, &ignored);
    }
    while (node != NULL) {
        *line = node->line;
        *column = node->column;
        node = *key != '\0' ? step_down(node, &key) : NULL;
    }
    base_arena_free(&scratch);
}

bool base_yaml_fault(const char* path, const char* key, BaseYamlError* error, const char* format,
                     ...)
{
    char what[BASE_YAML_MESSAGE_MAX];
    int line = 0, column = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    find_place(path, key, &line, &column);
    return base_yaml_fail(error, path, line, column, key, "%s", what);
}

static bool begins_with_key(const char* line, const char* const* keys)
{
    for (; *keys != NULL; ++keys) {
        size_t length = strlen(*keys);
        if (strncmp(line, *keys, length) == 0 && line[length] == ':') {
            return true;
        }
    }
    return false;
}

bool base_yaml_has_key(const char* path, const char* const* keys)
{
    char line[256];
    struct stat status;
    bool found = false, whole = true; // whole: the piece in `line` begins a line
    FILE* file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    for (int k = 0; file != NULL && !found && k < PEEK_LINES && fgets(line, sizeof line, file);
         ++k) {
        found = whole && begins_with_key(line, keys);
        whole = strchr(line, '\n') != NULL;
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}
