#include "base/base_yaml_tree.h"

#include "base/base_assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

typedef struct Reader {
    const char* name; // of the file, for messages
    BaseYamlError* error;
    yaml_parser_t parser;
    yaml_event_t event; // the current one
    bool have_event;

    BaseYamlNode* nodes; // [BASE_YAML_NODES_MAX]
    int node_count;
    char* text; // pool of all scalars
    size_t text_size, text_used;
} Reader;

bool base_yaml_fail(BaseYamlError* error, const char* name, int line, int column, const char* key,
                    const char* format, ...)
{
    char place[32] = "";
    if (line > 0) {
        snprintf(place, sizeof place, ":%d:%d", line, column);
    }
    int used = snprintf(error->text, sizeof error->text, "%.160s%s: %s%s", name, place,
                        key != NULL ? key : "", key != NULL ? ": " : "");
    if (used > 0 && (size_t)used < sizeof error->text) {
        va_list args;
        va_start(args, format);
        vsnprintf(error->text + used, sizeof error->text - (size_t)used, format, args);
        va_end(args);
    }
    error->line = line;
    error->column = column;
    return false;
}

static bool fail_at(Reader* reader, yaml_mark_t mark, const char* key, const char* what)
{
    return base_yaml_fail(reader->error, reader->name, (int)mark.line + 1, (int)mark.column + 1,
                          key, "%s", what);
}

// Where byte `offset` is; needed for bytes that are no characters, which have no mark.
static yaml_mark_t mark_of_byte(const char* text, size_t length, size_t offset)
{
    yaml_mark_t mark = {0};
    for (size_t i = 0; i < offset && i < length; ++i) {
        ++mark.column;
        if (text[i] == '\n') {
            ++mark.line;
            mark.column = 0;
        }
    }
    return mark;
}

// What people mostly did when libyaml says this.
typedef struct Slip {
    const char *problem, *context; // parts of them; NULL: any
    const char* hint;
    bool opened; // something that was opened is never closed: told with its line
} Slip;

static const Slip slips[] = {
    {"tab character", NULL, "a tab; indent with spaces", false},
    {"cannot start any token", NULL,
     "a tab, or text that begins with @, ` or %; indent with spaces, and put such text in quotes",
     false},
    {"unexpected end of stream", "quoted scalar", "a quote is never closed; it was opened", true},
    {"did not find expected ',' or '}'", NULL,
     "text with , : or brackets needs quotes, and what { opens } must close; it was opened", true},
    {"did not find expected ',' or ']'", NULL,
     "values need commas between them, and what [ opens ] must close; it was opened", true},
    {"mapping values are not allowed", NULL, "text with a colon needs quotes", false},
    {"could not find expected ':'", NULL,
     "a key needs a colon and a space behind it, as in depth: 1 m; this one stands", true},
    {"did not find expected key", "block mapping",
     "keys of one block begin in the same column, and entries of a list with \"- \"", false},
    {"did not find expected '-'", NULL, "entries of a list begin in the same column with \"- \"",
     false},
};

static bool has(const char* text, const char* part)
{
    return part == NULL || (text != NULL && strstr(text, part) != NULL);
}

static bool fail_syntax_told(Reader* reader, const char* problem, yaml_mark_t mark)
{
    const yaml_parser_t* parser = &reader->parser;
    const char* context = parser->context != NULL ? parser->context : "";
    char what[240];
    for (size_t k = 0; k < sizeof slips / sizeof *slips; ++k) {
        const Slip* s = &slips[k];
        if (!has(problem, s->problem) || !has(context, s->context)) {
            continue;
        }
        char opened[48] = "";
        if (s->opened) {
            snprintf(opened, sizeof opened, " in line %zu", parser->context_mark.line + 1);
        }
        snprintf(what, sizeof what, "not YAML: %s%s", s->hint, opened);
        return fail_at(reader, mark, NULL, what);
    }
    snprintf(what, sizeof what, "not YAML: %s%s%s", problem, context[0] ? " " : "", context);
    return fail_at(reader, mark, NULL, what);
}

// Passes on what libyaml has to say.
static bool fail_syntax(Reader* reader)
{
    const yaml_parser_t* parser = &reader->parser;
    const char* problem = parser->problem != NULL ? parser->problem : "cannot be read";
    yaml_mark_t mark = parser->problem_mark;
    switch (parser->error) {
    case YAML_MEMORY_ERROR:
        return base_yaml_fail(reader->error, reader->name, 0, 0, NULL, "out of memory");
    case YAML_READER_ERROR:
        mark = mark_of_byte((const char*)parser->input.string.start,
                            (size_t)(parser->input.string.end - parser->input.string.start),
                            parser->problem_offset);
        return fail_at(reader, mark, NULL,
                       "not readable as text; allowed is UTF-8 without control characters");
    default: return fail_syntax_told(reader, problem, mark);
    }
}

static bool next_event(Reader* reader)
{
    if (reader->have_event) {
        yaml_event_delete(&reader->event);
        reader->have_event = false;
    }
    if (!yaml_parser_parse(&reader->parser, &reader->event)) {
        return fail_syntax(reader);
    }
    reader->have_event = true;
    return true;
}

// --- scalars -------------------------------------------------------------------------------

// Control characters (but line feed and tab) could garble a terminal; NUL would cut a string.
static bool has_control(const unsigned char* text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        bool c1 = text[i] == 0xc2 && i + 1 < length && text[i + 1] < 0xa0;
        if ((text[i] < 0x20 && text[i] != '\n' && text[i] != '\t') || text[i] == 0x7f || c1) {
            return true;
        }
    }
    return false;
}

// A copy of the current scalar, or NULL with the error set.
static const char* keep_scalar(Reader* reader)
{
    const unsigned char* value = reader->event.data.scalar.value;
    size_t length = reader->event.data.scalar.length;
    if (has_control(value, length)) {
        fail_at(reader, reader->event.start_mark, NULL,
                "text with a control character; allowed are printable characters");
        return NULL;
    }
    // text_bytes() made the pool large enough
    BASE_ASSERT(length + 1 <= reader->text_size - reader->text_used);
    char* copy = reader->text + reader->text_used;
    memcpy(copy, value, length);
    copy[length] = '\0';
    reader->text_used += length + 1;
    return copy;
}

// --- nodes ---------------------------------------------------------------------------------

static bool refuse_decoration(Reader* reader, const yaml_char_t* anchor, const yaml_char_t* tag)
{
    yaml_mark_t mark = reader->event.start_mark;
    if (anchor != NULL) {
        return fail_at(reader, mark, NULL, "anchors are not allowed; write the value out");
    }
    if (tag != NULL) {
        return fail_at(reader, mark, NULL, "tags are not allowed; write the bare value");
    }
    return true;
}

static bool check_event(Reader* reader)
{
    switch (reader->event.type) {
    case YAML_ALIAS_EVENT:
        return fail_at(reader, reader->event.start_mark, NULL,
                       "aliases are not allowed; write the value out");
    case YAML_SCALAR_EVENT:
        return refuse_decoration(reader, reader->event.data.scalar.anchor,
                                 reader->event.data.scalar.tag);
    case YAML_SEQUENCE_START_EVENT:
        return refuse_decoration(reader, reader->event.data.sequence_start.anchor,
                                 reader->event.data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return refuse_decoration(reader, reader->event.data.mapping_start.anchor,
                                 reader->event.data.mapping_start.tag);
    default: return true;
    }
}

static BaseYamlNode* new_node(Reader* reader, BaseYamlKind kind)
{
    yaml_mark_t mark = reader->event.start_mark;
    if (reader->node_count == BASE_YAML_NODES_MAX) {
        fail_at(reader, mark, NULL, "too many values; allowed are 65536 in a file");
        return NULL;
    }
    BaseYamlNode* node = &reader->nodes[reader->node_count++];
    *node =
        (BaseYamlNode){.kind = kind, .line = (int)mark.line + 1, .column = (int)mark.column + 1};
    return node;
}

static BaseYamlNode* read_node(Reader* reader, int depth);

static void append(BaseYamlNode* parent, BaseYamlNode** tail, BaseYamlNode* child)
{
    *(*tail == NULL ? &parent->child : &(*tail)->next) = child;
    *tail = child;
    ++parent->count;
}

static BaseYamlNode* read_scalar(Reader* reader)
{
    BaseYamlNode* node = new_node(reader, BASE_YAML_SCALAR);
    if (node == NULL) {
        return NULL;
    }
    node->quoted = reader->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = keep_scalar(reader);
    return node->text != NULL ? node : NULL;
}

static BaseYamlNode* read_sequence(Reader* reader, int depth)
{
    BaseYamlNode* node = new_node(reader, BASE_YAML_SEQUENCE);
    BaseYamlNode* tail = NULL;
    if (node == NULL) {
        return NULL;
    }
    while (next_event(reader)) {
        if (reader->event.type == YAML_SEQUENCE_END_EVENT) {
            return node;
        }
        BaseYamlNode* child = read_node(reader, depth + 1);
        if (child == NULL) {
            return NULL;
        }
        append(node, &tail, child);
    }
    return NULL;
}

// Refuses what cannot be a key of this mapping.
static bool check_key(Reader* reader, const BaseYamlNode* mapping, const char* key)
{
    yaml_mark_t mark = reader->event.start_mark;
    if (key[0] == '\0' || strlen(key) > BASE_YAML_NAME_MAX) {
        return fail_at(reader, mark, NULL, "key of the wrong length; allowed are 1 to 64 bytes");
    }
    if (mapping->count == BASE_YAML_KEYS_MAX) {
        return fail_at(reader, mark, key, "too many keys; allowed are 1024 in a mapping");
    }
    for (const BaseYamlNode* child = mapping->child; child != NULL; child = child->next) {
        if (strcmp(child->key, key) == 0) {
            char what[96];
            snprintf(what, sizeof what, "given twice; the first is in line %d", child->key_line);
            return fail_at(reader, mark, key, what);
        }
    }
    return true;
}

static BaseYamlNode* read_mapping(Reader* reader, int depth)
{
    BaseYamlNode* node = new_node(reader, BASE_YAML_MAPPING);
    BaseYamlNode* tail = NULL;
    if (node == NULL) {
        return NULL;
    }
    while (next_event(reader)) {
        if (reader->event.type == YAML_MAPPING_END_EVENT) {
            return node;
        }
        if (!check_event(reader)) {
            return NULL;
        }

        // key
        if (reader->event.type != YAML_SCALAR_EVENT) {
            fail_at(reader, reader->event.start_mark, NULL, "a key must be a plain word");
            return NULL;
        }
        yaml_mark_t mark = reader->event.start_mark;
        const char* key = keep_scalar(reader);
        if (key == NULL || !check_key(reader, node, key)) {
            return NULL;
        }

        // value
        BaseYamlNode* child = next_event(reader) ? read_node(reader, depth + 1) : NULL;
        if (child == NULL) {
            return NULL;
        }
        child->key = key;
        child->key_line = (int)mark.line + 1;
        child->key_column = (int)mark.column + 1;
        append(node, &tail, child);
    }
    return NULL;
}

// The node that begins with the current event.
static BaseYamlNode* read_node(Reader* reader, int depth)
{
    if (!check_event(reader)) {
        return NULL;
    }
    if (reader->event.type == YAML_SCALAR_EVENT) {
        return read_scalar(reader);
    }
    if (depth > BASE_YAML_DEPTH_MAX) {
        fail_at(reader, reader->event.start_mark, NULL, "nested too deeply; allowed are 16 levels");
        return NULL;
    }
    return reader->event.type == YAML_SEQUENCE_START_EVENT ? read_sequence(reader, depth)
                                                           : read_mapping(reader, depth);
}

// --- document ------------------------------------------------------------------------------

// stream start, document start, root mapping, document end, stream end; nothing else
static BaseYamlNode* read_document(Reader* reader)
{
    if (!next_event(reader) || !next_event(reader)) {
        return NULL;
    }
    if (reader->event.type == YAML_STREAM_END_EVENT) {
        fail_at(reader, (yaml_mark_t){0}, NULL, "the file is empty; expected are keys and values");
        return NULL;
    }
    if (reader->event.data.document_start.version_directive != NULL ||
        reader->event.data.document_start.tag_directives.start !=
            reader->event.data.document_start.tag_directives.end) {
        fail_at(reader, reader->event.start_mark, NULL, "directives (%...) are not allowed");
        return NULL;
    }
    if (!next_event(reader) || !check_event(reader)) {
        return NULL;
    }
    if (reader->event.type != YAML_MAPPING_START_EVENT) {
        fail_at(reader, reader->event.start_mark, NULL,
                "the file must consist of lines \"key: value\"");
        return NULL;
    }
    BaseYamlNode* root = read_node(reader, 1);
    if (root == NULL || !next_event(reader) || !next_event(reader)) {
        return NULL;
    }
    if (reader->event.type != YAML_STREAM_END_EVENT) {
        fail_at(reader, reader->event.start_mark, NULL,
                "a second document; allowed is one in a file");
        return NULL;
    }
    return root;
}

// Scalars take at most 3 bytes per 2 of the file ("\L" is the longest), and a NUL each.
static size_t text_bytes(size_t length)
{
    return 2 * length + 2 * BASE_YAML_NODES_MAX + 2;
}

size_t base_yaml_tree_bytes(size_t length)
{
    return BASE_YAML_NODES_MAX * sizeof(BaseYamlNode) + text_bytes(length) + 2 * BASE_ARENA_ALIGN;
}

BaseYamlNode* base_yaml_tree(const char* name, const char* text, size_t length, BaseArena* scratch,
                             BaseYamlError* error)
{
    if (length > BASE_YAML_BYTES_MAX) {
        base_yaml_fail(error, name, 0, 0, NULL, "too large; allowed is 1 MiB");
        return NULL;
    }
    // the byte order mark of some editors
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    Reader reader = {.name = name, .error = error};
    reader.nodes = base_arena_alloc(scratch, BASE_YAML_NODES_MAX * sizeof(BaseYamlNode));
    reader.text_size = text_bytes(length);
    reader.text = base_arena_alloc(scratch, reader.text_size);
    if (!yaml_parser_initialize(&reader.parser)) {
        base_yaml_fail(error, name, 0, 0, NULL, "out of memory");
        return NULL;
    }
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char*)text, length);

    BaseYamlNode* root = read_document(&reader);
    if (reader.have_event) {
        yaml_event_delete(&reader.event);
    }
    yaml_parser_delete(&reader.parser);
    return root;
}
