// Dry, moist and wet: factors on what the materials file states, from config/weather.yaml.
#include "scenario/scenario_internal.h"

#include <string.h>

#define FACTOR(m, most) BASE_YAML_FLOAT(ScenarioWeather, m), .min = 0.1, .max = (most), .number = 1

static const BaseYamlField weather_fields[] = {
    {FACTOR(density, 2)},        {FACTOR(friction, 1.5)},      {FACTOR(cohesion, 10)},
    {FACTOR(steel_friction, 2)}, {FACTOR(steel_adhesion, 10)}, {FACTOR(repose, 1.5)},
    {FACTOR(swell, 1.5)},
};
static const BaseYamlSchema weather_schema = BASE_YAML_SCHEMA(ScenarioWeather, weather_fields);

static const BaseYamlField weathers_fields[] = {
    {BASE_YAML_OBJECT(ScenarioWeathers, dry, weather_schema)},
    {BASE_YAML_OBJECT(ScenarioWeathers, moist, weather_schema)},
    {BASE_YAML_OBJECT(ScenarioWeathers, wet, weather_schema)},
};
static const BaseYamlSchema weathers_schema = BASE_YAML_SCHEMA(ScenarioWeathers, weathers_fields);

bool scenario_weather_load(const char* path, BaseArena* arena, ScenarioWeathers* out,
                           BaseYamlError* error)
{
    return base_yaml_load(path, &weathers_schema, arena, out, error);
}

const ScenarioWeather* scenario_weather(const ScenarioWeathers* w, int kind)
{
    return kind == SCENARIO_DRY ? &w->dry : kind == SCENARIO_WET ? &w->wet : &w->moist;
}

static void apply(const ScenarioWeather* w, Material* m)
{
    m->density_bank *= w->density;
    m->density_loose *= w->density;
    m->friction *= w->friction;
    m->cohesion *= w->cohesion;
    m->steel_friction *= w->steel_friction;
    m->steel_adhesion *= w->steel_adhesion;
    m->repose =
        base_clampf(m->repose * w->repose, (float)(5.0 * BASE_DEG), (float)(60.0 * BASE_DEG));
    m->swell = base_maxf(m->swell * w->swell, 1.0f);
}

// The friction of grains that stand at this slope, between the points of the curve.
static float friction_at(const MaterialCalibration* c, float slope)
{
    for (int k = 1; k < c->curve_count; ++k) {
        const MaterialPoint *a = &c->curve[k - 1], *b = &c->curve[k];
        if (slope <= b->slope && b->slope > a->slope) {
            float t = base_clampf((slope - a->slope) / (b->slope - a->slope), 0.0f, 1.0f);
            return a->friction + t * (b->friction - a->friction);
        }
    }
    return c->curve_count > 0 ? c->curve[c->curve_count - 1].friction : 0.0f;
}

// What the curve says of the change is added to what was found for the grains of this material.
static void apply_grain(const ScenarioWeather* w, MaterialCalibration* c, MaterialGrain* g)
{
    float slope = g->slope * w->repose;
    g->friction = base_maxf(0.0f, g->friction + friction_at(c, slope) - friction_at(c, g->slope));
    g->adhesion *= w->cohesion;
    g->slope = slope;
}

void scenario_weather_apply(const ScenarioWeather* weather, MaterialSet* materials,
                            MaterialCalibration* calibration)
{
    for (int k = 0; k < materials->count; ++k) {
        apply(weather, &materials->materials[k]);
    }
    for (int k = 0; calibration && k < calibration->count; ++k) {
        apply_grain(weather, calibration, &calibration->materials[k]);
    }
}
