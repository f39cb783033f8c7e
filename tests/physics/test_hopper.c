// Claims about flow: steady, and after Beverloo.
#include "physics/physics_run.h"

void setUp(void) {}

void tearDown(void) {}

// The rate through a hole does not depend on time and grows with the power 2.5 of its free width.
static void flow_follows_beverloo(void)
{
    LabOptions options = physics_options();
    physics_run("hopper", &options);
    physics_all_pass();
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(flow_follows_beverloo);
    return UNITY_END();
}
