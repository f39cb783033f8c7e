#include "operator/operator.h"

#include "base/base_assert.h"
#include "base/base_trig.h"
#include "operator/operator_cycle.h"
#include "operator/operator_internal.h"

#include <string.h>

#define OPERATOR_NEAREST  1.3  // m from the tracks' end to where a pass ends, times width / 1.2
#define OPERATOR_FARTHEST 0.82 // of the arm's length
#define OPERATOR_WANT     0.7  // of the heaped bucket before it curls, to begin with
#define OPERATOR_TRAVEL   1.8  // m that a trench is dug on from one place, times width / 1.2
#define OPERATOR_HOLD     90   // frames that chance holds a lever, at most

const char* const operator_kind_words[OPERATOR_KINDS + 1] = {"expert", "novice", "random", "idle",
                                                             NULL};
const char* const operator_program_words[OPERATOR_PROGRAMS + 1] = {"pit", "trench", "truck",
                                                                   "stockpile", NULL};

static const OperatorSkill operator_skills[2] = {
    {.foresight = 0.20, .gain = 4.0, .pace = 1.0, .path = 3.5, .near = 0.10, .brake = 0.45},
    {.delay = 14,
     .foresight = 0.12,
     .gain = 2.5,
     .pace = 0.75,
     .path = 2.0,
     .scatter = 0.12,
     .near = 0.22,
     .brake = 0.6},
};

const char* operator_phase_name(OperatorPhase phase)
{
    static const char* const name[OPERATOR_PHASES] = {
        "wait", "reach", "drag", "shape", "curl", "lift", "haul", "dump", "tamp", "move", "done"};
    return name[phase];
}

// --- making --------------------------------------------------------------------------------------

static void operator_measure(Operator* op, const MachineDef* def)
{
    const OperatorArm* arm = &op->arm;
    double front = 0.0;
    for (int n = 0; n < def->runner_count; ++n) {
        const MachineRunner* r = &def->runners[n];
        double end = (double)(r->center.x + 0.5f * r->length);
        front = end > front ? end : front;
    }
    double size = arm->width / 1.2;
    op->closest = front + (OPERATOR_NEAREST + 0.3) * size;
    op->farthest = OPERATOR_FARTHEST * (arm->boom[0] + arm->stick[0] + arm->bucket[0]);
}

bool operator_init(Operator* op, OperatorKind kind, const World* world, int machine,
                   const OperatorTask* task, uint64_t seed, const char** missing)
{
    memset(op, 0, sizeof *op);
    op->kind = (int)kind, op->machine = machine, op->task = *task;
    op->state.random = base_random(seed);
    op->state.bite = 1.0;
    op->state.want = OPERATOR_WANT;
    op->skill = operator_skills[kind == OPERATOR_NOVICE];
    *missing = NULL;
    if (kind == OPERATOR_RANDOM || kind == OPERATOR_IDLE) {
        return true;
    }
    const MachineDef* def = world_machine_def(world, machine);
    if (!operator_arm_find(def, &op->arm, missing)) {
        return false;
    }
    operator_measure(op, def);
    if (task->program == OPERATOR_TRENCH && task->step == 0.0f) {
        op->task.step = (float)(-OPERATOR_TRAVEL * op->arm.width / 1.2);
    }
    return true;
}

bool operator_done(const Operator* op)
{
    return op->state.phase == OPERATOR_DONE;
}

// --- looking -------------------------------------------------------------------------------------

OperatorSight operator_see(const Operator* op, World* world)
{
    OperatorSight sight = {.world = world,
                           .machine = world_machine(world, op->machine),
                           .ground = world_terrain(world)};
    sight.now = operator_arm_look(&op->arm, sight.machine);
    sight.soon = operator_arm_expect(&sight.now, op->skill.foresight);
    sight.tip = operator_arm_tip(&op->arm, sight.now.joint);
    sight.tip_soon = operator_arm_tip(&op->arm, sight.soon.joint);
    operator_arm_pin(&op->arm, sight.now.joint, &sight.pin[0], &sight.pin[1]);
    const CouplingToolState* tool =
        coupling_fleet_tool(world_fleet(world), op->machine, op->arm.tool);
    const SiteInfo* site = world_site(world);
    sight.payload = tool->payload;
    for (int m = 0; m < site->material_count; ++m) {
        sight.volume += tool->payload_of[m] / (double)site->material[m]->density_loose;
    }
    Quat q = machine_pose(sight.machine, 0).rotation;
    sight.tilt = base_asin(2.0 * (double)(q.x * q.y + q.w * q.z));
    return sight;
}

// --- hands ---------------------------------------------------------------------------------------

static void operator_chance(Operator* op, InputFrame* out)
{
    static const InputFunction lever[4] = {INPUT_SWING, INPUT_BOOM, INPUT_STICK, INPUT_BUCKET};
    OperatorState* s = &op->state;
    for (int k = 0; k < 4; ++k) {
        if (s->hold[k]-- <= 0) {
            s->hold[k] = (int)base_random_range(&s->random, 1.0f, (float)OPERATOR_HOLD);
            s->lever[k] = (double)base_random_range(&s->random, -1.2f, 1.2f);
        }
        out->lever[lever[k]] = input_quantise(base_clampf((float)s->lever[k], -1.0f, 1.0f), NULL);
    }
}

void operator_late(Operator* op, InputFrame* out)
{
    OperatorState* s = &op->state;
    int delay = op->skill.delay;
    BASE_ASSERT(delay >= 0 && delay < OPERATOR_DELAY);
    memcpy(s->late[s->slot % OPERATOR_DELAY], out->lever, sizeof out->lever);
    uint32_t then = s->slot >= (uint32_t)delay ? s->slot - (uint32_t)delay : 0;
    memcpy(out->lever, s->late[then % OPERATOR_DELAY], sizeof out->lever);
    ++s->slot;
}

void operator_step(Operator* op, World* world, InputFrame* out)
{
    memset(out, 0, sizeof *out);
    switch (op->kind) {
    case OPERATOR_IDLE: return;
    case OPERATOR_RANDOM: operator_chance(op, out); return;
    default: break;
    }
    OperatorSight sight = operator_see(op, world);
    operator_cycle_step(op, &sight, out);
    operator_late(op, out);
}
