// What a site looked like when the machine came: a way in, and bare ground where people work.
//
// Only looks: the simulation knows nothing of it.
#include "app/app_scene.h"

#include <math.h>

#define YARD_MACHINE  5.5f // m round a machine, of bare ground
#define YARD_GOAL     1.8f // m round what is to be dug
#define YARD_ROAD     4.6f // m, width of the way in
#define YARD_CORNER   7.0f // m, least distance of the gate from a corner
#define YARD_RUT      1.0f // m, from the middle of the road
#define YARD_RUT_WIDE 0.55f

typedef struct Yard {
    World* world;
    ViewGroundTrack* track;
    const AppScene* scene; // NULL: nobody asks for anything
    float low[2], high[2]; // m, the site's border: x, z
} Yard;

static void at_of(Vec3 p, float out[2])
{
    out[0] = p.x, out[1] = p.z;
}

static void wear(const Yard* y, Vec3 from, Vec3 to, float reach)
{
    float a[2], b[2];
    at_of(from, a), at_of(to, b);
    view_ground_wear(y->track, a, b, reach);
}

// --- the way in ----------------------------------------------------------------------------------

// On the side that the operator sees to his left as he begins; where a truck comes from there, beside it.
static ViewRoad road_of(const Yard* y, Vec3 heading, Vec3 beside)
{
    static const float out[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    Vec3 left = {heading.z, 0, -heading.x};
    Vec3 want = vec3_add(vec3_mul(heading, 0.35f), left);
    int best = 0;
    for (int k = 1; k < 4; ++k)
        if (out[k][0] * want.x + out[k][1] * want.z > out[best][0] * want.x + out[best][1] * want.z)
            best = k;
    int across = best % 2, along = 1 - across; // axis that it leaves along, axis of the border
    const float at[2] = {beside.x, beside.z}, ahead[2] = {heading.x, heading.z};
    float room = 0.5f * (y->high[along] - y->low[along]), corner = base_minf(YARD_CORNER, room);
    ViewRoad r = {.way = {out[best][0], out[best][1]}, .width = YARD_ROAD};
    r.gate[across] = out[best][across] > 0.0f ? y->high[across] : y->low[across];
    r.gate[along] = base_clampf(at[along] + 5.0f * ahead[along], y->low[along] + corner,
                                y->high[along] - corner);
    return r;
}

// Two ruts from the gate to where the machine stands.
static void lay_road(const Yard* y, const ViewRoad* r, Vec3 to)
{
    Vec3 gate = {r->gate[0], 0, r->gate[1]}, way = vec3_sub(vec3(to.x, 0, to.z), gate);
    float length = vec3_length(way), heading = atan2f(way.z, way.x);
    Vec3 along = vec3_unit(way), side = {-along.z, 0, along.x};
    wear(y, gate, to, 0.5f * r->width);
    for (float s = 0.0f; s < length - YARD_MACHINE; s += 0.5f) {
        for (int k = -1; k <= 1; k += 2) {
            Vec3 p = vec3_mad(vec3_mad(gate, along, s), side, YARD_RUT * (float)k);
            view_ground_press(y->track, p.x, p.z, heading, 0.6f, YARD_RUT_WIDE, 0.55f);
        }
    }
}

// --- where people work ---------------------------------------------------------------------------

static void wear_goals(const Yard* y)
{
    for (int k = 0; k < y->scene->goals; ++k) {
        const AppSceneGoal* g = &y->scene->goal[k];
        float c = cosf(g->heading), s = sinf(g->heading), half = 0.5f * g->size.z;
        Vec3 a = {g->from.x - s * half, 0, g->from.z + c * half};
        Vec3 b = {a.x + c * g->size.x, 0, a.z + s * g->size.x};
        wear(y, a, b, half + YARD_GOAL);
    }
}

static void wear_lesson(const Yard* y)
{
    const Scenario* scenario = sim_lesson_scenario(y->scene->lesson);
    const TerrainDef* site = terrain_definition(world_terrain(y->world));
    for (int k = 0; k < scenario->object_count; ++k) {
        const ScenarioTruck* truck = scenario->objects[k].truck;
        if (truck && truck->from[0] != SCENARIO_ABSENT)
            wear(y, scenario_world(site, vec3(truck->at[0], 0, truck->at[1])),
                 scenario_world(site, vec3(truck->from[0], 0, truck->from[1])), 3.0f);
    }
    // a loader's way to what is kept, and the rim of what is tipped
    for (int k = 0; k < scenario->zone_count; ++k) {
        const float* p = y->scene->outline[k];
        int kind = scenario->zones[k].kind, count = y->scene->outline_count[k];
        for (int n = 0; kind == SCENARIO_ZONE_HAUL && n + 3 < count; n += 2)
            view_ground_wear(y->track, &p[n], &p[n + 2], 1.5f);
    }
}

void app_scene_yard(World* world, ViewWorld* view, const AppScene* scene)
{
    const TerrainDef* site = terrain_definition(world_terrain(world));
    int machines = world_definition(world)->machine_count;
    Yard y = {.world = world,
              .track = view_world_track(view),
              .scene = scene,
              .low = {site->origin.x, site->origin.z},
              .high = {site->origin.x + (float)site->nx * site->cell,
                       site->origin.z + (float)site->nz * site->cell}};
    if (machines == 0)
        return;
    for (int n = 0; n < machines; ++n) {
        Vec3 at = machine_pose(world_machine(world, n), 0).position;
        wear(&y, at, at, YARD_MACHINE);
    }
    if (scene)
        wear_goals(&y);
    if (scene && scene->lesson)
        wear_lesson(&y);
    const MachinePose own = machine_pose(world_machine(world, 0), 0);
    Vec3 heading = quat_rotate(own.rotation, vec3(1, 0, 0)), beside = own.position;
    if (machines > 1)
        beside = machine_pose(world_machine(world, 1), 0).position;
    const ViewRoad road = road_of(&y, heading, beside);
    lay_road(&y, &road, beside);
    wear(&y, beside, own.position, 2.0f);
    view_ground_lead_in(y.track, &road);
}
