// Colours of soil, stones and grass that need no picture of clods: for vertices and fragments alike.
const vec3 stone_dark = vec3(0.115, 0.108, 0.098);
const vec3 stone_pale = vec3(0.27, 0.25, 0.22);

// Dry or fresh, in the bank or loose.
vec3 soil_tone(int below, int kind, float dumped, float fresh)
{
    return mix(bank[below].rgb, loose[kind].rgb, dumped) * mix(vec3(1.0), vec3(0.52, 0.49, 0.47), fresh);
}

// Grass: the lush and the dry, and which of them grows where.
const vec3 meadow_lush = vec3(0.048, 0.082, 0.022), meadow_dry = vec3(0.120, 0.128, 0.048);

float meadow_dried(float wide, float clod)
{
    return clamp(1.35 * wide - 0.28 + 0.6 * (clod - 0.5), 0.0, 1.0);
}
