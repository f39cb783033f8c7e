// lab_ground - what the experiments on the ground have in common.
#ifndef LAB_GROUND_H
#define LAB_GROUND_H

#include "lab/lab.h"
#include "terrain/terrain.h"

// The soil of a material file as the ground knows it.
TerrainMaterial lab_ground_material(const Material* material);
// nx x nz columns of 0.1 m with the first materials of the set, in its order.
TerrainDef lab_ground_def(const MaterialSet* set, int nx, int nz);

// A terrain, or lab_fail() and false.
bool lab_ground_made(LabRun* run, const Terrain* terrain);
// Takes its state into the report's hash, counts its columns, judges the balance and destroys it.
void lab_ground_finish(LabRun* run, Terrain* terrain);

// Steps (and lets faces fall) until nothing moves, for at most `seconds`; returns the seconds.
double lab_ground_settle(Terrain* terrain, Jobs* jobs, double seconds);

#endif
