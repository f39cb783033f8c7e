#include "view/view_hud.h"

#include "base/base_math.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PANEL  0x10161cb0u
#define EDGE   0xffffff30u
#define PALE   0xe8ecf0ffu
#define DIM    0xa8b2bcffu
#define AMBER  0xffb531ffu
#define GREEN  0x63d68cffu
#define RED    0xff5a4affu
#define GROUND 0xb98a5cffu
#define EARTH  0xb98a5c50u

typedef struct Page {
    ViewDraw* d;
    float s; // pixels per unit of the layout at 720 lines
    float w, h;
} Page;

ViewHud view_hud(void)
{
    return (ViewHud){.time = -1.0f, .score = -1.0f, .pattern = "ISO"};
}

float view_hud_scale(int width, int height)
{
    float w = (float)width, h = (float)height;
    float s = base_minf(w / 1280.0f, h / 720.0f);
    // in a small window text stays readable and panels move together, as long as they have room
    float least = base_minf(0.8f, base_minf(w / 760.0f, h / 440.0f));
    return base_clampf(base_maxf(s, least), 0.4f, 4.0f);
}

float view_hud_scale_text(int width, int height, float text)
{
    float s = view_hud_scale(width, height);
    float most = base_minf((float)width / 760.0f, (float)height / 440.0f);
    return text > 1.0f ? base_maxf(base_minf(s * text, most), s) : s * text;
}

static void panel(const Page* p, float x, float y, float w, float h)
{
    view_draw_panel(p->d, x, y, w, h, 8.0f * p->s, PANEL, EDGE);
}

static void label(const Page* p, float x, float y, ViewAlign align, const char* text)
{
    view_draw_text(p->d, x, y, 13.0f * p->s, align, DIM, text);
}

static void value(const Page* p, float x, float y, ViewAlign align, uint32_t color,
                  const char* text)
{
    view_draw_text(p->d, x, y, 18.0f * p->s, align, color, text);
}

// --- sticks and pedals ---------------------------------------------------------------------------

static void stick(const Page* p, float x, float y, const float at[2], const char* const names[2])
{
    float r = 34.0f * p->s;
    ViewDraw* d = p->d;
    view_draw_panel(d, x - r, y - r, 2 * r, 2 * r, 6.0f * p->s, 0x00000060u, EDGE);
    view_draw_line(d, x - r, y, x + r, y, 1.0f, EDGE);
    view_draw_line(d, x, y - r, x, y + r, 1.0f, EDGE);
    float px = x + at[0] * (r - 7 * p->s), py = y - at[1] * (r - 7 * p->s);
    view_draw_line(d, x, y, px, py, 3.0f * p->s, 0xffb53190u);
    view_draw_disc(d, px, py, 6.5f * p->s, AMBER);
    if (names[0])
        label(p, x, y + r + 15 * p->s, VIEW_CENTER, names[0]);
    if (names[1])
        label(p, x, y - r - 6 * p->s, VIEW_CENTER, names[1]);
}

static void pedal(const Page* p, float x, float y, float at, const char* name)
{
    float w = 14.0f * p->s, h = 34.0f * p->s;
    view_draw_panel(p->d, x - 0.5f * w, y - h, w, 2 * h, 4.0f * p->s, 0x00000060u, EDGE);
    float top = base_minf(y, y - at * (h - 2));
    view_draw_rect(p->d, x - 0.5f * w + 2, top, w - 4, fabsf(at) * (h - 2), AMBER);
    view_draw_line(p->d, x - 0.5f * w, y, x + 0.5f * w, y, 1.0f, PALE);
    label(p, x, y + h + 15 * p->s, VIEW_CENTER, name);
}

static void controls(const Page* p, const ViewHud* hud)
{
    float s = p->s, w = 268 * s, h = 128 * s, x = 0.5f * (p->w - w), y = p->h - h - 12 * s;
    panel(p, x, y, w, h);
    stick(p, x + 54 * s, y + 64 * s, hud->stick[0], hud->action);
    stick(p, x + w - 54 * s, y + 64 * s, hud->stick[1], hud->action + 2);
    pedal(p, x + 116 * s, y + 64 * s, hud->pedal[0], "L");
    pedal(p, x + w - 116 * s, y + 64 * s, hud->pedal[1], "R");
    label(p, x + 0.5f * w, y + 20 * s, VIEW_CENTER, hud->pattern);
}

// --- load ----------------------------------------------------------------------------------------

static void bar(const Page* p, float x, float y, float w, float part, uint32_t color)
{
    float h = 10.0f * p->s;
    view_draw_panel(p->d, x, y, w, h, 3.0f * p->s, 0x00000070u, EDGE);
    view_draw_rect(p->d, x + 2, y + 2, base_clampf(part, 0.0f, 1.0f) * (w - 4), h - 4, color);
    // more than full: an arrow beyond the end
    if (part > 1.0f) {
        const float tip[6] = {x + w + 3, y, x + w + 3 + 0.7f * h, y + 0.5f * h, x + w + 3, y + h};
        view_draw_triangle(p->d, tip, color);
    }
}

static void load(const Page* p, const ViewHud* hud)
{
    char text[64];
    float s = p->s, w = 210 * s, h = (hud->truck_full > 0.0f ? 112 : 64) * s;
    float x = 14 * s, y = p->h - h - 12 * s;
    panel(p, x, y, w, h);
    label(p, x + 12 * s, y + 22 * s, VIEW_LEFT, "bucket");
    snprintf(text, sizeof text, "%.0f kg  %.0f %%", (double)hud->payload,
             (double)(100 * hud->fill));
    value(p, x + w - 12 * s, y + 24 * s, VIEW_RIGHT, PALE, text);
    bar(p, x + 12 * s, y + 38 * s, w - 36 * s, hud->fill, AMBER);
    if (hud->truck_full <= 0.0f)
        return;
    label(p, x + 12 * s, y + 72 * s, VIEW_LEFT, "truck");
    snprintf(text, sizeof text, "%.1f of %.1f t", (double)(hud->truck * 1e-3f),
             (double)(hud->truck_full * 1e-3f));
    value(p, x + w - 12 * s, y + 74 * s, VIEW_RIGHT, PALE, text);
    bar(p, x + 12 * s, y + 88 * s, w - 36 * s, hud->truck / hud->truck_full, GREEN);
}

// --- grade screen --------------------------------------------------------------------------------

typedef struct Section {
    float x, y, scale; // pixels of its middle, pixels per m
    float cx, cy;      // m, what is in the middle
    float w, h;        // pixels
} Section;

static int section_points(const Section* c, const ViewCurve* curve, float* out)
{
    int n = 0;
    for (int k = 0; k < curve->points; ++k) {
        float x = (curve->xy[2 * k] - c->cx) * c->scale,
              y = (c->cy - curve->xy[2 * k + 1]) * c->scale;
        if (fabsf(x) > 0.5f * c->w || fabsf(y) > 0.5f * c->h)
            continue;
        out[2 * n] = c->x + x, out[2 * n + 1] = c->y + y;
        ++n;
    }
    return n;
}

static Section section_of(const Page* p, const ViewHud* hud, float x, float y, float w, float h)
{
    const ViewCurve* b = hud->bucket.points ? &hud->bucket : &hud->ground;
    Section c = {.x = x + 0.5f * w, .y = y + 0.5f * h, .scale = 38.0f * p->s, .w = w, .h = h};
    float low = 1e9f, high = -1e9f;
    for (int k = 0; k < b->points; ++k) {
        c.cx += b->xy[2 * k] / (float)b->points;
        low = base_minf(low, b->xy[2 * k + 1]), high = base_maxf(high, b->xy[2 * k + 1]);
    }
    // the ground below a bucket high in the air is in the picture, too
    for (int k = 0; k < hud->ground.points; ++k)
        if (fabsf(hud->ground.xy[2 * k] - c.cx) < 0.3f)
            low = base_minf(low, hud->ground.xy[2 * k + 1]);
    if (low < high)
        c.cy = 0.5f * (low + high);
    c.scale = base_minf(c.scale, 0.9f * h / base_maxf(high - low, 0.1f));
    return c;
}

static void reading(const Page* p, float x, float y, const char* name, const char* text,
                    uint32_t color)
{
    label(p, x, y, VIEW_CENTER, name);
    value(p, x, y + 20 * p->s, VIEW_CENTER, color, text);
}

static void grade(const Page* p, const ViewHud* hud)
{
    char text[64];
    float xy[2 * VIEW_HUD_CURVE];
    float s = p->s, w = 250 * s, h = 196 * s, x = p->w - w - 14 * s, y = p->h - h - 12 * s;
    panel(p, x, y, w, h);
    Section c = section_of(p, hud, x + 6 * s, y + 6 * s, w - 12 * s, h - 62 * s);
    int points = section_points(&c, &hud->ground, xy);
    for (int k = 0; k + 1 < points; ++k) {
        // soil below the line, down to the readings
        float low = y + h - 58 * s;
        const float* a = xy + 2 * k;
        const float upper[6] = {a[0], a[1], a[2], a[3], a[2], low};
        const float lower[6] = {a[0], a[1], a[2], low, a[0], low};
        view_draw_triangle(p->d, upper, EARTH);
        view_draw_triangle(p->d, lower, EARTH);
    }
    view_draw_polyline(p->d, xy, points, 2.5f * s, GROUND);
    view_draw_dashes(p->d, xy, section_points(&c, &hud->target, xy), 2.5f * s, 8 * s, GREEN);
    view_draw_polyline(p->d, xy, section_points(&c, &hud->bucket, xy), 2.5f * s, AMBER);

    // too deep is told by sign, arrow and colour
    float y1 = y + h - 42 * s;
    snprintf(text, sizeof text, "%.2f m", (double)hud->depth);
    reading(p, x + 42 * s, y1, "depth", text, PALE);
    snprintf(text, sizeof text, "%s %+.0f cm",
             hud->offset < -0.03f  ? "\u25b2"
             : hud->offset > 0.03f ? "\u25bc"
                                   : "\u2713",
             (double)(100 * hud->offset));
    if (hud->aimed)
        reading(p, x + 0.5f * w, y1, "to target", text,
                hud->offset < -0.03f  ? RED
                : hud->offset > 0.03f ? AMBER
                                      : GREEN);
    snprintf(text, sizeof text, "%+.1f\u00b0", (double)hud->slope / BASE_DEG);
    reading(p, x + w - 42 * s, y1, "slope", text, PALE);
}

// --- compass, engine, clock ----------------------------------------------------------------------

static void turned(float x, float y, float a, const float* in, int points, float* out)
{
    for (int k = 0; k < points; ++k) {
        out[2 * k] = x + in[2 * k] * cosf(a) - in[2 * k + 1] * sinf(a);
        out[2 * k + 1] = y + in[2 * k] * sinf(a) + in[2 * k + 1] * cosf(a);
    }
}

// Undercarriage upright, the house turned on it.
static void compass(const Page* p, const ViewHud* hud, float x, float y)
{
    float s = p->s, xy[12];
    view_draw_panel(p->d, x - 15 * s, y - 20 * s, 8 * s, 40 * s, 2 * s, 0x00000090u, EDGE);
    view_draw_panel(p->d, x + 7 * s, y - 20 * s, 8 * s, 40 * s, 2 * s, 0x00000090u, EDGE);
    const float tip[6] = {0, -30 * s, 9 * s, -10 * s, -9 * s, -10 * s};
    const float house[8] = {-9 * s, -10 * s, 9 * s, -10 * s, 9 * s, 12 * s, -9 * s, 12 * s};
    turned(x, y, -hud->swing, tip, 3, xy);
    view_draw_triangle(p->d, xy, AMBER);
    turned(x, y, -hud->swing, house, 4, xy);
    const float a[6] = {xy[0], xy[1], xy[2], xy[3], xy[4], xy[5]};
    const float b[6] = {xy[0], xy[1], xy[4], xy[5], xy[6], xy[7]};
    view_draw_triangle(p->d, a, AMBER);
    view_draw_triangle(p->d, b, AMBER);
}

static void dial(const Page* p, float x, float y, float part, const char* name, const char* text)
{
    float s = p->s, r = 28 * s, from = (float)(0.75 * BASE_PI), span = (float)(1.5 * BASE_PI);
    view_draw_arc(p->d, x, y, r, from, from + span, 5 * s, 0x00000090u);
    view_draw_arc(p->d, x, y, r, from, from + span * base_clampf(part, 0.01f, 1.0f), 5 * s,
                  part > 0.95f ? RED : AMBER);
    view_draw_text(p->d, x, y + 5 * s, 15.0f * s, VIEW_CENTER, PALE, text); // inside the ring
    label(p, x, y + r + 8 * s, VIEW_CENTER, name);
}

static void engine(const Page* p, const ViewHud* hud)
{
    char text[32];
    float s = p->s, w = 296 * s, h = 92 * s, x = p->w - w - 14 * s, y = 12 * s;
    panel(p, x, y, w, h);
    snprintf(text, sizeof text, "%.0f", (double)hud->rpm);
    dial(p, x + 44 * s, y + 42 * s, hud->rpm / 2400.0f, "1/min", text);
    snprintf(text, sizeof text, "%.0f%%", (double)(100 * hud->load_part));
    dial(p, x + 116 * s, y + 42 * s, hud->load_part, "load", text);
    float most = base_maxf(hud->pressure[0], hud->pressure[1]);
    snprintf(text, sizeof text, "%.0f", (double)(most * 1e-5f));
    dial(p, x + 188 * s, y + 42 * s, most / 380e5f, "bar", text);
    compass(p, hud, x + 254 * s, y + 44 * s);
}

static void clock_and_score(const Page* p, const ViewHud* hud)
{
    char text[64];
    float s = p->s, w = (hud->score >= 0.0f ? 232 : 128) * s, h = 40 * s;
    panel(p, 14 * s, 12 * s, w, h);
    int left =
        (int)(hud->time_limit > 0.0f ? base_maxf(hud->time_limit - hud->time, 0.0f) : hud->time);
    snprintf(text, sizeof text, "%s%d:%02d", hud->time_limit > 0.0f ? "\u25bc " : "", left / 60,
             left % 60);
    view_draw_text(p->d, 28 * s, 41 * s, 28 * s, VIEW_LEFT,
                   hud->time_limit > 0.0f && left < 30 ? AMBER : PALE, text);
    if (hud->score < 0.0f)
        return;
    snprintf(text, sizeof text, "score %.0f", (double)hud->score);
    value(p, 14 * s + w - 12 * s, 39 * s, VIEW_RIGHT, PALE, text);
}

// --- lines of text -------------------------------------------------------------------------------

#define BANNER_TEXT   18.0f // px
#define BANNER_MARGIN 64.0f // px, sign and edges

// A sentence on one line, or on two where the window is too narrow for one.
typedef struct Banner {
    char line[2][200];
    int lines;
    float size, w, h; // of the text, of the panel
} Banner;

static float text_width(const Page* p, const char* text)
{
    return view_font_width(p->d->font, BANNER_TEXT * p->s, text);
}

static Banner banner_of(const Page* p, const char* text)
{
    Banner b = {.lines = 1};
    float s = p->s, most = p->w - 20 * s - BANNER_MARGIN * s;
    snprintf(b.line[0], sizeof b.line[0], "%s", text);
    float w = text_width(p, text);
    if (w > most) {
        // at the gap that is nearest to the middle
        int length = (int)strlen(b.line[0]), best = 0;
        for (int k = 1; k < length; ++k)
            if (b.line[0][k] == ' ' && abs(2 * k - length) < abs(2 * best - length))
                best = k;
        if (best > 0) {
            snprintf(b.line[1], sizeof b.line[1], "%s", b.line[0] + best + 1);
            b.line[0][best] = '\0', b.lines = 2;
            w = base_maxf(text_width(p, b.line[0]), text_width(p, b.line[1]));
        }
    }
    // what is still wider is written smaller
    b.size = BANNER_TEXT * s * base_minf(1.0f, most / base_maxf(w, 1.0f));
    b.w = base_minf(w, most) + BANNER_MARGIN * s;
    b.h = (b.lines == 2 ? 60.0f : 36.0f) * s;
    return b;
}

// Below the panels at both sides where there is no room between them.
static float banner_top(const Page* p, const Banner* a, const Banner* b)
{
    return 0.5f * (p->w - base_maxf(a->w, b->w)) < 322.0f * p->s ? 112.0f : 14.0f;
}

static void banner(const Page* p, const Banner* b, float y, const char* sign, uint32_t color)
{
    float s = p->s, x = 0.5f * (p->w - b->w);
    panel(p, x, y, b->w, b->h);
    value(p, x + 22 * s, y + 0.5f * b->h + 7 * s, VIEW_CENTER, color, sign);
    for (int k = 0; k < b->lines; ++k)
        view_draw_text(p->d, x + 42 * s, y + (25 + 24 * (float)k) * s, b->size, VIEW_LEFT, PALE,
                       b->line[k]);
}

static void banners(const Page* p, const ViewHud* hud)
{
    Banner warning = banner_of(p, hud->warning), hint = banner_of(p, hud->hint);
    float y = banner_top(p, &warning, &hint) * p->s;
    if (hud->warning[0]) {
        banner(p, &warning, y, "\u26a0", RED);
        y += warning.h + 6 * p->s;
    }
    if (hud->hint[0])
        banner(p, &hint, y, "\u25b6", GREEN);
}

static void timings(const Page* p, const ViewHud* hud)
{
    char text[96];
    int n = snprintf(text, sizeof text, "picture %.1f ms, %d draw calls   step %.1f ms",
                     (double)hud->frame_ms, hud->draw_calls, (double)hud->step_ms);
    if (hud->lag_pictures > 0)
        snprintf(text + n, sizeof text - (size_t)n, "   lever %d + %d", hud->lag_steps,
                 hud->lag_pictures);
    view_draw_text(p->d, 0.5f * p->w, p->h - 146 * p->s, 13 * p->s, VIEW_CENTER, PALE, text);
}

void view_hud_draw(const ViewHud* hud, ViewDraw* draw, int width, int height)
{
    float s = view_hud_scale_text(width, height, hud->text > 0.0f ? hud->text : 1.0f);
    Page p = {draw, s, (float)width, (float)height};
    if (hud->controls)
        controls(&p, hud);
    if (hud->load)
        load(&p, hud);
    if (hud->grade)
        grade(&p, hud);
    if (hud->engine)
        engine(&p, hud);
    if (hud->time >= 0.0f)
        clock_and_score(&p, hud);
    banners(&p, hud);
    if (hud->timings)
        timings(&p, hud);
}
