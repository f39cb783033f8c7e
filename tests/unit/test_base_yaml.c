// base_yaml: what a good file gives, and that every bad one is told apart in one sentence.
#include "base/base_arena.h"
#include "base/base_math.h"
#include "base/base_yaml.h"

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#define CORPUS    "tests/unit/corpus/yaml"
#define MARK      "# expect: "
#define ARENA_MAX ((size_t)1 << 22)

// --- a small world to read -----------------------------------------------------------------

typedef struct Soil {
    const char* name;
    float friction;  // rad
    float cohesion;  // Pa
    float mu_static; // -
    float mu_moving; // -
} Soil;

typedef struct Pile {
    Vec3 at;           // m
    double mass;       // kg
    const char* soil;  // name
    const char** tags; // [tag_count]
    int tag_count;
} Pile;

typedef enum Kernel { KERNEL_P2, KERNEL_GS, KERNEL_SPLIT } Kernel;

typedef struct Pit {
    float depth; // m
    float slope; // rad
} Pit;

typedef struct Site {
    const char* title;
    int seed;
    bool night;
    Kernel kernel;
    Pit pit;
    float* times; // [time_count] s
    int time_count;
    Pile* piles; // [pile_count]
    int pile_count;
    Soil* soils; // [soil_count]
    int soil_count;
} Site;

static const char* check_soil(const void* item, const char** key)
{
    const Soil* soil = item;
    *key = "mu_moving";
    return soil->mu_moving > soil->mu_static ? "must not exceed mu_static" : NULL;
}

static const BaseYamlField soil_fields[] = {
    {BASE_YAML_FLOAT(Soil, friction), .unit = "deg", .min = 0, .max = 60, .required = true},
    {BASE_YAML_FLOAT(Soil, cohesion), .unit = "kPa", .min = 0, .max = 200, .number = 1.5},
    {BASE_YAML_FLOAT(Soil, mu_static), .min = 0, .max = 2, .number = 0.5},
    {BASE_YAML_FLOAT(Soil, mu_moving), .min = 0, .max = 2, .number = 0.4},
};
static const BaseYamlSchema soil_schema = BASE_YAML_SCHEMA(Soil, soil_fields, .check = check_soil);

static const BaseYamlField pile_fields[] = {
    {BASE_YAML_VECTOR(Pile, at), .unit = "m", .min = -100, .max = 100},
    {BASE_YAML_DOUBLE(Pile, mass), .unit = "t"},
    {BASE_YAML_NAME(Pile, soil), .required = true},
    {BASE_YAML_NAME_LIST(Pile, tags, tag_count)},
};
static const BaseYamlSchema pile_schema = BASE_YAML_SCHEMA(Pile, pile_fields);

static const BaseYamlField pit_fields[] = {
    {BASE_YAML_FLOAT(Pit, depth), .unit = "mm", .min = 1, .max = 9000, .number = 250},
    {BASE_YAML_FLOAT(Pit, slope), .unit = "deg"},
};
static const BaseYamlSchema pit_schema = BASE_YAML_SCHEMA(Pit, pit_fields);

static const char* const kernel_words[] = {"p2", "gs", "split", NULL};
static const BaseYamlField site_fields[] = {
    {BASE_YAML_STRING(Site, title), .text = "unnamed", .min = 1, .max = 20},
    {BASE_YAML_INT(Site, seed), .min = -5, .max = 1000000, .number = 7},
    {BASE_YAML_BOOL(Site, night)},
    {BASE_YAML_ENUM(Site, kernel, kernel_words), .text = "split"},
    {BASE_YAML_OBJECT(Site, pit, pit_schema)},
    {BASE_YAML_FLOAT_LIST(Site, times, time_count), .unit = "s"},
    {BASE_YAML_LIST(Site, piles, pile_count, pile_schema), .max = 5},
    {BASE_YAML_MAP(Site, soils, soil_count, soil_schema, Soil, name), .max = 8},
};
static const BaseYamlSchema site_schema = BASE_YAML_SCHEMA(Site, site_fields);

static BaseArena arena;
static Site site;
static BaseYamlError error;

void setUp(void)
{
    TEST_ASSERT_TRUE(base_arena_init(&arena, ARENA_MAX));
    memset(&site, 0, sizeof site);
    memset(&error, 0, sizeof error);
}

void tearDown(void)
{
    base_arena_free(&arena);
}

static bool read_text(const char* text)
{
    return base_yaml_read("site.yaml", text, strlen(text), &site_schema, &arena, &site, &error);
}

static void expect_error(const char* text, const char* message)
{
    TEST_ASSERT_FALSE(read_text(text));
    TEST_ASSERT_EQUAL_STRING(message, error.text);
}

// --- good files ----------------------------------------------------------------------------

// Every type arrives in its member, in SI, whichever way it is written.
static void good_file_fills_the_struct(void)
{
    const char* text = "title: \"Gravel pit: 3\" # a comment\n"
                       "seed: -5\n"
                       "night: true\n"
                       "kernel: gs\n"
                       "pit: {depth: 500 mm, slope: 45}\n"
                       "times: [0, 1.5 s, 2e1, -0.25]\n"
                       "piles:\n"
                       "  - at: [1, 2.5 m, -3]\n"
                       "    mass: 1.25 t\n"
                       "    soil: wet-sand_2\n"
                       "    tags: [a, b-1, c_2]\n"
                       "  - soil: clay\n"
                       "soils:\n"
                       "  clay: {friction: 20 deg, cohesion: 12 kPa}\n"
                       "  wet-sand_2:\n"
                       "    friction: 34\n"
                       "    mu_static: 0.7\n"
                       "    mu_moving: 0.7\n";
    TEST_ASSERT_TRUE_MESSAGE(read_text(text), error.text);
    TEST_ASSERT_EQUAL_STRING("Gravel pit: 3", site.title);
    TEST_ASSERT_EQUAL_INT(-5, site.seed);
    TEST_ASSERT_TRUE(site.night);
    TEST_ASSERT_EQUAL_INT(KERNEL_GS, site.kernel);
    TEST_ASSERT_TRUE(site.pit.depth == 0.5f && site.pit.slope == (float)(BASE_PI / 4));
    TEST_ASSERT_EQUAL_INT(4, site.time_count);
    TEST_ASSERT_TRUE(site.times[1] == 1.5f && site.times[2] == 20.0f && site.times[3] == -0.25f);
    TEST_ASSERT_EQUAL_INT(2, site.pile_count);
    TEST_ASSERT_TRUE(site.piles[0].at.y == 2.5f && site.piles[0].at.z == -3.0f);
    TEST_ASSERT_TRUE(site.piles[0].mass == 1250.0);
    TEST_ASSERT_EQUAL_INT(3, site.piles[0].tag_count);
    TEST_ASSERT_EQUAL_STRING("c_2", site.piles[0].tags[2]);
    TEST_ASSERT_EQUAL_STRING("clay", site.piles[1].soil);
    TEST_ASSERT_EQUAL_INT(2, site.soil_count);
    TEST_ASSERT_EQUAL_STRING("wet-sand_2", site.soils[1].name);
    TEST_ASSERT_TRUE(site.soils[0].cohesion == 12000.0f);
    TEST_ASSERT_TRUE(site.soils[1].friction == (float)(34.0 * BASE_PI / 180.0));
}

// What a file leaves out has the table's value, also inside an absent object.
static void absent_keys_take_their_defaults(void)
{
    TEST_ASSERT_TRUE_MESSAGE(read_text("soils: {sand: {friction: 30}}\n"), error.text);
    TEST_ASSERT_EQUAL_STRING("unnamed", site.title);
    TEST_ASSERT_EQUAL_INT(7, site.seed);
    TEST_ASSERT_FALSE(site.night);
    TEST_ASSERT_EQUAL_INT(KERNEL_SPLIT, site.kernel);
    TEST_ASSERT_TRUE(site.pit.depth == 0.25f);
    TEST_ASSERT_TRUE(site.piles == NULL && site.pile_count == 0 && site.time_count == 0);
    TEST_ASSERT_TRUE(site.soils[0].cohesion == 1500.0f);
}

// A byte order mark, Windows line ends and a final line without an end are no reason to refuse.
static void foreign_editors_are_tolerated(void)
{
    TEST_ASSERT_TRUE_MESSAGE(read_text("\xef\xbb\xbfseed: 3\r\ntitle: K\xc3\xbc"
                                       "ste"),
                             error.text);
    TEST_ASSERT_EQUAL_INT(3, site.seed);
    TEST_ASSERT_EQUAL_STRING("K\xc3\xbc"
                             "ste",
                             site.title);
}

// A comma locale changes neither how 1.5 is read nor how it is told.
static void locale_does_not_matter(void)
{
    bool comma = setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    bool fine = read_text("times: [1.5]\n");
    setlocale(LC_ALL, "C");
    TEST_ASSERT_TRUE(fine && site.times[0] == 1.5f);
    (void)comma; // where the locale is not installed this tests less
}

// --- bad files -----------------------------------------------------------------------------

// On an error the struct and the arena are as they were, and what lies behind is zero again.
static void nothing_is_half_loaded(void)
{
    TEST_ASSERT_TRUE(read_text("title: first\nsoils: {sand: {friction: 30}}\n"));
    Site before = site;
    size_t used = arena.used;
    TEST_ASSERT_FALSE(
        read_text("title: second\nsoils: {clay: {friction: 10}, mud: {friction: x}}\n"));
    TEST_ASSERT_EQUAL_MEMORY(&before, &site, sizeof site);
    TEST_ASSERT_TRUE(arena.used == used);
    for (size_t i = used; i < used + 4096; ++i) {
        TEST_ASSERT_EQUAL_UINT8(0, arena.base[i]);
    }
    TEST_ASSERT_EQUAL_STRING("first", site.title);
}

static void error_carries_its_place(void)
{
    expect_error("seed: 1\nkernel: slit\n",
                 "site.yaml:2:9: kernel: slit is unknown; did you mean split? "
                 "allowed is one of p2, gs, split");
    TEST_ASSERT_EQUAL_INT(2, error.line);
    TEST_ASSERT_EQUAL_INT(9, error.column);
}

// An arena that is too small is reported, not run over.
static void small_arena_is_out_of_memory(void)
{
    const char* text = "title: long enough\nsoils: {a: {friction: 1}, b: {friction: 2}}\n";
    for (size_t bytes = 0; bytes <= 512; bytes += 64) {
        base_arena_free(&arena);
        TEST_ASSERT_TRUE(base_arena_init(&arena, bytes));
        bool fine = read_text(text);
        TEST_ASSERT_TRUE(fine == (bytes >= 256));
        if (!fine) {
            TEST_ASSERT_EQUAL_STRING("site.yaml: out of memory", error.text);
            TEST_ASSERT_TRUE(arena.used == 0);
        }
    }
}

static void missing_file_and_folder_are_told(void)
{
    TEST_ASSERT_FALSE(base_yaml_load("no/such.yaml", &site_schema, &arena, &site, &error));
    TEST_ASSERT_EQUAL_STRING("no/such.yaml: cannot be opened: No such file or directory",
                             error.text);
    TEST_ASSERT_FALSE(base_yaml_load("/", &site_schema, &arena, &site, &error));
    TEST_ASSERT_EQUAL_STRING("/: not a file", error.text);
}

// Limits hold at their very edge: 1 MiB passes, one byte more does not.
static void size_limit_is_exact(void)
{
    char* text = malloc(BASE_YAML_BYTES_MAX + 1);
    TEST_ASSERT_NOT_NULL(text);
    memset(text, '#', BASE_YAML_BYTES_MAX + 1);
    memcpy(text, "seed: 4 ", 8);
    TEST_ASSERT_TRUE(
        base_yaml_read("big.yaml", text, BASE_YAML_BYTES_MAX, &site_schema, &arena, &site, &error));
    TEST_ASSERT_FALSE(base_yaml_read("big.yaml", text, BASE_YAML_BYTES_MAX + 1, &site_schema,
                                     &arena, &site, &error));
    TEST_ASSERT_EQUAL_STRING("big.yaml: too large; allowed is 1 MiB", error.text);
    free(text);
}

// begin, then the unit count times, then end; refused with the message
static void expect_flood(const char* begin, const char* unit, int count, const char* message)
{
    size_t length = strlen(begin);
    size_t step = strlen(unit);
    char* text = malloc(length + step * (size_t)count + 1);
    TEST_ASSERT_NOT_NULL(text);
    strcpy(text, begin);
    for (int i = 0; i < count; ++i) {
        memcpy(text + length + step * (size_t)i, unit, step + 1);
    }
    bool fine = read_text(text);
    free(text);
    TEST_ASSERT_FALSE(fine);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, message), error.text);
}

// Floods of anything end at a limit, quickly.
static void floods_end_at_a_limit(void)
{
    expect_flood("times: [0", ",0", 400000, "too many values; allowed are 65536 in a file");
    expect_flood("times: ", "[", 1000000, "nested too deeply; allowed are 16 levels");
    expect_flood("times: ", "{a: ", 200000, "nested too deeply; allowed are 16 levels");
    expect_flood("title: \"", "\\L", 500000,
                 "not YAML: a quote is never closed; it was opened in line 1");
    expect_flood("seed: ", "9", 1000000, "is too long; allowed is a whole number");
    expect_flood("", "x", 1000000, "the file must consist of");
    expect_flood("", "- ", 500000, "the file must consist of");
    expect_flood("seed: ", "&a ", 300000, "");
}

// Cutting a good file anywhere, or overwriting any byte, never crashes and never half-loads.
static void every_cut_and_flip_is_survived(void)
{
    const char good[] = "title: \"a\\tb\"\nkernel: gs\npit: {depth: 5 mm}\npiles:\n"
                        "  - {at: [1, 2, 3], soil: x, tags: [q]}\nsoils:\n  x:\n    friction: 4\n";
    const char bytes[] = {0,   '\n', ' ', ':', '-', '[',    '{',
                          '"', '&',  '*', '!', '%', '\xff', '\xc3'};
    char text[sizeof good];
    for (size_t cut = 0; cut < sizeof good; ++cut) {
        base_yaml_read("cut", good, cut, &site_schema, &arena, &site, &error);
    }
    for (size_t i = 0; i + 1 < sizeof good; ++i) {
        for (size_t j = 0; j < sizeof bytes; ++j) {
            memcpy(text, good, sizeof good);
            text[i] = bytes[j];
            size_t used = arena.used;
            bool fine =
                base_yaml_read("flip", text, sizeof good - 1, &site_schema, &arena, &site, &error);
            TEST_ASSERT_TRUE(fine || arena.used == used);
            base_arena_rewind(&arena, 0);
        }
    }
}

// --- corpus --------------------------------------------------------------------------------

// What FILE must be answered with: its first line "# expect: ...", or FILE.expect where the file
// cannot begin with a comment. False when there is neither.
static bool expected_message(const char* path, char* out, size_t size)
{
    char sidecar[512];
    snprintf(sidecar, sizeof sidecar, "%s.expect", path);
    FILE* file = fopen(sidecar, "r");
    bool own = file == NULL;
    file = own ? fopen(path, "r") : file;
    bool fine = file != NULL && fgets(out, (int)size, file) != NULL;
    if (file != NULL) {
        fclose(file);
    }
    if (!fine || (own && strncmp(out, MARK, strlen(MARK)) != 0)) {
        return false;
    }
    memmove(out, out + (own ? strlen(MARK) : 0), strlen(out + (own ? strlen(MARK) : 0)) + 1);
    out[strcspn(out, "\n")] = '\0';
    return true;
}

static void check_corpus_file(const char* name)
{
    char path[256], expected[512], full[1024];
    snprintf(path, sizeof path, "%s/%s", CORPUS, name);
    TEST_ASSERT_TRUE_MESSAGE(expected_message(path, expected, sizeof expected), path);
    TEST_ASSERT_FALSE_MESSAGE(base_yaml_load(path, &site_schema, &arena, &site, &error), path);

    // "file:line:column: message", or "file: message" where the whole file is at fault
    snprintf(full, sizeof full, "%s%s%s", path,
             expected[0] >= '0' && expected[0] <= '9' ? ":" : ": ", expected);
    TEST_ASSERT_EQUAL_STRING(full, error.text);
    TEST_ASSERT_TRUE(arena.used == 0);
}

// Each bad file of the corpus is refused with exactly the sentence it asks for.
static void corpus_is_refused_file_by_file(void)
{
    DIR* folder = opendir(CORPUS);
    TEST_ASSERT_NOT_NULL_MESSAGE(folder, "run from the root of the repository");
    int files = 0;
    for (struct dirent* entry; (entry = readdir(folder)) != NULL;) {
        const char* end = strrchr(entry->d_name, '.');
        if (end != NULL && strcmp(end, ".yaml") == 0) {
            check_corpus_file(entry->d_name);
            ++files;
        }
    }
    closedir(folder);
    TEST_ASSERT_GREATER_OR_EQUAL_INT(30, files);
}

// With an argument: prints the message for one file, for those who write a new corpus file.
int main(int argc, char** argv)
{
    if (argc == 2) {
        setUp();
        bool fine = base_yaml_load(argv[1], &site_schema, &arena, &site, &error);
        puts(fine ? "accepted" : error.text);
        return 0;
    }
    UNITY_BEGIN();
    RUN_TEST(good_file_fills_the_struct);
    RUN_TEST(absent_keys_take_their_defaults);
    RUN_TEST(foreign_editors_are_tolerated);
    RUN_TEST(locale_does_not_matter);
    RUN_TEST(nothing_is_half_loaded);
    RUN_TEST(error_carries_its_place);
    RUN_TEST(small_arena_is_out_of_memory);
    RUN_TEST(missing_file_and_folder_are_told);
    RUN_TEST(size_limit_is_exact);
    RUN_TEST(floods_end_at_a_limit);
    RUN_TEST(every_cut_and_flip_is_survived);
    RUN_TEST(corpus_is_refused_file_by_file);
    return UNITY_END();
}
