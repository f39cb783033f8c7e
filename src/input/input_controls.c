#include "input/input_controls.h"

#include "base/base_text.h"

#include <stdio.h>
#include <string.h>

#define WORD_BYTES 512 // of the list of allowed words in a message

// --- the schema ----------------------------------------------------------------------------------

// a key that is not the member's name
#define PART(S, m, kind, word) .key = (word), .type = (kind), .offset = offsetof(S, m)

// the defaults are those of a calm hand on a full-size machine
#define RATE .unit = "1/s", .max = 60
static const BaseYamlField feel_fields[] = {
    {PART(InputFeel, ramp.rise, BASE_YAML_TYPE_FLOAT, "rise"), RATE, .min = 0.1, .number = 2.5},
    {PART(InputFeel, ramp.fall, BASE_YAML_TYPE_FLOAT, "fall"), RATE, .min = 0.1, .number = 6},
    {PART(InputFeel, shape.dead, BASE_YAML_TYPE_FLOAT, "dead"), .unit = "%", .max = 50,
     .number = 6},
    {PART(InputFeel, shape.curve, BASE_YAML_TYPE_FLOAT, "curve"), .unit = "%", .max = 100,
     .number = 35},
    {BASE_YAML_FLOAT(InputFeel, quick), RATE, .min = 1, .number = 20},
};
static const BaseYamlSchema feel_schema = BASE_YAML_SCHEMA(InputFeel, feel_fields);

static const char* const does_words[INPUT_KEY_DOES_COUNT] = {"axis",     "hold", "toggle", "button",
                                                             "response", "dial", "trainer"};

static const char* check_key(const void* item, const char** key)
{
    const InputKey* k = item;
    int given = 0;
    for (int i = 0; i < INPUT_KEY_DOES_COUNT; ++i)
        given += k->word[i] != NULL;
    *key = "key";
    return given == 1 ? NULL
                      : "must do exactly one thing; allowed is one of axis, hold, toggle, button, "
                        "response, dial, trainer";
}

#define KEY_WORD(i, name)                                  \
    {                                                      \
        PART(InputKey, word[i], BASE_YAML_TYPE_NAME, name) \
    }

static const BaseYamlField key_fields[] = {
    {BASE_YAML_STRING(InputKey, key), .min = 1, .max = 32, .required = true},
    {PART(InputKey, device_name, BASE_YAML_TYPE_NAME, "device")},
    KEY_WORD(INPUT_KEY_AXIS, "axis"),
    KEY_WORD(INPUT_KEY_HOLD, "hold"),
    KEY_WORD(INPUT_KEY_TOGGLE, "toggle"),
    KEY_WORD(INPUT_KEY_BUTTON, "button"),
    KEY_WORD(INPUT_KEY_RESPONSE, "response"),
    KEY_WORD(INPUT_KEY_DIAL, "dial"),
    KEY_WORD(INPUT_KEY_TRAINER, "trainer"),
    {BASE_YAML_FLOAT(InputKey, value), .min = -1, .max = 1, .number = 1},
};
static const BaseYamlSchema key_schema = BASE_YAML_SCHEMA(InputKey, key_fields, .check = check_key);

static const char* check_analog(const void* item, const char** key)
{
    const InputAnalog* a = item;
    *key = a->high - a->low < 0.1f ? "high" : "center";
    if (a->high - a->low < 0.1f)
        return "must be at least 0.1 above low";
    return a->center < a->low || a->center > a->high ? "must lie between low and high" : NULL;
}

static const BaseYamlField analog_fields[] = {
    {BASE_YAML_INT(InputAnalog, source), .min = 0, .max = 63, .required = true},
    {BASE_YAML_NAME(InputAnalog, to), .required = true},
    {BASE_YAML_FLOAT(InputAnalog, low), .min = -1, .max = 1, .number = -1},
    {BASE_YAML_FLOAT(InputAnalog, center), .min = -1, .max = 1, .number = 0},
    {BASE_YAML_FLOAT(InputAnalog, high), .min = -1, .max = 1, .number = 1},
    {BASE_YAML_BOOL(InputAnalog, invert)},
    {BASE_YAML_STRING(InputAnalog, flip), .min = 1, .max = 32},
};
static const BaseYamlSchema analog_schema =
    BASE_YAML_SCHEMA(InputAnalog, analog_fields, .check = check_analog);

static const BaseYamlField device_fields[] = {
    {BASE_YAML_STRING(InputDevice, guid), .min = 1, .max = 64},
    {BASE_YAML_STRING(InputDevice, path), .min = 1, .max = 255},
    {BASE_YAML_LIST(InputDevice, axes, axis_count, analog_schema), .max = INPUT_ANALOG_MAX},
};
static const BaseYamlSchema device_schema = BASE_YAML_SCHEMA(InputDevice, device_fields);

static const BaseYamlField controls_fields[] = {
    {BASE_YAML_STRING(InputControls, title), .text = "", .min = 0, .max = 80},
    {BASE_YAML_ENUM(InputControls, pattern, input_pattern_words), .text = "iso"},
    {BASE_YAML_OBJECT(InputControls, levers, feel_schema)},
    {BASE_YAML_MAP(InputControls, feel, feel_count, feel_schema, InputFeel, name),
     .max = INPUT_AXIS_COUNT},
    {BASE_YAML_LIST(InputControls, keys, key_count, key_schema), .max = INPUT_KEYS_MAX},
    {BASE_YAML_MAP(InputControls, devices, device_count, device_schema, InputDevice, name),
     .max = INPUT_DEVICES_MAX},
};
static const BaseYamlSchema controls_schema = BASE_YAML_SCHEMA(InputControls, controls_fields);

// --- words become numbers ------------------------------------------------------------------------

// Says what was wrong with a word at the place `format`, and what is allowed.
static bool fail_word(const char* path, BaseYamlError* error, const char* place, const char* word,
                      const char* const* words)
{
    char allowed[WORD_BYTES];
    size_t used = 0;
    allowed[0] = '\0';
    for (int i = 0; words[i] && used < sizeof allowed; ++i)
        used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s", i ? ", " : "",
                                 words[i]);
    const char* near = base_text_nearest(word, words);
    return base_yaml_fault(path, place, error, "%.40s is unknown; %s%s%sallowed is one of %.250s",
                           word, near ? "did you mean " : "", near ? near : "", near ? "? " : "",
                           allowed);
}

static bool find_word(const char* path, BaseYamlError* error, const char* place, const char* word,
                      const char* const* words, int* out)
{
    *out = input_find_word(words, word);
    return *out >= 0 || fail_word(path, error, place, word, words);
}

static bool resolve_feels(const char* path, InputControls* c, BaseYamlError* error)
{
    for (int i = 0; i < INPUT_AXIS_COUNT; ++i) {
        c->of[i] = c->levers;
        c->of[i].name = input_axis_words[i];
        c->of[i].axis = i;
    }
    for (int i = 0; i < c->feel_count; ++i) {
        char place[96];
        InputFeel* feel = &c->feel[i];
        snprintf(place, sizeof place, "feel.%s", feel->name);
        if (!find_word(path, error, place, feel->name, input_axis_words, &feel->axis))
            return false;
        c->of[feel->axis] = *feel;
    }
    return true;
}

static int find_device(const InputControls* c, const char* name)
{
    for (int i = 0; i < c->device_count; ++i)
        if (strcmp(c->devices[i].name, name) == 0)
            return i;
    return -1;
}

static bool resolve_key(const char* path, const InputControls* c, int number, BaseYamlError* error)
{
    static const char* const notches[] = {"down", "up", NULL};
    static const char* const* const tables[INPUT_KEY_DOES_COUNT] = {
        input_axis_words,   input_switch_words,   input_switch_words,
        input_button_words, input_response_words, notches,
        input_trainer_words};
    char place[96];
    InputKey* key = &c->keys[number];
    key->does = 0;
    while (!key->word[key->does])
        ++key->does;
    snprintf(place, sizeof place, "keys[%d].%s", number, does_words[key->does]);
    if (!find_word(path, error, place, key->word[key->does], tables[key->does], &key->index))
        return false;
    key->device = key->device_name ? find_device(c, key->device_name) : -1;
    snprintf(place, sizeof place, "keys[%d].device", number);
    return !key->device_name || key->device >= 0 ||
           base_yaml_fault(path, place, error, "%s is not among devices; describe it there",
                           key->device_name);
}

static bool resolve_device(const char* path, InputDevice* device, BaseYamlError* error)
{
    for (int i = 0; i < device->axis_count; ++i) {
        char place[128];
        InputAnalog* analog = &device->axes[i];
        snprintf(place, sizeof place, "devices.%s.axes[%d].to", device->name, i);
        if (!find_word(path, error, place, analog->to, input_axis_words, &analog->axis))
            return false;
    }
    return true;
}

bool input_controls_load(const char* path, BaseArena* arena, InputControls* out,
                         BaseYamlError* error)
{
    InputControls controls;
    size_t before = arena->used;
    if (!base_yaml_load(path, &controls_schema, arena, &controls, error))
        return false;
    bool fine = resolve_feels(path, &controls, error);
    for (int i = 0; fine && i < controls.key_count; ++i)
        fine = resolve_key(path, &controls, i, error);
    for (int i = 0; fine && i < controls.device_count; ++i)
        fine = resolve_device(path, &controls.devices[i], error);
    if (fine)
        *out = controls;
    else
        base_arena_rewind(arena, before);
    return fine;
}
