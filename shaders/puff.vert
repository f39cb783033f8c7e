// Dust: soft discs that face the eye.
layout(location = 0) in vec4 ball;  // middle and radius, m
layout(location = 1) in vec4 tint;  // linear colour, opacity
out vec2 corner;
out vec3 world;
flat out vec4 paint;

void main()
{
    corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vec3 to = normalize(eye.xyz - ball.xyz);
    vec3 side = normalize(cross(vec3(0, 1, 0), to)), top = cross(to, side);
    world = ball.xyz + (side * corner.x + top * corner.y) * ball.w;
    paint = tint;
    gl_Position = view_proj * vec4(world, 1.0);
}
