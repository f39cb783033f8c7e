// Paint, steel, rubber and glass under sun and sky, with the dust of the site on them.
in vec3 world, facing, body;
flat in uint finish_of;
#if QUALITY < 1
in vec4 air;
#endif
out vec4 color;

uniform vec4 paints[32];   // linear colour, opacity
uniform vec4 finishes[32]; // roughness, metal, glow
uniform float clean;
uniform float leafy; // waves of foliage in a tree's height; 0: no tree; below: a heap of soil

// Dust lies where it can lie, and is thrown up from below.
void dusty(vec3 n, inout vec3 albedo, inout float rough, inout float metal)
{
    vec3 across = abs(n.y) > 0.6 ? body.xzy : abs(n.x) > 0.6 ? body.zyx : body;
    vec4 spot = texture(clod_map, across.xy * 0.45);
    float dust = clamp((0.55 * n.y + 0.45) * 0.75 + 0.9 * (spot.r - 0.62), 0.0, 1.0) * (1.0 - clean);
    vec3 soil = mix(bank[3].rgb, loose[3].rgb, 0.8) * 1.1;
    albedo = mix(albedo, soil, 0.62 * dust) * (0.96 + 0.08 * spot.a);
    rough = mix(rough, 0.95, dust), metal *= 1.0 - dust;
}

void main()
{
    vec4 base = paints[finish_of], kind = finishes[finish_of];
    float rough = kind.x, metal = kind.y;
    vec3 n = normalize(facing), to = normalize(eye.xyz - world);
    n = gl_FrontFacing ? n : -n;
    vec3 albedo = base.rgb;
#if QUALITY >= 1 && !defined(GLASS)
    if (leafy < 0.0) {
        // a heap of soil: clods, and rills that rain has washed
        vec4 big = texture(clod_map, body.xz * 0.35), small = texture(clod_map, body.xz * 1.7);
        albedo *= (0.45 + 0.8 * big.r) * (0.55 + 0.9 * small.r);
        n = normalize(n + vec3(big.g - 0.5 + small.g - 0.5, 0.0, big.b - 0.5 + small.b - 0.5) * 1.5);
    } else if (leafy > 0.0) {
        // crowns are full of holes and light
        vec4 leaf = texture(clod_map, (body.xy + body.zx) * leafy), leaves = texture(clod_map, body.yz * leafy * 2.3);
        albedo *= 0.25 + 1.5 * leaf.r * (0.5 + leaves.r);
        n = normalize(n + vec3(leaf.gb - 0.5, leaves.g - 0.5).xzy * 2.4);
    } else {
        dusty(n, albedo, rough, metal);
    }
#endif

    float lambert = max(dot(n, sun.xyz), 0.0);
    float lit = lambert * sunlit(world, n);
    float edge = 1.0 - max(dot(n, to), 0.0), rim = edge * edge;
    rim *= rim * edge;
    float nh = max(dot(n, normalize(to + sun.xyz)), 0.0);
#if QUALITY >= 1
    float a = max(rough * rough, 0.02), d = nh * nh * (a * a - 1.0) + 1.0;
    float spread = min(a * a / (3.14159 * d * d), 14.0) * 0.25;
#else
    float spread = nh * nh;
    spread *= spread, spread *= spread, spread *= spread;
    spread *= 0.5 * (1.0 - rough);
#endif
    vec3 gleam = mix(vec3(0.04), albedo, metal);
    vec3 fresnel = gleam + (max(vec3(1.0 - rough), gleam) - gleam) * rim;

    vec3 sum = albedo * (1.0 - metal) * (light.rgb * lit + skylight(n, 0.9));
    sum += fresnel * (light.rgb * lit * spread + mirrored(reflect(-to, n), rough) * (1.0 - 0.6 * rough));
    sum += albedo * kind.z * 3.0;
#ifdef GLASS
    // who sits behind the pane sees through it
    float cover = clamp(base.a + rim + dot(fresnel, vec3(0.2)), 0.0, 1.0);
    cover *= mix(0.10, 1.0, smoothstep(1.3, 3.5, distance(eye.xyz, world)));
    sum += fresnel * mirrored(reflect(-to, n), 0.05) * 1.2;
#else
    float cover = 1.0;
#endif
#if QUALITY < 1
    color = vec4(screen(mix(air.rgb, sum, air.a)), cover);
#else
    color = vec4(screen(hazed(sum, world)), cover);
#endif
}
