#include "site/site_def.h"

#include "site/site.h"

#define SITE_SIDE_MAX   1000 // m; what is named in messages, the number of columns limits further
#define SITE_HEIGHT_MAX 1000 // m
#define METRES          .unit = "m", .min = -SITE_HEIGHT_MAX, .max = SITE_HEIGHT_MAX

static const BaseYamlField stratum_fields[] = {
    {BASE_YAML_NAME(SiteStratum, material), .required = true},
    {BASE_YAML_FLOAT(SiteStratum, thickness), .unit = "m", .min = 0, .max = 100},
};
static const BaseYamlSchema stratum_schema = BASE_YAML_SCHEMA(SiteStratum, stratum_fields);

static const char* check_heightmap(const void* item, const char** key)
{
    const SiteHeightmap* map = item;
    *key = "high";
    return map->high < map->low ? "must not be below low" : NULL;
}

static const BaseYamlField heightmap_fields[] = {
    {BASE_YAML_STRING(SiteHeightmap, file), .min = 1, .max = 255, .required = true},
    {BASE_YAML_FLOAT(SiteHeightmap, low), METRES, .required = true},
    {BASE_YAML_FLOAT(SiteHeightmap, high), METRES, .required = true},
};
static const BaseYamlSchema heightmap_schema =
    BASE_YAML_SCHEMA(SiteHeightmap, heightmap_fields, .check = check_heightmap);

static const char* check_area(const void* item, const char** key)
{
    const SiteArea* area = item;
    *key = "to";
    return area->to[0] <= area->from[0] || area->to[1] <= area->from[1]
               ? "must be larger than from, in x and in z"
               : NULL;
}

static const BaseYamlField area_fields[] = {
    {BASE_YAML_VECTOR(SiteArea, from), METRES, .required = true},
    {BASE_YAML_VECTOR(SiteArea, to), METRES, .required = true},
};
static const BaseYamlSchema area_schema =
    BASE_YAML_SCHEMA(SiteArea, area_fields, .check = check_area);

static const BaseYamlField plane_fields[] = {
    {BASE_YAML_FLOAT(SitePlane, height), METRES, .required = true},
    {BASE_YAML_POINTER(SitePlane, area, area_schema)},
};
static const BaseYamlSchema plane_schema = BASE_YAML_SCHEMA(SitePlane, plane_fields);

static const BaseYamlField slope_fields[] = {
    {BASE_YAML_FLOAT(SiteSlope, direction), .unit = "deg", .min = -360, .max = 360,
     .required = true},
    {BASE_YAML_FLOAT(SiteSlope, angle), .unit = "deg", .min = 0, .max = 80, .required = true},
    {BASE_YAML_VECTOR(SiteSlope, at), METRES},
    {BASE_YAML_FLOAT(SiteSlope, length), .unit = "m", .min = 0, .max = SITE_SIDE_MAX},
    {BASE_YAML_POINTER(SiteSlope, area, area_schema)},
};
static const BaseYamlSchema slope_schema = BASE_YAML_SCHEMA(SiteSlope, slope_fields);

static const char* check_pile(const void* item, const char** key)
{
    const SitePile* pile = item;
    *key = pile->volume > 0.0f ? "volume" : "radius";
    if (pile->radius > 0.0f && pile->volume > 0.0f)
        return "only one of radius and volume can be given";
    return pile->radius > 0.0f || pile->volume > 0.0f
               ? NULL
               : "missing; a pile needs a radius or a volume above 0";
}

static const BaseYamlField pile_fields[] = {
    {BASE_YAML_VECTOR(SitePile, center), METRES, .required = true},
    {BASE_YAML_FLOAT(SitePile, radius), .unit = "m", .min = 0, .max = 100},
    {BASE_YAML_FLOAT(SitePile, volume), .unit = "m3", .min = 0, .max = 100000},
    {BASE_YAML_NAME(SitePile, material), .required = true},
};
static const BaseYamlSchema pile_schema =
    BASE_YAML_SCHEMA(SitePile, pile_fields, .check = check_pile);

#define SAME_POINT "must not be the same point as from"

static bool same_point(const float a[2], const float b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

static const char* check_trench(const void* item, const char** key)
{
    const SiteTrench* trench = item;
    *key = "to";
    return same_point(trench->from, trench->to) ? SAME_POINT : NULL;
}

static const BaseYamlField trench_fields[] = {
    {BASE_YAML_VECTOR(SiteTrench, from), METRES, .required = true},
    {BASE_YAML_VECTOR(SiteTrench, to), METRES, .required = true},
    {BASE_YAML_FLOAT(SiteTrench, width), .unit = "m", .min = 0.05, .max = SITE_SIDE_MAX,
     .required = true},
    {BASE_YAML_FLOAT(SiteTrench, depth), .unit = "m", .min = 0, .max = 100, .required = true},
    {BASE_YAML_FLOAT(SiteTrench, sides), .unit = "deg", .min = 5, .max = 90, .number = 90},
};
static const BaseYamlSchema trench_schema =
    BASE_YAML_SCHEMA(SiteTrench, trench_fields, .check = check_trench);

static const char* check_berm(const void* item, const char** key)
{
    const SiteBerm* berm = item;
    *key = "to";
    return same_point(berm->from, berm->to) ? SAME_POINT : NULL;
}

static const char* const soil_words[] = {"loose", "bank", NULL};
static const BaseYamlField berm_fields[] = {
    {BASE_YAML_VECTOR(SiteBerm, from), METRES, .required = true},
    {BASE_YAML_VECTOR(SiteBerm, to), METRES, .required = true},
    {BASE_YAML_FLOAT(SiteBerm, width), .unit = "m", .min = 0.05, .max = SITE_SIDE_MAX,
     .required = true},
    {BASE_YAML_FLOAT(SiteBerm, height), .unit = "m", .min = 0.01, .max = 100, .required = true},
    {BASE_YAML_FLOAT(SiteBerm, sides), .unit = "deg", .min = 0, .max = 80},
    {BASE_YAML_NAME(SiteBerm, material), .required = true},
    {BASE_YAML_ENUM(SiteBerm, soil, soil_words), .text = "loose"},
};
static const BaseYamlSchema berm_schema =
    BASE_YAML_SCHEMA(SiteBerm, berm_fields, .check = check_berm);

static const BaseYamlField noise_fields[] = {
    {BASE_YAML_INT(SiteNoise, seed), .min = 0, .max = 2147483647, .required = true},
    {BASE_YAML_FLOAT(SiteNoise, amplitude), .unit = "m", .min = 0, .max = 100, .required = true},
    {BASE_YAML_FLOAT(SiteNoise, wavelength), .unit = "m", .min = 0.1, .max = SITE_SIDE_MAX,
     .required = true},
    {BASE_YAML_INT(SiteNoise, octaves), .min = 1, .max = 8, .number = 4},
    {BASE_YAML_POINTER(SiteNoise, area, area_schema)},
};
static const BaseYamlSchema noise_schema = BASE_YAML_SCHEMA(SiteNoise, noise_fields);

static const char* check_shape(const void* item, const char** key)
{
    const SiteShape* s = item;
    int given = !!s->plane + !!s->slope + !!s->pile + !!s->trench + !!s->berm + !!s->noise;
    *key = NULL;
    return given == 1 ? NULL
                      : "must have exactly one key; allowed is one of plane, slope, pile, trench, "
                        "berm, noise";
}

static const BaseYamlField shape_fields[] = {
    {BASE_YAML_POINTER(SiteShape, plane, plane_schema)},
    {BASE_YAML_POINTER(SiteShape, slope, slope_schema)},
    {BASE_YAML_POINTER(SiteShape, pile, pile_schema)},
    {BASE_YAML_POINTER(SiteShape, trench, trench_schema)},
    {BASE_YAML_POINTER(SiteShape, berm, berm_schema)},
    {BASE_YAML_POINTER(SiteShape, noise, noise_schema)},
};
static const BaseYamlSchema shape_schema =
    BASE_YAML_SCHEMA(SiteShape, shape_fields, .check = check_shape);

static const BaseYamlField site_fields[] = {
    {BASE_YAML_STRING(SiteDef, title), .text = "", .min = 0, .max = 80},
    {BASE_YAML_VECTOR(SiteDef, size), .unit = "m", .min = 0.1, .max = SITE_SIDE_MAX,
     .required = true},
    {BASE_YAML_FLOAT(SiteDef, cell), .unit = "m", .min = 0.02, .max = (double)TERRAIN_CELL_MAX,
     .number = 0.1},
    {BASE_YAML_VECTOR(SiteDef, origin), METRES},
    {BASE_YAML_FLOAT(SiteDef, bedrock), .unit = "m", .min = 0.01, .max = 100, .number = 5},
    {BASE_YAML_LIST(SiteDef, ground, ground_count, stratum_schema), .min = 1,
     .max = TERRAIN_STRATA_MAX, .required = true},
    {BASE_YAML_POINTER(SiteDef, heightmap, heightmap_schema)},
    {BASE_YAML_LIST(SiteDef, shapes, shape_count, shape_schema), .min = 0, .max = SITE_SHAPES_MAX},
};
const BaseYamlSchema site_def_schema = BASE_YAML_SCHEMA(SiteDef, site_fields);

bool site_def_load(const char* path, BaseArena* arena, SiteDef* out, BaseYamlError* error)
{
    return base_yaml_load(path, &site_def_schema, arena, out, error);
}
