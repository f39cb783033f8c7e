#include "app/app.h"

#include "base/base_log.h"
#include "lab/lab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char* const shown[] = {"spring", "bed", "pile"};

#define SHOWN_COUNT ((int)(sizeof shown / sizeof shown[0]))
#define FOLDER_MAX  3800

// mkdir -p
static bool make_folder(const char* path)
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

// The XDG data folder, else ./mattock-demo.
static bool find_folder(char* path, size_t size)
{
    const char* data = getenv("XDG_DATA_HOME");
    const char* home = getenv("HOME");
    bool named = true;
    if (data && data[0] == '/' && strlen(data) < FOLDER_MAX)
        snprintf(path, size, "%s/mattock/demo", data);
    else if (home && home[0] == '/' && strlen(home) < FOLDER_MAX)
        snprintf(path, size, "%s/.local/share/mattock/demo", home);
    else
        named = false;
    if (named && make_folder(path))
        return true;
    snprintf(path, size, "mattock-demo");
    return make_folder(path);
}

static int show(const char* name, const char* folder)
{
    char picture[4200];
    snprintf(picture, sizeof picture, "%s/%s.png", folder, name);
    LabOptions options = lab_options();
    LabReport report;
    options.quick = true;
    options.png = picture;
    int code = lab_run(lab_find(name), &options, &report);
    if (!report.failed) {
        lab_report_print(&report, stdout);
        printf("picture: %s\n\n", picture);
    }
    lab_report_free(&report);
    // a figure off its target is told in the table; it does not spoil the show
    return code == LAB_EXIT_FAILED ? LAB_EXIT_FINE : code;
}

int app_demo(void)
{
    char folder[4096];
    if (!find_folder(folder, sizeof folder)) {
        base_error("no folder to write pictures into: neither the data folder nor %s", folder);
        return LAB_EXIT_FILE;
    }
    printf("Mattock has no window yet. Here are some of its experiments, at small size;\n"
           "`mattock --help` tells what else there is.\n\n");
    for (int i = 0; i < SHOWN_COUNT; ++i) {
        int code = show(shown[i], folder);
        if (code != LAB_EXIT_FINE)
            return code;
    }
    printf("All pictures are in %s\n", folder);
    return LAB_EXIT_FINE;
}
