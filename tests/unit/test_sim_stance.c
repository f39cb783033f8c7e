// The margin against tipping, of supports whose answer can be worked out by hand.
#include "sim/sim_stance.h"

#include <math.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

// Two tracks of seven rollers, 3.6 m long, 2.4 m apart; `front` and `right` shift the pressure.
static int tracks(SimSupport out[SIM_STANCE_MAX], double front, double right)
{
    int n = 0;
    for (int side = -1; side <= 1; side += 2) {
        for (int k = -3; k <= 3; ++k) {
            double force = 15e3 * (1.0 + front * k / 3.0) * (1.0 + right * side);
            out[n++] = (SimSupport){0.6 * k, 1.2 * side, force};
        }
    }
    return n;
}

static void expect(double want, const SimSupport* s, int n)
{
    double have = sim_stance_margin(s, n);
    TEST_ASSERT_TRUE_MESSAGE(fabs(have - want) < 1e-9, "margin");
}

// Even pressure: its centre is the middle, 1.2 m from either track.
static void a_machine_in_the_middle(void)
{
    SimSupport s[SIM_STANCE_MAX];
    int n = tracks(s, 0.0, 0.0);
    expect(1.2, s, n);
}

// The right track carries three quarters: the centre is 0.6 m to the right, 0.6 m from that track.
static void a_load_to_the_side(void)
{
    SimSupport s[SIM_STANCE_MAX];
    int n = tracks(s, 0.0, 0.5);
    expect(0.6, s, n);
    n = tracks(s, 0.0, -0.5);
    expect(0.6, s, n);
}

// Pressure that grows evenly from 0 at the rear to double at the front: the mean of k weighted by 1 + k / 3 is
// sum k^2 / 3 / 7 = 28 / 21 = 4/3 rollers, 0.8 m ahead of the middle, 1.0 m from the front edge.
static void a_load_to_the_front(void)
{
    SimSupport s[SIM_STANCE_MAX];
    int n = tracks(s, 1.0, 0.0);
    expect(1.0, s, n);
}

// It stands on its foremost rollers only: it tips, although the others are near the ground.
static void on_the_edge_it_tips(void)
{
    SimSupport s[SIM_STANCE_MAX];
    int n = tracks(s, 0.0, 0.0);
    for (int k = 0; k < n; ++k) {
        s[k].force = s[k].x > 1.7 ? 110e3 : 0.0;
    }
    expect(0.0, s, n);
    // and over one track
    for (int k = 0; k < n; ++k) {
        s[k].force = s[k].z > 0.0 ? 31e3 : 0.0;
    }
    expect(0.0, s, n);
}

// Front rollers hang over a trench and are no support: the edge is 0.6 m behind the middle.
static void what_hangs_free_is_no_support(void)
{
    SimSupport s[SIM_STANCE_MAX], near[SIM_STANCE_MAX];
    int n = tracks(s, 0.0, 0.0), kept = 0;
    for (int k = 0; k < n; ++k) {
        if (s[k].x < -0.5) {
            near[kept++] = s[k];
        }
    }
    // three rollers a side, -1.8 to -0.6 m: the centre is at -1.2, 0.6 m from both ends
    expect(0.6, near, kept);
}

// Pressed up in front, a machine stands on its rear rollers and the bucket: the triangle carries it.
static void a_bucket_is_a_prop(void)
{
    SimSupport s[3] = {{-1.8, -1.2, 80e3}, {-1.8, 1.2, 80e3}, {6.2, 0.0, 40e3}};
    // centre 1.6 m ahead of the rear edge (8 m * 0.2); the sides run from (-1.8, 1.2) to (6.2, 0)
    double side = (8.0 * 1.2 - 1.6 * 1.2) / sqrt(8.0 * 8.0 + 1.2 * 1.2);
    expect(side < 1.6 ? side : 1.6, s, 3);
}

static void no_outline_no_margin(void)
{
    SimSupport line[3] = {{0.0, 0.0, 1e3}, {1.0, 1.0, 1e3}, {2.0, 2.0, 1e3}};
    expect(0.0, line, 3);
    expect(0.0, line, 2);
    SimSupport air[3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    expect(-1.0, air, 3);
    expect(-1.0, air, 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_machine_in_the_middle);
    RUN_TEST(a_load_to_the_side);
    RUN_TEST(a_load_to_the_front);
    RUN_TEST(on_the_edge_it_tips);
    RUN_TEST(what_hangs_free_is_no_support);
    RUN_TEST(a_bucket_is_a_prop);
    RUN_TEST(no_outline_no_margin);
    return UNITY_END();
}
