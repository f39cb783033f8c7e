// The picture's ground follows the simulated one: heights, kinds, what is fresh, loose and green.
#include "view/view_ground.h"

#include "unity.h"

#define NX 37
#define NZ 52

static Terrain* t;
static Jobs* jobs;
static ViewGroundTrack* track;

void setUp(void)
{
    TerrainDef def = terrain_def(NX, NZ);
    def.material_count = 2;
    def.material[0] = terrain_material(1800, 1440, 0.5f, 10e3f, 0.62f);
    def.material[1] = terrain_material(1400, 970, 0.52f, 5e3f, 0.6f);
    t = terrain_create(&def);
    for (int c = 0; c < NX * NZ; ++c) {
        terrain_lay_depth(t, c, 0, 1.0f);
        terrain_lay_depth(t, c, 1, 0.3f);
    }
    const ViewSoil look[2] = {{.clods = 0.5f}, {.grass = 1.0f}};
    track = view_ground_track(t, look);
    jobs = jobs_create(1);
    TEST_ASSERT_NOT_NULL(track);
}

void tearDown(void)
{
    view_ground_untrack(track);
    terrain_destroy(t);
    jobs_destroy(jobs);
}

// Untouched it is a meadow at the terrain's heights, and nothing is sent again.
static void untouched_ground_is_green_and_quiet(void)
{
    const ViewGround* g = view_ground_of(track);
    uint32_t before = g->changes;
    for (int k = 0; k < 20; ++k)
        view_ground_follow(track, t, NULL);
    TEST_ASSERT_EQUAL_UINT32(before, g->changes);
    for (int c = 0; c < NX * NZ; ++c) {
        TEST_ASSERT_EQUAL_FLOAT(terrain_surface(t, c), g->height[c]);
        TEST_ASSERT_EQUAL_UINT8(1, g->kind[c]);
        TEST_ASSERT_EQUAL_UINT8(255, g->column[c].grass);
        TEST_ASSERT_EQUAL_UINT8(0, g->column[c].loose);
    }
}

// What a cut would lay bare is known for every column: loam to 1 m, topsoil above it for ever; a
// column without topsoil is loam all the way.
static void layers_are_those_of_the_site(void)
{
    const ViewGround* g = view_ground_of(track);
    float base = terrain_state(t)->base[0];
    TEST_ASSERT_NOT_NULL(g->layers);
    TEST_ASSERT_EQUAL_FLOAT(base, g->layer_low);
    for (int c = 0; c < NX * NZ; c += 7) {
        TEST_ASSERT_INT_WITHIN(1, (int)(1.0f / VIEW_LAYER_STEP), g->layers[c].top[0]);
        TEST_ASSERT_EQUAL_UINT16(65535, g->layers[c].top[1]);
        TEST_ASSERT_EQUAL_INT(0, g->layers[c].kind & 15);
        TEST_ASSERT_EQUAL_INT(1, g->layers[c].kind >> 4 & 15);
    }
    // digging changes nothing of it, and a copy knows it too
    ViewLayers before = g->layers[terrain_cell(t, 20, 25)];
    terrain_dig(t, terrain_cell(t, 20, 25), base + 0.4f);
    view_ground_follow_all(track, t);
    TEST_ASSERT_EQUAL_MEMORY(&before, &g->layers[terrain_cell(t, 20, 25)], sizeof before);
    ViewGround copy;
    TEST_ASSERT_TRUE(view_ground_init(&copy, NX, NZ, g->cell, g->origin));
    view_ground_copy(&copy, g);
    TEST_ASSERT_EQUAL_PTR(g->layers, copy.layers);
    view_ground_free(&copy);
}

// A cut is lower, of the soil below, fresh and bare; only tiles near it change.
static void a_cut_is_fresh_and_bare(void)
{
    const ViewGround* g = view_ground_of(track);
    int cell = terrain_cell(t, 20, 25), far = g->stamp[0];
    uint32_t stamp = g->stamp[1 * g->tiles_x + 1];
    terrain_dig(t, cell, terrain_surface(t, cell) - 0.5f);
    for (int k = 0; k < 9; ++k)
        view_ground_follow(track, t, NULL);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, terrain_surface(t, cell), g->height[cell]);
    TEST_ASSERT_EQUAL_UINT8(0, g->kind[cell]);
    TEST_ASSERT_TRUE(g->column[cell].fresh > 250);
    TEST_ASSERT_EQUAL_UINT8(0, g->column[cell].grass);
    TEST_ASSERT_TRUE(g->stamp[1 * g->tiles_x + 1] != stamp);
    TEST_ASSERT_EQUAL_INT(far, (int)g->stamp[0]);
}

// Minutes later the cut is dry.
static void a_cut_dries(void)
{
    const ViewGround* g = view_ground_of(track);
    int cell = terrain_cell(t, 20, 25);
    terrain_dig(t, cell, terrain_surface(t, cell) - 0.2f);
    for (int k = 0; k < 100 * 60; ++k)
        view_ground_follow(track, t, NULL);
    TEST_ASSERT_TRUE(g->column[cell].fresh > 90 && g->column[cell].fresh < 180);
    for (int k = 0; k < 150 * 60; ++k)
        view_ground_follow(track, t, NULL);
    TEST_ASSERT_EQUAL_UINT8(0, g->column[cell].fresh);
}

// Loose soil hides grass and is told from bank.
static void loose_soil_shows(void)
{
    const ViewGround* g = view_ground_of(track);
    int cell = terrain_cell(t, 8, 40);
    terrain_add_loose(t, cell, 0, (uint32_t)terrain_loose_mg(t, 0, 0.1 * 0.1 * 0.1));
    for (int k = 0; k < 9; ++k)
        view_ground_follow(track, t, NULL);
    TEST_ASSERT_TRUE(g->column[cell].loose > 200);
    TEST_ASSERT_EQUAL_UINT8(0, g->column[cell].grass);
    TEST_ASSERT_EQUAL_UINT8(0, g->kind[cell]);
}

// A copy that missed many steps is brought up to date by tiles, and is then equal.
static void a_late_copy_catches_up(void)
{
    ViewGround copy;
    const ViewGround* g = view_ground_of(track);
    TEST_ASSERT_TRUE(view_ground_init(&copy, NX, NZ, g->cell, g->origin));
    TEST_ASSERT_EQUAL_INT(g->tiles_x * g->tiles_z, view_ground_copy(&copy, g));
    for (int k = 0; k < 30; ++k) {
        terrain_dig(t, terrain_cell(t, 3 + k % 5, 5), 0.9f);
        view_ground_follow(track, t, NULL);
    }
    int tiles = view_ground_copy(&copy, g);
    TEST_ASSERT_TRUE(tiles >= 1 && tiles <= 2);
    TEST_ASSERT_EQUAL_MEMORY(g->height, copy.height, NX * NZ * sizeof *copy.height);
    TEST_ASSERT_EQUAL_MEMORY(g->column, copy.column, NX * NZ * sizeof *copy.column);
    TEST_ASSERT_EQUAL_INT(0, view_ground_copy(&copy, g));
    view_ground_free(&copy);
}

// On a plain normals stand upright and the sky is open; at the foot of a wall it is not.
static void shape_tells_walls(void)
{
    const ViewGround* g = view_ground_of(track);
    uint8_t flat[VIEW_TILE_COLUMNS][4], dug[VIEW_TILE_COLUMNS][4];
    view_ground_shape(g, 0, flat);
    TEST_ASSERT_EQUAL_UINT8(128, flat[100][0]);
    TEST_ASSERT_EQUAL_UINT8(128, flat[100][1]);
    TEST_ASSERT_EQUAL_UINT8(255, flat[100][2]);
    for (int j = 0; j < 16; ++j)
        for (int i = 0; i < 16; ++i)
            terrain_dig(t, terrain_cell(t, i, j), 0.3f);
    view_ground_follow_all(track, t);
    view_ground_shape(g, 0, dug);
    TEST_ASSERT_TRUE(dug[8 * 16 + 15][2] < 200);
    TEST_ASSERT_TRUE(dug[8 * 16 + 15][0] < 60); // the wall at +x makes the normal look towards -x
}

// Tracks flatten a strip of their width, turned as they were.
static void tracks_leave_marks(void)
{
    const ViewGround* g = view_ground_of(track);
    view_ground_press(track, 1.8f, 2.6f, (float)(0.5 * BASE_PI), 1.0f, 0.4f, 1.0f);
    TEST_ASSERT_EQUAL_HEX8(0xf8, g->column[terrain_cell_at(t, 1.85f, 3.0f)].press);
    TEST_ASSERT_EQUAL_HEX8(0xf8, g->column[terrain_cell_at(t, 1.85f, 2.2f)].press);
    TEST_ASSERT_EQUAL_UINT8(0, g->column[terrain_cell_at(t, 2.25f, 2.6f)].press);
    TEST_ASSERT_TRUE(g->column[terrain_cell_at(t, 1.85f, 2.6f)].grass < 200);
}

// People walked along a line before the work began: bare on it, a meadow beyond its ragged rim, and a copy knows it
// and the way in.
static void worn_grass_is_bare(void)
{
    const ViewGround* g = view_ground_of(track);
    float z = g->origin.z;
    const float a[2] = {g->origin.x, z}, b[2] = {g->origin.x + NX * g->cell, z};
    const ViewRoad road = {{a[0], a[1]}, {-1, 0}, 4.0f};
    ViewGround copy;
    TEST_ASSERT_TRUE(view_ground_init(&copy, NX, NZ, g->cell, g->origin));
    view_ground_copy(&copy, g);
    TEST_ASSERT_EQUAL_UINT8(255, copy.column[NZ / 2 * NX + 10].grass);
    view_ground_wear(track, a, b, 1.5f);
    view_ground_lead_in(track, &road);
    TEST_ASSERT_TRUE(view_ground_copy(&copy, g) > 0);
    int bare = 0;
    for (int i = 0; i < NX; ++i) {
        bare += copy.column[2 * NX + i].grass < 64;
        TEST_ASSERT_EQUAL_UINT8(255, copy.column[(NZ - 1) * NX + i].grass);
    }
    TEST_ASSERT_TRUE(bare > NX * 3 / 4);
    TEST_ASSERT_EQUAL_FLOAT(4.0f, copy.road.width);
    TEST_ASSERT_EQUAL_FLOAT(-1.0f, copy.road.way[0]);
    view_ground_free(&copy);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(untouched_ground_is_green_and_quiet);
    RUN_TEST(layers_are_those_of_the_site);
    RUN_TEST(a_cut_is_fresh_and_bare);
    RUN_TEST(a_cut_dries);
    RUN_TEST(loose_soil_shows);
    RUN_TEST(a_late_copy_catches_up);
    RUN_TEST(shape_tells_walls);
    RUN_TEST(tracks_leave_marks);
    RUN_TEST(worn_grass_is_bare);
    return UNITY_END();
}
