// The ground against its target: from above, and cut along a goal.
#include "report/report_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDE      460.0
#define CELLS_MAX 110 // along the longer side of the picture

// Too high in blue, too low in orange and hatched, right in pale green: told apart without colour.
static const char* const step_color[] = {"#b65a00", "#e08a2e", "#f3c48a", "#dcebdd",
                                         "#b7d3ea", "#6fa6d2", "#2a6ca8"};

static int step_of(float error, float tolerance)
{
    const float limit = error < 0.0f ? -error : error;
    int step = limit <= tolerance          ? 0
               : limit <= 2.0f * tolerance ? 1
               : limit <= 4.0f * tolerance ? 2
                                           : 3;
    return error < 0.0f ? 3 - step : 3 + step;
}

// The part of the site that has targets.
typedef struct Frame {
    int i0, i1, j0, j1; // first and behind the last
    int stride;         // columns per drawn cell
} Frame;

static Frame frame_of(const ReportPlan* p)
{
    Frame f = {p->nx, 0, p->nz, 0, 1};
    for (int j = 0; j < p->nz; ++j) {
        for (int i = 0; i < p->nx; ++i) {
            if (p->error[j * p->nx + i] > 0.5f * REPORT_NOTHING) {
                f.i0 = base_mini(f.i0, i);
                f.i1 = base_maxi(f.i1, i + 1);
                f.j0 = base_mini(f.j0, j);
                f.j1 = base_maxi(f.j1, j + 1);
            }
        }
    }
    int side = base_maxi(f.i1 - f.i0, f.j1 - f.j0);
    f.stride = side > CELLS_MAX ? (side + CELLS_MAX - 1) / CELLS_MAX : 1;
    return f;
}

// Of the columns in a drawn cell the one that is farthest off; false when none has a target.
static bool worst_of(const ReportPlan* p, const Frame* f, int i, int j, float* out)
{
    bool any = false;
    for (int b = j; b < j + f->stride && b < f->j1; ++b) {
        for (int a = i; a < i + f->stride && a < f->i1; ++a) {
            float e = p->error[b * p->nx + a];
            if (e > 0.5f * REPORT_NOTHING && (!any || fabsf(e) > fabsf(*out))) {
                *out = e;
                any = true;
            }
        }
    }
    return any;
}

static void plan_row(ReportText* out, const ReportPlan* p, const Frame* f, int j, double y,
                     double h, double scale)
{
    int begin = 0, step = -1;
    for (int i = f->i0; i <= f->i1; i += f->stride) {
        float error = 0.0f;
        bool any = i < f->i1 && worst_of(p, f, i, j, &error);
        int now = any ? step_of(error, p->tolerance) : -1;
        if (now == step && i + f->stride <= f->i1) {
            continue;
        }
        if (step >= 0) {
            double x = 8.0 + (begin - f->i0) * scale, w = (base_mini(i, f->i1) - begin) * scale;
            report_add(out,
                       "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>",
                       x, y, w + 0.25, h + 0.25, step_color[step]);
            if (step < 3) {
                report_add(out,
                           "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                           "fill=\"url(#hatch)\"/>",
                           x, y, w + 0.25, h + 0.25);
            }
        }
        begin = i;
        step = now;
    }
}

static void plan_scale(ReportText* out, double y, double metre)
{
    double length = metre * 5.0 > WIDE / 2.0 ? 1.0 : metre * 20.0 > WIDE / 2.0 ? 5.0 : 10.0;
    report_add(out,
               "<path d=\"M8 %.1fv6h%.1fv-6\" fill=\"none\" stroke=\"#1c2329\"/>"
               "<text x=\"%.1f\" y=\"%.1f\">%.0f m</text>",
               y, length * metre, 14.0 + length * metre, y + 8.0, length);
}

static void plan_legend(ReportText* out, float tolerance)
{
    const char* const word[] = {"too deep by more than %.0f cm", "to %.0f cm too deep",
                                "to %.0f cm too deep",           "within %.0f cm",
                                "to %.0f cm too high",           "to %.0f cm too high",
                                "too high by more than %.0f cm"};
    const double factor[] = {4, 4, 2, 1, 2, 4, 4};
    report_add(out, "<div class=\"legend\">");
    for (int k = 0; k < 7; ++k) {
        char text[64];
        double cm = 100.0 * (double)tolerance * factor[k];
        const char* unit = strchr(word[k], '%');
        size_t head = (size_t)(unit - word[k]);
        memcpy(text, word[k], head);
        text[head] = '\0';
        report_add(out, "<span><i style=\"background:%s%s\"></i>%s%.0f%s</span>", step_color[k],
                   k < 3 ? ";background-image:repeating-linear-gradient(45deg,transparent 0 3px,"
                           "#5a2c00 3px 4px)"
                         : "",
                   text, cm, unit + strlen("%.0f"));
    }
    report_add(out, "</div>");
}

static void plan_sums(ReportText* out, const ReportData* data)
{
    const int measure[] = {SCORE_IN_TOLERANCE, SCORE_OVER_DIG, SCORE_OVER_DEPTH, SCORE_UNDER_DIG,
                           SCORE_UNDER_DEPTH};
    char text[5][64];
    if (!data->result->value[SCORE_IN_TOLERANCE].known) {
        return;
    }
    for (int k = 0; k < 5; ++k) {
        report_value(text[k], measure[k], data->result->value[measure[k]]);
    }
    report_add(out,
               "<p class=\"soft\">Right: %s of the area. Dug too much: %s, at worst %s deep. Left "
               "over: %s, at most %s high. North is up.</p>",
               text[0], text[1], text[2], text[3], text[4]);
}

void report_plan(ReportText* out, const ReportData* data)
{
    const ReportPlan* p = &data->plan;
    if (p->nx <= 0 || p->nz <= 0) {
        return;
    }
    Frame f = frame_of(p);
    if (f.i1 <= f.i0) {
        return;
    }
    double scale = fmin((WIDE - 16.0) / (f.i1 - f.i0), 330.0 / (f.j1 - f.j0));
    double height = (f.j1 - f.j0) * scale;
    report_add(out,
               "<section class=\"box\"><h2>Ground against target, from above</h2>"
               "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Height above or below the "
               "target\"><defs><pattern id=\"hatch\" width=\"5\" height=\"5\" "
               "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path d=\"M0 0V5\" "
               "stroke=\"#5a2c00\" stroke-width=\"1\"/></pattern></defs>",
               WIDE, height + 26.0);
    for (int j = f.j0; j < f.j1; j += f.stride) {
        int rows = base_mini(f.stride, f.j1 - j);
        plan_row(out, p, &f, j, 2.0 + (j - f.j0) * scale, rows * scale, scale);
    }
    plan_scale(out, height + 10.0, scale / (double)p->cell);
    report_add(out, "</svg>");
    plan_legend(out, p->tolerance);
    plan_sums(out, data);
    report_add(out, "</section>");
}

// --- section -------------------------------------------------------------------------------------

typedef struct Cut {
    double x0, y0;    // of the plot's upper left corner
    double top;       // m, at y0
    double along, up; // units per metre
} Cut;

// Lines begin anew behind gaps.
static void profile(ReportText* out, const ReportSection* s, const float* height, const Cut* c,
                    const char* style)
{
    bool pen = false;
    report_add(out, "<path fill=\"none\" %s d=\"", style);
    for (int k = 0; k < s->count; ++k) {
        bool there = height[k] > 0.5f * REPORT_NOTHING;
        if (there) {
            report_add(out, "%c%.1f %.1f", pen ? 'L' : 'M', c->x0 + k * (double)s->step * c->along,
                       c->y0 + (c->top - (double)height[k]) * c->up);
        }
        pen = there;
    }
    report_add(out, "\"/>");
}

static void ground_fill(ReportText* out, const ReportSection* s, const Cut* c, double bottom)
{
    report_add(out, "<path fill=\"#e6ddd2\" d=\"M%.1f %.1f", c->x0, bottom);
    for (int k = 0; k < s->count; ++k) {
        report_add(out, "L%.1f %.1f", c->x0 + k * (double)s->step * c->along,
                   c->y0 + (c->top - (double)s->now[k]) * c->up);
    }
    report_add(out, "L%.1f %.1fZ\"/>", c->x0 + (s->count - 1) * (double)s->step * c->along, bottom);
}

static void stretch(const float* height, int count, double* low, double* high)
{
    for (int k = 0; k < count; ++k) {
        if (height[k] > 0.5f * REPORT_NOTHING) {
            *low = fmin(*low, (double)height[k]);
            *high = fmax(*high, (double)height[k]);
        }
    }
}

static void depth_axis(ReportText* out, const Cut* c, double low, double high, double width)
{
    double step = high - low > 4.0 ? 1.0 : high - low > 1.6 ? 0.5 : 0.25;
    for (double y = ceil(low / step) * step; y <= high; y += step) {
        double at = c->y0 + (c->top - y) * c->up;
        report_add(out,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#d5dbe0\"/>"
                   "<text class=\"s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.2f m</text>",
                   c->x0, at, c->x0 + width, at, c->x0 - 5.0, at + 4.0, y + 0.0);
    }
}

void report_section(ReportText* out, const ReportData* data)
{
    const ReportSection* s = &data->section;
    if (s->count < 2) {
        return;
    }
    double low = 1e9, high = -1e9, length = (s->count - 1) * (double)s->step;
    stretch(s->start, s->count, &low, &high);
    stretch(s->target, s->count, &low, &high);
    stretch(s->now, s->count, &low, &high);
    low -= 0.15;
    high += 0.15;
    Cut c = {58.0, 6.0, high, (WIDE - 68.0) / length, 0.0};
    c.up = fmin(4.0 * c.along, 150.0 / (high - low));
    double bottom = c.y0 + (high - low) * c.up;
    report_add(out, "<section class=\"box\"><h2>Section");
    if (s->title) {
        report_add(out, ": ");
        report_add_safe(out, s->title);
    }
    report_add(out, "</h2><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Section\">",
               WIDE, bottom + 22.0);
    ground_fill(out, s, &c, bottom);
    depth_axis(out, &c, low, high, WIDE - 68.0);
    profile(out, s, s->start, &c,
            "stroke=\"#9fb0bd\" stroke-width=\"1.5\" stroke-dasharray=\"2 3\"");
    profile(out, s, s->now, &c, "stroke=\"#6f4518\" stroke-width=\"2\"");
    profile(out, s, s->target, &c,
            "stroke=\"#0b5c7a\" stroke-width=\"2\" stroke-dasharray=\"7 3\"");
    report_add(out,
               "<text class=\"s\" x=\"%.0f\" y=\"%.1f\">0 m</text><text class=\"s\" x=\"%.0f\" "
               "y=\"%.1f\" text-anchor=\"end\">%.1f m along</text></svg>",
               c.x0, bottom + 15.0, WIDE - 10.0, bottom + 15.0, length);
    report_add(out,
               "<div class=\"legend\"><span>&#8213; ground now</span><span>- - - target</span>"
               "<span>&#183;&#183;&#183; ground at the start</span><span>heights %.1f &#215; "
               "enlarged</span>"
               "</div></section>",
               c.up / c.along);
}
