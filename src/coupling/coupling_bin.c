// Bins: a ground of their own in the frame of a moving body, with walls of steel around it.
//
// Tilted or shaken, that ground slides like any other, only that slopes are measured against the
// direction in which things fall now: its columns are thought to stand on a leaning floor.
//
//      upright            leaning by theta: in the body's frame a slope that rests at repose r
//    |   __   |           may rise at r - theta only, so the floor leans by
//    |__/  \__|              T = tan(r) - tan(r - theta) = t (m2 + 1) / (1 + m t),
//    |________|           with m = tan(r) and t = tan(theta)
//
// What stands higher than an edge lets it, wall or open gate, goes over it and becomes grains there.
// What stays is what the slope can hold; nothing stays behind an open gate when the floor is too
// steep for the friction of steel.
#include "base/base_assert.h"
#include "coupling/coupling_hold.h"
#include "coupling/coupling_internal.h"

#define COUPLING_WALL       0.08f // m, thickness of floor and walls
#define COUPLING_CUTS       64    // columns of an edge, spilling in one go
#define COUPLING_SPILL      1.0f  // m/s, of what goes over an edge
#define COUPLING_CAREEN     0.02f // change of the floor's lean that wakes the ground
#define COUPLING_OVERTURNED 0.17f // cosine of 80 degrees
#define COUPLING_SWEPT      0.3f // slope by which a load that slides on steel leans more than needed

int coupling_bin_surface(const void* context, const SoilGrain* grain, float reach, SoilSurface* out,
                         int max);

static Vec3 coupling_to_bin(const CouplingBin* bin, Vec3 position)
{
    return quat_unrotate(bin->body->rotation, vec3_sub(position, bin->body->position));
}

bool coupling_bin_holds(const CouplingBin* bin, Vec3 position, Vec3 velocity, Vec3* local,
                        Vec3* relative)
{
    Vec3 at = coupling_to_bin(bin, position);
    const CouplingBinDef* def = &bin->def;
    if (__builtin_fabsf(at.x) > 0.5f * def->length || __builtin_fabsf(at.z) > 0.5f * def->width ||
        at.y < 0.0f || at.y > 3.0f * def->wall) {
        return false;
    }
    Vec3 arm = vec3_sub(position, bin->body->position);
    *relative = vec3_sub(velocity, vec3_add(bin->body->velocity, vec3_cross(bin->body->spin, arm)));
    *local = at;
    return true;
}

// Gravity less the body's acceleration, by which everything in it seems to fall.
Vec3 coupling_bin_down(const Coupling* c, const CouplingBin* bin)
{
    const SoilDef* def = soil_definition(c->soil);
    Vec3 change = vec3_sub(bin->body->velocity, bin->velocity_then);
    Vec3 falls = vec3_mad(def->gravity, change, -1.0f / def->dt);
    return quat_unrotate(bin->body->rotation, vec3_unit(falls));
}

// --- contact -------------------------------------------------------------------------------------

// Nearest point of a box in the body's frame; false when further than `limit`.
static bool coupling_box_nearest(Vec3 p, Vec3 middle, Vec3 half, float limit, Vec3* point,
                                 Vec3* normal)
{
    const float at[3] = {p.x - middle.x, p.y - middle.y, p.z - middle.z};
    const float h[3] = {half.x, half.y, half.z};
    float near[3], n[3] = {0.0f, 0.0f, 0.0f}, far2 = 0.0f;
    int face = 0;
    for (int a = 0; a < 3; ++a) {
        near[a] = base_clampf(at[a], -h[a], h[a]);
        far2 += (at[a] - near[a]) * (at[a] - near[a]);
        face = h[a] - __builtin_fabsf(at[a]) < h[face] - __builtin_fabsf(at[face]) ? a : face;
    }
    if (far2 >= limit * limit) {
        return false;
    }
    if (far2 > 0.0f) {
        float inverse = 1.0f / __builtin_sqrtf(far2);
        for (int a = 0; a < 3; ++a) {
            n[a] = (at[a] - near[a]) * inverse;
        }
    } else {
        n[face] = at[face] < 0.0f ? -1.0f : 1.0f;
        near[face] = n[face] * h[face];
    }
    *point = vec3(middle.x + near[0], middle.y + near[1], middle.z + near[2]);
    *normal = vec3(n[0], n[1], n[2]);
    return true;
}

static void coupling_bin_answer(const CouplingBin* bin, Vec3 point, Vec3 normal, float friction,
                                uint32_t feature, SoilSurface* out)
{
    const SoilBoundary* body = bin->body;
    Vec3 arm = quat_rotate(body->rotation, point);
    *out = (SoilSurface){
        .point = vec3_add(body->position, arm),
        .normal = quat_rotate(body->rotation, normal),
        .velocity = vec3_add(body->velocity, vec3_cross(body->spin, arm)),
        .friction_static = friction,
        .friction_kinetic = friction,
        .feature = feature,
    };
}

// Walls 0..3 at -x, +x, -z, +z, 4 is the floor.
static void coupling_bin_part(const CouplingBinDef* def, int part, Vec3* middle, Vec3* half)
{
    float hl = 0.5f * def->length, hw = 0.5f * def->width, t = 0.5f * COUPLING_WALL;
    float hy = 0.5f * def->wall;
    switch (part) {
    case 0: *middle = vec3(-hl - t, hy, 0.0f), *half = vec3(t, hy, hw + 2.0f * t); break;
    case 1: *middle = vec3(hl + t, hy, 0.0f), *half = vec3(t, hy, hw + 2.0f * t); break;
    case 2: *middle = vec3(0.0f, hy, -hw - t), *half = vec3(hl, hy, t); break;
    case 3: *middle = vec3(0.0f, hy, hw + t), *half = vec3(hl, hy, t); break;
    default: *middle = vec3(0.0f, -t, 0.0f), *half = vec3(hl, t, hw); break;
    }
}

int coupling_bin_surface(const void* context, const SoilGrain* grain, float reach, SoilSurface* out,
                         int max)
{
    const CouplingBin* bin = context;
    Vec3 center = grain->center;
    float radius = grain->radius;
    const CouplingBinDef* def = &bin->def;
    Vec3 at = coupling_to_bin(bin, center);
    float limit = radius + reach;
    if (__builtin_fabsf(at.x) > 0.5f * def->length + COUPLING_WALL + limit ||
        __builtin_fabsf(at.z) > 0.5f * def->width + COUPLING_WALL + limit ||
        at.y < -COUPLING_WALL - limit || at.y > 3.0f * def->wall) {
        return 0;
    }
    int count = 0;
    Vec3 point, normal, middle, half;
    for (int part = bin->open ? 1 : 0; part < 5 && count < max; ++part) {
        coupling_bin_part(def, part, &middle, &half);
        if (coupling_box_nearest(at, middle, half, limit, &point, &normal)) {
            coupling_bin_answer(bin, point, normal, def->steel, (uint32_t)part, &out[count++]);
        }
    }
    // the soil that lies in it; bare floor is steel's business
    TerrainContact contact;
    bool over = __builtin_fabsf(at.x) <= 0.5f * def->length &&
                __builtin_fabsf(at.z) <= 0.5f * def->width && at.y > -0.5f * COUPLING_WALL;
    if (over && count < max && terrain_contact(bin->ground, at, limit, &contact) &&
        contact.material >= 0) {
        const Coupling* c = bin->coupling;
        coupling_bin_answer(bin, contact.point, contact.normal,
                            c->ground_friction[contact.material], 8, &out[count++]);
    }
    return count;
}

// Nothing gets into a wall or the floor, not even under a load that falls.
static bool coupling_bin_hold(const void* context, Vec3 from, Vec3 to, float radius, Vec3* held)
{
    const CouplingBin* bin = context;
    Vec3 middle, half, at = to;
    bool barred = false;
    for (int part = bin->open ? 1 : 0; part < 5; ++part) {
        coupling_bin_part(&bin->def, part, &middle, &half);
        at = vec3_sub(at, middle);
        barred |= coupling_hold_box(half, vec3_sub(from, middle), &at, radius);
        at = vec3_add(at, middle);
    }
    // pushed out of one wall into another: it stays where it was in the bin
    for (int part = bin->open ? 1 : 0; barred && part < 5; ++part) {
        coupling_bin_part(&bin->def, part, &middle, &half);
        Vec3 end = vec3_sub(at, middle);
        if (coupling_hold_box(half, vec3_sub(from, middle), &end, radius)) {
            at = from;
        }
    }
    *held = at;
    return barred;
}

// --- making --------------------------------------------------------------------------------------

int coupling_bins(const Coupling* c)
{
    return c->bin_count;
}

int coupling_add_bin(Coupling* c, const CouplingBinDef* def, Vec3 position)
{
    BASE_ASSERT(def->length > 0.0f && def->width > 0.0f && def->wall > 0.0f && def->cell > 0.0f);
    if (c->bin_count == COUPLING_BINS_MAX) {
        return -1;
    }
    CouplingBin* bin = &c->bin[c->bin_count];
    TerrainDef ground = *terrain_definition(c->terrain);
    ground.nx = base_maxi(2, (int)(def->length / def->cell + 0.5f));
    ground.nz = base_maxi(2, (int)(def->width / def->cell + 0.5f));
    ground.cell = def->cell;
    ground.walled = true;
    *bin = (CouplingBin){.def = *def, .coupling = c};
    bin->def.length = (float)ground.nx * def->cell; // whole columns
    bin->def.width = (float)ground.nz * def->cell;
    ground.origin = vec3(-0.5f * bin->def.length, 0.0f, -0.5f * bin->def.width);
    SoilBoundary body = {
        .shape = SOIL_SHAPE_FUNCTION,
        .position = position,
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
        .surface = coupling_bin_surface,
        .context = bin,
    };
    bin->ground = terrain_create(&ground);
    bin->boundary = bin->ground ? soil_add_boundary(c->soil, &body) : -1;
    if (bin->boundary < 0) {
        terrain_destroy(bin->ground);
        return -1;
    }
    bin->body = soil_boundary(c->soil, bin->boundary);
    return c->bin_count++;
}

SoilBoundary* coupling_bin_body(Coupling* c, int bin)
{
    return soil_boundary(c->soil, c->bin[bin].boundary);
}

void coupling_bin_drive(Coupling* c, int bin)
{
    SoilBoundary* body = coupling_bin_body(c, bin);
    const CouplingBinDef* def = &c->bin[bin].def;
    body->driven = true;
    body->hold = coupling_bin_hold;
    body->extent = vec3_length(vec3(0.5f * def->length, 3.0f * def->wall, 0.5f * def->width));
}

int coupling_bin_boundary(const Coupling* c, int bin)
{
    return c->bin[bin].boundary;
}

const SoilBoundary* coupling_bin_pose(const Coupling* c, int bin)
{
    return c->bin[bin].body;
}

Terrain* coupling_bin_ground(Coupling* c, int bin)
{
    return c->bin[bin].ground;
}

void coupling_bin_gate(Coupling* c, int bin, bool open)
{
    c->bin[bin].open = open;
    soil_touch(c->soil);
}

double coupling_bin_mass(const Coupling* c, int bin)
{
    const TerrainLedger* ledger = &terrain_state(c->bin[bin].ground)->ledger;
    double kg = 0.0;
    for (int m = 0; m < TERRAIN_MATERIALS_MAX; ++m) {
        kg += 1e-6 * (double)(ledger->loose.of[m] + ledger->bank.of[m]);
    }
    return kg;
}

Vec3 coupling_bin_center(const Coupling* c, int bin)
{
    const Terrain* ground = c->bin[bin].ground;
    const TerrainDef* def = terrain_definition(ground);
    double sum = 0.0, x = 0.0, y = 0.0, z = 0.0;
    for (int cell = 0; cell < def->nx * def->nz; ++cell) {
        Vec3 at = terrain_center(ground, cell);
        double mg = (double)(terrain_loose_mass(ground, cell) + terrain_bank_mass(ground, cell));
        sum += mg, x += mg * (double)at.x, y += mg * 0.5 * (double)at.y, z += mg * (double)at.z;
    }
    double inverse = sum > 0.0 ? 1.0 / sum : 0.0;
    return vec3((float)(x * inverse), (float)(y * inverse), (float)(z * inverse));
}

// --- sliding and spilling ------------------------------------------------------------------------

// Tangent of the repose angle of the mixture in the bin.
static float coupling_bin_repose(const Coupling* c, const CouplingBin* bin)
{
    const TerrainLedger* ledger = &terrain_state(bin->ground)->ledger;
    double sum = 0.0, total = 0.0;
    for (int m = 0; m < terrain_definition(c->terrain)->material_count; ++m) {
        sum += (double)ledger->loose.of[m] * (double)c->tan_repose[m];
        total += (double)ledger->loose.of[m];
    }
    return total > 0.0 ? (float)(sum / total) : c->tan_repose[0];
}

// The load slides on its floor, and out: friction of steel holds up to tan(tilt) = mu.
static bool coupling_bin_slides(const CouplingBin* bin, Vec3 down)
{
    return bin->open && -down.x > bin->def.steel * -down.y;
}

// How the floor leans, as slopes along x and z, in a direction of fall of a unit length.
static Vec3 coupling_bin_rise(const Coupling* c, const CouplingBin* bin, Vec3 down)
{
    float m = coupling_bin_repose(c, bin),
          flat = __builtin_sqrtf(down.x * down.x + down.z * down.z);
    if (flat < 1e-6f) {
        return vec3(0.0f, 0.0f, 0.0f);
    }
    float t = flat / base_maxf(-down.y, 1e-3f);
    float lean = t * (m * m + 1.0f) / (1.0f + m * t);
    if (coupling_bin_slides(bin, down)) {
        lean = base_maxf(lean, m + COUPLING_SWEPT);
    }
    return vec3(-lean * down.x / flat, 0.0f, -lean * down.z / flat);
}

typedef struct CouplingEdge {
    int i, j, di, dj; // first column, and the step along the edge
    int count;        // columns
    Vec3 out;         // unit, over the edge
    float sill;       // m
} CouplingEdge;

static CouplingEdge coupling_bin_edge(const CouplingBin* bin, int k)
{
    const TerrainDef* def = terrain_definition(bin->ground);
    float wall = bin->def.wall;
    switch (k) {
    case 0:
        return (CouplingEdge){0, 0, 0, 1, def->nz, {-1.0f, 0.0f, 0.0f}, bin->open ? 0.0f : wall};
    case 1: return (CouplingEdge){def->nx - 1, 0, 0, 1, def->nz, {1.0f, 0.0f, 0.0f}, wall};
    case 2: return (CouplingEdge){0, 0, 1, 0, def->nx, {0.0f, 0.0f, -1.0f}, wall};
    default: return (CouplingEdge){0, def->nz - 1, 1, 0, def->nx, {0.0f, 0.0f, 1.0f}, wall};
    }
}

// Born beyond the wall, on their way out.
static void coupling_bin_spill(Coupling* c, CouplingBin* bin, Vec3 rise, int k)
{
    const TerrainDef* def = terrain_definition(bin->ground);
    CouplingEdge edge = coupling_bin_edge(bin, k);
    CouplingCut cuts[COUPLING_CUTS];
    const SoilBoundary* body = bin->body;
    float layer = coupling_layer(c, bin->ground), beyond = c->def.radius + 0.5f * def->cell;
    beyond += k == 0 && bin->open ? 0.0f : COUPLING_WALL;
    // slope at which soil may fall off towards the edge
    float holds = coupling_bin_repose(c, bin) + vec3_dot(rise, edge.out);
    float most = base_maxf(0.0f, edge.sill + 0.5f * def->cell * holds);
    int count = 0;
    for (int n = 0; n < edge.count && count < COUPLING_CUTS; ++n) {
        int cell = terrain_cell(bin->ground, edge.i + n * edge.di, edge.j + n * edge.dj);
        float top = terrain_surface(bin->ground, cell);
        if (top > most + 0.25f * layer || (most == 0.0f && top > 0.0f)) {
            cuts[count++] = (CouplingCut){cell, most};
        }
    }
    if (count > 0) {
        Vec3 out = quat_rotate(body->rotation, edge.out);
        Vec3 arm = vec3_mul(out, 0.5f * (edge.di == 0 ? bin->def.length : bin->def.width));
        CouplingPlace place = {.body = body,
                               .shift = vec3_mul(edge.out, beyond),
                               .layer = base_maxf(layer, 2.0f * c->def.radius),
                               .velocity = vec3_mad(body->velocity, out, COUPLING_SPILL)};
        place.velocity = vec3_add(place.velocity, vec3_cross(body->spin, arm));
        coupling_birth(c, bin->ground, &place, cuts, count);
    }
}

// On its side or upside down, it holds nothing: columns come loose where they are, some at a time.
static void coupling_bin_empty(Coupling* c, CouplingBin* bin)
{
    const TerrainDef* def = terrain_definition(bin->ground);
    CouplingCut cuts[COUPLING_CUTS];
    int count = 0;
    for (int cell = 0; cell < def->nx * def->nz && count < COUPLING_CUTS; ++cell) {
        if (terrain_surface(bin->ground, cell) > 0.0f) {
            cuts[count++] = (CouplingCut){cell, 0.0f};
        }
    }
    CouplingPlace place = {.body = bin->body,
                           .layer = coupling_layer(c, bin->ground),
                           .velocity = bin->body->velocity};
    coupling_birth(c, bin->ground, &place, cuts, count);
}

static void coupling_bin_step(Coupling* c, CouplingBin* bin, Jobs* jobs)
{
    Vec3 down = coupling_bin_down(c, bin), rise = coupling_bin_rise(c, bin, down);
    bin->velocity_then = bin->body->velocity;
    Vec3 change = vec3_sub(rise, bin->rise);
    bool wake = vec3_dot(change, change) > COUPLING_CAREEN * COUPLING_CAREEN;
    bin->rise = wake ? rise : bin->rise;
    terrain_settle_leaning(bin->ground, jobs, bin->rise.x, bin->rise.z, wake);
    if (-down.y < COUPLING_OVERTURNED) {
        coupling_bin_empty(c, bin);
    } else if (--bin->spill_wait <= 0) {
        for (int k = 0; k < 4; ++k) {
            coupling_bin_spill(c, bin, bin->rise, k);
        }
        // until a grain has made room for the next
        float frames = 2.0f * c->def.radius / (COUPLING_SPILL * soil_definition(c->soil)->dt);
        bin->spill_wait = (int)frames + 1;
    }
}

void coupling_bins_step(Coupling* c, Jobs* jobs)
{
    for (int b = 0; b < c->bin_count; ++b) {
        coupling_bin_step(c, &c->bin[b], jobs);
    }
}
