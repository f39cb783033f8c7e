// Pages of devices and keys: what is plugged in, what it moves, calibration with live graphs.
#include "app/app_pages_internal.h"

#include <stdio.h>

void app_pages_devices(Trainer* t)
{
    app_menu_begin(&t->menu, "Devices");
    int count = platform_input_devices(t->input);
    for (int k = 0; k < count; ++k) {
        const PlatformDevice* d = platform_input_device(t->input, k);
        char help[320];
        snprintf(help, sizeof help, "%d axes, %d buttons. GUID %s, port %s. Enter: calibrate.",
                 d->axes, d->buttons, d->guid, d->path[0] ? d->path : "unknown");
        app_pages_choice(t, DO_DEVICE, k, d->name,
                         !d->plugged ? "unplugged"
                         : d->pad    ? "gamepad"
                                     : "stick",
                         help);
    }
    if (count == 0)
        app_pages_choice(t, DO_NOTHING, 0, "No stick, pedal or gamepad is plugged in.", "", "");
    app_pages_choice(
        t, DO_WIGGLE, 0, "Wiggle to identify", t->wiggle ? "move one now" : "",
        "Then move a stick or pedal: the device that moves is chosen. Two equal sticks are told "
        "apart by their ports.");
    app_pages_choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", "");
}

// The number of this device among the controls; -1 when it has no profile.
int app_pages_profile(const Trainer* t, int device)
{
    for (int n = 0; n < t->controls.now->device_count; ++n)
        if (platform_input_find(t->input, t->controls.now, n) == device)
            return n;
    return -1;
}

void app_pages_device(Trainer* t)
{
    const PlatformDevice* d = platform_input_device(t->input, t->device);
    int n = app_pages_profile(t, t->device);
    char value[64], label[96];
    app_menu_begin(&t->menu, d->name);
    t->menu.wide = true;
    app_pages_choice(t, DO_CALIBRATE, 0, "Calibrate: begin", "", "");
    app_pages_choice(t, DO_TAKE_ENDS, 0, "Calibrate: take the ends", "", "");
    for (int a = 0; n >= 0 && a < t->controls.now->devices[n].axis_count; ++a) {
        const InputAnalog* x = &t->controls.now->devices[n].axes[a];
        snprintf(label, sizeof label, "Axis %d moves %s", x->source, x->to);
        snprintf(value, sizeof value, "%s", x->invert ? "inverted" : "straight");
        app_pages_choice(t, DO_INVERT, a, label, value, "");
    }
    app_pages_choice(t, DO_PAGE, PAGE_DEVICES, "Back", "", "");
    snprintf(t->menu.foot, sizeof t->menu.foot,
             "Begin, move every axis to both ends, let go, take the ends.");
}

void app_pages_keys(Trainer* t)
{
    const InputControls* c = t->controls.now;
    char does[80], name[96];
    app_menu_begin(&t->menu, "Keys");
    for (int k = 0; k < c->key_count; ++k) {
        app_controls_does(&c->keys[k], does);
        snprintf(name, sizeof name, "%s%s%s", c->keys[k].device_name ? c->keys[k].device_name : "",
                 c->keys[k].device_name ? " " : "", c->keys[k].key);
        app_pages_choice(t, DO_KEY, k, does, t->bind == k ? "press a key" : name,
                         "Enter, then the key you want. Escape leaves it as it is.");
    }
    app_pages_choice(t, DO_RESET_KEYS, 0, "Back to the shipped controls", "",
                     "Devices are forgotten, too.");
    app_pages_choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", "");
}

// --- the live graph of a device ------------------------------------------------------------------

#define PALE  0xf2f0eaffu
#define DIM   0xb7bcc2ffu
#define AMBER 0xffb531ffu
#define EDGE  0xffffff40u

// From the device's way to what the lever does, with the present place on it.
static void curve(const Trainer* t, ViewDraw* d, const InputAnalog* x, float raw, float left,
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
        xy[2 * k] = left + (0.5f + 0.48f * in) * size,
               xy[2 * k + 1] = top + (0.5f - 0.48f * out) * size;
    }
    view_draw_polyline(d, xy, 41, 2.0f * s, PALE);
    float out = input_shape(base_clampf(input_analog_value(x, raw), -1.0f, 1.0f), shape);
    view_draw_disc(d, left + (0.5f + 0.48f * raw) * size, top + (0.5f - 0.48f * out) * size, 5 * s,
                   AMBER);
}

void app_pages_device_side(const Trainer* t, ViewDraw* d, float s)
{
    const AppMenu* m = &t->menu;
    const PlatformDevice* device = platform_input_device(t->input, t->device);
    int n = app_pages_profile(t, t->device);
    float y = m->side_y + 10 * s, size = 74 * s;
    char text[64];
    int count = n >= 0 ? t->controls.now->devices[n].axis_count : 0;
    for (int a = 0; a < count && y + size < m->side_y + m->side_h; ++a) {
        const InputAnalog* x = &t->controls.now->devices[n].axes[a];
        float raw = x->source < INPUT_ANALOG_MAX ? device->axis[x->source] : 0.0f;
        curve(t, d, x, raw, m->side_x, y, size, s);
        snprintf(text, sizeof text, "%s  %+.2f", x->to, (double)raw);
        view_draw_text(d, m->side_x + size + 12 * s, y + 24 * s, 16 * s, VIEW_LEFT, PALE, text);
        snprintf(text, sizeof text, "%.2f .. %.2f .. %.2f", (double)x->low, (double)x->center,
                 (double)x->high);
        view_draw_text(d, m->side_x + size + 12 * s, y + 48 * s, 14 * s, VIEW_LEFT, DIM, text);
        y += size + 10 * s;
    }
}
