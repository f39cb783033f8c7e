// platform_audio - the loudspeaker.
//
// Does:     play what the synthesiser makes of the newest levels; nothing when there is no device.
// Threads:  the main thread; samples are made on SDL's own.
#ifndef PLATFORM_AUDIO_H
#define PLATFORM_AUDIO_H

#include "sound/sound.h"

typedef struct PlatformAudio PlatformAudio;

// NULL when there is no sound device: a trainer without sound is still a trainer.
PlatformAudio* platform_audio_create(void);
void platform_audio_destroy(PlatformAudio* audio); // NULL is fine
void platform_audio_levels(PlatformAudio* audio, const SoundLevels* levels);

#endif
