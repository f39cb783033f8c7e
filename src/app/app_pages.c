// The pages of the trainer's menu.
#include "app/app_trainer_internal.h"

#include "app/app_folder.h"
#include "app/app_stage.h"
#include "base/base_file.h"
#include "base/base_path.h"
#include "machine/machine.h"
#include "record/record.h"
#include "site/site.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define STICK_REPEAT 0.22 // s
#define STICK_PUSH   0.6f // of the way
#define WIGGLE_PUSH  0.5f

typedef enum Action {
    DO_NOTHING,
    DO_PAGE, // argument: which
    DO_GO_ON,
    DO_RESTART,
    DO_LEAVE_SITE,
    DO_QUIT,
    DO_SITE,
    DO_LESSON,
    DO_VEHICLE,
    DO_PATTERN,
    DO_PROGRAM,
    DO_SHOW,
    DO_QUALITY,
    DO_TEXT,
    DO_FULL,
    DO_TIMINGS,
    DO_CAMERA,
    DO_VOLUME,
    DO_DEVICE,
    DO_WIGGLE,
    DO_CALIBRATE,
    DO_TAKE_ENDS,
    DO_INVERT,
    DO_KEY,
    DO_RESET_KEYS,
} Action;

// --- what is shipped -----------------------------------------------------------------------------

static int by_name(const void* a, const void* b)
{
    return strcmp(((const TrainerFile*)a)->name, ((const TrainerFile*)b)->name);
}

// The line "title: ..." of a file, without reading it as a whole.
static void title_of(TrainerFile* f)
{
    char line[256];
    FILE* file = fopen(f->path, "r");
    snprintf(f->title, sizeof f->title, "%.64s", f->name);
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' && f->text[0] == '\0')
            snprintf(f->text, sizeof f->text, "%.250s", line + 1 + (line[1] == ' '));
        if (strncmp(line, "title: ", 7) == 0)
            snprintf(f->title, sizeof f->title, "%.90s", line + 7);
        if (strncmp(line, "description: ", 13) == 0)
            snprintf(f->text, sizeof f->text, "%.300s", line + 13);
    }
    if (file)
        fclose(file);
}

static int list(const char* folder, const char* probe, TrainerFile* out)
{
    char path[TRAINER_PATH];
    int count = 0;
    if (!base_path_find(probe, path, sizeof path))
        return 0;
    *strrchr(path, '/') = '\0';
    DIR* dir = opendir(path);
    for (struct dirent* e; dir && count < TRAINER_SITES && (e = readdir(dir));) {
        size_t length = strlen(e->d_name);
        if (length < 6 || length > 64 || strcmp(e->d_name + length - 5, ".yaml") != 0)
            continue;
        TrainerFile* f = &out[count++];
        *f = (TrainerFile){0};
        snprintf(f->name, sizeof f->name, "%.*s", (int)length - 5, e->d_name);
        app_stage_find(folder, f->name, path);
        snprintf(f->path, sizeof f->path, "%.500s", path);
        title_of(f);
        *strrchr(path, '/') = '\0';
    }
    if (dir)
        closedir(dir);
    qsort(out, (size_t)count, sizeof *out, by_name);
    return count;
}

// The line of the last result, as app_trainer_result() left it.
static void last_of(TrainerFile* f)
{
    char folder[TRAINER_PATH - 128], path[TRAINER_PATH];
    f->last[0] = '\0';
    if (!app_folder_data("results", folder, sizeof folder))
        return;
    snprintf(path, sizeof path, "%s/%s", folder, f->name);
    FILE* file = fopen(path, "r");
    if (file && fgets(f->last, sizeof f->last, file))
        f->last[strcspn(f->last, "\n")] = '\0';
    if (file)
        fclose(file);
}

static void lessons_again(Trainer* t)
{
    t->lessons = list("config/scenarios", "config/scenarios/pit.yaml", t->lesson);
    for (int k = 0; k < t->lessons; ++k)
        last_of(&t->lesson[k]);
    // by number: "2." before "10."
    for (int i = 1; i < t->lessons; ++i)
        for (int k = i; k > 0 && atoi(t->lesson[k].title) < atoi(t->lesson[k - 1].title); --k) {
            TrainerFile swap = t->lesson[k];
            t->lesson[k] = t->lesson[k - 1], t->lesson[k - 1] = swap;
        }
}

void app_trainer_files(Trainer* t)
{
    lessons_again(t);
    t->sites = list("config/sites", "config/sites/flat.yaml", t->site);
    t->vehicles = list("vehicles", "vehicles/excavator_22t.yaml", t->vehicle);
}

static int vehicle_now(const Trainer* t)
{
    for (int k = 0; k < t->vehicles; ++k)
        if (strcmp(t->vehicle[k].name, t->settings.vehicle) == 0)
            return k;
    return 0;
}

// --- rows ----------------------------------------------------------------------------------------

static MenuRow* choice(Trainer* t, int action, int argument, const char* label, const char* value,
                       const char* help)
{
    MenuRow* r = app_menu_row(&t->menu, action, argument, label, value);
    snprintf(r->help, sizeof r->help, "%s", help);
    return r;
}

static void turn(Trainer* t, int action, const char* label, const char* value, const char* help)
{
    choice(t, action, 0, label, value, help)->sides = true;
}

static const char* pattern_name(const Trainer* t)
{
    return t->settings.pattern == INPUT_PATTERN_SAE ? "SAE" : "ISO";
}

static void fill_common(Trainer* t)
{
    turn(
        t, DO_PATTERN, "Pattern", pattern_name(t),
        t->settings.pattern == INPUT_PATTERN_SAE
            ? "SAE, backhoe: left stick swings and lifts the boom, right stick curls and moves the "
              "stick. F2 changes it while you dig."
            : "ISO, excavator: left stick swings and moves the stick, right stick curls and lifts "
              "the boom. F2 changes it while you dig.");
    choice(t, DO_PAGE, PAGE_DEVICES, "Devices", "",
           "Sticks, pedals, gamepads: what is plugged in, what it moves, calibration. Wiggle a "
           "stick to find it.");
    choice(t, DO_PAGE, PAGE_KEYS, "Keys", "", "Which key does what. Every one can be changed.");
    choice(t, DO_PAGE, PAGE_GRAPHICS, "Picture",
           render_quality_name(render_quality(t->studio.render)),
           "Quality, size of text, full screen, times of picture and step.");
    choice(t, DO_PAGE, PAGE_SOUND, "Sound", "", "Loudness of the machine.");
}

static void fill_main(Trainer* t)
{
    app_menu_begin(&t->menu, "Earthmoving trainer");
    choice(t, DO_PAGE, PAGE_LESSONS, "Lessons", "",
           "From first steps to trenches beside buried pipes; each with a goal, hints and a fair "
           "score.");
    choice(t, DO_PAGE, PAGE_SITES, "Dig freely", "", "Choose a site and sit down in the machine.");
    turn(t, DO_VEHICLE, "Machine", t->vehicle[vehicle_now(t)].title,
         t->vehicle[vehicle_now(t)].text);
    turn(t, DO_PROGRAM, "Work", operator_program_words[t->program],
         "What is to be dug: a truck to load, a pit, a trench, a stockpile. The green grid in the "
         "ground is the surface asked for.");
    fill_common(t);
    choice(t, DO_PAGE, PAGE_REPLAYS, "Records", "",
           "Every session is recorded, input by input, with hashes that prove what came of it.");
    choice(t, DO_PAGE, PAGE_HELP, "Controls card", "", "All controls on one page.");
    choice(t, DO_QUIT, 0, "Quit", "", "Leave the trainer.");
}

static void fill_sites(Trainer* t)
{
    app_menu_begin(&t->menu, "Where to dig");
    for (int k = 0; k < t->sites; ++k)
        choice(t, DO_SITE, k, t->site[k].title, "", t->site[k].text);
    choice(t, DO_PAGE, PAGE_MAIN, "Back", "", "");
}

static void fill_lessons(Trainer* t)
{
    app_menu_begin(&t->menu, "Lessons");
    for (int k = 0; k < t->lessons; ++k)
        choice(t, DO_LESSON, k, t->lesson[k].title, t->lesson[k].last, t->lesson[k].text);
    choice(t, DO_PAGE, PAGE_MAIN, "Back", "", "");
}

static void fill_brief(Trainer* t)
{
    SimLesson* lesson = app_session_lesson(t->session);
    const Scenario* s = lesson ? sim_lesson_scenario(lesson) : NULL;
    app_menu_begin(&t->menu, s ? s->title : "Lesson");
    snprintf(t->menu.text, sizeof t->menu.text, "%s", s && s->instructions ? s->instructions : "");
    choice(t, DO_GO_ON, 0, "Begin", "", "");
    choice(t, DO_SHOW, 0, "Show me", t->show ? "on" : "off", "");
    turn(t, DO_PATTERN, "Pattern", pattern_name(t), "");
    choice(t, DO_LEAVE_SITE, 0, "Back to the menu", "", "");
}

static void put(Trainer* t, const char* format, ...)
{
    size_t used = strlen(t->menu.text);
    va_list list_of;
    va_start(list_of, format);
    vsnprintf(t->menu.text + used, sizeof t->menu.text - used, format, list_of);
    va_end(list_of);
}

// Only while the simulation rests.
static void fill_result(Trainer* t)
{
    static ScoreResult result;
    static ScoreAdvice advice[SCORE_ADVICE_MAX];
    SimLesson* lesson = app_session_lesson(t->session);
    app_menu_begin(&t->menu, t->news.over ? "The lesson is over" : "So far");
    t->menu.text[0] = '\0';
    if (lesson && app_session_rests(t->session)) {
        const Scenario* s = sim_lesson_scenario(lesson);
        sim_lesson_judge(lesson, &result);
        if (t->news.over)
            put(t, "%s: %.0f points, %s.\n\n", t->news.over, result.total,
                result.passed ? "passed" : "not passed");
        else
            put(t, "%.0f points so far.\n\n", result.total);
        for (int k = 0; k < SCORE_PILLARS; ++k)
            if (result.pillar[k] >= 0.0)
                put(t, "%s %.0f\n", score_pillar_name(k), result.pillar[k]);
        int count = score_advise(&sim_lesson_state(lesson)->score, &s->rules, &result, advice);
        put(t, "%s", count ? "\nFirst:\n" : "");
        for (int k = 0; k < count; ++k)
            put(t, "%d. %s\n", k + 1, advice[k].text);
    }
    choice(t, DO_RESTART, 0, "Once more", "", "");
    choice(t, DO_GO_ON, 0, "Go on digging", "", "");
    choice(t, DO_LEAVE_SITE, 0, "To the menu", "", "");
}

static void fill_pause(Trainer* t)
{
    app_menu_begin(&t->menu, "Paused");
    choice(t, DO_GO_ON, 0, "Go on", "", "Back to the levers. They must be in neutral.");
    choice(t, DO_SHOW, 0, "Show me", t->show ? "on" : "off",
           "The built-in operator works, through the same levers as you. F4 takes over at any "
           "moment.");
    choice(t, DO_RESTART, 0, "Begin again", "",
           "The same site from the start. The record so far is kept.");
    if (t->lesson_now[0])
        choice(t, DO_PAGE, PAGE_RESULT, "Result so far", "", "Points, pillars, what to fix first.");
    turn(t, DO_CAMERA, "Camera", view_camera_name(t->camera),
         "C changes it while you dig: cab, chase, bucket, side, plan, free.");
    fill_common(t);
    choice(t, DO_PAGE, PAGE_HELP, "Controls card", "", "All controls on one page.");
    choice(t, DO_LEAVE_SITE, 0, "Leave the site", "", "To the menu. The record is kept.");
    choice(t, DO_QUIT, 0, "Quit", "", "Leave the trainer. The record is kept.");
}

static void fill_devices(Trainer* t)
{
    app_menu_begin(&t->menu, "Devices");
    int count = platform_input_devices(t->input);
    for (int k = 0; k < count; ++k) {
        const PlatformDevice* d = platform_input_device(t->input, k);
        char help[320];
        snprintf(help, sizeof help, "%d axes, %d buttons. GUID %s, port %s. Enter: calibrate.",
                 d->axes, d->buttons, d->guid, d->path[0] ? d->path : "unknown");
        choice(t, DO_DEVICE, k, d->name,
               !d->plugged ? "unplugged"
               : d->pad    ? "gamepad"
                           : "stick",
               help);
    }
    if (count == 0)
        choice(t, DO_NOTHING, 0, "No stick, pedal or gamepad is plugged in.", "", "");
    choice(t, DO_WIGGLE, 0, "Wiggle to identify", t->wiggle ? "move one now" : "",
           "Then move a stick or pedal: the device that moves is chosen. Two equal sticks are told "
           "apart by their ports.");
    choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", "");
}

// The number of this device among the controls; -1 when it has no profile.
static int profile_of(const Trainer* t, int device)
{
    for (int n = 0; n < t->controls.now->device_count; ++n)
        if (platform_input_find(t->input, t->controls.now, n) == device)
            return n;
    return -1;
}

static void fill_device(Trainer* t)
{
    const PlatformDevice* d = platform_input_device(t->input, t->device);
    int n = profile_of(t, t->device);
    char value[64], label[96];
    app_menu_begin(&t->menu, d->name);
    t->menu.wide = true;
    choice(t, DO_CALIBRATE, 0, "Calibrate: begin", "", "");
    choice(t, DO_TAKE_ENDS, 0, "Calibrate: take the ends", "", "");
    for (int a = 0; n >= 0 && a < t->controls.now->devices[n].axis_count; ++a) {
        const InputAnalog* x = &t->controls.now->devices[n].axes[a];
        snprintf(label, sizeof label, "Axis %d moves %s", x->source, x->to);
        snprintf(value, sizeof value, "%s", x->invert ? "inverted" : "straight");
        choice(t, DO_INVERT, a, label, value, "");
    }
    choice(t, DO_PAGE, PAGE_DEVICES, "Back", "", "");
    snprintf(t->menu.foot, sizeof t->menu.foot,
             "Begin, move every axis to both ends, let go, take the ends.");
}

static void fill_keys(Trainer* t)
{
    const InputControls* c = t->controls.now;
    char does[80], name[96];
    app_menu_begin(&t->menu, "Keys");
    for (int k = 0; k < c->key_count; ++k) {
        app_controls_does(&c->keys[k], does);
        snprintf(name, sizeof name, "%s%s%s", c->keys[k].device_name ? c->keys[k].device_name : "",
                 c->keys[k].device_name ? " " : "", c->keys[k].key);
        choice(t, DO_KEY, k, does, t->bind == k ? "press a key" : name,
               "Enter, then the key you want. Escape leaves it as it is.");
    }
    choice(t, DO_RESET_KEYS, 0, "Back to the shipped controls", "", "Devices are forgotten, too.");
    choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", "");
}

static void fill_graphics(Trainer* t)
{
    char text[32];
    app_menu_begin(&t->menu, "Picture");
    turn(t, DO_QUALITY, "Quality", render_quality_name(render_quality(t->studio.render)),
         "Measured when the trainer starts for the first time. Software is for computers without a "
         "graphics card.");
    snprintf(text, sizeof text, "%d %%", t->settings.text);
    turn(t, DO_TEXT, "Size of text", text, "Of readings and menus.");
    choice(t, DO_FULL, 0, "Full screen", t->settings.full ? "on" : "off", "F11");
    choice(t, DO_TIMINGS, 0, "Times of picture and step", t->settings.timings ? "on" : "off",
           "F3 while you dig.");
    choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "",
           render_card(t->studio.render));
}

static void fill_sound(Trainer* t)
{
    char text[32];
    app_menu_begin(&t->menu, "Sound");
    snprintf(text, sizeof text, "%d %%", t->settings.volume);
    turn(t, DO_VOLUME, "Loudness", text,
         "Engine, hydraulics, swing, tracks, soil, horn. 0 is silence.");
    choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", "");
}

static void fill_replays(Trainer* t)
{
    char folder[TRAINER_PATH];
    struct dirent** entry = NULL;
    app_menu_begin(&t->menu, "Records");
    int count = app_folder_data("records", folder, sizeof folder)
                    ? scandir(folder, &entry, NULL, alphasort)
                    : 0;
    for (int k = count - 1; k >= 0; --k) {
        char help[320];
        if (entry[k]->d_name[0] != '.' && t->menu.rows < 40) {
            snprintf(help, sizeof help, "%.120s/%.120s\n`mattock check` tells what is in it.",
                     folder, entry[k]->d_name);
            choice(t, DO_PAGE, PAGE_REPLAYS, entry[k]->d_name,
                   strstr(entry[k]->d_name, ".part") ? "unfinished" : "", help);
        }
        free(entry[k]);
    }
    free(entry);
    choice(t, DO_PAGE, PAGE_MAIN, "Back", "", "");
}

static void fill_help(Trainer* t)
{
    static const char* const card[][2] = {
        {"Left stick", "W A S D"},
        {"Right stick", "I J K L, or the arrows"},
        {"Left track forward, back", "R, F"},
        {"Right track forward, back", "U, H"},
        {"Horn", "Space"},
        {"Hydraulic lock-out", "X"},
        {"Engine speed", "Page up, Page down"},
        {"Camera", "C; wheel: nearer, farther"},
        {"ISO or SAE", "F2"},
        {"Times", "F3"},
        {"Show me, my turn", "F4"},
        {"Picture of the screen", "F12"},
        {"Pause", "Escape"},
    };
    app_menu_begin(&t->menu, "Controls card");
    for (int k = 0; k < (int)(sizeof card / sizeof card[0]); ++k)
        choice(t, DO_PAGE, PAGE_HELP, card[k][0], card[k][1],
               "These are the shipped ones; the page of keys changes them.");
    choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", "");
}

void app_trainer_page_fill(Trainer* t)
{
    switch (t->page) {
    case PAGE_MAIN: fill_main(t); break;
    case PAGE_SITES: fill_sites(t); break;
    case PAGE_LESSONS: fill_lessons(t); break;
    case PAGE_BRIEF: fill_brief(t); break;
    case PAGE_RESULT: fill_result(t); break;
    case PAGE_PAUSE: fill_pause(t); break;
    case PAGE_DEVICES: fill_devices(t); break;
    case PAGE_DEVICE: fill_device(t); break;
    case PAGE_KEYS: fill_keys(t); break;
    case PAGE_GRAPHICS: fill_graphics(t); break;
    case PAGE_SOUND: fill_sound(t); break;
    case PAGE_REPLAYS: fill_replays(t); break;
    case PAGE_HELP: fill_help(t); break;
    case PAGE_NONE: return;
    }
    app_menu_end(&t->menu);
    if (t->notice[0])
        snprintf(t->menu.foot, sizeof t->menu.foot, "%s", t->notice);
}

void app_trainer_result(Trainer* t)
{
    char folder[TRAINER_PATH - 128], path[TRAINER_PATH], name[80], text[64];
    const char* slash = strrchr(t->lesson_now, '/');
    snprintf(name, sizeof name, "%.70s", slash ? slash + 1 : t->lesson_now);
    name[strcspn(name, ".")] = '\0';
    int n = snprintf(text, sizeof text, "%.0f points\n", t->news.score);
    if (t->news.score >= 0.0 && app_folder_data("results", folder, sizeof folder)) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        base_file_replace(path, text, (size_t)n);
    }
    lessons_again(t);
}

void app_trainer_page(Trainer* t, TrainerPage page)
{
    if (page != t->page)
        t->menu.chosen = t->menu.first = 0;
    t->page = page;
    t->bind = -1;
    t->wiggle = false;
    app_trainer_page_fill(t);
}

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
    snprintf(t->vehicle_now, sizeof t->vehicle_now, "%s", t->vehicle[vehicle_now(t)].path);
    t->playing = true;
    if (app_trainer_session_open(t) == 0)
        app_trainer_page(t, t->lesson_now[0] ? PAGE_BRIEF : PAGE_NONE);
    else
        t->leave = true; // the sentence is on the terminal
}

static void change(Trainer* t, int action, int by)
{
    AppSettings* s = &t->settings;
    int quality = (int)render_quality(t->studio.render);
    switch (action) {
    case DO_VEHICLE:
        snprintf(s->name, sizeof s->name, "%s",
                 t->vehicle[around(vehicle_now(t), by, base_maxi(t->vehicles, 1))].name);
        break;
    case DO_PATTERN: s->pattern = around(s->pattern, by, 2); break;
    case DO_PROGRAM: t->program = around(t->program, by, OPERATOR_PROGRAMS); break;
    case DO_CAMERA:
        t->camera = (ViewCameraKind)around(t->camera, by, VIEW_CAMERA_COUNT);
        s->camera = t->camera;
        break;
    case DO_QUALITY:
        quality = around(quality, by, RENDER_QUALITIES);
        render_set_quality(t->studio.render, (RenderQuality)quality);
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
        int n = profile_of(t, t->device);
        if (n < 0)
            break;
        app_controls_calibrate(&t->controls, n, platform_input_device(t->input, t->device));
        app_trainer_say(t, app_controls_save(&t->controls)
                               ? "Calibrated and saved."
                               : "Calibrated, but it could not be saved.");
        break;
    }
    case DO_INVERT:
        app_controls_invert(&t->controls, profile_of(t, t->device), r->argument);
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
    default: change(t, r->action, 1); break;
    }
    app_trainer_page_fill(t);
}

static void back(Trainer* t)
{
    switch (t->page) {
    case PAGE_PAUSE:
    case PAGE_BRIEF: go_on(t); break;
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

static void device_side(const Trainer* t, ViewDraw* d, float s)
{
    const AppMenu* m = &t->menu;
    const PlatformDevice* device = platform_input_device(t->input, t->device);
    int n = profile_of(t, t->device);
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

void app_trainer_page_draw(Trainer* t, ViewDraw* draw, int width, int height, float scale)
{
    app_menu_draw(&t->menu, draw, width, height, scale);
    if (t->page == PAGE_DEVICE)
        device_side(t, draw, scale);
}
