// Lessons that read well and cannot be meant: told with their place when they are built.
#include "sim/sim_lesson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

// Each %s may be replaced; all defaults together are a good lesson.
#define LESSON                                                                                   \
    "title: T\ntime_limit: 5 min\nown_site:\n  title: S\n  size: [36 m, 30 m]\n  bedrock: 4 m\n" \
    "  ground:\n    - {material: moist_sand}\n"

static const char machine[] =
    "machine: {vehicle: excavator_22t, at: [12 m, 15 m], heading: 90 deg}\n";
static const char goals[] =
    "goals:\n  hole: {pit: {from: [19 m, 14 m], to: [21 m, 16 m], depth: 1 m}}\n";
static const char rest[] = "criteria:\n  - {measure: time, at_most: 300, pillar: economy}\n";

static char path[] = "/tmp/mattock-check-XXXXXX";

void setUp(void) {}
void tearDown(void) {}

static bool find(const char* name, char* out, size_t size)
{
    snprintf(out, size, "%s", name); // tests start in the root of the sources
    return access(out, F_OK) == 0;
}

static void write_lesson(const char* site, const char* stand, const char* objects,
                         const char* wanted)
{
    FILE* file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL(file);
    fprintf(file, "%s%s%s%s%s", site, stand, objects, wanted, rest);
    fclose(file);
}

// NULL: it is fine.
static void expect(const char* stand, const char* objects, const char* wanted, const char* message)
{
    char full[700];
    BaseYamlError error = {0};
    SimLessonDef def = {path, find, 1};
    write_lesson(LESSON, stand, objects, wanted);
    SimLesson* lesson = sim_lesson_create(&def, &error);
    bool made = lesson != NULL;
    sim_lesson_destroy(lesson);
    TEST_ASSERT_EQUAL_INT_MESSAGE(message == NULL, made, error.text);
    if (message) {
        snprintf(full, sizeof full, "%s:%s", path, message);
        TEST_ASSERT_EQUAL_STRING(full, error.text);
    }
}

static void the_lesson_is_fine(void)
{
    expect(machine, "", goals, NULL);
    // just in reach, just on the site, beside the tracks
    expect("machine: {vehicle: excavator_22t, at: [12 m, 15 m], boom: 57 deg}\n", "", goals, NULL);
    expect("machine: {vehicle: excavator_22t, at: [2 m, 2 m], heading: 0 deg}\n", "", goals, NULL);
    expect(machine, "objects:\n  hat: {cone: {at: [9 m, 15 m]}}\n", goals, NULL);
}

static void joints_are_within_their_cylinders(void)
{
    expect(
        "machine: {vehicle: excavator_22t, at: [12 m, 15 m], stick: 30 deg}\n", "", goals,
        "9:60: machine.stick: 30 deg is beyond what this machine's cylinder reaches; allowed is a "
        "number in deg from -153 to -35");
    expect(machine, "", "goals:\n  up: {pose: {swing: 300 deg, boom: 80 deg}}\n",
           "11:37: goals.up.pose.boom: 80 deg is beyond what this machine's cylinder reaches; "
           "allowed is a number in deg from -48 to 57");
}

static void the_machine_stands_on_the_site(void)
{
    expect("machine: {vehicle: excavator_22t, at: [1 m, 15 m], heading: 0 deg}\n", "", goals,
           "9:39: machine.at: a track stands off the site, at [-0.8, 13.5]; the site is [0, 0] to "
           "[36, 30] m, and the tracks are 3.7 m long and 3.0 m wide over all");
}

static void nothing_stands_in_the_machine(void)
{
    expect(
        machine, "objects:\n  w: {wall: {from: [2 m, 2 m], to: [20 m, 26 m]}}\n", goals,
        "11:6: objects.w: stands where the machine's tracks are; move it, or machine.at [12, 15]");
    expect(machine, "objects:\n  hat: {cone: {at: [12 m, 16.8 m]}}\n", goals,
           "11:8: objects.hat: stands where the machine's tracks are; move it, or machine.at [12, "
           "15]");
    // across the tracks the same distance is free
    expect(machine, "objects:\n  hat: {cone: {at: [13.8 m, 15 m]}}\n", goals, NULL);
}

static void vehicles_are_what_they_must_be(void)
{
    expect(
        "machine: {vehicle: truck_24t, at: [12 m, 15 m]}\n", "", goals,
        "9:20: machine.vehicle: truck_24t lacks bucket among its tools; allowed is an excavator, "
        "as excavator_22t");
    expect(
        machine, "objects:\n  t: {truck: {vehicle: dozer_20t, at: [25 m, 20 m], load: 8 t}}\n",
        goals,
        "11:24: objects.t.truck.vehicle: dozer_20t has no bin to be loaded; allowed is a truck, as "
        "truck_24t");
}

static void goals_can_be_reached_and_are_not_yet(void)
{
    expect(machine, "",
           "goals:\n  hole: {pit: {from: [19 m, 14 m], to: [21 m, 16 m], depth: 6 m}}\n",
           "11:61: goals.hole.pit.depth: the goal reaches 2.00 m into the rock, where nobody digs; "
           "raise it, or give the site a deeper bedrock");
    expect(
        machine, "",
        "goals:\n  flat: {pad: {outline: [19 m, 14 m, 21 m, 14 m, 21 m, 16 m], height: 0 m}}\n",
        "11:9: goals.flat: is reached before anybody has dug; ask for more, or make tolerance or "
        "done stricter");
    expect(
        machine, "",
        "goals:\n  dot: {pit: {from: [19 m, 14 m], to: [19.001 m, 14.001 m], depth: 1 m}}\n",
        "11:68: goals.dot.pit.depth: the goal covers no column of the ground; make it larger than "
        "0.1 m");
}

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0) {
        return 1;
    }
    close(fd);
    UNITY_BEGIN();
    RUN_TEST(the_lesson_is_fine);
    RUN_TEST(joints_are_within_their_cylinders);
    RUN_TEST(the_machine_stands_on_the_site);
    RUN_TEST(nothing_stands_in_the_machine);
    RUN_TEST(vehicles_are_what_they_must_be);
    RUN_TEST(goals_can_be_reached_and_are_not_yet);
    remove(path);
    return UNITY_END();
}
