#include "app/app_menu.h"

#include "base/base_math.h"

#include <stdio.h>

#define SHADE 0x0b0f1370u
#define PANEL 0x14191fd0u
#define EDGE  0xffffff2cu
#define PALE  0xf2f0eaffu
#define DIM   0xb7bcc2ffu
#define AMBER 0xffb531ffu
#define HERE  0xffb53126u

void app_menu_begin(AppMenu* m, const char* title)
{
    m->rows = 0;
    m->foot[0] = m->text[0] = m->head[0] = '\0';
    m->wide = m->narrow = m->table = false;
    snprintf(m->title, sizeof m->title, "%s", title);
}

MenuRow* app_menu_row(AppMenu* m, int action, int argument, const char* label, const char* value)
{
    static MenuRow spare;
    MenuRow* r = m->rows < MENU_ROWS_MAX ? &m->row[m->rows++] : &spare;
    *r = (MenuRow){.action = action, .argument = argument};
    snprintf(r->label, sizeof r->label, "%s", label);
    snprintf(r->value, sizeof r->value, "%s", value ? value : "");
    return r;
}

void app_menu_end(AppMenu* m)
{
    m->chosen = base_maxi(base_mini(m->chosen, m->rows - 1), 0);
    for (int k = 0; k < m->rows && m->row[m->chosen].action == 0; ++k)
        m->chosen = (m->chosen + 1) % m->rows;
}

void app_menu_move(AppMenu* m, int rows)
{
    int step = rows < 0 ? -1 : 1;
    if (m->rows == 0)
        return;
    for (int k = 0; k < m->rows; ++k) {
        m->chosen = (m->chosen + step + m->rows) % m->rows;
        if (m->row[m->chosen].action != 0)
            return;
    }
}

bool app_menu_point(AppMenu* m, float x, float y)
{
    int k = m->line > 0.0f && y >= m->y ? (int)((y - m->y) / m->line) : -1;
    if (k < 0 || k >= m->seen || x < m->x || x > m->x + m->w || m->first + k >= m->rows ||
        m->row[m->first + k].action == 0)
        return false;
    m->chosen = m->first + k;
    return true;
}

int app_menu_paragraph(ViewDraw* d, float x, float y, float w, float size, uint32_t color,
                       const char* text)
{
    char line[320];
    size_t used = 0;
    int lines = 0;
    line[0] = '\0';
    while (*text) {
        size_t word = strcspn(text, " \n");
        size_t before = used;
        if (used + word + 2 < sizeof line) {
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%.*s", used ? " " : "",
                                     (int)word, text);
        }
        bool full = before > 0 && view_font_width(d->font, size, line) > w;
        if (full) {
            line[before] = '\0';
            view_draw_text(d, x, y + 1.4f * size * (float)lines++, size, VIEW_LEFT, color, line);
            used = (size_t)snprintf(line, sizeof line, "%.*s", (int)word, text);
        }
        text += word;
        if (*text == '\n') {
            // an empty line parts paragraphs
            view_draw_text(d, x, y + 1.4f * size * (float)lines++, size, VIEW_LEFT, color, line);
            used = 0, line[0] = '\0';
        }
        text += *text != '\0';
    }
    if (used > 0)
        view_draw_text(d, x, y + 1.4f * size * (float)lines++, size, VIEW_LEFT, color, line);
    return lines;
}

// What tabs part, each in its column; numbers end at the right of theirs.
static void cells(const AppMenu* m, ViewDraw* d, const char* text, float base, float size,
                  uint32_t color)
{
    static const struct {
        float at; // of the width
        ViewAlign align;
    } column[] = {{0.40f, VIEW_LEFT},
                  {0.525f, VIEW_LEFT},
                  {0.735f, VIEW_RIGHT},
                  {0.845f, VIEW_RIGHT},
                  {0.865f, VIEW_LEFT}};
    for (size_t k = 0; k < sizeof column / sizeof column[0]; ++k) {
        char cell[64];
        size_t length = strcspn(text, "\t");
        snprintf(cell, sizeof cell, "%.*s", (int)(length < 60 ? length : 60), text);
        view_draw_text(d, m->x + column[k].at * m->w, base, size, column[k].align, color, cell);
        text += length + (text[length] == '\t');
    }
}

static void row(const AppMenu* m, ViewDraw* d, int k, float y, float s)
{
    const MenuRow* r = &m->row[k];
    bool here = k == m->chosen;
    float base = y + 0.68f * m->line;
    if (r->action == 0) {
        view_draw_text(d, m->x + 14 * s, base, 14 * s, VIEW_LEFT, DIM, r->label);
        return;
    }
    if (here) {
        view_draw_panel(d, m->x, y + 1, m->w, m->line - 2, 6 * s, HERE, AMBER);
        // told by a sign as well as by colour
        view_draw_text(d, m->x + 12 * s, base, 15 * s, VIEW_LEFT, AMBER, "\u25b6");
    }
    view_draw_text(d, m->x + 34 * s, base, 18 * s, VIEW_LEFT, here ? PALE : DIM, r->label);
    char value[196];
    if (m->table) {
        cells(m, d, r->value, base, 16 * s, here ? AMBER : DIM);
        return;
    }
    snprintf(value, sizeof value, r->sides ? "< %s >" : "%s", r->value);
    // a long one is written smaller, and then cut: it never lies over its label
    float room = m->w - 62 * s - view_font_width(d->font, 18 * s, r->label), size = 16 * s;
    float wide = view_font_width(d->font, size, value);
    if (wide > room)
        size = base_maxf(size * room / wide, 12 * s);
    size_t length = strlen(value);
    while (length > 3 && view_font_width(d->font, size, value) > room)
        memcpy(value + --length - 2, "..", 3);
    view_draw_text(d, m->x + m->w - 14 * s, base, size, VIEW_RIGHT, here ? AMBER : DIM, value);
}

void app_menu_draw(AppMenu* m, ViewDraw* d, int width, int height, float s)
{
    float w = (float)width, h = (float)height;
    float total = base_minf(w - 40 * s, 1100 * s), left = 0.5f * (w - total);
    m->line = 36 * s;
    m->x = left + 12 * s, m->y = 108 * s,
    m->w = (m->table                  ? 0.972f
            : m->text[0] || m->narrow ? 0.34f
                                      : 0.56f) *
           total;
    m->y += m->table ? 20 * s : 0.0f;
    m->seen = base_maxi((int)((h - m->y - 70 * s) / m->line), 1);
    // the chosen row is always seen
    m->first = base_maxi(base_mini(m->first, m->chosen), m->chosen - m->seen + 1);
    m->first = base_maxi(base_mini(m->first, m->rows - m->seen), 0);

    view_draw_rect(d, 0, 0, w, h, SHADE);
    view_draw_panel(d, left, 28 * s, total, h - 56 * s, 12 * s, PANEL, EDGE);
    view_draw_text(d, left + 26 * s, 80 * s, 30 * s, VIEW_LEFT, PALE, m->title);
    view_draw_text(d, left + total - 26 * s, 78 * s, 16 * s, VIEW_RIGHT, DIM, "Mattock");
    view_draw_line(d, left + 20 * s, 96 * s, left + total - 20 * s, 96 * s, 1.0f, EDGE);
    if (m->table)
        cells(m, d, m->head, m->y - 6 * s, 14 * s, DIM);
    for (int k = 0; k < m->seen && m->first + k < m->rows; ++k)
        row(m, d, m->first + k, m->y + m->line * (float)k, s);
    if (m->first > 0)
        view_draw_text(d, m->x + m->w + 12 * s, m->y + 16 * s, 14 * s, VIEW_LEFT, DIM, "\u25b2");
    if (m->first + m->seen < m->rows)
        view_draw_text(d, m->x + m->w + 12 * s, m->y + m->line * (float)m->seen - 8 * s, 14 * s,
                       VIEW_LEFT, DIM, "\u25bc");

    m->side_x = m->x + m->w + 34 * s, m->side_y = m->y + 6 * s;
    m->side_w = left + total - 26 * s - m->side_x, m->side_h = h - m->y - 80 * s;
    if (m->rows > 0 && !m->wide && !m->table)
        app_menu_paragraph(d, m->side_x, m->side_y + 16 * s, m->side_w, 16 * s, PALE,
                           m->text[0] ? m->text : m->row[m->chosen].help);
    const char* foot = m->foot[0]                              ? m->foot
                       : m->table && m->row[m->chosen].help[0] ? m->row[m->chosen].help
                       : m->pad
                           ? "cross or left stick: choose   A or Enter: take   B or Escape: back"
                           : "up, down: choose   Enter: take   Escape: back";
    view_draw_text(d, left + 26 * s, h - 44 * s, 14 * s, VIEW_LEFT, m->foot[0] ? AMBER : DIM, foot);
}
