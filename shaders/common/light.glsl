// Sun, sky, shadow, haze, and the way from light to a colour of the screen.
uniform sampler2DShadow shadow_map;

// Filmic curve with the screen's gamma in it (Hejl and Burgess-Dawson).
vec3 screen(vec3 color)
{
    vec3 x = max(color * light.w - 0.004, 0.0);
    return (x * (6.2 * x + 0.5)) / (x * (6.2 * x + 1.7) + 0.06);
}

// 1 in the sun, 0 in the shadow.
float sunlit(vec3 p, vec3 n)
{
#if QUALITY < 2
    const float off = 2.0; // half texels from the surface
#else
    const float off = 4.0; // softer edges reach farther
#endif
    vec3 at = (shadow_proj * vec4(p + n * (off * sun.w * bounce.w), 1.0)).xyz;
    vec2 rim = abs(at.xy - 0.5);
    at.z = min(at.z, 1.0);
#if QUALITY < 1
    float lit = texture(shadow_map, at);
#else
    const vec2 tap[8] = vec2[8](vec2(-0.33, -0.94), vec2(0.85, -0.53), vec2(-0.94, 0.18),
                                vec2(0.35, 0.30), vec2(0.96, 0.42), vec2(-0.40, 0.90),
                                vec2(-0.35, -0.20), vec2(0.30, 0.98));
    float lit = 0.0;
#if QUALITY < 2
    for (int k = 0; k < 4; ++k)
        lit += 0.25 * texture(shadow_map, vec3(at.xy + tap[2 * k] * sun.w * 1.2, at.z));
#else
    for (int k = 0; k < 8; ++k)
        lit += 0.125 * texture(shadow_map, vec3(at.xy + tap[k] * sun.w * 2.5, at.z));
#endif
#endif
    return mix(lit, 1.0, smoothstep(0.44, 0.495, max(rim.x, rim.y)));
}

// Light of the sky on a surface that looks along n and sees `open` of it.
vec3 skylight(vec3 n, float open)
{
    return mix(bounce.rgb, sky.rgb, 0.5 + 0.5 * n.y) * (1.2 * open);
}

// What a mirror would show; a stand-in for the real surroundings.
vec3 mirrored(vec3 way, float rough)
{
    float up = smoothstep(-0.25 - rough, 0.15 + rough, way.y);
    return mix(bounce.rgb * 0.9, mix(haze_color(way), sky.rgb * 1.6, clamp(way.y, 0.0, 1.0)), up);
}
