// Chunks of the ground: wherever the eye is, they fit together without a crack or an overlap.
#include "view/view_lod.h"

#include "unity.h"

#include <stdlib.h>

#define NX 149
#define NZ 230

static ViewGround ground;
static ViewLod lod;

void setUp(void)
{
    TEST_ASSERT_TRUE(view_ground_init(&ground, NX, NZ, 0.1f, vec3(-3, 0, 7)));
    for (int c = 0; c < NX * NZ; ++c)
        ground.height[c] = sinf(0.1f * (float)(c % NX)) + 0.02f * (float)(c / NX);
    for (int tile = 0; tile < ground.tiles_x * ground.tiles_z; ++tile)
        view_ground_touched(&ground, tile);
    TEST_ASSERT_TRUE(view_lod_init(&lod, &ground));
}

void tearDown(void)
{
    view_lod_free(&lod);
    view_ground_free(&ground);
}

typedef struct Edge {
    int from, to;
} Edge;

static int compare(const void* a, const void* b)
{
    const Edge *p = a, *q = b;
    return p->from != q->from ? (p->from > q->from) - (p->from < q->from)
                              : (p->to > q->to) - (p->to < q->to);
}

static Edge edges[3 * 2 * 256 * 200];
static int edge_count;

static int corner(const ViewChunk* c, int u, int v)
{
    int i, j;
    view_lod_vertex(c, &ground, u, v, &i, &j);
    TEST_ASSERT_TRUE(i >= 0 && j >= 0 && i < NX && j < NZ);
    return j * NX + i;
}

// Returns twice the area in columns, positive when the triangle looks up.
static int add_triangle(int a, int b, int c)
{
    int ax = a % NX, az = a / NX, bx = b % NX, bz = b / NX, cx = c % NX, cz = c / NX;
    int area = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    if (a == b || b == c || c == a)
        return 0;
    edges[edge_count++] = (Edge){a, b};
    edges[edge_count++] = (Edge){b, c};
    edges[edge_count++] = (Edge){c, a};
    return area;
}

static int add_chunk(const ViewChunk* c)
{
    int area = 0;
    for (int v = 0; v < VIEW_LOD_SIDE; ++v) {
        for (int u = 0; u < VIEW_LOD_SIDE; ++u) {
            int p = corner(c, u, v), q = corner(c, u + 1, v), r = corner(c, u, v + 1);
            int s = corner(c, u + 1, v + 1), first = add_triangle(p, r, q);
            int second = add_triangle(q, r, s);
            TEST_ASSERT_TRUE(first >= 0 && second >= 0);
            area += first + second;
        }
    }
    return area;
}

static bool on_rim(Edge e)
{
    int ai = e.from % NX, aj = e.from / NX, bi = e.to % NX, bj = e.to / NX;
    return (ai == bi && (ai == 0 || ai == NX - 1)) || (aj == bj && (aj == 0 || aj == NZ - 1));
}

// Every edge is walked once in each direction, but for those on the rim; nothing is covered twice.
static void check_watertight(void)
{
    int area = 0, levels = 0;
    edge_count = 0;
    for (int k = 0; k < lod.count; ++k) {
        area += add_chunk(&lod.chunk[k]);
        levels |= 1 << lod.chunk[k].level;
    }
    TEST_ASSERT_EQUAL_INT(2 * (NX - 1) * (NZ - 1), area);
    qsort(edges, (size_t)edge_count, sizeof *edges, compare);
    for (int k = 0; k < edge_count; ++k) {
        Edge back = {edges[k].to, edges[k].from};
        bool there = bsearch(&back, edges, (size_t)edge_count, sizeof *edges, compare) != NULL;
        TEST_ASSERT_TRUE(there || on_rim(edges[k]));
        TEST_ASSERT_TRUE(k == 0 || compare(&edges[k - 1], &edges[k]) != 0);
    }
}

static int levels_used(void)
{
    int seen = 0, count = 0;
    for (int k = 0; k < lod.count; ++k)
        seen |= 1 << lod.chunk[k].level;
    for (; seen; seen &= seen - 1)
        ++count;
    return count;
}

// From many places and at several details the ground is watertight, with coarse beside fine.
static void no_cracks_wherever_the_eye_is(void)
{
    int most = 0;
    for (int k = 0; k < 40; ++k) {
        Vec3 eye = {-5.0f + 0.61f * (float)k, 0.4f + 0.5f * (float)(k % 7),
                    5.0f + 0.83f * (float)(k * 7 % 40)};
        view_lod_select(&lod, &ground, eye, 0.3f + 0.2f * (float)(k % 5), k % 2, NULL);
        check_watertight();
        most = base_maxi(most, levels_used());
    }
    TEST_ASSERT_TRUE(most >= 3);
}

// What is near is finer than what is far, and more detail means more chunks.
static void near_is_fine(void)
{
    Vec3 eye = {-2.5f, 1.0f, 7.5f};
    view_lod_select(&lod, &ground, eye, 1.0f, 0, NULL);
    int few = lod.count, near = lod.level[0];
    int far = lod.level[ground.tiles_x * ground.tiles_z - 1];
    TEST_ASSERT_EQUAL_INT(0, near);
    TEST_ASSERT_TRUE(far > near);
    view_lod_select(&lod, &ground, eye, 3.0f, 0, NULL);
    TEST_ASSERT_TRUE(lod.count > few);
    view_lod_select(&lod, &ground, eye, 3.0f, 2, NULL);
    TEST_ASSERT_EQUAL_INT(2, lod.level[0]);
}

// Behind the camera nothing is drawn; the levels of what is left do not change.
static void what_is_not_seen_is_left_out(void)
{
    Vec3 eye = {4.0f, 2.0f, 18.0f};
    view_lod_select(&lod, &ground, eye, 2.0f, 0, NULL);
    int all = lod.count;
    ViewCamera camera = view_camera_look(eye, vec3(4, 1, 40), 0.8f);
    ViewMat m = view_camera_matrix(&camera, 1.6f);
    ViewFrustum seen = view_camera_frustum(&m);
    view_lod_select(&lod, &ground, eye, 2.0f, 0, &seen);
    TEST_ASSERT_TRUE(lod.count > 0 && lod.count < all / 2 + 1);
    for (int k = 0; k < lod.count; ++k) {
        const ViewChunk* c = &lod.chunk[k];
        float end =
            ground.origin.z + (float)(c->j + ((VIEW_LOD_SIDE + 1) << c->level)) * ground.cell;
        TEST_ASSERT_TRUE(end > eye.z - 1.0f);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(no_cracks_wherever_the_eye_is);
    RUN_TEST(near_is_fine);
    RUN_TEST(what_is_not_seen_is_left_out);
    return UNITY_END();
}
