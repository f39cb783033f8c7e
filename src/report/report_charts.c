// Strips and bars: cycles, axes, payload and spill, trend.
#include "report/report_text.h"

#include <math.h>

#define WIDE 460.0 // of a chart in one column, in its own units

static const char* const phase_word[] = {"not digging", "dig", "swing loaded", "dump",
                                         "swing back"};

const char* const report_phase_color[] = {"#e8ecef", "#6f4518", "#c9791b", "#2b7f74", "#9fb0bd"};

void report_svg(ReportText* out, double width, double height, const char* title)
{
    report_add(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", width, height);
    report_add_safe(out, title);
    report_add(out, "\">");
}

void report_rect(ReportText* out, double x, double y, double w, double h, const char* color)
{
    if (w > 0.0 && h > 0.0) {
        report_add(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                   x, y, w, h, color);
    }
}

void report_line(ReportText* out, double x0, double y0, double x1, double y1, const char* style)
{
    report_add(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>", x0, y0, x1, y1,
               style);
}

static void legend(ReportText* out, int first)
{
    report_add(out, "<div class=\"legend\">");
    for (int p = first; p < SCORE_PHASE_COUNT; ++p) {
        report_add(out, "<span><i style=\"background:%s\"></i>%s</span>", report_phase_color[p],
                   phase_word[p]);
    }
    report_add(out, "</div>");
}

static int cycle_count(const Score* s)
{
    return s->cycles < SCORE_CYCLES_MAX ? s->cycles : SCORE_CYCLES_MAX;
}

// 1, 2 or 5 times a power of ten, so that there are at most `most` of them.
static double tick(double range, int most)
{
    double step = pow(10.0, floor(log10(range > 0.0 ? range : 1.0)) - 1.0);
    const double factor[] = {2.0, 2.5, 2.0};
    for (int k = 0; range / step > most; k = (k + 1) % 3) {
        step *= factor[k];
    }
    return step;
}

// --- cycles --------------------------------------------------------------------------------------

static double cycle_length(const ScoreCycle* c)
{
    return c->time[1] + c->time[2] + c->time[3] + c->time[4];
}

static void cycle_bar(ReportText* out, const ScoreCycle* c, double x, double y, double h,
                      double scale)
{
    for (int p = SCORE_PHASE_DIG; p < SCORE_PHASE_COUNT; ++p) {
        double w = c->time[p] * scale;
        report_rect(out, x, y, w, h, report_phase_color[p]);
        x += w;
    }
}

static void time_axis(ReportText* out, double x0, double top, double bottom, double longest,
                      double scale)
{
    double step = tick(longest, 6);
    for (double t = 0.0; t <= longest + 1e-9; t += step) {
        report_line(out, x0 + t * scale, top, x0 + t * scale, bottom, REPORT_THIN);
        report_add(out,
                   "<text class=\"s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g s</text>",
                   x0 + t * scale, bottom + 13.0, t);
    }
}

// At most 24 bars: of a long lesson the first and the last dozen.
static bool is_shown(int k, int cycles)
{
    return cycles <= 24 || k < 12 || k >= cycles - 12;
}

static void cycle_rows(ReportText* out, const ReportData* data, double row, double scale)
{
    const Score* s = data->score;
    int cycles = cycle_count(s), shown = 0;
    for (int k = 0; k < cycles; ++k) {
        if (!is_shown(k, cycles)) {
            continue;
        }
        char clock[16];
        double y = 4.0 + row * shown++;
        report_add(out, "<text class=\"s\" x=\"34\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                   y + 0.75 * row, score_clock(clock, s->cycle[k].start));
        cycle_bar(out, &s->cycle[k], 40.0, y + 1.5, row - 3.0, scale);
    }
}

void report_cycles(ReportText* out, const ReportData* data)
{
    const Score* s = data->score;
    double longest = 1.0;
    int cycles = cycle_count(s), shown = 0;
    for (int k = 0; k < cycles; ++k) {
        longest = fmax(longest, cycle_length(&s->cycle[k]));
        shown += is_shown(k, cycles);
    }
    report_add(out, "<section class=\"box%s\"><h2>Working cycles</h2>",
               data->past_count == 0 ? " tall" : "");
    if (cycles == 0) {
        report_add(out, "<p class=\"soft\">No bucket was dug and dumped.</p></section>");
        return;
    }
    double row = shown > 16 ? 13.0 : 15.0, scale = (WIDE - 56.0) / longest;
    double bottom = 6.0 + row * shown;
    report_svg(out, WIDE, bottom + 20.0, "Each working cycle with its four parts, by its start");
    time_axis(out, 40.0, 2.0, bottom, longest, scale);
    cycle_rows(out, data, row, scale);
    if (data->expert && data->expert[SCORE_CYCLE_TIME].known) {
        double x = 40.0 + data->expert[SCORE_CYCLE_TIME].value * scale;
        report_line(out, x, 0.0, x, bottom, REPORT_DASHED);
    }
    report_add(out, "</svg>");
    legend(out, SCORE_PHASE_DIG);
    report_add(out, "<p class=\"soft\">By the time each began%s.%s</p></section>",
               cycles > 24 ? "; the first and the last twelve" : "",
               data->expert ? " Dashed: the expert's mean." : "");
}

// --- axes ----------------------------------------------------------------------------------------

static void bar_row(ReportText* out, double y, const char* name, double share, double other,
                    const char* color)
{
    const double x = 122.0, width = WIDE - 122.0 - 46.0;
    report_add(out, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", x - 8.0, y + 11.0,
               name);
    report_rect(out, x, y + 1.0, width, 12.0, "#eef1f3");
    report_rect(out, x, y + 1.0, width * share, 12.0, color);
    if (other >= 0.0) {
        report_line(out, x + width * other, y - 1.0, x + width * other, y + 15.0,
                    "stroke=\"#1c2329\" stroke-width=\"2\"");
    }
    report_add(out, "<text x=\"%.0f\" y=\"%.1f\">%.0f %%</text>", x + width + 8.0, y + 11.0,
               100.0 * share);
}

void report_axes(ReportText* out, const ReportData* data)
{
    const Score* s = data->score;
    const char* const axis[] = {"swing", "boom", "stick", "bucket"};
    const char* const many[] = {"", "", "two or more", "three or more", "all four"};
    const int measure[] = {0, 0, SCORE_TWO_AXES, SCORE_THREE_AXES, SCORE_FOUR_AXES};
    double active = s->active > 0.0 ? s->active : 1.0, together = s->axes[4];
    report_add(out, "<section class=\"box\"><h2>Axes and coordination</h2>");
    report_svg(out, WIDE, 168.0,
               "Share of active time in which each axis and several together moved");
    for (int a = 0; a < SCORE_AXES; ++a) {
        bar_row(out, 4.0 + 19.0 * a, axis[a], s->axis[a] / active, -1.0, "#9fb0bd");
    }
    for (int n = 4; n >= 2; --n) {
        bool known = data->expert && data->expert[measure[n]].known;
        together += n < 4 ? s->axes[n] : 0.0;
        bar_row(out, 96.0 + 21.0 * (n - 2), many[n], together / active,
                known ? data->expert[measure[n]].value / 100.0 : -1.0, "#0b5c7a");
    }
    report_add(
        out, "</svg><p class=\"soft\">Of the time in which hands or machine moved.%s</p></section>",
        data->expert ? " Upright mark: the expert." : "");
}

// --- payload and spill ---------------------------------------------------------------------------

static void fill_bars(ReportText* out, const ReportData* data, double height)
{
    const Score* s = data->score;
    int cycles = 0, last = cycle_count(s);
    double most = 1.25;
    for (int k = 0; k < last; ++k) {
        cycles += s->cycle[k].dumped;
        most = fmax(most, s->cycle[k].fill * 1.05);
    }
    double width = (WIDE - 56.0) / (cycles > 8 ? cycles : 8), x = 48.0;
    for (double f = 0.0; f <= most; f += 0.5) {
        double y = 6.0 + height - height * f / most;
        report_line(out, 46.0, y, WIDE - 6.0, y, REPORT_THIN);
        report_add(out, "<text class=\"s\" x=\"41\" y=\"%.1f\" text-anchor=\"end\">%.0f %%</text>",
                   y + 4.0, 100.0 * f);
    }
    for (int k = 0; k < last; ++k) {
        const ScoreCycle* c = &s->cycle[k];
        if (c->dumped) {
            double h = height * c->fill / most;
            report_rect(out, x, 6.0 + height - h, fmax(width - 2.0, 0.5), h, "#c9791b");
            x += width;
        }
    }
    if (data->expert && data->expert[SCORE_FILL].known) {
        double y = 6.0 + height - height * data->expert[SCORE_FILL].value / 100.0 / most;
        report_line(out, 46.0, y, WIDE - 6.0, y, REPORT_DASHED);
    }
}

static void spill_row(ReportText* out, const ReportData* data, int measure, const char* where)
{
    char text[64], expert[64] = "";
    if (data->expert) {
        report_value(expert, measure, data->expert[measure]);
    }
    report_add(out, "<tr><td>%s</td><td class=\"r\">%s</td><td class=\"r\">%s</td></tr>", where,
               report_value(text, measure, data->result->value[measure]), expert);
}

void report_payload(ReportText* out, const ReportData* data)
{
    char payload[64], fill[64];
    const ScoreValue* v = data->result->value;
    report_add(out, "<section class=\"box\"><h2>Payload and spill</h2>");
    if (v[SCORE_CYCLES].value > 0.0) {
        report_svg(out, WIDE, 108.0, "Fill of each bucket");
        fill_bars(out, data, 92.0);
        report_add(out, "</svg><p class=\"soft\">Fill of every bucket; mean %s, %s.%s</p>",
                   report_value(fill, SCORE_FILL, v[SCORE_FILL]),
                   report_value(payload, SCORE_PAYLOAD, v[SCORE_PAYLOAD]),
                   data->expert ? " Dashed: the expert." : "");
    }
    report_add(out,
               "<table><tr><th>Spill by the ledger</th><th class=\"r\">trainee</th>"
               "<th class=\"r\">%s</th></tr>",
               data->expert ? "expert" : "");
    spill_row(out, data, SCORE_SPILL_HAUL, "on the haul road");
    spill_row(out, data, SCORE_SPILL_KEEP_OUT, "in keep-out zones");
    spill_row(out, data, SCORE_SPILL_ELSEWHERE, "elsewhere on the site");
    spill_row(out, data, SCORE_SPILL_OFF_SITE, "off the site");
    spill_row(out, data, SCORE_CARRY_BACK, "carried back per bucket");
    report_add(out, "</table></section>");
}

// --- trend ---------------------------------------------------------------------------------------

#define TREND_FOOT 118.0 // y of no points

static double trend_x(int k, int count)
{
    return 44.0 + (WIDE - 80.0) * (count > 1 ? (double)k / (count - 1) : 0.5);
}

static double trend_y(double points)
{
    return TREND_FOOT - points;
}

static void trend_points(ReportText* out, const ReportData* data, int count)
{
    report_add(out, "<polyline fill=\"none\" stroke=\"#0b5c7a\" stroke-width=\"2\" points=\"");
    for (int k = 0; k < count; ++k) {
        double total = k < data->past_count ? data->past[k].total : data->result->total;
        report_add(out, "%.1f,%.1f ", trend_x(k, count), trend_y(total));
    }
    report_add(out, "\"/>");
    for (int k = 0; k < count; ++k) {
        bool now = k == data->past_count;
        double total = now ? data->result->total : data->past[k].total;
        report_add(out,
                   "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\" stroke=\"#0b5c7a\" "
                   "stroke-width=\"2\"/>",
                   trend_x(k, count), trend_y(total), now ? 6 : 4, now ? "#0b5c7a" : "#fff");
        report_add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>",
                   trend_x(k, count), trend_y(total) - 10.0, total);
        report_add(out, "<text class=\"s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d</text>",
                   trend_x(k, count), TREND_FOOT + 16.0, k + 1);
    }
}

static void trend_pillar(ReportText* out, double points)
{
    report_add(out, points < 0.0 ? "<td class=\"r\">-</td>" : "<td class=\"r\">%.0f</td>", points);
}

static void trend_row(ReportText* out, int number, const char* date, double total,
                      const double pillar[SCORE_PILLARS], bool passed)
{
    report_add(out, "<tr><td>%d</td><td>", number);
    report_add_safe(out, date);
    report_add(out, "</td><td class=\"r\"><b>%.0f</b></td>", total);
    for (int p = 0; p < SCORE_PILLARS; ++p) {
        trend_pillar(out, pillar[p]);
    }
    report_add(out, "<td class=\"opt\">%s</td></tr>", passed ? "yes" : "no");
}

void report_trend(ReportText* out, const ReportData* data)
{
    int count = data->past_count + 1;
    if (data->rules->count == 0) {
        return;
    }
    report_add(out, "<section class=\"box\"><h2>Trend</h2>");
    report_svg(out, WIDE, TREND_FOOT + 22.0, "Points of the last runs");
    for (int p = 0; p <= 100; p += 50) {
        report_line(out, 40.0, trend_y(p), WIDE - 20.0, trend_y(p), REPORT_THIN);
        report_add(out, "<text class=\"s\" x=\"34\" y=\"%.1f\" text-anchor=\"end\">%d</text>",
                   trend_y(p) + 4.0, p);
    }
    report_line(out, 40.0, trend_y(data->rules->pass), WIDE - 20.0, trend_y(data->rules->pass),
                REPORT_DASHED);
    trend_points(out, data, count);
    report_add(out, "</svg><table class=\"trend\"><tr><th></th><th>Run</th><th class=\"r\">Points"
                    "</th><th class=\"r\">Safety</th><th class=\"r\">Quality</th><th "
                    "class=\"r\">Economy</th><th class=\"opt\">Passed</th></tr>");
    for (int k = 0; k < data->past_count; ++k) {
        const ReportPast* p = &data->past[k];
        trend_row(out, k + 1, p->date, p->total, p->pillar, p->passed);
    }
    trend_row(out, count, "this run", data->result->total, data->result->pillar,
              data->result->passed);
    report_add(out,
               "</table><p class=\"soft\">Dashed: the pass mark, %.0f. Earlier runs as they "
               "were recorded.</p></section>",
               data->rules->pass);
}
