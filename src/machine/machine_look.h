// machine_look - how a vehicle looks: the optional `look:` section of its file.
//
// Does:     hold outlines, paths and profiles per body, with materials, as they are written.
// Does not: make triangles (view/view_mesh.h) or take part in the simulation.
// Units:    m, rad; file keys in docs/vehicles.md.
// Frames:   every part lies in the frame of its body: +x forward, +y up, +z to the right.
#ifndef MACHINE_LOOK_H
#define MACHINE_LOOK_H

#include "base/base_math.h"
#include "base/base_yaml.h"

#define MACHINE_LOOK_PARTS_MAX     512
#define MACHINE_LOOK_MATERIALS_MAX 32
#define MACHINE_LOOK_REPEAT_MAX    64

typedef struct MachineLookMaterial {
    const char* name;
    float color[3];  // 0..255, sRGB
    float roughness; // 0 mirror .. 1 chalk
    float metal;     // 0 paint, rubber, glass .. 1 bare metal
    float opacity;   // 1 solid; below 1 it is glass
    float glow;      // 0 .. 1: what a lamp sends out by itself
} MachineLookMaterial;

// The direction in which an outline is extruded, or about which a profile turns. Its two
// coordinates are [x, y] with z, [z, y] with x, [x, z] with y.
typedef enum MachineLookAxis {
    MACHINE_LOOK_AXIS_Z,
    MACHINE_LOOK_AXIS_X,
    MACHINE_LOOK_AXIS_Y,
} MachineLookAxis;

// An outline extruded along its axis.
typedef struct MachineLookPlate {
    float* outline;    // m, [count] x0 y0 x1 y1 ...; closed by itself, either direction
    int outline_count; // floats
    float span[2];     // m, from and to along the axis
    MachineLookAxis axis;
    float round;     // m, radius of all corners
    float* rounds;   // m, [corners] instead of round, one per corner
    int round_count; // 0 or the number of corners
    float bevel;     // m, of the edges of both faces
    float frame;     // m, 0: a full plate; else only a rim this wide, as round a window
    float taper[2];  // m, how much smaller the outline is at either end of the span
    float lean[2];   // m, shift of the far end in the outline's plane
} MachineLookPlate;

// A welded box section: side outline, with flanges that stand over the webs.
typedef struct MachineLookBeam {
    float* outline; // m, [x, y]
    int outline_count;
    float width;  // m, along z
    float flange; // m, thickness of the flange
    float lip;    // m, by how much the flange stands over the web
    float round;
    float* rounds;
    int round_count;
} MachineLookBeam;

// Bent sheet metal: an open line with a thickness, extruded along the axis.
typedef struct MachineLookSheet {
    float* profile; // m
    int profile_count;
    float thickness; // m, to the left of the line as it is drawn; negative: to the right
    float span[2];   // m
    MachineLookAxis axis;
    float round; // m, of the line's corners
    float bevel; // m
} MachineLookSheet;

typedef struct MachineLookBox {
    Vec3 center;
    Vec3 size;   // m, whole lengths
    float round; // m, of the edges along the axis
    float bevel; // m, of the faces' edges
    MachineLookAxis axis;
} MachineLookBox;

// A profile turned about an axis through `center`.
typedef struct MachineLookLathe {
    float* profile; // m, along0 radius0 along1 radius1 ...
    int profile_count;
    Vec3 center;
    MachineLookAxis axis;
    float round; // m, of the profile's corners
} MachineLookLathe;

// A pipe, handrail or hose along a line in space.
typedef struct MachineLookTube {
    float* path; // m, x0 y0 z0 x1 y1 z1 ...
    int path_count;
    float radius; // m
    float bend;   // m, radius of its bends
} MachineLookTube;

// Barrel and rod of a hydraulic cylinder of the file; they follow its pins.
typedef struct MachineLookCylinder {
    const char* name; // of the cylinder
    const char* rod;  // material of the rod
    float barrel;     // m, outer radius; 0: from the bore
    float spacing;    // m, between the axes of a pair
    float eye;        // m, outer radius of the eyes; 0: from the bore
    bool reverse;     // the barrel is at the second pin
} MachineLookCylinder;

// The idler bars and the link of a four-bar, by the cylinder that acts through it.
typedef struct MachineLookLinkage {
    const char* name;  // of the cylinder
    float thickness;   // m, of a bar
    float height;      // m, of a bar
    float idler_space; // m, between the middles of the two idler bars
    float link_space;  // m, width of the link between them
} MachineLookLinkage;

// A circle that the track runs round, in the plane of the track.
typedef struct MachineLookRound {
    float center[2]; // m
    float radius;    // m, of the wheel; the track's inside touches it
} MachineLookRound;

// A track on either side: chain and shoes round sprocket, idler and rollers.
typedef struct MachineLookTrack {
    MachineLookRound sprocket, idler;
    MachineLookRound* rollers; // below and above
    int roller_count;
    float z;     // m, middle of the right track; the left lies at -z
    float pitch; // m, shoe to shoe
    float width; // m, of a shoe
    float* shoe; // m, outline of a shoe, [along, outward] from its middle on the chain's back
    int shoe_count;
    float chain;       // m, height of the chain's links; 0: a rubber belt without chain
    float sag;         // m, of the upper run between its supports
    int teeth;         // of the sprocket
    const char* steel; // material of chain, rollers, idler and sprocket
} MachineLookTrack;

// A tyre with lugs on a rim, on a wheel of the file.
typedef struct MachineLookWheel {
    const char* name;  // of the wheel or axle
    float radius;      // m
    float width;       // m
    float rim;         // m, radius
    int lugs;          // round the tyre, of one side
    float lug;         // m, height
    const char* steel; // material of the rim
} MachineLookWheel;

// A cabin: posts along the edges of its side outline, panes between them, two sides.
typedef struct MachineLookCab {
    float* outline; // m, [x, y] of the side, in order
    int outline_count;
    float span[2];      // m, z
    float post;         // m, width of posts and roof edge
    float round;        // m, of the outline's corners
    float belt;         // m, y below which the sides are sheet metal
    const char** panes; // of the edges in order: glass, sheet or open
    int pane_count;
    const char* glass; // material
    const char* seal;  // material of the rim round a pane
} MachineLookCab;

// Teeth in a row: wedges on adapters.
typedef struct MachineLookTeeth {
    Vec3 from, to; // m, middles of the roots of the first and last tooth
    int count;
    float direction;             // rad, of the points in the x-y plane, from +x towards +y
    float length, width, height; // m
    const char* adapter;         // material
} MachineLookTeeth;

// Exactly one of the shapes is not NULL.
typedef struct MachineLookPart {
    const char* name;     // for messages; may be ""
    const char* body;     // of the file
    const char* material; // of the look
    int detail;           // 0 always drawn, 1 only near
    bool mirror;          // drawn again at -z
    int repeat;           // copies in all
    Vec3 step;            // m, from copy to copy
    Vec3 at;              // m, moves the part
    float turn;           // rad, turns it about z through `at`

    MachineLookPlate* plate;
    MachineLookBeam* beam;
    MachineLookSheet* sheet;
    MachineLookBox* box;
    MachineLookLathe* lathe;
    MachineLookTube* tube;
    MachineLookCylinder* cylinder;
    MachineLookLinkage* linkage;
    MachineLookTrack* track;
    MachineLookWheel* wheel;
    MachineLookCab* cab;
    MachineLookTeeth* teeth;
} MachineLookPart;

typedef struct MachineLookDef {
    MachineLookMaterial* materials;
    int material_count;
    MachineLookPart* parts;
    int part_count;
} MachineLookDef;

// The section's table, for the table of the whole file.
extern const BaseYamlSchema machine_look_schema;

// Index of a material, or -1.
int machine_look_material(const MachineLookDef* look, const char* name);

// What only the whole file can tell: every material, body and cylinder that a part names exists.
// `bodies`, `cylinders` and `wheels` are lists of names that end with NULL. False: key is the key
// at fault ("look.parts[3].body"), word what it says and what the kind of name it should be.
typedef struct MachineLookFault {
    char key[64];
    const char* word;
    const char* what; // that it is not
    const char* near; // the name that was probably meant, or NULL
} MachineLookFault;
bool machine_look_names(const MachineLookDef* look, const char* const* bodies,
                        const char* const* cylinders, const char* const* wheels,
                        MachineLookFault* fault);

#endif
