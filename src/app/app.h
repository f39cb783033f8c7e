// app - the program: finds the subcommand and hands the rest of the command line to it.
//
// Does:     `mattock`, `mattock lab|bench|check ...`, `--help`, `--version`.
// Does not: simulate anything itself.
#ifndef APP_H
#define APP_H

// `mattock check FILE...`; argv[0] is the word "check".
int app_check(int argc, char** argv);

// `mattock` alone: a short show of the grains, with pictures.
int app_demo(void);

#endif
