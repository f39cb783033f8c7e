// The course of the lesson: lanes over time, each only when there is something in it, with flags for what
// happened and for the moments of the things to fix.
#include "report/report_text.h"

#include <math.h>
#include <stdio.h>

#define ACROSS 940.0 // of the chart, in its own units
#define LEFT   88.0  // room for the names of lanes
#define FLAG   15.0  // between two rows of flags
#define ROWS   3     // of flags at most
#define APART  17.0  // from a flag to its neighbour
#define ROW    12.0  // height of a phase's row
#define CURVE  34.0  // height of a curve
#define PHASES (ROW * (SCORE_PHASE_COUNT - SCORE_PHASE_DIG) + 6.0)
#define LITTLE 50.0 // kg, not worth a curve

typedef struct Course {
    const ReportData* data;
    const Score* s;
    double x0, width; // of the plot
    double length;    // s
    double y;         // top of the next lane
} Course;

static double at(const Course* c, double time)
{
    return c->x0 + c->width * fmin(time, c->length) / c->length;
}

static void lane_name(ReportText* out, const Course* c, double y, const char* name)
{
    report_add(out, "<text class=\"s\" x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
               c->x0 - 6.0, y, name);
}

// --- flags ---------------------------------------------------------------------------------------

// Rows of flags so that neighbours do not hide each other, as far as ROWS go; returns how many.
static int place_flags(const double* x, int count, int* row)
{
    int rows = 0;
    for (int k = 0; k < count; ++k) {
        bool taken[ROWS] = {false};
        for (int n = 0; n < k; ++n) {
            taken[row[n]] |= fabs(x[n] - x[k]) < APART;
        }
        row[k] = 0;
        while (row[k] < ROWS - 1 && taken[row[k]]) {
            ++row[k];
        }
        rows = base_maxi(rows, row[k] + 1);
    }
    return rows;
}

typedef struct Flags {
    int count, rows;
    double x[REPORT_EVENTS_MAX];
    int row[REPORT_EVENTS_MAX];
} Flags;

static Flags place_fixes(const Course* c)
{
    Flags f = {0};
    for (int k = 0; k < c->data->advices; ++k) {
        for (int n = 0; n < c->data->advice[k].times; ++n) {
            f.x[f.count++] = at(c, c->data->advice[k].time[n]);
        }
    }
    f.rows = place_flags(f.x, f.count, f.row);
    return f;
}

static Flags place_events(const Course* c)
{
    Flags f = {.count = report_events(c->data)};
    for (int k = 0; k < f.count; ++k) {
        f.x[k] = at(c, c->data->events[k].time);
    }
    f.rows = place_flags(f.x, f.count, f.row);
    return f;
}

// Squares with numbers: the moments of the things to fix, as in the list above.
static void flags_to_fix(ReportText* out, const Course* c, const Flags* f, double top,
                         double bottom)
{
    for (int k = 0, flag = 0; k < c->data->advices; ++k) {
        for (int n = 0; n < c->data->advice[k].times; ++n, ++flag) {
            double x = f->x[flag], y = top + FLAG * f->row[flag];
            report_line(out, x, y + 13.0, x, bottom,
                        "stroke=\"#a85f08\" stroke-width=\"1\" stroke-dasharray=\"2 2\"");
            report_add(out,
                       "<g id=\"fix%d-%d\" class=\"flag\"><rect x=\"%.1f\" y=\"%.1f\" width=\"14\" "
                       "height=\"14\" rx=\"2\" fill=\"#a85f08\"/><text x=\"%.1f\" y=\"%.1f\" "
                       "text-anchor=\"middle\" class=\"f\">%d</text></g>",
                       k + 1, n + 1, x - 7.0, y, x, y + 11.0, k + 1);
        }
    }
}

// Round ones with letters: what happened, as in the list below. Mishaps are filled.
static void event_flag(ReportText* out, const Course* c, int number, double x, double y,
                       double bottom)
{
    const ReportEvent* e = &c->data->events[number];
    report_line(out, x, y + 7.0, x, bottom,
                e->mishap ? "stroke=\"#b3261e\"" : "stroke=\"#5b6770\" stroke-opacity=\".5\"");
    report_add(out,
               "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"%s\" stroke=\"%s\"/><text "
               "x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" class=\"%s\">%s</text>",
               x, y, e->mishap ? "#b3261e" : "#fff", e->mishap ? "#b3261e" : "#5b6770", x, y + 3.7,
               e->mishap ? "f" : "e", report_letter(number));
}

static void event_list(ReportText* out, const ReportData* data)
{
    char clock[16];
    report_add(out, "<ol class=\"events\">");
    for (int k = 0; k < report_events(data); ++k) {
        const ReportEvent* e = &data->events[k];
        report_add(out, "<li><b class=\"%s\">%s</b> %s ", e->mishap ? "fail" : "soft",
                   report_letter(k), score_clock(clock, e->time));
        report_add_safe(out, e->text);
        if (e->times > 1) {
            report_add(out, ", %d times", e->times);
        }
        report_add(out, "</li>");
    }
    report_add(out, "</ol>");
}

// --- lanes ---------------------------------------------------------------------------------------

// A row per phase, named: no colour is needed to tell them apart.
static void lane_phases(ReportText* out, Course* c)
{
    static const char* const name[] = {"", "dig", "swing loaded", "dump", "swing back"};
    for (int p = SCORE_PHASE_DIG; p < SCORE_PHASE_COUNT; ++p) {
        double y = c->y + ROW * (p - SCORE_PHASE_DIG);
        report_rect(out, c->x0, y, c->width, ROW - 1.0, "#f3f5f6");
        lane_name(out, c, y + ROW - 2.0, name[p]);
    }
    for (int k = 0; k < c->s->seconds;) {
        int begin = k, phase = c->s->second[k].phase;
        while (k < c->s->seconds && c->s->second[k].phase == phase) {
            ++k;
        }
        if (phase != SCORE_PHASE_NONE) {
            report_rect(out, at(c, begin), c->y + ROW * (phase - SCORE_PHASE_DIG),
                        at(c, k) - at(c, begin) + 0.3, ROW - 1.0, report_phase_color[phase]);
        }
    }
    c->y += PHASES;
}

static void lane_flag(ReportText* out, Course* c, int flag, const char* name, const char* color)
{
    report_rect(out, c->x0, c->y, c->width, ROW, "#f3f5f6");
    lane_name(out, c, c->y + ROW - 2.0, name);
    for (int k = 0; k < c->s->seconds;) {
        int begin = k, on = c->s->second[k].flags & flag;
        while (k < c->s->seconds && (c->s->second[k].flags & flag) == on) {
            ++k;
        }
        if (on) {
            report_rect(out, at(c, begin), c->y, at(c, k) - at(c, begin), ROW, color);
        }
    }
    c->y += ROW + 6.0;
}

static double value_of(const ScoreSecond* now, bool truck)
{
    return truck ? (double)now->truck : (double)now->payload;
}

static void lane_curve(ReportText* out, Course* c, bool truck, double most, const char* color,
                       const char* name)
{
    char text[32];
    double foot = c->y + CURVE;
    report_line(out, c->x0, foot, c->x0 + c->width, foot, REPORT_THIN);
    lane_name(out, c, foot - 12.0, name);
    snprintf(text, sizeof text, "up to %.1f t", most / 1000.0);
    lane_name(out, c, foot, text);
    // at most two points per unit of width
    int stride = c->s->seconds / (int)(2.0 * c->width) + 1;
    report_add(
        out,
        "<path fill=\"%s\" fill-opacity=\".25\" stroke=\"%s\" stroke-width=\"1.2\" d=\"M%.1f %.1f",
        color, color, c->x0, foot);
    for (int k = 0; k < c->s->seconds; k += stride) {
        report_add(out, "L%.1f %.1f", at(c, k),
                   foot - CURVE * value_of(&c->s->second[k], truck) / most);
    }
    report_add(out, "L%.1f %.1fZ\"/>", at(c, c->s->seconds), foot);
    c->y += CURVE + 8.0;
}

static void lane_axes(ReportText* out, Course* c)
{
    double foot = c->y + CURVE;
    lane_name(out, c, foot - 12.0, "axes at once");
    lane_name(out, c, foot, "0 to 4");
    for (int n = 1; n <= 4; ++n) {
        double y = foot - CURVE * n / 4.0;
        report_line(out, c->x0, y, c->x0 + c->width, y, REPORT_THIN);
    }
    report_line(out, c->x0, foot, c->x0 + c->width, foot, REPORT_THIN);
    report_add(out, "<path fill=\"#0b5c7a\" d=\"M%.1f %.1f", c->x0, foot);
    for (int k = 0; k < c->s->seconds;) {
        int begin = k, axes = c->s->second[k].axes;
        while (k < c->s->seconds && c->s->second[k].axes == axes) {
            ++k;
        }
        double top = foot - CURVE * axes / 4.0;
        report_add(out, "L%.1f %.1fL%.1f %.1f", at(c, begin), top, at(c, k), top);
    }
    report_add(out, "L%.1f %.1fZ\"/>", at(c, c->s->seconds), foot);
    c->y += CURVE + 2.0;
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
        report_line(out, at(c, t), top, at(c, t), bottom, REPORT_THIN);
        // the last one must not hang over the edge
        bool last = at(c, t) > c->x0 + c->width - 12.0;
        report_add(out, "<text class=\"s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                   at(c, t) + (last ? 8.0 : 0.0), bottom + 13.0, last ? "end" : "middle",
                   score_clock(clock, t));
    }
}

// --- the chart -----------------------------------------------------------------------------------

typedef struct Content {
    bool phases;
    double payload, truck; // kg, largest
    int flags;             // of any second
} Content;

static Content content_of(const Score* s)
{
    Content c = {0};
    for (int k = 0; k < s->seconds; ++k) {
        const ScoreSecond* now = &s->second[k];
        c.phases |= now->phase != SCORE_PHASE_NONE;
        c.payload = fmax(c.payload, (double)now->payload);
        c.truck = fmax(c.truck, (double)now->truck);
        c.flags |= now->flags;
    }
    return c;
}

static double lanes_height(const Content* has)
{
    return (has->phases ? PHASES : 0.0) + (has->flags & SCORE_SECOND_TRAVEL ? ROW + 6.0 : 0.0) +
           (has->flags & SCORE_SECOND_RELIEF ? ROW + 6.0 : 0.0) +
           (has->payload > LITTLE ? CURVE + 8.0 : 0.0) + (has->truck > LITTLE ? CURVE + 8.0 : 0.0) +
           CURVE + 2.0;
}

static void lanes(ReportText* out, Course* c, const Content* has)
{
    if (has->phases) {
        lane_phases(out, c);
    }
    if (has->flags & SCORE_SECOND_TRAVEL) {
        lane_flag(out, c, SCORE_SECOND_TRAVEL, "travelling", "#46606f");
    }
    if (has->flags & SCORE_SECOND_RELIEF) {
        lane_flag(out, c, SCORE_SECOND_RELIEF, "at relief", "#b3261e");
    }
    if (has->payload > LITTLE) {
        lane_curve(out, c, false, has->payload, "#c9791b", "bucket");
    }
    if (has->truck > LITTLE) {
        lane_curve(out, c, true, has->truck, "#2b7f74", "truck");
    }
    lane_axes(out, c);
}

void report_timeline(ReportText* out, const ReportData* data)
{
    Course c = {data, data->score, LEFT, ACROSS - LEFT - 12.0, fmax(data->score->time, 1.0), 0.0};
    const Content has = content_of(data->score);
    const Flags fixes = place_fixes(&c), events = place_events(&c);
    double second = 2.0 + FLAG * fixes.rows + 2.0; // top of the events' flags
    double top = second + FLAG * events.rows + 5.0;
    double bottom = top + lanes_height(&has);
    report_add(out, "<section class=\"box wide\" id=\"course\"><h2>Course of the lesson</h2><div "
                    "class=\"scroll\">");
    report_svg(out, ACROSS, bottom + 18.0, "Phases, payload, truck load and axes over time");
    clock_axis(out, &c, top, bottom);
    c.y = top;
    lanes(out, &c, &has);
    flags_to_fix(out, &c, &fixes, 2.0, bottom);
    for (int k = 0; k < events.count; ++k) {
        event_flag(out, &c, k, events.x[k], second + 8.0 + FLAG * events.row[k], bottom);
    }
    report_add(out, "</svg></div>");
    if (fixes.count > 0) {
        report_add(
            out, "<p class=\"soft\">Squares: the moments of the things to fix, as numbered above. "
                 "The recording has the same marks; N goes from one to the next.</p>");
    }
    if (data->event_count > 0) {
        event_list(out, data);
    }
    report_add(out, "</section>");
}
