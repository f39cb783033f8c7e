// Lays the shade of corners over the picture: the mean of its sixteen turns, without crossing edges.
out vec4 color;
uniform sampler2D corner_map;

void main()
{
    float z = ahead(texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r), sum = 0.0, weight = 1e-4;
    vec2 size = vec2(textureSize(corner_map, 0));
    ivec2 first = ivec2(floor(gl_FragCoord.xy * 0.5 - 1.5)), last = ivec2(size) - 1;
    for (int k = 0; k < 16; ++k) {
        vec2 there = texelFetch(corner_map, clamp(first + ivec2(k & 3, k >> 2), ivec2(0), last), 0).rg;
        float alike = max(1.0 - abs(there.g - z) / (0.02 * z + 0.04), 0.0) + 1e-4;
        sum += alike * there.r, weight += alike;
    }
    float open = sum / weight;
    color = vec4(vec3(open * sqrt(open)), 1.0);
}
