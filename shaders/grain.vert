// A lump of soil and the crumbs around it: squares that face the eye, or the sun.
layout(location = 0) in vec4 ball;  // middle and radius, m
layout(location = 1) in uvec4 look; // kind, opacity, chance in two bytes
layout(location = 2) in vec4 crowd; // out of the heap that it lies in; w: how many lie around

uniform int crumbs; // instances of one grain beside itself
uniform bool shadow_pass;
uniform float grown; // in the shadow pass

out vec2 corner;
flat out vec4 lump;  // middle, m; radius
flat out vec2 where; // in the picture that makes it rough
flat out float shade;
flat out int kind;
#if QUALITY >= 1
flat out float fines; // 1: what lies between lumps
flat out float whole; // radius of the grain that it is part of, m
flat out vec3 heap;   // out of the heap, as long as one can tell
#endif

#if QUALITY >= 1
// Lumps differ in size; what a grain stands for is spread over them: some hold together, some have fallen
// into crumbs, and between those that lie together lies what is too fine to be seen singly.
void break_up(uint seed, int part, float cloddy, float size)
{
    bool broken = crumbs > 0 && size < 0.60;
    fines = 0.0, heap = crowd.xyz, whole = ball.w;
    lump.w *= broken ? 0.66 + 0.45 * size : 0.86 + 0.44 * size * size;
    if (crumbs > 0 && part == crumbs) {
        fines = 1.0;
        lump.w = ball.w * 1.8 * smoothstep(0.50, 0.85, crowd.w);
        lump.xyz -= normalize(eye.xyz - ball.xyz) * ball.w * mix(0.20, 1.45, smoothstep(0.1, 0.7, cloddy));
    } else if (part > 0) {
        float a = 6.2831853 * fract(float(seed) * 0.754877 + float(part) * 0.381966);
        float y = fract(float(seed) * 0.569840 + float(part) * 0.618034) * 1.8 - 0.9;
        float level = sqrt(max(1.0 - y * y, 0.0));
        float fine = fract(float(seed) * 0.41421 + float(part) * 0.7321);
        float out_ = fract(float(seed) * 0.27183 + float(part) * 0.5498);
        lump.w = ball.w * (broken ? 0.14 + 0.42 * fine * fine * fine : 0.09 + 0.22 * fine * fine);
        lump.xyz += ball.w * ((broken ? 0.45 : 0.75) + 0.50 * out_) * vec3(level * cos(a), y, level * sin(a));
    }
    // what hardly clods has no lumps to show
    if (crumbs > 0 && fines == 0.0)
        lump.w *= mix(0.62, 1.0, smoothstep(0.05, 0.6, cloddy));
}
#endif

void main()
{
    uint seed = look.z | look.w << 8u;
    int part = crumbs > 0 ? gl_InstanceID % (crumbs + 1) : 0, sort = int(look.x);
    float cloddy = loose[sort].w, size = fract(float(seed) * 0.6180339);
    lump = ball;
#if QUALITY < 1
    lump.w *= 0.84 + 0.42 * size * size;
#else
    break_up(seed, part, cloddy, size);
#endif
    lump.w *= float(look.y) * (1.0 / 255.0);
    where = vec2(fract(float(seed) * 0.0731 + 0.31 * float(part)), fract(float(seed) * 0.1937));
    float dark = fract(float(seed) * 0.357 + 0.17 * float(part));
    dark = 0.78 + 0.34 * dark * (2.0 - dark) - (part > 0 ? 0.04 : 0.0);
    dark = mix(1.0, dark, 0.4 + 0.6 * cloddy); // sand is all alike

    corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vec3 back = shadow_pass ? sun.xyz : normalize(eye.xyz - lump.xyz);
#if QUALITY < 1 && !defined(SHADOW)
    // all squares lie like the picture: one frame serves them all
    vec3 across = normalize(right.xyz), over_ = normalize(over.xyz);
#else
    vec3 across = normalize(cross(abs(back.y) > 0.99 ? vec3(1, 0, 0) : vec3(0, 1, 0), back));
    vec3 over_ = cross(back, across);
#endif
    if (shadow_pass)
        lump.w *= grown;
    vec3 p = lump.xyz + (across * corner.x + over_ * corner.y) * lump.w * 1.12;
    if (shadow_pass) {
        gl_Position = shadow_proj * vec4(p, 1.0);
        gl_Position.xyz = gl_Position.xyz * 2.0 - gl_Position.w;
    } else {
        // nearer by half a radius, so that a heap's front hides its back
        gl_Position = view_proj * vec4(p + back * lump.w * 0.5, 1.0);
    }
    kind = sort;
#if QUALITY < 1
    shade = dark;
#else
    shade = fines > 0.0 ? 0.92 : dark;
#endif
}
