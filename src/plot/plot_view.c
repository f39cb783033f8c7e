#include "plot/plot_view.h"

#include "plot/plot_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define VIEW_WALL 4.0  // pixels
#define VIEW_TEXT 18.0 // pixels

PlotView plot_view_fit(PlotRect area, const double lo[2], const double hi[2], bool top)
{
    double w = fmax(hi[0] - lo[0], 1e-9), h = fmax(hi[1] - lo[1], 1e-9);
    PlotView view = {.area = area, .scale = fmin(area.w / w, area.h / h), .top = top};
    view.left = lo[0] - 0.5 * (area.w / view.scale - w);
    view.base = lo[1];
    return view;
}

double plot_view_x(const PlotView* view, double x)
{
    return view->area.x + (x - view->left) * view->scale;
}

double plot_view_y(const PlotView* view, double y)
{
    return view->area.y + view->area.h - (y - view->base) * view->scale;
}

PlotColor plot_view_material(int index)
{
    // sand, moist sand, gravel, loam, clay, topsoil, and two to spare
    static const unsigned soil[8] = {0xe3c084, 0xc09a5f, 0xa9a7a2, 0x9c7248,
                                     0xb8744a, 0x6f5640, 0x8fa3b5, 0xc7b7d0};
    return plot_color(soil[(unsigned)index % 8u]);
}

PlotColor plot_view_ramp(double value)
{
    static const unsigned stops[5] = {0x35427e, 0x2f8ba0, 0x6bbf7a, 0xe8d45a, 0xf6f1c4};
    double at = fmin(fmax(value, 0.0), 1.0) * 4.0;
    int i = at >= 4.0 ? 3 : (int)at;
    return plot_color_mix(plot_color(stops[i]), plot_color(stops[i + 1]), at - i);
}

static int by_z(const void* a, const void* b)
{
    const PlotGrain *p = a, *q = b;
    return p->z < q->z ? -1 : p->z > q->z ? 1 : (p->id > q->id) - (p->id < q->id);
}

static int by_y(const void* a, const void* b)
{
    const PlotGrain *p = a, *q = b;
    return p->y < q->y ? -1 : p->y > q->y ? 1 : (p->id > q->id) - (p->id < q->id);
}

static PlotColor grain_color(const PlotGrain* grain, PlotShade shade, double nearness)
{
    PlotColor color = shade == PLOT_SHADE_VALUE ? plot_view_ramp((double)grain->value)
                                                : plot_view_material(grain->material);
    double vary = (double)((grain->id * 2654435761u) >> 24) / 255.0 - 0.5;
    PlotColor toned = vary < 0.0 ? plot_color_mix(color, plot_color(0x000000), -0.24 * vary)
                                 : plot_color_mix(color, plot_color(0xffffff), 0.24 * vary);
    return plot_color_mix(plot_chart_ink(), toned, 0.55 + 0.45 * nearness);
}

void plot_view_grains(PlotCanvas* canvas, const PlotView* view, PlotGrain* grains, int count,
                      PlotShade shade)
{
    if (count <= 0)
        return;
    qsort(grains, (size_t)count, sizeof *grains, view->top ? by_y : by_z);
    double far = (double)(view->top ? grains[0].y : grains[0].z);
    double near = (double)(view->top ? grains[count - 1].y : grains[count - 1].z);
    for (int i = 0; i < count; ++i) {
        const PlotGrain* g = &grains[i];
        double depth = (double)(view->top ? g->y : g->z), up = (double)(view->top ? -g->z : g->y);
        double nearness = near > far ? (depth - far) / (near - far) : 1.0;
        plot_sphere(canvas, plot_view_x(view, (double)g->x), plot_view_y(view, up),
                    fmax(0.6, (double)g->radius * view->scale), grain_color(g, shade, nearness));
    }
}

void plot_view_floor(PlotCanvas* canvas, const PlotView* view, double x0, double x1, double y)
{
    double a = plot_view_x(view, x0), b = plot_view_x(view, x1), level = plot_view_y(view, y);
    PlotColor color = plot_color(0x8d9096);
    for (double x = a + 10.0; x < b; x += 14.0)
        plot_line(canvas, x, level + 3.0, x - 9.0, level + 13.0, 1.3, plot_color(0xb9bbbd));
    plot_line(canvas, a, level + 0.5 * VIEW_WALL, b, level + 0.5 * VIEW_WALL, VIEW_WALL, color);
}

void plot_view_wall(PlotCanvas* canvas, const PlotView* view, double x0, double y0, double x1,
                    double y1)
{
    plot_line(canvas, plot_view_x(view, x0), plot_view_y(view, y0), plot_view_x(view, x1),
              plot_view_y(view, y1), VIEW_WALL, plot_color(0x8d9096));
}

void plot_view_line(PlotCanvas* canvas, const PlotView* view, double x0, double y0, double x1,
                    double y1, PlotDash dash, PlotColor color)
{
    double x[2] = {plot_view_x(view, x0), plot_view_x(view, x1)};
    double y[2] = {plot_view_y(view, y0), plot_view_y(view, y1)};
    plot_polyline(canvas, x, y, 2, 5.0, PLOT_DASH_SOLID, plot_chart_paper());
    plot_polyline(canvas, x, y, 2, 2.6, dash, color);
}

void plot_view_label(PlotCanvas* canvas, const PlotView* view, double x, double y, PlotAlign align,
                     const char* text)
{
    plot_text(canvas, plot_view_x(view, x), plot_view_y(view, y),
              (PlotText){.size = VIEW_TEXT, .color = plot_chart_ink(), .align = align}, text);
}

void plot_view_ruler(PlotCanvas* canvas, const PlotView* view)
{
    // the largest of 1, 2, 5 x 10^n that stays below 90 pixels
    double power = pow(10.0, floor(log10(90.0 / view->scale))), length = power;
    if (5.0 * power * view->scale <= 90.0)
        length = 5.0 * power;
    else if (2.0 * power * view->scale <= 90.0)
        length = 2.0 * power;

    char text[32];
    snprintf(text, sizeof text, "%g m", length);
    double right = view->area.x + view->area.w - 8.0, left = right - length * view->scale;
    double y = view->area.y + view->area.h + 28.0;
    PlotColor color = plot_chart_faint();
    plot_line(canvas, left, y, right, y, 2.0, color);
    plot_line(canvas, left, y - 5.0, left, y + 5.0, 2.0, color);
    plot_line(canvas, right, y - 5.0, right, y + 5.0, 2.0, color);
    plot_text(canvas, left - 8.0, y + 6.0,
              (PlotText){.size = 16.0, .color = color, .align = PLOT_ALIGN_RIGHT}, text);
}
