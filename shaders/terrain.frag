// Ground: bank, loose, fresh and dry soil, stones, grass, tracks; or the land around the site.
in vec3 world;
out vec4 color;

uniform sampler2D shape_map;  // normal x z, openness, how much a column stands out
uniform sampler2D column_map; // loose, fresh, grass, press
uniform usampler2D kind_map;

struct Patch {
    vec3 albedo, normal;
    float gloss, open;
};

// The plane on which a picture is laid: the one the ground faces.
vec2 flattened(vec3 p, vec3 n, out int axis)
{
    vec3 a = abs(n);
    axis = a.y > 0.58 ? 1 : a.x > a.z ? 0 : 2;
    return axis == 1 ? p.xz : axis == 0 ? p.zy : p.xy;
}

vec3 bumped(vec3 n, vec2 slope, int axis)
{
    vec3 d = axis == 1 ? vec3(slope.x, 0.0, slope.y)
             : axis == 0 ? vec3(0.0, slope.y, slope.x) : vec3(slope.x, slope.y, 0.0);
    return normalize(n - d);
}

void meadow(inout Patch s, float grass, vec2 at, float far, vec4 clod, vec4 broad)
{
    float tuft = texture(clod_map, at * 1.9).a;
    float cover = smoothstep(0.42, 0.62, grass * 0.95 + 0.30 * (clod.r - 0.5) + 0.22 * (broad.r - 0.5));
    vec3 lush = vec3(0.060, 0.105, 0.022), dry = vec3(0.205, 0.190, 0.070);
    vec3 green = mix(lush, dry, clamp(1.5 * broad.r - 0.35 + 0.35 * (clod.r - 0.5), 0.0, 1.0));
    green *= 0.55 + 0.9 * mix(0.5, tuft, clamp(12.0 / far, 0.0, 1.0));
    s.albedo = mix(s.albedo, green, cover);
    s.gloss *= 1.0 - cover;
    s.normal = normalize(mix(s.normal, vec3(0.0, 1.0, 0.0), 0.25 * cover));
}

void stones(inout Patch s, float amount, vec4 stone, int axis)
{
    float there = smoothstep(0.98 - amount, 1.05 - amount, stone.r * 0.5 + 0.5);
    vec3 shade = mix(stone_dark, stone_pale, stone.a);
    s.albedo = mix(s.albedo * (1.0 - 0.3 * amount), mix(shade, s.albedo, 0.25), there);
    s.normal = bumped(s.normal, (stone.gb - 0.5) * 1.5 * there, axis);
}

Patch ground_patch(vec3 p, float far)
{
    vec2 uv = (p.xz - site.xy) * site.zw;
    vec4 shape = texture(shape_map, uv), column = texture(column_map, uv);
    vec2 n2 = (shape.xy * 255.0 - 128.0) / 127.0;
    Patch s;
    s.normal = vec3(n2.x, sqrt(max(1.0 - dot(n2, n2), 0.0)), n2.y);
    s.open = shape.z * shape.z;

    int axis;
    vec2 at = flattened(p, s.normal, axis);
    vec4 clod = texture(clod_map, at * 0.61), broad = texture(clod_map, p.xz * 0.021);
    // borders between kinds of soil are ragged
    ivec2 size = textureSize(kind_map, 0);
    vec2 ragged = uv * vec2(size) + (clod.gb - 0.5) * 2.4;
    int kind = int(texelFetch(kind_map, clamp(ivec2(ragged), ivec2(0), size - 1), 0).r);

    float dumped = column.r, fresh = column.g * (0.75 + 0.5 * broad.r);
    s.albedo = soil_color(kind, dumped, min(fresh, 1.0), clod.r) * (0.82 + 0.36 * broad.r);
    s.albedo *= 0.80 + 0.40 * shape.w;
    s.gloss = finish[kind].x * fresh * (1.0 - dumped);
    float lumps = mix(0.30, 0.55 + 0.75 * loose[kind].w, dumped) * clamp(9.0 / far, 0.15, 1.0);
    s.normal = bumped(s.normal, (clod.gb - 0.5) * 2.0 * lumps * (1.0 - 0.7 * column.a), axis);
#if QUALITY >= 1
    vec4 fine = texture(clod_map, at * 2.7);
    s.normal = bumped(s.normal, (fine.gb - 0.5) * 0.9 * lumps * clamp(4.0 / far, 0.0, 1.0), axis);
    s.albedo *= 0.86 + 0.28 * mix(0.5, fine.a, clamp(6.0 / far, 0.0, 1.0));
#endif
    if (bank[kind].w > 0.02)
        stones(s, bank[kind].w * mix(0.55, 0.8, dumped), texture(stone_map, at * 0.8), axis);
    if (column.b > 0.02)
        meadow(s, column.b, p.xz, far, clod, broad);
    s.albedo *= 1.0 - 0.25 * column.a;
    return s;
}

// Beyond the site's edge nothing was ever dug.
Patch outside_patch(vec3 p, float far)
{
    vec4 clod = texture(clod_map, p.xz * 0.61), broad = texture(clod_map, p.xz * 0.021);
    vec4 wide = texture(clod_map, p.xz * 0.0023);
    Patch s;
    s.normal = normalize(cross(dFdx(p), dFdy(p)));
    s.normal = far < 400.0 && s.normal.y > 0.2 ? s.normal : vec3(0.0, 1.0, 0.0);
    s.normal = normalize(s.normal + vec3(0.0, 0.6, 0.0));
    s.gloss = 0.0, s.open = 1.0;
    s.albedo = soil_color(0, 0.3, 0.0, clod.r);
    meadow(s, 1.0, p.xz, far, clod, mix(broad, wide, clamp(far / 300.0, 0.2, 0.8)));
    s.albedo *= 0.72 + 0.56 * wide.r;
    return s;
}

uniform bool outside;
uniform int heap; // kind + 1 of soil that lies in a bin

Patch heap_patch(vec3 p)
{
    vec4 clod = texture(clod_map, p.xz * 0.61);
    Patch s;
    s.normal = normalize(cross(dFdx(p), dFdy(p)));
    s.normal = bumped(s.normal, (clod.gb - 0.5) * 2.0 * (0.4 + loose[heap - 1].w), 1);
    s.albedo = soil_color(heap - 1, 1.0, 0.5, clod.r);
    s.gloss = 0.0, s.open = 0.85;
    if (bank[heap - 1].w > 0.02)
        stones(s, bank[heap - 1].w * 0.8, texture(stone_map, p.xz * 0.8), 1);
    return s;
}

void main()
{
    vec3 way = eye.xyz - world;
    float far = length(way);
    way /= far;
    Patch s;
    if (heap > 0)
        s = heap_patch(world);
    else if (outside)
        s = outside_patch(world, far);
    else
        s = ground_patch(world, far);
    float facing = max(dot(s.normal, sun.xyz), 0.0);
    float lit = facing > 0.0 ? facing * sunlit(world, s.normal) : 0.0;
    // rough soil is flatter lit than Lambert says
    lit = mix(lit, sqrt(lit) * 0.85, 0.25);
    vec3 sum = s.albedo * (light.rgb * lit + skylight(s.normal, s.open));
    if (s.gloss > 0.02) {
        float shine = max(dot(s.normal, normalize(way + sun.xyz)), 0.0);
        shine *= shine, shine *= shine, shine *= shine, shine *= shine;
        sum += s.gloss * (0.22 * shine * lit * light.rgb + 0.03 * skylight(s.normal, s.open));
    }
    color = vec4(screen(hazed(sum, world)), 1.0);
}
