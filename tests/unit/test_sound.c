// The synthesiser: heard without a loudspeaker.
#include "sound/sound.h"

#include "unity.h"

#include <math.h>
#include <stdio.h>

#define RATE    44100
#define SAMPLES RATE // one second

static Sound sound;
static float out[SAMPLES];
static const SoundLevels idle = {.rpm = 900, .load = 0.1f, .volume = 1};

void setUp(void)
{
    sound_init(&sound, RATE);
}

void tearDown(void) {}

// Root mean square of the second half of a second: the glide is over.
static float loudness(const SoundLevels* levels)
{
    double sum = 0.0;
    sound_init(&sound, RATE);
    sound_render(&sound, levels, out, SAMPLES);
    for (int k = SAMPLES / 2; k < SAMPLES; ++k) {
        TEST_ASSERT_TRUE(isfinite(out[k]) && out[k] > -1.0f && out[k] < 1.0f);
        sum += (double)out[k] * (double)out[k];
    }
    return (float)sqrt(sum / (SAMPLES / 2));
}

// Every source is heard over an idling engine.
static void every_source_is_heard(void)
{
    float quiet = loudness(&idle);
    SoundLevels l[7];
    for (int k = 0; k < 7; ++k)
        l[k] = idle;
    l[0].load = 1.0f, l[1].pump = 1.0f, l[2].swing = 1.0f, l[3].travel = 1.0f;
    l[4].soil = 800.0f, l[5].bin = 800.0f, l[6].horn = true;
    TEST_ASSERT_TRUE(quiet > 0.01f);
    for (int k = 0; k < 7; ++k) {
        char which[32];
        snprintf(which, sizeof which, "source %d", k);
        TEST_ASSERT_TRUE_MESSAGE(loudness(&l[k]) > 1.01f * quiet, which);
    }
}

static void no_volume_no_sound(void)
{
    SoundLevels l = idle;
    l.volume = 0.0f;
    TEST_ASSERT_EQUAL_FLOAT(0.0f, loudness(&l));
}

// The travel alarm is on for half of its beat: a listener tells it from a horn.
static void the_alarm_beats(void)
{
    SoundLevels l = {.alarm = true, .volume = 1};
    int silent = 0;
    sound_render(&sound, &l, out, SAMPLES);
    for (int k = SAMPLES / 2; k < SAMPLES; ++k)
        silent += fabsf(out[k]) < 1e-6f;
    TEST_ASSERT_INT_WITHIN(SAMPLES / 4, SAMPLES / 4, silent);
    TEST_ASSERT_TRUE(silent > SAMPLES / 20);
}

// Nor does it click where a beep ends: no step is larger than the tone's own.
static void beeps_do_not_click(void)
{
    SoundLevels l = {.alarm = true, .volume = 1};
    float most = 0.0f;
    sound_render(&sound, &l, out, SAMPLES);
    sound_render(&sound, &l, out, SAMPLES);
    for (int k = 1; k < SAMPLES; ++k)
        most = fmaxf(most, fabsf(out[k] - out[k - 1]));
    TEST_ASSERT_TRUE(most > 0.01f);
    TEST_ASSERT_TRUE(most < 1.05f * 0.12f * 6.2832f * 1150.0f / RATE);
}

// Everything at once is loud, and still neither cut off nor silent in between.
static void nothing_is_clipped(void)
{
    SoundLevels l = {2000, 1, 1, 1, 1.5f, 2000, 2000, true, true, 1};
    float most = 0.0f;
    sound_render(&sound, &l, out, SAMPLES);
    for (int k = 0; k < SAMPLES; ++k)
        most = fmaxf(most, fabsf(out[k]));
    TEST_ASSERT_TRUE(most > 0.3f && most < 0.95f);
}

// Strokes come as the crankshaft turns: three a turn, 90 Hz at 1800 1/min, and not at half of it.
static void the_engine_has_its_pitch(void)
{
    SoundLevels l = {.rpm = 1800, .load = 0.5f, .volume = 1};
    float part[2];
    sound_render(&sound, &l, out, SAMPLES);
    for (int which = 0; which < 2; ++which) {
        double a = 0.0, b = 0.0, turn = 2.0 * 3.14159265358979 * (which ? 117.0 : 90.0) / RATE;
        for (int k = SAMPLES / 2; k < SAMPLES; ++k)
            a += (double)out[k] * cos(turn * k), b += (double)out[k] * sin(turn * k);
        part[which] = (float)sqrt(a * a + b * b);
    }
    TEST_ASSERT_TRUE(part[0] > 8.0f * part[1]);
}

// A source that is switched on glides in: no step that clicks.
static void nothing_clicks(void)
{
    SoundLevels l = idle, loud = idle;
    loud.load = 1.0f, loud.horn = true;
    sound_render(&sound, &l, out, SAMPLES / 2);
    float last = out[SAMPLES / 2 - 1];
    sound_render(&sound, &loud, out, 200);
    TEST_ASSERT_TRUE(fabsf(out[0] - last) < 0.05f);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_source_is_heard);
    RUN_TEST(no_volume_no_sound);
    RUN_TEST(the_alarm_beats);
    RUN_TEST(beeps_do_not_click);
    RUN_TEST(nothing_is_clipped);
    RUN_TEST(the_engine_has_its_pitch);
    RUN_TEST(nothing_clicks);
    return UNITY_END();
}
