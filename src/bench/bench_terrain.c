#include "bench/bench_terrain.h"

#include "base/base_clock.h"
#include "base/base_json.h"
#include "base/base_random.h"
#include "bench/bench_exchange.h"
#include "lab/lab_args.h"
#include "terrain/terrain.h"

#include <stdio.h>
#include <stdlib.h>

#define STILL_SIDE      1000 // columns
#define STILL_GOAL_US   20.0 // per step
#define ACTIVE_GOAL_MS  1.0  // per step of a zone of 100 x 100 columns on one thread
#define BYTES_GOAL      64.0 // per column
#define BENCH_MATERIALS 6    // as many as config/materials.yaml has
#define BENCH_VARIANTS  16
#define BENCH_SAMPLES   10000
#define EXCHANGE_ROUNDS 20

// What soil_dynamics_cpp is said to need for one update of so many columns on one thread, ms; we
// did not run it ourselves. Goal: a tenth.
#define PEER_SMALL    161 // columns along a side
#define PEER_SMALL_MS 2.7
#define PEER_LARGE    321
#define PEER_LARGE_MS 10.9

typedef struct TerrainTime {
    int side, threads, materials; // of the zone; every column holds that many soils
    int sweeps;                   // in a step
    double columns;               // worked through in a sweep: whole tiles
    double step_ms;               // median
    double column_ns;             // per column and sweep
    double update_ms;             // until every tile had its turn once
    uint64_t hash;
} TerrainTime;

static Terrain* make_ground(int side)
{
    TerrainDef def = terrain_def(side, side);
    def.material_count = BENCH_MATERIALS;
    for (int m = 0; m < BENCH_MATERIALS; ++m) {
        float repose = (float)((28 + m) * BASE_DEG);
        def.material[m] = terrain_material(1800.0f, 1500.0f, repose, 0.0f, repose);
    }
    return terrain_create(&def);
}

// Spikes on every third column: all columns slide for the first steps.
static void make_rough(Terrain* t, int side, int materials)
{
    BaseRandom random = base_random(7);
    for (int cell = 0; cell < side * side; ++cell) {
        for (int m = 0; m < materials; ++m) {
            uint32_t mg = 200000 + base_random_u32(&random) % 8000000;
            terrain_add_loose(t, cell, m, mg / (uint32_t)materials);
        }
    }
}

static double peer_ms(int side)
{
    return side == PEER_SMALL ? PEER_SMALL_MS : side == PEER_LARGE ? PEER_LARGE_MS : 0.0;
}

static double time_still(double* bytes, Jobs* jobs, int frames)
{
    static double sample[BENCH_SAMPLES];
    Terrain* t = make_ground(STILL_SIDE);
    if (!t) {
        return -1.0;
    }
    for (int cell = 0; cell < STILL_SIDE * STILL_SIDE; ++cell) {
        terrain_lay_depth(t, cell, cell % BENCH_MATERIALS, 2.0f);
    }
    while (!terrain_still(t)) {
        terrain_settle(t, jobs);
    }
    for (int k = 0; k < frames; ++k) {
        double start = base_seconds();
        terrain_settle(t, jobs);
        sample[k] = base_seconds() - start;
    }
    *bytes = (double)terrain_bytes(t) / (STILL_SIDE * (double)STILL_SIDE);
    terrain_destroy(t);
    return 1e6 * base_median(sample, frames);
}

// The same few steps from the same rough start, again and again.
static bool time_active(TerrainTime* out, int frames)
{
    static double sample[BENCH_SAMPLES];
    const int steps = 8;
    Jobs* jobs = jobs_create(out->threads);
    Terrain* t = make_ground(out->side);
    void* start = t ? malloc(terrain_snapshot_size(t)) : NULL;
    bool fine = jobs && start;
    int count = 0;
    if (fine) {
        make_rough(t, out->side, out->materials);
        terrain_snapshot_save(t, start);
    }
    while (fine && count < frames) {
        fine = terrain_snapshot_load(t, start, terrain_snapshot_size(t));
        for (int k = 0; k < steps && count < frames; ++k) {
            double begin = base_seconds();
            terrain_settle(t, jobs);
            sample[count++] = base_seconds() - begin;
            out->sweeps = base_maxi(1, terrain_stats(t)->sweeps);
            out->columns = (double)terrain_stats(t)->columns / out->sweeps;
        }
        out->hash = terrain_hash(t);
    }
    if (fine) {
        out->step_ms = 1e3 * base_median(sample, count);
        out->column_ns = 1e6 * out->step_ms / (out->columns * out->sweeps);
        // a large zone has more tiles than a sweep takes at once
        int tiles = (out->side + TERRAIN_TILE - 1) / TERRAIN_TILE;
        out->update_ms = 1e-6 * out->column_ns * tiles * tiles * TERRAIN_TILE * TERRAIN_TILE;
    }
    free(start);
    terrain_destroy(t);
    jobs_destroy(jobs);
    return fine;
}

static void print_table(const TerrainTime* v, int count, double still_us, double bytes,
                        const BenchExchange* exchange)
{
    printf("still site, %d x %d columns: %.2f us per step (goal %.0f), %.1f bytes per column (goal "
           "%.0f)\n\n",
           STILL_SIDE, STILL_SIDE, still_us, STILL_GOAL_US, bytes, BYTES_GOAL);
    printf("  %-12s %8s %6s %7s %10s %10s %16s %10s\n", "sliding zone", "threads", "soils",
           "sweeps", "step ms", "update ms", "ns/column sweep", "peer ms");
    for (int k = 0; k < count; ++k) {
        char zone[24], peer[16] = "";
        snprintf(zone, sizeof zone, "%d x %d", v[k].side, v[k].side);
        if (peer_ms(v[k].side) > 0.0) {
            snprintf(peer, sizeof peer, "%.1f", peer_ms(v[k].side));
        }
        printf("  %-12s %8d %6d %7d %10.3f %10.3f %16.1f %10s\n", zone, v[k].threads,
               v[k].materials, v[k].sweeps, v[k].step_ms, v[k].update_ms, v[k].column_ns, peer);
    }
    printf("\ngoals: 100 x 100 on one thread under %.0f ms per step; an update in a tenth of the "
           "peer's\n\n",
           ACTIVE_GOAL_MS);
    printf("  %d grains out of the ground in one step %.3f ms, into it %.3f ms (goal %.0f)\n",
           exchange->grains, exchange->dig_ms, exchange->settle_ms, BENCH_EXCHANGE_GOAL_MS);
    printf("  coupling on the still site %.2f us per step\n", exchange->still_us);
}

static bool print_json(const TerrainTime* v, int count, double still_us, double bytes,
                       const BenchExchange* exchange, bool same)
{
    BaseJson json;
    base_json_init(&json);
    base_json_begin_object(&json, NULL);
    base_json_string(&json, "bench", "terrain");
    base_json_int(&json, "still_columns", STILL_SIDE * STILL_SIDE);
    base_json_double(&json, "still_step_us", still_us);
    base_json_double(&json, "bytes_per_column", bytes);
    base_json_begin_array(&json, "active");
    for (int k = 0; k < count; ++k) {
        base_json_begin_object(&json, NULL);
        base_json_int(&json, "columns", (int64_t)v[k].side * v[k].side);
        base_json_int(&json, "threads", v[k].threads);
        base_json_int(&json, "soils", v[k].materials);
        base_json_int(&json, "sweeps_per_step", v[k].sweeps);
        base_json_double(&json, "step_ms", v[k].step_ms);
        base_json_double(&json, "sweep_ms", v[k].step_ms / v[k].sweeps);
        base_json_double(&json, "update_ms", v[k].update_ms);
        if (peer_ms(v[k].side) > 0.0) {
            base_json_double(&json, "peer_update_ms", peer_ms(v[k].side));
            base_json_double(&json, "times_faster", peer_ms(v[k].side) / v[k].update_ms);
        }
        base_json_double(&json, "ns_per_column_sweep", v[k].column_ns);
        base_json_hex(&json, "hash", v[k].hash);
        base_json_end(&json);
    }
    base_json_end(&json);
    base_json_begin_object(&json, "exchange");
    base_json_int(&json, "grains", exchange->grains);
    base_json_double(&json, "ground_to_grains_ms", exchange->dig_ms);
    base_json_double(&json, "grains_to_ground_ms", exchange->settle_ms);
    base_json_double(&json, "still_step_us", exchange->still_us);
    base_json_end(&json);
    base_json_bool(&json, "same_bits", same);
    base_json_end(&json);
    bool fine = base_json_write(&json, stdout);
    base_json_free(&json);
    return fine;
}

static int measure(int frames, bool as_json)
{
    static const int zone[][2] = {{100, 1}, {100, 3}, {161, 1}, {321, 1}}; // side, soils
    TerrainTime v[BENCH_VARIANTS] = {0};
    int count = 0;
    bool fine = true, same = true;
    Jobs* jobs = jobs_create(1);
    double bytes = 0.0, still_us = jobs ? time_still(&bytes, jobs, frames) : -1.0;
    jobs_destroy(jobs);
    for (size_t z = 0; z < sizeof zone / sizeof *zone; ++z) {
        for (int threads = 1; threads <= 2 && fine; ++threads) {
            v[count] =
                (TerrainTime){.side = zone[z][0], .threads = threads, .materials = zone[z][1]};
            fine = time_active(&v[count++], frames);
        }
        same = same && fine && v[count - 1].hash == v[count - 2].hash;
    }
    BenchExchange exchange;
    fine = fine && bench_exchange_time(&exchange, base_mini(frames, EXCHANGE_ROUNDS));
    if (!fine || still_us < 0.0) {
        fprintf(stderr, "bench: out of memory\n");
        return LAB_EXIT_MEMORY;
    }
    if (!as_json) {
        print_table(v, count, still_us, bytes, &exchange);
    } else if (!print_json(v, count, still_us, bytes, &exchange, same)) {
        return LAB_EXIT_FILE;
    }
    return same ? LAB_EXIT_FINE : LAB_EXIT_FAILED;
}

int bench_terrain_main(int argc, char** argv)
{
    int frames = 200;
    bool json = false, help = false;
    const LabArg args[] = {
        {"--frames", LAB_ARG_INT, &frames, 1, BENCH_SAMPLES, .help = "timed steps per variant"},
        {"--json", LAB_ARG_FLAG, &json, .help = "one JSON object on stdout"},
        {"--help", LAB_ARG_FLAG, &help, .help = "this text"},
        {NULL, LAB_ARG_FLAG, NULL, .help = NULL},
    };
    if (!lab_args_parse(args, argc - 1, argv + 1)) {
        return LAB_EXIT_USAGE;
    }
    if (help) {
        printf(
            "usage: mattock bench terrain [options]\n\n"
            "Times a still site, zones in which every column slides, on 1 and 2 threads, and the\n"
            "exchange of 1,000 grains between ground and air.\n\n");
        lab_args_help(args);
        return LAB_EXIT_FINE;
    }
    return measure(frames, json);
}
