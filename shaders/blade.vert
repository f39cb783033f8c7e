// Tufts of grass around the eye: one instance each, five blades of three vertices, where grass still grows.
uniform sampler2D height_map, column_map;
uniform sampler2D clod_map;
uniform int side;   // tufts along a side of the square around
uniform float pace; // m between them

out vec3 world;
flat out vec3 green;
out float up; // 0 at the root, 1 at the tip

float chance(uint seed)
{
    seed = seed * 747796405u + 2891336453u;
    seed = ((seed >> ((seed >> 28u) + 4u)) ^ seed) * 277803737u;
    return float((seed >> 22u ^ seed) & 1023u) * (1.0 / 1023.0);
}

void main()
{
    // the square lies ahead of the eye and moves in whole steps: no tuft walks along
    float reach = 0.5 * float(side) * pace;
    vec2 ahead_ = forward.xz / max(length(forward.xz), 0.2);
    ivec2 first = ivec2(floor((eye.xz + ahead_ * reach * 0.75) / pace)) - side / 2;
    ivec2 cell = first + ivec2(gl_InstanceID % side, gl_InstanceID / side);
    uint seed = uint(cell.x) * 73856093u ^ uint(cell.y) * 19349663u;
    vec2 at = (vec2(cell) + vec2(chance(seed), chance(seed + 1u))) * pace;
    vec2 middle = (vec2(first) + 0.5 * float(side)) * pace;
    float rim = 1.0 - smoothstep(0.75, 1.0, distance(at, middle) / reach);

    vec2 uv = (at - site.xy) * site.zw;
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    world = vec3(0.0), green = vec3(0.0), up = 0.0;
    if (rim <= 0.0 || uv != clamp(uv, 0.0, 1.0))
        return;
    // as shaders/terrain.frag has it
    vec4 column = textureLod(column_map, uv, 0.0);
    vec4 clod = textureLod(clod_map, at * 0.61, 1.0);
    float mid = 0.45 * textureLod(clod_map, at * 0.021, 1.0).r + 0.55 * textureLod(clod_map, at * 0.11 + 0.27, 1.0).r;
    float cover = smoothstep(0.40, 0.58, column.b * 0.92 + 0.45 * (clod.r - 0.5) + 0.25 * (mid - 0.5));
    float press = floor(column.a * 15.94) / 15.0;
    if (cover * (1.0 - press) < 0.15 + 0.85 * chance(seed + 2u))
        return;

    int blade = gl_VertexID / 3, corner = gl_VertexID % 3;
    uint own = seed + 7u * uint(blade);
    float turn = 6.2831853 * chance(own + 3u), tall = (0.045 + 0.085 * chance(own + 4u)) * rim * (0.6 + 0.8 * clod.r);
    vec3 root = vec3(at.x, textureLod(height_map, uv, 0.0).r - 0.01, at.y);
    root.xz += 0.5 * pace * (vec2(chance(own + 5u), chance(own + 6u)) - 0.5);
    float far = distance(eye.xyz, root);
    vec2 lean = vec2(cos(turn), sin(turn)), wind = vec2(sin(eye.w * 1.7 + at.x * 0.6 + at.y * 0.3), 0.3);
    // never thinner than half a pixel or so: thin ones flicker
    vec3 across = normalize(right.xyz) * max(0.005, 0.0007 * far);
    world = root;
    if (corner == 2) {
        world += vec3(lean.x, 0.0, lean.y) * tall * 0.55 + vec3(wind.x, 0.0, wind.y) * tall * 0.10;
        world.y += tall;
        up = 1.0;
    } else {
        world += across * (corner == 0 ? -1.0 : 1.0);
    }
    green = mix(meadow_lush, meadow_dry, meadow_dried(mid, clod.r) + 0.35 * (chance(own + 8u) - 0.5));
    green *= 0.75 + 0.5 * chance(own + 9u);
    gl_Position = view_proj * vec4(world, 1.0);
}
