// The tree: composite rigid bodies and recursive Newton-Euler (Featherstone, "Rigid Body Dynamics
// Algorithms", 2008), in world axes about the root's origin, so that inertias simply add.
#include "machine/machine_internal.h"

// --- where everything is ---------------------------------------------------------------------------

static MachineInertia inertia_about(const MachineFrame* f, double mass, D3 com, const double i[6])
{
    // R I R' by columns of R: sum over I_jk r_j r_k'
    const M3* r = &f->turn;
    D3 a = d3_mad(d3_mad(d3_mul(r->x, i[0]), r->y, i[3]), r->z, i[4]);
    D3 b = d3_mad(d3_mad(d3_mul(r->x, i[3]), r->y, i[1]), r->z, i[5]);
    D3 c = d3_mad(d3_mad(d3_mul(r->x, i[4]), r->y, i[5]), r->z, i[2]);
    D3 at = d3_add(f->origin, m3_mul(r, com));
    double mxx = mass * at.x * at.x, myy = mass * at.y * at.y, mzz = mass * at.z * at.z;
    return (MachineInertia){
        .mass = mass,
        .first = d3_mul(at, mass),
        .xx = a.x * r->x.x + b.x * r->y.x + c.x * r->z.x + myy + mzz,
        .yy = a.y * r->x.y + b.y * r->y.y + c.y * r->z.y + mxx + mzz,
        .zz = a.z * r->x.z + b.z * r->y.z + c.z * r->z.z + mxx + myy,
        .xy = a.x * r->x.y + b.x * r->y.y + c.x * r->z.y - mass * at.x * at.y,
        .xz = a.x * r->x.z + b.x * r->y.z + c.x * r->z.z - mass * at.x * at.z,
        .yz = a.y * r->x.z + b.y * r->y.z + c.y * r->z.z - mass * at.y * at.z,
    };
}

static void inertia_gather(MachineInertia* to, const MachineInertia* from)
{
    to->mass += from->mass;
    to->first = d3_add(to->first, from->first);
    to->xx += from->xx;
    to->yy += from->yy;
    to->zz += from->zz;
    to->xy += from->xy;
    to->xz += from->xz;
    to->yz += from->yz;
}

static void weigh(Machine* machine, int i)
{
    const MachineBody* body = &machine->def->bodies[i];
    MachineFrame* f = &machine->work->frame[i];
    double own[6];
    for (int k = 0; k < 6; ++k)
        own[k] = (double)body->inertia[k];
    f->inertia = inertia_about(f, body->mass, d3_from(body->com), own);
    if (machine->state.load[i].mass > 0.0) {
        const double* com = machine->state.load[i].com;
        MachineInertia load =
            inertia_about(f, machine->state.load[i].mass, d3(com[0], com[1], com[2]),
                          machine->state.load[i].inertia);
        inertia_gather(&f->inertia, &load);
    }
}

void machine_rig_place(Machine* machine)
{
    const MachineDef* def = machine->def;
    const double* q = machine->state.rotation;
    MachineFrame* frame = machine->work->frame;
    frame[0].turn = m3_of((D4){q[0], q[1], q[2], q[3]});
    frame[0].origin = d3(0, 0, 0);
    for (int i = 1; i < def->body_count; ++i) {
        const MachineBody* body = &def->bodies[i];
        const MachineFrame* parent = &frame[body->parent];
        MachineFrame* f = &frame[i];
        double joint = machine->state.joint[i];
        f->axis = m3_mul(&parent->turn, d3_from(body->axis));
        f->origin = machine_rig_to_world(parent, body->pin);
        if (body->joint == MACHINE_SLIDE) {
            f->turn = parent->turn;
            f->origin = d3_mad(f->origin, f->axis, joint);
            f->motion = (S6){d3(0, 0, 0), f->axis};
        } else {
            M3 turn = m3_of(d4_about(d3_from(body->axis), joint));
            f->turn = (M3){m3_mul(&parent->turn, turn.x), m3_mul(&parent->turn, turn.y),
                           m3_mul(&parent->turn, turn.z)};
            f->motion = (S6){f->axis, d3_cross(f->origin, f->axis)};
        }
    }
    for (int i = 0; i < def->body_count; ++i)
        weigh(machine, i);
}

void machine_rig_speeds(Machine* machine)
{
    const MachineDef* def = machine->def;
    const double* v = machine->state.velocity;
    MachineFrame* frame = machine->work->frame;
    frame[0].speed = (S6){d3(v[3], v[4], v[5]), d3(v[0], v[1], v[2])};
    for (int i = 1; i < def->body_count; ++i)
        frame[i].speed = s6_mad(frame[def->bodies[i].parent].speed, frame[i].motion, v[5 + i]);
}

D3 machine_rig_velocity(const Machine* machine, int body, D3 point)
{
    S6 v = machine->work->frame[body].speed;
    return d3_add(v.l, d3_cross(v.a, point));
}

// --- mass matrix -----------------------------------------------------------------------------------

static void set_root_block(double (*m)[MACHINE_DOFS_MAX], const MachineInertia* i)
{
    D3 c = i->first;
    for (int a = 0; a < 6; ++a)
        for (int b = 0; b <= a; ++b)
            m[a][b] = 0.0;
    m[0][0] = m[1][1] = m[2][2] = i->mass;
    // angular rows: moment of linear motion is first x v
    m[3][1] = -c.z, m[3][2] = c.y;
    m[4][0] = c.z, m[4][2] = -c.x;
    m[5][0] = -c.y, m[5][1] = c.x;
    m[3][3] = i->xx, m[4][4] = i->yy, m[5][5] = i->zz;
    m[4][3] = i->xy, m[5][3] = i->xz, m[5][4] = i->yz;
}

static void set_joint_row(const Machine* machine, double (*m)[MACHINE_DOFS_MAX], int i)
{
    const MachineBody* bodies = machine->def->bodies;
    const MachineFrame* frame = machine->work->frame;
    S6 f = inertia_mul(&frame[i].tree, frame[i].motion);
    double* row = m[5 + i];
    for (int k = 6; k < 5 + i; ++k)
        row[k] = 0.0;
    row[0] = f.l.x, row[1] = f.l.y, row[2] = f.l.z;
    row[3] = f.a.x, row[4] = f.a.y, row[5] = f.a.z;
    for (int k = i; k > 0; k = bodies[k].parent)
        row[5 + k] = s6_dot(frame[k].motion, f);
}

void machine_rig_mass(Machine* machine)
{
    const MachineDef* def = machine->def;
    MachineWork* work = machine->work;
    MachineFrame* frame = work->frame;
    double(*m)[MACHINE_DOFS_MAX] = work->mass;
    for (int i = 0; i < def->body_count; ++i)
        frame[i].tree = frame[i].inertia;
    for (int i = def->body_count - 1; i > 0; --i)
        inertia_gather(&frame[def->bodies[i].parent].tree, &frame[i].tree);

    set_root_block(m, &frame[0].tree);
    for (int i = 1; i < def->body_count; ++i)
        set_joint_row(machine, m, i);
    for (int i = 0; i < def->motor_count; ++i) {
        int dof = 5 + def->motors[i].body;
        m[dof][dof] += (double)def->motors[i].inertia;
    }
    int first = 5 + def->body_count;
    for (int i = 0; i < def->runner_count; ++i) {
        for (int k = 0; k < first + i; ++k)
            m[first + i][k] = 0.0;
        m[first + i][first + i] = (double)def->runners[i].mass;
    }
}

// --- forces of motion, weight and what pushes from outside ---------------------------------------

// The generalised force that would be needed for no acceleration.
void machine_rig_bias(Machine* machine)
{
    const MachineDef* def = machine->def;
    MachineWork* work = machine->work;
    MachineFrame* frame = work->frame;
    S6 rate[MACHINE_BODIES_MAX], force[MACHINE_BODIES_MAX];

    // the root's origin keeps its speed; gravity is an upward acceleration of everything
    D3 still = d3_mul(d3_cross(frame[0].speed.a, frame[0].speed.l), -1.0);
    rate[0] = (S6){d3(0, 0, 0), d3_add(still, d3(0, MACHINE_GRAVITY, 0))};
    for (int i = 1; i < def->body_count; ++i) {
        int parent = def->bodies[i].parent;
        S6 turn = s6_cross(frame[parent].speed, frame[i].motion);
        rate[i] = s6_mad(rate[parent], turn, machine->state.velocity[5 + i]);
    }
    for (int i = 0; i < def->body_count; ++i) {
        S6 momentum = inertia_mul(&frame[i].inertia, frame[i].speed);
        force[i] = s6_add(inertia_mul(&frame[i].inertia, rate[i]),
                          s6_cross_force(frame[i].speed, momentum));
        force[i] = s6_mad(force[i], frame[i].force, -1.0);
    }
    for (int i = def->body_count - 1; i > 0; --i) {
        work->bias[5 + i] = s6_dot(frame[i].motion, force[i]);
        int parent = def->bodies[i].parent;
        force[parent] = s6_add(force[parent], force[i]);
    }
    double* bias = work->bias;
    bias[0] = force[0].l.x, bias[1] = force[0].l.y, bias[2] = force[0].l.z;
    bias[3] = force[0].a.x, bias[4] = force[0].a.y, bias[5] = force[0].a.z;
    for (int i = 5 + def->body_count; i < def->dof_count; ++i)
        bias[i] = 0.0;
}

// --- rows ------------------------------------------------------------------------------------------

static void add_entry(MachineSolveRow* row, int dof, double value)
{
    for (int i = 0; i < row->count; ++i) {
        if (row->dof[i] == dof) {
            row->jacobian[i] += value;
            return;
        }
    }
    row->dof[row->count] = (unsigned char)dof;
    row->jacobian[row->count++] = value;
}

void machine_rig_jacobian(const Machine* machine, int body, D3 point, D3 direction, double scale,
                          MachineSolveRow* row)
{
    const MachineBody* bodies = machine->def->bodies;
    D3 l = d3_mul(direction, scale), a = d3_cross(point, l);
    const double entry[6] = {l.x, l.y, l.z, a.x, a.y, a.z};
    for (int k = 0; k < 6; ++k)
        add_entry(row, k, entry[k]);
    for (int i = body; i > 0; i = bodies[i].parent) {
        const S6* motion = &machine->work->frame[i].motion;
        add_entry(row, 5 + i, d3_dot(motion->l, l) + d3_dot(motion->a, a));
    }
}
