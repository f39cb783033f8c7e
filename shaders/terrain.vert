// Chunks of 16 x 16 quads over the height map; see src/view/view_lod.h for the numbers of a chunk.
layout(location = 0) in ivec3 chunk; // first column, level
layout(location = 1) in ivec4 edge;  // levels of the neighbours at -x, +x, -z, +z

uniform sampler2D height_map;
uniform bool shadow_pass;

out vec3 world;
#ifdef GROUND
uniform sampler2D clod_map;
out vec4 broad; // of the noise that is wider than the eye's reach
#if QUALITY < 1
// a software rasteriser finds the colour of soil per vertex, not per pixel
uniform sampler2D column_map;
uniform usampler2D kind_map;
uniform usampler2D layer_map;
out vec4 air, earth; // earth: colour of what is loose; grass
out vec2 rough;      // lumps, contrast of fine grain
out vec4 layers;     // tops of the lower three; how much of the bank shows
flat out vec3 soil0, soil1, soil2, soil3; // colours of four layers
#endif
#endif

#if defined(GROUND) && QUALITY < 1
void find_earth(ivec2 column)
{
    vec4 look = texelFetch(column_map, column, 0);
    int kind = int(texelFetch(kind_map, column, 0).r);
    float press = floor(look.a * 15.94) / 15.0;
    float fresh = look.g * (0.75 + 0.5 * broad.r);
    float shade = (0.72 + 0.56 * broad.r) * (1.0 - 0.25 * press) * mix(1.0, 0.49, min(fresh, 1.0));
    shade *= 1.0 + 0.45 * finish[kind].y * (1.0 - look.r) * (1.0 - look.g) * (0.3 + broad.g);
    earth.rgb = loose[kind].rgb * look.r * shade;
    uvec4 under = texelFetch(layer_map, min(column, textureSize(layer_map, 0) - 1), 0);
    layers = vec4(under.xyz, (1.0 - look.r) * shade);
    // bare rock, or nothing known: what lies on top goes down for ever
    uint soils = kind == 8 || under.w == 0xffffu ? uint(kind) * 0x1111u : under.w;
    soil0 = bank[min(soils & 15u, 8u)].rgb, soil1 = bank[min(soils >> 4 & 15u, 8u)].rgb;
    soil2 = bank[min(soils >> 8 & 15u, 8u)].rgb, soil3 = bank[min(soils >> 12, 8u)].rgb;
    earth.a = look.b;
    rough.x = mix(0.42, 0.65 + 0.85 * loose[kind].w, look.r) * (1.0 - 0.7 * press) * 2.2;
    rough.y = 0.5 + 0.9 * bank[kind].w;
}
#endif

void main()
{
    int u = gl_VertexID % 17, v = gl_VertexID / 17;
    int x = chunk.x + (u << chunk.z), z = chunk.y + (v << chunk.z);
    int along_z = u == 0 ? edge.x : u == 16 ? edge.y : chunk.z;
    int along_x = v == 0 ? edge.z : v == 16 ? edge.w : chunk.z;
    ivec2 column = min(ivec2((x + (1 << along_x >> 1)) >> along_x << along_x,
                             (z + (1 << along_z >> 1)) >> along_z << along_z),
                       textureSize(height_map, 0) - 1);
    float h = texelFetch(height_map, column, 0).r;
    vec2 at = site.xy + (vec2(column) + 0.5) * focus.w;
    world = vec3(at.x, h, at.y);
    // a coarse shadow must not rise above the fine ground it falls on
    if (shadow_pass)
        world.y -= focus.w * (0.4 + 0.5 * float((1 << chunk.z) - 1));
    gl_Position = (shadow_pass ? shadow_proj : view_proj) * vec4(world, 1.0);
    if (shadow_pass)
        gl_Position.xyz = gl_Position.xyz * 2.0 - gl_Position.w;
#ifdef GROUND
    broad = textureLod(clod_map, at * 0.021, 1.0);
#if QUALITY < 1
    air = haze_at(world);
    find_earth(column);
#endif
#endif
}
