// The points of shapes that feel for ground and steel, and the solids they can meet.
#include "machine/machine_internal.h"

#define AREA_LEAST 0.01f // m2, a corner presses on at least so much ground

static bool add_probe(Machine* machine, int shape, Vec3 local, float radius, float area)
{
    if (machine->probe_count == MACHINE_PROBES_MAX)
        return false;
    machine->probe[machine->probe_count++] = (MachineProbe){
        .body = machine->def->shapes[shape].body,
        .shape = shape,
        .local = local,
        .radius = radius,
        .area = base_maxf(area, AREA_LEAST),
    };
    return true;
}

// On both borders of the plate and in its middle.
static bool add_shell(Machine* machine, int shape)
{
    const MachineShape* s = &machine->def->shapes[shape];
    float length = 0.0f;
    int points = s->outline_count / 2;
    for (int i = 1; i < points; ++i) {
        const float* p = s->outline + 2 * i;
        length += vec3_length(vec3(p[0] - p[-2], p[1] - p[-1], 0.0f));
    }
    float area = length * 2.0f * s->half_width / (float)(3 * points);
    bool fine = true;
    for (int i = 0; i < points; ++i)
        for (int side = -1; side <= 1; ++side)
            fine = fine && add_probe(machine, shape,
                                     vec3(s->outline[2 * i], s->outline[2 * i + 1],
                                          (float)side * s->half_width),
                                     0.0f, area);
    return fine;
}

static bool add_cheek(Machine* machine, int shape)
{
    const MachineShape* s = &machine->def->shapes[shape];
    bool fine = true;
    for (int i = 0; i < s->outline_count / 2; ++i)
        fine =
            fine && add_probe(machine, shape, vec3(s->outline[2 * i], s->outline[2 * i + 1], s->z),
                              0.0f, AREA_LEAST);
    return fine;
}

static Vec3 box_point(const MachineShape* s, Vec3 local)
{
    float sine = base_sinf(s->turn), cosine = base_cosf(s->turn);
    return vec3(s->center.x + cosine * local.x - sine * local.y,
                s->center.y + sine * local.x + cosine * local.y, s->center.z + local.z);
}

static bool add_box(Machine* machine, int shape)
{
    const MachineShape* s = &machine->def->shapes[shape];
    bool fine = true;
    for (int i = 0; i < 8; ++i) {
        Vec3 corner = {i & 1 ? s->half.x : -s->half.x, i & 2 ? s->half.y : -s->half.y,
                       i & 4 ? s->half.z : -s->half.z};
        fine = fine && add_probe(machine, shape, box_point(s, corner), 0.0f, s->half.x * s->half.z);
    }
    return fine;
}

static bool add_capsule(Machine* machine, int shape)
{
    const MachineShape* s = &machine->def->shapes[shape];
    float area = s->radius * (s->radius + vec3_length(vec3_sub(s->b, s->a)) / 3.0f);
    Vec3 middle = vec3_mul(vec3_add(s->a, s->b), 0.5f);
    return add_probe(machine, shape, s->a, s->radius, area) &&
           add_probe(machine, shape, middle, s->radius, area) &&
           add_probe(machine, shape, s->b, s->radius, area);
}

static bool add_shape(Machine* machine, int shape)
{
    switch (machine->def->shapes[shape].kind) {
    case MACHINE_SHELL: return add_shell(machine, shape);
    case MACHINE_CHEEK: return add_cheek(machine, shape);
    case MACHINE_BOX: return add_box(machine, shape);
    default: return add_capsule(machine, shape);
    }
}

static void enclose(Machine* machine, int body)
{
    int first = machine->first_probe[body], end = machine->first_probe[body + 1];
    Vec3 sum = {0, 0, 0};
    for (int i = first; i < end; ++i)
        sum = vec3_add(sum, machine->probe[i].local);
    machine->ball[body] = vec3_mul(sum, end > first ? 1.0f / (float)(end - first) : 0.0f);
    machine->ball_radius[body] = 0.0f;
    for (int i = first; i < end; ++i) {
        Vec3 arm = vec3_sub(machine->probe[i].local, machine->ball[body]);
        machine->ball_radius[body] =
            base_maxf(machine->ball_radius[body], vec3_length(arm) + machine->probe[i].radius);
    }
}

bool machine_shape_probes(Machine* machine)
{
    const MachineDef* def = machine->def;
    bool tool[MACHINE_BODIES_MAX] = {false};
    for (int i = 0; i < def->tool_count; ++i)
        tool[def->tools[i].body] = true;
    for (int body = 0; body < def->body_count; ++body) {
        machine->first_probe[body] = machine->probe_count;
        for (int i = 0; i < def->shape_count; ++i)
            if (def->shapes[i].body == body && !add_shape(machine, i))
                return false;
        for (int i = machine->first_probe[body]; i < machine->probe_count; ++i)
            machine->probe[i].tool = tool[body];
        machine->first_probe[body + 1] = machine->probe_count;
        enclose(machine, body);
    }
    return true;
}

// --- solids ----------------------------------------------------------------------------------------

// Signed distance to a box about the origin: positive outside; *out leads away from it.
static double box_distance(D3 p, Vec3 half, D3* out)
{
    double size[3] = {(double)half.x, (double)half.y, (double)half.z}, at[3] = {p.x, p.y, p.z};
    double beyond[3], square = 0.0;
    int nearest = 0;
    for (int k = 0; k < 3; ++k) {
        beyond[k] = (at[k] < 0.0 ? -at[k] : at[k]) - size[k];
        if (beyond[k] > 0.0)
            square += beyond[k] * beyond[k];
        if (beyond[k] > beyond[nearest])
            nearest = k;
    }
    double way[3] = {0, 0, 0};
    if (square <= 0.0) {
        way[nearest] = at[nearest] < 0.0 ? -1.0 : 1.0;
        *out = d3(way[0], way[1], way[2]);
        return beyond[nearest];
    }
    double distance = __builtin_sqrt(square);
    for (int k = 0; k < 3; ++k)
        way[k] = beyond[k] > 0.0 ? (at[k] < 0.0 ? -beyond[k] : beyond[k]) / distance : 0.0;
    *out = d3(way[0], way[1], way[2]);
    return distance;
}

static double capsule_distance(const MachineShape* s, D3 p, D3* out)
{
    D3 a = d3_from(s->a), way = d3_sub(d3_from(s->b), a), arm = d3_sub(p, a);
    double square = d3_dot(way, way), t = square > 0.0 ? d3_dot(arm, way) / square : 0.0;
    D3 gap = d3_mad(arm, way, t < 0.0 ? -0.0 : t > 1.0 ? -1.0 : -t);
    *out = d3_unit(gap);
    return d3_length(gap) - (double)s->radius;
}

bool machine_shape_depth(const MachineShape* shape, const MachineFrame* frame, D3 point,
                         double radius, double* depth, D3* out)
{
    D3 p = m3_tmul(&frame->turn, d3_sub(point, frame->origin)), way;
    double distance;
    if (shape->kind == MACHINE_CAPSULE) {
        distance = capsule_distance(shape, p, &way);
    } else if (shape->kind == MACHINE_BOX) {
        double sine = base_sin((double)shape->turn), cosine = base_cos((double)shape->turn);
        D3 q = d3_sub(p, d3_from(shape->center)), w;
        q = d3(cosine * q.x + sine * q.y, cosine * q.y - sine * q.x, q.z);
        distance = box_distance(q, shape->half, &w);
        way = d3(cosine * w.x - sine * w.y, sine * w.x + cosine * w.y, w.z);
    } else {
        return false;
    }
    *depth = radius - distance;
    *out = m3_mul(&frame->turn, way);
    return true;
}
