// render_internal - what the files of src/render share; nobody else includes it.
#ifndef RENDER_INTERNAL_H
#define RENDER_INTERNAL_H

#include "render/render.h"
#include "view/view_lod.h"

#include <GL/glew.h>

#define RENDER_MODELS_MAX 16
#define RENDER_TOLD_MAX   32
#define RENDER_CROWD      (1 << 14)
#define RENDER_MATERIALS  32 // of one model; see shaders/mesh.frag

// Texture units, the same in all programs.
typedef enum RenderUnit {
    UNIT_SHADOW,
    UNIT_CLOD,
    UNIT_STONE,
    UNIT_HEIGHT,
    UNIT_SHAPE,
    UNIT_COLUMN,
    UNIT_KIND,
    UNIT_LAYER,
    UNIT_SKY,
    UNIT_ATLAS,
    UNIT_DEPTH,  // of the scene, where corners are drawn
    UNIT_CORNER, // their shade
    UNIT_COUNT,
} RenderUnit;

typedef enum RenderShader {
    SHADER_TERRAIN,
    SHADER_TERRAIN_SHADOW,
    SHADER_OUTSIDE,
    SHADER_HEAP,
    SHADER_GRAIN,
    SHADER_GRAIN_SHADOW,
    SHADER_MESH,
    SHADER_GLASS,
    SHADER_MESH_SHADOW,
    SHADER_SKY,
    SHADER_MARKER,
    SHADER_PUFF,
    SHADER_BLADE,
    SHADER_CORNER,
    SHADER_CORNER_LAY,
    SHADER_UI,
    SHADER_COUNT,
} RenderShader;

// What a level of quality means.
typedef struct RenderLevel {
    int shader;         // QUALITY in the shaders
    float scale;        // of the scene's picture against the window's
    int samples;        // of multisampling, 0 none
    float detail;       // see view_lod_select()
    int finest;         // level of the finest chunks
    int shadow_size;    // texels
    float shadow_reach; // m, radius
    float shadow_detail;
    int crumbs; // beside a grain that is near, and the fines between grains
    int trees;
    int sky_size;     // texels
    float fine_reach; // radii of a model, within which its fine version is drawn
    bool fine_shadows;
    int shadow_finest; // level of the finest chunks in the shadow map
    float shadow_age;  // s, up to which the sun's map serves another picture
    float sharp;       // anisotropy of textures, 1 none
    int blades;        // tufts of grass along a side of the square ahead of the eye
    bool corners;      // shade where the sky does not reach; wants a target of its own
} RenderLevel;

// The Frame block of shaders/common/frame.glsl, std140.
typedef struct RenderBlock {
    float view_proj[16], shadow_proj[16];
    float eye[4], right[4], over[4], forward[4], sun[4], light[4], sky[4], bounce[4], site[4],
        focus[4], road[4];
    float bank[VIEW_SOILS][4], loose[VIEW_SOILS][4], finish[VIEW_SOILS][4];
} RenderBlock;

typedef struct RenderModel {
    GLuint vao, vertices, indices, poses;
    ViewMeshPart* parts;
    int part_count, pose_count, triangles;
    float material[RENDER_MATERIALS][4], finish[RENDER_MATERIALS][4];
    float leafy; // of trees and heaps: see shaders/mesh.frag
} RenderModel;

// An instance of a grain as the card gets it.
typedef struct RenderGrain {
    float ball[4];
    uint8_t look[4]; // kind, opacity, chance
    int8_t crowd[4]; // out of the heap that it lies in; how many lie around; of 127
} RenderGrain;

typedef struct RenderGround {
    int nx, nz, tiles;
    float cell;
    Vec3 origin;
    uint32_t changes;
    uint32_t* stamp; // [tiles] as sent
    GLuint height, shape, column, kind, layer;
    GLuint vao, chunks, indices;
    ViewLod lod;
} RenderGround;

// Vertices, triangles and materials of a small solid, while it is being made.
#define RENDER_SOLID_VERTICES 2400
typedef struct RenderSolidMesh {
    ViewMeshVertex vertex[RENDER_SOLID_VERTICES];
    uint32_t index[6 * RENDER_SOLID_VERTICES];
    int vertices, indices;
} RenderSolidMesh;

// What stands about a site: beyond its border, where no machine can come.
typedef enum RenderThing {
    THING_FENCE,
    THING_RAIL, // stands for it on a weak machine
    THING_NET,  // the clear part of the fence
    THING_HUT,
    THING_CONTAINER,
    THING_TOILET,
    THING_PIPE,
    THING_TIMBER,
    THING_MOUND,
    THING_BARRIER,
    THING_SIGN,
    THING_MAST,
    THING_VAN,
    THING_COUNT,
} RenderThing;

#define RENDER_YARD_MAX 400

typedef struct RenderYard {
    RenderModel model[THING_COUNT];
    ViewPose pose[RENDER_YARD_MAX];
    uint8_t thing[RENDER_YARD_MAX];
    int count;
} RenderYard;

// Height of the land around, with the numbers that it is found from.
typedef struct RenderLand {
    const ViewGround* ground;
    float x0, z0, x1, z1; // m, the site
    float mean;           // m, of its border
} RenderLand;

typedef struct RenderScenery {
    GLuint vao, vertices, indices; // the land around
    int index_count;
    RenderModel tree[2];
    ViewPose* pose;   // [count] of trees
    uint8_t* species; // [count]
    int count;
    RenderYard yard;
} RenderScenery;

// Solid marks that come with the renderer.
typedef enum RenderProp {
    PROP_CONE,
    PROP_PERSON,
    PROP_STAKE,
    PROP_BLOCK,
    PROP_LEVER,
    PROP_PIPE, // the last: each has its own colour
    PROP_COUNT,
} RenderProp;

struct Render {
    RenderFindFn find;
    char card[160];
    bool software;                  // no card: the processors draw
    char told[RENDER_TOLD_MAX][48]; // files that were named as missing
    int told_count;
    RenderQuality quality;
    RenderLevel level;
    float share; // of the level's scale that there is time for
    double pace; // s a picture takes on average
    int paced;   // pictures since the share was changed
    bool time_passes;
    double since_wall, since_cpu; // s, of the pass under way
    RenderStats stats;

    GLuint program[SHADER_COUNT];
    bool flat[SHADER_COUNT]; // its files are missing
    GLuint block_buffer;
    RenderBlock block;
    ViewMat shadow; // world to clip space of the shadow map
    ViewFrustum seen, lit;

    GLuint shadow_map, shadow_target;
    int shadow_size;
    double shadow_time; // s, of the picture for which it was drawn
    Vec3 shadow_focus;
    bool shadow_due;
    GLuint target, target_color, target_depth; // the scene's picture
    GLuint resolved, resolved_color;           // the same without samples
    int target_w, target_h, target_samples;
    GLuint depth_copy, depth_map; // the scene's depth without samples
    GLuint corner, corner_map;    // light left in corners, and depth, at half the size
    int corner_w, corner_h;

    GLuint clod, stone, sky_map, atlas;
    int sky_size;
    Vec3 sky_sun; // for which it was painted
    uint32_t atlas_version;

    RenderGround ground;
    RenderScenery scenery;
    RenderModel prop[PROP_COUNT];
    RenderModel model[RENDER_MODELS_MAX];
    int model_count;

    GLuint grain_vao, grain_buffer;
    RenderGrain* grain; // [grain_room]
    int grain_room;
    uint16_t* crowd; // [RENDER_CROWD] grains per cell, by hash; only where crumbs are drawn
    int grain_near, grain_seen, grain_all; // near ones first, then others seen, then the rest

    GLuint stream_vao, stream, stream_index; // triangles that are made anew for each picture
    GLuint puff_vao, puff_buffer;
    GLuint ui_vao, ui_vertices, ui_indices;
    GLuint empty_vao;
};

// render_gl.c
bool render_gl_check(char why[RENDER_WHY]);
void render_gl_programs(Render* r); // for the level's QUALITY
GLuint render_gl_texture(GLenum format, int w, int h, GLenum from, GLenum type, const void* data,
                         GLenum filter, GLenum wrap);
void render_gl_use(Render* r, RenderShader shader);
void render_gl_int(Render* r, RenderShader shader, const char* name, int value);
void render_gl_float(Render* r, RenderShader shader, const char* name, float value);
void render_gl_drawn(Render* r, int triangles); // counts a draw call

// render_flat.c: the sources that stand in for missing files
const char* render_flat_vertex(RenderShader shader);
const char* render_flat_fragment(RenderShader shader);

// render_texture.c
bool render_texture_noise(Render* r);
void render_texture_sharpen(Render* r); // as the level wants it
void render_texture_sky(Render* r, const ViewSun* sun);

// render_frame.c
void render_frame_block(Render* r, const ViewFrame* frame, int width, int height);
void render_frame_linear(const float srgb[3], float out[3]);

// render_target.c
void render_target_scene(Render* r, int width, int height); // makes and binds it
void render_target_show(Render* r, int width, int height);  // onto the window
void render_target_shadow(Render* r);                       // makes and binds it
void render_target_free(Render* r);

// render_corner.c
void render_corner_draw(Render* r);
void render_corner_free(Render* r);

// render_terrain.c
bool render_terrain_upload(Render* r, const ViewGround* ground);
void render_terrain_draw(Render* r, const ViewFrame* frame, bool shadow);
void render_terrain_blades(Render* r);
void render_terrain_free(Render* r);

typedef enum RenderWhich { RENDER_SOLID, RENDER_GLASS, RENDER_SHADOW } RenderWhich;

// render_solid.c: rings turned about an axis, and boxes
typedef struct RenderTurn {
    const float* profile; // height, radius, height, radius ...
    int rings, sides;
    Vec3 at;
    float dent; // part of the radius, by chance
    uint16_t material;
    uint32_t seed;
    int axis; // it is turned about: 0 y, 1 x, 2 z
} RenderTurn;
void render_solid_begin(RenderSolidMesh* mesh);
void render_solid_turn(RenderSolidMesh* mesh, const RenderTurn* turn);
void render_solid_box(RenderSolidMesh* mesh, Vec3 low, Vec3 high, uint16_t material);
bool render_solid_end(RenderSolidMesh* mesh, ViewMeshMaterial* paint, int paints, RenderModel* out);
float render_solid_chance(int x, int z, uint32_t seed); // 0..1

// render_yard.c
void render_yard_make(Render* r, const RenderLand* land);
void render_yard_free(Render* r);
void render_yard_draw(Render* r, RenderWhich which);

// render_scenery.c
float render_scenery_height(const RenderLand* land, float x, float z);
float render_scenery_off_road(const ViewGround* ground, float x, float z); // m from the way in
void render_scenery_make(Render* r, const ViewGround* ground);
void render_scenery_draw(Render* r);
void render_scenery_free(Render* r);

// render_grain.c
bool render_grain_upload(Render* r, const ViewFrame* frame);
void render_grain_draw(Render* r, bool shadow);

// render_mesh.c
void render_mesh_draw(Render* r, const ViewFrame* frame, RenderWhich which);
bool render_mesh_make(RenderModel* model, const ViewMeshSet* from);
void render_mesh_free(RenderModel* model);
// Many of a model whose parts have a single pose each.
void render_mesh_instances(Render* r, const RenderModel* model, const ViewPose* poses, int count,
                           float clean, RenderWhich which);

// render_prop.c: solid marks: people, cones, stakes, blocks, pipes
void render_prop_make(Render* r);
void render_prop_free(Render* r);
void render_prop_draw(Render* r, const ViewFrame* frame, bool shadow);

// render_marker.c
void render_marker_bins(Render* r, const ViewFrame* frame, bool shadow);
void render_marker_buried(Render* r, const ViewFrame* frame);
void render_marker_draw(Render* r, const ViewFrame* frame);
void render_marker_puffs(Render* r, const ViewFrame* frame);

// render_ui.c
void render_ui_draw(Render* r, const ViewDraw* draw, int width, int height);

#endif
