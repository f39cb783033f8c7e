#include "app/app.h"

#include "bench/bench.h"
#include "lab/lab.h"
#include "qualify/qualify.h"

#include <stdio.h>
#include <string.h>

#ifndef MATTOCK_VERSION
#define MATTOCK_VERSION "unknown"
#endif

typedef struct Command {
    const char* name;
    int (*main)(int argc, char** argv);
    const char* summary;
} Command;

static const Command commands[] = {
    {"play", app_play, "sit down in a machine on a site; `mattock play quarry`"},
    {"run", app_run, "a machine at work without a window, and a report; `mattock run --help`"},
    {"replay", app_replay, "a recording: watch, scrub, take over; or proof and other criteria"},
    {"report", app_report, "a page about each recorded lesson; `mattock report F --out DIR`"},
    {"records", app_records, "whose lessons are kept here: list, trend, export, erase"},
    {"lab", lab_main, "a physics experiment against its targets; `mattock lab list`"},
    {"bench", app_bench, "timings of the solver per phase; `mattock bench --help`"},
    {"selftest", app_selftest, "is this computer fit for today's lessons? under a minute"},
    {"soak", app_soak, "every lesson by chance for hours: is anything lost, does memory grow?"},
    {"qualify", qualify_main, "what holds in this build and on this computer, as one HTML page"},
    {"site", app_site, "what a site is made of, and a plan of it; `mattock site quarry --png F`"},
    {"vehicle", app_vehicle, "what a machine is made of, and a picture of it without a display"},
    {"shot", app_shot,
     "a picture of a lesson at a moment, no screen needed; `mattock shot --help`"},
    {"pictures", app_pictures, "what the trainer looks like, into build/pictures"},
    {"check", app_check, "validate material and site files: file:line:column, what and how to fix"},
};

#define COMMAND_COUNT ((int)(sizeof commands / sizeof commands[0]))

static int help(void)
{
    printf("mattock " MATTOCK_VERSION " - a real-time earthmoving trainer\n\n"
           "usage: mattock              the menu; without a display a lesson by the built-in "
           "operator\n"
           "       mattock COMMAND ...  one of:\n\n");
    for (int i = 0; i < COMMAND_COUNT; ++i)
        printf("  %-9s %s\n", commands[i].name, commands[i].summary);
    printf("\n  --help     this text; every command has its own\n"
           "  --version  the version\n\n"
           "exit codes: 0 fine, 1 a check failed, 2 wrong usage,\n"
           "            3 no display or OpenGL, 4 out of memory, 5 a bad file\n");
    return LAB_EXIT_FINE;
}

static int unknown(const char* word)
{
    const char* names[COMMAND_COUNT + 3];
    int count = 0;
    for (int i = 0; i < COMMAND_COUNT; ++i)
        names[count++] = commands[i].name;
    names[count++] = "--help";
    names[count++] = "--version";
    names[count] = NULL;
    lab_args_unknown("command", word, names);
    return LAB_EXIT_USAGE;
}

int main(int argc, char** argv)
{
    if (argc < 2)
        return app_menu();
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("mattock " MATTOCK_VERSION "\n");
        return LAB_EXIT_FINE;
    }
    for (int i = 0; i < COMMAND_COUNT; ++i)
        if (strcmp(commands[i].name, argv[1]) == 0)
            return commands[i].main(argc - 1, argv + 1);
    return unknown(argv[1]);
}
