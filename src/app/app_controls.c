#include "app/app_controls.h"

#include "app/app_folder.h"
#include "base/base_file.h"
#include "base/base_log.h"
#include "base/base_math.h"
#include "base/base_path.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CONTROLS_ARENA ((size_t)64 << 20) // bytes of address space: thousands of changes
#define CONTROLS_FILE  65536

static bool load(AppControls* c, const char* path, BaseYamlError* error)
{
    InputControls* new = base_arena_alloc(&c->arena, sizeof *new);
    if (!input_controls_load(path, &c->arena, new, error))
        return false;
    c->now = new;
    return true;
}

static bool load_shipped(AppControls* c, BaseYamlError* error)
{
    char path[4096];
    if (base_path_find("config/controls/keyboard.yaml", path, sizeof path))
        return load(c, path, error);
    *error = (BaseYamlError){0};
    snprintf(error->text, sizeof error->text, "config/controls/keyboard.yaml was not found");
    return false;
}

bool app_controls_init(AppControls* c, BaseYamlError* error)
{
    char folder[4000];
    *c = (AppControls){0};
    if (!base_arena_init(&c->arena, CONTROLS_ARENA))
        return false;
    if (app_folder_config(folder, sizeof folder))
        snprintf(c->path, sizeof c->path, "%s/controls.yaml", folder);
    if (c->path[0] && access(c->path, F_OK) == 0) {
        if (load(c, c->path, error))
            return true;
        base_warn("%s; the shipped controls are used", error->text);
    }
    return load_shipped(c, error);
}

void app_controls_free(AppControls* c)
{
    base_arena_free(&c->arena);
}

// --- changing ------------------------------------------------------------------------------------

static char* keep(AppControls* c, const char* text)
{
    size_t size = strlen(text) + 1;
    return memcpy(base_arena_alloc(&c->arena, size), text, size);
}

// The same again, to be changed, with room for more.
static InputControls* copy(AppControls* c)
{
    const InputControls* old = c->now;
    InputControls* new = base_arena_alloc(&c->arena, sizeof *new);
    *new = *old;
    new->keys = base_arena_alloc(&c->arena, INPUT_KEYS_MAX * sizeof *new->keys);
    memcpy(new->keys, old->keys, (size_t)old->key_count * sizeof *old->keys);
    new->devices = base_arena_alloc(&c->arena, INPUT_DEVICES_MAX * sizeof *new->devices);
    for (int n = 0; n < old->device_count; ++n) {
        InputDevice* d = &new->devices[n];
        *d = old->devices[n];
        d->axes = base_arena_alloc(&c->arena, INPUT_ANALOG_MAX * sizeof *d->axes);
        memcpy(d->axes, old->devices[n].axes, (size_t)d->axis_count * sizeof *d->axes);
    }
    c->now = new;
    return new;
}

static void add_axis(InputDevice* d, int source, int axis, bool invert, bool pedal)
{
    if (source < 0 || d->axis_count == INPUT_ANALOG_MAX)
        return;
    d->axes[d->axis_count++] = (InputAnalog){.source = source,
                                             .to = input_axis_words[axis],
                                             .axis = axis,
                                             .low = -1.0f,
                                             .center = pedal ? -1.0f : 0.0f,
                                             .high = 1.0f,
                                             .invert = invert};
}

// Sticks already spoken for by other devices.
static bool taken(const InputControls* c, int axis)
{
    for (int n = 0; n < c->device_count; ++n)
        for (int a = 0; a < c->devices[n].axis_count; ++a)
            if (c->devices[n].axes[a].axis == axis)
                return true;
    return false;
}

static void likely_axes(const InputControls* c, const PlatformDevice* from, InputDevice* d,
                        char text[160])
{
    // devices push their axes away from the hand as -1: forward is up
    if (from->pad) {
        add_axis(d, from->pad_axis[0], INPUT_LEFT_X, false, false);
        add_axis(d, from->pad_axis[1], INPUT_LEFT_Y, true, false);
        add_axis(d, from->pad_axis[2], INPUT_RIGHT_X, false, false);
        add_axis(d, from->pad_axis[3], INPUT_RIGHT_Y, true, false);
        add_axis(d, from->pad_axis[4], INPUT_STICK_AXES + INPUT_TRACK_LEFT, false, true);
        add_axis(d, from->pad_axis[5], INPUT_STICK_AXES + INPUT_TRACK_RIGHT, false, true);
        snprintf(text, 160, "%.60s: both sticks, triggers are the tracks", from->name);
        return;
    }
    bool second = taken(c, INPUT_LEFT_X);
    if (second && taken(c, INPUT_RIGHT_X)) {
        snprintf(text, 160, "%.60s: both sticks are taken; bind it on the page of devices",
                 from->name);
        return;
    }
    add_axis(d, 0, second ? INPUT_RIGHT_X : INPUT_LEFT_X, false, false);
    if (from->axes > 1)
        add_axis(d, 1, second ? INPUT_RIGHT_Y : INPUT_LEFT_Y, true, false);
    snprintf(text, 160, "%.60s: %s stick", from->name, second ? "right" : "left");
}

bool app_controls_take(AppControls* c, const PlatformInput* input, int device, char text[160])
{
    const PlatformDevice* from = platform_input_device(input, device);
    char name[32];
    for (int n = 0; n < c->now->device_count; ++n)
        if (platform_input_find(input, c->now, n) == device) {
            snprintf(text, 160, "%.60s is back", from->name);
            return true;
        }
    if (c->now->device_count == INPUT_DEVICES_MAX) {
        snprintf(text, 160, "%.60s: there is no room for a ninth device", from->name);
        return false;
    }
    InputControls* new = copy(c);
    InputDevice* d = &new->devices[new->device_count];
    snprintf(name, sizeof name, "device%d", new->device_count + 1);
    *d = (InputDevice){.name = keep(c, name), .guid = keep(c, from->guid)};
    d->path = from->path[0] ? keep(c, from->path) : NULL;
    d->axes = base_arena_alloc(&c->arena, INPUT_ANALOG_MAX * sizeof *d->axes);
    likely_axes(new, from, d, text);
    new->device_count++;
    return true;
}

bool app_controls_bind(AppControls* c, int number, const char* name, bool swap, char text[160])
{
    const InputControls* old = c->now;
    char does[80];
    int other = -1;
    for (int k = 0; k < old->key_count; ++k)
        if (k != number && old->keys[k].device == old->keys[number].device &&
            strcmp(old->keys[k].key, name) == 0)
            other = k;
    if (other >= 0 && !swap) {
        app_controls_does(&old->keys[other], does);
        snprintf(text, 160, "%s is in use: %s. Press it again to swap.", name, does);
        return false;
    }
    InputControls* new = copy(c);
    if (other >= 0)
        new->keys[other].key = old->keys[number].key;
    new->keys[number].key = keep(c, name);
    snprintf(text, 160, "%s it is", name);
    return true;
}

void app_controls_calibrate(AppControls* c, int n, const PlatformDevice* device)
{
    InputControls* new = copy(c);
    InputDevice* d = &new->devices[n];
    for (int a = 0; a < d->axis_count; ++a) {
        InputAnalog* x = &d->axes[a];
        int s = x->source;
        bool pedal = x->center == x->low;
        // an axis that nobody moved keeps its profile
        if (s >= INPUT_ANALOG_MAX || device->high[s] - device->low[s] < 0.3f)
            continue;
        x->low = device->low[s], x->high = device->high[s];
        x->center = pedal ? x->low : base_clampf(device->axis[s], x->low, x->high);
    }
}

void app_controls_invert(AppControls* c, int n, int axis)
{
    InputControls* new = copy(c);
    new->devices[n].axes[axis].invert = !new->devices[n].axes[axis].invert;
}

void app_controls_reset(AppControls* c)
{
    BaseYamlError error;
    if (!load_shipped(c, &error))
        base_warn("%s", error.text);
}

void app_controls_does(const InputKey* key, char text[80])
{
    static const char* const way[INPUT_STICK_AXES][2] = {
        {"left stick to the left", "left stick to the right"},
        {"left stick back", "left stick forward"},
        {"right stick to the left", "right stick to the right"},
        {"right stick back", "right stick forward"},
    };
    bool plus = key->value > 0.0f;
    if (key->does == INPUT_KEY_AXIS && key->index < INPUT_STICK_AXES)
        snprintf(text, 80, "%s", way[key->index][plus]);
    else if (key->does == INPUT_KEY_AXIS)
        snprintf(text, 80, "%s %s", input_axis_words[key->index], plus ? "+" : "-");
    else if (key->does == INPUT_KEY_DIAL)
        snprintf(text, 80, "engine speed %s", key->word[key->does]);
    else if (key->does == INPUT_KEY_RESPONSE)
        snprintf(text, 80, "response %s", key->word[key->does]);
    else
        snprintf(text, 80, "%s", key->word[key->does]);
    for (char* at = text; *at; ++at)
        *at = *at == '_' ? ' ' : *at;
}

// --- saving --------------------------------------------------------------------------------------

typedef struct Page {
    char text[CONTROLS_FILE];
    size_t used;
} Page;

static void put(Page* p, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(p->text + p->used, sizeof p->text - p->used, format, list);
    va_end(list);
    if (n > 0)
        p->used = (size_t)base_mini((int)p->used + n, (int)sizeof p->text - 1);
}

static void put_text(Page* p, const char* text)
{
    put(p, "\"");
    for (; *text; ++text)
        put(p, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    put(p, "\"");
}

static void put_feel(Page* p, const InputFeel* f)
{
    put(p, "{rise: %g, fall: %g, dead: %g, curve: %g, quick: %g}\n", (double)f->ramp.rise,
        (double)f->ramp.fall, 100.0 * (double)f->shape.dead, 100.0 * (double)f->shape.curve,
        (double)f->quick);
}

static void put_key(Page* p, const InputKey* key)
{
    static const char* const does[INPUT_KEY_DOES_COUNT] = {"axis",   "hold",     "toggle",
                                                           "button", "response", "dial"};
    put(p, "  - {key: ");
    put_text(p, key->key);
    if (key->device_name)
        put(p, ", device: %s", key->device_name);
    put(p, ", %s: %s", does[key->does], key->word[key->does]);
    if (key->does == INPUT_KEY_AXIS)
        put(p, ", value: %g", (double)key->value);
    put(p, "}\n");
}

static void put_device(Page* p, const InputDevice* d)
{
    put(p, "  %s:\n", d->name);
    if (d->guid) {
        put(p, "    guid: ");
        put_text(p, d->guid);
        put(p, "\n");
    }
    if (d->path) {
        put(p, "    path: ");
        put_text(p, d->path);
        put(p, "\n");
    }
    if (d->axis_count > 0)
        put(p, "    axes:\n");
    for (int a = 0; a < d->axis_count; ++a) {
        const InputAnalog* x = &d->axes[a];
        put(p, "      - {source: %d, to: %s, low: %.4f, center: %.4f, high: %.4f, invert: %s}\n",
            x->source, x->to, (double)x->low, (double)x->center, (double)x->high,
            x->invert ? "true" : "false");
    }
}

bool app_controls_save(const AppControls* c)
{
    static Page p;
    const InputControls* now = c->now;
    p.used = 0;
    put(&p,
        "# Written by the trainer; see docs/input.md. Delete it to get the shipped controls.\n");
    put(&p, "title: ");
    put_text(&p, now->title);
    put(&p, "\npattern: %s\nlevers: ", input_pattern_words[now->pattern]);
    put_feel(&p, &now->levers);
    if (now->feel_count > 0)
        put(&p, "feel:\n");
    for (int k = 0; k < now->feel_count; ++k) {
        put(&p, "  %s: ", now->feel[k].name);
        put_feel(&p, &now->feel[k]);
    }
    put(&p, "keys:\n");
    for (int k = 0; k < now->key_count; ++k)
        put_key(&p, &now->keys[k]);
    if (now->device_count > 0)
        put(&p, "devices:\n");
    for (int n = 0; n < now->device_count; ++n)
        put_device(&p, &now->devices[n]);
    if (c->path[0] && base_file_replace(c->path, p.text, p.used))
        return true;
    base_warn("%s: the controls could not be saved", c->path[0] ? c->path : "settings");
    return false;
}
