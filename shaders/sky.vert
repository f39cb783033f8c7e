// One triangle over the whole picture, behind everything.
out vec3 way;

void main()
{
    vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
    way = forward.xyz + right.xyz * at.x + over.xyz * at.y;
    gl_Position = vec4(at, 1.0, 1.0);
}
