#include "app/app_trainer.h"

#include "app/app_folder.h"
#include "app/app_stage.h"
#include "base/base_log.h"
#include "base/base_path.h"
#include "lab/lab_args.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#define TRAINER_ARENA  ((size_t)8 << 20)
#define TRAINER_BUDGET 0.024 // s a picture may take when the quality is chosen
#define TRAINER_HIDDEN 0.05  // s between two looks at a window that nobody sees
#define TRAINER_RADIUS 0.045f
#define TRAINER_POOL   12000
#define TRAINER_BIRTHS 400

typedef struct Trainer {
    const AppTrainerDef* def;
    AppStudio studio;
    PlatformInput* input;
    BaseArena arena;
    InputControls controls;
    AppSession* session;
    AppNews news;
    int pattern;
    bool pause, show, timings, leave, unplugged, ring;
    char notice[160];
    // camera
    ViewCameraKind camera;
    float yaw, pitch, zoom; // rad, rad, factor: how the chase camera was turned
    Vec3 free_eye;
    float free_yaw, free_pitch;
    // time
    double last, picture; // s: when the last picture was drawn, what it took on average
    float scale;          // that the font is painted for
    uint64_t pictures;
    double latency_sum, latency_max; // s, from the poll to the picture that shows its step
    uint64_t latency_count;
    double shown; // of the last picture's step
} Trainer;

static volatile sig_atomic_t trainer_stopped;

static void stop(int number)
{
    (void)number;
    trainer_stopped = 1;
}

// --- beginning -----------------------------------------------------------------------------------

static bool controls_load(Trainer* t, BaseYamlError* error)
{
    char path[TRAINER_PATH];
    if (!base_path_find("config/controls/keyboard.yaml", path, sizeof path)) {
        snprintf(error->text, sizeof error->text, "config/controls/keyboard.yaml was not found");
        return false;
    }
    return input_controls_load(path, &t->arena, &t->controls, error);
}

// A place in the data folder that nobody has used: the record is kept whether asked for or not.
static const char* record_path(const Trainer* t, char path[TRAINER_PATH])
{
    char folder[TRAINER_PATH - 64];
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

static int session_open(Trainer* t)
{
    static char materials[TRAINER_PATH], calibration[TRAINER_PATH], truck[TRAINER_PATH];
    char record[TRAINER_PATH];
    BaseYamlError error = {0};
    if (!base_path_find("config/materials.yaml", materials, sizeof materials) ||
        !base_path_find("config/calibration.yaml", calibration, sizeof calibration)) {
        fprintf(stderr, "mattock: config/materials.yaml or calibration.yaml was not found\n");
        return LAB_EXIT_FILE;
    }
    AppSessionDef def = {.name = t->def->site, .record = record_path(t, record)};
    def.sim = (SimDef){.site = t->def->site,
                       .materials = materials,
                       .calibration = calibration,
                       .vehicle = t->def->vehicle,
                       .kind = OPERATOR_EXPERT,
                       .program = t->def->program,
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

static void say(Trainer* t, const char* text)
{
    snprintf(t->notice, sizeof t->notice, "%s", text);
}

static void key(Trainer* t, const PlatformEvent* e)
{
    if (e->repeat)
        return;
    if (strcmp(e->name, "Escape") == 0)
        t->pause = !t->pause;
    else if (strcmp(e->name, "Q") == 0 && t->pause)
        t->leave = true;
    else if (strcmp(e->name, "C") == 0)
        t->camera = (ViewCameraKind)((t->camera + 1) % VIEW_CAMERA_COUNT);
    else if (strcmp(e->name, "F2") == 0)
        t->pattern = t->pattern == INPUT_PATTERN_ISO ? INPUT_PATTERN_SAE : INPUT_PATTERN_ISO;
    else if (strcmp(e->name, "F3") == 0)
        t->timings = !t->timings;
    else if (strcmp(e->name, "F4") == 0)
        t->show = !t->show;
}

static void listen(Trainer* t)
{
    PlatformEvent e;
    platform_input_poll(t->input);
    while (platform_input_event(t->input, &e)) {
        if (e.kind == PLATFORM_KEY)
            key(t, &e);
        else if (e.kind == PLATFORM_WHEEL)
            t->zoom = base_clampf(t->zoom * (e.y > 0.0f ? 0.9f : 1.1f), 0.3f, 3.0f);
    }
}

static void order(Trainer* t)
{
    AppOrders o = {.controls = &t->controls,
                   .pattern = t->pattern,
                   .pause = t->pause,
                   .show = t->show,
                   .polled = platform_now()};
    platform_input_raw(t->input, &t->controls, &o.raw);
    app_session_order(t->session, &o);
    t->news = *app_session_news(t->session);
    // a lost device stops everything until somebody has looked
    if (t->news.unplugged && !t->unplugged) {
        t->pause = true;
        say(t, "A device is gone. Plug it in, let go of the levers, then press Escape.");
    }
    if (t->news.suspended && !t->pause) {
        t->pause = true;
        say(t, "The computer was asleep. Press Escape to go on.");
    }
    t->unplugged = t->news.unplugged;
    if (!t->pause)
        t->notice[0] = '\0';
}

// --- a picture -----------------------------------------------------------------------------------

static void aim(Trainer* t, const ViewState* b)
{
    ViewFrame* f = &t->studio.frame;
    f->camera = view_camera_place(t->camera, &f->anchor);
    f->focus = f->anchor.middle;
    if (t->zoom != 1.0f && t->camera != VIEW_CAMERA_CAB) {
        Vec3 away = vec3_sub(f->camera.eye, f->anchor.middle);
        f->camera.eye = vec3_mad(f->anchor.middle, away, t->zoom);
    }
    view_camera_lift(&f->camera, view_ground_height(&b->ground, f->camera.eye.x, f->camera.eye.z),
                     0.4f);
}

static void overlay(Trainer* t, const ViewState* b, int width, int height)
{
    ViewHud hud = b->hud;
    hud.timings = t->timings;
    hud.frame_ms = (float)(1e3 * t->picture);
    hud.step_ms = (float)(1e3 * t->news.step_time);
    if (t->show)
        snprintf(hud.hint, sizeof hud.hint, "The built-in operator shows how. F4: your turn.");
    if (t->news.skipped > 0 && t->timings)
        snprintf(hud.hint, sizeof hud.hint, "%llu steps given up: the computer is too slow",
                 (unsigned long long)t->news.skipped);
    if (t->pause)
        snprintf(hud.warning, sizeof hud.warning, "%s",
                 t->notice[0] ? t->notice : "Paused. Escape: go on. Q: quit.");
    else if (!t->news.balanced)
        snprintf(hud.warning, sizeof hud.warning, "The books of the soil do not balance.");
    float scale = view_hud_scale(width, height);
    if (scale != t->scale)
        view_font_paint(&t->studio.font, t->scale = scale);
    view_draw_clear(&t->studio.draw);
    view_hud_draw(&hud, &t->studio.draw, width, height);
    t->studio.frame.draw = &t->studio.draw;
}

// How far the picture's moment lies between two states: it runs one step behind.
static float part_of(const Trainer* t, const ViewState* a, const ViewState* b)
{
    if (b->step == a->step || t->pause)
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
    if (t->pictures == 0 && t->def->quality < 0) {
        RenderQuality q =
            render_choose_quality(s->render, &s->frame, width, height, TRAINER_BUDGET);
        base_info("picture: %s, %s", render_card(s->render), render_quality_name(q));
    }
    double now = platform_now();
    render_draw(s->render, &s->frame, width, height);
    if (t->news.polled > t->shown && !t->pause) {
        t->latency_sum += now - t->news.polled;
        t->latency_max = fmax(t->latency_max, now - t->news.polled);
        t->latency_count++;
        t->shown = t->news.polled;
    }
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
        listen(t);
        bool hidden = platform_window_hidden(t->studio.window);
        // nobody digs in a window that nobody sees
        t->pause = t->pause || hidden;
        order(t);
        platform_window_size(t->studio.window, &width, &height);
        if (hidden || !picture(t, width, height))
            platform_sleep(hidden ? TRAINER_HIDDEN : 0.002);
        if (t->def->seconds > 0 && platform_now() - begun > t->def->seconds)
            t->leave = true;
    }
    double wall = platform_now() - begun;
    if (t->pictures > 0 && wall > 0.0)
        base_info("%.1f pictures/s, %.1f steps/s (%llu given up), from lever to picture %.0f ms on "
                  "average, %.0f ms at most",
                  (double)t->pictures / wall, (double)t->news.step / wall,
                  (unsigned long long)t->news.skipped,
                  1e3 * t->latency_sum / fmax((double)t->latency_count, 1.0), 1e3 * t->latency_max);
}

static int run(Trainer* t)
{
    BaseYamlError error = {0};
    const PlatformWindowDef window = {.title = "Mattock",
                                      .width = 1280,
                                      .height = 720,
                                      .offscreen = t->def->offscreen,
                                      .full = t->def->full,
                                      .wait = !t->def->offscreen};
    if (!controls_load(t, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return LAB_EXIT_FILE;
    }
    int code = app_studio_begin(&t->studio, &window);
    if (code != LAB_EXIT_FINE)
        return code;
    if (t->def->quality >= 0)
        render_set_quality(t->studio.render, (RenderQuality)t->def->quality);
    t->studio.frame.sun = view_sun(0.9f, 0.75f);
    t->input = platform_input_create();
    if (!t->input)
        return LAB_EXIT_MEMORY;
    code = session_open(t);
    if (code == LAB_EXIT_FINE)
        loop(t);
    return code;
}

int app_trainer_run(const AppTrainerDef* def)
{
    static Trainer t;
    t = (Trainer){.def = def, .zoom = 1.0f, .show = def->show, .camera = VIEW_CAMERA_CAB};
    t.pattern = def->pattern >= 0 ? def->pattern : INPUT_PATTERN_ISO;
    if (!base_arena_init(&t.arena, TRAINER_ARENA))
        return LAB_EXIT_MEMORY;
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    int code = run(&t);
    app_session_destroy(t.session);
    platform_input_destroy(t.input);
    app_studio_close(&t.studio);
    base_arena_free(&t.arena);
    return code;
}
