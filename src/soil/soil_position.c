// The position-based kernels' common frame (predict, iterate, finish) and the sequential
// Gauss-Seidel iteration `gs`; the Jacobi iteration `p2` is in soil_p2_simd.c.
#include "soil/soil_internal.h"

static void soil_position_predict(void* context, int block, int begin, int end)
{
    (void)block;
    const SoilPass* pass = context;
    Soil* soil = pass->soil;
    const SoilArrays* a = soil_arrays(soil);
    const Vec3 g = soil->def.gravity;
    float h = pass->h, h2 = pass->h * pass->h;
    int padded = soil_slices(end) * SOIL_LANES;
    for (int i = begin; i < padded; ++i) {
        float* r = pass->to + (size_t)i * SOIL_RECORD;
        r[4] = h * a->vx[i] + h2 * g.x;
        r[5] = h * a->vy[i] + h2 * g.y;
        r[6] = h * a->vz[i] + h2 * g.z;
        r[0] = a->px[i] + r[4];
        r[1] = a->py[i] + r[5];
        r[2] = a->pz[i] + r[6];
        r[3] = a->radius[i];
        r[7] = soil_pack(soil->w[i], 1, a->material[i]);
    }

    // where the grains of each slice start from
    const SoilList* list = soil_list(soil);
    for (int l = begin; l < padded; ++l) {
        int i = soil_member(list, l);
        soil->carried[0][l] = a->px[i];
        soil->carried[1][l] = a->py[i];
        soil->carried[2][l] = a->pz[i];
    }
}

// v = d / h, x = x + d; a sleeper stays where it was
static void soil_position_finish(void* context, int block, int begin, int end)
{
    (void)block;
    const SoilPass* pass = context;
    Soil* soil = pass->soil;
    SoilArrays* a = soil_arrays(soil);
    float inverse = 1.0f / pass->h;
    float sleep2 = soil->def.sleep_distance * soil->def.sleep_distance;
    for (int i = begin; i < end; ++i) {
        const float* r = pass->from + (size_t)i * SOIL_RECORD;
        float d2 = r[4] * r[4] + r[5] * r[5] + r[6] * r[6];
        bool asleep = d2 < sleep2;
        a->vx[i] = asleep ? 0.0f : r[4] * inverse;
        a->vy[i] = asleep ? 0.0f : r[5] * inverse;
        a->vz[i] = asleep ? 0.0f : r[6] * inverse;
        a->px[i] = asleep ? a->px[i] : r[0];
        a->py[i] = asleep ? a->py[i] : r[1];
        a->pz[i] = asleep ? a->pz[i] : r[2];
    }
}

void soil_p2_solve(Soil* soil, Jobs* jobs, int substeps, float h)
{
    SoilPass pass = {.soil = soil, .h = h};
    int front = 0;
    for (int s = 0; s < substeps; ++s) {
        pass.time = (float)s * h;
        pass.last = s == substeps - 1;
        pass.to = soil->record[front];
        jobs_for(jobs, soil->state.count, SOIL_BLOCK, soil_position_predict, &pass);
        for (int n = 0; n < soil->def.iterations; ++n) {
            pass.first = n == 0;
            pass.from = soil->record[front];
            pass.to = soil->record[1 - front];
            jobs_for(jobs, soil->state.count, SOIL_BLOCK, *soil->simd->p2_sweep, &pass);
            front = 1 - front;
        }
        pass.from = soil->record[front];
        jobs_for(jobs, soil->state.count, SOIL_BLOCK, soil_position_finish, &pass);
    }
}

// The relative correction of one contact: lambda_n n - lambda_f t, as in soil_p2_simd.c.
typedef struct SoilLambda {
    float k, c, mu_s, mu_k, grip;
} SoilLambda;

static Vec3 soil_gs_correction(const SoilLambda* law, Vec3 n, float C, Vec3 v)
{
    float vn = vec3_dot(v, n);
    float normal = -law->k * C - law->c * vn;
    Vec3 t = vec3_mad(v, n, -vn);
    float slide2 = vec3_dot(t, t);
    float press = __builtin_fabsf(normal);
    float cap_s = law->mu_s * press + law->grip, cap_k = law->mu_k * press + law->grip;
    float scale = 1.0f;
    if (slide2 > cap_s * cap_s) {
        scale = base_minf(cap_k / __builtin_sqrtf(slide2), 1.0f);
    }
    normal -= base_clampf(vn + normal, -law->grip, law->grip);
    return vec3_sub(vec3_mul(n, normal), vec3_mul(t, scale));
}

static float soil_gs_area(float r, float z)
{
    float t = z - r;
    return (float)BASE_PI * base_maxf(r * r - t * t, 0.0f);
}

static Vec3 soil_gs_vec(const float* r)
{
    return vec3(r[0], r[1], r[2]);
}

// move a grain by d: its guess and its displacement
static void soil_gs_shift(float* r, Vec3 d)
{
    r[0] += d.x, r[1] += d.y, r[2] += d.z;
    r[4] += d.x, r[5] += d.y, r[6] += d.z;
}

static void soil_gs_pair(Soil* soil, float* record, int i, int j, const float* factor, float h)
{
    const SoilArrays* a = soil_arrays(soil);
    const SoilLaw* law = &soil->law;
    float *ri = record + (size_t)i * SOIL_RECORD, *rj = record + (size_t)j * SOIL_RECORD;
    Vec3 x = vec3_sub(soil_gs_vec(ri), soil_gs_vec(rj));
    float reach = ri[3] + rj[3], d2 = vec3_dot(x, x);
    if (d2 > reach * reach || d2 < 1.0e-30f) {
        return;
    }
    float distance = __builtin_sqrtf(d2), C = distance - reach;
    int mi = a->material[i], mj = a->material[j];
    float w = soil->w[i] + soil->w[j];
    SoilLambda lambda = {
        .k = soil->uniform ? soil->factor_k : factor[0],
        .c = soil->uniform ? soil->factor_c : factor[8],
        .mu_s = law->mu_s[mi] * law->mu_s[mj],
        .mu_k = law->mu_k[mi] * law->mu_k[mj],
        .grip = law->adhesion[mi] * law->adhesion[mj] * soil_gs_area(base_minf(ri[3], rj[3]), -C) *
                h * h * w,
    };
    Vec3 n = vec3_mul(x, 1.0f / distance);
    Vec3 v = vec3_sub(soil_gs_vec(ri + 4), soil_gs_vec(rj + 4));
    Vec3 correction = soil_gs_correction(&lambda, n, C, v);
    soil_gs_shift(ri, vec3_mul(correction, soil->w[i] / w));
    soil_gs_shift(rj, vec3_mul(correction, -soil->w[j] / w));
}

static void soil_gs_wall(Soil* soil, float* record, int i, const SoilWall* wall, int lane,
                         const SoilPass* pass)
{
    if (wall->key[lane] == SOIL_NO_KEY) {
        return;
    }
    float* r = record + (size_t)i * SOIL_RECORD;
    Vec3 n = vec3(wall->nx[lane], wall->ny[lane], wall->nz[lane]);
    Vec3 surface = vec3(wall->vx[lane], wall->vy[lane], wall->vz[lane]);
    Vec3 center = soil_gs_vec(r);
    float C =
        vec3_dot(n, center) - wall->offset[lane] - vec3_dot(n, surface) * (pass->time + pass->h);
    if (C > 0.0f) {
        return;
    }
    SoilLambda lambda = {
        .k = wall->lx[lane],
        .c = wall->ly[lane],
        .mu_s = wall->mu_s[lane],
        .mu_k = wall->mu_k[lane],
        .grip = wall->adhesion[lane] * soil_gs_area(r[3], base_minf(-C, r[3])) * pass->h * pass->h *
                soil->w[i],
    };
    Vec3 v = vec3_mad(soil_gs_vec(r + 4), surface, -pass->h);
    Vec3 correction = soil_gs_correction(&lambda, n, C, v);
    soil_gs_shift(r, correction);
    SoilPush* push = &soil->push[i / SOIL_BLOCK * SOIL_BOUNDARIES_MAX];
    Vec3 impulse = vec3_mul(correction, 1.0f / (soil->w[i] * pass->h));
    soil_surface_push(push, soil, wall, lane, center, impulse, pass->last && pass->first);
}

// every contact once, in the order of its grains; each sees what the one before it did
static void soil_gs_sweep(Soil* soil, float* record, const SoilPass* pass)
{
    const SoilList* list = soil_list(soil);
    const SoilWalls* walls = soil_walls(soil);
    for (int i = 0; i < soil->state.count; ++i) {
        int slice = (int)list->lane[i] / SOIL_LANES, lane = (int)list->lane[i] % SOIL_LANES;
        for (int n = 0; n < list->length[slice]; ++n) {
            size_t slot = list->start[slice] + (size_t)n;
            int j = soil_neighbour(list, slot, lane);
            if (j > i && j < soil->rows) {
                soil_gs_pair(soil, record, i, j, list->impulse + slot * 3 * SOIL_LANES + lane,
                             pass->h);
            }
        }
        for (int n = 0; n < walls->length[slice]; ++n) {
            soil_gs_wall(soil, record, i, &walls->wall[walls->start[slice] + (uint32_t)n], lane,
                         pass);
        }
    }
}

void soil_gs_solve(Soil* soil, Jobs* jobs, int substeps, float h)
{
    SoilPass pass = {.soil = soil, .h = h, .to = soil->record[0], .from = soil->record[0]};
    for (int s = 0; s < substeps; ++s) {
        pass.time = (float)s * h;
        pass.last = s == substeps - 1;
        jobs_for(jobs, soil->state.count, SOIL_BLOCK, soil_position_predict, &pass);
        for (int n = 0; n < soil->def.iterations; ++n) {
            pass.first = n == 0;
            soil_gs_sweep(soil, soil->record[0], &pass);
        }
        jobs_for(jobs, soil->state.count, SOIL_BLOCK, soil_position_finish, &pass);
    }
}
