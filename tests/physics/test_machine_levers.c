// Claims about machines worked by their levers: they meet their sheets, share their pumps, and take
// no harm from hands that have gone mad.
#include "physics/physics_run.h"
#include "scenes/scenes_levers.h"

#include "base/base_random.h"

#define EXCAVATOR "vehicles/excavator_22t.yaml"
#define DIG       "tests/scenes/dig.levers"

static ScenesLevers scene;

void setUp(void) {}

void tearDown(void) {}

// Dig depth, reach, cut and dump height within 1 % of the sheet.
static void it_reaches_as_far_as_its_sheet(void)
{
    physics_meets_targets("reach");
}

// Full strokes alone within 5 % or 0.2 s; all three together take as long as their oil.
static void strokes_take_their_time(void)
{
    physics_meets_targets("strokes");
}

// ISO 6015: 140.5 and 106.7 kN within 3 %, ended by the relief of the circuit that digs.
static void it_digs_as_hard_as_its_sheet(void)
{
    physics_meets_targets("digforce");
}

// A quarter turn in 2.9 s empty and 3.5 s loaded, within 5 %.
static void it_swings_as_its_sheet(void)
{
    physics_meets_targets("swing");
}

// Three levers share two pumps; at the relief 35 MPa x 187 L/min is all that the engine can do.
static void pumps_are_shared(void)
{
    physics_meets_targets("pump");
}

// --- scripts and mad hands -----------------------------------------------------------------------

static void open_scene(const char* vehicle)
{
    bool fine = scenes_levers_create(&scene, vehicle, DIG);
    TEST_ASSERT_TRUE_MESSAGE(fine, scene.error.text);
}

// The same script gives the same inputs and the same machine, and a state put back in the middle
// goes on to the same end.
static void a_script_is_a_recording(void)
{
    open_scene(EXCAVATOR);
    MachineState middle;
    int frames = 0;
    InputScriptCursor cursor = {0};
    for (bool more = true; more; ++frames) {
        if (frames == 500) {
            middle = *machine_state(scene.machine);
            cursor = scene.cursor;
        }
        more = scenes_levers_frame(&scene);
    }
    uint64_t end = machine_hash(scene.machine);
    TEST_ASSERT_EQUAL_UINT64(0, machine_state(scene.machine)->resets);
    TEST_ASSERT_TRUE(frames > 1400);
    TEST_ASSERT_TRUE(machine_set_state(scene.machine, &middle));
    scene.cursor = cursor;
    while (scenes_levers_frame(&scene)) {
    }
    TEST_ASSERT_TRUE(end == machine_hash(scene.machine));
    scenes_levers_destroy(&scene);
}

// Levers at random stops, changing every frame, and frames of random bytes: for 20 s the machine
// keeps its joints within their stops, turns no faster than its motor, and no number goes bad.
static void mad_hands_do_no_harm(void)
{
    open_scene(EXCAVATOR);
    const MachineGround ground = {.contact = scenes_levers_contact, .tools = true};
    BaseRandom random = base_random(11);
    for (int i = 0; i < 1200; ++i) {
        InputFrame frame;
        unsigned char* byte = (unsigned char*)&frame;
        for (size_t k = 0; k < sizeof frame; ++k)
            byte[k] = (unsigned char)base_random_u32(&random);
        frame.switches &= (uint16_t)~INPUT_SWITCH_LOCK;
        machine_drive(scene.machine, &frame, 1.0 / INPUT_RATE);
        for (int k = 0; k < 4; ++k)
            machine_step(scene.machine, &ground, 1.0 / 240.0);
        for (int a = 0; a < scene.def.cylinder_count; ++a) {
            const MachineCylinder* c = &scene.def.cylinders[a];
            double length = machine_feedback(scene.machine, a).length;
            TEST_ASSERT_DOUBLE_WITHIN(0.5 * (double)c->stroke + 0.02,
                                      (double)c->closed + 0.5 * (double)c->stroke, length);
        }
        TEST_ASSERT_DOUBLE_WITHIN(1.5, 0.0, machine_joint_speed(scene.machine, 1));
    }
    TEST_ASSERT_EQUAL_UINT64(0, machine_state(scene.machine)->resets);
    TEST_ASSERT_TRUE(machine_state(scene.machine)->drive.faults > 1000);
    scenes_levers_destroy(&scene);
}

// The hardest acceleration of the boom, rad/s2, when its lever goes over and back.
static double jolt(InputResponse response)
{
    const MachineGround ground = {.contact = scenes_levers_contact, .tools = true};
    open_scene(EXCAVATOR);
    double last = 0.0, most = 0.0;
    for (int i = 0; i < 240; ++i) {
        InputFrame frame = {.response = (uint8_t)response};
        frame.lever[INPUT_BOOM] = i > 60 && i < 95 ? INPUT_FULL : 0;
        machine_drive(scene.machine, &frame, 1.0 / INPUT_RATE);
        for (int k = 0; k < 4; ++k)
            machine_step(scene.machine, &ground, 1.0 / 240.0);
        double speed = machine_joint_speed(scene.machine, machine_find_body(&scene.def, "boom"));
        double change = (speed > last ? speed - last : last - speed) * INPUT_RATE;
        most = i > 60 && change > most ? change : most;
        last = speed;
    }
    scenes_levers_destroy(&scene);
    return most;
}

// Soft is softer than normal, normal softer than active.
static void settings_are_felt(void)
{
    double soft = jolt(INPUT_RESPONSE_SOFT), normal = jolt(INPUT_RESPONSE_NORMAL);
    double active = jolt(INPUT_RESPONSE_ACTIVE);
    TEST_ASSERT_TRUE(soft < 0.8 * normal);
    TEST_ASSERT_TRUE(normal < 0.9 * active);
}

// --- other machines, same code -------------------------------------------------------------------

static double speed_after(InputFunction function, double lever, const char* actuator,
                          double seconds)
{
    const MachineGround ground = {.contact = scenes_levers_contact, .tools = false};
    int a = machine_find_actuator(&scene.def, actuator);
    InputFrame frame = {0};
    frame.lever[function] = input_quantise((float)lever, NULL);
    double sum = 0.0;
    int frames = (int)(seconds * INPUT_RATE);
    for (int i = 0; i < frames; ++i) {
        machine_drive(scene.machine, &frame, 1.0 / INPUT_RATE);
        for (int k = 0; k < 4; ++k)
            machine_step(scene.machine, &ground, 1.0 / 240.0);
        // the mean over the last quarter of a second
        sum += i >= frames - 15 ? machine_feedback(scene.machine, a).speed / 15.0 : 0.0;
    }
    return sum;
}

// v = Q / A: a dozer's blade goes up at 240 L/min through the rod sides, as far as it can.
static void a_blade_is_a_cylinder_too(void)
{
    open_scene("vehicles/dozer_20t.yaml");
    int lift = machine_find_actuator(&scene.def, "lift");
    const MachineDriveState* drive = &machine_state(scene.machine)->drive;
    double speed = speed_after(INPUT_BLADE, 1.0, "lift", 0.9);
    double flow = drive->flow[lift], area = machine_feedback(scene.machine, lift).area_pull;
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * flow / area, -flow / area, speed);
    TEST_ASSERT_DOUBLE_WITHIN(4.0 / 60000.0, 240.0 / 60000.0, flow);
    scenes_levers_destroy(&scene);
}

// A truck's body goes up at what its pump gives; its engine speeds up for that by itself.
static void a_body_tips(void)
{
    open_scene("vehicles/truck_24t.yaml");
    int tip = machine_find_actuator(&scene.def, "tip");
    const MachineDriveState* drive = &machine_state(scene.machine)->drive;
    double speed = speed_after(INPUT_BODY, 1.0, "tip", 4.0);
    double flow = drive->flow[tip], area = machine_feedback(scene.machine, tip).area_push;
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * flow / area, flow / area, speed);
    TEST_ASSERT_DOUBLE_WITHIN(5.0 / 60000.0, 270.0 / 60000.0, flow);
    scenes_levers_destroy(&scene);
}

// Gas drives it, the brake stops it, and then it stays.
static void a_truck_drives_and_brakes(void)
{
    open_scene("vehicles/truck_24t.yaml");
    double speed = speed_after(INPUT_THROTTLE, 1.0, "drive", 8.0);
    TEST_ASSERT_TRUE(speed > 4.0 && speed < 53.0 / 3.6);
    TEST_ASSERT_DOUBLE_WITHIN(0.05, 0.0, speed_after(INPUT_BRAKE, 1.0, "drive", 6.0));
    Vec3 place = machine_pose(scene.machine, 0).position;
    speed_after(INPUT_BRAKE, 0.0, "drive", 5.0);
    Vec3 moved = vec3_sub(machine_pose(scene.machine, 0).position, place);
    TEST_ASSERT_TRUE(vec3_length(moved) < 0.05f);
    scenes_levers_destroy(&scene);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(it_reaches_as_far_as_its_sheet);
    RUN_TEST(strokes_take_their_time);
    RUN_TEST(it_digs_as_hard_as_its_sheet);
    RUN_TEST(it_swings_as_its_sheet);
    RUN_TEST(pumps_are_shared);
    RUN_TEST(a_script_is_a_recording);
    RUN_TEST(mad_hands_do_no_harm);
    RUN_TEST(settings_are_felt);
    RUN_TEST(a_blade_is_a_cylinder_too);
    RUN_TEST(a_body_tips);
    RUN_TEST(a_truck_drives_and_brakes);
    return UNITY_END();
}
