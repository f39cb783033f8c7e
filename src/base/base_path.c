#include "base/base_path.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_PARENTS_MAX 5 // build/asan/tests/unit/test_plot is five below the repository

static bool exists(const char* folder, const char* between, const char* name, char* path,
                   size_t size)
{
    int length = snprintf(path, size, "%s%s/%s", folder, between, name);
    return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

bool base_path_find(const char* name, char* path, size_t size)
{
    char folder[4096];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length <= 0)
        return exists(".", "", name, path, size);
    folder[length] = '\0';

    // beside the program, then upwards: ../assets in the build tree, ../share/mattock installed
    for (int i = 0; i <= FILE_PARENTS_MAX; ++i) {
        char* slash = strrchr(folder, '/');
        if (!slash)
            break;
        *slash = '\0';
        if (exists(folder, "", name, path, size) ||
            exists(folder, "/share/mattock", name, path, size))
            return true;
    }
    return exists(".", "", name, path, size);
}

void base_path_shipped(const char* folder, const char* name, char* path, size_t size)
{
    char shipped[300], found[4096];
    snprintf(path, size, "%s", name);
    if (access(name, F_OK) == 0 || strchr(name, '/') || strlen(name) > 64) {
        return;
    }
    snprintf(shipped, sizeof shipped, "%s/%s.yaml", folder, name);
    if (base_path_find(shipped, found, sizeof found)) {
        snprintf(path, size, "%s", found);
    }
}
