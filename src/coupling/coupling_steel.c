#include "coupling/coupling_steel.h"

#include "base/base_assert.h"
#include "base/base_trig.h"

// A grain's share of a flat wall is about 4 r2, and soil_split_simd lets an adhesion a act on
// pi r2 (1 - 0.81) = 0.597 r2: so many times the adhesion of soil on steel gives the same pull.
#define COUPLING_STEEL_AREA 6.7f
// Beyond the ends of a segment that is joined to another, sides are remembered this far, in radii.
#define COUPLING_STEEL_JOINT 1.0f
// m, beyond half the thickness of the thickest plate: what plates hold wider.
#define COUPLING_STEEL_SLIT 0.001f

CouplingGrip coupling_steel_grip(float friction, float adhesion)
{
    return (CouplingGrip){base_sinf(friction) / base_cosf(friction),
                          COUPLING_STEEL_AREA * adhesion};
}

// --- making --------------------------------------------------------------------------------------

static void coupling_steel_grow(Vec3* low, Vec3* high, float x, float y, float z, float margin)
{
    *low = vec3(base_minf(low->x, x - margin), base_minf(low->y, y - margin),
                base_minf(low->z, z - margin));
    *high = vec3(base_maxf(high->x, x + margin), base_maxf(high->y, y + margin),
                 base_maxf(high->z, z + margin));
}

static void coupling_steel_bounds(const MachineShape* shape, Vec3* low, Vec3* high)
{
    float z = shape->kind == MACHINE_SHELL ? shape->half_width : 0.0f;
    switch (shape->kind) {
    case MACHINE_SHELL:
    case MACHINE_CHEEK:
        for (int p = 0; p + 1 < shape->outline_count; p += 2) {
            for (int side = -1; side <= 1; side += 2) {
                coupling_steel_grow(low, high, shape->outline[p], shape->outline[p + 1],
                                    shape->z + (float)side * z, shape->thickness);
            }
        }
        break;
    case MACHINE_BOX: {
        float far = vec3_length(vec3(shape->half.x, shape->half.y, 0.0f));
        coupling_steel_grow(low, high, shape->center.x, shape->center.y, shape->center.z, far);
        coupling_steel_grow(low, high, shape->center.x, shape->center.y, shape->center.z,
                            shape->half.z);
        break;
    }
    default:
        coupling_steel_grow(low, high, shape->a.x, shape->a.y, shape->a.z, shape->radius);
        coupling_steel_grow(low, high, shape->b.x, shape->b.y, shape->b.z, shape->radius);
        break;
    }
}

// The middles of two plates that join meet on the line that halves the angle between them.
static void coupling_steel_mitre(CouplingPlate* a, CouplingPlate* b)
{
    float half = 0.5f * a->shape->thickness;
    float sine = a->tx * b->ty - a->ty * b->tx, cosine = a->tx * b->tx + a->ty * b->ty;
    float cut = half * sine / (1.0f + base_maxf(cosine, -0.5f));
    a->middle_b += cut, b->middle_a -= cut;
}

static bool coupling_steel_plates(CouplingSteel* s, const MachineShape* shape, int* slots)
{
    int points = shape->outline_count / 2;
    int pieces = shape->kind == MACHINE_SHELL ? points - 1 : 1;
    for (int p = 0; p < pieces; ++p) {
        if (*slots == COUPLING_PLATES_MAX) {
            return false;
        }
        CouplingPlate* plate = &s->plate[s->plate_count++];
        *plate = (CouplingPlate){.shape = shape, .slot = (*slots)++};
        s->mask |= (uint64_t)3 << 2 * plate->slot;
        s->rim = base_maxf(s->rim, 0.5f * shape->thickness + COUPLING_STEEL_SLIT);
        if (shape->kind == MACHINE_SHELL) {
            const float* a = shape->outline + 2 * p;
            float dx = a[2] - a[0], dy = a[3] - a[1];
            plate->length = __builtin_sqrtf(dx * dx + dy * dy);
            BASE_ASSERT(plate->length > 0.0f);
            plate->ax = a[0], plate->ay = a[1];
            plate->tx = dx / plate->length, plate->ty = dy / plate->length;
            plate->joined_a = p > 0, plate->joined_b = p + 1 < pieces;
            plate->middle_b = plate->length;
            if (p > 0) {
                coupling_steel_mitre(plate - 1, plate);
            }
        }
    }
    return true;
}

bool coupling_steel_make(CouplingSteel* out, const MachineShape* shapes, int count, int body,
                         int* slots)
{
    *out = (CouplingSteel){0};
    Vec3 low = vec3(1e9f, 1e9f, 1e9f), high = vec3(-1e9f, -1e9f, -1e9f);
    for (int n = 0; n < count; ++n) {
        const MachineShape* shape = &shapes[n];
        if (shape->body != body || !shape->grains) {
            continue;
        }
        coupling_steel_bounds(shape, &low, &high);
        if (shape->kind == MACHINE_BOX || shape->kind == MACHINE_CAPSULE) {
            if (out->solid_count == COUPLING_SOLIDS_MAX) {
                return false;
            }
            out->solid[out->solid_count++] =
                (CouplingSolid){shape, base_cosf(shape->turn), base_sinf(shape->turn)};
        } else if (!coupling_steel_plates(out, shape, slots)) {
            return false;
        }
    }
    if (out->solid_count + out->plate_count > 0) {
        out->middle = vec3_mul(vec3_add(low, high), 0.5f);
        out->ball = 0.5f * vec3_length(vec3_sub(high, low));
        out->extent = vec3_length(out->middle) + out->ball;
    }
    return true;
}

// --- meeting -------------------------------------------------------------------------------------

// A grain in the body's frame, and where its answers go.
typedef struct CouplingMeet {
    const CouplingSteel* steel;
    const SoilGrain* grain;
    Vec3 at;
    Vec3 way;    // m, that it goes until the next look, seen from the body
    float limit; // m, from the grain's centre
    SoilSurface* out;
    int count, max;
} CouplingMeet;

static void coupling_meet_answer(CouplingMeet* m, Vec3 point, Vec3 normal, uint32_t feature)
{
    if (m->count >= m->max) {
        return;
    }
    const SoilBoundary* body = m->steel->body;
    const CouplingGrip* grip = &m->steel->grip[m->grain->material];
    Vec3 arm = quat_rotate(body->rotation, point);
    m->out[m->count++] = (SoilSurface){
        .point = vec3_add(body->position, arm),
        .normal = quat_rotate(body->rotation, normal),
        .velocity = vec3_add(body->velocity, vec3_cross(body->spin, arm)),
        .friction_static = grip->friction,
        .friction_kinetic = grip->friction,
        .adhesion = grip->adhesion,
        .feature = feature,
    };
}

// From a point or an edge: the surface there faces the grain.
static void coupling_meet_round(CouplingMeet* m, Vec3 point, float skin, uint32_t feature)
{
    Vec3 away = vec3_sub(m->at, point);
    float distance2 = vec3_dot(away, away), limit = m->limit + skin;
    if (distance2 < limit * limit && distance2 > 1e-12f) {
        Vec3 normal = vec3_mul(away, 1.0f / __builtin_sqrtf(distance2));
        coupling_meet_answer(m, vec3_mad(point, normal, skin), normal, feature);
    }
}

// +1 or -1: the side of a plate from which the grain came; `height` is over the plate's middle.
static float coupling_meet_side(CouplingMeet* m, int slot, float height)
{
    uint64_t* memory = m->grain->memory;
    unsigned bits = (unsigned)(*memory >> 2 * slot) & 3u;
    if (bits == 0) {
        bits = height >= 0.0f ? 1u : 2u;
        *memory |= (uint64_t)bits << 2 * slot;
    }
    return bits == 1u ? 1.0f : -1.0f;
}

static void coupling_meet_forget(CouplingMeet* m, int slot)
{
    *m->grain->memory &= ~((uint64_t)3 << 2 * slot);
}

// Does the grain's way pass the middle of a plate that is `height` below it, `rise` away over the whole
// way? Then `t` tells where, 0..1.
static bool coupling_meet_crosses(float height, float rise, float* t)
{
    float end = height + rise;
    if ((height >= 0.0f) == (end >= 0.0f)) {
        return false;
    }
    *t = height / (height - end);
    return true;
}

//          n (inner)
//          ^
//    a ----+-----------> t    b        d: height over the inner line
//    :#########################:       the plate lies below it, `thickness` deep
static void coupling_meet_shell(CouplingMeet* m, const CouplingPlate* p, uint32_t feature)
{
    const MachineShape* shape = p->shape;
    float x = m->at.x - p->ax, y = m->at.y - p->ay, thick = shape->thickness;
    float s = x * p->tx + y * p->ty, d = -x * p->ty + y * p->tx;
    float height = d + 0.5f * thick, band = m->limit + 0.5f * thick;
    float beyond_z = __builtin_fabsf(m->at.z) - shape->half_width;
    float joint = COUPLING_STEEL_JOINT * m->grain->radius;
    bool within_z = beyond_z <= 0.0f;
    bool known = within_z && __builtin_fabsf(height) < band && s >= (p->joined_a ? -joint : 0.0f) &&
                 s <= p->length + (p->joined_b ? joint : 0.0f);
    bool over = within_z && s >= 0.0f && s <= p->length;
    float side = 1.0f, z = m->at.z, t;
    if (known) {
        side = coupling_meet_side(m, p->slot, height);
    } else {
        coupling_meet_forget(m, p->slot);
        if (over) {
            return; // far above or below it
        }
    }

    // on its way through the plate, from beside it
    if (!over && coupling_meet_crosses(height, vec3_dot(m->way, vec3(-p->ty, p->tx, 0.0f)), &t)) {
        Vec3 there = vec3_mad(m->at, m->way, t);
        float along = (there.x - p->ax) * p->tx + (there.y - p->ay) * p->ty;
        if (along >= 0.0f && along <= p->length && __builtin_fabsf(there.z) <= shape->half_width) {
            over = true, s = along, z = there.z;
            side = height >= 0.0f ? 1.0f : -1.0f;
        }
    }
    // over the plate: its face on the side from which the grain came
    if (over) {
        float gap = side > 0.0f ? d : -d - thick;
        if (gap < m->limit) {
            float face = side > 0.0f ? 0.0f : -thick;
            Vec3 point =
                vec3(p->ax + s * p->tx - face * p->ty, p->ay + s * p->ty + face * p->tx, z);
            coupling_meet_answer(m, point, vec3(-p->ty * side, p->tx * side, 0.0f), feature);
        }
        return;
    }
    // beyond an end: round the edge; a joint belongs to the segment that ends there, and only where
    // the next one does not face the grain
    if (s < 0.0f && p->joined_a) {
        return;
    }
    if (s > p->length && p->joined_b) {
        const CouplingPlate* next = p + 1;
        if ((m->at.x - next->ax) * next->tx + (m->at.y - next->ay) * next->ty >= 0.0f) {
            return;
        }
    }
    float sc = base_clampf(s, 0.0f, p->length), dc = base_clampf(d, -thick, 0.0f);
    float zc = base_clampf(m->at.z, -shape->half_width, shape->half_width);
    Vec3 point = vec3(p->ax + sc * p->tx - dc * p->ty, p->ay + sc * p->ty + dc * p->tx, zc);
    coupling_meet_round(m, point, 0.0f, feature);
}

bool coupling_steel_outline(const MachineShape* shape, float x, float y, float* nx, float* ny)
{
    int points = shape->outline_count / 2;
    bool inside = false;
    float best2 = 1e18f;
    for (int i = 0, j = points - 1; i < points; j = i++) {
        float ax = shape->outline[2 * j], ay = shape->outline[2 * j + 1];
        float bx = shape->outline[2 * i], by = shape->outline[2 * i + 1];
        float ex = bx - ax, ey = by - ay, e2 = ex * ex + ey * ey;
        if ((by > y) != (ay > y) && x < (ax - bx) * (y - by) / (ay - by) + bx) {
            inside = !inside;
        }
        float t = e2 > 0.0f ? base_clampf(((x - ax) * ex + (y - ay) * ey) / e2, 0.0f, 1.0f) : 0.0f;
        float px = ax + t * ex, py = ay + t * ey;
        float far2 = (x - px) * (x - px) + (y - py) * (y - py);
        if (far2 < best2) {
            best2 = far2, *nx = px, *ny = py;
        }
    }
    return inside;
}

static void coupling_meet_cheek(CouplingMeet* m, const CouplingPlate* p, uint32_t feature)
{
    const MachineShape* shape = p->shape;
    float height = m->at.z - shape->z, half = 0.5f * shape->thickness, nx = 0.0f, ny = 0.0f;
    if (__builtin_fabsf(height) >= m->limit + half) {
        coupling_meet_forget(m, p->slot);
        return;
    }
    float t;
    if (!coupling_steel_outline(shape, m->at.x, m->at.y, &nx, &ny)) {
        coupling_meet_forget(m, p->slot);
        Vec3 there = m->at;
        float ex, ey;
        if (coupling_meet_crosses(height, m->way.z, &t)) {
            there = vec3_mad(m->at, m->way, t);
            if (coupling_steel_outline(shape, there.x, there.y, &ex, &ey)) {
                float from = height >= 0.0f ? 1.0f : -1.0f;
                coupling_meet_answer(m, vec3(there.x, there.y, shape->z + from * half),
                                     vec3(0.0f, 0.0f, from), feature);
                return;
            }
        }
        Vec3 point = vec3(nx, ny, shape->z + base_clampf(height, -half, half));
        coupling_meet_round(m, point, 0.0f, feature);
        return;
    }
    float side = coupling_meet_side(m, p->slot, height);
    coupling_meet_answer(m, vec3(m->at.x, m->at.y, shape->z + side * half), vec3(0.0f, 0.0f, side),
                         feature);
}

static void coupling_meet_box(CouplingMeet* m, const CouplingSolid* solid, uint32_t feature)
{
    const MachineShape* shape = solid->shape;
    float c = solid->c, s = solid->s;
    Vec3 d = vec3_sub(m->at, shape->center);
    const float p[3] = {d.x * c + d.y * s, d.y * c - d.x * s, d.z};
    const float half[3] = {shape->half.x, shape->half.y, shape->half.z};
    float near[3], n[3] = {0.0f, 0.0f, 0.0f}, far2 = 0.0f;
    int face = 0;
    for (int a = 0; a < 3; ++a) {
        near[a] = base_clampf(p[a], -half[a], half[a]);
        n[a] = p[a] - near[a];
        far2 += n[a] * n[a];
        face = half[a] - __builtin_fabsf(p[a]) < half[face] - __builtin_fabsf(p[face]) ? a : face;
    }
    if (far2 >= m->limit * m->limit) {
        return;
    }
    if (far2 > 0.0f) {
        float inverse = 1.0f / __builtin_sqrtf(far2);
        n[0] *= inverse, n[1] *= inverse, n[2] *= inverse;
    } else {
        n[face] = p[face] < 0.0f ? -1.0f : 1.0f;
        near[face] = n[face] * half[face];
    }
    Vec3 point = vec3_add(shape->center,
                          vec3(near[0] * c - near[1] * s, near[0] * s + near[1] * c, near[2]));
    coupling_meet_answer(m, point, vec3(n[0] * c - n[1] * s, n[0] * s + n[1] * c, n[2]), feature);
}

static void coupling_meet_capsule(CouplingMeet* m, const MachineShape* shape, uint32_t feature)
{
    Vec3 axis = vec3_sub(shape->b, shape->a), from = vec3_sub(m->at, shape->a);
    float length2 = vec3_dot(axis, axis);
    float t = length2 > 0.0f ? base_clampf(vec3_dot(from, axis) / length2, 0.0f, 1.0f) : 0.0f;
    coupling_meet_round(m, vec3_mad(shape->a, axis, t), shape->radius, feature);
}

void coupling_steel_move(CouplingSteel* s)
{
    s->at = vec3_add(s->body->position, quat_rotate(s->body->rotation, s->middle));
}

int coupling_steel_surface(const void* context, const SoilGrain* grain, float reach,
                           SoilSurface* out, int max)
{
    const CouplingSteel* steel = context;
    const SoilBoundary* body = steel->body;
    Vec3 off = vec3_sub(grain->center, steel->at);
    float limit = grain->radius + reach, ball = steel->ball + limit;
    if (vec3_dot(off, off) > ball * ball) {
        *grain->memory &= ~steel->mask;
        return 0;
    }
    Vec3 at = quat_unrotate(body->rotation, vec3_sub(grain->center, body->position));
    Vec3 arm = vec3_sub(grain->center, body->position);
    Vec3 there = vec3_add(body->velocity, vec3_cross(body->spin, arm));
    Vec3 relative = quat_unrotate(body->rotation, vec3_sub(grain->velocity, there));
    CouplingMeet meet = {.steel = steel,
                         .grain = grain,
                         .at = at,
                         .way = vec3_mul(relative, grain->until),
                         .limit = limit,
                         .out = out,
                         .max = max};
    for (int n = 0; n < steel->plate_count; ++n) {
        const CouplingPlate* plate = &steel->plate[n];
        if (plate->shape->kind == MACHINE_SHELL) {
            coupling_meet_shell(&meet, plate, (uint32_t)n);
        } else {
            coupling_meet_cheek(&meet, plate, (uint32_t)n);
        }
    }
    for (int n = 0; n < steel->solid_count; ++n) {
        const CouplingSolid* solid = &steel->solid[n];
        if (solid->shape->kind == MACHINE_BOX) {
            coupling_meet_box(&meet, solid, (uint32_t)(COUPLING_PLATE_BOX + n));
        } else {
            coupling_meet_capsule(&meet, solid->shape, (uint32_t)(COUPLING_PLATE_BOX + n));
        }
    }
    return meet.count;
}
