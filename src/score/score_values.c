// From sums to values.
#include "score/score_internal.h"

#include "base/base_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ScoreMeasureInfo table[] = {
#define SCORE_MEASURE(id, name, unit, digits, better, title) {name, unit, digits, better, title},
#include "score/score_measures.h"
#undef SCORE_MEASURE
};

const ScoreMeasureInfo* score_measure(ScoreMeasure measure)
{
    return &table[measure];
}

int score_measure_find(const char* name, const char** nearest)
{
    const char* names[SCORE_MEASURE_COUNT + 1] = {NULL};
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        if (strcmp(table[m].name, name) == 0) {
            return m;
        }
        names[m] = table[m].name;
    }
    *nearest = base_text_nearest(name, names);
    return -1;
}

const char* score_phase_name(int phase)
{
    const char* const names[] = {"before the first bucket", "digging", "swinging loaded", "dumping",
                                 "swinging back"};
    return names[phase];
}

const char* score_pillar_name(int pillar)
{
    const char* const names[] = {"safety", "quality", "economy"};
    return names[pillar];
}

const char* score_clock(char buffer[16], double time)
{
    int s = time > 0.0 ? (int)time : 0;
    snprintf(buffer, 16, "%d:%02d", s / 60, s % 60);
    return buffer;
}

const char* score_value_text(char buffer[48], int measure, ScoreValue value)
{
    const ScoreMeasureInfo* info = &table[measure];
    if (!value.known) {
        return strcpy(buffer, "unknown");
    }
    if (strcmp(info->unit, "s") == 0 && fabs(value.value) >= 100.0) {
        return score_clock(buffer, value.value);
    }
    snprintf(buffer, 48, "%.*f%s%s", info->digits, value.value + 0.0, info->unit[0] ? " " : "",
             info->unit);
    return buffer;
}

// --- cycles --------------------------------------------------------------------------------------

// Mean and standard deviation of something the cycles have.
typedef struct Spread {
    double mean, deviation;
    int count;
} Spread;

typedef double (*CycleValue)(const ScoreCycle* cycle);

static double total_time(const ScoreCycle* c)
{
    return c->time[SCORE_PHASE_DIG] + c->time[SCORE_PHASE_SWING_LOADED] +
           c->time[SCORE_PHASE_DUMP] + c->time[SCORE_PHASE_SWING_EMPTY];
}

static double dig_time(const ScoreCycle* c)
{
    return c->time[SCORE_PHASE_DIG];
}
static double loaded_time(const ScoreCycle* c)
{
    return c->time[SCORE_PHASE_SWING_LOADED];
}
static double dump_time(const ScoreCycle* c)
{
    return c->time[SCORE_PHASE_DUMP];
}
static double empty_time(const ScoreCycle* c)
{
    return c->time[SCORE_PHASE_SWING_EMPTY];
}
static double cycle_payload(const ScoreCycle* c)
{
    return c->payload;
}
static double cycle_fill(const ScoreCycle* c)
{
    return 100.0 * c->fill;
}
static double cycle_left(const ScoreCycle* c)
{
    return c->left;
}
static double cycle_swing(const ScoreCycle* c)
{
    return c->swing / BASE_DEG;
}
static double cycle_overshoot(const ScoreCycle* c)
{
    return c->overshoot / BASE_DEG;
}

static Spread spread(const Score* score, CycleValue value, bool complete)
{
    Spread s = {0};
    double sum = 0.0, squares = 0.0;
    int cycles = score->cycles < SCORE_CYCLES_MAX ? score->cycles : SCORE_CYCLES_MAX;
    for (int k = 0; k < cycles; ++k) {
        const ScoreCycle* c = &score->cycle[k];
        if (complete ? c->complete : c->dumped) {
            double x = value(c);
            sum += x;
            squares += x * x;
            ++s.count;
        }
    }
    if (s.count > 0) {
        s.mean = sum / s.count;
        double variance = squares / s.count - s.mean * s.mean;
        s.deviation = variance > 0.0 ? sqrt(variance) : 0.0;
    }
    return s;
}

static ScoreValue known(double value)
{
    return (ScoreValue){value, true};
}

static ScoreValue known_if(bool is, double value)
{
    return (ScoreValue){is ? value : 0.0, is};
}

static ScoreValue mean_of(const Score* score, CycleValue value, bool complete)
{
    Spread s = spread(score, value, complete);
    return known_if(s.count > 0, s.mean);
}

static ScoreValue spread_of(const Score* score, CycleValue value, bool complete)
{
    Spread s = spread(score, value, complete);
    return known_if(s.count > 1 && s.mean > 0.0, 100.0 * s.deviation / s.mean);
}

static void cycle_values(const Score* score, ScoreValue* v)
{
    v[SCORE_CYCLES] = known(spread(score, cycle_payload, false).count);
    v[SCORE_CYCLE_TIME] = mean_of(score, total_time, true);
    v[SCORE_DIG_TIME] = mean_of(score, dig_time, true);
    v[SCORE_SWING_LOADED_TIME] = mean_of(score, loaded_time, true);
    v[SCORE_DUMP_TIME] = mean_of(score, dump_time, true);
    v[SCORE_SWING_EMPTY_TIME] = mean_of(score, empty_time, true);
    v[SCORE_CYCLE_SPREAD] = spread_of(score, total_time, true);
    v[SCORE_PAYLOAD] = mean_of(score, cycle_payload, false);
    v[SCORE_FILL] = mean_of(score, cycle_fill, false);
    v[SCORE_FILL_SPREAD] = spread_of(score, cycle_fill, false);
    v[SCORE_CARRY_BACK] = mean_of(score, cycle_left, false);
    v[SCORE_SWING_ANGLE] = mean_of(score, cycle_swing, false);
    v[SCORE_SWING_OVERSHOOT] = mean_of(score, cycle_overshoot, false);
}

// --- soil ----------------------------------------------------------------------------------------

static double gained(const Score* score, ScorePlace place)
{
    int64_t mg = score->last.gained[place];
    return mg > 0 ? SCORE_KG(mg) : 0.0;
}

static void truck_values(const Score* score, ScoreValue* v)
{
    int trucks = score->trucks, left = score->trucks_left;
    double error = score->truck_error_sum;
    // those that still stand there count when they have their load
    for (int k = 0; k < SCORE_TRUCKS_MAX; ++k) {
        const ScoreTruck* t = &score->last.truck[k];
        if (score_truck_loaded(t)) {
            trucks += 1, left += 1;
            error += score_truck_error(t);
        }
    }
    v[SCORE_TRUCKS] = known(trucks);
    v[SCORE_TRUCK_ERROR] = known_if(left > 0, 100.0 * error / (left > 0 ? left : 1));
}

static void soil_values(const Score* score, ScoreValue* v)
{
    double spill = SCORE_KG(score_spill_mg(&score->last)), hours = score->time / 3600.0;
    v[SCORE_MOVED] = known(score->moved / 1000.0);
    v[SCORE_BANK_RATE] = known_if(hours > 0.0, score->moved_bank / (hours > 0.0 ? hours : 1.0));
    v[SCORE_LOOSE_RATE] = known_if(hours > 0.0, score->moved_loose / (hours > 0.0 ? hours : 1.0));
    v[SCORE_SPILL] = known(spill);
    v[SCORE_SPILL_SHARE] = known_if(score->moved > 0.0 || spill > 0.0,
                                    100.0 * spill / fmax(fmax(score->moved, spill), 1.0));
    v[SCORE_SPILL_HAUL] = known(gained(score, SCORE_PLACE_HAUL));
    v[SCORE_SPILL_KEEP_OUT] = known(gained(score, SCORE_PLACE_KEEP_OUT));
    v[SCORE_SPILL_ELSEWHERE] = known(gained(score, SCORE_PLACE_ELSEWHERE));
    v[SCORE_SPILL_OFF_SITE] = known(gained(score, SCORE_PLACE_OFF_SITE));
    v[SCORE_DUG_OUTSIDE] = known(SCORE_KG(score_outside_mg(&score->last)));
    v[SCORE_FUEL] = known(score->last.fuel);
    v[SCORE_FUEL_PER_M3] =
        known_if(score->moved_bank > 0.1, score->last.fuel / fmax(score->moved_bank, 0.1));
    truck_values(score, v);
}

static void survey_values(const ScoreSurvey* s, ScoreValue* v)
{
    v[SCORE_OVER_DIG] = known_if(s->any, s->over);
    v[SCORE_UNDER_DIG] = known_if(s->any, s->under);
    v[SCORE_OVER_DEPTH] = known_if(s->any, s->over_depth);
    v[SCORE_UNDER_DEPTH] = known_if(s->any, s->under_depth);
    v[SCORE_IN_TOLERANCE] = known_if(s->any, 100.0 * s->in_tolerance);
    v[SCORE_WALL_SLOPE] = known_if(s->any, s->wall_slope / BASE_DEG);
    v[SCORE_COMPACTION] = known_if(s->compaction >= 0.0, 100.0 * s->compaction);
}

// --- the hand and the machine --------------------------------------------------------------------

static double share(double part, double of)
{
    return of > 0.0 ? 100.0 * part / of : 0.0;
}

static void hand_values(const Score* score, ScoreValue* v)
{
    const double* axes = score->axes;
    bool active = score->active > 0.0, traced = score->trace_time > 0.0;
    double four = axes[4], three = four + axes[3], two = three + axes[2];
    v[SCORE_TWO_AXES] = known_if(active, share(two, score->active));
    v[SCORE_THREE_AXES] = known_if(active, share(three, score->active));
    v[SCORE_FOUR_AXES] = known_if(active, share(four, score->active));
    v[SCORE_JERK] = known_if(score->jerk_count > 0,
                             sqrt(score->jerk_sum / fmax((double)score->jerk_count, 1.0)));
    double time = traced ? score->trace_time : 1.0;
    v[SCORE_TRACE_ERROR] = known_if(traced, 1000.0 * sqrt(score->trace_sum / time));
    v[SCORE_TRACE_WORST] = known_if(traced, 1000.0 * score->trace_worst);
    v[SCORE_LEVEL_ERROR] = known_if(traced, sqrt(score->level_sum / time) / BASE_DEG);
    v[SCORE_IDLE] = known_if(score->time > 0.0, share(score->idle, score->time));
}

static void machine_values(const Score* score, ScoreValue* v)
{
    v[SCORE_SLAMS] = known(score->slams);
    v[SCORE_END_STOPS] = known(score->end_stops);
    v[SCORE_STALLS] = known(score->stalls);
    v[SCORE_STALL_TIME] = known(score->stall_time);
    v[SCORE_RELIEF_TIME] = known(score->relief_time);
    v[SCORE_SIDE_LOADING] = known(score->side_loading);
    v[SCORE_TRACK_LIFT] = known(score->lift);
    v[SCORE_LIFT_TIME] = known(score->lift_time);
    v[SCORE_TIP_MARGIN] = known_if(score->steps > 0, 100.0 * score->tip);
    v[SCORE_TILT] = known_if(score->steps > 0, score->tilt / BASE_DEG);
    v[SCORE_TRUCK_CLEARANCE] = known_if(score->truck_seen, score->truck_clearance);
    v[SCORE_TRAVEL_HEIGHT] = known_if(score->travelled, score->travel_height);
    v[SCORE_COLLISIONS] = known(score->collisions);
    v[SCORE_TRUCK_HITS] = known(score->truck_hits);
    v[SCORE_STRIKES] = known(score->strikes);
    v[SCORE_LINE_ENTRIES] = known(score->line_hits);
    v[SCORE_PEOPLE] = known(score->people);
    v[SCORE_ZONE_ENTRIES] = known(score->zone_entries);
    v[SCORE_REACTION] = known_if(score->alarms > 0, score->reaction_worst);
}

void score_values(const Score* score, ScoreValue out[SCORE_MEASURE_COUNT])
{
    memset(out, 0, SCORE_MEASURE_COUNT * sizeof *out);
    out[SCORE_TIME] = known(score->time);
    out[SCORE_HELPED] = known(score->helped);
    out[SCORE_COMPLETION] = known(100.0 * (double)score->last.progress);
    cycle_values(score, out);
    soil_values(score, out);
    survey_values(&score->survey, out);
    hand_values(score, out);
    machine_values(score, out);
}
