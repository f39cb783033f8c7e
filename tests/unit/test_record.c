// Recordings: what is written comes out again, from any place, and small.
#include "count_alloc.h"
#include "record_scene.h"

#include <pthread.h>

void setUp(void)
{
    scene_set_up();
}

void tearDown(void)
{
    scene_tear_down();
}

// Head, every input, every hash, every event and the reason of the end.
static void what_is_written_is_read(void)
{
    RecordWriter* w = scene_begin(scene_path("a"), false);
    scene_play(w, 0, 437, SCENE_RATE, false);
    scene_finish(w);
    RecordReader* r = scene_open(scene_path("a"));
    const RecordInfo* info = record_info(r);
    RecordHead head = scene_head();
    TEST_ASSERT_EQUAL_MEMORY(&head, &info->head, sizeof head);
    TEST_ASSERT_EQUAL_UINT32(437, info->steps);
    TEST_ASSERT_EQUAL_UINT32(8, info->seconds);
    TEST_ASSERT_EQUAL_UINT32(7, info->hashed);
    TEST_ASSERT_EQUAL_UINT32(3, info->events);
    TEST_ASSERT_TRUE(info->complete && info->good == info->bytes);
    TEST_ASSERT_EQUAL_STRING("finished", info->reason);
    TEST_ASSERT_EQUAL_STRING("", info->damage);
    scene_expect(r);
    TEST_ASSERT_NULL(record_hashes(r, 7)); // the short one
    const RecordEvent* event;
    TEST_ASSERT_EQUAL_INT(1, record_events(r, 3, &event));
    TEST_ASSERT_EQUAL_UINT32(221, event->step);
    TEST_ASSERT_EQUAL_UINT16(3, event->kind);
    TEST_ASSERT_TRUE(event->value[0] == 220.0 && event->value[1] == -0.5);
    TEST_ASSERT_EQUAL_STRING("bucket over the truck", event->text);
    record_close(r);
}

// Steps in any order, and none behind the end.
static void any_step_can_be_asked_for(void)
{
    RecordWriter* w = scene_begin(scene_path("a"), false);
    scene_play(w, 0, 600, SCENE_RATE, false);
    scene_finish(w);
    RecordReader* r = scene_open(scene_path("a"));
    unsigned char have[SCENE_INPUT], want[SCENE_INPUT];
    BaseRandom random = base_random(3);
    for (int k = 0; k < 300; ++k) {
        uint32_t step = base_random_u32(&random) % 600;
        scene_input(step, want);
        TEST_ASSERT_TRUE(record_input(r, step, have));
        TEST_ASSERT_EQUAL_MEMORY(want, have, SCENE_INPUT);
    }
    TEST_ASSERT_FALSE(record_input(r, 600, have));
    record_close(r);
}

// The file does not depend on how often, or in which thread, it is pumped.
static void pumping_does_not_matter(void)
{
    const uint32_t every[] = {1, 7, SCENE_RATE, 0};
    uint64_t hash[4];
    for (int k = 0; k < 4; ++k) {
        BaseYamlError error;
        RecordWriter* w = scene_begin(scene_path("a"), false);
        scene_play(w, 0, 500, every[k], false);
        TEST_ASSERT_TRUE(record_finish(w, "finished", &hash[k], &error));
        TEST_ASSERT_EQUAL_HEX64(hash[0], hash[k]);
    }
    RecordReader* r = scene_open(scene_path("a"));
    TEST_ASSERT_EQUAL_HEX64(hash[0], record_info(r)->hash);
    record_close(r);
}

static atomic_bool stop;

static void* pump_all_the_time(void* writer)
{
    while (!atomic_load(&stop)) {
        record_pump(writer);
    }
    return NULL;
}

static void a_second_thread_may_pump(void)
{
    pthread_t thread;
    RecordWriter* w = scene_begin(scene_path("a"), true);
    atomic_store(&stop, false);
    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, pump_all_the_time, w));
    scene_play(w, 0, 6000, 0, true);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    scene_finish(w);
    RecordReader* r = scene_open(scene_path("a"));
    TEST_ASSERT_EQUAL_UINT32(6000, record_info(r)->steps);
    TEST_ASSERT_TRUE(record_info(r)->complete);
    scene_expect(r);
    record_close(r);
}

static void expect_key(RecordReader* r, int key, RecordSnapshot* s)
{
    RecordSection section[2];
    TEST_ASSERT_TRUE(record_restore(r, key, s));
    scene_sections(record_key_step(r, key), section);
    TEST_ASSERT_EQUAL_INT(2, s->sections);
    TEST_ASSERT_TRUE(s->section[0] == section[0].bytes && s->section[1] == section[1].bytes);
    TEST_ASSERT_EQUAL_MEMORY(section[0].data, s->data, section[0].bytes);
    TEST_ASSERT_EQUAL_MEMORY(section[1].data, s->data + section[0].bytes, section[1].bytes);
}

// Every key frame gives its state back to the last byte, though sections change their sizes.
static void key_frames_give_the_state_back(void)
{
    RecordWriter* w = scene_begin(scene_path("a"), true);
    scene_play(w, 0, 4200, SCENE_RATE, true);
    scene_finish(w);
    RecordReader* r = scene_open(scene_path("a"));
    RecordSection base[2];
    RecordSnapshot s;
    TEST_ASSERT_EQUAL_UINT32(7, record_info(r)->keys);
    scene_sections(0, base);
    TEST_ASSERT_TRUE(record_snapshot_init(&s, base, 2));
    for (int key = 0; key < 7; ++key) {
        TEST_ASSERT_EQUAL_UINT32((uint32_t)(key + 1) * 600, record_key_step(r, key));
        expect_key(r, key, &s);
    }
    TEST_ASSERT_FALSE(record_restore(r, 2, &s)); // not backwards
    record_snapshot_free(&s);
    scene_sections(0, base);
    TEST_ASSERT_TRUE(record_snapshot_init(&s, base, 2));
    TEST_ASSERT_EQUAL_INT(-1, record_key_before(r, 599));
    TEST_ASSERT_EQUAL_INT(0, record_key_before(r, 600));
    TEST_ASSERT_EQUAL_INT(4, record_key_before(r, 3599));
    expect_key(r, 4, &s);
    record_snapshot_free(&s);
    record_close(r);
}

// Ten minutes of busy hands, with hashes and events, stay far below 1 MB; and with key frames too,
// even when the whole state changes all the time.
static void ten_minutes_are_small(void)
{
    static unsigned char field[SCENE_KEY_MAX];
    BaseYamlError error;
    RecordHead head = scene_head();
    RecordWriter* w = record_begin(scene_path("a"), &head, sizeof field, &error);
    RecordSection section = {field, sizeof field};
    record_key_base(w, &section, 1);
    BaseRandom random = base_random(1);
    for (uint32_t step = 0; step < 36000; step += SCENE_RATE) {
        scene_play(w, step, step + SCENE_RATE, SCENE_RATE, false);
        for (size_t i = 0; i < sizeof field; ++i) {
            field[i] = (unsigned char)base_random_u32(&random);
        }
        if (record_key_wanted(w)) {
            record_key(w, &section, 1);
        }
        record_pump(w);
    }
    scene_finish(w);
    RecordReader* r = scene_open(scene_path("a"));
    const RecordInfo* info = record_info(r);
    printf("ten minutes: %llu bytes, key frames %u in %llu bytes\n",
           (unsigned long long)info->bytes, info->keys, (unsigned long long)info->key_bytes);
    TEST_ASSERT_LESS_THAN_UINT64(350000, info->bytes - info->key_bytes);
    TEST_ASSERT_LESS_THAN_UINT64(1000000, info->bytes);
    TEST_ASSERT_GREATER_OR_EQUAL_UINT32(10, info->keys);
    record_close(r);
}

// The step's four calls neither allocate nor touch the file.
static void a_step_allocates_nothing(void)
{
    RecordSection section[2];
    scene_sections(660, section); // its buffers
    RecordWriter* w = scene_begin(scene_path("a"), true);
    scene_play(w, 0, 600, SCENE_RATE, false);
    uint64_t before = record_written(w);
    watch();
    scene_play(w, 600, 780, 0, true);
    int count = watched();
    TEST_ASSERT_EQUAL_INT(0, count);
    TEST_ASSERT_EQUAL_UINT64(before, record_written(w));
    TEST_ASSERT_FALSE(record_key_wanted(w)); // there is one in the mailbox
    TEST_ASSERT_TRUE(record_pump(w));
    TEST_ASSERT_TRUE(record_written(w) > before);
    scene_finish(w);
}

// Texts of events are made fit: no control characters, no half characters at the cut.
static void event_texts_are_made_fit(void)
{
    char text[200] = "line\nbreak ";
    while (strlen(text) < 160) {
        strcat(text, "\xc3\xa9");
    }
    RecordWriter* w = scene_begin(scene_path("a"), false);
    record_event(w, 1, 0, 0, text);
    record_event(w, 2, 0, 0, NULL);
    scene_finish(w);
    RecordReader* r = scene_open(scene_path("a"));
    const RecordEvent* event;
    TEST_ASSERT_EQUAL_STRING("", record_info(r)->damage);
    TEST_ASSERT_EQUAL_INT(2, record_events(r, 0, &event));
    TEST_ASSERT_EQUAL_STRING_LEN("line break \xc3\xa9", event[0].text, 13);
    TEST_ASSERT_TRUE(strlen(event[0].text) <= RECORD_TEXT && strlen(event[0].text) % 2 == 1);
    record_close(r);
}

// --- taking over ---------------------------------------------------------------------------------

static void expect_take_over(uint32_t steps)
{
    BaseYamlError error;
    RecordHead head = scene_head();
    RecordSection base[2];
    RecordReader* old = scene_open(scene_path("old"));
    snprintf(head.parent, sizeof head.parent, "old");
    scene_sections(0, base);
    RecordWriter* w =
        record_take_over(old, steps, scene_path("new"), &head, base, 2, SCENE_KEY_MAX, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(w, error.text);
    uint64_t parent = record_info(old)->hash;
    record_close(old);
    scene_play(w, steps, steps + 1500, SCENE_RATE, true);
    scene_finish(w);

    RecordReader* r = scene_open(scene_path("new"));
    RecordSnapshot s;
    TEST_ASSERT_EQUAL_UINT32(steps + 1500, record_info(r)->steps);
    TEST_ASSERT_EQUAL_HEX64(parent, record_info(r)->head.parent_hash);
    TEST_ASSERT_EQUAL_UINT32(steps, record_info(r)->head.parent_step);
    scene_expect(r);
    scene_sections(0, base);
    TEST_ASSERT_TRUE(record_snapshot_init(&s, base, 2));
    TEST_ASSERT_EQUAL_UINT32((steps / 60 * 60 + 1500) / 600, record_info(r)->keys);
    for (int key = 0; key < (int)record_info(r)->keys; ++key) {
        expect_key(r, key, &s);
    }
    record_snapshot_free(&s);
    record_close(r);
    remove(scene_path("new"));
}

// A recording that begins in another is whole: the same steps, key frames that go on, the parent named.
static void taking_over_gives_a_whole_recording(void)
{
    RecordWriter* w = scene_begin(scene_path("old"), true);
    scene_play(w, 0, 2000, SCENE_RATE, true);
    scene_finish(w);
    expect_take_over(1200);
    expect_take_over(1199);
    expect_take_over(1831);
    expect_take_over(30);
    expect_take_over(2000);
}

// --- comparing -----------------------------------------------------------------------------------

static void write_one(const char* name, uint32_t steps, int change)
{
    BaseYamlError error;
    RecordHead head = scene_head();
    if (change == 1) {
        head.vehicle.hash ^= 1;
    }
    RecordWriter* w = record_begin(scene_path(name), &head, 0, &error);
    for (uint32_t step = 0; step < steps; ++step) {
        unsigned char input[SCENE_INPUT];
        uint64_t hashes[3];
        scene_input(step, input);
        input[5] ^= change == 2 && step == 271;
        record_step(w, step, input);
        if ((step + 1) % SCENE_RATE == 0) {
            scene_hashes(step / SCENE_RATE, hashes);
            hashes[1] ^= change == 3 && step / SCENE_RATE == 4;
            record_second(w, hashes);
        }
    }
    scene_finish(w);
}

static RecordDifference compare(uint32_t steps, int change)
{
    write_one("a", 500, 0);
    write_one("b", steps, change);
    RecordReader *a = scene_open(scene_path("a")), *b = scene_open(scene_path("b"));
    RecordDifference d = record_compare(a, b);
    record_close(a);
    record_close(b);
    return d;
}

// One bit of an input, a hash or an identity: the first second that differs is named.
static void differences_are_named(void)
{
    TEST_ASSERT_EQUAL_INT(RECORD_SAME, compare(500, 0).kind);
    RecordDifference d = compare(500, 1);
    TEST_ASSERT_EQUAL_INT(RECORD_OTHER_HEAD, d.kind);
    TEST_ASSERT_NOT_NULL(strstr(d.text, "the vehicle differs: excavator_20t"));
    d = compare(500, 2);
    TEST_ASSERT_EQUAL_INT(RECORD_OTHER_INPUT, d.kind);
    TEST_ASSERT_EQUAL_STRING("the inputs differ from second 0:04 on (step 271)", d.text);
    d = compare(500, 3);
    TEST_ASSERT_EQUAL_INT(RECORD_OTHER_STATE, d.kind);
    TEST_ASSERT_EQUAL_UINT32(4, d.second);
    TEST_ASSERT_EQUAL_STRING("machine", d.module);
    d = compare(440, 0);
    TEST_ASSERT_EQUAL_INT(RECORD_OTHER_LENGTH, d.kind);
    TEST_ASSERT_EQUAL_UINT32(440, d.step);
}

// With an argument: writes small recordings into that folder, seeds for tests/fuzz.
static int write_seeds(const char* folder)
{
    const uint32_t steps[] = {30, 130, 700};
    snprintf(scene_folder, sizeof scene_folder, "%s", folder);
    for (int k = 0; k < 3; ++k) {
        char name[16];
        snprintf(name, sizeof name, "%u.mrec", steps[k]);
        RecordWriter* w = scene_begin(scene_path(name), k == 2);
        scene_play(w, 0, steps[k], SCENE_RATE, k == 2);
        scene_finish(w);
    }
    return 0;
}

int main(int argc, char** argv)
{
    if (argc == 2) {
        return write_seeds(argv[1]);
    }
    start_counting();
    UNITY_BEGIN();
    RUN_TEST(counting_counts);
    RUN_TEST(what_is_written_is_read);
    RUN_TEST(any_step_can_be_asked_for);
    RUN_TEST(pumping_does_not_matter);
    RUN_TEST(a_second_thread_may_pump);
    RUN_TEST(key_frames_give_the_state_back);
    RUN_TEST(ten_minutes_are_small);
    RUN_TEST(a_step_allocates_nothing);
    RUN_TEST(event_texts_are_made_fit);
    RUN_TEST(taking_over_gives_a_whole_recording);
    RUN_TEST(differences_are_named);
    return UNITY_END();
}
