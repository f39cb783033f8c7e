// golden - prints the state hash of standard scenes for kernels x instruction sets x workers. The
// ground counts as one more kernel, and so do the works, where ground, grains, a bin and a bucket
// change places, machines driven hard, and a machine worked by a script of levers.
//
//   usage: golden [--workers 1,2,3] [--isa sse2,avx2]
//
// One line each: "kernel isa workers hash"; an instruction set that this CPU lacks is told on
// stderr and left out. golden.sh compares the lines with each other and with hashes.txt.
#include "base/base_hash.h"
#include "lab/lab_machine_scene.h"
#include "scenes/scenes_churn.h"
#include "scenes/scenes_ground.h"
#include "scenes/scenes_levers.h"
#include "scenes/scenes_works.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAMES   120 // 2 s: fall, pile up, be ploughed
#define GROUND   SOIL_KERNEL_COUNT
#define WORKS    (SOIL_KERNEL_COUNT + 1)
#define MACHINE  (WORKS + 1)
#define LEVERS   (MACHINE + 1)
#define MACHINES 3 // side by side, each from another place

static bool run(SoilKernel kernel, const char* isa, int workers)
{
    Soil* soil = scenes_churn_create(kernel);
    Jobs* jobs = jobs_create(workers);
    if (!soil || !jobs) {
        fprintf(stderr, "golden: out of memory\n");
        return false;
    }
    bool fine = true;
    if (soil_use_isa(soil, isa)) {
        for (int i = 0; i < FRAMES; ++i) {
            scenes_churn_step(soil, jobs);
        }
        fine = soil_find_bad(soil) < 0;
        printf("%s %s %d %016" PRIx64 "%s\n", soil_kernel_name(kernel), isa, workers,
               soil_hash(soil), fine ? "" : " bad");
    } else {
        fprintf(stderr, "golden: this CPU has no %s\n", isa);
    }
    jobs_destroy(jobs);
    soil_destroy(soil);
    return fine;
}

// Digs, deposits, collapses and slides on 85 x 70 columns; bad when a milligram is missing.
static bool run_ground(const char* isa, int workers)
{
    Terrain* terrain = scenes_ground_create(85, 70);
    Jobs* jobs = jobs_create(workers);
    if (!terrain || !jobs) {
        fprintf(stderr, "golden: out of memory\n");
        return false;
    }
    bool fine = true;
    if (terrain_use_isa(terrain, isa)) {
        ScenesGround chance = scenes_ground_chance(2024);
        for (int i = 0; i < FRAMES; ++i) {
            scenes_ground_step(terrain, &chance, jobs);
        }
        fine = terrain_audit(terrain);
        printf("ground %s %d %016" PRIx64 "%s\n", isa, workers, terrain_hash(terrain),
               fine ? "" : " bad");
    } else {
        fprintf(stderr, "golden: this CPU has no %s\n", isa);
    }
    jobs_destroy(jobs);
    terrain_destroy(terrain);
    return fine;
}

// Everything on 33 x 27 columns with a small pool; bad when a milligram is missing.
static bool run_works(const char* isa, int workers)
{
    ScenesWorks* works = scenes_works_create(33, 27, 500, 2024);
    Jobs* jobs = jobs_create(workers);
    if (!works || !jobs) {
        fprintf(stderr, "golden: out of memory\n");
        return false;
    }
    bool fine = true;
    if (soil_use_isa(works->soil, isa) && terrain_use_isa(works->terrain, isa) &&
        terrain_use_isa(coupling_bin_ground(works->coupling, works->bin), isa)) {
        for (int i = 0; i < FRAMES; ++i) {
            scenes_works_step(works, 8, jobs);
        }
        fine = coupling_audit(works->coupling) && soil_find_bad(works->soil) < 0;
        printf("works %s %d %016" PRIx64 "%s\n", isa, workers, coupling_hash(works->coupling),
               fine ? "" : " bad");
    } else {
        fprintf(stderr, "golden: this CPU has no %s\n", isa);
    }
    jobs_destroy(jobs);
    scenes_works_destroy(works);
    return fine;
}

static void machine_block(void* context, int block, int begin, int end)
{
    (void)block;
    MachineGround ground = lab_machine_hills();
    for (int i = begin; i < end; ++i)
        for (int frame = 0; frame < 3 * FRAMES; ++frame)
            lab_machine_frame(((Machine**)context)[i], &ground, frame);
}

// Three excavators, driven as hard as they can on hilly ground.
static bool run_machine(const char* isa, int workers)
{
    static MachineDef def;
    BaseArena arena;
    BaseYamlError error;
    Machine* machine[MACHINES] = {NULL};
    Jobs* jobs = jobs_create(workers);
    if (!jobs || !base_arena_init(&arena, 64u << 20) ||
        !machine_load("tests/golden/excavator.yaml", &arena, &def, &error)) {
        fprintf(stderr, "golden: no vehicle or no memory\n");
        return false;
    }
    for (int i = 0; i < MACHINES; ++i) {
        machine[i] = machine_create(&def);
        machine_place(machine[i], vec3(7.0f * (float)i, 1.0f, 3.0f), 0.4f * (float)i);
    }
    jobs_for(jobs, MACHINES, 1, machine_block, machine);
    uint64_t hash = 0;
    bool fine = true;
    for (int i = 0; i < MACHINES; ++i) {
        uint64_t one = machine_hash(machine[i]);
        hash = base_hash(&one, sizeof one, hash);
        fine = fine && machine_state(machine[i])->resets == 0;
        machine_destroy(machine[i]);
    }
    printf("machine %s %d %016" PRIx64 "%s\n", isa, workers, hash, fine ? "" : " bad");
    jobs_destroy(jobs);
    base_arena_free(&arena);
    return fine;
}

// A dig from a script of levers: input, hydraulics, engine and rig. One hash for frames and machine.
static bool run_levers(const char* isa, int workers)
{
    static ScenesLevers scene;
    if (!scenes_levers_create(&scene, "tests/golden/excavator.yaml", "tests/scenes/dig.levers")) {
        fprintf(stderr, "golden: %s\n", scene.error.text);
        return false;
    }
    while (scenes_levers_frame(&scene)) {
    }
    uint64_t end = machine_hash(scene.machine);
    bool fine = machine_state(scene.machine)->resets == 0;
    printf("levers %s %d %016" PRIx64 "%s\n", isa, workers,
           base_hash(&end, sizeof end, scene.inputs), fine ? "" : " bad");
    scenes_levers_destroy(&scene);
    return fine;
}

static bool run_one(int kernel, const char* isa, int workers)
{
    switch (kernel) {
    case GROUND: return run_ground(isa, workers);
    case WORKS: return run_works(isa, workers);
    case MACHINE: return run_machine(isa, workers);
    case LEVERS: return run_levers(isa, workers);
    default: return run((SoilKernel)kernel, isa, workers);
    }
}

static bool run_workers(int kernel, const char* isa, const char* list)
{
    bool fine = true;
    for (char* end; *list; list = *end == ',' ? end + 1 : end) {
        int workers = (int)strtol(list, &end, 10);
        if (end == list || workers < 1 || workers > JOBS_WORKERS_MAX) {
            fprintf(stderr, "golden: --workers takes numbers from 1 to %d\n", JOBS_WORKERS_MAX);
            return false;
        }
        fine = run_one(kernel, isa, workers) && fine;
    }
    return fine;
}

int main(int argc, char** argv)
{
    const char *workers = "1", *isa = "sse2,avx2";
    for (int i = 1; i < argc; i += 2) {
        const char** target = !strcmp(argv[i], "--workers") ? &workers
                              : !strcmp(argv[i], "--isa")   ? &isa
                                                            : NULL;
        if (!target || i + 1 == argc) {
            fprintf(stderr, "usage: golden [--workers 1,2,3] [--isa sse2,avx2]\n");
            return 2;
        }
        *target = argv[i + 1];
    }
    bool fine = true;
    for (int k = 0; k <= LEVERS; ++k) {
        for (const char* name = isa; *name; name += strcspn(name, ","), name += *name == ',') {
            char one[8];
            snprintf(one, sizeof one, "%.*s", (int)strcspn(name, ","), name);
            fine = run_workers(k, one, workers) && fine;
        }
    }
    return fine ? 0 : 1;
}
