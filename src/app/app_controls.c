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

void app_controls_reset(AppControls* c)
{
    BaseYamlError error;
    if (!load_shipped(c, &error))
        base_warn("%s", error.text);
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
    static const char* const does[INPUT_KEY_DOES_COUNT] = {"axis",     "hold", "toggle", "button",
                                                           "response", "dial", "trainer"};
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
        put(p, "      - {source: %d, to: %s, low: %.4f, center: %.4f, high: %.4f, invert: %s",
            x->source, x->to, (double)x->low, (double)x->center, (double)x->high,
            x->invert ? "true" : "false");
        put(p, x->flip ? ", flip: %s}\n" : "}\n", x->flip);
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
