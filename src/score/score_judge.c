// Bands, weights, pillars: from values to points.
#include "score/score.h"

#include "base/base_assert.h"

#include <string.h>

#define REACHED   0.9999 // of the goals: all of them
#define MAJOR_CAP 50.0   // points: the most a pillar keeps when a major criterion has none

double score_points(const ScoreCriterion* c, double value)
{
    double outside = value < c->at_least  ? c->at_least - value
                     : value > c->at_most ? value - c->at_most
                                          : 0.0;
    if (outside <= 0.0) {
        return 100.0;
    }
    return outside < c->margin ? 100.0 * (1.0 - outside / c->margin) : 0.0;
}

// Nothing happened that could be wrong: no danger, but no work either.
static bool left_out(const ScoreCriterion* c, ScoreValue value)
{
    return !value.known && c->pillar == SCORE_SAFETY;
}

static void judge_pillar(const ScoreRules* rules, int pillar, ScoreResult* out)
{
    double sum = 0.0, weight = 0.0, cap = 100.0;
    for (int k = 0; k < rules->count; ++k) {
        const ScoreCriterion* c = &rules->criterion[k];
        if (c->pillar != pillar || !out->judged[k]) {
            continue;
        }
        sum += out->points[k] * c->weight;
        weight += c->weight;
        bool none = out->points[k] <= 0.0;
        if (none && c->severity == SCORE_MAJOR) {
            cap = MAJOR_CAP;
        }
        if (none && c->severity == SCORE_CRITICAL) {
            cap = 0.0;
            out->failed = out->failed < 0 ? k : out->failed;
        }
    }
    double points = weight > 0.0 ? sum / weight : -1.0;
    out->pillar[pillar] = points > cap ? cap : points;
}

void score_judge(const ScoreRules* rules, const ScoreValue value[SCORE_MEASURE_COUNT],
                 ScoreResult* out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->value, value, sizeof out->value);
    out->failed = -1;
    BASE_ASSERT(rules->count >= 0 && rules->count <= SCORE_CRITERIA_MAX);
    for (int k = 0; k < rules->count; ++k) {
        const ScoreCriterion* c = &rules->criterion[k];
        out->judged[k] = !left_out(c, value[c->measure]);
        out->points[k] = value[c->measure].known ? score_points(c, value[c->measure].value) : 0.0;
    }
    ScoreValue completion = value[SCORE_COMPLETION];
    out->reached = !rules->goals ? 1.0 : completion.known ? completion.value / 100.0 : 0.0;
    double sum = 0.0, weight = 0.0;
    for (int p = 0; p < SCORE_PILLARS; ++p) {
        judge_pillar(rules, p, out);
        if (out->pillar[p] >= 0.0) {
            sum += out->pillar[p] * rules->pillar_weight[p];
            weight += rules->pillar_weight[p];
        }
    }
    // pillars tell how it was done; who has done a third of it has a third of those points
    out->total = weight > 0.0 ? out->reached * sum / weight : 0.0;
    // who lets it be shown how it is done has not done it
    bool own = !value[SCORE_HELPED].known || value[SCORE_HELPED].value <= 0.0;
    out->passed = out->failed < 0 && out->total >= rules->pass && out->reached >= REACHED && own;
}
