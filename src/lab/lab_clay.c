// clay - a bucket is dug full, lifted and tilted by ninety degrees, by levers. Clay sticks in it and
// leaves on a jerk (P2 Fig. 6); sand leaves while it tilts.
#include "lab/lab_dig.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define CLAY_SOILS  2
#define CLAY_LIFT   1.6  // s of boom lever
#define CLAY_SETTLE 3.0  // s
#define CLAY_TURN   20.0 // deg/s of the tilt
#define CLAY_TILT   90.0 // deg
#define CLAY_WAIT   2.0  // s tilted, before it counts
#define CLAY_JERKS  8
#define CLAY_JERK   18 // frames of full lever, one way
// of the operator's usual depth: what lies heaped over the lips has nothing to stick to
#define CLAY_BITE   0.65
#define CLAY_STAYS  0.9
#define CLAY_SLIDES 0.5 // of the sand, at most
#define CLAY_LEAVES 0.3 // of the clay, at most, after the jerks

typedef struct Clay {
    LabDig dig;
    double level;  // rad, pitch of the bucket that was dug full
    double before; // kg
    double tilted; // share of it, tilted
    double jerked; // share of it, afterwards
} Clay;

static const char* const names[CLAY_SOILS] = {"clay", "sand"};
static const char* const sites[CLAY_SOILS] = {"config/lab/ground_clay.yaml",
                                              "config/lab/ground_moist_sand.yaml"};

static double arm_pitch(const LabDig* dig)
{
    OperatorPose now = operator_arm_look(&dig->hands.arm, dig->machine);
    return now.joint[OPERATOR_BOOM] + now.joint[OPERATOR_STICK];
}

static double pitch(const LabDig* dig)
{
    OperatorPose now = operator_arm_look(&dig->hands.arm, dig->machine);
    return arm_pitch(dig) + now.joint[OPERATOR_BUCKET];
}

static void sample(LabRun* run, Clay* c, int soil, double start)
{
    const double row[4] = {soil, world_time(c->dig.world) - start,
                           (pitch(&c->dig) - c->level) / BASE_DEG, lab_dig_held(&c->dig)};
    lab_table_row(&run->report->table, row);
}

static void lift(Clay* c)
{
    LabDig* dig = &c->dig;
    c->level = pitch(dig);
    for (int k = 0; k < (int)(CLAY_LIFT * WORLD_RATE); ++k) {
        lab_dig_lever(dig, dig->hands.arm.lever[OPERATOR_BOOM], 1.0);
        lab_dig_steer(dig, OPERATOR_BUCKET, c->level - arm_pitch(dig));
        lab_dig_step(dig);
    }
    lab_dig_neutral(dig);
    lab_dig_wait(dig, CLAY_SETTLE);
}

static void tilt(LabRun* run, Clay* c, int soil, double start)
{
    LabDig* dig = &c->dig;
    double to = CLAY_TILT / CLAY_TURN, seconds = to + CLAY_WAIT;
    for (int k = 0; k < (int)(seconds * WORLD_RATE); ++k) {
        double wanted = fmin(k * WORLD_DT / to, 1.0) * CLAY_TILT * BASE_DEG;
        lab_dig_steer(dig, OPERATOR_BUCKET, c->level + wanted - arm_pitch(dig));
        lab_dig_step(dig);
        sample(run, c, soil, start);
    }
    lab_dig_neutral(dig);
}

// Bucket and boom up, then both down and out, valves at their briskest: as hard as levers can.
static void jerk(LabRun* run, Clay* c, int soil, double start)
{
    LabDig* dig = &c->dig;
    dig->input.response = INPUT_RESPONSE_ACTIVE;
    for (int k = 0; k < CLAY_JERKS * 2 * CLAY_JERK; ++k) {
        double way = k / CLAY_JERK % 2 == 0 ? 1.0 : -1.0;
        lab_dig_lever(dig, dig->hands.arm.lever[OPERATOR_BUCKET], way);
        lab_dig_lever(dig, dig->hands.arm.lever[OPERATOR_BOOM], way);
        lab_dig_step(dig);
        sample(run, c, soil, start);
    }
    lab_dig_neutral(dig);
    for (int k = 0; k < (int)(CLAY_WAIT * WORLD_RATE); ++k) {
        lab_dig_step(dig);
        sample(run, c, soil, start);
    }
}

static void draw(LabRun* run, const Clay* c, int soil, int shot, const char* text)
{
    if (!lab_picture_wanted(run, 1800, 1000))
        return;
    if (soil == 0 && shot == 0)
        lab_picture_heading(run, "Clay stays in a tilted bucket and leaves on a jerk",
                            "above clay, below moist sand; P2 Fig. 6");
    Vec3 pin = machine_pose(c->dig.machine, c->dig.hands.arm.body[OPERATOR_BUCKET]).position;
    LabSection section = {.lo = {(double)pin.x - 2.4, (double)pin.y - 1.9},
                          .hi = {(double)pin.x + 1.6, (double)pin.y + 0.6},
                          .row = lab_dig_row(&c->dig, pin.z),
                          .deep = 0.6};
    PlotRect area = {LAB_PICTURE_EDGE, 110.0, 1800.0 - 2.0 * LAB_PICTURE_EDGE, 850.0};
    PlotView v = lab_dig_draw(run, lab_picture_tile(area, 3, 2, shot, soil), &c->dig, section);
    plot_view_label(run->picture, &v, section.lo[0] + 0.1, section.lo[1] + 0.1, PLOT_ALIGN_LEFT,
                    text);
}

static bool one_soil(LabRun* run, int soil)
{
    const LabDigDef def = {.site = sites[soil],
                           .vehicle = "vehicles/excavator_22t.yaml",
                           .radius = 0.04f,
                           .pool = 8000};
    Clay c = {0};
    LabReport* r = run->report;
    char key[LAB_NAME_MAX];
    if (!lab_dig_make(run, &c.dig, &def))
        return false;
    lab_part(run, 1.0 / CLAY_SOILS);
    bool fine = lab_dig_hands(run, &c.dig, 1.5f);
    if (fine)
        c.dig.hands.state.bite = CLAY_BITE;
    if (fine && !lab_dig_until(&c.dig, OPERATOR_HAUL, 60.0)) {
        lab_fail(run, LAB_EXIT_FAILED, "the operator did not bring a bucket out of the ground");
        fine = false;
    }
    if (fine) {
        lift(&c);
        double start = world_time(c.dig.world);
        c.before = lab_dig_held(&c.dig);
        draw(run, &c, soil, 0, "level");
        lab_progress(run, 0.4);
        tilt(run, &c, soil, start);
        c.tilted = lab_dig_held(&c.dig) / c.before;
        draw(run, &c, soil, 1, "tilted by 90 degrees for 2 s");
        lab_progress(run, 0.7);
        jerk(run, &c, soil, start);
        c.jerked = lab_dig_held(&c.dig) / c.before;
        draw(run, &c, soil, 2, "after eight jerks");
        snprintf(key, sizeof key, "%s.load", names[soil]);
        lab_report_value(r, key, "kg", c.before);
        snprintf(key, sizeof key, "%s.held_tilted", names[soil]);
        if (soil == 0)
            lab_report_least(r, key, "", c.tilted, CLAY_STAYS);
        else
            lab_report_most(r, key, "", c.tilted, CLAY_SLIDES);
        snprintf(key, sizeof key, "%s.held_after_jerks", names[soil]);
        lab_report_most(r, key, "", c.jerked, CLAY_LEAVES);
    }
    lab_dig_finish(run, &c.dig);
    return fine;
}

void lab_clay_run(LabRun* run)
{
    bool fine = true;
    lab_table_columns(&run->report->table, "soil,time,tilt_deg,held_kg");
    for (int soil = 0; soil < CLAY_SOILS && fine; ++soil)
        fine = one_soil(run, soil);
}
