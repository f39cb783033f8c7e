#include "platform/platform_window.h"

#include <SDL2/SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct PlatformWindow {
    SDL_Window* window;
    SDL_GLContext context;
    bool minimised, hidden, leave;
};

static void* fail(PlatformWindow* w, char why[PLATFORM_WHY], const char* what)
{
    snprintf(why, PLATFORM_WHY, "%s: %.180s", what, SDL_GetError());
    platform_window_destroy(w);
    return NULL;
}

// SDL is content with a driver that shows nothing; somebody who wants to drive is not.
static bool shows_nothing(const PlatformWindowDef* def)
{
    const char* driver = SDL_GetCurrentVideoDriver();
    return !def->offscreen && !SDL_getenv("SDL_VIDEODRIVER") && driver &&
           (strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0 ||
            strcmp(driver, "evdev") == 0);
}

bool platform_window_possible(void)
{
    static const PlatformWindowDef def;
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    bool fine = SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 && !shows_nothing(&def);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return fine;
}

static void ask_for_gl(void)
{
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    SDL_GL_SetAttribute(SDL_GL_STENCIL_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
}

PlatformWindow* platform_window_create(const PlatformWindowDef* def, char why[PLATFORM_WHY])
{
    PlatformWindow* w = calloc(1, sizeof *w);
    if (!w) {
        snprintf(why, PLATFORM_WHY, "not enough memory for a window");
        return NULL;
    }
    if (def->offscreen)
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    // a trainer does not let the screen go dark, and leaves Ctrl-C to its owner
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return fail(w, why, "there is no display");
    if (shows_nothing(def)) {
        SDL_SetError("neither X11 nor Wayland answers");
        return fail(w, why, "there is no display");
    }
    ask_for_gl();
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI |
                   (def->full ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    w->window = SDL_CreateWindow(def->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                 def->width, def->height, flags);
    if (!w->window)
        return fail(w, why, "no window can be opened");
    w->context = SDL_GL_CreateContext(w->window);
    if (!w->context)
        return fail(w, why, "OpenGL 3.3 is needed and not to be had");
    SDL_GL_SetSwapInterval(def->wait ? 1 : 0);
    return w;
}

void platform_window_destroy(PlatformWindow* w)
{
    if (!w)
        return;
    if (w->context)
        SDL_GL_DeleteContext(w->context);
    if (w->window)
        SDL_DestroyWindow(w->window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(w);
}

static void take(PlatformWindow* w, const SDL_WindowEvent* event)
{
    switch (event->event) {
    case SDL_WINDOWEVENT_MINIMIZED: w->minimised = true; break;
    case SDL_WINDOWEVENT_MAXIMIZED:
    case SDL_WINDOWEVENT_RESTORED: w->minimised = false; break;
    case SDL_WINDOWEVENT_HIDDEN: w->hidden = true; break;
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_EXPOSED: w->hidden = false; break;
    case SDL_WINDOWEVENT_CLOSE: w->leave = true; break;
    default: break;
    }
}

bool platform_window_poll(PlatformWindow* w)
{
    SDL_Event event;
    SDL_PumpEvents();
    while (SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_WINDOWEVENT, SDL_WINDOWEVENT) > 0)
        take(w, &event.window);
    if (SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_QUIT, SDL_QUIT) > 0)
        w->leave = true;
    return !w->leave;
}

void platform_window_size(const PlatformWindow* w, int* width, int* height)
{
    SDL_GL_GetDrawableSize(w->window, width, height);
}

bool platform_window_hidden(const PlatformWindow* w)
{
    int width = 0, height = 0;
    platform_window_size(w, &width, &height);
    return w->minimised || w->hidden || width <= 0 || height <= 0;
}

void platform_window_full(PlatformWindow* w, bool full)
{
    SDL_SetWindowFullscreen(w->window, full ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

bool platform_window_draw_here(PlatformWindow* w, bool here)
{
    return SDL_GL_MakeCurrent(w->window, here ? w->context : NULL) == 0;
}

void platform_window_show(PlatformWindow* w)
{
    SDL_GL_SwapWindow(w->window);
}
