// lab_mjcf - `mattock lab mjcf VEHICLE`: a vehicle's bodies and joints in MuJoCo's format, on stdout,
// so that the rig can be compared with an engine of other people.
#ifndef LAB_MJCF_H
#define LAB_MJCF_H

#include "machine/machine_def.h"

#include <stdio.h>

// argv[0] is the word "mjcf".
int lab_mjcf_main(int argc, char** argv);

// Bodies, masses, joints with their damping and the inertia of motors. Cylinders, tracks and shapes
// are left out: forces are applied to joints. False when the file refused.
bool lab_mjcf_write(const MachineDef* def, FILE* file);

#endif
