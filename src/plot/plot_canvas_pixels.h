// plot_canvas_pixels - the inside of a canvas, for the files of this folder that set pixels.
#ifndef PLOT_CANVAS_PIXELS_H
#define PLOT_CANVAS_PIXELS_H

#include "plot/plot_canvas.h"

struct PlotCanvas {
    int width, height;
    PlotColor* rgb; // [width * height]
    float* mask;    // [width * height] coverage of the stroke being drawn, else 0
};

// Out of the picture is fine: nothing happens.
void plot_canvas_blend(PlotCanvas* canvas, int x, int y, PlotColor color, double coverage);

#endif
