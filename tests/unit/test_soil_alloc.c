// No step takes or gives memory, on any thread: the heap and mmap are counted while one runs.
#include "scenes/scenes_churn.h"
#include "unit/count_alloc.h"

#define FRAMES 40

void setUp(void) {}
void tearDown(void) {}

static void watch_steps(SoilKernel kernel, int workers)
{
    Soil* soil = scenes_churn_create(kernel);
    Jobs* jobs = jobs_create(workers);
    TEST_ASSERT_NOT_NULL(soil);
    TEST_ASSERT_NOT_NULL(jobs);

    call_the_roll(jobs);

    // from the very first step on, with births and deaths in between
    watch();
    for (int i = 0; i < FRAMES; ++i) {
        scenes_churn_step(soil, jobs);
    }
    (void)soil_hash(soil);
    TEST_ASSERT_EQUAL_INT(0, watched());
    jobs_destroy(jobs);
    soil_destroy(soil);
}

static void a_step_allocates_nothing(void)
{
    for (int k = 0; k < SOIL_KERNEL_COUNT; ++k) {
        watch_steps((SoilKernel)k, 1);
        watch_steps((SoilKernel)k, 3);
    }
}

int main(void)
{
    start_counting();
    UNITY_BEGIN();
    RUN_TEST(counting_counts);
    RUN_TEST(a_step_allocates_nothing);
    return UNITY_END();
}
