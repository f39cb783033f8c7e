#include "bench/bench_machine.h"

#include "base/base_clock.h"
#include "base/base_json.h"
#include "base/base_path.h"
#include "lab/lab_args.h"
#include "lab/lab_machine_scene.h"

#include <stdio.h>
#include <stdlib.h>

#define BENCH_ARENA    (64u << 20)
#define BENCH_SAMPLES  20000
#define BENCH_MACHINES 4
#define BENCH_STEPS    4    // of a machine in a frame
#define BENCH_OUTER    12   // rows from outside while it works: a tool in the ground
#define STEP_GOAL_US   50.0 // a step with all rows
#define SITE_GOAL_MS   1.0  // four machines in a frame

typedef struct MachineTime {
    const char* name;
    double step_us, worst_us; // median and 99th of a hundred
    double rows, iterations;  // mean
    uint64_t hash;
} MachineTime;

// What digging does: rows on the edge of the tool against its motion, each with friction.
static void dig(Machine* m)
{
    const MachineDef* def = machine_definition(m);
    const MachineTool* tool = &def->tools[0];
    for (int i = 0; i < BENCH_OUTER / 2 && def->tool_count > 0; ++i) {
        float part = ((float)i + 0.5f) / (0.5f * BENCH_OUTER);
        Vec3 local = vec3_add(vec3_mul(tool->edge_a, 1.0f - part), vec3_mul(tool->edge_b, part));
        Vec3 point = machine_to_world(m, tool->body, local);
        MachineRow against = {.body = tool->body,
                              .point = point,
                              .direction = {-0.8f, 0.6f, 0.0f},
                              .hi = 40.0,
                              .limiter = -1};
        int first = machine_add_row(m, &against);
        MachineRow side = {.body = tool->body,
                           .point = point,
                           .direction = {0.0f, 0.0f, 1.0f},
                           .limiter = first,
                           .friction = 0.4};
        (void)machine_add_row(m, &side);
    }
}

static void frame(Machine* m, int k, bool works)
{
    MachineGround ground = lab_machine_hills();
    if (works)
        lab_machine_act(m, k / 60.0);
    for (int i = 0; i < BENCH_STEPS; ++i) {
        if (works)
            dig(m);
        machine_step(m, &ground, 1.0 / (60.0 * BENCH_STEPS));
    }
}

static bool time_one(MachineTime* out, const MachineDef* def, bool works, int frames)
{
    static double sample[BENCH_SAMPLES];
    Machine* m = machine_create(def);
    if (!m)
        return false;
    machine_place(m, vec3(0.0f, 0.4f, 0.0f), 0.3f);
    *out = (MachineTime){.name = works ? "at work, all rows" : "at rest"};
    for (int k = 0; k < 120; ++k)
        frame(m, k, works);
    for (int k = 0; k < frames; ++k) {
        double start = base_seconds();
        frame(m, 120 + k, works);
        sample[k] = 1e6 * (base_seconds() - start) / BENCH_STEPS;
        MachineStats stats = machine_stats(m);
        out->rows += (double)stats.rows / frames;
        out->iterations += (double)stats.iterations / frames;
    }
    base_sort(sample, frames);
    out->step_us = base_quantile(sample, frames, 0.5);
    out->worst_us = base_quantile(sample, frames, 0.99);
    out->hash = machine_hash(m);
    machine_destroy(m);
    return true;
}

// ms of a frame in which four machines work, one after the other.
static double time_site(const MachineDef* def, int frames)
{
    static double sample[BENCH_SAMPLES];
    Machine* m[BENCH_MACHINES] = {NULL};
    bool fine = true;
    for (int i = 0; i < BENCH_MACHINES; ++i) {
        m[i] = machine_create(def);
        fine = fine && m[i];
        if (m[i])
            machine_place(m[i], vec3(9.0f * (float)i, 1.0f, 2.0f), 0.5f * (float)i);
    }
    for (int k = 0; fine && k < frames; ++k) {
        double start = base_seconds();
        for (int i = 0; i < BENCH_MACHINES; ++i)
            frame(m[i], k, true);
        sample[k] = 1e3 * (base_seconds() - start);
    }
    for (int i = 0; i < BENCH_MACHINES; ++i)
        machine_destroy(m[i]);
    base_sort(sample, frames);
    return fine ? base_quantile(sample, frames, 0.5) : -1.0;
}

static void print_table(const MachineTime* v, int count, double site_ms)
{
    printf("  %-20s %9s %9s %7s %12s\n", "one machine", "step us", "99 % us", "rows",
           "Newton steps");
    for (int k = 0; k < count; ++k)
        printf("  %-20s %9.1f %9.1f %7.1f %12.1f\n", v[k].name, v[k].step_us, v[k].worst_us,
               v[k].rows, v[k].iterations);
    printf("\n  four machines at work: %.2f ms of a frame (goal %.0f); a step: goal %.0f us\n",
           site_ms, SITE_GOAL_MS, STEP_GOAL_US);
}

static bool print_json(const MachineTime* v, int count, const MachineDef* def, double site_ms)
{
    BaseJson json;
    base_json_init(&json);
    base_json_begin_object(&json, NULL);
    base_json_string(&json, "bench", "machine");
    base_json_string(&json, "machine", def->title);
    base_json_begin_array(&json, "steps");
    for (int k = 0; k < count; ++k) {
        base_json_begin_object(&json, NULL);
        base_json_string(&json, "scene", v[k].name);
        base_json_double(&json, "step_us", v[k].step_us);
        base_json_double(&json, "step_us_99", v[k].worst_us);
        base_json_double(&json, "rows", v[k].rows);
        base_json_double(&json, "newton_steps", v[k].iterations);
        base_json_hex(&json, "hash", v[k].hash);
        base_json_end(&json);
    }
    base_json_end(&json);
    base_json_double(&json, "step_goal_us", STEP_GOAL_US);
    base_json_double(&json, "four_machines_frame_ms", site_ms);
    base_json_double(&json, "frame_goal_ms", SITE_GOAL_MS);
    base_json_end(&json);
    bool fine = base_json_write(&json, stdout);
    base_json_free(&json);
    return fine;
}

static int measure(const char* vehicle, int frames, bool as_json)
{
    char path[4096];
    BaseArena arena;
    BaseYamlError error;
    MachineDef def;
    MachineTime v[2];
    if (vehicle) {
        snprintf(path, sizeof path, "%s", vehicle);
    } else if (!base_path_find("vehicles/excavator_22t.yaml", path, sizeof path)) {
        fprintf(stderr, "bench: vehicles/excavator_22t.yaml was not found beside the program\n");
        return LAB_EXIT_FILE;
    }
    if (!base_arena_init(&arena, BENCH_ARENA)) {
        fprintf(stderr, "bench: out of memory\n");
        return LAB_EXIT_MEMORY;
    }
    int status = LAB_EXIT_FILE;
    if (!machine_load(path, &arena, &def, &error)) {
        fprintf(stderr, "bench: %s\n", error.text);
    } else if (!time_one(&v[0], &def, false, frames) || !time_one(&v[1], &def, true, frames)) {
        status = LAB_EXIT_MEMORY;
    } else {
        double site_ms = time_site(&def, frames);
        if (!as_json)
            print_table(v, 2, site_ms);
        if (!as_json || print_json(v, 2, &def, site_ms))
            status = LAB_EXIT_FINE;
    }
    base_arena_free(&arena);
    return status;
}

int bench_machine_main(int argc, char** argv)
{
    int frames = 600;
    bool json = false, help = false;
    const char* vehicle = NULL;
    const LabArg args[] = {
        {"--frames", LAB_ARG_INT, &frames, 10, BENCH_SAMPLES, .help = "timed frames per scene"},
        {"--vehicle", LAB_ARG_TEXT, &vehicle, .help = "instead of vehicles/excavator_22t.yaml"},
        {"--json", LAB_ARG_FLAG, &json, .help = "one JSON object on stdout"},
        {"--help", LAB_ARG_FLAG, &help, .help = "this text"},
        {NULL, LAB_ARG_FLAG, NULL, .help = NULL},
    };
    if (!lab_args_parse(args, argc - 1, argv + 1))
        return LAB_EXIT_USAGE;
    if (help) {
        printf("usage: mattock bench machine [options]\n\n"
               "Times a step of a machine at rest and at work on hills, and four of them.\n\n");
        lab_args_help(args);
        return LAB_EXIT_FINE;
    }
    return measure(vehicle, frames, json);
}
