// leak - thin steel is swept through clouds of grains, at up to 50 m/s and from everywhere. A grain
// that, seen from the steel, crosses the middle of a plate and does not come back has tunnelled. (In a
// pile that is stopped at 50 m/s some are pressed into the plate, and put back where they came from.)
#include "lab/lab_experiments.h"
#include "lab/lab_stand.h"

#include "base/base_math.h"
#include "base/base_random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAK_FILE   "config/lab/bucket.yaml"
#define LEAK_SIDE   80 // columns
#define LEAK_RADIUS 0.04f
#define LEAK_CLOUD  1000 // grains of one sweep
#define LEAK_SWEEPS 20
#define LEAK_HEIGHT 4.0f // m
#define LEAK_STEEL  1    // boundary of the soil: the ground is 0
#define LEAK_START  1.8f // m, from the cloud's middle

// The plates are looked at in the middle of their thickness.

static bool inside_outline(const MachineShape* s, double x, double y)
{
    bool inside = false;
    int points = s->outline_count / 2;
    for (int i = 0, j = points - 1; i < points; j = i++) {
        double ax = (double)s->outline[2 * j], ay = (double)s->outline[2 * j + 1];
        double bx = (double)s->outline[2 * i], by = (double)s->outline[2 * i + 1];
        if ((by > y) != (ay > y) && x < (ax - bx) * (y - by) / (ay - by) + bx)
            inside = !inside;
    }
    return inside;
}

static bool crosses_shell(const MachineShape* s, Vec3 p, Vec3 q)
{
    for (int k = 0; k + 3 < s->outline_count; k += 2) {
        const float* a = s->outline + k;
        double dx = (double)(a[2] - a[0]), dy = (double)(a[3] - a[1]), length = hypot(dx, dy);
        double nx = -dy / length, ny = dx / length, half = 0.5 * (double)s->thickness;
        double hp = ((double)p.x - (double)a[0]) * nx + ((double)p.y - (double)a[1]) * ny + half;
        double hq = ((double)q.x - (double)a[0]) * nx + ((double)q.y - (double)a[1]) * ny + half;
        if ((hp > 0.0) == (hq > 0.0))
            continue;
        double t = hp / (hp - hq), x = (double)p.x + t * (double)(q.x - p.x);
        double y = (double)p.y + t * (double)(q.y - p.y), z = (double)p.z + t * (double)(q.z - p.z);
        double along = ((x - (double)a[0]) * dx + (y - (double)a[1]) * dy) / length;
        if (along > 0.0 && along < length && fabs(z) < (double)s->half_width)
            return true;
    }
    return false;
}

static bool crosses_cheek(const MachineShape* s, Vec3 p, Vec3 q)
{
    double hp = (double)(p.z - s->z), hq = (double)(q.z - s->z);
    if ((hp > 0.0) == (hq > 0.0))
        return false;
    double t = hp / (hp - hq);
    return inside_outline(s, (double)p.x + t * (double)(q.x - p.x),
                          (double)p.y + t * (double)(q.y - p.y));
}

static Quat any_turn(BaseRandom* random)
{
    Quat q;
    float length;
    do {
        q = (Quat){base_random_range(random, -1, 1), base_random_range(random, -1, 1),
                   base_random_range(random, -1, 1), base_random_range(random, -1, 1)};
        length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    } while (length < 0.1f || length > 1.0f);
    return (Quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

static void aim(LabStand* s, BaseRandom* random, Vec3 middle, float speed)
{
    Quat turn = any_turn(random);
    Vec3 way = quat_rotate(any_turn(random), vec3(1.0f, 0.0f, 0.0f));
    Vec3 of_bucket = quat_rotate(turn, vec3(0.7f, 0.4f, 0.0f));
    Vec3 from = vec3_sub(vec3_mad(middle, way, -LEAK_START), of_bucket);
    MachineState state = *machine_state(s->machine);
    state.position[0] = (double)from.x, state.position[1] = (double)from.y;
    state.position[2] = (double)from.z;
    state.rotation[0] = (double)turn.x, state.rotation[1] = (double)turn.y;
    state.rotation[2] = (double)turn.z, state.rotation[3] = (double)turn.w;
    for (int k = 0; k < 6; ++k)
        state.velocity[k] = 0.0;
    s->velocity = vec3_mul(way, speed);
    state.velocity[0] = (double)s->velocity.x, state.velocity[1] = (double)s->velocity.y;
    state.velocity[2] = (double)s->velocity.z;
    machine_set_state(s->machine, &state);
}

// Where every grain is, seen from the bucket; by id.
static void look(const LabStand* s, Vec3* at, uint32_t first)
{
    const SoilState* g = soil_state(s->world->soil);
    for (int i = 0; i < g->count; ++i)
        if (g->mass[i] > 0 && g->id[i] >= first && g->id[i] - first < LEAK_CLOUD)
            at[g->id[i] - first] =
                machine_to_body(s->machine, 0, vec3(g->px[i], g->py[i], g->pz[i]));
}

static int count_crossings(const MachineDef* def, Vec3 p, Vec3 q)
{
    for (int n = 0; n < def->shape_count; ++n) {
        const MachineShape* s = &def->shapes[n];
        if (s->kind == MACHINE_SHELL ? crosses_shell(s, p, q) : crosses_cheek(s, p, q))
            return 1;
    }
    return 0;
}

typedef struct Sweep {
    int grains, struck, tunnelled;
} Sweep;

static void sweep(LabStand* s, BaseRandom* random, float speed, Sweep* out)
{
    LabWorld* w = s->world;
    Vec3 middle = {0.05f * LEAK_SIDE, LEAK_HEIGHT, 0.05f * LEAK_SIDE};
    uint32_t first = soil_state(w->soil)->next_id;
    for (int k = 0; k < LEAK_CLOUD; ++k) {
        Vec3 at = vec3(middle.x + base_random_range(random, -0.8f, 0.8f),
                       middle.y + base_random_range(random, -0.8f, 0.8f),
                       middle.z + base_random_range(random, -0.8f, 0.8f));
        out->grains += coupling_pour(w->coupling, at, vec3(0, 0, 0), 0);
    }
    Vec3* then = calloc(LEAK_CLOUD, sizeof *then);
    Vec3* now = calloc(LEAK_CLOUD, sizeof *now);
    int* through = calloc(LEAK_CLOUD, sizeof *through);
    aim(s, random, middle, speed);
    int frames = (int)(2.0f * LEAK_START / speed * 60.0f) + 2;
    for (int f = 0; f < frames && then && now && through; ++f) {
        look(s, then, first);
        uint32_t born = soil_state(w->soil)->next_id;
        lab_stand_step(s);
        look(s, now, first);
        out->struck += soil_reaction(w->soil, LEAK_STEEL)->contacts;
        const SoilState* g = soil_state(w->soil);
        for (int i = 0; i < g->count; ++i)
            if (g->mass[i] > 0 && g->id[i] >= first && g->id[i] < born &&
                g->id[i] - first < LEAK_CLOUD)
                through[g->id[i] - first] ^=
                    count_crossings(&s->def, then[g->id[i] - first], now[g->id[i] - first]);
    }
    for (int k = 0; k < LEAK_CLOUD && through; ++k)
        out->tunnelled += through[k];
    free(then);
    free(now);
    free(through);
    aim(s, random, vec3(middle.x, 100.0f, middle.z), 0.001f); // out of the way
    for (int f = 0; f < 600 && lab_world_grains(w) > 0; ++f)
        lab_world_step(w); // all of it becomes ground
}

void lab_leak_run(LabRun* run)
{
    static const float speeds[] = {2.0f, 8.0f, 20.0f, 35.0f, 49.9f}; // 50 m/s is the world's limit
    LabWorld w;
    LabStand s;
    if (!lab_world_make(run, &w, LEAK_SIDE, LEAK_SIDE, 2 * LEAK_CLOUD, LEAK_RADIUS))
        return;
    lab_world_lay(&w, 0, 0.5f);
    if (!lab_stand_make(run, &s, &w, LEAK_FILE, vec3(4.0f, 50.0f, 4.0f))) {
        lab_world_destroy(&w);
        return;
    }
    int speed_count = (int)(sizeof speeds / sizeof speeds[0]), all = 0;
    int rounds = run->options->quick ? 1 : LEAK_SWEEPS / speed_count;
    BaseRandom random = base_random((uint64_t)run->options->seed);
    for (int v = 0; v < speed_count; ++v) {
        Sweep sum = {0};
        for (int r = 0; r < rounds; ++r) {
            sweep(&s, &random, speeds[v], &sum);
            lab_progress(run, (v * rounds + r + 1.0) / (speed_count * rounds));
        }
        char key[LAB_NAME_MAX];
        snprintf(key, sizeof key, "at_%.0f_m_s.struck", (double)speeds[v]);
        lab_report_least(run->report, key, "", sum.struck, 50.0);
        snprintf(key, sizeof key, "at_%.0f_m_s.tunnelled", (double)speeds[v]);
        lab_report_most(run->report, key, "", sum.tunnelled, 0.0);
        all += sum.grains;
    }
    lab_report_least(run->report, "grains", "", all, (double)(rounds * speed_count * LEAK_CLOUD));
    lab_stand_destroy(&s);
    lab_world_finish(run, &w);
}
