// Material files: the shipped ones load, bad ones are refused with their place.
#include "material/material.h"

#include "base/base_math.h"

#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static BaseArena arena;
static BaseYamlError error;

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, 16u << 20));
}

void tearDown(void)
{
    base_arena_free(&arena);
}

static bool load_text(const char* text, MaterialSet* set)
{
    char path[] = "/tmp/mattock_material_XXXXXX";
    int handle = mkstemp(path);
    TEST_ASSERT_EQUAL_INT((int)strlen(text), (int)write(handle, text, strlen(text)));
    close(handle);
    bool fine = material_load(path, &arena, set, &error);
    remove(path);
    return fine;
}

#define SAND(density_loose, steel)                                                         \
    "materials:\n  sand:\n    density_bank: 1800 kg/m3\n    density_loose: " density_loose \
    "\n    friction: 34 deg\n    cohesion: 1 kPa\n    steel_friction: " steel              \
    "\n    steel_adhesion: 0 kPa\n    repose: 30 deg\n    swell: 1.12\n"

// Degrees and kPa of the file are radians and Pa inside.
static void units_become_si(void)
{
    MaterialSet set;
    TEST_ASSERT_TRUE_MESSAGE(load_text(SAND("1600 kg/m3", "22 deg"), &set), error.text);
    const Material* sand = material_find(&set, "sand");
    TEST_ASSERT_NOT_NULL(sand);
    TEST_ASSERT_FLOAT_WITHIN(1e-6, 34.0 * BASE_DEG, sand->friction);
    TEST_ASSERT_EQUAL_FLOAT(1000.0f, sand->cohesion);
    TEST_ASSERT_NULL(material_find(&set, "clay"));
}

// Rules between fields are kept, and the message names the line.
static void nonsense_is_refused(void)
{
    MaterialSet set;
    TEST_ASSERT_FALSE(load_text(SAND("1900 kg/m3", "22 deg"), &set));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "density_loose"));
    TEST_ASSERT_EQUAL_INT(4, error.line);
    TEST_ASSERT_FALSE(load_text(SAND("1600 kg/m3", "40 deg"), &set));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "steel_friction"));
    TEST_ASSERT_FALSE(load_text(SAND("1600 kg/m3", "22 kPa"), &set));
    TEST_ASSERT_FALSE(load_text("materials: {}\n", &set));
    TEST_ASSERT_FALSE(load_text("", &set));
}

// What is saved is what is loaded.
static void calibration_survives_its_file(void)
{
    MaterialPoint curve[2] = {{0.1f, 0.3f}, {0.2f, 0.45f}};
    MaterialGrain grains[1] = {{"sand", 0.19f, 250.0f, 0.44f}};
    MaterialCalibration saved = {"split", 8, 1, "2026-01-02", 3, 6000, 0.05f, curve, 2, grains, 1};
    MaterialCalibration loaded;
    char path[] = "/tmp/mattock_calibration_XXXXXX";
    FILE* file = fdopen(mkstemp(path), "w");
    TEST_ASSERT_TRUE(material_save_calibration(&saved, file));
    fclose(file);
    bool fine = material_load_calibration(path, &arena, &loaded, &error);
    remove(path);
    TEST_ASSERT_TRUE_MESSAGE(fine, error.text);
    TEST_ASSERT_EQUAL_STRING("split", loaded.kernel);
    TEST_ASSERT_EQUAL_STRING("2026-01-02", loaded.date);
    TEST_ASSERT_EQUAL_INT(2, loaded.curve_count);
    TEST_ASSERT_FLOAT_WITHIN(1e-3, 0.45, loaded.curve[1].slope);
    const MaterialGrain* sand = material_find_grain(&loaded, "sand");
    TEST_ASSERT_NOT_NULL(sand);
    TEST_ASSERT_FLOAT_WITHIN(1e-4, 0.19, sand->friction);
    TEST_ASSERT_FLOAT_WITHIN(0.1, 250.0, sand->adhesion);
}

// The files that come with the program are fine, and every material is calibrated.
static void shipped_files_agree(void)
{
    MaterialSet set;
    MaterialCalibration calibration;
    TEST_ASSERT_TRUE_MESSAGE(material_load("config/materials.yaml", &arena, &set, &error),
                             error.text);
    TEST_ASSERT_TRUE_MESSAGE(
        material_load_calibration("config/calibration.yaml", &arena, &calibration, &error),
        error.text);
    for (int i = 0; i < set.count; ++i)
        TEST_ASSERT_NOT_NULL_MESSAGE(material_find_grain(&calibration, set.materials[i].name),
                                     set.materials[i].name);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(units_become_si);
    RUN_TEST(nonsense_is_refused);
    RUN_TEST(calibration_survives_its_file);
    RUN_TEST(shipped_files_agree);
    return UNITY_END();
}
