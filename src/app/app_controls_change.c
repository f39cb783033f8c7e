// Changes of the controls in use. Every one makes new controls; what a session holds lives on.
#include "app/app_controls.h"

#include "base/base_math.h"

#include <stdio.h>
#include <string.h>

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
    new->feel = base_arena_alloc(&c->arena, INPUT_AXIS_COUNT * sizeof *new->feel);
    memcpy(new->feel, old->feel, (size_t)old->feel_count * sizeof *old->feel);
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

static void add_button(AppControls* c, InputControls* to, const InputDevice* d, int number,
                       int does, const char* word, int index)
{
    char name[32];
    if (number < 0 || to->key_count == INPUT_KEYS_MAX)
        return;
    snprintf(name, sizeof name, "button %d", number);
    InputKey* key = &to->keys[to->key_count++];
    *key = (InputKey){.key = keep(c, name), .device_name = d->name, .device = to->device_count};
    key->does = does, key->index = index, key->word[does] = word, key->value = 1.0f;
}

static void add_switch(AppControls* c, InputControls* to, const InputDevice* d, int number,
                       int does, int bit)
{
    add_button(c, to, d, number, does, input_switch_words[bit], bit);
}

static void add_wish(AppControls* c, InputControls* to, const InputDevice* d, int number, int wish)
{
    add_button(c, to, d, number, INPUT_KEY_TRAINER, input_trainer_words[wish], wish);
}

// Triggers only push: the shoulder button over each turns its track round.
static void likely_pad(AppControls* c, InputControls* to, const PlatformDevice* from,
                       InputDevice* d)
{
    char name[32];
    add_axis(d, from->pad_axis[0], INPUT_LEFT_X, false, false);
    add_axis(d, from->pad_axis[1], INPUT_LEFT_Y, true, false);
    add_axis(d, from->pad_axis[2], INPUT_RIGHT_X, false, false);
    add_axis(d, from->pad_axis[3], INPUT_RIGHT_Y, true, false);
    for (int side = 0; side < 2; ++side) {
        int number = from->pad_button[PLATFORM_PAD_LEFT_SHOULDER + side], at = d->axis_count;
        add_axis(d, from->pad_axis[4 + side], INPUT_STICK_AXES + INPUT_TRACK_LEFT + side, false,
                 true);
        snprintf(name, sizeof name, "button %d", number);
        if (d->axis_count > at && number >= 0)
            d->axes[at].flip = keep(c, name);
    }
    const int* b = from->pad_button;
    add_switch(c, to, d, b[PLATFORM_PAD_A], INPUT_KEY_HOLD, 1);   // horn
    add_switch(c, to, d, b[PLATFORM_PAD_X], INPUT_KEY_HOLD, 3);   // boost
    add_switch(c, to, d, b[PLATFORM_PAD_Y], INPUT_KEY_TOGGLE, 4); // slow
    add_switch(c, to, d, b[PLATFORM_PAD_B], INPUT_KEY_TOGGLE, 0); // lock
    add_button(c, to, d, b[PLATFORM_PAD_UP], INPUT_KEY_DIAL, "up", 1);
    add_button(c, to, d, b[PLATFORM_PAD_DOWN], INPUT_KEY_DIAL, "down", 0);
    add_button(c, to, d, b[PLATFORM_PAD_LEFT_STICK], INPUT_KEY_BUTTON, input_button_words[0], 0);
    add_button(c, to, d, b[PLATFORM_PAD_RIGHT_STICK], INPUT_KEY_BUTTON, input_button_words[2], 2);
    add_wish(c, to, d, b[PLATFORM_PAD_START], INPUT_TRAINER_PAUSE);
    add_wish(c, to, d, b[PLATFORM_PAD_BACK], INPUT_TRAINER_CAMERA);
}

// Devices push their axes away from the hand as -1: forward is up.
static void likely_stick(AppControls* c, InputControls* to, const PlatformDevice* from,
                         InputDevice* d, char text[160])
{
    bool second = taken(to, INPUT_LEFT_X);
    if (second && taken(to, INPUT_RIGHT_X)) {
        snprintf(text, 160, "%.60s: both sticks are taken; the page of functions gives it work",
                 from->name);
        return;
    }
    add_axis(d, 0, second ? INPUT_RIGHT_X : INPUT_LEFT_X, false, false);
    if (from->axes > 1)
        add_axis(d, 1, second ? INPUT_RIGHT_Y : INPUT_LEFT_Y, true, false);
    if (from->buttons > 0)
        add_switch(c, to, d, 0, INPUT_KEY_HOLD, second ? 3 : 1); // boost, horn
    if (from->buttons > 2)
        add_wish(c, to, d, 2, second ? INPUT_TRAINER_CAMERA : INPUT_TRAINER_PAUSE);
    snprintf(text, 160, "%.60s: %s stick", from->name, second ? "right" : "left");
}

bool app_controls_take(AppControls* c, const PlatformInput* input, int device, char text[160])
{
    const PlatformDevice* from = platform_input_device(input, device);
    char name[32];
    for (int n = 0; n < c->now->device_count; ++n)
        if (platform_input_find(input, c->now, n) == device) {
            snprintf(text, 160, "%.60s is back; it counts from neutral on", from->name);
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
    if (from->pad) {
        likely_pad(c, new, from, d);
        snprintf(text, 160,
                 "%.60s: both sticks; triggers are the tracks, with the shoulder button "
                 "backwards",
                 from->name);
    } else
        likely_stick(c, new, from, d, text);
    new->device_count++;
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

void app_controls_again(AppControls* c)
{
    copy(c);
}

// --- assigning -----------------------------------------------------------------------------------

static void drop(InputDevice* d, int a)
{
    memmove(&d->axes[a], &d->axes[a + 1], (size_t)(d->axis_count - a - 1) * sizeof *d->axes);
    d->axis_count--;
}

static bool is_pedal(const InputAnalog* x)
{
    return x->center <= x->low || x->center >= x->high;
}

int app_controls_way(const InputAnalog* x)
{
    bool rests_high = x->center >= x->high;
    return rests_high == x->invert ? 1 : -1;
}

// One stick moves a lever, or a pedal for each direction.
static void make_room(InputControls* new, const InputAnalog* for_it)
{
    for (int n = 0; n < new->device_count; ++n)
        for (int a = new->devices[n].axis_count - 1; a >= 0; --a) {
            const InputAnalog* x = &new->devices[n].axes[a];
            bool beside =
                is_pedal(x) && is_pedal(for_it) && app_controls_way(x) != app_controls_way(for_it);
            if (x->axis == for_it->axis && !beside)
                drop(&new->devices[n], a);
        }
}

bool app_controls_assign(AppControls* c, int n, const InputAnalog* wanted, bool take,
                         char text[160])
{
    const InputDevice* old = &c->now->devices[n];
    int used = -1;
    for (int a = 0; a < old->axis_count; ++a)
        if (old->axes[a].source == wanted->source && old->axes[a].axis != wanted->axis)
            used = a;
    if (used >= 0 && !take) {
        snprintf(text, 160, "Axis %d is in use: it moves %s. Move it again to take it.",
                 wanted->source, old->axes[used].to);
        return false;
    }
    InputControls* new = copy(c);
    InputDevice* d = &new->devices[n];
    make_room(new, wanted);
    for (int a = d->axis_count - 1; a >= 0; --a)
        if (d->axes[a].source == wanted->source)
            drop(d, a);
    if (d->axis_count == INPUT_ANALOG_MAX) {
        snprintf(text, 160, "This device has no room for another axis.");
        return false;
    }
    d->axes[d->axis_count++] = *wanted;
    snprintf(text, 160, "Axis %d moves %s.", wanted->source, wanted->to);
    return true;
}

void app_controls_free_lever(AppControls* c, int axis)
{
    InputControls* new = copy(c);
    for (int n = 0; n < new->device_count; ++n)
        for (int a = new->devices[n].axis_count - 1; a >= 0; --a)
            if (new->devices[n].axes[a].axis == axis)
                drop(&new->devices[n], a);
    for (int k = new->key_count - 1; k >= 0; --k)
        if (new->keys[k].does == INPUT_KEY_AXIS&& new->keys[k].index == axis) {
            memmove(&new->keys[k], &new->keys[k + 1],
                    (size_t)(new->key_count - k - 1) * sizeof *new->keys);
            new->key_count--;
        }
}

void app_controls_feel(AppControls* c, int axis, float dead, float curve)
{
    InputControls* new = copy(c);
    InputFeel* feel = NULL;
    for (int k = 0; k < new->feel_count; ++k)
        if (new->feel[k].axis == axis)
            feel = &new->feel[k];
    if (!feel) {
        feel = &new->feel[new->feel_count++];
        *feel = new->of[axis];
    }
    feel->shape.dead = base_clampf(dead, 0.0f, 0.5f);
    feel->shape.curve = base_clampf(curve, 0.0f, 1.0f);
    new->of[axis] = *feel;
}

void app_controls_flip(AppControls* c, int n, int a, int number)
{
    char name[32];
    InputControls* new = copy(c);
    snprintf(name, sizeof name, "button %d", number);
    new->devices[n].axes[a].flip = number >= 0 ? keep(c, name) : NULL;
}

// The key or button that does something already; -1: none.
static int key_of(const InputControls* c, int device, const char* name)
{
    for (int k = 0; k < c->key_count; ++k)
        if (c->keys[k].device == device && strcmp(c->keys[k].key, name) == 0)
            return k;
    return -1;
}

static bool same_work(const InputKey* a, const InputKey* b)
{
    return a->does == b->does && a->index == b->index &&
           (a->does != INPUT_KEY_AXIS || a->value * b->value > 0.0f);
}

bool app_controls_press(AppControls* c, int device, const char* name, const InputKey* work,
                        bool take, char text[160])
{
    char does[80];
    int used = key_of(c->now, device, name);
    if (used >= 0 && !same_work(&c->now->keys[used], work) && !take) {
        app_controls_does(&c->now->keys[used], does);
        snprintf(text, 160, "%s is in use: %s. Press it again to take it.", name, does);
        return false;
    }
    InputControls* new = copy(c);
    int at = used;
    // in place of the key of the same device that did it so far
    for (int k = 0; at < 0 && k < new->key_count; ++k)
        if (new->keys[k].device == device && same_work(&new->keys[k], work))
            at = k;
    if (at < 0 && new->key_count == INPUT_KEYS_MAX) {
        snprintf(text, 160, "There is no room for another key.");
        return false;
    }
    if (at < 0)
        at = new->key_count++;
    InputKey key = *work;
    key.key = keep(c, name);
    key.device = device;
    key.device_name = device >= 0 ? new->devices[device].name : NULL;
    new->keys[at] = key;
    app_controls_does(&key, does);
    snprintf(text, 160, "%s: %s", name, does);
    return true;
}

void app_controls_mouse(AppControls* c, int stick)
{
    InputControls* new = copy(c);
    int n = 0;
    while (n < new->device_count &&
           (!new->devices[n].guid || strcmp(new->devices[n].guid, PLATFORM_MOUSE) != 0))
        ++n;
    if (n == INPUT_DEVICES_MAX)
        return;
    InputDevice* d = &new->devices[n];
    if (n == new->device_count) {
        *d = (InputDevice){.name = "mouse", .guid = PLATFORM_MOUSE};
        d->axes = base_arena_alloc(&c->arena, INPUT_ANALOG_MAX * sizeof *d->axes);
        new->device_count++;
    }
    d->axis_count = 0;
    if (stick == 0)
        return;
    add_axis(d, 0, stick == 1 ? INPUT_LEFT_X : INPUT_RIGHT_X, false, false);
    add_axis(d, 1, stick == 1 ? INPUT_LEFT_Y : INPUT_RIGHT_Y, true, false);
}

int app_controls_mouse_stick(const InputControls* c)
{
    for (int n = 0; n < c->device_count; ++n) {
        const InputDevice* d = &c->devices[n];
        if (d->guid && strcmp(d->guid, PLATFORM_MOUSE) == 0 && d->axis_count > 0)
            return d->axes[0].axis == INPUT_RIGHT_X ? 2 : 1;
    }
    return 0;
}

void app_controls_invert(AppControls* c, int n, int axis)
{
    InputControls* new = copy(c);
    new->devices[n].axes[axis].invert = !new->devices[n].axes[axis].invert;
}

void app_controls_does(const InputKey* key, char text[80])
{
    static const char* const way[INPUT_STICK_AXES][2] = {
        {"left stick to the left", "left stick to the right"},
        {"left stick back", "left stick forward"},
        {"right stick to the left", "right stick to the right"},
        {"right stick back", "right stick forward"},
    };
    static const char* const wish[INPUT_TRAINER_COUNT] = {
        "pause, menu", "next camera",          "camera as it was",
        "ISO or SAE",  "show me, my turn",     "times of picture and step",
        "full screen", "picture of the screen"};
    bool plus = key->value > 0.0f;
    if (key->does == INPUT_KEY_AXIS && key->index < INPUT_STICK_AXES)
        snprintf(text, 80, "%s", way[key->index][plus]);
    else if (key->does == INPUT_KEY_AXIS)
        snprintf(text, 80, "%s %s", input_axis_words[key->index], plus ? "+" : "-");
    else if (key->does == INPUT_KEY_DIAL)
        snprintf(text, 80, "engine speed %s", key->word[key->does]);
    else if (key->does == INPUT_KEY_RESPONSE)
        snprintf(text, 80, "response %s", key->word[key->does]);
    else if (key->does == INPUT_KEY_TRAINER)
        snprintf(text, 80, "%s", wish[key->index]);
    else
        snprintf(text, 80, "%s", key->word[key->does]);
    for (char* at = text; *at; ++at)
        *at = *at == '_' ? ' ' : *at;
}
