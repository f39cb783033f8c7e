// lab_scene - the scenes that experiments, timings and tests share.
//
// Does:     fill boxes, cylinders and hoppers with grains that fell there, pour cones, take walls
//           away, and tell when a heap has come to rest.
// Does not: judge anything; see lab_measure for slopes and fronts.
// Units:    SI, +y up; d is a grain's diameter.
// Threads:  the simulation thread; soil_step() fans out through the jobs handed in.
#ifndef LAB_SCENE_H
#define LAB_SCENE_H

#include "base/base_random.h"
#include "soil/soil.h"

#define LAB_SCENE_RADIUS  0.05f  // m, a fist-sized clod: what the trainer digs with
#define LAB_SCENE_DENSITY 2600.0 // kg/m3 of the grain itself, quartz
#define LAB_SCENE_PACKING 0.56   // volume of grains over volume of a poured bed, about
#define LAB_SCENE_ROUGH   0.6f   // friction of the floor under the cones of P2, which names none
#define LAB_SCENE_REST    2e-6   // mean v2 over g d below which nothing visible moves

// What differs from run to run; lab_scene_setup() fills in the rest.
typedef struct LabSetup {
    SoilKernel kernel;
    int grains;
    int substeps;         // 0: the kernel's own
    int iterations;       // 0: the kernel's own
    float radius;         // m
    float friction;       // mu of grains against grains, static and kinetic
    float adhesion;       // Pa
    float floor_friction; // of cones; slabs and columns lie on a floor as rough as themselves
    uint64_t seed;
} LabSetup;

LabSetup lab_scene_setup(SoilKernel kernel, int grains);
SoilDef lab_scene_def(const LabSetup* setup);

// Integer mass of a sphere of the standard density, mg.
uint32_t lab_scene_mass(float radius);
// Grains that fill a volume (m3) when poured, and the other way round.
int lab_scene_count(double volume, float radius);
double lab_scene_volume(int grains, float radius);

// Layers of randomly placed grains that fill the box from `low` upwards without overlap; high.y is
// not looked at. They still have to fall. With `round` only the largest upright cylinder is filled.
// False when out of memory.
bool lab_scene_drop(Soil* soil, const LabSetup* setup, Vec3 low, Vec3 high, bool round);

double lab_scene_kinetic(const Soil* soil); // mean of v2 over g d, no unit
// Steps until the soil rests or `seconds` have passed; returns the seconds it took.
double lab_scene_settle(Soil* soil, Jobs* jobs, double seconds);
void lab_scene_run(Soil* soil, Jobs* jobs, double seconds);

// Each scene below returns NULL when out of memory. Open one of its walls with this.
void lab_scene_open(Soil* soil, int boundary);

// A bed about `layers` d deep, dropped into a box and settled for at most `seconds`. The floor and
// the walls are as rough as the grains. Boundary 0 is the floor, 1..4 the walls -x, +x, -z, +z.
Soil* lab_scene_bed(const LabSetup* setup, int layers, double seconds, Jobs* jobs);

// A cone on a rough floor (boundary 0), poured from a source that rises with the heap; then
// settled for at most `seconds`. The definition is the caller's, for options like sleeping.
Soil* lab_scene_cone(const LabSetup* setup, const SoilDef* def, double seconds, Jobs* jobs);

// A slab that leans on a smooth wall, in a channel with smooth sides: x in 0..length, three times
// as long as high. The floor is as rough as the grains. Boundaries: floor, back, sides -z and +z, and the wall to open.
#define LAB_SLAB_WALL  4
#define LAB_SLAB_WIDTH 10 // d, across the channel
typedef struct LabSlab {
    float length, height, width; // m
} LabSlab;
LabSlab lab_scene_slab_size(const LabSetup* setup);
Soil* lab_scene_slab(const LabSetup* setup, double seconds, Jobs* jobs);

// A cylinder of grains around the y axis, levelled at aspect * radius, held by a smooth wall, on
// a floor as rough as the grains. The number of grains follows; `column` must outlive the soil.
#define LAB_COLUMN_WALL 1
typedef struct LabColumn {
    float radius; // m, inner
    float aspect; // height over radius
} LabColumn;
Soil* lab_scene_column(const LabSetup* setup, const LabColumn* column, Jobs* jobs);

// A box with a flat bottom at y = 0 and a square hole in its middle, closed by a lid.
#define LAB_HOPPER_LID    4
#define LAB_HOPPER_PLACES 1024
typedef struct LabHopper {
    float width;                  // m, inner side of the box
    float orifice;                // m, side of the hole
    float top;                    // m, where fallen grains come in again
    int places, next;             // on top, used in a shuffled order
    int order[LAB_HOPPER_PLACES]; // [places]
    BaseRandom random;
} LabHopper;
Soil* lab_scene_hopper(const LabSetup* setup, LabHopper* hopper, float width, float orifice,
                       Jobs* jobs);
// One frame; grains that fell out go back to the top, so that the head stays. Returns how many.
int lab_scene_hopper_step(Soil* soil, LabHopper* hopper, Jobs* jobs);

#endif
