// Claims about digging: what a bucket holds weighs the same whoever asks.
#include "physics/physics_run.h"

void setUp(void) {}

void tearDown(void) {}

static void meets_its_targets(const char* experiment)
{
    LabOptions options = physics_options();
    physics_run(experiment, &options);
    physics_all_pass();
}

// Cylinders, contacts and books within 2 %, alive and frozen.
static void a_bucket_weighs_what_it_holds(void)
{
    meets_its_targets("payload");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_bucket_weighs_what_it_holds);
    return UNITY_END();
}
