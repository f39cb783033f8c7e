// app_scene - what a trainer shows of a world besides the world: readings, goals and marks.
//
// Does:     follow a world and copy it into ViewStates after a step.
// Does not: draw, or change anything in the world.
// Threads:  the one that steps the world, except app_scene_mesh().
#ifndef APP_SCENE_H
#define APP_SCENE_H

#include "base/base_arena.h"
#include "view/view_world.h"
#include "world/world.h"

typedef struct AppScene {
    World* world;
    ViewWorld* view;
    int machine_count;
    int house[WORLD_MACHINES_MAX]; // body
    // the surface that is dug to, if there is one: a sloped rectangle
    bool goal;
    Vec3 goal_from, goal_size; // m, corner; x along `goal_heading`, z to its right
    float goal_heading;        // rad about +y
    float* goal_height;        // [goal_nz][goal_nx] m
    int goal_nx, goal_nz;
} AppScene;

// Meshes lie in the arena. False when out of memory.
bool app_scene_init(AppScene* scene, World* world, BaseArena* arena);
void app_scene_free(AppScene* scene);
// A rectangle around x, z whose floor lies at `floor` m there and rises by rise_x and rise_z (m/m).
void app_scene_goal(AppScene* scene, BaseArena* arena, float x, float z, float heading,
                    float length, float width, float floor, float rise_x, float rise_z);

// After every step, also those that are not shown.
void app_scene_follow(AppScene* scene);
// machine: whose readings and cameras; frame: what its levers were.
void app_scene_fill(AppScene* scene, ViewState* state, int machine, const InputFrame* frame);

#endif
