// The guide as one page: level, identity, index, then a sheet per test with table and over-plots.
#include "qualify/qualify.h"

#include "report/report_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PAGE_WIDTH  640 // px of a chart
#define PAGE_HEIGHT 230
#define PAGE_LEFT   58 // px for the ticks
#define PAGE_BELOW  38
#define PAGE_TOP    10
#define PAGE_RIGHT  12
#define BAND_WIDTH  132 // px of a tolerance band
#define BAND_HALF   33  // px from the target to the limit

static const char page_style[] =
    ".levels{display:grid;grid-template-columns:repeat(3,1fr);gap:12px;margin:0 0 18px}"
    ".levels div{background:var(--pale);border-radius:8px;padding:10px 14px}"
    ".levels b{display:block}"
    ".sheet{border:1px solid var(--line);border-radius:8px;padding:12px 16px;margin:0 0 16px;"
    "break-inside:avoid-page;display:block}"
    ".sheet h2{display:flex;justify-content:space-between;gap:12px}"
    ".sheet dl{display:grid;grid-template-columns:92px 1fr;gap:2px 10px;margin:0 0 10px;"
    "font-size:13.5px}.sheet dt{color:var(--soft)}.sheet dd{margin:0}"
    ".id td:first-child{color:var(--soft);width:130px}.id{margin-bottom:20px}"
    "svg.band{width:132px;height:16px}.mono{font-family:monospace;font-size:12.5px}"
    ".bad{color:var(--bad);font-weight:600}.sheet svg.chart{max-width:720px;margin-top:8px}"
    ".fold>input{position:absolute;opacity:0}.fold>label{cursor:pointer;color:var(--accent);font-"
    "size:13px}"
    ".fold>label::before{content:'\\25b8  '}.fold>input:checked~label::before{content:'\\25be  '}"
    ".fold>div{display:none}.fold>input:checked~div{display:block}\n"
    // on paper nothing that was judged is folded away, and two sheets find room on a page
    "@media print{.fold.judged>label{display:none}.fold.judged>div{display:block}"
    ".sheet{padding:7px 12px;margin:0 0 9px}.sheet svg.chart{max-width:470px;margin-top:4px}"
    ".id td{padding:1.5px 8px 1.5px 0;font-size:12.5px}.id{margin-bottom:12px}"
    ".sheet td{padding:1.5px 8px 1.5px 0;font-size:12.5px}}\n";

static const char* const curve_colors[QUALIFY_CURVES] = {"#0b5c7a", "#c9791b", "#2b7f74"};
static const char* const curve_dashes[QUALIFY_CURVES] = {"", "9 3", "3 3"};

static const char* class_of(QualifyVerdict verdict)
{
    return verdict == QUALIFY_PASSED                                ? "pass"
           : verdict == QUALIFY_MISSED || verdict == QUALIFY_FAILED ? "fail"
                                                                    : "open";
}

// --- charts --------------------------------------------------------------------------------------

typedef struct PageScale {
    double x[2], y[2];
} PageScale;

static void widen(double range[2], double value)
{
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

static double at_x(const PageScale* s, double x)
{
    return PAGE_LEFT + (x - s->x[0]) / (s->x[1] - s->x[0]) * (PAGE_WIDTH - PAGE_LEFT - PAGE_RIGHT);
}

static double at_y(const PageScale* s, double y)
{
    return PAGE_TOP + (s->y[1] - y) / (s->y[1] - s->y[0]) * (PAGE_HEIGHT - PAGE_TOP - PAGE_BELOW);
}

static double cell(const LabTable* t, int row, int column)
{
    return t->cell[row * t->columns + column];
}

// 1, 2 or 5 times a power of ten, about a fifth of the range.
static double round_step(double range)
{
    double power = pow(10.0, floor(log10(range / 5.0))), rest = range / 5.0 / power;
    return power * (rest > 5.0 ? 10.0 : rest > 2.0 ? 5.0 : rest > 1.0 ? 2.0 : 1.0);
}

static void axes(ReportText* out, const PageScale* s, const char* x_name)
{
    double dx = round_step(s->x[1] - s->x[0]), dy = round_step(s->y[1] - s->y[0]);
    int bottom = PAGE_HEIGHT - PAGE_BELOW;
    for (double y = ceil(s->y[0] / dy) * dy; y <= s->y[1] + 1e-9 * dy; y += dy)
        report_add(out,
                   "<path d=\"M%d %.1fH%d\" stroke=\"#d5dbe0\"/><text x=\"%d\" y=\"%.1f\" "
                   "text-anchor=\"end\" class=\"s\">%.4g</text>",
                   PAGE_LEFT, at_y(s, y), PAGE_WIDTH - PAGE_RIGHT, PAGE_LEFT - 5, at_y(s, y) + 4,
                   fabs(y) < 1e-9 * dy ? 0.0 : y);
    for (double x = ceil(s->x[0] / dx) * dx; x <= s->x[1] + 1e-9 * dx; x += dx)
        report_add(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" class=\"s\">%.4g</text>",
                   at_x(s, x), bottom + 15, fabs(x) < 1e-9 * dx ? 0.0 : x);
    report_add(out,
               "<path d=\"M%d %dH%d\" stroke=\"#1c2329\"/><text x=\"%d\" y=\"%d\" "
               "text-anchor=\"end\" class=\"s\">",
               PAGE_LEFT, bottom, PAGE_WIDTH - PAGE_RIGHT, PAGE_WIDTH - PAGE_RIGHT,
               PAGE_HEIGHT - 6);
    report_add_safe(out, x_name);
    report_add(out, "</text>");
}

// A line that begins anew wherever x goes back, as another case in the same table does; a way goes on.
static void line(ReportText* out, const PageScale* s, int count, const double* x, const double* y,
                 bool way, const char* style)
{
    bool open = false;
    report_add(out, "<path fill=\"none\" %s d=\"", style);
    for (int i = 0; i < count; ++i) {
        if (!isfinite(x[i]) || !isfinite(y[i])) {
            open = false;
            continue;
        }
        open = open && (way || x[i] >= x[i - 1]);
        report_add(out, "%c%.1f %.1f", open ? 'L' : 'M', at_x(s, x[i]), at_y(s, y[i]));
        open = true;
    }
    report_add(out, "\"/>");
}

static void dots(ReportText* out, const PageScale* s, int count, const double* x, const double* y,
                 double radius, const char* style)
{
    for (int i = 0; i < count; ++i)
        if (isfinite(x[i]) && isfinite(y[i]))
            report_add(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s/>", at_x(s, x[i]),
                       at_y(s, y[i]), radius, style);
}

static int column_points(const LabTable* t, int column, double* out)
{
    int count = 0;
    for (int r = 0; r < t->rows; r += qualify_stride(t))
        out[count++] = cell(t, r, column);
    return count;
}

// The master's course of the same column, when it has as many points as its x.
static void frozen_line(ReportText* out, const PageScale* s, const QualifyFrozen* frozen,
                        const QualifyChart* chart, const char* name)
{
    const QualifyCurve* fx = qualify_frozen_curve(frozen, chart->x);
    const QualifyCurve* fy = qualify_frozen_curve(frozen, name);
    double x[QUALIFY_POINTS_MAX], y[QUALIFY_POINTS_MAX];
    if (!fx || !fy || fx->count != fy->count || fx->count > QUALIFY_POINTS_MAX)
        return;
    for (int i = 0; i < fx->count; ++i)
        x[i] = (double)fx->points[i], y[i] = (double)fy->points[i];
    if (chart->style == QUALIFY_POINTS)
        dots(out, s, fx->count, x, y, 7.0, "fill=\"none\" stroke=\"#8a959d\" stroke-width=\"2\"");
    else
        line(out, s, fx->count, x, y, chart->style == QUALIFY_WAY,
             "stroke=\"#b9c2c9\" stroke-width=\"6\"");
}

static PageScale scale_of(const LabTable* t, const QualifyChart* chart)
{
    PageScale s = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    int x = qualify_column(t, chart->x), reference = qualify_column(t, chart->reference);
    for (int r = 0; r < t->rows; ++r) {
        if (isfinite(cell(t, r, x)))
            widen(s.x, cell(t, r, x));
        if (reference >= 0 && isfinite(cell(t, r, reference)))
            widen(s.y, cell(t, r, reference));
        for (int k = 0; k < QUALIFY_CURVES; ++k) {
            int c = qualify_column(t, chart->y[k]);
            if (c >= 0 && isfinite(cell(t, r, c)))
                widen(s.y, cell(t, r, c));
        }
    }
    double x_room = fmax(0.03 * (s.x[1] - s.x[0]), 1e-9);
    double y_room = fmax(0.08 * (s.y[1] - s.y[0]), 1e-9 + 1e-6 * fabs(s.y[1]));
    if (chart->style == QUALIFY_POINTS)
        s.x[0] -= x_room, s.x[1] += x_room;
    s.y[0] -= y_room, s.y[1] += y_room;
    return s;
}

static void legend(ReportText* out, const LabTable* t, const QualifyChart* chart, bool frozen)
{
    report_add(out, "<div class=\"legend\">");
    for (int k = 0; k < QUALIFY_CURVES; ++k) {
        if (qualify_column(t, chart->y[k]) < 0)
            continue;
        report_add(out, "<span><i style=\"background:%s\"></i>", curve_colors[k]);
        report_add_safe(out, chart->y[k]);
        report_add(out, "%s</span>",
                   chart->style == QUALIFY_POINTS ? ""
                   : k == 1                       ? " (dashed)"
                   : k == 2                       ? " (dotted)"
                                                  : "");
    }
    if (qualify_column(t, chart->reference) >= 0) {
        report_add(out, "<span><i style=\"background:#1c2329\"></i>reference: ");
        report_add_safe(out, chart->reference);
        report_add(out,
                   chart->style == QUALIFY_POINTS ? " (crosses)</span>" : " (long dashes)</span>");
    }
    if (frozen)
        report_add(out, "<span><i style=\"background:#b9c2c9\"></i>frozen master (%s)</span>",
                   chart->style == QUALIFY_POINTS ? "rings" : "broad");
    report_add(out, "</div>");
}

static void reference(ReportText* out, const PageScale* s, const LabTable* t,
                      const QualifyChart* chart, const double* x)
{
    double y[QUALIFY_POINTS_MAX];
    int column = qualify_column(t, chart->reference);
    if (column < 0)
        return;
    int count = column_points(t, column, y);
    if (chart->style != QUALIFY_POINTS) {
        line(out, s, count, x, y, false,
             "stroke=\"#1c2329\" stroke-width=\"1.3\" stroke-dasharray=\"14 5\"");
        return;
    }
    for (int i = 0; i < count; ++i)
        if (isfinite(x[i]) && isfinite(y[i]))
            report_add(out,
                       "<path d=\"M%.1f %.1fl10 10m0 -10l-10 10\" stroke=\"#1c2329\" "
                       "stroke-width=\"1.4\"/>",
                       at_x(s, x[i]) - 5.0, at_y(s, y[i]) - 5.0);
}

static void draw_chart(ReportText* out, const QualifySpec* spec, const LabTable* t,
                       const QualifyFrozen* frozen)
{
    const QualifyChart* chart = &spec->chart;
    double x[QUALIFY_POINTS_MAX], y[QUALIFY_POINTS_MAX];
    int x_column = qualify_column(t, chart->x);
    if (x_column < 0 || t->rows < 2)
        return;
    PageScale s = scale_of(t, chart);
    if (!(s.x[1] > s.x[0]) || !(s.y[1] > s.y[0]))
        return;
    int count = column_points(t, x_column, x);
    report_add(out, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
               PAGE_WIDTH, PAGE_HEIGHT);
    report_add_safe(out, spec->title);
    report_add(out, "\">");
    axes(out, &s, chart->x);
    for (int k = 0; k < QUALIFY_CURVES; ++k)
        if (qualify_column(t, chart->y[k]) >= 0)
            frozen_line(out, &s, frozen, chart, chart->y[k]);
    for (int k = 0; k < QUALIFY_CURVES; ++k) {
        int column = qualify_column(t, chart->y[k]);
        char style[96];
        if (column < 0)
            continue;
        column_points(t, column, y);
        snprintf(style, sizeof style,
                 chart->style == QUALIFY_POINTS
                     ? "fill=\"%s\""
                     : "stroke=\"%s\" stroke-width=\"1.8\" stroke-dasharray=\"%s\"",
                 curve_colors[k], curve_dashes[k]);
        if (chart->style == QUALIFY_POINTS)
            dots(out, &s, count, x, y, 4.0, style);
        else
            line(out, &s, count, x, y, chart->style == QUALIFY_WAY, style);
    }
    reference(out, &s, t, chart, x);
    report_add(out, "</svg>");
    legend(out, t, chart, qualify_frozen_curve(frozen, chart->x) != NULL);
}

// --- values --------------------------------------------------------------------------------------

// Where a value lies, in units of its tolerance: 0 at the target, 1 at the limit.
static double in_band(const LabValue* v, double value)
{
    double room = v->test == LAB_TEST_NEAR ? v->tolerance : fabs(v->target);
    double from = v->test == LAB_TEST_NEAR ? v->target : 0.0;
    if (room <= 0.0)
        return value == v->target ? 0.0 : value > v->target ? 2.0 : -2.0;
    double at = (value - from) / room;
    return at > 1.9 ? 1.9 : at < -1.9 ? -1.9 : at;
}

// Allowed from lo to hi in those units.
static void band(ReportText* out, const LabValue* v, const QualifyNumber* frozen)
{
    double mid = 0.5 * BAND_WIDTH, lo = -1.0, hi = 1.0, sign = v->target < 0.0 ? -1.0 : 1.0;
    if (v->test == LAB_TEST_MOST)
        lo = -1.95, hi = v->target == 0.0 ? 0.0 : sign;
    if (v->test == LAB_TEST_LEAST)
        hi = 1.95, lo = v->target == 0.0 ? 0.0 : sign;
    report_add(out,
               "<svg class=\"band\" viewBox=\"0 0 %d 16\"><path d=\"M1 8H%d\" stroke=\"#d5dbe0\"/>"
               "<rect x=\"%.1f\" y=\"3\" width=\"%.1f\" height=\"10\" fill=\"#d7e8dd\"/>",
               BAND_WIDTH, BAND_WIDTH - 1, mid + lo * BAND_HALF, (hi - lo) * BAND_HALF);
    if (v->test == LAB_TEST_NEAR)
        report_add(out, "<path d=\"M%.1f 1V15\" stroke=\"#5b6770\"/>", mid);
    if (frozen)
        report_add(out,
                   "<circle cx=\"%.1f\" cy=\"8\" r=\"6\" fill=\"none\" stroke=\"#8a959d\" "
                   "stroke-width=\"1.5\"/>",
                   mid + in_band(v, frozen->value) * BAND_HALF);
    if (isfinite(v->value))
        report_add(out, "<circle cx=\"%.1f\" cy=\"8\" r=\"3.4\" fill=\"%s\"/>",
                   mid + in_band(v, v->value) * BAND_HALF, v->pass ? "#1f7a4d" : "#b3261e");
    report_add(out, "</svg>");
}

static void value_row(ReportText* out, const LabValue* v, const QualifyFrozen* frozen)
{
    const QualifyNumber* old = qualify_frozen_number(frozen, v->name);
    report_add(out, "<tr><td>");
    report_add_safe(out, v->name);
    report_add(out, "</td><td class=\"r\">%.5g %s</td><td>", v->value, v->unit);
    if (v->test == LAB_TEST_NEAR)
        report_add(out, "%.5g \xc2\xb1 %.3g", v->target, v->tolerance);
    else if (v->test != LAB_TEST_NONE)
        report_add(out, "%s %.4g", v->test == LAB_TEST_MOST ? "at most" : "at least", v->target);
    report_add(out, "</td><td class=\"r\">");
    if (!old)
        report_add(out, "-");
    else if (fabs(old->value - v->value) <= 1e-12 * fabs(v->value))
        report_add(out, "the same");
    else
        report_add(out, "%.5g", old->value);
    report_add(out, "</td><td>");
    if (v->test != LAB_TEST_NONE)
        band(out, v, old);
    report_add(out, "</td><td class=\"%s\">%s</td></tr>\n", v->pass ? "pass" : "bad",
               v->test == LAB_TEST_NONE ? ""
               : v->pass                ? "within"
                                        : "outside");
}

static void value_rows(ReportText* out, const LabReport* report, const QualifyFrozen* frozen,
                       bool judged)
{
    report_add(
        out, "<div class=\"scroll\"><table><tr><th>value</th><th class=\"r\">this run</th>"
             "<th>target</th><th class=\"r\">master</th><th>in its tolerance</th><th></th></tr>\n");
    for (int i = 0; i < report->count; ++i)
        if ((report->value[i].test != LAB_TEST_NONE) == judged)
            value_row(out, &report->value[i], frozen);
    report_add(out, "</table></div>");
}

// A table behind a line that is clicked on.
static void folded_rows(ReportText* out, const LabReport* report, const QualifyFrozen* frozen,
                        bool judged, int count)
{
    const char* kind = judged ? "judged" : "told";
    report_add(out,
               "<div class=\"fold %s\"><input type=\"checkbox\" id=\"%s-%s\"><label "
               "for=\"%s-%s\">",
               kind, kind, report->experiment, kind, report->experiment);
    report_add(out, judged ? "%d values, all within" : "%d more values, told and not judged",
               count);
    report_add(out, "</label>");
    value_rows(out, report, frozen, judged);
    report_add(out, "</div>");
}

static void values(ReportText* out, const LabReport* report, const QualifyFrozen* frozen)
{
    int judged = 0, missed = 0;
    for (int i = 0; i < report->count; ++i) {
        judged += report->value[i].test != LAB_TEST_NONE;
        missed += !report->value[i].pass;
    }
    // long tables fold away, but never one that holds a miss
    if (judged > 12 && missed == 0)
        folded_rows(out, report, frozen, true, judged);
    else
        value_rows(out, report, frozen, true);
    if (judged < report->count)
        folded_rows(out, report, frozen, false, report->count - judged);
}

// --- sheets --------------------------------------------------------------------------------------

static void conditions(ReportText* out, const QualifyRun* run, const LabReport* report)
{
    report_add(out, "<dt>Conditions</dt><dd>");
    if (report->machine[0]) {
        report_add_safe(out, report->machine);
        report_add(out, ", ");
    }
    if (report->grains > 0)
        report_add(out, "kernel %s, %d grains, ", report->kernel, report->grains);
    if (report->columns > 0)
        report_add(out, "%d columns of ground, ", report->columns);
    report_add(
        out,
        "%s scene, seed %llu, %d threads (no result depends on them)</dd><dt>Run</dt><dd>%s, "
        "program <span class=\"mono\">%s</span></dd>",
        run->quick ? "quick" : "full", (unsigned long long)report->seed, report->threads,
        run->identity.date, run->identity.program);
}

static void sheet_result(ReportText* out, const QualifyRun* run, const QualifySpec* spec,
                         const QualifyResult* r, const QualifyFrozen* frozen)
{
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->report.hash);
    conditions(out, run, &r->report);
    report_add(out, "<dt>Final states</dt><dd><span class=\"mono\">%s</span>, %s</dd></dl>\n", hash,
               !frozen                           ? "not in the master"
               : strcmp(hash, frozen->hash) == 0 ? "bit for bit those of the master"
                                                 : "<b>not those of the master</b>");
    values(out, &r->report, frozen);
    draw_chart(out, spec, &r->report.table, frozen);
}

static void sheet(ReportText* out, const QualifyRun* run, int index)
{
    const QualifySpec* spec = &qualify_specs[index];
    const QualifyResult* r = &run->result[index];
    report_add(
        out,
        "<section class=\"sheet\" id=\"%s\"><h2><span>%s %s</span><span class=\"%s\">%s</span>"
        "</h2>\n<dl><dt>Procedure</dt><dd>",
        spec->number, spec->number, spec->title, class_of(r->verdict),
        qualify_verdict_word(r->verdict));
    report_add_safe(out, spec->procedure);
    report_add(out, "</dd><dt>Source</dt><dd>");
    report_add_safe(out, spec->source);
    report_add(out, "</dd><dt>Repeat with</dt><dd class=\"mono\">mattock lab %s%s</dd>",
               spec->experiment, run->quick ? " --quick" : "");
    if (r->verdict <= QUALIFY_MISSED)
        sheet_result(out, run, spec, r, qualify_frozen(run->master, spec->experiment));
    else
        report_add(out, "</dl><p class=\"soft\">%s</p>",
                   r->verdict == QUALIFY_ABSENT
                       ? "This build has no such experiment. It counts as not passed."
                   : r->verdict == QUALIFY_FAILED
                       ? "It could not run; the reason was told when it was tried. It counts as "
                         "not passed."
                       : "Not asked for in this run. It counts as not passed.");
    report_add(out, "</section>\n");
}

// --- top -----------------------------------------------------------------------------------------

static void level(ReportText* out, const QualifyRun* run)
{
    const char* reached = qualify_level(run);
    report_add(
        out,
        "<header><div><div class=\"kicker\">Mattock qualification guide</div><h1>Does this "
        "build do on this computer what it should?</h1><div class=\"soft\">%s. Level A: soil "
        "and machine, B: machine, C: controls. A test that misses, fails or is missing lowers "
        "the level.</div></div><div class=\"verdict %s\"><div class=\"n\">%s</div><div "
        "class=\"w\">level</div></div></header>\n<div class=\"levels\">",
        run->identity.date,
        strcmp(reached, "A") == 0      ? "pass"
        : strcmp(reached, "none") == 0 ? "fail"
                                       : "open",
        strcmp(reached, "none") == 0 ? "\xe2\x80\x93" : reached);
    for (int g = QUALIFY_GROUPS - 1; g >= 0; --g) {
        QualifyGroup group = (QualifyGroup)g;
        bool passed = qualify_group_passed(run, group);
        report_add(
            out,
            "<div><b class=\"%s\">%s: %s</b>%d passed, %d missed, %d failed, %d not built, %d not "
            "run</div>",
            passed ? "pass" : "fail", qualify_group_word(group),
            passed ? "qualified" : "not qualified", qualify_count(run, group, QUALIFY_PASSED),
            qualify_count(run, group, QUALIFY_MISSED), qualify_count(run, group, QUALIFY_FAILED),
            qualify_count(run, group, QUALIFY_ABSENT), qualify_count(run, group, QUALIFY_LEFT));
    }
    report_add(out, "</div>\n");
}

static void id_row(ReportText* out, const char* name, const char* value)
{
    report_add(out, "<tr><td>%s</td><td>", name);
    report_add_safe(out, value);
    report_add(out, "</td></tr>");
}

static void identity(ReportText* out, const QualifyRun* run)
{
    const QualifyIdentity* id = &run->identity;
    char text[256];
    report_add(out, "<h2>Build and computer</h2><table class=\"id\">");
    id_row(out, "program", id->program);
    id_row(out, "compiler", id->compiler);
    id_row(out, "files", id->files);
    id_row(out, "system", id->system);
    snprintf(text, sizeof text, "%s, %d cores, %s", id->processor, id->cores, id->memory);
    id_row(out, "computer", text);
    if (run->master)
        snprintf(text, sizeof text, "frozen %s by program %s, %s scenes", run->master->date,
                 run->master->program, run->master->scale);
    else
        snprintf(text, sizeof text, "there is none for %s scenes", run->quick ? "quick" : "full");
    id_row(out, "master", text);
    report_add(out, "</table>\n");
}

static void index_table(ReportText* out, const QualifyRun* run)
{
    report_add(out,
               "<h2>Tests</h2><table class=\"id\"><tr><th>no.</th><th>test</th><th>verdict</th>"
               "<th class=\"r\">s</th></tr>\n");
    for (int i = 0; qualify_specs[i].experiment; ++i) {
        const QualifyResult* r = &run->result[i];
        report_add(out,
                   "<tr><td><a href=\"#%s\">%s</a></td><td>%s</td><td class=\"%s\">%s</td><td "
                   "class=\"r\">%.1f</td></tr>\n",
                   qualify_specs[i].number, qualify_specs[i].number, qualify_specs[i].title,
                   class_of(r->verdict), qualify_verdict_word(r->verdict), r->seconds);
    }
    report_add(out, "</table>\n");
}

bool qualify_page(const QualifyRun* run, const char* path, BaseYamlError* error)
{
    ReportText out = {0};
    report_add(&out,
               "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
               "name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Mattock "
               "qualification: level %s</title><style>\n%s%s</style></head><body><main>\n",
               qualify_level(run), report_style, page_style);
    level(&out, run);
    identity(&out, run);
    index_table(&out, run);
    for (int i = 0; qualify_specs[i].experiment; ++i)
        sheet(&out, run, i);
    report_add(&out, "</main></body></html>\n");
    bool fine = report_write(&out, path, error);
    report_free(&out);
    return fine;
}
