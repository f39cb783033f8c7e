// A rough lump: a ball whose outline and surface are disturbed, lit like the ground it came from.
in vec2 corner;
flat in vec4 lump;
flat in vec2 where;
flat in float shade;
flat in int kind;
out vec4 color;

void main()
{
    vec2 at = corner * 1.12;
    float d = dot(at, at);
    vec4 rough = texture(clod_map, where + at * 0.085);
    if (d > 0.50 + 0.95 * rough.r)
        discard;

    vec3 to = normalize(eye.xyz - lump.xyz);
    vec3 side = normalize(cross(abs(to.y) > 0.99 ? vec3(1, 0, 0) : vec3(0, 1, 0), to));
    vec3 top = cross(to, side);
    float bulge = sqrt(max(1.0 - min(d, 0.96), 0.0));
    vec2 slope = (rough.gb - 0.5) * (1.0 + 1.2 * loose[kind].w);
    vec3 n = normalize(side * (at.x - slope.x) + top * (at.y - slope.y) + to * bulge);
#if QUALITY >= 1
    // flat faces where clay breaks, as on a broken clod
    vec3 shift = vec3(where, where.x + where.y) * 7.0;
    vec3 facet = floor(n * 1.35 + shift + (rough.gba - 0.5) * 0.5) + 0.5 - shift;
    vec4 crumbly = texture(clod_map, where + at * 0.37);
    n = normalize(n + facet * 0.75 - side * (crumbly.g - 0.5) - top * (crumbly.b - 0.5));
#endif
    vec3 p = lump.xyz + n * lump.w;

    vec3 albedo = soil_color(kind, 0.9, 0.42, rough.r) * shade;
#if QUALITY >= 1
    albedo *= 0.55 + 0.9 * crumbly.r;
#endif
    if (bank[kind].w > 0.02) {
        float stone = step(fract(where.x * 7.13 + where.y * 3.7), bank[kind].w * bank[kind].w);
        albedo = mix(albedo, mix(stone_dark, stone_pale, fract(where.y * 5.7)) * (0.7 + 0.6 * rough.r),
                     stone * 0.85);
    }
    float facing = max(dot(n, sun.xyz), 0.0);
    float lit = facing > 0.0 ? facing * sunlit(p, n) : 0.0;
    // those below shut out half of the sky
    float open = 0.45 + 0.55 * smoothstep(-0.7, 0.8, n.y);
    color = vec4(screen(hazed(albedo * (light.rgb * lit + skylight(n, open)), p)), 1.0);
#if QUALITY >= 1
    vec4 clip = view_proj * vec4(lump.xyz + to * bulge * lump.w, 1.0);
    gl_FragDepth = clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
#endif
}
