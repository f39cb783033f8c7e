#include "bench/bench_soil.h"

#include "base/base_clock.h"
#include "bench/bench_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Long enough to fill the caches again after a turn, short against the seconds in which a shared
// machine changes its pace.
#define BENCH_CHUNK 8 // timed frames of one turn; one more before them is not timed

const char* bench_soil_regime_name(BenchRegime regime)
{
    return regime == BENCH_REGIME_REST ? "rest" : "rebuilt";
}

// --- figures -------------------------------------------------------------------------------

double bench_soil_ratio(const BenchVariant* a, const BenchVariant* b)
{
    int chunks = base_mini(a->chunks, b->chunks);
    double* ratio = malloc((size_t)chunks * sizeof *ratio);
    if (!ratio) {
        return a->times.median[BENCH_TOTAL] / b->times.median[BENCH_TOTAL];
    }
    for (int i = 0; i < chunks; ++i) {
        ratio[i] = a->chunk[i] / b->chunk[i];
    }
    double result = base_median(ratio, chunks);
    free(ratio);
    return result;
}

static void summarise(BenchVariant* v)
{
    double frames = (double)v->frames;
    v->force_over_weight /= frames;
    v->list_builds /= frames;
    v->evaluations /= frames;
    v->hash = soil_hash(v->soil);
    v->overlap = soil_overlap(v->soil, v->jobs);
    for (int c = 0; c < BENCH_COLUMNS; ++c) {
        v->times.median[c] = base_median(v->seconds[c], v->frames);
        v->times.p99[c] = base_quantile(v->seconds[c], v->frames, 0.99);
    }
}

// --- running -------------------------------------------------------------------------------

static double step_seconds(BenchVariant* v)
{
    if (v->regime == BENCH_REGIME_REBUILT) {
        soil_touch(v->soil);
    }
    double start = base_seconds();
    soil_step(v->soil, v->jobs);
    return base_seconds() - start;
}

static void record(BenchVariant* v, double seconds)
{
    const SoilStats* stats = soil_stats(v->soil);
    for (int p = 0; p < SOIL_PHASE_COUNT; ++p) {
        v->seconds[p][v->frames] = stats->seconds[p];
    }
    v->seconds[BENCH_TOTAL][v->frames] = seconds;
    v->force_over_weight += bench_bed_force_over_weight(v->soil);
    v->list_builds += stats->list_builds;
    v->evaluations += (double)stats->evaluations;
    ++v->frames;
}

static void run_chunk(BenchVariant* v, int frames)
{
    double chunk[BENCH_CHUNK];
    step_seconds(v);
    for (int i = 0; i < frames; ++i) {
        chunk[i] = step_seconds(v);
        record(v, chunk[i]);
    }
    v->chunk[v->chunks++] = base_median(chunk, frames);
}

static void run_turns(BenchRun* run, int frames)
{
    for (int done = 0; done < frames; done += BENCH_CHUNK) {
        for (int i = 0; i < run->count; ++i) {
            run_chunk(&run->variant[i], base_mini(BENCH_CHUNK, frames - done));
        }
        if (isatty(STDERR_FILENO)) {
            fprintf(stderr, "\rbench: %d of %d frames", base_mini(done + BENCH_CHUNK, frames),
                    frames);
        }
    }
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\n");
    }
}

// --- setting up ----------------------------------------------------------------------------

static bool allocate(BenchVariant* v, int frames)
{
    bool fine = true;
    for (int c = 0; c < BENCH_COLUMNS; ++c) {
        v->seconds[c] = malloc((size_t)frames * sizeof(double));
        fine = fine && v->seconds[c];
    }
    v->chunk = malloc((size_t)jobs_blocks(frames, BENCH_CHUNK) * sizeof(double));
    return fine && v->chunk;
}

static bool add_variant(BenchRun* run, const BenchOptions* options, Soil* bed, BenchVariant like)
{
    BenchVariant* v = &run->variant[run->count++];
    *v = like;
    v->soil = bench_bed_clone(bed, v->jobs, &v->bytes);
    if (!v->soil || !allocate(v, options->frames)) {
        return false;
    }
    if (options->isa && !soil_use_isa(v->soil, options->isa)) {
        return false;
    }
    run->isa = soil_isa(v->soil);
    return true;
}

// All thread counts and regimes of one kernel on one bed.
static bool add_kernel(BenchRun* run, const BenchOptions* options, Soil* poured, BenchKernel kernel)
{
    Jobs* widest = run->pool[options->threads_count - 1];
    Soil* bed = bench_bed_under(poured, kernel, widest);
    bool fine = bed;
    for (int t = 0; fine && t < options->threads_count; ++t) {
        for (int r = 0; fine && r < BENCH_REGIME_COUNT; ++r) {
            BenchVariant like = {.kernel = kernel,
                                 .grains = soil_state(bed)->count,
                                 .threads = options->threads[t],
                                 .regime = (BenchRegime)r,
                                 .jobs = run->pool[t]};
            fine = add_variant(run, options, bed, like);
        }
    }
    soil_destroy(bed);
    return fine;
}

static bool add_grains(BenchRun* run, const BenchOptions* options, int g)
{
    int grains = options->grains[g];
    Jobs* widest = run->pool[options->threads_count - 1];
    fprintf(stderr, "bench: settling %d grains\n", grains);
    Soil* poured = bench_bed_pour(grains, options->layers, widest);
    bool fine = poured;
    for (int k = 0; fine && k < options->kernels_count; ++k) {
        if (g == 0 || !options->kernels[k].first_only) {
            fine = add_kernel(run, options, poured, options->kernels[k]);
        }
    }
    soil_destroy(poured);
    return fine;
}

static bool open_run(BenchRun* run, const BenchOptions* options)
{
    int count = options->grains_count * options->kernels_count * options->threads_count *
                BENCH_REGIME_COUNT;
    *run = (BenchRun){.variant = calloc((size_t)count, sizeof *run->variant)};
    bool fine = run->variant;
    for (int t = 0; t < options->threads_count; ++t) {
        run->pool[t] = jobs_create(options->threads[t]);
        fine = fine && run->pool[t];
    }
    return fine;
}

bool bench_soil_run(BenchRun* run, const BenchOptions* options)
{
    bool fine = open_run(run, options);
    for (int g = 0; fine && g < options->grains_count; ++g) {
        fine = add_grains(run, options, g);
    }
    if (!fine) {
        fprintf(stderr, "bench: out of memory\n");
        return false;
    }
    run_turns(run, options->frames);
    for (int i = 0; i < run->count; ++i) {
        summarise(&run->variant[i]);
    }
    return true;
}

void bench_soil_free(BenchRun* run)
{
    for (int i = 0; i < run->count; ++i) {
        soil_destroy(run->variant[i].soil);
        free(run->variant[i].chunk);
        for (int c = 0; c < BENCH_COLUMNS; ++c) {
            free(run->variant[i].seconds[c]);
        }
    }
    free(run->variant);
    for (int t = 0; t < BENCH_LIST_MAX; ++t) {
        jobs_destroy(run->pool[t]);
    }
    *run = (BenchRun){0};
}

// --- asking --------------------------------------------------------------------------------

static bool same_kernel(BenchKernel a, BenchKernel b)
{
    return a.kernel == b.kernel &&
           (b.substeps == 0 || (a.substeps == b.substeps && a.iterations == b.iterations));
}

const BenchVariant* bench_soil_find(const BenchRun* run, BenchKernel kernel, int grains,
                                    int threads, BenchRegime regime)
{
    for (int i = 0; i < run->count; ++i) {
        const BenchVariant* v = &run->variant[i];
        if (same_kernel(v->kernel, kernel) && v->grains == grains && v->threads == threads &&
            v->regime == regime) {
            return v;
        }
    }
    return NULL;
}

bool bench_soil_same_bits(const BenchRun* run)
{
    bool same = true;
    for (int i = 0; i < run->count; ++i) {
        // the first variant of the same kernel, grains and regime, whatever its thread count
        const BenchVariant* v = &run->variant[i];
        const BenchVariant* first = NULL;
        for (int j = 0; j <= i && !first; ++j) {
            const BenchVariant* w = &run->variant[j];
            bool alike = same_kernel(w->kernel, v->kernel) && w->grains == v->grains &&
                         w->regime == v->regime;
            first = alike ? w : NULL;
        }
        if (first->hash != v->hash) {
            fprintf(stderr, "bench: %s with %d grains (%s) differs between %d and %d threads\n",
                    soil_kernel_name(v->kernel.kernel), v->grains,
                    bench_soil_regime_name(v->regime), first->threads, v->threads);
            same = false;
        }
    }
    return same;
}
