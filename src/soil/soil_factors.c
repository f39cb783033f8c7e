// Position-based spring-damper factors, Eqs. 21 and 28 of the paper.
#include "base/base_trig.h"
#include "soil/soil_internal.h"

// Eq. 21 gives the factors for one iteration, Eq. 28 those for n of them. Computed in double: for
// a stiff spring alpha is tiny and its n-th root decides everything.
void soil_factors(float k, float c, float w, float h, int iterations, float* k_pb, float* c_pb)
{
    double hc = (double)h * (double)c * (double)w;
    double hk = (double)h * (double)h * (double)k * (double)w;
    double d = 1.0 + hc + hk;
    double stiff = hk / d, damp = hc / d;
    double alpha = 1.0 / d; // = 1 - stiff - damp
    if (stiff + damp <= 0.0) {
        *k_pb = *c_pb = 0.0f;
        return;
    }
    double root = iterations == 1 ? alpha : base_pow(alpha, 1.0 / iterations);
    double damp_n = damp * (1.0 - root) / (stiff + damp);
    *c_pb = (float)damp_n;
    *k_pb = (float)(1.0 - damp_n - root);
}

// Neighbouring slots mostly repeat the same pair of masses and materials; remember a few.
typedef struct SoilFactorCache {
    float w, k, c;
    float k_pb, c_pb;
} SoilFactorCache;

#define SOIL_FACTOR_CACHE 64

typedef struct SoilFactorPass {
    Soil* soil;
    float h;
} SoilFactorPass;

static void soil_factor_cached(SoilFactorCache* cache, const SoilFactorPass* pass, float k, float c,
                               float w, float* k_pb, float* c_pb)
{
    SoilFactorCache* entry =
        &cache[(base_float_bits(w) * 2654435761u ^ base_float_bits(k)) % SOIL_FACTOR_CACHE];
    if (entry->w != w || entry->k != k || entry->c != c) {
        entry->w = w, entry->k = k, entry->c = c;
        soil_factors(k, c, w, pass->h, pass->soil->def.iterations, &entry->k_pb, &entry->c_pb);
    }
    *k_pb = entry->k_pb;
    *c_pb = entry->c_pb;
}

static void soil_factor_block(void* context, int block, int begin, int end)
{
    (void)block;
    const SoilFactorPass* pass = context;
    Soil* soil = pass->soil;
    const SoilList* list = soil_list(soil);
    const SoilWalls* walls = soil_walls(soil);
    const SoilArrays* a = soil_arrays(soil);
    const SoilLaw* law = &soil->law;
    SoilFactorCache cache[SOIL_FACTOR_CACHE] = {{0}};
    for (int l = begin; l < end; ++l) {
        int slice = l / SOIL_LANES, lane = l % SOIL_LANES, i = soil_member(list, l);
        float root_k = law->stiffness[a->material[i]], root_c = law->damping[a->material[i]];
        for (int n = 0; !(soil->uniform && !soil->cohesive) && n < list->length[slice]; ++n) {
            size_t slot = list->start[slice] + (size_t)n;
            int j = soil_neighbour(list, slot, lane);
            float* out = list->impulse + slot * 3 * SOIL_LANES + lane;
            out[0] = out[8] = out[16] = 0.0f;
            if (j < soil->rows) {
                soil_factor_cached(cache, pass, root_k * law->stiffness[a->material[j]],
                                   root_c * law->damping[a->material[j]], soil->w[i] + soil->w[j],
                                   &out[0], &out[8]);
            }
        }
        for (int n = 0; n < walls->length[slice]; ++n) {
            SoilWall* wall = &walls->wall[walls->start[slice] + (uint32_t)n];
            if (wall->key[lane] != SOIL_NO_KEY) {
                soil_factor_cached(cache, pass, root_k * root_k, root_c * root_c, soil->w[i],
                                   &wall->lx[lane], &wall->ly[lane]);
            }
        }
    }
}

// Put k' and c' beside every contact; in a scene of equal grains the pairs share one constant.
void soil_factors_fill(Soil* soil, Jobs* jobs, float h)
{
    SoilFactorPass pass = {soil, h};
    if (soil->uniform && soil->state.count > 0) {
        const SoilMaterial* m = &soil->def.material[soil_arrays(soil)->material[0]];
        soil_factors(m->stiffness, m->damping, 2.0f * soil->w[0], h, soil->def.iterations,
                     &soil->factor_k, &soil->factor_c);
    }
    jobs_for(jobs, soil->state.count, SOIL_BLOCK, soil_factor_block, &pass);
}
