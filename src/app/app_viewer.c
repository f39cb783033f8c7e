// A recording in the window: what hands want from it.
#include "app/app_pages_internal.h"

#include "app/app_folder.h"
#include "app/app_stage.h"
#include "app/app_viewer_internal.h"
#include "base/base_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define VIEWER_PUSH  0.15f // of a stick's way, until the timeline moves
#define VIEWER_FLING 90.0  // s of the recording per second, at a stick's end
#define VIEWER_TURN  0.3   // s between two speeds by a stick
#define VIEWER_SKIP  5.0   // s by an arrow key

// --- wishes --------------------------------------------------------------------------------------

static void wish(Trainer* t, AppWish kind, double value)
{
    AppWishes* w = &t->viewer.wishes;
    w->wish[w->count % APP_WISHES].kind = kind;
    w->wish[w->count % APP_WISHES].value = value;
    w->count++;
}

// From where it will be when all wishes so far are obeyed: quick fingers lose nothing.
static void seek_by(Trainer* t, double steps)
{
    AppViewer* v = &t->viewer;
    bool waits = t->news.wishes != v->wishes.count && v->wishes.count > 0;
    double end = (double)t->news.player.steps;
    v->want = fmin(fmax((waits ? v->want : (double)t->news.player.at) + steps, 0.0), end);
    wish(t, WISH_SEEK, v->want);
}

static void play(Trainer* t)
{
    wish(t, WISH_PLAY, !t->news.player.playing);
}

static void speed(Trainer* t, int by)
{
    int now = t->news.player.speed + by;
    wish(t, WISH_SPEED, base_mini(base_maxi(now, 0), SIM_PLAYER_SPEEDS - 1));
}

// Backwards from where it is; forwards again when it goes backwards already.
static void backwards(Trainer* t)
{
    const SimPlayerNews* p = &t->news.player;
    bool back = p->playing && sim_player_speeds[p->speed] < 0.0;
    wish(t, WISH_PLAY, 1.0);
    wish(t, WISH_SPEED, back ? SIM_PLAYER_NORMAL : SIM_PLAYER_BACK);
}

void app_viewer_to_end(Trainer* t)
{
    const RecordInfo* info = app_session_info(t->session);
    wish(t, WISH_SEEK, info ? (double)info->steps : 0.0);
}

static void take_over(Trainer* t)
{
    AppViewer* v = &t->viewer;
    char folder[TRAINER_PATH];
    const RecordInfo* info = app_session_info(t->session);
    if (v->reach || !info)
        return;
    if (!app_folder_data("records", folder, sizeof folder) ||
        !app_shelf_name(folder, app_trainer_trainee(t), info->head.scenario.name,
                        v->wishes.record)) {
        app_trainer_say(t, "No record can be made, so nothing can be taken over.");
        return;
    }
    v->reach = true;
    wish(t, WISH_PLAY, 0.0);
    wish(t, WISH_TAKE_OVER, 0.0);
}

void app_viewer_do(Trainer* t, ViewerDo what)
{
    switch (what) {
    case VIEWER_MARK_BACK: wish(t, WISH_MARK, -1.0); break;
    case VIEWER_MARK_ON: wish(t, WISH_MARK, 1.0); break;
    case VIEWER_BACKWARDS: backwards(t); break;
    case VIEWER_PLAY: play(t); break;
    case VIEWER_SLOWER: speed(t, -1); break;
    case VIEWER_FASTER: speed(t, 1); break;
    case VIEWER_CAMERA: app_camera_next(&t->camera); break;
    case VIEWER_TAKE_OVER: take_over(t); break;
    case VIEWER_LEAVE: app_viewer_close(t); break;
    case VIEWER_LINE: break;
    }
}

// --- coming and going ----------------------------------------------------------------------------

bool app_viewer_open(Trainer* t, const char* path)
{
    AppViewer* v = &t->viewer;
    BaseYamlError error;
    snprintf(v->path, sizeof v->path, "%s", path);
    AppSessionDef def = {.name = v->path,
                         .replay = v->path,
                         .trainee = app_trainer_trainee(t),
                         .pattern = app_trainer_pattern_word(t),
                         .device = app_trainer_device_word(t)};
    def.sim.threads = t->def->threads;
    AppSession* session = app_session_create(&def, &error);
    if (!session) {
        snprintf(v->trouble, sizeof v->trouble, "%s",
                 error.text[0] ? error.text : "There is not enough memory for this recording.");
        base_warn("%s", v->trouble);
        return false;
    }
    v->trouble[0] = '\0';
    app_trainer_paint_rest(t, true);
    app_trainer_put_away(t);
    t->session = session;
    memset(&v->wishes, 0, sizeof v->wishes);
    v->drag = v->reach = v->pushing = false;
    v->marks = NULL;
    const RecordInfo* info = app_session_info(session);
    app_viewer_titles(t, &info->head);
    app_trainer_session_fresh(t);
    v->on = true;
    t->playing = true, t->show = false;
    app_trainer_paint_rest(t, false);
    app_trainer_page(t, PAGE_NONE);
    if (info->damage[0]) {
        base_warn("%s: %s", path, info->damage);
        app_trainer_say(t, "The recording is damaged; what is good can be played.");
    }
    return app_session_start(session);
}

void app_viewer_begin_at(Trainer* t, double seconds)
{
    if (seconds > 0.0)
        wish(t, WISH_SEEK, seconds * WORLD_RATE);
}

void app_viewer_close(Trainer* t)
{
    t->viewer.on = false;
    t->playing = false;
    t->lesson_now[0] = '\0';
    t->leave = app_trainer_session_open(t) != 0;
    app_trainer_page(t, PAGE_REPLAYS);
}

// The lesson is in somebody's hands now.
static void taken(Trainer* t)
{
    AppViewer* v = &t->viewer;
    v->on = v->reach = false;
    t->judged = false;
    t->lesson_now[0] = '\0';
    // to begin it again, from its own start
    SimLesson* lesson = app_session_lesson(t->session);
    if (lesson)
        snprintf(t->lesson_now, sizeof t->lesson_now, "%s", sim_lesson_path(lesson));
    else
        app_stage_find("config/sites", v->what, t->site_now);
    app_trainer_page(t, PAGE_TAKEN);
}

void app_viewer_turn(Trainer* t, float h)
{
    AppViewer* v = &t->viewer;
    if (!v->on)
        return;
    if (t->news.taken) {
        taken(t);
        return;
    }
    if (t->hidden && t->news.player.playing)
        wish(t, WISH_PLAY, 0.0);
    v->marks = app_session_marks(t->session);
    if (t->news.trouble[0] && v->reach) {
        app_trainer_say(t, t->news.trouble);
        v->reach = false;
    }
    app_viewer_sticks(t, h);
}

void app_viewer_orders(Trainer* t, AppOrders* o)
{
    o->wishes = t->viewer.wishes;
}

// --- hands ---------------------------------------------------------------------------------------

static double step_at(const AppViewer* v, float x, uint32_t steps)
{
    float part = v->line[2] > 0.0f ? (x - v->line[0]) / v->line[2] : 0.0f;
    return (double)base_clampf(part, 0.0f, 1.0f) * (double)steps;
}

static bool inside(float x, float y, const ViewerArea* a)
{
    return x >= a->x && x <= a->x + a->w && y >= a->y && y <= a->y + a->h;
}

static void click(Trainer* t, float x, float y)
{
    AppViewer* v = &t->viewer;
    for (int k = v->areas - 1; k >= 0; --k) {
        if (!inside(x, y, &v->area[k]))
            continue;
        if (v->area[k].kind == VIEWER_LINE) {
            v->drag = true;
            v->resume = t->news.player.playing;
            wish(t, WISH_PLAY, 0.0);
            wish(t, WISH_SEEK, step_at(v, x, t->news.player.steps));
        } else
            app_viewer_do(t, (ViewerDo)v->area[k].kind);
        return;
    }
}

static void release(Trainer* t)
{
    AppViewer* v = &t->viewer;
    if (v->drag && v->resume)
        wish(t, WISH_PLAY, 1.0);
    v->drag = false;
}

static void move(Trainer* t, float x, float y)
{
    AppViewer* v = &t->viewer;
    double step = step_at(v, x, t->news.player.steps);
    if (v->drag && x != v->x)
        wish(t, WISH_SEEK, step);
    v->x = x, v->y = y;
}

// True when it was a key of the viewer.
static bool key(Trainer* t, const PlatformEvent* e)
{
    static const struct {
        const char* name;
        int what;
        double skip; // s
    } keys[] = {
        {"Space", VIEWER_PLAY, 0},
        {"K", VIEWER_PLAY, 0},
        {"Up", VIEWER_FASTER, 0},
        {"Down", VIEWER_SLOWER, 0},
        {"L", VIEWER_FASTER, 0},
        {"J", VIEWER_BACKWARDS, 0},
        {"B", VIEWER_BACKWARDS, 0},
        {"PageDown", VIEWER_MARK_ON, 0},
        {"PageUp", VIEWER_MARK_BACK, 0},
        {"N", VIEWER_MARK_ON, 0},
        {"P", VIEWER_MARK_BACK, 0},
        {"T", VIEWER_TAKE_OVER, 0},
        {"Return", VIEWER_TAKE_OVER, 0},
        {"Escape", VIEWER_LEAVE, 0},
        {"Right", -1, VIEWER_SKIP},
        {"Left", -1, -VIEWER_SKIP},
        {".", -1, 1.0 / WORLD_RATE},
        {",", -1, -1.0 / WORLD_RATE},
        {"Home", -1, -1e6},
        {"End", -1, 1e6},
    };
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k) {
        if (strcmp(keys[k].name, e->name) != 0)
            continue;
        if (keys[k].what < 0)
            seek_by(t, keys[k].skip * WORLD_RATE);
        else if (!e->repeat)
            app_viewer_do(t, (ViewerDo)keys[k].what);
        return true;
    }
    return strcmp(e->name, "F2") == 0 || strcmp(e->name, "F4") == 0;
}

bool app_viewer_event(Trainer* t, const PlatformEvent* e)
{
    if (!t->viewer.on)
        return false;
    switch (e->kind) {
    case PLATFORM_KEY: return key(t, e);
    case PLATFORM_CLICK: click(t, e->x, e->y); return true;
    case PLATFORM_RELEASE: release(t); return true;
    case PLATFORM_MOVE: move(t, e->x, e->y); return true;
    case PLATFORM_BUTTON: {
        static const int buttons[] = {VIEWER_PLAY,   VIEWER_LEAVE,     VIEWER_TAKE_OVER,
                                      VIEWER_CAMERA, VIEWER_MARK_BACK, VIEWER_MARK_ON};
        if (e->number < (int)(sizeof buttons / sizeof buttons[0]))
            app_viewer_do(t, (ViewerDo)buttons[e->number]);
        return true;
    }
    default: return false;
    }
}

// Sideways: along the timeline, the farther the faster; up and down: the speed.
void app_viewer_sticks(Trainer* t, float h)
{
    AppViewer* v = &t->viewer;
    float x = 0.0f, y = 0.0f;
    for (int k = 0; k < platform_input_devices(t->input); ++k) {
        const PlatformDevice* d = platform_input_device(t->input, k);
        if (d->plugged && d->axes > 1 && fabsf(d->axis[0]) > fabsf(x))
            x = d->axis[0];
        if (d->plugged && d->axes > 1 && fabsf(d->axis[1]) > fabsf(y))
            y = d->axis[1];
    }
    bool push = fabsf(x) > VIEWER_PUSH && fabsf(x) > fabsf(y);
    if (push && !v->pushing)
        v->want = (double)t->news.player.at;
    v->pushing = push;
    if (push) {
        v->want += (double)(x * x * x * h) * VIEWER_FLING * WORLD_RATE;
        v->want = fmin(fmax(v->want, 0.0), (double)t->news.player.steps);
        wish(t, WISH_SEEK, v->want);
    } else if (fabsf(y) > 0.7f && platform_now() - v->pushed > VIEWER_TURN) {
        v->pushed = platform_now();
        speed(t, y > 0.0f ? -1 : 1);
    }
}
