#include "plot/plot_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHART_TEXT     17.0 // pixels
#define CHART_TITLE    25.0
#define CHART_SUBTITLE 17.0
#define CHART_STROKE   2.4
#define CHART_MARKER   5.0 // radius

// Where data lands in the picture.
typedef struct Frame {
    PlotRect box;
    double x0, x1, y0, y1; // data range, logarithms where asked for
    bool x_log, y_log;
} Frame;

PlotColor plot_chart_color(int index)
{
    static const unsigned palette[8] = {0x0072b2, 0xd55e00, 0x008f66, 0xb0428a,
                                        0x3d3d3d, 0x4aa3d8, 0xb98000, 0x7a5230};
    return plot_color(palette[(unsigned)index % 8u]);
}

PlotColor plot_chart_ink(void)
{
    return plot_color(0x2a2d31);
}

PlotColor plot_chart_faint(void)
{
    return plot_color(0x6b7077);
}

PlotColor plot_chart_paper(void)
{
    return plot_color(0xfcfbf8);
}

int plot_chart_ticks(double lo, double hi, int about, double* out, double* step)
{
    double raw = (hi - lo) / (about > 0 ? about : 1);
    *step = 0.0;
    if (!(raw > 0.0) || !isfinite(raw))
        return 0;
    double power = pow(10.0, floor(log10(raw))), part = raw / power;
    *step = power * (part <= 1.0001 ? 1.0 : part <= 2.0001 ? 2.0 : part <= 5.0001 ? 5.0 : 10.0);

    int count = 0;
    for (double i = ceil(lo / *step - 1e-9); count < PLOT_CHART_TICKS_MAX; i += 1.0) {
        if (i * *step > hi + 1e-9 * *step)
            break;
        out[count++] = i == 0.0 ? 0.0 : i * *step;
    }
    return count;
}

// 1, 2 and 5 of every decade; the values are logarithms.
static int log_ticks(double lo, double hi, double* out)
{
    static const double leads[3] = {1.0, 2.0, 5.0};
    int count = 0;
    for (double decade = floor(lo); decade <= hi && count < PLOT_CHART_TICKS_MAX; decade += 1.0)
        for (int i = 0; i < 3 && count < PLOT_CHART_TICKS_MAX; ++i) {
            double tick = decade + log10(leads[i]);
            if (tick >= lo - 1e-9 && tick <= hi + 1e-9)
                out[count++] = tick;
        }
    return count;
}

static void tick_text(char* text, size_t size, double value, double step)
{
    double magnitude = fmax(fabs(value), step);
    int decimals = step > 0.0 ? (int)fmax(0.0, -floor(log10(step) + 1e-9)) : 0;
    if (magnitude >= 1e6 || decimals > 5)
        snprintf(text, size, "%.2g", value);
    else
        snprintf(text, size, "%.*f", decimals, value);
}

static void log_text(char* text, size_t size, double exponent)
{
    snprintf(text, size, "%g", pow(10.0, exponent));
}

static double axis(double value, bool logarithmic)
{
    return logarithmic ? (value > 0.0 ? log10(value) : (double)NAN) : value;
}

// Range of all series along one axis, with a little air.
static void data_range(const PlotChart* chart, bool along_x, double* lo, double* hi)
{
    const double* given = along_x ? chart->x_range : chart->y_range;
    bool logarithmic = along_x ? chart->x_log : chart->y_log;
    if (given[0] < given[1]) {
        *lo = axis(given[0], logarithmic);
        *hi = axis(given[1], logarithmic);
        return;
    }
    *lo = HUGE_VAL, *hi = -HUGE_VAL;
    for (int s = 0; s < chart->count; ++s) {
        const double* values = along_x ? chart->series[s].x : chart->series[s].y;
        for (int i = 0; i < chart->series[s].count; ++i) {
            double value = axis(values[i], logarithmic);
            if (isfinite(value))
                *lo = fmin(*lo, value), *hi = fmax(*hi, value);
        }
    }
    if (*lo > *hi)
        *lo = 0.0, *hi = 1.0;
    double air = *hi > *lo ? 0.05 * (*hi - *lo) : fmax(0.5 * fabs(*hi), 1e-6);
    *lo -= air, *hi += air;
}

static double frame_x(const Frame* f, double x)
{
    return f->box.x + f->box.w * (axis(x, f->x_log) - f->x0) / (f->x1 - f->x0);
}

static double frame_y(const Frame* f, double y)
{
    return f->box.y + f->box.h * (1.0 - (axis(y, f->y_log) - f->y0) / (f->y1 - f->y0));
}

static bool frame_holds(const Frame* f, double px, double py)
{
    return px >= f->box.x - 1.0 && px <= f->box.x + f->box.w + 1.0 && py >= f->box.y - 1.0 &&
           py <= f->box.y + f->box.h + 1.0;
}

PlotRect plot_chart_heading(PlotCanvas* canvas, PlotRect area, const char* title,
                            const char* subtitle)
{
    double y = area.y;
    if (title) {
        y += CHART_TITLE;
        plot_text(canvas, area.x, y, (PlotText){.size = CHART_TITLE, .color = plot_chart_ink()},
                  title);
    }
    if (subtitle) {
        y += CHART_SUBTITLE + 8.0;
        plot_text(canvas, area.x, y,
                  (PlotText){.size = CHART_SUBTITLE, .color = plot_chart_faint()}, subtitle);
    }
    y += 12.0;
    return (PlotRect){area.x, y, area.w, area.y + area.h - y};
}

static void draw_marker(PlotCanvas* canvas, PlotMarker marker, double x, double y, PlotColor color)
{
    double r = CHART_MARKER;
    switch (marker) {
    case PLOT_MARKER_DISC: plot_disc(canvas, x, y, r, color); break;
    case PLOT_MARKER_RING:
        plot_disc(canvas, x, y, r + 0.6, plot_chart_paper());
        plot_ring(canvas, x, y, r, 2.0, color);
        break;
    case PLOT_MARKER_SQUARE:
        plot_rect(canvas, (PlotRect){x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r}, color, 1.0);
        break;
    case PLOT_MARKER_TRIANGLE:
        plot_convex(canvas, (double[]){x - 1.15 * r, x + 1.15 * r, x},
                    (double[]){y + 0.85 * r, y + 0.85 * r, y - 1.15 * r}, 3, color);
        break;
    case PLOT_MARKER_DIAMOND:
        plot_convex(canvas, (double[]){x - 1.25 * r, x, x + 1.25 * r, x},
                    (double[]){y, y + 1.25 * r, y, y - 1.25 * r}, 4, color);
        break;
    default: break;
    }
}

// The legend runs in rows above the frame, so that it never hides a curve.
static double draw_legend(PlotCanvas* canvas, PlotRect area, const PlotChart* chart, bool draw)
{
    double x = area.x, y = area.y + CHART_TEXT;
    int entries = 0;
    for (int s = 0; s < chart->count; ++s) {
        const PlotSeries* series = &chart->series[s];
        if (!series->name)
            continue;
        double width = 44.0 + plot_text_width(CHART_TEXT, series->name) + 24.0;
        if (entries && x + width > area.x + area.w + 20.0)
            x = area.x, y += CHART_TEXT + 8.0;
        ++entries;
        if (draw) {
            PlotColor color = plot_chart_color(series->color);
            double middle = y - 0.3 * CHART_TEXT;
            if (series->line)
                plot_polyline(canvas, (double[]){x, x + 34.0}, (double[]){middle, middle}, 2,
                              CHART_STROKE, series->dash, color);
            draw_marker(canvas, series->marker, x + 17.0, middle, color);
            plot_text(canvas, x + 44.0, y,
                      (PlotText){.size = CHART_TEXT, .color = plot_chart_ink()}, series->name);
        }
        x += width;
    }
    return entries ? y - area.y + 12.0 : 0.0;
}

static void draw_axes(PlotCanvas* canvas, const Frame* f, const PlotChart* chart)
{
    double ticks[PLOT_CHART_TICKS_MAX], step = 0.0;
    char text[32];
    PlotColor grid = plot_color(0xe3e1da);
    PlotText style = {.size = CHART_TEXT, .color = plot_chart_faint(), .align = PLOT_ALIGN_CENTER};
    double bottom = f->box.y + f->box.h;

    // upright grid lines with the numbers below
    int count = f->x_log ? log_ticks(f->x0, f->x1, ticks)
                         : plot_chart_ticks(f->x0, f->x1, (int)(f->box.w / 90.0), ticks, &step);
    for (int i = 0; i < count; ++i) {
        double x = f->box.x + f->box.w * (ticks[i] - f->x0) / (f->x1 - f->x0);
        plot_line(canvas, x, f->box.y, x, bottom, 1.0, grid);
        f->x_log ? log_text(text, sizeof text, ticks[i])
                 : tick_text(text, sizeof text, ticks[i], step);
        plot_text(canvas, x, bottom + CHART_TEXT + 6.0, style, text);
    }

    // level grid lines with the numbers to the left
    style.align = PLOT_ALIGN_RIGHT;
    count = f->y_log ? log_ticks(f->y0, f->y1, ticks)
                     : plot_chart_ticks(f->y0, f->y1, (int)(f->box.h / 60.0), ticks, &step);
    for (int i = 0; i < count; ++i) {
        double y = f->box.y + f->box.h * (1.0 - (ticks[i] - f->y0) / (f->y1 - f->y0));
        plot_line(canvas, f->box.x, y, f->box.x + f->box.w, y, 1.0, grid);
        f->y_log ? log_text(text, sizeof text, ticks[i])
                 : tick_text(text, sizeof text, ticks[i], step);
        plot_text(canvas, f->box.x - 10.0, y + 0.35 * CHART_TEXT, style, text);
    }

    // the two axes and what they mean
    PlotColor line = plot_color(0x8d9096);
    plot_line(canvas, f->box.x, f->box.y, f->box.x, bottom, 1.4, line);
    plot_line(canvas, f->box.x, bottom, f->box.x + f->box.w, bottom, 1.4, line);
    style = (PlotText){.size = CHART_TEXT, .color = plot_chart_ink(), .align = PLOT_ALIGN_CENTER};
    if (chart->x_label)
        plot_text(canvas, f->box.x + 0.5 * f->box.w, bottom + 2.0 * CHART_TEXT + 16.0, style,
                  chart->x_label);
    style.upright = true;
    if (chart->y_label)
        plot_text(canvas, f->box.x - 72.0, f->box.y + 0.5 * f->box.h, style, chart->y_label);
}

// Cuts the segment a-b to the frame (Liang and Barsky); false when nothing is left.
static bool clip(const PlotRect* box, double* ax, double* ay, double* bx, double* by)
{
    double dx = *bx - *ax, dy = *by - *ay, t0 = 0.0, t1 = 1.0;
    double p[4] = {-dx, dx, -dy, dy};
    double q[4] = {*ax - box->x, box->x + box->w - *ax, *ay - box->y, box->y + box->h - *ay};
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0.0) {
            if (q[i] < 0.0)
                return false;
            continue;
        }
        double t = q[i] / p[i];
        if (p[i] < 0.0)
            t0 = fmax(t0, t);
        else
            t1 = fmin(t1, t);
    }
    if (t0 > t1)
        return false;
    *bx = *ax + t1 * dx, *by = *ay + t1 * dy;
    *ax += t0 * dx, *ay += t0 * dy;
    return true;
}

// The stroke as pixel points inside the frame; a NaN separates the pieces that clipping leaves.
static int clipped_stroke(const Frame* f, const PlotSeries* series, double* px, double* py)
{
    int count = 0;
    double last_x = (double)NAN, last_y = (double)NAN;
    for (int i = 1; i < series->count; ++i) {
        double ax = frame_x(f, series->x[i - 1]), ay = frame_y(f, series->y[i - 1]);
        double bx = frame_x(f, series->x[i]), by = frame_y(f, series->y[i]);
        bool finite = isfinite(ax) && isfinite(ay) && isfinite(bx) && isfinite(by);
        if (!finite || !clip(&f->box, &ax, &ay, &bx, &by))
            continue;
        if (ax != last_x || ay != last_y) {
            px[count] = py[count] = (double)NAN, ++count;
            px[count] = ax, py[count] = ay, ++count;
        }
        px[count] = bx, py[count] = by, ++count;
        last_x = bx, last_y = by;
    }
    return count;
}

static void draw_series(PlotCanvas* canvas, const Frame* f, const PlotSeries* series)
{
    PlotColor color = plot_chart_color(series->color);
    double* points = series->line ? malloc(6 * sizeof *points * (size_t)(series->count + 1)) : NULL;
    if (points) {
        double* px = points;
        double* py = points + 3 * (series->count + 1);
        int count = clipped_stroke(f, series, px, py);
        plot_polyline(canvas, px, py, count, CHART_STROKE, series->dash, color);
        free(points);
    }

    // markers need air: at least 14 pixels from one to the next
    double last_x = -1e9, last_y = -1e9;
    for (int i = 0; i < series->count && series->marker != PLOT_MARKER_NONE; ++i) {
        double x = frame_x(f, series->x[i]), y = frame_y(f, series->y[i]);
        bool apart = !series->line || hypot(x - last_x, y - last_y) > 14.0;
        if (isfinite(x) && isfinite(y) && frame_holds(f, x, y) && apart) {
            draw_marker(canvas, series->marker, x, y, color);
            last_x = x, last_y = y;
        }
    }
}

void plot_chart_draw(PlotCanvas* canvas, PlotRect area, const PlotChart* chart)
{
    PlotRect rest = plot_chart_heading(canvas, area, chart->title, chart->subtitle);
    double legend = draw_legend(canvas, rest, chart, true);

    Frame frame = {.x_log = chart->x_log, .y_log = chart->y_log};
    double left = 92.0, below = chart->x_label ? 62.0 : 34.0;
    frame.box =
        (PlotRect){rest.x + left, rest.y + legend, rest.w - left - 14.0, rest.h - legend - below};
    data_range(chart, true, &frame.x0, &frame.x1);
    data_range(chart, false, &frame.y0, &frame.y1);

    draw_axes(canvas, &frame, chart);
    for (int s = 0; s < chart->count; ++s)
        draw_series(canvas, &frame, &chart->series[s]);
}
