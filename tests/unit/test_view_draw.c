// The drawing list: shapes stay inside their bounds, text is as wide as measured, nothing overflows.
#include "base/base_math.h"
#include "view/view_hud.h"

#include "unity.h"

#include <stdio.h>

static ViewFont font;
static ViewDraw d;

void setUp(void)
{
    TEST_ASSERT_TRUE(view_font_load(&font, "assets/fonts/DejaVuSans.ttf"));
    TEST_ASSERT_TRUE(view_draw_init(&d, &font, 20000));
}

void tearDown(void)
{
    view_draw_free(&d);
    view_font_free(&font);
}

static void bounds(float out[4])
{
    out[0] = out[1] = 1e9f, out[2] = out[3] = -1e9f;
    for (int k = 0; k < d.vertex_count; ++k) {
        const ViewDrawVertex* v = &d.vertex[k];
        out[0] = v->x < out[0] ? v->x : out[0], out[1] = v->y < out[1] ? v->y : out[1];
        out[2] = v->x > out[2] ? v->x : out[2], out[3] = v->y > out[3] ? v->y : out[3];
    }
}

// All letters lie within the width that was measured, umlauts and arrows included.
static void text_is_as_wide_as_measured(void)
{
    const char* text = "Depth 1.25 m \u2013 \u00fcber \u25b2 \u26a0";
    float box[4], width = view_font_width(&font, 18, text);
    TEST_ASSERT_EQUAL_FLOAT(width, view_draw_text(&d, 100, 50, 18, VIEW_LEFT, 0xffffffff, text));
    bounds(box);
    TEST_ASSERT_TRUE(box[0] >= 98 && box[2] <= 102 + width && box[2] > 90 + width);
    TEST_ASSERT_TRUE(box[1] > 30 && box[3] < 58);
}

// Twice the scale, twice the width.
static void text_scales(void)
{
    float small = view_font_width(&font, 18, "Grade screen");
    TEST_ASSERT_TRUE(view_font_paint(&font, 2.0f));
    TEST_ASSERT_FLOAT_WITHIN(0.03f * small, 2.0f * small,
                             view_font_width(&font, 36, "Grade screen"));
}

// Bad bytes are drawn as something and end where the text ends.
static void bad_bytes_do_no_harm(void)
{
    TEST_ASSERT_TRUE(view_draw_text(&d, 0, 20, 18, VIEW_LEFT, 0xffffffff, "a\xff\xc3") > 0);
    TEST_ASSERT_TRUE(view_draw_text(&d, 0, 20, 18, VIEW_LEFT, 0xffffffff, "\xe2\x86") > 0);
}

// A full list refuses and counts; what is in it stays whole.
static void a_full_list_refuses(void)
{
    ViewDraw small;
    TEST_ASSERT_TRUE(view_draw_init(&small, &font, 10));
    for (int k = 0; k < 5; ++k)
        view_draw_rect(&small, 0, 0, 5, 5, 0xff0000ff);
    TEST_ASSERT_EQUAL_INT(8, small.vertex_count);
    TEST_ASSERT_EQUAL_INT(12, small.index_count);
    TEST_ASSERT_EQUAL_INT(3, small.refused);
    view_draw_free(&small);
}

static ViewHud everything(void)
{
    ViewHud h = view_hud();
    h.controls = h.load = h.grade = h.engine = h.timings = true;
    h.stick[0][0] = 1, h.stick[1][1] = -1, h.pedal[0] = 0.5f;
    h.action[0] = "swing", h.action[1] = "stick", h.action[2] = "bucket", h.action[3] = "boom";
    h.payload = 1450, h.fill = 1.1f, h.truck = 9000, h.truck_full = 18000;
    h.depth = 1.2f, h.offset = -0.08f, h.slope = 0.1f, h.swing = 1, h.rpm = 1800,
    h.load_part = 0.7f;
    h.pressure[0] = 2e7f, h.time = 75, h.time_limit = 300, h.score = 82;
    snprintf(h.hint, sizeof h.hint, "Dig along the green line");
    snprintf(h.warning, sizeof h.warning, "Too deep");
    for (int k = 0; k < 20; ++k) {
        h.ground.xy[2 * k] = h.target.xy[2 * k] = 0.3f * (float)k;
        h.ground.xy[2 * k + 1] = 0.1f * (float)(k % 3), h.target.xy[2 * k + 1] = -1;
    }
    h.ground.points = h.target.points = 20;
    return h;
}

// The whole HUD fits into windows of all kinds, and takes only part of the list.
static void the_hud_fits_its_window(void)
{
    const int size[4][2] = {{1280, 720}, {800, 600}, {3840, 2160}, {1920, 1080}};
    ViewHud hud = everything();
    for (int k = 0; k < 4; ++k) {
        float box[4];
        view_draw_clear(&d);
        TEST_ASSERT_TRUE(view_font_paint(&font, view_hud_scale(size[k][0], size[k][1])));
        view_hud_draw(&hud, &d, size[k][0], size[k][1]);
        bounds(box);
        TEST_ASSERT_TRUE(box[0] >= 0 && box[1] >= 0);
        TEST_ASSERT_TRUE(box[2] <= (float)size[k][0] && box[3] <= (float)size[k][1]);
        TEST_ASSERT_EQUAL_INT(0, d.refused);
        TEST_ASSERT_TRUE(d.vertex_count > 1000 && d.vertex_count < 12000);
    }
}

// Height of the smallest capital letter below the panels and above the levers, px.
static float smallest_text(float from, float to)
{
    float least = 1e9f;
    for (int k = 0; k + 3 < d.vertex_count; k += 4) {
        float low = d.vertex[k].y, high = d.vertex[k].y;
        for (int n = 1; n < 4; ++n)
            low = base_minf(low, d.vertex[k + n].y), high = base_maxf(high, d.vertex[k + n].y);
        if (low > from && high < to && high - low > 5.0f)
            least = base_minf(least, high - low);
    }
    return least;
}

// A long sentence takes two lines instead of shrinking until nobody can read it.
static void a_long_sentence_takes_two_lines(void)
{
    ViewHud hud = view_hud();
    float box[4];
    snprintf(
        hud.hint, sizeof hud.hint,
        "MMMMMMM MMMMM MMM MMMMMMM MMMM MMMM MMMM MMMMMMM MMMMMM MMMMM MMM MM MMMM MMMMMM MMM MMM "
        "MMMMM MMMM");
    TEST_ASSERT_TRUE(view_font_paint(&font, view_hud_scale(800, 600)));
    view_draw_clear(&d);
    view_hud_draw(&hud, &d, 800, 600);
    bounds(box);
    TEST_ASSERT_TRUE(box[0] >= 0 && box[2] <= 800 && box[3] < 300);
    TEST_ASSERT_TRUE(smallest_text(80, 300) > 9.0f);
}

// Too deep is told by a sign as well as by a colour.
static void signs_go_with_colours(void)
{
    ViewHud hud = view_hud();
    hud.grade = hud.aimed = true, hud.offset = -0.2f;
    view_hud_draw(&hud, &d, 1280, 720);
    int deep = d.index_count;
    view_draw_clear(&d);
    hud.offset = 0.0f;
    view_hud_draw(&hud, &d, 1280, 720);
    TEST_ASSERT_TRUE(deep != d.index_count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(text_is_as_wide_as_measured);
    RUN_TEST(text_scales);
    RUN_TEST(bad_bytes_do_no_harm);
    RUN_TEST(a_full_list_refuses);
    RUN_TEST(the_hud_fits_its_window);
    RUN_TEST(a_long_sentence_takes_two_lines);
    RUN_TEST(signs_go_with_colours);
    return UNITY_END();
}
