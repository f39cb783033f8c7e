// Gestures: poses, points, lines and ways, by the shortest way to the next place.
#include "sim/sim_guide_internal.h"

#include "base/base_trig.h"

#define FOLLOW_GAIN   0.625 // of the hands' gain: nobody hurries a gesture
#define FOLLOW_BRAKE  0.4   // rad/s2 that the swing is trusted to slow down with
#define FOLLOW_COAST  0.15  // s that it goes on before it does
#define FOLLOW_FEEL   0.5   // of a wrong swing speed, put right by the lever
#define FOLLOW_AHEAD  0.45f // m, of the line that is aimed at, less twice the miss
#define FOLLOW_LEAST  0.05f // m of it
#define FOLLOW_GLANCE 20    // steps between two looks of a novice, who then holds the levers
#define FOLLOW_HANDS  2     // functions that a novice moves at once
#define FOLLOW_RAMP   0.03f // of a lever per step, by good hands: all of it in half a second
#define FOLLOW_PITCH  -1.3  // rad, of the bucket where nothing is asked of it
#define FOLLOW_TURN   0.30  // rad of miss, beyond which it turns on the spot
#define FOLLOW_BACK   2.0   // rad, beyond which it drives backwards
#define FOLLOW_STEER  1.6   // of a lever per rad
#define FOLLOW_TRAVEL 0.7   // of the levers
#define FOLLOW_CLEAR \
    0.2 // rad of miss of the arm, within which it travels from one work to the next

// How the bucket is carried there, low and drawn in.
static const ScenarioPose follow_carry = {
    .swing = 0.0f, .boom = 0.50f, .stick = -2.2f, .bucket = -1.7f};

static double follow_wrap(double a)
{
    return base_atan2(base_sin(a), base_cos(a));
}

static void follow_put(const SimGuide* g, OperatorJoint joint, double share, InputFrame* out)
{
    const OperatorArm* arm = sim_lesson_arm(g->lesson);
    const Machine* m = world_machine(sim_lesson_world(g->lesson), 0);
    double most = g->hands.skill.pace;
    share = share > most ? most : share < -most ? -most : share;
    double lever = operator_arm_lever(arm, m, joint, share);
    out->lever[arm->lever[joint]] = input_quantise(base_clampf((float)lever, -1.0f, 1.0f), NULL);
}

// The house coasts: no faster than it can be stopped in what is left of the way.
static void follow_swing(const SimGuide* g, double want, InputFrame* out)
{
    const OperatorArm* arm = sim_lesson_arm(g->lesson);
    const Machine* m = world_machine(sim_lesson_world(g->lesson), 0);
    double now = machine_joint_speed(m, arm->body[OPERATOR_SWING]);
    double miss = follow_wrap(want - machine_joint(m, arm->body[OPERATOR_SWING]));
    miss -= FOLLOW_COAST * now;
    double far = __builtin_fabs(miss), speed = __builtin_sqrt(2.0 * FOLLOW_BRAKE * far);
    double gain = FOLLOW_GAIN * g->hands.skill.gain * far;
    speed = speed < gain ? speed : gain;
    speed = miss < 0.0 ? -speed : speed;
    double share = (speed + FOLLOW_FEEL * (speed - now)) / arm->turn;
    follow_put(g, OPERATOR_SWING, share * speed < 0.0 ? 0.0 : share, out);
}

static void follow_joint(const SimGuide* g, OperatorJoint joint, double want, InputFrame* out)
{
    const OperatorArm* arm = sim_lesson_arm(g->lesson);
    const Machine* m = world_machine(sim_lesson_world(g->lesson), 0);
    if (joint == OPERATOR_SWING) {
        follow_swing(g, want, out);
        return;
    }
    double miss = want - machine_joint(m, arm->body[joint]);
    miss -= g->hands.skill.foresight * machine_joint_speed(m, arm->body[joint]);
    double full = operator_arm_full(arm, m, joint, miss < 0.0 ? -1.0 : 1.0);
    double gain = FOLLOW_GAIN * g->hands.skill.gain;
    follow_put(g, joint, full > 1e-6 ? gain * miss / full : 0.0, out);
}

static void follow_pose(const SimGuide* g, const ScenarioPose* p, InputFrame* out)
{
    const float want[OPERATOR_JOINTS] = {p->swing, p->boom, p->stick, p->bucket};
    for (int k = 0; k < OPERATOR_JOINTS; ++k) {
        if (!scenario_absent(want[k])) {
            double angle = (double)(k == OPERATOR_SWING ? scenario_world_angle(want[k]) : want[k]);
            follow_joint(g, (OperatorJoint)k, angle, out);
        }
    }
}

// The edge to a place, the floor of the bucket at an angle, or as it comes.
static void follow_point(const SimGuide* g, Vec3 corner, float level, InputFrame* out)
{
    const OperatorArm* arm = sim_lesson_arm(g->lesson);
    World* world = sim_lesson_world(g->lesson);
    const Machine* m = world_machine(world, 0);
    const MachineBody* house = &world_machine_def(world, 0)->bodies[arm->body[OPERATOR_SWING]];
    Vec3 at = machine_to_body(m, house->parent,
                              scenario_world(terrain_definition(world_terrain(world)), corner));
    double x = (double)(at.x - house->pin.x), z = (double)(at.z - house->pin.z);
    OperatorPose now = operator_arm_look(arm, m);
    OperatorTip tip = operator_arm_tip(arm, now.joint);
    OperatorTip want = {.r = __builtin_sqrt(x * x + z * z),
                        .y = (double)(at.y - house->pin.y),
                        .alpha = FOLLOW_PITCH};
    if (!scenario_absent(level)) {
        Vec3 normal = world_machine_def(world, 0)->tools[arm->tool].edge_normal;
        Vec3 plate = vec3_cross(normal, vec3(0.0f, 0.0f, 1.0f));
        Quat turn = machine_pose(m, arm->body[OPERATOR_BUCKET]).rotation;
        plate = quat_unrotate(machine_pose(m, arm->body[OPERATOR_SWING]).rotation,
                              quat_rotate(turn, plate));
        double floor = base_atan2((double)plate.y, (double)plate.x);
        want.alpha = follow_wrap(tip.alpha + (double)level - floor);
    }
    // the edge is meant, and the teeth reach beyond it
    double tooth = (double)world_machine_def(world, 0)->tools[arm->tool].tooth_length;
    double along = want.alpha - arm->bucket[1] + arm->floor;
    want.r += tooth * base_cos(along), want.y += tooth * base_sin(along);
    double joint[OPERATOR_JOINTS];
    operator_arm_solve(arm, want, joint);
    joint[OPERATOR_SWING] = base_atan2(-z, x);
    for (int k = 0; k < OPERATOR_JOINTS; ++k) {
        follow_joint(g, (OperatorJoint)k, joint[k], out);
    }
}

static Vec3 follow_at(const float* points, int index)
{
    return vec3(points[3 * index], points[3 * index + 1], points[3 * index + 2]);
}

static void follow_trace(const SimGuide* g, const ScenarioTrace* t, int point, InputFrame* out)
{
    World* world = sim_lesson_world(g->lesson);
    const MachineTool* tool = &world_machine_def(world, 0)->tools[sim_lesson_arm(g->lesson)->tool];
    Vec3 edge = machine_to_world(world_machine(world, 0), tool->body,
                                 vec3_mul(vec3_add(tool->edge_a, tool->edge_b), 0.5f));
    edge = scenario_from_corner(terrain_definition(world_terrain(world)), edge);
    int last = t->points_count / 3 - 1;
    Vec3 to = follow_at(t->points, 0);
    if (point > 0) {
        // aim at a place on the line ahead, round the corner when its piece ends
        point = point > last ? last : point;
        Vec3 a = follow_at(t->points, point - 1), b = follow_at(t->points, point);
        Vec3 way = vec3_sub(b, a);
        float length = vec3_length(way);
        way = vec3_mul(way, 1.0f / length);
        float along = base_clampf(vec3_dot(vec3_sub(edge, a), way), 0.0f, length);
        float off = vec3_length(vec3_sub(edge, vec3_mad(a, way, along)));
        along += base_maxf(FOLLOW_AHEAD - 2.0f * off, FOLLOW_LEAST);
        to = vec3_mad(a, way, base_clampf(along, 0.0f, length));
    }
    if (g->kind == OPERATOR_NOVICE) {
        to = vec3_add(to, vec3_mul(g->aim, (float)g->hands.skill.scatter));
    }
    follow_point(g, to, t->level, out);
}

// Between two works the bucket is drawn in first; true while it is on its way.
static bool follow_draws_in(const SimGuide* g, InputFrame* out)
{
    if (sim_lesson_scenario(g->lesson)->operator.program == SCENARIO_FOLLOW) {
        return false; // a lesson about driving: the bucket stays as it is
    }
    const OperatorArm* arm = sim_lesson_arm(g->lesson);
    const Machine* m = world_machine(sim_lesson_world(g->lesson), 0);
    const float want[OPERATOR_JOINTS] = {follow_carry.swing, follow_carry.boom, follow_carry.stick,
                                         follow_carry.bucket};
    bool draws = false;
    for (int k = 0; k < OPERATOR_JOINTS; ++k) {
        double miss = follow_wrap((double)want[k] - machine_joint(m, arm->body[k]));
        draws = draws || __builtin_fabs(miss) > FOLLOW_CLEAR;
    }
    follow_pose(g, &follow_carry, out);
    return draws;
}

static void follow_drive(const SimGuide* g, const ScenarioDrive* d, int point, InputFrame* out)
{
    World* world = sim_lesson_world(g->lesson);
    const Machine* m = world_machine(world, 0);
    if (follow_draws_in(g, out)) {
        return;
    }
    int last = d->points_count / 2 - 1;
    point = point > last ? last : point;
    Vec3 at = scenario_world(terrain_definition(world_terrain(world)),
                             vec3(d->points[2 * point], 0.0f, d->points[2 * point + 1]));
    Vec3 to = machine_to_body(m, 0, at);
    double miss = base_atan2((double)to.z, (double)to.x); // to the right
    bool back = __builtin_fabs(miss) > FOLLOW_BACK;
    miss = back ? follow_wrap(miss + BASE_PI) : miss;
    double ahead = __builtin_fabs(miss) > FOLLOW_TURN ? 0.0 : back ? -FOLLOW_TRAVEL : FOLLOW_TRAVEL;
    float steer = base_clampf((float)(FOLLOW_STEER * miss), -0.7f, 0.7f);
    out->lever[INPUT_TRACK_LEFT] =
        input_quantise(base_clampf((float)ahead + steer, -1.0f, 1.0f), NULL);
    out->lever[INPUT_TRACK_RIGHT] =
        input_quantise(base_clampf((float)ahead - steer, -1.0f, 1.0f), NULL);
}

static void follow_goal(const SimGuide* g, int k, InputFrame* out)
{
    if (k < 0) {
        return;
    }
    const ScenarioGoal* goal = &sim_lesson_scenario(g->lesson)->goals[k];
    int point = sim_lesson_state(g->lesson)->scenario.point[k];
    if (goal->pose) {
        follow_pose(g, goal->pose, out);
    } else if (goal->reach) {
        int last = goal->reach->points_count / 3 - 1;
        follow_point(g, follow_at(goal->reach->points, point > last ? last : point),
                     SCENARIO_ABSENT, out);
    } else if (goal->trace) {
        follow_trace(g, goal->trace, point, out);
    } else if (goal->drive) {
        follow_drive(g, goal->drive, point, out);
    }
}

// A novice looks, moves the two levers that seem to matter most, and looks again later.
static void follow_coarsely(SimGuide* g, InputFrame* out)
{
    const OperatorArm* arm = sim_lesson_arm(g->lesson);
    bool look = sim_lesson_state(g->lesson)->score.steps % FOLLOW_GLANCE == 0;
    for (int k = 0; k < OPERATOR_JOINTS; ++k) {
        int larger = 0;
        float lever = input_lever(out, arm->lever[k]);
        for (int n = 0; n < OPERATOR_JOINTS; ++n) {
            larger += __builtin_fabsf(input_lever(out, arm->lever[n])) > __builtin_fabsf(lever);
        }
        g->lever[k] = look ? larger < FOLLOW_HANDS ? lever : 0.0f : g->lever[k];
    }
    if (look) {
        BaseRandom* chance = &g->hands.state.random;
        g->aim =
            vec3(base_random_range(chance, -1.0f, 1.0f), base_random_range(chance, -1.0f, 1.0f),
                 base_random_range(chance, -1.0f, 1.0f));
    }
    for (int k = 0; k < OPERATOR_JOINTS; ++k) {
        out->lever[arm->lever[k]] = input_quantise(g->lever[k], NULL);
    }
}

// Good hands begin and end gently.
static void follow_gently(SimGuide* g, InputFrame* out)
{
    for (int k = 0; k < OPERATOR_JOINTS; ++k) {
        int f = (int)sim_lesson_arm(g->lesson)->lever[k];
        float lever = input_lever(out, (InputFunction)f), before = g->lever[k];
        g->lever[k] = base_clampf(lever, before - FOLLOW_RAMP, before + FOLLOW_RAMP);
        out->lever[f] = input_quantise(g->lever[k], NULL);
    }
}

void sim_guide_follow(SimGuide* g, int goal, InputFrame* out)
{
    follow_goal(g, goal, out);
    if (g->kind == OPERATOR_EXPERT) {
        follow_gently(g, out);
    } else {
        follow_coarsely(g, out);
    }
    operator_late(&g->hands, out);
}
