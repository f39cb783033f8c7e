#include "bench/bench_report.h"

#include "base/base_json.h"
#include "bench/bench_ratio.h"

#include <inttypes.h>
#include <stdio.h>

#define MS 1e3 // milliseconds in a second

// Directed contact evaluations per second of solving.
static double evaluation_rate(const BenchVariant* v)
{
    double solve = v->times.median[SOIL_PHASE_SOLVE];
    return solve > 0.0 ? v->evaluations / solve : 0.0;
}

static double bytes_per_grain(const BenchVariant* v)
{
    return (double)v->bytes / (double)v->grains;
}

static const char* column_name(int column)
{
    return column == BENCH_TOTAL ? "total" : soil_phase_name((SoilPhase)column);
}

static void settings_text(const BenchVariant* v, char* out, size_t size)
{
    snprintf(out, size, "%s:%dx%d", soil_kernel_name(v->kernel.kernel), v->kernel.substeps,
             v->kernel.iterations);
}

// --- table ---------------------------------------------------------------------------------

static void table_head(void)
{
    printf("ms per frame: median (total also p99)\n");
    printf("%-12s %7s %3s %-7s |%9s %9s |", "kernel", "grains", "thr", "regime", "total", "p99");
    for (int p = 0; p < SOIL_PHASE_COUNT; ++p) {
        printf(" %8s", soil_phase_name((SoilPhase)p));
    }
    printf(" | %8s %7s %7s %9s %8s %s\n", "contacts", "Meval/s", "B/grain", "overlap/d", "F/weight",
           "hash");
}

static void table_row(const BenchVariant* v)
{
    char settings[32];
    settings_text(v, settings, sizeof settings);
    printf("%-12s %7d %3d %-7s |%9.3f %9.3f |", settings, v->grains, v->threads,
           bench_soil_regime_name(v->regime), MS * v->times.median[BENCH_TOTAL],
           MS * v->times.p99[BENCH_TOTAL]);
    for (int p = 0; p < SOIL_PHASE_COUNT; ++p) {
        printf(" %8.3f", MS * v->times.median[p]);
    }
    printf(" | %8" PRId64 " %7.0f %7.0f %9.5f %8.4f %016" PRIx64 "\n", v->overlap.contacts,
           1e-6 * evaluation_rate(v), bytes_per_grain(v), v->overlap.mean_d, v->force_over_weight,
           v->hash);
}

static void table_ratios(const BenchRatio* ratio, int count)
{
    if (count > 0) {
        printf("\nratios, each the median over turns that ran side by side\n");
    }
    for (int i = 0; i < count; ++i) {
        printf("%-67s %7.2f  (goal: at %s %.1f) %s\n", ratio[i].name, ratio[i].value,
               ratio[i].at_least ? "least" : "most", ratio[i].goal,
               bench_ratio_met(&ratio[i]) ? "met" : "missed");
    }
}

static void report_table(const BenchRun* run, const BenchRatio* ratio, int ratios, bool same_bits)
{
    table_head();
    for (int i = 0; i < run->count; ++i) {
        table_row(&run->variant[i]);
    }
    table_ratios(ratio, ratios);
    printf("\ninstruction set %s; bits over thread counts: %s\n", run->isa,
           same_bits ? "the same" : "DIFFERENT");
}

// --- CSV -----------------------------------------------------------------------------------

static void csv_head(void)
{
    printf("kernel,substeps,iterations,grains,threads,regime");
    for (int c = 0; c < BENCH_COLUMNS; ++c) {
        printf(",%s_median_ms,%s_p99_ms", column_name(c), column_name(c));
    }
    printf(",contacts,evaluations_per_s,bytes_per_grain,list_builds_per_frame,overlap_mean_d,"
           "overlap_max_d,force_over_weight,hash\n");
}

static void csv_row(const BenchVariant* v)
{
    printf("%s,%d,%d,%d,%d,%s", soil_kernel_name(v->kernel.kernel), v->kernel.substeps,
           v->kernel.iterations, v->grains, v->threads, bench_soil_regime_name(v->regime));
    for (int c = 0; c < BENCH_COLUMNS; ++c) {
        printf(",%.5f,%.5f", MS * v->times.median[c], MS * v->times.p99[c]);
    }
    printf(",%" PRId64 ",%.4g,%.1f,%.3f,%.6f,%.6f,%.6f,%016" PRIx64 "\n", v->overlap.contacts,
           evaluation_rate(v), bytes_per_grain(v), v->list_builds, v->overlap.mean_d,
           v->overlap.max_d, v->force_over_weight, v->hash);
}

static void report_csv(const BenchRun* run)
{
    csv_head();
    for (int i = 0; i < run->count; ++i) {
        csv_row(&run->variant[i]);
    }
}

// --- JSON ----------------------------------------------------------------------------------

static void json_times(BaseJson* json, const BenchTimes* times)
{
    base_json_begin_object(json, "ms");
    for (int c = 0; c < BENCH_COLUMNS; ++c) {
        base_json_begin_object(json, column_name(c));
        base_json_double(json, "median", MS * times->median[c]);
        base_json_double(json, "p99", MS * times->p99[c]);
        base_json_end(json);
    }
    base_json_end(json);
}

static void json_variant(BaseJson* json, const BenchVariant* v)
{
    base_json_begin_object(json, NULL);
    base_json_string(json, "kernel", soil_kernel_name(v->kernel.kernel));
    base_json_int(json, "substeps", v->kernel.substeps);
    base_json_int(json, "iterations", v->kernel.iterations);
    base_json_int(json, "grains", v->grains);
    base_json_int(json, "threads", v->threads);
    base_json_string(json, "regime", bench_soil_regime_name(v->regime));
    json_times(json, &v->times);
    base_json_int(json, "contacts", v->overlap.contacts);
    base_json_double(json, "evaluations_per_s", evaluation_rate(v));
    base_json_double(json, "bytes_per_grain", bytes_per_grain(v));
    base_json_double(json, "list_builds_per_frame", v->list_builds);
    base_json_double(json, "overlap_mean_d", v->overlap.mean_d);
    base_json_double(json, "overlap_max_d", v->overlap.max_d);
    base_json_double(json, "force_over_weight", v->force_over_weight);
    base_json_hex(json, "hash", v->hash);
    base_json_end(json);
}

static void json_ratios(BaseJson* json, const BenchRatio* ratio, int count)
{
    base_json_begin_array(json, "ratios");
    for (int i = 0; i < count; ++i) {
        base_json_begin_object(json, NULL);
        base_json_string(json, "name", ratio[i].name);
        base_json_double(json, "value", ratio[i].value);
        base_json_double(json, ratio[i].at_least ? "at_least" : "at_most", ratio[i].goal);
        base_json_bool(json, "met", bench_ratio_met(&ratio[i]));
        base_json_end(json);
    }
    base_json_end(json);
}

static bool report_json(const BenchRun* run, const BenchOptions* options, const BenchRatio* ratio,
                        int ratios, bool same_bits)
{
    BaseJson json;
    base_json_init(&json);
    base_json_begin_object(&json, NULL);
    base_json_string(&json, "bench", "soil");
    base_json_int(&json, "frames", options->frames);
    base_json_int(&json, "layers", options->layers);
    base_json_string(&json, "isa", run->isa);
    base_json_int(&json, "cores", jobs_cores());
    base_json_bool(&json, "same_bits", same_bits);
    base_json_begin_array(&json, "results");
    for (int i = 0; i < run->count; ++i) {
        json_variant(&json, &run->variant[i]);
    }
    base_json_end(&json);
    json_ratios(&json, ratio, ratios);
    base_json_end(&json);
    bool written = base_json_write(&json, stdout);
    base_json_free(&json);
    return written;
}

bool bench_report(const BenchRun* run, const BenchOptions* options, bool same_bits)
{
    BenchRatio ratio[BENCH_RATIOS_MAX];
    int ratios = bench_ratio_all(run, options, ratio);
    bool written = true;
    switch (options->format) {
    case BENCH_FORMAT_JSON: written = report_json(run, options, ratio, ratios, same_bits); break;
    case BENCH_FORMAT_CSV: report_csv(run); break;
    case BENCH_FORMAT_TABLE: report_table(run, ratio, ratios, same_bits); break;
    }
    return fflush(stdout) == 0 && written;
}
