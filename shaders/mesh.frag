// Paint, steel, rubber and glass under sun and sky, with the dust of the site on them.
in vec3 world, facing, body;
flat in uint finish_of;
out vec4 color;

uniform vec4 paints[32]; // linear colour, opacity
uniform vec4 finishes[32]; // roughness, metal, glow
uniform float clean;

void main()
{
    vec4 base = paints[finish_of], kind = finishes[finish_of];
    float rough = kind.x, metal = kind.y;
    vec3 n = normalize(facing), to = normalize(eye.xyz - world);
    if (dot(n, to) < 0.0)
        n = -n;
    vec3 albedo = base.rgb;

    if (base.a >= 1.0) {
        // dust lies where it can lie, and is thrown up from below
        vec3 across = abs(n.y) > 0.6 ? body.xzy : abs(n.x) > 0.6 ? body.zyx : body;
        vec4 spot = texture(clod_map, across.xy * 0.45);
        float dust = clamp((0.55 * n.y + 0.45) * 0.6 + 1.3 * (spot.r - 0.55), 0.0, 1.0) * (1.0 - clean);
        vec3 soil = mix(bank[3].rgb, loose[3].rgb, 0.8) * 1.1;
        albedo = mix(albedo, soil, 0.75 * dust);
        albedo *= 0.93 + 0.14 * spot.a;
        rough = mix(rough, 0.95, dust), metal *= 1.0 - dust;
    }

    float lambert = max(dot(n, sun.xyz), 0.0);
    float lit = lambert > 0.0 ? sunlit(world, n) : 0.0;
    vec3 h = normalize(to + sun.xyz);
    float nh = max(dot(n, h), 0.0), nv = max(dot(n, to), 0.0);
    float a = max(rough * rough, 0.02), d = nh * nh * (a * a - 1.0) + 1.0;
    float spread = min(a * a / (3.14159 * d * d), 14.0) * 0.25;
    float edge = 1.0 - nv, rim = edge * edge;
    rim *= rim * edge;
    vec3 gleam = mix(vec3(0.04), albedo, metal);
    vec3 fresnel = gleam + (max(vec3(1.0 - rough), gleam) - gleam) * rim;

    // what stands close to the ground sees less of the sky from below
    vec3 sum = albedo * (1.0 - metal) * (light.rgb * lambert * lit + skylight(n, 0.9));
    sum += fresnel * (light.rgb * lambert * lit * spread + mirrored(reflect(-to, n), rough) * (1.0 - 0.6 * rough));
    sum += albedo * kind.z * 3.0;
    float cover = base.a >= 1.0 ? 1.0 : clamp(base.a + rim + dot(fresnel, vec3(0.2)), 0.0, 1.0);
    color = vec4(screen(hazed(sum, world)), cover);
}
