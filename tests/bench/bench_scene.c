// bench_scene - one standard scene for callgrind.sh: settle a bed, then count a few frames of it.
//
//   usage: bench_scene KERNEL ISA GRAINS FRAMES
//
// One thread. The bed is dropped and falls for a second before the counting, which is switched on
// only around soil_step(), so that nothing else is in the sum. The list is rebuilt in every frame.
#include "base/base_random.h"
#include "soil/soil.h"

#include <stdio.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

#define RADIUS  0.05f    // m
#define MASS    1361357u // mg, 2600 kg/m3
#define SETTLE  75       // frames
#define SPACING 1.08f    // of the dropped grid, in diameters

// A grid as wide as the box; the bed ends about as high as wide.
static void drop_grains(Soil* soil, int grains, int across)
{
    BaseRandom random = base_random(7);
    float pitch = SPACING * 2.0f * RADIUS, shake = 0.3f * (pitch - 2.0f * RADIUS);
    for (int i = 0; i < grains; ++i) {
        float x = pitch * ((float)(i % across) + 0.5f);
        float z = pitch * ((float)(i / across % across) + 0.5f);
        float y = pitch * ((float)(i / (across * across)) + 0.5f);
        Vec3 jitter;
        jitter.x = base_random_range(&random, -shake, shake);
        jitter.y = base_random_range(&random, -shake, shake);
        jitter.z = base_random_range(&random, -shake, shake);
        soil_spawn(soil, vec3_add(vec3(x, y, z), jitter), vec3(0, 0, 0), RADIUS, MASS, 0);
    }
}

static Soil* create(SoilKernel kernel, int grains)
{
    SoilDef def = soil_def(kernel, grains, RADIUS);
    if (kernel != SOIL_KERNEL_SPLIT) {
        // the settings of `mattock bench`
        def.substeps = 1;
        def.iterations = kernel == SOIL_KERNEL_P2 ? 10 : 40;
    }
    Soil* soil = soil_create(&def);
    if (!soil) {
        return NULL;
    }
    int across = 1;
    while (across * across * across < grains) {
        ++across;
    }
    float side = SPACING * 2.0f * RADIUS * (float)across;
    SoilBoundary wall[] = {
        soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.5f),
        soil_plane(vec3(0, 0, 0), vec3(1, 0, 0), 0.5f),
        soil_plane(vec3(side, 0, 0), vec3(-1, 0, 0), 0.5f),
        soil_plane(vec3(0, 0, 0), vec3(0, 0, 1), 0.5f),
        soil_plane(vec3(0, 0, side), vec3(0, 0, -1), 0.5f),
    };
    for (size_t i = 0; i < sizeof wall / sizeof *wall; ++i) {
        soil_add_boundary(soil, &wall[i]);
    }
    drop_grains(soil, grains, across);
    return soil;
}

static void run(Soil* soil, Jobs* jobs, int frames)
{
    for (int i = 0; i < SETTLE; ++i) {
        soil_step(soil, jobs);
    }
    for (int i = 0; i < frames; ++i) {
        soil_touch(soil);
        CALLGRIND_START_INSTRUMENTATION;
        soil_step(soil, jobs);
        CALLGRIND_STOP_INSTRUMENTATION;
    }
}

int main(int argc, char** argv)
{
    SoilKernel kernel;
    int grains = argc == 5 ? atoi(argv[3]) : 0, frames = argc == 5 ? atoi(argv[4]) : 0;
    if (grains < 1 || frames < 1 || !soil_kernel_from_name(argv[1], &kernel)) {
        fprintf(stderr, "usage: bench_scene KERNEL ISA GRAINS FRAMES\n");
        return 2;
    }
    Soil* soil = create(kernel, grains);
    Jobs* jobs = jobs_create(1);
    if (!soil || !jobs) {
        fprintf(stderr, "bench_scene: out of memory\n");
        return 4;
    }
    if (!soil_use_isa(soil, argv[2])) {
        fprintf(stderr, "bench_scene: no %s here\n", argv[2]);
        return 3;
    }
    run(soil, jobs, frames);
    printf("%lld slots\n", (long long)soil_stats(soil)->slots);
    jobs_destroy(jobs);
    soil_destroy(soil);
    return 0;
}
