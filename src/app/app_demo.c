#include "app/app.h"

#include "app/app_folder.h"
#include "base/base_log.h"
#include "lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const shown[] = {"spring", "bed", "pile"};

#define SHOWN_COUNT ((int)(sizeof shown / sizeof shown[0]))

// The XDG data folder, else ./mattock-demo.
static bool find_folder(char* path, size_t size)
{
    if (app_folder_data("demo", path, size))
        return true;
    snprintf(path, size, "mattock-demo");
    return app_folder_make(path);
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
