// Claims about single contacts, chains and blocks: closed forms the solver must meet.
#include "physics/physics_run.h"

void setUp(void) {}

void tearDown(void) {}

// One grain on a spring and a damper moves as implicit Euler says, for 1 to 40 iterations.
static void one_contact_is_implicit_euler(void)
{
    LabOptions options = physics_options();
    physics_run("spring", &options);
    physics_all_pass();
}

// Ten grains on each other shorten their springs by the weight they carry.
static void chain_carries_its_weight(void)
{
    LabOptions options = physics_options();
    physics_run("chain", &options);
    physics_all_pass();
}

// A block stays below the friction angle and slides above it.
static void block_slides_at_the_friction_angle(void)
{
    LabOptions options = physics_options();
    physics_run("incline", &options);
    physics_all_pass();
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(one_contact_is_implicit_euler);
    RUN_TEST(chain_carries_its_weight);
    RUN_TEST(block_slides_at_the_friction_angle);
    return UNITY_END();
}
