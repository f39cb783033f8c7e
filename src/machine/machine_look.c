#include "machine/machine_look.h"

#include "base/base_text.h"

#include <stdio.h>
#include <string.h>

#define EXTENT   20.0 // m, no part lies farther from its body's origin
#define PLACE    .unit = "m", .min = -EXTENT, .max = EXTENT
#define LENGTH   .unit = "m", .min = 0.001, .max = EXTENT
#define SMALL    .unit = "m", .min = 0, .max = 2
#define OUTLINE  .unit = "m", .required = true, .min = 6, .max = 256
#define LINE     .unit = "m", .required = true, .min = 4, .max = 256
#define REQUIRED .required = true

static const char* const axis_words[] = {"z", "x", "y", NULL};

static const BaseYamlField material_fields[] = {
    {BASE_YAML_VECTOR(MachineLookMaterial, color), .min = 0, .max = 255, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookMaterial, roughness), .min = 0.02, .max = 1, .number = 0.5},
    {BASE_YAML_FLOAT(MachineLookMaterial, metal), .min = 0, .max = 1},
    {BASE_YAML_FLOAT(MachineLookMaterial, opacity), .min = 0.05, .max = 1, .number = 1},
    {BASE_YAML_FLOAT(MachineLookMaterial, glow), .min = 0, .max = 1},
};
static const BaseYamlSchema material_schema =
    BASE_YAML_SCHEMA(MachineLookMaterial, material_fields);

// --- rules between fields ----------------------------------------------------------------------

static bool in_reach(const float* values, int count)
{
    for (int i = 0; i < count; ++i)
        if (!(values[i] >= -(float)EXTENT && values[i] <= (float)EXTENT))
            return false;
    return true;
}

static const char* bad_points(const float* values, int count, int per)
{
    if (count % per != 0)
        return per == 3 ? "must hold three numbers for each point, x y z"
                        : "must hold two numbers for each point";
    if (!in_reach(values, count))
        return "must lie between -20 and 20 m";
    for (int i = per; i < count; i += per)
        if (memcmp(values + i, values + i - per, sizeof(float) * (size_t)per) == 0)
            return "must not hold the same point twice in a row";
    return NULL;
}

static bool clockwise(const float* outline, int count)
{
    float area = 0.0f;
    for (int i = 0; i < count; i += 2) {
        const float *a = outline + i, *b = outline + (i + 2) % count;
        area += a[0] * b[1] - a[1] * b[0];
    }
    return area < 0.0f;
}

static bool empty_span(const float span[2])
{
    return !(span[1] > span[0]);
}

// One radius per corner, none negative.
static bool bad_rounds(const float* rounds, int count, int outline_count)
{
    bool bad = count > 0 && count * 2 != outline_count;
    for (int i = 0; i < count; ++i)
        bad |= !(rounds[i] >= 0.0f && rounds[i] <= (float)EXTENT);
    return bad;
}

#define SPAN_RULE   "must run from a smaller to a larger value"
#define ROUNDS_RULE "must hold one radius from 0 to 20 m for each corner of the outline"

static const char* check_plate(const void* item, const char** key)
{
    const MachineLookPlate* s = item;
    *key = "span";
    if (empty_span(s->span))
        return SPAN_RULE;
    *key = "rounds";
    if (bad_rounds(s->rounds, s->round_count, s->outline_count))
        return ROUNDS_RULE;
    *key = "outline";
    return bad_points(s->outline, s->outline_count, 2);
}

static const BaseYamlField plate_fields[] = {
    {BASE_YAML_FLOAT_LIST(MachineLookPlate, outline, outline_count), OUTLINE},
    {BASE_YAML_VECTOR(MachineLookPlate, span), PLACE, REQUIRED},
    {BASE_YAML_ENUM(MachineLookPlate, axis, axis_words), .text = "z"},
    {BASE_YAML_FLOAT(MachineLookPlate, round), SMALL},
    {BASE_YAML_FLOAT_LIST(MachineLookPlate, rounds, round_count), .unit = "m", .max = 128},
    {BASE_YAML_FLOAT(MachineLookPlate, bevel), SMALL},
    {BASE_YAML_FLOAT(MachineLookPlate, frame), SMALL},
    {BASE_YAML_VECTOR(MachineLookPlate, taper), SMALL},
    {BASE_YAML_VECTOR(MachineLookPlate, lean), PLACE},
};
static const BaseYamlSchema plate_schema =
    BASE_YAML_SCHEMA(MachineLookPlate, plate_fields, .check = check_plate);

static const char* check_beam(const void* item, const char** key)
{
    const MachineLookBeam* s = item;
    *key = "rounds";
    if (bad_rounds(s->rounds, s->round_count, s->outline_count))
        return ROUNDS_RULE;
    *key = "lip";
    if (s->lip * 2.0f >= s->width)
        return "must be less than half the width";
    *key = "outline";
    return bad_points(s->outline, s->outline_count, 2);
}

static const BaseYamlField beam_fields[] = {
    {BASE_YAML_FLOAT_LIST(MachineLookBeam, outline, outline_count), OUTLINE},
    {BASE_YAML_FLOAT(MachineLookBeam, width), LENGTH, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookBeam, flange), .unit = "m", .min = 0.002, .max = 0.2,
     .number = 0.02},
    {BASE_YAML_FLOAT(MachineLookBeam, lip), .unit = "m", .min = 0, .max = 0.2, .number = 0.02},
    {BASE_YAML_FLOAT(MachineLookBeam, round), SMALL},
    {BASE_YAML_FLOAT_LIST(MachineLookBeam, rounds, round_count), .unit = "m", .max = 128},
};
static const BaseYamlSchema beam_schema =
    BASE_YAML_SCHEMA(MachineLookBeam, beam_fields, .check = check_beam);

static const char* check_sheet(const void* item, const char** key)
{
    const MachineLookSheet* s = item;
    *key = "span";
    if (empty_span(s->span))
        return SPAN_RULE;
    *key = "thickness";
    if (s->thickness == 0.0f)
        return "must not be 0";
    *key = "profile";
    return bad_points(s->profile, s->profile_count, 2);
}

static const BaseYamlField sheet_fields[] = {
    {BASE_YAML_FLOAT_LIST(MachineLookSheet, profile, profile_count), LINE},
    {BASE_YAML_FLOAT(MachineLookSheet, thickness), .unit = "m", .min = -0.5, .max = 0.5,
     .number = 0.02},
    {BASE_YAML_VECTOR(MachineLookSheet, span), PLACE, REQUIRED},
    {BASE_YAML_ENUM(MachineLookSheet, axis, axis_words), .text = "z"},
    {BASE_YAML_FLOAT(MachineLookSheet, round), .unit = "m", .min = 0, .max = EXTENT},
    {BASE_YAML_FLOAT(MachineLookSheet, bevel), SMALL},
};
static const BaseYamlSchema sheet_schema =
    BASE_YAML_SCHEMA(MachineLookSheet, sheet_fields, .check = check_sheet);

static const BaseYamlField box_fields[] = {
    {BASE_YAML_VECTOR(MachineLookBox, center), PLACE, REQUIRED},
    {BASE_YAML_VECTOR(MachineLookBox, size), LENGTH, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookBox, round), SMALL},
    {BASE_YAML_FLOAT(MachineLookBox, bevel), SMALL},
    {BASE_YAML_ENUM(MachineLookBox, axis, axis_words), .text = "z"},
};
static const BaseYamlSchema box_schema = BASE_YAML_SCHEMA(MachineLookBox, box_fields);

static const char* check_lathe(const void* item, const char** key)
{
    const MachineLookLathe* s = item;
    *key = "profile";
    for (int i = 1; i < s->profile_count; i += 2)
        if (s->profile[i] < 0.0f)
            return "must not hold a radius below 0 (points are: along, radius)";
    return bad_points(s->profile, s->profile_count, 2);
}

static const BaseYamlField lathe_fields[] = {
    {BASE_YAML_FLOAT_LIST(MachineLookLathe, profile, profile_count), LINE},
    {BASE_YAML_VECTOR(MachineLookLathe, center), PLACE},
    {BASE_YAML_ENUM(MachineLookLathe, axis, axis_words), .text = "z"},
    {BASE_YAML_FLOAT(MachineLookLathe, round), SMALL},
};
static const BaseYamlSchema lathe_schema =
    BASE_YAML_SCHEMA(MachineLookLathe, lathe_fields, .check = check_lathe);

static const char* check_tube(const void* item, const char** key)
{
    const MachineLookTube* s = item;
    *key = "path";
    return bad_points(s->path, s->path_count, 3);
}

static const BaseYamlField tube_fields[] = {
    {BASE_YAML_FLOAT_LIST(MachineLookTube, path, path_count), OUTLINE},
    {BASE_YAML_FLOAT(MachineLookTube, radius), .unit = "m", .min = 0.002, .max = 1, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookTube, bend), SMALL},
};
static const BaseYamlSchema tube_schema =
    BASE_YAML_SCHEMA(MachineLookTube, tube_fields, .check = check_tube);

static const BaseYamlField cylinder_fields[] = {
    {BASE_YAML_NAME(MachineLookCylinder, name), REQUIRED},
    {BASE_YAML_NAME(MachineLookCylinder, rod), REQUIRED},
    {BASE_YAML_FLOAT(MachineLookCylinder, barrel), SMALL},
    {BASE_YAML_FLOAT(MachineLookCylinder, spacing), .unit = "m", .min = 0, .max = 5},
    {BASE_YAML_FLOAT(MachineLookCylinder, eye), SMALL},
    {BASE_YAML_BOOL(MachineLookCylinder, reverse)},
};
static const BaseYamlSchema cylinder_schema =
    BASE_YAML_SCHEMA(MachineLookCylinder, cylinder_fields);

static const BaseYamlField linkage_fields[] = {
    {BASE_YAML_NAME(MachineLookLinkage, name), REQUIRED},
    {BASE_YAML_FLOAT(MachineLookLinkage, thickness), LENGTH, .number = 0.04},
    {BASE_YAML_FLOAT(MachineLookLinkage, height), LENGTH, .number = 0.12},
    {BASE_YAML_FLOAT(MachineLookLinkage, idler_space), LENGTH, .number = 0.4},
    {BASE_YAML_FLOAT(MachineLookLinkage, link_space), LENGTH, .number = 0.3},
};
static const BaseYamlSchema linkage_schema = BASE_YAML_SCHEMA(MachineLookLinkage, linkage_fields);

static const BaseYamlField round_fields[] = {
    {BASE_YAML_VECTOR(MachineLookRound, center), PLACE, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookRound, radius), .unit = "m", .min = 0.02, .max = 2, REQUIRED},
};
static const BaseYamlSchema round_schema = BASE_YAML_SCHEMA(MachineLookRound, round_fields);

static const char* check_track(const void* item, const char** key)
{
    const MachineLookTrack* s = item;
    *key = "idler";
    float dx = s->idler.center[0] - s->sprocket.center[0];
    float dy = s->idler.center[1] - s->sprocket.center[1];
    if (dx * dx + dy * dy < 0.01f)
        return "must be at least 0.1 m from the sprocket";
    *key = "shoe";
    return bad_points(s->shoe, s->shoe_count, 2);
}

static const BaseYamlField track_fields[] = {
    {BASE_YAML_OBJECT(MachineLookTrack, sprocket, round_schema), REQUIRED},
    {BASE_YAML_OBJECT(MachineLookTrack, idler, round_schema), REQUIRED},
    {BASE_YAML_LIST(MachineLookTrack, rollers, roller_count, round_schema), .max = 24},
    {BASE_YAML_FLOAT(MachineLookTrack, z), LENGTH, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookTrack, pitch), .unit = "m", .min = 0.03, .max = 1, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookTrack, width), LENGTH, REQUIRED},
    {BASE_YAML_FLOAT_LIST(MachineLookTrack, shoe, shoe_count), OUTLINE},
    {BASE_YAML_FLOAT(MachineLookTrack, chain), .unit = "m", .min = 0, .max = 0.4},
    {BASE_YAML_FLOAT(MachineLookTrack, sag), .unit = "m", .min = 0, .max = 0.3},
    {BASE_YAML_INT(MachineLookTrack, teeth), .min = 3, .max = 60, .number = 21},
    {BASE_YAML_NAME(MachineLookTrack, steel), REQUIRED},
};
static const BaseYamlSchema track_schema =
    BASE_YAML_SCHEMA(MachineLookTrack, track_fields, .check = check_track);

static const char* check_wheel(const void* item, const char** key)
{
    const MachineLookWheel* s = item;
    *key = "rim";
    return s->rim >= s->radius ? "must be less than the radius" : NULL;
}

static const BaseYamlField wheel_fields[] = {
    {BASE_YAML_NAME(MachineLookWheel, name), REQUIRED},
    {BASE_YAML_FLOAT(MachineLookWheel, radius), .unit = "m", .min = 0.05, .max = 3, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookWheel, width), .unit = "m", .min = 0.02, .max = 3, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookWheel, rim), .unit = "m", .min = 0.02, .max = 3, REQUIRED},
    {BASE_YAML_INT(MachineLookWheel, lugs), .min = 0, .max = 60, .number = 22},
    {BASE_YAML_FLOAT(MachineLookWheel, lug), .unit = "m", .min = 0, .max = 0.2, .number = 0.04},
    {BASE_YAML_NAME(MachineLookWheel, steel), REQUIRED},
};
static const BaseYamlSchema wheel_schema =
    BASE_YAML_SCHEMA(MachineLookWheel, wheel_fields, .check = check_wheel);

static const char* check_cab(const void* item, const char** key)
{
    const MachineLookCab* s = item;
    static const char* const words[] = {"glass", "sheet", "open", NULL};
    *key = "span";
    if (empty_span(s->span))
        return SPAN_RULE;
    *key = "panes";
    if (s->pane_count * 2 != s->outline_count)
        return "must hold one of glass, sheet, open for each edge of the outline";
    for (int i = 0; i < s->pane_count; ++i) {
        int k = 0;
        while (words[k] && strcmp(words[k], s->panes[i]) != 0)
            ++k;
        if (!words[k])
            return "must hold only the words glass, sheet, open";
    }
    *key = "outline";
    if (s->outline_count % 2 == 0 && clockwise(s->outline, s->outline_count))
        return "must go round anticlockwise with x to the right and y up, as the panes are counted";
    return bad_points(s->outline, s->outline_count, 2);
}

static const BaseYamlField cab_fields[] = {
    {BASE_YAML_FLOAT_LIST(MachineLookCab, outline, outline_count), OUTLINE},
    {BASE_YAML_VECTOR(MachineLookCab, span), PLACE, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookCab, post), .unit = "m", .min = 0.01, .max = 0.4, .number = 0.07},
    {BASE_YAML_FLOAT(MachineLookCab, round), SMALL},
    {BASE_YAML_FLOAT(MachineLookCab, belt), PLACE},
    {BASE_YAML_NAME_LIST(MachineLookCab, panes, pane_count), .min = 3, .max = 64, REQUIRED},
    {BASE_YAML_NAME(MachineLookCab, glass), REQUIRED},
    {BASE_YAML_NAME(MachineLookCab, seal), REQUIRED},
};
static const BaseYamlSchema cab_schema =
    BASE_YAML_SCHEMA(MachineLookCab, cab_fields, .check = check_cab);

static const BaseYamlField teeth_fields[] = {
    {BASE_YAML_VECTOR(MachineLookTeeth, from), PLACE, REQUIRED},
    {BASE_YAML_VECTOR(MachineLookTeeth, to), PLACE, REQUIRED},
    {BASE_YAML_INT(MachineLookTeeth, count), .min = 1, .max = 40, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookTeeth, direction), .unit = "deg", .min = -360, .max = 360,
     REQUIRED},
    {BASE_YAML_FLOAT(MachineLookTeeth, length), LENGTH, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookTeeth, width), LENGTH, REQUIRED},
    {BASE_YAML_FLOAT(MachineLookTeeth, height), LENGTH, REQUIRED},
    {BASE_YAML_NAME(MachineLookTeeth, adapter), REQUIRED},
};
static const BaseYamlSchema teeth_schema = BASE_YAML_SCHEMA(MachineLookTeeth, teeth_fields);

// --- the section -------------------------------------------------------------------------------

static const char* check_part(const void* item, const char** key)
{
    const MachineLookPart* p = item;
    int given = !!p->plate + !!p->beam + !!p->sheet + !!p->box + !!p->lathe + !!p->tube +
                !!p->cylinder + !!p->linkage + !!p->track + !!p->wheel + !!p->cab + !!p->teeth;
    *key = NULL;
    return given == 1 ? NULL
                      : "must have exactly one shape; allowed is one of plate, beam, sheet, box, "
                        "lathe, tube, cylinder, linkage, track, wheel, cab, teeth";
}

static const BaseYamlField part_fields[] = {
    {BASE_YAML_STRING(MachineLookPart, name), .text = "", .min = 0, .max = 60},
    {BASE_YAML_NAME(MachineLookPart, body), REQUIRED},
    {BASE_YAML_NAME(MachineLookPart, material), REQUIRED},
    {BASE_YAML_INT(MachineLookPart, detail), .min = 0, .max = 1},
    {BASE_YAML_BOOL(MachineLookPart, mirror)},
    {BASE_YAML_INT(MachineLookPart, repeat), .min = 1, .max = MACHINE_LOOK_REPEAT_MAX, .number = 1},
    {BASE_YAML_VECTOR(MachineLookPart, step), PLACE},
    {BASE_YAML_VECTOR(MachineLookPart, at), PLACE},
    {BASE_YAML_FLOAT(MachineLookPart, turn), .unit = "deg", .min = -360, .max = 360},
    {BASE_YAML_POINTER(MachineLookPart, plate, plate_schema)},
    {BASE_YAML_POINTER(MachineLookPart, beam, beam_schema)},
    {BASE_YAML_POINTER(MachineLookPart, sheet, sheet_schema)},
    {BASE_YAML_POINTER(MachineLookPart, box, box_schema)},
    {BASE_YAML_POINTER(MachineLookPart, lathe, lathe_schema)},
    {BASE_YAML_POINTER(MachineLookPart, tube, tube_schema)},
    {BASE_YAML_POINTER(MachineLookPart, cylinder, cylinder_schema)},
    {BASE_YAML_POINTER(MachineLookPart, linkage, linkage_schema)},
    {BASE_YAML_POINTER(MachineLookPart, track, track_schema)},
    {BASE_YAML_POINTER(MachineLookPart, wheel, wheel_schema)},
    {BASE_YAML_POINTER(MachineLookPart, cab, cab_schema)},
    {BASE_YAML_POINTER(MachineLookPart, teeth, teeth_schema)},
};
static const BaseYamlSchema part_schema =
    BASE_YAML_SCHEMA(MachineLookPart, part_fields, .check = check_part);

static const BaseYamlField look_fields[] = {
    {BASE_YAML_MAP(MachineLookDef, materials, material_count, material_schema, MachineLookMaterial,
                   name),
     .min = 1, .max = MACHINE_LOOK_MATERIALS_MAX, REQUIRED},
    {BASE_YAML_LIST(MachineLookDef, parts, part_count, part_schema), .min = 1,
     .max = MACHINE_LOOK_PARTS_MAX, REQUIRED},
};
const BaseYamlSchema machine_look_schema = BASE_YAML_SCHEMA(MachineLookDef, look_fields);

// --- names -------------------------------------------------------------------------------------

int machine_look_material(const MachineLookDef* look, const char* name)
{
    for (int i = 0; i < look->material_count; ++i)
        if (strcmp(look->materials[i].name, name) == 0)
            return i;
    return -1;
}

static bool listed(const char* const* list, const char* word)
{
    for (; *list; ++list)
        if (strcmp(*list, word) == 0)
            return true;
    return false;
}

// True when the list holds the word; else tells which key of which part is at fault.
static bool found(const char* const* list, const char* word, int part, const char* key,
                  const char* what, MachineLookFault* fault)
{
    if (listed(list, word))
        return true;
    snprintf(fault->key, sizeof fault->key, "look.parts[%d].%s", part, key);
    fault->word = word;
    fault->what = what;
    fault->near = base_text_nearest(word, list);
    return false;
}

// The second materials of a part's shape, such as that of a rod; NULL when there are no more.
static const char* second_material(const MachineLookPart* p, int index, const char** key)
{
    if (p->cab) {
        *key = index == 0 ? "cab.glass" : "cab.seal";
        return index == 0 ? p->cab->glass : index == 1 ? p->cab->seal : NULL;
    }
    if (index > 0)
        return NULL;
    *key = p->cylinder ? "cylinder.rod"
           : p->track  ? "track.steel"
           : p->wheel  ? "wheel.steel"
                       : "teeth.adapter";
    return p->cylinder ? p->cylinder->rod
           : p->track  ? p->track->steel
           : p->wheel  ? p->wheel->steel
           : p->teeth  ? p->teeth->adapter
                       : NULL;
}

static bool materials_exist(const MachineLookDef* look, int part, MachineLookFault* fault)
{
    static const char what[] = "material of the look";
    const MachineLookPart* p = &look->parts[part];
    const char *names[MACHINE_LOOK_MATERIALS_MAX + 1] = {NULL}, *key, *word;
    for (int i = 0; i < look->material_count; ++i)
        names[i] = look->materials[i].name;
    if (!found(names, p->material, part, "material", what, fault))
        return false;
    for (int i = 0; (word = second_material(p, i, &key)) != NULL; ++i)
        if (!found(names, word, part, key, what, fault))
            return false;
    return true;
}

bool machine_look_names(const MachineLookDef* look, const char* const* bodies,
                        const char* const* cylinders, const char* const* wheels,
                        MachineLookFault* fault)
{
    for (int i = 0; i < look->part_count; ++i) {
        const MachineLookPart* p = &look->parts[i];
        bool fine = materials_exist(look, i, fault) &&
                    found(bodies, p->body, i, "body", "body of this vehicle", fault);
        if (fine && p->cylinder)
            fine = found(cylinders, p->cylinder->name, i, "cylinder.name",
                         "cylinder of this vehicle", fault);
        if (fine && p->linkage)
            fine = found(cylinders, p->linkage->name, i, "linkage.name", "cylinder of this vehicle",
                         fault);
        if (fine && p->wheel)
            fine = found(wheels, p->wheel->name, i, "wheel.name", "wheel of this vehicle", fault);
        if (!fine)
            return false;
    }
    return true;
}
