// plot_mesh - lit triangles on a canvas, without a graphics card: how a vehicle file is looked at.
//
// Does:     z-buffer with four samples per pixel, sun with shadows, sky light dimmed in corners,
//           reflections of a plain sky, glass; a ground with a grid of metres.
// Does not: know vehicles: it takes plain triangles in the world. It is made to be right, not fast.
// Units:    m, +y up; colours linear 0..1.
// Threads:  none; memory is taken for the call and given back.
#ifndef PLOT_MESH_H
#define PLOT_MESH_H

#include "plot/plot_canvas.h"

#include <stdint.h>

typedef struct PlotMeshVertex {
    float position[3], normal[3];
} PlotMeshVertex;

typedef struct PlotMeshTriangle {
    uint32_t vertex[3];
    int material;
} PlotMeshTriangle;

typedef struct PlotMeshMaterial {
    float color[3]; // linear
    float roughness, metal, opacity, glow;
} PlotMeshMaterial;

typedef struct PlotMesh {
    const PlotMeshVertex* vertices;
    const PlotMeshTriangle* triangles;
    int vertex_count, triangle_count;
    const PlotMeshMaterial* materials;
    int material_count;
    float ground; // m, height of the ground
    bool lines;   // the edges of triangles drawn over it
} PlotMesh;

typedef struct PlotMeshCamera {
    float eye[3], target[3]; // m
    float field;             // rad, vertical
} PlotMeshCamera;

// A camera that sees all of the mesh from a direction (rad: 0 looks at its front, 90 degrees at its
// right side) and a height (rad above the horizon). zoom 1 fills the canvas.
PlotMeshCamera plot_mesh_fit(const PlotMesh* mesh, const PlotCanvas* canvas, float around,
                             float above, float field, float zoom);

// False when memory is short.
bool plot_mesh_draw(PlotCanvas* canvas, const PlotMesh* mesh, const PlotMeshCamera* camera);

#endif
