// render_gl - versions, programs, textures: the few GL helpers everything else stands on.
#include "render/render_internal.h"

#include "base/base_log.h"

#include <stdio.h>
#include <stdlib.h>

#define SOURCE_MAX (256 << 10) // bytes of one file

typedef struct Files {
    const char *vertex, *fragment; // below shaders/
    const char* define;            // what tells programs of the same files apart
} Files;

// A software rasteriser works through both sides of an if: variants are programs of their own.
static const Files files[SHADER_COUNT] = {
    [SHADER_TERRAIN] = {"terrain.vert", "terrain.frag", "#define GROUND\n"},
    [SHADER_TERRAIN_SHADOW] = {"terrain.vert", "shadow.frag", "#define SHADOW\n"},
    [SHADER_OUTSIDE] = {"outside.vert", "terrain.frag", "#define OUTSIDE\n"},
    [SHADER_HEAP] = {"outside.vert", "terrain.frag", "#define HEAP\n"},
    [SHADER_GRAIN] = {"grain.vert", "grain.frag", ""},
    [SHADER_GRAIN_SHADOW] = {"grain.vert", "grain_shadow.frag", "#define SHADOW\n"},
    [SHADER_MESH] = {"mesh.vert", "mesh.frag", ""},
    [SHADER_GLASS] = {"mesh.vert", "mesh.frag", "#define GLASS\n"},
    [SHADER_MESH_SHADOW] = {"mesh.vert", "shadow.frag", "#define SHADOW\n"},
    [SHADER_SKY] = {"sky.vert", "sky.frag", ""},
    [SHADER_MARKER] = {"marker.vert", "marker.frag", ""},
    [SHADER_PUFF] = {"puff.vert", "puff.frag", ""},
    [SHADER_BLADE] = {"blade.vert", "blade.frag", ""},
    [SHADER_CORNER] = {"corner.vert", "corner.frag", ""},
    [SHADER_CORNER_LAY] = {"corner.vert", "corner_lay.frag", ""},
    [SHADER_UI] = {"ui.vert", "ui.frag", ""},
};

static const char* const units[UNIT_COUNT] = {
    "shadow_map", "clod_map",  "stone_map", "height_map", "shape_map", "column_map",
    "kind_map",   "layer_map", "sky_map",   "atlas",      "depth_map", "corner_map"};

bool render_gl_check(char why[RENDER_WHY])
{
    // without a GLX display GLEW says 4, yet all functions are there
    glewExperimental = GL_TRUE;
    GLenum status = glewInit();
    const char* version = (const char*)glGetString(GL_VERSION);
    if ((status != GLEW_OK && status != GLEW_ERROR_NO_GLX_DISPLAY) || !version) {
        snprintf(why, RENDER_WHY, "OpenGL does not answer: %s",
                 status == GLEW_OK ? "no version" : (const char*)glewGetErrorString(status));
        return false;
    }
    int major = 0, minor = 0;
    if (sscanf(version, "%d.%d", &major, &minor) != 2 || major * 10 + minor < 33) {
        snprintf(why, RENDER_WHY, "OpenGL 3.3 is needed; this system offers %.80s", version);
        return false;
    }
    if (!glGenVertexArrays || !glVertexAttribDivisor || !glTexImage2DMultisample ||
        !glBindBufferBase || !glBlitFramebuffer || !glVertexAttribIPointer) {
        snprintf(why, RENDER_WHY, "OpenGL %.60s lacks functions of version 3.3", version);
        return false;
    }
    while (glGetError() != GL_NO_ERROR) {
    }
    return true;
}

// --- programs ------------------------------------------------------------------------------------

// A file is named once, however often it is missed.
static void tell(Render* r, const char* name, const char* what)
{
    for (int k = 0; k < r->told_count; ++k)
        if (strcmp(r->told[k], name) == 0)
            return;
    if (r->told_count < RENDER_TOLD_MAX)
        snprintf(r->told[r->told_count++], sizeof r->told[0], "%s", name);
    base_warn("shaders/%s %s; what it paints is drawn flat", name, what);
}

static char* read_shader(Render* r, const char* name)
{
    char local[64], path[4096];
    snprintf(local, sizeof local, "shaders/%s", name);
    FILE* file = r->find(local, path, sizeof path) ? fopen(path, "rb") : NULL;
    char* text = file ? calloc(1, SOURCE_MAX) : NULL;
    size_t length = text ? fread(text, 1, SOURCE_MAX - 1, file) : 0;
    if (file)
        fclose(file);
    if (length == 0) {
        tell(r, name, "is missing or empty");
        free(text);
        return NULL;
    }
    return text;
}

static GLuint compile(Render* r, GLenum kind, const char* const* parts, int count, const char* name)
{
    GLint fine = 0;
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, count, parts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
    if (!fine) {
        char log[600] = "", what[700];
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        for (char* c = log; *c; ++c)
            *c = *c == '\n' ? ' ' : *c;
        snprintf(what, sizeof what, "does not compile (%s)", log);
        tell(r, name, what);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

// Version, quality, what all share, then the file itself with line numbers of its own.
static GLuint stage(Render* r, GLenum kind, RenderShader which)
{
    const char* name = kind == GL_VERTEX_SHADER ? files[which].vertex : files[which].fragment;
    enum { SHARED = 6 };
    static const char* const shared[SHARED] = {"common/frame.glsl", "common/haze.glsl",
                                               "common/tone.glsl",  "common/light.glsl",
                                               "common/soil.glsl",  "common/depth.glsl"};
    char head[80];
    const char* parts[SHARED + 4] = {head};
    char* text[SHARED + 1] = {0};
    int count = 1, wanted = kind == GL_VERTEX_SHADER ? 3 : SHARED;
    snprintf(head, sizeof head, "#version 330 core\n#define QUALITY %d\n%s", r->level.shader,
             files[which].define);
    bool all = true;
    for (int k = 0; k < wanted; ++k) {
        text[k] = read_shader(r, shared[k]);
        all = all && text[k];
        parts[count++] = text[k];
    }
    text[SHARED] = read_shader(r, name);
    parts[count++] = "#line 1\n";
    parts[count++] = text[SHARED];
    GLuint shader = all && text[SHARED] ? compile(r, kind, parts, count, name) : 0;
    for (int k = 0; k <= SHARED; ++k)
        free(text[k]);
    return shader;
}

static GLuint flat_stage(Render* r, GLenum kind, RenderShader which)
{
    const char* parts[1] = {kind == GL_VERTEX_SHADER ? render_flat_vertex(which)
                                                     : render_flat_fragment(which)};
    return compile(r, kind, parts, 1, "(flat)");
}

static GLuint link_program(Render* r, GLuint vertex, GLuint fragment, const char* name)
{
    GLint fine = 0;
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &fine);
    if (!fine) {
        char log[600] = "", what[700];
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        snprintf(what, sizeof what, "does not link (%s)", log);
        tell(r, name, what);
        glDeleteProgram(program);
        return 0;
    }
    return program;
}

static void bind_names(GLuint program)
{
    GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX)
        glUniformBlockBinding(program, block, 0);
    glUseProgram(program);
    for (int u = 0; u < UNIT_COUNT; ++u) {
        GLint at = glGetUniformLocation(program, units[u]);
        if (at >= 0)
            glUniform1i(at, u);
    }
}

static GLuint make_program(Render* r, RenderShader which, bool flat)
{
    const Files* f = &files[which];
    GLuint vertex =
        flat ? flat_stage(r, GL_VERTEX_SHADER, which) : stage(r, GL_VERTEX_SHADER, which);
    GLuint fragment = flat     ? flat_stage(r, GL_FRAGMENT_SHADER, which)
                      : vertex ? stage(r, GL_FRAGMENT_SHADER, which)
                               : 0;
    GLuint program = vertex && fragment ? link_program(r, vertex, fragment, f->fragment) : 0;
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    if (program)
        bind_names(program);
    return program;
}

void render_gl_programs(Render* r)
{
    for (int s = 0; s < SHADER_COUNT; ++s) {
        glDeleteProgram(r->program[s]);
        r->program[s] = make_program(r, (RenderShader)s, false);
        r->flat[s] = r->program[s] == 0;
        if (r->flat[s])
            r->program[s] = make_program(r, (RenderShader)s, true);
    }
}

void render_gl_use(Render* r, RenderShader shader)
{
    glUseProgram(r->program[shader]);
}

void render_gl_int(Render* r, RenderShader shader, const char* name, int value)
{
    glUniform1i(glGetUniformLocation(r->program[shader], name), value);
}

void render_gl_float(Render* r, RenderShader shader, const char* name, float value)
{
    glUniform1f(glGetUniformLocation(r->program[shader], name), value);
}

void render_gl_drawn(Render* r, int triangles)
{
    r->stats.draw_calls += 1;
    r->stats.triangles += triangles;
}

// --- textures ------------------------------------------------------------------------------------

GLuint render_gl_texture(GLenum format, int w, int h, GLenum from, GLenum type, const void* data,
                         GLenum filter, GLenum wrap)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + UNIT_COUNT);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, w, h, 0, from, type, data);
    bool mipmaps = filter == GL_LINEAR_MIPMAP_LINEAR || filter == GL_LINEAR_MIPMAP_NEAREST;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                    (GLint)(filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, (GLint)wrap);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, (GLint)wrap);
    if (mipmaps)
        glGenerateMipmap(GL_TEXTURE_2D);
    else
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    return texture;
}
