// The operator's picture of an arm, its levers, and that it does the same again.
#include "base/base_trig.h"
#include "operator/operator.h"
#include "sim/mattock.h"
#include "unity.h"

#include <stdlib.h>
#include <string.h>

static BaseArena arena;
static MachineDef def;
static OperatorArm arm;

void setUp(void) {}

void tearDown(void) {}

static void load(const char* path)
{
    BaseYamlError error;
    const char* missing;
    TEST_ASSERT_TRUE_MESSAGE(machine_load(path, &arena, &def, &error), error.text);
    TEST_ASSERT_TRUE(operator_arm_find(&def, &arm, &missing));
}

// Chance that is the same in every run.
static double between(BaseRandom* random, double low, double high)
{
    return low + (high - low) * (double)base_random_float(random);
}

static void some_joints(BaseRandom* random, double joint[OPERATOR_JOINTS])
{
    joint[OPERATOR_SWING] = between(random, -3.0, 3.0);
    for (int j = OPERATOR_BOOM; j < OPERATOR_JOINTS; ++j) {
        joint[j] = between(random, arm.low[j] + 0.02, arm.high[j] - 0.02);
    }
}

// --- the arm -------------------------------------------------------------------------------------

// The limits are those of the sheet: boom -49..58, stick -154..-34, bucket -136..37 degrees.
static void arm_knows_its_limits(void)
{
    load("vehicles/excavator_22t.yaml");
    const double want[OPERATOR_JOINTS][2] = {{0, 0}, {-49, 58}, {-154, -34}, {-136, 37}};
    for (int j = OPERATOR_BOOM; j < OPERATOR_JOINTS; ++j) {
        TEST_ASSERT_DOUBLE_WITHIN(1.6, want[j][0], arm.low[j] / (double)BASE_DEG);
        TEST_ASSERT_DOUBLE_WITHIN(1.6, want[j][1], arm.high[j] / (double)BASE_DEG);
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 1.2, arm.width);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 1.47, arm.bucket[0]);
}

// Where the operator thinks the teeth are is where the rig has them.
static void tip_is_where_the_rig_has_it(void)
{
    load("vehicles/excavator_22t.yaml");
    Machine* machine = machine_create(&def);
    BaseRandom random = base_random(11);
    const MachineTool* tool = &def.tools[arm.tool];
    Vec3 edge = vec3_mul(vec3_add(tool->edge_a, tool->edge_b), 0.5f);
    Vec3 floor = {-tool->edge_normal.y, tool->edge_normal.x, 0.0f};
    floor = vec3_dot(floor, edge) < 0.0f ? vec3_mul(floor, -1.0f) : floor;
    for (int n = 0; n < 50; ++n) {
        double joint[OPERATOR_JOINTS];
        some_joints(&random, joint);
        machine_place(machine, vec3(3.0f, 1.0f, -2.0f), 0.7f);
        for (int j = 0; j < OPERATOR_JOINTS; ++j) {
            machine_set_joint(machine, arm.body[j], joint[j]);
        }
        OperatorTip tip = operator_arm_tip(&arm, joint);
        Vec3 world = machine_to_world(machine, arm.body[OPERATOR_BUCKET],
                                      vec3_mad(edge, floor, tool->tooth_length));
        Vec3 house = machine_to_body(machine, arm.body[OPERATOR_SWING], world);
        TEST_ASSERT_FLOAT_WITHIN(2e-4f, (float)tip.r, house.x);
        TEST_ASSERT_FLOAT_WITHIN(2e-4f, (float)tip.y, house.y);
    }
    machine_destroy(machine);
}

// Joints -> teeth -> joints is the identity, for every vehicle with an arm.
static void kinematics_are_inverse(void)
{
    const char* const vehicles[] = {"vehicles/excavator_22t.yaml", "vehicles/excavator_2t.yaml"};
    for (int v = 0; v < 2; ++v) {
        load(vehicles[v]);
        BaseRandom random = base_random(7);
        for (int n = 0; n < 200; ++n) {
            double joint[OPERATOR_JOINTS], back[OPERATOR_JOINTS] = {0.0};
            some_joints(&random, joint);
            OperatorTip tip = operator_arm_tip(&arm, joint);
            bool reached = operator_arm_solve(&arm, tip, back);
            OperatorTip again = operator_arm_tip(&arm, back);
            if (reached) {
                TEST_ASSERT_DOUBLE_WITHIN(1e-9, tip.r, again.r);
                TEST_ASSERT_DOUBLE_WITHIN(1e-9, tip.y, again.y);
            }
            for (int j = OPERATOR_BOOM; reached && j < OPERATOR_JOINTS; ++j) {
                TEST_ASSERT_DOUBLE_WITHIN(1e-8, joint[j], back[j]);
            }
            // straight arms are beyond what is reached for
            TEST_ASSERT_TRUE(reached || joint[OPERATOR_STICK] > -0.7);
        }
    }
}

// Joint speeds for a velocity of the teeth give that velocity.
static void speeds_move_the_teeth(void)
{
    load("vehicles/excavator_22t.yaml");
    BaseRandom random = base_random(5);
    for (int n = 0; n < 100; ++n) {
        double joint[OPERATOR_JOINTS], speed[OPERATOR_JOINTS] = {0.0};
        some_joints(&random, joint);
        double vr = between(&random, -2, 2), vy = between(&random, -2, 2);
        double turn = between(&random, -1, 1), h = 1e-6;
        if (!operator_arm_speeds(&arm, joint, vr, vy, turn, speed)) {
            continue;
        }
        OperatorTip a = operator_arm_tip(&arm, joint);
        for (int j = OPERATOR_BOOM; j < OPERATOR_JOINTS; ++j) {
            joint[j] += h * speed[j];
        }
        OperatorTip b = operator_arm_tip(&arm, joint);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, vr, (b.r - a.r) / h);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, vy, (b.y - a.y) / h);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, turn, (b.alpha - a.alpha) / h);
    }
}

// Out of reach is told, and the arm is then stretched that way, within its limits.
static void out_of_reach_is_told(void)
{
    load("vehicles/excavator_22t.yaml");
    double boom, stick;
    TEST_ASSERT_FALSE(operator_arm_reach(&arm, 30.0, 2.0, &boom, &stick));
    TEST_ASSERT_TRUE(boom >= arm.low[OPERATOR_BOOM] && boom <= arm.high[OPERATOR_BOOM]);
    TEST_ASSERT_TRUE(stick >= arm.low[OPERATOR_STICK] && stick <= arm.high[OPERATOR_STICK]);
    TEST_ASSERT_FALSE(operator_arm_reach(&arm, 0.31, 0.91, &boom, &stick));
    TEST_ASSERT_TRUE(base_finite((float)boom) && base_finite((float)stick));
}

// A lever asks for the share of speed that was wanted, behind dead zone and curve, the right way.
static void levers_undo_the_valves_curve(void)
{
    load("vehicles/excavator_22t.yaml");
    Machine* machine = machine_create(&def);
    for (int j = 0; j < OPERATOR_JOINTS; ++j) {
        for (int n = -10; n <= 10; ++n) {
            double share = 0.1 * n;
            double lever = operator_arm_lever(&arm, machine, (OperatorJoint)j, share);
            double asked = (double)input_shape((float)lever, arm.shape);
            TEST_ASSERT_DOUBLE_WITHIN(1e-3, share < 0.0 ? -share : share,
                                      asked < 0.0 ? -asked : asked);
        }
    }
    // + lifts the boom, draws the stick in by a negative joint, turns the house to the left by -
    TEST_ASSERT_TRUE(operator_arm_lever(&arm, machine, OPERATOR_BOOM, 0.5) > 0.0);
    TEST_ASSERT_TRUE(operator_arm_lever(&arm, machine, OPERATOR_STICK, -0.5) > 0.0);
    TEST_ASSERT_TRUE(operator_arm_lever(&arm, machine, OPERATOR_BUCKET, -0.5) > 0.0);
    TEST_ASSERT_TRUE(operator_arm_lever(&arm, machine, OPERATOR_SWING, 0.5) < 0.0);
    machine_destroy(machine);
}

// A vehicle without an arm is refused, and what it lacks is named.
static void a_truck_has_no_arm(void)
{
    BaseYamlError error;
    const char* missing = NULL;
    TEST_ASSERT_TRUE(machine_load("vehicles/truck_24t.yaml", &arena, &def, &error));
    TEST_ASSERT_FALSE(operator_arm_find(&def, &arm, &missing));
    TEST_ASSERT_NOT_NULL(missing);
}

// --- at work -------------------------------------------------------------------------------------

static Mattock* world_of(int threads)
{
    char why[512];
    MattockSetup setup = {.site = "loam", .x = -4.0, .radius = 0.05, .threads = threads};
    Mattock* world = mattock_create(&setup, why, sizeof why);
    TEST_ASSERT_NOT_NULL_MESSAGE(world, why);
    return world;
}

static double work(Mattock* world, int steps)
{
    double most = 0.0;
    for (int n = 0; n < steps && mattock_work(world, NULL); ++n) {
        MattockMachine machine;
        TEST_ASSERT_TRUE(mattock_machine(world, 0, &machine));
        most = machine.payload > most ? machine.payload : most;
    }
    return most;
}

// A state saved in the middle of a pass, brought back, ends in the same bits; with other threads too.
static void a_pass_can_be_taken_up_again(void)
{
    Mattock *world = world_of(1), *other = world_of(3);
    TEST_ASSERT_TRUE(mattock_employ(world, "pit", 1.0, 1, 3));
    TEST_ASSERT_TRUE(mattock_employ(other, "pit", 1.0, 1, 3));
    work(world, 170);
    size_t size = mattock_snapshot_size(world);
    void* kept = malloc(size);
    mattock_snapshot(world, kept);
    double first = work(world, 120);
    uint64_t hash = mattock_hash(world);
    TEST_ASSERT_TRUE(first > 300.0);

    TEST_ASSERT_TRUE(mattock_restore(world, kept, size));
    work(world, 120);
    TEST_ASSERT_EQUAL_HEX64(hash, mattock_hash(world));
    work(other, 290);
    TEST_ASSERT_EQUAL_HEX64(hash, mattock_hash(other));
    TEST_ASSERT_EQUAL_INT64(0, mattock_imbalance(world));

    // an altered state is refused and changes nothing
    ((unsigned char*)kept)[size - 9] ^= 1;
    TEST_ASSERT_FALSE(mattock_restore(world, kept, size));
    TEST_ASSERT_FALSE(mattock_restore(world, kept, 5));
    TEST_ASSERT_EQUAL_HEX64(hash, mattock_hash(world));
    free(kept);
    mattock_destroy(world);
    mattock_destroy(other);
}

// Levers that no hand can give, and questions about what is not there, harm nobody.
static void senseless_requests_are_harmless(void)
{
    Mattock* world = world_of(1);
    double levers[MATTOCK_LEVERS];
    for (int k = 0; k < MATTOCK_LEVERS; ++k) {
        levers[k] = k % 2 ? __builtin_nan("") : 1e30;
    }
    mattock_step(world, levers);
    MattockMachine machine;
    MattockPose pose;
    double force, length;
    TEST_ASSERT_FALSE(mattock_machine(world, 3, &machine));
    TEST_ASSERT_FALSE(mattock_pose(world, 0, 99, &pose));
    TEST_ASSERT_FALSE(mattock_actuator(world, 0, "wing", &force, &length));
    TEST_ASSERT_TRUE(mattock_actuator(world, 0, "boom", &force, &length));
    TEST_ASSERT_TRUE(length > 1.7 && length < 3.1);
    TEST_ASSERT_FALSE(mattock_employ(world, "truck", 1.0, 1, 1)); // there is none
    TEST_ASSERT_FALSE(mattock_employ(world, "tunnel", 1.0, 1, 1));
    TEST_ASSERT_FALSE(mattock_work(world, NULL));
    mattock_destroy(world);
}

int main(void)
{
    base_arena_init(&arena, (size_t)64 << 20);
    UNITY_BEGIN();
    RUN_TEST(arm_knows_its_limits);
    RUN_TEST(tip_is_where_the_rig_has_it);
    RUN_TEST(kinematics_are_inverse);
    RUN_TEST(speeds_move_the_teeth);
    RUN_TEST(out_of_reach_is_told);
    RUN_TEST(levers_undo_the_valves_curve);
    RUN_TEST(a_truck_has_no_arm);
    RUN_TEST(a_pass_can_be_taken_up_again);
    RUN_TEST(senseless_requests_are_harmless);
    int failures = UNITY_END();
    base_arena_free(&arena);
    return failures;
}
