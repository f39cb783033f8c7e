// The rasteriser, charts and views, by the pixels they leave.
#include "base/base_path.h"
#include "plot/plot_chart.h"
#include "plot/plot_view.h"

#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static PlotCanvas* canvas;

void setUp(void)
{
    canvas = plot_canvas_create(40, 50, plot_color(0xffffff));
    TEST_ASSERT_NOT_NULL(canvas);
}

void tearDown(void)
{
    plot_canvas_destroy(canvas);
}

static float dark(int x, int y)
{
    return 1.0f - plot_canvas_pixel(canvas, x, y).g;
}

// Ink on the whole picture, in pixels.
static double ink(void)
{
    double sum = 0.0;
    for (int y = 0; y < plot_canvas_height(canvas); ++y)
        for (int x = 0; x < plot_canvas_width(canvas); ++x)
            sum += dark(x, y);
    return sum;
}

// A canvas without area, or too large for memory, is refused.
static void canvas_refuses_impossible_sizes(void)
{
    TEST_ASSERT_NULL(plot_canvas_create(0, 10, plot_color(0)));
    TEST_ASSERT_NULL(plot_canvas_create(10, -1, plot_color(0)));
    TEST_ASSERT_NULL(plot_canvas_create(PLOT_SIZE_MAX + 1, 10, plot_color(0)));
}

// A shape leaves as much ink as it has area.
static void shapes_cover_their_area(void)
{
    plot_rect(canvas, (PlotRect){3.25, 4.5, 10.5, 7.25}, plot_color(0), 1.0);
    TEST_ASSERT_FLOAT_WITHIN(0.01, 10.5 * 7.25, ink());
    tearDown(), setUp();
    plot_disc(canvas, 20.3, 25.6, 9.0, plot_color(0));
    TEST_ASSERT_FLOAT_WITHIN(3.0, 3.14159 * 81.0, ink());
    tearDown(), setUp();
    plot_line(canvas, 5.0, 10.0, 35.0, 10.0, 4.0, plot_color(0));
    TEST_ASSERT_FLOAT_WITHIN(6.0, 30.0 * 4.0 + 3.14159 * 4.0, ink());
    tearDown(), setUp();
    plot_convex(canvas, (double[]){5, 35, 20}, (double[]){40, 40, 10}, 3, plot_color(0));
    TEST_ASSERT_FLOAT_WITHIN(6.0, 0.5 * 30.0 * 30.0, ink());
}

// Corners may go round either way.
static void convex_ignores_the_order_of_corners(void)
{
    plot_convex(canvas, (double[]){20, 35, 5}, (double[]){10, 40, 40}, 3, plot_color(0));
    double one_way = ink();
    tearDown(), setUp();
    plot_convex(canvas, (double[]){5, 35, 20}, (double[]){40, 40, 10}, 3, plot_color(0));
    TEST_ASSERT_FLOAT_WITHIN(0.01, one_way, ink());
}

// A dashed line has less ink than a solid one; a joint is not darker than the stroke.
static void strokes_dash_and_join(void)
{
    double x[3] = {5, 20, 35}, y[3] = {25, 25, 25};
    plot_polyline(canvas, x, y, 3, 1.0, PLOT_DASH_SOLID, plot_color(0));
    double solid = ink();
    TEST_ASSERT_FLOAT_WITHIN(1e-4, dark(10, 24), dark(20, 24));
    for (int dash = PLOT_DASH_LONG; dash < PLOT_DASH_COUNT; ++dash) {
        tearDown(), setUp();
        plot_polyline(canvas, x, y, 3, 1.0, (PlotDash)dash, plot_color(0));
        TEST_ASSERT_TRUE(ink() > 0.05 * solid && ink() < 0.9 * solid);
    }
}

// A NaN in a curve lifts the pen.
static void gaps_stay_empty(void)
{
    double x[4] = {2, 10, 30, 38}, y[4] = {20, 20, 20, 20};
    x[1] = NAN;
    plot_polyline(canvas, x, y, 4, 2.0, PLOT_DASH_SOLID, plot_color(0));
    TEST_ASSERT_EQUAL_FLOAT(0.0f, dark(10, 20));
    TEST_ASSERT_TRUE(dark(34, 20) > 0.9f);
}

// Drawing outside the picture does nothing, and does not crash.
static void outside_is_harmless(void)
{
    plot_disc(canvas, -500.0, 1e9, 20.0, plot_color(0));
    plot_line(canvas, -1e6, -1e6, -5e5, 1e6, 3.0, plot_color(0));
    plot_sphere(canvas, 1e5, 5.0, 3.0, plot_color(0));
    plot_text(canvas, 1e6, -1e6, (PlotText){.size = 12.0}, "far");
    TEST_ASSERT_EQUAL_FLOAT(0.0, ink());
}

// A sphere is lit from the upper left.
static void spheres_are_lit(void)
{
    plot_sphere(canvas, 20.0, 25.0, 15.0, plot_color(0x808080));
    TEST_ASSERT_TRUE(dark(14, 17) < dark(26, 33));
}

// Text needs the shipped font, which is found from the test's own folder.
static void text_finds_its_font(void)
{
    char path[4096];
    TEST_ASSERT_TRUE(base_path_find("assets/fonts/DejaVuSans.ttf", path, sizeof path));
    TEST_ASSERT_FALSE(base_path_find("assets/fonts/none.ttf", path, sizeof path));
    TEST_ASSERT_TRUE(plot_text(canvas, 2.0, 30.0, (PlotText){.size = 20.0}, "μ°"));
    TEST_ASSERT_TRUE(ink() > 20.0);
    TEST_ASSERT_TRUE(plot_text_width(20.0, "wide text") > plot_text_width(20.0, "text"));
}

// A broken UTF-8 text is drawn as far as it makes sense.
static void text_survives_broken_bytes(void)
{
    TEST_ASSERT_TRUE(plot_text(canvas, 2.0, 30.0, (PlotText){.size = 12.0}, "a\xff\xc3"));
    TEST_ASSERT_TRUE(plot_text_width(12.0, "\xe2\x82") >= 0.0);
}

// Ticks are round numbers inside the range.
static void ticks_are_round(void)
{
    double tick[PLOT_CHART_TICKS_MAX], step;
    int count = plot_chart_ticks(-0.13, 0.94, 6, tick, &step);
    TEST_ASSERT_EQUAL_INT(5, count);
    TEST_ASSERT_EQUAL_DOUBLE(0.2, step);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, tick[0]);
    TEST_ASSERT_EQUAL_INT(0, plot_chart_ticks(1.0, 1.0, 5, tick, &step));
    TEST_ASSERT_EQUAL_INT(0, plot_chart_ticks(0.0, INFINITY, 5, tick, &step));
    count = plot_chart_ticks(0.0, 1e-9, 4, tick, &step);
    TEST_ASSERT_TRUE(count >= 3 && count <= 6);
}

// A chart keeps its curves inside the frame, also without any data.
static void charts_clip(void)
{
    double x[3] = {0, 1, 2}, y[3] = {0, 1e9, 0};
    PlotCanvas* large = plot_canvas_create(400, 300, plot_chart_paper());
    PlotChart chart = {.title = "t", .y_range = {0, 1}, .count = 1};
    chart.series[0] = (PlotSeries){.x = x, .y = y, .count = 3, .line = true};
    plot_chart_draw(large, (PlotRect){10, 10, 380, 280}, &chart);
    chart.count = 0;
    plot_chart_draw(large, (PlotRect){10, 10, 380, 280}, &chart);
    PlotColor corner = plot_canvas_pixel(large, 399, 0);
    TEST_ASSERT_EQUAL_FLOAT(plot_chart_paper().g, corner.g);
    plot_canvas_destroy(large);
}

// A view maps the corners of the world to the corners of its area, and near grains hide far ones.
static void views_map_and_sort(void)
{
    PlotView view =
        plot_view_fit((PlotRect){0, 0, 40, 50}, (double[]){0, 0}, (double[]){4, 5}, false);
    TEST_ASSERT_EQUAL_DOUBLE(10.0, view.scale);
    TEST_ASSERT_EQUAL_DOUBLE(40.0, plot_view_x(&view, 4.0));
    TEST_ASSERT_EQUAL_DOUBLE(50.0, plot_view_y(&view, 0.0));
    PlotGrain grains[2] = {{2, 2, 1, 1, 0.0f, 0, 0}, {2, 2, 0, 1, 1.0f, 1, 0}};
    plot_view_grains(canvas, &view, grains, 2, PLOT_SHADE_VALUE);
    PlotColor seen = plot_canvas_pixel(canvas, 20, 30);
    TEST_ASSERT_TRUE(seen.b > seen.r); // the near one is blue: value 0
}

// A picture is a PNG file, or an error that names the path.
static void pictures_are_saved(void)
{
    char path[] = "/tmp/mattock_plot_XXXXXX";
    int handle = mkstemp(path);
    TEST_ASSERT_TRUE(handle >= 0);
    close(handle);
    TEST_ASSERT_TRUE(plot_canvas_save(canvas, path));
    FILE* file = fopen(path, "rb");
    char head[8] = {0};
    TEST_ASSERT_EQUAL_INT(8, (int)fread(head, 1, 8, file));
    TEST_ASSERT_EQUAL_MEMORY("\x89PNG", head, 4);
    fclose(file);
    remove(path);
    TEST_ASSERT_FALSE(plot_canvas_save(canvas, "/nowhere/at/all.png"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(canvas_refuses_impossible_sizes);
    RUN_TEST(shapes_cover_their_area);
    RUN_TEST(convex_ignores_the_order_of_corners);
    RUN_TEST(strokes_dash_and_join);
    RUN_TEST(gaps_stay_empty);
    RUN_TEST(outside_is_harmless);
    RUN_TEST(spheres_are_lit);
    RUN_TEST(text_finds_its_font);
    RUN_TEST(text_survives_broken_bytes);
    RUN_TEST(ticks_are_round);
    RUN_TEST(charts_clip);
    RUN_TEST(views_map_and_sort);
    RUN_TEST(pictures_are_saved);
    return UNITY_END();
}
