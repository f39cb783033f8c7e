#include "coupling/coupling_fee.h"

#include "base/base_math.h"
#include "base/base_trig.h"

#define FEE_RAKE_MIN 0.14 // rad, 8 deg: flatter blades only slide
#define FEE_POLE     0.15 // D at which the domain ends
#define FEE_NARROW   200  // steps of the search for beta
#define FEE_BETA_MIN 0.03 // rad

static double fee_cot(double x)
{
    return base_cos(x) / base_sin(x);
}

// D of shared notation: what is left of the blade's push after friction on both planes.
static double fee_grip(const CouplingFeeSoil* soil, double rake, double beta)
{
    double bite = rake + (double)soil->steel_friction;
    return base_cos(bite) + base_sin(bite) * fee_cot(beta + (double)soil->friction);
}

static double fee_weight(const CouplingFeeSoil* soil, double rake, double beta)
{
    double grip = fee_grip(soil, rake, beta);
    return grip > 1e-6 ? (fee_cot(rake) + fee_cot(beta)) / (2.0 * grip) : 1e12;
}

// Golden section: N_gamma has one minimum between a flat wedge and the pole.
static double fee_failure(const CouplingFeeSoil* soil, double rake)
{
    const double golden = 0.6180339887498949;
    double lo = FEE_BETA_MIN, hi = 0.5 * BASE_PI;
    double a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
    double fa = fee_weight(soil, rake, a), fb = fee_weight(soil, rake, b);
    for (int n = 0; n < FEE_NARROW && hi - lo > 1e-10; ++n) {
        if (fa <= fb) {
            hi = b, b = a, fb = fa;
            a = hi - golden * (hi - lo), fa = fee_weight(soil, rake, a);
        } else {
            lo = a, a = b, fa = fb;
            b = lo + golden * (hi - lo), fb = fee_weight(soil, rake, b);
        }
    }
    return 0.5 * (lo + hi);
}

CouplingFeeFactors coupling_fee_factors(const CouplingFeeSoil* soil, float rake)
{
    double a = (double)rake, beta = fee_failure(soil, a), grip = fee_grip(soil, a, beta);
    double cot_a = fee_cot(a), cot_b = fee_cot(beta),
           cot_f = fee_cot(beta + (double)soil->friction);
    return (CouplingFeeFactors){
        .failure = (float)beta,
        .weight = (float)((cot_a + cot_b) / (2.0 * grip)),
        .cohesion = (float)((1.0 + cot_b * cot_f) / grip),
        .adhesion = (float)((1.0 - cot_a * cot_f) / grip),
        .surcharge = (float)((cot_a + cot_b) / grip),
    };
}

// The steepest rake whose wedge can still be pushed out.
static double fee_rake_max(const CouplingFeeSoil* soil)
{
    double lo = 0.5 * BASE_PI, hi = BASE_PI - 0.1;
    for (int n = 0; n < 60; ++n) {
        double rake = 0.5 * (lo + hi);
        if (fee_grip(soil, rake, fee_failure(soil, rake)) > FEE_POLE) {
            lo = rake;
        } else {
            hi = rake;
        }
    }
    return lo;
}

void coupling_fee_table(const CouplingFeeSoil* soil, CouplingFeeTable* out)
{
    double phi = (double)soil->friction, tan_phi = base_sin(phi) / base_cos(phi);
    double wedge = base_sin(0.25 * BASE_PI + 0.5 * phi) / base_cos(0.25 * BASE_PI + 0.5 * phi);
    double n_q = base_exp(BASE_PI * tan_phi) * wedge * wedge;
    *out = (CouplingFeeTable){.soil = *soil, .rake_min = (float)FEE_RAKE_MIN};
    out->rake_max = (float)fee_rake_max(soil);
    out->point_depth = (float)n_q;
    out->point_cohesion = phi > 0.01 ? (float)((n_q - 1.0) / tan_phi) : 5.14f;
    for (int n = 0; n < COUPLING_FEE_RAKES; ++n) {
        float t = (float)n / (float)(COUPLING_FEE_RAKES - 1);
        out->at[n] =
            coupling_fee_factors(soil, out->rake_min + t * (out->rake_max - out->rake_min));
    }
}

static float fee_mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

static CouplingFeeFactors fee_look_up(const CouplingFeeTable* table, float rake)
{
    float t = (rake - table->rake_min) / (table->rake_max - table->rake_min);
    t *= (float)(COUPLING_FEE_RAKES - 1);
    int n = base_mini((int)t, COUPLING_FEE_RAKES - 2);
    const CouplingFeeFactors *a = &table->at[n], *b = a + 1;
    t -= (float)n;
    return (CouplingFeeFactors){
        .failure = fee_mix(a->failure, b->failure, t),
        .weight = fee_mix(a->weight, b->weight, t),
        .cohesion = fee_mix(a->cohesion, b->cohesion, t),
        .adhesion = fee_mix(a->adhesion, b->adhesion, t),
        .surcharge = fee_mix(a->surcharge, b->surcharge, t),
    };
}

CouplingFeeForce coupling_fee_force(const CouplingFeeTable* table, const CouplingFeeCut* cut)
{
    if (cut->depth <= 0.0f) {
        return (CouplingFeeForce){0.0f, 0.0f, 0.0f};
    }
    float rake = base_clampf(cut->rake, table->rake_min, table->rake_max), d = cut->depth;
    CouplingFeeFactors n = fee_look_up(table, rake);
    float stick = table->soil.steel_adhesion * d, bite = rake + table->soil.steel_friction;
    float force = cut->density * cut->gravity * d * d * n.weight + cut->cohesion * d * n.cohesion +
                  stick * n.adhesion + d * cut->surcharge * n.surcharge;
    float cot_rake = base_cosf(rake) / base_sinf(rake);
    // the adhesion factor is negative for flat blades: never a push from the soil
    force = base_maxf(force, 0.0f);
    return (CouplingFeeForce){
        .draft = force * base_sinf(bite) + stick * cot_rake,
        .down = force * base_cosf(bite) - stick,
        .reach = d * (cot_rake + base_cosf(n.failure) / base_sinf(n.failure)),
    };
}

float coupling_fee_point(const CouplingFeeTable* table, const CouplingFeeCut* cut)
{
    float over = cut->density * cut->gravity * base_maxf(cut->depth, 0.0f) + cut->surcharge;
    return cut->cohesion * table->point_cohesion + over * table->point_depth;
}
