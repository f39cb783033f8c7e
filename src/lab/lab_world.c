#include "lab/lab_world.h"

#include "base/base_hash.h"
#include "base/base_random.h"
#include "lab/lab_ground.h"
#include "lab/lab_picture.h"

#include <math.h>
#include <stdlib.h>

#define WORLD_PITCH  2.36f // r, from grain to grain of a block that is dropped
#define WORLD_JITTER 0.16f // r, either way; grains cannot touch: 2.36 - 2 * 0.16 > 2
#define WORLD_RAYS   16
#define WORLD_POINTS 200

// --- making --------------------------------------------------------------------------------------

static bool world_fail(LabRun* run, LabWorld* w)
{
    lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for ground and grains");
    lab_world_destroy(w);
    return false;
}

// The grains of every material of the ground, out of the calibration.
static bool world_grains(LabRun* run, const LabWorld* w, SoilDef* def)
{
    def->material_count = w->materials;
    for (int m = 0; m < w->materials; ++m) {
        LabSetup setup = lab_scene_setup(SOIL_KERNEL_SPLIT, 1);
        if (!lab_use_material(run, &w->soils, w->soils.set.materials[m].name, &setup))
            return false;
        def->material[m] = def->material[0];
        def->material[m].friction_static = setup.friction;
        def->material[m].friction_kinetic = setup.friction;
        def->material[m].adhesion = setup.adhesion;
    }
    return true;
}

bool lab_world_make(LabRun* run, LabWorld* out, int nx, int nz, int pool, float radius)
{
    LabWorld w = {.jobs = run->jobs};
    *out = w;
    if (!lab_load_calibrated(run, &w.soils))
        return false;
    if (run->options->radius_mm > 0)
        radius = 0.001f * (float)run->options->radius_mm;
    TerrainDef ground = lab_ground_def(&w.soils.set, nx, nz);
    LabSetup setup = lab_setup(run, SOIL_KERNEL_SPLIT, pool, pool);
    setup.radius = radius, setup.grains = pool;
    SoilDef grains = lab_scene_def(&setup);
    w.materials = ground.material_count;
    if (!world_grains(run, &w, &grains)) {
        lab_free_soils(&w.soils);
        return false;
    }
    CouplingDef coupling = coupling_def(radius);
    coupling.reserve = base_mini(coupling.reserve, pool / 8);
    w.terrain = terrain_create(&ground);
    w.soil = soil_create(&grains);
    w.coupling = w.terrain && w.soil ? coupling_create(&coupling, w.soil, w.terrain) : NULL;
    if (!w.coupling)
        return world_fail(run, &w);
    *out = w;
    return true;
}

void lab_world_destroy(LabWorld* w)
{
    coupling_destroy(w->coupling);
    soil_destroy(w->soil);
    terrain_destroy(w->terrain);
    lab_free_soils(&w->soils);
    *w = (LabWorld){0};
}

int lab_world_material(LabRun* run, const LabWorld* w, const char* name)
{
    for (int m = 0; m < w->materials; ++m)
        if (strcmp(w->soils.set.materials[m].name, name) == 0)
            return m;
    char why[120];
    snprintf(why, sizeof why, "the experiment needs a material \"%s\"", name);
    lab_fail(run, LAB_EXIT_FILE, why);
    return -1;
}

void lab_world_lay(LabWorld* w, int material, float depth)
{
    const TerrainDef* def = terrain_definition(w->terrain);
    for (int cell = 0; cell < def->nx * def->nz; ++cell)
        terrain_lay_depth(w->terrain, cell, material, depth);
}

int lab_world_drop(LabWorld* w, Vec3 middle, float half_x, float half_z, int count, int material,
                   uint64_t seed)
{
    BaseRandom random = base_random(seed);
    float r = coupling_definition(w->coupling)->radius, pitch = WORLD_PITCH * r;
    int across = base_maxi(1, (int)(2.0f * half_x / pitch));
    int along = base_maxi(1, (int)(2.0f * half_z / pitch)), done = 0;
    for (int k = 0; k < count; ++k, ++done) {
        int layer = k / (across * along), i = k % across, j = k / across % along;
        float shift = layer % 2 == 0 ? 0.0f : 0.5f * pitch;
        Vec3 at = vec3(middle.x + ((float)i - 0.5f * (float)(across - 1)) * pitch + shift,
                       middle.y + r + (float)layer * pitch,
                       middle.z + ((float)j - 0.5f * (float)(along - 1)) * pitch + shift);
        at.x += base_random_range(&random, -WORLD_JITTER, WORLD_JITTER) * r;
        at.y += base_random_range(&random, -WORLD_JITTER, WORLD_JITTER) * r;
        at.z += base_random_range(&random, -WORLD_JITTER, WORLD_JITTER) * r;
        if (!coupling_pour(w->coupling, at, vec3(0.0f, 0.0f, 0.0f), material))
            break;
    }
    return done;
}

// --- time and books ------------------------------------------------------------------------------

double lab_world_dt(const LabWorld* w)
{
    return (double)soil_definition(w->soil)->dt;
}

void lab_world_step(LabWorld* w)
{
    soil_step(w->soil, w->jobs);
    coupling_step(w->coupling, w->jobs);
    terrain_settle(w->terrain, w->jobs);
}

int lab_world_grains(const LabWorld* w)
{
    const SoilState* s = soil_state(w->soil);
    return s->count - s->dead;
}

double lab_world_buried(const LabWorld* w)
{
    int grains = lab_world_grains(w);
    return grains < 100 ? 0.0 : (double)coupling_stats(w->coupling)->buried / grains;
}

bool lab_world_still(const LabWorld* w)
{
    return lab_world_grains(w) == 0 && terrain_still(w->terrain);
}

double lab_world_settle(LabWorld* w, double seconds)
{
    double time = 0.0;
    for (; time < seconds && !lab_world_still(w); time += lab_world_dt(w))
        lab_world_step(w);
    return time;
}

double lab_world_volume(const LabWorld* w)
{
    const TerrainDef* def = terrain_definition(w->terrain);
    double sum = 0.0;
    for (int cell = 0; cell < def->nx * def->nz; ++cell)
        sum += (double)terrain_surface(w->terrain, cell) - (double)def->origin.y;
    return sum * (double)def->cell * (double)def->cell;
}

double lab_world_imbalance(const LabWorld* w)
{
    double sum = coupling_audit(w->coupling) ? 0.0 : 1.0;
    for (int m = 0; m < w->materials; ++m)
        sum += fabs((double)coupling_imbalance(w->coupling, m));
    return sum;
}

void lab_world_finish(LabRun* run, LabWorld* w)
{
    const TerrainDef* def = terrain_definition(w->terrain);
    uint64_t hash = coupling_hash(w->coupling);
    run->report->hash = base_hash(&hash, sizeof hash, run->report->hash);
    run->report->columns = base_maxi(run->report->columns, def->nx * def->nz);
    run->report->grains = base_maxi(run->report->grains, (int)soil_state(w->soil)->next_id);
    if (!coupling_audit(w->coupling))
        lab_fail(run, LAB_EXIT_FAILED, "the ledger of ground and grains does not balance");
    lab_world_destroy(w);
}

// --- measuring -----------------------------------------------------------------------------------

// Least squares between 20 and 80 % of the height along a ray.
static double world_ray(const LabWorld* w, float x, float z, float floor, double angle, double top,
                        double reach)
{
    double at[WORLD_POINTS], height[WORLD_POINTS], offset, slope = 0.0;
    int count = 0;
    for (int p = 0; p < WORLD_POINTS; ++p) {
        double r = reach * p / WORLD_POINTS;
        double h = (double)terrain_height(w->terrain, x + (float)(r * cos(angle)),
                                          z + (float)(r * sin(angle))) -
                   (double)floor;
        if (h >= 0.2 * top && h <= 0.8 * top)
            at[count] = r, height[count++] = h;
    }
    lab_measure_line(at, height, count, &offset, &slope);
    return atan(-slope) / BASE_DEG;
}

double lab_world_slope(const LabWorld* w, float x, float z, float floor, double* low, double* high)
{
    const TerrainDef* def = terrain_definition(w->terrain);
    double reach = 0.5 * base_mini(def->nx, def->nz) * (double)def->cell, mean = 0.0;
    double top = (double)(terrain_height(w->terrain, x, z) - floor);
    double flattest = 90.0, steepest = 0.0;
    for (int k = 0; k < WORLD_RAYS; ++k) {
        double a = world_ray(w, x, z, floor, 2.0 * BASE_PI * k / WORLD_RAYS, top, reach);
        flattest = fmin(flattest, a), steepest = fmax(steepest, a);
        mean += a / WORLD_RAYS;
    }
    if (low)
        *low = flattest;
    if (high)
        *high = steepest;
    return mean;
}

// --- picture -------------------------------------------------------------------------------------

static void draw_layer(LabRun* run, const PlotView* v, double x, double side, double low,
                       double high, PlotColor color)
{
    double bottom = v->base, top = high > bottom ? high : bottom,
           from = low > bottom ? low : bottom;
    double x0 = plot_view_x(v, x), x1 = plot_view_x(v, x + side);
    double y0 = plot_view_y(v, top), y1 = plot_view_y(v, from);
    if (y1 > y0)
        plot_rect(run->picture, (PlotRect){x0, y0, x1 - x0 + 0.5, y1 - y0 + 0.5}, color, 1.0);
}

// Loose soil is paler than the same soil in the bank; of a mixture the shares are stacked.
static void draw_loose(LabRun* run, const PlotView* v, const Terrain* t, int cell, double at)
{
    const TerrainDef* def = terrain_definition(t);
    double side = (double)def->cell, x = (double)terrain_center(t, cell).x - 0.5 * side;
    double all = (double)terrain_loose_mass(t, cell), high = (double)terrain_surface(t, cell) - at;
    for (int m = def->material_count - 1; m >= 0; --m) {
        double mg = (double)terrain_state(t)->loose[m][cell];
        if (mg > 0.0) {
            double thick = high * mg / all;
            draw_layer(run, v, x, side, at, at + thick,
                       plot_color_mix(plot_view_material(m), plot_color(0xffffff), 0.32));
            at += thick;
        }
    }
}

static void draw_column(LabRun* run, const PlotView* v, const Terrain* t, int cell)
{
    const TerrainDef* def = terrain_definition(t);
    const TerrainState* s = terrain_state(t);
    double side = (double)def->cell, at = (double)s->base[cell];
    double x = (double)terrain_center(t, cell).x - 0.5 * side;
    draw_layer(run, v, x, side, v->base, at, plot_color(0x5a5f66));
    for (int k = 0; k < TERRAIN_STRATA_MAX; ++k) {
        int soil = s->soil[cell] >> (4 * k) & 15;
        double thick = (double)s->bank[k][cell] /
                       (1e6 * (double)def->material[soil].density_bank * side * side);
        draw_layer(run, v, x, side, at, at + thick, plot_view_material(soil));
        at += thick;
    }
    draw_loose(run, v, t, cell, at);
}

static void draw_grains(LabRun* run, const PlotView* v, const LabWorld* w, LabSection section)
{
    const SoilState* s = soil_state(w->soil);
    const TerrainDef* def = terrain_definition(w->terrain);
    double z = (double)def->origin.z + (section.row + 0.5) * (double)def->cell;
    PlotGrain* grains = malloc((size_t)base_maxi(1, s->count) * sizeof *grains);
    int count = 0;
    for (int i = 0; grains && i < s->count; ++i) {
        if (s->mass[i] > 0 && fabs((double)s->pz[i] - z) < section.deep &&
            (double)s->px[i] > section.lo[0] && (double)s->px[i] < section.hi[0] &&
            (double)s->py[i] < section.hi[1])
            grains[count++] = (PlotGrain){.x = s->px[i],
                                          .y = s->py[i],
                                          .z = s->pz[i],
                                          .radius = s->radius[i],
                                          .id = s->id[i],
                                          .material = s->material[i]};
    }
    if (grains)
        plot_view_grains(run->picture, v, grains, count, PLOT_SHADE_MATERIAL);
    free(grains);
}

PlotView lab_world_draw(LabRun* run, PlotRect area, const LabWorld* w, LabSection section)
{
    const TerrainDef* def = terrain_definition(w->terrain);
    PlotView view = plot_view_fit(area, section.lo, section.hi, false);
    for (int i = 0; i < def->nx; ++i) {
        int cell = terrain_cell(w->terrain, i, section.row);
        double x = (double)terrain_center(w->terrain, cell).x;
        if (x > section.lo[0] && x < section.hi[0])
            draw_column(run, &view, w->terrain, cell);
    }
    draw_grains(run, &view, w, section);
    plot_view_ruler(run->picture, &view);
    return view;
}
