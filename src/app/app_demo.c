// What `mattock` does where there is no display: a lesson by the built-in operator, with report and
// picture.
#include "app/app.h"

#include "app/app_folder.h"
#include "app/app_lesson.h"
#include "app/app_trainer.h"
#include "base/base_log.h"
#include "base/base_path.h"
#include "lab/lab_args.h"

#include <stdio.h>

#define DEMO_LESSON  "load_truck"
#define DEMO_SECONDS 60 // of the lesson
#define DEMO_PICTURE 8  // s until the picture is taken

// The XDG data folder, else ./mattock-demo.
static bool find_folder(char* path, size_t size)
{
    if (app_folder_data("demo", path, size))
        return true;
    snprintf(path, size, "mattock-demo");
    return app_folder_make(path);
}

int app_demo(void)
{
    char folder[4096], report[4200], record[4200], picture[4200], lesson[4096], vehicle[4096];
    if (!find_folder(folder, sizeof folder)) {
        base_error("no folder to write into: neither the data folder nor %s", folder);
        return LAB_EXIT_FILE;
    }
    snprintf(report, sizeof report, "%s/report.json", folder);
    snprintf(record, sizeof record, "%s/lesson.mrec", folder);
    snprintf(picture, sizeof picture, "%s/picture.png", folder);
    printf("There is no display. The built-in operator works the lesson %s for a minute;\n"
           "`mattock --help` tells what else there is.\n",
           DEMO_LESSON);
    const AppLessonOptions options = {.name = DEMO_LESSON,
                                      .hands = "expert",
                                      .record = record,
                                      .report = report,
                                      .seconds = DEMO_SECONDS,
                                      .threads = 2};
    int code = app_lesson_run(&options);
    if (code != LAB_EXIT_FINE && code != LAB_EXIT_FAILED)
        return code;
    printf("report:  %s\nrecord:  %s\n", report, record);
    base_path_find("config/scenarios/" DEMO_LESSON ".yaml", lesson, sizeof lesson);
    base_path_find("vehicles/excavator_22t.yaml", vehicle, sizeof vehicle);
    const AppTrainerDef def = {.lesson = lesson,
                               .vehicle = vehicle,
                               .pattern = -1,
                               .quality = 1,
                               .threads = 2,
                               .show = true,
                               .offscreen = true,
                               .seconds = DEMO_PICTURE,
                               .shot = picture};
    if (app_trainer_run(&def) == LAB_EXIT_FINE)
        printf("picture: %s\n", picture);
    // a lesson that is not finished in a minute has not failed
    return LAB_EXIT_FINE;
}
