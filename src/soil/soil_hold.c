// What no contact may let happen: a grain that passes through steel between two looks.
//
// Contacts stop grains by impulses; under a pile that is stopped within a frame they may be too weak.
// So after every interval, and at the frame's end, the straight way that each grain took since the last
// one is laid before the boundaries, seen from the boundary itself: there steel stands still, and
// where the grain was is always on the right side. The ways of one grain join end to end, however the
// boundary was led in between, so what is never crossed from look to look is never crossed at all.
// Only the place is mended, not the velocity: what is left of it meets the steel as a contact.
#include "soil/soil_internal.h"

// Way of a point a metre off, per change of a quaternion's vector, at most; with what is left of it in w.
#define SOIL_HOLD_TURN 3.0f

typedef struct SoilHold {
    Soil* soil;
    float room
        [SOIL_BOUNDARIES_MAX]; // m, that a grain without a contact to it may move, besides its radius
    float least;               // m, over all that hold
    uint32_t mask;             // boundaries that hold
} SoilHold;

static Vec3 soil_hold_seen(const SoilBoundary* b, Vec3 at)
{
    return quat_unrotate(b->rotation, vec3_sub(at, b->position));
}

// Where the grain may be, which came from `then` to `now`.
static bool soil_hold_grain(const SoilHold* hold, int b, float radius, Vec3 then, Vec3* now)
{
    const SoilBoundary* body = &hold->soil->boundary[b];
    Vec3 from = soil_hold_seen(&hold->soil->seen_body[b], then), held;
    if (!body->hold(body->context, from, soil_hold_seen(body, *now), radius, &held)) {
        return false;
    }
    *now = vec3_add(body->position, quat_rotate(body->rotation, held));
    return true;
}

// A grain that had nothing of a boundary within reach, and moved no further, need not be asked for.
static void soil_hold_block(void* context, int block, int begin, int end)
{
    const SoilHold* hold = context;
    Soil* soil = hold->soil;
    SoilArrays* a = soil_arrays(soil);
    int held = 0;
    for (int i = begin; i < end; ++i) {
        Vec3 then = vec3(soil->seen[0][i], soil->seen[1][i], soil->seen[2][i]);
        Vec3 now = vec3(a->px[i], a->py[i], a->pz[i]), step = vec3_sub(now, then);
        float step2 = vec3_dot(step, step), least = hold->least + a->radius[i];
        uint32_t touched = soil->touched[i] & hold->mask;
        if (touched == 0 && least > 0.0f && step2 < least * least) {
            continue;
        }
        bool moved = false;
        for (int b = 0; b < soil->boundary_count; ++b) {
            float room = hold->room[b] + a->radius[i];
            bool far = (touched >> b & 1) == 0 && room > 0.0f && step2 < room * room;
            if ((hold->mask >> b & 1) != 0 && !far) {
                moved |= soil_hold_grain(hold, b, a->radius[i], then, &now);
            }
        }
        if (moved) {
            a->px[i] = now.x, a->py[i] = now.y, a->pz[i] = now.z;
            ++held;
        }
    }
    soil->block[block].held = held;
}

void soil_hold_see(Soil* soil)
{
    const SoilArrays* a = soil_arrays(soil);
    size_t bytes = (size_t)soil->state.count * sizeof(float);
    if (soil->holding) {
        memcpy(soil->seen[0], a->px, bytes);
        memcpy(soil->seen[1], a->py, bytes);
        memcpy(soil->seen[2], a->pz, bytes);
    }
    if (soil->look == 1) {
        memcpy(soil->seen_body, soil->boundary, sizeof soil->seen_body);
    }
}

void soil_hold(Soil* soil)
{
    if (!soil->holding || soil->state.count == 0) {
        return;
    }
    SoilHold hold = {.soil = soil, .least = SOIL_FAR};
    for (int b = 0; b < soil->boundary_count; ++b) {
        const SoilBoundary *now = &soil->boundary[b], *then = &soil->seen_body[b];
        if (!now->hold) {
            continue;
        }
        Vec3 turn = vec3(now->rotation.x - then->rotation.x, now->rotation.y - then->rotation.y,
                         now->rotation.z - then->rotation.z);
        float way = vec3_length(vec3_sub(now->position, then->position));
        way += SOIL_HOLD_TURN * vec3_length(turn) * now->extent;
        hold.room[b] = soil->face[b].reach - way;
        hold.least = base_minf(hold.least, hold.room[b]);
        hold.mask |= 1u << b;
    }
    jobs_for(soil->jobs, soil->state.count, SOIL_BLOCK, soil_hold_block, &hold);
    int held = 0;
    for (int b = 0; b < jobs_blocks(soil->state.count, SOIL_BLOCK); ++b) {
        held += soil->block[b].held;
    }
    soil->stats.held += held;
    soil->list_valid &= held == 0;
    memcpy(soil->seen_body, soil->boundary, sizeof soil->seen_body);
}

bool soil_hold_any(const Soil* soil)
{
    bool any = false;
    for (int b = 0; b < soil->boundary_count; ++b) {
        any |= soil->boundary[b].hold != NULL;
    }
    return any;
}
