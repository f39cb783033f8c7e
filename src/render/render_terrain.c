// render_terrain - the ground: height and looks as textures, chunks over them as instances.
#include "render/render_internal.h"

#include <stdlib.h>

#define BLADE_TUFT 5                   // as shaders/blade.vert counts
#define BLADE_PACE 0.14f               // m between tufts
#define SIDE       (VIEW_LOD_SIDE + 1) // vertices along a chunk

// A chunk as the card gets it.
typedef struct Instance {
    int16_t at[4]; // first column, level
    uint8_t edge[4];
} Instance;

static void make_indices(RenderGround* g)
{
    static uint16_t index[VIEW_LOD_SIDE * VIEW_LOD_SIDE * 6];
    int n = 0;
    for (int v = 0; v < VIEW_LOD_SIDE; ++v) {
        for (int u = 0; u < VIEW_LOD_SIDE; ++u) {
            uint16_t a = (uint16_t)(v * SIDE + u), b = (uint16_t)(a + 1);
            uint16_t c = (uint16_t)(a + SIDE), d = (uint16_t)(c + 1);
            const uint16_t quad[6] = {a, c, b, b, c, d};
            for (int k = 0; k < 6; ++k)
                index[n++] = quad[k];
        }
    }
    glGenBuffers(1, &g->indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, g->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof index, index, GL_STATIC_DRAW);
}

static void make_arrays(RenderGround* g)
{
    glGenVertexArrays(1, &g->vao);
    glBindVertexArray(g->vao);
    make_indices(g);
    glGenBuffers(1, &g->chunks);
    glBindBuffer(GL_ARRAY_BUFFER, g->chunks);
    glEnableVertexAttribArray(0);
    glVertexAttribIPointer(0, 3, GL_SHORT, sizeof(Instance), (void*)offsetof(Instance, at));
    glVertexAttribDivisor(0, 1);
    glEnableVertexAttribArray(1);
    glVertexAttribIPointer(1, 4, GL_UNSIGNED_BYTE, sizeof(Instance),
                           (void*)offsetof(Instance, edge));
    glVertexAttribDivisor(1, 1);
}

// What a cut lays bare; where that is not known, what lies on top goes down for ever.
static void make_layers(RenderGround* g, const ViewGround* v)
{
    const ViewLayers unknown = {{65535, 65535, 65535}, 0xffff};
    if (v->layers)
        g->layer = render_gl_texture(GL_RGBA16UI, v->nx, v->nz, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT,
                                     v->layers, GL_NEAREST, GL_CLAMP_TO_EDGE);
    else
        g->layer = render_gl_texture(GL_RGBA16UI, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT,
                                     &unknown, GL_NEAREST, GL_CLAMP_TO_EDGE);
}

static bool make(Render* r, const ViewGround* v)
{
    RenderGround* g = &r->ground;
    render_terrain_free(r);
    *g = (RenderGround){.nx = v->nx, .nz = v->nz, .cell = v->cell, .origin = v->origin};
    g->tiles = v->tiles_x * v->tiles_z;
    g->stamp = calloc((size_t)g->tiles, sizeof *g->stamp);
    if (!g->stamp || !view_lod_init(&g->lod, v))
        return false;
    g->height = render_gl_texture(GL_R32F, v->nx, v->nz, GL_RED, GL_FLOAT, NULL, GL_NEAREST,
                                  GL_CLAMP_TO_EDGE);
    g->shape = render_gl_texture(GL_RGBA8, v->nx, v->nz, GL_RGBA, GL_UNSIGNED_BYTE, NULL, GL_LINEAR,
                                 GL_CLAMP_TO_EDGE);
    g->column = render_gl_texture(GL_RGBA8, v->nx, v->nz, GL_RGBA, GL_UNSIGNED_BYTE, NULL,
                                  GL_LINEAR, GL_CLAMP_TO_EDGE);
    g->kind = render_gl_texture(GL_R8UI, v->nx, v->nz, GL_RED_INTEGER, GL_UNSIGNED_BYTE, NULL,
                                GL_NEAREST, GL_CLAMP_TO_EDGE);
    make_layers(g, v);
    make_arrays(g);
    return true;
}

void render_terrain_free(Render* r)
{
    RenderGround* g = &r->ground;
    const GLuint textures[5] = {g->height, g->shape, g->column, g->kind, g->layer};
    const GLuint buffers[2] = {g->chunks, g->indices};
    glDeleteTextures(5, textures);
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &g->vao);
    view_lod_free(&g->lod);
    free(g->stamp);
    *g = (RenderGround){0};
}

// --- sending what changed ------------------------------------------------------------------------

static void send_rect(GLuint texture, GLenum from, GLenum type, int i, int j, int w, int h,
                      const void* data)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, i, j, w, h, from, type, data);
}

static void send_tile(RenderGround* g, const ViewGround* v, int tile, bool content)
{
    uint8_t shape[VIEW_TILE_COLUMNS][4];
    int i = tile % v->tiles_x * VIEW_TILE, j = tile / v->tiles_x * VIEW_TILE, at = j * v->nx + i;
    int w = base_mini(VIEW_TILE, v->nx - i), h = base_mini(VIEW_TILE, v->nz - j);
    view_ground_shape(v, tile, shape);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, VIEW_TILE);
    send_rect(g->shape, GL_RGBA, GL_UNSIGNED_BYTE, i, j, w, h, shape);
    if (!content)
        return;
    glPixelStorei(GL_UNPACK_ROW_LENGTH, v->nx);
    send_rect(g->height, GL_RED, GL_FLOAT, i, j, w, h, v->height + at);
    send_rect(g->column, GL_RGBA, GL_UNSIGNED_BYTE, i, j, w, h, v->column + at);
    send_rect(g->kind, GL_RED_INTEGER, GL_UNSIGNED_BYTE, i, j, w, h, v->kind + at);
}

static bool stale(const RenderGround* g, const ViewGround* v, int i, int j)
{
    if (i < 0 || j < 0 || i >= v->tiles_x || j >= v->tiles_z)
        return false;
    return g->stamp[j * v->tiles_x + i] != v->stamp[j * v->tiles_x + i];
}

// A change shows in the normals and shadows of the tiles around it, too.
static bool stale_around(const RenderGround* g, const ViewGround* v, int tile)
{
    int i = tile % v->tiles_x, j = tile / v->tiles_x;
    for (int k = 0; k < 9; ++k)
        if (stale(g, v, i + k % 3 - 1, j + k / 3 - 1))
            return true;
    return false;
}

bool render_terrain_upload(Render* r, const ViewGround* v)
{
    RenderGround* g = &r->ground;
    bool other = !g->stamp || g->nx != v->nx || g->nz != v->nz || g->cell != v->cell ||
                 memcmp(&g->origin, &v->origin, sizeof g->origin) != 0;
    if (other) {
        if (!make(r, v))
            return false;
        render_scenery_make(r, v);
    }
    r->stats.tiles = 0;
    if (!other && g->changes == v->changes)
        return true;
    glActiveTexture(GL_TEXTURE0 + UNIT_COUNT);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int tile = 0; tile < g->tiles; ++tile) {
        if (stale_around(g, v, tile)) {
            send_tile(g, v, tile, stale(g, v, tile % v->tiles_x, tile / v->tiles_x));
            r->stats.tiles += 1;
        }
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    memcpy(g->stamp, v->stamp, (size_t)g->tiles * sizeof *g->stamp);
    g->changes = v->changes;
    return true;
}

// --- drawing -------------------------------------------------------------------------------------

static void send_chunks(const RenderGround* g)
{
    static Instance instance[4096];
    int count = base_mini(g->lod.count, 4096);
    for (int k = 0; k < count; ++k) {
        const ViewChunk* c = &g->lod.chunk[k];
        instance[k] =
            (Instance){{c->i, c->j, c->level, 0}, {c->edge[0], c->edge[1], c->edge[2], c->edge[3]}};
    }
    glBindBuffer(GL_ARRAY_BUFFER, g->chunks);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * sizeof *instance), instance,
                 GL_STREAM_DRAW);
}

static void bind(GLenum unit, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
}

void render_terrain_draw(Render* r, const ViewFrame* frame, bool shadow)
{
    RenderGround* g = &r->ground;
    RenderShader shader = shadow ? SHADER_TERRAIN_SHADOW : SHADER_TERRAIN;
    float detail = shadow ? r->level.shadow_detail : r->level.detail;
    Vec3 eye = shadow ? frame->focus : frame->camera.eye;
    view_lod_select(&g->lod, frame->ground, eye, detail,
                    shadow ? r->level.shadow_finest : r->level.finest, shadow ? &r->lit : &r->seen);
    glBindVertexArray(g->vao);
    send_chunks(g);
    bind(UNIT_HEIGHT, g->height);
    bind(UNIT_SHAPE, g->shape);
    bind(UNIT_COLUMN, g->column);
    bind(UNIT_KIND, g->kind);
    bind(UNIT_LAYER, g->layer);
    render_gl_use(r, shader);
    render_gl_int(r, shader, "shadow_pass", shadow);
    int count = base_mini(g->lod.count, 4096), triangles = 2 * VIEW_LOD_SIDE * VIEW_LOD_SIDE;
    glDrawElementsInstanced(GL_TRIANGLES, 3 * triangles, GL_UNSIGNED_SHORT, NULL, count);
    render_gl_drawn(r, triangles * count);
    if (!shadow)
        r->stats.chunks = count;
}

// After the shade of corners, for which blades are too thin; the ground's own green goes on where they end.
void render_terrain_blades(Render* r)
{
    int side = r->level.blades;
    if (side == 0 || r->flat[SHADER_BLADE])
        return;
    glDepthMask(GL_TRUE);
    glBindVertexArray(r->empty_vao);
    render_gl_use(r, SHADER_BLADE);
    render_gl_int(r, SHADER_BLADE, "side", side);
    render_gl_float(r, SHADER_BLADE, "pace", BLADE_PACE);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3 * BLADE_TUFT, side * side);
    glDepthMask(GL_FALSE);
    render_gl_drawn(r, BLADE_TUFT * side * side);
}
