// Every measure, one step at a time.
#include "score/score_internal.h"

#include "base/base_assert.h"

#include <math.h>
#include <string.h>

#define STILL         0.02  // rad/s and m/s: nothing moves
#define STUCK         0.002 // rad/s and m/s: a lever is held, and yet nothing comes of it
#define APART         1.0   // s; shorter, and it is the same contact
#define LASTS         10.0  // s, after which a contact counts once more
#define FIRST         0.03  // s: what touches now has touched from the start
#define SETTLES       2.0   // s in which a machine comes to rest where the lesson puts it
#define IDLE_AFTER    3.0   // s; shorter pauses are thinking, not idling
#define SLAM          0.1   // m/s of a cylinder into its end: a third of its full speed
#define STALL_LEVER   0.5f  // of the lever's way
#define STALL_SPEED   0.01  // rad/s
#define STALL_AFTER   0.5   // s
#define SIDE_SPEED    0.05  // rad/s of swing with the bucket in the ground
#define LIFTED        0.05f // m
#define TRAVELS       0.2f  // m/s
#define SPILL_TOLD    5.0   // kg in a second
#define FELL          5.0   // kg out of the bucket that tell when
#define TIP_TOLD      0.15
#define JERK_WINDOWS  10.0 // per second
#define TRUCK_TOUCHED 0.1  // of the rated load: a truck that leaves with less was not ours
#define TRUCK_LOADED  0.9  // of it: with less it was sent away too early
#define OUTSIDE_TOLD  20.0 // kg in a second

void score_init(Score* score, const ScoreSetup* setup)
{
    BASE_ASSERT(setup->rate > 0.0 && setup->bucket_volume > 0.0);
    BASE_ASSERT(setup->materials >= 0 && setup->materials <= SCORE_MATERIALS);
    memset(score, 0, sizeof *score);
    score->setup = *setup;
    score->tip = 1.0;
    score->truck_clearance = SCORE_UNBOUNDED;
    score->survey.compaction = -1.0;
}

void score_set_survey(Score* score, const ScoreSurvey* survey)
{
    score->survey = *survey;
}

int64_t score_spill_mg(const ScoreSample* s)
{
    int64_t sum = 0;
    for (int p = SCORE_PLACE_SPILL; p < SCORE_PLACE_COUNT; ++p) {
        sum += s->gained[p] > 0 ? s->gained[p] : 0;
    }
    return sum;
}

int64_t score_outside_mg(const ScoreSample* s)
{
    int64_t sum = 0;
    for (int p = SCORE_PLACE_HAUL; p <= SCORE_PLACE_ELSEWHERE; ++p) {
        sum += s->gained[p] < 0 ? -s->gained[p] : 0;
    }
    return sum;
}

bool score_contact(ScoreContact* c, bool now, double time)
{
    if (!now) {
        return false;
    }
    bool fresh = c->last == 0.0 || time - c->last > APART;
    c->last = time;
    if (fresh && time < FIRST) {
        c->counted = SCORE_UNBOUNDED; // nobody's doing, until it has been left
    } else if (fresh || time - c->counted >= LASTS) {
        c->counted = time;
        return true;
    }
    return false;
}

// --- incidents -----------------------------------------------------------------------------------

int score_kept_incidents(const Score* score)
{
    return score->incidents < SCORE_INCIDENTS_MAX ? score->incidents : SCORE_INCIDENTS_MAX;
}

static void merge(ScoreIncident* old, double value, ScoreMerge how)
{
    old->value = how == SCORE_SUM                                 ? old->value + value
                 : (how == SCORE_LARGEST) == (value > old->value) ? value
                                                                  : old->value;
}

// When the list is full the least of the same measure makes room, or the new one is left out.
static ScoreIncident* place_for(Score* score, int measure, double value)
{
    if (score->incidents < SCORE_INCIDENTS_MAX) {
        return &score->incident[score->incidents];
    }
    ScoreIncident* least = NULL;
    for (int i = 0; i < SCORE_INCIDENTS_MAX; ++i) {
        ScoreIncident* old = &score->incident[i];
        if (old->measure == measure && (!least || old->value < least->value)) {
            least = old;
        }
    }
    return least && least->value < value ? least : NULL;
}

void score_incident_in(Score* score, int measure, double value, double within, ScoreMerge how,
                       int phase)
{
    for (int i = score_kept_incidents(score) - 1; i >= 0; --i) {
        ScoreIncident* old = &score->incident[i];
        if (old->measure == measure && score->time - old->until <= within) {
            merge(old, value, how);
            // it belongs where most of it came at once
            old->phase = how == SCORE_SUM && value > old->most ? phase : old->phase;
            old->most = fmax(old->most, value);
            old->until = score->time;
            return;
        }
    }
    ScoreIncident* at = place_for(score, measure, value);
    if (at) {
        *at = (ScoreIncident){.time = score->time,
                              .until = score->time,
                              .measure = measure,
                              .phase = phase,
                              .cycle = score->cycles - 1,
                              .value = value,
                              .most = value};
    }
    score->incidents += 1;
}

void score_incident(Score* score, int measure, double value, double within, ScoreMerge how)
{
    score_incident_in(score, measure, value, within, how, score->phase);
}

// --- the hand ------------------------------------------------------------------------------------

static bool hands_off(const ScoreSample* s)
{
    for (int l = 0; l < SCORE_LEVERS; ++l) {
        if (fabsf(s->lever[l]) >= SCORE_NEUTRAL) {
            return false;
        }
    }
    return true;
}

static bool steers(const ScoreSample* s)
{
    float left = fabsf(s->lever[SCORE_AXES]), right = fabsf(s->lever[SCORE_AXES + 1]);
    return left > SCORE_NEUTRAL || right > SCORE_NEUTRAL;
}

static bool travels(const ScoreSample* s)
{
    return steers(s) || s->speed > TRAVELS;
}

static double fastest(const ScoreSample* s)
{
    double fast = (double)s->speed;
    for (int a = 0; a < SCORE_AXES; ++a) {
        fast = fmax(fast, fabs(s->joint_speed[a]));
    }
    return fast;
}

static bool at_rest(const ScoreSample* s)
{
    return fastest(s) < STILL;
}

// A hand that lies on a lever so lightly that nothing comes of it, or holds one on and on: no work either. Who
// pushes against relief works, if not well.
static bool rests(const ScoreSample* s)
{
    return hands_off(s) ? at_rest(s) : fastest(s) < STUCK && s->relief == 0;
}

bool score_waits(const ScoreSample* s)
{
    return (s->waiting || s->alarm || s->person) && hands_off(s) && at_rest(s);
}

static int count_axes(const ScoreSample* s, int* moving)
{
    int axes = 0;
    *moving = 0;
    for (int a = 0; a < SCORE_AXES; ++a) {
        bool moves = fabs(s->joint_speed[a]) > SCORE_MOVES;
        axes += moves;
        *moving |= moves << a;
    }
    return axes;
}

static void measure_activity(Score* score, const ScoreSample* s, double h)
{
    int moving, axes = count_axes(s, &moving);
    bool idle = hands_off(s) && at_rest(s);
    score->driven = score->driven || !hands_off(s);
    score->worked = score->worked || (score->driven && (s->in_ground || steers(s)));
    if (!idle) {
        score->active += h;
        score->axes[axes] += h;
    }
    for (int a = 0; a < SCORE_AXES; ++a) {
        score->axis[a] += (moving >> a & 1) ? h : 0.0;
    }
    if (s->helped) {
        score->helped += h;
        score_incident(score, SCORE_HELPED, h, 1.0, SCORE_SUM);
    }
    // a pause counts from its beginning once it is long enough
    double before = score->idle_run;
    bool waits = s->waiting || s->alarm || s->person;
    score->idle_run = rests(s) && s->engine && !waits ? before + h : 0.0;
    if (score->idle_run > IDLE_AFTER) {
        score->idle += before > IDLE_AFTER ? h : score->idle_run;
        score_incident(score, SCORE_IDLE, before > IDLE_AFTER ? h : score->idle_run, 0.1,
                       SCORE_SUM);
    }
}

// The third derivative of the joints, from means over a tenth of a second: sensors' and solvers'
// trembling is not the operator's.
static void measure_jerk(Score* score, const ScoreSample* s)
{
    int length = (int)(score->setup.rate / JERK_WINDOWS + 0.5);
    length = length > 0 ? length : 1;
    for (int a = 0; a < SCORE_AXES; ++a) {
        score->window[a] += s->joint_speed[a];
    }
    if (++score->window_steps < length) {
        return;
    }
    double w = (double)length / score->setup.rate;
    for (int a = 0; a < SCORE_AXES; ++a) {
        double mean = score->window[a] / length;
        double jerk = (mean - 2.0 * score->mean[0][a] + score->mean[1][a]) / (w * w);
        if (score->windows >= 2 && !(hands_off(s) && at_rest(s))) {
            score->jerk_sum += jerk * jerk;
            score->jerk_count += 1;
        }
        score->mean[1][a] = score->mean[0][a];
        score->mean[0][a] = mean;
        score->window[a] = 0.0;
    }
    score->windows += 1;
    score->window_steps = 0;
}

static void measure_trace(Score* score, const ScoreSample* s, double h)
{
    if (!s->tracing) {
        return;
    }
    double error = (double)s->trace_error, level = (double)s->trace_level;
    score->trace_time += h;
    score->trace_sum += error * error * h;
    score->level_sum += level * level * h;
    if (error > score->trace_worst) {
        score->trace_worst = error;
        score_incident(score, SCORE_TRACE_WORST, error * 1000.0, 5.0, SCORE_LARGEST);
    }
}

static void measure_reaction(Score* score, const ScoreSample* s, double h)
{
    if (s->alarm && !score->last.alarm) {
        score->reacting = true;
        score->alarm_start = s->time - h;
        score->reaction = 0.0;
        score->alarms += 1;
    }
    if (score->reacting) {
        bool stopped = hands_off(s) && at_rest(s);
        score->reaction += stopped ? 0.0 : h;
        if (stopped || !s->alarm) {
            score->reacting = false;
            score_incident(score, SCORE_REACTION, score->reaction, 0.0, SCORE_LARGEST);
        }
    } else if (s->alarm && !hands_off(s) && !at_rest(s)) {
        // who goes on before the alarm is over has not stopped
        score->reaction = s->time - score->alarm_start;
        score_incident(score, SCORE_REACTION, score->reaction, s->time - score->alarm_start,
                       SCORE_LARGEST);
    }
    score->reaction_worst = fmax(score->reaction_worst, score->reaction);
}

// --- the machine ---------------------------------------------------------------------------------

static void measure_stops(Score* score, const ScoreSample* s)
{
    for (int a = 0; a < SCORE_AXES; ++a) {
        // where the lesson puts a cylinder is nobody's doing
        if (!(s->stop >> a & 1) || (score->last.stop >> a & 1) || score->steps == 0) {
            continue;
        }
        score->end_stops += 1;
        double speed = (double)score->last.cylinder_speed[a];
        if (speed > SLAM) {
            score->slams += 1;
            score_incident(score, SCORE_SLAMS, speed, 0.0, SCORE_LARGEST);
        }
    }
}

static void measure_relief(Score* score, const ScoreSample* s, double h)
{
    score->relief_time += s->relief ? h : 0.0;
    for (int a = 0; a < SCORE_AXES; ++a) {
        bool stalled = (s->relief >> a & 1) && fabsf(s->lever[a]) > STALL_LEVER &&
                       fabs(s->joint_speed[a]) < STALL_SPEED;
        double before = score->stall[a];
        score->stall[a] = stalled ? before + h : 0.0;
        if (score->stall[a] > STALL_AFTER) {
            bool begins = before <= STALL_AFTER;
            score->stalls += begins;
            score->stall_time += begins ? score->stall[a] : h;
            score_incident(score, SCORE_STALLS, begins ? score->stall[a] : h, 1.0, SCORE_SUM);
        }
    }
}

// Where the lesson puts a machine it first comes to rest.
static bool stands(const Score* score)
{
    return score->driven || score->time > SETTLES;
}

static void measure_stance(Score* score, const ScoreSample* s, double h)
{
    if (!stands(score)) {
        return;
    }
    score->lift = fmax(score->lift, (double)s->track_lift);
    if (s->track_lift > LIFTED) {
        score->lift_time += h;
        score_incident(score, SCORE_TRACK_LIFT, (double)s->track_lift, 2.0, SCORE_LARGEST);
    }
    if ((double)s->tip_margin < score->tip) {
        score->tip = (double)s->tip_margin;
        if (score->tip < TIP_TOLD) {
            score_incident(score, SCORE_TIP_MARGIN, 100.0 * score->tip, 5.0, SCORE_SMALLEST);
        }
    }
    double tilt = sqrt((double)s->pitch * (double)s->pitch + (double)s->roll * (double)s->roll);
    if (tilt > score->tilt) {
        score->tilt = tilt;
        score_incident(score, SCORE_TILT, tilt / BASE_DEG, 10.0, SCORE_LARGEST);
    }
}

static void measure_use(Score* score, const ScoreSample* s, double h)
{
    if (s->in_ground && fabs(s->joint_speed[SCORE_SWING]) > SIDE_SPEED) {
        score->side_loading += h;
        score_incident(score, SCORE_SIDE_LOADING, h, 2.0, SCORE_SUM);
    }
    if (s->speed > TRAVELS) {
        score->travelled = true;
        if ((double)s->clearance > score->travel_height) {
            score->travel_height = (double)s->clearance;
            score_incident(score, SCORE_TRAVEL_HEIGHT, score->travel_height, 10.0, SCORE_LARGEST);
        }
    }
}

static void count_hits(Score* score, int* counter, int measure, int hits)
{
    *counter += hits;
    if (hits > 0) {
        score_incident(score, measure, hits, 0.0, SCORE_SUM);
    }
}

static void measure_safety(Score* score, const ScoreSample* s)
{
    count_hits(score, &score->collisions, SCORE_COLLISIONS, s->hit[SCORE_HIT_STEEL]);
    count_hits(score, &score->truck_hits, SCORE_TRUCK_HITS, s->hit[SCORE_HIT_TRUCK]);
    count_hits(score, &score->strikes, SCORE_STRIKES, s->hit[SCORE_HIT_PIPE]);
    count_hits(score, &score->line_hits, SCORE_LINE_ENTRIES, s->hit[SCORE_HIT_LINE]);
    int danger = score_contact(&score->danger, s->danger && stands(score), s->time);
    count_hits(score, &score->people, SCORE_PEOPLE, s->hit[SCORE_HIT_PERSON] + danger);
    int entered = 0;
    for (int z = 0; z < SCORE_ZONES_MAX; ++z) {
        entered += score_contact(&score->zone[z], s->zone >> z & 1u, s->time);
    }
    count_hits(score, &score->zone_entries, SCORE_ZONE_ENTRIES, entered);
    if (s->over_truck &&
        (score->phase == SCORE_PHASE_SWING_LOADED || score->phase == SCORE_PHASE_DUMP)) {
        score->truck_seen = true;
        if ((double)s->truck_clearance < score->truck_clearance) {
            score->truck_clearance = (double)s->truck_clearance;
            score_incident(score, SCORE_TRUCK_CLEARANCE, score->truck_clearance, 5.0,
                           SCORE_SMALLEST);
        }
    }
}

// --- soil ----------------------------------------------------------------------------------------

bool score_truck_has(const ScoreTruck* t, double share)
{
    return t->number > 0 && t->rated > 0 && (double)t->load >= share * (double)t->rated;
}

bool score_truck_loaded(const ScoreTruck* t)
{
    return score_truck_has(t, TRUCK_LOADED);
}

double score_truck_error(const ScoreTruck* t)
{
    return fabs((double)t->load - (double)t->rated) / (double)t->rated;
}

static void measure_trucks(Score* score, const ScoreSample* s)
{
    for (int k = 0; k < SCORE_TRUCKS_MAX; ++k) {
        const ScoreTruck* left = &score->last.truck[k];
        if (s->truck[k].number == left->number || !score_truck_has(left, TRUCK_TOUCHED)) {
            continue;
        }
        double error = score_truck_error(left);
        score->trucks += score_truck_loaded(left);
        score->trucks_left += 1;
        score->truck_error_sum += error;
        score_incident(score, SCORE_TRUCK_ERROR, 100.0 * error, 0.0, SCORE_LARGEST);
    }
}

static int spill_measure(const ScoreSample* now, const ScoreSample* before)
{
    const int of[] = {SCORE_SPILL_HAUL, SCORE_SPILL_KEEP_OUT, SCORE_SPILL_ELSEWHERE,
                      SCORE_SPILL_OFF_SITE};
    int worst = 0;
    int64_t most = INT64_MIN;
    for (int k = 0; k < 4; ++k) {
        int p = SCORE_PLACE_SPILL + k;
        int64_t gain = now->gained[p] - before->gained[p];
        if (gain > most) {
            most = gain;
            worst = k;
        }
    }
    return of[worst];
}

// In which phase the bucket has lost most of late: soil is told as spilled a while after it fell, when the
// next phase may have begun.
static int phase_of_loss(const Score* score)
{
    int most = score->phase;
    for (int p = 0; p < SCORE_PHASE_COUNT; ++p) {
        most = score->fell[p] > fmax(score->fell[most], FELL) ? p : most;
    }
    return most;
}

static void measure_loss(Score* score, const ScoreSample* s)
{
    double kg = 0.0;
    for (int m = 0; m < score->setup.materials; ++m) {
        kg += SCORE_KG(s->bucket[m]);
    }
    score->fell[score->phase] += kg < score->had ? score->had - kg : 0.0;
    score->had = kg;
}

static void keep_second(Score* score, const ScoreSample* s)
{
    double told = SCORE_KG(score_spill_mg(s) - score->spill_told);
    if (told > SPILL_TOLD) {
        int phase = phase_of_loss(score);
        score_incident_in(score, SCORE_SPILL, told, 4.0, SCORE_SUM, phase);
        score_incident_in(score, spill_measure(s, &score->last), told, 4.0, SCORE_SUM, phase);
    }
    for (int p = 0; p < SCORE_PHASE_COUNT; ++p) {
        score->fell[p] *= 0.25;
    }
    score->spill_told = score_spill_mg(s);
    told = SCORE_KG(score_outside_mg(s) - score->outside_told);
    if (told > OUTSIDE_TOLD) {
        score_incident(score, SCORE_DUG_OUTSIDE, told, 4.0, SCORE_SUM);
    }
    score->outside_told = score_outside_mg(s);
    if (score->seconds < SCORE_TRACE_MAX) {
        score->seconds += 1;
    }
}

// The second in work collects what happens; it is kept when the next one begins.
static void measure_second(Score* score, const ScoreSample* s)
{
    if (score->steps % (uint64_t)(score->setup.rate + 0.5) == 0) {
        keep_second(score, s);
    }
    if (score->seconds == 0 ||
        score->steps / (uint64_t)(score->setup.rate + 0.5) >= SCORE_TRACE_MAX) {
        return;
    }
    ScoreSecond* now = &score->second[score->seconds - 1];
    int moving, axes = count_axes(s, &moving);
    double kg = 0.0;
    for (int m = 0; m < score->setup.materials; ++m) {
        kg += SCORE_KG(s->bucket[m]);
    }
    now->payload = (float)kg;
    now->truck = 0.0f;
    for (int k = 0; k < SCORE_TRUCKS_MAX; ++k) {
        now->truck = fmaxf(now->truck, (float)SCORE_KG(s->truck[k].load));
    }
    now->phase = (uint8_t)score->phase;
    now->axes = axes > now->axes ? (uint8_t)axes : now->axes;
    now->moving |= (uint8_t)moving;
    now->flags |=
        (uint8_t)((s->relief ? SCORE_SECOND_RELIEF : 0) | (s->alarm ? SCORE_SECOND_ALARM : 0) |
                  (s->zone ? SCORE_SECOND_ZONE : 0) | (s->danger ? SCORE_SECOND_DANGER : 0) |
                  (travels(s) ? SCORE_SECOND_TRAVEL : 0));
}

// --- the step ------------------------------------------------------------------------------------

void score_step(Score* score, const ScoreSample* s)
{
    double h = 1.0 / score->setup.rate;
    score->time = s->time;
    score_cycle_step(score, s);
    measure_activity(score, s, h);
    measure_jerk(score, s);
    measure_trace(score, s, h);
    measure_reaction(score, s, h);
    measure_stops(score, s);
    measure_relief(score, s, h);
    measure_stance(score, s, h);
    measure_use(score, s, h);
    measure_safety(score, s);
    measure_trucks(score, s);
    measure_loss(score, s);
    measure_second(score, s);
    score->last = *s;
    score->steps += 1;
}
