// Files are replaced whole or not at all; what is no file stays what it is.
#include "base/base_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unity.h>

static char folder[64], path[512], other[512], text[4096];

void setUp(void)
{
    snprintf(folder, sizeof folder, "/tmp/mattock_file_XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(other, sizeof other, "%s/other", folder);
}

void tearDown(void)
{
    unlink(path);
    unlink(other);
    TEST_ASSERT_EQUAL_INT(0, rmdir(folder)); // nothing was left beside them
}

static const char* content(const char* file)
{
    FILE* f = fopen(file, "r");
    TEST_ASSERT_NOT_NULL(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

static void a_file_is_made_and_replaced(void)
{
    TEST_ASSERT_TRUE(base_file_replace(path, "one", 3));
    TEST_ASSERT_EQUAL_STRING("one", content(path));
    TEST_ASSERT_TRUE(base_file_replace(path, "", 0));
    TEST_ASSERT_EQUAL_STRING("", content(path));
}

static void a_link_stays_and_its_target_changes(void)
{
    struct stat there;
    TEST_ASSERT_TRUE(base_file_replace(other, "old", 3));
    TEST_ASSERT_EQUAL_INT(0, symlink(other, path));
    TEST_ASSERT_TRUE(base_file_replace(path, "new", 3));
    TEST_ASSERT_EQUAL_INT(0, lstat(path, &there));
    TEST_ASSERT_TRUE(S_ISLNK(there.st_mode));
    TEST_ASSERT_EQUAL_STRING("new", content(other));
}

static void a_device_is_written_into(void)
{
    struct stat there;
    TEST_ASSERT_TRUE(base_file_replace("/dev/null", "x", 1));
    TEST_ASSERT_EQUAL_INT(0, stat("/dev/null", &there));
    TEST_ASSERT_TRUE(S_ISCHR(there.st_mode));
    TEST_ASSERT_FALSE(base_file_replace("/dev/full", "x", 1));
    TEST_ASSERT_EQUAL_INT(ENOSPC, errno);
}

static void a_folder_is_refused(void)
{
    TEST_ASSERT_FALSE(base_file_replace(folder, "x", 1));
    TEST_ASSERT_EQUAL_INT(EISDIR, errno);
}

static void no_folder_and_long_names_are_refused(void)
{
    static char name[BASE_FILE_PATH + 100];
    memset(name, 'x', sizeof name - 1);
    TEST_ASSERT_FALSE(base_file_replace("/nowhere/at/all", "x", 1));
    TEST_ASSERT_EQUAL_INT(ENOENT, errno);
    TEST_ASSERT_FALSE(base_file_replace(name, "x", 1));
    TEST_ASSERT_EQUAL_INT(ENAMETOOLONG, errno);
    TEST_ASSERT_FALSE(base_file_sync_folder("/nowhere/at/all"));
    memset(name, '/', 1), memset(name + sizeof name - 3, '/', 1);
    TEST_ASSERT_FALSE(base_file_sync_folder(name));
    TEST_ASSERT_TRUE(base_file_sync_folder("/one"));
    TEST_ASSERT_TRUE(base_file_sync_folder("here"));
}

// The disk is full in the middle: the old content stays, the half of the new one goes.
static void a_full_disk_keeps_the_old(void)
{
    struct rlimit before, small;
    TEST_ASSERT_TRUE(base_file_replace(path, "old", 3));
    signal(SIGXFSZ, SIG_IGN);
    TEST_ASSERT_EQUAL_INT(0, getrlimit(RLIMIT_FSIZE, &before));
    small = before, small.rlim_cur = 1000;
    TEST_ASSERT_EQUAL_INT(0, setrlimit(RLIMIT_FSIZE, &small));
    bool written = base_file_replace(path, text, sizeof text);
    int reason = errno;
    setrlimit(RLIMIT_FSIZE, &before);
    TEST_ASSERT_FALSE(written);
    TEST_ASSERT_EQUAL_INT(EFBIG, reason);
    TEST_ASSERT_EQUAL_STRING("old", content(path));
}

// A file that is not open for writing.
static void a_closed_door_is_told(void)
{
    int file = open(path, O_RDONLY | O_CREAT, 0600);
    TEST_ASSERT_TRUE(file >= 0);
    TEST_ASSERT_FALSE(base_file_write(file, "x", 1)); // not open for writing
    TEST_ASSERT_EQUAL_INT(EBADF, errno);
    close(file);
}

// --- what no disk does on request ----------------------------------------------------------------

static bool no_fsync, no_rename, no_close, interrupted;

int fsync(int file)
{
    errno = EIO;
    return no_fsync ? -1 : (int)syscall(SYS_fsync, file);
}

int rename(const char* from, const char* to)
{
    errno = EXDEV;
    return no_rename ? -1 : (int)syscall(SYS_rename, from, to);
}

int close(int file)
{
    int done = (int)syscall(SYS_close, file);
    errno = no_close ? EIO : errno;
    return no_close ? -1 : done;
}

ssize_t write(int file, const void* data, size_t bytes)
{
    bool now = interrupted;
    interrupted = false;
    errno = EINTR;
    return now ? -1 : syscall(SYS_write, file, data, bytes);
}

static void fails(bool* what, int reason)
{
    TEST_ASSERT_TRUE(base_file_replace(path, "old", 3));
    *what = true;
    bool written = base_file_replace(path, "new", 3);
    int why = errno;
    *what = false;
    TEST_ASSERT_FALSE(written);
    TEST_ASSERT_EQUAL_INT(reason, why);
    TEST_ASSERT_EQUAL_STRING("old", content(path));
}

// The disk takes everything and then cannot keep it.
static void a_failing_fsync_keeps_the_old(void)
{
    fails(&no_fsync, EIO);
    fails(&no_close, EIO);
    fails(&no_rename, EXDEV);
    no_close = true;
    bool poured = base_file_replace("/dev/null", "x", 1);
    no_close = false;
    TEST_ASSERT_FALSE(poured);
}

// A signal in the middle is no reason to give up.
static void an_interrupted_write_goes_on(void)
{
    interrupted = true;
    TEST_ASSERT_TRUE(base_file_replace(path, "whole", 5));
    TEST_ASSERT_FALSE(interrupted);
    TEST_ASSERT_EQUAL_STRING("whole", content(path));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_file_is_made_and_replaced);
    RUN_TEST(a_link_stays_and_its_target_changes);
    RUN_TEST(a_device_is_written_into);
    RUN_TEST(a_folder_is_refused);
    RUN_TEST(no_folder_and_long_names_are_refused);
    RUN_TEST(a_full_disk_keeps_the_old);
    RUN_TEST(a_closed_door_is_told);
    RUN_TEST(a_failing_fsync_keeps_the_old);
    RUN_TEST(an_interrupted_write_goes_on);
    return UNITY_END();
}
