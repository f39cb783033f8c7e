// Boundaries: which surfaces a grain may touch before the next look, and what it did to them.
//
// Surfaces are looked for when the neighbour list is made, and in every interval when a boundary
// moves. In between a surface is its tangent plane, travelling with the surface's velocity; those of
// driven boundaries are led along when their owner changes his mind between two parts of a frame.
#include "soil/soil_internal.h"

typedef struct SoilSurfaceFind {
    Soil* soil;
    const SoilWalls* old;
    const SoilList* old_list; // whose lanes the old surfaces are in
    const uint32_t* from;     // where a grain was in it; NULL: where it is
} SoilSurfaceFind;

static Vec3 soil_surface_velocity(const SoilBoundary* b, Vec3 point)
{
    return vec3_add(b->velocity, vec3_cross(b->spin, vec3_sub(point, b->position)));
}

static void soil_surface_material(const SoilBoundary* b, SoilSurface* out)
{
    out->velocity = soil_surface_velocity(b, out->point);
    out->friction_static = b->friction_static;
    out->friction_kinetic = b->friction_kinetic;
    out->adhesion = b->adhesion;
    out->feature = 0;
}

static int soil_surface_plane(const SoilBoundary* b, const SoilFace* face, Vec3 center,
                              float radius, float reach, SoilSurface* out)
{
    float height = vec3_dot(face->normal, center) - face->offset;
    if (height - radius >= reach) {
        return 0;
    }
    out->normal = face->normal;
    out->point = vec3_mad(center, face->normal, -height);
    soil_surface_material(b, out);
    return 1;
}

// Nearest point of a box. A centre inside leaves through the nearest face.
static int soil_surface_box(const SoilBoundary* b, Vec3 center, float radius, float reach,
                            SoilSurface* out)
{
    Vec3 local = quat_unrotate(b->rotation, vec3_sub(center, b->position));
    const float p[3] = {local.x, local.y, local.z};
    const float half[3] = {b->half.x, b->half.y, b->half.z};
    float nearest[3], outside2 = 0.0f;
    int face = 0;
    for (int a = 0; a < 3; ++a) {
        nearest[a] = base_clampf(p[a], -half[a], half[a]);
        outside2 += (p[a] - nearest[a]) * (p[a] - nearest[a]);
        float depth = half[a] - __builtin_fabsf(p[a]);
        face = depth < half[face] - __builtin_fabsf(p[face]) ? a : face;
    }
    if (outside2 >= (radius + reach) * (radius + reach)) {
        return 0;
    }

    // the normal: towards the centre from outside, the face's own from inside
    float n[3] = {0.0f, 0.0f, 0.0f};
    if (outside2 > 0.0f) {
        float inverse = 1.0f / __builtin_sqrtf(outside2);
        for (int a = 0; a < 3; ++a) {
            n[a] = (p[a] - nearest[a]) * inverse;
        }
    } else {
        n[face] = p[face] < 0.0f ? -1.0f : 1.0f;
        nearest[face] = n[face] * half[face];
    }
    out->normal = quat_rotate(b->rotation, vec3(n[0], n[1], n[2]));
    out->point =
        vec3_add(b->position, quat_rotate(b->rotation, vec3(nearest[0], nearest[1], nearest[2])));
    soil_surface_material(b, out);
    return 1;
}

static int soil_surface_ask(const SoilBoundary* b, const SoilFace* face, const SoilGrain* grain,
                            float reach, SoilSurface* out, int max)
{
    switch (b->shape) {
    case SOIL_SHAPE_PLANE:
        return soil_surface_plane(b, face, grain->center, grain->radius, reach, out);
    case SOIL_SHAPE_BOX: return soil_surface_box(b, grain->center, grain->radius, reach, out);
    case SOIL_SHAPE_FUNCTION: return b->surface(b->context, grain, reach, out, max);
    default: return 0;
    }
}

// Impulse that the grain's contact with this key held in the old list, if any.
static Vec3 soil_surface_recall(const SoilSurfaceFind* find, int i, uint32_t key)
{
    const SoilWalls* old = find->old;
    uint32_t row = find->from ? find->from[i] : (uint32_t)i;
    if ((int)row >= old->count) { // born since
        const Soil* soil = find->soil;
        Vec3 brought = {0.0f, 0.0f, 0.0f};
        if (soil->recall) {
            soil->recall(soil->recall_context, soil->state.id[i], key, true, &brought);
        }
        return brought;
    }
    uint32_t slice = find->old_list->lane[row] / SOIL_LANES;
    uint32_t lane = find->old_list->lane[row] % SOIL_LANES;
    for (uint32_t k = 0; k < old->length[slice]; ++k) {
        const SoilWall* wall = &old->wall[old->start[slice] + k];
        if (wall->key[lane] == key) {
            return vec3(wall->lx[lane], wall->ly[lane], wall->lz[lane]);
        }
    }
    return vec3(0.0f, 0.0f, 0.0f);
}

static void soil_surface_clear(SoilWall* wall)
{
    *wall = (SoilWall){0};
    for (int lane = 0; lane < SOIL_LANES; ++lane) {
        wall->ny[lane] = 1.0f;
        wall->offset[lane] = -2.0f * SOIL_FAR;
        wall->key[lane] = SOIL_NO_KEY;
    }
}

static void soil_surface_write(SoilWall* wall, int lane, const SoilSurface* s, float radius,
                               uint32_t key, Vec3 impulse)
{
    wall->nx[lane] = s->normal.x, wall->ny[lane] = s->normal.y, wall->nz[lane] = s->normal.z;
    wall->offset[lane] = vec3_dot(s->normal, s->point) + radius;
    wall->vx[lane] = s->velocity.x, wall->vy[lane] = s->velocity.y, wall->vz[lane] = s->velocity.z;
    wall->mu_s[lane] = s->friction_static, wall->mu_k[lane] = s->friction_kinetic;
    wall->adhesion[lane] = s->adhesion;
    wall->lx[lane] = impulse.x, wall->ly[lane] = impulse.y, wall->lz[lane] = impulse.z;
    wall->key[lane] = key;
}

typedef struct SoilSurfaceGrain {
    const SoilSurfaceFind* find;
    SoilWall* wall; // slots of the grain's slice
    int i, lane;    // of the grain
    int opened;     // slots that some lane of the slice uses already
    int count;      // surfaces of this grain
    uint32_t touched;
    Vec3 center;  // m
    float travel; // m, before the next look
} SoilSurfaceGrain;

// What one boundary has for the grain. A driven one is asked even when there is no room left, for
// it must see the grain to know on which side it was.
static void soil_surface_meet(SoilSurfaceGrain* g, int b)
{
    Soil* soil = g->find->soil;
    SoilArrays* a = soil_arrays(soil);
    const SoilBoundary* boundary = &soil->boundary[b];
    float reach = soil->face[b].reach + g->travel, radius = a->radius[g->i];
    SoilSurface surface[SOIL_SURFACES_MAX];
    SoilGrain grain = {.center = g->center,
                       .radius = radius,
                       .material = a->material[g->i],
                       .memory = &a->memory[g->i],
                       .velocity = vec3(a->vx[g->i], a->vy[g->i], a->vz[g->i]),
                       .until = soil->interval};
    int found = soil_surface_ask(boundary, &soil->face[b], &grain, reach, surface,
                                 SOIL_SURFACES_MAX - g->count);
    g->touched |= (uint32_t)(found > 0) << b;
    for (int f = 0; f < found; ++f, ++g->count) {
        if (g->count >= g->opened) {
            soil_surface_clear(&g->wall[g->count]);
            g->opened = g->count + 1;
        }
        uint32_t key = (uint32_t)b << 24 | (surface[f].feature & 0xffffffu);
        Vec3 impulse = vec3(0.0f, 0.0f, 0.0f);
        if (soil->def.kernel == SOIL_KERNEL_SPLIT) {
            impulse = soil_surface_recall(g->find, g->i, key);
        }
        soil_surface_write(&g->wall[g->count], g->lane, &surface[f], radius, key, impulse);
    }
}

// Most grains are far from most walls.
static inline bool soil_surface_far(const SoilSurfaceGrain* g, const SoilBoundary* boundary,
                                    const SoilFace* face, float radius)
{
    return boundary->shape == SOIL_SHAPE_PLANE &&
           vec3_dot(face->normal, g->center) - face->offset - radius >= face->reach + g->travel;
}

// All surfaces of one grain; the first SOIL_SURFACES_MAX are kept, of driven boundaries before the
// others: ground that is forgotten for a frame is a dent, steel that is forgotten is a leak.
static int soil_surface_grain(const SoilSurfaceFind* find, int i, SoilWall* wall, int lane,
                              int opened)
{
    Soil* soil = find->soil;
    const SoilArrays* a = soil_arrays(soil);
    SoilSurfaceGrain g = {.find = find, .wall = wall, .i = i, .lane = lane, .opened = opened};
    g.center = vec3(a->px[i], a->py[i], a->pz[i]);
    g.travel = vec3_length(vec3(a->vx[i], a->vy[i], a->vz[i])) * soil->interval;
    for (int b = 0; b < soil->boundary_count && soil->driven; ++b) {
        if (soil->boundary[b].driven) {
            soil_surface_meet(&g, b);
        }
    }
    for (int b = 0; b < soil->boundary_count && g.count < SOIL_SURFACES_MAX; ++b) {
        const SoilBoundary* boundary = &soil->boundary[b];
        if (!boundary->driven && !soil_surface_far(&g, boundary, &soil->face[b], a->radius[i])) {
            soil_surface_meet(&g, b);
        }
    }
    soil->touched[i] = g.count < SOIL_SURFACES_MAX ? g.touched : ~0u; // full: some may be left out
    return g.count;
}

static void soil_surface_block(void* context, int block, int begin, int end)
{
    const SoilSurfaceFind* find = context;
    Soil* soil = find->soil;
    SoilWalls* walls = soil_walls(soil);
    size_t slot = (size_t)block * SOIL_BLOCK_SLICES * SOIL_SURFACES_MAX;
    soil->block[block].wall_slots = 0;
    for (int first = begin; first < end; first += SOIL_LANES) {
        int slice = first / SOIL_LANES, length = 0;
        for (int lane = 0; lane < SOIL_LANES && first + lane < end; ++lane) {
            int i = soil_member(soil_list(soil), first + lane);
            int count = soil_surface_grain(find, i, &walls->wall[slot], lane, length);
            soil->block[block].wall_slots += count;
            length = base_maxi(length, count);
        }
        walls->start[slice] = (uint32_t)slot;
        walls->length[slice] = (uint8_t)length;
        slot += (size_t)length;
    }
}

void soil_surface_find(Soil* soil, Jobs* jobs, bool resorted)
{
    SoilSurfaceFind find = {soil, soil_walls(soil), soil_list(soil), NULL};
    if (resorted) {
        find.old_list = &soil->list[1 - soil->list_current];
        find.from = soil->order;
    }
    float fall = vec3_length(soil->def.gravity) * soil->interval * soil->interval;
    float still = soil_margin(soil) + fall; // m, how far a grain at rest may get
    for (int b = 0; b < soil->boundary_count; ++b) {
        const SoilBoundary* x = &soil->boundary[b];
        Vec3 normal = quat_rotate(x->rotation, vec3(0.0f, 1.0f, 0.0f));
        float speed = vec3_length(x->velocity) + x->extent * vec3_length(x->spin);
        float reach = still + speed * soil->interval;
        soil->face[b] = (SoilFace){normal, vec3_dot(normal, x->position), reach};
    }
    soil->walls_current = 1 - soil->walls_current;
    soil_walls(soil)->count = soil->state.count;
    jobs_for(jobs, soil->state.count, SOIL_BLOCK, soil_surface_block, &find);
    soil->stats.surface_slots = 0;
    for (int b = 0; b < jobs_blocks(soil->state.count, SOIL_BLOCK); ++b) {
        soil->stats.surface_slots += soil->block[b].wall_slots;
    }
}

bool soil_surface_moving(const Soil* soil)
{
    for (int b = 0; b < soil->boundary_count; ++b) {
        const SoilBoundary* x = &soil->boundary[b];
        if (x->shape == SOIL_SHAPE_FUNCTION || vec3_dot(x->velocity, x->velocity) > 0.0f ||
            vec3_dot(x->spin, x->spin) > 0.0f) {
            return true;
        }
    }
    return false;
}

bool soil_surface_driven(const Soil* soil)
{
    for (int b = 0; b < soil->boundary_count; ++b) {
        if (soil->boundary[b].driven) {
            return true;
        }
    }
    return false;
}

// --- following ----------------------------------------------------------------------------------

typedef struct SoilSurfaceFollow {
    Soil* soil;
    float time;   // s, since the interval's start
    float passed; // s, since the surfaces were led last
} SoilSurfaceFollow;

// The tangent plane goes on with the boundary: its foot with the old velocity until now, its normal
// with the turn; from now on it has the new velocity. The kernel counts time from the interval's
// start, so the offset is what it would have been then.
static void soil_surface_lead(const SoilSurfaceFollow* follow, SoilWall* wall, int lane,
                              Vec3 center, float radius)
{
    const SoilBoundary* b = &follow->soil->boundary[wall->key[lane] >> 24];
    Vec3 n = vec3(wall->nx[lane], wall->ny[lane], wall->nz[lane]);
    Vec3 v = vec3(wall->vx[lane], wall->vy[lane], wall->vz[lane]);
    float then = wall->offset[lane] + vec3_dot(n, v) * follow->time; // by the old velocity, now
    Vec3 foot = vec3_mad(center, n, then - vec3_dot(n, center) - radius);
    Vec3 turned = vec3_unit(vec3_mad(n, vec3_cross(b->spin, n), follow->passed));
    Vec3 velocity = soil_surface_velocity(b, foot);
    wall->nx[lane] = turned.x, wall->ny[lane] = turned.y, wall->nz[lane] = turned.z;
    wall->vx[lane] = velocity.x, wall->vy[lane] = velocity.y, wall->vz[lane] = velocity.z;
    wall->offset[lane] =
        vec3_dot(turned, foot) + radius - vec3_dot(turned, velocity) * follow->time;
}

static void soil_surface_follow_block(void* context, int block, int begin, int end)
{
    (void)block;
    const SoilSurfaceFollow* follow = context;
    Soil* soil = follow->soil;
    SoilWalls* walls = soil_walls(soil);
    for (int slice = begin / SOIL_LANES; slice < soil_slices(end); ++slice) {
        for (int n = 0; n < walls->length[slice]; ++n) {
            SoilWall* wall = &walls->wall[walls->start[slice] + (uint32_t)n];
            for (int lane = 0; lane < SOIL_LANES; ++lane) {
                if (wall->key[lane] == SOIL_NO_KEY ||
                    !soil->boundary[wall->key[lane] >> 24].driven) {
                    continue;
                }
                int i = soil_member(soil_list(soil), slice * SOIL_LANES + lane);
                const float* g = soil->record[soil->front] + (size_t)i * SOIL_RECORD;
                soil_surface_lead(follow, wall, lane, vec3(g[0], g[1], g[2]), g[3]);
            }
        }
    }
}

void soil_surface_follow(Soil* soil, Jobs* jobs, float time, float passed)
{
    SoilSurfaceFollow follow = {soil, time, passed};
    jobs_for(jobs, soil->state.count, SOIL_BLOCK, soil_surface_follow_block, &follow);
}

void soil_surface_move(Soil* soil, float dt)
{
    for (int b = 0; b < soil->boundary_count; ++b) {
        SoilBoundary* x = &soil->boundary[b];
        x->position = vec3_mad(x->position, x->velocity, dt);
        if (vec3_dot(x->spin, x->spin) > 0.0f) {
            x->rotation = quat_turn(x->rotation, x->spin, dt);
        }
    }
}

// `impulse` was given to the grain; its opposite goes to the boundary, at the surface.
void soil_surface_push(SoilPush* push, const Soil* soil, const SoilWall* wall, int lane,
                       Vec3 center, Vec3 impulse, bool last)
{
    const SoilBoundary* b = &soil->boundary[wall->key[lane] >> 24];
    SoilPush* sum = &push[wall->key[lane] >> 24];
    Vec3 n = vec3(wall->nx[lane], wall->ny[lane], wall->nz[lane]);
    float gap = vec3_dot(n, center) - wall->offset[lane];
    Vec3 arm =
        vec3_sub(vec3_mad(center, n, -gap), b->position); // to where the grain's centre rests
    const double j[3] = {-(double)impulse.x, -(double)impulse.y, -(double)impulse.z};
    const double r[3] = {(double)arm.x, (double)arm.y, (double)arm.z};
    for (int a = 0; a < 3; ++a) {
        int a1 = (a + 1) % 3, a2 = (a + 2) % 3;
        sum->impulse[a] += j[a];
        sum->moment[a] += r[a1] * j[a2] - r[a2] * j[a1];
    }
    double normal = (double)__builtin_fabsf(vec3_dot(n, impulse));
    sum->weight += normal;
    sum->weighted[0] += normal * (double)center.x;
    sum->weighted[1] += normal * (double)center.y;
    sum->weighted[2] += normal * (double)center.z;
    sum->contacts += last;
}

static void soil_push_add(SoilPush* sum, const SoilPush* push)
{
    for (int a = 0; a < 3; ++a) {
        sum->impulse[a] += push->impulse[a];
        sum->moment[a] += push->moment[a];
        sum->weighted[a] += push->weighted[a];
    }
    sum->weight += push->weight;
    sum->contacts += push->contacts;
}

static SoilReaction soil_push_reaction(const SoilPush* sum, Vec3 position, double seconds)
{
    const double at[3] = {(double)position.x, (double)position.y, (double)position.z};
    double per_second = 1.0 / seconds;
    SoilReaction out = {.contacts = (int)sum->contacts};
    for (int a = 0; a < 3; ++a) {
        out.force[a] = sum->impulse[a] * per_second;
        out.torque[a] = sum->moment[a] * per_second;
        out.point[a] = sum->weight > 0.0 ? sum->weighted[a] / sum->weight : at[a];
    }
    return out;
}

// Sum the blocks in order, so that the reaction has the same bits for every worker count.
void soil_surface_sum(Soil* soil, double seconds)
{
    int blocks = jobs_blocks(soil->state.count, SOIL_BLOCK);
    for (int b = 0; b < soil->boundary_count; ++b) {
        SoilPush sum = {0};
        for (int k = 0; k < blocks; ++k) {
            soil_push_add(&sum, &soil->push[k * SOIL_BOUNDARIES_MAX + b]);
        }
        soil->part_reaction[b] = soil_push_reaction(&sum, soil->boundary[b].position, seconds);
        soil_push_add(&soil->frame_push[b], &sum);
    }
    memset(soil->push, 0, (size_t)blocks * SOIL_BOUNDARIES_MAX * sizeof *soil->push);
}

// I6: what a boundary gets is the sum of what its grains got, the other way, block after block.
void soil_surface_react(Soil* soil)
{
    for (int b = 0; b < soil->boundary_count; ++b) {
        soil->reaction[b] = soil_push_reaction(&soil->frame_push[b], soil->boundary[b].position,
                                               (double)soil->def.dt);
    }
}

// Sum of the pushes of driven boundaries on the grain in a lane, kg m/s.
static float soil_lane_pressed(const Soil* soil, const SoilWalls* walls, int slice, int lane)
{
    float sum = 0.0f;
    for (int n = 0; n < walls->length[slice]; ++n) {
        const SoilWall* wall = &walls->wall[walls->start[slice] + (uint32_t)n];
        if (wall->key[lane] != SOIL_NO_KEY && soil->boundary[wall->key[lane] >> 24].driven) {
            sum += wall->nx[lane] * wall->lx[lane] + wall->ny[lane] * wall->ly[lane] +
                   wall->nz[lane] * wall->lz[lane];
        }
    }
    return sum;
}

int soil_pressed(const Soil* soil, float force, int* out, int max)
{
    const SoilList* list = &soil->list[soil->list_current];
    const SoilWalls* walls = &soil->walls[soil->walls_current];
    float impulse = force * soil->def.dt / (float)soil->def.substeps;
    int count = 0;
    for (int i = 0; i < base_mini(walls->count, soil->state.count) && count < max; ++i) {
        int slice = (int)(list->lane[i] / SOIL_LANES), lane = (int)(list->lane[i] % SOIL_LANES);
        if (walls->length[slice] > 0 && soil_lane_pressed(soil, walls, slice, lane) > impulse) {
            out[count++] = i;
        }
    }
    return count;
}
