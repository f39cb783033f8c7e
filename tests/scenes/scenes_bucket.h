// scenes_bucket - an open steel box that moves as told, for tests of carried soil.
//
// Inside it is length x width at the floor, +y out of the open top. Only its inner faces are
// felt: a grain that gets through a wall is outside, and the test sees it there.
#ifndef SCENES_BUCKET_H
#define SCENES_BUCKET_H

#include "coupling/coupling.h"

#define SCENES_BUCKET_PLATE 0.1f // m, how deep in steel a grain is still pushed out

typedef struct ScenesBucket {
    Vec3 half; // m, inside: x, height / 2, z
    float friction;
    Soil* soil;
    int boundary;
    const SoilBoundary* body;
} ScenesBucket;

static inline int scenes_bucket_surface(const void* context, const SoilGrain* grain, float reach,
                                        SoilSurface* out, int max)
{
    const ScenesBucket* b = context;
    const SoilBoundary* body = b->body;
    Vec3 at = quat_unrotate(body->rotation, vec3_sub(grain->center, body->position));
    float limit = grain->radius + reach, top = 2.0f * b->half.y;
    const Vec3 normal[5] = {{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    const float gap[5] = {at.y, b->half.x + at.x, b->half.x - at.x, b->half.z + at.z,
                          b->half.z - at.z};
    int count = 0;
    for (int k = 0; k < 5; ++k) {
        if (gap[k] < -SCENES_BUCKET_PLATE || (k > 0 && at.y > top)) {
            return 0; // outside
        }
    }
    for (int k = 0; k < 5 && count < max; ++k) {
        if (gap[k] < limit) {
            Vec3 arm = quat_rotate(body->rotation, vec3_mad(at, normal[k], -gap[k]));
            out[count++] = (SoilSurface){
                .point = vec3_add(body->position, arm),
                .normal = quat_rotate(body->rotation, normal[k]),
                .velocity = vec3_add(body->velocity, vec3_cross(body->spin, arm)),
                .friction_static = b->friction,
                .friction_kinetic = b->friction,
                .feature = (uint32_t)k,
            };
        }
    }
    return count;
}

// False when no boundary is free. `bucket` must stay where it is.
static inline bool scenes_bucket_make(ScenesBucket* bucket, Soil* soil, Vec3 position, Vec3 half)
{
    SoilBoundary body = {.shape = SOIL_SHAPE_FUNCTION,
                         .position = position,
                         .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                         .surface = scenes_bucket_surface,
                         .context = bucket};
    *bucket = (ScenesBucket){.half = half, .friction = 0.4f, .soil = soil};
    bucket->boundary = soil_add_boundary(soil, &body);
    bucket->body = bucket->boundary < 0 ? NULL : soil_boundary(soil, bucket->boundary);
    return bucket->boundary >= 0;
}

static inline CouplingCarrierDef scenes_bucket_carrier(const ScenesBucket* b)
{
    return (CouplingCarrierDef){.boundary = b->boundary,
                                .low = vec3(-b->half.x, 0.0f, -b->half.z),
                                .high = vec3(b->half.x, 2.0f * b->half.y + 0.3f, b->half.z)};
}

// How far the deepest grain of those over the floor is in the steel, m; a grain that is through it
// counts as outside.
static inline float scenes_bucket_depth(const ScenesBucket* b)
{
    const SoilBoundary* body = b->body;
    const SoilState* s = soil_state(b->soil);
    float most = 0.0f, top = 2.0f * b->half.y, edge = SCENES_BUCKET_PLATE;
    for (int i = 0; i < s->count; ++i) {
        Vec3 at = quat_unrotate(body->rotation,
                                vec3_sub(vec3(s->px[i], s->py[i], s->pz[i]), body->position));
        float x = b->half.x - __builtin_fabsf(at.x), z = b->half.z - __builtin_fabsf(at.z);
        if (s->mass[i] > 0 && at.y < top && at.y > -edge && x > -edge && z > -edge) {
            most = base_maxf(most, -base_minf(at.y, base_minf(x, z)));
        }
    }
    return most;
}

#endif
