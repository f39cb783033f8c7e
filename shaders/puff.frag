in vec2 corner;
in vec3 world;
flat in vec4 paint;
out vec4 color;

void main()
{
    float d = dot(corner, corner);
    if (d > 1.0)
        discard;
    float torn = texture(clod_map, corner * 0.11 + paint.ar).r;
    float cover = paint.a * (1.0 - d) * (1.0 - d) * (0.45 + 1.1 * torn);
#if QUALITY >= 2
    // what stands in a cloud does not cut it
    float behind = ahead(texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r) - dot(world - eye.xyz, forward.xyz);
    cover *= smoothstep(-0.05, 0.7, behind + 0.3 * (1.0 - d));
#endif
    // what floats is the finest and palest of the soil
    vec3 pale = mix(paint.rgb, vec3(dot(paint.rgb, vec3(0.4))), 0.30) * 1.25;
    vec3 sum = pale * (light.rgb * 0.50 + vec3(0.55));
    color = vec4(screen(hazed(sum, world)), min(cover, 0.85));
}
