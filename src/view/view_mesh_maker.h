// view_mesh_maker - the inside of view_mesh: where triangles are collected, and the shapes.
#ifndef VIEW_MESH_MAKER_H
#define VIEW_MESH_MAKER_H

#include "view/view_mesh.h"

#define VIEW_MESH_POLY_MAX 512 // points of a rounded outline

// Grows while a vehicle is built; `full` once memory was refused, and then nothing is added.
typedef struct ViewMeshMaker {
    ViewMeshVertex* vertices;
    uint32_t* indices;
    int vertex_count, vertex_room, index_count, index_room;
    bool full;

    ViewMeshLod lod;
    const MachineDef* def;
    int material, part;

    // where what is drawn now goes: turned about z, mirrored, moved
    float cos_turn, sin_turn;
    Vec3 move;
    bool mirrored;
} ViewMeshMaker;

// A corner of an outline with the outward normals of the sides before and behind it; equal where
// it is round.
typedef struct ViewMeshCorner {
    float p[2];
    float before[2], behind[2];
} ViewMeshCorner;

typedef struct ViewMeshPoly {
    int count;
    bool closed;
    ViewMeshCorner corner[VIEW_MESH_POLY_MAX];
} ViewMeshPoly;

// An outline swept along an axis from span[0] to span[1].
typedef struct ViewMeshSweep {
    MachineLookAxis axis;
    float span[2];
    float bevel;
    float taper[2];
    float lean[2];
} ViewMeshSweep;

// Parts.
static inline bool view_mesh_near(const ViewMeshMaker* maker)
{
    return maker->lod == VIEW_MESH_NEAR;
}

uint32_t view_mesh_vertex(ViewMeshMaker* maker, Vec3 position, Vec3 normal);
void view_mesh_triangle(ViewMeshMaker* maker, uint32_t a, uint32_t b, uint32_t c);
void view_mesh_quad(ViewMeshMaker* maker, const Vec3 p[4], const Vec3 n[4]);

// From here on what is drawn is turned about z by `angle` and moved to `at`, within the place that
// holds now. Returns the place before, for view_mesh_place_back().
typedef struct ViewMeshPlace {
    float cos_turn, sin_turn;
    Vec3 move;
} ViewMeshPlace;
ViewMeshPlace view_mesh_place(ViewMeshMaker* maker, Vec3 at, float angle);
void view_mesh_place_back(ViewMeshMaker* maker, ViewMeshPlace place);

// Outlines. Points x0 y0 x1 y1 ...; they come out anticlockwise when closed. `rounds` may be NULL.
void view_mesh_poly(ViewMeshPoly* poly, const float* points, int floats, float round,
                    const float* rounds, bool closed, bool fine);
void view_mesh_poly_inset(ViewMeshPoly* out, const ViewMeshPoly* poly, float by);
// An open line with a thickness to its left becomes a closed outline.
void view_mesh_poly_thick(ViewMeshPoly* out, const ViewMeshPoly* line, float thickness);

// Solids.
void view_mesh_extrude(ViewMeshMaker* maker, const ViewMeshPoly* poly, const ViewMeshSweep* sweep);
void view_mesh_ring(ViewMeshMaker* maker, const ViewMeshPoly* poly, float rim,
                    const ViewMeshSweep* sweep);
void view_mesh_lathe(ViewMeshMaker* maker, const ViewMeshPoly* profile, Vec3 center,
                     MachineLookAxis axis, int sides);
void view_mesh_tube(ViewMeshMaker* maker, const float* path, int floats, float radius, float bend);

// Parts of a look.
void view_mesh_plate(ViewMeshMaker* maker, const MachineLookPlate* plate);
void view_mesh_beam(ViewMeshMaker* maker, const MachineLookBeam* beam);
void view_mesh_sheet(ViewMeshMaker* maker, const MachineLookSheet* sheet);
void view_mesh_box(ViewMeshMaker* maker, const MachineLookBox* box);
void view_mesh_turned(ViewMeshMaker* maker, const MachineLookLathe* lathe);
void view_mesh_teeth(ViewMeshMaker* maker, const MachineLookTeeth* teeth, int adapter);
void view_mesh_cab_frame(ViewMeshMaker* maker, const MachineLookCab* cab, int seal);
void view_mesh_cab_glass(ViewMeshMaker* maker, const MachineLookCab* cab);
// Along x from 0: barrel with its eye at 0, rod with its eye at 0; metres.
void view_mesh_barrel(ViewMeshMaker* maker, float length, float radius, float eye);
void view_mesh_rod(ViewMeshMaker* maker, float length, float radius, float eye);
void view_mesh_bar(ViewMeshMaker* maker, float length, float thickness, float height, float space);
void view_mesh_shoe(ViewMeshMaker* maker, const MachineLookTrack* track, int steel);
void view_mesh_sprocket(ViewMeshMaker* maker, const MachineLookTrack* track);
void view_mesh_rollers(ViewMeshMaker* maker, const MachineLookTrack* track);
void view_mesh_wheel(ViewMeshMaker* maker, const MachineLookWheel* wheel, int steel);

// The line of a track's chain; false when memory is short.
bool view_mesh_track_line(const MachineLookTrack* look, BaseArena* arena, ViewMeshTrack* out);
// Point and unit direction at a way along it.
void view_mesh_track_at(const ViewMeshTrack* track, float way, float point[2]);

#endif
