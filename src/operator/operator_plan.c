// Where to dig and where to dump: what a person decides with a look at the ground.
#include "operator/operator_internal.h"

#include "base/base_trig.h"

#include <string.h>

#define PLAN_STEP    0.2   // m between looks along a lane
#define PLAN_SAMPLES 64    //
#define PLAN_ACROSS  0.4   // of the bucket's width, where a lane is looked at beside its middle
#define PLAN_WORTH   0.06  // m above the floor that is worth a pass
#define PLAN_LANE    0.85  // of the bucket's width from lane to lane
#define PLAN_PASS    2.7   // m of drag that an expert takes for a bucket, times width / 1.2
#define PLAN_DEEPEST 0.55  // of the bucket's width
#define PLAN_OVER    0.35  // m that the open bucket stays above walls and heaps
#define PLAN_DEEP    8.0   // depths of cut that make ground no more worth
#define PLAN_HEEL    0.8   // m, of the bucket behind its teeth when it goes in
#define PLAN_BANK    0.45  // m, ground there may be higher
#define PLAN_FAR     0.012 // m of height that a sample further out is worth
#define PLAN_LEVEL   0.15  // slope of a pass that costs nothing
#define PLAN_STEEP   2.0   // m of height that more of it costs, per slope
#define PLAN_UPHILL  0.2   // slope towards the machine, at most: a ridge is cut into, not followed
#define PLAN_TURN    0.03  // rad of swing that is as dear as a centimetre of height
#define PLAN_PLACES  5
#define PLAN_NOTHING 0.05 // of the heaped bucket: a pass has brought nothing,
#define PLAN_TRIES   2    // so often in one direction, and it is left alone
#define PLAN_SIDE    0.25 // rad beside a heap where the bucket has to be high already

bool operator_inside(const OperatorTask* task, float x, float z)
{
    bool in = false;
    for (int a = 0, b = task->corners - 1; a < task->corners; b = a++) {
        const float *p = task->corner[a], *q = task->corner[b];
        if ((p[1] > z) != (q[1] > z) && x < (q[0] - p[0]) * (z - p[1]) / (q[1] - p[1]) + p[0]) {
            in = !in;
        }
    }
    return in;
}

double operator_floor(const OperatorTask* task, float x, float z)
{
    float height =
        task->floor + task->rise_x * (x - task->from[0]) + task->rise_z * (z - task->from[1]);
    return (double)(task->footed ? base_maxf(height, task->foot) : height);
}

void operator_task_box(OperatorTask* task, float x, float z, float heading, float length,
                       float width)
{
    static const float at[4][2] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};
    float c = base_cosf(heading), s = base_sinf(heading);
    task->corners = 4;
    for (int k = 0; k < 4; ++k) {
        float u = at[k][0] * length, v = at[k][1] * width;
        task->corner[k][0] = x + u * c + v * s;
        task->corner[k][1] = z - u * s + v * c;
    }
}

// --- the plane of the arm ------------------------------------------------------------------------

Vec3 operator_world(const OperatorSight* sight, const Operator* op, double yaw, double r, double y)
{
    const MachineBody* house =
        &machine_definition(sight->machine)->bodies[op->arm.body[OPERATOR_SWING]];
    Vec3 local = vec3(house->pin.x + (float)(r * base_cos(yaw)), house->pin.y + (float)y,
                      house->pin.z - (float)(r * base_sin(yaw)));
    return machine_to_world(sight->machine, house->parent, local);
}

// The ground below a place of that plane, measured along it: on a slope the plane leans as well.
double operator_ground(const OperatorSight* sight, const Operator* op, double yaw, double r,
                       double across)
{
    Vec3 at = operator_world(sight, op, yaw, r, 0.0);
    float x = at.x - (float)(across * base_sin(yaw)), z = at.z;
    if (across != 0.0) {
        Vec3 out = operator_world(sight, op, yaw, r + 1.0, 0.0);
        x = at.x - (float)across * (out.z - at.z), z = at.z + (float)across * (out.x - at.x);
    }
    return (double)(terrain_height(sight->ground, x, z) - at.y);
}

// --- digging -------------------------------------------------------------------------------------

typedef struct PlanLane {
    double surface[PLAN_SAMPLES]; // m
    double over[PLAN_SAMPLES];    // m, ground above the floor; negative where nothing is to be done
    double floor[PLAN_SAMPLES];   // m
    int count;
    double first; // m, radius of sample 0
} PlanLane;

static void plan_look(const Operator* op, const OperatorSight* sight, double yaw, PlanLane* lane)
{
    lane->first = op->closest;
    lane->count = (int)((op->farthest - op->closest) / PLAN_STEP) + 1;
    lane->count = lane->count < PLAN_SAMPLES ? lane->count : PLAN_SAMPLES;
    for (int k = 0; k < lane->count; ++k) {
        double r = lane->first + PLAN_STEP * k, height = 0.0;
        bool inside = true;
        for (int s = -1; s <= 1; ++s) {
            double across = s * PLAN_ACROSS * op->arm.width;
            Vec3 at = operator_world(sight, op, yaw, r, 0.0);
            Vec3 out = operator_world(sight, op, yaw, r + 1.0, 0.0);
            float x = at.x - (float)across * (out.z - at.z);
            float z = at.z + (float)across * (out.x - at.x);
            inside = inside && operator_inside(&op->task, x, z);
            height += (double)(terrain_height(sight->ground, x, z) - at.y) / 3.0;
            lane->floor[k] = operator_floor(&op->task, at.x, at.z) - (double)at.y;
        }
        lane->surface[k] = height;
        lane->over[k] = inside ? height - lane->floor[k] : -1.0;
    }
}

// The best window of a lane: mean height above the floor, at most one depth of cut; -1: none.
static double plan_window(const PlanLane* lane, double length, double most, int* from, int* to)
{
    int want = (int)(length / PLAN_STEP);
    double best = -1.0;
    for (int end = lane->count - 1; end >= 2; --end) {
        double sum = 0.0;
        int begin = end;
        for (; begin >= 0 && begin > end - want && lane->over[begin] > -0.5; --begin) {
            double over = lane->over[begin];
            sum += over < 0.0 ? 0.0 : over < PLAN_DEEP * most ? over : PLAN_DEEP * most;
        }
        // from the outside inwards: the way back is clear
        double mean = sum / want + PLAN_FAR * end;
        int behind = end + (int)(PLAN_HEEL / PLAN_STEP);
        if (behind < lane->count && lane->surface[behind] > lane->surface[end] + PLAN_BANK) {
            continue; // no room for the back of the bucket
        }
        if (end - begin >= 3 && lane->over[end] > PLAN_WORTH && sum / want > 0.5 * PLAN_WORTH &&
            mean > best) {
            best = mean, *from = end, *to = begin + 1;
        }
    }
    return best;
}

// The line of the ground over a window, by least squares: its height at r = 0; its slope.
static double plan_line(const PlanLane* lane, int from, int to, double* slope)
{
    double n = 0.0, sr = 0.0, sy = 0.0, srr = 0.0, sry = 0.0;
    for (int k = to; k <= from; ++k) {
        double r = lane->first + PLAN_STEP * k, y = lane->surface[k];
        n += 1.0, sr += r, sy += y, srr += r * r, sry += r * y;
    }
    double det = n * srr - sr * sr;
    *slope = det > 1e-9 ? (n * sry - sr * sy) / det : 0.0;
    *slope = *slope > 0.7 ? 0.7 : *slope < -PLAN_UPHILL ? -PLAN_UPHILL : *slope;
    return (sy - *slope * sr) / n;
}

bool operator_plan_dig(Operator* op, const OperatorSight* sight)
{
    OperatorState* s = &op->state;
    const OperatorArm* arm = &op->arm;
    double size = arm->width / 1.2, pass = PLAN_PASS * size;
    double depth = arm->capacity * 0.84 / (arm->width * pass) * s->bite;
    double deepest = PLAN_DEEPEST * arm->width;
    depth = depth > deepest ? deepest : depth;
    double spacing = PLAN_LANE * arm->width / (0.5 * (op->closest + op->farthest));
    double best = -1.0, now = sight->now.joint[OPERATOR_SWING];
    uint8_t* failed = s->failed[0];
    int bin = operator_bin(s->yaw);
    failed[bin] += s->cycles > 0 && s->last.fill < PLAN_NOTHING && failed[bin] < PLAN_TRIES;
    PlanLane lane;
    for (double yaw = -3.1; yaw < 3.1;
         yaw += op->task.program == OPERATOR_TRENCH ? 0.02 : spacing) {
        int from = 0, to = 0;
        plan_look(op, sight, yaw, &lane);
        double worth = plan_window(&lane, pass, depth, &from, &to);
        if (worth < 0.0 || failed[operator_bin(yaw)] >= PLAN_TRIES) {
            continue;
        }
        double turn = base_cos(yaw - now) > 0.9999 ? 0.0 : base_acos(base_cos(yaw - now));
        // level passes leave level ground
        double slope, line = plan_line(&lane, from, to, &slope);
        double steep = __builtin_fabs(slope) - PLAN_LEVEL;
        worth += 10.0 - PLAN_TURN * turn - (steep > 0.0 ? PLAN_STEEP * steep : 0.0);
        if (worth > best) {
            best = worth;
            s->yaw = yaw;
            s->entry = lane.first + PLAN_STEP * from;
            s->exit = lane.first + PLAN_STEP * to;
            s->level = lane.surface[from];
            s->depth = depth;
            s->slope = slope, s->line = line;
        }
    }
    if (best < 0.0) {
        memset(s->failed, 0, sizeof s->failed);
        return false;
    }
    s->entry += op->skill.scatter * (double)base_random_range(&s->random, -2.0f, 2.0f);
    s->depth += op->skill.scatter * (double)base_random_range(&s->random, -1.0f, 1.0f);
    return true;
}

// --- dumping -------------------------------------------------------------------------------------

static void plan_at(Operator* op, const OperatorSight* sight, Vec3 at, double top)
{
    const MachineBody* house =
        &machine_definition(sight->machine)->bodies[op->arm.body[OPERATOR_SWING]];
    Vec3 local = machine_to_body(sight->machine, house->parent, at);
    double x = (double)(local.x - house->pin.x), z = (double)(local.z - house->pin.z);
    OperatorState* s = &op->state;
    s->dump_yaw = base_atan2(-z, x);
    s->dump_r = __builtin_sqrt(x * x + z * z) + 0.25 * op->arm.bucket[0];
    s->dump_y = top - (double)(at.y - local.y + house->pin.y) + op->arm.bucket[0] + PLAN_OVER;
}

// The middle of the bed and places before and behind it by turns, so that it fills evenly.
static void plan_truck(Operator* op, const OperatorSight* sight)
{
    static const float place[PLAN_PLACES] = {0.0f, 0.16f, -0.16f, 0.08f, -0.08f};
    const MachineDef* def = world_machine_def(sight->world, op->task.truck);
    const Machine* truck = world_machine(sight->world, op->task.truck);
    const MachineBin* bin = &def->bins[0];
    float along = place[op->state.cycles % PLAN_PLACES] * bin->length;
    const Terrain* load =
        coupling_bin_ground(world_coupling(sight->world),
                            coupling_fleet_bin(world_fleet(sight->world), op->task.truck, 0));
    float heap = terrain_height(load, along, 0.0f), top = base_maxf(bin->wall, heap);
    Vec3 local = vec3_add(bin->center, vec3(along, top, 0.0f));
    Vec3 at = machine_to_world(truck, bin->body, local);
    plan_at(op, sight, at, (double)at.y);
    double half = 0.5 * (double)bin->length + op->arm.width;
    Vec3 axis = quat_rotate(machine_pose(truck, bin->body).rotation, vec3(1.0f, 0.0f, 0.0f));
    Vec3 away = operator_world(sight, op, op->state.dump_yaw, 1.0, 0.0);
    Vec3 middle = operator_world(sight, op, op->state.dump_yaw, 0.0, 0.0);
    double radial = (double)__builtin_fabsf(vec3_dot(axis, vec3_sub(away, middle)));
    if (radial > 0.7) {
        half = 0.5 * (double)bin->width + 0.6 * op->arm.width;
    }
    op->state.gate = base_atan2(half, op->state.dump_r - 1.0) + 0.08;
}

// The lowest of some places along the line; a heap grows evenly.
static void plan_heap(Operator* op, const OperatorSight* sight)
{
    const float(*h)[2] = op->task.heap;
    float low = 1e9f;
    Vec3 best = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < PLAN_PLACES; ++k) {
        float t = (float)k / (float)(PLAN_PLACES - 1);
        float x = h[0][0] + t * (h[1][0] - h[0][0]), z = h[0][1] + t * (h[1][1] - h[0][1]);
        float top = -1e9f;
        for (int n = 0; n < 9; ++n) {
            top = base_maxf(top, terrain_height(sight->ground, x + 0.5f * (float)(n % 3 - 1),
                                                z + 0.5f * (float)(n / 3 - 1)));
        }
        if (top < low - 0.05f) {
            low = top, best = vec3(x, top, z);
        }
    }
    // the whole heap stands in the way, not only the place that is dumped on
    double gate = 0.0;
    for (int k = 0; k < 2; ++k) {
        plan_at(op, sight, vec3(h[k][0], best.y, h[k][1]), (double)best.y);
        double end = op->state.dump_yaw;
        plan_at(op, sight, best, (double)best.y);
        double off = __builtin_fabs(operator_wrap(end - op->state.dump_yaw));
        gate = off > gate ? off : gate;
    }
    op->state.gate = gate + PLAN_SIDE;
}

void operator_plan_dump(Operator* op, const OperatorSight* sight)
{
    if (op->task.truck >= 0) {
        plan_truck(op, sight);
    } else {
        plan_heap(op, sight);
    }
    double boom, stick, r = op->state.dump_r, y = op->state.dump_y;
    // what is too high is reached from nearer
    for (int n = 0; n < 20 && !operator_arm_reach(&op->arm, r, y, &boom, &stick); ++n) {
        r -= 0.1, y -= n > 10 ? 0.05 : 0.0;
    }
    op->state.dump_r = r, op->state.dump_y = y;
}
