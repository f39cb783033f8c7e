// reach: how far the teeth come, by levers alone, against the sheet of a 22 t machine.
#include "lab/lab_arm.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>

#define REACH_DEPTH  6.70 // m, sheet (L)
#define REACH_GROUND 9.85
#define REACH_CUT    9.36
#define REACH_DUMP   6.49
#define REACH_WITHIN 0.01 // of each
#define REACH_POSES  4
#define REACH_TIME   15.0 // s that any movement may take

typedef struct ReachPose {
    const char* name;
    PlotAlign side;
    double x[4], y[4]; // m: boom foot, stick pin, bucket pin, teeth
} ReachPose;

typedef struct Reach {
    LabArm arm;
    ReachPose pose[REACH_POSES];
    int poses;
    bool fine; // every movement came to its end
} Reach;

static void note(Reach* r, const char* name, PlotAlign side)
{
    ReachPose* p = &r->pose[r->poses++];
    p->name = name;
    p->side = side;
    for (int j = 0; j < LAB_JOINTS; ++j) {
        Vec3 pin = machine_pose(r->arm.lab.machine, r->arm.body[j]).position;
        p->x[j] = (double)pin.x, p->y[j] = (double)pin.y;
    }
    Vec3 tip = lab_arm_tip(&r->arm);
    p->x[3] = (double)tip.x, p->y[3] = (double)tip.y;
}

// Everything up and out to its stop; then the bucket lets its teeth hang.
static void measure_heights(LabRun* run, Reach* r)
{
    r->fine = lab_arm_to_stop(&r->arm, (double[]){1, -1, -1}, REACH_TIME) && r->fine;
    note(r, "cut height", PLOT_ALIGN_LEFT);
    lab_report_near(run->report, "cut_height", "m", (double)lab_arm_tip(&r->arm).y, REACH_CUT,
                    REACH_WITHIN * REACH_CUT);
    lab_report_value(run->report, "boom_highest", "deg", lab_arm_world(&r->arm, LAB_BOOM));
    lab_report_value(run->report, "stick_out", "deg", -lab_arm_angle(&r->arm, LAB_STICK));
    lab_report_value(run->report, "bucket_out", "deg", lab_arm_angle(&r->arm, LAB_BUCKET));

    double down = lab_arm_angle(&r->arm, LAB_BUCKET) - (lab_arm_world(&r->arm, LAB_BUCKET) + 90.0);
    r->fine =
        lab_arm_seek(&r->arm, (double[]){(double)NAN, (double)NAN, down}, REACH_TIME) && r->fine;
    note(r, "dump height", PLOT_ALIGN_LEFT);
    lab_report_near(run->report, "dump_height", "m", (double)lab_arm_tip(&r->arm).y, REACH_DUMP,
                    REACH_WITHIN * REACH_DUMP);
}

// Bucket angle that points from the boom's foot through the bucket's pin: the longest arm.
static double stretched(const LabArm* arm)
{
    Vec3 foot = machine_pose(arm->lab.machine, arm->body[LAB_BOOM]).position;
    Vec3 pin = machine_pose(arm->lab.machine, arm->body[LAB_BUCKET]).position;
    double line = atan2((double)(pin.y - foot.y), (double)(pin.x - foot.x)) / BASE_DEG;
    return lab_arm_angle(arm, LAB_BUCKET) + line - lab_arm_world(arm, LAB_BUCKET);
}

// Lowers the stretched arm slowly until the teeth pass the ground's level. `edge` is not before
// them: they are above the pit.
static void measure_ground(LabRun* run, Reach* r)
{
    LabArm* arm = &r->arm;
    r->fine = lab_arm_seek(arm, (double[]){(double)NAN, (double)NAN, stretched(arm)}, REACH_TIME) &&
              r->fine;
    Vec3 last = lab_arm_tip(arm), now = last;
    lab_arm_lever(arm, INPUT_BOOM, -0.4);
    for (int i = 0; now.y > 0.0f && i < 40 * INPUT_RATE; ++i) {
        last = now;
        lab_arm_frame(arm);
        now = lab_arm_tip(arm);
    }
    float part = last.y / base_maxf(last.y - now.y, 1e-6f);
    lab_arm_neutral(arm);
    note(r, "reach at ground", PLOT_ALIGN_RIGHT);
    r->fine = r->fine && now.y <= 0.0f;
    lab_report_near(run->report, "reach_at_ground", "m", (double)(last.x + part * (now.x - last.x)),
                    REACH_GROUND, REACH_WITHIN * REACH_GROUND);
}

// Boom down to its stop, stick and bucket hanging.
static void measure_depth(LabRun* run, Reach* r)
{
    LabArm* arm = &r->arm;
    r->fine = lab_arm_to_stop(arm, (double[]){-1, 0, 0}, REACH_TIME) && r->fine;
    double boom = lab_arm_world(arm, LAB_BOOM);
    r->fine = lab_arm_seek(arm, (double[]){(double)NAN, -90.0 - boom, 0.0}, REACH_TIME) && r->fine;
    note(r, "dig depth", PLOT_ALIGN_LEFT);
    lab_report_near(run->report, "dig_depth", "m", -(double)lab_arm_tip(arm).y, REACH_DEPTH,
                    REACH_WITHIN * REACH_DEPTH);
    lab_report_value(run->report, "boom_lowest", "deg", boom);
    r->fine = lab_arm_to_stop(arm, (double[]){0, 1, 1}, REACH_TIME) && r->fine;
    lab_report_value(run->report, "stick_in", "deg", -lab_arm_angle(arm, LAB_STICK));
    lab_report_value(run->report, "bucket_in", "deg", lab_arm_angle(arm, LAB_BUCKET));
}

static void draw(LabRun* run, const Reach* r)
{
    if (!lab_picture_wanted(run, 900, 1120))
        return;
    double lo[2] = {-1.0, -7.5}, hi[2] = {10.5, 10.0};
    PlotRect area = lab_picture_heading(run, "Working range, by levers",
                                        "way of the teeth (dots) and the arm where it is measured");
    PlotView view = plot_view_fit(area, lo, hi, false);
    plot_view_floor(run->picture, &view, lo[0], 2.6, 0.0);
    for (int i = 0; i < r->arm.path_count; ++i)
        plot_disc(run->picture, plot_view_x(&view, r->arm.path_x[i]),
                  plot_view_y(&view, r->arm.path_y[i]), 2.0, plot_chart_faint());
    for (int k = 0; k < r->poses; ++k) {
        const ReachPose* p = &r->pose[k];
        for (int j = 0; j < 3; ++j)
            plot_view_line(run->picture, &view, p->x[j], p->y[j], p->x[j + 1], p->y[j + 1],
                           PLOT_DASH_SOLID, plot_chart_color(k));
        char text[64];
        bool left = p->side == PLOT_ALIGN_LEFT;
        snprintf(text, sizeof text, "%s %.2f m", p->name, fabs(left ? p->y[3] : p->x[3]));
        plot_view_label(run->picture, &view, p->x[3] + (left ? 0.2 : -0.1),
                        p->y[3] - (left ? 0.25 : 0.45), p->side, text);
    }
    plot_view_ruler(run->picture, &view);
}

void lab_machine_reach_run(LabRun* run)
{
    static Reach r;
    lab_part(run, 1.0);
    r = (Reach){.fine = true};
    if (!lab_arm_load(run, &r.arm))
        return;
    lab_arm_pose(&r.arm, (double[]){35.0, -95.0, -40.0});
    measure_heights(run, &r);
    lab_progress(run, 0.4);
    measure_ground(run, &r);
    lab_progress(run, 0.7);
    measure_depth(run, &r);
    lab_report_least(run->report, "movements_ended", "", r.fine, 1.0);
    lab_table_columns(&run->report->table, "tip_x_m,tip_y_m");
    for (int i = 0; i < r.arm.path_count; ++i)
        lab_table_row(&run->report->table, (double[]){r.arm.path_x[i], r.arm.path_y[i]});
    draw(run, &r);
    lab_arm_finish(run, &r.arm);
}
