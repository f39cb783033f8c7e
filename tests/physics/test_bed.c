// Claims about beds at rest (I6, I7, I8): walls feel the weight, contacts make no momentum, nothing sinks.
#include "physics/physics_run.h"

void setUp(void) {}

void tearDown(void) {}

// A deep bed of the trainer's kernel weighs what it weighs, without sinking into itself.
static void bed_weighs_its_weight(void)
{
    LabOptions options = physics_options();
    options.kernel = SOIL_KERNEL_SPLIT;
    physics_run("bed", &options);
    physics_all_pass();
}

// Gauss-Seidel keeps momentum too; the paper's averaging does not, which is why it is no default.
static void averaging_loses_momentum(void)
{
    LabOptions options = physics_options();
    options.kernel = SOIL_KERNEL_GS;
    physics_run("bed", &options);
    TEST_ASSERT_TRUE(physics_value("momentum_residual") < 1e-4);
    options.kernel = SOIL_KERNEL_P2;
    physics_run("bed", &options);
    TEST_ASSERT_TRUE(physics_value("momentum_residual") > 1e-3);
}

// The same command gives the same bits on 1 worker and on 3.
static void workers_do_not_matter(void)
{
    LabOptions options = physics_options();
    options.kernel = SOIL_KERNEL_SPLIT;
    options.grains = 400;
    options.threads = 1;
    physics_run("bed", &options);
    uint64_t one = physics_report.hash;
    options.threads = 3;
    physics_run("bed", &options);
    TEST_ASSERT_EQUAL_HEX64(one, physics_report.hash);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(bed_weighs_its_weight);
    RUN_TEST(averaging_loses_momentum);
    RUN_TEST(workers_do_not_matter);
    return UNITY_END();
}
