// render_mesh - solid models: one instanced draw per part, however often it occurs.
#include "render/render_internal.h"

#include <stdlib.h>

static void arrays(RenderModel* m, const ViewMeshSet* from)
{
    glGenVertexArrays(1, &m->vao);
    glBindVertexArray(m->vao);
    glGenBuffers(1, &m->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, m->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)from->vertex_count * sizeof *from->vertices),
                 from->vertices, GL_STATIC_DRAW);
    GLsizei stride = sizeof(ViewMeshVertex);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride,
                          (void*)offsetof(ViewMeshVertex, position));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride,
                          (void*)offsetof(ViewMeshVertex, normal));
    glEnableVertexAttribArray(2);
    glVertexAttribIPointer(2, 1, GL_UNSIGNED_SHORT, stride,
                           (void*)offsetof(ViewMeshVertex, material));
    glGenBuffers(1, &m->indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, m->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER,
                 (GLsizeiptr)((size_t)from->index_count * sizeof *from->indices), from->indices,
                 GL_STATIC_DRAW);
    glGenBuffers(1, &m->poses);
}

static void materials(RenderModel* m, const ViewMeshSet* from)
{
    for (int k = 0; k < base_mini(from->material_count, RENDER_MATERIALS); ++k) {
        const ViewMeshMaterial* a = &from->materials[k];
        memcpy(m->material[k], a->color, sizeof a->color);
        m->material[k][3] = a->opacity;
        m->finish[k][0] = a->roughness, m->finish[k][1] = a->metal, m->finish[k][2] = a->glow;
    }
}

bool render_mesh_make(RenderModel* m, const ViewMeshSet* from)
{
    *m = (RenderModel){.part_count = from->part_count, .pose_count = from->pose_count};
    m->parts = malloc((size_t)base_maxi(from->part_count, 1) * sizeof *m->parts);
    if (!m->parts)
        return false;
    memcpy(m->parts, from->parts, (size_t)from->part_count * sizeof *m->parts);
    arrays(m, from);
    materials(m, from);
    return true;
}

void render_mesh_free(RenderModel* m)
{
    const GLuint buffers[3] = {m->vertices, m->indices, m->poses};
    glDeleteBuffers(3, buffers);
    glDeleteVertexArrays(1, &m->vao);
    free(m->parts);
    *m = (RenderModel){0};
}

int render_add_model(Render* r, const ViewMeshSet* from)
{
    if (r->model_count == RENDER_MODELS_MAX || !render_mesh_make(&r->model[r->model_count], from))
        return -1;
    return r->model_count++;
}

void render_drop_models(Render* r)
{
    for (int k = 0; k < r->model_count; ++k)
        render_mesh_free(&r->model[k]);
    r->model_count = 0;
}

// --- drawing -------------------------------------------------------------------------------------

static void send_poses(const RenderModel* m, const ViewPose* poses, int count)
{
    glBindBuffer(GL_ARRAY_BUFFER, m->poses);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * sizeof *poses), poses,
                 GL_STREAM_DRAW);
}

static void point_poses(const RenderModel* m, int first)
{
    const char* base = NULL;
    base += (size_t)first * sizeof(ViewPose);
    glBindBuffer(GL_ARRAY_BUFFER, m->poses);
    for (GLuint row = 0; row < 3; ++row) {
        glEnableVertexAttribArray(3 + row);
        glVertexAttribPointer(3 + row, 4, GL_FLOAT, GL_FALSE, sizeof(ViewPose),
                              base + row * 4 * sizeof(float));
        glVertexAttribDivisor(3 + row, 1);
    }
}

static void begin(Render* r, const RenderModel* m, float clean, RenderWhich which)
{
    bool shadow = which == RENDER_SHADOW;
    RenderShader shader = shadow                  ? SHADER_MESH_SHADOW
                          : which == RENDER_GLASS ? SHADER_GLASS
                                                  : SHADER_MESH;
    GLuint program = r->program[shader];
    glUseProgram(program);
    render_gl_int(r, shader, "shadow_pass", shadow);
    if (!shadow) {
        glUniform4fv(glGetUniformLocation(program, "paints"), RENDER_MATERIALS, m->material[0]);
        glUniform4fv(glGetUniformLocation(program, "finishes"), RENDER_MATERIALS, m->finish[0]);
        render_gl_float(r, shader, "clean", clean);
        render_gl_float(r, shader, "leafy", m->leafy);
    }
    glBindVertexArray(m->vao);
}

static void draw_part(Render* r, const RenderModel* m, const ViewMeshPart* p, int first, int count)
{
    const char* base = NULL;
    point_poses(m, first);
    glDrawElementsInstanced(GL_TRIANGLES, p->index_count, GL_UNSIGNED_INT,
                            base + (size_t)p->first_index * sizeof(uint32_t), count);
    render_gl_drawn(r, p->index_count / 3 * count);
}

static bool wanted(const ViewMeshPart* p, RenderWhich which)
{
    return p->index_count > 0 && p->glass == (which == RENDER_GLASS);
}

static bool usable(const Render* r, const ViewFrame* f, const ViewModelUse* u)
{
    return u->model >= 0 && u->model < r->model_count &&
           u->pose_count == r->model[u->model].pose_count &&
           u->first_pose + u->pose_count <= f->pose_count;
}

// Shadows and weak machines take the coarse model, unless one sits on it.
static bool chosen(const Render* r, const ViewFrame* f, const ViewModelUse* u, RenderWhich which)
{
    float far = vec3_length(vec3_sub(u->middle, f->camera.eye)) / base_maxf(u->radius, 0.1f);
    bool coarse = which == RENDER_SHADOW ? !r->level.fine_shadows : far > r->level.fine_reach;
    return u->detail == VIEW_DETAIL_ALL || (u->detail == VIEW_DETAIL_FAR) == coarse;
}

void render_mesh_draw(Render* r, const ViewFrame* f, RenderWhich which)
{
    for (int k = 0; k < f->use_count; ++k) {
        const ViewModelUse* u = &f->use[k];
        if (!usable(r, f, u) || !chosen(r, f, u, which))
            continue;
        const RenderModel* m = &r->model[u->model];
        begin(r, m, u->clean, which);
        send_poses(m, f->pose + u->first_pose, u->pose_count);
        for (int p = 0; p < m->part_count; ++p)
            if (wanted(&m->parts[p], which))
                draw_part(r, m, &m->parts[p], m->parts[p].first_pose, m->parts[p].pose_count);
    }
}

void render_mesh_instances(Render* r, const RenderModel* m, const ViewPose* poses, int count,
                           float clean, RenderWhich which)
{
    if (!m->parts || count == 0)
        return;
    begin(r, m, clean, which);
    send_poses(m, poses, count);
    for (int p = 0; p < m->part_count; ++p)
        draw_part(r, m, &m->parts[p], 0, count);
}
