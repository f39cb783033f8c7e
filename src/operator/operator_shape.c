// Passes that leave a shape: where ground still stands above it, and the path of the teeth there.
#include "operator/operator_internal.h"

#include "base/base_trig.h"

#include <string.h>

#define SHAPE_STEP    0.1  // m between looks along a lane
#define SHAPE_STEPS   0.10 // m that a steep wall behind the teeth may stand out
#define SHAPE_SAMPLES 80   // of a lane
#define SHAPE_ACROSS  5    // looks across the edge
#define SHAPE_EDGE    0.45 // of the width, how far from its middle the outer ones are
#define SHAPE_TURN    0.03 // rad between two lanes
#define SHAPE_BOUND \
    0.475 // the same where passes have one direction: no edge in the walls beside them
#define SHAPE_FINE    0.005 // the same where passes have one direction
#define SHAPE_WITHIN  0.05  // rad, that such passes may be off it
#define SHAPE_REACH   0.945 // of the arm's length
#define SHAPE_NEAR    0.4   // m nearer than where it digs best
#define SHAPE_AWAY    0.45  // m farther than that, where it travels back: curling comes nearer
#define SHAPE_LEAVE   0.6   // of the tolerance, that digging leaves to be finished
#define SHAPE_ALL     3.0   // m, more than any cut
#define SHAPE_FULL    1.15  // of a bucket, that a pass is planned for: some of it stays ahead of it
#define SHAPE_HALVES  12    // to find its level
#define SHAPE_DEEPEST 0.35  // m that a pass takes at most: deeper the cut stands
#define SHAPE_HEEL    0.12 // rad, that a wall behind the teeth is flatter than the open bucket's plate
#define SHAPE_THIN    0.02 // m that a pass takes at least where it begins and ends
#define SHAPE_LEAST   0.30 // of a bucket, that is worth a digging pass
#define SHAPE_BARE    0.03 // of a bucket: a finishing pass has found nothing that it could take
#define SHAPE_NOTHING 0.35 // of what it was planned for: a digging pass has failed
#define SHAPE_COLUMNS 5    // looks that stand too high, that are worth a finishing pass
#define SHAPE_PIECE   10   // samples of a finishing pass that begins as far as it reaches, at least
#define SHAPE_HIGH    0.6  // of the tolerance: what stands higher is finished
#define SHAPE_OVER    0.25 // m above the ground where a pass begins, and where one up a wall ends
#define SHAPE_OPEN    0.10 // rad, of the bucket's joint that stays free when it is opened to go in
#define SHAPE_BEHIND  5    // samples behind it, where a finishing pass comes down onto what is done
#define SHAPE_CURL    1.0  // m that curling needs in front of a wall
#define SHAPE_SOFT    0.06 // m that a digging pass comes down less deep: teeth swing through,
#define SHAPE_LAND    0.80 // on so many m
#define SHAPE_CLEAR   0.02 // m that the path is above the goal: the lip's underside cuts, too
#define SHAPE_PITCH   0.05 // rad, by which it is tried less open
#define SHAPE_PITCHES 40   // times
#define SHAPE_BESIDE  1.1  // of the width, beside a pass, where a bucket swings in and out
#define SHAPE_TRIES   2    // passes in one direction that may fail
#define SHAPE_DEAR    0.5  // of a bucket, that a radian of swing is worth
#define SHAPE_FIRST   0.25 // of a bucket, that a metre of height is worth

// --- what is wanted ------------------------------------------------------------------------------

// m outside the area, the farthest of its edges; negative inside. The area is convex.
static float shape_outside(const OperatorTask* task, float x, float z)
{
    float area = 0.0f, far = -1e9f;
    for (int a = 0, b = task->corners - 1; a < task->corners; b = a++) {
        area += task->corner[b][0] * task->corner[a][1] - task->corner[a][0] * task->corner[b][1];
    }
    for (int a = 0, b = task->corners - 1; a < task->corners; b = a++) {
        float dx = task->corner[a][0] - task->corner[b][0];
        float dz = task->corner[a][1] - task->corner[b][1];
        float length = __builtin_sqrtf(dx * dx + dz * dz);
        float out = ((x - task->corner[b][0]) * dz - (z - task->corner[b][1]) * dx) / length;
        far = base_maxf(far, area > 0.0f ? out : -out);
    }
    return far;
}

bool operator_target(const OperatorTask* task, float x, float z, float* height)
{
    float out = shape_outside(task, x, z);
    *height = (float)operator_floor(task, x, z);
    if (out > 0.0f) {
        *height += out * task->sides;
        return task->sides > 0.0f;
    }
    return true;
}

// --- a lane --------------------------------------------------------------------------------------

typedef struct ShapeLane {
    double r[SHAPE_SAMPLES];    // m, from near to far
    double top[SHAPE_SAMPLES];  // m in the world, mean across the edge
    double peak[SHAPE_SAMPLES]; // m, highest across the edge
    double goal[SHAPE_SAMPLES]; // m, lowest that the edge may go
    int high[SHAPE_SAMPLES];    // looks across that stand too high and can be cut
    bool want[SHAPE_SAMPLES];   // something is wanted across the whole edge
    bool open[SHAPE_SAMPLES];   // and it is in reach
    double leave;               // m above the goal
    int count;
} ShapeLane;

static bool shape_reaches(const Operator* op, double r, double y)
{
    double joint[OPERATOR_JOINTS] = {0.0};
    OperatorTip tip = {r, y, -1.8};
    return operator_arm_solve(&op->arm, tip, joint);
}

static void shape_sample(const Operator* op, const OperatorSight* sight, double yaw, int k,
                         ShapeLane* lane)
{
    double r = lane->r[k], top = 0.0, peak = -1e9, goal = -1e9, above[SHAPE_ACROSS];
    Vec3 at = operator_world(sight, op, yaw, r, 0.0);
    Vec3 out = operator_world(sight, op, yaw, r + 1.0, 0.0);
    bool open = true, bound = op->task.way[0] != 0.0f || op->task.way[1] != 0.0f;
    double edge = (bound ? SHAPE_BOUND : SHAPE_EDGE) * op->arm.width;
    for (int n = 0; n < SHAPE_ACROSS; ++n) {
        double across = (2.0 * n / (SHAPE_ACROSS - 1) - 1.0) * edge;
        float x = at.x - (float)across * (out.z - at.z), z = at.z + (float)across * (out.x - at.x);
        float surface = terrain_height(sight->ground, x, z), want;
        bool wanted = operator_target(&op->task, x, z, &want);
        want = wanted && want < surface + 0.3f ? want : surface;
        open = open && (wanted && want < surface + 0.3f);
        above[n] = (double)(surface - want);
        goal = (double)want > goal ? (double)want : goal;
        top += (double)surface / SHAPE_ACROSS;
        peak = (double)surface > peak ? (double)surface : peak;
    }
    lane->top[k] = top, lane->peak[k] = peak, lane->goal[k] = goal;
    lane->high[k] = 0;
    for (int n = 0; n < SHAPE_ACROSS; ++n) {
        lane->high[k] += above[n] > SHAPE_HIGH * (double)op->task.tolerance && top > goal;
    }
    lane->want[k] = open;
    lane->open[k] = open && shape_reaches(op, r, goal - (double)at.y);
}

// The bucket goes in with its floor plate along its way, as far as it opens.
static double shape_pitch(const Operator* op, double r, double y)
{
    const OperatorArm* arm = &op->arm;
    double joint[OPERATOR_JOINTS], alpha = arm->bucket[1] - arm->floor - 0.5 * BASE_PI;
    for (int n = 0; n < SHAPE_PITCHES; ++n, alpha -= SHAPE_PITCH) {
        OperatorTip tip = {r, y, alpha};
        if (operator_arm_solve(arm, tip, joint) &&
            joint[OPERATOR_BUCKET] < arm->high[OPERATOR_BUCKET] - SHAPE_OPEN) {
            break;
        }
    }
    return alpha;
}

// A wall behind the teeth can be no steeper than the floor plate when the bucket is wide open: its heel
// would have to go through it.
static void shape_lean(const Operator* op, const OperatorSight* sight, double yaw, ShapeLane* lane)
{
    int far = lane->count - 1;
    while (far > 0 && !(lane->open[far - 1] && !lane->want[far])) {
        --far;
    }
    if (far <= 0) {
        return;
    }
    double r = lane->r[far], top = lane->peak[far];
    double y = (double)operator_world(sight, op, yaw, r, 0.0).y;
    double plate = shape_pitch(op, r, lane->goal[far - 1] - y) + op->arm.floor - op->arm.bucket[1] -
                   SHAPE_HEEL;
    double c = base_cos(plate), rise = c < -1e-3 ? base_sin(plate) / c : 1e3;
    for (int k = far - 1; k >= 0 && lane->open[k]; --k) {
        double lean = top - rise * (r - lane->r[k]);
        bool leans = lean > lane->goal[k];
        lane->goal[k] = leans ? lean : lane->goal[k];
        lane->high[k] = leans && lane->top[k] < lean + SHAPE_STEPS ? 0 : lane->high[k];
    }
}

static void shape_look(const Operator* op, const OperatorSight* sight, double yaw, ShapeLane* lane)
{
    double length = op->arm.boom[0] + op->arm.stick[0] + op->arm.bucket[0];
    double near = op->closest + (op->task.step < 0.0f ? SHAPE_AWAY : -SHAPE_NEAR),
           far = SHAPE_REACH * length;
    lane->count = 0;
    lane->leave = SHAPE_LEAVE * (double)op->task.tolerance;
    for (double r = near; r < far && lane->count < SHAPE_SAMPLES; r += SHAPE_STEP) {
        lane->r[lane->count] = r;
        shape_sample(op, sight, yaw, lane->count, lane);
        ++lane->count;
    }
    shape_lean(op, sight, yaw, lane);
}

// --- passes --------------------------------------------------------------------------------------

typedef struct ShapePass {
    int far, near; // samples
    double gain;   // m3, or looks across
    double level;  // m, of a digging pass, in the world
    double worth;
} ShapePass;

// Height of the edge on a digging pass of this level.
static double shape_cut(const ShapeLane* lane, int k, double level)
{
    double low = lane->goal[k] + lane->leave, deepest = lane->top[k] - SHAPE_DEEPEST;
    low = low > deepest ? low : deepest;
    return level > low ? level : low;
}

// The same on a finishing one.
static double shape_clean(const ShapeLane* lane, int k)
{
    double low = lane->goal[k] + SHAPE_CLEAR, deepest = lane->top[k] - SHAPE_DEEPEST;
    return low > deepest ? low : deepest;
}

// m3 above a level.
static double shape_volume(const Operator* op, const ShapeLane* lane, double level)
{
    double sum = 0.0;
    for (int k = 0; k < lane->count; ++k) {
        double over = lane->open[k] ? lane->top[k] - shape_cut(lane, k, level) : 0.0;
        sum += over > 0.0 ? over * SHAPE_STEP * op->arm.width : 0.0;
    }
    return sum;
}

// A level layer off the top of a lane, so much as a bucket holds: walls stay free of ramps.
static bool shape_rough(const Operator* op, const ShapeLane* lane, double bite, ShapePass* best)
{
    double most = SHAPE_FULL * bite * op->arm.capacity, low = -SHAPE_ALL, high = SHAPE_ALL;
    double base = lane->goal[lane->count / 2];
    if (shape_volume(op, lane, base + low) > most) {
        for (int n = 0; n < SHAPE_HALVES; ++n) {
            double middle = 0.5 * (low + high);
            bool much = shape_volume(op, lane, base + middle) > most;
            low = much ? middle : low, high = much ? high : middle;
        }
        low = high;
    }
    *best = (ShapePass){.far = -1, .near = lane->count, .level = base + low};
    double tall = 0.0;
    for (int k = 0; k < lane->count; ++k) {
        if (lane->open[k] && lane->top[k] - shape_cut(lane, k, best->level) > SHAPE_THIN) {
            best->far = k;
            best->near = k < best->near ? k : best->near;
            double over = lane->top[k] - lane->goal[k];
            tall = over > tall ? over : tall;
        }
    }
    best->gain = shape_volume(op, lane, best->level);
    best->worth = best->gain / op->arm.capacity + SHAPE_FIRST * tall;
    return best->far > best->near && best->gain > SHAPE_LEAST * op->arm.capacity;
}

// One pass over all that stands too high in a lane.
static bool shape_fine(const ShapeLane* lane, ShapePass* best)
{
    *best = (ShapePass){.far = -1, .near = lane->count};
    for (int k = 0; k < lane->count; ++k) {
        if (lane->open[k] && lane->high[k] > 0) {
            best->far = k;
            best->near = k < best->near ? k : best->near;
            best->gain += lane->high[k];
        }
    }
    for (int k = best->far; k > best->near; --k) {
        if (!lane->open[k]) { // only what hangs together with the farthest
            best->near = k + 1;
        }
    }
    best->worth = 0.02 * best->gain;
    // so far out a short piece is better left to the next place
    bool edge = best->far + 1 >= lane->count ||
                (best->far >= 0 && lane->want[best->far + 1] && !lane->open[best->far + 1]);
    return best->gain >= SHAPE_COLUMNS && best->far > best->near + (edge ? SHAPE_PIECE : 0);
}

int operator_bin(double yaw)
{
    int bin = (int)((yaw + BASE_PI) / (2.0 * BASE_PI) * OPERATOR_BINS);
    return bin < 0 ? 0 : bin >= OPERATOR_BINS ? OPERATOR_BINS - 1 : bin;
}

static void shape_point(OperatorState* s, double r, double y)
{
    if (s->path_count < OPERATOR_PATH) {
        s->path[s->path_count][0] = r, s->path[s->path_count][1] = y;
        ++s->path_count;
    }
}

// Highest ground along a pass and beside it, in the plane: the bucket swings in and out over that.
static double shape_rim(const Operator* op, const OperatorSight* sight, double exit, double entry)
{
    double top = -1e9;
    for (double r = exit; r < entry + 0.5; r += 3.0 * SHAPE_STEP) {
        for (int n = -1; n <= 1; ++n) {
            double across = n * SHAPE_BESIDE * op->arm.width;
            double y = operator_ground(sight, op, op->state.yaw, r, across);
            top = y > top ? y : top;
        }
    }
    return top;
}

// How near to a wall in front the whole edge may go.
static double shape_wall(const Operator* op, const OperatorSight* sight, double r)
{
    ShapeLane lane = {0};
    for (double step = 0.5 * SHAPE_STEP; step > SHAPE_THIN; step *= 0.5) {
        lane.r[0] = r - step;
        shape_sample(op, sight, op->state.yaw, 0, &lane);
        r -= lane.want[0] ? step : 0.0;
    }
    return r;
}

// Down where it begins, along what shall be left, and up the wall when there is one in front.
static void shape_path(Operator* op, const OperatorSight* sight, const ShapeLane* lane,
                       const ShapePass* pass)
{
    OperatorState* s = &op->state;
    int near = pass->near, first = near, far = pass->far;
    while (first > 0 && lane->open[first - 1]) {
        --first;
    }
    bool wall = first > 0 && !lane->want[first - 1] && lane->r[near] - lane->r[first] < SHAPE_CURL;
    near = wall ? first : near;
    for (int n = 0; n < SHAPE_BEHIND && s->fine && far + 1 < lane->count && lane->open[far + 1] &&
                    lane->goal[far + 1] < lane->goal[far] + SHAPE_THIN;
         ++n) {
        ++far;
    }
    double close = wall ? shape_wall(op, sight, lane->r[near]) : lane->r[near];
    s->entry = lane->r[far], s->exit = lane->r[near];
    s->line = shape_rim(op, sight, s->exit, s->entry);
    s->path_count = 0;
    s->path_at = 0.0;
    double ground = lane->peak[far], end = ground;
    Vec3 origin = operator_world(sight, op, s->yaw, s->entry, 0.0);
    shape_point(s, s->entry, ground + SHAPE_OVER);
    double foot = lane->r[far]; // where a leaning wall ends
    for (int k = far; k >= near; --k) {
        double y = s->fine ? shape_clean(lane, k) : shape_cut(lane, k, pass->level);
        foot = k > near && lane->goal[k] > lane->goal[k - 1] + SHAPE_THIN ? lane->r[k - 1] : foot;
        y += !s->fine && foot - lane->r[k] < SHAPE_LAND ? SHAPE_SOFT : 0.0;
        shape_point(s, k == near ? close : lane->r[k], y);
        end = lane->top[k] > y ? lane->top[k] : y;
    }
    s->wall = wall ? operator_path_length(s) : 0.0;
    if (wall) {
        shape_point(s, close, end + SHAPE_OVER);
    }
    s->pitch = shape_pitch(op, s->entry, s->path[0][1] - (double)origin.y);
    s->level = ground;
    s->depth = ground - s->path[s->path_count / 2][1];
}

// Was the last pass in its direction of any use?
static void shape_learn(Operator* op, const OperatorSight* sight)
{
    OperatorState* s = &op->state;
    ShapeLane lane;
    ShapePass now;
    if (s->gain <= 0.0) {
        return;
    }
    shape_look(op, sight, s->yaw, &lane);
    double got = s->now.fill * op->arm.capacity;
    bool left = s->fine ? shape_fine(&lane, &now) && now.gain > 0.7 * s->gain
                        : got < SHAPE_NOTHING * s->gain;
    int tries = s->fine && s->now.fill < SHAPE_BARE ? SHAPE_TRIES : 1;
    // where passes have one direction, what fails there fails beside it as well
    bool bound = op->task.way[0] != 0.0f || op->task.way[1] != 0.0f;
    double beside = bound && s->fine ? SHAPE_WITHIN : 0.0;
    for (int n = -1; n <= 1; ++n) {
        uint8_t* failed = &s->failed[s->fine][operator_bin(operator_wrap(s->yaw + n * beside))];
        bool here = n == 0 || beside > 0.0;
        *failed = (uint8_t)(*failed + (here && left && *failed < 200 ? tries : 0));
    }
    s->gain = 0.0;
}

static double shape_way(const Operator* op, const OperatorSight* sight)
{
    Vec3 at = operator_world(sight, op, 0.0, 0.0, 0.0),
         x = operator_world(sight, op, 0.0, 1.0, 0.0);
    double ahead = base_atan2(-(double)(x.z - at.z), (double)(x.x - at.x));
    return operator_wrap(base_atan2((double)op->task.way[1], -(double)op->task.way[0]) - ahead);
}

// The best pass of one kind among all directions.
static bool shape_choose(Operator* op, const OperatorSight* sight, bool fine)
{
    OperatorState* s = &op->state;
    bool bound = op->task.way[0] != 0.0f || op->task.way[1] != 0.0f, found = false;
    double middle = bound ? shape_way(op, sight) : 0.0, half = bound ? SHAPE_WITHIN : 3.1;
    double best = 0.0, now = sight->now.joint[OPERATOR_SWING];
    ShapeLane lane, chosen = {0};
    ShapePass pass = {0}, it = {0};
    for (double off = -half; off < half; off += bound ? SHAPE_FINE : SHAPE_TURN) {
        double yaw = operator_wrap(middle + off);
        shape_look(op, sight, yaw, &lane);
        if (s->failed[fine][operator_bin(yaw)] >= SHAPE_TRIES ||
            !(fine ? shape_fine(&lane, &pass) : shape_rough(op, &lane, s->bite, &pass))) {
            continue;
        }
        double turn = operator_wrap(yaw - now);
        double worth = pass.worth - (fine ? 0.1 : SHAPE_DEAR) * 0.2 * (turn < 0.0 ? -turn : turn);
        if (!found || worth > best) {
            best = worth, found = true;
            chosen = lane, it = pass;
            s->yaw = yaw;
        }
    }
    if (found) {
        s->fine = fine;
        s->gain = it.gain;
        shape_path(op, sight, &chosen, &it);
    }
    return found;
}

bool operator_plan_shape(Operator* op, const OperatorSight* sight)
{
    OperatorState* s = &op->state;
    shape_learn(op, sight);
    bool found = shape_choose(op, sight, false) || shape_choose(op, sight, true);
    if (!found) {
        memset(s->failed, 0, sizeof s->failed);
        return false;
    }
    s->slope = 0.0;
    s->entry += op->skill.scatter * (double)base_random_range(&s->random, -1.0f, 1.0f);
    double high = op->skill.scatter * (double)base_random_range(&s->random, -0.7f, 0.7f);
    for (int k = 0; k < s->path_count; ++k) {
        s->path[k][1] += high;
    }
    return true;
}
