// The shapes of a site file: what each does to the columns under it.
#include "base/base_assert.h"
#include "base/base_trig.h"
#include "site/site_build.h"
#include "site/site_noise.h"

#include <stdio.h>

#define HEIGHT_STEPS 64 // halvings in the search for a pile's top: down to the last bit

// On sloping ground a heap's foot lies further down the hill, h / (tan repose - tan slope) away. So
// many times the distance on level ground are looked at; beyond, the hill itself would slide.
#define SLOPE_REACH 8.0

// Columns i0..i1, j0..j1; empty when i1 < i0 or j1 < j0.
typedef struct Box {
    int i0, j0, i1, j1;
} Box;

static double min(double a, double b)
{
    return a < b ? a : b;
}

static double max(double a, double b)
{
    return a > b ? a : b;
}

static double tangent(double angle)
{
    return base_sin(angle) / base_cos(angle);
}

static double middle(const SiteBuild* b, int i)
{
    return ((double)i + 0.5) * b->cell;
}

static int column(const SiteBuild* b, int i, int j)
{
    return j * b->nx + i;
}

// The columns whose middle may lie in the rectangle, and one more on each side.
static Box box_of(const SiteBuild* b, double x0, double z0, double x1, double z1)
{
    double side_x = (double)b->nx * b->cell, side_z = (double)b->nz * b->cell;
    return (Box){
        (int)(max(min(x0, side_x), 0.0) / b->cell) - (x0 > 0.0),
        (int)(max(min(z0, side_z), 0.0) / b->cell) - (z0 > 0.0),
        base_mini((int)(max(min(x1, side_x), -b->cell) / b->cell), b->nx - 1),
        base_mini((int)(max(min(z1, side_z), -b->cell) / b->cell), b->nz - 1),
    };
}

static Box box_all(const SiteBuild* b)
{
    return (Box){0, 0, b->nx - 1, b->nz - 1};
}

static bool in_area(const SiteBuild* b, const SiteArea* area, int i, int j)
{
    double x = middle(b, i), z = middle(b, j);
    return !area || (x >= (double)area->from[0] && x < (double)area->to[0] &&
                     z >= (double)area->from[1] && z < (double)area->to[1]);
}

static Box box_area(const SiteBuild* b, const SiteArea* a)
{
    return a ? box_of(b, (double)a->from[0], (double)a->from[1], (double)a->to[0],
                      (double)a->to[1])
             : box_all(b);
}

static bool fail(SiteBuild* b, int index, const char* name, const char* what)
{
    char key[SITE_KEY_MAX];
    snprintf(key, sizeof key, "shapes[%d].%s", index, name);
    return base_yaml_fault(b->path, key, b->error, "%s", what);
}

static bool fail_outside(SiteBuild* b, int index, const char* name)
{
    char what[160];
    snprintf(what, sizeof what,
             "lies outside the site; allowed is x from 0 to %g m and z from 0 to %g m",
             (double)b->def.size[0], (double)b->def.size[1]);
    return fail(b, index, name, what);
}

// --- surfaces ------------------------------------------------------------------------------------

// Top of a column as far as it is built, m above the site's origin.
static double surface(const SiteBuild* b, int cell)
{
    if (b->terrain) {
        return (double)terrain_surface(b->terrain, cell) - (double)b->def.origin.y;
    }
    double top = b->land[cell] - (double)b->def.bedrock;
    for (int k = 0; k < TERRAIN_STRATA_MAX; ++k) {
        top += (double)b->depth[k][cell];
    }
    return top;
}

// Between the middles of columns; beyond the site as at its edge.
static double surface_at(const SiteBuild* b, double x, double z)
{
    double u = max(0.0, min(x / b->cell - 0.5, (double)(b->nx - 1)));
    double v = max(0.0, min(z / b->cell - 0.5, (double)(b->nz - 1)));
    int i = base_mini((int)u, base_maxi(b->nx - 2, 0)), i1 = base_mini(i + 1, b->nx - 1);
    int j = base_mini((int)v, base_maxi(b->nz - 2, 0)), j1 = base_mini(j + 1, b->nz - 1);
    u -= (double)i, v -= (double)j;
    double near = surface(b, column(b, i, j)) * (1.0 - u) + surface(b, column(b, i1, j)) * u;
    double far = surface(b, column(b, i, j1)) * (1.0 - u) + surface(b, column(b, i1, j1)) * u;
    return near * (1.0 - v) + far * v;
}

// --- land ----------------------------------------------------------------------------------------

static bool apply_plane(SiteBuild* b, const SitePlane* plane)
{
    Box box = box_area(b, plane->area);
    bool met = false;
    for (int j = box.j0; j <= box.j1; ++j) {
        for (int i = box.i0; i <= box.i1; ++i) {
            if (in_area(b, plane->area, i, j)) {
                b->land[column(b, i, j)] = (double)plane->height;
                met = true;
            }
        }
    }
    return met;
}

static bool apply_slope(SiteBuild* b, const SiteSlope* slope)
{
    double cx = base_cos((double)slope->direction), cz = base_sin((double)slope->direction);
    double rise = tangent((double)slope->angle), length = (double)slope->length;
    Box box = box_area(b, slope->area);
    bool met = false;
    for (int j = box.j0; j <= box.j1; ++j) {
        for (int i = box.i0; i <= box.i1; ++i) {
            double along = (middle(b, i) - (double)slope->at[0]) * cx +
                           (middle(b, j) - (double)slope->at[1]) * cz;
            if (length > 0.0) {
                along = max(0.0, min(along, length));
            }
            if (in_area(b, slope->area, i, j)) {
                b->land[column(b, i, j)] += along * rise;
                met = true;
            }
        }
    }
    return met;
}

static bool apply_noise(SiteBuild* b, const SiteNoise* noise)
{
    Box box = box_area(b, noise->area);
    double wavelength = (double)noise->wavelength;
    bool met = false;
    for (int j = box.j0; j <= box.j1; ++j) {
        for (int i = box.i0; i <= box.i1; ++i) {
            if (in_area(b, noise->area, i, j)) {
                b->land[column(b, i, j)] +=
                    (double)noise->amplitude * site_noise((uint32_t)noise->seed, noise->octaves,
                                                          middle(b, i) / wavelength,
                                                          middle(b, j) / wavelength);
                met = true;
            }
        }
    }
    return met;
}

// --- along an axis -------------------------------------------------------------------------------

// A line from one point to another, and the ground along it before anything was changed.
typedef struct Axis {
    double x, z;       // m, where it begins
    double cx, cz;     // unit
    double length;     // m
    double step;       // m, between samples
    const double* top; // [count] m
    int count;
} Axis;

static Axis axis_between(SiteBuild* b, const float from[2], const float to[2])
{
    double dx = (double)to[0] - (double)from[0], dz = (double)to[1] - (double)from[1];
    double length = __builtin_sqrt(dx * dx + dz * dz);
    int pieces = base_maxi(1, (int)(2.0 * length / b->cell));
    double* top = base_arena_alloc(&b->scratch, (size_t)(pieces + 1) * sizeof *top);
    for (int k = 0; k <= pieces; ++k) {
        double t = (double)k / (double)pieces;
        top[k] = surface_at(b, (double)from[0] + dx * t, (double)from[1] + dz * t);
    }
    return (Axis){.x = (double)from[0],
                  .z = (double)from[1],
                  .cx = dx / length,
                  .cz = dz / length,
                  .length = length,
                  .step = length / (double)pieces,
                  .top = top,
                  .count = pieces + 1};
}

// The ground on the axis beside a point that is `along` it.
static double axis_top(const Axis* axis, double along)
{
    double u = max(0.0, min(along / axis->step, (double)(axis->count - 1)));
    int k = base_mini((int)u, axis->count - 2);
    u -= (double)k;
    return axis->top[k] * (1.0 - u) + axis->top[k + 1] * u;
}

static Box axis_box(const SiteBuild* b, const Axis* a, double reach)
{
    double x1 = a->x + a->cx * a->length, z1 = a->z + a->cz * a->length;
    return box_of(b, min(a->x, x1) - reach, min(a->z, z1) - reach, max(a->x, x1) + reach,
                  max(a->z, z1) + reach);
}

// --- trench --------------------------------------------------------------------------------------

static void cut(SiteBuild* b, int cell, double height)
{
    double over = surface(b, cell) - height;
    for (int k = TERRAIN_STRATA_MAX - 1; k >= 0 && over > 0.0; --k) {
        double have = (double)b->depth[k][cell], part = min(have, over);
        b->depth[k][cell] = (float)(have - part);
        over -= part;
    }
}

// How far the sides may reach: to the deepest floor from the highest ground.
static double reach_of(const SiteBuild* b, double depth, double rise)
{
    double low = surface(b, 0), high = low;
    for (int cell = 1; cell < b->nx * b->nz; ++cell) {
        double top = surface(b, cell);
        low = min(low, top), high = max(high, top);
    }
    return (high - low + depth) / rise;
}

// The floor is a rectangle, its ends square; sides rise from all four edges.
static bool dig_trench(SiteBuild* b, const SiteTrench* trench)
{
    Axis axis = axis_between(b, trench->from, trench->to);
    bool met = false;
    double half = 0.5 * (double)trench->width, depth = (double)trench->depth;
    bool vertical = (double)trench->sides > 89.9 * BASE_DEG;
    double rise = vertical ? 0.0 : tangent((double)trench->sides);
    Box box = axis_box(b, &axis, half + (vertical ? 0.0 : reach_of(b, depth, rise)));
    for (int j = box.j0; j <= box.j1; ++j) {
        for (int i = box.i0; i <= box.i1; ++i) {
            double dx = middle(b, i) - axis.x, dz = middle(b, j) - axis.z;
            double along = dx * axis.cx + dz * axis.cz, across = dz * axis.cx - dx * axis.cz;
            double past = max(max(-along, along - axis.length), max(across, -across) - half);
            double floor = axis_top(&axis, along) - depth;
            met = met || past <= 0.0;
            if (past <= 0.0 || !vertical) {
                cut(b, column(b, i, j), floor + max(past, 0.0) * rise);
            }
        }
    }
    return met;
}

static bool apply_trench(SiteBuild* b, int index, const SiteTrench* trench)
{
    char what[160];
    if (trench->depth > b->def.bedrock) {
        snprintf(what, sizeof what, "%g m is below bedrock; allowed is up to %g m",
                 (double)trench->depth, (double)b->def.bedrock);
        return fail(b, index, "trench.depth", what);
    }
    return dig_trench(b, trench) || fail_outside(b, index, "trench");
}

// --- berm ----------------------------------------------------------------------------------------

static bool fill(SiteBuild* b, int cell, int material, double height)
{
    double under = height - surface(b, cell);
    if (under <= 0.0) {
        return true;
    }
    int k = TERRAIN_STRATA_MAX;
    while (k > 0 && b->depth[k - 1][cell] <= 0.0f) {
        --k;
    }
    if (k > 0 && b->soil[k - 1][cell] == material) {
        --k;
    }
    if (k == TERRAIN_STRATA_MAX) {
        return false;
    }
    b->soil[k][cell] = (uint8_t)material;
    b->depth[k][cell] += (float)under;
    return true;
}

// Loose soil from the surface up to a height.
static bool heap(SiteBuild* b, int cell, int material, double height)
{
    double under = height - surface(b, cell);
    double mg = terrain_loose_mg(b->terrain, material, under * b->cell * b->cell) + 0.5;
    return mg < 1.0 || (mg <= (double)TERRAIN_LAYER_MAX &&
                        terrain_add_loose(b->terrain, cell, material, (uint32_t)mg));
}

// Cross-section and ends, seen from above and from the side: the ends are halves of a cone.
//
//        ______                         __________
//       /      \  height              /            .
//      /________\                    (  ----------  )
//        width                        \____________/
//
static bool berm_up(SiteBuild* b, const SiteBerm* berm, int material, double rise, bool* met)
{
    Axis axis = axis_between(b, berm->from, berm->to);
    double half = 0.5 * (double)berm->width, height = (double)berm->height;
    double crest = half - height / rise;
    bool bank = berm->soil == SITE_BANK, room = true;
    Box box = axis_box(b, &axis, half + SLOPE_REACH * height / rise);
    for (int j = box.j0; j <= box.j1 && room; ++j) {
        for (int i = box.i0; i <= box.i1 && room; ++i) {
            double dx = middle(b, i) - axis.x, dz = middle(b, j) - axis.z;
            double along = dx * axis.cx + dz * axis.cz;
            double on = max(0.0, min(along, axis.length));
            dx -= on * axis.cx, dz -= on * axis.cz;
            double away = max(0.0, __builtin_sqrt(dx * dx + dz * dz) - crest);
            double top = axis_top(&axis, along) + height - away * rise;
            int cell = column(b, i, j);
            *met = *met || away <= height / rise;
            room = bank ? fill(b, cell, material, top) : heap(b, cell, material, top);
        }
    }
    return room;
}

static bool apply_berm(SiteBuild* b, int index, const SiteBerm* berm)
{
    char what[200];
    bool loose = berm->soil == SITE_LOOSE, met = false;
    int material = site_build_material(b, berm->material);
    double repose = (double)b->info.material[material]->repose;
    double sides = (double)berm->sides > 0.0 ? (double)berm->sides : loose ? repose : 0.25 * BASE_PI;
    double rise = loose && sides == repose ? b->tan_repose[material] : tangent(sides);
    if (loose && sides > repose) {
        snprintf(what, sizeof what, "loose %s does not stand at %.1f deg; allowed is up to %.1f deg",
                 berm->material, sides / BASE_DEG, repose / BASE_DEG);
        return fail(b, index, "berm.sides", what);
    }
    double height = (double)berm->height, need = 2.0 * height / rise;
    if (need > (double)berm->width * 1.0001) {
        snprintf(what, sizeof what,
                 "%g m is too narrow for a height of %g m with sides of %.1f deg; allowed is %.2f m "
                 "and more",
                 (double)berm->width, height, sides / BASE_DEG, need);
        return fail(b, index, "berm.width", what);
    }
    if (!berm_up(b, berm, material, rise, &met)) {
        return fail(b, index, "berm",
                    loose ? "is higher than a column can carry; allowed are 4294 kg per column"
                          : "makes a fifth stratum in a column; allowed are 4");
    }
    return met || fail_outside(b, index, "berm");
}

// --- pile ----------------------------------------------------------------------------------------

typedef struct Cone {
    double x, z, top, rise;
} Cone;

static double cone_under(const SiteBuild* b, const Cone* cone, int i, int j)
{
    double dx = middle(b, i) - cone->x, dz = middle(b, j) - cone->z;
    double height = cone->top - cone->rise * __builtin_sqrt(dx * dx + dz * dz);
    return max(0.0, height - surface(b, column(b, i, j)));
}

// m3 between the ground and the cone
static double cone_volume(const SiteBuild* b, const Cone* cone, Box box)
{
    double sum = 0.0;
    for (int j = box.j0; j <= box.j1; ++j) {
        for (int i = box.i0; i <= box.i1; ++i) {
            sum += cone_under(b, cone, i, j);
        }
    }
    return sum * b->cell * b->cell;
}

static bool touches_edge(const SiteBuild* b, const Cone* cone)
{
    bool touches = false;
    for (int i = 0; i < b->nx; ++i) {
        touches = touches || cone_under(b, cone, i, 0) > 0.0 ||
                  cone_under(b, cone, i, b->nz - 1) > 0.0;
    }
    for (int j = 0; j < b->nz; ++j) {
        touches = touches || cone_under(b, cone, 0, j) > 0.0 ||
                  cone_under(b, cone, b->nx - 1, j) > 0.0;
    }
    return touches;
}

// Shares of a running sum: the mass is met to the milligram.
static bool pour(SiteBuild* b, const Cone* cone, Box box, int material, double volume)
{
    double whole = cone_volume(b, cone, box) / (b->cell * b->cell), sum = 0.0;
    uint64_t mg = (uint64_t)(terrain_loose_mg(b->terrain, material, volume) + 0.5), done = 0;
    for (int j = box.j0; j <= box.j1; ++j) {
        for (int i = box.i0; i <= box.i1; ++i) {
            sum += cone_under(b, cone, i, j);
            uint64_t until = sum >= whole ? mg : (uint64_t)((double)mg * (sum / whole));
            uint64_t share = until > done ? until - done : 0;
            done += share;
            if (share > TERRAIN_LAYER_MAX ||
                (share > 0 && !terrain_add_loose(b->terrain, column(b, i, j), material,
                                                 (uint32_t)share))) {
                return false;
            }
        }
    }
    return true;
}

// The top of the cone that holds the volume, by halving, and the box that holds the cone.
static Box find_top(const SiteBuild* b, Cone* cone, double volume)
{
    // twice as far until it is enough
    double ground = surface_at(b, cone->x, cone->z), reach = b->cell;
    double most = (double)(b->nx + b->nz) * b->cell;
    Box box;
    for (;; reach *= 2.0) {
        double far = SLOPE_REACH * reach;
        box = box_of(b, cone->x - far, cone->z - far, cone->x + far, cone->z + far);
        cone->top = ground + reach * cone->rise;
        if (reach > most || cone_volume(b, cone, box) >= volume) {
            break;
        }
    }
    // on a steep knoll even a cone below its top holds something: begin well below
    double high = cone->top, low = ground - reach * cone->rise;
    for (int k = 0; k < HEIGHT_STEPS; ++k) {
        cone->top = 0.5 * (low + high);
        if (cone_volume(b, cone, box) >= volume) {
            high = cone->top;
        } else {
            low = cone->top;
        }
    }
    cone->top = high;
    return box;
}

static bool apply_pile(SiteBuild* b, int index, const SitePile* pile)
{
    int material = site_build_material(b, pile->material);
    Cone cone = {(double)pile->center[0], (double)pile->center[1], 0.0, b->tan_repose[material]};
    if (cone.x < 0.0 || cone.z < 0.0 || cone.x > (double)b->def.size[0] ||
        cone.z > (double)b->def.size[1]) {
        return fail_outside(b, index, "pile.center");
    }
    bool room = true;
    if (pile->volume > 0.0f) {
        Box box = find_top(b, &cone, (double)pile->volume);
        if (touches_edge(b, &cone)) {
            return fail(b, index, "pile.volume",
                        "does not fit on the site: the pile reaches its edge");
        }
        room = pour(b, &cone, box, material, (double)pile->volume);
    } else {
        Box box = box_all(b);
        cone.top = surface_at(b, cone.x, cone.z) + cone.rise * (double)pile->radius;
        for (int j = box.j0; j <= box.j1 && room; ++j) {
            for (int i = box.i0; i <= box.i1 && room; ++i) {
                double under = cone_under(b, &cone, i, j);
                int cell = column(b, i, j);
                room = heap(b, cell, material, surface(b, cell) + under);
            }
        }
    }
    return room ||
           fail(b, index, "pile", "is higher than a column can carry; allowed are 4294 kg per column");
}

// --- the list ------------------------------------------------------------------------------------

bool site_shape_is_loose(const SiteShape* shape)
{
    return shape->pile || (shape->berm && shape->berm->soil == SITE_LOOSE);
}

const char* site_shape_material(const SiteShape* shape, int index, char key[SITE_KEY_MAX])
{
    snprintf(key, SITE_KEY_MAX, "shapes[%d].%s.material", index, shape->pile ? "pile" : "berm");
    return shape->pile ? shape->pile->material : shape->berm ? shape->berm->material : NULL;
}

bool site_shape_apply(SiteBuild* b, int index)
{
    const SiteShape* shape = &b->def.shapes[index];
    size_t mark = b->scratch.used;
    bool fine = shape->plane    ? apply_plane(b, shape->plane) || fail_outside(b, index, "plane")
                : shape->slope  ? apply_slope(b, shape->slope) || fail_outside(b, index, "slope")
                : shape->noise  ? apply_noise(b, shape->noise) || fail_outside(b, index, "noise")
                : shape->trench ? apply_trench(b, index, shape->trench)
                : shape->berm   ? apply_berm(b, index, shape->berm)
                                : apply_pile(b, index, shape->pile);
    base_arena_rewind(&b->scratch, mark);
    return fine;
}
