// site_build - a site while it is made: columns that are still easy to cut and to fill.
//
//     land      natural surface; plane, slope, noise and heightmap move it, and all below with it
//     --------
//     depth[2]  strata, the lowest first. Trenches take from the top of them, bank berms add.
//     depth[1]
//     depth[0]
//     --------  land - bedrock
//
// When all this is done the terrain is laid, and loose soil goes on top of that. Hence the one rule
// about order: loose soil comes last.
#ifndef SITE_BUILD_H
#define SITE_BUILD_H

#include "base/base_arena.h"
#include "site/site.h"
#include "site/site_def.h"

typedef struct SiteBuild {
    const char* path;   // of the file, for messages and pictures
    const char* prefix; // of keys in messages: where in the file the site stands, as "own_site."
    const MaterialSet* set;
    BaseYamlError* error;
    BaseArena scratch;
    SiteDef def;
    SiteInfo info;

    int nx, nz;
    double cell;                       // m
    double* land;                      // [nz][nx] m
    float* depth[TERRAIN_STRATA_MAX];  // [nz][nx] m, empty ones are 0
    uint8_t* soil[TERRAIN_STRATA_MAX]; // [nz][nx] number of the material
    double tan_repose[TERRAIN_MATERIALS_MAX];
    int* list;        // [nz][nx] columns of the heap in work
    uint8_t* seen;    // [nz][nx] 0 between heaps
    Terrain* terrain; // NULL until it is laid
} SiteBuild;

// One turn of the list. False, with the place in the error, when it cannot be.
bool site_shape_apply(SiteBuild* build, int index);
bool site_shape_is_loose(const SiteShape* shape);
// The material of shape `index`, NULL when it has none; *key is its key.
const char* site_shape_material(const SiteShape* shape, int index, char key[SITE_KEY_MAX]);

// Fills in the error with the place of a key of the site; returns false.
bool site_build_fail(const SiteBuild* build, const char* key, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Number of a material of the site; -1 when it is not among info.material.
int site_build_material(const SiteBuild* build, const char* name);

#endif
