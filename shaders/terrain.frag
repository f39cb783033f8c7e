// Ground: bank, loose, fresh and dry soil, stones, grass, tracks. Variants: GROUND is the site,
// OUTSIDE the land around it, HEAP soil in a bin.
in vec3 world;
in vec4 broad;
#if QUALITY < 1
in vec4 air;
#ifdef GROUND
in vec4 earth;
in vec2 rough;
in vec4 layers;     // tops of the lower three; how much of the bank shows
flat in vec3 soil0, soil1, soil2, soil3; // colours of four layers
#endif
#endif
out vec4 color;

struct Patch {
    vec3 albedo, normal;
    float gloss, open;
    float up; // of the ground's own slope, without clods
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

void meadow(inout Patch s, float grass, vec2 at, float far, vec4 clod, float wide)
{
    float near = clamp(14.0 / far, 0.0, 1.0);
    float cover = smoothstep(0.40, 0.58, grass * 0.92 + 0.45 * (clod.r - 0.5) + 0.25 * (wide - 0.5));
    cover *= smoothstep(0.70, 0.86, s.up); // roots do not hold on a wall
    vec3 green = mix(meadow_lush, meadow_dry, meadow_dried(wide, clod.r));
#if QUALITY >= 1
    vec4 tuft = texture(clod_map, at * 1.9);
    vec2 blades = (texture(clod_map, at * vec2(5.3, 4.1)).gb - 0.5);
    green *= 0.45 + 1.1 * mix(0.5, 0.5 * tuft.a + 0.5 * tuft.r, near);
    s.normal = normalize(mix(s.normal, vec3(0.0, 1.0, 0.0) - vec3(blades.x, 0.0, blades.y) * 1.6 * near, 0.55 * cover));
#else
    green *= 0.55 + 0.9 * mix(0.5, clod.a, near);
#endif
    s.albedo = mix(s.albedo, green, cover);
    s.gloss *= 1.0 - cover;
}

void stones(inout Patch s, float amount, vec4 stone, int axis)
{
    float there = smoothstep(0.98 - amount, 1.05 - amount, stone.r * 0.5 + 0.5);
    vec3 shade = mix(stone_dark, stone_pale, stone.a);
    s.albedo = mix(s.albedo * (1.0 - 0.35 * amount), mix(shade, s.albedo, 0.25), there);
    s.normal = bumped(s.normal, (stone.gb - 0.5) * 1.7 * there, axis);
}

// Lumps of the soil itself, as large as grains and half as large: what was tipped lies like this.
void lumps_of(inout Patch s, float amount, vec2 at, int axis)
{
    vec4 big = texture(stone_map, at * 0.43), small = texture(stone_map, at.yx * 1.07 + 0.31);
    vec2 slope = (big.gb - 0.5) * 2.0 + (small.gb - 0.5) * 1.3;
    float high = max(big.r, 0.7 * small.r);
    s.albedo *= mix(1.0, (0.58 + 0.62 * smoothstep(0.0, 0.45, high)) * (0.80 + 0.40 * big.a), amount);
    s.normal = bumped(s.normal, slope * amount, axis);
    s.open *= mix(1.0, 0.6 + 0.4 * smoothstep(0.0, 0.35, high), amount);
}

#if defined(GROUND) && QUALITY < 1
uniform sampler2D shape_map;

Patch find_patch(vec3 p, float far)
{
    vec4 shape = texture(shape_map, (p.xz - site.xy) * site.zw);
    vec2 n2 = (shape.xy * 255.0 - 128.0) / 127.0;
    Patch s;
    s.normal = vec3(n2.x, sqrt(max(1.0 - dot(n2, n2), 0.0)), n2.y);
    s.open = shape.z * shape.z, s.gloss = 0.0, s.up = s.normal.y;
    vec2 at = s.normal.y > 0.58 ? p.xz : abs(s.normal.x) > abs(s.normal.z) ? p.zy : p.xy;
    vec4 clod = texture(clod_map, at * 0.61);
    vec2 d = (clod.gb - 0.5) * rough.x * clamp(14.0 / far, 0.2, 1.0);
    s.normal = normalize(s.normal - vec3(d.x, 0.0, d.y));
    // the layer at this height, of the column behind
    float level = (p.y - finish[0].z) * finish[0].w + (clod.r - 0.5) * 9.0;
    vec3 below = level < layers.x ? soil0 : level < layers.y ? soil1 : level < layers.z ? soil2 : soil3;
    s.albedo = (earth.rgb + below * layers.w) * (0.62 + 0.76 * clod.r) * (0.74 + 0.52 * shape.w) * (1.0 + rough.y * (clod.a - 0.5));
    meadow(s, earth.a, p.xz, far, clod, broad.r);
    return s;
}
#elif defined(GROUND)
uniform sampler2D shape_map;  // normal x z, openness, how much a column stands out
uniform sampler2D column_map; // loose, fresh, grass, press
uniform usampler2D kind_map;
uniform usampler2D layer_map; // tops of the lower three layers; kinds of four

// The kind of bank soil that a column has at a height.
int layer_at(ivec2 column, float y)
{
    uvec4 l = texelFetch(layer_map, min(column, textureSize(layer_map, 0) - 1), 0);
    uint level = uint(max((y - finish[0].z) * finish[0].w, 0.0));
    uint shift = level < l.x ? 0u : level < l.y ? 4u : level < l.z ? 8u : 12u;
    return int(l.w >> shift & 15u);
}

// Where tracks ran, their lugs have printed bars across the way.
float tracks(inout Patch s, vec3 p, vec2 uv, vec4 clod)
{
    ivec2 size = textureSize(column_map, 0);
    int code = int(texelFetch(column_map, clamp(ivec2(uv * vec2(size)), ivec2(0), size - 1), 0).a * 255.0 + 0.5);
    float flat_ = float(code >> 4) / 15.0, turn = float(code & 15) * 0.19634954;
    vec2 way = vec2(cos(turn), sin(turn));
    float at = dot(p.xz - site.xy, way) / 0.19 + 0.25 * (clod.r - 0.5);
    float bar = abs(fract(at) - 0.5) * 4.0 - 1.0; // -1 in the print, 1 between two
    float slope = sign(fract(at) - 0.5) * smoothstep(0.9, 0.5, abs(bar));
    flat_ *= smoothstep(0.15, 0.45, flat_ * 0.6 + clod.r * 0.5);
    s.normal = normalize(s.normal - vec3(way.x, 0.0, way.y) * slope * 0.55 * flat_);
    s.albedo *= 1.0 - flat_ * (0.16 + 0.14 * smoothstep(0.3, -0.3, bar));
    return flat_;
}

Patch find_patch(vec3 p, float far)
{
    vec2 uv = (p.xz - site.xy) * site.zw;
    vec4 shape = texture(shape_map, uv), column = texture(column_map, uv);
    vec2 n2 = (shape.xy * 255.0 - 128.0) / 127.0;
    vec3 face = normalize(cross(dFdx(p), dFdy(p)));
    Patch s;
    s.normal = vec3(n2.x, sqrt(max(1.0 - dot(n2, n2), 0.0)), n2.y);
    s.open = shape.z * shape.z;
    // normals of columns go soft where a wall stands between two
    face *= face.y < 0.0 ? -1.0 : 1.0;
    float wall = smoothstep(0.80, 0.45, face.y) * smoothstep(0.99, 0.93, s.normal.y);
    s.normal = normalize(mix(s.normal, face, 0.6 * wall));
    s.up = s.normal.y;

    int axis;
    vec2 at = flattened(p, s.normal, axis);
    vec4 clod = texture(clod_map, at * 0.61);
    float near = clamp(9.0 / far, 0.0, 1.0), nearer = clamp(4.5 / far, 0.0, 1.0);
    vec4 fine = texture(clod_map, at * 2.7), finer = texture(clod_map, at.yx * 9.1 + 0.37);
    // borders between kinds of soil are ragged
    ivec2 size = textureSize(kind_map, 0);
    vec2 cell = uv * vec2(size), ragged = cell + (clod.gb - 0.5) * 4.0;
    int kind = int(texelFetch(kind_map, clamp(ivec2(ragged), ivec2(0), size - 1), 0).r);
    // a wall shows the layers of the column behind it
    vec2 behind = cell - 0.8 * n2 / max(length(n2), 0.3);
    float height = p.y + (clod.r - 0.5) * 0.09 + (fine.r - 0.5) * 0.03;
    int below = layer_at(clamp(ivec2(behind), ivec2(0), size - 1), height);
    below = below > 8 || kind == 8 ? kind : below;

    float dumped = smoothstep(0.0, 1.0, clamp(column.r + 0.5 * (clod.r - 0.5) * step(0.03, column.r), 0.0, 1.0));
    float fresh = min(column.g * (0.75 + 0.5 * broad.r), 1.0);
    s.albedo = soil_mix(below, kind, dumped, fresh, clod.r) * (0.72 + 0.56 * broad.r);
    s.albedo *= 0.74 + 0.52 * shape.w;
    // damp and dry, some metres wide
    vec4 mid = texture(clod_map, p.xz * 0.11 + 0.27);
    s.albedo *= 0.80 + 0.40 * mid.r;
    // where grass was worn off the soil is trodden, dusty and pale, but for damp hollows
    float trodden = finish[kind].y * (1.0 - dumped) * (1.0 - fresh) * smoothstep(0.62, 0.30, mid.g + 0.3 * (clod.r - 0.5));
    s.albedo = mix(s.albedo, s.albedo * vec3(1.62, 1.60, 1.56), trodden * smoothstep(0.80, 0.95, s.up));
    s.gloss = finish[below].x * fresh * (1.0 - dumped);
    float lumps = mix(0.42, 0.65 + 0.85 * loose[kind].w, dumped) * clamp(14.0 / far, 0.2, 1.0);
    float press = tracks(s, p, uv, clod);
    lumps *= 1.0 - 0.6 * press;
    s.normal = bumped(s.normal, (clod.gb - 0.5) * 2.2 * lumps, axis);
    // smaller and smaller clods, as near as one looks
    s.normal = bumped(s.normal, (fine.gb - 0.5) * 1.5 * lumps * near + (finer.gb - 0.5) * lumps * nearer, axis);
    s.albedo *= (0.72 + 0.56 * mix(0.5, 0.5 * fine.r + 0.5 * fine.a, near)) * (0.76 + 0.48 * mix(0.5, finer.r, nearer));
    // teeth and edges leave grooves down a wall; within a layer lie thin bands
    float bare = (1.0 - dumped) * smoothstep(0.93, 0.70, s.up);
    vec2 across = vec2(-n2.y, n2.x) / max(length(n2), 0.05);
    vec4 groove = texture(clod_map, vec2(dot(p.xz, across) * 1.3, p.y * 0.16));
    s.normal = normalize(s.normal - vec3(across.x, 0.0, across.y) * (groove.g - 0.5) * 1.6 * bare * (0.35 + 0.65 * fresh));
    float band = texture(clod_map, vec2(p.y * 0.9 + 0.1 * clod.r, (p.x + p.z) * 0.02)).r;
    s.albedo *= mix(1.0, (0.80 + 0.40 * band) * (0.85 + 0.30 * groove.r), bare);
    lumps_of(s, dumped * (0.25 + 0.75 * loose[kind].w) * (1.0 - 0.7 * press) * clamp(24.0 / far, 0.0, 1.0), at, axis);
    stones(s, max(mix(0.7 * bank[below].w, 0.8 * bank[kind].w, dumped), 0.09 * broad.r), texture(stone_map, at * 0.8), axis);
    meadow(s, column.b, p.xz, far, clod, 0.45 * broad.r + 0.55 * mid.r);
    return s;
}
#endif

#ifdef OUTSIDE
in vec4 border; // what the site's edge looks like from here; grass

// The way in: stones and dust, two ruts, a bend far out. 1 on it, 0 beside it.
float way_in(vec2 at, float clod, out float rut)
{
    vec2 from = at - road.xy;
    float along = dot(from, road.zw), off = dot(from, vec2(-road.w, road.z));
    off = abs(off - 14.0 * (1.0 - cos(along * 0.016)));
    rut = smoothstep(0.5, 0.2, abs(off - 1.0));
    return smoothstep(3.0, 2.1, off + 1.3 * (clod - 0.5)) * step(0.0, along) * dot(road.zw, road.zw);
}

// Beyond the site's edge nothing was ever dug.
Patch find_patch(vec3 p, float far)
{
    vec4 clod = texture(clod_map, p.xz * 0.61);
    float wide = texture(clod_map, p.xz * 0.0023).r;
    Patch s;
    s.normal = normalize(cross(dFdx(p), dFdy(p)));
    s.normal = far < 400.0 && s.normal.y > 0.2 ? s.normal : vec3(0.0, 1.0, 0.0);
    s.normal = normalize(s.normal + vec3(0.0, 0.6, 0.0));
    s.gloss = 0.0, s.open = 1.0, s.up = 1.0;
    s.albedo = border.rgb * (0.62 + 0.76 * clod.r) * (0.72 + 0.56 * broad.r);
#if QUALITY >= 1
    float mid = 0.45 * broad.r + 0.55 * texture(clod_map, p.xz * 0.11 + 0.27).r;
#else
    float mid = broad.r;
#endif
    float rut, on_way = way_in(p.xz, clod.r, rut);
    s.albedo = mix(s.albedo, vec3(0.205, 0.172, 0.128) * (0.66 + 0.68 * clod.a), 0.75 * on_way);
    float grass = border.a * (1.0 - on_way * (0.85 + 0.3 * rut)); // some grows between the wheels
    meadow(s, grass, p.xz, far, clod, mix(mid, wide, clamp(far / 300.0, 0.0, 0.8)));
    s.albedo *= mix(1.0, 0.62 + 0.76 * wide, clamp(far / 120.0, 0.0, 1.0)) * (1.0 - 0.22 * rut * on_way);
    return s;
}
#endif

#ifdef HEAP
uniform int heap; // kind
in vec3 rise;     // normal of the heap
in float thick;   // m above the bin's floor

Patch find_patch(vec3 p, float far)
{
    vec4 clod = texture(clod_map, p.xz * 0.61);
    // a heap's foot is ragged, and what lies around it are crumbs
    if (thick < 0.016 + 0.035 * (clod.r - 0.5) + 0.012 * (clod.a - 0.5))
        discard;
    Patch s;
    s.normal = normalize(rise);
    s.normal = bumped(s.normal, (clod.gb - 0.5) * 2.0 * (0.4 + loose[heap].w), 1);
    s.albedo = soil_color(heap, 1.0, 0.5, clod.r) * 1.08;
    s.gloss = 0.0, s.open = 0.85, s.up = 0.0;
#if QUALITY >= 1
    vec4 fine = texture(clod_map, p.xz * 2.7);
    s.albedo *= 0.75 + 0.5 * fine.r;
    lumps_of(s, 0.25 + 0.75 * loose[heap].w, p.xz, 1);
#endif
    stones(s, bank[heap].w * 0.8, texture(stone_map, p.xz * 0.8), 1);
    return s;
}
#endif

void main()
{
    vec3 way = eye.xyz - world;
    float far = length(way);
    Patch s = find_patch(world, far);
    float facing = max(dot(s.normal, sun.xyz), 0.0);
#if defined(OUTSIDE) && QUALITY < 1
    float lit = facing;
#else
    float lit = facing * sunlit(world, s.normal);
#endif
    vec3 sum = s.albedo * (light.rgb * lit + skylight(s.normal, s.open));
#if QUALITY >= 1
    float shine = max(dot(s.normal, normalize(way / far + sun.xyz)), 0.0);
    shine *= shine, shine *= shine, shine *= shine, shine *= shine;
    sum += s.gloss * (0.22 * shine * lit * light.rgb + 0.03 * skylight(s.normal, s.open));
    color = vec4(screen(hazed(sum, world)), 1.0);
#else
    color = vec4(screen(mix(air.rgb, sum, air.a)), 1.0);
#endif
}
