// plot_canvas - a small software rasteriser: anti-aliased shapes and text on a picture in memory.
//
// Does:     lines, discs, shaded spheres, convex polygons, rectangles, text; saves PNG.
// Does not: know charts, soil or windows.
// Units:    pixels, origin at the top left corner of the top left pixel, y down.
// Threads:  one canvas, one thread.
#ifndef PLOT_CANVAS_H
#define PLOT_CANVAS_H

#include <stdbool.h>

#define PLOT_SIZE_MAX 8192 // pixels, either side of a picture

typedef struct PlotColor {
    float r, g, b; // 0..1, as a screen shows them (sRGB)
} PlotColor;

typedef struct PlotRect {
    double x, y, w, h;
} PlotRect;

// How a line is broken, so that nobody needs to tell curves apart by colour alone.
typedef enum PlotDash {
    PLOT_DASH_SOLID,
    PLOT_DASH_LONG,
    PLOT_DASH_DOT,
    PLOT_DASH_DASHDOT,
    PLOT_DASH_SHORT,
    PLOT_DASH_COUNT,
} PlotDash;

typedef enum PlotAlign { PLOT_ALIGN_LEFT, PLOT_ALIGN_CENTER, PLOT_ALIGN_RIGHT } PlotAlign;

typedef struct PlotText {
    double size; // pixels from line to line, roughly
    PlotColor color;
    PlotAlign align;
    bool upright; // read from bottom to top
} PlotText;

typedef struct PlotCanvas PlotCanvas;

// NULL when out of memory or when a side is not in 1..PLOT_SIZE_MAX.
PlotCanvas* plot_canvas_create(int width, int height, PlotColor background);
void plot_canvas_destroy(PlotCanvas* canvas);
int plot_canvas_width(const PlotCanvas* canvas);
int plot_canvas_height(const PlotCanvas* canvas);
PlotColor plot_canvas_pixel(const PlotCanvas* canvas, int x, int y);

// False, with a sentence on stderr, when the file cannot be written.
bool plot_canvas_save(const PlotCanvas* canvas, const char* path);
// The same for pixels of other origin, [height][width][3] from the top line down.
bool plot_canvas_write(const char* path, const unsigned char* rgb, int width, int height);

PlotColor plot_color(unsigned rgb); // 0xrrggbb
PlotColor plot_color_mix(PlotColor a, PlotColor b, double t);

void plot_rect(PlotCanvas* canvas, PlotRect rect, PlotColor color, double opacity);
void plot_line(PlotCanvas* canvas, double x0, double y0, double x1, double y1, double width,
               PlotColor color);
// One stroke through all points; a point with a NaN lifts the pen.
void plot_polyline(PlotCanvas* canvas, const double* x, const double* y, int count, double width,
                   PlotDash dash, PlotColor color);
void plot_disc(PlotCanvas* canvas, double x, double y, double radius, PlotColor color);
void plot_ring(PlotCanvas* canvas, double x, double y, double radius, double width,
               PlotColor color);
// A disc lit from the upper left, so that grains look round.
void plot_sphere(PlotCanvas* canvas, double x, double y, double radius, PlotColor color);
// Corners in either order, at most 8.
void plot_convex(PlotCanvas* canvas, const double* x, const double* y, int count, PlotColor color);

// UTF-8; (x, y) is on the base line. Without the font file nothing is drawn and false returned;
// the reason was told once on stderr.
bool plot_text(PlotCanvas* canvas, double x, double y, PlotText style, const char* text);
double plot_text_width(double size, const char* text); // pixels

#endif
