#include "app/app_scene.h"

#include "base/base_trig.h"

#include <math.h>
#include <string.h>

#define SCENE_NEAR      2.5f  // m from the swing axis, where the section of the ground begins
#define SCENE_FAR       12.0f // m
#define SCENE_MARK      3.5f // m above the ground, from where on the mark below the bucket is shown
#define SCENE_TOLERANCE 0.1f // m, where nobody asked for another
#define SCENE_GOAL      24   // cells of a goal's grid along each side, at most

bool app_scene_init(AppScene* s, World* world, BaseArena* arena)
{
    *s = (AppScene){.world = world, .machine_count = world_definition(world)->machine_count};
    for (int n = 0; n < s->machine_count; ++n)
        s->house[n] = base_maxi(machine_find_body(world_machine_def(world, n), "house"), 0);
    s->view = view_world_create(world, arena);
    if (s->view)
        view_world_jump(s->view, world);
    return s->view != NULL;
}

void app_scene_free(AppScene* s)
{
    view_world_destroy(s->view);
    *s = (AppScene){0};
}

void app_scene_goal(AppScene* s, BaseArena* arena, float x, float z, float heading, float length,
                    float width, float floor, float rise_x, float rise_z)
{
    float c = base_cosf(heading), n = base_sinf(heading);
    int nx = base_maxi(base_mini((int)(length / 0.5f), SCENE_GOAL), 1) + 1;
    int nz = base_maxi(base_mini((int)(width / 0.5f), SCENE_GOAL), 1) + 1;
    float* height = base_arena_alloc(arena, sizeof *height * (size_t)(nx * nz));
    AppSceneGoal* g = &s->goal[0];
    // x runs along the heading, z to its right
    g->from = vec3(x - 0.5f * length * c - 0.5f * width * n, 0.0f,
                   z + 0.5f * length * n - 0.5f * width * c);
    for (int j = 0; height && j < nz; ++j)
        for (int i = 0; i < nx; ++i) {
            float u = length * ((float)i / (float)(nx - 1) - 0.5f);
            float v = width * ((float)j / (float)(nz - 1) - 0.5f);
            float dx = u * c + v * n, dz = -u * n + v * c;
            height[j * nx + i] = floor + rise_x * dx + rise_z * dz;
        }
    s->goals = height != NULL;
    g->size = vec3(length, 0.0f, width);
    g->heading = -heading, g->height = height, g->tolerance = SCENE_TOLERANCE;
    g->nx = nx, g->nz = nz;
}

// False where nothing is to be dug.
static bool goal_at(const AppScene* s, float x, float z, float* height)
{
    if (s->lesson)
        return app_scene_lesson_target(s, x, z, height);
    const AppSceneGoal* g = &s->goal[0];
    if (s->goals == 0)
        return false;
    float c = base_cosf(g->heading), n = base_sinf(g->heading);
    float dx = x - g->from.x, dz = z - g->from.z;
    float u = (dx * c + dz * n) / g->size.x, v = (-dx * n + dz * c) / g->size.z;
    if (!(u >= 0.0f && u <= 1.0f && v >= 0.0f && v <= 1.0f))
        return false;
    float fx = u * (float)(g->nx - 1), fz = v * (float)(g->nz - 1);
    int i = base_mini((int)fx, g->nx - 2), j = base_mini((int)fz, g->nz - 2);
    const float* h = &g->height[j * g->nx + i];
    fx -= (float)i, fz -= (float)j;
    // a plane: three corners are enough
    *height = h[0] + fx * (h[1] - h[0]) + fz * (h[g->nx] - h[0]);
    return true;
}

void app_scene_follow(AppScene* s)
{
    view_world_follow(s->view, s->world);
}

// --- readings ------------------------------------------------------------------------------------

// Where levers must stand for what was asked, by the pattern in use.
static void sticks(ViewHud* hud, const InputFrame* f)
{
    static const char* const action[INPUT_PATTERN_COUNT][4] = {
        [INPUT_PATTERN_ISO] = {"swing", "stick", "bucket", "boom"},
        [INPUT_PATTERN_SAE] = {"swing", "boom", "bucket", "stick"},
        [INPUT_PATTERN_DOZER] = {"steer", "drive", "tilt", "blade"},
        [INPUT_PATTERN_TRUCK] = {"steer", "gas", NULL, "body"},
    };
    static const char* const name[INPUT_PATTERN_COUNT] = {"ISO", "SAE", "dozer", "truck"};
    float l[INPUT_FUNCTION_COUNT];
    for (int k = 0; k < INPUT_FUNCTION_COUNT; ++k)
        l[k] = input_lever(f, (InputFunction)k);
    hud->controls = true;
    hud->pattern = name[f->pattern];
    memcpy(hud->action, action[f->pattern], sizeof hud->action);
    hud->pedal[0] = l[INPUT_TRACK_LEFT], hud->pedal[1] = l[INPUT_TRACK_RIGHT];
    float left[2] = {l[INPUT_SWING], -l[INPUT_STICK]},
          right[2] = {-l[INPUT_BUCKET], -l[INPUT_BOOM]};
    switch (f->pattern) {
    case INPUT_PATTERN_SAE: left[1] = -l[INPUT_BOOM], right[1] = -l[INPUT_STICK]; break;
    case INPUT_PATTERN_DOZER:
        left[0] = 0.5f * (l[INPUT_TRACK_LEFT] - l[INPUT_TRACK_RIGHT]);
        left[1] = 0.5f * (l[INPUT_TRACK_LEFT] + l[INPUT_TRACK_RIGHT]);
        right[0] = l[INPUT_BLADE_TILT], right[1] = -l[INPUT_BLADE];
        break;
    case INPUT_PATTERN_TRUCK:
        left[0] = l[INPUT_STEER], left[1] = l[INPUT_THROTTLE] - l[INPUT_BRAKE];
        right[0] = 0.0f, right[1] = -l[INPUT_BODY];
        break;
    default: break;
    }
    memcpy(hud->stick[0], left, sizeof left);
    memcpy(hud->stick[1], right, sizeof right);
}

static void engine(ViewHud* hud, const Machine* m)
{
    const MachineDriveState* d = &machine_state(m)->drive;
    hud->engine = machine_definition(m)->drive != NULL;
    hud->rpm = (float)(d->engine_speed * 60.0 / (2.0 * BASE_PI));
    hud->load_part = (float)d->engine_load;
    for (int k = 0; k < 2; ++k)
        hud->pressure[k] = (float)d->pump_pressure[k];
}

static void loads(const AppScene* s, ViewHud* hud, int machine)
{
    const MachineDef* def = world_machine_def(s->world, machine);
    const SiteInfo* site = world_site(s->world);
    const CouplingFleet* fleet = world_fleet(s->world);
    hud->load = def->tool_count > 0;
    for (int t = 0; t < def->tool_count; ++t) {
        const CouplingToolState* tool = coupling_fleet_tool(fleet, machine, t);
        double volume = 0.0;
        for (int k = 0; k < site->material_count; ++k)
            volume += tool->payload_of[k] / (double)site->material[k]->density_loose;
        hud->payload += (float)tool->payload;
        if (def->tools[t].heaped > 0.0f)
            hud->fill += (float)volume / def->tools[t].heaped;
    }
    for (int n = 0; n < s->machine_count; ++n) {
        const MachineDef* other = world_machine_def(s->world, n);
        if (other->bin_count == 0)
            continue;
        double density = site->material_count ? (double)site->material[0]->density_loose : 1600.0;
        hud->truck = (float)coupling_fleet_load(fleet, n);
        hud->truck_full = (float)(density * (double)other->bins[0].heaped);
    }
}

static void add(ViewCurve* c, float x, float y)
{
    if (c->points < VIEW_HUD_CURVE) {
        c->xy[2 * c->points] = x, c->xy[2 * c->points + 1] = y;
        c->points++;
    }
}

// The section in the plane of the arm: distance from the swing axis, height.
static void grade(const AppScene* s, ViewHud* hud, int machine)
{
    const Machine* m = world_machine(s->world, machine);
    const MachineDef* def = world_machine_def(s->world, machine);
    const Terrain* ground = world_terrain(s->world);
    if (def->tool_count == 0)
        return;
    const MachineTool* tool = &def->tools[0];
    Vec3 edge = machine_to_world(m, tool->body, view_lerp(tool->edge_a, tool->edge_b, 0.5f));
    Vec3 from = machine_pose(m, s->house[machine]).position, along = vec3_sub(edge, from);
    along.y = 0.0f;
    along = vec3_unit(along);
    float height;
    for (int k = 0; k < VIEW_HUD_CURVE; ++k) {
        float r = SCENE_NEAR + (SCENE_FAR - SCENE_NEAR) * (float)k / (VIEW_HUD_CURVE - 1);
        Vec3 p = vec3_mad(from, along, r);
        add(&hud->ground, r, terrain_height(ground, p.x, p.z));
        if (goal_at(s, p.x, p.z, &height))
            add(&hud->target, r, height);
    }
    for (int k = 0; k < def->shape_count; ++k) {
        const MachineShape* shape = &def->shapes[k];
        if (shape->body != tool->body || shape->kind != MACHINE_SHELL)
            continue;
        for (int n = 0; n + 1 < shape->outline_count; n += 2) {
            Vec3 p = machine_to_world(m, shape->body,
                                      vec3(shape->outline[n], shape->outline[n + 1], 0.0f));
            add(&hud->bucket, vec3_dot(vec3_sub(p, from), along), p.y);
        }
        break;
    }
    // below the ground on which the machine stands, as a grade screen's zero is set
    hud->grade = true;
    hud->depth = machine_pose(m, 0).position.y - edge.y;
    hud->aimed = goal_at(s, edge.x, edge.z, &height);
    if (hud->aimed)
        hud->offset = edge.y - height;
    // the floor plate lies across the edge's normal
    Vec3 normal = quat_rotate(machine_pose(m, tool->body).rotation, tool->edge_normal);
    hud->slope = atan2f(-vec3_dot(normal, along), normal.y);
    hud->swing = s->house[machine] > 0 ? (float)machine_joint(m, s->house[machine]) : 0.0f;
}

// --- marks ---------------------------------------------------------------------------------------

// Depth is hard to see in a flat picture: a ring lies on the ground below the bucket.
static void mark(const AppScene* s, ViewState* state, int machine)
{
    const MachineDef* def = world_machine_def(s->world, machine);
    if (def->tool_count > 0) {
        const MachineTool* tool = &def->tools[0];
        Vec3 edge = machine_to_world(world_machine(s->world, machine), tool->body,
                                     view_lerp(tool->edge_a, tool->edge_b, 0.5f));
        float above = edge.y - terrain_height(world_terrain(s->world), edge.x, edge.z);
        ViewMarker* ring = above > 0.15f
                               ? view_state_mark(state, VIEW_MARKER_RING, vec3(edge.x, 0, edge.z))
                               : NULL;
        if (ring) {
            float part = base_clampf(above / SCENE_MARK, 0.0f, 1.0f);
            ring->size.x = 0.25f + 0.35f * part;
            const float color[4] = {1.0f, 0.85f, 0.3f, 0.75f};
            memcpy(ring->color, color, sizeof color);
        }
    }
    for (int k = 0; k < s->goals; ++k) {
        static const float color[4] = {0.25f, 0.95f, 0.55f, 0.6f};
        const AppSceneGoal* g = &s->goal[k];
        ViewMarker* m = view_state_mark(state, VIEW_MARKER_GOAL, g->from);
        if (!m)
            return;
        memcpy(m->color, color, sizeof color);
        m->size = g->size, m->heading = g->heading;
        m->height = g->height, m->nx = g->nx, m->nz = g->nz;
        m->tolerance = g->tolerance;
    }
}

// The levers of an excavator stand before the arm rests and lean as they are moved.
static void levers(const AppScene* s, ViewState* state, int machine)
{
    const MachineDef* def = world_machine_def(s->world, machine);
    const Machine* own = world_machine(s->world, machine);
    const ViewHud* hud = &state->hud;
    int seat = -1;
    for (int k = 0; k < def->camera_count; ++k)
        if (strcmp(def->cameras[k].name, "cab") == 0)
            seat = k;
    if (seat < 0 || s->house[machine] == 0 || def->cameras[seat].body != s->house[machine])
        return;
    for (int k = 0; k < 2; ++k) {
        Vec3 foot = vec3_add(def->cameras[seat].eye, vec3(0.56f, -0.88f, k == 0 ? -0.31f : 0.32f));
        Vec3 lean = vec3(0.28f + 0.30f * hud->stick[k][1], 1.0f, 0.30f * hud->stick[k][0]);
        Vec3 tip = vec3_mad(foot, vec3_unit(lean), 0.25f);
        int body = def->cameras[seat].body;
        ViewMarker* m =
            view_state_mark(state, VIEW_MARKER_LEVER, machine_to_world(own, body, foot));
        if (m)
            m->to = machine_to_world(own, body, tip);
    }
}

void app_scene_fill(AppScene* s, ViewState* state, int machine, const InputFrame* frame)
{
    const Machine* own = world_machine(s->world, machine);
    view_world_fill(s->view, s->world, machine, state);
    mark(s, state, machine);
    ViewHud* hud = &state->hud;
    *hud = view_hud();
    hud->time = (float)state->time;
    hud->step_ms = (float)(1e3 * world_profile(s->world)->total);
    sticks(hud, frame);
    levers(s, state, machine);
    engine(hud, own);
    loads(s, hud, machine);
    grade(s, hud, machine);
    if (s->lesson)
        app_scene_lesson_fill(s, state);
}
