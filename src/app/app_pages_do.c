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

static void go_on(Trainer* t)
{
    if (t->news.unplugged)
        app_trainer_say(
            t, "A device is missing. Plug it in; without it: Keys, Back to the shipped controls.");
    else if (!t->news.centered)
        app_trainer_say(t, "Let go of the levers first: they must be in neutral.");
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
    case DO_VOLUME: s->volume = base_maxi(base_mini(s->volume + 10 * by, 100), 0); break;
    default: return;
    }
    app_settings_save(s);
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
        app_trainer_say(t, "Move every axis to both ends, then let go.");
        break;
    case DO_TAKE_ENDS: {
        int n = app_pages_profile(t, t->device);
        if (n < 0)
            break;
        app_controls_calibrate(&t->controls, n, platform_input_device(t->input, t->device));
        app_trainer_say(t, app_controls_save(&t->controls)
                               ? "Calibrated and saved."
                               : "Calibrated, but it could not be saved.");
        break;
    }
    case DO_INVERT:
        app_controls_invert(&t->controls, app_pages_profile(t, t->device), r->argument);
        app_controls_save(&t->controls);
        break;
    case DO_KEY:
        t->bind = r->argument;
        t->bind_name[0] = '\0';
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
    case PAGE_DEVICE: app_trainer_page(t, PAGE_DEVICES); break;
    default: app_trainer_page(t, t->playing ? PAGE_PAUSE : PAGE_MAIN); break;
    }
}

// --- events --------------------------------------------------------------------------------------

static void bind(Trainer* t, const char* name)
{
    char text[160];
    bool again = strcmp(t->bind_name, name) == 0;
    if (strcmp(name, "Escape") == 0) {
        t->bind = -1;
        return;
    }
    bool fine = app_controls_bind(&t->controls, t->bind, name, again, text);
    app_trainer_say(t, text);
    snprintf(t->bind_name, sizeof t->bind_name, "%.31s", name);
    if (fine) {
        t->bind = -1;
        app_controls_save(&t->controls);
    }
}

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

void app_trainer_page_event(Trainer* t, const PlatformEvent* e)
{
    const char* k = e->name;
    if (e->kind == PLATFORM_KEY && t->bind >= 0)
        bind(t, k);
    else if (app_viewer_type(t, e))
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
    else if (e->kind == PLATFORM_BUTTON && e->number < 2)
        move(t, 0, 0, e->number == 0, e->number == 1);
    if (t->page != PAGE_NONE)
        app_trainer_page_fill(t);
}

void app_trainer_page_sticks(Trainer* t)
{
    double now = platform_now();
    for (int k = 0; k < platform_input_devices(t->input); ++k) {
        const PlatformDevice* d = platform_input_device(t->input, k);
        for (int a = 0; t->wiggle && a < d->axes; ++a)
            if (d->high[a] - d->low[a] > WIGGLE_PUSH) {
                t->device = k;
                app_trainer_page(t, PAGE_DEVICE);
                return;
            }
        if (t->page == PAGE_DEVICE || !d->plugged || now - t->stick_moved < STICK_REPEAT)
            continue;
        float x = d->axes > 0 ? d->axis[0] : 0.0f, y = d->axes > 1 ? d->axis[1] : 0.0f;
        if (fabsf(x) > STICK_PUSH || fabsf(y) > STICK_PUSH) {
            t->stick_moved = now;
            move(t, (y > STICK_PUSH) - (y < -STICK_PUSH), (x > STICK_PUSH) - (x < -STICK_PUSH),
                 false, false);
        }
    }
}
