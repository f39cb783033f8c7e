// The pictures of the trainer, drawn on a thread of their own: a slow picture holds up neither the
// levers nor the soil.
#include "app/app_trainer_internal.h"

#include "app/app_folder.h"
#include "base/base_log.h"
#include "plot/plot_canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PICTURE_BUDGET 0.024 // s a picture may take when the quality is chosen
#define PICTURE_HIDDEN 0.05  // s between two looks at a window that nobody sees
#define PICTURE_NAP    0.002 // s between two looks for something to draw

// --- what is in it -------------------------------------------------------------------------------

static void aim(Trainer* t, const ViewState* b)
{
    ViewFrame* f = &t->studio.frame;
    f->camera = t->playing ? app_camera_place(&t->camera, &f->anchor)
                           : view_camera_place(VIEW_CAMERA_CHASE, &f->anchor);
    f->focus = t->camera.kind == VIEW_CAMERA_FREE ? vec3_mad(f->camera.eye, f->camera.forward, 8.0f)
                                                  : f->anchor.middle;
    view_camera_lift(&f->camera, view_ground_height(&b->ground, f->camera.eye.x, f->camera.eye.z),
                     0.4f);
}

static void readings(Trainer* t, const ViewState* b)
{
    ViewHud hud = b->hud;
    hud.timings = t->settings.timings;
    hud.text = 0.01f * (float)t->settings.text;
    hud.draw_calls = t->draw_calls;
    if (t->lag.count > 0) {
        hud.lag_steps = app_trainer_lag(t->lag.steps);
        hud.lag_pictures = app_trainer_lag(t->lag.pictures);
    }
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
    ViewDraw* d = &t->studio.draw;
    int first = d->vertex_count;
    view_hud_draw(&hud, d, t->width, t->height);
    // what stands at the bottom gives way to the bar of a recording
    float bar = t->viewer.on ? app_viewer_bar(t->width, t->height) : 0.0f;
    for (int k = first; k < d->vertex_count; ++k)
        d->vertex[k].y -= d->vertex[k].y > 0.5f * (float)t->height ? bar : 0.0f;
}

static void overlay(Trainer* t, const ViewState* b)
{
    float scale = view_hud_scale_text(t->width, t->height, 0.01f * (float)t->settings.text);
    if (scale != t->scale)
        view_font_paint(&t->studio.font, t->scale = scale);
    view_draw_clear(&t->studio.draw);
    if (t->page == PAGE_NONE)
        readings(t, b);
    if (t->page == PAGE_NONE && t->viewer.on)
        app_viewer_draw(t, &t->studio.draw, t->width, t->height);
    else if (t->page != PAGE_NONE)
        app_trainer_page_draw(t, &t->studio.draw, t->width, t->height, scale);
    t->studio.frame.draw = &t->studio.draw;
}

// How far the picture's moment lies between two states: it runs one step behind the newer one.
static float part_of(const Trainer* t, const ViewState* a, const ViewState* b)
{
    if (b->step <= a->step || (t->playing && t->page != PAGE_NONE))
        return 1.0f;
    // a recording goes at its own speed
    double speed = t->viewer.on ? sim_player_speeds[t->news.player.speed] : 1.0;
    if (t->viewer.on && (!t->news.player.playing || speed < 0.0))
        return 1.0f;
    double since =
        speed * (platform_now() - t->news.stepped) + (double)(t->news.step - b->step) * WORLD_DT;
    double span = (double)(b->step - a->step) * WORLD_DT;
    return base_clampf((float)((span - WORLD_DT + since) / span), 0.0f, 1.0f);
}

// --- pictures of pictures ------------------------------------------------------------------------

static void shoot_to(Trainer* t, const char* path, int width, int height)
{
    char text[200];
    uint8_t* rgb = malloc(3 * (size_t)width * (size_t)height);
    if (rgb)
        render_read(t->studio.render, width, height, rgb);
    bool fine = rgb && plot_canvas_write(path, rgb, width, height);
    snprintf(text, sizeof text, fine ? "Picture: %.140s" : "%.120s cannot be written", path);
    free(rgb);
    platform_lock(t->desk);
    app_trainer_say(t, text);
    platform_unlock(t->desk);
}

static void shoot(Trainer* t, int width, int height)
{
    char folder[TRAINER_PATH - 64], path[TRAINER_PATH];
    if (!app_folder_data("pictures", folder, sizeof folder))
        return;
    snprintf(path, sizeof path, "%s/%lld-%llu.png", folder, (long long)time(NULL),
             (unsigned long long)t->pictures);
    shoot_to(t, path, width, height);
}

// --- one picture ---------------------------------------------------------------------------------

// What only the thread that draws may ask of the renderer.
static void wishes(Trainer* t)
{
    Render* r = t->studio.render;
    if (t->quality_wish >= 0)
        render_set_quality(r, (RenderQuality)t->quality_wish);
    t->quality_wish = -1;
    t->quality = render_quality(r);
    if (!t->new_site)
        return;
    const ViewWorld* view = app_session_scene(t->session)->view;
    render_new_site(r);
    render_drop_models(r);
    for (int k = 0; k < view_world_models(view); ++k)
        render_add_model(r, view_world_model(view, k));
    t->new_site = false;
    t->lag_shown = 0;
}

// It is submitted now: what did the newest lever in it wait for?
static void count_lag(Trainer* t, const ViewLag* lag, uint64_t number, bool counts)
{
    if (lag->number <= t->lag_shown)
        return;
    t->lag_shown = lag->number;
    app_session_shown(t->session, lag->number);
    if (!counts)
        return;
    TrainerLag* l = &t->lag;
    uint64_t pictures = number > lag->picture ? number - lag->picture : 1;
    l->steps[base_mini((int)lag->steps, TRAINER_LAG_MAX - 1)]++;
    l->pictures[base_mini((int)pictures, TRAINER_LAG_MAX - 1)]++;
    l->count++;
    double seconds = platform_now() - lag->moved;
    l->sum += seconds;
    l->most = fmax(l->most, seconds);
}

static void choose_quality(Trainer* t, int width, int height)
{
    Render* r = t->studio.render;
    // without a graphics card there is nothing to choose, and nobody waits for a measurement
    RenderQuality q = render_quality(r);
    if (q != RENDER_SOFTWARE)
        q = render_choose_quality(r, &t->studio.frame, width, height, PICTURE_BUDGET);
    base_info("picture: %s, %s", render_card(r), render_quality_name(q));
}

// False when there is nothing to draw yet.
static bool picture(Trainer* t, bool last)
{
    const ViewState *a, *b;
    AppStudio* s = &t->studio;
    double begun = platform_now();
    platform_lock(t->desk);
    wishes(t);
    AppSession* session = t->session;
    platform_unlock(t->desk);
    uint64_t number = app_session_picture(session);
    if (!app_session_states(session, &a, &b))
        return false;

    platform_lock(t->desk);
    float part = part_of(t, a, b);
    platform_unlock(t->desk);
    view_frame_between(&s->frame, a, b, part);

    // everything that devices and menus have a say in
    platform_lock(t->desk);
    aim(t, b);
    overlay(t, b);
    int width = t->width, height = t->height;
    bool shot = t->shot, driving = t->page == PAGE_NONE && !t->show;
    bool choose = t->pictures == 0 && t->def->quality < 0 && t->settings.quality == 0;
    t->shot = false;
    platform_unlock(t->desk);

    if (choose)
        choose_quality(t, width, height);
    render_draw(s->render, &s->frame, width, height);
    if (last && t->def->shot)
        shoot_to(t, t->def->shot, width, height);
    if (shot)
        shoot(t, width, height);
    platform_window_show(s->window);
    count_lag(t, &b->lag, number, driving);

    platform_lock(t->desk);
    t->draw_calls = base_maxi(t->draw_calls, render_stats(s->render)->draw_calls);
    t->quality = render_quality(s->render);
    double took = platform_now() - begun;
    t->picture += (t->pictures < 8 ? 0.5 : 0.1) * (took - t->picture);
    t->took[base_mini((int)(1e3 * took), TRAINER_TOOK_MAX - 1)]++;
    t->pictures++;
    platform_unlock(t->desk);
    render_keep_pace(s->render, took);
    return true;
}

// --- the thread ----------------------------------------------------------------------------------

static void paint(void* context)
{
    Trainer* t = context;
    bool leave = false;
    platform_window_draw_here(t->studio.window, true);
    while (!leave) {
        platform_lock(t->desk);
        bool hidden = t->hidden || t->width <= 0 || t->height <= 0;
        t->resting = t->rest;
        leave = t->no_more;
        bool idle = t->rest || !t->session || (hidden && !(leave && t->def->shot));
        platform_unlock(t->desk);
        if (idle || !picture(t, leave))
            platform_sleep(hidden ? PICTURE_HIDDEN : PICTURE_NAP);
    }
    platform_window_draw_here(t->studio.window, false);
}

bool app_trainer_paint(Trainer* t)
{
    snprintf(t->card, sizeof t->card, "%s", render_card(t->studio.render));
    t->quality_wish = -1;
    t->quality = render_quality(t->studio.render);
    platform_window_draw_here(t->studio.window, false);
    t->painter = platform_thread_start("picture", paint, t);
    return t->painter != NULL;
}

void app_trainer_paint_end(Trainer* t)
{
    platform_lock(t->desk);
    t->no_more = true;
    platform_unlock(t->desk);
    platform_thread_join(t->painter);
    t->painter = NULL;
    platform_window_draw_here(t->studio.window, true);
}

void app_trainer_paint_rest(Trainer* t, bool rest)
{
    t->rest = rest;
    t->resting = false;
    while (rest && t->painter && !t->resting) {
        platform_unlock(t->desk);
        platform_sleep(PICTURE_NAP);
        platform_lock(t->desk);
    }
}
