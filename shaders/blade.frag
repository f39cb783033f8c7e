// A blade of grass: dark at its root, light comes through its tip.
in vec3 world;
flat in vec3 green;
in float up;
out vec4 color;

void main()
{
    vec3 n = vec3(0.0, 1.0, 0.0);
    vec3 albedo = green * (0.72 + 0.85 * up);
    float lit = (0.45 + 0.55 * sun.y) * sunlit(world + n * 0.02, n);
    vec3 sum = albedo * (light.rgb * lit + skylight(n, 0.7 + 0.3 * up));
    color = vec4(screen(hazed(sum, world)), 1.0);
}
