// render_target - pictures that are drawn into before the window is.
#include "render/render_internal.h"

static void free_scene(Render* r)
{
    glDeleteFramebuffers(1, &r->target);
    glDeleteFramebuffers(1, &r->resolved);
    glDeleteTextures(1, &r->resolved_color);
    glDeleteRenderbuffers(1, &r->target_color);
    glDeleteRenderbuffers(1, &r->target_depth);
    r->target = r->resolved = r->resolved_color = r->target_color = r->target_depth = 0;
    r->target_w = r->target_h = 0;
}

static void make_scene(Render* r, int w, int h, int samples)
{
    free_scene(r);
    glGenFramebuffers(1, &r->target);
    glGenRenderbuffers(1, &r->target_color);
    glGenRenderbuffers(1, &r->target_depth);
    glBindRenderbuffer(GL_RENDERBUFFER, r->target_color);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, w, h);
    glBindRenderbuffer(GL_RENDERBUFFER, r->target_depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH24_STENCIL8, w, h);
    glBindFramebuffer(GL_FRAMEBUFFER, r->target);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              r->target_color);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              r->target_depth);
    r->target_w = w, r->target_h = h, r->target_samples = samples;

    // samples cannot be stretched: they are resolved first
    if (samples == 0)
        return;
    r->resolved_color = render_gl_texture(GL_RGBA8, w, h, GL_RGBA, GL_UNSIGNED_BYTE, NULL,
                                          GL_LINEAR, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(1, &r->resolved);
    glBindFramebuffer(GL_FRAMEBUFFER, r->resolved);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, r->resolved_color,
                           0);
}

// Straight into the window where nothing is to be scaled or filtered.
static bool direct(const Render* r)
{
    return r->level.scale == 1.0f && r->level.samples == 0;
}

void render_target_scene(Render* r, int width, int height)
{
    int w = width, h = height;
    if (direct(r)) {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    } else {
        w = base_maxi((int)((float)width * render_scale(r)), 1);
        h = base_maxi((int)((float)height * render_scale(r)), 1);
        if (r->target_w != w || r->target_h != h || r->target_samples != r->level.samples)
            make_scene(r, w, h, r->level.samples);
        glBindFramebuffer(GL_FRAMEBUFFER, r->target);
    }
    glViewport(0, 0, w, h);
}

void render_target_show(Render* r, int width, int height)
{
    if (!direct(r)) {
        int w = r->target_w, h = r->target_h;
        GLuint from = r->target;
        if (r->level.samples > 0) {
            glBindFramebuffer(GL_READ_FRAMEBUFFER, r->target);
            glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->resolved);
            glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
            from = r->resolved;
        }
        glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
        glBlitFramebuffer(0, 0, w, h, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                          w == width ? GL_NEAREST : GL_LINEAR);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
}

static void make_shadow(Render* r, int size)
{
    glDeleteTextures(1, &r->shadow_map);
    if (!r->shadow_target)
        glGenFramebuffers(1, &r->shadow_target);
    r->shadow_map = render_gl_texture(GL_DEPTH_COMPONENT24, size, size, GL_DEPTH_COMPONENT,
                                      GL_UNSIGNED_INT, NULL, GL_LINEAR, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadow_target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->shadow_map, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    r->shadow_size = size;
}

void render_target_shadow(Render* r)
{
    if (r->shadow_size != r->level.shadow_size)
        make_shadow(r, r->level.shadow_size);
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadow_target);
    glViewport(0, 0, r->shadow_size, r->shadow_size);
}

void render_target_free(Render* r)
{
    free_scene(r);
    glDeleteFramebuffers(1, &r->shadow_target);
    glDeleteTextures(1, &r->shadow_map);
}
