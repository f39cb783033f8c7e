// dig - loads a site, digs one bucket by hand, weighs it, and lets the built-in operator dig another.
//
//   cc dig.c -I include -L lib -lmattock && ./a.out [SITE]
#include "sim/mattock.h"

#include <stdio.h>
#include <stdlib.h>

// Holds the levers of boom, stick and bucket for some seconds.
static void hold(Mattock* world, double seconds, double boom, double stick, double bucket)
{
    double levers[MATTOCK_LEVERS] = {0};
    levers[MATTOCK_BOOM] = boom, levers[MATTOCK_STICK] = stick, levers[MATTOCK_BUCKET] = bucket;
    for (int i = 0; i < (int)(seconds * MATTOCK_RATE); ++i) {
        mattock_step(world, levers);
    }
}

int main(int argc, char** argv)
{
    char why[512];
    MattockSetup setup = {.site = argc > 1 ? argv[1] : "loam", .x = -4.0};
    Mattock* world = mattock_create(&setup, why, sizeof why);
    if (!world) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    // stick out, boom down into the ground, draw in, curl, lift
    hold(world, 2.0, 0.0, -0.8, 0.0);
    hold(world, 1.6, -0.6, 0.0, 0.0);
    hold(world, 2.2, 0.12, 0.8, 0.1);
    hold(world, 2.0, 0.3, 0.1, 1.0);
    hold(world, 1.5, 0.8, 0.0, 0.3);
    hold(world, 1.0, 0.0, 0.0, 0.0);

    MattockMachine machine;
    mattock_machine(world, 0, &machine);
    printf("by hand: %.0f kg after %.1f s, %d grains, %.2f L of fuel\n", machine.payload,
           mattock_time(world), mattock_grain_count(world), machine.fuel);

    // the same again from a snapshot gives the same bits
    size_t size = mattock_snapshot_size(world);
    void* kept = malloc(size);
    mattock_snapshot(world, kept);
    int steps = 0, fine = mattock_employ(world, "pit", 1.0, 1, 1);
    uint64_t hash[2] = {0, 0};
    for (int turn = 0; turn < 2; ++turn) {
        fine = fine && (turn == 0 || mattock_restore(world, kept, size));
        fine = fine && mattock_employ(world, "pit", 1.0, 1, 1);
        double most = 0.0;
        for (; mattock_work(world, NULL); ++steps) {
            mattock_machine(world, 0, &machine);
            most = machine.payload > most ? machine.payload : most;
        }
        hash[turn] = mattock_hash(world);
        printf("operator: at most %.0f kg, %016llx\n", most, (unsigned long long)hash[turn]);
        fine = fine && most > 500.0;
    }
    fine = fine && steps > 0 && hash[0] == hash[1] && mattock_imbalance(world) == 0;
    printf("%s\n", fine ? "same bits, nothing lost" : "SOMETHING IS WRONG");
    free(kept);
    mattock_destroy(world);
    return fine ? 0 : 1;
}
