// How soil looks, for ground and grains alike.
uniform sampler2D clod_map;  // r: height, gb: slope, a: fine speckle
uniform sampler2D stone_map; // r: height of pebbles, gb: slope, a: shade of each

// Dry or fresh, in the bank or loose.
vec3 soil_mix(int below, int kind, float dumped, float fresh, float clod)
{
    return soil_tone(below, kind, dumped, fresh) * (0.62 + 0.76 * clod);
}

vec3 soil_color(int kind, float dumped, float fresh, float clod)
{
    return soil_mix(kind, kind, dumped, fresh, clod);
}
