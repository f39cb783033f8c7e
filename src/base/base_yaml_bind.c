#include "base/base_yaml_bind.h"

#include "base/base_assert.h"
#include "base/base_math.h"
#include "base/base_text.h"

#include <stdio.h>
#include <string.h>

#define EXCERPT_BYTES 40 // of a wrong value in a message

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

static const struct Unit* find_unit(const char* name)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
        if (strcmp(units[i].name, name) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

double base_yaml_to_si(const BaseYamlField* field, double value)
{
    if (field->unit == NULL) {
        return value;
    }
    const struct Unit* unit = find_unit(field->unit);
    BASE_ASSERT(unit != NULL);
    return value * unit->times / unit->by;
}

bool base_yaml_has_range(const BaseYamlField* field)
{
    return field->min != 0.0 || field->max != 0.0;
}

bool base_yaml_in_range(const BaseYamlField* field, double value)
{
    return !base_yaml_has_range(field) || (value >= field->min && value <= field->max);
}

// --- the key's path, for messages ----------------------------------------------------------

// Appends ".key" or "[index]" and returns the old length for base_yaml_leave().
size_t base_yaml_enter(BaseYamlBinder* binder, const char* key, int index)
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

void base_yaml_leave(BaseYamlBinder* binder, size_t length)
{
    binder->path[length] = '\0';
}

// --- messages ------------------------------------------------------------------------------

static void describe_range(const BaseYamlField* field, char* out, size_t size)
{
    char lo[BASE_TEXT_NUMBER], hi[BASE_TEXT_NUMBER];
    int used = field->unit != NULL ? snprintf(out, size, " in %s", field->unit) : 0;
    if (base_yaml_has_range(field)) {
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

size_t base_yaml_string_limit(const BaseYamlField* field)
{
    return base_yaml_has_range(field) ? (size_t)field->max : BASE_YAML_STRING_MAX;
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
        snprintf(out, size, "a text of %.0f to %zu bytes", field->min,
                 base_yaml_string_limit(field));
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

bool base_yaml_fail_value(BaseYamlBinder* binder, const BaseYamlNode* node,
                          const BaseYamlField* field, const char* what)
{
    char allowed[256];
    describe(field, allowed, sizeof allowed);
    return base_yaml_fail(binder->error, binder->name, node->line, node->column, binder->path,
                          "%s; allowed is %s", what, allowed);
}

// "VALUE PROBLEM; allowed is ..."
bool base_yaml_fail_text(BaseYamlBinder* binder, const BaseYamlNode* node,
                         const BaseYamlField* field, const char* problem)
{
    char shown[EXCERPT_BYTES + 4];
    char what[192];
    if (node->kind == BASE_YAML_SCALAR && node->text[0] == '\0' && !node->quoted) {
        return base_yaml_fail_value(binder, node, field, "has no value");
    }
    const char* value = node->kind == BASE_YAML_SEQUENCE  ? "a list"
                        : node->kind == BASE_YAML_MAPPING ? "a mapping"
                        : node->text[0] == '\0'           ? "\"\""
                                                          : excerpt(shown, node->text);
    snprintf(what, sizeof what, "%s %s", value, problem);
    return base_yaml_fail_value(binder, node, field, what);
}

bool base_yaml_fail_memory(BaseYamlBinder* binder)
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

bool base_yaml_fail_key(BaseYamlBinder* binder, const BaseYamlNode* child,
                        const BaseYamlSchema* schema)
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
    base_yaml_enter(binder, excerpt(shown, child->key), 0);
    return base_yaml_fail(binder->error, binder->name, child->key_line, child->key_column,
                          binder->path, "unknown key; %sallowed is %s",
                          hint_key(meant, child->key, keys), allowed);
}

bool base_yaml_fail_word(BaseYamlBinder* binder, const BaseYamlNode* node,
                         const BaseYamlField* field)
{
    char shown[EXCERPT_BYTES + 4];
    char meant[BASE_YAML_NAME_MAX + 20];
    char allowed[256];
    describe_words(field->words, allowed, sizeof allowed);
    return base_yaml_fail(binder->error, binder->name, node->line, node->column, binder->path,
                          "%s is unknown; %sallowed is %s", excerpt(shown, node->text),
                          hint(meant, node->text, field->words), allowed);
}
