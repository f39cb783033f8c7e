#include "sound/sound.h"

#include "base/base_math.h"
#include "base/base_trig.h"

#define GLIDE      0.03f  // s in which a level comes near its goal
#define FIRINGS    3.0f   // of a six-cylinder four-stroke, per turn
#define PISTONS    9.0f   // of an axial pump
#define GEAR       190.0f // teeth that pass per rad of swing
#define SHOE       0.19f  // m of track per shoe
#define HORN_LOW   392.0f // Hz
#define HORN_HIGH  494.0f
#define ALARM      1150.0f
#define ALARM_BEAT 1.6f   // Hz
#define ALARM_EDGE 0.006f // s

void sound_init(Sound* s, int rate)
{
    *s = (Sound){.rate = (float)rate, .chance = 0x9e3779b9u};
}

// -1..1
static float noise(Sound* s)
{
    s->chance ^= s->chance << 13;
    s->chance ^= s->chance >> 17;
    s->chance ^= s->chance << 5;
    return (float)(int32_t)s->chance * (1.0f / 2147483648.0f);
}

static float wave(float turns)
{
    return base_sinf(2.0f * (float)BASE_PI * turns);
}

// True when another turn has begun.
static bool turn(float* phase, float hertz, float rate)
{
    *phase += base_clampf(hertz / rate, 0.0f, 0.5f);
    bool again = *phase >= 1.0f;
    *phase -= again ? 1.0f : 0.0f;
    return again;
}

// Firing strokes: the lower tones at idle, the upper ones under load, and breath.
static float engine(Sound* s)
{
    if (s->now.rpm < 100.0f)
        return 0.0f;
    turn(&s->engine, s->now.rpm / 60.0f * 0.5f, s->rate); // a whole cycle takes two turns
    float sum = 0.0f, load = s->now.load;
    for (int k = 1; k <= SOUND_HARMONICS; ++k) {
        // strokes are not quite equal: half orders growl
        float order = (float)k,
              part = (k % 2 ? 0.35f : 1.0f) / (1.0f + (0.9f - 0.6f * load) * order);
        sum += part * wave(s->engine * FIRINGS * order);
    }
    s->low += 0.06f * (noise(s) - s->low);
    return (0.10f + 0.16f * load) * sum + (0.05f + 0.20f * load) * s->low;
}

static float hydraulics(Sound* s)
{
    turn(&s->whine, s->now.rpm / 60.0f * PISTONS, s->rate);
    float speed = s->now.swing < 0.0f ? -s->now.swing : s->now.swing;
    turn(&s->gear, GEAR * speed, s->rate);
    return 0.07f * s->now.pump * (wave(s->whine) + 0.4f * wave(2.0f * s->whine)) +
           0.05f * base_minf(speed, 1.0f) * wave(s->gear);
}

// Every shoe falls onto the roller with a clank that rings off.
static float tracks(Sound* s)
{
    float speed = s->now.travel < 0.0f ? -s->now.travel : s->now.travel;
    if (turn(&s->link, speed / SHOE, s->rate))
        s->clank = base_minf(0.25f + 0.3f * speed, 0.6f);
    s->clank *= 1.0f - 60.0f / s->rate;
    return s->clank * noise(s) * 0.5f;
}

static float soil(Sound* s)
{
    float bucket = base_minf(s->now.soil / 900.0f, 1.0f),
          bin = base_minf(s->now.bin / 900.0f, 1.0f);
    float n = noise(s);
    // grains on steel hiss, a load on a bed rumbles
    s->band += 0.35f * (n - s->band);
    s->rumble += 0.012f * (n - s->rumble);
    return 0.30f * bucket * (n - s->band) + bin * (0.22f * s->band + 1.6f * s->rumble);
}

static float signals(Sound* s)
{
    float sum = 0.0f;
    turn(&s->tone[0], HORN_LOW, s->rate);
    turn(&s->tone[1], HORN_HIGH, s->rate);
    for (int k = 0; k < 2; ++k)
        sum += s->horn * 0.2f *
               (wave(s->tone[k]) + 0.5f * wave(2.0f * s->tone[k]) + 0.3f * wave(3.0f * s->tone[k]));
    turn(&s->beep, ALARM_BEAT, s->rate);
    // a beep swells and dies away within some milliseconds: cut off it would click
    float edge = base_minf(s->beep, 0.5f - s->beep) / (ALARM_EDGE * ALARM_BEAT);
    if (edge > 0.0f)
        sum += s->alarm * 0.12f * base_minf(edge, 1.0f) * wave(s->beep * ALARM / ALARM_BEAT);
    return sum;
}

static void glide(Sound* s, const SoundLevels* to)
{
    float a = 1.0f / (GLIDE * s->rate);
    SoundLevels* n = &s->now;
    n->rpm += a * (to->rpm - n->rpm);
    n->load += a * (to->load - n->load);
    n->pump += a * (to->pump - n->pump);
    n->swing += a * (to->swing - n->swing);
    n->travel += a * (to->travel - n->travel);
    n->soil += a * (to->soil - n->soil);
    n->bin += a * (to->bin - n->bin);
    n->volume += a * (to->volume - n->volume);
    s->horn += a * ((to->horn ? 1.0f : 0.0f) - s->horn);
    s->alarm += a * ((to->alarm ? 1.0f : 0.0f) - s->alarm);
}

void sound_render(Sound* s, const SoundLevels* levels, float* out, int samples)
{
    for (int k = 0; k < samples; ++k) {
        glide(s, levels);
        float sum = engine(s) + hydraulics(s) + tracks(s) + soil(s) + signals(s);
        // loud is bent, not cut off
        sum *= s->now.volume;
        out[k] = sum / (1.0f + (sum < 0.0f ? -sum : sum));
    }
}
