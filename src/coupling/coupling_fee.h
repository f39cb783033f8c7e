// coupling_fee - the fundamental equation of earthmoving: what a wedge of soil holds against a blade.
//
// Does:     force per width of blade that makes the wedge ahead of it fail (Reece 1964), with weight,
//           cohesion, adhesion and surcharge; resistance of a point that is pushed into soil.
// Does not: know ground, grains or machines.
// Units:    SI, rad. Angles of rake and failure are measured from the ground's line.
// Domain:   the equation has a pole where the wedge cannot be pushed out any more (rake near
//           180 deg less the frictions). The rake is held inside the domain, so that force is
//           continuous for every attitude of the tool.
#ifndef COUPLING_FEE_H
#define COUPLING_FEE_H

#include <stdbool.h>

#define COUPLING_FEE_RAKES 64 // of the table

typedef struct CouplingFeeSoil {
    float friction;       // rad, of soil in itself
    float steel_friction; // rad
    float steel_adhesion; // Pa
} CouplingFeeSoil;

// The numbers N for one rake.
typedef struct CouplingFeeFactors {
    float failure; // rad, beta: where N_gamma is least
    float weight, cohesion, adhesion, surcharge;
} CouplingFeeFactors;

// All rakes of one soil, so that nothing is minimised in a step.
typedef struct CouplingFeeTable {
    CouplingFeeSoil soil;
    float rake_min, rake_max; // rad
    CouplingFeeFactors at[COUPLING_FEE_RAKES];
    float point_cohesion, point_depth; // N_c, N_q of a point: Prandtl and Reissner
} CouplingFeeTable;

// What meets the blade.
typedef struct CouplingFeeCut {
    float rake;      // rad, blade from the ground's line ahead
    float depth;     // m, of the edge below that line
    float density;   // kg/m3
    float cohesion;  // Pa
    float surcharge; // Pa
    float gravity;   // m/s2
} CouplingFeeCut;

typedef struct CouplingFeeForce {
    float draft; // N/m, on the blade against its way
    float down;  // N/m, on the blade into the ground; negative lifts it
    float reach; // m, from the edge to where the failure meets the surface
} CouplingFeeForce;

// By minimising over beta, as accurate as float allows; rake must lie in the domain.
CouplingFeeFactors coupling_fee_factors(const CouplingFeeSoil* soil, float rake);
void coupling_fee_table(const CouplingFeeSoil* soil, CouplingFeeTable* out);
// 0 for a cut without depth.
CouplingFeeForce coupling_fee_force(const CouplingFeeTable* table, const CouplingFeeCut* cut);
// Pa on the end of a tooth or plate that is pushed in along its length.
float coupling_fee_point(const CouplingFeeTable* table, const CouplingFeeCut* cut);

#endif
