// view_lod - which pieces of the ground are drawn, and how finely.
//
// Does:     cut the site into square chunks of 16 x 16 quads, each twice as wide as the next finer
//           kind, small ones near the eye; pull the border of a fine chunk onto the vertices of a
//           coarse neighbour, so that no crack opens; leave out what the camera cannot see.
// Does not: know GL: chunks are plain numbers, and view_lod_vertex() is what the shader does.
// Units:    columns; vertices are the middles of columns.
#ifndef VIEW_LOD_H
#define VIEW_LOD_H

#include "view/view_camera.h"
#include "view/view_ground.h"

#define VIEW_LOD_SIDE   16 // quads along a chunk
#define VIEW_LOD_LEVELS 6

typedef struct ViewChunk {
    int16_t i, j;    // first column
    int16_t level;   // columns from vertex to vertex: 1 << level
    uint8_t edge[4]; // levels of the neighbours at -x, +x, -z, +z where coarser, else its own
    uint8_t pad[6];
} ViewChunk;

typedef struct ViewLod {
    ViewChunk* chunk; // [capacity]
    int count, capacity;
    uint8_t* level; // [tiles] of the chunk that covers a tile
} ViewLod;

bool view_lod_init(ViewLod* lod, const ViewGround* ground);
void view_lod_free(ViewLod* lod);

// A chunk is split while the eye is nearer than `detail` times its width; none is finer than
// `finest`. frustum may be NULL: everything.
void view_lod_select(ViewLod* lod, const ViewGround* ground, Vec3 eye, float detail, int finest,
                     const ViewFrustum* frustum);

// Column of vertex (u, v), 0..16 each, of a chunk.
void view_lod_vertex(const ViewChunk* chunk, const ViewGround* ground, int u, int v, int* i,
                     int* j);

#endif
