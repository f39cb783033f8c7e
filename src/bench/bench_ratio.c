#include "bench/bench_ratio.h"

#include <stdarg.h>
#include <stdio.h>

static const BenchKernel SPLIT = {.kernel = SOIL_KERNEL_SPLIT}; // whatever settings it ran at
static const BenchKernel P2 = {SOIL_KERNEL_P2, 1, 10, false};
static const BenchKernel GS = {SOIL_KERNEL_GS, 1, 40, false};

typedef struct Ratios {
    const BenchRun* run;
    BenchRatio* out; // [BENCH_RATIOS_MAX]
    int count;
} Ratios;

bool bench_ratio_met(const BenchRatio* ratio)
{
    return ratio->at_least ? ratio->value >= ratio->goal : ratio->value <= ratio->goal;
}

// Adds the time of a over the time of b, times scale; nothing when one of them did not run.
__attribute__((format(printf, 6, 7))) static void add(Ratios* r, const BenchVariant* a,
                                                      const BenchVariant* b, double scale,
                                                      BenchRatio goal, const char* format, ...)
{
    if (!a || !b || r->count == BENCH_RATIOS_MAX) {
        return;
    }
    BenchRatio* ratio = &r->out[r->count++];
    *ratio = goal;
    ratio->value = scale * bench_soil_ratio(a, b);
    va_list args;
    va_start(args, format);
    vsnprintf(ratio->name, sizeof ratio->name, format, args);
    va_end(args);
}

static BenchRatio at_most(double goal)
{
    return (BenchRatio){.goal = goal};
}

static BenchRatio at_least(double goal)
{
    return (BenchRatio){.goal = goal, .at_least = true};
}

// The default kernel must not cost more than 1.5 x the paper's.
static void add_default(Ratios* r, int grains, int threads, BenchRegime regime)
{
    add(r, bench_soil_find(r->run, SPLIT, grains, threads, regime),
        bench_soil_find(r->run, P2, grains, threads, regime), 1.0, at_most(1.5),
        "default / p2 with 10 iterations, %d grains, %d threads, %s", grains, threads,
        bench_soil_regime_name(regime));
}

// The paper's solver against its sequential yardstick at equal quality; regimes do not matter.
static void add_gs(Ratios* r, int grains, int threads, BenchRegime regime)
{
    if (regime == BENCH_REGIME_REBUILT) {
        add(r, bench_soil_find(r->run, GS, grains, threads, regime),
            bench_soil_find(r->run, P2, grains, threads, regime), 1.0, at_least(8.0),
            "gs with 40 iterations / p2 with 10, %d grains, %d threads", grains, threads);
    }
}

static void add_threads(Ratios* r, BenchKernel kernel, int grains, int threads, BenchRegime regime)
{
    if (threads == 2 && kernel.kernel != SOIL_KERNEL_GS) {
        add(r, bench_soil_find(r->run, kernel, grains, 1, regime),
            bench_soil_find(r->run, kernel, grains, 2, regime), 1.0, at_least(1.7),
            "%s: one thread / two threads, %d grains, %s", soil_kernel_name(kernel.kernel), grains,
            bench_soil_regime_name(regime));
    }
}

static void add_growth(Ratios* r, BenchKernel kernel, int grains, int threads, BenchRegime regime)
{
    if (grains == 50000) {
        add(r, bench_soil_find(r->run, kernel, 50000, threads, regime),
            bench_soil_find(r->run, kernel, 10000, threads, regime), 10000.0 / 50000.0,
            at_most(1.5), "%s: time per grain at 50000 / at 10000, %d threads, %s",
            soil_kernel_name(kernel.kernel), threads, bench_soil_regime_name(regime));
    }
}

typedef void (*PairFn)(Ratios*, int grains, int threads, BenchRegime);
typedef void (*KernelFn)(Ratios*, BenchKernel, int grains, int threads, BenchRegime);

static void for_pairs(Ratios* r, const BenchOptions* o, PairFn fn)
{
    for (int g = 0; g < o->grains_count; ++g) {
        for (int t = 0; t < o->threads_count; ++t) {
            for (int regime = 0; regime < BENCH_REGIME_COUNT; ++regime) {
                fn(r, o->grains[g], o->threads[t], (BenchRegime)regime);
            }
        }
    }
}

static void for_kernels(Ratios* r, const BenchOptions* o, KernelFn fn)
{
    for (int k = 0; k < o->kernels_count; ++k) {
        for (int g = 0; g < o->grains_count; ++g) {
            for (int t = 0; t < o->threads_count; ++t) {
                for (int regime = 0; regime < BENCH_REGIME_COUNT; ++regime) {
                    fn(r, o->kernels[k], o->grains[g], o->threads[t], (BenchRegime)regime);
                }
            }
        }
    }
}

int bench_ratio_all(const BenchRun* run, const BenchOptions* options, BenchRatio* out)
{
    Ratios r = {.run = run, .out = out};
    for_pairs(&r, options, add_default);
    for_pairs(&r, options, add_gs);
    for_kernels(&r, options, add_threads);
    for_kernels(&r, options, add_growth);
    return r.count;
}
