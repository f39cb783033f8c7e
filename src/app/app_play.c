// `mattock play SITE`: straight into the seat.
#include "app/app.h"

#include "app/app_lesson.h"
#include "app/app_stage.h"
#include "app/app_trainer.h"
#include "lab/lab_args.h"

#include <stdio.h>

static const char* const patterns[] = {"iso", "sae", NULL};
static const char* const qualities[] = {"software", "low", "medium", "high", NULL};

static int help(const LabArg* args)
{
    printf(
        "usage: mattock play LESSON|SITE [OPTIONS]\n\n"
        "Opens a window and puts you into a machine on a site: a path, or the name of a shipped\n"
        "one (flat, quarry, trench, loam). docs/operator.md is the card of the controls.\n\n");
    lab_args_help(args);
    printf(
        "\nExit code 0: fine, 2: wrong usage, 3: no display or no OpenGL 3.3, 4: out of memory,\n"
        "5: a file is bad.\n");
    return LAB_EXIT_FINE;
}

int app_play(int argc, char** argv)
{
    static char site[TRAINER_PATH], vehicle[TRAINER_PATH];
    const char* machine = "excavator_22t";
    AppTrainerDef def = {.pattern = -1, .quality = -1, .threads = 2, .program = OPERATOR_TRUCK};
    bool wants_help = false, lesson = false;
    const LabArg args[] = {
        {"--vehicle", LAB_ARG_TEXT, &machine, .help = "a file, or the name of a shipped one",
         .what = "NAME"},
        {"--pattern", LAB_ARG_WORD, &def.pattern, .words = patterns,
         .help = "of the sticks; as last time unless told"},
        {"--threads", LAB_ARG_INT, &def.threads, 1, JOBS_WORKERS_MAX,
         .help = "cores for the simulation"},
        {"--trainee", LAB_ARG_TEXT, &def.trainee, .help = "whose run it is, a pseudonym",
         .what = "NAME"},
        {"--record", LAB_ARG_TEXT, &def.record, .help = "where the record goes"},
        {"--program", LAB_ARG_WORD, &def.program, .words = operator_program_words,
         .help = "what is to be dug"},
        {"--quality", LAB_ARG_WORD, &def.quality, .words = qualities,
         .help = "of the picture; measured unless told"},
        {"--lesson", LAB_ARG_FLAG, &lesson, .help = "a lesson, not the site of the same name"},
        {"--show", LAB_ARG_FLAG, &def.show, .help = "the built-in operator works"},
        {"--width", LAB_ARG_INT, &def.width, 0, 8192, .help = "of the window, pixels"},
        {"--height", LAB_ARG_INT, &def.height, 0, 8192, .help = "of the window, pixels"},
        {"--full", LAB_ARG_FLAG, &def.full, .help = "over the whole screen"},
        {"--offscreen", LAB_ARG_FLAG, &def.offscreen, .help = "without a screen, for measurements"},
        {"--shot", LAB_ARG_TEXT, &def.shot, .help = "the last picture before leaving, PNG"},
        {"--seconds", LAB_ARG_INT, &def.seconds, 0, 86400, .help = "leave after so many"},
        {"--help", LAB_ARG_FLAG, &wants_help, .help = "this text"},
        {0},
    };
    const char* name = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    int skip = name ? 2 : 1;
    if (!lab_args_parse(args, argc - skip, argv + skip))
        return LAB_EXIT_USAGE;
    if (wants_help)
        return help(args);
    if (!name) {
        fprintf(stderr, "mattock: play needs a site, as in `mattock play quarry`; `mattock` alone "
                        "opens the menu\n");
        return LAB_EXIT_USAGE;
    }
    app_stage_find("vehicles", machine, vehicle);
    def.vehicle = vehicle;
    if (app_lesson_recognise(name, lesson)) {
        app_stage_find("config/scenarios", name, site);
        def.lesson = site;
    } else {
        app_stage_find("config/sites", name, site);
        def.site = site;
    }
    return app_trainer_run(&def);
}

int app_menu(void)
{
    AppTrainerDef def = {.pattern = -1, .quality = -1, .threads = 2, .program = OPERATOR_TRUCK};
    if (!platform_window_possible())
        return app_demo();
    return app_trainer_run(&def);
}
