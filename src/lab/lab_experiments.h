// lab_experiments - the experiments, one file each; lab.c lists them.
#ifndef LAB_EXPERIMENTS_H
#define LAB_EXPERIMENTS_H

#include "lab/lab.h"
#include "lab/lab_measure.h"

void lab_spring_run(LabRun* run);
void lab_chain_run(LabRun* run);
void lab_incline_run(LabRun* run);
void lab_bed_run(LabRun* run);
void lab_pile_run(LabRun* run);
void lab_stiffness_run(LabRun* run);
void lab_wall_run(LabRun* run);
void lab_packing_run(LabRun* run);
void lab_column_run(LabRun* run);
void lab_hopper_run(LabRun* run);
void lab_calibrate_run(LabRun* run);
void lab_slope_run(LabRun* run);
void lab_ledger_run(LabRun* run);
void lab_face_run(LabRun* run);
void lab_strata_run(LabRun* run);
void lab_swell_run(LabRun* run);
void lab_settle_run(LabRun* run);
void lab_avalanche_run(LabRun* run);
void lab_bin_run(LabRun* run);
void lab_fee_run(LabRun* run);
void lab_blade_run(LabRun* run);
void lab_leak_run(LabRun* run);
void lab_payload_run(LabRun* run);
void lab_controls_run(LabRun* run);
void lab_stall_run(LabRun* run);
void lab_clay_run(LabRun* run);
void lab_ridge_run(LabRun* run);
void lab_fill_run(LabRun* run);
void lab_plank_run(LabRun* run);
void lab_wheel_run(LabRun* run);
void lab_machine_hold_run(LabRun* run);
void lab_machine_jack_run(LabRun* run);
void lab_machine_lift_run(LabRun* run);
void lab_machine_travel_run(LabRun* run);
void lab_machine_reach_run(LabRun* run);
void lab_machine_strokes_run(LabRun* run);
void lab_machine_swing_run(LabRun* run);
void lab_machine_digforce_run(LabRun* run);
void lab_machine_pump_run(LabRun* run);

// Pours a cone and measures its slope; NULL after lab_fail(). The caller ends it with lab_finish().
Soil* lab_pile_pour(LabRun* run, const LabSetup* setup, const SoilDef* def, LabSlope* slope);

// Takes the wall of a slab away, waits for rest and measures the slope, in `heaps` slabs of
// successive seeds, since heaps differ by a degree or two. Returns the first of them after
// `drift_seconds` more, or NULL after lab_fail().
typedef struct LabWall {
    double degrees; // mean over the heaps
    double spread;  // degrees between the flattest and the steepest heap
    double drift;   // degrees by which the first heap changed
    LabSlope slope; // of the first heap
} LabWall;
// Part of a poured bed's bulk that is grain, away from floor, walls (at +-half) and top.
double lab_packing_of(const Soil* soil, double half);
int lab_wall_grains(const LabRun* run); // in a slab as high as of 6,000 grains of 50 mm
Soil* lab_wall_remove(LabRun* run, const LabSetup* setup, int heaps, double drift_seconds,
                      LabWall* out);

#endif
