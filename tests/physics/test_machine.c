// Claims about machines: they hold, jack themselves up, tip where moments say, travel and slide.
#include "physics/physics_run.h"

void setUp(void) {}

void tearDown(void) {}

// 100 kN that come and go for 20 s move no cylinder by a millimetre and give no energy.
static void it_holds(void)
{
    physics_meets_targets("hold");
}

// The bucket pushed down lifts the tracks, and carries what moments say.
static void it_jacks_itself_up(void)
{
    physics_meets_targets("jack");
}

// The load that tips it follows from moments, within 2 %.
static void it_tips_where_moments_say(void)
{
    physics_meets_targets("lift");
}

// Speed, turning on the spot, 30 degrees up, and sliding where grip ends.
static void it_travels(void)
{
    physics_meets_targets("travel");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(it_holds);
    RUN_TEST(it_jacks_itself_up);
    RUN_TEST(it_tips_where_moments_say);
    RUN_TEST(it_travels);
    return UNITY_END();
}
