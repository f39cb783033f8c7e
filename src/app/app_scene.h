// app_scene - what a trainer shows of a world besides the world: readings, goals and marks.
//
// Does:     follow a world and copy it into ViewStates after a step.
// Does not: draw, or change anything in the world.
// Threads:  the one that steps the world, except app_scene_mesh().
#ifndef APP_SCENE_H
#define APP_SCENE_H

#include "base/base_arena.h"
#include "sim/sim_lesson.h"
#include "view/view_world.h"
#include "world/world.h"

#define SCENE_GOALS_MAX 32

// A surface that is asked for: heights over a rectangle.
typedef struct AppSceneGoal {
    Vec3 from, size; // m, corner; x along `heading`, z to its right
    float heading;   // rad from +x towards +z
    float* height;   // [nz][nx] m
    int nx, nz;
    int number;      // of the lesson's goals
    float tolerance; // m
} AppSceneGoal;

typedef struct AppScene {
    World* world;
    ViewWorld* view;
    int machine_count;
    int house[WORLD_MACHINES_MAX]; // body
    AppSceneGoal goal[SCENE_GOALS_MAX];
    int goals;
    Vec3 service[SCENARIO_OBJECTS_MAX][2]; // m, ends of pipes and lines, before anybody dug
    float* outline[SCENARIO_ZONES_MAX];    // x, z, ... m, in the world
    int outline_count[SCENARIO_ZONES_MAX];
    SimLesson* lesson; // NULL: just a site
} AppScene;

// Meshes lie in the arena. False when out of memory.
bool app_scene_init(AppScene* scene, World* world, BaseArena* arena);
void app_scene_free(AppScene* scene);
// A rectangle around x, z whose floor lies at `floor` m there and rises by rise_x and rise_z (m/m).
void app_scene_goal(AppScene* scene, BaseArena* arena, float x, float z, float heading,
                    float length, float width, float floor, float rise_x, float rise_z);

// The goals of a lesson, and all that stands on its site.
void app_scene_lesson(AppScene* scene, BaseArena* arena, SimLesson* lesson);
void app_scene_lesson_fill(AppScene* scene, ViewState* state);
// Height that the lesson wants here, m; false where it wants nothing.
bool app_scene_lesson_target(const AppScene* scene, float x, float z, float* height);

// The way in, and where grass was worn off before anybody dug; once, when goals and lesson are known. The scene may
// be NULL.
void app_scene_yard(World* world, ViewWorld* view, const AppScene* scene);

// After every step, also those that are not shown.
void app_scene_follow(AppScene* scene);
// machine: whose readings and cameras; frame: what its levers were.
void app_scene_fill(AppScene* scene, ViewState* state, int machine, const InputFrame* frame);

#endif
