#include "view/view_machine.h"

#define MACHINE_POSES_MAX 1024 // of one machine's parts

static ViewPose rows(const ViewMeshPose* p)
{
    ViewPose out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c)
            out.row[r][c] = p->m[4 * c + r];
    return out;
}

// Heavier machines are larger: 22 t fill some six metres.
static float size_of(const MachineDef* def)
{
    return 6.2f * cbrtf((float)def->mass / 22e3f);
}

bool view_machine_fill(ViewState* state, const Machine* machine, const ViewMeshSet* set, int model,
                       ViewDetail detail)
{
    static _Thread_local ViewMeshPose part[MACHINE_POSES_MAX];
    MachinePose body[MACHINE_BODIES_MAX];
    const MachineDef* def = machine_definition(machine);
    ViewPose* out =
        set->pose_count <= MACHINE_POSES_MAX ? view_state_use(state, model, set->pose_count) : NULL;
    if (!out)
        return false;
    for (int b = 0; b < def->body_count; ++b)
        body[b] = machine_pose(machine, b);
    view_mesh_poses(set, def, body, machine_state(machine)->travel, part);
    for (int k = 0; k < set->pose_count; ++k)
        out[k] = rows(&part[k]);
    ViewModelUse* use = &state->use[state->use_count - 1];
    use->clean = 0.55f, use->detail = detail;
    use->middle = body[0].position, use->radius = size_of(def);
    return true;
}

static Vec3 level(Vec3 v)
{
    v.y = 0.0f;
    v = vec3_unit(v);
    return vec3_dot(v, v) > 0.5f ? v : vec3(1, 0, 0);
}

// Eye and target of the first camera of this name; the house's own frame where there is none.
static void seat(const Machine* machine, int house, ViewAnchor* a)
{
    const MachineDef* def = machine_definition(machine);
    Vec3 eye = {0.5f, 1.8f, 0}, target = {5, 0.5f, 0};
    int body = house;
    for (int k = 0; k < def->camera_count; ++k) {
        if (strcmp(def->cameras[k].name, "cab") == 0) {
            eye = def->cameras[k].eye, target = def->cameras[k].target;
            body = def->cameras[k].body;
            break;
        }
    }
    a->seat = machine_to_world(machine, body, eye);
    a->seat_view = vec3_unit(vec3_sub(machine_to_world(machine, body, target), a->seat));
}

ViewAnchor view_machine_anchor(const Machine* machine)
{
    const MachineDef* def = machine_definition(machine);
    int house = base_maxi(machine_find_body(def, "house"), 0);
    MachinePose pose = machine_pose(machine, house);
    ViewAnchor a = {.heading = level(quat_rotate(pose.rotation, vec3(1, 0, 0)))};
    a.size = size_of(def);
    a.tool = a.middle = vec3_add(pose.position, vec3(0, 0.6f, 0));
    if (def->tool_count > 0) {
        const MachineTool* t = &def->tools[0];
        a.tool = machine_to_world(machine, t->body, view_lerp(t->edge_a, t->edge_b, 0.5f));
        a.middle = view_lerp(a.middle, a.tool, 0.35f);
    }
    seat(machine, house, &a);
    return a;
}

void view_machine_press(ViewGroundTrack* track, const Machine* machine)
{
    MachineRoller roller[MACHINE_ROLLERS_MAX];
    const MachineDef* def = machine_definition(machine);
    int count = machine_rollers(machine, roller);
    Vec3 ahead = quat_rotate(machine_pose(machine, 0).rotation, vec3(1, 0, 0));
    float heading = atan2f(ahead.z, ahead.x);
    for (int r = 0; r < def->runner_count; ++r) {
        const MachineRunner* runner = &def->runners[r];
        float pitch =
            runner->rollers > 1 ? runner->length / (float)(runner->rollers - 1) : runner->radius;
        for (int k = runner->first_roller; k < runner->first_roller + runner->rollers; ++k)
            if (k < count && roller[k].force > 0.0f)
                view_ground_press(track, roller[k].point.x, roller[k].point.z, heading,
                                  1.2f * pitch, runner->width, 0.8f);
    }
}
