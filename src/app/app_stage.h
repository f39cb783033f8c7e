// app_stage - a site with its ground, grains and looks, ready for pictures.
//
// Does:     load a site, let grains fall and ground slide on it, fill in ViewStates.
// Does not: know lessons; a vehicle only stands there.
// Units:    SI.
#ifndef APP_STAGE_H
#define APP_STAGE_H

#include "base/base_arena.h"
#include "base/base_random.h"
#include "base/base_yaml.h"
#include "coupling/coupling.h"
#include "material/material.h"
#include "site/site.h"
#include "view/view_machine.h"

typedef struct AppStage {
    MaterialSet materials;
    SiteInfo info;
    Terrain* terrain;
    Soil* soil;
    Coupling* coupling;
    ViewGroundTrack* track;
    ViewSoil look[VIEW_SOILS];
    ViewDust dust;
    BaseRandom random;
    MachineDef vehicle;
    Machine* machine;                 // NULL: none stands here
    ViewMeshSet mesh[VIEW_MESH_LODS]; // models 0 and 1 of the renderer
    int steps;                        // since the beginning, 60 per second
} AppStage;

// path: a file or the name of a shipped site. False after filling in error->text; an error without
// text means that memory is short.
bool app_stage_load(AppStage* stage, BaseArena* arena, const char* path, int grains,
                    BaseYamlError* error);
void app_stage_free(AppStage* stage);

// A vehicle's file, or the name of a shipped one; it stands on the ground at x, z.
bool app_stage_vehicle(AppStage* stage, BaseArena* arena, const char* path, float x, float z,
                       float heading, BaseYamlError* error);
// Grains of what lies on top, falling onto a place, at most `count` in this step.
void app_stage_pour(AppStage* stage, float x, float z, float spread, int count);
// A round hole with steep walls; what was in it is hauled off the site.
void app_stage_cut(AppStage* stage, float x, float z, float radius, float depth);
void app_stage_step(AppStage* stage, Jobs* jobs);
void app_stage_fill(AppStage* stage, ViewState* state);
// What cameras look at where there is no machine: the middle of the site.
ViewAnchor app_stage_anchor(const AppStage* stage);

// The file itself, or the name of one that is shipped in this folder; path holds at least 4096 bytes.
void app_stage_find(const char* folder, const char* name, char* path);

#endif
