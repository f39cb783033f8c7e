// oracle_rig - the rig beside MuJoCo: same bodies, same forces, without contacts.
//
//   usage: oracle_rig VEHICLE.yaml VEHICLE.xml
//
// Prints "ok what" or "not ok what (why)" for: mass matrix, gravity and velocity terms at random
// states (1e-6 relative), and ten seconds of motion of every joint (1 % of its range), in which both
// engines get the same law of forces: weak springs and dampers towards moving places, on the joints
// and on the floating root. rig.sh calls it.
#include "base/base_random.h"
#include "machine/machine_internal.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

#define STATES   50
#define SECONDS  10
#define RATE     240  // steps of the rig per second
#define FINE     8    // MuJoCo's per step of the rig: it plays the exact solution
#define ALLOWED  0.01 // of the range
#define RELATIVE 1e-6

typedef struct Oracle {
    MachineDef def;
    Machine* machine;
    mjModel* model;
    mjData* data;
    int dof[MACHINE_BODIES_MAX]; // of a body's joint in MuJoCo
    int q[MACHINE_BODIES_MAX];   // its place in qpos
    int bad;
} Oracle;

static void verdict(Oracle* o, bool fine, const char* what, double value, double allowed)
{
    printf("%s %s: %.3g, allowed %.3g\n", fine ? "ok" : "not ok", what, value, allowed);
    o->bad += !fine;
}

static double chance(BaseRandom* random, double lo, double hi)
{
    return lo + (hi - lo) * (double)base_random_u32(random) / 4294967295.0;
}

// --- the same state in both ------------------------------------------------------------------------

static void find_joints(Oracle* o)
{
    for (int i = 0; i < o->def.body_count; ++i) {
        int id = mj_name2id(o->model, mjOBJ_JOINT, o->def.bodies[i].name);
        if (id < 0) {
            printf("not ok MuJoCo has no joint %s\n", o->def.bodies[i].name);
            exit(1);
        }
        o->dof[i] = o->model->jnt_dofadr[id];
        o->q[i] = o->model->jnt_qposadr[id];
    }
}

// MuJoCo keeps the root's spin in the body's axes, w first in quaternions.
static void to_mujoco(Oracle* o, const MachineState* s)
{
    mjtNum *q = o->data->qpos, *v = o->data->qvel;
    M3 turn = m3_of((D4){s->rotation[0], s->rotation[1], s->rotation[2], s->rotation[3]});
    D3 spin = m3_tmul(&turn, d3(s->velocity[3], s->velocity[4], s->velocity[5]));
    for (int k = 0; k < 3; ++k) {
        q[k] = s->position[k];
        q[4 + k] = s->rotation[k];
        v[k] = s->velocity[k];
    }
    q[3] = s->rotation[3];
    v[3] = spin.x, v[4] = spin.y, v[5] = spin.z;
    for (int i = 1; i < o->def.body_count; ++i) {
        q[o->q[i]] = s->joint[i];
        v[o->dof[i]] = s->velocity[5 + i];
    }
}

// Row of the rig's dof in MuJoCo's; the root's spin is turned by `axes`.
static int their_dof(const Oracle* o, int dof)
{
    return dof < 6 ? dof : o->dof[dof - 5];
}

static void random_state(Oracle* o, BaseRandom* random)
{
    MachineState s = *machine_state(o->machine);
    double square = 0.0;
    for (int k = 0; k < 4; ++k) {
        s.rotation[k] = chance(random, -1.0, 1.0);
        square += s.rotation[k] * s.rotation[k];
    }
    for (int k = 0; k < 4; ++k)
        s.rotation[k] /= sqrt(square);
    for (int k = 0; k < 3; ++k)
        s.position[k] = chance(random, -20.0, 20.0);
    for (int i = 1; i < o->def.body_count; ++i)
        s.joint[i] = chance(random, -2.0, 2.0);
    for (int i = 0; i < 5 + o->def.body_count; ++i)
        s.velocity[i] = chance(random, -1.0, 1.0);
    if (!machine_set_state(o->machine, &s))
        exit(1);
    machine_rig_mass(o->machine);
    machine_rig_bias(o->machine);
    to_mujoco(o, machine_state(o->machine));
    mj_forward(o->model, o->data);
}

// --- mass matrix and bias --------------------------------------------------------------------------

// T' x T with T turning the root's spin into the body's axes.
static void their_mass(const Oracle* o, double* out, int n)
{
    int nv = o->model->nv;
    double *full = calloc((size_t)(nv * nv), sizeof *full),
           *half = calloc((size_t)(n * n), sizeof *half);
    mj_fullM(o->model, full, o->data->qM);
    const M3* r = &o->machine->work->frame[0].turn;
    const double t[3][3] = {
        {r->x.x, r->x.y, r->x.z}, {r->y.x, r->y.y, r->y.z}, {r->z.x, r->z.y, r->z.z}};
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            half[i * n + k] = full[their_dof(o, i) * nv + their_dof(o, k)];
    for (int i = 0; i < n; ++i) { // columns 3..5 times t
        double c[3] = {half[i * n + 3], half[i * n + 4], half[i * n + 5]};
        for (int k = 0; k < 3; ++k)
            half[i * n + 3 + k] = c[0] * t[0][k] + c[1] * t[1][k] + c[2] * t[2][k];
    }
    for (int i = 0; i < n; ++i) { // rows 3..5 by its transpose
        double c[3] = {half[3 * n + i], half[4 * n + i], half[5 * n + i]};
        for (int k = 0; k < 3; ++k)
            half[(3 + k) * n + i] = c[0] * t[0][k] + c[1] * t[1][k] + c[2] * t[2][k];
    }
    for (int i = 0; i < n * n; ++i)
        out[i] = half[i];
    free(full);
    free(half);
}

// Largest difference over the largest entry of its kind: rows and columns have different units.
static double compare_mass(const Oracle* o)
{
    int n = 5 + o->def.body_count;
    double* theirs = calloc((size_t)(n * n), sizeof *theirs);
    double worst = 0.0;
    their_mass(o, theirs, n);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k <= i; ++k) {
            double ours = o->machine->work->mass[i][k];
            double size = sqrt(theirs[i * n + i] * theirs[k * n + k]);
            worst = fmax(worst, fabs(ours - theirs[i * n + k]) / size);
        }
    free(theirs);
    return worst;
}

static double compare_bias(const Oracle* o)
{
    int n = 5 + o->def.body_count;
    const mjtNum* b = o->data->qfrc_bias;
    D3 turned = m3_mul(&o->machine->work->frame[0].turn, d3(b[3], b[4], b[5]));
    double worst = 0.0, size = 0.0;
    for (int i = 0; i < n; ++i) {
        double theirs = i == 3   ? turned.x
                        : i == 4 ? turned.y
                        : i == 5 ? turned.z
                                 : b[their_dof(o, i)];
        size = fmax(size, fabs(theirs));
        worst = fmax(worst, fabs(o->machine->work->bias[i] - theirs));
    }
    return worst / size;
}

static void compare_states(Oracle* o)
{
    BaseRandom random = base_random(11);
    double mass = 0.0, gravity = 0.0, bias = 0.0;
    for (int i = 0; i < STATES; ++i) {
        random_state(o, &random);
        mass = fmax(mass, compare_mass(o));
        bias = fmax(bias, compare_bias(o));
        MachineState still = *machine_state(o->machine);
        for (int k = 0; k < MACHINE_DOFS_MAX; ++k)
            still.velocity[k] = 0.0;
        if (!machine_set_state(o->machine, &still))
            exit(1);
        machine_rig_bias(o->machine);
        to_mujoco(o, machine_state(o->machine));
        mj_forward(o->model, o->data);
        gravity = fmax(gravity, compare_bias(o));
    }
    verdict(o, mass < RELATIVE, "mass matrix, relative", mass, RELATIVE);
    verdict(o, gravity < RELATIVE, "gravity torques, relative", gravity, RELATIVE);
    verdict(o, bias < RELATIVE, "gravity and velocity terms, relative", bias, RELATIVE);
}

// --- ten seconds -----------------------------------------------------------------------------------

// Joint i is pulled to a place that swings at its own pace, by a spring of about 0.5 Hz.
static double joint_law(const Oracle* o, int i, double t, double q, double v, double inertia)
{
    double middle = (double)o->def.bodies[i].start;
    double place = middle + 0.5 * sin((0.5 + 0.23 * i) * t) - 0.5 * sin(0.31 * i * t);
    return inertia * (9.0 * (place - q) - 2.4 * v);
}

// The root on a soft bush, so that the floating base takes part.
static void root_law(const double* p, const double* v, const double* q, double mass, double t,
                     double force[6])
{
    for (int k = 0; k < 3; ++k) {
        double place = k == 1 ? 0.3 * sin(1.1 * t) : 0.2 * sin((0.7 + 0.2 * k) * t);
        force[k] = mass * (16.0 * (place - p[k]) - 4.0 * v[k]);
        // twice the vector half of the quaternion is the turn, for small turns
        force[3 + k] = 8.0 * mass * (-16.0 * 2.0 * q[k] * (q[3] < 0 ? -1.0 : 1.0) - 4.0 * v[3 + k]);
    }
    force[1] += mass * MACHINE_GRAVITY;
}

static void push_rig(Oracle* o, double t, const double* inertia, const double* hang)
{
    const MachineState* s = machine_state(o->machine);
    double f[6];
    root_law(s->position, s->velocity, s->rotation, o->def.mass, t, f);
    // about the origin itself, past the rounding of points to float
    o->machine->push[0].l = d3(f[0], f[1], f[2]);
    o->machine->push[0].a = d3(f[3], f[4], f[5]);
    for (int i = 1; i < o->def.body_count; ++i)
        machine_add_effort(o->machine, i,
                           hang[i] +
                               joint_law(o, i, t, s->joint[i], s->velocity[5 + i], inertia[i]));
}

static void push_mujoco(Oracle* o, double t, const double* inertia, const double* hang)
{
    mjData* d = o->data;
    D4 turn = {d->qpos[4], d->qpos[5], d->qpos[6], d->qpos[3]};
    M3 r = m3_of(turn);
    D3 spin = m3_mul(&r, d3(d->qvel[3], d->qvel[4], d->qvel[5]));
    double f[6], v[6] = {d->qvel[0], d->qvel[1], d->qvel[2], spin.x, spin.y, spin.z};
    double q[4] = {turn.x, turn.y, turn.z, turn.w};
    root_law(d->qpos, v, q, o->def.mass, t, f);
    D3 torque = m3_tmul(&r, d3(f[3], f[4], f[5]));
    double all[6] = {f[0], f[1], f[2], torque.x, torque.y, torque.z};
    for (int k = 0; k < 6; ++k)
        d->qfrc_applied[k] = all[k];
    for (int i = 1; i < o->def.body_count; ++i)
        d->qfrc_applied[o->dof[i]] =
            hang[i] + joint_law(o, i, t, d->qpos[o->q[i]], d->qvel[o->dof[i]], inertia[i]);
}

static void compare_motion(Oracle* o)
{
    double lo[MACHINE_BODIES_MAX], hi[MACHINE_BODIES_MAX], off[MACHINE_BODIES_MAX] = {0};
    double inertia[MACHINE_BODIES_MAX], hang[MACHINE_BODIES_MAX];
    machine_place(o->machine, vec3(0, 0, 0), 0.0f);
    for (int i = 0; i < o->def.actuator_count; ++i)
        machine_command(o->machine, i, (MachineCommand){0});
    machine_rig_mass(o->machine);
    machine_rig_bias(o->machine);
    for (int i = 1; i < o->def.body_count; ++i) {
        inertia[i] = o->machine->work->mass[5 + i][5 + i];
        hang[i] = o->machine->work->bias[5 + i];
        lo[i] = hi[i] = machine_joint(o->machine, i);
    }
    mj_resetData(o->model, o->data);
    to_mujoco(o, machine_state(o->machine));
    o->model->opt.timestep = 1.0 / (RATE * FINE);
    for (int step = 0; step < SECONDS * RATE; ++step) {
        push_rig(o, (double)step / RATE, inertia, hang);
        machine_step(o->machine, NULL, 1.0 / RATE);
        for (int k = 0; k < FINE; ++k) {
            push_mujoco(o, step / (double)RATE + k / (double)(RATE * FINE), inertia, hang);
            mj_step(o->model, o->data);
        }
        for (int i = 1; i < o->def.body_count; ++i) {
            double q = o->data->qpos[o->q[i]];
            lo[i] = fmin(lo[i], q), hi[i] = fmax(hi[i], q);
            off[i] = fmax(off[i], fabs(q - machine_joint(o->machine, i)));
        }
    }
    for (int i = 1; i < o->def.body_count; ++i) {
        char what[96];
        snprintf(what, sizeof what, "way of %s over %d s, part of its range of %.2f",
                 o->def.bodies[i].name, SECONDS, hi[i] - lo[i]);
        verdict(o, off[i] < ALLOWED * (hi[i] - lo[i]) && hi[i] - lo[i] > 0.1, what,
                off[i] / (hi[i] - lo[i]), ALLOWED);
    }
}

int main(int argc, char** argv)
{
    static Oracle o;
    BaseArena arena;
    BaseYamlError error;
    char why[1000] = "";
    if (argc != 3 || !base_arena_init(&arena, 64u << 20))
        return 2;
    if (!machine_load(argv[1], &arena, &o.def, &error)) {
        printf("not ok %s\n", error.text);
        return 1;
    }
    // end stops would be contacts, which the other side does not have
    for (int i = 0; i < o.def.body_count; ++i)
        o.def.bodies[i].limited = false;
    o.def.cylinder_count = o.def.shape_count = 0;
    o.def.actuator_count = o.def.motor_count + o.def.train_count;
    o.def.drive = NULL;
    o.machine = machine_create(&o.def);
    o.model = mj_loadXML(argv[2], NULL, why, (int)sizeof why);
    o.data = o.model ? mj_makeData(o.model) : NULL;
    if (!o.machine || !o.data) {
        printf("not ok MuJoCo reads the vehicle (%s)\n", why);
        return 1;
    }
    printf("# MuJoCo %s\n", mj_versionString());
    find_joints(&o);
    compare_states(&o);
    compare_motion(&o);
    mj_deleteData(o.data);
    mj_deleteModel(o.model);
    machine_destroy(o.machine);
    return o.bad ? 1 : 0;
}
