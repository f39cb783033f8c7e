// What others may ask: columns, heights, normals, contacts, rays. Nothing here writes.
#include "terrain/terrain_internal.h"

int terrain_cell(const Terrain* t, int i, int j)
{
    bool inside = i >= 0 && j >= 0 && i < t->def.nx && j < t->def.nz;
    return inside ? j * t->def.nx + i : -1;
}

// Columns from the corner of the site. A coordinate that is not finite ends up outside.
static float along(const Terrain* t, float x, float origin)
{
    float u = (x - origin) / t->def.cell, far = (float)(2 * TERRAIN_SIDE_MAX);
    return base_finite(u) ? base_clampf(u, -far, far) : -far;
}

static int floor_int(float u)
{
    int i = (int)u;
    return i - ((float)i > u);
}

int terrain_cell_at(const Terrain* t, float x, float z)
{
    return terrain_cell(t, floor_int(along(t, x, t->def.origin.x)),
                        floor_int(along(t, z, t->def.origin.z)));
}

Vec3 terrain_center(const Terrain* t, int cell)
{
    int i = cell % t->def.nx, j = cell / t->def.nx;
    return vec3(t->def.origin.x + ((float)i + 0.5f) * t->def.cell, t->surface[cell],
                t->def.origin.z + ((float)j + 0.5f) * t->def.cell);
}

float terrain_surface(const Terrain* t, int cell)
{
    return t->surface[cell];
}

float terrain_bank_top(const Terrain* t, int cell)
{
    return t->bank_top[cell];
}

uint64_t terrain_loose_mass(const Terrain* t, int cell)
{
    uint64_t mg = 0;
    for (int m = 0; m < t->def.material_count; ++m) {
        mg += t->state.loose[m][cell];
    }
    return mg;
}

uint64_t terrain_bank_mass(const Terrain* t, int cell)
{
    uint64_t mg = 0;
    for (int k = 0; k < TERRAIN_STRATA_MAX; ++k) {
        mg += t->state.bank[k][cell];
    }
    return mg;
}

// Of the loose layer the one there is most of, else the uppermost stratum.
int terrain_top_material(const Terrain* t, int cell)
{
    int best = -1;
    uint32_t most = 0;
    for (int m = 0; m < t->def.material_count; ++m) {
        if (t->state.loose[m][cell] > most) {
            best = m, most = t->state.loose[m][cell];
        }
    }
    for (int k = TERRAIN_STRATA_MAX - 1; k >= 0 && best < 0; --k) {
        if (t->state.bank[k][cell] > 0) {
            best = t->state.soil[cell] >> (4 * k) & 15;
        }
    }
    return best;
}

double terrain_loose_mg(const Terrain* t, int material, double volume)
{
    return 1e6 * (double)t->def.material[material].density_loose * volume;
}

double terrain_bank_mg(const Terrain* t, int material, double volume)
{
    return 1e6 * (double)t->def.material[material].density_bank * volume;
}

// Columns: rounding alone puts nobody beyond the edge.
#define PATCH_EDGE 1e-3f

// The four columns around a point, whose middles span a square, and the place in that square.
typedef struct Patch {
    float h00, h10, h01, h11; // m
    float fu, fv;             // 0..1
    bool beyond_u, beyond_v;  // beyond the middles of the outermost columns: level that way
} Patch;

static Patch patch_at(const Terrain* t, float x, float z)
{
    int nx = t->def.nx, nz = t->def.nz;
    float at_u = along(t, x, t->def.origin.x) - 0.5f, at_v = along(t, z, t->def.origin.z) - 0.5f;
    float u = base_clampf(at_u, 0.0f, (float)(nx - 1)),
          v = base_clampf(at_v, 0.0f, (float)(nz - 1));
    int i = base_mini((int)u, base_maxi(nx - 2, 0)), j = base_mini((int)v, base_maxi(nz - 2, 0));
    int i1 = base_mini(i + 1, nx - 1), j1 = base_mini(j + 1, nz - 1);
    const float* h = t->surface;
    return (Patch){
        .h00 = h[j * nx + i],
        .h10 = h[j * nx + i1],
        .h01 = h[j1 * nx + i],
        .h11 = h[j1 * nx + i1],
        .fu = u - (float)i,
        .fv = v - (float)j,
        .beyond_u = at_u < -PATCH_EDGE || at_u > (float)(nx - 1) + PATCH_EDGE,
        .beyond_v = at_v < -PATCH_EDGE || at_v > (float)(nz - 1) + PATCH_EDGE,
    };
}

static float patch_height(const Patch* p)
{
    float low = p->h00 + (p->h10 - p->h00) * p->fu, high = p->h01 + (p->h11 - p->h01) * p->fu;
    return low + (high - low) * p->fv;
}

static Vec3 patch_normal(const Patch* p, float cell)
{
    float dx = (p->h10 - p->h00) + ((p->h11 - p->h01) - (p->h10 - p->h00)) * p->fv;
    float dz = (p->h01 - p->h00) + ((p->h11 - p->h10) - (p->h01 - p->h00)) * p->fu;
    return vec3_unit(vec3(p->beyond_u ? 0.0f : -dx, cell, p->beyond_v ? 0.0f : -dz));
}

float terrain_height(const Terrain* t, float x, float z)
{
    Patch p = patch_at(t, x, z);
    return patch_height(&p);
}

Vec3 terrain_normal(const Terrain* t, float x, float z)
{
    Patch p = patch_at(t, x, z);
    return patch_normal(&p, t->def.cell);
}

static int nearest_cell(const Terrain* t, float x, float z)
{
    int i = floor_int(along(t, x, t->def.origin.x)), j = floor_int(along(t, z, t->def.origin.z));
    i = base_maxi(0, base_mini(i, t->def.nx - 1)), j = base_maxi(0, base_mini(j, t->def.nz - 1));
    return j * t->def.nx + i;
}

static void fill_contact(const Terrain* t, float x, float z, TerrainContact* out)
{
    out->cell = nearest_cell(t, x, z);
    out->material = terrain_top_material(t, out->cell);
    int m = base_maxi(out->material, 0);
    bool loose = terrain_loose_mass(t, out->cell) > 0;
    out->friction = loose ? t->tan_stop[m] : t->tan_friction[m];
}

bool terrain_contact(const Terrain* t, Vec3 point, float reach, TerrainContact* out)
{
    Patch p = patch_at(t, point.x, point.z);
    Vec3 normal = patch_normal(&p, t->def.cell);
    float gap = (point.y - patch_height(&p)) * normal.y; // to the plane that touches there
    if (!(gap <= reach)) {
        return false;
    }
    out->normal = normal;
    out->point = vec3_mad(point, normal, -gap);
    fill_contact(t, point.x, point.z, out);
    return true;
}

bool terrain_raycast(const Terrain* t, Vec3 from, Vec3 direction, float length, TerrainContact* out)
{
    // half a column at a time, then halve the interval in which the ray went below
    float stride = 0.5f * t->def.cell, near = 0.0f, far = 0.0f;
    bool below = false;
    while (!below && far < length) {
        near = far;
        far = base_minf(far + stride, length);
        Vec3 at = vec3_mad(from, direction, far);
        below = at.y <= terrain_height(t, at.x, at.z);
    }
    if (!below) {
        return false;
    }
    for (int k = 0; k < 20; ++k) {
        float middle = 0.5f * (near + far);
        Vec3 at = vec3_mad(from, direction, middle);
        if (at.y <= terrain_height(t, at.x, at.z)) {
            far = middle;
        } else {
            near = middle;
        }
    }
    out->point = vec3_mad(from, direction, far);
    out->normal = terrain_normal(t, out->point.x, out->point.z);
    fill_contact(t, out->point.x, out->point.z, out);
    return true;
}
