#include "app/app_stage.h"

#include "app/app.h"
#include "base/base_path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STAGE_PATH   4096
#define STAGE_RADIUS 0.045f // m, of newborn grains
#define STAGE_RATE   60.0

void app_stage_find(const char* folder, const char* name, char* path)
{
    char shipped[300], found[STAGE_PATH];
    snprintf(path, STAGE_PATH, "%s", name);
    if (access(name, F_OK) == 0 || strchr(name, '/') || strlen(name) > 64)
        return;
    snprintf(shipped, sizeof shipped, "%s/%s.yaml", folder, name);
    if (base_path_find(shipped, found, sizeof found))
        snprintf(path, STAGE_PATH, "%s", found);
}

// Grains that behave like the site's soils, out of the calibration.
static bool grains_of(AppStage* s, BaseArena* arena, SoilDef* def, BaseYamlError* error)
{
    char path[STAGE_PATH];
    MaterialCalibration calibration;
    if (!base_path_find("config/calibration.yaml", path, sizeof path)) {
        *error = (BaseYamlError){0};
        snprintf(error->text, sizeof error->text, "config/calibration.yaml was not found");
        return false;
    }
    if (!material_load_calibration(path, arena, &calibration, error))
        return false;
    def->material_count = s->info.material_count;
    for (int m = 0; m < s->info.material_count; ++m) {
        const MaterialGrain* grain = material_find_grain(&calibration, s->info.material[m]->name);
        def->material[m] = def->material[0];
        if (grain) {
            def->material[m].friction_static = def->material[m].friction_kinetic = grain->friction;
            def->material[m].adhesion = grain->adhesion;
        }
    }
    return true;
}

static bool build(AppStage* s, const SoilDef* def)
{
    CouplingDef coupling = coupling_def(STAGE_RADIUS);
    coupling.reserve = base_mini(coupling.reserve, def->capacity / 8);
    for (int m = 0; m < s->info.material_count; ++m)
        s->look[m] = view_soil(s->info.material[m]);
    s->soil = soil_create(def);
    s->coupling = s->soil ? coupling_create(&coupling, s->soil, s->terrain) : NULL;
    s->track = s->coupling ? view_ground_track(s->terrain, s->look) : NULL;
    return s->track != NULL;
}

bool app_stage_load(AppStage* s, BaseArena* arena, const char* name, int grains,
                    BaseYamlError* error)
{
    char path[STAGE_PATH];
    *s = (AppStage){.random = base_random(7)};
    *error = (BaseYamlError){0};
    app_stage_find("config/sites", name, path);
    if (!app_load_materials(NULL, arena, &s->materials, error))
        return false;
    s->terrain = site_load(path, &s->materials, arena, &s->info, error);
    if (!s->terrain)
        return false;
    SoilDef def = soil_def(SOIL_KERNEL_SPLIT, base_maxi(grains, 64), 1.3f * STAGE_RADIUS);
    if (grains_of(s, arena, &def, error) && build(s, &def))
        return true;
    app_stage_free(s);
    return false;
}

void app_stage_free(AppStage* s)
{
    machine_destroy(s->machine);
    view_ground_untrack(s->track);
    coupling_destroy(s->coupling);
    soil_destroy(s->soil);
    terrain_destroy(s->terrain);
    *s = (AppStage){0};
}

bool app_stage_vehicle(AppStage* s, BaseArena* arena, const char* name, float x, float z,
                       float heading, BaseYamlError* error)
{
    char path[STAGE_PATH];
    *error = (BaseYamlError){0};
    app_stage_find("vehicles", name, path);
    if (!machine_load(path, arena, &s->vehicle, error))
        return false;
    s->machine = machine_create(&s->vehicle);
    if (!s->machine || !view_mesh_build(&s->vehicle, VIEW_MESH_NEAR, arena, &s->mesh[0]) ||
        !view_mesh_build(&s->vehicle, VIEW_MESH_FAR, arena, &s->mesh[1]))
        return false;
    machine_place(s->machine, vec3(x, terrain_height(s->terrain, x, z), z), heading);
    // it came from behind
    for (int k = 0; k < s->vehicle.runner_count; ++k) {
        const MachineRunner* r = &s->vehicle.runners[k];
        Vec3 mark = machine_to_world(s->machine, r->body,
                                     vec3(r->center.x - 4.0f, r->center.y, r->center.z));
        view_ground_press(s->track, mark.x, mark.z, -heading, r->length + 8.0f, r->width, 0.8f);
    }
    return true;
}

void app_stage_pour(AppStage* s, float x, float z, float spread, int count)
{
    int cell = terrain_cell_at(s->terrain, x, z);
    int material = cell < 0 ? 0 : base_maxi(terrain_top_material(s->terrain, cell), 0);
    float ground = terrain_height(s->terrain, x, z);
    for (int k = 0; k < count; ++k) {
        Vec3 at = {x + base_random_range(&s->random, -spread, spread),
                   ground + 2.6f + 0.12f * (float)(k / 24),
                   z + base_random_range(&s->random, -spread, spread)};
        Vec3 speed = {base_random_range(&s->random, -0.3f, 0.3f), -1.5f,
                      base_random_range(&s->random, -0.3f, 0.3f)};
        if (!coupling_pour(s->coupling, at, speed, material))
            return;
    }
}

void app_stage_cut(AppStage* s, float x, float z, float radius, float depth)
{
    const TerrainDef* def = terrain_definition(s->terrain);
    float floor = terrain_height(s->terrain, x, z) - depth;
    for (int cell = 0; cell < def->nx * def->nz; ++cell) {
        Vec3 c = terrain_center(s->terrain, cell);
        float far = sqrtf((c.x - x) * (c.x - x) + (c.z - z) * (c.z - z));
        // walls lean by one in three
        float height = floor + base_maxf(far - (radius - 0.33f * depth), 0.0f) * 3.0f;
        if (far < radius && c.y > height)
            coupling_haul(s->coupling, cell, height);
    }
}

// Some of the grains that hit the ground raise dust.
static void raise_dust(AppStage* s)
{
    const SoilState* g = soil_state(s->soil);
    for (int i = (int)(s->steps % 23); i < g->count; i += 23) {
        float fast = g->vx[i] * g->vx[i] + g->vy[i] * g->vy[i] + g->vz[i] * g->vz[i];
        if (g->mass[i] == 0 || fast < 4.0f ||
            g->py[i] - terrain_height(s->terrain, g->px[i], g->pz[i]) > 0.5f)
            continue;
        view_dust_raise(&s->dust, vec3(g->px[i], g->py[i], g->pz[i]), vec3(g->vx[i], 0, g->vz[i]),
                        0.004f * fast, s->look[g->material[i]].loose);
    }
}

void app_stage_step(AppStage* s, Jobs* jobs)
{
    soil_step(s->soil, jobs);
    coupling_step(s->coupling, jobs);
    terrain_settle(s->terrain, jobs);
    view_ground_follow(s->track, s->terrain, s->coupling);
    raise_dust(s);
    view_dust_step(&s->dust, 1.0f / (float)STAGE_RATE, vec3(0.7f, 0, 0.3f));
    s->steps += 1;
}

ViewAnchor app_stage_anchor(const AppStage* s)
{
    const TerrainDef* def = terrain_definition(s->terrain);
    float width = (float)def->nx * def->cell, depth = (float)def->nz * def->cell;
    ViewAnchor a = {.heading = {1, 0, 0}, .size = 0.27f * base_minf(width, depth)};
    a.middle = vec3(def->origin.x + 0.5f * width, 0, def->origin.z + 0.44f * depth);
    a.middle.y = terrain_height(s->terrain, a.middle.x, a.middle.z) + 0.5f;
    a.tool = a.middle;
    a.seat = vec3(a.middle.x - 0.8f * a.size, 0, a.middle.z);
    a.seat.y = terrain_height(s->terrain, a.seat.x, a.seat.z) + 2.4f;
    a.seat_view = vec3_unit(vec3_sub(a.middle, a.seat));
    return a;
}

void app_stage_fill(AppStage* s, ViewState* state)
{
    view_state_fill(state, s->track, s->soil, s->coupling);
    state->time = s->steps / STAGE_RATE;
    state->step = (uint64_t)s->steps;
    state->dust = s->dust;
    state->anchor = app_stage_anchor(s);
    state->hud = view_hud();
    if (s->machine) {
        view_machine_fill(state, s->machine, &s->mesh[0], 0, VIEW_DETAIL_NEAR);
        view_machine_fill(state, s->machine, &s->mesh[1], 1, VIEW_DETAIL_FAR);
        state->anchor = view_machine_anchor(s->machine);
    }
}
