// Claims about machines: they hold, jack themselves up, tip where moments say, travel and slide.
#include "physics/physics_run.h"

void setUp(void) {}

void tearDown(void) {}

static void meets_its_targets(const char* experiment)
{
    LabOptions options = physics_options();
    physics_run(experiment, &options);
    physics_all_pass();
}

// 100 kN that come and go for 20 s move no cylinder by a millimetre and give no energy.
static void it_holds(void)
{
    meets_its_targets("hold");
}

// The bucket pushed down lifts the tracks, and carries what moments say.
static void it_jacks_itself_up(void)
{
    meets_its_targets("jack");
}

// The load that tips it follows from moments, within 2 %.
static void it_tips_where_moments_say(void)
{
    meets_its_targets("lift");
}

// Speed, turning on the spot, 30 degrees up, and sliding where grip ends.
static void it_travels(void)
{
    meets_its_targets("travel");
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
