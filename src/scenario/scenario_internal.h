// scenario_internal - shared by the files of scenario.
#ifndef SCENARIO_INTERNAL_H
#define SCENARIO_INTERNAL_H

#include "scenario/scenario.h"

extern const BaseYamlSchema scenario_schema;

// Rules that look at more than one mapping; fills in rules too.
bool scenario_check(const char* path, Scenario* scenario, BaseYamlError* error);
// Everything that is placed lies on the site.
bool scenario_check_places(const char* path, const Scenario* scenario, const TerrainDef* site,
                           BaseYamlError* error);

#endif
