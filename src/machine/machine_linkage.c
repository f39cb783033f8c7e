#include "machine/machine_linkage.h"

#include "machine/machine.h"

#define LOOKS  720 // places where a joint's way is looked at
#define HALVES 60

// A point of the driven body and its speed per joint speed, in the first body's frame.
static D3 driven_point(const MachineBody* body, Vec3 local, double joint, D3* speed)
{
    D3 axis = d3_from(body->axis), p = d3_from(local);
    if (body->joint == MACHINE_SLIDE) {
        *speed = axis;
        return d3_mad(d3_add(d3_from(body->pin), p), axis, joint);
    }
    M3 turn = m3_of(d4_about(axis, joint));
    D3 arm = m3_mul(&turn, p);
    *speed = d3_cross(axis, arm);
    return d3_add(d3_from(body->pin), arm);
}

// The knee in the x-y plane: `link` from point p, `idler` from the idler's pin. Its speed follows
// from both lengths being constant: two equations, solved by Cramer's rule.
static bool find_knee(const MachineLinkage* link, D3 p, D3 p_speed, D3* knee, D3* speed)
{
    D3 base = d3_from(link->idler_pin);
    double r1 = (double)link->idler, r2 = (double)link->link;
    double dx = p.x - base.x, dy = p.y - base.y, square = dx * dx + dy * dy;
    double along = (square + r1 * r1 - r2 * r2) / (2.0 * square);
    double rest = r1 * r1 / square - along * along;
    double up = (rest > 0.0 ? __builtin_sqrt(rest) : 0.0) * (link->side == 0 ? 1.0 : -1.0);
    *knee = d3(base.x + along * dx - up * dy, base.y + along * dy + up * dx, base.z);

    double ax = knee->x - base.x, ay = knee->y - base.y, bx = knee->x - p.x, by = knee->y - p.y;
    double det = ax * by - ay * bx, pull = bx * p_speed.x + by * p_speed.y;
    bool fine = rest > 0.0 && det * det > 1e-12 * square * square;
    *speed = fine ? d3(-ay * pull / det, ax * pull / det, 0.0) : d3(0, 0, 0);
    return fine;
}

MachineReach machine_reach(const MachineDef* def, int cylinder, double joint)
{
    const MachineCylinder* c = &def->cylinders[cylinder];
    const MachineBody* body = &def->bodies[c->to];
    MachineReach reach = {.closes = true};
    D3 speed;
    if (c->linkage) {
        D3 p_speed, p = driven_point(body, c->linkage->link_pin, joint, &p_speed);
        reach.closes = find_knee(c->linkage, p, p_speed, &reach.end, &speed);
    } else {
        reach.end = driven_point(body, c->to_pin, joint, &speed);
    }
    D3 way = d3_sub(reach.end, d3_from(c->from_pin));
    reach.length = d3_length(way);
    reach.arm = d3_dot(way, speed) / (reach.length > 1e-9 ? reach.length : 1e-9);
    return reach;
}

static double closed_of(const MachineCylinder* c)
{
    return (double)c->closed;
}

static double open_of(const MachineCylinder* c)
{
    return (double)c->closed + (double)c->stroke;
}

// Where the length crosses `wanted` between a and b, by halving.
static double crossing(const MachineDef* def, int cylinder, double a, double b, double wanted)
{
    bool below = machine_reach(def, cylinder, a).length < wanted;
    for (int i = 0; i < HALVES; ++i) {
        double middle = 0.5 * (a + b);
        if ((machine_reach(def, cylinder, middle).length < wanted) == below)
            a = middle;
        else
            b = middle;
    }
    return 0.5 * (a + b);
}

static bool within(const MachineCylinder* c, const MachineReach* r, double slack)
{
    return r->closes && r->length >= closed_of(c) - slack && r->length <= open_of(c) + slack;
}

// The stretch around the joint's start that the stroke allows, found by walking both ways.
static double walk(const MachineDef* def, int cylinder, double from, double to)
{
    const MachineCylinder* c = &def->cylinders[cylinder];
    double last = from;
    for (int i = 1; i <= LOOKS; ++i) {
        double q = from + (to - from) * i / LOOKS;
        MachineReach r = machine_reach(def, cylinder, q);
        if (!r.closes)
            return last;
        if (!within(c, &r, 0.0))
            return crossing(def, cylinder, last, q,
                            r.length < closed_of(c) ? closed_of(c) : open_of(c));
        last = q;
    }
    return to;
}

bool machine_reach_range(const MachineDef* def, int cylinder, double* lo, double* hi)
{
    const MachineCylinder* c = &def->cylinders[cylinder];
    double start = (double)def->bodies[c->to].start;
    MachineReach r = machine_reach(def, cylinder, start);
    if (!within(c, &r, 1e-9))
        return false;
    *lo = walk(def, cylinder, start, *lo);
    *hi = walk(def, cylinder, start, *hi);
    return true;
}

bool machine_joint_at(const MachineDef* def, int cylinder, double length, double* out)
{
    const MachineBody* body = &def->bodies[def->cylinders[cylinder].to];
    double range = body->joint == MACHINE_SLIDE ? 20.0 : BASE_PI;
    double lo = (double)body->start - range, hi = (double)body->start + range;
    if (!machine_reach_range(def, cylinder, &lo, &hi))
        return false;
    double a = machine_reach(def, cylinder, lo).length, b = machine_reach(def, cylinder, hi).length;
    double slack = 1e-6;
    if (length < (a < b ? a : b) - slack || length > (a < b ? b : a) + slack)
        return false;
    // at its stops, or a hair beyond, nothing is crossed: halving would end at either end
    if (length <= (a < b ? a : b))
        *out = a < b ? lo : hi;
    else if (length >= (a < b ? b : a))
        *out = a < b ? hi : lo;
    else
        *out = crossing(def, cylinder, lo, hi, length);
    return true;
}
