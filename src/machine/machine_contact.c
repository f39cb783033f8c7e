// Where tracks, wheels and shapes meet ground and steel, as rows: a soft normal (the ground's
// bearing), friction along and across within an ellipse.
#include "machine/machine_internal.h"

#define NEAR        0.10  // m, contacts are looked for so far ahead
#define HARDENING   0.1   // stiffness of ground beyond its capacity, of that before
#define DAMPING     0.7   // part of the critical damping, where the file says nothing
#define UNBOUNDED   1e30  // N s
#define STEEL_SOFT  1e-4  // m/s per N s and kg: rows of steel on steel
#define STEEL_PUSH  0.2   // of the depth that is undone in a step
#define STEEL_SPEED 0.3   // m/s, at most
#define STEEL_SLACK 0.002 // m, that touching steel may overlap

// --- rollers ---------------------------------------------------------------------------------------

static Vec3 roller_place(const MachineRunner* r, int k)
{
    float part = r->rollers > 1 ? (float)k / (float)(r->rollers - 1) - 0.5f : 0.0f;
    bool outer = r->rollers > 1 && (k == 0 || k == r->rollers - 1);
    return vec3(r->center.x + part * r->length, r->center.y + (outer ? r->rise : 0.0f),
                r->center.z);
}

static float roller_area(const MachineRunner* r)
{
    return r->radius > 0.0f ? r->width * r->radius * 0.5f
                            : r->width * r->length / (float)(r->rollers - 1);
}

static Vec3 root_position(const Machine* machine)
{
    const double* p = machine->state.position;
    return vec3((float)p[0], (float)p[1], (float)p[2]);
}

// The ground is asked in float; what rounding the point took away is put back along the normal, or
// machines far from the origin would tremble.
static bool ask(const Machine* machine, const MachineGround* ground, D3 point, double reach,
                MachineContact* out)
{
    const double* p = machine->state.position;
    D3 exact = d3_add(d3(p[0], p[1], p[2]), point);
    Vec3 world = d3_to(exact);
    if (!ground->contact(ground->context, world, (float)reach, out))
        return false;
    D3 rest = d3_sub(exact, d3_from(world));
    out->depth = (float)((double)out->depth - d3_dot(rest, d3_from(out->normal)));
    return (double)out->depth > -reach;
}

// A wheel touches where its tread is lowest along the ground's normal.
static D3 tread(const MachineFrame* f, D3 hub, double radius, D3 normal)
{
    D3 flat = d3_mad(normal, f->turn.z, -d3_dot(normal, f->turn.z));
    return d3_mad(hub, d3_unit(flat), -radius);
}

static bool find_roller(const Machine* machine, const MachineGround* ground, const MachineRunner* r,
                        int k, MachineGrip* grip)
{
    const MachineFrame* f = &machine->work->frame[r->body];
    D3 place = machine_rig_to_world(f, roller_place(r, k));
    grip->point = r->radius > 0.0f ? tread(f, place, (double)r->radius, d3(0, 1, 0)) : place;
    if (!ask(machine, ground, grip->point, NEAR + (double)r->radius * 0.1, &grip->contact))
        return false;
    if (r->radius > 0.0f) {
        grip->point = tread(f, place, (double)r->radius, d3_from(grip->contact.normal));
        return ask(machine, ground, grip->point, NEAR, &grip->contact);
    }
    return true;
}

// Implicit spring and damper: at the end of the step the force is F0 - (h k + c) speed.
static void set_soft(MachineSolveRow* row, double force, double stiffness, double damping, double h)
{
    double give = h * h * stiffness + h * damping;
    row->soft = 1.0 / give;
    row->target = h * force / give;
    row->lo = 0.0;
    row->hi = UNBOUNDED;
}

// Pressure grows with sinkage up to the ground's capacity, then a tenth as fast; `own` is a tyre's
// or suspension's stiffness in series, or 0.
static void set_bearing(MachineSolveRow* row, const MachineContact* c, double area, double own,
                        double damping, double share, double h)
{
    double ground = (double)c->stiffness * area, limit = (double)c->capacity * area;
    double k = own > 0.0 ? ground * own / (ground + own) : ground;
    double force = k * (double)c->depth;
    if (force > limit) {
        double weak = ground * HARDENING;
        double after = own > 0.0 ? weak * own / (weak + own) : weak;
        force = limit + after * ((double)c->depth - limit / k);
        k = after;
    }
    set_soft(row, force, k, damping > 0.0 ? damping : DAMPING * __builtin_sqrt(k * share), h);
}

static MachineSolveRow* normal_row(Machine* machine, int body, D3 point, D3 normal)
{
    MachineSolveRow* row = machine_rows_add(machine);
    row->kind = MACHINE_ROW_BOX;
    machine_rig_jacobian(machine, body, point, normal, 1.0, row);
    return row;
}

// Two rows with the same dofs in the same order; the first may get more behind.
static void friction_rows(Machine* machine, int body, D3 point, D3 along, D3 across, int limiter,
                          double mu_along, double mu_across, int dof)
{
    MachineSolveRow* first = machine_rows_add(machine);
    first->kind = MACHINE_ROW_PAIR;
    first->limiter = limiter;
    first->friction = mu_along;
    machine_rig_jacobian(machine, body, point, along, 1.0, first);
    if (dof >= 0) {
        first->dof[first->count] = (unsigned char)dof;
        first->jacobian[first->count++] = -1.0;
    }
    MachineSolveRow* second = machine_rows_add(machine);
    second->kind = MACHINE_ROW_MATE;
    second->limiter = limiter;
    second->friction = mu_across;
    machine_rig_jacobian(machine, body, point, across, 1.0, second);
}

static void runner_normals(Machine* machine, const MachineGround* ground, int index, double h)
{
    const MachineRunner* r = &machine->def->runners[index];
    double share = machine->def->mass / (double)machine->def->roller_count;
    for (int k = 0; k < r->rollers; ++k) {
        MachineGrip* grip = &machine->work->roller[r->first_roller + k];
        grip->row = -1;
        grip->area = roller_area(r);
        if (!ground || !find_roller(machine, ground, r, k, grip))
            continue;
        grip->row = machine->work->row_count;
        MachineSolveRow* row =
            normal_row(machine, r->body, grip->point, d3_from(grip->contact.normal));
        set_bearing(row, &grip->contact, (double)grip->area, (double)r->stiffness,
                    (double)r->damping, share, h);
    }
}

static void runner_friction(Machine* machine, int index)
{
    const MachineRunner* r = &machine->def->runners[index];
    const MachineFrame* f = &machine->work->frame[r->body];
    int dof = 5 + machine->def->body_count + index, first = -1, count = 0;
    for (int k = 0; k < r->rollers; ++k) {
        const MachineGrip* grip = &machine->work->roller[r->first_roller + k];
        if (grip->row < 0)
            continue;
        first = first < 0 ? grip->row : first;
        ++count;
        D3 normal = d3_from(grip->contact.normal);
        D3 along = d3_unit(d3_mad(f->turn.x, normal, -d3_dot(f->turn.x, normal)));
        double mu = (double)grip->contact.friction;
        friction_rows(machine, r->body, grip->point, along, d3_cross(normal, along), grip->row,
                      mu * (double)r->along, mu * (double)r->across, dof);
    }
    if (count == 0 || r->rolling <= 0.0f)
        return;
    MachineSolveRow* row = machine_rows_add(machine);
    row->kind = MACHINE_ROW_BOX;
    row->limiter = first;
    row->limiters = count;
    row->friction = (double)r->rolling;
    row->count = 1;
    row->dof[0] = (unsigned char)dof;
    row->jacobian[0] = 1.0;
    row->soft = 1e-6 / (double)r->mass;
}

// --- shapes on the ground --------------------------------------------------------------------------

// Keeps the deepest; a full list drops its shallowest.
static void keep_grounded(MachineWork* work, const MachineGrip* grip)
{
    int at = work->grounded_count;
    if (at == MACHINE_GROUNDED_MAX) {
        if (work->grounded[at - 1].contact.depth >= grip->contact.depth)
            return;
        --at;
    } else {
        ++work->grounded_count;
    }
    for (; at > 0 && work->grounded[at - 1].contact.depth < grip->contact.depth; --at)
        work->grounded[at] = work->grounded[at - 1];
    work->grounded[at] = *grip;
}

static void feel_ground(Machine* machine, const MachineGround* ground, int body)
{
    const MachineFrame* f = &machine->work->frame[body];
    MachineContact contact;
    double radius = (double)machine->ball_radius[body];
    D3 middle = machine_rig_to_world(f, machine->ball[body]);
    if (!ask(machine, ground, middle, radius + NEAR, &contact))
        return;
    for (int i = machine->first_probe[body]; i < machine->first_probe[body + 1]; ++i) {
        const MachineProbe* probe = &machine->probe[i];
        MachineGrip grip = {
            .point = machine_rig_to_world(f, probe->local), .area = probe->area, .probe = i};
        if (!machine->def->shapes[probe->shape].ground || (probe->tool && !ground->tools))
            continue;
        double ball = (double)probe->radius;
        if (!ask(machine, ground, grip.point, ball + NEAR, &grip.contact))
            continue;
        grip.point = d3_mad(grip.point, d3_from(grip.contact.normal), -ball);
        grip.contact.depth += probe->radius;
        keep_grounded(machine->work, &grip);
    }
}

// Any two directions that span the plane across a normal.
static void tangents(D3 normal, D3* along, D3* across)
{
    D3 other = normal.x * normal.x < 0.5 ? d3(1, 0, 0) : d3(0, 0, 1);
    *along = d3_unit(d3_mad(other, normal, -d3_dot(other, normal)));
    *across = d3_cross(normal, *along);
}

static void grounded_rows(Machine* machine, double h)
{
    MachineWork* work = machine->work;
    for (int i = 0; i < work->grounded_count; ++i) {
        MachineGrip* grip = &work->grounded[i];
        const MachineProbe* probe = &machine->probe[grip->probe];
        D3 normal = d3_from(grip->contact.normal), along, across;
        tangents(normal, &along, &across);
        grip->row = work->row_count;
        MachineSolveRow* row = normal_row(machine, probe->body, grip->point, normal);
        set_bearing(row, &grip->contact, (double)grip->area, 0.0, 0.0, machine->def->mass / 8.0, h);
        double mu = (double)grip->contact.friction;
        friction_rows(machine, probe->body, grip->point, along, across, grip->row, mu, mu, -1);
    }
}

// --- own steel on own steel ------------------------------------------------------------------------

static void keep_touch(MachineWork* work, const MachineOwnTouch* touch)
{
    int at = work->touch_count;
    if (at == MACHINE_TOUCHES_MAX) {
        if (work->touch[at - 1].depth >= touch->depth)
            return;
        --at;
    } else {
        ++work->touch_count;
    }
    for (; at > 0 && work->touch[at - 1].depth < touch->depth; --at)
        work->touch[at] = work->touch[at - 1];
    work->touch[at] = *touch;
}

static void feel_shape(Machine* machine, int a, int shape)
{
    const MachineShape* s = &machine->def->shapes[shape];
    const MachineFrame* fa = &machine->work->frame[a];
    const MachineFrame* fb = &machine->work->frame[s->body];
    MachineOwnTouch touch = {.body_a = a, .body_b = s->body};
    D3 middle = machine_rig_to_world(fa, machine->ball[a]);
    double radius = (double)machine->ball_radius[a];
    if (!machine_shape_depth(s, fb, middle, radius, &touch.depth, &touch.normal) ||
        touch.depth < -NEAR)
        return;
    for (int i = machine->first_probe[a]; i < machine->first_probe[a + 1]; ++i) {
        const MachineProbe* probe = &machine->probe[i];
        const MachineShape* own = &machine->def->shapes[probe->shape];
        touch.point = machine_rig_to_world(fa, probe->local);
        if (!own->steel || !machine_shape_depth(s, fb, touch.point, (double)probe->radius,
                                                &touch.depth, &touch.normal))
            continue;
        touch.friction = (double)base_minf(own->friction, s->friction);
        if (touch.depth > -NEAR)
            keep_touch(machine->work, &touch);
    }
}

// Bodies on one joint overlap at their pin by design.
static bool neighbours(const MachineDef* def, int a, int b)
{
    return a == b || def->bodies[a].parent == b || def->bodies[b].parent == a;
}

static void touch_rows(Machine* machine, double h)
{
    MachineWork* work = machine->work;
    double soft = STEEL_SOFT / machine->def->mass;
    for (int i = 0; i < work->touch_count; ++i) {
        const MachineOwnTouch* t = &work->touch[i];
        D3 along, across;
        tangents(t->normal, &along, &across);
        int limiter = work->row_count;
        MachineSolveRow* row = normal_row(machine, t->body_a, t->point, t->normal);
        machine_rig_jacobian(machine, t->body_b, t->point, t->normal, -1.0, row);
        double free = t->depth - STEEL_SLACK, back = STEEL_PUSH * free / h;
        row->target = free < 0.0 ? free / h : back < STEEL_SPEED ? back : STEEL_SPEED;
        row->soft = soft;
        row->lo = 0.0;
        row->hi = UNBOUNDED;
        friction_rows(machine, t->body_a, t->point, along, across, limiter, t->friction,
                      t->friction, -1);
        MachineSolveRow* second = &work->row[work->row_count - 1];
        machine_rig_jacobian(machine, t->body_b, t->point, along, -1.0, second - 1);
        machine_rig_jacobian(machine, t->body_b, t->point, across, -1.0, second);
    }
}

// --- a step ----------------------------------------------------------------------------------------

void machine_contact_rows(Machine* machine, const MachineGround* ground, double h)
{
    const MachineDef* def = machine->def;
    MachineWork* work = machine->work;
    work->grounded_count = work->touch_count = 0;
    for (int i = 0; i < def->runner_count; ++i)
        runner_normals(machine, ground, i, h);
    for (int i = 0; i < def->runner_count; ++i)
        runner_friction(machine, i);
    for (int body = 0; body < def->body_count; ++body) {
        if (machine->first_probe[body] == machine->first_probe[body + 1])
            continue;
        if (ground)
            feel_ground(machine, ground, body);
        for (int i = 0; i < def->shape_count; ++i)
            if (def->shapes[i].steel && !neighbours(def, body, def->shapes[i].body))
                feel_shape(machine, body, i);
    }
    grounded_rows(machine, h);
    touch_rows(machine, h);
}

static Vec3 world_of(const Machine* machine, D3 point)
{
    return vec3_add(root_position(machine), d3_to(point));
}

void machine_contact_press(Machine* machine, const MachineGround* ground, double h)
{
    MachineWork* work = machine->work;
    for (int i = 0; i < machine->def->roller_count; ++i) {
        const MachineGrip* grip = &work->roller[i];
        double force = grip->row >= 0 ? work->row[grip->row].impulse / h : 0.0;
        machine->state.pressed[i] = force;
        if (force > 0.0 && ground && ground->press)
            ground->press(ground->press_context, world_of(machine, grip->point),
                          grip->contact.normal, (float)force, grip->area);
    }
    for (int i = 0; i < work->grounded_count; ++i) {
        const MachineGrip* grip = &work->grounded[i];
        double force = work->row[grip->row].impulse / h;
        if (force > 0.0 && ground && ground->press)
            ground->press(ground->press_context, world_of(machine, grip->point),
                          grip->contact.normal, (float)force, grip->area);
    }
}
