// lab_picture - what the experiments' pictures have in common.
#ifndef LAB_PICTURE_H
#define LAB_PICTURE_H

#include "lab/lab.h"
#include "lab/lab_measure.h"
#include "plot/plot_chart.h"
#include "plot/plot_view.h"

#define LAB_PICTURE_EDGE 40.0 // pixels around everything

// True when --png was given; makes run->picture on the first call. `width` x `height` pixels.
bool lab_picture_wanted(LabRun* run, int width, int height);

// A heading over the whole picture; returns what is left.
PlotRect lab_picture_heading(LabRun* run, const char* title, const char* subtitle);

// Tile (column, row) of an area cut into columns x rows, with air between.
PlotRect lab_picture_tile(PlotRect area, int columns, int rows, int column, int row);

// The grains of a soil inside lo..hi, from the side or from above.
typedef struct LabLook {
    double lo[2], hi[2]; // m, across and up the page
    bool top;
    int material;  // colour when speed is 0
    double speed;  // m/s
    double near_z; // m, only grains behind it are drawn; 0: all
} LabLook;
PlotView lab_picture_soil(LabRun* run, PlotRect area, const Soil* soil, LabLook look);

// The fitted line of a slope with its angle written beside it.
void lab_picture_slope(LabRun* run, const PlotView* view, const LabSlope* slope, double offset,
                       double side);

// A curve; `style` picks colour, dash and marker together.
PlotSeries lab_picture_series(const char* name, int style, const double* x, const double* y,
                              int count);

#endif
