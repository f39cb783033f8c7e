// The page from top to bottom.
#include "report/report_text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void pair(ReportText* out, const char* name, const char* value)
{
    if (value && value[0]) {
        report_add(out, "<span><b>%s</b> ", name);
        report_add_safe(out, value);
        report_add(out, "</span>");
    }
}

// In a string of a style sheet anything but letters and digits is written by its number.
static void add_css(ReportText* out, const char* text)
{
    for (; text && *text; ++text) {
        unsigned char c = (unsigned char)*text;
        bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (plain || c >= 0x80) {
            report_add(out, "%c", c);
        } else {
            report_add(out, "\\%06x", c);
        }
    }
}

// On paper every sheet says whose it is and of which recording.
static void page_foot(ReportText* out, const ReportData* data)
{
    report_add(out, "@page{@bottom-left{font:8pt sans-serif;color:#5b6770;content:\"");
    add_css(out, data->title);
    if (data->trainee) {
        report_add(out, ", ");
        add_css(out, data->trainee);
    }
    if (data->date) {
        report_add(out, ", ");
        add_css(out, data->date);
    }
    if (data->recording_hash) {
        report_add(out, ", recording %016llx", (unsigned long long)data->recording_hash);
    }
    report_add(out, "\"}@bottom-right{font:8pt sans-serif;color:#5b6770;content:\"page \" "
                    "counter(page) \" of \" counter(pages)}}\n");
}

static void page_head(ReportText* out, const ReportData* data)
{
    report_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
                    "name=\"viewport\" content=\"width=device-width,initial-scale=1\"><meta "
                    "name=\"generator\" content=\"mattock\"><title>");
    report_add_safe(out, data->title);
    if (data->trainee) {
        report_add(out, " - ");
        report_add_safe(out, data->trainee);
    }
    report_add(out, "</title><style>\n%s", report_style);
    page_foot(out, data);
    report_add(out, "</style></head><body><main>\n");
}

static void verdict(ReportText* out, const ReportData* data)
{
    const ScoreResult* r = data->result;
    const char* word = r->passed ? "Passed" : data->unfinished ? "Not finished" : "Not passed";
    if (data->rules->count == 0) {
        report_add(out, "<div class=\"verdict open\"><div><div class=\"w\">Practice</div><div "
                        "class=\"soft\">not judged</div></div></div>");
        return;
    }
    const char* class = r->passed ? "pass" : "fail";
    report_add(out,
               "<div class=\"verdict %s\"><div class=\"n\">%.0f</div><div><div class=\"w\">%s</div>"
               "<div class=\"soft\">of 100; pass at %.0f",
               class, r->total, word, data->rules->pass);
    if (data->expert_total >= 0.0) {
        report_add(out, "; the expert has %.0f", data->expert_total);
    }
    report_add(out, "</div></div></div>");
}

static void header(ReportText* out, const ReportData* data)
{
    char time[16], limit[16];
    report_add(out, "<header><div><div class=\"kicker\">Mattock lesson report</div><h1>");
    report_add_safe(out, data->title);
    report_add(out, "</h1>");
    if (data->description) {
        report_add(out, "<div class=\"soft\">");
        report_add_safe(out, data->description);
        report_add(out, "</div>");
    }
    report_add(out, "<div class=\"who\">");
    pair(out, "Trainee", data->trainee);
    pair(out, "Date", data->date);
    pair(out, "Driven by", data->driver);
    pair(out, "Earlier runs", data->past_count == 0 ? "none kept here" : NULL);
    report_add(out, "<span><b>Time</b> %s", score_clock(time, data->score->time));
    if (data->time_limit > 0.0) {
        report_add(out, " of %s", score_clock(limit, data->time_limit));
    }
    report_add(out, "</span>");
    pair(out, "Ended", data->reason);
    pair(out, "Machine", data->vehicle);
    pair(out, "Site", data->site);
    pair(out, "Soil", data->soil);
    pair(out, "Weather", data->weather);
    pair(out, "Pattern", data->pattern);
    pair(out, "Controls", data->device);
    report_add(out, "</div></div>");
    verdict(out, data);
    report_add(out, "</header>\n");
}

// What makes the result worth less stands above everything else.
static void warnings(ReportText* out, const ReportData* data)
{
    static const char* const word[] = {
        [REPORT_UNVERIFIED] = NULL,
        [REPORT_VERIFIED] = NULL,
        [REPORT_DIFFERS] = "This result is not genuine: the recording, played again, comes out "
                           "differently. Do not use it.",
        [REPORT_MARKED] =
            "This run is marked: the simulation itself had to put something right. Do "
            "not grade it; drive the lesson again."};
    if (word[data->proof]) {
        report_add(out, "<p class=\"warn\"><b>&#9888; %s</b> ", word[data->proof]);
        report_add_safe(out, data->proof_text);
        report_add(out, "</p>\n");
    }
    if (data->parent_hash) {
        char time[16];
        report_add(out, "<p class=\"fail\"><b>Taken over at %s.</b> Until then it is the run ",
                   score_clock(time, data->parent_time));
        report_add_safe(out, data->parent);
        report_add(out, ", and all that happened there counts here as well.</p>\n");
    }
}

static void pillars(ReportText* out, const ReportData* data)
{
    const char* const name[] = {"Safety", "Quality", "Economy"};
    report_add(out, "<div class=\"pillars\">");
    for (int p = 0; p < SCORE_PILLARS; ++p) {
        double points = data->result->pillar[p];
        report_add(out, "<div class=\"pillar\"><div class=\"t\"><span>%s</span><span>", name[p]);
        if (points >= 0.0) {
            report_add(out, "%.0f", points);
        } else {
            report_add(out, "not judged");
        }
        report_add(out,
                   "</span></div><div class=\"bar\"><i style=\"width:%.0f%%\"></i></div></div>",
                   points > 0.0 ? points : 0.0);
    }
    report_add(out, "</div>\n");
}

// The rest of an advice, its times as links to their flags in the course of the lesson.
static void fix_rest(ReportText* out, const ScoreAdvice* a, const char* rest, int number)
{
    char clock[16], part[sizeof a->text];
    for (int n = 0; n < a->times; ++n) {
        score_clock(clock, a->time[n]);
        const char* found = strstr(rest, clock);
        if (!found) {
            continue;
        }
        snprintf(part, sizeof part, "%.*s", (int)(found - rest), rest);
        report_add_safe(out, part);
        report_add(out, "<a href=\"#fix%d-%d\">%s</a>", number, n + 1, clock);
        rest = found + strlen(clock);
    }
    report_add_safe(out, rest);
}

static void fix(ReportText* out, const ScoreAdvice* a, int number)
{
    const char* rest = strchr(a->text, '.');
    // the first sentence, value and band, stands out; decimals are no ends of sentences
    while (rest && rest[1] != ' ' && rest[1] != '\0') {
        rest = strchr(rest + 1, '.');
    }
    char first[sizeof a->text];
    snprintf(first, sizeof first, "%.*s", rest ? (int)(rest + 1 - a->text) : (int)strlen(a->text),
             a->text);
    report_add(out, "<li><span class=\"cost\">costs %.0f %s</span><b>", a->lost,
               a->lost < 1.5 ? "point" : "points");
    report_add_safe(out, first);
    report_add(out, "</b>");
    fix_rest(out, a, rest ? rest + 1 : "", number);
    report_add(out, "</li>");
}

// Points for how it was done, whatever share of it was done.
static double way(const ReportData* data)
{
    double sum = 0.0, weight = 0.0;
    for (int p = 0; p < SCORE_PILLARS; ++p) {
        if (data->result->pillar[p] >= 0.0) {
            sum += data->result->pillar[p] * data->rules->pillar_weight[p];
            weight += data->rules->pillar_weight[p];
        }
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

static void fixes(ReportText* out, const ReportData* data)
{
    if (data->result->failed >= 0) {
        const ScoreCriterion* c = &data->rules->criterion[data->result->failed];
        report_add(out, "<p class=\"fail\"><b>Failed by one critical fault: %s.</b></p>",
                   score_measure((ScoreMeasure)c->measure)->title);
    }
    if (data->result->value[SCORE_HELPED].value > 0.0) {
        char time[16];
        report_add(
            out,
            "<p class=\"fail\"><b>The built-in operator drove for %s of this run.</b> Its points "
            "are not the trainee's, and it is not passed.</p>",
            score_clock(time, ceil(data->result->value[SCORE_HELPED].value)));
    }
    if (data->result->reached < 0.9999) {
        report_add(
            out,
            "<p class=\"fail\"><b>The goals are reached to %.0f %%.</b> The way it was done is "
            "worth "
            "%.0f points, of which this share counts. A lesson is passed only when all goals are "
            "reached.</p>",
            floor(100.0 * data->result->reached), way(data));
    }
    if (data->advices == 0) {
        report_add(out, "<h2>What to fix first</h2><p>%s</p>",
                   data->rules->count == 0 ? "Nothing is judged in this lesson."
                                           : "Nothing: no criterion costs as much as a point.");
        return;
    }
    report_add(out, "<h2>%s</h2><ol class=\"fix\">",
               data->advices == 3   ? "Three things to fix first"
               : data->advices == 2 ? "Two things to fix first"
                                    : "What to fix first");
    for (int k = 0; k < data->advices; ++k) {
        fix(out, &data->advice[k], k + 1);
    }
    report_add(out, "</ol>\n");
}

// --- criteria ------------------------------------------------------------------------------------

static void band(ReportText* out, const ScoreCriterion* c)
{
    char low[64], high[64];
    report_value(low, c->measure, (ScoreValue){c->at_least, true});
    report_value(high, c->measure, (ScoreValue){c->at_most, true});
    if (c->at_least <= -SCORE_UNBOUNDED) {
        report_add(out, "<span class=\"line\">&#8804; %s</span>", high);
    } else if (c->at_most >= SCORE_UNBOUNDED) {
        report_add(out, "<span class=\"line\">&#8805; %s</span>", low);
    } else {
        report_add(out, "<span class=\"line\">%s &#8211;</span> <span class=\"line\">%s</span>",
                   low, high);
    }
}

static void criterion_row(ReportText* out, const ReportData* data, int k)
{
    const char* const severity[] = {"", " <span class=\"tag\">major</span>",
                                    " <span class=\"tag fail\">critical</span>"};
    const ScoreCriterion* c = &data->rules->criterion[k];
    char value[64], expert[64] = "";
    if (data->expert) {
        report_value(expert, c->measure, data->expert[c->measure]);
    }
    report_add(out, "<tr><td>%s%s</td><td class=\"r\"><b>%s</b></td><td>",
               score_measure((ScoreMeasure)c->measure)->title, severity[c->severity],
               report_value(value, c->measure, data->result->value[c->measure]));
    band(out, c);
    report_add(
        out, "</td><td class=\"r opt\">%s</td><td class=\"opt\">%s</td><td class=\"r opt\">%g</td>",
        expert, score_pillar_name(c->pillar), c->weight);
    if (data->result->judged[k]) {
        report_add(out,
                   "<td class=\"pts\"><span class=\"bar opt\"><i "
                   "style=\"width:%.0f%%\"></i></span>%.0f</td></tr>",
                   data->result->points[k], data->result->points[k]);
    } else {
        report_add(out, "<td class=\"pts soft\">not judged</td></tr>");
    }
}

static void criteria(ReportText* out, const ReportData* data)
{
    if (data->rules->count == 0) {
        return;
    }
    report_add(out,
               "<section class=\"box gap\"><h2>Criteria</h2><table class=\"criteria\"><tr>"
               "<th>Measure</th><th "
               "class=\"r\">Trainee</th><th>Asked for</th><th class=\"r opt\">%s</th><th "
               "class=\"opt\">Pillar</th><th class=\"r opt\">Weight</th><th>Points</th></tr>",
               data->expert ? "Expert" : "");
    for (int p = 0; p < SCORE_PILLARS; ++p) {
        for (int k = 0; k < data->rules->count; ++k) {
            if (data->rules->criterion[k].pillar == p) {
                criterion_row(out, data, k);
            }
        }
    }
    report_add(out, "</table>");
    if (data->expert && !data->expert_same) {
        report_add(out, "<p class=\"soft\">The expert drove another version of this lesson.</p>");
    }
    report_add(out, "</section>\n");
}

// --- all measures, proof, signature --------------------------------------------------------------

static void all_measures(ReportText* out, const ReportData* data)
{
    char value[64], expert[64] = "";
    report_add(out, "<section class=\"box gap\"><h2>All measures</h2><div class=\"all\"><table>");
    for (int m = 0; m < SCORE_MEASURE_COUNT; ++m) {
        if (!data->result->value[m].known) {
            continue;
        }
        if (data->expert) {
            report_value(expert, m, data->expert[m]);
        }
        report_add(out,
                   "<tr><td>%s</td><td class=\"r\"><b>%s</b></td><td class=\"r soft\">%s</td></tr>",
                   score_measure((ScoreMeasure)m)->title,
                   report_value(value, m, data->result->value[m]), expert);
    }
    report_add(out,
               "</table></div><p class=\"soft\">%sDefinitions: docs/measures.md.</p></section>\n",
               data->expert ? "Grey: the built-in expert in the same lesson. " : "");
}

static void proof(ReportText* out, const ReportData* data)
{
    const char* const word[] = {
        "Not verified yet: `mattock replay --verify` plays the recording again.",
        "Verified: played again, every hash and the score came out the same.",
        "Does NOT verify: played again, it comes out differently.",
        "Marked: a fault of the simulation happened during the lesson."};
    const char* const class[] = {"", "pass", "fail", "fail"};
    char time[16];
    report_add(out, "<section class=\"box\"><h2>Where this comes from</h2><table class=\"from\">");
    report_add(out, "<tr><td>program</td><td>mattock ");
    report_add_safe(out, data->program);
    report_add(out, "</td><td></td></tr>");
    for (int k = 0; k < data->file_count; ++k) {
        report_add(out, "<tr><td>%s</td><td>", data->files[k].what);
        report_add_safe(out, data->files[k].name);
        report_add(out, "</td><td class=\"r hash\">%016llx</td></tr>",
                   (unsigned long long)data->files[k].hash);
    }
    if (data->recording) {
        report_add(out, "<tr><td>recording</td><td>");
        report_add_safe(out, data->recording);
        report_add(out, "</td><td class=\"r hash\">%016llx</td></tr>",
                   (unsigned long long)data->recording_hash);
    }
    if (data->parent_hash) {
        report_add(
            out, "<tr><td>taken over</td><td>at %s from</td><td class=\"r hash\">%016llx</td></tr>",
            score_clock(time, data->parent_time), (unsigned long long)data->parent_hash);
    }
    report_add(
        out, "<tr><td>soil ledger</td><td>%s</td><td class=\"r hash\">%lld mg</td></tr></table>",
        data->imbalance_mg == 0 ? "balances" : "does not balance", (long long)data->imbalance_mg);
    report_add(out, "<p class=\"proof %s gap\">", class[data->proof]);
    report_add_safe(out, word[data->proof]);
    report_add(out, "</p>");
    if (data->recording) {
        report_add(
            out,
            "<p class=\"soft\">To prove it on any computer: <span class=\"line\">mattock replay ");
        report_add_safe(out, data->recording);
        report_add(
            out,
            "</span> <span class=\"line\">--verify</span> answers &quot;verified&quot; and the "
            "recording's hash above.</p>");
    }
    report_add(out, "</section>");
}

static void signature(ReportText* out, const ReportData* data)
{
    report_add(out, "<section class=\"box sheet\"><h2>Instructor's note</h2><div class=\"note\">");
    report_add_safe(out, data->note);
    report_add(out,
               "</div><div class=\"sign\"><div>Instructor</div><div>Trainee</div><div>Place and "
               "date</div></div></section>");
}

// Whether the bucket met soil at all: travel and gestures have no cycles to show.
static bool has_dug(const Score* s)
{
    for (int k = 0; k < s->seconds; ++k) {
        if (s->second[k].phase != SCORE_PHASE_NONE) {
            return true;
        }
    }
    return false;
}

static void page(ReportText* out, const ReportData* data)
{
    page_head(out, data);
    header(out, data);
    warnings(out, data);
    if (data->rules->count > 0) {
        pillars(out, data);
    }
    fixes(out, data);
    report_add(out, "<div class=\"grid\">");
    report_timeline(out, data);
    report_plan(out, data);
    report_section(out, data);
    report_add(out, "</div>\n");
    criteria(out, data);
    report_add(out, "<div class=\"grid gap\">");
    // a first run has no trend: its cycles stand beside the two short ones
    bool dug = has_dug(data->score), first = data->past_count == 0;
    if (dug && first) {
        report_cycles(out, data);
    }
    report_axes(out, data);
    if (!first) {
        report_trend(out, data);
    }
    if (dug && !first) {
        report_cycles(out, data);
    }
    if (dug) {
        report_payload(out, data);
    }
    report_add(out, "</div>\n<div class=\"grid gap\">");
    proof(out, data);
    signature(out, data);
    report_add(out, "</div>\n");
    all_measures(out, data);
    report_add(out, "</main></body></html>\n");
}

bool report_html(const ReportData* data, const char* path, BaseYamlError* error)
{
    // points in numbers, whatever the user's country
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    ReportText out = {0};
    page(&out, data);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    bool fine = report_write(&out, path, error);
    report_free(&out);
    return fine;
}
