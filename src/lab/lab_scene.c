#include "lab/lab_scene.h"

#include "base/base_trig.h"

#include <math.h>
#include <stddef.h>

#define DROP_PITCH  1.15f // d, between places of the sparse grid
#define DROP_JITTER 0.07f // d, either way; grains cannot touch: 1.15 - 2 * 0.07 > 1

#define CONE_RINGS  7    // grains per layer of the source: one in the middle, six around it
#define CONE_SPEED  2.0f // m/s, downwards
#define CONE_HEIGHT 4.0f // d, of the source above the apex

#define HOPPER_PITCH 1.5f // d, between places on top
#define HOPPER_DROP  8.0f // d, below the bottom, where a fallen grain is taken
#define HOPPER_SPEED 1.0f // m/s, downwards, of a grain that comes in again

LabSetup lab_scene_setup(SoilKernel kernel, int grains)
{
    return (LabSetup){.kernel = kernel,
                      .grains = grains,
                      .radius = LAB_SCENE_RADIUS,
                      .friction = 0.3f,
                      .floor_friction = LAB_SCENE_ROUGH,
                      .seed = 1};
}

SoilDef lab_scene_def(const LabSetup* setup)
{
    SoilDef def = soil_def(setup->kernel, setup->grains, setup->radius);
    if (setup->substeps > 0)
        def.substeps = setup->substeps;
    if (setup->iterations > 0)
        def.iterations = setup->iterations;
    def.material[0].friction_static = setup->friction;
    def.material[0].friction_kinetic = setup->friction;
    def.material[0].adhesion = setup->adhesion;
    return def;
}

static double grain_volume(float radius)
{
    double r = (double)radius;
    return 4.0 / 3.0 * BASE_PI * r * r * r;
}

uint32_t lab_scene_mass(float radius)
{
    return (uint32_t)(LAB_SCENE_DENSITY * grain_volume(radius) * 1e6 + 0.5);
}

int lab_scene_count(double volume, float radius)
{
    return (int)(LAB_SCENE_PACKING * volume / grain_volume(radius) + 0.5);
}

double lab_scene_volume(int grains, float radius)
{
    return grains * grain_volume(radius) / LAB_SCENE_PACKING;
}

static float jitter(BaseRandom* random, float d)
{
    return base_random_range(random, -DROP_JITTER * d, DROP_JITTER * d);
}

// One layer of the sparse grid; returns how many of `left` grains it took. Every other layer is
// shifted by half a pitch, so that grains do not fall onto each other's heads.
static int drop_layer(Soil* soil, const LabSetup* setup, BaseRandom* random, Vec3 low, Vec3 high,
                      bool round, int layer, int left)
{
    float d = 2.0f * setup->radius, pitch = DROP_PITCH * d;
    int shift = layer % 2;
    int nx = base_maxi(1, (int)((high.x - low.x) / pitch) - shift);
    int nz = base_maxi(1, (int)((high.z - low.z) / pitch) - shift);
    Vec3 mid = {0.5f * (low.x + high.x), low.y, 0.5f * (low.z + high.z)};
    float reach = 0.5f * (high.x - low.x) - (0.5f + 2.0f * DROP_JITTER) * d;
    int taken = 0;

    for (int i = 0; i < nx * nz && taken < left; ++i) {
        Vec3 at = {mid.x + pitch * ((float)(i % nx) - 0.5f * (float)(nx - 1)),
                   low.y + pitch * ((float)layer + 0.5f),
                   mid.z + pitch * ((float)(i / nx) - 0.5f * (float)(nz - 1))};
        float dx = at.x - mid.x, dz = at.z - mid.z;
        if (round && dx * dx + dz * dz > reach * reach)
            continue;
        at.x += jitter(random, d), at.y += jitter(random, d), at.z += jitter(random, d);
        if (!soil_spawn(soil, at, vec3(0, 0, 0), setup->radius, lab_scene_mass(setup->radius), 0))
            return left;
        ++taken;
    }
    return taken;
}

void lab_scene_drop(Soil* soil, const LabSetup* setup, Vec3 low, Vec3 high, bool round)
{
    BaseRandom random = base_random(setup->seed);
    int left = setup->grains;
    for (int layer = 0; left > 0; ++layer)
        left -= drop_layer(soil, setup, &random, low, high, round, layer, left);
}

double lab_scene_kinetic(const Soil* soil)
{
    const SoilState* s = soil_state(soil);
    const SoilDef* def = soil_definition(soil);
    double sum = 0.0, gd = (double)(vec3_length(def->gravity) * 2.0f * def->radius_max);
    for (int i = 0; i < s->count; ++i)
        sum += (double)(s->vx[i] * s->vx[i] + s->vy[i] * s->vy[i] + s->vz[i] * s->vz[i]);
    return s->count > 0 && gd > 0.0 ? sum / s->count / gd : 0.0;
}

double lab_scene_settle(Soil* soil, Jobs* jobs, double seconds)
{
    double dt = (double)soil_definition(soil)->dt;
    int frames = (int)(seconds / dt + 0.5);
    for (int i = 0; i < frames; ++i) {
        soil_step(soil, jobs);
        // grains that have just been let go are slow too: give them a third of a second
        if (i >= 20 && i % 5 == 0 && lab_scene_kinetic(soil) < LAB_SCENE_REST)
            return (i + 1) * dt;
    }
    return frames * dt;
}

void lab_scene_run(Soil* soil, Jobs* jobs, double seconds)
{
    int frames = (int)(seconds / (double)soil_definition(soil)->dt + 0.5);
    for (int i = 0; i < frames; ++i)
        soil_step(soil, jobs);
}

void lab_scene_open(Soil* soil, int boundary)
{
    soil_boundary(soil, boundary)->shape = SOIL_SHAPE_NONE;
    soil_touch(soil);
}

static void add_plane(Soil* soil, Vec3 point, Vec3 normal, float friction)
{
    SoilBoundary plane = soil_plane(point, normal, friction);
    soil_add_boundary(soil, &plane);
}

static void add_box(Soil* soil, Vec3 low, Vec3 high, float friction)
{
    Vec3 half = vec3_mul(vec3_sub(high, low), 0.5f);
    SoilBoundary box = soil_box(vec3_add(low, half), half, friction);
    soil_add_boundary(soil, &box);
}

static void add_floor(Soil* soil, float friction)
{
    add_plane(soil, vec3(0, 0, 0), vec3(0, 1, 0), friction);
}

// Four upright walls that face inwards: -x, +x, -z, +z.
static void add_walls(Soil* soil, Vec3 low, Vec3 high, float friction)
{
    add_plane(soil, low, vec3(1, 0, 0), friction);
    add_plane(soil, high, vec3(-1, 0, 0), friction);
    add_plane(soil, low, vec3(0, 0, 1), friction);
    add_plane(soil, high, vec3(0, 0, -1), friction);
}

Soil* lab_scene_bed(const LabSetup* setup, int layers, double seconds, Jobs* jobs)
{
    SoilDef def = lab_scene_def(setup);
    Soil* soil = soil_create(&def);
    if (!soil)
        return NULL;
    double depth = layers * 2.0 * (double)setup->radius;
    float half = 0.5f * (float)sqrt(lab_scene_volume(setup->grains, setup->radius) / depth);
    half = base_maxf(half, 2.0f * setup->radius);
    Vec3 low = {-half, 0.0f, -half}, high = {half, 0.0f, half};

    add_floor(soil, setup->friction);
    add_walls(soil, low, high, setup->friction);
    lab_scene_drop(soil, setup, low, high, false);
    lab_scene_settle(soil, jobs, seconds);
    return soil;
}

// Top of what has landed: grains on their way down do not count.
static float apex(const Soil* soil)
{
    const SoilState* s = soil_state(soil);
    float top = 0.0f;
    for (int i = 0; i < s->count; ++i)
        if (s->vy[i] > -0.5f * CONE_SPEED)
            top = base_maxf(top, s->py[i] + s->radius[i]);
    return top;
}

// One layer of the source: a hexagon, turned at random each time.
static void pour_layer(Soil* soil, const LabSetup* setup, BaseRandom* random, float y)
{
    float d = 2.0f * setup->radius;
    double turn = (double)base_random_float(random) * BASE_PI / 3.0;
    for (int i = 0; i < CONE_RINGS && soil_state(soil)->count < setup->grains; ++i) {
        double angle = turn + i * BASE_PI / 3.0, reach = i == 0 ? 0.0 : (double)(DROP_PITCH * d);
        Vec3 at = {(float)(reach * base_cos(angle)) + jitter(random, d), y + jitter(random, d),
                   (float)(reach * base_sin(angle)) + jitter(random, d)};
        soil_spawn(soil, at, vec3(0, -CONE_SPEED, 0), setup->radius, lab_scene_mass(setup->radius),
                   0);
    }
}

Soil* lab_scene_cone(const LabSetup* setup, const SoilDef* def, double seconds, Jobs* jobs)
{
    Soil* soil = soil_create(def);
    if (!soil)
        return NULL;
    BaseRandom random = base_random(setup->seed);
    float d = 2.0f * setup->radius;
    // frames until a layer has made room for the next
    int wait = (int)ceilf((1.0f + 4.0f * DROP_JITTER) * d / (CONE_SPEED * def->dt));
    add_floor(soil, setup->floor_friction);
    soil_boundary(soil, 0)->adhesion = setup->adhesion;

    while (soil_state(soil)->count < setup->grains) {
        pour_layer(soil, setup, &random, apex(soil) + CONE_HEIGHT * d);
        for (int i = 0; i < wait; ++i)
            soil_step(soil, jobs);
    }
    lab_scene_settle(soil, jobs, seconds);
    return soil;
}

LabSlab lab_scene_slab_size(const LabSetup* setup)
{
    LabSlab slab = {.width = LAB_SLAB_WIDTH * 2.0f * setup->radius};
    double area = lab_scene_volume(setup->grains, setup->radius) / (double)slab.width;
    slab.height = (float)sqrt(area / 3.0);
    slab.length = 3.0f * slab.height;
    return slab;
}

Soil* lab_scene_slab(const LabSetup* setup, double seconds, Jobs* jobs)
{
    SoilDef def = lab_scene_def(setup);
    Soil* soil = soil_create(&def);
    if (!soil)
        return NULL;
    LabSlab slab = lab_scene_slab_size(setup);
    Vec3 low = {0.0f, 0.0f, -0.5f * slab.width}, high = {slab.length, 0.0f, 0.5f * slab.width};

    add_floor(soil, setup->floor_friction);
    soil_boundary(soil, 0)->adhesion = setup->adhesion;
    add_plane(soil, low, vec3(1, 0, 0), 0.0f);
    add_plane(soil, low, vec3(0, 0, 1), 0.0f);
    add_plane(soil, high, vec3(0, 0, -1), 0.0f);
    add_plane(soil, high, vec3(-1, 0, 0), 0.0f);
    lab_scene_drop(soil, setup, low, high, false);
    lab_scene_settle(soil, jobs, seconds);
    return soil;
}

// The inside of a smooth upright cylinder.
static int cylinder_surface(const void* context, Vec3 center, float radius, float reach,
                            SoilSurface* out, int max)
{
    const LabColumn* column = context;
    float from_axis = __builtin_sqrtf(center.x * center.x + center.z * center.z);
    (void)radius;
    if (max < 1 || from_axis < column->radius - reach || from_axis < 1e-6f)
        return 0;
    Vec3 outward = {center.x / from_axis, 0.0f, center.z / from_axis};
    out[0] = (SoilSurface){.point = vec3_mul(outward, column->radius),
                           .normal = vec3_mul(outward, -1.0f)};
    out[0].point.y = center.y;
    return 1;
}

static void cut_above(Soil* soil, float y)
{
    const SoilState* s = soil_state(soil);
    for (int i = 0; i < s->count; ++i)
        if (s->mass[i] > 0 && s->py[i] > y)
            soil_remove(soil, i);
}

Soil* lab_scene_column(const LabSetup* setup, const LabColumn* column, Jobs* jobs)
{
    // a tenth more than needed, to be levelled off
    double r = (double)column->radius, height = (double)column->aspect * r;
    LabSetup filled = *setup;
    filled.grains = lab_scene_count(1.1 * BASE_PI * r * r * height, setup->radius);
    SoilDef def = lab_scene_def(&filled);
    Soil* soil = soil_create(&def);
    if (!soil)
        return NULL;

    SoilBoundary wall = {.shape = SOIL_SHAPE_FUNCTION,
                         .rotation = {0, 0, 0, 1},
                         .surface = cylinder_surface,
                         .context = column};
    Vec3 low = {-column->radius, 0.0f, -column->radius}, high = vec3_mul(low, -1.0f);
    add_floor(soil, setup->floor_friction);
    soil_add_boundary(soil, &wall);
    lab_scene_drop(soil, &filled, low, high, true);
    lab_scene_settle(soil, jobs, 6.0);
    cut_above(soil, (float)height - setup->radius);
    lab_scene_settle(soil, jobs, 2.0);
    return soil;
}

// The places on top in a random order, so that the heap there grows evenly.
static void hopper_shuffle(LabHopper* hopper, float d)
{
    int side = (int)(hopper->width / (HOPPER_PITCH * d));
    hopper->places = base_mini(side * side, LAB_HOPPER_PLACES);
    for (int i = 0; i < hopper->places; ++i) {
        int j = (int)(base_random_u32(&hopper->random) % (uint32_t)(i + 1));
        hopper->order[i] = hopper->order[j];
        hopper->order[j] = i;
    }
}

static Vec3 hopper_place(LabHopper* hopper, float d)
{
    int side = (int)(hopper->width / (HOPPER_PITCH * d));
    int place = hopper->order[hopper->next];
    hopper->next = (hopper->next + 1) % hopper->places;
    float pitch = hopper->width / (float)side, half = 0.5f * (float)(side - 1);
    return (Vec3){pitch * ((float)(place % side) - half) + jitter(&hopper->random, d), hopper->top,
                  pitch * ((float)(place / side % side) - half) + jitter(&hopper->random, d)};
}

static void add_hopper(Soil* soil, const LabHopper* hopper, float friction, float d)
{
    float in = 0.5f * hopper->orifice, out = 0.5f * hopper->width + 2.0f * d, thick = -d;
    // the bottom is four boxes around the hole, and a fifth one closes it
    add_box(soil, vec3(-out, thick, -out), vec3(-in, 0, out), friction);
    add_box(soil, vec3(in, thick, -out), vec3(out, 0, out), friction);
    add_box(soil, vec3(-in, thick, -out), vec3(in, 0, -in), friction);
    add_box(soil, vec3(-in, thick, in), vec3(in, 0, out), friction);
    add_box(soil, vec3(-in, thick, -in), vec3(in, 0, in), friction);
    Vec3 low = {-0.5f * hopper->width, 0.0f, -0.5f * hopper->width};
    add_walls(soil, low, vec3_mul(low, -1.0f), friction);
}

Soil* lab_scene_hopper(const LabSetup* setup, LabHopper* hopper, float width, float orifice,
                       Jobs* jobs)
{
    float d = 2.0f * setup->radius;
    *hopper = (LabHopper){.width = width, .orifice = orifice, .random = base_random(setup->seed)};
    hopper_shuffle(hopper, d);
    SoilDef def = lab_scene_def(setup);
    Soil* soil = soil_create(&def);
    if (!soil)
        return NULL;

    add_hopper(soil, hopper, setup->friction, d);
    Vec3 low = {-0.5f * width, 0.0f, -0.5f * width};
    lab_scene_drop(soil, setup, low, vec3_mul(low, -1.0f), false);
    lab_scene_settle(soil, jobs, 5.0);
    hopper->top = apex(soil) + 4.0f * d;
    return soil;
}

int lab_scene_hopper_step(Soil* soil, LabHopper* hopper, Jobs* jobs)
{
    soil_step(soil, jobs);
    SoilState* s = soil_edit(soil);
    int fallen = 0;
    for (int i = 0; i < s->count; ++i) {
        float d = 2.0f * s->radius[i];
        if (s->mass[i] == 0 || s->py[i] > -HOPPER_DROP * d)
            continue;
        Vec3 place = hopper_place(hopper, d);
        s->px[i] = place.x, s->py[i] = place.y, s->pz[i] = place.z;
        s->vx[i] = 0.0f, s->vy[i] = -HOPPER_SPEED, s->vz[i] = 0.0f;
        ++fallen;
    }
    if (fallen > 0)
        soil_touch(soil);
    return fallen;
}
