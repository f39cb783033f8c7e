// What lies far fades into the colour of the air.

// The colour of what is infinitely far at the height of the eye.
vec3 haze_color(vec3 way)
{
    float glow = max(dot(way, sun.xyz), 0.0);
    glow *= glow;
    return mix(sky.rgb * vec3(1.20, 1.32, 1.48) + 0.05, light.rgb * 0.45, 0.45 * glow * glow);
}

vec3 hazed(vec3 color, vec3 p)
{
    vec3 way = p - eye.xyz;
    float far = length(way);
    float clear = exp2(-1.4427 * sky.w * max(far - 15.0, 0.0));
    return mix(haze_color(way / max(far, 1e-3)), color, clear);
}

// The same in two parts, for vertices: colour of the air, and what is left of the thing.
vec4 haze_at(vec3 p)
{
    vec3 way = p - eye.xyz;
    float far = length(way);
    return vec4(haze_color(way / max(far, 1e-3)), exp2(-1.4427 * sky.w * max(far - 15.0, 0.0)));
}
