// The land around the site, and soil in bins; shares its fragments with the ground.
layout(location = 0) in vec3 position;

uniform sampler2D clod_map;

out vec3 world;
out vec4 broad;
#if QUALITY < 1
out vec4 air;
#endif

void main()
{
    world = position;
    gl_Position = view_proj * vec4(world, 1.0);
    broad = textureLod(clod_map, world.xz * 0.021, 1.0);
#if QUALITY < 1
    air = haze_at(world);
#endif
}
