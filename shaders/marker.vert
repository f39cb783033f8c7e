// Goal grids, zones and marks on the ground.
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 tint;
layout(location = 2) in vec3 pattern; // metres along two directions, kind of pattern
out vec3 world;
out vec4 paint;
out vec3 weave;

void main()
{
    world = position;
    paint = tint, weave = pattern;
    gl_Position = view_proj * vec4(position, 1.0);
}
