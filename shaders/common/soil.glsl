// How soil looks, for ground and grains alike.
uniform sampler2D clod_map;  // r: height, gb: slope, a: fine speckle
uniform sampler2D stone_map; // r: height of pebbles, gb: slope, a: shade of each

const vec3 stone_dark = vec3(0.115, 0.108, 0.098);
const vec3 stone_pale = vec3(0.27, 0.25, 0.22);

// Dry or fresh, in the bank or loose.
vec3 soil_mix(int below, int kind, float dumped, float fresh, float clod)
{
    vec3 color = mix(bank[below].rgb, loose[kind].rgb, dumped);
    color *= 0.62 + 0.76 * clod;
    return color * mix(vec3(1.0), vec3(0.52, 0.49, 0.47), fresh);
}

vec3 soil_color(int kind, float dumped, float fresh, float clod)
{
    return soil_mix(kind, kind, dumped, fresh, clod);
}
