// leak - thin steel is swept through clouds of grains, at up to 50 m/s and from everywhere: a bucket, and
// a truck's body with its bin. A grain that, seen from the steel, crosses the middle of a plate and does
// not come back has tunnelled. It is watched as often as the solver itself looks around: at 50 m/s a grain
// comes so far in a frame that a straight line would lead through steel it went around.
#include "lab/lab_experiments.h"
#include "lab/lab_stand.h"

#include "base/base_math.h"
#include "base/base_random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAK_SIDE   140 // columns
#define LEAK_RADIUS 0.04f
#define LEAK_CLOUD  1000 // grains of one sweep
#define LEAK_SWEEPS 20
#define LEAK_HEIGHT 7.0f // m
#define LEAK_STEEL  1    // boundary of the soil: the ground is 0

typedef struct LeakBody {
    const char *name, *file;
    Vec3 middle; // m, in its frame
    float start; // m, from the cloud's middle
} LeakBody;

static const LeakBody bodies[] = {
    {"bucket", "config/lab/bucket.yaml", {0.7f, 0.4f, 0.0f}, 1.8f},
    {"body", "config/lab/body.yaml", {1.5f, 0.85f, 0.0f}, 3.6f},
};
#define LEAK_BODIES ((int)(sizeof bodies / sizeof bodies[0]))

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

// A wall is thinnest across.
static bool crosses_box(const MachineShape* s, Vec3 p, Vec3 q)
{
    const double half[3] = {(double)s->half.x, (double)s->half.y, (double)s->half.z};
    const double a[3] = {(double)(p.x - s->center.x), (double)(p.y - s->center.y),
                         (double)(p.z - s->center.z)};
    const double b[3] = {(double)(q.x - s->center.x), (double)(q.y - s->center.y),
                         (double)(q.z - s->center.z)};
    int k = half[0] < half[1] ? 0 : 1;
    k = half[2] < half[k] ? 2 : k;
    if ((a[k] > 0.0) == (b[k] > 0.0))
        return false;
    double t = a[k] / (a[k] - b[k]);
    int m = (k + 1) % 3, n = (k + 2) % 3;
    return fabs(a[m] + t * (b[m] - a[m])) < half[m] && fabs(a[n] + t * (b[n] - a[n])) < half[n];
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

static void aim(LabStand* s, const LeakBody* body, BaseRandom* random, Vec3 middle, float speed)
{
    Quat turn = any_turn(random);
    Vec3 way = quat_rotate(any_turn(random), vec3(1.0f, 0.0f, 0.0f));
    Vec3 from = vec3_sub(vec3_mad(middle, way, -body->start), quat_rotate(turn, body->middle));
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

// Eyes on the grains of one cloud.
typedef struct Watch {
    LabStand* stand;
    uint32_t first; // id
    int looks;
    Vec3 at[LEAK_CLOUD]; // m, in the body's frame
    int seen[LEAK_CLOUD];
    bool through[LEAK_CLOUD];
} Watch;

static int count_crossings(const MachineDef* def, Vec3 p, Vec3 q)
{
    int count = 0;
    for (int n = 0; n < def->shape_count; ++n) {
        const MachineShape* s = &def->shapes[n];
        switch (s->kind) {
        case MACHINE_SHELL: count += crosses_shell(s, p, q); break;
        case MACHINE_CHEEK: count += crosses_cheek(s, p, q); break;
        default: count += crosses_box(s, p, q); break;
        }
    }
    return count;
}

static void look(void* context, bool last)
{
    Watch* watch = context;
    Soil* soil = watch->stand->world->soil;
    if (!last && !soil_placed(soil))
        return;
    const SoilState* g = soil_state(soil);
    const SoilBoundary* steel = soil_pose(soil, LEAK_STEEL);
    ++watch->looks;
    for (int i = 0; i < g->count; ++i) {
        uint32_t k = g->id[i] - watch->first;
        if (g->mass[i] == 0 || k >= LEAK_CLOUD)
            continue;
        Vec3 off = vec3_sub(vec3(g->px[i], g->py[i], g->pz[i]), steel->position);
        Vec3 now = quat_unrotate(steel->rotation, off);
        if (watch->seen[k] > 0)
            watch->through[k] ^= count_crossings(&watch->stand->def, watch->at[k], now) & 1;
        watch->at[k] = now;
        watch->seen[k] = watch->looks;
    }
}

typedef struct Sweep {
    int grains, struck, tunnelled;
    double put_back;
} Sweep;

static void sweep(LabStand* s, const LeakBody* body, BaseRandom* random, float speed, Sweep* out)
{
    LabWorld* w = s->world;
    Watch* watch = calloc(1, sizeof *watch);
    if (!watch)
        return;
    // thrown up so that the cloud is back at its height when the steel arrives
    Vec3 middle = {0.05f * LEAK_SIDE, LEAK_HEIGHT, 0.05f * LEAK_SIDE};
    Vec3 up = {0.0f, 0.5f * 9.81f * body->start / speed, 0.0f};
    *watch = (Watch){.stand = s, .first = soil_state(w->soil)->next_id};
    for (int k = 0; k < LEAK_CLOUD; ++k) {
        Vec3 at = vec3(middle.x + base_random_range(random, -0.8f, 0.8f),
                       middle.y + base_random_range(random, -0.8f, 0.8f),
                       middle.z + base_random_range(random, -0.8f, 0.8f));
        out->grains += coupling_pour(w->coupling, at, up, 0);
    }
    aim(s, body, random, middle, speed);
    s->look = look, s->context = watch;
    s->parts = soil_definition(w->soil)->substeps;
    int frames = (int)(2.0f * body->start / speed * 60.0f) + 2;
    for (int f = 0; f < frames; ++f) {
        lab_stand_step(s);
        out->struck += soil_reaction(w->soil, LEAK_STEEL)->contacts;
    }
    for (int k = 0; k < LEAK_CLOUD; ++k)
        out->tunnelled += watch->through[k];
    s->look = NULL;
    free(watch);
}

// A world of its own for every sweep: what a bucket caught in the last one would fill the pool.
static bool sweep_world(LabRun* run, const LeakBody* body, BaseRandom* random, float speed,
                        Sweep* sum)
{
    LabWorld w;
    LabStand s;
    if (!lab_world_make(run, &w, LEAK_SIDE, LEAK_SIDE, LEAK_CLOUD, LEAK_RADIUS))
        return false;
    lab_world_lay(&w, 0, 0.5f);
    if (!lab_stand_make(run, &s, &w, body->file, vec3(4.0f, 50.0f, 4.0f))) {
        lab_world_destroy(&w);
        return false;
    }
    sweep(&s, body, random, speed, sum);
    sum->put_back += (double)coupling_fleet_stats(s.fleet)->put_back;
    lab_stand_destroy(&s);
    lab_world_finish(run, &w);
    return true;
}

static bool sweeps(LabRun* run, int number, int* grains)
{
    static const float speeds[] = {2.0f, 8.0f, 20.0f, 35.0f, 49.9f}; // 50 m/s is the world's limit
    const LeakBody* body = &bodies[number];
    int speed_count = (int)(sizeof speeds / sizeof speeds[0]);
    int rounds = run->options->quick ? 1 : LEAK_SWEEPS / speed_count;
    BaseRandom random = base_random((uint64_t)run->options->seed);
    for (int v = 0; v < speed_count; ++v) {
        Sweep sum = {0};
        for (int r = 0; r < rounds; ++r) {
            if (!sweep_world(run, body, &random, speeds[v], &sum))
                return false;
            int done = (number * speed_count + v) * rounds + r + 1;
            lab_progress(run, (double)done / (LEAK_BODIES * speed_count * rounds));
        }
        char key[LAB_NAME_MAX];
        snprintf(key, sizeof key, "%s.at_%.0f_m_s.struck", body->name, (double)speeds[v]);
        lab_report_least(run->report, key, "", sum.struck, 50.0);
        snprintf(key, sizeof key, "%s.at_%.0f_m_s.put_back", body->name, (double)speeds[v]);
        lab_report_value(run->report, key, "", sum.put_back);
        snprintf(key, sizeof key, "%s.at_%.0f_m_s.tunnelled", body->name, (double)speeds[v]);
        lab_report_most(run->report, key, "", sum.tunnelled, 0.0);
        *grains += sum.grains;
        lab_table_row(&run->report->table, (double[]){number, (double)speeds[v], sum.struck,
                                                      sum.tunnelled, sum.put_back});
    }
    return true;
}

void lab_leak_run(LabRun* run)
{
    int grains = 0;
    lab_table_columns(&run->report->table, "body,speed_m_s,struck,tunnelled,put_back");
    for (int n = 0; n < LEAK_BODIES; ++n)
        if (!sweeps(run, n, &grains))
            return;
    int wanted = LEAK_BODIES * (run->options->quick ? 5 : LEAK_SWEEPS) * LEAK_CLOUD;
    lab_report_least(run->report, "grains", "", grains, wanted);
}
