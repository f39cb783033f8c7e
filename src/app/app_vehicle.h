// app_vehicle - the pieces of `mattock vehicle`.
#ifndef APP_VEHICLE_H
#define APP_VEHICLE_H

#include "base/base_arena.h"
#include "machine/machine_def.h"

typedef struct AppVehicleOptions {
    const char *png, *pose;
    int camera; // three-quarter, side, front, rear, left, top, close, low
    int lod;    // ViewMeshLod
    int roll;   // mm
    int width, height;
    int zoom; // percent
    bool lines;
} AppVehicleOptions;

// Draws the machine to options->png; an exit code.
int app_vehicle_picture(BaseArena* arena, const MachineDef* def, const char* path,
                        const AppVehicleOptions* options);

#endif
