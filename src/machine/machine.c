#include "machine/machine_internal.h"

#include "base/base_assert.h"
#include "base/base_hash.h"

#include <stdlib.h>
#include <string.h>

#define FAR  1e5 // m, positions beyond it are bad
#define FAST 1e3 // m/s or rad/s, speeds beyond it are bad

Machine* machine_create(const MachineDef* def)
{
    Machine* machine = calloc(1, sizeof *machine);
    MachineWork* work = calloc(1, sizeof *work);
    if (!machine || !work) {
        free(machine);
        free(work);
        return NULL;
    }
    machine->def = def;
    machine->work = work;
    bool fits = machine_shape_probes(machine);
    BASE_ASSERT(fits); // machine_load() counts them
    machine_place(machine, vec3(0, 0, 0), 0.0f);
    return machine;
}

void machine_destroy(Machine* machine)
{
    if (machine) {
        free(machine->work);
        free(machine);
    }
}

const MachineDef* machine_definition(const Machine* machine)
{
    return machine->def;
}

// Frames and lengths belong to the state as it is now, not to the last step.
static void refresh(Machine* machine)
{
    machine_rig_place(machine);
    machine_rig_speeds(machine);
    for (int i = 0; i < machine->def->cylinder_count; ++i)
        machine->work->reach[i] =
            machine_reach(machine->def, i, machine->state.joint[machine->def->cylinders[i].to]);
}

static void forget_inputs(Machine* machine)
{
    machine->external_count = 0;
    memset(machine->push, 0, sizeof machine->push);
    memset(machine->work->input, 0, sizeof machine->work->input);
}

// --- end of an actuator's say: hold ------------------------------------------------------------

static MachineCommand held(const MachineDef* def, int actuator)
{
    int motor = actuator - def->cylinder_count, train = motor - def->motor_count;
    if (motor < 0) {
        const MachineCylinder* c = &def->cylinders[actuator];
        return (MachineCommand){0.0, (double)c->relief * c->area_push,
                                (double)c->relief * c->area_pull};
    }
    double most = train < 0 ? (double)def->motors[motor].torque : (double)def->trains[train].force;
    return (MachineCommand){0.0, most, most};
}

void machine_place(Machine* machine, Vec3 position, float heading)
{
    const MachineDef* def = machine->def;
    MachineState* s = &machine->state;
    memset(s, 0, sizeof *s);
    D4 turn = d4_about(d3(0, 1, 0), (double)heading);
    s->position[0] = (double)position.x;
    s->position[1] = (double)position.y;
    s->position[2] = (double)position.z;
    s->rotation[1] = turn.y;
    s->rotation[3] = turn.w;
    for (int i = 1; i < def->body_count; ++i)
        s->joint[i] = (double)def->bodies[i].start;
    machine_drive_reset(def, &s->drive);
    for (int i = 0; i < def->actuator_count; ++i)
        s->drive.command[i] = held(def, i);
    forget_inputs(machine);
    refresh(machine);
}

void machine_set_joint(Machine* machine, int body, double value)
{
    machine->state.joint[body] = value;
    machine->state.velocity[5 + body] = 0.0;
    refresh(machine);
}

void machine_command(Machine* machine, int actuator, MachineCommand command)
{
    machine->state.told[actuator] = command;
    machine->state.commanded |= (uint64_t)1 << actuator;
}

void machine_release(Machine* machine)
{
    machine->state.commanded = 0;
}

void machine_drive(Machine* machine, const InputFrame* input, double dt)
{
    machine_drive_input(machine->def, &machine->state.drive, input, dt);
}

// --- what others do to it --------------------------------------------------------------------------

static D3 relative(const Machine* machine, Vec3 point)
{
    const double* p = machine->state.position;
    return d3_sub(d3_from(point), d3(p[0], p[1], p[2]));
}

void machine_add_force(Machine* machine, int body, Vec3 point, Vec3 force)
{
    D3 f = d3_from(force);
    S6 push = {d3_cross(relative(machine, point), f), f};
    machine->push[body] = s6_add(machine->push[body], push);
}

void machine_add_torque(Machine* machine, int body, Vec3 torque)
{
    machine->push[body].a = d3_add(machine->push[body].a, d3_from(torque));
}

void machine_add_effort(Machine* machine, int body, double effort)
{
    machine->work->input[5 + body] += effort;
}

int machine_add_row(Machine* machine, const MachineRow* row)
{
    BASE_ASSERT(row->limiter < machine->external_count);
    if (machine->external_count == MACHINE_ROWS_MAX) {
        ++machine->state.refused_rows;
        return -1;
    }
    machine->external[machine->external_count] = *row;
    return machine->external_count++;
}

double machine_row_impulse(const Machine* machine, int row)
{
    return row >= 0 ? machine->external_impulse[row] : 0.0;
}

void machine_set_load(Machine* machine, int body, double mass, Vec3 com, const float inertia[6])
{
    double* to = machine->state.load[body].inertia;
    machine->state.load[body].mass = mass;
    machine->state.load[body].com[0] = (double)com.x;
    machine->state.load[body].com[1] = (double)com.y;
    machine->state.load[body].com[2] = (double)com.z;
    for (int k = 0; k < 6; ++k)
        to[k] = inertia ? (double)inertia[k] : 0.0;
}

// --- a step ----------------------------------------------------------------------------------------

static void predict(Machine* machine, double h)
{
    const MachineDef* def = machine->def;
    MachineWork* work = machine->work;
    for (int i = 0; i < def->body_count; ++i)
        work->frame[i].force = machine->push[i];
    machine_rig_mass(machine);
    machine_rig_bias(machine);
    for (int i = 0; i < def->dof_count; ++i) {
        double sum = h * (work->input[i] - work->bias[i]);
        for (int k = 0; k < def->dof_count; ++k)
            sum += (k <= i ? work->mass[i][k] : work->mass[k][i]) * machine->state.velocity[k];
        work->drift[i] = sum;
    }
    for (int i = 1; i < def->body_count; ++i)
        work->mass[5 + i][5 + i] += h * (double)def->bodies[i].damping;
}

static bool sane(const double* v, int count, double most)
{
    for (int i = 0; i < count; ++i)
        if (!(v[i] > -most && v[i] < most))
            return false;
    return true;
}

static void move(Machine* machine, const double* v, double h)
{
    const MachineDef* def = machine->def;
    MachineState* s = &machine->state;
    for (int k = 0; k < 3; ++k)
        s->position[k] += h * v[k];
    D3 spin = d3(v[3], v[4], v[5]);
    double rate = d3_length(spin);
    if (rate > 0.0) {
        D4 q = {s->rotation[0], s->rotation[1], s->rotation[2], s->rotation[3]};
        q = d4_unit(d4_mul(d4_about(d3_mul(spin, 1.0 / rate), rate * h), q));
        s->rotation[0] = q.x, s->rotation[1] = q.y, s->rotation[2] = q.z, s->rotation[3] = q.w;
    }
    for (int i = 1; i < def->body_count; ++i)
        s->joint[i] += h * v[5 + i];
    for (int i = 0; i < def->runner_count; ++i)
        s->travel[i] += h * v[5 + def->body_count + i];
    memcpy(s->velocity, v, sizeof s->velocity);
}

static void report(Machine* machine, const MachineGround* ground, double h)
{
    const MachineWork* work = machine->work;
    for (int i = 0; i < machine->def->actuator_count; ++i) {
        int row = work->actuator_row[i];
        machine->state.effort[i] = row >= 0 ? work->row[row].impulse / h : 0.0;
    }
    for (int i = 0; i < machine->external_count; ++i)
        machine->external_impulse[i] = work->row[i].impulse;
    machine_contact_press(machine, ground, h);
}

static void drive(Machine* machine, double h)
{
    MachineFeedback feedback[MACHINE_ACTUATORS_MAX] = {{0}};
    MachineCommand* command = machine->state.drive.command;
    for (int i = 0; i < machine->def->actuator_count; ++i)
        feedback[i] = machine_feedback(machine, i);
    if (machine->def->drive)
        machine_drive_step(machine->def, &machine->state.drive, feedback, h);
    for (int i = 0; i < machine->def->actuator_count; ++i)
        if (machine->state.commanded >> i & 1)
            command[i] = machine->state.told[i];
}

void machine_step(Machine* machine, const MachineGround* ground, double h)
{
    double v[MACHINE_DOFS_MAX];
    refresh(machine);
    drive(machine, h);
    predict(machine, h);
    machine_rows_collect(machine, ground, h);
    memcpy(v, machine->state.velocity, sizeof v);
    machine_solve(machine, v);

    // I2: a number that went bad stops the machine where it was, and is counted
    if (!sane(v, machine->def->dof_count, FAST)) {
        memset(v, 0, sizeof v);
        ++machine->state.resets;
    }
    move(machine, v, h);
    report(machine, ground, h);
    ++machine->state.steps;
    forget_inputs(machine);
    refresh(machine);
}

// --- state -----------------------------------------------------------------------------------------

const MachineState* machine_state(const Machine* machine)
{
    return &machine->state;
}

static bool state_is_sane(const MachineDef* def, const MachineState* s)
{
    double square = 0.0;
    for (int k = 0; k < 4; ++k)
        square += s->rotation[k] * s->rotation[k];
    return sane(s->position, 3, FAR) && square > 0.999 && square < 1.001 &&
           sane(s->joint, MACHINE_BODIES_MAX, FAR) && sane(s->velocity, def->dof_count, FAST) &&
           sane(s->travel, MACHINE_RUNNERS_MAX, 1e9) &&
           sane(s->effort, MACHINE_ACTUATORS_MAX, 1e13) &&
           sane(s->pressed, MACHINE_ROLLERS_MAX, 1e13) &&
           sane((const double*)s->told, 3 * MACHINE_ACTUATORS_MAX, 1e13) &&
           sane((const double*)s->drive.command, 3 * MACHINE_ACTUATORS_MAX, 1e13) &&
           sane((const double*)s->load, 10 * MACHINE_BODIES_MAX, 1e9);
}

bool machine_set_state(Machine* machine, const MachineState* state)
{
    if (!state_is_sane(machine->def, state))
        return false;
    machine->state = *state;
    forget_inputs(machine);
    refresh(machine);
    return true;
}

uint64_t machine_hash(const Machine* machine)
{
    const MachineState* s = &machine->state;
    uint64_t hash = base_hash(&s->steps, sizeof s->steps, 0);
    hash = base_hash(s->position, sizeof s->position, hash);
    hash = base_hash(s->rotation, sizeof s->rotation, hash);
    hash = base_hash(s->joint, sizeof s->joint, hash);
    hash = base_hash(s->velocity, sizeof s->velocity, hash);
    hash = base_hash(s->travel, sizeof s->travel, hash);
    hash = base_hash(s->pressed, sizeof s->pressed, hash);
    hash = base_hash(s->effort, sizeof s->effort, hash);
    hash = base_hash(s->load, sizeof s->load, hash);
    hash = base_hash(s->told, sizeof s->told, hash);
    hash = base_hash(&s->commanded, sizeof s->commanded, hash);
    hash = base_hash(&s->refused_rows, sizeof s->refused_rows, hash);
    hash = base_hash(&s->resets, sizeof s->resets, hash);
    return base_hash(&s->drive, sizeof s->drive, hash);
}
