// dig - the standard dig, shortened: the expert loads a truck with loam. Prints one line per worker
// count: "dig isa workers hash contacts grains", both summed over the steps.
//
//   usage: dig [STEPS [WORKERS,... [ISA,...]]]
//
// dig.sh compares the lines of many builds; tests/bench/dig.sh counts instructions.
#include "sim/sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool run(int steps, int workers, const char* isa)
{
    SimDef def = {.site = "config/sites/loam.yaml",
                  .materials = "config/materials.yaml",
                  .calibration = "config/calibration.yaml",
                  .vehicle = "vehicles/excavator_22t.yaml",
                  .truck = "vehicles/truck_24t.yaml",
                  .kind = OPERATOR_EXPERT,
                  .program = OPERATOR_TRUCK,
                  .depth = 1.5f,
                  .place = {-4.0f, 0.0f, 0.0f},
                  .radius = 0.04f,
                  .pool = 16000,
                  .births = 600,
                  .threads = workers,
                  .seconds = 1e6,
                  .seed = 1};
    BaseYamlError error;
    Sim* sim = sim_create(&def, &error);
    if (!sim) {
        fprintf(stderr, "dig: %s\n", error.text[0] ? error.text : "out of memory");
        return false;
    }
    World* world = sim_world(sim);
    Terrain* bed = coupling_bin_ground(world_coupling(world), 0);
    if (!soil_use_isa(world_soil(world), isa) || !terrain_use_isa(world_terrain(world), isa) ||
        !terrain_use_isa(bed, isa)) {
        fprintf(stderr, "dig: this CPU has no %s\n", isa);
        sim_destroy(sim);
        return true;
    }
    int64_t contacts = 0, grains = 0;
    for (int n = 0; n < steps && sim_step(sim); ++n) {
        contacts += world_profile(world)->contacts;
        grains += world_profile(world)->grains;
    }
    bool fine = sim_sound(sim);
    printf("dig %s %d %016" PRIx64 " %" PRId64 " %" PRId64 "%s\n", isa, workers,
           world_hash(world).total, contacts, grains, fine ? "" : " bad");
    fflush(stdout);
    sim_destroy(sim);
    return fine;
}

int main(int argc, char** argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 690; // one bucket, dumped
    char workers[64], isas[64], *mark[2];
    bool fine = steps > 0;
    snprintf(isas, sizeof isas, "%s", argc > 3 ? argv[3] : "sse2,avx2");
    for (char* isa = strtok_r(isas, ",", &mark[0]); isa; isa = strtok_r(NULL, ",", &mark[0])) {
        snprintf(workers, sizeof workers, "%s", argc > 2 ? argv[2] : "1");
        for (char* w = strtok_r(workers, ",", &mark[1]); w; w = strtok_r(NULL, ",", &mark[1])) {
            fine = run(steps, atoi(w), isa) && fine;
        }
    }
    return fine ? 0 : 1;
}
