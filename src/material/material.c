#include "material/material.h"

#include "base/base_math.h"

#include <string.h>

static const char* check_material(const void* item, const char** key)
{
    const Material* m = item;
    if (m->density_loose > m->density_bank) {
        *key = "density_loose";
        return "must not exceed density_bank: dug soil swells";
    }
    if (m->steel_friction > m->friction) {
        *key = "steel_friction";
        return "must not exceed friction: soil would rather slide on itself";
    }
    return NULL;
}

static const BaseYamlField material_fields[] = {
    {BASE_YAML_FLOAT(Material, density_bank), .unit = "kg/m3", .min = 200, .max = 5000,
     .required = true},
    {BASE_YAML_FLOAT(Material, density_loose), .unit = "kg/m3", .min = 200, .max = 5000,
     .required = true},
    {BASE_YAML_FLOAT(Material, friction), .unit = "deg", .min = 1, .max = 60, .required = true},
    {BASE_YAML_FLOAT(Material, cohesion), .unit = "kPa", .min = 0, .max = 500, .required = true},
    {BASE_YAML_FLOAT(Material, steel_friction), .unit = "deg", .min = 0, .max = 60,
     .required = true},
    {BASE_YAML_FLOAT(Material, steel_adhesion), .unit = "kPa", .min = 0, .max = 100,
     .required = true},
    {BASE_YAML_FLOAT(Material, repose), .unit = "deg", .min = 5, .max = 60, .required = true},
    {BASE_YAML_FLOAT(Material, swell), .min = 1, .max = 2, .required = true},
};
static const BaseYamlSchema material_schema =
    BASE_YAML_SCHEMA(Material, material_fields, .check = check_material);

static const BaseYamlField set_fields[] = {
    {BASE_YAML_MAP(MaterialSet, materials, count, material_schema, Material, name), .min = 1,
     .max = MATERIAL_MAX, .required = true},
};
static const BaseYamlSchema set_schema = BASE_YAML_SCHEMA(MaterialSet, set_fields);

static const BaseYamlField grain_fields[] = {
    {BASE_YAML_FLOAT(MaterialGrain, friction), .min = 0, .max = 2, .required = true},
    {BASE_YAML_FLOAT(MaterialGrain, adhesion), .unit = "Pa", .min = 0, .max = 1000000,
     .required = true},
    {BASE_YAML_FLOAT(MaterialGrain, slope), .unit = "deg", .min = 0, .max = 90, .required = true},
};
static const BaseYamlSchema grain_schema = BASE_YAML_SCHEMA(MaterialGrain, grain_fields);

static const BaseYamlField point_fields[] = {
    {BASE_YAML_FLOAT(MaterialPoint, friction), .min = 0, .max = 2, .required = true},
    {BASE_YAML_FLOAT(MaterialPoint, slope), .unit = "deg", .min = 0, .max = 90, .required = true},
};
static const BaseYamlSchema point_schema = BASE_YAML_SCHEMA(MaterialPoint, point_fields);

static const BaseYamlField calibration_fields[] = {
    {BASE_YAML_NAME(MaterialCalibration, kernel), .required = true},
    {BASE_YAML_INT(MaterialCalibration, substeps), .min = 1, .max = 1000, .required = true},
    {BASE_YAML_INT(MaterialCalibration, iterations), .min = 1, .max = 1000, .required = true},
    {BASE_YAML_STRING(MaterialCalibration, date), .required = true},
    {BASE_YAML_INT(MaterialCalibration, seed), .required = true},
    {BASE_YAML_INT(MaterialCalibration, grains), .min = 1, .max = 1000000, .required = true},
    {BASE_YAML_FLOAT(MaterialCalibration, radius), .unit = "m", .min = 0.001, .max = 1,
     .required = true},
    {BASE_YAML_LIST(MaterialCalibration, curve, curve_count, point_schema), .max = 64},
    {BASE_YAML_MAP(MaterialCalibration, materials, count, grain_schema, MaterialGrain, name),
     .min = 1, .max = MATERIAL_MAX, .required = true},
};
static const BaseYamlSchema calibration_schema =
    BASE_YAML_SCHEMA(MaterialCalibration, calibration_fields);

bool material_load(const char* path, BaseArena* arena, MaterialSet* out, BaseYamlError* error)
{
    return base_yaml_load(path, &set_schema, arena, out, error);
}

bool material_load_calibration(const char* path, BaseArena* arena, MaterialCalibration* out,
                               BaseYamlError* error)
{
    return base_yaml_load(path, &calibration_schema, arena, out, error);
}

static double degrees(float angle)
{
    return (double)angle / BASE_DEG;
}

bool material_save_calibration(const MaterialCalibration* c, FILE* file)
{
    fprintf(
        file,
        "# Grains that stand at each material's repose angle; made by `mattock lab calibrate`.\n"
        "# Do not edit: run the experiment again when the kernel or materials.yaml changes.\n"
        "kernel: %s\nsubsteps: %d\niterations: %d\ndate: %s\nseed: %d\ngrains: %d\n"
        "radius: %g m\n",
        c->kernel, c->substeps, c->iterations, c->date, c->seed, c->grains, (double)c->radius);
    fprintf(file, "\n# slope of the experiment against grain friction, without adhesion\ncurve:\n");
    for (int i = 0; i < c->curve_count; ++i)
        fprintf(file, "  - {friction: %.4f, slope: %.2f deg}\n", (double)c->curve[i].friction,
                degrees(c->curve[i].slope));
    fprintf(file, "\nmaterials:\n");
    for (int i = 0; i < c->count; ++i)
        fprintf(file, "  %s: {friction: %.4f, adhesion: %.1f Pa, slope: %.2f deg}\n",
                c->materials[i].name, (double)c->materials[i].friction,
                (double)c->materials[i].adhesion, degrees(c->materials[i].slope));
    return !ferror(file);
}

const Material* material_find(const MaterialSet* set, const char* name)
{
    for (int i = 0; i < set->count; ++i)
        if (strcmp(set->materials[i].name, name) == 0)
            return &set->materials[i];
    return NULL;
}

const MaterialGrain* material_find_grain(const MaterialCalibration* calibration, const char* name)
{
    for (int i = 0; i < calibration->count; ++i)
        if (strcmp(calibration->materials[i].name, name) == 0)
            return &calibration->materials[i];
    return NULL;
}
