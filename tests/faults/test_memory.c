// Memory runs out at every single allocation of every loader, and for good from there on: the loader says
// no, gives everything back, and the next try works.
#include "faults/fail_alloc.h"

#include "base/base_json.h"
#include "base/base_path.h"
#include "input/input_controls.h"
#include "input/input_script.h"
#include "lab/lab.h"
#include "machine/machine.h"
#include "material/material.h"
#include "plot/plot_canvas.h"
#include "qualify/qualify.h"
#include "record/record.h"
#include "report/report_text.h"
#include "scenario/scenario.h"
#include "site/site.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>
#include <unity.h>

// FAULT_ALL=1 tries every allocation of the large loaders, too; else so many at both ends and every
// so-manieth between.
#define ENDS  150
#define EVERY 97

static BaseYamlError error;
static MaterialSet materials;
static BaseArena kept; // what `materials` lies in

void setUp(void) {}
void tearDown(void) {}

// Loads something with an arena of its own and throws it away again. False when it was refused.
typedef bool Loader(void);

static bool with_arena(bool (*load)(BaseArena*))
{
    BaseArena arena;
    error = (BaseYamlError){0};
    if (!base_arena_init(&arena, 64u << 20))
        return false;
    bool fine = load(&arena);
    base_arena_free(&arena);
    return fine;
}

// stderr belongs to the loaders while they fail a thousand times
static int quiet(void)
{
    fflush(stderr);
    int saved = dup(2);
    TEST_ASSERT_NOT_NULL(freopen("/dev/null", "w", stderr));
    setvbuf(stderr, NULL, _IONBF, 0); // its buffer would count as a block that somebody kept
    return saved;
}

static void loud(int saved)
{
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
}

static bool left_out(int n, int calls)
{
    return !getenv("FAULT_ALL") && n > ENDS && n < calls - ENDS && n % EVERY != 0;
}

static void fails_at_every_allocation(const char* name, Loader* load)
{
    char text[128];
    TEST_ASSERT_TRUE_MESSAGE(load(), name); // warm: what the C library keeps for ever
    fail_at(0, false);
    bool fine = load();
    int calls = fail_end();
    snprintf(text, sizeof text, "%s: %d allocations", name, calls);
    TEST_ASSERT_TRUE_MESSAGE(fine && calls > 0, text);
    int refused = 0, tries = 0, saved = quiet();
    for (int after = 0; after < 2; ++after) {
        for (int n = 1; n <= calls; ++n) {
            if (left_out(n, calls))
                continue;
            fail_at(n, after);
            tries++;
            bool loaded = load();
            fail_end();
            int left = atomic_load(&fail_living);
            refused += !loaded;
            if (left != 0) {
                loud(saved);
                snprintf(text, sizeof text, "%s: call %d failed, %d blocks left", name, n, left);
                TEST_FAIL_MESSAGE(text);
            }
        }
    }
    bool again = load();
    loud(saved);
    printf("%s: %d allocations, refused %d of %d times\n", name, calls, refused, tries);
    TEST_ASSERT_TRUE_MESSAGE(2 * refused >= tries, name); // from the first on at least, for good
    TEST_ASSERT_TRUE_MESSAGE(again, name);
}

#define LOADER(name, call)                  \
    static bool name##_in(BaseArena* arena) \
    {                                       \
        return call;                        \
    }                                       \
    static bool name(void)                  \
    {                                       \
        return with_arena(name##_in);       \
    }

static MaterialSet set;
static MaterialCalibration calibration;
static ScenarioWeathers weathers;
static MachineDef vehicle;
static Scenario lesson;
static InputControls controls;
static InputScript script;
static QualifyMaster master;

LOADER(load_materials, material_load("config/materials.yaml", arena, &set, &error))
LOADER(load_calibration,
       material_load_calibration("config/calibration.yaml", arena, &calibration, &error))
LOADER(load_weather, scenario_weather_load("config/weather.yaml", arena, &weathers, &error))
LOADER(load_vehicle, machine_load("vehicles/truck_24t.yaml", arena, &vehicle, &error))
LOADER(load_lesson,
       scenario_load("config/scenarios/trench.yaml", base_path_find, arena, &lesson, &error))
LOADER(load_controls,
       input_controls_load("config/controls/keyboard.yaml", arena, &controls, &error))
LOADER(load_script, input_script_load("tests/scenes/dig.levers", arena, &script, &error))
LOADER(load_master, qualify_master_load("config/qualify/quick.yaml", arena, &master, &error))

static bool load_site_in(BaseArena* arena)
{
    SiteInfo info;
    Terrain* t = site_load("config/sites/quarry.yaml", &materials, arena, &info, &error);
    terrain_destroy(t);
    return t != NULL;
}

static bool load_site(void)
{
    return with_arena(load_site_in);
}

static bool create_machine_in(BaseArena* arena)
{
    if (!machine_load("vehicles/excavator_22t.yaml", arena, &vehicle, &error))
        return false;
    Machine* m = machine_create(&vehicle);
    machine_destroy(m);
    return m != NULL;
}

static bool create_machine(void)
{
    return with_arena(create_machine_in);
}

static bool create_world(void)
{
    const WorldDef def = {.site = "config/sites/flat.yaml",
                          .materials = "config/materials.yaml",
                          .calibration = "config/calibration.yaml",
                          .radius = 0.05f,
                          .pool = 100,
                          .births = 50,
                          .machine = {{.vehicle = "vehicles/excavator_22t.yaml"}},
                          .machine_count = 1};
    World* w = world_create(&def, 1, &error);
    world_destroy(w);
    return w != NULL;
}

static bool write_json(void)
{
    BaseJson json;
    base_json_init(&json);
    base_json_begin_object(&json, NULL);
    for (int i = 0; i < 5000; ++i)
        base_json_double(&json, "a key of some length", 1.0 / (i + 1));
    base_json_end(&json);
    bool fine = base_json_text(&json) != NULL;
    base_json_free(&json);
    return fine;
}

static bool write_page(void)
{
    static QualifyRun run;
    run.master = NULL;
    return qualify_page(&run, "/dev/null", &error);
}

static bool write_picture(void)
{
    PlotCanvas* canvas = plot_canvas_create(40, 30, plot_color(0xffffff));
    bool fine = canvas && plot_canvas_save(canvas, "/dev/null");
    plot_canvas_destroy(canvas);
    return fine;
}

// A lesson of two seconds is recorded and read again.
static bool write_record(void)
{
    static const char path[] = "/tmp/mattock-memory.mrec";
    RecordHead head = {.program = "test", .rate = 60, .input_bytes = 8, .module_count = 1};
    RecordWriter* w = record_begin(path, &head, 1000, &error);
    if (!w)
        return false;
    for (uint32_t step = 0; step < 120; ++step)
        record_step(w, step, "lever s");
    bool fine = record_finish(w, "test", NULL, &error);
    RecordReader* r = fine ? record_open(path, &error) : NULL;
    unsigned char input[RECORD_INPUT_MAX];
    fine = r && record_input(r, 100, input);
    record_close(r);
    unlink(path);
    unlink("/tmp/mattock-memory.mrec.part"); // what a recording that cannot be finished leaves
    return fine;
}

#define FAILS(loader)                               \
    static void loader##_fails_cleanly(void)        \
    {                                               \
        fails_at_every_allocation(#loader, loader); \
    }

FAILS(load_materials)
FAILS(load_calibration)
FAILS(load_weather)
FAILS(load_vehicle)
FAILS(load_lesson)
FAILS(load_controls)
FAILS(load_script)
FAILS(load_master)
FAILS(load_site)
FAILS(create_machine)
FAILS(create_world)
FAILS(write_json)
FAILS(write_page)
FAILS(write_picture)
FAILS(write_record)

int main(void)
{
    if (!base_arena_init(&kept, 16u << 20) ||
        !material_load("config/materials.yaml", &kept, &materials, &error))
        return 1;
    UNITY_BEGIN();
    RUN_TEST(load_materials_fails_cleanly);
    RUN_TEST(load_calibration_fails_cleanly);
    RUN_TEST(load_weather_fails_cleanly);
    RUN_TEST(load_vehicle_fails_cleanly);
    RUN_TEST(load_lesson_fails_cleanly);
    RUN_TEST(load_controls_fails_cleanly);
    RUN_TEST(load_script_fails_cleanly);
    RUN_TEST(load_master_fails_cleanly);
    RUN_TEST(load_site_fails_cleanly);
    RUN_TEST(create_machine_fails_cleanly);
    RUN_TEST(create_world_fails_cleanly);
    RUN_TEST(write_json_fails_cleanly);
    RUN_TEST(write_page_fails_cleanly);
    RUN_TEST(write_picture_fails_cleanly);
    RUN_TEST(write_record_fails_cleanly);
    return UNITY_END();
}
