// view_mesh - triangles of a vehicle, made from the outlines in its file.
//
// Does:     build vertices, triangles and materials once; tell where every part stands in a frame.
// Does not: know GL, windows or the simulation beyond a vehicle's definition and pose.
// Units:    m; colours linear 0..1.
// Memory:   everything lies in the arena; view_mesh_poses() allocates nothing.
//
// Drawing:  for every part p: for k in 0..p.pose_count-1 draw its indices with
//           poses[p.first_pose + k], which takes points of the part to the world. Parts with glass
//           come last and want blending.
//
//     ViewMeshSet set;
//     view_mesh_build(def, VIEW_MESH_NEAR, &arena, &set);
//     ViewMeshPose* poses = ...;                            // [set.pose_count]
//     view_mesh_poses(&set, def, bodies, travel, poses);    // every frame
#ifndef VIEW_MESH_H
#define VIEW_MESH_H

#include "base/base_arena.h"
#include "machine/machine.h"

#include <stdint.h>

typedef enum ViewMeshLod {
    VIEW_MESH_NEAR, // everything, 15 to 25 thousand triangles
    VIEW_MESH_FAR,  // about 3 thousand
    VIEW_MESH_LODS,
} ViewMeshLod;

typedef struct ViewMeshVertex {
    float position[3];
    float normal[3];
    uint16_t material, part;
} ViewMeshVertex;

typedef struct ViewMeshMaterial {
    const char* name;
    float color[3]; // linear
    float roughness, metal;
    float opacity; // below 1: glass
    float glow;
} ViewMeshMaterial;

// What a part follows.
typedef enum ViewMeshFollow {
    VIEW_MESH_BODY,     // index: body
    VIEW_MESH_BARREL,   // index: cylinder; x runs from its first pin to its second
    VIEW_MESH_ROD,      // index: cylinder; x runs from its second pin to its first
    VIEW_MESH_IDLER,    // index: cylinder; x runs from the idler's pin to the rod's
    VIEW_MESH_LINK,     // index: cylinder; x runs from the rod's pin to the tool's
    VIEW_MESH_SHOE,     // index: track; one pose per shoe
    VIEW_MESH_SPROCKET, // index: track; turns with it
    VIEW_MESH_WHEEL,    // index: runner; turns about its hub
} ViewMeshFollow;

typedef struct ViewMeshPart {
    ViewMeshFollow follow;
    int index;
    int first_index, index_count; // of the set's indices
    int first_pose, pose_count;
    float offset[3]; // m, of the part in what it follows
    bool glass;
} ViewMeshPart;

// The closed line of a track's chain, from its first point anticlockwise seen from the right.
typedef struct ViewMeshTrack {
    int body;
    int runner;                // of the machine, or -1: it stands still
    float z;                   // m
    float center[2], sprocket; // m, middle and radius of the sprocket
    float pitch, length;       // m, of a shoe and of the whole line
    int shoe_count;
    int count;
    float (*point)[2]; // [count] m
    float* at;         // [count] m along the line
} ViewMeshTrack;

typedef struct ViewMeshSet {
    ViewMeshVertex* vertices;
    int vertex_count;
    uint32_t* indices; // three per triangle, anticlockwise seen from outside
    int index_count;
    ViewMeshPart* parts;
    int part_count;
    int pose_count;
    ViewMeshMaterial* materials;
    int material_count;
    ViewMeshTrack* tracks;
    int track_count;
    int triangle_count; // as drawn: with every shoe
} ViewMeshSet;

// Column by column, for p' = m p.
typedef struct ViewMeshPose {
    float m[16];
} ViewMeshPose;

// False when memory is short; a vehicle without a look gives an empty set and true.
bool view_mesh_build(const MachineDef* def, ViewMeshLod lod, BaseArena* arena, ViewMeshSet* out);

// bodies: [def->body_count], travel: [def->runner_count] m, as in MachineState, or NULL;
// out: [set->pose_count].
void view_mesh_poses(const ViewMeshSet* set, const MachineDef* def, const MachinePose* bodies,
                     const double* travel, ViewMeshPose* out);

#endif
