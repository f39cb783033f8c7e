// growth - one of the worlds of `mattock bench growth`, for growth.sh: instructions are counted only
// inside world_step(), once it is under way.
//
//   usage: growth dig | wide | pour GRAINS
#include "bench/bench_growth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#define DIG_WARM  150 // steps: the bucket is about to touch the ground
#define DIG_STEPS 90  // a full second and a half, so that the books are counted in it
#define POUR      45  // steps: it falls and lies on top of each other

static int dig(bool wide)
{
    Sim* sim = bench_growth_dig(wide);
    for (int n = 0; sim && n < DIG_WARM + DIG_STEPS; ++n) {
        InputFrame input[WORLD_MACHINES_MAX];
        memset(input, 0, sizeof input);
        sim_hands_step(sim, &input[0]);
        input[1].lever[INPUT_BRAKE] = INPUT_FULL;
        if (n >= DIG_WARM) {
            CALLGRIND_START_INSTRUMENTATION;
        }
        world_step(sim_world(sim), input);
        CALLGRIND_STOP_INSTRUMENTATION;
    }
    bool fine = sim && sim_sound(sim);
    if (fine) {
        printf("%d grains\n", world_profile(sim_world(sim))->grains);
    }
    sim_destroy(sim);
    return fine ? 0 : 1;
}

static int pour(int grains)
{
    World* world = bench_growth_pour(grains);
    const InputFrame idle = {0};
    for (int n = 0; world && n < POUR; ++n) {
        CALLGRIND_START_INSTRUMENTATION;
        world_step(world, &idle);
        CALLGRIND_STOP_INSTRUMENTATION;
    }
    bool fine = world && world_audit(world);
    if (fine) {
        printf("%d grains\n", world_profile(world)->grains);
    }
    world_destroy(world);
    return fine ? 0 : 1;
}

int main(int argc, char** argv)
{
    if (argc == 2 && strcmp(argv[1], "dig") == 0) {
        return dig(false);
    }
    if (argc == 2 && strcmp(argv[1], "wide") == 0) {
        return dig(true);
    }
    if (argc == 3 && strcmp(argv[1], "pour") == 0 && atoi(argv[2]) > 0) {
        return pour(atoi(argv[2]));
    }
    fprintf(stderr, "usage: growth dig | wide | pour GRAINS\n");
    return 2;
}
