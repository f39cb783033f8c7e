#include "plot/plot_canvas.h"

#include "base/base_file.h"

#include "plot/plot_canvas_pixels.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The encoder ends the program when memory is short, and loses blocks. Its blocks hang in a list, so
// that it can be left in the middle and all of them given back. One picture at a time.
typedef struct PngBlock {
    struct PngBlock *next, *last;
} PngBlock;

static PngBlock png_blocks = {&png_blocks, &png_blocks};
static jmp_buf png_short; // memory is short

static void png_free(void* memory)
{
    if (memory) {
        PngBlock* block = (PngBlock*)memory - 1;
        block->last->next = block->next, block->next->last = block->last;
        free(block);
    }
}

static void* png_realloc(void* memory, size_t size)
{
    PngBlock* old = memory ? (PngBlock*)memory - 1 : NULL;
    PngBlock* block = realloc(old, sizeof *block + size);
    if (!block)
        longjmp(png_short, 1);
    if (!old)
        block->next = png_blocks.next, block->last = &png_blocks;
    block->next->last = block->last->next = block;
    return block + 1;
}

#define STBIW_MALLOC(size)          png_realloc(NULL, size)
#define STBIW_REALLOC(memory, size) png_realloc(memory, size)
#define STBIW_FREE(memory)          png_free(memory)
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

// Lengths of stroke, gap, stroke, gap in units of the line's width.
static const double dash_pattern[PLOT_DASH_COUNT][4] = {
    [PLOT_DASH_LONG] = {6.0, 3.0, 6.0, 3.0},
    [PLOT_DASH_DOT] = {0.4, 2.6, 0.4, 2.6},
    [PLOT_DASH_DASHDOT] = {5.0, 2.6, 0.4, 2.6},
    [PLOT_DASH_SHORT] = {3.0, 2.6, 3.0, 2.6},
};

PlotCanvas* plot_canvas_create(int width, int height, PlotColor background)
{
    if (width < 1 || height < 1 || width > PLOT_SIZE_MAX || height > PLOT_SIZE_MAX)
        return NULL;
    PlotCanvas* canvas = calloc(1, sizeof *canvas);
    if (!canvas)
        return NULL;

    size_t pixels = (size_t)width * (size_t)height;
    *canvas = (PlotCanvas){.width = width, .height = height};
    canvas->rgb = malloc(pixels * sizeof *canvas->rgb);
    canvas->mask = calloc(pixels, sizeof *canvas->mask);
    if (!canvas->rgb || !canvas->mask) {
        plot_canvas_destroy(canvas);
        return NULL;
    }
    for (size_t i = 0; i < pixels; ++i)
        canvas->rgb[i] = background;
    return canvas;
}

void plot_canvas_destroy(PlotCanvas* canvas)
{
    if (!canvas)
        return;
    free(canvas->rgb);
    free(canvas->mask);
    free(canvas);
}

int plot_canvas_width(const PlotCanvas* canvas)
{
    return canvas->width;
}

int plot_canvas_height(const PlotCanvas* canvas)
{
    return canvas->height;
}

PlotColor plot_canvas_pixel(const PlotCanvas* canvas, int x, int y)
{
    return canvas->rgb[(size_t)y * (size_t)canvas->width + (size_t)x];
}

static uint8_t to_byte(float value)
{
    float scaled = value * 255.0f + 0.5f;
    return (uint8_t)(scaled < 0.0f ? 0.0f : scaled > 255.0f ? 255.0f : scaled);
}

typedef struct Picture {
    const char* path;
    bool written;
} Picture;

// The encoder hands over the whole file at once.
static void keep(void* context, void* data, int size)
{
    Picture* picture = context;
    picture->written = base_file_replace(picture->path, data, (size_t)size);
}

bool plot_canvas_write(const char* path, const unsigned char* rgb, int width, int height)
{
    Picture picture = {.path = path};
    if (setjmp(png_short) != 0)
        while (png_blocks.next != &png_blocks)
            png_free(png_blocks.next + 1);
    else
        stbi_write_png_to_func(keep, &picture, width, height, 3, rgb, 3 * width);
    if (!picture.written)
        fprintf(stderr, "%s: cannot write the picture; is the folder there, the disk not full?\n",
                path);
    return picture.written;
}

bool plot_canvas_save(const PlotCanvas* canvas, const char* path)
{
    size_t pixels = (size_t)canvas->width * (size_t)canvas->height;
    uint8_t* bytes = malloc(3 * pixels);
    if (!bytes) {
        fprintf(stderr, "%s: not enough memory to write the picture\n", path);
        return false;
    }
    for (size_t i = 0; i < pixels; ++i) {
        bytes[3 * i] = to_byte(canvas->rgb[i].r);
        bytes[3 * i + 1] = to_byte(canvas->rgb[i].g);
        bytes[3 * i + 2] = to_byte(canvas->rgb[i].b);
    }
    bool written = plot_canvas_write(path, bytes, canvas->width, canvas->height);
    free(bytes);
    return written;
}

PlotColor plot_color(unsigned rgb)
{
    return (PlotColor){(float)((rgb >> 16) & 255u) / 255.0f, (float)((rgb >> 8) & 255u) / 255.0f,
                       (float)(rgb & 255u) / 255.0f};
}

PlotColor plot_color_mix(PlotColor a, PlotColor b, double t)
{
    float s = (float)t;
    return (PlotColor){a.r + (b.r - a.r) * s, a.g + (b.g - a.g) * s, a.b + (b.b - a.b) * s};
}

static double clamp01(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

void plot_canvas_blend(PlotCanvas* canvas, int x, int y, PlotColor color, double coverage)
{
    if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height || coverage <= 0.0)
        return;
    PlotColor* pixel = &canvas->rgb[(size_t)y * (size_t)canvas->width + (size_t)x];
    *pixel = plot_color_mix(*pixel, color, clamp01(coverage));
}

// Pixels that a box in picture coordinates can touch.
typedef struct PixelBox {
    int x0, y0, x1, y1; // half open
} PixelBox;

static int to_pixel(double x, int limit)
{
    return x <= 0.0 ? 0 : x >= (double)limit ? limit : (int)x;
}

static PixelBox pixel_box(const PlotCanvas* canvas, double x0, double y0, double x1, double y1)
{
    return (PixelBox){to_pixel(floor(x0), canvas->width), to_pixel(floor(y0), canvas->height),
                      to_pixel(ceil(x1) + 1.0, canvas->width),
                      to_pixel(ceil(y1) + 1.0, canvas->height)};
}

void plot_rect(PlotCanvas* canvas, PlotRect rect, PlotColor color, double opacity)
{
    PixelBox box = pixel_box(canvas, rect.x, rect.y, rect.x + rect.w, rect.y + rect.h);
    for (int y = box.y0; y < box.y1; ++y) {
        for (int x = box.x0; x < box.x1; ++x) {
            // the part of the pixel that the rectangle covers
            double w = fmin(rect.x + rect.w, x + 1.0) - fmax(rect.x, x);
            double h = fmin(rect.y + rect.h, y + 1.0) - fmax(rect.y, y);
            plot_canvas_blend(canvas, x, y, color, clamp01(w) * clamp01(h) * opacity);
        }
    }
}

static double segment_distance(double x, double y, double x0, double y0, double x1, double y1)
{
    double dx = x1 - x0, dy = y1 - y0;
    double length2 = dx * dx + dy * dy;
    double t = length2 > 0.0 ? clamp01(((x - x0) * dx + (y - y0) * dy) / length2) : 0.0;
    return hypot(x - x0 - t * dx, y - y0 - t * dy);
}

// Coverage is collected first and blended once, so that joints of a stroke are not darker.
static void mask_segment(PlotCanvas* canvas, double x0, double y0, double x1, double y1,
                         double width)
{
    double reach = 0.5 * width + 1.0;
    PixelBox box = pixel_box(canvas, fmin(x0, x1) - reach, fmin(y0, y1) - reach,
                             fmax(x0, x1) + reach, fmax(y0, y1) + reach);
    for (int y = box.y0; y < box.y1; ++y) {
        for (int x = box.x0; x < box.x1; ++x) {
            double distance = segment_distance(x + 0.5, y + 0.5, x0, y0, x1, y1);
            float coverage = (float)clamp01(0.5 * width + 0.5 - distance);
            float* mask = &canvas->mask[(size_t)y * (size_t)canvas->width + (size_t)x];
            if (coverage > *mask)
                *mask = coverage;
        }
    }
}

static void mask_blend(PlotCanvas* canvas, PixelBox box, PlotColor color)
{
    for (int y = box.y0; y < box.y1; ++y) {
        for (int x = box.x0; x < box.x1; ++x) {
            float* mask = &canvas->mask[(size_t)y * (size_t)canvas->width + (size_t)x];
            plot_canvas_blend(canvas, x, y, color, (double)*mask);
            *mask = 0.0f;
        }
    }
}

// Walks along a stroke and knows whether the pen is down.
typedef struct Pen {
    const double* pattern; // four lengths in pixels; NULL: always down
    double scale;
    int part;    // 0..3, even = down
    double left; // pixels to the end of this part
} Pen;

static void pen_reset(Pen* pen)
{
    pen->part = 0;
    pen->left = pen->pattern ? pen->pattern[0] * pen->scale : HUGE_VAL;
}

static void pen_segment(PlotCanvas* canvas, Pen* pen, double x0, double y0, double x1, double y1,
                        double width)
{
    double length = hypot(x1 - x0, y1 - y0), at = 0.0;
    if (length <= 0.0)
        return;
    while (at < length) {
        double next = fmin(length, at + pen->left);
        if (pen->part % 2 == 0) {
            double a = at / length, b = next / length;
            mask_segment(canvas, x0 + a * (x1 - x0), y0 + a * (y1 - y0), x0 + b * (x1 - x0),
                         y0 + b * (y1 - y0), width);
        }
        pen->left -= next - at;
        if (pen->left <= 1e-9) {
            pen->part = (pen->part + 1) % 4;
            pen->left = pen->pattern[pen->part] * pen->scale;
        }
        at = next;
    }
}

void plot_polyline(PlotCanvas* canvas, const double* x, const double* y, int count, double width,
                   PlotDash dash, PlotColor color)
{
    Pen pen = {.pattern = dash == PLOT_DASH_SOLID ? NULL : dash_pattern[dash], .scale = width};
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    bool down = false;
    pen_reset(&pen);

    for (int i = 0; i < count; ++i) {
        if (!isfinite(x[i]) || !isfinite(y[i])) {
            down = false;
            continue;
        }
        low[0] = fmin(low[0], x[i]), low[1] = fmin(low[1], y[i]);
        high[0] = fmax(high[0], x[i]), high[1] = fmax(high[1], y[i]);
        if (down)
            pen_segment(canvas, &pen, x[i - 1], y[i - 1], x[i], y[i], width);
        else
            pen_reset(&pen);
        down = true;
    }
    if (high[0] >= low[0]) {
        double reach = 0.5 * width + 2.0;
        mask_blend(
            canvas,
            pixel_box(canvas, low[0] - reach, low[1] - reach, high[0] + reach, high[1] + reach),
            color);
    }
}

void plot_line(PlotCanvas* canvas, double x0, double y0, double x1, double y1, double width,
               PlotColor color)
{
    plot_polyline(canvas, (double[]){x0, x1}, (double[]){y0, y1}, 2, width, PLOT_DASH_SOLID, color);
}

void plot_disc(PlotCanvas* canvas, double x, double y, double radius, PlotColor color)
{
    PixelBox box = pixel_box(canvas, x - radius, y - radius, x + radius, y + radius);
    for (int py = box.y0; py < box.y1; ++py)
        for (int px = box.x0; px < box.x1; ++px)
            plot_canvas_blend(canvas, px, py, color,
                              radius + 0.5 - hypot(px + 0.5 - x, py + 0.5 - y));
}

void plot_ring(PlotCanvas* canvas, double x, double y, double radius, double width, PlotColor color)
{
    double reach = radius + width;
    PixelBox box = pixel_box(canvas, x - reach, y - reach, x + reach, y + reach);
    for (int py = box.y0; py < box.y1; ++py)
        for (int px = box.x0; px < box.x1; ++px)
            plot_canvas_blend(canvas, px, py, color,
                              0.5 * width + 0.5 - fabs(hypot(px + 0.5 - x, py + 0.5 - y) - radius));
}

// Light from the upper left and towards the eye, plus what the sky scatters.
static double sphere_light(double nx, double ny)
{
    double nz = sqrt(fmax(0.0, 1.0 - nx * nx - ny * ny));
    double lambert = -0.45 * nx - 0.62 * ny + 0.64 * nz;
    return 0.42 + 0.62 * fmax(0.0, lambert);
}

void plot_sphere(PlotCanvas* canvas, double x, double y, double radius, PlotColor color)
{
    PixelBox box = pixel_box(canvas, x - radius, y - radius, x + radius, y + radius);
    for (int py = box.y0; py < box.y1; ++py) {
        for (int px = box.x0; px < box.x1; ++px) {
            double nx = (px + 0.5 - x) / radius, ny = (py + 0.5 - y) / radius;
            double coverage = radius * (1.0 - hypot(nx, ny)) + 0.5;
            float light = (float)sphere_light(nx, ny);
            PlotColor lit = {color.r * light, color.g * light, color.b * light};
            plot_canvas_blend(canvas, px, py, lit, coverage);
        }
    }
}

// How far inside the polygon a point is, in pixels; negative outside.
static double convex_depth(const double* x, const double* y, int count, double side, double px,
                           double py)
{
    double depth = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        int j = (i + 1) % count;
        double dx = x[j] - x[i], dy = y[j] - y[i], length = hypot(dx, dy);
        if (length > 0.0)
            depth = fmin(depth, side * (dx * (py - y[i]) - dy * (px - x[i])) / length);
    }
    return depth;
}

void plot_convex(PlotCanvas* canvas, const double* x, const double* y, int count, PlotColor color)
{
    double x0 = x[0], x1 = x[0], y0 = y[0], y1 = y[0], area = 0.0;
    for (int i = 0; i < count; ++i) {
        int j = (i + 1) % count;
        x0 = fmin(x0, x[i]), x1 = fmax(x1, x[i]);
        y0 = fmin(y0, y[i]), y1 = fmax(y1, y[i]);
        area += x[i] * y[j] - x[j] * y[i];
    }
    PixelBox box = pixel_box(canvas, x0, y0, x1, y1);
    double side = area < 0.0 ? -1.0 : 1.0;
    for (int py = box.y0; py < box.y1; ++py)
        for (int px = box.x0; px < box.x1; ++px)
            plot_canvas_blend(canvas, px, py, color,
                              0.5 + convex_depth(x, y, count, side, px + 0.5, py + 0.5));
}
