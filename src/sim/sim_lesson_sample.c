// What scenario and score are told of a world, step by step.
#include "sim/sim_lesson_internal.h"

#include "base/base_trig.h"
#include "sim/sim_stance.h"

#include <string.h>

#define SAMPLE_STOP    0.004f // m from a cylinder's end that count as there
#define SAMPLE_BITE    500.0f // N that ground or soil holds against a bucket that is in it
#define SAMPLE_ARM     0.3f   // m, radius of boom, stick and bucket
#define SAMPLE_HOUSE   1.0f   // m, height at which the house begins to turn
#define SAMPLE_ROOF    3.0f   // m, its top
#define SAMPLE_REACH   1.0f   // m beyond the arm in which a person is in danger
#define SAMPLE_MOVES   0.03   // rad/s and m/s that count as motion
#define SAMPLE_TRUCKS  4      // steps between two looks at steel against a truck
#define SAMPLE_LOOKS   16     // at a thin pipe, in a step
#define SAMPLE_TOUCH   0.01f  // m, depth of steel in steel that counts as a hit
#define SAMPLE_HEAP    1.5f   // m over a bed in which grains count as on the truck
#define SAMPLE_CONE    0.7f   // m high
#define SAMPLE_STAKE   1.2f
#define SAMPLE_PERSON  1.8f
#define SAMPLE_BODY    0.3f // m, radius of a person
#define SAMPLE_SMOOTH  0.05 // of a change of the tip margin, per step: a third of a second
#define SAMPLE_CORNERS 8
#define SAMPLE_NEAR    0.1f  // m above the ground up to which a roller would soon carry
#define SAMPLE_PROP    0.03  // of the weight on the bucket that counts
#define SAMPLE_TOUCHES 0.05f // m above the ground up to which the bucket lies on it
#define SAMPLE_GRAVITY 9.81  // m/s2

// --- where things are ----------------------------------------------------------------------------

typedef struct LessonSteel { // of the machine, in the world
    Vec3 at[4];              // boom's pin, stick's, bucket's, middle of the edge
    Vec3 edge[2];
    Vec3 axis; // of the house, on the ground
    Quat under;
    Vec3 base;
} LessonSteel;

static const MachineTool* sample_tool(const SimLesson* l)
{
    return &world_machine_def(l->world, 0)->tools[l->arm.tool];
}

static LessonSteel sample_steel(const SimLesson* l)
{
    const Machine* m = world_machine(l->world, 0);
    const MachineTool* tool = sample_tool(l);
    LessonSteel s;
    for (int k = 0; k < 3; ++k) {
        s.at[k] = machine_pose(m, l->arm.body[OPERATOR_BOOM + k]).position;
    }
    s.edge[0] = machine_to_world(m, tool->body, tool->edge_a);
    s.edge[1] = machine_to_world(m, tool->body, tool->edge_b);
    s.at[3] = vec3_mul(vec3_add(s.edge[0], s.edge[1]), 0.5f);
    s.axis = machine_pose(m, l->arm.body[OPERATOR_SWING]).position;
    s.under = machine_pose(m, 0).rotation;
    s.base = machine_pose(m, 0).position;
    return s;
}

// The floor plate against level, seen from the left of the house; + with the teeth up.
static float sample_edge_angle(const SimLesson* l)
{
    const Machine* m = world_machine(l->world, 0);
    const MachineTool* tool = sample_tool(l);
    Quat house = machine_pose(m, l->arm.body[OPERATOR_SWING]).rotation;
    Vec3 plate = vec3_cross(tool->edge_normal, vec3(0.0f, 0.0f, 1.0f));
    plate = quat_unrotate(house, quat_rotate(machine_pose(m, tool->body).rotation, plate));
    return (float)base_atan2((double)plate.y, (double)plate.x);
}

void sim_lesson_look(const SimLesson* l, ScenarioNow* out)
{
    const Machine* m = world_machine(l->world, 0);
    LessonSteel steel = sample_steel(l);
    out->time = world_time(l->world);
    out->h = WORLD_DT;
    out->edge = scenario_from_corner(l->ground, steel.at[3]);
    out->edge_angle = sample_edge_angle(l);
    out->base = scenario_from_corner(l->ground, steel.base);
    for (int k = 0; k < 4; ++k) {
        out->joint[k] = (float)machine_joint(m, l->arm.body[k]);
    }
    out->joint[0] = scenario_world_angle(out->joint[0]);
    out->trucks_full = sim_lesson_trucks_full(l);
    out->trucks_part = sim_lesson_trucks_part(l);
    out->zone_mass = l->state.zone_mass;
    out->survey = &l->state.survey;
}

// --- the books by place --------------------------------------------------------------------------

static bool sample_on_truck(const SimLesson* l, Vec3 at)
{
    for (int n = 1; n <= l->trucks; ++n) {
        const MachineBin* bin = &world_machine_def(l->world, n)->bins[0];
        Vec3 p = vec3_sub(machine_to_body(world_machine(l->world, n), bin->body, at), bin->center);
        if (__builtin_fabsf(p.x) < 0.5f * bin->length && __builtin_fabsf(p.z) < 0.5f * bin->width &&
            p.y > -0.2f && p.y < bin->wall + SAMPLE_HEAP) {
            return true;
        }
    }
    return false;
}

static bool sample_in_bucket(const SimLesson* l, Vec3 at)
{
    const MachineTool* tool = sample_tool(l);
    Vec3 p = machine_to_body(world_machine(l->world, 0), tool->body, at);
    return p.x > tool->hold_min.x && p.x < tool->hold_max.x && p.y > tool->hold_min.y &&
           p.y < tool->hold_max.y && p.z > tool->hold_min.z && p.z < tool->hold_max.z;
}

static ScorePlace sample_place(const SimLesson* l, Vec3 at)
{
    int cell = terrain_cell_at(world_terrain(l->world), at.x, at.z);
    return sample_in_bucket(l, at)  ? SCORE_PLACE_BUCKET
           : sample_on_truck(l, at) ? SCORE_PLACE_TRUCK
           : cell < 0               ? SCORE_PLACE_OFF_SITE
                                    : (ScorePlace)l->map[cell];
}

static int64_t sample_sum(const TerrainMass* mass)
{
    int64_t sum = 0;
    for (int m = 0; m < TERRAIN_MATERIALS_MAX; ++m) {
        sum += (int64_t)mass->of[m];
    }
    return sum;
}

// What rides is in the bucket, crumbs are where they were dug, what was hauled was on a truck. All of it
// together is always the same.
void sim_lesson_books(const SimLesson* l, int64_t out[SCORE_PLACE_COUNT])
{
    const Coupling* c = world_coupling(l->world);
    const CouplingLedger* ledger = coupling_ledger(c);
    const SoilState* s = soil_state(world_soil(l->world));
    scenario_places(l->map, world_terrain(l->world), out);
    for (int i = 0; i < s->count; ++i) {
        out[sample_place(l, vec3(s->px[i], s->py[i], s->pz[i]))] += (int64_t)s->mass[i];
    }
    out[SCORE_PLACE_BUCKET] += sample_sum(&ledger->frozen);
    out[SCORE_PLACE_DIG] += sample_sum(&ledger->crumbs);
    out[SCORE_PLACE_TRUCK] += sample_sum(&ledger->hauled);
    out[SCORE_PLACE_OFF_SITE] +=
        sample_sum(&terrain_state(world_terrain(l->world))->ledger.off_site);
    for (int b = 0; b < coupling_bins(c); ++b) {
        const TerrainLedger* bin =
            &terrain_state(coupling_bin_ground(world_coupling(l->world), b))->ledger;
        out[SCORE_PLACE_TRUCK] += sample_sum(&bin->loose) + sample_sum(&bin->bank);
    }
}

// --- nearness ------------------------------------------------------------------------------------

// Nearest distance of two pieces of lines.
static float sample_pieces(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
    Vec3 u = vec3_sub(b, a), v = vec3_sub(d, c), w = vec3_sub(a, c);
    float uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), uw = vec3_dot(u, w),
          vw = vec3_dot(v, w), det = uu * vv - uv * uv;
    float s = det > 1e-6f ? base_clampf((uv * vw - vv * uw) / det, 0.0f, 1.0f) : 0.0f;
    float t = vv > 1e-9f ? base_clampf((uv * s + vw) / vv, 0.0f, 1.0f) : 0.0f;
    s = uu > 1e-9f ? base_clampf((uv * t - uw) / uu, 0.0f, 1.0f) : 0.0f;
    return vec3_length(vec3_sub(vec3_mad(a, u, s), vec3_mad(c, v, t)));
}

static float sample_arm_to(const LessonSteel* s, Vec3 a, Vec3 b)
{
    float near = 1e9f;
    for (int k = 0; k < 3; ++k) {
        near = base_minf(near, sample_pieces(s->at[k], s->at[k + 1], a, b));
    }
    return base_minf(near, sample_pieces(s->edge[0], s->edge[1], a, b)) - SAMPLE_ARM;
}

// m, of something upright with this foot, height and radius; negative inside the machine.
static float sample_post(const SimLesson* l, const LessonSteel* s, Vec3 foot, float height,
                         float radius)
{
    Vec3 top = vec3(foot.x, foot.y + height, foot.z);
    float near = sample_arm_to(s, foot, top);
    Vec3 local = quat_unrotate(s->under, vec3_sub(foot, s->base));
    float x = base_maxf(__builtin_fabsf(local.x) - l->under[0], 0.0f);
    float z = base_maxf(__builtin_fabsf(local.z) - l->under[1], 0.0f);
    near = base_minf(near, __builtin_sqrtf(x * x + z * z));
    float low = foot.y - s->base.y;
    if (low < SAMPLE_ROOF && low + height > SAMPLE_HOUSE) {
        float dx = foot.x - s->axis.x, dz = foot.z - s->axis.z;
        near = base_minf(near, __builtin_sqrtf(dx * dx + dz * dz) - l->tail);
    }
    return near - radius;
}

static Vec3 sample_on_ground(const SimLesson* l, const float at[2], float above)
{
    Vec3 p = scenario_world(l->ground, vec3(at[0], 0.0f, at[1]));
    int cell = terrain_cell_at(world_terrain(l->world), p.x, p.z);
    p.y = (cell >= 0 ? l->start[cell] : l->ground->origin.y) + above;
    return p;
}

// The way of the edge in this step is looked at in pieces: a thin cable is not jumped over.
static bool sample_pipe(const SimLesson* l, const LessonSteel* s, const ScenarioPipe* p)
{
    const Machine* m = world_machine(l->world, 0);
    float r = 0.5f * p->diameter, h = (float)WORLD_DT;
    Vec3 a = sample_on_ground(l, p->from, -p->depth - r);
    Vec3 b = sample_on_ground(l, p->to, -p->depth - r), back[2];
    for (int k = 0; k < 2; ++k) {
        back[k] = vec3_mul(machine_point_velocity(m, sample_tool(l)->body, s->edge[k]), -h);
    }
    float way = base_maxf(vec3_length(back[0]), vec3_length(back[1]));
    int looks = base_mini(1 + (int)(way / r), SAMPLE_LOOKS);
    for (int k = 0; k < looks; ++k) {
        float t = (float)k / (float)looks;
        if (sample_pieces(vec3_mad(s->edge[0], back[0], t), vec3_mad(s->edge[1], back[1], t), a,
                          b) < r) {
            return true;
        }
    }
    return false;
}

static bool sample_wall(const SimLesson* l, const LessonSteel* s, const ScenarioWall* w)
{
    Vec3 a = sample_on_ground(l, w->from, 0.0f), b = sample_on_ground(l, w->to, 0.0f);
    float length = vec3_length(vec3_sub(b, a)), near = 1e9f;
    int posts = base_maxi(2, base_mini((int)(2.0f * length) + 1, 64));
    for (int k = 0; k < posts; ++k) {
        Vec3 foot = vec3_mad(a, vec3_sub(b, a), (float)k / (float)(posts - 1));
        near = base_minf(near, sample_post(l, s, foot, w->height, 0.5f * w->thickness));
    }
    return near < 0.0f;
}

// What this object would count as when the machine touches it now; -1: it does not.
static int sample_object(const SimLesson* l, const LessonSteel* s, int k)
{
    const ScenarioObject* o = &l->scenario.objects[k];
    Vec3 at;
    if (!l->state.scenario.present[k] || o->truck) {
        return -1;
    }
    if (o->pipe || o->cable) {
        return sample_pipe(l, s, o->pipe ? o->pipe : o->cable) ? SCORE_HIT_PIPE : -1;
    }
    if (o->line) {
        Vec3 a = sample_on_ground(l, o->line->from, o->line->height);
        Vec3 b = sample_on_ground(l, o->line->to, o->line->height);
        return sample_arm_to(s, a, b) < o->line->clearance ? SCORE_HIT_LINE : -1;
    }
    if (o->wall) {
        return sample_wall(l, s, o->wall) ? SCORE_HIT_STEEL : -1;
    }
    if (o->person) {
        return sim_lesson_person(l, k, &at) &&
                       sample_post(l, s, at, SAMPLE_PERSON, SAMPLE_BODY) < 0.0f
                   ? SCORE_HIT_PERSON
                   : -1;
    }
    at = sample_on_ground(l, o->cone ? o->cone->at : o->stake->at, 0.0f);
    float height = o->cone ? SAMPLE_CONE : SAMPLE_STAKE;
    return sample_post(l, s, at, height, 0.1f) < 0.0f ? SCORE_HIT_STEEL : -1;
}

static void sample_hits(SimLesson* l, const LessonSteel* steel, ScoreSample* out)
{
    for (int k = 0; k < l->scenario.object_count; ++k) {
        int hit = sample_object(l, steel, k);
        if (score_contact(&l->state.touch[k], hit >= 0, out->time)) {
            out->hit[hit] += 1;
        }
    }
    for (int n = 1; n <= l->trucks && sim_lesson_steps(l) % SAMPLE_TRUCKS == 0; ++n) {
        MachineTouch touch;
        bool now = machine_touches(world_machine(l->world, 0), world_machine(l->world, n),
                                   SAMPLE_TOUCH, &touch, 1) > 0 &&
                   touch.depth > 0.0f;
        out->hit[SCORE_HIT_TRUCK] += score_contact(&l->state.touch_truck[n - 1], now, out->time);
    }
}

static bool sample_moves(const ScoreSample* s)
{
    bool moves = (double)s->speed > SAMPLE_MOVES;
    for (int k = 0; k < SCORE_AXES; ++k) {
        moves = moves || __builtin_fabs(s->joint_speed[k]) > SAMPLE_MOVES;
    }
    return moves;
}

// Within reach of the arm, or of what is drawn as the zone of the swing.
static bool sample_person(const SimLesson* l, const LessonSteel* s)
{
    float reach = (float)(l->arm.boom[0] + l->arm.stick[0] + l->arm.bucket[0]) + SAMPLE_REACH;
    for (int k = 0; k < l->scenario.object_count; ++k) {
        Vec3 at;
        if (!l->scenario.objects[k].person || !sim_lesson_person(l, k, &at)) {
            continue;
        }
        Vec3 corner = scenario_from_corner(l->ground, at);
        bool drawn = false;
        for (int z = 0; z < l->scenario.zone_count; ++z) {
            const ScenarioZone* zone = &l->scenario.zones[z];
            drawn = drawn || zone->kind == SCENARIO_ZONE_SWING;
            if (zone->kind == SCENARIO_ZONE_SWING && scenario_in_zone(zone, corner.x, corner.z)) {
                return true;
            }
        }
        float dx = at.x - s->axis.x, dz = at.z - s->axis.z;
        if (!drawn && dx * dx + dz * dz < reach * reach) {
            return true;
        }
    }
    return false;
}

static uint32_t sample_zones(const SimLesson* l, const LessonSteel* s)
{
    Vec3 at[SAMPLE_CORNERS] = {s->at[1], s->at[2], s->edge[0], s->edge[1]};
    for (int k = 0; k < 4; ++k) {
        Vec3 corner =
            vec3(k & 1 ? l->under[0] : -l->under[0], 0.0f, k & 2 ? l->under[1] : -l->under[1]);
        at[4 + k] = vec3_add(s->base, quat_rotate(s->under, corner));
    }
    uint32_t bits = 0;
    for (int z = 0; z < l->scenario.zone_count; ++z) {
        for (int k = 0; k < SAMPLE_CORNERS; ++k) {
            Vec3 p = scenario_from_corner(l->ground, at[k]);
            if (l->scenario.zones[z].kind == SCENARIO_ZONE_KEEP_OUT &&
                scenario_in_zone(&l->scenario.zones[z], p.x, p.z)) {
                bits |= 1u << z;
            }
        }
    }
    return bits;
}

// --- the machine ---------------------------------------------------------------------------------

static void sample_joints(const SimLesson* l, const InputFrame* frame, ScoreSample* out)
{
    static const InputFunction lever[SCORE_LEVERS] = {
        INPUT_SWING, INPUT_BOOM, INPUT_STICK, INPUT_BUCKET, INPUT_TRACK_LEFT, INPUT_TRACK_RIGHT};
    const Machine* m = world_machine(l->world, 0);
    const MachineDef* def = world_machine_def(l->world, 0);
    for (int k = 0; k < SCORE_AXES; ++k) {
        int actuator = l->arm.actuator[k];
        double sign = k == SCORE_SWING ? -1.0 : 1.0; // to the right
        out->joint[k] = sign * machine_joint(m, l->arm.body[k]);
        out->joint_speed[k] = sign * machine_joint_speed(m, l->arm.body[k]);
        if (machine_state(m)->drive.relieved >> actuator & 1u) {
            out->relief |= (uint8_t)(1u << k);
        }
        if (actuator < def->cylinder_count) {
            const MachineCylinder* c = &def->cylinders[actuator];
            double in = machine_feedback(m, actuator).length - (double)c->closed;
            out->cylinder_speed[k] =
                (float)__builtin_fabs(machine_arm(m, actuator) * out->joint_speed[k]);
            if (in < (double)SAMPLE_STOP || in > (double)(c->stroke - SAMPLE_STOP)) {
                out->stop |= (uint8_t)(1u << k);
            }
        }
    }
    for (int k = 0; k < SCORE_LEVERS; ++k) {
        out->lever[k] = input_lever(frame, lever[k]);
    }
}

// Of the edge and of the bucket's shell.
static float sample_clearance(const SimLesson* l, const LessonSteel* s)
{
    const Machine* m = world_machine(l->world, 0);
    const MachineDef* def = world_machine_def(l->world, 0);
    const Terrain* ground = world_terrain(l->world);
    float least = 1e9f;
    for (int k = 0; k < 2; ++k) {
        least = base_minf(least, s->edge[k].y - terrain_height(ground, s->edge[k].x, s->edge[k].z));
    }
    for (int n = 0; n < def->shape_count; ++n) {
        const MachineShape* shell = &def->shapes[n];
        if (shell->body != sample_tool(l)->body || shell->kind != MACHINE_SHELL) {
            continue;
        }
        for (int k = 0; k + 1 < shell->outline_count; k += 2) {
            Vec3 p = machine_to_world(m, shell->body,
                                      vec3(shell->outline[k], shell->outline[k + 1], 0.0f));
            least = base_minf(least, p.y - terrain_height(ground, p.x, p.z));
        }
    }
    return least;
}

static void sample_bucket(const SimLesson* l, const LessonSteel* s, ScoreSample* out)
{
    const Machine* m = world_machine(l->world, 0);
    const CouplingToolState* tool = coupling_fleet_tool(world_fleet(l->world), 0, l->arm.tool);
    Vec3 a = machine_point_velocity(m, sample_tool(l)->body, s->edge[0]);
    Vec3 b = machine_point_velocity(m, sample_tool(l)->body, s->edge[1]);
    out->edge = s->at[3];
    out->edge_velocity = vec3_mul(vec3_add(a, b), 0.5f);
    out->edge_angle = sample_edge_angle(l);
    out->clearance = sample_clearance(l, s);
    out->in_ground = tool->depth > 0.0f && tool->resistance > SAMPLE_BITE;
    for (int k = 0; k < l->site.material_count && k < SCORE_MATERIALS; ++k) {
        out->bucket[k] = (uint64_t)(1e6 * tool->payload_of[k] + 0.5);
    }
}

// What carries the machine: rollers on the ground or a little above it, and the bucket as far as it is
// pressed down.
static int sample_supports(const SimLesson* l, const LessonSteel* s, const MachineRoller* roller,
                           int count, bool touches, SimSupport out[SIM_STANCE_MAX])
{
    const Machine* m = world_machine(l->world, 0);
    int n = 0;
    double carried = 0.0;
    for (int k = 0; k < count && n < SIM_STANCE_MAX - 1; ++k) {
        Vec3 at = roller[k].point, local = machine_to_body(m, 0, at);
        carried += (double)roller[k].force;
        if (roller[k].force > 0.0f ||
            at.y - terrain_height(world_terrain(l->world), at.x, at.z) < SAMPLE_NEAR) {
            out[n++] = (SimSupport){(double)local.x, (double)local.z, (double)roller[k].force};
        }
    }
    double weight = machine_balance(m).mass * SAMPLE_GRAVITY *
                    (double)quat_rotate(s->under, vec3(0.0f, 1.0f, 0.0f)).y;
    if (touches && carried > 0.0 && weight - carried > SAMPLE_PROP * weight) {
        Vec3 local = machine_to_body(m, 0, s->at[3]);
        out[n++] = (SimSupport){(double)local.x, (double)local.z, weight - carried};
    }
    return n;
}

// Of the way from the middle between the tracks to a tipping edge.
static void sample_margin(SimLesson* l, const LessonSteel* s, const MachineRoller* roller,
                          int count, ScoreSample* out)
{
    SimSupport support[SIM_STANCE_MAX];
    SimLessonState* state = &l->state;
    int n = sample_supports(l, s, roller, count, out->clearance < SAMPLE_TOUCHES, support);
    double margin = sim_stance_margin(support, n);
    if (sim_lesson_steps(l) <= WORLD_RATE) {
        double length = 0.0, width = 0.0;
        for (int k = 0; k < n; ++k) {
            length = __builtin_fmax(length, __builtin_fabs(support[k].x));
            width = __builtin_fmax(width, __builtin_fabs(support[k].z));
        }
        state->steady = length < width ? length : width;
        state->margin = 1.0;
    } else if (margin >= 0.0 && state->steady > 0.0) {
        double share = margin / state->steady;
        share = share > 1.0 ? 1.0 : share;
        // a track that bounces for a moment does not tip a machine
        state->margin += SAMPLE_SMOOTH * (share - state->margin);
    }
    out->tip_margin = (float)state->margin;
}

static void sample_stand(SimLesson* l, const LessonSteel* s, ScoreSample* out)
{
    const Machine* m = world_machine(l->world, 0);
    Quat house = machine_pose(m, l->arm.body[OPERATOR_SWING]).rotation;
    Vec3 v = machine_velocity(m, 0);
    out->speed = __builtin_sqrtf(v.x * v.x + v.z * v.z);
    out->pitch = (float)base_asin((double)quat_rotate(house, vec3(1.0f, 0.0f, 0.0f)).y);
    out->roll = (float)base_asin((double)quat_rotate(house, vec3(0.0f, 0.0f, 1.0f)).y);
    MachineRoller roller[MACHINE_ROLLERS_MAX];
    int count = machine_rollers(m, roller);
    for (int k = 0; k < count; ++k) {
        float y = terrain_height(world_terrain(l->world), roller[k].point.x, roller[k].point.z);
        if (roller[k].force == 0.0f) {
            out->track_lift = base_maxf(out->track_lift, roller[k].point.y - y);
        }
    }
    sample_margin(l, s, roller, count, out);
}

static void sample_truck(const SimLesson* l, const LessonSteel* s, ScoreSample* out)
{
    int number = 0;
    bool standing = false, coming = false;
    for (int n = 1; n <= l->trucks; ++n) {
        const SimTruck* truck = &l->state.truck[n - 1];
        const ScenarioTruck* t = l->scenario.objects[truck->object].truck;
        const MachineBin* bin = &world_machine_def(l->world, n)->bins[0];
        const Machine* m = world_machine(l->world, n);
        if (truck->phase == SIM_TRUCK_STANDING) {
            double kg = coupling_fleet_load(world_fleet(l->world), n);
            out->truck[n - 1] = (ScoreTruck){number + truck->trips + 1, (uint64_t)(1e6 * kg + 0.5),
                                             (uint64_t)(1e6 * (double)t->load)};
        }
        standing |= truck->phase == SIM_TRUCK_STANDING;
        coming |= truck->phase == SIM_TRUCK_COMING ||
                  ((truck->phase == SIM_TRUCK_LEAVING || truck->phase == SIM_TRUCK_AWAY) &&
                   truck->trips < t->trips && l->state.scenario.present[truck->object]);
        number += t->trips;
        for (int k = 0; k < 3; ++k) {
            Vec3 at = k < 2 ? s->edge[k] : s->at[2];
            Vec3 p = vec3_sub(machine_to_body(m, bin->body, at), bin->center);
            if (__builtin_fabsf(p.x) < 0.5f * bin->length &&
                __builtin_fabsf(p.z) < 0.5f * bin->width) {
                float over =
                    base_minf(p.y,
                              vec3_sub(machine_to_body(m, bin->body, s->at[3]), bin->center).y) -
                    bin->wall;
                out->truck_clearance =
                    out->over_truck ? base_minf(out->truck_clearance, over) : over;
                out->over_truck = true;
            }
        }
    }
    out->waiting = coming && !standing;
}

void sim_lesson_sample(SimLesson* l, const InputFrame* frame, ScoreSample* out)
{
    LessonSteel steel = sample_steel(l);
    const ScenarioState* state = &l->state.scenario;
    out->time = world_time(l->world);
    sample_joints(l, frame, out);
    out->engine = true;
    out->helped = (frame->buttons & INPUT_BUTTON_HELP) != 0;
    out->fuel = 1e3 * machine_state(world_machine(l->world, 0))->drive.fuel;
    sample_bucket(l, &steel, out);
    sample_stand(l, &steel, out);
    sample_truck(l, &steel, out);
    sample_hits(l, &steel, out);
    out->zone = sample_zones(l, &steel);
    out->person = sample_person(l, &steel);
    out->danger = out->person && sample_moves(out);
    out->alarm = out->time < state->alarm_until;
    out->tracing = state->tracing;
    out->trace_error = state->trace_error;
    out->trace_level = state->trace_level;
    memcpy(out->gained, l->state.gained, sizeof out->gained);
    out->progress = state->total;
}
