// Carriers: grains at rest against a body leave the solver and ride on it.
//
// A full bucket is a thousand grains that do nothing for most of a cycle. All of a load freezes at
// once, and thaws at once: between frozen and living grains there is never a contact, for the first
// living one that comes close thaws the rest.
#include "base/base_assert.h"
#include "base/base_memory.h"
#include "coupling/coupling_internal.h"

#include <stdlib.h>

#define COUPLING_CALM   10   // frames of rest of the whole load until it freezes
#define COUPLING_SMOOTH 0.2f // of the new value, in the smoothed acceleration
#define COUPLING_JOLT   1.2f // m/s2: 7 degrees of tilt, or an eighth of g
#define COUPLING_HOLDS  0.2f // upward part of the normal of steel that can hold a grain up
#define COUPLING_SINKS  0.5f // radii: nearer than that to the ground, frozen grains are pushed by it

static void coupling_carrier_free(CouplingCarrier* k)
{
    free(k->at);
    free(k->radius);
    free(k->mass);
    free(k->material);
    free(k->raster);
    coupling_memory_free(&k->memory);
    *k = (CouplingCarrier){0};
}

static Vec3 coupling_to_carrier(const CouplingCarrier* k, Vec3 position)
{
    return quat_unrotate(k->body->rotation, vec3_sub(position, k->body->position));
}

static Vec3 coupling_point_velocity(const SoilBoundary* body, Vec3 position)
{
    Vec3 arm = vec3_sub(position, body->position);
    return vec3_add(body->velocity, vec3_cross(body->spin, arm));
}

static Vec3 coupling_from_carrier(const CouplingCarrier* k, Vec3 local)
{
    return vec3_add(k->body->position, quat_rotate(k->body->rotation, local));
}

// Of the middle of the box: a bucket that curls or swings carries its load along an arc.
static Vec3 coupling_box_velocity(const CouplingCarrier* k)
{
    Vec3 middle = vec3_mul(vec3_add(k->def.low, k->def.high), 0.5f);
    return coupling_point_velocity(k->body, coupling_from_carrier(k, middle));
}

int coupling_add_carrier(Coupling* c, const CouplingCarrierDef* def)
{
    BASE_ASSERT(def->low.x < def->high.x && def->low.y < def->high.y && def->low.z < def->high.z);
    if (c->carrier_count == COUPLING_CARRIERS_MAX) {
        return -1;
    }
    CouplingCarrier* k = &c->carrier[c->carrier_count];
    size_t capacity = (size_t)soil_definition(c->soil)->capacity;
    Vec3 size = vec3_sub(def->high, def->low);
    float longest = base_maxf(size.x, base_maxf(size.y, size.z));
    *k = (CouplingCarrier){.def = *def, .body = soil_boundary(c->soil, def->boundary)};
    Vec3 far = vec3(base_maxf(__builtin_fabsf(def->low.x), __builtin_fabsf(def->high.x)),
                    base_maxf(__builtin_fabsf(def->low.y), __builtin_fabsf(def->high.y)),
                    base_maxf(__builtin_fabsf(def->low.z), __builtin_fabsf(def->high.z)));
    k->reach2 = vec3_dot(far, far);
    k->cell = base_maxf(2.2f * c->def.radius, longest / (float)COUPLING_RASTER);
    k->nx = (int)(size.x / k->cell) + 3;
    k->ny = (int)(size.y / k->cell) + 3;
    k->nz = (int)(size.z / k->cell) + 3;
    k->falls = quat_unrotate(k->body->rotation, soil_definition(c->soil)->gravity);
    k->at = base_memory(capacity, sizeof *k->at);
    k->radius = base_memory(capacity, sizeof *k->radius);
    k->mass = base_memory(capacity, sizeof *k->mass);
    k->material = base_memory(capacity, sizeof *k->material);
    k->raster = base_memory((size_t)k->nx * (size_t)k->ny * (size_t)k->nz, 1);
    bool remembers = coupling_memory_init(&k->memory, (int)capacity);
    if (!remembers || !k->at || !k->radius || !k->mass || !k->material || !k->raster) {
        coupling_carrier_free(k);
        return -1;
    }
    k->velocity_then = coupling_box_velocity(k);
    soil_set_recall(c->soil, coupling_memory_recall, c);
    return c->carrier_count++;
}

void coupling_carriers_free(Coupling* c)
{
    while (c->carrier_count > 0) {
        coupling_carrier_free(&c->carrier[--c->carrier_count]);
    }
}

// --- where ---------------------------------------------------------------------------------------

static bool coupling_in_box(const CouplingCarrier* k, Vec3 at, float margin)
{
    const Vec3 lo = k->def.low, hi = k->def.high;
    return at.x >= lo.x - margin && at.x <= hi.x + margin && at.y >= lo.y - margin &&
           at.y <= hi.y + margin && at.z >= lo.z - margin && at.z <= hi.z + margin;
}

int coupling_which_carrier(const Coupling* c, Vec3 position, Vec3 velocity, Vec3* local,
                           Vec3* relative)
{
    for (int n = 0; n < c->carrier_count; ++n) {
        const CouplingCarrier* k = &c->carrier[n];
        Vec3 arm = vec3_sub(position, k->body->position);
        if (vec3_dot(arm, arm) > k->reach2) {
            continue;
        }
        Vec3 at = coupling_to_carrier(k, position);
        if (coupling_in_box(k, at, 0.0f)) {
            *local = at;
            *relative = vec3_sub(velocity, coupling_point_velocity(k->body, position));
            return n;
        }
    }
    return -1;
}

// Cell of the raster, -1 outside of it and for what is no number.
static int coupling_raster_cell(const CouplingCarrier* k, Vec3 at)
{
    float inverse = 1.0f / k->cell;
    float x = (at.x - k->def.low.x) * inverse + 1.0f, y = (at.y - k->def.low.y) * inverse + 1.0f;
    float z = (at.z - k->def.low.z) * inverse + 1.0f;
    if (!(x >= 0.0f && y >= 0.0f && z >= 0.0f && x < (float)k->nx && y < (float)k->ny &&
          z < (float)k->nz)) {
        return -1;
    }
    return ((int)z * k->ny + (int)y) * k->nx + (int)x;
}

// Marks the cell of a grain and all around it: whatever comes there may touch the grain.
static void coupling_raster_mark(CouplingCarrier* k, Vec3 at)
{
    for (int n = 0; n < 27; ++n) {
        Vec3 beside =
            vec3(at.x + (float)(n % 3 - 1) * k->cell, at.y + (float)(n / 3 % 3 - 1) * k->cell,
                 at.z + (float)(n / 9 - 1) * k->cell);
        int cell = coupling_raster_cell(k, beside);
        if (cell >= 0) {
            k->raster[cell] = 1;
        }
    }
}

static bool coupling_raster_touches(const CouplingCarrier* k, Vec3 position)
{
    int cell = coupling_raster_cell(k, coupling_to_carrier(k, position));
    return cell >= 0 && k->raster[cell] != 0;
}

void coupling_carrier_refresh(CouplingCarrier* k)
{
    memset(k->raster, 0, (size_t)k->nx * (size_t)k->ny * (size_t)k->nz);
    for (int n = 0; n < k->count; ++n) {
        coupling_raster_mark(k, k->at[n]);
    }
}

// --- freeze and thaw -----------------------------------------------------------------------------

int coupling_frozen(const Coupling* c)
{
    int count = 0;
    for (int n = 0; n < c->carrier_count; ++n) {
        count += c->carrier[n].count;
    }
    return count;
}

// What finds no room in the pool stays frozen until the next step.
void coupling_carrier_thaw(Coupling* c, int carrier)
{
    CouplingCarrier* k = &c->carrier[carrier];
    CouplingMemory* memory = &k->memory;
    const SoilState* s = soil_state(c->soil);
    uint32_t first_id = s->next_id;
    int kept = 0;
    for (int n = 0; n < k->count; ++n) {
        Vec3 at = coupling_from_carrier(k, k->at[n]);
        if (soil_spawn(c->soil, at, coupling_point_velocity(k->body, at), k->radius[n], k->mass[n],
                       k->material[n])) {
            c->ledger.frozen.of[k->material[n]] -= k->mass[n];
            c->ledger.grains.of[k->material[n]] += k->mass[n];
            c->ledger.thaws++;
            if (memory->grains > 0) {
                soil_edit(c->soil)->contacts[s->count - 1] = memory->contacts[n];
            }
        } else {
            k->at[kept] = k->at[n], k->radius[kept] = k->radius[n];
            k->mass[kept] = k->mass[n], k->material[kept++] = k->material[n];
        }
    }
    if (kept == 0 && k->count == memory->grains) {
        coupling_memory_wake(memory, k->body->rotation, first_id);
    } else {
        memory->grains = memory->count = 0;
    }
    k->count = kept;
    k->calm = 0;
    coupling_carrier_refresh(k);
}

// Near the ground, or near what lies in a bin?
static bool coupling_grounded(const Coupling* c, Vec3 at, float limit)
{
    Vec3 local, relative, still = {0.0f, 0.0f, 0.0f};
    bool grounded = at.y - limit < terrain_height(c->terrain, at.x, at.z);
    for (int b = 0; b < c->bin_count && !grounded; ++b) {
        grounded = coupling_bin_holds(&c->bin[b], at, still, &local, &relative) &&
                   local.y - limit < terrain_height(c->bin[b].ground, local.x, local.z);
    }
    return grounded;
}

// Does the body's steel hold the grain up? Then that does not lie on the ground, however near it is.
static bool coupling_on_steel(const CouplingCarrier* k, Vec3 at, float radius)
{
    SoilSurface surface[SOIL_SURFACES_MAX];
    const SoilBoundary* b = k->body;
    if (b->shape != SOIL_SHAPE_FUNCTION) {
        return true;
    }
    bool held = false;
    uint64_t memory = 0;
    SoilGrain grain = {.center = at, .radius = radius, .memory = &memory};
    int count = b->surface(b->context, &grain, COUPLING_SINKS * radius, surface, SOIL_SURFACES_MAX);
    for (int n = 0; n < count; ++n) {
        held |= surface[n].normal.y > COUPLING_HOLDS;
    }
    return held;
}

bool coupling_rides(const Coupling* c, Vec3 at, float radius)
{
    Vec3 local, relative, still = {0.0f, 0.0f, 0.0f};
    int n = coupling_which_carrier(c, at, still, &local, &relative);
    return n >= 0 && (!coupling_grounded(c, at, COUPLING_TOUCH * radius) ||
                      coupling_on_steel(&c->carrier[n], at, radius));
}

// Only as a whole, and only when nothing outside the box leans on it and none of it lies on the
// ground: what a bucket that stands in a heap holds may as well stay when the bucket leaves.
static bool coupling_carrier_ready(Coupling* c, int carrier)
{
    CouplingCarrier* k = &c->carrier[carrier];
    const SoilState* s = soil_state(c->soil);
    Vec3 local, relative, still = {0.0f, 0.0f, 0.0f};
    int inside = 0;
    bool calm = true;
    memset(k->raster, 0, (size_t)k->nx * (size_t)k->ny * (size_t)k->nz);
    for (int i = 0; i < s->count && calm; ++i) {
        Vec3 at = vec3(s->px[i], s->py[i], s->pz[i]);
        if (s->mass[i] > 0 && coupling_which_carrier(c, at, still, &local, &relative) == carrier) {
            ++inside;
            calm = s->rest[i] >= c->def.patience && coupling_rides(c, at, s->radius[i]);
            coupling_raster_mark(k, local);
        }
    }
    for (int i = 0; i < s->count && calm; ++i) {
        Vec3 at = vec3(s->px[i], s->py[i], s->pz[i]);
        calm = s->mass[i] == 0 || !coupling_raster_touches(k, at) ||
               coupling_which_carrier(c, at, still, &local, &relative) == carrier;
    }
    return calm && inside > 0;
}

static void coupling_carrier_freeze(Coupling* c, int carrier)
{
    CouplingCarrier* k = &c->carrier[carrier];
    const SoilState* s = soil_state(c->soil);
    Vec3 local, relative, still = {0.0f, 0.0f, 0.0f};
    int riders = 0;
    for (int i = 0; i < s->count; ++i) {
        Vec3 at = vec3(s->px[i], s->py[i], s->pz[i]);
        if (s->mass[i] > 0 && coupling_which_carrier(c, at, still, &local, &relative) == carrier) {
            c->waiting[riders++] = i;
        }
    }
    coupling_memory_keep(&k->memory, c->soil, k->body->rotation, c->waiting, riders, c->resting);
    for (int n = 0; n < riders; ++n) {
        int i = c->waiting[n];
        coupling_which_carrier(c, vec3(s->px[i], s->py[i], s->pz[i]), still, &local, &relative);
        int material = s->material[i];
        k->at[k->count] = local;
        k->radius[k->count] = s->radius[i];
        k->material[k->count] = (uint8_t)material;
        k->mass[k->count] = soil_remove(c->soil, i);
        c->ledger.grains.of[material] -= k->mass[k->count];
        c->ledger.frozen.of[material] += k->mass[k->count];
        c->ledger.freezes++;
        ++k->count;
    }
    k->falls_frozen = k->falls;
    coupling_carrier_refresh(k);
}

// Another slope, another push, a living grain, or the ground.
static bool coupling_carrier_disturbed(const Coupling* c, const CouplingCarrier* k)
{
    const SoilState* s = soil_state(c->soil);
    Vec3 change = vec3_sub(k->falls, k->falls_frozen);
    bool disturbed = vec3_dot(change, change) > COUPLING_JOLT * COUPLING_JOLT;
    float near2 = k->reach2 + 4.0f * k->cell * (__builtin_sqrtf(k->reach2) + k->cell);
    for (int i = 0; i < s->count && !disturbed; ++i) {
        Vec3 at = vec3(s->px[i], s->py[i], s->pz[i]), arm = vec3_sub(at, k->body->position);
        disturbed = s->mass[i] > 0 && vec3_dot(arm, arm) < near2 && coupling_raster_touches(k, at);
    }
    for (int n = 0; n < k->count && !disturbed; ++n) {
        disturbed =
            coupling_grounded(c, coupling_from_carrier(k, k->at[n]), COUPLING_SINKS * k->radius[n]);
    }
    return disturbed;
}

void coupling_carriers_step(Coupling* c)
{
    const SoilDef* def = soil_definition(c->soil);
    for (int n = 0; n < c->carrier_count; ++n) {
        CouplingCarrier* k = &c->carrier[n];
        if (k->memory.awake) { // they have met
            k->memory.grains = k->memory.count = 0;
            k->memory.awake = false;
        }
        Vec3 velocity = coupling_box_velocity(k), change = vec3_sub(velocity, k->velocity_then);
        Vec3 falls =
            quat_unrotate(k->body->rotation, vec3_mad(def->gravity, change, -1.0f / def->dt));
        k->falls = vec3_mad(k->falls, vec3_sub(falls, k->falls), COUPLING_SMOOTH);
        k->velocity_then = velocity;
        if (k->count > 0) {
            if (coupling_carrier_disturbed(c, k)) {
                coupling_carrier_thaw(c, n);
            }
        } else if (!coupling_carrier_ready(c, n)) {
            k->calm = 0;
        } else if (++k->calm >= COUPLING_CALM) {
            coupling_carrier_freeze(c, n);
        }
    }
}

// --- what it carries -----------------------------------------------------------------------------

int coupling_carrier_grains(const Coupling* c, int carrier)
{
    return c->carrier[carrier].count;
}

double coupling_carrier_mass(const Coupling* c, int carrier)
{
    const CouplingCarrier* k = &c->carrier[carrier];
    uint64_t mg = 0;
    for (int n = 0; n < k->count; ++n) {
        mg += k->mass[n];
    }
    return 1e-6 * (double)mg;
}

Vec3 coupling_carrier_center(const Coupling* c, int carrier)
{
    const CouplingCarrier* k = &c->carrier[carrier];
    double sum = 0.0, x = 0.0, y = 0.0, z = 0.0;
    for (int n = 0; n < k->count; ++n) {
        double mg = (double)k->mass[n];
        sum += mg, x += mg * (double)k->at[n].x, y += mg * (double)k->at[n].y,
            z += mg * (double)k->at[n].z;
    }
    double inverse = sum > 0.0 ? 1.0 / sum : 0.0;
    return vec3((float)(x * inverse), (float)(y * inverse), (float)(z * inverse));
}

void coupling_carrier_inertia(const Coupling* c, int carrier, float out[6])
{
    const CouplingCarrier* k = &c->carrier[carrier];
    Vec3 middle = coupling_carrier_center(c, carrier);
    double sum[6] = {0.0};
    for (int n = 0; n < k->count; ++n) {
        double kg = 1e-6 * (double)k->mass[n];
        double x = (double)(k->at[n].x - middle.x), y = (double)(k->at[n].y - middle.y);
        double z = (double)(k->at[n].z - middle.z);
        sum[0] += kg * (y * y + z * z), sum[1] += kg * (x * x + z * z);
        sum[2] += kg * (x * x + y * y);
        sum[3] -= kg * x * y, sum[4] -= kg * x * z, sum[5] -= kg * y * z;
    }
    for (int n = 0; n < 6; ++n) {
        out[n] = (float)sum[n];
    }
}

void coupling_carrier_masses(const Coupling* c, int carrier, uint64_t* out)
{
    const CouplingCarrier* k = &c->carrier[carrier];
    for (int n = 0; n < k->count; ++n) {
        out[k->material[n]] += k->mass[n];
    }
}

CouplingRider coupling_carrier_rider(const Coupling* c, int carrier, int index)
{
    const CouplingCarrier* k = &c->carrier[carrier];
    return (CouplingRider){
        .position = coupling_from_carrier(k, k->at[index]),
        .radius = k->radius[index],
        .material = k->material[index],
    };
}
