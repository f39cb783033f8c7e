// Text through stb_truetype from the font that is shipped in assets/fonts.
#include "base/base_path.h"
#include "plot/plot_canvas_pixels.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>

#define TEXT_FONT  "assets/fonts/DejaVuSans.ttf"
#define TEXT_GLYPH 96 // pixels, the largest glyph that is drawn

typedef struct Font {
    bool tried, ready;
    unsigned char* bytes;
    stbtt_fontinfo info;
} Font;

static Font font; // loaded at the first word, kept for the life of the program

static unsigned char* read_whole(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    unsigned char* bytes = size > 0 ? malloc((size_t)size) : NULL;
    if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static bool font_ready(void)
{
    if (font.tried)
        return font.ready;
    font.tried = true;
    char path[4096];
    if (base_path_find(TEXT_FONT, path, sizeof path))
        font.bytes = read_whole(path);
    font.ready = font.bytes && stbtt_InitFont(&font.info, font.bytes, 0) != 0;
    if (!font.ready)
        fprintf(stderr, "pictures have no text: the font %s was not found beside the program\n",
                TEXT_FONT);
    return font.ready;
}

// The next character of a UTF-8 text; a broken byte counts as one character of its own.
static int next_character(const char** text)
{
    const unsigned char* s = (const unsigned char*)*text;
    int length = s[0] < 0x80 ? 1 : (s[0] >> 5) == 6 ? 2 : (s[0] >> 4) == 14 ? 3 : 1;
    int code = length == 1 ? s[0] : s[0] & (0xff >> (length + 1));
    for (int i = 1; i < length; ++i) {
        if ((s[i] & 0xc0) != 0x80) {
            length = i;
            break;
        }
        code = code << 6 | (s[i] & 0x3f);
    }
    *text += length;
    return code;
}

static double advance(int code, int next, double scale)
{
    int width, bearing;
    stbtt_GetCodepointHMetrics(&font.info, code, &width, &bearing);
    int kern = next ? stbtt_GetCodepointKernAdvance(&font.info, code, next) : 0;
    return scale * (width + kern);
}

double plot_text_width(double size, const char* text)
{
    if (!font_ready())
        return 0.0;
    double scale = (double)stbtt_ScaleForPixelHeight(&font.info, (float)size), width = 0.0;
    while (*text) {
        int code = next_character(&text);
        const char* rest = text;
        width += advance(code, *rest ? next_character(&rest) : 0, scale);
    }
    return width;
}

// (u, v) runs along and across the base line; upright text turns them by a quarter.
static void glyph(PlotCanvas* canvas, double x, double y, double u, const PlotText* style, int code,
                  float scale)
{
    unsigned char bitmap[TEXT_GLYPH * TEXT_GLYPH];
    double along = style->upright ? -y + u : x + u, across = style->upright ? x : y;
    double whole_along = floor(along), whole_across = floor(across);
    float shift_x = (float)(along - whole_along), shift_y = (float)(across - whole_across);
    int x0, y0, x1, y1;
    stbtt_GetCodepointBitmapBoxSubpixel(&font.info, code, scale, scale, shift_x, shift_y, &x0, &y0,
                                        &x1, &y1);
    int w = x1 - x0, h = y1 - y0;
    if (w <= 0 || h <= 0 || w > TEXT_GLYPH || h > TEXT_GLYPH)
        return;
    stbtt_MakeCodepointBitmapSubpixel(&font.info, bitmap, w, h, w, scale, scale, shift_x, shift_y,
                                      code);
    for (int j = 0; j < h; ++j) {
        for (int i = 0; i < w; ++i) {
            int a = (int)whole_along + x0 + i, b = (int)whole_across + y0 + j;
            plot_canvas_blend(canvas, style->upright ? b : a, style->upright ? -a - 1 : b,
                              style->color, bitmap[j * w + i] / 255.0);
        }
    }
}

bool plot_text(PlotCanvas* canvas, double x, double y, PlotText style, const char* text)
{
    if (!font_ready())
        return false;
    float scale = stbtt_ScaleForPixelHeight(&font.info, (float)style.size);
    double u = -0.5 * (double)style.align * plot_text_width(style.size, text);
    while (*text) {
        int code = next_character(&text);
        const char* rest = text;
        glyph(canvas, x, y, u, &style, code, scale);
        u += advance(code, *rest ? next_character(&rest) : 0, (double)scale);
    }
    return true;
}
