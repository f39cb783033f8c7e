// base_yaml_bind - what the reader by schema needs to speak: where it is, units and ranges, and the sentences
// for what is wrong and what is allowed.
//
// Does not: read anything. Used by base_yaml.c alone.
#ifndef BASE_YAML_BIND_H
#define BASE_YAML_BIND_H

#include "base/base_yaml_tree.h"

#define BASE_YAML_PATH 160 // bytes of a dotted key in a message; longer ones are cut

typedef struct BaseYamlBinder {
    const char* name; // of the file, for messages
    BaseYamlError* error;
    BaseArena* arena; // strings and lists
    char path[BASE_YAML_PATH];
} BaseYamlBinder;

// Appends ".key" or, without a key, "[index]"; returns the old length for base_yaml_leave().
size_t base_yaml_enter(BaseYamlBinder* binder, const char* key, int index);
void base_yaml_leave(BaseYamlBinder* binder, size_t length);

double base_yaml_to_si(const BaseYamlField* field, double value);
bool base_yaml_has_range(const BaseYamlField* field);
bool base_yaml_in_range(const BaseYamlField* field, double value);
size_t base_yaml_string_limit(const BaseYamlField* field);

// Each fills the error and returns false. "WHAT; allowed is ...", "VALUE PROBLEM; allowed is ...", a word and a
// key that are unknown with what was probably meant, memory that is short.
bool base_yaml_fail_value(BaseYamlBinder* binder, const BaseYamlNode* node,
                          const BaseYamlField* field, const char* what);
bool base_yaml_fail_text(BaseYamlBinder* binder, const BaseYamlNode* node,
                         const BaseYamlField* field, const char* problem);
bool base_yaml_fail_word(BaseYamlBinder* binder, const BaseYamlNode* node,
                         const BaseYamlField* field);
bool base_yaml_fail_key(BaseYamlBinder* binder, const BaseYamlNode* child,
                        const BaseYamlSchema* schema);
bool base_yaml_fail_memory(BaseYamlBinder* binder);

#endif
