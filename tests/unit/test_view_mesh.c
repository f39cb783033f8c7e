// Meshes from outlines: solids are closed, hold the volume that geometry gives them, and look outwards.
#include "view/view_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

static BaseArena arena;
static MachineDef def;
static ViewMeshSet set;

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, 64u << 20));
}

void tearDown(void)
{
    base_arena_free(&arena);
}

static const char head[] = "title: A part\nclass: object\nbodies:\n"
                           "  block: {mass: 100 kg, com: [0, 0, 0], inertia: [10, 10, 10]}\n"
                           "look:\n  materials:\n    paint: {color: [255, 0, 188]}\n"
                           "    glass: {color: [0, 0, 0], opacity: 0.4}\n  parts:\n"
                           "    - {body: block, material: paint, ";

// The mesh of one part, written as flow mapping.
static void build(const char* part, ViewMeshLod lod)
{
    char path[] = "/tmp/mattock_look_XXXXXX", text[2000];
    int length = snprintf(text, sizeof text, "%s%s}\n", head, part);
    int handle = mkstemp(path);
    TEST_ASSERT_TRUE(handle >= 0);
    TEST_ASSERT_EQUAL_INT(length, (int)write(handle, text, (size_t)length));
    close(handle);
    BaseYamlError error;
    memset(&def, 0, sizeof def);
    bool fine = machine_load(path, &arena, &def, &error);
    unlink(path);
    TEST_ASSERT_TRUE_MESSAGE(fine, error.text);
    TEST_ASSERT_TRUE(view_mesh_build(&def, lod, &arena, &set));
}

static const float* corner(int index)
{
    return set.vertices[set.indices[index]].position;
}

// Sum of the tetrahedra below all triangles: the volume of a closed solid whose triangles go round
// anticlockwise seen from outside.
static double volume(void)
{
    double sum = 0.0;
    for (int i = 0; i < set.index_count; i += 3) {
        const float *a = corner(i), *b = corner(i + 1), *c = corner(i + 2);
        sum += (double)a[0] * ((double)b[1] * (double)c[2] - (double)b[2] * (double)c[1]) -
               (double)a[1] * ((double)b[0] * (double)c[2] - (double)b[2] * (double)c[0]) +
               (double)a[2] * ((double)b[0] * (double)c[1] - (double)b[1] * (double)c[0]);
    }
    return sum / 6.0;
}

// In a closed surface the area vectors of all triangles cancel.
static double leak(void)
{
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < set.index_count; i += 3) {
        const float *a = corner(i), *b = corner(i + 1), *c = corner(i + 2);
        double u[3], v[3];
        for (int k = 0; k < 3; ++k) {
            u[k] = (double)b[k] - (double)a[k];
            v[k] = (double)c[k] - (double)a[k];
        }
        for (int k = 0; k < 3; ++k)
            sum[k] += u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

static void assert_solid(const char* part, ViewMeshLod lod, double wanted, double slack)
{
    char told[300];
    build(part, lod);
    snprintf(told, sizeof told, "%.200s: %.6f m3, leak %.2g m2", part, volume(), leak());
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(slack, wanted, volume(), told);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-4, 0.0, leak(), told);
}

// A box of 2 x 3 x 5 dm holds 30 litres, along any axis, turned and moved, mirrored twice as much.
static void boxes_hold_their_volume(void)
{
    static const char* const axes[] = {"x", "y", "z"};
    char part[200];
    for (int k = 0; k < 3; ++k) {
        snprintf(part, sizeof part, "box: {center: [0.5, 1, 2], size: [0.2, 0.3, 0.5], axis: %s}",
                 axes[k]);
        assert_solid(part, VIEW_MESH_NEAR, 0.030, 1e-5);
    }
    assert_solid("turn: 33, at: [4, 5, 6], box: {center: [0.5, 1, 2], size: [0.2, 0.3, 0.5]}",
                 VIEW_MESH_NEAR, 0.030, 1e-4);
    assert_solid("mirror: true, box: {center: [0, 0, 2], size: [0.2, 0.3, 0.5]}", VIEW_MESH_FAR,
                 0.060, 1e-5);
    assert_solid("repeat: 4, step: [1, 0, 0], box: {center: [0, 0, 0], size: [0.2, 0.3, 0.5]}",
                 VIEW_MESH_NEAR, 0.120, 1e-5);
}

// Bevels and rounded corners take off what they should: a bevel of b on both faces of a square prism of
// side s leaves two frustums.
static void bevels_take_off_their_edge(void)
{
    double s = 0.4, t = 0.38, b = 0.01, frustum = b / 3.0 * (s * s + s * t + t * t);
    assert_solid("box: {center: [0, 0, 0], size: [0.4, 0.4, 0.3], bevel: 0.01}", VIEW_MESH_NEAR,
                 s * s * (0.3 - 2 * b) + 2 * frustum, 1e-6);
    // four arcs of three chords each leave a little less than the quarter circles
    assert_solid("box: {center: [0, 0, 0], size: [0.4, 0.4, 0.3], round: 0.1}", VIEW_MESH_NEAR,
                 (s * s - 0.01 * (4.0 - 3.0)) * 0.3, 2e-5);
}

// An L that is drawn the other way round is the same solid.
static void outlines_go_either_way(void)
{
    double wanted = (0.3 * 0.1 + 0.1 * 0.2) * 0.5;
    assert_solid(
        "plate: {outline: [0, 0, 0.3, 0, 0.3, 0.1, 0.1, 0.1, 0.1, 0.3, 0, 0.3], span: [-0.2, "
        "0.3]}",
        VIEW_MESH_NEAR, wanted, 1e-6);
    assert_solid(
        "plate: {outline: [0, 0.3, 0.1, 0.3, 0.1, 0.1, 0.3, 0.1, 0.3, 0, 0, 0], span: [-0.2, "
        "0.3], axis: y}",
        VIEW_MESH_NEAR, wanted, 1e-6);
}

// A rim has a hole, a taper makes a frustum, a lean changes nothing.
static void rims_tapers_and_leans(void)
{
    assert_solid("plate: {outline: [0, 0, 0.6, 0, 0.6, 0.4, 0, 0.4], span: [0, 0.1], frame: 0.05}",
                 VIEW_MESH_NEAR, (0.6 * 0.4 - 0.5 * 0.3) * 0.1, 1e-6);
    double a = 0.16, b = 0.04;
    assert_solid(
        "plate: {outline: [0, 0, 0.4, 0, 0.4, 0.4, 0, 0.4], span: [0, 0.3], taper: [0, 0.1]}",
        VIEW_MESH_NEAR, 0.3 / 3.0 * (a + b + sqrt(a * b)), 1e-6);
    assert_solid(
        "plate: {outline: [0, 0, 0.4, 0, 0.4, 0.4, 0, 0.4], span: [0, 0.3], lean: [0.2, -0.1]}",
        VIEW_MESH_NEAR, 0.16 * 0.3, 1e-6);
}

// A sheet to the left or to the right of its line has the line's length times its thickness.
static void sheets_have_their_thickness(void)
{
    assert_solid("sheet: {profile: [0, 0, 0.5, 0], thickness: 0.02, span: [-1, 1]}", VIEW_MESH_NEAR,
                 0.5 * 0.02 * 2.0, 1e-6);
    // to the inside of a right angle the mitre takes one square off
    assert_solid("sheet: {profile: [0, 0, 0.5, 0, 0.5, 0.5], thickness: 0.02, span: [-1, 1]}",
                 VIEW_MESH_NEAR, (1.0 * 0.02 - 0.0004) * 2.0, 1e-6);
    assert_solid("sheet: {profile: [0, 0, 0.5, 0, 0.5, 0.5], thickness: -0.02, span: [-1, 1]}",
                 VIEW_MESH_NEAR, (1.0 * 0.02 + 0.0004) * 2.0, 1e-6);
}

// A turned profile with n sides and a straight tube are prisms with n sides.
static void turned_and_swept_are_prisms(void)
{
    double n = 12, disc = 0.5 * n * sin(2.0 * BASE_PI / n);
    assert_solid("lathe: {profile: [0, 0, 0, 0.1, 0.5, 0.1, 0.5, 0], center: [1, 2, 3], axis: x}",
                 VIEW_MESH_NEAR, disc * 0.01 * 0.5, 1e-5);
    assert_solid("lathe: {profile: [0.5, 0, 0.5, 0.1, 0, 0.1, 0, 0], axis: y}", VIEW_MESH_NEAR,
                 disc * 0.01 * 0.5, 1e-5);
    n = 8;
    disc = 0.5 * n * sin(2.0 * BASE_PI / n);
    assert_solid("tube: {path: [0, 0, 0, 0, 0.7, 0], radius: 0.05}", VIEW_MESH_NEAR,
                 disc * 0.0025 * 0.7, 1e-6);
    build("tube: {path: [0, 0, 0, 0, 0.7, 0, 0.6, 0.7, 0.3], radius: 0.05, bend: 0.2}",
          VIEW_MESH_NEAR);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.0, leak());
}

// Colours come out linear; glass makes a part of its own, drawn last.
static void materials_and_glass(void)
{
    build("box: {center: [0, 0, 0], size: [1, 1, 1]}}\n    - {body: block, material: glass, box: "
          "{center: "
          "[0, 0, 0], size: [2, 2, 2]}",
          VIEW_MESH_NEAR);
    TEST_ASSERT_EQUAL_INT(2, set.part_count);
    TEST_ASSERT_FALSE(set.parts[0].glass);
    TEST_ASSERT_TRUE(set.parts[1].glass);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1.0f, set.materials[0].color[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.0f, set.materials[0].color[1]);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.503f,
                             set.materials[0].color[2]); // 188 of 255 is half the light
}

// Details are left out of the far mesh; a vehicle without a look has no mesh; a full arena is told.
static void what_there_is_not(void)
{
    build("detail: 1, box: {center: [0, 0, 0], size: [1, 1, 1]}", VIEW_MESH_FAR);
    TEST_ASSERT_EQUAL_INT(0, set.part_count);
    MachineLookDef* look = def.look;
    def.look = NULL;
    TEST_ASSERT_TRUE(view_mesh_build(&def, VIEW_MESH_NEAR, &arena, &set));
    TEST_ASSERT_EQUAL_INT(0, set.vertex_count);
    def.look = look;
    BaseArena small;
    TEST_ASSERT_TRUE(base_arena_init(&small, 512));
    size_t used = small.used;
    TEST_ASSERT_FALSE(view_mesh_build(&def, VIEW_MESH_NEAR, &small, &set));
    TEST_ASSERT_EQUAL_INT(0, set.vertex_count);
    TEST_ASSERT_EQUAL_UINT64(used, small.used);
    base_arena_free(&small);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(boxes_hold_their_volume);
    RUN_TEST(bevels_take_off_their_edge);
    RUN_TEST(outlines_go_either_way);
    RUN_TEST(rims_tapers_and_leans);
    RUN_TEST(sheets_have_their_thickness);
    RUN_TEST(turned_and_swept_are_prisms);
    RUN_TEST(materials_and_glass);
    RUN_TEST(what_there_is_not);
    return UNITY_END();
}
