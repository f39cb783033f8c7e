// Pages of devices: what is plugged in, what it moves, calibration with live graphs, what is away.
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
        snprintf(label, sizeof label, "Axis %d moves %s", x->source, x->to);
        snprintf(value, sizeof value, "%s", x->invert ? "inverted" : "straight");
        app_pages_choice(t, DO_INVERT, n * INPUT_ANALOG_MAX + a, label, value, "");
    }
    app_pages_choice(t, DO_PAGE, PAGE_DEVICES, "Back", "", "");
    snprintf(t->menu.foot, sizeof t->menu.foot,
             "Begin, move every axis to both ends, let go, take the ends.");
}

// --- the live graphs of a device -----------------------------------------------------------------

#define PALE 0xf2f0eaffu
#define DIM  0xb7bcc2ffu

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
        app_pages_curve(t, d, x, raw, m->side_x, y, size, s);
        snprintf(text, sizeof text, "%s  %+.2f", x->to, (double)raw);
        view_draw_text(d, m->side_x + size + 12 * s, y + 24 * s, 16 * s, VIEW_LEFT, PALE, text);
        snprintf(text, sizeof text, "%.2f .. %.2f .. %.2f", (double)x->low, (double)x->center,
                 (double)x->high);
        view_draw_text(d, m->side_x + size + 12 * s, y + 48 * s, 14 * s, VIEW_LEFT, DIM, text);
        y += size + 10 * s;
    }
}
