// lab_world - a small site with ground, grains and everything between them, for experiments.
#ifndef LAB_WORLD_H
#define LAB_WORLD_H

#include "coupling/coupling.h"
#include "lab/lab.h"
#include "lab/lab_measure.h"
#include "plot/plot_view.h"

typedef struct LabWorld {
    LabSoils soils; // both files; the first materials of the set are those of ground and grains
    Terrain* terrain;
    Soil* soil;
    Coupling* coupling;
    Jobs* jobs;
    int materials;
} LabWorld;

// nx x nz columns of 0.1 m and a pool of grains of this radius (m); --radius goes before it.
// False after lab_fail().
bool lab_world_make(LabRun* run, LabWorld* out, int nx, int nz, int pool, float radius);
// Number of a material; -1 after lab_fail() when the file has none of that name.
int lab_world_material(LabRun* run, const LabWorld* world, const char* name);
void lab_world_lay(LabWorld* world, int material, float depth); // everywhere

// A block of grains at random places, `half` wide to either side of `middle` and as high as it
// needs; returns how many the pool took.
int lab_world_drop(LabWorld* world, Vec3 middle, float half_x, float half_z, int count,
                   int material, uint64_t seed);

void lab_world_step(LabWorld* world);
int lab_world_grains(const LabWorld* world); // living
// Part of them whose middle is below the ground; 0 with fewer than a hundred.
#define LAB_WORLD_BURIED 0.01 // I3: more is a fault
double lab_world_buried(const LabWorld* world);
bool lab_world_still(const LabWorld* world); // no grains, and no slope moves
// Steps until it is still, for at most `seconds`; returns the seconds.
double lab_world_settle(LabWorld* world, double seconds);
double lab_world_dt(const LabWorld* world);     // s
double lab_world_volume(const LabWorld* world); // m3 between the surface and the origin's height
// Excess over all materials, mg, by the books; and 1 when a full count disagrees with them.
double lab_world_imbalance(const LabWorld* world);

// Mean slope of a heap around x, z between 20 and 80 % of its height over `floor`, degrees, in
// sixteen directions; the flattest and the steepest go to low and high where not NULL.
double lab_world_slope(const LabWorld* world, float x, float z, float floor, double* low,
                       double* high);

// A section along x through row j with the grains that are within `deep` m of it.
typedef struct LabSection {
    double lo[2], hi[2]; // m
    int row;
    double deep; // m
} LabSection;
PlotView lab_world_draw(LabRun* run, PlotRect area, const LabWorld* world, LabSection section);

// Into the report: hash, counts, verdict on the books. Then destroys it.
void lab_world_finish(LabRun* run, LabWorld* world);
void lab_world_destroy(LabWorld* world);

#endif
