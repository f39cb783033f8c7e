#include "bench/bench_growth.h"

#include "base/base_clock.h"
#include "base/base_json.h"
#include "base/base_path.h"
#include "base/base_random.h"
#include "lab/lab_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROWTH_PATH   4096
#define GROWTH_FILES  5
#define GROWTH_POOL   16000
#define GROWTH_BIRTHS 600
#define GROWTH_RADIUS 0.04f // m
#define GROWTH_PITCH  0.09f // m between grains in the air
#define GROWTH_LAYERS 10
#define GROWTH_STEPS  1200
#define GROWTH_POUR   90 // steps: it falls, and most of it still moves

typedef struct GrowthCost {
    double seconds; // of processor time
    double phase[WORLD_PHASE_COUNT];
    int64_t grains, contacts; // summed over the steps
} GrowthCost;

// Two worlds that differ in one thing.
typedef struct GrowthPair {
    const char* name[2];
    GrowthCost cost[2];
    double goal; // most that cost[1] may be of cost[0]
} GrowthPair;

static bool files(const char* const names[GROWTH_FILES], char path[GROWTH_FILES][GROWTH_PATH])
{
    for (int k = 0; k < GROWTH_FILES; ++k) {
        if (!base_path_find(names[k], path[k], GROWTH_PATH)) {
            fprintf(stderr, "bench: %s was not found beside the program\n", names[k]);
            return false;
        }
    }
    return true;
}

static const char* const common[GROWTH_FILES] = {
    "config/sites/loam.yaml", "config/materials.yaml", "config/calibration.yaml",
    "vehicles/excavator_22t.yaml", "vehicles/truck_24t.yaml"};

static void complain(const BaseYamlError* error)
{
    fprintf(stderr, "bench: %s\n", error->text[0] ? error->text : "out of memory");
}

Sim* bench_growth_dig(bool wide)
{
    char path[GROWTH_FILES][GROWTH_PATH];
    const char* names[GROWTH_FILES];
    memcpy(names, common, sizeof names);
    names[0] = wide ? "config/lab/ground_loam_wide.yaml" : names[0];
    if (!files(names, path)) {
        return NULL;
    }
    SimDef def = {.site = path[0],
                  .materials = path[1],
                  .calibration = path[2],
                  .vehicle = path[3],
                  .truck = path[4],
                  .kind = OPERATOR_EXPERT,
                  .program = OPERATOR_TRUCK,
                  .depth = 1.5f,
                  .place = {-4.0f, 0.0f, 0.0f},
                  .radius = GROWTH_RADIUS,
                  .pool = GROWTH_POOL,
                  .births = GROWTH_BIRTHS,
                  .threads = 1,
                  .seconds = 1e6,
                  .seed = 1};
    BaseYamlError error;
    Sim* sim = sim_create(&def, &error);
    if (!sim) {
        complain(&error);
    }
    return sim;
}

// As deep whatever their number: a block of ten layers, so wide that they fit, a metre above ground.
static void pour(World* world, int grains)
{
    int across = 1;
    while (across * across * GROWTH_LAYERS < grains) {
        ++across;
    }
    BaseRandom random = base_random(11);
    float ground = terrain_height(world_terrain(world), 0.0f, 0.0f) + 1.0f;
    for (int i = 0; i < grains; ++i) {
        Vec3 at =
            vec3((float)(i % across), (float)(i / (across * across)), (float)(i / across % across));
        at = vec3_mul(at, GROWTH_PITCH);
        at.x += 2.0f + base_random_range(&random, 0.0f, 0.01f);
        at.z += base_random_range(&random, 0.0f, 0.01f) - 0.5f * GROWTH_PITCH * (float)across;
        at.y += ground;
        coupling_pour(world_coupling(world), at, vec3(0.0f, -2.0f, 0.0f), 0);
    }
}

World* bench_growth_pour(int grains)
{
    char path[GROWTH_FILES][GROWTH_PATH];
    if (!files(common, path)) {
        return NULL;
    }
    WorldDef def = {.site = path[0],
                    .materials = path[1],
                    .calibration = path[2],
                    .radius = GROWTH_RADIUS,
                    .pool = GROWTH_POOL,
                    .births = GROWTH_BIRTHS,
                    .machine = {{path[3], -10.0f, 0.0f, 0.0f}},
                    .machine_count = 1};
    BaseYamlError error;
    World* world = world_create(&def, 1, &error);
    if (!world) {
        complain(&error);
        return NULL;
    }
    // the machine finds its stand and the faces of the site are looked at once
    const InputFrame idle = {0};
    for (int n = 0; n < WORLD_RATE; ++n) {
        world_step(world, &idle);
    }
    pour(world, grains);
    return world;
}

// --- in turns ------------------------------------------------------------------------------------

static void add(GrowthCost* cost, const World* world, double seconds)
{
    const WorldProfile* p = world_profile(world);
    cost->seconds += seconds;
    cost->grains += p->grains;
    cost->contacts += p->contacts;
    for (int k = 0; k < WORLD_PHASE_COUNT; ++k) {
        cost->phase[k] += p->seconds[k];
    }
}

// Which one goes first alternates: what lies in the caches is no advantage of one of them.
static bool time_site(GrowthPair* out, int steps)
{
    *out = (GrowthPair){.name = {"standard dig, 40 x 40 m", "standard dig, 80 x 80 m"},
                        .goal = BENCH_GROWTH_SITE_GOAL};
    Sim* sim[2] = {bench_growth_dig(false), NULL};
    sim[1] = sim[0] ? bench_growth_dig(true) : NULL;
    // the first second looks at every face of the site once
    for (int n = 0; sim[1] && n < steps + WORLD_RATE; ++n) {
        for (int k = 0; k < 2; ++k) {
            int which = (n + k) & 1;
            double start = base_seconds_thread();
            sim_step(sim[which]);
            if (n >= WORLD_RATE) {
                add(&out->cost[which], sim_world(sim[which]), base_seconds_thread() - start);
            }
        }
    }
    bool fine = sim[1] && sim_sound(sim[0]) && sim_sound(sim[1]);
    sim_destroy(sim[0]);
    sim_destroy(sim[1]);
    return fine;
}

static bool time_grains(GrowthPair* out, int grains)
{
    *out = (GrowthPair){.name = {"grains poured", "twice as many, as deep"},
                        .goal = BENCH_GROWTH_GRAINS_GOAL};
    const InputFrame idle = {0};
    World* world[2] = {bench_growth_pour(grains), NULL};
    world[1] = world[0] ? bench_growth_pour(2 * grains) : NULL;
    for (int n = 0; world[1] && n < GROWTH_POUR; ++n) {
        for (int k = 0; k < 2; ++k) {
            int which = (n + k) & 1;
            double start = base_seconds_thread();
            world_step(world[which], &idle);
            add(&out->cost[which], world[which], base_seconds_thread() - start);
        }
    }
    bool fine = world[1] && world_audit(world[0]) && world_audit(world[1]);
    world_destroy(world[0]);
    world_destroy(world[1]);
    return fine;
}

// --- on paper ------------------------------------------------------------------------------------

static double ratio(double a, double b)
{
    return a > 0.0 ? b / a : 0.0;
}

static bool met(const GrowthPair* p)
{
    return ratio(p->cost[0].seconds, p->cost[1].seconds) <= p->goal;
}

static void print_pair(const GrowthPair* p, int steps)
{
    printf("  %-26s %9s %10s %10s\n", "", "ms/step", "grains", "contacts");
    for (int k = 0; k < 2; ++k) {
        const GrowthCost* c = &p->cost[k];
        printf("  %-26s %9.3f %10.0f %10.0f\n", p->name[k], 1e3 * c->seconds / steps,
               (double)c->grains / steps, (double)c->contacts / steps);
    }
    printf("  %-26s %9.3f %10.3f %10.3f   goal <= %.2f: %s\n", "ratio",
           ratio(p->cost[0].seconds, p->cost[1].seconds),
           ratio((double)p->cost[0].grains, (double)p->cost[1].grains),
           ratio((double)p->cost[0].contacts, (double)p->cost[1].contacts), p->goal,
           met(p) ? "met" : "missed");
    printf("  ms per step by phase:");
    for (int k = 0; k < WORLD_PHASE_COUNT; ++k) {
        printf(" %s %.3f/%.3f", world_phase_name((WorldPhase)k), 1e3 * p->cost[0].phase[k] / steps,
               1e3 * p->cost[1].phase[k] / steps);
    }
    printf("\n\n");
}

static void put_pair(BaseJson* json, const char* name, const GrowthPair* p, int steps)
{
    base_json_begin_object(json, name);
    base_json_begin_array(json, "worlds");
    for (int k = 0; k < 2; ++k) {
        base_json_begin_object(json, NULL);
        base_json_string(json, "world", p->name[k]);
        base_json_double(json, "step_ms", 1e3 * p->cost[k].seconds / steps);
        base_json_double(json, "grains", (double)p->cost[k].grains / steps);
        base_json_double(json, "contacts", (double)p->cost[k].contacts / steps);
        base_json_begin_object(json, "phase_ms");
        for (int n = 0; n < WORLD_PHASE_COUNT; ++n) {
            base_json_double(json, world_phase_name((WorldPhase)n),
                             1e3 * p->cost[k].phase[n] / steps);
        }
        base_json_end(json);
        base_json_end(json);
    }
    base_json_end(json);
    base_json_double(json, "ratio", ratio(p->cost[0].seconds, p->cost[1].seconds));
    base_json_double(json, "goal", p->goal);
    base_json_end(json);
}

static bool print_json(const GrowthPair* site, const GrowthPair* grains, int steps)
{
    BaseJson json;
    base_json_init(&json);
    base_json_begin_object(&json, NULL);
    base_json_string(&json, "bench", "growth");
    put_pair(&json, "site", site, steps);
    put_pair(&json, "grains", grains, GROWTH_POUR);
    base_json_end(&json);
    bool fine = base_json_write(&json, stdout);
    base_json_free(&json);
    return fine;
}

int bench_growth_main(int argc, char** argv)
{
    int steps = GROWTH_STEPS, grains = BENCH_GROWTH_GRAINS;
    bool json = false, help = false;
    const LabArg args[] = {
        {"--steps", LAB_ARG_INT, &steps, 60, 100000, .help = "of the dig; default 1200, 20 s"},
        {"--grains", LAB_ARG_INT, &grains, 100, GROWTH_POOL / 2,
         .help = "poured, beside twice as many; default 4000"},
        {"--json", LAB_ARG_FLAG, &json, .help = "one JSON object on stdout"},
        {"--help", LAB_ARG_FLAG, &help, .help = "this text"},
        {NULL, LAB_ARG_FLAG, NULL, .help = NULL},
    };
    if (!lab_args_parse(args, argc - 1, argv + 1)) {
        return LAB_EXIT_USAGE;
    }
    if (help) {
        printf(
            "usage: mattock bench growth [options]\n\n"
            "What twice the grains and a site four times as large cost, in processor time of one\n"
            "run in which all worlds take turns.\n\n");
        lab_args_help(args);
        return LAB_EXIT_FINE;
    }
    GrowthPair site, poured;
    if (!time_site(&site, steps) || !time_grains(&poured, grains)) {
        return LAB_EXIT_MEMORY;
    }
    if (json) {
        return print_json(&site, &poured, steps) ? LAB_EXIT_FINE : LAB_EXIT_FILE;
    }
    print_pair(&site, steps);
    print_pair(&poured, GROWTH_POUR);
    return LAB_EXIT_FINE;
}
