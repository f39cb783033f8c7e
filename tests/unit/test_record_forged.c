// Recordings whose checksums are right and whose contents are not, as no accident makes them; names that
// are none, and a disk that stays full for good.
#include "record_scene.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define CHUNK_HEAD 24

static unsigned char bytes[1 << 20];
static size_t size;
static BaseYamlError error;

void setUp(void)
{
    scene_set_up();
}

void tearDown(void)
{
    scene_tear_down();
}

static uint32_t word(size_t at)
{
    uint32_t value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

// Five seconds with a key frame behind the second: head, 2 seconds, key, 3 seconds, end.
static void make(void)
{
    RecordSection section[2];
    RecordWriter* w = scene_begin(scene_path("small"), true);
    scene_play(w, 0, 120, SCENE_RATE, false);
    scene_sections(120, section);
    record_key(w, section, 2);
    record_pump(w);
    scene_play(w, 120, 300, SCENE_RATE, false);
    scene_finish(w);
    FILE* file = fopen(scene_path("small"), "rb");
    TEST_ASSERT_NOT_NULL(file);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
}

// Where chunk `number` begins.
static size_t chunk(int number)
{
    size_t at = 16;
    for (; number > 0; --number) {
        at += CHUNK_HEAD + word(at + 8);
    }
    TEST_ASSERT_TRUE(at < size);
    return at;
}

// All checksums as if whoever altered it had written it.
static void sign(void)
{
    uint64_t chain = base_hash(bytes, 16, 0);
    for (size_t at = 16; at < size; at += CHUNK_HEAD + word(at + 8)) {
        chain = base_hash(bytes + at + CHUNK_HEAD, word(at + 8), base_hash(bytes + at, 16, chain));
        memcpy(bytes + at + 16, &chain, sizeof chain);
    }
}

static RecordReader* open_forged(void)
{
    sign();
    RecordReader* r = record_open_memory("forged", bytes, size, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(r, error.text);
    return r;
}

static void signing_is_what_the_writer_does(void)
{
    make();
    RecordReader* r = open_forged();
    TEST_ASSERT_TRUE(record_info(r)->complete);
    scene_expect(r);
    record_close(r);
}

// The chunk is named with its kind, and what comes before is kept.
static void each_kind_is_looked_into(void)
{
    static const struct {
        int chunk;
        const char* says;
        uint32_t steps;
    } part[] = {{1, "(second) does not hold", 0},
                {3, "(key frame) does not hold", 120},
                {5, "(second) does not hold", 180},
                {7, "(end) does not hold", 300}};
    for (int k = 0; k < 4; ++k) {
        make();
        memset(bytes + chunk(part[k].chunk) + CHUNK_HEAD, 0xee, 8);
        RecordReader* r = open_forged();
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(record_info(r)->damage, part[k].says),
                                     record_info(r)->damage);
        TEST_ASSERT_EQUAL_UINT32(part[k].steps, record_info(r)->steps);
        TEST_ASSERT_FALSE(record_info(r)->complete);
        record_close(r);
    }
    make();
    bytes[chunk(4) + 4] = 77;
    RecordReader* r = open_forged();
    TEST_ASSERT_NOT_NULL(strstr(record_info(r)->damage, "kind that does not belong here"));
    TEST_ASSERT_EQUAL_UINT32(120, record_info(r)->steps);
    record_close(r);
}

// What is packed in a second is rubbish: that second has no inputs, and nobody takes over from there.
static void a_second_that_cannot_be_unpacked(void)
{
    make();
    size_t at = chunk(4), length = word(at + 8);
    memset(bytes + at + CHUNK_HEAD + length / 2, 0x5a, length / 2);
    RecordReader* r = open_forged();
    unsigned char input[SCENE_INPUT];
    const RecordEvent* event;
    TEST_ASSERT_EQUAL_UINT32(300, record_info(r)->steps);
    TEST_ASSERT_TRUE(record_input(r, 119, input));
    TEST_ASSERT_FALSE(record_input(r, 150, input));
    TEST_ASSERT_EQUAL_INT(0, record_events(r, 2, &event));
    TEST_ASSERT_FALSE(record_input(r, 300, input));
    RecordHead head = scene_head();
    TEST_ASSERT_NULL(record_take_over(r, 150, scene_path("on"), &head, NULL, 0, 0, &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "cannot be unpacked up to step 150"),
                                 error.text);
    TEST_ASSERT_EQUAL_INT(-1, access(scene_path("on.part"), F_OK));
    record_close(r);
}

static void other_heads_are_told_apart(void)
{
    RecordReader* r[2];
    for (int k = 0; k < 2; ++k) {
        RecordHead head = scene_head();
        head.seed += (uint64_t)k;
        const char* path = scene_path(k ? "b" : "a");
        RecordWriter* w = record_begin(path, &head, 0, &error);
        TEST_ASSERT_NOT_NULL_MESSAGE(w, error.text);
        scene_play(w, 0, 60, SCENE_RATE, false);
        scene_finish(w);
        r[k] = scene_open(path);
    }
    RecordDifference d = record_compare(r[0], r[1]);
    TEST_ASSERT_EQUAL_INT(RECORD_OTHER_HEAD, d.kind);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(d.text, "seed 7"), d.text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(d.text, "seed 8"), d.text);
    record_close(r[0]);
    record_close(r[1]);
}

static void what_is_not_unfinished_is_not_adopted(void)
{
    TEST_ASSERT_FALSE(record_adopt(scene_path("a.mrec"), &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "no unfinished recording"), error.text);
    FILE* file = fopen(scene_path("b.part"), "w");
    fputs("not a recording", file);
    fclose(file);
    TEST_ASSERT_FALSE(record_adopt(scene_path("b.part"), &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "is no recording"), error.text);
    TEST_ASSERT_EQUAL_INT(0, access(scene_path("b.part"), F_OK));
}

static void a_file_too_large_is_not_read(void)
{
    const char* path = scene_path("large");
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    TEST_ASSERT_EQUAL_INT(0, ftruncate(file, (off_t)RECORD_FILE_MAX + 1)); // all of it a hole
    close(file);
    TEST_ASSERT_NULL(record_open(path, &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, "too large; allowed are 256 MiB"), error.text);
}

// Steps without a word about hashes are seconds all the same.
static void seconds_without_hashes(void)
{
    RecordWriter* w = scene_begin(scene_path("bare"), false);
    for (uint32_t step = 0; step < 150; ++step) {
        unsigned char input[SCENE_INPUT];
        scene_input(step, input);
        record_step(w, step, input);
    }
    scene_finish(w);
    RecordReader* r = scene_open(scene_path("bare"));
    TEST_ASSERT_EQUAL_UINT32(150, record_info(r)->steps);
    TEST_ASSERT_NULL(record_hashes(r, 1));
    record_close(r);
}

// Hours of levers that no disk takes: told once, the good beginning stays.
static void a_disk_that_stays_full_for_good(void)
{
    struct rlimit before, small;
    RecordWriter* w = scene_begin(scene_path("full"), false);
    scene_play(w, 0, 60, SCENE_RATE, false);
    signal(SIGXFSZ, SIG_IGN);
    TEST_ASSERT_EQUAL_INT(0, getrlimit(RLIMIT_FSIZE, &before));
    small = before, small.rlim_cur = 4096;
    TEST_ASSERT_EQUAL_INT(0, setrlimit(RLIMIT_FSIZE, &small));
    BaseRandom random = base_random(3);
    int ended = 0;
    for (uint32_t step = 60; step < 60 + 6000 * SCENE_RATE; ++step) {
        unsigned char input[SCENE_INPUT + 3];
        for (int k = 0; k < SCENE_INPUT; k += 4) {
            uint32_t chance = base_random_u32(&random); // nothing that could be packed
            memcpy(input + k, &chance, sizeof chance);
        }
        record_step(w, step, input);
        if (step % 600 == 0) {
            record_pump(w);
            const char* news = record_news(w);
            ended += news && strstr(news, "ends here: no room is left") != NULL;
        }
    }
    TEST_ASSERT_FALSE(record_finish(w, "finished", NULL, &error));
    setrlimit(RLIMIT_FSIZE, &before);
    TEST_ASSERT_EQUAL_INT(1, ended);
    RecordReader* r = scene_open(scene_path("full.part"));
    TEST_ASSERT_TRUE(record_info(r)->steps >= 60);
    record_close(r);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(signing_is_what_the_writer_does);
    RUN_TEST(each_kind_is_looked_into);
    RUN_TEST(a_second_that_cannot_be_unpacked);
    RUN_TEST(other_heads_are_told_apart);
    RUN_TEST(what_is_not_unfinished_is_not_adopted);
    RUN_TEST(a_file_too_large_is_not_read);
    RUN_TEST(seconds_without_hashes);
    RUN_TEST(a_disk_that_stays_full_for_good);
    return UNITY_END();
}
