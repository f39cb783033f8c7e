// Dust: seldom and strong rather than often and faint, and gone after a while.
#include "view/view_dust.h"

#include "unity.h"

static ViewDust dust;
static const float brown[3] = {0.5f, 0.4f, 0.3f};

void setUp(void)
{
    dust = (ViewDust){0};
}
void tearDown(void) {}

// Eight bits a colour cannot add up hundreds of puffs that are hardly there: none is fainter than a
// tenth, and what is asked for in sum comes all the same.
static void faint_dust_comes_seldom(void)
{
    const float strength = 0.02f;
    float sum = 0.0f;
    int puffs = 0;
    for (int k = 0; k < 4000; ++k) {
        view_dust_raise(&dust, vec3(0, 0, 0), vec3(0, 0, 0), strength, brown);
        for (; dust.count > 0; --dust.count, ++puffs) {
            TEST_ASSERT_TRUE(dust.puff[dust.count - 1].opacity >= 0.1f);
            sum += dust.puff[dust.count - 1].opacity;
        }
    }
    TEST_ASSERT_TRUE(puffs > 200 && puffs < 600);
    TEST_ASSERT_FLOAT_WITHIN(6.0f, 4000 * 0.5f * strength, sum);
    view_dust_raise(&dust, vec3(0, 0, 0), vec3(0, 0, 0), 0.0f, brown);
    TEST_ASSERT_EQUAL_INT(0, dust.count);
}

// It rises, spreads, goes with the wind and is gone within some seconds.
static void it_drifts_and_ends(void)
{
    view_dust_raise(&dust, vec3(1, 2, 3), vec3(0, 0, 0), 1.0f, brown);
    TEST_ASSERT_EQUAL_INT(1, dust.count);
    float radius = dust.puff[0].radius;
    for (int k = 0; k < 60; ++k)
        view_dust_step(&dust, 1.0f / 60.0f, vec3(1, 0, 0));
    TEST_ASSERT_TRUE(dust.puff[0].at.x > 1.3f && dust.puff[0].at.y > 2.0f);
    TEST_ASSERT_TRUE(dust.puff[0].radius > radius + 0.4f);
    for (int k = 0; k < 240; ++k)
        view_dust_step(&dust, 1.0f / 60.0f, vec3(1, 0, 0));
    TEST_ASSERT_EQUAL_INT(0, dust.count);
}

// A full table takes no more and harms nobody.
static void a_full_table_takes_no_more(void)
{
    for (int k = 0; k < 2 * VIEW_PUFFS_MAX; ++k)
        view_dust_raise(&dust, vec3(0, 0, 0), vec3(0, 0, 0), 1.0f, brown);
    TEST_ASSERT_EQUAL_INT(VIEW_PUFFS_MAX, dust.count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(faint_dust_comes_seldom);
    RUN_TEST(it_drifts_and_ends);
    RUN_TEST(a_full_table_takes_no_more);
    return UNITY_END();
}
