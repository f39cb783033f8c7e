// machine_linkage - how long a cylinder is at a joint value and how fast it grows, in closed form.
//
// Method:   pin to pin; through a four-bar the knee is where the circles of idler and link meet.
#ifndef MACHINE_LINKAGE_H
#define MACHINE_LINKAGE_H

#include "machine/machine_def.h"
#include "machine/machine_math.h"

typedef struct MachineReach {
    double length; // m, pin to pin
    double arm;    // d length / d joint value
    D3 end;        // m, of the rod's pin, in the frame of the cylinder's first body
    bool closes;   // false when idler and link do not meet; then the nearest they come
} MachineReach;

MachineReach machine_reach(const MachineDef* def, int cylinder, double joint);

// Least and greatest joint value that the cylinder's stroke allows within lo..hi; false when the
// stroke holds none of them.
bool machine_reach_range(const MachineDef* def, int cylinder, double* lo, double* hi);

#endif
