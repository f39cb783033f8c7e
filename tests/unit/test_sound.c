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
    RUN_TEST(nothing_clicks);
    return UNITY_END();
}
