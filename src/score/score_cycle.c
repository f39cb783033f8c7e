// Which part of a working cycle the machine is in, seen from the bucket: what it carries, whether it
// is in the ground. docs/measures.md tells the rules in words.
#include "score/score_internal.h"

#include <math.h>

#define LOADED    0.25  // fill: a bucket that leaves the ground with less has not finished digging
#define EMPTY     0.05  // fill
#define DUMPING   0.85  // of the largest payload: less is being dumped, not spilled
#define FALLS     0.005 // of the largest payload: a smaller loss is dust
#define SHED      0.8f  // m above ground, and
#define SHED_YAW  0.2   // rad of swing, up to which soil falls back where it was dug
#define DUMP_END  1.0   // s without a loss, when soil is left in the bucket
#define EMPTY_END 0.3   // s without a loss, when it is empty

static double volume(const ScoreSetup* setup, const ScoreSample* s, const double* density)
{
    double sum = 0.0;
    for (int m = 0; m < setup->materials; ++m) {
        sum += SCORE_KG(s->bucket[m]) / density[m];
    }
    return sum;
}

static double payload(const Score* score, const ScoreSample* s)
{
    uint64_t sum = 0;
    for (int m = 0; m < score->setup.materials; ++m) {
        sum += s->bucket[m];
    }
    return SCORE_KG(sum);
}

static ScoreCycle* current(Score* score)
{
    int last = score->cycles < SCORE_CYCLES_MAX ? score->cycles : SCORE_CYCLES_MAX;
    return last > 0 ? &score->cycle[last - 1] : NULL;
}

static double overshoot(const Score* score, double yaw)
{
    double far = fabs(score->yaw_far - score->leave_yaw), now = fabs(yaw - score->leave_yaw);
    return far > now ? far - now : 0.0;
}

static void begin_swing(Score* score, double yaw)
{
    score->leave_yaw = score->yaw_far = yaw;
}

// --- changes of phase ----------------------------------------------------------------------------

static void begin_cycle(Score* score, const ScoreSample* s)
{
    ScoreCycle* old = current(score);
    if (old && !old->complete) {
        double over = overshoot(score, s->joint[SCORE_SWING]);
        old->overshoot = over > old->overshoot ? over : old->overshoot;
        old->spill = SCORE_KG(score_spill_mg(s) - score->spill_at_start);
        old->complete = old->dumped;
    }
    // a scoop that was never dumped is forgotten
    if (!old || old->complete) {
        score->cycles += 1;
    }
    ScoreCycle* cycle = current(score);
    if (score->cycles <= SCORE_CYCLES_MAX) {
        *cycle = (ScoreCycle){.start = s->time};
    }
    score->spill_at_start = score_spill_mg(s);
    score->peak = score->peak_bank = score->peak_loose = 0.0;
}

static void end_dump(Score* score, const ScoreSample* s, double now)
{
    ScoreCycle* cycle = current(score);
    double bank = volume(&score->setup, s, score->setup.density_bank);
    double loose = volume(&score->setup, s, score->setup.density_loose);
    if (score->cycles <= SCORE_CYCLES_MAX) {
        cycle->payload = score->peak;
        cycle->fill = score->peak_loose / score->setup.bucket_volume;
        cycle->left = now;
        cycle->dumped = true;
    }
    score->moved += score->peak - now;
    score->moved_bank += score->peak_bank - bank;
    score->moved_loose += score->peak_loose - loose;
    begin_swing(score, s->joint[SCORE_SWING]);
}

static void begin_dump(Score* score, const ScoreSample* s, double now)
{
    ScoreCycle* cycle = current(score);
    double yaw = s->joint[SCORE_SWING];
    if (score->phase == SCORE_PHASE_SWING_LOADED && score->cycles <= SCORE_CYCLES_MAX) {
        cycle->swing = fabs(yaw - score->leave_yaw);
        cycle->overshoot = overshoot(score, yaw);
        if (cycle->overshoot > 2.0 * BASE_DEG) {
            score_incident(score, SCORE_SWING_OVERSHOOT, cycle->overshoot / BASE_DEG, 1.0,
                           SCORE_LARGEST);
        }
    }
    score->low = now;
    score->still_since = s->time;
}

static int next_phase(Score* score, const ScoreSample* s, double now, double fill)
{
    switch (score->phase) {
    case SCORE_PHASE_DIG:
        if (!s->in_ground && s->clearance > 0.0f && fill >= LOADED)
            return SCORE_PHASE_SWING_LOADED;
        return score->peak > 0.0 && score->peak_loose > LOADED * score->setup.bucket_volume &&
                       now < DUMPING * score->peak && !s->in_ground
                   ? SCORE_PHASE_DUMP
                   : SCORE_PHASE_DIG;
    case SCORE_PHASE_SWING_LOADED:
        if (now < DUMPING * score->peak)
            return SCORE_PHASE_DUMP;
        return s->in_ground ? SCORE_PHASE_DIG : SCORE_PHASE_SWING_LOADED;
    case SCORE_PHASE_DUMP:
        return s->time - score->still_since > (fill < EMPTY ? EMPTY_END : DUMP_END)
                   ? SCORE_PHASE_SWING_EMPTY
                   : SCORE_PHASE_DUMP;
    default: return s->in_ground ? SCORE_PHASE_DIG : score->phase;
    }
}

// A heaped bucket sheds what lies too loosely before it is carried away: no dump, and no payload.
static bool sheds(const Score* score, const ScoreSample* s)
{
    return score->phase == SCORE_PHASE_SWING_LOADED && s->clearance < SHED &&
           fabs(s->joint[SCORE_SWING] - score->leave_yaw) < SHED_YAW;
}

static void follow_peak(Score* score, const ScoreSample* s, double now)
{
    if (now > score->peak) {
        score->peak = now;
        score->peak_bank = volume(&score->setup, s, score->setup.density_bank);
        score->peak_loose = volume(&score->setup, s, score->setup.density_loose);
    }
}

void score_cycle_step(Score* score, const ScoreSample* s)
{
    double now = payload(score, s);
    double fill = volume(&score->setup, s, score->setup.density_loose) / score->setup.bucket_volume;
    double yaw = s->joint[SCORE_SWING];
    if (score->phase == SCORE_PHASE_DUMP && now < score->low - FALLS * score->peak) {
        score->low = now;
        score->still_since = s->time;
    }
    if (sheds(score, s) && fill >= LOADED && now < score->peak) {
        score->peak = 0.0;
        follow_peak(score, s, now);
    }
    int next = next_phase(score, s, now, fill);
    if (next != score->phase) {
        if (next == SCORE_PHASE_DIG && score->phase != SCORE_PHASE_SWING_LOADED) {
            begin_cycle(score, s);
        } else if (next == SCORE_PHASE_SWING_LOADED) {
            score->peak = 0.0; // what was only pushed along stays behind
            begin_swing(score, score->last.joint[SCORE_SWING]); // where it left the ground
        } else if (next == SCORE_PHASE_DUMP) {
            begin_dump(score, s, now);
        } else if (next == SCORE_PHASE_SWING_EMPTY) {
            end_dump(score, s, now);
        }
        score->phase = next;
    }
    if (fabs(yaw - score->leave_yaw) > fabs(score->yaw_far - score->leave_yaw)) {
        score->yaw_far = yaw;
    }
    ScoreCycle* cycle = current(score);
    if (cycle && !cycle->complete && score->cycles <= SCORE_CYCLES_MAX && !score_waits(s)) {
        cycle->time[score->phase] += 1.0 / score->setup.rate;
    }
    if (score->phase == SCORE_PHASE_DIG || score->phase == SCORE_PHASE_SWING_LOADED) {
        follow_peak(score, s, now);
    }
}
