// Nothing that happens to the ground in a step takes or gives memory.
#include "scenes/scenes_ground.h"
#include "unit/count_alloc.h"

void setUp(void) {}
void tearDown(void) {}

static void watch_steps(int workers)
{
    Terrain* t = scenes_ground_create(45, 37);
    Jobs* jobs = jobs_create(workers);
    TEST_ASSERT_NOT_NULL(t);
    TEST_ASSERT_NOT_NULL(jobs);
    call_the_roll(jobs);
    ScenesGround g = scenes_ground_chance(3);

    watch();
    for (int i = 0; i < 40; ++i) {
        scenes_ground_step(t, &g, jobs);
    }
    (void)terrain_hash(t);
    (void)terrain_audit(t);
    TEST_ASSERT_EQUAL_INT(0, watched());
    jobs_destroy(jobs);
    terrain_destroy(t);
}

static void a_step_allocates_nothing(void)
{
    watch_steps(1);
    watch_steps(3);
}

int main(void)
{
    start_counting();
    UNITY_BEGIN();
    RUN_TEST(counting_counts);
    RUN_TEST(a_step_allocates_nothing);
    return UNITY_END();
}
