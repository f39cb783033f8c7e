// site_def - a site file as it is written, before anything is built from it.
#ifndef SITE_DEF_H
#define SITE_DEF_H

#include "base/base_arena.h"
#include "base/base_math.h"
#include "base/base_yaml.h"

#define SITE_KEY_MAX 96 // bytes of a key in a message

typedef struct SiteStratum {
    const char* material;
    float thickness; // m, 0 for the lowest: down to bedrock
} SiteStratum;

typedef struct SiteHeightmap {
    const char* file; // relative to the site file
    float low, high;  // m, of black and of white
} SiteHeightmap;

// A rectangle, m; absent where a shape concerns the whole site.
typedef struct SiteArea {
    float from[2], to[2];
} SiteArea;

typedef struct SitePlane {
    float height; // m
    SiteArea* area;
} SitePlane;

typedef struct SiteSlope {
    float direction; // rad, where it rises to: 0 is +x, 90 degrees +z
    float angle;     // rad
    float at[2];     // m, where it begins
    float length;    // m, horizontal; 0 endless, and falling behind `at`
    SiteArea* area;
} SiteSlope;

typedef struct SitePile {
    float center[2]; // m
    float radius;    // m; 0 when the volume is given
    float volume;    // m3, loose
    const char* material;
} SitePile;

typedef struct SiteTrench {
    float from[2], to[2]; // m, ends of the axis of its floor
    float width;          // m, of its floor
    float depth;          // m
    float sides;          // rad, pi/2 is vertical
} SiteTrench;

typedef enum SiteSoil { SITE_LOOSE, SITE_BANK } SiteSoil;

typedef struct SiteBerm {
    float from[2], to[2]; // m, axis
    float width;          // m, at its foot
    float height;         // m
    float sides;          // rad; 0: repose when loose, 45 degrees when bank
    const char* material;
    SiteSoil soil;
} SiteBerm;

typedef struct SiteNoise {
    int seed;
    float amplitude;  // m, largest deviation
    float wavelength; // m, of the first octave
    int octaves;
    SiteArea* area;
} SiteNoise;

// Exactly one is not NULL.
typedef struct SiteShape {
    SitePlane* plane;
    SiteSlope* slope;
    SitePile* pile;
    SiteTrench* trench;
    SiteBerm* berm;
    SiteNoise* noise;
} SiteShape;

typedef struct SiteDef {
    const char* title;
    float size[2]; // m, along x and z
    float cell;    // m
    Vec3 origin;   // m, of the corner in the world
    float bedrock; // m, depth below the natural surface
    SiteStratum* ground;
    int ground_count; // uppermost first
    SiteHeightmap* heightmap;
    SiteShape* shapes;
    int shape_count;
} SiteDef;

// For files that hold a site under one of their keys.
extern const BaseYamlSchema site_def_schema;

bool site_def_load(const char* path, BaseArena* arena, SiteDef* out, BaseYamlError* error);

#endif
