#include "bench/bench.h"

#include "bench/bench_bed.h"
#include "bench/bench_growth.h"
#include "bench/bench_machine.h"
#include "bench/bench_report.h"
#include "bench/bench_terrain.h"

#include <stdio.h>
#include <string.h>

enum { EXIT_FINE = 0, EXIT_DIFFERENT = 1, EXIT_USAGE = 2, EXIT_MEMORY = 4, EXIT_FILE = 5 };

static bool isa_there(const char* name)
{
    SoilDef def = soil_def(SOIL_KERNEL_SPLIT, 1, 1.0f);
    Soil* soil = soil_create(&def);
    bool there = soil && soil_use_isa(soil, name);
    soil_destroy(soil);
    return there;
}

static int save_bed(const BenchOptions* options)
{
    Jobs* jobs = jobs_create(options->threads[options->threads_count - 1]);
    Soil* bed = jobs ? bench_bed_pour(options->grains[0], options->layers, jobs) : NULL;
    int status = EXIT_MEMORY;
    if (bed && bench_bed_save(bed, options->save_bed)) {
        status = EXIT_FINE;
    } else if (bed) {
        fprintf(stderr, "bench: cannot write %s\n", options->save_bed);
        status = EXIT_FILE;
    } else {
        fprintf(stderr, "bench: out of memory\n");
    }
    soil_destroy(bed);
    jobs_destroy(jobs);
    return status;
}

static int time_soil(const BenchOptions* options)
{
    BenchRun run;
    if (!bench_soil_run(&run, options)) {
        bench_soil_free(&run);
        return EXIT_MEMORY;
    }
    bool same_bits = bench_soil_same_bits(&run);
    bool written = bench_report(&run, options, same_bits);
    bench_soil_free(&run);
    return !written ? EXIT_FILE : same_bits ? EXIT_FINE : EXIT_DIFFERENT;
}

int bench_main(int argc, char** argv)
{
    BenchOptions options;
    if (argc > 1 && strcmp(argv[1], "terrain") == 0) {
        return bench_terrain_main(argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "machine") == 0) {
        return bench_machine_main(argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "growth") == 0) {
        return bench_growth_main(argc - 1, argv + 1);
    }
    if (!bench_options_parse(&options, argc - 1, argv + 1)) {
        return EXIT_USAGE;
    }
    if (options.help) {
        fputs(bench_options_usage(), stdout);
        return EXIT_FINE;
    }
    if (options.isa && !isa_there(options.isa)) {
        fprintf(stderr, "bench: this CPU has no %s; allowed: sse2\n", options.isa);
        return EXIT_USAGE;
    }
    return options.save_bed ? save_bed(&options) : time_soil(&options);
}
