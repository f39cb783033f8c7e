// A lump of soil and the crumbs around it: squares that face the eye, or the sun.
layout(location = 0) in vec4 ball;  // middle and radius, m
layout(location = 1) in uvec4 look; // kind, opacity, chance in two bytes

uniform int crumbs; // instances of one grain beside itself
uniform bool shadow_pass;
uniform float grown; // in the shadow pass

out vec2 corner;
flat out vec4 lump;  // middle, m; radius
flat out vec2 where; // in the picture that makes it rough
flat out float shade;
flat out int kind;

float chance(uint seed)
{
    seed = seed * 747796405u + 2891336453u;
    seed = ((seed >> ((seed >> 28) + 4u)) ^ seed) * 277803737u;
    return float((seed >> 22u) ^ seed & 0xffffu & 1023u) * (1.0 / 1024.0);
}

void main()
{
    uint seed = look.z | look.w << 8u;
    int part = crumbs > 0 ? gl_InstanceID % (crumbs + 1) : 0;
    kind = int(look.x);
    lump = ball;
    // lumps differ in size; what a grain stands for is spread over them: some hold together,
    // some have fallen into crumbs
    float size = fract(float(seed) * 0.6180339);
    bool broken = crumbs > 0 && size < 0.60;
    lump.w *= broken ? 0.62 + 0.25 * size : 0.84 + 0.42 * size * size;
    if (part > 0 && broken) {
        float a = 6.2831853 * fract(float(seed) * 0.754877 + float(part) * 0.381966);
        float y = fract(float(seed) * 0.569840 + float(part) * 0.618034) * 1.7 - 0.9;
        float level = sqrt(max(1.0 - y * y, 0.0));
        lump.w = ball.w * (0.26 + 0.34 * fract(float(seed) * 0.41421 + float(part) * 0.7321));
        lump.xyz += (ball.w * 1.12 - 0.6 * lump.w) * vec3(level * cos(a), y, level * sin(a));
    } else if (part > 0) {
        float a = 6.2831853 * fract(float(seed) * 0.754877 + float(part) * 0.381966);
        float y = fract(float(seed) * 0.569840 + float(part) * 0.618034) * 1.5 - 0.9;
        float level = sqrt(max(1.0 - y * y, 0.0));
        float fine = fract(float(seed) * 0.41421 + float(part) * 0.7321);
        lump.w = ball.w * (0.10 + 0.24 * fine * fine);
        lump.xyz += (ball.w * 1.0 + 0.3 * lump.w) * vec3(level * cos(a), y, level * sin(a));
    }
    lump.w *= float(look.y) * (1.0 / 255.0);
    where = vec2(fract(float(seed) * 0.0731 + 0.31 * float(part)), fract(float(seed) * 0.1937));
    float dark = fract(float(seed) * 0.357 + 0.17 * float(part));
    shade = 0.74 + 0.40 * dark * (2.0 - dark) - (part > 0 ? 0.06 : 0.0);
    shade = mix(1.0, shade, 0.4 + 0.6 * loose[kind].w); // sand is all alike

    corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vec3 to = shadow_pass ? sun.xyz : normalize(eye.xyz - lump.xyz);
    vec3 side = normalize(cross(abs(to.y) > 0.99 ? vec3(1, 0, 0) : vec3(0, 1, 0), to));
    vec3 top = cross(to, side);
    if (shadow_pass)
        lump.w *= grown;
    vec3 p = lump.xyz + (side * corner.x + top * corner.y) * lump.w * 1.12;
    if (shadow_pass) {
        gl_Position = shadow_proj * vec4(p, 1.0);
        gl_Position.xyz = gl_Position.xyz * 2.0 - gl_Position.w;
    } else {
        // nearer by half a radius, so that a heap's front hides its back
        gl_Position = view_proj * vec4(p + to * lump.w * 0.5, 1.0);
    }
}
