// p2: the paper's solver to the letter, eight grains at a time.
//
// A grain's guess is x + d, with d = h v + h^2 g to begin with. Each iteration every grain projects
// all contacts that it violates now (spring-damper, Eq. 23 with the factors of Eq. 28; friction,
// Eq. 33; adhesion, Eqs. 35 and 36; error reduction, Eq. 37) and moves by the mean of the
// corrections (Eq. 9). Afterwards v = d / h, x = x + d. We iterate on the displacement d instead of
// the position: the same numbers, but small ones, so float32 keeps its digits far from the origin.
//
// Record of a grain: x + d, r, d (m), packed inverse mass and material.
#include "base/base_simd.h"
#include "soil/soil_internal.h"

typedef struct P2Grains {
    F8 x, y, z, r, dx, dy, dz, w;
    I8 material;
} P2Grains;

typedef struct P2Sum {
    F8 x, y, z, count;
} P2Sum;

// What a scene needs; the loop exists once for each combination that pays.
typedef struct P2Kind {
    bool uniform;  // equal grains: factors and friction are constants
    bool cohesive; // some material has adhesion
    bool weighted; // error reduction is on
} P2Kind;

typedef struct P2Const {
    F8 tiny, zero, one, h2, pi;
    F8 root_s, root_m, root_a;
    F8 k, c, mu_s, mu_k; // factors of Eq. 28 and friction when all grains are alike
    F8 gx, gy, gz;       // epsilon times the direction of gravity
} P2Const;

SIMD_INLINE F8 p2_dot(F8 ax, F8 ay, F8 az, F8 bx, F8 by, F8 bz)
{
    return f8_add(f8_add(f8_mul(ax, bx), f8_mul(ay, by)), f8_mul(az, bz));
}

// The root and the quotient do not wait for each other.
SIMD_INLINE F8 p2_inverse_root(const P2Const* s, F8 x)
{
    return f8_mul(f8_sqrt(x), f8_div(s->one, x));
}

SIMD_INLINE void p2_unpack(P2Grains* g, const F8 c[8])
{
    I8 bits = i8_bits(c[7]);
    g->x = c[0], g->y = c[1], g->z = c[2], g->r = c[3];
    g->dx = c[4], g->dy = c[5], g->dz = c[6];
    g->w = f8_bits(i8_and(bits, i8_set((int)~SOIL_PACK_BITS)));
    g->material = i8_and(i8_shr(bits, SOIL_PACK_MATERIAL_SHIFT), i8_set(SOIL_MATERIALS_MAX - 1));
}

// Relative correction of eight contacts, its sign turned: to be subtracted, shared by inverse mass.
// v is the relative displacement (p_i - x_i) - (p_j - x_j); grip the displacement of adhesion.
SIMD_INLINE void p2_contact(const P2Const* s, bool cohesive, F8 k, F8 c, F8 mu_s, F8 mu_k, F8 grip,
                            F8 nx, F8 ny, F8 nz, F8 C, F8 vx, F8 vy, F8 vz, F8 out[3])
{
    // spring-damper
    F8 vn = p2_dot(vx, vy, vz, nx, ny, nz);
    F8 minus = f8_add(f8_mul(k, C), f8_mul(c, vn)); // the correction, with its sign turned

    // friction: all of the sliding below the static cap, the kinetic cap beyond it
    F8 tx = f8_sub(vx, f8_mul(vn, nx)), ty = f8_sub(vy, f8_mul(vn, ny)),
       tz = f8_sub(vz, f8_mul(vn, nz));
    F8 slide2 = p2_dot(tx, ty, tz, tx, ty, tz);
    F8 press = f8_abs(minus);
    F8 cap_s = f8_mul(mu_s, press), cap_k = f8_mul(mu_k, press);
    if (cohesive) {
        cap_s = f8_add(cap_s, grip), cap_k = f8_add(cap_k, grip);
    }
    F8 sticks = f8_le(slide2, f8_mul(cap_s, cap_s));
    F8 scale = s->one;
    if (f8_mask(sticks) != 0xff) {
        scale =
            f8_select(sticks, s->one, f8_mul(cap_k, p2_inverse_root(s, f8_max(slide2, s->tiny))));
    }

    // adhesion: a damper right after the spring-damper, capped both ways
    if (cohesive) {
        F8 left = f8_sub(vn, minus);
        minus = f8_add(minus, f8_max(f8_min(left, grip), f8_sub(s->zero, grip)));
    }
    out[0] = f8_add(f8_mul(minus, nx), f8_mul(scale, tx));
    out[1] = f8_add(f8_mul(minus, ny), f8_mul(scale, ty));
    out[2] = f8_add(f8_mul(minus, nz), f8_mul(scale, tz));
}

// Eq. 36 times r_min^2, for overlap z (m)
SIMD_INLINE F8 p2_area(const P2Const* s, F8 r, F8 z)
{
    F8 t = f8_sub(z, r);
    return f8_mul(s->pi, f8_max(f8_sub(f8_mul(r, r), f8_mul(t, t)), s->zero));
}

// Geometry and motion of eight contacts.
typedef struct P2Contact {
    F8 nx, ny, nz; // unit normal, towards the owner
    F8 C;          // m, negative when overlapping
    F8 vx, vy, vz; // m, relative displacement
    F8 r, w;       // m, the neighbour's radius; 1/kg, its inverse mass
    I8 material;   // of the neighbour
} P2Contact;

SIMD_INLINE void p2_look(const P2Const* s, const SoilPass* pass, const SoilList* list, size_t slot,
                         const P2Grains* i, P2Contact* c)
{
    F8 col[8];
    P2Grains j;
    f8_load_rows(pass->from, list->neighbour + slot * SOIL_LANES, col);
    p2_unpack(&j, col);
    F8 x = f8_sub(i->x, j.x), y = f8_sub(i->y, j.y), z = f8_sub(i->z, j.z);
    // (the root and the quotient do not wait for each other)
    F8 distance2 = f8_max(p2_dot(x, y, z, x, y, z), s->tiny);
    F8 distance = f8_sqrt(distance2);
    F8 inverse = f8_mul(distance, f8_div(s->one, distance2));
    c->C = f8_sub(distance, f8_add(i->r, j.r));
    c->nx = f8_mul(x, inverse), c->ny = f8_mul(y, inverse), c->nz = f8_mul(z, inverse);
    c->vx = f8_sub(i->dx, j.dx), c->vy = f8_sub(i->dy, j.dy), c->vz = f8_sub(i->dz, j.dz);
    c->r = j.r, c->w = j.w, c->material = j.material;
}

SIMD_INLINE void p2_act(const P2Const* s, const SoilList* list, size_t slot, const P2Grains* i,
                        const P2Contact* at, P2Sum* sum, P2Kind kind)
{
    // only violated contacts have a say
    F8 active = f8_le(at->C, s->zero);
    if (f8_mask(active) == 0) {
        return;
    }

    // law
    F8 k = s->k, c = s->c, mu_s = s->mu_s, mu_k = s->mu_k, w = f8_add(i->w, at->w);
    F8 share = f8_set(0.5f), grip = s->zero;
    if (!kind.uniform) {
        const float* factor = list->impulse + slot * 3 * SOIL_LANES;
        k = f8_load(factor), c = f8_load(factor + 8);
        mu_s = f8_mul(f8_lookup(s->root_s, i->material), f8_lookup(s->root_s, at->material));
        mu_k = f8_mul(f8_lookup(s->root_m, i->material), f8_lookup(s->root_m, at->material));
        share = f8_div(i->w, w);
    }
    if (kind.cohesive) {
        F8 a = f8_mul(f8_lookup(s->root_a, i->material), f8_lookup(s->root_a, at->material));
        F8 area = p2_area(s, f8_min(i->r, at->r), f8_sub(s->zero, at->C));
        grip = f8_mul(f8_mul(a, area), f8_mul(s->h2, w));
    }

    F8 out[3];
    p2_contact(s, kind.cohesive, k, c, mu_s, mu_k, grip, at->nx, at->ny, at->nz, at->C, at->vx,
               at->vy, at->vz, out);

    // our share, more of it for the upper grain (Eq. 37)
    if (kind.weighted) {
        F8 up = p2_dot(at->nx, at->ny, at->nz, s->gx, s->gy, s->gz);
        share = f8_mul(share, f8_sub(s->one, up));
    }
    share = f8_and(share, active);
    sum->x = f8_sub(sum->x, f8_mul(share, out[0]));
    sum->y = f8_sub(sum->y, f8_mul(share, out[1]));
    sum->z = f8_sub(sum->z, f8_mul(share, out[2]));
    sum->count = f8_add(sum->count, f8_and(active, s->one));
}

// The next slot is looked at before this one is acted upon: both are long chains of operations
// that wait for each other's results, and so they wait together.
SIMD_INLINE void p2_neighbours(const P2Const* s, const SoilPass* pass, const SoilList* list,
                               int slice, const P2Grains* i, P2Sum* sum, P2Kind kind)
{
    size_t slot = list->start[slice], end = slot + list->length[slice];
    if (slot == end) {
        return;
    }
    P2Contact next;
    p2_look(s, pass, list, slot, i, &next);
    for (; slot + 1 < end; ++slot) {
        P2Contact now = next;
        p2_look(s, pass, list, slot + 1, i, &next);
        p2_act(s, list, slot, i, &now, sum, kind);
    }
    p2_act(s, list, slot, i, &next, sum, kind);
}

// A boundary weighs infinitely much: the whole correction is the grain's. `out` keeps each for the
// reaction, which can be summed only when the mean is known.
SIMD_INLINE void p2_walls(const P2Const* s, const SoilPass* pass, const SoilWalls* walls, int slice,
                          const P2Grains* i, P2Sum* sum, F8 out[][3])
{
    F8 end = f8_set(pass->time + pass->h), h = f8_set(pass->h);
    for (int n = 0; n < walls->length[slice]; ++n) {
        const SoilWall* wall = &walls->wall[walls->start[slice] + (uint32_t)n];
        F8 nx = f8_load(wall->nx), ny = f8_load(wall->ny), nz = f8_load(wall->nz);
        F8 vx = f8_load(wall->vx), vy = f8_load(wall->vy), vz = f8_load(wall->vz);
        F8 C = f8_sub(p2_dot(i->x, i->y, i->z, nx, ny, nz), f8_load(wall->offset));
        C = f8_sub(C, f8_mul(p2_dot(vx, vy, vz, nx, ny, nz), end));
        F8 active = f8_le(C, s->zero);
        F8 area = p2_area(s, i->r, f8_min(f8_sub(s->zero, C), i->r));
        F8 grip = f8_mul(f8_mul(f8_load(wall->adhesion), area), f8_mul(s->h2, i->w));
        p2_contact(s, true, f8_load(wall->lx), f8_load(wall->ly), f8_load(wall->mu_s),
                   f8_load(wall->mu_k), grip, nx, ny, nz, C, f8_sub(i->dx, f8_mul(vx, h)),
                   f8_sub(i->dy, f8_mul(vy, h)), f8_sub(i->dz, f8_mul(vz, h)), out[n]);
        for (int a = 0; a < 3; ++a) {
            out[n][a] = f8_and(f8_sub(s->zero, out[n][a]), active);
        }
        sum->x = f8_add(sum->x, out[n][0]);
        sum->y = f8_add(sum->y, out[n][1]);
        sum->z = f8_add(sum->z, out[n][2]);
        sum->count = f8_add(sum->count, f8_and(active, s->one));
    }
}

// Force of a correction, Eq. 34: an impulse of m lambda / h, for the part that was applied.
static void p2_push(const SoilPass* pass, SoilPush* push, int slice, F8 scale, F8 out[][3])
{
    const Soil* soil = pass->soil;
    const SoilList* list = &soil->list[soil->list_current];
    const SoilWalls* walls = &soil->walls[soil->walls_current];
    for (int n = 0; n < walls->length[slice]; ++n) {
        const SoilWall* wall = &walls->wall[walls->start[slice] + (uint32_t)n];
        float l[3][8] __attribute__((aligned(32)));
        for (int a = 0; a < 3; ++a) {
            f8_store(l[a], f8_mul(out[n][a], scale));
        }
        for (int lane = 0; lane < SOIL_LANES; ++lane) {
            Vec3 correction = vec3(l[0][lane], l[1][lane], l[2][lane]);
            if (wall->key[lane] == SOIL_NO_KEY || vec3_dot(correction, correction) == 0.0f) {
                continue;
            }
            int i = soil_member(list, slice * SOIL_LANES + lane);
            const float* g = pass->from + (size_t)i * SOIL_RECORD;
            Vec3 impulse = vec3_mul(correction, 1.0f / (soil->w[i] * pass->h));
            soil_surface_push(push, soil, wall, lane, vec3(g[0], g[1], g[2]), impulse,
                              pass->last && pass->first);
        }
    }
}

SIMD_INLINE void p2_slice(const P2Const* s, const SoilPass* pass, int slice, SoilPush* push,
                          P2Kind kind)
{
    Soil* soil = pass->soil;
    const SoilList* list = soil_list(soil);
    const SoilWalls* walls = soil_walls(soil);
    int first = slice * SOIL_LANES;
    F8 col[8];
    P2Grains i;
    f8_load_rows(pass->from, list->member + first, col);
    p2_unpack(&i, col);
    P2Sum sum = {f8_zero(), f8_zero(), f8_zero(), f8_zero()};
    F8 wall[SOIL_SURFACES_MAX][3];
    p2_neighbours(s, pass, list, slice, &i, &sum, kind);
    if (walls->length[slice] > 0) {
        p2_walls(s, pass, walls, slice, &i, &sum, wall);
    }

    // the mean of the corrections (Eq. 9)
    F8 scale = f8_div(s->one, f8_max(sum.count, s->one));
    if (walls->length[slice] > 0) {
        p2_push(pass, push, slice, scale, wall);
    }
    F8 dx = f8_add(i.dx, f8_mul(sum.x, scale)), dy = f8_add(i.dy, f8_mul(sum.y, scale));
    F8 dz = f8_add(i.dz, f8_mul(sum.z, scale));
    F8 out[8] = {f8_add(f8_load(soil->carried[0] + first), dx),
                 f8_add(f8_load(soil->carried[1] + first), dy),
                 f8_add(f8_load(soil->carried[2] + first), dz),
                 i.r,
                 dx,
                 dy,
                 dz,
                 col[7]};
    f8_store_rows_at(pass->to, list->member + first, out);
}

static P2Const p2_const(const SoilPass* pass)
{
    const Soil* soil = pass->soil;
    Vec3 down = vec3_mul(vec3_unit(soil->def.gravity), soil->def.error_reduction);
    P2Const s;
    s.tiny = f8_set(1.0e-30f), s.zero = f8_zero(), s.one = f8_set(1.0f);
    s.h2 = f8_set(pass->h * pass->h), s.pi = f8_set((float)BASE_PI);
    s.root_s = f8_loadu(soil->law.mu_s), s.root_m = f8_loadu(soil->law.mu_k);
    s.root_a = f8_loadu(soil->law.adhesion);
    int kind = soil->state.count > 0 ? soil->state.material[0] : 0;
    s.mu_s = f8_set(soil->def.material[kind].friction_static);
    s.mu_k = f8_set(soil->def.material[kind].friction_kinetic);
    s.k = f8_set(soil->factor_k), s.c = f8_set(soil->factor_c);
    s.gx = f8_set(down.x), s.gy = f8_set(down.y), s.gz = f8_set(down.z);
    return s;
}

static void p2_block(void* context, int block, int begin, int end)
{
    const SoilPass* pass = context;
    SoilPush* push = &pass->soil->push[block * SOIL_BOUNDARIES_MAX];
    P2Const s = p2_const(pass);
    int first = begin / SOIL_LANES, last = soil_slices(end);
    bool uniform = pass->soil->uniform, cohesive = pass->soil->cohesive;
    bool weighted = pass->soil->def.error_reduction > 0.0f;
    if (uniform && !cohesive && !weighted) {
        for (int slice = first; slice < last; ++slice) {
            p2_slice(&s, pass, slice, push, (P2Kind){true, false, false});
        }
    } else if (uniform && !cohesive) {
        for (int slice = first; slice < last; ++slice) {
            p2_slice(&s, pass, slice, push, (P2Kind){true, false, true});
        }
    } else {
        for (int slice = first; slice < last; ++slice) {
            p2_slice(&s, pass, slice, push, (P2Kind){false, true, true});
        }
    }
}

extern const JobsFn SIMD_NAME(soil_p2_sweep);
const JobsFn SIMD_NAME(soil_p2_sweep) = p2_block;
