// From the file to the ground: materials, columns, shapes, terrain, loose soil.
#include "site/site.h"

#include "base/base_text.h"
#include "base/base_trig.h"
#include "site/site_build.h"
#include "site/site_pgm.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SITE_PATH_MAX 4096
#define SITE_AXIS_MAX 2829.0 // m, from corner to corner of what coordinates allow
#define SITE_MULTIPLE 1e-3   // of a cell: what a size may be off a whole number of them
#define SITE_THINNEST 1e-3   // m, of the lowest stratum; what rounding leaves is none
#define SITE_REPOSE   0.9999 // of repose: heaps are so much flatter, rounding to mg moves no soil

// --- materials -----------------------------------------------------------------------------------

// A site inside another file has its keys there.
bool site_build_fail(const SiteBuild* build, const char* key, const char* format, ...)
{
    char what[BASE_YAML_MESSAGE_MAX], whole[SITE_KEY_MAX + 32];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(whole, sizeof whole, "%s%s", build->prefix, key);
    return base_yaml_fault(build->path, whole, build->error, "%s", what);
}

int site_build_material(const SiteBuild* build, const char* name)
{
    for (int m = 0; m < build->info.material_count; ++m) {
        if (strcmp(build->info.material[m]->name, name) == 0) {
            return m;
        }
    }
    return -1;
}

static bool fail_material(SiteBuild* b, const char* key, const char* name)
{
    const char* names[MATERIAL_MAX + 1] = {NULL};
    char list[256] = "";
    size_t used = 0;
    for (int m = 0; m < b->set->count && m < MATERIAL_MAX; ++m) {
        names[m] = b->set->materials[m].name;
        if (used < sizeof list) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", m > 0 ? ", " : "",
                                     names[m]);
        }
    }
    const char* near = base_text_nearest(name, names);
    return site_build_fail(b, key, "%.40s is no known material; %s%s%sallowed is one of %s", name,
                           near ? "did you mean " : "", near ? near : "", near ? "? " : "", list);
}

// Numbers are given in the order in which the file names the materials.
static bool use_material(SiteBuild* b, const char* key, const char* name)
{
    const Material* material = material_find(b->set, name);
    if (!material) {
        return fail_material(b, key, name);
    }
    if (site_build_material(b, name) >= 0) {
        return true;
    }
    if (b->info.material_count == TERRAIN_MATERIALS_MAX) {
        return site_build_fail(b, key, "%.40s is one material too many; allowed are %d in a site",
                               name, TERRAIN_MATERIALS_MAX);
    }
    double repose = (double)material->repose;
    b->tan_repose[b->info.material_count] = base_sin(repose) / base_cos(repose) * SITE_REPOSE;
    b->info.material[b->info.material_count++] = material;
    return true;
}

static bool find_materials(SiteBuild* b)
{
    char key[SITE_KEY_MAX];
    for (int k = 0; k < b->def.ground_count; ++k) {
        snprintf(key, sizeof key, "ground[%d].material", k);
        if (!use_material(b, key, b->def.ground[k].material)) {
            return false;
        }
    }
    for (int k = 0; k < b->def.shape_count; ++k) {
        const char* name = site_shape_material(&b->def.shapes[k], k, key);
        if (name && !use_material(b, key, name)) {
            return false;
        }
    }
    return true;
}

// --- columns -------------------------------------------------------------------------------------

static bool count_columns(SiteBuild* b)
{
    int* const count[2] = {&b->nx, &b->nz};
    b->cell = (double)b->def.cell;
    for (int k = 0; k < 2; ++k) {
        double exact = (double)b->def.size[k] / b->cell, off;
        int n = (int)(exact + 0.5);
        off = exact - (double)n;
        if (n <= TERRAIN_SIDE_MAX && (n < 1 || off > SITE_MULTIPLE || off < -SITE_MULTIPLE)) {
            return site_build_fail(
                b, "size", "%g m is no whole number of cells of %g m; %g m would be",
                (double)b->def.size[k], b->cell, (double)(n > 0 ? n : 1) * b->cell);
        }
        if (n > TERRAIN_SIDE_MAX) {
            return site_build_fail(b, "size",
                                   "too large: %d columns along one side; allowed are %d: make "
                                   "cell larger than %g m",
                                   n, TERRAIN_SIDE_MAX, b->cell);
        }
        *count[k] = n;
    }
    if ((long)b->nx * b->nz > SITE_COLUMNS_MAX) {
        return site_build_fail(b, "size",
                               "too large: %d x %d columns are %ld; allowed are %d: make cell "
                               "larger than %g m",
                               b->nx, b->nz, (long)b->nx * b->nz, SITE_COLUMNS_MAX, b->cell);
    }
    return true;
}

// Thickness of every stratum; the lowest takes what is left above bedrock.
static bool find_depths(SiteBuild* b, double depth[TERRAIN_STRATA_MAX])
{
    char key[SITE_KEY_MAX];
    double sum = 0.0;
    int last = b->def.ground_count - 1;
    for (int k = 0; k <= last; ++k) {
        bool given = b->def.ground[k].thickness > 0.0f;
        snprintf(key, sizeof key, "ground[%d].thickness", k);
        if (k == last && given) {
            return site_build_fail(b, key,
                                   "the lowest stratum goes down to bedrock; leave this out");
        }
        if (k < last && !given) {
            return site_build_fail(b, key,
                                   "missing; only the lowest stratum goes without a thickness "
                                   "above 0 m");
        }
        depth[k] = k < last ? (double)b->def.ground[k].thickness : (double)b->def.bedrock - sum;
        sum += depth[k];
    }
    if (depth[last] < SITE_THINNEST) {
        return site_build_fail(b, "bedrock",
                               "%g m leaves no room for the lowest stratum; allowed is more than "
                               "%g m",
                               (double)b->def.bedrock, sum - depth[last]);
    }
    for (int k = 0; k <= last; ++k) {
        const Material* m = material_find(b->set, b->def.ground[k].material);
        double most =
            (double)TERRAIN_LAYER_MAX * 1e-6 / ((double)m->density_bank * b->cell * b->cell);
        if (depth[k] > most) {
            snprintf(key, sizeof key, k < last ? "ground[%d].thickness" : "bedrock", k);
            return site_build_fail(b, key,
                                   "%g m of %s are too heavy for columns of %g m; allowed is up to "
                                   "%.2f m",
                                   depth[k], m->name, b->cell, most);
        }
    }
    return true;
}

static bool make_columns(SiteBuild* b)
{
    double depth[TERRAIN_STRATA_MAX] = {0};
    if (!count_columns(b) || !find_depths(b, depth)) {
        return false;
    }
    size_t n = (size_t)b->nx * (size_t)b->nz;
    size_t axis = 2 * (size_t)(2.0 * SITE_AXIS_MAX / b->cell + 3.0) * sizeof(double);
    size_t column = sizeof(double) + TERRAIN_STRATA_MAX * (sizeof(float) + 1) + sizeof(uint16_t) +
                    sizeof(int) + 1;
    if (!base_arena_init(&b->scratch, n * column + axis + 32 * BASE_ARENA_ALIGN)) {
        snprintf(b->error->text, sizeof b->error->text, "%.160s: out of memory", b->path);
        return false;
    }
    b->land = base_arena_alloc(&b->scratch, n * sizeof *b->land);
    for (int k = 0; k < TERRAIN_STRATA_MAX; ++k) {
        b->depth[k] = base_arena_alloc(&b->scratch, n * sizeof(float));
        b->soil[k] = base_arena_alloc(&b->scratch, n);
    }
    b->list = base_arena_alloc(&b->scratch, n * sizeof *b->list);
    b->seen = base_arena_alloc(&b->scratch, n);
    // files go from the top down, columns from the bottom up
    for (int k = 0; k < b->def.ground_count; ++k) {
        int from = b->def.ground_count - 1 - k;
        int material = site_build_material(b, b->def.ground[from].material);
        for (size_t c = 0; c < n; ++c) {
            b->depth[k][c] = (float)depth[from];
            b->soil[k][c] = (uint8_t)material;
        }
    }
    return true;
}

// --- heightmap -----------------------------------------------------------------------------------

// Beside the site file, unless the name begins with a slash.
static bool map_path(const SiteBuild* b, char out[SITE_PATH_MAX])
{
    const char* file = b->def.heightmap->file;
    const char* slash = strrchr(b->path, '/');
    int folder = slash && file[0] != '/' ? (int)(slash - b->path) + 1 : 0;
    return snprintf(out, SITE_PATH_MAX, "%.*s%s", folder, b->path, file) < SITE_PATH_MAX;
}

static bool read_map(SiteBuild* b, SitePgm* pgm)
{
    const SiteHeightmap* map = b->def.heightmap;
    if (pgm->width != b->nx || pgm->height != b->nz) {
        return site_build_fail(b, "heightmap.file",
                               "%.100s has %d x %d values, the site %d x %d columns; they must be "
                               "equal",
                               map->file, pgm->width, pgm->height, b->nx, b->nz);
    }
    size_t n = (size_t)b->nx * (size_t)b->nz, mark = b->scratch.used;
    uint16_t* grey = base_arena_alloc(&b->scratch, n * sizeof *grey);
    bool fine = site_pgm_read(pgm, grey, b->error);
    for (size_t c = 0; fine && c < n; ++c) {
        b->land[c] = (double)map->low +
                     ((double)map->high - (double)map->low) * (double)grey[c] / (double)pgm->white;
    }
    base_arena_rewind(&b->scratch, mark);
    return fine;
}

static bool apply_map(SiteBuild* b)
{
    char path[SITE_PATH_MAX];
    SitePgm pgm;
    if (!map_path(b, path)) {
        return site_build_fail(b, "heightmap.file", "the path is too long");
    }
    if (access(path, R_OK) != 0) {
        return site_build_fail(b, "heightmap.file",
                               "%.100s cannot be opened; it is looked for beside this file",
                               b->def.heightmap->file);
    }
    if (!site_pgm_open(&pgm, path, b->error)) {
        return false;
    }
    bool fine = read_map(b, &pgm);
    site_pgm_close(&pgm);
    return fine;
}

// --- terrain -------------------------------------------------------------------------------------

static TerrainDef terrain_of(const SiteBuild* b)
{
    TerrainDef def = terrain_def(b->nx, b->nz);
    def.cell = b->def.cell;
    def.origin = b->def.origin;
    def.material_count = b->info.material_count;
    for (int m = 0; m < def.material_count; ++m) {
        const Material* a = b->info.material[m];
        def.material[m] = terrain_material(a->density_bank, a->density_loose, a->friction,
                                           a->cohesion, a->repose);
    }
    return def;
}

static bool lay_column(SiteBuild* b, int cell)
{
    bool fine = true;
    terrain_set_base(b->terrain, cell,
                     (float)((double)b->def.origin.y + b->land[cell] - (double)b->def.bedrock));
    for (int k = 0; k < TERRAIN_STRATA_MAX && fine; ++k) {
        fine = b->depth[k][cell] <= 0.0f ||
               terrain_lay_depth(b->terrain, cell, b->soil[k][cell], b->depth[k][cell]);
    }
    return fine;
}

static bool lay(SiteBuild* b)
{
    TerrainDef def = terrain_of(b);
    b->terrain = terrain_create(&def);
    if (!b->terrain) {
        snprintf(b->error->text, sizeof b->error->text,
                 "%.160s: not enough memory for %d x %d columns", b->path, b->nx, b->nz);
        return false;
    }
    for (int cell = 0; cell < b->nx * b->nz; ++cell) {
        if (!lay_column(b, cell)) {
            return site_build_fail(b, "cell",
                                   "columns of %g m cannot carry so much soil; make them smaller "
                                   "or the layers thinner",
                                   b->cell);
        }
    }
    return true;
}

// Loose soil comes last, on what was cut and filled before.
static int first_loose(const SiteBuild* b)
{
    int k = 0;
    while (k < b->def.shape_count && !site_shape_is_loose(&b->def.shapes[k])) {
        ++k;
    }
    return k;
}

static bool build(SiteBuild* b)
{
    int loose = first_loose(b);
    for (int k = loose; k < b->def.shape_count; ++k) {
        if (!site_shape_is_loose(&b->def.shapes[k])) {
            char key[SITE_KEY_MAX];
            snprintf(key, sizeof key, "shapes[%d]", k);
            return site_build_fail(b, key,
                                   "changes the ground under the loose soil of shapes[%d]; piles "
                                   "and loose berms come last",
                                   loose);
        }
    }
    if (!find_materials(b) || !make_columns(b) || (b->def.heightmap && !apply_map(b))) {
        return false;
    }
    for (int k = 0; k < b->def.shape_count; ++k) {
        if ((k == loose && !lay(b)) || !site_shape_apply(b, k)) {
            return false;
        }
    }
    return loose < b->def.shape_count || lay(b);
}

static Terrain* make(SiteBuild* b, SiteInfo* out)
{
    bool fine = build(b);
    base_arena_free(&b->scratch);
    if (!fine) {
        terrain_destroy(b->terrain);
        return NULL;
    }
    b->info.title = b->def.title;
    b->info.shapes = b->def.shape_count;
    *out = b->info;
    return b->terrain;
}

Terrain* site_build(const SiteDef* def, const char* path, const char* prefix,
                    const MaterialSet* materials, SiteInfo* out, BaseYamlError* error)
{
    SiteBuild b = {.path = path, .prefix = prefix, .set = materials, .error = error, .def = *def};
    *error = (BaseYamlError){0};
    return make(&b, out);
}

Terrain* site_load(const char* path, const MaterialSet* materials, BaseArena* arena, SiteInfo* out,
                   BaseYamlError* error)
{
    size_t mark = arena->used;
    SiteDef def;
    *error = (BaseYamlError){0};
    Terrain* terrain = site_def_load(path, arena, &def, error)
                           ? site_build(&def, path, "", materials, out, error)
                           : NULL;
    if (!terrain) {
        base_arena_rewind(arena, mark);
    }
    return terrain;
}

// --- what kind of file ---------------------------------------------------------------------------

bool site_recognise(const char* path)
{
    const char* const keys[] = {"size", "ground", "shapes", "heightmap", NULL};
    return base_yaml_has_key(path, keys);
}
