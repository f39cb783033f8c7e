// fill - an expert digs bucket after bucket in four soils. How full they come out of the ground, against
// what handbooks expect.
#include "lab/lab_dig.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define FILL_SOILS  4
#define FILL_BEFORE 2 // buckets in which he learns the ground
#define FILL_COUNT  6 // buckets that count
#define FILL_QUICK  2
#define FILL_TIME   60.0 // s for one

typedef struct FillSoil {
    const char *name, *site;
    double low, high; // of the heaped bucket
} FillSoil;

// Fill factors of excavator buckets, as handbooks give them (docs/experiments.md).
static const FillSoil soils[FILL_SOILS] = {
    {"loam", "config/lab/ground_loam.yaml", 1.00, 1.10},
    {"sand", "config/lab/ground_moist_sand.yaml", 0.95, 1.10},
    {"gravel", "config/lab/ground_gravel.yaml", 0.95, 1.10},
    {"clay", "config/lab/ground_clay.yaml", 0.80, 0.90},
};

// Mean fill of the buckets that count; their spread goes to `least` and `most`.
static double dig_some(LabRun* run, LabDig* dig, int soil, int count, double* least, double* most)
{
    double sum = 0.0;
    *least = 1e9, *most = 0.0;
    for (int n = 0; n < FILL_BEFORE + count; ++n) {
        if (!lab_dig_until(dig, OPERATOR_DRAG, FILL_TIME) ||
            !lab_dig_until(dig, OPERATOR_HAUL, FILL_TIME))
            return NAN;
        const OperatorCycle* now = &dig->hands.state.now;
        const double row[6] = {soil, n, now->fill, now->payload, now->dig, now->deepest};
        lab_table_row(&run->report->table, row);
        if (n >= FILL_BEFORE) {
            sum += now->fill / count;
            *least = fmin(*least, now->fill), *most = fmax(*most, now->fill);
        }
        lab_progress(run, (n + 1.0) / (FILL_BEFORE + count));
    }
    return sum;
}

static bool dig_soil(LabRun* run, int soil, int count)
{
    const FillSoil* s = &soils[soil];
    const LabDigDef def = {
        .site = s->site, .vehicle = "vehicles/excavator_22t.yaml", .radius = 0.04f, .pool = 12000};
    LabDig dig;
    char key[LAB_NAME_MAX];
    double least, most;
    if (!lab_dig_make(run, &dig, &def))
        return false;
    lab_part(run, 1.0 / FILL_SOILS);
    bool fine = lab_dig_hands(run, &dig, 1.5f);
    dig.hands.task.fill = (float)(0.5 * (s->low + s->high));
    if (fine) {
        double mean = dig_some(run, &dig, soil, count, &least, &most);
        snprintf(key, sizeof key, "%s.fill", s->name);
        lab_report_near(run->report, key, "of heaped", mean, 0.5 * (s->low + s->high),
                        0.5 * (s->high - s->low));
        snprintf(key, sizeof key, "%s.least", s->name);
        lab_report_value(run->report, key, "", least);
        snprintf(key, sizeof key, "%s.most", s->name);
        lab_report_value(run->report, key, "", most);
        if (lab_picture_wanted(run, 1800, 1100)) {
            if (soil == 0)
                lab_picture_heading(run, "How full the bucket comes out of the ground",
                                    "an expert's last bucket in loam, sand, gravel and clay");
            Vec3 pin = machine_pose(dig.machine, dig.hands.arm.body[OPERATOR_BUCKET]).position;
            LabSection section = {.lo = {-3.2, -2.0},
                                  .hi = {10.4, 6.2},
                                  .row = lab_dig_row(&dig, pin.z),
                                  .deep = 0.5};
            PlotRect area = {LAB_PICTURE_EDGE, 110.0, 1800.0 - 2.0 * LAB_PICTURE_EDGE, 950.0};
            PlotView v =
                lab_dig_draw(run, lab_picture_tile(area, 2, 2, soil % 2, soil / 2), &dig, section);
            snprintf(key, sizeof key, "%s: %.0f %%", s->name, 100.0 * mean);
            plot_view_label(run->picture, &v, 6.6, 5.4, PLOT_ALIGN_LEFT, key);
        }
    }
    lab_dig_finish(run, &dig);
    return fine;
}

void lab_fill_run(LabRun* run)
{
    int count = run->options->quick ? FILL_QUICK : FILL_COUNT;
    bool fine = true;
    lab_table_columns(&run->report->table, "soil,bucket,fill,payload_kg,dig_s,deepest_m");
    for (int soil = 0; soil < FILL_SOILS && fine; ++soil)
        fine = dig_soil(run, soil, count);
}
