#include "sim/sim_stance.h"

#include "base/base_assert.h"

// Twice the area of a triangle, + when it turns to the left.
static double stance_turn(const SimSupport* a, const SimSupport* b, double x, double z)
{
    return (b->x - a->x) * (z - a->z) - (b->z - a->z) * (x - a->x);
}

static int stance_before(const SimSupport* a, const SimSupport* b)
{
    return a->x < b->x || (a->x == b->x && a->z < b->z);
}

// The outline of points (Andrew's chain), closed, all turns to the left.
static int stance_outline(SimSupport* p, int count, SimSupport* hull)
{
    for (int i = 1; i < count; ++i) {
        for (int k = i; k > 0 && stance_before(&p[k], &p[k - 1]); --k) {
            SimSupport swap = p[k];
            p[k] = p[k - 1], p[k - 1] = swap;
        }
    }
    int n = 0;
    for (int pass = 0, floor = 0; pass < 2; ++pass, floor = n) {
        for (int i = 0; i < count; ++i) {
            const SimSupport* next = &p[pass == 0 ? i : count - 1 - i];
            while (n >= floor + 2 &&
                   stance_turn(&hull[n - 2], &hull[n - 1], next->x, next->z) <= 0.0) {
                --n;
            }
            hull[n++] = *next;
        }
        --n; // the last point begins the other half
    }
    return n;
}

double sim_stance_margin(const SimSupport* support, int count)
{
    BASE_ASSERT(count >= 0 && count <= SIM_STANCE_MAX);
    SimSupport point[SIM_STANCE_MAX], hull[2 * SIM_STANCE_MAX + 2];
    double force = 0.0, x = 0.0, z = 0.0, margin = 1e9;
    for (int k = 0; k < count; ++k) {
        point[k] = support[k];
        force += support[k].force;
        x += support[k].force * support[k].x;
        z += support[k].force * support[k].z;
    }
    if (force <= 0.0) {
        return -1.0;
    }
    x /= force, z /= force;
    int n = count >= 3 ? stance_outline(point, count, hull) : 0;
    for (int k = 0; k < n; ++k) {
        const SimSupport *a = &hull[k], *b = &hull[(k + 1) % n];
        double dx = b->x - a->x, dz = b->z - a->z, length = __builtin_sqrt(dx * dx + dz * dz);
        double inside = length > 1e-9 ? stance_turn(a, b, x, z) / length : 1e9;
        margin = inside < margin ? inside : margin;
    }
    return n < 3 || margin < 0.0 ? 0.0 : margin;
}
