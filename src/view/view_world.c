#include "view/view_world.h"

#include <math.h>
#include <stdlib.h>

#define DUST_SHARE 23    // every so manieth grain is asked in a step whether it raises dust
#define DUST_FAST  4.0f  // m2/s2
#define DUST_NEAR  0.5f  // m above the ground
#define DUST_DRIVE 0.35f // m/s, slower tracks raise none
#define DUST_TURN  7     // steps between two rollers that do

struct ViewWorld {
    ViewGroundTrack* track;
    ViewDust dust;
    ViewSoil soil[VIEW_SOILS];
    ViewMeshSet mesh[WORLD_MACHINES_MAX][VIEW_MESH_LODS];
    int machines;
    bool jumped;
};

static bool make_meshes(ViewWorld* vw, World* world, BaseArena* arena)
{
    vw->machines = world_definition(world)->machine_count;
    for (int m = 0; m < vw->machines; ++m)
        for (int lod = 0; lod < VIEW_MESH_LODS; ++lod)
            if (!view_mesh_build(world_machine_def(world, m), (ViewMeshLod)lod, arena,
                                 &vw->mesh[m][lod]))
                return false;
    return true;
}

ViewWorld* view_world_create(World* world, BaseArena* arena)
{
    ViewWorld* vw = calloc(1, sizeof *vw);
    const SiteInfo* site = world_site(world);
    if (!vw)
        return NULL;
    for (int m = 0; m < base_mini(site->material_count, VIEW_ROCK); ++m)
        vw->soil[m] = view_soil(site->material[m]);
    vw->track = view_ground_track(world_terrain(world), vw->soil);
    vw->jumped = true;
    if (vw->track && make_meshes(vw, world, arena))
        return vw;
    view_world_destroy(vw);
    return NULL;
}

void view_world_destroy(ViewWorld* vw)
{
    if (vw)
        view_ground_untrack(vw->track);
    free(vw);
}

int view_world_models(const ViewWorld* vw)
{
    return vw->machines * VIEW_MESH_LODS;
}

const ViewMeshSet* view_world_model(const ViewWorld* vw, int model)
{
    return &vw->mesh[model / VIEW_MESH_LODS][model % VIEW_MESH_LODS];
}

int view_world_poses(const ViewWorld* vw)
{
    int sum = 0;
    for (int k = 0; k < view_world_models(vw); ++k)
        sum += view_world_model(vw, k)->pose_count;
    return sum;
}

const ViewGround* view_world_ground(const ViewWorld* vw)
{
    return view_ground_of(vw->track);
}

ViewGroundTrack* view_world_track(ViewWorld* vw)
{
    return vw->track;
}

// Some of the grains that come down fast near the ground raise dust; damp soils less than dry ones.
static void raise_dust(ViewWorld* vw, World* world)
{
    const Terrain* terrain = world_terrain(world);
    const SoilState* g = soil_state(world_soil(world));
    for (int i = (int)(world_steps(world) % DUST_SHARE); i < g->count; i += DUST_SHARE) {
        float fast = g->vx[i] * g->vx[i] + g->vy[i] * g->vy[i] + g->vz[i] * g->vz[i];
        if (g->mass[i] == 0 || fast < DUST_FAST ||
            g->py[i] - terrain_height(terrain, g->px[i], g->pz[i]) > DUST_NEAR)
            continue;
        const ViewSoil* soil = &vw->soil[g->material[i]];
        view_dust_raise(
            &vw->dust, vec3(g->px[i], g->py[i], g->pz[i]), vec3(g->vx[i], 0.0f, g->vz[i]),
            0.008f * fast * (1.2f - base_minf(soil->gloss + soil->clods, 1.0f)), soil->loose);
    }
}

// Rollers of machines that drive, one of them at a time.
static void raise_dust_of_travel(ViewWorld* vw, World* world)
{
    MachineRoller roller[MACHINE_ROLLERS_MAX];
    int turn = (int)(world_steps(world) / DUST_TURN);
    for (int m = 0; m < vw->machines && world_steps(world) % DUST_TURN == 0; ++m) {
        const Machine* machine = world_machine(world, m);
        Vec3 speed = machine_velocity(machine, 0);
        float fast = vec3_length(speed);
        int count = machine_rollers(machine, roller);
        if (fast < DUST_DRIVE || count == 0)
            continue;
        const MachineRoller* r = &roller[turn % count];
        if (r->force > 0.0f && r->material >= 0)
            view_dust_raise(&vw->dust, r->point, vec3_mul(speed, -0.3f),
                            base_minf(0.06f * fast, 0.16f), vw->soil[r->material].loose);
    }
}

void view_world_follow(ViewWorld* vw, World* world)
{
    view_ground_follow(vw->track, world_terrain(world), world_coupling(world));
    for (int m = 0; m < vw->machines; ++m)
        view_machine_press(vw->track, world_machine(world, m));
    raise_dust(vw, world);
    raise_dust_of_travel(vw, world);
    view_dust_step(&vw->dust, (float)WORLD_DT, vec3(0.7f, 0.0f, 0.3f));
}

void view_world_jump(ViewWorld* vw, World* world)
{
    view_ground_follow_all(vw->track, world_terrain(world));
    vw->dust.count = 0;
    vw->jumped = true;
}

ViewAnchor view_world_anchor(World* world, int seat)
{
    if (seat >= 0 && seat < world_definition(world)->machine_count)
        return view_machine_anchor(world_machine(world, seat));
    const Terrain* terrain = world_terrain(world);
    const TerrainDef* def = terrain_definition(terrain);
    float width = (float)def->nx * def->cell, depth = (float)def->nz * def->cell;
    ViewAnchor a = {.heading = {1, 0, 0}, .size = 0.27f * base_minf(width, depth)};
    a.middle = vec3(def->origin.x + 0.5f * width, 0, def->origin.z + 0.44f * depth);
    a.middle.y = terrain_height(terrain, a.middle.x, a.middle.z) + 0.5f;
    a.tool = a.middle;
    a.seat = vec3(a.middle.x - 0.8f * a.size, 0, a.middle.z);
    a.seat.y = terrain_height(terrain, a.seat.x, a.seat.z) + 2.4f;
    a.seat_view = vec3_unit(vec3_sub(a.middle, a.seat));
    return a;
}

void view_world_fill(ViewWorld* vw, World* world, int seat, ViewState* state)
{
    view_state_fill(state, vw->track, world_soil(world), world_coupling(world));
    state->time = world_time(world);
    state->step = world_steps(world);
    state->cut = vw->jumped;
    state->dust = vw->dust;
    state->anchor = view_world_anchor(world, seat);
    for (int k = 0; k < view_world_models(vw); ++k)
        view_machine_fill(state, world_machine(world, k / VIEW_MESH_LODS), view_world_model(vw, k),
                          k, k % VIEW_MESH_LODS == 0 ? VIEW_DETAIL_NEAR : VIEW_DETAIL_FAR);
    vw->jumped = false;
}
