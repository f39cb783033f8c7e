// The land around the site, and soil in bins; shares its fragments with the ground.
layout(location = 0) in vec3 position;

uniform sampler2D clod_map;

out vec3 world;
out vec4 broad;
#ifdef HEAP
layout(location = 1) in vec4 tint; // a: how thick it lies, of 0.25 m
layout(location = 2) in vec3 normal;
out float thick;
out vec3 rise;
#endif
#ifdef OUTSIDE
uniform sampler2D column_map;
uniform usampler2D kind_map;
out vec4 border; // what the site's edge looks like from here; grass
#endif
#if QUALITY < 1
out vec4 air;
#endif

void main()
{
    world = position;
#ifdef HEAP
    rise = normal, thick = 0.25 * tint.a;
#endif
    gl_Position = view_proj * vec4(world, 1.0);
    broad = textureLod(clod_map, world.xz * 0.021, 1.0);
#if QUALITY < 1
    air = haze_at(world);
#endif
#ifdef OUTSIDE
    // the site's edge wears out into the meadow around it
    vec2 size = vec2(textureSize(column_map, 0)), at = (world.xz - site.xy) * site.zw * size;
    vec2 rim = clamp(at, vec2(0.5), size - 0.5);
    vec4 look = texelFetch(column_map, ivec2(rim), 0);
    int kind = int(texelFetch(kind_map, ivec2(rim), 0).r);
    border.rgb = mix(bank[kind].rgb, loose[kind].rgb, look.r);
    float away = distance(at, rim) * focus.w;
    border.a = mix(look.b, 1.0, smoothstep(0.0, 9.0, away + 7.0 * (broad.g - 0.5) * min(away, 1.0)));
#endif
}
