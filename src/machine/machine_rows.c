// The bounded velocity rows of a step: actuators, end stops, what others asked for, contacts.
#include "machine/machine_internal.h"

#include "base/base_assert.h"

#define HOLD_MISS  1e-7 // m/s that an actuator misses its speed by at full force
#define HOLD_MOST  400  // m/s2, times the machine's mass: force that counts as full at most
#define STOP_SOFT  1e-6 // m/s per N s and kg: end stops
#define STOP_PUSH  0.2  // of the way beyond a stop that is undone in a step
#define STOP_SPEED 0.2  // m/s or rad/s, at most
#define STOP_NEAR  0.02 // m or rad, stops are looked for so far ahead, and two steps
#define UNBOUNDED  1e30

MachineSolveRow* machine_rows_add(Machine* machine)
{
    BASE_ASSERT(machine->work->row_count < MACHINE_SOLVE_ROWS);
    MachineSolveRow* row = &machine->work->row[machine->work->row_count++];
    row->kind = MACHINE_ROW_BOX;
    row->count = 0;
    row->limiter = -1;
    row->limiters = 1;
    row->target = row->lo = row->hi = row->impulse = row->friction = 0.0;
    row->soft = 1.0;
    return row;
}

static MachineSolveRow* joint_row(Machine* machine, int dof, double scale)
{
    MachineSolveRow* row = machine_rows_add(machine);
    row->count = 1;
    row->dof[0] = (unsigned char)dof;
    row->jacobian[0] = scale;
    return row;
}

// --- actuators -------------------------------------------------------------------------------------

static MachineSolveRow* train_row(Machine* machine, int train)
{
    const MachineDef* def = machine->def;
    MachineSolveRow* row = machine_rows_add(machine);
    for (int i = 0; i < def->runner_count; ++i)
        if (def->runners[i].train == train)
            row->dof[row->count++] = (unsigned char)(5 + def->body_count + i);
    for (int k = 0; k < row->count; ++k)
        row->jacobian[k] = 1.0 / (double)row->count;
    return row;
}

static MachineSolveRow* actuator_row(Machine* machine, int actuator)
{
    const MachineDef* def = machine->def;
    int motor = actuator - def->cylinder_count, train = motor - def->motor_count;
    if (motor < 0)
        return joint_row(machine, 5 + def->cylinders[actuator].to,
                         machine->work->reach[actuator].arm);
    if (train < 0)
        return joint_row(machine, 5 + def->motors[motor].body, 1.0);
    return train_row(machine, train);
}

static void actuators(Machine* machine, double h)
{
    for (int i = 0; i < machine->def->actuator_count; ++i) {
        MachineCommand c = machine->state.drive.command[i];
        machine->work->actuator_row[i] = -1;
        if (!(c.push + c.pull > 0.0))
            continue;
        machine->work->actuator_row[i] = machine->work->row_count;
        MachineSolveRow* row = actuator_row(machine, i);
        row->target = c.speed;
        double full = c.push + c.pull, most = HOLD_MOST * machine->def->mass;
        row->soft = HOLD_MISS / ((full < most ? full : most) * h);
        row->lo = -c.pull * h;
        row->hi = c.push * h;
    }
}

// --- end stops -------------------------------------------------------------------------------------

// The dof must not move by more than `gap` against `scale` in a step.
static void stop(Machine* machine, int dof, double scale, double gap, double h)
{
    double speed = scale * machine->state.velocity[dof];
    if (gap > STOP_NEAR + 2.0 * h * (speed < 0.0 ? -speed : speed))
        return;
    MachineSolveRow* row = joint_row(machine, dof, scale);
    double back = -STOP_PUSH * gap / h;
    row->target = gap > 0.0 ? -gap / h : back < STOP_SPEED ? back : STOP_SPEED;
    row->soft = STOP_SOFT / machine->def->mass;
    row->lo = 0.0;
    row->hi = UNBOUNDED;
}

// Towards the nearer of two stops.
static void stops(Machine* machine, int dof, double scale, double low_gap, double high_gap,
                  double h)
{
    if (low_gap < high_gap)
        stop(machine, dof, scale, low_gap, h);
    else
        stop(machine, dof, -scale, high_gap, h);
}

static void end_stops(Machine* machine, double h)
{
    const MachineDef* def = machine->def;
    for (int i = 0; i < def->cylinder_count; ++i) {
        const MachineCylinder* c = &def->cylinders[i];
        const MachineReach* r = &machine->work->reach[i];
        double in = r->length - (double)c->closed;
        stops(machine, 5 + c->to, r->arm, in, (double)c->stroke - in, h);
    }
    for (int i = 1; i < def->body_count; ++i) {
        const MachineBody* body = &def->bodies[i];
        double q = machine->state.joint[i];
        if (body->limited)
            stops(machine, 5 + i, 1.0, q - (double)body->lower, (double)body->upper - q, h);
    }
}

// --- what others asked for -------------------------------------------------------------------------

static void externals(Machine* machine)
{
    const double* p = machine->state.position;
    int first = machine->work->row_count;
    for (int i = 0; i < machine->external_count; ++i) {
        const MachineRow* want = &machine->external[i];
        MachineSolveRow* row = machine_rows_add(machine);
        D3 point = d3_sub(d3_from(want->point), d3(p[0], p[1], p[2]));
        machine_rig_jacobian(machine, want->body, point, d3_from(want->direction), 1.0, row);
        row->target = want->speed;
        row->soft = want->softness > 0.0 ? want->softness : STOP_SOFT / machine->def->mass;
        row->lo = want->lo;
        row->hi = want->hi;
        row->limiter = want->limiter >= 0 ? first + want->limiter : -1;
        row->friction = want->friction;
    }
}

void machine_rows_collect(Machine* machine, const MachineGround* ground, double h)
{
    const MachineDef* def = machine->def;
    machine->work->row_count = 0;
    for (int i = 0; i < def->cylinder_count; ++i)
        machine->work->reach[i] = machine_reach(def, i, machine->state.joint[def->cylinders[i].to]);
    externals(machine); // first, so that their numbers are known
    actuators(machine, h);
    end_stops(machine, h);
    machine_contact_rows(machine, ground, h);
}
