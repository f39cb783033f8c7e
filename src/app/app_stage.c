#include "app/app_stage.h"

#include "app/app_scene.h"
#include "base/base_path.h"
#include "jobs/jobs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STAGE_PATH   4096
#define STAGE_RADIUS 0.045f // m, of newborn grains

void app_stage_find(const char* folder, const char* name, char* path)
{
    base_path_shipped(folder, name, path, STAGE_PATH);
}

bool app_stage_load(AppStage* s, BaseArena* arena, const AppStageDef* def, BaseYamlError* error)
{
    char site[STAGE_PATH], vehicle[STAGE_PATH], materials[STAGE_PATH], calibration[STAGE_PATH];
    *s = (AppStage){.random = base_random(7)};
    *error = (BaseYamlError){0};
    app_stage_find("config/sites", def->site, site);
    if (def->vehicle)
        app_stage_find("vehicles", def->vehicle, vehicle);
    base_path_find("config/materials.yaml", materials, sizeof materials);
    base_path_find("config/calibration.yaml", calibration, sizeof calibration);
    const WorldDef world = {
        .site = site,
        .materials = materials,
        .calibration = calibration,
        .radius = STAGE_RADIUS,
        .pool = def->grains,
        .births = 500,
        .machine = {{vehicle, def->x, def->z, def->heading}},
        .machine_count = def->vehicle ? 1 : 0,
    };
    s->world = world_create(&world, base_mini(jobs_cores(), JOBS_WORKERS_MAX), error);
    s->view = s->world ? view_world_create(s->world, arena) : NULL;
    if (s->view) {
        app_scene_yard(s->world, s->view, NULL);
        return true;
    }
    app_stage_free(s);
    return false;
}

void app_stage_free(AppStage* s)
{
    view_world_destroy(s->view);
    world_destroy(s->world);
    *s = (AppStage){0};
}

void app_stage_pour(AppStage* s, float x, float z, float spread, int count)
{
    const Terrain* terrain = world_terrain(s->world);
    int cell = terrain_cell_at(terrain, x, z);
    int material = cell < 0 ? 0 : base_maxi(terrain_top_material(terrain, cell), 0);
    float ground = terrain_height(terrain, x, z);
    for (int k = 0; k < count; ++k) {
        Vec3 at = {x + base_random_range(&s->random, -spread, spread),
                   ground + 2.6f + 0.12f * (float)(k / 24),
                   z + base_random_range(&s->random, -spread, spread)};
        Vec3 speed = {base_random_range(&s->random, -0.3f, 0.3f), -1.5f,
                      base_random_range(&s->random, -0.3f, 0.3f)};
        if (!coupling_pour(world_coupling(s->world), at, speed, material))
            return;
    }
}

void app_stage_cut(AppStage* s, float x, float z, float radius, float depth)
{
    const Terrain* terrain = world_terrain(s->world);
    const TerrainDef* def = terrain_definition(terrain);
    float floor = terrain_height(terrain, x, z) - depth;
    for (int cell = 0; cell < def->nx * def->nz; ++cell) {
        Vec3 c = terrain_center(terrain, cell);
        float far = sqrtf((c.x - x) * (c.x - x) + (c.z - z) * (c.z - z));
        // walls lean by one in three
        float height = floor + base_maxf(far - (radius - 0.33f * depth), 0.0f) * 3.0f;
        if (far < radius && c.y > height)
            coupling_haul(world_coupling(s->world), cell, height);
    }
    view_ground_follow_all(view_world_track(s->view), terrain);
}

void app_stage_step(AppStage* s)
{
    static const InputFrame idle[WORLD_MACHINES_MAX];
    world_step(s->world, idle);
    view_world_follow(s->view, s->world);
}

void app_stage_fill(AppStage* s, ViewState* state)
{
    view_world_fill(s->view, s->world, 0, state);
    state->hud = view_hud();
}
