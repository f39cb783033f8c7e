// Recordings that are cut, altered, killed or refused by the disk: the good part always remains.
#include "record_scene.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static unsigned char* bytes;
static size_t size;

static void read_bytes(const char* path)
{
    FILE* file = fopen(path, "rb");
    TEST_ASSERT_NOT_NULL(file);
    free(bytes);
    bytes = malloc(1 << 22);
    TEST_ASSERT_NOT_NULL(bytes);
    size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
}

static RecordReader* open_bytes(size_t length)
{
    BaseYamlError error;
    return record_open_memory("cut", bytes, length, &error);
}

// Five seconds with a key frame, in memory.
static void make_small(void)
{
    RecordSection section[2];
    RecordWriter* w = scene_begin(scene_path("small"), true);
    scene_play(w, 0, 120, SCENE_RATE, false);
    scene_sections(120, section);
    record_key(w, section, 2);
    record_pump(w);
    scene_play(w, 120, 300, SCENE_RATE, false);
    scene_finish(w);
    read_bytes(scene_path("small"));
}

void setUp(void)
{
    scene_set_up();
}

void tearDown(void)
{
    free(bytes);
    bytes = NULL;
    scene_tear_down();
}

// Where each chunk ends.
static int chunk_ends(size_t* end, int max)
{
    int count = 0;
    size_t at = 16;
    while (at < size && count < max) {
        uint32_t length;
        memcpy(&length, bytes + at + 8, sizeof length);
        at += 24 + length;
        end[count++] = at;
    }
    TEST_ASSERT_TRUE(at == size);
    return count;
}

// Cut after any byte: exactly the whole chunks before it are played, and the rest is named.
static void every_cut_keeps_the_good_prefix(void)
{
    make_small();
    size_t end[16];
    int chunks = chunk_ends(end, 16);
    TEST_ASSERT_EQUAL_INT(8, chunks); // head, 5 seconds, a key frame, an end
    for (size_t cut = 0; cut < size; ++cut) {
        RecordReader* r = open_bytes(cut);
        TEST_ASSERT_EQUAL(cut >= end[0], r != NULL);
        if (!r) {
            continue;
        }
        const RecordInfo* info = record_info(r);
        int whole = 0;
        while (whole < chunks && end[whole] <= cut) {
            ++whole;
        }
        TEST_ASSERT_FALSE(info->complete);
        TEST_ASSERT_TRUE(info->good == end[whole - 1]);
        TEST_ASSERT_EQUAL_UINT32((uint32_t)(whole - 1 - (whole > 3)) * 60, info->steps);
        TEST_ASSERT_EQUAL(cut != end[whole - 1], info->damage[0] != '\0');
        if (cut % 16 == 0) {
            scene_expect(r);
        }
        record_close(r);
    }
}

static void damage_is_told_with_its_place(void)
{
    make_small();
    size_t end[16];
    char want[200];
    chunk_ends(end, 16);
    RecordReader* r = open_bytes(end[4] + 40);
    snprintf(want, sizeof want,
             "chunk 5 at byte %zu (second) is cut off (16 of %zu bytes); what comes "
             "before is good: 3 s",
             end[4], end[5] - end[4] - 24);
    TEST_ASSERT_EQUAL_STRING(want, record_info(r)->damage);
    record_close(r);
    bytes[end[4] + 100] ^= 4;
    r = open_bytes(size);
    snprintf(want, sizeof want,
             "chunk 5 at byte %zu (second) has a wrong checksum; what comes before "
             "is good: 3 s",
             end[4]);
    TEST_ASSERT_EQUAL_STRING(want, record_info(r)->damage);
    record_close(r);
}

// Any byte altered, in three ways: everything in front of its chunk is played, nothing behind.
static void every_flip_is_noticed(void)
{
    make_small();
    size_t end[16];
    chunk_ends(end, 16);
    const unsigned char flip[] = {0x01, 0x80, 0xff};
    for (size_t at = 0; at < size; ++at) {
        for (size_t k = 0; k < sizeof flip; ++k) {
            bytes[at] ^= flip[k];
            RecordReader* r = open_bytes(size);
            TEST_ASSERT_TRUE(!r || record_info(r)->good <= at);
            TEST_ASSERT_TRUE(!r || (!record_info(r)->complete && record_info(r)->damage[0]));
            TEST_ASSERT_EQUAL(at < end[0], r == NULL);
            if (r && k == 0 && at % 8 == 0) {
                scene_expect(r);
            }
            record_close(r);
            bytes[at] ^= flip[k];
        }
    }
}

// Chunks in another order, one left out, something behind the end: each is noticed.
static void chunks_cannot_be_moved(void)
{
    make_small();
    size_t end[16];
    chunk_ends(end, 16);
    unsigned char* whole = malloc(size);
    memcpy(whole, bytes, size);
    size_t cut = end[2] - end[1];
    memmove(bytes + end[1], bytes + end[2], size - end[2]); // without second 1
    RecordReader* r = open_bytes(size - cut);
    TEST_ASSERT_EQUAL_UINT32(60, record_info(r)->steps);
    record_close(r);
    memcpy(bytes, whole, size);
    bytes[size] = 'x';
    r = open_bytes(size + 1);
    TEST_ASSERT_FALSE(record_info(r)->complete);
    TEST_ASSERT_EQUAL_UINT32(300, record_info(r)->steps);
    TEST_ASSERT_NOT_NULL(strstr(record_info(r)->damage, "stands behind the end"));
    record_close(r);
    free(whole);
}

static void expect_refused(const char* path, const char* message)
{
    BaseYamlError error;
    char want[256];
    snprintf(want, sizeof want, "%s: %s", path, message);
    TEST_ASSERT_NULL(record_open(path, &error));
    TEST_ASSERT_EQUAL_STRING(want, error.text);
}

static void what_is_no_recording_is_refused(void)
{
    make_small();
    expect_refused("/", "not a file");
    expect_refused("/none/such", "cannot be opened: No such file or directory");
    expect_refused("config/materials.yaml", "is no recording");
    TEST_ASSERT_FALSE(record_recognise("config/materials.yaml"));
    TEST_ASSERT_TRUE(record_recognise(scene_path("small")));
    bytes[8] = 9;
    BaseYamlError error;
    TEST_ASSERT_NULL(record_open_memory("new", bytes, size, &error));
    TEST_ASSERT_EQUAL_STRING("new: is a recording of format 9; this program reads format 1",
                             error.text);
}

// --- the disk ------------------------------------------------------------------------------------

static void limit_files(rlim_t most)
{
    struct rlimit limit;
    TEST_ASSERT_EQUAL_INT(0, getrlimit(RLIMIT_FSIZE, &limit));
    limit.rlim_cur = most;
    signal(SIGXFSZ, SIG_IGN);
    TEST_ASSERT_EQUAL_INT(0, setrlimit(RLIMIT_FSIZE, &limit));
}

// Full for a while: told once, the lesson goes on, and when there is room again nothing is missing.
static void a_full_disk_loses_nothing(void)
{
    RecordWriter* w = scene_begin(scene_path("a"), true);
    scene_play(w, 0, 600, SCENE_RATE, true);
    TEST_ASSERT_NULL(record_news(w));
    limit_files(record_written(w) + 300);
    scene_play(w, 600, 3000, SCENE_RATE, true);
    const char* news = record_news(w);
    TEST_ASSERT_NOT_NULL(news);
    TEST_ASSERT_NOT_NULL(strstr(news, "cannot be written (File too large); the lesson goes on"));
    TEST_ASSERT_NULL(record_news(w));
    TEST_ASSERT_FALSE(record_pump(w));

    // what is in the file meanwhile is good
    RecordReader* r = scene_open(scene_path("a.part"));
    TEST_ASSERT_GREATER_OR_EQUAL_UINT32(600, record_info(r)->steps);
    TEST_ASSERT_EQUAL_STRING("", record_info(r)->damage);
    record_close(r);

    limit_files(RLIM_INFINITY);
    scene_play(w, 3000, 3600, SCENE_RATE, true);
    TEST_ASSERT_EQUAL_STRING("the recording is written again; nothing was lost", record_news(w));
    scene_finish(w);
    r = scene_open(scene_path("a"));
    TEST_ASSERT_EQUAL_UINT32(3600, record_info(r)->steps);
    TEST_ASSERT_TRUE(record_info(r)->complete);
    scene_expect(r);
    record_close(r);
}

// Full at the end: an older recording of that name stays, and so does what could be written.
static void a_full_disk_at_the_end_keeps_the_old(void)
{
    BaseYamlError error;
    RecordWriter* w = scene_begin(scene_path("a"), false);
    scene_play(w, 0, 120, SCENE_RATE, false);
    scene_finish(w);
    w = scene_begin(scene_path("a"), false);
    scene_play(w, 0, 600, SCENE_RATE, false);
    limit_files(record_written(w));
    scene_play(w, 600, 660, SCENE_RATE, false);
    bool fine = record_finish(w, "finished", NULL, &error);
    limit_files(RLIM_INFINITY);
    TEST_ASSERT_FALSE(fine);
    TEST_ASSERT_NOT_NULL(
        strstr(error.text, "not complete: File too large; what there is stays in"));
    RecordReader* r = scene_open(scene_path("a"));
    TEST_ASSERT_EQUAL_UINT32(120, record_info(r)->steps);
    record_close(r);
    r = scene_open(scene_path("a.part"));
    TEST_ASSERT_EQUAL_UINT32(600, record_info(r)->steps);
    record_close(r);
}

// A folder that is not there, and a name that is being recorded already.
static void a_bad_place_is_refused(void)
{
    BaseYamlError error;
    RecordHead head = scene_head();
    TEST_ASSERT_NULL(record_begin("/none/a", &head, 0, &error));
    TEST_ASSERT_EQUAL_STRING("/none/a.part: cannot be written: No such file or directory",
                             error.text);
    RecordWriter* w = scene_begin(scene_path("a"), false);
    TEST_ASSERT_NULL(record_begin(scene_path("a"), &head, 0, &error));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "is in use by another program"));
    record_abandon(w);
}

// Nobody pumps for too long: the recording ends, says so, and what was written stays good.
static void an_overrun_ends_the_recording(void)
{
    BaseYamlError error;
    RecordWriter* w = scene_begin(scene_path("a"), false);
    scene_play(w, 0, 600, SCENE_RATE, false);
    scene_play(w, 600, 60000, 0, false);
    TEST_ASSERT_FALSE(record_pump(w));
    TEST_ASSERT_NOT_NULL(strstr(record_news(w), "the recording ends here"));
    TEST_ASSERT_FALSE(record_finish(w, "finished", NULL, &error));
    RecordReader* r = scene_open(scene_path("a.part"));
    TEST_ASSERT_GREATER_THAN_UINT32(600, record_info(r)->steps);
    scene_expect(r);
    record_close(r);
}

// --- kill -9 -------------------------------------------------------------------------------------

// Plays until it is killed; tells the parent through a pipe which step it has reached.
static void play_until_killed(int out)
{
    RecordWriter* w = scene_begin(scene_path("killed"), true);
    for (uint32_t step = 0;; ++step) {
        scene_play(w, step, step + 1, SCENE_RATE, true);
        if (write(out, &step, sizeof step) != sizeof step) {
            _exit(1);
        }
    }
}

static uint32_t kill_after(uint32_t step)
{
    int ends[2];
    uint32_t reached = 0, now;
    TEST_ASSERT_EQUAL_INT(0, pipe(ends));
    pid_t child = fork();
    if (child == 0) {
        play_until_killed(ends[1]);
    }
    close(ends[1]);
    while (reached < step && read(ends[0], &now, sizeof now) == sizeof now) {
        reached = now;
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    while (read(ends[0], &now, sizeof now) == sizeof now) {
        reached = now; // what it had done before the blow
    }
    close(ends[0]);
    return reached;
}

// Killed at any moment: all but the last second is there, is found at the next start, and can be kept.
static void a_kill_costs_at_most_a_second(void)
{
    RecordFound found[4];
    BaseYamlError error;
    for (uint32_t k = 0; k < 20; ++k) {
        uint32_t reached = kill_after(40 + k * 97);
        TEST_ASSERT_EQUAL_INT(1, record_interrupted(scene_folder, found, 4));
        TEST_ASSERT_EQUAL_STRING(scene_path("killed.part"), found[0].path);
        TEST_ASSERT_GREATER_OR_EQUAL_UINT32((reached + 1) / 60 * 60, found[0].info.steps);
        TEST_ASSERT_TRUE_MESSAGE(record_adopt(found[0].path, &error), error.text);
        TEST_ASSERT_EQUAL_INT(0, record_interrupted(scene_folder, found, 4));
        RecordReader* r = scene_open(scene_path("killed"));
        TEST_ASSERT_FALSE(record_info(r)->complete);
        TEST_ASSERT_EQUAL_STRING("", record_info(r)->damage);
        scene_expect(r);
        record_close(r);
        remove(scene_path("killed"));
    }
}

// What a living program writes is not offered, and nothing is overwritten.
static void a_living_recording_is_left_alone(void)
{
    RecordFound found[4];
    BaseYamlError error;
    RecordWriter* w = scene_begin(scene_path("a"), false);
    scene_play(w, 0, 120, SCENE_RATE, false);
    // the lock is the file's, so ask as a stranger would: through another open file
    TEST_ASSERT_EQUAL_INT(0, record_interrupted(scene_folder, found, 4));
    TEST_ASSERT_FALSE(record_adopt(scene_path("a.part"), &error));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "still being written"));
    record_abandon(w);
    FILE* old = fopen(scene_path("a"), "w");
    fputs("mine", old);
    fclose(old);
    TEST_ASSERT_EQUAL_INT(1, record_interrupted(scene_folder, found, 4));
    TEST_ASSERT_FALSE(record_adopt(scene_path("a.part"), &error));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "cannot be made: File exists"));
    read_bytes(scene_path("a"));
    TEST_ASSERT_EQUAL_UINT64(4, size);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_cut_keeps_the_good_prefix);
    RUN_TEST(damage_is_told_with_its_place);
    RUN_TEST(every_flip_is_noticed);
    RUN_TEST(chunks_cannot_be_moved);
    RUN_TEST(what_is_no_recording_is_refused);
    RUN_TEST(a_full_disk_loses_nothing);
    RUN_TEST(a_full_disk_at_the_end_keeps_the_old);
    RUN_TEST(a_bad_place_is_refused);
    RUN_TEST(an_overrun_ends_the_recording);
    RUN_TEST(a_kill_costs_at_most_a_second);
    RUN_TEST(a_living_recording_is_left_alone);
    return UNITY_END();
}
