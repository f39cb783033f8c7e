// plot_chart - line charts with axes, ticks and a legend.
//
// Does:     choose round ticks, clip curves to the frame, tell curves apart by colour, dash and
//           marker together.
// Does not: own the data.
// Units:    data in any unit, named in the labels; the area in pixels.
#ifndef PLOT_CHART_H
#define PLOT_CHART_H

#include "plot/plot_canvas.h"

#define PLOT_CHART_SERIES_MAX 12
#define PLOT_CHART_TICKS_MAX  24

typedef enum PlotMarker {
    PLOT_MARKER_NONE,
    PLOT_MARKER_DISC,
    PLOT_MARKER_SQUARE,
    PLOT_MARKER_TRIANGLE,
    PLOT_MARKER_DIAMOND,
    PLOT_MARKER_RING,
    PLOT_MARKER_COUNT,
} PlotMarker;

typedef struct PlotSeries {
    const char* name; // NULL: not in the legend
    const double* x;  // [count]
    const double* y;  // [count], NaN leaves a gap
    int count;
    int color; // of plot_chart_color()
    bool line; // false: markers alone
    PlotDash dash;
    PlotMarker marker;
} PlotSeries;

typedef struct PlotChart {
    const char* title;
    const char* subtitle; // NULL: none
    const char* x_label;
    const char* y_label;
    double x_range[2]; // equal: from the data
    double y_range[2];
    bool x_log, y_log;
    int count;
    PlotSeries series[PLOT_CHART_SERIES_MAX];
} PlotChart;

// Eight colours that stay apart for colour-blind eyes (Okabe and Ito), dark enough on paper.
PlotColor plot_chart_color(int index);
PlotColor plot_chart_ink(void);   // text
PlotColor plot_chart_faint(void); // grid lines, remarks
PlotColor plot_chart_paper(void); // background

void plot_chart_draw(PlotCanvas* canvas, PlotRect area, const PlotChart* chart);

// Title and subtitle at the top of an area; returns what is left of the area.
PlotRect plot_chart_heading(PlotCanvas* canvas, PlotRect area, const char* title,
                            const char* subtitle);

// Round values inside lo..hi, at most PLOT_CHART_TICKS_MAX; returns how many and the step.
int plot_chart_ticks(double lo, double hi, int about, double* out, double* step);

#endif
