// render_corner - shade where the sky does not reach: between lumps, under machines, in cuts.
#include "render/render_internal.h"

void render_corner_free(Render* r)
{
    const GLuint frames[2] = {r->depth_copy, r->corner},
                 textures[2] = {r->depth_map, r->corner_map};
    glDeleteFramebuffers(2, frames);
    glDeleteTextures(2, textures);
    r->depth_copy = r->corner = r->depth_map = r->corner_map = 0;
    r->corner_w = r->corner_h = 0;
}

static void make(Render* r, int w, int h)
{
    render_corner_free(r);
    glGenFramebuffers(1, &r->depth_copy);
    glGenFramebuffers(1, &r->corner);
    // samples are copied only into the same format
    r->depth_map = render_gl_texture(GL_DEPTH24_STENCIL8, w, h, GL_DEPTH_STENCIL,
                                     GL_UNSIGNED_INT_24_8, NULL, GL_NEAREST, GL_CLAMP_TO_EDGE);
    glBindFramebuffer(GL_FRAMEBUFFER, r->depth_copy);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D, r->depth_map,
                           0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    r->corner_map = render_gl_texture(GL_RG16F, (w + 1) / 2, (h + 1) / 2, GL_RG, GL_FLOAT, NULL,
                                      GL_NEAREST, GL_CLAMP_TO_EDGE);
    glBindFramebuffer(GL_FRAMEBUFFER, r->corner);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, r->corner_map, 0);
    r->corner_w = w, r->corner_h = h;
}

static void bind(GLuint unit, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
}

static void cover(Render* r, RenderShader shader)
{
    render_gl_use(r, shader);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    render_gl_drawn(r, 1);
}

void render_corner_draw(Render* r)
{
    int w = r->target_w, h = r->target_h;
    if (!r->level.corners || r->flat[SHADER_CORNER] || r->flat[SHADER_CORNER_LAY])
        return;
    if (r->corner_w != w || r->corner_h != h)
        make(r, w, h);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->depth_copy);
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_DEPTH_BUFFER_BIT, GL_NEAREST);

    // found at half the size, laid over at full
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(r->empty_vao);
    bind(UNIT_DEPTH, r->depth_map);
    glBindFramebuffer(GL_FRAMEBUFFER, r->corner);
    glViewport(0, 0, (w + 1) / 2, (h + 1) / 2);
    cover(r, SHADER_CORNER);
    bind(UNIT_CORNER, r->corner_map);
    glBindFramebuffer(GL_FRAMEBUFFER, r->target);
    glViewport(0, 0, w, h);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ZERO, GL_SRC_COLOR);
    cover(r, SHADER_CORNER_LAY);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}
