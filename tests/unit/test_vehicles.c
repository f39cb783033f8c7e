// The shipped vehicles, by the same code: they stand, drive, move every tool through its range, and
// have meshes that follow.
#include "base/base_trig.h"
#include "input/input.h"
#include "machine/machine.h"
#include "machine/machine_linkage.h"
#include "view/view_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#define H (1.0 / 240.0)

typedef struct Vehicle {
    const char* path;
    double mass;    // kg, of a maker's sheet
    double speed;   // m/s, most it can do on level ground
    int wants_bins; // how many
} Vehicle;

static const Vehicle vehicles[] = {
    {"vehicles/excavator_22t.yaml", 22000, 5.7 / 3.6, 0},
    {"vehicles/excavator_2t.yaml", 1900, 4.2 / 3.6, 0},
    {"vehicles/dozer_20t.yaml", 20000, 10.5 / 3.6, 0},
    {"vehicles/truck_24t.yaml", 21600, 53.0 / 3.6, 1},
};
#define VEHICLES ((int)(sizeof vehicles / sizeof vehicles[0]))

static BaseArena arena;
static MachineDef def;
static Machine* m;
static char told[160];

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, 64u << 20));
    m = NULL;
}

void tearDown(void)
{
    machine_destroy(m);
    base_arena_free(&arena);
}

// Firm level soil.
static bool level(const void* context, Vec3 point, float reach, MachineContact* out)
{
    (void)context;
    if (point.y > reach)
        return false;
    *out = (MachineContact){.normal = {0, 1, 0},
                            .depth = -point.y,
                            .friction = 0.6f,
                            .stiffness = 2e7f,
                            .capacity = 1e6f};
    return true;
}

// Tools do not touch it: they may move through their whole range.
static const MachineGround ground = {.contact = level};

static void make(const Vehicle* v)
{
    BaseYamlError error;
    machine_destroy(m);
    m = NULL;
    base_arena_rewind(&arena, 0);
    memset(&def, 0, sizeof def);
    TEST_ASSERT_TRUE_MESSAGE(machine_load(v->path, &arena, &def, &error), error.text);
    m = machine_create(&def);
    TEST_ASSERT_NOT_NULL(m);
    machine_place(m, vec3(0, 0, 0), 0.0f);
}

static void run(const InputFrame* input, double seconds)
{
    for (int frame = 0; frame < (int)(seconds * INPUT_RATE + 0.5); ++frame) {
        machine_drive(m, input, 1.0 / INPUT_RATE);
        for (int i = 0; i < 4; ++i)
            machine_step(m, &ground, H);
    }
}

static const char* about(const Vehicle* v, const char* what)
{
    snprintf(told, sizeof told, "%.60s: %.60s", v->path, what);
    return told;
}

// --- standing ------------------------------------------------------------------------------------

// They weigh what the sheet says, and hold still with all levers neutral for ten seconds.
static void they_stand_still(void)
{
    const InputFrame neutral = {0};
    for (int k = 0; k < VEHICLES; ++k) {
        const Vehicle* v = &vehicles[k];
        make(v);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.02 * v->mass, v->mass, def.mass, about(v, "mass"));
        TEST_ASSERT_EQUAL_INT_MESSAGE(v->wants_bins, def.bin_count, about(v, "bins"));
        run(&neutral, 2.0);
        MachineState before = *machine_state(m);
        run(&neutral, 10.0);
        const MachineState* after = machine_state(m);
        for (int i = 0; i < 3; ++i)
            TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, before.position[i], after->position[i],
                                              about(v, "place, m"));
        for (int i = 0; i < 4; ++i)
            TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-4, before.rotation[i], after->rotation[i],
                                              about(v, "attitude"));
        for (int i = 1; i < def.body_count; ++i)
            TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, before.joint[i], after->joint[i],
                                              about(v, def.bodies[i].name));
        TEST_ASSERT_TRUE_MESSAGE(machine_balance(m).margin > 0.2f, about(v, "margin"));
        TEST_ASSERT_EQUAL_UINT64(0, after->resets);
    }
}

// --- driving -------------------------------------------------------------------------------------

static void press(InputFrame* input, InputFunction lever, double value)
{
    input->lever[lever] = (int16_t)(value * INPUT_FULL);
}

static bool is_truck(void)
{
    return def.kind == MACHINE_TRUCK;
}

// Full ahead they go ahead, near the speed of the sheet; let go, they come to a halt.
static void they_drive(void)
{
    for (int k = 0; k < VEHICLES; ++k) {
        const Vehicle* v = &vehicles[k];
        InputFrame input = {0};
        make(v);
        run(&input, 1.0);
        press(&input, INPUT_TRACK_LEFT, 1.0);
        press(&input, INPUT_TRACK_RIGHT, 1.0);
        press(&input, INPUT_THROTTLE, 1.0);
        run(&input, is_truck() ? 25.0 : 8.0);
        float speed = machine_velocity(m, 0).x;
        snprintf(told, sizeof told, "%.60s: %.2f m/s", v->path, (double)speed);
        TEST_ASSERT_TRUE_MESSAGE((double)speed > (is_truck() ? 0.6 : 0.85) * v->speed, told);
        TEST_ASSERT_TRUE_MESSAGE((double)speed < 1.10 * v->speed, told);
        TEST_ASSERT_TRUE_MESSAGE(fabsf(machine_pose(m, 0).position.z) < 0.5f, told);

        input = (InputFrame){0};
        press(&input, INPUT_BRAKE, 1.0);
        run(&input, is_truck() ? 8.0 : 3.0);
        TEST_ASSERT_TRUE_MESSAGE(fabsf(machine_velocity(m, 0).x) < 0.02f, about(v, "halt"));
    }
}

static double heading(void)
{
    Vec3 x = quat_rotate(machine_pose(m, 0).rotation, vec3(1, 0, 0));
    return base_atan2((double)-x.z, (double)x.x); // + to the left
}

// Tracks against each other turn on the spot; the wheel to the right turns the truck to the right.
static void they_turn_to_the_right(void)
{
    for (int k = 0; k < VEHICLES; ++k) {
        const Vehicle* v = &vehicles[k];
        InputFrame input = {0};
        make(v);
        run(&input, 1.0);
        press(&input, INPUT_TRACK_LEFT, 0.7);
        press(&input, INPUT_TRACK_RIGHT, -0.7);
        press(&input, INPUT_STEER, 1.0);
        press(&input, INPUT_THROTTLE, 0.25);
        run(&input, 3.0);
        snprintf(told, sizeof told, "%.60s: %.1f deg", v->path, heading() / BASE_DEG);
        TEST_ASSERT_TRUE_MESSAGE(heading() < -8.0 * BASE_DEG, told);
    }
}

// --- tools ---------------------------------------------------------------------------------------

static int body_of(const MachineFunction* f)
{
    int motor = f->actuator - def.cylinder_count;
    return motor < 0 ? def.cylinders[f->actuator].to : def.motors[motor].body;
}

// What cylinder and end stops allow.
static void range_of(const MachineFunction* f, double* lo, double* hi)
{
    const MachineBody* b = &def.bodies[body_of(f)];
    *lo = b->limited ? (double)b->lower : -BASE_PI;
    *hi = b->limited ? (double)b->upper : BASE_PI;
    bool motor = f->actuator >= def.cylinder_count;
    TEST_ASSERT_TRUE_MESSAGE(motor || machine_reach_range(&def, f->actuator, lo, hi), f->name);
}

// Holds a lever over and gives the joint value where that ends.
static double end_of(const Vehicle* v, const MachineFunction* f, double value)
{
    InputFrame input = {0};
    make(v);
    run(&input, 0.5);
    press(&input, (InputFunction)f->lever, value);
    run(&input, 16.0);
    return machine_joint(m, body_of(f));
}

// Every tool reaches both ends of its range with its lever, and keeps within them.
static void tools_move_through_their_range(void)
{
    for (int k = 0; k < VEHICLES; ++k) {
        const Vehicle* v = &vehicles[k];
        make(v);
        int count = def.drive->hydraulics.function_count, moved = 0;
        for (int i = 0; i < count; ++i) {
            const MachineFunction* f = &def.drive->hydraulics.functions[i];
            if (f->travel || f->gear || (f->turn && f->servo <= 0.0f))
                continue; // trains, and a swing, which has no ends
            double lo, hi;
            char name[64];
            range_of(f, &lo, &hi);
            snprintf(name, sizeof name, "%s", f->name);
            double a = end_of(v, f, 1.0), b = end_of(v, &def.drive->hydraulics.functions[i], -1.0);
            double least = fmin(a, b), most = fmax(a, b), slack = 0.03 * (hi - lo);
            snprintf(told, sizeof told, "%.50s: %.40s goes from %.3f to %.3f, not %.3f to %.3f",
                     v->path, name, least, most, lo, hi);
            TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(slack, lo, least, told);
            TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(slack, hi, most, told);
            ++moved;
        }
        TEST_ASSERT_TRUE_MESSAGE(moved >= 2, about(v, "tools"));
    }
}

// The house of an excavator goes round, to the right with the lever to the right.
static void houses_swing(void)
{
    for (int k = 0; k < 2; ++k) {
        InputFrame input = {0};
        make(&vehicles[k]);
        run(&input, 1.0);
        press(&input, INPUT_SWING, 1.0);
        run(&input, 3.0);
        int house = machine_find_body(&def, "house");
        TEST_ASSERT_TRUE_MESSAGE(machine_joint(m, house) < -60.0 * BASE_DEG, vehicles[k].path);
    }
}

// --- meshes --------------------------------------------------------------------------------------

static void poses_of(const ViewMeshSet* set, ViewMeshPose* out)
{
    MachinePose bodies[MACHINE_BODIES_MAX];
    for (int i = 0; i < def.body_count; ++i)
        bodies[i] = machine_pose(m, i);
    view_mesh_poses(set, &def, bodies, machine_state(m)->travel, out);
}

// Triangles as the renderer can afford them, all of them sound.
static void meshes_keep_their_budget(void)
{
    static const int most[VIEW_MESH_LODS] = {27000, 5000};
    for (int k = 0; k < VEHICLES; ++k) {
        make(&vehicles[k]);
        for (int lod = 0; lod < VIEW_MESH_LODS; ++lod) {
            ViewMeshSet set;
            TEST_ASSERT_TRUE(view_mesh_build(&def, (ViewMeshLod)lod, &arena, &set));
            snprintf(told, sizeof told, "%.60s: %d triangles", vehicles[k].path,
                     set.triangle_count);
            TEST_ASSERT_TRUE_MESSAGE(set.triangle_count > 1000, told);
            TEST_ASSERT_TRUE_MESSAGE(set.triangle_count <= most[lod], told);
            for (int i = 0; i < set.index_count; ++i)
                TEST_ASSERT_TRUE(set.indices[i] < (uint32_t)set.vertex_count);
            for (int i = 0; i < set.vertex_count; ++i) {
                const float* n = set.vertices[i].normal;
                float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                TEST_ASSERT_FLOAT_WITHIN_MESSAGE(1e-3f, 1.0f, length, vehicles[k].path);
                TEST_ASSERT_TRUE(set.vertices[i].material < set.material_count);
            }
        }
    }
}

static Vec3 moved(const ViewMeshPose* pose, Vec3 p)
{
    const float* a = pose->m;
    return vec3(a[0] * p.x + a[4] * p.y + a[8] * p.z + a[12],
                a[1] * p.x + a[5] * p.y + a[9] * p.z + a[13],
                a[2] * p.x + a[6] * p.y + a[10] * p.z + a[14]);
}

static void assert_near(Vec3 wanted, Vec3 got, const char* what)
{
    TEST_ASSERT_FLOAT_WITHIN_MESSAGE(2e-3f, 0.0f, vec3_length(vec3_sub(wanted, got)), what);
}

// Barrel and rod stand on the pins that the rig uses, also through a linkage, after some work.
static void cylinders_follow_their_pins(void)
{
    InputFrame input = {0};
    make(&vehicles[0]);
    press(&input, INPUT_BOOM, 0.6);
    press(&input, INPUT_BUCKET, 0.8);
    press(&input, INPUT_SWING, -0.8);
    run(&input, 1.5);
    ViewMeshSet set;
    TEST_ASSERT_TRUE(view_mesh_build(&def, VIEW_MESH_NEAR, &arena, &set));
    ViewMeshPose* pose = base_arena_alloc(&arena, (size_t)set.pose_count * sizeof *pose);
    poses_of(&set, pose);

    int looked = 0;
    for (int i = 0; i < set.part_count; ++i) {
        const ViewMeshPart* part = &set.parts[i];
        if (part->follow != VIEW_MESH_BARREL && part->follow != VIEW_MESH_ROD)
            continue;
        const MachineCylinder* c = &def.cylinders[part->index];
        Vec3 base = machine_to_world(m, c->from, c->from_pin);
        Vec3 end =
            c->linkage ? machine_knee(m, part->index) : machine_to_world(m, c->to, c->to_pin);
        Vec3 at = moved(&pose[part->first_pose], vec3(-part->offset[0], 0, -part->offset[2]));
        assert_near(part->follow == VIEW_MESH_BARREL ? base : end, at, c->name);
        ++looked;
    }
    TEST_ASSERT_EQUAL_INT(8, looked); // two boom cylinders, stick, bucket; barrel and rod each
}

// A track that has gone one pitch looks as before, one shoe further; in between the lower run goes
// backwards under a machine that drives ahead.
static void shoes_go_round(void)
{
    make(&vehicles[0]);
    ViewMeshSet set;
    TEST_ASSERT_TRUE(view_mesh_build(&def, VIEW_MESH_NEAR, &arena, &set));
    size_t bytes = (size_t)set.pose_count * sizeof(ViewMeshPose);
    ViewMeshPose *still = base_arena_alloc(&arena, bytes), *gone = base_arena_alloc(&arena, bytes);
    MachinePose bodies[MACHINE_BODIES_MAX];
    for (int i = 0; i < def.body_count; ++i)
        bodies[i] = machine_pose(m, i);
    double none[MACHINE_RUNNERS_MAX] = {0}, pitch[MACHINE_RUNNERS_MAX], bit[MACHINE_RUNNERS_MAX];
    for (int i = 0; i < MACHINE_RUNNERS_MAX; ++i) {
        pitch[i] = (double)set.tracks[0].pitch;
        bit[i] = 0.05;
    }
    int part = 0;
    while (set.parts[part].follow != VIEW_MESH_SHOE)
        ++part;
    int first = set.parts[part].first_pose, count = set.parts[part].pose_count;
    view_mesh_poses(&set, &def, bodies, none, still);
    view_mesh_poses(&set, &def, bodies, pitch, gone);
    for (int k = 0; k < count; ++k)
        assert_near(moved(&still[first + (k + count - 1) % count], vec3(0, 0, 0)),
                    moved(&gone[first + k], vec3(0, 0, 0)), "shoe");
    view_mesh_poses(&set, &def, bodies, bit, gone);
    int lower = 0;
    for (int k = 0; k < count; ++k) {
        Vec3 a = moved(&still[first + k], vec3(0, 0, 0)),
             b = moved(&gone[first + k], vec3(0, 0, 0));
        if (a.y > 0.06f || fabsf(a.x) > 1.2f)
            continue;
        TEST_ASSERT_FLOAT_WITHIN(1e-3f, -0.05f, b.x - a.x);
        ++lower;
    }
    TEST_ASSERT_TRUE(lower > 8);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(they_stand_still);
    RUN_TEST(they_drive);
    RUN_TEST(they_turn_to_the_right);
    RUN_TEST(tools_move_through_their_range);
    RUN_TEST(houses_swing);
    RUN_TEST(meshes_keep_their_budget);
    RUN_TEST(cylinders_follow_their_pins);
    RUN_TEST(shoes_go_round);
    return UNITY_END();
}
