// Sites: shapes hold the volume that geometry gives them, and bad files change nothing.
#include "site/site.h"
#include "site/site_pgm.h"

#include "base/base_math.h"
#include "base/base_random.h"
#include "site/site_noise.h"

#include "unity.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CORPUS "tests/unit/corpus/site"
#define MARK   "# expect: "

static BaseArena arena;
static BaseYamlError error;
static MaterialSet set;
static SiteInfo info;
static Terrain* t;
static char folder[64];

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, 64u << 20));
    TEST_ASSERT_TRUE(material_load("config/materials.yaml", &arena, &set, &error));
    snprintf(folder, sizeof folder, "/tmp/mattock_site_XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    info = (SiteInfo){0};
    t = NULL;
}

static void remove_folder(void)
{
    char path[512];
    DIR* list = opendir(folder);
    for (struct dirent* entry; list && (entry = readdir(list)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    closedir(list);
    rmdir(folder);
}

void tearDown(void)
{
    terrain_destroy(t);
    remove_folder();
    base_arena_free(&arena);
}

// --- helpers -------------------------------------------------------------------------------------

static const char* path_of(const char* name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char* name, const void* data, size_t size)
{
    FILE* file = fopen(path_of(name), "wb");
    TEST_ASSERT_NOT_NULL(file);
    TEST_ASSERT_EQUAL_UINT64(size, fwrite(data, 1, size, file));
    fclose(file);
}

static size_t read_file(const char* path, unsigned char* out, size_t most)
{
    FILE* file = fopen(path, "rb");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    size_t size = fread(out, 1, most, file);
    fclose(file);
    return size;
}

static Terrain* load_text(const char* text)
{
    write_file("site.yaml", text, strlen(text));
    return site_load(path_of("site.yaml"), &set, &arena, &info, &error);
}

// 8 x 6 m of clay, 2 m deep, unless the text says more.
#define CLAY "size: [8 m, 6 m]\nbedrock: 2 m\nground:\n  - {material: clay}\n"

static void load_fine(const char* text)
{
    terrain_destroy(t);
    t = load_text(text);
    TEST_ASSERT_NOT_NULL_MESSAGE(t, error.text);
    TEST_ASSERT_TRUE(terrain_audit(t));
}

static int material_of(const char* name)
{
    for (int m = 0; m < info.material_count; ++m) {
        if (strcmp(info.material[m]->name, name) == 0) {
            return m;
        }
    }
    TEST_FAIL_MESSAGE(name);
    return -1;
}

// m3
static double bank_volume(const char* name)
{
    int m = material_of(name);
    return (double)terrain_state(t)->ledger.bank.of[m] / terrain_bank_mg(t, m, 1.0);
}

static double loose_volume(const char* name)
{
    int m = material_of(name);
    return (double)terrain_state(t)->ledger.loose.of[m] / terrain_loose_mg(t, m, 1.0);
}

static double top_at(double x, double z)
{
    int cell = terrain_cell_at(t, (float)x, (float)z);
    TEST_ASSERT_GREATER_OR_EQUAL_INT(0, cell);
    return (double)terrain_surface(t, cell);
}

// A second of simulation moves not a milligram, and no bank face falls.
static void assert_still(const char* what)
{
    Jobs* jobs = jobs_create(1);
    TerrainSlip slips[64];
    uint64_t before = terrain_state(t)->ledger.transfers;
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, terrain_slips(t, slips, 64), what);
    for (int k = 0; k < 60; ++k) {
        terrain_settle(t, jobs);
    }
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(before, terrain_state(t)->ledger.transfers, what);
    TEST_ASSERT_TRUE_MESSAGE(terrain_still(t), what);
    TEST_ASSERT_EQUAL_INT_MESSAGE(-1, terrain_find_steep(t), what);
    jobs_destroy(jobs);
}

// --- ground --------------------------------------------------------------------------------------

// Strata weigh area times thickness times density, the lowest down to bedrock; sides 4 x 5 columns.
static void strata_weigh_what_they_should(void)
{
    load_fine(
        "title: Small\nsize: [0.4 m, 0.5 m]\nbedrock: 2 m\norigin: [3 m, 10 m, -7 m]\nground:\n"
        "  - {material: topsoil, thickness: 0.25 m}\n  - {material: loam, thickness: 0.5 m}\n"
        "  - {material: clay}\n");
    const TerrainDef* def = terrain_definition(t);
    TEST_ASSERT_EQUAL_INT(4, def->nx);
    TEST_ASSERT_EQUAL_INT(5, def->nz);
    TEST_ASSERT_EQUAL_STRING("Small", info.title);
    TEST_ASSERT_EQUAL_INT(3, info.material_count);
    // a column rounds each stratum to 1 mg; a cell of 0.1 m is 1.5e-8 off as a float
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0.2 * 0.25, bank_volume("topsoil"));
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0.2 * 0.50, bank_volume("loam"));
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0.2 * 1.25, bank_volume("clay"));
    for (int cell = 0; cell < 20; ++cell) {
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, 10.0f, terrain_surface(t, cell));
        TEST_ASSERT_EQUAL_INT(0, terrain_top_material(t, cell));
    }
    TEST_ASSERT_GREATER_OR_EQUAL_INT(0, terrain_cell_at(t, 3.35f, -6.55f));
    TEST_ASSERT_EQUAL_INT(-1, terrain_cell_at(t, 3.45f, -6.55f));
    assert_still("4 x 5 columns");
}

// A plane sets heights, everywhere or in its area, to the last column.
static void planes_are_level(void)
{
    load_fine(CLAY "shapes:\n  - plane: {height: 1 m}\n"
                   "  - plane: {height: 1.5 m, area: {from: [2 m, 1 m], to: [5 m, 3 m]}}\n");
    int high = 0;
    for (int cell = 0; cell < 80 * 60; ++cell) {
        float top = terrain_surface(t, cell);
        TEST_ASSERT_TRUE(fabsf(top - 1.0f) < 1e-5f || fabsf(top - 1.5f) < 1e-5f);
        high += top > 1.25f;
    }
    TEST_ASSERT_EQUAL_INT(30 * 20, high);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.5, top_at(2.05, 1.05));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.0, top_at(1.95, 1.05));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.0, top_at(5.05, 2.95));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 8.0 * 6.0 * 2.0, bank_volume("clay")); // bedrock follows
}

// A slope rises by its tangent where it points to, and stops behind its length.
static void slopes_rise_by_their_tangent(void)
{
    load_fine(CLAY "shapes:\n  - slope: {direction: 90 deg, angle: 10 deg}\n");
    double rise = tan(10.0 * BASE_DEG);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, rise * 0.05, top_at(4.05, 0.05));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, rise * 5.95, top_at(4.05, 5.95));
    load_fine(
        CLAY
        "shapes:\n  - slope: {direction: 180 deg, angle: 20 deg, at: [6 m, 0 m], length: 2 m}\n");
    rise = tan(20.0 * BASE_DEG);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.0, top_at(7.05, 2.05));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, rise * 0.95, top_at(5.05, 2.05));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, rise * 2.0, top_at(0.05, 2.05));
}

// A trench takes a box, or with sides a frustum whose corners are square.
static void trenches_take_their_volume(void)
{
    double all = 8.0 * 6.0 * 2.0;
    load_fine(
        CLAY "shapes:\n  - trench: {from: [2 m, 3 m], to: [6 m, 3 m], width: 1 m, depth: 1.2 m}\n");
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, all - 4.0 * 1.0 * 1.2, bank_volume("clay"));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, -1.2, top_at(2.05, 2.55));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.0, top_at(1.95, 2.55));

    // sides of 45 degrees: the area grows by 2 h in both directions
    load_fine(CLAY
              "shapes:\n  - trench: {from: [3 m, 3 m], to: [5 m, 3 m], width: 1 m, depth: 1 m, "
              "sides: 45 deg}\n");
    double exact = 0.0;
    for (int k = 0; k < 1000; ++k) {
        double h = (k + 0.5) / 1000.0;
        exact += (2.0 + 2.0 * h) * (1.0 + 2.0 * h) / 1000.0;
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * exact, exact, all - bank_volume("clay")); // stairs of 0.1 m
    assert_still("clay trench");
}

// Depths count from the natural ground: a second trench in the first goes no deeper than it says.
static void trenches_join(void)
{
    load_fine(CLAY
              "shapes:\n  - trench: {from: [2 m, 3 m], to: [6 m, 3 m], width: 3 m, depth: 1 m}\n"
              "  - trench: {from: [1 m, 3 m], to: [4 m, 3 m], width: 1 m, depth: 1.5 m}\n");
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, -1.5, top_at(3.05, 3.05));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, -1.5, top_at(1.05, 3.05));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, -1.0, top_at(5.05, 3.05));
}

// Trenches at 30 degrees to the grid, and ones that begin between two columns or off the site.
static void trenches_may_lie_askew(void)
{
    load_fine(CLAY
              "shapes:\n  - trench: {from: [2.01 m, 1.52 m], to: [5.474 m, 3.52 m], width: 1.1 m, "
              "depth: 1 m}\n");
    TEST_ASSERT_DOUBLE_WITHIN(0.05, 4.0 * 1.1, 96.0 - bank_volume("clay"));
    load_fine(CLAY
              "shapes:\n  - trench: {from: [0.12 m, 0.02 m], to: [-3 m, 0.02 m], width: 0.2 m, "
              "depth: 1 m, sides: 60 deg}\n");
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, -1.0, top_at(0.01, 0.05));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.0, top_at(2.0, 0.05));
}

// --- heaps ---------------------------------------------------------------------------------------

#define YARD "size: [12 m, 11 m]\nbedrock: 1 m\nground:\n  - {material: clay}\nshapes:\n"

// A pile of a volume has its mass to the milligram, on level and on sloping ground; and lies still.
static void piles_weigh_what_they_should(void)
{
    const char* const names[] = {"dry_sand", "moist_sand", "gravel", "loam", "clay", "topsoil"};
    for (int slope = 0; slope <= 8; slope += 8) {
        for (int k = 0; k < 6; ++k) {
            char text[512];
            snprintf(text, sizeof text,
                     YARD "  - slope: {direction: 20 deg, angle: %d deg}\n"
                          "  - pile: {center: [6.03 m, 5.38 m], volume: 7.3 m3, material: %s}\n",
                     slope, names[k]);
            load_fine(text);
            int m = material_of(names[k]);
            uint64_t want = (uint64_t)(terrain_loose_mg(t, m, (double)7.3f) + 0.5);
            TEST_ASSERT_EQUAL_UINT64(want, terrain_state(t)->ledger.loose.of[m]);
            assert_still(names[k]);
        }
    }
}

// Its slope is the angle of repose, and its radius that of a cone of the volume.
static void piles_are_cones(void)
{
    load_fine(YARD "  - pile: {center: [6 m, 5.5 m], radius: 3 m, material: gravel}\n");
    double rise = tan(35.0 * BASE_DEG), exact = BASE_PI * 9.0 * 3.0 * rise / 3.0;
    TEST_ASSERT_DOUBLE_WITHIN(0.005 * exact, exact, loose_volume("gravel"));
    TEST_ASSERT_DOUBLE_WITHIN(0.001, rise, top_at(7.05, 5.55) - top_at(8.05, 5.55));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.0, top_at(9.15, 5.55));
    assert_still("cone of a radius");
}

// A berm holds its prism and two half cones.
static void berms_hold_their_volume(void)
{
    double rise = tan(36.0 * BASE_DEG), h = 0.8, half = 1.5, crest = half - h / rise;
    double exact =
        5.0 * h * (half + crest) + BASE_PI * h * (half * half + half * crest + crest * crest) / 3.0;
    load_fine(YARD "  - berm: {from: [3 m, 5 m], to: [8 m, 5 m], width: 3 m, height: 0.8 m, "
                   "material: loam}\n");
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * exact, exact, loose_volume("loam"));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.8, top_at(5.05, 5.05));
    assert_still("loose berm");

    // bank soil at 45 degrees, askew
    crest = half - h;
    exact =
        5.0 * h * (half + crest) + BASE_PI * h * (half * half + half * crest + crest * crest) / 3.0;
    load_fine(YARD "  - berm: {from: [3 m, 3 m], to: [7 m, 6 m], width: 3 m, height: 0.8 m, "
                   "material: loam, soil: bank}\n");
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * exact, exact, bank_volume("loam"));
    TEST_ASSERT_EQUAL_UINT64(0, terrain_state(t)->ledger.loose.of[material_of("loam")]);
    assert_still("bank berm");
}

// A berm that climbs a hillside has flatter sides, and lies still as well.
static void berms_on_slopes_lie_still(void)
{
    for (int angle = 4; angle <= 16; angle += 4) {
        char text[512];
        snprintf(text, sizeof text,
                 YARD "  - slope: {direction: 0 deg, angle: %d deg}\n"
                      "  - noise: {seed: 3, amplitude: 0.05 m, wavelength: 1 m}\n"
                      "  - berm: {from: [4 m, 5 m], to: [7 m, 6 m], width: 3 m, height: 0.7 m, "
                      "material: gravel}\n",
                 angle);
        load_fine(text);
        assert_still("berm on a slope");
    }
}

// The slope of a heap passes under the ground; in a trench behind that it does not come out again.
static void heaps_stay_on_their_side_of_a_trench(void)
{
    load_fine(YARD "  - trench: {from: [2 m, 3 m], to: [10 m, 3 m], width: 0.8 m, depth: 0.9 m}\n"
                   "  - pile: {center: [6 m, 6 m], radius: 1.6 m, material: gravel}\n");
    int gravel = material_of("gravel");
    for (int i = 0; i < 120; ++i) {
        TEST_ASSERT_EQUAL_UINT32(0, terrain_state(t)->loose[gravel][terrain_cell(t, i, 30)]);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, -0.9, top_at(6.05, 3.05));
}

// --- noise ---------------------------------------------------------------------------------------

// Every seed gives the same ground each time, another one than its neighbour, within its amplitude.
static void noise_is_repeatable_and_bounded(void)
{
    const char* text = CLAY "shapes:\n  - noise: {seed: %d, amplitude: 0.4 m, wavelength: 3 m}\n";
    uint64_t hash[3];
    for (int k = 0; k < 3; ++k) {
        char file[512];
        snprintf(file, sizeof file, text, k == 2 ? 8 : 7);
        load_fine(file);
        hash[k] = terrain_hash(t);
        double low = 0.0, high = 0.0;
        for (int cell = 0; cell < 80 * 60; ++cell) {
            low = fmin(low, (double)terrain_surface(t, cell));
            high = fmax(high, (double)terrain_surface(t, cell));
        }
        TEST_ASSERT_TRUE(low >= -0.4 && high <= 0.4 && high - low > 0.1);
    }
    TEST_ASSERT_EQUAL_HEX64(hash[0], hash[1]);
    TEST_ASSERT_TRUE(hash[0] != hash[2]);
    for (int k = 0; k < 100000; ++k) {
        double x = (double)(k % 317) * 0.173 - 20.0, z = (double)(k / 317) * 0.211 - 30.0;
        TEST_ASSERT_TRUE(fabs(site_noise((uint32_t)k % 5, 1 + k % 8, x, z)) <= 1.0);
    }
}

// --- heightmap -----------------------------------------------------------------------------------

#define MAPPED                                                                                \
    "size: [0.4 m, 0.5 m]\nground:\n  - {material: clay}\nheightmap: {file: map.pgm, low: 1 " \
    "m, high: 3 m}\n"

// 4 x 5 values of one or two bytes, 0 .. white in equal steps.
static size_t make_map(unsigned char* out, int white)
{
    size_t size = (size_t)sprintf((char*)out, "P5\n# heights\n4 5\n%d\n", white);
    for (int k = 0; k < 20; ++k) {
        int value = k * white / 19;
        if (white > 255) {
            out[size++] = (unsigned char)(value >> 8);
        }
        out[size++] = (unsigned char)value;
    }
    return size;
}

// Black is low and white high, for one and for two bytes; rows go along z.
static void maps_set_heights(void)
{
    const int whites[] = {255, 65535, 1000, 19};
    for (int n = 0; n < 4; ++n) {
        unsigned char map[128];
        write_file("map.pgm", map, make_map(map, whites[n]));
        load_fine(MAPPED);
        for (int k = 0; k < 20; ++k) {
            double want = 1.0 + 2.0 * (double)(k * whites[n] / 19) / whites[n];
            TEST_ASSERT_DOUBLE_WITHIN(1e-5, want, (double)terrain_surface(t, k));
        }
    }
}

// Loading the map cut to `size` bytes gives this message behind the folder's name.
static void refuse_map(const unsigned char* map, size_t size, const char* message)
{
    char want[600];
    write_file("map.pgm", map, size);
    size_t used = arena.used;
    TEST_ASSERT_NULL(load_text(MAPPED));
    snprintf(want, sizeof want, "%s/%s", folder, message);
    TEST_ASSERT_EQUAL_STRING(want, error.text);
    TEST_ASSERT_EQUAL_UINT64(used, arena.used);
}

static void bad_maps_are_refused_with_their_place(void)
{
    unsigned char map[128];
    size_t size = make_map(map, 65535);
    refuse_map(map, size - 3,
               "map.pgm:byte 60: ends too early; its head promises 4 x 5 values of 2 "
               "bytes, 63 bytes in all");
    map[size] = 0;
    refuse_map(map, size + 1,
               "map.pgm:byte 63: goes on behind the 4 x 5 values that its head promises");
    refuse_map(map, 0, "map.pgm:1:1: no binary PGM picture; it must begin with P5");
    refuse_map((const unsigned char*)"P2\n4 5\n9\n", 9,
               "map.pgm:1:1: no binary PGM picture; it must begin with P5");
    refuse_map((const unsigned char*)"P5\n4 x\n9\n", 9,
               "map.pgm:2:3: the height is missing; allowed is a whole number from 1 to 65535");
    refuse_map(
        (const unsigned char*)"P5\n4 5\n70000\n", 13,
        "map.pgm:3:1: the value of white is out of range; allowed is a whole number from 1 to "
        "65535");
    refuse_map(
        (const unsigned char*)"P5\n5 4\n9\n", 9,
        "site.yaml:4:19: heightmap.file: map.pgm has 5 x 4 values, the site 4 x 5 columns; they "
        "must be equal");
    size = make_map(map, 19);
    map[size - 1] = 20;
    refuse_map(map, size, "map.pgm:byte 39: value 20 is larger than the 19 of white");
    SitePgm pgm;
    TEST_ASSERT_FALSE(site_pgm_open(&pgm, "/", &error));
    TEST_ASSERT_EQUAL_STRING("/: not a file", error.text);
    TEST_ASSERT_FALSE(site_pgm_open(&pgm, "/nowhere/x.pgm", &error));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "/nowhere/x.pgm: cannot be opened: No such file"));
    unlink(path_of("map.pgm"));
    TEST_ASSERT_NULL(load_text(MAPPED));
    TEST_ASSERT_NOT_NULL(
        strstr(error.text, "site.yaml:4:19: heightmap.file: map.pgm cannot be opened"));
}

// --- save and restore ----------------------------------------------------------------------------

static void refuse_restore(const char* name, const char* words)
{
    uint64_t before = terrain_hash(t);
    TEST_ASSERT_FALSE(site_restore(t, path_of(name), &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, words), error.text);
    TEST_ASSERT_NULL(strchr(error.text, '\n'));
    TEST_ASSERT_EQUAL_HEX64(before, terrain_hash(t));
    TEST_ASSERT_TRUE(terrain_audit(t));
}

static const char small_site[] =
    "size: [2 m, 1.7 m]\nbedrock: 1 m\nground:\n  - {material: loam}\nshapes:\n"
    "  - pile: {center: [1 m, 0.8 m], radius: 0.6 m, material: gravel}\n";

// A state comes back with its hash after digging; anything else is refused and changes nothing.
static void states_survive_their_file(void)
{
    static unsigned char data[1 << 20];
    load_fine(small_site);
    terrain_dig(t, terrain_cell(t, 3, 5), -0.4f);
    uint64_t dug = terrain_hash(t);
    TEST_ASSERT_TRUE_MESSAGE(site_save(t, path_of("dug.state"), &error), error.text);
    size_t size = read_file(path_of("dug.state"), data, sizeof data);

    load_fine(small_site);
    TEST_ASSERT_TRUE(terrain_hash(t) != dug);
    TEST_ASSERT_TRUE_MESSAGE(site_restore(t, path_of("dug.state"), &error), error.text);
    TEST_ASSERT_EQUAL_HEX64(dug, terrain_hash(t));
    TEST_ASSERT_TRUE(terrain_audit(t));

    load_fine(small_site);
    for (size_t cut = 0; cut < size; cut += cut < 80 ? 1 : 997) {
        write_file("cut.state", data, cut);
        refuse_restore("cut.state", cut < 24 ? "is no saved ground" : "is cut off");
    }
    for (size_t at = 0; at < size; at += at < 80 ? 1 : 499) {
        data[at] ^= 4;
        write_file("bad.state", data, size);
        refuse_restore("bad.state", at < 8    ? "is no saved ground"
                                    : at < 16 ? "another site"
                                              : "is damaged");
        data[at] ^= 4;
    }
    write_file("long.state", data, size + 1);
    refuse_restore("long.state", "behind its end");
    refuse_restore("none.state", "cannot be opened");
    TEST_ASSERT_FALSE(site_restore(t, folder, &error));

    // as many columns, but another shape of the site
    load_fine("size: [1.7 m, 2 m]\nbedrock: 1 m\nground:\n  - {material: loam}\nshapes:\n"
              "  - pile: {center: [0.8 m, 1 m], radius: 0.6 m, material: gravel}\n");
    refuse_restore("dug.state", "another site");
    TEST_ASSERT_FALSE(site_save(t, "/nowhere/at/all.state", &error));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "/nowhere/at/all.state: cannot be written"));
}

// --- sizes ---------------------------------------------------------------------------------------

// A hundred metres at 0.1 m and two hundred at 0.2 m; a million columns each.
static void large_sites_load(void)
{
    const char* text =
        "size: [%d m, %d m]\ncell: %g m\nground:\n  - {material: topsoil, thickness: "
        "0.3 m}\n  - {material: clay}\nshapes:\n"
        "  - pile: {center: [%d m, 50 m], volume: 200 m3, material: gravel}\n";
    for (int k = 1; k <= 2; ++k) {
        char file[512];
        snprintf(file, sizeof file, text, 100 * k, 100 * k, 0.1 * k, 50 * k);
        load_fine(file);
        TEST_ASSERT_EQUAL_INT(1000, terrain_definition(t)->nx);
        TEST_ASSERT_EQUAL_INT(1000, terrain_definition(t)->nz);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 200.0, loose_volume("gravel"));
        double area = 1e4 * k * k;
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * area, 0.3 * area, bank_volume("topsoil"));
    }
}

// What comes with the program loads, balances, and lies still.
static void shipped_sites_lie_still(void)
{
    const char* const names[] = {"flat", "quarry", "trench"};
    for (int k = 0; k < 3; ++k) {
        char path[64];
        snprintf(path, sizeof path, "config/sites/%s.yaml", names[k]);
        TEST_ASSERT_TRUE(site_recognise(path));
        terrain_destroy(t);
        t = site_load(path, &set, &arena, &info, &error);
        TEST_ASSERT_NOT_NULL_MESSAGE(t, error.text);
        TEST_ASSERT_TRUE(terrain_audit(t));
        assert_still(names[k]);
    }
    TEST_ASSERT_FALSE(site_recognise("config/materials.yaml"));
    TEST_ASSERT_FALSE(site_recognise("config"));
}

// --- bad files -----------------------------------------------------------------------------------

static void check_corpus_file(const char* name)
{
    char path[256], line[512], full[1024];
    snprintf(path, sizeof path, "%s/%s", CORPUS, name);
    FILE* file = fopen(path, "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    TEST_ASSERT_NOT_NULL_MESSAGE(fgets(line, sizeof line, file), path);
    fclose(file);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, strncmp(line, MARK, strlen(MARK)), path);
    line[strcspn(line, "\n")] = '\0';

    // the old site stays: its info, its ground, and every byte of the arena
    SiteInfo old = info;
    uint64_t ground = terrain_hash(t);
    size_t used = arena.used;
    TEST_ASSERT_NULL_MESSAGE(site_load(path, &set, &arena, &info, &error), path);
    snprintf(full, sizeof full, "%s:%s", path, line + strlen(MARK));
    TEST_ASSERT_EQUAL_STRING(full, error.text);
    TEST_ASSERT_TRUE(error.line > 0 && error.column > 0);
    TEST_ASSERT_NULL(strchr(error.text, '\n'));
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&old, &info, sizeof old, path);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(used, arena.used, path);
    TEST_ASSERT_EQUAL_HEX64(ground, terrain_hash(t));
}

// Each bad file of the corpus is refused with exactly the sentence it asks for.
static void corpus_is_refused_file_by_file(void)
{
    load_fine("title: Old\n" CLAY);
    DIR* list = opendir(CORPUS);
    TEST_ASSERT_NOT_NULL_MESSAGE(list, "run from the root of the repository");
    int files = 0;
    for (struct dirent* entry; (entry = readdir(list)) != NULL;) {
        const char* end = strrchr(entry->d_name, '.');
        if (end != NULL && strcmp(end, ".yaml") == 0) {
            check_corpus_file(entry->d_name);
            ++files;
        }
    }
    closedir(list);
    TEST_ASSERT_GREATER_OR_EQUAL_INT(25, files);
    TEST_ASSERT_EQUAL_STRING("Old", info.title);
    TEST_ASSERT_NULL(site_load(path_of("nowhere.yaml"), &set, &arena, &info, &error));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "nowhere.yaml: "));
    TEST_ASSERT_NULL(site_load(folder, &set, &arena, &info, &error));
    TEST_ASSERT_TRUE(error.text[0] != '\0');
}

// Without room for the words of a file the arena is as before, too.
static void small_arena_is_told(void)
{
    BaseArena small;
    TEST_ASSERT_TRUE(base_arena_init(&small, 128));
    write_file("site.yaml", small_site, strlen(small_site));
    TEST_ASSERT_NULL(site_load(path_of("site.yaml"), &set, &small, &info, &error));
    TEST_ASSERT_EQUAL_UINT64(0, small.used);
    TEST_ASSERT_TRUE(error.text[0] != '\0');
    base_arena_free(&small);
}

// --- mutations -----------------------------------------------------------------------------------

// Flips, digits, cuts and doubled pieces, one to four of them.
static size_t mutate(BaseRandom* chance, unsigned char* data, size_t size, size_t most)
{
    int changes = 1 + (int)(base_random_u32(chance) % 4);
    for (int k = 0; k < changes && size > 1; ++k) {
        size_t at = base_random_u32(chance) % size;
        switch (base_random_u32(chance) % 5) {
        case 0: data[at] ^= (unsigned char)(1u << base_random_u32(chance) % 8); break;
        case 1: data[at] = (unsigned char)('0' + base_random_u32(chance) % 10); break;
        case 2: data[at] = "-.[]{}:, \n#"[base_random_u32(chance) % 11]; break;
        case 3: size = base_random_u32(chance) % 4 == 0 ? at : size; break;
        default: {
            size_t part = base_random_u32(chance) % 24;
            part = part < size - at ? part : size - at;
            part = part < most - size ? part : most - size;
            memmove(data + at + part, data + at, size - at);
            size += part;
        }
        }
    }
    return size;
}

// Loads or gives one sentence, and keeps the arena when refused. Returns 1 when it loaded.
static int load_mutant(void)
{
    size_t used = arena.used;
    Terrain* made = site_load(path_of("mutant.yaml"), &set, &arena, &info, &error);
    if (made) {
        TEST_ASSERT_TRUE(terrain_audit(made));
        terrain_destroy(made);
        base_arena_rewind(&arena, used);
        return 1;
    }
    TEST_ASSERT_EQUAL_UINT64(used, arena.used);
    TEST_ASSERT_TRUE(strncmp(error.text, folder, strlen(folder)) == 0);
    TEST_ASSERT_NULL(strchr(error.text, '\n'));
    site_recognise(path_of("mutant.yaml")); // any bytes will do
    return 0;
}

// A shipped file with columns of 0.5 m, for speed.
static size_t coarse(const char* name, unsigned char* out, size_t most)
{
    char path[64];
    snprintf(path, sizeof path, "config/sites/%s.yaml", name);
    size_t head = (size_t)sprintf((char*)out, "cell: 0.5 m\n");
    return head + read_file(path, out + head, most - head);
}

static void mutants_load_or_are_told(void)
{
    static unsigned char whole[8192], data[8192];
    const char* const names[] = {"flat", "quarry", "trench"};
    BaseRandom chance = base_random(20);
    int loaded = 0, rounds = 0;
    for (int k = 0; k < 3; ++k) {
        size_t size = coarse(names[k], whole, sizeof whole / 2);
        for (int n = 0; n < 200; ++n, ++rounds) {
            memcpy(data, whole, size);
            write_file("mutant.yaml", data, mutate(&chance, data, size, sizeof data));
            loaded += load_mutant();
        }
    }
    TEST_ASSERT_TRUE(loaded > rounds / 20 && loaded < rounds);
}

static void mutant_maps_load_or_are_told(void)
{
    unsigned char map[256], data[256];
    BaseRandom chance = base_random(21);
    write_file("mutant.yaml", MAPPED, strlen(MAPPED));
    int loaded = 0, rounds = 600;
    for (int n = 0; n < rounds; ++n) {
        size_t size = make_map(map, n % 2 ? 65535 : 255);
        memcpy(data, map, size);
        write_file("map.pgm", data, mutate(&chance, data, size, sizeof data));
        loaded += load_mutant();
    }
    TEST_ASSERT_TRUE(loaded > rounds / 20 && loaded < rounds);
}

// With an argument: prints the message for one file, for those who write a new corpus file.
int main(int argc, char** argv)
{
    if (argc == 2) {
        setUp();
        t = site_load(argv[1], &set, &arena, &info, &error);
        puts(t ? "accepted" : error.text);
        tearDown();
        return 0;
    }
    UNITY_BEGIN();
    RUN_TEST(strata_weigh_what_they_should);
    RUN_TEST(planes_are_level);
    RUN_TEST(slopes_rise_by_their_tangent);
    RUN_TEST(trenches_take_their_volume);
    RUN_TEST(trenches_join);
    RUN_TEST(trenches_may_lie_askew);
    RUN_TEST(piles_weigh_what_they_should);
    RUN_TEST(piles_are_cones);
    RUN_TEST(berms_hold_their_volume);
    RUN_TEST(berms_on_slopes_lie_still);
    RUN_TEST(heaps_stay_on_their_side_of_a_trench);
    RUN_TEST(noise_is_repeatable_and_bounded);
    RUN_TEST(maps_set_heights);
    RUN_TEST(bad_maps_are_refused_with_their_place);
    RUN_TEST(states_survive_their_file);
    RUN_TEST(large_sites_load);
    RUN_TEST(shipped_sites_lie_still);
    RUN_TEST(corpus_is_refused_file_by_file);
    RUN_TEST(small_arena_is_told);
    RUN_TEST(mutants_load_or_are_told);
    RUN_TEST(mutant_maps_load_or_are_told);
    return UNITY_END();
}
