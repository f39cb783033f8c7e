// A lump of soil, lit like the ground it came from: a stone hewn by chance, or, on weak machines, a
// ball whose outline and surface are disturbed.
in vec2 corner;
flat in vec4 lump;
flat in vec2 where;
flat in float shade;
flat in int kind;
#if QUALITY >= 1
flat in float fines;
flat in vec3 heap;
flat in float whole;
#endif
out vec4 color;

#if QUALITY >= 1
// The nearest of seven planes that bound a lump: its normal, and how far it stands out; in the frame
// of the square, z towards the eye.
vec4 hewn(vec2 at)
{
    vec4 best = vec4(0.0, 0.0, 1.0, 0.86);
    best.xy = (fract(where * vec2(91.7, 57.3)) - 0.5) * 0.7;
    best.xyz = normalize(best.xyz);
    best.w = (0.80 - dot(best.xy, at)) / best.z;
    for (int k = 0; k < 6; ++k) {
        vec2 luck = fract(where * vec2(37.1, 73.9) * (1.0 + 0.37 * float(k)) + 0.17 * float(k));
        float turn = 1.0471976 * (float(k) + 0.75 * luck.x), lean = 0.18 + 0.62 * luck.y;
        vec3 n = normalize(vec3(cos(turn), sin(turn), lean));
        float z = (0.66 + 0.24 * fract(luck.x * 7.3 + luck.y * 3.1) - dot(n.xy, at)) / n.z;
        best = z < best.w ? vec4(n, z) : best;
    }
    return best;
}
#endif

#if QUALITY < 1
void main()
{
    vec2 at = corner * 1.12;
    float d = dot(at, at);
    vec4 rough = texture(clod_map, where + at * 0.15);
    if (d > 0.22 + 1.45 * rough.r)
        discard;
    float bulge = sqrt(max(1.0 - min(d, 0.96), 0.0));
    float cloddy = loose[kind].w;
    vec2 slope = (rough.gb - 0.5) * (1.6 + 1.8 * cloddy);
    vec3 n = normalize(normalize(right.xyz) * (at.x - slope.x) + normalize(over.xyz) * (at.y - slope.y) - forward.xyz * bulge);
    float gap = mix(1.0, 0.66 + 0.34 * bulge, 0.45 + 0.55 * cloddy);
    float lit = max(dot(n, sun.xyz), 0.0) * sunlit(lump.xyz + n * lump.w, n) * (0.55 + 0.45 * gap);
    float open = (0.79 + 0.26 * n.y) * gap; // those below shut out half of the sky
    vec3 albedo = soil_color(kind, 0.85, 0.50, rough.r) * shade;
    if (bank[kind].w > 0.02) {
        float stone = step(fract(where.x * 7.13 + where.y * 3.7), bank[kind].w * bank[kind].w);
        albedo = mix(albedo, mix(stone_dark, stone_pale, fract(where.y * 5.7)) * (0.7 + 0.6 * rough.r), stone * 0.85);
    }
    vec3 sum = albedo * (light.rgb * lit + skylight(n, open));
    color = vec4(screen(hazed(sum, lump.xyz)), 1.0);
}
#else
void main()
{
    vec2 at = corner * 1.12;
    float d = dot(at, at);
    vec3 to = normalize(eye.xyz - lump.xyz);
    vec3 side = normalize(cross(abs(to.y) > 0.99 ? vec3(1, 0, 0) : vec3(0, 1, 0), to));
    vec3 top = cross(to, side);
    float cloddy = loose[kind].w;
    vec4 rough = texture(clod_map, where + at * 0.06), crumbly = texture(clod_map, where + at * 0.29);
    vec3 n;
    float bulge, gap;
    if (fines > 0.0) {
        // neighbours run into each other: what is seen of them all is a rough, soft surface
        bulge = 0.34 - 0.75 * d + 0.30 * (rough.r - 0.5) + 0.14 * (crumbly.r - 0.5);
        if (d > 0.98)
            discard;
        vec2 m = at * 0.25 - (rough.gb - 0.5) * 0.9 - (crumbly.gb - 0.5) * 0.8;
        n = normalize(side * m.x + top * m.y + to * 0.4 + vec3(heap.x, max(heap.y, 0.0) + 0.2, heap.z));
        gap = 0.86 + 0.28 * (crumbly.r - 0.5);
    } else {
        // none is as long as it is wide
        float turn = 40.0 * where.x;
        vec2 long_ = vec2(cos(turn), sin(turn));
        at += long_ * dot(at, long_) * -0.30 * where.y + vec2(-long_.y, long_.x) * dot(at, vec2(-long_.y, long_.x)) * 0.28;
        vec4 flat_ = hewn(at + (rough.gb - 0.5) * 0.34 + (crumbly.gb - 0.5) * 0.16);
        bulge = flat_.w + 0.34 * (crumbly.r - 0.5);
        if (bulge < 0.0 || d > 1.25)
            discard;
        // edges of what crumbles are worn round
        vec3 ball = normalize(vec3(at, sqrt(max(1.05 - min(d, 1.0), 0.05))));
        vec3 m = mix(flat_.xyz, ball, 0.35) - vec3((rough.gb - 0.5) * 0.9 + (crumbly.gb - 0.5) * 0.8, 0.0);
        n = normalize(side * m.x + top * m.y + to * m.z);
#if QUALITY < 2
        gap = 0.58 + 0.42 * smoothstep(0.0, 0.45, bulge);
#else
        gap = 0.84 + 0.16 * smoothstep(0.0, 0.45, bulge); // the rest is done by corners
#endif
    }
    gap = mix(1.0, gap, 0.45 + 0.55 * cloddy);
    vec3 p = lump.xyz + n * lump.w;

    vec3 albedo = soil_color(kind, 0.85, 0.50, rough.r) * shade * (0.66 + 0.68 * crumbly.r);
    if (bank[kind].w > 0.02 && fines == 0.0) {
        float stone = step(fract(where.x * 7.13 + where.y * 3.7), bank[kind].w * bank[kind].w);
        albedo = mix(albedo, mix(stone_dark, stone_pale, fract(where.y * 5.7)) * (0.7 + 0.6 * rough.r),
                     stone * 0.85);
    }
    // the sun's map knows whole grains: what they hide of themselves is told by their faces
#if QUALITY < 2
#define SUNWARDS
#else
#define SUNWARDS +sun.xyz * whole * 0.8
#endif
    float facing = max(dot(n, sun.xyz), 0.0);
    float lit = facing > 0.0 ? facing * sunlit(p SUNWARDS, n) : 0.0;
    // those below shut out half of the sky
    float open = (0.58 + 0.42 * smoothstep(-0.7, 0.8, n.y)) * gap;
    color = vec4(screen(hazed(albedo * (light.rgb * lit * (0.55 + 0.45 * gap) + skylight(n, open)), p)), 1.0);
    vec4 clip = view_proj * vec4(lump.xyz + to * min(bulge, 1.0) * lump.w, 1.0);
    gl_FragDepth = clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
}
#endif
