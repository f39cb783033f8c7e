#include "lab/lab_dig.h"

#include "base/base_hash.h"
#include "base/base_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIG_GAIN    2.0   // 1/s, joint speed for a miss
#define DIG_NEAR    0.003 // rad
#define DIG_BIRTHS  400
#define DIG_LENGTH  4.6f // m of pit
#define DIG_WIDTH   4.0f // m
#define DIG_FRONT   7.9f // m, where it ends
#define DIG_ASIDE   6.3f // m, to where soil is set aside
#define DIG_GRAVITY 9.81

// --- life ----------------------------------------------------------------------------------------

static bool find(LabRun* run, const char* file, char* out, size_t size)
{
    if (base_path_find(file, out, size))
        return true;
    char why[200];
    snprintf(why, sizeof why, "%s was not found beside the program", file);
    lab_fail(run, LAB_EXIT_FILE, why);
    return false;
}

bool lab_dig_make(LabRun* run, LabDig* out, const LabDigDef* def)
{
    char path[4][4096];
    const LabOptions* o = run->options;
    const char* file[4] = {def->site, o->materials, o->calibration, o->vehicle};
    static const char* const usual[3] = {"", "config/materials.yaml", "config/calibration.yaml"};
    *out = (LabDig){0};
    for (int k = 0; k < 4; ++k) {
        if (k > 0 && file[k])
            continue;
        if (!find(run,
                  k == 0   ? def->site
                  : k == 3 ? def->vehicle
                           : usual[k],
                  path[k], sizeof path[k]))
            return false;
        file[k] = path[k];
    }
    float radius = o->radius_mm > 0 ? 0.001f * (float)o->radius_mm : def->radius;
    WorldDef world = {.site = file[0],
                      .materials = file[1],
                      .calibration = file[2],
                      .radius = radius,
                      .pool = def->pool,
                      .births = DIG_BIRTHS,
                      .machine_count = 1};
    world.machine[0] = (WorldPlace){file[3], def->x, def->z, 0.0f};
    if (radius < WORLD_RADIUS_MIN || radius > WORLD_RADIUS_MAX) {
        lab_fail(run, LAB_EXIT_USAGE, "--radius must be 30 to 60 here");
        return false;
    }
    BaseYamlError error;
    out->world = world_create(&world, o->threads, &error);
    if (!out->world) {
        lab_fail(run, error.text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY,
                 error.text[0] ? error.text : "not enough memory for the site");
        return false;
    }
    out->machine = world_machine(out->world, 0);
    out->def = world_machine_def(out->world, 0);
    snprintf(run->report->machine, sizeof run->report->machine, "%s", out->def->title);
    return true;
}

void lab_dig_finish(LabRun* run, LabDig* dig)
{
    LabReport* r = run->report;
    uint64_t hash = world_hash(dig->world).total;
    const TerrainDef* def = terrain_definition(world_terrain(dig->world));
    r->hash = base_hash(&hash, sizeof hash, r->hash);
    r->columns = base_maxi(r->columns, def->nx * def->nz);
    r->grains = base_maxi(r->grains, (int)soil_state(world_soil(dig->world))->next_id);
    if (!world_audit(dig->world) || world_imbalance(dig->world) != 0)
        lab_fail(run, LAB_EXIT_FAILED, "the ledger of ground and grains does not balance");
    world_destroy(dig->world);
    *dig = (LabDig){0};
}

// --- levers --------------------------------------------------------------------------------------

void lab_dig_lever(LabDig* dig, InputFunction function, double value)
{
    dig->input.lever[function] = input_quantise((float)value, NULL);
}

void lab_dig_neutral(LabDig* dig)
{
    dig->input = (InputFrame){0};
}

void lab_dig_step(LabDig* dig)
{
    world_step(dig->world, &dig->input);
}

void lab_dig_wait(LabDig* dig, double seconds)
{
    for (int k = 0; k < (int)(seconds * WORLD_RATE + 0.5); ++k)
        lab_dig_step(dig);
}

bool lab_dig_hands(LabRun* run, LabDig* dig, float depth)
{
    OperatorTask task = {.program = OPERATOR_PIT, .truck = -1};
    Vec3 at = machine_pose(dig->machine, 0).position;
    float middle = at.x + DIG_FRONT - 0.5f * DIG_LENGTH;
    operator_task_box(&task, middle, at.z, 0.0f, DIG_LENGTH, DIG_WIDTH);
    task.from[0] = middle, task.from[1] = at.z;
    task.floor = terrain_height(world_terrain(dig->world), middle, at.z) - depth;
    for (int k = 0; k < 2; ++k) {
        task.heap[k][0] = at.x + (float)k - 0.5f;
        task.heap[k][1] = at.z - DIG_ASIDE;
    }
    const char* missing;
    if (operator_init(&dig->hands, OPERATOR_EXPERT, dig->world, 0, &task,
                      (uint64_t)run->options->seed, &missing))
        return true;
    char why[200];
    snprintf(why, sizeof why, "the vehicle has no arm to dig with: it lacks %s", missing);
    lab_fail(run, LAB_EXIT_FILE, why);
    return false;
}

bool lab_dig_until(LabDig* dig, OperatorPhase phase, double seconds)
{
    bool there = false;
    for (int k = 0; !there && k < (int)(seconds * WORLD_RATE); ++k) {
        dig->input = (InputFrame){0};
        operator_step(&dig->hands, dig->world, &dig->input);
        lab_dig_step(dig);
        there = dig->hands.state.phase == (int)phase;
    }
    lab_dig_neutral(dig);
    return there;
}

double lab_dig_steer(LabDig* dig, OperatorJoint joint, double angle)
{
    const OperatorArm* arm = &dig->hands.arm;
    OperatorPose now = operator_arm_look(arm, dig->machine);
    OperatorPose soon = operator_arm_expect(&now, dig->hands.skill.foresight);
    double miss = angle - soon.joint[joint], speed = DIG_GAIN * miss, lever = 0.0;
    if (fabs(miss) > DIG_NEAR) {
        double share = speed / operator_arm_full(arm, dig->machine, joint, speed);
        lever = operator_arm_lever(arm, dig->machine, joint, fmax(-1.0, fmin(1.0, share)));
    }
    lab_dig_lever(dig, arm->lever[joint], lever);
    return fabs(angle - now.joint[joint]);
}

// --- weighing ------------------------------------------------------------------------------------

double lab_dig_held(const LabDig* dig)
{
    const MachineTool* t = &dig->def->tools[dig->hands.arm.tool];
    const SoilState* s = soil_state(world_soil(dig->world));
    Vec3 middle = vec3_mul(vec3_add(t->hold_min, t->hold_max), 0.5f);
    Vec3 at = machine_to_world(dig->machine, t->body, middle);
    float near = 0.75f * vec3_length(vec3_sub(t->hold_max, t->hold_min));
    double kg = coupling_carrier_mass(world_coupling(dig->world), 0);
    for (int i = 0; i < s->count; ++i) {
        Vec3 d = vec3_sub(vec3(s->px[i], s->py[i], s->pz[i]), at);
        if (vec3_dot(d, d) < near * near)
            kg += 1e-6 * (double)s->mass[i];
    }
    return kg;
}

double lab_dig_contact(const LabDig* dig)
{
    CouplingFleet* fleet = world_fleet(dig->world);
    Soil* soil = world_soil(dig->world);
    double down = 0.0;
    for (int b = 0; b < dig->def->body_count; ++b) {
        int boundary = coupling_fleet_boundary(fleet, 0, b);
        if (boundary >= 0)
            down -= soil_reaction(soil, boundary)->force[1];
    }
    return down;
}

// m, of a place ahead of the swing axis, along the house.
static double ahead(const LabDig* dig, Vec3 place)
{
    MachinePose house = machine_pose(dig->machine, dig->hands.arm.body[OPERATOR_SWING]);
    Vec3 way = quat_rotate(house.rotation, vec3(1.0f, 0.0f, 0.0f));
    float level = sqrtf(way.x * way.x + way.z * way.z);
    Vec3 d = vec3_sub(place, house.position);
    return (double)((d.x * way.x + d.z * way.z) / level);
}

static bool hangs_on(const MachineDef* def, int body, int joint)
{
    while (body > joint)
        body = def->bodies[body].parent;
    return body == joint;
}

double lab_dig_moment(const LabDig* dig, OperatorJoint joint)
{
    const OperatorArm* arm = &dig->hands.arm;
    int body = arm->body[joint], cylinder = arm->actuator[joint];
    double pin = ahead(dig, machine_pose(dig->machine, body).position);
    double moment =
        machine_feedback(dig->machine, cylinder).effort * machine_arm(dig->machine, cylinder);
    for (int b = body; b < dig->def->body_count; ++b) {
        const MachineBody* part = &dig->def->bodies[b];
        if (hangs_on(dig->def, b, body))
            moment -= DIG_GRAVITY * (double)part->mass *
                      (ahead(dig, machine_to_world(dig->machine, b, part->com)) - pin);
    }
    return moment;
}

double lab_dig_weighed(const LabDig* dig)
{
    const int* body = dig->hands.arm.body;
    double boom = ahead(dig, machine_pose(dig->machine, body[OPERATOR_BOOM]).position);
    double stick = ahead(dig, machine_pose(dig->machine, body[OPERATOR_STICK]).position);
    double difference = lab_dig_moment(dig, OPERATOR_BOOM) - lab_dig_moment(dig, OPERATOR_STICK);
    return difference / (stick - boom) / DIG_GRAVITY;
}

// --- picture -------------------------------------------------------------------------------------

static void to_page(const LabDig* dig, const PlotView* v, int body, Vec3 local, double* x,
                    double* y)
{
    Vec3 at = machine_to_world(dig->machine, body, local);
    *x = plot_view_x(v, (double)at.x), *y = plot_view_y(v, (double)at.y);
}

static bool on_page(const PlotView* v, const double* x, const double* y, int count)
{
    bool all = true;
    for (int k = 0; k < count; ++k)
        all = all && x[k] >= v->area.x && x[k] <= v->area.x + v->area.w && y[k] >= v->area.y &&
              y[k] <= v->area.y + v->area.h;
    return all;
}

static void draw_shape(LabRun* run, const LabDig* dig, const PlotView* v, const MachineShape* s)
{
    PlotColor steel = plot_color(0x3c4652), paint = plot_color(0xd9a441);
    double x[MACHINE_OUTLINE_MAX], y[MACHINE_OUTLINE_MAX];
    if (s->kind == MACHINE_BOX) {
        for (int k = 0; k < 4; ++k) {
            float dx = (k == 0 || k == 3 ? -1.0f : 1.0f) * s->half.x;
            float dy = (k < 2 ? -1.0f : 1.0f) * s->half.y;
            float c = cosf(s->turn), n = sinf(s->turn);
            Vec3 corner = vec3(s->center.x + dx * c - dy * n, s->center.y + dx * n + dy * c, 0.0f);
            to_page(dig, v, s->body, corner, &x[k], &y[k]);
        }
        bool dark = strstr(s->name, "track") || strstr(s->name, "belly");
        if (on_page(v, x, y, 4))
            plot_convex(run->picture, x, y, 4, dark ? steel : paint);
    } else if (s->kind == MACHINE_CAPSULE) {
        to_page(dig, v, s->body, s->a, &x[0], &y[0]);
        to_page(dig, v, s->body, s->b, &x[1], &y[1]);
        if (on_page(v, x, y, 2))
            plot_polyline(run->picture, x, y, 2, 2.0 * (double)s->radius * v->scale,
                          PLOT_DASH_SOLID, paint);
    } else if (s->kind == MACHINE_SHELL) {
        int points = s->outline_count / 2;
        for (int k = 0; k < points; ++k)
            to_page(dig, v, s->body, vec3(s->outline[2 * k], s->outline[2 * k + 1], 0.0f), &x[k],
                    &y[k]);
        plot_polyline(run->picture, x, y, points, 4.0, PLOT_DASH_SOLID, steel);
    }
}

static void draw_teeth(LabRun* run, const LabDig* dig, const PlotView* v)
{
    for (int n = 0; n < dig->def->tool_count; ++n) {
        const MachineTool* t = &dig->def->tools[n];
        Vec3 lip = vec3_mul(vec3_add(t->edge_a, t->edge_b), 0.5f);
        Vec3 out = vec3(t->edge_normal.y, -t->edge_normal.x, 0.0f);
        double x[2], y[2];
        to_page(dig, v, t->body, lip, &x[0], &y[0]);
        to_page(dig, v, t->body, vec3_mad(lip, out, t->tooth_length), &x[1], &y[1]);
        if (t->teeth > 0)
            plot_polyline(run->picture, x, y, 2, 5.0, PLOT_DASH_SOLID, plot_color(0x3c4652));
    }
}

// What rides frozen: grains too, for the picture.
static void draw_riders(LabRun* run, const LabDig* dig, const PlotView* v, const LabSection* s)
{
    const Coupling* c = world_coupling(dig->world);
    const TerrainDef* def = terrain_definition(world_terrain(dig->world));
    double z = (double)def->origin.z + (s->row + 0.5) * (double)def->cell;
    int all = coupling_carrier_grains(c, 0), count = 0;
    PlotGrain* grains = all > 0 ? malloc((size_t)all * sizeof *grains) : NULL;
    for (int n = 0; grains && n < all; ++n) {
        CouplingRider r = coupling_carrier_rider(c, 0, n);
        if (fabs((double)r.position.z - z) < s->deep)
            grains[count++] = (PlotGrain){.x = r.position.x,
                                          .y = r.position.y,
                                          .z = r.position.z,
                                          .radius = r.radius,
                                          .id = (uint32_t)n,
                                          .material = (uint8_t)r.material};
    }
    if (grains)
        plot_view_grains(run->picture, v, grains, count, PLOT_SHADE_MATERIAL);
    free(grains);
}

PlotView lab_dig_draw(LabRun* run, PlotRect area, const LabDig* dig, LabSection section)
{
    LabWorld w = {.terrain = world_terrain(dig->world),
                  .soil = world_soil(dig->world),
                  .coupling = world_coupling(dig->world)};
    PlotView v = lab_world_draw(run, area, &w, section);
    if (dig->def->tool_count > 0 && dig->def->tools[0].kind == MACHINE_BUCKET)
        draw_riders(run, dig, &v, &section);
    for (int n = 0; n < dig->def->shape_count; ++n)
        draw_shape(run, dig, &v, &dig->def->shapes[n]);
    draw_teeth(run, dig, &v);
    return v;
}

int lab_dig_row(const LabDig* dig, float z)
{
    const TerrainDef* def = terrain_definition(world_terrain(dig->world));
    return base_mini(base_maxi((int)((z - def->origin.z) / def->cell), 0), def->nz - 1);
}
