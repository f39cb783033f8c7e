// app_scenario - lessons as the program finds them: among what is shipped, or where the user says.
#ifndef APP_SCENARIO_H
#define APP_SCENARIO_H

#include "base/base_yaml.h"

// Reads the lesson and builds ground, machine and trucks, as playing it would.
bool app_check_scenario(const char* path, BaseYamlError* error);
// Prints what a recording is and how much of it is good.
bool app_check_recording(const char* path, BaseYamlError* error);

#endif
