// Heights, normals, contacts and rays, inside the site, at its edge and far outside.
#include "scenes/scenes_ground.h"

#include <unity.h>

static Terrain* t; // 4 x 5 columns; rises by 0.05 m per column along x and 0.02 m along z

void setUp(void)
{
    TerrainDef def = scenes_ground_def(4, 5);
    t = terrain_create(&def);
    for (int cell = 0; cell < 20; ++cell) {
        float depth = 1.0f + 0.05f * (float)(cell % 4) + 0.02f * (float)(cell / 4);
        TEST_ASSERT_TRUE(terrain_lay_depth(t, cell, 0, depth));
    }
}

void tearDown(void)
{
    terrain_destroy(t);
}

// Bilinear between the columns' middles: exact on a plane.
static void a_plane_is_a_plane(void)
{
    Vec3 o = terrain_definition(t)->origin;
    for (int k = 0; k < 30; ++k) {
        float u = 0.05f + 0.01f * (float)k, v = 0.05f + 0.013f * (float)k;
        float want = o.y + 1.0f + 0.5f * (u - 0.05f) + 0.2f * (v - 0.05f);
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, want, terrain_height(t, o.x + u, o.z + v));
        Vec3 n = terrain_normal(t, o.x + u, o.z + v), m = vec3_unit(vec3(-0.5f, 1.0f, -0.2f));
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, 1.0f, vec3_dot(n, m));
    }
}

static void outside_the_ground_goes_on(void)
{
    Vec3 o = terrain_definition(t)->origin;
    TEST_ASSERT_EQUAL_FLOAT(terrain_surface(t, 0), terrain_height(t, o.x - 100.0f, o.z - 1e30f));
    TEST_ASSERT_EQUAL_FLOAT(terrain_surface(t, 19), terrain_height(t, o.x + 1e9f, o.z + 99.0f));
    TEST_ASSERT_TRUE(base_finite(terrain_height(t, __builtin_nanf(""), __builtin_inff())));
}

// As high as the edge for ever, so level: what slides off comes to rest there.
static void outside_the_ground_is_level(void)
{
    Vec3 o = terrain_definition(t)->origin, n = terrain_normal(t, o.x - 3.0f, o.z + 0.22f);
    TEST_ASSERT_EQUAL_FLOAT(0.0f, n.x);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, -0.2f, n.z / n.y);
    n = terrain_normal(t, o.x + 0.2f, o.z + 30.0f);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, -0.5f, n.x / n.y);
    TEST_ASSERT_EQUAL_FLOAT(0.0f, n.z);
    n = terrain_normal(t, o.x + 9.0f, o.z + 30.0f);
    TEST_ASSERT_EQUAL_FLOAT(1.0f, n.y);
}

static void columns_are_found_by_place(void)
{
    for (int cell = 0; cell < 20; ++cell) {
        Vec3 c = terrain_center(t, cell);
        TEST_ASSERT_EQUAL_INT(cell, terrain_cell_at(t, c.x, c.z));
    }
    Vec3 o = terrain_definition(t)->origin;
    TEST_ASSERT_EQUAL_INT(-1, terrain_cell_at(t, o.x - 0.001f, o.z + 0.1f));
    TEST_ASSERT_EQUAL_INT(-1, terrain_cell_at(t, o.x + 0.1f, o.z + 0.501f));
    TEST_ASSERT_EQUAL_INT(-1, terrain_cell_at(t, __builtin_nanf(""), o.z));
    TEST_ASSERT_EQUAL_INT(-1, terrain_cell(t, 4, 0));
    TEST_ASSERT_EQUAL_INT(16, terrain_cell(t, 0, 4));
}

// The contact lies on the surface, right below along the normal; friction is the soil's.
static void a_contact_is_the_nearest_ground(void)
{
    Vec3 o = terrain_definition(t)->origin;
    TerrainContact c;
    Vec3 p = vec3(o.x + 0.2f, o.y + 1.3f, o.z + 0.2f);
    TEST_ASSERT_FALSE(terrain_contact(t, p, 0.05f, &c));
    TEST_ASSERT_TRUE(terrain_contact(t, p, 0.5f, &c));
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, terrain_height(t, c.point.x, c.point.z), c.point.y);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.6745f, c.friction); // tan 34 degrees, bank
    terrain_deposit(t, c.cell, 0, 1000);
    TEST_ASSERT_TRUE(terrain_contact(t, p, 0.5f, &c));
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 0.5774f, c.friction); // tan 30 degrees, loose
    p.y = -10.0f;
    TEST_ASSERT_TRUE(terrain_contact(t, p, 0.0f, &c)); // deep below still finds the way out
    TEST_ASSERT_TRUE(c.normal.y > 0.8f && c.point.y > p.y);
}

static void a_ray_meets_the_ground(void)
{
    Vec3 o = terrain_definition(t)->origin;
    TerrainContact c;
    Vec3 from = vec3(o.x + 0.2f, 5.0f, o.z + 0.25f), down = vec3(0.3f, -0.9f, 0.1f);
    down = vec3_unit(down);
    TEST_ASSERT_TRUE(terrain_raycast(t, from, down, 50.0f, &c));
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, terrain_height(t, c.point.x, c.point.z), c.point.y);
    TEST_ASSERT_FALSE(terrain_raycast(t, from, down, 1.0f, &c));
    TEST_ASSERT_FALSE(terrain_raycast(t, from, vec3(0, 1, 0), 50.0f, &c));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_plane_is_a_plane);
    RUN_TEST(outside_the_ground_goes_on);
    RUN_TEST(outside_the_ground_is_level);
    RUN_TEST(columns_are_found_by_place);
    RUN_TEST(a_contact_is_the_nearest_ground);
    RUN_TEST(a_ray_meets_the_ground);
    return UNITY_END();
}
