#include "bench/bench_exchange.h"

#include "base/base_assert.h"
#include "base/base_clock.h"
#include "coupling/coupling.h"

#include <stdlib.h>

#define EXCHANGE_SIDE   64   // columns
#define EXCHANGE_STILL  1000 // columns, of the site on which nothing happens
#define EXCHANGE_DEEP   0.5f // m of bank
#define EXCHANGE_POOL   4000
#define EXCHANGE_GRAINS 1024  // 32 x 32
#define EXCHANGE_ROW    32    // grains of the layer that is laid down
#define EXCHANGE_PITCH  0.13f // m, from one to the next
#define EXCHANGE_WAIT   120   // frames, at most, until the layer rests
#define EXCHANGE_ROUNDS 100

typedef struct Exchange {
    Jobs* jobs;
    Soil* soil;
    Terrain* terrain;
    Coupling* coupling;
} Exchange;

static double median_ms(double* values, int count)
{
    return 1e3 * base_median(values, count);
}

static void destroy(Exchange* e)
{
    coupling_destroy(e->coupling);
    soil_destroy(e->soil);
    terrain_destroy(e->terrain);
    jobs_destroy(e->jobs);
    *e = (Exchange){0};
}

static bool make(Exchange* e, int side)
{
    float repose = (float)(33.0 * BASE_DEG), friction = (float)(34.0 * BASE_DEG);
    TerrainDef ground = terrain_def(side, side);
    ground.material_count = 1;
    ground.material[0] = terrain_material(1800.0f, 1600.0f, friction, 1000.0f, repose);
    SoilDef grains = soil_def(SOIL_KERNEL_SPLIT, EXCHANGE_POOL, 0.05f);
    CouplingDef def = coupling_def(0.05f);
    *e = (Exchange){.jobs = jobs_create(1)};
    e->terrain = terrain_create(&ground);
    e->soil = soil_create(&grains);
    e->coupling = e->terrain && e->soil ? coupling_create(&def, e->soil, e->terrain) : NULL;
    for (int cell = 0; e->coupling && cell < side * side; ++cell) {
        terrain_lay_depth(e->terrain, cell, 0, EXCHANGE_DEEP);
    }
    return e->jobs && e->coupling;
}

// A shallow cut through as many columns as give a thousand grains.
static bool time_dig(double* seconds, int* born)
{
    Exchange e;
    bool fine = make(&e, EXCHANGE_SIDE);
    if (fine) {
        CouplingCut cut[EXCHANGE_SIDE * EXCHANGE_SIDE];
        double want = EXCHANGE_GRAINS * (double)coupling_grain_mass(e.coupling, 0);
        const float depth = 0.2f;
        double each = terrain_bank_mg(e.terrain, 0, (double)depth * 0.01);
        int count = (int)(want / each) + 1;
        for (int k = 0; k < count; ++k) {
            cut[k] = (CouplingCut){k, EXCHANGE_DEEP - depth};
        }
        double start = base_seconds();
        *born = coupling_dig(e.coupling, cut, count, vec3(0.0f, 0.0f, 0.0f));
        *seconds = base_seconds() - start;
    }
    destroy(&e);
    return fine;
}

// A layer of grains that all come to rest together. Returns the grains laid down in the step timed.
static bool time_settle(double* seconds, int* laid)
{
    Exchange e;
    bool fine = make(&e, EXCHANGE_SIDE);
    for (int k = 0; fine && k < EXCHANGE_GRAINS; ++k) {
        Vec3 at = vec3(1.0f + EXCHANGE_PITCH * (float)(k % EXCHANGE_ROW), EXCHANGE_DEEP + 0.05f,
                       1.0f + EXCHANGE_PITCH * (float)(k / EXCHANGE_ROW));
        coupling_pour(e.coupling, at, vec3(0.0f, 0.0f, 0.0f), 0);
    }
    *laid = 0;
    for (int k = 0; fine && *laid == 0 && k < EXCHANGE_WAIT; ++k) {
        soil_step(e.soil, e.jobs);
        double start = base_seconds();
        coupling_step(e.coupling, e.jobs);
        *seconds = base_seconds() - start;
        *laid = coupling_stats(e.coupling)->returns;
    }
    destroy(&e);
    return fine;
}

static bool time_still(double* seconds, int rounds)
{
    Exchange e;
    bool fine = make(&e, EXCHANGE_STILL);
    while (fine && !terrain_still(e.terrain)) {
        terrain_settle(e.terrain, e.jobs);
    }
    if (fine) {
        coupling_step(e.coupling, e.jobs); // faces are looked at once
    }
    for (int k = 0; fine && k < rounds; ++k) {
        double start = base_seconds();
        coupling_step(e.coupling, e.jobs);
        seconds[k] = base_seconds() - start;
    }
    destroy(&e);
    return fine;
}

bool bench_exchange_time(BenchExchange* out, int rounds)
{
    BASE_ASSERT(rounds > 0 && rounds <= EXCHANGE_ROUNDS);
    double dig[EXCHANGE_ROUNDS], settle[EXCHANGE_ROUNDS], still[EXCHANGE_ROUNDS];
    int born = 0, laid = 0;
    bool fine = time_still(still, rounds);
    for (int k = 0; k < rounds && fine; ++k) {
        fine = time_dig(&dig[k], &born) && time_settle(&settle[k], &laid);
    }
    if (fine) {
        *out = (BenchExchange){base_mini(born, laid), median_ms(dig, rounds),
                               median_ms(settle, rounds), 1e3 * median_ms(still, rounds)};
    }
    return fine;
}
