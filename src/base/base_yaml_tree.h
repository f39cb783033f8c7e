// base_yaml_tree - the raw half of base_yaml: text to a tree of marked nodes.
//
// Does:     drive libyaml and refuse whatever lies outside the subset or the limits.
// Does not: know schemas. Used by base_yaml.c and base_yaml_bind.c alone.
#ifndef BASE_YAML_TREE_H
#define BASE_YAML_TREE_H

#include "base/base_arena.h"
#include "base/base_yaml.h"

typedef enum BaseYamlKind {
    BASE_YAML_SCALAR,
    BASE_YAML_SEQUENCE,
    BASE_YAML_MAPPING,
} BaseYamlKind;

typedef struct BaseYamlNode {
    BaseYamlKind kind;
    bool quoted;                // scalars: written in quotes or as a block
    int line, column;           // from 1
    int count;                  // children
    const char* key;            // in a mapping, else NULL
    int key_line, key_column;   // from 1, where key is not NULL
    const char* text;           // scalars
    struct BaseYamlNode* child; // first of a chain
    struct BaseYamlNode* next;  // in the parent's chain
} BaseYamlNode;

// The root mapping, with all its memory in scratch; NULL when the text is refused.
BaseYamlNode* base_yaml_tree(const char* name, const char* text, size_t length, BaseArena* scratch,
                             BaseYamlError* error);

// Bytes of scratch that suffice for any text of this length.
size_t base_yaml_tree_bytes(size_t length);

// Fills the error; returns false so that callers can return it. A line of 0 leaves the place out,
// a NULL key leaves the key out.
bool base_yaml_fail(BaseYamlError* error, const char* name, int line, int column, const char* key,
                    const char* format, ...) __attribute__((format(printf, 6, 7)));

#endif
