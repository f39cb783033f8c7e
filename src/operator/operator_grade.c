// Teeth along a path: the floor plate keeps its angle to it, boom, stick and bucket move together.
#include "operator/operator_internal.h"

#include "base/base_trig.h"

#define GRADE_SEEN    0.10  // s of motion that are allowed for
#define GRADE_AHEAD   0.13  // m of the path that is aimed at
#define GRADE_CHORD   0.65  // m of it that the floor plate lies along
#define GRADE_FREE    0.10  // rad, of the plate to that: its heel stays free
#define GRADE_CUT     0.22  // rad, of a digging one
#define GRADE_BACK    0.80  // of the bucket's length, of its back below its pin when it is curled
#define GRADE_CURLED  -2.78 // rad, of a bucket that holds what it has
#define GRADE_CORNER  0.05  // m before a wall where it begins to curl
#define GRADE_LOOK    0.4   // m ahead, that it looks for bends
#define GRADE_BEND    1.0   // rad of bend that is as sharp as any
#define GRADE_SLOW    0.50  // of the pace in a sharp bend
#define GRADE_CAREFUL 0.25  // the same where it comes down onto the floor
#define GRADE_PACE    0.9   // m/s of a finishing pass
#define GRADE_DIG     1.5   // m/s of a digging one
#define GRADE_DOWN    0.9   // m/s, straight down
#define GRADE_TURN    5.0   // 1/s, for a miss of the plate's angle
#define GRADE_FAST    1.1   // rad/s, of the bucket at most
#define GRADE_FAR     0.35  // m above the path, where it has to come down to it before it goes on
#define GRADE_OVER    0.12  // m beside the path's beginning, where it may go down
#define GRADE_OPEN    0.15  // rad of the bucket's pitch that it may lack there
#define GRADE_EASE    0.4   // of what is left, by which it is turned
#define GRADE_STOP    0.12  // rad before the bucket's ends, where it is let go
#define GRADE_FULL    0.95  // of a bucket: what a finishing pass would push ahead of it from there
#define GRADE_LATE    0.6   // rad of that, at which the teeth wait for it,
#define GRADE_CREEP   0.25  // of their pace, that they keep
#define GRADE_END     0.06  // m from the end
#define GRADE_FRAMES  1200  // that a pass may take
#define GRADE_YAW     0.005 // rad that the pass may be off its direction
#define GRADE_SWING   2.2   // 1/s, speed of the house for a miss
#define GRADE_COAST   0.35  // s that it goes on turning
#define GRADE_WAIT    180   // frames for it at most
#define GRADE_BEGUN   0.3   // m of the path, before which it may wait for the plate
#define GRADE_STUCK   0.14  // of the pace: the cut stands
#define GRADE_RAISE   0.35  // m/s, at which a standing cut is lifted
#define GRADE_LOWER   0.30  // m/s, at which it goes back to its path
#define GRADE_JACKED  0.02  // rad, of tilt that tells that the machine is lifted in front,
#define GRADE_PULLED  0.04  // and at its back: it also rocks
#define GRADE_MORE    0.22  // of a bucket that is still taken while it curls

typedef struct GradeAim {
    OperatorTip tip; // where they are in a moment
    double r, y;     // m, place on the path ahead
    double behind;   // rad, direction of the path up to here
    double bend;     // rad, to where it goes farther ahead
    double left;     // m to its end
    double off;      // m beside it
} GradeAim;

// Height of the plane's origin: the path is kept in the world's heights.
static double grade_origin(const Operator* op, const OperatorSight* sight, double r)
{
    return (double)operator_world(sight, op, sight->now.joint[OPERATOR_SWING], r, 0.0).y;
}

double operator_path_length(const OperatorState* s)
{
    double length = 0.0;
    for (int k = 0; k + 1 < s->path_count; ++k) {
        double dr = s->path[k + 1][0] - s->path[k][0], dy = s->path[k + 1][1] - s->path[k][1];
        length += __builtin_sqrt(dr * dr + dy * dy);
    }
    return length;
}

// The place so many metres along the path.
static void grade_place(const OperatorState* s, double at, double* r, double* y)
{
    *r = s->path[0][0], *y = s->path[0][1];
    for (int k = 0; k + 1 < s->path_count && at > 0.0; ++k) {
        double dr = s->path[k + 1][0] - s->path[k][0], dy = s->path[k + 1][1] - s->path[k][1];
        double length = __builtin_sqrt(dr * dr + dy * dy);
        double part = length > at ? at / length : 1.0;
        *r = s->path[k][0] + part * dr, *y = s->path[k][1] + part * dy;
        at -= length;
    }
}

// Goes along the path to the place nearest to the teeth; never back.
static void grade_advance(OperatorState* s, double r, double y, double length)
{
    double best = 1e9, at = s->path_at;
    for (double ahead = 0.0; ahead < 0.5; ahead += 0.02) {
        double pr, py, t = s->path_at + ahead;
        if (t > length) {
            break;
        }
        grade_place(s, t, &pr, &py);
        double miss = (pr - r) * (pr - r) + (py - y) * (py - y);
        if (y - py < GRADE_FAR && miss < best) {
            best = miss, at = t;
        }
    }
    s->path_at = at;
}

static GradeAim grade_aim(Operator* op, const OperatorSight* sight)
{
    OperatorState* s = &op->state;
    OperatorPose soon = operator_arm_expect(&sight->now, GRADE_SEEN);
    OperatorTip at = operator_arm_tip(&op->arm, soon.joint), *tip = &at;
    double origin = grade_origin(op, sight, tip->r), length = operator_path_length(s);
    double y = tip->y + origin - s->raise;
    grade_advance(s, tip->r, y, length);
    GradeAim aim = {.tip = at};
    double r0, y0, r1, y1;
    grade_place(s, s->path_at, &r1, &y1);
    aim.off = __builtin_sqrt((r1 - tip->r) * (r1 - tip->r) + (y1 - y) * (y1 - y));
    grade_place(s, s->path_at + GRADE_AHEAD, &aim.r, &aim.y);
    aim.y += s->raise - origin;
    double back = s->path_at > GRADE_CHORD ? GRADE_CHORD : s->path_at;
    double more = back < 0.1 ? 0.1 : back; // at its beginning it looks ahead
    grade_place(s, s->path_at - back, &r0, &y0);
    grade_place(s, s->path_at - back + more, &r1, &y1);
    aim.behind = base_atan2(y1 - y0, r1 - r0);
    grade_place(s, s->path_at, &r0, &y0);
    grade_place(s, s->path_at + 0.1, &r1, &y1);
    double here = base_atan2(y1 - y0, r1 - r0);
    grade_place(s, s->path_at + GRADE_LOOK - 0.1, &r0, &y0);
    grade_place(s, s->path_at + GRADE_LOOK, &r1, &y1);
    aim.bend = s->path_at + GRADE_LOOK < length
                   ? __builtin_fabs(operator_wrap(base_atan2(y1 - y0, r1 - r0) - here))
                   : 0.0;
    aim.left = length - s->path_at;
    return aim;
}

// The cut stands, or the machine goes up instead of the soil: less deep for a while.
static void grade_feel(Operator* op, const OperatorSight* sight, double wanted)
{
    OperatorState* s = &op->state;
    OperatorPose next = operator_arm_expect(&sight->now, 0.01);
    OperatorTip then = operator_arm_tip(&op->arm, next.joint);
    double dr = then.r - sight->tip.r, dy = then.y - sight->tip.y;
    s->speed += 0.06 * (100.0 * __builtin_sqrt(dr * dr + dy * dy) - s->speed);
    double tilt = sight->tilt - s->tilt;
    bool jacked = tilt > GRADE_JACKED || tilt < -GRADE_PULLED;
    if ((s->speed < GRADE_STUCK * wanted && s->path_at > GRADE_BEGUN) || jacked) {
        s->raise += GRADE_RAISE / WORLD_RATE;
        ++s->now.stalls;
    } else {
        s->raise -= GRADE_LOWER / WORLD_RATE;
        s->raise = s->raise < 0.0 ? 0.0 : s->raise;
    }
}

// Gently towards the direction of the pass; true while it is off.
static bool grade_turn(const Operator* op, const OperatorSight* sight, InputFrame* out)
{
    double miss = operator_wrap(op->state.yaw - sight->now.joint[OPERATOR_SWING]);
    double speed = sight->now.speed[OPERATOR_SWING];
    double size = __builtin_fabs(miss);
    if (size > GRADE_YAW) {
        double want = GRADE_SWING * (miss - GRADE_COAST * speed);
        operator_put(op, sight, OPERATOR_SWING, want / op->arm.turn, out);
    }
    return size > 2.0 * GRADE_YAW || __builtin_fabs(speed) > 0.03;
}

// How the plate turns when boom and stick move the teeth and the bucket's joint stays as it is.
static double grade_hold(const Operator* op, const OperatorSight* sight, double vr, double vy)
{
    double still[OPERATOR_JOINTS] = {0.0}, turned[OPERATOR_JOINTS] = {0.0};
    if (!operator_arm_speeds(&op->arm, sight->soon.joint, vr, vy, 0.0, still) ||
        !operator_arm_speeds(&op->arm, sight->soon.joint, vr, vy, 1.0, turned)) {
        return 0.0;
    }
    double per = turned[OPERATOR_BUCKET] - still[OPERATOR_BUCKET];
    return __builtin_fabs(per) > 1e-6 ? -still[OPERATOR_BUCKET] / per : 0.0;
}

// Over the path's beginning, the bucket opened, until the house looks along it; then down.
static void grade_hover(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    OperatorState* s = &op->state;
    double r = s->path[0][0], y = s->path[0][1] - grade_origin(op, sight, r), low = s->line;
    y = y > low ? y : low;
    double pin = y - op->arm.bucket[0] * base_sin(s->pitch) + operator_hangs(op, sight, s->pitch);
    operator_pin_to(op, sight, r - op->arm.bucket[0] * base_cos(s->pitch), pin, s->pitch, out);
    bool turns = grade_turn(op, sight, out);
    double off = __builtin_fabs(sight->tip.r - r);
    bool there = off < GRADE_OVER && __builtin_fabs(sight->tip.alpha - s->pitch) < GRADE_OPEN;
    if ((there && !turns) || s->frames > GRADE_WAIT) {
        double over = y + grade_origin(op, sight, r) - s->path[0][1];
        s->path_at = 1e-6;
        s->path[0][1] += over;
        s->wall += s->wall > 0.0 ? over : 0.0;
    }
}

// The bucket's pitch: its floor plate along the path. Up a wall it curls as far as its back stays off the floor.
static double grade_pitch(const Operator* op, const OperatorSight* sight, const GradeAim* aim)
{
    const OperatorState* s = &op->state;
    const OperatorArm* arm = &op->arm;
    double alpha = aim->behind + (s->fine ? GRADE_FREE : GRADE_CUT) - arm->floor + arm->bucket[1];
    alpha = operator_wrap(alpha);
    if (s->wall > 0.0 && s->path_at > s->wall - GRADE_CORNER) {
        double up =
            aim->tip.y + grade_origin(op, sight, aim->tip.r) - s->path[s->path_count - 2][1];
        double back = (GRADE_BACK * arm->bucket[0] - up) / arm->bucket[0];
        alpha = base_asin(base_clampf((float)back, 0.0f, 1.0f)) - BASE_PI;
        return alpha > GRADE_CURLED ? alpha : GRADE_CURLED;
    }
    return alpha > 0.5 ? alpha - 2.0 * BASE_PI : alpha; // from open to curled without a break
}

bool operator_follow_shape(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    OperatorState* s = &op->state;
    const OperatorArm* arm = &op->arm;
    if (s->path_at <= 0.0) {
        grade_hover(op, sight, out);
        return false;
    }
    GradeAim aim = grade_aim(op, sight);
    double dr = aim.r - aim.tip.r, dy = aim.y - aim.tip.y;
    double far = __builtin_sqrt(dr * dr + dy * dy);
    double pace = (s->fine ? GRADE_PACE : GRADE_DIG) * op->skill.pace * arm->width / 1.2;
    double alpha = grade_pitch(op, sight, &aim);
    double miss = alpha - aim.tip.alpha;
    double bucket = sight->soon.joint[OPERATOR_BUCKET];
    double left =
        miss > 0.0 ? arm->high[OPERATOR_BUCKET] - bucket : bucket - arm->low[OPERATOR_BUCKET];
    left = GRADE_EASE * (left - GRADE_STOP); // to the bucket's end it goes gently
    bool ends = left <= 0.0;
    miss = ends ? 0.0 : miss > left ? left : miss < -left ? -left : miss;
    double turn = GRADE_TURN * miss;
    turn = turn > GRADE_FAST ? GRADE_FAST : turn < -GRADE_FAST ? -GRADE_FAST : turn;
    // no faster than the plate can turn
    double late = __builtin_fabs(miss) / GRADE_LATE;
    pace *= late > 1.0 - GRADE_CREEP ? GRADE_CREEP : 1.0 - late;
    double bend = aim.bend > GRADE_BEND ? 1.0 : aim.bend / GRADE_BEND;
    bool down = dy < -0.7 * far;
    double least = down ? GRADE_CAREFUL : GRADE_SLOW;
    double slow =
        (s->fine ? GRADE_PACE : GRADE_DIG) * op->skill.pace * (1.0 - (1.0 - least) * bend);
    pace = pace < slow ? pace : slow;
    pace = down && pace > GRADE_DOWN ? GRADE_DOWN : pace;
    pace = far < 0.15 ? pace * (0.2 + 0.8 * far / 0.15) : pace;
    double want[OPERATOR_JOINTS] = {0.0}, most = 1.0;
    double vr = far > 1e-4 ? pace * dr / far : 0.0, vy = far > 1e-4 ? pace * dy / far : 0.0;
    turn = ends ? grade_hold(op, sight, vr, vy) : turn;
    if (far > 1e-4 && operator_arm_speeds(arm, sight->soon.joint, vr, vy, turn, want)) {
        for (int j = OPERATOR_BOOM; j < OPERATOR_JOINTS; ++j) {
            want[j] /= operator_arm_full(arm, sight->machine, (OperatorJoint)j, want[j]);
            double size = want[j] < 0.0 ? -want[j] : want[j];
            most = size > most ? size : most;
        }
        for (int j = OPERATOR_BOOM; j < OPERATOR_JOINTS; ++j) {
            operator_put(op, sight, (OperatorJoint)j, want[j] / most, out);
        }
    }
    s->speed = s->path_at > GRADE_BEGUN ? s->speed : pace;
    grade_feel(op, sight, pace);
    double below = s->level - sight->tip.y - grade_origin(op, sight, sight->tip.r);
    s->now.deepest = below > s->now.deepest ? below : s->now.deepest;
    double holds = s->fine ? GRADE_FULL : s->want + GRADE_MORE;
    bool full = sight->volume > holds * arm->capacity;
    return full || aim.left < GRADE_END || s->frames > GRADE_FRAMES;
}
