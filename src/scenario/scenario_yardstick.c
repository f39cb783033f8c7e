#include "scenario/scenario_yardstick.h"

#include "base/base_file.h"

#include <stdio.h>
#include <string.h>

#define YARDSTICK_ABSENT -1e30
#define YARDSTICK_MOST   1e12
#define YARDSTICK_BYTES  16384

typedef struct YardstickMeasures {
    double value[SCORE_MEASURE_COUNT];
} YardstickMeasures;

typedef struct YardstickFile {
    const char *lesson, *program, *scenario;
    double points;
    YardstickMeasures measures;
} YardstickFile;

static const BaseYamlField measure_fields[] = {
#define SCORE_MEASURE(id, name, unit, digits, better, title)   \
    {.key = (name),                                            \
     .type = BASE_YAML_TYPE_DOUBLE,                            \
     .offset = offsetof(YardstickMeasures, value[SCORE_##id]), \
     .min = YARDSTICK_ABSENT,                                  \
     .max = YARDSTICK_MOST,                                    \
     .number = YARDSTICK_ABSENT},
#include "score/score_measures.h"
#undef SCORE_MEASURE
};
static const BaseYamlSchema measure_schema = BASE_YAML_SCHEMA(YardstickMeasures, measure_fields);

static const BaseYamlField file_fields[] = {
    {BASE_YAML_STRING(YardstickFile, lesson), .required = true, .min = 1, .max = 64},
    {BASE_YAML_STRING(YardstickFile, program), .required = true, .min = 1, .max = 64},
    {BASE_YAML_STRING(YardstickFile, scenario), .required = true, .min = 16, .max = 16},
    {BASE_YAML_DOUBLE(YardstickFile, points), .required = true, .min = 0, .max = 100},
    {BASE_YAML_OBJECT(YardstickFile, measures, measure_schema), .required = true},
};
static const BaseYamlSchema file_schema = BASE_YAML_SCHEMA(YardstickFile, file_fields);

bool scenario_yardstick_load(const char* path, BaseArena* arena, ScenarioYardstick* out,
                             BaseYamlError* error)
{
    YardstickFile file;
    *error = (BaseYamlError){0};
    if (!base_yaml_load(path, &file_schema, arena, &file, error)) {
        return false;
    }
    *out = (ScenarioYardstick){.lesson = file.lesson,
                               .program = file.program,
                               .scenario = file.scenario,
                               .points = file.points};
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        double value = file.measures.value[m];
        out->value[m] =
            (ScoreValue){value > YARDSTICK_ABSENT ? value : 0.0, value > YARDSTICK_ABSENT};
    }
    return true;
}

bool scenario_yardstick_write(const char* path, const ScenarioYardstick* y)
{
    char text[YARDSTICK_BYTES];
    int used = snprintf(text, sizeof text,
                        "# What the built-in expert reaches in this lesson; made by\n"
                        "# `mattock run LESSON --headless --yardstick FILE`. No criterion.\n"
                        "lesson: %s\nprogram: \"%s\"\nscenario: \"%s\"\npoints: %.1f\nmeasures:\n",
                        y->lesson, y->program, y->scenario, y->points);
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        const ScoreMeasureInfo* info = score_measure((ScoreMeasure)m);
        if (y->value[m].known && used > 0 && (size_t)used < sizeof text) {
            used += snprintf(text + used, sizeof text - (size_t)used, "  %s: %.*f\n", info->name,
                             info->digits + 2, y->value[m].value);
        }
    }
    return used > 0 && (size_t)used < sizeof text && base_file_replace(path, text, (size_t)used);
}

bool scenario_yardstick_path(const char* lesson, char* out, size_t size)
{
    const char *slash = strrchr(lesson, '/'), *name = slash ? slash + 1 : lesson;
    const char* point = strrchr(name, '.');
    int stem = point ? (int)(point - name) : (int)strlen(name);
    int length =
        snprintf(out, size, "%.*sexpert/%.*s.yaml", (int)(name - lesson), lesson, stem, name);
    return length > 0 && (size_t)length < size;
}

bool scenario_yardstick_recognise(const char* path)
{
    const char* const keys[] = {"measures", NULL};
    return base_yaml_has_key(path, keys);
}
