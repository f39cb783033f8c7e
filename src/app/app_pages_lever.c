// Pages of functions: which device, axis, key or button moves what, and how it answers. What somebody
// wants is moved or pressed, not looked up.
#include "app/app_pages_internal.h"

#include <math.h>
#include <stdio.h>

#define LEARN_PUSH    0.5f // of the axis' range, beyond where it rested
#define LEARN_REST    0.25f
#define LEARN_SECONDS 12.0
#define PEDAL_REST    0.8f // an axis that rests so near its end is a pedal

// --- names ---------------------------------------------------------------------------------------

static const LeverName functions[INPUT_FUNCTION_COUNT] = {
    [INPUT_SWING] = {"Swing, by itself", "to the right", "to the left"},
    [INPUT_BOOM] = {"Boom, by itself", "up", "down"},
    [INPUT_STICK] = {"Stick, by itself", "in", "out"},
    [INPUT_BUCKET] = {"Bucket, by itself", "curl", "dump"},
    [INPUT_TRACK_LEFT] = {"Left track", "forward", "back"},
    [INPUT_TRACK_RIGHT] = {"Right track", "forward", "back"},
    [INPUT_BLADE] = {"Blade", "up", "down"},
    [INPUT_BLADE_TILT] = {"Blade, tilt", "right end down", "left end down"},
    [INPUT_BLADE_ANGLE] = {"Blade, angle", "right end back", "left end back"},
    [INPUT_BODY] = {"Truck's body", "up", "down"},
    [INPUT_STEER] = {"Steering", "to the right", "to the left"},
    [INPUT_THROTTLE] = {"Throttle", "more", NULL},
    [INPUT_BRAKE] = {"Brake", "more", NULL},
    [INPUT_OFFSET] = {"Boom offset", "to the right", "to the left"},
};

LeverName app_pages_lever_name(const Trainer* t, int axis)
{
    static const char* const iso[INPUT_STICK_AXES] = {"Swing", "Stick", "Bucket", "Boom"};
    static const char* const sae[INPUT_STICK_AXES] = {"Swing", "Boom", "Bucket", "Stick"};
    if (axis >= INPUT_STICK_AXES)
        return functions[axis - INPUT_STICK_AXES];
    const char* name = (t->settings.pattern == INPUT_PATTERN_SAE ? sae : iso)[axis];
    bool across = axis == INPUT_LEFT_X || axis == INPUT_RIGHT_X;
    return (LeverName){name, across ? "to the right" : "forward", across ? "to the left" : "back"};
}

// What it is called by its maker while it is there, by its profile when it is not.
static const char* device_name(const Trainer* t, int n)
{
    static char name[80];
    int slot = platform_input_find(t->input, t->controls.now, n), twins = 0, number = 0;
    if (slot < 0)
        return t->controls.now->devices[n].name;
    const char* own = platform_input_device(t->input, slot)->name;
    for (int k = 0; k < platform_input_devices(t->input); ++k) {
        bool same = strcmp(platform_input_device(t->input, k)->name, own) == 0;
        twins += same;
        number += same && k <= slot;
    }
    // twins have numbers, in the order in which they came
    if (twins > 1)
        snprintf(name, sizeof name, "%.14s.. %d", own, number);
    else
        snprintf(name, sizeof name, strlen(own) > 18 ? "%.16s.." : "%s", own);
    return name;
}

typedef struct Line {
    char text[96];
    size_t used;
} Line;

static void add(Line* l, const char* what)
{
    int n =
        snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s", l->used ? ", " : "", what);
    l->used = l->used + (size_t)n < sizeof l->text ? l->used + (size_t)n : sizeof l->text - 1;
}

// Who moves a lever: "twin 0, W, S"; two sticks for one lever are a conflict and told as one.
static void sources(const Trainer* t, int axis, char text[96])
{
    const InputControls* c = t->controls.now;
    Line l = {0};
    char what[64];
    int sticks = 0;
    for (int n = 0; n < c->device_count; ++n)
        for (int a = 0; a < c->devices[n].axis_count; ++a) {
            const InputAnalog* x = &c->devices[n].axes[a];
            if (x->axis != axis)
                continue;
            sticks += x->center > x->low && x->center < x->high;
            snprintf(what, sizeof what, "%s axis %d", device_name(t, n), x->source);
            add(&l, what);
        }
    for (int k = 0; k < c->key_count; ++k)
        if (c->keys[k].does == INPUT_KEY_AXIS && c->keys[k].index == axis)
            add(&l, c->keys[k].key);
    snprintf(text, 96, "%s%.90s", sticks > 1 ? "\u26a0 " : "", l.used ? l.text : "nothing");
}

// --- the page of all functions -------------------------------------------------------------------

static const struct {
    int does, index;
    const char* name;
} works[] = {
    {INPUT_KEY_HOLD, 1, "Horn"},
    {INPUT_KEY_TOGGLE, 0, "Hydraulic lock-out"},
    {INPUT_KEY_HOLD, 3, "Power boost"},
    {INPUT_KEY_TOGGLE, 4, "Slow travel"},
    {INPUT_KEY_TOGGLE, 2, "Auto idle"},
    {INPUT_KEY_TOGGLE, 5, "Lights"},
    {INPUT_KEY_TOGGLE, 6, "Truck in reverse"},
    {INPUT_KEY_DIAL, 1, "Engine faster"},
    {INPUT_KEY_DIAL, 0, "Engine slower"},
    {INPUT_KEY_RESPONSE, INPUT_RESPONSE_SOFT, "Soft valves"},
    {INPUT_KEY_RESPONSE, INPUT_RESPONSE_NORMAL, "Normal valves"},
    {INPUT_KEY_RESPONSE, INPUT_RESPONSE_ACTIVE, "Brisk valves"},
    {INPUT_KEY_BUTTON, 0, "Lesson: continue"},
    {INPUT_KEY_BUTTON, 1, "Lesson: again"},
    {INPUT_KEY_BUTTON, 2, "Lesson: help"},
    {INPUT_KEY_TRAINER, INPUT_TRAINER_PAUSE, "Pause, menu"},
    {INPUT_KEY_TRAINER, INPUT_TRAINER_CAMERA, "Next camera"},
    {INPUT_KEY_TRAINER, INPUT_TRAINER_HOME, "Camera as it was"},
    {INPUT_KEY_TRAINER, INPUT_TRAINER_PATTERN, "ISO or SAE"},
    {INPUT_KEY_TRAINER, INPUT_TRAINER_SHOW, "Show me, my turn"},
    {INPUT_KEY_TRAINER, INPUT_TRAINER_TIMES, "Times of picture and step"},
    {INPUT_KEY_TRAINER, INPUT_TRAINER_FULL, "Full screen"},
    {INPUT_KEY_TRAINER, INPUT_TRAINER_PICTURE, "Picture of the screen"},
};
#define WORKS ((int)(sizeof works / sizeof works[0]))

static void pressers(const Trainer* t, int work, char text[96])
{
    const InputControls* c = t->controls.now;
    Line l = {0};
    char what[64];
    for (int k = 0; k < c->key_count; ++k) {
        const InputKey* key = &c->keys[k];
        if (key->does != works[work].does || key->index != works[work].index)
            continue;
        snprintf(what, sizeof what, "%.22s%s%.30s",
                 key->device >= 0 ? device_name(t, key->device) : "", key->device >= 0 ? " " : "",
                 key->key);
        add(&l, what);
    }
    snprintf(text, 96, "%s", l.used ? l.text : "nothing");
}

void app_pages_assign(Trainer* t)
{
    char value[96];
    app_menu_begin(&t->menu, "Functions");
    app_pages_choice(t, DO_NOTHING, 0, "Levers", "", "");
    for (int a = 0; a < INPUT_AXIS_COUNT; ++a) {
        sources(t, a, value);
        // the arm's functions belong to the sticks unless somebody gave them a lever of their own
        bool arm = a >= INPUT_STICK_AXES && a < INPUT_STICK_AXES + INPUT_TRACK_LEFT;
        if (!arm || strcmp(value, "nothing") != 0)
            app_pages_choice(t, DO_LEVER, a, app_pages_lever_name(t, a).name, value,
                             "Enter: move or press what shall move it; invert, dead zone, curve. A "
                             "\u26a0 tells that two sticks move it.");
    }
    app_pages_choice(t, DO_NOTHING, 0, "Buttons", "", "");
    for (int k = 0; k < WORKS; ++k) {
        bool learning = t->learn.kind == LEARN_WORK && t->learn.work == k;
        pressers(t, k, value);
        app_pages_choice(t, DO_WORK, k, works[k].name, learning ? "press a key or button" : value,
                         "Enter, then the key or the button of a device. One that is in use is "
                         "named; pressing it again takes it.");
    }
    app_pages_choice(t, DO_RESET_KEYS, 0, "Back to the shipped controls", "",
                     "Devices are forgotten, too.");
    app_pages_choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", "");
}

// --- the page of one lever -----------------------------------------------------------------------

static const char* learning(const Trainer* t, int kind, int way, const char* otherwise)
{
    bool here = t->learn.kind == kind && t->learn.way == way;
    return here ? "now" : otherwise;
}

void app_pages_lever(Trainer* t)
{
    const InputControls* c = t->controls.now;
    const LeverName lever = app_pages_lever_name(t, t->lever);
    char label[96], value[96];
    app_menu_begin(&t->menu, lever.name);
    t->menu.wide = true;
    snprintf(label, sizeof label, "Move or press: %s", lever.plus);
    app_pages_choice(t, DO_LEARN, 1, label, learning(t, LEARN_LEVER, 1, ""), "");
    if (lever.minus) {
        snprintf(label, sizeof label, "Move or press: %s", lever.minus);
        app_pages_choice(t, DO_LEARN, -1, label, learning(t, LEARN_LEVER, -1, ""), "");
    }
    for (int n = 0; n < c->device_count; ++n)
        for (int a = 0; a < c->devices[n].axis_count; ++a) {
            const InputAnalog* x = &c->devices[n].axes[a];
            if (x->axis != t->lever)
                continue;
            int which = n * INPUT_ANALOG_MAX + a;
            snprintf(label, sizeof label, "%.40s, axis %d", device_name(t, n), x->source);
            app_pages_choice(t, DO_INVERT, which, label, x->invert ? "inverted" : "straight", "");
            bool now = t->learn.kind == LEARN_FLIP && t->learn.which == which;
            app_pages_choice(t, DO_FLIP, which, "   the other way while held",
                             now       ? "press a button"
                             : x->flip ? x->flip
                                       : "no button",
                             "");
        }
    const InputShape* shape = &c->of[t->lever].shape;
    snprintf(value, sizeof value, "%.0f %%", 100.0 * (double)shape->dead);
    app_pages_turn(t, DO_DEAD, "Dead zone", value, "");
    snprintf(value, sizeof value, "%.0f %%", 100.0 * (double)shape->curve);
    app_pages_turn(t, DO_CURVE, "Curve, fine in the middle", value, "");
    sources(t, t->lever, value);
    app_pages_choice(t, DO_FREE_LEVER, 0, "Take everything off it", value, "");
    app_pages_choice(t, DO_PAGE, PAGE_ASSIGN, "Back", "", "");
    if (t->learn.kind)
        snprintf(t->menu.foot, sizeof t->menu.foot,
                 "Move a stick or pedal that way, or press a key or button. Escape: leave it.");
}

// --- learning ------------------------------------------------------------------------------------

void app_pages_learn(Trainer* t, int kind, int way, int what)
{
    t->learn = (TrainerLearn){.kind = kind,
                              .way = way,
                              .work = what,
                              .which = what,
                              .met_device = -1,
                              .until = platform_now() + LEARN_SECONDS};
    for (int k = 0; k < platform_input_devices(t->input); ++k)
        memcpy(t->learn.rest[k], platform_input_device(t->input, k)->axis, sizeof t->learn.rest[k]);
}

static void learned(Trainer* t, bool fine, const char* text)
{
    app_trainer_say(t, text);
    t->learn.until = platform_now() + LEARN_SECONDS;
    if (!fine)
        return;
    t->learn.kind = LEARN_NONE;
    t->stick_wait = true;
    app_controls_save(&t->controls);
}

// An axis that was moved; `up` tells which way.
static void learn_axis(Trainer* t, int device, int source, bool up)
{
    char text[160];
    TrainerLearn* l = &t->learn;
    int n = app_pages_profile(t, device);
    float rest = l->rest[device][source];
    bool pedal = fabsf(rest) > PEDAL_REST;
    if (n < 0)
        return;
    InputAnalog x = {.source = source,
                     .to = input_axis_words[t->lever],
                     .axis = t->lever,
                     .low = -1.0f,
                     .center = pedal ? (rest > 0.0f ? 1.0f : -1.0f) : 0.0f,
                     .high = 1.0f};
    x.invert = up != (l->way > 0);
    bool take = l->met_device == device && l->met_source == source;
    bool fine = app_controls_assign(&t->controls, n, &x, take, text);
    l->met_device = device, l->met_source = source, l->let_go = true;
    learned(t, fine, text);
}

void app_pages_learn_axes(Trainer* t)
{
    TrainerLearn* l = &t->learn;
    bool away = false;
    if (platform_now() > l->until)
        l->kind = LEARN_NONE;
    for (int k = 0; k < platform_input_devices(t->input) && l->kind == LEARN_LEVER; ++k) {
        const PlatformDevice* d = platform_input_device(t->input, k);
        for (int a = 0; a < d->axes && d->plugged && l->kind == LEARN_LEVER; ++a) {
            float moved = d->axis[a] - l->rest[k][a];
            away = away || fabsf(moved) > LEARN_REST;
            if (!l->let_go && fabsf(moved) > LEARN_PUSH)
                learn_axis(t, k, a, moved > 0.0f);
        }
    }
    l->let_go = l->let_go && away;
}

// A key (device -1) or a button of a device.
void app_pages_learn_press(Trainer* t, int device, int number, const char* name)
{
    char text[160], button[32];
    TrainerLearn* l = &t->learn;
    InputKey work = {.value = (float)l->way};
    int n = device >= 0 ? app_pages_profile(t, device) : -1;
    if (device < 0 && strcmp(name, "Escape") == 0) {
        l->kind = LEARN_NONE;
        return;
    }
    if (device >= 0 && n < 0)
        return;
    if (l->kind == LEARN_FLIP) {
        if (n != l->which / INPUT_ANALOG_MAX)
            return; // another device's button cannot
        app_controls_flip(&t->controls, n, l->which % INPUT_ANALOG_MAX, number);
        learned(t, true, "Held, it turns this axis round.");
        return;
    }
    if (l->kind == LEARN_LEVER)
        work.does = INPUT_KEY_AXIS, work.index = t->lever;
    else
        work.does = works[l->work].does, work.index = works[l->work].index, work.value = 1.0f;
    static const char* const dials[2] = {"down", "up"};
    switch (work.does) {
    case INPUT_KEY_AXIS: work.word[work.does] = input_axis_words[work.index]; break;
    case INPUT_KEY_BUTTON: work.word[work.does] = input_button_words[work.index]; break;
    case INPUT_KEY_RESPONSE: work.word[work.does] = input_response_words[work.index]; break;
    case INPUT_KEY_DIAL: work.word[work.does] = dials[work.index]; break;
    case INPUT_KEY_TRAINER: work.word[work.does] = input_trainer_words[work.index]; break;
    default: work.word[work.does] = input_switch_words[work.index]; break;
    }
    snprintf(button, sizeof button, "button %d", number);
    const char* key = device >= 0 ? button : name;
    bool take = l->met_device == device && strcmp(l->met_key, key) == 0;
    bool fine = app_controls_press(&t->controls, n, key, &work, take, text);
    l->met_device = device;
    snprintf(l->met_key, sizeof l->met_key, "%s", key);
    learned(t, fine, text);
}

// --- the graph of a lever ------------------------------------------------------------------------

#define PALE  0xf2f0eaffu
#define DIM   0xb7bcc2ffu
#define AMBER 0xffb531ffu
#define EDGE  0xffffff40u

void app_pages_curve(const Trainer* t, ViewDraw* d, const InputAnalog* x, float raw, float left,
                     float top, float size, float s)
{
    float xy[2 * 41];
    InputShape shape = t->controls.now->of[x->axis].shape;
    view_draw_panel(d, left, top, size, size, 4 * s, 0x00000060u, EDGE);
    view_draw_line(d, left, top + 0.5f * size, left + size, top + 0.5f * size, 1.0f, EDGE);
    view_draw_line(d, left + 0.5f * size, top, left + 0.5f * size, top + size, 1.0f, EDGE);
    for (int k = 0; k <= 40; ++k) {
        float in = -1.0f + 0.05f * (float)k;
        float out = input_shape(base_clampf(input_analog_value(x, in), -1.0f, 1.0f), shape);
        xy[2 * k] = left + (0.5f + 0.48f * in) * size;
        xy[2 * k + 1] = top + (0.5f - 0.48f * out) * size;
    }
    view_draw_polyline(d, xy, 41, 2.0f * s, PALE);
    float out = input_shape(base_clampf(input_analog_value(x, raw), -1.0f, 1.0f), shape);
    float px = left + (0.5f + 0.48f * raw) * size, py = top + (0.5f - 0.48f * out) * size;
    view_draw_line(d, px, top + 0.5f * size, px, py, 1.5f * s, AMBER);
    view_draw_disc(d, px, py, 5 * s, AMBER);
}

// The device's axis that moves a lever, and where it is; a straight one when there is none.
static InputAnalog moved_by(const Trainer* t, int axis, float* raw)
{
    const InputControls* c = t->controls.now;
    InputAnalog x = {.axis = axis, .low = -1.0f, .high = 1.0f};
    *raw = 0.0f;
    for (int n = 0; n < c->device_count; ++n) {
        int slot = platform_input_find(t->input, c, n);
        for (int a = 0; a < c->devices[n].axis_count; ++a) {
            const InputAnalog* it = &c->devices[n].axes[a];
            if (it->axis == axis)
                x = *it;
            if (it->axis == axis && slot >= 0 && it->source < INPUT_ANALOG_MAX)
                *raw = platform_input_device(t->input, slot)->axis[it->source];
        }
    }
    return x;
}

void app_pages_lever_side(const Trainer* t, ViewDraw* d, float s)
{
    const AppMenu* m = &t->menu;
    const MenuRow* row = &m->row[m->chosen];
    bool all = t->page == PAGE_ASSIGN; // the chosen one's, below the words
    int axis = !all ? t->lever : row->action == DO_LEVER ? row->argument : -1;
    char text[96];
    float raw;
    if (axis < 0)
        return;
    const LeverName lever = app_pages_lever_name(t, axis);
    const InputAnalog x = moved_by(t, axis, &raw);
    float top = m->side_y + (all ? 130 : 24) * s, left = m->side_x;
    float size = base_minf(m->side_w - 150 * s, m->side_y + m->side_h - top - 26 * s);
    // too large letters for a graph: the words are worth more
    if (size < 60 * s)
        return;
    view_draw_text(d, left, top - 8 * s, 14 * s, VIEW_LEFT, DIM, lever.plus);
    app_pages_curve(t, d, &x, raw, left, top, size, s);
    if (lever.minus)
        view_draw_text(d, left, top + size + 18 * s, 14 * s, VIEW_LEFT, DIM, lever.minus);
    float out = input_shape(base_clampf(input_analog_value(&x, raw), -1.0f, 1.0f),
                            t->controls.now->of[axis].shape);
    snprintf(text, sizeof text, "device %+.2f", (double)raw);
    view_draw_text(d, left + size + 14 * s, top + 20 * s, 16 * s, VIEW_LEFT, PALE, text);
    snprintf(text, sizeof text, "lever %+.2f", (double)out);
    view_draw_text(d, left + size + 14 * s, top + 46 * s, 16 * s, VIEW_LEFT, AMBER, text);
}
