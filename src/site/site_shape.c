// The shapes of a site file: what each does to the columns under it.
#include "base/base_assert.h"
#include "base/base_trig.h"
#include "site/site_build.h"
#include "site/site_noise.h"

#include <stdio.h>

#define HEIGHT_STEPS 40   // halvings in the search for a pile's top: from 100 m to a tenth of a nm
#define ROCK_ROUGHLY 1e-3 // m, what rounding may take a trench below bedrock

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
        base_maxi((int)(max(min(x0, side_x), 0.0) / b->cell) - 1, 0),
        base_maxi((int)(max(min(z0, side_z), 0.0) / b->cell) - 1, 0),
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
    return a ? box_of(b, (double)a->from[0], (double)a->from[1], (double)a->to[0], (double)a->to[1])
             : box_all(b);
}

static bool fail(SiteBuild* b, int index, const char* name, const char* what)
{
    char key[SITE_KEY_MAX];
    snprintf(key, sizeof key, "shapes[%d].%s", index, name);
    return site_build_fail(b, key, "%s", what);
}

static bool fail_outside(SiteBuild* b, int index, const char* name)
{
    char what[160];
    snprintf(what, sizeof what,
             "meets no column of the site; allowed is x from 0 to %g m and z from 0 to %g m",
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

// The same before trenches and berms.
static double natural(const SiteBuild* b, int cell)
{
    return b->land[cell];
}

typedef double (*Height)(const SiteBuild* b, int cell);

// Between the middles of columns; beyond the site as at its edge.
static double height_at(const SiteBuild* b, Height height, double x, double z)
{
    double u = max(0.0, min(x / b->cell - 0.5, (double)(b->nx - 1)));
    double v = max(0.0, min(z / b->cell - 0.5, (double)(b->nz - 1)));
    int i = base_mini((int)u, base_maxi(b->nx - 2, 0)), i1 = base_mini(i + 1, b->nx - 1);
    int j = base_mini((int)v, base_maxi(b->nz - 2, 0)), j1 = base_mini(j + 1, b->nz - 1);
    u -= (double)i, v -= (double)j;
    double near = height(b, column(b, i, j)) * (1.0 - u) + height(b, column(b, i1, j)) * u;
    double far = height(b, column(b, i, j1)) * (1.0 - u) + height(b, column(b, i1, j1)) * u;
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

// A line from one point to another, and the ground along it. A pile has a single point.
typedef struct Axis {
    double x, z;   // m, where it begins
    double cx, cz; // unit
    double length; // m
    double step;   // m, between samples
    double* top;   // [count] m
    int count;
} Axis;

static Axis axis_between(SiteBuild* b, Height height, const float from[2], const float to[2])
{
    double dx = (double)to[0] - (double)from[0], dz = (double)to[1] - (double)from[1];
    double length = __builtin_sqrt(dx * dx + dz * dz);
    int pieces = base_maxi(1, (int)(2.0 * length / b->cell));
    double* top = base_arena_alloc(&b->scratch, (size_t)(pieces + 1) * sizeof *top);
    for (int k = 0; k <= pieces; ++k) {
        double t = (double)k / (double)pieces;
        top[k] = height_at(b, height, (double)from[0] + dx * t, (double)from[1] + dz * t);
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
    if (axis->count == 1) {
        return axis->top[0];
    }
    double u = max(0.0, min(along / axis->step, (double)(axis->count - 1)));
    int k = base_mini((int)u, axis->count - 2);
    u -= (double)k;
    return axis->top[k] * (1.0 - u) + axis->top[k + 1] * u;
}

// Evens out bumps shorter than `window`, m: each sample becomes the mean of those around it.
static void axis_smooth(SiteBuild* b, Axis* axis, double window)
{
    int n = axis->count, half = base_mini(n - 1, (int)(0.5 * window / axis->step));
    double* sums = base_arena_alloc(&b->scratch, (size_t)(n + 1) * sizeof *sums);
    for (int k = 0; k < n; ++k) {
        sums[k + 1] = sums[k] + axis->top[k];
    }
    for (int k = 0; k < n; ++k) {
        int first = base_maxi(k - half, 0), end = base_mini(k + half + 1, n);
        axis->top[k] = (sums[end] - sums[first]) / (double)(end - first);
    }
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
    double low = b->land[0], high = surface(b, 0);
    for (int cell = 1; cell < b->nx * b->nz; ++cell) {
        low = min(low, b->land[cell]), high = max(high, surface(b, cell));
    }
    return (high - low + depth) / rise;
}

// The floor is a rectangle, its ends square; sides rise from all four edges. Depth counts from the
// natural ground, so trenches that cross or lie in each other join. *rock is how far the floor went
// into bedrock, where it stops.
static bool dig_trench(SiteBuild* b, const SiteTrench* trench, double* rock)
{
    Axis axis = axis_between(b, natural, trench->from, trench->to);
    bool met = false;
    double half = 0.5 * (double)trench->width, depth = (double)trench->depth;
    bool vertical = (double)trench->sides > 89.9 * BASE_DEG;
    double rise = vertical ? 0.0 : tangent((double)trench->sides);
    Box box = axis_box(b, &axis, half + (vertical ? 0.0 : reach_of(b, depth, rise)));
    *rock = 0.0;
    for (int j = box.j0; j <= box.j1; ++j) {
        for (int i = box.i0; i <= box.i1; ++i) {
            double dx = middle(b, i) - axis.x, dz = middle(b, j) - axis.z;
            double along = dx * axis.cx + dz * axis.cz, across = dz * axis.cx - dx * axis.cz;
            double past = max(max(-along, along - axis.length), max(across, -across) - half);
            double floor = axis_top(&axis, along) - depth;
            int cell = column(b, i, j);
            if (past <= 0.0) {
                met = true;
                *rock = max(*rock, b->land[cell] - (double)b->def.bedrock - floor);
            }
            if (past <= 0.0 || !vertical) {
                cut(b, cell, floor + max(past, 0.0) * rise);
            }
        }
    }
    return met;
}

static bool apply_trench(SiteBuild* b, int index, const SiteTrench* trench)
{
    double rock;
    char what[160];
    if (!dig_trench(b, trench, &rock)) {
        return fail_outside(b, index, "trench");
    }
    if (rock > ROCK_ROUGHLY) {
        double most = max(0.0, (double)trench->depth - rock);
        snprintf(what, sizeof what, "%g m goes %.2f m below bedrock; allowed is up to %.2f m here",
                 (double)trench->depth, rock, most);
        return fail(b, index, "trench.depth", what);
    }
    return true;
}

// --- heaps ---------------------------------------------------------------------------------------

// The upper side of a heap: a crest along an axis, falling to all sides. Its ends are half cones.
//
//        ______                         __________
//       /      \  height              /            .
//      /________\                    (  ----------  )
//        width                        \____________/
//
typedef struct Roof {
    Axis axis;
    double crest;  // m, half the width of the flat top
    double height; // m, above the ground of the axis
    double rise;   // tangent of the sides
} Roof;

// m of soil that a column needs to reach the roof
static double roof_under(const SiteBuild* b, const Roof* roof, int cell)
{
    const Axis* a = &roof->axis;
    double dx = middle(b, cell % b->nx) - a->x, dz = middle(b, cell / b->nx) - a->z;
    double along = dx * a->cx + dz * a->cz, on = max(0.0, min(along, a->length));
    dx -= on * a->cx, dz -= on * a->cz;
    double away = max(0.0, __builtin_sqrt(dx * dx + dz * dz) - roof->crest);
    double top = axis_top(a, along) + roof->height - away * roof->rise;
    return max(0.0, top - surface(b, cell));
}

static void take(SiteBuild* b, const Roof* roof, int i, int j, int* count)
{
    int cell = column(b, i, j);
    if (i >= 0 && j >= 0 && i < b->nx && j < b->nz && !b->seen[cell] &&
        roof_under(b, roof, cell) > 0.0) {
        b->seen[cell] = 1;
        b->list[(*count)++] = cell;
    }
}

// The columns under the roof that hang together with its axis go into b->list. Behind a dry strip
// the roof may come out of the ground again, as in a trench beside a berm; no soil gets there.
static int gather(SiteBuild* b, const Roof* roof)
{
    const Axis* a = &roof->axis;
    int count = 0;
    for (int k = 0; k < a->count; ++k) {
        double x = (a->x + a->cx * a->step * (double)k) / b->cell;
        double z = (a->z + a->cz * a->step * (double)k) / b->cell;
        int i = (int)max(0.0, min(x, (double)(b->nx - 1)));
        int j = (int)max(0.0, min(z, (double)(b->nz - 1)));
        for (int n = 0; n < 9; ++n) {
            take(b, roof, i + n % 3 - 1, j + n / 3 - 1, &count);
        }
    }
    for (int k = 0; k < count; ++k) {
        int i = b->list[k] % b->nx, j = b->list[k] / b->nx;
        take(b, roof, i - 1, j, &count);
        take(b, roof, i + 1, j, &count);
        take(b, roof, i, j - 1, &count);
        take(b, roof, i, j + 1, &count);
    }
    for (int k = 0; k < count; ++k) {
        b->seen[b->list[k]] = 0;
    }
    return count;
}

// m, in all columns of the list together
static double sum_under(const SiteBuild* b, const Roof* roof, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; ++k) {
        sum += roof_under(b, roof, b->list[k]);
    }
    return sum;
}

// Loose soil there would slide off.
static bool touches_edge(const SiteBuild* b, int count)
{
    bool touches = false;
    for (int k = 0; k < count; ++k) {
        int i = b->list[k] % b->nx, j = b->list[k] / b->nx;
        touches = touches || i == 0 || j == 0 || i == b->nx - 1 || j == b->nz - 1;
    }
    return touches;
}

// Bank soil on top of a column that is not laid yet.
static bool fill(SiteBuild* b, int cell, int material, double under)
{
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

// Loose soil on top of a column that is.
static bool heap(SiteBuild* b, int cell, int material, double under)
{
    double mg = terrain_loose_mg(b->terrain, material, under * b->cell * b->cell) + 0.5;
    return mg < 1.0 || (mg <= (double)TERRAIN_LAYER_MAX &&
                        terrain_add_loose(b->terrain, cell, material, (uint32_t)mg));
}

static bool raise(SiteBuild* b, const Roof* roof, int count, int material, bool bank)
{
    bool room = true;
    for (int k = 0; k < count && room; ++k) {
        double under = roof_under(b, roof, b->list[k]);
        room = bank ? fill(b, b->list[k], material, under) : heap(b, b->list[k], material, under);
    }
    return room;
}

#define TOO_HIGH "is higher than a column can carry; allowed are 4294 kg per column"
#define AT_EDGE \
    "reaches the edge of the site, where loose soil slides off; make it smaller or move it"

// --- berm ----------------------------------------------------------------------------------------

// Sides of a berm on sloping ground fall along it, too: both together must not exceed repose.
static double flatter(const Axis* axis, double rise, double repose)
{
    double steepest = 0.0;
    for (int k = 1; k < axis->count; ++k) {
        double slope = (axis->top[k] - axis->top[k - 1]) / axis->step;
        steepest = max(steepest, slope * slope);
    }
    // ground as steep as repose carries no berm anyway
    return min(rise, __builtin_sqrt(max(repose * repose - steepest, 0.01 * repose * repose)));
}

static bool berm_up(SiteBuild* b, int index, const SiteBerm* berm, int material, double rise)
{
    bool bank = berm->soil == SITE_BANK;
    Roof roof = {.axis = axis_between(b, surface, berm->from, berm->to),
                 .height = (double)berm->height,
                 .rise = rise};
    axis_smooth(b, &roof.axis, (double)berm->width);
    if (!bank) {
        roof.rise = flatter(&roof.axis, rise, b->tan_repose[material]);
    }
    roof.crest = 0.5 * (double)berm->width - roof.height / roof.rise;
    int count = gather(b, &roof);
    if (count == 0) {
        return fail_outside(b, index, "berm");
    }
    if (!bank && touches_edge(b, count)) {
        return fail(b, index, "berm", AT_EDGE);
    }
    return raise(b, &roof, count, material, bank) ||
           fail(b, index, "berm",
                bank ? "makes a fifth stratum in a column; allowed are 4" : TOO_HIGH);
}

static bool apply_berm(SiteBuild* b, int index, const SiteBerm* berm)
{
    char what[200];
    bool loose = berm->soil == SITE_LOOSE;
    int material = site_build_material(b, berm->material);
    double repose = (double)b->info.material[material]->repose;
    double sides = (double)berm->sides > 0.0 ? (double)berm->sides
                   : loose                   ? repose
                                             : 0.25 * BASE_PI;
    double rise = loose && sides == repose ? b->tan_repose[material] : tangent(sides);
    if (loose && sides > repose) {
        snprintf(what, sizeof what,
                 "loose %s does not stand at %.1f deg; allowed is up to %.1f deg", berm->material,
                 sides / BASE_DEG, repose / BASE_DEG);
        return fail(b, index, "berm.sides", what);
    }
    double height = (double)berm->height, need = 2.0 * height / rise;
    if (need > (double)berm->width * 1.0001) {
        snprintf(
            what, sizeof what,
            "%g m is too narrow for a height of %g m with sides of %.1f deg; allowed is %.2f m "
            "and more",
            (double)berm->width, height, sides / BASE_DEG, need);
        return fail(b, index, "berm.width", what);
    }
    return berm_up(b, index, berm, material, rise);
}

// --- pile ----------------------------------------------------------------------------------------

// Shares of a running sum: the mass is met to the milligram.
static bool pour(SiteBuild* b, const Roof* roof, int count, int material, double volume)
{
    double whole = sum_under(b, roof, count), sum = 0.0;
    uint64_t mg = (uint64_t)(terrain_loose_mg(b->terrain, material, volume) + 0.5), done = 0;
    for (int k = 0; k < count; ++k) {
        sum += roof_under(b, roof, b->list[k]);
        uint64_t until = k == count - 1 ? mg : (uint64_t)((double)mg * min(1.0, sum / whole));
        uint64_t share = until > done ? until - done : 0;
        done += share;
        if (share > TERRAIN_LAYER_MAX ||
            (share > 0 && !terrain_add_loose(b->terrain, b->list[k], material, (uint32_t)share))) {
            return false;
        }
    }
    return true;
}

// The height of the cone that holds the volume, by halving. Returns its columns.
static int find_height(SiteBuild* b, Roof* roof, double volume)
{
    double want = volume / (b->cell * b->cell), low = 0.0;
    int count = 0;

    // twice as high until it is enough, or too much for the site
    for (double high = b->cell * roof->rise;; high *= 2.0) {
        roof->height = high;
        count = gather(b, roof);
        if (touches_edge(b, count) || sum_under(b, roof, count) >= want) {
            break;
        }
        low = high;
    }
    // the cone of the lowest height may lie below the ground of its middle, on a knoll
    double high = roof->height;
    low = low > 0.0 ? low : -high;
    for (int k = 0; k < HEIGHT_STEPS; ++k) {
        roof->height = 0.5 * (low + high);
        if (sum_under(b, roof, gather(b, roof)) >= want) {
            high = roof->height;
        } else {
            low = roof->height;
        }
    }
    roof->height = high;
    return gather(b, roof);
}

static bool apply_pile(SiteBuild* b, int index, const SitePile* pile)
{
    int material = site_build_material(b, pile->material);
    double x = (double)pile->center[0], z = (double)pile->center[1];
    if (x < 0.0 || z < 0.0 || x > (double)b->def.size[0] || z > (double)b->def.size[1]) {
        return fail_outside(b, index, "pile.center");
    }
    double ground = height_at(b, surface, x, z), rise = b->tan_repose[material];
    Roof roof = {.axis = {.x = x, .z = z, .top = &ground, .count = 1}, .rise = rise};
    bool by_volume = pile->volume > 0.0f;
    roof.height = rise * (double)pile->radius;
    int count = by_volume ? find_height(b, &roof, (double)pile->volume) : gather(b, &roof);
    const char* key = by_volume ? "pile.volume" : "pile.radius";
    if (touches_edge(b, count)) {
        return fail(b, index, key, AT_EDGE);
    }
    if (count == 0) {
        return fail(b, index, key, "is less than a column; make it larger");
    }
    return (by_volume ? pour(b, &roof, count, material, (double)pile->volume)
                      : raise(b, &roof, count, material, false)) ||
           fail(b, index, "pile", TOO_HIGH);
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
