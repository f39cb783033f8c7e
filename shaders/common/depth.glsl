// From the scene's depth back to places, seen from the eye.
uniform sampler2D depth_map;

// m ahead of the eye.
float ahead(float depth)
{
    float near = right.w, far = over.w;
    return near * far / (far - depth * (far - near));
}

// From the eye to what is seen there, m.
vec3 place(vec2 uv, float z)
{
    vec2 p = uv * 2.0 - 1.0;
    return (forward.xyz + right.xyz * p.x + over.xyz * p.y) * z;
}

vec3 place(ivec2 texel)
{
    vec2 size = vec2(textureSize(depth_map, 0));
    texel = clamp(texel, ivec2(0), ivec2(size) - 1);
    return place((vec2(texel) + 0.5) / size, ahead(texelFetch(depth_map, texel, 0).r));
}
