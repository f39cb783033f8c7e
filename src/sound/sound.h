// sound - what a machine at work sounds like, made from a few numbers.
//
// Does:     engine under load, pumps, swing gear, tracks, soil into bucket and truck, horn and travel
//           alarm, as mono samples. Levels glide, so that nothing clicks.
// Does not: know devices, or take part in the simulation.
// Units:    samples -1..1.
// Threads:  one owner.
#ifndef SOUND_H
#define SOUND_H

#include <stdbool.h>
#include <stdint.h>

#define SOUND_HARMONICS 8

typedef struct SoundLevels {
    float rpm, load, pump; // 1/min, 0..1, 0..1 of the relief's pressure
    float swing, travel;   // rad/s, m/s
    float soil, bin;       // kg/s
    bool horn, alarm;
    float volume; // 0..1
} SoundLevels;

typedef struct Sound {
    float rate; // 1/s
    SoundLevels now;
    float horn, alarm;                              // 0..1, gliding
    float engine, whine, gear, link, beep, tone[2]; // turns, 0..1
    float low, band, clank, rumble;                 // of filters
    uint32_t chance;
} Sound;

void sound_init(Sound* sound, int rate);
void sound_render(Sound* sound, const SoundLevels* levels, float* out, int samples);

#endif
