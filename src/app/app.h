// app - the program: finds the subcommand and hands the rest of the command line to it.
//
// Does:     `mattock`, `mattock run|lab|bench|site|vehicle|shot|check ...`, `--help`, `--version`.
// Does not: simulate anything itself.
#ifndef APP_H
#define APP_H

#include "base/base_arena.h"
#include "base/base_yaml.h"
#include "material/material.h"

// `mattock run SITE --headless`: a machine at work, and a report.
int app_run(int argc, char** argv);

// `mattock play SITE`: the trainer, straight onto a site.
int app_play(int argc, char** argv);

// `mattock pictures`: what the trainer looks like.
int app_pictures(int argc, char** argv);

// `mattock replay FILE`: a recorded lesson simulated again.
int app_replay(int argc, char** argv);

// `mattock report FILE... --out DIR`: a page about each recorded lesson.
int app_report(int argc, char** argv);

// `mattock records`: whose lessons are kept here.
int app_records(int argc, char** argv);

// `mattock check FILE...`; argv[0] is the word "check".
int app_check(int argc, char** argv);

// `mattock site FILE`: a plan, a section and the masses of a site.
int app_site(int argc, char** argv);

// `mattock vehicle FILE`: the parts of a machine, and pictures of it.
int app_vehicle(int argc, char** argv);

// `mattock shot SITE`: a picture, without a screen.
int app_shot(int argc, char** argv);

// `mattock soak`: all lessons in turn, levers by chance, for hours.
int app_soak(int argc, char** argv);

// `mattock selftest`: is this computer, as it stands now, fit for lessons?
int app_selftest(int argc, char** argv);

// `mattock bench`: `render` here, everything without a window in bench.
int app_bench(int argc, char** argv);

// The materials in `path`, or those that come with the program when it is NULL.
bool app_load_materials(const char* path, BaseArena* arena, MaterialSet* out, BaseYamlError* error);

// `mattock` alone: the trainer with its menu; without a display app_demo().
int app_menu(void);

// The standard dig without a window, by the built-in operator: leaves a report and pictures.
int app_demo(void);

#endif
