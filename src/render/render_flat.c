// render_flat - what is drawn when a shader file is missing: the right shapes in plain colours.
#include "render/render_internal.h"

#define FRAME                                                                                      \
    "#version 330 core\n"                                                                          \
    "layout(std140) uniform Frame { mat4 view_proj, shadow_proj; vec4 eye, right, over, forward, " \
    "sun, light, sky, bounce, site, focus, road; vec4 bank[9], loose[9], finish[9]; };\n"          \
    "out vec4 tint;\n"                                                                             \
    "uniform bool shadow_pass;\n"                                                                  \
    "vec4 placed(vec3 p) { if (!shadow_pass) return view_proj * vec4(p, 1.0);"                     \
    " vec4 s = shadow_proj * vec4(p, 1.0); s.xyz = s.xyz * 2.0 - s.w; return s; }\n"

static const char ground[] = FRAME
    "layout(location = 0) in ivec3 chunk; layout(location = 1) in ivec4 edge;\n"
    "uniform sampler2D height_map;\n"
    "void main() { int u = gl_VertexID % 17, v = gl_VertexID / 17;\n"
    " int x = chunk.x + (u << chunk.z), z = chunk.y + (v << chunk.z);\n"
    " int a = u == 0 ? edge.x : u == 16 ? edge.y : chunk.z;\n"
    " int b = v == 0 ? edge.z : v == 16 ? edge.w : chunk.z;\n"
    " ivec2 c = min(ivec2((x + (1 << b >> 1)) >> b << b, (z + (1 << a >> 1)) >> a << a), "
    "textureSize(height_map, 0) - 1);\n"
    " vec2 at = site.xy + (vec2(c) + 0.5) * focus.w; float h = texelFetch(height_map, c, 0).r;\n"
    " tint = vec4(vec3(0.45, 0.37, 0.28) * (0.9 + 0.1 * sin(h * 6.0)), 1.0);\n"
    " gl_Position = placed(vec3(at.x, h, at.y)); }\n";

static const char outside[] = FRAME "layout(location = 0) in vec3 position;\n"
                                    "void main() { tint = vec4(0.42, 0.46, 0.30, 1.0);\n"
                                    " gl_Position = placed(position); }\n";

static const char grain[] = FRAME
    "layout(location = 0) in vec4 ball; layout(location = 1) in uvec4 look;\n"
    "void main() { vec2 c = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
    " vec3 to = shadow_pass ? sun.xyz : normalize(eye.xyz - ball.xyz);\n"
    " vec3 side = normalize(cross(abs(to.y) > 0.99 ? vec3(1, 0, 0) : vec3(0, 1, 0), to));\n"
    " tint = vec4(sqrt(loose[int(look.x)].rgb), 1.0);\n"
    " gl_Position = placed(ball.xyz + (side * c.x + cross(to, side) * c.y) * ball.w * 0.8); }\n";

static const char mesh[] =
    FRAME "layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal;\n"
          "layout(location = 3) in vec4 row0;\n"
          "layout(location = 4) in vec4 row1; layout(location = 5) in vec4 row2;\n"
          "void main() { vec4 p = vec4(position, 1.0);\n"
          " float up = dot(row1.xyz, normal); tint = vec4(vec3(0.62, 0.58, 0.45) * (0.75 + 0.25 * "
          "up), 1.0);\n"
          " gl_Position = placed(vec3(dot(row0, p), dot(row1, p), dot(row2, p))); }\n";

static const char sky[] = FRAME "void main() { vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                " tint = vec4(0.66, 0.76, 0.86, 1.0);\n"
                                " gl_Position = vec4(at * 4.0 - 1.0, 1.0, 1.0); }\n";

static const char marker[] =
    FRAME "layout(location = 0) in vec3 position; layout(location = 1) in vec4 paint;\n"
          "void main() { tint = paint; gl_Position = placed(position); }\n";

// dust is left out: squares of it would hide the work
static const char puff[] = FRAME "void main() { tint = vec4(0.0);\n"
                                 " gl_Position = vec4(2.0, 2.0, 2.0, 1.0); }\n";

static const char ui[] = "#version 330 core\n"
                         "layout(location = 0) in vec2 position; layout(location = 1) in vec2 uv;\n"
                         "layout(location = 2) in vec4 paint; uniform vec2 pixel;\n"
                         "out vec4 tint; out vec2 at;\n"
                         "void main() { tint = paint; at = uv; gl_Position = vec4(position.x *\n"
                         " pixel.x - 1.0, 1.0 - position.y * pixel.y, 0.0, 1.0); }\n";

static const char fragment[] = "#version 330 core\nin vec4 tint; out vec4 color;\n"
                               "void main() { color = tint; }\n";
static const char ui_fragment[] =
    "#version 330 core\nin vec4 tint; in vec2 at; out vec4 color; uniform sampler2D atlas;\n"
    "void main() { color = vec4(tint.rgb, tint.a * texture(atlas, at).r); }\n";

const char* render_flat_vertex(RenderShader shader)
{
    switch (shader) {
    case SHADER_TERRAIN:
    case SHADER_TERRAIN_SHADOW: return ground;
    case SHADER_OUTSIDE: return outside;
    case SHADER_GRAIN:
    case SHADER_GRAIN_SHADOW: return grain;
    case SHADER_MESH:
    case SHADER_MESH_SHADOW: return mesh;
    case SHADER_SKY: return sky;
    case SHADER_MARKER: return marker;
    case SHADER_BLADE:
    case SHADER_CORNER:
    case SHADER_CORNER_LAY:
    case SHADER_PUFF: return puff;
    default: return ui;
    }
}

const char* render_flat_fragment(RenderShader shader)
{
    return shader == SHADER_UI ? ui_fragment : fragment;
}
