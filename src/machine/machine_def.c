#include "machine/machine_def.h"

#include "machine/machine_check.h"

#include <stdio.h>
#include <string.h>

// --- rules within one mapping ----------------------------------------------------------------------

static double inertia_at(const float m[6], int i, int j)
{
    static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    return (double)m[place[i][j]];
}

// By leading minors, each against the size of the matrix.
static bool positive_definite(const float m[6])
{
    double a = inertia_at(m, 0, 0), b = inertia_at(m, 1, 1), c = inertia_at(m, 2, 2);
    double d = inertia_at(m, 0, 1), e = inertia_at(m, 0, 2), f = inertia_at(m, 1, 2);
    double det = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
    double size = a + b + c;
    return a > 0 && a * b - d * d > 1e-12 * size * size && det > 1e-18 * size * size * size;
}

// A body of positive density has sum of squares along each axis: (trace/2) 1 - I must be positive.
static bool possible(const float m[6])
{
    double half = 0.5 * ((double)m[0] + (double)m[1] + (double)m[2]), slack = half * 1e-6;
    float second[6];
    for (int i = 0; i < 3; ++i) {
        second[i] = (float)(half - (double)m[i] + slack);
        second[3 + i] = -m[3 + i];
    }
    return positive_definite(second);
}

static const char* check_body(const void* item, const char** key)
{
    const MachineBody* body = item;
    *key = "inertia";
    if (!positive_definite(body->inertia))
        return "is not positive definite: some spin would have negative energy; make the products "
               "smaller than the moments";
    if (!possible(body->inertia))
        return "belongs to no real body: a moment must not exceed the sum of the other two";
    *key = "joint";
    if ((body->joint == MACHINE_FREE) != (body->parent_name == NULL))
        return body->parent_name ? "free is for the root alone; allowed here are hinge and slide"
                                 : "of a body without parent must be free";
    *key = "axis";
    if (body->joint != MACHINE_FREE && vec3_length(body->axis) < 1e-3f)
        return "must not be zero";
    *key = body->joint == MACHINE_SLIDE ? "travel" : "angle";
    const float* range = body->joint == MACHINE_SLIDE ? body->travel : body->angle;
    if (range[0] > range[1])
        return "must be [least, greatest]";
    *key = body->joint == MACHINE_SLIDE ? "start_travel" : "start_angle";
    float start = body->joint == MACHINE_SLIDE ? body->start_travel : body->start_angle;
    if (range[0] < range[1] && (start < range[0] || start > range[1]))
        return "must lie within the limits of the joint";
    return NULL;
}

static const char* check_cylinder(const void* item, const char** key)
{
    const MachineCylinder* c = item;
    *key = "rod";
    if (c->rod >= c->bore)
        return "must be thinner than the bore";
    *key = "stroke";
    if (c->stroke >= c->closed)
        return "must be less than closed: the rod goes back into the barrel, this one cannot close";
    return NULL;
}

static const char* check_runner(const void* item, const char** key)
{
    const MachineRunner* r = item;
    *key = "rollers";
    if (r->radius > 0.0f && (r->rollers != 1 || r->length > 0.0f))
        return "must be 1, with no length, when there is a radius: a wheel stands on one place";
    if (r->radius <= 0.0f && (r->rollers < 2 || r->length <= 0.0f))
        return "must be at least 2, over a length > 0, when there is no radius: a track";
    return NULL;
}

static const char* check_shape(const void* item, const char** key)
{
    const MachineShape* s = item;
    int least = s->kind == MACHINE_SHELL ? 4 : s->kind == MACHINE_CHEEK ? 6 : 0;
    *key = "outline";
    if (s->outline_count < least || s->outline_count % 2 != 0)
        return "must be pairs x, y: two points or more for a shell, three for a cheek";
    if (least == 0 && s->outline_count > 0)
        return "belongs to shells and cheeks";
    *key = "half_width";
    if (s->kind == MACHINE_SHELL && s->half_width <= 0.0f)
        return "must be > 0 for a shell";
    *key = "thickness";
    if (least > 0 && s->thickness <= 0.0f)
        return "must be > 0 for a plate";
    *key = "half";
    if (s->kind == MACHINE_BOX && (s->half.x <= 0 || s->half.y <= 0 || s->half.z <= 0))
        return "must be > 0 in each direction for a box";
    *key = "radius";
    if (s->kind == MACHINE_CAPSULE && s->radius <= 0.0f)
        return "must be > 0 for a capsule";
    return NULL;
}

static const char* check_tool(const void* item, const char** key)
{
    const MachineTool* t = item;
    *key = "edge_b";
    if (vec3_length(vec3_sub(t->edge_b, t->edge_a)) < 0.05f)
        return "must be at least 0.05 m from edge_a";
    *key = "edge_normal";
    if (vec3_length(t->edge_normal) < 1e-3f)
        return "must not be zero";
    *key = "hold_max";
    if (t->hold_max.x < t->hold_min.x || t->hold_max.y < t->hold_min.y ||
        t->hold_max.z < t->hold_min.z)
        return "must not be below hold_min";
    *key = "heaped";
    if (t->heaped < t->struck)
        return "must not be below struck";
    *key = "teeth";
    float width = vec3_length(vec3_sub(t->edge_b, t->edge_a));
    if ((float)t->teeth * t->tooth_width > width)
        return "are together wider than the edge";
    return NULL;
}

// --- tables ----------------------------------------------------------------------------------------

static const char* const joint_words[] = {"free", "hinge", "slide", NULL};
static const char* const shape_words[] = {"shell", "cheek", "box", "capsule", NULL};
static const char* const tool_words[] = {"bucket", "blade", NULL};
static const char* const side_words[] = {"left", "right", NULL};
static const char* const class_words[] = {"excavator", "dozer", "truck", "object", NULL};

#define POINT    .unit = "m", .min = -50, .max = 50
#define WHERE(S) NAMED(S, body_name, "body"), .required = true

// a name under another key than the member's
#define NAMED(S, m, k) \
    .key = (k), .type = BASE_YAML_TYPE_NAME, .offset = BASE_YAML_TEXT_OFFSET(S, m)
#define WORD(S, m, k, list) \
    .key = (k), .type = BASE_YAML_TYPE_ENUM, .words = (list), .offset = offsetof(S, m)

// the first n floats of a member that has more
#define PART(S, m, from, n) \
    .type = BASE_YAML_TYPE_VECTOR, .length = (n), .offset = offsetof(S, m) + (from) * sizeof(float)

static const BaseYamlField body_fields[] = {
    {NAMED(MachineBody, parent_name, "parent")},
    {BASE_YAML_ENUM(MachineBody, joint, joint_words), .text = "free"},
    {BASE_YAML_VECTOR(MachineBody, pin), POINT},
    {BASE_YAML_VECTOR(MachineBody, axis), .min = -1, .max = 1},
    {BASE_YAML_VECTOR(MachineBody, angle), .unit = "deg", .min = -360, .max = 360},
    {BASE_YAML_FLOAT(MachineBody, start_angle), .unit = "deg", .min = -360, .max = 360},
    {BASE_YAML_VECTOR(MachineBody, travel), .unit = "m", .min = -20, .max = 20},
    {BASE_YAML_FLOAT(MachineBody, start_travel), .unit = "m", .min = -20, .max = 20},
    {BASE_YAML_FLOAT(MachineBody, damping), .max = 1e7},
    {BASE_YAML_DOUBLE(MachineBody, mass), .unit = "kg", .min = 0.1, .max = 1e6, .required = true},
    {BASE_YAML_VECTOR(MachineBody, com), POINT, .required = true},
    {.key = "inertia", PART(MachineBody, inertia, 0, 3), .min = 1e-4, .max = 1e8, .required = true},
    {.key = "products", PART(MachineBody, inertia, 3, 3), .min = -1e8, .max = 1e8},
};
static const BaseYamlSchema body_schema =
    BASE_YAML_SCHEMA(MachineBody, body_fields, .check = check_body);

static const BaseYamlField linkage_fields[] = {
    {BASE_YAML_VECTOR(MachineLinkage, idler_pin), POINT, .required = true},
    {BASE_YAML_VECTOR(MachineLinkage, link_pin), POINT, .required = true},
    {BASE_YAML_FLOAT(MachineLinkage, idler), .unit = "mm", .min = 10, .max = 10000,
     .required = true},
    {BASE_YAML_FLOAT(MachineLinkage, link), .unit = "mm", .min = 10, .max = 10000,
     .required = true},
    {BASE_YAML_ENUM(MachineLinkage, side, side_words), .text = "left"},
};
static const BaseYamlSchema linkage_schema = BASE_YAML_SCHEMA(MachineLinkage, linkage_fields);

static const BaseYamlField cylinder_fields[] = {
    {NAMED(MachineCylinder, from_name, "from"), .required = true},
    {NAMED(MachineCylinder, to_name, "to"), .required = true},
    {BASE_YAML_VECTOR(MachineCylinder, from_pin), POINT, .required = true},
    {BASE_YAML_VECTOR(MachineCylinder, to_pin), POINT},
    {BASE_YAML_FLOAT(MachineCylinder, bore), .unit = "mm", .min = 10, .max = 1000,
     .required = true},
    {BASE_YAML_FLOAT(MachineCylinder, rod), .unit = "mm", .min = 5, .max = 1000, .required = true},
    {BASE_YAML_FLOAT(MachineCylinder, closed), .unit = "mm", .min = 50, .max = 20000,
     .required = true},
    {BASE_YAML_FLOAT(MachineCylinder, stroke), .unit = "mm", .min = 10, .max = 20000,
     .required = true},
    {BASE_YAML_FLOAT(MachineCylinder, relief), .unit = "MPa", .min = 1, .max = 100,
     .required = true},
    {BASE_YAML_INT(MachineCylinder, count), .min = 1, .max = 8, .number = 1},
    {BASE_YAML_POINTER(MachineCylinder, linkage, linkage_schema)},
};
static const BaseYamlSchema cylinder_schema =
    BASE_YAML_SCHEMA(MachineCylinder, cylinder_fields, .check = check_cylinder);

static const BaseYamlField motor_fields[] = {
    {WHERE(MachineMotor)},
    {BASE_YAML_FLOAT(MachineMotor, torque), .unit = "kNm", .min = 0.001, .max = 10000,
     .required = true},
    {BASE_YAML_FLOAT(MachineMotor, inertia), .max = 1e7},
};
static const BaseYamlSchema motor_schema = BASE_YAML_SCHEMA(MachineMotor, motor_fields);

static const BaseYamlField train_fields[] = {
    {BASE_YAML_FLOAT(MachineTrain, force), .unit = "kN", .min = 0.01, .max = 10000,
     .required = true},
};
static const BaseYamlSchema train_schema = BASE_YAML_SCHEMA(MachineTrain, train_fields);

static const BaseYamlField runner_fields[] = {
    {WHERE(MachineRunner)},
    {NAMED(MachineRunner, train_name, "train")},
    {BASE_YAML_INT(MachineRunner, rollers), .min = 1, .max = 12, .number = 1},
    {BASE_YAML_VECTOR(MachineRunner, center), POINT, .required = true},
    {BASE_YAML_FLOAT(MachineRunner, length), .unit = "m", .max = 20},
    {BASE_YAML_FLOAT(MachineRunner, rise), .unit = "mm", .max = 500},
    {BASE_YAML_FLOAT(MachineRunner, radius), .unit = "m", .max = 5},
    {BASE_YAML_FLOAT(MachineRunner, width), .unit = "m", .min = 0.02, .max = 3, .required = true},
    {BASE_YAML_FLOAT(MachineRunner, stiffness), .unit = "N/m", .min = 1e3, .max = 1e10,
     .required = true},
    {BASE_YAML_FLOAT(MachineRunner, damping), .max = 1e8},
    {BASE_YAML_FLOAT(MachineRunner, along), .min = 0, .max = 3, .required = true},
    {BASE_YAML_FLOAT(MachineRunner, across), .min = 0, .max = 3, .required = true},
    {BASE_YAML_FLOAT(MachineRunner, rolling), .min = 0, .max = 1, .number = 0.05},
    {BASE_YAML_FLOAT(MachineRunner, mass), .unit = "kg", .min = 1, .max = 1e5, .required = true},
};
static const BaseYamlSchema runner_schema =
    BASE_YAML_SCHEMA(MachineRunner, runner_fields, .check = check_runner);

static const BaseYamlField shape_fields[] = {
    {WHERE(MachineShape)},
    {WORD(MachineShape, kind, "shape", shape_words), .required = true},
    {BASE_YAML_FLOAT(MachineShape, friction), .min = 0, .max = 2, .number = 0.4},
    {BASE_YAML_BOOL(MachineShape, grains), .number = 1},
    {BASE_YAML_BOOL(MachineShape, ground), .number = 1},
    {BASE_YAML_BOOL(MachineShape, steel), .number = 1},
    {BASE_YAML_FLOAT_LIST(MachineShape, outline, outline_count), .unit = "m",
     .max = 2 * MACHINE_OUTLINE_MAX},
    {BASE_YAML_FLOAT(MachineShape, half_width), .unit = "m", .max = 20},
    {BASE_YAML_FLOAT(MachineShape, z), POINT},
    {BASE_YAML_FLOAT(MachineShape, thickness), .unit = "mm", .max = 500},
    {BASE_YAML_VECTOR(MachineShape, center), POINT},
    {BASE_YAML_VECTOR(MachineShape, half), .unit = "m", .min = 0, .max = 20},
    {BASE_YAML_FLOAT(MachineShape, turn), .unit = "deg", .min = -360, .max = 360},
    {BASE_YAML_VECTOR(MachineShape, a), POINT},
    {BASE_YAML_VECTOR(MachineShape, b), POINT},
    {BASE_YAML_FLOAT(MachineShape, radius), .unit = "m", .max = 20},
};
static const BaseYamlSchema shape_schema =
    BASE_YAML_SCHEMA(MachineShape, shape_fields, .check = check_shape);

static const BaseYamlField tool_fields[] = {
    {WHERE(MachineTool)},
    {BASE_YAML_ENUM(MachineTool, kind, tool_words), .required = true},
    {BASE_YAML_VECTOR(MachineTool, edge_a), POINT, .required = true},
    {BASE_YAML_VECTOR(MachineTool, edge_b), POINT, .required = true},
    {BASE_YAML_VECTOR(MachineTool, edge_normal), .min = -1, .max = 1, .required = true},
    {BASE_YAML_FLOAT(MachineTool, thickness), .unit = "mm", .min = 1, .max = 500, .required = true},
    {BASE_YAML_INT(MachineTool, teeth), .max = 32},
    {BASE_YAML_FLOAT(MachineTool, tooth_width), .unit = "mm", .max = 1000},
    {BASE_YAML_FLOAT(MachineTool, tooth_length), .unit = "mm", .max = 1000},
    {BASE_YAML_FLOAT(MachineTool, struck), .unit = "m3", .max = 100},
    {BASE_YAML_FLOAT(MachineTool, heaped), .unit = "m3", .max = 100},
    {BASE_YAML_VECTOR(MachineTool, hold_min), POINT},
    {BASE_YAML_VECTOR(MachineTool, hold_max), POINT},
};
static const BaseYamlSchema tool_schema =
    BASE_YAML_SCHEMA(MachineTool, tool_fields, .check = check_tool);

static const BaseYamlField bin_fields[] = {
    {WHERE(MachineBin)},
    {BASE_YAML_VECTOR(MachineBin, center), POINT, .required = true},
    {BASE_YAML_FLOAT(MachineBin, turn), .unit = "deg", .min = -90, .max = 90},
    {BASE_YAML_FLOAT(MachineBin, length), .unit = "m", .min = 0.2, .max = 20, .required = true},
    {BASE_YAML_FLOAT(MachineBin, width), .unit = "m", .min = 0.2, .max = 20, .required = true},
    {BASE_YAML_FLOAT(MachineBin, wall), .unit = "m", .min = 0.05, .max = 5, .required = true},
    {BASE_YAML_FLOAT(MachineBin, steel), .min = 0, .max = 2, .number = 0.4},
    {BASE_YAML_FLOAT(MachineBin, struck), .unit = "m3", .max = 200},
    {BASE_YAML_FLOAT(MachineBin, heaped), .unit = "m3", .max = 200},
};
static const BaseYamlSchema bin_schema = BASE_YAML_SCHEMA(MachineBin, bin_fields);

static const BaseYamlField camera_fields[] = {
    {WHERE(MachineCamera)},
    {BASE_YAML_VECTOR(MachineCamera, eye), POINT, .required = true},
    {BASE_YAML_VECTOR(MachineCamera, target), POINT, .required = true},
    {BASE_YAML_FLOAT(MachineCamera, field), .unit = "deg", .min = 5, .max = 150, .number = 60},
};
static const BaseYamlSchema camera_schema = BASE_YAML_SCHEMA(MachineCamera, camera_fields);

static const BaseYamlField light_fields[] = {
    {WHERE(MachineLight)},
    {BASE_YAML_VECTOR(MachineLight, position), POINT, .required = true},
    {BASE_YAML_VECTOR(MachineLight, direction), .min = -1, .max = 1, .required = true},
    {BASE_YAML_FLOAT(MachineLight, angle), .unit = "deg", .min = 1, .max = 180, .number = 60},
    {BASE_YAML_FLOAT(MachineLight, power), .unit = "W", .min = 1, .max = 10000, .number = 70},
};
static const BaseYamlSchema light_schema = BASE_YAML_SCHEMA(MachineLight, light_fields);

static const BaseYamlField sound_fields[] = {
    {BASE_YAML_FLOAT(MachineSound, base), .unit = "Hz", .min = 1, .max = 20000, .required = true},
    {BASE_YAML_FLOAT(MachineSound, volume), .min = 0, .max = 1, .number = 1},
};
static const BaseYamlSchema sound_schema = BASE_YAML_SCHEMA(MachineSound, sound_fields);

#define MAP(m, n, child, Item, most) \
    BASE_YAML_MAP(MachineDef, m, n, child, Item, name), .max = (most)

static const BaseYamlField machine_fields[] = {
    {BASE_YAML_STRING(MachineDef, title), .required = true, .min = 1, .max = 100},
    {WORD(MachineDef, kind, "class", class_words), .required = true},
    {MAP(bodies, body_count, body_schema, MachineBody, MACHINE_BODIES_MAX), .min = 1,
     .required = true},
    {MAP(cylinders, cylinder_count, cylinder_schema, MachineCylinder, MACHINE_ACTUATORS_MAX)},
    {MAP(motors, motor_count, motor_schema, MachineMotor, MACHINE_BODIES_MAX)},
    {MAP(trains, train_count, train_schema, MachineTrain, MACHINE_RUNNERS_MAX)},
    {MAP(runners, runner_count, runner_schema, MachineRunner, MACHINE_RUNNERS_MAX)},
    {MAP(shapes, shape_count, shape_schema, MachineShape, MACHINE_SHAPES_MAX)},
    {MAP(tools, tool_count, tool_schema, MachineTool, MACHINE_TOOLS_MAX)},
    {MAP(bins, bin_count, bin_schema, MachineBin, MACHINE_TOOLS_MAX)},
    {MAP(cameras, camera_count, camera_schema, MachineCamera, 16)},
    {MAP(lights, light_count, light_schema, MachineLight, 16)},
    {MAP(sounds, sound_count, sound_schema, MachineSound, 16)},
    {BASE_YAML_POINTER(MachineDef, drive, machine_drive_schema)},
    {BASE_YAML_POINTER(MachineDef, look, machine_look_schema)},
};
static const BaseYamlSchema machine_schema = BASE_YAML_SCHEMA(MachineDef, machine_fields);

// --- loading ---------------------------------------------------------------------------------------

static void finish_bodies(MachineDef* def)
{
    for (int i = 0; i < def->body_count; ++i) {
        MachineBody* body = &def->bodies[i];
        bool slide = body->joint == MACHINE_SLIDE;
        const float* range = slide ? body->travel : body->angle;
        body->axis = vec3_unit(body->axis);
        body->lower = range[0];
        body->upper = range[1];
        body->limited = range[0] < range[1];
        body->start = slide ? body->start_travel : body->start_angle;
        def->mass += body->mass;
    }
    def->dof_count = 6 + def->body_count - 1 + def->runner_count;
}

static void finish_parts(MachineDef* def)
{
    for (int i = 0; i < def->cylinder_count; ++i) {
        MachineCylinder* c = &def->cylinders[i];
        double bore = (double)c->bore, rod = (double)c->rod, quarter = BASE_PI / 4.0 * c->count;
        c->area_push = quarter * bore * bore;
        c->area_pull = quarter * (bore * bore - rod * rod);
    }
    for (int i = 0; i < def->runner_count; ++i) {
        def->runners[i].first_roller = def->roller_count;
        def->roller_count += def->runners[i].rollers;
    }
    for (int i = 0; i < def->tool_count; ++i)
        def->tools[i].edge_normal = vec3_unit(def->tools[i].edge_normal);
    for (int i = 0; i < def->light_count; ++i)
        def->lights[i].direction = vec3_unit(def->lights[i].direction);
    def->actuator_count = def->cylinder_count + def->motor_count + def->train_count;
}

bool machine_load(const char* path, BaseArena* arena, MachineDef* out, BaseYamlError* error)
{
    size_t before = arena->used;
    MachineDef def = {0};
    if (!base_yaml_load(path, &machine_schema, arena, &def, error))
        return false;
    if (!machine_check_names(path, &def, error)) {
        base_arena_rewind(arena, before);
        return false;
    }
    finish_bodies(&def);
    finish_parts(&def);
    if (!machine_drive_check(path, &def, error) || !machine_check_build(path, &def, error)) {
        base_arena_rewind(arena, before);
        return false;
    }
    *out = def;
    return true;
}

bool machine_recognise(const char* path)
{
    const char* const keys[] = {"bodies", "class", NULL};
    return base_yaml_has_key(path, keys);
}

// --- names -----------------------------------------------------------------------------------------

int machine_find_body(const MachineDef* def, const char* name)
{
    for (int i = 0; i < def->body_count; ++i)
        if (strcmp(def->bodies[i].name, name) == 0)
            return i;
    return -1;
}

const char* machine_actuator_name(const MachineDef* def, int actuator)
{
    int motor = actuator - def->cylinder_count, train = motor - def->motor_count;
    return motor < 0   ? def->cylinders[actuator].name
           : train < 0 ? def->motors[motor].name
                       : def->trains[train].name;
}

int machine_find_actuator(const MachineDef* def, const char* name)
{
    for (int i = 0; i < def->actuator_count; ++i)
        if (strcmp(machine_actuator_name(def, i), name) == 0)
            return i;
    return -1;
}

int machine_find_tool(const MachineDef* def, const char* name)
{
    for (int i = 0; i < def->tool_count; ++i)
        if (strcmp(def->tools[i].name, name) == 0)
            return i;
    return -1;
}
