// A plan of a site, as a map shows it: x to the right, z down the page, light from the upper left.
#include "app/app_site.h"
#include "base/base_log.h"
#include "plot/plot_chart.h"
#include "plot/plot_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EDGE         48.0
#define HEADING      70.0
#define LEGEND       232.0  // pixels, to the right of the map
#define SECTION      190.0  // pixels, height of the section
#define MAP_MOST     1000.0 // pixels, longer side of the map
#define WIDTH_LEAST  680.0  // pixels, for the line of text above the section
#define SHADOW_STEPS 80

// Where the light comes from: from the upper left, 40 degrees high.
static const double light[3] = {-0.542, 0.643, -0.542};

typedef struct Picture {
    PlotCanvas* canvas;
    const Terrain* terrain;
    const TerrainDef* def;
    const SiteInfo* info;
    const MaterialSet* set;
    PlotRect map, section;
    double scale; // pixels per metre
    double low, high;
    int row; // where the section is
} Picture;

static PlotText text_style(double size, PlotAlign align)
{
    return (PlotText){.size = size, .color = plot_chart_ink(), .align = align};
}

static double surface(const Picture* p, int i, int j)
{
    int ci = i < 0 ? 0 : i >= p->def->nx ? p->def->nx - 1 : i;
    int cj = j < 0 ? 0 : j >= p->def->nz ? p->def->nz - 1 : j;
    return (double)terrain_surface(p->terrain, terrain_cell(p->terrain, ci, cj));
}

static PlotColor soil_color(const Picture* p, int material)
{
    if (material < 0)
        return plot_color(0x5a5f66); // rock
    return plot_view_material((int)(p->info->material[material] - p->set->materials));
}

// Loose soil is paler than the same soil in the bank, and stippled: no two look alike even where
// one is pale by nature.
static PlotColor loose_color(PlotColor bank)
{
    return plot_color_mix(bank, plot_color(0xffffff), 0.25);
}

// Dots two pixels wide, in rows that stand between each other.
static bool is_dot(int x, int y)
{
    int row = y / 4, column = x + (row & 1) * 4;
    return (column & 7) < 2 && (y & 3) < 2;
}

static PlotColor dotted(PlotColor color, int x, int y)
{
    return is_dot(x, y) ? plot_color_mix(color, plot_color(0x2b2118), 0.38) : color;
}

static bool is_loose(const Picture* p, int cell)
{
    return terrain_loose_mass(p->terrain, cell) > 0 &&
           terrain_surface(p->terrain, cell) - terrain_bank_top(p->terrain, cell) > 0.005f;
}

// 1 in the light, towards 0 behind something high.
static double shadow(const Picture* p, int i, int j)
{
    double height = surface(p, i, j) + 0.02, rise = light[1] / -light[0] * (double)p->def->cell;
    double deepest = 0.0;
    for (int k = 1; k <= SHADOW_STEPS; ++k) {
        if (i - k < 0 || j - k < 0 || height + rise * k > p->high)
            break;
        deepest = fmax(deepest, surface(p, i - k, j - k) - (height + rise * k));
    }
    return 1.0 - 0.55 * fmin(1.0, deepest / 0.10);
}

static PlotColor ground_color(const Picture* p, int i, int j)
{
    int cell = terrain_cell(p->terrain, i, j);
    double two = 2.0 * (double)p->def->cell;
    double nx = -(surface(p, i + 1, j) - surface(p, i - 1, j)) / two * 1.6;
    double nz = -(surface(p, i, j + 1) - surface(p, i, j - 1)) / two * 1.6;
    double lit = (nx * light[0] + light[1] + nz * light[2]) / sqrt(nx * nx + 1.0 + nz * nz);
    double bright = 0.28 + 0.72 * fmax(lit, 0.0) / light[1] * shadow(p, i, j);

    // a little grain, so that large even areas look like soil
    unsigned h = (unsigned)cell * 2654435761u;
    bool loose = is_loose(p, cell);
    bright *= 1.0 + ((double)(h >> 24) / 255.0 - 0.5) * (loose ? 0.16 : 0.06);
    PlotColor color = soil_color(p, terrain_top_material(p->terrain, cell));
    color = loose ? loose_color(color) : color;
    return bright < 1.0
               ? plot_color_mix(plot_color(0x14161c), color, bright)
               : plot_color_mix(color, plot_color(0xffffff), fmin(0.5, (bright - 1.0) * 0.6));
}

static double round_step(double range, double pieces)
{
    double raw = range / pieces, power = pow(10.0, floor(log10(raw)));
    double f = raw / power;
    return power * (f <= 1.0 ? 1.0 : f <= 2.0 ? 2.0 : f <= 5.0 ? 5.0 : 10.0);
}

static void draw_ground(const Picture* p)
{
    int w = (int)p->map.w, h = (int)p->map.h;
    for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
            int i = (int)(((double)x + 0.5) / p->scale / (double)p->def->cell);
            int j = (int)(((double)y + 0.5) / p->scale / (double)p->def->cell);
            int cell = terrain_cell(p->terrain, i, j);
            if (cell < 0)
                continue;
            PlotColor color = ground_color(p, i, j);
            plot_rect(p->canvas, (PlotRect){p->map.x + x, p->map.y + y, 1.0, 1.0},
                      is_loose(p, cell) ? dotted(color, x, y) : color, 1.0);
        }
    }
}

// Height between columns, m, at a pixel of the map.
static double height_at(const Picture* p, double x, double y)
{
    return (double)terrain_height(p->terrain, (float)((double)p->def->origin.x + x / p->scale),
                                  (float)((double)p->def->origin.z + y / p->scale));
}

static void draw_contours(const Picture* p, double step)
{
    for (int y = 0; y + 1 < (int)p->map.h; ++y) {
        double here = height_at(p, 0.5, y + 0.5);
        for (int x = 0; x + 1 < (int)p->map.w; ++x) {
            double right = height_at(p, x + 1.5, y + 0.5), down = height_at(p, x + 0.5, y + 1.5);
            double a = floor(here / step), b = floor(right / step), c = floor(down / step);
            if (a != b || a != c) {
                bool fifth = fmod(fabs(fmax(a, fmax(b, c))), 5.0) == 0.0;
                plot_rect(p->canvas, (PlotRect){p->map.x + x, p->map.y + y, 1.0, 1.0},
                          plot_color(0x241a10), fifth ? 0.55 : 0.28);
            }
            here = right;
        }
    }
}

static void draw_axes(const Picture* p)
{
    char text[32];
    double step = round_step(fmax(p->map.w, p->map.h) / p->scale, 8.0);
    PlotText small = text_style(15.0, PLOT_ALIGN_CENTER);
    double x0 = (double)p->def->origin.x, z0 = (double)p->def->origin.z;
    for (double v = ceil(x0 / step - 1e-6) * step; (v - x0) * p->scale <= p->map.w + 0.5;
         v += step) {
        double x = p->map.x + (v - x0) * p->scale;
        plot_line(p->canvas, x, p->map.y - 6.0, x, p->map.y, 1.0, plot_chart_ink());
        snprintf(text, sizeof text, "%g", v + 0.0);
        plot_text(p->canvas, x, p->map.y - 10.0, small, text);
    }
    small.align = PLOT_ALIGN_RIGHT;
    for (double v = ceil(z0 / step - 1e-6) * step; (v - z0) * p->scale <= p->map.h + 0.5;
         v += step) {
        double y = p->map.y + (v - z0) * p->scale;
        plot_line(p->canvas, p->map.x - 6.0, y, p->map.x, y, 1.0, plot_chart_ink());
        snprintf(text, sizeof text, "%g", v + 0.0);
        plot_text(p->canvas, p->map.x - 9.0, y + 5.0, small, text);
    }
    small.align = PLOT_ALIGN_LEFT;
    plot_text(p->canvas, p->map.x + p->map.w + 26.0, p->map.y - 10.0, small, "x, m");
    plot_text(p->canvas, p->map.x - 36.0, p->map.y + p->map.h + 25.0, small, "z, m");
}

// --- section -------------------------------------------------------------------------------------

// How much a row tells: m2 between its bank soil and a straight line from end to end, and those of
// loose soil by half more: a pit is cut where the heaps in it are.
static double telling(const Picture* p, int j)
{
    double first = surface(p, 0, j), last = surface(p, p->def->nx - 1, j), sum = 0.0;
    for (int i = 0; i < p->def->nx; ++i) {
        double bank = (double)terrain_bank_top(p->terrain, terrain_cell(p->terrain, i, j));
        double line = first + (last - first) * i / p->def->nx;
        sum += fabs(bank - line) + 1.5 * (surface(p, i, j) - bank);
    }
    return sum * (double)p->def->cell;
}

static int telling_row(const Picture* p)
{
    int best = p->def->nz / 2;
    double most = telling(p, best);
    for (int j = 0; j < p->def->nz; ++j) {
        double here = telling(p, j);
        if (here > most + 1e-3) {
            most = here;
            best = j;
        }
    }
    return best;
}

static double section_y(const Picture* p, double low, double high, double height)
{
    return p->section.y + p->section.h * (high - height) / (high - low);
}

static void draw_section_column(const Picture* p, int x, double low, double high)
{
    int i = (int)(((double)x + 0.5) / p->scale / (double)p->def->cell);
    int cell = terrain_cell(p->terrain, i < p->def->nx ? i : p->def->nx - 1, p->row);
    const TerrainState* s = terrain_state(p->terrain);
    double area = (double)p->def->cell * (double)p->def->cell, left = p->section.x + x;
    double at = (double)s->base[cell], floor_y = p->section.y + p->section.h;
    double y = section_y(p, low, high, at);
    plot_rect(p->canvas, (PlotRect){left, y, 1.0, fmax(0.0, floor_y - y)}, soil_color(p, -1), 1.0);
    for (int k = 0; k < TERRAIN_STRATA_MAX; ++k) {
        int soil = s->soil[cell] >> (4 * k) & 15;
        if (s->bank[k][cell] == 0)
            continue;
        double top = at + (double)s->bank[k][cell] /
                              (1e6 * (double)p->def->material[soil].density_bank * area);
        double y1 = section_y(p, low, high, top);
        plot_rect(p->canvas, (PlotRect){left, y1, 1.0, y - y1}, soil_color(p, soil), 1.0);
        at = top;
        y = y1;
    }
    double y1 = section_y(p, low, high, (double)terrain_surface(p->terrain, cell));
    if (is_loose(p, cell)) {
        PlotColor color = loose_color(soil_color(p, terrain_top_material(p->terrain, cell)));
        plot_rect(p->canvas, (PlotRect){left, y1, 1.0, y - y1}, color, 1.0);
        for (int k = (int)y1 + 1; k < (int)y; ++k)
            plot_rect(p->canvas, (PlotRect){left, k, 1.0, 1.0}, dotted(color, x, k), 1.0);
    }
    plot_rect(p->canvas, (PlotRect){left, y1, 1.0, 1.5}, plot_chart_ink(), 0.8);
}

static void draw_section(const Picture* p)
{
    char text[96];
    const TerrainState* s = terrain_state(p->terrain);
    double low = 1e30, high = -1e30;
    for (int i = 0; i < p->def->nx; ++i) {
        int cell = terrain_cell(p->terrain, i, p->row);
        low = fmin(low, (double)s->base[cell]);
        high = fmax(high, (double)terrain_surface(p->terrain, cell));
    }
    double air = 0.06 * (high - low) + 0.01;
    low -= air, high += air;
    for (int x = 0; x < (int)p->section.w; ++x)
        draw_section_column(p, x, low, high);

    PlotText small = text_style(15.0, PLOT_ALIGN_RIGHT);
    double step = round_step(high - low, 4.0);
    for (double v = ceil(low / step) * step; v <= high; v += step) {
        double y = section_y(p, low, high, v);
        plot_line(p->canvas, p->section.x - 6.0, y, p->section.x, y, 1.0, plot_chart_ink());
        snprintf(text, sizeof text, "%g", fabs(v) < 1e-9 ? 0.0 : v);
        plot_text(p->canvas, p->section.x - 9.0, y + 5.0, small, text);
    }
    double z = (double)p->def->origin.z + ((double)p->row + 0.5) * (double)p->def->cell;
    double factor = p->section.h / (high - low) / p->scale;
    small.align = PLOT_ALIGN_LEFT;
    snprintf(text, sizeof text,
             "section along the dashed line, z = %.2f m; heights in m, drawn %.1f times", z,
             factor);
    plot_text(p->canvas, p->section.x, p->section.y - 9.0, small, text);

    // where it is on the map
    double y = p->map.y + ((double)p->row + 0.5) * (double)p->def->cell * p->scale;
    double xs[2] = {p->map.x, p->map.x + p->map.w}, ys[2] = {y, y};
    plot_polyline(p->canvas, xs, ys, 2, 1.4, PLOT_DASH_LONG, plot_color(0xfff6d8));
}

// --- legend --------------------------------------------------------------------------------------

static double legend_row(const Picture* p, double x, double y, PlotColor color, bool loose,
                         const char* text)
{
    plot_rect(p->canvas, (PlotRect){x, y - 13.0, 30.0, 18.0}, plot_chart_ink(), 0.7);
    plot_rect(p->canvas, (PlotRect){x + 1.0, y - 12.0, 28.0, 16.0}, color, 1.0);
    for (int k = 0; loose && k < 28 * 16; ++k)
        plot_rect(p->canvas, (PlotRect){x + 1.0 + k % 28, y - 12.0 + k / 28, 1.0, 1.0},
                  dotted(color, k % 28, k / 28), 1.0);
    plot_text(p->canvas, x + 38.0, y, text_style(16.0, PLOT_ALIGN_LEFT), text);
    return y + 26.0;
}

// Names of materials as people write them.
static void spell(char* text)
{
    for (; *text; ++text)
        *text = *text == '_' ? ' ' : *text;
}

// Bank soils as they lie in the ground, then what is heaped on it.
static double draw_soils(const Picture* p, double x, double y)
{
    char text[96];
    const TerrainLedger* ledger = &terrain_state(p->terrain)->ledger;
    for (int k = 0; k < 2 * p->info->material_count; ++k) {
        int m = k % p->info->material_count;
        bool loose = k >= p->info->material_count;
        if ((loose ? &ledger->loose : &ledger->bank)->of[m] == 0)
            continue;
        snprintf(text, sizeof text, "%.16s, %s", p->info->material[m]->name,
                 loose ? "loose" : "bank");
        spell(text);
        PlotColor color = soil_color(p, m);
        y = legend_row(p, x, y, loose ? loose_color(color) : color, loose, text);
    }
    return y;
}

static void draw_legend(const Picture* p, double contour)
{
    char text[96];
    double x = p->map.x + p->map.w + 22.0, y = draw_soils(p, x, p->map.y + 22.0);
    y = legend_row(p, x, y, soil_color(p, -1), false, "bedrock");

    PlotText style = text_style(16.0, PLOT_ALIGN_LEFT);
    y += 12.0;
    if (p->high - p->low < 0.01)
        snprintf(text, sizeof text, "level, at %.2f m", p->low + 0.0);
    else
        snprintf(text, sizeof text, "heights %.2f to %.2f m", p->low, p->high);
    plot_text(p->canvas, x, y, style, text);
    if (contour > 0.0) {
        snprintf(text, sizeof text, "lines every %g m", contour);
        plot_text(p->canvas, x, y + 22.0, style, text);
    }
    // a ruler of a round length
    double metres = round_step(100.0 / p->scale, 1.0);
    y += 70.0;
    plot_line(p->canvas, x, y, x + metres * p->scale, y, 3.0, plot_chart_ink());
    snprintf(text, sizeof text, "%g m", metres);
    plot_text(p->canvas, x, y - 8.0, style, text);
}

static void frame(const Picture* p, PlotRect r)
{
    double x[5] = {r.x, r.x + r.w, r.x + r.w, r.x, r.x},
           y[5] = {r.y, r.y, r.y + r.h, r.y + r.h, r.y};
    plot_polyline(p->canvas, x, y, 5, 1.2, PLOT_DASH_SOLID, plot_chart_ink());
}

static void measure(Picture* p)
{
    p->low = p->high = surface(p, 0, 0);
    for (int j = 0; j < p->def->nz; ++j) {
        for (int i = 0; i < p->def->nx; ++i) {
            p->low = fmin(p->low, surface(p, i, j));
            p->high = fmax(p->high, surface(p, i, j));
        }
    }
    p->row = telling_row(p);
}

static void draw(const Picture* p, const char* name)
{
    char text[160];
    double range = p->high - p->low, contour = range > 0.02 ? round_step(range, 15.0) : 0.0;
    const char* slash = strrchr(name, '/');
    const char* file = slash ? slash + 1 : name;
    snprintf(text, sizeof text, "%.80s", p->info->title[0] ? p->info->title : file);
    plot_text(p->canvas, EDGE, EDGE, text_style(28.0, PLOT_ALIGN_LEFT), text);
    snprintf(text, sizeof text, "%g x %g m, %d x %d columns of %g m",
             (double)p->def->cell * p->def->nx, (double)p->def->cell * p->def->nz, p->def->nx,
             p->def->nz, (double)p->def->cell);
    plot_text(p->canvas, EDGE, EDGE + 25.0, text_style(17.0, PLOT_ALIGN_LEFT), text);
    draw_ground(p);
    if (contour > 0.0)
        draw_contours(p, contour);
    draw_axes(p);
    draw_section(p);
    draw_legend(p, contour);
    frame(p, p->map);
    frame(p, p->section);
}

bool app_site_picture(const Terrain* terrain, const SiteInfo* info, const MaterialSet* set,
                      const char* name, const char* path)
{
    const TerrainDef* def = terrain_definition(terrain);
    Picture p = {.terrain = terrain, .def = def, .info = info, .set = set};
    double sx = (double)def->nx * (double)def->cell, sz = (double)def->nz * (double)def->cell;
    p.scale = MAP_MOST / fmax(sx, sz);
    p.map = (PlotRect){EDGE + 24.0, EDGE + HEADING, fmax(1.0, floor(sx * p.scale)),
                       fmax(1.0, floor(sz * p.scale))};
    p.section = (PlotRect){p.map.x, p.map.y + p.map.h + 62.0, p.map.w, SECTION};
    double height = fmax(p.section.y + SECTION, EDGE + HEADING + 420.0) + EDGE;
    double width = fmax(p.map.x + p.map.w + LEGEND + EDGE, WIDTH_LEAST);
    p.canvas = plot_canvas_create((int)width, (int)height, plot_color(0xfbfaf7));
    if (!p.canvas) {
        base_error("not enough memory for a picture");
        return false;
    }
    measure(&p);
    draw(&p, name);
    bool fine = plot_canvas_save(p.canvas, path);
    plot_canvas_destroy(p.canvas);
    return fine;
}
