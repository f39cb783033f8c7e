#include "platform/platform_audio.h"

#include <SDL2/SDL.h>
#include <stdlib.h>

#define AUDIO_RATE    44100
#define AUDIO_SAMPLES 1024 // 23 ms

struct PlatformAudio {
    SDL_AudioDeviceID device;
    Sound sound;
    SoundLevels levels;
};

static void fill(void* context, Uint8* out, int bytes)
{
    PlatformAudio* a = context;
    sound_render(&a->sound, &a->levels, (float*)(void*)out, bytes / (int)sizeof(float));
}

PlatformAudio* platform_audio_create(void)
{
    PlatformAudio* a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    sound_init(&a->sound, AUDIO_RATE);
    const SDL_AudioSpec want = {.freq = AUDIO_RATE,
                                .format = AUDIO_F32SYS,
                                .channels = 1,
                                .samples = AUDIO_SAMPLES,
                                .callback = fill,
                                .userdata = a};
    bool begun = SDL_InitSubSystem(SDL_INIT_AUDIO) == 0;
    a->device = begun ? SDL_OpenAudioDevice(NULL, 0, &want, NULL, 0) : 0;
    if (a->device != 0) {
        SDL_PauseAudioDevice(a->device, 0);
        return a;
    }
    if (begun)
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
    free(a);
    return NULL;
}

void platform_audio_destroy(PlatformAudio* a)
{
    if (!a)
        return;
    SDL_CloseAudioDevice(a->device);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    free(a);
}

void platform_audio_levels(PlatformAudio* a, const SoundLevels* levels)
{
    if (!a)
        return;
    SDL_LockAudioDevice(a->device);
    a->levels = *levels;
    SDL_UnlockAudioDevice(a->device);
}
