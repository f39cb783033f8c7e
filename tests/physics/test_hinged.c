// Claims about grains and bodies: what a hinged body gets is what its contacts give.
#include "physics/physics_run.h"

void setUp(void) {}

void tearDown(void) {}

// P2 Fig. 4, and momentum balanced to 1e-5: of the plank, of its stand, of the grains.
static void a_heap_tilts_a_plank(void)
{
    physics_meets_targets("plank");
}

static void falling_grains_turn_a_wheel(void)
{
    physics_meets_targets("wheel");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_heap_tilts_a_plank);
    RUN_TEST(falling_grains_turn_a_wheel);
    return UNITY_END();
}
