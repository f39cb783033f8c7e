// What the rows of the menu do, and what moves it: keys, mouse, sticks.
#include "app/app_pages_internal.h"

#include <math.h>
#include <stdio.h>

#define STICK_REPEAT 0.22 // s
#define STICK_PUSH   0.6f // of the way
#define WIGGLE_PUSH  0.5f

// --- what rows do --------------------------------------------------------------------------------

static int around(int value, int by, int count)
{
    return (value + by + count) % count;
}

// Names who is not in neutral.
static void say_off(Trainer* t)
{
    char text[200];
    const InputControls* c = t->controls.now;
    int n = t->news.busy_device, a = t->news.busy_axis;
    int slot = n >= 0 && n < c->device_count ? platform_input_find(t->input, c, n) : -1;
    if (slot >= 0 && a < c->devices[n].axis_count)
        snprintf(text, sizeof text,
                 "Let go of the levers first: %.60s, axis %d (%s) is off neutral.",
                 platform_input_device(t->input, slot)->name, c->devices[n].axes[a].source,
                 c->devices[n].axes[a].to);
    else
        snprintf(text, sizeof text, "Let go of the levers first: they must be in neutral.");
    app_trainer_say(t, text);
}

static void go_on(Trainer* t)
{
    if (t->news.unplugged && t->page != PAGE_AWAY)
        app_trainer_page(t, PAGE_AWAY);
    else if (t->news.unplugged)
        app_trainer_say(t, "It is still away. Plug it in, or go on with the keyboard.");
    else if (!t->news.centered)
        say_off(t);
    else
        app_trainer_page(t, PAGE_NONE);
}

static void begin(Trainer* t, const char* site)
{
    if (site != t->site_now)
        snprintf(t->site_now, sizeof t->site_now, "%s", site);
    snprintf(t->vehicle_now, sizeof t->vehicle_now, "%s",
             t->vehicle[app_trainer_vehicle_now(t)].path);
    t->playing = true;
    if (app_trainer_session_open(t) == 0)
        app_trainer_page(t, t->lesson_now[0] ? PAGE_BRIEF : PAGE_NONE);
    else
        t->leave = true; // the sentence is on the terminal
}

static void change(Trainer* t, int action, int by)
{
    AppSettings* s = &t->settings;
    int quality = (int)t->quality;
    switch (action) {
    case DO_TRAINEE: app_viewer_next_trainee(t, by); return;
    case DO_VEHICLE:
        snprintf(
            s->name, sizeof s->name, "%s",
            t->vehicle[around(app_trainer_vehicle_now(t), by, base_maxi(t->vehicles, 1))].name);
        break;
    case DO_PATTERN: s->pattern = around(s->pattern, by, 2); break;
    case DO_PROGRAM: t->program = around(t->program, by, OPERATOR_PROGRAMS); break;
    case DO_CAMERA:
        app_camera_pick(&t->camera,
                        (ViewCameraKind)around((int)t->camera.kind, by, VIEW_CAMERA_COUNT));
        s->camera = (int)t->camera.kind;
        break;
    case DO_QUALITY:
        quality = around(quality, by, RENDER_QUALITIES);
        t->quality_wish = quality;
        t->quality = (RenderQuality)quality;
        s->quality = quality + 1;
        break;
    case DO_TEXT: s->text = base_maxi(base_mini(s->text + 10 * by, 200), 60); break;
    case DO_MOUSE: {
        int stick = around(app_controls_mouse_stick(t->controls.now), by, 3);
        app_controls_mouse(&t->controls, stick);
        platform_input_mouse(t->input, stick != 0);
        app_controls_save(&t->controls);
        return;
    }
    case DO_DEAD:
    case DO_CURVE: {
        InputShape shape = t->controls.now->of[t->lever].shape;
        if (action == DO_DEAD)
            shape.dead = base_clampf(shape.dead + 0.01f * (float)by, 0.0f, 0.5f);
        else
            shape.curve = base_clampf(shape.curve + 0.05f * (float)by, 0.0f, 1.0f);
        app_controls_feel(&t->controls, t->lever, shape.dead, shape.curve);
        app_controls_save(&t->controls);
        return;
    }
    case DO_VOLUME: s->volume = base_maxi(base_mini(s->volume + 10 * by, 100), 0); break;
    default: return;
    }
    app_settings_save(s);
}

// Enter on a button takes it off; without one the next press gives it.
static void flip(Trainer* t, int which)
{
    int n = which / INPUT_ANALOG_MAX, a = which % INPUT_ANALOG_MAX;
    if (!t->controls.now->devices[n].axes[a].flip) {
        app_pages_learn(t, LEARN_FLIP, 0, which);
        return;
    }
    app_controls_flip(&t->controls, n, a, -1);
    app_controls_save(&t->controls);
}

static void take(Trainer* t, const MenuRow* r)
{
    switch ((Action)r->action) {
    case DO_PAGE: app_trainer_page(t, (TrainerPage)r->argument); break;
    case DO_GO_ON: go_on(t); break;
    case DO_RESTART: begin(t, t->site_now); break;
    case DO_LEAVE_SITE:
        t->playing = false;
        t->lesson_now[0] = '\0';
        t->leave = app_trainer_session_open(t) != 0;
        app_trainer_page(t, PAGE_MAIN);
        break;
    case DO_QUIT: t->leave = true; break;
    case DO_SITE:
        t->lesson_now[0] = '\0';
        begin(t, t->site[r->argument].path);
        break;
    case DO_LESSON:
        snprintf(t->lesson_now, sizeof t->lesson_now, "%s", t->lesson[r->argument].path);
        begin(t, t->site_now);
        break;
    case DO_SHOW: t->show = !t->show; break;
    case DO_FULL:
        t->settings.full = !t->settings.full;
        platform_window_full(t->studio.window, t->settings.full);
        app_settings_save(&t->settings);
        break;
    case DO_TIMINGS: t->settings.timings = !t->settings.timings; break;
    case DO_DEVICE:
        t->device = r->argument;
        app_trainer_page(t, PAGE_DEVICE);
        break;
    case DO_WIGGLE:
        for (int k = 0; k < platform_input_devices(t->input); ++k)
            platform_input_watch_ends(t->input, k);
        t->wiggle = true;
        break;
    case DO_CALIBRATE:
        platform_input_watch_ends(t->input, t->device);
        t->calibrating = true;
        app_trainer_say(t, "Move every axis to both ends, then let go.");
        break;
    case DO_TAKE_ENDS: {
        int n = app_pages_profile(t, t->device);
        t->calibrating = false;
        if (n < 0)
            break;
        app_controls_calibrate(&t->controls, n, platform_input_device(t->input, t->device));
        app_trainer_say(t, app_controls_save(&t->controls)
                               ? "Calibrated and saved."
                               : "Calibrated, but it could not be saved.");
        break;
    }
    case DO_INVERT:
        app_controls_invert(&t->controls, r->argument / INPUT_ANALOG_MAX,
                            r->argument % INPUT_ANALOG_MAX);
        app_controls_save(&t->controls);
        break;
    case DO_LEVER:
        t->lever = r->argument;
        app_trainer_page(t, PAGE_LEVER);
        break;
    case DO_LEARN: app_pages_learn(t, LEARN_LEVER, r->argument, 0); break;
    case DO_WORK: app_pages_learn(t, LEARN_WORK, 1, r->argument); break;
    case DO_FLIP: flip(t, r->argument); break;
    case DO_FREE_LEVER:
        app_controls_free_lever(&t->controls, t->lever);
        app_controls_save(&t->controls);
        break;
    case DO_KEYBOARD:
        app_controls_again(&t->controls);
        app_trainer_page(t, PAGE_NONE);
        app_trainer_say(t,
                        "On with the keyboard. A device that comes back counts from neutral on.");
        break;
    case DO_RESET_KEYS:
        app_controls_reset(&t->controls);
        app_controls_save(&t->controls);
        break;
    default:
        if (!app_viewer_take(t, r->action, r->argument))
            change(t, r->action, 1);
        break;
    }
    app_trainer_page_fill(t);
}

static void back(Trainer* t)
{
    switch (t->page) {
    case PAGE_PAUSE:
    case PAGE_TAKEN:
    case PAGE_BRIEF: go_on(t); break;
    case PAGE_BROKEN:
    case PAGE_TRAINEE: app_trainer_page(t, PAGE_MAIN); break;
    case PAGE_MAIN: break;
    case PAGE_AWAY: go_on(t); break;
    case PAGE_DEVICE: app_trainer_page(t, PAGE_DEVICES); break;
    case PAGE_LEVER: app_trainer_page(t, PAGE_ASSIGN); break;
    default: app_trainer_page(t, t->playing ? PAGE_PAUSE : PAGE_MAIN); break;
    }
}

// --- events --------------------------------------------------------------------------------------

static void move(Trainer* t, int rows, int sides, bool enter, bool leave)
{
    if (rows)
        app_menu_move(&t->menu, rows);
    MenuRow chosen = t->menu.row[t->menu.chosen];
    if (sides && chosen.sides)
        change(t, chosen.action, sides);
    if (enter)
        take(t, &chosen);
    if (leave)
        back(t);
    app_trainer_page_fill(t);
}

// A button of a pad by its name, of another stick by its number: trigger takes, thumb goes back.
static void press(Trainer* t, const PlatformEvent* e)
{
    const PlatformDevice* d = platform_input_device(t->input, e->device);
    const int* pad = d->pad_button;
    int n = e->number, hat = d->hat >= 0 && n >= d->hat ? n - d->hat : -1; // up, right, down, left
    bool up = d->pad ? n == pad[PLATFORM_PAD_UP] : hat == 0;
    bool right = d->pad ? n == pad[PLATFORM_PAD_RIGHT] : hat == 1;
    bool down = d->pad ? n == pad[PLATFORM_PAD_DOWN] : hat == 2;
    bool left = d->pad ? n == pad[PLATFORM_PAD_LEFT] : hat == 3;
    bool enter = d->pad ? n == pad[PLATFORM_PAD_A] : n == 0;
    bool leave = d->pad ? n == pad[PLATFORM_PAD_B] || n == pad[PLATFORM_PAD_START] : n == 1;
    move(t, down - up, right - left, enter, leave);
}

void app_trainer_page_event(Trainer* t, const PlatformEvent* e)
{
    const char* k = e->name;
    if (t->learn.kind && (e->kind == PLATFORM_KEY || e->kind == PLATFORM_BUTTON)) {
        if (!e->repeat)
            app_pages_learn_press(t, e->kind == PLATFORM_KEY ? -1 : e->device, e->number, k);
    } else if (app_viewer_type(t, e))
        app_trainer_page_fill(t);
    else if (e->kind == PLATFORM_KEY && strcmp(k, "R") == 0)
        app_viewer_open_report(t);
    else if (e->kind == PLATFORM_KEY)
        move(t, (strcmp(k, "Down") == 0) - (strcmp(k, "Up") == 0),
             (strcmp(k, "Right") == 0) - (strcmp(k, "Left") == 0),
             !e->repeat && (strcmp(k, "Return") == 0 || strcmp(k, "Space") == 0),
             !e->repeat && strcmp(k, "Escape") == 0);
    else if (e->kind == PLATFORM_MOVE)
        app_menu_point(&t->menu, e->x, e->y);
    else if (e->kind == PLATFORM_CLICK && app_menu_point(&t->menu, e->x, e->y))
        move(t, 0, 0, true, false);
    else if (e->kind == PLATFORM_WHEEL)
        move(t, e->y > 0.0f ? -1 : 1, 0, false, false);
    else if (e->kind == PLATFORM_BUTTON)
        press(t, e);
    if (t->page != PAGE_NONE)
        app_trainer_page_fill(t);
}

// The first device that was wiggled; -1: none.
static int wiggled(const Trainer* t)
{
    for (int k = 0; k < platform_input_devices(t->input); ++k) {
        const PlatformDevice* d = platform_input_device(t->input, k);
        for (int a = 0; a < d->axes; ++a)
            if (d->high[a] - d->low[a] > WIGGLE_PUSH)
                return k;
    }
    return -1;
}

void app_trainer_page_sticks(Trainer* t)
{
    double now = platform_now();
    bool pushed = false;
    int device = t->wiggle ? wiggled(t) : -1;
    if (t->learn.kind)
        app_pages_learn_axes(t);
    if (device >= 0) {
        t->device = device;
        t->stick_wait = true;
        app_trainer_page(t, PAGE_DEVICE);
    }
    for (int k = 0; k < platform_input_devices(t->input); ++k) {
        const PlatformDevice* d = platform_input_device(t->input, k);
        int ax = d->pad ? d->pad_axis[0] : 0, ay = d->pad ? d->pad_axis[1] : 1;
        float x = ax >= 0 && ax < d->axes ? d->axis[ax] : 0.0f;
        float y = ay >= 0 && ay < d->axes ? d->axis[ay] : 0.0f;
        bool far = fabsf(x) > STICK_PUSH || fabsf(y) > STICK_PUSH;
        pushed = pushed || (far && d->plugged);
        if (!far || !d->plugged || t->learn.kind || t->wiggle || t->stick_wait || t->calibrating ||
            now - t->stick_moved < STICK_REPEAT)
            continue;
        t->stick_moved = now;
        move(t, (y > STICK_PUSH) - (y < -STICK_PUSH), (x > STICK_PUSH) - (x < -STICK_PUSH), false,
             false);
    }
    t->stick_wait = t->stick_wait && pushed;
}
