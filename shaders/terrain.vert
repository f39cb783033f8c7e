// Chunks of 16 x 16 quads over the height map; see src/view/view_lod.h for the numbers of a chunk.
layout(location = 0) in ivec3 chunk; // first column, level
layout(location = 1) in ivec4 edge;  // levels of the neighbours at -x, +x, -z, +z

uniform sampler2D height_map;
uniform bool shadow_pass;

out vec3 world;

void main()
{
    int u = gl_VertexID % 17, v = gl_VertexID / 17;
    int x = chunk.x + (u << chunk.z), z = chunk.y + (v << chunk.z);
    int along_z = u == 0 ? edge.x : u == 16 ? edge.y : chunk.z;
    int along_x = v == 0 ? edge.z : v == 16 ? edge.w : chunk.z;
    ivec2 column = min(ivec2(x >> along_x << along_x, z >> along_z << along_z),
                       textureSize(height_map, 0) - 1);
    float h = texelFetch(height_map, column, 0).r;
    vec2 at = site.xy + (vec2(column) + 0.5) * focus.w;
    world = vec3(at.x, h, at.y);
    gl_Position = (shadow_pass ? shadow_proj : view_proj) * vec4(world, 1.0);
    if (shadow_pass)
        gl_Position.xyz = gl_Position.xyz * 2.0 - gl_Position.w;
}
