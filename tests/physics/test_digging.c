// Claims about digging: what a bucket holds weighs the same whoever asks, too deep a cut stands, a blade
// leaves ridges.
#include "physics/physics_run.h"

void setUp(void) {}

void tearDown(void) {}

// Cylinders, contacts and books within 2 %, alive and frozen.
static void a_bucket_weighs_what_it_holds(void)
{
    physics_meets_targets("payload");
}

// Too deep a cut in clay: it stands at the relief, the engine is loaded, no energy out of nothing.
static void too_deep_a_cut_stands(void)
{
    physics_meets_targets("stall");
}

// P2 Fig. 7; and mass to the milligram.
static void a_blade_leaves_ridges(void)
{
    physics_meets_targets("ridge");
}

// P2 Fig. 6: clay sticks where sand runs out.
static void clay_leaves_on_a_jerk(void)
{
    physics_meets_targets("clay");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_bucket_weighs_what_it_holds);
    RUN_TEST(too_deep_a_cut_stands);
    RUN_TEST(a_blade_leaves_ridges);
    RUN_TEST(clay_leaves_on_a_jerk);
    return UNITY_END();
}
