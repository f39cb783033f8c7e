// render_texture - pictures made of chance: clods, stones, and the sky.
#include "render/render_internal.h"

#include <stdlib.h>

#define NOISE_SIDE  512
#define NOISE_CELLS 26 // stones along a side

static float chance(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = x * 374761393u + y * 668265263u + seed * 2246822519u;
    h = (h ^ h >> 13) * 1274126177u;
    h ^= h >> 16;
    return (float)(h & 0xffffffu) * (1.0f / 16777216.0f);
}

// Smooth noise that repeats after `period` units, 0..1.
static float noise(float x, float y, int period, uint32_t seed)
{
    int i = (int)floorf(x), j = (int)floorf(y);
    float a = x - (float)i, b = y - (float)j;
    a = a * a * (3.0f - 2.0f * a), b = b * b * (3.0f - 2.0f * b);
    uint32_t p = (uint32_t)period;
    uint32_t i0 = (uint32_t)(i + 64 * period) % p, i1 = (i0 + 1) % p;
    uint32_t j0 = (uint32_t)(j + 64 * period) % p, j1 = (j0 + 1) % p;
    float top = chance(i0, j0, seed) * (1 - a) + chance(i1, j0, seed) * a;
    float low = chance(i0, j1, seed) * (1 - a) + chance(i1, j1, seed) * a;
    return top * (1 - b) + low * b;
}

// u, v in 0..1; octaves from `first` waves on.
static float fractal(float u, float v, int first, int octaves, float keep, uint32_t seed)
{
    float sum = 0.0f, weight = 1.0f, total = 0.0f;
    for (int o = 0; o < octaves; ++o, weight *= keep) {
        int period = first << o;
        sum += weight * noise(u * (float)period, v * (float)period, period, seed + (uint32_t)o);
        total += weight;
    }
    return sum / total;
}

static uint8_t byte(float x)
{
    return (uint8_t)(255.0f * base_clampf(x, 0.0f, 1.0f) + 0.5f);
}

// Height into red, its slope into green and blue.
static void slopes(uint8_t (*out)[4], const float* h, float steep)
{
    int n = NOISE_SIDE;
    for (int k = 0; k < n * n; ++k) {
        int x = k % n, y = k / n;
        float dx = h[y * n + (x + 1) % n] - h[y * n + (x + n - 1) % n];
        float dy = h[(y + 1) % n * n + x] - h[(y + n - 1) % n * n + x];
        out[k][0] = byte(h[k]);
        out[k][1] = byte(0.5f + steep * dx);
        out[k][2] = byte(0.5f + steep * dy);
    }
}

// Moves values to a mean of one half and this deviation.
static void spread(float* h, float deviation)
{
    int count = NOISE_SIDE * NOISE_SIDE;
    double sum = 0.0, square = 0.0;
    for (int k = 0; k < count; ++k)
        sum += (double)h[k], square += (double)h[k] * (double)h[k];
    float mean = (float)(sum / count);
    float scale = deviation / sqrtf((float)(square / count) - mean * mean + 1e-9f);
    for (int k = 0; k < count; ++k)
        h[k] = base_clampf(0.5f + (h[k] - mean) * scale, 0.0f, 1.0f);
}

static void clods(uint8_t (*out)[4], float* h)
{
    int n = NOISE_SIDE;
    for (int k = 0; k < n * n; ++k) {
        float u = (float)(k % n) / (float)n, v = (float)(k / n) / (float)n;
        float soft = fractal(u, v, 4, 7, 0.58f, 1), crumbly = fractal(u, v, 16, 4, 0.6f, 31);
        // ridges between clods
        float ridge = 1.0f - fabsf(2.0f * fractal(u, v, 10, 4, 0.5f, 57) - 1.0f);
        h[k] = 0.45f * soft + 0.30f * crumbly + 0.25f * ridge;
        out[k][3] = byte(0.5f + 2.4f * (fractal(u, v, 64, 3, 0.8f, 91) - 0.5f));
    }
    spread(h, 0.20f);
    slopes(out, h, 2.6f);
}

// Height of a pebble over (u, v) in cells, and its shade: round things at random places.
static float pebble(float u, float v, float* shade)
{
    float best = 0.0f;
    int ci = (int)floorf(u), cj = (int)floorf(v);
    for (int k = 0; k < 9; ++k) {
        int i = ci + k % 3 - 1, j = cj + k / 3 - 1;
        uint32_t x = (uint32_t)(i + NOISE_CELLS) % NOISE_CELLS;
        uint32_t y = (uint32_t)(j + NOISE_CELLS) % NOISE_CELLS;
        float dx = u - (float)i - chance(x, y, 5), dy = v - (float)j - chance(x, y, 6);
        float turn = 6.2832f * chance(x, y, 7), c = cosf(turn), s = sinf(turn);
        float a = (dx * c + dy * s) * (1.0f + 0.7f * chance(x, y, 8)), b = dy * c - dx * s;
        float r = 0.22f + 0.42f * chance(x, y, 9), q = 1.0f - (a * a + b * b) / (r * r);
        float h = q > 0.0f ? sqrtf(q) * r * 1.5f : 0.0f;
        if (h > best)
            best = h, *shade = chance(x, y, 10);
    }
    return best;
}

static void stones(uint8_t (*out)[4], float* h)
{
    int n = NOISE_SIDE;
    for (int k = 0; k < n * n; ++k) {
        float u = (float)(k % n) / (float)n, v = (float)(k / n) / (float)n, shade = 0.5f,
              fine = 0.5f;
        float big = pebble(u * NOISE_CELLS, v * NOISE_CELLS, &shade);
        float small = 0.45f * pebble(u * 2 * NOISE_CELLS, v * 2 * NOISE_CELLS, &fine);
        if (small > big)
            big = small, shade = fine;
        h[k] = big + 0.04f * fractal(u, v, 64, 2, 0.5f, 3);
        out[k][3] = byte(0.15f + 0.7f * shade);
    }
    slopes(out, h, 2.0f);
}

bool render_texture_noise(Render* r)
{
    size_t count = (size_t)NOISE_SIDE * NOISE_SIDE;
    uint8_t(*rgba)[4] = malloc(count * 4);
    float* h = malloc(count * sizeof *h);
    if (rgba && h) {
        clods(rgba, h);
        r->clod = render_gl_texture(GL_RGBA8, NOISE_SIDE, NOISE_SIDE, GL_RGBA, GL_UNSIGNED_BYTE,
                                    rgba, GL_LINEAR_MIPMAP_NEAREST, GL_REPEAT);
        stones(rgba, h);
        r->stone = render_gl_texture(GL_RGBA8, NOISE_SIDE, NOISE_SIDE, GL_RGBA, GL_UNSIGNED_BYTE,
                                     rgba, GL_LINEAR_MIPMAP_NEAREST, GL_REPEAT);
    }
    bool fine = rgba && h;
    free(rgba), free(h);
    return fine;
}

void render_texture_sharpen(Render* r)
{
    const GLuint texture[2] = {r->clod, r->stone};
    bool smooth = r->level.sharp > 1.0f;
    for (int k = 0; k < 2; ++k) {
        glActiveTexture(GL_TEXTURE0 + UNIT_COUNT);
        glBindTexture(GL_TEXTURE_2D, texture[k]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                        smooth ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR_MIPMAP_NEAREST);
        // a software rasteriser takes minutes for what a card does on the way
        if (GLEW_EXT_texture_filter_anisotropic && !r->software)
            glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, r->level.sharp);
        else
            glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, smooth ? -0.9f : 0.0f);
    }
}

// --- sky -----------------------------------------------------------------------------------------

static float smooth(float from, float to, float x)
{
    float t = base_clampf((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// As shaders/common/light.glsl has it.
static void haze_color(const Render* r, Vec3 way, float out[3])
{
    const RenderBlock* b = &r->block;
    Vec3 sun = {b->sun[0], b->sun[1], b->sun[2]};
    float glow = base_maxf(vec3_dot(way, sun), 0.0f);
    glow *= glow, glow = 0.45f * glow * glow;
    const float air[3] = {1.20f, 1.32f, 1.48f};
    for (int k = 0; k < 3; ++k) {
        float far = b->sky[k] * air[k] + 0.05f;
        out[k] = far + (b->light[k] * 0.45f - far) * glow;
    }
}

static float screen(float x, float exposure)
{
    x = base_maxf(x * exposure - 0.004f, 0.0f);
    return (x * (6.2f * x + 0.5f)) / (x * (6.2f * x + 1.7f) + 0.06f);
}

// How thick the clouds are in a direction, 0..1: heaps in a flat layer seen from below.
static float clouds(Vec3 d, float shift)
{
    float over = 1.0f / (d.y + 0.09f), u = d.x * over * 0.11f + 0.31f,
          v = d.z * over * 0.11f + 0.77f;
    float heaps = fractal(u + shift, v + shift, 4, 7, 0.52f, 200);
    float fields = fractal(u + 0.5f, v + 0.2f, 1, 3, 0.5f, 300);
    return smooth(0.515f, 0.64f, heaps + 0.55f * (fields - 0.5f));
}

static void sky_texel(const Render* r, Vec3 d, uint8_t out[4])
{
    const RenderBlock* b = &r->block;
    Vec3 sun = {b->sun[0], b->sun[1], b->sun[2]};
    float haze[3], near = base_maxf(vec3_dot(d, sun), 0.0f);
    haze_color(r, d, haze);
    const float zenith[3] = {0.060f, 0.19f, 0.58f};
    float up = 1.0f - powf(1.0f - base_clampf(d.y, 0.0f, 1.0f), 4.5f);
    float cloud = clouds(d, 0.0f) * smooth(0.02f, 0.10f, d.y);
    // light comes through thin edges, mostly towards the sun; bellies are grey
    float dense = cloud > 0.0f ? clouds(vec3_unit(vec3_mad(d, sun, 0.10f)), 0.006f) : 0.0f;
    float bright = 1.02f - 0.50f * dense * cloud + 0.5f * powf(near, 6.0f) * (1.0f - dense);
    float halo = 0.45f * powf(near, 24.0f) + 1.6f * powf(near, 400.0f);
    float far = 0.55f + 0.45f * smooth(0.05f, 0.30f, d.y); // clouds at the horizon drown in haze
    for (int k = 0; k < 3; ++k) {
        float blue = haze[k] + (zenith[k] - haze[k]) * up + halo * b->light[k] * 0.22f;
        float white = bright * (0.80f + 0.14f * b->light[k]) * 1.35f;
        float sum = blue + (white - blue) * 0.92f * cloud * far;
        out[k] = byte(screen(sum, b->light[3]));
    }
    out[3] = 255;
}

void render_texture_sky(Render* r, const ViewSun* sun)
{
    int n = r->level.sky_size;
    Vec3 d = sun->direction;
    if (r->sky_map && r->sky_size == n && r->sky_sun.x == d.x && r->sky_sun.y == d.y &&
        r->sky_sun.z == d.z)
        return;
    uint8_t(*rgba)[4] = malloc((size_t)n * (size_t)n * 4);
    if (!rgba)
        return;
    for (int k = 0; k < n * n; ++k) {
        // unfolds half an octahedron; see shaders/sky.frag
        float a = 2.0f * ((float)(k % n) + 0.5f) / (float)n - 1.0f;
        float b = 2.0f * ((float)(k / n) + 0.5f) / (float)n - 1.0f;
        float x = 0.5f * (a + b), z = 0.5f * (a - b);
        sky_texel(r, vec3_unit(vec3(x, 1.0f - fabsf(x) - fabsf(z), z)), rgba[k]);
    }
    glDeleteTextures(1, &r->sky_map);
    r->sky_map = render_gl_texture(GL_RGBA8, n, n, GL_RGBA, GL_UNSIGNED_BYTE, rgba, GL_LINEAR,
                                   GL_CLAMP_TO_EDGE);
    r->sky_size = n, r->sky_sun = d;
    free(rgba);
}
