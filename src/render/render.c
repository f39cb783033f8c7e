#include "render/render_internal.h"

#include "base/base_clock.h"
#include "base/base_log.h"

#include <stdio.h>
#include <stdlib.h>

// clang-format off
static const RenderLevel levels[RENDER_QUALITIES] = {
    //                shader scale samples detail finest shadow reach detail crumbs trees sky   fine model, shadows  age    sharp blades corners
    [RENDER_SOFTWARE] = {0, 0.67f, 0,      2.4f,  1,     1024,  22,   0.8f,  0,     60,  512,   1.6f,  false, 1,  0.07f, 1, 0, false},
    [RENDER_LOW]      = {1, 1.00f, 0,      1.6f,  0,     2048,  30,   1.2f,  0,     200, 1024,  8.0f,  false, 1,  0.0f,  2, 0, false},
    [RENDER_MEDIUM]   = {2, 1.00f, 4,      2.6f,  0,     3072,  36,   1.8f,  4,     600, 1024,  30.0f, true,  1,  0.0f,  4, 150, true},
    [RENDER_HIGH]     = {2, 1.00f, 4,      4.5f,  0,     4096,  44,   2.5f,  8,     900, 2048,  60.0f, true,  0,  0.0f,  8, 240, true},
};
// clang-format on

static const char* const quality_names[RENDER_QUALITIES] = {"software", "low", "medium", "high"};

const char* render_quality_name(RenderQuality quality)
{
    return quality_names[quality];
}

// --- making --------------------------------------------------------------------------------------

static void make_grain_arrays(Render* r)
{
    glGenVertexArrays(1, &r->grain_vao);
    glGenBuffers(1, &r->grain_buffer);
    glGenVertexArrays(1, &r->puff_vao);
    glGenBuffers(1, &r->puff_buffer);
    glGenVertexArrays(1, &r->empty_vao);
    glGenBuffers(1, &r->block_buffer);
}

Render* render_create(RenderFindFn find, char why[RENDER_WHY])
{
    if (!render_gl_check(why))
        return NULL;
    Render* r = calloc(1, sizeof *r);
    if (!r || !render_texture_noise(r)) {
        snprintf(why, RENDER_WHY, "not enough memory to draw");
        free(r);
        return NULL;
    }
    r->find = find;
    snprintf(r->card, sizeof r->card, "%.80s, OpenGL %.60s", (const char*)glGetString(GL_RENDERER),
             (const char*)glGetString(GL_VERSION));
    make_grain_arrays(r);
    render_prop_make(r);
    r->software = strstr(r->card, "llvmpipe") || strstr(r->card, "softpipe") ||
                  strstr(r->card, "SWR") || strstr(r->card, "Software");
    r->quality = RENDER_QUALITIES;
    render_set_quality(r, r->software ? RENDER_SOFTWARE : RENDER_MEDIUM);
    return r;
}

void render_destroy(Render* r)
{
    if (!r)
        return;
    render_drop_models(r);
    render_scenery_free(r);
    render_prop_free(r);
    render_terrain_free(r);
    render_corner_free(r);
    render_target_free(r);
    for (int s = 0; s < SHADER_COUNT; ++s)
        glDeleteProgram(r->program[s]);
    const GLuint textures[4] = {r->clod, r->stone, r->sky_map, r->atlas};
    const GLuint buffers[6] = {r->block_buffer, r->grain_buffer, r->puff_buffer,
                               r->stream,       r->ui_vertices,  r->ui_indices};
    const GLuint arrays[5] = {r->grain_vao, r->puff_vao, r->stream_vao, r->ui_vao, r->empty_vao};
    glDeleteTextures(4, textures);
    glDeleteBuffers(6, buffers);
    glDeleteVertexArrays(5, arrays);
    free(r->grain);
    free(r->crowd);
    free(r);
}

const char* render_card(const Render* r)
{
    return r->card;
}

void render_set_quality(Render* r, RenderQuality quality)
{
    if (r->quality == quality)
        return;
    bool other = r->quality == RENDER_QUALITIES || levels[quality].shader != r->level.shader;
    r->quality = quality;
    r->level = levels[quality];
    r->shadow_size = 0; // of another level
    r->share = 1.0f, r->pace = 0.04, r->paced = 0;
    render_texture_sharpen(r);
    if (other)
        render_gl_programs(r);
}

// --- pace ----------------------------------------------------------------------------------------

#define PACE_SLOW \
    0.046 // s a picture, above which it gets smaller: 20 a second, and a little to spare
#define PACE_FAST  0.034 // s, below which it may grow; far enough away that it does not swing
#define PACE_LEAST 0.75f // of the level's scale
#define PACE_WAIT  12    // pictures until the last change shows in the mean

void render_keep_pace(Render* r, double seconds)
{
    if (r->quality != RENDER_SOFTWARE)
        return;
    r->pace += 0.12 * (fmin(seconds, 0.2) - r->pace);
    if (++r->paced < PACE_WAIT)
        return;
    float share = r->share;
    if (r->pace > PACE_SLOW)
        share = base_maxf(0.94f * share, PACE_LEAST);
    else if (r->pace < PACE_FAST)
        share = base_minf(1.04f * share, 1.0f);
    if (share != r->share)
        r->share = share, r->paced = 0;
}

float render_scale(const Render* r)
{
    return r->level.scale * r->share;
}

RenderQuality render_quality(const Render* r)
{
    return r->quality;
}

void render_new_site(Render* r)
{
    r->shadow_size = 0;
    render_scenery_free(r);
    render_terrain_free(r);
}

void render_finish(Render* r)
{
    (void)r;
    glFinish();
}

const RenderStats* render_stats(const Render* r)
{
    return &r->stats;
}

void render_time_passes(Render* r, bool on)
{
    r->time_passes = on;
}

// --- one picture ---------------------------------------------------------------------------------

// Begins a picture, or enters the time since the last call as that of a pass.
static void passed(Render* r, int pass)
{
    if (!r->time_passes)
        return;
    glFinish();
    double wall = base_seconds(), cpu = base_seconds_process();
    if (pass >= 0) {
        r->stats.seconds[pass] = wall - r->since_wall;
        r->stats.cpu[pass] = cpu - r->since_cpu;
    }
    r->since_wall = wall, r->since_cpu = cpu;
}

static void bind_all(const Render* r)
{
    const GLuint texture[UNIT_COUNT] = {
        [UNIT_SHADOW] = r->shadow_map,  [UNIT_CLOD] = r->clod,
        [UNIT_STONE] = r->stone,        [UNIT_HEIGHT] = r->ground.height,
        [UNIT_SHAPE] = r->ground.shape, [UNIT_COLUMN] = r->ground.column,
        [UNIT_KIND] = r->ground.kind,   [UNIT_LAYER] = r->ground.layer,
        [UNIT_SKY] = r->sky_map,        [UNIT_ATLAS] = r->atlas,
        [UNIT_DEPTH] = r->depth_map,    [UNIT_CORNER] = r->corner_map};
    for (GLenum u = 0; u < UNIT_COUNT; ++u) {
        glActiveTexture(GL_TEXTURE0 + u);
        glBindTexture(GL_TEXTURE_2D, texture[u]);
    }
}

static void draw_shadow(Render* r, const ViewFrame* f)
{
    render_target_shadow(r);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_CULL_FACE);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(r->level.shader >= 2 ? 2.6f : 1.6f, 4.0f); // softer edges need more
    render_terrain_draw(r, f, true);
    render_mesh_draw(r, f, RENDER_SHADOW);
    render_prop_draw(r, f, true);
    render_yard_draw(r, RENDER_SHADOW);
    render_grain_draw(r, true);
    glDisable(GL_POLYGON_OFFSET_FILL);
}

static void draw_sky(Render* r)
{
    glDepthMask(GL_FALSE);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(r->empty_vao);
    render_gl_use(r, SHADER_SKY);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    render_gl_drawn(r, 1);
}

static void draw_clear(Render* r, const ViewFrame* f)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    render_marker_draw(r, f);
    render_marker_puffs(r, f);
    render_yard_draw(r, RENDER_GLASS);
    render_mesh_draw(r, f, RENDER_GLASS);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

static void mark_pixels(bool on)
{
    if (!on) {
        glDisable(GL_STENCIL_TEST);
        return;
    }
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 1);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
}

static void draw_scene(Render* r, const ViewFrame* f, int width, int height)
{
    render_target_scene(r, width, height);
    bind_all(r);
    glClearColor(0.66f, 0.76f, 0.86f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_CULL_FACE);
    if (r->level.samples > 0)
        glEnable(GL_MULTISAMPLE);

    // what hides most comes first, and marks its pixels: nothing in the ground shines through it
    mark_pixels(true);
    render_mesh_draw(r, f, RENDER_SOLID);
    render_prop_draw(r, f, false);
    render_yard_draw(r, RENDER_SOLID);
    mark_pixels(false);
    passed(r, RENDER_PASS_MODELS);
    render_terrain_draw(r, f, false);
    render_marker_bins(r, f, false);
    render_marker_buried(r, f);
    passed(r, RENDER_PASS_GROUND);
    render_grain_draw(r, false);
    passed(r, RENDER_PASS_GRAINS);
    render_scenery_draw(r);
    draw_sky(r);
    passed(r, RENDER_PASS_SKY);
    render_corner_draw(r);
    render_terrain_blades(r);
    passed(r, RENDER_PASS_CORNERS);
    draw_clear(r, f);
    passed(r, RENDER_PASS_CLEAR);
}

void render_draw(Render* r, const ViewFrame* f, int width, int height)
{
    if (width <= 0 || height <= 0 || !f->ground)
        return;
    r->stats = (RenderStats){0};
    passed(r, -1);
    render_frame_block(r, f, width, height);
    render_texture_sky(r, &f->sun);
    if (!render_terrain_upload(r, f->ground) || !render_grain_upload(r, f))
        return;
    passed(r, RENDER_PASS_UPLOAD);
    bind_all(r);
    if (r->shadow_due)
        draw_shadow(r, f);
    passed(r, RENDER_PASS_SHADOW);
    draw_scene(r, f, width, height);
    render_target_show(r, width, height);
    render_ui_draw(r, f->draw, width, height);
    passed(r, RENDER_PASS_UI);
}

void render_read(Render* r, int width, int height, uint8_t* rgb)
{
    size_t line = 3 * (size_t)width;
    (void)r;
    glFinish();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    // GL counts lines from the bottom
    for (int y = 0; y < height; ++y)
        glReadPixels(0, height - 1 - y, width, 1, GL_RGB, GL_UNSIGNED_BYTE, rgb + (size_t)y * line);
}

RenderQuality render_choose_quality(Render* r, const ViewFrame* f, int width, int height,
                                    double budget)
{
    for (int q = RENDER_HIGH; q > RENDER_SOFTWARE; --q) {
        double best = 1e9;
        render_set_quality(r, (RenderQuality)q);
        // the first picture makes textures and is not counted; hopeless levels are left at once
        for (int k = 0; k < 4 && (k < 2 || best < 3.0 * budget); ++k) {
            double t = base_seconds();
            render_draw(r, f, width, height);
            glFinish();
            t = base_seconds() - t;
            if (k > 0 && t < best)
                best = t;
        }
        if (best <= budget)
            return (RenderQuality)q;
    }
    render_set_quality(r, RENDER_SOFTWARE);
    return RENDER_SOFTWARE;
}
