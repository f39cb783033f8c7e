#include "app/app_studio.h"

#include "base/base_log.h"
#include "base/base_path.h"
#include "lab/lab_args.h"
#include "plot/plot_canvas.h"

#include <stdio.h>
#include <stdlib.h>

void app_studio_close(AppStudio* s)
{
    render_destroy(s->render);
    platform_window_destroy(s->window);
    view_state_free(&s->state);
    view_frame_free(&s->frame);
    view_draw_free(&s->draw);
    view_font_free(&s->font);
}

int app_studio_begin(AppStudio* s, const PlatformWindowDef* window)
{
    char why[RENDER_WHY] = "", path[4096];
    *s = (AppStudio){0};
    s->window = platform_window_create(window, why);
    s->render = s->window ? render_create(base_path_find, why) : NULL;
    if (!s->render) {
        fprintf(stderr, "mattock: no picture can be drawn: %s\n", why);
        return LAB_EXIT_DISPLAY;
    }
    if (!base_path_find("assets/fonts/DejaVuSans.ttf", path, sizeof path) ||
        !view_font_load(&s->font, path))
        base_warn("assets/fonts/DejaVuSans.ttf was not found; the picture has no text");
    if (!view_frame_init(&s->frame, APP_GRAINS, APP_POSES) ||
        !view_draw_init(&s->draw, &s->font, 16384)) {
        fprintf(stderr, "mattock: not enough memory for a picture\n");
        return LAB_EXIT_MEMORY;
    }
    return LAB_EXIT_FINE;
}

int app_studio_open(AppStudio* s, const PlatformWindowDef* window, const AppStage* stage)
{
    int code = app_studio_begin(s, window);
    if (code != LAB_EXIT_FINE)
        return code;
    if (!view_state_init(&s->state, view_world_ground(stage->view), APP_GRAINS, APP_POSES)) {
        fprintf(stderr, "mattock: not enough memory for a picture\n");
        return LAB_EXIT_MEMORY;
    }
    app_studio_world(s, stage->view);
    return LAB_EXIT_FINE;
}

void app_studio_world(AppStudio* s, const ViewWorld* view)
{
    render_new_site(s->render);
    render_drop_models(s->render);
    for (int k = 0; k < view_world_models(view); ++k)
        render_add_model(s->render, view_world_model(view, k));
}

bool app_studio_take(AppStudio* s, const ViewState* state, const AppTake* take, const char* path)
{
    int w = take->width, h = take->height;
    ViewCamera* c = &s->frame.camera;
    view_frame_between(&s->frame, state, state, 1.0f);
    *c = take->camera;
    view_camera_lift(c, view_ground_height(&state->ground, c->eye.x, c->eye.z), 0.4f);
    s->frame.focus = take->focus;
    view_draw_clear(&s->draw);
    if (take->readings)
        view_hud_draw(&state->hud, &s->draw, w, h);
    s->frame.draw = &s->draw;
    render_draw(s->render, &s->frame, w, h);
    uint8_t* rgb = malloc(3 * (size_t)w * (size_t)h);
    if (rgb)
        render_read(s->render, w, h, rgb);
    bool fine = rgb && plot_canvas_write(path, rgb, w, h);
    free(rgb);
    return fine;
}
