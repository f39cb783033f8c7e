// record_scene - a lesson that needs no world: hands that move levers, and a state that follows.
//
// Everything is a function of the step, so that a test can tell what must be in a file.
#ifndef RECORD_SCENE_H
#define RECORD_SCENE_H

#include "base/base_hash.h"
#include "base/base_random.h"
#include "base/base_trig.h"
#include "record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#define SCENE_RATE    60
#define SCENE_INPUT   33 // bytes: 16 words and a half
#define SCENE_STATE   40000
#define SCENE_KEY_MAX (SCENE_STATE + 4096)

static char scene_folder[64];

static const char* scene_path(const char* name)
{
    static char path[8][128];
    static int turn;
    char* out = path[turn++ % 8];
    snprintf(out, sizeof path[0], "%s/%s", scene_folder, name);
    return out;
}

static RecordHead scene_head(void)
{
    RecordHead head = {.program = "0.1.0",
                       .scenario = {"load_truck", 0x11},
                       .site = {"quarry", 0x22},
                       .vehicle = {"excavator_20t", 0x33},
                       .materials = {"materials", 0x44},
                       .trainee = "heron",
                       .driver = "hand",
                       .pattern = "iso",
                       .device = "two sticks",
                       .seed = 7,
                       .started = 1700000000,
                       .rate = SCENE_RATE,
                       .input_bytes = SCENE_INPUT,
                       .module_count = 2,
                       .module = {"terrain", "machine"}};
    return head;
}

// Two sticks in cycles of 15 s with the noise of a potentiometer, switches now and then.
static void scene_input(uint32_t step, unsigned char out[SCENE_INPUT])
{
    memset(out, 0, SCENE_INPUT);
    for (uint32_t axis = 0; axis < 4; ++axis) {
        double t = (double)step / 900.0 + 0.21 * (double)axis;
        double wave = base_sin(6.28318 * (t - (double)(int)t)) * 1.8;
        wave = wave > 1.0 ? 1.0 : wave < -1.0 ? -1.0 : wave;
        BaseRandom random = base_random(step * 8 + axis);
        int value = wave > -0.3 && wave < 0.3
                        ? 0
                        : (int)(wave * 32000.0) + (int)(base_random_u32(&random) % 256) - 128;
        out[2 * axis] = (unsigned char)value;
        out[2 * axis + 1] = (unsigned char)(value >> 8);
    }
    out[28] = (unsigned char)(step / 700);
    out[SCENE_INPUT - 1] = (unsigned char)(step / 77); // the odd one
}

static void scene_hashes(uint32_t second, uint64_t out[3])
{
    for (uint32_t m = 0; m < 3; ++m) {
        uint32_t place[2] = {second, m};
        out[m] = base_hash(place, sizeof place, 9);
    }
}

// Two sections: a field of which a few pages change every second, and a list that grows and shrinks.
static size_t scene_state(uint32_t step, unsigned char* field, unsigned char* list)
{
    memset(field, 7, SCENE_STATE);
    for (uint32_t second = 1; second <= step / SCENE_RATE; ++second) {
        BaseRandom random = base_random(second);
        for (int k = 0; k < 20; ++k) {
            field[base_random_u32(&random) % SCENE_STATE] ^= (unsigned char)(1 + k);
        }
    }
    size_t length = 100 + step / SCENE_RATE * 37 % 3000;
    for (size_t i = 0; i < length; ++i) {
        list[i] = (unsigned char)(step / SCENE_RATE + i);
    }
    return length;
}

static void scene_sections(uint32_t step, RecordSection out[2])
{
    static unsigned char field[SCENE_STATE], list[4096];
    out[1].bytes = scene_state(step, field, list);
    out[0] = (RecordSection){field, sizeof field};
    out[1].data = list;
}

// Steps from..to of the lesson, pumped every `pump` steps (0: never).
static void scene_play(RecordWriter* w, uint32_t from, uint32_t to, uint32_t pump, bool keys)
{
    for (uint32_t step = from; step < to; ++step) {
        unsigned char input[SCENE_INPUT];
        uint64_t hashes[3];
        RecordSection section[2];
        scene_input(step, input);
        record_step(w, step, input);
        if (step % 150 == 70) {
            record_event(w, 3, step, -0.5, "bucket over the truck");
        }
        if ((step + 1) % SCENE_RATE == 0) {
            scene_hashes(step / SCENE_RATE, hashes);
            record_second(w, hashes);
            if (keys && record_key_wanted(w)) {
                scene_sections(step + 1, section);
                record_key(w, section, 2);
            }
        }
        if (pump > 0 && (step + 1) % pump == 0) {
            record_pump(w);
        }
    }
}

static RecordWriter* scene_begin(const char* path, bool keys)
{
    BaseYamlError error;
    RecordHead head = scene_head();
    RecordSection section[2];
    RecordWriter* w = record_begin(path, &head, keys ? SCENE_KEY_MAX : 0, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(w, error.text);
    if (keys) {
        scene_sections(0, section);
        record_key_base(w, section, 2);
    }
    return w;
}

static void scene_finish(RecordWriter* w)
{
    BaseYamlError error = {.text = ""};
    TEST_ASSERT_TRUE_MESSAGE(record_finish(w, "finished", NULL, &error), error.text);
}

static RecordReader* scene_open(const char* path)
{
    BaseYamlError error;
    RecordReader* r = record_open(path, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(r, error.text);
    return r;
}

// All that can be played is what was played.
static void scene_expect(RecordReader* r)
{
    const RecordInfo* info = record_info(r);
    for (uint32_t step = 0; step < info->steps; ++step) {
        unsigned char want[SCENE_INPUT], have[SCENE_INPUT];
        scene_input(step, want);
        TEST_ASSERT_TRUE(record_input(r, step, have));
        TEST_ASSERT_EQUAL_MEMORY(want, have, SCENE_INPUT);
    }
    for (uint32_t second = 0; second < info->steps / SCENE_RATE; ++second) {
        uint64_t hashes[3];
        scene_hashes(second, hashes);
        TEST_ASSERT_EQUAL_MEMORY(hashes, record_hashes(r, second), sizeof hashes);
    }
}

static void scene_set_up(void)
{
    strcpy(scene_folder, "/tmp/mattock-record-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(scene_folder));
}

static void scene_tear_down(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", scene_folder);
    TEST_ASSERT_EQUAL_INT(0, system(command));
}

#endif
