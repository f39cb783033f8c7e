// The land around the site; shares its fragments with the ground.
layout(location = 0) in vec3 position;
out vec3 world;

void main()
{
    world = position;
    gl_Position = view_proj * vec4(world, 1.0);
}
