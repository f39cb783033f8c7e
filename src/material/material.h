// material - what soils are made of, as people know it, and the grains that behave like them.
//
// Does:     load config/materials.yaml (friction angle, cohesion, repose ...) and
//           config/calibration.yaml (grain friction and adhesion found by experiment).
// Does not: know the solver: grains without rotation need a smaller friction than tan(phi), and
//           how much smaller depends on the kernel named in the calibration.
// Units:    SI and radians inside; degrees and kPa live in files.
#ifndef MATERIAL_H
#define MATERIAL_H

#include "base/base_arena.h"
#include "base/base_yaml.h"

#include <stdint.h>
#include <stdio.h>

#define MATERIAL_MAX 64 // in one file

typedef struct Material {
    const char* name;
    float density_bank;   // kg/m3
    float density_loose;  // kg/m3
    float friction;       // rad, internal
    float cohesion;       // Pa, undisturbed
    float steel_friction; // rad
    float steel_adhesion; // Pa
    float repose;         // rad, slope of a heap
    float swell;          // loose volume over bank volume
} Material;

typedef struct MaterialSet {
    Material* materials; // [count]
    int count;
} MaterialSet;

// Grains that stand at a material's repose angle.
typedef struct MaterialGrain {
    const char* name;
    float friction; // mu
    float adhesion; // Pa
    float slope;    // rad, as measured
} MaterialGrain;

// One point of the curve from grain friction to slope, without adhesion.
typedef struct MaterialPoint {
    float friction;
    float slope; // rad
} MaterialPoint;

typedef struct MaterialCalibration {
    const char* kernel; // with which it was made
    int substeps, iterations;
    const char* date; // ISO
    int seed;
    int grains;   // in the experiment
    float radius; // m
    MaterialPoint* curve;
    int curve_count;
    MaterialGrain* materials;
    int count;
} MaterialCalibration;

// False after filling in error->text: file:line:column: what and how to fix.
bool material_load(const char* path, BaseArena* arena, MaterialSet* out, BaseYamlError* error);
bool material_load_calibration(const char* path, BaseArena* arena, MaterialCalibration* out,
                               BaseYamlError* error);
// False when the file refused.
bool material_save_calibration(const MaterialCalibration* calibration, FILE* file);

// NULL when there is none of that name.
const Material* material_find(const MaterialSet* set, const char* name);
const MaterialGrain* material_find_grain(const MaterialCalibration* calibration, const char* name);

#endif
