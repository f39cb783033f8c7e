#include "app/app_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER_MAX 3800 // bytes

bool app_folder_make(const char* path)
{
    char part[4096];
    snprintf(part, sizeof part, "%s", path);
    for (char* slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0755) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return mkdir(part, 0755) == 0 || errno == EEXIST;
}

static bool find(const char* variable, const char* below_home, const char* name, char* path,
                 size_t size)
{
    const char* xdg = getenv(variable);
    const char* home = getenv("HOME");
    if (xdg && xdg[0] == '/' && strlen(xdg) < FOLDER_MAX)
        snprintf(path, size, "%s/mattock%s", xdg, name);
    else if (home && home[0] == '/' && strlen(home) < FOLDER_MAX)
        snprintf(path, size, "%s/%s/mattock%s", home, below_home, name);
    else {
        snprintf(path, size, "a folder for mattock (neither %s nor HOME is set)", variable);
        return false;
    }
    return app_folder_make(path);
}

bool app_folder_data(const char* name, char* path, size_t size)
{
    char below[128];
    snprintf(below, sizeof below, "/%.100s", name);
    return find("XDG_DATA_HOME", ".local/share", below, path, size);
}

bool app_folder_config(char* path, size_t size)
{
    return find("XDG_CONFIG_HOME", ".config", "", path, size);
}
