#include "lab/lab_picture.h"

#include <math.h>
#include <stdlib.h>

bool lab_picture_wanted(LabRun* run, int width, int height)
{
    if (!run->options->png || run->report->failed)
        return false;
    if (!run->picture)
        run->picture = plot_canvas_create(width, height, plot_chart_paper());
    if (!run->picture)
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the picture");
    return run->picture != NULL;
}

PlotRect lab_picture_heading(LabRun* run, const char* title, const char* subtitle)
{
    PlotRect all = {LAB_PICTURE_EDGE, 0.7 * LAB_PICTURE_EDGE,
                    plot_canvas_width(run->picture) - 2.0 * LAB_PICTURE_EDGE,
                    plot_canvas_height(run->picture) - 1.5 * LAB_PICTURE_EDGE};
    return plot_chart_heading(run->picture, all, title, subtitle);
}

PlotRect lab_picture_tile(PlotRect area, int columns, int rows, int column, int row)
{
    double air = 36.0;
    double w = (area.w - air * (columns - 1)) / columns, h = (area.h - air * (rows - 1)) / rows;
    return (PlotRect){area.x + column * (w + air), area.y + row * (h + air), w, h};
}

static float speed(const SoilState* s, int i)
{
    return vec3_length(vec3(s->vx[i], s->vy[i], s->vz[i]));
}

PlotView lab_picture_soil(LabRun* run, PlotRect area, const Soil* soil, LabLook look)
{
    const SoilState* s = soil_state(soil);
    PlotView view = plot_view_fit(area, look.lo, look.hi, look.top);
    PlotGrain* grains = malloc((size_t)base_maxi(1, s->count) * sizeof *grains);
    if (!grains)
        return view;
    int count = 0;
    for (int i = 0; i < s->count; ++i) {
        double z = (double)s->pz[i], up = look.top ? -z : (double)s->py[i];
        bool cut = look.near_z != 0.0 && z > look.near_z;
        if (s->mass[i] == 0 || cut || (double)s->px[i] < look.lo[0] || up < look.lo[1] ||
            (double)s->px[i] > look.hi[0] || up > look.hi[1])
            continue;
        grains[count++] =
            (PlotGrain){.x = s->px[i],
                        .y = s->py[i],
                        .z = s->pz[i],
                        .radius = s->radius[i],
                        .value = look.speed > 0.0 ? speed(s, i) / (float)look.speed : 0.0f,
                        .id = s->id[i],
                        .material = (uint8_t)look.material};
    }
    plot_view_grains(run->picture, &view, grains, count,
                     look.speed > 0.0 ? PLOT_SHADE_VALUE : PLOT_SHADE_MATERIAL);
    free(grains);
    return view;
}

void lab_picture_slope(LabRun* run, const PlotView* view, const LabSlope* slope, double offset,
                       double side)
{
    if (slope->points < 2)
        return;
    // from the foot to the height where the line leaves the fit, drawn a little above the grains
    double foot = -slope->line[0] / slope->line[1], head = slope->span[0];
    double lift = 0.04 * slope->height;
    plot_view_line(run->picture, view, offset + side * foot, lift, offset + side * head,
                   slope->line[0] + slope->line[1] * head + lift, PLOT_DASH_LONG,
                   plot_chart_color(1));
    char text[32];
    snprintf(text, sizeof text, "%.1f°", slope->degrees);
    double middle = 0.5 * (head + foot);
    plot_view_label(run->picture, view, offset + side * (middle + 0.06 * foot),
                    slope->line[0] + slope->line[1] * middle + 0.14 * slope->height,
                    side > 0.0 ? PLOT_ALIGN_LEFT : PLOT_ALIGN_RIGHT, text);
}

PlotSeries lab_picture_series(const char* name, int style, const double* x, const double* y,
                              int count)
{
    return (PlotSeries){.name = name,
                        .x = x,
                        .y = y,
                        .count = count,
                        .color = style,
                        .line = true,
                        .dash = (PlotDash)(style % PLOT_DASH_COUNT),
                        .marker = (PlotMarker)(1 + style % (PLOT_MARKER_COUNT - 1))};
}
