#include "operator/operator_cycle.h"

#include "base/base_trig.h"

#define CYCLE_SETTLE     60 // frames before the first move
#define CYCLE_PI         3.14159265358979
#define CYCLE_CARRY      -3.23 // rad, pitch of a bucket that is carried: the lip a little higher
#define CYCLE_OPEN       -0.60 // rad, of an emptied one
#define CYCLE_ENTRY      -1.36 // rad, of one that goes into the ground
#define CYCLE_CUT        -1.68 // rad, of one that cuts
#define CYCLE_CURLED     -2.90 // rad, beyond which it holds what it has
#define CYCLE_OUT        -2.75 // rad, the same where the floor is to be left alone
#define CYCLE_GONE       0.6   // rad before that, from which the stick leaves a floor alone
#define CYCLE_FACE       0.25  // rad before that, up to which the teeth stay in the face they broke
#define CYCLE_PULL       0.6   // of the stick's lever meanwhile
#define CYCLE_DRAW       0.35  // of it, where the floor is to be left alone
#define CYCLE_LEVEL      0.20  // rad, that a carried bucket may lean
#define CYCLE_END        0.30  // rad before the bucket's end where it is curled more slowly,
#define CYCLE_TOUCH      0.15  // of the lever, at least
#define CYCLE_SHED       24    // frames in which what lies too loosely falls off
#define CYCLE_STILL      0.02  // rad/s, of joints that do not get further
#define CYCLE_RAMP       0.9   // m of pass in which the depth is reached
#define CYCLE_LATE       0.20  // of it, that the first metre is always behind
#define CYCLE_EAGER      2.0   // of the depth for a bucket that is missing
#define CYCLE_DEEPER     1.8   // times the planned depth, at most
#define CYCLE_OFF        0.25  // m above its line where the teeth go down rather than along
#define CYCLE_CLOSE      0.75  // m before the pass ends at which the bucket begins to curl
#define CYCLE_PACE       1.6   // m/s of the teeth in light ground
#define CYCLE_MORE       0.38  // of the heaped bucket that curling adds
#define CYCLE_FILL       0.86  // of it, that shall leave the ground where nothing else is asked
#define CYCLE_MOST       1.25  // of it, that may be in and before the bucket when it curls
#define CYCLE_LEARN      0.6   // of what one bucket lacked, for the next
#define CYCLE_HEAVY      0.15  // s, by which a bucket in the ground answers later than in the air
#define CYCLE_BREAK      0.5   // of the heaped bucket: a cut that stands is broken out by curling
#define CYCLE_STOOD      45    // frames at the relief that tell of ground too hard for the depth
#define CYCLE_STUCK      0.16  // of the pace: the cut stands
#define CYCLE_RAISE      0.5   // m/s, at which a standing cut is lifted
#define CYCLE_JACKED     0.02  // rad, of tilt that tells that the machine is lifted
#define CYCLE_STRAIN     20.0  // frames at the relief until the boom goes up in full
#define CYCLE_AWAY       0.15  // boom, when the bucket is full before it is level
#define CYCLE_DIG        600   // frames that a pass may take
#define CYCLE_RUNOUT     0.35  // m, that the boom goes on when its lever is let go
#define CYCLE_GENTLY     0.35  // of the stick's lever with a full bucket
#define CYCLE_LOWER      0.7   // rad before the dump where it may come down
#define CYCLE_EMPTY      0.03  // of the heaped bucket: nothing left to speak of
#define CYCLE_CLEAN      0.006 // the same where a shape is dug
#define CYCLE_POUR       150   // frames that soil may take to leave
#define CYCLE_SHAKE      56    // frames of a shake
#define CYCLE_BACK       14    // of these the bucket is curled; the valves take eight to follow
#define CYCLE_SHAKES     3
#define CYCLE_WIDE       0.12 // rad before its end to which the bucket is opened for it
#define CYCLE_SWING_LAG  0.45 // s between the swing's lever and the house
#define CYCLE_SWING_FEEL 0.8  // of the miss in speed
#define CYCLE_SWING_SLOW 0.06 // rad/s, slower than this the lever may reverse
#define CYCLE_SWING_NEAR 1.6  // 1/s, speed per miss near the end
#define CYCLE_LOOKS      3    // moves without finding work, then done

static void cycle_enter(OperatorState* s, OperatorPhase phase)
{
    s->phase = (int)phase;
    s->frames = 0;
}

static void cycle_put(const Operator* op, const OperatorSight* sight, OperatorJoint joint,
                      double share, InputFrame* out)
{
    double pace = op->skill.pace;
    share = share > pace ? pace : share < -pace ? -pace : share;
    double lever = operator_arm_lever(&op->arm, sight->machine, joint, share);
    out->lever[op->arm.lever[joint]] = input_quantise((float)lever, NULL);
}

// A joint speed, as a share of what the lever can give.
static double cycle_share(const Operator* op, const OperatorSight* sight, OperatorJoint joint,
                          double speed)
{
    return speed / operator_arm_full(&op->arm, sight->machine, joint, speed);
}

// Joints of the arm towards where they shall be, with no more than a share of the full lever.
static void cycle_gently(const Operator* op, const OperatorSight* sight, OperatorJoint joint,
                         double target, double most, InputFrame* out)
{
    double low = op->arm.low[joint] + 0.01, high = op->arm.high[joint] - 0.01;
    target = target < low ? low : target > high ? high : target;
    double miss = target - sight->soon.joint[joint];
    if (__builtin_fabs(miss) < 0.005) {
        return;
    }
    double share = cycle_share(op, sight, joint, op->skill.gain * miss);
    share = share > most ? most : share < -most ? -most : share;
    cycle_put(op, sight, joint, share, out);
}

static void cycle_joint(const Operator* op, const OperatorSight* sight, OperatorJoint joint,
                        double target, InputFrame* out)
{
    cycle_gently(op, sight, joint, target, 1.0, out);
}

// The bucket keeps its pitch while boom and stick move.
static void cycle_pitch(const Operator* op, const OperatorSight* sight, double alpha,
                        InputFrame* out)
{
    const double* j = sight->soon.joint;
    cycle_joint(op, sight, OPERATOR_BUCKET,
                alpha - op->arm.bucket[1] - j[OPERATOR_BOOM] - j[OPERATOR_STICK], out);
}

// The bucket's pin towards a place, the bucket at a pitch; the stick with so much of its lever.
// Returns the miss, m.
static double cycle_carry(const Operator* op, const OperatorSight* sight, double r, double y,
                          double alpha, double stick_most, InputFrame* out)
{
    double boom, stick;
    operator_arm_reach(&op->arm, r, y, &boom, &stick);
    cycle_joint(op, sight, OPERATOR_BOOM, boom, out);
    cycle_gently(op, sight, OPERATOR_STICK, stick, stick_most, out);
    cycle_pitch(op, sight, alpha, out);
    double dr = r - sight->pin[0], dy = y - sight->pin[1];
    return __builtin_sqrt(dr * dr + dy * dy);
}

static double cycle_pin(const Operator* op, const OperatorSight* sight, double r, double y,
                        double alpha, InputFrame* out)
{
    return cycle_carry(op, sight, r, y, alpha, 1.0, out);
}

static double cycle_wrap(double a)
{
    while (a > CYCLE_PI) {
        a -= 2.0 * CYCLE_PI;
    }
    while (a < -CYCLE_PI) {
        a += 2.0 * CYCLE_PI;
    }
    return a;
}

// The house towards a yaw; as fast as it can still be stopped. Returns the miss, rad.
static double cycle_swing(const Operator* op, const OperatorSight* sight, double yaw,
                          InputFrame* out)
{
    double speed = sight->now.speed[OPERATOR_SWING];
    double miss = cycle_wrap(yaw - sight->now.joint[OPERATOR_SWING]);
    double ahead = miss - (CYCLE_SWING_LAG + op->skill.foresight - 0.2) * speed;
    double full = op->arm.turn, far = __builtin_fabs(ahead);
    double want = __builtin_sqrt(2.0 * op->skill.brake * far);
    want = want > CYCLE_SWING_NEAR * far ? CYCLE_SWING_NEAR * far : want;
    want = want > full ? full : want;
    want = ahead < 0.0 ? -want : want;
    if (__builtin_fabs(miss) < 0.02 && __builtin_fabs(speed) < 0.05) {
        return miss;
    }
    // a closed valve brakes best; a little against the motion is hardly felt
    double share = want / full + CYCLE_SWING_FEEL * (want - speed) / full;
    if (share * want < 0.0 || (want * speed < 0.0 && __builtin_fabs(speed) > CYCLE_SWING_SLOW)) {
        share = 0.0;
    }
    cycle_put(op, sight, OPERATOR_SWING, share, out);
    return miss;
}

void operator_put(const Operator* op, const OperatorSight* sight, OperatorJoint joint, double share,
                  InputFrame* out)
{
    cycle_put(op, sight, joint, share, out);
}

double operator_turn_to(const Operator* op, const OperatorSight* sight, double yaw, InputFrame* out)
{
    return cycle_swing(op, sight, yaw, out);
}

double operator_pin_to(const Operator* op, const OperatorSight* sight, double r, double y,
                       double alpha, InputFrame* out)
{
    return cycle_pin(op, sight, r, y, alpha, out);
}

double operator_wrap(double angle)
{
    return cycle_wrap(angle);
}

double operator_hangs(const Operator* op, const OperatorSight* sight, double pitch)
{
    double now = sight->tip.alpha, low = now < -0.5 * CYCLE_PI ? -1.0 : base_sin(now);
    double more = base_sin(pitch) - low;
    return more > 0.0 && now < pitch ? more * op->arm.bucket[0] : 0.0;
}

// --- the way back --------------------------------------------------------------------------------

static double cycle_lane(const Operator* op, double r)
{
    return op->state.line + op->state.slope * r;
}

// With a tolerance the ground is left as the task wants it; else only the soil counts.
static bool cycle_shapes(const Operator* op)
{
    return op->task.tolerance > 0.0f;
}

// True when the bucket would meet walls or heap on its way to or from the dump.
static bool cycle_low(const Operator* op, const OperatorSight* sight)
{
    const OperatorState* s = &op->state;
    double low = sight->tip.y < sight->pin[1] - 0.65 * op->arm.bucket[0]
                     ? sight->tip.y
                     : sight->pin[1] - 0.65 * op->arm.bucket[0];
    return low < s->dump_y - op->arm.bucket[0] - 0.15;
}

static void cycle_reach(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    OperatorState* s = &op->state;
    double off = __builtin_fabs(cycle_wrap(sight->now.joint[OPERATOR_SWING] - s->dump_yaw));
    double miss = cycle_swing(op, sight, s->yaw, out);
    double far = __builtin_fabs(miss);
    double over = far > 0.5 ? 1.3 : far > 0.15 ? 0.7 : 0.25;
    double pitch = cycle_shapes(op) ? s->pitch : CYCLE_ENTRY;
    OperatorTip tip = {s->entry, cycle_lane(op, s->entry) + over * op->arm.width, pitch};
    double r = tip.r - op->arm.bucket[0] * base_cos(tip.alpha);
    double y = tip.y - op->arm.bucket[0] * base_sin(tip.alpha);
    y += cycle_shapes(op) ? operator_hangs(op, sight, pitch) : 0.0;
    if (s->cycles > 0 && off < s->gate && y < s->dump_y) {
        y = s->dump_y + 0.05; // still above the truck
    }
    double left = cycle_pin(op, sight, r, y, pitch, out);
    bool there = far < 0.4 * op->skill.near && __builtin_fabs(sight->now.speed[0]) < 0.08 &&
                 left < 3.5 * op->skill.near;
    // something in the way: it begins from here
    const double* v = sight->now.speed;
    bool blocked = far < 0.1 && s->frames > 60 && __builtin_fabs(v[OPERATOR_SWING]) < CYCLE_STILL &&
                   __builtin_fabs(v[OPERATOR_BOOM]) < CYCLE_STILL &&
                   __builtin_fabs(v[OPERATOR_STICK]) < CYCLE_STILL;
    if (there || blocked || s->frames > 900) {
        s->now.back = (double)s->frames / WORLD_RATE;
        s->raise = s->strain = 0.0;
        s->speed = CYCLE_PACE;
        s->tilt = sight->tilt;
        s->now.stalls = 0;
        s->now.deepest = 0.0;
        cycle_enter(s, cycle_shapes(op) ? OPERATOR_SHAPE : OPERATOR_DRAG);
    }
}

// --- digging -------------------------------------------------------------------------------------

// Deeper while the bucket fills too slowly, shallower when it will be full too soon.
static double cycle_depth(const Operator* op, const OperatorSight* sight, double r)
{
    const OperatorState* s = &op->state;
    double length = s->entry - s->exit - CYCLE_CLOSE * op->arm.width / 1.2;
    double gone = length > 0.1 ? (s->entry - r) / length : 1.0;
    double behind = s->want * (gone < 1.2 ? gone : 1.2) - sight->volume / op->arm.capacity;
    double more = 1.0 + CYCLE_EAGER * (behind - CYCLE_LATE);
    more = more < 0.7 ? 0.7 : more > CYCLE_DEEPER ? CYCLE_DEEPER : more;
    return s->depth * more;
}

// Height of the teeth wanted at a radius, in the plane of the arm.
static double cycle_path(const Operator* op, const OperatorSight* sight, double r)
{
    const OperatorState* s = &op->state;
    double into = (s->entry - r) / (CYCLE_RAMP * op->arm.width / 1.2);
    into = into < 0.0 ? 0.0 : into > 1.0 ? 1.0 : into;
    double y = cycle_lane(op, r) - cycle_depth(op, sight, r) * into - 0.03;
    Vec3 at = operator_world(sight, op, s->yaw, r, 0.0);
    double floor = operator_floor(&op->task, at.x, at.z) - (double)at.y;
    y = y < floor ? floor : y;
    return y + s->raise;
}

// The cut stands, or the machine goes up instead of the soil: less deep.
static void cycle_feel(Operator* op, const OperatorSight* sight, double wanted)
{
    OperatorState* s = &op->state;
    OperatorPose next = operator_arm_expect(&sight->now, 0.01);
    OperatorTip then = operator_arm_tip(&op->arm, next.joint);
    double dr = then.r - sight->tip.r, dy = then.y - sight->tip.y;
    double speed = 100.0 * __builtin_sqrt(dr * dr + dy * dy);
    s->speed += 0.06 * (speed - s->speed);
    bool stuck = s->speed < CYCLE_STUCK * wanted && s->frames > 30;
    double tilt = sight->tilt - s->tilt;
    bool jacked = tilt > CYCLE_JACKED || tilt < -CYCLE_JACKED;
    if (stuck || jacked) {
        s->raise += CYCLE_RAISE / WORLD_RATE * op->arm.width / 1.2;
        ++s->now.stalls;
    }
}

static void cycle_drag(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    OperatorState* s = &op->state;
    const OperatorArm* arm = &op->arm;
    double size = arm->width / 1.2, r = sight->tip_soon.r;
    double through = (s->entry - r) / (CYCLE_RAMP * size);
    through = through < 0.0 ? 0.0 : through > 1.0 ? 1.0 : through;
    // the floor plate keeps its angle to the ground's line, so that its heel stays free
    double alpha = CYCLE_ENTRY + through * (CYCLE_CUT - CYCLE_ENTRY) + base_atan(s->slope);
    OperatorPose later = operator_arm_expect(&sight->now, op->skill.foresight + CYCLE_HEAVY);
    double ahead = r - 0.25 * size;
    double y = cycle_path(op, sight, ahead), miss = y - operator_arm_tip(arm, later.joint).y;
    double pace = CYCLE_PACE * size * op->skill.pace;
    double vy = op->skill.path * miss, turn = 3.0 * (alpha - sight->tip_soon.alpha);
    vy = vy > 1.2 ? 1.2 : vy < -1.5 ? -1.5 : vy;
    // down before along
    double down = 1.0 + (miss + CYCLE_OFF) / CYCLE_OFF;
    double along = pace * (down < 0.1 ? 0.1 : down > 1.0 ? 1.0 : down);
    double want[OPERATOR_JOINTS] = {0.0}, most = 1.0;
    if (operator_arm_speeds(arm, sight->soon.joint, -along, vy, turn, want)) {
        for (int j = OPERATOR_BOOM; j < OPERATOR_JOINTS; ++j) {
            want[j] = cycle_share(op, sight, (OperatorJoint)j, want[j]);
            double size_of = __builtin_fabs(want[j]);
            most = size_of > most ? size_of : most;
        }
        for (int j = OPERATOR_BOOM; j < OPERATOR_JOINTS; ++j) {
            cycle_put(op, sight, (OperatorJoint)j, want[j] / most, out);
        }
    }
    cycle_feel(op, sight, along);
    double below = cycle_lane(op, sight->tip.r) - sight->tip.y;
    s->now.deepest = below > s->now.deepest ? below : s->now.deepest;
    bool full = sight->volume > (s->want + CYCLE_MORE) * arm->capacity - 0.1 * size;
    bool through_it = sight->tip.r < s->exit + CYCLE_CLOSE * size;
    bool enough = sight->volume > s->want * arm->capacity || sight->tip.r < op->closest + 0.3;
    bool stands = s->speed < CYCLE_STUCK * along && s->frames > 30 &&
                  sight->volume > CYCLE_BREAK * arm->capacity;
    if (full || stands || (through_it && enough) || s->frames > CYCLE_DIG) {
        s->now.stalls += stands ? CYCLE_STOOD : 0;
        s->now.dig = (double)s->frames / WORLD_RATE;
        cycle_enter(s, OPERATOR_CURL);
    }
}

// The boom's lever while the bucket curls, `over` rad before its end: away from a floor that is finished in time;
// elsewhere the teeth stay in the face, which fills what the bucket has room for.
static double cycle_rise(double over, bool shapes)
{
    if (shapes) {
        return over > 0.5 ? 0.0 : over > 0.3 ? 0.12 : 0.3;
    }
    return over > CYCLE_FACE ? 0.0 : 0.1;
}

static void cycle_curl(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    OperatorState* s = &op->state;
    uint32_t relieved = machine_state(sight->machine)->drive.relieved;
    bool full = sight->volume > (s->want + CYCLE_MORE) * op->arm.capacity;
    bool shapes = cycle_shapes(op);
    double over = sight->tip.alpha - (shapes ? CYCLE_OUT : CYCLE_CURLED); // rad still to go
    // one hears the relief: lift, and it goes on
    bool stands = (relieved >> op->arm.actuator[OPERATOR_BUCKET] & 1) != 0;
    s->now.stalls += stands;
    s->strain += (stands ? 1.0 : -1.0) / CYCLE_STRAIN;
    s->strain = s->strain < 0.0 ? 0.0 : s->strain > 1.0 ? 1.0 : s->strain;
    bool pulls = over > (shapes ? CYCLE_GONE : CYCLE_FACE) && !full && s->strain < 0.5;
    double lift = full ? CYCLE_AWAY : cycle_rise(over, shapes);
    // to the cylinder's end it goes gently
    double left = sight->now.joint[OPERATOR_BUCKET] - op->arm.low[OPERATOR_BUCKET];
    double curl = left < CYCLE_END ? left / CYCLE_END : 1.0;
    cycle_put(op, sight, OPERATOR_BUCKET, curl < CYCLE_TOUCH ? -CYCLE_TOUCH : -curl, out);
    cycle_put(op, sight, OPERATOR_STICK, pulls ? -(shapes ? CYCLE_DRAW : CYCLE_PULL) : 0.0, out);
    cycle_put(op, sight, OPERATOR_BOOM, lift > s->strain ? lift : s->strain, out);
    if (over < 0.0 || s->frames > 400) {
        operator_plan_dump(op, sight);
        s->now.dig += (double)s->frames / WORLD_RATE;
        cycle_enter(s, OPERATOR_LIFT);
    }
}

// Up, the bucket level; what lies too loosely falls back where it came from.
static void cycle_lift(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    OperatorState* s = &op->state;
    double bucket = sight->now.joint[OPERATOR_BUCKET];
    bool level = sight->tip.alpha < CYCLE_CARRY + CYCLE_LEVEL ||
                 bucket < op->arm.low[OPERATOR_BUCKET] + CYCLE_LEVEL;
    cycle_put(op, sight, OPERATOR_BOOM, level ? 1.0 : 0.6, out);
    cycle_pitch(op, sight, CYCLE_CARRY, out);
    double ground =
        operator_ground(sight, op, sight->now.joint[OPERATOR_SWING], sight->pin[0], 0.0);
    double edge = cycle_lane(op, s->exit);
    ground = ground > edge ? ground : edge;
    double lowest = sight->pin[1] - 0.75 * op->arm.bucket[0];
    bool clear = lowest > ground + 0.15 * op->arm.width;
    if ((clear && level && s->frames > CYCLE_SHED) || s->frames > 240) {
        s->now.dig += (double)s->frames / WORLD_RATE;
        s->now.payload = sight->payload;
        s->now.fill = sight->volume / op->arm.capacity;
        s->carry = sight->pin[1] + CYCLE_RUNOUT * op->arm.width / 1.2;
        cycle_enter(s, OPERATOR_HAUL);
    }
}

// --- dumping -------------------------------------------------------------------------------------

// The yaw that may be swung to while the bucket is too low for what stands around the dump.
static double cycle_gate(const Operator* op, const OperatorSight* sight, double yaw)
{
    const OperatorState* s = &op->state;
    double off = cycle_wrap(sight->now.joint[OPERATOR_SWING] - s->dump_yaw);
    if (!cycle_low(op, sight) || __builtin_fabs(off) < s->gate) {
        return yaw;
    }
    return s->dump_yaw + (off > 0.0 ? s->gate : -s->gate);
}

static void cycle_haul(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    OperatorState* s = &op->state;
    double miss = __builtin_fabs(cycle_wrap(s->dump_yaw - sight->now.joint[OPERATOR_SWING]));
    // down only when it is nearly there: what starts or stops in the air is shaken off
    double y = miss > CYCLE_LOWER && s->dump_y < s->carry ? s->carry : s->dump_y;
    double left = cycle_carry(op, sight, s->dump_r, y, CYCLE_CARRY, CYCLE_GENTLY, out);
    cycle_swing(op, sight, cycle_gate(op, sight, s->dump_yaw), out);
    // it opens while the house comes to rest
    if ((miss < 0.10 && left < 3.5 * op->skill.near) || s->frames > 900) {
        s->now.haul = (double)s->frames / WORLD_RATE;
        s->shaken = sight->payload;
        s->shakes = 0;
        cycle_enter(s, OPERATOR_DUMP);
    }
}

static double cycle_fill(const Operator* op)
{
    return op->task.fill > 0.0f ? (double)op->task.fill : CYCLE_FILL;
}

static void cycle_finish(Operator* op, const OperatorSight* sight)
{
    OperatorState* s = &op->state;
    s->now.dump = (double)s->frames / WORLD_RATE;
    s->now.left = sight->payload;
    s->last = s->now;
    ++s->cycles;
    // what the ground bore, and what the bucket lacked
    double lacked = cycle_fill(op) - s->now.fill;
    s->want += CYCLE_LEARN * lacked;
    s->want = s->want < 0.5 ? 0.5 : s->want > CYCLE_MOST ? CYCLE_MOST : s->want;
    if (s->now.stalls >= CYCLE_STOOD) {
        s->bite *= 0.9;
    } else {
        s->bite *= 1.0 + 0.5 * (lacked > 0.2 ? 0.2 : lacked < -0.2 ? -0.2 : lacked);
    }
    s->bite = s->bite < 0.4 ? 0.4 : s->bite > 2.2 ? 2.2 : s->bite;
    cycle_enter(s, OPERATOR_WAIT);
    s->frames = CYCLE_SETTLE;
}

static void cycle_dump(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    OperatorState* s = &op->state;
    cycle_swing(op, sight, s->dump_yaw, out);
    cycle_pin(op, sight, s->dump_r, s->dump_y, CYCLE_OPEN, out);
    if (s->frames > CYCLE_POUR) {
        // what sticks is shaken out of a bucket that is wide open
        int beat = (s->frames - CYCLE_POUR) % CYCLE_SHAKE;
        double wide = op->arm.high[OPERATOR_BUCKET] - CYCLE_WIDE;
        bool back = beat >= CYCLE_SHAKE - CYCLE_BACK;
        cycle_joint(op, sight, OPERATOR_BUCKET, wide, out);
        if (back) {
            cycle_put(op, sight, OPERATOR_BUCKET, -1.0, out);
        }
    }
    bool open = sight->tip.alpha > CYCLE_OPEN - 0.35 ||
                sight->now.joint[OPERATOR_BUCKET] > op->arm.high[OPERATOR_BUCKET] - 0.06;
    // what is left would fall where the next pass begins, on ground that is finished
    double least = cycle_shapes(op) ? CYCLE_CLEAN : CYCLE_EMPTY;
    bool empty = sight->volume < least * op->arm.capacity;
    if ((open && empty) || s->frames > CYCLE_POUR + CYCLE_SHAKES * CYCLE_SHAKE) {
        cycle_finish(op, sight);
    }
}

// --- between cycles ------------------------------------------------------------------------------

static void cycle_wait(Operator* op, const OperatorSight* sight)
{
    OperatorState* s = &op->state;
    if (s->frames < CYCLE_SETTLE) {
        return;
    }
    if (op->task.cycles > 0 && s->cycles >= op->task.cycles) {
        cycle_enter(s, OPERATOR_DONE);
    } else if (cycle_shapes(op) ? operator_plan_shape(op, sight) : operator_plan_dig(op, sight)) {
        s->lanes_failed = 0;
        cycle_enter(s, OPERATOR_REACH);
    } else if (op->task.step != 0.0f && s->lanes_failed < CYCLE_LOOKS) {
        Vec3 at = machine_pose(sight->machine, 0).position;
        s->moved[0] = (double)at.x, s->moved[1] = (double)at.y, s->moved[2] = (double)at.z;
        ++s->lanes_failed;
        cycle_enter(s, OPERATOR_MOVE);
    } else {
        cycle_enter(s, OPERATOR_DONE);
    }
}

static void cycle_shape(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    if (operator_follow_shape(op, sight, out)) {
        op->state.now.dig = (double)op->state.frames / WORLD_RATE;
        cycle_enter(&op->state, OPERATOR_CURL);
    }
}

static void cycle_move(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    if (operator_travel(op, sight, out)) {
        cycle_enter(&op->state, OPERATOR_WAIT);
        op->state.frames = CYCLE_SETTLE / 2;
    }
}

void operator_cycle_step(Operator* op, const OperatorSight* sight, InputFrame* out)
{
    OperatorState* s = &op->state;
    ++s->frames;
    switch ((OperatorPhase)s->phase) {
    case OPERATOR_WAIT: cycle_wait(op, sight); break;
    case OPERATOR_REACH: cycle_reach(op, sight, out); break;
    case OPERATOR_DRAG: cycle_drag(op, sight, out); break;
    case OPERATOR_SHAPE: cycle_shape(op, sight, out); break;
    case OPERATOR_CURL: cycle_curl(op, sight, out); break;
    case OPERATOR_LIFT: cycle_lift(op, sight, out); break;
    case OPERATOR_HAUL: cycle_haul(op, sight, out); break;
    case OPERATOR_DUMP: cycle_dump(op, sight, out); break;
    case OPERATOR_MOVE: cycle_move(op, sight, out); break;
    default: break;
    }
}
