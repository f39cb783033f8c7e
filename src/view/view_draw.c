#include "view/view_draw.h"

#include "base/base_math.h"

#include <math.h>
#include <stdlib.h>

#define DRAW_SOFT 0.75f // pixels over which an edge fades out

bool view_draw_init(ViewDraw* d, const ViewFont* font, int vertices)
{
    *d = (ViewDraw){.capacity = vertices, .font = font};
    d->vertex = malloc((size_t)vertices * sizeof *d->vertex);
    d->index = malloc(3 * (size_t)vertices * sizeof *d->index);
    if (d->vertex && d->index)
        return true;
    view_draw_free(d);
    return false;
}

void view_draw_free(ViewDraw* d)
{
    free(d->vertex), free(d->index);
    *d = (ViewDraw){0};
}

void view_draw_clear(ViewDraw* d)
{
    d->vertex_count = d->index_count = d->refused = 0;
}

static bool room(ViewDraw* d, int vertices, int indices)
{
    if (d->vertex_count + vertices <= d->capacity && d->index_count + indices <= 3 * d->capacity)
        return true;
    d->refused += 1;
    return false;
}

static uint32_t put(ViewDraw* d, float x, float y, float u, float v, uint32_t color)
{
    d->vertex[d->vertex_count] = (ViewDrawVertex){
        x,
        y,
        u,
        v,
        {(uint8_t)(color >> 24), (uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color}};
    return (uint32_t)d->vertex_count++;
}

// A corner without a picture: the atlas is solid there.
static uint32_t corner(ViewDraw* d, float x, float y, uint32_t color)
{
    return put(d, x, y, 2.0f / (float)d->font->width, 2.0f / (float)d->font->height, color);
}

static void face(ViewDraw* d, uint32_t a, uint32_t b, uint32_t c)
{
    d->index[d->index_count++] = a;
    d->index[d->index_count++] = b;
    d->index[d->index_count++] = c;
}

static void quad(ViewDraw* d, uint32_t a, uint32_t b, uint32_t c, uint32_t e)
{
    face(d, a, b, c);
    face(d, a, c, e);
}

void view_draw_rect(ViewDraw* d, float x, float y, float w, float h, uint32_t color)
{
    if (!room(d, 4, 6))
        return;
    uint32_t a = corner(d, x, y, color), b = corner(d, x + w, y, color);
    uint32_t c = corner(d, x + w, y + h, color), e = corner(d, x, y + h, color);
    quad(d, a, b, c, e);
}

// A band with soft edges on both sides, from (x0, y0) to (x1, y1).
void view_draw_line(ViewDraw* d, float x0, float y0, float x1, float y1, float width,
                    uint32_t color)
{
    float dx = x1 - x0, dy = y1 - y0, length = sqrtf(dx * dx + dy * dy);
    if (length < 1e-4f || !room(d, 8, 18))
        return;
    float nx = -dy / length, ny = dx / length;
    float half = base_maxf(0.5f * width - 0.5f * DRAW_SOFT, 0.0f), out = half + DRAW_SOFT;
    const float off[4] = {-out, -half, half, out};
    uint32_t at = (uint32_t)d->vertex_count, clear = color & 0xffffff00u;
    for (int k = 0; k < 4; ++k) {
        uint32_t shade = k == 0 || k == 3 ? clear : color;
        corner(d, x0 + nx * off[k], y0 + ny * off[k], shade);
        corner(d, x1 + nx * off[k], y1 + ny * off[k], shade);
    }
    for (uint32_t k = 0; k < 3; ++k)
        quad(d, at + 2 * k, at + 2 * k + 1, at + 2 * k + 3, at + 2 * k + 2);
}

void view_draw_polyline(ViewDraw* d, const float* xy, int points, float width, uint32_t color)
{
    for (int k = 0; k + 1 < points; ++k)
        view_draw_line(d, xy[2 * k], xy[2 * k + 1], xy[2 * k + 2], xy[2 * k + 3], width, color);
}

void view_draw_dashes(ViewDraw* d, const float* xy, int points, float width, float dash,
                      uint32_t color)
{
    float left = dash;
    bool on = true;
    for (int k = 0; k + 1 < points; ++k) {
        float x = xy[2 * k], y = xy[2 * k + 1], dx = xy[2 * k + 2] - x, dy = xy[2 * k + 3] - y;
        float length = sqrtf(dx * dx + dy * dy), done = 0.0f;
        while (length - done > 1e-3f) {
            float step = base_minf(left, length - done), a = done / length;
            float b = (done + step) / length;
            if (on)
                view_draw_line(d, x + dx * a, y + dy * a, x + dx * b, y + dy * b, width, color);
            done += step, left -= step;
            if (left <= 1e-3f)
                on = !on, left = dash;
        }
    }
}

// A fan round its first corner with a soft rim; the outline runs clockwise and is convex.
static void fan(ViewDraw* d, const float* xy, int points, uint32_t color)
{
    float mx = 0.0f, my = 0.0f;
    if (!room(d, 2 * points + 1, 9 * points))
        return;
    for (int k = 0; k < points; ++k)
        mx += xy[2 * k] / (float)points, my += xy[2 * k + 1] / (float)points;
    uint32_t middle = corner(d, mx, my, color), first = middle + 1;
    for (int k = 0; k < points; ++k) {
        float dx = xy[2 * k] - mx, dy = xy[2 * k + 1] - my, far = sqrtf(dx * dx + dy * dy) + 1e-6f;
        float in = -0.5f * DRAW_SOFT / far, out = 0.5f * DRAW_SOFT / far;
        corner(d, xy[2 * k] + dx * in, xy[2 * k + 1] + dy * in, color);
        corner(d, xy[2 * k] + dx * out, xy[2 * k + 1] + dy * out, color & 0xffffff00u);
    }
    for (uint32_t k = 0, n = (uint32_t)points; k < n; ++k) {
        uint32_t a = first + 2 * k, b = first + 2 * ((k + 1) % n);
        face(d, middle, a, b);
        quad(d, a, a + 1, b + 1, b);
    }
}

void view_draw_triangle(ViewDraw* d, const float xy[6], uint32_t color)
{
    fan(d, xy, 3, color);
}

void view_draw_disc(ViewDraw* d, float x, float y, float radius, uint32_t color)
{
    float xy[2 * 24];
    for (int k = 0; k < 24; ++k) {
        float a = (float)k * (float)(2.0 * BASE_PI / 24.0);
        xy[2 * k] = x + radius * cosf(a), xy[2 * k + 1] = y + radius * sinf(a);
    }
    fan(d, xy, 24, color);
}

void view_draw_arc(ViewDraw* d, float x, float y, float radius, float a, float b, float width,
                   uint32_t color)
{
    int steps = base_mini(base_maxi((int)(fabsf(b - a) * radius / 5.0f), 6), 64);
    for (int k = 0; k < steps; ++k) {
        float p = a + (b - a) * (float)k / (float)steps;
        float q = a + (b - a) * (float)(k + 1) / (float)steps;
        view_draw_line(d, x + radius * cosf(p), y + radius * sinf(p), x + radius * cosf(q),
                       y + radius * sinf(q), width, color);
    }
}

// Corners of a rectangle with round ones, clockwise; returns how many.
static int round_outline(float x, float y, float w, float h, float r, float xy[2 * 24])
{
    int n = 0;
    r = base_minf(r, 0.5f * base_minf(w, h));
    const float cx[4] = {x + w - r, x + r, x + r, x + w - r};
    const float cy[4] = {y + h - r, y + h - r, y + r, y + r};
    for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < 6; ++k, ++n) {
            float a = (float)(0.5 * BASE_PI) * ((float)c + (float)k / 5.0f);
            xy[2 * n] = cx[c] + r * cosf(a), xy[2 * n + 1] = cy[c] + r * sinf(a);
        }
    }
    return n;
}

void view_draw_panel(ViewDraw* d, float x, float y, float w, float h, float r, uint32_t color,
                     uint32_t edge)
{
    float xy[2 * 25];
    int n = round_outline(x, y, w, h, r, xy);
    fan(d, xy, n, color);
    xy[2 * n] = xy[0], xy[2 * n + 1] = xy[1];
    if (edge)
        view_draw_polyline(d, xy, n + 1, 1.2f, edge);
}

float view_draw_text(ViewDraw* d, float x, float y, float size, ViewAlign align, uint32_t color,
                     const char* text)
{
    float width = view_font_width(d->font, size, text), zoom;
    x -= align == VIEW_CENTER ? 0.5f * width : align == VIEW_RIGHT ? width : 0.0f;
    float pen = floorf(x + 0.5f);
    y = floorf(y + 0.5f);
    while (*text) {
        const ViewLetter* l = view_font_letter(d->font, size, &text, &zoom);
        if (l->x1 > l->x0 && room(d, 4, 6)) {
            float x0 = pen + l->x0 * zoom, x1 = pen + l->x1 * zoom;
            float y0 = y + l->y0 * zoom, y1 = y + l->y1 * zoom;
            uint32_t a = put(d, x0, y0, l->u0, l->v0, color);
            uint32_t b = put(d, x1, y0, l->u1, l->v0, color);
            uint32_t c = put(d, x1, y1, l->u1, l->v1, color);
            uint32_t e = put(d, x0, y1, l->u0, l->v1, color);
            quad(d, a, b, c, e);
        }
        pen += l->advance * zoom;
    }
    return width;
}
