// view_model - solid things as triangles with materials: machines, props, anything that moves.
//
// Does:     name the layout in which triangles go to the renderer.
// Does not: own memory; the arrays belong to whoever made them.
// Units:    m; colours linear 0..1.
#ifndef VIEW_MODEL_H
#define VIEW_MODEL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ViewModelVertex {
    float position[3];
    float normal[3];
    uint16_t material, part;
} ViewModelVertex;

typedef struct ViewModelMaterial {
    float color[3];
    float roughness, metal; // 0 mirror .. 1 chalk; 0 paint .. 1 bare metal
    float opacity;          // below 1: glass
    float glow;
} ViewModelMaterial;

// Triangles that move together, drawn once per pose.
typedef struct ViewModelPart {
    int first_index, index_count;
    int first_pose, pose_count; // among the model's poses
    bool glass;                 // drawn last, blended
} ViewModelPart;

typedef struct ViewModel {
    const ViewModelVertex* vertices;
    const uint32_t* indices; // three per triangle, anticlockwise seen from outside
    const ViewModelPart* parts;
    const ViewModelMaterial* materials;
    int vertex_count, index_count, part_count, material_count, pose_count;
} ViewModel;

#endif
