// The painted sky: half an octahedron unfolded into a square, the horizon along its border.
in vec3 way;
out vec4 color;
uniform sampler2D sky_map;

void main()
{
    vec3 d = normalize(way);
    d.y = max(d.y, 0.0);
    vec2 p = d.xz / (abs(d.x) + d.y + abs(d.z));
    vec3 sum = texture(sky_map, vec2(p.x + p.y, p.x - p.y) * 0.5 + 0.5).rgb;
    float disc = dot(normalize(way), sun.xyz);
    sum += vec3(1.0, 0.95, 0.85) * smoothstep(0.99988, 0.99995, disc);
    color = vec4(sum, 1.0);
}
