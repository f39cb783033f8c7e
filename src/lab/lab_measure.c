#include "lab/lab_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIT_LOW   0.2 // of the height
#define FIT_HIGH  0.8
#define MONOLAYER 0.55 // of the ground is hidden by one loose layer of spheres

bool lab_measure_line(const double* x, const double* y, int count, double* offset, double* slope)
{
    double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < count; ++i)
        mx += x[i] / count, my += y[i] / count;
    for (int i = 0; i < count; ++i)
        xx += (x[i] - mx) * (x[i] - mx), xy += (x[i] - mx) * (y[i] - my);
    if (count < 2 || xx <= 0.0)
        return false;
    *slope = xy / xx;
    *offset = my - *slope * mx;
    return true;
}

// A face so steep that the profile jumps over the range of the fit: the angle is that of the jump,
// at least, since it may be narrower than a column.
static LabSlope cliff(const LabProfile* profile, double height)
{
    LabSlope slope = {.height = height};
    for (int i = profile->count - 1; i >= 0 && height > 0.0; --i) {
        if (profile->height[i] <= FIT_HIGH * height)
            continue;
        double step = profile->at[0] * 2.0;
        double outside = i + 1 < profile->count ? profile->height[i + 1] : 0.0;
        slope.degrees = atan((profile->height[i] - outside) / step) / BASE_DEG;
        break;
    }
    return slope;
}

static LabSlope fit(const LabProfile* profile)
{
    LabSlope slope = {0};
    double x[LAB_PROFILE_MAX] = {0}, y[LAB_PROFILE_MAX] = {0};
    for (int i = 0; i < profile->count; ++i)
        slope.height = fmax(slope.height, profile->height[i]);

    // from the outside inwards: the first column above 80 % ends the slope
    for (int i = profile->count - 1; i >= 0; --i) {
        if (profile->height[i] > FIT_HIGH * slope.height)
            break;
        if (profile->height[i] < FIT_LOW * slope.height)
            continue;
        x[slope.points] = profile->at[i];
        y[slope.points++] = profile->height[i];
    }
    if (!lab_measure_line(x, y, slope.points, &slope.line[0], &slope.line[1]))
        return cliff(profile, slope.height);
    slope.span[0] = x[slope.points - 1];
    slope.span[1] = x[0];
    slope.degrees = atan(-slope.line[1]) / BASE_DEG;
    return slope;
}

double lab_measure_again(const LabProfile* profile, const LabSlope* slope)
{
    double x[LAB_PROFILE_MAX], y[LAB_PROFILE_MAX], line[2];
    int count = 0;
    for (int i = 0; i < profile->count; ++i)
        if (profile->at[i] >= slope->span[0] && profile->at[i] <= slope->span[1])
            x[count] = profile->at[i], y[count++] = profile->height[i];
    if (slope->points < 2 || !lab_measure_line(x, y, count, &line[0], &line[1]))
        return fit(profile).degrees;
    return atan(-line[1]) / BASE_DEG;
}

static void center_of_mass(const SoilState* s, double* x, double* z)
{
    double mass = 0.0;
    *x = *z = 0.0;
    for (int i = 0; i < s->count; ++i) {
        double m = (double)s->mass[i];
        mass += m, *x += m * (double)s->px[i], *z += m * (double)s->pz[i];
    }
    if (mass > 0.0)
        *x /= mass, *z /= mass;
}

// Rings one grain wide are cut into sectors one grain long: ring k has 2 pi (k + 1/2) of them.
static int ring_sectors(int ring)
{
    return (int)(2.0 * BASE_PI * (ring + 0.5) + 0.5);
}

static int ring_start(int ring)
{
    // sum of ring_sectors is close to, and never above, this
    return (int)(BASE_PI * ring * ring) + ring;
}

LabSlope lab_measure_cone(const SoilState* s, float radius, LabProfile* profile)
{
    double cx, cz, d = 2.0 * (double)radius;
    center_of_mass(s, &cx, &cz);
    *profile = (LabProfile){0};
    double* top = calloc((size_t)ring_start(LAB_PROFILE_MAX + 1), sizeof *top);
    if (!top)
        return (LabSlope){0};

    for (int i = 0; i < s->count; ++i) {
        double x = (double)s->px[i] - cx, z = (double)s->pz[i] - cz;
        int ring = (int)(hypot(x, z) / d);
        if (s->mass[i] == 0 || ring >= LAB_PROFILE_MAX)
            continue;
        int sectors = ring_sectors(ring);
        int sector = (int)((atan2(z, x) / (2.0 * BASE_PI) + 0.5) * sectors) % sectors;
        double* cell = &top[ring_start(ring) + sector];
        *cell = fmax(*cell, (double)(s->py[i] + s->radius[i]));
        profile->count = base_maxi(profile->count, ring + 1);
    }
    for (int ring = 0; ring < profile->count; ++ring) {
        profile->at[ring] = (ring + 0.5) * d;
        for (int k = 0; k < ring_sectors(ring); ++k)
            profile->height[ring] += top[ring_start(ring) + k] / ring_sectors(ring);
    }
    free(top);
    LabSlope slope = fit(profile);
    slope.center_x = cx, slope.center_z = cz;
    return slope;
}

LabSlope lab_measure_wedge(const SoilState* s, float radius, float width, LabProfile* profile)
{
    double d = 2.0 * (double)radius;
    int across = base_maxi(1, (int)((double)width / d + 0.5));
    double* top = calloc((size_t)(LAB_PROFILE_MAX * across), sizeof *top);
    *profile = (LabProfile){0};
    if (!top)
        return (LabSlope){0};

    for (int i = 0; i < s->count; ++i) {
        int column = (int)floor((double)s->px[i] / d);
        int row = (int)floor(((double)s->pz[i] / (double)width + 0.5) * across);
        if (s->mass[i] == 0 || column < 0 || column >= LAB_PROFILE_MAX || row < 0 || row >= across)
            continue;
        double* cell = &top[column * across + row];
        *cell = fmax(*cell, (double)(s->py[i] + s->radius[i]));
        profile->count = base_maxi(profile->count, column + 1);
    }
    for (int column = 0; column < profile->count; ++column) {
        profile->at[column] = (column + 0.5) * d;
        for (int row = 0; row < across; ++row)
            profile->height[column] += top[column * across + row] / across;
    }
    free(top);
    return fit(profile);
}

double lab_measure_front(const SoilState* s, float radius)
{
    double covered[LAB_PROFILE_MAX] = {0}; // m2 of ground that grains hide, per ring
    double d = 2.0 * (double)radius;
    for (int i = 0; i < s->count; ++i) {
        int ring = (int)(hypot((double)s->px[i], (double)s->pz[i]) / d);
        if (s->mass[i] > 0 && ring < LAB_PROFILE_MAX)
            covered[ring] += BASE_PI * (double)(s->radius[i] * s->radius[i]);
    }

    // from the axis outwards to the first thin ring, then between the two rings by interpolation
    double last = 1.0;
    for (int ring = 0; ring < LAB_PROFILE_MAX; ++ring) {
        double area = BASE_PI * d * d * (2.0 * ring + 1.0);
        double share = covered[ring] / area / MONOLAYER;
        if (share < 0.5)
            return ring == 0 ? 0.0 : d * (ring - 0.5 + (last - 0.5) / (last - share));
        last = share;
    }
    return d * LAB_PROFILE_MAX;
}

double lab_measure_summit(const SoilState* s, float radius)
{
    double top[4][4] = {{0}}, d = 2.0 * (double)radius, sum = 0.0;
    for (int i = 0; i < s->count; ++i) {
        int column = (int)floor((double)s->px[i] / d) + 2,
            row = (int)floor((double)s->pz[i] / d) + 2;
        if (s->mass[i] > 0 && column >= 0 && column < 4 && row >= 0 && row < 4)
            top[column][row] = fmax(top[column][row], (double)(s->py[i] + s->radius[i]));
    }
    for (int i = 0; i < 16; ++i)
        sum += top[i / 4][i % 4] / 16.0;
    return sum;
}
