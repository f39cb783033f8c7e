// What others may know of a machine: poses, speeds, forces, how safely it stands.
#include "machine/machine_internal.h"

#define SUPPORTS_MAX (MACHINE_ROLLERS_MAX + MACHINE_GROUNDED_MAX)
#define SLIP_LEAST   0.05 // m/s, below it slip says nothing

static Vec3 world_of(const Machine* machine, D3 point)
{
    const double* p = machine->state.position;
    return vec3((float)(p[0] + point.x), (float)(p[1] + point.y), (float)(p[2] + point.z));
}

static D3 relative(const Machine* machine, Vec3 point)
{
    const double* p = machine->state.position;
    return d3_sub(d3_from(point), d3(p[0], p[1], p[2]));
}

// --- poses and speeds ------------------------------------------------------------------------------

static D4 rotation_of(const Machine* machine, int body)
{
    const double* q = machine->state.rotation;
    if (body == 0)
        return (D4){q[0], q[1], q[2], q[3]};
    const MachineBody* b = &machine->def->bodies[body];
    D4 parent = rotation_of(machine, b->parent);
    return b->joint == MACHINE_SLIDE
               ? parent
               : d4_mul(parent, d4_about(d3_from(b->axis), machine->state.joint[body]));
}

MachinePose machine_pose(const Machine* machine, int body)
{
    D4 q = rotation_of(machine, body);
    return (MachinePose){world_of(machine, machine->work->frame[body].origin),
                         {(float)q.x, (float)q.y, (float)q.z, (float)q.w}};
}

Vec3 machine_velocity(const Machine* machine, int body)
{
    return d3_to(machine_rig_velocity(machine, body, machine->work->frame[body].origin));
}

Vec3 machine_spin(const Machine* machine, int body)
{
    return d3_to(machine->work->frame[body].speed.a);
}

Vec3 machine_point_velocity(const Machine* machine, int body, Vec3 point)
{
    return d3_to(machine_rig_velocity(machine, body, relative(machine, point)));
}

Vec3 machine_to_world(const Machine* machine, int body, Vec3 local)
{
    return world_of(machine, machine_rig_to_world(&machine->work->frame[body], local));
}

Vec3 machine_to_body(const Machine* machine, int body, Vec3 world)
{
    const MachineFrame* f = &machine->work->frame[body];
    return d3_to(m3_tmul(&f->turn, d3_sub(relative(machine, world), f->origin)));
}

double machine_joint(const Machine* machine, int body)
{
    return machine->state.joint[body];
}

double machine_joint_speed(const Machine* machine, int body)
{
    return body > 0 ? machine->state.velocity[5 + body] : 0.0;
}

// --- actuators -------------------------------------------------------------------------------------

static MachineFeedback train_feedback(const Machine* machine, int train)
{
    const MachineDef* def = machine->def;
    MachineFeedback f = {0};
    int count = 0;
    for (int i = 0; i < def->runner_count; ++i) {
        if (def->runners[i].train != train)
            continue;
        f.length += machine->state.travel[i];
        f.speed += machine->state.velocity[5 + def->body_count + i];
        ++count;
    }
    f.length /= count > 0 ? count : 1;
    f.speed /= count > 0 ? count : 1;
    return f;
}

MachineFeedback machine_feedback(const Machine* machine, int actuator)
{
    const MachineDef* def = machine->def;
    int motor = actuator - def->cylinder_count, train = motor - def->motor_count;
    MachineFeedback f = {0};
    if (motor < 0) {
        const MachineCylinder* c = &def->cylinders[actuator];
        const MachineReach* r = &machine->work->reach[actuator];
        f.length = r->length;
        f.speed = r->arm * machine->state.velocity[5 + c->to];
        f.area_push = c->area_push;
        f.area_pull = c->area_pull;
    } else if (train < 0) {
        int body = def->motors[motor].body;
        f.length = machine->state.joint[body];
        f.speed = machine->state.velocity[5 + body];
    } else {
        f = train_feedback(machine, train);
    }
    f.effort = machine->state.effort[actuator];
    return f;
}

double machine_arm(const Machine* machine, int cylinder)
{
    return machine->work->reach[cylinder].arm;
}

Vec3 machine_knee(const Machine* machine, int cylinder)
{
    const MachineFrame* f = &machine->work->frame[machine->def->cylinders[cylinder].from];
    D3 end = machine->work->reach[cylinder].end;
    return world_of(machine, d3_add(f->origin, m3_mul(&f->turn, end)));
}

// --- on the ground ---------------------------------------------------------------------------------

int machine_rollers(const Machine* machine, MachineRoller out[MACHINE_ROLLERS_MAX])
{
    for (int i = 0; i < machine->def->roller_count; ++i) {
        const MachineGrip* grip = &machine->work->roller[i];
        bool down = grip->row >= 0 && machine->state.pressed[i] > 0.0;
        out[i] = (MachineRoller){.point = world_of(machine, grip->point), .material = -1};
        if (down) {
            out[i].normal = grip->contact.normal;
            out[i].force = (float)machine->state.pressed[i];
            out[i].pressure = out[i].force / grip->area;
            out[i].sinkage = base_maxf(grip->contact.depth, 0.0f);
            out[i].material = grip->contact.material;
        }
    }
    return machine->def->roller_count;
}

double machine_slip(const Machine* machine, int runner)
{
    const MachineDef* def = machine->def;
    const MachineRunner* r = &def->runners[runner];
    const MachineFrame* f = &machine->work->frame[r->body];
    double sole = machine->state.velocity[5 + def->body_count + runner];
    D3 point = machine_rig_to_world(f, r->center);
    double ground = d3_dot(machine_rig_velocity(machine, r->body, point), f->turn.x);
    double size = sole < 0.0 ? -sole : sole, other = ground < 0.0 ? -ground : ground;
    double most = size > other ? size : other;
    double slip = most > SLIP_LEAST ? (sole - ground) / most : 0.0;
    slip = sole < 0.0 || (sole == 0.0 && ground > 0.0) ? -slip : slip;
    return slip > 1.0 ? 1.0 : slip < -1.0 ? -1.0 : slip;
}

MachineStats machine_stats(const Machine* machine)
{
    return (MachineStats){machine->work->row_count, machine->work->iterations};
}

// --- balance ---------------------------------------------------------------------------------------

static double turn_of(D3 a, D3 b, D3 c)
{
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

static bool before(D3 a, D3 b)
{
    return a.x < b.x || (a.x == b.x && a.z < b.z);
}

// The outline of points seen from above (Andrew's chain), closed, all turns positive.
static int outline(D3* p, int count, D3* hull)
{
    for (int i = 1; i < count; ++i)
        for (int k = i; k > 0 && before(p[k], p[k - 1]); --k) {
            D3 swap = p[k];
            p[k] = p[k - 1], p[k - 1] = swap;
        }
    int n = 0;
    for (int pass = 0, floor = 0; pass < 2; ++pass, floor = n) {
        for (int i = 0; i < count; ++i) {
            D3 next = p[pass == 0 ? i : count - 1 - i];
            while (n >= floor + 2 && turn_of(hull[n - 2], hull[n - 1], next) <= 0.0)
                --n;
            hull[n++] = next;
        }
        --n; // the last point begins the other half
    }
    return n;
}

static int supports(const Machine* machine, D3* out)
{
    const MachineWork* work = machine->work;
    int count = 0;
    for (int i = 0; i < machine->def->roller_count; ++i)
        if (work->roller[i].row >= 0 && machine->state.pressed[i] > 0.0)
            out[count++] = work->roller[i].point;
    for (int i = 0; i < work->grounded_count; ++i)
        if (work->row[work->grounded[i].row].impulse > 0.0)
            out[count++] = work->grounded[i].point;
    return count;
}

MachineBalance machine_balance(const Machine* machine)
{
    const MachineWork* work = machine->work;
    MachineBalance b = {.margin = -1.0f};
    D3 first = {0, 0, 0}, points[SUPPORTS_MAX], hull[2 * SUPPORTS_MAX];
    for (int i = 0; i < machine->def->body_count; ++i) {
        b.mass += work->frame[i].inertia.mass;
        first = d3_add(first, work->frame[i].inertia.first);
    }
    D3 com = d3_mul(first, 1.0 / b.mass);
    b.com = world_of(machine, com);
    int count = supports(machine, points);
    int n = count >= 3 ? outline(points, count, hull) : 0;
    if (n < 3)
        return b;
    double margin = 1e9, height = 0.0;
    for (int i = 0; i < n; ++i) {
        D3 p = hull[i], q = hull[(i + 1) % n];
        double length = __builtin_sqrt((q.x - p.x) * (q.x - p.x) + (q.z - p.z) * (q.z - p.z));
        double inside = length > 1e-9 ? turn_of(p, q, com) / length : 1e9;
        if (inside < margin)
            margin = inside, height = com.y - 0.5 * (p.y + q.y);
    }
    b.margin = (float)margin;
    b.angle = (float)base_atan2(margin, height);
    return b;
}

double machine_energy(const Machine* machine)
{
    const MachineDef* def = machine->def;
    const double* v = machine->state.velocity;
    double energy = 0.0;
    for (int i = 0; i < def->body_count; ++i) {
        const MachineFrame* f = &machine->work->frame[i];
        energy += 0.5 * s6_dot(f->speed, inertia_mul(&f->inertia, f->speed));
        energy +=
            MACHINE_GRAVITY * (f->inertia.first.y + f->inertia.mass * machine->state.position[1]);
    }
    for (int i = 0; i < def->motor_count; ++i) {
        double spin = v[5 + def->motors[i].body];
        energy += 0.5 * (double)def->motors[i].inertia * spin * spin;
    }
    for (int i = 0; i < def->runner_count; ++i) {
        double sole = v[5 + def->body_count + i];
        energy += 0.5 * (double)def->runners[i].mass * sole * sole;
    }
    return energy;
}

// --- two machines ----------------------------------------------------------------------------------

typedef struct Touches {
    MachineTouch* out;
    int count, max;
} Touches;

static void keep(Touches* t, const MachineTouch* touch)
{
    int at = t->count;
    if (at == t->max) {
        if (at == 0 || t->out[at - 1].depth >= touch->depth)
            return;
        --at;
    } else {
        ++t->count;
    }
    for (; at > 0 && t->out[at - 1].depth < touch->depth; --at)
        t->out[at] = t->out[at - 1];
    t->out[at] = *touch;
}

// Points of one machine's body in a solid of the other; `turned` when the point is b's.
static void feel(const Machine* points, int body, const Machine* solids, int shape, float reach,
                 bool turned, Touches* t)
{
    const MachineShape* s = &solids->def->shapes[shape];
    const MachineFrame* f = &solids->work->frame[s->body];
    double depth;
    D3 out, middle = relative(solids, machine_to_world(points, body, points->ball[body]));
    if (!s->steel ||
        !machine_shape_depth(s, f, middle, (double)points->ball_radius[body], &depth, &out) ||
        depth < -(double)reach)
        return;
    for (int i = points->first_probe[body]; i < points->first_probe[body + 1]; ++i) {
        const MachineProbe* probe = &points->probe[i];
        const MachineShape* own = &points->def->shapes[probe->shape];
        Vec3 world = machine_to_world(points, body, probe->local);
        if (!own->steel ||
            !machine_shape_depth(s, f, relative(solids, world), (double)probe->radius, &depth,
                                 &out) ||
            depth < -(double)reach)
            continue;
        MachineTouch touch = {.body_a = turned ? s->body : body,
                              .body_b = turned ? body : s->body,
                              .point = world,
                              .normal = vec3_mul(d3_to(out), turned ? -1.0f : 1.0f),
                              .depth = (float)depth,
                              .friction = base_minf(own->friction, s->friction)};
        keep(t, &touch);
    }
}

int machine_touches(const Machine* a, const Machine* b, float reach, MachineTouch* out, int max)
{
    Touches t = {out, 0, max};
    for (int body = 0; body < a->def->body_count; ++body)
        for (int i = 0; i < b->def->shape_count; ++i)
            feel(a, body, b, i, reach, false, &t);
    for (int body = 0; body < b->def->body_count; ++body)
        for (int i = 0; i < a->def->shape_count; ++i)
            feel(b, body, a, i, reach, true, &t);
    return t.count;
}
