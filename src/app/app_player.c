// The part of a session that looks at a recording: wishes in, states out, and the hand-over.
#include "app/app_session_internal.h"
#include "app/app_shelf.h"

#include "base/base_path.h"

#include <stdio.h>
#include <string.h>

#define PLAYER_SLICE 0.013 // s of simulating between two pictures
#define PLAYER_TURN  (1.0 / 60.0)
#define PLAYER_LONG  0.1 // s that may pass at once for the player

bool app_session_watch(AppSession* s, BaseYamlError* error)
{
    const SimReplayDef def = {s->def.replay, base_path_find, s->def.sim.threads, false};
    s->replay = sim_replay_open(&def, error);
    if (!s->replay)
        return false;
    s->lesson = sim_replay_lesson(s->replay);
    s->sim = sim_replay_site(s->replay);
    return sim_player_init(&s->player, s->replay) && app_mail_init(&s->marks, sizeof(SimMarks));
}

void app_session_unwatch(AppSession* s)
{
    if (s->replay) {
        s->lesson = NULL, s->sim = NULL; // its own
        sim_player_free(&s->player);
        sim_replay_close(s->replay);
        s->replay = NULL;
    }
    app_mail_free(&s->marks);
}

const SimMarks* app_session_marks(AppSession* s)
{
    return s->marks.letter ? app_mail_read(&s->marks, NULL) : NULL;
}

const RecordInfo* app_session_info(AppSession* s)
{
    return s->replay ? record_info(sim_replay_reader(s->replay)) : NULL;
}

// The lesson goes on from this very step, under somebody's hands and in a record of its own.
static bool take_over(AppSession* s, const char* path)
{
    BaseYamlError error = {0};
    RecordReader* reader = sim_replay_reader(s->replay);
    const char* slash = strrchr(s->def.replay, '/');
    SimLessonWho who = app_session_who(s);
    who.parent = slash ? slash + 1 : s->def.replay;
    bool fine = s->lesson ? sim_lesson_record_on(s->lesson, reader, path, &who, &error)
                          : sim_record_on(s->sim, reader, path, &who, &error);
    if (!fine) {
        app_shelf_unname(path);
        snprintf(s->told.trouble, sizeof s->told.trouble, "%.250s", error.text);
        return false;
    }
    s->lesson = sim_replay_leave(s->replay);
    s->sim = sim_replay_leave_site(s->replay);
    sim_player_free(&s->player);
    sim_replay_close(s->replay);
    s->replay = NULL;
    snprintf(s->path, sizeof s->path, "%s", path);
    app_session_guide(s);
    app_session_pump(s);
    s->told.player = (SimPlayerNews){0};
    s->told.taken = true;
    s->told.suspended = true; // until its new driver has been told
    memset(&s->told.frame, 0, sizeof s->told.frame);
    return true;
}

// True when it was taken over.
static bool obey(AppSession* s, const AppWishes* w)
{
    bool taken = false;
    if (w->count - s->wishes > APP_WISHES)
        s->wishes = w->count - APP_WISHES;
    for (; s->wishes != w->count && !taken; ++s->wishes) {
        double value = w->wish[s->wishes % APP_WISHES].value;
        switch ((AppWish)w->wish[s->wishes % APP_WISHES].kind) {
        case WISH_PLAY: sim_player_play(&s->player, value > 0.5); break;
        case WISH_SPEED: sim_player_set_speed(&s->player, (int)value); break;
        case WISH_SEEK: sim_player_seek(&s->player, value); break;
        case WISH_MARK: sim_player_to_mark(&s->player, value > 0.0 ? 1 : -1); break;
        case WISH_TAKE_OVER:
            // what is shown is what is taken over: the wanted moment first
            if (!sim_player_there(&s->player)) {
                sim_player_play(&s->player, false);
                return false;
            }
            taken = take_over(s, w->record);
            break;
        case WISH_NOTHING: break;
        }
    }
    return taken;
}

static void tell_marks(AppSession* s)
{
    if (s->player.marked)
        app_mail_send(&s->marks, s->player.marks);
    s->player.marked = false;
}

// As far as it gets in a slice of time; true when there is something new to see.
static bool work(AppSession* s, double from, bool* stale)
{
    bool any = false, more = true;
    while (more && platform_now() - from < PLAYER_SLICE) {
        uint32_t before = sim_replay_steps(s->replay);
        more = sim_player_work(&s->player);
        bool moved = sim_replay_steps(s->replay) != before;
        any = any || moved || s->player.jumped;
        // whoever looks ahead is not looked at
        *stale = *stale || s->player.jumped || s->player.looking;
        s->player.jumped = false;
        if (moved && !*stale)
            app_scene_follow(&s->scene);
        if (*stale && !s->player.looking) {
            view_world_jump(s->scene.view, app_session_world(s));
            *stale = false;
        }
    }
    return any && !s->player.looking;
}

void app_session_look(AppSession* s)
{
    bool stale = false;
    double last = platform_now();
    view_world_jump(s->scene.view, app_session_world(s));
    app_session_show(s);
    while (!atomic_load(&s->leave)) {
        const AppOrders* orders = app_mail_read(&s->orders, NULL);
        double now = platform_now();
        if (obey(s, &orders->wishes)) {
            app_session_show(s);
            return;
        }
        double passed = now - last;
        last = now;
        sim_player_advance(&s->player, passed < PLAYER_LONG ? passed : PLAYER_LONG);
        bool fresh = work(s, now, &stale);
        tell_marks(s);
        sim_player_frame(&s->player, &s->told.frame);
        sim_player_news(&s->player, &s->told.player);
        s->told.wishes = s->wishes;
        if (fresh)
            app_session_show(s);
        else
            app_mail_send(&s->news, &s->told);
        double rest = now + PLAYER_TURN - platform_now();
        if (rest > 0.0)
            platform_sleep(rest);
    }
}
