// Vehicle files: the shipped ones load and are what they say, bad ones are refused by line and column.
#include "base/base_random.h"
#include "machine/machine.h"
#include "machine/machine_linkage.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#define CORPUS "tests/unit/corpus/vehicle"
#define MARK   "# expect: "

static BaseArena arena;
static BaseYamlError error;
static MachineDef def;

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, 64u << 20));
    memset(&def, 0, sizeof def);
}

void tearDown(void)
{
    base_arena_free(&arena);
}

static void load(const char* path)
{
    bool fine = machine_load(path, &arena, &def, &error);
    TEST_ASSERT_TRUE_MESSAGE(fine, error.text);
}

// --- good files ----------------------------------------------------------------------------------

// Every vehicle that is shipped loads, and is recognised by its keys.
static void shipped_vehicles_load(void)
{
    DIR* list = opendir("vehicles");
    TEST_ASSERT_NOT_NULL_MESSAGE(list, "run from the root of the repository");
    int files = 0;
    for (struct dirent* entry; (entry = readdir(list)) != NULL;) {
        char path[300];
        if (!strstr(entry->d_name, ".yaml"))
            continue;
        snprintf(path, sizeof path, "vehicles/%s", entry->d_name);
        if (!machine_recognise(path))
            continue;
        load(path);
        ++files;
    }
    closedir(list);
    TEST_ASSERT_GREATER_OR_EQUAL_INT(1, files);
    TEST_ASSERT_FALSE(machine_recognise("config/materials.yaml"));
    TEST_ASSERT_FALSE(machine_recognise("config/sites/flat.yaml"));
}

// Masses, areas and indices of the 22 t machine follow from its file.
static void excavator_is_what_its_file_says(void)
{
    load("vehicles/excavator_22t.yaml");
    TEST_ASSERT_EQUAL_INT(5, def.body_count);
    TEST_ASSERT_EQUAL_INT(6 + 4 + 2, def.dof_count);
    TEST_ASSERT_EQUAL_INT(14, def.roller_count);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 22000.0, def.mass);
    int boom = machine_find_actuator(&def, "boom"), swing = machine_find_actuator(&def, "swing");
    TEST_ASSERT_EQUAL_INT(0, boom);
    TEST_ASSERT_EQUAL_INT(3, swing);
    TEST_ASSERT_EQUAL_STRING("right", machine_actuator_name(&def, 5));
    TEST_ASSERT_EQUAL_INT(-1, machine_find_actuator(&def, "nothing"));
    // the sheet: 792 kN push of the pair at 35 MPa
    TEST_ASSERT_DOUBLE_WITHIN(500.0, 792e3, 35e6 * def.cylinders[boom].area_push);
    TEST_ASSERT_EQUAL_INT(machine_find_body(&def, "bucket"), def.tools[0].body);
}

// The strokes give the angles of the sheet, to a degree or two; the longest arms its forces.
static void strokes_give_the_angles_of_the_sheet(void)
{
    load("vehicles/excavator_22t.yaml");
    const double sheet[3][2] = {{-49.0, 59.0}, {-154.0, -34.0}, {-136.0, 36.0}};
    for (int i = 0; i < 3; ++i) {
        double lo = -3.1, hi = 3.1;
        TEST_ASSERT_TRUE(machine_reach_range(&def, i, &lo, &hi));
        TEST_ASSERT_DOUBLE_WITHIN(2.0, sheet[i][0], lo / BASE_DEG);
        TEST_ASSERT_DOUBLE_WITHIN(2.0, sheet[i][1], hi / BASE_DEG);
    }
}

// Every arm is the slope of the length, and a length leads back to its joint value.
static void arms_are_slopes_of_lengths(void)
{
    load("vehicles/excavator_22t.yaml");
    for (int i = 0; i < def.cylinder_count; ++i) {
        double lo = -3.1, hi = 3.1;
        TEST_ASSERT_TRUE(machine_reach_range(&def, i, &lo, &hi));
        for (int k = 1; k < 40; ++k) {
            double q = lo + (hi - lo) * k / 40, e = 1e-6, found;
            MachineReach r = machine_reach(&def, i, q);
            double a = machine_reach(&def, i, q - e).length,
                   b = machine_reach(&def, i, q + e).length;
            TEST_ASSERT_DOUBLE_WITHIN(1e-8, (b - a) / (2.0 * e), r.arm);
            TEST_ASSERT_TRUE(machine_joint_at(&def, i, r.length, &found));
            TEST_ASSERT_DOUBLE_WITHIN(1e-9, q, found);
        }
        double none;
        TEST_ASSERT_FALSE(machine_joint_at(&def, i, 0.1, &none));
    }
}

// At its stops a cylinder's length leads to the end of the range that belongs to it, not to the other.
static void stops_lead_to_their_own_ends(void)
{
    static const char* const files[] = {"vehicles/excavator_22t.yaml", "vehicles/excavator_2t.yaml",
                                        "vehicles/dozer_20t.yaml", "vehicles/truck_24t.yaml"};
    for (int n = 0; n < 8; ++n) {
        load(files[n / 2]);
        for (int i = 0; i < def.cylinder_count; ++i) {
            const MachineCylinder* c = &def.cylinders[i];
            double lo = -3.1, hi = 3.1, found;
            TEST_ASSERT_TRUE(machine_reach_range(&def, i, &lo, &hi));
            double wanted = (double)c->closed + (n % 2 ? (double)c->stroke : 0.0);
            double a = machine_reach(&def, i, lo).length, b = machine_reach(&def, i, hi).length;
            double end = (a < b) == (n % 2 == 0) ? lo : hi;
            if (machine_joint_at(&def, i, wanted, &found)) {
                TEST_ASSERT_DOUBLE_WITHIN(1e-6, end, found);
            } else { // a joint's range that ends before the stroke does
                TEST_ASSERT_TRUE(wanted < (a < b ? a : b) - 1e-6 ||
                                 wanted > (a < b ? b : a) + 1e-6);
            }
        }
    }
}

// Idler and link keep their lengths over the whole way of the bucket.
static void linkage_keeps_its_lengths(void)
{
    load("vehicles/excavator_22t.yaml");
    int i = machine_find_actuator(&def, "bucket");
    const MachineLinkage* l = def.cylinders[i].linkage;
    const MachineBody* body = &def.bodies[def.cylinders[i].to];
    for (double q = -2.3; q < 0.6; q += 0.1) {
        D3 knee = machine_reach(&def, i, q).end;
        double px =
            (double)body->pin.x + cos(q) * (double)l->link_pin.x - sin(q) * (double)l->link_pin.y;
        double py =
            (double)body->pin.y + sin(q) * (double)l->link_pin.x + cos(q) * (double)l->link_pin.y;
        double idler = hypot(knee.x - (double)l->idler_pin.x, knee.y - (double)l->idler_pin.y);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, (double)l->idler, idler);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, (double)l->link, hypot(knee.x - px, knee.y - py));
    }
}

// --- bad files -----------------------------------------------------------------------------------

static void check_corpus_file(const char* name)
{
    char path[256], line[600], full[1200];
    snprintf(path, sizeof path, "%s/%s", CORPUS, name);
    FILE* file = fopen(path, "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    TEST_ASSERT_NOT_NULL_MESSAGE(fgets(line, sizeof line, file), path);
    fclose(file);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, strncmp(line, MARK, strlen(MARK)), path);
    line[strcspn(line, "\n")] = '\0';
    MachineDef old = def;
    size_t used = arena.used;
    TEST_ASSERT_FALSE_MESSAGE(machine_load(path, &arena, &def, &error), path);
    snprintf(full, sizeof full, "%s:%s", path, line + strlen(MARK));
    TEST_ASSERT_EQUAL_STRING(full, error.text);
    TEST_ASSERT_TRUE(error.line > 0 && error.column > 0);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&old, &def, sizeof old, path);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(used, arena.used, path);
}

// Each bad file of the corpus is refused with exactly the sentence it asks for.
static void corpus_is_refused_file_by_file(void)
{
    load("vehicles/excavator_22t.yaml");
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
    TEST_ASSERT_FALSE(machine_load("vehicles/nowhere.yaml", &arena, &def, &error));
}

// The shipped file with bytes changed at random: refused with a place, or a machine that steps.
static void damaged_files_are_refused_or_run(void)
{
    static char text[1 << 17];
    char path[] = "/tmp/mattock_vehicle_XXXXXX";
    FILE* file = fopen("vehicles/excavator_22t.yaml", "rb");
    TEST_ASSERT_NOT_NULL(file);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    int handle = mkstemp(path), loaded = 0;
    TEST_ASSERT_TRUE(handle >= 0);
    close(handle);
    BaseRandom chance = base_random(5);
    for (int round = 0; round < 300; ++round) {
        static char copy[1 << 17];
        memcpy(copy, text, size);
        // digits become other digits, so that many files still read well; now and then anything
        for (int k = 0; k < 3; ++k) {
            size_t at = base_random_u32(&chance) % size;
            while (at < size && !isdigit((unsigned char)copy[at]))
                ++at;
            bool wild = base_random_u32(&chance) % 16 == 0;
            copy[at % size] = "0123456789-.:, \n#ab"[base_random_u32(&chance) % (wild ? 19 : 10)];
        }
        file = fopen(path, "wb");
        fwrite(copy, 1, size, file);
        fclose(file);
        base_arena_rewind(&arena, 0);
        if (!machine_load(path, &arena, &def, &error)) {
            TEST_ASSERT_NOT_NULL(strstr(error.text, ": "));
            continue;
        }
        Machine* m = machine_create(&def);
        for (int i = 0; i < 20; ++i)
            machine_step(m, NULL, 1.0 / 240.0);
        TEST_ASSERT_EQUAL_UINT64(0, machine_state(m)->resets);
        machine_destroy(m);
        ++loaded;
    }
    unlink(path);
    TEST_ASSERT_INT_WITHIN(140, 150, loaded);
}

// With an argument: prints the message for one file, for those who write a new corpus file.
int main(int argc, char** argv)
{
    if (argc == 2) {
        setUp();
        puts(machine_load(argv[1], &arena, &def, &error) ? "accepted" : error.text);
        return 0;
    }
    UNITY_BEGIN();
    RUN_TEST(shipped_vehicles_load);
    RUN_TEST(excavator_is_what_its_file_says);
    RUN_TEST(strokes_give_the_angles_of_the_sheet);
    RUN_TEST(arms_are_slopes_of_lengths);
    RUN_TEST(stops_lead_to_their_own_ends);
    RUN_TEST(linkage_keeps_its_lengths);
    RUN_TEST(corpus_is_refused_file_by_file);
    RUN_TEST(damaged_files_are_refused_or_run);
    return UNITY_END();
}
