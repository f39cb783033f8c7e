// Solid things, one instance per pose.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in uint material;
layout(location = 3) in vec4 row0; // of the pose
layout(location = 4) in vec4 row1;
layout(location = 5) in vec4 row2;

uniform bool shadow_pass;

#ifndef SHADOW
out vec3 world, facing, body;
flat out uint finish_of;
#if QUALITY < 1
out vec4 air;
#endif
#endif

void main()
{
    vec4 p = vec4(position, 1.0);
    vec3 at = vec3(dot(row0, p), dot(row1, p), dot(row2, p));
    gl_Position = (shadow_pass ? shadow_proj : view_proj) * vec4(at, 1.0);
    if (shadow_pass)
        gl_Position.xyz = gl_Position.xyz * 2.0 - gl_Position.w;
#ifndef SHADOW
    world = at;
    facing = vec3(dot(row0.xyz, normal), dot(row1.xyz, normal), dot(row2.xyz, normal));
    body = position;
    finish_of = material;
#if QUALITY < 1
    air = haze_at(at);
#endif
#endif
}
