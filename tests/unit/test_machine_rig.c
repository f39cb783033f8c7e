// The rig: conservation, rows and their bounds, state, and trees other than an excavator's.
#include "lab/lab_machine_scene.h"
#include "machine/machine_internal.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#define H (1.0 / 240.0)

static BaseArena arena;
static MachineDef def;
static Machine* m;

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

static void make(const char* path)
{
    BaseYamlError error;
    memset(&def, 0, sizeof def);
    TEST_ASSERT_TRUE_MESSAGE(machine_load(path, &arena, &def, &error), error.text);
    m = machine_create(&def);
    TEST_ASSERT_NOT_NULL(m);
}

static void make_excavator(void)
{
    make("vehicles/excavator_22t.yaml");
}

static void make_text(const char* text)
{
    char path[] = "/tmp/mattock_machine_XXXXXX";
    int handle = mkstemp(path);
    TEST_ASSERT_TRUE(handle >= 0);
    TEST_ASSERT_EQUAL_INT((int)strlen(text), (int)write(handle, text, strlen(text)));
    close(handle);
    make(path);
    unlink(path);
}

static void let_go(void)
{
    for (int i = 0; i < def.actuator_count; ++i)
        machine_command(m, i, (MachineCommand){0});
}

static bool flat(const void* context, Vec3 point, float reach, MachineContact* out)
{
    const float* friction = context;
    if (point.y > reach)
        return false;
    *out = (MachineContact){.normal = {0, 1, 0},
                            .depth = -point.y,
                            .friction = *friction,
                            .stiffness = 2e7f,
                            .capacity = 1e6f};
    return true;
}

static const float rough = 0.6f;

static MachineGround level(void)
{
    return (MachineGround){.context = &rough, .contact = flat, .tools = true};
}

static void wait(const MachineGround* ground, double seconds)
{
    for (int i = 0; i < (int)(seconds / H + 0.5); ++i)
        machine_step(m, ground, H);
}

// --- conservation ----------------------------------------------------------------------------------

static S6 momentum(void)
{
    const MachineFrame* frame = m->work->frame;
    S6 sum = {{0, 0, 0}, {0, 0, 0}};
    MachineInertia all = {0};
    for (int i = 0; i < def.body_count; ++i) {
        sum = s6_add(sum, inertia_mul(&frame[i].inertia, frame[i].speed));
        all.mass += frame[i].inertia.mass;
        all.first = d3_add(all.first, frame[i].inertia.first);
    }
    // about the centre of mass
    sum.a = d3_sub(sum.a, d3_cross(d3_mul(all.first, 1.0 / all.mass), sum.l));
    return sum;
}

// Tumbling freely with all joints loose, it gains what gravity gives and keeps its spin.
static void momentum_is_conserved_in_flight(void)
{
    make_excavator();
    def.motors[0].inertia = 0.0f; // of a rotor that the sum below would have to know
    for (int i = 0; i < def.body_count; ++i)
        def.bodies[i].damping = 0.0f;
    MachineState s = *machine_state(m);
    const double v[10] = {1.0, 9.0, -2.0, 0.4, -0.3, 0.5, 0.3, -0.5, 0.4, 0.6};
    memcpy(s.velocity, v, sizeof v);
    TEST_ASSERT_TRUE(machine_set_state(m, &s));
    let_go();
    S6 start = momentum();
    double energy = machine_energy(m);
    for (int i = 0; i < 960; ++i)
        machine_step(m, NULL, H / 4.0);
    S6 end = momentum();
    double size = d3_length(start.a);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * size, 0.0, d3_length(d3_sub(end.a, start.a)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * def.mass, -9.81 * def.mass, end.l.y - start.l.y);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * def.mass, 0.0, end.l.x - start.l.x);
    TEST_ASSERT_DOUBLE_WITHIN(2e-3 * fabs(energy), energy, machine_energy(m));
}

// Half v' M v is the energy that the bodies have.
static void mass_matrix_holds_the_energy(void)
{
    make_excavator();
    MachineState s = *machine_state(m);
    for (int i = 0; i < def.dof_count; ++i)
        s.velocity[i] = 0.3 - 0.07 * i;
    TEST_ASSERT_TRUE(machine_set_state(m, &s));
    double moving = machine_energy(m), sum = 0.0;
    machine_rig_mass(m);
    for (int i = 0; i < def.dof_count; ++i)
        for (int k = 0; k < def.dof_count; ++k)
            sum +=
                0.5 * s.velocity[i] * s.velocity[k] * m->work->mass[i > k ? i : k][i > k ? k : i];
    memset(s.velocity, 0, sizeof s.velocity);
    TEST_ASSERT_TRUE(machine_set_state(m, &s));
    TEST_ASSERT_DOUBLE_WITHIN(1e-8 * moving, moving - machine_energy(m), sum);
}

// Shaken as hard as its cylinders can on hilly ground, it stays finite and keeps its limits.
static void wild_driving_stays_sane(void)
{
    make_excavator();
    MachineGround ground = lab_machine_hills();
    machine_place(m, vec3(0, 0.4f, 0), 0.3f);
    for (int frame = 0; frame < 1800; ++frame) {
        lab_machine_frame(m, &ground, frame);
        for (int i = 0; i < def.cylinder_count; ++i) {
            double length = machine_feedback(m, i).length, closed = (double)def.cylinders[i].closed;
            TEST_ASSERT_TRUE(length > closed - 0.01);
            TEST_ASSERT_TRUE(length < closed + (double)def.cylinders[i].stroke + 0.01);
        }
    }
    TEST_ASSERT_EQUAL_UINT64(0, machine_state(m)->resets);
    TEST_ASSERT_TRUE(vec3_length(machine_velocity(m, 0)) < 20.0f);
}

// --- rows ------------------------------------------------------------------------------------------

// A cylinder gives its relief and no more; stronger, it reaches the speed asked for.
static void cylinder_stalls_at_its_relief(void)
{
    make_excavator();
    MachineGround ground = level();
    wait(&ground, 2.0);
    double holds = machine_feedback(m, 0).effort;
    machine_command(m, 0, (MachineCommand){0.2, 0.5 * holds, 1e6});
    wait(&ground, 0.25);
    TEST_ASSERT_DOUBLE_WITHIN(1.0, 0.5 * holds, machine_feedback(m, 0).effort);
    TEST_ASSERT_TRUE(machine_feedback(m, 0).speed < -0.05);
    machine_command(m, 0, (MachineCommand){0.2, 3.0 * holds, 1e6});
    wait(&ground, 1.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.2, machine_feedback(m, 0).speed);
}

// The end of the stroke stops it, without bouncing, and holds.
static void stroke_ends(void)
{
    make_excavator();
    MachineGround ground = level();
    machine_command(m, 2, (MachineCommand){0.5, 1e6, 1e6});
    wait(&ground, 5.0);
    double end = (double)def.cylinders[2].closed + (double)def.cylinders[2].stroke;
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, end, machine_feedback(m, 2).length);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.0, machine_feedback(m, 2).speed);
    TEST_ASSERT_DOUBLE_WITHIN(1.0, 1e6, machine_feedback(m, 2).effort);
}

// A row from outside pulls as hard as it may, is heard back, and is gone in the next step.
static void outer_rows_keep_their_bounds(void)
{
    make_text("title: Stone\nclass: object\nbodies:\n  stone: {mass: 100 kg, com: [0, 0, 0], "
              "inertia: [10, 10, 10]}\n");
    MachineRow up = {.point = {0, 0, 0},
                     .direction = {0, 1, 0},
                     .speed = 1.0,
                     .lo = 0.0,
                     .hi = 10.0,
                     .limiter = -1};
    int row = machine_add_row(m, &up);
    machine_step(m, NULL, H);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 10.0, machine_row_impulse(m, row));
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, (float)(0.1 - 9.81 * H), machine_velocity(m, 0).y);
    up.hi = 1e6;
    row = machine_add_row(m, &up);
    // its friction, limited by what it gives
    MachineRow side = {
        .point = {0, 0, 0}, .direction = {1, 0, 0}, .speed = 5.0, .limiter = row, .friction = 0.5};
    int second = machine_add_row(m, &side);
    machine_step(m, NULL, H);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 1.0f, machine_velocity(m, 0).y);
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, 0.5 * machine_row_impulse(m, row),
                              machine_row_impulse(m, second));
    float before = machine_velocity(m, 0).y;
    machine_step(m, NULL, H);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, before - (float)(9.81 * H), machine_velocity(m, 0).y);
    for (int i = 0; i < MACHINE_ROWS_MAX; ++i)
        TEST_ASSERT_EQUAL_INT(i, machine_add_row(m, &up));
    TEST_ASSERT_EQUAL_INT(-1, machine_add_row(m, &up));
    TEST_ASSERT_EQUAL_UINT64(1, machine_state(m)->refused_rows);
}

// Rollers carry the weight, at 240 Hz as at 480 Hz; a load carried is carried by them too.
static void rollers_carry_the_weight(void)
{
    double height[2];
    make_excavator();
    MachineGround ground = level();
    for (int rate = 0; rate < 2; ++rate) {
        machine_place(m, vec3(0, 0, 0), 0.0f);
        for (int i = 0; i < 1200 << rate; ++i)
            machine_step(m, &ground, H / (1 << rate));
        MachineRoller roller[MACHINE_ROLLERS_MAX];
        double sum = 0.0;
        for (int i = 0; i < machine_rollers(m, roller); ++i)
            sum += (double)roller[i].force;
        TEST_ASSERT_DOUBLE_WITHIN(50.0, 9.81 * def.mass, sum);
        height[rate] = machine_state(m)->position[1];
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, height[0], height[1]);
    machine_set_load(m, machine_find_body(&def, "bucket"), 2000.0, vec3(0.6f, 0.3f, 0), NULL);
    wait(&ground, 4.0);
    double sum = 0.0;
    for (int i = 0; i < def.roller_count; ++i)
        sum += machine_state(m)->pressed[i];
    TEST_ASSERT_DOUBLE_WITHIN(50.0, 9.81 * (def.mass + 2000.0), sum);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, def.mass + 2000.0, machine_balance(m).mass);
}

// Over the side and in free fall, stick pulled in: the bucket meets the track and stays out of it,
// however hard the cylinder pulls.
static void own_steel_is_solid(void)
{
    make_excavator();
    machine_set_joint(m, 1, -90.0 * BASE_DEG);
    machine_set_joint(m, 2, -20.0 * BASE_DEG);
    machine_set_joint(m, 3, -100.0 * BASE_DEG);
    machine_set_joint(m, 4, -30.0 * BASE_DEG);
    machine_command(m, 1, (MachineCommand){0.4, 5.4e5, 4e5});
    int met = 0;
    for (int i = 0; i < 960; ++i) {
        machine_step(m, NULL, H);
        for (int k = 0; k < m->work->touch_count; ++k) {
            TEST_ASSERT_TRUE(m->work->touch[k].depth < 0.005);
            met += m->work->touch[k].depth > 0.0;
        }
    }
    TEST_ASSERT_TRUE(met > 100);
    TEST_ASSERT_DOUBLE_WITHIN(1.0, 5.4e5, machine_feedback(m, 1).effort);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.0, machine_feedback(m, 1).speed);
}

// Set down on its side it falls over, lies still and is not thrown into the air.
static void it_tips_over_and_lies(void)
{
    make_excavator();
    MachineGround ground = level();
    MachineState s = *machine_state(m);
    D4 roll = d4_about(d3(1, 0, 0), 1.0);
    s.rotation[0] = roll.x, s.rotation[3] = roll.w;
    s.position[1] = 1.8;
    TEST_ASSERT_TRUE(machine_set_state(m, &s));
    double energy = machine_energy(m);
    for (int i = 0; i < 12; ++i) {
        wait(&ground, 1.0);
        TEST_ASSERT_TRUE(machine_energy(m) < energy + 50.0);
        energy = machine_energy(m);
    }
    Vec3 up = quat_rotate(machine_pose(m, 0).rotation, vec3(0, 1, 0));
    TEST_ASSERT_TRUE(up.y < 0.3f);
    TEST_ASSERT_TRUE(vec3_length(machine_velocity(m, 0)) < 0.02f);
    TEST_ASSERT_EQUAL_UINT64(0, machine_state(m)->resets);
}

// --- state -----------------------------------------------------------------------------------------

// Saved and restored, it goes on to the last bit; a state that is no state is refused.
static void state_is_all_there_is(void)
{
    make_excavator();
    MachineGround ground = lab_machine_hills();
    for (int frame = 0; frame < 100; ++frame)
        lab_machine_frame(m, &ground, frame);
    MachineState saved = *machine_state(m);
    uint64_t at_save = machine_hash(m);
    for (int frame = 100; frame < 200; ++frame)
        lab_machine_frame(m, &ground, frame);
    uint64_t later = machine_hash(m);
    TEST_ASSERT_TRUE(later != at_save);

    Machine* other = machine_create(&def);
    TEST_ASSERT_TRUE(machine_set_state(other, &saved));
    TEST_ASSERT_EQUAL_HEX64(at_save, machine_hash(other));
    for (int frame = 100; frame < 200; ++frame)
        lab_machine_frame(other, &ground, frame);
    TEST_ASSERT_EQUAL_HEX64(later, machine_hash(other));
    TEST_ASSERT_EQUAL_MEMORY(machine_state(m), machine_state(other), sizeof(MachineState));
    machine_destroy(other);

    MachineState bad = saved;
    bad.velocity[3] = NAN;
    TEST_ASSERT_FALSE(machine_set_state(m, &bad));
    bad = saved;
    bad.rotation[3] += 1.0;
    TEST_ASSERT_FALSE(machine_set_state(m, &bad));
    bad = saved;
    bad.position[0] = 1e9;
    TEST_ASSERT_FALSE(machine_set_state(m, &bad));
    TEST_ASSERT_EQUAL_HEX64(later, machine_hash(m));
}

// Every byte of a state counts in its hash.
static void hash_sees_every_byte(void)
{
    make_excavator();
    MachineState s = *machine_state(m);
    uint64_t whole = machine_hash(m);
    for (size_t i = 0; i < sizeof s; i += 8) {
        unsigned char* byte = (unsigned char*)&m->state + i;
        *byte ^= 1;
        TEST_ASSERT_TRUE_MESSAGE(machine_hash(m) != whole, "a byte that no hash sees");
        *byte ^= 1;
    }
    TEST_ASSERT_EQUAL_HEX64(whole, machine_hash(m));
}

// Where a body's point is, and back again.
static void points_go_there_and_back(void)
{
    make_excavator();
    machine_place(m, vec3(30, 2, -7), 1.2f);
    int bucket = machine_find_body(&def, "bucket");
    Vec3 local = {1.4f, 0.2f, -0.6f}, world = machine_to_world(m, bucket, local);
    MachinePose pose = machine_pose(m, bucket);
    Vec3 same = vec3_add(pose.position, quat_rotate(pose.rotation, local));
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.0f, vec3_length(vec3_sub(world, same)));
    Vec3 back = machine_to_body(m, bucket, world);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.0f, vec3_length(vec3_sub(back, local)));
    // heading turns +x towards -z
    TEST_ASSERT_TRUE(world.z < -7.0f);
}

// --- other trees -----------------------------------------------------------------------------------

static const char* const truck =
    "title: Dump truck\nclass: truck\nbodies:\n"
    "  rear: {mass: 9000 kg, com: [-0.5, 1.2, 0], inertia: [6000, 12000, 12000]}\n"
    "  front: {parent: rear, joint: hinge, pin: [1.5, 1.0, 0], axis: [0, 1, 0], angle: [-40 deg, "
    "40 deg],"
    " mass: 8000 kg, com: [1.5, 0.3, 0], inertia: [5000, 9000, 9000]}\n"
    "  body: {parent: rear, joint: hinge, pin: [-3, 1.6, 0], axis: [0, 0, 1], angle: [0 deg, 44 "
    "deg],"
    " mass: 4000 kg, com: [2.2, 0.6, 0], inertia: [4000, 8000, 8000]}\n"
    "cylinders:\n"
    "  tip: {from: rear, to: body, from_pin: [-1.9, 1.0, 0], to_pin: [1.6, 0.2, 0], bore: 200 mm, "
    "rod: 120 mm,"
    " closed: 940 mm, stroke: 937 mm, relief: 20 MPa, count: 2}\n"
    "  steer: {from: rear, to: front, from_pin: [0.3, 1.0, 0.4], to_pin: [0.7, 0, 0.4], bore: 100 "
    "mm, rod: 50 mm,"
    " closed: 1300 mm, stroke: 1200 mm, relief: 20 MPa}\n"
    "trains:\n  wheels: {force: 150 kN}\n"
    "runners:\n"
    "  fl: {body: front, train: wheels, center: [1.6, -0.1, -1.1], radius: 0.9 m, width: 0.7 m, "
    "stiffness: 1.2e6 N/m,"
    " damping: 2e4, along: 1.2, across: 1.2, rolling: 0.03, mass: 300 kg}\n"
    "  fr: {body: front, train: wheels, center: [1.6, -0.1, 1.1], radius: 0.9 m, width: 0.7 m, "
    "stiffness: 1.2e6 N/m,"
    " damping: 2e4, along: 1.2, across: 1.2, rolling: 0.03, mass: 300 kg}\n"
    "  rl: {body: rear, train: wheels, center: [-2, 0.9, -1.1], radius: 0.9 m, width: 0.7 m, "
    "stiffness: 1.2e6 N/m,"
    " damping: 2e4, along: 1.2, across: 1.2, rolling: 0.03, mass: 300 kg}\n"
    "  rr: {body: rear, train: wheels, center: [-2, 0.9, 1.1], radius: 0.9 m, width: 0.7 m, "
    "stiffness: 1.2e6 N/m,"
    " damping: 2e4, along: 1.2, across: 1.2, rolling: 0.03, mass: 300 kg}\n"
    "shapes:\n  floor: {body: body, shape: box, center: [2, 0.3, 0], half: [2.5, 0.1, 1.3]}\n";

// A truck drives, steers on its bent frame, loads and tips its body with the same code.
static void a_truck_is_only_data(void)
{
    make_text(truck);
    MachineGround ground = level();
    wait(&ground, 3.0);
    TEST_ASSERT_TRUE(machine_balance(m).margin > 0.8f);
    machine_command(m, 2, (MachineCommand){3.0, 150e3, 150e3});
    wait(&ground, 5.0);
    TEST_ASSERT_FLOAT_WITHIN(0.05f, 3.0f, vec3_length(machine_velocity(m, 0)));
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 0.0, machine_slip(m, 0));
    machine_command(m, 1, (MachineCommand){0.1, 1e5, 1e5});
    wait(&ground, 2.0);
    machine_command(m, 1, (MachineCommand){0.0, 1e5, 1e5});
    wait(&ground, 4.0);
    double bend = machine_joint(m, 1);
    Vec3 spin = machine_spin(m, 0);
    TEST_ASSERT_TRUE(fabs(bend) > 0.2);
    TEST_ASSERT_TRUE((double)spin.y * bend > 0.05);
    machine_command(m, 2, (MachineCommand){0.0, 150e3, 150e3});
    machine_set_load(m, 2, 15000.0, vec3(2.2f, 1.0f, 0), NULL);
    wait(&ground, 4.0);
    machine_command(m, 0, (MachineCommand){0.1, 1e6, 1e6});
    wait(&ground, 12.0);
    TEST_ASSERT_TRUE(machine_joint(m, 2) > 40.0 * BASE_DEG);
    TEST_ASSERT_EQUAL_UINT64(0, machine_state(m)->resets);
}

// A blade on a slide goes down, lifts the nose of its tractor, and comes up again.
static void a_slide_is_a_joint_too(void)
{
    make_text(
        "title: Pusher\nclass: dozer\nbodies:\n"
        "  tractor: {mass: 15000 kg, com: [-0.2, 0.9, 0], inertia: [9000, 18000, 16000]}\n"
        "  blade: {parent: tractor, joint: slide, pin: [2.6, 0.6, 0], axis: [0, 1, 0],"
        " travel: [-0.5 m, 0.9 m], mass: 1500 kg, com: [0.1, 0, 0], inertia: [1500, 1500, 200]}\n"
        "cylinders:\n  lift: {from: tractor, to: blade, from_pin: [2.2, 3.6, 0], to_pin: [-0.2, "
        "0.3, 0],"
        " bore: 100 mm, rod: 55 mm, closed: 1800 mm, stroke: 1420 mm, relief: 20 MPa, count: 2}\n"
        "  dummy: {from: tractor, to: blade, from_pin: [2.2, 3.6, 0], to_pin: [-0.2, 0.3, 0],"
        " bore: 100 mm, rod: 55 mm, closed: 1800 mm, stroke: 1425 mm, relief: 20 MPa}\n"
        "runners:\n"
        "  left: {body: tractor, rollers: 6, center: [0, 0, -1], length: 2.6 m, width: 0.5 m, "
        "stiffness: 1e7 N/m,"
        " along: 1.5, across: 1.3, mass: 600 kg}\n"
        "  right: {body: tractor, rollers: 6, center: [0, 0, 1], length: 2.6 m, width: 0.5 m, "
        "stiffness: 1e7 N/m,"
        " along: 1.5, across: 1.3, mass: 600 kg}\n"
        "shapes:\n  plate: {body: blade, shape: box, center: [0.1, 0, 0], half: [0.1, 0.55, "
        "1.6]}\n");
    MachineGround ground = level();
    machine_command(m, 1, (MachineCommand){0});
    wait(&ground, 2.0);
    machine_command(m, 0, (MachineCommand){0.2, 6e5, 6e5});
    wait(&ground, 6.0);
    Vec3 forward = quat_rotate(machine_pose(m, 0).rotation, vec3(1, 0, 0));
    TEST_ASSERT_TRUE(forward.y > 0.05f);
    machine_command(m, 0, (MachineCommand){-0.2, 6e5, 6e5});
    wait(&ground, 6.0);
    forward = quat_rotate(machine_pose(m, 0).rotation, vec3(1, 0, 0));
    TEST_ASSERT_FLOAT_WITHIN(0.02f, 0.0f, forward.y);
    TEST_ASSERT_TRUE(machine_joint(m, 1) > 0.5);
}

// A pipe dropped on the ground lies there; two machines know where they touch.
static void a_pipe_is_a_machine(void)
{
    make_text("title: Pipe\nclass: object\nbodies:\n  pipe: {mass: 400 kg, com: [0, 0, 0],"
              " inertia: [20, 540, 540]}\nshapes:\n"
              "  pipe: {body: pipe, shape: capsule, a: [-2, 0, 0], b: [2, 0, 0], radius: 0.3 m}\n");
    MachineGround ground = level();
    machine_place(m, vec3(0, 1.5f, 0), 0.4f);
    wait(&ground, 4.0);
    TEST_ASSERT_FLOAT_WITHIN(0.01f, 0.3f, machine_pose(m, 0).position.y);
    TEST_ASSERT_TRUE(vec3_length(machine_velocity(m, 0)) < 1e-3f);

    Machine* other = machine_create(&def);
    machine_place(other, vec3(0, 0.85f, 0), 0.4f);
    MachineTouch touch[4];
    int count = machine_touches(other, m, 0.1f, touch, 4);
    TEST_ASSERT_TRUE(count >= 3);
    TEST_ASSERT_TRUE(touch[0].normal.y > 0.99f);
    TEST_ASSERT_FLOAT_WITHIN(0.02f, 0.05f, touch[0].depth);
    machine_place(other, vec3(0, 2.0f, 0), 0.4f);
    TEST_ASSERT_EQUAL_INT(0, machine_touches(other, m, 0.1f, touch, 4));
    machine_destroy(other);
}

// Every vehicle that is shipped stands, still and safely, on all its rollers; driven hard on hills it stays sane.
static void stand_and_drive(const char* path)
{
    make(path);
    MachineGround ground = level();
    wait(&ground, 5.0);
    double sum = 0.0;
    for (int i = 0; i < def.roller_count; ++i)
        sum += machine_state(m)->pressed[i];
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.002 * 9.81 * def.mass, 9.81 * def.mass, sum, path);
    TEST_ASSERT_TRUE_MESSAGE(machine_balance(m).margin > 0.2f, path);
    TEST_ASSERT_TRUE_MESSAGE(vec3_length(machine_velocity(m, 0)) < 1e-3f, path);
    ground = lab_machine_hills();
    machine_place(m, vec3(0, 1.0f, 0), 0.0f);
    for (int frame = 0; frame < 600; ++frame)
        lab_machine_frame(m, &ground, frame);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, machine_state(m)->resets, path);
    TEST_ASSERT_TRUE_MESSAGE(vec3_length(machine_velocity(m, 0)) < 20.0f, path);
    machine_destroy(m);
    m = NULL;
}

static void shipped_vehicles_stand_and_drive(void)
{
    DIR* list = opendir("vehicles");
    TEST_ASSERT_NOT_NULL_MESSAGE(list, "run from the root of the repository");
    for (struct dirent* entry; (entry = readdir(list)) != NULL;) {
        char path[300];
        snprintf(path, sizeof path, "vehicles/%s", entry->d_name);
        if (strstr(path, ".yaml") && machine_recognise(path))
            stand_and_drive(path);
    }
    closedir(list);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(momentum_is_conserved_in_flight);
    RUN_TEST(mass_matrix_holds_the_energy);
    RUN_TEST(wild_driving_stays_sane);
    RUN_TEST(cylinder_stalls_at_its_relief);
    RUN_TEST(stroke_ends);
    RUN_TEST(outer_rows_keep_their_bounds);
    RUN_TEST(rollers_carry_the_weight);
    RUN_TEST(own_steel_is_solid);
    RUN_TEST(it_tips_over_and_lies);
    RUN_TEST(state_is_all_there_is);
    RUN_TEST(hash_sees_every_byte);
    RUN_TEST(points_go_there_and_back);
    RUN_TEST(a_truck_is_only_data);
    RUN_TEST(a_slide_is_a_joint_too);
    RUN_TEST(a_pipe_is_a_machine);
    RUN_TEST(shipped_vehicles_stand_and_drive);
    return UNITY_END();
}
