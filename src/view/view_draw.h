// view_draw - flat shapes and text over the picture, as one list of triangles.
//
// Does:     panels, bars, lines, polylines, discs, arcs, text, with soft edges; everything shares
//           one texture (the font's atlas), so that the list is one draw call.
// Does not: know GL, or what the shapes mean.
// Units:    pixels, origin in the upper left corner, y down; colours 0xrrggbbaa.
#ifndef VIEW_DRAW_H
#define VIEW_DRAW_H

#include "view/view_font.h"

typedef struct ViewDrawVertex {
    float x, y, u, v;
    uint8_t color[4]; // r g b a
} ViewDrawVertex;

typedef struct ViewDraw {
    ViewDrawVertex* vertex; // [capacity]
    uint32_t* index;        // [3 capacity]
    int vertex_count, index_count, capacity;
    int refused; // shapes that found no room
    const ViewFont* font;
} ViewDraw;

typedef enum ViewAlign { VIEW_LEFT, VIEW_CENTER, VIEW_RIGHT } ViewAlign;

bool view_draw_init(ViewDraw* draw, const ViewFont* font, int vertices);
void view_draw_free(ViewDraw* draw);
void view_draw_clear(ViewDraw* draw);

void view_draw_rect(ViewDraw* draw, float x, float y, float w, float h, uint32_t color);
// With round corners, and an edge line when `edge` is not 0.
void view_draw_panel(ViewDraw* draw, float x, float y, float w, float h, float round,
                     uint32_t color, uint32_t edge);
void view_draw_line(ViewDraw* draw, float x0, float y0, float x1, float y1, float width,
                    uint32_t color);
void view_draw_polyline(ViewDraw* draw, const float* xy, int points, float width, uint32_t color);
// Dashes of `dash` pixels: what must be told apart without colour.
void view_draw_dashes(ViewDraw* draw, const float* xy, int points, float width, float dash,
                      uint32_t color);
void view_draw_disc(ViewDraw* draw, float x, float y, float radius, uint32_t color);
// From angle a to b (rad, clockwise from +x); a whole ring when they differ by 2 pi.
void view_draw_arc(ViewDraw* draw, float x, float y, float radius, float a, float b, float width,
                   uint32_t color);
void view_draw_triangle(ViewDraw* draw, const float xy[6], uint32_t color);
// (x, y) is on the base line. Returns the width.
float view_draw_text(ViewDraw* draw, float x, float y, float size, ViewAlign align, uint32_t color,
                     const char* text);

#endif
