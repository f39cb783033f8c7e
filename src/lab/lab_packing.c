// packing - how much room do grains take? A bed of every material's grains is poured, and the part of
// its bulk that is grain is measured away from floor, walls and top. A newborn grain stands for as much
// loose soil as its sphere takes up in such a bed (docs/coupling.md).
#include "coupling/coupling.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define PACKING_GRAINS 6000
#define PACKING_QUICK  2500
#define PACKING_LAYERS 12
#define PACKING_SETTLE 6.0 // s, at most
#define PACKING_EDGE   2.0 // d that stay away from floor, walls and top: grains lie in layers there
#define PACKING_NEAR   0.04 // what grains of one figure for all materials may be off

// Part of a sphere's volume that lies below a plane `over` radii above its middle.
static double part_below(double over)
{
    double t = fmin(1.0, fmax(-1.0, over));
    return 0.25 * (2.0 + 3.0 * t - t * t * t);
}

// The same between two planes.
static double part_between(double at, double low, double high, double radius)
{
    return part_below((high - at) / radius) - part_below((low - at) / radius);
}

double lab_packing_of(const Soil* soil, double half)
{
    const SoilState* s = soil_state(soil);
    double grains = 0.0, bulk = 0.0, d = 2.0 * (double)s->radius[0], top = 0.0;
    // mean height of a bed is twice that of its grains
    for (int i = 0; i < s->count; ++i)
        top += 2.0 * (double)s->py[i] / s->count;
    double side = half - PACKING_EDGE * d, low = PACKING_EDGE * d, high = top - PACKING_EDGE * d;
    for (int i = 0; i < s->count; ++i) {
        double r = (double)s->radius[i];
        grains += 4.0 / 3.0 * BASE_PI * r * r * r * part_between((double)s->px[i], -side, side, r) *
                  part_between((double)s->py[i], low, high, r) *
                  part_between((double)s->pz[i], -side, side, r);
    }
    bulk = 4.0 * side * side * (high - low);
    return side > d && high - low > d ? grains / bulk : (double)NAN;
}

void lab_packing_run(LabRun* run)
{
    LabSoils soils;
    if (!lab_load_calibrated(run, &soils))
        return;
    lab_table_columns(&run->report->table, "material,packing");
    for (int m = 0; m < soils.set.count && !run->report->failed; ++m) {
        const char* name = soils.set.materials[m].name;
        LabSetup setup = lab_setup(run, SOIL_KERNEL_SPLIT, PACKING_GRAINS, PACKING_QUICK);
        char key[LAB_NAME_MAX];
        lab_part(run, 1.0 / soils.set.count);
        if (!lab_use_material(run, &soils, name, &setup))
            break;
        Soil* soil = lab_scene_bed(&setup, PACKING_LAYERS, PACKING_SETTLE, run->jobs);
        if (!lab_made(run, soil))
            break;
        double packing = lab_packing_of(soil, (double)soil_boundary(soil, 2)->position.x);
        snprintf(key, sizeof key, "%s.packing", name);
        lab_report_near(run->report, key, "", packing, (double)coupling_def(setup.radius).packing,
                        PACKING_NEAR);
        lab_table_row(&run->report->table, (double[]){m, packing});
        lab_finish(run, soil);
    }
    lab_free_soils(&soils);
}
