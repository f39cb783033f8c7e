// What to fix first: the criteria that cost most, with the evidence the lesson left.
#include "score/score_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WORTH_TELLING 1.0 // points of the total

// What to do about a measure that is out of its band; NULL: its name says enough.
typedef struct Remedy {
    int measure;
    const char* low;  // the value is below the band
    const char* high; // above it
} Remedy;

static const Remedy remedies[] = {
    {SCORE_TIME, NULL, "Work more functions at once and plan the next bucket while swinging back."},
    {SCORE_COMPLETION,
     "Work through the goals in their order; the marks on the ground show what is left.", NULL},
    {SCORE_HELPED, NULL, "Watch it before the lesson, then drive it all by yourself."},
    {SCORE_DIG_TIME, NULL,
     "Make one long pass with stick and bucket together, and stop when the bucket is full."},
    {SCORE_SWING_LOADED_TIME, NULL,
     "Raise the boom while swinging, and park closer: a smaller angle is a shorter swing."},
    {SCORE_DUMP_TIME, NULL, "Begin to open the bucket just before the swing stops."},
    {SCORE_SWING_EMPTY_TIME, NULL,
     "Lower the boom and reach out with the stick while swinging back."},
    {SCORE_CYCLE_SPREAD, NULL,
     "Keep one rhythm: the same dig, the same path, the same place to dump."},
    {SCORE_PAYLOAD, "Start the pass farther out and curl the bucket slowly through it.",
     "Take a little less: the bucket is too full to carry without loss."},
    {SCORE_FILL, "Start the pass farther out and curl the bucket slowly through it.",
     "Take a little less: the bucket is too full to carry without loss."},
    {SCORE_FILL_SPREAD, NULL,
     "Look at the bucket before leaving the ground, and finish filling it when it is half full."},
    {SCORE_CARRY_BACK, NULL,
     "Open the bucket fully, and shake it with short curl and dump when soil sticks."},
    {SCORE_SWING_ANGLE, NULL, "Place machine and truck so that the swing is shorter."},
    {SCORE_SWING_OVERSHOOT, NULL, "Let the swing lever go earlier: the house coasts on."},
    {SCORE_BANK_RATE, "Fill the bucket and shorten the longest part of the cycle.", NULL},
    {SCORE_LOOSE_RATE, "Fill the bucket and shorten the longest part of the cycle.", NULL},
    {SCORE_TRUCKS, "Fill the bucket and shorten the longest part of the cycle.", NULL},
    {SCORE_TRUCK_ERROR, NULL, "Watch the load and make the last bucket a part of one."},
    {SCORE_DUG_OUTSIDE, NULL,
     "Dig inside the marked place, and keep its walls so flat that nothing slides in from beside."},
    {SCORE_OVER_DIG, NULL,
     "Slow down for the last pass and hold the bucket floor parallel to the grade."},
    {SCORE_UNDER_DIG, NULL,
     "Make a finishing pass over the whole area; the plan below shows where soil is left."},
    {SCORE_OVER_DEPTH, NULL, "Take thin cuts near the grade and watch the depth of the edge."},
    {SCORE_UNDER_DEPTH, NULL,
     "Clean the corners and the ends; the plan below shows where soil is left."},
    {SCORE_IN_TOLERANCE,
     "Finish in strips from the far end to the machine, each overlapping the last.", NULL},
    {SCORE_WALL_SLOPE, NULL,
     "Cut the sides back before going deeper: this soil does not stand so steep."},
    {SCORE_COMPACTION, "Fill in thinner lifts and press or track over each one before the next.",
     NULL},
    {SCORE_TWO_AXES, "Use both hands at once: boom with swing, stick with bucket.", NULL},
    {SCORE_THREE_AXES, "Add the swing while boom and stick still move.", NULL},
    {SCORE_FOUR_AXES, "Let all four functions flow into each other in the swing back.", NULL},
    {SCORE_JERK, NULL, "Begin and end each movement gently; levers are not switches."},
    {SCORE_TRACE_ERROR, NULL, "Go slower and correct with the boom while the stick pulls."},
    {SCORE_TRACE_WORST, NULL, "Slow down before the ends of the line."},
    {SCORE_LEVEL_ERROR, NULL, "Turn the bucket a little all the time while the stick moves."},
    {SCORE_SLAMS, NULL, "Let the lever go before the cylinder reaches its end."},
    {SCORE_END_STOPS, NULL, "Keep the arm in the middle of its reach; move the machine instead."},
    {SCORE_STALLS, NULL, "Take a thinner cut: at relief the engine only heats oil."},
    {SCORE_STALL_TIME, NULL, "Take a thinner cut: at relief the engine only heats oil."},
    {SCORE_RELIEF_TIME, NULL, "Take thinner cuts and curl before the stick stalls."},
    {SCORE_SIDE_LOADING, NULL, "Lift the bucket clear before swinging: side forces bend the arm."},
    {SCORE_IDLE, NULL, "Think while the machine works, or use auto idle."},
    {SCORE_FUEL, NULL, "Shorter swings, fewer stalls and less idling save fuel."},
    {SCORE_FUEL_PER_M3, NULL, "Fuller buckets, fewer stalls and less idling save fuel."},
    {SCORE_TRACK_LIFT, NULL,
     "Take a thinner cut or dig closer to the machine: the tracks must stay down."},
    {SCORE_LIFT_TIME, NULL,
     "Take a thinner cut or dig closer to the machine: the tracks must stay down."},
    {SCORE_TIP_MARGIN, "Keep a loaded bucket close and low, and swing over the ends of the tracks.",
     NULL},
    {SCORE_TILT, NULL, "Travel straight up and down a slope, and level the place before digging."},
    {SCORE_TRUCK_CLEARANCE, "Raise the bucket before it comes over the truck.",
     "Lower the bucket over the truck before opening it: soil that falls far is lost and hits "
     "hard."},
    {SCORE_TRAVEL_HEIGHT, NULL, "Travel with the bucket low and drawn in."},
    {SCORE_COLLISIONS, NULL, "Look where counterweight and boom go before swinging."},
    {SCORE_TRUCK_HITS, NULL, "Lift first, then swing; come in from behind the truck."},
    {SCORE_STRIKES, NULL,
     "Find the marks, dig beside and not across, and take thin cuts near a service."},
    {SCORE_LINE_ENTRIES, NULL,
     "Keep boom and stick low under the line; turn away from it to dump."},
    {SCORE_PEOPLE, NULL,
     "Stop as soon as somebody comes within reach, and go on when the area is clear."},
    {SCORE_ZONE_ENTRIES, NULL, "Plan the swing so that nothing passes over the marked area."},
    {SCORE_REACTION, NULL, "At an alarm let go of both sticks at once; look afterwards."},
};

// Text that grows as far as it fits.
typedef struct Words {
    char* at;
    size_t left;
} Words;

__attribute__((format(printf, 2, 3))) static void say(Words* w, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(w->at, w->left, format, args);
    va_end(args);
    if (length > 0) {
        size_t used = (size_t)length < w->left ? (size_t)length : w->left - 1;
        w->at += used;
        w->left -= used;
    }
}

// --- evidence ------------------------------------------------------------------------------------

// Incidents of a measure are kept under these names.
static int evidence_of(int measure)
{
    switch (measure) {
    case SCORE_SPILL_SHARE: return SCORE_SPILL;
    case SCORE_TRACE_ERROR: return SCORE_TRACE_WORST;
    case SCORE_STALL_TIME:
    case SCORE_RELIEF_TIME: return SCORE_STALLS;
    case SCORE_LIFT_TIME: return SCORE_TRACK_LIFT;
    default: return measure;
    }
}

static bool worse(int measure, double a, double b)
{
    bool small = measure == SCORE_TIP_MARGIN || measure == SCORE_TRUCK_CLEARANCE;
    return small ? a < b : a > b;
}

// In the second of one that is told already: nobody looks there twice.
static bool same_second(const ScoreIncident* one, const ScoreIncident* const* told, int count)
{
    for (int k = 0; k < count; ++k) {
        if ((int)told[k]->time == (int)one->time) {
            return true;
        }
    }
    return false;
}

// The worst ones, worst first.
static int worst_incidents(const Score* score, int measure, const ScoreIncident* out[4])
{
    int count = 0, of = evidence_of(measure);
    for (int i = 0; i < score_kept_incidents(score); ++i) {
        const ScoreIncident* one = &score->incident[i];
        if (one->measure != of || same_second(one, out, count)) {
            continue;
        }
        int at = count < 4 ? count : 4;
        while (at > 0 && worse(of, one->value, out[at - 1]->value)) {
            if (at < 4) {
                out[at] = out[at - 1];
            }
            --at;
        }
        if (at < 4) {
            out[at] = one;
            count = count < 4 ? count + 1 : 4;
        }
    }
    return count;
}

// The worst cycles are evidence for measures of cycles.
static double cycle_badness(const ScoreCycle* c, int measure)
{
    switch (measure) {
    case SCORE_CYCLE_TIME:
    case SCORE_CYCLE_SPREAD:
    case SCORE_TRUCKS:
        return c->complete ? c->time[1] + c->time[2] + c->time[3] + c->time[4] : -1.0;
    case SCORE_DIG_TIME: return c->complete ? c->time[SCORE_PHASE_DIG] : -1.0;
    case SCORE_SWING_LOADED_TIME: return c->complete ? c->time[SCORE_PHASE_SWING_LOADED] : -1.0;
    case SCORE_DUMP_TIME: return c->complete ? c->time[SCORE_PHASE_DUMP] : -1.0;
    case SCORE_SWING_EMPTY_TIME: return c->complete ? c->time[SCORE_PHASE_SWING_EMPTY] : -1.0;
    case SCORE_FILL:
    case SCORE_FILL_SPREAD:
    case SCORE_PAYLOAD:
    case SCORE_BANK_RATE:
    case SCORE_LOOSE_RATE: return c->dumped ? 10.0 - c->fill : -1.0;
    case SCORE_CARRY_BACK: return c->dumped ? c->left : -1.0;
    case SCORE_SWING_ANGLE: return c->dumped ? c->swing : -1.0;
    case SCORE_SWING_OVERSHOOT: return c->dumped ? c->overshoot : -1.0;
    default: return -1.0;
    }
}

static int worst_cycles(const Score* score, int measure, double time[4])
{
    int count = 0, cycles = score->cycles < SCORE_CYCLES_MAX ? score->cycles : SCORE_CYCLES_MAX;
    double badness[4];
    for (int k = 0; k < cycles; ++k) {
        double bad = cycle_badness(&score->cycle[k], measure);
        if (bad < 0.0) {
            continue;
        }
        int at = count < 3 ? count : 3;
        while (at > 0 && bad > badness[at - 1]) {
            badness[at] = badness[at - 1];
            time[at] = time[at - 1];
            --at;
        }
        if (at < 3) {
            badness[at] = bad;
            time[at] = score->cycle[k].start;
            count = count < 3 ? count + 1 : 3;
        }
    }
    return count;
}

// --- causes --------------------------------------------------------------------------------------

// In which phase most of a measure's incidents happened.
static int main_phase(const Score* score, int measure)
{
    double sum[SCORE_PHASE_COUNT] = {0};
    int most = 0;
    for (int i = 0; i < score_kept_incidents(score); ++i) {
        if (score->incident[i].measure == evidence_of(measure)) {
            sum[score->incident[i].phase] += score->incident[i].value;
        }
    }
    for (int p = 1; p < SCORE_PHASE_COUNT; ++p) {
        most = sum[p] > sum[most] ? p : most;
    }
    return most;
}

static void say_spill(Words* w, const Score* score, int measure)
{
    switch (main_phase(score, measure)) {
    case SCORE_PHASE_DIG:
        say(w,
            " Most fell while digging: soil is pushed over the side of the bucket. Fill it in one "
            "straight pull and curl before lifting.");
        break;
    case SCORE_PHASE_SWING_LOADED:
        say(w,
            " Most fell while swinging loaded: the bucket was too full or not curled all the way, "
            "or the swing was jerky. Curl fully before leaving the cut and start the swing "
            "gently.");
        break;
    case SCORE_PHASE_DUMP:
        say(w,
            " Most fell while dumping: the bucket was opened beside or too high above the place. "
            "Stop the swing over its middle and open the bucket low.");
        break;
    default:
        say(w, " Most fell after dumping: the bucket was not empty when it left. Open it fully and "
               "wait "
               "for the last soil.");
        break;
    }
}

// The part of the cycle that is longest against the usual shares.
static void say_cycle(Words* w, const ScoreValue* v)
{
    const int part[] = {SCORE_DIG_TIME, SCORE_SWING_LOADED_TIME, SCORE_DUMP_TIME,
                        SCORE_SWING_EMPTY_TIME};
    const double usual[] = {0.40, 0.25, 0.12, 0.23};
    const char* const name[] = {"digging", "swinging loaded", "dumping", "swinging back"};
    int most = 0;
    for (int k = 1; k < 4; ++k) {
        most = v[part[k]].value / usual[k] > v[part[most]].value / usual[most] ? k : most;
    }
    say(w, " Too much of the cycle is %s: %.1f s of %.1f s.", name[most], v[part[most]].value,
        v[SCORE_CYCLE_TIME].value);
    for (size_t k = 0; k < sizeof remedies / sizeof remedies[0]; ++k) {
        if (remedies[k].measure == part[most]) {
            say(w, " %s", remedies[k].high);
        }
    }
}

// Too little came of it: what was moved fell elsewhere, buckets were half empty, or the cycle is slow.
static void say_output(Words* w, const ScoreValue* v)
{
    if (v[SCORE_SPILL].value > 150.0 * v[SCORE_MOVED].value) {
        say(w, " Of %.1f t that were moved %.1f t fell where they should not: spill less first.",
            v[SCORE_MOVED].value, 1e-3 * v[SCORE_SPILL].value);
    } else if (v[SCORE_FILL].known && v[SCORE_FILL].value < 75.0) {
        say(w,
            " The buckets were %.0f %% full. Start the pass farther out and curl slowly through "
            "it.",
            v[SCORE_FILL].value);
    } else if (v[SCORE_CYCLE_TIME].known) {
        say_cycle(w, v);
    } else {
        say(w, " Fill the bucket and shorten the longest part of the cycle.");
    }
}

static void say_fill(Words* w, const Score* score)
{
    if (score->stalls > 0 && score->stalls >= score->cycles / 3) {
        say(w, " The bucket stalled %d times: the cuts are too deep. Take thinner, longer cuts.",
            score->stalls);
    } else {
        say(w, " Start the pass farther out and curl the bucket slowly through it.");
    }
}

static void say_remedy(Words* w, int measure, bool low)
{
    for (size_t k = 0; k < sizeof remedies / sizeof remedies[0]; ++k) {
        const char* text = low ? remedies[k].low : remedies[k].high;
        if (remedies[k].measure == measure && text) {
            say(w, " %s", text);
        }
    }
}

static bool is_spill(int measure)
{
    return measure >= SCORE_SPILL && measure <= SCORE_SPILL_OFF_SITE;
}

static void say_cause(Words* w, const Score* score, const ScoreCriterion* c, const ScoreResult* r)
{
    bool low = r->value[c->measure].value < c->at_least;
    if (is_spill(c->measure)) {
        say_spill(w, score, c->measure);
    } else if (c->measure == SCORE_CYCLE_TIME && !low) {
        say_cycle(w, r->value);
    } else if ((c->measure == SCORE_FILL || c->measure == SCORE_PAYLOAD) && low) {
        say_fill(w, score);
    } else if (low && (c->measure == SCORE_TRUCKS || c->measure == SCORE_BANK_RATE ||
                       c->measure == SCORE_LOOSE_RATE)) {
        say_output(w, r->value);
    } else {
        say_remedy(w, c->measure, low);
    }
}

// --- sentences -----------------------------------------------------------------------------------

static void say_band(Words* w, const ScoreCriterion* c)
{
    char low[48], high[48];
    score_value_text(low, c->measure, (ScoreValue){c->at_least, true});
    score_value_text(high, c->measure, (ScoreValue){c->at_most, true});
    if (c->at_least > -SCORE_UNBOUNDED && c->at_most < SCORE_UNBOUNDED) {
        say(w, "%s to %s", low, high);
    } else if (c->at_most < SCORE_UNBOUNDED) {
        say(w, c->at_most == 0.0 ? "none" : "at most %s", high);
    } else {
        say(w, "at least %s", low);
    }
}

// A count of things, of which more than one is spoken of.
static bool many(const ScoreCriterion* c)
{
    double last = c->at_most < SCORE_UNBOUNDED ? c->at_most : c->at_least;
    return score_measure((ScoreMeasure)c->measure)->unit[0] == '\0' && last != 1.0;
}

static void say_times(Words* w, const Score* score, int measure, ScoreAdvice* advice)
{
    const ScoreIncident* worst[4];
    char clock[16];
    int count = worst_incidents(score, measure, worst);
    advice->times = count < 3 ? count : 3;
    for (int k = 0; k < advice->times; ++k) {
        advice->time[k] = worst[k]->time;
    }
    if (count == 0) {
        advice->times = worst_cycles(score, measure, advice->time);
    }
    for (int k = 0; k < advice->times; ++k) {
        say(w, "%s%s",
            k > 0       ? ", "
            : count > 0 ? " At "
                        : " Worst in the buckets begun at ",
            score_clock(clock, advice->time[k]));
    }
    say(w, advice->times > 0 ? "." : "");
}

// What has to happen before such a measure is known.
static const char* why_unknown(int measure)
{
    switch (measure) {
    case SCORE_TRUCK_ERROR:
        return " No truck got a load: fill one, then let it go by the horn or when it is full.";
    case SCORE_TRUCK_CLEARANCE: return " No loaded bucket came over a truck.";
    case SCORE_CYCLE_SPREAD:
    case SCORE_FILL_SPREAD: return " That takes two buckets that were dug and dumped.";
    case SCORE_CYCLE_TIME:
    case SCORE_DIG_TIME:
    case SCORE_SWING_LOADED_TIME:
    case SCORE_DUMP_TIME:
    case SCORE_SWING_EMPTY_TIME:
    case SCORE_PAYLOAD:
    case SCORE_FILL:
    case SCORE_CARRY_BACK:
    case SCORE_SWING_ANGLE:
    case SCORE_SWING_OVERSHOOT:
        return " No bucket was dug, carried out of the cut and dumped: fill one to a quarter at "
               "least.";
    case SCORE_SPILL_SHARE:
    case SCORE_FUEL_PER_M3: return " Hardly any soil was moved.";
    case SCORE_TRACE_ERROR:
    case SCORE_TRACE_WORST:
    case SCORE_LEVEL_ERROR:
        return " The line was never followed: begin with the edge of the bucket at its first "
               "point.";
    case SCORE_COMPACTION: return " Nothing was filled in.";
    case SCORE_TRAVEL_HEIGHT: return " The machine did not travel.";
    case SCORE_REACTION: return " There was no alarm.";
    case SCORE_TWO_AXES:
    case SCORE_THREE_AXES:
    case SCORE_FOUR_AXES:
    case SCORE_JERK: return " The levers were not used.";
    default: return "";
    }
}

static void write_advice(const Score* score, const ScoreRules* rules, const ScoreResult* result,
                         ScoreAdvice* advice)
{
    const ScoreCriterion* c = &rules->criterion[advice->criterion];
    ScoreValue value = result->value[c->measure];
    char text[48];
    Words w = {advice->text, sizeof advice->text};
    if (!value.known) {
        say(&w, "%s: nothing could be measured; ", score_measure((ScoreMeasure)c->measure)->title);
        say_band(&w, c);
        say(&w, " %s asked for.%s", many(c) ? "are" : "is", why_unknown(c->measure));
        return;
    }
    say(&w, "%s: %s; ", score_measure((ScoreMeasure)c->measure)->title,
        score_value_text(text, c->measure, value));
    say_band(&w, c);
    say(&w, c->at_least <= -SCORE_UNBOUNDED && c->at_most == 0.0 ? " is allowed"
            : many(c)                                            ? " are asked for"
                                                                 : " is asked for");
    if (result->expert && result->expert[c->measure].known) {
        say(&w, ", the expert has %s",
            score_value_text(text, c->measure, result->expert[c->measure]));
    }
    say(&w, ".");
    say_times(&w, score, c->measure, advice);
    say_cause(&w, score, c, result);
}

// Points of the total that a criterion costs; a critical one that failed the lesson costs them all.
static double lost_points(const ScoreRules* rules, const ScoreResult* result, int k)
{
    const ScoreCriterion* c = &rules->criterion[k];
    double weight = 0.0, pillars = 0.0;
    if (!result->judged[k] || c->weight <= 0.0) {
        return 0.0;
    }
    for (int i = 0; i < rules->count; ++i) {
        weight += result->judged[i] && rules->criterion[i].pillar == c->pillar
                      ? rules->criterion[i].weight
                      : 0.0;
    }
    for (int p = 0; p < SCORE_PILLARS; ++p) {
        pillars += result->pillar[p] >= 0.0 ? rules->pillar_weight[p] : 0.0;
    }
    double lost = (100.0 - result->points[k]) * c->weight / weight;
    bool none = result->points[k] <= 0.0;
    lost = none && c->severity == SCORE_CRITICAL ? 100.0 + lost
           : none && c->severity == SCORE_MAJOR  ? fmax(lost, 50.0)
                                                 : lost;
    return pillars > 0.0 ? lost * rules->pillar_weight[c->pillar] / pillars : 0.0;
}

static void insert(ScoreAdvice* out, int* count, int criterion, double lost)
{
    int at = *count < SCORE_ADVICE_MAX ? (*count)++ : SCORE_ADVICE_MAX;
    while (at > 0 && lost > out[at - 1].lost) {
        if (at < SCORE_ADVICE_MAX) {
            out[at] = out[at - 1];
        }
        --at;
    }
    if (at < SCORE_ADVICE_MAX) {
        out[at] = (ScoreAdvice){.criterion = criterion, .lost = lost};
    }
}

int score_advise(const Score* score, const ScoreRules* rules, const ScoreResult* result,
                 ScoreAdvice out[SCORE_ADVICE_MAX])
{
    int count = 0;
    for (int k = 0; k < rules->count; ++k) {
        double lost = lost_points(rules, result, k);
        if (lost >= WORTH_TELLING) {
            insert(out, &count, k, lost);
        }
    }
    for (int k = 0; k < count; ++k) {
        write_advice(score, rules, result, &out[k]);
    }
    return count;
}
