// plank, wheel - bodies on hinges that grains move (P2 Fig. 4): a heap tilts a plank, a stream turns a
// paddle wheel. What the body gets is what its contacts give, to the last digits of its numbers:
//
//   turn     the body's moment of momentum against the moments of its contacts over time
//   stand    what holds the hinge against weight and contacts over time
//   grains   the momentum of all grains against their weight and what every boundary gave them
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"
#include "lab/lab_stand.h"

#include <math.h>

#define HINGED_NX      60 // columns
#define HINGED_NZ      40
#define HINGED_GROUND  0.3f // m
#define HINGED_HIGH    1.6f // m, of the hinge
#define HINGED_POOL    3000
#define HINGED_PARTS   8    // of a frame: light bodies answer soon
#define HINGED_SOFT    1e-5 // m/s per N s, of the stand: it sinks by half a millimetre
#define HINGED_BODY    1
#define HINGED_BALANCE 1e-5
#define HINGED_GRAVITY 9.81

typedef struct Hinged {
    LabWorld w;
    LabStand s;
    int boundary, material;
    double inertia;       // kg m2, about the hinge
    double weight;        // N, of both bodies
    double turned, given; // N m s: moments of contacts, summed and as a sum of sizes
    double held, borne;   // N s: stand; weight and contacts
    double lost, pulled;  // N s: grains' momentum not accounted for; their weight
    double fastest;       // rad/s
    double time;          // s
} Hinged;

static bool make(LabRun* run, Hinged* h, const char* file)
{
    if (!lab_world_make(run, &h->w, HINGED_NX, HINGED_NZ, HINGED_POOL, 0.04f))
        return false;
    h->material = lab_world_material(run, &h->w, "dry_sand");
    Vec3 at = vec3(0.05f * HINGED_NX, HINGED_GROUND + HINGED_HIGH, 0.05f * HINGED_NZ);
    if (h->material < 0 || !lab_stand_make(run, &h->s, &h->w, file, at)) {
        lab_world_destroy(&h->w);
        return false;
    }
    lab_world_lay(&h->w, h->material, HINGED_GROUND);
    h->s.parts = HINGED_PARTS, h->s.softness = HINGED_SOFT;
    h->boundary = coupling_fleet_boundary(h->s.fleet, 0, HINGED_BODY);
    const MachineBody* b = &h->s.def.bodies[HINGED_BODY];
    h->inertia = (double)b->inertia[2];
    for (int k = 0; k < h->s.def.body_count; ++k)
        h->weight += HINGED_GRAVITY * (double)h->s.def.bodies[k].mass;
    return true;
}

static void finish(LabRun* run, Hinged* h)
{
    lab_stand_destroy(&h->s);
    lab_world_finish(run, &h->w);
}

// kg m/s upwards, and N of weight.
static double grains_momentum(const Hinged* h, double* weight)
{
    const SoilState* s = soil_state(h->w.soil);
    double sum = 0.0;
    *weight = 0.0;
    for (int i = 0; i < s->count; ++i) {
        double kg = 1e-6 * (double)s->mass[i];
        sum += kg * (double)s->vy[i];
        *weight += kg * HINGED_GRAVITY;
    }
    return sum;
}

static uint64_t changes(const Hinged* h)
{
    const CouplingLedger* l = coupling_ledger(h->w.coupling);
    return l->births + l->returns + l->evictions;
}

static double angle(const Hinged* h)
{
    return machine_joint(h->s.machine, HINGED_BODY);
}

// A frame, and what it says of momentum.
static void step(LabRun* run, Hinged* h)
{
    double dt = lab_world_dt(&h->w), weight, ignored;
    double before = grains_momentum(h, &weight);
    uint64_t then = changes(h);
    lab_stand_step(&h->s);
    h->time += dt;
    const SoilReaction* body = soil_reaction(h->w.soil, h->boundary);
    double after = grains_momentum(h, &ignored), ground = soil_reaction(h->w.soil, 0)->force[1];
    if (changes(h) == then) { // none became ground in this frame
        h->lost += fabs(after - before + (weight + body->force[1] + ground) * dt);
        h->pulled += weight * dt;
    }
    h->turned += body->torque[2] * dt;
    h->given += fabs(body->torque[2]) * dt;
    h->held += h->s.force[1] * dt;
    h->borne += (h->weight - body->force[1]) * dt;
    double speed = machine_joint_speed(h->s.machine, HINGED_BODY);
    h->fastest = fmax(h->fastest, fabs(speed));
    const double row[5] = {h->time, angle(h) / BASE_DEG, speed, body->torque[2], -body->force[1]};
    lab_table_row(&run->report->table, row);
}

// While it swings freely, before a stop or the end.
static double turn_residual(const Hinged* h)
{
    double momentum = h->inertia * machine_joint_speed(h->s.machine, HINGED_BODY);
    return fabs(momentum - h->turned) / h->given;
}

static void report_balance(LabRun* run, const Hinged* h, double turn)
{
    LabReport* r = run->report;
    lab_report_most(r, "turn_residual", "", turn, HINGED_BALANCE);
    lab_report_most(r, "stand_residual", "", fabs(h->held - h->borne) / h->borne, HINGED_BALANCE);
    lab_report_most(r, "grains_residual", "", h->lost / h->pulled, HINGED_BALANCE);
    lab_report_most(r, "imbalance", "mg", lab_world_imbalance(&h->w), 0.0);
    lab_report_most(r, "bad_steps", "", (double)machine_state(h->s.machine)->resets, 0.0);
}

// --- picture -------------------------------------------------------------------------------------

static void draw_box(LabRun* run, const Hinged* h, const PlotView* v, const MachineShape* s)
{
    double x[4], y[4];
    for (int k = 0; k < 4; ++k) {
        float dx = (k == 0 || k == 3 ? -1.0f : 1.0f) * s->half.x;
        float dy = (k < 2 ? -1.0f : 1.0f) * s->half.y;
        float c = cosf(s->turn), n = sinf(s->turn);
        Vec3 corner = vec3(s->center.x + dx * c - dy * n, s->center.y + dx * n + dy * c, 0.0f);
        Vec3 at = machine_to_world(h->s.machine, s->body, corner);
        x[k] = plot_view_x(v, (double)at.x), y[k] = plot_view_y(v, (double)at.y);
    }
    plot_convex(run->picture, x, y, 4, plot_color(0x3c4652));
}

static void draw(LabRun* run, const Hinged* h, const char* title, int shot, const char* text)
{
    if (!lab_picture_wanted(run, 1800, 640))
        return;
    if (shot == 0)
        lab_picture_heading(run, title, "P2 Fig. 4");
    PlotRect area = {LAB_PICTURE_EDGE, 100.0, 1800.0 - 2.0 * LAB_PICTURE_EDGE, 500.0};
    double mid = 0.05 * HINGED_NX;
    LabSection section = {
        .lo = {mid - 2.2, 0.0}, .hi = {mid + 2.2, 3.6}, .row = HINGED_NZ / 2, .deep = 0.4};
    PlotView v = lab_world_draw(run, lab_picture_tile(area, 3, 1, shot, 0), &h->w, section);
    for (int n = 0; n < h->s.def.shape_count; ++n)
        if (h->s.def.shapes[n].kind == MACHINE_BOX)
            draw_box(run, h, &v, &h->s.def.shapes[n]);
    plot_view_label(run->picture, &v, section.lo[0] + 0.1, 3.3, PLOT_ALIGN_LEFT, text);
}

// --- plank ---------------------------------------------------------------------------------------

#define PLANK_GRAINS 220
#define PLANK_TIME   4.0  // s
#define PLANK_LEAST  25.0 // deg

void lab_plank_run(LabRun* run)
{
    static const char* const title = "A heap tilts a plank on a hinge";
    Hinged h = {0};
    double turn = NAN;
    if (!make(run, &h, "config/lab/plank.yaml"))
        return;
    lab_part(run, 1.0);
    lab_table_columns(&run->report->table, "time,angle_deg,speed_rad_s,moment_Nm,load_N");
    Vec3 at =
        vec3(0.05f * HINGED_NX + 0.65f, HINGED_GROUND + HINGED_HIGH + 0.15f, 0.05f * HINGED_NZ);
    int poured = lab_world_drop(&h.w, at, 0.3f, 0.3f, PLANK_GRAINS, h.material,
                                (uint64_t)run->options->seed);
    draw(run, &h, title, 0, "let go");
    bool stopped = false;
    int frames = (int)(PLANK_TIME / lab_world_dt(&h.w));
    for (int k = 0; k < frames; ++k) {
        step(run, &h);
        stopped = stopped || fabs(angle(&h)) > (PLANK_LEAST - 3.0) * BASE_DEG;
        if (!stopped)
            turn = turn_residual(&h);
        if (k == 40)
            draw(run, &h, title, 1, "after 0.7 s");
        lab_progress(run, (double)k / frames);
    }
    draw(run, &h, title, 2, "at its stop");
    lab_report_least(run->report, "grains", "", poured, PLANK_GRAINS);
    lab_report_most(run->report, "tilt", "deg", angle(&h) / BASE_DEG, -PLANK_LEAST);
    lab_report_value(run->report, "fastest", "rad/s", h.fastest);
    report_balance(run, &h, turn);
    finish(run, &h);
}

// --- wheel ---------------------------------------------------------------------------------------

#define WHEEL_TIME  8.0 // s
#define WHEEL_QUICK 4.0
#define WHEEL_EACH  2   // frames from grain pair to grain pair
#define WHEEL_LEAST 1.0 // turns

void lab_wheel_run(LabRun* run)
{
    static const char* const title = "Falling grains turn a paddle wheel";
    Hinged h = {0};
    if (!make(run, &h, "config/lab/wheel.yaml"))
        return;
    lab_part(run, 1.0);
    lab_table_columns(&run->report->table, "time,angle_deg,speed_rad_s,moment_Nm,load_N");
    double seconds = run->options->quick ? WHEEL_QUICK : WHEEL_TIME;
    int frames = (int)(seconds / lab_world_dt(&h.w));
    for (int k = 0; k < frames; ++k) {
        Vec3 at =
            vec3(0.05f * HINGED_NX + 0.45f, HINGED_GROUND + HINGED_HIGH + 1.4f, 0.05f * HINGED_NZ);
        for (int side = -1; side <= 1 && k % WHEEL_EACH == 0; ++side) {
            at.z = 0.05f * HINGED_NZ + 0.2f * (float)side;
            coupling_pour(h.w.coupling, at, vec3(0.0f, -2.0f, 0.0f), h.material);
        }
        step(run, &h);
        if (k == frames / 8 || k == frames / 3 || k == frames - 1)
            draw(run, &h, title,
                 k == frames / 8   ? 0
                 : k == frames / 3 ? 1
                                   : 2,
                 k == frames / 8   ? "at first"
                 : k == frames / 3 ? "a third"
                                   : "at the end");
        lab_progress(run, (double)k / frames);
    }
    lab_report_most(run->report, "turns", "", angle(&h) / (2.0 * BASE_PI), -WHEEL_LEAST);
    lab_report_value(run->report, "fastest", "rad/s", h.fastest);
    report_balance(run, &h, turn_residual(&h));
    finish(run, &h);
}
