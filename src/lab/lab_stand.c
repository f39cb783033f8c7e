#include "lab/lab_stand.h"

#include "base/base_path.h"

#include <stdio.h>

#define STAND_ARENA (16u << 20)
#define STAND_HOLDS 1e9 // N

// Six rows hold a body: three speeds at one point, and three more at points beside it.
typedef struct StandRow {
    Vec3 at, direction;
} StandRow;

static const StandRow hold_rows[6] = {
    {{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {0, 0, 1}},
    {{0, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}},
};

bool lab_stand_make(LabRun* run, LabStand* out, LabWorld* world, const char* file, Vec3 position)
{
    char path[4096];
    BaseYamlError error;
    const Material* materials[TERRAIN_MATERIALS_MAX];
    *out = (LabStand){.world = world, .parts = LAB_STAND_PARTS};
    if (!base_path_find(file, path, sizeof path)) {
        lab_fail(run, LAB_EXIT_FILE, "the test body's file was not found beside the program");
        return false;
    }
    if (!base_arena_init(&out->arena, STAND_ARENA)) {
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the test body");
        return false;
    }
    if (!machine_load(path, &out->arena, &out->def, &error)) {
        lab_fail(run, LAB_EXIT_FILE, error.text);
        base_arena_free(&out->arena);
        return false;
    }
    for (int m = 0; m < world->materials; ++m)
        materials[m] = &world->soils.set.materials[m];
    out->machine = machine_create(&out->def);
    out->fleet = out->machine ? coupling_fleet_create(world->coupling, materials) : NULL;
    if (out->fleet) {
        machine_place(out->machine, position, 0.0f);
        if (coupling_fleet_add(out->fleet, out->machine) == 0)
            return true;
    }
    lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the test stand");
    lab_stand_destroy(out);
    return false;
}

void lab_stand_destroy(LabStand* s)
{
    coupling_fleet_destroy(s->fleet);
    machine_destroy(s->machine);
    base_arena_free(&s->arena);
    *s = (LabStand){0};
}

static void hold(LabStand* s, double h, int row[6])
{
    Vec3 root = machine_pose(s->machine, 0).position;
    const float wanted[3] = {s->velocity.x, s->velocity.y, s->velocity.z};
    for (int k = 0; k < 6; ++k) {
        const StandRow* r = &hold_rows[k];
        int axis = r->direction.x != 0.0f ? 0 : r->direction.y != 0.0f ? 1 : 2;
        MachineRow x = {.body = 0,
                        .point = vec3_add(root, r->at),
                        .direction = r->direction,
                        .speed = (double)wanted[axis],
                        .lo = -STAND_HOLDS * h,
                        .hi = STAND_HOLDS * h,
                        .softness = s->softness,
                        .limiter = -1};
        row[k] = machine_add_row(s->machine, &x);
    }
}

void lab_stand_step(LabStand* s)
{
    LabWorld* w = s->world;
    double dt = lab_world_dt(w);
    int parts = soil_parts(w->soil, s->parts);
    s->force[0] = s->force[1] = s->force[2] = 0.0;
    coupling_fleet_cut(s->fleet);
    soil_begin(w->soil, w->jobs, parts);
    for (int part = 0; part < parts; ++part) {
        int row[6];
        double h = soil_part_seconds(w->soil);
        coupling_fleet_lead(s->fleet);
        soil_part(w->soil, w->jobs);
        if (s->look && part + 1 < parts)
            s->look(s->context, false);
        coupling_fleet_react(s->fleet, h);
        if (!s->free)
            hold(s, h, row);
        machine_step(s->machine, coupling_fleet_ground(s->fleet), h);
        coupling_fleet_feel(s->fleet, h);
        for (int k = 0; k < 6 && !s->free; ++k) {
            const Vec3 d = hold_rows[k].direction;
            double force = machine_row_impulse(s->machine, row[k]) / dt;
            s->force[0] += (double)d.x * force;
            s->force[1] += (double)d.y * force;
            s->force[2] += (double)d.z * force;
        }
    }
    coupling_fleet_lead(s->fleet);
    soil_end(w->soil);
    if (s->look)
        s->look(s->context, true);
    coupling_fleet_settle(s->fleet);
    coupling_step(w->coupling, w->jobs);
    terrain_settle(w->terrain, w->jobs);
}
