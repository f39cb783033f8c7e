// app_stage - a world with its looks, ready for pictures.
//
// Does:     make a world of a site and a vehicle, let it run, fill in ViewStates.
// Does not: know lessons: nobody is at the levers.
// Units:    SI.
#ifndef APP_STAGE_H
#define APP_STAGE_H

#include "base/base_arena.h"
#include "base/base_random.h"
#include "base/base_yaml.h"
#include "view/view_world.h"

typedef struct AppStage {
    World* world;
    ViewWorld* view;
    BaseRandom random;
} AppStage;

typedef struct AppStageDef {
    const char* site;    // a file, or the name of a shipped one
    const char* vehicle; // the same; NULL: none
    float x, z, heading; // m, rad: where it stands
    int grains;          // that may live at once
} AppStageDef;

// False after filling in error->text; an error without text means that memory is short.
bool app_stage_load(AppStage* stage, BaseArena* arena, const AppStageDef* def,
                    BaseYamlError* error);
void app_stage_free(AppStage* stage);

// Grains of what lies on top, falling onto a place, at most `count` in this step.
void app_stage_pour(AppStage* stage, float x, float z, float spread, int count);
// A round hole with steep walls; what was in it is hauled off the site.
void app_stage_cut(AppStage* stage, float x, float z, float radius, float depth);
void app_stage_step(AppStage* stage);
void app_stage_fill(AppStage* stage, ViewState* state);

// The file itself, or the name of one that is shipped in this folder; path holds at least 4096 bytes.
void app_stage_find(const char* folder, const char* name, char* path);

#endif
