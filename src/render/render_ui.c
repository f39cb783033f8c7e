// render_ui - panels and text over the picture, in one draw call.
#include "render/render_internal.h"

static void make(Render* r)
{
    glGenVertexArrays(1, &r->ui_vao);
    glBindVertexArray(r->ui_vao);
    glGenBuffers(1, &r->ui_vertices);
    glGenBuffers(1, &r->ui_indices);
    glBindBuffer(GL_ARRAY_BUFFER, r->ui_vertices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, r->ui_indices);
    GLsizei stride = sizeof(ViewDrawVertex);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, stride, (void*)offsetof(ViewDrawVertex, x));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride, (void*)offsetof(ViewDrawVertex, u));
    glEnableVertexAttribArray(2);
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (void*)offsetof(ViewDrawVertex, color));
}

static void send_atlas(Render* r, const ViewFont* font)
{
    if (r->atlas && r->atlas_version == font->version)
        return;
    glDeleteTextures(1, &r->atlas);
    r->atlas = render_gl_texture(GL_R8, font->width, font->height, GL_RED, GL_UNSIGNED_BYTE,
                                 font->atlas, GL_LINEAR, GL_CLAMP_TO_EDGE);
    r->atlas_version = font->version;
}

void render_ui_draw(Render* r, const ViewDraw* d, int width, int height)
{
    if (!d || d->index_count == 0 || !d->font->atlas)
        return;
    if (!r->ui_vao)
        make(r);
    send_atlas(r, d->font);
    glBindVertexArray(r->ui_vao);
    glBindBuffer(GL_ARRAY_BUFFER, r->ui_vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)d->vertex_count * sizeof *d->vertex),
                 d->vertex, GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)d->index_count * sizeof *d->index),
                 d->index, GL_STREAM_DRAW);
    glActiveTexture(GL_TEXTURE0 + UNIT_ATLAS);
    glBindTexture(GL_TEXTURE_2D, r->atlas);
    render_gl_use(r, SHADER_UI);
    glUniform2f(glGetUniformLocation(r->program[SHADER_UI], "pixel"), 2.0f / (float)width,
                2.0f / (float)height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glDrawElements(GL_TRIANGLES, d->index_count, GL_UNSIGNED_INT, NULL);
    render_gl_drawn(r, d->index_count / 3);
    glDisable(GL_BLEND);
}
