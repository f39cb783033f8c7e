#include "bench/bench_bed.h"

#include "lab/lab_scene.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BENCH_BED_WALLS    5    // floor and four sides, in the order of lab_scene_bed()
#define BENCH_BED_FRICTION 0.5f // grains and walls, as other engines are given it
#define BENCH_BED_POUR_S   10.0 // s at most until the poured bed is still
#define BENCH_BED_QUIET    60   // frames in a row that kept their list
#define BENCH_BED_REST_S   2.0  // s at most until another kernel has found its own rest

// Layers of a bed that is as high as wide: the cube root, without libm.
static int bed_layers(int grains)
{
    int layers = 1;
    while ((layers + 1) * (layers + 1) * (layers + 1) <= grains) {
        ++layers;
    }
    return layers;
}

static LabSetup bed_setup(SoilKernel kernel, int grains)
{
    LabSetup setup = lab_scene_setup(kernel, grains);
    setup.friction = BENCH_BED_FRICTION;
    return setup;
}

// Mean speeds hide the last grain that still rolls, and one is enough to spoil a kept list: wait
// until lists are kept, or for so many seconds.
static void settle(Soil* soil, Jobs* jobs, double seconds)
{
    int frames = (int)(seconds / (double)soil_definition(soil)->dt);
    for (int i = 0, quiet = 0; i < frames && quiet < BENCH_BED_QUIET; ++i) {
        soil_step(soil, jobs);
        quiet = soil_stats(soil)->list_builds == 0 ? quiet + 1 : 0;
    }
}

Soil* bench_bed_pour(int grains, int layers, Jobs* jobs)
{
    LabSetup setup = bed_setup(SOIL_KERNEL_SPLIT, grains);
    int depth = layers > 0 ? layers : bed_layers(grains);
    Soil* bed = lab_scene_bed(&setup, depth, BENCH_BED_POUR_S, jobs);
    if (bed) {
        settle(bed, jobs, BENCH_BED_POUR_S);
    }
    return bed;
}

static void copy_walls(Soil* from, Soil* to)
{
    for (int b = 0; b < BENCH_BED_WALLS; ++b) {
        soil_add_boundary(to, soil_boundary(from, b));
    }
}

static void copy_grains(const Soil* from, Soil* to)
{
    const SoilState* s = soil_state(from);
    for (int i = 0; i < s->count; ++i) {
        soil_spawn(to, vec3(s->px[i], s->py[i], s->pz[i]), vec3(s->vx[i], s->vy[i], s->vz[i]),
                   s->radius[i], s->mass[i], s->material[i]);
    }
}

// Pages of this process that are really there: the solver reserves more addresses than it touches.
static size_t resident_bytes(void)
{
    malloc_trim(0); // what was freed is not in use
    long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%*d %ld", &pages) != 1) {
            pages = 0;
        }
        fclose(file);
    }
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static Soil* load_copy(Soil* bed, const void* snapshot, size_t size)
{
    Soil* soil = soil_create(soil_definition(bed));
    if (!soil) {
        return NULL;
    }
    copy_walls(bed, soil);
    if (!soil_snapshot_load(soil, snapshot, size)) {
        soil_destroy(soil);
        return NULL;
    }
    return soil;
}

static Soil* copy_state(Soil* bed)
{
    size_t size = soil_snapshot_size(bed);
    void* snapshot = malloc(size);
    Soil* soil = NULL;
    if (snapshot) {
        soil_snapshot_save(bed, snapshot);
        soil = load_copy(bed, snapshot, size);
    }
    free(snapshot);
    return soil;
}

Soil* bench_bed_clone(Soil* bed, Jobs* jobs, size_t* bytes)
{
    size_t before = resident_bytes();
    Soil* soil = copy_state(bed);
    if (soil) {
        // a new list, so that all memory is touched and every copy begins with the same one
        soil_touch(soil);
        soil_step(soil, jobs);
        size_t after = resident_bytes();
        *bytes = after > before ? after - before : 0;
    }
    return soil;
}

static bool same_settings(const SoilDef* def, BenchKernel kernel)
{
    return def->kernel == kernel.kernel && def->substeps == kernel.substeps &&
           def->iterations == kernel.iterations;
}

Soil* bench_bed_under(Soil* bed, BenchKernel kernel, Jobs* jobs)
{
    // the kernel that poured it goes on with the impulses it has stored
    if (same_settings(soil_definition(bed), kernel)) {
        return copy_state(bed);
    }
    LabSetup setup = bed_setup(kernel.kernel, soil_state(bed)->count);
    setup.substeps = kernel.substeps;
    setup.iterations = kernel.iterations;
    SoilDef def = lab_scene_def(&setup);
    Soil* soil = soil_create(&def);
    if (soil) {
        copy_walls(bed, soil);
        copy_grains(bed, soil);
        settle(soil, jobs, BENCH_BED_REST_S);
    }
    return soil;
}

double bench_bed_force_over_weight(Soil* bed)
{
    double down = 0.0;
    for (int b = 0; b < BENCH_BED_WALLS; ++b) {
        down -= soil_reaction(bed, b)->force[1];
    }
    double mass_kg = 1e-6 * (double)soil_state(bed)->mass_mg;
    return down / (mass_kg * -(double)soil_definition(bed)->gravity.y);
}

bool bench_bed_save(Soil* bed, const char* path)
{
    const SoilState* s = soil_state(bed);
    Vec3 low = vec3(soil_boundary(bed, 1)->position.x, soil_boundary(bed, 0)->position.y,
                    soil_boundary(bed, 3)->position.z);
    float side = soil_boundary(bed, 2)->position.x - low.x;
    FILE* file = fopen(path, "w");
    if (!file) {
        return false;
    }
    fprintf(file, "%.9g %.9g\n", (double)side, (double)s->radius[0]);
    for (int i = 0; i < s->count; ++i) {
        fprintf(file, "%.9g %.9g %.9g %.9g %.9g %.9g\n", (double)(s->px[i] - low.x),
                (double)(s->py[i] - low.y), (double)(s->pz[i] - low.z), (double)s->vx[i],
                (double)s->vy[i], (double)s->vz[i]);
    }
    bool written = !ferror(file);
    return fclose(file) == 0 && written;
}
