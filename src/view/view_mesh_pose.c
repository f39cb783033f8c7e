// Where every part of a vehicle stands.
#include "view/view_mesh_maker.h"

#include "base/base_trig.h"

#include <math.h>

typedef struct Frame {
    Vec3 x, y, z, origin;
} Frame;

static ViewMeshPose matrix(Frame f)
{
    return (ViewMeshPose){{f.x.x, f.x.y, f.x.z, 0, f.y.x, f.y.y, f.y.z, 0, f.z.x, f.z.y, f.z.z, 0,
                           f.origin.x, f.origin.y, f.origin.z, 1}};
}

static Vec3 to_world(MachinePose pose, Vec3 local)
{
    return vec3_add(pose.position, quat_rotate(pose.rotation, local));
}

static Frame body_frame(MachinePose pose)
{
    return (Frame){quat_rotate(pose.rotation, vec3(1, 0, 0)),
                   quat_rotate(pose.rotation, vec3(0, 1, 0)),
                   quat_rotate(pose.rotation, vec3(0, 0, 1)), pose.position};
}

// x from a to b, z as near to `z` as that allows.
static Frame between(Vec3 a, Vec3 b, Vec3 z)
{
    Frame f = {.x = vec3_unit(vec3_sub(b, a)), .origin = a};
    f.y = vec3_unit(vec3_cross(z, f.x));
    f.z = vec3_cross(f.x, f.y);
    return f;
}

static Frame shifted(Frame f, const float by[3])
{
    f.origin = vec3_mad(vec3_mad(vec3_mad(f.origin, f.x, by[0]), f.y, by[1]), f.z, by[2]);
    return f;
}

// Turned about its own z.
static Frame spun(Frame f, double angle)
{
    double turns = angle / (2.0 * BASE_PI);
    double rest = (turns - floor(turns)) * 2.0 * BASE_PI; // a machine may drive very far
    float c = (float)base_cos(rest), s = (float)base_sin(rest);
    Vec3 x = vec3_add(vec3_mul(f.x, c), vec3_mul(f.y, s));
    Vec3 y = vec3_sub(vec3_mul(f.y, c), vec3_mul(f.x, s));
    f.x = x;
    f.y = y;
    return f;
}

// Where idler and link meet, in the world: the third corner of a triangle with known sides.
static Vec3 knee(const MachineCylinder* c, const MachinePose* bodies)
{
    const MachineLinkage* l = c->linkage;
    Vec3 a = to_world(bodies[c->from], l->idler_pin), b = to_world(bodies[c->to], l->link_pin);
    Vec3 z = quat_rotate(bodies[c->from].rotation, vec3(0, 0, 1));
    Vec3 way = vec3_sub(b, a);
    float d = fmaxf(vec3_length(way), 1e-4f);
    Vec3 x = vec3_mul(way, 1.0f / d), y = vec3_cross(z, x); // y is on the left of a -> b from +z
    float along = (d * d + l->idler * l->idler - l->link * l->link) / (2.0f * d);
    float up = sqrtf(fmaxf(0.0f, l->idler * l->idler - along * along));
    return vec3_mad(vec3_mad(a, x, along), y, l->side == 0 ? up : -up);
}

static Frame cylinder_frame(const MachineCylinder* c, const MachinePose* bodies,
                            ViewMeshFollow follow)
{
    Vec3 z = quat_rotate(bodies[c->from].rotation, vec3(0, 0, 1));
    Vec3 from = to_world(bodies[c->from], c->from_pin);
    Vec3 to = c->linkage ? knee(c, bodies) : to_world(bodies[c->to], c->to_pin);
    switch (follow) {
    case VIEW_MESH_BARREL: return between(from, to, z);
    case VIEW_MESH_ROD: return between(to, from, z);
    case VIEW_MESH_IDLER: return between(to_world(bodies[c->from], c->linkage->idler_pin), to, z);
    default: return between(to, to_world(bodies[c->to], c->linkage->link_pin), z);
    }
}

static double way_of(const double* travel, int runner)
{
    return travel && runner >= 0 ? travel[runner] : 0.0;
}

// Shoe k: its middle halfway between two pins of the chain.
static Frame shoe_frame(const ViewMeshTrack* t, Frame body, double travel, int k)
{
    double rounds = travel / (double)t->length;
    float gone = (float)(rounds - floor(rounds)) * t->length; // forwards: the lower run goes back
    float way = ((float)k + 0.5f) * t->pitch - gone, a[2], b[2];
    view_mesh_track_at(t, way - 0.5f * t->pitch, a);
    view_mesh_track_at(t, way + 0.5f * t->pitch, b);
    float place[3] = {0.5f * (a[0] + b[0]), 0.5f * (a[1] + b[1]), t->z};
    Vec3 x = vec3_unit(vec3_add(vec3_mul(body.x, b[0] - a[0]), vec3_mul(body.y, b[1] - a[1])));
    Frame f = shifted(body, place);
    f.x = x;
    f.y = vec3_cross(f.z, x);
    return f;
}

static void track_poses(const ViewMeshPart* part, const ViewMeshTrack* t, const MachinePose* bodies,
                        const double* travel, ViewMeshPose* out)
{
    Frame body = body_frame(bodies[t->body]);
    double way = way_of(travel, t->runner);
    if (part->follow == VIEW_MESH_SPROCKET) {
        float center[3] = {t->center[0], t->center[1], t->z};
        out[0] = matrix(spun(shifted(body, center), -way / (double)t->sprocket));
        return;
    }
    for (int k = 0; k < part->pose_count; ++k)
        out[k] = matrix(shoe_frame(t, body, way, k));
}

static Frame wheel_frame(const MachineRunner* runner, const MachinePose* bodies, double travel)
{
    const float hub[3] = {runner->center.x, runner->center.y, runner->center.z};
    return spun(shifted(body_frame(bodies[runner->body]), hub), -travel / (double)runner->radius);
}

void view_mesh_poses(const ViewMeshSet* set, const MachineDef* def, const MachinePose* bodies,
                     const double* travel, ViewMeshPose* out)
{
    for (int i = 0; i < set->part_count; ++i) {
        const ViewMeshPart* part = &set->parts[i];
        ViewMeshPose* to = out + part->first_pose;
        switch (part->follow) {
        case VIEW_MESH_BODY: *to = matrix(body_frame(bodies[part->index])); break;
        case VIEW_MESH_SHOE:
        case VIEW_MESH_SPROCKET:
            track_poses(part, &set->tracks[part->index], bodies, travel, to);
            break;
        case VIEW_MESH_WHEEL:
            *to = matrix(
                wheel_frame(&def->runners[part->index], bodies, way_of(travel, part->index)));
            break;
        default:
            *to = matrix(shifted(cylinder_frame(&def->cylinders[part->index], bodies, part->follow),
                                 part->offset));
            break;
        }
    }
}
