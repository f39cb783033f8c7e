#include "lab/lab_scene.h"

#include "base/base_trig.h"

#include <math.h>
#include <stdlib.h>

#define DROP_COVER 0.42f // of a layer's ground is hidden by its grains; 0.547 is the limit
#define DROP_TRIES 200   // per grain, before a crowded layer is left as it is
#define DROP_APART 2.01f // r, between the centres of two grains of a layer
#define DROP_RISE  2.05f // r, from layer to layer

#define CONE_PITCH  1.15f // d, from grain to grain of the source
#define CONE_JITTER 0.07f // d, either way; grains cannot touch: 1.15 - 2 * 0.07 > 1

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
    return base_random_range(random, -CONE_JITTER * d, CONE_JITTER * d);
}

// Places of one layer, chosen at random so that no two grains touch. A cell of side d / sqrt(2)
// holds one grain at most, so that only the 5 x 5 cells around a place must be looked at.
typedef struct Layer {
    Vec3 low;
    float cell;      // m
    int nx, nz;      // cells
    float *x, *z;    // [nx * nz] the grain of a cell
    uint32_t* stamp; // [nx * nz] number of the layer that put it there
    uint32_t number; // of this layer, from 1
} Layer;

static bool layer_create(Layer* layer, Vec3 low, Vec3 high, float d)
{
    *layer = (Layer){.low = low, .cell = d * 0.70710678f};
    layer->nx = (int)((high.x - low.x) / layer->cell) + 1;
    layer->nz = (int)((high.z - low.z) / layer->cell) + 1;
    size_t cells = (size_t)layer->nx * (size_t)layer->nz;
    layer->x = malloc(cells * sizeof *layer->x);
    layer->z = malloc(cells * sizeof *layer->z);
    layer->stamp = calloc(cells, sizeof *layer->stamp);
    return layer->x && layer->z && layer->stamp;
}

static void layer_destroy(Layer* layer)
{
    free(layer->x);
    free(layer->z);
    free(layer->stamp);
}

// Takes the place when it is free.
static bool layer_take(Layer* layer, float x, float z, float d)
{
    int cx = (int)((x - layer->low.x) / layer->cell), cz = (int)((z - layer->low.z) / layer->cell);
    for (int j = base_maxi(0, cz - 2); j <= base_mini(layer->nz - 1, cz + 2); ++j) {
        for (int i = base_maxi(0, cx - 2); i <= base_mini(layer->nx - 1, cx + 2); ++i) {
            int at = j * layer->nx + i;
            float dx = layer->x[at] - x, dz = layer->z[at] - z;
            if (layer->stamp[at] == layer->number && dx * dx + dz * dz < d * d)
                return false;
        }
    }
    int at = cz * layer->nx + cx;
    layer->x[at] = x, layer->z[at] = z, layer->stamp[at] = layer->number;
    return true;
}

// Fills one layer up to DROP_COVER with at most `left` grains; returns how many.
static int drop_layer(Soil* soil, const LabSetup* setup, BaseRandom* random, Layer* layer, Vec3 low,
                      Vec3 high, bool round, int left)
{
    float r = setup->radius, reach = 0.5f * (high.x - low.x) - r;
    Vec3 mid = {0.5f * (low.x + high.x), 0.0f, 0.5f * (low.z + high.z)};
    float area = (high.x - low.x) * (high.z - low.z) * (round ? 0.7853982f : 1.0f);
    int wanted = base_maxi(1, (int)(DROP_COVER * area / (3.1415927f * r * r)));
    int taken = 0;
    ++layer->number;
    for (int tries = 0; tries < DROP_TRIES * wanted && taken < base_mini(wanted, left); ++tries) {
        Vec3 at = {base_random_range(random, low.x + r, high.x - r),
                   low.y + DROP_RISE * r * ((float)layer->number - 0.5f),
                   base_random_range(random, low.z + r, high.z - r)};
        float dx = at.x - mid.x, dz = at.z - mid.z;
        if (round && dx * dx + dz * dz > reach * reach)
            continue;
        if (!layer_take(layer, at.x, at.z, DROP_APART * r))
            continue;
        soil_spawn(soil, at, vec3(0, 0, 0), r, lab_scene_mass(r), 0);
        ++taken;
    }
    return taken;
}

bool lab_scene_drop(Soil* soil, const LabSetup* setup, Vec3 low, Vec3 high, bool round)
{
    BaseRandom random = base_random(setup->seed);
    Layer layer;
    bool fine = layer_create(&layer, low, high, 2.0f * setup->radius);
    for (int left = fine ? setup->grains : 0; left > 0;)
        left -= drop_layer(soil, setup, &random, &layer, low, high, round, left);
    layer_destroy(&layer);
    return fine;
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

// What a scene returns: the soil at rest, or NULL when its grains could not be placed.
static Soil* settled(Soil* soil, bool dropped, double seconds, Jobs* jobs)
{
    if (!dropped) {
        soil_destroy(soil);
        return NULL;
    }
    lab_scene_settle(soil, jobs, seconds);
    return soil;
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
    return settled(soil, lab_scene_drop(soil, setup, low, high, false), seconds, jobs);
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
        double angle = turn + i * BASE_PI / 3.0, reach = i == 0 ? 0.0 : (double)(CONE_PITCH * d);
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
    int wait = (int)ceilf((1.0f + 4.0f * CONE_JITTER) * d / (CONE_SPEED * def->dt));
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

    add_floor(soil, setup->friction);
    soil_boundary(soil, 0)->adhesion = setup->adhesion;
    add_plane(soil, low, vec3(1, 0, 0), 0.0f);
    add_plane(soil, low, vec3(0, 0, 1), 0.0f);
    add_plane(soil, high, vec3(0, 0, -1), 0.0f);
    add_plane(soil, high, vec3(-1, 0, 0), 0.0f);
    return settled(soil, lab_scene_drop(soil, setup, low, high, false), seconds, jobs);
}

// The inside of a smooth upright cylinder.
static int cylinder_surface(const void* context, const SoilGrain* grain, float reach,
                            SoilSurface* out, int max)
{
    const LabColumn* column = context;
    Vec3 center = grain->center;
    float from_axis = __builtin_sqrtf(center.x * center.x + center.z * center.z);
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
    add_floor(soil, setup->friction);
    soil_add_boundary(soil, &wall);
    soil = settled(soil, lab_scene_drop(soil, &filled, low, high, true), 6.0, jobs);
    if (!soil)
        return NULL;
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
    soil = settled(soil, lab_scene_drop(soil, setup, low, vec3_mul(low, -1.0f), false), 5.0, jobs);
    if (!soil)
        return NULL;
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
