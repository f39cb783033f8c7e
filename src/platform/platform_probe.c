#include "platform/platform_probe.h"

#include <SDL2/SDL.h>
#include <stdio.h>

static void probe_display(PlatformProbe* out)
{
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        snprintf(out->screen, sizeof out->screen, "%.150s", SDL_GetError());
        return;
    }
    SDL_Rect area = {0};
    const char* driver = SDL_GetCurrentVideoDriver();
    // "dummy" and "offscreen" draw into memory: nobody would see a lesson
    bool real = driver && SDL_strcmp(driver, "dummy") != 0 && SDL_strcmp(driver, "offscreen") != 0;
    out->display = real && SDL_GetDisplayBounds(0, &area) == 0;
    snprintf(out->screen, sizeof out->screen, "%.60s, %d x %d", driver ? driver : "none", area.w,
             area.h);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

static void probe_sticks(PlatformProbe* out)
{
    if (SDL_InitSubSystem(SDL_INIT_JOYSTICK) != 0)
        return;
    out->sticks = SDL_NumJoysticks();
    for (int i = 0; i < out->sticks && i < PLATFORM_PROBE_DEVICES; ++i) {
        const char* name = SDL_JoystickNameForIndex(i);
        snprintf(out->stick[i], sizeof out->stick[i], "%s", name ? name : "unnamed");
    }
    SDL_QuitSubSystem(SDL_INIT_JOYSTICK);
}

void platform_probe(PlatformProbe* out)
{
    *out = (PlatformProbe){0};
    probe_display(out);
    probe_sticks(out);
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) == 0) {
        out->speakers = SDL_GetNumAudioDevices(0);
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
    }
}
