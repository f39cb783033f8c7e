#include "base/base_yaml.h"

#include "base/base_assert.h"
#include "base/base_math.h"
#include "base/base_text.h"
#include "base/base_yaml_bind.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PEEK_LINES 4096 // that are looked at for keys

// --- single values -------------------------------------------------------------------------

// Splits "34 deg" into number and unit and refuses a unit that is not the field's.
static bool split_number(BaseYamlBinder* binder, const BaseYamlNode* node,
                         const BaseYamlField* field, char number[BASE_YAML_NAME_MAX])
{
    if (node->kind != BASE_YAML_SCALAR) {
        return base_yaml_fail_text(binder, node, field, "where a number belongs");
    }
    size_t length = strcspn(node->text, " ");
    if (node->quoted || length >= BASE_YAML_NAME_MAX) {
        return base_yaml_fail_text(binder, node, field,
                                   node->quoted ? "in quotes is a text" : "is too long");
    }
    memcpy(number, node->text, length);
    number[length] = '\0';

    double value;
    const char* unit = node->text + length + strspn(node->text + length, " ");
    if (unit[0] != '\0' && base_text_double(number, &value) &&
        (field->unit == NULL || strcmp(unit, field->unit) != 0)) {
        return base_yaml_fail_text(binder, node, field,
                                   field->unit == NULL ? "has a unit, where none belongs"
                                                       : "has the wrong unit");
    }
    return true;
}

static bool read_number(BaseYamlBinder* binder, const BaseYamlNode* node,
                        const BaseYamlField* field, double* out)
{
    char number[BASE_YAML_NAME_MAX];
    double value;
    if (!split_number(binder, node, field, number)) {
        return false;
    }
    if (!base_text_double(number, &value)) {
        return base_yaml_fail_text(binder, node, field, "is not a number");
    }
    if (!base_yaml_in_range(field, value)) {
        return base_yaml_fail_text(binder, node, field,
                                   value < field->min ? "is too small" : "is too large");
    }
    *out = base_yaml_to_si(field, value);
    return true;
}

static bool read_float(BaseYamlBinder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                       float* out)
{
    double value = 0.0;
    if (!read_number(binder, node, field, &value)) {
        return false;
    }
    *out = (float)value;
    return base_finite(*out) || base_yaml_fail_text(binder, node, field, "is too large");
}

static bool read_int(BaseYamlBinder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                     int* out)
{
    char number[BASE_YAML_NAME_MAX];
    int value;
    if (!split_number(binder, node, field, number)) {
        return false;
    }
    if (!base_text_int(number, &value)) {
        bool digits = number[strspn(number, "-0123456789")] == '\0' && number[0] != '\0';
        return base_yaml_fail_text(binder, node, field,
                                   digits ? "is out of range" : "is not a whole number");
    }
    if (!base_yaml_in_range(field, value)) {
        return base_yaml_fail_text(binder, node, field,
                                   value < field->min ? "is too small" : "is too large");
    }
    *out = value;
    return true;
}

static bool read_bool(BaseYamlBinder* binder, const BaseYamlNode* node, const BaseYamlField* field,
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
    return base_yaml_fail_text(binder, node, field, "is no truth value");
}

static bool keep_text(BaseYamlBinder* binder, const char* text, const char** out)
{
    size_t bytes = strlen(text) + 1;
    char* copy = base_arena_try_alloc(binder->arena, bytes);
    if (copy == NULL) {
        return base_yaml_fail_memory(binder);
    }
    *out = memcpy(copy, text, bytes);
    return true;
}

static bool read_string(BaseYamlBinder* binder, const BaseYamlNode* node,
                        const BaseYamlField* field, const char** out)
{
    if (node->kind != BASE_YAML_SCALAR) {
        return base_yaml_fail_text(binder, node, field, "where a text belongs");
    }
    if (node->text[0] == '\0' && !node->quoted) {
        return base_yaml_fail_text(binder, node, field, "");
    }
    size_t length = strlen(node->text);
    if (length > base_yaml_string_limit(field) ||
        (base_yaml_has_range(field) && (double)length < field->min)) {
        return base_yaml_fail_text(binder, node, field, "has the wrong length");
    }
    return keep_text(binder, node->text, out);
}

static bool is_name(const char* text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length > 0 && length <= BASE_YAML_NAME_MAX && text[length] == '\0';
}

static bool read_name(BaseYamlBinder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                      const char** out)
{
    if (node->kind != BASE_YAML_SCALAR || !is_name(node->text)) {
        return base_yaml_fail_text(binder, node, field, "is not a name");
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

static bool read_enum(BaseYamlBinder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                      int* out)
{
    int word = node->kind == BASE_YAML_SCALAR ? find_word(field->words, node->text) : -1;
    if (word >= 0) {
        *out = word;
        return true;
    }
    if (node->kind != BASE_YAML_SCALAR || node->text[0] == '\0') {
        return base_yaml_fail_text(binder, node, field, "where a word belongs");
    }
    return base_yaml_fail_word(binder, node, field);
}

static bool read_vector(BaseYamlBinder* binder, const BaseYamlNode* node,
                        const BaseYamlField* field, float* out)
{
    if (node->kind != BASE_YAML_SEQUENCE) {
        return base_yaml_fail_text(binder, node, field, "where a list belongs");
    }
    if (node->count != field->length) {
        return base_yaml_fail_value(binder, node, field, "has the wrong number of elements");
    }
    for (const BaseYamlNode* item = node->child; item != NULL; item = item->next) {
        if (!read_float(binder, item, field, out++)) {
            return false;
        }
    }
    return true;
}

// --- mappings and lists --------------------------------------------------------------------

static bool read_object(BaseYamlBinder* binder, const BaseYamlNode* node,
                        const BaseYamlSchema* schema, unsigned char* out);

// One element of a list or map; for plain lists the field describes the elements too.
static bool read_item(BaseYamlBinder* binder, const BaseYamlNode* item, const BaseYamlField* field,
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
            return base_yaml_fail_value(binder, &place, &name, "not a name");
        }
        if (!keep_text(binder, item->key, (const char**)(out + field->name_offset))) {
            return false;
        }
        break;
    default: break;
    }
    if (item->kind != BASE_YAML_MAPPING) {
        BaseYamlField object = {.type = BASE_YAML_TYPE_OBJECT};
        return base_yaml_fail_text(binder, item, &object, "where a mapping belongs");
    }
    return read_object(binder, item, field->schema, out);
}

static bool read_list(BaseYamlBinder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                      unsigned char* out)
{
    BaseYamlKind kind = field->type == BASE_YAML_TYPE_MAP ? BASE_YAML_MAPPING : BASE_YAML_SEQUENCE;
    BASE_ASSERT(field->schema == NULL || field->schema->size == field->item_size);
    if (node->kind != kind) {
        return base_yaml_fail_text(binder, node, field,
                                   kind == BASE_YAML_MAPPING ? "where a mapping belongs"
                                                             : "where a list belongs");
    }
    if (field->type == BASE_YAML_TYPE_FLOAT_LIST && node->child != NULL &&
        node->child->kind == BASE_YAML_SEQUENCE) {
        return base_yaml_fail_value(binder, node, field,
                                    "holds lists; write the numbers one behind the other");
    }
    if (!base_yaml_in_range(field, node->count)) {
        return base_yaml_fail_value(binder, node, field, "has the wrong number of elements");
    }

    // one block for all elements, then each in turn
    unsigned char* items =
        base_arena_try_alloc(binder->arena, (size_t)node->count * field->item_size);
    if (items == NULL) {
        return base_yaml_fail_memory(binder);
    }
    int index = 0;
    for (const BaseYamlNode* item = node->child; item != NULL; item = item->next, ++index) {
        size_t mark = base_yaml_enter(binder, item->key, index);
        if (!read_item(binder, item, field, items + (size_t)index * field->item_size)) {
            return false;
        }
        base_yaml_leave(binder, mark);
    }
    memcpy(out + field->offset, &items, sizeof items);
    memcpy(out + field->count_offset, &node->count, sizeof node->count);
    return true;
}

static bool read_pointer(BaseYamlBinder* binder, const BaseYamlNode* node,
                         const BaseYamlField* field, unsigned char* out)
{
    BASE_ASSERT(field->schema->size == field->item_size);
    if (node->kind != BASE_YAML_MAPPING) {
        return base_yaml_fail_text(binder, node, field, "where a mapping belongs");
    }
    unsigned char* item = base_arena_try_alloc(binder->arena, field->item_size);
    if (item == NULL) {
        return base_yaml_fail_memory(binder);
    }
    memcpy(out + field->offset, &item, sizeof item);
    return read_object(binder, node, field->schema, item);
}

static bool read_value(BaseYamlBinder* binder, const BaseYamlNode* node, const BaseYamlField* field,
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
            return base_yaml_fail_text(binder, node, field, "where a mapping belongs");
        }
        return read_object(binder, node, field->schema, member);
    }
    return false;
}

// The value of a key that the file leaves out; parent tells where, should something be missing.
static bool set_default(BaseYamlBinder* binder, const BaseYamlNode* parent,
                        const BaseYamlField* field, unsigned char* out)
{
    void* member = out + field->offset;
    double number = base_yaml_to_si(field, field->number);
    switch (field->type) {
    case BASE_YAML_TYPE_FLOAT:
        BASE_ASSERT(base_yaml_in_range(field, field->number));
        *(float*)member = (float)number;
        return true;
    case BASE_YAML_TYPE_DOUBLE:
        BASE_ASSERT(base_yaml_in_range(field, field->number));
        *(double*)member = number;
        return true;
    case BASE_YAML_TYPE_INT:
        BASE_ASSERT(base_yaml_in_range(field, field->number));
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

static bool read_field(BaseYamlBinder* binder, const BaseYamlNode* node, const BaseYamlField* field,
                       unsigned char* out)
{
    const BaseYamlNode* child = node->child;
    while (child != NULL && strcmp(child->key, field->key) != 0) {
        child = child->next;
    }
    size_t mark = base_yaml_enter(binder, field->key, 0);
    if (child == NULL && field->required) {
        return base_yaml_fail_value(binder, node, field, "missing");
    }
    bool fine = child != NULL ? read_value(binder, child, field, out)
                              : set_default(binder, node, field, out);
    if (fine) {
        base_yaml_leave(binder, mark);
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

static bool run_check(BaseYamlBinder* binder, const BaseYamlNode* node,
                      const BaseYamlSchema* schema, const unsigned char* out)
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
        base_yaml_enter(binder, key, 0);
    }
    return base_yaml_fail(binder->error, binder->name, place->line, place->column, binder->path,
                          "%s", what);
}

static bool read_object(BaseYamlBinder* binder, const BaseYamlNode* node,
                        const BaseYamlSchema* schema, unsigned char* out)
{
    // misspelt keys first: they explain the missing ones
    for (const BaseYamlNode* child = node->child; child != NULL; child = child->next) {
        if (find_field(schema, child->key) == NULL) {
            return base_yaml_fail_key(binder, child, schema);
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
    BaseYamlBinder binder = {.name = name, .error = error, .arena = arena};
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
