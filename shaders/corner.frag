// How much of the sky does not reach a place because something stands close by: between lumps of soil, under
// tracks and wheels, in corners of a cut. Found from the depth of the picture around it.
out vec4 color; // r: light that is left; g: m ahead of the eye

const float reach = 0.9; // m, how far things shade each other
const int taps = 14;

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy) * 2;
    float z = ahead(texelFetch(depth_map, here, 0).r);
    color = vec4(1.0, z, 0.0, 1.0);
    if (z > 70.0)
        return;
    vec3 p = place(here);
    // of two neighbours the nearer in depth belongs to the same thing
    vec3 l = place(here - ivec2(1, 0)), r = place(here + ivec2(1, 0));
    vec3 b = place(here - ivec2(0, 1)), t = place(here + ivec2(0, 1));
    vec3 dx = dot(r - p, r - p) < dot(p - l, p - l) ? r - p : p - l;
    vec3 dy = dot(t - p, t - p) < dot(p - b, p - b) ? t - p : p - b;
    vec3 n = normalize(cross(dx, dy));

    vec2 wide = min(0.5 * reach / z / vec2(length(right.xyz), length(over.xyz)), vec2(0.10, 0.16));
    wide *= vec2(textureSize(depth_map, 0)); // in pixels
    // sixteen turns, one for every pixel of a square; corner_lay.frag takes their mean
    ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
    float turn = float((cell.x * 4 + cell.y * 9) & 15) * 0.3926991;
    float hidden = 0.0;
    for (int k = 0; k < taps; ++k) {
        float part = (float(k) + 0.5) / float(taps), angle = turn + 2.3999632 * float(k);
        vec2 off = wide * part * sqrt(part) * vec2(cos(angle), sin(angle));
        vec3 v = place(here + ivec2(floor(off + 0.5))) - p;
        float vv = dot(v, v), fall = max(1.0 - vv / (reach * reach), 0.0);
        hidden += fall * max(dot(v, n) * inversesqrt(vv + 1e-6) - 0.10, 0.0);
    }
    float open = clamp(1.0 - 2.3 * hidden / float(taps), 0.0, 1.0);
    color.r = mix(open, 1.0, smoothstep(35.0, 70.0, z));
}
