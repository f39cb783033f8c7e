// bench_terrain - times the ground: a still site, and zones in which every column slides.
#ifndef BENCH_TERRAIN_H
#define BENCH_TERRAIN_H

// `mattock bench terrain ...`; argv[0] is the word "terrain". Returns the exit code.
int bench_terrain_main(int argc, char** argv);

#endif
