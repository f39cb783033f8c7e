#include "site/site_noise.h"

// A finished hash of four words: multiply and shift, as in the end of MurmurHash3.
static uint32_t mix(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ h >> 16;
}

static uint32_t hash(uint32_t seed, uint32_t octave, uint32_t i, uint32_t j)
{
    return mix(mix(mix(mix(seed) + octave) + i) + j);
}

// Sixteen directions, written out so that nobody computes them.
static const double circle[16][2] = {
    {1.0, 0.0},
    {0.9238795325112867, 0.3826834323650898},
    {0.7071067811865476, 0.7071067811865476},
    {0.3826834323650898, 0.9238795325112867},
    {0.0, 1.0},
    {-0.3826834323650898, 0.9238795325112867},
    {-0.7071067811865476, 0.7071067811865476},
    {-0.9238795325112867, 0.3826834323650898},
    {-1.0, 0.0},
    {-0.9238795325112867, -0.3826834323650898},
    {-0.7071067811865476, -0.7071067811865476},
    {-0.3826834323650898, -0.9238795325112867},
    {0.0, -1.0},
    {0.3826834323650898, -0.9238795325112867},
    {0.7071067811865476, -0.7071067811865476},
    {0.9238795325112867, -0.3826834323650898},
};

// What the corner (i, j) of the lattice says about a point (x, z) away from it.
static double corner(uint32_t seed, uint32_t octave, int i, int j, double x, double z)
{
    const double* g = circle[hash(seed, octave, (uint32_t)i, (uint32_t)j) >> 28];
    return g[0] * x + g[1] * z;
}

static double blend(double a, double b, double t)
{
    double s = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    return a + (b - a) * s;
}

static int floor_of(double x)
{
    int i = (int)x;
    return x < (double)i ? i - 1 : i;
}

// One octave. Unit gradients reach 1/sqrt(2); the factor makes that 1.
static double layer(uint32_t seed, uint32_t octave, double x, double z)
{
    int i = floor_of(x), j = floor_of(z);
    double u = x - (double)i, v = z - (double)j;
    double near =
        blend(corner(seed, octave, i, j, u, v), corner(seed, octave, i + 1, j, u - 1.0, v), u);
    double far = blend(corner(seed, octave, i, j + 1, u, v - 1.0),
                       corner(seed, octave, i + 1, j + 1, u - 1.0, v - 1.0), u);
    return blend(near, far, v) * 1.4142135623730951;
}

double site_noise(uint32_t seed, int octaves, double x, double z)
{
    double sum = 0.0, weight = 0.0, height = 1.0;
    for (int k = 0; k < octaves; ++k) {
        // lattices are shifted against each other: each is 0 at its corners, all at once would show
        uint32_t shift = hash(seed, (uint32_t)k, 0x9e3779b9u, 0x7f4a7c15u);
        double dx = (double)(shift & 0xffff) / 65536.0, dz = (double)(shift >> 16) / 65536.0;
        sum += height * layer(seed, (uint32_t)k, x + dx, z + dz);
        weight += height;
        height *= 0.5;
        x *= 2.0;
        z *= 2.0;
    }
    return sum / weight;
}
