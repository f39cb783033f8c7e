// Bank faces stand by their cohesion up to Culmann's height, and fail as a wedge above it.
//
//            crest ____________                  H    height of the face above its toe
//                 |     . '                      beta its inclination
//                 |  . '   plane of failure,     the plane leaves the toe at (beta + phi) / 2:
//     toe ________|'       up from the toe       everything above it slides
//
// Columns have flat tops, so a slope is a stair: one step of it, as high as the friction angle
// allows over one column, is taken off the height before anything is judged.
#include "base/base_trig.h"
#include "terrain/terrain_internal.h"

#define TERRAIN_FACE_WALK  96    // columns up a slope, and into the bank behind it
#define TERRAIN_FACE_REST  4     // columns without a rise that end the slope
#define TERRAIN_FACE_ROUND 512   // slips that one round of terrain_collapse() takes
#define TERRAIN_FACE_LEAST 0.01f // m; what is less above the plane is left
#define TERRAIN_DIAGONAL   1.41421356f

// Strength of the bank behind a face, weighed by mass.
typedef struct FaceSoil {
    float cohesion;     // Pa
    float weight;       // N/m3
    float sine, cosine; // of the friction angle
    float tangent;
} FaceSoil;

// 4 c / gamma sin(beta) cos(phi) / (1 - cos(beta - phi)); the sines and cosines come ready.
static float culmann(const FaceSoil* soil, float sine, float cosine)
{
    float opening = 1.0f - (cosine * soil->cosine + sine * soil->sine);
    float limit = 4.0f * soil->cohesion / soil->weight * sine * soil->cosine;
    return opening > 1e-6f ? limit / opening : __builtin_inff();
}

float terrain_face_height(const TerrainDef* def, int material, float beta)
{
    const TerrainMaterial* m = &def->material[material];
    if (!(beta > m->friction)) {
        return __builtin_inff();
    }
    FaceSoil soil = {m->cohesion, m->density_bank * def->gravity, base_sinf(m->friction),
                     base_cosf(m->friction), 0.0f};
    return culmann(&soil, base_sinf(beta), base_cosf(beta));
}

// The bank of a column above a height.
static FaceSoil soil_above(const Terrain* t, int cell, float height)
{
    FaceSoil sum = {0};
    float top = t->bank_top[cell], thick = 0.0f;
    for (int k = TERRAIN_STRATA_MAX - 1; k >= 0 && top > height; --k) {
        int m = t->state.soil[cell] >> (4 * k) & 15;
        float h = base_minf((float)t->state.bank[k][cell] * t->bank_m[m], top - height);
        const TerrainMaterial* a = &t->def.material[m];
        thick += h, top -= h;
        sum.cohesion += h * a->cohesion;
        sum.weight += h * a->density_bank * t->def.gravity;
        sum.sine += h * t->sin_friction[m];
        sum.cosine += h * t->cos_friction[m];
        if (h <= 0.0f && k == 0) {
            break;
        }
    }
    float part = thick > 0.0f ? 1.0f / thick : 0.0f;
    sum.cohesion *= part, sum.weight *= part, sum.sine *= part, sum.cosine *= part;
    sum.tangent = sum.cosine > 0.0f ? sum.sine / sum.cosine : 0.0f;
    return sum;
}

typedef struct Face {
    int toe, step, reach; // column, from one up the slope to the next, columns until the site ends
    float stride;         // m, from one to the next
    float foot;           // m, surface at the toe
} Face;

// Height of bank that weighs as much as the loose soil on the top of a wedge, which begins at the n-th
// column and is so many metres wide: the mean over it.
static float surcharge(const Terrain* t, const Face* f, int n, float width, const FaceSoil* soil)
{
    int last = base_mini(n + base_maxi((int)(width / f->stride), 0), f->reach);
    uint64_t mg = 0;
    for (int k = n; k <= last; ++k) {
        mg += terrain_loose_mass(t, f->toe + k * f->step);
    }
    float kg = 1e-6f * (float)mg / (float)(last - n + 1);
    return kg * t->def.gravity / (t->area * soil->weight);
}

// Does the slope from the toe up to its n-th column fail? Then the slope of its plane, else 0.
static float failing(const Terrain* t, const Face* f, int n)
{
    int crest = f->toe + n * f->step;
    FaceSoil soil = soil_above(t, crest, f->foot);
    float run = (float)(n - 1) * f->stride;
    float rise = t->bank_top[crest] - f->foot - f->stride * soil.tangent;
    if (!(soil.weight > 0.0f) || rise <= 0.0f || rise <= run * soil.tangent) {
        return 0.0f;
    }

    float slant = __builtin_sqrtf(run * run + rise * rise);
    float sine = rise / slant, cosine = run / slant;
    float a = sine + soil.sine, b = cosine + soil.cosine;

    // a load q on its top takes 2 q / gamma off the height to which a face stands
    float load = surcharge(t, f, n, rise * b / a - run, &soil);
    float high = rise + 2.0f * load;
    if (high <= culmann(&soil, sine, cosine)) {
        return 0.0f;
    }

    // halfway to the friction angle, and on until what remains can stand
    for (int k = 0; k < 4; ++k) {
        float length = __builtin_sqrtf(a * a + b * b);
        sine = a / length, cosine = b / length;
        if (high <= culmann(&soil, sine, cosine)) {
            return sine / cosine;
        }
        a = sine + soil.sine, b = cosine + soil.cosine;
    }
    return soil.tangent;
}

// The steepest failing plane from this toe; the walk ends where the slope does.
static float face_plane(const Terrain* t, const Face* f)
{
    float highest = f->foot, plane = 0.0f;
    for (int n = 1, rest = 0; n <= f->reach && rest < TERRAIN_FACE_REST && plane == 0.0f; ++n) {
        float top = t->bank_top[f->toe + n * f->step];
        rest = top > highest + TERRAIN_FACE_LEAST ? 0 : rest + 1;
        if (rest == 0) {
            highest = top;
            plane = failing(t, f, n);
        }
    }
    return plane;
}

static int face_pieces(const Terrain* t, const Face* f, float plane, TerrainSlip* out, int max)
{
    int count = 0;
    for (int n = 1, rest = 0; n <= f->reach && count < max && rest < TERRAIN_FACE_REST; ++n) {
        int cell = f->toe + n * f->step;
        float height = f->foot + (float)n * f->stride * plane;
        bool above = t->bank_top[cell] > height + TERRAIN_FACE_LEAST;
        rest = above ? 0 : rest + 1;
        if (above) {
            out[count++] = (TerrainSlip){cell, height};
        }
    }
    return count;
}

// From this toe along the grid and across it, in eight directions.
static int slips_of_column(const Terrain* t, int i, int j, TerrainSlip* out, int max)
{
    const int nx = t->def.nx, cell = j * nx + i;
    const int room_x[3] = {i, TERRAIN_FACE_WALK, nx - 1 - i};
    const int room_z[3] = {j, TERRAIN_FACE_WALK, t->def.nz - 1 - j};
    int count = 0;
    for (int k = 0; k < 9; ++k) {
        int dx = k % 3 - 1, dz = k / 3 - 1;
        int room = base_mini(room_x[dx + 1], room_z[dz + 1]);
        Face f = {.toe = cell,
                  .step = dz * nx + dx,
                  .reach = base_mini(room, TERRAIN_FACE_WALK),
                  .stride = dx != 0 && dz != 0 ? t->def.cell * TERRAIN_DIAGONAL : t->def.cell,
                  .foot = t->surface[cell]};
        // a toe has a bank beside it
        if (k == 4 || f.reach < 1 || !(t->bank_top[cell + f.step] > f.foot + TERRAIN_FACE_LEAST)) {
            continue;
        }
        float plane = face_plane(t, &f);
        if (plane > 0.0f) {
            count += face_pieces(t, &f, plane, out + count, max - count);
        }
    }
    return count;
}

static int slips_of_tile(const Terrain* t, int tile, TerrainSlip* out, int max)
{
    int x0 = tile % t->tiles_x * TERRAIN_TILE, z0 = tile / t->tiles_x * TERRAIN_TILE;
    int x1 = base_mini(x0 + TERRAIN_TILE, t->def.nx), z1 = base_mini(z0 + TERRAIN_TILE, t->def.nz);
    int count = 0;
    for (int j = z0; j < z1 && count < max; ++j) {
        for (int i = x0; i < x1 && count < max; ++i) {
            count += slips_of_column(t, i, j, out + count, max - count);
        }
    }
    return count;
}

int terrain_slips(Terrain* t, TerrainSlip* out, int max)
{
    int count = 0;
    for (int k = 0; k < t->tiles && count < max; ++k) {
        if (!(t->state.tile[k] & TERRAIN_FACE)) {
            continue;
        }
        int found = slips_of_tile(t, k, out + count, max - count);
        // a tile with failures is looked at once more after they were dealt with
        if (found == 0) {
            t->state.tile[k] &= (uint8_t)~TERRAIN_FACE;
        }
        count += found;
    }
    return count;
}

uint64_t terrain_collapse(Terrain* t)
{
    TerrainSlip slip[TERRAIN_FACE_ROUND];
    uint64_t fallen = 0;
    int count = terrain_slips(t, slip, TERRAIN_FACE_ROUND);
    for (int k = 0; k < count; ++k) {
        fallen += terrain_loosen(t, slip[k].cell, slip[k].height);
    }
    return fallen;
}
