#include "app/app_trainer_internal.h"

#include "app/app_folder.h"
#include "app/app_stage.h"
#include "base/base_log.h"
#include "base/base_path.h"
#include "lab/lab_args.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define TRAINER_POLL   0.004 // s between two looks at levers and keys
#define TRAINER_HIDDEN 0.02  // s, when nobody sees the window
#define TRAINER_FILL   0.033 // s between two writings of a page
#define TRAINER_RADIUS 0.045f
#define TRAINER_POOL   12000
#define TRAINER_BIRTHS 400
#define TRAINER_NOTICE 5.0 // s

static volatile sig_atomic_t trainer_stopped;

static void stop(int number)
{
    (void)number;
    trainer_stopped = 1;
}

// --- beginning -----------------------------------------------------------------------------------

// A place in the data folder that nobody has used: the record is kept whether asked for or not.
static const char* record_path(const Trainer* t, char path[TRAINER_PATH])
{
    char folder[TRAINER_PATH - 64];
    if (!t->playing)
        return NULL;
    if (t->def->record)
        return t->def->record;
    if (!app_folder_data("records", folder, sizeof folder)) {
        base_warn("%s cannot be made; this session is not recorded", folder);
        return NULL;
    }
    const char* what = t->lesson_now[0] ? t->lesson_now : t->site_now;
    if (!app_shelf_name(folder, app_trainer_trainee(t), what, path)) {
        base_warn("%s cannot be written; this session is not recorded", folder);
        return NULL;
    }
    return path;
}

void app_trainer_session_fresh(Trainer* t)
{
    t->moved = 0;
    t->news = (AppNews){.balanced = true, .centered = true, .score = -1.0};
    t->judged = t->unplugged = false;
    t->new_site = true;
}

int app_trainer_session_open(Trainer* t)
{
    static char materials[TRAINER_PATH], calibration[TRAINER_PATH], truck[TRAINER_PATH];
    char record[TRAINER_PATH];
    BaseYamlError error = {0};
    if (!base_path_find("config/materials.yaml", materials, sizeof materials) ||
        !base_path_find("config/calibration.yaml", calibration, sizeof calibration)) {
        fprintf(stderr, "mattock: config/materials.yaml or calibration.yaml was not found\n");
        return LAB_EXIT_FILE;
    }
    app_trainer_paint_rest(t, true);
    app_trainer_put_away(t);
    app_trainer_session_fresh(t);
    t->viewer.on = false;
    AppSessionDef def = {.lesson = t->playing && t->lesson_now[0] ? t->lesson_now : NULL,
                         .name = t->site_now,
                         .record = record_path(t, record),
                         .trainee = app_trainer_trainee(t),
                         .pattern = app_trainer_pattern_word(t),
                         .device = app_trainer_device_word(t)};
    def.sim = (SimDef){.site = t->site_now,
                       .materials = materials,
                       .calibration = calibration,
                       .vehicle = t->vehicle_now,
                       .kind = OPERATOR_EXPERT,
                       .program = t->program,
                       .depth = 1.5f,
                       .place = {-4.0f, 0.0f, 0.0f},
                       .radius = TRAINER_RADIUS,
                       .pool = TRAINER_POOL,
                       .births = TRAINER_BIRTHS,
                       .threads = t->def->threads,
                       .seconds = 1e9,
                       .seed = 1};
    if (def.sim.program == OPERATOR_TRUCK) {
        app_stage_find("vehicles", "truck_24t", truck);
        def.sim.truck = truck;
    }
    t->session = app_session_create(&def, &error);
    if (!t->session) {
        // machines without an arm have no operator, but somebody may sit in them
        def.sim.kind = OPERATOR_IDLE;
        t->session = app_session_create(&def, &error);
    }
    if (!t->session) {
        if (def.record && def.record != t->def->record)
            app_shelf_unname(def.record);
        fprintf(stderr, "%s\n", error.text[0] ? error.text : "mattock: not enough memory");
        return error.text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
    }
    app_trainer_paint_rest(t, false);
    if (app_session_start(t->session))
        return LAB_EXIT_FINE;
    fprintf(stderr, "mattock: no thread can be started for the simulation\n");
    return LAB_EXIT_MEMORY;
}

// --- hands ---------------------------------------------------------------------------------------

void app_trainer_say(Trainer* t, const char* text)
{
    snprintf(t->notice, sizeof t->notice, "%s", text);
    t->notice_until = platform_now() + TRAINER_NOTICE;
}

static void say_camera(Trainer* t)
{
    static const char* const how[VIEW_CAMERA_COUNT] = {
        [VIEW_CAMERA_CHASE] = "drag with the right button: round the machine; wheel: distance",
        [VIEW_CAMERA_CAB] = "drag with the right button: look round; wheel: closer",
        [VIEW_CAMERA_BUCKET] = "drag with the right button: round the bucket; wheel: distance",
        [VIEW_CAMERA_SIDE] = "drag with the right button: round the machine; wheel: distance",
        [VIEW_CAMERA_PLAN] = "drag with the right button: over the site; wheel: height",
        [VIEW_CAMERA_FREE] = "right button or Shift, with W A S D Q E: fly; wheel: speed",
    };
    char text[160];
    snprintf(text, sizeof text, "Camera: %s. %s", view_camera_name(t->camera.kind),
             how[t->camera.kind]);
    app_trainer_say(t, text);
}

// What a key or button asks for besides levers.
static void wish(Trainer* t, InputTrainer what)
{
    AppSettings* s = &t->settings;
    switch (what) {
    case INPUT_TRAINER_PAUSE: app_trainer_page(t, PAGE_PAUSE); break;
    case INPUT_TRAINER_CAMERA:
        app_camera_next(&t->camera);
        say_camera(t);
        break;
    case INPUT_TRAINER_HOME: app_camera_home(&t->camera); break;
    case INPUT_TRAINER_PATTERN:
        s->pattern = s->pattern == INPUT_PATTERN_ISO ? INPUT_PATTERN_SAE : INPUT_PATTERN_ISO;
        app_trainer_say(t, s->pattern == INPUT_PATTERN_ISO ? "ISO pattern" : "SAE pattern");
        break;
    case INPUT_TRAINER_SHOW: t->show = !t->show; break;
    case INPUT_TRAINER_TIMES: s->timings = !s->timings; break;
    case INPUT_TRAINER_FULL: platform_window_full(t->studio.window, s->full = !s->full); break;
    case INPUT_TRAINER_PICTURE: t->shot = true; break;
    case INPUT_TRAINER_COUNT: break;
    }
}

// A recording that is looked at has keys and buttons of its own.
static bool grants(const Trainer* t, const InputKey* key)
{
    bool looks = key->index != INPUT_TRAINER_PAUSE && key->index != INPUT_TRAINER_HOME &&
                 key->index != INPUT_TRAINER_PATTERN && key->index != INPUT_TRAINER_SHOW;
    return !t->viewer.on || (looks && key->device < 0);
}

// A wish is a fresh press; one that was made in a menu is the menu's.
static void wishes(Trainer* t, const InputRaw* raw, bool at_levers)
{
    const InputControls* c = t->controls.now;
    for (int k = 0; k < c->key_count; ++k) {
        bool fresh = raw->key[k] && !t->wish[k];
        t->wish[k] = raw->key[k];
        if (fresh && at_levers && c->keys[k].does == INPUT_KEY_TRAINER && grants(t, &c->keys[k]))
            wish(t, (InputTrainer)c->keys[k].index);
    }
}

static void device_came(Trainer* t, int device)
{
    char text[160];
    app_controls_take(&t->controls, t->input, device, text);
    app_trainer_say(t, text);
}

static void listen(Trainer* t)
{
    PlatformEvent e;
    platform_input_poll(t->input);
    while (platform_input_event(t->input, &e)) {
        if (e.kind == PLATFORM_PLUGGED)
            device_came(t, e.device);
        else if (e.kind == PLATFORM_GONE)
            t->away = e.device;
        else if (t->page != PAGE_NONE)
            app_trainer_page_event(t, &e);
        else if (app_viewer_event(t, &e))
            continue;
        else if (e.kind == PLATFORM_KEY && !e.repeat && strcmp(e.name, "Escape") == 0)
            app_trainer_page(t, PAGE_PAUSE);
        else if (e.kind == PLATFORM_WHEEL)
            app_camera_wheel(&t->camera, -e.y);
        else if (e.kind == PLATFORM_DRAG && t->height > 0)
            app_camera_drag(&t->camera, e.x / (float)t->height, e.y / (float)t->height);
    }
    if (t->page != PAGE_NONE)
        app_trainer_page_sticks(t);
    if (platform_now() > t->notice_until)
        t->notice[0] = '\0';
}

// Machines without an arm have a layout of their own.
static int pattern_of(const Trainer* t)
{
    switch (world_machine_def(app_session_world(t->session), 0)->kind) {
    case MACHINE_DOZER: return INPUT_PATTERN_DOZER;
    case MACHINE_TRUCK: return INPUT_PATTERN_TRUCK;
    default: return t->settings.pattern;
    }
}

static float two_keys(const Trainer* t, const char* plus, const char* minus)
{
    return (float)platform_input_held(t->input, plus) - (float)platform_input_held(t->input, minus);
}

// With the right button or Shift held, hands are on the camera; true while they are.
static bool fly(Trainer* t, float h)
{
    bool held = t->page == PAGE_NONE && t->playing &&
                (platform_input_dragging(t->input) || platform_input_held(t->input, "Left Shift"));
    platform_input_grab(t->input, held && platform_input_dragging(t->input));
    if (!held)
        return false;
    const AppCameraWay way = {.ahead = two_keys(t, "W", "S"),
                              .right = two_keys(t, "D", "A"),
                              .up = two_keys(t, "E", "Q"),
                              .turn = two_keys(t, "Right", "Left"),
                              .tilt = two_keys(t, "Up", "Down")};
    app_camera_go(&t->camera, &way, h);
    return true;
}

static void order(Trainer* t, float h, bool at_levers)
{
    AppOrders o = {.controls = t->controls.now,
                   .pattern = pattern_of(t),
                   .show = t->show || !t->playing,
                   .polled = platform_now()};
    platform_input_raw(t->input, o.controls, &o.raw);
    wishes(t, &o.raw, at_levers && t->page == PAGE_NONE);
    o.pause = t->playing && t->page != PAGE_NONE;
    if (fly(t, h))
        memset(o.raw.key, 0, sizeof o.raw.key);
    if (memcmp(&o.raw, &t->raw, sizeof o.raw) != 0) {
        t->raw = o.raw;
        t->moved++;
        t->moved_at = o.polled;
        t->moved_done = app_session_done(t->session);
    }
    o.moved = t->moved, o.moved_done = t->moved_done, o.moved_at = t->moved_at;
    app_viewer_orders(t, &o);
    app_session_order(t->session, &o);
    t->news = *app_session_news(t->session);
    if (t->viewer.on) {
        app_viewer_turn(t, h);
        return;
    }
    // a lost device stops everything until somebody has looked
    if (t->news.unplugged && !t->unplugged && t->playing) {
        app_trainer_page(t, PAGE_AWAY);
    }
    if (t->news.suspended && t->playing && t->page == PAGE_NONE) {
        app_trainer_page(t, PAGE_PAUSE);
        app_trainer_say(t, t->news.balanced
                               ? "The simulation stood still: the computer slept, or had no time."
                               : "Soil is missing: the program is wrong. The record is marked.");
    }
    t->unplugged = t->news.unplugged;
    if (t->news.over && !t->judged && t->playing && t->page == PAGE_NONE) {
        t->judged = true;
        app_trainer_result(t);
        app_trainer_page(t, PAGE_RESULT);
    }
    // the record ends with the lesson, and its papers are there before somebody asks
    if (t->judged && app_session_rests(t->session) && app_session_finishing(t->session)) {
        app_trainer_papers(t, t->news.over);
        app_trainer_page_fill(t);
    }
}

static void listen_to(Trainer* t)
{
    const AppNews* n = &t->news;
    bool loud = t->playing && t->page == PAGE_NONE && (!t->viewer.on || n->player.playing);
    const SoundLevels levels = {.rpm = n->sound.rpm,
                                .load = n->sound.load,
                                .pump = n->sound.pump,
                                .swing = n->sound.swing,
                                .travel = n->sound.travel,
                                .soil = n->sound.soil,
                                .bin = n->sound.bin,
                                .horn = (n->frame.switches & INPUT_SWITCH_HORN) != 0,
                                // the alarm warns those behind the tracks
                                .alarm = n->frame.lever[INPUT_TRACK_LEFT] < 0 ||
                                         n->frame.lever[INPUT_TRACK_RIGHT] < 0,
                                .volume = loud ? 0.01f * (float)t->settings.volume : 0.0f};
    platform_audio_levels(t->audio, &levels);
}

// --- a turn --------------------------------------------------------------------------------------

bool app_trainer_turn(Trainer* t)
{
    if (t->leave || trainer_stopped || !platform_window_poll(t->studio.window))
        return false;
    double now = platform_now(), h = fmin(now - t->last, 0.1);
    platform_lock(t->desk);
    t->last = now;
    t->turns++;
    if (t->def->seconds > 0 && now - t->begun > t->def->seconds)
        t->leave = true;
    platform_window_size(t->studio.window, &t->width, &t->height);
    t->hidden = platform_window_hidden(t->studio.window);
    bool at_levers = t->page == PAGE_NONE;
    listen(t);
    // nobody digs in a window that nobody sees
    if (t->hidden && t->page == PAGE_NONE && !t->viewer.on)
        app_trainer_page(t, PAGE_PAUSE);
    if (!t->leave)
        order(t, (float)h, at_levers);
    listen_to(t);
    // devices come and go; the list of records is read from the disk only when it is opened
    if (t->page != PAGE_NONE && t->page != PAGE_REPLAYS && now - t->filled > TRAINER_FILL) {
        t->filled = now;
        app_trainer_page_fill(t);
    }
    bool hidden = t->hidden;
    platform_unlock(t->desk);
    platform_sleep(hidden ? TRAINER_HIDDEN : TRAINER_POLL);
    return true;
}

int app_trainer_lag(const int count[TRAINER_LAG_MAX])
{
    int all = 0, below = 0, k = 0;
    for (int n = 0; n < TRAINER_LAG_MAX; ++n)
        all += count[n];
    while (k < TRAINER_LAG_MAX - 1 && 2 * (below += count[k]) < all)
        ++k;
    return k;
}

static int lag_most(const int count[TRAINER_LAG_MAX])
{
    int k = TRAINER_LAG_MAX - 1;
    while (k > 0 && count[k] == 0)
        --k;
    return k;
}

// s that the picture in the middle took; the first ones make textures and programs.
static double middle_picture(const Trainer* t)
{
    uint64_t below = 0;
    int k = 0;
    while (k < TRAINER_TOOK_MAX - 1 && 2 * (below += (uint64_t)t->took[k]) < t->pictures)
        ++k;
    return 1e-3 * (k + 0.5);
}

static void sum_up(const Trainer* t)
{
    double wall = platform_now() - t->begun;
    const TrainerLag* l = &t->lag;
    if (t->pictures == 0 || wall <= 0.0)
        return;
    base_info("%.1f pictures/s (%.1f in the middle), %.1f steps/s (%llu given up), levers polled "
              "%.0f times/s, at most "
              "%d draw calls a picture",
              (double)t->pictures / wall, 1.0 / middle_picture(t), (double)t->news.step / wall,
              (unsigned long long)t->news.skipped, (double)t->turns / wall, t->draw_calls);
    if (l->count > 0)
        base_info("from lever to picture: %d steps + %d pictures in the middle of %d movements, "
                  "%d + %d at most; %.0f ms on average, %.0f ms at most",
                  app_trainer_lag(l->steps), app_trainer_lag(l->pictures), l->count,
                  lag_most(l->steps), lag_most(l->pictures), 1e3 * l->sum / l->count,
                  1e3 * l->most);
}

static bool remember(Trainer* t)
{
    if (!app_settings_load(&t->settings))
        return false;
    if (t->def->pattern >= 0)
        t->settings.pattern = t->def->pattern;
    t->camera = app_camera((ViewCameraKind)t->settings.camera);
    t->program = t->def->program;
    t->show = t->def->show;
    app_trainer_files(t);
    app_stage_find("config/sites", "loam", t->site_now);
    app_stage_find("vehicles", t->settings.vehicle, t->vehicle_now);
    if (t->def->site)
        snprintf(t->site_now, sizeof t->site_now, "%s", t->def->site);
    if (t->def->vehicle)
        snprintf(t->vehicle_now, sizeof t->vehicle_now, "%s", t->def->vehicle);
    if (t->def->lesson)
        snprintf(t->lesson_now, sizeof t->lesson_now, "%s", t->def->lesson);
    t->playing = t->def->site != NULL || t->def->lesson != NULL;
    return true;
}

static int open_devices(Trainer* t)
{
    BaseYamlError error = {0};
    if (!app_controls_init(&t->controls, &error)) {
        fprintf(stderr, "%s\n", error.text[0] ? error.text : "mattock: not enough memory");
        return error.text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
    }
    t->input = platform_input_create();
    if (!t->input)
        return LAB_EXIT_MEMORY;
    if (t->def->pretend)
        platform_input_pretend(t->input);
    platform_input_mouse(t->input, app_controls_mouse_stick(t->controls.now) != 0);
    t->audio = t->def->offscreen ? NULL : platform_audio_create();
    return LAB_EXIT_FINE;
}

static int open_window(Trainer* t)
{
    const PlatformWindowDef window = {.title = "Mattock",
                                      .width = t->def->width ? t->def->width : 1280,
                                      .height = t->def->height ? t->def->height : 720,
                                      .offscreen = t->def->offscreen,
                                      .full = t->def->full || t->settings.full,
                                      .wait = !t->def->offscreen};
    int code = app_studio_begin(&t->studio, &window);
    if (code != LAB_EXIT_FINE)
        return code;
    int quality = t->def->quality >= 0 ? t->def->quality : t->settings.quality - 1;
    if (quality >= 0)
        render_set_quality(t->studio.render, (RenderQuality)quality);
    t->studio.frame.sun = view_sun(0.9f, 0.75f);
    platform_window_size(t->studio.window, &t->width, &t->height);
    return LAB_EXIT_FINE;
}

static int open_replay(Trainer* t)
{
    if (!app_viewer_open(t, t->def->replay)) {
        fprintf(stderr, "%s\n", t->viewer.trouble);
        return LAB_EXIT_FILE;
    }
    app_viewer_begin_at(t, t->def->at);
    return LAB_EXIT_FINE;
}

int app_trainer_begin(Trainer* t, const AppTrainerDef* def)
{
    *t = (Trainer){.def = def, .away = -1, .desk = platform_lock_create()};
    if (!t->desk || !remember(t))
        return LAB_EXIT_MEMORY;
    int code = open_window(t);
    if (code == LAB_EXIT_FINE)
        code = open_devices(t);
    platform_lock(t->desk);
    if (code == LAB_EXIT_FINE)
        code = app_trainer_session_open(t);
    bool brief = t->lesson_now[0] && !t->show;
    if (code == LAB_EXIT_FINE)
        app_trainer_page(t, def->page                       ? (TrainerPage)def->page
                            : brief                         ? PAGE_BRIEF
                            : t->playing                    ? PAGE_NONE
                            : app_viewer_look_for_broken(t) ? PAGE_BROKEN
                                                            : PAGE_MAIN);
    if (code == LAB_EXIT_FINE && def->replay)
        code = open_replay(t);
    if (code == LAB_EXIT_FINE && !app_trainer_paint(t)) {
        fprintf(stderr, "mattock: no thread can be started for the picture\n");
        code = LAB_EXIT_MEMORY;
    }
    platform_unlock(t->desk);
    t->begun = t->last = platform_now();
    return code;
}

void app_trainer_end(Trainer* t)
{
    if (t->painter) {
        app_trainer_paint_end(t);
        sum_up(t);
        t->settings.camera = (int)t->camera.kind;
        app_settings_save(&t->settings);
    }
    app_trainer_put_away(t);
    free(t->viewer.run);
    platform_audio_destroy(t->audio);
    platform_input_destroy(t->input);
    app_studio_close(&t->studio);
    app_controls_free(&t->controls);
    platform_lock_destroy(t->desk);
}

int app_trainer_run(const AppTrainerDef* def)
{
    static Trainer t;
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    int code = app_trainer_begin(&t, def);
    while (code == LAB_EXIT_FINE && app_trainer_turn(&t))
        ;
    app_trainer_end(&t);
    return code;
}
