// split: Jacobi with mass splitting (Tonge et al. 2012) and stored impulses.
//
// Every contact remembers its impulse vector L (kg m/s, on the grain that owns the slot; the other
// grain's slot holds exactly -L). A grain's velocity u already contains gravity and the sum of its
// stored impulses. One sweep looks at each contact as if each grain were split into as many equal
// parts as it has contacts, and moves L until the parts
//
//   normal      do not approach further than the gap between them allows (L pushes only, or pulls
//               as far as adhesion goes),
//   tangential  do not slide, as far as Coulomb's cone on the accumulated vector allows.
//
// The overlap z of a contact is that of a spring k and a damper c side by side under the load
// F = L_n / h, without inertia of its own: c dz/dt = F - k z, implicit in time. It moves positions
// only (the sums b), so that stiffness is real at rest, creep has the time constant c / k, and no
// overlap ever turns into speed. (Fed back through velocities instead, the spring lags behind the
// split masses and boils unless the substep is halved.)
//
// Since every term is either even or odd under exchange of the two grains, both sides compute
// opposite copies to the last bit: momentum is exact (I7) although nobody writes to anybody else.
// Remembering tangential impulses is what lets a slope stand without sleeping.
//
// Record of a grain: x y z r, u (m/s), packed inverse mass, material and contact count.
#include "base/base_simd.h"
#include "soil/soil_internal.h"

// Impulses build up slower than they fall. One sweep per substep makes a bed a spring (its waves
// travel one contact per sweep), and no local damper can stop its lowest tone; a loop of hysteresis
// can: a bed that bounced for eight seconds rests after three. Wider apart, beds sink deeper under
// impact; at equal gains they ring. With N contacts and s = 1/N (1 for a lone contact, which one
// sweep then solves exactly; 1/2 in a chain, where gains above 1 let neighbours saw through each
// other; about 1/5 in a bed):
//
//   loading    1 - 0.8 s (1 - s)                 N = 1, 2, 5:   1   0.8   0.87
//   unloading  1 + 0.2 (1 - s) (1 - 2 s)                        1   1     1.10
#define SPLIT_LOAD   0.8f
#define SPLIT_UNLOAD 0.2f
// Largest share of the split masses' way that an overlap may move at once; 1 would be marginal.
#define SPLIT_SHIFT 0.9f
// Share of its last shift that a grain goes on with, from substep to substep of a frame, as long as
// several contacts push it the same way. Overlaps leave a bed by diffusion, layer by layer; moving
// on quickens that several times over, and since shifts are no velocities nothing bounces. A lone
// contact is left to its spring and damper, and where the damper rules (creep << 1) all are.
#define SPLIT_GLIDE 0.9f

typedef struct SplitGrains {
    F8 x, y, z, r, ux, uy, uz;
    F8 w;  // 1/kg
    F8 nw; // 1/kg, contacts times inverse mass: inverse mass of one part
    I8 material;
    F8 packed;
} SplitGrains;

// Contact law for eight pairs at a substep of h.
typedef struct SplitLaw {
    F8 yield; // s/kg, 1 / (h k): overlap per impulse
    F8 creep; // h k / (h k + c): share of the missing overlap that appears in one substep
    F8 mu_s, mu_k;
    F8 grip; // kg m/s, adhesive impulse
} SplitLaw;

typedef struct SplitSum {
    F8 x, y, z;    // kg m/s
    F8 bx, by, bz; // kg m, shift of the position
    F8 count;
} SplitSum;

typedef struct SplitConst {
    F8 h, inverse_h, load, unload, shift, tiny, zero, half, one, gap, area;
    F8 root_k, root_c, root_s, root_m, root_a; // tables of roots, one material per lane
    SplitLaw same;                             // the law when there is one material
} SplitConst;

SIMD_INLINE void split_unpack(SplitGrains* g, const F8 c[8])
{
    I8 bits = i8_bits(c[7]);
    F8 count = f8_from_i8(i8_and(bits, i8_set((int)SOIL_PACK_COUNT)));
    g->packed = c[7];
    g->x = c[0], g->y = c[1], g->z = c[2], g->r = c[3];
    g->ux = c[4], g->uy = c[5], g->uz = c[6];
    g->w = f8_bits(i8_and(bits, i8_set((int)~SOIL_PACK_BITS)));
    g->nw = f8_mul(count, g->w);
    g->material = i8_and(i8_shr(bits, SOIL_PACK_MATERIAL_SHIFT), i8_set(SOIL_MATERIALS_MAX - 1));
}

SIMD_INLINE F8 split_dot(F8 ax, F8 ay, F8 az, F8 bx, F8 by, F8 bz)
{
    return f8_add(f8_add(f8_mul(ax, bx), f8_mul(ay, by)), f8_mul(az, bz));
}

SIMD_INLINE SplitLaw split_pair_law(const SplitConst* k, I8 a, I8 b)
{
    F8 stiffness = f8_mul(f8_lookup(k->root_k, a), f8_lookup(k->root_k, b));
    F8 damping = f8_mul(f8_lookup(k->root_c, a), f8_lookup(k->root_c, b));
    SplitLaw law;
    F8 hk = f8_mul(k->h, stiffness), both = f8_add(hk, damping);
    F8 inverse = f8_div(k->one, f8_mul(hk, both));
    law.yield = f8_mul(inverse, both);
    law.creep = f8_mul(f8_mul(hk, hk), inverse);
    law.mu_s = f8_mul(f8_lookup(k->root_s, a), f8_lookup(k->root_s, b));
    law.mu_k = f8_mul(f8_lookup(k->root_m, a), f8_lookup(k->root_m, b));
    law.grip =
        f8_mul(f8_mul(f8_lookup(k->root_a, a), f8_lookup(k->root_a, b)), f8_mul(k->h, k->area));
    return law;
}

// Geometry and state of eight contacts.
typedef struct SplitContact {
    F8 nx, ny, nz;   // unit normal, towards the owner
    F8 gap;          // m, negative when overlapping
    F8 near;         // mask: close enough to count and to stick
    F8 ux, uy, uz;   // m/s, relative velocity
    F8 part, firm;   // kg, of the pair: masses of the parts; normal ones, over-relaxed up to twice
    F8 load, unload; // kg, firm with the gain of the hysteresis
    F8 lx, ly, lz;   // kg m/s, the stored impulse, updated
    F8 r;            // m, the smaller radius
    I8 material;     // of the neighbour
} SplitContact;

// Masses from the pair's inverse masses, split and unsplit; one division serves both.
SIMD_INLINE void split_masses(const SplitConst* k, F8 split, F8 whole, SplitContact* c)
{
    F8 half = f8_mul(k->half, f8_add(split, whole));
    F8 inverse = f8_div(k->one, f8_mul(half, split));
    c->firm = f8_mul(inverse, split), c->part = f8_mul(inverse, half);
    F8 share = f8_mul(whole, c->part), others = f8_sub(k->one, share);
    F8 load = f8_sub(k->one, f8_mul(k->load, f8_mul(share, others)));
    F8 unload = f8_add(k->one, f8_mul(k->unload, f8_mul(others, f8_sub(others, share))));
    c->load = f8_mul(c->firm, load), c->unload = f8_mul(c->firm, unload);
}

// One sweep's work on eight contacts: updates the impulse and adds to the owner's sums.
SIMD_INLINE void split_contact(const SplitConst* k, const SplitLaw* law, bool cohesive,
                               SplitContact* c, SplitSum* sum)
{
    F8 nx = c->nx, ny = c->ny, nz = c->nz;
    F8 un = split_dot(c->ux, c->uy, c->uz, nx, ny, nz);
    F8 ln = split_dot(c->lx, c->ly, c->lz, nx, ny, nz);

    F8 inverse_firm = c->firm, inverse_part = c->part;
    F8 open = f8_mul(f8_max(c->gap, k->zero), k->inverse_h);
    F8 rate = f8_add(un, open);
    F8 gain = f8_select(f8_lt(rate, k->zero), c->load, c->unload);
    F8 tn = f8_sub(ln, f8_mul(rate, gain));

    // tangential part: what would stop all sliding, without its normal component
    F8 tx = f8_sub(c->lx, f8_mul(c->ux, inverse_part));
    F8 ty = f8_sub(c->ly, f8_mul(c->uy, inverse_part));
    F8 tz = f8_sub(c->lz, f8_mul(c->uz, inverse_part));
    F8 along = f8_sub(ln, f8_mul(un, inverse_part));
    tx = f8_sub(tx, f8_mul(along, nx));
    ty = f8_sub(ty, f8_mul(along, ny));
    tz = f8_sub(tz, f8_mul(along, nz));

    // unilateral, or held by adhesion: kept from parting, but never pulled together across a gap
    F8 push = f8_max(tn, k->zero);
    F8 cap_s = f8_mul(law->mu_s, push), cap_k = f8_mul(law->mu_k, push);
    F8 normal = push;
    if (cohesive) {
        F8 grip = f8_and(c->near, law->grip);
        F8 hold = f8_sub(ln, f8_mul(un, inverse_firm));
        hold = f8_max(f8_min(hold, k->zero), f8_sub(k->zero, grip));
        normal = f8_select(f8_lt(k->zero, tn), push, hold);
        cap_s = f8_add(cap_s, grip), cap_k = f8_add(cap_k, grip);
    }

    // Coulomb: full grip up to the static cap, the kinetic cap beyond it
    F8 t2 = split_dot(tx, ty, tz, tx, ty, tz);
    F8 slide2 = f8_max(t2, k->tiny);
    F8 scale = f8_mul(cap_k, f8_mul(f8_sqrt(slide2), f8_div(k->one, slide2)));
    scale = f8_select(f8_le(t2, f8_mul(cap_s, cap_s)), k->one, scale);
    c->lx = f8_add(f8_mul(normal, nx), f8_mul(scale, tx));
    c->ly = f8_add(f8_mul(normal, ny), f8_mul(scale, ty));
    c->lz = f8_add(f8_mul(normal, nz), f8_mul(scale, tz));
    sum->x = f8_add(sum->x, c->lx), sum->y = f8_add(sum->y, c->ly), sum->z = f8_add(sum->z, c->lz);

    // overlap: towards what the load asks, in both directions
    F8 excess = f8_sub(f8_sub(k->zero, f8_min(c->gap, k->zero)), f8_mul(push, law->yield));
    F8 way = f8_min(f8_mul(law->creep, inverse_firm), f8_mul(k->shift, inverse_part));
    F8 shift = f8_mul(way, excess);
    sum->bx = f8_add(sum->bx, f8_mul(shift, nx));
    sum->by = f8_add(sum->by, f8_mul(shift, ny));
    sum->bz = f8_add(sum->bz, f8_mul(shift, nz));

    // does this contact count when masses are split? One that has just let go does: two far faces that
    // take turns would each look like the only one, and throw the grain to and fro ever faster
    F8 loaded = f8_lt(k->zero, f8_max(push, ln));
    sum->count = f8_add(sum->count, f8_and(f8_or(c->near, loaded), k->one));
}

// Where eight neighbours are and how they move.
SIMD_INLINE void split_look(const SplitConst* k, const SoilPass* pass, const SoilList* list,
                            size_t slot, const SplitGrains* i, bool cohesive, SplitContact* c)
{
    F8 record[8];
    SplitGrains j;
    f8_load_rows(pass->from, list->neighbour + slot * SOIL_LANES, record);
    split_unpack(&j, record);
    F8 x = f8_sub(i->x, j.x), y = f8_sub(i->y, j.y), z = f8_sub(i->z, j.z);
    // (the root and the quotient do not wait for each other)
    F8 distance2 = f8_max(split_dot(x, y, z, x, y, z), k->tiny);
    F8 distance = f8_sqrt(distance2);
    F8 inverse = f8_mul(distance, f8_div(k->one, distance2));
    F8 reach = f8_add(i->r, j.r);
    c->nx = f8_mul(x, inverse), c->ny = f8_mul(y, inverse), c->nz = f8_mul(z, inverse);
    c->gap = f8_sub(distance, reach);
    c->near = f8_lt(c->gap, f8_mul(k->gap, reach));
    c->ux = f8_sub(i->ux, j.ux), c->uy = f8_sub(i->uy, j.uy), c->uz = f8_sub(i->uz, j.uz);
    split_masses(k, f8_add(i->nw, j.nw), f8_add(i->w, j.w), c);
    c->material = j.material;
    if (cohesive) {
        c->r = f8_min(i->r, j.r);
    }
}

SIMD_INLINE void split_act(const SplitConst* k, const SoilList* list, size_t slot,
                           const SplitGrains* i, SplitContact* c, SplitSum* sum, bool mixed,
                           bool cohesive)
{
    float* l = list->impulse + slot * 3 * SOIL_LANES;
    c->lx = f8_load(l), c->ly = f8_load(l + 8), c->lz = f8_load(l + 16);
    SplitLaw law = mixed ? split_pair_law(k, i->material, c->material) : k->same;
    if (cohesive) {
        law.grip = f8_mul(law.grip, f8_mul(c->r, c->r));
    }
    split_contact(k, &law, cohesive, c, sum);
    f8_store(l, c->lx), f8_store(l + 8, c->ly), f8_store(l + 16, c->lz);
}

// The next slot is looked at before this one is acted upon: both are long chains of operations
// that wait for each other's results, and so they wait together.
SIMD_INLINE void split_neighbours(const SplitConst* k, const SoilPass* pass, const SoilList* list,
                                  int slice, const SplitGrains* i, SplitSum* sum, bool mixed,
                                  bool cohesive)
{
    size_t slot = list->start[slice], end = slot + list->length[slice];
    if (slot == end) {
        return;
    }
    SplitContact c, next;
    split_look(k, pass, list, slot, i, cohesive, &next);
    for (; slot + 1 < end; ++slot) {
        c = next;
        split_look(k, pass, list, slot + 1, i, cohesive, &next);
        split_act(k, list, slot, i, &c, sum, mixed, cohesive);
    }
    split_act(k, list, slot, i, &next, sum, mixed, cohesive);
}

// what the slice's contacts did to the boundaries, lane by lane in a fixed order
static void split_push(const SoilPass* pass, SoilPush* push, const SoilWall* wall,
                       const uint32_t* member)
{
    for (int lane = 0; lane < SOIL_LANES; ++lane) {
        Vec3 impulse = vec3(wall->lx[lane], wall->ly[lane], wall->lz[lane]);
        if (wall->key[lane] != SOIL_NO_KEY && vec3_dot(impulse, impulse) > 0.0f) {
            const float* g = pass->from + (size_t)(member[lane] / SIMD_ROW) * SOIL_RECORD;
            soil_surface_push(push, pass->soil, wall, lane, vec3(g[0], g[1], g[2]), impulse,
                              pass->last);
        }
    }
}

SIMD_INLINE void split_walls(const SplitConst* k, const SoilPass* pass, const SoilWalls* walls,
                             int slice, const SplitGrains* i, SplitSum* sum, SoilPush* push)
{
    F8 time = f8_set(pass->time);
    for (int n = 0; n < walls->length[slice]; ++n) {
        SoilWall* wall = &walls->wall[walls->start[slice] + (uint32_t)n];
        SplitContact c;
        c.nx = f8_load(wall->nx), c.ny = f8_load(wall->ny), c.nz = f8_load(wall->nz);
        F8 vx = f8_load(wall->vx), vy = f8_load(wall->vy), vz = f8_load(wall->vz);
        c.gap = f8_sub(split_dot(i->x, i->y, i->z, c.nx, c.ny, c.nz), f8_load(wall->offset));
        c.gap = f8_sub(c.gap, f8_mul(split_dot(vx, vy, vz, c.nx, c.ny, c.nz), time));
        c.near = f8_lt(c.gap, f8_mul(k->gap, f8_add(i->r, i->r)));
        c.ux = f8_sub(i->ux, vx), c.uy = f8_sub(i->uy, vy), c.uz = f8_sub(i->uz, vz);
        split_masses(k, i->nw, i->w, &c);

        SplitLaw law = split_pair_law(k, i->material, i->material);
        law.mu_s = f8_load(wall->mu_s), law.mu_k = f8_load(wall->mu_k);
        law.grip =
            f8_mul(f8_mul(f8_load(wall->adhesion), f8_mul(k->h, k->area)), f8_mul(i->r, i->r));

        c.lx = f8_load(wall->lx), c.ly = f8_load(wall->ly), c.lz = f8_load(wall->lz);
        split_contact(k, &law, true, &c, sum);
        f8_store(wall->lx, c.lx), f8_store(wall->ly, c.ly), f8_store(wall->lz, c.lz);
        if (pass->final) {
            split_push(pass, push, wall, soil_list(pass->soil)->member + slice * SOIL_LANES);
        }
    }
}

// position, velocity and contact count of eight grains, to where each lives
static void split_write_back(SoilArrays* a, const uint32_t* member, const F8 out[8])
{
    float value[8][8] __attribute__((aligned(32)));
    for (int m = 0; m < 8; ++m) {
        f8_store(value[m], out[m]);
    }
    for (int lane = 0; lane < SOIL_LANES; ++lane) {
        uint32_t i = member[lane] / SIMD_ROW;
        a->px[i] = value[0][lane], a->py[i] = value[1][lane], a->pz[i] = value[2][lane];
        a->vx[i] = value[3][lane], a->vy[i] = value[4][lane], a->vz[i] = value[5][lane];
        a->contacts[i] = (uint8_t)value[6][lane];
    }
}

// What a grain may go on with, by the damper of its own material.
SIMD_INLINE F8 split_glide(const SplitConst* k, const SplitGrains* i, bool mixed)
{
    F8 creep = mixed ? split_pair_law(k, i->material, i->material).creep : k->same.creep;
    return f8_mul(f8_set(SPLIT_GLIDE), creep);
}

// v = u + w (sum of new impulses - sum of stored ones); the stored sum comes back from u itself:
// u = v_before + h g + w P, and P is kept per grain.
SIMD_INLINE void split_finish(const SplitConst* k, const SoilPass* pass, int first,
                              const SplitGrains* i, const SplitSum* sum, bool mixed)
{
    Soil* soil = pass->soil;
    SoilArrays* a = soil_arrays(soil);
    const uint32_t* member = soil_list(soil)->member + first;
    F8 w = f8_load(soil->lane_w + first), h = f8_set(pass->h);
    float* px = soil->carried[0] + first;
    float* py = soil->carried[1] + first;
    float* pz = soil->carried[2] + first;
    F8 ax = f8_mul(w, sum->x), ay = f8_mul(w, sum->y), az = f8_mul(w, sum->z);
    F8 vx = f8_add(f8_sub(i->ux, f8_load(px)), ax);
    F8 vy = f8_add(f8_sub(i->uy, f8_load(py)), ay);
    F8 vz = f8_add(f8_sub(i->uz, f8_load(pz)), az);
    f8_store(px, ax), f8_store(py, ay), f8_store(pz, az);

    // another iteration follows: the velocity moves on, the grain stays
    F8 count = f8_min(f8_max(sum->count, f8_set(1.0f)), f8_set((float)SOIL_PACK_COUNT));
    I8 keep = i8_and(i8_bits(i->packed), i8_set((int)~SOIL_PACK_COUNT));
    F8 packed = f8_bits(i8_or(keep, i8_truncate(count)));
    if (!pass->final) {
        F8 out[8] = {i->x, i->y, i->z, i->r, vx, vy, vz, packed};
        f8_store_rows_at(pass->to, member, out);
        return;
    }

    // overlaps move positions only
    F8 bx = f8_mul(w, sum->bx), by = f8_mul(w, sum->by), bz = f8_mul(w, sum->bz);
    F8 sx = f8_load(soil->shifted[0] + first), sy = f8_load(soil->shifted[1] + first);
    F8 sz = f8_load(soil->shifted[2] + first);
    F8 same_way = f8_lt(f8_zero(), split_dot(bx, by, bz, sx, sy, sz));
    F8 glide = f8_and(f8_and(same_way, f8_lt(f8_set(1.0f), count)), split_glide(k, i, mixed));
    bx = f8_add(bx, f8_mul(glide, sx)), by = f8_add(by, f8_mul(glide, sy));
    bz = f8_add(bz, f8_mul(glide, sz));
    f8_store(soil->shifted[0] + first, bx), f8_store(soil->shifted[1] + first, by);
    f8_store(soil->shifted[2] + first, bz);
    F8 x = f8_add(i->x, f8_add(f8_mul(h, vx), bx));
    F8 y = f8_add(i->y, f8_add(f8_mul(h, vy), by));
    F8 z = f8_add(i->z, f8_add(f8_mul(h, vz), bz));
    if (pass->last) {
        F8 out[8] = {x, y, z, vx, vy, vz, count, count};
        split_write_back(a, member, out);
        return;
    }
    const Vec3 g = soil->def.gravity;
    F8 out[8] = {x,
                 y,
                 z,
                 i->r,
                 f8_add(f8_add(vx, f8_set(pass->h * g.x)), ax),
                 f8_add(f8_add(vy, f8_set(pass->h * g.y)), ay),
                 f8_add(f8_add(vz, f8_set(pass->h * g.z)), az),
                 packed};
    f8_store_rows_at(pass->to, member, out);
}

SIMD_INLINE void split_slice(const SplitConst* k, const SoilPass* pass, int slice, SoilPush* push,
                             bool mixed, bool cohesive)
{
    const SoilList* list = soil_list(pass->soil);
    const SoilWalls* walls = soil_walls(pass->soil);
    int first = slice * SOIL_LANES;
    F8 c[8];
    SplitGrains i;
    f8_load_rows(pass->from, list->member + first, c);
    split_unpack(&i, c);
    SplitSum sum = {f8_zero(), f8_zero(), f8_zero(), f8_zero(), f8_zero(), f8_zero(), f8_zero()};
    split_neighbours(k, pass, list, slice, &i, &sum, mixed, cohesive);
    if (walls->length[slice] > 0) {
        split_walls(k, pass, walls, slice, &i, &sum, push);
    }
    split_finish(k, pass, first, &i, &sum, mixed);
}

static SplitConst split_const(const SoilPass* pass)
{
    const SoilLaw* law = &pass->soil->law;
    SplitConst k;
    k.h = f8_set(pass->h), k.inverse_h = f8_set(1.0f / pass->h);
    k.load = f8_set(SPLIT_LOAD), k.unload = f8_set(SPLIT_UNLOAD);
    k.shift = f8_set(SPLIT_SHIFT);
    k.tiny = f8_set(1.0e-30f);
    k.zero = f8_zero(), k.half = f8_set(0.5f), k.one = f8_set(1.0f);
    k.gap = f8_set(SOIL_GAP);
    k.area = f8_set(soil_area_factor(SOIL_ADHESION_OVERLAP));
    k.root_k = f8_loadu(law->stiffness), k.root_c = f8_loadu(law->damping);
    k.root_s = f8_loadu(law->mu_s), k.root_m = f8_loadu(law->mu_k),
    k.root_a = f8_loadu(law->adhesion);
    k.same = split_pair_law(&k, i8_set(0), i8_set(0));
    return k;
}

// Four copies of the loop, so that dry sand of one kind does not pay for clay on gravel.
static void split_block(void* context, int block, int begin, int end)
{
    const SoilPass* pass = context;
    const Soil* soil = pass->soil;
    SoilPush* push = &soil->push[block * SOIL_BOUNDARIES_MAX];
    SplitConst k = split_const(pass);
    bool mixed = soil->def.material_count > 1, cohesive = soil->cohesive;
    int first = begin / SOIL_LANES, last = soil_slices(end);
    if (!mixed && !cohesive) {
        for (int slice = first; slice < last; ++slice) {
            split_slice(&k, pass, slice, push, false, false);
        }
    } else if (!mixed) {
        for (int slice = first; slice < last; ++slice) {
            split_slice(&k, pass, slice, push, false, true);
        }
    } else if (!cohesive) {
        for (int slice = first; slice < last; ++slice) {
            split_slice(&k, pass, slice, push, true, false);
        }
    } else {
        for (int slice = first; slice < last; ++slice) {
            split_slice(&k, pass, slice, push, true, true);
        }
    }
}

// u = v + h g + w (sum of stored impulses)
static void split_begin_block(void* context, int block, int begin, int end)
{
    (void)block;
    const SoilPass* pass = context;
    Soil* soil = pass->soil;
    const SoilList* list = soil_list(soil);
    const SoilWalls* walls = soil_walls(soil);
    const SoilArrays* a = soil_arrays(soil);
    const Vec3 g = soil->def.gravity;
    for (int slice = begin / SOIL_LANES; slice < soil_slices(end); ++slice) {
        F8 sx = f8_zero(), sy = f8_zero(), sz = f8_zero();
        for (int n = 0; n < list->length[slice]; ++n) {
            const float* l = list->impulse + (list->start[slice] + (size_t)n) * 3 * SOIL_LANES;
            sx = f8_add(sx, f8_load(l)), sy = f8_add(sy, f8_load(l + 8)),
            sz = f8_add(sz, f8_load(l + 16));
        }
        for (int n = 0; n < walls->length[slice]; ++n) {
            const SoilWall* wall = &walls->wall[walls->start[slice] + (uint32_t)n];
            sx = f8_add(sx, f8_load(wall->lx)), sy = f8_add(sy, f8_load(wall->ly));
            sz = f8_add(sz, f8_load(wall->lz));
        }
        int first = slice * SOIL_LANES;
        F8 w = f8_load(soil->lane_w + first);
        f8_store(soil->carried[0] + first, f8_mul(sx, w));
        f8_store(soil->carried[1] + first, f8_mul(sy, w));
        f8_store(soil->carried[2] + first, f8_mul(sz, w));
        for (int axis = 0; axis < 3; ++axis) {
            f8_store(soil->shifted[axis] + first, f8_zero());
        }
        for (int l = first; l < first + SOIL_LANES; ++l) {
            int i = soil_member(list, l);
            float* r = pass->to + (size_t)i * SOIL_RECORD;
            r[0] = a->px[i], r[1] = a->py[i], r[2] = a->pz[i], r[3] = a->radius[i];
            r[4] = a->vx[i] + pass->h * g.x + soil->carried[0][l];
            r[5] = a->vy[i] + pass->h * g.y + soil->carried[1][l];
            r[6] = a->vz[i] + pass->h * g.z + soil->carried[2][l];
            r[7] = soil_pack(soil->w[i], a->contacts[i], a->material[i]);
        }
    }
}

extern const JobsFn SIMD_NAME(soil_split_sweep);
extern const JobsFn SIMD_NAME(soil_split_start);
const JobsFn SIMD_NAME(soil_split_sweep) = split_block;
const JobsFn SIMD_NAME(soil_split_start) = split_begin_block;
