// Claims about the ground: slopes, faces, swell, and not a milligram lost.
#include "physics/physics_run.h"

void setUp(void) {}

void tearDown(void) {}

static void run_quick(const char* experiment)
{
    LabOptions options = physics_options();
    physics_run(experiment, &options);
    physics_all_pass();
    TEST_ASSERT_TRUE(physics_report.columns > 0);
}

// 30 degrees in sixteen directions, and no drift.
static void a_heap_has_no_favourite_direction(void)
{
    run_quick("slope");
}

static void faces_stand_as_high_as_culmann_says(void)
{
    run_quick("face");
}

static void nothing_is_lost(void)
{
    run_quick("ledger");
    TEST_ASSERT_TRUE(physics_value("transfers") > 1e6);
}

static void a_pit_yields_what_lay_there(void)
{
    run_quick("strata");
    run_quick("swell");
}

// Five seconds after a dump no grain is left, and the heap is its loose mass.
static void a_dump_becomes_ground(void)
{
    run_quick("settle");
}

static void an_undercut_bank_breaks_and_comes_to_rest(void)
{
    run_quick("avalanche");
}

static void a_truck_body_holds_what_geometry_says(void)
{
    run_quick("bin");
}

// The whole experiment, for one worker and for three, to the bit.
static void workers_do_not_matter(void)
{
    LabOptions options = physics_options();
    options.ops = 50000;
    options.threads = 1;
    physics_run("ledger", &options);
    uint64_t one = physics_report.hash;
    options.threads = 3;
    physics_run("ledger", &options);
    TEST_ASSERT_EQUAL_HEX64(one, physics_report.hash);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_heap_has_no_favourite_direction);
    RUN_TEST(faces_stand_as_high_as_culmann_says);
    RUN_TEST(nothing_is_lost);
    RUN_TEST(a_pit_yields_what_lay_there);
    RUN_TEST(a_dump_becomes_ground);
    RUN_TEST(an_undercut_bank_breaks_and_comes_to_rest);
    RUN_TEST(a_truck_body_holds_what_geometry_says);
    RUN_TEST(workers_do_not_matter);
    return UNITY_END();
}
