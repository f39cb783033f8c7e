// scenario_yardstick - what the built-in expert reaches in a lesson: shown beside everybody's values.
//
// Does:     read and write the file expert/LESSON.yaml beside a lesson.
// Does not: judge by it: it is no criterion.
// Threads:  no shared state.
#ifndef SCENARIO_YARDSTICK_H
#define SCENARIO_YARDSTICK_H

#include "base/base_yaml.h"
#include "score/score.h"

typedef struct ScenarioYardstick {
    const char* lesson;
    const char* program;                   // version of Mattock
    const char* scenario;                  // hash of the lesson's file, as hexadecimal digits
    double points;                         // of the total
    ScoreValue value[SCORE_MEASURE_COUNT]; // in the measures' units
} ScenarioYardstick;

bool scenario_yardstick_load(const char* path, BaseArena* arena, ScenarioYardstick* out,
                             BaseYamlError* error);
bool scenario_yardstick_write(const char* path, const ScenarioYardstick* yardstick);
// Where the one of this lesson's file is looked for: expert/NAME.yaml in its folder. False when too long.
bool scenario_yardstick_path(const char* lesson, char* out, size_t size);
bool scenario_yardstick_recognise(const char* path);

#endif
