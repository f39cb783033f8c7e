// Pages of devices: what is plugged in, what it moves, calibration with live graphs, what is away.
#include "app/app_pages_internal.h"

#include <math.h>
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
                         !d->plugged                            ? "unplugged"
                         : strcmp(d->guid, PLATFORM_MOUSE) == 0 ? "lever"
                         : d->pad                               ? "gamepad"
                                                                : "stick",
                         help);
    }
    if (count == 0)
        app_pages_choice(t, DO_NOTHING, 0, "No stick, pedal or gamepad is plugged in.", "", "");
    app_pages_choice(
        t, DO_WIGGLE, 0, "Wiggle to identify", t->wiggle ? "move one now" : "",
        "Then move a stick or pedal: the device that moves is chosen. Two equal sticks are told "
        "apart by their ports.");
    static const char* const mouse[3] = {"off", "left stick", "right stick"};
    app_pages_turn(t, DO_MOUSE, "Mouse as a lever",
                   mouse[app_controls_mouse_stick(t->controls.now)],
                   "Hold the left button and move the mouse: that far the stick is pushed. Let the "
                   "button go, and it is in neutral.");
    app_pages_choice(t, DO_PAGE, PAGE_ASSIGN, "Functions", "",
                     "Which device, axis, key or button moves what; dead zone and curve.");
    app_pages_choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", "");
}

// A device was pulled out while somebody drove.
void app_pages_away(Trainer* t)
{
    const PlatformDevice* d = t->away >= 0 ? platform_input_device(t->input, t->away) : NULL;
    const char* name = d ? d->name : "A device";
    bool back = !t->news.unplugged;
    app_menu_begin(&t->menu, back ? "The device is back" : "A device is away");
    snprintf(t->menu.text, sizeof t->menu.text,
             back ? "%s is plugged in again.\n \nLet go of all levers, then go on."
                  : "%s was pulled out. All levers are in neutral, the clock stands still, the "
                    "record is kept.\n \nPlug it in again, or go on with the keyboard and what "
                    "else is there.",
             name);
    app_pages_choice(t, DO_GO_ON, 0, "Go on",
                     !back              ? "not plugged in"
                     : t->news.centered ? "\u2713"
                                        : "levers are off neutral",
                     "");
    if (!back)
        app_pages_choice(t, DO_KEYBOARD, 0, "Go on with the keyboard", "", "");
    app_pages_choice(t, DO_PAGE, PAGE_DEVICES, "Devices", "", "");
    app_pages_choice(t, DO_LEAVE_SITE, 0, "Leave the site", "", "");
    app_pages_choice(t, DO_QUIT, 0, "Quit", "", "");
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
        snprintf(label, sizeof label, "Axis %d moves %s", x->source,
                 app_pages_lever_name(t, x->axis).name);
        snprintf(value, sizeof value, "%s", x->invert ? "inverted" : "straight");
        app_pages_choice(t, DO_INVERT, n * INPUT_ANALOG_MAX + a, label, value, "");
    }
    app_pages_choice(t, DO_PAGE, PAGE_DEVICES, "Back", "", "");
    snprintf(t->menu.foot, sizeof t->menu.foot,
             "Begin, move every axis to both ends, let go, take the ends.");
}

// --- the live graphs of a device -----------------------------------------------------------------

#define PALE  0xf2f0eaffu
#define DIM   0xb7bcc2ffu
#define AMBER 0xffb531ffu
#define EDGE  0xffffff40u

static void bar(ViewDraw* d, float x, float y, float w, float at, float s)
{
    float middle = x + 0.5f * w, to = middle + 0.5f * w * base_clampf(at, -1.0f, 1.0f);
    view_draw_panel(d, x, y, w, 10 * s, 3 * s, 0x00000070u, EDGE);
    view_draw_rect(d, base_minf(middle, to), y + 2 * s, fabsf(to - middle), 6 * s, AMBER);
    view_draw_line(d, middle, y, middle, y + 10 * s, 1.0f, PALE);
}

// Every button with its number; a pressed one is round and filled.
static void buttons(const PlatformDevice* device, ViewDraw* d, float x, float y, float w, float s)
{
    char text[16];
    int line = base_maxi((int)(w / (30 * s)), 1);
    for (int b = 0; b < device->buttons && b < PLATFORM_BUTTONS_MAX; ++b) {
        float px = x + 30 * s * (float)(b % line), py = y + 30 * s * (float)(b / line);
        bool on = device->button[b];
        view_draw_panel(d, px, py, 26 * s, 26 * s, (on ? 13 : 4) * s, on ? AMBER : 0x00000060u,
                        EDGE);
        snprintf(text, sizeof text, "%d", b);
        view_draw_text(d, px + 13 * s, py + 18 * s, 13 * s, VIEW_CENTER, on ? 0x101010ffu : DIM,
                       text);
    }
}

static const InputAnalog* work_of(const Trainer* t, int n, int source)
{
    for (int a = 0; n >= 0 && a < t->controls.now->devices[n].axis_count; ++a)
        if (t->controls.now->devices[n].axes[a].source == source)
            return &t->controls.now->devices[n].axes[a];
    return NULL;
}

static void axis_side(const Trainer* t, ViewDraw* d, int n, int a, float y, float size, float s)
{
    const AppMenu* m = &t->menu;
    const InputAnalog* work = work_of(t, n, a);
    float x = m->side_x + size + 16 * s, w = m->side_w - size - 16 * s;
    float raw = platform_input_device(t->input, t->device)->axis[a];
    char text[96];
    if (work)
        app_pages_curve(t, d, work, raw, m->side_x, y, size, s);
    else
        view_draw_panel(d, m->side_x, y, size, size, 4 * s, 0x00000060u, EDGE);
    snprintf(text, sizeof text, "Axis %d: %s", a,
             work ? app_pages_lever_name(t, work->axis).name : "nothing");
    view_draw_text(d, x, y + 20 * s, 16 * s, VIEW_LEFT, work ? PALE : DIM, text);
    snprintf(text, sizeof text, "%+.2f", (double)raw);
    view_draw_text(d, x + w, y + 20 * s, 16 * s, VIEW_RIGHT, AMBER, text);
    bar(d, x, y + 30 * s, w, raw, s);
    if (work && size > 60 * s) {
        snprintf(text, sizeof text, "%.2f .. %.2f .. %.2f", (double)work->low, (double)work->center,
                 (double)work->high);
        view_draw_text(d, x, y + 62 * s, 14 * s, VIEW_LEFT, DIM, text);
    }
}

void app_pages_device_side(const Trainer* t, ViewDraw* d, float s)
{
    const AppMenu* m = &t->menu;
    const PlatformDevice* device = platform_input_device(t->input, t->device);
    int n = app_pages_profile(t, t->device);
    float below = device->buttons > 0 ? 80 * s : 0.0f, y = m->side_y;
    float size = base_clampf((m->side_h - below) / (float)base_maxi(device->axes, 1) - 14 * s,
                             34 * s, 100 * s);
    for (int a = 0; a < device->axes && y + size < m->side_y + m->side_h - below + s; ++a) {
        axis_side(t, d, n, a, y, size, s);
        y += size + 14 * s;
    }
    buttons(device, d, m->side_x, y + 6 * s, m->side_w, s);
}
