// plot_view - grains seen from the side or from above, with walls, rulers and fitted lines.
//
// Does:     draw grains as lit spheres, far ones first and paler; colour by material or by speed.
// Does not: know the solver: it takes plain records.
// Units:    metres in the world, pixels on the canvas.
#ifndef PLOT_VIEW_H
#define PLOT_VIEW_H

#include "plot/plot_canvas.h"

#include <stdint.h>

typedef struct PlotGrain {
    float x, y, z, radius; // m
    float value;           // what colours it with PLOT_SHADE_VALUE, 0..1
    uint32_t id;           // varies the shade a little, as real grains do
    uint8_t material;
} PlotGrain;

typedef enum PlotShade { PLOT_SHADE_MATERIAL, PLOT_SHADE_VALUE } PlotShade;

typedef struct PlotView {
    PlotRect area;     // pixels
    double scale;      // pixels per metre
    double left, base; // m, world coordinates of the lower left corner of the area
    bool top;          // from above: x to the right, z up the page
} PlotView;

// Scales so that lo..hi (m, across and up the page) fits the area, centred, standing on its base.
PlotView plot_view_fit(PlotRect area, const double lo[2], const double hi[2], bool top);
double plot_view_x(const PlotView* view, double x);
double plot_view_y(const PlotView* view, double y);

PlotColor plot_view_material(int index);
PlotColor plot_view_ramp(double value); // 0..1, dark to bright, even in grey

// Sorts the records by depth in place.
void plot_view_grains(PlotCanvas* canvas, const PlotView* view, PlotGrain* grains, int count,
                      PlotShade shade);
// A floor with hatching below, and a solid wall.
void plot_view_floor(PlotCanvas* canvas, const PlotView* view, double x0, double x1, double y);
void plot_view_wall(PlotCanvas* canvas, const PlotView* view, double x0, double y0, double x1,
                    double y1);
void plot_view_line(PlotCanvas* canvas, const PlotView* view, double x0, double y0, double x1,
                    double y1, PlotDash dash, PlotColor color);
void plot_view_label(PlotCanvas* canvas, const PlotView* view, double x, double y, PlotAlign align,
                     const char* text);
// A ruler of a round length in the lower right corner.
void plot_view_ruler(PlotCanvas* canvas, const PlotView* view);

#endif
