// site - the ground of a lesson, made from files.
//
// Does:     read a site (strata, heights out of a picture or shapes, heaps of loose soil) and build
//           the terrain; keep the whole state of a terrain in a file and bring it back.
// Does not: simulate. What is built lies still where its slopes allow it.
// Units:    SI and radians inside; degrees live in files. Everything in a site file is measured
//           from the corner of the site, which `origin` places in the world.
// Method:   docs/sites.md tells the format. Same file, same bits: + - * / sqrt and base_trig alone.
// Threads:  no shared state.
#ifndef SITE_H
#define SITE_H

#include "base/base_arena.h"
#include "base/base_yaml.h"
#include "material/material.h"
#include "terrain/terrain.h"

#define SITE_COLUMNS_MAX 4000000 // about 250 MB of ground
#define SITE_SHAPES_MAX  256

typedef struct SiteInfo {
    const char* title; // in the arena
    int shapes;
    int material_count;
    const Material* material[TERRAIN_MATERIALS_MAX]; // of the caller's set, by terrain's numbers
} SiteInfo;

// NULL when something is wrong, with file:line:column: key: what; what is allowed. Then *out and the
// arena are as before, so that an old site can stay in use. terrain_destroy() what is returned.
Terrain* site_load(const char* path, const MaterialSet* materials, BaseArena* arena, SiteInfo* out,
                   BaseYamlError* error);

typedef struct SiteDef SiteDef; // site_def.h
// The same from a definition that another file holds under `prefix` ("own_site."), which stands in
// messages before its keys.
Terrain* site_build(const SiteDef* def, const char* path, const char* prefix,
                    const MaterialSet* materials, SiteInfo* out, BaseYamlError* error);

// True when a file calls itself a site: one of its top-level keys is size, ground, shapes or
// heightmap. Says nothing about whether it is a good one.
bool site_recognise(const char* path);

// The whole state of the ground. Written beside the file and moved over it when complete: a crash
// leaves the old file or the new one, never half of one.
bool site_save(const Terrain* terrain, const char* path, BaseYamlError* error);
// Into a terrain of the same definition, as site_load() makes it from the same files. When refused,
// the terrain is unchanged.
bool site_restore(Terrain* terrain, const char* path, BaseYamlError* error);

#endif
