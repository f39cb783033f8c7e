// The same lesson for programs: JSON and CSV.
#include "report/report_text.h"

#include "base/base_json.h"
#include "base/base_text.h"

#include <stdio.h>
#include <string.h>

static void value(BaseJson* j, const char* key, ScoreValue v)
{
    if (v.known) {
        base_json_double(j, key, v.value);
    } else {
        base_json_null(j, key);
    }
}

static void measures(BaseJson* j, const char* key, const ScoreValue* v)
{
    base_json_begin_object(j, key);
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        value(j, score_measure((ScoreMeasure)m)->name, v[m]);
    }
    base_json_end(j);
}

static void identity(BaseJson* j, const ReportData* d)
{
    base_json_string(j, "title", d->title);
    base_json_string(j, "date", d->date);
    base_json_string(j, "trainee", d->trainee);
    base_json_string(j, "driver", d->driver);
    base_json_string(j, "vehicle", d->vehicle);
    base_json_string(j, "site", d->site);
    base_json_string(j, "soil", d->soil);
    base_json_string(j, "weather", d->weather);
    base_json_string(j, "pattern", d->pattern);
    base_json_string(j, "device", d->device);
    base_json_string(j, "program", d->program);
    base_json_string(j, "ended", d->reason);
    base_json_begin_object(j, "files");
    for (int k = 0; k < d->file_count; ++k) {
        base_json_hex(j, d->files[k].what, d->files[k].hash);
    }
    base_json_end(j);
    base_json_string(j, "recording", d->recording);
    base_json_hex(j, "recording_hash", d->recording_hash);
    if (d->parent_hash) {
        base_json_begin_object(j, "taken_over");
        base_json_double(j, "at_s", d->parent_time);
        base_json_string(j, "from", d->parent);
        base_json_hex(j, "hash", d->parent_hash);
        base_json_end(j);
    }
    const char* const proof[] = {"unverified", "verified", "differs", "marked"};
    base_json_string(j, "proof", proof[d->proof]);
    base_json_int(j, "ledger_imbalance_mg", d->imbalance_mg);
}

static void result(BaseJson* j, const ReportData* d)
{
    static const char* const severity[] = {"minor", "major", "critical"};
    const ScoreResult* r = d->result;
    base_json_double(j, "total", r->total);
    base_json_bool(j, "passed", r->passed);
    base_json_double(j, "pass_mark", d->rules->pass);
    base_json_double(j, "reached", 100.0 * r->reached);
    value(j, "expert_total", (ScoreValue){d->expert_total, d->expert && d->expert_total >= 0.0});
    const int failed = r->failed >= 0 ? d->rules->criterion[r->failed].measure : -1;
    base_json_string(j, "failed_by",
                     failed >= 0 ? score_measure((ScoreMeasure)failed)->name : NULL);
    base_json_begin_object(j, "pillars");
    for (int p = 0; p < SCORE_PILLARS; ++p) {
        value(j, score_pillar_name(p), (ScoreValue){r->pillar[p], r->pillar[p] >= 0.0});
    }
    base_json_end(j);
    base_json_begin_array(j, "criteria");
    for (int k = 0; k < d->rules->count; ++k) {
        const ScoreCriterion* c = &d->rules->criterion[k];
        base_json_begin_object(j, NULL);
        base_json_string(j, "measure", score_measure((ScoreMeasure)c->measure)->name);
        value(j, "value", r->value[c->measure]);
        value(j, "at_least", (ScoreValue){c->at_least, c->at_least > -SCORE_UNBOUNDED});
        value(j, "at_most", (ScoreValue){c->at_most, c->at_most < SCORE_UNBOUNDED});
        base_json_double(j, "margin", c->margin);
        base_json_double(j, "weight", c->weight);
        base_json_string(j, "pillar", score_pillar_name(c->pillar));
        base_json_string(j, "severity", severity[c->severity]);
        value(j, "points", (ScoreValue){r->points[k], r->judged[k]});
        base_json_end(j);
    }
    base_json_end(j);
}

static void advice(BaseJson* j, const ReportData* d)
{
    base_json_begin_array(j, "fix_first");
    for (int k = 0; k < d->advices; ++k) {
        const ScoreAdvice* a = &d->advice[k];
        base_json_begin_object(j, NULL);
        base_json_string(
            j, "measure",
            score_measure((ScoreMeasure)d->rules->criterion[a->criterion].measure)->name);
        base_json_double(j, "lost_points", a->lost);
        base_json_string(j, "text", a->text);
        base_json_begin_array(j, "times_s");
        for (int t = 0; t < a->times; ++t) {
            base_json_double(j, NULL, a->time[t]);
        }
        base_json_end(j);
        base_json_end(j);
    }
    base_json_end(j);
}

static void cycles(BaseJson* j, const Score* s)
{
    base_json_begin_array(j, "cycles");
    for (int k = 0; k < s->cycles && k < SCORE_CYCLES_MAX; ++k) {
        const ScoreCycle* c = &s->cycle[k];
        base_json_begin_object(j, NULL);
        base_json_double(j, "start_s", c->start);
        base_json_double(j, "dig_s", c->time[SCORE_PHASE_DIG]);
        base_json_double(j, "swing_loaded_s", c->time[SCORE_PHASE_SWING_LOADED]);
        base_json_double(j, "dump_s", c->time[SCORE_PHASE_DUMP]);
        base_json_double(j, "swing_empty_s", c->time[SCORE_PHASE_SWING_EMPTY]);
        base_json_double(j, "payload_kg", c->payload);
        base_json_double(j, "fill", c->fill);
        base_json_double(j, "left_kg", c->left);
        base_json_double(j, "swing_rad", c->swing);
        base_json_double(j, "overshoot_rad", c->overshoot);
        base_json_double(j, "spill_kg", c->spill);
        base_json_bool(j, "dumped", c->dumped);
        base_json_bool(j, "complete", c->complete);
        base_json_end(j);
    }
    base_json_end(j);
}

static void incidents(BaseJson* j, const Score* s)
{
    base_json_begin_array(j, "incidents");
    for (int k = 0; k < score_kept_incidents(s); ++k) {
        const ScoreIncident* i = &s->incident[k];
        base_json_begin_object(j, NULL);
        base_json_double(j, "time_s", i->time);
        base_json_string(j, "measure", score_measure((ScoreMeasure)i->measure)->name);
        base_json_double(j, "value", i->value);
        base_json_string(j, "while", score_phase_name(i->phase));
        base_json_end(j);
    }
    base_json_end(j);
}

bool report_json(const ReportData* d, const char* path, BaseYamlError* error)
{
    BaseJson j;
    base_json_init(&j);
    base_json_begin_object(&j, NULL);
    base_json_string(&j, "format", "mattock report 1");
    identity(&j, d);
    result(&j, d);
    measures(&j, "measures", d->result->value);
    if (d->expert) {
        measures(&j, "expert", d->expert);
    }
    advice(&j, d);
    cycles(&j, d->score);
    incidents(&j, d->score);
    base_json_end(&j);
    const char* text = base_json_text(&j);
    ReportText out = {.failed = text == NULL};
    report_add(&out, "%s\n", text ? text : "");
    bool fine = report_write(&out, path, error);
    report_free(&out);
    base_json_free(&j);
    return fine;
}

// --- CSV -----------------------------------------------------------------------------------------

static void cell(ReportText* out, ScoreValue v, const char* end)
{
    char number[BASE_TEXT_NUMBER];
    report_add(out, "%s%s", v.known ? base_text_from_double(number, v.value) : "", end);
}

bool report_csv(const ReportData* d, const char* path, BaseYamlError* error)
{
    ReportText out = {0};
    report_add(&out, "measure,unit,value,expert,points\n");
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        const ScoreMeasureInfo* info = score_measure((ScoreMeasure)m);
        ScoreValue points = {0}, expert = d->expert ? d->expert[m] : points;
        for (int k = 0; k < d->rules->count; ++k) {
            if (d->rules->criterion[k].measure == m && d->result->judged[k]) {
                points = (ScoreValue){d->result->points[k], true};
            }
        }
        report_add(&out, "%s,%s,", info->name, info->unit);
        cell(&out, d->result->value[m], ",");
        cell(&out, expert, ",");
        cell(&out, points, "\n");
    }
    for (int p = 0; p < SCORE_PILLARS; ++p) {
        double points = d->result->pillar[p];
        report_add(&out, "%s,points,", score_pillar_name(p));
        cell(&out, (ScoreValue){points, points >= 0.0}, ",,\n");
    }
    report_add(&out, "total,points,");
    cell(&out, (ScoreValue){d->result->total, true}, ",");
    cell(&out, (ScoreValue){d->expert_total, d->expert && d->expert_total >= 0.0}, ",\n");
    bool fine = report_write(&out, path, error);
    report_free(&out);
    return fine;
}

bool report_cycles_csv(const ReportData* d, const char* path, BaseYamlError* error)
{
    ReportText out = {0};
    report_add(&out,
               "cycle,start_s,dig_s,swing_loaded_s,dump_s,swing_empty_s,payload_kg,fill,left_kg,"
               "swing_rad,overshoot_rad,spill_kg,complete\n");
    for (int k = 0; k < d->score->cycles && k < SCORE_CYCLES_MAX; ++k) {
        const ScoreCycle* c = &d->score->cycle[k];
        const double v[] = {c->start, c->time[1], c->time[2], c->time[3],   c->time[4], c->payload,
                            c->fill,  c->left,    c->swing,   c->overshoot, c->spill};
        report_add(&out, "%d,", k + 1);
        for (size_t n = 0; n < sizeof v / sizeof *v; ++n) {
            cell(&out, (ScoreValue){v[n], true}, ",");
        }
        report_add(&out, "%d\n", c->complete);
    }
    bool fine = report_write(&out, path, error);
    report_free(&out);
    return fine;
}
