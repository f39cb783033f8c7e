// payload - a bucket is dug full by levers, lifted and held still. What it holds is weighed three ways:
// by the cylinders that hold the arm, by the contacts of the grains on the steel, and by the books.
//
//      o boom pin         o stick pin        Moments about both pins, less those of the steel:
//      |<------ d ------->|                     M_boom - M_stick = W d
//                             | W            so no guess is needed of where the load's middle is.
#include "lab/lab_dig.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>
#include <stdlib.h>

#define PAYLOAD_DIGS   3     // buckets; fewer when quick
#define PAYLOAD_LIFT   1.2   // s of boom lever
#define PAYLOAD_SETTLE 4.0   // s
#define PAYLOAD_LOOSE  20    // frames after the first thaw
#define PAYLOAD_ALIVE  180   // frames of weighing by contacts
#define PAYLOAD_WAIT   8.0   // s until the load must ride
#define PAYLOAD_FROZEN 120   // frames
#define PAYLOAD_LIMIT  0.02  //
#define PAYLOAD_WOKEN  0.05  // our own limit, of single frames
#define PAYLOAD_LEAST  500.0 // kg that are worth weighing
#define PAYLOAD_BITE   1.3   // of the operator's usual depth: a full bucket

typedef struct Payload {
    double ledger, cylinders, contacts; // kg, grains alive
    double frozen;                      // kg by cylinders, load frozen
    double woken[2]; // kg by contacts just after it woke: least and most in a frame
} Payload;

static int frozen(const LabDig* dig)
{
    return coupling_carrier_grains(world_coupling(dig->world), 0);
}

static void sample(LabRun* run, const LabDig* dig, double start)
{
    const double row[5] = {world_time(dig->world) - start, lab_dig_held(dig), lab_dig_weighed(dig),
                           lab_dig_contact(dig) / 9.81, frozen(dig)};
    lab_table_row(&run->report->table, row);
}

static void hold(LabRun* run, LabDig* dig, int frames, double start)
{
    for (int k = 0; k < frames; ++k) {
        lab_dig_step(dig);
        sample(run, dig, start);
    }
}

// Boom up, the bucket kept level.
static void lift(LabRun* run, LabDig* dig, double start)
{
    double level = 0.0;
    for (int k = 0; k < (int)(PAYLOAD_LIFT * WORLD_RATE); ++k) {
        OperatorPose now = operator_arm_look(&dig->hands.arm, dig->machine);
        double pitch = now.joint[OPERATOR_BOOM] + now.joint[OPERATOR_STICK];
        level = k == 0 ? pitch + now.joint[OPERATOR_BUCKET] : level;
        lab_dig_lever(dig, dig->hands.arm.lever[OPERATOR_BOOM], 1.0);
        lab_dig_steer(dig, OPERATOR_BUCKET, level - pitch);
        hold(run, dig, 1, start);
    }
    lab_dig_neutral(dig);
}

// Grains that have come to rest freeze; they are brought back to life as often as they do. What they do
// when they wake is part of the mean: over seconds, momentum leaves nothing but the weight.
static void weigh_alive(LabRun* run, LabDig* dig, double start, Payload* out)
{
    coupling_carrier_thaw(world_coupling(dig->world), 0);
    out->woken[0] = 1e9;
    for (int k = 0; k < PAYLOAD_LOOSE; ++k) {
        hold(run, dig, 1, start);
        double now = lab_dig_contact(dig) / 9.81;
        out->woken[0] = fmin(out->woken[0], now);
        out->woken[1] = fmax(out->woken[1], now);
    }
    for (int k = 0; k < PAYLOAD_ALIVE; ++k) {
        if (frozen(dig) > 0)
            coupling_carrier_thaw(world_coupling(dig->world), 0);
        hold(run, dig, 1, start);
        out->ledger += lab_dig_held(dig) / PAYLOAD_ALIVE;
        out->cylinders += lab_dig_weighed(dig) / PAYLOAD_ALIVE;
        out->contacts += lab_dig_contact(dig) / 9.81 / PAYLOAD_ALIVE;
    }
}

static void weigh(LabRun* run, LabDig* dig, Payload* out)
{
    double start = world_time(dig->world);
    lift(run, dig, start);
    hold(run, dig, (int)(PAYLOAD_SETTLE * WORLD_RATE), start);
    weigh_alive(run, dig, start, out);
    for (int k = 0; frozen(dig) == 0 && k < (int)(PAYLOAD_WAIT * WORLD_RATE); ++k)
        hold(run, dig, 1, start);
    hold(run, dig, PAYLOAD_FROZEN, start); // rings down
    int count = 0;
    for (; count < PAYLOAD_FROZEN && frozen(dig) > 0; ++count) {
        hold(run, dig, 1, start);
        out->frozen += lab_dig_weighed(dig);
    }
    out->frozen /= count; // not a number when it never froze
}

static void report(LabRun* run, int n, const Payload* p)
{
    LabReport* r = run->report;
    char key[LAB_NAME_MAX];
    snprintf(key, sizeof key, "bucket_%d.ledger", n + 1);
    lab_report_least(r, key, "kg", p->ledger, PAYLOAD_LEAST);
    snprintf(key, sizeof key, "bucket_%d.cylinders_over_ledger", n + 1);
    lab_report_near(r, key, "", p->cylinders / p->ledger, 1.0, PAYLOAD_LIMIT);
    snprintf(key, sizeof key, "bucket_%d.contacts_over_ledger", n + 1);
    lab_report_near(r, key, "", p->contacts / p->ledger, 1.0, PAYLOAD_LIMIT);
    snprintf(key, sizeof key, "bucket_%d.least_when_woken", n + 1);
    lab_report_near(r, key, "", p->woken[0] / p->ledger, 1.0, PAYLOAD_WOKEN);
    snprintf(key, sizeof key, "bucket_%d.most_when_woken", n + 1);
    lab_report_near(r, key, "", p->woken[1] / p->ledger, 1.0, PAYLOAD_WOKEN);
    snprintf(key, sizeof key, "bucket_%d.frozen_over_ledger", n + 1);
    lab_report_near(r, key, "", p->frozen / p->ledger, 1.0, PAYLOAD_LIMIT);
}

// --- picture -------------------------------------------------------------------------------------

static void draw(LabRun* run, const LabDig* dig)
{
    if (!lab_picture_wanted(run, 1800, 800))
        return;
    const LabTable* t = &run->report->table;
    double* column = malloc((size_t)(t->rows * t->columns) * sizeof *column);
    if (!column)
        return;
    for (int i = 0; i < t->rows * t->columns; ++i)
        column[i % t->columns * t->rows + i / t->columns] = t->cell[i];
    PlotRect area = lab_picture_heading(run, "A bucket of loam, weighed three ways",
                                        "dug by levers, lifted, held still; thawed and frozen");
    Vec3 pin = machine_pose(dig->machine, dig->hands.arm.body[OPERATOR_BUCKET]).position;
    LabSection section = {
        .lo = {-3.2, -0.9}, .hi = {9.5, 6.6}, .row = lab_dig_row(dig, pin.z), .deep = 0.7};
    lab_dig_draw(run, lab_picture_tile(area, 2, 1, 0, 0), dig, section);
    PlotChart chart = {
        .title = "Weight of the load",
        .subtitle = "first bucket; it rides frozen, is woken again and again for 3 s, and freezes",
        .x_label = "time (s)",
        .y_label = "kg"};
    static const char* const names[3] = {"books", "cylinders", "contacts"};
    int rows = 1;
    while (rows < t->rows && column[rows] > column[rows - 1])
        ++rows;
    for (int k = 0; k < 3; ++k) {
        double* y = column + (size_t)((k + 1) * t->rows);
        chart.y_range[1] = fmax(chart.y_range[1], 1.6 * y[rows - 1]);
        chart.series[k] = lab_picture_series(names[k], k, column, y, rows);
        chart.series[k].marker = PLOT_MARKER_NONE;
    }
    chart.count = 3;
    plot_chart_draw(run->picture, lab_picture_tile(area, 2, 1, 1, 0), &chart);
    free(column);
}

void lab_payload_run(LabRun* run)
{
    const LabDigDef def = {.site = "config/lab/ground_loam.yaml",
                           .vehicle = "vehicles/excavator_22t.yaml",
                           .radius = 0.04f,
                           .pool = 8000};
    LabDig dig;
    if (!lab_dig_make(run, &dig, &def))
        return;
    lab_part(run, 1.0);
    lab_table_columns(&run->report->table, "time,ledger,cylinders,contacts,frozen");
    int digs = run->options->quick ? 1 : PAYLOAD_DIGS;
    bool fine = lab_dig_hands(run, &dig, 1.5f);
    for (int n = 0; fine && n < digs; ++n) {
        Payload p = {0};
        dig.hands.state.bite = PAYLOAD_BITE;
        if (!lab_dig_until(&dig, OPERATOR_DRAG, 60.0) ||
            !lab_dig_until(&dig, OPERATOR_HAUL, 60.0)) {
            lab_fail(run, LAB_EXIT_FAILED, "the operator did not bring a bucket out of the ground");
            break;
        }
        weigh(run, &dig, &p);
        report(run, n, &p);
        if (n == 0)
            draw(run, &dig);
        lab_progress(run, (n + 1.0) / digs);
    }
    if (fine)
        lab_report_most(run->report, "bad_steps", "", (double)machine_state(dig.machine)->resets,
                        0.0);
    lab_dig_finish(run, &dig);
}
