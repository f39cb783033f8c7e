// The bar below a recording: timeline with marks and proof, buttons, and what happened at this moment.
#include "app/app_viewer_internal.h"

#include <math.h>
#include <stdio.h>

#define PANEL 0x10151aecu
#define EDGE  0xffffff2cu
#define PALE  0xf2f0eaffu
#define DIM   0xb7bcc2ffu
#define AMBER 0xffb531ffu
#define GREEN 0x63d68bffu
#define RED   0xff6a55ffu
#define BLUE  0x7ab8ffffu
#define BAR   134.0f // height at scale 1
#define NEAR  1.4    // s, from a moment to the mark that is told

typedef struct Bar {
    Trainer* t;
    ViewDraw* d;
    const SimPlayerNews* p;
    float s, w, h, y;
} Bar;

static void clock_of(char out[16], double time)
{
    int s = (int)fmax(time, 0.0);
    snprintf(out, 16, "%d:%02d", s / 60, s % 60);
}

static float line_x(const Bar* b, double time)
{
    const float* line = b->t->viewer.line;
    double all = (double)base_maxi((int)b->p->steps, 1) / WORLD_RATE;
    return line[0] + line[2] * (float)fmin(fmax(time / all, 0.0), 1.0);
}

static void area(const Bar* b, ViewerDo what, float x, float y, float w, float h)
{
    AppViewer* v = &b->t->viewer;
    if (v->areas < VIEWER_AREAS)
        v->area[v->areas++] = (ViewerArea){x, y, w, h, what};
}

static bool over(const Bar* b, float x, float y, float w, float h)
{
    const AppViewer* v = &b->t->viewer;
    return v->x >= x && v->x <= x + w && v->y >= y && v->y <= y + h;
}

// --- marks ---------------------------------------------------------------------------------------

// Told apart by sign as well as by colour.
static const struct {
    const char* sign;
    uint32_t color;
    bool above; // of the line
} signs[SIM_MARK_KINDS] = {
    [SIM_MARK_CYCLE] = {"", DIM, false},        [SIM_MARK_EVENT] = {"\u25bc", BLUE, true},
    [SIM_MARK_GOAL] = {"\u2713", GREEN, true},  [SIM_MARK_SLAM] = {"\u25b2", AMBER, false},
    [SIM_MARK_HIT] = {"\u25a0", RED, false},    [SIM_MARK_STRIKE] = {"\u2717", RED, false},
    [SIM_MARK_DANGER] = {"\u26a0", RED, false}, [SIM_MARK_OTHER] = {"\u2022", DIM, false},
    [SIM_MARK_FIX] = {"", AMBER, true},
};

static void cycle(const Bar* b, const SimMark* m)
{
    const float* line = b->t->viewer.line;
    char text[16];
    float x = line_x(b, m->time), w = line_x(b, m->until) - x;
    view_draw_rect(b->d, x, line[1], w, line[3], m->number % 2 ? 0xffffff2au : 0xffffff14u);
    view_draw_rect(b->d, x, line[1], 1.0f, line[3], 0xffffff50u);
    snprintf(text, sizeof text, "%d", m->number);
    if (w > 18 * b->s)
        view_draw_text(b->d, x + 0.5f * w, line[1] + 0.5f * line[3] + 4 * b->s, 12 * b->s,
                       VIEW_CENTER, DIM, text);
}

static void fix(const Bar* b, const SimMark* m)
{
    float x = line_x(b, m->time), y = b->t->viewer.line[1] - 12 * b->s;
    char text[8];
    snprintf(text, sizeof text, "%d", m->number);
    view_draw_line(b->d, x, y, x, b->t->viewer.line[1], 1.5f * b->s, AMBER);
    view_draw_disc(b->d, x, y - 2 * b->s, 8.5f * b->s, AMBER);
    view_draw_text(b->d, x, y + 2.5f * b->s, 13 * b->s, VIEW_CENTER, 0x14191fffu, text);
}

static void sign(const Bar* b, const SimMark* m)
{
    const float* line = b->t->viewer.line;
    float x = line_x(b, m->time), s = b->s;
    float y = signs[m->kind].above ? line[1] - 4 * s : line[1] + line[3] + 16 * s;
    view_draw_text(b->d, x, y, 13 * s, VIEW_CENTER, signs[m->kind].color, signs[m->kind].sign);
}

// Cycles below everything, what is to be fixed above it.
static void marks(const Bar* b)
{
    const SimMarks* m = b->t->viewer.marks;
    for (int pass = 0; m && pass < 3; ++pass)
        for (int k = 0; k < m->count; ++k) {
            int kind = m->mark[k].kind;
            if (pass == 0 && kind == SIM_MARK_CYCLE)
                cycle(b, &m->mark[k]);
            else if (pass == 2 && kind == SIM_MARK_FIX)
                fix(b, &m->mark[k]);
            else if (pass == 1 && kind != SIM_MARK_CYCLE && kind != SIM_MARK_FIX)
                sign(b, &m->mark[k]);
        }
}

// The mark nearest to a moment; what is to be fixed goes before what happened, cycles come last.
static const SimMark* mark_at(const Bar* b, double time, double near)
{
    const SimMarks* m = b->t->viewer.marks;
    const SimMark *best = NULL, *in = NULL;
    double rank_of_best = 1e9;
    for (int k = 0; m && k < m->count; ++k) {
        const SimMark* mark = &m->mark[k];
        double far = fabs(mark->time - time);
        double rank =
            far - (mark->kind == SIM_MARK_FIX ? 10.0 : 0.0) - 5.0 * (mark->kind != SIM_MARK_OTHER);
        if (mark->kind == SIM_MARK_CYCLE)
            in = time >= mark->time && time < mark->until ? mark : in;
        else if (far < near && rank < rank_of_best)
            rank_of_best = rank, best = mark;
    }
    return best ? best : in;
}

static void tell_mark(const Bar* b, const SimMark* m, float x, float y, ViewAlign align, float room)
{
    char text[256], clock[16], number[8] = "";
    clock_of(clock, m->time);
    if (m->kind == SIM_MARK_FIX)
        snprintf(number, sizeof number, "\u25b6");
    snprintf(text, sizeof text, "%s%s%s  %s", signs[m->kind].sign, number, clock, m->text);
    // what does not fit ends in dots
    size_t length = strlen(text);
    while (length > 8 && view_font_width(b->d->font, 15 * b->s, text) > room) {
        do
            --length;
        while (length > 8 && (text[length] & 0xc0) == 0x80);
        snprintf(text + length, sizeof text - length, "\u2026");
    }
    view_draw_text(b->d, x, y, 15 * b->s, align, signs[m->kind].color, text);
}

// --- the line ------------------------------------------------------------------------------------

static void proof(const Bar* b)
{
    const float* line = b->t->viewer.line;
    float step = line[2] / SIM_PLAYER_PARTS, y = line[1] + line[3] - 4 * b->s;
    for (int k = 0; k < SIM_PLAYER_PARTS; ++k)
        if (b->p->part[k])
            view_draw_rect(b->d, line[0] + step * (float)k, y, step + 0.5f, 4 * b->s,
                           b->p->part[k] == 1 ? GREEN : RED);
}

static void head(const Bar* b)
{
    const float* line = b->t->viewer.line;
    float s = b->s, now = line_x(b, (double)b->p->now / WORLD_RATE);
    float at = line_x(b, (double)b->p->at / WORLD_RATE);
    view_draw_rect(b->d, line[0], line[1], now - line[0], line[3], 0xffb53130u);
    // what is on its way to the wanted moment is seen
    if (fabsf(at - now) > 1.0f)
        view_draw_rect(b->d, fminf(now, at), line[1] + 0.4f * line[3], fabsf(at - now),
                       0.2f * line[3], 0xffb531a0u);
    view_draw_rect(b->d, at - 1.5f * s, line[1] - 5 * s, 3 * s, line[3] + 10 * s, AMBER);
    view_draw_disc(b->d, at, line[1] + 0.5f * line[3], 7 * s, AMBER);
    view_draw_disc(b->d, at, line[1] + 0.5f * line[3], 4 * s, 0x14191fffu);
}

static void timeline(const Bar* b)
{
    AppViewer* v = &b->t->viewer;
    float s = b->s;
    v->line[0] = 24 * s, v->line[1] = b->y + 50 * s, v->line[2] = b->w - 48 * s,
    v->line[3] = 20 * s;
    const float* line = v->line;
    view_draw_panel(b->d, line[0] - 2, line[1] - 2, line[2] + 4, line[3] + 4, 4 * s, 0x000000a0u,
                    EDGE);
    marks(b);
    proof(b);
    head(b);
    area(b, VIEWER_LINE, line[0] - 6 * s, line[1] - 20 * s, line[2] + 12 * s, line[3] + 38 * s);
    // under the mouse: the moment, and what happened then
    if (v->drag || over(b, line[0], line[1] - 20 * s, line[2], line[3] + 38 * s)) {
        char clock[16];
        double all = (double)b->p->steps / WORLD_RATE;
        double time = all * (double)base_clampf((v->x - line[0]) / line[2], 0.0f, 1.0f);
        const SimMark* m = mark_at(b, time, all * (double)(7 * s / line[2]));
        float x = base_clampf(v->x, line[0], line[0] + line[2]), y = b->y - 14 * s;
        clock_of(clock, time);
        view_draw_line(b->d, x, line[1] - 4 * s, x, line[1] + line[3] + 4 * s, 1.0f, PALE);
        float wide = m ? fminf(view_font_width(b->d->font, 15 * s, m->text) + 96 * s, b->w - 40 * s)
                       : 64 * s;
        float left = base_clampf(x - 0.5f * wide, 20 * s, b->w - 20 * s - wide);
        view_draw_panel(b->d, left, y - 20 * s, wide, 28 * s, 6 * s, PANEL, EDGE);
        if (m)
            tell_mark(b, m, left + 10 * s, y, VIEW_LEFT, wide - 20 * s);
        else
            view_draw_text(b->d, left + 0.5f * wide, y, 15 * s, VIEW_CENTER, PALE, clock);
    }
}

// --- words ---------------------------------------------------------------------------------------

static void badge(const Bar* b)
{
    const SimPlayerNews* p = b->p;
    char text[300], clock[16];
    uint32_t color = p->proved > 0 ? GREEN : DIM;
    clock_of(clock, p->proved);
    if (p->different != UINT32_MAX) {
        clock_of(clock, p->different);
        snprintf(text, sizeof text, "\u2717 not proved: second %s differs", clock);
        color = RED;
    } else if (p->trouble[0]) {
        snprintf(text, sizeof text, "\u26a0 verified to %s; %.100s", clock, p->trouble);
        color = RED;
    } else if (p->seconds > 0 && p->proved == p->seconds)
        snprintf(text, sizeof text, "\u2713 verified: every second, %s", clock);
    else if (p->proved > 0)
        snprintf(text, sizeof text, "\u2713 verified to %s", clock);
    else
        snprintf(text, sizeof text, "not verified yet: play it from the start");
    view_draw_text(b->d, b->w - 24 * b->s, b->y + 24 * b->s, 15 * b->s, VIEW_RIGHT, color, text);
}

static void words(const Bar* b)
{
    const AppViewer* v = &b->t->viewer;
    float s = b->s, y = b->y + 24 * s;
    float w = view_draw_text(b->d, 24 * s, y, 17 * s, VIEW_LEFT, PALE, v->title);
    w += view_draw_text(b->d, 36 * s + w, y, 15 * s, VIEW_LEFT, DIM, v->who);
    const SimMark* m = mark_at(b, (double)b->p->now / WORLD_RATE, NEAR);
    float from = 60 * s + w, to = b->w - 290 * s;
    bool trouble = b->p->trouble[0] != '\0';
    if (b->p->looking)
        view_draw_text(b->d, from, y, 15 * s, VIEW_LEFT, DIM, "reading what happened\u2026");
    else if (m && !trouble && to - from > 120 * s)
        tell_mark(b, m, from, y, VIEW_LEFT, to - from);
}

// --- buttons -------------------------------------------------------------------------------------

// Icons that no font has.
static void icon(const Bar* b, ViewerDo what, float x, float y, uint32_t color)
{
    float r = 7 * b->s;
    const float right[6] = {x - 0.7f * r, y - r, x - 0.7f * r, y + r, x + r, y};
    const float left[6] = {x + 0.7f * r, y - r, x + 0.7f * r, y + r, x - r, y};
    switch (what) {
    case VIEWER_PLAY:
        if (!b->p->playing) {
            view_draw_triangle(b->d, right, color);
            break;
        }
        view_draw_rect(b->d, x - 0.8f * r, y - r, 0.6f * r, 2 * r, color);
        view_draw_rect(b->d, x + 0.3f * r, y - r, 0.6f * r, 2 * r, color);
        break;
    case VIEWER_MARK_BACK:
        view_draw_triangle(b->d, left, color);
        view_draw_rect(b->d, x - 1.4f * r, y - r, 0.35f * r, 2 * r, color);
        break;
    case VIEWER_MARK_ON:
        view_draw_triangle(b->d, right, color);
        view_draw_rect(b->d, x + 1.1f * r, y - r, 0.35f * r, 2 * r, color);
        break;
    case VIEWER_BACKWARDS:
        for (int k = 0; k < 2; ++k) {
            float at = x + (k ? 0.7f : -0.5f) * r;
            const float part[6] = {at + 0.5f * r, y - r, at + 0.5f * r, y + r, at - 0.7f * r, y};
            view_draw_triangle(b->d, part, color);
        }
        break;
    case VIEWER_SLOWER: view_draw_rect(b->d, x - r, y - 0.2f * r, 2 * r, 0.4f * r, color); break;
    case VIEWER_FASTER:
        view_draw_rect(b->d, x - r, y - 0.2f * r, 2 * r, 0.4f * r, color);
        view_draw_rect(b->d, x - 0.2f * r, y - r, 0.4f * r, 2 * r, color);
        break;
    default: break;
    }
}

static float button(const Bar* b, ViewerDo what, float x, float w, const char* text,
                    const char* name, uint32_t color)
{
    float s = b->s, y = b->y + 96 * s, h = 28 * s;
    bool here = over(b, x, y, w, h);
    view_draw_panel(b->d, x, y, w, h, 6 * s, here ? 0xffffff26u : 0xffffff12u, here ? AMBER : EDGE);
    if (text)
        view_draw_text(b->d, x + 12 * s, y + 19 * s, 15 * s, VIEW_LEFT, color, text);
    else
        icon(b, what, x + 20 * s, y + 0.5f * h, color);
    view_draw_text(b->d, x + w - 9 * s, y + 18 * s, 12 * s, VIEW_RIGHT, DIM, name);
    area(b, what, x, y, w, h);
    return x + w + 8 * s;
}

static void buttons(const Bar* b)
{
    const SimPlayerNews* p = b->p;
    char text[64], now[16], all[16];
    float s = b->s, x = 24 * s, y = b->y + 96 * s + 20 * s;
    x = button(b, VIEWER_MARK_BACK, x, 58 * s, NULL, "P", PALE);
    x = button(b, VIEWER_BACKWARDS, x, 58 * s, NULL, "B", PALE);
    x = button(b, VIEWER_PLAY, x, 92 * s, NULL, "Space", AMBER);
    x = button(b, VIEWER_MARK_ON, x, 58 * s, NULL, "N", PALE);
    x = button(b, VIEWER_SLOWER, x + 10 * s, 56 * s, NULL, "\u2193", PALE);
    double speed = sim_player_speeds[p->speed];
    snprintf(text, sizeof text, "%gx", speed);
    view_draw_text(b->d, x + 26 * s, y, 18 * s, VIEW_CENTER, speed < 0.0 ? AMBER : PALE, text);
    x = button(b, VIEWER_FASTER, x + 60 * s, 56 * s, NULL, "\u2191", PALE);
    clock_of(now, (double)p->at / WORLD_RATE);
    clock_of(all, (double)p->steps / WORLD_RATE);
    x += 14 * s + view_draw_text(b->d, x + 14 * s, y + s, 24 * s, VIEW_LEFT, PALE, now);
    snprintf(text, sizeof text, " / %s%s", all, p->complete ? "" : "  broken off");
    x += view_draw_text(b->d, x, y, 16 * s, VIEW_LEFT, DIM, text);
    if (!p->looking && p->now != p->at && !p->playing)
        view_draw_text(b->d, x + 14 * s, y, 14 * s, VIEW_LEFT, AMBER, "catching up\u2026");
    snprintf(text, sizeof text, "Camera: %s", view_camera_name(b->t->camera.kind));
    float right = b->w - 24 * s;
    button(b, VIEWER_LEAVE, right - 98 * s, 98 * s, "Leave", "Esc", PALE);
    button(b, VIEWER_TAKE_OVER, right - (98 + 8 + 164) * s, 164 * s,
           b->t->viewer.reach ? "Taking over\u2026" : "Take over here", "T", AMBER);
    button(b, VIEWER_CAMERA, right - (98 + 8 + 164 + 8 + 166) * s, 166 * s, text, "C", PALE);
}

float app_viewer_bar(int width, int height)
{
    return BAR * view_hud_scale(width, height);
}

void app_viewer_draw(Trainer* t, ViewDraw* draw, int width, int height)
{
    float s = view_hud_scale(width, height);
    Bar b = {t, draw, &t->news.player, s, (float)width, (float)height, (float)height - BAR * s};
    t->viewer.areas = 0;
    view_draw_rect(draw, 0, b.y, b.w, BAR * s, PANEL);
    view_draw_rect(draw, 0, b.y, b.w, 1.5f, EDGE);
    timeline(&b);
    words(&b);
    badge(&b);
    buttons(&b);
}
