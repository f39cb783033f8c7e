// machine_check - what is wrong with a vehicle that reads well: names that lead nowhere, cylinders
// that do not fit, machines that fall over. Used by machine_load() alone.
#ifndef MACHINE_CHECK_H
#define MACHINE_CHECK_H

#include "machine/machine_def.h"

// Turns names into indices. False, with a message, when one is not there.
bool machine_check_names(const char* path, MachineDef* def, BaseYamlError* error);

// Cylinders against joints, counts, and whether it stands.
bool machine_check_build(const char* path, const MachineDef* def, BaseYamlError* error);

#endif
