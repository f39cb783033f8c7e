// Shipped files are found wherever the program lies: in a build folder, installed, or alone.
#include "base/base_path.h"
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

static const char* self;
static char folder[64];

void setUp(void)
{
    strcpy(folder, "/tmp/test_base_path_XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
}

void tearDown(void)
{
    shell("rm -rf %s", folder);
}

// What a copy of this program that lies at FOLDER/`place` finds, from `here` as the working folder.
static const char* found_by(const char* place, const char* here, const char* name)
{
    static char out[4096];
    char command[1024];
    shell("mkdir -p $(dirname %s/%s) && cp %s %s/%s", folder, place, self, folder, place);
    snprintf(command, sizeof command, "cd %s && %s/%s %s", here, folder, place, name);
    FILE* pipe = popen(command, "r");
    TEST_ASSERT_NOT_NULL(pipe);
    size_t got = fread(out, 1, sizeof out - 1, pipe);
    out[got] = '\0';
    pclose(pipe);
    return out;
}

static void expect(const char* place, const char* under, const char* name)
{
    char want[256];
    const char* found = found_by(place, "/", name);
    snprintf(want, sizeof want, "%s/%s%s", folder, under, name);
    TEST_ASSERT_EQUAL_STRING(want, found);
}

static void an_installed_program_finds_its_share(void)
{
    shell("mkdir -p %s/usr/share/mattock/config && touch %s/usr/share/mattock/config/a.yaml",
          folder, folder);
    expect("usr/bin/program", "usr/share/mattock/", "config/a.yaml");
    expect("usr/program", "usr/share/mattock/", "config/a.yaml");
}

// A build folder lies in the sources: what is nearer goes first.
static void a_built_program_finds_the_sources(void)
{
    shell("mkdir -p %s/src/config %s/src/build && touch %s/src/config/a.yaml", folder, folder,
          folder);
    expect("src/build/asan/tests/unit/program", "src/", "config/a.yaml");
    shell("mkdir -p %s/src/build/config && touch %s/src/build/config/a.yaml", folder, folder);
    expect("src/build/program", "src/build/", "config/a.yaml");
}

static void the_working_folder_is_the_last_to_be_asked(void)
{
    shell("mkdir -p %s/here/config && touch %s/here/config/only_here.yaml", folder, folder);
    char here[128];
    snprintf(here, sizeof here, "%s/here", folder);
    TEST_ASSERT_EQUAL_STRING("./config/only_here.yaml",
                             found_by("alone/program", here, "config/only_here.yaml"));
    TEST_ASSERT_EQUAL_STRING("", found_by("alone/program", "/", "config/only_here.yaml"));
}

// A name is a shipped file, unless a file of that name is there; a path is a path.
static void names_are_of_shipped_files(void)
{
    char path[4096], own[128], long_name[80];
    base_path_shipped("config/sites", "flat", path, sizeof path);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(path, "/config/sites/flat.yaml"), path);
    base_path_shipped("config/sites", "../sites/flat", path, sizeof path);
    TEST_ASSERT_EQUAL_STRING("../sites/flat", path);
    base_path_shipped("config/sites", "no_such_site", path, sizeof path);
    TEST_ASSERT_EQUAL_STRING("no_such_site", path);
    memset(long_name, 'a', 70), long_name[70] = '\0';
    base_path_shipped("config/sites", long_name, path, sizeof path);
    TEST_ASSERT_EQUAL_STRING(long_name, path);
    snprintf(own, sizeof own, "%s/own.yaml", folder);
    shell("touch %s", own);
    base_path_shipped("config/sites", own, path, sizeof path);
    TEST_ASSERT_EQUAL_STRING(own, path);
    char small[8];
    TEST_ASSERT_FALSE(base_path_find("config/sites/flat.yaml", small, sizeof small));
}

int main(int argc, char** argv)
{
    char path[4096];
    if (argc > 1) { // the copy
        if (base_path_find(argv[1], path, sizeof path)) {
            printf("%s", path);
        }
        return 0;
    }
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        return 1;
    }
    path[length] = '\0';
    self = path;
    UNITY_BEGIN();
    RUN_TEST(an_installed_program_finds_its_share);
    RUN_TEST(a_built_program_finds_the_sources);
    RUN_TEST(the_working_folder_is_the_last_to_be_asked);
    RUN_TEST(names_are_of_shipped_files);
    return UNITY_END();
}
