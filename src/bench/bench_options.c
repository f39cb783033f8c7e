#include "bench/bench_options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

// The paper works with 5 to 10 iterations; its Gauss-Seidel yardstick needs 40 for a stiff pile.
#define BENCH_P2_ITERATIONS 10
#define BENCH_GS_ITERATIONS 40

static const char* const USAGE =
    "usage: mattock bench soil [--grains LIST] [--threads LIST] [--kernels LIST] [--iterations N]\n"
    "                          [--substeps N] [--layers N] [--frames N] [--isa NAME]\n"
    "                          [--save-bed FILE] [--json | --csv]\n"
    "       mattock bench terrain [--frames N] [--json]\n"
    "       mattock bench machine [--frames N] [--vehicle FILE] [--json]\n"
    "       mattock bench growth [--steps N] [--grains N] [--json]\n"
    "       mattock bench --compare LIST      2,000 and 10,000 grains, these kernels\n"
    "\n"
    "  --grains LIST      64..400000, default 2000,10000,50000\n"
    "  --threads LIST     1..64, default 1,2\n"
    "  --kernels LIST     split, p2, gs, or with settings: split:8x1 is 8 substeps x 1 iteration;\n"
    "                     default split, p2, and gs with the first of the grain counts\n"
    "  --iterations N     1..1000, for every kernel; default: split's own, p2 10, gs 40\n"
    "  --substeps N       1..100, for every kernel; default: split's own, p2 1, gs 1\n"
    "  --layers N         4..100 diameters deep, default as deep as wide\n"
    "  --frames N         1..100000 timed frames per variant, default 64\n"
    "  --isa NAME         sse2 or avx2, default the best there is\n"
    "  --save-bed FILE    write the settled bed of the first grain count and stop\n"
    "  --json             one object on stdout\n"
    "  --csv              one line per variant on stdout\n"
    "\n"
    "A bed of equal spheres is poured into a box and settled; variants are then timed in turns,\n"
    "because a shared machine swings by 30 %: trust the ratios of one run, not its milliseconds.\n"
    "Regime `rest` may keep its neighbour list, `rebuilt` makes a new one in every frame.\n";

const char* bench_options_usage(void)
{
    return USAGE;
}

// --- words ---------------------------------------------------------------------------------

static bool parse_int(const char* text, size_t length, int min, int max, int* out)
{
    char digits[12];
    if (length == 0 || length >= sizeof digits) {
        return false;
    }
    memcpy(digits, text, length);
    digits[length] = '\0';
    char* end;
    errno = 0;
    long value = strtol(digits, &end, 10);
    if (*end || errno || digits[0] < '0' || digits[0] > '9' || value < min || value > max) {
        return false;
    }
    *out = (int)value;
    return true;
}

static bool complain_int(const char* option, const char* word, size_t length, int min, int max)
{
    fprintf(stderr, "bench: %s cannot be \"%.*s\"; allowed: whole numbers from %d to %d\n", option,
            (int)length, word, min, max);
    return false;
}

// "12,4,7" into out[]; false after a sentence.
static bool parse_ints(const char* option, const char* text, int min, int max, int* out, int* count)
{
    *count = 0;
    for (const char* word = text;;) {
        size_t length = strcspn(word, ",");
        if (*count == BENCH_LIST_MAX) {
            fprintf(stderr, "bench: %s takes at most %d numbers\n", option, BENCH_LIST_MAX);
            return false;
        }
        if (!parse_int(word, length, min, max, &out[*count])) {
            return complain_int(option, word, length, min, max);
        }
        ++*count;
        if (!word[length]) {
            return true;
        }
        word += length + 1;
    }
}

// --- kernels -------------------------------------------------------------------------------

static BenchKernel kernel_defaults(SoilKernel kernel)
{
    SoilDef def = soil_def(kernel, 1, 1.0f);
    switch (kernel) {
    case SOIL_KERNEL_P2: return (BenchKernel){kernel, 1, BENCH_P2_ITERATIONS, false};
    case SOIL_KERNEL_GS: return (BenchKernel){kernel, 1, BENCH_GS_ITERATIONS, false};
    default: return (BenchKernel){kernel, def.substeps, def.iterations, false};
    }
}

// "8x1": substeps x iterations.
static bool parse_settings(const char* text, size_t length, BenchKernel* kernel)
{
    size_t cross = strcspn(text, "x");
    return cross < length && parse_int(text, cross, 1, 100, &kernel->substeps) &&
           parse_int(text + cross + 1, length - cross - 1, 1, 1000, &kernel->iterations);
}

static bool parse_kernel(const char* word, size_t length, BenchKernel* out)
{
    char name[16];
    size_t colon = strcspn(word, ":,");
    SoilKernel kernel;
    if (colon >= sizeof name) {
        return false;
    }
    memcpy(name, word, colon);
    name[colon] = '\0';
    if (!soil_kernel_from_name(name, &kernel)) {
        return false;
    }
    *out = kernel_defaults(kernel);
    return colon == length || parse_settings(word + colon + 1, length - colon - 1, out);
}

static bool complain_kernel(const char* word, size_t length)
{
    fprintf(stderr, "bench: unknown kernel \"%.*s\"; allowed:", (int)length, word);
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        fprintf(stderr, " %s,", soil_kernel_name((SoilKernel)k));
    }
    fprintf(stderr, " each also with its settings, as in p2:1x10 (substeps 1..100 x iterations"
                    " 1..1000)\n");
    return false;
}

static bool parse_kernels(BenchOptions* options, const char* text)
{
    options->kernels_count = 0;
    for (const char* word = text;;) {
        size_t length = strcspn(word, ",");
        if (options->kernels_count == BENCH_LIST_MAX) {
            fprintf(stderr, "bench: --kernels takes at most %d kernels\n", BENCH_LIST_MAX);
            return false;
        }
        if (!parse_kernel(word, length, &options->kernels[options->kernels_count])) {
            return complain_kernel(word, length);
        }
        ++options->kernels_count;
        if (!word[length]) {
            return true;
        }
        word += length + 1;
    }
}

// --- the line ------------------------------------------------------------------------------

// --iterations and --substeps hold for every kernel, wherever they stand on the line.
typedef struct Overrides {
    int substeps, iterations; // 0: not given
} Overrides;

static bool parse_isa(BenchOptions* options, const char* name)
{
    options->isa = name;
    if (!strcmp(name, "sse2") || !strcmp(name, "avx2")) {
        return true;
    }
    fprintf(stderr, "bench: unknown instruction set \"%s\"; allowed: sse2, avx2\n", name);
    return false;
}

static bool parse_one(const char* option, const char* text, int min, int max, int* out)
{
    return parse_int(text, strlen(text), min, max, out) ||
           complain_int(option, text, strlen(text), min, max);
}

// One of the options that is_valued() knows.
static bool parse_valued(BenchOptions* options, Overrides* over, const char* option,
                         const char* value)
{
    if (!strcmp(option, "--grains")) {
        return parse_ints(option, value, BENCH_GRAINS_MIN, BENCH_GRAINS_MAX, options->grains,
                          &options->grains_count);
    }
    if (!strcmp(option, "--threads")) {
        return parse_ints(option, value, 1, JOBS_WORKERS_MAX, options->threads,
                          &options->threads_count);
    }
    if (!strcmp(option, "--kernels") || !strcmp(option, "--compare")) {
        return parse_kernels(options, value);
    }
    if (!strcmp(option, "--iterations")) {
        return parse_one(option, value, 1, 1000, &over->iterations);
    }
    if (!strcmp(option, "--substeps")) {
        return parse_one(option, value, 1, 100, &over->substeps);
    }
    if (!strcmp(option, "--layers")) {
        return parse_one(option, value, 4, BENCH_LAYERS_MAX, &options->layers);
    }
    if (!strcmp(option, "--frames")) {
        return parse_one(option, value, 1, BENCH_FRAMES_MAX, &options->frames);
    }
    if (!strcmp(option, "--isa")) {
        return parse_isa(options, value);
    }
    options->save_bed = value;
    return true;
}

static bool parse_flag(BenchOptions* options, const char* option)
{
    if (!strcmp(option, "--json")) {
        options->format = BENCH_FORMAT_JSON;
    } else if (!strcmp(option, "--csv")) {
        options->format = BENCH_FORMAT_CSV;
    } else if (!strcmp(option, "--help") || !strcmp(option, "-h")) {
        options->help = true;
    } else {
        return false;
    }
    return true;
}

static bool is_valued(const char* option)
{
    static const char* const valued[] = {"--grains",     "--threads",  "--kernels", "--compare",
                                         "--iterations", "--substeps", "--frames",  "--isa",
                                         "--save-bed",   "--layers"};
    for (size_t i = 0; i < sizeof valued / sizeof *valued; ++i) {
        if (!strcmp(option, valued[i])) {
            return true;
        }
    }
    return false;
}

static bool complain_option(const char* option)
{
    fprintf(stderr,
            "bench: unknown option \"%s\"; allowed: --grains --threads --kernels --compare "
            "--iterations --substeps --layers --frames --isa --save-bed --json --csv --help\n",
            option);
    return false;
}

static void set_defaults(BenchOptions* options, bool compare)
{
    *options = (BenchOptions){
        .grains = {2000, 10000, 50000},
        .grains_count = compare ? 2 : 3,
        .threads = {1, 2},
        .threads_count = 2,
        .kernels_count = SOIL_KERNEL_COUNT,
        .frames = 64,
    };
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        options->kernels[k] = kernel_defaults((SoilKernel)k);
    }
    options->kernels[SOIL_KERNEL_GS].first_only = true;
}

static void apply(BenchOptions* options, Overrides over)
{
    for (int k = 0; k < options->kernels_count; ++k) {
        BenchKernel* kernel = &options->kernels[k];
        kernel->substeps = over.substeps ? over.substeps : kernel->substeps;
        kernel->iterations = over.iterations ? over.iterations : kernel->iterations;
    }
}

bool bench_options_parse(BenchOptions* options, int argc, char** argv)
{
    bool compare = argc > 0 && !strcmp(argv[0], "--compare");
    set_defaults(options, compare);
    if (argc > 0 && argv[0][0] != '-' && strcmp(argv[0], "soil") != 0) {
        fprintf(stderr, "bench: nothing called \"%s\" can be timed; allowed: soil, terrain\n",
                argv[0]);
        return false;
    }
    Overrides over = {0};
    for (int i = argc > 0 && argv[0][0] != '-'; i < argc; ++i) {
        if (parse_flag(options, argv[i])) {
            continue;
        }
        if (!is_valued(argv[i])) {
            return complain_option(argv[i]);
        }
        if (i + 1 == argc) {
            fprintf(stderr, "bench: %s needs a value; see mattock bench --help\n", argv[i]);
            return false;
        }
        if (!parse_valued(options, &over, argv[i], argv[i + 1])) {
            return false;
        }
        ++i;
    }
    apply(options, over);
    return true;
}
