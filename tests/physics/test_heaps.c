// Claims about heaps: friction and adhesion make slopes, slopes stay, columns and hoppers flow as
// sand does.
#include "physics/physics_run.h"

void setUp(void) {}

void tearDown(void) {}

// Little friction, then adhesion, then much friction: each heap is steeper (P2 Fig. 3).
static void friction_and_adhesion_make_heaps(void)
{
    LabOptions options = physics_options();
    physics_run("pile", &options);
    physics_all_pass();
}

// Every material stands at its repose angle after the wall is gone, and stays there.
static void slopes_stand_at_repose(void)
{
    LabOptions options = physics_options();
    physics_run("wall", &options);
    physics_all_pass();
}

// Columns of the same sand spread as Lube et al. measured, with nothing tuned again.
static void columns_spread_as_measured(void)
{
    LabOptions options = physics_options();
    physics_run("column", &options);
    physics_all_pass();
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(friction_and_adhesion_make_heaps);
    RUN_TEST(slopes_stand_at_repose);
    RUN_TEST(columns_spread_as_measured);
    return UNITY_END();
}
