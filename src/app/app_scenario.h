// app_scenario - lessons as the program finds them: among what is shipped, or where the user says.
#ifndef APP_SCENARIO_H
#define APP_SCENARIO_H

#include "scenario/scenario.h"

// For scenario_load(): files beside the program or in the install prefix.
bool app_find_file(const char* name, char* path, size_t size);

// Reads the lesson and builds its ground with the soils of its weather, as playing it would.
bool app_check_scenario(BaseArena* arena, const char* path, BaseYamlError* error);
// Prints what a recording is and how much of it is good.
bool app_check_recording(const char* path, BaseYamlError* error);

#endif
