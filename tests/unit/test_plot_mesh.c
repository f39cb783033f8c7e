// Lit triangles without a graphics card: what is near hides what is far, glass lets through, the ground
// has shadows, and the camera sees everything.
#include "plot/plot_mesh.h"

#include <unity.h>

#define SIDE 64

static PlotCanvas* canvas;
static PlotMeshVertex vertices[24];
static PlotMeshTriangle triangles[12];
static PlotMesh mesh;

static const PlotMeshMaterial materials[] = {
    {{0.8f, 0.05f, 0.05f}, 0.9f, 0.0f, 1.0f, 0.0f},  // red
    {{0.05f, 0.05f, 0.8f}, 0.9f, 0.0f, 1.0f, 0.0f},  // blue
    {{0.02f, 0.02f, 0.02f}, 0.3f, 0.0f, 0.4f, 0.0f}, // dark glass
};

void setUp(void)
{
    canvas = plot_canvas_create(SIDE, SIDE, plot_color(0xffffff));
    TEST_ASSERT_NOT_NULL(canvas);
    mesh = (PlotMesh){
        .vertices = vertices, .triangles = triangles, .materials = materials, .material_count = 3};
}

void tearDown(void)
{
    plot_canvas_destroy(canvas);
}

// An upright square that looks along +x.
static void square(float x, float y, float half, int material)
{
    static const float corner[4][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
    int first = mesh.vertex_count;
    for (int i = 0; i < 4; ++i)
        vertices[mesh.vertex_count++] =
            (PlotMeshVertex){{x, y + half * corner[i][1], half * corner[i][0]}, {1, 0, 0}};
    for (int k = 0; k < 2; ++k)
        triangles[mesh.triangle_count++] = (PlotMeshTriangle){
            {(uint32_t)first, (uint32_t)(first + 1 + k), (uint32_t)(first + 2 + k)}, material};
}

static const PlotMeshCamera ahead = {{10, 2, 0}, {0, 2, 0}, 0.6f}; // from the front

static PlotColor middle(void)
{
    return plot_canvas_pixel(canvas, SIDE / 2, SIDE / 2);
}

// Whatever the order in which they are drawn.
static void near_hides_far(void)
{
    for (int order = 0; order < 2; ++order) {
        mesh.vertex_count = mesh.triangle_count = 0;
        square(order ? 1.0f : -1.0f, 2.0f, 1.0f, order ? 0 : 1);
        square(order ? -1.0f : 1.0f, 2.0f, 1.0f, order ? 1 : 0);
        TEST_ASSERT_TRUE(plot_mesh_draw(canvas, &mesh, &ahead));
        PlotColor c = middle();
        TEST_ASSERT_TRUE(c.r > 2.0f * c.b);
    }
}

// Dark glass before red: darker, and red still.
static void glass_lets_through(void)
{
    square(0.0f, 2.0f, 1.0f, 0);
    TEST_ASSERT_TRUE(plot_mesh_draw(canvas, &mesh, &ahead));
    PlotColor bare = middle();
    square(1.0f, 2.0f, 1.0f, 2);
    TEST_ASSERT_TRUE(plot_mesh_draw(canvas, &mesh, &ahead));
    PlotColor glazed = middle();
    TEST_ASSERT_TRUE(glazed.r < 0.95f * bare.r);
    TEST_ASSERT_TRUE(glazed.r > 1.5f * glazed.b);
}

// Both triangles of a pane share its diagonal; no sample there is painted twice.
static void panes_have_no_seam(void)
{
    square(0.0f, 2.0f, 2.5f, 1);
    square(1.0f, 2.0f, 2.5f, 2);
    TEST_ASSERT_TRUE(plot_mesh_draw(canvas, &mesh, &ahead));
    PlotColor c = middle();
    for (int i = -8; i <= 8; ++i) {
        PlotColor o = plot_canvas_pixel(canvas, SIDE / 2 + i, SIDE / 2 - i);
        TEST_ASSERT_FLOAT_WITHIN(0.06f, c.b, o.b);
    }
}

// A wall in the sun darkens a piece of the ground behind it, and only that.
static void walls_cast_shadows(void)
{
    square(0.0f, 1.0f, 1.0f, 0);
    PlotMeshCamera high = {{5, 8, 0}, {-0.5f, 0, 0}, 0.6f};
    TEST_ASSERT_TRUE(plot_mesh_draw(canvas, &mesh, &high));
    int dark = 0, bright = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        PlotColor c = plot_canvas_pixel(canvas, i % SIDE, i / SIDE);
        bool wall = c.r > 1.3f * c.b;
        dark += !wall && c.g < 0.62f;
        bright += !wall && c.g > 0.72f;
    }
    TEST_ASSERT_TRUE(dark > 50);
    TEST_ASSERT_TRUE(bright > 500);

    // without the wall nothing is dark
    mesh.triangle_count = 0;
    TEST_ASSERT_TRUE(plot_mesh_draw(canvas, &mesh, &high));
    for (int i = 0; i < SIDE * SIDE; ++i)
        TEST_ASSERT_TRUE(plot_canvas_pixel(canvas, i % SIDE, i / SIDE).g > 0.62f);
}

// From any side the fitted camera has the mesh inside the picture and fills most of it.
static void the_fit_shows_everything(void)
{
    static const float around[] = {0.0f, 0.7f, 2.0f, 3.1f, -1.5f};
    square(0.0f, 2.0f, 1.0f, 0);
    square(3.0f, 1.0f, 0.5f, 0);
    for (int k = 0; k < 5; ++k) {
        PlotMeshCamera camera = plot_mesh_fit(&mesh, canvas, around[k], 0.3f, 0.5f, 1.0f);
        TEST_ASSERT_TRUE(plot_mesh_draw(canvas, &mesh, &camera));
        int red = 0;
        for (int i = 0; i < SIDE * SIDE; ++i) {
            int x = i % SIDE, y = i / SIDE;
            PlotColor c = plot_canvas_pixel(canvas, x, y);
            bool here = c.r > 1.6f * c.b && c.r > 1.6f * c.g;
            red += here;
            bool rim = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
            TEST_ASSERT_FALSE(here && rim);
        }
        TEST_ASSERT_TRUE(red > 60);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(near_hides_far);
    RUN_TEST(glass_lets_through);
    RUN_TEST(panes_have_no_seam);
    RUN_TEST(walls_cast_shadows);
    RUN_TEST(the_fit_shows_everything);
    return UNITY_END();
}
