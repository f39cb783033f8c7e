// Creation, books, and the ground as the grains feel it.
#include "base/base_assert.h"
#include "base/base_memory.h"
#include "base/base_trig.h"
#include "coupling/coupling_internal.h"

#include <stdlib.h>

#define COUPLING_SLIPS_MAX 1024 // columns of failing faces looked at in one step

CouplingDef coupling_def(float radius)
{
    return (CouplingDef){
        .radius = radius,
        .packing = 0.6f, // what poured heaps of equal spheres measure
        .slow = 0.1f,
        .patience = 12,
        .reserve = 64,
        .births_max = 600,
        .fade = 12,
    };
}

Coupling* coupling_create(const CouplingDef* def, Soil* soil, Terrain* terrain)
{
    const SoilDef* grains = soil_definition(soil);
    const TerrainDef* ground = terrain_definition(terrain);
    BASE_ASSERT(def->radius > 0.0f && def->radius <= grains->radius_max);
    BASE_ASSERT(def->packing > 0.0f && def->patience > 0 && def->patience <= 40);
    BASE_ASSERT(grains->material_count == ground->material_count);
    Coupling* c = calloc(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    *c = (Coupling){.def = *def, .soil = soil, .terrain = terrain, .crumbs_cell = -1};
    double room = 4.0 / 3.0 * BASE_PI * (double)def->radius * (double)def->radius *
                  (double)def->radius / (double)def->packing;
    for (int m = 0; m < ground->material_count; ++m) {
        c->grain_mass[m] = (uint32_t)(terrain_loose_mg(terrain, m, room) + 0.5);
        float holds =
            base_maxf(ground->material[m].start, ground->material[m].repose + COUPLING_STEEPER);
        c->ground_friction[m] =
            base_maxf(grains->material[m].friction_static, base_sinf(holds) / base_cosf(holds));
        c->cos_holds[m] = base_cosf(holds);
        c->tan_repose[m] =
            base_sinf(ground->material[m].repose) / base_cosf(ground->material[m].repose);
    }
    SoilBoundary boundary = {
        .shape = SOIL_SHAPE_FUNCTION,
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
        .surface = coupling_ground_surface,
        .context = c,
    };
    size_t blocks = (size_t)jobs_blocks(grains->capacity, COUPLING_BLOCK);
    c->slip_max = COUPLING_SLIPS_MAX;
    c->waiting = base_memory((size_t)grains->capacity, sizeof *c->waiting);
    c->resting = base_memory((size_t)grains->capacity, sizeof *c->resting);
    c->cell = base_memory((size_t)grains->capacity, sizeof *c->cell);
    c->busy = base_memory((size_t)ground->nx * (size_t)ground->nz, sizeof *c->busy);
    c->block_count = base_memory(blocks * 2, sizeof *c->block_count);
    c->slip = base_memory(COUPLING_SLIPS_MAX, sizeof *c->slip);
    c->cut = base_memory(COUPLING_SLIPS_MAX, sizeof *c->cut);
    bool fine =
        c->waiting && c->resting && c->cell && c->busy && c->block_count && c->slip && c->cut;
    c->ground = fine ? soil_add_boundary(soil, &boundary) : -1;
    if (c->ground < 0) {
        coupling_destroy(c);
        return NULL;
    }
    return c;
}

// The soil outlives us: it must not ask us any more.
static void coupling_leave(Coupling* c, int boundary)
{
    SoilBoundary* left = soil_boundary(c->soil, boundary);
    left->shape = SOIL_SHAPE_NONE;
    left->surface = NULL, left->context = NULL;
}

void coupling_destroy(Coupling* c)
{
    if (c) {
        for (int b = 0; b < c->bin_count; ++b) {
            coupling_leave(c, c->bin[b].boundary);
            terrain_destroy(c->bin[b].ground);
        }
        if (c->ground >= 0) {
            coupling_leave(c, c->ground);
        }
        soil_set_recall(c->soil, NULL, NULL);
        coupling_carriers_free(c);
        free(c->waiting);
        free(c->resting);
        free(c->cell);
        free(c->busy);
        free(c->block_count);
        free(c->slip);
        free(c->cut);
        free(c);
    }
}

const CouplingDef* coupling_definition(const Coupling* c)
{
    return &c->def;
}

const CouplingStats* coupling_stats(const Coupling* c)
{
    return &c->stats;
}

const CouplingLedger* coupling_ledger(const Coupling* c)
{
    return &c->ledger;
}

int coupling_ground(const Coupling* c)
{
    return c->ground;
}

uint32_t coupling_grain_mass(const Coupling* c, int material)
{
    return c->grain_mass[material];
}

// A slope beside the grain holds it too when it rises out of the plane under the grain: in a hollow
// a grain lies on several slopes. Over a ridge the far slope's plane runs above the ground; it is
// not asked. `gap` is how far the grain's middle is from that slope's plane.
static bool coupling_hollow(const Terrain* terrain, const TerrainContact* under, Vec3 center,
                            Vec3 beside, float limit, TerrainContact* out, float* gap)
{
    beside.y = center.y;
    if (!terrain_contact(terrain, beside, 4.0f * limit, out) ||
        vec3_dot(out->normal, under->normal) > COUPLING_FLAT) {
        return false;
    }
    // heights of both planes over the grain's middle
    Vec3 to_far = vec3_sub(center, out->point), to_near = vec3_sub(center, under->point);
    float near = vec3_dot(to_near, under->normal);
    *gap = vec3_dot(to_far, out->normal);
    return *gap < limit && *gap * under->normal.y >= near * out->normal.y;
}

// All slopes that hold the grain become one plane: as near as the nearest of them, and leaning as
// their mean, the nearer the heavier. Told one by one, a grain that comes down on all at once would
// be stopped by each, and bounce.
//
// The ground is smooth where a heap of grains has hollows: its friction stands for them, so that a
// grain stays where the slope itself would.
int coupling_ground_surface(const void* context, const SoilGrain* grain, float reach,
                            SoilSurface* out, int max)
{
    const Coupling* c = context;
    Vec3 center = grain->center;
    float radius = grain->radius;
    TerrainContact slope[5];
    float limit = radius + reach, gap[5];
    if (max < 1 || !terrain_contact(c->terrain, center, 2.0f * limit, &slope[0])) {
        return 0;
    }
    const float step = 0.75f * radius;
    const Vec3 beside[4] = {{center.x - step, 0.0f, center.z},
                            {center.x + step, 0.0f, center.z},
                            {center.x, 0.0f, center.z - step},
                            {center.x, 0.0f, center.z + step}};
    int count = 1, nearest = 0;
    gap[0] = vec3_dot(vec3_sub(center, slope[0].point), slope[0].normal);
    for (int k = 0; k < 4; ++k) {
        if (coupling_hollow(c->terrain, &slope[0], center, beside[k], limit, &slope[count],
                            &gap[count])) {
            nearest = gap[count] < gap[nearest] ? count : nearest;
            ++count;
        }
    }
    if (gap[nearest] >= limit) {
        return 0;
    }
    Vec3 normal = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < count; ++k) {
        float farther = (gap[k] - gap[nearest]) / (COUPLING_BLEND * radius);
        normal = vec3_mad(normal, slope[k].normal, base_maxf(0.0f, 1.0f - farther));
    }
    normal = vec3_unit(normal);
    int m = slope[nearest].material;
    float friction = m >= 0 ? c->ground_friction[m] : COUPLING_ROCK;
    *out = (SoilSurface){.point = vec3_mad(center, normal, -gap[nearest]),
                         .normal = normal,
                         .friction_static = friction,
                         .friction_kinetic = friction};
    return 1;
}

int coupling_free(const Coupling* c)
{
    const SoilState* s = soil_state(c->soil);
    return soil_definition(c->soil)->capacity - s->count - coupling_frozen(c);
}

bool coupling_pour(Coupling* c, Vec3 position, Vec3 velocity, int material)
{
    uint32_t mg = c->grain_mass[material];
    if (coupling_free(c) <= 0 ||
        !soil_spawn(c->soil, position, velocity, c->def.radius, mg, material)) {
        return false;
    }
    c->ledger.poured.of[material] += mg;
    c->ledger.grains.of[material] += mg;
    return true;
}

// --- books ---------------------------------------------------------------------------------------

int64_t coupling_imbalance(const Coupling* c, int material)
{
    const TerrainLedger* ground = &terrain_state(c->terrain)->ledger;
    uint64_t in = c->ledger.poured.of[material] + ground->given.of[material];
    uint64_t out = ground->received.of[material] + c->ledger.grains.of[material] +
                   c->ledger.frozen.of[material] + c->ledger.crumbs.of[material] +
                   c->ledger.hauled.of[material];
    for (int b = 0; b < c->bin_count; ++b) {
        const TerrainLedger* bin = &terrain_state(c->bin[b].ground)->ledger;
        in += bin->given.of[material];
        out += bin->received.of[material];
    }
    return (int64_t)(out - in);
}

bool coupling_balanced(const Coupling* c)
{
    bool fine = terrain_balanced(c->terrain);
    for (int b = 0; b < c->bin_count; ++b) {
        fine = fine && terrain_balanced(c->bin[b].ground);
    }
    for (int m = 0; m < terrain_definition(c->terrain)->material_count; ++m) {
        fine = fine && coupling_imbalance(c, m) == 0;
    }
    return fine;
}

static bool coupling_audit_frozen(const Coupling* c)
{
    TerrainMass counted = {{0}};
    for (int n = 0; n < c->carrier_count; ++n) {
        const CouplingCarrier* k = &c->carrier[n];
        for (int i = 0; i < k->count; ++i) {
            counted.of[k->material[i]] += k->mass[i];
        }
    }
    return memcmp(&counted, &c->ledger.frozen, sizeof counted) == 0;
}

// Grains, carriers and books; whatever lies in grounds has been counted before.
static bool coupling_audit_loose(const Coupling* c)
{
    const SoilState* s = soil_state(c->soil);
    TerrainMass counted = {{0}};
    uint64_t total = 0;
    for (int i = 0; i < s->count; ++i) {
        counted.of[s->material[i]] += s->mass[i];
        total += s->mass[i];
    }
    bool fine = coupling_balanced(c) && total == s->mass_mg;
    for (int m = 0; m < TERRAIN_MATERIALS_MAX; ++m) {
        fine = fine && counted.of[m] == c->ledger.grains.of[m];
    }
    return fine && coupling_audit_frozen(c);
}

bool coupling_audit(const Coupling* c)
{
    bool fine = terrain_audit(c->terrain);
    for (int b = 0; b < c->bin_count; ++b) {
        fine = terrain_audit(c->bin[b].ground) && fine;
    }
    return coupling_audit_loose(c) && fine;
}

bool coupling_recount(Coupling* c)
{
    bool fine = terrain_recount(c->terrain);
    for (int b = 0; b < c->bin_count; ++b) {
        fine = terrain_recount(c->bin[b].ground) && fine;
    }
    return coupling_audit_loose(c) && fine;
}

// --- picture -------------------------------------------------------------------------------------

int coupling_fades(const Coupling* c, CouplingFade* out, int max)
{
    int count = 0;
    for (int k = 1; k <= COUPLING_FADES_MAX && count < max; ++k) {
        int at = (c->fade_next - k + 2 * COUPLING_FADES_MAX) % COUPLING_FADES_MAX;
        uint64_t age = c->frame - c->fade_born[at];
        if (c->fade[at].radius == 0.0f || age >= (uint64_t)c->def.fade) {
            break; // the ring is in order of birth: all others are older
        }
        out[count] = c->fade[at];
        out[count++].left = 1.0f - (float)age / (float)c->def.fade;
    }
    return count;
}

float coupling_fade_rise(const Coupling* c, const CouplingFade* fade, float dx, float dz)
{
    // a dome (1 - q)^2 over the patch, q = (distance / R)^2, holds pi R^2 / 3 times its height
    float reach =
        base_maxf(COUPLING_SPREAD * fade->radius, 0.75f * terrain_definition(c->terrain)->cell);
    float q = (dx * dx + dz * dz) / (reach * reach);
    if (q >= 1.0f) {
        return 0.0f;
    }
    float room = 4.18879f * fade->radius * fade->radius * fade->radius / c->def.packing;
    return fade->left * (1.0f - q) * (1.0f - q) * room * 3.0f / (3.14159265f * reach * reach);
}
