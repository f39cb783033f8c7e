// Strips and bars: cycles, the course of the lesson, axes, payload and spill, trend.
#include "report/report_text.h"

#include <math.h>

#define WIDE   460.0 // of a chart in one column, in its own units
#define ACROSS 940.0 // of one that spans both

static const char* const phase_color[] = {"#e8ecef", "#6f4518", "#c9791b", "#2b7f74", "#9fb0bd"};
static const char* const phase_word[] = {"not digging", "dig", "swing loaded", "dump",
                                         "swing back"};

static void svg(ReportText* out, double width, double height, const char* title)
{
    report_add(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", width, height);
    report_add_safe(out, title);
    report_add(out, "\">");
}

static void rect(ReportText* out, double x, double y, double w, double h, const char* color)
{
    if (w > 0.0 && h > 0.0) {
        report_add(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                   x, y, w, h, color);
    }
}

static void line(ReportText* out, double x0, double y0, double x1, double y1, const char* style)
{
    report_add(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>", x0, y0, x1, y1,
               style);
}

#define THIN   "stroke=\"#d5dbe0\""
#define DASHED "stroke=\"#1c2329\" stroke-dasharray=\"4 3\""

static void legend(ReportText* out, int first)
{
    report_add(out, "<div class=\"legend\">");
    for (int p = first; p < SCORE_PHASE_COUNT; ++p) {
        report_add(out, "<span><i style=\"background:%s\"></i>%s</span>", phase_color[p],
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
        rect(out, x, y, w, h, phase_color[p]);
        x += w;
    }
}

static void time_axis(ReportText* out, double x0, double top, double bottom, double longest,
                      double scale)
{
    double step = tick(longest, 6);
    for (double t = 0.0; t <= longest + 1e-9; t += step) {
        line(out, x0 + t * scale, top, x0 + t * scale, bottom, THIN);
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
    report_add(out, "<section class=\"box\"><h2>Working cycles</h2>");
    if (cycles == 0) {
        report_add(out, "<p class=\"soft\">No bucket was dug and dumped.</p></section>");
        return;
    }
    double row = shown > 16 ? 11.0 : 15.0, scale = (WIDE - 56.0) / longest;
    double bottom = 6.0 + row * shown;
    svg(out, WIDE, bottom + 20.0, "Each working cycle with its four parts, by its start");
    time_axis(out, 40.0, 2.0, bottom, longest, scale);
    cycle_rows(out, data, row, scale);
    if (data->expert && data->expert[SCORE_CYCLE_TIME].known) {
        double x = 40.0 + data->expert[SCORE_CYCLE_TIME].value * scale;
        line(out, x, 0.0, x, bottom, DASHED);
    }
    report_add(out, "</svg>");
    legend(out, SCORE_PHASE_DIG);
    report_add(out, "<p class=\"soft\">By the time each began%s.%s</p></section>",
               cycles > 24 ? "; the first and the last twelve" : "",
               data->expert ? " Dashed: the expert's mean." : "");
}

// --- the course of the lesson --------------------------------------------------------------------

typedef struct Course {
    const Score* s;
    double x0, width; // of the plot
    double length;    // s
} Course;

static double at(const Course* c, double time)
{
    return c->x0 + c->width * time / c->length;
}

static void course_phases(ReportText* out, const Course* c, double y, double h)
{
    for (int k = 0; k < c->s->seconds;) {
        int begin = k, phase = c->s->second[k].phase;
        while (k < c->s->seconds && c->s->second[k].phase == phase) {
            ++k;
        }
        rect(out, at(c, begin), y, at(c, k) - at(c, begin) + 0.3, h, phase_color[phase]);
    }
}

static void course_curve(ReportText* out, const Course* c, double y, double h, bool truck,
                         const char* color, const char* label)
{
    double most = 0.0;
    for (int k = 0; k < c->s->seconds; ++k) {
        const ScoreSecond* now = &c->s->second[k];
        most = fmax(most, truck ? (double)now->truck : (double)now->payload);
    }
    line(out, c->x0, y + h, c->x0 + c->width, y + h, THIN);
    report_add(out, "<text class=\"s\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">%s</text>",
               c->x0 - 6.0, y + h - 12.0, label);
    if (most <= 0.0) {
        report_add(out, "<text class=\"s\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">none</text>",
                   c->x0 - 6.0, y + h);
        return;
    }
    report_add(out, "<text class=\"s\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">to %.1f t</text>",
               c->x0 - 6.0, y + h, most / 1000.0);
    // at most two points per unit of width
    int stride = c->s->seconds / (int)(2.0 * c->width) + 1;
    report_add(
        out,
        "<path fill=\"%s\" fill-opacity=\".25\" stroke=\"%s\" stroke-width=\"1.2\" d=\"M%.1f %.1f",
        color, color, c->x0, y + h);
    for (int k = 0; k < c->s->seconds; k += stride) {
        const ScoreSecond* now = &c->s->second[k];
        double value = truck ? (double)now->truck : (double)now->payload;
        report_add(out, "L%.1f %.1f", at(c, k), y + h - h * value / most);
    }
    report_add(out, "L%.1f %.1fZ\"/>", at(c, c->s->seconds), y + h);
}

static void course_axes(ReportText* out, const Course* c, double y, double h)
{
    report_add(out, "<text class=\"s\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">axes at</text>",
               c->x0 - 6.0, y + h - 12.0);
    report_add(out, "<text class=\"s\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">once, 0-4</text>",
               c->x0 - 6.0, y + h);
    line(out, c->x0, y + h, c->x0 + c->width, y + h, THIN);
    report_add(out, "<path fill=\"#0b5c7a\" d=\"M%.1f %.1f", c->x0, y + h);
    for (int k = 0; k < c->s->seconds;) {
        int begin = k, axes = c->s->second[k].axes;
        while (k < c->s->seconds && c->s->second[k].axes == axes) {
            ++k;
        }
        double top = y + h - h * axes / 4.0;
        report_add(out, "L%.1f %.1fL%.1f %.1f", at(c, begin), top, at(c, k), top);
    }
    report_add(out, "L%.1f %.1fZ\"/>", at(c, c->s->seconds), y + h);
}

static void clock_axis(ReportText* out, const Course* c, double top, double bottom)
{
    const double steps[] = {10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600};
    int k = 0;
    while (k < 9 && c->length / steps[k] > 12.0) {
        ++k;
    }
    char clock[16];
    for (double t = 0.0; t <= c->length; t += steps[k]) {
        line(out, at(c, t), top, at(c, t), bottom, THIN);
        report_add(out, "<text class=\"s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                   at(c, t), bottom + 13.0, score_clock(clock, t));
    }
}

// Numbered flags above the strip; the list below says what they are. One per moment.
static int course_flags(ReportText* out, const ReportData* data, const Course* c, double y)
{
    int number = 0;
    double last = -1e9;
    for (int k = 0; k < data->event_count; ++k) {
        double x = at(c, data->events[k].time);
        ++number;
        line(out, x, y, x, y + 146.0, "stroke=\"#b3261e\" stroke-width=\"1\"");
        double lift = x - last < 16.0 ? 0.0 : 0.0;
        report_add(out,
                   "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"8\" fill=\"#b3261e\"/><text x=\"%.1f\" "
                   "y=\"%.1f\" text-anchor=\"middle\" "
                   "style=\"fill:#fff;font-size:10px;font-weight:700\">%d</text>",
                   x, y - lift, x, y + 3.5 - lift, number);
        last = x;
    }
    return number;
}

static void event_list(ReportText* out, const ReportData* data)
{
    char clock[16];
    report_add(out, "<p style=\"margin-top:8px\">");
    for (int k = 0; k < data->event_count; ++k) {
        report_add(out, "<span style=\"white-space:nowrap\"><b class=\"fail\">%d</b> %s</span> ",
                   k + 1, score_clock(clock, data->events[k].time));
        report_add_safe(out, data->events[k].text);
        report_add(out, "%s", k + 1 < data->event_count ? " &#183; " : "");
    }
    report_add(out, "</p>");
}

void report_timeline(ReportText* out, const ReportData* data)
{
    Course c = {data->score, 74.0, ACROSS - 84.0, fmax(data->score->time, 1.0)};
    report_add(out,
               "<section class=\"box wide\"><h2>Course of the lesson</h2><div class=\"scroll\">");
    svg(out, ACROSS, 190.0, "Phases, payload, truck load and axes over time");
    clock_axis(out, &c, 20.0, 172.0);
    report_add(out, "<text class=\"s\" x=\"%.0f\" y=\"38\" text-anchor=\"end\">phase</text>",
               c.x0 - 6.0);
    course_phases(out, &c, 26.0, 16.0);
    course_curve(out, &c, 48.0, 34.0, false, "#c9791b", "bucket");
    course_curve(out, &c, 90.0, 34.0, true, "#2b7f74", "truck");
    course_axes(out, &c, 134.0, 32.0);
    course_flags(out, data, &c, 10.0);
    report_add(out, "</svg></div>");
    legend(out, SCORE_PHASE_NONE);
    if (data->event_count > 0) {
        event_list(out, data);
    }
    report_add(out, "</section>");
}

// --- axes ----------------------------------------------------------------------------------------

static void bar_row(ReportText* out, double y, const char* name, double share, double other,
                    const char* color)
{
    const double x = 122.0, width = WIDE - 122.0 - 46.0;
    report_add(out, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", x - 8.0, y + 11.0,
               name);
    rect(out, x, y + 1.0, width, 12.0, "#eef1f3");
    rect(out, x, y + 1.0, width * share, 12.0, color);
    if (other >= 0.0) {
        line(out, x + width * other, y - 1.0, x + width * other, y + 15.0,
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
    svg(out, WIDE, 168.0, "Share of active time in which each axis and several together moved");
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
    double width = (WIDE - 50.0) / (cycles > 8 ? cycles : 8), x = 42.0;
    for (double f = 0.0; f <= most; f += 0.5) {
        double y = 6.0 + height - height * f / most;
        line(out, 40.0, y, WIDE - 6.0, y, THIN);
        report_add(out, "<text class=\"s\" x=\"34\" y=\"%.1f\" text-anchor=\"end\">%.0f %%</text>",
                   y + 4.0, 100.0 * f);
    }
    for (int k = 0; k < last; ++k) {
        const ScoreCycle* c = &s->cycle[k];
        if (c->dumped) {
            double h = height * c->fill / most;
            rect(out, x, 6.0 + height - h, fmax(width - 2.0, 0.5), h, "#c9791b");
            x += width;
        }
    }
    if (data->expert && data->expert[SCORE_FILL].known) {
        double y = 6.0 + height - height * data->expert[SCORE_FILL].value / 100.0 / most;
        line(out, 40.0, y, WIDE - 6.0, y, DASHED);
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
        svg(out, WIDE, 108.0, "Fill of each bucket");
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

static double trend_x(int k, int count)
{
    return 44.0 + (WIDE - 80.0) * (count > 1 ? (double)k / (count - 1) : 0.5);
}

static double trend_y(double points)
{
    return 112.0 - points;
}

void report_trend(ReportText* out, const ReportData* data)
{
    int count = data->past_count + 1;
    report_add(out, "<section class=\"box\"><h2>Trend</h2>");
    svg(out, WIDE, 142.0, "Points of the last runs");
    for (int p = 0; p <= 100; p += 50) {
        line(out, 40.0, trend_y(p), WIDE - 20.0, trend_y(p), THIN);
        report_add(out, "<text class=\"s\" x=\"34\" y=\"%.1f\" text-anchor=\"end\">%d</text>",
                   trend_y(p) + 4.0, p);
    }
    line(out, 40.0, trend_y(data->rules->pass), WIDE - 20.0, trend_y(data->rules->pass), DASHED);
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
        if (count <= 6 || k == 0 || now) {
            report_add(out, "<text class=\"s\" x=\"%.1f\" y=\"134\" text-anchor=\"middle\">",
                       trend_x(k, count));
            report_add_safe(out, now ? "this run" : data->past[k].date);
            report_add(out, "</text>");
        }
    }
    report_add(out, "</svg><p class=\"soft\">%s Dashed: pass mark.</p></section>",
               data->past_count > 0 ? "Points of the last runs of this lesson."
                                    : "The first run of this lesson.");
}
