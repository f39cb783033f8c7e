#include "app/app_trainer_internal.h"

#include "app/app_folder.h"
#include "app/app_stage.h"
#include "base/base_log.h"
#include "base/base_path.h"
#include "lab/lab_args.h"
#include "plot/plot_canvas.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TRAINER_BUDGET 0.024 // s a picture may take when the quality is chosen
#define TRAINER_HIDDEN 0.05  // s between two looks at a window that nobody sees
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
    time_t now = time(NULL);
    struct tm tm;
    char stamp[32];
    localtime_r(&now, &tm);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm);
    snprintf(path, TRAINER_PATH, "%s/%s.mtr", folder, stamp);
    return path;
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
    app_session_destroy(t->session);
    t->session = NULL;
    t->news = (AppNews){.balanced = true, .centered = true, .score = -1.0};
    t->judged = false;
    AppSessionDef def = {.lesson = t->playing && t->lesson_now[0] ? t->lesson_now : NULL,
                         .name = t->site_now,
                         .record = record_path(t, record)};
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
        fprintf(stderr, "%s\n", error.text[0] ? error.text : "mattock: not enough memory");
        return error.text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
    }
    const AppScene* scene = app_session_scene(t->session);
    render_new_site(t->studio.render);
    render_drop_models(t->studio.render);
    for (int k = 0; k < view_world_models(scene->view); ++k)
        render_add_model(t->studio.render, view_world_model(scene->view, k));
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

// Keys that are no levers.
static void key(Trainer* t, const PlatformEvent* e)
{
    AppSettings* s = &t->settings;
    if (e->repeat)
        return;
    if (strcmp(e->name, "Escape") == 0 && t->page == PAGE_NONE)
        app_trainer_page(t, PAGE_PAUSE);
    else if (strcmp(e->name, "C") == 0)
        t->camera = (ViewCameraKind)((t->camera + 1) % VIEW_CAMERA_COUNT);
    else if (strcmp(e->name, "F2") == 0)
        s->pattern = s->pattern == INPUT_PATTERN_ISO ? INPUT_PATTERN_SAE : INPUT_PATTERN_ISO;
    else if (strcmp(e->name, "F3") == 0)
        s->timings = !s->timings;
    else if (strcmp(e->name, "F4") == 0)
        t->show = !t->show;
    else if (strcmp(e->name, "F11") == 0)
        platform_window_full(t->studio.window, s->full = !s->full);
    else if (strcmp(e->name, "F12") == 0)
        t->shot = true;
    if (strcmp(e->name, "F2") == 0)
        app_trainer_say(t, s->pattern == INPUT_PATTERN_ISO ? "ISO pattern" : "SAE pattern");
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
        else if (t->page != PAGE_NONE)
            app_trainer_page_event(t, &e);
        else if (e.kind == PLATFORM_KEY)
            key(t, &e);
        else if (e.kind == PLATFORM_WHEEL)
            t->zoom = base_clampf(t->zoom * (e.y > 0.0f ? 0.9f : 1.1f), 0.3f, 3.0f);
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

static void order(Trainer* t)
{
    AppOrders o = {.controls = t->controls.now,
                   .pattern = pattern_of(t),
                   .pause = t->playing && t->page != PAGE_NONE,
                   .show = t->show || !t->playing,
                   .polled = platform_now()};
    platform_input_raw(t->input, o.controls, &o.raw);
    app_session_order(t->session, &o);
    t->news = *app_session_news(t->session);
    // a lost device stops everything until somebody has looked
    if (t->news.unplugged && !t->unplugged && t->playing) {
        app_trainer_page(t, PAGE_PAUSE);
        app_trainer_say(t, "A device is gone. Plug it in, let go of the levers, then go on.");
    }
    if (t->news.suspended && t->playing && t->page == PAGE_NONE) {
        app_trainer_page(t, PAGE_PAUSE);
        app_trainer_say(t, "The computer was asleep.");
    }
    t->unplugged = t->news.unplugged;
    if (t->news.over && !t->judged && t->playing && t->page == PAGE_NONE) {
        t->judged = true;
        app_trainer_result(t);
        app_trainer_page(t, PAGE_RESULT);
    }
}

static void listen_to(Trainer* t)
{
    const AppNews* n = &t->news;
    const SoundLevels levels = {
        .rpm = n->sound.rpm,
        .load = n->sound.load,
        .pump = n->sound.pump,
        .swing = n->sound.swing,
        .travel = n->sound.travel,
        .soil = n->sound.soil,
        .bin = n->sound.bin,
        .horn = (n->frame.switches & INPUT_SWITCH_HORN) != 0,
        // the alarm warns those behind the tracks
        .alarm = n->frame.lever[INPUT_TRACK_LEFT] < 0 || n->frame.lever[INPUT_TRACK_RIGHT] < 0,
        .volume = t->playing && t->page == PAGE_NONE ? 0.01f * (float)t->settings.volume : 0.0f};
    platform_audio_levels(t->audio, &levels);
}

// --- a picture -----------------------------------------------------------------------------------

static void aim(Trainer* t, const ViewState* b)
{
    ViewFrame* f = &t->studio.frame;
    f->camera = view_camera_place(t->playing ? t->camera : VIEW_CAMERA_CHASE, &f->anchor);
    f->focus = f->anchor.middle;
    if (t->zoom != 1.0f && t->camera != VIEW_CAMERA_CAB) {
        Vec3 away = vec3_sub(f->camera.eye, f->anchor.middle);
        f->camera.eye = vec3_mad(f->anchor.middle, away, t->zoom);
    }
    view_camera_lift(&f->camera, view_ground_height(&b->ground, f->camera.eye.x, f->camera.eye.z),
                     0.4f);
}

static void readings(Trainer* t, const ViewState* b, int width, int height)
{
    ViewHud hud = b->hud;
    hud.timings = t->settings.timings;
    hud.frame_ms = (float)(1e3 * t->picture);
    hud.step_ms = (float)(1e3 * t->news.step_time);
    if (t->show)
        snprintf(hud.hint, sizeof hud.hint, "The built-in operator shows how. F4: your turn.");
    else if (t->news.skipped > 0 && t->settings.timings)
        snprintf(hud.hint, sizeof hud.hint, "%llu steps given up: the computer is too slow",
                 (unsigned long long)t->news.skipped);
    if (!t->news.balanced)
        snprintf(hud.warning, sizeof hud.warning, "The books of the soil do not balance.");
    else if (t->news.record[0])
        snprintf(hud.warning, sizeof hud.warning, "%s", t->news.record);
    if (t->notice[0])
        snprintf(hud.hint, sizeof hud.hint, "%.150s", t->notice);
    view_hud_draw(&hud, &t->studio.draw, width, height);
}

static void overlay(Trainer* t, const ViewState* b, int width, int height)
{
    float scale = view_hud_scale(width, height) * 0.01f * (float)t->settings.text;
    if (scale != t->scale)
        view_font_paint(&t->studio.font, t->scale = scale);
    view_draw_clear(&t->studio.draw);
    if (t->page == PAGE_NONE)
        readings(t, b, width, height);
    else {
        // devices come and go; the list of records is read from the disk only when it is opened
        if (t->page != PAGE_REPLAYS)
            app_trainer_page_fill(t);
        app_trainer_page_draw(t, &t->studio.draw, width, height, scale);
    }
    t->studio.frame.draw = &t->studio.draw;
}

static void shoot_to(Trainer* t, const char* path, int width, int height)
{
    char text[200];
    uint8_t* rgb = malloc(3 * (size_t)width * (size_t)height);
    if (rgb)
        render_read(t->studio.render, width, height, rgb);
    bool fine = rgb && plot_canvas_write(path, rgb, width, height);
    snprintf(text, sizeof text, fine ? "Picture: %.140s" : "%.120s cannot be written", path);
    app_trainer_say(t, text);
    free(rgb);
}

static void shoot(Trainer* t, int width, int height)
{
    char folder[TRAINER_PATH - 64], path[TRAINER_PATH];
    t->shot = false;
    if (!app_folder_data("pictures", folder, sizeof folder))
        return;
    snprintf(path, sizeof path, "%s/%lld-%llu.png", folder, (long long)time(NULL),
             (unsigned long long)t->pictures);
    shoot_to(t, path, width, height);
}

// How far the picture's moment lies between two states: it runs one step behind.
static float part_of(const Trainer* t, const ViewState* a, const ViewState* b)
{
    if (b->step == a->step || (t->playing && t->page != PAGE_NONE))
        return 1.0f;
    double since = platform_now() - t->news.stepped + (double)(t->news.step - b->step) * WORLD_DT;
    return base_clampf((float)(since / ((double)(b->step - a->step) * WORLD_DT)), 0.0f, 1.0f);
}

static bool picture(Trainer* t, int width, int height)
{
    const ViewState *a, *b;
    AppStudio* s = &t->studio;
    if (!app_session_states(t->session, &a, &b))
        return false;
    view_frame_between(&s->frame, a, b, part_of(t, a, b));
    aim(t, b);
    overlay(t, b, width, height);
    if (t->pictures == 0 && t->def->quality < 0 && t->settings.quality == 0) {
        RenderQuality q =
            render_choose_quality(s->render, &s->frame, width, height, TRAINER_BUDGET);
        base_info("picture: %s, %s", render_card(s->render), render_quality_name(q));
    }
    double now = platform_now();
    render_draw(s->render, &s->frame, width, height);
    if (t->news.polled > t->shown && t->page == PAGE_NONE) {
        t->latency_sum += now - t->news.polled;
        t->latency_max = fmax(t->latency_max, now - t->news.polled);
        t->latency_count++;
        t->shown = t->news.polled;
    }
    if (t->leave && t->def->shot)
        shoot_to(t, t->def->shot, width, height);
    if (t->shot)
        shoot(t, width, height);
    platform_window_show(s->window);
    t->picture += (t->pictures < 8 ? 0.5 : 0.1) * (platform_now() - t->last - t->picture);
    t->pictures++;
    return true;
}

static void loop(Trainer* t)
{
    double begun = platform_now();
    int width, height;
    while (!t->leave && !trainer_stopped && platform_window_poll(t->studio.window)) {
        t->last = platform_now();
        if (t->def->seconds > 0 && t->last - begun > t->def->seconds)
            t->leave = true;
        listen(t);
        bool hidden = platform_window_hidden(t->studio.window);
        // nobody digs in a window that nobody sees
        if (hidden && t->page == PAGE_NONE)
            app_trainer_page(t, PAGE_PAUSE);
        order(t);
        listen_to(t);
        platform_window_size(t->studio.window, &width, &height);
        if (hidden || !picture(t, width, height))
            platform_sleep(hidden ? TRAINER_HIDDEN : 0.002);
    }
    double wall = platform_now() - begun;
    if (t->pictures > 0 && wall > 0.0)
        base_info("%.1f pictures/s, %.1f steps/s (%llu given up), from lever to picture %.0f ms on "
                  "average, %.0f ms at most",
                  (double)t->pictures / wall, (double)t->news.step / wall,
                  (unsigned long long)t->news.skipped,
                  1e3 * t->latency_sum / fmax((double)t->latency_count, 1.0), 1e3 * t->latency_max);
}

static void remember(Trainer* t)
{
    app_settings_load(&t->settings);
    if (t->def->pattern >= 0)
        t->settings.pattern = t->def->pattern;
    t->camera = (ViewCameraKind)t->settings.camera;
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
}

static int run(Trainer* t)
{
    BaseYamlError error = {0};
    remember(t);
    if (!app_controls_init(&t->controls, &error)) {
        fprintf(stderr, "%s\n", error.text[0] ? error.text : "mattock: not enough memory");
        return error.text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
    }
    const PlatformWindowDef window = {.title = "Mattock",
                                      .width = 1280,
                                      .height = 720,
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
    t->input = platform_input_create();
    if (!t->input)
        return LAB_EXIT_MEMORY;
    if (t->def->pretend)
        platform_input_pretend(t->input);
    t->audio = t->def->offscreen ? NULL : platform_audio_create();
    code = app_trainer_session_open(t);
    bool brief = t->lesson_now[0] && !t->show;
    app_trainer_page(t, t->def->page ? (TrainerPage)t->def->page
                        : brief      ? PAGE_BRIEF
                        : t->playing ? PAGE_NONE
                                     : PAGE_MAIN);
    if (code == LAB_EXIT_FINE)
        loop(t);
    t->settings.camera = t->camera;
    app_settings_save(&t->settings);
    return code;
}

int app_trainer_run(const AppTrainerDef* def)
{
    static Trainer t;
    t = (Trainer){.def = def, .zoom = 1.0f, .bind = -1};
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    int code = run(&t);
    app_session_destroy(t.session);
    platform_audio_destroy(t.audio);
    platform_input_destroy(t.input);
    app_studio_close(&t.studio);
    app_controls_free(&t.controls);
    return code;
}
